//! The cheapest way to do a merge: a dynamic program over [`MergeShape`]s.
//!
//! # Invariant
//!
//! A [`Planner`] keeps for each shape that it has met the cheapest [`MergeMethod`] in each [case](Mode::cases), with
//! the cost of all clauses and variables below it. An entry is made once, by [`Planner::plan`], after the entries of
//! the smaller merges that it rests on, and is never changed: an entry depends on the shape, the policy and the mode,
//! and on nothing else. So plans are the same whatever was planned before, entries may be used for the next bound, and
//! all of them may be thrown away between two bounds, which is what [`Planner::with`] does when there are too many.
//!
//! # Steps
//!
//! The steps are tried in the order direct, odd-even, group, and a later one must be cheaper to be taken. Wherever a
//! merge is asked for the result of another, the plan is for the case that both agree on: results are loose only where
//! the merge that takes them is planned for loose inputs.
//!
//! Not all steps are tried of all merges ([`Steps`]): the likely ones are those of the best plans for up to 128 inputs,
//! and the brief ones are fewer still.
//!
//! Merges in groups are tried last and with bounds, because each rests on three more merges: a group is given up as
//! soon as the part of it that is planned costs as much as the best step so far in every case.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::cost::NetworkCost;
use super::demand::{Demand, Span};
use super::mode::{Loose, Mode, NetworkQuestion, Policy, Steps};
use super::odd_even::CombineOutput;
use super::shape::{MergeShape, WAYS};

/// Inputs: more are not sorted directly. C(9, 4) = 126 clauses of one output alone are more than sorting nine by merges
/// takes.
pub(super) const DIRECT_MOST: u32 = 8;

/// Outputs: three or four sequences are not merged directly for more of them. The best plans for up to 64 inputs and
/// for 80, 96 and 128 merge so for at most 9, at weights 0, 1 and 5: `cargo test --lib limits_of_merges -- --ignored
/// --nocapture`.
const DIRECT_OUTPUTS: u32 = 10;

/// The last output: past it three or four sequences are not merged directly. The best plans, as for [`DIRECT_OUTPUTS`],
/// are the same without.
const DIRECT_LAST: u32 = 20;

/// Outputs: up to so many, groupings are tried; in the best plans, measured as for [`DIRECT_OUTPUTS`], groups have at
/// most 18. The more outputs are needed, the more odd-even merges save.
const GROUPED_OUTPUTS: u32 = 20;

/// Elements of the shorter of two sequences: up to so many, brief plans merge directly. The plans of
/// `likely_splits_are_nearly_the_best` are the same without it, and take 4 % longer.
const BRIEFLY_DIRECT: u32 = 2;

/// Elements of the second sequence: beyond so many, brief plans merge in groups only to take a short one last. Networks
/// are 0.01 % larger on average and 0.9 % at worst, and a fifth fewer merges are planned.
const BRIEFLY_GROUPED: u32 = 9;

/// Groupings as masks: the sequences whose bit is set are merged first, then the others, then the two results.
const TRIPLES: &[u8] = &[2, 4, 6];
const QUADRUPLES: &[u8] = &[2, 4, 6, 8, 10, 12, 14];
const LIKELY_QUADRUPLES: &[u8] = &[2, 6, 8, 14];
/// Those of brief plans: the second sequence with the third, or the shortest last; of four only where that is short.
const BRIEF_TRIPLES: &[u8] = &[4, 6];
const BRIEF_QUADRUPLES: &[u8] = &[6];
const LAST_OF_FOUR: &[u8] = &[6, 8];

/// Planners kept: three modes of each of the two networks with default options, and two of brief plans.
const MOST_PLANNERS: usize = 8;

/// Merges that a new planner has room for: about what the largest bound on file needs. Growing step by step instead
/// takes 7 % more of its time (`cargo run --release -p cnfkit-peers -- choose`, *cold*).
const FIRST_MERGES: usize = 256;

