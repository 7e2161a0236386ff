//! Sums of multiples of variables against a number: at most, equal, unequal.
//!
//! Written in the way that suits the number of variables:
//!
//! | variables | at most | equal | unequal |
//! |---|---|---|---|
//! | 1 | a literal | a literal | a literal |
//! | 2 | a clause for each value that bounds the other variable more | pairs of values | a clause for each pair |
//! | 3 and more | a decision diagram or a pseudo-Boolean constraint | both sides | fewer or more |
//!
//! Where all variables have order literals, *x is at least v*, a diagram has a layer for each variable, and no choice
//! of its values twice (Abío and Stuckey, *Encoding Linear Constraints into SAT*, CP 2014, pp. 75–91). As a
//! pseudo-Boolean constraint it would be a sum of steps that may be taken in any order. That is the way where the
//! diagram would be large, and where all steps weigh the same: then it is a count.
//!
//! Where domains are large, or sums many and bits cheaper (`cost`), all of them are pseudo-Boolean constraints on bits.
//! Where neither is small, the solver's theory answers for the sum, if it has one: see `MOST_STEPS` and `MOST_COUNTED`.

use super::weighted::WeightedCount;
use super::{Domains, Empty, Encoder, Needs, ViewRule, VisitSum};
use crate::ModelError;
use crate::choice::IntEncoding;
use crate::constraint::{Compare, Constraint, ConstraintForm};
use crate::variables::{Expr, ExprFactor, IntVar, View, few_sums};
use crate::writer::{Chain, EncodingContext, MOST_WEIGHED, Truth, ValueLiterals, WIDE};
use cnfkit_core::{CapacityError, PbEncoding};
use rustsat::types::Lit;

/// The sum of the factors times the variables, compared with a bound.
#[derive(Debug)]
pub(crate) struct Linear {
    /// Distinct variables, no factor 0.
    pub(crate) terms: Vec<(IntVar, i64)>,
    pub(crate) compare: Compare,
    pub(crate) bound: i64,
}

/// Up to so many values a two-sided equation is between values; beyond, it is between bounds.
const DIRECT: u64 = 256;
/// Where a variable of a sum of three and more that has to be written has more values than this, large ones are binary
/// numbers.
const WIDE_SUM: u64 = 1_024;
/// Where sums have to be written, those of more literals than this have binary numbers.
const MOST_LITERALS: u64 = 2_000;
/// Beside binary numbers, variables of so many values are none.
const SMALL: u64 = 16;

/// The clauses of one side of a sum, whatever a diagram would take: beyond that it is added in binary.
const MOST_ESTIMATED: u64 = 100_000;

impl ViewRule for Linear {
    fn text(&self) -> String {
        let terms = self.terms.iter().map(|&(var, factor)| View { var, factor, offset: 0 });
        let mut text = String::new();
        for (at, term) in terms.enumerate() {
            if at == super::SHOWN {
                let more = [" + …, ", &self.terms.len().to_string(), " terms"];
                text.extend(more);
                break;
            }
            let term = term.to_string();
            match term.strip_prefix('-') {
                _ if at == 0 => text += &term,
                Some(rest) => text.extend([" - ", rest]),
                None => text.extend([" + ", &term]),
            }
        }
        let sign = match self.compare {
            Compare::AtMost => "<=",
            Compare::Equal => "=",
            Compare::Unequal => "!=",
        };
        format!("{text} {sign} {}", self.bound)
    }

    fn variables(&self, found: &mut Vec<IntVar>) {
        found.extend(self.terms.iter().map(|&(var, _)| var));
    }

