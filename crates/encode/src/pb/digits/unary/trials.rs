//! The smallest of several ladders, by trying them.

use super::ladder::{LadderStyle, UnaryLadder};
use crate::constraint::Terms;
use crate::encode::GoOn;
use crate::pb::prepared::ClauseLog;
use crate::sink::free_variable;

/// The least that is split into odd and even is a sum of two such counts: for fewer terms there is one form.
const SPLIT_FROM: usize = 16;
/// For so many terms the form with splits was always the smaller one.
const SPLIT_ALWAYS: usize = 256;

impl<'a> UnaryLadder<'a> {
    /// At most `bound`, in the style that takes the fewest variables and clauses together, with and without splits
    /// where these are allowed; `None` where each takes more than `budget`, or `go_on` is false.
    pub(in crate::pb::digits) fn plan(
        terms: &Terms<'a>,
        bound: u64,
        styles: &[LadderStyle],
        budget: u64,
        go_on: &mut GoOn<'_>,
    ) -> Option<ClauseLog> {
        let mut ladders: Vec<Self> = Vec::with_capacity(2 * styles.len());
        let mut last = 0;
        for style in styles {
            let splits: &[bool] = match terms.len() {
                _ if !style.splits => &[false],
                0..SPLIT_FROM => &[false],
                SPLIT_FROM..SPLIT_ALWAYS => &[true, false],
                _ => &[true],
            };
            last = ladders.len();
            ladders
                .extend(splits.iter().map(|&splits| Self::new(*terms, bound, LadderStyle { splits, ..style.clone() })));
        }
        if ladders.iter().all(|ladder| ladder.at_least() > budget) {
            return None;
        }
        smallest(&ladders, last, free_variable(terms.all().iter().map(|&(lit, _)| lit)), budget, go_on)
    }
}

/// Ladders that are tried in turn, and what is known of them.
struct Trials<'l, 'a> {
    ladders: &'l [UnaryLadder<'a>],
    /// The first variable that is not an input.
    free: u32,
    /// The number of a ladder, its log, and whether it has a sum that was split.
    known: Option<(usize, ClauseLog, bool)>,
}

/// A ladder that was given up decides which others are tried.
#[derive(Clone, Copy, Debug)]
struct Unclear;

