//! The questions of [`GemHunterEncoder`] that are answered here.

use super::count::total;
use super::deduce::{Presolved, fill};
use super::explain;
use super::kinds::{self, Deduction};
use super::solutions::{self, Solutions};
use super::trap_totals::TrapTotals;
use super::windows::{Outcome, sat};
use crate::board::GemBoard;
use crate::encode;
use crate::encoder::GemHunterEncoder;
use crate::error::GemError;
use crate::map::GemMap;
use crate::rules;
use crate::strategy::Strategy;
use cnfkit_core::internals::Clock;
use cnfkit_core::{SolveError, Stopped};

impl GemHunterEncoder {
    /// Solves the board: every unknown cell becomes a trap or a gem, or `None` when that is proven impossible.
    ///
    /// If several answers exist this is one of them, the same each time; cells that no number touches become gems.
    /// [`deduce`](Self::deduce) says what all answers agree on, and [`explain`](Self::explain) why there is none.
    ///
    /// # Errors
    /// When the neighbourhood does not fit the board, the formula is too large, or the time is over.
    pub fn solve(&self) -> Result<Option<GemMap>, GemError> {
        let clock = self.asking.start();
        let board = self.board(&clock)?;
        if self.strategy == Strategy::Whole {
            let mut session = sat::load(&encode::cnf(&board, &self.plan())?, &clock)?;
            let found = sat::solve(&mut session, &[], &clock)?;
            return Ok(found.then(|| rules::answer(&self.map, |lit| session.is_true(lit))));
        }
        if let Some(total) = self.traps {
            return total::solve(&board, total, &clock).map_err(|limit| limit.error(&board));
        }
        let Ok(presolved) = Presolved::new(&board) else { return Ok(None) };
        let mut answer = self.map.clone();
        let Outcome::Answer(model) = presolved.answer(self.strategy == Strategy::Windows, &clock)? else {
            return Ok(None);
        };
        fill(&mut answer, &model);
        Ok(Some(answer))
    }

    /// The kind of every cell, from what it is in all answers; `None` if there is no answer.
    ///
    /// When the time is over, the result holds what was found out so far and is not
    /// [complete](Deduction::is_complete).
    ///
    /// ```
    /// use cnfkit::{GemHunterEncoder, Kind};
    /// let deduction = GemHunterEncoder::new("_, 1, G, _\n_, 1, T, _\n".parse()?).deduce()?.expect("answers exist");
    /// let kinds: Vec<Kind> = (0..4).map(|column| deduction.get(0, column)).collect();
    /// assert_eq!(kinds, [Kind::Gem, Kind::Number, Kind::Gem, Kind::Free]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`solve`](Self::solve), but for the time.
    #[doc(alias = "backbone")]
    pub fn deduce(&self) -> Result<Option<Deduction>, GemError> {
        let clock = self.asking.start();
        let mut board = self.board(&Clock::default())?;
        board.clock = clock.clone();
        kinds::deduce(&board, &self.plan(), self.strategy, &clock)
    }

    /// All answers, found one by one as they are asked for: each way to make the unknown cells traps and gems once.
    ///
    /// The [time limit](Self::time_limit) is one for all of them, from now on.
    #[must_use]
    pub fn solutions(&self) -> Solutions {
        let (plan, clock) = (self.plan(), self.asking.start());
        let board = self.board(&clock);
        Solutions::new(solutions::SolutionsStart { board, plan, strategy: self.strategy, clock })
    }

