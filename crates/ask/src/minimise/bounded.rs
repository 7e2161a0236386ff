//! Search between bounds, for objectives whose bounds are assumptions that need no counter: the literals of a ladder,
//! of which each implies the one before, the bits of a number, or a sum that BatSat watches.
//!
//! A question is whether some solution costs at most so much. It is asked in three places in turn, each with a limit on
//! conflicts: just below the best solution, in the middle, and at the lower bound. Where there was an answer it is
//! asked again, and the steps at both ends double; where there was none it goes on to the next place, and once no place
//! had an answer the limit doubles. So a loose first solution is improved at once by long steps, a tight lower bound is
//! met by one question, and neither has to be known beforehand. Everything is asked of one solver.

use super::Search;
use super::core_guided::Reformulation;
use super::ladder::Ladder;
use super::objective::n_weights;
use cnfkit_core::internals::Oracle;
use cnfkit_core::{ClauseSink, Formula, Lit, SolveError};

/// The conflicts that the first question in each place may take.
const FIRST: u64 = 200;
/// The conflicts of the first turn of either search.
const TURN: u64 = 2_000;
/// Formulas of tests are too small to be left to core-guided search.
const FIRST_TURN: u64 = if cfg!(test) { 0 } else { TURN };
/// The steps of the first turn of branch and bound.
const STEPS: u64 = 200_000_000;
/// The part of a unit that counts as a reduced cost.
const FINEST: u128 = 1 << 10;
/// A sum of fewer different weights is searched by cores alone: what counts well is counted.
const DIFFERENT: usize = 10;

/// The question at hand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Above,
    Middle,
    Below,
}

/// Where the search is.
struct Bounds {
    place: Place,
    /// The conflicts that a question may take.
    conflicts: u64,
    /// The steps from both ends.
    down: u128,
    up: u128,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { place: Place::Above, conflicts: FIRST, down: 1, up: 0 }
    }
}

impl Search<'_> {
    /// Brings the bounds together. There is a solution.
    pub(super) fn by_bounds(&mut self, mut ladder: Ladder) -> Result<(), SolveError> {
        self.between_bounds(&mut ladder, &mut Bounds::default(), u64::MAX)
    }

    /// Brings the bounds together, or gives up after so many conflicts. There is a solution.
    fn between_bounds(&mut self, ladder: &mut Ladder, at: &mut Bounds, most: u64) -> Result<(), SolveError> {
        let end = self.session.n_conflicts().saturating_add(most);
        let mut unanswered = 0;
        while !self.is_closed() && self.session.n_conflicts() < end {
            let (lower, upper) = (self.lower, self.upper());
            let (middle, below) = (lower + (upper - lower) / 2, upper - 1);
            let most = match at.place {
                Place::Above => upper.saturating_sub(at.down).max(middle),
                Place::Middle => middle,
                Place::Below => (lower + at.up).min(middle),
            };
            let most = most.min(below);
            match self.costs_at_most(ladder, most, at.conflicts)? {
                Some(true) => {
                    unanswered = 0;
                    match at.place {
                        Place::Above => at.down *= 2,
                        // Nothing was gained for the lower bound: shorter steps there.
                        Place::Below => (at.place, at.up) = (Place::Middle, at.up / 2),
                        Place::Middle => {}
                    }
                }
                Some(false) => {
                    unanswered = 0;
                    self.lower = ladder.next(most).min(self.upper());
                    match at.place {
                        Place::Above => (at.place, at.down) = (Place::Below, 1),
                        Place::Below => at.up = 2 * at.up + 1,
                        Place::Middle => {}
                    }
                }
                None => {
                    self.return_to_best()?;
                    (at.place, unanswered) = match at.place {
                        Place::Above if at.down > 1 => {
                            at.down = 1;
                            (Place::Above, unanswered)
                        }
                        Place::Above => (Place::Below, unanswered + 1),
                        Place::Below if at.up > 0 => {
                            at.up = 0;
                            (Place::Below, unanswered)
                        }
                        Place::Below => (Place::Middle, unanswered + 1),
                        Place::Middle => (Place::Above, unanswered + 1),
                    };
                    if unanswered >= 3 {
                        (unanswered, at.conflicts) = (0, at.conflicts.saturating_mul(2));
                    }
                }
            }
        }
        Ok(())
    }

    /// Core-guided search, which takes turns with search between the bounds where the sum can be watched.
    pub(super) fn in_turns(&mut self, formula: &Formula) -> Result<(), SolveError> {
        if self.reduced.is_none() && n_weights(&self.objective.terms) < DIFFERENT {
            return self.by_cores(formula, true);
        }
        let mut soft = self.reformulation(formula, true)?;
        // What counts cores makes questions slow; the relaxation has a good solution before there are any.
        let polish = self.reduced.is_none();
        if !polish {
            self.dive(&soft)?;
            self.polish()?;
        }
        let Some(mut ladder) = Ladder::watched(&self.objective, self.reduced.as_ref(), &mut self.session) else {
            return self.core_guided(formula, &mut soft, polish, u64::MAX);
        };
        let mut branching = self.branching.take();
        if let Some(at) = &mut branching {
            self.branch(at, Some(&mut ladder), STEPS)?;
        }
        self.core_guided(formula, &mut soft, polish, FIRST_TURN)?;
        let (mut bounds, mut turn) = (Bounds::default(), TURN);
        while !self.is_closed() {
            self.between_bounds(&mut ladder, &mut bounds, turn)?;
            self.core_guided(formula, &mut soft, polish, turn)?;
            if let Some(at) = &mut branching {
                self.branch(at, Some(&mut ladder), turn.saturating_mul(STEPS / TURN))?;
            }
            turn = turn.saturating_mul(2);
        }
        Ok(())
    }

    /// A solution as cheap as the relaxation has it, if there is one soon: of literals with reduced costs as few as
    /// possible, light ones first.
    fn dive(&mut self, soft: &Reformulation) -> Result<(), SolveError> {
        let mut least = soft.parts / FINEST;
        loop {
            let assumed: Vec<Lit> = soft.from(least).collect();
            if assumed.is_empty() || self.holds_within(&assumed, FIRST)? == Some(true) {
                return Ok(());
            }
            least = 4 * least.max(1);
        }
    }

    /// Lets the solver begin its next search at the best solution: it picks the value that a variable had last, and the
    /// search that was given up left others.
    fn return_to_best(&mut self) -> Result<(), SolveError> {
        let Some((model, _)) = &self.best else { return Ok(()) };
        let best: Vec<Lit> = model.iter().collect();
        self.session.ask(&best, 1).map(drop)
    }

    /// Better and better solutions, the next one always just below the last.
    pub(super) fn step_by_step(&mut self, ladder: &mut Ladder) -> Result<(), SolveError> {
        while !self.is_closed() {
            if self.costs_at_most(ladder, self.upper() - 1, u64::MAX)? == Some(false) {
                self.close();
            }
        }
        Ok(())
    }

    /// True if some solution costs at most `most`, less than the best one; `None` if the conflicts did not do. What is
    /// found out is kept as a clause.
    fn costs_at_most(&mut self, ladder: &mut Ladder, most: u128, conflicts: u64) -> Result<Option<bool>, SolveError> {
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
