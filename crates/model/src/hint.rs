//! Values that a good solution may have.

use rustc_hash::FxHashSet;
use rustsat::types::Lit;

use super::encoded::{Encoded, Want};
use super::variables::{Domains, Expr, ExprFactor, IntVar, Solution, Test};
use super::{Model, ModelError};
use cnfkit_core::ClauseSink;
use cnfkit_core::internals::{Clock, Oracle, Session};

/// The conflicts that the solution with all hinted values may take.
const CONFLICTS: u64 = 10_000;

impl Model {
    /// Says that the expression, a variable or a truth value as 0 or 1, has this value in a good solution, as far as is
    /// known: one of a model like this, or one made by hand, of all variables or of some. A hint that is wrong takes
    /// time, and no answer is wrong for it. Of several hints for a variable the last one counts.
    ///
    /// [`solve`](Self::solve) and [`solutions`](Self::solutions) try these values first. [`minimum`](Self::minimum) and
    /// its like look whether a solution has all of them; if so, they ask for better ones from the start.
    ///
    /// ```
    /// use cnfkit::model::Model;
    /// let mut model = Model::new();
    /// let x = model.ints(8, 0..=7);
    /// model.all_different(&x);
    /// x.iter().zip([3, 1, 4, 0, 5, 2, 6, 7]).for_each(|(var, value)| model.set_hint(var, value));
    /// assert_eq!(model.solve()?.expect("there are solutions").values(&x), [3, 1, 4, 0, 5, 2, 6, 7]);
    /// model.post(x[0].lt(x[1])); // 3 and 1 are wrong now
    /// let solution = model.solve()?.expect("there are solutions");
    /// assert!(solution.value(x[0]) < solution.value(x[1]));
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    #[doc(alias = "add_hint")]
    #[doc(alias = "solution_hint")]
    #[doc(alias = "warm_start")]
    pub fn set_hint(&mut self, expr: impl Into<Expr>, value: i64) {
        let expr: Expr = expr.into();
        if let ([(ExprFactor::Bool(bool), 1)], 0, 0..=1) = (&expr.terms[..], expr.constant, value) {
            self.check(bool.var);
            let domain = self.domain(bool.var);
            let (min, max) = domain.bounds();
            // The only value with which it is so.
            let only = match (bool.test, (value == 1) != bool.negated) {
                (Test::Is(value), true) => Some(value),
                (Test::Is(value), false) => [min, max].into_iter().find(|&other| domain.len() == 2 && other != value),
                (Test::AtLeast(least), true) => domain.next(least).filter(|&value| value == max),
                (Test::AtLeast(least), false) => {
                    domain.next(min.saturating_add(1)).filter(|&next| next >= least).map(|_| min)
                }
            };
            self.hints.extend(only.map(|value| (bool.var.index, value)));
            return;
        }
        let view = self.view(expr);
        if !view.is_constant()
            && let Some(value) = view.to_value(value)
        {
            self.hints.insert(view.var.index, value);
        }
    }

    /// True if the solver finds a model that violates nothing: one with all hinted values, or with those that are left
    /// where others contradict something.
    pub(super) fn holds_as_hinted(&self, encoded: &Encoded, session: &mut Session) -> Result<Option<bool>, ModelError> {
        let mut hints: Vec<(u32, i64)> = self.hints.iter().map(|(&index, &value)| (index, value)).collect();
        if hints.is_empty() && encoded.domains.len() > 0 {
            hints = self.likely(&encoded.domains).into_iter().map(|(var, value)| (var.index, value)).collect();
        }
        hints.sort_unstable();
        hints.retain(|&(index, _)| (index as usize) < encoded.domains.len());
        let differs = |(index, value)| encoded.codes.differs(&encoded.domains, index as usize, value);
        let mut assumed: Vec<Lit> = hints.into_iter().filter_map(differs).flatten().map(|lit| !lit).collect();
        let before = session.n_conflicts();
        while !assumed.is_empty() {
            let left = CONFLICTS.saturating_sub(session.n_conflicts() - before);
            if left == 0 {
                break;
            }
            match session.ask(&assumed, left)? {
                Some(true) => {
                    let clauses = self.violated(encoded, &|lit| session.is_true(lit))?;
                    if clauses.is_empty() {
                        return Ok(Some(true));
                    }
                    clauses.iter().try_for_each(|clause| session.add_clause(clause))?;
                }
                Some(false) => {
                    // A program that is the solver has no cores.
                    let Ok(core) = session.core() else { break };
                    if core.is_empty() {
                        return Ok(Some(false));
                    }
                    let core: FxHashSet<Lit> = core.into_iter().collect();
                    let n = assumed.len();
                    assumed.retain(|lit| !core.contains(lit));
                    if assumed.len() == n {
                        break;
                    }
                }
                None => break,
            }
        }
        Ok(None)
    }

    /// Values that rules find likely.
    fn likely(&self, domains: &Domains) -> Vec<(IntVar, i64)> {
        let mut found = Vec::new();
        self.posted.iter().for_each(|posted| posted.node.likely(domains, &mut found));
        found
    }

    /// The model with all values that rules find likely, if there are some and nothing is hinted at.
    pub(super) fn as_likely(&self, clock: &Clock) -> Result<Option<Self>, ModelError> {
        if !self.hints.is_empty() || self.error.is_some() {
            return Ok(None);
        }
        let shrunk = Domains::new(self.domains.clone()).shrink(self.posted.iter(), clock)?;
        let likely = shrunk.map_or_else(|_| Vec::new(), |domains| self.likely(&domains));
        if likely.is_empty() {
            return Ok(None);
        }
        let mut part = self.clone();
        part.group = None;
        likely.into_iter().for_each(|(var, value)| part.post(var.is(value)));
        Ok(Some(part))
    }

    /// A solution with all hinted values, if there is one and it is soon found.
    pub(super) fn hinted(&self, clock: &Clock) -> Result<Option<Solution>, ModelError> {
        if self.hints.is_empty() {
            return Ok(None);
        }
        let mut part = self.clone();
        let hints = std::mem::take(&mut part.hints);
        let var = |index: u32| self.makers().var(index);
        hints.into_iter().for_each(|(index, value)| part.post(var(index).is(value)));
        let mut encoded = part.encoded(Want::Solution, clock)?;
        let mut session = part.load(&mut encoded, clock)?;
        let before = session.n_conflicts();
        loop {
            let left = CONFLICTS.saturating_sub(session.n_conflicts() - before);
            if left == 0 || session.ask(&[], left)? != Some(true) {
                return Ok(None);
            }
            let clauses = part.violated(&encoded, &|lit| session.is_true(lit))?;
            if clauses.is_empty() {
                return Ok(Some(part.found(&encoded, &session)));
            }
            clauses.iter().try_for_each(|clause| session.add_clause(clause))?;
        }
    }
}
