//! Folding: [`fold`] and [`fold_pb`] take a constraint apart into what needs no encoding and what does.
//!
//! Folding happens once, where a constraint enters the front door, in this order:
//!
//! 1. [`inputs`](super::inputs): literals with known values and pairs of a literal and its negation are taken out, and
//!    what is left is sorted.
//! 2. Bounds that decide everything become units, or nothing, or an impossibility.
//! 3. [`reduce`](super::reduce): weights, given as such or by repeating literals, become a count wherever that says the
//!    same, and are made as small as may be elsewhere.
//!
//! So an encoding gets distinct variables and a bound that is not trivial. A slice of distinct variables in ascending
//! order, by far the most frequent, is passed on as it is: nothing is copied.

use rustsat::types::Lit;

use super::folded::Folded;
use super::inputs::Inputs;
use super::narrow::reduce_narrow;
use super::wide::WideRelation;
use crate::constraint::{Constraint, Terms};
use crate::relation::{PbRelation, Relation};
use crate::sink::ClauseSink;

/// Folds the constraint that as many of `lits` as `relation` says are true, for `sink`: with what is
/// [fixed](ClauseSink::fixed) there, and in the order that it [asks for](ClauseSink::sorts_inputs).
///
/// The methods of [`Constrain`](crate::Constrain) do this for their encodings. Use it to send constraints elsewhere: to
/// a propagator, into a file, or to an encoder that is no [`Encoding`](crate::Encoding).
///
/// ```
/// use cnfkit::constrain::{Rest, fold};
/// use cnfkit::{Lit, Relation, Tally};
/// let x: Vec<Lit> = Tally::new(4).inputs();
/// // Exactly 3 of x0, ¬x0, x1, x1, x1, x2, x3: x0 and ¬x0 together count one, and x1 would count three.
/// let lits = [x[0], !x[0], x[1], x[1], x[1], x[2], x[3]];
/// let folded = fold(&Tally::new(4), &lits, Relation::Exactly(3));
/// assert_eq!(folded.units, [!x[1], x[2], x[3]]);
/// assert_eq!(folded.rest, Rest::Nothing);
/// // Nothing to fold: the slice itself.
/// let folded = fold(&Tally::new(4), &x, Relation::AtMost(2));
/// assert!(folded.units.is_empty());
/// assert_eq!(folded.rest, Rest::Literals(x[..].into(), Relation::AtMost(2)));
/// ```
///
/// # Panics
/// When a literal's variable is at or above [`next_var`](ClauseSink::next_var).
#[must_use]
pub fn fold<'a, S: ClauseSink + ?Sized>(sink: &S, lits: &'a [Lit], relation: Relation) -> Folded<'a> {
    Inputs::new(sink, lits).fold(relation)
}

/// Folds the constraint that the weights of the true literals sum up to what `relation` says, as [`fold`] does for
/// literals that weigh one each. Here `terms` may be any: weights of 0, and literals that repeat or complement each
/// other. Of each of their groups at most one literal is true, which is said elsewhere.
///
/// ```
/// use cnfkit::constrain::{Rest, fold_pb};
/// use cnfkit::{Lit, PbRelation, Relation, Tally, Terms};
/// let x: Vec<Lit> = Tally::new(4).inputs();
/// let terms = [(x[0], 7), (x[1], 4), (x[2], 3), (x[3], 3)];
/// // 7 is too heavy, and of the others no two are light enough.
/// let folded = fold_pb(&Tally::new(4), &Terms::new(&terms), PbRelation::AtMost(5));
/// assert_eq!(folded.units, [!x[0]]);
/// assert_eq!(folded.rest, Rest::Literals(x[1..].into(), Relation::AtMost(1)));
/// // At most 6, with 3 + 3 but not 4 + 3, is no count.
/// let folded = fold_pb(&Tally::new(4), &Terms::new(&terms), PbRelation::AtMost(6));
/// assert!(matches!(folded.rest, Rest::Weights { relation: PbRelation::AtMost(_), .. }));
/// ```
///
/// # Panics
/// When a literal's variable is at or above [`next_var`](ClauseSink::next_var).
#[must_use]
pub fn fold_pb<S: ClauseSink + ?Sized>(sink: &S, terms: &Terms<'_>, relation: PbRelation) -> Folded<'static> {
    if terms.is_grouped() {
        return Inputs::weighted(sink, terms).fold(relation);
    }
    fold_terms(sink, terms.all().to_vec(), relation.into())
}

/// Folds a sum of weights, none of them in a group.
pub(super) fn fold_terms<S: ClauseSink + ?Sized>(
    sink: &S,
    mut terms: Vec<(Lit, u64)>,
    relation: WideRelation,
) -> Folded<'static> {
    let is_ascending = |terms: &[(Lit, u64)]| terms.windows(2).all(|pair| pair[0].0.var() < pair[1].0.var());
    let mut is_distinct = is_ascending(&terms);
    if !is_distinct && sink.sorts_inputs() {
        terms.sort_unstable();
        is_distinct = is_ascending(&terms);
    }
    let fixes_any = sink.fixes_any();
    if is_distinct
        && terms.last().is_some_and(|(highest, _)| highest.var() < sink.next_var())
        && !(fixes_any && terms.iter().any(|&(lit, _)| sink.fixed(lit).is_some()))
        && let Some(folded) = reduce_narrow(&mut terms, relation)
    {
        return folded;
    }
    Inputs::weighted(sink, &Terms::new(&terms)).fold(relation)
}

/// Folds a constraint whose variables are distinct, in its order; its condition and what reifies it aside.
#[doc(hidden)]
#[must_use]
pub fn fold_distinct<'a>(constraint: &Constraint<'a>) -> Folded<'a> {
    let (inputs, relation) = Inputs::of(constraint);
    inputs.fold(relation)
}
