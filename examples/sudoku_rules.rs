//! Sudoku in a page: the rules as constraints, and a solver's answer as a grid.
//!
//! `cargo run --example sudoku_rules -- 1.....3..4.....2` solves a puzzle of 16, 81, 256 or 625 cells, row by row: `1`
//! to `9`, then `a` to `p`, and `.` or `0` where nothing is given. Without a puzzle it solves one of its own.

use std::{error::Error, io::Write};

use cnfkit::{AmoEncoding, ClauseSink, Constrain, Formula, Lit};

const BUILT_IN: &str = "...26.7.168..7..9.19...45..82.1...4...46.29...5...3.28..93...74.4..5..367.3.18...";

fn main() -> Result<(), Box<dyn Error>> {
    let puzzle = std::env::args().nth(1).unwrap_or_else(|| BUILT_IN.to_string());
    let rows = solve(&puzzle)?.ok_or("no solution")?;
    Ok(writeln!(std::io::stdout(), "{}", rows.join("\n"))?)
}

/// The rows of a solution, or `None` where the givens leave none.
fn solve(puzzle: &str) -> Result<Option<Vec<String>>, Box<dyn Error>> {
    let cells: Vec<char> = puzzle.chars().filter(|cell| !cell.is_whitespace()).collect();
    let found = (2..=5_usize).find(|side| side.pow(4) == cells.len());
    let b = found.ok_or_else(|| format!("{} cells, not 16, 81, 256 or 625", cells.len()))?;
    let n = b * b;

    // One variable for each row, column and value: the cell holds the value.
    let mut formula = Formula::new();
    let x = formula.new_lits(n * n * n);
    let lit = |row: usize, column: usize, value: usize| x[(row * n + column) * n + value];
    for i in 0..n {
        for j in 0..n {
            let cell: Vec<Lit> = (0..n).map(|value| lit(i, j, value)).collect();
            let row: Vec<Lit> = (0..n).map(|column| lit(i, column, j)).collect();
            let column: Vec<Lit> = (0..n).map(|row| lit(row, i, j)).collect();
            let within = |k: usize| lit(i / b * b + k / b, i % b * b + k % b, j);
            let r#box: Vec<Lit> = (0..n).map(within).collect();
            for group in [cell, row, column, r#box] {
                formula.exactly_one(&group, AmoEncoding::Auto)?;
            }
        }
    }
    for (index, cell) in cells.iter().enumerate().filter(|&(_, &cell)| !['.', '0'].contains(&cell)) {
        let value = cell.to_digit(n as u32 + 1).ok_or_else(|| format!("{cell:?} in cell {}", index + 1))?;
        formula.add_clause(&[lit(index / n, index % n, value as usize - 1)])?;
    }

    let Some(model) = formula.solve()? else { return Ok(None) };
    let digit = |value: usize| char::from_digit(value as u32 + 1, 36);
    let shown = |row, column| (0..n).find(|&value| model.is_true(lit(row, column, value))).and_then(digit);
    Ok(Some((0..n).map(|row| (0..n).filter_map(|column| shown(row, column)).collect()).collect()))
}
