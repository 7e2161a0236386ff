//! Reified bounds: a literal that is true if and only if a bound holds.
//!
//! There are two ways. In the first, an encoding that counts (`ByRelation::outputs`) defines literals for *at least j*
//! in both directions, and r is one of these, or says that one holds and the next does not: one structure serves both
//! values of r. In the second, r implies the bound and its negation implies the opposite: two halves under conditions,
//! three for *exactly*, whose opposite is *fewer or more*. The way with fewer variables + clauses is taken; both sizes
//! are known before anything is written.
//!
//! The literals are folded once. A half differs from them only where they hold the variable of r: there r is a
//! constant, another one in each half. All halves are planned, and announced as one, before the first clause of the
//! first.

use rustsat::types::Lit;

use super::checked::{write_planned, writing};
use super::folded::{Folded, Rest};
use super::inputs::Inputs;
use super::plan::{FoldedPlan, planning};
use super::wide::WideRelation;
use crate::choose::{Conjuncts, OneModel, iff_size};
use crate::constraint::{Constraint, EncodingName, Goal};
use crate::encode::{Encoding, GoOn, Plan, ReifiedRange};
use crate::erase::AnySink;
use crate::guard::Guarded;
use crate::relation::Relation;
use crate::sink::ClauseSink;
use crate::size::Size;
use crate::writer::{Full, Writer};

/// One half: what holds when `r` is true.
#[derive(Debug)]
pub(super) struct Half<'a> {
    r: Lit,
    /// Holds only for this value of the literal that says on which side of the bound the sum is.
    few: Option<bool>,
    folded: Folded<'a>,
}

impl Half<'_> {
    /// The condition: `side` is the literal that says on which side of the bound the sum is, made when it is needed.
    fn cond(&self, side: &mut Option<Lit>, new_lit: &mut dyn FnMut() -> Lit) -> Vec<Lit> {
        let mut cond = vec![self.r];
        if let Some(is_few) = self.few {
            let few = *side.get_or_insert_with(new_lit);
            cond.push(if is_few { few } else { !few });
        }
        cond
    }
}

/// The halves of *`r` if and only if the sum is as `relation` says*.
fn halves<'a>(r: Lit, inputs: &'a Inputs<'_>, relation: WideRelation) -> Vec<Half<'a>> {
    let half = |r, few, relation| Half { r, few, folded: inputs.where_true(r).fold(relation) };
    match relation {
        WideRelation::AtMost(bound) | WideRelation::AtLeast(bound) => {
            vec![half(r, None, WideRelation::AtMost(bound)), half(!r, None, WideRelation::AtLeast(bound + 1))]
        }
        WideRelation::Exactly(bound) => {
            let equal = half(r, None, WideRelation::Exactly(bound));
            match bound.checked_sub(1) {
                None => vec![equal, half(!r, None, WideRelation::AtLeast(1))],
                Some(less) if bound >= inputs.total() => vec![equal, half(!r, None, WideRelation::AtMost(less))],
                // Not equal: `few`, which the solver decides, says on which side.
                Some(less) => vec![
                    equal,
                    half(!r, Some(true), WideRelation::AtMost(less)),
                    half(!r, Some(false), WideRelation::AtLeast(bound + 1)),
                ],
            }
        }
    }
}

/// At least k is not at most k − 1, for k ≥ 1. No sum is so large that a bound saturates below it.
fn normal(r: Lit, relation: WideRelation) -> (Lit, WideRelation) {
    match relation {
        WideRelation::AtLeast(bound) => (!r, WideRelation::AtMost(bound - 1)),
        _ => (r, relation),
    }
}

/// Makes `r` true if and only if the sum of `inputs` is as `relation` says.
pub(super) fn iff(
    sink: &mut AnySink<'_>,
    r: Lit,
    inputs: &Inputs<'_>,
    relation: WideRelation,
    enc: &dyn Encoding,
) -> Result<(), Full> {
    if relation == WideRelation::AtLeast(0) {
        return post_unit(sink, r);
    }
    let (r, relation) = normal(r, relation);
    let whole = inputs.borrowed().fold(relation);
    let whole = whole.proper().filter(|whole| sink.fixed(r).is_none() && whole.lits().all(|lit| lit.var() != r.var()));
    if let Some(whole) = &whole
        && let Some(encoding) = enc.encoding_name()
        && sink.offer(&whole.iff(r).by(encoding))?
    {
        return Ok(());
    }
    let mut halves = halves(r, inputs, relation);
    if let Some((plan, whole)) = whole.and_then(|whole| Some((enc.plan_iff(r, &whole)?, whole))) {
        // A sink that keeps the first half wants no structure for both.
        let first = &halves[0];
        if first.folded.offer(&mut Guarded::new(sink, &[first.r]), enc.encoding_name())? {
            halves.remove(0);
        } else {
            sink.reserve(&plan.size())?;
            return sink.write_by(&mut |to| write_planned(&plan, &whole, to));
        }
    }
    // Each half is offered once all are announced: what a sink keeps stays, whatever it refuses after that.
    let fixed = sink.fixed(r);
    let guards = |given: Lit| u64::from(fixed != Some(given == r));
    let all = planning(sink, &mut |go_on| Halves::new(std::mem::take(&mut halves), enc, guards, go_on))?;
    sink.reserve(&all.size)?;
    all.send(sink, enc.encoding_name())
}

