//! Gem Hunter: every question, by every strategy, against brute force over all assignments.
#![cfg(all(feature = "any-solver", feature = "gem-hunter"))]

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use cnfkit::gem_hunter::Strategy as GemStrategy;
use cnfkit::{Cell, GemError, GemHunterEncoder, GemMap, Kind, Limits, Neighbourhood, SolveError, gem_hunter};
use proptest::prelude::*;

type Position = (usize, usize);

fn positions(map: &GemMap) -> impl Iterator<Item = Position> + use<> {
    let columns = map.columns();
    (0..map.cells().len()).map(move |cell| (cell / columns, cell % columns))
}

fn of_kind(map: &GemMap, wanted: impl Fn(Cell) -> bool) -> Vec<Position> {
    positions(map).filter(|&(row, column)| wanted(map.get(row, column))).collect()
}

fn numbers(map: &GemMap) -> Vec<Position> {
    of_kind(map, |cell| matches!(cell, Cell::Number(_)))
}

/// Who counts whom, written down a second time.
#[derive(Clone, Copy, Debug)]
enum Rule {
    Eight,
    Four,
    Torus,
    Hexagonal,
    /// One up, two right; and three left.
    Offsets,
}

impl Rule {
    const ALL: [Self; 5] = [Self::Eight, Self::Four, Self::Torus, Self::Hexagonal, Self::Offsets];

    fn neighbourhood(self) -> Neighbourhood {
        match self {
            Self::Eight => Neighbourhood::eight(),
            Self::Four => Neighbourhood::four(),
            Self::Torus => Neighbourhood::eight().torus(),
            Self::Hexagonal => Neighbourhood::hexagonal(),
            Self::Offsets => Neighbourhood::offsets([(-1, 2), (0, -3)]),
        }
    }

    fn counts(self, map: &GemMap, from: Position, to: Position) -> bool {
        let (rows, columns) = (map.rows().cast_signed(), map.columns().cast_signed());
        let (down, right) = (to.0.cast_signed() - from.0.cast_signed(), to.1.cast_signed() - from.1.cast_signed());
        let near = |down: isize, right: isize| down.abs() <= 1 && right.abs() <= 1;
        from != to
            && match self {
                Self::Eight => near(down, right),
                Self::Four => down.abs() + right.abs() == 1,
                Self::Torus => {
                    let turns = |by: isize, len: isize| [by - len, by, by + len];
                    turns(down, rows).iter().any(|&down| turns(right, columns).iter().any(|&right| near(down, right)))
                }
                Self::Hexagonal if down == 0 => right.abs() == 1,
                Self::Hexagonal => {
                    down.abs() == 1 && [0, if from.0.is_multiple_of(2) { -1 } else { 1 }].contains(&right)
                }
                Self::Offsets => [(-1, 2), (0, -3)].contains(&(down, right)),
            }
    }

    fn traps(self, map: &GemMap, from: Position) -> usize {
        of_kind(map, |cell| cell == Cell::Trap).into_iter().filter(|&to| self.counts(map, from, to)).count()
    }
}

/// All boards that agree with `map` on what is known, with the numbers in `of`, and with the total.
fn brute_force(map: &GemMap, rule: Rule, of: &[Position], traps: Option<usize>) -> Vec<GemMap> {
    let unknown = of_kind(map, |cell| cell == Cell::Unknown);
    (0..1u32 << unknown.len())
        .map(|bits| {
            let mut answer = map.clone();
            for (index, &(row, column)) in unknown.iter().enumerate() {
                answer.set(row, column, if bits >> index & 1 == 1 { Cell::Trap } else { Cell::Gem });
            }
            answer
        })
        .filter(|answer| {
            of.iter()
                .all(|&(row, column)| map.get(row, column) == Cell::Number(rule.traps(answer, (row, column)) as u8))
                && traps.is_none_or(|traps| answer.count(Cell::Trap) == traps)
        })
        .collect()
}

fn expected_kind(map: &GemMap, rule: Rule, answers: &[GemMap], cell: Position) -> Kind {
    let traps = answers.iter().filter(|answer| answer.get(cell.0, cell.1) == Cell::Trap).count();
    match map.get(cell.0, cell.1) {
        Cell::Number(_) => Kind::Number,
        _ if traps == answers.len() => Kind::Trap,
        _ if traps == 0 => Kind::Gem,
        _ if !numbers(map).iter().any(|&number| rule.counts(map, number, cell)) => Kind::Free,
        _ => Kind::Undecided,
    }
}