    fn shrink(&self, domains: &mut Domains) -> Result<(), Empty> {
        match self.compare {
            Compare::AtMost => shrink_at_most(&self.terms, i128::from(self.bound), domains),
            Compare::Unequal => self.shrink_unequal(domains),
            Compare::Equal => {
                shrink_at_most(&self.terms, i128::from(self.bound), domains)?;
                let negated: Vec<(IntVar, i64)> = self.terms.iter().map(|&(var, factor)| (var, -factor)).collect();
                shrink_at_most(&negated, -i128::from(self.bound), domains)?;
                if let [one, other] = self.terms[..] {
                    self.shrink_pair(one, other, domains)?;
                    self.shrink_pair(other, one, domains)?;
                }
                self.shrink_longest(domains)
            }
        }
    }

    fn each_sum(&self, domains: &Domains, has_theory: bool, visit: &mut VisitSum<'_>) -> Result<(), ModelError> {
        let is_settled = self.terms.len() < 2 || self.is_wide(domains, IntEncoding::Auto, false, has_theory);
        if is_settled { Ok(()) } else { visit(self, false) }
    }

    fn needs(&self, domains: &Domains, needs: &mut Needs) {
        if self.is_wide(domains, needs.choice, needs.is_costly, needs.has_theory) {
            for &(var, _) in &self.terms {
                if domains.of(var).len() > SMALL || needs.choice == IntEncoding::Binary {
                    needs.binary(View::whole(var));
                } else {
                    needs.either(var);
                }
            }
            return;
        }
        let direct = match self.compare {
            Compare::AtMost => false,
            Compare::Equal => {
                self.terms.len() == 2 && self.terms.iter().all(|&(var, _)| domains.of(var).len() <= DIRECT)
            }
            Compare::Unequal => self.terms.len() <= 2,
        };
        let pair = self.terms.len() <= 2 || two_and_long(&self.terms, domains).is_some();
        for &(var, _) in &self.terms {
            match () {
                () if direct => needs.direct(View::whole(var)),
                () if pair => needs.order(View::whole(var)),
                () => needs.either(var),
            }
        }
    }

    fn encode(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        let bound = i128::from(self.bound);
        let EncodingContext { choice, is_costly, .. } = encoder.context();
        if self.is_wide(encoder.domains(), choice.int, is_costly, encoder.context().has_theory()) {
            encoder.output.way(if is_costly {
                "binary numbers: sums are many, and this one takes several times as many clauses by order"
            } else {
                "binary numbers: domains are large, or the sum is long and has to be written"
            });
            let sum = weighted(encoder, &self.terms, true);
            // Comparisons of two numbers cost little.
            return if self.terms.len() <= 2 || is_costly {
                encoder.within(encoder.context().with_sums_written(), |encoder| sum.post(encoder, self.compare, bound))
            } else {
                sum.post(encoder, self.compare, bound)
            };
        }
        match self.compare {
            Compare::AtMost => at_most(encoder, &self.terms, bound),
            Compare::Unequal => match self.terms[..] {
                [] => encoder.clause([Truth::Known(self.bound != 0)]),
                [one] => {
                    let truth = value_of(one, bound, encoder);
                    encoder.clause([!truth])
                }
                [one, other] => self.unequal(encoder, one, other),
                _ => {
                    // Fewer, or more: a literal says which.
                    let fewer = encoder.new_lit();
                    encoder.under(fewer, |encoder| at_most(encoder, &self.terms, bound - 1))?;
                    encoder.under(!fewer, |encoder| at_least(encoder, &self.terms, bound + 1))
                }
            },
            Compare::Equal => {
                let domains = encoder.domains();
                match self.terms[..] {
                    [one, other] if self.terms.iter().all(|&(var, _)| domains.of(var).len() <= DIRECT) => {
                        self.equal(encoder, one, other)?;
                        self.equal(encoder, other, one)
                    }
                    [_] | [_, _] => {
                        at_most(encoder, &self.terms, bound)?;
                        at_least(encoder, &self.terms, bound)
                    }
                    _ => {
                        if chains(encoder, &self.terms, bound)? || by_cases(encoder, &self.terms, bound)? {
                            return at_least(encoder, &self.terms, bound);
                        }
                        if lazily(encoder, &self.terms, bound) {
                            return at_least(encoder, &self.terms, bound);
                        }
                        weights(encoder, &self.terms, Compare::Equal, bound)
                    }
                }
            }
        }
    }

