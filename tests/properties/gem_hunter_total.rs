//! Gem Hunter with a total of traps: totals, chances, best moves and answers, against all assignments of small boards
//! and against the formula's models.
#![cfg(all(feature = "any-solver", feature = "gem-hunter"))]

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use cnfkit::gem_hunter::Strategy as GemStrategy;
use cnfkit::{Cell, GemError, GemHunterEncoder, GemMap, Kind, Limits, Neighbourhood, SolveError, gem_hunter};
use proptest::prelude::*;

type Position = (usize, usize);

fn neighbourhoods() -> Vec<Neighbourhood> {
    vec![
        Neighbourhood::eight(),
        Neighbourhood::four(),
        Neighbourhood::hexagonal(),
        Neighbourhood::offsets([(-1, 2), (0, -3), (2, 2), (1, -1)]),
        Neighbourhood::eight().torus(),
        Neighbourhood::four().torus(),
    ]
}

/// The most answers that are counted one by one through the formula. Kissat alone cannot be asked again: each answer
/// takes a solver of its own, which is loaded with all answers before.
const COUNTED: usize = if cfg!(all(feature = "kissat", not(feature = "batsat"))) { 20 } else { 2000 };

/// The answers of a board, by trying all assignments: for each total, how many there are, and in how many of these each
/// unknown cell is a trap.
struct Tried {
    unknown: Vec<Position>,
    by_total: BTreeMap<usize, (u64, Vec<u64>)>,
}

impl Tried {
    fn new(map: &GemMap, neighbourhood: &Neighbourhood) -> Self {
        let cells = (0..map.rows()).flat_map(|row| (0..map.columns()).map(move |column| (row, column)));
        let cells: Vec<Position> = cells.collect();
        let unknown: Vec<Position> =
            cells.iter().copied().filter(|&(row, column)| map.get(row, column) == Cell::Unknown).collect();
        let given = map.count(Cell::Trap);
        // Each number as a mask over the unknown cells, found by asking what one trap does to an answer.
        let numbers: Vec<(u32, u32)> = cells
            .iter()
            .filter_map(|&(row, column)| match map.get(row, column) {
                Cell::Number(number) => Some(((row, column), u32::from(number))),
                _ => None,
            })
            .map(|(number, need)| {
                let counts = |cell: Position| counts(map, neighbourhood, number, cell);
                let mask = unknown.iter().enumerate().filter(|&(_, &cell)| counts(cell)).map(|(at, _)| 1 << at).sum();
                let traps = cells.iter().filter(|&&(row, column)| map.get(row, column) == Cell::Trap);
                (mask, need.wrapping_sub(traps.filter(|&&cell| counts(cell)).count() as u32))
            })
            .collect();
        let mut by_total = BTreeMap::new();
        for bits in 0..1_u32 << unknown.len() {
            if numbers.iter().all(|&(mask, need)| (bits & mask).count_ones() == need) {
                let total = given + bits.count_ones() as usize;
                let (count, traps) = by_total.entry(total).or_insert_with(|| (0, vec![0; unknown.len()]));
                *count += 1;
                traps.iter_mut().enumerate().for_each(|(at, traps)| *traps += u64::from(bits >> at & 1));
            }
        }
        Self { unknown, by_total }
    }

    /// All answers with this total: how many, and of each unknown cell how many it is a trap in.
    fn with(&self, total: Option<usize>) -> (u64, Vec<u64>) {
        let mut sum = (0, vec![0; self.unknown.len()]);
        for (_, (count, traps)) in self.by_total.iter().filter(|&(&other, _)| total.is_none_or(|total| total == other))
        {
            sum.0 += count;
            sum.1.iter_mut().zip(traps).for_each(|(sum, traps)| *sum += traps);
        }
        sum
    }
}

