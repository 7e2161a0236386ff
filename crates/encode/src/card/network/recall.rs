//! The best splits of bounds on up to 128 inputs, found before: the first constraint of a shape needs no search.
//!
//! `splits.bin` holds what [`search`](super::search) finds for the encoding [`Network`](super::Network) with default
//! options, and with `full` where the default encoding asks for that. It is made, and compared with what is searched,
//! by `cargo test --lib splits_on_file -- --ignored`; with the environment variable `CNFKIT_WRITE=1` the same command
//! writes it.
//!
//! # What is kept
//!
//! A *code* is one byte: 0 for a direct sorter or a forbidden top; otherwise twice a number, from 1, in the list of
//! splits, plus 1 when the sorted parts may be loose. A split is a number of parts, and the length of all but the
//! first.
//!
//! Most sorters inside a bound depend on little. When at least k inputs lie outside a part, outputs of the part matter
//! from the first on, and how it is best sorted depends on min(k, part) alone, unless so few lie outside that other
//! splits are tried. Such *common* sorters are kept once, by a key. For each bound there is a *chain*: the codes of its
//! top and of its other sorters, in the order in which [`NetworkSearch`](super::search::NetworkSearch) asks for them.
//! Many bounds have equal chains, so that each is kept once too.
//!
//! # Layout
//!
//! All numbers are little-endian. First come six of four bytes: how many splits, bounds, chains, bytes of chains,
//! common sorters there are, and 0. Then: the splits, two bytes each; for each bound the number of its chain, two
//! bytes; for each chain where it starts, two bytes, and where the last one ends; the chains; the keys of common
//! sorters, in order, four bytes each; their codes.

use super::mode::{Mode, NetworkQuestion, Policy, SplitLimits, Splits, Steps, Wires};
use super::shape::{Lens, WAYS};

/// Bounds on more inputs are not kept: the file would pass 64 KiB.
pub(super) const MOST_INPUTS: u32 = 128;

/// The default encoding asks for [`Mode::Full`] up to here, with at least so many inputs for each that may be true.
pub(super) const MOST_FULL: u32 = 64;
pub(super) const FULL_SHARE: u32 = 8;

/// The fewest inputs of a bound that is kept.
pub(super) const FEWEST_INPUTS: u32 = 4;

static FILE: &[u8] = include_bytes!("splits.bin");

/// The parts of the file.
struct RecallFile {
    splits: &'static [u8],
    bounds: &'static [u8],
    starts: &'static [u8],
    chains: &'static [u8],
    keys: &'static [u8],
    codes: &'static [u8],
}

const HEADER: usize = 6;

impl RecallFile {
    fn new() -> Self {
        let count = |at: usize| quad(FILE, at) as usize;
        let lens = [2 * count(0), 2 * count(1), 2 * (count(2) + 1), count(3), 4 * count(4), count(4)];
        let mut rest = &FILE[4 * HEADER..];
        let [splits, bounds, starts, chains, keys, codes] = lens.map(|len| {
            let (part, others) = rest.split_at(len);
            rest = others;
            part
        });
        Self { splits, bounds, starts, chains, keys, codes }
    }

    /// The code of a common sorter, if it is part of a bound on file.
    fn code(&self, key: u32) -> Option<u8> {
        let (mut from, mut to) = (0, self.codes.len());
        while from < to {
            let middle = usize::midpoint(from, to);
            if quad(self.keys, middle) < key { from = middle + 1 } else { to = middle }
        }
        (from < self.codes.len() && quad(self.keys, from) == key).then(|| self.codes[from])
    }
}

fn pair(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[2 * at], bytes[2 * at + 1]])
}

fn quad(bytes: &[u8], at: usize) -> u32 {
    u32::from(pair(bytes, 2 * at)) | u32::from(pair(bytes, 2 * at + 1)) << 16
}

/// True when the splits on file are for this policy.
pub(super) fn is_for(policy: Policy) -> bool {
    let Policy { weight, ways, direct, splits, steps, wires } = policy;
    (weight, ways, direct, splits, steps) == (1, 4, true, Splits::Free, Steps::Likely) && wires != Wires::Single
}

