//! A board made ready: for each number, its unknown neighbours and how many traps are left for them.

use super::error::GemError;
use super::map::{Cell, GemMap};
use super::neighbourhood::Neighbourhood;
use cnfkit_core::internals::Clock;

/// Cells or numbers between two looks at the clock, a millisecond at most.
pub(super) const LOOKS: usize = 1 << 12;

/// Numbers and unknown cells, each knowing its neighbours of the other kind. Cells are indices into [`GemMap::cells`].
#[derive(Clone, Debug)]
pub(super) struct GemBoard {
    pub(super) map: GemMap,
    /// The cells that show a number, ascending.
    numbers: Vec<u32>,
    /// For each of `numbers`, its number minus the given traps around it: negative if there are too many.
    needs: Vec<i32>,
    open: IndexLists,
    touching: IndexLists,
    /// The clock of the question that the board is made ready for.
    pub(super) clock: Clock,
}

/// Lists of indices, flat.
#[derive(Clone, Debug)]
struct IndexLists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl IndexLists {
    #[inline]
    fn get(&self, index: usize) -> &[u32] {
        &self.items[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    /// For each of `len` items, the lists that hold it, ascending.
    fn transposed(&self, len: usize) -> Self {
        let mut starts = vec![0; len + 1];
        for &item in &self.items {
            starts[item as usize + 1] += 1;
        }
        for index in 0..len {
            starts[index + 1] += starts[index];
        }
        let mut next = starts.clone();
        let mut items = vec![0; self.items.len()];
        for list in 0..self.starts.len() - 1 {
            for &item in self.get(list) {
                let at = &mut next[item as usize];
                items[*at as usize] = list as u32;
                *at += 1;
            }
        }
        Self { starts, items }
    }
}

impl GemBoard {
    /// The most cells a board may have: 2²⁸.
    pub(super) const MOST_CELLS: usize = 1 << 28;

    /// # Errors
    /// When the neighbourhood does not fit, the map is too large, or the time is over.
    pub(super) fn new(map: GemMap, neighbourhood: &Neighbourhood, clock: &Clock) -> Result<Self, GemError> {
        let cells = map.cells();
        if cells.len() > Self::MOST_CELLS {
            return Err(GemError::TooLarge { cells: cells.len(), most: Self::MOST_CELLS });
        }
        let neighbours = neighbourhood.on(map.rows(), map.columns())?;
        let (mut numbers, mut needs) = (Vec::new(), Vec::new());
        let mut open = IndexLists { starts: vec![0], items: Vec::new() };
        let mut around = Vec::new();
        for (index, &cell) in cells.iter().enumerate() {
            if index.is_multiple_of(LOOKS) {
                clock.check()?;
            }
            let Cell::Number(number) = cell else { continue };
            neighbours.of(index, &mut around);
            let mut need = i32::from(number);
            for &other in &around {
                match cells[other] {
                    Cell::Unknown => open.items.push(other as u32),
                    Cell::Trap => need -= 1,
                    Cell::Number(_) | Cell::Gem | Cell::Hole => {}
                }
            }
            numbers.push(index as u32);
            needs.push(need);
            open.starts.push(open.items.len() as u32);
        }
        let touching = open.transposed(cells.len());
        clock.check()?;
        Ok(Self { map, numbers, needs, open, touching, clock: clock.clone() })
    }

    /// The board with some of its numbers only, ascending or not, and perhaps an unknown cell made a trap or a gem. The
    /// cells of other numbers still are no traps.
    pub(super) fn part(&self, numbers: &[u32], known: Option<(u32, bool)>) -> Self {
        let mut map = self.map.clone();
        let mut is_in = vec![false; self.n_numbers()];
        numbers.iter().for_each(|&number| is_in[number as usize] = true);
        let mut part = IndexLists { starts: vec![0], items: Vec::new() };
        let (mut cells, mut needs) = (Vec::new(), Vec::new());
        for (number, &cell) in self.numbers.iter().enumerate() {
            if !is_in[number] {
                map.cells_mut()[cell as usize] = Cell::Gem;
                continue;
            }
            let mut need = self.needs[number];
            for &other in self.open.get(number) {
                match known {
                    Some((cell, trap)) if cell == other => need -= i32::from(trap),
                    _ => part.items.push(other),
                }
            }
            cells.push(cell);
            needs.push(need);
            part.starts.push(part.items.len() as u32);
        }
        if let Some((cell, trap)) = known {
            map.cells_mut()[cell as usize] = if trap { Cell::Trap } else { Cell::Gem };
        }
        let touching = part.transposed(map.cells().len());
        Self { map, numbers: cells, needs, open: part, touching, clock: self.clock.clone() }
    }

    /// The number of cells that show a number.
    pub(super) const fn n_numbers(&self) -> usize {
        self.numbers.len()
    }

    /// The cell of a number.
    pub(super) fn cell(&self, number: usize) -> usize {
        self.numbers[number] as usize
    }

    /// The number of traps that are left for the unknown neighbours of a number.
    pub(super) fn need(&self, number: usize) -> i32 {
        self.needs[number]
    }

    /// The unknown neighbours of a number, ascending.
    #[inline]
    pub(super) fn open(&self, number: usize) -> &[u32] {
        self.open.get(number)
    }

    /// The numbers next to a cell, if it is unknown, ascending.
    #[inline]
    pub(super) fn touching(&self, cell: usize) -> &[u32] {
        self.touching.get(cell)
    }

    /// The numbers that alone are contradictions: their unknown neighbours are too few, or their given traps too many.
    pub(super) fn impossible(&self) -> impl Iterator<Item = usize> {
        (0..self.n_numbers()).filter(|&number| self.is_impossible(number))
    }

    pub(super) fn is_impossible(&self, number: usize) -> bool {
        usize::try_from(self.need(number)).map_or(true, |need| need > self.open(number).len())
    }

    /// The cells that are unknown, ascending.
    pub(super) fn unknown(&self) -> impl Iterator<Item = usize> {
        self.map.cells().iter().enumerate().filter(|&(_, &cell)| cell == Cell::Unknown).map(|(index, _)| index)
    }
}
