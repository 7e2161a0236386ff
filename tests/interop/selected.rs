//! Promises of `Selected` beyond the traits, and those for all that goes into a rustsat collector.

use cnfkit::encode::{ByRelation, Full, Writer};
use cnfkit::interop::{Am1, Collector, Selected};
use cnfkit::solvers::BatSat;
use cnfkit::{ClauseSink, Cnf, Constrain, Ladder, Lit, Pairwise, Relation, Size, Var};
use rustsat::OutOfMemory;
use rustsat::encodings::card::{BoundBoth, BoundLower, BoundUpper};
use rustsat::encodings::{EncodeStats, EnforceError, NotEncoded, am1};
use rustsat::instances::{BasicVarManager, Cnf as Clauses, ManageVars};
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::constraints::CardConstraint;

use super::{Subsets, inputs};

#[test]
fn statistics_count_what_was_emitted() {
    let (lits, mut vars) = inputs(6);
    let mut solver = BatSat::default();
    for &lit in &lits {
        solver.add_unit(!lit).unwrap();
    }
    let mut theirs = am1::Pairwise::from(lits.clone());
    am1::Encode::encode(&mut theirs, &mut solver, &mut vars).unwrap();
    let mut ours = Am1::<Pairwise>::from(lits.clone());
    am1::Encode::encode(&mut ours, &mut solver, &mut vars).unwrap();
    assert_eq!((theirs.n_clauses(), ours.n_clauses()), (0, 15));

    let mut ours = Selected::<Subsets>::from(lits);
    ours.encode_ub(2..=3, &mut solver, &mut vars).unwrap();
    // C(6, 3) + C(6, 4) clauses, a selector each bound.
    assert_eq!((ours.n_clauses(), ours.n_vars()), (20 + 15, 2));
    ours.encode_lb(5..=5, &mut solver, &mut vars).unwrap();
    assert_eq!((ours.n_clauses(), ours.n_vars()), (20 + 15 + 15, 3));
}

#[test]
fn auxiliaries_never_collide_with_inputs_the_manager_was_not_told_of() {
    let lits: Vec<Lit> = (0..8).map(Lit::positive).collect();
    let mut vars = BasicVarManager::default();
    let mut clauses = Clauses::new();
    let mut enc = Selected::<Subsets>::from(lits.clone());
    enc.encode_ub(3..=3, &mut clauses, &mut vars).unwrap();
    assert_eq!(enc.enforce_ub(3).unwrap(), [Lit::positive(8)]);
    // Nor with inputs that are added later.
    enc.extend([Lit::positive(30)]);
    enc.encode_ub(3..=3, &mut clauses, &mut vars).unwrap();
    assert_eq!(enc.enforce_ub(3).unwrap(), [Lit::positive(31)]);
    let mut amo = Am1::<Ladder>::from(lits);
    am1::Encode::encode(&mut amo, &mut clauses, &mut BasicVarManager::default()).unwrap();
    assert!(clauses.iter().rev().take(amo.n_clauses()).any(|clause| clause.iter().any(|lit| lit.vidx() == 8)));
}

#[test]
#[should_panic(expected = "the variable manager handed out")]
fn a_manager_that_hands_out_used_variables_is_refused() {
    struct Forgetful;
    impl ManageVars for Forgetful {
        fn new_var(&mut self) -> Var {
            Var::new(2)
        }
        fn max_var(&self) -> Option<Var> {
            Some(Var::new(7))
        }
        fn increase_next_free(&mut self, _: Var) -> bool {
            false
        }
        fn combine(&mut self, _: Self) {}
        fn n_used(&self) -> u32 {
            8
        }
        fn forget_from(&mut self, _: Var) {}
    }
    let mut enc = Selected::<Subsets>::from(inputs(8).0);
    let _ = enc.encode_ub(3..=3, &mut Clauses::new(), &mut Forgetful);
}

