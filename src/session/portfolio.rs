//! Other solvers that take turns at one formula: all that are on, beside BatSat, which the session has.
//!
//! Turns are counted in conflicts, not in time: the same question gets the same answer on every machine.

use rustsat::types::Assignment;

use crate::solve::Clock;
use crate::{Cnf, SolveError};

/// What a turn ends with: a model, the proof that there is none (`Some(None)`), or neither in time.
type Answer = Option<Option<Assignment>>;

/// A solver that can be stopped after so many conflicts.
trait Player {
    /// Looks for a model of `cnf`, the same formula every time, for about so many more conflicts.
    fn turn(&mut self, cnf: &Cnf, conflicts: u32, clock: &Clock) -> Result<Answer, SolveError>;
}

/// A formula, and the solvers that take turns at it.
pub(crate) struct Portfolio {
    cnf: Cnf,
    players: Vec<Box<dyn Player>>,
}

impl Portfolio {
    /// Whether any other solver is on.
    pub(crate) const ANY: bool =
        cfg!(any(feature = "cadical", feature = "glucose", feature = "kissat", feature = "minisat"));

    /// All other solvers that are on, with `seed` where they take one; 0 leaves them as they are.
    pub(crate) fn new(cnf: Cnf, seed: u64) -> Result<Self, SolveError> {
        Ok(Self { cnf, players: players(seed)? })
    }

    /// A turn of about so many conflicts for each solver, until one has the answer: a model, or that there is none.
    pub(crate) fn round(&mut self, conflicts: u32, clock: &Clock) -> Result<Answer, SolveError> {
        for player in &mut self.players {
            clock.check()?;
            let answer = player.turn(&self.cnf, conflicts, clock)?;
            if answer.is_some() {
                return Ok(answer);
            }
        }
        Ok(None)
    }
}

/// The strongest first.
// Some are off, and Glucose and MiniSat take no seed.
#[allow(unused_mut, unused_variables, clippy::unnecessary_wraps, clippy::vec_init_then_push)]
fn players(seed: u64) -> Result<Vec<Box<dyn Player>>, SolveError> {
    let mut players: Vec<Box<dyn Player>> = Vec::new();
    #[cfg(feature = "cadical")]
    players.push(Box::new(kept::cadical(seed)?));
    #[cfg(all(feature = "kissat", not(feature = "cadical")))]
    players.push(Box::new(anew::Kissats::new(seed)));
    #[cfg(feature = "glucose")]
    players.push(Box::new(kept::Kept::new(crate::solvers::Glucose::default())));
    #[cfg(feature = "minisat")]
    players.push(Box::new(kept::Kept::new(crate::solvers::MiniSat::default())));
    Ok(players)
}

/// Asks a solver that has `cnf`, and a limit.
#[cfg(any(feature = "cadical", feature = "glucose", feature = "kissat", feature = "minisat"))]
fn ask<S>(solver: &mut S, cnf: &Cnf, clock: &Clock) -> Result<Answer, SolveError>
where
    S: rustsat::solvers::Solve + rustsat::solvers::Interrupt,
{
    use rustsat::solvers::SolverResult;
    let highest = cnf.n_vars().checked_sub(1).map(|highest| rustsat::types::Var::new(highest as u32));
    match super::watched::watched(solver, clock, |solver| solver.solve().map_err(SolveError::solver))? {
        SolverResult::Interrupted => clock.check().map(|()| None),
        answer => super::watched::model(solver, answer, highest).map(Some),
    }
}

/// Solvers that carry on where they stopped.
#[cfg(any(feature = "cadical", feature = "glucose", feature = "minisat"))]
mod kept {
    use rustsat::solvers::{Interrupt, LimitConflicts, Solve};

    use super::{Answer, Player, ask};
    use crate::solve::{Clock, load};
    use crate::{Cnf, SolveError};

    pub(super) struct Kept<S> {
        solver: S,
        loaded: bool,
    }

    impl<S> Kept<S> {
        pub(super) fn new(solver: S) -> Self {
            Self { solver, loaded: false }
        }
    }

    impl<S: Solve + Interrupt + LimitConflicts> Player for Kept<S> {
        fn turn(&mut self, cnf: &Cnf, conflicts: u32, clock: &Clock) -> Result<Answer, SolveError> {
            if !self.loaded {
                load(cnf, &mut self.solver)?;
                self.loaded = true;
            }
            self.solver.limit_conflicts(Some(conflicts)).map_err(SolveError::solver)?;
            ask(&mut self.solver, cnf, clock)
        }
    }

