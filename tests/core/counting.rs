//! Formulas for counting: every solution has one model, whatever is said, under conditions and reified, too; and the
//! clauses say for which variables models are counted.

use cnfkit::ask::Ask;
use cnfkit::{
    AmoEncoding, AtMostK, BoolExpr, CapacityError, CardEncoding, ClauseSink, Constrain, Formula, Lit, PbEncoding,
    PbRelation, Relation, Terms, Totalizer,
};

use super::between::solutions;

type Holds = Box<dyn Fn(&dyn Fn(Lit) -> bool) -> bool>;
type Said = Box<dyn Fn(&mut dyn ClauseSink<Error = CapacityError>, Option<Lit>) -> Result<(), CapacityError>>;

/// One kind of constraint: how it is said, reified by a literal or not, and when it holds.
struct Kind {
    name: &'static str,
    said: Said,
    holds: Holds,
}

fn kind(
    name: &'static str,
    said: impl Fn(&mut dyn ClauseSink<Error = CapacityError>, Option<Lit>) -> Result<(), CapacityError> + 'static,
    holds: impl Fn(&dyn Fn(Lit) -> bool) -> bool + 'static,
) -> Kind {
    Kind { name, said: Box::new(said), holds: Box::new(holds) }
}

fn count(is_true: &dyn Fn(Lit) -> bool, lits: &[Lit]) -> usize {
    lits.iter().filter(|&&lit| is_true(lit)).count()
}

fn weigh(is_true: &dyn Fn(Lit) -> bool, terms: &[(Lit, i64)]) -> i128 {
    terms.iter().filter(|&&(lit, _)| is_true(lit)).map(|&(_, weight)| i128::from(weight)).sum()
}

/// Counts by `enc` of six literals, two of them negated.
fn counted<E: AtMostK + Copy + 'static>(name: &'static str, relation: Relation, enc: E) -> Kind
where
    for<'e> &'e E: cnfkit::encode::AsEncoding<Encoding = E>,
{
    let lits: Vec<Lit> = (0..6).map(|var| Lit::new(var, var % 3 == 2)).collect();
    let these = lits.clone();
    let said = move |sink: &mut dyn ClauseSink<Error = CapacityError>, r: Option<Lit>| match (r, relation) {
        (None, _) => sink.cardinality(&these, relation, &enc),
        (Some(r), Relation::AtMost(k)) => sink.iff_at_most(r, &these, k, &enc),
        (Some(r), Relation::AtLeast(k)) => sink.iff_at_least(r, &these, k, &enc),
        (Some(r), Relation::Exactly(k)) => sink.iff_exactly(r, &these, k, &enc),
    };
    kind(name, said, move |is_true| relation.allows(count(is_true, &lits)))
}

fn summed(name: &'static str, weights: &'static [i64], relation: PbRelation<i64>, enc: PbEncoding) -> Kind {
    let terms: Vec<(Lit, i64)> = (0..).map(Lit::positive).zip(weights.iter().copied()).collect();
    let these = terms.clone();
    let said = move |sink: &mut dyn ClauseSink<Error = CapacityError>, r: Option<Lit>| match (r, relation) {
        (None, _) => sink.pb(&these, relation, enc),
        (Some(r), PbRelation::AtMost(bound)) => sink.pb_iff_at_most(r, &these, bound, enc),
        (Some(r), PbRelation::AtLeast(bound)) => sink.pb_iff_at_least(r, &these, bound, enc),
        (Some(r), PbRelation::Exactly(bound)) => sink.pb_iff_exactly(r, &these, bound, enc),
    };
    kind(name, said, move |is_true| {
        let sum = weigh(is_true, &terms);
        match relation {
            PbRelation::AtMost(bound) => sum <= bound.into(),
            PbRelation::AtLeast(bound) => sum >= bound.into(),
            PbRelation::Exactly(bound) => sum == bound.into(),
        }
    })
}

