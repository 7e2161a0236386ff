//! Weights added up digit by digit, in unary, and one answer that is forbidden.
//!
//! Weights are written to some bases: with base 2 everywhere they are binary. The digits of each place are added up to
//! a number, together with what the place below carries, ⌊number/base⌋, and a digit of the *tare*: a constant that
//! makes bound + 1 a multiple of the product of all bases. So the sum is too large if and only if the number of the
//! highest place is at least one certain value, and no lower digit has to be compared.

use std::ops::Range;

use rustsat::types::Lit;

use super::numbers::{NumberPlace, UnaryNumbers};
use crate::constraint::Terms;
use crate::relation::PbRelation;
use crate::writer::{Full, Writer};

/// How *at most* is written.
#[derive(Clone, Debug)]
pub(in crate::pb::digits) struct LadderStyle {
    /// The base of each place but the highest.
    pub(in crate::pb::digits) bases: Vec<u64>,
    /// Each literal is watched: it is false where the others leave no room for it.
    pub(in crate::pb::digits) watched: bool,
    /// Large sums may be split into odd and even.
    pub(in crate::pb::digits) splits: bool,
    /// A higher answer implies the next lower one, if nothing is watched.
    pub(in crate::pb::digits) linked: bool,
}

/// A sum that is at most a bound.
#[derive(Clone, Debug)]
pub(in crate::pb::digits) struct UnaryLadder<'a> {
    terms: Terms<'a>,
    bound: u64,
    style: LadderStyle,
}

/// The greatest weight written in binary: 2 for each place but the highest.
pub(in crate::pb::digits) fn binary(terms: &Terms<'_>) -> Vec<u64> {
    let heaviest = terms.all().iter().map(|&(_, weight)| weight).max().unwrap_or(1);
    vec![2; heaviest.ilog2() as usize]
}