    #[cfg(feature = "cadical")]
    pub(super) fn cadical(seed: u64) -> Result<Kept<crate::solvers::CaDiCaL<'static, 'static>>, SolveError> {
        let mut solver = crate::solvers::CaDiCaL::default();
        solver.set_configuration(rustsat_cadical::Config::Sat).map_err(SolveError::solver)?;
        solver.set_option("seed", (seed & 0x7FFF_FFFF) as i32).map_err(SolveError::solver)?;
        Ok(Kept::new(solver))
    }
}

/// Kissat, which cannot carry on: every turn starts anew, with another seed, and every other turn is for puzzles with many
/// solutions.
#[cfg(all(feature = "kissat", not(feature = "cadical")))]
mod anew {
    use rustsat_kissat::{Config, Limit};

    use super::{Answer, Player, ask};
    use crate::solve::{Clock, load};
    use crate::solvers::Kissat;
    use crate::{Cnf, SolveError};

    /// A search that starts anew needs longer turns than one that carries on.
    const LONGER: u32 = 30;

    pub(super) struct Kissats {
        seed: u64,
        turns: u64,
    }

    impl Kissats {
        pub(super) fn new(seed: u64) -> Self {
            Self { seed, turns: 0 }
        }
    }

    impl Player for Kissats {
        fn turn(&mut self, cnf: &Cnf, conflicts: u32, clock: &Clock) -> Result<Answer, SolveError> {
            let mut solver = Kissat::default();
            let config = if self.turns.is_multiple_of(2) { Config::Plain } else { Config::Sat };
            solver.set_configuration(config).map_err(SolveError::solver)?;
            let seed = self.seed.wrapping_add(self.turns) & 0x7FFF_FFFF;
            // rustsat-kissat 0.7.5 takes the value there was before, 0, for a failure.
            let _ = solver.set_option("seed", seed as i32);
            solver.set_limit(Limit::Conflicts(conflicts.saturating_mul(LONGER)));
            self.turns += 1;
            load(cnf, &mut solver)?;
            ask(&mut solver, cnf, clock)
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
    use crate::{AtMostOne, ClauseSink, Limits, Pairwise};

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

    #[test]
    fn each_finds_a_model_or_that_there_is_none() {
        let (room, crowd, clock) = (holes(8, 8), holes(6, 5), Clock::default());
        for seed in [0, 1, u64::MAX] {
            for mut player in players(seed).unwrap() {
                let model = player.turn(&room, 100_000, &clock).unwrap().unwrap().unwrap();
                let holds = |lit: &Lit| model.lit_value(*lit) == TernaryVal::True;
                assert!(room.clauses().all(|clause| clause.iter().any(holds)));
            }
            for mut player in players(seed).unwrap() {
                assert_eq!(player.turn(&crowd, 100_000, &clock).unwrap(), Some(None));
            }
        }
    }

    #[test]
    fn each_stops_after_its_turn_and_goes_on_in_the_next() {
        let (crowd, clock) = (holes(8, 7), Clock::default());
        for mut player in players(0).unwrap() {
            assert_eq!(player.turn(&crowd, 10, &clock).unwrap(), None);
            let answer = (0..20).find_map(|turn| player.turn(&crowd, 100 << turn, &clock).unwrap());
            assert_eq!(answer, Some(None));
        }
        let mut portfolio = Portfolio::new(crowd, 0).unwrap();
        assert!(!portfolio.players.is_empty());
        assert_eq!(portfolio.round(10, &clock).unwrap(), None);
        assert_eq!(portfolio.round(1_000_000, &clock).unwrap(), Some(None));
    }

    #[test]
    fn each_heeds_the_clock() {
        let crowd = holes(15, 14);
        let cancelled = Limits::none().cancel(Arc::new(AtomicBool::new(true)));
        for limits in [Limits::none().time(Duration::from_millis(60)), cancelled] {
            for mut player in players(0).unwrap() {
                let start = Instant::now();
                let answer = player.turn(&crowd, 1_000_000_000, &limits.start());
                assert!(matches!(answer, Err(SolveError::Interrupted)), "{answer:?}");
                assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
            }
        }
    }
}
