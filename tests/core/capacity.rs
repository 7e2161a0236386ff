//! The cost of an encoding before and while it is written: sizes known first, refusals at once, no allocation per
//! clause.

use std::fmt::Debug;
use std::time::{Duration, Instant};

use allocation_counter::measure;
use cnfkit::{AmoEncoding, AtMostK, AtMostOne, CardEncoding, ClauseSink, Cnf, Constrain, Size};
#[cfg(feature = "any-solver")]
use cnfkit::{Formula, Lit, SolveError};

/// Allocations that do not depend on how many clauses there are: the formula's two vectors, a sorted copy, a negated
/// copy, and an encoder's own working memory.
const FEW: u64 = 60;

/// A network is planned for its first constraint, and its clauses are kept while the second is written.
const KEPT: usize = 2;

#[test]
fn no_allocation_per_clause_at_most_one() {
    for &encoding in AmoEncoding::ALL {
        let mut cnf = Cnf::new();
        let x = cnf.new_lits(2000);
        for _ in 0..KEPT {
            cnf.clone().at_most_one(&x, &encoding).unwrap();
        }
        let counted = measure(|| cnf.at_most_one(&x, &encoding).unwrap());
        assert!(cnf.n_clauses() > 4000);
        assert!(
            counted.count_total < FEW,
            "{encoding}: {} allocations, {} clauses",
            counted.count_total,
            cnf.n_clauses()
        );
    }
}

#[test]
fn no_allocation_per_clause_at_most_k() {
    for &encoding in CardEncoding::ALL {
        for relation in 0..3 {
            let (n, k) = if encoding == CardEncoding::Combinatorial { (20, 9) } else { (1000, 100) };
            let mut cnf = Cnf::new();
            let x = cnf.new_lits(n);
            let post = |cnf: &mut Cnf| match relation {
                0 => cnf.at_most(&x, k, &encoding).unwrap(),
                1 => cnf.at_least(&x, k, &encoding).unwrap(),
                _ => cnf.exactly(&x, k, &encoding).unwrap(),
            };
            (0..KEPT).for_each(|_| post(&mut cnf.clone()));
            let counted = measure(|| post(&mut cnf));
            assert!(
                counted.count_total < FEW,
                "{encoding}, relation {relation}: {} allocations, {} clauses",
                counted.count_total,
                cnf.n_clauses()
            );
        }
    }
}

#[test]
fn a_formula_allocates_once_for_a_constraint() {
    let mut cnf = Cnf::new();
    let x = cnf.new_lits(1000);
    let counted = measure(|| cnf.at_most_one(&x, &cnfkit::Pairwise).unwrap());
    assert_eq!(cnf.n_clauses(), 499_500);
    assert_eq!(counted.count_total, 2, "two vectors");
}

#[test]
fn what_does_not_fit_is_refused_at_once() {
    let mut cnf = Cnf::new();
    let x = cnf.new_lits(100_000);
    let refused = |done: Result<(), cnfkit::CapacityError>, start: Instant| {
        let error = done.unwrap_err();
        assert!(!error.needed.fits(&error.limit), "{error}");
        assert!(start.elapsed() < Duration::from_secs(5), "refusing took {:?}", start.elapsed());
    };
    let start = Instant::now();
    refused(cnf.at_most(&x[..60], 30, &CardEncoding::Combinatorial), start);
    let start = Instant::now();
    refused(cnf.at_most_one(&x, &AmoEncoding::Pairwise), start);
    let start = Instant::now();
    refused(cnf.exactly(&x, 50_000, &CardEncoding::Sequential), start);
    assert_eq!(cnf.n_clauses(), 0);
}

#[test]
fn sizes_of_anything_are_known_without_encoding_it() {
    let start = Instant::now();
    for &encoding in CardEncoding::ALL {
        let sizes = [encoding.amk_size(10_000, 10), encoding.alk_size(10_000, 10), encoding.exk_size(10_000, 10)];
        assert!(sizes.iter().all(|size| size.clauses > 10_000), "{encoding}: {sizes:?}");
    }
    for &encoding in AmoEncoding::ALL {
        assert!(encoding.amo_size(10_000).clauses > 20_000, "{encoding}");
    }
    assert!(start.elapsed() < Duration::from_secs(20), "took {:?}", start.elapsed());
}

#[test]
fn combinatorial_sizes_saturate() {
    assert_eq!(CardEncoding::Combinatorial.amk_size(1000, 500).clauses, u64::MAX);
    assert_eq!(
        Size { clauses: u64::MAX, ..Size::ZERO } + Size::clause(3),
        Size { clauses: u64::MAX, lits: 3, vars: 0 }
    );
}

