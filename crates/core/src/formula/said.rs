//! Expressions of which a formula has clauses with auxiliaries. A certificate's OPB has them as they were said: each
//! operation is true if and only if a variable of its own is. The clauses are lines of the proof.

use rustsat::types::{Lit, Var};

use super::Formula;
use super::aside::SaidExpr;
use super::certify_error::CertifyError;
use super::dry::{Dry, Spent};
use super::opb_line::{OpbLine, OpbLits};
use crate::certify::{Attempt, Batch, DerivationEffort, Id, Lines, Refused, derive};
use crate::constrain::Constrain;
use cnfkit_encode::normal::NormalSum;
use cnfkit_encode::{ExprLine, ExprStep};

impl SaidExpr {
    /// Writes its clauses again; the literal, if it has one.
    fn write(&self, batch: Batch, go_on: &dyn Fn() -> bool) -> Result<(Batch, Option<Lit>), Spent> {
        let effort = DerivationEffort::most(go_on);
        let mut sink = Dry { batch, next: Var::new(self.first), effort, counts_models: self.counts_models };
        let mut when = sink.when(&self.cond);
        let lit =
            if self.is_literal { Some(when.literal(&self.expr)?) } else { when.require(&self.expr).map(|()| None)? };
        Ok((sink.batch, lit))
    }

    /// The number of variables that it has in OPB.
    pub(super) fn n_own(&self) -> u32 {
        self.expr.steps(self.first).0.len() as u32
    }

    /// The lines that say it, whose own variables are numbered from `own` on.
    pub(super) fn lines(&self, own: u32) -> Vec<OpbLine> {
        let (steps, whole) = self.expr.steps(own);
        let lines = steps.iter().flat_map(ExprStep::lines);
        // Parts may be alike, and then their literals repeat.
        let line = |(terms, least): ExprLine| {
            let sum = NormalSum::new(terms.iter().map(|&(weight, lit)| (lit, weight.into())));
            let terms = sum.terms.into_iter().map(|(lit, weight)| (weight as u64, lit)).collect();
            OpbLine { terms, least: (i128::from(least) - sum.offset).max(0).cast_unsigned(), guards: Vec::new() }
        };
        let mut lines: Vec<OpbLine> = lines.map(line).filter(|line| line.least > 0).collect();
        let cond = |cond: &[Lit]| cond.iter().map(|&lit| !lit).collect();
        let holds = |whole: Lit, guards: Vec<Lit>| OpbLine { terms: vec![(1, whole)], least: 1, guards };
        match self.write(Batch::default(), &|| true) {
            Ok((_, Some(lit))) => lines.extend([holds(whole, cond(&[lit])), holds(!whole, cond(&[!lit]))]),
            _ => lines.push(holds(whole, cond(&self.cond))),
        }
        lines
    }

    /// Derives its clauses from its lines, which begin at `line`; their numbers.
    pub(super) fn derive(
        &self,
        formula: &Formula,
        (own, line): (u32, Id),
        lines: &mut Lines<'_>,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Vec<Id>, CertifyError> {
        let mut batch = Batch::new(self.expr.lits().into_iter().map(|lit| (lit, 1)));
        for (said, id) in self.lines(own).iter().zip(line..) {
            batch.bound(said.terms.iter().copied(), said.least, &said.guards, id);
        }
        let (batch, _) = self.write(batch, go_on).map_err(CertifyError::cancelled)?;
        let mut ids = Vec::with_capacity(self.clauses.len());
        let own = formula.clauses().skip(self.clauses.start).take(self.clauses.len());
        if batch.has(own) {
            let attempt = Attempt::Functions { falling: false, constants: false };
            match derive(&batch, Some(attempt), DerivationEffort::most(go_on), lines, |id| ids.push(id))? {
                Ok(()) => return Ok(ids),
                Err(Refused::Interrupted) => return Err(CertifyError::cancelled(())),
                Err(_) => {}
            }
        }
        Err(CertifyError::Written { constraint: self.expr.to_string() })
    }
}

/// Expressions, and the first variable that each has in OPB.
pub(super) fn numbered(said: &[SaidExpr], first: u32) -> impl Iterator<Item = (&SaidExpr, u32)> {
    let mut next = first;
    said.iter().map(move |said| {
        let own = next;
        next += said.n_own();
        (said, own)
    })
}

impl OpbLits {
    /// Fills in the values of variables that the expressions of a formula have in OPB; `formula` is as it is encoded.
    pub(crate) fn say(self, formula: &Formula, given: &Formula, values: &mut [Lit]) {
        let first = self.of(&formula.kept, formula.kept.len()).vidx32();
        for step in numbered(given.aside.said(), first).flat_map(|(said, own)| said.expr.steps(own).0) {
            let value = step.value(|lit| values[lit.vidx()] == lit);
            values[value.vidx()] = value;
        }
    }
}
