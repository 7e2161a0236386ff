//! The kind of every cell: a trap in all answers, a gem in all, or neither.

use rustsat::types::Lit;

use super::count::total;
use super::deduce::{BoardState, CellKnowledge, Presolved};
use super::windows::{Certain, LocalBoard, Outcome, sat};
use crate::board::GemBoard;
use crate::encode::{self, BoardPlan};
use crate::error::GemError;
use crate::map::Cell;
use crate::rules;
use crate::strategy::Strategy;
use cnfkit_ask::internals::{backbone, nothing_lazy};
use cnfkit_core::SolveError;
use cnfkit_core::internals::Clock;

/// The part that a cell plays in the answers of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// It shows a number or is a hole, and so is no trap.
    Number,
    /// A trap in every answer.
    Trap,
    /// A gem in every answer.
    Gem,
    /// A trap in some answers and a gem in others; in an incomplete [`Deduction`] also: not found out.
    Undecided,
    /// Unknown, no number touches it, and it is a trap in some answers and a gem in others. Without a total of traps it
    /// is so independent of everything else; with one, it shares in what the total leaves to such cells and to all
    /// others.
    Free,
}

/// The kind of every cell; made by [`GemHunterEncoder::deduce`](crate::GemHunterEncoder::deduce).
///
/// ```
/// use cnfkit::{Deduction, GemHunterEncoder, Kind};
/// let encoder = GemHunterEncoder::new("2, _\n_, 2".parse()?);
/// let deduced: Deduction = encoder.deduce()?.expect("it has an answer");
/// assert_eq!([deduced.get(0, 0), deduced.get(0, 1)], [Kind::Number, Kind::Trap]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deduction {
    pub(super) columns: usize,
    /// `None`: not found out.
    pub(super) kinds: Vec<Option<Kind>>,
}

impl Deduction {
    /// The kind of the cell.
    ///
    /// # Panics
    /// When there is no such cell.
    #[must_use]
    pub fn get(&self, row: usize, column: usize) -> Kind {
        self.proven(row, column).unwrap_or(Kind::Undecided)
    }

    /// The kind of the cell, unless the time was over before it was found out.
    ///
    /// ```
    /// use cnfkit::{GemHunterEncoder, Kind};
    /// let deduction = GemHunterEncoder::new("1, _, 1, _".parse()?).deduce()?.expect("an answer");
    /// assert!(deduction.is_complete());
    /// assert_eq!((deduction.proven(0, 1), deduction.count(Kind::Trap)), (Some(Kind::Trap), 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// When there is no such cell.
    #[must_use]
    pub fn proven(&self, row: usize, column: usize) -> Option<Kind> {
        assert!(column < self.columns, "no column {column} on a board of {} columns", self.columns);
        assert!(
            row < self.kinds.len() / self.columns,
            "no row {row} on a board of {}",
            self.kinds.len() / self.columns
        );
        self.kinds[row * self.columns + column]
    }

    /// True if every cell was found out: false only if the time was over, or the question cancelled, before. What
    /// [`get`](Self::get) calls a trap or a gem is certain even then, for whatever answers there are.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.kinds.iter().all(Option::is_some)
    }

    /// The number of cells of this kind.
    #[must_use]
    pub fn count(&self, kind: Kind) -> usize {
        self.kinds.iter().filter(|&&other| other.unwrap_or(Kind::Undecided) == kind).count()
    }
}

/// Finds out what is certain, as far as the clock allows; `None` if the board has no answer.
pub(super) fn deduce(
    board: &GemBoard,
    plan: &BoardPlan,
    strategy: Strategy,
    clock: &Clock,
) -> Result<Option<Deduction>, GemError> {
    let mut kinds: Vec<Option<Kind>> = board
        .map
        .cells()
        .iter()
        .enumerate()
        .map(|(index, cell)| match cell {
            Cell::Number(_) | Cell::Hole => Some(Kind::Number),
            Cell::Trap => Some(Kind::Trap),
            Cell::Gem => Some(Kind::Gem),
            Cell::Unknown if board.touching(index).is_empty() && plan.traps.is_none() => Some(Kind::Free),
            Cell::Unknown => None,
        })
        .collect();
    let result = match (strategy, plan.traps) {
        (Strategy::Whole, _) => whole(board, plan, clock, &mut kinds),
        (_, Some(total)) => with_total(board, total, clock, &mut kinds),
        (Strategy::Parts, None) => parts(board, clock, &mut kinds).map_err(GemError::from),
        (Strategy::Windows, None) => windows(board, clock, &mut kinds).map_err(GemError::from),
    };
    match result {
        Ok(false) => Ok(None),
        Ok(true) | Err(GemError::Solve(SolveError::Interrupted(_))) => {
            Ok(Some(Deduction { columns: board.map.columns(), kinds }))
        }
        Err(error) => Err(error),
    }
}

