//! [`Strength`]: what unit propagation derives, measured on every partial assignment.

use rustsat::types::Lit;

use super::Engine;
use crate::relation::Relation;

/// The strength of unit propagation, from the strongest down.
///
/// ```
/// use cnfkit::testing::{Strength, check_strength};
/// use cnfkit::{CardEncoding, Combinatorial};
/// check_strength(&Combinatorial, Strength::Gac); // fails where it is weaker or stronger
/// assert!(CardEncoding::Combinatorial.is_gac());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// Every input that is implied, and every contradiction: generalised arc consistency.
    Gac,
    /// Every contradiction, but not every implied input.
    Consistent,
    /// Contradictions for certain once all inputs are assigned.
    Checks,
    /// Nothing for certain.
    Weak,
}

/// The strength of unit propagation: the weakest answer over all partial assignments of `lits`.
pub(crate) fn strength(engine: &mut Engine, lits: &[Lit], relation: Relation) -> Strength {
    let n = lits.len();
    let truth = |engine: &Engine, value| lits.iter().filter(|&&lit| engine.value(lit) == Some(value)).count();
    descend(engine, lits, 0, (0, 0), &|engine, (yes, no), conflict| {
        let (least, most) = (yes, n - no);
        if !(least..=most).any(|count| relation.allows(count)) {
            return match (conflict, least == most) {
                (true, _) => Strength::Gac,
                (false, false) => Strength::Checks,
                (false, true) => Strength::Weak,
            };
        }
        assert!(!conflict, "{relation} of {n}: contradiction with {yes} true and {no} false");
        if least == most {
            return Strength::Gac;
        }
        // An open literal is implied when the other value leaves no count that is allowed.
        let implied_false = !(least + 1..=most).any(|count| relation.allows(count));
        let implied_true = !(least..most).any(|count| relation.allows(count));
        let complete =
            (!implied_false || truth(engine, false) == n - yes) && (!implied_true || truth(engine, true) == n - no);
        if complete { Strength::Gac } else { Strength::Consistent }
    })
}

/// The strength that a partial assignment shows: given the numbers of true and false literals, and whether there is a
/// contradiction.
type Judge<'a> = &'a dyn Fn(&Engine, (usize, usize), bool) -> Strength;

/// Visits every partial assignment of `lits`, with the numbers of true and false literals in it.
fn descend(engine: &mut Engine, lits: &[Lit], at: usize, (yes, no): (usize, usize), judge: Judge<'_>) -> Strength {
    let mut weakest = Strength::Gac;
    if at == lits.len() {
        return judge(engine, (yes, no), engine.broken);
    }
    for (value, counts) in [(None, (yes, no)), (Some(true), (yes + 1, no)), (Some(false), (yes, no + 1))] {
        let mark = engine.mark();
        let consistent = match value {
            None => !engine.broken,
            Some(value) => engine.assume(if value { lits[at] } else { !lits[at] }),
        };
        weakest = weakest.max(if consistent {
            descend(engine, lits, at + 1, counts, judge)
        } else {
            judge(engine, counts, true)
        });
        engine.undo(mark);
    }
    weakest
}
