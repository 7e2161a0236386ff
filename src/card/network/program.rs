//! A plan as a list of steps, ready to be emitted any number of times.

use std::cell::OnceCell;

use rustc_hash::FxHashMap;
use rustsat::types::Var;

use super::measure;
use super::plan::{Bound, Planner, Policy, Step, Wide};
use super::search::{Search, Sort, Top};
use super::shape::{Combine, Demand, Lens, Settled, Shape, WAYS};
use super::tape::Tape;
use crate::sink::Size;

/// A merge and how it takes its sequences from those at hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub(super) merge: u32,
    pub(super) lens: Lens,
    pub(super) pick: [(u8, u32); WAYS],
    pub(super) shift: u32,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Pass,
    Direct { wide: bool },
    OddEven { combine: Combine, tight: bool, odd: Option<Call>, even: Option<Call> },
    Group { mask: u8, first: Call, second: Call, top: Call },
}

#[derive(Clone, Debug)]
pub(super) struct Merge {
    pub(super) demand: Demand,
    pub(super) ways: usize,
    pub(super) lens: Lens,
    pub(super) kind: Kind,
    pub(super) kept: Kept,
}

#[derive(Clone, Debug)]
pub(super) struct Sorter {
    pub(super) part: u32,
    pub(super) kind: Sorting,
    pub(super) kept: Kept,
}

#[derive(Clone, Debug)]
pub(super) enum Sorting {
    Input,
    Direct { demand: Demand },
    Merge { parts: [u32; WAYS], ways: usize, call: Call },
}

/// The clauses of a sorter or merge once they have been emitted; `None` where they are too many to keep.
pub(super) type Kept = Option<OnceCell<Tape>>;

/// Whether so many clauses are kept.
fn kept(clauses: u64) -> Kept {
    const MOST: u64 = 1024;
    (1..=MOST).contains(&clauses).then(OnceCell::new)
}

/// What to emit for one bound.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) bound: Bound,
    /// Exact; with more variables than there can be, there is no telling how many literals.
    pub(super) size: Size,
    pub(super) merges: Vec<Merge>,
    pub(super) sorters: Vec<Sorter>,
    /// The sorters of the parts at the top, with their inputs; none when every subset is forbidden.
    pub(super) top: Vec<u32>,
    /// The sequences at the top.
    pub(super) settled: Option<Settled>,
}

/// Compiles the choices of a [`Search`].
struct Compiler<'a> {
    search: Search<'a>,
    merges: Vec<Merge>,
    merge_ids: FxHashMap<(Shape, Wide), u32>,
    sorters: Vec<Sorter>,
    sorter_ids: FxHashMap<(u32, bool), u32>,
}

impl Program {
    pub(super) fn new(policy: Policy, bound: Bound) -> Self {
        Planner::with(policy, bound, |planner| Self::compile(Search::new(planner, bound), bound))
    }

    fn compile(mut search: Search<'_>, bound: Bound) -> Self {
        let (cost, top) = search.top();
        let weight = search.planner.policy.weight;
        let loose = search.loosens();
        let mut compiler = Compiler {
            search,
            merges: Vec::new(),
            merge_ids: FxHashMap::default(),
            sorters: Vec::new(),
            sorter_ids: FxHashMap::default(),
        };
        let parts = match top {
            Top::Subsets => [0; WAYS],
            Top::Parts(parts) => parts,
            Top::Outputs => [bound.n, 0, 0, 0],
        };
        let top = parts.iter().filter(|&&part| part > 0).map(|&part| compiler.sorter(part, loose)).collect();
        let settled = (parts[0] > 0).then(|| Shape::settle(parts, bound.top));
        let Compiler { merges, sorters, .. } = compiler;
        let size = Size { vars: cost.vars(), clauses: cost.clauses(weight), lits: u64::MAX };
        let mut program = Self { bound, size, merges, sorters, top, settled };
        if size.vars <= u64::from(Var::MAX_IDX) {
            program.size.lits = measure::literals(&program);
        }
        program
    }
}

impl Compiler<'_> {
    fn sorter(&mut self, part: u32, loose: bool) -> u32 {
        if let Some(&id) = self.sorter_ids.get(&(part, loose)) {
            return id;
        }
        let (cost, sort) = self.search.sort(part, loose);
        let kind = match sort {
            Sort::Input => Sorting::Input,
            Sort::Direct => Sorting::Direct { demand: self.search.demand(part, loose) },
            Sort::Merge { parts, loose: inputs } => {
                let settled = self.search.settle(parts, loose);
                let call = self.call(&settled, self.search.mode(inputs, loose));
                let ways = parts.iter().take_while(|&&part| part > 0).count();
                let parts = parts.map(|part| if part > 0 { self.sorter(part, inputs) } else { 0 });
                Sorting::Merge { parts, ways, call }
            }
        };
        let kept = kept(cost.clauses(self.search.planner.policy.weight));
        self.sorters.push(Sorter { part, kind, kept });
        let id = self.sorters.len() as u32 - 1;
        self.sorter_ids.insert((part, loose), id);
        id
    }

    fn call(&mut self, settled: &Settled, wide: Wide) -> Call {
        Call {
            merge: self.merge(&settled.shape, wide),
            lens: settled.shape.lens,
            pick: settled.pick,
            shift: settled.shift,
        }
    }

    fn merge(&mut self, shape: &Shape, wide: Wide) -> u32 {
        if let Some(&id) = self.merge_ids.get(&(*shape, wide)) {
            return id;
        }
        let choices = *self.search.planner.choices(shape);
        let kind = match choices.steps[wide.index()] {
            Step::Pass => Kind::Pass,
            Step::Direct { wide } => Kind::Direct { wide },
            Step::OddEven { wide: sub, tight } => {
                let within = wide.outputs(sub);
                let halves = shape.halves(self.search.planner.full);
                let [odd, even] =
                    halves.map(|half| half.map(|(lens, demand)| self.call(&Shape::settle(lens, demand), within)));
                Kind::OddEven { combine: shape.combine(), tight, odd, even }
            }
            Step::Group { mask, wide: sub } => {
                let [first, second, top] = shape.groups(mask).map(|(lens, demand)| Shape::settle(lens, demand));
                let within = wide.outputs(sub);
                Kind::Group {
                    mask,
                    first: self.call(&first, within),
                    second: self.call(&second, within),
                    top: self.call(&top, wide.after(sub)),
                }
            }
        };
        let kept = kept(choices.costs[wide.index()].clauses(self.search.planner.policy.weight));
        self.merges.push(Merge { demand: shape.demand, ways: shape.ways(), lens: shape.lens, kind, kept });
        let id = self.merges.len() as u32 - 1;
        self.merge_ids.insert((*shape, wide), id);
        id
    }
}