prop_compose! {
    /// Boards up to 4×4: numbers mostly from a planted answer, some of them off by one, some cells given.
    fn small_map(rule: Rule)(rows in 1usize..=4, columns in 1usize..=4)
        (traps in prop::collection::vec(prop::bool::weighted(0.35), rows * columns),
         show in prop::collection::vec(0u8..10, rows * columns),
         noise in prop::collection::vec(0u8..60, rows * columns),
         columns in Just(columns), rows in Just(rows)) -> GemMap {
        let mut truth = GemMap::new(rows, columns);
        for (index, &trap) in traps.iter().enumerate() {
            truth.set(index / columns, index % columns, if trap { Cell::Trap } else { Cell::Gem });
        }
        let mut map = GemMap::new(rows, columns);
        for (index, (row, column)) in positions(&truth).enumerate() {
            let count = rule.traps(&truth, (row, column)) as u8;
            map.set(row, column, match show[index] {
                0..5 => Cell::Unknown,
                5 => truth.get(row, column),
                _ if traps[index] => Cell::Unknown,
                _ if noise[index] == 0 => Cell::Number(count + 1),
                _ => Cell::Number(count),
            });
        }
        map
    }
}

fn any_board() -> impl Strategy<Value = (Rule, GemMap)> {
    prop::sample::select(&Rule::ALL[..]).prop_flat_map(|rule| (Just(rule), small_map(rule)))
}

fn encoder(map: &GemMap, rule: Rule, traps: Option<usize>, strategy: GemStrategy) -> GemHunterEncoder {
    let encoder = GemHunterEncoder::new(map.clone()).neighbourhood(rule.neighbourhood()).strategy(strategy);
    match traps {
        Some(traps) => encoder.traps(traps),
        None => encoder,
    }
}

/// Every question about the board, by every strategy.
fn check(map: &GemMap, rule: Rule, traps: Option<usize>) -> Result<(), TestCaseError> {
    let answers = brute_force(map, rule, &numbers(map), traps);
    for strategy in GemStrategy::ALL {
        let encoder = encoder(map, rule, traps, strategy);
        match encoder.solve().unwrap() {
            Some(answer) => {
                prop_assert!(answers.contains(&answer), "{}", answer);
                prop_assert_eq!(encoder.verify(&answer).unwrap(), []);
            }
            None => prop_assert!(answers.is_empty(), "{}", strategy),
        }
        for limit in [0, 1, 2, 5, 1000, usize::MAX] {
            prop_assert_eq!(encoder.count(limit).unwrap(), answers.len().min(limit), "{}", strategy);
        }
        prop_assert_eq!(encoder.is_unique().unwrap(), answers.len() == 1);
        let listed: Vec<GemMap> = encoder.solutions().map(Result::unwrap).collect();
        prop_assert_eq!(listed.len(), answers.len());
        prop_assert_eq!(listed.iter().collect::<HashSet<_>>(), answers.iter().collect::<HashSet<_>>());

        let deduction = encoder.deduce().unwrap();
        prop_assert_eq!(deduction.is_none(), answers.is_empty());
        if let Some(deduction) = deduction {
            prop_assert!(deduction.is_complete());
            for (row, column) in positions(map) {
                let expected = expected_kind(map, rule, &answers, (row, column));
                prop_assert_eq!(deduction.get(row, column), expected, "{} ({}, {})", strategy, row, column);
            }
        }
    }
    Ok(())
}

/// A minimal set of numbers without an answer, or forcing a cell.
fn check_minimal(
    map: &GemMap,
    rule: Rule,
    traps: Option<usize>,
    named: &[Position],
    says: impl Fn(&[GemMap]) -> bool,
) -> Result<(), TestCaseError> {
    prop_assert!(named.is_sorted());
    prop_assert!(says(&brute_force(map, rule, named, traps)));
    for without in 0..named.len() {
        let mut rest = named.to_vec();
        rest.remove(without);
        prop_assert!(!says(&brute_force(map, rule, &rest, traps)), "{:?} is not needed", named[without]);
    }
    Ok(())
}

fn check_why(map: &GemMap, rule: Rule, traps: Option<usize>) -> Result<(), TestCaseError> {
    let answers = brute_force(map, rule, &numbers(map), traps);
    let encoder = encoder(map, rule, traps, GemStrategy::default());
    let named = encoder.explain().unwrap();
    prop_assert_eq!(named.is_some(), answers.is_empty());
    if let Some(named) = named {
        check_minimal(map, rule, traps, &named, <[_]>::is_empty)?;
    }
    for (row, column) in positions(map) {
        let values: HashSet<Cell> = answers.iter().map(|answer| answer.get(row, column)).collect();
        let is_forced = map.get(row, column) == Cell::Unknown && values.len() == 1;
        let named = encoder.reason(row, column).unwrap();
        prop_assert_eq!(named.is_some(), is_forced, "({}, {})", row, column);
        if let Some(named) = named {
            check_minimal(map, rule, traps, &named, |answers| {
                answers.iter().all(|answer| values.contains(&answer.get(row, column)))
            })?;
        }
    }
    Ok(())
}

