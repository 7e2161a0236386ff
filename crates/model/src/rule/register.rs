//! Shift registers with linear feedback: states that change with every step and come back after 2ᵇ − 1 steps.
//!
//! Whatever gives each node the state after that of the node before it has no short cycle (described by M. Heule,
//! *Chinese Remainder Encoding for Hamiltonian Cycles*, SAT 2021, pp. 216–224): b bits a node, 2b + 2 clauses a step.

use super::Encoder;
use crate::writer::Truth;
use cnfkit_core::CapacityError;

/// Taps of registers with so many bits whose states come back after 2ᵇ − 1 steps: the next first bit is the exclusive
/// or of these two, counted from 1 (P. Alfke, *Efficient Shift Registers, LFSR Counters*, Xilinx XAPP 052, 1996, for
/// lengths that need two taps only).
const TAPS: [(usize, usize); 12] =
    [(2, 1), (3, 2), (4, 3), (5, 3), (6, 5), (7, 6), (9, 5), (10, 7), (11, 9), (15, 14), (17, 14), (20, 17)];

/// The number of bits, and its taps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Register {
    bits: usize,
    other: usize,
}

impl Register {
    /// One that comes back after `n` steps or more.
    pub(super) fn of(n: usize) -> Self {
        let enough = |&(bits, _): &(usize, usize)| (1_usize << bits) > n;
        let (bits, other) = TAPS.into_iter().find(enough).unwrap_or(TAPS[TAPS.len() - 1]);
        Self { bits, other }
    }

    /// The state of a node: a one and zeros, if that is `known`.
    pub(super) fn state(self, encoder: &mut Encoder<'_>, known: bool) -> Result<Vec<Truth>, CapacityError> {
        let bit = |bit| if known { Truth::Known(bit == 0) } else { Truth::If(encoder.new_lit()) };
        let state: Vec<Truth> = (0..self.bits).map(bit).collect();
        encoder.clause(state.iter().copied())?; // zeros only would stay
        Ok(state)
    }

    /// One state follows the other, or one of these is true.
    pub(super) fn step(
        self,
        encoder: &mut Encoder<'_>,
        unless: [Truth; 2],
        before: &[Truth],
        after: &[Truth],
    ) -> Result<(), CapacityError> {
        let [skip, other] = unless;
        for bit in 1..self.bits {
            let (from, to) = (before[bit - 1], after[bit]);
            encoder.clause([skip, other, !from, to])?;
            encoder.clause([skip, other, from, !to])?;
        }
        let (a, b, first) = (before[self.bits - 1], before[self.other - 1], after[0]);
        encoder.clause([skip, other, !a, !b, !first])?;
        encoder.clause([skip, other, a, b, !first])?;
        encoder.clause([skip, other, !a, b, first])?;
        encoder.clause([skip, other, a, !b, first])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_come_back_late() {
        for (bits, other) in TAPS {
            let start = 1_u64;
            let mut state = start;
            let mut steps = 0_u64;
            loop {
                let feedback = (state >> (bits - 1) ^ state >> (other - 1)) & 1;
                state = (state << 1 | feedback) & ((1 << bits) - 1);
                steps += 1;
                if state == start {
                    break;
                }
            }
            assert_eq!(steps, (1 << bits) - 1, "{bits} bits");
        }
    }
}
