//! Counts and sums between two bounds: what they say, by every encoding; and one counter never takes more than two.

use std::convert::Infallible;

use cnfkit::ask::Ask;
use cnfkit::{CardEncoding, ClauseSink, Cnf, Constrain, Formula, Lit, PbEncoding, Size, Tally, Var};

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

fn solutions(formula: &Formula) -> usize {
    Ask::new(formula).count(10_000).unwrap()
}

/// The solutions of clauses over the first `n` variables.
fn projected(cnf: &Cnf, n: usize) -> usize {
    let shown: Vec<String> = (1..=n).map(|var| var.to_string()).collect();
    let text = cnf.to_string().replacen('\n', &format!("\nc p show {} 0\n", shown.join(" ")), 1);
    solutions(&Formula::read_dimacs(text.as_bytes()).unwrap())
}

fn binomial(n: u64, k: u64) -> u64 {
    (1..=k).fold(1, |found, at| found * (n + 1 - at) / at)
}

#[test]
fn counts_by_every_encoding() {
    for n in 0..=6_usize {
        let lits: Vec<Lit> = (0..n as u32).map(|var| Lit::new(var, var % 3 == 1)).collect();
        for (least, most) in (0..=n + 1).flat_map(|least| (0..=n + 1).map(move |most| (least, most))) {
            let allowed: u64 = (least..=most.min(n)).map(|k| binomial(n as u64, k as u64)).sum();
            for enc in CardEncoding::ALL {
                let what = format!("{least} to {most} of {n} by {enc}");
                let mut cnf = Cnf::with_vars(n + 1);
                let cond = Lit::positive(n as u32);
                cnf.when([cond]).between(&lits, least..=most, enc).unwrap();
                assert_eq!(projected(&cnf, n + 1) as u64, allowed + (1 << n), "{what}");
            }
            for formula in [Formula::with_vars(n), Formula::with_vars(n).for_counting()] {
                let (mut formula, counting) = (formula.clone(), formula.is_for_counting());
                formula.between(&lits, least..=most, CardEncoding::Auto).unwrap();
                assert_eq!(solutions(&formula) as u64, allowed, "{least} to {most} of {n}");
                if counting {
                    let cnf = formula.encode().unwrap();
                    let all = Formula::read_dimacs(cnf.to_string().as_bytes()).unwrap();
                    assert_eq!(solutions(&all) as u64, allowed, "{least} to {most} of {n}, of all variables");
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
    for (least, most) in (-6..22).flat_map(|least| (-6..22).map(move |most| (least, most))) {
        let sum = |values: u32| (0..5).filter(|at| values >> at & 1 == 1).map(|at| weights[at]).sum::<i64>();
        let allowed = (0..32).filter(|&values| (least..=most).contains(&sum(values))).count();
        for counting in [false, true] {
            let mut formula = Formula::with_vars(5);
            if counting {
                formula = formula.for_counting();
            }
            let terms: Vec<(Lit, i64)> = (0..).map(Lit::positive).zip(weights).collect();
            formula.pb_between(&terms, least..=most, PbEncoding::Auto).unwrap();
            assert_eq!(solutions(&formula), allowed, "{least} to {most}");
        }
        let mut cnf = Cnf::with_vars(5);
        let terms: Vec<(Lit, i64)> = (0..).map(Lit::positive).zip(weights).collect();
        cnf.pb_between(&terms, least..=most, PbEncoding::Auto).unwrap();
        assert_eq!(projected(&cnf, 5), allowed, "{least} to {most}");
    }
}

/// Reified by a free literal and by one of its own, by every encoding, under a condition.
#[test]
fn reified_counts_by_every_encoding() {
    let n = 4;
    let lits: Vec<Lit> = (0..n as u32).map(|var| Lit::new(var, var % 3 == 1)).collect();
    let [free, cond] = [n as u32, n as u32 + 1].map(Lit::positive);
    for (least, most) in (0..=n + 1).flat_map(|least| (0..=n + 1).map(move |most| (least, most))) {
        for (enc, r) in CardEncoding::ALL.iter().flat_map(|enc| [(enc, free), (enc, !lits[2])]) {
            let holds = |values: u32| {
                let is_true = |lit: Lit| (values >> lit.vidx32() & 1 == 1) == lit.is_pos();
                let sum = lits.iter().filter(|&&lit| is_true(lit)).count();
                !is_true(cond) || is_true(r) == (least..=most).contains(&sum)
            };
            let allowed = (0..1 << (n + 2)).filter(|&values| holds(values)).count();
            let mut cnf = Cnf::with_vars(n + 2);
            cnf.when([cond]).iff_between(r, &lits, least..=most, enc).unwrap();
            let mut formula = Formula::with_vars(n + 2);
            formula.when([cond]).iff_between(r, &lits, least..=most, enc).unwrap();
            let what = format!("{r} iff {least} to {most} of {n} by {enc}");
            assert_eq!(projected(&cnf, n + 2), allowed, "{what}");
            assert_eq!(solutions(&formula), allowed, "{what}");
        }
    }
}
