//! Unsatisfiable cores: parts that contradict each other, a minimal set of them or a smallest.
//!
//! Every part is encoded under a condition of its own, its *selector*; parts are put in and left out by assuming
//! selectors.

use rustsat::types::Lit;

use super::{Ask, Problem, add_rules, lazy, session};
use crate::lazy::holds_with;
use cnfkit_core::internals::{Choices, Clock, Session, minimal, smallest};
use cnfkit_core::{ClauseSink, Constrain, SolveError};

/// A solver with all rules, and with every part under its selector.
struct SelectedParts<'a, P> {
    problem: &'a P,
    session: Session,
    selectors: Vec<Lit>,
    clock: Clock,
}

impl<'a, P: Problem> SelectedParts<'a, P> {
    fn new(problem: &'a P, clock: Clock, choices: Choices) -> Result<Self, SolveError> {
        let mut session = session(problem, &clock, choices)?;
        add_rules(problem, &mut session)?;
        let selectors = session.new_lits(problem.n_parts());
        for (part, &selector) in selectors.iter().enumerate() {
            clock.check()?;
            problem.part(part, &mut session.when(&[selector]))?;
        }
        Ok(Self { problem, session, selectors, clock })
    }

    /// Selectors, out of those given, that contradict each other; `None` when these parts agree.
    fn core(&mut self, selectors: &[Lit]) -> Result<Option<Vec<Lit>>, SolveError> {
        let agree = holds_with(&mut self.session, selectors, &self.clock, &mut lazy(self.problem))?;
        if agree { Ok(None) } else { self.session.core().map(Some) }
    }

    fn parts(&self, mut chosen: Vec<Lit>) -> Vec<usize> {
        chosen.sort_unstable();
        let part = |lit: &Lit| self.selectors.binary_search(lit).ok();
        chosen.iter().filter_map(part).collect()
    }
}

impl<P: Problem> Ask<P> {
    /// A minimal unsatisfiable core: parts that contradict each other and the rules, ascending, none of which can be
    /// left out. Empty when the rules contradict themselves, `None` when there is a solution.
    ///
    /// # Errors
    /// As [`Ask`] says.
    #[doc(alias = "contradiction")]
    pub fn unsat_core(&self) -> Result<Option<Vec<usize>>, SolveError> {
        let mut parts = SelectedParts::new(&self.problem, self.asking.start(), self.choices)?;
        let Some(core) = parts.core(&parts.selectors.clone())? else { return Ok(None) };
        let core = minimal(core, 1, |selectors| parts.core(selectors))?;
        Ok(Some(parts.parts(core)))
    }

    /// A smallest unsatisfiable core: parts that contradict each other and the rules, ascending, where no fewer parts
    /// do. It takes far longer than [`unsat_core`](Self::unsat_core) where there are many cores.
    ///
    /// # Errors
    /// As [`Ask`] says.
    #[doc(alias = "smallest_contradiction")]
    pub fn smallest_unsat_core(&self) -> Result<Option<Vec<usize>>, SolveError> {
        let clock = self.asking.start();
        let mut parts = SelectedParts::new(&self.problem, clock.clone(), self.choices)?;
        let all = parts.selectors.clone();
        smallest(all.len(), &clock, &mut || Box::new(Session::on(&clock, Choices::default())), &mut |chosen| {
            let selectors: Vec<Lit> =
                all.iter().zip(chosen).filter(|&(_, &is_in)| is_in).map(|(&lit, _)| lit).collect();
            holds_with(&mut parts.session, &selectors, &clock, &mut lazy(&self.problem))
        })
    }
}