/// Merges kept by a planner between two bounds, about 160 bytes each: all that bounds of up to 10,000 inputs need.
const MOST_MERGES: usize = 1 << 16;

/// A way to do a merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MergeMethod {
    /// There is nothing to merge: one sequence or none.
    Pass,
    /// A clause for every way to share an output among the sequences. With `wide`, the last output is the conjunction
    /// of the last elements instead.
    Direct { wide: bool },
    /// Odd places apart from even places, then outputs from the two results. `loose` says that the results may be
    /// loose; with `tight`, outputs that only two wires together make true are conjunctions of the two.
    OddEven { loose: bool, tight: bool },
    /// The sequences in the mask, the other sequences, then the two results, which may be loose.
    Group { mask: u8, loose: bool },
}

/// The cheapest steps of a merge and what they cost, by [`Loose::index`].
#[derive(Clone, Copy, Debug)]
pub(super) struct CheapestMerges {
    pub(super) costs: [NetworkCost; Loose::CASES],
    pub(super) steps: [MergeMethod; Loose::CASES],
}

impl CheapestMerges {
    const PASS: Self = Self { costs: [NetworkCost::ZERO; Loose::CASES], steps: [MergeMethod::Pass; Loose::CASES] };
    const NONE: Self = Self { costs: [NetworkCost::NEVER; Loose::CASES], ..Self::PASS };

    fn offer(&mut self, case: Loose, cost: NetworkCost, step: MergeMethod) {
        let at = case.index();
        if cost < self.costs[at] {
            self.costs[at] = cost;
            self.steps[at] = step;
        }
    }

    /// True when `cost` is no improvement in any of the cases.
    #[inline]
    fn beat(&self, cases: &[Loose], cost: impl Fn(usize) -> NetworkCost) -> bool {
        cases.iter().fold(true, |beat, case| beat & (cost(case.index()) >= self.costs[case.index()]))
    }
}

/// Plans merges, each shape once.
pub(super) struct Planner {
    pub(super) policy: Policy,
    pub(super) mode: Mode,
    /// The merges planned; number 0 stands for all that have nothing to merge.
    pub(super) merges: Vec<CheapestMerges>,
    ids: Ids,
}

/// The numbers of the merges planned: of small ones, which are nearly all, by a short key.
#[derive(Default)]
struct Ids {
    small: FxHashMap<(u64, u64), u32>,
    large: FxHashMap<MergeShape, u32>,
}

impl Ids {
    #[inline]
    fn get(&self, shape: &MergeShape) -> Option<u32> {
        match shape.packed() {
            Some(key) => self.small.get(&key),
            None => self.large.get(shape),
        }
        .copied()
    }

    fn insert(&mut self, shape: &MergeShape, id: u32) {
        match shape.packed() {
            Some(key) => self.small.insert(key, id),
            None => self.large.insert(*shape, id),
        };
    }
}

thread_local! {
    /// The planners of the last bounds: merges are the same whatever they are part of.
    static PLANNERS: RefCell<Vec<Planner>> = const { RefCell::new(Vec::new()) };
}

impl Planner {
    pub(super) fn new(policy: Policy, mode: Mode) -> Self {
        let (mut merges, mut ids) = (Vec::with_capacity(FIRST_MERGES), Ids::default());
        merges.push(CheapestMerges::PASS);
        ids.small.reserve(FIRST_MERGES);
        Self { policy, mode, merges, ids }
    }

    /// Calls `plan` with a planner for `bound`, which may know some merges already.
    pub(super) fn with<T>(policy: Policy, bound: NetworkQuestion, plan: impl FnOnce(&mut Self) -> T) -> T {
        let mode = Mode::new(policy, bound);
        PLANNERS.with_borrow_mut(|planners| {
            let same = |planner: &Self| (planner.policy, planner.mode) == (policy, mode);
            let at = planners.iter().position(same).unwrap_or_else(|| {
                if planners.len() >= MOST_PLANNERS {
                    planners.clear();
                }
                planners.push(Self::new(policy, mode));
                planners.len() - 1
            });
            let planner = &mut planners[at];
            if planner.merges.len() > MOST_MERGES {
                *planner = Self::new(policy, mode);
            }
            plan(planner)
        })
    }

