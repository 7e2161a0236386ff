//! Sudoku: all solutions, how many, why none, hints, puzzles by lot, streams, limits.
#![cfg(all(feature = "any-solver", feature = "sudoku"))]

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use cnfkit::sudoku::{ConstraintSet, Grade, Strategy, StreamError, SudokuSolver, SudokuStream, Technique};
use cnfkit::{AmoEncoding, Grid, Layout, Limits, Size, SudokuEncoder, SudokuError};
use cnfkit_properties::cases;
use itertools::Itertools;
use proptest::prelude::*;

const SAMPLE: &str = "000260701680070090190004500820100040004602900050003028009300074040050036703018000";
/// 54 givens, two solutions.
const TWO: &str = "1..3..5..42785.361593.128.....5.47926.27931..7591286348.42.19562.....4.89754..213";
const ONE_OF_TWO: &str = "168347529427859361593612847381564792642793185759128634834271956216935478975486213";
/// 17 givens, made known by Gordon Royle's list; singles and locked candidates do not finish it.
const HARD: &str = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

fn grid(text: &str) -> Grid {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn ask(text: &str) -> SudokuEncoder {
    SudokuEncoder::new(grid(text))
}

/// Kissat cannot be asked twice, and a new one for every question costs milliseconds: fewer questions then.
const ASKED_AGAIN: bool = cfg!(any(feature = "batsat", feature = "minisat", feature = "glucose", feature = "cadical"));

const SETS: [ConstraintSet; 2] = [ConstraintSet::Minimal, ConstraintSet::Extended];

/// The answers that every solver that is compiled in makes of the encoder's formula.
fn by_every_solver(encoder: &SudokuEncoder) -> Vec<(&'static str, Option<Grid>)> {
    use cnfkit::solvers;
    vec![
        #[cfg(feature = "batsat")]
        ("batsat", encoder.solve_with(solvers::BatSat::default()).unwrap()),
        #[cfg(feature = "minisat")]
        ("minisat", encoder.solve_with(solvers::MiniSat::default()).unwrap()),
        #[cfg(feature = "glucose")]
        ("glucose", encoder.solve_with(solvers::Glucose::default()).unwrap()),
        #[cfg(feature = "cadical")]
        ("cadical", encoder.solve_with(solvers::CaDiCaL::default()).unwrap()),
        #[cfg(all(feature = "kissat", not(feature = "cadical")))]
        ("kissat", encoder.solve_with(solvers::Kissat::default()).unwrap()),
    ]
}

/// One layout of every kind.
fn layouts() -> Vec<Layout> {
    let split = "ABABCDCD/BABADCDC/ABABCDCD/BABADCDC/EFEFGHGH/FEFEHGHG/EFEFGHGH/FEFEHGHG";
    let mut layouts: Vec<Layout> = [3, 4, 5, 6, 7, 8, 9, 10, 12].map(Layout::for_side).into();
    layouts.extend([Layout::boxes(3, 2), Layout::latin(6), Layout::regions(split).unwrap()]);
    layouts.push(Layout::boxes(3, 3).with_diagonals());
    layouts.push(Layout::boxes(3, 3).with_windows().unwrap());
    layouts.push(Layout::boxes(3, 3).with_anti_knight());
    layouts.push(Layout::boxes(2, 3).with_anti_king());
    layouts
}

#[test]
fn there_are_288_grids_of_side_four() {
    for strategy in [Strategy::Base, Strategy::Pruned] {
        let encoder = SudokuEncoder::new(Grid::empty(Layout::boxes(2, 2))).strategy(strategy);
        let all: HashSet<String> = encoder.solutions().map(|grid| grid.unwrap().to_string()).collect();
        assert_eq!((all.len(), encoder.solutions().count()), (288, 288));
        assert_eq!(encoder.count(100).unwrap(), 100);
    }
    for (side, squares) in [(1, 1), (2, 2), (3, 12), (4, 576)] {
        assert_eq!(SudokuEncoder::new(Grid::empty(Layout::latin(side))).count(10_000).unwrap(), squares);
    }
}

#[test]
fn solutions_are_counted() {
    assert!(ask(SAMPLE).is_unique().unwrap());
    let two: Vec<Grid> = ask(TWO).solutions().map(Result::unwrap).collect();
    assert_eq!(two.len(), 2);
    assert!(two.iter().any(|grid| grid.to_string() == ONE_OF_TWO) && two[0] != two[1]);
    assert!(!ask(TWO).is_unique().unwrap());
    assert_eq!((ask(TWO).count(1).unwrap(), ask(TWO).count(0).unwrap(), ask(TWO).count(9).unwrap()), (1, 0, 2));
    let full = ask(ONE_OF_TWO);
    assert_eq!(
        (full.count(9).unwrap(), full.solve().unwrap(), full.hint().unwrap()),
        (1, Some(grid(ONE_OF_TWO)), None)
    );
    let impossible = ask("1111............");
    assert_eq!((impossible.count(9).unwrap(), impossible.is_unique().unwrap()), (0, false));
}

#[test]
fn crossings_say_the_same() {
    for layout in layouts() {
        let mut part = SudokuEncoder::generate(&layout, 5).unwrap().unwrap();
        let givens: Vec<_> = part.givens().collect();
        givens.iter().step_by(3).for_each(|&(row, col, _)| part.set(row, col, None));
        let encoder = SudokuEncoder::new(part);
        let most = if ASKED_AGAIN { 300 } else { 10 };
        assert_eq!(encoder.count(most).unwrap(), encoder.clone().crossings(true).count(most).unwrap(), "{layout}");
    }
}

#[test]
fn candidates_are_those_of_all_solutions() {
    for text in [TWO, SAMPLE, HARD, "12..............", "1..............."] {
        let mut expected = vec![Vec::new(); grid(text).cells().len()];
        for solution in ask(text).solutions() {
            for (values, &value) in expected.iter_mut().zip(solution.unwrap().cells()) {
                if !values.contains(&value) {
                    values.push(value);
                }
            }
        }
        expected.iter_mut().for_each(|values| values.sort_unstable());
        assert_eq!(ask(text).candidates().unwrap(), expected, "{text}");
    }
    assert!(ask("11..............").candidates().unwrap().iter().all(Vec::is_empty));
    let unsolvable = ask("123...4..........................................................................");
    assert_eq!(unsolvable.candidates().unwrap().len(), 81);
}

#[test]
fn random_solutions_differ_by_seed_alone() {
    let empty = SudokuEncoder::new(Grid::empty(Layout::boxes(3, 3)));
    let found: HashSet<String> =
        (0..20).map(|seed| empty.random_solution(seed).unwrap().unwrap().to_string()).collect();
    assert_eq!(found.len(), 20);
    assert_eq!(empty.random_solution(7).unwrap(), empty.random_solution(7).unwrap());
    // Every one of the 288 comes up, with any value last: a shuffle that leaves the last value where it is cannot do
    // that.
    let empty = SudokuEncoder::new(Grid::empty(Layout::boxes(2, 2)));
    let found: HashSet<String> =
        (0..cases(2_500, 6_000)).map(|seed| empty.random_solution(seed.into()).unwrap().unwrap().to_string()).collect();
    assert_eq!(found.len(), 288);
    let puzzle = grid(TWO);
    let found: HashSet<String> =
        (0..20).map(|seed| ask(TWO).random_solution(seed).unwrap().unwrap().to_string()).collect();
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|text| grid(text).verify(&puzzle).is_empty()));
    assert_eq!(ask("11..............").random_solution(1).unwrap(), None);
    let layout = Layout::boxes(4, 5);
    let large =
        [1, 2].map(|seed| SudokuEncoder::new(Grid::empty(layout.clone())).random_solution(seed).unwrap().unwrap());
    assert!(large.iter().all(|solution| solution.verify(&Grid::empty(layout.clone())).is_empty()));
    let alike = large[0].cells().iter().zip(large[1].cells()).filter(|(one, other)| one == other).count();
    assert!(alike < 200, "{alike} of 400 cells alike");
}

