//! The way that one constraint takes to clauses: planned, then written.

use rustsat::types::Lit;

use super::keep::Asked;
use super::merge::{Item, Items};
use crate::choose::{AmoEncoding, CardEncoding, PbEncoding};
use crate::constrain::{self, FoldedPlan, IffPlan, fold_distinct};
use crate::constraint::{Constraint, Goal};
use crate::encode::{Encoding, OwnEncoding, Plan as _};
use crate::erase::{AnySink, Stopped, erase};
use crate::guard::Guarded;
use crate::sink::{ClauseSink, Tally};
use crate::size::Size;

/// The way of a constraint to clauses, by the kind of encoding that was asked for.
#[derive(Debug)]
pub(super) enum Way {
    One(Parts<AmoEncoding>),
    Card(Parts<CardEncoding>),
    Weights(Parts<PbEncoding>),
    Own(Parts<OwnEncoding>),
    /// To no clauses: a solver watches it.
    Watched,
    /// The plan is too large to be kept, and is made again when it is written.
    Again,
}

/// The plan of each relation of an item.
pub(super) type Parts<E> = Vec<Part<E>>;

pub(super) enum Part<E: Encoding + 'static> {
    /// As it is.
    Plain(constrain::Planned<'static, E>),
    /// Folded once more, because its bounds or its groups are new.
    Folded(Box<(constrain::Folded<'static>, FoldedPlan<'static, E>)>),
    Iff(Box<IffPlan<'static, E>>),
}

impl<E: Encoding> std::fmt::Debug for Part<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Plain(_) => "Plain",
            Self::Folded(_) => "Folded",
            Self::Iff(_) => "Iff",
        })
    }
}

impl<E: Encoding> Part<E> {
    fn all(items: &Items, item: &Item, enc: &'static E) -> Vec<Self> {
        let part = |relation| {
            let constraint = items.constraint(item, relation);
            if let Some(r) = constraint.iff {
                return Self::Iff(Box::new(IffPlan::new(r, &constraint, enc, item.by_sides)));
            }
            // What a count folds to is found with its plan.
            if item.is_count() || item.is_folded {
                return Self::Plain(constrain::Planned::new(&constraint, enc));
            }
            let folded = fold_distinct(&constraint).into_owned();
            let plan = FoldedPlan::new(&folded, enc);
            Self::Folded(Box::new((folded, plan)))
        };
        item.relations().into_iter().flatten().map(part).collect()
    }

    fn write(
        parts: &[Self],
        items: &Items,
        item: &Item,
        on: Option<&[Lit]>,
        sink: &mut AnySink<'_>,
    ) -> Result<(), Stopped> {
        item.relations().into_iter().flatten().zip(parts).try_for_each(|(relation, part)| {
            let mut constraint = items.constraint(item, relation);
            if let Some(lits) = on {
                constraint = Constraint::count(lits, relation.counted());
            }
            match part {
                Self::Plain(plan) => plan.write(&constraint, sink),
                Self::Folded(both) => both.1.write(&both.0, sink),
                Self::Iff(plan) => plan.write(&constraint, sink),
            }
        })
    }

    /// The size without a condition; `None` where only writing tells.
    fn size(parts: &[Self]) -> Option<Size> {
        parts
            .iter()
            .map(|part| match part {
                Self::Plain(plan) => Some(plan.size()),
                Self::Folded(both) => Some(both.1.size()),
                Self::Iff(_) => None,
            })
            .sum()
    }
}

impl Way {
    pub(super) fn new(items: &Items, item: &Item) -> Self {
        match (item.asked, item.is_count()) {
            (Asked::Open(Goal::Size), true) => Self::Card(Part::all(items, item, &CardEncoding::Smallest)),
            (Asked::Open(Goal::Size), false) => Self::Weights(Part::all(items, item, &PbEncoding::Smallest)),
            (Asked::Open(_), true) => Self::Card(Part::all(items, item, &CardEncoding::Auto)),
            (Asked::Open(_), false) => Self::Weights(Part::all(items, item, &PbEncoding::Auto)),
            (Asked::One(enc), _) => Self::One(Part::all(items, item, enc)),
            (Asked::Card(enc), _) => Self::Card(Part::all(items, item, enc)),
            (Asked::Weights(enc), _) => Self::Weights(Part::all(items, item, enc)),
            (Asked::Own(own), _) => Self::Own(Part::all(items, item, own.encoding())),
        }
    }

    /// Writes the constraint, without its condition; a count about the literals `on`, where they are given.
    pub(super) fn write(
        &self,
        items: &Items,
        item: &Item,
        on: Option<&[Lit]>,
        sink: &mut AnySink<'_>,
    ) -> Result<(), Stopped> {
        match self {
            Self::One(parts) => Part::write(parts, items, item, on, sink),
            Self::Card(parts) => Part::write(parts, items, item, on, sink),
            Self::Weights(parts) => Part::write(parts, items, item, on, sink),
            Self::Own(parts) => Part::write(parts, items, item, on, sink),
            Self::Watched => Ok(()),
            Self::Again => Self::new(items, item).write(items, item, on, sink),
        }
    }

    /// The planned size, without a condition; `None` where only writing tells.
    pub(super) fn planned_size(&self) -> Option<Size> {
        match self {
            Self::One(parts) => Part::size(parts),
            Self::Card(parts) => Part::size(parts),
            Self::Weights(parts) => Part::size(parts),
            Self::Own(parts) => Part::size(parts),
            Self::Watched => Some(Size::default()),
            Self::Again => None,
        }
    }

    /// The planned size, or, where a condition touches some clauses only, the size that is written.
    pub(super) fn size(&self, items: &Items, item: &Item, n_vars: usize) -> Size {
        let cond = items.cond(item).len();
        if item.is_impossible() {
            return Size::clause(cond);
        }
        self.planned_size().filter(|_| cond == 0).unwrap_or_else(|| {
            let mut tally = Tally::new(n_vars);
            let Ok(()) = write(items, item, self, &mut tally);
            tally.size()
        })
    }
}

/// Writes one constraint.
pub(super) fn write<S>(items: &Items, item: &Item, way: &Way, sink: &mut S) -> Result<(), S::Error>
where
    S: ClauseSink + ?Sized,
{
    let write = |sink: &mut AnySink<'_>| -> Result<(), Stopped> {
        if item.is_impossible() {
            return sink.add_clause(&[]);
        }
        way.write(items, item, None, sink)
    };
    let cond = items.cond(item);
    if cond.is_empty() { erase(sink, write) } else { erase(&mut Guarded::new(sink, cond), write) }
}
