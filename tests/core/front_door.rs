//! Constraints that the front door folds before any encoder sees them, and those that it refuses.

use std::panic::{AssertUnwindSafe, catch_unwind};

use cnfkit::encode::{ByRelation, Full, Writer};
use cnfkit::{
    AtMostOne, CapacityError, ClauseSink, Cnf, Constrain, Constraint, Encoding, Lit, Pairwise, Plan, Relation, Size,
    Tally,
};

/// An encoder that must not be reached.
#[derive(Debug)]
struct Unreachable;

impl ByRelation for Unreachable {
    fn encode(&self, _: &mut Writer<'_>, lits: &[Lit], relation: Relation) -> Result<(), Full> {
        panic!("{relation} of {lits:?} is trivial")
    }

    fn size(&self, n: usize, relation: Relation) -> Size {
        panic!("{relation} of {n} is trivial")
    }
}

/// Takes everything, knows `n` variables, and remembers the range it was called with.
#[derive(Debug)]
struct Ranges;

impl ByRelation for Ranges {
    fn encode(&self, _: &mut Writer<'_>, lits: &[Lit], relation: Relation) -> Result<(), Full> {
        self.size(lits.len(), relation);
        Ok(())
    }

    fn size(&self, n: usize, relation: Relation) -> Size {
        let proper = match relation {
            Relation::AtMost(k) => 1 <= k && k + 2 <= n,
            Relation::AtLeast(k) => 2 <= k && k < n,
            Relation::Exactly(k) => 1 <= k && k < n && n >= 3,
        };
        assert!(proper, "{relation} of {n}");
        Size::ZERO
    }
}

/// Clauses as DIMACS numbers over `n` inputs.
fn clauses(n: usize, post: impl FnOnce(&mut Cnf, &[Lit]) -> Result<(), CapacityError>) -> Vec<Vec<i32>> {
    let mut cnf = Cnf::new();
    let lits = cnf.new_lits(n);
    post(&mut cnf, &lits).unwrap();
    cnf.clauses().map(|clause| clause.iter().map(|lit| lit.to_ipasir()).collect()).collect()
}

#[test]
fn encoders_are_called_within_their_ranges() {
    for n in 0..12 {
        for k in 0..14 {
            let mut tally = Tally::new(n);
            let lits = tally.inputs();
            tally.at_most(&lits, k, &Ranges).unwrap();
            tally.at_least(&lits, k, &Ranges).unwrap();
            tally.exactly(&lits, k, &Ranges).unwrap();
            tally.at_most_one(&lits, &Ranges).unwrap();
            tally.exactly_one(&lits, &Ranges).unwrap();
        }
    }
}

#[test]
fn trivial_bounds() {
    assert_eq!(clauses(3, |cnf, x| cnf.at_most(x, 3, &Unreachable)), Vec::<Vec<i32>>::new());
    assert_eq!(clauses(3, |cnf, x| cnf.at_most(x, usize::MAX, &Unreachable)), Vec::<Vec<i32>>::new());
    assert_eq!(clauses(3, |cnf, x| cnf.at_most(x, 2, &Unreachable)), [[-1, -2, -3]]);
    assert_eq!(clauses(3, |cnf, x| cnf.at_most(x, 0, &Unreachable)), [[-1], [-2], [-3]]);
    assert_eq!(clauses(0, |cnf, x| cnf.at_most(x, 0, &Unreachable)), Vec::<Vec<i32>>::new());
    assert_eq!(clauses(3, |cnf, x| cnf.at_least(x, 0, &Unreachable)), Vec::<Vec<i32>>::new());
    assert_eq!(clauses(3, |cnf, x| cnf.at_least(x, 1, &Unreachable)), [[1, 2, 3]]);
    assert_eq!(clauses(3, |cnf, x| cnf.at_least(x, 3, &Unreachable)), [[1], [2], [3]]);
    assert_eq!(clauses(3, |cnf, x| cnf.at_least(x, 4, &Unreachable)), [[0; 0]]);
    assert_eq!(clauses(3, |cnf, x| cnf.at_least(x, usize::MAX, &Unreachable)), [[0; 0]]);
    assert_eq!(clauses(3, |cnf, x| cnf.exactly(x, 4, &Unreachable)), [[0; 0]]);
    assert_eq!(clauses(2, |cnf, x| cnf.exactly(x, 0, &Unreachable)), [[-1], [-2]]);
    assert_eq!(clauses(2, |cnf, x| cnf.exactly(x, 2, &Unreachable)), [[1], [2]]);
    assert_eq!(clauses(2, |cnf, x| cnf.exactly(x, 1, &Unreachable)), [[1, 2], [-1, -2]]);
    assert_eq!(clauses(0, |cnf, x| cnf.exactly_one(x, &Unreachable)), [[0; 0]]);
    assert_eq!(clauses(1, |cnf, x| cnf.exactly_one(x, &Unreachable)), [[1]]);
    assert_eq!(clauses(1, |cnf, x| cnf.at_most_one(x, &Unreachable)), Vec::<Vec<i32>>::new());
    assert_eq!(clauses(2, |cnf, x| cnf.at_most_one(x, &Unreachable)), [[-1, -2]]);
}

