//! The groups of a formula, and the assumptions, that contradict each other.

use std::fmt;

use rustsat::types::{self, Lit, TernaryVal};

use super::{Ask, Problem, Question};
use cnfkit_core::{Assignment, ClauseSink, Formula, SolveError};

impl<'a> Question<'a> {
    /// A minimal unsatisfiable core: groups and assumptions that contradict each other and what is in no group, none of
    /// which can be left out. `None` when there is a solution.
    ///
    /// # Errors
    /// As [`Question`] says.
    pub fn unsat_core(&self) -> Result<Option<Core<'a>>, SolveError> {
        Ok(self.blamed()?.unsat_core()?.map(|parts| self.core(&parts)))
    }

    /// A smallest [unsatisfiable core](Self::unsat_core): no fewer groups and assumptions contradict each other.
    ///
    /// # Errors
    /// As [`Question`] says.
    pub fn smallest_unsat_core(&self) -> Result<Option<Core<'a>>, SolveError> {
        Ok(self.blamed()?.smallest_unsat_core()?.map(|parts| self.core(&parts)))
    }

    /// The question whose parts are the groups, then the assumptions.
    fn blamed(&self) -> Result<Ask<BlamedFormula>, SolveError> {
        let (formula, mut parts) = self.formula.with_selectors()?;
        parts.extend(&self.assumptions);
        let parts = BlamedFormula { formula, parts, n_own: self.formula.n_vars() };
        Ok(Ask { problem: parts, asking: self.asking.clone(), choices: self.choices })
    }

    /// Groups come first among the parts, then assumptions.
    fn core(&self, parts: &[usize]) -> Core<'a> {
        let names: Vec<&str> = self.formula.groups().collect();
        let (groups, assumptions) = parts.split_at(parts.partition_point(|&part| part < names.len()));
        Core {
            groups: groups.iter().map(|&group| names[group]).collect(),
            assumptions: assumptions.iter().map(|&part| self.assumptions[part - names.len()]).collect(),
            formula: self.formula,
        }
    }
}

/// Parts of a [`Formula`] that contradict each other; found by [`Questions::unsat_core`](crate::Questions::unsat_core).
///
/// ```
/// use cnfkit::ask::Core;
/// use cnfkit::{ClauseSink, Formula, Questions};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut formula = Formula::new();
/// let [a, b, c] = ["a", "b", "c"].map(|name| formula.new_named(name));
/// for (name, clause) in [("a needs b", [!a, b]), ("b needs c", [!b, c]), ("a or c", [a, c])] {
///     formula.group(name, |formula| formula.add_clause(&clause))?;
/// }
/// let core: Core<'_> = formula.ask().assuming(&[a, !c]).smallest_unsat_core()?.expect("no solution");
/// assert_eq!((&core.groups[..], &core.assumptions[..]), (&["a needs b", "b needs c"][..], &[a, !c][..]));
/// assert_eq!(core.to_string(), "\"a needs b\", \"b needs c\", a, not c");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Core<'a> {
    /// The names of the groups, in the order in which these were made.
    pub groups: Vec<&'a str>,
    /// The assumptions, in the order in which they were given.
    pub assumptions: Vec<Lit>,
    formula: &'a Formula,
}

/// The names of groups, quoted, then the assumptions by the names of their variables, or DIMACS numbers.
impl fmt::Display for Core<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut comma = "";
        for group in &self.groups {
            write!(f, "{comma}{group:?}")?;
            comma = ", ";
        }
        for lit in &self.assumptions {
            let not = if lit.is_neg() { "not " } else { "" };
            match self.formula.name(lit.var()) {
                Some(name) => write!(f, "{comma}{not}{name}")?,
                None => write!(f, "{comma}{}", lit.to_ipasir())?,
            }
            comma = ", ";
        }
        Ok(())
    }
}

/// A formula and the literals that make each part of it hold.
struct BlamedFormula {
    formula: Formula,
    parts: Vec<Lit>,
    /// The number of variables that an answer has.
    n_own: usize,
}

impl Problem for BlamedFormula {
    type Solution = Assignment;

    fn n_vars(&self) -> usize {
        self.formula.n_vars()
    }

    fn rules<S: ClauseSink>(&self, sink: &mut S) -> Result<(), S::Error> {
        self.formula.encode_into(sink)
    }

    fn n_parts(&self) -> usize {
        self.parts.len()
    }

    fn part<S: ClauseSink>(&self, part: usize, sink: &mut S) -> Result<(), S::Error> {
        sink.add_clause(&[self.parts[part]])
    }

    fn decode(&self, is_true: impl Fn(Lit) -> bool) -> Assignment {
        let value = |var| TernaryVal::from(is_true(Lit::positive(var)));
        (0..self.n_own as u32).map(value).collect::<types::Assignment>().into()
    }
}
