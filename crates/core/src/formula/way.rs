//! The way that one constraint takes to clauses: planned, then written.

use rustsat::types::Lit;

use super::merge::{Folding, Items, MergeItem};
use crate::choose::{CardEncoding, OneModel};
use crate::constrain::{self, FoldedPlan, IffPlan, fold_distinct, planned};
use crate::constraint::Constraint;
use crate::encode::{self, Encoding, Full, Plan, ReifiedRange, Writer};
use crate::erase::{AnySink, erase};
use crate::guard::Guarded;
use crate::relation::{PbRelation, Relation};
use crate::sink::{ClauseSink, Tally};
use crate::size::Size;

/// The way of a constraint to clauses.
#[derive(Debug)]
pub(super) enum Way {
    /// By the plan of each relation of the item.
    Planned(Vec<WayPart>),
    /// By one counter for all of its ranges, or one structure for all of its members.
    Shared(Plan<'static>),
    /// To no clauses: a solver watches it.
    Watched,
    /// The plan is too large to be kept, and is made again when it is written.
    Again,
}

#[derive(Debug)]
pub(super) enum WayPart {
    /// As it is.
    Plain(Plan<'static>),
    /// Folded once more, because its bounds or its groups are new.
    Folded(Box<(constrain::Folded<'static>, FoldedPlan<'static>)>),
    Iff(Box<IffPlan<'static>>),
}

impl WayPart {
    fn new(
        constraint: &Constraint<'_>,
        item: &MergeItem,
        enc: &'static dyn Encoding,
        go_on: &mut encode::GoOn<'_>,
    ) -> Self {
        if let Some(r) = constraint.iff {
            return Self::Iff(Box::new(IffPlan::new(r, constraint, enc, item.folding == Folding::BySides, go_on)));
        }
        // What a count folds to is found with its plan.
        if item.is_count() || item.folding == Folding::Done {
            return Self::Plain(planned(constraint, enc, go_on));
        }
        let folded = fold_distinct(constraint).into_owned();
        let plan = FoldedPlan::new(&folded, enc, go_on);
        Self::Folded(Box::new((folded, plan)))
    }

    fn write(&self, constraint: &Constraint<'_>, to: &mut Writer<'_>) -> Result<(), Full> {
        match self {
            Self::Plain(plan) => plan.write(constraint, to),
            Self::Folded(both) => both.1.write(&both.0, to),
            Self::Iff(plan) => plan.write(constraint, to),
        }
    }

    /// The size without a condition; `None` where only writing tells.
    fn size(&self) -> Option<Size> {
        match self {
            Self::Plain(plan) => Some(plan.size()),
            Self::Folded(both) => Some(both.1.size()),
            Self::Iff(_) => None,
        }
    }
}

impl Way {
    /// The way that was asked for; of no use where `go_on` was false.
    pub(super) fn new(items: &Items, item: &MergeItem, go_on: &mut encode::GoOn<'_>) -> Self {
        let enc = item.asked.encoding(item.is_count());
        let ranges = items.ranges(item);
        if !ranges.is_empty() {
            return Self::Shared(plan_ranges(enc, item.n(), ranges));
        }
        let members = items.members(item);
        if !members.is_empty() {
            return Self::Shared(plan_together(enc, &items.constraints(members), go_on));
        }
        let relations = item.relations().into_iter().flatten();
        let part = |relation| WayPart::new(&items.constraint(item, relation), item, enc, go_on);
        let parts: Vec<WayPart> = relations.map(part).collect();
        // Both bounds by one counter, where that is smaller.
        if let [Some(PbRelation::AtMost(most)), Some(PbRelation::AtLeast(least))] = item.relations()
            && item.is_count()
            && let Some(plan) = enc.plan_between(item.n(), least as usize, most as usize)
            && parts
                .iter()
                .map(WayPart::size)
                .sum::<Option<Size>>()
                .is_some_and(|size| plan.size().cost() < size.cost())
        {
            return Self::Planned(vec![WayPart::Plain(plan)]);
        }
        Self::Planned(parts)
    }

    /// Writes the constraint, without its condition; a count about the literals `on`, where they are given.
    pub(super) fn write(
        &self,
        items: &Items,
        item: &MergeItem,
        on: Option<&[Lit]>,
        to: &mut Writer<'_>,
    ) -> Result<(), Full> {
        match self {
            Self::Planned(parts) => {
                item.relations().into_iter().flatten().zip(parts).try_for_each(|(relation, part)| {
                    let constraint = items.constraint(item, relation);
                    part.write(&on.map_or(constraint, |lits| Constraint::count(lits, relation.counted())), to)
                })
            }
            Self::Shared(plan) => plan.write(&Constraint::count(items.lits(item), Relation::AtMost(0)), to),
            Self::Watched => Ok(()),
            Self::Again => Self::new(items, item, &mut || true).write(items, item, on, to),
        }
    }

    /// The planned size, without a condition; `None` where only writing tells.
    pub(super) fn planned_size(&self) -> Option<Size> {
        match self {
            Self::Planned(parts) => parts.iter().map(WayPart::size).sum(),
            Self::Shared(plan) => Some(plan.size()),
            Self::Watched => Some(Size::default()),
            Self::Again => None,
        }
    }

    /// The planned size, or, where a condition touches some clauses only, the size that is written.
    pub(super) fn size(&self, items: &Items, item: &MergeItem, n_vars: usize) -> Size {
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

/// One counter for all of these ranges: an encoding that has none takes a totalizer's.
fn plan_ranges(enc: &'static dyn Encoding, n: usize, ranges: &[ReifiedRange]) -> Plan<'static> {
    let by = |enc: &'static dyn Encoding| enc.plan_ranges(n, ranges);
    by(enc).or_else(|| by(&CardEncoding::Totalizer)).expect("a totalizer counts up to any number of its literals")
}

/// One structure for bounds on the same terms: where an encoding has none, digits are added.
pub(super) fn plan_together(
    enc: &'static dyn Encoding,
    all: &[Constraint<'_>],
    go_on: &mut encode::GoOn<'_>,
) -> Plan<'static> {
    let plan = enc.plan_together(all, go_on);
    plan.or_else(|| OneModel.plan_together(all, go_on)).expect("all sums of weights can be added")
}

/// Writes one constraint.
pub(super) fn write<S>(items: &Items, item: &MergeItem, way: &Way, sink: &mut S) -> Result<(), S::Error>
where
    S: ClauseSink + ?Sized,
{
    let mut write = |to: &mut Writer<'_>| {
        if item.is_impossible() { to.clause(&[]) } else { way.write(items, item, None, to) }
    };
    let cond = items.cond(item);
    if cond.is_empty() {
        return sink.write_by(&mut write);
    }
    erase(sink, &mut |sink: &mut AnySink<'_>| Guarded::new(sink, cond).write_by(&mut write))
}
