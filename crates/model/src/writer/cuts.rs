//! Rules that are not written, but answer for themselves.

use std::fmt::Debug;

use rustsat::types::Lit;

use cnfkit_core::internals::Truth;

/// The part of a rule that is not written: it looks at models and answers with clauses that they violate.
pub(crate) trait Cuts: Debug {
    /// Clauses that the rule implies and a model violates; none if the model satisfies the rule.
    fn violated(&self, is_true: &dyn Fn(Lit) -> bool) -> Vec<Vec<Lit>>;
}

/// The value of a truth value in a model.
pub(crate) fn in_model(truth: Truth, is_true: &dyn Fn(Lit) -> bool) -> bool {
    match truth {
        Truth::Known(known) => known,
        Truth::If(lit) => is_true(lit),
    }
}

/// The literals of a clause that none of these holds in a model, of which none is known to hold.
pub(crate) fn some_of(truths: impl IntoIterator<Item = Truth>) -> Vec<Lit> {
    let lit = |truth| if let Truth::If(lit) = truth { Some(lit) } else { None };
    let mut clause: Vec<Lit> = truths.into_iter().filter_map(lit).collect();
    clause.sort_unstable();
    clause.dedup();
    clause
}
