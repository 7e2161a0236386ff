//! Sums without groups by the first rules of [`reduce`](super::reduce), in 64 bits and next to no memory. Most sums
//! need no other rule, and then this takes little more time than sorting their weights.
//!
//! Every rule sees a bound from above as one from below on the negated literals. So each is about weights, ascending,
//! and what is needed of them.

use rustsat::types::Lit;

use super::folded::{Folded, Rest};
use super::reduce::{count_for, greedily_left};
use super::sums::next_sum;
use super::wide::WideRelation;
use crate::gcd::{gcd_narrow, none_is_odd};
use crate::relation::{PbRelation, Relation};

/// Weights up to this number take no memory while they are looked at.
const FEW: usize = 32;

/// Reduces a sum, whose terms are taken or changed, unless it is for other rules to reduce, or too large: then they are
/// left, as they are where a weight is 0. The variables are distinct.
pub(super) fn reduce_narrow(terms: &mut Vec<(Lit, u64)>, relation: WideRelation) -> Option<Folded<'static>> {
    let (mut few, mut many) = ([0; FEW], Vec::new());
    let mut ascending = if terms.len() <= FEW {
        &mut few[..terms.len()]
    } else {
        many.resize(terms.len(), 0);
        &mut many[..]
    };
    let mut total = 0_u64;
    for (place, &(_, weight)) in ascending.iter_mut().zip(&*terms) {
        *place = weight;
        total = total.checked_add(weight).filter(|_| weight > 0)?;
    }
    match relation {
        WideRelation::AtLeast(0) => return Some(Folded::units(Vec::new())),
        WideRelation::AtLeast(least) if least > total.into() => return Some(Folded::never()),
        WideRelation::AtMost(most) if most >= total.into() => return Some(Folded::units(Vec::new())),
        _ => {}
    }
    let bound = |bound: u128| u64::try_from(bound).ok().filter(|&bound| bound <= total);
    let (mut need, is_exact, is_most) = match relation {
        WideRelation::AtLeast(least) => (bound(least)?, false, false),
        WideRelation::AtMost(most) => (total - bound(most)?, false, true),
        WideRelation::Exactly(sum) => (bound(sum)?, true, false),
    };
    sort_numbers(ascending);
    let (heaviest, spare) = (*ascending.last()?, total - need);
    if need == 0 || is_exact && heaviest > need.min(spare) {
        return None;
    }
    let (mut steps, mut decides) = (Vec::new(), false);
    if is_exact {
        let divisor = common_divisor(ascending.iter());
        if !need.is_multiple_of(divisor) {
            return Some(Folded::never());
        }
        if divisor > 1 {
            steps.push(ValueStep { divisor, ..ValueStep::NONE });
            ascending.iter_mut().for_each(|value| *value /= divisor);
            need /= divisor;
        }
        if !none_is_odd(ascending) && !matches!(odd_one(ascending), OddOne::None) {
            return None;
        }
    } else {
        // Without a weight above what may be missing there is not enough.
        let (open, decided) = ascending.split_at_mut(ascending.partition_point(|&weight| weight <= spare));
        need = need.saturating_sub(decided.iter().sum());
        decides = !decided.is_empty();
        ascending = if need > 0 { reduced(open, &mut need, &mut steps)? } else { open };
    }
    total = ascending.iter().sum();
    let wide = || ascending.iter().map(|&weight| u128::from(weight));
    let mut count = None;
    if need > 0 {
        count = count_for(wide(), need.into());
        if is_exact && count.is_some() {
            let above = count_for(wide(), u128::from(need) + 1);
            count = count.filter(|least| above == Some(least + 1));
        }
        if count.is_none() && greedily_left(wide(), need.into()) > 0 {
            let reached = next_sum(ascending, total, need)?;
            if is_exact && reached != need {
                return Some(Folded::never());
            }
            need = reached;
        }
    }
    let is_open = |&(_, weight): &(Lit, u64)| weight <= spare;
    let mut units = Vec::new();
    if decides {
        let decided = terms.iter().filter(|&term| !is_open(term));
        units.extend(decided.map(|&(lit, _)| if is_most { !lit } else { lit }));
    }
    if need == 0 {
        return Some(Folded::units(units));
    }
    let mut terms = std::mem::take(terms);
    if !steps.is_empty() || decides {
        terms.retain(|term| !decides || is_open(term));
        terms.iter_mut().for_each(|(_, weight)| *weight = steps.iter().fold(*weight, |value, step| step.of(value)));
        terms.retain(|&(_, weight)| weight > 0);
    }
    let rest = if let Some(count) = count {
        let lits: Vec<Lit> = terms.iter().map(|&(lit, _)| lit).collect();
        let relation = match relation {
            WideRelation::AtLeast(_) => Relation::AtLeast(count),
            WideRelation::AtMost(_) => Relation::AtMost(lits.len() - count),
            WideRelation::Exactly(_) => Relation::Exactly(count),
        };
        Rest::Literals(lits.into(), relation)
    } else {
        let relation = match relation {
            WideRelation::AtLeast(_) => PbRelation::AtLeast(need),
            WideRelation::AtMost(_) => PbRelation::AtMost(total - need),
            WideRelation::Exactly(_) => PbRelation::Exactly(need),
        };
        Rest::Weights { terms, ends: Vec::new(), relation }
    };
    Some(Folded { rest, ..Folded::units(units) })
}

