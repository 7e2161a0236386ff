//! From a [`Policy`] to an encoding: the methods of the encoding traits, each by way of a [`Program`] that is kept.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use rustsat::types::{Lit, Var};

use super::mode::{NetworkQuestion, Policy, Wires};
use super::program::Program;
use super::{compile, emit};
use crate::card::count::{Count, Counter};
use crate::encode::ByRelation;
use crate::relation::Relation;
use crate::size::Size;
use crate::writer::{Full, Writer};

/// Programs kept, of up to some hundred kilobytes each.
const MOST_PROGRAMS: usize = 512;

thread_local! {
    /// Programs already made: constraints of the same shape are planned once a thread.
    static PROGRAMS: RefCell<FxHashMap<(Policy, NetworkQuestion), Rc<Program>>> = RefCell::default();
}

fn program(policy: Policy, bound: NetworkQuestion) -> Rc<Program> {
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

fn size(policy: Policy, n: usize, bound: impl Fn(u32) -> NetworkQuestion) -> Size {
    match u32::try_from(n) {
        Ok(n) if n <= Var::MAX_IDX => program(policy, bound(n)).size,
        _ => Size { vars: u64::MAX, clauses: u64::MAX, lits: u64::MAX },
    }
}

/// An encoding that is a policy.
pub(super) trait Planned: Copy + Send + Sync + Default + PartialEq {
    const NAME: &'static str;

    fn policy(self) -> Policy;
}

#[diagnostic::do_not_recommend]
impl<E: Planned> ByRelation for E {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit], relation: Relation) -> Result<(), Full> {
        let negated = matches!(relation, Relation::AtLeast(_));
        emit::emit(&program(self.policy(), NetworkQuestion::new(relation, lits.len() as u32)), to, lits, negated)?;
        Ok(())
    }

    fn size(&self, n: usize, relation: Relation) -> Size {
        size(self.policy(), n, |n| NetworkQuestion::new(relation, n))
    }

    fn outputs(&self, to: &mut Writer<'_>, lits: &[Lit], first: usize, last: usize) -> Result<Vec<Lit>, Full> {
        let bound = NetworkQuestion::outputs(lits.len() as u32, first as u32, last as u32);
        emit::emit(&program(self.policy(), bound), to, lits, false)
    }

    fn outputs_size(&self, n: usize, first: usize, last: usize) -> Option<Size> {
        Some(size(self.policy(), n, |n| NetworkQuestion::outputs(n, first as u32, last as u32)))
    }

    fn one_model(&self) -> bool {
        self.policy().wires == Wires::TwoSided
    }

    crate::encode::named!(Self::NAME);
}

#[diagnostic::do_not_recommend]
impl<E: Planned> Counter for E {
    fn count_to(&self, to: &mut Writer<'_>, lits: &[Lit], upto: usize) -> Result<Count, Full> {
        let n = lits.len();
        if n == 0 || upto == 0 {
            return Ok(Count::new(n, Vec::new()));
        }
        let program = program(self.policy(), NetworkQuestion::count(n as u32, upto.min(n) as u32));
        Ok(Count::new(n, emit::emit(&program, to, lits, false)?))
    }

    fn count_size(&self, n: usize, upto: usize) -> Size {
        if n == 0 || upto == 0 {
            return Size::ZERO;
        }
        size(self.policy(), n, |n| NetworkQuestion::count(n, upto.min(n as usize) as u32))
    }
}
