//! Other solvers that take turns at one problem: all that are on, beside BatSat, which the session has.
//!
//! The caller hands in the problem as a formula, in one or more forms, and a [`Schedule`] that says which form each
//! kind of solver gets and how long its turns are. Turns are counted in conflicts, not in time: the same question gets
//! the same answer on every machine.
//!
//! CaDiCaL, Glucose and MiniSat carry on in each turn where the last one stopped. Kissat cannot: each of its turns
//! starts anew, with the variables in another order.

use rustsat::types::Assignment;

use cnfkit_core::internals::Clock;
use cnfkit_core::{Cnf, SolveError};

/// The end of a turn: a model, the proof that there is none (`Some(None)`), or neither in time.
type TurnAnswer = Option<Option<Assignment>>;

/// The problem as a formula, in the form of this number; the first variables mean the same in all forms, and only their
/// values are looked at.
pub(crate) type TurnFormula<'a> = &'a mut dyn FnMut(usize) -> Result<Cnf, SolveError>;

/// The form of the problem that each solver gets, and the lengths of turns.
// Each solver reads its own part, and some are off.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// The form that solvers get which carry on where they stopped.
    pub kept_form: usize,
    /// Conflicts of such a solver's first turn; each round has twice as many as the one before.
    pub kept_conflicts: u32,
    /// The turns of one round of a solver that starts anew.
    pub anew: &'static [AnewTurn],
    /// One more such turn in every second round, in this form and with the solver's own settings: for what has no
    /// model.
    pub anew_as_is: usize,
    /// Conflicts of each turn in its first round; each round has twice as many as the one before.
    pub anew_conflicts: u32,
}

/// A turn that starts anew, for a solver that looks for models: no simplification, false first, restarts after Luby's
/// sequence.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
pub struct AnewTurn {
    /// The form it gets.
    pub form: usize,
    /// The unit of its restart intervals, in conflicts.
    pub interval: i32,
}

/// The number of rounds after which the turns of a solver that carries on are as long as they get: the longest has 2¹⁶
/// times the conflicts of its first, 655 million in the largest schedule, which still fits 31 bits.
#[allow(dead_code)]
const KEPT_DOUBLINGS: u32 = 16;
/// The number of rounds after which turns that start anew are as long as they get. 2¹¹ keeps the conflicts of the
/// largest schedule, 10⁶ in a first turn, within 31 bits.
#[allow(dead_code)]
const ANEW_DOUBLINGS: u32 = 11;

/// A solver that can be stopped after so many conflicts.
trait Player {
    /// Looks for a model of `formula`, the same every time, for as long as the schedule says of this round (from 0).
    fn turn(
        &mut self,
        formula: TurnFormula,
        schedule: &Schedule,
        round: u32,
        clock: &Clock,
    ) -> Result<TurnAnswer, SolveError>;
}

/// The solvers that take turns.
#[allow(missing_debug_implementations)] // solvers in boxes
pub struct Portfolio {
    players: Vec<Box<dyn Player>>,
    schedule: Schedule,
    round: u32,
}

impl Portfolio {
    /// True if any other solver is on.
    pub const ANY: bool = cfg!(any(feature = "cadical", feature = "glucose", feature = "kissat", feature = "minisat"));

    /// All other solvers that are on, with `seed` where they take one.
    ///
    /// # Errors
    /// As the solver fails, or the clock runs out.
    pub fn new(schedule: Schedule, seed: u64) -> Result<Self, SolveError> {
        Ok(Self { players: players(seed)?, schedule, round: 0 })
    }

    /// A round of turns, longer than the last, for each solver, until one has the answer: a model, or that there is
    /// none.
    ///
    /// # Errors
    /// As the solver fails, or the clock runs out.
    pub fn round(&mut self, formula: TurnFormula, clock: &Clock) -> Result<TurnAnswer, SolveError> {
        let round = self.round;
        self.round += 1;
        for player in &mut self.players {
            clock.check()?;
            let answer = player.turn(formula, &self.schedule, round, clock)?;
            if answer.is_some() {
                return Ok(answer);
            }
        }
        Ok(None)
    }
}

