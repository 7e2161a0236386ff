//! Bugs with weights that users of other libraries reported, each a test: none of them may happen here. Where they were
//! reported stands beside each, as repository and number of the issue.

use std::time::{Duration, Instant};

use cnfkit::solvers::BatSat;
use cnfkit::{
    AmoEncoding, CardEncoding, ClauseSink, Cnf, Constrain, Formula, Lit, PbEncoding, PbRelation, Size, Terms, Var,
};
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};

/// The models over the first `n` variables, as bits; others may have any value.
fn models(cnf: &Cnf, n: usize) -> Vec<u32> {
    let mut solver = BatSat::default();
    solver.reserve(Var::new(cnf.n_vars() as u32)).unwrap();
    cnf.clauses().for_each(|clause| solver.add_clause_ref(clause).unwrap());
    let assignment = |bits: u32| (0..n as u32).map(|i| Lit::new(i, bits >> i & 1 == 0)).collect::<Vec<_>>();
    (0..1 << n).filter(|&bits| solver.solve_assumps(&assignment(bits)).unwrap() == SolverResult::Sat).collect()
}

/// The assignments of the first `n` variables whose sum is allowed.
fn allowed(terms: &[(Lit, u64)], n: usize, allows: impl Fn(u128) -> bool) -> Vec<u32> {
    let is_true = |bits: u32, lit: Lit| (bits >> lit.vidx32() & 1 == 1) == lit.is_pos();
    let sum = |bits: u32| {
        terms.iter().filter(|&&(lit, _)| is_true(bits, lit)).map(|&(_, weight)| u128::from(weight)).sum::<u128>()
    };
    (0..1 << n).filter(|&bits| allows(sum(bits))).collect()
}

fn terms(weights: &[u64]) -> Vec<(Lit, u64)> {
    (0..).map(Lit::positive).zip(weights.iter().copied()).collect()
}

/// The clauses that `say` adds, by every encoding.
fn each(n: usize, mut check: impl FnMut(&PbEncoding, Cnf)) {
    for enc in PbEncoding::ALL {
        check(enc, Cnf::with_vars(n));
    }
}

fn check(weights: &[u64], relation: PbRelation) {
    let terms = terms(weights);
    each(weights.len(), |enc, mut cnf| {
        cnf.pb(&terms, relation, enc).unwrap();
        let bound = u128::from(relation.bound());
        let expected = allowed(&terms, weights.len(), |sum| match relation {
            PbRelation::AtMost(_) => sum <= bound,
            PbRelation::AtLeast(_) => sum >= bound,
            PbRelation::Exactly(_) => sum == bound,
        });
        assert_eq!(models(&cnf, weights.len()), expected, "{enc}: {relation} of {weights:?}");
    });
}

/// A weight of 0 made another constraint of it (crillab/gophersat#18).
#[test]
fn a_weight_of_0_is_as_good_as_none() {
    for relation in [PbRelation::AtLeast(3), PbRelation::AtMost(2), PbRelation::Exactly(2)] {
        check(&[1, 2, 0, 1], relation);
        each(4, |enc, mut with| {
            let mut without = Cnf::with_vars(4);
            let terms = terms(&[1, 2, 0, 1]);
            with.pb(&terms, relation, enc).unwrap();
            without.pb(&[terms[0], terms[1], terms[3]], relation, enc).unwrap();
            assert_eq!(with, without, "{enc}");
        });
    }
    check(&[0, 0, 0], PbRelation::AtMost(0));
    check(&[0, 0, 0], PbRelation::AtLeast(1));
}

/// At least 4 and at most 5 of 3 + 3 + 3 + 3: there is no such sum (pysathq/pysat#177).
#[test]
fn bounds_between_two_sums_leave_nothing() {
    let terms = terms(&[3; 4]);
    each(4, |enc, mut cnf| {
        cnf.pb_at_most(&terms, 5, enc).unwrap();
        cnf.pb_at_least(&terms, 4, enc).unwrap();
        assert!(models(&cnf, 4).is_empty(), "{enc}");
    });
    check(&[3; 4], PbRelation::AtMost(5));
    check(&[3; 4], PbRelation::AtLeast(4));
    check(&[3; 4], PbRelation::Exactly(4));
}

