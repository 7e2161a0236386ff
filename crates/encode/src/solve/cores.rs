//! Unsatisfiable cores: items that contradict each other, a minimal set of them or a smallest.
//!
//! * **Minimal**: no item can be left out. Items are taken away as long as the rest still contradicts itself, and those
//!   that the solver's core does not mention go with them. That takes at most one question an item.
//! * **Smallest**: no set with fewer items contradicts itself. This is done by implicit hitting sets (Ignatiev,
//!   Previti, Liffiton, Marques-Silva, *Smallest MUS Extraction with Minimal Hitting Set Dualization*, CP 2015, pp.
//!   173–182): every contradiction has an item in common with every *correction set*, a set of items without which the
//!   others agree. A smallest set that meets all correction sets known so far either contradicts itself, and then is
//!   the answer, or shows a new correction set.

use std::hash::Hash;

use rustc_hash::FxHashSet;
use rustsat::types::Lit;

use crate::choose::CardEncoding;
use crate::constrain::Constrain;
use crate::limits::SolveError;
use crate::running::{Clock, Oracle};

/// Takes away items as long as `core` finds that the rest contradicts itself, `step` at a time at first and one at a
/// time in the end, from the back; the result is minimal.
///
/// `core` returns a subset of the items asked about that still contradicts itself (all of them if it knows no smaller
/// one), or `None` when they agree. `items` must contradict itself.
///
/// # Errors
/// As the solver fails, or the clock runs out.
pub fn minimal<T: Copy + Eq + Hash, E>(
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
                    let smaller: FxHashSet<T> = smaller.into_iter().collect();
                    let kept = |item: &T| smaller.contains(item);
                    needed = items[..from].iter().filter(|item| kept(item)).count();
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

/// A smallest set of the items that contradicts itself, as places in `0..n_items`, ascending; `None` if all of them
/// agree.
///
/// `agree` says if items agree, all of them true in its slice. Solvers made by `new` choose sets.
///
/// # Errors
/// As `agree` or a solver fails, or the clock runs out.
pub fn smallest<E: From<SolveError>, O: Oracle + ?Sized>(
    n_items: usize,
    clock: &Clock,
    new: &mut dyn FnMut() -> Box<O>,
    agree: &mut dyn FnMut(&[bool]) -> Result<bool, E>,
) -> Result<Option<Vec<usize>>, E> {
    if agree(&vec![true; n_items])? {
        return Ok(None);
    }
    let mut sets: Vec<Vec<Lit>> = Vec::new();
    let mut size = 0;
    loop {
        let mut chosen = hitting(n_items, &sets, &mut size, clock, new)?;
        if !agree(&chosen)? {
            return Ok(Some((0..n_items).filter(|&item| chosen[item]).collect()));
        }
        // A minimal set of items without which the others agree, none of them chosen.
        let mut left_out = Vec::new();
        for item in 0..n_items {
            if !chosen[item] {
                chosen[item] = true;
                if !agree(&chosen)? {
                    chosen[item] = false;
                    left_out.push(Lit::positive(item as u32));
                }
            }
        }
        sets.push(left_out);
    }
}

/// A smallest choice of items that has one of every set in `sets`; it has `size` items or more, which then says how
/// many.
fn hitting<O: Oracle + ?Sized>(
    n_items: usize,
    sets: &[Vec<Lit>],
    size: &mut usize,
    clock: &Clock,
    new: &mut dyn FnMut() -> Box<O>,
) -> Result<Vec<bool>, SolveError> {
    loop {
        let mut solver = new();
        solver.watch(clock);
        let items = solver.new_lits(n_items);
        sets.iter().try_for_each(|set| solver.add_clause(set))?;
        solver.at_most(&items, *size, &CardEncoding::Auto)?;
        if solver.ask(&[], u64::MAX)? == Some(true) {
            return Ok(items.iter().map(|&lit| solver.is_true(lit)).collect());
        }
        *size += 1; // all items together meet every set
    }
}
