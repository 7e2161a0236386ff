//! [`Structure`]: on which inputs and auxiliaries each auxiliary depends, and what it counts, read from the clauses
//! that define it.
//!
//! An encoding builds from the inputs up, so in a clause that defines, the auxiliary with the highest number is the one
//! that is defined, by the other literals. One case goes the other way: an auxiliary that definitions have with one
//! sign only is used by none of them, so it is the one defined wherever it stands (the overflow that all nodes of a
//! totalizer share). A clause that enforces says nothing of what an auxiliary means, unless nothing else does (as with
//! the bits of [`Bitwise`](crate::Bitwise)).
//!
//! What an auxiliary counts is found out, not assumed: unit propagation on the definitions, from every choice of its
//! inputs.

use std::collections::{BTreeMap, BTreeSet};

use rustsat::types::{Lit, Var};

use super::auxiliary::{Auxiliary, CountedInputs};
use super::blueprint::Blueprint;
use super::counting::counts;
use super::words;

/// The auxiliaries of a [`Blueprint`] in the order of their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structure {
    auxiliaries: Vec<Auxiliary>,
}

impl Blueprint {
    /// The auxiliaries, and on what each depends.
    #[must_use]
    pub fn structure(&self) -> Structure {
        Structure::new(self)
    }
}

impl Structure {
    fn new(blueprint: &Blueprint) -> Self {
        let inputs = blueprint.n_inputs();
        let (from, enforced) = definitions(blueprint);
        let mut auxiliaries: Vec<Auxiliary> = (inputs..)
            .zip(from.into_iter().zip(enforced))
            .map(|(index, (from, enforced))| Auxiliary {
                var: Var::new(index as u32),
                from: from.into_iter().collect(),
                inputs: Vec::new(),
                depth: 0,
                enforced,
                count: None,
                name: format!("a{}", index + 1 - inputs),
                role: String::new(),
            })
            .collect();
        for at in in_order(&auxiliaries, inputs) {
            let mut support = BTreeSet::new();
            let mut depth = 0;
            for var in &auxiliaries[at].from {
                match var.idx().checked_sub(inputs) {
                    None => _ = support.insert(var.idx()),
                    Some(other) => {
                        support.extend(&auxiliaries[other].inputs);
                        depth = depth.max(auxiliaries[other].depth);
                    }
                }
            }
            auxiliaries[at].inputs = support.into_iter().collect();
            auxiliaries[at].depth = depth + 1;
        }
        let mut structure = Self { auxiliaries };
        let found: Vec<(Var, CountedInputs)> =
            structure.parts().iter().flat_map(|part| counts(blueprint, part)).collect();
        for auxiliary in &mut structure.auxiliaries {
            auxiliary.role = words::made_of(auxiliary, inputs);
        }
        for (var, counted) in found {
            let auxiliary = &mut structure.auxiliaries[var.idx() - inputs];
            auxiliary.role = words::says(auxiliary.inputs(), blueprint.weights(), &counted);
            auxiliary.count = match counted {
                CountedInputs::Least(count) => Some(count),
                CountedInputs::Sums(_) => None,
            };
        }
        structure
    }

    /// The auxiliaries in the order of their numbers.
    #[must_use]
    pub fn auxiliaries(&self) -> &[Auxiliary] {
        &self.auxiliaries
    }

    /// The auxiliaries that depend on the same inputs, together: those of fewer steps first, then those that count
    /// less, then by number. In a totalizer each is a node of the tree, in a network a sorter or merge, in a decision
    /// diagram a level.
    #[must_use]
    pub fn parts(&self) -> Vec<Vec<&Auxiliary>> {
        let mut parts: BTreeMap<&[usize], Vec<&Auxiliary>> = BTreeMap::new();
        for auxiliary in &self.auxiliaries {
            parts.entry(&auxiliary.inputs).or_default().push(auxiliary);
        }
        let mut parts: Vec<Vec<&Auxiliary>> = parts.into_values().collect();
        parts.iter_mut().for_each(|part| part.sort_by_key(|auxiliary| auxiliary.rank()));
        parts.sort_by_key(|part| (part[0].depth, part[0].var));
        parts
    }
}

/// For each auxiliary the variables that define it, and whether a clause enforces it.
fn definitions(blueprint: &Blueprint) -> (Vec<BTreeSet<Var>>, Vec<bool>) {
    let inputs = blueprint.n_inputs();
    let number = blueprint.n_vars() - inputs;
    let auxiliaries = |clause: &[Lit]| {
        let lits = clause.iter().filter_map(|lit| lit.vidx().checked_sub(inputs).map(|at| (at, lit.is_pos())));
        lits.collect::<Vec<_>>()
    };
    // How often definitions have each with either sign.
    let mut signs = vec![[0_usize; 2]; number];
    let mut enforced = vec![false; number];
    for (clause, enforces) in blueprint.clauses() {
        for (at, sign) in auxiliaries(clause) {
            if enforces {
                enforced[at] = true;
            } else {
                signs[at][usize::from(sign)] += 1;
            }
        }
    }
    let is_never_used = |at: usize| signs[at].contains(&0);
    let mut from = vec![BTreeSet::new(); number];
    let mut define = |head: usize, clause: &[Lit]| {
        from[head].extend(clause.iter().map(|lit| lit.var()).filter(|var| var.idx() != inputs + head));
    };
    for (clause, enforces) in blueprint.clauses() {
        let lits = auxiliaries(clause);
        let head = if enforces {
            lits.iter().map(|&(at, _)| at).max().filter(|&head| signs[head] == [0, 0])
        } else {
            lits.iter().map(|&(at, _)| at).max_by_key(|&at| (is_never_used(at), at))
        };
        if let Some(head) = head {
            define(head, clause);
        }
    }
    (from, enforced)
}

/// The auxiliaries, each behind those that define it, as far as they do not go in a circle.
fn in_order(auxiliaries: &[Auxiliary], inputs: usize) -> Vec<usize> {
    let mut waiting: Vec<usize> = Vec::with_capacity(auxiliaries.len());
    let mut users = vec![Vec::new(); auxiliaries.len()];
    for (at, auxiliary) in auxiliaries.iter().enumerate() {
        let others: Vec<usize> = auxiliary.from.iter().filter_map(|var| var.idx().checked_sub(inputs)).collect();
        waiting.push(others.len());
        others.into_iter().for_each(|other| users[other].push(at));
    }
    let mut left: BTreeSet<(usize, usize)> = waiting.iter().copied().zip(0..).collect();
    let mut order = Vec::with_capacity(auxiliaries.len());
    while let Some((_, at)) = left.pop_first() {
        order.push(at);
        for &user in &users[at] {
            if left.remove(&(waiting[user], user)) {
                waiting[user] -= 1;
                left.insert((waiting[user], user));
            }
        }
    }
    order
}
