//! A clock for work that no solver interrupts: deducing, writing a formula, loading one.
//!
//! A [`Clock`] costs tens of nanoseconds to look at, a clause a few. So a [`Deadline`] counts steps and looks at the
//! clock once in many of them, and [`TimedSink`] is a sink that takes such a step for each clause on its way to another
//! sink.

use rustsat::types::Lit;

use crate::erase::MapErrors;
use crate::running::Clock;
use crate::{ClauseSink, Layer, SolveError};

/// Clauses between two looks at the clock, on their way into a formula or a solver. BatSat, the slowest taker, loads
/// about 10 of them in a microsecond, so looks are about half a millisecond apart and cost nothing that can be measured
/// (`cargo bench -p cnfkit-speed --bench order`).
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
pub struct TimedSink<'a, S: ClauseSink> {
    sink: MapErrors<'a, S, fn(S::Error) -> SolveError>,
    deadline: Deadline,
}

impl<'a, S: ClauseSink<Error: Into<SolveError>>> TimedSink<'a, S> {
    /// In front of `sink`, until `clock` is over.
    pub fn new(sink: &'a mut S, clock: &Clock) -> Self {
        Self { sink: MapErrors::new(sink, Into::into), deadline: Deadline::new(clock, CLAUSES) }
    }
}

impl<'a, S: ClauseSink<Error: Into<SolveError>>> Layer for TimedSink<'a, S> {
    type Inner = MapErrors<'a, S, fn(S::Error) -> SolveError>;

    fn inner(&self) -> &Self::Inner {
        &self.sink
    }

    fn inner_mut(&mut self) -> &mut Self::Inner {
        &mut self.sink
    }

    #[inline]
    fn pass_clause(&mut self, clause: &[Lit]) -> Result<(), SolveError> {
        self.deadline.step()?;
        self.sink.add_clause(clause)
    }

    #[inline]
    fn pass_definition(&mut self, clause: &[Lit]) -> Result<(), SolveError> {
        self.deadline.step()?;
        self.sink.define(clause)
    }

    fn pass_go_on(&mut self) -> Result<(), SolveError> {
        self.deadline.check()?;
        self.sink.go_on()
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
        assert!(matches!(TimedSink::new(&mut cnf, &clock).add_clause(&[lit]), Err(SolveError::Interrupted(_))));
        assert_eq!(cnf.n_clauses(), later + 1);
    }

    #[test]
    fn without_a_limit_nothing_ends() {
        let mut deadline = Deadline::default();
        assert!((0..3 * CLAUSES).all(|_| deadline.step().is_ok()));
    }
}