#[test]
fn impossible_under_a_condition_is_the_negated_condition() {
    assert_eq!(clauses(4, |cnf, x| cnf.when(&[x[3]]).at_least(&x[..3], 4, &Unreachable)), [[-4]]);
    assert_eq!(clauses(4, |cnf, x| cnf.when(&[x[3], !x[2]]).at_least(&x[..2], 3, &Unreachable)), [[3, -4]]);
    assert_eq!(clauses(2, |cnf, x| cnf.when(&[x[0]]).exactly(x, 0, &Unreachable)), [[-1]]);
}

#[test]
fn a_condition_guards_what_enforces() {
    assert_eq!(
        clauses(4, |cnf, x| cnf.when(&[x[3]]).at_most_one(&x[..3], &Pairwise)),
        [[-4, -1, -2], [-4, -1, -3], [-4, -2, -3]]
    );
    // The condition is one of the literals: it counts as true.
    assert_eq!(clauses(3, |cnf, x| cnf.when(&[x[0]]).at_most_one(x, &Pairwise)), [[-1, -2], [-1, -3]]);
    // A condition that contradicts itself asks for nothing.
    assert_eq!(clauses(3, |cnf, x| cnf.when(&[x[0], !x[0]]).at_most(x, 0, &Unreachable)), Vec::<Vec<i32>>::new());
}

#[test]
fn repeated_and_complementary_literals() {
    // A literal beside its negation is worth one.
    assert_eq!(clauses(3, |cnf, x| cnf.at_most_one(&[x[0], !x[0], x[1], x[2]], &Pairwise)), [[-2], [-3]]);
    assert_eq!(clauses(2, |cnf, x| cnf.at_most_one(&[x[0], !x[0], x[1], !x[1]], &Pairwise)), [[0; 0]]);
    let kept = clauses(3, |cnf, x| cnf.keep_order().at_most_one(&[x[1], x[0], !x[0], x[2], x[1]], &Pairwise));
    assert_eq!(kept, [[-2], [-3]], "once each");
    // What counts twice cannot be the one.
    assert_eq!(clauses(3, |cnf, x| cnf.at_most_one(&[x[0], x[0], x[1], x[2]], &Pairwise)), [vec![-1], vec![-2, -3]]);
    assert_eq!(
        clauses(3, |cnf, x| cnf.exactly_one(&[x[0], x[0], x[1], x[2]], &Pairwise)),
        [vec![-1], vec![2, 3], vec![-2, -3]]
    );
    // Weights with a common divisor are no weights.
    assert_eq!(
        clauses(3, |cnf, x| cnf.at_most(&[x[0], x[0], x[1], x[1], x[2], x[2]], 5, &Unreachable)),
        [[-1, -2, -3]]
    );
    assert_eq!(clauses(3, |cnf, x| cnf.exactly(&[x[0], x[0], x[1], x[1], x[2], x[2]], 3, &Unreachable)), [[0; 0]]);
    // A weight that the rest cannot make up for.
    assert_eq!(clauses(3, |cnf, x| cnf.at_least(&[x[0], x[0], x[0], x[1], x[2]], 3, &Unreachable)), [vec![1]]);
}

