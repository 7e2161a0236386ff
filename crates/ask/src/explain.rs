//! The groups of a formula, and the assumptions, that contradict each other.

use std::fmt;

use rustsat::types::{self, Lit, TernaryVal};

use super::{Ask, Problem};
use cnfkit_core::internals::{Asking, Choices};
use cnfkit_core::{Assignment, ClauseSink, Formula, SolveError};

/// A [`Formula`]'s unsatisfiable cores in the names of its [groups](Formula::group), and answers under assumptions,
/// asked for by methods of the formula itself.
///
/// Nothing but a [`Formula`] implements it.
pub trait Explain: super::sealed::Sealed {
    /// A minimal unsatisfiable core: groups that contradict each other and what is in no group, none of which can be
    /// left out. `None` when there is a solution.
    ///
    /// ```
    /// use cnfkit::{AmoEncoding, ClauseSink, Constrain, Explain, Formula};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut formula = Formula::new();
    /// let [anna, ben, cleo] = ["anna", "ben", "cleo"].map(|name| formula.new_named(name));
    /// formula.group("one works", |formula| formula.exactly_one(&[anna, ben, cleo], &AmoEncoding::Auto))?;
    /// formula.group("anna is ill", |formula| formula.add_clause(&[!anna]))?;
    /// formula.group("ben and cleo together", |formula| {
    ///     formula.add_clause(&[!ben, cleo])?;
    ///     formula.add_clause(&[ben, !cleo])
    /// })?;
    /// let core = formula.unsat_core()?.expect("no solution");
    /// assert_eq!(core.to_string(), "\"one works\", \"anna is ill\", \"ben and cleo together\"");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When the solver fails, or the formula is larger than its limit.
    fn unsat_core(&self) -> Result<Option<Core<'_>>, SolveError> {
        self.assuming(&[]).unsat_core()
    }

    /// A smallest [unsatisfiable core](Self::unsat_core): no fewer groups contradict each other. It takes far longer
    /// where there are many cores.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Explain, Formula};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(3);
    /// for (name, clause) in [("1", &[x[0]][..]), ("2", &[!x[0], x[1]]), ("3", &[!x[1]]), ("4", &[!x[0]])] {
    ///     formula.group(name, |formula| formula.add_clause(clause))?;
    /// }
    /// assert_eq!(formula.smallest_unsat_core()?.expect("no solution").groups, ["1", "4"]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`unsat_core`](Self::unsat_core).
    fn smallest_unsat_core(&self) -> Result<Option<Core<'_>>, SolveError> {
        self.assuming(&[]).smallest_unsat_core()
    }

    /// Questions about the formula in which all of `assumptions` are true.
    ///
    /// # Panics
    /// When the formula does not have the variable of an assumption.
    fn assuming(&self, assumptions: &[Lit]) -> Assuming<'_>;
}

impl Explain for Formula {
    fn assuming(&self, assumptions: &[Lit]) -> Assuming<'_> {
        for lit in assumptions {
            assert!(lit.vidx() < self.n_vars(), "{lit} is assumed, but the formula has {} variables", self.n_vars());
        }
        Assuming { formula: self, assumptions: assumptions.to_vec(), asking: Asking::default() }
    }
}

/// Questions about a [`Formula`] under assumptions; made by [`Explain::assuming`].
///
/// ```
/// use cnfkit::{CardEncoding, Constrain, Explain, Formula};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut formula = Formula::new();
/// let x = ["mon", "tue", "wed", "thu"].map(|name| formula.new_named(name));
/// formula.group("two days at most", |formula| formula.at_most(&x, 2, &CardEncoding::Auto))?;
/// assert!(formula.assuming(&x[..2]).solve()?.expect("a solution").is_true(!x[3]));
/// let core = formula.assuming(&[x[3], !x[2], x[0], x[1]]).unsat_core()?.expect("three days are too many");
/// assert_eq!((core.groups, core.assumptions), (vec!["two days at most"], vec![x[3], x[0], x[1]]));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "a question is asked by `solve`, `unsat_core` or `smallest_unsat_core`"]
pub struct Assuming<'a> {
    formula: &'a Formula,
    assumptions: Vec<Lit>,
    asking: Asking,
}

impl<'a> Assuming<'a> {
    cnfkit_core::asking_methods!();

    /// A model of the formula's variables in which the assumptions hold, or `None` when there is provably none.
    ///
    /// # Errors
    /// As [`Ask`] says, or when the formula is larger than its limit.
    pub fn solve(&self) -> Result<Option<Assignment>, SolveError> {
        self.ask()?.solve()
    }

    /// A minimal unsatisfiable core: groups and assumptions that contradict each other and what is in no group, none of
    /// which can be left out. `None` when there is a solution.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn unsat_core(&self) -> Result<Option<Core<'a>>, SolveError> {
        Ok(self.ask()?.unsat_core()?.map(|parts| self.core(&parts)))
    }

    /// A smallest [unsatisfiable core](Self::unsat_core): no fewer groups and assumptions contradict each other.
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn smallest_unsat_core(&self) -> Result<Option<Core<'a>>, SolveError> {
        Ok(self.ask()?.smallest_unsat_core()?.map(|parts| self.core(&parts)))
    }

    fn ask(&self) -> Result<Ask<BlamedFormula>, SolveError> {
        let (formula, mut parts) = self.formula.with_selectors()?;
        parts.extend(&self.assumptions);
        let parts = BlamedFormula { formula, parts, n_own: self.formula.n_vars() };
        Ok(Ask { problem: parts, asking: self.asking.clone(), choices: Choices::default() })
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

/// Parts of a [`Formula`] that contradict each other; found by [`Explain::unsat_core`].
///
/// ```
/// use cnfkit::ask::{Assuming, Core};
/// use cnfkit::{ClauseSink, Explain, Formula};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut formula = Formula::new();
/// let [a, b, c] = ["a", "b", "c"].map(|name| formula.new_named(name));
/// for (name, clause) in [("a needs b", [!a, b]), ("b needs c", [!b, c]), ("a or c", [a, c])] {
///     formula.group(name, |formula| formula.add_clause(&clause))?;
/// }
/// let question: Assuming<'_> = formula.assuming(&[a, !c]);
/// let core: Core<'_> = question.smallest_unsat_core()?.expect("no solution");
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
