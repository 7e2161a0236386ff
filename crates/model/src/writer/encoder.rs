//! [`Encoder`]: writes rules into a formula, under a condition.

use std::sync::Arc;

use rustsat::types::Lit;

use super::Truth;
use super::code::{Amounts, VariableCode, VariableCodes};
use super::context::EncodingContext;
use super::cuts::Cuts;
use super::output::{Chain, EncodingOutput, Lazily, WriteResult};
use crate::choice::Choice;
use crate::variables::{Bool, Domain, Domains, IntVar, View};
use cnfkit_core::internals::{Diagram, Prepared};
use cnfkit_core::{CapacityError, ClauseSink, Constrain, PbEncoding, PbRelation, Relation, Terms};

/// The values of a variable, with its literals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueLiterals<'a> {
    var: IntVar,
    code: VariableCode,
    pub(crate) domain: &'a Domain,
    len: usize,
}

/// Writes rules of one context, behind what is written already.
#[derive(Debug)]
pub(crate) struct Encoder<'a> {
    domains: &'a Domains,
    codes: &'a VariableCodes,
    context: EncodingContext<'a>,
    pub(crate) output: &'a mut EncodingOutput,
}

/// The weight of all terms together.
fn all_weights(terms: &Terms<'_>) -> u128 {
    terms.all().iter().map(|&(_, weight)| u128::from(weight)).sum()
}

/// The most partial sums, terms times their weight in all, of a sum that is written although it need not be.
const MOST_PARTIAL_SUMS: u64 = if cfg!(test) { 30 } else { 10_000 }; // brute force sees both ways
/// As many where at most one term of a group is true, which a theory that is told of single terms does not know:
/// `cargo run --release -p cnfkit-peers -- models session magic` solves squares of 4 to 7 whose sums are written, in a
/// twentieth of the time where they are watched.
const MOST_GROUPED_SUMS: u64 = if cfg!(test) { 30 } else { 300_000 }; // brute force sees both ways
/// The most weights of a bound on a sum of truth values that is written although it need not be: six knapsacks of the
/// same 120 items are filled to 62 of these when they are written, to 31 when they are not.
pub(crate) const MOST_WEIGHED: usize = if cfg!(test) { 3 } else { 256 }; // brute force sees both ways
/// Beyond so many terms, what has to be written is added in binary.
const MOST_TERMS: usize = 1_000;

/// A literal with its weight as a chain.
fn single(lit: Lit, weight: u64) -> Chain {
    (Arc::from([(lit, weight)]), 1)
}

impl<'a> Encoder<'a> {
    pub(crate) fn new(
        domains: &'a Domains,
        codes: &'a VariableCodes,
        context: EncodingContext<'a>,
        output: &'a mut EncodingOutput,
    ) -> Self {
        Self { domains, codes, context, output }
    }

    /// Chains are at most so much together, under the condition: answered for by the solver's theory.
    pub(crate) fn sum_lazily(&mut self, mut chains: Vec<Chain>, mut most: u64) {
        self.output.way("long sums, or many comparisons, watched while the solver searches");
        debug_assert!(self.context.allows_sums());
        let comes_to = |(steps, factor): &Chain| steps.last().map_or(0, |&(_, amount)| amount * factor);
        let all: u64 = chains.iter().map(comes_to).sum();
        if all <= most {
            return;
        }
        if let [condition] = *self.context.condition {
            // The condition takes what is too much: without it, there is room for all.
            chains.push(single(condition, all - most));
            most = all;
        }
        self.output.sums.push((chains, most));
    }

    /// Keeps the part of a rule that is not written, under the condition at hand.
    pub(crate) fn answer_lazily(&mut self, rule: impl Cuts + 'static) {
        self.output.way("too many clauses, told one violation at a time");
        let condition = self.context.condition.to_vec();
        self.output.cuts.push(Lazily { condition, rule: Box::new(rule) });
    }