#[test]
fn unsat_cores_are_minimal() {
    // Row 1 holds 1 to 8, column 9 a 9.
    let mut texts = vec![format!("12345678.........9{}", ".".repeat(63)), format!("..5....5{}", ".".repeat(73))];
    texts.push("4_5_327\n_3_____\n1475_32\n__374__\n36_2754\n_5_1_63\n27_35_1".to_owned());
    let mut broken = grid(SAMPLE);
    broken.set(0, 0, 3); // it is 4
    texts.push(broken.to_string());
    for text in texts {
        let why = ask(&text).unsat_core().unwrap().expect("unsolvable");
        let puzzle = grid(&text);
        let with = |left_out: Option<usize>| {
            let mut part = Grid::empty(puzzle.layout().clone());
            for (i, &(row, col, value)) in why.iter().enumerate() {
                assert_eq!(puzzle.get(row, col), Some(value));
                part.set(row, col, if left_out == Some(i) { 0 } else { value });
            }
            SudokuEncoder::new(part).solve().unwrap()
        };
        assert_eq!(with(None), None, "{text}");
        for (i, given) in why.iter().enumerate() {
            assert!(with(Some(i)).is_some(), "{text}: {given:?} is not needed");
        }
    }
    assert_eq!(ask(&format!("..5....5{}", ".".repeat(73))).unsat_core().unwrap().unwrap(), [(0, 2, 5), (0, 7, 5)]);
    assert_eq!(ask(SAMPLE).unsat_core().unwrap(), None);
    let none = SudokuEncoder::new(Grid::empty(Layout::latin(2).with_diagonals()));
    assert_eq!(none.unsat_core().unwrap(), Some(vec![]));
}

