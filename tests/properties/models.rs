//! The puzzles of this crate as models of a few lines: the same solutions, the same numbers of them, the same certain
//! cells.
#![cfg(all(feature = "any-solver", feature = "sudoku", feature = "gem-hunter"))]

use std::collections::BTreeSet;

use cnfkit::gem_hunter::plant;
use cnfkit::model::{Bool, IntGrid, IntVar, Model, sum};
use cnfkit::sudoku::Layout;
use cnfkit::{Cell, GemHunterEncoder, GemMap, Grid, SudokuEncoder};

/// `SplitMix64` (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((u128::from(mixed ^ (mixed >> 31)) * n as u128) >> 64) as usize
    }
}

/// Any Sudoku: rows, columns and regions are all different.
fn sudoku(puzzle: &Grid) -> (Model, IntGrid) {
    let (n, layout) = (puzzle.side(), puzzle.layout());
    let mut model = Model::new();
    let grid = model.int_grid(n, n, 1..=n as i64);
    for i in 0..n {
        model.all_different(grid.row(i));
        model.all_different(grid.column(i));
        let region = (0..n * n).map(|at| (at / n, at % n)).filter(|&(r, c)| layout.region(r, c) == Some(i));
        model.all_different(region.map(|at| grid[at]));
    }
    for (row, column, value) in puzzle.givens() {
        model.post(grid.at(row, column).eq(i64::from(value)));
    }
    (model, grid)
}

#[test]
fn two_hundred_sudokus() {
    const MOST: usize = 60;
    let mut random = Random(1);
    let (mut none, mut one, mut several) = (0, 0, 0);
    for seed in 0..200 {
        let layout = match seed % 5 {
            0 => Layout::boxes(2, 2),
            1 => Layout::boxes(2, 3),
            2 => Layout::latin(5),
            _ => Layout::boxes(3, 3),
        };
        let n = layout.side();
        let mut puzzle = SudokuEncoder::generate(&layout, seed).unwrap().unwrap();
        for _ in 0..random.below(4) {
            let (row, column) = (random.below(n), random.below(n));
            let value = if random.below(3) == 0 { Some(1 + random.below(n) as u16) } else { None };
            puzzle.set(row, column, value);
        }
        let encoder = SudokuEncoder::new(&puzzle);
        let (model, grid) = sudoku(&puzzle);
        let expected: BTreeSet<Vec<i64>> = encoder
            .solutions()
            .take(MOST)
            .map(|solution| solution.unwrap().cells().iter().map(|&value| i64::from(value)).collect())
            .collect();
        let found: BTreeSet<Vec<i64>> =
            model.solutions().unwrap().take(MOST).map(|solution| solution.unwrap().values(&grid)).collect();
        assert_eq!(expected.len(), found.len(), "{puzzle}");
        assert!(expected == found || found.len() == MOST, "{puzzle}");
        let candidates = encoder.candidates().unwrap();
        let certain = model.backbone().unwrap();
        assert_eq!(certain.is_some(), !found.is_empty());
        for (at, &var) in grid.iter().enumerate().filter(|_| !found.is_empty()) {
            let only = if let [only] = candidates[at][..] { Some(i64::from(only)) } else { None };
            assert_eq!(certain.as_ref().and_then(|certain| certain.value(var)), only, "cell {at}\n{puzzle}");
        }
        match found.len() {
            0 => none += 1,
            1 => one += 1,
            _ => several += 1,
        }
    }
    assert!(none > 10 && one > 20 && several > 20, "{none} {one} {several}");
}

/// A number is the number of traps around it.
fn gems(map: &GemMap) -> (Model, Vec<((usize, usize), Bool)>) {
    let mut model = Model::new();
    let grid = model.int_grid(map.rows(), map.columns(), 0..=1);
    let mut unknown = Vec::new();
    for (row, column) in (0..map.rows()).flat_map(|row| (0..map.columns()).map(move |column| (row, column))) {
        let cell = grid.at(row, column);
        match map.get(row, column) {
            Cell::Unknown => unknown.push(((row, column), cell.is(1))),
            Cell::Trap => model.post(cell.is(1)),
            Cell::Gem => model.post(cell.is(0)),
            Cell::Number(number) => {
                model.post(cell.is(0));
                let rows = row.saturating_sub(1)..(row + 2).min(map.rows());
                let columns = column.saturating_sub(1)..(column + 2).min(map.columns());
                let around: Vec<IntVar> = grid.slice(rows, columns).collect();
                model.post(sum(around).eq(i64::from(number)));
            }
            Cell::Hole => unreachable!("boards by lot have no holes"),
        }
    }
    (model, unknown)
}

#[test]
fn boards_by_lot() {
    const MOST: usize = 200;
    let mut random = Random(2);
    let (mut none, mut some) = (0, 0);
    for seed in 0..150 {
        let (rows, columns) = (1 + random.below(7), 1 + random.below(7));
        let (density, shown) = (0.1 + 0.05 * random.below(6) as f64, 0.3 + 0.1 * random.below(6) as f64);
        let (mut map, _) = plant(rows, columns, density, shown, seed);
        if random.below(4) == 0 {
            map.set(random.below(rows), random.below(columns), Cell::Number(random.below(4) as u8));
        }
        let encoder = GemHunterEncoder::new(map.clone());
        let (model, unknown) = gems(&map);
        let traps = |answer: &GemMap| -> Vec<bool> {
            unknown.iter().map(|&((row, column), _)| answer.get(row, column) == Cell::Trap).collect()
        };
        let expected: BTreeSet<Vec<bool>> =
            encoder.solutions().take(MOST).map(|answer| traps(&answer.unwrap())).collect();
        let found = model.solutions().unwrap().take(MOST);
        let found: BTreeSet<Vec<bool>> = found
            .map(|solution| solution.unwrap())
            .map(|solution| unknown.iter().map(|&(_, trap)| solution.is_true(trap)).collect())
            .collect();
        assert_eq!(expected.len(), found.len(), "{map}");
        assert!(expected == found || found.len() == MOST, "{map}");
        if found.is_empty() {
            none += 1;
        } else {
            some += 1;
        }
    }
    assert!(none > 3 && some > 80, "{none} {some}");
}
