//! Branch and bound on the relaxation, which learns from what it closes.
//!
//! Variables are fixed one by one, and the relaxation is solved with what is fixed. Where it says that nothing better
//! than the best solution is left, its multiples say why: what follows from them is true everywhere, in whole numbers,
//! and some of the fixed literals violate it. That these are not all true is kept, as a clause for the solver, too, and
//! the last decision among them is taken back, as in conflict analysis (T. Achterberg, *Conflict analysis in mixed
//! integer programming*, Discrete Optimization 4, 2007, pages 4–20). Literals whose reduced costs are more than what is
//! left follow. The solver is asked in each place, too, with few conflicts: it knows the constraints that are not
//! relaxed.

use std::rc::Rc;

use rustsat::types::Lit;

use super::super::MinimumSearch;
use super::super::ladder::CostLadder;
use super::super::objective::Reduced;
use super::rows::CLOSE;
use super::{CostBound, Relaxation, RelaxationBudget, Solved};
use cnfkit_core::internals::{Clock, sort};
use cnfkit_core::{ClauseSink, SolveError};

/// The conflicts of the solver in each place, and where all variables are fixed.
const BRIEF: u64 = 4;
const WHOLE: u64 = 1_000;
/// The parts of a unit that multiples are rounded to.
const PARTS: u128 = 1 << 40;
/// The first places, where what is nearly true is fixed: solutions are found that way.
const DIVES: usize = 100;
/// Nogoods after which dives begin again.
const RESTART: usize = 5;

/// A literal that is fixed, and the earlier ones that it follows from unless it was decided.
struct TrailEntry {
    lit: Lit,
    reason: Option<Rc<[Lit]>>,
}

/// Where the search is, and what it has learnt.
pub(in super::super) struct Branching {
    relaxation: Relaxation,
    /// The bound where nothing is fixed.
    whole: Rc<CostBound>,
    path: Vec<TrailEntry>,
    /// By variable, its value on the path, and the place there.
    fixed: Vec<Option<bool>>,
    place: Vec<usize>,
    /// Literals that are not all true.
    nogoods: Vec<Rc<[Lit]>>,
    /// In rows and nogoods.
    n_literals: u64,
    /// By literal, by how much of a unit the bound has risen for each unit of the value, and how often.
    rises: Vec<(f64, f64)>,
    /// The last decision: its literal, how far it was from its value, and the bound before.
    decided: Option<(Lit, f64, f64)>,
    places: usize,
    is_stuck: bool,
}

fn code(lit: Lit) -> usize {
    2 * lit.vidx() + usize::from(lit.is_neg())
}

impl Branching {
    pub(in super::super) fn new(relaxation: Relaxation, reduced: &Reduced) -> Self {
        let n_vars = relaxation.costs.len();
        let n_literals = relaxation.rows.iter().map(|row| row.terms.len() as u64).sum();
        let Reduced { parts, paid, terms, is_exact, .. } = reduced.clone();
        Self {
            relaxation,
            whole: Rc::new(CostBound { parts, paid: paid as i128, terms, is_exact }),
            path: Vec::new(),
            fixed: vec![None; n_vars],
            place: vec![0; n_vars],
            nogoods: Vec::new(),
            n_literals,
            rises: vec![(0.0, 0.0); 2 * n_vars],
            decided: None,
            places: 0,
            is_stuck: false,
        }
    }

    fn is_true(&self, lit: Lit) -> Option<bool> {
        self.fixed[lit.vidx()].map(|value| value == lit.is_pos())
    }

    fn push(&mut self, lit: Lit, reason: Option<Rc<[Lit]>>) {
        self.fixed[lit.vidx()] = Some(lit.is_pos());
        self.place[lit.vidx()] = self.path.len();
        self.path.push(TrailEntry { lit, reason });
    }