#[test]
fn hints_lead_to_the_solution() {
    for text in [SAMPLE, HARD] {
        let solution = ask(text).solve().unwrap().unwrap();
        let mut grid = grid(text);
        let mut techniques = HashSet::new();
        while let Some(hint) = SudokuEncoder::new(&grid).hint().unwrap() {
            assert_eq!(grid.get(hint.row, hint.col), None);
            assert_eq!(solution.get(hint.row, hint.col), Some(hint.value), "{hint}");
            techniques.insert(std::mem::discriminant(&hint.technique));
            grid.set(hint.row, hint.col, hint.value);
        }
        assert_eq!(grid, solution);
        let beyond = [Technique::Contradiction, Technique::Search];
        let beyond = beyond.iter().any(|one| techniques.contains(&std::mem::discriminant(one)));
        assert_eq!(beyond, text == HARD);
    }
    let hint = ask("123.............").hint().unwrap().unwrap();
    assert_eq!((hint.row, hint.col, hint.value, hint.technique), (0, 3, 4, Technique::NakedSingle));
    let mut hidden = Grid::empty(Layout::boxes(3, 3));
    [(1, 3), (2, 6), (3, 1), (6, 2)].into_iter().for_each(|(row, col)| hidden.set(row, col, 1));
    let hint = SudokuEncoder::new(hidden).hint().unwrap().unwrap();
    assert_eq!((hint.row, hint.col, hint.value), (0, 0, 1));
    assert!(matches!(hint.technique, Technique::HiddenSingle(_)));
    assert_eq!(ask("................").hint().unwrap(), None);
    assert_eq!(ask("11..............").hint().unwrap(), None);
}

/// A puzzle's grade is the hardest technique of the hints that lead to its solution, whatever its shape.
#[test]
fn grades_are_the_hardest_hints() {
    let nine = || Layout::boxes(3, 3);
    let windows = nine().with_windows().unwrap();
    let layouts = [Layout::boxes(2, 2), Layout::boxes(2, 3), nine(), nine().with_diagonals(), windows];
    let mut found = [0; 4];
    for (layout, seed) in layouts.iter().flat_map(|layout| (0..u64::from(cases(2, 6))).map(move |seed| (layout, seed)))
    {
        let empty = SudokuEncoder::new(Grid::empty(layout.clone()));
        for &most in Grade::ALL {
            let puzzle = empty.random_puzzle_of(most, seed).unwrap().unwrap();
            assert_eq!(empty.random_puzzle_of(most, seed).unwrap().as_ref(), Some(&puzzle));
            let grade = SudokuEncoder::new(puzzle.clone()).grade().unwrap().expect("one solution");
            assert!(grade <= most, "{layout} {seed}: {grade}, at most {most} was asked for");
            let mut hardest = Grade::NakedSingles;
            let mut rest = puzzle.clone();
            while let Some(hint) = SudokuEncoder::new(rest.clone()).hint().unwrap() {
                hardest = hardest.max(match hint.technique {
                    Technique::NakedSingle => Grade::NakedSingles,
                    Technique::HiddenSingle(_) => Grade::HiddenSingles,
                    Technique::LockedCandidate => Grade::LockedCandidates,
                    _ => Grade::Search,
                });
                rest.set(hint.row, hint.col, hint.value);
            }
            assert_eq!(grade, hardest, "{layout} {seed}");
            found[Grade::ALL.iter().position(|one| *one == grade).unwrap()] += 1;
            // No given can be left out without making it harder.
            for (row, col, _) in puzzle.givens() {
                let mut fewer = puzzle.clone();
                fewer.set(row, col, 0);
                let fewer = SudokuEncoder::new(fewer).grade().unwrap();
                assert!(fewer.is_none_or(|grade| grade > most), "{layout} {seed}: {row}, {col}");
            }
        }
    }
    assert!(found.iter().all(|&number| number >= 3), "{found:?}");
    let graded = |text: &str| SudokuEncoder::new(text.parse::<Grid>().unwrap()).grade().unwrap();
    assert_eq!(graded("1..............."), None, "several solutions");
    assert_eq!(graded("11.............."), None, "no solution");
}

