//! Sorting, selection and cardinality networks: one planner, one emitter, two encodings.
//!
//! Everything is made of merges of sorted sequences. A merge is done directly (each output from every way to share it among the
//! sequences) or by odd-even merges; a [plan](plan) says which, for every number of inputs, and only for the outputs on
//! which the bound depends. At most k is said by *up* clauses alone (true inputs make outputs true), at least k is at most n − k on
//! the negated inputs, and exactly k has clauses both ways on one network.

mod cardinality;
mod emit;
mod free;
mod measure;
mod plan;
mod program;
mod search;
mod shape;
mod tape;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use rustsat::types::{Lit, Var};

pub use self::cardinality::CardinalityNetwork;
pub use self::free::Network;
use self::plan::{Bound, Policy};
use self::program::Program;
use super::count::Count;
use crate::constrain::{Relation, check_known};
use crate::sink::{ClauseSink, Size};

thread_local! {
    /// Programs already made: constraints of the same shape are planned once.
    static PROGRAMS: RefCell<FxHashMap<(Policy, Bound), Rc<Program>>> = RefCell::default();
}

fn program(policy: Policy, bound: Bound) -> Rc<Program> {
    const MOST: usize = 512;
    PROGRAMS.with_borrow_mut(|programs| {
        if let Some(program) = programs.get(&(policy, bound)) {
            return Rc::clone(program);
        }
        if programs.len() >= MOST {
            programs.clear();
        }
        let program = Rc::new(Program::new(policy, bound));
        programs.insert((policy, bound), Rc::clone(&program));
        program
    })
}

/// At least k is at most n − k of the negated inputs.
fn bound(relation: Relation, n: u32) -> Bound {
    match relation {
        Relation::AtMost(k) => Bound::at_most(n, k as u32),
        Relation::AtLeast(k) => Bound::at_most(n, n - k as u32),
        Relation::Exactly(k) => Bound::exactly(n, k as u32),
    }
}

fn encode<S>(policy: Policy, relation: Relation, sink: &mut S, lits: &[Lit]) -> Result<(), S::Error>
where
    S: ClauseSink + ?Sized,
{
    let negated = matches!(relation, Relation::AtLeast(_));
    emit::emit(&program(policy, bound(relation, lits.len() as u32)), sink, lits, negated)?;
    Ok(())
}

fn size(policy: Policy, n: usize, bound: impl Fn(u32) -> Bound) -> Size {
    match u32::try_from(n) {
        Ok(n) if n <= Var::MAX_IDX => program(policy, bound(n)).size,
        _ => Size { vars: u64::MAX, clauses: u64::MAX, lits: u64::MAX },
    }
}

fn relation_size(policy: Policy, relation: Relation, n: usize) -> Size {
    relation.folded(n).unwrap_or_else(|| size(policy, n, |n| bound(relation, n)))
}

fn count<S>(policy: Policy, sink: &mut S, lits: &[Lit], upto: usize) -> Result<Count, S::Error>
where
    S: ClauseSink + ?Sized,
{
    check_known(sink, lits);
    let n = lits.len();
    if n == 0 || upto == 0 {
        return Ok(Count::new(n, Vec::new()));
    }
    let program = program(policy, Bound::count(n as u32, upto.min(n) as u32));
    Ok(Count::new(n, emit::emit(&program, sink, lits, false)?))
}

fn count_size(policy: Policy, n: usize, upto: usize) -> Size {
    if n == 0 || upto == 0 { Size::ZERO } else { size(policy, n, |n| Bound::count(n, upto.min(n as usize) as u32)) }
}

fn outputs<S>(policy: Policy, sink: &mut S, lits: &[Lit], first: usize, last: usize) -> Result<Vec<Lit>, S::Error>
where
    S: ClauseSink + ?Sized,
{
    emit::emit(&program(policy, Bound::outputs(lits.len() as u32, first as u32, last as u32)), sink, lits, false)
}

/// Makes an encoding of a type with a method `policy`.
macro_rules! planned {
    ($enc:ty) => {
        impl $crate::AtMostK for $enc {
            fn at_most<S>(&self, sink: &mut S, lits: &[::rustsat::types::Lit], k: usize) -> Result<(), S::Error>
            where
                S: $crate::ClauseSink + ?Sized,
            {
                super::encode(self.policy(), $crate::constrain::Relation::AtMost(k), sink, lits)
            }

            fn at_least<S>(&self, sink: &mut S, lits: &[::rustsat::types::Lit], k: usize) -> Result<(), S::Error>
            where
                S: $crate::ClauseSink + ?Sized,
            {
                super::encode(self.policy(), $crate::constrain::Relation::AtLeast(k), sink, lits)
            }

            fn exactly<S>(&self, sink: &mut S, lits: &[::rustsat::types::Lit], k: usize) -> Result<(), S::Error>
            where
                S: $crate::ClauseSink + ?Sized,
            {
                super::encode(self.policy(), $crate::constrain::Relation::Exactly(k), sink, lits)
            }

            fn outputs<S>(
                &self,
                sink: &mut S,
                lits: &[::rustsat::types::Lit],
                first: usize,
                last: usize,
            ) -> Result<Option<Vec<::rustsat::types::Lit>>, S::Error>
            where
                S: $crate::ClauseSink + ?Sized,
            {
                super::outputs(self.policy(), sink, lits, first, last).map(Some)
            }

            fn outputs_size(&self, n: usize, first: usize, last: usize) -> Option<$crate::Size> {
                let size = || super::size(self.policy(), n, |n| super::Bound::outputs(n, first as u32, last as u32));
                $crate::card::countable(n, first, last).then(size)
            }

            fn amk_size(&self, n: usize, k: usize) -> $crate::Size {
                super::relation_size(self.policy(), $crate::constrain::Relation::AtMost(k), n)
            }

            fn alk_size(&self, n: usize, k: usize) -> $crate::Size {
                super::relation_size(self.policy(), $crate::constrain::Relation::AtLeast(k), n)
            }

            fn exk_size(&self, n: usize, k: usize) -> $crate::Size {
                super::relation_size(self.policy(), $crate::constrain::Relation::Exactly(k), n)
            }
        }

        impl $crate::Counter for $enc {
            fn count<S>(
                &self,
                sink: &mut S,
                lits: &[::rustsat::types::Lit],
                upto: usize,
            ) -> Result<$crate::Count, S::Error>
            where
                S: $crate::ClauseSink + ?Sized,
            {
                super::count(self.policy(), sink, lits, upto)
            }

            fn count_size(&self, n: usize, upto: usize) -> $crate::Size {
                super::count_size(self.policy(), n, upto)
            }
        }
    };
}
use planned;
