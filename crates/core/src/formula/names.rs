//! Names of variables, and named groups of clauses and constraints, which can be left out one by one.

use cnfkit_encode::solve::Named;
use rustsat::types::{Lit, Var};

use super::Formula;
use crate::cnf::{CapacityError, Cnf};
use crate::sink::ClauseSink;

impl Named for Formula {
    fn named(&self) -> Box<dyn Iterator<Item = (Var, &str)> + '_> {
        Box::new(self.names())
    }
}

impl Formula {
    /// A new variable with a name, as a positive literal.
    ///
    /// ```
    /// use cnfkit::{AmoEncoding, Constrain, Formula};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut formula = Formula::new();
    /// let days = ["mon", "tue", "wed"].map(|day| formula.new_named(day));
    /// formula.exactly_one(&days, &AmoEncoding::Auto)?;
    /// formula.when(&[!days[0]]).add_clause(&[!days[1]])?;
    /// # use cnfkit::ClauseSink;
    /// formula.add_clause(&[!days[2]])?;
    /// let model = formula.solve()?.expect("a model");
    /// assert!(model.by_name(&formula)["mon"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn new_named(&mut self, name: impl Into<String>) -> Lit {
        let lit = self.new_lit();
        self.set_name(lit.var(), name);
        lit
    }

    /// Calls variable `var` by `name`: in what is written, as a comment, and in
    /// [answers](crate::Assignment::by_name).
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Formula};
    /// let mut formula = Formula::new();
    /// let x = formula.new_lit();
    /// formula.set_name(x.var(), "x");
    /// assert_eq!(formula.name(x.var()), Some("x"));
    /// assert!(formula.names().eq([(x.var(), "x")]));
    /// ```
    pub fn set_name(&mut self, var: Var, name: impl Into<String>) {
        self.plan.take(); // a variable with a name is no auxiliary
        self.names.insert(var, name.into());
    }

    /// The name of variable `var`, if it has one.
    #[must_use]
    pub fn name(&self, var: Var) -> Option<&str> {
        self.names.get(&var).map(String::as_str)
    }

    /// All names, by variable.
    #[must_use]
    pub fn names(&self) -> impl ExactSizeIterator<Item = (Var, &str)> {
        self.names.iter().map(|(&var, name)| (var, name.as_str()))
    }

    /// Makes what `say` adds a group of this name, a member of unsatisfiable cores: `unsat_core` names the groups that
    /// contradict each other. Groups of one name are one group; a group within a group has its own name there. Groups
    /// make no difference to anything else, and are not written to files.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula, Questions};
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(5);
    /// formula.group("three work", |formula| formula.at_least(&x, 3, &CardEncoding::Auto))?;
    /// formula.group("holidays", |formula| formula.add_clause(&[!x[0]]))?;
    /// formula.group("the last two rest", |formula| x[3..].iter().try_for_each(|&lit| formula.add_clause(&[!lit])))?;
    /// let core = formula.unsat_core()?.expect("no solution");
    /// assert_eq!(core.groups, ["three work", "holidays", "the last two rest"]);
    /// assert!(formula.solve()?.is_none());
    /// # Ok(())
    /// # }
    /// ```
    pub fn group<T>(&mut self, name: &str, say: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.groups.begin(name, self.counts());
        let result = say(self);
        self.groups.end(outer, self.counts());
        result
    }

    /// The names of all [groups](Self::group), in the order in which they were made.
    #[must_use]
    pub fn groups(&self) -> impl ExactSizeIterator<Item = &str> {
        self.groups.names.iter().map(String::as_str)
    }

    /// The number of clauses and of constraints.
    fn counts(&self) -> [usize; 2] {
        [self.n_clauses(), self.kept.len()]
    }

    /// This formula without its objective, where each group holds only if a literal of its own is true: these literals,
    /// one a group.
    ///
    /// # Errors
    /// When it is larger than the limit.
    #[doc(hidden)]
    pub fn with_selectors(&self) -> Result<(Self, Vec<Lit>), CapacityError> {
        let clauses = Cnf::with_vars(self.n_vars()).with_limit(self.clauses.limit());
        let mut formula =
            Self { kept: super::KeptConstraints::default(), objective: Vec::new(), ..self.with_clauses(clauses) };
        let selectors = formula.new_lits(self.groups.names.len());
        let (mut clauses, mut constraints) = (self.clauses(), self.constraints());
        let mut buffer = Vec::new();
        for (group, [own_clauses, own_constraints]) in self.groups.stretches(self.counts()) {
            let selector = group.map(|group| selectors[group]);
            for clause in clauses.by_ref().take(own_clauses.len()) {
                buffer.clear();
                buffer.extend_from_slice(clause);
                buffer.extend(selector.map(|lit| !lit));
                formula.add_clause(&buffer)?;
            }
            for constraint in constraints.by_ref().take(own_constraints.len()) {
                buffer.clear();
                buffer.extend_from_slice(constraint.cond);
                buffer.extend(selector);
                formula.offer(&constraint.when(&buffer))?;
            }
        }
        Ok((formula, selectors))
    }
}
