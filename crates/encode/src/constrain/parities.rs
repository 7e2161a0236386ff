//! Folding of parities: positive literals of distinct variables are left, none of which has a known value.

use rustc_hash::FxHashSet;
use rustsat::types::Lit;

use super::folded::{Folded, Rest};
use crate::encode::check_known;
use crate::sink::ClauseSink;
use crate::sort;

/// Folds the constraint that the number of true literals is odd, or even. Pairs of a literal cancel, a negation and a
/// literal that is known to be true flip the parity.
pub(super) fn fold_parity<S: ClauseSink + ?Sized>(
    sink: &S,
    lits: impl Iterator<Item = Lit>,
    mut odd: bool,
) -> Folded<'static> {
    let mut left: Vec<Lit> = Vec::with_capacity(lits.size_hint().0);
    for lit in lits {
        check_known(sink, &[lit]);
        match sink.fixed(lit) {
            Some(value) => odd ^= value,
            None => {
                odd ^= lit.is_neg();
                left.push(lit.var().pos_lit());
            }
        }
    }
    if !left.is_sorted() {
        let given = if sink.sorts_inputs() { None } else { Some(left.clone()) };
        left.sort_unstable();
        if let Some(given) = given {
            // A literal that is left stays where it came first.
            sort::cancel_pairs(&mut left);
            let mut once: FxHashSet<Lit> = left.into_iter().collect();
            return of_distinct(given.into_iter().filter(|lit| once.remove(lit)).collect(), odd);
        }
    }
    sort::cancel_pairs(&mut left);
    of_distinct(left, odd)
}

/// Positive literals of distinct variables.
pub(super) fn of_distinct(lits: Vec<Lit>, odd: bool) -> Folded<'static> {
    match (lits.as_slice(), odd) {
        ([], true) => Folded::never(),
        ([], false) => Folded::units(Vec::new()),
        (&[lit], _) => Folded::units(vec![if odd { lit } else { !lit }]),
        _ => Folded { rest: Rest::Parity(lits, odd), ..Folded::units(Vec::new()) },
    }
}
