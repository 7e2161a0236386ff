//! Decisions: is there a solution that costs at most this? The bound is a constraint of the formula, encoded with it:
//! in the order that is computed from all constraints, by its at-most-ones, and with what double counting tightens.
//!
//! Each bound has a solver of its own, which keeps what it learnt from one turn to the next. So the last proof is that
//! of the formula with the bound. The table in the crate's README has what that takes for distances of codes; a counter
//! beside the formula, whose outputs are assumptions, is `--strategy solution-improving`.

use super::MinimumSearch;
use super::objective::counts_well;
use cnfkit_core::internals::{Bounded, Choices, Clock, Oracle, Session};
use cnfkit_core::{Constrain, PbEncoding, SolveError};

/// The clauses that are loaded in the time of one conflict: at 0.2 to 1 µs each (`src/engines.md`, *Ten million
/// clauses*), and some 30,000 conflicts a second in the families of `benches/optima.py --set counts`.
const LOADED: u64 = 100;

/// The question that is being asked, and what comes after it.
pub(super) struct Decisions {
    choices: Choices,
    /// The most that a solution may cost, and the solver.
    at: Option<(u128, Session)>,
    /// How far below the best solution the next question is.
    down: u128,
}

impl Decisions {
    /// A solver without clauses.
    pub(super) fn other(&self, clock: &Clock) -> Session {
        Session::on(clock, self.choices)
    }
}

impl MinimumSearch<'_> {
    /// No question yet; `None` where the objective has many different weights, which do not count well, or another
    /// solver would lack clauses.
    pub(super) fn decisions(&self) -> Option<Decisions> {
        let total = self.objective.terms.iter().map(|&(_, weight)| weight / self.unit).sum::<u128>();
        let counts = counts_well(&self.objective.terms) && u64::try_from(total).is_ok();
        self.others.filter(|_| counts).map(|choices| Decisions { choices, at: None, down: 1 })
    }

    /// Asks for better solutions, farther below the best one after each, until the bounds meet or there were so many
    /// conflicts. A formula that takes longer to load than these is left to other searches. There is a solution.
    pub(super) fn decide(&mut self, decisions: &mut Decisions, conflicts: u64) -> Result<(), SolveError> {
        let end = self.n_conflicts().saturating_add(conflicts);
        while !self.best.is_closed() && self.n_conflicts() < end {
            let (lower, upper) = (self.best.lower(), self.best.upper());
            let asked = decisions.at.take().filter(|&(most, _)| (lower..upper).contains(&most));
            let (most, mut own) = match asked {
                Some(asked) => asked,
                None if self.session.n_clauses() > conflicts.saturating_mul(LOADED) => return Ok(()),
                None => {
                    let most = upper.saturating_sub(decisions.down.saturating_mul(self.unit)).max(lower);
                    match self.with_bound(most, decisions) {
                        Err(SolveError::Capacity(_)) => return Ok(()),
                        own => (most, own?),
                    }
                }
            };
            self.swap(&mut own);
            let answer = self.better(end);
            self.swap(&mut own);
            match answer? {
                Some(true) => decisions.down = decisions.down.saturating_mul(2),
                Some(false) => {
                    self.best.raise(self.in_units(most + 1));
                    decisions.down = 1;
                }
                // A long step was too hard.
                None if decisions.down > 1 => decisions.down = 1,
                None => decisions.at = Some((most, own)),
            }
        }
        Ok(())
    }

    /// A solver with the formula and the bound on its objective. It tries no values first: cheap ones make the proof
    /// that there is nothing better twice as long.
    fn with_bound(&self, most: u128, decisions: &Decisions) -> Result<Session, SolveError> {
        let mut formula = self.formula.clone();
        let weight = |weight: u128| (weight / self.unit) as u64;
        let terms: Vec<_> = self.objective.terms.iter().map(|&(lit, own)| (lit, weight(own))).collect();
        formula.pb_at_most(&terms, weight(most), PbEncoding::Auto)?;
        let mut session = decisions.other(&self.clock);
        session.new_open_vars(formula.n_vars())?;
        formula.encode_into(&mut Bounded(&mut session))?;
        Ok(session)
    }

    /// Asks the other solver instead of this one from now on, or this one again.
    fn swap(&mut self, other: &mut Session) {
        let conflicts = self.n_conflicts();
        std::mem::swap(other, &mut self.session);
        // A solver may have had conflicts of its own while it was loaded.
        self.earlier = conflicts.wrapping_sub(self.session.n_conflicts());
    }

    /// A solution that is better than the best one, and better ones near it.
    fn better(&mut self, end: u64) -> Result<Option<bool>, SolveError> {
        let answer = self.holds_within(&[], end - self.n_conflicts())?;
        if answer == Some(true) {
            self.polish()?;
        }
        Ok(answer)
    }
}

#[cfg(all(test, feature = "batsat"))]
mod tests {
    use super::super::incumbent::Incumbent;
    use super::*;
    use crate::Questions;
    use cnfkit_core::internals::{NormalSum, Random, gcd};
    use cnfkit_core::{ClauseSink, Formula, Lit};

