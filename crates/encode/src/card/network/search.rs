//! The cheapest way to sort a bound's inputs, and to forbid what passes it: a dynamic program over numbers of inputs.
//!
//! # Invariant
//!
//! A [`NetworkSearch`] is for one bound, so that the number of inputs of a part says which of its outputs are needed:
//! which inputs they are makes no difference. It keeps for each number the cheapest [`Sort`] for sequences that are not
//! loose and for sequences that may be, each made after those of its parts, and never changed.
//!
//! Not every way to split is tried beyond a few inputs: see [`NetworkSearch::splits`]. The plan is the cheapest of
//! those that are tried.

use rustc_hash::FxHashMap;

use super::cost::NetworkCost;
use super::demand::{Demand, Span};
use super::likely;
use super::mode::{Loose, Mode, NetworkQuestion, SplitLimits, Splits, Steps};
use super::plan::{DIRECT_MOST, Planner};
use super::recall::{self, Recalled, is_common, key, recall};
use super::shape::{Lens, MergeShape, ShapeMapping, WAYS};
use crate::card::combinatorial::binomial;

/// A way to sort a number of inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// One input is sorted.
    Input,
    /// Every output from every subset of the inputs.
    Direct,
    /// The parts are sorted, into sequences that may be `loose`, and merged.
    Merge { parts: Lens, loose: bool },
}

/// A way to enforce the bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Top {
    /// Every subset that is too large (too small) is forbidden.
    Subsets,
    /// The parts are sorted, and the counts that together pass the bound forbidden.
    Parts(Lens),
    /// All are sorted, for the outputs.
    Outputs,
}

/// The dynamic program for one bound.
pub(super) struct NetworkSearch<'a> {
    pub(super) planner: &'a mut Planner,
    pub(super) bound: NetworkQuestion,
    limits: SplitLimits,
    /// The best sorters, for sequences that are not loose and that may be.
    sorts: FxHashMap<u32, [(NetworkCost, Sort); 2]>,
    /// The best top, if its splits are on file; then `sorts` has all sorters below it, and no others.
    known_top: Option<(NetworkCost, Top)>,
}

impl<'a> NetworkSearch<'a> {
    /// The search within the usual limits; what is on file needs none.
    pub(super) fn new(planner: &'a mut Planner, bound: NetworkQuestion) -> Self {
        let recalled = recall(planner.policy, planner.mode, bound);
        let mut search = Self::within(planner, bound, SplitLimits::USUAL);
        if let Some(recalled) = recalled {
            search.known_top = Some(search.recalled_top(recalled));
        }
        search
    }

    /// The search within some limits, whether there are splits on file or not.
    pub(super) fn within(planner: &'a mut Planner, bound: NetworkQuestion, limits: SplitLimits) -> Self {
        Self { planner, bound, limits, sorts: FxHashMap::default(), known_top: None }
    }

    /// The merge of sorted parts.
    pub(super) fn settle(&self, parts: Lens, loose: bool) -> ShapeMapping {
        MergeShape::settle(parts, self.demand(parts.iter().sum(), loose))
    }

    /// The outputs to define of a sorted part.
    pub(super) fn demand(&self, part: u32, loose: bool) -> Demand {
        self.mode().sorted_demand(self.bound.demand(part), loose)
    }

    pub(super) fn mode(&self) -> Mode {
        self.planner.mode
    }

    /// The best way to sort a number of inputs into a sequence that may be loose, or not.
    pub(super) fn sort(&mut self, part: u32, loose: bool) -> (NetworkCost, Sort) {
        self.sort_both(part)[usize::from(loose)]
    }

    fn sort_both(&mut self, part: u32) -> [(NetworkCost, Sort); 2] {
        if part == 1 {
            return [(NetworkCost::ZERO, Sort::Input); 2];
        }
        if let Some(&known) = self.sorts.get(&part) {
            return known;
        }
        let mut best = [(NetworkCost::NEVER, Sort::Direct); 2];
        if self.planner.policy.direct && part <= DIRECT_MOST {
            for &loose in self.mode().sorted() {
                best[usize::from(loose)].0 = subsets(part, self.demand(part, loose), self.planner.policy.weight);
            }
        }
        let demands = [false, true].map(|loose| self.demand(part, loose));
        for parts in self.splits(part) {
            self.split(parts, demands, &mut best);
        }
        self.sorts.insert(part, best);
        best
    }

