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
use crate::gcd::gcd_narrow;
use crate::relation::{PbRelation, Relation};

/// Weights up to this number take no memory while they are looked at.
const FEW: usize = 32;

/// Reduces a sum, whose terms are taken or changed, unless it is for other rules to reduce, or too large: then they are
/// left. The weights are from 1 on, of distinct variables.
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
        total = total.checked_add(weight)?;
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
    ascending.sort_unstable();
    let (heaviest, spare) = (*ascending.last()?, total - need);
    let (mut cut, mut divisor) = (u64::MAX, 1);
    if need == 0 || is_exact && heaviest > need.min(spare) {
        return None;
    }
    if !is_exact {
        // Without a weight above what may be missing there is not enough.
        let (open, decided) = ascending.split_at_mut(ascending.partition_point(|&weight| weight <= spare));
        ascending = open;
        let taken: u64 = decided.iter().sum();
        (need, total) = (need.saturating_sub(taken), total - taken);
        if heaviest > need {
            cut = need;
            ascending.iter_mut().for_each(|weight| *weight = need.min(*weight));
            total = ascending.iter().sum();
        }
    }
    let mut is_undivided = divides_nothing(ascending, total, need);
    if !is_exact && !is_undivided {
        divisor = common_divisor(ascending.iter().rev()).max(1);
        if divisor > 1 {
            ascending.iter_mut().for_each(|weight| *weight /= divisor);
            (need, total) = (need.div_ceil(divisor), total / divisor);
            is_undivided = divides_nothing(ascending, total, need);
        }
    }
    let wide = || ascending.iter().map(|&weight| u128::from(weight));
    let mut count = None;
    if need > 0 {
        if !is_undivided {
            return None;
        }
        count = count_for(wide(), need.into());
        if is_exact && count.is_some() && count_for(wide(), u128::from(need) + 1).is_some() {
            return None;
        }
        if (is_exact || count.is_none()) && greedily_left(wide(), need.into()) > 0 {
            let reached = next_sum(ascending, total, need)?;
            if is_exact && reached != need {
                return None;
            }
            need = reached;
        }
    }
    let is_open = |&(_, weight): &(Lit, u64)| is_exact || weight <= spare;
    let decided = terms.iter().filter(|&term| !is_open(term));
    let units = decided.map(|&(lit, _)| if is_most { !lit } else { lit }).collect();
    let rest = if need == 0 {
        Rest::Nothing
    } else if let (Some(count), false) = (count, is_exact) {
        let lits: Vec<Lit> = terms.iter().filter(|&term| is_open(term)).map(|&(lit, _)| lit).collect();
        let relation = if is_most { Relation::AtMost(lits.len() - count) } else { Relation::AtLeast(count) };
        Rest::Literals(lits.into(), relation)
    } else {
        let mut terms = std::mem::take(terms);
        if ascending.len() < terms.len() || cut < u64::MAX || divisor > 1 {
            terms.retain(is_open);
            terms.iter_mut().for_each(|(_, weight)| *weight = cut.min(*weight) / divisor);
        }
        let relation = match relation {
            WideRelation::AtLeast(_) => PbRelation::AtLeast(need),
            WideRelation::AtMost(_) => PbRelation::AtMost(total - need),
            WideRelation::Exactly(_) => PbRelation::Exactly(need),
        };
        Rest::Weights { terms, ends: Vec::new(), relation }
    };
    Some(Folded { rest, ..Folded::units(units) })
}

/// The greatest common divisor of weights; 0 where there are none.
fn common_divisor<'a>(weights: impl Iterator<Item = &'a u64>) -> u64 {
    let step = |divisor: u64, &weight: &u64| {
        let divisor = gcd_narrow(divisor, weight);
        if divisor == 1 { Err(1) } else { Ok(divisor) }
    };
    weights.into_iter().try_fold(0, step).unwrap_or_else(|one| one)
}

/// No weights have a common divisor, whichever of them is left out, and the steps between sums of the heaviest are
/// filled by the others.
fn divides_nothing(ascending: &[u64], total: u64, need: u64) -> bool {
    let (mut divisor, mut rest) = (0, total);
    for (at, &weight) in ascending.iter().enumerate().rev() {
        divisor = gcd_narrow(divisor, weight);
        rest -= weight;
        if divisor == 1 {
            // A lighter one may be left out: these have no common divisor.
            let others = |out: usize| ascending[out + 1..].iter().rev().chain(ascending[..out].iter().rev());
            return (at..ascending.len()).all(|out| common_divisor(others(out)) == 1);
        }
        if rest > 0 && rest < need && (need - rest).div_ceil(divisor) == need.div_ceil(divisor) {
            return false;
        }
    }
    false
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
