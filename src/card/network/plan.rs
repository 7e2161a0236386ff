//! The dynamic program: the cheapest ways to merge.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::shape::{Demand, Lens, Output, Shape, Span, WAYS};

/// The most inputs that are sorted directly.
pub(super) const DIRECT_MOST: u32 = 8;

/// What a plan may use, and what it minimises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(clippy::struct_excessive_bools)] // independent switches
pub(super) struct Policy {
    /// The price of a variable, in clauses.
    pub(super) weight: u32,
    /// The most sequences that are merged at once.
    pub(super) ways: u32,
    /// Direct merges and sorters beyond a single comparator.
    pub(super) direct: bool,
    /// Halves (quarters …) only, or any split.
    pub(super) free: bool,
    /// Conjunctions without a variable of their own, where only true inputs matter.
    pub(super) wide: bool,
    /// Every variable defined in both directions.
    pub(super) full: bool,
}

/// What is asked of a number of inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Bound {
    pub(super) n: u32,
    /// The outputs that the top forbids to be true and to be false; or those that are wanted.
    pub(super) top: Demand,
    /// Whether the outputs are wanted.
    pub(super) counts: bool,
}

impl Bound {
    pub(super) fn at_most(n: u32, k: u32) -> Self {
        Self { n, top: Demand { up: Span::new(k + 1, k + 1), down: Span::EMPTY }, counts: false }
    }

    pub(super) fn exactly(n: u32, k: u32) -> Self {
        Self { n, top: Demand { up: Span::new(k + 1, k + 1), down: Span::new(k, k) }, counts: false }
    }

    pub(super) fn count(n: u32, upto: u32) -> Self {
        Self::outputs(n, 1, upto)
    }

    pub(super) fn outputs(n: u32, first: u32, last: u32) -> Self {
        let all = Span::new(first, last.min(n));
        Self { n, top: Demand { up: all, down: all }, counts: true }
    }

    /// What is needed of a part of the inputs.
    pub(super) fn demand(&self, part: u32) -> Demand {
        self.top.cone(part, self.n - part)
    }
}

/// What is minimised: clauses + weight · variables in the upper half, then variables in the lower: one number to add and compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost(u128);

impl Cost {
    pub(super) const ZERO: Self = Self(0);
    /// More than anything that can be made costs, and little enough for a few to be added up.
    pub(super) const NEVER: Self = Self(1 << 124 | 1 << 60);

    pub(super) fn new(vars: u64, clauses: u64, weight: u32) -> Self {
        if clauses >= 1 << 48 {
            return Self::NEVER;
        }
        let weighed = u128::from(clauses + vars * u64::from(weight));
        Self(weighed << 64 | u128::from(vars))
    }

    pub(super) const fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    pub(super) const fn vars(self) -> u64 {
        self.0 as u64
    }

    pub(super) fn clauses(self, weight: u32) -> u64 {
        let weighed = (self.0 >> 64) as u64;
        weighed.saturating_sub(self.vars().saturating_mul(weight.into()))
    }
}

/// Whether wires may be conjunctions of two literals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Wide {
    /// Those that come in.
    pub(super) inputs: bool,
    /// Those that go out.
    pub(super) outputs: bool,
}

impl Wide {
    const NOT: Self = Self { inputs: false, outputs: false };
    const INPUTS: Self = Self { inputs: true, ..Self::NOT };
    const OUTPUTS: Self = Self { outputs: true, ..Self::NOT };
    const BOTH: Self = Self { inputs: true, outputs: true };

    pub(super) const fn index(self) -> usize {
        2 * self.inputs as usize + self.outputs as usize
    }

    pub(super) const fn outputs(self, outputs: bool) -> Self {
        Self { outputs, ..self }
    }

    pub(super) const fn after(self, before: bool) -> Self {
        Self { inputs: self.inputs || before, ..self }
    }
}