    fn negated(&self) -> Constraint {
        let mut expr = self.expr();
        let compare = match self.compare {
            Compare::Equal => Compare::Unequal,
            Compare::Unequal => Compare::Equal,
            Compare::AtMost => {
                // More than the bound: the bound and one less the sum is at most 0.
                expr = 1 - expr;
                Compare::AtMost
            }
        };
        Constraint(ConstraintForm::Linear(expr, compare))
    }

    fn rows(&self) -> Vec<(Vec<(IntVar, i64)>, i64)> {
        let negated = || (self.terms.iter().map(|&(var, factor)| (var, -factor)).collect(), -self.bound);
        match self.compare {
            Compare::AtMost => vec![(self.terms.clone(), self.bound)],
            Compare::Equal => vec![(self.terms.clone(), self.bound), negated()],
            Compare::Unequal => Vec::new(),
        }
    }

    fn holds(&self, value: &dyn Fn(IntVar) -> i64) -> bool {
        let sum: i128 = self.terms.iter().map(|&(var, factor)| i128::from(factor) * i128::from(value(var))).sum();
        match self.compare {
            Compare::AtMost => sum <= i128::from(self.bound),
            Compare::Equal => sum == i128::from(self.bound),
            Compare::Unequal => sum != i128::from(self.bound),
        }
    }
}

impl Linear {
    /// True for a comparison of two variables.
    pub(crate) fn is_comparison(&self) -> bool {
        self.terms.len() == 2 && self.compare == Compare::AtMost
    }

    /// The clauses that it takes by order at most, about: as many as a diagram with a node for each partial sum.
    pub(crate) fn most_clauses(&self, domains: &Domains, has_theory: bool) -> u64 {
        let sizes = self.terms.iter().map(|&(var, _)| domains.of(var).len());
        let sides = if self.compare == Compare::AtMost { 1 } else { 2 };
        if self.terms.len() == 2 {
            return sides * sizes.min().unwrap_or(0).min(WIDE);
        }
        let (mut steps, mut partial, mut reach) = (0_u64, 1_u64, 1_u64);
        for (values, &(var, factor)) in sizes.zip(&self.terms) {
            let (min, max) = domains.of(var).bounds();
            steps = steps.saturating_add(partial.saturating_mul(values));
            reach = reach.saturating_add(max.abs_diff(min).saturating_mul(factor.unsigned_abs()));
            partial = partial.saturating_mul(values).min(reach);
        }
        sides * steps.min(if has_theory { MOST_STEPS as u64 } else { MOST_ESTIMATED })
    }

    /// True if variables of large domains are binary numbers.
    fn is_wide(&self, domains: &Domains, choice: IntEncoding, is_costly: bool, has_theory: bool) -> bool {
        let sizes = || self.terms.iter().map(|&(var, _)| domains.of(var).len());
        let most = match (choice, self.terms.len()) {
            (_, 0) | (IntEncoding::Unary, _) => return false,
            (IntEncoding::Binary, _) => return true,
            (IntEncoding::Auto, _) if is_costly => return true,
            (IntEncoding::Auto, 3..) if !has_theory => WIDE_SUM,
            (IntEncoding::Auto, _) => WIDE,
        };
        let is_long = choice == IntEncoding::Auto && self.terms.len() > 2 && !has_theory;
        sizes().any(|values| values > most) || is_long && sizes().fold(0, u64::saturating_add) > MOST_LITERALS
    }

    /// A sum of multiples of views, for numbers that were checked.
    pub(crate) fn of_views(views: &[(View, i64)], compare: Compare, mut bound: i64) -> Self {
        let mut terms: Vec<(IntVar, i64)> = Vec::new();
        for &(view, factor) in views {
            bound -= factor * view.offset;
            let factor = factor * view.factor;
            match terms.iter_mut().find(|(var, _)| var.index == view.var.index) {
                _ if view.is_constant() => {}
                Some((_, sum)) => *sum += factor,
                None => terms.push((view.var, factor)),
            }
        }
        terms.retain(|&(_, factor)| factor != 0);
        Self { terms, compare, bound }
    }

