//! Sums of weights by lot: every encoder of pindakaas and every encoding of ours allows the same assignments, those of
//! the definition.
//!
//! `cargo test` looks at 100 sums of each relation; the ignored tests at 2,000, in a minute or two.

use std::num::NonZeroI32;

use cnfkit::rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use cnfkit::rustsat::types::Cl;
use cnfkit::{Cnf, Constrain, Lit, PbEncoding, PbRelation, Var};
use pindakaas::constraint::linear::{Comparator, LinExp, Linear, LinearEncoder};
use pindakaas::encoder::adder::AdderEncoder;
use pindakaas::encoder::decision_diagram::DecisionDiagramEncoder;
use pindakaas::encoder::mixed_radix::MixedRadixEncoder;
use pindakaas::encoder::sequential_counter::SequentialCounterEncoder;
use pindakaas::encoder::totalizer::TotalizerEncoder;
use pindakaas::encoder::watchdog::WatchdogEncoder;
use pindakaas::{ClauseDatabase, Encoder, Unsatisfiable};
use rustsat_batsat::BasicSolver;

type Theirs = fn(&mut pindakaas::Cnf, &Linear) -> Result<(), Unsatisfiable>;

const THEIRS: [(&str, Theirs); 8] = [
    ("adder", |cnf, sum| LinearEncoder::<AdderEncoder>::default().encode(cnf, sum)),
    ("diagram", |cnf, sum| LinearEncoder::<DecisionDiagramEncoder>::default().encode(cnf, sum)),
    ("mixed radix", |cnf, sum| LinearEncoder::<MixedRadixEncoder>::default().encode(cnf, sum)),
    ("sequential", |cnf, sum| LinearEncoder::<SequentialCounterEncoder>::default().encode(cnf, sum)),
    ("totalizer", |cnf, sum| LinearEncoder::<TotalizerEncoder>::default().encode(cnf, sum)),
    ("watchdog", |cnf, sum| LinearEncoder::new(WatchdogEncoder::default()).encode(cnf, sum)),
    ("local watchdog", |cnf, sum| {
        let mut watchdog = WatchdogEncoder::default();
        watchdog.with_local(true);
        LinearEncoder::new(watchdog).encode(cnf, sum)
    }),
    ("sorting watchdog", |cnf, sum| {
        let mut watchdog = WatchdogEncoder::default();
        watchdog.with_sorting_networks(true);
        LinearEncoder::new(watchdog).encode(cnf, sum)
    }),
];

/// Literals of the first variables with their weights, two to six of several kinds, and a bound.
fn sum(number: u64) -> (Vec<(Lit, u64)>, u64) {
    let mut state = number;
    let mut below = |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let n = 2 + below(5) as u32;
    let heaviest = [2, 9, 40, 300][below(4) as usize];
    let terms: Vec<(Lit, u64)> = (0..n).map(|var| (Lit::new(var, below(3) == 0), 1 + below(heaviest))).collect();
    let total: u64 = terms.iter().map(|&(_, weight)| weight).sum();
    (terms, below(total + 1))
}

/// The clauses of one of their encoders.
fn theirs(encode: Theirs, terms: &[(Lit, u64)], relation: PbRelation) -> Vec<Vec<Lit>> {
    let mut cnf = pindakaas::Cnf::default();
    let vars: Vec<pindakaas::Lit> = cnf.new_var_range(terms.len()).iter_lits().collect();
    let lits: Vec<pindakaas::Lit> =
        vars.iter().zip(terms).map(|(&var, (lit, _))| if lit.is_neg() { !var } else { var }).collect();
    let weights: Vec<i64> = terms.iter().map(|&(_, weight)| weight as i64).collect();
    let comparator = match relation {
        PbRelation::AtMost(_) => Comparator::LessEq,
        PbRelation::AtLeast(_) => Comparator::GreaterEq,
        PbRelation::Exactly(_) => Comparator::Equal,
    };
    let sum = Linear::new(LinExp::from_slices(&weights, &lits), comparator, relation.bound() as i64);
    if encode(&mut cnf, &sum).is_err() {
        return vec![Vec::new()];
    }
    let ours = |&lit: &pindakaas::Lit| Lit::from_ipasir(NonZeroI32::from(lit).get()).unwrap();
    cnf.iter().map(|clause| clause.iter().map(ours).collect()).collect()
}

/// The assignments of the first `n` variables that some choice of the others completes to a model, as bits.
fn models<'a>(n: usize, clauses: impl Iterator<Item = &'a [Lit]>) -> Vec<u32> {
    let mut solver = BasicSolver::default();
    solver.reserve(Var::new(n as u32 - 1)).unwrap();
    clauses.for_each(|clause| solver.add_clause_ref(Cl::new(clause)).unwrap());
    let is_model = |bits: &u32| {
        let inputs: Vec<Lit> = (0..n as u32).map(|var| Lit::new(var, bits >> var & 1 == 0)).collect();
        solver.solve_assumps(&inputs).unwrap() == SolverResult::Sat
    };
    (0..1 << n).filter(is_model).collect()
}

fn check(relation: fn(u64) -> PbRelation, sums: u64) {
    let mut open = 0;
    for number in 0..sums {
        let (terms, bound) = sum(number);
        let (n, relation) = (terms.len(), relation(bound));
        let is_true = |bits: u32, lit: Lit| (bits >> lit.vidx32() & 1 == 1) == lit.is_pos();
        let sum = |bits: u32| terms.iter().filter(|&&(lit, _)| is_true(bits, lit)).map(|&(_, weight)| weight).sum();
        let expected: Vec<u32> = (0..1 << n).filter(|&bits| relation.allows(sum(bits))).collect();
        open += usize::from(!expected.is_empty() && expected.len() < 1 << n);
        for (name, encode) in THEIRS {
            let clauses = theirs(encode, &terms, relation);
            let found = models(n, clauses.iter().map(Vec::as_slice));
            assert_eq!(found, expected, "{name} of pindakaas: {relation} of {terms:?}");
        }
        for enc in PbEncoding::ALL {
            let mut cnf = Cnf::with_vars(n);
            cnf.pb(&terms, relation, enc).unwrap();
            assert_eq!(models(n, cnf.clauses()), expected, "{enc}: {relation} of {terms:?}");
        }
    }
    assert!(3 * open > sums as usize, "{open} of {sums} are neither always nor never met");
}

#[test]
fn the_same_assignments_are_allowed() {
    [PbRelation::AtMost, PbRelation::AtLeast, PbRelation::Exactly]
        .into_iter()
        .for_each(|relation| check(relation, 100));
}

#[test]
#[ignore = "long"]
fn two_thousand_of_at_most() {
    check(PbRelation::AtMost, 2_000);
}

#[test]
#[ignore = "long"]
fn two_thousand_of_at_least() {
    check(PbRelation::AtLeast, 2_000);
}

#[test]
#[ignore = "long"]
fn two_thousand_of_exactly() {
    check(PbRelation::Exactly, 2_000);
}
