//! Random boards.

use super::deduce::Presolved;
use super::windows::{Certain, Outcome};
use crate::board::GemBoard;
use crate::map::{Cell, GemMap};
use crate::neighbourhood::Neighbourhood;
use cnfkit_core::internals::{Clock, Random};
use cnfkit_core::{Limits, SolveError};

/// A random board and its answer: each cell is a trap with probability `density`; each other cell shows its number with
/// probability `shown` and is unknown otherwise. The board may have more answers.
///
/// Equal arguments give equal boards. Probabilities are cut to 0 to 1.
///
/// ```
/// use cnfkit::gem_hunter::plant;
/// use cnfkit::{Cell, GemHunterEncoder};
/// let (map, answer) = plant(6, 8, 0.2, 0.5, 1);
/// assert_eq!((map.rows(), map.columns(), answer.count(Cell::Unknown)), (6, 8, 0));
/// assert_eq!(GemHunterEncoder::new(map).verify(&answer)?, []);
/// # Ok::<(), cnfkit::GemError>(())
/// ```
///
/// # Panics
/// When `rows` · `columns` overflows.
#[must_use]
pub fn plant(rows: usize, columns: usize, density: f64, shown: f64, seed: u64) -> (GemMap, GemMap) {
    let mut rng = Random::new(seed);
    let mut answer = GemMap::new(rows, columns);
    for cell in answer.cells_mut() {
        *cell = if rng.chance(density) { Cell::Trap } else { Cell::Gem };
    }
    number(&mut answer);
    let mut map = answer.clone();
    for (cell, answer) in map.cells_mut().iter_mut().zip(answer.cells_mut()) {
        if *cell == Cell::Trap || !rng.chance(shown) {
            *answer = if *cell == Cell::Trap { Cell::Trap } else { Cell::Gem };
            *cell = Cell::Unknown;
        }
    }
    (map, answer)
}

/// Shows the number of every cell that is no trap.
fn number(map: &mut GemMap) {
    let around = around(map);
    let numbers: Vec<u8> = (0..map.cells().len())
        .map(|cell| around(cell).filter(|&other| map.cells()[other] == Cell::Trap).count() as u8)
        .collect();
    for (cell, number) in map.cells_mut().iter_mut().zip(numbers) {
        if *cell != Cell::Trap {
            *cell = Cell::Number(number);
        }
    }
}

/// The 8 cells around a cell.
fn around(map: &GemMap) -> impl Fn(usize) -> Box<dyn Iterator<Item = usize>> + use<> {
    let (rows, columns) = (map.rows(), map.columns());
    move |cell| {
        let (row, column) = (cell / columns, cell % columns);
        let below = |at: usize, len: usize| at.saturating_sub(1)..(at + 2).min(len);
        let cells = below(row, rows).flat_map(move |r| below(column, columns).map(move |c| r * columns + c));
        Box::new(cells.filter(move |&other| other != cell))
    }
}

/// A board with exactly one answer, with a nearly minimal set of shown numbers: random traps as in [`plant`], and then
/// one number after another is taken away, in random order, unless the numbers in the window around it (4 cells in each
/// direction) no longer force what they did.
///
/// A trap with only traps around it could not be told from a gem, and becomes one. Equal arguments give equal boards.
///
/// ```
/// use cnfkit::{GemHunterEncoder, gem_hunter};
/// let map = gem_hunter::generate(8, 8, 0.2, 1);
/// assert!(GemHunterEncoder::new(map).is_unique()?);
/// # Ok::<(), cnfkit::GemError>(())
/// ```
///
/// # Panics
/// When `rows` · `columns` overflows.
#[must_use]
pub fn generate(rows: usize, columns: usize, density: f64, seed: u64) -> GemMap {
    generate_within(rows, columns, density, seed, &Limits::none())
}

