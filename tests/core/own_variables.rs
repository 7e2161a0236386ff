//! A formula knows which variables are its user's, whatever it has to write as clauses at once: solutions are counted
//! by these.

use cnfkit::ask::Ask;
use cnfkit::{
    CardEncoding, ClauseSink, Constrain, Counter, Formula, IncAtMostOne, IncExactlyOne, IncTotalizer, Lit, PbEncoding,
    Totalizer, WeightedCounter,
};

/// The solutions that a formula has, and those of `allows` over its first `n` variables.
fn check(what: &str, formula: &Formula, n: u32, allows: impl Fn(&dyn Fn(Lit) -> bool) -> bool) {
    let holds = |assignment: u32| allows(&|lit: Lit| (assignment >> lit.vidx32() & 1 == 1) == lit.is_pos());
    let expected = (0..1 << n).filter(|&assignment| holds(assignment)).count();
    assert_eq!(formula.lits().len(), n as usize, "{what}: variables");
    assert_eq!(Ask::new(formula).count(1_000).unwrap(), expected, "{what}: solutions");
}

fn weighed(is_true: &dyn Fn(Lit) -> bool, terms: &[(Lit, i64)]) -> i64 {
    terms.iter().filter(|&&(lit, _)| is_true(lit)).map(|&(_, weight)| weight).sum()
}

#[test]
fn of_reified_bounds() {
    let mut formula = Formula::new();
    let x = formula.new_lits(4);
    let terms = [(x[0], 4), (x[1], 6), (x[2], -3)];
    formula.pb_iff_exactly(x[3], terms, 3, PbEncoding::Auto).unwrap();
    check("a reified sum", &formula, 4, |is_true| is_true(x[3]) == (weighed(is_true, &terms) == 3));

    let mut formula = Formula::new();
    let x = formula.new_lits(4);
    formula.when([x[3]]).iff_exactly(x[2], &x[..2], 1, CardEncoding::Auto).unwrap();
    let one = |is_true: &dyn Fn(Lit) -> bool| is_true(x[0]) != is_true(x[1]);
    check("one of two", &formula, 4, |is_true| !is_true(x[3]) || is_true(x[2]) == one(is_true));

    let mut formula = Formula::new();
    let x = formula.new_lits(4);
    formula.when([x[0], !x[0]]).iff_exactly(x[3], &x[..3], 1, CardEncoding::Auto).unwrap();
    check("never", &formula, 4, |_| true);

    // The reifying literal is one of those that are counted.
    let mut formula = Formula::new();
    let x = formula.new_lits(5);
    formula.when([x[4]]).iff_exactly(x[0], &x[..4], 2, CardEncoding::Auto).unwrap();
    let count = |is_true: &dyn Fn(Lit) -> bool| x[..4].iter().filter(|&&lit| is_true(lit)).count();
    check("itself", &formula, 5, |is_true| !is_true(x[4]) || is_true(x[0]) == (count(is_true) == 2));
}

#[test]
fn of_sums_beyond_64_bits() {
    let mut formula = Formula::new();
    let x = formula.new_lits(4);
    let terms: Vec<(Lit, i64)> = x.iter().map(|&lit| (lit, i64::MAX - i64::from(lit.vidx32()))).collect();
    formula.pb_at_most(&terms, i64::MAX, PbEncoding::Auto).unwrap();
    let count = |is_true: &dyn Fn(Lit) -> bool| x.iter().filter(|&&lit| is_true(lit)).count();
    check("at most one", &formula, 4, |is_true| count(is_true) <= 1);

    let mut formula = Formula::new();
    let x = formula.new_lits(5);
    let terms: Vec<(Lit, u64)> = x[..4].iter().copied().zip([u64::MAX, u64::MAX, u64::MAX - 5, 7]).collect();
    formula.pb_iff_at_least(x[4], &terms, u64::MAX, PbEncoding::Auto).unwrap();
    formula.when([x[4]]).pb_at_most(&terms, u64::MAX - 1, PbEncoding::Auto).unwrap();
    check("the greatest bound", &formula, 5, |is_true| {
        let sum = terms.iter().filter(|&&(lit, _)| is_true(lit)).map(|&(_, weight)| u128::from(weight)).sum::<u128>();
        let reached = sum >= u128::from(u64::MAX);
        is_true(x[4]) == reached && !reached
    });
}