#[test]
fn generated_puzzles_have_one_solution() {
    for layout in layouts() {
        for seed in 0..2 {
            let puzzle = SudokuEncoder::generate(&layout, seed).unwrap().unwrap_or_else(|| panic!("{layout}"));
            assert_eq!(puzzle, SudokuEncoder::generate(&layout, seed).unwrap().unwrap());
            assert!(SudokuEncoder::new(&puzzle).is_unique().unwrap(), "{puzzle}");
            let minimal = SudokuEncoder::generate_minimal(&layout, seed).unwrap().unwrap();
            assert!(SudokuEncoder::new(&minimal).is_unique().unwrap(), "{minimal}");
            assert!(minimal.givens().count() <= puzzle.givens().count());
            if layout.side() <= 9 {
                for (row, col, _) in minimal.givens() {
                    let mut less = minimal.clone();
                    less.set(row, col, None);
                    assert!(!SudokuEncoder::new(less).is_unique().unwrap(), "{minimal}: {row}, {col} is redundant");
                }
            }
            assert_eq!(grid(&puzzle.to_string()), puzzle);
            assert_eq!(grid(&format!("{puzzle:#}")), puzzle);
        }
    }
    assert_eq!(SudokuEncoder::generate(&Layout::latin(2).with_diagonals(), 1).unwrap(), None);
}

#[test]
fn every_encoding_strategy_and_constraint_set_finds_the_same() {
    for text in [SAMPLE, HARD] {
        let expected = ask(text).solve().unwrap();
        for (strategy, set) in [Strategy::Base, Strategy::Pruned].into_iter().cartesian_product(SETS) {
            for encoding in AmoEncoding::ALL {
                let encoder = ask(text).strategy(strategy).constraints(set).encoding(*encoding);
                assert_eq!(encoder.solve().unwrap(), expected, "{strategy:?} {set:?} {encoding}");
            }
        }
        assert_eq!(ask(text).crossings(true).solve().unwrap(), expected);
        for seed in 1..4 {
            assert_eq!(ask(text).seed(seed).solve().unwrap(), expected);
        }
    }
    for (strategy, set) in [Strategy::Base, Strategy::Pruned].into_iter().cartesian_product(SETS) {
        let like = |text: &str| ask(text).strategy(strategy).constraints(set);
        assert_eq!(like("12..............").count(99).unwrap(), ask("12..............").count(99).unwrap());
        assert_eq!(like("12..............").candidates().unwrap(), ask("12..............").candidates().unwrap());
        assert_eq!(like("12...34.........").solve().unwrap(), None);
    }
}

#[test]
fn streams_keep_order_and_go_on_after_bad_lines() {
    let lines = [SAMPLE, "# remark", "", "what is this", HARD, "1 2 3", "11..............", "5............... "];
    for strategy in [Strategy::Base, Strategy::Pruned] {
        let like = ask(SAMPLE).strategy(strategy);
        let answers: Vec<_> = SudokuStream::new(lines, &like).collect();
        let numbers: Vec<usize> = answers.iter().map(|answer| answer.line).collect();
        assert_eq!(numbers, [1, 4, 5, 6, 7, 8]);
        let solved: Vec<Option<bool>> = answers.iter().map(|x| x.result.as_ref().ok().map(Option::is_some)).collect();
        assert_eq!(solved, [Some(true), None, Some(true), None, Some(false), None]);
        let message = answers[1].result.as_ref().unwrap_err().to_string();
        assert!(message.starts_with("line 4, column "), "{message}");
        let Err(error @ StreamError::Sudoku { line: 8, .. }) = &answers[5].result else { panic!("{:?}", answers[5]) };
        assert_eq!(error.to_string(), "line 8, column 1 (row 1, column 1): 5 is out of range; allowed are 1 to 4");
    }
    let mut solver = SudokuSolver::new(&ask(SAMPLE));
    let mut unsolvable = grid("11..............");
    assert!(!solver.solve_in_place(&mut unsolvable).unwrap());
    assert_eq!(unsolvable, grid("11.............."));
}