    /// Offers one way to split a part, of which the outputs in `demands` are to be defined: not loose, and loose.
    #[inline]
    fn split(&mut self, parts: Lens, demands: [Demand; 2], best: &mut [(NetworkCost, Sort); 2]) {
        let mode = self.mode();
        let mut merges = [0; 2];
        for &loose in mode.sorted() {
            merges[usize::from(loose)] = match demands {
                [firm, same] if loose && firm == same => merges[0],
                _ => self.planner.merge(&MergeShape::new(parts, demands[usize::from(loose)])),
            };
        }
        let mut below = [NetworkCost::ZERO; 2];
        for &part in parts.iter().take_while(|&&part| part > 0) {
            let sorted = self.sort_both(part);
            below = [below[0].plus(sorted[0].0), below[1].plus(sorted[1].0)];
        }
        for &loose in mode.sorted() {
            let costs = self.planner.costs(merges[usize::from(loose)]);
            let best = &mut best[usize::from(loose)];
            for &inputs in mode.sorted() {
                let cost = costs[Loose::of_sorter(mode, inputs, loose).index()].plus(below[usize::from(inputs)]);
                if cost < best.0 {
                    *best = (cost, Sort::Merge { parts, loose: inputs });
                }
            }
        }
    }

    /// The parts whose counts together are forbidden to pass the bound, in no more clauses than two parts would take.
    pub(super) fn top(&mut self) -> (NetworkCost, Top) {
        let weight = self.planner.policy.weight;
        let NetworkQuestion { n, top, counts } = self.bound;
        if let Some(known) = self.known_top {
            return known;
        }
        if counts {
            return (self.sort(n, false).0, Top::Outputs);
        }
        let k = top.up.hi - 1;
        let most_clauses = u64::from(k.min(n - k)) * if top.down.is_empty() { 1 } else { 2 } + 2;
        let mut best = (NetworkCost::NEVER, Top::Subsets);
        if self.planner.policy.direct && n <= DIRECT_MOST {
            // Nothing but clauses: no output is wanted.
            let clauses = subsets(n, top, 0).clauses(0);
            if clauses <= most_clauses {
                best.0 = NetworkCost::new(0, clauses, weight);
            }
        }
        for parts in self.splits(n) {
            let clauses = MergeShape::new(parts, top).direct_clauses();
            if parts[2] > 0 && (!self.planner.policy.direct || clauses > most_clauses) {
                continue;
            }
            let mut cost = NetworkCost::new(0, clauses, weight);
            for &part in parts.iter().take_while(|&&part| part > 0) {
                cost = cost.plus(self.sort(part, self.mode().loosens()).0);
            }
            if cost < best.0 {
                best = (cost, Top::Parts(parts));
            }
        }
        best
    }

    /// The top whose splits are on file, with its cost.
    fn recalled_top(&mut self, mut recalled: Recalled) -> (NetworkCost, Top) {
        let weight = self.planner.policy.weight;
        let NetworkQuestion { n, top, .. } = self.bound;
        let Some((parts, _)) = recalled.next(n) else {
            return (NetworkCost::new(0, subsets(n, top, 0).clauses(0), weight), Top::Subsets);
        };
        let mut cost = NetworkCost::new(0, MergeShape::new(parts, top).direct_clauses(), weight);
        for &part in parts.iter().take_while(|&&part| part > 0) {
            cost = cost.plus(self.recalled_sort(part, self.mode().loosens(), &mut recalled));
        }
        (cost, Top::Parts(parts))
    }

