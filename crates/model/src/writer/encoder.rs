//! [`Encoder`]: writes rules into a formula, under a condition.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use rustsat::types::{Lit, Var};

use super::Truth;
use super::code::{Amounts, Bits, Code, Codes};
use super::cuts::Cuts;
use super::needs::{Kinds, Needs};
use super::trace::{Trace, Writer};
use crate::choice::Choice;
use crate::variables::{Bool, Domain, Domains, IntVar, Test, View};
use cnfkit_core::internals::{Diagram, Prepared, Random, sort};
use cnfkit_core::{CapacityError, ClauseSink, Cnf, Constrain, Formula, PbEncoding, PbRelation, Relation, Size, Terms};

/// The values of a variable, with its literals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Values<'a> {
    var: IntVar,
    code: Code,
    pub(crate) domain: &'a Domain,
    len: usize,
}

/// Writes rules into a formula, under a condition.
#[derive(Debug)]
pub(crate) struct Encoder<'a> {
    pub(crate) formula: &'a mut Formula,
    domains: &'a Domains,
    codes: Codes,
    pub(crate) choice: Choice,
    /// True if the constraint at hand gets bits, because of what it costs.
    pub(crate) is_costly: bool,
    /// By constraint, true if it does.
    costly: Vec<bool>,
    watches_pairs: bool,
    /// The literals that must be true for what is written now to hold.
    condition: Vec<Lit>,
    buffer: Vec<Lit>,
    /// Who writes what, where that is asked for.
    trace: Option<Trace>,
    /// Rules that answer for themselves; `None` where everything has to be written.
    cuts: Option<Vec<Lazily>>,
    /// Sums that are not written; `None` where they have to be.
    sums: Option<Vec<(Vec<Chain>, u64)>>,
    /// The steps of variables in them, upwards or downwards.
    steps: FxHashMap<(u32, bool), Arc<[(Lit, u64)]>>,
    /// How the constraint at hand was written, where that is asked for.
    ways: Option<Vec<&'static str>>,
    /// The function whose numbers are too large to be written.
    pub(crate) too_wide: Option<String>,
}

/// The weight of all terms together.
fn all_weights(terms: &Terms<'_>) -> u128 {
    terms.all().iter().map(|&(_, weight)| u128::from(weight)).sum()
}

/// The most partial sums, terms times their weight in all, of a sum that is written although it need not be.
const MOST_PARTIAL_SUMS: u64 = if cfg!(test) { 30 } else { 10_000 }; // brute force sees both ways
/// The most weights of a bound on a sum of truth values that is written although it need not be: six knapsacks of the
/// same 120 items are filled to 62 of these when they are written, to 31 when they are not.
pub(crate) const MOST_WEIGHED: usize = if cfg!(test) { 3 } else { 256 }; // brute force sees both ways
/// Beyond so many terms, what has to be written is added in binary.
const MOST_TERMS: usize = 1_000;

/// Literals of which each implies the one before, with the amount that it comes to, and a factor of them all.
pub(crate) type Chain = (Arc<[(Lit, u64)]>, u64);

/// A literal with its weight as a chain.
fn single(lit: Lit, weight: u64) -> Chain {
    (Arc::from([(lit, weight)]), 1)
}

/// The literals that there are already, and how others are made.
#[derive(Debug)]
pub(crate) struct Start<'a> {
    /// The variables without literals of their own that are 1 where a truth value is true.
    pub(crate) aliases: &'a [(IntVar, Bool)],
    pub(crate) choice: Choice,
    /// 0: variables get literals in order; otherwise by lot.
    pub(crate) seed: u64,
    /// The literals of the first variables; none at first.
    pub(crate) codes: Codes,
}

/// A rule that is not written, and the literals that must be true for it to hold.
#[derive(Debug)]
pub(crate) struct Lazily {
    pub(crate) condition: Vec<Lit>,
    pub(crate) rule: Box<dyn Cuts>,
}