    /// The sum less the bound.
    fn expr(&self) -> Expr {
        let terms = self.terms.iter().map(|&(var, factor)| (ExprFactor::Int(var), factor)).collect();
        Expr { terms, constant: -i128::from(self.bound), overflows: false }
    }

    fn shrink_unequal(&self, domains: &mut Domains) -> Result<(), Empty> {
        let mut open = None;
        let mut rest = i128::from(self.bound);
        for &(var, factor) in &self.terms {
            match domains.of(var).value() {
                Some(value) => rest -= i128::from(factor) * i128::from(value),
                None if open.is_some() => return Ok(()),
                None => open = Some((var, i128::from(factor))),
            }
        }
        match open {
            None => {
                if rest == 0 {
                    return Err(Empty);
                }
            }
            Some((var, factor)) if rest % factor == 0 => {
                if let Ok(value) = i64::try_from(rest / factor) {
                    domains.remove(View::whole(var), value)?;
                }
            }
            Some(_) => {}
        }
        Ok(())
    }

    /// Keeps of the variable that has the most values those that the others leave it, where they have fewer choices.
    fn shrink_longest(&self, domains: &mut Domains) -> Result<(), Empty> {
        let longest = self.terms.iter().max_by_key(|&&(var, _)| domains.of(var).len());
        let Some(&(longest, factor)) = longest else { return Ok(()) };
        let others = self.terms.iter().filter(|(var, _)| var.index != longest.index);
        let others = others.map(|&(var, factor)| (domains.of(var), -i128::from(factor)));
        let choices = others.clone().map(|(domain, _)| domain.len()).fold(1, u64::saturating_mul);
        if choices >= domains.of(longest).len() {
            return Ok(());
        }
        let Some(sums) = few_sums(others, self.bound.into()) else { return Ok(()) };
        let factor = i128::from(factor);
        let values =
            sums.into_iter().filter(|sum| sum % factor == 0).filter_map(|sum| i64::try_from(sum / factor).ok());
        domains.keep_only(View::whole(longest), values)
    }

    /// Keeps the values of the first for which the second has one, too.
    fn shrink_pair(&self, one: (IntVar, i64), other: (IntVar, i64), domains: &mut Domains) -> Result<(), Empty> {
        if domains.of(one.0).len() > DIRECT {
            return Ok(());
        }
        let with = domains.of(other.0).clone();
        domains.retain(View::whole(one.0), |value| {
            partner(one.1, value, other.1, self.bound).is_some_and(|value| with.contains(value))
        })
    }

    /// Each value of the first implies that of the second.
    fn equal(&self, encoder: &mut Encoder<'_>, one: (IntVar, i64), other: (IntVar, i64)) -> Result<(), CapacityError> {
        encoder.output.way("pairs of values");
        let (values, others) = (encoder.values(one.0), encoder.values(other.0));
        for (rank, value) in values.domain.iter().enumerate() {
            let is = encoder.rank_is(values, rank, value);
            let with = partner(one.1, value, other.1, self.bound);
            let truth = with.map_or(Truth::Known(false), |value| encoder.value_is(others, value));
            encoder.clause([!is, truth])?;
        }
        Ok(())
    }

    fn unequal(
        &self,
        encoder: &mut Encoder<'_>,
        one: (IntVar, i64),
        other: (IntVar, i64),
    ) -> Result<(), CapacityError> {
        encoder.output.way("pairs of values");
        let (values, others) = (encoder.values(one.0), encoder.values(other.0));
        for (rank, value) in values.domain.iter().enumerate() {
            if let Some(with) = partner(one.1, value, other.1, self.bound) {
                let (is, too) = (encoder.rank_is(values, rank, value), encoder.value_is(others, with));
                encoder.clause([!is, !too])?;
            }
        }
        Ok(())
    }
}

