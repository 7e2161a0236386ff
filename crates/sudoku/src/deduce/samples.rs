//! Random parts of a solved 9×9 grid, for the tests of deduction: with a solution, and with values that leave none.

use std::ops::Range;

use cnfkit_core::internals::Random;

pub(crate) const SOLUTION: &[u8; 81] =
    b"435269781682571493197834562826195347374682915951743628519326874248957136763418259";

/// Each value of the solution with a probability of so many percent, drawn from `percent`; then fewer than `wrong`
/// cells are given any value.
pub(crate) fn nine(seed: u64, percent: Range<usize>, wrong: usize) -> [u16; 81] {
    let mut random = Random::new(seed);
    let given = percent.start + random.below(percent.len());
    let mut cells = SOLUTION.map(|digit| if random.below(100) < given { u16::from(digit - b'0') } else { 0 });
    for _ in 0..random.below(wrong.max(1)) {
        cells[random.below(81)] = random.below(9) as u16 + 1;
    }
    cells
}
