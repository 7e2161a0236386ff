//! [`Pareto`]: the front of two objectives, point by point.
//!
//! The first objective is minimised, then the second where the first is no greater: that is a point of the front. The
//! next one is looked for where the second is less, and the first is greater, which follows and helps the bounds (the
//! ε-constraint method: Y. Y. Haimes, L. S. Lasdon, D. A. Wismer, *On a bicriterion formulation of the problems of
//! integrated system identification and system optimization*, IEEE Transactions on Systems, Man, and Cybernetics 1,
//! 1971, pages 296–297).

use rustsat::types::Lit;

use crate::{Optimum, Problem, Question};
use cnfkit_core::internals::{Choices, Clock};
use cnfkit_core::{Assignment, CapacityError, ClauseSink, Constrain, Formula, PbEncoding, SolveError, Strategy};

/// A point of the front: no solution is less in one objective and no greater in the other.
///
/// ```
/// use cnfkit::ask::ParetoPoint;
/// use cnfkit::{ClauseSink, Formula, Questions};
/// let mut formula = Formula::new();
/// let x = formula.new_lits(2);
/// formula.add_clause(&x)?;
/// let mut front = formula.ask().pareto([&[(x[0], 3)], &[(x[1], 2)]]);
/// let first: ParetoPoint = front.next().expect("there is a solution")?;
/// assert!(first.values == [0, 2] && first.model.is_true(x[1]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParetoPoint {
    /// The values of both objectives.
    pub values: [i128; 2],
    /// A solution that has them, over the variables of the formula.
    pub model: Assignment,
}

/// The Pareto front of two objectives; made by [`Question::pareto`].
///
/// ```
/// use cnfkit::ask::Pareto;
/// use cnfkit::{Formula, Questions};
/// let formula = Formula::new();
/// let mut front: Pareto<'_> = formula.ask().pareto([&[], &[]]);
/// assert_eq!(front.next().expect("a solution")?.values, [0, 0]);
/// assert!(front.next().is_none());
/// # Ok::<(), cnfkit::SolveError>(())
/// ```
#[derive(Debug)]
#[must_use = "points are found as they are asked for"]
pub struct Pareto<'a> {
    formula: &'a Formula,
    assumptions: Vec<Lit>,
    objectives: [Vec<(Lit, i64)>; 2],
    clock: Clock,
    choices: Choices,
    strategy: Strategy,
    last: Option<[i128; 2]>,
    is_over: bool,
}

impl<'a> Question<'a> {
    /// The Pareto front of two objectives, both minimised: each pair of values that no solution betters, by the first
    /// value, with a solution. The formula's own objective is not looked at. Limits are for all points together, and
    /// end it with an error after the points that were found.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Formula, Questions};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(3);
    /// formula.add_clause(&x)?; // one of three machines, at least
    /// let cost = [(x[0], 2), (x[1], 5), (x[2], 9)];
    /// let noise = [(x[0], 8), (x[1], 7), (x[2], 1)];
    /// let front = formula.ask().pareto([&cost, &noise]).collect::<Result<Vec<_>, _>>()?;
    /// assert!(front.iter().map(|point| point.values).eq([[2, 8], [5, 7], [9, 1]]));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Panics
    /// When the formula does not have the variable of a term.
    pub fn pareto(self, objectives: [&[(Lit, i64)]; 2]) -> Pareto<'a> {
        self.check_variables(objectives.into_iter().flatten().map(|(lit, _)| lit), "in an objective");
        Pareto {
            formula: self.formula,
            assumptions: self.assumptions,
            objectives: objectives.map(<[_]>::to_vec),
            clock: self.asking.start(),
            choices: self.choices,
            strategy: self.optimum.strategy,
            last: None,
            is_over: false,
        }
    }
}

impl Pareto<'_> {
    /// The next point.
    fn point(&self) -> Result<Option<ParetoPoint>, SolveError> {
        let mut formula = self.formula.clone();
        self.assumptions.iter().try_for_each(|&lit| formula.add_clause(&[lit]))?;
        let [first, second] = &self.objectives;
        if let Some([least, most]) = self.last {
            let negated: Vec<(Lit, i64)> = first.iter().map(|&(lit, weight)| (!lit, weight)).collect();
            let all: i128 = first.iter().map(|&(_, weight)| i128::from(weight)).sum();
            at_most(&mut formula, &negated, all - least - 1)?;
            at_most(&mut formula, second, most - 1)?;
        }
        let Some(best) = self.least(&mut formula, 0)? else { return Ok(None) };
        at_most(&mut formula, first, best.value)?;
        let other = self.least(&mut formula, 1)?;
        Ok(other.map(|other| ParetoPoint {
            values: [best.value, other.value],
            model: self.formula.decode(|lit| other.model.is_true(lit)),
        }))
    }

    /// The least value of an objective.
    fn least(&self, formula: &mut Formula, at: usize) -> Result<Option<Optimum>, SolveError> {
        formula.set_objective(&self.objectives[at]);
        let mut question = Question::new(formula).within(self.clock.clone()).strategy(self.strategy);
        question.choices = self.choices;
        let best = question.minimum()?;
        match best.as_ref().and_then(|best| best.stopped) {
            Some(stopped) => Err(SolveError::Interrupted(stopped)),
            None => Ok(best),
        }
    }
}