/// A change of values by rules of [`reduce`](super::reduce), in the order of the fields.
#[derive(Clone, Copy, PartialEq, Eq)]
struct ValueStep {
    /// Values above it count as much as this.
    cut: u64,
    /// All are divided by it.
    divisor: u64,
    /// Values up to it are left out.
    low: u64,
    /// All values but one are divided by the first; that one becomes the second.
    odd: (u64, u64),
}

impl ValueStep {
    const NONE: Self = Self { cut: u64::MAX, divisor: 1, low: 0, odd: (1, 0) };

    /// The value after this step; 0 where it is left out, and stays so.
    const fn of(&self, value: u64) -> u64 {
        let divided = if value > self.cut { self.cut } else { value } / self.divisor;
        match self.odd {
            _ if divided <= self.low => 0,
            (divisor, rounded) if !divided.is_multiple_of(divisor) => rounded,
            (divisor, _) => divided / divisor,
        }
    }
}

/// The values that are left, where at least `need` are needed, when no rule changes anything any more, and how they
/// became so; none where the order of terms decides about it.
fn reduced<'v>(mut ascending: &'v mut [u64], need: &mut u64, steps: &mut Vec<ValueStep>) -> Option<&'v mut [u64]> {
    loop {
        let mut step = ValueStep::NONE;
        if ascending.last().is_some_and(|heaviest| *heaviest > *need) {
            step.cut = *need;
            ascending.iter_mut().rev().take_while(|value| **value > *need).for_each(|value| *value = *need);
        }
        let none_is_odd = none_is_odd(ascending);
        step.divisor = if none_is_odd { 1 } else { common_divisor(ascending.iter()).max(1) };
        if step.divisor > 1 {
            ascending.iter_mut().for_each(|value| *value /= step.divisor);
            *need = need.div_ceil(step.divisor);
        }
        let low = low_values(ascending, *need);
        let odd = if low > 0 || none_is_odd { OddOne::None } else { odd_one(ascending) };
        let odd = match odd {
            OddOne::One(value, divisor) => Some((value, divisor)),
            OddOne::Several => return None,
            OddOne::None => None,
        };
        if low > 0 {
            step.low = ascending[low - 1];
            ascending = &mut ascending[low..];
        } else if let Some((value, divisor)) = odd {
            // The others have to make up for what the value does not bring, in steps.
            let count = need.div_ceil(divisor);
            step.odd = (divisor, count - (*need - value).div_ceil(divisor));
            *need = count;
            let rounding = ValueStep { odd: step.odd, ..ValueStep::NONE };
            ascending.iter_mut().for_each(|value| *value = rounding.of(*value));
            sort_numbers(ascending);
            let zero = ascending.partition_point(|&value| value == 0);
            ascending = &mut ascending[zero..];
        }
        if step != ValueStep::NONE {
            steps.push(step);
        }
        if low == 0 && odd.is_none() {
            return Some(ascending);
        }
    }
}

