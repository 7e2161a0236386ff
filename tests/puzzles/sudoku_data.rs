//! Sudoku on public collections, found through `CNFKIT_DATA`; skipped, and said so, where that is not set.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use cnfkit::sudoku::{Strategy, SudokuSolver};
use cnfkit::{Grid, Layout, SudokuEncoder, SudokuError};

fn lines(name: &str) -> Option<Vec<String>> {
    let Some(folder) = std::env::var_os("CNFKIT_DATA") else {
        eprintln!("skipped: CNFKIT_DATA is not set, so there is no {name}");
        return None;
    };
    let file = PathBuf::from(folder).join("sudoku").join(name);
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    Some(text.lines().map(str::to_owned).collect())
}

#[test]
fn counts_are_those_of_the_collection() {
    for line in lines("counts.txt").unwrap_or_default() {
        let mut fields = line.split(':');
        let puzzle: Grid = fields.next().unwrap().parse().unwrap();
        let count: usize = fields.next().unwrap().parse().unwrap();
        let encoder = SudokuEncoder::new(&puzzle);
        assert_eq!(encoder.count(count + 1).unwrap(), count, "{line}");
        if let Some(solution) = fields.next().filter(|_| count == 1) {
            for strategy in [Strategy::Base, Strategy::Pruned] {
                let found = encoder.clone().strategy(strategy).solve().unwrap().unwrap();
                assert_eq!(found.to_string(), solution);
            }
        }
    }
}

#[test]
fn records_have_as_many_solutions_as_they_say() {
    for name in ["rect.txt", "jigsaw.txt", "side16.txt"] {
        for line in lines(name).unwrap_or_default() {
            let fields: Vec<&str> = line.split('|').collect();
            let puzzle: Grid = line.parse().unwrap_or_else(|error| panic!("{name}: {error}\n{line}"));
            assert_eq!(puzzle.side().to_string(), fields[1]);
            let encoder = SudokuEncoder::new(&puzzle);
            let solution = encoder.solve().unwrap().unwrap_or_else(|| panic!("{name}: {line}"));
            assert_eq!(solution.verify(&puzzle), []);
            if let Ok(count) = fields[6].parse::<usize>() {
                assert_eq!(encoder.count(count + 1).unwrap(), count, "{line}");
            }
            if fields[7].contains(',') {
                let given: Vec<u16> = fields[7].split(',').map(|value| value.parse().unwrap()).collect();
                assert_eq!(solution.cells(), given);
            }
        }
    }
}

#[test]
fn quasigroups_are_solved_or_proven_unsolvable() {
    let mut unsolvable = 0;
    for line in lines("quasigroup.txt").unwrap_or_default() {
        let puzzle: Grid = line.parse().unwrap();
        assert_eq!(puzzle.layout(), &Layout::latin(puzzle.side()));
        let pruned = SudokuEncoder::new(&puzzle).solve().unwrap();
        match &pruned {
            Some(solution) => assert_eq!(solution.verify(&puzzle), []),
            None => unsolvable += 1,
        }
        let base = SudokuEncoder::new(&puzzle).strategy(Strategy::Base).solve().unwrap();
        assert_eq!(pruned.is_some(), base.is_some());
    }
    eprintln!("{unsolvable} without a solution");
}

#[test]
fn one_solver_solves_lists_and_giants() {
    for name in ["17clue_2000.txt", "hardest_1000.txt", "easy_1000.txt", "top95.txt", "giant.txt"] {
        let mut solver: Option<SudokuSolver> = None;
        for line in lines(name).unwrap_or_default() {
            // These two take long.
            if line.starts_with("rkk_64-1|") || line.starts_with("rkk_225-1|") {
                continue;
            }
            let puzzle: Grid = line.parse().unwrap();
            let solver = solver.get_or_insert_with(|| SudokuSolver::new(&SudokuEncoder::new(&puzzle)));
            let solution = solver.solve(&puzzle).unwrap().unwrap_or_else(|| panic!("{line}"));
            assert_eq!(solution.verify(&puzzle), []);
        }
    }
}

/// All of these have a solution: there may be no time for it, but there is no other answer.
#[test]
fn long_searches_end_with_a_solution_or_in_time() {
    let limit = Duration::from_millis(300);
    let long = |line: &String| line.starts_with("rkk_64-1|") || line.starts_with("rkk_225-1|");
    let giants = lines("giant.txt").unwrap_or_default().into_iter().filter(long);
    let (mut solved, mut all) = (0, 0);
    for line in lines("side25.txt").unwrap_or_default().into_iter().step_by(3).chain(giants) {
        let puzzle: Grid = line.parse().unwrap();
        let start = Instant::now();
        match SudokuEncoder::new(&puzzle).time_limit(limit).solve() {
            Ok(Some(solution)) => {
                assert_eq!(solution.verify(&puzzle), []);
                solved += 1;
            }
            Err(SudokuError::Interrupted(_)) => {}
            other => panic!("{line}: {other:?}"),
        }
        all += 1;
        // Propagation and encoding of the largest are not interrupted.
        assert!(start.elapsed() < limit + Duration::from_secs(30), "{line}: {:?}", start.elapsed());
    }
    eprintln!("{solved} of {all} within {limit:?} each");
}
