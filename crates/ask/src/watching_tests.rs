//! Counts and sums that are watched beside those that are encoded, and brute force.

use crate::{Ask, Problem, Questions, Strategy};
use cnfkit_core::internals::{Choices, Oracle, Patience, Random, Session};
use cnfkit_core::{CardEncoding, ClauseSink, Constrain, Formula, PbEncoding, PbRelation, Relation, Sum};
use rustsat::types::Lit;

const VARS: usize = 10;

/// Looks at costs soon: formulas of tests are small.
const HURRIED: Patience = Patience { pause: 3, times: 1 };

/// Hundredths of a second of processor time that this thread has taken.
#[cfg(target_os = "linux")]
fn ticks() -> u64 {
    let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
    let (_, fields) = stat.rsplit_once(')').unwrap();
    fields.split_whitespace().skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap()).sum()
}

/// Numbers from 1 to n² in a square whose rows, columns and diagonals come to the same.
fn magic_square(n: usize) -> Formula {
    let mut formula = Formula::new();
    let x = formula.new_lits(n.pow(4));
    let at = |row: usize, col: usize| &x[(row * n + col) * n * n..][..n * n];
    for cell in 0..n * n {
        formula.exactly_one(at(cell / n, cell % n), cnfkit_core::AmoEncoding::Auto).unwrap();
        let value: Vec<Lit> = (0..n * n).map(|other| at(other / n, other % n)[cell]).collect();
        formula.exactly_one(&value, cnfkit_core::AmoEncoding::Auto).unwrap();
    }
    let mut line = |cells: &mut dyn Iterator<Item = (usize, usize)>| {
        let terms: Vec<(Lit, u64)> = cells.flat_map(|(row, col)| at(row, col).iter().copied().zip(1..)).collect();
        formula.pb_exactly(&terms, (n * (n * n + 1) / 2) as u64, PbEncoding::Auto).unwrap();
    };
    (0..n).for_each(|row| line(&mut (0..n).map(|col| (row, col))));
    (0..n).for_each(|col| line(&mut (0..n).map(|row| (row, col))));
    line(&mut (0..n).map(|at| (at, at)));
    line(&mut (0..n).map(|at| (at, n - 1 - at)));
    formula
}

/// At least `least` points of a grid, no four of which are the corners of an upright square.
fn square_free(n: usize, least: usize) -> Formula {
    let mut formula = Formula::new();
    let x = formula.new_lits(n * n);
    for (row, col, side) in (0..n * n * n).map(|at| (at / n / n, at / n % n, at % n)) {
        if side > 0 && row + side < n && col + side < n {
            let corners = [(row, col), (row + side, col), (row, col + side), (row + side, col + side)];
            formula.add_clause(&corners.map(|(row, col)| !x[row * n + col])).unwrap();
        }
    }
    formula.at_least(&x, least, CardEncoding::Auto).unwrap();
    formula
}

/// Sums of random weights, at least half, and one that is at most so much of all.
fn covering(n: usize, rows: usize, percent: u64, seed: u64) -> Formula {
    let mut random = Random::new(seed);
    let mut formula = Formula::new();
    let x = formula.new_lits(n);
    let mut sum = |share: usize| -> Vec<(Lit, u64)> {
        let taken: Vec<Lit> = x.iter().copied().filter(|_| random.below(100) < share).collect();
        taken.into_iter().map(|lit| (lit, 1 + random.below(50) as u64)).collect()
    };
    for _ in 0..rows {
        let terms = sum(40);
        let total: u64 = terms.iter().map(|&(_, weight)| weight).sum();
        formula.pb_at_least(&terms, total / 2, PbEncoding::Auto).unwrap();
    }
    let terms = sum(100);
    let total: u64 = terms.iter().map(|&(_, weight)| weight).sum();
    formula.pb_at_most(&terms, total * percent / 100, PbEncoding::Auto).unwrap();
    formula
}

