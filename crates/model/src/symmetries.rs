//! Symmetries of a [`Model`], of its values or of its variables, are those of its formula.

use super::encoded::Encoded;
use super::{Model, ModelError};

impl Model {
    /// From now on [`solve`](Self::solve) and searches for optima leave out most solutions that are symmetric to
    /// others, as where colours, or the groups of a schedule, may be exchanged: see [`Formula::break_symmetries`].
    /// There is a solution if and only if there was one, and the optimum is the same; solutions are counted, certified
    /// and enumerated as before. Use it where there may be no solution, or to prove an optimum; a solution alone may
    /// be found later. Where a constraint is not written, as a [lazy one](Self::lazy), symmetries stay.
    ///
    /// ```
    /// use cnfkit::Limits;
    /// use cnfkit::model::Model;
    /// let mut model = Model::new();
    /// let pigeons = model.ints(11, 1..=10);
    /// (0..11).for_each(|one| (0..one).for_each(|other| model.post(pigeons[one].ne(pigeons[other]))));
    /// model.break_symmetries();
    /// model.set_limits(Limits::none().conflicts(1_000));
    /// assert!(model.solve()?.is_none());
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    ///
    /// [`Formula::break_symmetries`]: cnfkit_core::Formula::break_symmetries
    pub fn break_symmetries(&mut self) {
        self.breaks_symmetries = true;
    }

    /// Rules out solutions that are symmetric to others, where that was asked for and everything is written.
    pub(super) fn without_symmetries(&self, encoded: &mut Encoded) -> Result<(), ModelError> {
        if self.breaks_symmetries && self.lazy.is_empty() && encoded.cuts.is_empty() && encoded.sums.is_empty() {
            encoded.formula = encoded.formula.break_symmetries()?.into_formula();
        }
        Ok(())
    }
}
