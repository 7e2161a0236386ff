//! Conflicts until solved.

use batsat::SolverInterface;
use clap::ValueEnum;
use cnfkit::rustsat::solvers::{Solve, SolverResult};
use cnfkit::rustsat::types::Cl;
use cnfkit::{Cnf, Lit};

use super::families::{Instance, Random};
use super::rows::{Literals, Row};

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

/// The cost of an attempt, and its answer if it ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    pub(crate) conflicts: u64,
    pub(crate) satisfiable: Option<bool>,
}

/// In which order a row gets an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Listing {
    /// As it was generated.
    Natural,
    /// The literals of every constraint shuffled.
    Shuffled,
    /// Variables renumbered at random, everything shuffled.
    Renumbered,
    /// That too, then literals in the order that a `Formula` computes.
    Ordered,
    /// As it was generated, in the order that a `Formula` computes.
    Written,
    /// As it was generated, through a `Formula` that keeps the order of each constraint.
    Kept,
}

impl Listing {
    pub(crate) const STANDARD: [Self; 4] = [Self::Natural, Self::Shuffled, Self::Renumbered, Self::Ordered];
}

impl Effort {
    /// The attempts on an instance; none where literals are sorted before encoding, so that nothing is shuffled. The
    /// last two listings have other numbers in every attempt.
    pub(crate) fn outcomes(self, row: &Row, instance: &Instance, listing: Listing, seed: u64) -> Vec<Outcome> {
        let encode = |attempt: u64| match listing {
            Listing::Natural => (row.encode)(instance, Literals::Own),
            Listing::Shuffled => (row.encode)(&instance.shuffled(seed), Literals::Own),
            Listing::Renumbered => (row.encode)(&instance.renumbered(seed * 100 + attempt), Literals::Own),
            Listing::Ordered => (row.encode)(&instance.renumbered(seed * 100 + attempt), Literals::Ordered),
            Listing::Written => (row.encode)(instance, Literals::Ordered),
            Listing::Kept => (row.encode)(instance, Literals::Kept),
        };
        match listing {
            Listing::Natural | Listing::Shuffled => {
                let first = encode(0);
                if listing == Listing::Shuffled && same(first.as_ref(), (row.encode)(instance, Literals::Own).as_ref())
                {
                    return Vec::new();
                }
                (0..self.attempts).map(|attempt| self.outcome_of(first.as_ref(), attempt)).collect()
            }
            _ => (0..self.attempts).map(|attempt| self.outcome_of(encode(attempt).as_ref(), attempt)).collect(),
        }
    }

    fn outcome_of(self, cnf: Option<&Cnf>, seed: u64) -> Outcome {
        let failed = Outcome { conflicts: 2 * u64::from(self.limit), satisfiable: None };
        cnf.map_or(failed, |cnf| self.attempt(cnf, seed))
    }

    fn attempt(self, cnf: &Cnf, seed: u64) -> Outcome {
        let mut clauses: Vec<&[Lit]> = cnf.clauses().collect();
        if seed > 0 {
            Random(seed).shuffle(&mut clauses);
        }
        match self.solver {
            SolverName::Batsat => {
                let mut solver = rustsat_batsat::BasicSolver::default();
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

    /// An attempt that took more conflicts than the limit has failed, whether it ended or not.
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

fn same(one: Option<&Cnf>, other: Option<&Cnf>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => one.n_vars() == other.n_vars() && one.clauses().eq(other.clauses()),
        (None, None) => true,
        _ => false,
    }
}
