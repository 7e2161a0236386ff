//! Reducing a sum of weights by rules that change nothing that it says.
//!
//! At most one literal of each group is true, so a group is a choice between its literals and *none* of them. Both
//! bounds are of one form: each choice has a *value*, and the values chosen sum up to at least what is *needed*. From
//! below a value is a weight, and none is worth 0. From above a value is what a choice leaves of the heaviest literal
//! of its group, and none leaves all of it. Without groups that is the same as negating all literals. The rules:
//!
//! * A choice without which, or with which, the bound cannot be reached: a literal is true, or false, or one of several
//!   is true, which is a clause. What all choices that are left have in common is taken out.
//! * A value above what is needed counts as much as is needed: of *at least 2*, a weight of 5 is a 2.
//! * A common divisor of all values is divided out; *exactly* with a bound that it does not divide cannot be. A divisor
//!   of all groups but one is divided out too, and what the other has is rounded: 6x + 4y + 4z + 1w ≥ 8 says no more
//!   than 2x + y + z ≥ 2, and *exactly* decides the group.
//! * The groups of low values are left out where those of high values move in steps that they never fill.
//! * If any j literals are enough and no j − 1 are, the weights mean no more than a count: *at least j*.
//! * A sum that no choice has cannot be reached *exactly*, and a bound is moved to the next sum that some choice has,
//!   where few sums are to be looked at.

use rustsat::types::Lit;

use super::folded::{Folded, Rest, WideBound};
use super::sums::ReachableSums;
use super::wide::{WideRelation, WideTerms};
use crate::gcd::gcd;
use crate::relation::{PbRelation, Relation};
use crate::sort;

/// Reduces literals of distinct variables with weights of at least 1.
pub(super) fn reduce<'a>(choices: WideTerms, relation: WideRelation) -> Folded<'a> {
    match relation {
        WideRelation::AtLeast(need) => Reduction::new(choices, GivenBound::Least).at_least(need),
        WideRelation::AtMost(most) => {
            let reduction = Reduction::new(choices, GivenBound::Most);
            match reduction.total().checked_sub(most) {
                None => Folded::units(Vec::new()),
                Some(need) => reduction.at_least(need),
            }
        }
        WideRelation::Exactly(sum) => Reduction::new(choices, GivenBound::Both).exactly(sum),
    }
}

/// The bound of a constraint, as it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GivenBound {
    Least,
    Most,
    Both,
}

/// A group: where its literals end, and the value of none.
#[derive(Clone, Copy, Debug)]
struct ReducedGroup {
    end: usize,
    none: u128,
}

/// The rest of a constraint after reduction. In each group some choice has the value 0.
#[derive(Debug)]
struct Reduction {
    side: GivenBound,
    /// Literals and their values.
    options: Vec<(Lit, u128)>,
    groups: Vec<ReducedGroup>,
    units: Vec<Lit>,
    clauses: Vec<Vec<Lit>>,
}

impl Reduction {
    fn new(choices: WideTerms, side: GivenBound) -> Self {
        let WideTerms { terms: mut options, ends } = choices;
        let count = if ends.is_empty() { options.len() } else { ends.len() };
        let mut groups = Vec::with_capacity(count);
        let mut start = 0;
        for at in 0..count {
            let end = ends.get(at).map_or(at + 1, |&end| end);
            let mut none = 0;
            if side == GivenBound::Most {
                none = options[start..end].iter().map(|&(_, weight)| weight).max().unwrap_or(0);
                options[start..end].iter_mut().for_each(|(_, value)| *value = none - *value);
            }
            groups.push(ReducedGroup { end, none });
            start = end;
        }
        Self { side, options, groups, units: Vec::new(), clauses: Vec::new() }
    }

    /// Each group, with its literals and their values.
    fn each(&self) -> impl ExactSizeIterator<Item = (ReducedGroup, &[(Lit, u128)])> {
        self.groups.iter().enumerate().map(|(at, &group)| {
            let start = at.checked_sub(1).map_or(0, |before| self.groups[before].end);
            (group, &self.options[start..group.end])
        })
    }

