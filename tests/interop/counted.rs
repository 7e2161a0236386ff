//! Promises of `Counted` beyond the traits.

use cnfkit::interop::{Counted, Summed};
use cnfkit::solvers::BatSat;
use cnfkit::{IncTotalizer, Lit, Var};
use rustsat::OutOfMemory;
use rustsat::encodings::card::{
    BoundBoth, BoundBothIncremental, BoundLower, BoundLowerIncremental, BoundUpper, BoundUpperIncremental,
    EncodeIncremental,
};
use rustsat::encodings::{CollectClauses, EncodeStats, EnforceError, NotEncoded, pb};
use rustsat::instances::{Cnf as Clauses, ManageVars};
use rustsat::solvers::Solve;

use super::{check, inputs};

#[test]
fn a_change_adds_only_what_is_missing() {
    let (lits, mut vars) = inputs(9);
    let mut clauses = Clauses::new();
    let mut enc = Counted::<IncTotalizer>::from(lits.clone());
    enc.encode_ub(2..=3, &mut clauses, &mut vars).unwrap();
    let before = clauses.len();
    assert_eq!((enc.n_clauses(), enc.n_vars()), (before, vars.n_used() - 9));
    enc.encode_ub_change(0..=3, &mut clauses, &mut vars).unwrap();
    enc.encode_lb_change(1..=4, &mut clauses, &mut vars).unwrap();
    enc.encode_both_change(1..=3, &mut clauses, &mut vars).unwrap();
    assert_eq!(clauses.len(), before, "all of that is counted");
    enc.encode_both_change(5..=5, &mut clauses, &mut vars).unwrap();
    // In two steps as at once.
    let (mut at_once, mut other) = (Counted::<IncTotalizer>::from(lits), Clauses::new());
    at_once.encode_both(5..=5, &mut other, &mut inputs(9).1).unwrap();
    assert!(clauses.len() > before);
    assert_eq!((enc.n_clauses(), enc.n_vars()), (at_once.n_clauses(), at_once.n_vars()));
    assert_eq!((clauses.len(), other.len()), (enc.n_clauses(), enc.n_clauses()));
}

#[test]
fn bounds_not_counted_are_not_encoded() {
    let (lits, mut vars) = inputs(6);
    let mut enc = Counted::<IncTotalizer>::from(lits);
    let mut clauses = Clauses::new();
    assert_eq!((enc.enforce_ub(2), enc.enforce_lb(2)), (Err(NotEncoded), Err(EnforceError::NotEncoded)));
    enc.encode_ub(2..=2, &mut clauses, &mut vars).unwrap();
    assert_eq!((enc.enforce_ub(2).is_ok(), enc.enforce_ub(3)), (true, Err(NotEncoded)));
    assert_eq!(enc.enforce_lb(2), Err(EnforceError::NotEncoded), "lower bounds were not asked for");
    enc.encode_lb_change(5..=5, &mut clauses, &mut vars).unwrap();
    assert!(enc.enforce_lb(5).is_ok() && enc.enforce_ub(4).is_ok());
    enc.extend([Lit::positive(50)]);
    assert_eq!((enc.enforce_ub(2), enc.enforce_lb(2)), (Err(NotEncoded), Err(EnforceError::NotEncoded)));
    assert_eq!(enc.enforce_ub(7), Ok(vec![]));
    enc.encode_both(7..=usize::MAX, &mut clauses, &mut vars).unwrap();
    assert!((1..=7).all(|b| enc.enforce_lb(b).is_ok()));
    let before = clauses.len();
    enc.encode_both_change(8.., &mut clauses, &mut vars).unwrap();
    assert_eq!(clauses.len(), before);
    assert!(enc.enforce_lb(7).is_ok(), "an empty change takes nothing away");
    enc.encode_both(8.., &mut clauses, &mut vars).unwrap();
    assert_eq!(enc.enforce_lb(7), Err(EnforceError::NotEncoded), "starting anew does");
}

