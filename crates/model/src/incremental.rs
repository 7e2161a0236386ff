//! Questions that keep what was encoded, and what the solver learned, while constraints are added.
//!
//! Of a model that was encoded before, only what is new is encoded: constraints with the literals that they need,
//! beside those that there are. For that, domains stay as they were when a variable got its literals: constraints that
//! come later shrink the domains of new variables only.

use std::fmt;

use rustc_hash::FxHashSet;
use rustsat::types::Lit;

use super::encoded::{Encoded, Want};
use super::variables::{Bool, Domain, Domains, ExprFactor, Makers, Solution};
use super::writer::{Chain, Encoder, EncodingContext, EncodingOutput, Needs, ReadyLiterals, Truth};
use super::{Model, ModelError, cost};
use cnfkit_ask::internals::holds_with;
use cnfkit_core::internals::{Clock, Oracle, Session};
use cnfkit_core::{ClauseSink, Formula};

/// Questions to a model to which constraints are added in between, asked of one solver that starts over with none of
/// them; made by [`Model::incremental`].
///
/// ```
/// use cnfkit::model::{Incremental, Model};
/// let mut model = Model::new();
/// let x = model.ints(4, 1..=4);
/// model.all_different(&x);
/// let mut questions: Incremental<'_> = model.incremental();
/// let mut last = 0;
/// while let Some(solution) = questions.solve()? {
///     last = solution.value(x[0]) + solution.value(x[1]);
///     questions.model().post((x[0] + x[1]).gt(last));
/// }
/// assert_eq!(last, 3 + 4);
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
pub struct Incremental<'a> {
    model: &'a mut Model,
    asked: Option<LoadedSolver>,
    /// Solutions that are not to come again.
    shown: Vec<Solution>,
    failed: Vec<Bool>,
}

/// The solver, and everything that was encoded and loaded so far.
struct LoadedSolver {
    encoded: Encoded,
    session: Session,
    /// The sums that are not written.
    sums: Vec<(Vec<Chain>, u64)>,
    /// The model that all this is of, by its variables.
    makers: Makers,
    /// The constraints, the aliases and the lazy constraints that are encoded.
    n_posted: usize,
    n_aliases: usize,
    n_lazy: usize,
    /// The size of the caller's own formula.
    own: [usize; 3],
    /// The solutions that are forbidden.
    n_shown: usize,
    /// There is no solution, whatever comes.
    is_over: bool,
}

impl Model {
    /// Questions that encode what is new since the one before, and no more.
    ///
    /// Use it where a question follows another with some constraints more or other
    /// [assumptions](Incremental::solve_assuming); for one question, [`solve`](Self::solve) needs fewer literals.
    /// All constraints may come later, also of new variables. Clauses and constraints on [literals](Self::lit), and
    /// literals that are made later, have everything encoded anew. Domains shrink by all constraints that are there at
    /// the first question, and by later ones where variables are new, so that post first what is there at first: a
    /// later `all_different_except` or `pow` takes literals for all values of its variables.
    /// [`Choice`](super::Choice)s and the order count for what is encoded later; the solver and the seed are those of
    /// the first question, there is one thread, and optima are asked of the model.
    pub fn incremental(&mut self) -> Incremental<'_> {
        self.is_incremental = false;
        Incremental { model: self, asked: None, shown: Vec::new(), failed: Vec::new() }
    }

    fn own_size(&self) -> [usize; 3] {
        [self.formula.n_vars(), self.formula.n_clauses(), self.formula.constraints().len()]
    }
}

