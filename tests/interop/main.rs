//! rustsat's encoding traits on our encodings, and rustsat's encoders on our formula. The generic tests here run on
//! rustsat's own encoders too: what rustsat does is what ours must do.
#![cfg(feature = "batsat")]

mod am1;
mod bounds;
mod counted;
mod incremental;
mod instance;
mod selected;
mod target;

use cnfkit::encode::{ByRelation, Full, Writer};
use cnfkit::solvers::BatSat;
use cnfkit::{Lit, Relation, Size, Var};
use rustsat::instances::BasicVarManager;
use rustsat::solvers::{SolveIncremental, SolverResult};

/// A third party's encoding: every set of k + 1 literals holds a false one.
#[derive(Clone, Copy, Debug, Default)]
struct Subsets;

impl ByRelation for Subsets {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit], relation: Relation) -> Result<(), Full> {
        let Relation::AtMost(k) = relation else { return relation.by_at_most(self, to, lits) };
        subsets(lits.len(), k + 1).try_for_each(|set| {
            let clause: Vec<Lit> = members(lits, set).map(|lit| !lit).collect();
            to.clause(&clause)
        })
    }

    fn size(&self, n: usize, relation: Relation) -> Size {
        let Relation::AtMost(k) = relation else { return relation.size_by_at_most(self, n) };
        Size::clauses(subsets(n, k + 1).count() as u64, k + 1)
    }
}

fn subsets(n: usize, size: usize) -> impl Iterator<Item = u32> {
    (0..1u32 << n).filter(move |set| set.count_ones() as usize == size)
}

fn members(lits: &[Lit], set: u32) -> impl Iterator<Item = Lit> {
    lits.iter().enumerate().filter(move |&(i, _)| set >> i & 1 == 1).map(|(_, &lit)| lit)
}

fn inputs(n: u32) -> (Vec<Lit>, BasicVarManager) {
    ((0..n).map(Lit::positive).collect(), BasicVarManager::from_next_free(Var::new(n)))
}

/// True if `solver` accepts each assignment of `lits` under `assumptions`, and no other, as `want` says of the number
/// of true literals.
fn check(solver: &mut BatSat, lits: &[Lit], assumptions: &[Lit], want: impl Fn(usize) -> bool, what: &str) {
    for set in 0..1u32 << lits.len() {
        let mut all = assumptions.to_vec();
        all.extend(lits.iter().enumerate().map(|(i, &lit)| if set >> i & 1 == 1 { lit } else { !lit }));
        let found = solver.solve_assumps(&all).unwrap() == SolverResult::Sat;
        assert_eq!(found, want(set.count_ones() as usize), "{what}: assignment {set:b}");
    }
}