#[test]
fn bounds_encoded_apart_grow_together() {
    let (lits, mut vars) = inputs(6);
    let mut enc = Counted::<IncTotalizer>::from(lits.clone());
    let mut solver = BatSat::default();
    enc.encode_lb(3..=3, &mut solver, &mut vars).unwrap();
    let before = enc.n_clauses();
    enc.encode_ub_change(2..=2, &mut solver, &mut vars).unwrap();
    assert_eq!((enc.n_clauses(), enc.enforce_ub(2).is_ok()), (before, true), "upper bounds share what is counted");
    enc.encode_ub(1..=1, &mut solver, &mut vars).unwrap();
    assert!(enc.n_clauses() > before, "but not when they start anew");
    enc.encode_both_change(5..=5, &mut solver, &mut vars).unwrap();
    check(&mut solver, &lits, &enc.enforce_eq(5).unwrap(), |count| count == 5, "both grew");
    // Starting anew with a range without bounds.
    enc.encode_ub(9.., &mut solver, &mut vars).unwrap();
    assert_eq!((enc.enforce_ub(1), enc.enforce_lb(5).is_ok()), (Err(NotEncoded), true));
    enc.encode_lb(9.., &mut solver, &mut vars).unwrap();
    assert_eq!(enc.enforce_lb(5), Err(EnforceError::NotEncoded));
}

/// Upper and lower bounds encoded apart, one of them into another formula later: each formula is whole.
#[test]
fn starting_anew_serves_another_collector() {
    let (lits, mut vars) = inputs(5);
    let (mut first, mut second) = (Clauses::new(), Clauses::new());
    let mut enc = Counted::<IncTotalizer>::from(lits.clone());
    enc.encode_ub(0..=4, &mut first, &mut vars).unwrap();
    enc.encode_lb(0..=2, &mut first, &mut vars).unwrap();
    let (upper, lower) = (enc.enforce_ub(4).unwrap(), enc.enforce_lb(2).unwrap());
    enc.encode_ub(1..=1, &mut second, &mut vars).unwrap();
    assert_eq!(enc.enforce_lb(2).unwrap(), lower, "lower bounds stay");
    for (clauses, upper, lower, most, least) in
        [(first, upper, lower, 4, 2), (second, enc.enforce_ub(1).unwrap(), vec![], 1, 0)]
    {
        let mut solver = BatSat::default();
        solver.add_cnf(clauses).unwrap();
        solver.reserve(Var::new(vars.n_used())).unwrap();
        let both = [upper, lower].concat();
        check(&mut solver, &lits, &both, |count| (least..=most).contains(&count), "both at once");
    }
}

#[test]
fn reserved_variables_are_used_first() {
    let (lits, mut vars) = inputs(7);
    let mut enc = Counted::<IncTotalizer>::from(lits.clone());
    enc.reserve(&mut vars);
    let used = vars.n_used();
    assert!(used > 7);
    enc.reserve(&mut vars);
    assert_eq!(vars.n_used(), used, "reserving twice reserves once");
    let mut solver = BatSat::default();
    enc.encode_both(0..=2, &mut solver, &mut vars).unwrap();
    assert!(enc.enforce_lb(1).unwrap()[0].vidx32() < used);
    enc.encode_both_change(0..=7, &mut solver, &mut vars).unwrap();
    assert_eq!((vars.n_used(), enc.n_vars()), (used, used - 7), "all of them, and no other");
    check(&mut solver, &lits, &enc.enforce_eq(6).unwrap(), |count| count == 6, "after all");
    // More inputs take more.
    enc.extend([vars.new_lit()]);
    enc.encode_ub_change(3..=3, &mut solver, &mut vars).unwrap();
    assert!(vars.n_used() > used + 1);
}

