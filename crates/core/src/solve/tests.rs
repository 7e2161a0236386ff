//! Answers of a solver that watches constraints.

use rustsat::types::Lit;

use crate::choose::{CardEncoding, PbEncoding};
use crate::constrain::Constrain;
use crate::formula::Formula;
use crate::limits::{Limits, SolveError, Stopped};
use crate::sink::ClauseSink;

/// Answers to what is watched are those to what is written.
#[test]
fn watched_answers_are_those_of_clauses() {
    let (mut random, mut refuted) = (crate::random::Random::new(3), 0);
    for round in 0..200 {
        let mut formula = Formula::new();
        let x = formula.new_lits(14);
        for _ in 0..10 + random.below(20) {
            let some: Vec<Lit> = x.iter().filter_map(|&lit| [None, Some(lit), Some(!lit)][random.below(3)]).collect();
            let terms: Vec<(Lit, u64)> = some.iter().map(|&lit| (lit, 1 + random.below(9) as u64)).collect();
            let half: u64 = terms.iter().map(|&(_, weight)| weight).sum::<u64>() / 2;
            match random.below(4) {
                0 => formula.exactly(&some, some.len() / 2, CardEncoding::Auto),
                1 => formula.pb_at_most(&terms, half, PbEncoding::Auto),
                2 => formula.when(x[0]).at_least(&some, some.len() / 2, CardEncoding::Auto),
                _ => formula.add_clause(&some),
            }
            .unwrap();
        }
        let found = crate::session::solve_watched(&formula, &Limits::none().start()).unwrap();
        assert_eq!(found.is_some(), formula.solve().unwrap().is_some(), "round {round}");
        refuted += usize::from(found.is_none());
        if let Some(model) = found {
            let is_true = |lit: Lit| model.is_true(lit);
            assert!(formula.clauses().all(|clause| clause.iter().any(|&lit| is_true(lit))), "round {round}");
            assert!(formula.constraints().all(|constraint| constraint.holds(is_true)), "round {round}");
        }
    }
    assert!((20..180).contains(&refuted), "{refuted}");
    let mut pigeons = Formula::new();
    let x = pigeons.new_lits(40);
    pigeons.at_least(&x, 21, CardEncoding::Auto).unwrap();
    for pair in x.chunks(2) {
        pigeons.add_clause(&[!pair[0], !pair[1]]).unwrap();
    }
    let stopped = crate::session::solve_watched(&pigeons, &Limits::none().conflicts(10).start());
    assert!(matches!(stopped, Err(SolveError::Interrupted(Stopped::Conflicts))), "{stopped:?}");
}
