//! What follows from the givens without trying anything: naked singles, hidden singles, locked candidates.

use crate::puzzle::sudoku::bits::{Bits, Tallied};
use crate::puzzle::sudoku::layout::Layout;
use crate::puzzle::sudoku::nine::Nine;

/// The grid contradicts itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Contradiction;

/// How cells, groups and their crossings lie, for one layout.
#[derive(Debug)]
pub(super) struct Tables {
    side: usize,
    /// Cells of each group, `side` each.
    groups: Vec<u32>,
    /// Groups of each cell: those of cell c are `group_of[group_ends[c]..group_ends[c + 1]]`.
    group_of: Vec<u32>,
    group_ends: Vec<u32>,
    /// Cells that a banned chess move leads to, by cell, in the same way.
    banned: Vec<u32>,
    banned_ends: Vec<u32>,
    /// Where a region meets a row or a column. Cells of crossing s: `crossing_cells[crossing_ends[s]..crossing_ends[s+1]]`.
    crossings: Vec<Crossing>,
    crossing_cells: Vec<u32>,
    crossing_ends: Vec<u32>,
    /// The crossings that part one group: those of part p are `parts[part_ends[p]..part_ends[p + 1]]`.
    parts: Vec<u32>,
    part_ends: Vec<u32>,
}

/// One crossing and the two parts (of its line, and of its region) that it belongs to.
#[derive(Clone, Copy, Debug)]
struct Crossing {
    line: u32,
    region: u32,
}

/// Rows of different lengths, one after the other.
fn flatten(rows: &[Vec<u32>]) -> (Vec<u32>, Vec<u32>) {
    let mut ends = Vec::with_capacity(rows.len() + 1);
    let mut flat = Vec::with_capacity(rows.iter().map(Vec::len).sum());
    ends.push(0);
    for row in rows {
        flat.extend_from_slice(row);
        ends.push(flat.len() as u32);
    }
    (flat, ends)
}

impl Tables {
    pub(super) fn new(layout: &Layout) -> Self {
        let side = layout.side();
        let groups: Vec<u32> = layout.groups_cells().flatten().copied().collect();
        let mut group_of = vec![Vec::new(); side * side];
        for (index, group) in layout.groups_cells().enumerate() {
            group.iter().for_each(|&cell| group_of[cell as usize].push(index as u32));
        }
        let (group_of, group_ends) = flatten(&group_of);
        let mut banned = vec![Vec::new(); side * side];
        for (first, second) in layout.bans() {
            banned[first as usize].push(second);
            banned[second as usize].push(first);
        }
        let (banned, banned_ends) = flatten(&banned);

        // Parts: rows, columns, regions by rows, regions by columns.
        let mut crossings = Vec::new();
        let mut crossing_cells = Vec::new();
        let mut parts = vec![Vec::new(); if layout.region(0, 0).is_some() { 4 * side } else { 0 }];
        if !parts.is_empty() {
            for line in 0..2 * side {
                let mut here: Vec<(u32, Vec<u32>)> = Vec::new();
                for &cell in &groups[line * side..(line + 1) * side] {
                    let (row, col) = (cell as usize / side, cell as usize % side);
                    let region =
                        layout.region(row, col).unwrap_or_default() + if line < side { 2 * side } else { 3 * side };
                    match here.iter_mut().find(|(other, _)| *other == region as u32) {
                        Some((_, cells)) => cells.push(cell),
                        None => here.push((region as u32, vec![cell])),
                    }
                }
                for (region, cells) in here {
                    parts[line].push(crossings.len() as u32);
                    parts[region as usize].push(crossings.len() as u32);
                    crossings.push(Crossing { line: line as u32, region });
                    crossing_cells.push(cells);
                }
            }
        }
        let (crossing_cells, crossing_ends) = flatten(&crossing_cells);
        let (parts, part_ends) = flatten(&parts);
        Self {
            side,
            groups,
            group_of,
            group_ends,
            banned,
            banned_ends,
            crossings,
            crossing_cells,
            crossing_ends,
            parts,
            part_ends,
        }
    }

    pub(super) fn side(&self) -> usize {
        self.side
    }

