//! Search between bounds, for objectives whose bounds are assumptions that need no counter: the literals of a ladder,
//! of which each implies the one before, the bits of a number, or a sum that BatSat watches.
//!
//! A question is whether some solution costs at most so much. It is asked in three places in turn, each with a limit on
//! conflicts: just below the best solution, in the middle, and at the lower bound. Where there was an answer it is
//! asked again, and the steps at both ends double; where there was none it goes on to the next place, and once no place
//! had an answer the limit doubles. So a loose first solution is improved at once by long steps, a tight lower bound is
//! met by one question, and neither has to be known beforehand. Everything is asked of one solver.

use super::core_guided::Reformulation;
use super::decided::Decisions;
use super::ladder::CostLadder;
use super::objective::counts_well;
use super::relaxation::Branching;
use super::{FIRST_TURN, MinimumSearch, TURN};
use cnfkit_core::internals::Oracle;
use cnfkit_core::{ClauseSink, Lit, SolveError};

/// The conflicts that the first question in each place may take.
const FIRST: u64 = 200;
/// The steps of the first turn of branch and bound.
const STEPS: u64 = 200_000_000;
/// The part of a unit that counts as a reduced cost.
const FINEST: u128 = 1 << 10;

/// The places between the bounds at which questions are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BoundPlace {
    Above,
    Middle,
    Below,
}

/// The next question between the bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct BoundSteps {
    place: BoundPlace,
    /// The conflicts that a question may take.
    conflicts: u64,
    /// The steps from both ends.
    down: u128,
    up: u128,
    /// The places in a row without an answer.
    unanswered: u8,
}

impl BoundSteps {
    const FIRST: Self = Self { place: BoundPlace::Above, conflicts: FIRST, down: 1, up: 0, unanswered: 0 };

    /// The cost that is asked for: at least `lower`, and below `upper`, which is more.
    fn most(self, lower: u128, upper: u128) -> u128 {
        let middle = lower + (upper - lower) / 2;
        let most = match self.place {
            BoundPlace::Above => upper.saturating_sub(self.down).max(middle),
            BoundPlace::Middle => middle,
            BoundPlace::Below => lower.saturating_add(self.up).min(middle),
        };
        most.min(upper - 1)
    }

    /// The question after an answer: is there a solution of at most that cost, or none within the conflicts?
    fn next(self, answer: Option<bool>) -> Self {
        let answered = Self { unanswered: 0, ..self };
        match (self.place, answer) {
            (BoundPlace::Above, Some(true)) => Self { down: self.down.saturating_mul(2), ..answered },
            (BoundPlace::Above, Some(false)) => Self { place: BoundPlace::Below, down: 1, ..answered },
            (BoundPlace::Above, None) if self.down > 1 => Self { down: 1, ..self },
            (BoundPlace::Above, None) => self.leave(BoundPlace::Below),
            (BoundPlace::Middle, Some(_)) => answered,
            (BoundPlace::Middle, None) => self.leave(BoundPlace::Above),
            // Nothing was gained for the lower bound: shorter steps there.
            (BoundPlace::Below, Some(true)) => Self { place: BoundPlace::Middle, up: self.up / 2, ..answered },
            (BoundPlace::Below, Some(false)) => Self { up: self.up.saturating_mul(2).saturating_add(1), ..answered },
            (BoundPlace::Below, None) if self.up > 0 => Self { up: 0, ..self },
            (BoundPlace::Below, None) => self.leave(BoundPlace::Middle),
        }
    }

    /// Goes on to another place without an answer in this one; with more conflicts, if there was none in all three.
    fn leave(self, place: BoundPlace) -> Self {
        match self.unanswered {
            0 | 1 => Self { place, unanswered: self.unanswered + 1, ..self },
            _ => Self { place, unanswered: 0, conflicts: self.conflicts.saturating_mul(2), ..self },
        }
    }
}

/// The conflicts that a search has in its next turn beside others: as many as would close the gap at the rate of its
/// last turn, where these are at most `most`, and else `least`.
fn share([least, most]: [u64; 2], taken: u64, before: u128, after: u128) -> u64 {
    let left = after.saturating_mul(taken.into()).checked_div(before - after);
    left.and_then(|left| u64::try_from(left).ok()).filter(|&left| left <= most).map_or(least, |left| left.max(least))
}

