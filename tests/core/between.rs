//! Counts and sums between two bounds: what they say, by every encoding; and one counter never takes more than two.

use std::convert::Infallible;

use cnfkit::ask::Ask;
use cnfkit::rustsat::types::TernaryVal;
use cnfkit::{Assignment, CardEncoding, ClauseSink, Cnf, Constrain, Formula, Lit, PbEncoding, Size, Tally, Var};

/// Counts what comes, and sums up what is announced.
struct Announced(Tally, Size);

impl ClauseSink for Announced {
    type Error = Infallible;

    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), Infallible> {
        self.0.add_clause(clause)
    }

    fn new_lit(&mut self) -> Lit {
        self.0.new_lit()
    }

    fn next_var(&self) -> Var {
        self.0.next_var()
    }

    fn reserve(&mut self, size: &Size) -> Result<(), Infallible> {
        self.1 += *size;
        Ok(())
    }
}

/// The solutions of a formula, ascending, each as a number with a bit for each of the first `n` variables.
pub(crate) fn solutions(formula: &Formula, n: usize) -> Vec<u32> {
    let number = |model: Assignment| {
        let vars = (0..n as u32).filter(|&var| model.lit_value(Lit::positive(var)) == TernaryVal::True);
        vars.map(|var| 1 << var).sum()
    };
    let mut all: Vec<u32> = Ask::new(formula).solutions().map(|model| number(model.unwrap())).collect();
    all.sort_unstable();
    all
}

/// The solutions of clauses over the first `n` variables.
fn projected(cnf: &Cnf, n: usize) -> Vec<u32> {
    let shown: Vec<String> = (1..=n).map(|var| var.to_string()).collect();
    let text = cnf.to_string().replacen('\n', &format!("\nc p show {} 0\n", shown.join(" ")), 1);
    solutions(&Formula::read_dimacs(text.as_bytes()).unwrap(), n)
}

/// The assignments of `n` variables that are as they should be.
fn allowed(n: usize, holds: impl Fn(u32) -> bool) -> Vec<u32> {
    (0..1 << n).filter(|&values| holds(values)).collect()
}

fn is_true(lit: Lit, values: u32) -> bool {
    (values >> lit.vidx32() & 1 == 1) == lit.is_pos()
}

#[test]
fn counts_by_every_encoding() {
    for n in 0..=6_usize {
        let lits: Vec<Lit> = (0..n as u32).map(|var| Lit::new(var, var % 3 == 1)).collect();
        for (least, most) in (0..=n + 1).flat_map(|least| (0..=n + 1).map(move |most| (least, most))) {
            let holds = |values| (least..=most).contains(&lits.iter().filter(|&&lit| is_true(lit, values)).count());
            let cond = Lit::positive(n as u32);
            let guarded = allowed(n + 1, |values| !is_true(cond, values) || holds(values));
            for enc in CardEncoding::ALL {
                let mut cnf = Cnf::with_vars(n + 1);
                cnf.when([cond]).between(&lits, least..=most, enc).unwrap();
                assert_eq!(projected(&cnf, n + 1), guarded, "{least} to {most} of {n} by {enc}");
            }
            let allowed = allowed(n, holds);
            for formula in [Formula::with_vars(n), Formula::with_vars(n).for_counting()] {
                let (mut formula, counting) = (formula.clone(), formula.is_for_counting());
                formula.between(&lits, least..=most, CardEncoding::Auto).unwrap();
                assert_eq!(solutions(&formula, n), allowed, "{least} to {most} of {n}");
                if counting {
                    let cnf = formula.encode().unwrap();
                    let all = Formula::read_dimacs(cnf.to_string().as_bytes()).unwrap();
                    let models = Ask::new(&all).count(10_000).unwrap();
                    assert_eq!(models, allowed.len(), "{least} to {most} of {n}, of all variables");
                }
            }
        }
    }
}

#[test]
fn never_above_two_counters() {
    let mut saved = [0, 0];
    for n in (3..=24).chain([40]) {
        for (least, most) in (1..n).flat_map(|least| (least + 1..n).map(move |most| (least, most))) {
            for enc in [CardEncoding::Auto, CardEncoding::Smallest, CardEncoding::Totalizer, CardEncoding::Sequential] {
                let mut one = Announced(Tally::new(n), Size::default());
                let lits = one.0.inputs();
                one.between(&lits, least..=most, enc).unwrap();
                assert_eq!(one.0.size(), one.1, "{least} to {most} of {n} by {enc}");
                let mut two = Tally::new(n);
                two.at_most(&lits, most, enc).unwrap();
                two.at_least(&lits, least, enc).unwrap();
                assert!(one.1.cost() <= two.size().cost(), "{least} to {most} of {n} by {enc}");
                let mut formula = Formula::with_vars(n);
                formula.between(&lits, least..=most, enc).unwrap();
                assert!(formula.size().cost() <= two.size().cost(), "{least} to {most} of {n} by {enc}");
                assert_eq!(formula.size().cost(), one.1.cost(), "{least} to {most} of {n} by {enc}");
                saved[usize::from(one.1.cost() < two.size().cost())] += 1;
            }
        }
    }
    assert!(3 * saved[1] > saved[0], "{saved:?}");
}

