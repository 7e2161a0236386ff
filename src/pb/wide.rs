//! Sums beyond 64 bits, in binary: every other encoding counts in 64 bits, and is never asked for these.
//!
//! Each weight is written in binary, and each binary place holds the literals whose weights have that bit. From the
//! lowest place on, three literals of a place become one, their sum, and one of the next place, their carry (a full
//! adder); the last two become one and a carry as well (a half adder). What is left, at most one literal a place, is
//! the sum in binary, and it is compared with the bound: where the bound has a 0 and the sum a 1, some higher place has
//! it the other way round.
//!
//! The size is linear in the bits of all weights. Unit propagation derives the sum once all inputs have values, and
//! little before that.
//!
//! Source: N. Eén, N. Sörensson, *Translating Pseudo-Boolean Constraints into SAT*, Journal on Satisfiability, Boolean
//! Modeling and Computation 2, 2006, pages 1–26.

use std::convert::Infallible;

use rustc_hash::FxHashMap;
use rustsat::types::Lit;

use crate::encode::PbPlan;
use crate::sink::{ClauseSink, Size};

/// As many places as sums have.
const PLACES: usize = 128;

/// A comparison of a sum with bounds from below and from above, ready to be written.
#[derive(Clone, Debug)]
pub(crate) struct WideAdder {
    terms: Vec<(Lit, u128)>,
    least: Option<u128>,
    most: Option<u128>,
}

impl WideAdder {
    /// The variables are distinct, and the sum of all weights is below 2¹²⁸.
    pub(crate) const fn new(terms: Vec<(Lit, u128)>, least: Option<u128>, most: Option<u128>) -> Self {
        Self { terms, least, most }
    }

    /// The number of literals that come to be in each place, carries included.
    fn heights(&self) -> [usize; PLACES] {
        let mut heights = [0; PLACES];
        for &(_, weight) in &self.terms {
            let mut left = weight;
            while left != 0 {
                heights[left.trailing_zeros() as usize] += 1;
                left &= left - 1;
            }
        }
        for place in 1..PLACES {
            heights[place] += heights[place - 1] / 2;
        }
        heights
    }

    /// The first place where the sum has the same literal as in each; none where the sum has a 0. An input that is
    /// alone in several places is all of these.
    fn places(&self, heights: &[usize; PLACES]) -> [Option<usize>; PLACES] {
        let mut first: FxHashMap<Lit, usize> = FxHashMap::default();
        let mut inputs = [None; PLACES];
        for &(lit, weight) in &self.terms {
            (0..PLACES).filter(|place| weight >> place & 1 == 1).for_each(|place| inputs[place] = Some(lit));
        }
        let mut places = [None; PLACES];
        for place in 0..PLACES {
            let is_carried = place > 0 && heights[place - 1] > 1;
            places[place] = match (heights[place], inputs[place]) {
                (0, _) => None,
                (1, Some(lit)) if !is_carried => Some(*first.entry(lit).or_insert(place)),
                _ => Some(place),
            };
        }
        places
    }

