//! Literals that parities or clauses make equal or opposite are one in the counts and sums of a `Formula`.

use cnfkit::ask::Ask;
use cnfkit::{
    AmoEncoding, BoolExpr, CardEncoding, ClauseSink, Constrain, Constraint, Formula, Lit, PbEncoding, PbRelation,
};
use cnfkit::{Relation, Terms};

use super::lot;

const N: usize = 7;

fn lit(var: u32) -> Lit {
    Lit::positive(var)
}

/// Says that x0 and x1 are equal, or opposite, in one of four ways, and that x2 and x3 are opposite.
fn say(formula: &mut Formula, how: usize, odd: bool) {
    let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(lit);
    let other = if odd { !b } else { b };
    formula.parity([c, d], true).unwrap();
    match how {
        0 => formula.parity([a, b], odd),
        // x4 is false.
        1 => formula.parity([a, b, e], odd).and_then(|()| formula.parity([c, d, e], true)),
        2 => formula.add_clause(&[!a, other]).and_then(|()| formula.add_clause(&[!other, a])),
        _ => formula.require(BoolExpr::from(a).iff(other)),
    }
    .unwrap();
}

fn formula(of: impl Fn(&mut Formula)) -> Formula {
    let mut formula = Formula::with_vars(N);
    of(&mut formula);
    formula
}

/// Every fact with counts and sums that are plain, under a condition and reified: the solutions are those of the
/// definition, models of a formula for counting are as many, and nothing is larger.
#[test]
fn all_that_is_said() {
    let x: Vec<Lit> = [0, 1, 2, 3, 5].map(lit).into_iter().map(|x| if x.vidx() == 5 { !x } else { x }).collect();
    let terms: Vec<(Lit, u64)> = x.iter().rev().copied().zip([4, 3, 2, 5, 7]).collect();
    let (mut smaller, mut all) = (0, 0);
    let counts = (1..5).flat_map(|k| [Relation::AtMost(k), Relation::AtLeast(k), Relation::Exactly(k)]);
    let sums = (4..18).flat_map(|k| [PbRelation::AtMost(k), PbRelation::AtLeast(k), PbRelation::Exactly(k)]);
    let said = counts.map(|relation| Constraint::count(&x, relation));
    let said: Vec<_> = said.chain(sums.map(|relation| Constraint::weights(Terms::new(&terms), relation))).collect();
    for (at, (constraint, how)) in said.into_iter().flat_map(|one| [0, 1, 2, 3].map(|how| (one, how))).enumerate() {
        let (odd, cond) = (at % 2 == 0, [lit(6)]);
        let constraint = match at / 3 % 3 {
            0 => constraint,
            1 => constraint.when(&cond),
            _ => constraint.iff(lit(6)),
        };
        let post = |formula: &mut Formula| {
            match (constraint.counted(), at % 5 < 2) {
                (Some(_), true) => formula.post(&constraint, CardEncoding::Smallest),
                (Some(_), false) => formula.post(&constraint, CardEncoding::Auto),
                (None, true) => formula.post(&constraint, PbEncoding::Smallest),
                (None, false) => formula.post(&constraint, PbEncoding::Auto),
            }
            .unwrap();
        };
        let both = formula(|formula| {
            post(formula);
            say(formula, how, odd);
        });
        let alone = formula(post).size().cost() + formula(|formula| say(formula, how, odd)).size().cost();
        assert!(both.size().cost() <= alone, "{constraint:?} {how}");
        (smaller, all) = (smaller + usize::from(both.size().cost() < alone), all + 1);
        let holds = |values: u32| {
            let is_true = |lit: Lit| (values >> lit.vidx() & 1 == 1) != lit.is_neg();
            let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|var| is_true(lit(var)));
            (a != b) == odd && c != d && (how != 1 || !e) && constraint.holds(is_true)
        };
        let expected: Vec<u32> = (0..1 << N).filter(|&values| holds(values)).collect();
        for formula in [both.clone(), both.for_counting()] {
            let ask = Ask::new(&formula);
            let values = ask.solutions().map(|solution| {
                let solution = solution.unwrap();
                (0..N as u32).filter(|&var| solution.is_true(lit(var))).map(|var| 1 << var).sum()
            });
            let mut values: Vec<u32> = values.collect();
            values.sort_unstable();
            assert_eq!(values, expected, "{constraint:?} {how}");
            let cnf = formula.encode().unwrap();
            let (size, vars) = (formula.size(), cnf.n_vars() - formula.n_vars());
            assert_eq!((size.vars as usize, size.clauses as usize), (vars, cnf.n_clauses()));
            if formula.is_for_counting() {
                let clauses = Formula::read_dimacs(cnf.to_string().as_bytes()).unwrap();
                assert_eq!(Ask::new(&clauses).count(1000).unwrap(), expected.len(), "{constraint:?} {how}");
            }
        }
    }
    println!("{smaller} of {all}");
    assert!(4 * smaller > 3 * all, "{smaller} of {all}");
}

