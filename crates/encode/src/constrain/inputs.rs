//! Literals as a caller gives them, a multiset with weights or without, become literals of distinct variables.
//!
//! 1. A literal with a value that the sink [knows](ClauseSink::fixed) is taken out. So is what a literal and its
//!    negation weigh alike: one of them is true. The weight of all that is taken out and true lowers the bound.
//! 2. The rest is sorted by variable, unless the sink says otherwise; groups by the first of their variables.
//!
//! Groups of which at most one literal is true stay groups. Where one of its literals is known to be true, the others
//! are false. A literal in several groups stays in the first.
//!
//! Sums are kept in 128 bits: no slice holds so many weights of 64 bits that they come near that.

use std::borrow::Cow;

use rustsat::types::Lit;

use super::folded::Folded;
use super::reduce::reduce;
use super::wide::{WideRelation, WideTerms};
use crate::constraint::{Constraint, Sum, Terms};
use crate::encode::check_known;
use crate::relation::Relation;
use crate::sink::ClauseSink;
use crate::sort;

/// The value that a literal is known to have. Everything about inputs is compiled once, not once a sink.
type Fixed<'f> = &'f dyn Fn(Lit) -> Option<bool>;

/// Literals of distinct variables, none of which is fixed, with weights where they differ or were given.
pub(super) struct Inputs<'a> {
    kept: KeptInputs<'a>,
    /// The weight of the inputs that were found to be true: fixed ones, and of each complementary pair one.
    taken: u128,
}

enum KeptInputs<'a> {
    Literals(Cow<'a, [Lit]>),
    Weights(WideTerms),
}

impl<'a> Inputs<'a> {
    /// Literals that weigh one each.
    pub(super) fn new<S: ClauseSink + ?Sized>(sink: &S, lits: &'a [Lit]) -> Self {
        check_known(sink, lits);
        let fixed = |lit| sink.fixed(lit);
        Self::literals(lits, sink.fixes_any().then_some(&fixed), sink.sorts_inputs())
    }

    fn literals(lits: &'a [Lit], fixed: Option<Fixed<'_>>, sorted_inputs: bool) -> Self {
        let mut taken = 0;
        let mut kept = Cow::Borrowed(lits);
        if let Some(fixed) = fixed
            && lits.iter().any(|&lit| fixed(lit).is_some())
        {
            taken = lits.iter().filter(|&&lit| fixed(lit) == Some(true)).count() as u128;
            kept = lits.iter().copied().filter(|&lit| fixed(lit).is_none()).collect();
        }
        if is_ascending(&kept) {
            return Self { kept: KeptInputs::Literals(kept), taken };
        }
        let mut sorted = kept.to_vec();
        sorted.sort_unstable();
        if is_ascending(&sorted) {
            let kept = if sorted_inputs { Cow::Owned(sorted) } else { kept };
            return Self { kept: KeptInputs::Literals(kept), taken };
        }
        let given = kept.iter().enumerate().map(|(at, &lit)| GivenLiteral { lit, weight: 1, group: at, at }).collect();
        let (terms, pairs) = distinct(given, sorted_inputs);
        let kept = if terms.iter().all(|given| given.weight == 1) {
            KeptInputs::Literals(terms.iter().map(|given| given.lit).collect())
        } else {
            let terms = terms.iter().map(|given| (given.lit, given.weight)).collect();
            KeptInputs::Weights(WideTerms { terms, ends: Vec::new() })
        };
        Self { kept, taken: taken + pairs }
    }

    /// Literals with weights, in groups of which at most one is true.
    pub(super) fn weighted<S: ClauseSink + ?Sized>(sink: &S, terms: &Terms<'_>) -> Self {
        terms.all().iter().for_each(|&(lit, _)| check_known(sink, &[lit]));
        let fixed = |lit| sink.fixed(lit);
        Self::weights(terms, sink.fixes_any().then_some(&fixed), sink.sorts_inputs())
    }

