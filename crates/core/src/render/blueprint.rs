//! [`Blueprint`]: a sink that remembers clauses, to draw what an encoding is made of.

use std::convert::Infallible;

use rustsat::types::{Lit, Var};

use crate::sink::{ClauseSink, free_variable};

/// A sink that remembers clauses and which of them define auxiliaries, so that the structure of an encoding can be
/// looked at and drawn: the tree of a totalizer, the comparators of a network, the levels of a decision diagram. It
/// works for any encoding, yours too, because it only looks at the clauses.
///
/// ```
/// use cnfkit::render::{Blueprint, Look};
/// use cnfkit::{CardEncoding, Constrain};
/// let mut blueprint = Blueprint::new(8);
/// let x = blueprint.inputs();
/// blueprint.at_most(&x, 3, &CardEncoding::Totalizer)?;
/// // A balanced tree: pairs, then fours, then all.
/// let structure = blueprint.structure();
/// assert!(structure.auxiliaries().iter().any(|auxiliary| auxiliary.inputs() == [0, 1, 2, 3]));
/// assert!(blueprint.to_svg(&Look::default()).starts_with("<svg"));
/// # Ok::<(), std::convert::Infallible>(())
/// ```
///
/// It keeps every clause, and the picture has a line for most: meant for some tens of literals.
#[derive(Clone, Debug)]
pub struct Blueprint {
    weights: Vec<u64>,
    vars: u32,
    lits: Vec<Lit>,
    clauses: Vec<BlueprintClause>,
}

/// A clause: where its literals end, and whether it restricts the inputs or only defines auxiliaries.
#[derive(Clone, Copy, Debug)]
struct BlueprintClause {
    end: usize,
    enforces: bool,
}

impl Blueprint {
    /// No clauses yet, over so many input variables.
    ///
    /// # Panics
    /// When there are more than rustsat's variables.
    #[must_use]
    pub fn new(inputs: usize) -> Self {
        Self::weighted(&vec![1; inputs])
    }

    /// No clauses yet, over input variables with these weights: what an auxiliary counts is then a sum of weights.
    ///
    /// ```
    /// use cnfkit::render::{Blueprint, Count, Sense};
    /// use cnfkit::{Constrain, Lit, PbEncoding};
    /// let weights = [3, 2, 2];
    /// let mut blueprint = Blueprint::weighted(&weights);
    /// let terms: Vec<(Lit, u64)> = blueprint.inputs().into_iter().zip(weights).collect();
    /// blueprint.pb_at_most(&terms, 4, &PbEncoding::GeneralizedTotalizer)?;
    /// let structure = blueprint.structure();
    /// let all: Vec<&str> = structure.auxiliaries().iter().map(|auxiliary| auxiliary.role()).collect();
    /// assert_eq!(all, ["true as soon as 2 x2 + 2 x3 ≥ 2"]);
    /// # Ok::<(), std::convert::Infallible>(())
    /// ```
    ///
    /// # Panics
    /// When there are more than rustsat's variables.
    #[must_use]
    pub fn weighted(weights: &[u64]) -> Self {
        let inputs = u32::try_from(weights.len()).ok().filter(|&inputs| inputs <= Var::MAX_IDX + 1);
        let vars = inputs.expect("no more inputs than variables");
        Self { weights: weights.to_vec(), vars, lits: Vec::new(), clauses: Vec::new() }
    }

    /// The literals of the inputs, in order.
    #[must_use]
    pub fn inputs(&self) -> Vec<Lit> {
        (0..self.weights.len() as u32).map(Lit::positive).collect()
    }

    /// The clauses, and whether each enforces: restricts the inputs, rather than define an auxiliary.
    pub fn clauses(&self) -> impl Iterator<Item = (&[Lit], bool)> {
        let starts = std::iter::once(0).chain(self.clauses.iter().map(|clause| clause.end));
        starts.zip(&self.clauses).map(|(start, clause)| (&self.lits[start..clause.end], clause.enforces))
    }

    pub(super) fn n_inputs(&self) -> usize {
        self.weights.len()
    }

    pub(super) fn weights(&self) -> &[u64] {
        &self.weights
    }

    pub(super) fn n_vars(&self) -> usize {
        self.vars as usize
    }

    fn keep(&mut self, clause: &[Lit], enforces: bool) {
        self.vars = self.vars.max(free_variable(clause.iter().copied()));
        self.lits.extend_from_slice(clause);
        self.clauses.push(BlueprintClause { end: self.lits.len(), enforces });
    }
}

impl ClauseSink for Blueprint {
    type Error = Infallible;

    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), Infallible> {
        self.keep(clause, true);
        Ok(())
    }

    fn define(&mut self, clause: &[Lit]) -> Result<(), Infallible> {
        self.keep(clause, false);
        Ok(())
    }

    fn new_lit(&mut self) -> Lit {
        assert!(self.vars <= Var::MAX_IDX, "no more variables");
        self.vars += 1;
        Lit::positive(self.vars - 1)
    }

    fn next_var(&self) -> Var {
        Var::new(self.vars)
    }
}
