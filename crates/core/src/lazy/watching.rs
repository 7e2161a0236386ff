//! Counts and sums that are watched instead of encoded, for as long as that is cheaper.
//!
//! Each bound is watched by its slack ([`LazySums`](super::LazySums)), and explained by a clause where it implies a
//! literal or is violated.
//!
//! Explanations may have to be given for every set of literals that is too much, of which there are exponentially many,
//! where an encoding says the same by auxiliaries. So once the explanations of a constraint have as many literals as
//! its encoding has, between two calls of the solver, it is encoded, and watched no more.
//!
//! Source: I. Abío, P. J. Stuckey, *Conflict Directed Lazy Decomposition*, CP 2012, LNCS 7514, pages 70–85.

use rustsat::types::Lit;

use super::{AskedBounds, Told, unless};
use crate::choose::{CardEncoding, PbEncoding};
use crate::constrain::Constrain;
use crate::constraint::{Constraint, Sum};
use crate::limits::SolveError;
use crate::relation::{PbRelation, Relation};
use crate::sink::{ClauseSink, Tally};

/// Constraints of so few literals are encoded at once.
const FEW: usize = 5;

/// The constraints of a solver that are watched.
#[derive(Debug)]
pub struct Watching {
    /// News for the watcher.
    pub told: Told,
    /// How long explanations are given.
    pub patience: Patience,
    kept: Vec<WatchedConstraint>,
    /// The conflicts of the solver when the costs were looked at last.
    looked: u64,
}

/// A constraint that is watched.
#[derive(Debug)]
struct WatchedConstraint {
    cond: Vec<Lit>,
    sum: Owned,
    /// Its bounds from above, as they are watched.
    watched: Vec<usize>,
    /// The literals of its encoding, once they were counted.
    encoded: Option<u64>,
}

#[derive(Debug)]
enum Owned {
    Count(Vec<Lit>, Relation),
    Weights(Vec<(Lit, u64)>, PbRelation),
}

impl WatchedConstraint {
    fn encode<S: ClauseSink>(&self, sink: &mut S) -> Result<(), S::Error> {
        let mut sink = sink.when(&self.cond);
        match &self.sum {
            Owned::Count(lits, relation) => sink.cardinality(lits, *relation, CardEncoding::Auto),
            Owned::Weights(terms, relation) => sink.pb(terms, *relation, PbEncoding::Auto),
        }
    }

    const fn n_lits(&self) -> usize {
        match &self.sum {
            Owned::Count(lits, _) => lits.len(),
            Owned::Weights(terms, _) => terms.len(),
        }
    }

    /// The literals of the encoding, over variables before `next_var`.
    fn encoded(&mut self, next_var: u32) -> u64 {
        if let Some(lits) = self.encoded {
            return lits;
        }
        let mut tally = Tally::new(next_var as usize);
        let Ok(()) = self.encode(&mut tally);
        *self.encoded.insert(tally.size().lits)
    }
}

/// How long constraints are explained before they are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Conflicts between two looks at what explanations have cost.
    pub pause: u64,
    /// Explanations may cost so many times as much as the encoding.
    pub times: u64,
}

impl Default for Patience {
    fn default() -> Self {
        Self { pause: 200, times: 1 }
    }
}

impl Watching {
    /// Watches nothing yet.
    #[must_use]
    pub fn new(patience: Patience) -> Self {
        Self { told: Told::default(), patience, kept: Vec::new(), looked: 0 }
    }

    /// Takes a constraint, if it is one to be watched.
    #[must_use]
    pub fn take(&mut self, constraint: &Constraint<'_>) -> bool {
        let Constraint { cond, iff: None, sum, encoding, .. } = *constraint else { return false };
        if encoding.goal().is_none() {
            return false; // the encoding was asked for by name
        }
        let (terms, relation, sum): (Vec<(Lit, u64)>, PbRelation, _) = match sum {
            // Short clauses explain it, as they would encode it.
            Sum::Count { relation, .. } if relation.most() == Some(1) => return false,
            Sum::Parity { .. } => return false,
            Sum::Count { lits, relation } => {
                let terms = lits.iter().map(|&lit| (lit, 1)).collect();
                (terms, relation.into(), Owned::Count(lits.to_vec(), relation))
            }
            Sum::Weights { terms, relation } => {
                let terms = terms.all().to_vec();
                (terms.clone(), relation, Owned::Weights(terms, relation))
            }
        };
        if terms.len() <= FEW || terms.iter().any(|(lit, _)| cond.iter().any(|other| other.var() == lit.var())) {
            return false;
        }
        let Some(total) = terms.iter().try_fold(0_u64, |total, &(_, weight)| total.checked_add(weight)) else {
            return false;
        };
        let negated = || terms.iter().map(|&(lit, weight)| (!lit, weight)).collect::<Vec<_>>();
        let bounds = [
            relation.most().map(|most| (terms.clone(), Some(most))),
            relation.least().map(|least| (negated(), total.checked_sub(least))),
        ];
        let mut sums = Vec::new();
        for (terms, most) in bounds.into_iter().flatten() {
            let Some(most) = most else { return false };
            let Some(sum) = unless(cond, &terms, most, total) else { return false };
            sums.push(sum);
        }
        let mut told = self.told.borrow_mut();
        let watched = sums.into_iter().map(|(ladders, most)| told.add(ladders, most)).collect();
        drop(told);
        self.kept.push(WatchedConstraint { cond: cond.to_vec(), sum, watched, encoded: None });
        true
    }

    /// A sum whose bounds are asked for later.
    #[must_use]
    pub fn bounded(&self, terms: impl Iterator<Item = (Lit, u64)>) -> AskedBounds {
        AskedBounds::new(&self.told, terms)
    }

    /// Encodes what has cost more than its encoding.
    ///
    /// # Errors
    /// As the sink fails.
    pub fn encode_costly<S: ClauseSink<Error = SolveError>>(
        &mut self,
        conflicts: u64,
        sink: &mut S,
    ) -> Result<(), SolveError> {
        if conflicts < self.looked + self.patience.pause {
            return Ok(());
        }
        self.looked = conflicts;
        let mut at = 0;
        while let Some(kept) = self.kept.get_mut(at) {
            let cost = {
                let told = self.told.borrow();
                kept.watched.iter().filter_map(|&sum| told.explained.get(sum)).sum::<u64>()
            };
            // No encoding has fewer literals than its constraint.
            let cost = cost / self.patience.times;
            if cost <= kept.n_lits() as u64 || cost <= kept.encoded(sink.next_var().idx32()) {
                at += 1;
                continue;
            }
            kept.encode(sink)?;
            let kept = self.kept.swap_remove(at);
            kept.watched.into_iter().for_each(|sum| self.told.borrow_mut().drop(sum));
        }
        Ok(())
    }
}