    /// Changes each group: `change` may remove literals from its list, and change all values.
    fn change(&mut self, mut change: impl FnMut(usize, &mut Vec<(Lit, u128)>, &mut u128)) {
        let (mut options, mut groups) = (Vec::with_capacity(self.options.len()), Vec::with_capacity(self.groups.len()));
        let mut own = Vec::new();
        for (at, (ReducedGroup { mut none, .. }, literals)) in self.each().enumerate() {
            own.clear();
            own.extend_from_slice(literals);
            change(at, &mut own, &mut none);
            // A literal that is worth as much as none is free.
            own.retain(|&(_, value)| value != none);
            if !own.is_empty() {
                options.extend_from_slice(&own);
                groups.push(ReducedGroup { end: options.len(), none });
            }
        }
        (self.options, self.groups) = (options, groups);
    }

    /// The greatest sum of values.
    fn total(&self) -> u128 {
        self.tops().sum()
    }

    fn at_least<'a>(mut self, mut need: u128) -> Folded<'a> {
        if need == 0 {
            return Folded::units(Vec::new());
        }
        let Some(spare) = self.total().checked_sub(need) else { return Folded::never() };
        need = need.saturating_sub(self.decide(spare, u128::MAX));
        if need == 0 {
            return self.finished(Rest::Nothing);
        }
        loop {
            if self.tops().any(|top| top > need) {
                self.change(|_, literals, none| {
                    literals.iter_mut().for_each(|(_, value)| *value = need.min(*value));
                    *none = need.min(*none);
                });
            }
            let divisor = self.divide();
            need = need.div_ceil(divisor);
            if !self.leave_out_low(&mut need) && !self.round_the_odd_one(&mut need) {
                break;
            }
        }
        let ascending = if self.is_ungrouped() { self.ascending() } else { Vec::new() };
        if self.is_ungrouped()
            && let Some(count) = count_for(ascending.iter().copied(), need)
        {
            let lits: Vec<Lit> = self.options.iter().map(|&(lit, _)| lit).collect();
            let relation = match self.side {
                GivenBound::Most => Relation::AtMost(lits.len() - count),
                _ => Relation::AtLeast(count),
            };
            return self.finished(Rest::Literals(lits.into(), relation));
        }
        if greedily_left(ascending.iter().copied(), need) > 0
            && let Some(reached) = ReachableSums::next_from(self.values(), self.total(), need)
            && reached <= u128::from(u64::MAX).max(need)
        {
            need = reached;
        }
        let bound = match self.side {
            GivenBound::Most => self.total() - need,
            _ => need,
        };
        match (self.side, u64::try_from(bound), u64::try_from(need)) {
            (GivenBound::Most, Ok(bound), _) => self.weights(PbRelation::AtMost(bound)),
            (GivenBound::Most, Err(_), Ok(least)) => self.negated(PbRelation::AtLeast(least)),
            (_, Ok(bound), _) => self.weights(PbRelation::AtLeast(bound)),
            (_, Err(_), _) => {
                let (terms, least) = self.bringing(need);
                Folded { wide: vec![WideBound { terms, least }], ..self.finished(Rest::Nothing) }
            }
        }
    }

    fn exactly<'a>(mut self, mut bound: u128) -> Folded<'a> {
        loop {
            let Some(spare) = self.total().checked_sub(bound) else { return Folded::never() };
            let before = (self.units.len(), self.clauses.len());
            match bound.checked_sub(self.decide(spare, bound)) {
                Some(left) if self.clauses.last().is_none_or(|clause| !clause.is_empty()) => bound = left,
                _ => return Folded::never(),
            }
            if (self.units.len(), self.clauses.len()) != before {
                continue;
            }
            if self.groups.is_empty() {
                return if bound == 0 { self.finished(Rest::Nothing) } else { Folded::never() };
            }
            let divisor = self.divide();
            if !bound.is_multiple_of(divisor) {
                return Folded::never();
            }
            bound /= divisor;
            let taken = self.decide_the_odd_one(bound);
            if (self.units.len(), self.clauses.len()) == before {
                break;
            }
            match bound.checked_sub(taken) {
                Some(left) if self.clauses.last().is_none_or(|clause| !clause.is_empty()) => bound = left,
                _ => return Folded::never(),
            }
        }
        if self.is_ungrouped()
            && let ascending = self.ascending()
            && let count = (|bound: u128| count_for(ascending.iter().copied(), bound))
            && let (Some(least), Some(above)) = (count(bound), count(bound + 1))
            && least + 1 == above
        {
            let lits: Vec<Lit> = self.options.iter().map(|&(lit, _)| lit).collect();
            return self.finished(Rest::Literals(lits.into(), Relation::Exactly(least)));
        }
        if ReachableSums::has(self.values(), self.total(), bound) == Some(false) {
            return Folded::never();
        }
        let rest = self.total() - bound;
        match (u64::try_from(bound), u64::try_from(rest)) {
            (Ok(bound), _) => self.weights(PbRelation::Exactly(bound)),
            (Err(_), Ok(rest)) => self.negated(PbRelation::Exactly(rest)),
            (Err(_), Err(_)) => {
                let (terms, least) = self.bringing(bound);
                let all: u128 = terms.iter().map(|&(_, weight)| weight).sum();
                let others = terms.iter().map(|&(lit, weight)| (!lit, weight)).collect();
                let wide = vec![WideBound { terms, least }, WideBound { terms: others, least: all - least }];
                Folded { wide, ..self.finished(Rest::Nothing) }
            }
        }
    }