/// True if a number counts a cell, by the verifier: with that cell as the only trap, is there one around the number?
fn counts(map: &GemMap, neighbourhood: &Neighbourhood, number: Position, cell: Position) -> bool {
    let (mut board, mut answer) = (GemMap::new(map.rows(), map.columns()), GemMap::new(map.rows(), map.columns()));
    for (row, column) in (0..map.rows()).flat_map(|row| (0..map.columns()).map(move |column| (row, column))) {
        answer.set(row, column, if (row, column) == cell { Cell::Trap } else { Cell::Gem });
    }
    board.set(number.0, number.1, Cell::Number(0));
    answer.set(number.0, number.1, Cell::Number(0));
    number != cell
        && !GemHunterEncoder::new(board).neighbourhood(neighbourhood.clone()).verify(&answer).unwrap().is_empty()
}

fn encoder(map: &GemMap, neighbourhood: &Neighbourhood, total: Option<usize>) -> GemHunterEncoder {
    let encoder = GemHunterEncoder::new(map.clone()).neighbourhood(neighbourhood.clone());
    match total {
        Some(total) => encoder.traps(total),
        None => encoder,
    }
}

fn close(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-9 * expected.max(f64::MIN_POSITIVE)
}

/// Every question whose answer depends on the total.
fn check(map: &GemMap, neighbourhood: &Neighbourhood) -> Result<(), TestCaseError> {
    let tried = Tried::new(map, neighbourhood);
    let totals = encoder(map, neighbourhood, None).trap_totals().unwrap();
    let possible: Vec<usize> = tried.by_total.keys().copied().collect();
    prop_assert_eq!(totals.is_some(), !possible.is_empty());
    if let Some(totals) = totals {
        prop_assert_eq!(totals.ranges().flatten().collect::<Vec<_>>(), possible.clone());
        prop_assert_eq!((totals.min(), totals.max()), (possible[0], possible[possible.len() - 1]));
        for total in 0..map.cells().len() + 2 {
            let below = possible.iter().copied().rfind(|&other| other <= total);
            let above = possible.iter().copied().find(|&other| other >= total);
            prop_assert_eq!(totals.nearest(total), (below, above));
            prop_assert_eq!(totals.contains(total), possible.contains(&total));
        }
    }
    let asked = std::iter::once(None).chain((0..=map.cells().len() + 1).map(Some));
    for total in asked {
        let (count, traps) = tried.with(total);
        let encoder = encoder(map, neighbourhood, total);
        let answer = encoder.solve().unwrap();
        prop_assert_eq!(answer.is_some(), count > 0, "total {:?}", total);
        if let Some(answer) = answer {
            prop_assert_eq!(encoder.verify(&answer).unwrap(), []);
        }
        for limit in [1, 3, usize::MAX] {
            prop_assert_eq!(encoder.count(limit).unwrap(), limit.min(count as usize), "total {:?}", total);
        }
        prop_assert_eq!(encoder.is_unique().unwrap(), count == 1);
        let probabilities = encoder.probabilities().unwrap();
        prop_assert_eq!(probabilities.is_some(), count > 0);
        let Some(probabilities) = probabilities else { continue };
        prop_assert!((probabilities.log10_count() - (count as f64).log10()).abs() < 1e-9);
        let deduction = encoder.deduce().unwrap().unwrap();
        prop_assert!(deduction.is_complete());
        for (&(row, column), &traps) in tried.unknown.iter().zip(&traps) {
            let chance = probabilities.get(row, column);
            prop_assert!(close(chance, traps as f64 / count as f64), "{chance} is {traps} / {count}");
            prop_assert_eq!(chance == 0.0, traps == 0, "zero is certain");
            let kind = deduction.get(row, column);
            prop_assert_eq!(kind == Kind::Gem, traps == 0, "total {:?} ({}, {})", total, row, column);
            prop_assert_eq!(kind == Kind::Trap, traps == count, "total {:?} ({}, {})", total, row, column);
        }
        let best = probabilities.best_move();
        prop_assert_eq!(best.is_some(), !tried.unknown.is_empty());
        if let Some(best) = best {
            let at = tried.unknown.iter().position(|&cell| cell == best).unwrap();
            prop_assert_eq!(traps[at], *traps.iter().min().unwrap());
        }
    }
    Ok(())
}

