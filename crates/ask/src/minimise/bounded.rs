//! Search between bounds, for objectives whose bounds are assumptions that need no counter: the literals of a ladder,
//! of which each implies the one before, or the bits of a number.
//!
//! A question is whether some solution costs at most so much. It is asked in three places in turn, each with a limit on
//! conflicts: just below the best solution, in the middle, and at the lower bound. Where there was an answer it is
//! asked again, and the steps at both ends double; where there was none it goes on to the next place, and once no place
//! had an answer the limit doubles. So a loose first solution is improved at once by long steps, a tight lower bound is
//! met by one question, and neither has to be known beforehand. Everything is asked of one solver.

use super::Search;
use super::ladder::Ladder;
use cnfkit_core::internals::Oracle;
use cnfkit_core::{ClauseSink, Lit, SolveError};

/// The conflicts that the first question in each place may take.
const FIRST: u64 = 200;

/// The question at hand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Above,
    Middle,
    Below,
}

impl Search<'_> {
    /// Brings the bounds together. There is a solution.
    pub(super) fn between_bounds(&mut self, ladder: &Ladder) -> Result<(), SolveError> {
        let mut place = Place::Above;
        let (mut conflicts, mut unanswered) = (FIRST, 0);
        let (mut down, mut up) = (1, 0);
        while !self.is_closed() {
            let (lower, upper) = (self.lower, self.upper());
            let (middle, below) = (lower + (upper - lower) / 2, upper - 1);
            let most = match place {
                Place::Above => upper.saturating_sub(down).max(middle),
                Place::Middle => middle,
                Place::Below => (lower + up).min(middle),
            };
            let most = most.min(below);
            match self.costs_at_most(ladder, most, conflicts)? {
                Some(true) => {
                    unanswered = 0;
                    match place {
                        Place::Above => down *= 2,
                        // Nothing was gained for the lower bound: shorter steps there.
                        Place::Below => (place, up) = (Place::Middle, up / 2),
                        Place::Middle => {}
                    }
                }
                Some(false) => {
                    unanswered = 0;
                    self.lower = ladder.next(most).min(self.upper());
                    match place {
                        Place::Above => (place, down) = (Place::Below, 1),
                        Place::Below => up = 2 * up + 1,
                        Place::Middle => {}
                    }
                }
                None => {
                    self.return_to_best()?;
                    (place, unanswered) = match place {
                        Place::Above if down > 1 => {
                            down = 1;
                            (Place::Above, unanswered)
                        }
                        Place::Above => (Place::Below, unanswered + 1),
                        Place::Below if up > 0 => {
                            up = 0;
                            (Place::Below, unanswered)
                        }
                        Place::Below => (Place::Middle, unanswered + 1),
                        Place::Middle => (Place::Above, unanswered + 1),
                    };
                    if unanswered >= 3 {
                        (unanswered, conflicts) = (0, conflicts.saturating_mul(2));
                    }
                }
            }
        }
        Ok(())
    }

    /// Lets the solver begin its next search at the best solution: it picks the value that a variable had last, and the
    /// search that was given up left others.
    fn return_to_best(&mut self) -> Result<(), SolveError> {
        let Some((model, _)) = &self.best else { return Ok(()) };
        let best: Vec<Lit> = model.iter().collect();
        self.session.ask(&best, 1).map(drop)
    }

    /// Better and better solutions, the next one always just below the last.
    pub(super) fn step_by_step(&mut self, ladder: &Ladder) -> Result<(), SolveError> {
        while !self.is_closed() {
            if self.costs_at_most(ladder, self.upper() - 1, u64::MAX)? == Some(false) {
                self.close();
            }
        }
        Ok(())
    }

    /// True if some solution costs at most `most`, less than the best one; `None` if the conflicts did not do. What is
    /// found out is kept as a clause.
    fn costs_at_most(&mut self, ladder: &Ladder, most: u128, conflicts: u64) -> Result<Option<bool>, SolveError> {
        let Some(kept) = ladder.at_most(most, &mut self.session)? else { return Ok(Some(true)) };
        let answer = self.holds_within(&[kept], conflicts)?;
        match answer {
            Some(true) => self.session.add_clause(&[kept])?,
            Some(false) => {
                self.session.add_clause(&[!kept])?;
                ladder.more(most).iter().try_for_each(|clause| self.session.add_clause(clause))?;
            }
            None => {}
        }
        Ok(answer)
    }
}
