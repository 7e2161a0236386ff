//! Solution-improving search: a better solution is asked for until there is none.
//!
//! The bound is an assumption on a [`WeightedCounter`], and becomes a unit as soon as a solution keeps it. Strata of a
//! Boolean multilevel objective, weights each above the sum of all lighter ones, are minimised on their own, and then
//! fixed: so weights that grow like powers need no counter at all (J. Marques-Silva, J. Argelich, A. Graça, I. Lynce,
//! *Boolean Lexicographic Optimization: Algorithms and Applications*, Annals of Mathematics and Artificial Intelligence
//! 62, 2011, pages 317–343).

use rustsat::types::Lit;

use super::MinimumSearch;
use super::objective::{counted, levels};
use cnfkit_core::internals::{Side, gcd};
use cnfkit_core::{Bound, ClauseSink, SolveError, WeightedCounter};

impl MinimumSearch<'_> {
    /// Improves the best solution until it is optimal, or a step takes more than `conflicts`.
    pub(super) fn improve(&mut self, conflicts: u64) -> Result<(), SolveError> {
        let mut before = 0;
        for level in levels(self.objective.terms.clone()) {
            if self.best.is_closed() {
                return Ok(());
            }
            let Some(least) = self.improve_level(&level, conflicts)? else { return Ok(()) };
            before += least;
            self.best.raise(before);
        }
        self.best.close();
        Ok(())
    }

    /// The least cost of `level`, where heavier ones have their least cost and are held there; `None` if a step takes
    /// more than `conflicts`.
    fn improve_level(&mut self, level: &[(Lit, u128)], conflicts: u64) -> Result<Option<u128>, SolveError> {
        let unit = level.iter().fold(0, |unit, &(_, weight)| gcd(unit, weight)).max(1);
        let level: Vec<(Lit, u128)> = level.iter().map(|&(lit, weight)| (lit, weight / unit)).collect();
        let cost = |search: &Self| -> u128 {
            let Some(model) = search.best.model() else { return 0 };
            level.iter().filter(|&&(lit, _)| model.is_true(lit)).map(|&(_, weight)| weight).sum()
        };
        let mut counter = WeightedCounter::new();
        counter.extend(&self.session, &counted(&level));
        let mut least = cost(self);
        while least > 0 && !self.best.is_closed() {
            self.best.exchange(self.n_conflicts());
            least = cost(self);
            let bound = counter.bound(&mut self.session, Side::Upper, least - 1)?;
            let Bound::If(lit) = bound else { break };
            match self.holds_within(&[lit], conflicts)? {
                Some(true) => self.session.add_clause(&[lit])?,
                Some(false) => break,
                None => return Ok(None),
            }
            least = cost(self);
        }
        // Held from now on.
        if let Bound::If(lit) = counter.bound(&mut self.session, Side::Upper, least)? {
            self.session.add_clause(&[lit])?;
        }
        Ok(Some(least * unit))
    }
}
