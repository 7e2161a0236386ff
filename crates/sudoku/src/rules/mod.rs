//! The rules of Sudoku, sent through the front door, and the way back: the page that says what Sudoku is.
//!
//! *Cell r, c holds value v* is one variable. Every cell holds exactly one value; every group (row, column, box or
//! region, and whatever else the layout has) holds every value exactly once; a given is a unit clause. Half of that
//! follows from the rest: a [`RuleForm`] says what is written out.
//!
//! For 9×9 boxes with BatSat and the default encoding these clauses are not loaded: `LazyNine` in `search/lazy_nine.rs`
//! stands in for them and answers the solver from boards of bits. The test `has_the_solutions_of_the_rules` in that
//! file holds the two together: the same solutions as this page's clauses, on random grids with none, one and many.
//! Before either, `deduce` settles what follows without search; its tests compare it with the solutions too.
//! [`Crossings`] says the same rules in another form, for long searches.

mod crossings;
mod form;
mod named;

use rustsat::types::Lit;

use crate::grid::Layout;
use cnfkit_core::{ClauseSink, Constrain, Pairwise, Size};

pub(crate) use crossings::Crossings;
pub use form::ConstraintSet;
pub(crate) use form::RuleForm;
pub use named::Rule;

/// The literal of *cell holds value*. Its DIMACS number is n²(r − 1) + n(c − 1) + v for row r, column c, value v
/// counted from 1. Here `cell` is n·(r − 1) + (c − 1).
pub(crate) fn lit(side: usize, cell: usize, value: usize) -> Lit {
    Lit::positive((cell * side + value - 1) as u32)
}

/// All values of a cell, with their literals: what [`rules`] takes for the base formula.
pub(crate) fn all_open(side: usize) -> impl Fn(usize) -> OpenCell {
    move |cell| OpenCell { next: lit(side, cell, 1), values: 1..side + 1 }
}

/// The rules. `open` gives the values a cell may still have, in order, with the literals of *cell holds value*, and
/// nothing for a cell that is settled; a value of which a group has no literal is taken to be settled there.
pub(crate) fn rules<S, I>(
    sink: &mut S,
    layout: &Layout,
    form: &RuleForm,
    lits: &mut LitBuffer,
    open: impl Fn(usize) -> I,
) -> Result<(), S::Error>
where
    S: ClauseSink + ?Sized,
    I: Iterator<Item = (usize, Lit)>,
{
    for cell in 0..layout.side() * layout.side() {
        lits.of_cell(open(cell));
        form.cell(sink, &lits.cell)?;
    }
    for group in layout.groups_cells() {
        lits.by_value(layout.side(), group, &open);
        lits.values.iter().try_for_each(|value| form.group(sink, value))?;
    }
    for (first, second) in layout.bans() {
        lits.by_value(layout.side(), &[first, second], &open);
        lits.values.iter().try_for_each(|value| sink.at_most_one(value, &Pairwise))?;
    }
    Ok(())
}

/// Exactly what [`rules`] adds while nothing is settled.
pub(crate) fn rules_size(layout: &Layout, form: &RuleForm) -> Size {
    let (n, groups, bans) = (layout.side(), layout.groups_cells().len(), layout.bans().count());
    form.cell_size(n) * (n * n) as u64 + form.group_size(n) * (groups * n) as u64 + Size::clauses((bans * n) as u64, 2)
}

/// The givens, a unit clause each. Cells as in [`Grid::cells`](crate::Grid::cells), all in range.
pub(crate) fn clues<S: ClauseSink + ?Sized>(sink: &mut S, side: usize, cells: &[u16]) -> Result<(), S::Error> {
    let givens = cells.iter().enumerate().filter(|&(_, &value)| value != 0);
    givens.map(|(cell, &value)| lit(side, cell, value.into())).try_for_each(|given| sink.add_clause(&[given]))
}

/// The way back: writes into every cell the value whose literal is true.
pub(crate) fn decode(side: usize, cells: &mut [u16], is_true: impl Fn(Lit) -> bool) {
    for (cell, holds) in cells.iter_mut().enumerate() {
        *holds = (1..=side).find(|&value| is_true(lit(side, cell, value))).unwrap_or(0) as u16;
    }
}

/// The values of a cell of which nothing is settled.
pub(crate) struct OpenCell {
    next: Lit,
    values: std::ops::Range<usize>,
}

impl Iterator for OpenCell {
    type Item = (usize, Lit);

    #[inline]
    fn next(&mut self) -> Option<(usize, Lit)> {
        let value = self.values.next()?;
        let lit = self.next;
        self.next = Lit::positive(lit.vidx32() + 1);
        Some((value, lit))
    }
}

/// Room for the literals of one constraint after the other.
#[derive(Debug, Default)]
pub(crate) struct LitBuffer {
    cell: Vec<Lit>,
    values: Vec<Vec<Lit>>,
}

impl LitBuffer {
    fn of_cell(&mut self, open: impl Iterator<Item = (usize, Lit)>) {
        self.cell.clear();
        self.cell.extend(open.map(|(_, lit)| lit));
    }

    fn by_value<I: Iterator<Item = (usize, Lit)>>(&mut self, side: usize, cells: &[u32], open: impl Fn(usize) -> I) {
        self.values.iter_mut().for_each(Vec::clear);
        self.values.resize_with(side, Vec::new);
        for &cell in cells {
            open(cell as usize).for_each(|(value, lit)| self.values[value - 1].push(lit));
        }
    }
}
