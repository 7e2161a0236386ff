//! [`Threads`]: several solvers at one formula.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rustsat::types::Lit;

use crate::race::race;
use crate::{Optimum, Problem, Questions, whole};
use cnfkit_core::internals::{Asking, Choices, Clock, MOST_WRITTEN, Random, Session, TimedSink};
use cnfkit_core::{Assignment, ClauseSink, Cnf, Cubes, Formula, Size, SolveError, Stopped, Strategy};

/// Several solvers at one formula, each in a thread of its own.
///
/// The first answer is the answer, and ends the other threads. That there is a model, that there is none, and the
/// least value are the same each time; which model is found may differ. Each thread has a formula and a solver of its
/// own in memory, and each has all of the limits, conflicts among them, to itself.
///
/// ```
/// # fn main() -> Result<(), cnfkit::SolveError> {
/// use std::time::Duration;
///
/// use cnfkit::ask::Threads;
/// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula, Limits};
/// let mut formula = Formula::new();
/// let x = formula.new_lits(30);
/// formula.at_least(&x, 12, &CardEncoding::Auto)?;
/// formula.at_most(&x[..20], 2, &CardEncoding::Auto)?;
/// formula.set_objective((1..).zip(&x).map(|(weight, &lit)| (lit, weight)));
///
/// let two = Threads::new(2).limits(Limits::none().time(Duration::from_secs(60)));
/// assert!(two.solve(&formula)?.is_some());
/// assert_eq!(two.minimum(&formula)?.expect("there are solutions").value, 1 + 2 + (21..=30).sum::<i128>());
/// let cubes = formula.cubes(16, &Limits::none())?;
/// assert!(two.solve_cubes(&cubes)?.is_some());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Threads {
    n: usize,
    asking: Asking,
}

impl Threads {
    /// This number of threads, from one to 256.
    #[must_use]
    pub fn new(n: usize) -> Self {
        Self { n: n.clamp(1, 256), asking: Asking::default() }
    }

    cnfkit_core::asking_methods!();

    /// A model of the formula, or `None` when there is provably none, from a portfolio: the formula as it is, with its
    /// literals in another [order](Formula::order), with the smallest encodings, and then again with variables numbered
    /// by lot. These differ more than the seeds of a solver do.
    ///
    /// # Errors
    /// When no thread has an answer: [`SolveError::Interrupted`] when a limit is reached, and as the solver fails.
    pub fn solve(&self, formula: &Formula) -> Result<Option<Assignment>, SolveError> {
        let found = self.race(|at, clock| {
            let variant = formula.variant(at)?;
            if at < VARIANTS {
                let mut session = whole(&variant, clock, Choices::default())?;
                let is_found = session.solve(&[])?;
                return Ok(Some(is_found.then(|| formula.decode(|lit| session.is_true(lit)))));
            }
            let most = Size { clauses: variant.limit().clauses.min(MOST_WRITTEN), ..variant.limit() };
            let mut cnf = Cnf::with_vars(variant.n_vars()).with_limit(most);
            variant.encode_into(&mut TimedSink::new(&mut cnf, clock))?;
            let mut names: Vec<u32> = (0..cnf.n_vars() as u32).collect();
            Random::new(at as u64).shuffle(&mut names);
            let name = |lit: Lit| Lit::new(names[lit.vidx()], lit.is_neg());
            let mut session = loaded(&cnf, name, clock)?;
            let is_found = session.solve(&[])?;
            Ok(Some(is_found.then(|| formula.decode(|lit| session.is_true(name(lit))))))
        })?;
        Ok(found.flatten())
    }