/// The place of a bound among all that are kept.
pub(super) fn place(mode: Mode, bound: NetworkQuestion) -> Option<usize> {
    // Bounds on fewer inputs, for k from 1 to n − 2.
    let before = |n: u32| ((n - 2) * (n - 3) / 2 - 1) as usize;
    let n = bound.n;
    let k = bound.top.up.hi.checked_sub(1)?;
    let kept = !bound.counts && (FEWEST_INPUTS..=MOST_INPUTS).contains(&n) && (1..=n - 2).contains(&k);
    let all = before(MOST_INPUTS + 1);
    match mode {
        Mode::Wide if kept => Some(before(n) + k as usize - 1),
        Mode::Lean if kept => Some(all + before(n) + k as usize - 1),
        Mode::Full if kept && bound.top.down.is_empty() && n <= MOST_FULL && k <= n / FULL_SHARE => {
            let fewer: u32 = (FEWEST_INPUTS..n).map(|n| n / FULL_SHARE).sum();
            Some(2 * all + (fewer + k) as usize - 1)
        }
        _ => None,
    }
}

/// True when the sorter of a part is common: see the [module](self).
pub(super) fn is_common(bound: NetworkQuestion, part: u32) -> bool {
    let left = bound.n - part;
    bound.top.up.hi <= left + 1 && (part <= SplitLimits::USUAL.few || left > SplitLimits::USUAL.left)
}

/// The key of a common sorter.
pub(super) fn key(mode: Mode, bound: NetworkQuestion, part: u32, loose: bool) -> u32 {
    let k = bound.top.up.hi - 1;
    (mode as u32) << 24 | u32::from(loose) << 16 | part << 8 | k.min(part)
}

/// The splits on file of a common sorter, for a bound on any number of inputs.
pub(super) fn common_splits(mode: Mode, bound: NetworkQuestion, part: u32) -> Vec<Lens> {
    if part > MOST_INPUTS || !is_common(bound, part) {
        return Vec::new();
    }
    let recalled = Recalled { table: RecallFile::new(), chain: &[] };
    let mut splits: Vec<Lens> = mode
        .sorted()
        .iter()
        .filter_map(|&loose| recalled.common(key(mode, bound, part, loose), part))
        .map(|(parts, _)| parts)
        .collect();
    splits.dedup();
    splits
}

/// The splits of a bound that are on file.
pub(super) struct Recalled {
    table: RecallFile,
    /// The codes of the chain that are not used yet.
    chain: &'static [u8],
}

/// The splits of a bound, if they are on file.
pub(super) fn recall(policy: Policy, mode: Mode, bound: NetworkQuestion) -> Option<Recalled> {
    let place = place(mode, bound).filter(|_| is_for(policy))?;
    let table = RecallFile::new();
    let chain = usize::from(pair(table.bounds, place));
    let [from, to] = [chain, chain + 1].map(|chain| usize::from(pair(table.starts, chain)));
    Some(Recalled { chain: &table.chains[from..to], table })
}

impl Recalled {
    /// The next split of the chain.
    pub(super) fn next(&mut self, part: u32) -> Option<(Lens, bool)> {
        let (&code, rest) = self.chain.split_first()?;
        self.chain = rest;
        self.split(code, part)
    }

    /// The split of a common sorter; none when it is direct.
    pub(super) fn common(&self, key: u32, part: u32) -> Option<(Lens, bool)> {
        let code = self.table.code(key)?;
        self.split(code, part)
    }

    fn split(&self, code: u8, part: u32) -> Option<(Lens, bool)> {
        let at = usize::from(code / 2).checked_sub(1)?;
        let (ways, others) = (usize::from(self.table.splits[2 * at]), u32::from(self.table.splits[2 * at + 1]));
        let mut parts = [0; WAYS];
        parts[..ways].fill(others);
        parts[0] = part - others * (ways as u32 - 1);
        Some((parts, code % 2 == 1))
    }
}
