//! Formulas small enough to look at every assignment: what is found changes no model.

use std::collections::BTreeSet;

use cnfkit::rustsat::types::{self, TernaryVal};
use cnfkit::{Assignment, CardEncoding, ClauseSink, Cnf, Constrain, Detected, Formula, Lit, PbEncoding, Var};

use super::of_cnf;
use super::planted::{self, By, Random, Recipe};

/// A clause as the variables that satisfy it when true, and when false.
fn masks(clause: &[Lit]) -> (u32, u32) {
    let mask = |neg| clause.iter().filter(|lit| lit.is_neg() == neg).fold(0, |mask, lit| mask | 1 << lit.vidx());
    (mask(false), mask(true))
}

fn is_true(values: u32, lit: Lit) -> bool {
    (values >> lit.vidx() & 1 == 1) != lit.is_neg()
}

/// Assignments of the variables in `kept` that satisfy the formula with some values of the others.
fn models(formula: &Formula, kept: u32) -> BTreeSet<u32> {
    let clauses: Vec<(u32, u32)> = formula.clauses().map(masks).collect();
    let holds = |values: u32| {
        clauses.iter().all(|&(pos, neg)| values & pos != 0 || !values & neg != 0)
            && formula.constraints().all(|constraint| {
                assert!(constraint.cond.is_empty() && constraint.iff.is_none());
                constraint.counted().is_some_and(|(lits, relation)| {
                    relation.allows(lits.iter().filter(|&&lit| is_true(values, lit)).count())
                })
            })
    };
    (0..1_u32 << formula.n_vars()).filter(|&values| holds(values)).map(|values| values & kept).collect()
}

fn model(values: u32, n_vars: usize, kept: u32) -> Assignment {
    let value = |var: usize| match (kept >> var & 1, values >> var & 1) {
        (0, _) => TernaryVal::DontCare,
        (_, value) => TernaryVal::from(value == 1),
    };
    types::Assignment::from((0..n_vars).map(value).collect::<Vec<_>>()).into()
}

/// The two formulas have the same models but for the auxiliaries that vanished, and models are completed.
fn check(formula: &Formula, detected: &Detected<'_>) {
    let kept = detected.auxiliaries().fold((1_u32 << formula.n_vars()) - 1, |kept, var| kept & !(1 << var.idx()));
    let new = detected.formula();
    let remaining = models(&new, kept);
    assert_eq!(models(formula, kept), remaining, "{formula:?}");
    let has_none = |lits: &[Lit]| lits.iter().all(|lit| kept >> lit.vidx() & 1 == 1);
    assert!(
        new.clauses().all(has_none)
            && new.constraints().all(|constraint| has_none(&constraint.lits().collect::<Vec<_>>()))
    );
    let clauses = new.clauses().len() + detected.replaced().len();
    assert_eq!(clauses, formula.n_clauses() + detected.added().len());
    for values in remaining {
        let complete = detected.complete(&model(values, formula.n_vars(), kept));
        assert!(formula.clauses().all(|clause| clause.iter().any(|&lit| complete.is_true(lit))));
        let others = (0..formula.n_vars()).filter(|var| kept >> var & 1 == 1);
        assert!(others.into_iter().all(|var| complete.is_true(Var::new(var as u32).lit(values >> var & 1 == 0))));
    }
}

/// At-most-ones of all encodings, whole or with clauses that are missing, changed, or too many.
#[test]
fn no_model_is_lost_and_none_is_won() {
    let mut random = Random(11);
    let (mut found, mut vanished, mut whole) = (0, 0, 0);
    while whole < 400 {
        let recipe = Recipe {
            inputs: 4 + random.below(5),
            amos: 1 + random.below(3),
            most: 8,
            twos: random.below(80),
            threes: random.below(200),
        };
        let (cnf, _) = planted::formula(recipe, &By::all(), &mut random);
        if cnf.n_vars() > 15 {
            continue;
        }
        whole += 1;
        let mut clauses: Vec<Vec<Lit>> = cnf.clauses().map(<[Lit]>::to_vec).collect();
        for changes in 0..4 {
            let mut changed = Cnf::with_vars(cnf.n_vars());
            clauses.iter().for_each(|clause| changed.add_clause(clause).unwrap());
            let formula = of_cnf(&changed);
            let work = if random.below(3) == 0 { random.below(3_000) as u64 } else { Formula::DETECT_WORK };
            let detected = formula.detect_within(work);
            found += detected.constraints().len();
            vanished += detected.auxiliaries().len();
            check(&formula, &detected);
            if changes == 3 {
                break;
            }
            let at = random.below(clauses.len());
            match random.below(4) {
                0 => drop(clauses.swap_remove(at)),
                1 => {
                    let place = random.below(clauses[at].len());
                    clauses[at][place] = !clauses[at][place];
                }
                2 => {
                    let other = random.below(clauses.len());
                    let lit = clauses[other][0];
                    clauses[at].push(lit);
                }
                _ => {
                    let all: Vec<Lit> = (0..cnf.n_vars() as u32).map(Lit::positive).collect();
                    clauses.push(random.lits(&all, 1 + at % 3));
                }
            }
        }
    }
    println!("{found} found, {vanished} auxiliaries vanished");
    assert!(found > 1_000 && vanished > 1_000);
}

