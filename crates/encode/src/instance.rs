//! A [`Cnf`] as rustsat's formulas, and these as a [`Cnf`].

use rustsat::instances::{self, ManageVars, SatInstance};
use rustsat::types::Clause;

use crate::cnf::{CapacityError, Cnf};
use crate::sink::ClauseSink;

impl From<&Cnf> for instances::Cnf {
    /// The clauses in their order. Variables that no clause has are lost: [`SatInstance`] keeps them.
    ///
    /// ```
    /// use cnfkit::{AmoEncoding, ClauseSink, Cnf, Constrain, rustsat};
    /// let mut cnf = Cnf::new();
    /// let x = cnf.new_lits(5);
    /// cnf.exactly_one(&x, &AmoEncoding::Pairwise)?;
    /// let theirs = rustsat::instances::Cnf::from(&cnf);
    /// assert_eq!(theirs.len(), 11);
    /// assert_eq!(Cnf::try_from(&theirs)?, cnf);
    /// # Ok::<(), cnfkit::CapacityError>(())
    /// ```
    fn from(cnf: &Cnf) -> Self {
        cnf.clauses().map(Clause::from).collect()
    }
}

impl TryFrom<&instances::Cnf> for Cnf {
    type Error = CapacityError;

    /// The clauses in their order, and the variables up to the highest.
    ///
    /// # Errors
    /// When they are more than [`Cnf::DEFAULT_LIMIT`].
    fn try_from(theirs: &instances::Cnf) -> Result<Self, CapacityError> {
        let mut cnf = Self::new();
        theirs.iter().try_for_each(|clause| cnf.add_clause(clause.as_ref()))?;
        Ok(cnf)
    }
}

impl From<&Cnf> for SatInstance {
    /// The clauses in their order, and all variables.
    fn from(cnf: &Cnf) -> Self {
        let mut instance = Self::from(instances::Cnf::from(cnf));
        instance.var_manager_mut().increase_next_free(cnf.next_var());
        instance
    }
}