    pub(crate) const fn context(&self) -> EncodingContext<'a> {
        self.context
    }

    pub(crate) const fn domains(&self) -> &'a Domains {
        self.domains
    }

    /// *The view has this value.*
    pub(crate) fn is(&self, view: View, value: i64) -> Truth {
        if view.is_constant() {
            return Truth::Known(view.offset == value);
        }
        view.to_value(value).map_or(Truth::Known(false), |value| self.codes.is(self.domains, view.var, value))
    }

    /// Calls `visit` with each value of a view, in the order of its variable's values, and whether it has it.
    pub(crate) fn each_value(&self, view: View, mut visit: impl FnMut(i64, Truth)) {
        if view.is_constant() {
            return visit(view.offset, Truth::Known(true));
        }
        let values = self.values(view.var);
        for (rank, value) in values.domain.iter().enumerate() {
            visit(view.of_value(value), self.rank_is(values, rank, value));
        }
    }

    /// The values of a variable, to ask about several.
    pub(crate) fn values(&self, var: IntVar) -> ValueLiterals<'a> {
        let domain = self.domains.of(var);
        ValueLiterals { var, code: self.codes.of(var.index as usize), domain, len: domain.len() as usize }
    }

    /// *The variable has the value of this rank.*
    pub(crate) fn rank_is(&self, values: ValueLiterals<'a>, rank: usize, value: i64) -> Truth {
        if values.code.is_binary() {
            return self.codes.is(self.domains, values.var, value);
        }
        values.code.is(rank, values.len)
    }

    /// *The variable has this value.*
    pub(crate) fn value_is(&self, values: ValueLiterals<'a>, value: i64) -> Truth {
        if values.domain.contains(value) {
            self.rank_is(values, values.domain.rank(value), value)
        } else {
            Truth::Known(false)
        }
    }

    /// *The variable has this value or a greater one*, which may be beyond any.
    pub(crate) fn value_from(&self, values: ValueLiterals<'a>, least: i128) -> Truth {
        let ValueLiterals { var, code, domain, len } = values;
        let (min, max) = domain.bounds();
        match i64::try_from(least) {
            _ if least <= i128::from(min) => Truth::Known(true),
            Ok(least) if least <= max && !code.is_binary() => {
                code.at_least(domain.rank(domain.next(least).unwrap_or(least)), len)
            }
            _ => self.from(var, least),
        }
    }

    /// *The variable has this value or a greater one*, which may be beyond any.
    pub(crate) fn from(&self, var: IntVar, least: i128) -> Truth {
        self.codes.from(self.domains, var, least)
    }

    /// *The view has this value or a greater one.*
    pub(crate) fn at_least(&self, view: View, least: i64) -> Truth {
        if view.is_constant() {
            return Truth::Known(view.offset >= least);
        }
        let (factor, over) = (i128::from(view.factor), i128::from(least) - i128::from(view.offset));
        if factor > 0 {
            self.from(view.var, -((-over).div_euclid(factor)))
        } else {
            !self.from(view.var, (-over).div_euclid(-factor) + 1)
        }
    }

    /// A truth value, by its literal where the domain does not decide it.
    pub(crate) fn known(&self, bool: Bool) -> Truth {
        self.codes.truth(self.domains, bool)
    }

    /// Says that one of these is true, under the condition.
    pub(crate) fn clause(&mut self, clause: impl IntoIterator<Item = Truth>) -> WriteResult {
        self.output.clause(self.context.condition, clause)
    }

    /// A bound on the number of true literals, under the condition.
    pub(crate) fn cardinality(&mut self, all: impl IntoIterator<Item = Truth>, relation: Relation) -> WriteResult {
        let mut known = 0;
        self.output.buffer.clear();
        for truth in all {
            match truth {
                Truth::Known(value) => known += usize::from(value),
                Truth::If(lit) => self.output.buffer.push(lit),
            }
        }
        let rest = relation.bound().checked_sub(known);
        let relation = match (relation, rest) {
            (_, Some(rest)) => relation.with_bound(rest),
            (Relation::AtLeast(_), None) => return Ok(()),
            (_, None) => return self.clause([]),
        };
        let EncodingContext { condition, choice: Choice { amo, card, .. }, .. } = self.context;
        let EncodingOutput { formula, buffer, .. } = &mut *self.output;
        let sink = &mut formula.when(condition);
        match relation {
            Relation::AtMost(1) => sink.at_most_one(&*buffer, &amo),
            Relation::Exactly(1) => sink.exactly_one(&*buffer, &amo),
            _ => sink.cardinality(&*buffer, relation, &card),
        }
    }

    /// An odd or an even number of these is true, under the condition.
    pub(crate) fn parity(&mut self, all: impl IntoIterator<Item = Truth>, mut odd: bool) -> WriteResult {
        self.output.buffer.clear();
        for truth in all {
            match truth {
                Truth::Known(value) => odd ^= value,
                Truth::If(lit) => self.output.buffer.push(lit),
            }
        }
        let EncodingOutput { formula, buffer, .. } = &mut *self.output;
        formula.when(self.context.condition).parity(&*buffer, odd)
    }

    /// These literals weigh at most so much together, under the condition.
    pub(crate) fn weighted_at_most(&mut self, terms: &[(Lit, u64)], most: u64) -> WriteResult {
        self.weights(&Terms::new(terms), PbRelation::AtMost(most))
    }

    /// As [`weighted_at_most`](Self::weighted_at_most), for one of many sums that would take many clauses together.
    pub(crate) fn many_weighted_at_most(&mut self, terms: &[(Lit, u64)], most: u64) -> WriteResult {
        let terms = Terms::new(terms);
        if self.may_weigh_lazily(&terms) {
            return self.weigh_lazily(&terms, PbRelation::AtMost(most));
        }
        self.weights(&terms, PbRelation::AtMost(most))
    }

    /// These literals, of each group of which at most one is true, weigh as much as the relation says, under the
    /// condition.
    pub(crate) fn weights(&mut self, terms: &Terms<'_>, relation: PbRelation) -> WriteResult {
        let mut pb = self.context.choice.pb;
        if pb == PbEncoding::Auto && !Self::is_short(terms, relation) {
            if self.may_weigh_lazily(terms) {
                return self.weigh_lazily(terms, relation);
            }
            if terms.len() > MOST_TERMS {
                self.output.way("binary adders: more than 1,000 weights have to be written");
                pb = PbEncoding::BinaryAdder;
            }
        }
        self.output.way("sums of weights");
        self.output.formula.when(self.context.condition).pb_grouped(terms, relation, &pb)
    }

    /// True if a sum is written although it need not be: its partial sums are few, or it is a count of or a bound
    /// on few terms, where what the solver learns of the auxiliaries is worth more than what they cost.
    fn is_short(terms: &Terms<'_>, relation: PbRelation) -> bool {
        let is_count = || terms.all().windows(2).all(|pair| pair[0].1 == pair[1].1);
        if terms.len() <= MOST_WEIGHED && (!matches!(relation, PbRelation::Exactly(_)) || is_count()) {
            return true;
        }
        let heaviest = |group: &[(Lit, u64)]| group.iter().map(|&(_, weight)| weight).max().unwrap_or(0);
        let all = terms.groups().map(heaviest).fold(0, u64::saturating_add);
        let is_grouped = terms.groups().any(|group| group.len() > 1);
        let most = if is_grouped { MOST_GROUPED_SUMS } else { MOST_PARTIAL_SUMS };
        (terms.len() as u64).saturating_mul(all) <= most
    }

    /// True if the solver's theory may answer for these weights.
    fn may_weigh_lazily(&self, terms: &Terms<'_>) -> bool {
        let is_auto = self.context.choice.pb == PbEncoding::Auto;
        is_auto && self.context.allows_sums() && all_weights(terms) <= u128::from(u64::MAX) / 4
    }

    /// The relation as sums that the solver's theory answers for.
    fn weigh_lazily(&mut self, terms: &Terms<'_>, relation: PbRelation) -> WriteResult {
        let all = all_weights(terms);
        let (most, least) = match relation {
            PbRelation::AtMost(most) => (Some(most), None),
            PbRelation::AtLeast(least) => (None, Some(least)),
            PbRelation::Exactly(sum) => (Some(sum), Some(sum)),
        };
        if let Some(most) = most {
            self.sum_lazily(terms.all().iter().map(|&(lit, weight)| single(lit, weight)).collect(), most);
        }
        let Some(least) = least else { return Ok(()) };
        // What is false is at most the rest.
        match all.checked_sub(least.into()).map(u64::try_from) {
            None => self.clause([]),
            Some(Ok(most)) => {
                self.sum_lazily(terms.all().iter().map(|&(lit, weight)| single(!lit, weight)).collect(), most);
                Ok(())
            }
            Some(Err(_)) => unreachable!("all weights fit 64 bits"),
        }
    }

    /// A multiple of a variable as a sum of its literals; of its bits, if it has some and they are wanted.
    pub(crate) fn amounts(&self, var: IntVar, factor: i64, of_bits: bool) -> Amounts {
        self.codes.amounts(self.domains, var, factor, of_bits)
    }

    /// The amounts by which a multiple of a variable is above its least, by literals of which each implies the one
    /// before: *it is at least so much*. `None` where the variable has no such literals.
    pub(crate) fn chain(&self, var: IntVar, factor: i64) -> Option<Vec<(Lit, u64)>> {
        let mut steps = self.steps(var, factor > 0)?;
        steps.iter_mut().for_each(|(_, amount)| *amount = amount.saturating_mul(factor.unsigned_abs()));
        Some(steps)
    }

    /// As [`chain`](Self::chain), with the same literals for all multiples.
    pub(crate) fn shared_chain(&mut self, var: IntVar, factor: i64) -> Option<Chain> {
        let steps = match self.output.steps.get(&(var.index, factor > 0)) {
            Some(steps) => Arc::clone(steps),
            None => {
                let steps: Arc<[_]> = self.steps(var, factor > 0)?.into();
                self.output.steps.insert((var.index, factor > 0), Arc::clone(&steps));
                steps
            }
        };
        Some((steps, factor.unsigned_abs()))
    }

    /// The amounts by which a variable is above its least, or below its greatest.
    fn steps(&self, var: IntVar, is_up: bool) -> Option<Vec<(Lit, u64)>> {
        let (code, domain) = (self.codes.of(var.index as usize), self.domains.of(var));
        let values = domain.len() as usize;
        if values > 1 && code.order.is_none() && code.two.is_none() {
            return None;
        }
        let (min, max) = domain.bounds();
        let mut before = min;
        let steps = domain.iter().enumerate().skip(1).map(|(rank, value)| {
            let before = std::mem::replace(&mut before, value);
            let truth = code.at_least(rank, values);
            if is_up { (truth, value.abs_diff(min)) } else { (!truth, before.abs_diff(max)) }
        });
        let mut chain: Vec<(Lit, u64)> = steps
            .filter_map(|(truth, weight)| if let Truth::If(lit) = truth { Some((lit, weight)) } else { None })
            .collect();
        if !is_up {
            chain.reverse();
        }
        Some(chain)
    }

    /// The greatest amounts of [chains](Self::chain) are at most so much together, under the condition; false if that
    /// takes more than `budget` steps, and nothing was written then.
    pub(crate) fn chains_at_most(
        &mut self,
        mut chains: Vec<Vec<(Lit, u64)>>,
        most: u64,
        budget: usize,
    ) -> Result<bool, CapacityError> {
        let Some(diagram) = Diagram::of_chains(&mut chains, most, budget) else { return Ok(false) };
        self.output.way("decision diagrams of *at least*");
        let mut sink = self.output.formula.when(self.context.condition);
        sink.reserve(&diagram.size())?;
        sink.write_by(&mut |to| diagram.write(to))?;
        Ok(true)
    }

    /// Writes in another context.
    pub(crate) fn within(
        &mut self,
        context: EncodingContext<'_>,
        write: impl FnOnce(&mut Encoder<'_>) -> WriteResult,
    ) -> WriteResult {
        write(&mut Encoder { domains: self.domains, codes: self.codes, context, output: &mut *self.output })
    }

    /// Writes under the further condition `lit`.
    pub(crate) fn under(&mut self, lit: Lit, write: impl FnOnce(&mut Encoder<'_>) -> WriteResult) -> WriteResult {
        if self.context.condition.is_empty() {
            return self.implied_by(lit, write);
        }
        let condition = [self.context.condition, &[lit]].concat();
        self.within(EncodingContext { condition: &condition, ..self.context }, write)
    }

    /// Writes what an auxiliary implies, without the condition.
    pub(crate) fn implied_by(&mut self, lit: Lit, write: impl FnOnce(&mut Encoder<'_>) -> WriteResult) -> WriteResult {
        self.within(EncodingContext { condition: &[lit], ..self.context }, write)
    }

    /// Says what an auxiliary means: one of these is true, without the condition.
    pub(crate) fn define(&mut self, clause: impl IntoIterator<Item = Truth>) -> WriteResult {
        self.output.clause(&[], clause)
    }

    /// Writes under the further condition `truth`.
    pub(crate) fn given(&mut self, truth: Truth, write: impl FnOnce(&mut Encoder<'_>) -> WriteResult) -> WriteResult {
        match truth {
            Truth::Known(true) => write(self),
            Truth::Known(false) => Ok(()),
            Truth::If(lit) => self.under(lit, write),
        }
    }

    pub(crate) fn new_lit(&mut self) -> Lit {
        self.output.formula.new_lit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::writer::Needs;
    use rustsat::lit;

    #[test]
    fn conditions_end_with_what_is_written_under_them() {
        let (domains, codes) = (Domains::default(), VariableCodes::default());
        let context = EncodingContext::of(0, Choice::default(), &Needs::new(0), true);
        let mut output = EncodingOutput::default();
        let mut encoder = Encoder::new(&domains, &codes, context, &mut output);
        let [one, two, three] = [0, 1, 2].map(|_| encoder.new_lit());
        let write = |encoder: &mut Encoder<'_>| -> WriteResult {
            encoder.clause([Truth::If(three)])?;
            let nothing = |encoder: &mut Encoder<'_>| encoder.clause([]);
            assert!(encoder.given(Truth::Known(false), nothing).is_ok());
            encoder.given(Truth::If(two), nothing)?;
            encoder.implied_by(three, nothing)?;
            encoder.define([Truth::If(two)])?;
            encoder.clause([Truth::If(one)]) // one implies itself
        };
        encoder.under(one, write).expect("small");
        encoder.clause([Truth::If(two)]).expect("small");
        let written: Vec<Vec<Lit>> = output.formula.encode().expect("small").iter().map(<[Lit]>::to_vec).collect();
        assert_eq!(written, [vec![!one, three], vec![!one, !two], vec![!three], vec![two], vec![two]]);
        assert_eq!(one, lit![0]);
    }
}
