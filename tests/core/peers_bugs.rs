//! Bugs that exhaustive checks found in other libraries, each a test: none of them may happen here.

use std::time::{Duration, Instant};

use cnfkit::interop::Counted;
use cnfkit::solvers::BatSat;
use cnfkit::{
    AmoEncoding, AtMostK, AtMostOne, Bound, CardEncoding, CardinalityNetwork, ClauseSink, Cnf, Constrain, IncTotalizer,
    Lit, Relation, SequentialCounter, Totalizer, Var,
};
use rustsat::encodings::card::{BoundUpper, BoundUpperIncremental};
use rustsat::instances::{BasicVarManager, Cnf as Clauses, ManageVars};
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};

fn relations(k: usize) -> [Relation; 3] {
    [Relation::AtMost(k), Relation::AtLeast(k), Relation::Exactly(k)]
}

fn loaded(cnf: &Cnf) -> BatSat {
    let mut solver = BatSat::default();
    solver.reserve(Var::new(cnf.n_vars() as u32)).unwrap();
    cnf.clauses().for_each(|clause| solver.add_clause_ref(clause).unwrap());
    solver
}

fn is_sat(solver: &mut BatSat, assumptions: &[Lit]) -> bool {
    solver.solve_assumps(assumptions).unwrap() == SolverResult::Sat
}

/// Every way to assign variables `0..n`.
fn assignments(n: usize) -> impl Iterator<Item = Vec<Lit>> {
    (0..1_u32 << n).map(move |bits| (0..n as u32).map(|i| Lit::new(i, bits >> i & 1 == 0)).collect())
}

fn count_true(lits: &[Lit], assignment: &[Lit]) -> usize {
    lits.iter().filter(|lit| assignment.contains(lit)).count()
}

/// Solves under every assignment of the variables of `lits` whose count is within `near` of `k`.
fn check<E: AtMostK>(enc: &E, name: &str, relation: Relation, lits: &[Lit], near: usize) {
    let n = lits.iter().map(|lit| lit.vidx() + 1).max().unwrap_or(0);
    let mut cnf = Cnf::with_vars(n);
    cnf.cardinality(lits, relation, enc).unwrap();
    let mut solver = loaded(&cnf);
    for assignment in assignments(n) {
        let count = count_true(lits, &assignment);
        if count.abs_diff(relation.bound()) <= near {
            let sat = is_sat(&mut solver, &assignment);
            assert_eq!(sat, relation.allows(count), "{name}: {relation} of {lits:?} at {assignment:?}");
        }
    }
}

fn check_all(lits: &[Lit], k: usize, near: usize) {
    for enc in CardEncoding::ALL {
        relations(k).iter().for_each(|&relation| check(enc, &enc.to_string(), relation, lits, near));
    }
}

fn variables(n: usize) -> Vec<Lit> {
    (0..n as u32).map(Lit::positive).collect()
}

/// A totalizer that grows took auxiliaries that the caller's next inputs got too.
#[test]
fn inputs_added_later_are_no_auxiliaries() {
    let mut cnf = Cnf::new();
    let mut count = IncTotalizer::new();
    let mut inputs: Vec<Lit> = Vec::new();
    for (more, upto) in [(3, 2), (2, 2), (1, 5), (3, 6)] {
        let used: Vec<Var> = cnf.clauses().flatten().map(|lit| lit.var()).collect();
        let new = cnf.new_lits(more);
        assert!(new.iter().all(|lit| !used.contains(&lit.var())), "{new:?}");
        inputs.extend(&new);
        count.extend(&mut cnf, &new).unwrap();
        count.widen(&mut cnf, upto).unwrap();

        let mut solver = loaded(&cnf);
        for assignment in assignments(inputs.len()) {
            let values: Vec<Lit> = inputs.iter().zip(&assignment).map(|(x, &a)| x.var().lit(a.is_neg())).collect();
            let yes = values.iter().filter(|lit| lit.is_pos()).count();
            for k in 0..upto.min(inputs.len()) {
                let Some(Bound::If(bound)) = count.at_most(k) else { panic!("{k} of {}", inputs.len()) };
                assert_eq!(is_sat(&mut solver, &[&values[..], &[bound]].concat()), yes <= k, "at most {k}: {values:?}");
            }
        }
    }
}

