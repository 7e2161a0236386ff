//! From a [`Policy`] to an encoding: the methods of the encoding traits, each by way of a [`Program`] that is kept.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use rustsat::types::{Lit, Var};

use super::mode::{Bound, Policy};
use super::program::Program;
use super::{compile, emit};
use crate::card::count::Count;
use crate::encode::check_known;
use crate::relation::Relation;
use crate::sink::ClauseSink;
use crate::size::Size;

/// Programs kept, of up to some hundred kilobytes each.
const MOST_PROGRAMS: usize = 512;

thread_local! {
    /// Programs already made: constraints of the same shape are planned once a thread.
    static PROGRAMS: RefCell<FxHashMap<(Policy, Bound), Rc<Program>>> = RefCell::default();
}

fn program(policy: Policy, bound: Bound) -> Rc<Program> {
    PROGRAMS.with_borrow_mut(|programs| {
        if let Some(program) = programs.get(&(policy, bound)) {
            return Rc::clone(program);
        }
        if programs.len() >= MOST_PROGRAMS {
            programs.clear();
        }
        let program = Rc::new(compile::program(policy, bound));
        programs.insert((policy, bound), Rc::clone(&program));
        program
    })
}

/// Encodes a relation on literals, 1 ≤ k < n.
pub(super) fn encode<S>(policy: Policy, relation: Relation, sink: &mut S, lits: &[Lit]) -> Result<(), S::Error>
where
    S: ClauseSink + ?Sized,
{
    let negated = matches!(relation, Relation::AtLeast(_));
    emit::emit(&program(policy, Bound::new(relation, lits.len() as u32)), sink, lits, negated)?;
    Ok(())
}

fn size(policy: Policy, n: usize, bound: impl Fn(u32) -> Bound) -> Size {
    match u32::try_from(n) {
        Ok(n) if n <= Var::MAX_IDX => program(policy, bound(n)).size,
        _ => Size { vars: u64::MAX, clauses: u64::MAX, lits: u64::MAX },
    }
}

/// The size of a relation on `n` literals, 1 ≤ k < n.
pub(super) fn relation_size(policy: Policy, relation: Relation, n: usize) -> Size {
    size(policy, n, |n| Bound::new(relation, n))
}

/// Defines outputs 1 to `upto`.
pub(super) fn count<S>(policy: Policy, sink: &mut S, lits: &[Lit], upto: usize) -> Result<Count, S::Error>
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

pub(super) fn count_size(policy: Policy, n: usize, upto: usize) -> Size {
    if n == 0 || upto == 0 { Size::ZERO } else { size(policy, n, |n| Bound::count(n, upto.min(n as usize) as u32)) }
}

/// Defines outputs `first` to `last`.
pub(super) fn outputs<S>(
    policy: Policy,
    sink: &mut S,
    lits: &[Lit],
    first: usize,
    last: usize,
) -> Result<Vec<Lit>, S::Error>
where
    S: ClauseSink + ?Sized,
{
    emit::emit(&program(policy, Bound::outputs(lits.len() as u32, first as u32, last as u32)), sink, lits, false)
}

/// The size of outputs `first` to `last`.
pub(super) fn outputs_size(policy: Policy, n: usize, first: usize, last: usize) -> Size {
    size(policy, n, |n| Bound::outputs(n, first as u32, last as u32))
}

/// Makes an encoding of this name of a type with a method `policy`.
macro_rules! planned {
    ($enc:ty, $name:literal) => {
        impl $crate::encode::ByRelation for $enc {
            fn encode<S>(
                &self,
                sink: &mut S,
                lits: &[::rustsat::types::Lit],
                relation: $crate::Relation,
            ) -> Result<(), S::Error>
            where
                S: $crate::ClauseSink + ?Sized,
            {
                super::planned::encode(self.policy(), relation, sink, lits)
            }

            fn size(&self, n: usize, relation: $crate::Relation) -> $crate::Size {
                super::planned::relation_size(self.policy(), relation, n)
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
                super::planned::outputs(self.policy(), sink, lits, first, last).map(Some)
            }

            fn outputs_size(&self, n: usize, first: usize, last: usize) -> Option<$crate::Size> {
                Some(super::planned::outputs_size(self.policy(), n, first, last))
            }
        }

        $crate::at_most_k!($enc, $name);

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
                super::planned::count(self.policy(), sink, lits, upto)
            }

            fn count_size(&self, n: usize, upto: usize) -> $crate::Size {
                super::planned::count_size(self.policy(), n, upto)
            }
        }
    };
}
pub(super) use planned;