impl<'a> Encoder<'a> {
    /// Makes the literals that are needed and not there yet, with the clauses that define them. An alias, a variable
    /// that is 1 where a truth value is true, shares its literal.
    pub(crate) fn new(
        formula: &'a mut Formula,
        domains: &'a Domains,
        needs: &Needs,
        start: Start<'_>,
        trace: Option<Trace>,
    ) -> Result<Self, CapacityError> {
        let Start { aliases, choice, seed, codes } = start;
        let known = codes.len();
        if known == 0 {
            let size = needs.size(domains);
            Cnf::new().reserve(&size)?; // refused before literals are made
            formula.reserve(&Size { vars: size.vars, ..Size::ZERO })?;
        }
        let mut encoder = Self {
            formula,
            domains,
            codes,
            choice,
            is_costly: false,
            costly: needs.costly.clone(),
            watches_pairs: needs.watches_pairs,
            condition: Vec::new(),
            buffer: Vec::new(),
            trace,
            cuts: None,
            sums: None,
            steps: FxHashMap::default(),
            ways: None,
            too_wide: None,
        };
        encoder.codes.grow(domains.len());
        let mut order: Vec<usize> = (0..domains.len()).collect();
        let aliased = |index: usize| aliases.binary_search_by_key(&index, |(var, _)| var.index as usize).ok();
        if seed != 0 {
            // Aliases come after what they are aliases of.
            Random::new(seed).shuffle(&mut order);
            sort::by_key(&mut order, |&index| aliased(index).map_or(0, |at| at as u64 + 1));
        }
        for index in order {
            encoder.mark(Writer::Variable(index as u32));
            match aliased(index) {
                Some(at) if index >= known => {
                    let lit = match encoder.known(aliases[at].1) {
                        Truth::If(lit) if domains.all()[index].len() == 2 => Some(lit),
                        _ => None,
                    };
                    encoder.codes.set(index, Code { two: lit, ..Code::default() });
                }
                Some(_) => {}
                None => encoder.code(index, &domains.all()[index], needs)?,
            }
        }
        Ok(encoder)
    }

    fn block(&mut self, count: usize) -> Var {
        let first = self.formula.next_var();
        for _ in 0..count {
            self.formula.new_lit();
        }
        first
    }

    /// Makes those literals of a variable that are needed and not there yet.
    fn code(&mut self, index: usize, domain: &Domain, needs: &Needs) -> Result<(), CapacityError> {
        let values = domain.len() as usize;
        let Kinds { direct, order, binary } = needs.of(index);
        let before = self.codes.of(index);
        let mut code = before;
        if values < 2 || !(direct || order || binary) {
            return Ok(());
        }
        if values == 2 {
            code.two = Some(before.two.unwrap_or_else(|| self.formula.new_lit()));
            self.codes.set(index, code);
            return Ok(());
        }
        if order && before.order.is_none() {
            code.order = Some(self.block(values - 1));
            let mut steps = code.literals(domain);
            if let Some(mut before) = steps.next() {
                for step in steps {
                    self.formula.add_clause(&[!step, before])?;
                    before = step;
                }
            }
            if let Some(first) = before.direct {
                self.order_beside(&mut code, first, values)?;
            }
        }
        if direct && before.direct.is_none() {
            if code.order.is_some() {
                code.direct = Some(self.block(values - 2));
                self.inner_values(code, values)?;
            } else {
                code.direct = Some(self.block(values));
                self.buffer.clear();
                self.buffer.extend(code.literals(domain));
                self.formula.exactly_one(&self.buffer, &self.choice.amo)?;
            }
        }
        if binary && before.bits.is_none() {
            code.bits = Some(self.block(Bits::of(domain).count));
        }
        let is_unary = |code: Code| code.direct.is_some() || code.order.is_some();
        if code.bits.is_some() && is_unary(code) && !(before.bits.is_some() && is_unary(before)) {
            self.channel(code, domain)?;
        }
        self.codes.set(index, code);
        if code.is_binary() {
            if before.bits.is_none() {
                let (min, max) = domain.bounds();
                self.bits_at_most(domain, code, Truth::Known(false), max.abs_diff(min))?;
            }
            let mut before = None;
            for test in needs.spots(index, domain) {
                let is_new = self.codes.spot(index, test).is_none();
                let spot = self.spot(index, domain, test)?;
                if let Test::AtLeast(_) = test
                    && let Some((lower, was_new)) = before.replace((spot, is_new))
                    && (is_new || was_new)
                {
                    self.clause([!spot, lower])?;
                }
            }
        }
        Ok(())
    }

