//! Unsatisfiable cores: parts that contradict each other, a minimal set of them or a smallest.
//!
//! Every part is encoded under a condition of its own, its *selector*; parts are put in and left out by assuming
//! selectors.
//!
//! * **Minimal**: no part can be left out. Parts are taken away as long as the rest still contradicts itself, and parts
//!   that the solver's core does not mention go with them. That takes at most one question a part.
//! * **Smallest**: no set with fewer parts contradicts itself. This is done by implicit hitting sets (Ignatiev,
//!   Previti, Liffiton, Marques-Silva, *Smallest MUS Extraction with Minimal Hitting Set Dualization*, CP 2015, pp.
//!   173–182): every contradiction has a part in common with every *correction set*, a set of parts without which the
//!   others agree. A smallest set that meets all correction sets known so far either contradicts itself, and then is
//!   the answer, or shows a new correction set.

use rustsat::types::Lit;

use super::{Ask, Problem, lazy, session};
use crate::session::{Choices, Session, holds, holds_with};
use cnfkit_core::internals::{Clock, erase};
use cnfkit_core::{CardEncoding, ClauseSink, Constrain, SolveError};

/// Takes away items as long as `core` finds that the rest contradicts itself, `step` at a time at first and one at a
/// time in the end, from the back; the result is minimal.
///
/// `core` returns a subset of the items asked about that still contradicts itself (all of them if it knows no smaller
/// one), or `None` when they agree. `items` must contradict itself.
///
/// # Errors
/// As the solver fails, or the clock runs out.
pub fn minimal<T: Copy + PartialEq, E>(
    mut items: Vec<T>,
    mut step: usize,
    mut core: impl FnMut(&[T]) -> Result<Option<Vec<T>>, E>,
) -> Result<Vec<T>, E> {
    loop {
        step = step.clamp(1, items.len().max(1));
        // Items from here on were found to be needed, together with all others left.
        let mut needed = items.len();
        while needed > 0 {
            let from = needed.saturating_sub(step);
            let rest: Vec<T> = items[..from].iter().chain(&items[needed..]).copied().collect();
            match core(&rest)? {
                // Nothing smaller is known: no item needs to be looked up.
                Some(smaller) if smaller.len() == rest.len() => (needed, items) = (from, rest),
                Some(smaller) => {
                    let kept = |&item: &T| smaller.contains(&item);
                    needed = items[..from].iter().filter(|&item| kept(item)).count();
                    items = rest.into_iter().filter(kept).collect();
                }
                None => needed = from,
            }
        }
        if step == 1 {
            return Ok(items);
        }
        step = step.div_ceil(2);
    }
}

/// A solver with all rules, and with every part under its selector.
struct Selected<'a, P> {
    problem: &'a P,
    session: Session,
    selectors: Vec<Lit>,
    clock: Clock,
}

impl<'a, P: Problem> Selected<'a, P> {
    fn new(problem: &'a P, clock: Clock) -> Result<Self, SolveError> {
        let mut session = session(problem, &clock)?;
        problem.rules(&mut session)?;
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

    /// A minimal set of parts without which the others agree, disjoint from `kept`, whose parts agree.
    fn correction(&mut self, kept: &[Lit]) -> Result<Vec<Lit>, SolveError> {
        let mut kept = kept.to_vec();
        let mut left_out = Vec::new();
        for selector in self.selectors.clone() {
            if kept.contains(&selector) {
                continue;
            }
            kept.push(selector);
            // The last model may satisfy this part, but its selector need not be true there.
            if self.core(&kept)?.is_some() {
                kept.pop();
                left_out.push(selector);
            }
        }
        Ok(left_out)
    }

    fn parts(&self, mut chosen: Vec<Lit>) -> Vec<usize> {
        chosen.sort_unstable();
        let part = |lit: &Lit| self.selectors.binary_search(lit).ok();
        chosen.iter().filter_map(part).collect()
    }
}

/// A smallest choice of `items` that has one of every set in `sets`.
fn smallest_hitting(
    items: &[Lit],
    sets: &[Vec<Lit>],
    at_least: usize,
    clock: &Clock,
) -> Result<Option<Vec<Lit>>, SolveError> {
    let highest = items.iter().map(|lit| lit.vidx() + 1).max().unwrap_or(0);
    for size in at_least..=items.len() {
        let mut session = Session::new(Choices::default());
        session.watch(clock);
        session.new_vars(highest)?;
        sets.iter().try_for_each(|set| session.add_clause(set))?;
        erase(&mut session, |sink| sink.at_most(items, size, &CardEncoding::Auto))?;
        if holds(&mut session, &[], clock)? {
            return Ok(Some(items.iter().copied().filter(|&lit| session.is_true(lit)).collect()));
        }
    }
    Ok(None)
}

impl<P: Problem> Ask<P> {
    /// A minimal unsatisfiable core: parts that contradict each other and the rules, ascending, none of which can be
    /// left out. Empty when the rules contradict themselves, `None` when there is a solution.
    ///
    /// # Errors
    /// As [`Ask`] says.
    #[doc(alias = "contradiction")]
    pub fn unsat_core(&self) -> Result<Option<Vec<usize>>, SolveError> {
        let mut parts = Selected::new(&self.problem, self.limits.start())?;
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
        let mut parts = Selected::new(&self.problem, self.limits.start())?;
        let all = parts.selectors.clone();
        if parts.core(&all)?.is_none() {
            return Ok(None);
        }
        let clock = parts.clock.clone();
        let mut sets: Vec<Vec<Lit>> = Vec::new();
        let mut size = 0;
        while let Some(chosen) = smallest_hitting(&all, &sets, size, &clock)? {
            size = chosen.len();
            if parts.core(&chosen)?.is_some() {
                return Ok(Some(parts.parts(chosen)));
            }
            sets.push(parts.correction(&chosen)?);
        }
        unreachable!("all parts together meet every correction set")
    }
}
