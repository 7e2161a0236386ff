//! The chance that a cell is a trap, all answers being equally likely, and the number of answers.
//!
//! Without a total, parts are independent: the chance of a cell is the share of its part's ways in which it is a trap.
//! With a total, a way of a part weighs as much as there are ways for all others to have the rest of the traps. These
//! weights span thousands of powers of ten. So every trap is made to weigh λ, with λ such that the mean total is the
//! one asked for: that changes no chance, because all answers have equally many traps, and it puts the weight where it
//! is needed. (Known as exponential tilting, or the saddle point method: H. E. Daniels, *Saddlepoint approximations in
//! statistics*, Annals of Mathematical Statistics 25, 1954, pages 631–650; here nothing is approximated with it.) What
//! weighs less than 10⁻⁴⁰ of all is left out, which keeps distributions about 27 standard deviations wide.
//!
//! All terms are positive and only added and multiplied, so that rounding errors do not grow: chances are right to
//! about ten digits. The tests hold them to 10⁻⁹ of exact fractions.

use super::parts::PartWays;
use super::sums::{PartSum, ProductTree, power};

/// The part of a distribution's weight that may be left out at each end.
const NEGLIGIBLE: f64 = 1e-40;
/// The least share of the weight that the total may have, in order that what was left out does not count.
const LEAST: f64 = 1e-20;

/// Weights of consecutive amounts.
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    pub(super) low: usize,
    pub(super) weights: Vec<f64>,
}

impl Weights {
    pub(super) fn get(&self, at: usize) -> f64 {
        at.checked_sub(self.low).and_then(|at| self.weights.get(at)).copied().unwrap_or(0.0)
    }

    /// Leaves out both ends as far as they weigh next to nothing.
    fn trimmed(mut self) -> Self {
        let least = NEGLIGIBLE * self.weights.iter().sum::<f64>();
        let end = |weights: &mut dyn Iterator<Item = &f64>| {
            let mut sum = 0.0;
            weights
                .take_while(|&&weight| {
                    sum += weight;
                    sum <= least
                })
                .count()
        };
        let last = end(&mut self.weights.iter().rev());
        self.weights.truncate(self.weights.len() - last);
        let first = end(&mut self.weights.iter());
        self.weights.drain(..first);
        self.low += first;
        self
    }
}

impl PartSum for Weights {
    fn plus(&self, other: &Self) -> Self {
        let (few, many) = if self.weights.len() < other.weights.len() { (self, other) } else { (other, self) };
        let mut weights = vec![0.0; (few.weights.len() + many.weights.len()).saturating_sub(1)];
        for (at, &a) in few.weights.iter().enumerate() {
            for (sum, &b) in weights[at..].iter_mut().zip(&many.weights) {
                *sum += a * b;
            }
        }
        Self { low: few.low + many.low, weights }.trimmed()
    }

    fn minus(&self, other: &Self, of: &Self) -> Self {
        let weights = (of.low..of.low + of.weights.len()).map(|at| {
            // Amounts of `other` that lead into `self`.
            let first = self.low.saturating_sub(at).max(other.low);
            let end = (self.low + self.weights.len()).saturating_sub(at).min(other.low + other.weights.len());
            if first >= end {
                return 0.0;
            }
            let theirs = &other.weights[first - other.low..end - other.low];
            let all = &self.weights[first + at - self.low..];
            theirs.iter().zip(all).map(|(a, b)| a * b).sum()
        });
        Self { low: of.low, weights: weights.collect() }
    }
}

/// The answers in which the parts have `left` traps beyond the fewest, of which there must be one: the logarithm of
/// their number, that of λ, the tilted weights of one part of each class, and those of all. `None` when the total is so
/// unlikely that it cannot be weighed.
pub(crate) fn with_total(parts: &PartWays<f64>, left: usize) -> Option<(f64, f64, Vec<Weights>, ProductTree<Weights>)> {
    let ln_ways: Vec<Vec<f64>> = parts.classes.iter().map(|ways| ways.iter().map(|ways| ways.ln()).collect()).collect();
    let ln_tilt = tilt(&ln_ways, &parts.counts, left as f64);
    let mut ln_norms = 0.0;
    let ones: Vec<Weights> = ln_ways
        .iter()
        .zip(&parts.counts)
        .map(|(ways, &count)| {
            let (weights, ln_norm) = tilted(ways, ln_tilt);
            ln_norms += count as f64 * ln_norm;
            Weights { low: 0, weights }
        })
        .collect();
    let none = Weights { low: 0, weights: vec![1.0] };
    let leaf = |(one, &count)| if count == 0 { none.clone() } else { power(one, count) };
    let tree = ProductTree::new(ones.iter().zip(&parts.counts).map(leaf).collect());
    let weight = tree.root().get(left);
    if weight < LEAST * tree.root().weights.iter().sum::<f64>() {
        return None;
    }
    let ln_count = weight.ln() + ln_norms - left as f64 * ln_tilt + parts.ln_scale;
    Some((ln_count, ln_tilt, ones, tree))
}

/// Ways of a part with each trap weighing λ, divided by their sum, and the logarithm of that sum.
fn tilted(ln_ways: &[f64], ln_tilt: f64) -> (Vec<f64>, f64) {
    let ln_weights = || ln_ways.iter().enumerate().map(|(at, ln_ways)| ln_ways + at as f64 * ln_tilt);
    let most = ln_weights().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = ln_weights().map(|ln_weight| (ln_weight - most).exp()).collect();
    let sum: f64 = weights.iter().sum();
    (weights.iter().map(|weight| weight / sum).collect(), most + sum.ln())
}

/// The logarithm of the λ for which the mean of all parts' traps is nearest to `left`.
fn tilt(ln_ways: &[Vec<f64>], counts: &[usize], left: f64) -> f64 {
    // Beyond this, a part of a hundred thousand cells has all traps or none.
    const STEEPEST: f64 = 1000.0;
    // Halvings: to about 10⁻⁹, far below what moves the mean by a standard deviation.
    const ROUNDS: usize = 40;
    let mean = |ln_tilt: f64| -> f64 {
        let of_class = |(ways, &count): (&Vec<f64>, &usize)| {
            let (weights, _) = tilted(ways, ln_tilt);
            let mean: f64 = weights.iter().enumerate().map(|(at, weight)| at as f64 * weight).sum();
            count as f64 * mean
        };
        ln_ways.iter().zip(counts).map(of_class).sum()
    };
    let (mut low, mut high) = (-STEEPEST, STEEPEST);
    for _ in 0..ROUNDS {
        let middle = f64::midpoint(low, high);
        if mean(middle) < left { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}