    /// The cheapest steps of a merge.
    pub(super) fn choices(&mut self, shape: &MergeShape) -> &CheapestMerges {
        let id = self.merge(shape);
        &self.merges[id as usize]
    }

    /// The number of a merge, planned if it is new.
    #[inline]
    pub(super) fn merge(&mut self, shape: &MergeShape) -> u32 {
        if shape.lens[1] == 0 {
            return 0;
        }
        match self.ids.get(shape) {
            Some(known) => known,
            None => self.plan(shape),
        }
    }

    pub(super) fn costs(&self, merge: u32) -> &[NetworkCost; Loose::CASES] {
        &self.merges[merge as usize].costs
    }

    #[inline(never)]
    fn plan(&mut self, shape: &MergeShape) -> u32 {
        let mut best = CheapestMerges::NONE;
        let single = shape.lens[0] == 1;
        let ways = shape.ways();
        if self.policy.direct || (single && ways == 2) {
            self.direct(shape, &mut best);
        }
        let brief = self.policy.steps == Steps::Brief && ways == 2 && shape.lens[1] <= BRIEFLY_DIRECT;
        if !single && !brief {
            self.odd_even(shape, &mut best);
        }
        if ways > 2 {
            self.group(shape, &mut best);
        }
        let id = self.merges.len() as u32;
        self.merges.push(best);
        self.ids.insert(shape, id);
        id
    }

    fn direct(&self, shape: &MergeShape, best: &mut CheapestMerges) {
        let outputs = shape.demand.hull().len();
        let many = outputs > DIRECT_OUTPUTS || shape.demand.hull().hi > DIRECT_LAST;
        if shape.lens[2] > 0 && many && self.policy.steps != Steps::All {
            return;
        }
        let (vars, clauses, weight) = (outputs.into(), shape.direct_clauses(), self.policy.weight);
        let cost = NetworkCost::new(vars, clauses, weight);
        if cost >= NetworkCost::NEVER {
            return;
        }
        for case in self.mode.cases() {
            best.costs[case.index()] = cost;
            best.steps[case.index()] = MergeMethod::Direct { wide: false };
        }
        if self.mode == Mode::Wide && shape.last_is_pair() {
            best.offer(
                Loose::OUTPUTS,
                NetworkCost::new(vars - 1, clauses - 1, weight),
                MergeMethod::Direct { wide: true },
            );
        }
    }

    fn odd_even(&mut self, shape: &MergeShape, best: &mut CheapestMerges) {
        let halves = shape.halves(self.mode);
        let [odd, even] =
            halves.map(|half| half.map_or(0, |(lens, demand)| self.merge(&MergeShape::new(lens, demand))));
        let (odd, even) = (self.costs(odd), self.costs(even));
        let within = |case: Loose| odd[case.index()].plus(even[case.index()]);
        let [usual, tight] = last_step(shape, self.policy.weight);
        for &case in self.mode.indirect_cases() {
            for &loose in self.mode.inner() {
                let cost = within(case.with_outputs(loose)).plus(usual);
                best.offer(case, cost, MergeMethod::OddEven { loose, tight: false });
            }
            if case.outputs {
                let cost = within(case.with_outputs(false)).plus(tight);
                best.offer(case, cost, MergeMethod::OddEven { loose: false, tight: true });
            }
        }
    }

