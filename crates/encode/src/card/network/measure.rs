//! The number of literals of a [`Program`], from the lengths of its wires.
//!
//! Variables and clauses are known from the plan. Literals are not, because a conjunction has as many as it joins. So
//! the program is walked through as `emit` does, with the length of each wire in its place; a merge of the same lengths
//! as one before is not walked through again.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

use super::demand::{Demand, Span};
use super::odd_even::{Combine, CombineOutput};
use super::program::{MergeCall, MergeKind, Program, SequenceMerge, Sorter, Sorting};
use super::shape::WAYS;
use super::shares::shares;
use super::view::{NetworkOutputs, SequenceView, adjacent, pick};
use crate::card::combinatorial::binomial;

/// The outputs of a sorter or merge, and the literals of it and of what leads to it.
#[derive(Clone, Copy, Debug)]
struct MeasuredMerge {
    outputs: NetworkOutputs,
    literals: u64,
}

/// A merge that was measured: where the lengths of its inputs are.
#[derive(Clone, Copy, Debug)]
struct Measured {
    inputs: usize,
    known: MeasuredMerge,
}

struct Measure<'a> {
    program: &'a Program,
    /// The number of literals that each wire stands for. Nothing is ever taken away, so that what a [`MeasuredMerge`]
    /// names stays where it is.
    widths: Vec<u32>,
    sorters: Vec<Option<MeasuredMerge>>,
    /// By number and by a hash of the lengths of the inputs.
    merges: FxHashMap<(u32, u64), Measured>,
}

/// The literals of all clauses.
pub(super) fn literals(program: &Program) -> u64 {
    let demand = program.bound.top;
    let Some(settled) = &program.settled else { return subset_literals(program.bound.n, demand, 0) };
    let mut measure = Measure {
        program,
        widths: Vec::new(),
        sorters: vec![None; program.sorters.len()],
        merges: FxHashMap::default(),
    };
    let (parts, below) = measure.sorted(&program.top);
    if program.bound.counts {
        return below;
    }
    let views = pick(&parts, &settled.pick, settled.shape.lens);
    below + measure.uses(&views[..settled.shape.ways()], settled.shape.demand)
}