    fn weights(terms: &Terms<'_>, fixed: Option<Fixed<'_>>, sorted_inputs: bool) -> Self {
        let mut taken = 0;
        let mut given: Vec<GivenLiteral> = Vec::new();
        let mut is_grouped = false;
        for (group, terms) in terms.groups().enumerate() {
            let start = given.len();
            let mut chosen = None;
            for &(lit, weight) in terms {
                match fixed.and_then(|fixed| fixed(lit)) {
                    Some(true) => chosen = Some(chosen.unwrap_or(0) + u128::from(weight)),
                    None if weight > 0 => {
                        given.push(GivenLiteral { lit, weight: weight.into(), group, at: given.len() });
                    }
                    Some(false) | None => {}
                }
            }
            if let Some(weight) = chosen {
                taken += weight;
                given.truncate(start); // no other literal of the group is true
            }
            is_grouped |= given.len() > start + 1;
        }
        let is_sorted = !is_grouped && given.windows(2).all(|pair| pair[0].lit.var() < pair[1].lit.var());
        if !is_sorted {
            let pairs;
            (given, pairs) = distinct(given, sorted_inputs);
            taken += pairs;
        }
        let mut ends = Vec::new();
        if is_grouped {
            ends = (1..=given.len())
                .filter(|&end| given.get(end).is_none_or(|next| next.group != given[end - 1].group))
                .collect();
        }
        let terms: Vec<(Lit, u128)> = given.into_iter().map(|given| (given.lit, given.weight)).collect();
        if ends.len() == terms.len() {
            ends.clear();
        }
        Self { kept: KeptInputs::Weights(WideTerms { terms, ends }), taken }
    }

    /// The sum of a constraint whose variables are distinct, in its order, and its bound; it is no parity.
    pub(super) fn of(constraint: &Constraint<'a>) -> (Self, WideRelation) {
        match constraint.sum {
            Sum::Count { lits, relation } => {
                (Self { kept: KeptInputs::Literals(lits.into()), taken: 0 }, relation.into())
            }
            Sum::Weights { terms, relation } => {
                let weights = terms.all().iter().map(|&(lit, weight)| (lit, weight.into())).collect();
                let choices = WideTerms { terms: weights, ends: terms.ends().to_vec() };
                (Self { kept: KeptInputs::Weights(choices), taken: 0 }, relation.into())
            }
            Sum::Parity { .. } => unreachable!("a parity that is folded is not reified, and folded once"),
        }
    }

