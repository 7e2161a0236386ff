//! The meaning of auxiliaries in words: inputs are x1, x2, …, auxiliaries a1, a2, ….

use std::fmt::Display;

use super::auxiliary::{Auxiliary, Count, CountedInputs, Sense};

/// More sums than these are counted, not listed.
const MOST_SUMS: usize = 6;

/// `made of x1, x2, a3`.
pub(super) fn made_of(auxiliary: &Auxiliary, n_inputs: usize) -> String {
    let from = auxiliary.from().iter().map(|var| match var.idx().checked_sub(n_inputs) {
        None => format!("x{}", var.idx() + 1),
        Some(number) => format!("a{}", number + 1),
    });
    let from: Vec<String> = from.collect();
    if from.is_empty() { "made of nothing".into() } else { format!("made of {}", from.join(", ")) }
}

/// `true as soon as at least 2 of x1 to x4 are true`, `true only if 3 x1 + 2 x2 ≥ 5`: what an auxiliary of these inputs
/// counts. `weights` are those of all inputs.
pub(super) fn says(inputs: &[usize], weights: &[u64], counted: &CountedInputs) -> String {
    let plain = inputs.iter().all(|&input| weights[input] == 1);
    match counted {
        CountedInputs::Least(Count { least, of, sense }) => {
            let sense = match sense {
                Sense::Enough => "as soon as",
                Sense::Needed => "only if",
                Sense::Exact => "exactly if",
            };
            format!("true {sense} {}", enough(inputs, weights, *least, *of))
        }
        CountedInputs::Sums(sums) => {
            let which = match sums.len() {
                0..=MOST_SUMS => listed(sums, "or"),
                number => format!("one of {number} sums"),
            };
            if plain {
                format!("true exactly if {which} of {} are true", names(inputs))
            } else {
                format!("true exactly if {} is {which}", sum(inputs, weights, true))
            }
        }
    }
}

fn enough(inputs: &[usize], weights: &[u64], least: u64, of: bool) -> String {
    let plain = inputs.iter().all(|&input| weights[input] == 1);
    match inputs {
        [input] => format!("x{} is {of}", input + 1),
        _ if !plain => format!("{} ≥ {least}", sum(inputs, weights, of)),
        _ if least == 1 => format!("one of {} is {of}", names(inputs)),
        _ if least == inputs.len() as u64 => format!("{} are all {of}", names(inputs)),
        _ => format!("at least {least} of {} are {of}", names(inputs)),
    }
}

/// `3 x1 + x2`, or `3 ¬x1 + ¬x2`.
fn sum(inputs: &[usize], weights: &[u64], of: bool) -> String {
    let sign = if of { "" } else { "¬" };
    let term = |&input: &usize| match weights[input] {
        1 => format!("{sign}x{}", input + 1),
        weight => format!("{weight} {sign}x{}", input + 1),
    };
    inputs.iter().map(term).collect::<Vec<_>>().join(" + ")
}

/// `x1 to x4`, `x1, x3 and x4`.
pub(super) fn names(inputs: &[usize]) -> String {
    match inputs {
        [first, .., last] if inputs.len() > 2 && last - first + 1 == inputs.len() => {
            format!("x{} to x{}", first + 1, last + 1)
        }
        _ => listed(&inputs.iter().map(|input| format!("x{}", input + 1)).collect::<Vec<_>>(), "and"),
    }
}

/// `1, 2 or 3`.
fn listed(items: &[impl Display], last: &str) -> String {
    let texts: Vec<String> = items.iter().map(ToString::to_string).collect();
    match &texts[..] {
        [] => "none".into(),
        [only] => only.clone(),
        [before @ .., end] => format!("{} {last} {end}", before.join(", ")),
    }
}
