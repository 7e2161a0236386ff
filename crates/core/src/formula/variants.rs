//! A formula with other encodings or another order of literals: the same solutions, other clauses.

use super::{Formula, Order};
use crate::choose::{AmoEncoding, CardEncoding, PbEncoding};
use crate::cnf::CapacityError;
use crate::constrain::Constrain;
use crate::parity::ParityCut;
use crate::relation::Relation;

impl Formula {
    /// This formula with all constraints to be encoded by these, whatever was asked for: *at most one* and *exactly
    /// one* by `ones`, other counts by `counts`, sums of weights by `sums`. Literals of each are in the order in which
    /// they are kept.
    ///
    /// ```
    /// use cnfkit::{AmoEncoding, CardEncoding, ClauseSink, Constrain, Formula, PbEncoding};
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(50);
    /// formula.at_most(&x, 20, &CardEncoding::Auto)?;
    /// let other = formula.with_encodings(AmoEncoding::Smallest, CardEncoding::Smallest, PbEncoding::Smallest)?;
    /// assert!(other.size().clauses < formula.size().clauses);
    /// # Ok::<(), cnfkit::CapacityError>(())
    /// ```
    ///
    /// # Errors
    /// When there is no room for a constraint.
    pub fn with_encodings(
        &self,
        ones: AmoEncoding,
        counts: CardEncoding,
        sums: PbEncoding,
    ) -> Result<Self, CapacityError> {
        let mut new = Self { order: Order::Given, kept: super::KeptConstraints::default(), ..self.clone() };
        for constraint in self.constraints() {
            match constraint.counted() {
                Some((_, Relation::AtMost(1) | Relation::Exactly(1))) => new.post(&constraint, ones)?,
                Some(_) => new.post(&constraint, counts)?,
                None if constraint.parity_of().is_some() => new.post(&constraint, ParityCut::default())?,
                None => new.post(&constraint, sums)?,
            }
        }
        Ok(new.order(self.order))
    }

    /// One of three formulas with the same solutions, this one first; for solvers that are to differ.
    ///
    /// # Errors
    /// When there is no room for a constraint.
    #[doc(hidden)]
    pub fn variant(&self, number: usize) -> Result<Self, CapacityError> {
        match (number % 3, self.order) {
            (0, _) => Ok(self.clone()),
            (1, Order::Variable) => Ok(self.clone().order(Order::Formula)),
            (1, _) => Ok(self.clone().order(Order::Variable)),
            _ => self.with_encodings(AmoEncoding::Smallest, CardEncoding::Smallest, PbEncoding::Smallest),
        }
    }
}
