//! Long searches: the time that one solver with one seed takes varies by orders of magnitude, so several take turns.
//!
//! Turns get longer and longer. BatSat has one search that carries on where it stopped, and short ones that start anew
//! with other choices. The other solvers that are on come first in every round; this file says which of the two forms
//! of the rules each gets (as they stand, or through crossings) and how long its turns are, and the session's
//! [`Portfolio`] plays them. Turns are counted in decisions or conflicts, never in time, so that a question has the
//! same answer on every machine.

use rustsat::types::{Lit, TernaryVal};

use crate::residue::Residue;
use crate::search::load::load;
use crate::search::settings::Settings;
use cnfkit_ask::internals::{AnewTurn, Portfolio, Schedule};
use cnfkit_core::internals::{Choices, Clock, Session, TimedSink};
use cnfkit_core::{Cnf, SolveError};

/// BatSat's shortest turn, in decisions, and the unit of Luby's sequence for turns that start anew (`cargo run
/// --release -p cnfkit-peers -- puzzles --list side25 --seconds 10`, without other solvers: 14 of 18 are solved).
const STEPS: u64 = 10_000;
/// The share of a round of BatSat's that goes to the search that carries on, as a multiple of the other share: the
/// command of [`STEPS`] shows a change of it.
const STEADY_SHARE: u64 = 4;
/// Of BatSat's attempts that start anew, one in so many tries true first (the command of [`STEPS`] shows a change
/// of it).
const TRUE_FIRST: u64 = 4;
/// BatSat's turns double so often at most: 2⁴⁰ times the first is longer than anybody waits, and no shift overflows.
const DOUBLINGS: u32 = 40;

/// The rules as they stand.
const PLAIN: usize = 0;
/// The rules through crossings.
const CROSSINGS: usize = 1;
/// Kissat's turns of a round. Many short restart intervals help a lot where there are many solutions, and no row is
/// best everywhere: chosen on every other puzzle of the list `side25` and on `half36` nos. 6 to 11, and changed after
/// looking at all of `side25` (`cargo run --release -p cnfkit-peers --features kissat -- puzzles --list side25 --list
/// half36:1-15 --seconds 30`; figures in `benches/BASELINE.md`).
const ANEW: [AnewTurn; 4] = [
    AnewTurn { form: CROSSINGS, interval: 100 },
    AnewTurn { form: PLAIN, interval: 100 },
    AnewTurn { form: CROSSINGS, interval: 100 },
    AnewTurn { form: PLAIN, interval: 10 },
];
/// Conflicts of the first turn of a solver that carries on (the command of [`ANEW`] with `cadical`, `glucose` or
/// `minisat` for `kissat`).
const KEPT_CONFLICTS: u32 = 10_000;
/// Conflicts of the first turn of a solver that starts anew are the square root of this times the values open: 30,000
/// where 2,000 are, as at side 25, from which larger sides grow (the command of [`ANEW`]).
const ANEW_SQUARED: u64 = 450_000;

/// Turns for a problem with so many values open.
fn schedule(n_vars: usize) -> Schedule {
    Schedule {
        kept_form: CROSSINGS,
        kept_conflicts: KEPT_CONFLICTS,
        anew: &ANEW,
        anew_as_is: CROSSINGS,
        anew_conflicts: (ANEW_SQUARED * n_vars as u64).isqrt().clamp(1_000, 1_000_000) as u32,
    }
}

/// The first question about a large rest.
pub(crate) struct FirstAnswerSearch<'a> {
    residue: &'a mut Residue,
    settings: &'a Settings,
    clock: &'a Clock,
    n_vars: usize,
    /// The number of times BatSat started anew.
    attempts: u64,
}

impl<'a> FirstAnswerSearch<'a> {
    /// About what is open in `residue`.
    pub(crate) fn new(residue: &'a mut Residue, settings: &'a Settings, clock: &'a Clock) -> Self {
        let n_vars = residue.n_vars();
        Self { residue, settings, clock, n_vars, attempts: 0 }
    }

