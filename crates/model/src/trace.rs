//! The order in which a model is written into a formula, for explanations.

use cnfkit_core::Formula;

/// The writers into a formula, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace(Vec<Step>);

/// From here on, a source writes.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) clauses: usize,
    pub(super) constraints: usize,
    source: Writer,
}

/// Who writes: a source without the names.
#[derive(Clone, Copy, Debug)]
pub(super) enum Writer {
    Own,
    Contradiction,
    Variable(u32),
    Constraint(u32, Option<u32>),
    Literal,
}

impl Trace {
    pub(super) fn mark(&mut self, formula: &Formula, source: Writer) {
        let (clauses, constraints) = (formula.n_clauses(), formula.constraints().len());
        self.0.push(Step { clauses, constraints, source });
    }

    /// The last step that had begun when so much was there.
    pub(super) fn before(&self, has_begun: impl Fn(&Step) -> bool) -> Option<Writer> {
        let after = self.0.partition_point(has_begun);
        after.checked_sub(1).map(|at| self.0[at].source)
    }
}