#[test]
fn bounds_outside_the_range_are_not_encoded() {
    let (lits, mut vars) = inputs(6);
    let mut enc = Selected::<Subsets>::from(lits);
    let mut clauses = Clauses::new();
    assert_eq!(enc.enforce_ub(2), Err(NotEncoded));
    enc.encode_ub(2..4, &mut clauses, &mut vars).unwrap();
    enc.encode_lb(2..4, &mut clauses, &mut vars).unwrap();
    for b in 0..6 {
        assert_eq!(enc.enforce_ub(b).is_ok(), (2..4).contains(&b), "upper {b}");
        assert_eq!(enc.enforce_lb(b).is_ok(), b == 0 || (2..4).contains(&b), "lower {b}");
    }
    // Encoding again starts anew, on that side alone.
    enc.encode_ub(4.., &mut clauses, &mut vars).unwrap();
    assert_eq!(
        (enc.enforce_ub(3), enc.enforce_ub(5).is_ok(), enc.enforce_lb(3).is_ok()),
        (Err(NotEncoded), true, true)
    );
    enc.encode_lb(5..=5, &mut clauses, &mut vars).unwrap();
    assert_eq!((enc.enforce_lb(3), enc.enforce_lb(5).is_ok()), (Err(EnforceError::NotEncoded), true));
    enc.encode_lb(3..=3, &mut clauses, &mut vars).unwrap();
    // A selector speaks of the inputs it was made for.
    enc.extend([]);
    assert!(enc.enforce_ub(5).is_ok());
    enc.extend([Lit::positive(40)]);
    assert_eq!(enc.enforce_ub(5), Err(NotEncoded));
    assert_eq!(enc.enforce_lb(3), Err(EnforceError::NotEncoded));
    // Ranges without end, empty and beyond n.
    let before = clauses.len();
    #[allow(clippy::reversed_empty_ranges)]
    enc.encode_both(5..2, &mut clauses, &mut vars).unwrap();
    enc.encode_ub(7..=usize::MAX, &mut clauses, &mut vars).unwrap();
    enc.encode_lb(8.., &mut clauses, &mut vars).unwrap();
    assert_eq!(clauses.len(), before);
    enc.encode_both(.., &mut clauses, &mut vars).unwrap();
    assert!((0..=7).all(|b| enc.enforce_eq(b).is_ok()));
}

#[test]
fn constraints_need_no_selector() {
    let (lits, mut vars) = inputs(6);
    let mut clauses = Clauses::new();
    let at_most = CardConstraint::new_ub(lits.clone(), 2);
    Selected::<Subsets>::encode_constr(at_most, &mut clauses, &mut vars).unwrap();
    assert_eq!((clauses.len(), vars.n_used()), (20, 6));
    let exactly = CardConstraint::new_eq(lits, 3);
    Selected::<Subsets>::encode_constr(exactly, &mut clauses, &mut vars).unwrap();
    assert_eq!((clauses.len(), vars.n_used()), (20 + 15 + 15, 6));
}

#[test]
fn repeated_literals_count_as_often_as_given() {
    let (x, mut vars) = inputs(3);
    let given = [x[0], x[0], x[1], x[2], !x[2]];
    let mut solver = BatSat::default();
    let mut enc: Selected<Subsets> = given.into_iter().collect();
    enc.encode_both(2..=3, &mut solver, &mut vars).unwrap();
    solver.reserve(Var::new(vars.n_used())).unwrap();
    for (b, set) in (2..=3).flat_map(|b| (0..8u32).map(move |set| (b, set))) {
        let value = |lit: Lit| (set >> lit.vidx() & 1 == 1) == lit.is_pos();
        let count = given.iter().filter(|&&lit| value(lit)).count();
        let mut assumptions = enc.enforce_eq(b).unwrap();
        assumptions.extend(x.iter().map(|&lit| if value(lit) { lit } else { !lit }));
        let found = solver.solve_assumps(&assumptions).unwrap();
        assert_eq!(found == SolverResult::Sat, count == b, "bound {b}, assignment {set:b}");
    }
}

#[test]
fn what_is_too_large_is_refused_before_its_first_clause() {
    /// Claims more than any memory holds.
    #[derive(Default)]
    struct Endless;
    impl ByRelation for Endless {
        fn encode(&self, _: &mut Writer<'_>, _: &[Lit], _: Relation) -> Result<(), Full> {
            panic!("was not to be called")
        }
        fn size(&self, _: usize, _: Relation) -> Size {
            Size::clauses(u64::MAX, 31)
        }
    }
    let (lits, mut vars) = inputs(60);
    let mut clauses = Clauses::new();
    let refused = Selected::<Endless>::from(lits.clone()).encode_ub(30..=30, &mut clauses, &mut vars);
    assert!(matches!(refused, Err(OutOfMemory::TryReserve(_))), "{refused:?}");
    let refused = am1::Encode::encode(&mut Am1::<Endless>::from(lits.clone()), &mut clauses, &mut vars);
    assert!(matches!(refused, Err(OutOfMemory::TryReserve(_))), "{refused:?}");
    let mut sink = Collector::new(&mut clauses, &mut vars).with_limit(Size { clauses: 1769, ..Cnf::DEFAULT_LIMIT });
    assert!(sink.at_most_one(&lits, &Pairwise).is_err());
    let mut sink = sink.with_limit(Size { clauses: 1770, ..Cnf::DEFAULT_LIMIT });
    sink.at_most_one(&lits, &Pairwise).unwrap();
    assert!(sink.reserve(&Size::variables(u64::from(Var::MAX_IDX))).is_err());
    assert_eq!((sink.size(), clauses.len()), (Size::clauses(1770, 2), 1770));
}
