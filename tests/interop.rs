//! rustsat's encoding traits on our encodings, and rustsat's encoders on our formula. The generic tests here run on
//! rustsat's own encoders too: what rustsat does is what ours must do.
#![cfg(feature = "batsat")]

use cnfkit::interop::{Am1, Collector, Counted, Selected, Target};
use cnfkit::solvers::BatSat;
use cnfkit::{
    AmoEncoding, AtMostK, CardEncoding, ClauseSink, Cnf, Constrain, IncTotalizer, Ladder, Lit, Pairwise, Size, Var,
};
use rustsat::OutOfMemory;
use rustsat::encodings::card::{
    self, BoundBoth, BoundBothIncremental, BoundLower, BoundLowerIncremental, BoundUpper, BoundUpperIncremental,
    EncodeIncremental, Totalizer,
};
use rustsat::encodings::{
    CollectClauses, ConstraintEncodingError, EncodeStats, EnforceError, IterInputs, NotEncoded, am1,
};
use rustsat::instances::{BasicVarManager, Cnf as Clauses, ManageVars};
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::constraints::CardConstraint;

/// A third party's encoding: every set of k + 1 literals holds a false one.
#[derive(Clone, Copy, Debug, Default)]
struct Subsets;

impl AtMostK for Subsets {
    fn at_most<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit], k: usize) -> Result<(), S::Error> {
        subsets(lits.len(), k + 1).try_for_each(|set| {
            let clause: Vec<Lit> = members(lits, set).map(|lit| !lit).collect();
            sink.add_clause(&clause)
        })
    }

    fn amk_size(&self, n: usize, k: usize) -> Size {
        Size::clauses(subsets(n, k + 1).count() as u64, k + 1)
    }
}

fn subsets(n: usize, size: usize) -> impl Iterator<Item = u32> {
    (0..1u32 << n).filter(move |set| set.count_ones() as usize == size)
}

fn members(lits: &[Lit], set: u32) -> impl Iterator<Item = Lit> {
    lits.iter().enumerate().filter(move |&(i, _)| set >> i & 1 == 1).map(|(_, &lit)| lit)
}

fn inputs(n: u32) -> (Vec<Lit>, BasicVarManager) {
    ((0..n).map(Lit::positive).collect(), BasicVarManager::from_next_free(Var::new(n)))
}

/// Whether `solver` accepts each assignment of `lits` under `assumptions`, and no other, as `want` says of the number of
/// true literals.
fn check(solver: &mut BatSat, lits: &[Lit], assumptions: &[Lit], want: impl Fn(usize) -> bool, what: &str) {
    for set in 0..1u32 << lits.len() {
        let mut all = assumptions.to_vec();
        all.extend(lits.iter().enumerate().map(|(i, &lit)| if set >> i & 1 == 1 { lit } else { !lit }));
        let found = solver.solve_assumps(&all).unwrap() == SolverResult::Sat;
        assert_eq!(found, want(set.count_ones() as usize), "{what}: assignment {set:b}");
    }
}

fn am1_exhaustive<E: am1::Encode + Extend<Lit> + EncodeStats + IterInputs>(make: impl Fn(Vec<Lit>) -> E) {
    for n in 1..=7 {
        let (lits, mut vars) = inputs(n);
        let mut enc = make(lits[..1].to_vec());
        enc.extend(lits[1..].iter().copied());
        assert_eq!((enc.n_lits(), enc.iter().collect()), (n as usize, lits.clone()));
        let mut clauses = Clauses::new();
        enc.encode(&mut clauses, &mut vars).unwrap();
        assert_eq!((enc.n_clauses(), enc.n_vars()), (clauses.len(), vars.n_used() - n));
        let mut solver = BatSat::default();
        solver.add_cnf(clauses).unwrap();
        solver.reserve(Var::new(vars.n_used())).unwrap();
        check(&mut solver, &lits, &[], |count| count <= 1, &format!("n = {n}"));
    }
}