/// The other solvers, the strongest first.
// Some are off, and Glucose and MiniSat take no seed.
#[allow(unused_mut, unused_variables, clippy::unnecessary_wraps, clippy::vec_init_then_push)]
fn players(seed: u64) -> Result<Vec<Box<dyn Player>>, SolveError> {
    let mut players: Vec<Box<dyn Player>> = Vec::new();
    #[cfg(feature = "cadical")]
    players.push(Box::new(kept::cadical(seed)?));
    #[cfg(all(feature = "kissat", not(feature = "cadical")))]
    players.push(Box::new(anew::Kissats::new(seed)));
    #[cfg(feature = "glucose")]
    players.push(Box::new(kept::KeptSolver::new(cnfkit_core::solvers::Glucose::default())));
    #[cfg(feature = "minisat")]
    players.push(Box::new(kept::KeptSolver::new(cnfkit_core::solvers::MiniSat::default())));
    Ok(players)
}

/// Asks a solver that has a formula of so many variables, and a limit.
#[cfg(any(feature = "cadical", feature = "glucose", feature = "kissat", feature = "minisat"))]
fn ask<S>(solver: &mut S, n_vars: usize, clock: &Clock) -> Result<TurnAnswer, SolveError>
where
    S: rustsat::solvers::Solve + rustsat::solvers::Interrupt,
{
    use rustsat::solvers::SolverResult;
    let answer = cnfkit_core::internals::watched(solver, clock, |solver| solver.solve().map_err(SolveError::solver))?;
    match (answer, n_vars.checked_sub(1)) {
        (SolverResult::Interrupted, _) => clock.check().map(|()| None),
        (SolverResult::Unsat, _) => Ok(Some(None)),
        (SolverResult::Sat, None) => Ok(Some(Some(Assignment::default()))),
        (SolverResult::Sat, Some(highest)) => {
            let model = solver.solution(rustsat::types::Var::new(highest as u32)).map_err(SolveError::solver)?;
            Ok(Some(Some(model)))
        }
    }
}

/// Solvers that carry on where they stopped.
#[cfg(any(feature = "cadical", feature = "glucose", feature = "minisat"))]
mod kept {
    use rustsat::solvers::{Interrupt, LimitConflicts, Solve};

    use super::{KEPT_DOUBLINGS, Player, Schedule, TurnAnswer, TurnFormula, ask};
    use cnfkit_core::SolveError;
    use cnfkit_core::internals::{Clock, load};

    pub(super) struct KeptSolver<S> {
        solver: S,
        /// Of the formula that the solver has.
        n_vars: Option<usize>,
    }

    impl<S> KeptSolver<S> {
        pub(super) fn new(solver: S) -> Self {
            Self { solver, n_vars: None }
        }
    }

    impl<S: Solve + Interrupt + LimitConflicts> Player for KeptSolver<S> {
        fn turn(
            &mut self,
            formula: TurnFormula,
            schedule: &Schedule,
            round: u32,
            clock: &Clock,
        ) -> Result<TurnAnswer, SolveError> {
            let n_vars = match self.n_vars {
                Some(n_vars) => n_vars,
                None => {
                    let cnf = formula(schedule.kept_form)?;
                    load(&cnf, &mut self.solver, clock)?;
                    *self.n_vars.insert(cnf.n_vars())
                }
            };
            let conflicts = schedule.kept_conflicts << round.min(KEPT_DOUBLINGS);
            self.solver.limit_conflicts(Some(conflicts)).map_err(SolveError::solver)?;
            ask(&mut self.solver, n_vars, clock)
        }
    }

