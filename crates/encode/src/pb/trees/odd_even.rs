//! Merges of two sums without gaps, as sorting networks do them.
//!
//! Outputs *at least 1·g*, *at least 2·g*, … of one sum, and as many of another, are two sorted sequences. Merging them
//! directly takes a clause for every pair of places; odd places apart from even places takes O(n·log n) clauses in all.
//! Of the true places of one sequence as many are odd as even, or one more, so that for the outputs of the whole one
//! clause or two are enough:
//!
//! * place 2i of the whole is true if place i of the even places is, or place i + 1 of the odd ones;
//! * place 2i + 1 is true if both are.
//!
//! Small merges, and those of which few places are needed, are direct.
//!
//! Source: K. E. Batcher, *Sorting networks and their applications*, AFIPS Spring Joint Computer Conference 1968, pages
//! 307–314.

use rustsat::types::Lit;

use super::leaf::define;
use crate::pb::prepared::ClauseTemplate;
use crate::sink::ClauseSink;

/// The variables and clauses of a merge of `p` and `q` places, of which those are needed that `wanted` has: place j at
/// j − 1.
pub(super) fn price(p: usize, q: usize, wanted: &[bool]) -> u64 {
    direct_price(p, q, wanted).min(halved_price(p, q, wanted))
}

/// The pairs of places that make place `j` true.
fn pairs(p: usize, q: usize, j: usize) -> std::ops::RangeInclusive<usize> {
    j.saturating_sub(q)..=j.min(p)
}

pub(super) fn direct_price(p: usize, q: usize, wanted: &[bool]) -> u64 {
    if p == 0 || q == 0 {
        return 0;
    }
    (1..).zip(wanted).filter(|&(_, &wanted)| wanted).map(|(j, _)| 1 + pairs(p, q, j).count() as u64).sum()
}

fn halved_price(p: usize, q: usize, wanted: &[bool]) -> u64 {
    if p * q < 4 {
        return u64::MAX;
    }
    let [odd, even] = halves(p, q, wanted);
    let last = |j: &usize| match j {
        1 => 0,
        j if j % 2 == 1 => 2,
        j if j / 2 < odd.len() && j / 2 <= even.len() => 3,
        _ => 0,
    };
    let combined: u64 = (1..).zip(wanted).filter(|&(_, &wanted)| wanted).map(|(j, _)| last(&j)).sum();
    combined + price(p.div_ceil(2), q.div_ceil(2), &odd) + price(p / 2, q / 2, &even)
}

/// The places needed of the merges of odd and of even places.
fn halves(p: usize, q: usize, wanted: &[bool]) -> [Vec<bool>; 2] {
    let mut odd = vec![false; p.div_ceil(2) + q.div_ceil(2)];
    let mut even = vec![false; p / 2 + q / 2];
    for (j, _) in (1..).zip(wanted).filter(|&(_, &wanted)| wanted) {
        let i: usize = j / 2;
        if let Some(odd) = odd.get_mut(i) {
            *odd = true;
        }
        if let Some(even) = i.checked_sub(1).and_then(|at| even.get_mut(at)) {
            *even = true;
        }
    }
    [odd, even]
}

/// Writes a merge: a literal for each place, where it is wanted.
pub(super) fn merge(template: &mut ClauseTemplate, a: &[Lit], b: &[Lit], wanted: &[bool]) -> Vec<Option<Lit>> {
    let (p, q) = (a.len(), b.len());
    if p == 0 || q == 0 {
        return a.iter().chain(b).copied().map(Some).collect();
    }
    if direct_price(p, q, wanted) <= halved_price(p, q, wanted) {
        return direct(template, a, b, wanted);
    }
    let every_other = |from: &[Lit], skip| from.iter().skip(skip).step_by(2).copied().collect::<Vec<Lit>>();
    let [odd, even] = halves(p, q, wanted);
    let odd = merge(template, &every_other(a, 0), &every_other(b, 0), &odd);
    let even = merge(template, &every_other(a, 1), &every_other(b, 1), &even);
    let output = |(j, &wanted): (usize, &bool)| {
        let odd = odd.get(j / 2).copied().flatten();
        let even = (j / 2).checked_sub(1).and_then(|at| even.get(at).copied().flatten());
        match (odd, even) {
            _ if !wanted => None,
            (Some(odd), Some(even)) => {
                let head = template.new_lit();
                if j % 2 == 1 {
                    define(template, &[!odd, !even, head]);
                } else {
                    define(template, &[!even, head]);
                    define(template, &[!odd, head]);
                }
                Some(head)
            }
            (one, other) => one.or(other),
        }
    };
    (1..).zip(wanted).map(output).collect()
}