/// Encodings that write at once, directly or through the front door.
#[test]
fn of_encodings_that_write_at_once() {
    use cnfkit::{AtMostK, Counter, SequentialCounter, Totalizer};
    let few = |is_true: &dyn Fn(Lit) -> bool| (0..6).filter(|&var| is_true(Lit::positive(var))).count() <= 2;
    let mut formula = Formula::new();
    let x = formula.new_lits(6);
    formula.at_most(&x, 2, &Totalizer::default().full(true)).unwrap();
    check("a totalizer with options", &formula, 6, few);
    let mut formula = Formula::new();
    let x = formula.new_lits(6);
    SequentialCounter::default().at_most(&mut formula, &x, 2).unwrap();
    check("an encoding without the front door", &formula, 6, few);
    let mut formula = Formula::new();
    let x = formula.new_lits(6);
    let count = Totalizer::default().count(&mut formula, &x, 4).unwrap();
    formula.add_clause(&[!count.outputs()[2]]).unwrap();
    check("a counter", &formula, 6, few);
    let mut formula = Formula::new();
    let x = formula.new_lits(6);
    let mut count = IncTotalizer::default();
    count.extend(&mut formula, &x).unwrap();
    count.widen(&mut formula, 4).unwrap();
    formula.add_clause(&[count.at_most(2).and_then(cnfkit::Bound::lit).unwrap()]).unwrap();
    check("a counter that grows", &formula, 6, few);
}

#[test]
fn of_texts() {
    let text = "* #variable= 4 #constraint= 2\n+9223372036854775807 x1 +9223372036854775807 x2 +9223372036854775807 x3 \
                +3 x4 >= 9223372036854775808 ;\n+1 x1 x2 +1 x3 x4 >= 1 ;\n";
    let formula = Formula::read_opb(text.as_bytes()).unwrap();
    check("OPB", &formula, 4, |is_true| {
        let [a, b, c, d] = [0, 1, 2, 3].map(|var| is_true(Lit::positive(var)));
        let huge = [a, b, c].iter().filter(|&&value| value).count();
        (huge >= 2 || huge == 1 && d) && (a && b || c && d)
    });
    let mut cnf = Vec::new();
    formula.write_dimacs(&mut cnf).unwrap();
    let again = Formula::read_dimacs(&cnf[..]).unwrap();
    assert_eq!(again.lits(), formula.lits());
    assert_eq!(Ask::new(&again).count(100).unwrap(), Ask::new(&formula).count(100).unwrap());
}

/// Variables that a text shows, or that models are counted by, stay where auxiliaries vanish: there are as many
/// solutions as before, in every format, of formulas of clauses of two literals and blocked ones.
#[test]
fn of_what_was_detected() {
    let mut state = 1_u64;
    let mut below = |n: u32| {
        state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        ((state >> 33) % u64::from(n)) as u32
    };
    let mut vanished = 0;
    for round in 0..400 {
        let n = 4 + below(4);
        let mut text = format!("p cnf {n} {}\nc p show", n + 3);
        let shown = (1..=n).filter(|_| round % 2 == 0 || below(2) == 0);
        text.extend(shown.map(|var| format!(" {var}")).chain([" 0\n".into()]));
        for _ in 0..n + 3 {
            let sign = if below(4) == 0 { "" } else { "-" };
            let lits = (0..2 + below(5) / 4).map(|_| format!("{sign}{} ", 1 + below(n)));
            text.extend(lits.chain(["0\n".into()]));
        }
        let formula = Formula::read_dimacs(text.as_bytes()).unwrap();
        let solutions = Ask::new(&formula).count(1_000).unwrap();
        let detected = formula.detect();
        vanished += detected.auxiliaries().len();
        let mut found = vec![detected.formula()];
        for (name, write, read) in FORMATS {
            let mut text = Vec::new();
            write(&found[0], &mut text).unwrap();
            let again = read(&text).unwrap();
            assert_eq!(again.lits(), formula.lits(), "{name}: {text:?}");
            found.push(again.detect().formula());
        }
        for found in found {
            assert_eq!(found.lits(), formula.lits(), "{text}");
            assert_eq!(Ask::new(&found).count(1_000).unwrap(), solutions, "{text}");
        }
    }
    assert!(vanished > 10, "{vanished}");
    // The same clauses, counted by all of their variables.
    let text = "p cnf 4 4\n-1 -2 0\n3 4 0\n-1 -3 0\n-3 -2 0\n";
    let formula = Formula::read_dimacs(text.as_bytes()).unwrap();
    assert!(formula.detect().auxiliaries().len() > 0);
    let counted = formula.for_counting();
    let found = counted.detect().formula();
    assert_eq!(Ask::new(&found).count(100).unwrap(), Ask::new(&counted).count(100).unwrap());
}

