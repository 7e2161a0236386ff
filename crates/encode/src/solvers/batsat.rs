//! BatSat behind all of rustsat's traits that a question makes use of.

use std::time::Duration;

use batsat::{Callbacks, ClauseKind, SolverInterface, lbool};
use rustsat::solvers::{
    GetInternalStats, Interrupt, LimitConflicts, PhaseLit, Solve, SolveIncremental, SolveStats, SolverResult,
    SolverStats,
};
use rustsat::types::{Cl, Clause, Lit, TernaryVal, Var};

use super::adapters::hand_on;
use super::interrupt::Interrupter;
use crate::running::Clock;

/// BatSat, in pure Rust.
///
/// It is [`rustsat_batsat::Solver`] with what that one lacks: it can be interrupted from another thread, its conflicts
/// can be limited, and a variable can be given the value that is tried first ([`PhaseLit`]), as long as nothing has
/// named it.
///
/// ```
/// use cnfkit::rustsat::solvers::{Interrupt, InterruptSolver, Solve, SolverResult};
/// use cnfkit::{ClauseSink, Constrain, Pairwise, SolverSink, solvers::BatSat};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut sink = SolverSink::owned(BatSat::default());
/// let rows: Vec<_> = (0..11).map(|_| sink.new_lits(10)).collect(); // 11 pigeons, 10 holes: minutes
/// rows.iter().try_for_each(|row| sink.add_clause(row))?;
/// for hole in 0..10 {
///     let column: Vec<_> = rows.iter().map(|row| row[hole]).collect();
///     sink.at_most_one(&column, &Pairwise)?;
/// }
/// let mut solver = sink.into_solver();
/// let interrupter = solver.interrupter();
/// let waiting = std::thread::spawn(move || {
///     std::thread::sleep(std::time::Duration::from_millis(20));
///     interrupter.interrupt();
/// });
/// assert_eq!(solver.solve()?, SolverResult::Interrupted);
/// # waiting.join().unwrap();
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct BatSat(rustsat_batsat::Solver<StopReasons>);

/// The reasons for BatSat to stop.
#[derive(Debug, Default)]
struct StopReasons {
    interrupter: Interrupter,
    clock: Option<Clock>,
    /// The most conflicts of each search.
    conflicts: Option<u32>,
    /// The conflicts that are left of them.
    left: Option<u32>,
}

impl Callbacks for StopReasons {
    fn on_start(&mut self) {
        self.left = self.conflicts;
        self.clock = self.interrupter.clock();
    }

    fn on_new_clause(&mut self, _: &[batsat::Lit], _: ClauseKind) {
        self.left = self.left.map(|left| left.saturating_sub(1));
        if let Some(clock) = &self.clock {
            clock.count_conflict();
        }
    }

    fn on_result(&mut self, _: lbool) {
        self.interrupter.clear();
    }

    fn stop(&self) -> bool {
        self.left == Some(0) || self.interrupter.is_interrupted() || self.clock.as_ref().is_some_and(Clock::is_over)
    }
}

impl Interrupt for BatSat {
    type Interrupter = Interrupter;

    fn interrupter(&mut self) -> Interrupter {
        self.0.batsat_ref().cb().interrupter.clone()
    }
}

impl LimitConflicts for BatSat {
    fn limit_conflicts(&mut self, limit: Option<u32>) -> anyhow::Result<()> {
        self.0.batsat_mut().cb_mut().conflicts = limit;
        Ok(())
    }
}

impl PhaseLit for BatSat {
    /// Makes the variable, and those before it.
    fn phase_lit(&mut self, lit: Lit) -> anyhow::Result<()> {
        let solver = self.0.batsat_mut();
        if lit.vidx32() < solver.num_vars() {
            anyhow::bail!("BatSat takes a first value only for a new variable, not for {}", lit.var());
        }
        while solver.num_vars() < lit.vidx32() {
            solver.new_var_default();
        }
        solver.new_var(if lit.is_pos() { lbool::TRUE } else { lbool::FALSE }, true);
        Ok(())
    }

    fn unphase_var(&mut self, var: Var) -> anyhow::Result<()> {
        anyhow::bail!("BatSat cannot take back the first value of {var}")
    }
}

impl GetInternalStats for BatSat {
    fn propagations(&self) -> usize {
        self.0.batsat_ref().num_propagations() as usize
    }

    fn decisions(&self) -> usize {
        self.0.batsat_ref().num_decisions() as usize
    }

    fn conflicts(&self) -> usize {
        self.0.batsat_ref().num_conflicts() as usize
    }
}

hand_on!(BatSat);

impl SolveStats for BatSat {
    fn stats(&self) -> SolverStats {
        self.0.stats()
    }

    fn n_sat_solves(&self) -> usize {
        self.0.n_sat_solves()
    }

    fn n_unsat_solves(&self) -> usize {
        self.0.n_unsat_solves()
    }

    fn n_terminated(&self) -> usize {
        self.0.n_terminated()
    }

    fn n_clauses(&self) -> usize {
        self.0.n_clauses()
    }

    fn max_var(&self) -> Option<Var> {
        self.0.max_var()
    }

    fn avg_clause_len(&self) -> f32 {
        self.0.avg_clause_len()
    }

    fn cpu_solve_time(&self) -> Duration {
        self.0.cpu_solve_time()
    }
}