prop_compose! {
    /// Boards up to 5 × 5 with up to 16 unknown cells: numbers mostly of a planted answer, a few of them off by one.
    fn small_board()(rows in 1_usize..=5, columns in 1_usize..=5)
        (traps in prop::collection::vec(prop::bool::weighted(0.35), rows * columns),
         show in prop::collection::vec(0_u8..12, rows * columns),
         noise in prop::collection::vec(0_u8..60, rows * columns),
         around in prop::sample::select(neighbourhoods()),
         columns in Just(columns), rows in Just(rows)) -> (Neighbourhood, GemMap) {
        let mut map = GemMap::new(rows, columns);
        let mut unknown = 0;
        let position = |at: usize| (at / columns, at % columns);
        for at in 0..rows * columns {
            let (row, column) = position(at);
            let is_open = traps[at] || show[at] < 5;
            if show[at] == 11 || (is_open && unknown == 16) {
                map.set(row, column, if traps[at] { Cell::Trap } else { Cell::Gem });
            } else if is_open {
                unknown += 1;
            } else {
                let is_counted = |&other: &usize| traps[other] && counts(&map, &around, (row, column), position(other));
                let count = (0..rows * columns).filter(is_counted);
                map.set(row, column, Cell::Number(count.count() as u8 + u8::from(noise[at] == 0)));
            }
        }
        (around, map)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    #[test]
    fn totals_and_chances_are_those_of_all_assignments((around, map) in small_board()) {
        check(&map, &around)?;
    }

    /// Every answer with a total once, also in the order of a listing that starts in the middle.
    #[test]
    fn answers_with_a_total_are_listed_once((around, map) in small_board()) {
        let totals = encoder(&map, &around, None).trap_totals().unwrap();
        for total in totals.iter().flat_map(|totals| totals.ranges().flatten()) {
            let encoder = encoder(&map, &around, Some(total));
            let listed: Vec<GemMap> = encoder.solutions().map(Result::unwrap).collect();
            let distinct: HashSet<&GemMap> = listed.iter().collect();
            prop_assert_eq!(distinct.len(), listed.len());
            prop_assert_eq!(listed.len(), encoder.count(usize::MAX).unwrap());
            for answer in &listed {
                prop_assert_eq!(encoder.verify(answer).unwrap(), []);
            }
        }
    }

    /// Boards too large to try all assignments: the formula with the total counted by an encoding says the same.
    #[test]
    fn the_formula_agrees(
        seed in any::<u64>(),
        rows in 4_usize..8,
        columns in 4_usize..9,
        dense in any::<bool>(),
        off in 0_usize..5,
    ) {
        let (density, shown) = if dense { (0.35, 0.4) } else { (0.2, 0.5) };
        let (map, truth) = gem_hunter::plant(rows, columns, density, shown, seed);
        let total = (truth.count(Cell::Trap) + off).saturating_sub(2);
        let encoder = GemHunterEncoder::new(map.clone()).traps(total);
        let by_formula = encoder.clone().strategy(GemStrategy::Whole);
        prop_assert_eq!(encoder.solve().unwrap().is_some(), by_formula.solve().unwrap().is_some());
        prop_assert_eq!(encoder.deduce().unwrap(), by_formula.deduce().unwrap());
        prop_assert_eq!(encoder.count(COUNTED).unwrap(), by_formula.count(COUNTED).unwrap());
    }
}

/// The chances of every cell add up to the total, and certain cells are those of the deduction.
#[test]
fn chances_add_up_on_large_boards() {
    for (rows, columns, density, shown) in
        [(16, 30, 0.2, 0.5), (60, 60, 0.2, 0.5), (16, 30, 0.35, 0.4), (9, 300, 0.3, 0.3)]
    {
        let (map, truth) = gem_hunter::plant(rows, columns, density, shown, 11);
        let totals = GemHunterEncoder::new(map.clone()).trap_totals().unwrap().unwrap();
        let (min, max, planted) = (totals.min(), totals.max(), truth.count(Cell::Trap));
        assert!(totals.contains(planted));
        for total in [min, min + 1, planted, max - 1, max] {
            let encoder = GemHunterEncoder::new(map.clone()).traps(total);
            if !totals.contains(total) {
                assert_eq!(encoder.solve().unwrap(), None);
                continue;
            }
            let answer = encoder.solve().unwrap().unwrap();
            assert_eq!(encoder.verify(&answer).unwrap(), []);
            let probabilities = encoder.probabilities().unwrap().unwrap();
            let deduction = encoder.deduce().unwrap().unwrap();
            let mut sum = 0.0;
            for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
                let chance = probabilities.get(row, column);
                sum += chance;
                match deduction.get(row, column) {
                    Kind::Trap => assert!(close(chance, 1.0)),
                    Kind::Gem | Kind::Number => assert!(chance == 0.0),
                    _ => assert!((0.0..1.0).contains(&chance)),
                }
            }
            assert!(close(sum, total as f64), "{sum} traps of {total}");
        }
        for total in [min.wrapping_sub(1), max + 1] {
            assert_eq!(GemHunterEncoder::new(map.clone()).traps(total).solve().unwrap(), None);
            assert_eq!(GemHunterEncoder::new(map.clone()).traps(total).count(5).unwrap(), 0);
        }
    }
}