    /// The values between the least and the greatest are those of the order encoding.
    fn inner_values(&mut self, code: Code, values: usize) -> Result<(), CapacityError> {
        for rank in 1..values - 1 {
            let (is, from) = (code.is(rank, values), code.at_least(rank, values));
            let above = code.at_least(rank + 1, values);
            self.clause([!is, from])?;
            self.clause([!is, !above])?;
            self.clause([is, !from, above])?;
        }
        Ok(())
    }

    /// Puts the order encoding beside a direct one that was there alone, from `first` on: the literals of the least and
    /// the greatest value are now those of the order.
    fn order_beside(&mut self, code: &mut Code, first: Var, values: usize) -> Result<(), CapacityError> {
        code.direct = Some(first + 1);
        let (least, greatest) = (first.pos_lit(), (first + (values as u32 - 1)).pos_lit());
        for (own, rank) in [(least, 0), (greatest, values - 1)] {
            let (own, is) = (Truth::If(own), code.is(rank, values));
            self.clause([!own, is])?;
            self.clause([own, !is])?;
        }
        self.inner_values(*code, values)
    }

    /// Each value has its bits.
    fn channel(&mut self, code: Code, domain: &Domain) -> Result<(), CapacityError> {
        let values = domain.len() as usize;
        let (min, _) = domain.bounds();
        for (rank, value) in domain.iter().enumerate() {
            let other = match (code.order, code.direct) {
                // The literal of the value is two of the order.
                (Some(_), None) => [!code.at_least(rank, values), code.at_least(rank + 1, values)],
                _ => [!code.is(rank, values), Truth::Known(false)],
            };
            for (at, bit) in code.bit_literals(domain).enumerate() {
                let bit = if value.abs_diff(min) >> at & 1 == 1 { bit } else { !bit };
                self.clause([other[0], other[1], Truth::If(bit)])?;
            }
        }
        Ok(())
    }

    /// `unless` is true, or the bits are at least this number, which is not 0.
    fn bits_at_least(&mut self, domain: &Domain, code: Code, unless: Truth, least: u64) -> Result<(), CapacityError> {
        let clauses: Vec<Vec<Lit>> = code.more(domain, least - 1).collect();
        clauses.into_iter().try_for_each(|clause| self.clause(clause.into_iter().map(Truth::If).chain([unless])))
    }

    /// `unless` is true, or the bits are at most this number.
    fn bits_at_most(&mut self, domain: &Domain, code: Code, unless: Truth, most: u64) -> Result<(), CapacityError> {
        let clauses: Vec<Vec<Lit>> = code.at_most(domain, most).collect();
        clauses.into_iter().try_for_each(|clause| self.clause(clause.into_iter().map(Truth::If).chain([unless])))
    }