    /// The cells of each crossing.
    pub(super) fn crossings(&self) -> impl Iterator<Item = &[u32]> {
        self.crossing_ends.windows(2).map(|ends| &self.crossing_cells[ends[0] as usize..ends[1] as usize])
    }

    /// The crossings that part each row, column and region (by rows, then by columns).
    pub(super) fn parts(&self) -> impl Iterator<Item = &[u32]> {
        self.part_ends.windows(2).map(|ends| &self.parts[ends[0] as usize..ends[1] as usize])
    }

    #[inline]
    fn group(&self, index: usize) -> &[u32] {
        &self.groups[index * self.side..(index + 1) * self.side]
    }

    #[inline]
    fn groups_of(&self, cell: usize) -> &[u32] {
        &self.group_of[self.group_ends[cell] as usize..self.group_ends[cell + 1] as usize]
    }

    #[inline]
    fn banned_of(&self, cell: usize) -> &[u32] {
        &self.banned[self.banned_ends[cell] as usize..self.banned_ends[cell + 1] as usize]
    }

    fn n_groups(&self) -> usize {
        self.groups.len() / self.side
    }
}

/// The values each cell may still have, and what is yet to be looked at. Reused from puzzle to puzzle.
#[derive(Clone, Debug)]
pub(super) struct Candidates<const W: usize> {
    masks: Vec<Bits<W>>,
    /// Cells with one value left, whose groups do not know yet.
    singles: Vec<u32>,
    /// Groups whose candidates changed since hidden singles were looked for.
    dirty: Vec<u64>,
    crossing_masks: Vec<Bits<W>>,
}

impl<const W: usize> Candidates<W> {
    pub(super) fn new(tables: &Tables) -> Self {
        let mut new = Self {
            masks: Vec::new(),
            singles: Vec::with_capacity(tables.side * tables.side),
            dirty: vec![0; tables.n_groups().div_ceil(64)],
            crossing_masks: vec![Bits::EMPTY; tables.crossings.len()],
        };
        new.reset(tables);
        new
    }

    /// Back to an empty grid.
    pub(super) fn reset(&mut self, tables: &Tables) {
        self.masks.clear();
        self.masks.resize(tables.side * tables.side, Bits::up_to(tables.side));
        self.singles.clear();
        self.dirty.fill(0);
    }