    /// Fixes what follows from rows and nogoods; or literals that are true, and may not all be.
    fn propagate(&mut self, left: &mut RelaxationBudget, clock: &Clock) -> Result<Option<Vec<Lit>>, SolveError> {
        loop {
            clock.check()?;
            left.steps = left.steps.saturating_sub(self.n_literals);
            let before = self.path.len();
            for at in 0..self.nogoods.len() {
                let mut open = self.nogoods[at].iter().filter(|&&lit| self.is_true(lit) != Some(true));
                match (open.next().copied(), open.next()) {
                    (None, _) => return Ok(Some(self.nogoods[at].to_vec())),
                    (Some(lit), None) if self.is_true(lit).is_none() => {
                        let reason = self.nogoods[at].iter().copied().filter(|&other| other != lit).collect();
                        self.push(!lit, Some(reason));
                    }
                    _ => {}
                }
            }
            for at in 0..self.relaxation.rows.len() {
                let row = &self.relaxation.rows[at];
                let (least, is_equal) = (row.least, row.is_equal);
                // What is not false comes to at least so much; in an equation, what is true to at most that.
                if let Some(nogood) = self.imply(at, false, row.total() - least) {
                    return Ok(Some(nogood));
                }
                if is_equal && let Some(nogood) = self.imply(at, true, least) {
                    return Ok(Some(nogood));
                }
            }
            if self.path.len() == before {
                return Ok(None);
            }
        }
    }

    /// The terms of a row that have this value weigh at most `most`.
    fn imply(&mut self, row: usize, value: bool, most: i128) -> Option<Vec<Lit>> {
        let terms = &self.relaxation.rows[row].terms;
        let (mut left, mut widest) = (most, 0);
        for &(lit, weight) in terms {
            match self.is_true(lit) {
                None => widest = widest.max(weight),
                Some(is_true) => left -= if is_true == value { weight } else { 0 },
            }
        }
        if left >= widest {
            return None;
        }
        let toward = |lit: Lit| if value { lit } else { !lit };
        let reason: Vec<Lit> =
            terms.iter().map(|&(lit, _)| toward(lit)).filter(|&lit| self.is_true(lit) == Some(true)).collect();
        if left < 0 {
            return Some(reason);
        }
        let reason: Rc<[Lit]> = reason.into();
        for place in 0..self.relaxation.rows[row].terms.len() {
            let (lit, weight) = self.relaxation.rows[row].terms[place];
            if weight > left && self.is_true(lit).is_none() {
                self.push(!toward(lit), Some(Rc::clone(&reason)));
            }
        }
        None
    }

    /// Fixes the literals that take more than is left of `most`; or literals on the path that take more together.
    fn judge(&mut self, bound: &CostBound, most: u128) -> Option<Vec<Lit>> {
        let limit = i128::try_from(most.checked_mul(bound.parts)?).ok()?;
        let taken = |lit: Lit| self.is_true(lit) == Some(true);
        let mut used: Vec<(Lit, i128)> =
            bound.terms.iter().filter(|&&(lit, _)| taken(lit)).map(|&(lit, weight)| (lit, weight as i128)).collect();
        let mut left = limit - bound.paid - used.iter().map(|&(_, weight)| weight).sum::<i128>();
        sort::by_key(&mut used, |&(lit, _)| !(self.place[lit.vidx()] as u64));
        if left < 0 {
            // The latest ones are left out where the others do.
            used.retain(|&(_, weight)| {
                let goes = left + weight < 0;
                left += if goes { weight } else { 0 };
                !goes
            });
            return Some(used.into_iter().map(|(lit, _)| lit).collect());
        }
        let reason: Rc<[Lit]> = used.iter().map(|&(lit, _)| lit).collect();
        for &(lit, weight) in &bound.terms {
            if weight as i128 > left && self.is_true(lit).is_none() {
                self.push(!lit, Some(Rc::clone(&reason)));
            }
        }
        None
    }

    /// Learns that literals of the path are not all true, and takes the last decision among them back. True if there
    /// was none: nothing is left.
    fn learn<S: ClauseSink>(&mut self, mut nogood: Vec<Lit>, sink: &mut S) -> Result<bool, S::Error> {
        self.decided = None;
        loop {
            sort::by_key(&mut nogood, |lit| self.place[lit.vidx()] as u64);
            nogood.dedup();
            let Some(&last) = nogood.last() else { return Ok(true) };
            let at = self.place[last.vidx()];
            if let Some(reason) = &self.path[at].reason {
                nogood.pop();
                nogood.extend(reason.iter().copied());
                continue;
            }
            let clause: Vec<Lit> = nogood.iter().map(|&lit| !lit).collect();
            sink.add_clause(&clause)?;
            self.n_literals += nogood.len() as u64;
            self.nogoods.push(nogood.into());
            // From the beginning after dives that failed.
            let restarts = self.places < DIVES && self.nogoods.len().is_multiple_of(RESTART);
            let at = if restarts { 0 } else { at };
            self.path.drain(at..).for_each(|step| self.fixed[step.lit.vidx()] = None);
            return Ok(false);
        }
    }