#[cfg(feature = "rayon")]
#[test]
fn threads_give_what_one_thread_gives() {
    use std::ops::ControlFlow;
    let lines: Vec<String> = (0..500)
        .map(|i| match i % 5 {
            0 => "no grid".to_owned(),
            _ => SudokuEncoder::generate_minimal(&Layout::boxes(2, 2 + i % 2), i as u64).unwrap().unwrap().to_string(),
        })
        .map(|text| text.replace('\n', " "))
        .collect();
    let like = ask(SAMPLE);
    let show = |answer: cnfkit::sudoku::Answer| format!("{} {:?}", answer.line, answer.result);
    let expected: Vec<String> = SudokuStream::new(&lines, &like).map(show).collect();
    let mut found = Vec::new();
    let end = cnfkit::sudoku::par_solve(&lines, &like, |answer| {
        found.push(show(answer));
        ControlFlow::<()>::Continue(())
    });
    assert_eq!((found, end), (expected, ControlFlow::Continue(())));
    let mut n = 0;
    let end = cnfkit::sudoku::par_solve(&lines, &like, |_| {
        n += 1;
        if n == 10 { ControlFlow::Break("enough") } else { ControlFlow::Continue(()) }
    });
    assert_eq!((n, end), (10, ControlFlow::Break("enough")));
}

#[test]
fn nothing_is_allocated_where_propagation_is_enough() {
    let mut solver = SudokuSolver::new(&ask(SAMPLE));
    solver.solve(&grid(SAMPLE)).unwrap();
    let mut puzzle = grid(SAMPLE);
    let counted = allocation_counter::measure(|| assert!(solver.solve_in_place(&mut puzzle).unwrap()));
    assert_eq!(counted.count_total, 0);
    assert!(puzzle.is_full());
}

#[test]
fn interrupted_is_not_no_solution() {
    let interrupted = |result: Result<Option<Grid>, SudokuError>| matches!(result, Err(SudokuError::Interrupted(_)));
    for strategy in [Strategy::Base, Strategy::Pruned] {
        let encoder = ask(HARD).strategy(strategy);
        assert!(interrupted(encoder.clone().time_limit(Duration::ZERO).solve()));
        assert!(interrupted(encoder.clone().limits(Limits::none().cancel(Arc::new(AtomicBool::new(true)))).solve()));
        assert!(encoder.time_limit(Duration::from_secs(3600)).solve().unwrap().is_some());
    }
    let encoder = ask(HARD).time_limit(Duration::ZERO);
    assert!(matches!(encoder.count(2), Err(SudokuError::Interrupted(_))));
    assert!(matches!(encoder.candidates(), Err(SudokuError::Interrupted(_))));
    assert!(matches!(encoder.hint(), Err(SudokuError::Interrupted(_))));
    assert!(matches!(encoder.random_solution(1), Err(SudokuError::Interrupted(_))));
    assert!(matches!(encoder.unsat_core(), Err(SudokuError::Interrupted(_))));
    // An empty 9×9 has 6.67·10²¹ solutions.
    let start = Instant::now();
    let many = SudokuEncoder::new(Grid::empty(Layout::boxes(3, 3))).time_limit(Duration::from_millis(200));
    assert!(matches!(many.count(usize::MAX), Err(SudokuError::Interrupted(_))));
    assert!(start.elapsed() < Duration::from_secs(20));
}

