//! A clock for work that no solver interrupts: deducing, writing a formula, loading one.
//!
//! A [`Clock`] costs tens of nanoseconds to look at, a clause a few. So a [`Deadline`] counts steps and looks at the
//! clock once in many of them, and [`TimedSink`] is a sink that takes such a step for each clause on its way to another
//! sink.

use rustsat::types::{Lit, Var};

use crate::constraint::Constraint;
use crate::running::Clock;
use crate::{ClauseSink, Size, SolveError};

/// Clauses between two looks at the clock, on their way into a formula or a solver. BatSat, the slowest taker, loads
/// about 10 of them in a microsecond, so looks are about half a millisecond apart and cost nothing that can be measured
/// (`cargo bench --bench encodings`).
pub const CLAUSES: u32 = 1 << 12;

/// Counts steps, and looks at a clock once in a fixed number of them.
#[derive(Clone, Debug)]
pub struct Deadline {
    clock: Clock,
    /// Steps between two looks.
    every: u32,
    /// Steps to the next look.
    left: u32,
}

impl Deadline {
    /// A look at `clock` at the first step, and then once in `every` steps.
    #[must_use]
    pub fn new(clock: &Clock, every: u32) -> Self {
        Self { clock: clock.clone(), every: every.max(1), left: 1 }
    }

    /// One step.
    ///
    /// # Errors
    /// [`SolveError::Interrupted`] when the time is over.
    #[inline]
    pub fn step(&mut self) -> Result<(), SolveError> {
        self.left -= 1;
        if self.left == 0 { self.look() } else { Ok(()) }
    }

    /// A look at the clock, beside those at steps.
    ///
    /// # Errors
    /// [`SolveError::Interrupted`] when the time is over.
    pub fn check(&self) -> Result<(), SolveError> {
        self.clock.check()
    }

    #[cold]
    fn look(&mut self) -> Result<(), SolveError> {
        self.left = self.every;
        self.clock.check()
    }
}

impl Default for Deadline {
    /// Without any limit.
    fn default() -> Self {
        Self::new(&Clock::default(), u32::MAX)
    }
}

/// A sink in front of `sink` that is interrupted when the time is over.
#[derive(Debug)]
pub struct TimedSink<'a, S> {
    sink: &'a mut S,
    deadline: Deadline,
}

impl<'a, S> TimedSink<'a, S> {
    /// In front of `sink`, until `clock` is over.
    pub fn new(sink: &'a mut S, clock: &Clock) -> Self {
        Self { sink, deadline: Deadline::new(clock, CLAUSES) }
    }
}

impl<S: ClauseSink<Error: Into<SolveError>>> ClauseSink for TimedSink<'_, S> {
    type Error = SolveError;

    #[inline]
    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), SolveError> {
        self.deadline.step()?;
        self.sink.add_clause(clause).map_err(Into::into)
    }

    #[inline]
    fn define(&mut self, clause: &[Lit]) -> Result<(), SolveError> {
        self.deadline.step()?;
        self.sink.define(clause).map_err(Into::into)
    }

    fn reserve(&mut self, size: &Size) -> Result<(), SolveError> {
        self.sink.reserve(size).map_err(Into::into)
    }

    fn go_on(&mut self) -> Result<(), SolveError> {
        self.deadline.check()?;
        self.sink.go_on().map_err(Into::into)
    }

    fn new_lit(&mut self) -> Lit {
        self.sink.new_lit()
    }

    fn next_var(&self) -> Var {
        self.sink.next_var()
    }

    fn offer(&mut self, constraint: &Constraint<'_>) -> Result<bool, SolveError> {
        self.sink.offer(constraint).map_err(Into::into)
    }

    fn fixed(&self, lit: Lit) -> Option<bool> {
        self.sink.fixed(lit)
    }

    fn fixes_any(&self) -> bool {
        self.sink.fixes_any()
    }

    fn sorts_inputs(&self) -> bool {
        self.sink.sorts_inputs()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::{Cnf, Limits};

    #[test]
    fn the_clock_is_looked_at_once_in_so_many_clauses() {
        let flag = Arc::new(AtomicBool::new(false));
        let clock = Limits::none().cancel(Arc::clone(&flag)).start();
        let mut cnf = Cnf::new();
        let mut sink = TimedSink::new(&mut cnf, &clock);
        let lit = sink.new_lit();
        sink.add_clause(&[lit]).unwrap();
        flag.store(true, Ordering::Relaxed);
        let later = (0..2 * CLAUSES).position(|_| sink.define(&[lit]).is_err()).unwrap();
        assert!(later < CLAUSES as usize, "{later}");
        assert!(matches!(TimedSink::new(&mut cnf, &clock).add_clause(&[lit]), Err(SolveError::Interrupted)));
        assert_eq!(cnf.n_clauses(), later + 1);
    }

    #[test]
    fn without_a_limit_nothing_ends() {
        let mut deadline = Deadline::default();
        assert!((0..3 * CLAUSES).all(|_| deadline.step().is_ok()));
    }
}
