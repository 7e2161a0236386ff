//! Questions about boards with a total number of traps: an answer, what is certain, how many answers, one after
//! another.
//!
//! The parts of a board have only the total in common. So each part is counted by itself, by number of traps
//! ([`lattice`](super::lattice)); sums of these counts say what the others leave to each part
//! ([`totals`](super::totals)); and then each part is looked at once more.

use super::approach;
use super::lattice::{Lattice, Limit};
use super::parts::{PARTS_A_LOOK, PartWays};
use super::totals::Totals;
use super::ways::Ways;
use super::weights;
use crate::board::GemBoard;
use crate::infer::deduce::{CellKnowledge, Presolved, fill, put};
use crate::map::GemMap;
use cnfkit_core::internals::Clock;

/// A board whose parts are counted, and a total that they can have.
pub(super) struct CountedBoard<'a, W> {
    pub(super) presolved: Presolved<'a>,
    pub(super) parts: PartWays<W>,
    pub(super) totals: Totals,
    pub(super) left: usize,
}

impl<'a, W: Ways> CountedBoard<'a, W> {
    /// `None` when no answer has this total.
    fn new(board: &'a GemBoard, total: usize, clock: &Clock) -> Result<Option<Self>, Limit> {
        clock.check()?;
        let Ok(presolved) = Presolved::new(board) else { return Ok(None) };
        let Some(parts) = PartWays::<W>::new(&presolved, clock)? else { return Ok(None) };
        let totals = Totals::new(&parts);
        let left = totals.left(total);
        Ok(left.map(|left| Self { presolved, parts, totals, left }))
    }

    /// Visits each part once more, with its fewest traps and its class.
    pub(super) fn revisit(
        &self,
        clock: &Clock,
        mut visit: impl FnMut(usize, &mut Lattice<W>, (u32, u32)),
    ) -> Result<(), Limit> {
        let Presolved { base, parts } = &self.presolved;
        let mut lattice = Lattice::new(base);
        for (index, (cells, numbers)) in parts.iter().enumerate() {
            if index % PARTS_A_LOOK == 0 {
                clock.check()?;
            }
            lattice.build(base, cells, numbers, clock)?;
            visit(index, &mut lattice, self.parts.each[index]);
        }
        Ok(())
    }
}

/// An answer with this total. Of the cells that no number touches, the first ones become traps.
pub(crate) fn solve(board: &GemBoard, total: usize, clock: &Clock) -> Result<Option<GemMap>, Limit> {
    let counted = match CountedBoard::<bool>::new(board, total, clock) {
        Err(limit @ Limit::Entangled { .. }) => return approach::solve(board, total, limit, clock),
        counted => counted?,
    };
    let Some(counted) = counted else { return Ok(None) };
    let mut answer = board.map.clone();
    fill(&mut answer, &counted.presolved.base);
    let shares = counted.totals.share(counted.left);
    counted.revisit(clock, |index, lattice, (fewest, _)| {
        lattice.pick(fewest + shares[index] as u32, |cell, trap| put(&mut answer, [(cell, trap)].into_iter()));
    })?;
    let traps = shares[counted.parts.each.len()..].iter().sum();
    put(&mut answer, counted.parts.free.iter().take(traps).map(|&cell| (cell, true)));
    Ok(Some(answer))
}

/// True if there is an answer with this total.
pub(crate) fn is_possible(board: &GemBoard, total: usize, clock: &Clock) -> Result<bool, Limit> {
    Ok(CountedBoard::<bool>::new(board, total, clock)?.is_some())
}

/// All totals that answers have; `None` if there is no answer.
pub(crate) fn all(board: &GemBoard, clock: &Clock) -> Result<Option<Totals>, Limit> {
    clock.check()?;
    let Ok(presolved) = Presolved::new(board) else { return Ok(None) };
    Ok(PartWays::<bool>::new(&presolved, clock)?.map(|parts| Totals::new(&parts)))
}

/// Certain cells: calls `decided` for each unknown one with its value in all answers, or with `None` if answers differ.
/// No answer: false. When the time is over, some cells were decided.
pub(crate) fn certain(
    board: &GemBoard,
    total: usize,
    clock: &Clock,
    mut decided: impl FnMut(u32, Option<bool>),
) -> Result<bool, Limit> {
    let Some(counted) = CountedBoard::<bool>::new(board, total, clock)? else { return Ok(false) };
    for cell in board.unknown().map(|cell| cell as u32) {
        match counted.presolved.base.known(cell) {
            CellKnowledge::Nothing => {}
            known => decided(cell, Some(known == CellKnowledge::Trap)),
        }
    }
    let allowed = counted.totals.allowed(counted.left);
    let of_free: Vec<usize> = allowed[0].runs().flat_map(|(first, last)| [first, last]).collect();
    let free = match of_free[..] {
        [only, _] if of_free[0] == of_free[1] => Some(only == 1),
        _ => None,
    };
    counted.parts.free.iter().for_each(|&cell| decided(cell, free));
    let mut rest = Vec::new();
    counted.revisit(clock, |_, lattice, (_, class)| {
        let set = &allowed[class as usize];
        rest.clear();
        rest.extend((0..lattice.ways().1.len()).map(|at| set.contains(at)));
        lattice.marginals(&rest, |cells, possible| {
            let some = |mut range: std::ops::Range<usize>| range.any(|traps| possible[traps]);
            let certain = match () {
                () if !some(1..cells.len() + 1) => Some(false),
                () if !some(0..cells.len()) => Some(true),
                () => None,
            };
            cells.iter().for_each(|&cell| decided(cell, certain));
        });
    })?;
    Ok(true)
}

/// The number of answers with this total, counted up to `limit`.
pub(crate) fn count(board: &GemBoard, total: usize, limit: usize, clock: &Clock) -> Result<usize, Limit> {
    if limit == 0 {
        return Ok(0);
    }
    let Some(counted) = CountedBoard::<u128>::new(board, total, clock)? else { return Ok(0) };
    let CountedBoard { parts, left, .. } = counted;
    // Where there are more answers than can be counted, a rough count shows it at once.
    if let Some((ln_count, ..)) = weights::with_total(&parts.rough(), left)
        && ln_count > f64::from(usize::BITS + 1) * std::f64::consts::LN_2
    {
        return Ok(limit);
    }
    let mut most_left: usize =
        parts.classes.iter().zip(&parts.counts).map(|(ways, &count)| (ways.len() - 1) * count).sum();
    // Ways for the parts so far to have `low`, `low` + 1, … traps; others cannot make up for fewer.
    let (mut low, mut ways) = (0, vec![1_u128]);
    for (class, &count) in parts.classes.iter().zip(&parts.counts) {
        for part in 0..count {
            if part % PARTS_A_LOOK == 0 {
                clock.check()?;
            }
            most_left -= class.len() - 1;
            let new_low = low.max(left.saturating_sub(most_left));
            let end = (low + ways.len() + class.len() - 1).min(left + 1);
            let mut sums = vec![0_u128; end.saturating_sub(new_low)];
            for (at, &a) in ways.iter().enumerate() {
                for (by, &b) in class.iter().enumerate() {
                    if let Some(sum) = (low + at + by).checked_sub(new_low).and_then(|at| sums.get_mut(at)) {
                        sum.add_product(a, b);
                    }
                }
            }
            (low, ways) = (new_low, sums);
        }
    }
    let ways = left.checked_sub(low).and_then(|at| ways.get(at)).copied().unwrap_or(0);
    Ok(usize::try_from(ways).unwrap_or(usize::MAX).min(limit))
}
