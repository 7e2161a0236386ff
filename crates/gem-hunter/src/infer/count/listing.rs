//! All answers with one total of traps, one after another.
//!
//! Answers are counted through like a number whose digits are the free cells and the parts, the first digit fastest. A
//! digit's value is a number of traps and one of the ways to have it; values are taken only if the faster digits can
//! make up the rest of the total.

use super::lattice::{Lattice, Limit};
use super::parts::PartWays;
use super::reach::NaturalSet;
use super::sums::PartSum;
use super::totals::Totals;
use super::walk::LatticeWalk;
use crate::board::GemBoard;
use crate::error::GemError;
use crate::infer::deduce::{Presolved, fill, put};
use crate::map::GemMap;
use cnfkit_core::internals::Clock;

/// Digits between two looks at the clock: a digit that does not change takes some nanoseconds.
const DIGITS_A_LOOK: usize = 1024;
/// Parts that are made ready the first time: one look at the board serves them all, and each further one twice as many.
const FIRST_PARTS: usize = 16;

/// The answers of a board with one total.
#[derive(Debug)]
pub(crate) struct Listing {
    board: GemBoard,
    clock: Clock,
    /// The present answer.
    map: GemMap,
    is_first: bool,
    /// Free cells, then parts.
    digits: Vec<ListingDigit>,
    free: Vec<u32>,
    /// For each class of parts, the traps beyond the fewest that it can have.
    sets: Vec<NaturalSet>,
    /// For each of the digits needed so far, the traps that all faster ones together can have.
    faster: Vec<NaturalSet>,
    /// The lattices of as many parts as were needed so far.
    lattices: Vec<Lattice<bool>>,
}

#[derive(Clone, Debug)]
struct ListingDigit {
    class: u32,
    fewest: u32,
    /// Traps beyond the fewest, and what these were when the slower digits changed last.
    traps: usize,
    first: usize,
    walk: LatticeWalk,
}

impl Listing {
    /// `None` if there is no answer.
    pub(crate) fn new(board: GemBoard, total: usize, clock: &Clock) -> Result<Option<Self>, GemError> {
        let first = First::new(&board, total, clock).map_err(|limit| limit.error(&board))?;
        Ok(first.map(|First { map, digits, free, sets }| Self {
            board,
            clock: clock.clone(),
            map,
            is_first: true,
            digits,
            free,
            sets,
            faster: vec![NaturalSet::new(1, &|_| true)],
            lattices: Vec::new(),
        }))
    }

    pub(crate) fn next(&mut self) -> Result<Option<GemMap>, GemError> {
        if std::mem::take(&mut self.is_first) || self.advance()? {
            return Ok(Some(self.map.clone()));
        }
        Ok(None)
    }

