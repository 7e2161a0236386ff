//! Folding: [`fold`] takes a literal slice and a [`Relation`] apart into what needs no encoding and what does.
//!
//! A caller's literals are a multiset: some have a known value, some are given twice, some beside their negation.
//! Folding happens once, where a constraint enters the front door, in this order:
//!
//! 1. A literal with a value that the sink [knows](ClauseSink::fixed) is taken out, and so is one literal beside its
//!    negation: both together count exactly one. Every literal taken out that is true lowers the bound by one.
//! 2. The rest is sorted by variable, unless the sink says otherwise.
//! 3. Bounds that decide everything become units, or nothing, or an impossibility.
//! 4. A literal that is left more than once has a weight. The [weights](super::weights) file reduces such a constraint
//!    to literals of distinct variables wherever that says the same, and gives weights to what is left.
//!
//! So an encoding gets distinct variables and a bound that is not trivial. A slice of distinct variables in ascending
//! order, by far the most frequent, is passed on as it is: nothing is copied.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use rustsat::types::Lit;

use super::weights;
use crate::encode::check_known;
use crate::relation::Relation;
use crate::sink::ClauseSink;

/// A constraint without its trivial parts; made by [`fold`].
///
/// It holds if and only if all of `units` are true and `rest` holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Folded<'a> {
    /// Literals that must be true, of distinct variables.
    pub units: Vec<Lit>,
    /// The part that is not decided by units. It speaks of other variables than they do.
    pub rest: Rest<'a>,
}

/// The part of a constraint that folding leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rest<'a> {
    /// The constraint is said by the units alone.
    Nothing,
    /// The constraint cannot hold. There are no units.
    Never,
    /// As many of these literals as the relation says are true. Their variables are distinct; the bound k has 1 ≤ k < n
    /// for n literals.
    Literals(Cow<'a, [Lit]>, Relation),
    /// The weights of those literals that are true sum up to what the relation says. Variables are distinct, some
    /// weight is at least 2, none is 0, and no literal is decided by its weight alone: each may be true, and each may
    /// be false.
    Weights(Vec<(Lit, u64)>, Relation),
}

/// Folds the constraint that as many of `lits` as `relation` says are true, for `sink`: with what is
/// [fixed](ClauseSink::fixed) there, and in the order that it [asks for](ClauseSink::sorts_inputs).
///
/// The methods of [`Constrain`](crate::Constrain) do this for their encodings. Use it to send constraints elsewhere: to
/// a propagator, into a file, or to an encoding that is not one of those traits.
///
/// ```
/// use cnfkit::constrain::{Rest, fold};
/// use cnfkit::{Lit, Relation, Tally};
/// let x: Vec<Lit> = Tally::new(4).inputs();
/// // Exactly 3 of x0, ¬x0, x1, x1, x1, x2, x3: x0 beside its negation counts one, and x1 would count three.
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
pub fn fold<'a, S: ClauseSink + ?Sized>(sink: &S, lits: &'a [Lit], relation: Relation) -> Folded<'a> {
    Inputs::new(sink, lits).fold(relation)
}

/// Literals of distinct variables, none of which is fixed, with weights where some were given more than once.
pub(super) struct Inputs<'a> {
    kept: Kept<'a>,
    /// The number of inputs that were found to be true: fixed ones, and one for each complementary pair.
    taken: usize,
}

enum Kept<'a> {
    Literals(Cow<'a, [Lit]>),
    Weights(Vec<(Lit, u64)>),
}

impl<'a> Inputs<'a> {
    /// Steps 1 and 2 of the file's list.
    pub(super) fn new<S: ClauseSink + ?Sized>(sink: &S, lits: &'a [Lit]) -> Self {
        check_known(sink, lits);
        let mut taken = 0;
        let mut kept = Cow::Borrowed(lits);
        if sink.fixes_any() && lits.iter().any(|&lit| sink.fixed(lit).is_some()) {
            taken = lits.iter().filter(|&&lit| sink.fixed(lit) == Some(true)).count();
            kept = lits.iter().copied().filter(|&lit| sink.fixed(lit).is_none()).collect();
        }
        if is_ascending(&kept) {
            return Self { kept: Kept::Literals(kept), taken };
        }
        let mut sorted = kept.to_vec();
        sorted.sort_unstable();
        if is_ascending(&sorted) {
            let kept = if sink.sorts_inputs() { Cow::Owned(sorted) } else { kept };
            return Self { kept: Kept::Literals(kept), taken };
        }
        let (mut terms, pairs) = weigh(&sorted);
        if !sink.sorts_inputs() {
            terms = in_order_of(&kept, &terms);
        }
        let kept = if terms.iter().all(|&(_, weight)| weight == 1) {
            Kept::Literals(terms.iter().map(|&(lit, _)| lit).collect())
        } else {
            Kept::Weights(terms)
        };
        Self { kept, taken: taken + pairs }
    }

