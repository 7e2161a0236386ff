//! Conflicts until solved.

use batsat::SolverInterface;
use clap::ValueEnum;
use cnfkit::rustsat::solvers::{Solve, SolverResult};
use cnfkit::rustsat::types::Cl;
use cnfkit::{Cnf, Lit};

use super::families::{Instance, Random};
use super::rows::Row;

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum SolverName {
    Batsat,
    #[cfg(feature = "cadical")]
    Cadical,
}

/// How an instance is solved.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    pub(crate) solver: SolverName,
    /// Conflicts after which an attempt counts as failed, and as twice that many.
    pub(crate) limit: u32,
    /// Attempts of each formula, the first with its clauses as encoded, the others with its clauses shuffled.
    pub(crate) attempts: u64,
}

/// What an attempt cost, and what was found if it ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    pub(crate) conflicts: u64,
    pub(crate) satisfiable: Option<bool>,
}

/// The attempts on an instance in natural and in shuffled literal order.
pub(crate) struct Outcomes {
    pub(crate) natural: Vec<Outcome>,
    pub(crate) shuffled: Vec<Outcome>,
    /// The formula is the same in either order.
    pub(crate) same: bool,
}

impl Effort {
    pub(crate) fn outcomes(self, row: &Row, instance: &Instance, seed: u64) -> Outcomes {
        let (first, second) = ((row.encode)(instance), (row.encode)(&instance.shuffled(seed)));
        let same = match (&first, &second) {
            (Some(first), Some(second)) => first.n_vars() == second.n_vars() && first.clauses().eq(second.clauses()),
            (None, None) => true,
            _ => false,
        };
        let natural = self.attempts(first.as_ref());
        let shuffled = if same { natural.clone() } else { self.attempts(second.as_ref()) };
        Outcomes { natural, shuffled, same }
    }

    fn attempts(self, cnf: Option<&Cnf>) -> Vec<Outcome> {
        let failed = Outcome { conflicts: 2 * u64::from(self.limit), satisfiable: None };
        (0..self.attempts).map(|seed| cnf.map_or(failed, |cnf| self.attempt(cnf, seed))).collect()
    }

    fn attempt(self, cnf: &Cnf, seed: u64) -> Outcome {
        let mut clauses: Vec<&[Lit]> = cnf.clauses().collect();
        if seed > 0 {
            Random(seed).shuffle(&mut clauses);
        }
        match self.solver {
            SolverName::Batsat => {
                let mut solver = cnfkit::solvers::BatSat::default();
                load(&clauses, &mut solver);
                // batsat asks once a conflict and once a decision: a count of questions is the same every time.
                let (steps, most) = (std::cell::Cell::new(0), 20 * u64::from(self.limit));
                solver.batsat_mut().cb_mut().set_stop(move || {
                    steps.set(steps.get() + 1);
                    steps.get() > most
                });
                let result = solver.solve().expect("batsat solves");
                self.outcome(result, solver.batsat_ref().num_conflicts())
            }
            #[cfg(feature = "cadical")]
            SolverName::Cadical => {
                use cnfkit::rustsat::solvers::{GetInternalStats, LimitConflicts};
                let mut solver = cnfkit::solvers::CaDiCaL::default();
                load(&clauses, &mut solver);
                solver.limit_conflicts(Some(self.limit)).expect("CaDiCaL takes a limit");
                let result = solver.solve().expect("CaDiCaL solves");
                self.outcome(result, GetInternalStats::conflicts(&solver) as u64)
            }
        }
    }

    /// What took more conflicts than the limit has failed, whether it ended or not.
    fn outcome(self, result: SolverResult, conflicts: u64) -> Outcome {
        let limit = u64::from(self.limit);
        match result {
            SolverResult::Sat if conflicts <= limit => Outcome { conflicts, satisfiable: Some(true) },
            SolverResult::Unsat if conflicts <= limit => Outcome { conflicts, satisfiable: Some(false) },
            _ => Outcome { conflicts: 2 * limit, satisfiable: None },
        }
    }
}

fn load<S: Solve>(clauses: &[&[Lit]], solver: &mut S) {
    for clause in clauses {
        solver.add_clause_ref(Cl::new(clause)).expect("the solver takes clauses");
    }
}
