//! Numbers by lot, the same for the same seed everywhere.

/// `SplitMix64` (Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub(super) struct Lot(u64);

impl Lot {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Each order equally likely (Fisher and Yates; all n! of them, unlike source document 002's).
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            // The bias of this is below n / 2⁶⁴.
            let other = ((u128::from(self.next()) * (last as u128 + 1)) >> 64) as usize;
            items.swap(last, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Document 002's shuffle leaves the last value where it is and makes 2 of the 6 orders of three.
    #[test]
    fn every_order_is_about_equally_likely() {
        let mut found: HashMap<[u8; 3], u32> = HashMap::new();
        for seed in 0..6000 {
            let mut items = [1, 2, 3];
            Lot::new(seed).shuffle(&mut items);
            *found.entry(items).or_default() += 1;
        }
        assert_eq!(found.len(), 6);
        assert!(found.values().all(|&times| (850..1150).contains(&times)), "{found:?}");
    }
}
