//! Systems of parities against every assignment.

use rustsat::types::Lit;

use super::ParityRows;
use super::dense::eliminate;
use crate::cnf::Cnf;
use crate::formula::go_on::unlimited;
use crate::random::Random;
use crate::sink::{ClauseSink, Tally};
use crate::{CardEncoding, Constrain, Formula, ParityCut, Size};

/// The number of models for each assignment of the first `inputs` variables: clauses are tried in order, auxiliaries
/// are decided by those before.
fn models(cnf: &Cnf, inputs: usize) -> Vec<usize> {
    let clauses: Vec<&[Lit]> = cnf.clauses().collect();
    (0..1 << inputs)
        .map(|values: usize| {
            let mut known: Vec<Option<bool>> = (0..inputs).map(|at| Some(values >> at & 1 == 1)).collect();
            known.resize(cnf.n_vars(), None);
            count(&clauses, &mut known)
        })
        .collect()
}

fn count(clauses: &[&[Lit]], known: &mut Vec<Option<bool>>) -> usize {
    let value = |known: &[Option<bool>], lit: Lit| known[lit.vidx()].map(|value| value != lit.is_neg());
    let is_false = |known: &[Option<bool>], clause: &[Lit]| clause.iter().all(|&lit| value(known, lit) == Some(false));
    if clauses.iter().any(|clause| is_false(known, clause)) {
        return 0;
    }
    let Some(free) = known.iter().position(Option::is_none) else { return 1 };
    let of = |value: bool, known: &mut Vec<Option<bool>>| {
        known[free] = Some(value);
        count(clauses, known)
    };
    let sum = of(false, known) + of(true, known);
    known[free] = None;
    sum
}

fn is_true(values: usize) -> impl Fn(Lit) -> bool {
    move |lit| (values >> lit.vidx() & 1 == 1) != lit.is_neg()
}

/// Random formulas, every assignment of whose variables has one model where it meets all that was said.
#[test]
fn systems_say_what_was_said() {
    let mut random = Random::new(7);
    for round in 0..1500 {
        let n = 2 + random.below(6);
        let mut lit = || Lit::new(random.below(n) as u32, random.below(2) == 1);
        let mut formula = Formula::with_vars(n);
        let mut all = Vec::new();
        for _ in 0..round % 9 {
            let lits: Vec<Lit> = (0..lit().vidx() + 2).map(|_| lit()).collect();
            let cond = if round % 4 == 3 { vec![lit()] } else { Vec::new() };
            let odd = lit().is_pos();
            formula.when(&cond).parity(&lits, odd).unwrap();
            all.push((cond, lits, odd));
        }
        if round % 5 == 4 {
            let unit = lit();
            formula.add_clause(&[unit]).unwrap();
            all.push((Vec::new(), vec![unit], true));
        }
        let order = [crate::Order::Formula, crate::Order::Variable, crate::Order::Given][round % 3];
        let formula = formula.order(order);
        let cnf = formula.encode().unwrap();
        let size = Size { vars: (cnf.n_vars() - n) as u64, ..cnf.size() };
        assert_eq!(formula.size(), size, "{all:?}");
        let holds = |values: usize| {
            all.iter().all(|(cond, lits, odd)| {
                let is_true = is_true(values);
                !cond.iter().all(|&lit| is_true(lit))
                    || (lits.iter().filter(|&&lit| is_true(lit)).count() % 2 == 1) == *odd
            })
        };
        for (values, found) in models(&cnf, n).into_iter().enumerate() {
            assert_eq!(found, usize::from(holds(values)), "{all:?} {values:b}\n{cnf}");
        }
        let mut sink = Tally::new(n);
        let Ok(()) = formula.encode_into(&mut sink);
        assert_eq!(sink.size(), size);
        let text = |write: &dyn Fn(&mut Vec<u8>)| {
            let mut text = Vec::new();
            write(&mut text);
            text
        };
        let opb = text(&|text| formula.write_opb(text).unwrap());
        let knf = text(&|text| formula.write_knf(text).unwrap());
        for read in [Formula::read_opb(&opb[..]).unwrap(), Formula::read_knf(&knf[..]).unwrap()] {
            assert!(read.lits().len() == n || n > formula.lits().len());
            let found = models(&read.encode().unwrap(), n);
            assert!(found.iter().enumerate().all(|(values, &found)| found == usize::from(holds(values))), "{all:?}");
        }
        let origins = formula.origins();
        assert!((0..cnf.n_clauses() as u64).all(|clause| origins.of(clause).is_some()), "{all:?}");
    }
}

