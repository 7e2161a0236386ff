//! Sudoku, one thread: puzzles a second by strategy, beside the CNF built and loaded from scratch and the textbook
//! backtracking; and every encoding of at most one, from the rules to the answer, by the side of the grid.
//!
//! ```text
//! cargo bench --bench sudoku                          # all; a name selects: -- encoding/ladder
//! CNFKIT_DATA=data cargo bench --bench sudoku         # with the lists of a data folder
//! ```
//!
//! Lists come from the folder that `CNFKIT_DATA` names; without it, 200 generated puzzles stand in.

use std::hint::black_box;
use std::time::Duration;

use cnfkit::solvers::DefaultSolver;
use cnfkit::sudoku::{Strategy, SudokuSolver};
use cnfkit::{AmoEncoding, Grid, Layout, SudokuEncoder};
use cnfkit_speed::mostly_filled;
use criterion::measurement::WallTime;
use criterion::{
    AxisScale, BenchmarkGroup, BenchmarkId, Criterion, PlotConfiguration, Throughput, criterion_group, criterion_main,
};

fn list(name: &str) -> Option<Vec<Grid>> {
    let folder = std::env::var_os("CNFKIT_DATA")?;
    let text = std::fs::read_to_string(std::path::Path::new(&folder).join("sudoku").join(name)).ok()?;
    text.lines().map(|line| line.parse().ok()).collect()
}

fn lists() -> Vec<(&'static str, Vec<Grid>)> {
    let names = [("17 clues", "17clue_2000.txt"), ("hardest", "hardest_1000.txt"), ("easy", "easy_1000.txt")];
    let mut found: Vec<_> = names.iter().filter_map(|&(name, file)| Some((name, list(file)?))).collect();
    if found.is_empty() {
        eprintln!("CNFKIT_DATA is not set: 200 generated puzzles instead of the lists");
        let minimal = |seed| SudokuEncoder::generate_minimal(&Layout::boxes(3, 3), seed).ok().flatten();
        found.push(("generated", (0..200).filter_map(minimal).collect()));
    }
    found
}

/// Row by row, each cell's values in order, as textbooks have it.
fn backtrack(cells: &mut [u16; 81], at: usize, budget: &mut u64) -> bool {
    let Some(cell) = (at..81).find(|&cell| cells[cell] == 0) else { return true };
    for value in 1..=9 {
        *budget = budget.saturating_sub(1);
        if *budget == 0 {
            return false;
        }
        let (row, col) = (cell / 9, cell % 9);
        let (top, left) = (row / 3 * 3, col / 3 * 3);
        let taken = |i: usize| {
            cells[9 * row + i] == value
                || cells[9 * i + col] == value
                || cells[9 * (top + i / 3) + left + i % 3] == value
        };
        if !(0..9).any(taken) {
            cells[cell] = value;
            if backtrack(cells, cell + 1, budget) {
                return true;
            }
            cells[cell] = 0;
        }
    }
    false
}

fn group<'a>(criterion: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10).nresamples(1000);
    group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    group
}

/// From nothing to the answer: all rules and the givens as clauses, and a solver that is asked once.
fn from_scratch(grid: &Grid, encoding: AmoEncoding) -> Option<Grid> {
    SudokuEncoder::new(grid).encoding(encoding).strategy(Strategy::Base).solve_with(DefaultSolver::default()).ok()?
}

fn strategies(criterion: &mut Criterion) {
    for (name, grids) in lists() {
        let mut group = group(criterion, &format!("strategy/{name}"));
        for strategy in [Strategy::Pruned, Strategy::Base] {
            group.throughput(Throughput::Elements(grids.len() as u64));
            let mut solver = SudokuSolver::new(&SudokuEncoder::new(&grids[0]).strategy(strategy));
            group.bench_function(format!("{strategy:?}"), |bench| {
                bench.iter(|| grids.iter().filter(|grid| matches!(solver.solve(grid), Ok(Some(_)))).count());
            });
        }
        // The slow ways see the first few puzzles only.
        let few = &grids[..grids.len().min(50)];
        group.throughput(Throughput::Elements(few.len() as u64));
        group.bench_function("from scratch", |bench| {
            bench.iter(|| few.iter().filter_map(|grid| from_scratch(grid, AmoEncoding::Pairwise)).count());
        });
        // At most 200,000 steps a puzzle: without that this alone would take minutes.
        group.bench_function("backtracking, at most 200,000 steps", |bench| {
            bench.iter(|| {
                few.iter()
                    .filter(|grid| {
                        let cells: Result<[u16; 81], _> = grid.cells().try_into();
                        cells.is_ok_and(|mut cells| backtrack(&mut cells, 0, &mut 200_000))
                    })
                    .count()
            });
        });
        group.finish();
    }
}

fn encodings(criterion: &mut Criterion) {
    let mut group = group(criterion, "encoding");
    group.plot_config(PlotConfiguration::default().summary_scale(AxisScale::Logarithmic));
    for encoding in AmoEncoding::ALL.iter().filter(|encoding| !matches!(encoding, AmoEncoding::Card(_))) {
        for side in [9, 16, 25] {
            let grid = mostly_filled(side);
            group.bench_function(BenchmarkId::new(encoding.to_string(), side), |bench| {
                bench.iter(|| black_box(from_scratch(&grid, *encoding)).expect("a solution"));
            });
        }
    }
    group.finish();
}

criterion_group!(all, strategies, encodings);
criterion_main!(all);
