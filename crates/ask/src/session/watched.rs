//! A question to a rustsat solver that heeds the clock.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use rustsat::solvers::{Interrupt, InterruptSolver, Solve, SolverResult};
use rustsat::types::{Assignment, Var};

use cnfkit_core::SolveError;
use cnfkit_core::internals::Clock;

/// The time between two looks at a running solver: short beside the tenth of a second in which a question ends after
/// Ctrl-C, long beside the microseconds of a look.
const TICK: Duration = Duration::from_millis(2);

/// Runs `solve`, and interrupts `solver` when the clock says so.
pub(super) fn watched<S: Interrupt>(
    solver: &mut S,
    clock: &Clock,
    solve: impl FnOnce(&mut S) -> Result<SolverResult, SolveError>,
) -> Result<SolverResult, SolveError> {
    if !clock.is_limited() {
        return solve(solver);
    }
    clock.check()?;
    let interrupter = solver.interrupter();
    let (done, running) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            // Again and again: an interrupt that comes before the solver has started is lost.
            while running.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if clock.is_over() {
                    interrupter.interrupt();
                }
            }
        });
        let result = solve(solver);
        drop(done);
        result
    })
}

/// The model after an answer, over the variables up to `highest`.
pub(super) fn model<S: Solve>(
    solver: &S,
    answer: SolverResult,
    highest: Option<Var>,
) -> Result<Option<Assignment>, SolveError> {
    match (answer, highest) {
        (SolverResult::Interrupted, _) => Err(SolveError::Interrupted),
        (SolverResult::Unsat, _) => Ok(None),
        (SolverResult::Sat, None) => Ok(Some(Assignment::default())),
        (SolverResult::Sat, Some(highest)) => solver.solution(highest).map(Some).map_err(SolveError::solver),
    }
}
