//! Constraints as the relaxation has them, and what tightens them.
//!
//! A *cover* is a set of literals that are too much together, of which one is false; each of the others counts as much
//! in that sum as it may. Which literals are looked at first depends on the values that the sum is to cut off (Z. Gu,
//! G. L. Nemhauser, M. W. P. Savelsbergh, *Lifted Cover Inequalities for 0-1 Integer Programs: Computation*, INFORMS
//! Journal on Computing 10, 1998, pages 427–437).

use rustsat::types::Lit;

use cnfkit_core::internals::sort;
use cnfkit_core::{Formula, Sum};

/// Values so close to 0 or 1 are that.
pub(super) const CLOSE: f64 = 1e-5;
/// The literals of all constraints together, beyond which nothing is relaxed.
const LITERALS: usize = 300_000;
/// A cover is violated by at least so much, for the length of its weights.
const VIOLATED: f64 = 0.005;
/// Literals of a cover, and the sum of the weights of a sum that is made of it.
const COVER: usize = 200;
const LIFTED: usize = 1_000;

/// A sum of positive weights that is at least `least`, or just that.
pub(super) struct RelaxationRow {
    pub(super) terms: Vec<(Lit, i128)>,
    pub(super) least: i128,
    pub(super) is_equal: bool,
}

impl RelaxationRow {
    pub(super) fn total(&self) -> i128 {
        self.terms.iter().map(|&(_, weight)| weight).sum()
    }

    #[cfg(test)]
    pub(super) fn holds(&self, is_true: impl Fn(Lit) -> bool) -> bool {
        let sum: i128 = self.terms.iter().filter(|term| is_true(term.0)).map(|term| term.1).sum();
        if self.is_equal { sum == self.least } else { sum >= self.least }
    }

    /// At most `most` of the sum.
    fn at_most(terms: &[(Lit, i128)], most: i128) -> Self {
        let mut row = Self { terms: terms.to_vec(), least: 0, is_equal: false };
        row.terms.iter_mut().for_each(|(lit, _)| *lit = !*lit);
        row.least = row.total() - most;
        row
    }

    /// The sum that comes from a cover, if these values violate it: those of the literals' negations. Without `at_one`,
    /// literals whose negations have the value 1 are as all others; with it, they are taken for granted at first.
    pub(super) fn cover(&self, value: impl Fn(Lit) -> f64, at_one: bool) -> Option<Self> {
        let mut terms: Vec<(Lit, i128, f64)> =
            self.terms.iter().map(|&(lit, weight)| (!lit, weight, 1.0 - value(lit).clamp(0.0, 1.0))).collect();
        let mut room = self.total() - self.least;
        let granted = |&(_, _, value): &(Lit, i128, f64)| at_one && value > 1.0 - CLOSE;
        if at_one {
            sort::by(&mut terms, |a, b| b.2.total_cmp(&a.2));
        } else {
            sort::by(&mut terms, |a, b| ((1.0 - a.2) / a.1 as f64).total_cmp(&((1.0 - b.2) / b.1 as f64)));
        }
        let granted = terms.iter().take_while(|term| granted(term)).count();
        room -= terms[..granted].iter().map(|term| term.1).sum::<i128>();
        let mut rest = terms.split_off(granted);
        let granted = terms;
        if room < 0 {
            return None;
        }
        let mut spent = 0;
        let end = rest.iter().position(|&(_, weight, _)| {
            spent += weight;
            spent > room
        })?;
        let others = rest.split_off(end + 1);
        // None of the cover is needless; those go that are least.
        let mut spare = spent - room - 1;
        sort::by(&mut rest, |a, b| a.2.total_cmp(&b.2));
        let (cover, left): (Vec<_>, Vec<_>) = rest.into_iter().partition(|&(_, weight, _)| {
            let stays = weight > spare;
            spare -= if stays { 0 } else { weight };
            stays
        });
        if cover.len() < 2 || cover.len() > COVER {
            return None;
        }
        let mut lifting = Lifting::new(cover.iter().map(|&(lit, weight, _)| (lit, weight)), room);
        let mut others: Vec<_> = left.into_iter().chain(others).collect();
        sort::by(&mut others, |a, b| b.2.total_cmp(&a.2));
        let halfway = others.iter().take_while(|other| other.2 > CLOSE).count();
        others[..halfway].iter().for_each(|&(lit, weight, _)| lifting.up(lit, weight));
        granted.iter().for_each(|&(lit, weight, _)| lifting.down(lit, weight));
        others[halfway..].iter().for_each(|&(lit, weight, _)| lifting.up(lit, weight));
        let Lifting { terms, most, .. } = lifting;
        let at = terms.iter().map(|&(lit, by)| by as f64 * value(lit)).sum::<f64>();
        let length = terms.iter().map(|&(_, by)| (by * by) as f64).sum::<f64>().sqrt();
        (at - most as f64 > VIOLATED * length).then(|| Self::at_most(&terms, most))
    }
}

/// A sum that is at most so much, which others are taken into one by one by the greatest multiples that are valid (E.
/// Zemel, *Easily computable facets of the knapsack polytope*, Mathematics of Operations Research 14, 1989, pages
/// 760–764).
struct Lifting {
    terms: Vec<(Lit, i128)>,
    most: i128,
    /// The terms' weights in the row come to at most this.
    room: i128,
    /// By value of the sum, the least weight in the row at which it is reached.
    least: Vec<i128>,
}

