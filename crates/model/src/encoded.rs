//! [`Encoded`]: a model as a formula, made for a question.

use std::borrow::Cow;

use rustsat::types::Lit;

use super::leaves::{LeafSum, without_leaves};
use super::variables::{Bool, Domains, ExprFactor, IntVar, Makers, Solution, Test};
use super::writer::{
    Chain, Encoder, EncodingContext, EncodingOutput, Lazily, Needs, ReadyLiterals, Trace, Truth, VariableCodes,
    WritingSource,
};
use super::{Model, ModelError, PostedConstraint, cost};
use cnfkit_core::internals::{Clock, sort};
use cnfkit_core::{ClauseSink, Formula, Order, Relation};

/// The purpose of an encoding.
#[derive(Clone, Copy, Debug)]
pub(super) enum Want<'a> {
    /// The formula itself, with everything written.
    Formula,
    /// Any solution: variables that no constraint has need no literals.
    Solution,
    /// One solution, with a trace of who wrote what.
    Trace,
    /// Every solution: all variables have literals.
    Every,
    /// Every choice of values for these.
    Each(&'a [ExprFactor]),
    /// The least sum of multiples of variables.
    Sum(&'a [(IntVar, i64)]),
    /// The least sum of multiples of variables, with everything written.
    #[cfg_attr(not(any(feature = "batsat", feature = "cadical")), expect(dead_code))]
    WrittenSum(&'a [(IntVar, i64)]),
    /// Groups that contradict each other, or constraints where there are no groups: a literal for each.
    Blame,
}

/// A model as a formula, and where its variables are.
#[derive(Debug)]
pub(super) struct Encoded {
    pub(super) formula: Formula,
    pub(super) domains: Domains,
    pub(super) codes: VariableCodes,
    /// A literal for each group, or each constraint where there are no groups: it holds where that is true.
    pub(super) selectors: Vec<Lit>,
    /// Who wrote what, where that was asked for.
    pub(super) trace: Trace,
    /// Rules that are not written.
    pub(super) cuts: Vec<Lazily>,
    /// Sums that are not written: only the default solver answers for them.
    pub(super) sums: Vec<(Vec<Chain>, u64)>,
    /// Variables that have no literals, as their values follow; each before those that it is made of.
    leaves: Vec<LeafSum>,
}

impl Model {
    /// The truth values that literals were made of, in the order of these.
    fn pins(&self) -> Vec<(Bool, Lit)> {
        let pinned = |(&(index, test), &lit): (&(u32, Test), &Lit)| {
            (Bool { var: self.makers().var(index), test, negated: false }, lit)
        };
        let mut pins: Vec<(Bool, Lit)> = self.literals.iter().map(pinned).collect();
        sort::by_key(&mut pins, |&(_, lit)| lit.lidx() as u64);
        pins
    }

    /// By constraint, the part of unsatisfiable cores that it is in, if it is in one; and the number of parts.
    fn parts(&self) -> (Vec<Option<usize>>, usize) {
        if !self.groups.is_empty() {
            let groups = self.posted.iter().map(|posted| posted.group.map(|group| group as usize));
            return (groups.collect(), self.groups.len());
        }
        let mut n = 0;
        let each = self.posted.iter().map(|posted| {
            n += usize::from(!posted.defines);
            (!posted.defines).then(|| n - 1)
        });
        (each.collect(), n)
    }

    /// True if the solver answers for sums that are not written.
    pub(super) fn has_theory(&self) -> bool {
        cfg!(feature = "batsat") && !self.asking.engine.is_chosen()
    }

    /// The literals that are needed for all that was said.
    ///
    /// # Errors
    /// When the clock runs out.
    pub(super) fn add_needs(&self, domains: &Domains, needs: &mut Needs, clock: &Clock) -> Result<(), ModelError> {
        cost::add_needs(&self.posted, 0, domains, needs, clock)?;
        self.add_told(domains, needs);
        Ok(())
    }

    /// The literals that are needed for what was said beside constraints.
    fn add_told(&self, domains: &Domains, needs: &mut Needs) {
        for unit in self.lazy.iter().flat_map(|lazy| &lazy.over) {
            match *unit {
                ExprFactor::Int(var) => needs.told(var, domains.of(var)),
                ExprFactor::Bool(bool) if domains.truth(bool).is_none() => needs.test(bool),
                ExprFactor::Bool(_) => {}
            }
        }
        let aliased = self.aliases.iter().map(|&(_, bool)| bool);
        let tests = aliased.chain(self.pins().into_iter().map(|(bool, _)| bool));
        tests.filter(|&bool| domains.truth(bool).is_none()).for_each(|bool| needs.test(bool));
    }

    /// The constraints that are searched, and variables that follow from them.
    fn searched(&self, want: Want<'_>, domains: &Domains) -> (Cow<'_, [PostedConstraint]>, Vec<LeafSum>) {
        let terms = match want {
            Want::Solution => &[],
            Want::Sum(terms) => terms,
            _ => return (Cow::Borrowed(&self.posted), Vec::new()),
        };
        let mut used = Needs::new(domains.len());
        self.add_told(domains, &mut used);
        terms.iter().for_each(|&(var, _)| used.either(var));
        self.hints.keys().for_each(|&index| used.any(index as usize, &domains.all()[index as usize]));
        without_leaves(self.with_rulers(domains), domains, used)
    }

    /// The model as a formula: constraints as data, to be encoded or written.
    ///
    /// # Errors
    /// When the model is wrong, or too large.
    pub fn formula(&self) -> Result<Formula, ModelError> {
        Ok(self.encoded(Want::Formula, &self.asking.start())?.formula)
    }

    pub(super) fn encoded(&self, want: Want<'_>, clock: &Clock) -> Result<Encoded, ModelError> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        let all_written = matches!(want, Want::Formula | Want::Trace | Want::WrittenSum(_));
        if all_written && !self.lazy.is_empty() {
            return Err(ModelError::Lazy);
        }
        let blames = matches!(want, Want::Blame);
        let (parts, n_parts) = if blames { self.parts() } else { (vec![None; self.posted.len()], 0) };
        let held = self.posted.iter().zip(&parts).filter(|(_, part)| part.is_none()).map(|(posted, _)| posted);
        let shrunk = Domains::new(self.domains.clone()).shrink(held, clock)?;
        let mut formula = self.formula.clone().order(self.order.unwrap_or_default());
        let mut trace = matches!(want, Want::Trace).then(Trace::default);
        if let Some(trace) = &mut trace {
            trace.mark(&Formula::new(), WritingSource::Own);
        }
        let Ok(domains) = shrunk else {
            if let Some(trace) = &mut trace {
                trace.mark(&formula, WritingSource::Contradiction);
            }
            formula.add_clause(&[])?;
            let (domains, codes) = (Domains::default(), VariableCodes::default());
            let selectors = formula.new_lits(n_parts);
            return Ok(Encoded {
                formula,
                domains,
                codes,
                selectors,
                trace: trace.unwrap_or_default(),
                cuts: Vec::new(),
                sums: Vec::new(),
                leaves: Vec::new(),
            });
        };
        let mut needs = Needs::new(domains.len());
        needs.has_theory = self.has_theory() && !all_written && !blames;
        let (posted, leaves) = self.searched(want, &domains);
        cost::add_needs(&posted, 0, &domains, &mut needs, clock)?;
        self.add_told(&domains, &mut needs);
        if let Want::Each(units) = want {
            let bools =
                units.iter().filter_map(|unit| if let &ExprFactor::Bool(bool) = unit { Some(bool) } else { None });
            bools.filter(|&bool| domains.truth(bool).is_none()).for_each(|bool| needs.test(bool));
        }
        needs.settle(&domains);
        match want {
            Want::Formula | Want::Blame | Want::Trace => {}
            // Without literals it would have its least value, whatever was hinted at.
            Want::Solution => self.hints.keys().for_each(|&index| {
                needs.any(index as usize, &domains.all()[index as usize]);
            }),
            Want::Every => needs.all(&domains),
            Want::Each(units) => units.iter().for_each(|unit| {
                if let &ExprFactor::Int(var) = unit {
                    needs.any(var.index as usize, domains.of(var));
                }
            }),
            Want::Sum(&[(var, _)]) | Want::WrittenSum(&[(var, _)]) => needs.bounds(var, domains.of(var)),
            Want::Sum(terms) | Want::WrittenSum(terms) => {
                terms.iter().for_each(|&(var, _)| needs.sum(var.index as usize, domains.of(var)));
            }
        }
        let selectors = formula.new_lits(n_parts);
        let start = ReadyLiterals {
            aliases: &self.aliases,
            choice: self.choice,
            seed: self.seed,
            codes: VariableCodes::default(),
        };
        let mut output = EncodingOutput::behind(formula, trace);
        let codes = start.literals(&domains, &needs, &mut output)?;
        for (index, posted) in (0..).zip(&*posted) {
            clock.check()?;
            output.mark(WritingSource::Constraint(index, None));
            let context = EncodingContext::of(index as usize, posted.choice, &needs, all_written);
            let mut encoder = Encoder::new(&domains, &codes, context, &mut output);
            let written = match parts[index as usize] {
                None => posted.node.encode_parts(index, &mut encoder),
                Some(part) => encoder.under(selectors[part], |encoder| posted.node.encode(encoder)),
            };
            if let Some(text) = output.too_wide.take() {
                return Err(ModelError::TooWide { constraint: index as usize, text });
            }
            written?;
        }
        output.mark(WritingSource::Literal);
        for (bool, lit) in self.pins() {
            let truth = codes.truth(&domains, bool);
            output.clause(&[], [truth, Truth::If(!lit)])?;
            output.clause(&[], [!truth, Truth::If(lit)])?;
        }
        let EncodingOutput { mut formula, trace, cuts, sums, .. } = output;
        if self.order.is_none() && says_one_only(&formula) {
            formula = formula.order(Order::Variable).counts_by_mean();
        }
        Ok(Encoded { formula, domains, codes, selectors, trace: trace.unwrap_or_default(), cuts, sums, leaves })
    }
}

impl Encoded {
    /// The number of variables that are computed from others.
    #[cfg(test)]
    pub(super) fn leaves(&self) -> usize {
        self.leaves.len()
    }

    pub(super) fn solution(&self, makers: &Makers, is_true: impl Fn(Lit) -> bool) -> Solution {
        // A solver may leave a variable open: then neither literal is true for it, and it counts as false.
        let holds = |lit: Lit| is_true(lit.var().pos_lit()) == lit.is_pos();
        let value = |index: usize| self.codes.value(&self.domains, index, holds);
        let mut values: Vec<i64> = (0..self.domains.len()).map(value).collect();
        self.leaves.iter().rev().for_each(|leaf| leaf.complete(&mut values));
        Solution::new(makers, values)
    }

    /// A sum of multiples of variables, and a constant: weights of literals, what is added to their sum, and true if
    /// the literals are a variable's bounds in order.
    pub(super) fn objective(&self, terms: &[(IntVar, i64)], constant: i64) -> (Vec<(Lit, i64)>, i128, bool) {
        let (mut objective, mut base, mut is_ladder) = (Vec::new(), i128::from(constant), false);
        if self.domains.len() > 0 {
            for &(var, factor) in terms {
                let amounts = self.codes.amounts(&self.domains, var, factor, false);
                is_ladder = terms.len() == 1 && amounts.is_ladder;
                base += amounts.base;
                // Sums were checked to fit.
                objective.extend(amounts.lits.into_iter().map(|(lit, weight)| (lit, weight as i64)));
            }
        }
        (objective, base, is_ladder)
    }

    /// The literals that tell solutions apart.
    pub(super) fn literals(&self) -> Vec<Lit> {
        (0..self.domains.len()).flat_map(|index| self.codes.literals(&self.domains, index)).collect()
    }

    /// The literals that tell the values of these apart.
    pub(super) fn literals_of(&self, units: &[ExprFactor]) -> Vec<Lit> {
        let mut lits = Vec::new();
        if self.domains.len() == 0 {
            return lits; // there is no solution
        }
        for unit in units {
            match *unit {
                ExprFactor::Int(var) => lits.extend(self.codes.literals(&self.domains, var.index as usize)),
                ExprFactor::Bool(bool) => {
                    if let Truth::If(lit) = self.codes.truth(&self.domains, bool) {
                        lits.push(lit);
                    }
                }
            }
        }
        lits.sort_unstable();
        lits.dedup();
        lits
    }
}

/// True if all constraints that are kept say *at most one* or *exactly one* of their literals or of the negations.
fn says_one_only(formula: &Formula) -> bool {
    formula.constraints().all(|constraint| match constraint.counted() {
        Some((lits, Relation::AtMost(k) | Relation::Exactly(k) | Relation::AtLeast(k))) => {
            k <= 1 || k + 1 >= lits.len()
        }
        None => false,
    })
}