#[test]
fn sums_of_weights() {
    let weights = [5_i64, -4, 9, 3, 3];
    let terms: Vec<(Lit, i64)> = (0..).map(Lit::positive).zip(weights).collect();
    for (least, most) in (-6..22).flat_map(|least| (-6..22).map(move |most| (least, most))) {
        let allowed = allowed(5, |values| (least..=most).contains(&sum(&terms, values)));
        for counting in [false, true] {
            let mut formula = Formula::with_vars(5);
            if counting {
                formula = formula.for_counting();
            }
            formula.pb_between(&terms, least..=most, PbEncoding::Auto).unwrap();
            assert_eq!(solutions(&formula, 5), allowed, "{least} to {most}");
        }
        let mut cnf = Cnf::with_vars(5);
        cnf.pb_between(&terms, least..=most, PbEncoding::Auto).unwrap();
        assert_eq!(projected(&cnf, 5), allowed, "{least} to {most}");
    }
}

/// Weights that have a divisor leave no sum between some bounds, and a count where they are all alike.
#[test]
fn sums_between_the_multiples_of_a_number() {
    for weights in [[10_i64, 10, 10, 10], [10, -10, 10, -10], [6, 6, -9, 12], [4, 8, 8, 4], [7, 7, 7, 5]] {
        let terms: Vec<(Lit, i64)> = (0..).map(Lit::positive).zip(weights).collect();
        let [least, greatest] = [true, false].map(|low| weights.iter().filter(|&&it| (it < 0) == low).sum::<i64>());
        for (from, to) in (least - 1..=greatest + 1).flat_map(|from| (from - 1..from + 13).map(move |to| (from, to))) {
            let is_within = |values: u32| (from..=to).contains(&sum(&terms, values));
            for enc in PbEncoding::ALL {
                let what = format!("{from} to {to} of {weights:?} by {enc}");
                let mut cnf = Cnf::with_vars(4);
                cnf.pb_between(&terms, from..=to, enc).unwrap();
                assert_eq!(projected(&cnf, 4), allowed(4, is_within), "{what}");
                for r in [Lit::positive(4), Lit::negative(1)] {
                    let mut cnf = Cnf::with_vars(5);
                    cnf.pb_iff_between(r, &terms, from..=to, enc).unwrap();
                    let allowed = allowed(5, |values| is_true(r, values) == is_within(values));
                    assert_eq!(projected(&cnf, 5), allowed, "{r} iff {what}");
                }
            }
        }
    }
}

fn sum(terms: &[(Lit, i64)], values: u32) -> i64 {
    terms.iter().filter(|&&(lit, _)| is_true(lit, values)).map(|&(_, weight)| weight).sum()
}

/// Reified by a free literal and by one of its own, by every encoding, under a condition.
#[test]
fn reified_counts_by_every_encoding() {
    let n = 4;
    let lits: Vec<Lit> = (0..n as u32).map(|var| Lit::new(var, var % 3 == 1)).collect();
    let [free, cond] = [n as u32, n as u32 + 1].map(Lit::positive);
    for (least, most) in (0..=n + 1).flat_map(|least| (0..=n + 1).map(move |most| (least, most))) {
        for (enc, r) in CardEncoding::ALL.iter().flat_map(|enc| [(enc, free), (enc, !lits[2])]) {
            let allowed = allowed(n + 2, |values| {
                let count = lits.iter().filter(|&&lit| is_true(lit, values)).count();
                !is_true(cond, values) || is_true(r, values) == (least..=most).contains(&count)
            });
            let mut cnf = Cnf::with_vars(n + 2);
            cnf.when([cond]).iff_between(r, &lits, least..=most, enc).unwrap();
            let mut formula = Formula::with_vars(n + 2);
            formula.when([cond]).iff_between(r, &lits, least..=most, enc).unwrap();
            let what = format!("{r} iff {least} to {most} of {n} by {enc}");
            assert_eq!(projected(&cnf, n + 2), allowed, "{what}");
            assert_eq!(solutions(&formula, n + 2), allowed, "{what}");
        }
    }
}
