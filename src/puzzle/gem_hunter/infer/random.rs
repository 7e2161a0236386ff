//! Boards by chance, the same for the same seed.

/// `SplitMix64` (Steele, Lea, Flood 2014): small, fast, good enough for boards.
#[derive(Clone, Debug)]
pub(super) struct Rng(pub(super) u64);

impl Rng {
    pub(super) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// True with this probability.
    pub(super) fn chance(&mut self, probability: f64) -> bool {
        // 53 random bits are all that a number in [0, 1) holds.
        #[allow(clippy::cast_precision_loss)]
        let unit = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        unit < probability
    }

    /// One of `0..n`; n ≥ 1.
    pub(super) const fn below(&mut self, n: usize) -> usize {
        ((self.next() as u128 * n as u128) >> 64) as usize
    }
}
