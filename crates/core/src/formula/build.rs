//! The methods that make a [`Formula`] and look at what it says.

use std::borrow::Borrow;
use std::sync::OnceLock;

use rustsat::types::Lit;

use super::{Formula, Order};
use crate::cnf::{Clauses, Cnf};
use crate::constrain::Weight;
use crate::constraint::Constraint;
use crate::encode::check_known;
use crate::size::Size;

impl Formula {
    /// A formula without variables, clauses or constraints.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A formula without clauses or constraints over variables `0..n_vars` (DIMACS `1..=n_vars`).
    ///
    /// # Panics
    /// When `n_vars` is beyond [`Var::MAX_IDX`](crate::Var::MAX_IDX).
    #[must_use]
    pub fn with_vars(n_vars: usize) -> Self {
        Self { clauses: Cnf::with_vars(n_vars), ..Self::default() }
    }

    /// The limit on its size.
    #[doc(hidden)]
    #[must_use]
    pub const fn limit(&self) -> Size {
        self.clauses.limit()
    }

    /// This formula with another limit on its size, both before and after encoding: see [`Cnf::with_limit`].
    ///
    /// ```
    /// use cnfkit::{ClauseSink, CardEncoding, Constrain, Formula, Size};
    /// let mut formula = Formula::new().with_limit(Size { vars: 100, clauses: 100, lits: 300 });
    /// let x = formula.new_lits(60);
    /// formula.at_most(&x, 30, CardEncoding::Auto)?; // kept as data, which takes little
    /// assert!(formula.encode().is_err());
    /// # Ok::<(), cnfkit::CapacityError>(())
    /// ```
    #[must_use]
    pub fn with_limit(mut self, limit: Size) -> Self {
        self.clauses = self.clauses.with_limit(limit);
        self
    }

    /// This formula with literals encoded in another order.
    #[must_use]
    pub fn order(self, order: Order) -> Self {
        Self { order, plan: OnceLock::new(), ..self }
    }

    /// This formula with counts encoded in the order of the mean of their variables' numbers.
    #[doc(hidden)]
    #[must_use]
    pub fn counts_by_mean(self) -> Self {
        Self { by_mean: true, plan: OnceLock::new(), ..self }
    }

    /// The number of variables, auxiliaries of constraints that were written out at once included.
    #[must_use]
    pub const fn n_vars(&self) -> usize {
        self.clauses.n_vars()
    }

    /// The positive literals of the caller's variables, in order: those of a formula that was read, say, or those of
    /// them that its text [shows](Self::read_dimacs). Every variable is the caller's that the caller took by
    /// [`new_lit`](crate::ClauseSink::new_lit) or used in a clause first. Those that an encoding took from its
    /// [`Writer`](crate::encode::Writer) are auxiliaries, among [all](Self::n_vars) variables and not among these:
    /// those of what was written out at once, also where they are [a counter's outputs](crate::Counter), of
    /// [soft clauses](Self::add_soft_clause), of products in OPB, of broken symmetries and of bicliques. Solutions are
    /// counted by these literals alone.
    ///
    /// ```
    /// use cnfkit::{CardEncoding, Constrain, Formula};
    /// let mut formula = Formula::read_dimacs(&b"p cnf 3 2\n1 2 0\n2 3 0\n"[..])?;
    /// let x = formula.lits();
    /// assert_eq!(x.len(), 3);
    /// formula.at_most(&x, 1, CardEncoding::Auto)?;
    /// assert!(formula.solve()?.expect("a model").is_true(x[1]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn lits(&self) -> Vec<Lit> {
        self.aside.others(self.n_vars() as u32).map(Lit::positive).collect()
    }

    /// The number of clauses; constraints are not counted.
    #[must_use]
    pub const fn n_clauses(&self) -> usize {
        self.clauses.n_clauses()
    }

    /// The clauses in the order in which they were added.
    #[must_use]
    pub fn clauses(&self) -> Clauses<'_> {
        self.clauses.clauses()
    }

    /// The constraints that are kept, in the order in which they were added, as folding left them.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Constrain, Formula, PbEncoding, PbRelation};
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(4);
    /// formula.pb_at_most(&[(x[0], 10), (x[1], 6), (x[2], 4), (x[3], 2)], 13, &PbEncoding::Auto)?;
    /// // All weights are even.
    /// let (terms, relation) = formula.constraints().next().unwrap().weighted().unwrap();
    /// assert_eq!((terms.len(), relation), (4, PbRelation::AtMost(6)));
    /// # Ok::<(), cnfkit::CapacityError>(())
    /// ```
    #[must_use]
    pub fn constraints(&self) -> impl ExactSizeIterator<Item = Constraint<'_>> {
        self.kept.iter()
    }

    /// Sets the objective, a sum: the weights of those literals of `terms` that are true. It replaces the one before,
    /// and is stored for `minimum`, `maximum` and writers, whose formats minimise; [`solve`](Self::solve) ignores it.
    /// A weight above [`i64::MAX`] is stored as two or three. Terms come by value or by reference.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Formula};
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(2);
    /// formula.set_objective([(x[0], 3), (x[1], -2)]);
    /// assert_eq!(formula.objective(), [(x[0], 3), (x[1], -2)]);
    /// let large = vec![(x[0], u64::MAX)];
    /// formula.set_objective(&large);
    /// assert_eq!(formula.objective(), [(x[0], i64::MAX), (x[0], i64::MAX), (x[0], 1)]);
    /// ```
    ///
    /// # Panics
    /// When a literal's variable is at or above [`next_var`](crate::ClauseSink::next_var).
    #[doc(alias = "minimise")]
    pub fn set_objective<W: Weight>(&mut self, terms: impl IntoIterator<Item: Borrow<(Lit, W)>>) {
        self.begin_objective(false);
        for term in terms {
            let &(lit, weight) = term.borrow();
            check_known(&self.clauses, &[lit]);
            self.add_cost(lit, weight.wide());
        }
    }

    /// The weighted literals whose sum is the objective; empty where there is nothing to choose.
    #[must_use]
    pub fn objective(&self) -> &[(Lit, i64)] {
        &self.objective
    }

    /// True if an objective was set or read, also one without terms, whose value is the same in all solutions.
    ///
    /// ```
    /// use cnfkit::Formula;
    /// let [constant, none] = ["min: ;\n+1 x1 >= 1 ;\n", "+1 x1 >= 1 ;\n"];
    /// assert!(Formula::read_opb(constant.as_bytes())?.has_objective());
    /// assert!(!Formula::read_opb(none.as_bytes())?.has_objective());
    /// # Ok::<(), cnfkit::formula::ReadError>(())
    /// ```
    #[must_use]
    pub const fn has_objective(&self) -> bool {
        self.maximised.is_some()
    }

    /// True if the [objective](Self::objective) is the negated sum of an OPB text that said `max:`: the greatest value
    /// of that sum is the negated least value of the objective.
    ///
    /// ```
    /// use cnfkit::Formula;
    /// let formula = Formula::read_opb(&b"max: +3 x1 +2 x2 ;\n"[..])?;
    /// assert!(formula.is_maximised() && formula.objective()[0].1 == -3);
    /// # Ok::<(), cnfkit::formula::ReadError>(())
    /// ```
    #[must_use]
    pub fn is_maximised(&self) -> bool {
        self.maximised == Some(true)
    }
}
