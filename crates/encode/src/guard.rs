//! Sinks in front of a sink: [`Guarded`] puts everything under a condition, [`KeepOrder`] keeps the caller's order.

use std::any::Any;

use rustsat::types::Lit;

use crate::constraint::Constraint;
use crate::sink::{ClauseSink, Layer, free_variable};
use crate::size::Size;
use crate::writer::Writing;

/// Sends constraints on under a condition; made by [`Constrain::when`](crate::Constrain::when).
///
/// Every clause that enforces something gets the negated condition; clauses that only
/// [define](ClauseSink::define) auxiliaries pass as they are. Within the constraint the condition's own literals count
/// as true. A clause that the condition satisfies is not sent on, unless the sink
/// [has not seen](ClauseSink::add_clause) all of its variables.
///
/// ```
/// use cnfkit::{ClauseSink, Cnf, Constrain, Guarded, Pairwise};
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(3);
/// let mut when: Guarded<'_, Cnf> = cnf.when(x[0]);
/// when.at_most_one(&x[1..], Pairwise)?;
/// assert_eq!(cnf.clauses().collect::<Vec<_>>(), [[!x[0], !x[1], !x[2]]]);
/// # Ok::<(), cnfkit::CapacityError>(())
/// ```
#[derive(Debug)]
pub struct Guarded<'a, S: ?Sized> {
    sink: &'a mut S,
    /// The negated condition, sorted, each literal once, then room for one clause.
    buffer: Vec<Lit>,
    guards: usize,
    /// The condition contradicts itself: nothing needs enforcing.
    void: bool,
}

impl<'a, S: ClauseSink + ?Sized> Guarded<'a, S> {
    /// Under the condition that all of `cond` are true.
    pub fn new(sink: &'a mut S, cond: &[Lit]) -> Self {
        let mut buffer: Vec<Lit> = cond.iter().filter(|&&lit| sink.fixed(lit) != Some(true)).map(|&lit| !lit).collect();
        buffer.sort_unstable();
        buffer.dedup();
        let void = buffer.windows(2).any(|pair| pair[0].var() == pair[1].var())
            || buffer.iter().any(|&guard| sink.fixed(guard) == Some(true));
        let guards = buffer.len();
        Self { sink, buffer, guards, void }
    }
}

impl<S: ClauseSink + ?Sized> Guarded<'_, S> {
    /// Leaves out a clause that the guards satisfy, unless it tells the sink of a variable.
    #[cold]
    fn leave_out(&mut self, clause: &[Lit]) -> Result<(), S::Error> {
        if free_variable(clause.iter().copied()) <= self.sink.next_var().idx32() {
            return Ok(());
        }
        self.buffer.truncate(self.guards);
        self.buffer.extend_from_slice(clause);
        self.sink.add_clause(&self.buffer)
    }
}

impl<S: ?Sized> Guarded<'_, S> {
    /// An upper bound on the size of what is sent on: its `lits` are those with every clause guarded.
    pub(crate) fn guarded_size(&self, size: Size) -> Size {
        size + Size { lits: size.clauses.saturating_mul(self.guards as u64), ..Size::ZERO }
    }
}

impl<S: ClauseSink + ?Sized> Layer for Guarded<'_, S> {
    type Inner = S;

    fn inner(&self) -> &S {
        self.sink
    }

    fn inner_mut(&mut self) -> &mut S {
        self.sink
    }

    fn pass_clause(&mut self, clause: &[Lit]) -> Result<(), S::Error> {
        if self.void {
            return self.leave_out(clause);
        }
        self.buffer.truncate(self.guards);
        for &lit in clause {
            let guards = &self.buffer[..self.guards];
            if guards.contains(&!lit) {
                return self.leave_out(clause); // the condition itself satisfies it
            }
            if !guards.contains(&lit) {
                self.buffer.push(lit);
            }
        }
        self.sink.add_clause(&self.buffer)
    }

    fn pass_size(&mut self, size: &Size) -> Result<(), S::Error> {
        let size = self.guarded_size(*size);
        self.sink.reserve(&size)
    }

    /// Adds the condition to that of the constraint, unless it defines an auxiliary.
    fn pass_offer(&mut self, constraint: &Constraint<'_>) -> Result<bool, S::Error> {
        if constraint.defines {
            return self.sink.offer(constraint);
        }
        self.buffer.truncate(self.guards);
        self.buffer.extend_from_within(..);
        self.buffer[self.guards..].iter_mut().for_each(|guard| *guard = !*guard);
        self.buffer.extend_from_slice(constraint.cond);
        let beside = self.guarded_size(constraint.beside);
        self.sink.offer(&Constraint { beside, ..constraint.when(&self.buffer[self.guards..]) })
    }

    fn pass_says(&mut self, expr: &dyn Any, cond: &[Lit], is_literal: bool) {
        let guards = self.buffer[..self.guards].iter().map(|&guard| !guard);
        self.sink.says(expr, &guards.chain(cond.iter().copied()).collect::<Vec<Lit>>(), is_literal);
    }

    fn pass_write(&mut self, write: &mut Writing<'_>) -> Result<(), S::Error> {
        let (guards, is_void) = (&self.buffer[..self.guards], self.void);
        self.sink.write_by(&mut |to| to.under(guards, is_void, write))
    }

    fn pass_fixed(&self, lit: Lit) -> Option<bool> {
        let guards = &self.buffer[..self.guards];
        if guards.contains(&!lit) {
            Some(true)
        } else if guards.contains(&lit) {
            Some(false)
        } else {
            self.sink.fixed(lit)
        }
    }

    fn pass_fixes_any(&self) -> bool {
        true
    }
}

/// Passes everything on and keeps the order in which the caller gave literals; made by
/// [`Constrain::keep_order`](crate::Constrain::keep_order).
///
/// ```
/// use cnfkit::{CardEncoding, ClauseSink, Cnf, Constrain, KeepOrder};
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(4);
/// let mut kept: KeepOrder<'_, Cnf> = cnf.keep_order();
/// kept.at_most([x[3], x[0], x[1], x[2]], 2, CardEncoding::Combinatorial)?;
/// assert_eq!(cnf.clauses().next(), Some(&[!x[3], !x[0], !x[1]][..]));
/// # Ok::<(), cnfkit::CapacityError>(())
/// ```
#[derive(Debug)]
pub struct KeepOrder<'a, S: ?Sized>(&'a mut S);

impl<'a, S: ?Sized> KeepOrder<'a, S> {
    pub(crate) fn new(sink: &'a mut S) -> Self {
        Self(sink)
    }
}

impl<S: ClauseSink + ?Sized> Layer for KeepOrder<'_, S> {
    type Inner = S;

    fn inner(&self) -> &S {
        self.0
    }

    fn inner_mut(&mut self) -> &mut S {
        self.0
    }

    /// Marks the constraint: its order is to be kept.
    fn pass_offer(&mut self, constraint: &Constraint<'_>) -> Result<bool, S::Error> {
        self.0.offer(&constraint.in_order())
    }

    fn pass_sorts_inputs(&self) -> bool {
        false
    }

    fn pass_says(&mut self, expr: &dyn Any, cond: &[Lit], is_literal: bool) {
        self.0.says(expr, cond, is_literal);
    }

    fn pass_write(&mut self, write: &mut Writing<'_>) -> Result<(), S::Error> {
        self.0.write_by(write)
    }
}