/// Equal literals decide themselves, and constraints that are the same with them are one; in the order that was asked
/// for, literals stay.
#[test]
fn fewer_clauses() {
    let mut formula = Formula::with_vars(12);
    let x: Vec<Lit> = (0..12).map(lit).collect();
    formula.at_most([x[0], x[1], x[2]], 1, CardEncoding::Auto).unwrap();
    formula.parity([x[0], x[1]], false).unwrap();
    assert_eq!(formula.encode().unwrap().to_string(), "p cnf 12 3\n1 -2 0\n-1 2 0\n-1 0\n");

    let mut formula = Formula::with_vars(12);
    formula.at_most(&x[1..11], 5, CardEncoding::Auto).unwrap();
    let one = formula.size();
    formula.at_most([&x[2..11], &[!x[11]]].concat(), 5, CardEncoding::Auto).unwrap();
    assert!(formula.size().cost() > one.cost());
    let mut ordered = formula.clone();
    formula.parity([x[1], x[11]], true).unwrap();
    assert_eq!((formula.size().vars, formula.size().clauses), (one.vars, one.clauses + 2));

    ordered.keep_order().at_most([x[1], x[11], x[2]], 1, CardEncoding::Auto).unwrap();
    ordered.parity([x[1], x[11]], false).unwrap();
    let cnf = ordered.encode().unwrap();
    assert!(cnf.clauses().any(|clause| clause == [!x[1], !x[11]]), "{cnf}");
}

