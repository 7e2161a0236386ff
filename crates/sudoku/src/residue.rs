//! The values that deduction leaves open, numbered: the only part that a solver gets to see.
//!
//! A [`Residue`] takes a grid, lets `deduce` do what it can, and numbers the values that some cell may still have, cell
//! by cell, without gaps. It states the rules for these alone: what is settled needs no clause, because deduction took
//! its consequences away.

use rustsat::types::Lit;

use crate::deduce::{Bits, Candidates, Colouring, Contradiction, Halt, Nine};
use crate::grid::Layout;
use crate::rules::{self, Crossings, Form, Lits};
use cnfkit_core::internals::Clock;
use cnfkit_core::{CapacityError, ClauseSink, Size, SolveError};

/// Open values from which on what cells take is held against the limit before groups are gone through, which takes
/// about a second for so many (`cargo test --release --test puzzles sudoku_limits -- --ignored --nocapture`).
const COUNTED_THROUGH: u32 = 1 << 25;

/// The values left open, numbered without gaps. Reused from puzzle to puzzle.
#[derive(Debug)]
pub(crate) struct Residue<const W: usize> {
    layout: Layout,
    candidates: Candidates<W>,
    /// For 9×9 boxes, which then fills `candidates`.
    nine: Option<Box<Nine>>,
    colouring: Colouring,
    /// The variable of each cell's first value.
    starts: Vec<u32>,
    n_vars: u32,
    rules: Rules,
}

/// The rules of what is open, for any width: compiled once.
#[derive(Debug, Default)]
struct Rules {
    /// The value of each variable.
    values: Vec<u16>,
    lits: Lits,
    crossings: Crossings,
}

/// Where the rules go: a formula, or a solver.
pub(crate) type Sink<'a> = dyn ClauseSink<Error = SolveError> + 'a;

/// A [`Residue`] of whatever width.
pub(crate) trait Residual {
    /// Takes over another puzzle of the same layout, all its values in range, and deduces what it can; `false` on a
    /// contradiction.
    fn load(&mut self, cells: &[u16], clock: &Clock) -> Result<bool, SolveError>;
    /// Deduces more by trying single candidates; `false` on a contradiction.
    fn probe(&mut self) -> bool;
    /// True if nothing is left open.
    fn is_solved(&self) -> bool;
    /// Numbers the open values and returns how many variables that are.
    fn number(&mut self) -> usize;
    /// Exactly what [`write`](Self::write) adds without `crossings`, found by counting; an error that says so when
    /// that, with the numbered variables, is more than `limit`. Beyond [`COUNTED_THROUGH`] the error may say less than
    /// all.
    fn size(&self, enc: Form, limit: &Size, clock: &Clock) -> Result<Size, SolveError>;
    /// Visits the values that are open, with their cells, in the order of their variables.
    fn each_open(&self, visit: &mut dyn FnMut(usize, usize));
    /// Sends the rules of what is open; with `crossings`, where the layout has any, in the form of [`Crossings`].
    fn write(&mut self, sink: &mut Sink<'_>, form: Form, crossings: bool) -> Result<(), SolveError>;
    /// Writes down what is settled, and for what is open the value whose literal is true.
    fn decode(&self, cells: &mut [u16], is_true: &dyn Fn(Lit) -> bool);
    /// The literals that say of the open cells what `cells` says.
    fn chosen(&self, cells: &[u16], lits: &mut Vec<Lit>);
    /// The places that are open, for 9×9 boxes.
    fn nine(&self) -> Option<&Nine>;
    /// The values a cell may still have, with their literals where there is more than one.
    fn values(&self, cell: usize) -> Vec<(u16, Option<Lit>)>;
}

impl<const W: usize> Residue<W> {
    pub(crate) fn new(layout: &Layout) -> Self {
        Self {
            layout: layout.clone(),
            candidates: Candidates::new(layout.tables()),
            nine: (*layout == Layout::boxes(3, 3)).then(|| Box::new(Nine::new())),
            colouring: Colouring::default(),
            starts: Vec::new(),
            n_vars: 0,
            rules: Rules::default(),
        }
    }
}

impl<const W: usize> Residual for Residue<W> {
    fn load(&mut self, cells: &[u16], clock: &Clock) -> Result<bool, SolveError> {
        let result = match cells.try_into() {
            Ok(cells) if self.nine.is_some() => self.load_nine(cells).map_err(Halt::from),
            _ => self.load_any(cells, clock),
        };
        Halt::answer(result)
    }

    fn probe(&mut self) -> bool {
        let Some(nine) = self.nine.as_mut().filter(|nine| !nine.is_solved()) else { return true };
        let possible = nine.probe().is_ok();
        if possible {
            self.candidates.take_over(nine);
        }
        possible
    }

    fn is_solved(&self) -> bool {
        self.candidates.is_solved()
    }

    fn number(&mut self) -> usize {
        self.starts.clear();
        self.n_vars = 0;
        for cell in 0..self.layout.side() * self.layout.side() {
            self.starts.push(self.n_vars);
            let values = self.candidates.get(cell);
            if !values.at_most_one() {
                self.n_vars += values.count() as u32;
            }
        }
        self.n_vars as usize
    }