    /// The same as what `nine` knows, with nothing left to look at.
    pub(super) fn take_over(&mut self, nine: &Nine) {
        self.masks.fill(Bits::EMPTY);
        for digit in 0..9 {
            let value = Bits::one(digit + 1);
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
    pub(super) fn get(&self, cell: usize) -> Bits<W> {
        self.masks[cell]
    }

    /// Whether every cell has one value left.
    pub(super) fn is_solved(&self) -> bool {
        self.masks.iter().all(Bits::at_most_one)
    }

    /// Puts a value into a cell.
    #[inline]
    pub(super) fn place(&mut self, cell: usize, value: usize) -> Result<(), Contradiction> {
        let mask = &mut self.masks[cell];
        if !mask.has(value) {
            return Err(Contradiction);
        }
        if !mask.at_most_one() {
            *mask = Bits::one(value);
            self.singles.push(cell as u32);
        }
        Ok(())
    }

    /// Takes values from a cell.
    #[inline]
    pub(super) fn remove(&mut self, tables: &Tables, cell: usize, values: Bits<W>) -> Result<(), Contradiction> {
        let old = self.masks[cell];
        let new = old.without(values);
        if new == old {
            return Ok(());
        }
        self.masks[cell] = new;
        if new.at_most_one() {
            if new.is_empty() {
                return Err(Contradiction);
            }
            self.singles.push(cell as u32);
        }
        for &group in tables.groups_of(cell) {
            self.dirty[group as usize / 64] |= 1 << (group % 64);
        }
        Ok(())
    }

    /// Everything the three techniques find; `Err` when the grid contradicts itself.
    pub(super) fn propagate(&mut self, tables: &Tables) -> Result<(), Contradiction> {
        loop {
            self.naked_singles(tables)?;
            self.hidden_singles(tables)?;
            if self.is_solved() || !self.locked(tables)? {
                return Ok(());
            }
        }
    }

    pub(super) fn naked_singles(&mut self, tables: &Tables) -> Result<(), Contradiction> {
        while let Some(cell) = self.singles.pop() {
            let value = self.masks[cell as usize];
            for &group in tables.groups_of(cell as usize) {
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
    pub(super) fn hidden_singles(&mut self, tables: &Tables) -> Result<(), Contradiction> {
        let all = Bits::up_to(tables.side);
        for word in 0..self.dirty.len() {
            while self.dirty[word] != 0 {
                let index = 64 * word + self.dirty[word].trailing_zeros() as usize;
                self.dirty[word] &= self.dirty[word] - 1;
                let group = tables.group(index);
                let mut tally = Tallied::NONE;
                let mut settled = Bits::EMPTY;
                for &cell in group {
                    let mask = self.masks[cell as usize];
                    tally.add(mask);
                    if mask.at_most_one() {
                        settled = settled.or(mask);
                    }
                }
                if tally.once != all {
                    return Err(Contradiction);
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
                        return Err(Contradiction);
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

    /// Values that a line has only within one region, or a region only within one line, leave the rest of the other; says
    /// whether anything changed.
    pub(super) fn locked(&mut self, tables: &Tables) -> Result<bool, Contradiction> {
        for (mask, ends) in self.crossing_masks.iter_mut().zip(tables.crossing_ends.windows(2)) {
            let cells = &tables.crossing_cells[ends[0] as usize..ends[1] as usize];
            *mask = cells.iter().fold(Bits::EMPTY, |mask, &cell| mask.or(self.masks[cell as usize]));
        }
        let mut changed = false;
        let side = tables.side;
        for (part, ends) in tables.part_ends.windows(2).enumerate() {
            let crossings = &tables.parts[ends[0] as usize..ends[1] as usize];
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
                let Crossing { line, region } = tables.crossings[crossing as usize];
                let across = if part < 2 * side { region } else { line } as usize;
                for &other in &tables.parts[tables.part_ends[across] as usize..tables.part_ends[across + 1] as usize] {
                    if other == crossing || self.crossing_masks[other as usize].and(here).is_empty() {
                        continue;
                    }
                    changed = true;
                    self.crossing_masks[other as usize] = self.crossing_masks[other as usize].without(here);
                    let ends = &tables.crossing_ends[other as usize..other as usize + 2];
                    for &cell in &tables.crossing_cells[ends[0] as usize..ends[1] as usize] {
                        self.remove(tables, cell as usize, here)?;
                    }
                }
            }
        }
        Ok(changed)
    }

    /// Puts a value into a cell and takes it from its groups, and draws no conclusion from what is left.
    pub(super) fn settle(&mut self, tables: &Tables, cell: usize, value: usize) -> Result<(), Contradiction> {
        self.place(cell, value)?;
        for &group in tables.groups_of(cell) {
            for &other in tables.group(group as usize).iter().filter(|&&other| other as usize != cell) {
                self.remove(tables, other as usize, Bits::one(value))?;
            }
        }
        for &other in tables.banned_of(cell) {
            self.remove(tables, other as usize, Bits::one(value))?;
        }
        self.singles.clear();
        Ok(())
    }

    /// An empty cell with one value left.
    pub(super) fn naked_single(&self, cells: &[u16]) -> Option<usize> {
        (0..cells.len()).find(|&cell| cells[cell] == 0 && self.masks[cell].at_most_one())
    }

    /// An empty cell that alone in some group may have some value, and the group.
    pub(super) fn hidden_single(&self, tables: &Tables, cells: &[u16]) -> Option<(usize, usize)> {
        (0..tables.n_groups()).find_map(|index| {
            let group = tables.group(index);
            let mut tally = Tallied::NONE;
            group.iter().for_each(|&cell| tally.add(self.masks[cell as usize]));
            let mut alone = group.iter().map(|&cell| cell as usize).filter(|&cell| cells[cell] == 0);
            Some((alone.find(|&cell| !self.masks[cell].and(tally.only()).is_empty())?, index))
        })
    }
}