#[test]
fn literals_are_sorted_unless_the_order_is_kept() {
    let sorted = clauses(3, |cnf, x| cnf.at_most_one(&[x[2], x[0], x[1]], &Pairwise));
    assert_eq!(sorted, [[-1, -2], [-1, -3], [-2, -3]]);
    let kept = clauses(3, |cnf, x| cnf.keep_order().at_most_one(&[x[2], x[0], x[1]], &Pairwise));
    assert_eq!(kept, [[-3, -1], [-3, -2], [-1, -2]]);
}

#[test]
fn literals_unknown_to_the_sink_are_the_callers_bug() {
    let mut cnf = Cnf::new();
    let x = cnf.new_lits(3);
    let unknown = Lit::negative(3);
    let message = |post: &mut dyn FnMut()| {
        *catch_unwind(AssertUnwindSafe(post)).unwrap_err().downcast::<String>().expect("a message")
    };
    let said = message(&mut || cnf.at_most_one(&[x[0], unknown], &Pairwise).unwrap());
    assert!(said.contains("not known to the sink") && said.contains("literal -4"), "{said}");
    let said = message(&mut || cnf.when(&[unknown]).at_most_one(&x, &Pairwise).unwrap());
    assert!(said.contains("not known to the sink"), "{said}");
    // Also where nothing is left to encode.
    for k in [0, 1, 9, usize::MAX] {
        for (r, lits) in [(unknown, &x[..]), (x[0], &[x[1], unknown][..])] {
            for said in [
                message(&mut || cnf.iff_at_most(r, lits, k, &Ranges).unwrap()),
                message(&mut || cnf.iff_at_least(r, lits, k, &Ranges).unwrap()),
                message(&mut || cnf.iff_exactly(r, lits, k, &Ranges).unwrap()),
            ] {
                assert!(said.contains("not known to the sink"), "{k}: {said}");
            }
        }
    }
    assert_eq!(cnf.n_clauses(), 0);
}

#[test]
fn a_formula_refuses_what_does_not_fit_before_its_first_clause() {
    let limit = Size { vars: 10, clauses: 10, lits: 20 };
    let mut cnf = Cnf::new().with_limit(limit);
    let x = cnf.new_lits(6);
    let error = cnf.at_most_one(&x, &Pairwise).unwrap_err();
    assert_eq!((error.needed, error.limit), (Size { vars: 6, clauses: 15, lits: 30 }, limit));
    assert_eq!(
        error.to_string(),
        "the formula would need 6 variables, 15 clauses, 30 literals; \
         the limit is 10 variables, 10 clauses, 20 literals"
    );
    assert_eq!(cnf.n_clauses(), 0);
    cnf.at_most_one(&x[..5], &Pairwise).unwrap();
    assert_eq!((cnf.n_clauses(), cnf.n_lits()), (10, 20));
    assert!(cnf.add_clause(&[]).is_err() && cnf.add_clause(&x[..1]).is_err());
}

#[test]
fn pairwise_over_a_million_literals_is_refused_at_once() {
    let mut cnf = Cnf::new();
    let x = cnf.new_lits(1_000_000);
    let start = std::time::Instant::now();
    let error = cnf.at_most_one(&x, &Pairwise).unwrap_err();
    assert_eq!(error.needed.clauses, 499_999_500_000);
    assert!(start.elapsed().as_secs() < 5, "refusing took {:?}", start.elapsed());
}

#[test]
fn a_third_party_encoding_works_under_a_condition() {
    /// All subsets, the lazy way.
    struct Naive;
    impl Encoding for Naive {
        fn plan(&self, constraint: &Constraint<'_>) -> Option<Plan<'_>> {
            let (lits, Relation::AtMost(1)) = constraint.counted()? else { return None };
            let size = Size::clauses((lits.len() * (lits.len() - 1) / 2) as u64, 2);
            Some(Plan::new(size, |constraint, to| {
                let lits: Vec<Lit> = constraint.lits().collect();
                let pairs = lits.iter().enumerate().flat_map(|(i, &a)| lits[..i].iter().map(move |&b| [!a, !b]));
                pairs.into_iter().try_for_each(|pair| to.clause(&pair))
            }))
        }
    }
    impl AtMostOne for Naive {}
    let pairs = clauses(4, |cnf, x| cnf.when(&[x[3]]).at_most_one(&x[..3], &Naive));
    assert_eq!(pairs, [[-4, -2, -1], [-4, -3, -1], [-4, -3, -2]]);
}