    /// Takes out the choices that lack more than `spare` of the best of their group or are above `most`, and what the
    /// others have in common, whose sum is returned. Where no choice is left, there is an empty clause.
    fn decide(&mut self, spare: u128, most: u128) -> u128 {
        let is_impossible = |top: u128, value: u128| top - value > spare || value > most;
        let is_decided = |(group, literals): (ReducedGroup, &[(Lit, u128)])| {
            let top = top(group, literals);
            is_impossible(top, group.none) || literals.iter().any(|&(_, value)| is_impossible(top, value))
        };
        if !self.each().any(is_decided) {
            return 0;
        }
        let mut taken = 0;
        let (mut units, mut clauses) = (std::mem::take(&mut self.units), std::mem::take(&mut self.clauses));
        self.change(|_, literals, none| {
            let best = literals.iter().map(|&(_, value)| value).fold(*none, u128::max);
            let is_possible = |value: u128| best - value <= spare && value <= most;
            taken += keep(literals, none, is_possible, &mut units, &mut clauses);
        });
        (self.units, self.clauses) = (units, clauses);
        taken
    }

    /// Divides all values by their greatest common divisor, which is returned; 1 where there are none.
    fn divide(&mut self) -> u128 {
        let divisor = self.divisors().fold(0, gcd).max(1);
        if divisor > 1 {
            self.options.iter_mut().for_each(|(_, value)| *value /= divisor);
            self.groups.iter_mut().for_each(|group| group.none /= divisor);
        }
        divisor
    }

    /// The greatest common divisor of the values in each group.
    fn divisors(&self) -> impl ExactSizeIterator<Item = u128> {
        self.each()
            .map(|(group, literals)| literals.iter().fold(group.none, |divisor, &(_, value)| gcd(divisor, value)))
    }

    /// The group whose values alone keep all from having a common divisor, and the divisor of the others.
    fn odd_one(&self) -> Option<(usize, u128)> {
        if self.divisors().filter(|&divisor| divisor == 1).nth(1).is_some() {
            return None;
        }
        let divisors: Vec<u128> = self.divisors().collect();
        let mut after = vec![0; divisors.len() + 1];
        for (at, &divisor) in divisors.iter().enumerate().rev() {
            after[at] = gcd(after[at + 1], divisor);
        }
        let mut before = 0;
        for (at, &divisor) in divisors.iter().enumerate() {
            let others = gcd(before, after[at + 1]);
            if others > 1 {
                return Some((at, others));
            }
            before = gcd(before, divisor);
            if before == 1 {
                break; // whichever comes after
            }
        }
        None
    }

    /// Where the values of all groups but one have a common divisor, divides by it and rounds the others.
    fn round_the_odd_one(&mut self, need: &mut u128) -> bool {
        let Some((odd, divisor)) = self.odd_one() else { return false };
        let (all, steps) = (*need, need.div_ceil(divisor));
        // The others have to make up for what a value does not bring, in steps.
        let rounded = |value: u128| steps - (all - value).div_ceil(divisor);
        self.change(|at, literals, none| {
            let change = |value: &mut u128| *value = if at == odd { rounded(*value) } else { *value / divisor };
            literals.iter_mut().for_each(|(_, value)| change(value));
            change(none);
        });
        *need = steps;
        true
    }

