//! Gem Hunter: answers, formulas and explanations against brute force over all assignments.
#![cfg(all(feature = "any-solver", feature = "gem-hunter"))]

use std::collections::BTreeSet;

use cnfkit::gem_hunter::{Redundancy, Strategy as GemStrategy};
use cnfkit::{CardEncoding, Cell, GemHunterEncoder, GemMap};
use proptest::prelude::*;

const COURSE: &str = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n";

fn parse(text: &str) -> GemMap {
    text.parse().unwrap()
}

fn around(map: &GemMap, row: usize, column: usize) -> impl Iterator<Item = (usize, usize)> {
    let (rows, columns) = (row.saturating_sub(1)..=row + 1, column.saturating_sub(1)..=column + 1);
    let (all_rows, all_columns) = (map.rows(), map.columns());
    rows.flat_map(move |r| columns.clone().map(move |c| (r, c)))
        .filter(move |&(r, c)| (r, c) != (row, column) && r < all_rows && c < all_columns)
}

fn cells(map: &GemMap) -> impl Iterator<Item = (usize, usize)> + '_ {
    (0..map.rows()).flat_map(|row| (0..map.columns()).map(move |column| (row, column)))
}

/// True if the numbers in `of` are right on a board without unknown cells.
fn holds(map: &GemMap, of: &[(usize, usize)]) -> bool {
    of.iter().all(|&(row, column)| {
        let traps = around(map, row, column).filter(|&(r, c)| map.get(r, c) == Cell::Trap).count();
        map.get(row, column) == Cell::Number(traps as u8)
    })
}

fn numbers(map: &GemMap) -> Vec<(usize, usize)> {
    cells(map).filter(|&(row, column)| matches!(map.get(row, column), Cell::Number(_))).collect()
}

/// All boards that agree with `map` on what is known and with the numbers in `of`.
fn brute_force(map: &GemMap, of: &[(usize, usize)]) -> Vec<GemMap> {
    let unknown: Vec<_> = cells(map).filter(|&(row, column)| map.get(row, column) == Cell::Unknown).collect();
    (0..1u32 << unknown.len())
        .map(|bits| {
            let mut answer = map.clone();
            for (index, &(row, column)) in unknown.iter().enumerate() {
                answer.set(row, column, if bits >> index & 1 == 1 { Cell::Trap } else { Cell::Gem });
            }
            answer
        })
        .filter(|answer| holds(answer, of))
        .collect()
}

fn encode(map: &GemMap, redundancy: Redundancy) -> cnfkit::Cnf {
    GemHunterEncoder::new(map.clone()).redundancy(redundancy).encode().unwrap()
}

#[test]
fn the_course_board_has_the_answer_of_the_course() {
    let encoder = GemHunterEncoder::new(parse(COURSE));
    let answer = encoder.solve().unwrap().unwrap();
    assert_eq!(answer.to_string(), "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G\n");
    assert_eq!(encoder.solve_with(cnfkit::solvers::DefaultSolver::default()).unwrap(), Some(answer));
    assert_eq!(encoder.explain().unwrap(), None);
}

#[test]
fn the_course_board_has_33_clauses_of_which_27_are_distinct() {
    assert_eq!(encode(&parse(COURSE), Redundancy::Keep).n_clauses(), 33);
    let cnf = encode(&parse(COURSE), Redundancy::NoDuplicates);
    assert_eq!(cnf.n_clauses(), 27);
    assert_eq!(cnf.n_vars(), 12, "cells keep their places, numbers leave gaps");
    assert_eq!(GemHunterEncoder::new(parse(COURSE)).encode().unwrap(), cnf, "the default, and the same each time");
}