    /// True if there is a solution. `session` has the rules of what is open, and then knows the solution.
    pub(crate) fn run(&mut self, session: &mut Session) -> Result<bool, SolveError> {
        let first = if Portfolio::ANY { STEPS / 4 + self.n_vars as u64 } else { STEPS };
        if let Some(found) = session.solve_within(self.clock, first)? {
            return Ok(found);
        }
        let mut steady = None;
        let mut others = None;
        for round in 0..u32::MAX {
            if Portfolio::ANY
                && let Some(found) = self.others(session, &mut others)?
            {
                return Ok(found);
            }
            if session.is_native()
                && let Some(found) = self.batsat(session, &mut steady, round)?
            {
                return Ok(found);
            }
        }
        Err(self.clock.interrupted())
    }

    /// BatSat's turns of a round, most of them for the search that carries on. Where other solvers are on, BatSat's are
    /// shorter and grow more slowly.
    fn batsat(
        &mut self,
        session: &mut Session,
        steady: &mut Option<Session>,
        round: u32,
    ) -> Result<Option<bool>, SolveError> {
        let steps =
            if Portfolio::ANY { (STEPS / 4) << (round / 2).min(DOUBLINGS) } else { STEPS << round.min(DOUBLINGS) };
        let mut carried = match steady.take() {
            Some(carried) => carried,
            None => self.anew(Choices { steady: true, ..self.settings.choices })?,
        };
        if let Some(found) = carried.solve_within(self.clock, STEADY_SHARE * steps)? {
            *session = carried;
            return Ok(Some(found));
        }
        *steady = Some(carried);
        let mut left = steps;
        while left > 0 {
            self.attempts += 1;
            let seed = self.settings.choices.seed.wrapping_add(self.attempts);
            *session = self.anew(Choices {
                seed,
                patient: !self.attempts.is_multiple_of(TRUE_FIRST),
                ..self.settings.choices
            })?;
            let turn = STEPS * luby(self.attempts);
            if let Some(found) = session.solve_within(self.clock, turn)? {
                return Ok(Some(found));
            }
            left = left.saturating_sub(turn);
        }
        Ok(None)
    }

    /// BatSat with the rules of what is open.
    fn anew(&mut self, choices: Choices) -> Result<Session, SolveError> {
        let mut session = Session::on(self.clock, choices);
        session.new_vars(self.n_vars)?;
        let crossings = self.settings.crossings || choices.patient || choices.steady;
        load(self.residue, &mut session, self.settings.encoding, crossings)?;
        Ok(session)
    }

    /// The other solvers' turns of a round. What they find is tried on `session`.
    fn others(&mut self, session: &mut Session, others: &mut Option<Portfolio>) -> Result<Option<bool>, SolveError> {
        let others = match others {
            Some(others) => others,
            None => others.insert(Portfolio::new(schedule(self.n_vars), self.settings.choices.seed)?),
        };
        let formula = &mut |form| {
            let mut cnf = Cnf::with_vars(self.n_vars);
            let mut sink = TimedSink::new(&mut cnf, self.clock);
            self.residue.write(&mut sink, self.settings.encoding, form == CROSSINGS)?;
            Ok(cnf)
        };
        let Some(answer) = others.round(formula, self.clock)? else { return Ok(None) };
        let Some(model) = answer else { return Ok(Some(false)) };
        let values = (0..self.n_vars).map(|var| Lit::positive(var as u32));
        let chosen: Vec<Lit> = values.filter(|&lit| model.lit_value(lit) == TernaryVal::True).collect();
        if session.solve(&chosen)? {
            Ok(Some(true))
        } else {
            Err(SolveError::solver("what a solver took for a solution breaks the rules"))
        }
    }
}