/// 2x + 2y at most 3 came without a clause (pysathq/pysat#182).
#[test]
fn two_of_two_are_too_much() {
    each(2, |enc, mut cnf| {
        cnf.pb_at_most(&terms(&[2, 2]), 3, enc).unwrap();
        let clauses: Vec<&[Lit]> = cnf.clauses().collect();
        assert_eq!(clauses, [[Lit::negative(0), Lit::negative(1)]], "{enc}");
    });
}

/// Seventy weights of 3 and ten of 4, at least 136, took hours as a diagram (pysathq/pysat#183).
#[test]
fn weights_that_are_almost_alike_take_no_hours() {
    let weights: Vec<u64> = [[3; 70].as_slice(), &[4; 10]].concat();
    let terms = terms(&weights);
    each(80, |enc, mut cnf| {
        let start = Instant::now();
        cnf.pb_at_least(&terms, 136, enc).unwrap();
        assert!(start.elapsed() < Duration::from_secs(10), "{enc}: {:?}", start.elapsed());
        assert!(cnf.size().clauses < 100_000, "{enc}: {}", cnf.size());
        let true_units = |count: usize| {
            let mut cnf = cnf.clone();
            let lits = (0..80).map(|var| Lit::new(var, var >= count as u32));
            lits.for_each(|lit| cnf.add_clause(&[lit]).unwrap());
            cnf.solve().unwrap().is_some()
        };
        // 45 · 3 = 135 and 46 · 3 = 138.
        assert!(!true_units(45) && true_units(46), "{enc}");
    });
}

/// Two constraints on the same variables shared auxiliaries by accident (pysathq/pysat#140).
#[test]
fn constraints_do_not_share_auxiliaries_by_accident() {
    let lits: Vec<Lit> = (0..8).map(Lit::positive).collect();
    let one: Vec<(Lit, u64)> = lits.iter().map(|&lit| (lit, 1 + u64::from(lit.vidx32() % 2))).collect();
    let other: Vec<(Lit, u64)> = one.iter().map(|&(lit, w)| (if lit.vidx() < 4 { lit } else { !lit }, w)).collect();
    each(8, |enc, mut cnf| {
        cnf.pb_at_least(&one, 9, enc).unwrap();
        cnf.pb_at_least(&other, 9, enc).unwrap();
        let expected: Vec<u32> = allowed(&one, 8, |sum| sum >= 9);
        let expected: Vec<u32> =
            allowed(&other, 8, |sum| sum >= 9).into_iter().filter(|bits| expected.contains(bits)).collect();
        assert!(!expected.is_empty());
        assert_eq!(models(&cnf, 8), expected, "{enc}");
    });
}

/// At most 2 of four weights of 1 had an auxiliary that nothing refers to (pysathq/pysat#73), and other weights that
/// are alike were not taken for a count (pysathq/pysat#65).
#[test]
fn weights_that_are_alike_are_a_count() {
    for weight in [1, 7, 1 << 40] {
        each(4, |enc, mut cnf| {
            let mut count = Cnf::with_vars(4);
            cnf.pb_at_most(&terms(&[weight; 4]), 2 * weight, enc).unwrap();
            let auto = if *enc == PbEncoding::Smallest { CardEncoding::Smallest } else { CardEncoding::Auto };
            count.at_most(&[0, 1, 2, 3].map(Lit::positive), 2, &auto).unwrap();
            assert_eq!(cnf, count, "{enc}");
            let used = |var: usize| cnf.clauses().flatten().any(|lit| lit.vidx() == var);
            assert!((0..cnf.n_vars()).all(used), "{enc}");
        });
    }
}

