//! Good solutions without a solver, to put bounds where instances are hard.

use super::Random;

/// The best score found for `n` choices among `values` each, by threshold accepting (Dueck and Scheuer, *Threshold
/// Accepting: A General Purpose Optimization Algorithm*, Journal of Computational Physics 90, 1990): changes of one
/// choice, or exchanges of two, that lose less than a threshold which falls to 0. `None` scores are not allowed ones;
/// `None` if no other was met.
pub(super) fn best(
    n: usize,
    values: usize,
    random: &mut Random,
    score: impl Fn(&[usize]) -> Option<i64>,
) -> Option<i64> {
    const ROUNDS: i64 = 4;
    const STEPS: i64 = 6_000;
    let mut best = None;
    for _ in 0..ROUNDS {
        let mut choices: Vec<usize> = vec![0; n];
        if score(&choices).is_none() {
            choices.fill(values - 1);
        }
        if score(&choices).is_none() {
            for choice in &mut choices {
                *choice = random.below(values);
            }
        }
        let mut current = score(&choices);
        let reach = current.map_or(40, |score| score.abs() / 10 + 10);
        for step in 0..STEPS {
            let (one, other) = (random.below(n), random.below(n));
            let before = (choices[one], choices[other]);
            if random.one_in(2) {
                choices.swap(one, other);
            } else {
                choices[one] = random.below(values);
            }
            let next = score(&choices);
            let threshold = reach * (STEPS - step) / STEPS / 2;
            let accepted = match (current, next) {
                (Some(current), Some(next)) => next + threshold >= current,
                (Some(_), None) => false,
                (None, _) => true,
            };
            if accepted {
                current = next;
                best = best.max(current);
            } else {
                (choices[one], choices[other]) = before;
            }
        }
    }
    best
}

/// The sum of what `weights` has where a choice is not 0.
pub(super) fn weight_of(choices: &[usize], weights: &[u64]) -> u64 {
    choices.iter().zip(weights).filter(|(choice, _)| **choice != 0).map(|(_, weight)| weight).sum()
}

/// A score as a bound.
pub(super) fn bound(score: i64) -> u64 {
    score.unsigned_abs()
}
