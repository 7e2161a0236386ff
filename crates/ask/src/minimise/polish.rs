//! A good solution soon: from the best one on, one literal after the other that costs something is avoided, heavy ones
//! first, while all that is avoided already stays so.
//!
//! No count is needed for that, and each question is short. The result is a solution in which nothing that costs can be
//! left out alone: a minimal correction set (J. Marques-Silva, F. Heras, M. Janota, A. Previti, A. Belov, *On Computing
//! Minimal Correction Subsets*, IJCAI 2013, pages 615–622).

use rustc_hash::FxHashSet;
use rustsat::types::Lit;

use super::MinimumSearch;
use cnfkit_core::SolveError;
use cnfkit_core::internals::sort;

/// The conflicts that a solution with all hinted values may take.
const HINTED: u64 = 10_000;
/// The conflicts that one question may take.
const BRIEF: u64 = 100;
/// Questions without an answer or with a bad one, after which the rest is left as it is.
const PATIENCE: usize = 200;

impl MinimumSearch<'_> {
    /// Looks for a first solution, with the hinted values but for those that contradict something; without them where
    /// these have none. False if there is no solution, `None` where the conflicts did not do.
    pub(super) fn first(&mut self, conflicts: u64) -> Result<Option<bool>, SolveError> {
        let mut hint = std::mem::take(&mut self.hint);
        while !hint.is_empty() {
            match self.holds_within(&hint, HINTED)? {
                Some(true) => return Ok(Some(true)),
                Some(false) => {
                    // A program that is the solver has no cores.
                    let Ok(core) = self.session.core() else { break };
                    let core: FxHashSet<Lit> = core.into_iter().collect();
                    let n = hint.len();
                    hint.retain(|lit| !core.contains(lit));
                    if hint.len() == n {
                        break;
                    }
                }
                None => break,
            }
        }
        match self.holds_within(&[], conflicts)? {
            None if conflicts == u64::MAX => Err(self.clock.interrupted()),
            found => Ok(found),
        }
    }

    /// Improves the best solution, with little effort; not by a program that is started for each question.
    pub(super) fn polish(&mut self) -> Result<(), SolveError> {
        let mut terms = self.objective.terms.clone();
        sort::by_wide_key(&mut terms, |&(_, weight)| !weight);
        let Some(model) = self.best.model().filter(|_| !self.clock.engine().is_chosen()) else { return Ok(()) };
        // Avoided for good, in any order; the others, heaviest first.
        let (paid, free): (Vec<Lit>, Vec<Lit>) = terms.iter().map(|&(lit, _)| lit).partition(|&lit| model.is_true(lit));
        let mut avoided: Vec<Lit> = free.iter().map(|&lit| !lit).collect();
        let mut left = PATIENCE;
        let mut open = paid;
        while !open.is_empty() && left > 0 && !self.best.is_closed() {
            let lit = open.remove(0);
            avoided.push(!lit);
            if self.holds_within(&avoided, BRIEF)? == Some(true) {
                open.retain(|&other| {
                    let stays = self.session.is_true(other);
                    if !stays {
                        avoided.push(!other);
                    }
                    stays
                });
            } else {
                avoided.pop();
                left -= 1;
            }
        }
        Ok(())
    }
}