/// The value y of a variable with `other · y = bound − one · value`.
fn partner(one: i64, value: i64, other: i64, bound: i64) -> Option<i64> {
    let rest = i128::from(bound) - i128::from(one) * i128::from(value);
    match other {
        1 => i64::try_from(rest).ok(),
        -1 => i64::try_from(-rest).ok(),
        _ => {
            let other = i128::from(other);
            if rest % other == 0 { i64::try_from(rest / other).ok() } else { None }
        }
    }
}

/// *The term is this number.*
fn value_of((var, factor): (IntVar, i64), bound: i128, encoder: &Encoder<'_>) -> Truth {
    let factor = i128::from(factor);
    match i64::try_from(bound / factor) {
        Ok(value) if bound % factor == 0 => encoder.is(View::whole(var), value),
        _ => Truth::Known(false),
    }
}

fn shrink_at_most(terms: &[(IntVar, i64)], bound: i128, domains: &mut Domains) -> Result<(), Empty> {
    let least = |domains: &Domains, &(var, factor): &(IntVar, i64)| {
        let (min, max) = domains.of(var).bounds();
        i128::from(factor) * i128::from(if factor > 0 { min } else { max })
    };
    let sum: i128 = terms.iter().map(|term| least(domains, term)).sum();
    if sum > bound {
        return Err(Empty);
    }
    for term in terms {
        let room = bound - (sum - least(domains, term));
        let factor = i128::from(term.1);
        if factor > 0 {
            domains.keep_to(term.0, room.div_euclid(factor))?;
        } else {
            domains.keep_from(term.0, -(room.div_euclid(-factor)))?;
        }
    }
    Ok(())
}

fn at_least(encoder: &mut Encoder<'_>, terms: &[(IntVar, i64)], bound: i128) -> Result<(), CapacityError> {
    let negated: Vec<(IntVar, i64)> = terms.iter().map(|&(var, factor)| (var, -factor)).collect();
    at_most(encoder, &negated, -bound)
}

/// *The term is more than this number.*
fn more<'a>(factor: i64, values: ValueLiterals<'a>, bound: i128, encoder: &Encoder<'a>) -> Truth {
    match i128::from(factor) {
        1 => encoder.value_from(values, bound + 1),
        -1 => !encoder.value_from(values, -bound),
        factor @ 1.. => encoder.value_from(values, bound.div_euclid(factor) + 1),
        // x < bound / factor, rounded up
        factor => !encoder.value_from(values, bound.div_euclid(factor)),
    }
}

fn at_most(encoder: &mut Encoder<'_>, terms: &[(IntVar, i64)], bound: i128) -> Result<(), CapacityError> {
    match *terms {
        [] => encoder.clause([Truth::Known(0 <= bound)]),
        [(var, factor)] => {
            let truth = more(factor, encoder.values(var), bound, encoder);
            encoder.clause([!truth])
        }
        [one, other] => {
            let [values, others] = [one, other].map(|term| encoder.domains().of(term.0).len());
            if encoder.context().watches_pairs() && lazily(encoder, terms, bound) {
                return Ok(());
            }
            let (one, other) = if values <= others { (one, other) } else { (other, one) };
            staircase(encoder, one, other, bound)
        }
        _ => {
            if chains(encoder, terms, bound)? || by_cases(encoder, terms, bound)? || lazily(encoder, terms, bound) {
                return Ok(());
            }
            weights(encoder, terms, Compare::AtMost, bound)
        }
    }
}

