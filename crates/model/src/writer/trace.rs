//! [`Trace`]: which part of a model wrote which clauses and constraints of a formula.

use cnfkit_core::Formula;

/// The writers into a formula, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace(Vec<TraceEntry>);

/// From here on, a source writes.
#[derive(Clone, Debug)]
struct TraceEntry {
    clauses: usize,
    constraints: usize,
    source: WritingSource,
}

/// Who writes: a source without the names.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WritingSource {
    Own,
    Contradiction,
    Variable(u32),
    Constraint(u32, Option<u32>),
    Literal,
}

impl Trace {
    pub(crate) fn mark(&mut self, formula: &Formula, source: WritingSource) {
        let (clauses, constraints) = (formula.n_clauses(), formula.constraints().len());
        self.0.push(TraceEntry { clauses, constraints, source });
    }

    /// Who wrote this clause, counted among those of the formula that are no constraints.
    pub(crate) fn of_clause(&self, at: usize) -> Option<WritingSource> {
        self.last(|step| step.clauses <= at)
    }

    /// Who wrote this constraint.
    pub(crate) fn of_constraint(&self, at: usize) -> Option<WritingSource> {
        self.last(|step| step.constraints <= at)
    }

    /// The last step that had begun when so much was there.
    fn last(&self, has_begun: impl Fn(&TraceEntry) -> bool) -> Option<WritingSource> {
        let after = self.0.partition_point(has_begun);
        after.checked_sub(1).map(|at| self.0[at].source)
    }
}
