//! The making of the splits on file, and the test that they are those that a search finds.

use std::collections::{BTreeMap, HashMap};

use super::mode::{Mode, NetworkQuestion, Policy, SplitLimits, Splits, Steps, Wires};
use super::plan::Planner;
use super::recall::{self, FEWEST_INPUTS, FULL_SHARE, MOST_FULL, MOST_INPUTS};
use super::search::{NetworkSearch, Sort, Top};

/// The splits that are on file, as they are made.
#[derive(Default)]
struct Splitting {
    /// Parts, and the length of all but the first.
    splits: Vec<[u8; 2]>,
    bounds: Vec<u16>,
    chains: Vec<Vec<u8>>,
    numbers: HashMap<Vec<u8>, u16>,
    common: BTreeMap<u32, u8>,
}

impl Splitting {
    fn code(&mut self, parts: [u32; 4], loose: bool) -> u8 {
        let ways = parts.iter().filter(|&&part| part > 0).count();
        let split = [ways as u8, parts[1] as u8];
        let at = self.splits.iter().position(|&known| known == split).unwrap_or_else(|| {
            self.splits.push(split);
            self.splits.len() - 1
        });
        u8::try_from(2 * (at + 1)).expect("few splits") | u8::from(loose)
    }

    fn sort(
        &mut self,
        search: &mut NetworkSearch<'_>,
        part: u32,
        loose: bool,
        seen: &mut Vec<(u32, bool)>,
        chain: &mut Vec<u8>,
    ) {
        if part == 1 || seen.contains(&(part, loose)) {
            return;
        }
        seen.push((part, loose));
        let sort = search.sort(part, loose).1;
        let code = if let Sort::Merge { parts, loose } = sort { self.code(parts, loose) } else { 0 };
        if recall::is_common(search.bound, part) {
            let known = self.common.insert(recall::key(search.mode(), search.bound, part, loose), code);
            assert!(known.is_none_or(|known| known == code), "{:?}: {part} inputs", search.bound);
        } else {
            chain.push(code);
        }
        if let Sort::Merge { parts, loose } = sort {
            parts.into_iter().filter(|&part| part > 0).for_each(|part| self.sort(search, part, loose, seen, chain));
        }
    }

    fn bound(&mut self, planner: &mut Planner, bound: NetworkQuestion) {
        assert_eq!(recall::place(planner.mode, bound), Some(self.bounds.len()), "{bound:?}");
        let mut search = NetworkSearch::within(planner, bound, SplitLimits::USUAL);
        let (mut chain, mut seen) = (vec![0], Vec::new());
        if let Top::Parts(parts) = search.top().1 {
            chain[0] = self.code(parts, false);
            let loose = search.mode().loosens();
            for part in parts.into_iter().filter(|&part| part > 0) {
                self.sort(&mut search, part, loose, &mut seen, &mut chain);
            }
        }
        let number = *self.numbers.entry(chain.clone()).or_insert_with(|| {
            self.chains.push(chain);
            u16::try_from(self.chains.len() - 1).expect("few chains")
        });
        self.bounds.push(number);
    }

    /// The file.
    fn bytes(&self) -> Vec<u8> {
        let lens =
            [self.splits.len(), self.bounds.len(), self.chains.len(), self.chains.concat().len(), self.common.len(), 0];
        let mut bytes: Vec<u8> = lens.iter().flat_map(|&len| u32::try_from(len).unwrap().to_le_bytes()).collect();
        bytes.extend(self.splits.as_flattened());
        bytes.extend(self.bounds.iter().flat_map(|number| number.to_le_bytes()));
        let mut start = 0_u16;
        bytes.extend(start.to_le_bytes());
        for chain in &self.chains {
            start = start.checked_add(chain.len() as u16).expect("short chains");
            bytes.extend(start.to_le_bytes());
        }
        bytes.extend(self.chains.concat());
        bytes.extend(self.common.keys().flat_map(|key| key.to_le_bytes()));
        bytes.extend(self.common.values());
        bytes
    }
}

/// The policies and bounds that are on file, in order.
fn bounds_on_file() -> Vec<(Policy, NetworkQuestion)> {
    let (splits, steps, wires) = (Splits::Free, Steps::Likely, Wires::Conjoined);
    let narrow = Policy { weight: 1, ways: 4, direct: true, splits, steps, wires };
    let full = Policy { wires: Wires::TwoSided, ..narrow };
    let all = || (FEWEST_INPUTS..=MOST_INPUTS).flat_map(|n| (1..=n - 2).map(move |k| (n, k)));
    let at_most = all().map(|(n, k)| (narrow, NetworkQuestion::at_most(n, k)));
    let exactly = all().map(|(n, k)| (narrow, NetworkQuestion::exactly(n, k)));
    let few = (FEWEST_INPUTS..=MOST_FULL)
        .flat_map(|n| (1..=n / FULL_SHARE).map(move |k| (full, NetworkQuestion::at_most(n, k))));
    at_most.chain(exactly).chain(few).collect()
}

/// The splits on file are those that are searched. To write them: `CNFKIT_WRITE=1`.
#[test]
#[ignore = "searches 16,000 bounds"]
fn splits_on_file() {
    let mut splitting = Splitting::default();
    let mut planner: Option<Planner> = None;
    for (policy, bound) in bounds_on_file() {
        let mode = Mode::new(policy, bound);
        if planner.as_ref().is_none_or(|planner| (planner.policy, planner.mode) != (policy, mode)) {
            planner = Some(Planner::new(policy, mode));
        }
        splitting.bound(planner.as_mut().expect("just made"), bound);
    }
    let bytes = splitting.bytes();
    assert!(bytes.len() <= 64 << 10, "{} bytes", bytes.len());
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/card/network/splits.bin");
    if std::env::var_os("CNFKIT_WRITE").is_some() {
        std::fs::write(path, &bytes).unwrap();
    }
    assert!(std::fs::read(path).unwrap() == bytes, "what is on file is not what is searched");
}

/// A plan by splits on file costs what a searched one does: every bound on up to 24 inputs, and every 97th of the
/// others.
#[test]
fn recalled_plans_are_the_best() {
    let bounds = bounds_on_file().into_iter().enumerate();
    for (_, (policy, bound)) in bounds.filter(|&(at, (_, bound))| bound.n <= 24 || at % 97 == 0) {
        let mode = Mode::new(policy, bound);
        let mut planner = Planner::new(policy, mode);
        let searched = NetworkSearch::within(&mut planner, bound, SplitLimits::USUAL).top();
        assert!(recall::recall(policy, mode, bound).is_some(), "{bound:?}");
        let recalled = NetworkSearch::new(&mut Planner::new(policy, mode), bound).top();
        assert_eq!(recalled, searched, "{mode:?} {bound:?}");
    }
}
