//! All that deduction finds, for any side, without a word on how wide its sets are.

use crate::deduce::bits::with_width;
use crate::deduce::candidates::Candidates;
use crate::deduce::colour::ChainColouring;
use crate::deduce::contradiction::{GridContradiction, Halt};
use crate::deduce::nine::Nine;
use crate::grid::Layout;
use cnfkit_core::internals::Clock;

/// The values that deduction leaves to the cells of a grid, row by row.
#[derive(Debug, Default)]
pub(crate) struct OpenGrid {
    /// The value of each cell that has one left, 0 for the others.
    pub(crate) settled: Vec<u16>,
    /// The values of the others, cell by cell.
    pub(crate) values: Vec<u16>,
    /// The start of each cell's values, and the end of the last.
    pub(crate) starts: Vec<u32>,
}

impl OpenGrid {
    /// The values of a cell that has more than one.
    #[inline]
    pub(crate) fn of(&self, cell: usize) -> &[u16] {
        &self.values[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }
}

/// Deduction from one grid of a layout after the other, of whatever width.
pub(crate) trait Deduce {
    /// Takes over a grid, all its values in range, and deduces what it can; with `probe`, also by trying single
    /// candidates, where that is known to help.
    fn deduce(&mut self, cells: &[u16], probe: bool, clock: &Clock) -> Result<(), Halt>;
    /// Writes down what is left.
    fn list(&self, open: &mut OpenGrid);
    /// The places that are open, for 9×9 boxes.
    fn nine(&self) -> Option<&Nine>;
}

/// Deduction for this layout.
pub(crate) fn deduction(layout: &Layout) -> Box<dyn Deduce> {
    with_width!(layout.side(), W => Box::new(Deduced::<W>::new(layout)))
}

struct Deduced<const W: usize> {
    layout: Layout,
    candidates: Candidates<W>,
    /// For 9×9 boxes, which then fills `candidates`.
    nine: Option<Box<Nine>>,
    colouring: ChainColouring,
}

impl<const W: usize> Deduced<W> {
    fn new(layout: &Layout) -> Self {
        Self {
            layout: layout.clone(),
            candidates: Candidates::new(layout.tables()),
            nine: (*layout == Layout::boxes(3, 3)).then(|| Box::new(Nine::new())),
            colouring: ChainColouring::default(),
        }
    }

    /// The deduction for any side.
    fn any(&mut self, cells: &[u16], clock: &Clock) -> Result<(), Halt> {
        let tables = self.layout.tables();
        self.candidates.reset(tables);
        self.candidates.watch(tables, clock);
        for (cell, &value) in cells.iter().enumerate() {
            if value != 0 {
                self.candidates.place(cell, value.into())?;
            }
        }
        self.candidates.propagate(tables)
    }
}

/// Deduction for 9×9 boxes: by [`Nine`], colouring and trials.
fn by_nine(
    nine: &mut Nine,
    colouring: &mut ChainColouring,
    cells: &[u16; 81],
    probe: bool,
) -> Result<(), GridContradiction> {
    nine.load(cells)?;
    while !nine.is_solved() && colouring.run(nine)? {
        nine.propagate()?;
    }
    if probe && !nine.is_solved() { nine.probe() } else { Ok(()) }
}

impl<const W: usize> Deduce for Deduced<W> {
    fn deduce(&mut self, cells: &[u16], probe: bool, clock: &Clock) -> Result<(), Halt> {
        if let (Some(nine), Ok(cells)) = (&mut self.nine, cells.try_into()) {
            by_nine(nine, &mut self.colouring, cells, probe)?;
            self.candidates.take_over(nine);
            return Ok(());
        }
        self.any(cells, clock)
    }

    fn list(&self, open: &mut OpenGrid) {
        open.settled.clear();
        open.values.clear();
        open.starts.clear();
        for cell in 0..self.layout.side() * self.layout.side() {
            open.starts.push(open.values.len() as u32);
            let values = self.candidates.get(cell);
            if values.at_most_one() {
                open.settled.push(values.first() as u16);
            } else {
                open.settled.push(0);
                for value in values.iter() {
                    open.values.push(value as u16);
                }
            }
        }
        open.starts.push(open.values.len() as u32);
    }

    fn nine(&self) -> Option<&Nine> {
        self.nine.as_deref()
    }
}
