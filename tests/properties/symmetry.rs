//! Conflicts with and without symmetries, on families that have many.
//!
//! `cargo test --release -p cnfkit-properties --test symmetry -- --ignored --nocapture` prints all of them.

#![cfg(feature = "any-solver")]

use cnfkit::rustsat::solvers::{GetInternalStats, LimitConflicts, SolverResult};
use cnfkit::rustsat::types::Cl;
use cnfkit::solvers::{DefaultSolver, Solve};
use cnfkit::{AmoEncoding, CardEncoding, ClauseSink, Cnf, Constrain, Formula, Lit};

/// The answer, if there is one within so many conflicts, and how many there were.
fn answer(cnf: &Cnf, most: u32) -> (Option<bool>, usize) {
    let mut solver = DefaultSolver::default();
    cnf.clauses().for_each(|clause| solver.add_clause_ref(Cl::new(clause)).unwrap());
    solver.limit_conflicts(Some(most)).unwrap();
    let answer = match solver.solve().unwrap() {
        SolverResult::Interrupted => None,
        result => Some(result == SolverResult::Sat),
    };
    (answer, solver.conflicts())
}

fn matrix(formula: &mut Formula, rows: usize, columns: usize) -> Vec<Vec<Lit>> {
    (0..rows).map(|_| formula.new_lits(columns)).collect()
}

/// Pairs of numbers below `n`.
fn pairs(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(|a| (0..a).map(move |b| (a, b)))
}

/// Pigeons, one more than holes.
fn pigeons(holes: usize) -> Formula {
    let mut formula = Formula::new();
    let x = matrix(&mut formula, holes + 1, holes);
    x.iter().for_each(|row| formula.add_clause(row).unwrap());
    for (a, b) in pairs(holes + 1) {
        (0..holes).for_each(|hole| formula.add_clause(&[!x[a][hole], !x[b][hole]]).unwrap());
    }
    formula
}

/// Weeks in which golfers play in groups, no two of them twice together.
fn golfers(groups: usize, size: usize, weeks: usize) -> Formula {
    let mut formula = Formula::new();
    let n = groups * size;
    let x: Vec<Vec<Vec<Lit>>> = (0..weeks).map(|_| matrix(&mut formula, n, groups)).collect();
    for week in &x {
        week.iter().for_each(|player| formula.exactly_one(player, AmoEncoding::Auto).unwrap());
        for group in 0..groups {
            let players: Vec<Lit> = week.iter().map(|player| player[group]).collect();
            formula.exactly(&players, size, CardEncoding::Auto).unwrap();
        }
    }
    for (a, b) in pairs(n) {
        let met = formula.new_lits(weeks);
        for (week, &met) in x.iter().zip(&met) {
            (0..groups).for_each(|group| formula.add_clause(&[!week[a][group], !week[b][group], met]).unwrap());
        }
        formula.at_most_one(&met, AmoEncoding::Auto).unwrap();
    }
    formula
}

/// Blocks of `size` points that have each pair of points in one of them.
fn covering(points: usize, size: usize, blocks: usize) -> Formula {
    let mut formula = Formula::new();
    let x = matrix(&mut formula, blocks, points);
    x.iter().for_each(|block| formula.exactly(block, size, CardEncoding::Auto).unwrap());
    for (a, b) in pairs(points) {
        let here = formula.new_lits(blocks);
        for (block, &here) in x.iter().zip(&here) {
            formula.add_clause(&[!here, block[a]]).unwrap();
            formula.add_clause(&[!here, block[b]]).unwrap();
        }
        formula.add_clause(&here).unwrap();
    }
    formula
}