/// This holds with rustsat's traits, too, whose variable manager need not have heard of an input.
#[test]
fn inputs_that_the_manager_has_not_heard_of_are_no_auxiliaries() {
    let mut vars = BasicVarManager::from_next_free(Var::new(4));
    let mut clauses = Clauses::new();
    let mut enc: Counted<Totalizer> = variables(4).into();
    enc.encode_ub(1..=1, &mut clauses, &mut vars).unwrap();
    let later = Lit::positive(vars.n_used() + 2);
    enc.extend([later]);
    enc.encode_ub_change(1..=1, &mut clauses, &mut vars).unwrap();

    let mut solver = BatSat::default();
    solver.add_cnf(clauses).unwrap();
    solver.reserve(Var::new(vars.n_used().max(later.vidx32() + 1))).unwrap();
    let bound = enc.enforce_ub(1).unwrap();
    for assignment in assignments(5) {
        let mut assumptions = bound.clone();
        assumptions.extend(&assignment[..4]);
        assumptions.push(later.var().lit(assignment[4].is_neg()));
        let yes = assignment.iter().filter(|lit| lit.is_pos()).count();
        assert_eq!(is_sat(&mut solver, &assumptions), yes <= 1, "{assignment:?}");
    }
}

/// A constraint that needs no encoder reset the caller's next free variable, so that the next one took its inputs.
#[test]
fn a_trivial_constraint_keeps_the_next_free_variable() {
    for enc in CardEncoding::ALL {
        let mut cnf = Cnf::with_vars(50);
        let x = variables(50);
        for lits in [&x[..0], &x[..1], &x[..2], &x[10..16]] {
            let n = lits.len();
            for k in [0, n.saturating_sub(1), n, n + 1, usize::MAX] {
                cnf.when(&[x[40]]).at_most(lits, k, enc).unwrap();
            }
            for k in [0, 1, n, n + 1, usize::MAX] {
                cnf.when(&[x[40]]).at_least(lits, k, enc).unwrap();
            }
            for k in [0, n, n + 1, usize::MAX] {
                cnf.when(&[x[40]]).exactly(lits, k, enc).unwrap();
            }
            assert_eq!(cnf.next_var(), Var::new(50), "{enc}: {n}");
        }
        let trivial = cnf.n_clauses();
        cnf.exactly(&x[20..32], 5, enc).unwrap();
        let auxiliary = |lit: &&Lit| !x[20..32].contains(&lit.var().pos_lit());
        for lit in cnf.clauses().skip(trivial).flatten().filter(auxiliary) {
            assert!((50..cnf.n_vars()).contains(&lit.vidx()), "{enc}: {lit}");
        }
    }
    for enc in AmoEncoding::ALL {
        let mut cnf = Cnf::with_vars(50);
        for n in 0..=1 {
            cnf.at_most_one(&variables(n), enc).unwrap();
            cnf.exactly_one(&variables(n + 1)[n..], enc).unwrap();
        }
        assert_eq!(cnf.next_var(), Var::new(50), "{enc}");
    }
}

/// The former default took 85 s for this, and n² of something.
#[test]
fn at_most_one_by_default_is_linear() {
    const N: usize = 100_000;
    let x = variables(N);
    for enc in [AmoEncoding::default(), AmoEncoding::Auto, AmoEncoding::Smallest] {
        let start = Instant::now();
        let mut cnf = Cnf::with_vars(N);
        cnf.at_most_one(&x, &enc).unwrap();
        assert!(cnf.n_clauses() < 4 * N, "{enc}: {}", cnf.n_clauses());
        assert_eq!(enc.amo_size(N).clauses, cnf.n_clauses() as u64);
        assert!(start.elapsed() < Duration::from_secs(5), "{enc}: {:?}", start.elapsed());
    }
    for enc in [CardEncoding::Auto, CardEncoding::Smallest] {
        assert!(AtMostOne::amo_size(&enc, N).clauses < 4 * N as u64, "{enc}");
    }
}

/// A totalizer's leaves dropped the sign of their literal.
#[test]
fn signs_are_kept() {
    for (n, k) in [(2, 1), (3, 1), (5, 2), (6, 4)] {
        for signs in [0b11_1111_u32, 0b01_0101, 0b00_0100, 0b10_0000] {
            let lits: Vec<Lit> = (0..n).map(|i| Lit::new(i, signs >> i & 1 == 1)).collect();
            check_all(&lits, k, n as usize);
        }
    }
    for enc in AmoEncoding::ALL {
        let lits: Vec<Lit> = (0..6).map(|i| Lit::new(i, i % 3 == 0)).collect();
        let mut cnf = Cnf::with_vars(6);
        cnf.exactly_one(&lits, enc).unwrap();
        let mut solver = loaded(&cnf);
        for assignment in assignments(6) {
            assert_eq!(is_sat(&mut solver, &assignment), count_true(&lits, &assignment) == 1, "{enc}: {assignment:?}");
        }
    }
}