    fn size(&self, enc: Form, limit: &Size, clock: &Clock) -> Result<Size, SolveError> {
        let within = |size: Size| {
            let needed = size + Size::variables(self.n_vars.into());
            if needed.fits(limit) { Ok(size) } else { Err(CapacityError::new(needed, *limit)) }
        };
        let side = self.layout.side();
        let counts = (0..side * side).map(|cell| self.candidates.get(cell));
        let counts = counts.map(|values| if values.at_most_one() { 0 } else { values.count() });
        let mut total: Size = counts.map(|count| enc.cell_size(count)).sum();
        if self.n_vars > COUNTED_THROUGH {
            within(total)?;
        }
        let open = |cell: u32| {
            let values = self.candidates.get(cell as usize);
            if values.at_most_one() { Bits::EMPTY } else { values }
        };
        let mut counts = vec![0; side + 1];
        for group in self.layout.groups_cells() {
            clock.check()?;
            counts.fill(0);
            for &cell in group {
                open(cell).iter().for_each(|value| counts[value] += 1);
            }
            total += counts.iter().map(|&count| enc.group_size(count)).sum();
        }
        let mut banned = 0;
        for (first, second) in self.layout.bans() {
            banned += open(first).and(self.candidates.get(second as usize)).count() as u64;
        }
        Ok(within(total + Size::clauses(banned, 2))?)
    }

    fn each_open(&self, visit: &mut dyn FnMut(usize, usize)) {
        for cell in 0..self.layout.side() * self.layout.side() {
            let values = self.candidates.get(cell);
            if !values.at_most_one() {
                values.iter().for_each(|value| visit(cell, value));
            }
        }
    }

    fn write(&mut self, sink: &mut Sink<'_>, form: Form, crossings: bool) -> Result<(), SolveError> {
        let mut rules = std::mem::take(&mut self.rules);
        rules.values.clear();
        self.each_open(&mut |_, value| rules.values.push(value as u16));
        let sent = rules.send(sink, &self.layout, &self.starts, form, crossings);
        self.rules = rules;
        sent
    }

    fn decode(&self, cells: &mut [u16], is_true: &dyn Fn(Lit) -> bool) {
        for (cell, holds) in cells.iter_mut().enumerate() {
            let values = self.candidates.get(cell);
            let found = open(values, self.start(cell)).find(|&(_, lit)| is_true(lit));
            *holds = found.map_or_else(|| values.first(), |(value, _)| value) as u16;
        }
    }

    fn chosen(&self, cells: &[u16], lits: &mut Vec<Lit>) {
        for (cell, &value) in cells.iter().enumerate() {
            let mut open = open(self.candidates.get(cell), self.start(cell));
            lits.extend(open.find(|&(other, _)| other == usize::from(value)).map(|(_, lit)| lit));
        }
    }

    fn nine(&self) -> Option<&Nine> {
        self.nine.as_deref()
    }

    fn values(&self, cell: usize) -> Vec<(u16, Option<Lit>)> {
        let values = self.candidates.get(cell);
        if values.at_most_one() {
            return vec![(values.first() as u16, None)];
        }
        open(values, self.start(cell)).map(|(value, lit)| (value as u16, Some(lit))).collect()
    }
}

impl<const W: usize> Residue<W> {
    /// Lets [`Nine`] and colouring deduce what they can; there must be a `nine`.
    fn load_nine(&mut self, cells: &[u16; 81]) -> Result<(), Contradiction> {
        let Some(nine) = &mut self.nine else { return Ok(()) };
        nine.load(cells)?;
        while !nine.is_solved() && self.colouring.run(nine)? {
            nine.propagate()?;
        }
        self.candidates.take_over(nine);
        Ok(())
    }

    /// Lets the deduction for any side do what it can.
    fn load_any(&mut self, cells: &[u16], clock: &Clock) -> Result<(), Halt> {
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

    fn start(&self, cell: usize) -> u32 {
        self.starts.get(cell).copied().unwrap_or(0)
    }
}

impl Rules {
    /// `starts` has the variable of each cell's first value.
    fn send(
        &mut self,
        sink: &mut Sink<'_>,
        layout: &Layout,
        starts: &[u32],
        enc: Form,
        crossings: bool,
    ) -> Result<(), SolveError> {
        let Self { values, lits, crossings: through_crossings } = self;
        let open = |cell: usize| {
            let (start, end) = (starts[cell], starts.get(cell + 1).map_or(values.len(), |&end| end as usize));
            let values = values[start as usize..end].iter();
            values.zip(start..).map(|(&value, var)| (usize::from(value), Lit::positive(var)))
        };
        if crossings && layout.is_plain() && layout.region(0, 0).is_some() {
            return through_crossings.encode(sink, layout.tables(), enc.amo, open);
        }
        rules::rules(sink, layout, &enc, lits, open)
    }
}

/// The values of a cell with their literals; none when one value is left.
#[inline]
fn open<const W: usize>(values: Bits<W>, start: u32) -> impl Iterator<Item = (usize, Lit)> {
    let values = if values.at_most_one() { Bits::EMPTY } else { values };
    values.iter().zip(start..).map(|(value, var)| (value, Lit::positive(var)))
}