    /// Enters a sorter whose splits are on file, and those below it; returns its cost.
    fn recalled_sort(&mut self, part: u32, loose: bool, recalled: &mut Recalled) -> NetworkCost {
        const UNKNOWN: [(NetworkCost, Sort); 2] = [(NetworkCost::NEVER, Sort::Direct); 2];
        if part == 1 {
            return NetworkCost::ZERO;
        }
        let known = self.sorts.get(&part).map_or(NetworkCost::NEVER, |known| known[usize::from(loose)].0);
        if known < NetworkCost::NEVER {
            return known;
        }
        let split = if is_common(self.bound, part) {
            recalled.common(key(self.mode(), self.bound, part, loose), part)
        } else {
            recalled.next(part)
        };
        let demand = self.demand(part, loose);
        let (cost, sort) = match split {
            None => (subsets(part, demand, self.planner.policy.weight), Sort::Direct),
            Some((parts, inputs)) => {
                let merge = self.planner.merge(&MergeShape::new(parts, demand));
                let case = Loose::of_sorter(self.mode(), inputs, loose);
                let mut cost = self.planner.costs(merge)[case.index()];
                for &part in parts.iter().take_while(|&&part| part > 0) {
                    cost = cost.plus(self.recalled_sort(part, inputs, recalled));
                }
                (cost, Sort::Merge { parts, loose: inputs })
            }
        };
        self.sorts.entry(part).or_insert(UNKNOWN)[usize::from(loose)] = (cost, sort);
        cost
    }

    /// The ways to split that are tried.
    ///
    /// * Every split in two, where there are few inputs.
    /// * A few inputs apart from the others, where few are left outside the part: then few outputs are needed, and
    ///   merging a long sequence with a short one costs little.
    /// * Parts of which all but the first are the same multiple of a power of two: merges of equal
    ///   lengths that halve well are the cheapest, and equal parts are planned once.
    fn splits(&self, part: u32) -> Vec<Lens> {
        let (left, ways) = (self.bound.n - part, self.planner.policy.ways);
        let limits = self.limits;
        if self.planner.policy.splits == Splits::Equal {
            return vec![equal_parts(part, if left > 0 && part >= ways { ways } else { 2 })];
        }
        if self.planner.policy.steps == Steps::Brief {
            let known = recall::common_splits(self.mode(), self.bound, part);
            if !known.is_empty() {
                return known;
            }
            if part > limits.few {
                return likely::splits(self.bound, part);
            }
        }
        let mut splits: Vec<Lens> = Vec::with_capacity(64);
        let apart = match part {
            _ if part <= limits.few => part / 2,
            _ if left <= limits.left && left < part / 4 => (2 * left + 3).min(limits.apart),
            _ => 0,
        };
        splits.extend((1..=apart).map(|second| [part - second, second, 0, 0]));
        for ways in (if part <= limits.few { 3 } else { 2 })..=ways.min(part) {
            let units = (0..u32::BITS).map(|log| 1 << log).skip_while(|&unit| unit < part / limits.fine);
            for unit in units.take_while(|&unit| unit < part) {
                even_splits(part, ways, unit, &mut splits);
            }
        }
        splits
    }
}

/// Adds the splits in `ways` parts of which all but the first are the same multiple of `unit`, the two nearest to
/// equal.
fn even_splits(part: u32, ways: u32, unit: u32, splits: &mut Vec<Lens>) {
    let units = part / unit / ways;
    for rest in [units, units + 1].map(|units| u64::from(units) * u64::from(unit)) {
        let others = rest * u64::from(ways - 1);
        if rest > 0 && others < u64::from(part) {
            let mut parts = [0; WAYS];
            parts[..ways as usize].fill(rest as u32);
            parts[0] = part - others as u32;
            if !splits.contains(&parts) {
                splits.push(parts);
            }
        }
    }
}

fn equal_parts(part: u32, ways: u32) -> Lens {
    std::array::from_fn(|i| if i < ways as usize { (part + ways - 1 - i as u32) / ways } else { 0 })
}

/// The cost of the direct sorter: every output from every subset.
fn subsets(part: u32, demand: Demand, weight: u32) -> NetworkCost {
    let Span { lo, hi } = demand.hull();
    let up = (lo..=hi).filter(|&l| demand.up.contains(l)).map(|l| binomial(part.into(), l.into()));
    let down = (lo..=hi).filter(|&l| demand.down.contains(l)).map(|l| binomial(part.into(), u64::from(l) - 1));
    NetworkCost::new(demand.hull().len().into(), up.chain(down).sum(), weight)
}