    /// A literal for one test of a variable that has bits only.
    fn spot(&mut self, index: usize, domain: &Domain, test: Test) -> Result<Truth, CapacityError> {
        if let Some(known) = self.codes.spot(index, test) {
            return Ok(Truth::If(known));
        }
        let code = self.codes.of(index);
        let (min, _) = domain.bounds();
        let spot = self.formula.new_lit();
        self.codes.set_spot(index, test, spot);
        let spot = Truth::If(spot);
        match test {
            Test::Is(value) => {
                let number = value.abs_diff(min);
                let same = |(at, bit): (usize, Lit)| Truth::If(if number >> at & 1 == 1 { bit } else { !bit });
                let bits: Vec<Truth> = code.bit_literals(domain).enumerate().map(same).collect();
                bits.iter().try_for_each(|&bit| self.clause([!spot, bit]))?;
                self.clause(bits.into_iter().map(|bit| !bit).chain([spot]))?;
            }
            Test::AtLeast(least) => {
                self.bits_at_least(domain, code, !spot, least.abs_diff(min))?;
                let below = domain.previous(least - 1).unwrap_or(min);
                self.bits_at_most(domain, code, spot, below.abs_diff(min))?;
            }
        }
        Ok(spot)
    }

    pub(crate) fn into_parts(self) -> (Codes, Trace, Vec<Lazily>, Vec<(Vec<Chain>, u64)>) {
        let (cuts, sums) = (self.cuts.unwrap_or_default(), self.sums.unwrap_or_default());
        (self.codes, self.trace.unwrap_or_default(), cuts, sums)
    }

    /// From here on, this constraint is written, of those that were asked for what they need.
    pub(crate) fn choose(&mut self, choice: Choice, at: usize) {
        (self.choice, self.is_costly) = (choice, self.costly.get(at) == Some(&true));
    }

    /// True if comparisons of two need not be written under the condition at hand, and are many.
    pub(crate) fn watches_pairs(&self) -> bool {
        self.watches_pairs && self.allows_sums()
    }

    /// From here on, rules need not be written if they can answer for themselves.
    pub(crate) fn allow_cuts(&mut self) {
        self.cuts = Some(Vec::new());
    }

    /// From here on, sums need not be written.
    pub(crate) fn allow_sums(&mut self) {
        self.sums = Some(Vec::new());
    }

    /// From here on, takes note of the ways in which constraints are written.
    pub(crate) fn note_ways(&mut self) {
        self.ways = Some(Vec::new());
    }

    /// A part of the constraint at hand is written in this way.
    pub(crate) fn way(&mut self, way: &'static str) {
        if let Some(ways) = &mut self.ways
            && !ways.contains(&way)
        {
            ways.push(way);
        }
    }

    /// The ways since this was asked last.
    pub(crate) fn take_ways(&mut self) -> Vec<&'static str> {
        self.ways.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// The number of rules and sums that are not written so far.
    pub(crate) fn n_lazy(&self) -> usize {
        self.cuts.as_ref().map_or(0, Vec::len) + self.sums.as_ref().map_or(0, Vec::len)
    }

    /// True if sums need not be written.
    pub(crate) const fn has_theory(&self) -> bool {
        self.sums.is_some()
    }

    /// True if sums need not be written under the condition at hand.
    pub(crate) fn allows_sums(&self) -> bool {
        self.sums.is_some() && self.condition.len() <= 1
    }

    /// Chains are at most so much together, under the condition: answered for by the solver's theory.
    pub(crate) fn sum_lazily(&mut self, mut chains: Vec<Chain>, mut most: u64) {
        self.way("long sums, or many comparisons, watched while the solver searches");
        debug_assert!(self.allows_sums());
        let comes_to = |(steps, factor): &Chain| steps.last().map_or(0, |&(_, amount)| amount * factor);
        let all: u64 = chains.iter().map(comes_to).sum();
        if all <= most {
            return;
        }
        if let [condition] = self.condition[..] {
            // The condition takes what is too much: without it, there is room for all.
            chains.push(single(condition, all - most));
            most = all;
        }
        self.sums.get_or_insert_default().push((chains, most));
    }

    /// True if a rule may answer for itself.
    pub(crate) const fn allows_cuts(&self) -> bool {
        self.cuts.is_some()
    }

