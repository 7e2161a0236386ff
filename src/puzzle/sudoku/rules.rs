//! The heart: the rules of Sudoku, sent through the front door, and the way back.
//!
//! *Cell r, c holds value v* is one variable. Every cell holds exactly one value; every group (row, column, box or region,
//! and whatever else the layout has) holds every value exactly once; a given is a unit clause.

use rustsat::types::Lit;

use crate::puzzle::sudoku::layout::Layout;
use crate::{AtMostOne, ClauseSink, Constrain, Size};

/// The literal of *cell holds value*, in the numbering of source document 000: DIMACS n²(r − 1) + n(c − 1) + v for row r,
/// column c, value v counted from 1. Here `cell` is n·(r − 1) + (c − 1).
pub(super) fn lit(side: usize, cell: usize, value: usize) -> Lit {
    Lit::positive((cell * side + value - 1) as u32)
}

/// The rules. `lit` gives the literal of *cell holds value*, or nothing where that is settled; a constraint of which
/// everything is settled is taken to be met.
pub(super) fn rules<S, E>(
    sink: &mut S,
    layout: &Layout,
    enc: &E,
    lit: impl Fn(usize, usize) -> Option<Lit>,
) -> Result<(), S::Error>
where
    S: ClauseSink + ?Sized,
    E: AtMostOne,
{
    let n = layout.side();
    let mut lits: Vec<Lit> = Vec::with_capacity(n);
    for cell in 0..n * n {
        lits.clear();
        lits.extend((1..=n).filter_map(|value| lit(cell, value)));
        exactly_one(sink, &lits, enc)?;
    }
    for group in layout.groups_cells() {
        for value in 1..=n {
            lits.clear();
            lits.extend(group.iter().filter_map(|&cell| lit(cell as usize, value)));
            exactly_one(sink, &lits, enc)?;
        }
    }
    for (first, second) in layout.bans() {
        for value in 1..=n {
            if let (Some(first), Some(second)) = (lit(first as usize, value), lit(second as usize, value)) {
                sink.at_most_one(&[first, second], enc)?;
            }
        }
    }
    Ok(())
}

fn exactly_one<S, E>(sink: &mut S, lits: &[Lit], enc: &E) -> Result<(), S::Error>
where
    S: ClauseSink + ?Sized,
    E: AtMostOne,
{
    if lits.is_empty() { Ok(()) } else { sink.exactly_one(lits, enc) }
}

/// Exactly what [`rules`] adds while nothing is settled.
pub(super) fn rules_size<E: AtMostOne>(layout: &Layout, enc: &E) -> Size {
    let n = layout.side();
    let exactly_one = Size::clause(n) + if n < 2 { Size::ZERO } else { enc.amo_size(n) };
    let constraints = (n * n + layout.groups_cells().len() * n) as u64;
    exactly_one * constraints + Size::clauses((layout.bans().count() * n) as u64, 2)
}

/// The givens, a unit clause each. Cells as in [`Grid::cells`](crate::Grid::cells), all in range.
pub(super) fn clues<S: ClauseSink + ?Sized>(sink: &mut S, side: usize, cells: &[u16]) -> Result<(), S::Error> {
    let givens = cells.iter().enumerate().filter(|&(_, &value)| value != 0);
    givens.map(|(cell, &value)| lit(side, cell, value.into())).try_for_each(|given| sink.add_clause(&[given]))
}

/// The way back: writes into every cell the value whose literal is true.
pub(super) fn decode(side: usize, cells: &mut [u16], is_true: impl Fn(Lit) -> bool) {
    for (cell, holds) in cells.iter_mut().enumerate() {
        *holds = (1..=side).find(|&value| is_true(lit(side, cell, value))).unwrap_or(0) as u16;
    }
}