/// The Luby sequence, from 1: 1, 1, 2, 1, 1, 2, 4, …
const fn luby(n: u64) -> u64 {
    let power = (n + 1).next_power_of_two();
    if power == n + 1 { power / 2 } else { luby(n + 1 - power / 2) }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::encode::SudokuEncoder;
    use crate::grid::{Grid, Layout};
    use cnfkit_core::{ClauseSink, Limits};

    /// A grid with `width`² sides, about half its cells empty.
    fn half(width: usize) -> Grid {
        let side = width * width;
        let mut random = cnfkit_core::internals::Random::new(1);
        let cells = (0..side * side).map(|cell| {
            let (row, column) = (cell / side, cell % side);
            let value = (row % width * width + row / width + column) % side + 1;
            if random.next() >> 63 == 0 { value as u16 } else { 0 }
        });
        Grid::new(Layout::boxes(width, width), cells.collect::<Vec<u16>>()).unwrap()
    }

    /// 6×6 of the values 1 to 6 in a Latin square of side 9: the other three would have to be in six rows three columns
    /// wide.
    fn crowded() -> Grid {
        let value = |row: usize, column: usize| if row < 6 && column < 6 { (row + column) % 6 + 1 } else { 0 };
        let cells: Vec<u16> = (0..81).map(|cell| value(cell / 9, cell % 9) as u16).collect();
        Grid::new(Layout::latin(9), cells).unwrap()
    }

    /// Lets `turn` search until it has the answer, and then enumerates as `Pruned` does: how many solutions, at most
    /// `limit`, all of them checked.
    fn count(
        grid: &Grid,
        limit: usize,
        mut turn: impl FnMut(&mut FirstAnswerSearch<'_>, &mut Session) -> Result<bool, SolveError>,
    ) -> usize {
        let settings = SudokuEncoder::new(grid).settings();
        let clock = Clock::default();
        let mut residue = Residue::new(grid.layout());
        assert!(residue.load(grid.cells(), false, &Clock::default()).unwrap());
        let n_vars = residue.n_vars();
        let mut session = Session::new(settings.choices);
        session.new_vars(n_vars).unwrap();
        load(&mut residue, &mut session, settings.encoding, false).unwrap();
        let mut found = turn(&mut FirstAnswerSearch::new(&mut residue, &settings, &clock), &mut session).unwrap();
        let mut seen = std::collections::HashSet::new();
        while found && seen.len() < limit {
            let mut solution = grid.clone();
            residue.decode(solution.cells_mut(), &|lit| session.is_true(lit));
            assert_eq!(solution.verify(grid), []);
            let mut chosen = Vec::new();
            residue.chosen(solution.cells(), &mut chosen);
            assert!(seen.insert(solution.cells().to_vec()));
            chosen.iter_mut().for_each(|lit| *lit = !*lit);
            session.add_clause(&chosen).unwrap();
            found = session.solve(&[]).unwrap();
        }
        seen.len()
    }

    fn by_others(search: &mut FirstAnswerSearch<'_>, session: &mut Session) -> Result<bool, SolveError> {
        let mut others = None;
        (0..).find_map(|_: u32| search.others(session, &mut others).transpose()).unwrap()
    }

    fn by_batsat(search: &mut FirstAnswerSearch<'_>, session: &mut Session) -> Result<bool, SolveError> {
        let mut steady = None;
        (0..).find_map(|round| search.batsat(session, &mut steady, round).transpose()).unwrap()
    }

    #[test]
    fn all_turns_lead_to_the_same_solutions() {
        let turns: [(bool, fn(&mut FirstAnswerSearch<'_>, &mut Session) -> Result<bool, SolveError>); 3] = [
            (true, |search, session| search.run(session)),
            (Portfolio::ANY, by_others),
            (cfg!(feature = "batsat"), by_batsat),
        ];
        for (_, turn) in turns.into_iter().filter(|(on, _)| *on) {
            assert_eq!(count(&Grid::empty(Layout::boxes(2, 2)), 1000, turn), 288);
            assert_eq!(count(&half(4), 3, turn), 3);
            assert_eq!(count(&half(5), 2, turn), 2);
            assert_eq!(count(&crowded(), 1, turn), 0);
        }
    }

    /// Half a 36×36 takes far longer than this.
    #[test]
    fn ends_in_time() {
        let grid = half(6);
        let start = Instant::now();
        let settings = SudokuEncoder::new(&grid).settings();
        let mut residue = Residue::new(grid.layout());
        assert!(residue.load(grid.cells(), false, &Clock::default()).unwrap());
        let n_vars = residue.n_vars();
        let clock = Limits::none().time(Duration::from_millis(100)).start();
        let mut session = Session::new(settings.choices);
        session.watch(&clock);
        session.new_vars(n_vars).unwrap();
        load(&mut residue, &mut session, settings.encoding, false).unwrap();
        let answer = FirstAnswerSearch::new(&mut residue, &settings, &clock).run(&mut session);
        assert!(matches!(answer, Err(SolveError::Interrupted(_))), "{answer:?}");
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    }

    #[test]
    fn turns_follow_luby() {
        let first: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