/// Kissat cannot be asked twice, and a new one for every question costs milliseconds: fewer boards then.
const fn cases(many: u32) -> u32 {
    let asked_again = cfg!(any(feature = "batsat", feature = "minisat", feature = "glucose", feature = "cadical"));
    if asked_again { many } else { many / 12 }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(150)))]

    #[test]
    fn every_strategy_answers_every_question_right((rule, map) in any_board()) {
        check(&map, rule, None)?;
    }

    #[test]
    fn a_total_is_one_more_constraint((rule, map) in any_board(), traps in 0usize..8) {
        check(&map, rule, Some(traps))?;
    }

    #[test]
    fn reasons_are_minimal((rule, map) in any_board(), traps in prop::option::weighted(0.3, 0usize..8)) {
        check_why(&map, rule, traps)?;
    }

    #[test]
    fn a_wrong_answer_is_not_verified(map in small_map(Rule::Eight), flip in any::<prop::sample::Index>()) {
        let encoder = GemHunterEncoder::new(map.clone());
        let Some(mut answer) = encoder.solve().unwrap() else { return Ok(()) };
        let (row, column) = positions(&map).nth(flip.index(map.cells().len())).unwrap();
        answer.set(row, column, match answer.get(row, column) {
            Cell::Trap => Cell::Gem,
            Cell::Gem => Cell::Trap,
            other => { prop_assert!(matches!(other, Cell::Number(_))); Cell::Unknown }
        });
        let is_answer = brute_force(&map, Rule::Eight, &numbers(&map), None).contains(&answer);
        prop_assert_eq!(encoder.verify(&answer).unwrap().is_empty(), is_answer);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(24)))]

    /// Larger boards: too many assignments to try, but three strategies and a planted answer.
    #[test]
    fn strategies_agree_on_planted_boards(seed in any::<u64>(), side in 10usize..32, kind in 0usize..4) {
        let (density, shown) = [(0.2, 0.5), (0.35, 0.4), (0.5, 0.3), (0.15, 0.9)][kind];
        let (map, truth) = gem_hunter::plant(side, side + 3, density, shown, seed);
        let deductions: Vec<_> = GemStrategy::ALL
            .map(|strategy| {
                let encoder = GemHunterEncoder::new(map.clone()).strategy(strategy);
                let answer = encoder.solve().unwrap().unwrap();
                assert_eq!(encoder.verify(&answer).unwrap(), [], "{strategy}");
                encoder.deduce().unwrap().unwrap()
            })
            .to_vec();
        prop_assert_eq!(&deductions[0], &deductions[1]);
        prop_assert_eq!(&deductions[0], &deductions[2]);
        prop_assert_eq!(GemHunterEncoder::new(map.clone()).verify(&truth).unwrap(), []);
        for (row, column) in positions(&map) {
            match deductions[0].get(row, column) {
                Kind::Trap => prop_assert_eq!(truth.get(row, column), Cell::Trap),
                Kind::Gem => prop_assert_eq!(truth.get(row, column), Cell::Gem),
                _ => {}
            }
        }
    }

    /// One number of a planted board is made wrong: the strategies agree on whether that is a contradiction.
    #[test]
    fn strategies_agree_on_spoilt_boards(
        seed in any::<u64>(),
        side in 8usize..24,
        at in any::<prop::sample::Index>(),
        up in any::<bool>(),
    ) {
        let (mut map, _) = gem_hunter::plant(side, side, 0.35, 0.45, seed);
        let numbers = numbers(&map);
        let (row, column) = numbers[at.index(numbers.len())];
        let Cell::Number(number) = map.get(row, column) else { unreachable!() };
        map.set(row, column, Cell::Number(if up { number + 1 } else { number.saturating_sub(1) }));
        let solvable = GemStrategy::ALL.map(|strategy| {
            GemHunterEncoder::new(map.clone()).strategy(strategy).solve().unwrap().is_some()
        });
        prop_assert!(solvable == [true; 3] || solvable == [false; 3], "{:?}", solvable);
        let named = GemHunterEncoder::new(map.clone()).explain().unwrap();
        prop_assert_eq!(named.is_none(), solvable[0]);
        if let Some(named) = named {
            // Minimal, by the whole formula: the named numbers have no answer, and without any of them they have.
            let has_answer = |of: &[Position]| {
                let mut only = map.clone();
                for &(row, column) in &numbers {
                    if !of.contains(&(row, column)) { only.set(row, column, Cell::Gem); }
                }
                GemHunterEncoder::new(only).strategy(GemStrategy::Whole).solve().unwrap().is_some()
            };
            prop_assert!(!has_answer(&named));
            for without in 0..named.len() {
                let mut rest = named.clone();
                rest.remove(without);
                prop_assert!(has_answer(&rest));
            }
        }
    }

    #[test]
    fn generated_boards_have_one_answer(
        seed in any::<u64>(),
        rows in 1usize..14,
        columns in 1usize..14,
        density in 0.0..=1.0,
    ) {
        let map = gem_hunter::generate(rows, columns, density, seed);
        prop_assert_eq!(&map, &gem_hunter::generate(rows, columns, density, seed), "the same each time");
        for strategy in [GemStrategy::Whole, GemStrategy::Windows] {
            prop_assert!(GemHunterEncoder::new(map.clone()).strategy(strategy).is_unique().unwrap());
        }
    }
}