/// A question of many parts has one limit for all of them.
#[test]
fn limits_are_for_the_whole_question() {
    // A full grid: finding its solution is the smallest part.
    let encoder = ask(ONE_OF_TWO);
    let make = || {
        let start = Instant::now();
        assert!(encoder.random_minimal_puzzle(1).unwrap().is_some());
        start.elapsed()
    };
    let fastest = (0..3).map(|_| make()).min().unwrap_or_default();
    let hurried = encoder.clone().time_limit(fastest / 5);
    assert!(matches!(hurried.random_minimal_puzzle(1), Err(SudokuError::Interrupted(_))), "{fastest:?}");
    let stopped = encoder.clone().limits(Limits::none().cancel(Arc::new(AtomicBool::new(true))));
    assert!(matches!(stopped.random_puzzle(1), Err(SudokuError::Interrupted(_))));
    // What the grid holds stays.
    let mut part = Grid::empty(Layout::boxes(2, 2));
    part.set(0, 0, 3);
    let puzzle = SudokuEncoder::new(&part).random_puzzle(1).unwrap().unwrap();
    assert_eq!(SudokuEncoder::new(&puzzle).solve().unwrap().unwrap().verify(&part), []);
    assert_eq!(ask("11..............").random_puzzle(1).unwrap(), None);
}

#[test]
fn formulas_beyond_the_capacity_are_refused() {
    let little = Size { vars: 1000, clauses: 1000, lits: 10_000 };
    for strategy in [Strategy::Base, Strategy::Pruned] {
        let empty = SudokuEncoder::new(Grid::empty(Layout::boxes(3, 3))).strategy(strategy).capacity(little);
        assert!(matches!(empty.solve(), Err(SudokuError::Capacity(_))), "{strategy:?}");
    }
    let start = Instant::now();
    let giant = SudokuEncoder::new(Grid::empty(Layout::for_side(400))).encoding(AmoEncoding::Pairwise);
    assert!(matches!(giant.solve(), Err(SudokuError::Capacity(_))));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if ASKED_AGAIN { 48 } else { 4 }))]

    #[test]
    fn what_is_printed_parses_back(
        which in 0..16_usize,
        values in proptest::collection::vec(0..30_u16, 144),
        most in 0..30_u16,
    ) {
        let layout = layouts()[which].clone();
        let n_cells = layout.side() * layout.side();
        let cells: Vec<u16> = values.iter().take(n_cells).map(|value| value % (most + 1)).collect();
        let grid = Grid::new(layout, cells).unwrap();
        prop_assert_eq!(grid.to_string().parse::<Grid>().unwrap(), grid.clone());
        prop_assert_eq!(format!("{grid:#}").parse::<Grid>().unwrap(), grid.clone());
        let _ = (grid.check(), SudokuEncoder::new(&grid).solve());
    }

    #[test]
    fn any_text_is_a_grid_or_an_error(text in "[0-9a-zA-Z.,|+_ \n-]{0,100}") {
        if let Ok(grid) = text.parse::<Grid>() {
            prop_assert_eq!(grid.to_string().parse::<Grid>().unwrap(), grid);
        }
    }

    #[test]
    fn generated_puzzles_solve_to_their_own_solution(
        which in 0..16_usize,
        seed: u64,
        encoding in proptest::sample::select(AmoEncoding::ALL),
        set in proptest::sample::select(&SETS[..]),
        strategy in proptest::sample::select(&[Strategy::Base, Strategy::Pruned][..]),
    ) {
        let layout = layouts()[which].clone();
        let solution = SudokuEncoder::new(Grid::empty(layout.clone())).random_solution(seed).unwrap().unwrap();
        prop_assert_eq!(solution.verify(&Grid::empty(layout.clone())), vec![]);
        let mut puzzle = SudokuEncoder::generate(&layout, seed).unwrap().unwrap();
        let encoder = SudokuEncoder::new(&puzzle).strategy(strategy).encoding(encoding).constraints(set);
        prop_assert_eq!(encoder.solve().unwrap(), Some(solution.clone()));
        prop_assert_eq!(encoder.clone().crossings(true).count(3).unwrap(), 1);
        for (name, found) in by_every_solver(&encoder) {
            prop_assert_eq!(found, Some(solution.clone()), "{}", name);
        }
        // With less given, more is left to the solver, and there may be other solutions.
        let givens: Vec<_> = puzzle.givens().collect();
        givens.iter().step_by(3).for_each(|&(row, col, _)| puzzle.set(row, col, None));
        let encoder = SudokuEncoder::new(&puzzle).strategy(strategy).encoding(encoding).constraints(set);
        for (name, found) in by_every_solver(&encoder) {
            prop_assert_eq!(found.unwrap().verify(&puzzle), vec![], "{}", name);
        }
    }
}
