//! The one condition on input literals that every public function checks: the sink knows their variables.

use rustsat::types::Lit;

use crate::sink::ClauseSink;

/// Panics when a literal's variable is at or above [`next_var`](ClauseSink::next_var): the sink would later hand it out
/// a second time as an auxiliary, and answers would silently be wrong.
///
/// # Panics
/// When a literal is not known.
pub fn check_known<S: ClauseSink + ?Sized>(sink: &S, lits: &[Lit]) {
    let next = sink.next_var();
    if let Some(&highest) = lits.iter().max_by_key(|lit| lit.var()) {
        assert!(
            highest.var() < next,
            "literal {} is not known to the sink, which has {} variables: take literals from new_lit, or tell the sink \
             how many variables there are",
            highest.to_ipasir(),
            next.idx()
        );
    }
}
