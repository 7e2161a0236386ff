//! The cheapest way to sort a bound's inputs, and to forbid what passes it.

use rustc_hash::FxHashMap;

use super::plan::{Bound, Cost, DIRECT_MOST, Planner, Wide};
use super::shape::{Demand, Lens, Settled, Shape, Span, WAYS};
use crate::card::combinatorial::binomial;

/// How a number of inputs is sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Input,
    /// Every output from every subset of the inputs.
    Direct,
    Merge {
        parts: Lens,
        loose: bool,
    },
}

/// How the bound is enforced.
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
pub(super) struct Search<'a> {
    pub(super) planner: &'a mut Planner,
    pub(super) bound: Bound,
    sorts: FxHashMap<u32, [(Cost, Sort); 2]>,
}

impl<'a> Search<'a> {
    pub(super) fn new(planner: &'a mut Planner, bound: Bound) -> Self {
        Self { planner, bound, sorts: FxHashMap::default() }
    }

    pub(super) fn settle(&self, parts: Lens, loose: bool) -> Settled {
        Shape::settle(parts, self.demand(parts.iter().sum(), loose))
    }

    /// What is needed of a part of the inputs: by any merge, or by a direct one.
    pub(super) fn demand(&self, part: u32, loose: bool) -> Demand {
        let demand = self.bound.demand(part);
        match loose {
            _ if self.planner.full => demand.filled(),
            true => demand,
            false => demand.levelled(),
        }
    }

    /// Whether it makes a difference that outputs may be loose.
    pub(super) fn loosens(&self) -> bool {
        self.planner.wide || self.planner.lean
    }

    /// What a merge is planned for whose inputs and outputs may be loose.
    pub(super) fn mode(&self, inputs: bool, outputs: bool) -> Wide {
        Wide { inputs, outputs: outputs && self.planner.wide }
    }

    /// The best way to sort a number of inputs; `loose` outputs may be conjunctions, or do for direct merges only.
    pub(super) fn sort(&mut self, part: u32, loose: bool) -> (Cost, Sort) {
        self.sort_both(part)[usize::from(loose)]
    }

    /// The same with outputs that are not loose, and that are.
    fn sort_both(&mut self, part: u32) -> [(Cost, Sort); 2] {
        if part == 1 {
            return [(Cost::ZERO, Sort::Input); 2];
        }
        if let Some(&known) = self.sorts.get(&part) {
            return known;
        }
        let looses = if self.loosens() { &[false, true][..] } else { &[false] };
        let mut best = [(Cost::NEVER, Sort::Direct); 2];
        if self.planner.policy.direct && part <= DIRECT_MOST {
            for &loose in looses {
                best[usize::from(loose)].0 = subsets(part, self.demand(part, loose), self.planner.policy.weight);
            }
        }
        let demands = [false, true].map(|loose| self.demand(part, loose));
        for parts in self.splits(part) {
            let mut merges = [0; 2];
            for &loose in looses {
                merges[usize::from(loose)] = match demands {
                    [demand, same] if loose && demand == same => merges[0],
                    _ => self.planner.merge(&Shape::new(parts, demands[usize::from(loose)])),
                };
            }
            let mut below = [Cost::ZERO; 2];
            for &part in parts.iter().take_while(|&&part| part > 0) {
                let sorted = self.sort_both(part);
                below = [below[0].plus(sorted[0].0), below[1].plus(sorted[1].0)];
            }
            for (&loose, &inputs) in looses.iter().flat_map(|loose| looses.iter().map(move |inputs| (loose, inputs))) {
                let merge = self.planner.costs(merges[usize::from(loose)])[self.mode(inputs, loose).index()];
                let cost = merge.plus(below[usize::from(inputs)]);
                if cost < best[usize::from(loose)].0 {
                    best[usize::from(loose)] = (cost, Sort::Merge { parts, loose: inputs });
                }
            }
        }
        self.sorts.insert(part, best);
        best
    }

    /// The parts whose counts together are forbidden to pass the bound, in no more clauses than two parts would take.
    pub(super) fn top(&mut self) -> (Cost, Top) {
        let weight = self.planner.policy.weight;
        let Bound { n, top, counts } = self.bound;
        if counts {
            return (self.sort(n, false).0, Top::Outputs);
        }
        let k = top.up.hi - 1;
        let most_clauses = u64::from(k.min(n - k)) * if top.down.is_empty() { 1 } else { 2 } + 2;
        let mut best = (Cost::NEVER, Top::Subsets);
        if self.planner.policy.direct && n <= DIRECT_MOST {
            // Nothing but clauses: no output is wanted.
            let clauses = subsets(n, top, 0).clauses(0);
            if clauses <= most_clauses {
                best.0 = Cost::new(0, clauses, weight);
            }
        }
        for parts in self.splits(n) {
            let clauses = Shape::new(parts, top).direct_clauses();
            if parts[2] > 0 && (!self.planner.policy.direct || clauses > most_clauses) {
                continue;
            }
            let mut cost = Cost::new(0, clauses, weight);
            for &part in parts.iter().take_while(|&&part| part > 0) {
                cost = cost.plus(self.sort(part, self.loosens()).0);
            }
            if cost < best.0 {
                best = (cost, Top::Parts(parts));
            }
        }
        best
    }

    /// The ways to split that are tried: all in two where there are few inputs; parts as equal as multiples of powers
    /// of two can be; and a few inputs apart where few outputs are needed because few inputs are left.
    fn splits(&self, part: u32) -> Vec<Lens> {
        /// Up to here every split in two.
        const FEW: u32 = 24;
        /// So few inputs may be left for a few to be taken apart, and so few are.
        const LEFT: u32 = 8;
        const APART: u32 = 12;
        /// Parts are multiples of units no smaller than this share of all.
        const FINE: u32 = 16;
        let mut splits: Vec<Lens> = Vec::with_capacity(64);
        let (left, ways) = (self.bound.n - part, self.planner.policy.ways);
        if !self.planner.policy.free {
            splits.push(equal_parts(part, if left > 0 && part >= ways { ways } else { 2 }));
            return splits;
        }
        let apart = match part {
            ..=FEW => part / 2,
            _ if left <= LEFT && left < part / 4 => (2 * left + 3).min(APART),
            _ => 0,
        };
        splits.extend((1..=apart).map(|second| [part - second, second, 0, 0]));
        for ways in (if part <= FEW { 3 } else { 2 })..=ways.min(part) {
            for unit in (0..u32::BITS).map(|log| 1 << log).skip_while(|&unit| unit < part / FINE) {
                if unit >= part {
                    break;
                }
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
        }
        splits
    }
}

fn equal_parts(part: u32, ways: u32) -> Lens {
    std::array::from_fn(|i| if i < ways as usize { (part + ways - 1 - i as u32) / ways } else { 0 })
}

/// The direct sorter: every output from every subset.
fn subsets(part: u32, demand: Demand, weight: u32) -> Cost {
    let Span { lo, hi } = demand.hull();
    let up = (lo..=hi).filter(|&l| demand.up.contains(l)).map(|l| binomial(part.into(), l.into()));
    let down = (lo..=hi).filter(|&l| demand.down.contains(l)).map(|l| binomial(part.into(), u64::from(l) - 1));
    Cost::new(demand.hull().len().into(), up.chain(down).sum(), weight)
}
