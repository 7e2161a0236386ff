//! One compiled copy of the encodings for a [`Cnf`], and one for every other sink.
//!
//! Everything behind the front door is generic over the sink, and the compiler makes a copy for each sink that it
//! meets, in each crate. An encoding chosen at run time may turn out to be any of them, so each such copy would be a
//! copy of them all. Encodings by name are therefore compiled [once]: for a [`Cnf`], at full speed, and for a sink
//! whose type is [erased](erase), which takes an indirect call for each clause, some nanoseconds. An encoding that is
//! known at compile time has no part in this.

use std::fmt;

use rustsat::types::{Lit, Var};

use crate::cnf::Cnf;
use crate::constraint::Constraint;
use crate::relation::Relation;
use crate::sink::{ClauseSink, OnCnf};
use crate::size::{CapacityError, Size};

/// Any sink, with its error type hidden.
pub(crate) type AnySink<'a> = dyn ClauseSink<Error = Stopped> + 'a;

/// The sink behind an [`AnySink`] has failed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopped;

/// Runs `post`, which speaks to [any sink](AnySink), on this sink.
///
/// # Errors
/// As the sink fails.
pub(crate) fn erase<S: ClauseSink + ?Sized>(
    sink: &mut S,
    post: impl FnOnce(&mut AnySink<'_>) -> Result<(), Stopped>,
) -> Result<(), S::Error> {
    let mut error = None;
    let mut erased = MapErrors::new(sink, |failed| {
        error = Some(failed);
        Stopped
    });
    match (post(&mut erased), error) {
        (Err(Stopped), Some(error)) => Err(error),
        // Nothing else makes a `Stopped`.
        _ => Ok(()),
    }
}

/// Writes by code that is compiled once for a [`Cnf`], at full speed, and once for all other sinks.
///
/// # Errors
/// As the sink fails.
pub(crate) fn once<S, T>(
    sink: &mut S,
    on_cnf: impl FnOnce(&mut Cnf) -> Result<T, CapacityError>,
    on_any: impl FnOnce(&mut AnySink<'_>) -> Result<T, Stopped>,
) -> Result<T, S::Error>
where
    S: ClauseSink + ?Sized,
    T: Default,
{
    let mut written = T::default();
    let mut on_cnf = Some(on_cnf);
    let direct = sink.on_cnf(&mut |sink| {
        if let (Some(cnf), Some(on_cnf)) = (sink.downcast_mut(), on_cnf.take()) {
            written = on_cnf(cnf)?;
        }
        Ok(())
    });
    let done = direct.unwrap_or_else(|| {
        erase(sink, |sink| {
            written = on_any(sink)?;
            Ok(())
        })
    });
    done.map(|()| written)
}

/// A sink in front of another, with errors of another type.
#[derive(Debug)]
pub struct MapErrors<'a, S: ?Sized, F> {
    sink: &'a mut S,
    map: F,
}

impl<'a, S: ?Sized, F> MapErrors<'a, S, F> {
    pub(crate) const fn new(sink: &'a mut S, map: F) -> Self {
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

    fn writes(&mut self, constraint: Option<&dyn fmt::Display>) {
        self.sink.writes(constraint);
    }

    fn on_cnf(&mut self, write: &mut OnCnf<'_>) -> Option<Result<(), E>> {
        self.sink.on_cnf(write).map(|written| written.map_err(&mut self.map))
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
                erase(&mut cnf.when(&lits[..1]), |sink| {
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
        let error = erase(&mut cnf, |sink| sink.at_most(&lits, 4, &CardEncoding::Auto)).unwrap_err();
        assert_eq!((error.limit.clauses, cnf.n_clauses()), (3, 0));
    }
}
