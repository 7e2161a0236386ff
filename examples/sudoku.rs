//! Solves a Sudoku: one of its own, or that of a file; `-` is standard input.
//! `cargo run --release --example sudoku -- FILE`. The program `cnfkit` does more: `cnfkit sudoku --help`.

use std::error::Error;
use std::io::{self, Read, Write};

use cnfkit::{Grid, SudokuEncoder};

const BUILT_IN: &str = "\
0 0 0 | 2 6 0 | 7 0 1
6 8 0 | 0 7 0 | 0 9 0
1 9 0 | 0 0 4 | 5 0 0
------+-------+------
8 2 0 | 1 0 0 | 0 4 0
0 0 4 | 6 0 2 | 9 0 0
0 5 0 | 0 0 3 | 0 2 8
------+-------+------
0 0 9 | 3 0 0 | 0 7 4
0 4 0 | 0 5 0 | 0 3 6
7 0 3 | 0 1 8 | 0 0 0
";

fn main() -> Result<(), Box<dyn Error>> {
    let mut text = String::new();
    match std::env::args().nth(1).as_deref() {
        None => text += BUILT_IN,
        Some("-") => _ = io::stdin().read_to_string(&mut text)?,
        Some(file) => text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?,
    }
    let grid: Grid = text.parse()?;
    let mut out = io::stdout();
    writeln!(out, "Puzzle, {}, {} givens:\n{grid:#}\n", grid.layout(), grid.givens().count())?;
    let (solution, report) = SudokuEncoder::new(grid).solve_with_report()?;
    match solution {
        Some(solution) => writeln!(out, "Solution:\n{solution:#}\n")?,
        None => writeln!(out, "There is no solution.\n")?,
    }
    let took = report.preparation + report.search;
    writeln!(out, "Deduction left {} values open; {took:.1?}", report.open)?;
    Ok(())
}
