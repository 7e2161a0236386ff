//! A question in several threads, each with another numbering of variables and, for optima, another strategy.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::{Model, ModelError};
use cnfkit_ask::Strategy;
use cnfkit_ask::internals::race;
use cnfkit_core::Stopped;
use cnfkit_core::internals::{BEFORE_PROGRAMS, Clock, EngineChoice};

impl Model {
    /// Asks in so many threads: [`solve`](Self::solve) and searches for optima. Each has the model and a solver of its
    /// own, variables numbered by lot but for the first, and, unless [one is set](Self::set_strategy), another
    /// [`Strategy`]. The first answer is the answer; it is as right as that of one thread, but which solution it is may
    /// differ from run to run. What is reported on the way is what the first thread finds. Limits on conflicts and
    /// memory are for all threads together. There are at most 256. [`ask::Threads`](cnfkit_ask::Threads) does so for
    /// formulas.
    ///
    /// ```
    /// use cnfkit::model::{Model, sum};
    /// let mut model = Model::new();
    /// model.set_threads(2);
    /// let x = model.ints(9, 0..=8);
    /// model.all_different(&x);
    /// model.post((x[0] + x[1]).ge(9));
    /// assert!(model.solve()?.is_some());
    /// assert_eq!(model.minimum(x[0] + 3 * x[1])?.map(|best| (best.value, best.is_optimal)), Some((11, true)));
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    #[doc(alias = "num_workers")]
    #[doc(hidden)]
    pub fn set_threads(&mut self, n: usize) {
        self.threads = n.clamp(1, 256);
    }

    /// Variables get literals in the order in which they were made where this is 0, as it is at first, and otherwise
    /// by lot: another seed may find another solution, sooner or later.
    ///
    /// ```
    /// use cnfkit::model::Model;
    /// let mut model = Model::new();
    /// let x = model.ints(12, 0..=11);
    /// model.all_different(&x);
    /// let mut found = Vec::new();
    /// for seed in 0..4 {
    ///     model.set_seed(seed);
    ///     found.push(model.solve()?.expect("there are solutions").values(&x));
    /// }
    /// found.dedup();
    /// assert!(found.len() > 1);
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    #[doc(alias = "random_seed")]
    #[doc(hidden)]
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// The model as thread `at` asks it; the last one asks the program, if there is one.
    fn variant(&self, at: usize, program: Option<&EngineChoice>) -> Self {
        const STRATEGIES: [Strategy; 3] = [Strategy::Auto, Strategy::SolutionImproving, Strategy::CoreGuided];
        let mut variant = self.clone();
        if let Some(program) = program.filter(|_| at >= self.threads) {
            (variant.asking.engine, variant.strategy) = (program.clone(), Strategy::SolutionImproving);
            return variant;
        }
        variant.seed = self.seed.wrapping_add(at as u64).max(1);
        if self.strategy == Strategy::Auto {
            variant.strategy = STRATEGIES[at % STRATEGIES.len()];
        }
        variant
    }

    /// Asks `own` here and `other` in the other threads, one more of which has the program, if there is one. What
    /// `is_answer` ends all of them; then `choose` has the answers if there are some, and otherwise all that was found.
    ///
    /// # Errors
    /// As all threads fail.
    pub(super) fn race<T: Send>(
        &self,
        clock: &Clock,
        program: Option<&EngineChoice>,
        own: impl FnOnce(&Self, &Clock) -> Result<T, ModelError>,
        other: impl Fn(&Self, &Clock) -> Result<T, ModelError> + Sync,
        is_answer: impl Fn(&T) -> bool + Sync,
        choose: impl FnOnce(Vec<T>) -> Option<T>,
    ) -> Result<T, ModelError> {
        let n = self.threads + usize::from(program.is_some());
        if n <= 1 {
            return own(self, clock);
        }
        let halt = Arc::new(AtomicBool::new(false));
        let clock = clock.clone().halted(Arc::clone(&halt));
        let is_last = |at, found: &Result<T, ModelError>| match found {
            Ok(found) => is_answer(found),
            // That a program fails is to be known.
            Err(error) => at >= self.threads && !matches!(error, ModelError::Interrupted(_)),
        };
        let other = |at: usize| {
            let variant = self.variant(at, program);
            let clock = clock.clone().with_engine(variant.asking.engine.clone());
            if at >= self.threads {
                clock.sleep(BEFORE_PROGRAMS)?;
            }
            other(&variant, &clock)
        };
        let all = race(&halt, || own(self, &clock), n - 1, other, is_last);
        let (mut found, mut failed) = (Vec::new(), None);
        let mut stopped = Stopped::Solver;
        // As many threads as there could be.
        for one in all.into_iter().flatten() {
            match one {
                Ok(one) => found.push(one),
                Err(ModelError::Interrupted(why)) => stopped = why,
                Err(error) => failed = Some(error),
            }
        }
        if found.iter().any(&is_answer) {
            found.retain(&is_answer);
        } else if let Some(error) = failed {
            return Err(error);
        }
        choose(found).ok_or(ModelError::Interrupted(stopped))
    }
}
