//! [`Threads`]: several solvers at one formula.

use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use rustsat::types::Lit;

use crate::minimise::{Optimise, Optimum, Strategy};
use crate::session::{Choices, Session};
use crate::{Problem, whole};
use cnfkit_core::internals::{Asking, Clock, Random};
use cnfkit_core::{Assignment, ClauseSink, Cnf, Cubes, Formula, SolveError};

/// Several solvers at one formula, each in a thread of its own.
///
/// The first answer is the answer, and ends the other threads. That there is a model, that there is none, and the
/// least value are the same each time; which model is found may differ. Each thread has a formula and a solver of its
/// own in memory, and each has all of the limits, conflicts among them, to itself.
///
/// ```
/// # #[cfg(feature = "batsat")]
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
/// # #[cfg(not(feature = "batsat"))]
/// # fn main() {}
/// ```
#[derive(Clone, Debug)]
pub struct Threads {
    n: usize,
    asking: Asking,
}

impl Threads {
    /// So many threads, at least one.
    #[must_use]
    pub fn new(n: usize) -> Self {
        Self { n: n.max(1), asking: Asking::default() }
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
                let mut session = whole(&variant, clock)?;
                let is_found = session.solve(&[])?;
                return Ok(Some(is_found.then(|| formula.decode(|lit| session.is_true(lit)))));
            }
            let cnf = variant.encode()?;
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
            let best = variant.search_minimum().strategy(strategy).within(clock.clone()).solve()?;
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

    /// What each thread came to. An answer ends the others.
    fn race_all<T: Send, O: Send>(
        &self,
        work: impl Fn(usize, &Clock) -> Result<Ended<T, O>, SolveError> + Sync,
    ) -> Vec<Result<Ended<T, O>, SolveError>> {
        let halt = Arc::new(AtomicBool::new(false));
        thread::scope(|scope| {
            let threads: Vec<_> = (0..self.n)
                .map(|at| {
                    let clock = self.asking.start().halted(Arc::clone(&halt));
                    let (work, halt) = (&work, &halt);
                    thread::Builder::new().spawn_scoped(scope, move || {
                        let ended = work(at, &clock);
                        if matches!(ended, Ok(Ended::Answer(_))) {
                            halt.store(true, Ordering::Relaxed);
                        }
                        ended
                    })
                })
                .collect();
            let join = |thread: std::io::Result<thread::ScopedJoinHandle<'_, _>>| match thread {
                Ok(thread) => thread.join().unwrap_or_else(|panicked| panic::resume_unwind(panicked)),
                Err(error) => Err(SolveError::solver(error)),
            };
            threads.into_iter().map(join).collect()
        })
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
    let at = failed.iter().position(|error| !matches!(error, SolveError::Interrupted)).unwrap_or(0);
    if failed.is_empty() { SolveError::Interrupted } else { failed.swap_remove(at) }
}

/// A solver that has the clauses, with literals under other names.
fn loaded(cnf: &Cnf, name: impl Fn(Lit) -> Lit, clock: &Clock) -> Result<Session, SolveError> {
    clock.check()?;
    let mut session = Session::on(clock, Choices::default());
    session.new_vars(cnf.n_vars())?;
    let mut renamed = Vec::new();
    for clause in cnf.clauses() {
        renamed.clear();
        renamed.extend(clause.iter().map(|&lit| name(lit)));
        session.add_clause(&renamed)?;
    }
    Ok(session)
}
