//! The check of an answer: everything that is wrong with it.

use thiserror::Error;

use super::board::GemBoard;
use super::error::GemError;
use super::map::{Cell, GemMap};
use super::neighbourhood::Neighbourhood;
use cnfkit_core::internals::Clock;

/// Something that keeps a board from being the answer to another. Rows and columns count from 0; messages count from 1.
///
/// ```
/// use cnfkit::gem_hunter::Violation;
/// use cnfkit::{Cell, GemHunterEncoder};
/// let encoder = GemHunterEncoder::new("1, _".parse()?);
/// let found = encoder.verify(&"2, G".parse()?)?;
/// assert!(matches!(found[0], Violation::Changed { column: 0, found: Cell::Number(2), .. }), "{found:?}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Violation {
    /// The boards differ in size; nothing else was compared.
    #[error("the answer has {} rows and {} columns, the board {} and {}", .found.0, .found.1, .expected.0, .expected.1)]
    #[non_exhaustive]
    Size {
        /// Rows and columns of the answer.
        found: (usize, usize),
        /// Rows and columns of the board.
        expected: (usize, usize),
    },
    /// The board shows something, the answer something else.
    #[error("row {}, column {}: the board shows {expected}, the answer {found}", .row + 1, .column + 1)]
    #[non_exhaustive]
    Changed {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// The cell in the answer.
        found: Cell,
        /// The cell on the board.
        expected: Cell,
    },
    /// An unknown cell is neither a trap nor a gem in the answer.
    #[error("row {}, column {}: the answer shows {found}, neither T nor G", .row + 1, .column + 1)]
    #[non_exhaustive]
    Open {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// The cell in the answer.
        found: Cell,
    },
    /// A number is not that of the traps around it.
    #[error("row {}, column {}: there are {found} traps around the {expected}", .row + 1, .column + 1)]
    #[non_exhaustive]
    Number {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// Traps around it.
        found: usize,
        /// The number.
        expected: u8,
    },
    /// The number of traps on the whole board is not the one demanded.
    #[error("there are {found} traps on the board; there should be {expected}")]
    #[non_exhaustive]
    Total {
        /// Traps on the board.
        found: usize,
        /// Traps demanded.
        expected: usize,
    },
}

pub(super) fn violations(
    map: &GemMap,
    neighbourhood: &Neighbourhood,
    traps: Option<usize>,
    answer: &GemMap,
) -> Result<Vec<Violation>, GemError> {
    let size = |map: &GemMap| (map.rows(), map.columns());
    if size(map) != size(answer) {
        return Ok(vec![Violation::Size { found: size(answer), expected: size(map) }]);
    }
    let mut violations = Vec::new();
    for (index, (&expected, &found)) in map.cells().iter().zip(answer.cells()).enumerate() {
        let (row, column) = map.position(index);
        if expected == Cell::Unknown {
            if !matches!(found, Cell::Trap | Cell::Gem) {
                violations.push(Violation::Open { row, column, found });
            }
        } else if expected != found {
            violations.push(Violation::Changed { row, column, found, expected });
        }
    }
    let board = GemBoard::new(map.clone(), neighbourhood, &Clock::default())?;
    let is_trap = |cell: usize| answer.cells()[cell] == Cell::Trap;
    for number in 0..board.n_numbers() {
        let cell = board.cell(number);
        let Cell::Number(expected) = map.cells()[cell] else { continue };
        let given = i64::from(expected) - i64::from(board.need(number));
        let filled = board.open(number).iter().filter(|&&cell| is_trap(cell as usize)).count();
        let found = usize::try_from(given).unwrap_or_default() + filled;
        if found != usize::from(expected) {
            let (row, column) = map.position(cell);
            violations.push(Violation::Number { row, column, found, expected });
        }
    }
    match traps {
        Some(expected) if answer.count(Cell::Trap) != expected => {
            violations.push(Violation::Total { found: answer.count(Cell::Trap), expected });
        }
        _ => {}
    }
    Ok(violations)
}