/// Between two bounds: a count of six literals, and a sum of five weights.
fn between(kinds: &mut Vec<Kind>) {
    let lits: Vec<Lit> = (0..6).map(|var| Lit::new(var, var % 3 == 2)).collect();
    let terms: Vec<(Lit, i64)> = (0..).map(Lit::positive).zip([5, -4, 9, 3, 3]).collect();
    for enc in [CardEncoding::Auto, CardEncoding::Smallest, CardEncoding::Combinatorial] {
        for (least, most) in [(0, 3), (1, 3), (2, 4), (2, 5), (3, 3), (2, 6), (4, 2)] {
            let (these, own) = (lits.clone(), lits.clone());
            let said = move |sink: &mut dyn ClauseSink<Error = CapacityError>, r: Option<Lit>| match r {
                None => sink.between(&these, least..=most, enc),
                Some(r) => sink.iff_between(r, &these, least..=most, enc),
            };
            kinds.push(kind("between", said, move |is_true| (least..=most).contains(&count(is_true, &own))));
        }
    }
    for enc in [PbEncoding::Auto, PbEncoding::GeneralizedTotalizer] {
        for (least, most) in [(-4, 20), (-3, 19), (0, 5), (4, 8), (6, 9), (9, 9), (12, 30), (7, 3)] {
            let (these, own) = (terms.clone(), terms.clone());
            let said = move |sink: &mut dyn ClauseSink<Error = CapacityError>, r: Option<Lit>| match r {
                None => sink.pb_between(&these, least..=most, enc),
                Some(r) => sink.pb_iff_between(r, &these, least..=most, enc),
            };
            let holds =
                move |is_true: &dyn Fn(Lit) -> bool| (least.into()..=most.into()).contains(&weigh(is_true, &own));
            kinds.push(kind("a sum between", said, holds));
        }
    }
}