/// A network's padding to a power of two was wrong for these.
#[test]
fn nine_and_eleven_inputs() {
    for (n, near) in [(9, 9), (11, 1)] {
        (1..n).for_each(|k| check_all(&variables(n), k, near));
    }
}

/// A literal given twice overwrote its first occurrence.
#[test]
fn repeated_literals_count_each_time() {
    for numbers in [&[1, 1, 2][..], &[1, 2, 1, 2, 3], &[3, 3, 3, 1, 2, 4], &[1, -1, 2, 3], &[-2, -2, 1, 1, 3, 4, 5, 2]]
    {
        let lits: Vec<Lit> = numbers.iter().map(|&number| Lit::from_ipasir(number).unwrap()).collect();
        (0..=lits.len()).for_each(|k| check_all(&lits, k, lits.len()));
    }
    for enc in AmoEncoding::ALL {
        let lits = [0, 1, 1, 2, 3].map(Lit::positive);
        let mut cnf = Cnf::with_vars(4);
        cnf.at_most_one(&lits, enc).unwrap();
        let mut solver = loaded(&cnf);
        for assignment in assignments(4) {
            assert_eq!(is_sat(&mut solver, &assignment), count_true(&lits, &assignment) <= 1, "{enc}: {assignment:?}");
        }
    }
}

/// A four-way network let three of seven be true.
#[test]
fn four_way_at_most_two_of_seven() {
    let lits = variables(7);
    for (direct, full) in [(false, false), (false, true), (true, false), (true, true)] {
        let enc = CardinalityNetwork::default().four_way(true).direct(direct).full(full);
        relations(2).iter().for_each(|&relation| check(&enc, "four-way", relation, &lits, 7));
    }
    check_all(&lits, 2, 7);
}

/// "Unsatisfiable" was returned, and the formula did not say so.
#[test]
fn what_cannot_be_is_in_the_formula() {
    let x = variables(6);
    let pairs = [x[0], !x[0], x[1], !x[1]];
    for enc in CardEncoding::ALL {
        type Post<'a> = &'a dyn Fn(&mut dyn ClauseSink<Error = cnfkit::CapacityError>);
        let impossible: [Post; 6] = [
            &|sink| sink.at_least(&x, 7, enc).unwrap(),
            &|sink| sink.exactly(&x, 7, enc).unwrap(),
            &|sink| sink.exactly(&[], 1, enc).unwrap(),
            &|sink| sink.at_most(&pairs, 1, enc).unwrap(),
            &|sink| sink.at_least(&pairs, 3, enc).unwrap(),
            &|sink| sink.exactly(&[x[0], x[0], x[1], x[1]], 3, enc).unwrap(),
        ];
        for post in impossible {
            let mut cnf = Cnf::with_vars(6);
            post(&mut cnf);
            assert!(cnf.clauses().any(<[Lit]>::is_empty), "{enc}");
            assert_eq!(cnf.solve().unwrap(), None, "{enc}");
            let mut cnf = Cnf::with_vars(6);
            post(&mut cnf.when(&[x[5], !x[4]]));
            assert!(cnf.clauses().any(|clause| clause == [x[4], !x[5]] || clause == [!x[5], x[4]]), "{enc}");
            assert!(cnf.solve().unwrap().is_some(), "{enc}");
        }
    }
    let mut cnf = Cnf::new();
    cnf.exactly_one(&[], &AmoEncoding::Auto).unwrap();
    assert!(cnf.clauses().any(<[Lit]>::is_empty));
}

/// At least k as at most n − k of the negated literals lost the small k: 266,624 clauses for this.
#[test]
fn at_least_few_of_many_is_small() {
    const MOST: u64 = 13_157;
    for enc in [CardEncoding::Smallest, CardEncoding::Auto, CardEncoding::Totalizer, CardEncoding::Network] {
        let mut cnf = Cnf::with_vars(1000);
        cnf.at_least(&variables(1000), 10, &enc).unwrap();
        let size = enc.alk_size(1000, 10);
        assert_eq!(size.clauses, cnf.n_clauses() as u64, "{enc}");
        assert!(size.clauses <= MOST, "{enc}: {size}");
        // Its mirror image is as small.
        let most = enc.amk_size(1000, 990);
        assert!(most.cost() <= size.cost() + 1000, "{enc}: {most}, {size}");
    }
    assert!(SequentialCounter::default().alk_size(1000, 10).clauses < 21_000);
}