impl Measure<'_> {
    /// The outputs of some sorters, and the literals of all of them.
    fn sorted(&mut self, sorters: &[u32]) -> ([SequenceView; WAYS], u64) {
        let mut views = [SequenceView::default(); WAYS];
        let mut literals = 0;
        for (view, &sorter) in views.iter_mut().zip(sorters) {
            let known = self.sorter(sorter);
            *view = known.outputs.view();
            literals += known.literals;
        }
        (views, literals)
    }

    fn sorter(&mut self, id: u32) -> MeasuredMerge {
        if let Some(known) = self.sorters[id as usize] {
            return known;
        }
        let program = self.program;
        let Sorter { part, ref kind, .. } = program.sorters[id as usize];
        let known = match kind {
            Sorting::Input => MeasuredMerge { outputs: self.singles(1, 1), literals: 0 },
            Sorting::Direct { demand } => {
                let Span { lo, hi } = demand.hull();
                MeasuredMerge { outputs: self.singles(lo, hi), literals: subset_literals(part, *demand, 1) }
            }
            Sorting::Merge { parts, ways, call } => {
                let (views, below) = self.sorted(&parts[..*ways]);
                let MeasuredMerge { outputs, literals } = self.call(call, &views);
                MeasuredMerge { outputs, literals: below + literals }
            }
        };
        self.sorters[id as usize] = Some(known);
        known
    }

    /// Wires that are single literals.
    fn singles(&mut self, lo: u32, hi: u32) -> NetworkOutputs {
        let start = self.widths.len();
        self.widths.resize(start + (hi - lo + 1) as usize, 1);
        NetworkOutputs { start, lo }
    }

    fn call(&mut self, call: &MergeCall, views: &[SequenceView; WAYS]) -> MeasuredMerge {
        let MeasuredMerge { outputs, literals } = self.merge(call.merge, &pick(views, &call.pick, call.lens));
        MeasuredMerge { outputs: NetworkOutputs { lo: outputs.lo + call.shift, ..outputs }, literals }
    }

    fn merge(&mut self, id: u32, views: &[SequenceView; WAYS]) -> MeasuredMerge {
        let inputs = self.widths.len();
        let mut hasher = FxHasher::default();
        for &view in views {
            for index in 1..=view.len as u32 {
                let width = self.widths[view.at(index)];
                hasher.write_u32(width);
                self.widths.push(width);
            }
        }
        let key = (id, hasher.finish());
        let len = self.widths.len() - inputs;
        if let Some(&Measured { inputs: before, known }) = self.merges.get(&key)
            && self.widths[before..before + len] == self.widths[inputs..]
        {
            self.widths.truncate(inputs);
            return known;
        }
        let known = self.merge_anew(id, inputs);
        self.merges.insert(key, Measured { inputs, known });
        known
    }

    /// A merge of sequences that follow each other from `inputs` on.
    fn merge_anew(&mut self, id: u32, inputs: usize) -> MeasuredMerge {
        let program = self.program;
        let SequenceMerge { demand, lens, ways, ref kind, .. } = program.merges[id as usize];
        let views = adjacent(inputs, lens);
        match kind {
            MergeKind::Pass => {
                let Span { lo, .. } = demand.hull();
                MeasuredMerge { outputs: NetworkOutputs { start: views[0].at(lo), lo }, literals: 0 }
            }
            MergeKind::Direct { wide } => self.direct(&views[..ways], demand, *wide),
            MergeKind::OddEven { combine, tight, odd, even } => {
                let none = MeasuredMerge { outputs: NetworkOutputs { start: 0, lo: 1 }, literals: 0 };
                let [odd, even] = [(odd, 0), (even, 1)].map(|(call, skip)| {
                    let every_other = views.map(|view| view.every_other(skip));
                    call.as_ref().map_or(none, |call| self.call(call, &every_other))
                });
                let here = self.combined(combine, demand, *tight, odd.outputs, even.outputs);
                MeasuredMerge { literals: odd.literals + even.literals + here.literals, ..here }
            }
            MergeKind::Group { mask, first, second, top } => {
                let [first, second] = [(first, true), (second, false)].map(|(call, inside)| {
                    let is_in = |i: usize| (mask >> i & 1 == 1) == inside;
                    self.call(call, &std::array::from_fn(|i| if is_in(i) { views[i] } else { SequenceView::default() }))
                });
                let none = SequenceView::default();
                let here = self.call(top, &[first.outputs.view(), second.outputs.view(), none, none]);
                MeasuredMerge { literals: first.literals + second.literals + here.literals, ..here }
            }
        }
    }

    fn direct(&mut self, views: &[SequenceView], mut demand: Demand, wide: bool) -> MeasuredMerge {
        let Span { lo, hi } = demand.hull();
        let outputs = self.singles(lo, hi);
        if wide {
            let last = views.iter().map(|view| self.widths[view.at(view.len as u32)]).sum();
            self.widths[outputs.at(hi)] = last;
            demand.up = demand.up.cut(1, hi - 1);
        }
        let mut lens = [0; WAYS];
        lens.iter_mut().zip(views).for_each(|(len, view)| *len = view.len as u32);
        let lens = &lens[..views.len()];
        let heads = shares(lens, demand.up, 0) + shares(lens, demand.down, 1);
        MeasuredMerge { outputs, literals: heads + self.uses(views, demand) }
    }

    /// The literals that inputs have in the clauses of a direct merge.
    fn uses(&self, views: &[SequenceView], demand: Demand) -> u64 {
        let mut literals = 0;
        for (which, view) in views.iter().enumerate() {
            let mut others = [0; WAYS - 1];
            let lens = views.iter().enumerate().filter(|&(other, _)| other != which).map(|(_, view)| view.len as u32);
            others.iter_mut().zip(lens).for_each(|(other, len)| *other = len);
            let others = &others[..views.len() - 1];
            for index in 1..=view.len as u32 {
                let times = shares(others, demand.up, index) + shares(others, demand.down, index);
                literals += u64::from(self.widths[view.at(index)]) * times;
            }
        }
        literals
    }

    /// The last step of an odd-even merge.
    fn combined(
        &mut self,
        combine: &Combine,
        demand: Demand,
        tight: bool,
        odd: NetworkOutputs,
        even: NetworkOutputs,
    ) -> MeasuredMerge {
        let start = self.widths.len();
        let Span { lo, hi } = demand.hull();
        let mut literals = 0;
        for index in lo..=hi {
            let width = |(i, j): (u32, u32)| {
                let width = |side: NetworkOutputs, at: u32| if at > 0 { self.widths[side.at(at)] } else { 0 };
                width(odd, i) + width(even, j)
            };
            let output = match combine.output(index) {
                CombineOutput::Odd(i) => self.widths[odd.at(i)],
                CombineOutput::Even(j) => self.widths[even.at(j)],
                CombineOutput::Both(i, j) if tight => width((i, j)),
                _ => {
                    if demand.up.contains(index) {
                        literals += combine.up(index).map(|pair| u64::from(width(pair)) + 1).sum::<u64>();
                    }
                    if demand.down.contains(index) {
                        literals += combine.down(index).map(|pair| u64::from(width(pair)) + 1).sum::<u64>();
                    }
                    1
                }
            };
            self.widths.push(output);
        }
        MeasuredMerge { outputs: NetworkOutputs { start, lo }, literals }
    }
}

/// The literals when every output comes from every subset, each clause with so many heads.
fn subset_literals(part: u32, Demand { up, down }: Demand, heads: u64) -> u64 {
    let up = (up.lo..=up.hi).map(|l| binomial(part.into(), l.into()) * (u64::from(l) + heads));
    let down = (down.lo..=down.hi).map(|l| binomial(part.into(), u64::from(l) - 1) * (u64::from(part - l) + 1 + heads));
    up.chain(down).sum()
}