    /// A model of a formula in parts, or `None` when all parts are refuted. A thread takes one part after the other,
    /// and keeps what its solver has learnt.
    ///
    /// # Errors
    /// As [`solve`](Self::solve); a part without an answer is an error, unless another one has a model.
    pub fn solve_cubes(&self, cubes: &Cubes) -> Result<Option<Assignment>, SolveError> {
        let (next, parts) = (AtomicUsize::new(0), cubes.iter().collect::<Vec<_>>());
        self.race(|_, clock| {
            let mut session = None;
            while let Some(cube) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
                let session = match &mut session {
                    Some(session) => session,
                    none => none.insert(loaded(cubes.cnf(), |lit| lit, clock)?),
                };
                if session.solve(cube)? {
                    return Ok(Some(Formula::with_vars(cubes.n_vars()).decode(|lit| session.is_true(lit))));
                }
            }
            Ok(None)
        })
    }

    /// A solution with the least value of the [objective](Formula::objective), or `None` when there is provably none,
    /// from a portfolio of orders, encodings and [strategies](Strategy). When a limit is reached, the best solution of
    /// all threads, and the best bound.
    ///
    /// # Errors
    /// As [`solve`](Self::solve), when no thread has a solution.
    pub fn minimum(&self, formula: &Formula) -> Result<Option<Optimum>, SolveError> {
        const STRATEGIES: [Strategy; 3] = [Strategy::Auto, Strategy::SolutionImproving, Strategy::CoreGuided];
        let found = self.race_all(|at, clock| {
            let variant = formula.variant(at)?;
            let strategy = STRATEGIES[(at + at / VARIANTS) % STRATEGIES.len()];
            let best = variant.ask().strategy(strategy).within(clock.clone()).minimum()?;
            Ok(match best {
                Some(best) if !best.is_optimal() => Ended::Open(best),
                best => Ended::Answer(best),
            })
        });
        let (mut best, mut failed): (Option<Optimum>, Vec<SolveError>) = (None, Vec::new());
        for ended in found {
            match ended {
                Ok(Ended::Answer(answer)) => return Ok(answer),
                Err(error) => failed.push(error),
                Ok(Ended::Open(open)) => {
                    let lower_bound =
                        best.as_ref().map_or(open.lower_bound, |best| best.lower_bound.max(open.lower_bound));
                    let conflicts = best.as_ref().map_or(0, |best| best.conflicts) + open.conflicts;
                    let better = best.take().filter(|best| best.value <= open.value).unwrap_or(open);
                    best = Some(Optimum { lower_bound, conflicts, ..better });
                }
            }
        }
        match best {
            Some(best) if best.lower_bound >= best.value => Ok(Some(Optimum { stopped: None, ..best })),
            Some(best) => Ok(Some(best)),
            None => Err(first(failed)),
        }
    }

    /// The first answer of a thread; none if no thread has one, and all did their part.
    fn race<T: Send>(
        &self,
        work: impl Fn(usize, &Clock) -> Result<Option<T>, SolveError> + Sync,
    ) -> Result<Option<T>, SolveError> {
        let mut failed = Vec::new();
        let work = |at: usize, clock: &Clock| Ok(work(at, clock)?.map_or(Ended::Open(()), Ended::Answer));
        for ended in self.race_all(work) {
            match ended {
                Ok(Ended::Answer(answer)) => return Ok(Some(answer)),
                Ok(Ended::Open(())) => {}
                Err(error) => failed.push(error),
            }
        }
        if failed.is_empty() { Ok(None) } else { Err(first(failed)) }
    }

    /// The end of each thread.
    fn race_all<T: Send, O: Send>(
        &self,
        work: impl Fn(usize, &Clock) -> Result<Ended<T, O>, SolveError> + Sync,
    ) -> Vec<Result<Ended<T, O>, SolveError>> {
        let halt = Arc::new(AtomicBool::new(false));
        let work = |at: usize| work(at, &self.asking.start().halted(Arc::clone(&halt)));
        let is_answer = |_, found: &Result<_, _>| matches!(found, Ok(Ended::Answer(_)));
        let all = race(&halt, || work(0), self.n - 1, work, is_answer);
        all.into_iter().map(|ended| ended.unwrap_or_else(|error| Err(SolveError::solver(error)))).collect()
    }
}

/// The number of formulas that differ before variables are numbered anew.
const VARIANTS: usize = 3;

/// The end of a thread's work.
enum Ended<T, O> {
    /// It answers the question.
    Answer(T),
    /// It does not.
    Open(O),
}

/// The error that says most: any but that a limit was reached.
fn first(mut failed: Vec<SolveError>) -> SolveError {
    let at = failed.iter().position(|error| !matches!(error, SolveError::Interrupted(_))).unwrap_or(0);
    if failed.is_empty() { SolveError::Interrupted(Stopped::Solver) } else { failed.swap_remove(at) }
}

/// A solver that has the clauses, with literals under other names.
fn loaded(cnf: &Cnf, name: impl Fn(Lit) -> Lit, clock: &Clock) -> Result<Session, SolveError> {
    clock.check()?;
    let mut session = Session::on(clock, Choices::default());
    session.new_open_vars(cnf.n_vars())?;
    let mut renamed = Vec::new();
    for clause in cnf.clauses() {
        renamed.clear();
        renamed.extend(clause.iter().map(|&lit| name(lit)));
        session.add_clause(&renamed)?;
    }
    Ok(session)
}

#[cfg(all(test, feature = "batsat"))]
mod tests {
    use std::panic::{self, AssertUnwindSafe};
    use std::thread;
    use std::time::{Duration, Instant};

    use super::*;
    use cnfkit_core::{CardEncoding, Constrain, Limits, PbEncoding};