#[test]
fn variables_are_numbered_by_row_and_column() {
    let encoder = GemHunterEncoder::new(parse(COURSE));
    let dimacs = |row, column| encoder.var(row, column).map(cnfkit::Lit::to_ipasir);
    assert_eq!([dimacs(0, 1), dimacs(1, 0), dimacs(2, 3)], [Some(2), Some(5), Some(12)]);
    assert_eq!([dimacs(0, 0), dimacs(0, 4), dimacs(3, 0), dimacs(usize::MAX, 1)], [None; 4]);
}

#[test]
fn the_worked_examples_of_the_combinatorial_encoding() {
    // Three unknown cells around a number: at most one, at least two.
    let cnf = encode(&parse("_, _\n1, _"), Redundancy::Keep);
    let text: Vec<String> = cnf.to_string().lines().skip(1).map(String::from).collect();
    assert_eq!(text, ["-1 -2 0", "-1 -4 0", "-2 -4 0", "1 2 4 0"]);
    let cnf = encode(&parse("_, _\n2, _"), Redundancy::Keep);
    let text: Vec<String> = cnf.to_string().lines().skip(1).map(String::from).collect();
    assert_eq!(text, ["-1 -2 -4 0", "1 2 0", "1 4 0", "2 4 0"]);
}

#[test]
fn a_number_out_of_reach_makes_the_board_unsolvable_and_is_named() {
    for (text, named) in [("3, _\n_, 1", (0, 0)), ("0, T", (0, 0)), ("G, 4, _\n_, T, G", (0, 1)), ("1", (0, 0))] {
        let encoder = GemHunterEncoder::new(parse(text));
        assert_eq!(encoder.solve().unwrap(), None, "{text:?}");
        assert_eq!(encoder.explain().unwrap(), Some(vec![named]), "{text:?}");
        assert_eq!(encoder.impossible_numbers().unwrap(), [named], "{text:?}");
        assert_eq!(encoder.encode().unwrap().clauses().filter(|clause| clause.is_empty()).count(), 1);
    }
    for text in ["0, T", "3, _\n_, 1"] {
        let keep = GemHunterEncoder::new(parse(text)).redundancy(Redundancy::Keep).strategy(GemStrategy::Whole);
        assert_eq!(keep.solve().unwrap(), None, "{text:?}");
    }
    let several = GemHunterEncoder::new(parse("0, T, 0"));
    assert_eq!(several.impossible_numbers().unwrap(), [(0, 0), (0, 2)]);
    assert_eq!(several.encode().unwrap().n_clauses(), 1, "the empty clause, once");
}

#[test]
fn given_cells_count() {
    let solve = |text| GemHunterEncoder::new(parse(text)).solve().unwrap().map(|answer| answer.to_string());
    assert_eq!(solve("2, T\n_, G").as_deref(), Some("2, T\nT, G\n"));
    assert_eq!(solve("1, T\n_, _").as_deref(), Some("1, T\nG, G\n"));
    assert_eq!(solve("0, _, _").as_deref(), Some("0, G, G\n"));
    assert_eq!(solve("T, G").as_deref(), Some("T, G\n"));
}

#[test]
fn numbers_beyond_all_neighbours_are_no_panic() {
    let mut map = GemMap::new(2, 2);
    map.set(0, 0, Cell::Number(255));
    let encoder = GemHunterEncoder::new(map);
    assert_eq!(encoder.solve().unwrap(), None);
    assert_eq!(encoder.explain().unwrap(), Some(vec![(0, 0)]));
    let empty = GemHunterEncoder::new(GemMap::new(0, 5));
    assert_eq!(empty.solve().unwrap(), Some(GemMap::new(0, 5)));
    assert_eq!(empty.explain().unwrap(), None);
}

