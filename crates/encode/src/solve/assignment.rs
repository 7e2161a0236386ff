//! [`Assignment`]: the answer of a solver.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;

use rustsat::types::{self, Lit, TernaryVal, Var};

/// Variables that have names: a formula's.
#[doc(hidden)]
pub trait Named {
    /// The variables with a name, in order.
    fn named(&self) -> Box<dyn Iterator<Item = (Var, &str)> + '_>;
}

/// Values of a formula's variables under which every clause holds; found by [`Cnf::solve`](crate::Cnf::solve).
///
/// It dereferences to rustsat's [`types::Assignment`], which has more methods; iterating gives every true literal.
///
/// ```
/// # fn main() -> Result<(), cnfkit::SolveError> {
/// use cnfkit::{Assignment, ClauseSink, Cnf, Lit};
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(3);
/// cnf.add_clause(&[x[0]])?;
/// cnf.add_clause(&[!x[0], !x[2]])?;
/// let model: Assignment = cnf.solve()?.expect("satisfiable");
/// assert!(model.is_true(x[0]) && model.is_true(!x[2]));
/// assert_eq!(model.value(x[2]), Some(false));
/// assert_eq!(model.iter().filter(|lit| lit.is_pos()).count(), x.iter().filter(|&&lit| model.is_true(lit)).count());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Eq, Default)]
#[doc(alias = "Model")]
pub struct Assignment(types::Assignment);

impl Assignment {
    /// True if `lit` holds. A variable that the formula does not have makes none of its literals true.
    #[must_use]
    pub fn is_true(&self, lit: Lit) -> bool {
        self.0.lit_value(lit) == TernaryVal::True
    }

    /// The value of `lit`: none for a variable that the formula does not have, or that the solver left open because
    /// both values will do.
    #[must_use]
    pub fn value(&self, lit: Lit) -> Option<bool> {
        match self.0.lit_value(lit) {
            TernaryVal::True => Some(true),
            TernaryVal::False => Some(false),
            TernaryVal::DontCare => None,
        }
    }
}

impl Assignment {
    /// The values of the variables of `formula` that have names, by name; those without a value
    /// are left out.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use cnfkit::{CardEncoding, Constrain, Formula};
    /// let mut formula = Formula::new();
    /// let x = ["anna", "ben", "cleo"].map(|name| formula.new_named(name));
    /// formula.at_least(&x, 3, &CardEncoding::Auto)?;
    /// let model = formula.solve()?.expect("a model");
    /// assert!(model.by_name(&formula)["ben"]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn by_name<'f, N: Named + ?Sized>(&self, formula: &'f N) -> BTreeMap<&'f str, bool> {
        formula.named().filter_map(|(var, name)| Some((name, self.value(var.pos_lit())?))).collect()
    }
}

impl Deref for Assignment {
    type Target = types::Assignment;

    fn deref(&self) -> &types::Assignment {
        &self.0
    }
}

impl From<types::Assignment> for Assignment {
    fn from(values: types::Assignment) -> Self {
        Self(values)
    }
}

impl From<Assignment> for types::Assignment {
    fn from(values: Assignment) -> Self {
        values.0
    }
}

impl IntoIterator for Assignment {
    type Item = Lit;
    type IntoIter = <types::Assignment as IntoIterator>::IntoIter;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Assignment {
    type Item = Lit;
    type IntoIter = <&'a types::Assignment as IntoIterator>::IntoIter;

    fn into_iter(self) -> Self::IntoIter {
        (&self.0).into_iter()
    }
}

impl fmt::Debug for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Assignment").field(&self.0).finish()
    }
}

/// The value of each variable from the first on: `1`, `0`, or `_` where both will do.
impl fmt::Display for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