/// Sets of literals that exclude each other get a variable of their own, one inside another too.
#[test]
fn bicliques_change_no_model() {
    let mut random = Random(12);
    let mut joined = 0;
    for round in 0..150 {
        let n = 8 + random.below(4);
        let all: Vec<Lit> = (0..n as u32).map(|var| Lit::new(var, random.below(3) == 0)).collect();
        let mut formula = Formula::with_vars(n);
        for _ in 0..=round % 3 {
            let lits = random.lits(&all, n);
            let (ones, others) = lits.split_at(2 + random.below(3));
            let pairs = ones.iter().flat_map(|&one| others.iter().map(move |&other| [!one, !other]));
            pairs.for_each(|pair| formula.add_clause(&pair).unwrap());
        }
        formula.add_clause(&random.lits(&all, 3)).unwrap();
        if round % 5 == 0 {
            formula.at_most(&random.lits(&all, 6), 3, CardEncoding::Auto).unwrap();
        }
        let new = formula.join_bicliques();
        let more = new.n_vars() - formula.n_vars();
        joined += more;
        assert!(
            new.n_clauses() + more <= formula.n_clauses() && (more == 0) == (new.n_clauses() == formula.n_clauses())
        );
        let kept = (1 << n) - 1;
        assert_eq!(models(&formula, kept), models(&new, kept), "{formula:?}");
    }
    assert!(joined > 100, "{joined}");
}

/// A variable of a constraint, of the objective or with a name is nobody's auxiliary.
#[test]
fn variables_that_matter_stay() {
    let base = || {
        let mut cnf = Cnf::new();
        let x = cnf.new_lits(9);
        cnf.at_most_one(&x, &cnfkit::Ladder).unwrap();
        (of_cnf(&cnf), x)
    };
    assert!(base().0.detect().auxiliaries().len() == base().0.n_vars() - 9);
    let stays = |formula: &Formula| formula.detect().auxiliaries().all(|var| var != Var::new(12));
    assert!(!stays(&base().0));
    let (mut formula, _) = base();
    formula.set_name(Var::new(12), "twelve");
    assert!(stays(&formula));
    let (mut formula, _) = base();
    formula.set_objective([(Lit::negative(12), 3)]);
    assert!(stays(&formula));
    assert_eq!(formula.detect().formula().objective(), [(Lit::negative(12), 3)]);
    let (mut formula, x) = base();
    formula.when(&[Lit::positive(12)]).at_most(&x, 3, &CardEncoding::Auto).unwrap();
    assert!(stays(&formula));
    assert_eq!(formula.detect().formula().constraints().next(), formula.constraints().next());
}

/// Sums of weights keep their meaning, too.
#[test]
fn variables_of_sums_stay() {
    let mut cnf = Cnf::new();
    let x = cnf.new_lits(9);
    cnf.at_most_one(&x, &cnfkit::Ladder).unwrap();
    let mut formula = of_cnf(&cnf);
    let terms: Vec<(Lit, u64)> = (11..16).map(Lit::positive).zip([3, 4, 5, 7, 9]).collect();
    formula.pb_at_most(&terms, 11, &PbEncoding::Auto).unwrap();
    let detected = formula.detect();
    assert!(detected.auxiliaries().all(|var| terms.iter().all(|(lit, _)| lit.var() != var)));
    assert!(detected.formula().constraints().any(|constraint| Some(constraint) == formula.constraints().next()));
}

/// Equal clauses give equal results, and a header that announces many variables costs nothing.
#[test]
fn detection_is_deterministic_and_sparse() {
    let recipe = Recipe { inputs: 60, amos: 8, most: 30, twos: 20, threes: 300 };
    let (cnf, _) = planted::formula(recipe, &By::all(), &mut Random(3));
    let [a, b] = [of_cnf(&cnf), of_cnf(&cnf)];
    assert_eq!(format!("{:?}", a.detect()), format!("{:?}", b.detect()));
    let mut sparse = Formula::with_vars(2_000_000_000);
    let lit = |var: u32| Lit::positive(var * 600_000_000);
    [[0, 1], [1, 2], [0, 2]].iter().for_each(|&[a, b]| sparse.add_clause(&[!lit(a), !lit(b)]).unwrap());
    let detected = sparse.detect();
    assert_eq!(detected.constraints().next().map(|found| found.lits().collect()), Some(vec![lit(0), lit(1), lit(2)]));
}