#[test]
fn counts_of_free_cells_are_binomials() {
    let encoder = |total| GemHunterEncoder::new(GemMap::new(10, 10)).traps(total);
    assert_eq!(encoder(2).count(usize::MAX).unwrap(), 4950);
    assert_eq!(encoder(98).count(usize::MAX).unwrap(), 4950);
    assert_eq!(encoder(11).count(usize::MAX).unwrap(), 141_629_804_643_600);
    assert_eq!(encoder(50).count(usize::MAX).unwrap(), usize::MAX, "C(100, 50) is above 2^64");
    let half = encoder(50).probabilities().unwrap().unwrap();
    assert!(close(half.get(3, 3), 0.5));
    // log10 C(100, 50)
    assert!((half.log10_count() - 29.003_853_9).abs() < 1e-6, "{}", half.log10_count());
}

/// Who counts whom as a graph: two cells in a row that count each other, each pair with these columns.
fn pairs(row: usize, columns: &[(usize, usize)]) -> impl Iterator<Item = [Position; 2]> {
    columns.iter().map(move |&(a, b)| [(row, a), (row, b)])
}

#[test]
fn totals_may_have_gaps() {
    let totals = |encoder: &GemHunterEncoder| -> Vec<_> { encoder.trap_totals().unwrap().unwrap().ranges().collect() };
    // Traps and gems by turns.
    let map: GemMap = "_ 1 _ 1 _ 1 _".parse().unwrap();
    let chain = Neighbourhood::graph(pairs(0, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6)]));
    assert_eq!(totals(&GemHunterEncoder::new(map).neighbourhood(chain)), [2..=2]);
    // In each row the first cell is a trap, or else the four others: one trap or four.
    let map: GemMap = "_ 1 _ 1 _ 1 _ 1 _\n".repeat(2).parse().unwrap();
    let star = [(0, 1), (1, 2), (0, 3), (3, 4), (0, 5), (5, 6), (0, 7), (7, 8)];
    let stars = Neighbourhood::graph(pairs(0, &star).chain(pairs(1, &star)));
    let encoder = GemHunterEncoder::new(map).neighbourhood(stars);
    assert_eq!(totals(&encoder), [2..=2, 5..=5, 8..=8]);
    let found = encoder.trap_totals().unwrap().unwrap();
    assert_eq!((found.nearest(4), found.nearest(9)), ((Some(2), Some(5)), (Some(8), None)));
    assert_eq!(encoder.clone().traps(4).solve().unwrap(), None);
    assert_eq!(encoder.clone().traps(5).count(100).unwrap(), 2);
    assert!(encoder.traps(8).is_unique().unwrap());
}