#[test]
fn a_generated_board_hides_numbers() {
    let map = gem_hunter::generate(16, 30, 0.2, 5);
    let shown = numbers(&map).len();
    assert!(shown * 2 < 16 * 30, "{shown} numbers are shown");
    assert_ne!(map, gem_hunter::generate(16, 30, 0.2, 6));
}

#[test]
fn counts_multiply() {
    // So many numbers between two unknown cells: two ways each.
    let count = |pairs, limit| {
        let map: GemMap = "_ 1 _ G ".repeat(pairs).parse().unwrap();
        GemHunterEncoder::new(map).count(limit).unwrap()
    };
    assert_eq!(count(10, usize::MAX), 1 << 10);
    assert_eq!(count(62, usize::MAX), 1 << 62);
    assert_eq!(count(64, usize::MAX), usize::MAX);
    assert_eq!(count(62, 1000), 1000);
}

#[test]
fn solutions_are_lazy() {
    let map = GemMap::new(100, 100);
    let mut solutions = GemHunterEncoder::new(map.clone()).solutions();
    let first: Vec<GemMap> = solutions.by_ref().take(3).map(Result::unwrap).collect();
    assert_eq!(first[0].count(Cell::Gem), 10_000);
    assert!(first[0] != first[1] && first[1] != first[2] && first[0] != first[2]);
    assert_eq!(GemHunterEncoder::new(map).count(usize::MAX).unwrap(), usize::MAX, "2^10000");
}

#[test]
fn a_cancelled_question_is_interrupted_and_never_unsolvable() {
    let (map, truth) = gem_hunter::plant(60, 60, 0.35, 0.4, 1);
    for strategy in GemStrategy::ALL {
        for traps in [None, Some(truth.count(Cell::Trap))] {
            let flag = Arc::new(AtomicBool::new(true));
            let encoder = encoder(&map, Rule::Eight, traps, strategy).limits(Limits::none().cancel(flag));
            let interrupted = |error: GemError| matches!(error, GemError::Solve(SolveError::Interrupted(_)));
            assert!(interrupted(encoder.solve().unwrap_err()));
            assert!(interrupted(encoder.count(1 << 40).unwrap_err()));
            assert!(interrupted(encoder.explain().unwrap_err()));
            assert!(interrupted(encoder.solutions().next().unwrap().unwrap_err()));
            let deduction = encoder.deduce().unwrap().unwrap();
            assert!(!deduction.is_complete());
        }
    }
}

#[test]
fn what_a_partial_deduction_says_is_certain() {
    let (map, _) = gem_hunter::plant(120, 120, 0.35, 0.4, 3);
    let full = GemHunterEncoder::new(map.clone()).deduce().unwrap().unwrap();
    assert!(full.is_complete());
    for micros in [0, 500, 2000, 5000, 10_000, 20_000] {
        let encoder = GemHunterEncoder::new(map.clone()).time_limit(Duration::from_micros(micros));
        let partial = encoder.deduce().unwrap().unwrap();
        for (row, column) in positions(&map) {
            if let Some(kind) = partial.proven(row, column) {
                assert_eq!(kind, full.get(row, column));
            } else {
                assert_eq!(partial.get(row, column), Kind::Undecided);
                assert!(!partial.is_complete());
            }
        }
    }
}