/// Every kind of constraint on the first six variables.
fn kinds() -> Vec<Kind> {
    let mut kinds = Vec::new();
    for k in 0..=6 {
        kinds.push(counted("at most", Relation::AtMost(k), CardEncoding::Auto));
        kinds.push(counted("at least", Relation::AtLeast(k), CardEncoding::Smallest));
        kinds.push(counted("exactly", Relation::Exactly(k), CardEncoding::Totalizer));
    }
    for enc in [CardEncoding::Combinatorial, CardEncoding::Adder, CardEncoding::Sequential] {
        kinds.push(counted("exactly, by name", Relation::Exactly(3), enc));
    }
    kinds.push(counted("an encoding with options", Relation::AtMost(2), Totalizer::default().order(true)));
    for (relation, name) in [(Relation::AtMost(1), "at most one"), (Relation::Exactly(1), "exactly one")] {
        for enc in [AmoEncoding::Auto, AmoEncoding::Pairwise, AmoEncoding::Ladder] {
            let x: Vec<Lit> = (0..6).map(Lit::positive).collect();
            let these = x.clone();
            let said = move |sink: &mut dyn ClauseSink<Error = CapacityError>, r: Option<Lit>| match (r, relation) {
                (None, Relation::AtMost(_)) => sink.at_most_one(&these, enc),
                (None, _) => sink.exactly_one(&these, enc),
                (Some(r), _) => sink.post(&cnfkit::Constraint::count(&these, relation).iff(r), enc),
            };
            kinds.push(kind(name, said, move |is_true| relation.allows(count(is_true, &x))));
        }
    }
    let sums: [(&'static [i64], i64); 6] = [
        (&[3, 5, 7, 4, 2, 6], 13),
        (&[4, 6, -3], 3),
        (&[1, 2, 4, 8, 16, -32], -7),
        (&[5, 5, 3, 1, 1, 1], 8),
        (&[9, 4, 4, 4], 9),
        (&[i64::MAX, i64::MAX - 1, i64::MAX - 4, 5, 3, -7], i64::MAX),
    ];
    for (weights, bound) in sums {
        let encs = [PbEncoding::Auto, PbEncoding::Smallest, PbEncoding::BinaryAdder];
        for enc in encs {
            kinds.push(summed("a sum at most", weights, PbRelation::AtMost(bound), enc));
            kinds.push(summed("a sum at least", weights, PbRelation::AtLeast(bound), enc));
            kinds.push(summed("a sum exactly", weights, PbRelation::Exactly(bound), enc));
        }
    }
    for (n, odd) in [(2, true), (6, false), (6, true)] {
        let lits: Vec<Lit> = (0..n).map(|var| Lit::new(var, var % 3 == 2)).collect();
        let these = lits.clone();
        let said = move |sink: &mut dyn ClauseSink<Error = CapacityError>, r: Option<Lit>| match r {
            None => sink.parity(&these, odd),
            Some(r) => sink.iff_parity(r, &these, odd),
        };
        kinds.push(kind("parity", said, move |is_true| (count(is_true, &lits) % 2 == 1) == odd));
    }
    let [a, b, c, d] = [0, 1, 2, 3].map(|var| BoolExpr::from(Lit::new(var, var == 2)));
    let shared = a.clone() & (b.clone() ^ c.clone());
    let expr = BoolExpr::ite(d, shared.clone() | b, !shared ^ (a | c));
    let same = expr.clone();
    let said = move |sink: &mut dyn ClauseSink<Error = CapacityError>, r: Option<Lit>| match r {
        None => sink.require(&expr),
        Some(r) => sink.require(expr.clone().iff(r)),
    };
    kinds.push(kind("an expression", said, move |is_true| same.holds(is_true)));
    between(&mut kinds);
    kinds
}

/// Hands on a formula with a name for it, how many variables it has, and which of their values it allows.
type Check<'c> = dyn FnMut(&str, &Formula, usize, &dyn Fn(&dyn Fn(Lit) -> bool) -> bool) + 'c;

/// The solutions by the definition, as numbers with a bit for each variable.
fn expected(n: usize, holds: &dyn Fn(&dyn Fn(Lit) -> bool) -> bool) -> Vec<u32> {
    (0..1_u32 << n).filter(|values| holds(&|lit| (values >> lit.vidx32() & 1 == 1) == lit.is_pos())).collect()
}

/// Compares the models of all variables of the clauses, as the formula's own variables tell them apart.
fn check(what: &str, formula: &Formula, n: usize, holds: &dyn Fn(&dyn Fn(Lit) -> bool) -> bool) {
    let expected = expected(n, holds);
    assert_eq!(formula.lits().len(), n, "{what}");
    let cnf = formula.encode().unwrap();
    assert_eq!(formula.size().vars, (cnf.n_vars() - formula.n_vars()) as u64, "{what}");
    let clauses = Formula::read_dimacs(cnf.to_string().as_bytes()).unwrap();
    assert_eq!(clauses.lits().len(), cnf.n_vars());
    assert_eq!(solutions(&clauses, n), expected, "{what}: {:?}", cnf.to_string());
}

/// Every kind, plain, under conditions, and reified.
fn each_case(check: &mut Check<'_>) {
    let [c, r] = [6, 7].map(Lit::positive);
    for Kind { name, said, holds } in kinds() {
        let new = || {
            let mut formula = Formula::new().for_counting();
            formula.new_lits(8);
            formula
        };
        let mut formula = new();
        said(&mut formula, None).unwrap();
        check(name, &formula, 8, &*holds);

        let mut formula = new();
        said(&mut formula.when([c]).when([!r]), None).unwrap();
        check(&format!("{name}, when"), &formula, 8, &|is_true| !is_true(c) || is_true(r) || holds(is_true));

        let mut formula = new();
        said(&mut formula, Some(!r)).unwrap();
        check(&format!("{name}, iff"), &formula, 8, &|is_true| is_true(r) != holds(is_true));

        let mut formula = new();
        said(&mut formula.when([!c]), Some(r)).unwrap();
        check(&format!("{name}, when and iff"), &formula, 8, &|is_true| is_true(c) || is_true(r) == holds(is_true));

        // The reifying literal is an input, and is known under a condition.
        let x = Lit::positive(1);
        let mut formula = new();
        said(&mut formula.when([c]), Some(x)).unwrap();
        check(&format!("{name}, iff itself"), &formula, 8, &|is_true| !is_true(c) || is_true(x) == holds(is_true));
        let mut formula = new();
        said(&mut formula.when([c, r]), Some(!r)).unwrap();
        let never = |is_true: &dyn Fn(Lit) -> bool| !is_true(c) || !is_true(r) || !holds(is_true);
        check(&format!("{name}, not"), &formula, 8, &never);
        let mut formula = new();
        said(&mut formula.when([c, !c]), Some(r)).unwrap();
        check(&format!("{name}, never"), &formula, 8, &|_| true);
    }
}

#[test]
fn every_kind_has_one_model_for_each_solution() {
    each_case(&mut check);
}

/// Counts by Ganak, a model counter, of the clauses that `write_dimacs` writes: projected and not.
#[test]
#[ignore = "takes a Python with pyganak, as GANAK says"]
fn ganak_counts_the_solutions() {
    use std::io::Write;
    use std::process::{Command, Stdio};

    const PROGRAM: &str = "
import sys, pyganak
for text in sys.stdin.read().split('c end\\n')[:-1]:
    lines = [line.split() for line in text.splitlines()]
    shown = [int(word) for line in lines if line[:3] == ['c', 'p', 'show'] for word in line[3:-1]]
    n = next(int(line[2]) for line in lines if line[0] == 'p')
    clauses = [[int(word) for word in line[:-1]] for line in lines if line[0] not in 'cp']
    for own in shown, None:
        counter = pyganak.Counter()
        counter.new_vars(n)
        counter.add_clauses(clauses)
        if own is not None:
            counter.set_sampling_set(own)
        print(counter.count())
";
    let (mut names, mut wanted, mut texts) = (Vec::new(), Vec::new(), Vec::new());
    each_case(&mut |what, formula, n, holds| {
        names.push(what.to_owned());
        wanted.push(expected(n, holds).len().to_string());
        formula.write_dimacs(&mut texts).unwrap();
        texts.extend_from_slice(b"c end\n");
    });
    let python = std::env::var_os("GANAK").expect("GANAK is a Python with pyganak");
    let mut child = Command::new(python)
        .args(["-c", PROGRAM])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a Python");
    child.stdin.take().unwrap().write_all(&texts).unwrap();
    let output = child.wait_with_output().unwrap();
    let counts = String::from_utf8(output.stdout).unwrap();
    // It comments on a formula that cannot hold.
    let counts: Vec<&str> = counts.lines().filter(|line| !line.starts_with("c ")).collect();
    assert_eq!(counts.len(), 2 * names.len());
    for ((name, wanted), counts) in names.iter().zip(&wanted).zip(counts.chunks(2)) {
        assert_eq!(counts, [wanted, wanted], "{name}");
    }
    assert!(names.len() > 500, "{}", names.len());
}

#[test]
fn groups_and_clauses() {
    let mut formula = Formula::new().for_counting();
    let x = formula.new_lits(8);
    let terms: Vec<(Lit, u64)> = x[..6].iter().copied().zip([3, 5, 2, 4, 6, 1]).collect();
    formula.when([x[6]]).at_most_one(&x[..3], AmoEncoding::Auto).unwrap();
    formula.when([x[6]]).at_most_one(&x[3..6], AmoEncoding::Auto).unwrap();
    let grouped = Terms::grouped(&terms, &[3, 6]);
    formula.when([x[6]]).pb_grouped(&grouped, PbRelation::AtMost(8), &PbEncoding::Auto).unwrap();
    formula.when([x[6]]).pb_iff_grouped(x[7], &grouped, PbRelation::Exactly(8), &PbEncoding::Auto).unwrap();
    formula.add_clause(&[x[0], x[4], !x[6]]).unwrap();
    check("groups", &formula, 8, &|is_true| {
        let sum: u64 = terms.iter().filter(|&&(lit, _)| is_true(lit)).map(|&(_, weight)| weight).sum();
        let one = |lits: &[Lit]| count(is_true, lits) <= 1;
        !is_true(x[6])
            || one(&x[..3])
                && one(&x[3..6])
                && sum <= 8
                && is_true(x[7]) == (sum == 8)
                && (is_true(x[0]) || is_true(x[4]))
    });
}

/// Constraints that are merged, tightened and grouped, given before the formula is for counting.
#[test]
fn formulas_by_lot() {
    let mut seed = 7_u64;
    let mut below = |n: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % n
    };
    let kinds = kinds();
    for round in 0..60 {
        let mut formula = Formula::new();
        let x = formula.new_lits(8);
        let mut said: Vec<(usize, Vec<Lit>, Option<Lit>)> = Vec::new();
        for _ in 0..=below(4) {
            let number = below(kinds.len() as u64) as usize;
            let cond: Vec<Lit> = (0..below(3)).map(|_| x[below(8) as usize].var().lit(below(2) == 0)).collect();
            // Without an encoding that writes at once.
            if kinds[number].name == "an encoding with options" {
                continue;
            }
            let r = (below(3) == 0 && !cond.iter().any(|lit| lit.vidx() == 7)).then_some(x[7]);
            said.push((number, cond, r));
        }
        if round % 2 == 0 {
            formula = formula.for_counting();
        }
        for (number, cond, r) in &said {
            (kinds[*number].said)(&mut formula.when(cond), *r).unwrap();
        }
        let written_at_once = formula.n_vars() > 8;
        let formula = formula.for_counting();
        if round % 2 == 1 && written_at_once {
            continue; // it was reified by one of its own literals before it was for counting
        }
        let says = |is_true: &dyn Fn(Lit) -> bool| {
            said.iter().all(|(number, cond, r)| {
                let holds = (kinds[*number].holds)(is_true);
                !cond.iter().all(|&lit| is_true(lit)) || r.map_or(holds, |r| is_true(r) == holds)
            })
        };
        let names: Vec<_> = said.iter().map(|(number, cond, r)| (kinds[*number].name, cond, r)).collect();
        check(&format!("{names:?}"), &formula, 8, &says);
    }
}

