//! [`IncExactlyOne`]: exactly one of literals that come in while a solver runs.

use rustsat::types::Lit;

use super::IncAtMostOne;
use crate::erase::{AnySink, erase};
use crate::sink::ClauseSink;
use crate::size::Size;
use crate::writer::Full;

/// Exactly one of literals that come in while a solver runs: one of those that are in, or a later one.
///
/// *At most one* is an [`IncAtMostOne`], with its size, its strength, and its rules for repeated literals and
/// conditions. *At least one* has an open end: each step that brings literals adds one clause, which says that one of
/// them is true or, by a fresh variable, [one that is not in yet](Self::later).
///
/// | | |
/// |---|---|
/// | clauses | those of [`IncAtMostOne`], and one a step |
/// | auxiliaries | those of [`IncAtMostOne`], and one a step |
/// | strength | generalised arc consistent after every step, also while [`later`](Self::later) is assumed to be false |
///
/// The open end is not defined in the other direction: it may be true in a model although one of the literals is.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use cnfkit::solvers::{DefaultSolver, SolveIncremental, SolverResult};
/// use cnfkit::{ClauseSink, IncExactlyOne, SolverSink};
///
/// let mut solver = DefaultSolver::default();
/// let mut sink = SolverSink::new(&mut solver, 0);
/// let mut one = IncExactlyOne::new();
/// let x = sink.new_lits(2);
/// one.extend(&mut sink, &x)?;
/// // Neither of the two: then a later one. Without later ones there is no solution.
/// assert_eq!(sink.solver().solve_assumps(&[!x[0], !x[1]])?, SolverResult::Sat);
/// let none_later = !one.later().expect("open");
/// assert_eq!(sink.solver().solve_assumps(&[!x[0], !x[1], none_later])?, SolverResult::Unsat);
///
/// let y = sink.new_lits(1);
/// one.extend(&mut sink, &y)?;
/// one.close(&mut sink)?;
/// assert_eq!(sink.solver().solve_assumps(&[!x[0], !x[1]])?, SolverResult::Sat);
/// assert_eq!(sink.solver().solve_assumps(&[!x[0], !x[1], !y[0]])?, SolverResult::Unsat);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IncExactlyOne {
    one: IncAtMostOne,
    later: Option<Lit>,
    closed: bool,
}

impl IncExactlyOne {
    /// Exactly one of no literals yet: nothing is said before the first step.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of literals that were given.
    #[must_use]
    pub const fn n(&self) -> usize {
        self.one.n()
    }

    /// The open end: true if no literal that is in is. Assume its negation to ask for one of those that are in; the
    /// next step that brings literals makes a new one.
    ///
    /// `None` where there is nothing to assume: before the first step (one without literals makes an open end too),
    /// once [closed](Self::close), and when a literal stands beside its negation, or is known to be true.
    #[must_use]
    pub const fn later(&self) -> Option<Lit> {
        self.later
    }

    /// Takes `lits` in: of all literals given so far and the later ones, exactly one is true.
    ///
    /// The exact size is announced before the first clause. After [`close`](Self::close), the true one is among those
    /// that are in, so each of `lits` is said to be false.
    ///
    /// # Errors
    /// As the sink fails. If the sink refused the announced size, nothing has changed; if it failed later, the value is
    /// of no more use.
    ///
    /// # Panics
    /// As [`IncAtMostOne::extend`].
    pub fn extend<S: ClauseSink + ?Sized>(&mut self, sink: &mut S, lits: &[Lit]) -> Result<(), S::Error> {
        erase(sink, &mut |sink| self.extend_on(sink, lits))
    }

    fn extend_on(&mut self, sink: &mut AnySink<'_>, lits: &[Lit]) -> Result<(), Full> {
        if self.closed {
            return self.deny(sink, lits);
        }
        let step = self.one.plan(sink, lits);
        let opens = !step.is_taken() && (self.later.is_none() || !step.fresh.is_empty());
        let mut clause: Vec<Lit> = Vec::new();
        let mut more = Size::ZERO;
        if opens {
            clause.extend(self.later.map(|later| !later));
            clause.extend(&step.fresh);
            more = Size::variables(1) + Size::clause(clause.len() + 1);
        }
        self.one.write(sink, step, more, &mut |to, step| {
            if opens {
                let later = to.lit();
                clause.push(later);
                self.later = Some(later);
                return to.clause(&clause);
            }
            if step.is_taken() {
                self.later = None;
            }
            Ok(())
        })
    }

    /// Says that no later literal is true: exactly one of those that are in. Closing twice says it once.
    ///
    /// # Errors
    /// As the sink fails. If the sink refused the announced size, nothing has changed.
    ///
    /// # Panics
    /// When the sink is another than before: it does not know all variables.
    pub fn close<S: ClauseSink + ?Sized>(&mut self, sink: &mut S) -> Result<(), S::Error> {
        erase(sink, &mut |sink| self.close_on(sink))
    }

    fn close_on(&mut self, sink: &mut AnySink<'_>) -> Result<(), Full> {
        self.one.check(sink, &[]);
        let open: Vec<Lit> = self.later.map(|later| !later).into_iter().collect();
        if !self.closed && !self.one.is_taken() {
            sink.reserve(&Size::clause(open.len()))?;
            sink.add_clause(&open)?;
        }
        (self.closed, self.later) = (true, None);
        Ok(())
    }

    /// Says that each of `lits` is false.
    fn deny(&mut self, sink: &mut AnySink<'_>, lits: &[Lit]) -> Result<(), Full> {
        self.one.check(sink, lits);
        let mut units: Vec<Lit> = lits.iter().filter(|&&lit| sink.fixed(lit) != Some(false)).map(|&lit| !lit).collect();
        units.sort_unstable();
        units.dedup();
        if units.iter().any(|&unit| sink.fixed(unit) == Some(false)) {
            sink.reserve(&Size::clause(0))?;
            sink.add_clause(&[])?;
        } else {
            sink.reserve(&Size::clauses(units.len() as u64, 1))?;
            units.iter().try_for_each(|&unit| sink.add_clause(&[unit]))?;
        }
        self.one.add_given(lits.len());
        Ok(())
    }
}