/// The terms of one or two variables of two values each, and the two others, the one of fewer values first, where a
/// comparison of these for each choice of the former takes few clauses, and a decision diagram would take many steps.
fn two_and_long(terms: &[(IntVar, i64)], domains: &Domains) -> Option<(Vec<(IntVar, i64)>, [(IntVar, i64); 2])> {
    let values = |term: (IntVar, i64)| domains.of(term.0).len();
    let (two, long): (Vec<_>, Vec<_>) = terms.iter().partition(|&&term| values(term) == 2);
    let [one, other] = long[..] else { return None };
    let (one, other) = if values(one) <= values(other) { (one, other) } else { (other, one) };
    let is_short = (1..=2).contains(&two.len()) && values(one) <= MOST_CASES;
    (is_short && values(one).saturating_mul(values(other)) > MOST_STEPS as u64).then_some((two, [one, other]))
}

/// At most as a comparison of two variables for each choice of values of the others, as in `x + 5 <= y + 1000 * late`;
/// false where that does not suit.
fn by_cases(encoder: &mut Encoder<'_>, terms: &[(IntVar, i64)], bound: i128) -> Result<bool, CapacityError> {
    let Some((two, [one, other])) = two_and_long(terms, encoder.domains()) else { return Ok(false) };
    let has_order = [one, other].iter().all(|&(var, factor)| encoder.shared_chain(var, factor).is_some());
    if !has_order || encoder.context().choice.pb != PbEncoding::Auto {
        return Ok(false);
    }
    for case in 0..1_usize << two.len() {
        let mut rest = bound;
        let mut case_truths: Vec<Truth> = Vec::with_capacity(2);
        for (at, &(var, factor)) in two.iter().enumerate() {
            let (min, max) = encoder.domains().of(var).bounds();
            let (is_high, is_max) = (encoder.at_least(View::whole(var), max), case >> at & 1 == 1);
            rest -= i128::from(factor) * i128::from(if is_max { max } else { min });
            case_truths.push(if is_max { is_high } else { !is_high });
        }
        let compare = |encoder: &mut Encoder<'_>| staircase(encoder, one, other, rest);
        match case_truths[..] {
            [only] => encoder.given(only, compare)?,
            [first, then] => encoder.given(first, |encoder| encoder.given(then, compare))?,
            _ => compare(encoder)?,
        }
    }
    Ok(true)
}

/// For each value of the first variable, the greatest that the second may then have, where it is less than for the
/// value before.
fn staircase(
    encoder: &mut Encoder<'_>,
    one: (IntVar, i64),
    other: (IntVar, i64),
    bound: i128,
) -> Result<(), CapacityError> {
    encoder.output.way("a clause for each value that bounds the other variable more");
    let (values, others) = (encoder.values(one.0), encoder.values(other.0));
    let domain = values.domain;
    let mut before = None;
    let mut step = |encoder: &mut Encoder<'_>, value: i64| {
        let term = i128::from(one.1) * i128::from(value);
        let too_much = more(other.1, others, bound - term, encoder);
        if before.replace(too_much) == Some(too_much) || too_much == Truth::Known(false) {
            return Ok(());
        }
        // The term is at least as much as with this value.
        let reached = if one.1 > 0 {
            encoder.value_from(values, i128::from(value))
        } else {
            !encoder.value_from(values, i128::from(value) + 1)
        };
        encoder.clause([!reached, !too_much])
    };
    if one.1 > 0 {
        domain.iter().try_for_each(|value| step(encoder, value))
    } else {
        let values: Vec<i64> = domain.iter().collect();
        values.into_iter().rev().try_for_each(|value| step(encoder, value))
    }
}

/// Steps for each literal that may be looked at for a diagram.
const STEPS: usize = 128;

/// The most steps of a diagram where the sum need not be written.
const MOST_STEPS: usize = if cfg!(test) { 8 } else { 10_000 }; // brute force sees both ways
/// The most values of a variable that is compared with another for each choice of values of others.
const MOST_CASES: u64 = 2_500;
/// The most literals of a count that is written although it need not be.
const MOST_COUNTED: u64 = if cfg!(test) { 6 } else { 256 };
/// The most literals of a number that may meet others of as many in a count that is written: counts are merged.
const MOST_MERGED: u64 = if cfg!(test) { 1 } else { 16 };

