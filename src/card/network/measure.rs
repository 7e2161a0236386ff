//! The number of literals of a [`Program`], from the lengths of its wires.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::program::{Call, Kind, Merge, Program, Sorter, Sorting};
use super::shape::{Combine, Demand, Output, Span, shares};
use crate::card::combinatorial::binomial;

/// How many literals each wire of a sequence stands for, and the index of the first.
#[derive(Clone, Debug)]
struct Widths {
    lo: u32,
    wires: Rc<[u32]>,
}

impl Widths {
    fn at(&self, index: u32) -> u64 {
        u64::from(self.wires[(index - self.lo) as usize])
    }
}

/// The widths that a merge gets, and the literals it and what leads to it make.
type Known = (Widths, u64);

/// A merge, and the widths of its sequences.
type Key = (u32, Vec<Rc<[u32]>>);

pub(super) fn literals(program: &Program) -> u64 {
    let mut measure = Measure { program, sorters: FxHashMap::default(), merges: FxHashMap::default() };
    let demand = program.bound.top;
    let Some(settled) = &program.settled else { return subset_literals(program.bound.n, demand, 0) };
    let parts: Vec<Known> = program.top.iter().map(|&sorter| measure.sorter(sorter)).collect();
    let below: u64 = parts.iter().map(|part| part.1).sum();
    if program.bound.counts {
        return below;
    }
    let parts: Vec<Widths> = parts.into_iter().map(|part| part.0).collect();
    let (lens, pick) = (&settled.shape.lens, &settled.pick);
    let sequences: Vec<Rc<[u32]>> = (0..settled.shape.ways()).map(|i| take(&parts, pick[i], lens[i])).collect();
    below + uses(&sequences, settled.shape.demand)
}

struct Measure<'a> {
    program: &'a Program,
    sorters: FxHashMap<u32, Known>,
    merges: FxHashMap<Key, Known>,
}

impl Measure<'_> {
    fn sorter(&mut self, id: u32) -> Known {
        if let Some(known) = self.sorters.get(&id) {
            return known.clone();
        }
        let Sorter { part, ref kind, .. } = self.program.sorters[id as usize];
        let known = match *kind {
            Sorting::Input => (Widths { lo: 1, wires: [1].into() }, 0),
            Sorting::Direct { demand } => {
                let Span { lo, .. } = demand.hull();
                let wires = std::iter::repeat_n(1, demand.hull().len() as usize).collect();
                (Widths { lo, wires }, subset_literals(part, demand, 1))
            }
            Sorting::Merge { parts, ways, call } => {
                let parts: Vec<Known> = parts[..ways].iter().map(|&part| self.sorter(part)).collect();
                let below: u64 = parts.iter().map(|part| part.1).sum();
                let parts: Vec<Widths> = parts.into_iter().map(|part| part.0).collect();
                let (widths, here) = self.call(&call, &parts);
                (widths, below + here)
            }
        };
        self.sorters.insert(id, known.clone());
        known
    }

    fn call(&mut self, call: &Call, sequences: &[Widths]) -> Known {
        let picked = call.pick.iter().zip(call.lens).take_while(|&(_, len)| len > 0);
        let picked = picked.map(|(&pick, len)| take(sequences, pick, len)).collect();
        let (widths, literals) = self.merge(call.merge, picked);
        (Widths { lo: widths.lo + call.shift, ..widths }, literals)
    }

    fn merge(&mut self, id: u32, sequences: Vec<Rc<[u32]>>) -> Known {
        let key = (id, sequences);
        if let Some(known) = self.merges.get(&key) {
            return known.clone();
        }
        let Merge { demand, ref kind, .. } = self.program.merges[id as usize];
        let sequences = &key.1;
        let Span { lo, hi } = demand.hull();
        let known = match kind {
            Kind::Pass => (Widths { lo, wires: sequences[0][lo as usize - 1..hi as usize].into() }, 0),
            Kind::Direct { wide } => {
                let mut wires = vec![1; demand.hull().len() as usize];
                let mut demand = demand;
                if *wide {
                    let last: u32 = sequences.iter().filter_map(|sequence| sequence.last()).sum();
                    *wires.last_mut().expect("there is a last output") = last;
                    demand.up = demand.up.cut(1, hi - 1);
                }
                let lens: Vec<u32> = sequences.iter().map(|sequence| sequence.len() as u32).collect();
                let heads = shares(&lens, demand.up, 0) + shares(&lens, demand.down, 1);
                (Widths { lo, wires: wires.into() }, heads + uses(sequences, demand))
            }
            Kind::OddEven { combine, tight, odd, even } => {
                let mut below = 0;
                let mut half = |call: &Option<Call>, skip: usize| {
                    let every_other: Vec<Widths> = sequences
                        .iter()
                        .map(|s| Widths { lo: 1, wires: s.iter().copied().skip(skip).step_by(2).collect() })
                        .collect();
                    let none = Widths { lo: 1, wires: Rc::default() };
                    let (widths, literals) = call.as_ref().map_or((none, 0), |call| self.call(call, &every_other));
                    below += literals;
                    widths
                };
                let (odd, even) = (half(odd, 0), half(even, 1));
                let (widths, here) = combined(combine, demand, *tight, &odd, &even);
                (widths, below + here)
            }
            Kind::Group { mask, first, second, top } => {
                let side = |inside: bool| -> Vec<Widths> {
                    let sequences = sequences.iter().enumerate();
                    let none = Widths { lo: 1, wires: Rc::default() };
                    sequences
                        .map(|(i, wires)| {
                            let here = (mask >> i & 1 == 1) == inside;
                            if here { Widths { lo: 1, wires: Rc::clone(wires) } } else { none.clone() }
                        })
                        .collect()
                };
                let (first, second) = (self.call(first, &side(true)), self.call(second, &side(false)));
                let (widths, here) = self.call(top, &[first.0, second.0]);
                (widths, first.1 + second.1 + here)
            }
        };
        self.merges.insert(key, known.clone());
        known
    }
}

