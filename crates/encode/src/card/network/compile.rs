//! From a plan to a [`Program`]: the choices of a [`NetworkSearch`], followed from the top down, each merge and sorter
//! in use once.

use rustc_hash::FxHashMap;
use rustsat::types::Var;

use super::mode::{Loose, NetworkQuestion, Policy};
use super::plan::{MergeMethod, Planner};
use super::program::{MergeCall, MergeKind, Program, SequenceMerge, Sorter, Sorting, kept};
use super::search::{NetworkSearch, Sort, Top};
use super::shape::{MergeShape, ShapeMapping, WAYS};
use super::{likely, measure};
use crate::size::Size;

/// Plans a bound, and compiles the plan.
pub(super) fn program(policy: Policy, bound: NetworkQuestion) -> Program {
    Planner::with(likely::policy(policy, bound), bound, |planner| compile(NetworkSearch::new(planner, bound), bound))
}

fn compile(mut search: NetworkSearch<'_>, bound: NetworkQuestion) -> Program {
    let (cost, top) = search.top();
    let weight = search.planner.policy.weight;
    let loose = search.mode().loosens();
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
    let settled = (parts[0] > 0).then(|| MergeShape::settle(parts, bound.top));
    let Compiler { merges, sorters, .. } = compiler;
    let size = Size { vars: cost.vars(), clauses: cost.clauses(weight), lits: u64::MAX };
    let mut program = Program { bound, size, merges, sorters, top, settled };
    // More than there are variables for, is not to be measured wire by wire.
    if size.vars.saturating_add(bound.n.into()) <= u64::from(Var::MAX_IDX) {
        program.size.lits = measure::literals(&program);
    }
    program
}

/// The choices of a [`NetworkSearch`], and what was compiled of them.
struct Compiler<'a> {
    search: NetworkSearch<'a>,
    merges: Vec<SequenceMerge>,
    merge_ids: FxHashMap<(MergeShape, Loose), u32>,
    sorters: Vec<Sorter>,
    sorter_ids: FxHashMap<(u32, bool), u32>,
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
                let call = self.call(&settled, Loose::of_sorter(self.search.mode(), inputs, loose));
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

    fn call(&mut self, settled: &ShapeMapping, case: Loose) -> MergeCall {
        MergeCall {
            merge: self.merge(&settled.shape, case),
            lens: settled.shape.lens,
            pick: settled.pick,
            shift: settled.shift,
        }
    }

    fn merge(&mut self, shape: &MergeShape, case: Loose) -> u32 {
        if let Some(&id) = self.merge_ids.get(&(*shape, case)) {
            return id;
        }
        let choices = *self.search.planner.choices(shape);
        let kind = match choices.steps[case.index()] {
            MergeMethod::Pass => MergeKind::Pass,
            MergeMethod::Direct { wide } => MergeKind::Direct { wide },
            MergeMethod::OddEven { loose, tight } => {
                let within = case.with_outputs(loose);
                let halves = shape.halves(self.search.mode());
                let [odd, even] =
                    halves.map(|half| half.map(|(lens, demand)| self.call(&MergeShape::settle(lens, demand), within)));
                MergeKind::OddEven { combine: shape.combine(), tight, odd, even }
            }
            MergeMethod::Group { mask, loose } => {
                let [first, second, top] = shape.groups(mask).map(|(lens, demand)| MergeShape::settle(lens, demand));
                let within = case.with_outputs(loose);
                MergeKind::Group {
                    mask,
                    first: self.call(&first, within),
                    second: self.call(&second, within),
                    top: self.call(&top, case.after(loose)),
                }
            }
        };
        let kept = kept(choices.costs[case.index()].clauses(self.search.planner.policy.weight));
        self.merges.push(SequenceMerge { demand: shape.demand, ways: shape.ways(), lens: shape.lens, kind, kept });
        let id = self.merges.len() as u32 - 1;
        self.merge_ids.insert((*shape, case), id);
        id
    }
}