/// Any encodings by name, several equal pairs, conditions and reifying literals that are equal to literals of the sum:
/// the clauses are as many as planned, and their solutions those of the definition.
#[test]
fn named_encodings_by_lot() {
    let mut below = lot(54);
    for round in 0..2_000 {
        let mut formula = Formula::with_vars(N);
        let mut said: Vec<Box<dyn Fn(&dyn Fn(Lit) -> bool) -> bool>> = Vec::new();
        for _ in 0..=below(3) {
            let [a, b] = [(); 2].map(|()| Lit::new(below(N) as u32, below(2) == 0));
            formula.add_clause(&[!a, b]).and_then(|()| formula.add_clause(&[a, !b])).unwrap();
            said.push(Box::new(move |is_true| is_true(a) == is_true(b)));
        }
        for _ in 0..=below(3) {
            let vars: Vec<u32> = (0..N as u32).filter(|_| below(3) > 0).collect();
            let x: Vec<Lit> = vars.into_iter().map(|var| Lit::new(var, below(2) == 0)).collect();
            let [c, r] = [(); 2].map(|()| Lit::new(below(N) as u32, below(2) == 0));
            let cond = if below(2) == 0 { vec![c] } else { Vec::new() };
            let iff = (below(3) == 0).then_some(r);
            let k = if below(2) == 0 { 1 } else { below(x.len() + 1) };
            let relation = [Relation::AtMost(k), Relation::AtLeast(k), Relation::Exactly(k)][below(3)];
            let terms: Vec<(Lit, u64)> = x.iter().map(|&lit| (lit, 1 + below(3) as u64)).collect();
            let is_sum = below(3) == 0;
            let amo = AmoEncoding::ALL[below(AmoEncoding::ALL.len())];
            let card = CardEncoding::ALL[below(CardEncoding::ALL.len())];
            let pb = PbEncoding::ALL[below(PbEncoding::ALL.len())];
            let mut to = formula.when(&cond);
            match (relation, iff) {
                _ if is_sum && iff.is_none() => to.pb(&terms, PbRelation::from(relation), pb),
                (Relation::AtMost(k), Some(r)) if is_sum => to.pb_iff_at_most(r, &terms, k as u64, pb),
                (Relation::AtLeast(k), Some(r)) if is_sum => to.pb_iff_at_least(r, &terms, k as u64, pb),
                (Relation::Exactly(k), Some(r)) if is_sum => to.pb_iff_exactly(r, &terms, k as u64, pb),
                (Relation::AtMost(k), Some(r)) => to.iff_at_most(r, &x, k, card),
                (Relation::AtLeast(k), Some(r)) => to.iff_at_least(r, &x, k, card),
                (Relation::Exactly(k), Some(r)) => to.iff_exactly(r, &x, k, card),
                (Relation::AtMost(1), None) => to.at_most_one(&x, amo),
                (Relation::Exactly(1), None) => to.exactly_one(&x, amo),
                (relation, None) => to.cardinality(&x, relation, card),
            }
            .unwrap();
            said.push(Box::new(move |is_true| {
                let weight = |&(lit, weight): &(Lit, u64)| u64::from(is_true(lit)) * if is_sum { weight } else { 1 };
                let sum = terms.iter().map(weight).sum::<u64>() as usize;
                let holds = match relation {
                    Relation::AtMost(k) => sum <= k,
                    Relation::AtLeast(k) => sum >= k,
                    Relation::Exactly(k) => sum == k,
                };
                !cond.iter().all(|&lit| is_true(lit)) || iff.map_or(holds, |r| is_true(r) == holds)
            }));
        }
        let holds = |values: u32| {
            let is_true = |lit: Lit| (values >> lit.vidx() & 1 == 1) != lit.is_neg();
            said.iter().all(|said| said(&is_true))
        };
        let expected = (0..1 << N).filter(|&values| holds(values)).count();
        let cnf = formula.encode().unwrap();
        let (size, vars) = (formula.size(), cnf.n_vars() - formula.n_vars());
        assert_eq!((size.vars as usize, size.clauses as usize), (vars, cnf.n_clauses()), "{round}");
        let ask = Ask::new(&formula);
        let solutions = ask.solutions().map(|solution| {
            let solution = solution.unwrap();
            (0..N as u32).filter(|&var| solution.is_true(lit(var))).map(|var| 1 << var).sum()
        });
        let solutions: Vec<u32> = solutions.collect();
        assert!(solutions.iter().all(|&values| holds(values)), "{round}: {cnf}");
        assert_eq!(solutions.len(), expected, "{round}: {cnf}");
    }
}

/// A literal of a sum that is equal to its condition is true where the sum is asked for.
#[test]
fn conditions_that_are_equal_to_literals() {
    let mut formula = Formula::with_vars(10);
    let x: Vec<Lit> = (0..10).map(lit).collect();
    formula.when([x[0]]).at_least(&x[1..5], 3, CardEncoding::Auto).unwrap();
    formula.when([x[5]]).at_least(&x[6..], 3, CardEncoding::Auto).unwrap();
    formula.parity([x[0], x[3]], false).unwrap();
    let cnf = formula.encode().unwrap();
    assert_eq!((formula.size().clauses, cnf.n_clauses()), (11, 11), "{cnf}");
}