impl Incremental<'_> {
    /// The model, to make variables and to post constraints.
    ///
    /// # Panics
    /// The next question panics if another model was put in its place.
    pub fn model(&mut self) -> &mut Model {
        self.model
    }

    /// A solution of all that is posted by now, or `None` when there is provably none.
    ///
    /// # Errors
    /// As [`Model::solve`]. Another question may follow.
    pub fn solve(&mut self) -> Result<Option<Solution>, ModelError> {
        self.solve_assuming(None)
    }

    /// A solution in which these truth values are true, or `None` when there is provably none. They are assumed for
    /// this question only.
    ///
    /// ```
    /// use cnfkit::model::Model;
    /// let mut model = Model::new();
    /// let x = model.ints(3, 1..=3);
    /// model.all_different(&x);
    /// let mut questions = model.incremental();
    /// assert!(questions.solve_assuming([x[0].is(1), x[1].at_least(2)])?.is_some());
    /// assert!(questions.solve_assuming([x[2].is(2), x[0].at_most(1), !x[1].is(3)])?.is_none());
    /// assert_eq!(questions.failed().len(), 3);
    /// assert!(questions.solve()?.is_some());
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    #[doc(alias = "add_assumptions")]
    pub fn solve_assuming(
        &mut self,
        assumptions: impl IntoIterator<Item = Bool>,
    ) -> Result<Option<Solution>, ModelError> {
        let assumptions: Vec<Bool> = assumptions.into_iter().collect();
        self.ask(&assumptions, false)
    }

    /// Of the truth values that the last question assumed, some that cannot be true together; none where there is no
    /// solution without them either, and where the last question had another answer. There may be too many: each that
    /// can be left out is found by leaving it out.
    #[must_use]
    #[doc(alias = "sufficient_assumptions_for_infeasibility")]
    #[doc(alias = "unsat_core")]
    pub fn failed(&self) -> &[Bool] {
        &self.failed
    }

    /// A solution that differs from all that this gave before, in a variable that there was by then; or `None` when
    /// there is provably no other. [`solve`](Self::solve) gives no such solution either from then on.
    ///
    /// ```
    /// use cnfkit::model::Model;
    /// let mut model = Model::new();
    /// let x = model.ints(2, 0..=5);
    /// let mut questions = model.incremental();
    /// let first = questions.next_solution()?.expect("36 of them");
    /// questions.model().post((x[0] + x[1]).eq(5));
    /// let mut n = usize::from(first.value_of(x[0] + x[1]) == 5);
    /// while questions.next_solution()?.is_some() {
    ///     n += 1;
    /// }
    /// assert_eq!(n, 6);
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    ///
    /// # Errors
    /// As [`solve`](Self::solve).
    pub fn next_solution(&mut self) -> Result<Option<Solution>, ModelError> {
        self.ask(&[], true)
    }

    fn ask(&mut self, assumptions: &[Bool], once: bool) -> Result<Option<Solution>, ModelError> {
        let Self { model, asked, shown, failed } = self;
        model.is_incremental = true;
        let model: &Model = model;
        failed.clear();
        if let Some(error) = &model.error {
            return Err(error.clone());
        }
        assumptions.iter().for_each(|bool| model.check(bool.var));
        let clock = model.asking.start();
        // What failed half way is not used again.
        let mut now = match asked.take() {
            Some(before) => before.brought_up(model, assumptions, &clock)?,
            None => LoadedSolver::first(model, assumptions, &clock)?,
        };
        if !now.is_over {
            for solution in &shown[now.n_shown..] {
                now.forbid(solution)?;
            }
        }
        let now = asked.insert(now);
        if now.is_over {
            return Ok(None);
        }
        let mut assumed = Vec::with_capacity(assumptions.len());
        for &bool in assumptions {
            match now.encoded.codes.truth(&now.encoded.domains, bool) {
                Truth::Known(true) => {}
                Truth::Known(false) => {
                    failed.push(bool);
                    return Ok(None);
                }
                Truth::If(lit) => assumed.push((lit, bool)),
            }
        }
        let LoadedSolver { encoded, session, .. } = now;
        let lits: Vec<Lit> = assumed.iter().map(|&(lit, _)| lit).collect();
        if holds_with(session, &lits, &clock, &mut |is_true| model.violated(encoded, is_true))? {
            let solution = model.found(encoded, session);
            if once {
                shown.push(solution.clone());
            }
            return Ok(Some(solution));
        }
        if assumed.is_empty() {
            now.is_over = true;
        } else {
            let core: FxHashSet<Lit> = session.core()?.into_iter().collect();
            failed.extend(assumed.iter().filter(|(lit, _)| core.contains(lit)).map(|&(_, bool)| bool));
        }
        Ok(None)
    }
}

impl LoadedSolver {
    fn first(model: &Model, assumptions: &[Bool], clock: &Clock) -> Result<Self, ModelError> {
        let mut encoded = model.encoded(Want::Every, clock)?;
        let sums = encoded.sums.clone();
        let is_over = encoded.domains.len() == 0 && !model.domains.is_empty();
        let session = model.load(&mut encoded, clock)?;
        let [n_posted, n_aliases, n_lazy] = [model.posted.len(), model.aliases.len(), model.lazy.len()];
        let (own, makers) = (model.own_size(), model.makers().until(encoded.domains.len()));
        let first = Self { encoded, session, sums, makers, n_posted, n_aliases, n_lazy, own, n_shown: 0, is_over };
        first.brought_up(model, assumptions, clock)
    }