/// A limit, never a hang: a part as wide as the board is long.
#[test]
fn what_is_too_entangled_is_refused() {
    let (map, truth) = gem_hunter::plant(150, 150, 0.35, 0.4, 1);
    let start = Instant::now();
    let encoder = GemHunterEncoder::new(map).traps(truth.count(Cell::Trap));
    for error in [encoder.probabilities().unwrap_err(), encoder.count(1).unwrap_err(), encoder.deduce().unwrap_err()] {
        assert!(matches!(error, GemError::Entangled { cells: 1000.., .. }), "{error}");
    }
    // An answer is found all the same where windows lead to one; that there is none cannot be proven.
    let planted = truth.count(Cell::Trap);
    for total in [planted - 60, planted, planted + 60] {
        let encoder = encoder.clone().traps(total);
        let answer = encoder.solve().unwrap().unwrap();
        assert_eq!(encoder.verify(&answer).unwrap(), [], "{total}");
    }
    assert!(matches!(encoder.traps(5000).solve(), Err(GemError::Entangled { .. })));
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn a_cancelled_question_is_interrupted() {
    let (map, truth) = gem_hunter::plant(40, 40, 0.2, 0.5, 1);
    let encoder = GemHunterEncoder::new(map)
        .traps(truth.count(Cell::Trap))
        .limits(Limits::none().cancel(Arc::new(AtomicBool::new(true))));
    let interrupted = |error: GemError| matches!(error, GemError::Solve(SolveError::Interrupted(_)));
    assert!(interrupted(encoder.probabilities().unwrap_err()));
    assert!(interrupted(encoder.trap_totals().unwrap_err()));
    assert!(interrupted(encoder.solve().unwrap_err()));
    assert!(interrupted(encoder.count(9).unwrap_err()));
    assert!(interrupted(encoder.explain().unwrap_err()));
}

/// A hole is no cell: neither a trap nor counted, in every question, and an answer must leave it as it is.
#[test]
fn a_hole_has_no_influence() {
    let map: GemMap = "_, #, 1\n#, 2, _\n_, #, #\n".parse().unwrap();
    assert_eq!(map.to_string(), "_, #, 1\n#, 2, _\n_, #, #\n");
    assert_eq!((map.get(0, 1), map.count(Cell::Hole)), (Cell::Hole, 4));
    let encoder = GemHunterEncoder::new(map);
    assert_eq!(encoder.count(usize::MAX).unwrap(), 2);
    let answer = encoder.solve().unwrap().unwrap();
    assert_eq!(encoder.verify(&answer).unwrap(), []);
    assert_eq!((answer.count(Cell::Hole), answer.get(1, 2)), (4, Cell::Trap));
    let deduction = encoder.deduce().unwrap().unwrap();
    assert_eq!(
        (deduction.get(0, 1), deduction.get(1, 2), deduction.get(0, 0)),
        (Kind::Number, Kind::Trap, Kind::Undecided)
    );
    let probabilities = encoder.probabilities().unwrap().unwrap();
    assert!(probabilities.get(0, 1) == 0.0 && close(probabilities.get(2, 0), 0.5));
    assert_eq!(encoder.var(0, 1), None);
    let wrong = encoder.verify(&"T, G, 1\n#, 2, T\nG, #, #".parse().unwrap()).unwrap();
    assert_eq!(wrong[0].to_string(), "row 1, column 2: the board shows #, the answer G");
}
