//! What auxiliaries count: unit propagation on the definitions, from every choice of their inputs.

use rustsat::types::{Lit, Var};

use super::Blueprint;
use super::structure::{Auxiliary, Count};

/// The most inputs that are looked at: 256 choices, each propagated.
const MOST_INPUTS: usize = 8;

/// What each auxiliary of a part counts, if it does. All of them depend on the same inputs.
pub(super) fn counts(blueprint: &Blueprint, part: &[&Auxiliary]) -> Vec<(Var, Count)> {
    let inputs = part[0].inputs();
    if inputs.is_empty() || inputs.len() > MOST_INPUTS {
        return Vec::new();
    }
    let definitions: Vec<&[Lit]> =
        blueprint.clauses().filter(|(_, enforces)| !enforces).map(|(clause, _)| clause).collect();
    // For each auxiliary, value of inputs and value that it takes: how many choices of so many inputs give it that.
    let mut taken = vec![[[[0_u32; MOST_INPUTS + 1]; 2]; 2]; part.len()];
    let mut values = vec![None; blueprint.n_vars()];
    for choice in 0_u32..1 << inputs.len() {
        for value in [false, true] {
            values.fill(None);
            for (at, &input) in inputs.iter().enumerate() {
                if choice >> at & 1 == 1 {
                    values[input] = Some(value);
                }
            }
            propagate(&definitions, &mut values);
            for (auxiliary, taken) in part.iter().zip(&mut taken) {
                if let Some(becomes) = values[auxiliary.var().idx()] {
                    taken[usize::from(value)][usize::from(becomes)][choice.count_ones() as usize] += 1;
                }
            }
        }
    }
    let read =
        part.iter().zip(taken).filter_map(|(auxiliary, taken)| Some((auxiliary.var(), read(inputs.len(), taken)?)));
    read.collect()
}

/// What `taken` says, if all of it says the same.
fn read(n: usize, taken: [[[u32; MOST_INPUTS + 1]; 2]; 2]) -> Option<Count> {
    let mut found = None;
    for (value, becomes) in [(true, true), (false, false), (false, true), (true, false)] {
        let row = &taken[usize::from(value)][usize::from(becomes)];
        let Some(first) = (0..=n).find(|&of| row[of] > 0) else { continue };
        if first == 0 || (first..=n).any(|of| row[of] != choose(n, of)) {
            return None;
        }
        // So many inputs with the value, whichever they are, make it true; or they make it false, and then it says that
        // enough have the other value.
        let least = if becomes { first } else { n + 1 - first };
        let count = Count { least, of: value == becomes };
        if found.is_some_and(|found| found != count) {
            return None;
        }
        found = Some(count);
    }
    found
}

fn choose(n: usize, k: usize) -> u32 {
    (0..k).fold(1, |product, at| product * (n - at) as u32 / (at as u32 + 1))
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