    /// Encodes and loads what is new.
    fn brought_up(mut self, model: &Model, assumptions: &[Bool], clock: &Clock) -> Result<Self, ModelError> {
        assert!(
            model.makers().begin_with(&self.makers) && self.n_posted <= model.posted.len(),
            "another model was put in the place of the one that was asked"
        );
        if self.own != model.own_size() {
            return Self::first(model, assumptions, clock);
        }
        self.session.watch(clock);
        let Self { ref mut encoded, ref mut session, ref mut sums, n_posted, n_aliases, n_lazy, is_over, .. } = self;
        if is_over {
            return Ok(self);
        }
        let known = encoded.domains.len();
        let posted = &model.posted[n_posted..];
        let lazy = &model.lazy[n_lazy..];
        let has_literal = |bool: Bool| encoded.codes.has_truth(&encoded.domains, bool);
        let has_all = assumptions.iter().all(|&bool| (bool.var.index as usize) < known && has_literal(bool));
        if posted.is_empty() && lazy.is_empty() && known == model.domains.len() && has_all {
            return Ok(self);
        }
        let of = |domains: &[Domain], more: &[Domain]| Domains::new([domains, more].concat());
        let Ok(shrunk) = of(encoded.domains.all(), &model.domains[known..]).shrink(posted.iter(), clock)? else {
            self.is_over = true;
            return Ok(self);
        };
        let domains = of(encoded.domains.all(), &shrunk.all()[known..]);
        let mut needs = Needs::beside(&encoded.codes, domains.len());
        needs.has_theory = model.has_theory();
        cost::add_needs(posted, n_posted as u32, &domains, &mut needs, clock)?;
        let aliases = &model.aliases[n_aliases..];
        let mut tests: Vec<Bool> = aliases.iter().map(|&(_, bool)| bool).chain(assumptions.iter().copied()).collect();
        for unit in lazy.iter().flat_map(|lazy| &lazy.over) {
            match *unit {
                ExprFactor::Int(var) => needs.told(var, domains.of(var)),
                ExprFactor::Bool(bool) => tests.push(bool),
            }
        }
        tests.into_iter().filter(|&bool| domains.truth(bool).is_none()).for_each(|bool| needs.test(bool));
        needs.settle(&domains);
        needs.all(&domains);
        let formula = Formula::with_vars(session.next_var().idx32() as usize).order(model.order.unwrap_or_default());
        let codes = std::mem::take(&mut encoded.codes);
        let start = ReadyLiterals { aliases: &model.aliases, choice: model.choice, seed: 0, codes };
        let mut output = EncodingOutput::behind(formula, None);
        let codes = start.literals(&domains, &needs, &mut output)?;
        for (at, posted) in posted.iter().enumerate() {
            clock.check()?;
            let context = EncodingContext::of(at, posted.choice, &needs, false);
            posted.node.encode(&mut Encoder::new(&domains, &codes, context, &mut output))?;
        }
        let EncodingOutput { formula, cuts, sums: more, .. } = output;
        encoded.codes = codes;
        encoded.domains = domains;
        encoded.cuts.extend(cuts);
        for _ in session.next_var().idx32() as usize..formula.n_vars() {
            session.new_var_toward(None)?;
        }
        if !more.is_empty() {
            sums.extend(more);
            super::ask::attach(sums.clone(), session)?;
        }
        formula.encode_into(session)?;
        (self.n_posted, self.n_aliases, self.n_lazy) = (model.posted.len(), model.aliases.len(), model.lazy.len());
        Ok(self)
    }

    /// Forbids the values that the variables of a solution have there.
    fn forbid(&mut self, solution: &Solution) -> Result<(), ModelError> {
        let Encoded { codes, domains, .. } = &self.encoded;
        let values = solution.all().iter().enumerate();
        let differs: Option<Vec<Vec<Lit>>> =
            values.map(|(index, &value)| codes.differs(domains, index, value)).collect();
        if let Some(differs) = differs {
            let mut differs = differs.concat();
            differs.sort_unstable();
            differs.dedup(); // aliases share literals
            self.session.add_clause(&differs)?;
        }
        self.n_shown += 1;
        Ok(())
    }
}

impl fmt::Debug for Incremental<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Incremental").field("shown", &self.shown.len()).finish_non_exhaustive()
    }
}