/// The terms sum up to at most `bound`: what it has beyond 64 bits is the weight of a literal that is true.
pub(crate) fn at_most(formula: &mut Formula, terms: &[(Lit, i64)], bound: i128) -> Result<(), CapacityError> {
    let (mut terms, mut bound) = (terms.to_vec(), bound);
    while i64::try_from(bound).is_err() {
        let (part, always) = (bound.clamp((-i64::MAX).into(), i64::MAX.into()) as i64, formula.new_lit());
        formula.add_clause(&[always])?;
        terms.push((always, -part));
        bound -= i128::from(part);
    }
    formula.pb_at_most(&terms, bound as i64, PbEncoding::Auto)
}

impl Iterator for Pareto<'_> {
    type Item = Result<ParetoPoint, SolveError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let found = self.point().transpose();
        match &found {
            Some(Ok(point)) => self.last = Some(point.values),
            _ => self.is_over = true,
        }
        found
    }
}

#[cfg(all(test, feature = "batsat"))]
mod tests {
    use super::*;
    use crate::Questions;
    use cnfkit_core::Limits;
    use cnfkit_core::internals::Random;

    /// The front by the definition.
    fn front(points: &[[i128; 2]]) -> Vec<[i128; 2]> {
        let is_better = |one: &[i128; 2], other: &[i128; 2]| one != other && one[0] <= other[0] && one[1] <= other[1];
        let mut front: Vec<[i128; 2]> =
            points.iter().filter(|point| !points.iter().any(|other| is_better(other, point))).copied().collect();
        front.sort_unstable();
        front.dedup();
        front
    }

    #[test]
    fn fronts_of_small_formulas() {
        let (mut random, mut longest, mut none) = (Random::new(1), 0, 0);
        for _ in 0..150 {
            let n = 1 + random.below(7);
            let mut formula = Formula::with_vars(n);
            for _ in 0..random.below(2 * n + 4) {
                let clause = (0..=random.below(3)).map(|_| Lit::new(random.below(n) as u32, random.chance(0.4)));
                formula.add_clause(&clause.collect::<Vec<Lit>>()).unwrap();
            }
            let objectives: [Vec<(Lit, i64)>; 2] = std::array::from_fn(|_| {
                let terms = 0..random.below(n + 2);
                terms
                    .map(|_| (Lit::new(random.below(n) as u32, random.chance(0.3)), random.below(19) as i64 - 6))
                    .collect()
            });
            let assumed = Lit::new(random.below(n) as u32, random.chance(0.5));
            let mut points = Vec::new();
            for set in 0..1_u32 << n {
                let is_true = |lit: &Lit| (set >> lit.vidx() & 1 == 1) == lit.is_pos();
                if is_true(&assumed) && formula.clauses().all(|clause| clause.iter().any(is_true)) {
                    points.push(objectives.each_ref().map(|terms| {
                        terms.iter().filter(|(lit, _)| is_true(lit)).map(|&(_, weight)| i128::from(weight)).sum()
                    }));
                }
            }
            let found = formula.ask().assuming(&[assumed]).pareto(objectives.each_ref().map(Vec::as_slice));
            let found: Vec<ParetoPoint> = found.collect::<Result<_, _>>().unwrap();
            assert_eq!(found.iter().map(|point| point.values).collect::<Vec<_>>(), front(&points));
            for point in &found {
                assert!(point.model.is_true(assumed));
                assert!(formula.clauses().all(|clause| clause.iter().any(|&lit| point.model.is_true(lit))));
                for (terms, value) in objectives.iter().zip(point.values) {
                    let own = terms.iter().filter(|(lit, _)| point.model.is_true(*lit));
                    assert_eq!(own.map(|&(_, weight)| i128::from(weight)).sum::<i128>(), value);
                }
            }
            longest = longest.max(found.len());
            none += usize::from(found.is_empty());
        }
        assert!(longest > 3 && none > 10, "{longest} {none}");
    }

    #[test]
    fn what_is_wrong_ends_it() {
        let mut formula = Formula::with_vars(3);
        let x: Vec<Lit> = (0..3).map(Lit::positive).collect();
        formula.add_clause(&x).unwrap();
        let terms = [(x[0], i64::MAX), (x[1], i64::MAX), (x[2], i64::MIN)];
        let others = [(x[0], 1), (!x[2], 1)];
        let wide: Vec<_> = formula.ask().pareto([&terms, &others]).map(|point| point.unwrap().values).collect();
        assert_eq!(wide, [[i64::MIN.into(), 0]]);
        let limits = Limits::none().cancel(std::sync::Arc::new(true.into()));
        let mut stopped = formula.ask().limits(limits).pareto([&terms, &others]);
        assert!(matches!(stopped.next(), Some(Err(SolveError::Interrupted(_)))));
        assert!(stopped.next().is_none());
        let nothing: Vec<_> = formula.ask().pareto([&[], &[]]).map(|point| point.unwrap().values).collect();
        assert_eq!(nothing, [[0, 0]]);
    }
}