/// A sum that cannot be came with units beside the empty clause (SudokuStudio/SudokuStudio#27).
#[test]
fn a_sum_that_cannot_be_is_the_empty_clause_alone() {
    for (weights, relation) in [
        (&[1, 1][..], PbRelation::Exactly(5)),
        (&[2, 3], PbRelation::AtLeast(6)),
        (&[6, 10, 15], PbRelation::Exactly(17)),
        (&[], PbRelation::AtLeast(1)),
        (&[9, 9, 4, 4], PbRelation::Exactly(7)),
    ] {
        each(4, |enc, mut cnf| {
            cnf.pb(&terms(weights), relation, enc).unwrap();
            assert_eq!(cnf.size(), Size { vars: 4, clauses: 1, lits: 0 }, "{enc}: {relation} of {weights:?}");
            // Under a condition it is the negation of that.
            let mut cnf = Cnf::with_vars(5);
            cnf.when(&[Lit::positive(4)]).pb(&terms(weights), relation, enc).unwrap();
            assert_eq!(cnf.clauses().collect::<Vec<_>>(), [[Lit::negative(4)]], "{enc}: {relation} of {weights:?}");
        });
    }
}

/// The bound was compared with the number of literals, not with their weights: 10x + 5y ≠ 5 became at most 4
/// (CPMpy/cpmpy#114).
#[test]
fn not_a_sum_is_either_side_of_it() {
    let terms = terms(&[10, 5]);
    each(3, |enc, mut cnf| {
        let r = Lit::positive(2);
        cnf.pb_iff_exactly(r, &terms, 5, enc).unwrap();
        cnf.add_clause(&[!r]).unwrap();
        assert_eq!(models(&cnf, 2), allowed(&terms, 2, |sum| sum != 5), "{enc}");
    });
}

/// Weights that sum up beyond 2³¹ wrapped, beside a group of which at most one is true and under a condition
/// (google/or-tools#5293), and a bound beyond 2³¹ (chuffed/chuffed#157).
#[test]
fn sums_beyond_32_bits() {
    check(&[1 << 31, 1 << 31, (1 << 31) - 1, 5], PbRelation::AtMost(1 << 32));
    check(&[2_147_483_650, 214_748_365, 214_748_365, 7], PbRelation::AtLeast(2_147_483_651));
    let terms = terms(&[1 << 31, 1 << 30, 3_000_000_000, 2_000_000_000]);
    let grouped = Terms::grouped(&terms, &[2, 3, 4]);
    each(5, |enc, mut cnf| {
        let cond = Lit::positive(4);
        cnf.at_most_one(&[0, 1].map(Lit::positive), &AmoEncoding::Pairwise).unwrap();
        cnf.when(&[cond]).pb_grouped(&grouped, PbRelation::AtMost(5_000_000_001), enc).unwrap();
        let group = |bits: u32| bits & 3 != 3;
        let free = |bits: &u32| group(*bits) && bits >> 4 & 1 == 0;
        let mut expected: Vec<u32> = allowed(&terms, 4, |sum| sum <= 5_000_000_001);
        expected.retain(|&bits| group(bits));
        expected.iter_mut().for_each(|bits| *bits |= 1 << 4);
        expected.extend((0..32).filter(free));
        expected.sort_unstable();
        assert_eq!(models(&cnf, 5), expected, "{enc}");
    });
}