    /// Calls `each` with every clause that compares the sum with the bounds: the places in it, negated or not.
    fn compare<E>(
        &self,
        places: &[Option<usize>; PLACES],
        mut each: impl FnMut(&[usize], bool) -> Result<(), E>,
    ) -> Result<(), E> {
        let bounds = self.least.iter().map(|&bound| (bound, false)).chain(self.most.map(|bound| (bound, true)));
        // The places above that may tell, and the place itself.
        let mut clause = Vec::with_capacity(PLACES);
        for (bound, above) in bounds {
            clause.clear();
            let mut is_said = [false; PLACES];
            for (at, &place) in places.iter().enumerate().rev() {
                let is_known = place.is_some_and(|place| clause.contains(&place));
                if (bound >> at & 1 == 1) == above {
                    if above && place.is_none() || place.is_some_and(|place| is_said[place]) {
                        break; // a 0 under a 1, or a 1 over a 0: whatever is below does not matter
                    }
                    clause.extend(place.filter(|_| !is_known));
                    continue;
                }
                match place {
                    // Only a higher place makes up for this one, and then what is below does not matter.
                    None if !above => {
                        each(&clause, above)?;
                        break;
                    }
                    Some(_) if is_known => {
                        each(&clause, above)?;
                        break;
                    }
                    Some(place) if !is_said[place] => {
                        is_said[place] = true;
                        clause.push(place);
                        each(&clause, above)?;
                        clause.pop();
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

impl PbPlan for WideAdder {
    fn size(&self) -> Size {
        let heights = self.heights();
        let adders = heights.iter().filter(|&&height| height > 1).map(|&height| {
            let full = (height as u64 - 1) / 2;
            let half = u64::from(height.is_multiple_of(2));
            let clauses = Size::clauses(8, 4) + Size::clauses(6, 3);
            clauses * full + (Size::clauses(5, 3) + Size::clauses(2, 2)) * half + Size::variables(2 * (full + half))
        });
        let mut size: Size = adders.sum();
        let Ok(()) = self.compare(&self.places(&heights), |clause, _| {
            size += Size::clause(clause.len());
            Ok::<(), Infallible>(())
        });
        size
    }

    fn write<S: ClauseSink + ?Sized>(&self, sink: &mut S) -> Result<(), S::Error> {
        let mut places: Vec<Vec<Lit>> = vec![Vec::new(); PLACES + 1];
        for &(lit, weight) in &self.terms {
            (0..PLACES).filter(|place| weight >> place & 1 == 1).for_each(|place| places[place].push(lit));
        }
        let mut sum = [Lit::positive(0); PLACES];
        for place in 0..PLACES {
            // Taken from the front: a literal waits for those before it, so that the adders are a tree.
            let mut lits = std::mem::take(&mut places[place]);
            let mut next = 0;
            while lits.len() - next > 1 {
                let (s, c) = if let [x, y, z, ..] = lits[next..] {
                    next += 3;
                    full_adder(sink, [x, y, z])?
                } else {
                    next += 2;
                    half_adder(sink, [lits[next - 2], lits[next - 1]])?
                };
                lits.push(s);
                places[place + 1].push(c);
            }
            if let Some(&lit) = lits.get(next) {
                sum[place] = lit;
            }
        }
        let mut lits = Vec::with_capacity(PLACES);
        self.compare(&self.places(&self.heights()), |clause, negated| {
            lits.clear();
            lits.extend(clause.iter().map(|&place| if negated { !sum[place] } else { sum[place] }));
            sink.add_clause(&lits)
        })
    }
}

/// The sum of three literals: its lower and its higher place.
fn full_adder<S: ClauseSink + ?Sized>(sink: &mut S, [x, y, z]: [Lit; 3]) -> Result<(Lit, Lit), S::Error> {
    let (s, c) = (sink.new_lit(), sink.new_lit());
    for (s, x, y, z) in [(s, x, y, z), (!s, !x, y, z), (!s, x, !y, z), (!s, x, y, !z)] {
        sink.define(&[!s, x, y, z])?;
        sink.define(&[s, !x, !y, !z])?;
    }
    for (a, b) in [(x, y), (x, z), (y, z)] {
        sink.define(&[!a, !b, c])?;
        sink.define(&[a, b, !c])?;
    }
    Ok((s, c))
}

/// The sum of two literals: its lower and its higher place.
fn half_adder<S: ClauseSink + ?Sized>(sink: &mut S, [x, y]: [Lit; 2]) -> Result<(Lit, Lit), S::Error> {
    let (s, c) = (sink.new_lit(), sink.new_lit());
    for clause in [[!s, x, y], [!s, !x, !y], [s, !x, y], [s, x, !y], [!x, !y, c]] {
        sink.define(&clause)?;
    }
    sink.define(&[x, !c])?;
    sink.define(&[y, !c])?;
    Ok((s, c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Lanes, Recorder, check_clauses, inputs};

    fn check(weights: &[u128], least: Option<u128>, most: Option<u128>) {
        let n = weights.len();
        let terms = inputs(n).into_iter().zip(weights.iter().copied());
        let terms: Vec<(Lit, u128)> = terms.map(|(lit, w)| (lit.var().lit(lit.vidx() % 2 == 1), w)).collect();
        let plan = WideAdder::new(terms.clone(), least, most);
        let mut recorder = Recorder::new(n);
        plan.write(&mut recorder).unwrap();
        let what = format!("{least:?} to {most:?} of {weights:?}");
        check_clauses(&recorder, &what);
        assert_eq!(recorder.size(n), plan.size(), "{what}");
        let lanes = Lanes::new(recorder.next_var().idx(), recorder.clauses.iter().map(Vec::as_slice));
        lanes.each_assignment(n, |assignment, allowed| {
            let is_true = |lit: Lit| (assignment >> lit.vidx32() & 1 == 1) == lit.is_pos();
            let sum: u128 = terms.iter().filter(|&&(lit, _)| is_true(lit)).map(|&(_, weight)| weight).sum();
            let expected = least.is_none_or(|bound| sum >= bound) && most.is_none_or(|bound| sum <= bound);
            assert_eq!(allowed, expected, "{what}: {assignment:b}");
        });
    }

    #[test]
    fn sums_are_compared_and_as_large_as_planned() {
        for weights in
            [&[1, 1, 1][..], &[1, 2, 3, 3], &[5, 5, 6, 1, 2], &[4, 8, 12], &[7; 6], &[9], &[9, 2, 4], &[21, 10]]
        {
            for bound in 1..weights.iter().sum() {
                check(weights, Some(bound), None);
                check(weights, None, Some(bound));
                check(weights, Some(bound), Some(bound));
            }
        }
    }

    #[test]
    fn sums_beyond_64_bits() {
        let max = u128::from(u64::MAX);
        for weights in [vec![max; 5], vec![max, max, 1, 1, 3, max - 2], vec![1 << 100, 1 << 64, max, 1]] {
            for bound in [1, max - 1, max, max + 1, 2 * max, 2 * max + 1, 3 * max + 2] {
                check(&weights, Some(bound), None);
                check(&weights, None, Some(bound));
                check(&weights, Some(bound), Some(bound));
            }
        }
    }
}
