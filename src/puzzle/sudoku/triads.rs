//! The rules again, said through crossings.
//!
//! Where a region meets a row or column lies a *crossing* (three cells in 9×9, a "triad"). Whether a crossing holds a value
//! gets a variable; a row, column or region then holds a value in exactly one of its crossings, a crossing in exactly one of
//! its cells. Unit propagation sees locked candidates in that, which it does not in the rules as they stand, and the
//! formula is no larger.

use rustsat::types::Lit;

use crate::puzzle::sudoku::propagate::Tables;
use crate::{AtMostOne, ClauseSink, Constrain};

/// Room for the literals of crossings. Reused from puzzle to puzzle.
#[derive(Debug, Default)]
pub(super) struct Triads {
    /// By crossing and value: the literal that says the crossing holds the value; none when that is settled.
    holds: Vec<Option<Lit>>,
    /// By value: literals of one crossing, cell or part.
    values: Vec<Vec<Lit>>,
    clause: Vec<Lit>,
}

impl Triads {
    /// Sends the rules of what is open, for a layout of rows, columns and regions alone. `open` as for
    /// [`rules`](super::rules::rules); locked candidates must have been propagated.
    pub(super) fn encode<S, E, I>(
        &mut self,
        sink: &mut S,
        tables: &Tables,
        enc: &E,
        open: impl Fn(usize) -> I,
    ) -> Result<(), S::Error>
    where
        S: ClauseSink + ?Sized,
        E: AtMostOne,
        I: Iterator<Item = (usize, Lit)>,
    {
        let side = tables.side();
        self.values.resize_with(side, Vec::new);
        for cell in 0..side * side {
            self.clause.clear();
            self.clause.extend(open(cell).map(|(_, lit)| lit));
            if !self.clause.is_empty() {
                sink.exactly_one(&self.clause, enc)?;
            }
        }
        self.holds.clear();
        for cells in tables.crossings() {
            self.values.iter_mut().for_each(Vec::clear);
            for &cell in cells {
                open(cell as usize).for_each(|(value, lit)| self.values[value - 1].push(lit));
            }
            for lits in &self.values {
                let holds = match lits[..] {
                    [] => None,
                    [lit] => Some(lit),
                    _ => {
                        let holds = sink.new_lit();
                        self.clause.clear();
                        self.clause.push(!holds);
                        self.clause.extend_from_slice(lits);
                        sink.add_clause(&self.clause)?;
                        lits.iter().try_for_each(|&lit| sink.add_clause(&[holds, !lit]))?;
                        sink.at_most_one(lits, enc)?;
                        Some(holds)
                    }
                };
                self.holds.push(holds);
            }
        }
        for crossings in tables.parts() {
            for value in 0..side {
                self.clause.clear();
                self.clause
                    .extend(crossings.iter().filter_map(|&crossing| self.holds[crossing as usize * side + value]));
                if !self.clause.is_empty() {
                    sink.exactly_one(&self.clause, enc)?;
                }
            }
        }
        Ok(())
    }
}
