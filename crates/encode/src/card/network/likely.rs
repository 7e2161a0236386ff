//! Brief plans of bounds on too many inputs to be on file and too few for a search to go unnoticed: the splits that are
//! tried, and with them the steps of [`Steps::Brief`].
//!
//! A search beside which encoding takes no time is not worth its last clauses: of 129 to 4,096 inputs the best splits
//! look alike, and only those that look so are tried. Networks are larger than by a search by 0.2 % on average and by
//! 1.8 % at worst (`cargo test --lib likely_splits -- --ignored --nocapture`).
//!
//! * Few are sorted apart, down a *chain*: one input, two of those left, five or six, nine or eleven.
//! * What is left is split in four, of which three are 2, 3 or 4 times the power of two that goes 8 to 16 times into
//!   all; where little is left over a power of two, or few may be true, in that power or halves of it and the rest.
//!   Where many may be true, the fourth is more than a third and at most twice as long as each of the three.
//! * Parts that are common to many bounds are split as is on file.

use super::mode::{Mode, NetworkQuestion, Policy, Steps};
use super::recall::{self, MOST_INPUTS};
use super::shape::{Lens, WAYS};

/// Inputs of the bounds whose splits are likely ones.
const FEWEST: u32 = MOST_INPUTS + 1;

/// Beyond, encoding takes about as long as a search of all splits.
const MOST: u32 = 4096;

/// Inputs: parts up to so many are also split in quarters of two and a half units, if these are about equal.
const HALF_UNITS: u32 = 64;

/// True inputs, or false ones if these are fewer: up to so many, parts in two and in three are likely, too.
const PAIRS: u32 = 23;

/// True inputs, or false ones if these are fewer: up to so many, a chain may end anywhere.
const SHORT_CHAINS: u32 = 11;

/// The policy of a plan: a brief one where splits are likely ones.
pub(super) fn policy(policy: Policy, bound: NetworkQuestion) -> Policy {
    let is_brief = recall::is_for(policy)
        && Mode::new(policy, bound) != Mode::Full
        && !bound.counts
        && (FEWEST..=MOST).contains(&bound.n);
    if is_brief { Policy { steps: Steps::Brief, ..policy } } else { policy }
}

/// The likely splits of a part that is not small.
pub(super) fn splits(bound: NetworkQuestion, part: u32) -> Vec<Lens> {
    let mut splits = Vec::with_capacity(16);
    let most = bound.top.up.hi - 1;
    let few = most.min(bound.n - most);
    let is_many = 5 * few >= 2 * part;
    let mut offer = |ways: u32, others: u32| {
        let first = part.saturating_sub(others * (ways - 1));
        if first > 0 && (ways < 4 || !is_many || (others < 3 * first && first <= 2 * others)) {
            let mut parts = [0; WAYS];
            parts[..ways as usize].fill(others);
            parts[0] = first;
            splits.push(parts);
        }
    };
    let left = bound.n - part;
    let chain: &[u32] = match left {
        0 => &[1],
        1 => &[2],
        3 => &[5, 6],
        8 => &[9, 11],
        _ => &[],
    };
    chain.iter().for_each(|&apart| offer(2, apart));
    if !chain.is_empty() && left < 8 && few > SHORT_CHAINS {
        return splits;
    }
    let unit = part.div_ceil(16).next_power_of_two();
    [2, 3, 4].iter().for_each(|times| offer(4, times * unit));
    if part <= HALF_UNITS.min(11 * unit) {
        offer(4, 5 * unit / 2);
    }
    if few <= PAIRS || part <= 10 * unit {
        offer(3, 4 * unit);
        offer(2, 8 * unit);
    }
    if few <= PAIRS {
        offer(3, 5 * unit);
        offer(2, 6 * unit);
    }
    splits
}
