//! [`Lexicographic`]: the least value of one objective after the other.
//!
//! Each objective is minimised where those before it keep their least values, from the solution before on (preemptive
//! goal programming: J. P. Ignizio, *Goal Programming and Extensions*, Lexington Books, 1976).

use rustsat::types::Lit;

use crate::pareto::at_most;
use crate::{Problem, Question};
use cnfkit_core::{Assignment, ClauseSink, SolveError, Stopped};

/// A solution whose values are the least in lexicographic order; made by [`Question::lexicographic`].
///
/// ```
/// use cnfkit::ask::Lexicographic;
/// use cnfkit::{ClauseSink, Formula, Questions};
/// let mut formula = Formula::new();
/// let x = formula.new_lits(2);
/// formula.add_clause(&x)?;
/// let best: Option<Lexicographic> = formula.ask().lexicographic(&[&[(x[0], 1), (x[1], 1)], &[(x[0], 1)]])?;
/// assert_eq!(best.expect("a solution").values, [1, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lexicographic {
    /// The solution, over the variables of the formula.
    pub model: Assignment,
    /// The values of all objectives in it.
    pub values: Vec<i128>,
    /// The number of objectives, from the first on, whose values are known to be the least.
    pub n_optimal: usize,
    /// The limit that ended the search before all of them were.
    pub stopped: Option<Stopped>,
}

impl Question<'_> {
    /// A solution with the least value of the first objective, among these the least of the second, and so on; `None`
    /// when the formula is proven unsatisfiable. The formula's own objective is not looked at. Of the options, limits,
    /// assumptions, the [hint](Self::hint), the strategy and the solver hold. A limit that is reached after the first
    /// solution is no error: the result says which values are the least.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Formula, Questions};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(3);
    /// formula.add_clause(&x)?; // one of three machines, at least
    /// let late = [(x[2], 1)];
    /// let cost = [(x[0], 5), (x[1], 2), (x[2], 1)];
    /// let best = formula.ask().lexicographic(&[&late, &cost])?.expect("there are machines");
    /// assert_eq!((best.values, best.n_optimal, best.model.is_true(x[1])), (vec![0, 2], 2, true));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Question`] says.
    ///
    /// # Panics
    /// When the formula does not have the variable of a term.
    pub fn lexicographic(self, objectives: &[&[(Lit, i64)]]) -> Result<Option<Lexicographic>, SolveError> {
        self.check_variables(objectives.iter().copied().flatten().map(|(lit, _)| lit), "in an objective");
        let clock = self.asking.start();
        let mut formula = self.formula.clone();
        self.assumptions.iter().try_for_each(|&lit| formula.add_clause(&[lit]))?;
        let mut hint = self.optimum.hint;
        let mut model = None;
        let (mut n_optimal, mut stopped) = (0, None);
        // Without an objective, any solution will do.
        for objective in objectives.iter().chain(objectives.is_empty().then_some(&&[][..])) {
            formula.set_objective(objective.iter().copied());
            let mut question =
                Question::new(&formula).within(clock.clone()).strategy(self.optimum.strategy).hint(&hint);
            question.choices = self.choices;
            let best = match question.minimum() {
                Ok(Some(best)) => best,
                Ok(None) => return Ok(None),
                Err(SolveError::Interrupted(why)) if model.is_some() => {
                    stopped = Some(why);
                    break;
                }
                Err(error) => return Err(error),
            };
            hint = (0..self.formula.n_vars() as u32)
                .map(|var| Lit::new(var, !best.model.is_true(Lit::positive(var))))
                .collect();
            model = Some(self.formula.decode(|lit| best.model.is_true(lit)));
            stopped = best.stopped;
            if stopped.is_some() {
                break;
            }
            n_optimal += 1;
            at_most(&mut formula, objective, best.value)?;
        }
        Ok(model.map(|model| {
            let value = |objective: &&[(Lit, i64)]| {
                let terms = objective.iter().filter(|(lit, _)| model.is_true(*lit));
                terms.map(|&(_, weight)| i128::from(weight)).sum()
            };
            let values = objectives.iter().map(value).collect();
            Lexicographic { model, values, n_optimal: n_optimal.min(objectives.len()), stopped }
        }))
    }
}

#[cfg(all(test, feature = "batsat"))]
mod tests {
    use super::*;
    use crate::Questions;
    use cnfkit_core::internals::Random;
    use cnfkit_core::{Formula, Limits};

    #[test]
    fn values_are_the_least_in_their_order() {
        let (mut random, mut none) = (Random::new(3), 0);
        for _ in 0..200 {
            let n = 1 + random.below(7);
            let mut formula = Formula::with_vars(n);
            for _ in 0..random.below(2 * n + 4) {
                let clause = (0..=random.below(3)).map(|_| Lit::new(random.below(n) as u32, random.chance(0.4)));
                formula.add_clause(&clause.collect::<Vec<Lit>>()).unwrap();
            }
            let objectives: Vec<Vec<(Lit, i64)>> = (0..random.below(4))
                .map(|_| {
                    let terms = 0..random.below(n + 2);
                    let lit = |random: &mut Random| Lit::new(random.below(n) as u32, random.chance(0.3));
                    terms.map(|_| (lit(&mut random), random.below(9) as i64 - 3)).collect()
                })
                .collect();
            let parts: Vec<&[(Lit, i64)]> = objectives.iter().map(Vec::as_slice).collect();
            let assumed = Lit::new(random.below(n) as u32, random.chance(0.5));
            let values = |bits: u32| -> Vec<i128> {
                let is_true = |lit: Lit| (bits >> lit.vidx() & 1 == 1) != lit.is_neg();
                let value = |terms: &&[(Lit, i64)]| {
                    terms.iter().filter(|(lit, _)| is_true(*lit)).map(|&(_, weight)| i128::from(weight)).sum()
                };
                parts.iter().map(value).collect()
            };
            let is_solution = |&bits: &u32| {
                let is_true = |lit: &Lit| (bits >> lit.vidx() & 1 == 1) != lit.is_neg();
                is_true(&assumed) && formula.clauses().all(|clause| clause.iter().any(is_true))
            };
            let best = (0..1_u32 << n).filter(is_solution).map(values).min();
            let found = formula.ask().assuming(&[assumed]).lexicographic(&parts).unwrap();
            assert_eq!(found.as_ref().map(|found| &found.values), best.as_ref());
            none += usize::from(found.is_none());
            if let Some(found) = found {
                assert!(found.stopped.is_none() && found.n_optimal == parts.len());
                let bits = (0..n as u32).filter(|&var| found.model.is_true(Lit::positive(var)));
                assert!(is_solution(&bits.map(|var| 1 << var).sum()));
            }
        }
        assert!((20..150).contains(&none), "{none}");
    }

    /// Weights beyond 64 bits in all, and a limit.
    #[test]
    fn wide_sums_and_limits() {
        let mut formula = Formula::new();
        let x = formula.new_lits(40);
        x.chunks(2).for_each(|pair| formula.add_clause(pair).unwrap());
        let wide: Vec<(Lit, i64)> = x.iter().map(|&lit| (lit, i64::MAX)).collect();
        let second: Vec<(Lit, i64)> = x.iter().map(|&lit| (lit, -1)).collect();
        let best = formula.ask().lexicographic(&[&wide, &second]).unwrap().unwrap();
        assert_eq!(best.values, [20 * i128::from(i64::MAX), -20]);
        let none = formula.ask().limits(Limits::none().conflicts(0)).lexicographic(&[&wide]);
        assert!(matches!(none, Err(SolveError::Interrupted(_))));
    }
}