/// Reified, repeated, under a condition: what is refused leaves nothing behind.
#[test]
fn refusal_leaves_nothing_behind() {
    use cnfkit::{CapacityError, Combinatorial, Lit, Pairwise};
    type Post = fn(&mut Cnf, &[Lit]) -> Result<(), CapacityError>;
    let posts: [Post; 6] = [
        |cnf, x| cnf.iff_at_most(x[0], &x[1..10], 7, &Combinatorial),
        |cnf, x| cnf.iff_at_least(x[0], &x[1..10], 3, &CardEncoding::Totalizer),
        |cnf, x| cnf.iff_exactly(x[0], &x[1..10], 4, &Combinatorial),
        |cnf, x| cnf.at_most_one(&[x, &x[..2]].concat(), &Pairwise),
        |cnf, x| cnf.at_most(&[x, &x[..2], &x[..2], &x[..2]].concat(), 3, &Combinatorial),
        |cnf, x| cnf.when(&[x[0]]).exactly(&x[1..], 4, &CardEncoding::Sequential),
    ];
    for (number, post) in posts.iter().enumerate() {
        for clauses in 0.. {
            let limit = Size { vars: 10_000, clauses, lits: 10_000 };
            let mut cnf = Cnf::with_vars(12).with_limit(limit);
            let x: Vec<Lit> = (0..12).map(Lit::positive).collect();
            if post(&mut cnf, &x).is_ok() {
                break;
            }
            assert_eq!(cnf.n_clauses(), 0, "number {number}, limit {clauses}");
        }
    }
}

/// Sizes that no encoder is asked for, and that no machine could hold.
const ODD: [usize; 11] = [0, 1, 2, 3, 7, 1 << 12, (1 << 31) - 3, 1 << 31, 1 << 40, usize::MAX - 1, usize::MAX];

fn check_odd_sizes<E: AtMostK + Debug>(enc: &E) {
    for (n, k) in ODD.iter().flat_map(|&n| ODD.map(|k| (n, k))) {
        let [most, least, exactly] = [enc.amk_size(n, k), enc.alk_size(n, k), enc.exk_size(n, k)];
        assert!(k < n || most == Size::ZERO, "{enc:?}, at most {k} of {n}: {most}");
        assert!(k > 0 || least == Size::ZERO, "{enc:?}, at least {k} of {n}: {least}");
        assert!(k <= n || exactly == Size::clause(0), "{enc:?}, exactly {k} of {n}: {exactly}");
        assert!(
            k == 0 || k >= n || n < 1 << 40 || exactly.clauses == u64::MAX,
            "{enc:?}, exactly {k} of {n}: {exactly}"
        );
    }
}

#[test]
fn odd_sizes_are_told_at_once() {
    use cnfkit::{
        Adder, CardinalityNetwork, Combinatorial, DecisionDiagram, GeneralizedProduct, GridCompression,
        KModuloTotalizer, ModuloTotalizer, Network, SequentialCounter, SequentialForm, Totalizer,
    };
    let start = Instant::now();
    CardEncoding::ALL.iter().for_each(check_odd_sizes);
    check_odd_sizes(&Combinatorial);
    check_odd_sizes(&SequentialCounter::default().form(SequentialForm::Knuth));
    check_odd_sizes(&SequentialCounter::default().form(SequentialForm::Sinz));
    check_odd_sizes(&SequentialCounter::default().form(SequentialForm::Full));
    check_odd_sizes(&Totalizer::default().order(true).full(true));
    check_odd_sizes(&ModuloTotalizer::default());
    check_odd_sizes(&KModuloTotalizer::default());
    check_odd_sizes(&DecisionDiagram::default());
    check_odd_sizes(&Adder::default());
    check_odd_sizes(&GeneralizedProduct);
    check_odd_sizes(&GridCompression);
    check_odd_sizes(&Network::default().weight(u8::MAX).full(true));
    check_odd_sizes(&CardinalityNetwork::default().four_way(true).direct(false));
    for (n, enc) in ODD.iter().flat_map(|&n| AmoEncoding::ALL.iter().map(move |enc| (n, enc))) {
        let size = enc.amo_size(n);
        assert!(n > 1 || size == Size::ZERO, "{enc} of {n}: {size}");
        assert!(n < 1 << 40 || size.clauses >= 1 << 40, "{enc} of {n}: {size}");
    }
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

/// Variables without end are refused before the solver makes any, whether bounds are encoded or handed to it.
#[cfg(feature = "any-solver")]
#[test]
fn no_solver_makes_variables_without_end() {
    for top in [1_u32 << 30, (1 << 31) - 3] {
        for enc in [CardEncoding::Auto, CardEncoding::Totalizer] {
            let mut formula = Formula::new();
            formula.add_clause(&[Lit::positive(top)]).unwrap();
            let lits: Vec<Lit> = (1..=5).map(|back| Lit::positive(top - back)).collect();
            formula.at_most(&lits, 2, enc).unwrap();
            assert!(matches!(formula.solve(), Err(SolveError::Capacity(_))), "{top} by {enc}");
        }
    }
}
