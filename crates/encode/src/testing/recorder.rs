//! [`Recorder`]: a sink that keeps every clause, for the suites to look at.

use std::convert::Infallible;

use rustsat::types::{Lit, Var};

use crate::{ClauseSink, Size};

/// Keeps every clause, and what was announced.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    /// All clauses, in the order in which they came.
    pub clauses: Vec<Vec<Lit>>,
    /// The number of clauses that came through `define`.
    pub defined: usize,
    /// The sum of all sizes that were [announced](ClauseSink::reserve).
    pub announced: Size,
    n_vars: u32,
}

impl Recorder {
    /// A sink that knows `inputs` variables, with indices `0..inputs`.
    #[must_use]
    pub fn new(inputs: usize) -> Self {
        Self { n_vars: inputs as u32, ..Self::default() }
    }

    /// The size of what came beside `inputs`.
    #[must_use]
    pub fn size(&self, inputs: usize) -> Size {
        Size {
            vars: u64::from(self.n_vars) - inputs as u64,
            clauses: self.clauses.len() as u64,
            lits: self.clauses.iter().map(|clause| clause.len() as u64).sum(),
        }
    }
}

impl ClauseSink for Recorder {
    type Error = Infallible;

    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), Infallible> {
        self.clauses.push(clause.to_vec());
        Ok(())
    }

    fn define(&mut self, clause: &[Lit]) -> Result<(), Infallible> {
        self.defined += 1;
        self.add_clause(clause)
    }

    fn new_lit(&mut self) -> Lit {
        self.n_vars += 1;
        Lit::positive(self.n_vars - 1)
    }

    fn next_var(&self) -> Var {
        Var::new(self.n_vars)
    }

    fn reserve(&mut self, size: &Size) -> Result<(), Infallible> {
        self.announced += *size;
        Ok(())
    }
}