fn bounds_exhaustive<E: BoundBoth>(make: impl Fn(Vec<Lit>) -> E) {
    for n in 1..=5 {
        for low in 0..=n as usize {
            for high in low..=n as usize {
                let (lits, mut vars) = inputs(n);
                let mut enc = make(lits.clone());
                assert_eq!(enc.n_lits(), n as usize);
                let mut solver = BatSat::default();
                solver.reserve(Var::new(n)).unwrap();
                enc.encode_both(low..=high, &mut solver, &mut vars).unwrap();
                solver.reserve(Var::new(vars.n_used())).unwrap();
                check(&mut solver, &lits, &[], |_| true, "encoding must not enforce");
                for b in low..=high {
                    let what = format!("n = {n}, bound {b} of {low}..={high}");
                    let (upper, lower) = (enc.enforce_ub(b).unwrap(), enc.enforce_lb(b).unwrap());
                    check(&mut solver, &lits, &upper, |count| count <= b, &format!("{what}, upper"));
                    check(&mut solver, &lits, &lower, |count| count >= b, &format!("{what}, lower"));
                    check(&mut solver, &lits, &enc.enforce_eq(b).unwrap(), |count| count == b, &what);
                }
                assert_eq!(enc.enforce_ub(n as usize), Ok(vec![]), "n is no bound");
                assert_eq!(enc.enforce_lb(0), Ok(vec![]), "0 is no bound");
                assert_eq!(enc.enforce_lb(n as usize + 1), Err(EnforceError::Unsat));
            }
        }
    }
}

/// Bounds on negated literals, in a formula that has its own mind.
fn bounds_in_context<E: BoundBoth + From<Vec<Lit>>>() {
    // A path whose vertices 1 and 4 are covered: the cheapest cover of its edges takes one more.
    let (x, mut vars) = inputs(6);
    let mut solver = BatSat::default();
    for edge in x.windows(2) {
        solver.add_binary(edge[0], edge[1]).unwrap();
    }
    solver.add_unit(x[1]).unwrap();
    solver.add_unit(x[4]).unwrap();
    let left_out: Vec<Lit> = x.iter().map(|&lit| !lit).collect();
    let mut enc = E::from(left_out);
    enc.encode_both(2..=4, &mut solver, &mut vars).unwrap();
    let mut solve = |assumptions: Vec<Lit>| solver.solve_assumps(&assumptions).unwrap();
    assert_eq!(solve(enc.enforce_lb(3).unwrap()), SolverResult::Sat);
    assert_eq!(solve(enc.enforce_lb(4).unwrap()), SolverResult::Unsat);
    assert_eq!(solve(enc.enforce_eq(3).unwrap()), SolverResult::Sat);
    assert_eq!(solve(enc.enforce_ub(2).unwrap()), SolverResult::Sat);
    assert_eq!(solve(enc.enforce_eq(4).unwrap()), SolverResult::Unsat);
}

/// Which bounds a test encodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Upper,
    Lower,
    Both,
}

/// Inputs and bounds that come step by step; after each step, every bound of its range holds for what is there.
fn incremental<E: BoundBothIncremental + Extend<Lit> + Default>() {
    let ranges = [0..=0, 0..=1, 1..=2, 0..=3, 2..=2, 3..=6, 0..=6];
    for kind in [Kind::Upper, Kind::Lower, Kind::Both] {
        for (case, sizes) in [[1, 1, 1], [3, 0, 2], [2, 3, 0], [0, 4, 1], [4, 0, 0]].iter().enumerate() {
            for first in 0..ranges.len() {
                let (x, mut vars) = inputs(sizes.iter().sum());
                let mut solver = BatSat::default();
                solver.reserve(Var::new(x.len() as u32)).unwrap();
                let (mut enc, mut there) = (E::default(), 0);
                for (step, &more) in sizes.iter().enumerate() {
                    let lits: Vec<Lit> = x[there..there + more as usize].iter().map(|&lit| !lit).collect();
                    enc.extend(lits);
                    there += more as usize;
                    let range = ranges[(first + step * (case + 1)) % ranges.len()].clone();
                    match kind {
                        Kind::Upper => enc.encode_ub_change(range.clone(), &mut solver, &mut vars).unwrap(),
                        Kind::Lower => enc.encode_lb_change(range.clone(), &mut solver, &mut vars).unwrap(),
                        Kind::Both => enc.encode_both_change(range.clone(), &mut solver, &mut vars).unwrap(),
                    }
                    solver.reserve(Var::new(vars.n_used())).unwrap();
                    assert_eq!(enc.n_lits(), there);
                    for b in range.filter(|&b| b <= there) {
                        let what = format!("{kind:?}, sizes {sizes:?}, step {step}, first range {first}, bound {b}");
                        if kind != Kind::Lower {
                            let upper = enc.enforce_ub(b).unwrap();
                            check(&mut solver, &x[..there], &upper, |trues| there - trues <= b, &what);
                        }
                        if kind != Kind::Upper {
                            let lower = enc.enforce_lb(b).unwrap();
                            check(&mut solver, &x[..there], &lower, |trues| there - trues >= b, &what);
                        }
                    }
                }
                check(&mut solver, &x, &[], |_| true, "encoding must not enforce");
            }
        }
    }
}