    /// Steps 3 and 4 of the file's list.
    pub(super) fn fold(self, relation: Relation) -> Folded<'a> {
        let Some(relation) = lowered(relation, self.taken) else { return Folded::never() };
        match self.kept {
            Kept::Literals(lits) => Folded::literals(lits, relation),
            Kept::Weights(terms) => weights::fold(terms, relation),
        }
    }

    /// The inputs once more. Copies only weights.
    pub(super) fn borrowed(&self) -> Inputs<'_> {
        let kept = match &self.kept {
            Kept::Literals(lits) => Kept::Literals(Cow::Borrowed(lits)),
            Kept::Weights(terms) => Kept::Weights(terms.clone()),
        };
        Inputs { kept, taken: self.taken }
    }

    /// The inputs where `given` is true. Copies only where they hold its variable, or weights.
    pub(super) fn where_true(&self, given: Lit) -> Inputs<'_> {
        let mut taken = self.taken;
        let kept = match &self.kept {
            Kept::Literals(lits) => match lits.iter().find(|lit| lit.var() == given.var()) {
                None => Kept::Literals(Cow::Borrowed(lits)),
                Some(&found) => {
                    taken += usize::from(found == given);
                    Kept::Literals(lits.iter().copied().filter(|&lit| lit != found).collect())
                }
            },
            Kept::Weights(terms) => {
                let found = terms.iter().find(|(lit, _)| *lit == given);
                taken += found.map_or(0, |&(_, weight)| weight as usize);
                Kept::Weights(terms.iter().copied().filter(|(lit, _)| lit.var() != given.var()).collect())
            }
        };
        Inputs { kept, taken }
    }

    /// The literals, if each occurs once, and how many others were found to be true.
    pub(super) fn literals(&self) -> Option<(&[Lit], usize)> {
        match &self.kept {
            Kept::Literals(lits) => Some((lits, self.taken)),
            Kept::Weights(_) => None,
        }
    }
}

impl<'a> Folded<'a> {
    pub(super) const fn never() -> Self {
        Self { units: Vec::new(), rest: Rest::Never }
    }

    pub(super) const fn units(units: Vec<Lit>) -> Self {
        Self { units, rest: Rest::Nothing }
    }

    /// Step 3, for literals of distinct variables.
    pub(super) fn literals(lits: Cow<'a, [Lit]>, relation: Relation) -> Self {
        let n = lits.len();
        match relation {
            Relation::AtMost(k) if k >= n => Self::units(Vec::new()),
            Relation::AtLeast(0) => Self::units(Vec::new()),
            Relation::AtLeast(k) | Relation::Exactly(k) if k > n => Self::never(),
            Relation::AtMost(0) | Relation::Exactly(0) => Self::units(lits.iter().map(|&lit| !lit).collect()),
            Relation::AtLeast(k) | Relation::Exactly(k) if k == n => Self::units(lits.into_owned()),
            _ => Self { units: Vec::new(), rest: Rest::Literals(lits, relation) },
        }
    }
}

fn is_ascending(lits: &[Lit]) -> bool {
    lits.windows(2).all(|pair| pair[0].var() < pair[1].var())
}

/// The relation for the other literals, where `taken` literals are true; `None` where those are too many.
fn lowered(relation: Relation, taken: usize) -> Option<Relation> {
    let bound = relation.bound();
    match relation {
        Relation::AtLeast(_) => Some(relation.with_bound(bound.saturating_sub(taken))),
        Relation::AtMost(_) | Relation::Exactly(_) => bound.checked_sub(taken).map(|bound| relation.with_bound(bound)),
    }
}

/// Each variable of sorted literals once, with the literal that is left over and how often it is, and the number of
/// pairs of a literal and its negation.
fn weigh(sorted: &[Lit]) -> (Vec<(Lit, u64)>, usize) {
    let mut pairs = 0;
    let group = |group: &[Lit]| {
        let positive = group.iter().filter(|lit| lit.is_pos()).count();
        let negative = group.len() - positive;
        pairs += positive.min(negative);
        let left = positive.abs_diff(negative) as u64;
        (left > 0).then(|| (group[0].var().lit(negative > positive), left))
    };
    let terms = sorted.chunk_by(|a, b| a.var() == b.var()).filter_map(group).collect();
    (terms, pairs)
}

/// The terms in the order in which their literals first occur in `lits`.
fn in_order_of(lits: &[Lit], terms: &[(Lit, u64)]) -> Vec<(Lit, u64)> {
    let mut weights: FxHashMap<Lit, u64> = terms.iter().copied().collect();
    lits.iter().filter_map(|&lit| weights.remove(&lit).map(|weight| (lit, weight))).collect()
}