/// The ladder with the fewest variables and clauses together, the first of those that have as few; `None` where each
/// has more than `budget`. Inputs have variables below `free`.
///
/// Ladders are tried in the order in which they are given, and what may have more than twice as many answers as the
/// best so far has variables and clauses is not tried. One of them, number `likely`, is recorded before: the others are
/// given up as soon as they are larger, and the result is the same.
fn smallest(
    ladders: &[UnaryLadder<'_>],
    likely: usize,
    free: u32,
    budget: u64,
    go_on: &mut GoOn<'_>,
) -> Option<ClauseLog> {
    let mut trials = Trials { ladders, free, known: None };
    let mut ceiling = budget;
    if let Some(ladder) = ladders.get(likely).filter(|ladder| likely > 0 && ladder.answers() <= twice(budget)) {
        let mut log = ClauseLog::new(free, budget);
        if let Some(has_split) = recorded(ladder, &mut log, go_on) {
            ceiling = log.cost();
            trials.known = Some((likely, log, has_split));
        }
    }
    trials.run(budget, ceiling, go_on).unwrap_or_else(|Unclear| trials.run(budget, budget, go_on).unwrap_or(None))
}

/// Records a ladder; `None` where it is over the budget, and else whether it is split.
fn recorded(ladder: &UnaryLadder<'_>, log: &mut ClauseLog, go_on: &mut GoOn<'_>) -> Option<bool> {
    let mut has_split = false;
    log.record(go_on, &mut |to| {
        has_split = ladder.run(to)?;
        Ok(())
    })?;
    Some(has_split)
}

const fn twice(budget: u64) -> u64 {
    budget.saturating_mul(2)
}

impl Trials<'_, '_> {
    /// The smallest ladder within `budget`, where none is recorded beyond `ceiling`.
    fn run(&mut self, budget: u64, ceiling: u64, go_on: &mut GoOn<'_>) -> Result<Option<ClauseLog>, Unclear> {
        let mut best: Option<ClauseLog> = None;
        let mut spare = ClauseLog::new(self.free, 0);
        // The best so far may be one that was given up.
        let mut hidden = false;
        // The ladder before was to be split and was not: without splits it is the same.
        let mut as_before = false;
        for (at, ladder) in self.ladders.iter().enumerate() {
            if std::mem::take(&mut as_before) && !ladder.splits() {
                continue;
            }
            let most = best.as_ref().map_or(budget, |best| best.cost().saturating_sub(1));
            let answers = ladder.answers();
            if answers > twice(most) {
                continue;
            }
            if hidden && best.is_none() && answers > twice(ceiling) {
                return Err(Unclear);
            }
            let found = match self.known.take() {
                Some((known, log, has_split)) if known == at => {
                    let fits = log.cost() <= most;
                    spare = log;
                    fits.then_some(has_split)
                }
                known => {
                    self.known = known;
                    spare.clear(most.min(ceiling));
                    recorded(ladder, &mut spare, go_on)
                }
            };
            match found {
                Some(has_split) => {
                    as_before = ladder.splits() && !has_split;
                    let before = best.replace(spare);
                    spare = before.unwrap_or_else(|| ClauseLog::new(self.free, 0));
                }
                None => hidden |= most > ceiling,
            }
        }
        if hidden && best.is_none() { Err(Unclear) } else { Ok(best) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ladder::binary;
    use super::*;
    use crate::encode::Prepared;
    use crate::sink::ClauseSink;
    use crate::testing::pb::{drawn, terms};

    /// A ladder that is given up without a trial would have been given up after it.
    #[test]
    fn ladders_are_at_least_as_large_as_they_seem() {
        let (mut closest, mut told) = (0.0_f64, 0);
        for (n, most) in [(16, 1), (40, 4), (100, 20), (300, 20), (700, 90), (1_200, 20)] {
            for seed in 0..2 {
                let (weights, half) = drawn(n, most, seed);
                let total = weights.iter().sum::<u64>();
                let terms = terms(&weights);
                let terms = Terms::new(&terms);
                for bound in [half, total / 20, total / 4, total / 5 * 4, total / 50 * 49] {
                    for (linked, splits) in [(true, true), (true, false), (false, true), (false, false)] {
                        if !(linked && splits) && n > 300 {
                            continue;
                        }
                        let style = LadderStyle { bases: binary(&terms), watched: false, splits, linked };
                        let ladder = UnaryLadder::new(terms, bound, style);
                        let mut log = ClauseLog::new(n as u32, u64::MAX);
                        recorded(&ladder, &mut log, &mut || true).expect("no budget");
                        let ratio = ladder.at_least() as f64 / log.cost() as f64;
                        assert!(ratio <= 1.0 || n < 40, "{n} {most} {bound} {linked} {splits}: {ratio}");
                        closest = closest.max(ratio);
                        told += usize::from(ratio > 0.5);
                    }
                }
            }
        }
        assert!(closest > 0.8 && told > 50, "{closest} {told}");
    }

    /// Which ladder is recorded first makes no difference: whatever the budget, the smallest in order is found.
    #[test]
    fn the_order_of_work_does_not_matter() {
        let lists = [vec![], vec![2], vec![3, 2], vec![2, 2, 3], vec![5], vec![7, 2], vec![13, 2]];
        let mut found = 0;
        for (n, most, seed) in [(6, 9, 1), (12, 40, 2), (20, 8, 3), (30, 60, 4), (24, 13, 5), (18, 26, 6)] {
            let (weights, bound) = drawn(n, most, seed);
            let terms = terms(&weights);
            let terms = Terms::new(&terms);
            let style =
                |bases: &Vec<u64>, splits| LadderStyle { bases: bases.clone(), watched: false, splits, linked: false };
            let mut ladders = Vec::new();
            for bases in lists.iter().chain([&binary(&terms)]) {
                ladders.extend([true, false].map(|splits| UnaryLadder::new(terms, bound, style(bases, splits))));
            }
            for budget in [20, 50, 100, 200, 300, 400, 600, 1_000, 10_000] {
                let mut plain = Trials { ladders: &ladders, free: n as u32, known: None };
                let plain = plain.run(budget, budget, &mut || true).unwrap();
                for likely in 0..ladders.len() {
                    let smallest = smallest(&ladders, likely, n as u32, budget, &mut || true);
                    let clauses = |plan: &Option<ClauseLog>| {
                        let mut recorder = crate::testing::Recorder::new(n);
                        let Ok(()) = recorder.write_by(&mut |to| plan.write(to));
                        recorder.clauses
                    };
                    assert_eq!(clauses(&smallest), clauses(&plain), "{weights:?} {bound} {budget} {likely}");
                    found += usize::from(plain.is_some());
                }
            }
        }
        assert!(found > 100, "{found}");
    }
}