    /// Where the values of all groups but one have a common divisor, takes out the choices of that one with which the
    /// sum is not `bound` by division alone, and what the others have in common, which is returned. Where no choice is
    /// left, there is an empty clause.
    fn decide_the_odd_one(&mut self, bound: u128) -> u128 {
        let Some((odd, divisor)) = self.odd_one() else { return 0 };
        let mut taken = 0;
        let (mut units, mut clauses) = (std::mem::take(&mut self.units), std::mem::take(&mut self.clauses));
        self.change(|at, literals, none| {
            if at == odd {
                let is_possible = |value: u128| value <= bound && (bound - value).is_multiple_of(divisor);
                taken = keep(literals, none, is_possible, &mut units, &mut clauses);
            }
        });
        (self.units, self.clauses) = (units, clauses);
        taken
    }

    /// Leaves out groups of low values that never make a difference: the others' sums are multiples of some number, and
    /// there is none from which the low values reach what is needed.
    fn leave_out_low(&mut self, need: &mut u128) -> bool {
        let (divisors, tops): (Vec<u128>, Vec<u128>) = self.divisors().zip(self.tops()).unzip();
        let mut by_value: Vec<usize> = (0..tops.len()).collect();
        sort::by_wide_key(&mut by_value, |&at| !tops[at]);
        let mut rest = self.total();
        let mut divisor = 0;
        for (kept, &at) in by_value.iter().enumerate() {
            rest -= tops[at];
            divisor = gcd(divisor, divisors[at]);
            if divisor == 1 {
                return false; // every step may be made
            }
            let is_filled = rest >= *need || (*need - rest).div_ceil(divisor) < need.div_ceil(divisor);
            if rest > 0 && !is_filled {
                let mut is_low = vec![false; tops.len()];
                by_value[kept + 1..].iter().for_each(|&at| is_low[at] = true);
                self.change(|at, literals, _| {
                    if is_low[at] {
                        literals.clear();
                    }
                });
                return true;
            }
        }
        false
    }

    /// True if each literal is a group.
    fn is_ungrouped(&self) -> bool {
        self.groups.len() == self.options.len()
    }

    /// The greatest value of each group.
    fn tops(&self) -> impl Iterator<Item = u128> {
        self.each().map(|(group, literals)| top(group, literals))
    }

    /// The greatest value of each group, from the least on.
    fn ascending(&self) -> Vec<u128> {
        let mut values: Vec<u128> = self.tops().collect();
        values.sort_unstable();
        values
    }

    /// The values of each group, for sums of them: without the choice that is worth nothing.
    fn values(&self) -> Vec<Vec<u128>> {
        let own = |(group, literals): (ReducedGroup, &[(Lit, u128)])| {
            let all = literals.iter().map(|&(_, value)| value).chain([group.none]);
            let mut own: Vec<u128> = all.filter(|&value| value > 0).collect();
            own.sort_unstable();
            own.dedup();
            own
        };
        self.each().map(own).collect()
    }