/// How a merge is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// One sequence or none.
    Pass,
    /// Each output from every way to share it; the last may be the conjunction of the last inputs.
    Direct { wide: bool },
    /// Odd and even places apart; `wide` says of the two merges whether they may give conjunctions, `tight` whether this one
    /// does.
    OddEven { wide: bool, tight: bool },
    /// First the sequences in the mask and the others, then the two results.
    Group { mask: u8, wide: bool },
}

/// The best ways to do a merge, by what may be [`Wide`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Choices {
    pub(super) costs: [Cost; 4],
    pub(super) steps: [Step; 4],
}

impl Choices {
    const PASS: Self = Self { costs: [Cost::ZERO; 4], steps: [Step::Pass; 4] };
    const NONE: Self = Self { costs: [Cost::NEVER; 4], ..Self::PASS };

    fn offer(&mut self, mode: Wide, cost: Cost, step: Step) {
        let at = mode.index();
        if cost < self.costs[at] {
            self.costs[at] = cost;
            self.steps[at] = step;
        }
    }

    /// Whether `cost` is no improvement in any of the modes.
    #[inline]
    fn beat(&self, modes: &[Wide], cost: impl Fn(usize) -> Cost) -> bool {
        modes.iter().fold(true, |beat, mode| beat & (cost(mode.index()) >= self.costs[mode.index()]))
    }
}

/// Plans merges, each shape once.
pub(super) struct Planner {
    pub(super) policy: Policy,
    /// Whether there may be conjunctions at all.
    pub(super) wide: bool,
    /// Whether inputs may lack a direction that only direct merges can do without; then that, not conjunctions, is what
    /// [`Wide::inputs`] says.
    pub(super) lean: bool,
    pub(super) full: bool,
    /// The merges planned; the first stands for all that have nothing to merge.
    merges: Vec<Choices>,
    ids: Ids,
}

/// Which merge a shape is: small ones, nearly all, by a short key.
#[derive(Default)]
struct Ids {
    small: FxHashMap<(u64, u64), u32>,
    large: FxHashMap<Shape, u32>,
}

impl Ids {
    #[inline]
    fn get(&self, shape: &Shape) -> Option<u32> {
        match shape.packed() {
            Some(key) => self.small.get(&key),
            None => self.large.get(shape),
        }
        .copied()
    }

    fn insert(&mut self, shape: &Shape, id: u32) {
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
    pub(super) fn new(policy: Policy, bound: Bound) -> Self {
        let full = policy.full || bound.counts;
        let both = !bound.top.up.is_empty() && !bound.top.down.is_empty();
        let (wide, lean) = (policy.wide && !full && !both, both && !full);
        Self { policy, wide, lean, full, merges: vec![Choices::PASS], ids: Ids::default() }
    }

    /// Calls `plan` with a planner for `bound`, which may know some merges already.
    pub(super) fn with<T>(policy: Policy, bound: Bound, plan: impl FnOnce(&mut Self) -> T) -> T {
        const MOST_PLANNERS: usize = 8;
        const MOST_MERGES: usize = 1 << 16;
        PLANNERS.with_borrow_mut(|planners| {
            let new = Self::new(policy, bound);
            let same = |planner: &Self| {
                let Self { policy, wide, lean, full, .. } = *planner;
                (policy, wide, lean, full) == (new.policy, new.wide, new.lean, new.full)
            };
            let at = planners.iter().position(same).unwrap_or_else(|| {
                if planners.len() >= MOST_PLANNERS {
                    planners.clear();
                }
                planners.push(new);
                planners.len() - 1
            });
            let planner = &mut planners[at];
            if planner.merges.len() > MOST_MERGES {
                planner.ids = Ids::default();
                planner.merges = vec![Choices::PASS];
            }
            plan(planner)
        })
    }

    /// The cases to tell apart.
    fn modes(&self) -> &'static [Wide] {
        if self.wide {
            &[Wide::NOT, Wide::OUTPUTS, Wide::INPUTS, Wide::BOTH]
        } else if self.lean {
            &[Wide::NOT, Wide::INPUTS]
        } else {
            &[Wide::NOT]
        }
    }