    #[cfg(feature = "cadical")]
    pub(super) fn cadical(
        seed: u64,
    ) -> Result<KeptSolver<cnfkit_core::solvers::CaDiCaL<'static, 'static>>, SolveError> {
        let mut solver = cnfkit_core::solvers::CaDiCaL::default();
        solver.set_configuration(rustsat_cadical::Config::Sat).map_err(SolveError::solver)?;
        solver.set_option("seed", (seed & 0x7FFF_FFFF) as i32).map_err(SolveError::solver)?;
        Ok(KeptSolver::new(solver))
    }
}

/// Kissat, which cannot carry on: every turn starts anew, with the variables in another order (its own seed does not
/// matter in its plain mode).
#[cfg(all(feature = "kissat", not(feature = "cadical")))]
mod anew {
    use rustsat::solvers::Solve;
    use rustsat::types::{Assignment, Cl, Lit, Var};
    use rustsat_kissat::{Config, Limit};

    use super::{ANEW_DOUBLINGS, Player, Schedule, TurnAnswer, TurnFormula, ask};
    use cnfkit_core::SolveError;
    use cnfkit_core::internals::{CLAUSES, Clock, Deadline, Random};
    use cnfkit_core::solvers::Kissat;

    pub(super) struct Kissats {
        lot: Random,
    }

    impl Kissats {
        pub(super) fn new(seed: u64) -> Self {
            Self { lot: Random::new(seed) }
        }

        /// One turn in this form; `interval` as in [`AnewTurn`](super::AnewTurn), none for Kissat as it is.
        fn one(
            &mut self,
            formula: TurnFormula,
            (form, interval): (usize, Option<i32>),
            conflicts: u32,
            clock: &Clock,
        ) -> Result<TurnAnswer, SolveError> {
            clock.check()?;
            let mut solver = Kissat::default();
            if let Some(interval) = interval {
                solver.set_configuration(Config::Plain).map_err(SolveError::solver)?;
                set(&mut solver, "reluctantint", interval)?;
                set(&mut solver, "phase", 0)?;
            }
            solver.set_limit(Limit::Conflicts(conflicts));
            let cnf = formula(form)?;
            let mut order: Vec<u32> = (0..cnf.n_vars() as u32).collect();
            self.lot.shuffle(&mut order);
            if let Some(highest) = order.len().checked_sub(1) {
                solver.reserve(Var::new(highest as u32)).map_err(SolveError::solver)?;
            }
            let mut renamed: Vec<Lit> = Vec::new();
            let mut deadline = Deadline::new(clock, CLAUSES);
            for clause in cnf.clauses() {
                deadline.step()?;
                renamed.clear();
                renamed.extend(clause.iter().map(|lit| Lit::new(order[lit.vidx()], lit.is_neg())));
                solver.add_clause_ref(Cl::new(&renamed)).map_err(SolveError::solver)?;
            }
            drop(cnf);
            let answer = ask(&mut solver, order.len(), clock)?;
            let in_order = |model: Assignment| order.iter().map(|&var| model.var_value(Var::new(var))).collect();
            Ok(answer.map(|model| model.map(in_order)))
        }
    }

    /// Sets an option. The result of rustsat-kissat 0.7.5 is no use: it takes an earlier value of 0 for a failure.
    fn set(solver: &mut Kissat, name: &str, value: i32) -> Result<(), SolveError> {
        let _ = solver.set_option(name, value);
        if solver.get_option(name).map_err(SolveError::solver)? == value {
            Ok(())
        } else {
            Err(SolveError::solver(format!("Kissat has no option {name} = {value}")))
        }
    }

    impl Player for Kissats {
        fn turn(
            &mut self,
            formula: TurnFormula,
            schedule: &Schedule,
            round: u32,
            clock: &Clock,
        ) -> Result<TurnAnswer, SolveError> {
            let conflicts = schedule.anew_conflicts << round.min(ANEW_DOUBLINGS);
            for turn in schedule.anew {
                let answer = self.one(formula, (turn.form, Some(turn.interval)), conflicts, clock)?;
                if answer.is_some() {
                    return Ok(answer);
                }
            }
            // The first round is number 0.
            let as_is = !round.is_multiple_of(2);
            if as_is { self.one(formula, (schedule.anew_as_is, None), conflicts, clock) } else { Ok(None) }
        }
    }
}

