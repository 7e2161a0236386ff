//! Families of instances whose constraints have weights.
//!
//! Bounds stand where solving is hard: generators look for a good solution by threshold accepting ([`climb`]) and ask
//! for one as good, or a little better. Which of the two it is, a coin decides; that nothing better exists, nobody
//! promised, so either may have a solution.

mod climb;
mod graphs;
mod numbers;
mod packing;
mod plans;

use super::families::{Family, Instance, Random, Sample, family};

/// All of them, the same every time.
pub(crate) fn weighted_families(sample: Sample) -> Vec<Family> {
    packing::families(sample)
        .into_iter()
        .chain(graphs::families(sample))
        .chain(plans::families(sample))
        .chain(numbers::families(sample))
        .collect()
}

impl Random {
    /// A weight from `least` to `most`.
    fn weight(&mut self, least: u64, most: u64) -> u64 {
        let choices = usize::try_from(most - least + 1).expect("small weights");
        least + self.below(choices) as u64
    }

    /// As many weights from `least` to `most`.
    fn weights(&mut self, n: usize, least: u64, most: u64) -> Vec<u64> {
        (0..n).map(|_| self.weight(least, most)).collect()
    }
}