const fn kind(certain: Option<bool>) -> Kind {
    match certain {
        Some(true) => Kind::Trap,
        Some(false) => Kind::Gem,
        None => Kind::Undecided,
    }
}

/// Asks the SAT solver alone.
fn whole(board: &GemBoard, plan: &BoardPlan, clock: &Clock, kinds: &mut [Option<Kind>]) -> Result<bool, GemError> {
    let cells: Vec<usize> = board.unknown().filter(|&cell| kinds[cell].is_none()).collect();
    let lits: Vec<Lit> = cells.iter().copied().map(rules::trap).collect();
    let mut session = sat::load(&encode::cnf(board, plan)?, clock)?;
    Ok(backbone(&mut session, &lits, clock, &mut nothing_lazy, |index, certain| {
        kinds[cells[index]] = Some(free_or(board, cells[index], kind(certain)));
    })?)
}

/// Counts each part by number of traps.
fn with_total(board: &GemBoard, total: usize, clock: &Clock, kinds: &mut [Option<Kind>]) -> Result<bool, GemError> {
    let decided = |cell: u32, certain| kinds[cell as usize] = Some(free_or(board, cell as usize, kind(certain)));
    total::certain(board, total, clock, decided).map_err(|limit| limit.error(board))
}

/// A total can settle a cell that no number touches; if it does not, the cell is free.
fn free_or(board: &GemBoard, cell: usize, kind: Kind) -> Kind {
    if kind == Kind::Undecided && board.touching(cell).is_empty() { Kind::Free } else { kind }
}

/// Deduces first, then asks the SAT solver, part by part.
fn parts(board: &GemBoard, clock: &Clock, kinds: &mut [Option<Kind>]) -> Result<bool, SolveError> {
    let Ok(presolved) = Presolved::new(board) else { return Ok(false) };
    record(&presolved.base, kinds);
    for (_, numbers) in presolved.parts.iter() {
        let mut local = LocalBoard::new(&presolved.base, numbers, clock);
        if !local.intersect(|cell, certain| kinds[cell as usize] = Some(kind(certain)))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Cells between two looks at the clock: most are decided by a search in microseconds, and a solver looks at it itself.
const CELLS_A_LOOK: usize = 64;

/// Deduces first, then changes an answer window by window.
fn windows(board: &GemBoard, clock: &Clock, kinds: &mut [Option<Kind>]) -> Result<bool, SolveError> {
    let Ok(presolved) = Presolved::new(board) else { return Ok(false) };
    record(&presolved.base, kinds);
    let Outcome::Answer(model) = presolved.answer(true, clock)? else { return Ok(false) };
    let mut certain = Certain::new(presolved.base, model, clock);
    for (index, cells) in presolved.parts.iter().map(|(cells, _)| cells).enumerate() {
        for (at, &cell) in cells.iter().enumerate() {
            if (index + at) % CELLS_A_LOOK == 0 {
                clock.check()?;
            }
            kinds[cell as usize] = Some(kind(certain.decide(cell)?));
        }
    }
    Ok(true)
}

/// True if the board has exactly one answer.
pub(super) fn is_unique(board: &GemBoard, strategy: Strategy, clock: &Clock) -> Result<bool, SolveError> {
    let Ok(presolved) = Presolved::new(board) else { return Ok(false) };
    if board.unknown().any(|cell| board.touching(cell).is_empty()) {
        return Ok(false);
    }
    let Outcome::Answer(model) = presolved.answer(strategy == Strategy::Windows, clock)? else { return Ok(false) };
    let mut certain = Certain::new(presolved.base, model, clock);
    for &cell in presolved.parts.iter().flat_map(|(cells, _)| cells) {
        clock.check()?;
        if certain.decide(cell)?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

fn record(base: &BoardState<'_>, kinds: &mut [Option<Kind>]) {
    for (cell, kind) in kinds.iter_mut().enumerate() {
        match base.known(cell as u32) {
            CellKnowledge::Nothing => {}
            CellKnowledge::Gem => *kind = Some(Kind::Gem),
            CellKnowledge::Trap => *kind = Some(Kind::Trap),
        }
    }
}