    /// Clauses, a count, a sum and an objective by lot.
    fn small(lot: &mut Random) -> Formula {
        let mut formula = Formula::new();
        let x = formula.new_lits(9);
        let some = |lot: &mut Random, n: usize| -> Vec<Lit> {
            let mut all = x.clone();
            lot.shuffle(&mut all);
            all.iter().take(n).map(|&lit| if lot.below(2) == 0 { lit } else { !lit }).collect()
        };
        for _ in 0..lot.below(32) {
            let n = 2 + lot.below(2);
            formula.add_clause(&some(lot, n)).unwrap();
        }
        let (k, counted) = (2 + lot.below(4), some(lot, 8));
        formula.at_least(&counted, k, &CardEncoding::Auto).unwrap();
        let terms: Vec<(Lit, u64)> = some(lot, 7).into_iter().map(|lit| (lit, 1 + lot.below(9) as u64)).collect();
        formula.pb_at_most(&terms, 18, &PbEncoding::Auto).unwrap();
        formula.set_objective(x.iter().map(|&lit| (lit, lot.below(20) as i64 - 6)));
        formula
    }

    fn holds(formula: &Formula, model: &Assignment) -> bool {
        formula.clauses().all(|clause| clause.iter().any(|&lit| model.is_true(lit)))
            && formula.constraints().all(|constraint| constraint.holds(|lit| model.is_true(lit)))
    }

    #[test]
    fn answers_are_those_of_one_thread() {
        let (mut lot, mut refuted) = (Random::new(5), 0);
        for round in 0..60 {
            let formula = small(&mut lot);
            let threads = Threads::new([0, 2, 5][round % 3]);
            let expected = formula.solve().unwrap().is_some();
            refuted += usize::from(!expected);
            let cubes = formula.cubes(1 + lot.below(12), &Limits::none()).unwrap();
            for found in [threads.solve(&formula).unwrap(), threads.solve_cubes(&cubes).unwrap()] {
                assert_eq!(found.is_some(), expected);
                assert!(found.is_none_or(|model| model.len() == 9 && holds(&formula, &model)));
            }
            let (best, expected) = (threads.minimum(&formula).unwrap(), formula.minimum().unwrap());
            assert_eq!(best.as_ref().map(|best| best.value), expected.map(|best| best.value));
            assert!(best.is_none_or(|best| best.is_optimal() && holds(&formula, &best.model)));
        }
        assert!((5..55).contains(&refuted), "{refuted}");
    }

    fn pigeons(n: usize) -> Formula {
        let mut formula = Formula::new();
        let rows: Vec<Vec<Lit>> = (0..n).map(|_| formula.new_lits(n - 1)).collect();
        rows.iter().for_each(|row| formula.add_clause(row).unwrap());
        for hole in 0..n - 1 {
            for (at, row) in rows.iter().enumerate() {
                rows[..at].iter().for_each(|other| formula.add_clause(&[!row[hole], !other[hole]]).unwrap());
            }
        }
        formula
    }

    #[test]
    fn limits_hold_for_all_threads() {
        let formula = pigeons(14);
        let cubes = formula.cubes(6, &Limits::none()).unwrap();
        let flag = Arc::new(AtomicBool::new(false));
        let raised = Arc::clone(&flag);
        let other = thread::spawn(move || {
            thread::sleep(Duration::from_millis(200));
            raised.store(true, Ordering::Relaxed);
        });
        let all = [
            Limits::none().cancel(flag),
            Limits::none().time(Duration::from_millis(100)),
            Limits::none().conflicts(100),
        ];
        for limits in all {
            let (start, threads) = (Instant::now(), Threads::new(4).limits(limits));
            assert!(matches!(threads.solve(&formula), Err(SolveError::Interrupted(_))));
            assert!(matches!(threads.solve_cubes(&cubes), Err(SolveError::Interrupted(_))));
            assert!(matches!(threads.minimum(&formula), Err(SolveError::Interrupted(_))));
            assert!(start.elapsed() < Duration::from_secs(20));
        }
        other.join().unwrap();
    }

    /// A thread that has the answer ends those that would take days.
    #[test]
    fn an_answer_ends_the_others() {
        let (start, formula) = (Instant::now(), pigeons(14));
        let found = Threads::new(4).race(|at, clock| {
            if at == 2 { Ok(Some(at)) } else { whole(&formula, clock, Choices::default())?.solve(&[]).map(|_| None) }
        });
        assert_eq!(found.unwrap(), Some(2));
        assert!(start.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn a_panic_ends_the_others() {
        let (start, formula) = (Instant::now(), pigeons(14));
        let panicked = panic::catch_unwind(AssertUnwindSafe(|| {
            Threads::new(3).race(|at, clock| {
                assert!(at != 1, "a thread panics");
                whole(&formula, clock, Choices::default())?.solve(&[]).map(Some)
            })
        }));
        assert!(panicked.is_err() && start.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn an_error_is_no_refutation() {
        let race = |other: fn() -> Result<Option<u8>, SolveError>| {
            Threads::new(3).race(|at, _| match at {
                0 => Ok(None),
                1 => Err(SolveError::NoCore),
                _ => other(),
            })
        };
        assert!(matches!(race(|| Ok(None)), Err(SolveError::NoCore)));
        assert!(matches!(race(|| Err(SolveError::Interrupted(Stopped::Time))), Err(SolveError::NoCore)));
        assert_eq!(race(|| Ok(Some(1))).unwrap(), Some(1));
    }
}
