//! A question to a rustsat solver that heeds the clock.

use std::any::Any;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use rustsat::solvers::{Interrupt, InterruptSolver, SolverResult};
use rustsat::types::Lit;

use crate::limits::SolveError;
use crate::running::{CallEnd, Clock};
use crate::solvers::{Never, Solver};

/// The time between two looks at a running solver: short beside the tenth of a second in which a question ends after
/// Ctrl-C, long beside the microseconds of a look.
const TICK: Duration = Duration::from_millis(2);
/// The largest limit on conflicts that every solver takes.
const MOST_CONFLICTS: u64 = i32::MAX as u64;

/// Runs `solve`, and interrupts `solver` when the clock says so.
///
/// # Errors
/// As `solve` fails, or the clock has run out before.
pub fn watched<S: Interrupt>(
    solver: &mut S,
    clock: &Clock,
    solve: impl FnOnce(&mut S) -> Result<SolverResult, SolveError>,
) -> Result<SolverResult, SolveError> {
    if !clock.is_limited() {
        return solve(solver);
    }
    clock.check()?;
    let interrupter = solver.interrupter();
    if (&interrupter as &dyn Any).is::<Never>() {
        return solve(solver);
    }
    if let Some(own) = (&interrupter as &dyn Any).downcast_ref::<crate::solvers::Interrupter>() {
        own.heed(Some(clock));
        let answer = solve(solver);
        own.heed(None);
        return answer;
    }
    let running = Arc::new(());
    thread::scope(|scope| {
        let seen = Arc::downgrade(&running);
        let watch = move || {
            thread::park_timeout(TICK);
            // Again and again: an interrupt that comes before the solver has started is lost.
            while seen.strong_count() > 0 {
                if clock.is_over() {
                    interrupter.interrupt();
                }
                thread::park_timeout(TICK);
            }
        };
        let watcher = thread::Builder::new().spawn_scoped(scope, watch).map_err(SolveError::solver)?;
        let answer = solve(solver);
        drop(running);
        watcher.thread().unpark();
        answer
    })
}

/// True if there is a model in which all of `assumptions` hold; `None` if `conflicts` did not do. What the clock has
/// left of conflicts is no more, and less by what this took.
pub(crate) fn ask_within<S: Solver>(
    solver: &mut S,
    assumptions: &[Lit],
    conflicts: u64,
    clock: &Clock,
) -> Result<Option<bool>, SolveError> {
    clock.ask(conflicts, |mut left| {
        let before = solver.conflicts();
        let mut spent = before;
        let end = loop {
            // Without a limit, rustsat's MiniSat and Glucose give up once an earlier question had a conflict.
            let turn = left.min(MOST_CONFLICTS);
            solver.limit_conflicts(u32::try_from(turn).ok()).map_err(SolveError::solver)?;
            let ask = |solver: &mut S| solver.solve_assumps(assumptions).map_err(SolveError::rustsat);
            match watched(solver, clock, ask)? {
                SolverResult::Sat => break CallEnd::Answer(true),
                SolverResult::Unsat => break CallEnd::Answer(false),
                // Not even half of the turn was taken: the solver was interrupted by its own interrupter. The other
                // half is for solvers that count their conflicts otherwise.
                SolverResult::Interrupted
                    if clock.is_over() || (solver.conflicts().saturating_sub(spent) as u64) < turn.div_ceil(2) =>
                {
                    break CallEnd::Interrupted;
                }
                SolverResult::Interrupted => (spent, left) = (solver.conflicts(), left - turn),
            }
            if left == 0 {
                break CallEnd::Turn;
            }
        };
        Ok((end, solver.conflicts().saturating_sub(before) as u64))
    })
}