/// Sums and bounds at the end of 64 bits, where degrees became negative (StephanGocht/VeriPB#15).
#[test]
fn sums_beyond_64_bits() {
    const MAX: u64 = u64::MAX;
    for bound in [0, 1, MAX / 2, MAX - 1, MAX] {
        for relation in [PbRelation::AtMost(bound), PbRelation::AtLeast(bound), PbRelation::Exactly(bound)] {
            check(&[MAX, MAX, MAX], relation);
            check(&[MAX, MAX - 1, 1, 2], relation);
            check(&[MAX / 2, MAX / 2, MAX / 2 + 1, 1, MAX], relation);
            check(&[1 << 63, 1 << 63, 1 << 62, 3], relation);
        }
    }
    let terms = terms(&[MAX, MAX - 1, 1, 2]);
    each(5, |enc, cnf| {
        let r = Lit::positive(4);
        for bound in [MAX - 1, MAX] {
            let with = |mut cnf: Cnf, relation: PbRelation, holds: &dyn Fn(u128) -> bool| {
                match relation {
                    PbRelation::AtMost(_) => cnf.pb_iff_at_most(r, &terms, bound, enc).unwrap(),
                    PbRelation::AtLeast(_) => cnf.pb_iff_at_least(r, &terms, bound, enc).unwrap(),
                    PbRelation::Exactly(_) => cnf.pb_iff_exactly(r, &terms, bound, enc).unwrap(),
                }
                for (value, lit) in [(true, r), (false, !r)] {
                    let mut cnf = cnf.clone();
                    cnf.add_clause(&[lit]).unwrap();
                    let expected = allowed(&terms, 4, |sum| holds(sum) == value);
                    assert_eq!(models(&cnf, 4), expected, "{enc}: {relation}, {value}");
                }
            };
            let bound128 = u128::from(bound);
            with(cnf.clone(), PbRelation::AtMost(bound), &|sum| sum <= bound128);
            with(cnf.clone(), PbRelation::AtLeast(bound), &|sum| sum >= bound128);
            with(cnf.clone(), PbRelation::Exactly(bound), &|sum| sum == bound128);
        }
    });
}

/// Weights without structure were given up on (sat-group/open-wbo#6): they are a sum in binary.
#[test]
fn nothing_is_too_large_to_be_said() {
    nothing_is_too_large(&[PbEncoding::Auto, PbEncoding::IntervalDiagram]);
}

/// By every encoding: each takes seconds to find out that it is too large.
#[test]
#[ignore = "takes half a minute"]
fn nothing_is_too_large_to_be_said_by_any_encoding() {
    nothing_is_too_large(PbEncoding::ALL);
}

fn nothing_is_too_large(encodings: &[PbEncoding]) {
    let weights: Vec<u64> = (1..=60_u64).map(|i| i.pow(3).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 8).collect();
    let bound = weights.iter().sum::<u64>() / 2;
    let terms = terms(&weights);
    for enc in encodings {
        let mut cnf = Cnf::with_vars(60);
        let start = Instant::now();
        cnf.pb_at_most(&terms, bound, enc).unwrap();
        assert!(start.elapsed() < Duration::from_secs(60), "{enc}: {:?}", start.elapsed());
        for first in [20, 59] {
            let mut cnf = cnf.clone();
            (0..60).for_each(|var| cnf.add_clause(&[Lit::new(var, var < first)]).unwrap());
            let sum: u64 = weights[first as usize..].iter().sum();
            assert_eq!(cnf.solve().unwrap().is_some(), sum <= bound, "{enc}: from {first} on");
        }
    }
}

/// Negative weights: −2x at most −1 is x (pysathq/pysat#194); they are read from OPB, in 64 bits
/// (snowberryfield/printemps#244).
#[test]
fn negative_and_long_weights_are_read() {
    let read = |text: &str| Formula::read_opb(text.as_bytes()).unwrap().encode().unwrap();
    assert_eq!(models(&read("-2 x1 <= -1 ;"), 1), [1]);
    assert_eq!(models(&read("-2 x1 >= 0 ;"), 1), [0]);
    assert_eq!(models(&read("-2 x1 >= 1 ;"), 1), [0; 0]);
    assert_eq!(models(&read("+5 x1 -3 x2 +2 ~x3 = 4 ;"), 3), [3]);
    let long = "+4294967296 x1 +4294967297 x2 -8589934592 x3 >= 1 ;";
    assert_eq!(models(&read(long), 3), [1, 2, 3, 7]);
    // A variable given twice, with either sign: 2x + 3(1 − x) + y − y is at most 2.
    assert_eq!(models(&read("2 x1 3 ~x1 1 x2 -1 x2 <= 2 ;"), 2), [1, 3]);
}
