//! [`EncodingOutput`]: what is written of a model, and what is left to be looked at while a solver searches.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use rustsat::types::Lit;

use super::Truth;
use super::cuts::Cuts;
use super::trace::{Trace, WritingSource};
use cnfkit_core::{CapacityError, ClauseSink, Formula};

/// The end of writing, which fails where there is no room.
pub(super) type WriteResult = Result<(), CapacityError>;

/// Literals of which each implies the one before, with the amount that it comes to, and a factor of them all.
pub(crate) type Chain = (Arc<[(Lit, u64)]>, u64);

/// A rule that is not written, and the literals that must be true for it to hold.
#[derive(Debug)]
pub(crate) struct Lazily {
    pub(crate) condition: Vec<Lit>,
    pub(crate) rule: Box<dyn Cuts>,
}

/// The part of a model that is written so far, and that which need not be.
#[derive(Debug, Default)]
pub(crate) struct EncodingOutput {
    pub(crate) formula: Formula,
    /// The ways in which constraints are written, each once.
    pub(crate) ways: Vec<&'static str>,
    /// Who writes what, where that is asked for.
    pub(crate) trace: Option<Trace>,
    /// Rules that answer for themselves.
    pub(crate) cuts: Vec<Lazily>,
    /// Sums that are not written.
    pub(crate) sums: Vec<(Vec<Chain>, u64)>,
    /// The function whose numbers are too large to be written.
    pub(crate) too_wide: Option<String>,
    /// The steps of variables in sums, upwards or downwards.
    pub(super) steps: FxHashMap<(u32, bool), Arc<[(Lit, u64)]>>,
    pub(super) buffer: Vec<Lit>,
    /// Its literals, where it is long.
    seen: FxHashSet<Lit>,
}

/// The literals of a clause among which one is looked for one by one.
const LONG: usize = 32;

impl EncodingOutput {
    /// An output behind that which a formula has.
    pub(crate) fn behind(formula: Formula, trace: Option<Trace>) -> Self {
        Self { formula, trace, ..Self::default() }
    }

    /// From here on, this one writes.
    pub(crate) fn mark(&mut self, writer: WritingSource) {
        if let Some(trace) = &mut self.trace {
            trace.mark(&self.formula, writer);
        }
    }

    /// A part of a constraint is written in this way.
    pub(crate) fn way(&mut self, way: &'static str) {
        if !self.ways.contains(&way) {
            self.ways.push(way);
        }
    }

    /// The number of rules and sums that are not written so far.
    pub(crate) fn n_lazy(&self) -> usize {
        self.cuts.len() + self.sums.len()
    }

    /// Says that one of these is true, or one of the condition is false.
    pub(crate) fn clause(&mut self, condition: &[Lit], clause: impl IntoIterator<Item = Truth>) -> WriteResult {
        self.buffer.clear();
        self.buffer.extend(condition.iter().map(|&lit| !lit));
        self.seen.clear();
        for truth in clause {
            let lit = match truth {
                Truth::Known(true) => return Ok(()),
                Truth::Known(false) => continue,
                Truth::If(lit) => lit,
            };
            let is_long = self.buffer.len() > LONG;
            if is_long && self.seen.is_empty() {
                self.seen.extend(&self.buffer);
            }
            let has = |lit: Lit| if is_long { self.seen.contains(&lit) } else { self.buffer.contains(&lit) };
            if has(!lit) {
                return Ok(());
            }
            if !has(lit) {
                self.buffer.push(lit);
                if is_long {
                    self.seen.insert(lit);
                }
            }
        }
        self.formula.add_clause(&self.buffer)
    }
}