/// Of a relation both halves as *at most*; groups are lost where literals are negated.
pub(in crate::pb::digits) fn halves<P>(
    terms: &Terms<'_>,
    relation: PbRelation,
    mut half: impl FnMut(&Terms<'_>, u64) -> Option<P>,
) -> Option<(Option<P>, Option<P>)> {
    let most = match relation.most() {
        Some(bound) => Some(half(terms, bound)?),
        None => None,
    };
    let least = match relation.least() {
        Some(bound) => {
            let negated: Vec<(Lit, u64)> = terms.all().iter().map(|&(lit, weight)| (!lit, weight)).collect();
            let total: u128 = negated.iter().map(|&(_, weight)| u128::from(weight)).sum();
            // Of groups, all literals together may weigh more than fits.
            Some(half(&Terms::new(&negated), u64::try_from(total - u128::from(bound)).ok()?)?)
        }
        None => None,
    };
    Some((most, least))
}

impl<'a> UnaryLadder<'a> {
    pub(in crate::pb::digits) const fn new(terms: Terms<'a>, bound: u64, style: LadderStyle) -> Self {
        Self { terms, bound, style }
    }

    /// The greatest sum.
    pub(super) fn total(&self) -> u128 {
        self.terms.groups().filter_map(|group| group.iter().map(|&(_, weight)| u128::from(weight)).max()).sum()
    }

    /// True if large sums are split into odd and even.
    pub(super) const fn splits(&self) -> bool {
        self.style.splits
    }

    /// About how many answers there may be, which take memory even if they are never asked for: at each level of a tree
    /// as many as the digits of a place add up to.
    pub(in crate::pb::digits) fn answers(&self) -> u64 {
        let (mut answers, mut value) = (0_u64, 1_u128);
        for place in 0..=self.style.bases.len() {
            let (mut count, mut sum) = (0_u64, 0_u64);
            for digit in self.terms.all().iter().map(|&(_, weight)| self.digit(weight, place, value)) {
                count += u64::from(digit > 0);
                sum = sum.saturating_add(digit);
            }
            let most = sum.min(self.cap(value));
            let without_each = if self.style.watched { most.saturating_mul(count) } else { 0 };
            let levels = u64::from(count.min(most).max(1).ilog2());
            let in_tree = sum.min(most.saturating_mul(count)).saturating_mul(levels);
            answers = answers.saturating_add(in_tree).saturating_add(without_each);
            value *= u128::from(self.style.bases.get(place).copied().unwrap_or(1));
        }
        answers
    }

    /// A number that the auxiliaries and clauses of this ladder are not below, for a look at the weights: the trees of
    /// those places of which all answers are asked for, as the bound and what it leaves are no less than a place comes
    /// to.
    pub(super) fn at_least(&self) -> u64 {
        if self.style.watched || self.terms.is_grouped() {
            return 0;
        }
        let mut numbers = UnaryNumbers::new(self.style.splits, false);
        let (mut cost, mut value, mut carried) = (0_u64, 1_u128, 0);
        let room = self.total().saturating_sub(self.bound.into()).min(self.bound.into());
        for place in 0..=self.style.bases.len() {
            let (mut count, mut is_binary) = (0_u64, true);
            for &(_, weight) in self.terms.all() {
                let digit = self.digit(weight, place, value);
                count += u64::from(digit > 0);
                is_binary &= digit < 2;
            }
            if !is_binary {
                break;
            }
            if u128::from(count) <= room / value {
                cost = cost.saturating_add(numbers.tree_cost(count));
            }
            if u128::from(count + carried) <= room / value {
                cost = cost.saturating_add(numbers.sum_cost(count, carried));
            }
            carried = count.midpoint(carried);
            value *= u128::from(self.style.bases.get(place).copied().unwrap_or(1));
        }
        // A tenth for answers that are no auxiliaries. There is a link for each answer, a fifth of what splits cost.
        let tenths = if self.style.linked && self.style.splits { 11 } else { 9 };
        cost / 10 * tenths
    }

    /// More than so much of a place is never asked for.
    fn cap(&self, value: u128) -> u64 {
        u64::try_from(u128::from(self.bound) / value + 2).unwrap_or(u64::MAX)
    }

    fn digit(&self, weight: u64, place: usize, value: u128) -> u64 {
        let digits = (u128::from(weight) / value) as u64;
        self.style.bases.get(place).map_or(digits, |base| digits % base)
    }

    /// True if a weight has several digits that are not 0.
    fn is_spread(&self, mut weight: u64) -> bool {
        for &base in &self.style.bases {
            if !weight.is_multiple_of(base) {
                return weight >= base;
            }
            weight /= base;
        }
        false
    }
}

/// The digits of one place.
#[derive(Clone, Debug)]
pub(super) struct PlaceDigits {
    /// The value of digit 1.
    pub(super) value: u128,
    pub(super) base: Option<u64>,
    pub(super) cap: u64,
    /// The digit of each group, if it may be more than 0, and the number of that group.
    pub(super) leaves: Vec<(usize, NumberPlace)>,
    /// The sum below each node of the tree of all leaves that was asked for.
    sums: Vec<Option<NumberPlace>>,
}

impl UnaryLadder<'_> {
    /// Sends the clauses. True if some sum was split.
    pub(in crate::pb::digits) fn run(&self, to: &mut Writer<'_>) -> Result<bool, Full> {
        let mut numbers = UnaryNumbers::new(self.style.splits, self.style.watched);
        if self.style.linked {
            numbers.keep_links();
        }
        let mut places = self.places(&mut numbers);
        let spread = |&&(_, weight): &&(Lit, u64)| self.is_spread(weight);
        if !self.style.watched || !self.terms.all().iter().all(|term| spread(&term)) {
            self.forbid(to, &mut numbers, &mut places, None)?;
        }
        if self.style.watched {
            for (at, group) in self.terms.groups().enumerate() {
                for &(lit, weight) in group.iter().filter(spread) {
                    self.forbid(to, &mut numbers, &mut places, Some((at, lit, weight)))?;
                }
            }
        } else {
            numbers.link(to)?;
        }
        Ok(numbers.has_split())
    }

    /// Forbids that the sum is too large; if a literal is watched, that the other groups and its weight are together,
    /// where it is true.
    fn forbid(
        &self,
        to: &mut Writer<'_>,
        numbers: &mut UnaryNumbers,
        places: &mut [PlaceDigits],
        watched: Option<(usize, Lit, u64)>,
    ) -> Result<(), Full> {
        let room = self.bound - watched.map_or(0, |(_, _, weight)| weight);
        let (too_large, tare) = tare(places, room);
        let Some(sum) = sum(numbers, places, tare, watched.map(|(at, ..)| at)) else { return Ok(()) };
        numbers.forbid(to, sum, too_large, watched.map(|(_, lit, _)| lit))
    }

    pub(super) fn places(&self, numbers: &mut UnaryNumbers) -> Vec<PlaceDigits> {
        let mut places = Vec::with_capacity(self.style.bases.len() + 1);
        let mut value = 1_u128;
        for place in 0..=self.style.bases.len() {
            let digits = |group: &[(Lit, u64)]| {
                let digits = group.iter().map(|&(lit, weight)| (lit, self.digit(weight, place, value)));
                numbers.leaf(digits.filter(|&(_, digit)| digit > 0))
            };
            let leaves =
                self.terms.groups().map(digits).enumerate().filter_map(|(at, leaf)| Some((at, leaf?))).collect();
            let base = self.style.bases.get(place).copied();
            places.push(PlaceDigits { value, base, cap: self.cap(value), leaves, sums: Vec::new() });
            value *= u128::from(base.unwrap_or(1));
        }
        places
    }
}