fn direct(template: &mut ClauseTemplate, a: &[Lit], b: &[Lit], wanted: &[bool]) -> Vec<Option<Lit>> {
    let mut output = |(j, &wanted): (usize, &bool)| {
        let head = wanted.then(|| template.new_lit())?;
        for i in pairs(a.len(), b.len(), j) {
            let (one, other) = (i.checked_sub(1).map(|at| !a[at]), (j - i).checked_sub(1).map(|at| !b[at]));
            let mut clause = [head; 3];
            let mut len = 0;
            for lit in [one, other, Some(head)].into_iter().flatten() {
                clause[len] = lit;
                len += 1;
            }
            define(template, &clause[..len]);
        }
        Some(head)
    };
    (1..).zip(wanted).map(&mut output).collect()
}

/// The places that stand for the numbers of `wanted` when two sums have the numbers `a` and `b`, both ascending from 0;
/// none where these have gaps, or are so few that a direct merge is small.
pub(super) fn places(a: &[u64], b: &[u64], wanted: impl Iterator<Item = u64>) -> Option<Vec<bool>> {
    /// Pairs: fewer are merged directly at no more than a few clauses too many.
    const FEW: usize = 16;
    if a.len() * b.len() < FEW {
        return None;
    }
    let step = step(a, b)?;
    let mut places = vec![false; a.len() + b.len() - 2];
    for number in wanted {
        *places.get_mut(number.div_ceil(step) as usize - 1)? = true;
    }
    Some(places)
}

/// The step of two ascending lists from 0 without gaps, whose last number may be less; none where they have gaps.
pub(super) fn step(a: &[u64], b: &[u64]) -> Option<u64> {
    let step = *a.get(1)?;
    let even = |numbers: &[u64]| {
        let mut multiples = (0..).map(|place: u64| place.saturating_mul(step));
        let (last, others) = numbers.split_last()?;
        let fits = others.iter().eq(multiples.by_ref().take(others.len()).collect::<Vec<_>>().iter());
        (fits && multiples.next().is_some_and(|multiple| *last <= multiple && multiple - last < step)).then_some(())
    };
    even(a).and_then(|()| even(b)).map(|()| step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::Prepared;
    use crate::testing::{Engine, Recorder, inputs};

    /// Of two sorted sequences every place is true as soon as so many are, and only wanted places have literals; the
    /// price is what comes.
    #[test]
    fn merges_count() {
        // Small merges are direct; these are not.
        let large = [(12, 16), (13, 17), (24, 24), (31, 15), (9, 40)];
        let mut halved = 0;
        for (p, q) in (1..=9).flat_map(|p| (1..=9).map(move |q| (p, q))).chain(large) {
            for keep in 1..=3 {
                let wanted: Vec<bool> = (1..=p + q).map(|j| j % keep == 0).collect();
                let lits = inputs(p + q);
                let mut template = ClauseTemplate::new(lits.iter().copied());
                let places = merge(&mut template, &lits[..p], &lits[p..], &wanted);
                assert!(template.size().cost() <= price(p, q, &wanted), "{p} {q}");
                halved += usize::from(halved_price(p, q, &wanted) < direct_price(p, q, &wanted));
                let mut recorder = Recorder::new(p + q);
                let Ok(()) = recorder.write_by(&mut |to| template.write(to));
                let mut engine = Engine::new(&recorder);
                for (i, k) in (0..=p).flat_map(|i| (0..=q).map(move |k| (i, k))) {
                    let mark = engine.mark();
                    assert!(lits[..i].iter().chain(&lits[p..p + k]).all(|&lit| engine.assume(lit)));
                    for (j, place) in (1..).zip(&places).filter(|(j, _)| j % keep == 0) {
                        let value = engine.value(place.unwrap());
                        assert_eq!(value, (j <= i + k).then_some(true), "place {j} of {p} + {q}, {i} and {k} true");
                    }
                    engine.undo(mark);
                }
            }
        }
        assert!(halved >= large.len(), "{halved}");
        let all = [true; 80];
        assert!(price(40, 40, &all) * 3 < 2 * direct_price(40, 40, &all));
    }

    #[test]
    fn steps_without_gaps() {
        assert_eq!(step(&[0, 3, 6, 9], &[0, 3]), Some(3));
        assert_eq!(step(&[0, 3, 6, 7], &[0, 3]), Some(3));
        assert_eq!(step(&[0, 3, 7], &[0, 3]), None);
        assert_eq!(step(&[0, 3], &[0, 2, 3]), None);
        assert_eq!(step(&[0], &[0, 2, 3]), None);
    }
}
