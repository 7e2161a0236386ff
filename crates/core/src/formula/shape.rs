//! How one constraint is written: by an encoding, or, where one like it was written before, by copying that.
//!
//! Formulas have many constraints that differ in nothing but their literals: a Latin square has one for each value of
//! each row and column. An encoding writes the same clauses for each, with other literals. So the second time they are
//! kept as a [`Draft`], which is copied from then on, faster than any encoding writes.

use std::convert::Infallible;

use rustc_hash::FxHashMap;
use rustsat::types::Lit;

use super::plan::Item;
use crate::CardEncoding;
use crate::constrain::Constrain;
use crate::guard::Guarded;
use crate::offer::Aim;
use crate::pb::Draft;
use crate::relation::Relation;
use crate::sink::{ClauseSink, Size, Tally};
use crate::through::through;

/// Writes the items of a formula.
#[derive(Default)]
pub(super) struct Writer {
    /// The shapes that were written, with the place of their draft if there is one.
    known: FxHashMap<Shape, Option<usize>>,
    drafts: Vec<Draft>,
    /// The shape and the draft of the last item.
    last: Option<(Shape, usize)>,
    /// The literals of all drafts.
    held: u64,
    /// The meaning of a draft's literals.
    meaning: Vec<Lit>,
}

/// So many literals are held in drafts.
const MOST_HELD: u64 = 1 << 20;

impl Writer {
    /// Writes an item with these literals, whose size was announced.
    pub(super) fn write<S: ClauseSink + ?Sized>(
        &mut self,
        sink: &mut S,
        item: &Item,
        cond: &[Lit],
        lits: &[Lit],
    ) -> Result<(), S::Error> {
        let shape = Shape::of(item, cond.len());
        if let Some(at) = self.draft(shape) {
            return self.drafts[at].copy(lits, &mut self.meaning, sink);
        }
        // Only reified constraints have a literal there, only these look at it.
        let r = item.iff().map_or(Lit::positive(0), |(r, _)| r);
        shape.encode.write(sink, cond, r, lits)
    }

    /// The draft of a shape that was written before.
    fn draft(&mut self, shape: Shape) -> Option<usize> {
        if shape.guards > 0 || shape.encode.iff.is_some() || shape.encode.impossible {
            return None;
        }
        if let Some((_, at)) = self.last.filter(|&(other, _)| other == shape) {
            return Some(at);
        }
        let Some(known) = self.known.get_mut(&shape) else {
            self.known.insert(shape, None);
            return None;
        };
        let at = match *known {
            Some(at) => at,
            None => {
                let size = shape.size();
                if self.held + size.lits + size.vars > MOST_HELD {
                    return None;
                }
                self.held += size.lits + size.vars;
                let mut draft = Draft::new(Tally::new(shape.n).inputs());
                let lits = draft.inputs().to_vec();
                let Ok(()): Result<(), Infallible> = shape.encode.write(&mut draft, &[], lits[0], &lits);
                self.drafts.push(draft);
                *known = Some(self.drafts.len() - 1);
                self.drafts.len() - 1
            }
        };
        self.last = Some((shape, at));
        Some(at)
    }
}

/// All that the size of an item depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Shape {
    n: usize,
    guards: usize,
    encode: Encode,
}

impl Shape {
    pub(super) fn of(item: &Item, guards: usize) -> Self {
        Self { n: item.n(), guards, encode: Encode::of(item) }
    }

    /// In closed form, or, where a condition touches some clauses only, by counting.
    pub(super) fn size(self) -> Size {
        let Self { n, guards, encode } = self;
        if encode.impossible {
            return Size::clause(guards);
        }
        let encoding = encode.encoding();
        let relations = encode.relations.into_iter().chain([encode.iff]).flatten();
        let closed: Size = relations.map(|relation| relation.size(&encoding, n)).sum();
        if guards == 0 && encode.iff.is_none() {
            return closed;
        }
        let mut tally = Tally::new(n + guards + 1);
        let lits = tally.inputs();
        let (lits, others) = lits.split_at(n);
        let (&r, cond) = others.split_last().expect("one more");
        let Ok(()) = encode.write(&mut tally, cond, r, lits);
        tally.size()
    }
}

/// The way in which one item is written, whatever its literals.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Encode {
    relations: [Option<Relation>; 2],
    impossible: bool,
    iff: Option<Relation>,
    aim: Aim,
}

impl Encode {
    fn of(item: &Item) -> Self {
        let iff = item.iff().map(|(_, relation)| relation);
        let relations = if iff.is_some() { [None; 2] } else { item.relations() };
        Self { relations, impossible: item.is_impossible(), iff, aim: item.aim }
    }

    const fn encoding(self) -> CardEncoding {
        match self.aim {
            Aim::Solving => CardEncoding::Auto,
            Aim::Size => CardEncoding::Smallest,
        }
    }

    fn write<S: ClauseSink + ?Sized>(self, sink: &mut S, cond: &[Lit], r: Lit, lits: &[Lit]) -> Result<(), S::Error> {
        if cond.is_empty() { self.plain(sink, r, lits) } else { self.plain(&mut Guarded::new(sink, cond), r, lits) }
    }

    fn plain<S: ClauseSink + ?Sized>(self, sink: &mut S, r: Lit, lits: &[Lit]) -> Result<(), S::Error> {
        if self.impossible {
            return sink.add_clause(&[]);
        }
        let encoding = self.encoding();
        let Some(relation) = self.iff else {
            return through(sink, |sink| {
                self.relations.into_iter().flatten().try_for_each(|relation| write(sink, relation, lits, encoding))
            });
        };
        through(&mut sink.keep_order(), |sink| match relation {
            Relation::AtMost(k) => sink.iff_at_most(r, lits, k, &encoding),
            Relation::AtLeast(k) => sink.iff_at_least(r, lits, k, &encoding),
            Relation::Exactly(k) => sink.iff_exactly(r, lits, k, &encoding),
        })
    }
}

/// The literals are distinct and in order: an encoder may have them as they are.
fn write<S>(sink: &mut S, relation: Relation, lits: &[Lit], encoding: CardEncoding) -> Result<(), S::Error>
where
    S: ClauseSink + ?Sized,
{
    match relation {
        Relation::AtMost(0) | Relation::Exactly(0) => lits.iter().try_for_each(|&lit| sink.add_clause(&[!lit])),
        Relation::AtLeast(k) | Relation::Exactly(k) if k == lits.len() => {
            lits.iter().try_for_each(|&lit| sink.add_clause(&[lit]))
        }
        _ => relation.encode(&encoding, sink, lits),
    }
}
