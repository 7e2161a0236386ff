//! The last stage: a planned formula is written, constraint by constraint.
//!
//! Formulas have many counts that differ in nothing but their literals: a Latin square has one for each value of each
//! row and column. An encoding writes the same clauses for each, with other literals. So the second time they are kept
//! as a [`ClauseTemplate`], which is copied from then on, faster than any encoding writes.

use rustsat::types::Lit;

use super::merge::MergeItem;
use super::plan::FormulaPlan;
use super::way::write;
use crate::pb::ClauseTemplate;
use crate::sink::{ClauseSink, Tally};

impl FormulaPlan {
    /// Writes all constraints, whose size was announced: first parities, then counts, then sums of weights. `mark` is
    /// told of each but the parities, and of the sink as it is before.
    pub(super) fn write<S: ClauseSink + ?Sized>(
        &self,
        sink: &mut S,
        mark: &mut dyn FnMut(&S, &MergeItem),
    ) -> Result<(), S::Error> {
        self.items.parities.write(sink, &mut |_, _| {})?;
        self.write_items(sink, mark)
    }

    /// Writes all constraints but the parities.
    pub(super) fn write_items<S: ClauseSink + ?Sized>(
        &self,
        sink: &mut S,
        mark: &mut dyn FnMut(&S, &MergeItem),
    ) -> Result<(), S::Error> {
        let mut templates = Templates::new(self);
        for (item, way) in self.each().take_while(|(item, _)| item.is_count()) {
            mark(sink, item);
            match templates.of(item, way) {
                Some(at) => {
                    let Templates { kept, meaning, .. } = &mut templates;
                    sink.write_by(&mut |to| kept[at].copy(self.items.lits(item), meaning, to))?;
                }
                None => write(&self.items, item, &self.ways[way as usize], sink)?,
            }
        }
        // The auxiliaries of sums have numbers that follow each other.
        self.each().skip_while(|(item, _)| item.is_count()).try_for_each(|(item, way)| {
            sink.go_on()?;
            mark(sink, item);
            write(&self.items, item, &self.ways[way as usize], sink)
        })
    }
}

/// Literals that are held in templates.
const MOST_HELD: u64 = 1 << 20;

/// Counts that were written before, as clauses that wait for their literals.
struct Templates<'p> {
    planned: &'p FormulaPlan,
    /// For each way: not yet written, written once, or the place of its template.
    known: Vec<TemplateState>,
    kept: Vec<ClauseTemplate>,
    /// The literals of all templates.
    held: u64,
    /// The meaning of a template's literals.
    meaning: Vec<Lit>,
}

#[derive(Clone, Copy)]
enum TemplateState {
    Unwritten,
    Written,
    Template(usize),
}

impl<'p> Templates<'p> {
    fn new(planned: &'p FormulaPlan) -> Self {
        let known = vec![TemplateState::Unwritten; planned.ways.len()];
        Self { planned, known, kept: Vec::new(), held: 0, meaning: Vec::new() }
    }

    /// The place of the template of an item whose way was written before.
    fn of(&mut self, item: &MergeItem, way: u32) -> Option<usize> {
        item.plain_count()?;
        let number = way as usize;
        match self.known[number] {
            TemplateState::Unwritten => {
                self.known[number] = TemplateState::Written;
                None
            }
            TemplateState::Template(at) => Some(at),
            TemplateState::Written => {
                let way = &self.planned.ways[number];
                let size = way.planned_size()?;
                if self.held + size.lits + size.vars > MOST_HELD {
                    return None;
                }
                self.held += size.lits + size.vars;
                let inputs = Tally::new(item.n()).inputs();
                let mut template = ClauseTemplate::new(inputs.iter().copied());
                let Ok(()) = template.write_by(&mut |to| way.write(&self.planned.items, item, Some(&inputs), to));
                self.kept.push(template);
                self.known[number] = TemplateState::Template(self.kept.len() - 1);
                Some(self.kept.len() - 1)
            }
        }
    }
}