    /// Those in which there is more than direct merges.
    fn free_modes(&self) -> &'static [Wide] {
        if self.lean { &[Wide::NOT] } else { self.modes() }
    }

    /// The best ways to do a merge.
    pub(super) fn choices(&mut self, shape: &Shape) -> &Choices {
        let id = self.merge(shape);
        &self.merges[id as usize]
    }

    /// Whether to try what is best in no plan for up to 256 inputs, and for samples of up to 10,000, at any of weights 0, 1 and 5:
    /// the more outputs are needed, the fewer ways to merge there are.
    fn thorough(&self) -> bool {
        !self.policy.free || self.policy.weight > 10
    }

    /// The number of a merge, planned if it is new.
    #[inline]
    pub(super) fn merge(&mut self, shape: &Shape) -> u32 {
        if shape.lens[1] == 0 {
            return 0;
        }
        match self.ids.get(shape) {
            Some(known) => known,
            None => self.plan(shape),
        }
    }

    pub(super) fn costs(&self, merge: u32) -> &[Cost; 4] {
        &self.merges[merge as usize].costs
    }

    #[inline(never)]
    fn plan(&mut self, shape: &Shape) -> u32 {
        let mut best = Choices::NONE;
        let single = shape.lens[0] == 1;
        let ways = shape.ways();
        if self.policy.direct || (single && ways == 2) {
            self.direct(shape, &mut best);
        }
        if !single {
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

    fn direct(&self, shape: &Shape, best: &mut Choices) {
        /// Twice as many as three or four sequences are ever merged directly for.
        const MOST: u32 = 20;
        if shape.lens[2] > 0 && shape.demand.hull().len() > MOST && !self.thorough() {
            return;
        }
        let (vars, clauses, weight) = (shape.demand.hull().len().into(), shape.direct_clauses(), self.policy.weight);
        let cost = Cost::new(vars, clauses, weight);
        if cost >= Cost::NEVER {
            return;
        }
        for &mode in self.modes() {
            best.costs[mode.index()] = cost;
            best.steps[mode.index()] = Step::Direct { wide: false };
        }
        if self.wide && shape.last_is_pair() {
            best.offer(Wide::OUTPUTS, Cost::new(vars - 1, clauses - 1, weight), Step::Direct { wide: true });
        }
    }

    fn odd_even(&mut self, shape: &Shape, best: &mut Choices) {
        let [odd, even] =
            shape.halves(self.full).map(|half| half.map_or(0, |(lens, demand)| self.merge(&Shape::new(lens, demand))));
        let (odd, even) = (self.costs(odd), self.costs(even));
        let within = |mode: Wide| odd[mode.index()].plus(even[mode.index()]);
        let [loose, tight] = shape.combine_costs(self.policy.weight);
        for &mode in self.free_modes() {
            best.offer(mode, within(mode.outputs(false)).plus(loose), Step::OddEven { wide: false, tight: false });
            if self.wide {
                best.offer(mode, within(mode.outputs(true)).plus(loose), Step::OddEven { wide: true, tight: false });
            }
            if mode.outputs {
                best.offer(mode, within(mode.outputs(false)).plus(tight), Step::OddEven { wide: false, tight: true });
            }
        }
    }

    /// What is merged first, as masks, where that may be best.
    fn groupings(&self, shape: &Shape) -> &'static [u8] {
        let pairs = if self.policy.weight == 1 { 40 } else { 64 };
        match (shape.ways(), shape.demand.hull().len()) {
            (3, _) if self.thorough() => &[2, 4, 6],
            (_, _) if self.thorough() => &[2, 4, 6, 8, 10, 12, 14],
            (3, ..=32) => &[2, 4, 6],
            (4, ..=32) => &[2, 6, 8, 14],
            (_, outputs) if outputs <= pairs => &[6],
            _ => &[],
        }
    }

    fn group(&mut self, shape: &Shape, best: &mut Choices) {
        let modes = self.free_modes();
        for &mask in self.groupings(shape) {
            // Of sequences of the same length the first go first.
            if (1..WAYS - 1).any(|i| shape.lens[i] == shape.lens[i + 1] && mask >> i & 3 == 2) {
                continue;
            }
            let [first, second, top] = shape.groups(mask);
            let top = self.merge(&Shape::new(top.0, top.1));
            if best.beat(modes, |mode| self.costs(top)[mode]) {
                continue;
            }
            let first = self.merge(&Shape::new(first.0, first.1));
            let (costs, inner) = (self.costs(top), self.costs(first));
            if best.beat(modes, |mode| costs[mode].plus(inner[mode & 2].min(inner[mode | 1]))) {
                continue;
            }
            let second = self.merge(&Shape::new(second.0, second.1));
            let [first, second, top] = [first, second, top].map(|merge| self.costs(merge));
            for &mode in modes {
                for wide in [false, true] {
                    if !wide || self.wide {
                        let within = mode.outputs(wide).index();
                        let cost = first[within].plus(second[within]).plus(top[mode.after(wide).index()]);
                        best.offer(mode, cost, Step::Group { mask, wide });
                    }
                }
            }
        }
    }
}

