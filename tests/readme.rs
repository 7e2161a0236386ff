//! What the README shows is what is compiled, and what runs here.

const README: &str = include_str!("../README.md");

/// Without white space: a paragraph may be indented or broken into other lines.
fn dense(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Each paragraph of each block of Rust, but for white space and the order of its imports, is code of this file or of
/// the quickstart.
#[test]
fn every_block_is_compiled() {
    let code = dense(concat!(include_str!("readme.rs"), include_str!("../examples/quickstart.rs")));
    let blocks: Vec<&str> = README.split("```rust\n").skip(1).map(|rest| rest.split_once("```").unwrap().0).collect();
    for paragraph in blocks.iter().flat_map(|block| block.trim().split("\n\n")) {
        let (imports, rest): (Vec<&str>, Vec<&str>) = paragraph.lines().partition(|line| line.starts_with("use "));
        for part in imports.into_iter().map(dense).chain([dense(&rest.join("\n"))]) {
            assert!(code.contains(&part), "shown in the README, but not compiled:\n{part}");
        }
    }
    assert!(blocks.len() >= 3 && README.matches("```rust").count() == blocks.len());
}

#[cfg(feature = "any-solver")]
#[test]
fn straight_into_a_solver() -> Result<(), Box<dyn std::error::Error>> {
    use cnfkit::rustsat::solvers::{Solve, SolverResult};
    use cnfkit::{CardEncoding, ClauseSink, Constrain, SolverSink};

    // Straight into a solver, nothing stored on the way.
    let mut solver = cnfkit::solvers::DefaultSolver::default();
    let mut sink = SolverSink::new(&mut solver, 0);
    let x = sink.new_lits(100);
    sink.exactly(&x, 50, &CardEncoding::Smallest)?;
    sink.iff_at_most(x[0], &x[1..], 20, &CardEncoding::Totalizer)?;
    assert_eq!(solver.solve()?, SolverResult::Sat);
    Ok(())
}

#[cfg(all(feature = "any-solver", feature = "sudoku", feature = "gem-hunter"))]
#[test]
fn puzzles() -> Result<(), Box<dyn std::error::Error>> {
    let grid: cnfkit::Grid =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
    let solution = cnfkit::SudokuEncoder::new(grid).solve()?;
    assert!(solution.is_some_and(|solution| solution.to_string().starts_with("534678912")));

    let map: cnfkit::GemMap = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _".parse()?;
    let solution = cnfkit::GemHunterEncoder::new(map).solve()?;
    assert_eq!(solution.map(|map| map.to_string()).as_deref(), Some("3, T, 2, G\nT, T, 2, G\nT, 3, 1, G\n"));
    Ok(())
}

#[test]
fn every_encoding_is_in_the_table() {
    for name in cnfkit::CardEncoding::ALL.iter().map(ToString::to_string) {
        assert!(README.contains(&format!("`{name}`")) || name == "auto", "{name}");
    }
    for name in cnfkit::AmoEncoding::ALL.iter().filter(|enc| !matches!(enc, cnfkit::AmoEncoding::Card(_))) {
        assert!(README.contains(&format!("`{name}`")) || name.to_string() == "auto", "{name}");
    }
}

#[test]
fn figures_of_the_readme() {
    use cnfkit::{AtMostK, AtMostOne, Network, Optimal};
    let fewest = Network { weight: 0, ..Network::default() };
    for (shown, clauses) in [
        ("2,145", Optimal { weight: 0 }.amo_size(1000).clauses),
        ("39,180", fewest.amk_size(1000, 500).clauses),
        ("10,044", fewest.alk_size(1000, 10).clauses),
    ] {
        assert!(README.contains(shown), "{shown}");
        assert_eq!(shown.replace(',', ""), clauses.to_string());
    }
}