    /// The number of answers, counted up to `limit`. Counts of parts that do not touch are multiplied, so that large
    /// numbers do not take long; each cell that no number touches doubles the number.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn count(&self, limit: usize) -> Result<usize, GemError> {
        match self.count_so_far(limit)? {
            (count, None) => Ok(count),
            (_, Some(why)) => Err(SolveError::Interrupted(why).into()),
        }
    }

    /// [`count`](Self::count), and what ended it early: then there are at least so many answers. With a
    /// [total](Self::traps) it counts all or nothing.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use cnfkit::GemHunterEncoder;
    /// use cnfkit::ask::Stopped;
    /// let encoder = GemHunterEncoder::new("_, 1, _, _, _".parse()?);
    /// assert_eq!(encoder.count_so_far(9)?, (8, None));
    /// assert_eq!(encoder.time_limit(Duration::ZERO).count_so_far(9)?, (0, Some(Stopped::Time)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn count_so_far(&self, limit: usize) -> Result<(usize, Option<Stopped>), GemError> {
        let mut count = 0;
        match self.count_into(limit, &mut count) {
            Ok(()) => Ok((count, None)),
            Err(GemError::Solve(SolveError::Interrupted(why))) => Ok((count, Some(why))),
            Err(error) => Err(error),
        }
    }

    fn count_into(&self, limit: usize, count: &mut usize) -> Result<(), GemError> {
        if self.strategy == Strategy::Whole {
            return self.solutions().take(limit).try_for_each(|answer| answer.map(|_| *count += 1));
        }
        let clock = self.asking.start();
        let board = self.board(&clock)?;
        match self.traps {
            Some(total) => *count = total::count(&board, total, limit, &clock).map_err(|limit| limit.error(&board))?,
            None => solutions::count(&board, self.strategy, limit, count, &clock)?,
        }
        Ok(())
    }

    /// True if there is exactly one answer.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn is_unique(&self) -> Result<bool, GemError> {
        if self.strategy == Strategy::Whole || self.traps.is_some() {
            return Ok(self.count(2)? == 1);
        }
        let clock = self.asking.start();
        Ok(kinds::is_unique(&self.board(&clock)?, self.strategy, &clock)?)
    }

    /// A minimal unsatisfiable core of the numbers: any of them left out, the rest has an answer. `None` when
    /// the board can be solved. As (row, column), row by row.
    ///
    /// With [`traps`](Self::traps), numbers that contradict that total and each other: none if the total is
    /// impossible by itself.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    #[doc(alias = "unsat_core")]
    pub fn explain(&self) -> Result<Option<Vec<(usize, usize)>>, GemError> {
        let clock = self.asking.start();
        let board = self.board(&clock)?;
        let numbers = explain::unsat_core(&board, self.traps, &clock)?;
        Ok(numbers.map(|numbers| self.positions(&board, &numbers)))
    }

    /// The totals of traps that answers have, whatever [`traps`](Self::traps) demands; `None` if there is no answer.
    ///
    /// ```
    /// use cnfkit::GemHunterEncoder;
    /// let totals = GemHunterEncoder::new("_, 1, _, _, 2, _".parse()?).trap_totals()?.expect("answers exist");
    /// assert_eq!((totals.min(), totals.max()), (3, 3));
    /// assert_eq!(totals.nearest(5), (Some(3), None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`deduce`](Self::deduce).
    pub fn trap_totals(&self) -> Result<Option<TrapTotals>, GemError> {
        let clock = self.asking.start();
        let board = self.board(&clock)?;
        let totals = total::all(&board, &clock).map_err(|limit| limit.error(&board))?;
        Ok(totals.map(TrapTotals::new))
    }

    pub(super) fn positions(&self, board: &GemBoard, numbers: &[u32]) -> Vec<(usize, usize)> {
        numbers.iter().map(|&number| self.map.position(board.cell(number as usize))).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use crate::{GemHunterEncoder, plant};

    /// Making a board ready, and deduction from single numbers and pairs, look at the clock.
    #[test]
    fn limits_hold_on_large_boards() {
        let (map, _) = plant(1_500, 1_500, 0.2, 0.6, 1);
        let whole = Instant::now();
        let encoder = GemHunterEncoder::new(map);
        assert!(encoder.solve().unwrap().is_some());
        let whole = whole.elapsed();
        let brief = encoder.time_limit(Duration::from_millis(1));
        let questions: [(&str, fn(&GemHunterEncoder) -> bool); 5] = [
            ("solve", |encoder| encoder.solve().is_err()),
            ("count", |encoder| encoder.count(9).is_err()),
            ("is_unique", |encoder| encoder.is_unique().is_err()),
            ("solutions", |encoder| encoder.solutions().next().is_some_and(|answer| answer.is_err())),
            ("probabilities", |encoder| encoder.probabilities().is_err()),
        ];
        for (name, is_stopped) in questions {
            let start = Instant::now();
            assert!(is_stopped(&brief), "{name}");
            println!("{name}: {:?} of {whole:?}", start.elapsed());
            assert!(start.elapsed() < whole / 4, "{name}: {:?} of {whole:?}", start.elapsed());
        }
    }
}
