//! [`Offer`]: a constraint on its way from the front door to an encoding, shown to the sink first.

use rustsat::types::Lit;

use crate::relation::Relation;

/// A constraint that is about to be encoded, as [`ClauseSink::offer`](crate::ClauseSink::offer) sees it: when all of
/// [`cond`](Self::cond) are true, the number of true [`lits`](Self::lits) is as [`relation`](Self::relation) says; with
/// [`iff`](Self::iff), that literal is true if and only if it is.
///
/// Folding has removed everything trivial:
///
/// * `lits` are at least 3, of distinct variables, none of which is in `cond` or `iff`, and none has a
///   [fixed](crate::ClauseSink::fixed) value;
/// * at most k has 1 ≤ k ≤ n − 2, at least k has 2 ≤ k ≤ n − 1, exactly k has 1 ≤ k ≤ n − 1;
/// * literals that count more than once are not offered: they are weights, and no `Relation` says them;
/// * `lits` are sorted by variable, unless [`in_order`](Self::in_order) is set or the sink says that it does not
///   [sort](crate::ClauseSink::sorts_inputs).
///
/// A sink that keeps the constraint can say it again later, at another sink, by the methods of
/// [`Constrain`](crate::Constrain): `sink.when(cond).cardinality(lits, relation, enc)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Offer<'a> {
    /// The conditions of all [`when`](crate::Constrain::when)s on the way: distinct literals, none of which is
    /// [fixed](crate::ClauseSink::fixed) to true. Conditions that contradict each other come as they are, some of them
    /// perhaps twice: then the constraint says nothing.
    pub cond: &'a [Lit],
    /// The literal that is true if and only if the relation holds, of a reified constraint.
    pub iff: Option<Lit>,
    /// The literals that are counted.
    pub lits: &'a [Lit],
    /// The number of `lits` that are true.
    pub relation: Relation,
    /// The caller asked to [keep the order](crate::Constrain::keep_order) of `lits`.
    pub in_order: bool,
    /// The aim for which an encoding would be chosen.
    pub aim: Aim,
}

impl<'a> Offer<'a> {
    /// The constraint alone: no condition, not reified, in any order.
    #[must_use]
    pub const fn new(lits: &'a [Lit], relation: Relation, aim: Aim) -> Self {
        Self { cond: &[], iff: None, lits, relation, in_order: false, aim }
    }
}

/// The aim of a chooser of encodings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Aim {
    /// Fast solving, as [`CardEncoding::Auto`](crate::CardEncoding::Auto) does.
    #[default]
    Solving,
    /// The fewest variables + clauses, as [`CardEncoding::Smallest`](crate::CardEncoding::Smallest) does.
    Size,
}