/// The smallest vertex cover of a path that grows, found by bounds that rise.
fn rising_bounds<E: BoundUpperIncremental + Extend<Lit> + Default>() {
    let (x, mut vars) = inputs(13);
    let mut solver = BatSat::default();
    let (mut enc, mut bound) = (E::default(), 0);
    enc.extend([x[0]]);
    for n in 2..=x.len() {
        solver.add_binary(x[n - 2], x[n - 1]).unwrap();
        enc.extend([x[n - 1]]);
        loop {
            enc.encode_ub_change(bound..=bound, &mut solver, &mut vars).unwrap();
            let assumptions = enc.enforce_ub(bound).unwrap();
            if solver.solve_assumps(&assumptions).unwrap() == SolverResult::Sat {
                break;
            }
            bound += 1;
        }
        assert_eq!(bound, n / 2, "a path of {n} vertices");
    }
}

/// Whole constraints, trivial ones included.
fn constraints<E: BoundBoth + FromIterator<Lit>>() {
    for n in 0..=5 {
        for b in 0..=n as usize + 1 {
            for (relation, name) in [(0, "<="), (1, ">="), (2, "=")] {
                let (lits, mut vars) = inputs(n);
                let (constraint, holds): (_, fn(usize, usize) -> bool) = match relation {
                    0 => (CardConstraint::new_ub(lits.clone(), b), |count, b| count <= b),
                    1 => (CardConstraint::new_lb(lits.clone(), b), |count, b| count >= b),
                    _ => (CardConstraint::new_eq(lits.clone(), b), |count, b| count == b),
                };
                let what = format!("sum of {n} {name} {b}");
                let mut solver = BatSat::default();
                solver.reserve(Var::new(n)).unwrap();
                card::encode_cardinality_constraint::<E, _>(constraint.clone(), &mut solver, &mut vars).unwrap();
                check(&mut solver, &lits, &[], |count| holds(count, b), &what);
                // And without rustsat's own folding of the trivial ones.
                let mut solver = BatSat::default();
                solver.reserve(Var::new(n)).unwrap();
                match E::encode_constr(constraint, &mut solver, &mut vars) {
                    Ok(()) => check(&mut solver, &lits, &[], |count| holds(count, b), &what),
                    Err(error) => {
                        assert_eq!(error, ConstraintEncodingError::Unsat, "{what}");
                        assert!(b > n as usize && relation > 0, "{what}");
                    }
                }
            }
        }
    }
}

macro_rules! am1_tests {
    ($($name:ident: $enc:ty),* $(,)?) => { $(mod $name {
        use super::*;
        #[test]
        fn exhaustive() { am1_exhaustive(<$enc>::from) }
    })* };
}

macro_rules! card_tests {
    ($($name:ident: $enc:ty),* $(,)?) => { $(mod $name {
        use super::*;
        #[test]
        fn exhaustive() { bounds_exhaustive(<$enc>::from) }
        #[test]
        fn in_context() { bounds_in_context::<$enc>() }
        #[test]
        fn whole_constraints() { constraints::<$enc>() }
    })* };
}

am1_tests! {
    am1_of_rustsat: am1::TwoProduct,
    am1_pairwise: Am1<Pairwise>,
    am1_bitwise: Am1<cnfkit::Bitwise>,
    am1_ladder: Am1<Ladder>,
    am1_nested: Am1<cnfkit::Nested>,
    am1_product: Am1<cnfkit::Product>,
    am1_commander: Am1<cnfkit::Commander>,
    am1_bimander: Am1<cnfkit::Bimander>,
    am1_chosen: Am1<CardEncoding>,
    am1_third_party: Am1<Subsets>,
    am1_within_rustsats: am1::Commander<3, Am1<Pairwise>>,
}