/// A hundred parities over sixty variables, one of which contradicts the sum of others: refuted without a solver.
#[cfg(feature = "any-solver")]
#[test]
fn rank_finds_contradictions() {
    let mut random = Random::new(3);
    let mut formula = Formula::with_vars(60);
    let x = Tally::new(60).inputs();
    let solution: Vec<bool> = (0..60).map(|_| random.below(2) == 1).collect();
    let mut sums = Vec::new();
    for at in 0..100 {
        let mut lits = x.clone();
        random.shuffle(&mut lits);
        lits.truncate(if at < 40 { 5 } else { 30 });
        let odd = lits.iter().filter(|lit| solution[lit.vidx()]).count() % 2 == 1;
        sums.push((lits, odd));
    }
    sums.iter().for_each(|(lits, odd)| formula.parity(lits, *odd).unwrap());
    // All sixty values are known.
    assert_eq!((formula.size().clauses, formula.size().vars), (60, 0));
    assert!(formula.encode().unwrap().clauses().all(|unit| unit.len() == 1 && is_of(&solution, unit[0])));
    let (lits, odd) = &sums[99];
    formula.parity(lits, !odd).unwrap();
    assert!(formula.encode().unwrap().clauses().any(<[Lit]>::is_empty));
    assert!(formula.solve().unwrap().is_none());
}

fn is_of(solution: &[bool], lit: Lit) -> bool {
    solution[lit.vidx()] != lit.is_neg()
}

/// Equal and opposite literals, found as the sum of rows that have more.
#[test]
fn pairs_are_found() {
    let mut formula = Formula::with_vars(6);
    let x = Tally::new(6).inputs();
    formula.parity(&x[..4], true).unwrap();
    formula.parity([x[2], x[3], x[4]], false).unwrap();
    formula.parity([x[0], x[1], x[5]], true).unwrap(); // x5 = x2 + x3 = x4
    let cnf = formula.encode().unwrap();
    assert!(cnf.clauses().any(|clause| clause.len() == 2 && clause.iter().all(|lit| lit.vidx() >= 4)), "{cnf}");
}

#[test]
fn elimination() {
    let mut random = Random::new(11);
    for _ in 0..300 {
        let (vars, count) = (1 + random.below(70), random.below(90));
        let mut row = || {
            let lits = (0..vars as u32).filter(|_| random.below(4) == 0).collect();
            (lits, random.below(2) == 1)
        };
        let rows: Vec<(Vec<u32>, bool)> = (0..count).map(|_| row()).collect();
        let found = unlimited(|go_on| eliminate(&rows, vars, go_on));
        let again = unlimited(|go_on| eliminate(&found.reduced, vars, go_on));
        assert!(again.dependent.is_empty() && !again.is_contradictory);
        assert!(found.is_contradictory || found.reduced.len() + found.dependent.len() == count);
        for (at, (lits, _)) in found.reduced.iter().enumerate() {
            let others = found.reduced.iter().enumerate().filter(|&(other, _)| other != at);
            assert!(others.flat_map(|(_, (other, _))| other).all(|&other| other != lits[0]));
        }
    }
}

/// Neither many parities nor long ones take long, whether they share variables or not.
#[test]
fn large_systems() {
    let n = 200_000;
    let x = Tally::new(n).inputs();
    let start = std::time::Instant::now();
    let mut chain = Formula::with_vars(n);
    x.windows(3).for_each(|three| chain.parity(three, true).unwrap());
    chain.add_clause(&x[..1]).unwrap();
    chain.add_clause(&x[1..2]).unwrap();
    assert_eq!(chain.size().clauses, n as u64);
    let mut pairs = Formula::with_vars(n);
    x.windows(2).rev().for_each(|two| pairs.parity(two, true).unwrap());
    pairs.parity(&x, false).unwrap();
    pairs.parity([x[0], x[n - 1]], false).unwrap(); // an odd way apart
    assert_eq!(pairs.size().clauses, 1);
    let mut sparse = Formula::with_vars(n);
    let mut random = Random::new(1);
    for _ in 0..n * 9 / 10 {
        let mut three = || x[random.below(n)];
        sparse.parity([three(), three(), three()], false).unwrap();
    }
    assert!(sparse.size().clauses <= 4 * n as u64);
    let mut long = Formula::with_vars(n);
    (0..20).for_each(|at| long.parity(&x[at..], true).unwrap());
    assert_eq!(long.size().clauses, 19 + ParityCut::default().size(n - 19).clauses);
    println!("{:?}", start.elapsed());
}