/// The least number of the highest place that is more than `bound`, and the tare.
pub(super) fn tare(places: &[PlaceDigits], bound: u64) -> (u64, u128) {
    let product = places.last().map_or(1, |place| place.value);
    let too_large = (u128::from(bound) + 1).div_ceil(product);
    (too_large as u64, too_large * product - 1 - u128::from(bound))
}

/// The number of the highest place, without one group.
pub(super) fn sum(
    numbers: &mut UnaryNumbers,
    places: &mut [PlaceDigits],
    mut tare: u128,
    without: Option<usize>,
) -> Option<NumberPlace> {
    let mut carry = None;
    for place in places {
        let digits = place.without(numbers, without);
        let Some(base) = place.base else { return numbers.sum(digits, carry, (u64::MAX, place.cap)) };
        let sum = numbers.sum(digits, carry, (base, place.cap));
        let digit = (tare % u128::from(base)) as u64;
        tare /= u128::from(base);
        carry = sum.and_then(|sum| numbers.share(sum, base, digit));
    }
    carry
}

impl PlaceDigits {
    /// The sum of all leaves but that of one group, in a balanced tree. Such sums share what they can: the sum without
    /// a leaf is the sum without the half that the leaf is in, and without the leaf in that half.
    fn without(&mut self, numbers: &mut UnaryNumbers, group: Option<usize>) -> Option<NumberPlace> {
        let all = self.leaves.len();
        let found = group.and_then(|group| self.leaves.binary_search_by_key(&group, |&(at, _)| at).ok());
        let Some(found) = found else { return self.sum_of(numbers, 0..all, 1) };
        let (mut left, mut right, mut node) = (0, all, 1);
        let mut outside = None;
        while right - left > 1 {
            let middle = left.midpoint(right);
            let other = if found < middle {
                let other = self.sum_of(numbers, middle..right, 2 * node + 1);
                (right, node) = (middle, 2 * node);
                other
            } else {
                let other = self.sum_of(numbers, left..middle, 2 * node);
                (left, node) = (middle, 2 * node + 1);
                other
            };
            outside = numbers.sum(outside, other, (1, self.cap));
        }
        outside
    }

    /// The sum of some leaves: those below a `node` of the tree, whose root is 1, and the halves of i are 2i and
    /// 2i + 1.
    fn sum_of(&mut self, numbers: &mut UnaryNumbers, leaves: Range<usize>, node: usize) -> Option<NumberPlace> {
        if leaves.len() < 2 {
            return self.leaves[leaves].first().map(|&(_, leaf)| leaf);
        }
        if let Some(&Some(known)) = self.sums.get(node) {
            return Some(known);
        }
        let middle = leaves.start.midpoint(leaves.end);
        let left = self.sum_of(numbers, leaves.start..middle, 2 * node);
        let right = self.sum_of(numbers, middle..leaves.end, 2 * node + 1);
        let sum = numbers.sum(left, right, (1, self.cap));
        if node >= self.sums.len() {
            self.sums.resize(node + 1, None);
        }
        self.sums[node] = sum;
        sum
    }
}
