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

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cost {
    pub(super) vars: u64,
    pub(super) clauses: u64,
}

impl Cost {
    pub(super) const ZERO: Self = Self { vars: 0, clauses: 0 };
    const NEVER: Self = Self { vars: u64::MAX, clauses: u64::MAX };

    const fn plus(self, other: Self) -> Self {
        Self { vars: self.vars.saturating_add(other.vars), clauses: self.clauses.saturating_add(other.clauses) }
    }

    const fn weighed(self, weight: u32) -> (u64, u64) {
        (self.clauses.saturating_add(self.vars.saturating_mul(weight as u64)), self.vars)
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
    pub(super) const ALL: [Self; 4] = {
        let (no, yes) = (Self { inputs: false, outputs: false }, Self { inputs: true, outputs: true });
        [no, Self { outputs: true, ..no }, Self { outputs: false, ..yes }, yes]
    };

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
type Choices = [(Cost, Step); 4];

/// Plans merges, each shape once.
pub(super) struct Planner {
    pub(super) policy: Policy,
    /// Whether there may be conjunctions at all.
    pub(super) wide: bool,
    /// Whether inputs may lack a direction that only direct merges can do without; then that, not conjunctions, is what
    /// [`Wide::inputs`] says.
    pub(super) lean: bool,
    pub(super) full: bool,
    merges: FxHashMap<Shape, Choices>,
}

thread_local! {
    /// The planners of the last bounds: merges are the same whatever they are part of.
    static PLANNERS: RefCell<Vec<Planner>> = const { RefCell::new(Vec::new()) };
}

impl Planner {
    fn new(policy: Policy, bound: Bound) -> Self {
        let full = policy.full || bound.counts;
        let both = !bound.top.up.is_empty() && !bound.top.down.is_empty();
        Self { policy, wide: policy.wide && !full && !both, lean: both && !full, full, merges: FxHashMap::default() }
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
                planner.merges = FxHashMap::default();
            }
            plan(planner)
        })
    }

    /// The cases to tell apart.
    fn modes(&self) -> impl Iterator<Item = Wide> + use<> {
        let Self { wide, lean, .. } = *self;
        Wide::ALL.into_iter().filter(move |mode| wide || (!mode.outputs && (lean || !mode.inputs)))
    }

    /// Those in which there is more than direct merges.
    fn free_modes(&self) -> impl Iterator<Item = Wide> + use<> {
        let lean = self.lean;
        self.modes().filter(move |mode| !(lean && mode.inputs))
    }

    pub(super) fn merge(&mut self, shape: &Shape) -> Choices {
        if shape.ways() <= 1 {
            return [(Cost::ZERO, Step::Pass); 4];
        }
        if let Some(&known) = self.merges.get(shape) {
            return known;
        }
        let mut best = [(Cost::NEVER, Step::Pass); 4];
        let single = shape.lens[0] == 1;
        if self.policy.direct || (single && shape.ways() == 2) {
            self.direct(shape, &mut best);
        }
        if !single {
            self.odd_even(shape, &mut best);
        }
        if shape.ways() > 2 {
            self.group(shape, &mut best);
        }
        self.merges.insert(*shape, best);
        best
    }

    fn offer(&self, best: &mut Choices, mode: Wide, cost: Cost, step: Step) {
        let best = &mut best[mode.index()];
        if cost.weighed(self.policy.weight) < best.0.weighed(self.policy.weight) {
            *best = (cost, step);
        }
    }

    fn direct(&self, shape: &Shape, best: &mut Choices) {
        let cost = Cost { vars: u64::from(shape.demand.hull().len()), clauses: shape.direct_clauses() };
        for mode in self.modes() {
            self.offer(best, mode, cost, Step::Direct { wide: false });
            if mode.outputs && !mode.inputs && shape.last_is_pair() {
                let cost = Cost { vars: cost.vars - 1, clauses: cost.clauses - 1 };
                self.offer(best, mode, cost, Step::Direct { wide: true });
            }
        }
    }

    fn odd_even(&mut self, shape: &Shape, best: &mut Choices) {
        let (odd, even) = shape.halves(self.full);
        let [odd, even] = [odd, even].map(|half| half.map(|half| self.merge(&half.shape)));
        let within =
            |mode: Wide| [odd, even].iter().flatten().fold(Cost::ZERO, |cost, half| cost.plus(half[mode.index()].0));
        let (loose, tight) = (shape.combine_cost(false), shape.combine_cost(true));
        for mode in self.free_modes() {
            for wide in [false, true] {
                if !wide || self.wide {
                    let cost = within(mode.outputs(wide)).plus(loose);
                    self.offer(best, mode, cost, Step::OddEven { wide, tight: false });
                }
            }
            if mode.outputs {
                let cost = within(mode.outputs(false)).plus(tight);
                self.offer(best, mode, cost, Step::OddEven { wide: false, tight: true });
            }
        }
    }

    fn group(&mut self, shape: &Shape, best: &mut Choices) {
        for mask in (1_u8..1 << (shape.ways() - 1)).map(|mask| mask << 1) {
            // Of sequences of the same length the first go first.
            if (1..WAYS - 1).any(|i| shape.lens[i] == shape.lens[i + 1] && mask >> i & 3 == 2) {
                continue;
            }
            let [first, second, top] = shape.groups(mask).map(|part| self.merge(&part.shape));
            for mode in self.free_modes() {
                for wide in [false, true] {
                    if !wide || self.wide {
                        let within = mode.outputs(wide).index();
                        let cost = first[within].0.plus(second[within].0).plus(top[mode.after(wide).index()].0);
                        self.offer(best, mode, cost, Step::Group { mask, wide });
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

    /// The merges of odd and of even places.
    pub(super) fn halves(&self, full: bool) -> (Option<Settled>, Option<Settled>) {
        let (odd, even) = self.combine().demands(self.demand);
        let (odd, even) = if full { (odd.filled(), even.filled()) } else { (odd, even) };
        let settle = |lens: Lens, demand: Demand| (!demand.hull().is_empty()).then(|| Self::settle(lens, demand));
        (settle(self.lens.map(|len| len.div_ceil(2)), odd), settle(self.lens.map(|len| len / 2), even))
    }

    /// The merges of the sequences in `mask`, of the others, and of the two results.
    pub(super) fn groups(&self, mask: u8) -> [Settled; 3] {
        let side = |inside: bool| -> Lens {
            std::array::from_fn(|i| if (mask >> i & 1 == 1) == inside { self.lens[i] } else { 0 })
        };
        let (first, second) = (side(true), side(false));
        let (inner, outer) = (first.iter().sum(), second.iter().sum());
        let mut both = [0; WAYS];
        both[0] = inner;
        both[1] = outer;
        [
            Self::settle(first, self.demand.cone(inner, outer).levelled()),
            Self::settle(second, self.demand.cone(outer, inner).levelled()),
            Self::settle(both, self.demand),
        ]
    }

    /// The last step of an odd-even merge alone.
    fn combine_cost(&self, tight: bool) -> Cost {
        let combine = self.combine();
        let Demand { up, down } = self.demand;
        let all = self.demand.hull();
        let mut cost = Cost::ZERO;
        // In the middle every other output is alike.
        let middle = combine.middle(all);
        let (before, after) = if middle.is_empty() {
            (all, Span::EMPTY)
        } else {
            (all.cut(1, middle.lo - 1), all.cut(middle.hi + 1, u32::MAX))
        };
        for index in (before.lo..=before.hi).chain(after.lo..=after.hi) {
            match combine.output(index) {
                Output::Odd(_) | Output::Even(_) => continue,
                Output::Both(..) if tight => continue,
                _ => cost.vars += 1,
            }
            if up.contains(index) {
                cost.clauses += u64::from(combine.causes_up(index));
            }
            if down.contains(index) {
                cost.clauses += u64::from(combine.causes_down(index));
            }
        }
        for index in (middle.lo..=middle.hi).take(2) {
            if tight && matches!(combine.output(index), Output::Both(..)) {
                continue;
            }
            let alike = |span: Span| u64::from(span.cut(middle.lo, middle.hi).alike(index));
            cost.vars += alike(all);
            cost.clauses += alike(up) * u64::from(combine.causes_up(index));
            cost.clauses += alike(down) * u64::from(combine.causes_down(index));
        }
        cost
    }
}

/// The dynamic program for one bound.
pub(super) struct Search<'a> {
    pub(super) planner: &'a mut Planner,
    pub(super) bound: Bound,
    sorts: FxHashMap<(u32, bool), (Cost, Sort)>,
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
        if part == 1 {
            return (Cost::ZERO, Sort::Input);
        }
        if let Some(&known) = self.sorts.get(&(part, loose)) {
            return known;
        }
        let weight = self.planner.policy.weight;
        let mut best = (Cost::NEVER, Sort::Direct);
        if self.planner.policy.direct && part <= DIRECT_MOST {
            best.0 = subsets(part, self.demand(part, loose));
        }
        for parts in self.splits(part) {
            let shape = self.settle(parts, loose).shape;
            let choices = self.planner.merge(&shape);
            for inputs in [false, true] {
                if inputs && !self.loosens() {
                    continue;
                }
                let mut cost = choices[self.mode(inputs, loose).index()].0;
                for &part in parts.iter().take_while(|&&part| part > 0) {
                    if cost.weighed(weight) >= best.0.weighed(weight) {
                        break;
                    }
                    cost = cost.plus(self.sort(part, inputs).0);
                }
                if cost.weighed(weight) < best.0.weighed(weight) {
                    best = (cost, Sort::Merge { parts, loose: inputs });
                }
            }
        }
        self.sorts.insert((part, loose), best);
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
            let clauses = subsets(n, top).clauses;
            if clauses <= most_clauses {
                best.0 = Cost { vars: 0, clauses };
            }
        }
        for parts in self.splits(n) {
            let clauses = Shape::settle(parts, top).shape.direct_clauses();
            if parts[2] > 0 && (!self.planner.policy.direct || clauses > most_clauses) {
                continue;
            }
            let mut cost = Cost { vars: 0, clauses };
            for &part in parts.iter().take_while(|&&part| part > 0) {
                cost = cost.plus(self.sort(part, self.loosens()).0);
            }
            if cost.weighed(weight) < best.0.weighed(weight) {
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
fn subsets(part: u32, demand: Demand) -> Cost {
    let Span { lo, hi } = demand.hull();
    let up = (lo..=hi).filter(|&l| demand.up.contains(l)).map(|l| binomial(part, l));
    let down = (lo..=hi).filter(|&l| demand.down.contains(l)).map(|l| binomial(part, l - 1));
    Cost { vars: u64::from(demand.hull().len()), clauses: up.chain(down).sum() }
}