/// Parities beside counts; a group is to blame.
#[cfg(feature = "any-solver")]
#[test]
fn beside_counts_and_in_groups() {
    let mut formula = Formula::with_vars(6);
    let x = Tally::new(6).inputs();
    formula.group("parity", |formula| formula.parity(&x, true)).unwrap();
    formula.group("count", |formula| formula.exactly(&x, 4, CardEncoding::Auto)).unwrap();
    formula.group("other", |formula| formula.at_most(&x, 5, CardEncoding::Auto)).unwrap();
    assert_eq!(formula.constraints().find_map(|constraint| constraint.parity_of()), Some((&x[..], true)));
    assert!(formula.solve().unwrap().is_none());
    let (selected, selectors) = formula.with_selectors().unwrap();
    assert_eq!((selected.constraints().len(), selectors.len()), (2, 3));
    let detected = formula.detect();
    assert!(detected.formula().constraints().any(|constraint| constraint.parity_of().is_some()));
    let rows = unlimited(|go_on| ParityRows::new(&selected, go_on));
    assert_eq!(rows.rows.len(), 1);
}

/// CryptoMiniSat's lines, in and out; a `Cnf` has no parities.
#[test]
fn lines_of_parities() {
    let text = "c name 2 b\np cnf 4 5\nx1 -2 3 0\nx 4 -1 0\n1 2\n 0 x-3\n 0\nx 2 2 0\n";
    let formula = Formula::read_dimacs(text.as_bytes()).unwrap();
    let kept: Vec<(Vec<i32>, bool)> = formula
        .constraints()
        .filter_map(|constraint| constraint.parity_of())
        .map(|(lits, odd)| (lits.iter().map(|lit| lit.to_ipasir()).collect(), odd))
        .collect();
    assert_eq!(kept, [(vec![1, 2, 3], false), (vec![4, 1], false)]);
    let clauses: Vec<Vec<i32>> =
        formula.clauses().map(|clause| clause.iter().map(|lit| lit.to_ipasir()).collect()).collect();
    assert_eq!(clauses, [vec![1, 2], vec![-3], vec![]]); // the last parity, of 2 and 2, is even
    let mut written = Vec::new();
    formula.write_xor_dimacs(&mut written).unwrap();
    let written = String::from_utf8(written).unwrap();
    assert_eq!(written, "c name 2 b\np cnf 4 5\n1 2 0\n-3 0\n0\nx-1 2 3 0\nx-4 1 0\n");
    let again = Formula::read_dimacs(written.as_bytes()).unwrap();
    assert!(again.constraints().map(|one| one.parity_of()).eq(formula.constraints().map(|one| one.parity_of())));
    for (text, error) in [
        ("p cnf 3 1\nx4 1 0\n", "line 2, column 1: `x4` found; allowed: `x` and a literal, -3 to 3"),
        ("p cnf 3 1\nx0\n", "line 2, column 1: `x0` found; allowed: `x` and a literal, -3 to 3"),
        ("p cnf 3 1\n1 x2 0\n", "line 2, column 3: `x2` found; allowed: -3 to 3, and 0 at the end"),
        ("p cnf 3 1\nx1 2\n", "line 3, column 1: the text ends within a clause; every clause ends with 0"),
    ] {
        assert_eq!(Formula::read_dimacs(text.as_bytes()).unwrap_err().to_string(), error);
    }
    assert!(Cnf::from_dimacs(&b"p cnf 3 1\nx1 2 0\n"[..]).is_err());
}
