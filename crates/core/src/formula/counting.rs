//! Formulas whose models are counted: each solution has one.

use super::Formula;

impl Formula {
    /// This formula for counting models: what it is [encoded](Self::encode) to has exactly one model for each
    /// assignment of its [own variables](Self::lits) that satisfies it, under conditions and reified, too. So a model
    /// counter needs no projection, though [DIMACS](Self::write_dimacs) says for which variables it would be.
    ///
    /// Every constraint is encoded by [`OneModel`](crate::OneModel), unless it was given with another encoding that
    /// [has one model](crate::Encoding::one_model). This holds for constraints that are there and for those that come;
    /// only what was written as clauses at once before, by an encoding without a name or a reified bound on its own
    /// literal, stays as it is, and so do soft clauses.
    ///
    /// ```
    /// use cnfkit::ask::Ask;
    /// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula};
    /// let mut formula = Formula::new().for_counting();
    /// let x = formula.new_lits(10);
    /// formula.at_most(&x, 5, CardEncoding::Auto)?;
    /// let clauses = Formula::read_dimacs(formula.encode()?.to_string().as_bytes())?;
    /// assert!(formula.is_for_counting() && clauses.lits().len() > 10);
    /// assert_eq!(Ask::new(&clauses).count(100_000)?, 638); // of all variables
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn for_counting(mut self) -> Self {
        self.plan.take();
        self.counting = true;
        self.kept.for_counting();
        self
    }

    /// True if each solution has one model: see [`for_counting`](Self::for_counting).
    #[must_use]
    #[doc(hidden)]
    pub const fn is_for_counting(&self) -> bool {
        self.counting
    }
}