/// As [`generate`], but once the limits say so no more numbers are taken away: the board has exactly one answer all the
/// same, and shows more than it has to.
///
/// ```
/// use std::time::Duration;
///
/// use cnfkit::{GemHunterEncoder, Limits, gem_hunter};
/// let limits = Limits::none().time(Duration::from_millis(10));
/// let map = gem_hunter::generate_within(100, 100, 0.2, 1, &limits);
/// assert!(GemHunterEncoder::new(map).is_unique()?);
/// # Ok::<(), cnfkit::GemError>(())
/// ```
///
/// # Panics
/// When `rows` · `columns` overflows.
#[must_use]
pub fn generate_within(rows: usize, columns: usize, density: f64, seed: u64, limits: &Limits) -> GemMap {
    let clock = limits.start();
    let mut rng = Random::new(seed);
    let mut map = GemMap::new(rows, columns);
    for cell in map.cells_mut() {
        *cell = if rng.chance(density) { Cell::Trap } else { Cell::Gem };
    }
    let around = around(&map);
    for cell in 0..map.cells().len() {
        if around(cell).all(|other| map.cells()[other] == Cell::Trap) {
            map.cells_mut()[cell] = Cell::Gem;
        }
    }
    number(&mut map);
    for cell in map.cells_mut() {
        if *cell == Cell::Trap {
            *cell = Cell::Unknown;
        }
    }
    let mut order: Vec<usize> = (0..map.cells().len()).filter(|&cell| map.cells()[cell] != Cell::Unknown).collect();
    for at in (1..order.len()).rev() {
        order.swap(at, rng.below(at + 1));
    }
    for cell in order {
        if clock.is_over() {
            break;
        }
        let number = std::mem::replace(&mut map.cells_mut()[cell], Cell::Unknown);
        if !is_forced_near(&map, cell) {
            map.cells_mut()[cell] = number;
        }
    }
    map
}

/// True if numbers near by leave one value to the unknown cell and to each unknown cell around it.
fn is_forced_near(map: &GemMap, cell: usize) -> bool {
    // Cells in each direction. With 4, the window holds every number that is two steps away from the cell, from cell to
    // number to cell; the board's area alone decides the time. `cnfkit gems --generate` shows it.
    const REACH: usize = 4;
    let (row, column) = map.position(cell);
    let span = |at: usize, len: usize| at.saturating_sub(REACH)..(at + REACH + 1).min(len);
    let (rows, columns) = (span(row, map.rows()), span(column, map.columns()));
    // A number at the window's edge counts cells outside: it says nothing here.
    let inner = |at: usize, span: &std::ops::Range<usize>, len: usize| {
        (at > span.start || at == 0) && (at + 1 < span.end || at + 1 == len)
    };
    let mut window = GemMap::new(rows.len(), columns.len());
    for r in rows.clone() {
        for c in columns.clone() {
            let is_inner = inner(r, &rows, map.rows()) && inner(c, &columns, map.columns());
            let shown = match map.get(r, c) {
                Cell::Number(_) if !is_inner => Cell::Gem,
                shown => shown,
            };
            window.set(r - rows.start, c - columns.start, shown);
        }
    }
    let (row, column) = (row - rows.start, column - columns.start);
    let index = row * window.columns() + column;
    let unknown: Vec<usize> =
        around(&window)(index).chain([index]).filter(|&cell| window.cells()[cell] == Cell::Unknown).collect();
    let forced = || -> Result<bool, SolveError> {
        let Ok(board) = GemBoard::new(window, &Neighbourhood::eight(), &Clock::default()) else { return Ok(false) };
        if unknown.iter().any(|&cell| board.touching(cell).is_empty()) {
            return Ok(false);
        }
        let clock = Clock::default();
        let Ok(presolved) = Presolved::new(&board) else { return Ok(false) };
        let Outcome::Answer(model) = presolved.answer(false, &clock)? else { return Ok(false) };
        let mut certain = Certain::new(presolved.base, model, &clock);
        for cell in unknown {
            if certain.decide(cell as u32)?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    };
    forced().unwrap_or(false) // a solver that fails forces nothing
}
