//! Deduction from the givens without trying anything, at every side: naked singles, hidden singles, locked candidates.
//!
//! A *candidate* is a value that a cell may still have; a set of bits per cell holds them. A cell with one candidate
//! left is a *naked single*: its groups lose the value. A group with one place left for a value has a *hidden single*.
//! Where a region has all its places for a value within one row or column, or the other way round, the value is
//! *locked*: the rest of the other loses it. `singles` and `dirty` hold what is yet to be looked at; when both are
//! empty and nothing is locked any more, deduction is done.

use crate::deduce::bits::{Tallied, ValueSet};
use crate::deduce::contradiction::{GridContradiction, Halt};
use crate::deduce::nine::Nine;
use crate::grid::Tables;
use cnfkit_core::internals::{Clock, Deadline};
use cnfkit_core::{SolveError, Stopped};

/// Cells looked at between two looks at the clock, a few nanoseconds each: about a millisecond, whatever the side
/// (`cargo test --release --test puzzles sudoku_limits -- --ignored --nocapture`).
const CELLS_A_LOOK: u32 = 1 << 17;

/// The values each cell may still have, and what is yet to be looked at. Reused from puzzle to puzzle.
#[derive(Clone, Debug)]
pub(crate) struct Candidates<const W: usize> {
    masks: Vec<ValueSet<W>>,
    /// Cells with one value left, whose groups do not know yet.
    singles: Vec<u32>,
    /// Groups whose candidates changed since hidden singles were looked for.
    dirty: Vec<u64>,
    crossing_masks: Vec<ValueSet<W>>,
    /// Looks at the clock once in so many groups; by default there is no limit.
    deadline: Deadline,
}

impl<const W: usize> Candidates<W> {
    pub(crate) fn new(tables: &Tables) -> Self {
        let mut new = Self {
            masks: Vec::new(),
            singles: Vec::with_capacity(tables.side() * tables.side()),
            dirty: vec![0; tables.n_groups().div_ceil(64)],
            crossing_masks: vec![ValueSet::EMPTY; tables.crossings().len()],
            deadline: Deadline::default(),
        };
        new.reset(tables);
        new
    }

    /// Back to an empty grid.
    pub(crate) fn reset(&mut self, tables: &Tables) {
        self.masks.clear();
        self.masks.resize(tables.side() * tables.side(), ValueSet::up_to(tables.side()));
        self.singles.clear();
        self.dirty.fill(0);
    }

    /// Takes over what `nine` knows, with nothing left to look at.
    pub(crate) fn take_over(&mut self, nine: &Nine) {
        self.masks.fill(ValueSet::EMPTY);
        for digit in 0..9 {
            let value = ValueSet::one(digit + 1);
            for (band, mut places) in nine.places(digit).into_iter().enumerate() {
                while places != 0 {
                    let mask = &mut self.masks[27 * band + places.trailing_zeros() as usize];
                    *mask = mask.or(value);
                    places &= places - 1;
                }
            }
        }
    }

    #[inline]
    pub(crate) fn get(&self, cell: usize) -> ValueSet<W> {
        self.masks[cell]
    }

    /// True if every cell has one value left.
    pub(crate) fn is_solved(&self) -> bool {
        self.masks.iter().all(ValueSet::at_most_one)
    }

    /// Puts a value into a cell.
    #[inline]
    pub(crate) fn place(&mut self, cell: usize, value: usize) -> Result<(), GridContradiction> {
        let mask = &mut self.masks[cell];
        if !mask.has(value) {
            return Err(GridContradiction);
        }
        if !mask.at_most_one() {
            *mask = ValueSet::one(value);
            self.singles.push(cell as u32);
        }
        Ok(())
    }

    /// Takes values from a cell.
    #[inline]
    pub(crate) fn remove(
        &mut self,
        tables: &Tables,
        cell: usize,
        values: ValueSet<W>,
    ) -> Result<(), GridContradiction> {
        let old = self.masks[cell];
        let new = old.without(values);
        if new == old {
            return Ok(());
        }
        self.masks[cell] = new;
        if new.at_most_one() {
            if new.is_empty() {
                return Err(GridContradiction);
            }
            self.singles.push(cell as u32);
        }
        for &group in tables.groups_of(cell) {
            self.dirty[group as usize / 64] |= 1 << (group % 64);
        }
        Ok(())
    }

    /// From now on gives up when `clock` is over.
    pub(crate) fn watch(&mut self, tables: &Tables, clock: &Clock) {
        self.deadline = Deadline::new(clock, CELLS_A_LOOK / tables.side() as u32);
    }

    /// One group is looked at.
    #[inline]
    fn step(&mut self) -> Result<(), Halt> {
        self.deadline.step().map_err(|error| match error {
            SolveError::Interrupted(why) => Halt::Interrupted(why),
            _ => Halt::Interrupted(Stopped::Solver),
        })
    }

    /// Everything the three techniques find; `Err` when the grid contradicts itself, or there is no time.
    pub(crate) fn propagate(&mut self, tables: &Tables) -> Result<(), Halt> {
        loop {
            self.naked_singles(tables)?;
            self.hidden_singles(tables)?;
            if self.is_solved() || !self.locked(tables)? {
                return Ok(());
            }
        }
    }