card_tests! {
    selected_third_party: Selected<Subsets>,
    selected_combinatorial: Selected<cnfkit::Combinatorial>,
    selected_sequential: Selected<cnfkit::SequentialCounter>,
    selected_totalizer: Selected<cnfkit::Totalizer>,
    selected_chosen: Selected<CardEncoding>,
    counted_incremental: Counted<IncTotalizer>,
    counted_totalizer: Counted<cnfkit::Totalizer>,
    counted_sequential: Counted<cnfkit::SequentialCounter>,
}

macro_rules! incremental_tests {
    ($($name:ident: $enc:ty),* $(,)?) => { $(mod $name {
        use super::*;
        #[test]
        fn in_steps() { incremental::<$enc>() }
        #[test]
        fn rising() { rising_bounds::<$enc>() }
    })* };
}

incremental_tests! {
    incremental_of_rustsat: Totalizer,
    incremental_totalizer: Counted<IncTotalizer>,
    incremental_anew: Counted<cnfkit::Totalizer>,
    incremental_sequential: Counted<cnfkit::SequentialCounter>,
}

#[test]
fn every_encoding_by_name() {
    for &enc in AmoEncoding::ALL {
        println!("{enc}");
        am1_exhaustive(|lits| Am1::new(enc, lits));
    }
    for &enc in CardEncoding::ALL {
        println!("{enc}");
        bounds_exhaustive(|lits| Selected::new(enc, lits));
    }
}

mod card_of_rustsat {
    use super::*;

    #[test]
    fn exhaustive() {
        bounds_exhaustive(Totalizer::from);
    }

    #[test]
    fn in_context() {
        bounds_in_context::<Totalizer>();
    }
}

/// rustsat's encoders, given a solver that drops satisfied clauses, report how many the solver kept.
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
    impl AtMostK for Endless {
        fn at_most<S: ClauseSink + ?Sized>(&self, _: &mut S, _: &[Lit], _: usize) -> Result<(), S::Error> {
            panic!("was not to be called")
        }
        fn amk_size(&self, _: usize, _: usize) -> Size {
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

#[test]
fn rustsats_encoders_write_into_our_formula() {
    let mut cnf = Cnf::new();
    let x = cnf.new_lits(9);
    let target = Target::new(&mut cnf);
    let mut enc = Totalizer::from(x.clone());
    enc.encode_both(4..=4, &mut &target, &mut &target).unwrap();
    let units = enc.enforce_eq(4).unwrap();
    let (used, clauses) = ((&target).n_used(), (&target).n_clauses());
    assert_eq!((used - 9, clauses), (enc.n_vars(), enc.n_clauses()));
    for unit in units {
        cnf.add_clause(&[unit]).unwrap();
    }
    let next = cnf.new_lit();
    assert_eq!(next.vidx32(), used, "a fresh variable is one that rustsat's encoder did not take");
    let model = cnf.solve().unwrap().expect("four of nine");
    assert_eq!(x.iter().filter(|lit| model.lit_value(**lit) == rustsat::types::TernaryVal::True).count(), 4);
}

#[test]
fn a_target_is_a_variable_manager() {
    let mut cnf = Cnf::new();
    let mut other = Cnf::with_vars(20);
    {
        let target = Target::new(&mut cnf);
        let mut vars = &target;
        assert_eq!((vars.max_var(), vars.n_used()), (None, 0));
        assert_eq!((vars.new_var(), vars.max_var()), (Var::new(0), Some(Var::new(0))));
        assert!(vars.mark_used(Var::new(9)));
        assert!(!vars.mark_used(Var::new(9)));
        assert_eq!(vars.n_used(), 10);
        vars.forget_from(Var::new(3));
        assert_eq!(vars.new_lit(), Lit::positive(10), "no variable is forgotten");
        let other = Target::new(&mut other);
        vars.combine(&other);
    }
    assert_eq!(cnf.n_vars(), 20);
}

#[test]
fn a_target_keeps_its_formulas_limit() {
    let mut cnf = Cnf::with_vars(5).with_limit(Size { clauses: 9, ..Cnf::DEFAULT_LIMIT });
    let target = Target::new(&mut cnf);
    let mut enc = am1::Pairwise::from(inputs(5).0);
    let refused = am1::Encode::encode(&mut enc, &mut &target, &mut &target);
    assert!(matches!(refused, Err(OutOfMemory::TryReserve(_))), "{refused:?}");
    assert_eq!(cnf.n_clauses(), 9);
}

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