/// Every text that has auxiliaries says which variables are the user's, and is read so.
type Write = fn(&Formula, &mut Vec<u8>) -> std::io::Result<()>;
type Read = fn(&[u8]) -> Result<Formula, cnfkit::ReadError>;
const FORMATS: [(&str, Write, Read); 4] = [
    ("DIMACS", |formula, text| formula.write_dimacs(text), |text| Formula::read_dimacs(text)),
    ("KNF", |formula, text| formula.write_knf(text), |text| Formula::read_knf(text)),
    ("OPB", |formula, text| formula.write_opb(text), |text| Formula::read_opb(text)),
    ("WCNF", |formula, text| formula.write_wcnf(text), |text| Formula::read_wcnf(text)),
];

#[test]
fn of_texts_that_were_written() {
    let mut formula = Formula::new();
    let x = formula.new_lits(7);
    formula.at_most(&x[..6], 2, &cnfkit::Totalizer::default().full(true)).unwrap();
    formula.iff_at_least(x[6], &x[..6], 2, CardEncoding::Auto).unwrap();
    formula.add_soft_clause(&x[2..4], 3).unwrap();
    for (name, write, read) in FORMATS {
        let mut text = Vec::new();
        write(&formula, &mut text).unwrap();
        let again = read(&text).unwrap();
        assert_eq!(again.lits(), x, "{name}");
        check(name, &again, 7, |is_true| {
            let count = x[..6].iter().filter(|&&lit| is_true(lit)).count();
            count <= 2 && is_true(x[6]) == (count >= 2)
        });
    }
}

#[test]
fn names_of_what_is_in_no_clause() {
    let mut formula = Formula::new();
    let x = formula.new_lits(3);
    formula.add_clause(&x[..2]).unwrap();
    formula.set_name(x[2].var(), "ben");
    for (name, write, read) in FORMATS {
        let mut text = Vec::new();
        write(&formula, &mut text).unwrap();
        let again = read(&text).unwrap();
        assert_eq!((again.lits(), again.name(x[2].var())), (x.clone(), Some("ben")), "{name}");
    }
}

/// Structures that grow on a formula have auxiliaries, not the caller's, and clauses that no proof starts from.
#[test]
fn what_grows_has_auxiliaries() {
    let weights = |x: &[Lit]| x.iter().copied().zip([3_u64, 5, 9, 17, 33, 65, 129]).collect::<Vec<_>>();
    let grow: [(&str, &dyn Fn(&mut Formula, &[Lit])); 6] = [
        ("IncTotalizer", &|formula, x| {
            let mut count = IncTotalizer::new();
            count.extend(formula, &x[..4]).unwrap();
            count.widen(formula, 3).unwrap();
            count.extend(formula, &x[4..]).unwrap();
        }),
        ("WeightedCounter", &|formula, x| {
            let mut sum = WeightedCounter::new();
            sum.extend(formula, &weights(x));
            sum.at_most(formula, 40).unwrap();
            sum.at_least(formula, 20).unwrap();
        }),
        ("WeightedCounter", &|formula, x| {
            let mut sum = WeightedCounter::new();
            sum.extend(formula, &weights(x));
            sum.widen(formula, cnfkit_core::internals::Side::Upper, 30, 90).unwrap();
        }),
        ("at most one is true", &|formula, x| {
            IncAtMostOne::new().extend(formula, x).unwrap();
        }),
        ("at most one is true", &|formula, x| {
            let mut one = IncExactlyOne::new();
            one.extend(&mut formula.when(x[0]), &x[1..3]).unwrap();
            one.extend(&mut formula.when(x[0]), &x[3..]).unwrap();
            assert!(one.later().is_some());
        }),
        ("Counter", &|formula, x| {
            Totalizer::default().count(formula, x, 4).unwrap();
        }),
    ];
    for (words, grow) in grow {
        let mut formula = Formula::new();
        let mut x = formula.new_lits(7);
        grow(&mut formula, &x);
        x.extend(formula.new_lits(1));
        assert!(formula.n_vars() > x.len() && formula.lits() == x, "{words}: {:?}", formula.lits());
        let refused = formula.certify(&mut Vec::new(), Vec::new(), Vec::new()).unwrap_err().to_string();
        assert!(refused.contains(words), "{refused}");
    }
}
