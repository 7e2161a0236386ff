//! The values that deduction leaves open, numbered: the only part that a solver gets to see.
//!
//! A [`Residue`] takes a grid, lets `deduce` do what it can, and numbers the values that some cell may still have, cell
//! by cell, without gaps. It states the rules for these alone: what is settled needs no clause, because deduction took
//! its consequences away.

use rustsat::types::Lit;

use crate::deduce::{Deduce, Halt, Nine, OpenGrid, deduction};
use crate::grid::Layout;
use crate::rules::{self, Crossings, LitBuffer, RuleForm};
use cnfkit_core::internals::Clock;
use cnfkit_core::{CapacityError, ClauseSink, Size, SolveError};

/// Open values from which on what cells take is held against the limit before groups are gone through, which takes
/// about a second for so many (`cargo test --release --test puzzles sudoku_limits -- --ignored --nocapture`).
const COUNTED_THROUGH: usize = 1 << 25;

/// The values left open, numbered without gaps. Reused from puzzle to puzzle.
pub(crate) struct Residue {
    layout: Layout,
    deduction: Box<dyn Deduce>,
    open: OpenGrid,
    lits: LitBuffer,
    crossings: Crossings,
}

impl Residue {
    pub(crate) fn new(layout: &Layout) -> Self {
        Self {
            layout: layout.clone(),
            deduction: deduction(layout),
            open: OpenGrid::default(),
            lits: LitBuffer::default(),
            crossings: Crossings::default(),
        }
    }

    /// Takes over another puzzle of the same layout, all its values in range, and deduces what it can, with `probe` by
    /// trying single candidates, too; `false` on a contradiction.
    pub(crate) fn load(&mut self, cells: &[u16], probe: bool, clock: &Clock) -> Result<bool, SolveError> {
        let possible = Halt::answer(self.deduction.deduce(cells, probe, clock))?;
        if possible {
            self.deduction.list(&mut self.open);
        }
        Ok(possible)
    }

    /// The number of open values, a variable each.
    pub(crate) fn n_vars(&self) -> usize {
        self.open.values.len()
    }

    /// Exactly what [`write`](Self::write) adds without `crossings`, found by counting; an error that says so when
    /// that, with the numbered variables, is more than `limit`. Beyond [`COUNTED_THROUGH`] the error may say less than
    /// all.
    pub(crate) fn size(&self, form: RuleForm, limit: &Size, clock: &Clock) -> Result<Size, SolveError> {
        let within = |size: Size| {
            let needed = size + Size::variables(self.n_vars() as u64);
            if needed.fits(limit) { Ok(size) } else { Err(CapacityError::new(needed, *limit)) }
        };
        let mut total = Size::ZERO;
        for cell in 0..self.open.settled.len() {
            total += form.cell_size(self.open.of(cell).len());
        }
        if self.n_vars() > COUNTED_THROUGH {
            within(total)?;
        }
        let mut counts = vec![0; self.layout.side() + 1];
        for group in self.layout.groups_cells() {
            clock.check()?;
            counts.fill(0);
            for &cell in group {
                for &value in self.open.of(cell as usize) {
                    counts[usize::from(value)] += 1;
                }
            }
            for &count in &counts {
                total += form.group_size(count);
            }
        }
        // For each value, the last cell that has it: pairs come by their first cells.
        let mut last = vec![u32::MAX; counts.len()];
        let (mut at, mut banned) = (u32::MAX, 0);
        for (first, second) in self.layout.bans() {
            if first != at {
                at = first;
                self.open.of(at as usize).iter().for_each(|&value| last[usize::from(value)] = at);
            }
            banned += self.open.of(second as usize).iter().filter(|&&value| last[usize::from(value)] == at).count();
        }
        Ok(within(total + Size::clauses(banned as u64, 2))?)
    }

    /// Visits the values that are open, with their cells, in the order of their variables.
    pub(crate) fn open(&self) -> impl Iterator<Item = (usize, usize)> {
        let cells = 0..self.open.settled.len();
        cells.flat_map(|cell| self.open.of(cell).iter().map(move |&value| (cell, usize::from(value))))
    }

    /// Sends the rules of what is open; with `crossings`, where the layout has any, in the form of [`Crossings`].
    pub(crate) fn write(&mut self, sink: &mut Sink<'_>, form: RuleForm, crossings: bool) -> Result<(), SolveError> {
        let Self { layout, open, lits, crossings: through_crossings, .. } = self;
        let open = |cell: usize| {
            let values = open.of(cell).iter().zip(open.starts[cell]..);
            values.map(|(&value, var)| (usize::from(value), Lit::positive(var)))
        };
        if crossings && layout.is_plain() && layout.region(0, 0).is_some() {
            return through_crossings.encode(sink, layout.tables(), form.amo, open);
        }
        rules::rules(sink, layout, &form, lits, open)
    }

    /// Writes down what is settled, and for what is open the value whose literal is true.
    pub(crate) fn decode(&self, cells: &mut [u16], is_true: &dyn Fn(Lit) -> bool) {
        for (cell, holds) in cells.iter_mut().enumerate() {
            *holds = self.open.settled[cell];
            for (&value, var) in self.open.of(cell).iter().zip(self.open.starts[cell]..) {
                if *holds == 0 || is_true(Lit::positive(var)) {
                    *holds = value;
                }
            }
        }
    }

    /// The literals that say of the open cells what `cells` says.
    pub(crate) fn chosen(&self, cells: &[u16], lits: &mut Vec<Lit>) {
        for (cell, value) in cells.iter().enumerate() {
            if let Ok(at) = self.open.of(cell).binary_search(value) {
                lits.push(Lit::positive(self.open.starts[cell] + at as u32));
            }
        }
    }

    /// The places that are open, for 9×9 boxes.
    pub(crate) fn nine(&self) -> Option<&Nine> {
        self.deduction.nine()
    }

    /// The values a cell may still have, with their literals where there is more than one.
    pub(crate) fn values(&self, cell: usize) -> Vec<(u16, Option<Lit>)> {
        match self.open.settled[cell] {
            0 => {
                let values = self.open.of(cell).iter().zip(self.open.starts[cell]..);
                values.map(|(&value, var)| (value, Some(Lit::positive(var)))).collect()
            }
            value => vec![(value, None)],
        }
    }
}

/// Where the rules go: a formula, or a solver.
pub(crate) type Sink<'a> = dyn ClauseSink<Error = SolveError> + 'a;
