//! [`DynamicPolyWatchdog`] and [`MovingWatchdog`]: a watchdog whose bound is chosen after encoding.

use rustsat::types::Lit;

use crate::constraint::{Constraint, Terms};
use crate::encode::{Encoding, check_known};
use crate::pb::digits::unary::{Ladder, Moving, Style, binary, halves};
use crate::pb::prepared::ClauseLog;
use crate::sink::{ClauseSink, free_variable};
use crate::writer::{Full, Writer};

/// A global watchdog whose tare is literals: the dynamic polynomial watchdog.
///
/// [`GlobalWatchdog`](crate::GlobalWatchdog) adds a constant to the sum, so that one count of the highest bit tells
/// whether the bound is exceeded. Here each bit of that constant is a literal. The same clauses then serve any bound:
/// the highest count chooses it up to the highest bit, and the constant's literals choose the rest.
///
/// As an encoding of one bound it is somewhat larger than the global watchdog, but of its clauses only units enforce
/// that bound: with b bits in the greatest weight they are b, so that a condition costs b literals. Bounds that move
/// are [`moving`](Self::moving)'s.
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

impl DynamicPolyWatchdog {
    /// A sum whose upper bound is chosen by assumptions. Nothing but variables is added before a bound is asked for.
    ///
    /// # Panics
    /// When a literal's variable is at or above [`next_var`](ClauseSink::next_var).
    pub fn moving(&self, to: &mut Writer<'_>, terms: &[(Lit, u64)]) -> MovingWatchdog {
        let lits: Vec<Lit> = terms.iter().map(|&(lit, _)| lit).collect();
        check_known(to, &lits);
        let terms = Terms::new(terms);
        MovingWatchdog { sum: Moving::new(to, &Ladder::new(terms, u64::MAX, style(&terms))) }
    }
}

/// A sum whose upper bound is chosen by assumptions; made by [`DynamicPolyWatchdog::moving`].
///
/// Each bound costs only the clauses that no bound before it needed. They are all
/// [definitions](ClauseSink::define), so that a solver keeps what it has learnt.
///
/// ```
/// use cnfkit::{ClauseSink, Cnf, DynamicPolyWatchdog, MovingWatchdog};
/// let mut cnf = Cnf::new();
/// let x: Vec<_> = cnf.new_lits(4).into_iter().zip([3, 5, 7, 9]).collect();
/// let mut sum: MovingWatchdog = DynamicPolyWatchdog::default().moving(&mut cnf, &x);
/// let (eleven, ten) = (sum.at_most(&mut cnf, 11).unwrap(), sum.at_most(&mut cnf, 10).unwrap());
/// assert_eq!(eleven.len(), 4); // three bits of the constant, and one of the count of 8s
/// assert_ne!(eleven, ten);
/// assert!(sum.at_most(&mut cnf, 24).unwrap().is_empty()); // holds always
/// ```
#[derive(Clone, Debug)]
pub struct MovingWatchdog {
    sum: Moving,
}

impl MovingWatchdog {
    /// The literals to assume, or to add as units, for a sum of at most `bound`; none where that always holds. Under
    /// them unit propagation notices every contradiction.
    ///
    /// # Errors
    /// As the sink fails.
    pub fn at_most(&mut self, to: &mut Writer<'_>, bound: u64) -> Result<Vec<Lit>, Full> {
        let mut assumed = Vec::new();
        self.sum.at_most(to, bound, &mut assumed)?;
        Ok(assumed)
    }
}

fn style(terms: &Terms<'_>) -> Style {
    Style { bases: binary(terms), watched: false, splits: true, linked: false }
}

impl DynamicPolyWatchdog {
        /// A moving sum whose bound is settled at once.
    pub(crate) fn prepared(&self, constraint: &Constraint<'_>) -> Option<(Option<ClauseLog>, Option<ClauseLog>)> {
        let (ref terms, relation) = constraint.weighted()?;
        halves(terms, relation, |terms, bound| {
            let ladder = Ladder::new(*terms, u64::MAX, style(terms));
            if ladder.answers() > self.budget.saturating_mul(2) {
                return None;
            }
            let free = free_variable(terms.all().iter().map(|&(lit, _)| lit));
            let mut log = ClauseLog::new(free, self.budget);
            let written = log.write_by(&mut |to| {
                let mut assumed = Vec::new();
                Moving::new(to, &ladder).at_most(to, bound, &mut assumed)?;
                assumed.iter().try_for_each(|&lit| to.clause(&[lit]))
            });
            written.ok()?;
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
    use crate::testing::pb::{drawn, terms};
    use crate::testing::{Engine, Recorder};

    digit_suite!(DynamicPolyWatchdog, Consistent);

    /// Bounds in any order: under each, unit propagation notices just what is too large, and clauses are only added.
    #[test]
    fn bounds_move() {
        for weights in [&[3, 5, 7, 9][..], &[1, 1, 1], &[2, 4, 4, 8], &[6, 11, 13, 1, 2], &[5]] {
            let (n, lits) = (weights.len(), terms(weights));
            let total: u64 = weights.iter().sum();
            let mut recorder = Recorder::new(n);
            let mut sum = DynamicPolyWatchdog::default().moving(&mut recorder, &lits);
            let bounds: Vec<u64> = (0..total + 9).map(|step| step * 7 % (total + 9)).collect();
            let assumed: Vec<Vec<Lit>> =
                bounds.iter().map(|&bound| sum.at_most(&mut recorder, bound).unwrap()).collect();
            assert_eq!(recorder.clauses.len(), recorder.defined);
            let mut engine = Engine::new(&recorder);
            for (&bound, assumed) in bounds.iter().zip(&assumed) {
                assert!(assumed.is_empty() || bound < total, "{bound} of {weights:?}");
                for code in 0..3_usize.pow(n as u32) {
                    let digit = |at: usize| code / 3_usize.pow(at as u32) % 3;
                    let least: u64 = (0..n).filter(|&at| digit(at) == 1).map(|at| weights[at]).sum();
                    let mark = engine.mark();
                    let value = |at: usize| if digit(at) == 1 { lits[at].0 } else { !lits[at].0 };
                    let consistent = assumed.iter().all(|&lit| engine.assume(lit))
                        && (0..n).filter(|&at| digit(at) > 0).all(|at| engine.assume(value(at)));
                    assert_eq!(consistent, least <= bound, "{bound} of {weights:?} at {code}");
                    assert!(!consistent || engine.satisfiable());
                    engine.undo(mark);
                }
            }
            let clauses = recorder.clauses.len();
            assert_eq!(sum.at_most(&mut recorder, bounds[1]).unwrap(), assumed[1]);
            assert_eq!(recorder.clauses.len(), clauses);
        }
    }

    /// Few clauses enforce, and the whole is not twice the watchdog of one bound.
    #[test]
    fn only_units_enforce() {
        for (weights, bound) in [drawn(10, 512, 1), PRIMES.with_bound(), drawn(40, 4, 2), drawn(32, 8, 3)] {
            let terms = terms(&weights);
            let plan = DynamicPolyWatchdog::default()
                .plan(&Constraint::weights(Terms::new(&terms), PbRelation::AtMost(bound)))
                .unwrap();
            let mut recorder = Recorder::new(weights.len());
            let Ok(()) = crate::encode::Prepared::write(&plan, &mut recorder);
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