prop_compose! {
    /// Boards up to 4×4: numbers mostly from a planted answer, some of them off by a little, some cells given.
    pub fn small_map()(rows in 1usize..=4, columns in 1usize..=4)
        (traps in prop::collection::vec(prop::bool::weighted(0.35), rows * columns),
         show in prop::collection::vec(0u8..10, rows * columns),
         noise in prop::collection::vec(0u8..40, rows * columns),
         columns in Just(columns), rows in Just(rows)) -> GemMap {
        let mut truth = GemMap::new(rows, columns);
        for (index, &trap) in traps.iter().enumerate() {
            truth.set(index / columns, index % columns, if trap { Cell::Trap } else { Cell::Gem });
        }
        let mut map = GemMap::new(rows, columns);
        for (index, (&show, &noise)) in show.iter().zip(&noise).enumerate() {
            let (row, column) = (index / columns, index % columns);
            let count = around(&truth, row, column).filter(|&(r, c)| truth.get(r, c) == Cell::Trap).count() as u8;
            let cell = match show {
                0..5 => Cell::Unknown,
                5 => truth.get(row, column),
                _ if traps[index] => Cell::Unknown,
                _ if noise == 0 => Cell::Number(count + 1),
                _ => Cell::Number(count),
            };
            map.set(row, column, cell);
        }
        map
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn an_answer_is_found_exactly_when_there_is_one(map in small_map()) {
        let all = brute_force(&map, &numbers(&map));
        match GemHunterEncoder::new(map).solve().unwrap() {
            Some(answer) => prop_assert!(all.contains(&answer)),
            None => prop_assert!(all.is_empty()),
        }
    }

    #[test]
    fn an_explanation_is_a_minimal_contradiction(map in small_map()) {
        let solvable = !brute_force(&map, &numbers(&map)).is_empty();
        match GemHunterEncoder::new(map.clone()).explain().unwrap() {
            None => prop_assert!(solvable),
            Some(named) => {
                prop_assert!(brute_force(&map, &named).is_empty());
                for without in 0..named.len() {
                    let mut rest = named.clone();
                    rest.remove(without);
                    prop_assert!(!brute_force(&map, &rest).is_empty(), "{:?} is not needed", named[without]);
                }
            }
        }
    }

    #[test]
    fn a_formula_without_redundancy_says_the_same_in_fewer_clauses(map in small_map()) {
        let as_sets = |redundancy| -> Vec<BTreeSet<i32>> {
            let formula = encode(&map, redundancy);
            formula.clauses().map(|clause| clause.iter().map(|lit| lit.to_ipasir()).collect()).collect()
        };
        let [raw, distinct, irredundant] =
            [Redundancy::Keep, Redundancy::NoDuplicates, Redundancy::NoSubsumed].map(as_sets);
        let set: BTreeSet<_> = raw.iter().cloned().collect();
        prop_assert_eq!(distinct.len(), set.len(), "each clause once");
        prop_assert_eq!(&distinct.iter().cloned().collect::<BTreeSet<_>>(), &set);
        let is_minimal = |clause: &&BTreeSet<i32>| !set.iter().any(|other| other != *clause && other.is_subset(clause));
        let minimal: BTreeSet<_> = set.iter().filter(is_minimal).cloned().collect();
        prop_assert_eq!(irredundant.len(), minimal.len());
        prop_assert_eq!(irredundant.into_iter().collect::<BTreeSet<_>>(), minimal);
    }

    #[test]
    fn the_filter_of_other_encodings_drops_only_repeated_clauses(map in small_map()) {
        let encode = |redundancy| {
            let encoder = GemHunterEncoder::new(map.clone()).encoding(CardEncoding::Auto).redundancy(redundancy);
            encoder.encode().unwrap()
        };
        let set = |cnf: &cnfkit::Cnf| -> BTreeSet<Vec<i32>> {
            cnf.clauses().map(|clause| clause.iter().map(|lit| lit.to_ipasir()).collect()).collect()
        };
        let (raw, distinct) = (encode(Redundancy::Keep), encode(Redundancy::NoDuplicates));
        prop_assert_eq!(distinct.n_clauses(), set(&distinct).len());
        prop_assert_eq!(raw.solve().unwrap().is_some(), distinct.solve().unwrap().is_some());
    }
}
