//! The dynamic program: the cheapest way to sort and merge what a bound asks for.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::shape::{Demand, Lens, Output, Settled, Shape, Span, WAYS};

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
    fn demand(&self, part: u32) -> Demand {
        self.top.cone(part, self.n - part)
    }
}

/// What is minimised: clauses + weight · variables in the upper half, then variables in the lower: one number to add and compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cost(u128);

impl Cost {
    const ZERO: Self = Self(0);
    /// More than anything that can be made costs, and little enough for a few to be added up.
    const NEVER: Self = Self(1 << 124 | 1 << 60);

    fn new(vars: u64, clauses: u64, weight: u32) -> Self {
        if clauses >= 1 << 48 {
            return Self::NEVER;
        }
        let weighed = u128::from(clauses + vars * u64::from(weight));
        Self(weighed << 64 | u128::from(vars))
    }

    const fn plus(self, other: Self) -> Self {
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
    fn new(policy: Policy, bound: Bound) -> Self {
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
    fn merge(&mut self, shape: &Shape) -> u32 {
        if shape.lens[1] == 0 {
            return 0;
        }
        match self.ids.get(shape) {
            Some(known) => known,
            None => self.plan(shape),
        }
    }

    fn costs(&self, merge: u32) -> &[Cost; 4] {
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

pub(super) fn binomial(n: u32, k: u32) -> u64 {
    if k > n {
        return 0;
    }
    (1..=u64::from(k.min(n - k))).fold(1, |c, i| c * (u64::from(n) - u64::from(k.min(n - k)) + i) / i)
}

/// The direct sorter: every output from every subset.
fn subsets(part: u32, demand: Demand, weight: u32) -> Cost {
    let Span { lo, hi } = demand.hull();
    let up = (lo..=hi).filter(|&l| demand.up.contains(l)).map(|l| binomial(part, l));
    let down = (lo..=hi).filter(|&l| demand.down.contains(l)).map(|l| binomial(part, l - 1));
    Cost::new(demand.hull().len().into(), up.chain(down).sum(), weight)
}
