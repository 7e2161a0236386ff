//! One type for all sinks: the front door is compiled once, for a sink whose type is [erased](erase).
//!
//! A constraint takes a few indirect calls on its way through the door; its clauses take none, as they go to a
//! [`Writer`](crate::writer::Writer).

use std::any::Any;
use std::fmt;

use rustsat::types::{Lit, Var};

use crate::constraint::Constraint;
use crate::relation::Relation;
use crate::sink::ClauseSink;
use crate::size::Size;
use crate::writer::{Full, Writing};

/// Any sink, with its error type hidden.
pub type AnySink<'a> = dyn ClauseSink<Error = Full> + 'a;

/// Runs `post`, which speaks to [any sink](AnySink), on this sink.
///
/// # Errors
/// As the sink fails.
pub fn erase<S: ClauseSink + ?Sized>(
    sink: &mut S,
    post: &mut dyn FnMut(&mut AnySink<'_>) -> Result<(), Full>,
) -> Result<(), S::Error> {
    let mut error = None;
    let mut erased = MapErrors::new(sink, |failed| {
        error = Some(failed);
        Full::of_sink()
    });
    match (post(&mut erased), error) {
        (Err(_), Some(error)) => Err(error),
        // Nothing else makes a `Full`.
        _ => Ok(()),
    }
}

/// A sink in front of another, with errors of another type.
#[derive(Debug)]
pub struct MapErrors<'a, S: ?Sized, F> {
    sink: &'a mut S,
    map: F,
}

impl<'a, S: ?Sized, F> MapErrors<'a, S, F> {
    /// In front of `sink`, whose errors `map` turns into others.
    pub const fn new(sink: &'a mut S, map: F) -> Self {
        Self { sink, map }
    }
}

impl<S: ClauseSink + ?Sized, E, F: FnMut(S::Error) -> E> ClauseSink for MapErrors<'_, S, F> {
    type Error = E;

    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), E> {
        self.sink.add_clause(clause).map_err(&mut self.map)
    }

    fn define(&mut self, clause: &[Lit]) -> Result<(), E> {
        self.sink.define(clause).map_err(&mut self.map)
    }

    fn new_lit(&mut self) -> Lit {
        self.sink.new_lit()
    }

    fn next_var(&self) -> Var {
        self.sink.next_var()
    }

    fn new_lits(&mut self, n: usize) -> Vec<Lit> {
        self.sink.new_lits(n)
    }

    fn reserve(&mut self, size: &Size) -> Result<(), E> {
        self.sink.reserve(size).map_err(&mut self.map)
    }

    fn go_on(&mut self) -> Result<(), E> {
        self.sink.go_on().map_err(&mut self.map)
    }

    fn take(&mut self, cond: &[Lit], lits: &[Lit], relation: Relation) -> Result<bool, E> {
        self.sink.take(cond, lits, relation).map_err(&mut self.map)
    }

    fn offer(&mut self, constraint: &Constraint<'_>) -> Result<bool, E> {
        self.sink.offer(constraint).map_err(&mut self.map)
    }

    fn fixed(&self, lit: Lit) -> Option<bool> {
        self.sink.fixed(lit)
    }

    fn fixes_any(&self) -> bool {
        self.sink.fixes_any()
    }

    fn wants_constraints(&self) -> bool {
        self.sink.wants_constraints()
    }

    fn sorts_inputs(&self) -> bool {
        self.sink.sorts_inputs()
    }

    fn counts_models(&self) -> bool {
        self.sink.counts_models()
    }

    fn writes(&mut self, constraint: Option<&dyn fmt::Display>) {
        self.sink.writes(constraint);
    }

    fn says(&mut self, expr: &dyn Any, cond: &[Lit], is_literal: bool) {
        self.sink.says(expr, cond, is_literal);
    }

    fn write_by(&mut self, write: &mut Writing<'_>) -> Result<(), E> {
        self.sink.write_by(write).map_err(&mut self.map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AmoEncoding, CapacityError, CardEncoding, Cnf, Constrain};

    #[test]
    fn says_the_same_as_without() {
        let post = |hidden: bool| {
            let mut cnf = Cnf::with_vars(40);
            let lits: Vec<Lit> = (0..40).map(Lit::positive).collect();
            let sent: Result<(), CapacityError> = if hidden {
                erase(&mut cnf.when(&lits[..1]), &mut |sink| {
                    sink.exactly(&lits, 11, &CardEncoding::Auto)?;
                    sink.at_most_one(&lits[9..], &AmoEncoding::Smallest)
                })
            } else {
                let mut when = cnf.when(&lits[..1]);
                when.exactly(&lits, 11, &CardEncoding::Auto)
                    .and_then(|()| when.at_most_one(&lits[9..], &AmoEncoding::Smallest))
            };
            sent.unwrap();
            cnf
        };
        assert_eq!(post(true), post(false));
    }

    #[test]
    fn errors_come_back() {
        let mut cnf = Cnf::with_vars(9).with_limit(Size { clauses: 3, ..Cnf::DEFAULT_LIMIT });
        let lits: Vec<Lit> = (0..9).map(Lit::positive).collect();
        let error = erase(&mut cnf, &mut |sink| sink.at_most(&lits, 4, &CardEncoding::Auto)).unwrap_err();
        assert_eq!((error.limit.clauses, cnf.n_clauses()), (3, 0));
    }
}
