//! The solving of a formula with too many clauses to write: BatSat watches its counts and sums.

use batsat::{Callbacks, ClauseKind, Solver, SolverInterface, SolverOpts, lbool};
use rustsat::types::{self, Lit, TernaryVal, Var};

use super::{Assignment, MOST_WRITTEN, within_reach};
use crate::cnf::{CapacityError, Cnf};
use crate::constraint::Constraint;
use crate::deadline::{CLAUSES, Deadline};
use crate::formula::Formula;
use crate::lazy::{Attached, Sums, Watching, to_raw};
use crate::limits::SolveError;
use crate::running::Clock;
use crate::sink::{ClauseSink, Layer, free_variable};
use crate::size::Size;

/// The reasons for BatSat to stop.
struct Stop {
    clock: Clock,
    /// The conflicts that are left until costs are looked at.
    left: u64,
}

impl Callbacks for Stop {
    fn on_new_clause(&mut self, _: &[batsat::Lit], _: ClauseKind) {
        self.left = self.left.saturating_sub(1);
        self.clock.count_conflict();
    }

    fn stop(&self) -> bool {
        self.left == 0 || self.clock.is_over()
    }
}

/// BatSat as a sink.
struct Clauses {
    solver: Solver<Stop>,
    deadline: Deadline,
    clause: Vec<batsat::Lit>,
}

impl ClauseSink for Clauses {
    type Error = SolveError;

    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), SolveError> {
        self.deadline.step()?;
        let end = free_variable(clause.iter().copied());
        if end > self.solver.num_vars() {
            within_reach(end)?;
            while self.solver.num_vars() < end {
                self.solver.new_var_default();
            }
        }
        self.clause.clear();
        self.clause.extend(clause.iter().map(|&lit| to_raw(lit)));
        self.solver.add_clause_reuse(&mut self.clause);
        Ok(())
    }

    fn new_lit(&mut self) -> Lit {
        Lit::positive(self.solver.new_var_default().idx())
    }

    fn next_var(&self) -> Var {
        Var::new(self.solver.num_vars())
    }

    fn go_on(&mut self) -> Result<(), SolveError> {
        self.deadline.check()
    }

    fn reserve(&mut self, size: &Size) -> Result<(), SolveError> {
        let limit = Size { clauses: MOST_WRITTEN, ..Cnf::SOLVE_LIMIT };
        if size.fits(&limit) { Ok(()) } else { Err(CapacityError::new(*size, limit).into()) }
    }

    fn wants_constraints(&self) -> bool {
        true
    }
}

/// A sink in front of it that has constraints watched.
struct Offered<'a>(&'a mut Clauses, &'a mut Watching);

impl Layer for Offered<'_> {
    type Inner = Clauses;

    fn inner(&self) -> &Clauses {
        self.0
    }

    fn inner_mut(&mut self) -> &mut Clauses {
        self.0
    }

    fn pass_offer(&mut self, constraint: &Constraint<'_>) -> Result<bool, SolveError> {
        Ok(self.1.take(constraint))
    }
}

/// A model of the formula's own variables, or `None` when there is provably none.
pub(super) fn solve(formula: &Formula, clock: &Clock) -> Result<Option<Assignment>, SolveError> {
    let stop = Stop { clock: clock.clone(), left: u64::MAX };
    let mut clauses = Clauses {
        solver: Solver::new(SolverOpts::default(), stop),
        deadline: Deadline::new(clock, CLAUSES),
        clause: Vec::new(),
    };
    let mut watching = Watching::default();
    formula.encode_into(&mut Offered(&mut clauses, &mut watching))?;
    let mut watched = Attached::new(Box::new(Sums::told(&watching.told)));
    loop {
        clock.check()?;
        watching.encode_costly(clauses.solver.num_conflicts(), &mut clauses)?;
        clauses.solver.cb_mut().left = watching.pause.min(clock.conflicts_left());
        let before = clauses.solver.num_conflicts();
        let answer = clauses.solver.solve_limited_th(&mut watched, &[]);
        clock.spend(clauses.solver.num_conflicts() - before);
        if answer == lbool::FALSE {
            return Ok(None);
        }
        if answer == lbool::TRUE {
            let is_true = |var: u32| clauses.solver.value_lit(to_raw(Lit::positive(var))) == lbool::TRUE;
            let values: Vec<_> = (0..formula.n_vars() as u32).map(|var| TernaryVal::from(is_true(var))).collect();
            return Ok(Some(types::Assignment::from(values).into()));
        }
    }
}
