//! A layer that sends each clause on once.

use std::collections::HashSet;

use cnfkit::{ClauseSink, Layer, Lit};

/// Leaves out clauses that came before, whatever the order of their literals: constraints that overlap share clauses
/// where they are encoded without auxiliaries.
#[derive(Debug)]
pub struct Distinct<'a, S: ?Sized> {
    sink: &'a mut S,
    seen: HashSet<Vec<Lit>>,
}

impl<'a, S: ClauseSink + ?Sized> Distinct<'a, S> {
    /// Nothing was seen yet; clauses go on to `sink`.
    pub fn new(sink: &'a mut S) -> Self {
        Self { sink, seen: HashSet::new() }
    }

    fn is_new(&mut self, clause: &[Lit]) -> bool {
        let mut sorted = clause.to_vec();
        sorted.sort_unstable();
        self.seen.insert(sorted)
    }
}

impl<S: ClauseSink + ?Sized> Layer for Distinct<'_, S> {
    type Inner = S;

    fn inner(&self) -> &S {
        self.sink
    }

    fn inner_mut(&mut self) -> &mut S {
        self.sink
    }

    fn pass_clause(&mut self, clause: &[Lit]) -> Result<(), S::Error> {
        if self.is_new(clause) { self.sink.add_clause(clause) } else { Ok(()) }
    }

    fn pass_definition(&mut self, clause: &[Lit]) -> Result<(), S::Error> {
        if self.is_new(clause) { self.sink.define(clause) } else { Ok(()) }
    }
}
