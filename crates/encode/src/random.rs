//! Random numbers, equal for equal seeds on every machine: the one generator of this crate.
//!
//! Ten lines of our own rather than a crate, because what a seed stands for must never change: random solutions, new
//! puzzles and boards, and a solver's order of variables are promised to be equal for equal seeds, and crates for
//! random numbers change their streams from version to version. Whatever needs more than a shuffle and a number below n
//! should use a crate.

/// `SplitMix64`: G. L. Steele, D. Lea, C. H. Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014, pp.
/// 453–472.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers of this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// One of `0..n`, each equally likely but for a bias below n / 2⁶⁴; n ≥ 1.
    pub const fn below(&mut self, n: usize) -> usize {
        ((self.next() as u128 * n as u128) >> 64) as usize
    }

    /// True with the given probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        // 53 random bits are all that a number in [0, 1) holds.
        let unit = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        unit < probability
    }

    /// Each of the n! orders equally likely (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// A shuffle that leaves the last item where it is makes 2 of the 6 orders of three.
    #[test]
    fn every_order_is_about_equally_likely() {
        let mut found: HashMap<[u8; 3], u32> = HashMap::new();
        for seed in 0..6000 {
            let mut items = [1, 2, 3];
            Random::new(seed).shuffle(&mut items);
            *found.entry(items).or_default() += 1;
        }
        assert_eq!(found.len(), 6);
        assert!(found.values().all(|&times| (850..1150).contains(&times)), "{found:?}");
    }
}