    fn finished(self, rest: Rest<'_>) -> Folded<'_> {
        Folded { units: self.units, clauses: self.clauses, rest, wide: Vec::new() }
    }

    /// A bound above 2⁶⁴ on the values chosen, as one on the weights of literals: what each is worth beside none of its
    /// group. Of a group at most one is true, so that these may be added up.
    fn bringing(&self, bound: u128) -> (Vec<(Lit, u128)>, u128) {
        let mut terms = Vec::with_capacity(self.options.len());
        let (mut less, mut more) = (0, 0);
        for (group, literals) in self.each() {
            less += group.none;
            for &(lit, value) in literals {
                match value.checked_sub(group.none) {
                    Some(weight) => terms.push((lit, weight)),
                    None => {
                        more += group.none - value;
                        terms.push((!lit, group.none - value));
                    }
                }
            }
        }
        (terms, bound + more - less)
    }

    /// The bound on the negated literals of a sum without groups whose own bound is above 2⁶⁴.
    fn negated<'a>(self, relation: PbRelation) -> Folded<'a> {
        debug_assert!(self.is_ungrouped(), "{self:?}");
        // No weight is above what is left of the bound, which has 64 bits.
        let weight = |value: u128| u64::try_from(value).unwrap_or(u64::MAX);
        let (terms, _) = self.bringing(0);
        // From above, values are those of negations already.
        let own = |lit: Lit| if self.side == GivenBound::Most { lit } else { !lit };
        let terms = terms.into_iter().map(|(lit, value)| (own(lit), weight(value))).collect();
        self.finished(Rest::Weights { terms, ends: Vec::new(), relation })
    }

    fn weights<'a>(self, relation: PbRelation) -> Folded<'a> {
        let mut terms = Vec::with_capacity(self.options.len());
        for (group, literals) in self.each() {
            let weight = |value: u128| if self.side == GivenBound::Most { group.none - value } else { value };
            // No weight is above a bound of 64 bits.
            terms.extend(literals.iter().map(|&(lit, value)| (lit, u64::try_from(weight(value)).unwrap_or(u64::MAX))));
        }
        let ends = if self.is_ungrouped() { Vec::new() } else { self.groups.iter().map(|group| group.end).collect() };
        self.finished(Rest::Weights { terms, ends, relation })
    }
}

/// The number of values, which are `ascending`, of which any are at least `need` together while no fewer are, if there
/// is one.
pub(super) fn count_for(ascending: impl DoubleEndedIterator<Item = u128> + Clone, need: u128) -> Option<usize> {
    let (mut lightest, mut count) = (0, 0_usize);
    let mut next = ascending.clone();
    while lightest < need {
        lightest += next.next()?;
        count += 1;
    }
    let heaviest_of_fewer: u128 = ascending.rev().take(count.saturating_sub(1)).sum();
    (heaviest_of_fewer < need).then_some(count)
}

/// The rest of what is needed beside the heaviest values that fit, one after the other: they reach most bounds.
pub(super) fn greedily_left(ascending: impl DoubleEndedIterator<Item = u128>, need: u128) -> u128 {
    ascending.rev().fold(need, |left, value| left.checked_sub(value).unwrap_or(left))
}

/// The greatest value in a group.
fn top(group: ReducedGroup, literals: &[(Lit, u128)]) -> u128 {
    literals.iter().map(|&(_, value)| value).fold(group.none, u128::max)
}

/// Keeps the choices of a group that are possible: a literal that is not is false, and where none is not, one of the
/// literals is true. Returns what all that are left have in common, which is taken from their values.
fn keep(
    literals: &mut Vec<(Lit, u128)>,
    none: &mut u128,
    is_possible: impl Fn(u128) -> bool,
    units: &mut Vec<Lit>,
    clauses: &mut Vec<Vec<Lit>>,
) -> u128 {
    literals.retain(|&(lit, value)| {
        let is_left = is_possible(value);
        if !is_left {
            units.push(!lit);
        }
        is_left
    });
    let least = literals.iter().map(|&(_, value)| value).min();
    let common = if is_possible(*none) {
        least.map_or(*none, |least| least.min(*none))
    } else {
        match literals[..] {
            [(lit, _)] => units.push(lit),
            _ => clauses.push(literals.iter().map(|&(lit, _)| lit).collect()),
        }
        // With one of the literals true, none is as good as the least of them: that is free now.
        *none = least.unwrap_or(0);
        *none
    };
    literals.iter_mut().for_each(|(_, value)| *value -= common);
    *none -= common;
    common
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rest after reduction: units, clauses, and weights with their groups or a count.
    fn left(groups: &[&[u64]], relation: WideRelation) -> String {
        let terms = (0..).map(Lit::positive).zip(groups.concat().into_iter().map(u128::from)).collect();
        let ends = groups.iter().scan(0, |end, group| {
            *end += group.len();
            Some(*end)
        });
        let ends = if groups.iter().all(|group| group.len() == 1) { Vec::new() } else { ends.collect() };
        let folded = reduce(WideTerms { terms, ends }, relation);
        let rest = match &folded.rest {
            Rest::Nothing => String::from("nothing"),
            Rest::Never | Rest::Parity(..) => String::from("never"),
            Rest::Literals(lits, relation) => format!("{relation} of {} literals", lits.len()),
            Rest::Weights { terms, ends, relation } => {
                let mut weights: Vec<u64> = terms.iter().map(|&(_, weight)| weight).collect();
                let mut groups: Vec<Vec<u64>> = Vec::new();
                for end in ends.iter().rev().skip(1) {
                    groups.insert(0, weights.split_off(*end));
                }
                groups.insert(0, weights);
                format!(
                    "{relation} of {}",
                    groups.iter().map(|group| format!("{group:?}")).collect::<Vec<_>>().concat()
                )
            }
        };
        let units = folded.units.iter().map(|unit| format!("{unit}, "));
        let clauses = folded.clauses.iter().map(|clause| format!("{clause:?}, "));
        units.chain(clauses).collect::<String>() + &rest
    }

    fn check(weights: &[u64], relation: WideRelation, expected: &str) {
        let groups: Vec<&[u64]> = weights.iter().map(std::slice::from_ref).collect();
        assert_eq!(left(&groups, relation), expected, "{relation:?} of {weights:?}");
    }

    #[test]
    fn common_divisors_are_taken_out() {
        check(&[4, 6, 10], WideRelation::AtMost(13), "at most 2 of [1, 1, 2]");
        check(&[6, 9, 15, 21], WideRelation::AtLeast(28), "at least 10 of [2, 3, 5, 7]");
        check(&[6, 9, 15, 21], WideRelation::Exactly(30), "exactly 10 of [2, 3, 5, 7]");
        check(&[6, 9, 15, 21], WideRelation::Exactly(31), "never");
    }

    /// Wherever that one stands.
    #[test]
    fn common_divisors_of_all_but_one_are_taken_out() {
        check(&[2, 4, 6, 3], WideRelation::AtLeast(7), "at least 4 of [1, 2, 3, 2]");
        check(&[3, 2, 4, 6], WideRelation::AtLeast(7), "at least 4 of [2, 1, 2, 3]");
        check(&[2, 3, 4, 6], WideRelation::AtLeast(7), "at least 4 of [1, 2, 2, 3]");
        check(&[2, 4, 6, 2, 3], WideRelation::Exactly(7), "x4, ~x2, exactly 2 of [1, 2, 1]");
        check(&[2, 4, 6, 3], WideRelation::Exactly(8), "~x3, x2, ~x1, x0, nothing");
    }

    #[test]
    fn low_weights_that_make_no_difference_are_left_out() {
        check(&[10, 10, 1, 1], WideRelation::AtLeast(10), "at least 1 of 2 literals");
        check(&[10, 10, 1, 1], WideRelation::AtMost(9), "~x0, ~x1, nothing");
        check(&[4, 8, 8, 12, 1, 1, 1], WideRelation::AtLeast(12), "at least 3 of [1, 2, 2, 3]");
        check(&[4, 8, 8, 12, 1, 1, 2], WideRelation::AtLeast(12), "at least 12 of [4, 8, 8, 12, 1, 1, 2]");
    }

    #[test]
    fn counts_are_found() {
        check(&[5, 4, 4, 5], WideRelation::AtLeast(8), "at least 2 of 4 literals");
        check(&[5, 4, 4, 5], WideRelation::AtMost(10), "at most 2 of 4 literals");
        check(&[5, 5, 5], WideRelation::Exactly(10), "exactly 2 of 3 literals");
        // Any two are enough for 8, and two of them may be too much.
        check(&[4, 4, 4, 5, 7], WideRelation::Exactly(8), "exactly 8 of [4, 4, 4, 5, 7]");
    }

    /// A bound is a sum that there is, and what is none is never exact.
    #[test]
    fn bounds_move_to_the_next_sum() {
        check(&[5, 5, 9, 9], WideRelation::AtLeast(11), "at least 14 of [5, 5, 9, 9]");
        check(&[5, 5, 9, 9], WideRelation::AtMost(13), "at most 10 of [5, 5, 9, 9]");
        check(&[3, 3, 4, 4], WideRelation::Exactly(5), "never");
    }

    #[test]
    fn groups_are_choices() {
        assert_eq!(left(&[&[3, 5], &[4, 7]], WideRelation::AtMost(8)), "at most 2 of [1, 2][1, 2]");
        // Without the second group the first is not enough, and the other way round.
        assert_eq!(left(&[&[3, 5], &[4, 7]], WideRelation::AtLeast(9)), "[x0, x1], [x2, x3], at least 1 of 2 literals");
        let expected = "[x2, x3], [x4, x5], exactly 2 of [1, 2][1][1]";
        assert_eq!(left(&[&[2, 4], &[6, 8], &[3, 5]], WideRelation::Exactly(13)), expected);
    }
}