impl Shape {
    /// Whether the last output is the conjunction of the last inputs, and nothing more is asked of it.
    pub(super) fn last_is_pair(&self) -> bool {
        let last = self.lens.iter().sum();
        self.ways() == 2 && self.demand.up.contains(last) && self.demand.down.is_empty()
    }

    /// The merges of odd and of even places, where there is something to merge.
    pub(super) fn halves(&self, full: bool) -> [Option<(Lens, Demand)>; 2] {
        let (odd, even) = self.combine().demands(self.demand);
        let (odd, even) = if full { (odd.filled(), even.filled()) } else { (odd, even) };
        let half = |up: u32, demand: Demand| {
            let mut lens = self.lens;
            lens.iter_mut().for_each(|len| *len = u32::midpoint(*len, up));
            (!demand.hull().is_empty()).then_some((lens, demand))
        };
        [half(1, odd), half(0, even)]
    }

    /// The merges of the sequences in `mask`, of the others, and of the two results.
    pub(super) fn groups(&self, mask: u8) -> [(Lens, Demand); 3] {
        let (mut first, mut second) = ([0; WAYS], [0; WAYS]);
        for (i, &len) in self.lens.iter().enumerate() {
            *(if mask >> i & 1 == 1 { &mut first[i] } else { &mut second[i] }) = len;
        }
        let (inner, outer) = (first.iter().sum(), second.iter().sum());
        [
            (first, self.demand.cone(inner, outer).levelled()),
            (second, self.demand.cone(outer, inner).levelled()),
            ([inner, outer, 0, 0], self.demand),
        ]
    }

    /// The last step of an odd-even merge alone; and when outputs that only two wires make true are their conjunctions.
    fn combine_costs(&self, weight: u32) -> [Cost; 2] {
        let combine = self.combine();
        let Demand { up, down } = self.demand;
        let all = self.demand.hull();
        let (mut loose, mut tight) = (Cost::ZERO, Cost::ZERO);
        // `alike` gives how many indices of a span are meant.
        let mut count = |index: u32, alike: &dyn Fn(Span) -> u32| {
            let (output, causes) = combine.output_and_causes(index);
            if matches!(output, Output::Odd(_) | Output::Even(_)) {
                return;
            }
            let mut clauses = 0;
            if !up.is_empty() {
                clauses += u64::from(alike(up)) * u64::from(causes);
            }
            if !down.is_empty() {
                clauses += u64::from(alike(down)) * u64::from(combine.output_and_causes(index - 1).1);
            }
            let cost = Cost::new(alike(all).into(), clauses, weight);
            loose = loose.plus(cost);
            if output == Output::Many {
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
        [loose, tight]
    }
}