    /// Keeps the part of a rule that is not written, under the condition of the moment.
    pub(crate) fn answer_lazily(&mut self, rule: impl Cuts + 'static) {
        self.way("too many clauses, told one violation at a time");
        let condition = self.condition.clone();
        self.cuts.get_or_insert_default().push(Lazily { condition, rule: Box::new(rule) });
    }

    /// From here on, this one writes.
    pub(crate) fn mark(&mut self, writer: Writer) {
        if let Some(trace) = &mut self.trace {
            trace.mark(self.formula, writer);
        }
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
    pub(crate) fn values(&self, var: IntVar) -> Values<'a> {
        let domain = self.domains.of(var);
        Values { var, code: self.codes.of(var.index as usize), domain, len: domain.len() as usize }
    }

    /// *The variable has the value of this rank.*
    pub(crate) fn rank_is(&self, values: Values<'a>, rank: usize, value: i64) -> Truth {
        if values.code.is_binary() {
            return self.codes.is(self.domains, values.var, value);
        }
        values.code.is(rank, values.len)
    }

    /// *The variable has this value.*
    pub(crate) fn value_is(&self, values: Values<'a>, value: i64) -> Truth {
        if values.domain.contains(value) {
            self.rank_is(values, values.domain.rank(value), value)
        } else {
            Truth::Known(false)
        }
    }

