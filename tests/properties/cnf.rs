//! The flat formula: what a clause does to it, its limit, and its memory.

use cnfkit::{ClauseSink, Cnf, Constrain, Lit, Pairwise, Size, Var};

#[test]
fn every_literal_of_every_clause_is_below_n_vars() {
    for (clause, n_vars) in [
        (vec![], 3),
        (vec![Lit::positive(2)], 3),
        (vec![Lit::negative(3)], 4),
        (vec![Lit::positive(9), Lit::negative(1)], 10),
        (vec![Lit::negative(0), Lit::positive(7), Lit::positive(5)], 8),
        (vec![Lit::positive(Var::MAX_IDX - 1)], Var::MAX_IDX as usize),
    ] {
        let mut cnf = Cnf::with_vars(3);
        cnf.add_clause(&clause).unwrap();
        assert_eq!((cnf.n_vars(), cnf.next_var().idx()), (n_vars, n_vars), "{clause:?}");
        assert_eq!(cnf.clauses().collect::<Vec<_>>(), [&clause[..]]);
        assert_eq!(cnf.clause(0), clause);
    }
}

#[test]
fn what_is_beyond_the_limit_is_refused_and_changes_nothing() {
    let limit = Size { vars: 10, clauses: 3, lits: 7 };
    let mut cnf = Cnf::with_vars(4).with_limit(limit);
    let x: Vec<Lit> = (0..4).map(Lit::positive).collect();
    cnf.add_clause(&x).unwrap();
    cnf.add_clause(&x[..2]).unwrap();
    let before = cnf.clone();
    let refused = cnf.add_clause(&x[..2]).unwrap_err();
    assert_eq!((refused.needed, refused.limit), (Size { vars: 4, clauses: 3, lits: 8 }, limit));
    assert!(cnf == before);
    cnf.add_clause(&x[..1]).unwrap();
    assert_eq!(cnf.add_clause(&[]).unwrap_err().needed, Size { vars: 4, clauses: 4, lits: 7 });
    assert!(cnf.reserve(&Size::variables(6)).is_ok());
    assert_eq!(cnf.reserve(&Size::variables(7)).unwrap_err().needed.vars, 11);
    assert_eq!(cnf.size(), Size { vars: 4, clauses: 3, lits: 7 });
}

#[test]
fn a_limit_that_is_passed_already_refuses_what_needs_more() {
    let mut cnf = Cnf::with_vars(4);
    let x: Vec<Lit> = (0..4).map(Lit::positive).collect();
    x.windows(2).for_each(|clause| cnf.add_clause(clause).unwrap());
    let full = Size { vars: 9, clauses: 2, lits: 99 };
    assert!(cnf.clone().with_limit(full).add_clause(&x).is_err());
    // The variables are there: a clause over them needs none.
    let mut narrow = cnf.with_limit(Size { vars: 3, clauses: 9, lits: 99 });
    assert!(narrow.add_clause(&x).is_ok() && narrow.add_clause(&[Lit::positive(4)]).is_err());
}

#[test]
fn clauses_by_number_and_in_order() {
    let mut cnf = Cnf::with_vars(9);
    let x: Vec<Lit> = (0..9).map(Lit::negative).collect();
    for length in [2, 0, 3, 1, 9, 4] {
        cnf.add_clause(&x[9 - length..]).unwrap();
    }
    for (index, clause) in cnf.clauses().enumerate() {
        assert_eq!(cnf.clause(index), clause, "{index}");
    }
    assert!(cnf.iter().map(<[Lit]>::len).eq([2, 0, 3, 1, 9, 4]));
    assert!(format!("{cnf:?}").starts_with("Cnf { size: Size { vars: 9, clauses: 6, lits: 19 }, limit: "));
}

#[test]
fn as_many_variables_as_rustsat_has() {
    let most = Var::MAX_IDX as usize;
    assert_eq!(Cnf::with_vars(most).n_vars(), most);
    assert!(std::panic::catch_unwind(|| Cnf::with_vars(most + 1)).is_err());
}

#[test]
fn a_constraint_allocates_as_often_whatever_its_size() {
    let allocations = |n| {
        let mut cnf = Cnf::new();
        let x = cnf.new_lits(n);
        allocation_counter::measure(|| cnf.at_most_one(&x, &Pairwise).unwrap()).count_total
    };
    assert_eq!(allocations(1000), 2, "one for the literals, one for where clauses end");
    assert_eq!(allocations(100), 2);
}

#[test]
fn a_clause_over_the_limit_of_variables_is_refused() {
    let mut cnf = Cnf::new().with_limit(Size { vars: 3, clauses: 10, lits: 10 });
    assert!(cnf.add_clause(&[Lit::positive(2)]).is_ok());
    let error = cnf.add_clause(&[Lit::positive(0), Lit::negative(9)]).unwrap_err();
    assert_eq!((error.needed.vars, cnf.n_vars(), cnf.n_clauses()), (10, 3, 1));
}
