//! [`DynamicPolyWatchdog`]: a watchdog whose bound is chosen after encoding.

use crate::constraint::{Constraint, Terms};
use crate::encode::{Encoding, GoOn};
use crate::pb::digits::unary::{LadderStyle, Moving, UnaryLadder, binary, halves};
use crate::pb::prepared::ClauseLog;
use crate::sink::free_variable;

/// A global watchdog whose tare is literals: the dynamic polynomial watchdog.
///
/// [`GlobalWatchdog`](crate::GlobalWatchdog) adds a constant to the sum, so that one count of the highest bit tells
/// whether the bound is exceeded. Here each bit of that constant is a literal. The same clauses then serve any bound:
/// the highest count chooses it up to the highest bit, and the constant's literals choose the rest.
///
/// As an encoding of one bound it is somewhat larger than the global watchdog, but of its clauses only units enforce
/// that bound: with b bits in the greatest weight they are b, so that a condition costs b literals.
///
/// | relation | auxiliaries and clauses of n literals with weights below 2ᵇ | enforcing clauses |
/// |---|---|---|
/// | at most, at least | O(b·n·log² n) clauses | at most b, all units |
/// | exactly | both | both |
///
/// Unit propagation notices every contradiction, but does not derive every literal that follows.
///
/// Source: T. Paxian, S. Reimer, B. Becker, *Dynamic Polynomial Watchdog Encoding for Solving Weighted `MaxSAT`*, SAT
/// 2018, LNCS 10929, pages 37–53.
///
/// ```
/// use cnfkit::{ClauseSink, Cnf, Constraint, DynamicPolyWatchdog, Encoding, PbRelation, Plan, Terms};
/// let mut cnf = Cnf::new();
/// let x: Vec<_> = cnf.new_lits(10).into_iter().zip([8, 6, 7, 4, 3, 6, 3, 8, 1, 8]).collect();
/// let constraint = Constraint::weights(Terms::new(&x), PbRelation::AtMost(22));
/// let size = DynamicPolyWatchdog::default().plan(&constraint).unwrap().size();
/// assert!(size.cost() <= 160);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct DynamicPolyWatchdog {
    /// The most variables and clauses together of *at most* or of *at least*: what needs more is not planned.
    pub budget: u64,
}

crate::encode::options!(DynamicPolyWatchdog { budget: u64 = 10_000_000 });

fn style(terms: &Terms<'_>) -> LadderStyle {
    LadderStyle { bases: binary(terms), watched: false, splits: true, linked: false }
}

impl DynamicPolyWatchdog {
    /// A moving sum whose bound is settled at once.
    pub(crate) fn prepared(
        &self,
        constraint: &Constraint<'_>,
        go_on: &mut GoOn<'_>,
    ) -> Option<(Option<ClauseLog>, Option<ClauseLog>)> {
        let (ref terms, relation) = constraint.weighted()?;
        halves(terms, relation, |terms, bound| {
            let ladder = UnaryLadder::new(*terms, u64::MAX, style(terms));
            if ladder.answers() > self.budget.saturating_mul(2) {
                return None;
            }
            let free = free_variable(terms.all().iter().map(|&(lit, _)| lit));
            let mut log = ClauseLog::new(free, self.budget);
            log.record(go_on, &mut |to| {
                let mut assumed = Vec::new();
                Moving::new(to, &ladder).at_most(to, bound, &mut assumed)?;
                assumed.iter().try_for_each(|&lit| to.clause(&[lit]))
            })?;
            Some(log)
        })
    }
}

impl Encoding for DynamicPolyWatchdog {
    crate::encode::by_terms!();

    crate::encode::named!("dynamic-poly-watchdog");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pb::digits::unary::tests::{PRIMES, digit_suite, sizes};
    use crate::relation::PbRelation;
    use crate::sink::ClauseSink;
    use crate::testing::Recorder;
    use crate::testing::pb::{drawn, terms};

    digit_suite!(DynamicPolyWatchdog, Consistent);

    /// Few clauses enforce, and the whole is not twice the watchdog of one bound.
    #[test]
    fn only_units_enforce() {
        for (weights, bound) in [drawn(10, 512, 1), PRIMES.with_bound(), drawn(40, 4, 2), drawn(32, 8, 3)] {
            let terms = terms(&weights);
            let plan = DynamicPolyWatchdog::default()
                .prepared(&Constraint::weights(Terms::new(&terms), PbRelation::AtMost(bound)), &mut || true)
                .unwrap();
            let mut recorder = Recorder::new(weights.len());
            let Ok(()) = recorder.write_by(&mut |to| crate::encode::Prepared::write(&plan, to));
            let bits = u64::BITS - weights.iter().max().unwrap().leading_zeros();
            assert!(recorder.clauses.len() - recorder.defined <= bits as usize);
            let [fixed, moving] = [
                sizes(&crate::GlobalWatchdog::default(), &weights, bound)[0],
                sizes(&DynamicPolyWatchdog::default(), &weights, bound)[0],
            ];
            assert!(moving < 2 * fixed, "{weights:?}: {moving}, {fixed}");
        }
    }
}