    /// Of a formula whose objective has few weights, in a search that nothing was asked of.
    fn search(formula: &Formula, others: Option<Choices>) -> MinimumSearch<'_> {
        let weights = formula.objective().iter().map(|&(lit, weight)| (lit, i128::from(weight)));
        let objective = NormalSum::new(weights);
        MinimumSearch {
            session: Session::new(Choices::default()),
            best: Incumbent::new(1, objective.offset, None),
            unit: objective.terms.iter().fold(0, |unit, &(_, weight)| gcd(unit, weight)).max(1),
            objective,
            formula,
            clock: Clock::default(),
            others,
            needless: std::cell::OnceCell::new(),
            hint: Vec::new(),
            lazy: None,
            reduced: None,
            earlier: 0,
            progress: None,
            near: None,
            local: None,
        }
    }

    /// Decisions alone, some conflicts at a time, bring the bounds together at the optimum, whose model is kept.
    #[test]
    fn decisions_alone() {
        let (mut random, mut hard) = (Random::new(52), 0);
        for round in 0..100 {
            let n = 8 + random.below(7);
            let mut formula = Formula::with_vars(n);
            for _ in 0..random.below(5 * n) {
                let clause = (0..2 + random.below(2)).map(|_| Lit::new(random.below(n) as u32, random.chance(0.1)));
                formula.add_clause(&clause.collect::<Vec<Lit>>()).unwrap();
            }
            let weight = [1, 3, 1 << 61][round % 3];
            let terms: Vec<(Lit, i64)> = (0..n as u32).map(|var| (Lit::new(var, random.chance(0.2)), weight)).collect();
            formula.set_objective(terms.iter().copied());
            let cost = |set: u32| {
                let is_true = |lit: &Lit| (set >> lit.vidx() & 1 == 1) == lit.is_pos();
                let holds = formula.clauses().all(|clause| clause.iter().any(is_true));
                holds.then(|| terms.iter().filter(|(lit, _)| is_true(lit)).map(|&(_, weight)| i128::from(weight)).sum())
            };
            let least: Option<i128> = (0..1_u32 << n).filter_map(cost).min();
            let mut search = search(&formula, Some(Choices::default()));
            search.load().unwrap();
            if search.better(u64::MAX).unwrap() == Some(false) {
                assert_eq!(least, None);
                continue;
            }
            let mut decisions = search.decisions().expect("the weights are alike");
            let mut turns = 0;
            while !search.best.is_closed() {
                search.decide(&mut decisions, 1).unwrap();
                turns += 1;
            }
            hard += u32::from(turns > 1);
            let conflicts = search.n_conflicts();
            let best = search.best.result(None, conflicts).unwrap().expect("there is a solution");
            assert_eq!(Some(best.value), least, "{formula:?}");
            assert!(formula.clauses().all(|clause| clause.iter().any(|&lit| best.model.is_true(lit))));
        }
        assert!(hard > 3, "{hard} took more than a turn");
    }

    /// Clauses that only one solver has, and sums of many weights or beyond 64 bits, are not decided.
    #[test]
    fn what_is_not_decided() {
        let mut formula = Formula::with_vars(12);
        let terms = |weight: fn(i64) -> i64| (0..12).map(move |at| (Lit::positive(at), weight(at.into())));
        let is_decided = |formula: &Formula, others| search(formula, others).decisions().is_some();
        formula.set_objective(terms(|_| 5));
        assert!(is_decided(&formula, Some(Choices::default())) && !is_decided(&formula, None));
        formula.set_objective(terms(|at| at + 1));
        assert!(!is_decided(&formula, Some(Choices::default())));
        formula.set_objective(terms(|at| i64::MAX - (at & 1)));
        assert!(!is_decided(&formula, Some(Choices::default())));
    }

    /// A bound on the distance of the code [[72, 12, 6]] (S. Bravyi et al., *High-threshold and low-overhead
    /// fault-tolerant quantum memory*, Nature 627, 2024, pages 778–782, table 3): the least number of bits, some among
    /// the first three, whose parities over each check are even.
    #[test]
    fn parities_are_decided_in_the_formulas_order() {
        let at = |i: u32, j: u32| (i % 6) * 6 + j % 6;
        let mut formula = Formula::with_vars(72);
        for (i, j) in (0..36).map(|at| (at / 6, at % 6)) {
            let left = [(3, 0), (0, 1), (0, 2)].map(|(p, q)| Lit::positive(at(i + p, j + q)));
            let right = [(0, 3), (1, 0), (2, 0)].map(|(p, q)| Lit::positive(36 + at(i + p, j + q)));
            formula.parity([left, right].concat(), false).unwrap();
        }
        formula.add_clause(&[0, 1, 2].map(Lit::positive)).unwrap();
        formula.set_objective((0..72).map(|var| (Lit::positive(var), 1)));
        let best = formula.ask().minimum().unwrap().expect("all bits");
        assert!(best.is_optimal() && best.value == 6, "{} at least {}", best.value, best.lower_bound);
        // Without decisions they are 1,219, and 13,896 where the relaxation is on.
        let most = if cfg!(feature = "relaxation") { 10_000 } else { 900 };
        assert!(best.conflicts < most, "{}", best.conflicts);
    }
}