impl MinimumSearch<'_> {
    /// Brings the bounds together. There is a solution.
    pub(super) fn by_bounds(&mut self, mut ladder: CostLadder) -> Result<(), SolveError> {
        self.between_bounds(&mut ladder, BoundSteps::FIRST, u64::MAX).map(drop)
    }

    /// Brings the bounds together, or gives up after so many conflicts: the next question. There is a solution.
    fn between_bounds(&mut self, ladder: &mut CostLadder, at: BoundSteps, most: u64) -> Result<BoundSteps, SolveError> {
        let end = self.session.n_conflicts().saturating_add(most);
        let mut at = BoundSteps { unanswered: 0, ..at };
        while !self.best.is_closed() && self.session.n_conflicts() < end {
            let most = at.most(self.best.lower(), self.best.upper());
            let answer = self.costs_at_most(ladder, most, at.conflicts)?;
            match answer {
                Some(true) => {}
                Some(false) => self.best.raise(ladder.next(most)),
                None => self.return_to_best()?,
            }
            at = at.next(answer);
        }
        Ok(at)
    }

    /// Core-guided search, which takes turns with search between the bounds where the sum can be watched, and with
    /// decisions about the formula with a bound on the objective where that counts well.
    pub(super) fn in_turns(
        &mut self,
        mut branching: Option<Branching>,
        mut decisions: Option<Decisions>,
    ) -> Result<(), SolveError> {
        let watches = self.reduced.is_some() || !counts_well(&self.objective.terms);
        if decisions.is_none() && !watches {
            return self.by_cores(true);
        }
        let mut soft = self.reformulation(true)?;
        // What counts cores makes questions slow; the relaxation has a good solution before there are any.
        let polish = self.reduced.is_none();
        if !polish {
            self.dive(&soft)?;
            self.polish()?;
        }
        let mut ladder = None;
        if watches {
            ladder = CostLadder::watched(&self.objective, self.reduced.as_ref(), &mut self.session);
        }
        if decisions.is_none() && ladder.is_none() {
            return self.core_guided(&mut soft, polish, u64::MAX);
        }
        if let Some(at) = &mut branching {
            self.branch(at, ladder.as_mut(), STEPS)?;
        }
        self.core_guided(&mut soft, polish, FIRST_TURN)?;
        let (mut bounds, mut turn) = (BoundSteps::FIRST, TURN);
        let [mut watched, mut cores, mut branches] = [TURN; 3];
        while !self.best.is_closed() {
            let before = self.gap();
            if let Some(ladder) = &mut ladder {
                bounds = self.between_bounds(ladder, bounds, watched)?;
            }
            let after_watched = self.gap();
            if let Some(decisions) = &mut decisions {
                self.decide(decisions, turn)?;
            }
            let after_decisions = self.gap();
            self.core_guided(&mut soft, polish, cores)?;
            let after_cores = self.gap();
            if let Some(at) = &mut branching {
                self.branch(at, ladder.as_mut(), branches.saturating_mul(STEPS / TURN))?;
            }
            turn = turn.saturating_mul(2);
            (watched, cores, branches) = if decisions.is_none() {
                (turn, turn, turn)
            } else {
                let most = turn.saturating_mul(4);
                let watched = share([turn / 8, most], watched, before, after_watched);
                let cores = share([turn / 4, most], cores, after_decisions, after_cores);
                // Steps of branch and bound are many to a conflict.
                (watched, cores, share([turn / 64, turn], branches, after_cores, self.gap()))
            };
        }
        Ok(())
    }

    fn gap(&self) -> u128 {
        self.best.upper() - self.best.lower()
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
            least = least.max(1).saturating_mul(4);
        }
    }

    /// Lets the solver begin its next search at the best solution: it picks the value that a variable had last, and the
    /// search that was given up left others.
    fn return_to_best(&mut self) -> Result<(), SolveError> {
        let Some(model) = self.best.model() else { return Ok(()) };
        let best: Vec<Lit> = model.iter().collect();
        self.session.ask(&best, 1).map(drop)
    }

    /// Better and better solutions, the next one always just below the last.
    pub(super) fn step_by_step(&mut self, ladder: &mut CostLadder) -> Result<(), SolveError> {
        while !self.best.is_closed() {
            if self.costs_at_most(ladder, self.best.upper() - 1, u64::MAX)? == Some(false) {
                self.best.close();
            }
        }
        Ok(())
    }

    /// True if some solution costs at most `most`, less than the best one; `None` if the conflicts did not do. What is
    /// found out is kept as a clause.
    fn costs_at_most(
        &mut self,
        ladder: &mut CostLadder,
        most: u128,
        conflicts: u64,
    ) -> Result<Option<bool>, SolveError> {
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

#[cfg(test)]
mod tests {
    use super::*;

    const FROM: BoundSteps = BoundSteps { place: BoundPlace::Above, conflicts: 200, down: 8, up: 7, unanswered: 1 };

    /// As much as the gap takes at that rate, within limits.
    #[test]
    fn shares_of_a_turn() {
        assert_eq!(share([10, 400], 100, 9, 6), 200);
        assert_eq!(share([10, 400], 100, 9, 8), 10); // 800
        assert_eq!(share([10, 400], 100, 9, 9), 10);
        assert_eq!(share([10, 400], 5, 9, 8), 40);
        assert_eq!(share([10, 400], 5, 9, 1), 10);
        assert_eq!(share([10, u64::MAX], u64::MAX, u128::MAX, u128::MAX - 1), 10);
    }

    /// All places and answers.
    #[test]
    fn next_questions() {
        use BoundPlace::{Above, Below, Middle};
        let one = BoundSteps { down: 1, up: 0, ..FROM };
        let rows = [
            (FROM, Above, Some(true), Above, (16, 7), 0),
            (FROM, Above, Some(false), Below, (1, 7), 0),
            (FROM, Above, None, Above, (1, 7), 1),
            (one, Above, None, Below, (1, 0), 2),
            (FROM, Middle, Some(true), Middle, (8, 7), 0),
            (FROM, Middle, Some(false), Middle, (8, 7), 0),
            (FROM, Middle, None, Above, (8, 7), 2),
            (FROM, Below, Some(true), Middle, (8, 3), 0),
            (FROM, Below, Some(false), Below, (8, 15), 0),
            (FROM, Below, None, Below, (8, 0), 1),
            (one, Below, None, Middle, (1, 0), 2),
        ];
        for (from, place, answer, next, (down, up), unanswered) in rows {
            let expected = BoundSteps { place: next, down, up, unanswered, conflicts: 200 };
            assert_eq!(BoundSteps { place, ..from }.next(answer), expected, "{place:?} {answer:?}");
        }
        let long = BoundSteps { down: u128::MAX, up: u128::MAX, ..FROM };
        assert_eq!(long.next(Some(true)).down, u128::MAX);
        assert_eq!(BoundSteps { place: Below, ..long }.next(Some(false)).up, u128::MAX);
    }

    /// Three places without an answer double the conflicts; an answer between them begins anew.
    #[test]
    fn conflicts_double_after_three_places() {
        let conflicts =
            |answers: &[Option<bool>]| answers.iter().fold(BoundSteps::FIRST, |at, &answer| at.next(answer)).conflicts;
        assert_eq!(conflicts(&[None; 2]), 200);
        assert_eq!(conflicts(&[None; 3]), 400);
        assert_eq!(conflicts(&[None; 6]), 800);
        assert_eq!(conflicts(&[None, None, Some(false), None, None]), 200);
        // A step that was too long is no place of its own.
        assert_eq!(conflicts(&[Some(true), None, None, None]), 200);
        assert_eq!(conflicts(&[Some(true), None, None, None, None]), 400);
    }

    #[test]
    fn costs_that_are_asked_for() {
        let most = |place, lower, upper| BoundSteps { place, ..FROM }.most(lower, upper);
        assert_eq!(most(BoundPlace::Above, 10, 100), 92);
        assert_eq!(most(BoundPlace::Above, 10, 13), 11);
        assert_eq!(most(BoundPlace::Middle, 10, 100), 55);
        assert_eq!(most(BoundPlace::Below, 10, 100), 17);
        assert_eq!(most(BoundPlace::Below, 10, 13), 11);
        for place in [BoundPlace::Above, BoundPlace::Middle, BoundPlace::Below] {
            assert_eq!(most(place, 5, 6), 5);
            let long = BoundSteps { place, down: u128::MAX, up: u128::MAX, ..FROM };
            assert!((u128::MAX - 4..u128::MAX).contains(&long.most(u128::MAX - 4, u128::MAX)));
        }
    }

    /// Whatever the optimum is, and whatever is not answered at first, it is found in few questions.
    #[test]
    fn bounds_meet_at_the_optimum() {
        for optimum in 0..=64 {
            for hard in 0..=64_u128 {
                let (mut at, mut bounds, mut n_questions) = (BoundSteps::FIRST, (0, 64), 0);
                while bounds.0 < bounds.1 {
                    let most = at.most(bounds.0, bounds.1);
                    assert!((bounds.0..bounds.1).contains(&most));
                    // Close to a cost, questions take more conflicts.
                    let is_answered = most.abs_diff(hard) > 4 || at.conflicts >= 800;
                    match is_answered.then_some(optimum <= most) {
                        Some(true) => bounds.1 = most,
                        Some(false) => bounds.0 = most + 1,
                        None => {}
                    }
                    at = at.next(is_answered.then_some(optimum <= most));
                    n_questions += 1;
                    assert!(n_questions <= 40, "{optimum} {hard}");
                }
                assert_eq!(bounds, (optimum, optimum));
            }
        }
    }
}
