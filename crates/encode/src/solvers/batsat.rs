//! BatSat behind all of rustsat's traits that a question makes use of.

use std::time::Duration;

use batsat::theory::{Theory, TheoryArg};
use batsat::{Callbacks, ClauseKind, SolverInterface, lbool};
use rustsat::solvers::{
    GetInternalStats, Interrupt, InterruptSolver, LimitConflicts, PhaseLit, Propagate, PropagateResult, Solve,
    SolveIncremental, SolveStats, SolverResult, SolverStats,
};
use rustsat::types::{Cl, Clause, Lit, TernaryVal, Var};

use super::adapters::hand_on;
use super::interrupt::Interrupter;
use crate::running::Clock;

/// BatSat, in pure Rust.
///
/// It is [`rustsat_batsat::Solver`] with what that one lacks: it can be interrupted from another thread, its conflicts
/// can be limited, a variable can be given the value that is tried first ([`PhaseLit`]), as long as nothing has named
/// it, and it tells what unit propagation derives ([`Propagate`]).
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

/// The literals that are true once the assumptions are propagated.
struct Propagated<'a> {
    assumptions: &'a [batsat::Lit],
    /// Those of the last check: a conflict ends the search before the next one.
    trail: Vec<Lit>,
    n_levels: usize,
    /// All assumptions are true.
    is_done: bool,
    interrupter: &'a Interrupter,
}

impl Theory for Propagated<'_> {
    fn partial_check(&mut self, solver: &mut TheoryArg<'_>) {
        if self.is_done {
            return;
        }
        self.trail.clear();
        self.trail.extend(solver.model().iter().map(|lit| Lit::new(lit.var().idx(), !lit.sign())));
        if self.assumptions.iter().all(|lit| solver.value(lit.var()) ^ !lit.sign() == lbool::TRUE) {
            // The search ends before it decides for the second time.
            self.is_done = true;
            self.interrupter.interrupt();
        }
    }

    fn final_check(&mut self, _: &mut TheoryArg<'_>) {}

    fn create_level(&mut self) {
        self.n_levels += 1;
    }

    fn pop_levels(&mut self, n: usize) {
        self.n_levels -= n;
    }

    fn n_levels(&self) -> usize {
        self.n_levels
    }

    fn explain_propagation(&mut self, _: batsat::Lit) -> &[batsat::Lit] {
        &[]
    }
}

impl Propagate for BatSat {
    /// The literals that unit propagation derives of the assumptions, and they themselves. In a conflict these are
    /// those that were true before the assumption that led to it; the clause that is learnt of it stays. Phases are
    /// saved always.
    fn propagate(&mut self, assumptions: &[Lit], _phase_saving: bool) -> anyhow::Result<PropagateResult> {
        let interrupter = self.interrupter();
        let solver = self.0.batsat_mut();
        let assumed: Vec<_> =
            assumptions.iter().map(|lit| batsat::Lit::new(solver.var_of_int(lit.vidx32()), lit.is_pos())).collect();
        let (assumptions, interrupter) = (&assumed[..], &interrupter);
        let mut propagated = Propagated { assumptions, trail: Vec::new(), n_levels: 0, is_done: false, interrupter };
        // The first conflict ends the search.
        let limit = solver.cb_mut().conflicts.replace(1);
        solver.solve_limited_th(&mut propagated, assumptions);
        solver.cb_mut().conflicts = limit;
        interrupter.clear();
        Ok(PropagateResult { propagated: propagated.trail, conflict: !propagated.is_done })
    }
}

impl BatSat {
    /// The restarts so far, which [`GetInternalStats`] does not have.
    #[doc(hidden)]
    #[must_use]
    pub fn restarts(&self) -> usize {
        self.0.batsat_ref().num_restarts() as usize
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Propagated literals are those that rounds over all clauses find, and stay so when the solver is asked again.
    #[test]
    fn propagates_what_rounds_find() {
        let mut random = Random::new(1);
        let mut lit = || Lit::new(random.below(7) as u32, random.below(2) == 0);
        let (mut conflicts, mut agreed) = (0, 0);
        for round in 0..3000 {
            let mut solver = BatSat::default();
            let clauses: Vec<Vec<Lit>> = (0..9).map(|at| (0..2 + at % 2).map(|_| lit()).collect()).collect();
            let assumptions: Vec<Lit> = (0..round % 4).map(|_| lit()).collect();
            for clause in &clauses {
                solver.add_clause_ref(&clause[..]).unwrap();
            }
            let mut known = assumptions.clone();
            let is_false = |known: &[Lit], lit: Lit| known.contains(&!lit);
            while let Some(new) = clauses.iter().find_map(|clause| {
                let open: Vec<Lit> = clause.iter().copied().filter(|&lit| !is_false(&known, lit)).collect();
                let first = *open.first()?;
                let is_unit = open.iter().all(|&lit| lit == first);
                (is_unit && !known.contains(&first)).then_some(first)
            }) {
                known.push(new);
            }
            let is_empty = |clause: &Vec<Lit>| clause.iter().all(|&lit| is_false(&known, lit));
            let conflict = known.iter().any(|&lit| is_false(&known, lit)) || clauses.iter().any(is_empty);
            let found = solver.propagate(&assumptions, false).unwrap();
            assert_eq!(found.conflict, conflict, "{clauses:?} {assumptions:?}");
            if conflict {
                conflicts += 1;
            } else {
                agreed += 1;
                let sorted = |mut lits: Vec<Lit>| {
                    lits.sort_unstable();
                    lits.dedup();
                    lits
                };
                assert_eq!(sorted(found.propagated), sorted(known), "{clauses:?} {assumptions:?}");
            }
            let answer = solver.solve_assumps(&assumptions).unwrap();
            assert!(!conflict || answer == SolverResult::Unsat);
        }
        assert!(conflicts > 300 && agreed > 300, "{conflicts} {agreed}");
    }
}
