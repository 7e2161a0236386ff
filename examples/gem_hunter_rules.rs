//! Gem Hunter in a page: each number counts the traps around it, and an unknown cell is a trap or a gem.
//!
//! `cargo run --example gem_hunter_rules -- 3_2_ __2_ _31_` solves a board of these rows: a digit is a number, `_` an
//! unknown cell, `T` a trap, `G` a gem. Without rows it solves this one.

use std::{error::Error, io::Write};

use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula, Lit};

fn main() -> Result<(), Box<dyn Error>> {
    let mut rows: Vec<Vec<char>> = std::env::args().skip(1).map(|row| row.chars().collect()).collect();
    if rows.is_empty() {
        rows = ["3_2_", "__2_", "_31_"].map(|row| row.chars().collect()).to_vec();
    }

    // One variable a cell: it is a trap.
    let mut formula = Formula::new();
    let trap: Vec<Vec<Lit>> = rows.iter().map(|row| formula.new_lits(row.len())).collect();
    for (r, row) in rows.iter().enumerate() {
        for (c, cell) in row.iter().enumerate().filter(|&(_, &cell)| cell != '_') {
            formula.add_clause(&[if *cell == 'T' { trap[r][c] } else { !trap[r][c] }])?;
            if !['T', 'G'].contains(cell) {
                let number = cell.to_digit(9).ok_or_else(|| format!("{cell:?} in row {}, column {}", r + 1, c + 1))?;
                let near = trap.iter().take(r + 2).skip(r.saturating_sub(1));
                let square = near.flat_map(|row| row.iter().take(c + 2).skip(c.saturating_sub(1)).copied());
                let around: Vec<Lit> = square.filter(|&lit| lit != trap[r][c]).collect();
                formula.exactly(&around, number as usize, CardEncoding::Auto)?;
            }
        }
    }

    let model = formula.solve()?.ok_or("no solution")?;
    for (row, traps) in rows.iter().zip(&trap) {
        let open = |lit| if model.is_true(lit) { 'T' } else { 'G' };
        let shown = row.iter().zip(traps).map(|(&cell, &lit)| if cell == '_' { open(lit) } else { cell });
        writeln!(std::io::stdout(), "{}", shown.collect::<String>())?;
    }
    Ok(())
}