    /// Goes to the next answer: the fastest digit that can change does, and the faster ones start anew.
    fn advance(&mut self) -> Result<bool, GemError> {
        let mut sum = 0;
        for at in 0..self.digits.len() {
            if at % DIGITS_A_LOOK == 0 {
                self.clock.check()?;
            }
            self.need(at)?;
            sum += self.digits[at].traps;
            if self.change(at, sum) {
                let mut left = sum - self.digits[at].traps;
                for faster in (0..at).rev() {
                    let set = &self.sets[self.digits[faster].class as usize];
                    let fits = |&traps: &usize| {
                        set.contains(traps)
                            && left.checked_sub(traps).is_some_and(|left| self.faster[faster].contains(left))
                    };
                    let traps = (0..set.len()).find(fits).unwrap_or(0);
                    self.digits[faster].first = traps;
                    self.set(faster, traps);
                    left -= traps;
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Gives a digit its next value that leaves the faster ones an amount that they can have; `sum` is for all of them.
    fn change(&mut self, at: usize, sum: usize) -> bool {
        if let Some(part) = at.checked_sub(self.free.len()) {
            let (walk, lattice) = (&mut self.digits[at].walk, &self.lattices[part]);
            if walk.advance(lattice) {
                walk.read(lattice, |cell, trap| put(&mut self.map, [(cell, trap)].into_iter()));
                return true;
            }
        }
        let digit = &self.digits[at];
        let set = &self.sets[digit.class as usize];
        // From the first value up, and then from zero to it.
        let end = if digit.traps >= digit.first { set.len() } else { digit.first };
        let turned = if digit.traps >= digit.first { 0..digit.first } else { 0..0 };
        let fits = |&traps: &usize| {
            set.contains(traps) && sum.checked_sub(traps).is_some_and(|left| self.faster[at].contains(left))
        };
        let Some(traps) = (digit.traps + 1..end).chain(turned).find(fits) else { return false };
        self.set(at, traps);
        true
    }

    /// Gives a digit the first way with so many traps beyond the fewest.
    fn set(&mut self, at: usize, traps: usize) {
        self.digits[at].traps = traps;
        let Some(part) = at.checked_sub(self.free.len()) else {
            put(&mut self.map, [(self.free[at], traps == 1)].into_iter());
            return;
        };
        let mut walk = LatticeWalk::new(self.digits[at].fewest + traps as u32);
        let found = walk.advance(&self.lattices[part]);
        debug_assert!(found, "a number of traps without a way");
        walk.read(&self.lattices[part], |cell, trap| put(&mut self.map, [(cell, trap)].into_iter()));
        self.digits[at].walk = walk;
    }

    /// Makes ready what it takes to change this digit.
    fn need(&mut self, at: usize) -> Result<(), GemError> {
        while self.faster.len() <= at {
            let last = self.faster.len() - 1;
            let next = self.faster[last].plus(&self.sets[self.digits[last].class as usize]);
            self.faster.push(next);
        }
        let Some(part) = at.checked_sub(self.free.len()).filter(|&part| part >= self.lattices.len()) else {
            return Ok(());
        };
        // Twice as many each time: the board is made ready anew.
        let end = (2 * part + FIRST_PARTS).min(self.digits.len() - self.free.len());
        let Self { board, clock, lattices, digits, free, .. } = self;
        let Ok(presolved) = Presolved::new(board) else { return Ok(()) };
        for (index, (cells, numbers)) in presolved.parts.iter().enumerate().take(end).skip(lattices.len()) {
            let mut lattice = Lattice::<bool>::new(&presolved.base);
            lattice.build(&presolved.base, cells, numbers, clock).map_err(|limit| limit.error(board))?;
            // The present way is the first of its walk.
            let on_first = digits[free.len() + index].walk.advance(&lattice);
            debug_assert!(on_first, "a number of traps without a way");
            lattices.push(lattice);
        }
        Ok(())
    }
}

/// The start of a listing.
struct First {
    map: GemMap,
    digits: Vec<ListingDigit>,
    free: Vec<u32>,
    sets: Vec<NaturalSet>,
}

impl First {
    fn new(board: &GemBoard, total: usize, clock: &Clock) -> Result<Option<Self>, Limit> {
        clock.check()?;
        let Ok(presolved) = Presolved::new(board) else { return Ok(None) };
        let Some(parts) = PartWays::<bool>::new(&presolved, clock)? else { return Ok(None) };
        let totals = Totals::new(&parts);
        let Some(left) = totals.left(total) else { return Ok(None) };
        let mut shares = totals.share(left);
        let n_free = parts.free.len();
        shares.rotate_right(n_free);
        // Fast free cells that are traps: the first ones.
        shares[..n_free].sort_unstable();
        shares[..n_free].reverse();
        let of_free = std::iter::repeat_n((0, 0), n_free);
        let digits = of_free.chain(parts.each.iter().copied()).zip(shares);
        let digit = |((fewest, class), traps): ((u32, u32), usize)| {
            let walk = LatticeWalk::new(fewest + traps as u32);
            ListingDigit { class, fewest, traps, first: traps, walk }
        };
        let digits: Vec<ListingDigit> = digits.map(digit).collect();
        let mut map = board.map.clone();
        fill(&mut map, &presolved.base);
        let traps = digits[..n_free].iter().map(|digit| digit.traps).sum();
        put(&mut map, parts.free.iter().take(traps).map(|&cell| (cell, true)));
        let mut lattice = Lattice::<bool>::new(&presolved.base);
        for ((cells, numbers), digit) in presolved.parts.iter().zip(&digits[n_free..]) {
            lattice.build(&presolved.base, cells, numbers, clock)?;
            let traps = digit.fewest + digit.traps as u32;
            lattice.pick(traps, |cell, trap| put(&mut map, [(cell, trap)].into_iter()));
        }
        let set = |ways: &Vec<bool>| NaturalSet::new(ways.len(), &|at| ways[at]);
        let sets = parts.classes.iter().map(set).collect();
        Ok(Some(Self { map, digits, free: parts.free, sets }))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use crate::encoder::GemHunterEncoder;
    use cnfkit_core::Limits;

    /// The clock is looked at for each answer, however few digits there are.
    #[test]
    fn a_listing_can_be_cancelled() {
        let flag = Arc::new(AtomicBool::new(false));
        let limits = Limits::none().cancel(flag.clone());
        let encoder = GemHunterEncoder::new("_, _\n_, 2".parse().unwrap()).traps(2).limits(limits);
        let mut answers = encoder.solutions();
        assert!(answers.next().is_some_and(|answer| answer.is_ok()));
        flag.store(true, Ordering::Relaxed);
        assert!(answers.next().is_some_and(|answer| answer.is_err()));
    }
}