    /// The groupings that may be best.
    fn groupings(&self, shape: &MergeShape) -> &'static [u8] {
        let outputs = shape.demand.hull().len();
        let is_long = shape.lens[1] > BRIEFLY_GROUPED;
        match (self.policy.steps, shape.ways()) {
            (Steps::All, 3) => TRIPLES,
            (Steps::All, _) => QUADRUPLES,
            _ if outputs > GROUPED_OUTPUTS => &[],
            (Steps::Likely, 3) => TRIPLES,
            (Steps::Likely, _) => LIKELY_QUADRUPLES,
            (Steps::Brief, 4) if 3 * shape.lens[3] <= shape.lens[2] => &LAST_OF_FOUR[usize::from(is_long)..],
            (Steps::Brief, _) if is_long => &[],
            (Steps::Brief, 3) => BRIEF_TRIPLES,
            (Steps::Brief, _) => BRIEF_QUADRUPLES,
        }
    }

    fn group(&mut self, shape: &MergeShape, best: &mut CheapestMerges) {
        for &mask in self.groupings(shape) {
            // Of sequences of the same length the first go first.
            let twice = (1..WAYS - 1).any(|i| shape.lens[i] == shape.lens[i + 1] && mask >> i & 3 == 2);
            if !twice {
                self.grouping(shape, mask, best);
            }
        }
    }

    /// Offers one grouping, unless some of its merges are already too dear.
    fn grouping(&mut self, shape: &MergeShape, mask: u8, best: &mut CheapestMerges) {
        let cases = self.mode.indirect_cases();
        let [first, second, top] = shape.groups(mask);
        let top = self.merge(&MergeShape::new(top.0, top.1));
        if best.beat(cases, |case| self.costs(top)[case]) {
            return;
        }
        let first = self.merge(&MergeShape::new(first.0, first.1));
        let (costs, inner) = (self.costs(top), self.costs(first));
        // The results may be loose or not: indices that differ in the last bit.
        if best.beat(cases, |case| costs[case].plus(inner[case & 2].min(inner[case | 1]))) {
            return;
        }
        let second = self.merge(&MergeShape::new(second.0, second.1));
        let [first, second, top] = [first, second, top].map(|merge| self.costs(merge));
        for &case in cases {
            for &loose in self.mode.inner() {
                let within = case.with_outputs(loose).index();
                let cost = first[within].plus(second[within]).plus(top[case.after(loose).index()]);
                best.offer(case, cost, MergeMethod::Group { mask, loose });
            }
        }
    }
}

/// The cost of the last step of an odd-even merge; and its cost when it is tight.
fn last_step(shape: &MergeShape, weight: u32) -> [NetworkCost; 2] {
    let combine = shape.combine();
    let Demand { up, down } = shape.demand;
    let all = shape.demand.hull();
    let (mut usual, mut tight) = (NetworkCost::ZERO, NetworkCost::ZERO);
    // `alike` gives how many indices of a span are meant.
    let mut count = |index: u32, alike: &dyn Fn(Span) -> u32| {
        let (output, causes) = combine.output_and_causes(index);
        if matches!(output, CombineOutput::Odd(_) | CombineOutput::Even(_)) {
            return;
        }
        let mut clauses = 0;
        if !up.is_empty() {
            clauses += u64::from(alike(up)) * u64::from(causes);
        }
        if !down.is_empty() {
            clauses += u64::from(alike(down)) * u64::from(combine.output_and_causes(index - 1).1);
        }
        let cost = NetworkCost::new(alike(all).into(), clauses, weight);
        usual = usual.plus(cost);
        if output == CombineOutput::Many {
            tight = tight.plus(cost);
        }
    };
    // In the middle every other output is alike.
    let middle = combine.middle(all);
    let (before, after) = if middle.is_empty() {
        (all, Span::EMPTY)
    } else {
        (all.cut(1, middle.lo - 1), all.cut(middle.hi + 1, u32::MAX))
    };
    for index in (before.lo..=before.hi).chain(after.lo..=after.hi) {
        count(index, &|span| span.contains(index).into());
    }
    for index in middle.lo..=middle.hi.min(middle.lo + 1) {
        count(index, &|span| span.cut(middle.lo, middle.hi).alike(index));
    }
    [usual, tight]
}
