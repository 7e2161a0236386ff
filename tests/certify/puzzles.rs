//! Puzzles: a solution, and what all solutions share.

use cnfkit::gem_hunter::plant;
use cnfkit::sudoku::Strategy;
use cnfkit::{
    CardEncoding, CertifyError, GemError, GemHunterEncoder, GemMap, Grid, Kind, Layout, SudokuEncoder, SudokuError,
};

use crate::limits::check_limits;
use crate::replay::replay;
use crate::{Folder, veripb};

/// The last word of a proof about the formula in its folder, after `check` has accepted it, if there is one.
fn verdict(dir: &Folder, part: &str, check: impl Fn(&[std::path::PathBuf; 2])) -> Option<String> {
    let files = ["formula.opb", "proof.pbp"].map(|name| dir.0.join(part).join(name));
    let proof = std::fs::read_to_string(&files[1]).ok()?;
    assert!(proof.ends_with("end pseudo-Boolean proof;\n"));
    check(&files);
    let conclusion = proof.lines().find_map(|line| line.strip_prefix("conclusion "));
    Some(conclusion?.split([' ', ';']).next()?.to_owned())
}

fn replayed(files: &[std::path::PathBuf; 2]) {
    let [opb, proof] = files.each_ref().map(|file| std::fs::read_to_string(file).unwrap());
    replay(&opb, &proof).unwrap();
}

fn verified(files: &[std::path::PathBuf; 2]) {
    let said = veripb(files);
    assert!(said.contains("s VERIFIED SATISFIABLE") || said.contains("s VERIFIED UNSATISFIABLE"), "{said}");
}

/// Certificates about boards by lot, each with `check` accepted: they say what `deduce` and brute force say.
fn check_boards(rounds: u64, check: impl Fn(&[std::path::PathBuf; 2])) {
    let mut counts = [0; 4];
    for seed in 0..rounds {
        let (rows, columns) = (2 + seed as usize % 3, 2 + seed as usize % 4);
        let (planted, _) = plant(rows, columns, 0.4, 0.5, seed);
        let mut text = planted.to_string();
        if seed % 3 == 0 {
            // A number that may be wrong.
            text = text.replacen('1', "2", 1);
        }
        let map: GemMap = text.parse().unwrap();
        let encodings = [CardEncoding::Combinatorial, CardEncoding::Totalizer, CardEncoding::Auto];
        let mut encoder = GemHunterEncoder::new(map).encoding(encodings[seed as usize % 3]);
        if seed % 2 == 0 {
            encoder = encoder.traps(rows * columns / 3);
        }
        let dir = Folder::new("gem");
        let proven = encoder.deduce_certified(&dir.0).unwrap();
        let deduced = encoder.deduce().unwrap();
        assert_eq!(proven.as_ref().map(|(_, deduction)| deduction), deduced.as_ref());
        let first = verdict(&dir, "solution", &check).unwrap();
        let second = verdict(&dir, "other", &check);
        let Some((answer, deduction)) = proven else {
            counts[0] += 1;
            assert_eq!((first.as_str(), second), ("UNSAT", None));
            continue;
        };
        assert_eq!(encoder.verify(&answer).unwrap(), []);
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let certain = |&(row, column): &(usize, usize)| {
            let kind = deduction.get(row, column);
            encoder.var(row, column).is_some() && matches!(kind, Kind::Trap | Kind::Gem)
        };
        let is_any = cells.clone().any(|cell| certain(&cell));
        assert_eq!((first.as_str(), second.as_deref()), ("SAT", is_any.then_some("UNSAT")));
        counts[if is_any { 1 } else { 2 }] += 1;
        // The clause of the second part is about all of them.
        if is_any {
            let opb = std::fs::read_to_string(dir.0.join("other").join("formula.opb")).unwrap();
            let literal = |(row, column): (usize, usize)| {
                let lit = encoder.var(row, column).unwrap();
                let is_trap = deduction.get(row, column) == Kind::Trap;
                format!("{}x{} ", if is_trap { "~" } else { "" }, lit.vidx() + 1)
            };
            let said: Vec<String> = cells.filter(certain).map(literal).collect();
            let is_said = |line: &str| said.iter().all(|literal| line.contains(&format!(" {literal}")));
            assert!(opb.lines().any(is_said), "{said:?}\n{opb}");
            counts[3] += said.len();
        }
    }
    println!("boards without an answer, with certain cells, with none; certain cells: {counts:?}");
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}

#[test]
fn certain_cells_replay() {
    check_boards(24, replayed);
}

#[test]
#[ignore = "needs VeriPB, named by the environment variable VERIPB"]
fn veripb_accepts_boards() {
    check_boards(120, verified);
    let encoder = GemHunterEncoder::new(plant(16, 30, 0.2, 0.7, 7).0);
    let dir = Folder::new("gem-large");
    encoder.deduce_certified(&dir.0).unwrap().expect("it was made with an answer");
    assert_eq!(verdict(&dir, "solution", verified).as_deref(), Some("SAT"));
    assert_eq!(verdict(&dir, "other", verified).as_deref(), Some("UNSAT"));
}

/// Sudokus without a solution, with one and with two.
fn check_sudokus(check: impl Fn(&[std::path::PathBuf; 2])) {
    for (text, expected) in [
        ("1.....3..4.....2", ("SAT", Some("UNSAT"))),
        ("1..............1", ("SAT", Some("SAT"))),
        ("12..............", ("SAT", Some("SAT"))),
        ("123....4........", ("UNSAT", None)),
        ("11..............", ("UNSAT", None)),
    ] {
        let encoder = SudokuEncoder::new(text.parse::<Grid>().unwrap()).strategy(Strategy::Base);
        let dir = Folder::new("sudoku");
        let proven = encoder.solve_certified(&dir.0).unwrap();
        assert_eq!(proven.is_some(), encoder.solve().unwrap().is_some());
        if let Some((solution, other)) = &proven {
            assert!(solution.check().is_empty() && solution.is_full() && other.as_ref() != Some(solution));
        }
        let second = verdict(&dir, "other", &check);
        assert_eq!((verdict(&dir, "solution", &check).unwrap().as_str(), second.as_deref()), expected, "{text}");
    }
}

#[test]
fn sudokus_replay() {
    check_sudokus(replayed);
}

#[test]
#[ignore = "needs VeriPB, named by the environment variable VERIPB"]
fn veripb_accepts_sudokus() {
    check_sudokus(verified);
    let grid = SudokuEncoder::generate(&Layout::boxes(3, 3), 3).unwrap().expect("there are puzzles");
    let dir = Folder::new("sudoku-9");
    let (_, other) = SudokuEncoder::new(grid).solve_certified(&dir.0).unwrap().expect("it has a solution");
    assert!(other.is_none());
    assert_eq!(verdict(&dir, "other", verified).as_deref(), Some("UNSAT"));
}

#[test]
fn a_folder_that_has_something_is_refused() {
    let dir = Folder::new("gem-exists");
    std::fs::create_dir_all(dir.0.join("other")).unwrap();
    let error = GemHunterEncoder::new("1, _".parse().unwrap()).deduce_certified(&dir.0).unwrap_err();
    assert!(matches!(error, GemError::Certify(CertifyError::Folder { .. })), "{error}");
}

#[test]
fn limits_hold_while_a_sudoku_is_certified() {
    let is_interrupted = |error: &SudokuError| matches!(error, SudokuError::Interrupted(_));
    let grid = Grid::empty(Layout::boxes(4, 4));
    check_limits(is_interrupted, |dir, limits| SudokuEncoder::new(grid.clone()).limits(limits).solve_certified(dir));
}
