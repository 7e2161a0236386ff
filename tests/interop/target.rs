//! rustsat's encoders on our formula.

use cnfkit::interop::Target;
use cnfkit::{ClauseSink, Cnf, Lit, Size, Var};
use rustsat::OutOfMemory;
use rustsat::encodings::card::{BoundBoth, Totalizer};
use rustsat::encodings::{CollectClauses, EncodeStats, am1};
use rustsat::instances::ManageVars;

use super::inputs;

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
    assert!(clauses > 9 && format!("{target:?}").starts_with("Target(Cnf { size: "));
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
