//! Numbers by lot: equal for equal seeds, now and later.

/// Number `at` of the numbers of a seed.
pub(crate) const fn number(seed: u64, at: u64) -> u64 {
    mixed(seed ^ mixed(at))
}

/// G. L. Steele, D. Lea, C. H. Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014: numbers that look
/// like a lot.
const fn mixed(number: u64) -> u64 {
    let mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
