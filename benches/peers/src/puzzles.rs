//! 9x9 Sudokus a second.

use std::path::PathBuf;
use std::time::Instant;

use cnfkit::{Grid, Strategy, SudokuEncoder, SudokuSolver};

const LISTS: &[&str] = &["17clue_2000", "hardest_1000", "easy_1000"];

/// Solves one line of 81 characters; whether it found the solution.
type Solve = Box<dyn FnMut(&str) -> bool>;

fn grid(line: &str) -> Grid {
    line.parse().expect("81 characters")
}

fn ours(strategy: Strategy) -> Solve {
    Box::new(move |line| SudokuEncoder::new(grid(line)).strategy(strategy).solve().expect("no limit").is_some())
}

/// A new solver is one line here.
fn solvers() -> Vec<(&'static str, Solve)> {
    let mut kept: Option<SudokuSolver> = None;
    let stream: Solve = Box::new(move |line| {
        let grid = grid(line);
        let solver = kept.get_or_insert_with(|| SudokuSolver::new(&SudokuEncoder::new(&grid)));
        solver.solve(&grid).expect("no limit").is_some()
    });
    vec![
        ("cnfkit, one solver for all", stream),
        ("cnfkit, pruned", ours(Strategy::Pruned)),
        ("cnfkit, whole rules", ours(Strategy::Base)),
        (
            "sudoku",
            Box::new(|line| sudoku::Sudoku::from_str_line(line).expect("81 characters").some_solution().is_some()),
        ),
        (
            "rustoku",
            Box::new(|line| rustoku_lib::Rustoku::new_from_str(line).expect("81 characters").solve_any().is_some()),
        ),
    ]
}

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
        for (name, mut solve) in solvers() {
            // As many as a second and a half allow.
            let (start, mut done) = (Instant::now(), 0u32);
            for line in &lines {
                assert!(solve(line), "{name} finds no solution of {line}");
                done += 1;
                if start.elapsed().as_secs_f64() > 1.5 {
                    break;
                }
            }
            println!("  {name:<26} {:>12.0} a second ({done} solved)", f64::from(done) / start.elapsed().as_secs_f64());
        }
    }
}