    /// The next decision.
    fn choose(&self, solved: &Solved) -> Option<(Lit, f64)> {
        let open = (0..self.fixed.len()).filter(|&var| self.fixed[var].is_none());
        let open = open.map(|var| (Lit::positive(var as u32), solved.values[var]));
        let open = open.filter(|&(_, value)| value > CLOSE && value < 1.0 - CLOSE);
        if self.places < DIVES {
            return open.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(lit, value)| (lit, 1.0 - value));
        }
        let all = self.rises.iter().fold((0.0, 0.0), |all, rise| (all.0 + rise.0, all.1 + rise.1));
        let usual = if all.1 > 0.0 { all.0 / all.1 } else { 1.0 };
        let rise = |lit: Lit, by: f64| {
            let (sum, times) = self.rises[code(lit)];
            by * (sum + usual) / (times + 1.0) + 1e-9
        };
        let score = |(lit, value): (Lit, f64)| rise(lit, 1.0 - value) * rise(!lit, value);
        let (lit, value) = open.max_by(|&a, &b| score(a).total_cmp(&score(b)))?;
        Some(if value < 0.5 { (!lit, value) } else { (lit, 1.0 - value) })
    }
}

impl MinimumSearch<'_> {
    /// Goes on for so many steps; if there is no solution yet, until there is one.
    pub(in super::super) fn branch(
        &mut self,
        at: &mut Branching,
        mut ladder: Option<&mut CostLadder>,
        steps: u64,
    ) -> Result<(), SolveError> {
        let mut left = RelaxationBudget { steps, end: None };
        while !self.best.is_closed() && left.steps > 0 && !at.is_stuck {
            let total = self.objective.terms.iter().map(|&(_, weight)| weight).sum();
            let most = self.best.upper().saturating_sub(self.unit).min(total);
            let nogood = match at.propagate(&mut left, &self.clock)? {
                None => self.look(at, most, &mut ladder, &mut left)?,
                nogood => nogood,
            };
            if let Some(nogood) = nogood
                && at.learn(nogood, &mut self.session)?
            {
                self.best.close();
            }
        }
        Ok(())
    }

    /// Solves the relaxation in this place and decides; or finds literals that are not all true.
    fn look(
        &mut self,
        at: &mut Branching,
        most: u128,
        ladder: &mut Option<&mut CostLadder>,
        left: &mut RelaxationBudget,
    ) -> Result<Option<Vec<Lit>>, SolveError> {
        let whole = Rc::clone(&at.whole);
        if let Some(nogood) = at.judge(&whole, most) {
            return Ok(Some(nogood));
        }
        let Some(solved) = at.relaxation.solved(&at.fixed, true, left, &self.clock) else {
            at.is_stuck = left.steps > 0;
            return Ok(None);
        };
        at.places += 1;
        let Some(bound) = at.relaxation.bound(&solved, PARTS) else {
            at.is_stuck = true;
            return Ok(None);
        };
        let depth = at.path.len();
        if let Some(nogood) = at.judge(&bound, most) {
            return Ok(Some(nogood));
        }
        if let Some((lit, by, before)) = at.decided.take() {
            let (rise, by) = (&mut at.rises[code(lit)], (solved.cost - before).max(0.0) / by);
            *rise = if by.is_finite() { (rise.0 + by, rise.1 + 1.0) } else { *rise };
        }
        if at.path.len() > depth + at.fixed.len() / 10 {
            return Ok(None); // much follows: once more
        }
        let decision = at.choose(&solved);
        let kept = match ladder {
            Some(ladder) if self.best.model().is_some() => ladder.at_most(most, &mut self.session)?,
            _ => None,
        };
        let mut assumed: Vec<Lit> = kept.into_iter().collect();
        assumed.extend(at.path.iter().filter(|step| step.reason.is_none()).map(|step| step.lit));
        let n_decided = assumed.len();
        if decision.is_none() {
            let open = (0..at.fixed.len()).filter(|&var| at.fixed[var].is_none());
            assumed.extend(open.map(|var| Lit::new(var as u32, solved.values[var] < 0.5)));
        }
        let was_none = self.best.model().is_none();
        let limit = if decision.is_none() { WHOLE } else { BRIEF };
        match (self.holds_within(&assumed, limit)?, decision) {
            // With less left; where there was nothing before, it can be made much better.
            (Some(true), _) => {
                left.steps = if was_none { 0 } else { left.steps };
                return Ok(None);
            }
            (Some(false), _) => {
                let mut core = self.session.core()?;
                core.retain(|&lit| Some(lit) != kept);
                if core.iter().all(|lit| assumed[..n_decided].contains(lit)) {
                    return Ok(Some(core));
                }
            }
            (None, _) => {}
        }
        let open = || (0..at.fixed.len()).filter(|&var| at.fixed[var].is_none());
        // Whole values that are no solution: some variable is decided all the same.
        let decision = decision.or_else(|| {
            let var = open().max_by(|&a, &b| solved.values[a].total_cmp(&solved.values[b]))?;
            Some((Lit::new(var as u32, solved.values[var] < 0.5), 1.0))
        });
        match decision {
            Some((lit, by)) => {
                at.push(lit, None);
                at.decided = Some((lit, by, solved.cost));
            }
            None => at.is_stuck = true,
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minimise::relaxation::rows::RelaxationRow;
    use cnfkit_core::Formula;
    use cnfkit_core::internals::{NormalSum, Random};

    /// All solutions of at most some cost are found one after the other, by decisions by lot: nothing that follows, and
    /// nothing that is learnt, excludes one that was not found yet.
    #[test]
    fn nothing_learnt_excludes_a_solution() {
        let mut random = Random::new(9);
        let mut found_in_all = 0;
        for _ in 0..500 {
            let n = 8;
            let mut terms = |most| -> Vec<(Lit, i128)> {
                let lit = |var| (Lit::new(var, random.below(2) == 0), 1 + random.below(most) as i128);
                (0..n as u32).map(lit).collect()
            };
            let objective = NormalSum { offset: 0, ..NormalSum::new(terms(4)) };
            let sums = [terms(6), terms(6), terms(6)];
            let total = objective.terms.iter().map(|&(_, weight)| weight).sum::<u128>();
            let most = random.below(total as usize + 1) as u128;
            let row = |terms| RelaxationRow { terms, least: random.below(12) as i128, is_equal: random.below(6) == 0 };
            let rows: Vec<RelaxationRow> = sums.into_iter().map(row).collect();
            let is_good = |code: &usize| {
                let is_true = |lit: Lit| (code >> lit.vidx() & 1 == 1) == lit.is_pos();
                rows.iter().all(|row| row.holds(is_true)) && objective.cost(is_true) <= most
            };
            let good: Vec<usize> = (0..1 << n).filter(is_good).collect();
            let terms = objective.terms.clone();
            let reduced = Reduced { parts: 1, paid: 0, terms, is_exact: true, values: Vec::new() };
            let relaxation = Relaxation { rows, objective, costs: vec![0.0; n], largest: 1.0 };
            let mut at = Branching::new(relaxation, &reduced);
            let whole = Rc::clone(&at.whole);
            let mut learnt = Formula::with_vars(n);
            let mut found: Vec<usize> = Vec::new();
            let mut left = RelaxationBudget { steps: u64::MAX, end: None };
            loop {
                let wrong = at.propagate(&mut left, &Clock::default()).unwrap();
                let before = at.path.len();
                let nogood = wrong.or_else(|| at.judge(&whole, most));
                if at.path.len() > before {
                    continue;
                }
                let path = || at.path.iter().map(|step| step.lit);
                if nogood.is_none() && at.path.len() < n {
                    let open: Vec<usize> = (0..n).filter(|&var| at.fixed[var].is_none()).collect();
                    at.push(Lit::new(open[random.below(open.len())] as u32, random.below(2) == 0), None);
                    continue;
                }
                if nogood.is_none() {
                    found.push(path().filter(|lit| lit.is_pos()).map(|lit| 1 << lit.vidx()).sum());
                }
                if at.learn(nogood.unwrap_or_else(|| path().collect()), &mut learnt).unwrap() {
                    break;
                }
            }
            found.sort_unstable();
            assert_eq!(found, good);
            found_in_all += found.len();
        }
        assert!(found_in_all > 1_000, "{found_in_all}");
    }
}