/// Searches with nine orders of the variables: those that were answered, the geometric mean of conflicts, where a
/// search without an answer has 30,000, and processor time together.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "prints a table; takes some minutes"]
fn conflicts_and_time_by_way() {
    const LIMIT: u64 = 30_000;
    let families: Vec<(String, Formula)> = vec![
        ("magic square 4".into(), magic_square(4)),
        ("magic square 6".into(), magic_square(6)),
        ("square-free 6, 25".into(), square_free(6, 25)),
        ("square-free 6, 26".into(), square_free(6, 26)),
        ("square-free 7, 32".into(), square_free(7, 32)),
        ("covering 30, 38 %".into(), covering(30, 20, 38, 1)),
        ("covering 30, 42 %".into(), covering(30, 20, 42, 2)),
        ("covering 40, 43 %".into(), covering(40, 30, 43, 3)),
        // Kept apart from what was looked at.
        ("magic square 5".into(), magic_square(5)),
        ("magic square 7".into(), magic_square(7)),
        ("square-free 7, 31".into(), square_free(7, 31)),
        ("square-free 7, 33".into(), square_free(7, 33)),
        ("covering 32, 40 %".into(), covering(32, 22, 40, 5)),
        ("covering 35, 41 %".into(), covering(35, 26, 41, 6)),
        ("covering 45, 44 %".into(), covering(45, 34, 44, 7)),
    ];
    println!("| instance | encoded | watched | only watched |\n|---|---|---|---|");
    for (name, formula) in &families {
        print!("| {name} |");
        let always = Patience { times: u64::MAX, ..Patience::default() };
        for watches in [None, Some(Patience::default()), Some(always)] {
            let (before, mut answered, mut logs) = (ticks(), 0, 0.0);
            for seed in 1..=9 {
                let mut session = Session::new(Choices { seed, watches, ..Choices::default() });
                formula.encode_into(&mut session).unwrap();
                let is_answered = session.ask(&[], LIMIT).unwrap().is_some();
                answered += u32::from(is_answered);
                let conflicts = if is_answered { session.n_conflicts().clamp(1, LIMIT) } else { LIMIT };
                logs += (conflicts as f64).ln();
            }
            let seconds = (ticks() - before) as f64 / 100.0;
            print!(" {answered}/9, {:.0}, {seconds:.2} s |", f64::exp(logs / 9.0));
        }
        println!();
    }
}

/// Counts and sums of 6 to 10 literals, some under a condition or reified, and clauses, by lot.
fn random_formula(random: &mut Random) -> Formula {
    let mut formula = Formula::with_vars(VARS);
    for _ in 0..=random.below(6) {
        let mut lits: Vec<Lit> = (0..VARS as u32).map(|var| Lit::new(var, random.below(2) == 0)).collect();
        for last in (1..VARS).rev() {
            lits.swap(last, random.below(last + 1));
        }
        let n = 6 + random.below(5);
        let cond: Vec<Lit> = lits.iter().copied().rev().take(random.below(3)).collect();
        lits.truncate(n);
        let k = 1 + random.below(n - 1);
        let relation = [Relation::AtMost, Relation::AtLeast, Relation::Exactly][random.below(3)];
        let terms: Vec<(Lit, u64)> = lits.iter().map(|&lit| (lit, 1 + random.below(12) as u64)).collect();
        let total: u64 = terms.iter().map(|&(_, weight)| weight).sum();
        let bound = 1 + random.below(total as usize - 1) as u64;
        let sum = [PbRelation::AtMost, PbRelation::AtLeast, PbRelation::Exactly][random.below(3)](bound);
        match random.below(6) {
            0 => formula.add_clause(&lits[..3]),
            1 => formula.cardinality(&lits, relation(k), CardEncoding::Auto),
            2 => formula.pb(&terms, sum, PbEncoding::Auto),
            3 => formula.when(&cond).cardinality(&lits, relation(k), CardEncoding::Auto),
            4 => formula.when(&cond).pb(&terms, sum, PbEncoding::Auto),
            _ => formula.iff_at_least(cond.first().copied().unwrap_or(lits[0]), &lits[1..], k, CardEncoding::Auto),
        }
        .unwrap();
    }
    let weights: Vec<i64> = (0..VARS).map(|_| random.below(40) as i64 - 12).collect();
    formula.set_objective((0..VARS as u32).map(Lit::positive).zip(weights));
    formula
}

/// Solutions, their number, what they share and the best of them are those that there are.
#[test]
fn answers_are_those_of_brute_force() {
    let mut random = Random::new(8);
    let (mut unsatisfiable, mut watched) = (0, 0);
    for _ in 0..150 {
        let formula = random_formula(&mut random);
        let is_true = |code: usize, lit: Lit| (code >> lit.vidx() & 1 == 1) == lit.is_pos();
        let satisfies = |code: &usize| {
            formula.clauses().all(|clause| clause.iter().any(|&lit| is_true(*code, lit)))
                && formula.constraints().all(|constraint| constraint.holds(|lit| is_true(*code, lit)))
        };
        let expected: Vec<usize> = (0..1 << VARS).filter(satisfies).collect();
        unsatisfiable += usize::from(expected.is_empty());
        let mut session = Session::new(Choices { watches: Some(HURRIED), ..Choices::default() });
        formula.encode_into(&mut session).unwrap();
        watched += usize::from(session.next_var().idx() == VARS && formula.constraints().len() > 0);
        let ask = Ask::new(&formula).watched_for(HURRIED);
        let code = |model: cnfkit_core::Assignment| -> usize {
            (0..VARS).filter(|&var| model.is_true(Lit::positive(var as u32))).map(|var| 1 << var).sum()
        };
        let mut found: Vec<usize> = ask.solutions().map(|model| code(model.unwrap())).collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{formula:?}");
        let shared = |var: usize| {
            let first = expected.first()? >> var & 1;
            expected.iter().all(|code| code >> var & 1 == first).then_some(first == 1)
        };
        let backbone = (!expected.is_empty()).then(|| (0..VARS).map(shared).collect::<Vec<_>>());
        assert_eq!(ask.backbone().unwrap(), backbone, "{formula:?}");
        let value = |code: &usize| -> i128 {
            let of = formula.objective().iter().filter(|(lit, _)| is_true(*code, *lit));
            of.map(|&(_, weight)| i128::from(weight)).sum()
        };
        for strategy in [Strategy::Auto, Strategy::SolutionImproving, Strategy::CoreGuided] {
            let best = formula.ask().strategy(strategy).watched_for(HURRIED).minimum().unwrap();
            assert_eq!(best.map(|best| best.value), expected.iter().map(value).min(), "{strategy:?}: {formula:?}");
        }
    }
    assert!((10..130).contains(&unsatisfiable) && watched > 50, "{unsatisfiable} {watched}");
}

