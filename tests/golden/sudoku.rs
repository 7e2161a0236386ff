//! Sudoku: layouts, constraint sets, encodings, the whole formula, the rules alone and what propagation leaves open.

use cnfkit::sudoku::ConstraintSet;
use cnfkit::{AmoEncoding, Cnf, Grid, Layout, SudokuEncoder};

use super::{Golden, Random};

const EASY: &str = "000260701680070090190004500820100040004602900050003028009300074040050036703018000";
const HARD: &str = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
/// 17 givens: many values stay open.
const FEW: &str = "000000010400000000020000000000050407008000300001090000300400200050100000000806000";

/// A solved grid of boxes, of which one cell in `one_in` is kept.
fn boxes(rows: usize, cols: usize, one_in: usize) -> Grid {
    let side = rows * cols;
    let mut random = Random(side as u64 * 1000 + one_in as u64);
    let cells: Vec<u16> = (0..side * side)
        .map(|cell| {
            let (row, col) = (cell / side, cell % side);
            let value = (row % rows * cols + row / rows + col) % side + 1;
            if random.below(one_in) == 0 { value as u16 } else { 0 }
        })
        .collect();
    Grid::new(Layout::boxes(rows, cols), cells).unwrap()
}

/// An empty grid but for its first row.
fn first_row(layout: Layout, given: usize) -> Grid {
    let mut grid = Grid::empty(layout);
    (0..given).for_each(|col| grid.set(0, col, col as u16 + 1));
    grid
}

pub(super) fn sudoku(golden: &mut Golden) {
    let jigsaw = Layout::regions("AAABBAACBBDCCCBDDCEEDDEEE").unwrap();
    let grids: Vec<(&str, Grid)> = vec![
        ("easy", EASY.parse().unwrap()),
        ("hard", HARD.parse().unwrap()),
        ("few", FEW.parse().unwrap()),
        ("empty", Grid::empty(Layout::boxes(3, 3))),
        ("one", Grid::empty(Layout::for_side(1))),
        ("four", boxes(2, 2, 4)),
        ("six", boxes(2, 3, 4)),
        ("six-tall", boxes(3, 2, 3)),
        ("twelve", boxes(3, 4, 4)),
        ("sixteen", boxes(4, 4, 3)),
        ("jigsaw-five", first_row(jigsaw, 2)),
        ("jigsaw-seven", first_row(Layout::for_side(7), 3)),
        ("latin-eight", first_row(Layout::latin(8), 3)),
        ("diagonals", first_row(Layout::boxes(3, 3).with_diagonals(), 4)),
        ("windows", first_row(Layout::boxes(3, 3).with_windows().unwrap(), 4)),
        ("anti-knight", first_row(Layout::boxes(2, 3).with_anti_knight(), 2)),
        ("anti-king", first_row(Layout::boxes(3, 3).with_anti_king(), 2)),
    ];
    for (name, grid) in grids {
        for (set, constraints) in [("minimal", ConstraintSet::Minimal), ("extended", ConstraintSet::Extended)] {
            for enc in [AmoEncoding::Pairwise, AmoEncoding::Smallest, AmoEncoding::Ladder] {
                let encoder = SudokuEncoder::new(&grid).encoding(enc).constraints(constraints);
                every(golden, &format!("sudoku/{name}/{set}/{enc}"), &encoder);
            }
            let encoder = SudokuEncoder::new(&grid).constraints(constraints).crossings(true);
            every(golden, &format!("sudoku/{name}/{set}/crossings"), &encoder);
        }
    }
    for &enc in AmoEncoding::ALL {
        let encoder = SudokuEncoder::new(EASY.parse::<Grid>().unwrap()).encoding(enc);
        every(golden, &format!("sudoku/every-encoding/{enc}"), &encoder);
    }
    let large = SudokuEncoder::new(boxes(5, 5, 3)).encoding(AmoEncoding::Product);
    every(golden, "sudoku/twenty-five/extended/product", &large);
    let formula = SudokuEncoder::new(EASY.parse::<Grid>().unwrap()).encode().unwrap();
    let mut text = Vec::new();
    formula.write_dimacs(&mut text).unwrap();
    golden.line(
        "sudoku/dimacs",
        format!("729 {} 0 {:016x}", text.len(), super::hash([text.iter().map(|&byte| i32::from(byte))].into_iter())),
    );
}

fn every(golden: &mut Golden, name: &str, encoder: &SudokuEncoder) {
    golden.add(format!("{name}/encode"), &encoder.encode().unwrap());
    match encoder.prune().unwrap() {
        Some(pruned) => golden.add(format!("{name}/prune"), pruned.cnf()),
        None => golden.line(format!("{name}/prune"), String::from("unsolvable")),
    }
    let mut rules = Cnf::with_vars(encoder.grid().side().pow(3));
    encoder.encode_rules(&mut rules).unwrap();
    golden.add(format!("{name}/rules"), &rules);
}