#[test]
fn dimacs_says_what_is_counted() {
    let mut formula = Formula::new().for_counting();
    let x = formula.new_lits(10);
    formula.at_most(&x, 5, CardEncoding::Auto).unwrap();
    let mut text = Vec::new();
    formula.write_dimacs(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.starts_with("c t pmc\np cnf ") && text.contains("\nc p show 1 2 3 4 5 6 7 8 9 10 0\n"), "{text}");
    let again = Formula::read_dimacs(text.as_bytes()).unwrap();
    assert_eq!(again.lits(), x);
    assert_eq!(Ask::new(&again).count(1_000).unwrap(), 638);
    let clauses = Formula::read_dimacs(formula.encode().unwrap().to_string().as_bytes()).unwrap();
    assert_eq!(Ask::new(&clauses).count(10_000).unwrap(), 638);
}

#[test]
fn soft_clauses_say_whether_they_hold() {
    let mut formula = Formula::new().for_counting();
    let x = formula.new_lits(3);
    formula.add_soft_clause(&x, 4).unwrap();
    formula.add_soft_clause(&[!x[0], x[1]], 1).unwrap();
    check("soft clauses", &formula, 3, &|_| true);
}

/// Variables of bicliques are implied, and no more: a formula for counting has none.
#[test]
fn bicliques_are_left_as_they_are() {
    let mut formula = Formula::with_vars(30);
    for (one, other) in (0..20).flat_map(|one| (20..30).map(move |other| (one, other))) {
        formula.add_clause(&[Lit::negative(one), Lit::negative(other)]).unwrap();
    }
    assert!(formula.join_bicliques().n_vars() > 30);
    let joined = formula.for_counting().join_bicliques();
    assert_eq!((joined.n_vars(), joined.n_clauses()), (30, 200));
}

/// Copies of a formula for counting are for counting, and so is one with other encodings.
#[test]
fn copies_are_for_counting() {
    let mut formula = Formula::new().for_counting();
    let x = formula.new_lits(8);
    formula.iff_exactly(x[7], &x[..6], 3, CardEncoding::Sequential).unwrap();
    let smallest = (AmoEncoding::Smallest, CardEncoding::Smallest, PbEncoding::Smallest);
    let other = formula.with_encodings(smallest.0, smallest.1, smallest.2).unwrap();
    for formula in [formula.clone(), other] {
        check("a copy", &formula, 8, &|is_true| is_true(x[7]) == (count(is_true, &x[..6]) == 3));
    }
}
