//! [`CostLadder`]: an objective whose bounds are assumptions that need no counter.

use std::collections::BTreeMap;

use rustsat::types::Lit;

use super::objective::Reduced;
use cnfkit_core::internals::{AskedBounds, NormalSum, Session, gcd, sort};
use cnfkit_core::{ClauseSink, SolveError};

/// Costs at most so much as a literal.
#[derive(Clone, Debug)]
pub(super) enum CostLadder {
    /// The literals that are true from so much on, ascending.
    Steps(Vec<(Lit, u128)>),
    /// The bits of a number of such units, from the lowest.
    Bits(Vec<Lit>, u128),
    /// Sums that BatSat watches, with the bounds that were asked for so far. Each sum is at most so many times
    /// the cost, less so much, divided by a third number, and comes to a fourth: the objective, and what its relaxation
    /// left of it.
    Watched(Vec<(AskedBounds, [u128; 4])>, BTreeMap<u128, Lit>),
}

impl CostLadder {
    /// The terms as steps: each literal implies the one before it, in the order of variables or against it.
    pub(super) fn steps(objective: &NormalSum) -> Self {
        let mut cost = 0;
        let mut steps = objective.terms.clone();
        if steps.first().is_some_and(|(lit, _)| lit.is_neg()) {
            steps.reverse();
        }
        for (_, weight) in &mut steps {
            cost += *weight;
            *weight = cost;
        }
        Self::Steps(steps)
    }

    /// The terms as bits, if each weighs twice as much as the one before.
    pub(super) fn bits(objective: &NormalSum) -> Option<Self> {
        let mut terms = objective.terms.clone();
        sort::by_wide_key(&mut terms, |&(_, weight)| weight);
        let doubles = terms.windows(2).all(|pair| pair[1].1 == 2 * pair[0].1);
        let unit = terms.first()?.1;
        (doubles && terms.len() > 1).then(|| Self::Bits(terms.into_iter().map(|(lit, _)| lit).collect(), unit))
    }

    /// The terms as they are and as their relaxation left them, watched by the solver and not encoded; `None` if it
    /// cannot, or they do not fit 64 bits.
    pub(super) fn watched(objective: &NormalSum, reduced: Option<&Reduced>, session: &mut Session) -> Option<Self> {
        let mut watch = |terms: &[(Lit, u128)], parts: u128, paid: u128| {
            let unit = terms.iter().fold(0, |unit, &(_, weight)| gcd(unit, weight)).max(1);
            let total = terms.iter().map(|&(_, weight)| weight / unit).sum::<u128>();
            u64::try_from(total).ok()?;
            let asked = session.watch_sum(terms.iter().map(|&(lit, weight)| (lit, (weight / unit) as u64)))?;
            Some((asked, [parts, paid, unit, total]))
        };
        let whole = watch(&objective.terms, 1, 0)?;
        let reduced = reduced.and_then(|reduced| watch(&reduced.terms, reduced.parts, reduced.paid));
        Some(Self::Watched([Some(whole), reduced].into_iter().flatten().collect(), BTreeMap::new()))
    }

    /// A literal under which the cost is at most this; `None` if it always is.
    pub(super) fn at_most(&mut self, most: u128, session: &mut Session) -> Result<Option<Lit>, SolveError> {
        match self {
            Self::Steps(steps) => {
                let at = steps.partition_point(|&(_, cost)| cost <= most);
                Ok(steps.get(at).map(|&(lit, _)| !lit))
            }
            Self::Bits(bits, unit) => {
                let most = most / *unit;
                if most >> bits.len() > 0 {
                    return Ok(None);
                }
                let kept = session.new_lit();
                // A bit that the number lacks is off, or a higher one of it is.
                for at in (0..bits.len()).filter(|&at| most >> at & 1 == 0) {
                    let above = (at + 1..bits.len()).filter(|&above| most >> above & 1 == 1);
                    let clause: Vec<Lit> = above.chain([at]).map(|at| !bits[at]).chain([!kept]).collect();
                    session.add_clause(&clause)?;
                }
                Ok(Some(kept))
            }
            Self::Watched(sums, made) => {
                let most = most - most % sums[0].1[2];
                if let Some(&kept) = made.get(&most) {
                    return Ok(Some(kept));
                }
                let kept = session.new_lit();
                for (asked, [parts, paid, unit, total]) in sums {
                    match (most * *parts).checked_sub(*paid) {
                        Some(left) => asked.at_most(kept, (left / *unit).min(*total) as u64),
                        None => session.add_clause(&[!kept])?,
                    }
                }
                if let Some((_, &higher)) = made.range(most..).next() {
                    session.add_clause(&[!kept, higher])?;
                }
                if let Some((_, &lower)) = made.range(..most).next_back() {
                    session.add_clause(&[!lower, kept])?;
                }
                made.insert(most, kept);
                Ok(Some(kept))
            }
        }
    }

    /// Clauses that say that the cost is more than this, where the literal of a bound does not.
    pub(super) fn more(&self, than: u128) -> Vec<Vec<Lit>> {
        let Self::Bits(bits, unit) = self else { return Vec::new() };
        let least = than / unit + 1;
        // A bit of the next number is on, or a higher one that that lacks is.
        let needed = (0..bits.len()).filter(|&at| least >> at & 1 == 1);
        let clause = |at: usize| {
            let above = (at + 1..bits.len()).filter(|&above| least >> above & 1 == 0);
            above.chain([at]).map(|at| bits[at]).collect()
        };
        needed.map(clause).collect()
    }

    /// The least cost above this that there is.
    pub(super) fn next(&self, cost: u128) -> u128 {
        match self {
            Self::Steps(steps) => {
                let at = steps.partition_point(|&(_, other)| other <= cost);
                steps.get(at).map_or(cost + 1, |&(_, next)| next)
            }
            Self::Bits(_, unit) => (cost / unit + 1) * unit,
            Self::Watched(sums, _) => {
                let unit = sums[0].1[2];
                (cost / unit + 1) * unit
            }
        }
    }
}
