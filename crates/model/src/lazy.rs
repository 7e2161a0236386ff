//! Constraints that answer a solution with clauses that it violates, in place of clauses that are all written down.

use std::fmt;
use std::sync::Arc;

use rustsat::types::Lit;

use super::encoded::Encoded;
use super::variables::{Bool, Expr, ExprFactor, Solution};
use super::{Model, ModelError};
use cnfkit_core::SolveError;

/// A user's own constraint.
#[derive(Clone)]
pub(super) struct Lazy {
    pub(super) over: Vec<ExprFactor>,
    pub(super) group: Option<u32>,
    violated: Arc<dyn Fn(&Solution) -> Vec<Vec<Bool>> + Send + Sync>,
}

impl fmt::Debug for Lazy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lazy").field("over", &self.over).finish_non_exhaustive()
    }
}

impl Model {
    /// A constraint over these variables and truth values that would take too many clauses: `violated` is shown each
    /// solution of everything else, and answers with clauses that all solutions must satisfy and this one does not,
    /// none if it is one. MIP solvers know this as lazy constraints or cuts.
    ///
    /// Every question heeds it: the clauses are kept for the rest of a question, and the solver does not start over. A
    /// clause is a list of truth values of which one must hold: tests of the variables that are named here, of one with
    /// more than 4,096 values only `!x.is(v)` and the truth values named. Shorter clauses need fewer questions. The
    /// empty clause says that there is no solution.
    ///
    /// ```
    /// use cnfkit::model::{Model, Solution};
    /// let mut model = Model::new();
    /// let x = model.ints(4, 0..=9);
    /// let vars = x.clone();
    /// // No variable is the double of the one before.
    /// model.lazy(&x, move |solution: &Solution| {
    ///     let pairs = vars.windows(2).map(|pair| ((pair[0], solution.value(pair[0])), pair[1]));
    ///     let wrong = pairs.filter(|&((_, value), other)| solution.value(other) == 2 * value);
    ///     wrong.map(|((var, value), other)| vec![!var.is(value), !other.is(2 * value)]).collect()
    /// });
    /// assert_eq!(model.count(10_000)?, 8583);
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    ///
    /// A clause that the solution satisfies, or that has another truth value, is an error of the question, and so are
    /// [`formula`](Self::formula) and [`explanations`](Self::explanations) of such a model;
    /// [`statistics`](Self::statistics) leave it out.
    pub fn lazy<E: Into<Expr>>(
        &mut self,
        over: impl IntoIterator<Item = E>,
        violated: impl Fn(&Solution) -> Vec<Vec<Bool>> + Send + Sync + 'static,
    ) {
        let over: Vec<ExprFactor> = over.into_iter().flat_map(|expr| expr.into().terms).map(|(unit, _)| unit).collect();
        over.iter().for_each(|unit| self.check(unit.var()));
        self.lazy.push(Lazy { over, group: self.group, violated: Arc::new(violated) });
    }

    /// The clauses of all lazy constraints that a model of the formula violates.
    pub(super) fn violated(
        &self,
        encoded: &Encoded,
        is_true: &dyn Fn(Lit) -> bool,
    ) -> Result<Vec<Vec<Lit>>, SolveError> {
        // A solver may leave a variable open: then neither literal is true for it, and it counts as false.
        let holds = |lit: Lit| is_true(lit.var().pos_lit()) == lit.is_pos();
        let mut clauses = Vec::new();
        for cuts in &encoded.cuts {
            if cuts.condition.iter().all(|&lit| holds(lit)) {
                let found = cuts.rule.violated(&holds).into_iter();
                clauses.extend(found.map(|mut clause| {
                    clause.extend(cuts.condition.iter().map(|&lit| !lit));
                    clause
                }));
            }
        }
        if encoded.domains.len() == 0 || self.lazy.is_empty() {
            return Ok(clauses);
        }
        let solution = encoded.solution(self.makers(), is_true);
        for (constraint, lazy) in self.lazy.iter().enumerate() {
            let group = lazy.group.and_then(|group| encoded.selectors.get(group as usize));
            if group.is_some_and(|&selector| !holds(selector)) {
                continue;
            }
            for clause in (lazy.violated)(&solution) {
                let mut lits: Vec<Lit> = group.iter().map(|&&selector| !selector).collect();
                for bool in clause {
                    let known = self.makers().made(bool.var) && (bool.var.index as usize) < encoded.domains.len();
                    if known && solution.is_true(bool) {
                        return Err(SolveError::solver(ModelError::NotViolated { constraint }));
                    }
                    let found = known.then(|| encoded.codes.some_of(&encoded.domains, bool)).flatten();
                    lits.extend(found.ok_or_else(|| SolveError::solver(ModelError::NotOver { constraint }))?);
                }
                clauses.push(lits);
            }
        }
        Ok(clauses)
    }
}