impl Lifting {
    /// Literals of a cover, of which one is false.
    fn new(cover: impl Iterator<Item = (Lit, i128)>, room: i128) -> Self {
        let mut lifting = Self { terms: Vec::new(), most: 0, room, least: vec![0] };
        cover.for_each(|(lit, weight)| lifting.add(lit, 1, weight));
        lifting.most = lifting.terms.len() as i128 - 1;
        lifting
    }

    fn add(&mut self, lit: Lit, by: i128, weight: i128) {
        let more = usize::try_from(by).unwrap_or(0);
        self.least.resize(self.least.len() + more, i128::MAX);
        for value in (more..self.least.len()).rev() {
            let with = self.least[value - more] + weight;
            self.least[value] = self.least[value].min(with);
        }
        // More of the sum takes no less.
        for value in (1..self.least.len()).rev() {
            self.least[value - 1] = self.least[value - 1].min(self.least[value]);
        }
        self.terms.push((lit, by));
    }

    /// The greatest value of the sum within so much room.
    fn within(&self, room: i128) -> i128 {
        self.least.partition_point(|&least| least <= room) as i128 - 1
    }

    /// Takes a literal in that is false so far.
    fn up(&mut self, lit: Lit, weight: i128) {
        let by = if weight > self.room { self.most } else { self.most - self.within(self.room - weight) };
        if by > 0 && self.least.len() < LIFTED {
            self.add(lit, by, weight);
        }
    }

    /// Takes a literal in that is true so far.
    fn down(&mut self, lit: Lit, weight: i128) {
        self.room += weight;
        let by = self.within(self.room) - self.most;
        self.most += by;
        if by > 0 {
            self.add(lit, by, weight);
        }
    }
}

/// The unconditional constraints of the formula, equations first; `None` if these are too many.
pub(super) fn rows(formula: &Formula) -> Option<Vec<RelaxationRow>> {
    let mut rows = Vec::new();
    let mut left = LITERALS;
    for clause in formula.clauses() {
        left = left.checked_sub(clause.len())?;
        rows.push(RelaxationRow { terms: clause.iter().map(|&lit| (lit, 1)).collect(), least: 1, is_equal: false });
    }
    for constraint in formula.constraints() {
        if !constraint.cond.is_empty() || constraint.iff.is_some() {
            continue;
        }
        let (terms, least, most): (Vec<_>, _, _) = match constraint.sum {
            Sum::Count { lits, relation } => {
                let terms = lits.iter().map(|&lit| (lit, 1)).collect();
                (terms, relation.least().map(|least| least as i128), relation.most().map(|most| most as i128))
            }
            Sum::Weights { terms, relation } => {
                let terms = terms.all().iter().map(|&(lit, weight)| (lit, weight.into())).collect();
                (terms, relation.least().map(i128::from), relation.most().map(i128::from))
            }
            Sum::Parity { .. } => continue, // says nothing about fractions
        };
        left = left.checked_sub(terms.len())?;
        let is_equal = least.is_some() && least == most;
        rows.extend(most.filter(|_| !is_equal).map(|most| RelaxationRow::at_most(&terms, most)));
        rows.extend(least.map(|least| RelaxationRow { terms, least, is_equal }));
    }
    sort::by_key(&mut rows, |row| (!row.is_equal).into());
    Some(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cnfkit_core::internals::Random;

    /// Covers of sums by lot, at points by lot, hold wherever the sum does.
    #[test]
    fn covers_follow_from_their_sums() {
        let mut random = Random::new(5);
        let (mut found, mut heavier) = (0, 0);
        for round in 0..3_000 {
            let n = 3 + random.below(6);
            let terms: Vec<(Lit, i128)> =
                (0..n as u32).map(|var| (Lit::new(var, random.below(2) == 0), 1 + random.below(15) as i128)).collect();
            let total: u128 = terms.iter().map(|&(_, weight)| weight.unsigned_abs()).sum();
            let row = RelaxationRow { terms, least: 1 + random.below(total as usize - 1) as i128, is_equal: false };
            let values: Vec<f64> = (0..n).map(|_| (random.below(15) as f64 / 10.0 - 0.2).clamp(0.0, 1.0)).collect();
            let value = |lit: Lit| if lit.is_neg() { 1.0 - values[lit.vidx()] } else { values[lit.vidx()] };
            let Some(cover) = row.cover(value, round % 2 == 0) else { continue };
            found += 1;
            heavier += usize::from(cover.terms.iter().any(|&(_, weight)| weight > 1));
            let at = cover.terms.iter().map(|&(lit, weight)| weight as f64 * value(lit)).sum::<f64>();
            assert!(at < cover.least as f64, "{:?} is not violated by {values:?}", cover.terms);
            for code in 0..1 << n {
                let is_true = |lit: Lit| (code >> lit.vidx() & 1 == 1) == lit.is_pos();
                let held = !row.holds(is_true) || cover.holds(is_true);
                assert!(held, "{:?} ≥ {} of {:?} ≥ {}", cover.terms, cover.least, row.terms, row.least);
            }
        }
        assert!(found > 500 && heavier > 10, "{found} {heavier}");
    }
}