    /// *The variable has this value or a greater one*, which may be beyond any.
    pub(crate) fn value_from(&self, values: Values<'a>, least: i128) -> Truth {
        let Values { var, code, domain, len } = values;
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
    pub(crate) fn clause(&mut self, clause: impl IntoIterator<Item = Truth>) -> Result<(), CapacityError> {
        self.buffer.clear();
        self.buffer.extend(self.condition.iter().map(|&lit| !lit));
        for truth in clause {
            match truth {
                Truth::Known(true) => return Ok(()),
                Truth::Known(false) => {}
                Truth::If(lit) if self.buffer.contains(&!lit) => return Ok(()),
                Truth::If(lit) if self.buffer.contains(&lit) => {}
                Truth::If(lit) => self.buffer.push(lit),
            }
        }
        self.formula.add_clause(&self.buffer)
    }

    /// A bound on the number of true literals, under the condition.
    pub(crate) fn cardinality(
        &mut self,
        all: impl IntoIterator<Item = Truth>,
        relation: Relation,
    ) -> Result<(), CapacityError> {
        let mut known = 0;
        self.buffer.clear();
        for truth in all {
            match truth {
                Truth::Known(value) => known += usize::from(value),
                Truth::If(lit) => self.buffer.push(lit),
            }
        }
        let rest = relation.bound().checked_sub(known);
        let relation = match (relation, rest) {
            (_, Some(rest)) => relation.with_bound(rest),
            (Relation::AtLeast(_), None) => return Ok(()),
            (_, None) => return self.clause([]),
        };
        let Choice { amo, card, .. } = self.choice;
        let sink = &mut self.formula.when(&self.condition);
        match relation {
            Relation::AtMost(1) => sink.at_most_one(&self.buffer, &amo),
            Relation::Exactly(1) => sink.exactly_one(&self.buffer, &amo),
            _ => sink.cardinality(&self.buffer, relation, &card),
        }
    }

    /// These literals weigh at most so much together, under the condition.
    pub(crate) fn weighted_at_most(&mut self, terms: &[(Lit, u64)], most: u64) -> Result<(), CapacityError> {
        self.weights(&Terms::new(terms), PbRelation::AtMost(most))
    }

    /// As [`weighted_at_most`](Self::weighted_at_most), for one of many sums that would take many clauses together.
    pub(crate) fn many_weighted_at_most(&mut self, terms: &[(Lit, u64)], most: u64) -> Result<(), CapacityError> {
        let terms = Terms::new(terms);
        if self.choice.pb == PbEncoding::Auto && self.allows_sums() && all_weights(&terms) <= u128::from(u64::MAX) / 4 {
            return self.weigh_lazily(&terms, PbRelation::AtMost(most));
        }
        self.weights(&terms, PbRelation::AtMost(most))
    }

    /// These literals, of each group of which at most one is true, weigh as much as the relation says, under the
    /// condition.
    pub(crate) fn weights(&mut self, terms: &Terms<'_>, relation: PbRelation) -> Result<(), CapacityError> {
        let mut pb = self.choice.pb;
        if pb == PbEncoding::Auto && !Self::is_short(terms, relation) {
            if self.allows_sums() && all_weights(terms) <= u128::from(u64::MAX) / 4 {
                return self.weigh_lazily(terms, relation);
            }
            if terms.len() > MOST_TERMS {
                self.way("binary adders: more than 1,000 weights have to be written");
                pb = PbEncoding::BinaryAdder;
            }
        }
        self.way("sums of weights");
        self.formula.when(&self.condition).pb_grouped(terms, relation, &pb)
    }

    /// True if a sum is written although it need not be: its partial sums are few, or it is a count of or a bound
    /// on few terms, where what the solver learns of the auxiliaries is worth more than what they cost.
    fn is_short(terms: &Terms<'_>, relation: PbRelation) -> bool {
        let is_count = || terms.all().windows(2).all(|pair| pair[0].1 == pair[1].1);
        if terms.len() <= MOST_WEIGHED && (!matches!(relation, PbRelation::Exactly(_)) || is_count()) {
            return true;
        }
        let all = terms.all().iter().fold(0_u64, |all, &(_, weight)| all.saturating_add(weight));
        (terms.len() as u64).saturating_mul(all) <= MOST_PARTIAL_SUMS
    }

    /// The relation as sums that the solver's theory answers for.
    fn weigh_lazily(&mut self, terms: &Terms<'_>, relation: PbRelation) -> Result<(), CapacityError> {
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

    /// Writes sums although they need not be.
    pub(crate) fn written(
        &mut self,
        write: impl FnOnce(&mut Self) -> Result<(), CapacityError>,
    ) -> Result<(), CapacityError> {
        let sums = self.sums.take();
        let written = write(self);
        self.sums = sums;
        written
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
        let steps = match self.steps.get(&(var.index, factor > 0)) {
            Some(steps) => Arc::clone(steps),
            None => {
                let steps: Arc<[_]> = self.steps(var, factor > 0)?.into();
                self.steps.insert((var.index, factor > 0), Arc::clone(&steps));
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
        self.way("decision diagrams of *at least*");
        let mut sink = self.formula.when(&self.condition);
        sink.reserve(&diagram.size())?;
        sink.write_by(&mut |to| diagram.write(to))?;
        Ok(true)
    }

    /// Writes under the further condition `lit`.
    pub(crate) fn under(
        &mut self,
        lit: Lit,
        write: impl FnOnce(&mut Self) -> Result<(), CapacityError>,
    ) -> Result<(), CapacityError> {
        self.condition.push(lit);
        let written = write(self);
        self.condition.pop();
        written
    }

    /// Writes definitions of auxiliaries, without the condition.
    pub(crate) fn always(
        &mut self,
        write: impl FnOnce(&mut Self) -> Result<(), CapacityError>,
    ) -> Result<(), CapacityError> {
        let condition = std::mem::take(&mut self.condition);
        let written = write(self);
        self.condition = condition;
        written
    }

    /// Writes under the further condition `truth`.
    pub(crate) fn given(
        &mut self,
        truth: Truth,
        write: impl FnOnce(&mut Self) -> Result<(), CapacityError>,
    ) -> Result<(), CapacityError> {
        match truth {
            Truth::Known(true) => write(self),
            Truth::Known(false) => Ok(()),
            Truth::If(lit) => self.under(lit, write),
        }
    }

    pub(crate) fn new_lit(&mut self) -> Lit {
        self.formula.new_lit()
    }
}