/// Triples of points that have no pair twice.
fn packing(points: usize, triples: usize) -> Formula {
    let mut formula = Formula::new();
    let x = matrix(&mut formula, triples, points);
    x.iter().for_each(|triple| formula.exactly(triple, 3, CardEncoding::Auto).unwrap());
    for (a, b) in pairs(points) {
        let both = formula.new_lits(triples);
        for (triple, &both) in x.iter().zip(&both) {
            formula.add_clause(&[!triple[a], !triple[b], both]).unwrap();
        }
        formula.at_most_one(&both, AmoEncoding::Auto).unwrap();
    }
    formula
}

/// Queens that attack every cell.
fn domination(side: usize, most: usize) -> Formula {
    let mut formula = Formula::new();
    let x = formula.new_lits(side * side);
    for a in 0..side * side {
        let attacks = |b: &usize| {
            let ((r, c), (s, d)) = ((a / side, a % side), (b / side, b % side));
            r == s || c == d || r.abs_diff(s) == c.abs_diff(d)
        };
        let near: Vec<Lit> = (0..side * side).filter(attacks).map(|b| x[b]).collect();
        formula.add_clause(&near).unwrap();
    }
    formula.at_most(&x, most, CardEncoding::Auto).unwrap();
    formula
}

/// Fewer conflicts than those that BatSat alone does not do with, and the known answers.
#[test]
fn what_has_no_solution_is_proven_within_few_conflicts() {
    for (formula, given, most) in
        [(pigeons(12), 5_000, 500), (golfers(3, 3, 5), 5_000, 500), (covering(7, 3, 6), 5_000, 1_000)]
    {
        assert_eq!(answer(&formula.encode().unwrap(), given).0, None);
        let broken = formula.break_symmetries().unwrap().into_formula();
        assert_eq!(answer(&broken.encode().unwrap(), most).0, Some(false));
    }
}

#[test]
fn what_has_a_solution_keeps_one() {
    for formula in [golfers(3, 3, 4), covering(6, 3, 6), covering(7, 3, 7), packing(7, 7), domination(7, 4)] {
        let broken = formula.break_symmetries().unwrap().into_formula();
        assert_eq!(answer(&broken.encode().unwrap(), 100_000).0, Some(true));
    }
}

#[test]
#[ignore = "prints a table; takes minutes"]
fn figures() {
    const MOST: u32 = 50_000;
    let golfers = [(4, 4, 4), (4, 4, 5), (4, 4, 6), (5, 3, 6), (3, 3, 5)]
        .map(|(groups, size, weeks)| (format!("golfers {groups}-{size}-{weeks}"), golfers(groups, size, weeks)));
    let coverings = [(6, 3, 5), (7, 3, 6), (7, 3, 7), (9, 4, 7), (9, 4, 8)].map(|(points, size, blocks)| {
        (format!("covering {points}-{size}-2 by {blocks}"), covering(points, size, blocks))
    });
    let packings = [(7, 7), (8, 9), (9, 12)].map(|(n, of)| (format!("packing {of} triples of {n}"), packing(n, of)));
    let pigeons = [8, 12, 20].map(|holes| (format!("pigeons, {holes} holes"), pigeons(holes)));
    let boards = [(8, 5), (9, 5)].map(|(side, most)| (format!("domination {side}, {most}"), domination(side, most)));
    println!("| instance | generators | clauses | with | conflicts | with |\n|---|---:|---:|---:|---:|---:|");
    for (name, formula) in golfers.into_iter().chain(coverings).chain(packings).chain(pigeons).chain(boards) {
        let all = [formula.encode().unwrap(), formula.break_symmetries().unwrap().formula().encode().unwrap()];
        let [given, broken] = all.each_ref().map(|cnf| match answer(cnf, MOST) {
            (None, _) => format!("more than {MOST}"),
            (Some(true), conflicts) => format!("{conflicts}, solved"),
            (Some(false), conflicts) => format!("{conflicts}, none"),
        });
        let [clauses, with] = all.map(|cnf| cnf.n_clauses());
        println!("| {name} | {} | {clauses} | {with} | {given} | {broken} |", formula.symmetries().len());
    }
}
