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
mod shape;
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
use crate::constrain::Relation;
use crate::sink::{ClauseSink, Size};

thread_local! {
    /// Programs already made: constraints of the same shape are planned once.
    static PROGRAMS: RefCell<FxHashMap<(Policy, Bound), Rc<Program>>> = RefCell::default();
}

fn program(policy: Policy, relation: Relation, n: u32) -> Rc<Program> {
    const MOST: usize = 512;
    let bound = match relation {
        Relation::AtMost(k) => Bound { n, k: k as u32, most: true, least: false },
        Relation::AtLeast(k) => Bound { n, k: n - k as u32, most: true, least: false },
        Relation::Exactly(k) => Bound { n, k: k as u32, most: true, least: true },
    };
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

fn encode<S>(policy: Policy, relation: Relation, sink: &mut S, lits: &[Lit]) -> Result<(), S::Error>
where
    S: ClauseSink + ?Sized,
{
    let negated = matches!(relation, Relation::AtLeast(_));
    emit::emit(&program(policy, relation, lits.len() as u32), sink, lits, negated)
}

fn size(policy: Policy, relation: Relation, n: usize) -> Size {
    match u32::try_from(n) {
        Ok(n) if n <= Var::MAX_IDX => program(policy, relation, n).size,
        _ => Size { vars: u64::MAX, clauses: u64::MAX, lits: u64::MAX },
    }
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

            fn amk_size(&self, n: usize, k: usize) -> $crate::Size {
                super::size(self.policy(), $crate::constrain::Relation::AtMost(k), n)
            }

            fn alk_size(&self, n: usize, k: usize) -> $crate::Size {
                super::size(self.policy(), $crate::constrain::Relation::AtLeast(k), n)
            }

            fn exk_size(&self, n: usize, k: usize) -> $crate::Size {
                super::size(self.policy(), $crate::constrain::Relation::Exactly(k), n)
            }
        }
    };
}
use planned;