#[test]
fn a_graph_of_cells_is_a_neighbourhood() {
    // A ring of six cells on one row: 0-1-2-3-4-5-0.
    let edges = (0..6).map(|at| [(0, at), (0, (at + 1) % 6)]);
    let map: GemMap = "2 _ 1 _ 0 _".parse().unwrap();
    let encoder = GemHunterEncoder::new(map).neighbourhood(Neighbourhood::graph(edges));
    assert_eq!(encoder.solve().unwrap(), None);
    let map: GemMap = "2 _ 1 _ 1 _".parse().unwrap();
    let edges = (0..6).map(|at| [(0, at), (0, (at + 1) % 6)]);
    let encoder = GemHunterEncoder::new(map).neighbourhood(Neighbourhood::graph(edges));
    assert_eq!(encoder.solve().unwrap().unwrap().to_string(), "2, T, 1, G, 1, T\n");
    let wrong = GemHunterEncoder::new(GemMap::new(1, 2)).neighbourhood(Neighbourhood::graph([[(0, 0), (1, 0)]]));
    assert!(matches!(wrong.solve(), Err(GemError::Neighbourhood(_))));
    let odd = GemHunterEncoder::new(GemMap::new(3, 2)).neighbourhood(Neighbourhood::hexagonal().torus());
    assert!(matches!(odd.solve(), Err(GemError::Neighbourhood(_))));
}

#[test]
fn no_reason_outside_the_board() {
    let encoder = GemHunterEncoder::new("1, _".parse().unwrap());
    assert_eq!(encoder.reason(0, 1).unwrap(), Some(vec![(0, 0)]));
    assert_eq!(encoder.reason(0, 0).unwrap(), None);
    let error = encoder.reason(1, 0).unwrap_err();
    assert_eq!(error.to_string(), "there is no row 2, column 1 on a board of 1 rows and 2 columns");
}

#[test]
fn strategies_have_names() {
    for strategy in GemStrategy::ALL {
        assert_eq!(strategy.to_string().parse(), Ok(strategy));
    }
    assert!("tiles".parse::<GemStrategy>().is_err());
}

/// The boards of the data folder: every strategy that is quick enough, and the formats as they are.
#[test]
fn boards_of_the_data_folder() {
    let Some(folder) = std::env::var_os("CNFKIT_DATA") else {
        eprintln!("CNFKIT_DATA is not set: boards from files are not tested");
        return;
    };
    let folder = std::path::Path::new(&folder).join("gem_hunter");
    let mut boards = 0;
    for file in std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()) {
        let text = std::fs::read_to_string(&file).unwrap();
        let map: GemMap = text.parse().unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert_eq!(map.to_string().trim_end(), text.trim_end());
        let windows = GemHunterEncoder::new(map.clone());
        let answer = windows.solve().unwrap().unwrap();
        assert_eq!(windows.verify(&answer).unwrap(), []);
        let deduction = windows.deduce().unwrap().unwrap();
        assert!(deduction.is_complete());
        if map.cells().len() <= 10_000 {
            for strategy in [GemStrategy::Whole, GemStrategy::Parts] {
                let other = GemHunterEncoder::new(map.clone()).strategy(strategy).deduce().unwrap().unwrap();
                assert_eq!(deduction, other, "{} {strategy}", file.display());
            }
        }
        boards += 1;
    }
    assert!(boards > 0, "no boards in {}", folder.display());
}

#[test]
fn everything_wrong_with_an_answer_is_said() {
    let encoder = GemHunterEncoder::new("1, _, G\n_, T, _".parse().unwrap()).traps(1);
    let wrong = |answer: &str| -> Vec<String> {
        encoder.verify(&answer.parse().unwrap()).unwrap().iter().map(ToString::to_string).collect()
    };
    assert_eq!(wrong("1, G, G\nG, T, G"), [""; 0]);
    assert_eq!(
        wrong("2, T, G\nG, G, _"),
        [
            "row 1, column 1: the board shows 1, the answer 2",
            "row 2, column 2: the board shows T, the answer G",
            "row 2, column 3: the answer shows _, neither T nor G",
            "row 1, column 1: there are 2 traps around the 1",
        ],
        "a given trap counts also where the answer has something else"
    );
    assert_eq!(wrong("1, G, G\nG, T, T"), ["there are 2 traps on the board; there should be 1"]);
    assert_eq!(wrong("1, G, G"), ["the answer has 1 rows and 3 columns, the board 2 and 3"]);
}