/// Sums of weights know the bounds of the range and no others, and reserve once, before or after they are encoded.
#[test]
fn sums_know_what_was_encoded() {
    let (lits, mut vars) = inputs(5);
    let mut enc: Summed = lits.iter().copied().zip([1, 2, 3, 4, 5]).collect();
    pb::EncodeIncremental::reserve(&mut enc, &mut vars);
    let used = vars.n_used();
    pb::EncodeIncremental::reserve(&mut enc, &mut vars);
    assert_eq!(vars.n_used(), used);
    let mut clauses = Clauses::new();
    pb::BoundUpperIncremental::encode_ub_change(&mut enc, 2..=3, &mut clauses, &mut vars).unwrap();
    let known = [1, 2, 3, 4, 5].map(|bound| pb::BoundUpper::enforce_ub(&enc, bound).is_ok());
    assert_eq!(known, [false, true, true, false, false]);
    enc.extend([(vars.new_lit(), 6)]);
    let used = vars.n_used();
    pb::EncodeIncremental::reserve(&mut enc, &mut vars);
    assert_eq!(vars.n_used(), used);
}

#[test]
#[should_panic(expected = "is an auxiliary that this encoding took")]
fn inputs_that_are_auxiliaries_are_refused() {
    let (lits, mut vars) = inputs(4);
    let mut enc = Counted::<IncTotalizer>::from(lits);
    let mut clauses = Clauses::new();
    enc.encode_ub(1..=2, &mut clauses, &mut vars).unwrap();
    enc.extend([Lit::negative(5)]);
    let _ = enc.encode_ub_change(1..=2, &mut clauses, &mut vars);
}

#[test]
#[should_panic(expected = "is an auxiliary that this encoding took")]
fn inputs_that_are_reserved_are_refused() {
    let (lits, mut vars) = inputs(4);
    let mut enc = Counted::<IncTotalizer>::from(lits);
    enc.reserve(&mut vars);
    let mut clauses = Clauses::new();
    enc.encode_ub(0..=0, &mut clauses, &mut vars).unwrap();
    enc.extend([Lit::positive(vars.n_used() - 1)]);
    let _ = enc.encode_ub_change(0..=0, &mut clauses, &mut vars);
}

/// A bound that rises by one is counted anew only when the count has to double.
#[test]
fn a_counter_is_counted_anew_only_so_often() {
    let (lits, mut vars) = inputs(40);
    let mut enc = Counted::<cnfkit::SequentialCounter>::from(lits.clone());
    let mut clauses = Clauses::new();
    let mut grown = Vec::new();
    for b in 0..40 {
        let before = clauses.len();
        enc.encode_ub_change(b..=b, &mut clauses, &mut vars).unwrap();
        assert_eq!(enc.enforce_ub(b).unwrap().len(), 1);
        if clauses.len() > before {
            grown.push(b + 1);
        }
    }
    assert_eq!(grown, [1, 2, 3, 5, 9, 17, 33]);
}

#[test]
fn after_an_error_nothing_counts_as_encoded() {
    /// Takes so many clauses.
    struct Full(usize);
    impl CollectClauses for Full {
        fn n_clauses(&self) -> usize {
            self.0
        }
        fn extend_clauses<T: IntoIterator<Item = rustsat::types::Clause>>(
            &mut self,
            clauses: T,
        ) -> Result<(), OutOfMemory> {
            clauses.into_iter().try_for_each(|_| {
                self.0 = self.0.checked_sub(1).ok_or(OutOfMemory::ExternalApi)?;
                Ok(())
            })
        }
    }
    let (lits, mut vars) = inputs(8);
    let mut enc = Counted::<IncTotalizer>::from(lits.clone());
    enc.encode_both(1..=1, &mut Full(1000), &mut vars).unwrap();
    assert!(enc.enforce_eq(1).is_ok());
    let before = enc.n_clauses();
    assert_eq!(enc.encode_both_change(1..=4, &mut Full(5), &mut vars), Err(OutOfMemory::ExternalApi));
    assert_eq!(enc.n_clauses(), before + 5, "what was emitted before it failed is counted");
    assert_eq!(enc.enforce_ub(1), Err(NotEncoded));
    let mut solver = BatSat::default();
    enc.encode_both_change(1..=4, &mut solver, &mut vars).unwrap();
    check(&mut solver, &lits, &enc.enforce_eq(4).unwrap(), |count| count == 4, "encoded again");
}
