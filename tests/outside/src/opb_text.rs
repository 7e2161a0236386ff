//! A sink that writes OPB, the text format of pseudo-Boolean solvers: constraints stay constraints there.

use std::convert::Infallible;
use std::fmt::{self, Write};

use cnfkit::{ClauseSink, Constraint, Lit, PbRelation, Sum, Var};

/// Clauses and constraints as the lines of an OPB file; [`Display`](fmt::Display) gives the whole.
///
/// Counts and sums of weights are kept whatever encoding they were given with, as long as it has a name. OPB has no
/// conditions: what is under one, or reified, is encoded.
#[derive(Clone, Debug, Default)]
pub struct OpbText {
    lines: String,
    count: usize,
    vars: u32,
}

impl OpbText {
    /// No line yet, over variables `0..vars`.
    #[must_use]
    pub fn with_vars(vars: u32) -> Self {
        Self { vars, ..Self::default() }
    }

    fn line(&mut self, terms: impl Iterator<Item = (Lit, i128)>, relation: &str, bound: i128) {
        for (lit, weight) in terms {
            self.vars = self.vars.max(lit.vidx32() + 1);
            let sign = if lit.is_neg() { "~" } else { "" };
            let _ = write!(self.lines, "{weight:+} {sign}x{} ", lit.vidx32() + 1);
        }
        let _ = writeln!(self.lines, "{relation} {bound} ;");
        self.count += 1;
    }
}

impl fmt::Display for OpbText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "* #variable= {} #constraint= {}\n{}", self.vars, self.count, self.lines)
    }
}

impl ClauseSink for OpbText {
    type Error = Infallible;

    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), Infallible> {
        self.line(clause.iter().map(|&lit| (lit, 1)), ">=", 1);
        Ok(())
    }

    fn new_lit(&mut self) -> Lit {
        self.vars += 1;
        Lit::positive(self.vars - 1)
    }

    fn next_var(&self) -> Var {
        Var::new(self.vars)
    }

    fn offer(&mut self, constraint: &Constraint<'_>) -> Result<bool, Infallible> {
        if !constraint.cond.is_empty() || constraint.iff.is_some() {
            return Ok(false);
        }
        let (terms, relation): (Vec<(Lit, i128)>, PbRelation) = match constraint.sum {
            Sum::Count { lits, relation } => (lits.iter().map(|&lit| (lit, 1)).collect(), relation.into()),
            Sum::Weights { terms, relation } => {
                (terms.all().iter().map(|&(lit, weight)| (lit, weight.into())).collect(), relation)
            }
            Sum::Parity { .. } => return Ok(false),
        };
        let bound = i128::from(relation.bound());
        match relation {
            PbRelation::AtLeast(_) => self.line(terms.into_iter(), ">=", bound),
            PbRelation::Exactly(_) => self.line(terms.into_iter(), "=", bound),
            PbRelation::AtMost(_) => {
                self.line(terms.into_iter().map(|(lit, weight)| (lit, -weight)), ">=", -bound);
            }
        }
        Ok(true)
    }
}
