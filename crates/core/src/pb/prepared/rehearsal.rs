//! Sizes by rehearsal: an encoder is run on a sink that only counts, once, before it is run on the real one.
//!
//! What a sum of weights costs depends on every weight, so that a closed form would be the encoder written twice. A
//! rehearsal allocates nothing for clauses. Encoders that take longer than their clauses take to copy keep them, in a
//! [`Recording`](super::Recording).

use std::convert::Infallible;

use rustsat::types::{Lit, Var};

use crate::encode::Prepared;
use crate::sink::{ClauseSink, free_variable};
use crate::size::Size;

/// An encoder with all that it needs: each run sends the same clauses.
pub trait Script {
    /// Sends the clauses.
    ///
    /// # Errors
    /// As the sink fails.
    fn run<S: ClauseSink + ?Sized>(&self, sink: &mut S) -> Result<(), S::Error>;
}

/// A script whose size is known.
#[derive(Clone, Debug)]
pub struct Rehearsed<T> {
    script: T,
    size: Size,
}

impl<T: Script> Rehearsed<T> {
    /// Rehearses a script, whose inputs have variables below `free`.
    pub(in crate::pb) fn new(script: T, free: u32) -> Self {
        let mut stage = Stage { free, size: Size::ZERO };
        let Ok(()) = script.run(&mut stage);
        Self { size: stage.size, script }
    }
}

impl<T: Script> Prepared for Rehearsed<T> {
    fn size(&self) -> Size {
        self.size
    }

    fn write<S: ClauseSink + ?Sized>(&self, sink: &mut S) -> Result<(), S::Error> {
        self.script.run(sink)
    }
}

/// Counts. A script has no variables but its inputs' and those it has taken.
struct Stage {
    /// The first variable that is not an input.
    free: u32,
    size: Size,
}

impl ClauseSink for Stage {
    type Error = Infallible;

    #[inline]
    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), Infallible> {
        let known = u64::from(self.free) + self.size.vars;
        debug_assert!(u64::from(free_variable(clause.iter().copied())) <= known, "{clause:?}: not below {known}");
        self.size.clauses += 1;
        self.size.lits += clause.len() as u64;
        Ok(())
    }

    #[inline]
    fn new_lit(&mut self) -> Lit {
        let lit = self.next_var().pos_lit();
        self.size.vars += 1;
        lit
    }

    /// More than rustsat has are as good as one: nothing is stored.
    #[inline]
    fn next_var(&self) -> Var {
        let next = u64::from(self.free) + self.size.vars;
        Var::new(u32::try_from(next).map_or(Var::MAX_IDX, |next| next.min(Var::MAX_IDX)))
    }
}