/// Makes `r` true if and only if the sum of `inputs` is as `relation` says, by definitions in both directions: an
/// input, or a literal that has its value, may be `r`.
pub(super) fn iff_with_one_model(
    sink: &mut AnySink<'_>,
    r: Lit,
    inputs: &Inputs<'_>,
    relation: WideRelation,
) -> Result<(), Full> {
    let (r, relation) = if relation == WideRelation::AtLeast(0) { (r, relation) } else { normal(r, relation) };
    let whole = inputs.borrowed().fold(relation);
    let is_free = |whole: &Constraint<'_>| whole.lits().all(|lit| lit.var() != r.var());
    if let Some(constraint) = whole.proper().filter(is_free)
        && sink.fixed(r).is_none()
        && sink.offer(&constraint.iff(r).by(EncodingName::Open(Goal::Counting)))?
    {
        return Ok(());
    }
    let sums = planning(sink, &mut |go_on| whole.defined_sums(go_on))?;
    let mut write = |to: &mut Writer<'_>| to.writing(&"", &mut |to| whole.conjuncts(&sums, to)?.iff(r, to));
    let size = iff_size(r, whole.all_lits(), &mut write);
    sink.reserve(&size)?;
    sink.write_by(&mut write)
}

/// Makes `r` true if and only if the sum of `inputs` is within two bounds, from above and from below. A sink that keeps
/// constraints gets one for each, with an auxiliary; other counts have one counter, and other sums are defined.
pub(super) fn iff_between(
    sink: &mut AnySink<'_>,
    r: Lit,
    inputs: &Inputs<'_>,
    bounds: [WideRelation; 2],
    enc: &dyn Encoding,
) -> Result<(), Full> {
    let sides = bounds.map(|bound| inputs.borrowed().fold(bound));
    if sides[0].excludes(&sides[1]) {
        return post_unit(sink, !r);
    }
    let mut kept = [None, None];
    for (side, kept) in sides.iter().zip(&mut kept) {
        let lit = sink.next_var().pos_lit();
        if let Some((constraint, name)) = side.proper().zip(enc.encoding_name())
            && writing(sink, &"", |sink| {
                let is_kept = sink.offer(&Constraint { defines: true, ..constraint.iff(lit).by(name) })?;
                (is_kept && sink.next_var() <= lit.var()).then(|| sink.new_lit());
                Ok(is_kept)
            })?
        {
            *kept = Some(lit);
        }
    }
    if kept == [None, None]
        && let [upper, lower] = &sides
        && let Some((constraint, plan)) = range(r, upper, lower, enc)
    {
        sink.reserve(&plan.size())?;
        return sink.write_by(&mut |to| write_planned(&plan, &constraint, to));
    }
    let sums = planning(sink, &mut |go_on| {
        sides
            .iter()
            .zip(kept)
            .map(|(side, kept)| kept.map_or_else(|| side.defined_sums(go_on), |_| Vec::new()))
            .collect::<Vec<_>>()
    })?;
    let mut write = |to: &mut Writer<'_>| {
        to.writing(&"", &mut |to| {
            let mut all = Conjuncts::default();
            for ((side, sums), kept) in sides.iter().zip(&sums).zip(kept) {
                match kept {
                    Some(lit) => all.lits([lit]),
                    None => all.append(side.conjuncts(sums, to)?),
                }
            }
            all.iff(r, to)
        })
    };
    let lits = sides.iter().flat_map(Folded::all_lits).chain(kept.into_iter().flatten());
    let size = iff_size(r, lits, &mut write);
    sink.reserve(&size)?;
    sink.write_by(&mut write)
}

/// One counter for a reified range of a count that does not have the variable of `r`.
fn range<'a, 'e>(
    r: Lit,
    upper: &'a Folded<'_>,
    lower: &Folded<'_>,
    enc: &'e dyn Encoding,
) -> Option<(Constraint<'a>, Plan<'e>)> {
    let (Rest::Literals(lits, Relation::AtMost(most)), Rest::Literals(others, Relation::AtLeast(least))) =
        (&upper.rest, &lower.rest)
    else {
        return None;
    };
    if lits != others || lits.iter().any(|lit| lit.var() == r.var()) {
        return None;
    }
    let ranges = [ReifiedRange { r, least: *least, most: *most }];
    let plan = enc.plan_ranges(lits.len(), &ranges).or_else(|| OneModel.plan_ranges(lits.len(), &ranges))?;
    Some((upper.rest.constraint()?, plan))
}

