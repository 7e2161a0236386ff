//! Parities against their definition, every size to eight literals.

use rustsat::types::Lit;

use super::ParityCut;
use crate::cnf::Cnf;
use crate::constrain::Constrain;
use crate::constraint::Constraint;
use crate::random::Random;
use crate::sink::Tally;
use crate::size::Size;

const SHAPES: [bool; 2] = [false, true];

fn options() -> impl Iterator<Item = ParityCut> {
    (3..=6).flat_map(|cut| SHAPES.map(|tree| ParityCut::default().cut(cut).tree(tree)))
}

/// The number of models for each assignment of the first `inputs` variables.
fn models(cnf: &Cnf, inputs: usize) -> Vec<usize> {
    let clauses: Vec<[u32; 2]> = cnf
        .clauses()
        .map(|clause| {
            let side = |neg: bool| clause.iter().filter(|lit| lit.is_neg() == neg).map(|lit| 1 << lit.vidx()).sum();
            [side(false), side(true)]
        })
        .collect();
    let mut found = vec![0; 1 << inputs];
    for values in 0..1_u32 << cnf.n_vars() {
        if clauses.iter().all(|&[pos, neg]| values & pos != 0 || !values & neg != 0) {
            found[(values & ((1 << inputs) - 1)) as usize] += 1;
        }
    }
    found
}

fn is_true(values: usize) -> impl Fn(Lit) -> bool {
    move |lit| (values >> lit.vidx() & 1 == 1) != lit.is_neg()
}

/// Every assignment that meets the constraint has one model, every other none.
fn one_model_each(cnf: &Cnf, inputs: usize, holds: impl Fn(usize) -> bool, about: &str) {
    for (values, &found) in models(cnf, inputs).iter().enumerate() {
        assert_eq!(found, usize::from(holds(values)), "{about}: {values:b}");
    }
}

#[test]
fn every_cut_and_size() {
    for n in 0..=8 {
        for (options, odd) in options().flat_map(|options| [(options, false), (options, true)]) {
            let mut cnf = Cnf::with_vars(n);
            let lits = Tally::new(n).inputs();
            cnf.post(&Constraint::parity(&lits, odd), options).unwrap();
            let holds = |values: usize| (values.count_ones() % 2 == 1) == odd;
            one_model_each(&cnf, n, holds, &format!("{n} {options:?} {odd}"));
            if n > 0 {
                let size = Size { vars: cnf.n_vars() as u64 - n as u64, ..cnf.size() };
                assert_eq!(options.size(n), size, "{n} {options:?}");
                let longest = cnf.clauses().map(<[Lit]>::len).max().unwrap();
                assert!(longest <= options.cut || (n, longest) == (4, 4), "{n} {options:?}");
            }
        }
    }
}

/// Conditions, literals that repeat or complement each other or the condition, and a literal that says the parity.
#[test]
fn any_literals_under_conditions_and_reified() {
    let mut random = Random::new(51);
    for round in 0..600 {
        let inputs = 1 + random.below(6);
        let mut lit = || Lit::new(random.below(inputs) as u32, random.below(2) == 1);
        let some: Vec<Lit> = (0..round % 9).map(|_| lit()).collect();
        let cond: Vec<Lit> = (0..round % 3).map(|_| lit()).collect();
        let r = lit();
        let (odd, reified) = (random.below(2) == 1, random.below(2) == 1);
        let mut constraint = Constraint::parity(&some, odd).when(&cond);
        let mut cnf = Cnf::with_vars(inputs);
        if reified {
            constraint = constraint.iff(r);
            cnf.when(&cond).iff_parity(r, &some, odd).unwrap();
        } else {
            cnf.when(&cond).parity(&some, odd).unwrap();
        }
        one_model_each(&cnf, inputs, |values| constraint.holds(is_true(values)), &format!("{constraint:?}"));
        let mut posted = Cnf::with_vars(inputs);
        posted.post(&constraint, ParityCut::default()).unwrap();
        assert_eq!(posted, cnf);
    }
}

/// A condition is in the clauses of one piece; those that define stay as they are.
#[test]
fn few_guards() {
    let (n, options) = (50, ParityCut::default());
    let mut cnf = Cnf::with_vars(n + 2);
    let x = Tally::new(n + 2).inputs();
    cnf.when(&x[n..]).parity(&x[..n], true).unwrap();
    let guarded = cnf.clauses().filter(|clause| clause.contains(&!x[n])).count();
    assert!(guarded <= 1 << (options.cut - 1));
    assert_eq!(cnf.n_lits() as u64, options.size(n).lits + 2 * guarded as u64);
    let mut cnf = Cnf::with_vars(2);
    cnf.when(&x[..2]).parity(&[] as &[Lit], true).unwrap();
    cnf.when(&x[..2]).parity(&[] as &[Lit], false).unwrap();
    assert!(cnf.clauses().eq([&[!x[0], !x[1]][..]]));
}

#[test]
fn the_callers_order_is_kept() {
    let mut cnf = Cnf::with_vars(9);
    let x = Tally::new(9).inputs();
    cnf.keep_order().parity(&[x[8], !x[3], x[5], x[3], x[2], x[1], x[5], x[0]], true).unwrap();
    assert_eq!(cnf.clause(0), [x[8], x[2], x[1], !x[0]]);
}

/// A million literals, and more than there is room for.
#[test]
fn long_parities() {
    let n = 1_000_000;
    let x = Tally::new(n).inputs();
    for tree in SHAPES {
        let options = ParityCut::default().tree(tree);
        let mut tally = Tally::new(n);
        let Ok(()) = tally.post(&Constraint::parity(&x, true), options);
        assert_eq!(tally.size(), options.size(n));
    }
    let mut cnf = Cnf::with_vars(n).with_limit(Size { clauses: 1_000_000, ..Cnf::DEFAULT_LIMIT });
    assert_eq!(cnf.parity(&x, true).unwrap_err().needed.clauses, ParityCut::default().size(n).clauses);
    assert_eq!((cnf.n_vars(), cnf.n_clauses()), (n, 0));
    let refused = cnf.post(&Constraint::parity(&x[..40], true), ParityCut::default().cut(usize::MAX)).unwrap_err();
    assert!(refused.needed.clauses > 1 << 20);
}