    pub(crate) fn naked_singles(&mut self, tables: &Tables) -> Result<(), Halt> {
        while let Some(cell) = self.singles.pop() {
            let value = self.masks[cell as usize];
            for &group in tables.groups_of(cell as usize) {
                self.step()?;
                for &other in tables.group(group as usize) {
                    if other != cell {
                        self.remove(tables, other as usize, value)?;
                    }
                }
                // The value left this group's other cells, and the cell's other values left the group.
                self.dirty[group as usize / 64] |= 1 << (group % 64);
            }
            for &other in tables.banned_of(cell as usize) {
                self.remove(tables, other as usize, value)?;
            }
        }
        Ok(())
    }

    /// Looks through the groups that changed for values with one place left, until there are none.
    pub(crate) fn hidden_singles(&mut self, tables: &Tables) -> Result<(), Halt> {
        let all = ValueSet::up_to(tables.side());
        for word in 0..self.dirty.len() {
            while self.dirty[word] != 0 {
                let index = 64 * word + self.dirty[word].trailing_zeros() as usize;
                self.dirty[word] &= self.dirty[word] - 1;
                self.step()?;
                let group = tables.group(index);
                let mut tally = Tallied::NONE;
                let mut settled = ValueSet::EMPTY;
                for &cell in group {
                    let mask = self.masks[cell as usize];
                    tally.add(mask);
                    if mask.at_most_one() {
                        settled = settled.or(mask);
                    }
                }
                if tally.once != all {
                    return Err(Halt::Contradiction);
                }
                let hidden = tally.only().without(settled);
                if hidden.is_empty() {
                    continue;
                }
                for &cell in group {
                    let here = self.masks[cell as usize].and(hidden);
                    if here.is_empty() {
                        continue;
                    }
                    if !here.at_most_one() {
                        return Err(Halt::Contradiction);
                    }
                    self.masks[cell as usize] = here;
                    self.singles.push(cell);
                    for &group in tables.groups_of(cell as usize) {
                        self.dirty[group as usize / 64] |= 1 << (group % 64);
                    }
                }
                self.naked_singles(tables)?;
            }
        }
        Ok(())
    }

    /// Values that a line has only within one region, or a region only within one line, leave the rest of the other;
    /// says whether anything changed.
    pub(crate) fn locked(&mut self, tables: &Tables) -> Result<bool, Halt> {
        for (mask, cells) in self.crossing_masks.iter_mut().zip(tables.crossings()) {
            *mask = cells.iter().fold(ValueSet::EMPTY, |mask, &cell| mask.or(self.masks[cell as usize]));
        }
        let mut changed = false;
        for (part, crossings) in tables.parts().enumerate() {
            self.step()?;
            let mut tally = Tallied::NONE;
            crossings.iter().for_each(|&crossing| tally.add(self.crossing_masks[crossing as usize]));
            let locked = tally.only();
            if locked.is_empty() {
                continue;
            }
            for &crossing in crossings {
                let here = self.crossing_masks[crossing as usize].and(locked);
                if here.is_empty() {
                    continue;
                }
                for &other in tables.across(crossing, part) {
                    if other == crossing || self.crossing_masks[other as usize].and(here).is_empty() {
                        continue;
                    }
                    changed = true;
                    self.crossing_masks[other as usize] = self.crossing_masks[other as usize].without(here);
                    for &cell in tables.crossing(other) {
                        self.remove(tables, cell as usize, here)?;
                    }
                }
            }
        }
        Ok(changed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Layout;

    type Cells = fn(usize, usize) -> bool;

    /// Rows 2 to 4 and columns 2 to 4 of a 9×9 grid with windows hold window 1.
    #[test]
    fn windows_and_the_cells_beside_them_lock_values() {
        let layout = Layout::boxes(3, 3).with_windows().unwrap();
        let tables = layout.tables();
        let cell = |row: usize, col: usize| 9 * row + col;
        // The cells that hold no 1, and those that lose it therefore.
        let cases: [(Cells, Cells); 3] = [
            // Window 1 has 1 in row 2 alone.
            (|row, col| matches!((row, col), (2..=3, 1..=3)), |row, col| row == 1 && !matches!(col, 1..=3)),
            // Column 3 has 1 in window 1 alone.
            (|row, col| col == 2 && !matches!(row, 1..=3), |row, col| matches!((row, col), (1..=3, 1 | 3))),
            // The cells beside the windows of rows 2 to 4 have 1 in row 2 alone.
            (|row, col| matches!((row, col), (2..=3, 0 | 4 | 8)), |row, col| row == 1 && !matches!(col, 0 | 4 | 8)),
        ];
        for (number, (without, lost)) in cases.into_iter().enumerate() {
            let mut candidates: Candidates<1> = Candidates::new(tables);
            for (row, col) in (0..9).flat_map(|row| (0..9).map(move |col| (row, col))) {
                if without(row, col) {
                    candidates.remove(tables, cell(row, col), ValueSet::one(1)).unwrap();
                }
            }
            assert!(candidates.locked(tables).unwrap(), "case {number}");
            for (row, col) in (0..9).flat_map(|row| (0..9).map(move |col| (row, col))) {
                let gone = !candidates.get(cell(row, col)).has(1);
                assert_eq!(gone, without(row, col) || lost(row, col), "case {number}: {row}, {col}");
            }
        }
    }
}
