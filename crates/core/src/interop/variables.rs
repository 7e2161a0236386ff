//! Where the auxiliaries of an encoding that grows come from. The inputs, the variables that `reserve` took and those
//! the manager handed out since must not meet: every input is looked up once, so that one the manager was not asked for
//! is found before it means two things.

use std::ops::Range;

use rustsat::OutOfMemory;
use rustsat::encodings::CollectClauses;
use rustsat::instances::ManageVars;
use rustsat::types::{Lit, Var};

use super::collector::Collector;
use crate::size::Size;

/// The auxiliaries of an encoding.
#[derive(Clone, Debug, Default)]
pub(super) struct EncodingVariables {
    /// Taken by `reserve` and not handed out yet.
    pub(super) pool: Range<u32>,
    /// All that were taken.
    taken: Vec<Range<u32>>,
    /// The number of inputs that are known not to be auxiliaries.
    checked: usize,
}

impl EncodingVariables {
    /// Forgets auxiliaries that no clause has any more.
    pub(super) fn forget(&mut self) {
        self.taken = vec![self.pool.clone()];
    }

    /// Takes as many variables as `needed` says of those from the first free one on.
    pub(super) fn reserve(&mut self, vars: &mut dyn ManageVars, lits: &[Lit], needed: impl FnOnce(u32) -> u64) {
        if let Some(highest) = lits.iter().map(|lit| lit.var()).max() {
            vars.mark_used(highest);
        }
        let start = vars.max_var().map_or(0, |var| var.idx32() + 1);
        let end = u64::from(start).saturating_add(needed(start));
        // What rustsat has no variables for is refused when it is encoded.
        if let Some(end) = u32::try_from(end).ok().filter(|&end| end <= Var::MAX_IDX && end > start) {
            vars.increase_next_free(Var::new(end));
            self.taken.push(start..end);
            self.pool = start..end;
        }
    }

    /// Lets `grow` send clauses with auxiliaries of this store to a collector, and adds up their size.
    ///
    /// # Panics
    /// When an input is one of the auxiliaries.
    pub(super) fn send<C: CollectClauses>(
        &mut self,
        size: &mut Size,
        (collector, vars): (&mut C, &mut dyn ManageVars),
        lits: &[Lit],
        grow: impl FnOnce(&mut Collector<'_, C>) -> Result<(), OutOfMemory>,
    ) -> Result<(), OutOfMemory> {
        for lit in &lits[self.checked..] {
            assert!(
                !self.taken.iter().any(|aux| aux.contains(&lit.vidx32())),
                "input {} is an auxiliary that this encoding took: ask the variable manager for inputs, or tell it of \
                 them, before encoding",
                lit.to_ipasir()
            );
        }
        self.checked = lits.len();
        let mut sink = Collector::new(collector, vars);
        sink.pool = self.pool.clone();
        sink.mark_used(lits);
        let result = grow(&mut sink);
        *size += sink.size();
        self.pool = sink.pool;
        self.taken.push(sink.fresh);
        self.taken.retain(|aux| !aux.is_empty());
        result
    }
}
