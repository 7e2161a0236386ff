//! 9x9 Sudokus a second.

use std::path::PathBuf;
use std::time::Instant;

const LISTS: &[&str] = &["17clue_2000", "hardest_1000", "easy_1000"];

/// Solves one line of 81 characters; whether it found the solution.
type Solve = fn(&str) -> bool;

/// A new solver is one line here.
const SOLVERS: &[(&str, Solve)] = &[
    ("sudoku", |line| sudoku::Sudoku::from_str_line(line).expect("81 characters").some_solution().is_some()),
    ("rustoku", |line| rustoku_lib::Rustoku::new_from_str(line).expect("81 characters").solve_any().is_some()),
];

pub fn run(most: usize) {
    let Some(folder) = std::env::var_os("CNFKIT_DATA") else {
        println!("puzzles: skipped, CNFKIT_DATA is not set");
        return;
    };
    for list in LISTS {
        let path = PathBuf::from(&folder).join("sudoku").join(list).with_extension("txt");
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => {
                println!("{list}: skipped, {}: {error}", path.display());
                continue;
            }
        };
        let lines: Vec<String> =
            text.lines().filter(|line| line.len() == 81).take(most).map(|line| line.replace('.', "0")).collect();
        println!("{list}: {} puzzles", lines.len());
        for (name, solve) in SOLVERS {
            // As many as a second and a half allow.
            let (start, mut done) = (Instant::now(), 0u32);
            for line in &lines {
                assert!(solve(line), "{name} finds no solution of {line}");
                done += 1;
                if start.elapsed().as_secs_f64() > 1.5 {
                    break;
                }
            }
            println!("  {name:<10} {:>12.0} a second ({done} solved)", f64::from(done) / start.elapsed().as_secs_f64());
        }
    }
}
