//! [`Pen`] and [`ClauseNumbers`]: what a solver's part of a proof is written with.

use std::cell::RefCell;
use std::hash::BuildHasher;
use std::rc::Rc;

use rustc_hash::{FxBuildHasher, FxHashMap};
use rustsat::types::Lit;

use crate::certify::{Id, Lines};

/// The lines of a proof, which the solver writes while it searches.
pub(super) type Pen = Rc<RefCell<Lines<'static>>>;

/// The numbers of clauses, by a hash of their literals in any order, for solvers that name a clause by its literals
/// when they delete it. Where two clauses have the same hash, the checker may forget the wrong one, and not accept the
/// proof.
#[derive(Default)]
pub(super) struct ClauseNumbers(FxHashMap<u64, Vec<Id>>);

impl ClauseNumbers {
    pub(super) fn add(&mut self, clause: Vec<Lit>, id: Id) {
        self.0.entry(hash(clause)).or_default().push(id);
    }

    /// The number of a clause, which it has no more.
    pub(super) fn take(&mut self, clause: Vec<Lit>) -> Option<Id> {
        self.0.get_mut(&hash(clause)).and_then(Vec::pop)
    }
}

fn hash(mut clause: Vec<Lit>) -> u64 {
    clause.sort_unstable();
    FxBuildHasher.hash_one(clause)
}