/// Sorts numbers; where there are few of them, without a branch that depends on what they are.
fn sort_numbers(numbers: &mut [u64]) {
    /// Up to so many that takes less time than the standard library's insertions.
    const FEW: usize = 12;
    if numbers.len() > FEW {
        return numbers.sort_unstable();
    }
    for end in (1..numbers.len()).rev() {
        let mut greatest = numbers[0];
        for at in 0..end {
            let next = numbers[at + 1];
            (numbers[at], greatest) = (greatest.min(next), greatest.max(next));
        }
        numbers[end] = greatest;
    }
}

/// The greatest common divisor of values; 0 where there are none.
fn common_divisor<'a>(values: impl DoubleEndedIterator<Item = &'a u64>) -> u64 {
    let step = |divisor: u64, &value: &u64| {
        let divisor = gcd_narrow(divisor, value);
        if divisor == 1 { Err(1) } else { Ok(divisor) }
    };
    values.rev().try_fold(0, step).unwrap_or_else(|one| one)
}

/// How many of the lowest values never fill a step between sums of the others.
fn low_values(ascending: &[u64], need: u64) -> usize {
    let (mut divisor, mut rest) = (0, ascending.iter().sum::<u64>());
    for (at, &value) in ascending.iter().enumerate().rev() {
        divisor = gcd_narrow(divisor, value);
        rest -= value;
        if divisor == 1 {
            break; // every step may be made
        }
        if rest > 0 && rest < need && (need - rest).div_ceil(divisor) == need.div_ceil(divisor) {
            return at;
        }
    }
    0
}

/// The value without which the others, which have no divisor in common with it, have one.
enum OddOne {
    None,
    /// The value, and that divisor.
    One(u64, u64),
    /// The first of the terms is meant.
    Several,
}

/// The odd one of values that have no common divisor together.
fn odd_one(ascending: &[u64]) -> OddOne {
    let (mut found, mut divisor) = (OddOne::None, 0);
    // Without a lighter value than these the others have no common divisor.
    let is_last = |&value: &u64| {
        divisor = gcd_narrow(divisor, value);
        divisor == 1
    };
    let last = ascending.iter().rposition(is_last).unwrap_or(0);
    for (out, &value) in ascending.iter().enumerate().skip(last) {
        let divisor = common_divisor(ascending[..out].iter().chain(&ascending[out + 1..]));
        if divisor > 1 {
            found = if matches!(found, OddOne::None) { OddOne::One(value, divisor) } else { OddOne::Several };
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::reduce::reduce;
    use super::super::wide::WideTerms;
    use super::*;
    use crate::random::Random;

    /// The rules one after the other come to the same, and most sums need no others than those here.
    #[test]
    fn narrow_sums_are_reduced_as_wide_ones_are() {
        let mut random = Random::new(1);
        let (mut told, mut left, mut units, mut counts, mut changed) = (0, 0, 0, 0, 0);
        for at in 0..200_000 {
            let most = [2, 4, 9, 20, 300, 5_000][at % 6];
            let scale = 1 + u64::from(random.below(8) == 0);
            let n = 1 + random.below(9);
            let terms: Vec<(Lit, u64)> =
                (0..n).map(|var| (Lit::positive(var as u32), scale * (1 + random.below(most) as u64))).collect();
            let total: u64 = terms.iter().map(|&(_, weight)| weight).sum();
            let bound = random.below(total as usize + 2) as u128;
            let kinds = [WideRelation::AtMost(bound), WideRelation::AtLeast(bound), WideRelation::Exactly(bound)];
            let relation = kinds[random.below(3)];
            let mut own = terms.clone();
            let Some(folded) = reduce_narrow(&mut own, relation) else {
                assert_eq!(own, terms);
                left += 1;
                continue;
            };
            let wide = terms.iter().map(|&(lit, weight)| (lit, weight.into())).collect();
            assert_eq!(
                folded,
                reduce(WideTerms { terms: wide, ends: Vec::new() }, relation),
                "{relation:?} of {terms:?}"
            );
            told += 1;
            units += usize::from(!folded.units.is_empty());
            counts += usize::from(matches!(folded.rest, Rest::Literals(..)));
            changed += usize::from(matches!(folded.rest, Rest::Weights { terms: ref rest, .. } if *rest != terms));
        }
        let found = format!("{told} {left} {units} {counts} {changed}");
        assert!(told > left && units > 10_000 && counts > 10_000 && changed > 10_000, "{found}");
    }
}
