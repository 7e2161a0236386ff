//! The counts that auxiliaries stand for: unit propagation on the definitions, from every choice of their inputs.

use std::collections::BTreeMap;

use rustsat::types::{Lit, Var};

use super::auxiliary::{Auxiliary, Count, CountedInputs, Sense};
use super::blueprint::Blueprint;

/// The most inputs that are looked at: 256 choices, each propagated.
const MOST_INPUTS: usize = 8;

/// The value of an auxiliary under the choices of inputs with one sum; `Some(None)` if they leave it free.
type Becomes = Option<bool>;

/// The count of each auxiliary of a part, if it has one. All of them depend on the same inputs.
pub(super) fn counts(blueprint: &Blueprint, part: &[&Auxiliary]) -> Vec<(Var, CountedInputs)> {
    let inputs = part[0].inputs();
    if inputs.is_empty() || inputs.len() > MOST_INPUTS {
        return Vec::new();
    }
    let definitions = definitions_of(blueprint, inputs);
    let weights: Vec<u64> = inputs.iter().map(|&input| blueprint.weights()[input]).collect();
    // For each auxiliary what the choices of each sum make of it, until two of one sum differ.
    let mut found: Vec<Option<BTreeMap<u64, Becomes>>> = vec![Some(BTreeMap::new()); part.len()];
    let mut values = vec![None; blueprint.n_vars()];
    for choice in 0_u32..1 << inputs.len() {
        values.fill(None);
        let mut sum = 0_u64;
        for (at, &input) in inputs.iter().enumerate() {
            let value = choice >> at & 1 == 1;
            values[input] = Some(value);
            sum = sum.saturating_add(if value { weights[at] } else { 0 });
        }
        propagate(&definitions, &mut values);
        for (auxiliary, found) in part.iter().zip(&mut found) {
            let becomes = values[auxiliary.var().idx()];
            if let Some(by_sum) = found
                && *by_sum.entry(sum).or_insert(becomes) != becomes
            {
                *found = None;
            }
        }
    }
    let all = weights.iter().fold(0_u64, |sum, &weight| sum.saturating_add(weight));
    let read = part.iter().zip(found).filter_map(|(auxiliary, found)| Some((auxiliary.var(), read(&found?, all)?)));
    read.collect()
}

/// The definitions that name only these inputs and auxiliaries that depend on nothing else.
fn definitions_of<'a>(blueprint: &'a Blueprint, inputs: &[usize]) -> Vec<&'a [Lit]> {
    let clauses = blueprint.clauses().filter(|(_, enforces)| !enforces).map(|(clause, _)| clause);
    let outside = |lit: &Lit| lit.vidx() < blueprint.n_inputs() && !inputs.contains(&lit.vidx());
    clauses.filter(|clause| !clause.iter().any(outside)).collect()
}

/// Values by sum read as a count: one value, or none, up to a sum, and another from the next on. Otherwise the sums for
/// which it is true, if no sum leaves it free.
fn read(by_sum: &BTreeMap<u64, Becomes>, all: u64) -> Option<CountedInputs> {
    let sums: Vec<(u64, Becomes)> = by_sum.iter().map(|(&sum, &becomes)| (sum, becomes)).collect();
    let first = sums.first()?.1;
    let turn = sums.iter().position(|&(_, becomes)| becomes != first)?;
    let next = sums[turn].1;
    if sums[turn..].iter().any(|&(_, becomes)| becomes != next) {
        let free = sums.iter().any(|(_, becomes)| becomes.is_none());
        let made_true = || sums.iter().filter(|(_, becomes)| *becomes == Some(true)).map(|&(sum, _)| sum).collect();
        return (!free).then(|| CountedInputs::Sums(made_true()));
    }
    // Enough true inputs, or enough false ones: those that are left when the sum is the last before the turn.
    let (trues, falses) = (sums[turn].0, all - sums[turn - 1].0);
    let (least, of, sense) = match (first, next) {
        (None, Some(true)) => (trues, true, Sense::Enough),
        (Some(false), None) => (trues, true, Sense::Needed),
        (Some(true), None) => (falses, false, Sense::Enough),
        (None, Some(false)) => (falses, false, Sense::Needed),
        (Some(value), _) => (if value { falses } else { trues }, !value, Sense::Exact),
        (None, None) => return None,
    };
    Some(CountedInputs::Least(Count { least, of, sense }))
}

/// Makes the last literal true of each clause whose others are false, again and again.
fn propagate(clauses: &[&[Lit]], values: &mut [Option<bool>]) {
    loop {
        let mut changed = false;
        for clause in clauses {
            let value = |lit: Lit| values[lit.vidx()].map(|value| value == lit.is_pos());
            if clause.iter().any(|&lit| value(lit) == Some(true)) {
                continue;
            }
            let mut open = clause.iter().filter(|&&lit| value(lit).is_none());
            if let (Some(&lit), None) = (open.next(), open.next()) {
                values[lit.vidx()] = Some(lit.is_pos());
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}