/// Elements `drop + 1 ..= drop + len` of one of the sequences.
fn take(sequences: &[Widths], (which, drop): (u8, u32), len: u32) -> Rc<[u32]> {
    let Widths { lo, wires } = &sequences[usize::from(which)];
    let start = (drop + 1 - lo) as usize;
    wires[start..start + len as usize].into()
}

/// The literals that inputs have in the clauses of a direct merge.
fn uses(sequences: &[Rc<[u32]>], demand: Demand) -> u64 {
    let mut literals = 0;
    for (which, sequence) in sequences.iter().enumerate() {
        let others = sequences.iter().enumerate().filter(|&(other, _)| other != which);
        let others: Vec<u32> = others.map(|(_, sequence)| sequence.len() as u32).collect();
        for (index, &width) in (1..).zip(sequence.iter()) {
            let times = shares(&others, demand.up, index) + shares(&others, demand.down, index);
            literals += u64::from(width) * times;
        }
    }
    literals
}

/// The last step of an odd-even merge.
fn combined(combine: &Combine, demand: Demand, tight: bool, odd: &Widths, even: &Widths) -> Known {
    let Span { lo, hi } = demand.hull();
    let width = |(i, j): (u32, u32)| if i > 0 { odd.at(i) } else { 0 } + if j > 0 { even.at(j) } else { 0 };
    let mut literals = 0;
    let wires = (lo..=hi)
        .map(|index| match combine.output(index) {
            Output::Odd(i) => odd.at(i) as u32,
            Output::Even(j) => even.at(j) as u32,
            Output::Both(i, j) if tight => width((i, j)) as u32,
            _ => {
                if demand.up.contains(index) {
                    literals += combine.up(index).map(|pair| width(pair) + 1).sum::<u64>();
                }
                if demand.down.contains(index) {
                    literals += combine.down(index).map(|pair| width(pair) + 1).sum::<u64>();
                }
                1
            }
        })
        .collect();
    (Widths { lo, wires }, literals)
}

/// The literals when every output comes from every subset, each clause with so many heads.
fn subset_literals(part: u32, Demand { up, down }: Demand, heads: u64) -> u64 {
    let up = (up.lo..=up.hi).map(|l| binomial(part.into(), l.into()) * (u64::from(l) + heads));
    let down = (down.lo..=down.hi).map(|l| binomial(part.into(), u64::from(l) - 1) * (u64::from(part - l) + 1 + heads));
    up.chain(down).sum()
}
