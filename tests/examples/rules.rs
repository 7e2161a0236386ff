//! The puzzles written through the front door alone: a page each, with the answers that the library has.

use cnfkit::gem_hunter::generate;
use cnfkit::{GemHunterEncoder, GemMap, Grid, Layout, SudokuEncoder};

use super::outcome;

#[test]
fn each_uses_no_puzzle_of_the_library() {
    for source in [include_str!("../../examples/sudoku_rules.rs"), include_str!("../../examples/gem_hunter_rules.rs")] {
        let ours: Vec<&str> = source.lines().filter(|line| line.contains("cnfkit::")).collect();
        assert!(ours.len() == 1 && ours[0].starts_with("use cnfkit::{"), "{ours:?}");
        let names = ours[0]["use cnfkit::{".len()..].trim_end_matches("};").split(", ");
        for name in names {
            let is_core = ["AmoEncoding", "CardEncoding", "ClauseSink", "Constrain", "Formula", "Lit"].contains(&name);
            assert!(is_core, "{name} is more than the front door");
        }
    }
}

/// The output of a program, which has to succeed.
fn answer(name: &str, args: &[&str]) -> Option<String> {
    let (text, message, code) = outcome(name, args, b"")?;
    assert_eq!((message.as_str(), code), ("", Some(0)), "{name} {args:?}");
    Some(text)
}

/// The grid that was printed, of one character a cell.
fn grid(layout: &Layout, text: &str) -> Grid {
    let values: Vec<u16> = text.lines().flat_map(str::chars).map(|cell| cell.to_digit(36).unwrap() as u16).collect();
    Grid::new(layout.clone(), values).unwrap()
}

#[test]
fn sudokus_have_the_solution_of_the_library() {
    for (layout, seeds) in [("boxes 2x2", 0..3), ("boxes 3x3", 0..5), ("boxes 4x4", 0..1)] {
        let layout: Layout = layout.parse().unwrap();
        for seed in seeds {
            let puzzle = SudokuEncoder::generate(&layout, seed).unwrap().expect("a puzzle");
            let cells = puzzle.cells().iter().map(|&value| char::from_digit(value.into(), 36).unwrap());
            let Some(text) = answer("sudoku_rules", &[&cells.collect::<String>()]) else { return };
            assert_eq!(Some(grid(&layout, &text)), SudokuEncoder::new(puzzle).solve().unwrap(), "{text}");
        }
    }
}

#[test]
fn sudokus_with_many_solutions_get_one_and_the_built_in_one_its_own() {
    for (layout, args) in [("boxes 5x5", &[".".repeat(625)][..]), ("boxes 3x3", &[])] {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let Some(text) = answer("sudoku_rules", &args) else { return };
        let grid = grid(&layout.parse().unwrap(), &text);
        assert!(grid.is_full() && grid.check().is_empty(), "{text}");
        assert!(!args.is_empty() || text.starts_with("435269781\n"), "{text}");
    }
}

/// Boards with exactly one answer, so that a wrong program cannot have found another.
#[test]
fn boards_have_the_answer_of_the_library() {
    let compact = |map: &GemMap| map.to_string().replace([',', ' '], "");
    for seed in 0..5 {
        let map = generate(7, 9, 0.3, seed);
        let rows = compact(&map);
        let expected = GemHunterEncoder::new(map).solve().unwrap().expect("an answer");
        let Some(text) = answer("gem_hunter_rules", &rows.lines().collect::<Vec<_>>()) else { return };
        assert_eq!(text, compact(&expected), "{rows}");
    }
    let Some(text) = answer("gem_hunter_rules", &[]) else { return };
    assert_eq!(text, "3T2G\nTT2G\nT31G\n");
}

#[test]
fn what_is_wrong_is_said() {
    for (name, args, why) in [
        ("sudoku_rules", &["11.............."][..], "no solution"),
        ("sudoku_rules", &["1234"], "4 cells, not 16, 81, 256 or 625"),
        ("sudoku_rules", &["...5............"], "'5' in cell 4"),
        ("gem_hunter_rules", &["3_", "__", "1T"], "no solution"),
        ("gem_hunter_rules", &["__", "_9"], "'9' in row 2, column 2"),
    ] {
        let Some((text, message, code)) = outcome(name, args, b"") else { return };
        assert_eq!((text.as_str(), message, code), ("", format!("Error: {why:?}\n"), Some(1)), "{args:?}");
    }
}