/// Constraints by lot as parts: what contradicts is one, without any of which there is a solution.
#[test]
fn cores_are_minimal() {
    struct Parts(Vec<Formula>);
    impl Problem for Parts {
        type Solution = ();
        fn n_vars(&self) -> usize {
            VARS
        }
        fn rules<S: ClauseSink>(&self, _: &mut S) -> Result<(), S::Error> {
            Ok(())
        }
        fn n_parts(&self) -> usize {
            self.0.len()
        }
        fn part<S: ClauseSink>(&self, part: usize, sink: &mut S) -> Result<(), S::Error> {
            let formula = &self.0[part];
            formula.clauses().try_for_each(|clause| sink.add_clause(clause))?;
            formula.constraints().try_for_each(|constraint| match constraint.sum {
                Sum::Count { .. } => sink.post(&constraint, CardEncoding::Auto),
                Sum::Weights { .. } | Sum::Parity { .. } => sink.post(&constraint, PbEncoding::Auto),
            })
        }
        fn decode(&self, _: impl Fn(Lit) -> bool) {}
    }
    let mut random = Random::new(3);
    let mut cores = 0;
    for _ in 0..80 {
        let parts = Parts((0..4).map(|_| random_formula(&mut random)).collect());
        let is_true = |code: usize, lit: Lit| (code >> lit.vidx() & 1 == 1) == lit.is_pos();
        let agree = |chosen: &[usize]| {
            (0..1_usize << VARS).any(|code| {
                chosen.iter().map(|&part| &parts.0[part]).all(|formula| {
                    formula.clauses().all(|clause| clause.iter().any(|&lit| is_true(code, lit)))
                        && formula.constraints().all(|constraint| constraint.holds(|lit| is_true(code, lit)))
                })
            })
        };
        let all: Vec<usize> = (0..4).collect();
        let expected = agree(&all);
        let core = Ask::new(&parts).watched_for(HURRIED).unsat_core().unwrap();
        assert_eq!(core.is_none(), expected);
        let Some(core) = core else { continue };
        cores += 1;
        assert!(!agree(&core));
        for &left_out in &core {
            let others: Vec<usize> = core.iter().copied().filter(|&part| part != left_out).collect();
            assert!(agree(&others), "{left_out} of {core:?}");
        }
    }
    assert!(cores > 20, "{cores}");
}

/// Pigeons in holes: explanations are many, so the holes are encoded; a question that needs none encodes nothing.
#[test]
fn what_is_explained_too_often_is_encoded() {
    let holes = |pigeons: usize, holes: usize| {
        let mut session = Session::new(Choices { watches: Some(HURRIED), ..Choices::default() });
        session.new_vars(pigeons * holes).unwrap();
        let x = |pigeon: usize, hole: usize| Lit::positive((pigeon * holes + hole) as u32);
        for pigeon in 0..pigeons {
            session.add_clause(&(0..holes).map(|hole| x(pigeon, hole)).collect::<Vec<_>>()).unwrap();
        }
        for hole in 0..holes {
            let all: Vec<Lit> = (0..pigeons).map(|pigeon| x(pigeon, hole)).collect();
            session.at_most(&all, 2, CardEncoding::Auto).unwrap();
        }
        session
    };
    let mut few = holes(6, 5);
    let clauses = few.n_clauses();
    assert!(few.solve(&[]).unwrap());
    assert_eq!((few.n_clauses(), few.next_var().idx()), (clauses, 30), "nothing is encoded");
    let mut many = holes(11, 5);
    assert!(!many.solve(&[]).unwrap());
    assert!(many.next_var().idx() > 55, "the holes are encoded");
}
