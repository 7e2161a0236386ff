//! Sums of weights without auxiliaries: a clause for each minimal cover.

use cnfkit::encode::own_name;
use cnfkit::{Constraint, Encoding, EncodingName, Lit, PbRelation, Plan, Size};

/// A clause for each set of literals that weighs too much and of which no part does: a *minimal cover*. No auxiliaries;
/// generalised arc consistent; exponential.
///
/// At least a bound is at most the rest of the negations, exactly is both. Groups are not made use of.
///
/// Source: P. Barth, *Logic-Based 0-1 Constraint Programming*, Kluwer, 1996, chapter 6.
///
/// ```
/// use cnfkit::{ClauseSink, Cnf, Constrain};
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(4);
/// cnf.pb_at_most(&[(x[0], 5), (x[1], 4), (x[2], 3), (x[3], 2)], 8, &outside::Covers::default())?;
/// // 5 + 4, 5 + 3 + 2 and 4 + 3 + 2.
/// assert_eq!((cnf.n_vars(), cnf.n_clauses()), (4, 3));
/// # Ok::<(), cnfkit::CapacityError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Covers {
    /// The most literals, over all clauses, that are written; larger sums are left to another encoding.
    pub budget: usize,
}

impl Default for Covers {
    fn default() -> Self {
        Self { budget: 10_000 }
    }
}

impl Encoding for Covers {
    fn plan(&self, constraint: &Constraint<'_>) -> Option<Plan<'_>> {
        let (terms, relation) = constraint.weighted()?;
        let mut covers = Minimal::default();
        if let Some(most) = relation.most() {
            let true_ones = terms.all().iter().map(|&(lit, weight)| (lit, u128::from(weight))).collect();
            covers.forbid(true_ones, most.into(), self.budget)?;
        }
        if let PbRelation::AtLeast(least) | PbRelation::Exactly(least) = relation {
            let false_ones: Vec<_> = terms.all().iter().map(|&(lit, weight)| (!lit, u128::from(weight))).collect();
            let total: u128 = false_ones.iter().map(|&(_, weight)| weight).sum();
            covers.forbid(false_ones, total - u128::from(least), self.budget)?;
        }
        let size = Size { vars: 0, clauses: covers.ends.len() as u64, lits: covers.lits.len() as u64 };
        Some(Plan::new(size, move |_, to| {
            let mut start = 0;
            covers.ends.iter().try_for_each(|&end| to.clause(&covers.lits[std::mem::replace(&mut start, end)..end]))
        }))
    }

    fn encoding_name(&self) -> Option<EncodingName> {
        (*self == Self::default()).then_some(own_name::<Self>("covers"))
    }
}

/// The clauses, one after the other.
#[derive(Default)]
struct Minimal {
    lits: Vec<Lit>,
    /// Where each clause ends.
    ends: Vec<usize>,
}

impl Minimal {
    /// Adds a clause for each minimal set of these literals that weighs more than `most`; `None` if they are too long
    /// together.
    fn forbid(&mut self, mut terms: Vec<(Lit, u128)>, most: u128, budget: usize) -> Option<()> {
        terms.sort_by_key(|&(lit, weight)| (std::cmp::Reverse(weight), lit));
        // What the literals from each place on weigh together.
        let mut left: Vec<u128> = vec![0; terms.len() + 1];
        for at in (0..terms.len()).rev() {
            left[at] = left[at + 1] + terms[at].1;
        }
        let (mut chosen, mut sum, mut at): (Vec<usize>, u128, usize) = (Vec::new(), 0, 0);
        loop {
            if sum + left[at] > most {
                // The last one is the lightest, and without it they are not too heavy: the cover is minimal.
                if sum + terms[at].1 > most {
                    self.lits.extend(chosen.iter().chain([&at]).map(|&at| !terms[at].0));
                    self.ends.push(self.lits.len());
                    if self.lits.len() > budget {
                        return None;
                    }
                } else {
                    chosen.push(at);
                    sum += terms[at].1;
                }
                at += 1;
            } else {
                let Some(last) = chosen.pop() else { return Some(()) };
                sum -= terms[last].1;
                at = last + 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cnfkit::testing::{Strength, groups, pb};

    // No long sum is within the budget: these are the tests of `pb_suite!` without `sizes` and `long`. Sizes are
    // compared in each of them.

    #[test]
    fn assignments() {
        pb::check_assignments(&Covers::default());
    }

    #[test]
    fn conditions() {
        pb::check_conditions(&Covers::default());
    }

    #[test]
    fn strength() {
        pb::check_strength(&Covers::default(), Strength::Gac);
    }

    #[test]
    fn heavier() {
        pb::check_drawn(&Covers::default(), Strength::Gac);
    }

    #[test]
    fn in_groups() {
        groups::check_groups(&Covers::default());
    }
}
