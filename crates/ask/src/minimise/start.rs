//! The start of a search: over which formula, in which solver.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::time::Instant;

use rustsat::types::{self, Lit, TernaryVal};

use super::incumbent::Incumbent;
use super::local::LocalTurns;
use super::optimum::{Improvement, Optimum};
use super::{MinimumSearch, ReportRate};
use crate::Question;
use crate::question::OptimumOptions;
use cnfkit_core::internals::{Choices, Clock, NormalSum, Session, gcd};
use cnfkit_core::{Assignment, Formula, SolveError, Strategy};

/// The default solver starts every question from nothing, and its cores are all assumptions.
const FORGETS: bool = cfg!(not(any(feature = "batsat", feature = "cadical", feature = "glucose", feature = "minisat")));

impl Question<'_> {
    /// The best solution: the least value for the sign 1, the greatest for −1.
    pub(crate) fn best(mut self, sign: i8) -> Result<Option<Optimum>, SolveError> {
        if let Cow::Owned(formula) = self.assumed_formula()? {
            return Question { formula: &formula, assumptions: Vec::new(), ..self }.best(sign);
        }
        let clock = self.optimum.clock.take().unwrap_or_else(|| self.asking.start());
        if FORGETS && !clock.engine().is_chosen() && self.optimum.strategy == Strategy::Auto {
            self.optimum.strategy = Strategy::SolutionImproving;
        }
        if self.optimum.attached.is_some() {
            self.choices.watches = None; // BatSat heeds one theory
        }
        let mut session = Session::on(&clock, self.choices);
        if let Some(clauses) = self.optimum.attached.take() {
            // They speak of variables as they are.
            if !session.attach(clauses) {
                return Err(SolveError::solver("only BatSat heeds clauses that are not written"));
            }
            return self.optimum.search(self.formula, sign, session, None, &clock);
        }
        let others = self.optimum.lazy.is_none().then_some(self.choices);
        let Some((formula, used)) = self.without_gaps()? else {
            return self.optimum.search(self.formula, sign, session, others, &clock);
        };
        let n_vars = self.formula.n_vars();
        let with_others = |model: &Assignment| {
            let mut values = vec![TernaryVal::False; n_vars];
            let given = |at: u32| TernaryVal::from(model.is_true(Lit::positive(at)));
            (0..).zip(&used).for_each(|(at, &var)| values[var as usize] = given(at));
            Assignment::from(types::Assignment::from(values))
        };
        let on_improvement = self.optimum.on_improvement.take().map(|mut report| {
            Box::new(move |found: &Improvement<'_>| report(&found.with(&with_others(found.solution)))) as Box<_>
        });
        let own = |lit: &Lit| Some(Lit::new(used.binary_search(&lit.vidx32()).ok()? as u32, lit.is_neg()));
        let hint = self.optimum.hint.iter().filter_map(own).collect();
        let near = self.optimum.near.take().map(|mut near| {
            Box::new(move || near().map(|lits| lits.iter().filter_map(own).collect())) as Box<dyn FnMut() -> _>
        });
        let best = OptimumOptions { hint, on_improvement, near, ..self.optimum }
            .search(&formula, sign, session, others, &clock)?;
        Ok(best.map(|best| Optimum { model: with_others(&best.model), ..best }))
    }

    /// The formula over the variables that occur, and these, where they are few: the others are false.
    fn without_gaps(&self) -> Result<Option<(Formula, Vec<u32>)>, SolveError> {
        // Lazy clauses speak of variables as they are.
        if self.optimum.lazy.is_some() { Ok(None) } else { Ok(self.formula.without_gaps()?) }
    }
}

impl OptimumOptions<'_> {
    fn search(
        self,
        formula: &Formula,
        sign: i8,
        session: Session,
        others: Option<Choices>,
        clock: &Clock,
    ) -> Result<Option<Optimum>, SolveError> {
        let begun = Instant::now();
        let sign = i128::from(sign);
        let weights = formula.objective().iter().map(|&(lit, weight)| (lit, sign * i128::from(weight)));
        let mut objective = NormalSum::new(weights);
        objective.offset += sign * self.constant;
        // It knows nothing of clauses that no other solver has, and solutions would be others each time.
        let is_alone = others.is_some() && clock.conflicts_left() == u64::MAX && !clock.engine().is_chosen();
        let is_open = is_alone && self.near.is_none() && self.strategy == Strategy::Auto && !self.is_ladder;
        let mut search = MinimumSearch {
            session,
            best: Incumbent::new(sign, objective.offset, self.on_improvement).sharing(self.shared),
            unit: objective.terms.iter().fold(0, |unit, &(_, weight)| gcd(unit, weight)).max(1),
            objective,
            formula,
            clock: clock.clone(),
            others,
            needless: OnceCell::new(),
            hint: self.hint,
            lazy: self.lazy,
            reduced: None,
            earlier: 0,
            near: self.near,
            local: is_open.then(LocalTurns::new),
            progress: self.on_progress.map(|(every, report)| ReportRate { begun, every, next: begun + every, report }),
        };
        let ended = search.run(self.strategy, self.is_ladder);
        let conflicts = search.n_conflicts();
        search.best.report_bound(conflicts);
        match ended {
            Err(SolveError::Interrupted(why)) => search.best.result(Some(why), conflicts),
            ended => ended.and_then(|()| search.best.result(None, conflicts)),
        }
    }
}