/// Makes `r` true.
pub(super) fn post_unit(sink: &mut AnySink<'_>, r: Lit) -> Result<(), Full> {
    sink.reserve(&Size::clause(1))?;
    sink.add_clause(&[r])
}

/// Halves that are ready to be written, and their size together.
#[derive(Debug)]
pub struct Halves<'h, 'e> {
    size: Size,
    halves: Vec<(Half<'h>, FoldedPlan<'e>)>,
}

impl<'h, 'e> Halves<'h, 'e> {
    /// Plans halves whose clauses get so many literals for their r.
    fn new(halves: Vec<Half<'h>>, enc: &'e dyn Encoding, guards: impl Fn(Lit) -> u64, go_on: &mut GoOn<'_>) -> Self {
        let mut size = Size::variables(u64::from(halves.iter().any(|half| half.few.is_some())));
        let plan = |half: Half<'h>| {
            let plan = FoldedPlan::new(&half.folded, enc, go_on);
            let guards = guards(half.r) + u64::from(half.few.is_some());
            let lits = plan.size().clauses.saturating_mul(guards);
            size += plan.size() + Size { lits, ..Size::ZERO };
            (half, plan)
        };
        let halves = halves.into_iter().map(plan).collect();
        Self { size, halves }
    }

    /// Writes all halves that the sink does not keep as they are: it is asked if their encoding has a name. The size
    /// was announced before.
    fn send(&self, sink: &mut AnySink<'_>, encoding: Option<EncodingName>) -> Result<(), Full> {
        let mut side = None;
        for (half, plan) in &self.halves {
            let cond = half.cond(&mut side, &mut || writing(sink, &"", ClauseSink::new_lit));
            let mut guarded = Guarded::new(sink, &cond);
            if !half.folded.offer(&mut guarded, encoding)? {
                guarded.write_by(&mut |to| plan.write(&half.folded, to))?;
            }
        }
        Ok(())
    }

    /// Writes all halves.
    fn write(&self, to: &mut Writer<'_>) -> Result<(), Full> {
        let mut side = None;
        for (half, plan) in &self.halves {
            let guards: Vec<Lit> = half.cond(&mut side, &mut || to.lit()).iter().map(|&lit| !lit).collect();
            to.under(&guards, false, &mut |to| plan.write(&half.folded, to))?;
        }
        Ok(())
    }
}

/// A reified constraint, folded, ready to be written without being offered.
#[derive(Debug)]
#[doc(hidden)]
pub enum IffPlan<'e> {
    /// One structure for both values of r.
    Whole(Plan<'e>),
    /// Halves under conditions.
    Halves(Halves<'static, 'e>),
}

impl<'e> IffPlan<'e> {
    /// `by_sides` takes *exactly* as two bounds, and no structure for both values of r. Where `go_on` was false, the
    /// plan is of no use.
    pub fn new(
        r: Lit,
        constraint: &Constraint<'_>,
        enc: &'e dyn Encoding,
        by_sides: bool,
        go_on: &mut GoOn<'_>,
    ) -> Self {
        // The halves of *exactly* have a variable that no definition gives its value.
        let enc: &dyn Encoding = if enc.one_model() { &OneModel } else { enc };
        if (!by_sides || enc.one_model())
            && let Some(plan) = enc.plan_iff(r, constraint)
        {
            return Self::Whole(plan);
        }
        let (inputs, relation) = Inputs::of(constraint);
        let (r, relation) = normal(r, relation);
        let mut halves = halves(r, &inputs, relation);
        if let WideRelation::Exactly(bound) = relation
            && by_sides
        {
            let sides = [WideRelation::AtMost(bound), WideRelation::AtLeast(bound)];
            halves.splice(..1, sides.map(|side| Half { r, few: None, folded: inputs.where_true(r).fold(side) }));
        }
        let halves = halves.into_iter().map(|half| Half { folded: half.folded.into_owned(), ..half }).collect();
        Self::Halves(Halves::new(halves, enc, |_| 1, go_on))
    }

    /// The size of what is written.
    #[must_use]
    pub fn size(&self) -> Size {
        match self {
            Self::Whole(plan) => plan.size(),
            Self::Halves(halves) => halves.size,
        }
    }

    /// Writes the constraint that was planned.
    ///
    /// # Errors
    /// When the sink takes no more.
    pub fn write(&self, constraint: &Constraint<'_>, to: &mut Writer<'_>) -> Result<(), Full> {
        match self {
            Self::Whole(plan) => plan.write(constraint, to),
            Self::Halves(halves) => halves.write(to),
        }
    }
}