    /// The constraint that the sum is as `relation` says.
    pub(super) fn fold(self, relation: impl Into<WideRelation>) -> Folded<'a> {
        let Some(relation) = relation.into().lowered(self.taken) else { return Folded::never() };
        match self.kept {
            KeptInputs::Literals(lits) => {
                let relation = relation.of_count(lits.len());
                Folded::literals(lits, relation)
            }
            KeptInputs::Weights(choices) => reduce(choices, relation),
        }
    }

    /// The greatest sum.
    pub(super) fn total(&self) -> u128 {
        self.taken
            + match &self.kept {
                KeptInputs::Literals(lits) => lits.len() as u128,
                KeptInputs::Weights(choices) => {
                    choices.groups().filter_map(|group| group.iter().map(|&(_, weight)| weight).max()).sum()
                }
            }
    }

    /// The inputs once more. Copies only weights.
    pub(super) fn borrowed(&self) -> Inputs<'_> {
        let kept = match &self.kept {
            KeptInputs::Literals(lits) => KeptInputs::Literals(Cow::Borrowed(lits)),
            KeptInputs::Weights(choices) => KeptInputs::Weights(choices.clone()),
        };
        Inputs { kept, taken: self.taken }
    }

    /// The inputs where `given` is true. Copies only where they hold its variable, or weights.
    pub(super) fn where_true(&self, given: Lit) -> Inputs<'_> {
        let mut taken = self.taken;
        let kept = match &self.kept {
            KeptInputs::Literals(lits) => match lits.iter().find(|lit| lit.var() == given.var()) {
                None => KeptInputs::Literals(Cow::Borrowed(lits)),
                Some(&found) => {
                    taken += u128::from(found == given);
                    KeptInputs::Literals(lits.iter().copied().filter(|&lit| lit != found).collect())
                }
            },
            KeptInputs::Weights(choices) => {
                let mut left = WideTerms::default();
                for group in choices.groups() {
                    let start = left.terms.len();
                    left.terms.extend(group.iter().filter(|(lit, _)| lit.var() != given.var()));
                    if let Some(&(_, weight)) = group.iter().find(|(lit, _)| *lit == given) {
                        taken += weight;
                        left.terms.truncate(start);
                    }
                    if !choices.ends.is_empty() && left.terms.len() > start {
                        left.ends.push(left.terms.len());
                    }
                }
                KeptInputs::Weights(left)
            }
        };
        Inputs { kept, taken }
    }

    /// These inputs as a count, where all weigh the same, and the relation for it; `None` for the relation where no
    /// count is that sum.
    pub(super) fn counted(&self, relation: WideRelation) -> Option<(Inputs<'static>, Option<Relation>)> {
        let KeptInputs::Weights(WideTerms { terms, ends }) = &self.kept else { return None };
        let weight = terms.first()?.1;
        if !ends.is_empty() || terms.iter().any(|&(_, other)| other != weight) {
            return None;
        }
        let lits: Vec<Lit> = terms.iter().map(|&(lit, _)| lit).collect();
        let n = lits.len();
        let relation = relation.lowered(self.taken).and_then(|relation| match relation {
            WideRelation::AtMost(bound) => Some(WideRelation::AtMost(bound / weight)),
            WideRelation::AtLeast(bound) => Some(WideRelation::AtLeast(bound.div_ceil(weight))),
            WideRelation::Exactly(bound) => bound.is_multiple_of(weight).then(|| WideRelation::Exactly(bound / weight)),
        });
        Some((
            Inputs { kept: KeptInputs::Literals(lits.into()), taken: 0 },
            relation.map(|relation| relation.of_count(n)),
        ))
    }
}

fn is_ascending(lits: &[Lit]) -> bool {
    lits.windows(2).all(|pair| pair[0].var() < pair[1].var())
}

/// A literal as it was given: its weight, its group, and its place among all.
#[derive(Clone, Copy)]
struct GivenLiteral {
    lit: Lit,
    weight: u128,
    group: usize,
    at: usize,
}

/// Each variable once, with the literal that is left over and what it weighs, group by group; and the weight of pairs
/// of a literal and its negation. Sorted by variable, or by the place where a literal came first.
fn distinct(mut given: Vec<GivenLiteral>, sorted: bool) -> (Vec<GivenLiteral>, u128) {
    // Directly: to look up keys and to swap takes longer.
    given.sort_unstable_by_key(|given| (given.lit, given.at));
    let mut pairs = 0;
    let weigh = |side: &[GivenLiteral]| side.iter().map(|given| given.weight).sum::<u128>();
    let left = |same: &[GivenLiteral]| {
        let (positive, negative) = same.split_at(same.partition_point(|given| given.lit.is_pos()));
        let (above, below) = (weigh(positive), weigh(negative));
        pairs += above.min(below);
        let side = if below > above { negative } else { positive };
        (above != below).then(|| GivenLiteral { weight: above.abs_diff(below), ..side[0] })
    };
    let mut left: Vec<GivenLiteral> = given.chunk_by(|a, b| a.lit.var() == b.lit.var()).filter_map(left).collect();
    let key = |given: &GivenLiteral| if sorted { given.lit.vidx() } else { given.at };
    let count = left.iter().map(|given| given.group + 1).max().unwrap_or(0);
    let mut first = vec![usize::MAX; count];
    left.iter().for_each(|given| first[given.group] = first[given.group].min(key(given)));
    sort::by_key(&mut left, |given| (first[given.group] as u64) << 32 | key(given) as u64);
    (left, pairs)
}