#[cfg(all(test, any(feature = "cadical", feature = "glucose", feature = "kissat", feature = "minisat")))]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    use std::time::{Duration, Instant};

    use rustsat::types::{Lit, TernaryVal};

    use super::*;
    use cnfkit_core::{AtMostOne, ClauseSink, Limits, Pairwise};

    fn holes(pigeons: usize, holes: usize) -> Cnf {
        let mut cnf = Cnf::with_vars(pigeons * holes);
        let lit = |pigeon: usize, hole: usize| Lit::positive((pigeon * holes + hole) as u32);
        for pigeon in 0..pigeons {
            let clause: Vec<Lit> = (0..holes).map(|hole| lit(pigeon, hole)).collect();
            cnf.add_clause(&clause).unwrap();
        }
        for hole in 0..holes {
            let lits: Vec<Lit> = (0..pigeons).map(|pigeon| lit(pigeon, hole)).collect();
            Pairwise.at_most_one(&mut cnf, &lits).unwrap();
        }
        cnf
    }

    /// Turns of so many conflicts in the first round.
    fn schedule(conflicts: u32) -> Schedule {
        let anew = &[AnewTurn { form: 0, interval: 100 }];
        Schedule { kept_form: 0, kept_conflicts: conflicts, anew, anew_as_is: 0, anew_conflicts: conflicts }
    }

    #[test]
    fn each_finds_a_model_or_that_there_is_none() {
        let (room, crowd, clock) = (holes(8, 8), holes(6, 5), Clock::default());
        for seed in [0, 1, u64::MAX] {
            for mut player in players(seed).unwrap() {
                let model =
                    player.turn(&mut |_| Ok(room.clone()), &schedule(100_000), 0, &clock).unwrap().unwrap().unwrap();
                let holds = |lit: &Lit| model.lit_value(*lit) == TernaryVal::True;
                assert!(room.clauses().all(|clause| clause.iter().any(holds)));
            }
            for mut player in players(seed).unwrap() {
                assert_eq!(player.turn(&mut |_| Ok(crowd.clone()), &schedule(100_000), 0, &clock).unwrap(), Some(None));
            }
        }
    }

    #[test]
    fn each_stops_after_its_turn_and_goes_on_in_the_next() {
        let (crowd, clock) = (holes(8, 7), Clock::default());
        for mut player in players(0).unwrap() {
            assert_eq!(player.turn(&mut |_| Ok(crowd.clone()), &schedule(10), 0, &clock).unwrap(), None);
            let answer =
                (0..20).find_map(|turn| player.turn(&mut |_| Ok(crowd.clone()), &schedule(100), turn, &clock).unwrap());
            assert_eq!(answer, Some(None));
        }
        let mut portfolio = Portfolio::new(schedule(1_000), 0).unwrap();
        assert!(!portfolio.players.is_empty());
        let larger = holes(10, 9);
        let formula = &mut |_| Ok(larger.clone());
        assert_eq!(portfolio.round(formula, &clock).unwrap(), None);
        assert_eq!((0..20).find_map(|_| portfolio.round(formula, &clock).unwrap()), Some(None));
    }

    #[test]
    fn each_heeds_the_clock() {
        let crowd = holes(15, 14);
        let cancelled = Limits::none().cancel(Arc::new(AtomicBool::new(true)));
        for limits in [Limits::none().time(Duration::from_millis(60)), cancelled] {
            for mut player in players(0).unwrap() {
                let start = Instant::now();
                let answer = player.turn(&mut |_| Ok(crowd.clone()), &schedule(1_000_000_000), 0, &limits.start());
                assert!(matches!(answer, Err(SolveError::Interrupted(_))), "{answer:?}");
                assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
            }
        }
    }
}