/// True if a count of numbers of so many literals each is written although it need not be.
fn is_short(literals: impl Iterator<Item = u64> + Clone) -> bool {
    let n_long = literals.clone().filter(|&literals| literals > MOST_MERGED).count();
    n_long < 2 && literals.fold(0, u64::saturating_add) <= MOST_COUNTED
}

/// At most as a sum that the solver's theory answers for; false where it has to be written, or where that is small.
fn lazily(encoder: &mut Encoder<'_>, terms: &[(IntVar, i64)], bound: i128) -> bool {
    if !encoder.context().allows_sums() || encoder.context().choice.pb != PbEncoding::Auto {
        return false;
    }
    let mut room = bound;
    let mut chains: Vec<Chain> = Vec::with_capacity(terms.len());
    for &(var, factor) in terms {
        let Some(chain) = encoder.shared_chain(var, factor) else { return false };
        let (min, max) = encoder.domains().of(var).bounds();
        room -= i128::from(factor) * i128::from(if factor > 0 { min } else { max });
        chains.push(chain);
    }
    let Ok(room) = u64::try_from(room) else { return false };
    let literals: usize = chains.iter().map(|(steps, _)| steps.len()).sum();
    let has_equal_steps = || has_equal_steps(chains.iter().map(|(steps, by)| (&steps[..], *by)));
    let is_truths = || literals <= MOST_WEIGHED && chains.iter().all(|(steps, _)| steps.len() == 1);
    if is_truths() || (is_short(chains.iter().map(|(steps, _)| steps.len() as u64)) && has_equal_steps()) {
        return false;
    }
    encoder.sum_lazily(chains, room);
    true
}

/// True if each literal adds as much as any other.
fn has_equal_steps<'c>(chains: impl Iterator<Item = (&'c [(Lit, u64)], u64)>) -> bool {
    let mut steps = chains.flat_map(|(chain, by)| {
        chain.iter().scan(0, move |before, &(_, amount)| Some((amount - std::mem::replace(before, amount)) * by))
    });
    let first = steps.next();
    steps.all(|step| Some(step) == first)
}

/// At most as a decision diagram of order literals; false where that does not suit.
fn chains(encoder: &mut Encoder<'_>, terms: &[(IntVar, i64)], bound: i128) -> Result<bool, CapacityError> {
    if encoder.context().choice.pb != PbEncoding::Auto {
        return Ok(false);
    }
    let mut room = bound;
    let mut chains = Vec::with_capacity(terms.len());
    for &(var, factor) in terms {
        let Some(chain) = encoder.chain(var, factor) else { return Ok(false) };
        let (min, max) = encoder.domains().of(var).bounds();
        room -= i128::from(factor) * i128::from(if factor > 0 { min } else { max });
        chains.push(chain);
    }
    let Ok(room) = u64::try_from(room) else { return Ok(false) };
    if chains.iter().all(|chain| chain.len() < 2) || has_equal_steps(chains.iter().map(|chain| (&chain[..], 1))) {
        return Ok(false);
    }
    let literals: usize = chains.iter().map(Vec::len).sum();
    let steps = STEPS * literals;
    encoder.chains_at_most(chains, room, if encoder.context().allows_sums() { steps.min(MOST_STEPS) } else { steps })
}

/// The excess of the variables over their least values, as weights of literals.
fn weights(
    encoder: &mut Encoder<'_>,
    terms: &[(IntVar, i64)],
    compare: Compare,
    bound: i128,
) -> Result<(), CapacityError> {
    weighted(encoder, terms, false).post(encoder, compare, bound)
}

fn weighted(encoder: &Encoder<'_>, terms: &[(IntVar, i64)], of_bits: bool) -> WeightedCount {
    let mut sum = WeightedCount::default();
    terms.iter().for_each(|&(var, factor)| sum.add(encoder, var, factor, of_bits));
    sum
}
