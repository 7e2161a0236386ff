//! Clauses from a [`Program`].

use rustsat::types::Lit;

use super::plan::DIRECT_MOST;
use super::program::{Call, Kind, Merge, Program, Sorter, Sorting};
use super::shape::{Combine, Demand, Output, Span, WAYS};
use super::tape::Tape;
use crate::sink::ClauseSink;
use crate::{CapacityError, Cnf};

/// A literal, or the conjunction of a literal and others among [`Conjunctions`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Wire {
    lit: Lit,
    tail: u32,
    tail_len: u32,
}

impl From<Lit> for Wire {
    fn from(lit: Lit) -> Self {
        Self { lit, tail: 0, tail_len: 0 }
    }
}

impl Wire {
    const fn is_single(self) -> bool {
        self.tail_len == 0
    }

    /// The literal, if it is one.
    #[inline]
    pub(super) fn single(self) -> Option<Lit> {
        self.is_single().then_some(self.lit)
    }
}

/// All but the first literals of conjunctions.
#[derive(Clone, Debug, Default)]
pub(super) struct Conjunctions(Vec<Lit>);

impl Conjunctions {
    fn tail(&self, wire: Wire) -> &[Lit] {
        &self.0[wire.tail as usize..][..wire.tail_len as usize]
    }

    /// A wire that is the conjunction of two.
    fn conjoin(&mut self, first: Wire, second: Wire) -> Wire {
        let tail = self.0.len() as u32;
        self.0.extend_from_within(first.tail as usize..(first.tail + first.tail_len) as usize);
        self.0.push(second.lit);
        self.0.extend_from_within(second.tail as usize..(second.tail + second.tail_len) as usize);
        Wire { lit: first.lit, tail, tail_len: first.tail_len + second.tail_len + 1 }
    }

    /// A wire from elsewhere, its literals replaced.
    pub(super) fn take(&mut self, wire: Wire, from: &Self, to: impl Fn(Lit) -> Lit) -> Wire {
        let tail = self.0.len() as u32;
        self.0.extend(from.tail(wire).iter().map(|&lit| to(lit)));
        Wire { lit: to(wire.lit), tail, ..wire }
    }
}

/// A sorted sequence among the wires.
#[derive(Clone, Copy, Debug, Default)]
struct View {
    start: usize,
    stride: usize,
    len: usize,
}

impl View {
    /// Where element `index`, from 1, is.
    fn at(self, index: u32) -> usize {
        self.start + (index as usize - 1) * self.stride
    }
}

/// The outputs of a merge: where output `lo` is.
#[derive(Clone, Copy, Debug)]
struct Outputs {
    start: usize,
    lo: u32,
}

impl Outputs {
    fn at(self, index: u32) -> usize {
        self.start + (index - self.lo) as usize
    }

    /// A sequence that begins at element 1, be it there or not; whoever [picks](pick) from it says where it ends.
    fn view(self) -> View {
        View { start: self.start.wrapping_sub(self.lo as usize - 1), stride: 1, len: 0 }
    }
}

/// Which way a clause goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Up,
    Down,
}

pub(super) struct Emitter<'a, S: ?Sized> {
    sink: &'a mut S,
    program: &'a Program,
    wires: Vec<Wire>,
    conjunctions: Conjunctions,
    clause: Vec<Lit>,
    /// What stands for the variables of a [`Tape`].
    stand_ins: Vec<Lit>,
    inputs: &'a [Lit],
    negated: bool,
}

/// Emits `program` for `inputs`, each of them negated if so said; returns the outputs, if it is for outputs.
pub(super) fn emit<S: ClauseSink + ?Sized>(
    program: &Program,
    sink: &mut S,
    inputs: &[Lit],
    negated: bool,
) -> Result<Vec<Lit>, S::Error> {
    Emitter::new(program, sink, inputs, negated).run()
}

/// What `emit` makes of so many inputs.
fn record(
    program: &Program,
    inputs: u32,
    emit: impl FnOnce(&mut Emitter<'_, Cnf>) -> Result<Outputs, CapacityError>,
) -> Tape {
    let mut clauses = Cnf::new();
    let inputs = clauses.new_lits(inputs as usize);
    let mut emitter = Emitter::new(program, &mut clauses, &inputs, false);
    let Outputs { start, lo } = emit(&mut emitter).expect("few clauses fit");
    let Emitter { wires, conjunctions, .. } = emitter;
    Tape::new(inputs.len(), clauses, &wires[start..], conjunctions, lo)
}

impl<'a, S: ClauseSink + ?Sized> Emitter<'a, S> {
    fn new(program: &'a Program, sink: &'a mut S, inputs: &'a [Lit], negated: bool) -> Self {
        let wires = Vec::with_capacity(2 * inputs.len());
        let (clause, stand_ins) = (Vec::new(), Vec::new());
        Self { sink, program, wires, conjunctions: Conjunctions::default(), clause, stand_ins, inputs, negated }
    }

    fn run(mut self) -> Result<Vec<Lit>, S::Error> {
        let Program { bound, ref top, settled, .. } = *self.program;
        let Some(settled) = settled else {
            let mut views = vec![View::default(); bound.n as usize];
            self.take_inputs(&mut views);
            self.forbid(&views, bound.top)?;
            return Ok(Vec::new());
        };
        let mut parts = [View::default(); WAYS];
        for (part, &sorter) in parts.iter_mut().zip(top) {
            *part = self.sort(sorter)?.view();
        }
        if bound.counts {
            return Ok(self.wires.iter().map(|wire| wire.lit).collect());
        }
        let views = pick(&parts, &settled.pick, settled.shape.lens.map(|len| len as usize));
        self.forbid(&views[..settled.shape.ways()], settled.shape.demand)?;
        Ok(Vec::new())
    }

    /// Takes the next inputs, each a sequence of its own.
    fn take_inputs(&mut self, views: &mut [View]) {
        for view in views {
            *view = View { start: self.wires.len(), stride: 1, len: 1 };
            let input = self.next_input();
            self.wires.push(input.into());
        }
    }

    fn next_input(&mut self) -> Lit {
        let (&first, rest) = self.inputs.split_first().expect("as many inputs as the plan has");
        self.inputs = rest;
        if self.negated { !first } else { first }
    }

    /// The clauses of the top, the only ones that enforce anything.
    fn forbid(&mut self, views: &[View], demand: Demand) -> Result<(), S::Error> {
        if !demand.up.is_empty() {
            self.shares(views, demand.up.lo, Way::Up, None)?;
        }
        if !demand.down.is_empty() {
            self.shares(views, demand.down.lo, Way::Down, None)?;
        }
        Ok(())
    }

    /// Sorts the next inputs; the outputs are the last wires.
    fn sort(&mut self, id: u32) -> Result<Outputs, S::Error> {
        let Sorter { part, kept, .. } = &self.program.sorters[id as usize];
        let Some(kept) = kept else { return self.sort_anew(id) };
        let program = self.program;
        let tape = kept.get_or_init(|| record(program, *part, |emitter| emitter.sort_anew(id)));
        self.stand_ins.clear();
        for _ in 0..*part {
            let input = self.next_input();
            self.stand_ins.extend([input, !input]);
        }
        self.play(tape)
    }

    fn sort_anew(&mut self, id: u32) -> Result<Outputs, S::Error> {
        let mark = self.wires.len();
        let Sorter { part, ref kind, .. } = self.program.sorters[id as usize];
        let outputs = match kind {
            Sorting::Input => {
                self.take_inputs(&mut [View::default()]);
                return Ok(Outputs { start: mark, lo: 1 });
            }
            Sorting::Direct { demand } => {
                let views = &mut [View::default(); DIRECT_MOST as usize][..part as usize];
                self.take_inputs(views);
                self.direct(views, *demand, false)?
            }
            Sorting::Merge { parts, ways, call } => {
                let mut views = [View::default(); WAYS];
                for (view, &part) in views.iter_mut().zip(&parts[..*ways]) {
                    let outputs = self.sort(part)?;
                    *view = outputs.view();
                }
                self.call(call, &views)?
            }
        };
        Ok(self.close(mark, outputs))
    }

    /// The outputs are the last wires.
    fn play(&mut self, tape: &Tape) -> Result<Outputs, S::Error> {
        let start = self.wires.len();
        tape.play(self.sink, &mut self.stand_ins, &mut self.clause)?;
        tape.outputs(&self.stand_ins, &mut self.wires, &mut self.conjunctions);
        Ok(Outputs { start, lo: tape.lo })
    }

    /// Keeps of the wires from `mark` on only the outputs.
    fn close(&mut self, mark: usize, outputs: Outputs) -> Outputs {
        let len = self.wires.len() - outputs.start;
        self.wires.copy_within(outputs.start.., mark);
        self.wires.truncate(mark + len);
        Outputs { start: mark, lo: outputs.lo }
    }

    fn call(&mut self, call: &Call, views: &[View; WAYS]) -> Result<Outputs, S::Error> {
        let views = pick(views, &call.pick, call.lens.map(|len| len as usize));
        let outputs = self.merge(call.merge, &views)?;
        Ok(Outputs { lo: outputs.lo + call.shift, ..outputs })
    }

    /// Merges; the outputs are the last wires.
    fn merge(&mut self, id: u32, views: &[View; WAYS]) -> Result<Outputs, S::Error> {
        let program = self.program;
        let Merge { lens, ways, kept, .. } = &program.merges[id as usize];
        let Some(kept) = kept else { return self.merge_anew(id, views) };
        self.stand_ins.clear();
        for view in &views[..*ways] {
            for index in 1..=view.len {
                let wire = self.wires[view.at(index as u32)];
                if !wire.is_single() {
                    return self.merge_anew(id, views);
                }
                self.stand_ins.extend([wire.lit, !wire.lit]);
            }
        }
        let merge = |emitter: &mut Emitter<'_, Cnf>| {
            emitter.wires.extend(emitter.inputs.iter().map(|&input| Wire::from(input)));
            let mut start = 0;
            let views = lens.map(|len| {
                let view = View { start, stride: 1, len: len as usize };
                start += view.len;
                view
            });
            emitter.merge_anew(id, &views)
        };
        self.play(kept.get_or_init(|| record(program, lens.iter().sum(), merge)))
    }

    fn merge_anew(&mut self, id: u32, views: &[View; WAYS]) -> Result<Outputs, S::Error> {
        let Merge { demand, ways, ref kind, .. } = self.program.merges[id as usize];
        let mark = self.wires.len();
        let outputs =
            match kind {
                Kind::Pass => {
                    let Span { lo, hi } = demand.hull();
                    for index in lo..=hi {
                        self.wires.push(self.wires[views[0].at(index)]);
                    }
                    return Ok(Outputs { start: mark, lo });
                }
                Kind::Direct { wide } => return self.direct(&views[..ways], demand, *wide),
                Kind::OddEven { combine, tight, odd, even } => {
                    let mut sides = [Outputs { start: 0, lo: 0 }; 2];
                    for (side, (call, skip)) in sides.iter_mut().zip([(odd, 0), (even, 1)]) {
                        if let Some(call) = call {
                            let every_other = views.map(|view| View {
                                start: view.start.wrapping_add(skip * view.stride),
                                stride: 2 * view.stride,
                                len: 0,
                            });
                            *side = self.call(call, &every_other)?;
                        }
                    }
                    self.combine(combine, demand, *tight, sides)?
                }
                Kind::Group { mask, first, second, top } => {
                    let mut results = [View::default(); WAYS];
                    for (result, (call, inside)) in results.iter_mut().zip([(first, true), (second, false)]) {
                        let side = std::array::from_fn(|i| {
                            if (mask >> i & 1 == 1) == inside { views[i] } else { View::default() }
                        });
                        let outputs = self.call(call, &side)?;
                        *result = outputs.view();
                    }
                    self.call(top, &results)?
                }
            };
        Ok(self.close(mark, outputs))
    }

    /// The last step of an odd-even merge.
    fn combine(
        &mut self,
        combine: &Combine,
        demand: Demand,
        tight: bool,
        [odd, even]: [Outputs; 2],
    ) -> Result<Outputs, S::Error> {
        let start = self.wires.len();
        let Span { lo, hi } = demand.hull();
        for index in lo..=hi {
            let output = match combine.output(index) {
                Output::Odd(i) => self.wires[odd.at(i)],
                Output::Even(j) => self.wires[even.at(j)],
                Output::Both(i, j) if tight => self.conjunctions.conjoin(self.wires[odd.at(i)], self.wires[even.at(j)]),
                _ => {
                    let head = self.sink.new_lit();
                    if demand.up.contains(index) {
                        for (i, j) in combine.up(index) {
                            let at = if i == 0 { even.at(j) } else { odd.at(i) };
                            if i == 0 || j == 0 {
                                self.up(self.wires[at], head)?;
                            } else {
                                self.both_up(self.wires[at], self.wires[even.at(j)], head)?;
                            }
                        }
                    }
                    if demand.down.contains(index) {
                        for (i, j) in combine.down(index) {
                            match (i, j) {
                                (0, 0) => self.sink.define(&[!head])?,
                                (0, j) => self.sink.define(&[self.wires[even.at(j)].lit, !head])?,
                                (i, 0) => self.sink.define(&[self.wires[odd.at(i)].lit, !head])?,
                                (i, j) => {
                                    let (first, second) = (self.wires[odd.at(i)].lit, self.wires[even.at(j)].lit);
                                    self.sink.define(&[first, second, !head])?;
                                }
                            }
                        }
                    }
                    head.into()
                }
            };
            self.wires.push(output);
        }
        Ok(Outputs { start, lo })
    }

    /// `wire` makes `head` true.
    #[inline]
    fn up(&mut self, wire: Wire, head: Lit) -> Result<(), S::Error> {
        if wire.is_single() { self.sink.define(&[!wire.lit, head]) } else { self.wide_up(wire, head) }
    }

    /// `first` and `second` together make `head` true.
    #[inline]
    fn both_up(&mut self, first: Wire, second: Wire, head: Lit) -> Result<(), S::Error> {
        if first.is_single() && second.is_single() {
            self.sink.define(&[!first.lit, !second.lit, head])
        } else {
            self.wide_both_up(first, second, head)
        }
    }

    /// The same with a conjunction; most are of two.
    #[inline(never)]
    fn wide_up(&mut self, first: Wire, head: Lit) -> Result<(), S::Error> {
        if let [a] = *self.conjunctions.tail(first) {
            return self.sink.define(&[!first.lit, !a, head]);
        }
        self.clause.clear();
        self.push_negation(first);
        self.clause.push(head);
        self.sink.define(&self.clause)
    }

    /// The same with conjunctions.
    #[inline(never)]
    fn wide_both_up(&mut self, first: Wire, second: Wire, head: Lit) -> Result<(), S::Error> {
        match (self.conjunctions.tail(first), self.conjunctions.tail(second)) {
            (&[a], []) => self.sink.define(&[!first.lit, !a, !second.lit, head]),
            ([], &[b]) => self.sink.define(&[!first.lit, !second.lit, !b, head]),
            (&[a], &[b]) => self.sink.define(&[!first.lit, !a, !second.lit, !b, head]),
            _ => {
                self.clause.clear();
                self.push_negation(first);
                self.push_negation(second);
                self.clause.push(head);
                self.sink.define(&self.clause)
            }
        }
    }

    #[inline]
    fn push_negation(&mut self, wire: Wire) {
        self.clause.push(!wire.lit);
        if !wire.is_single() {
            self.clause.extend(self.conjunctions.tail(wire).iter().map(|&lit| !lit));
        }
    }

    /// Every output from every way to share it among the sequences.
    fn direct(&mut self, views: &[View], demand: Demand, wide: bool) -> Result<Outputs, S::Error> {
        let start = self.wires.len();
        let Span { lo, hi } = demand.hull();
        for index in lo..=hi {
            if let (true, [a, b]) = (wide, views)
                && index as usize == a.len + b.len
            {
                let (first, second) = (self.wires[a.at(a.len as u32)], self.wires[b.at(b.len as u32)]);
                let wire = self.conjunctions.conjoin(first, second);
                self.wires.push(wire);
                continue;
            }
            let head = self.sink.new_lit();
            if demand.up.contains(index) {
                self.shares(views, index, Way::Up, Some(head))?;
            }
            if demand.down.contains(index) {
                self.shares(views, index, Way::Down, Some(head))?;
            }
            self.wires.push(head.into());
        }
        Ok(Outputs { start, lo })
    }

    /// A clause for every way to share `index` elements among the sequences, with `head` made true (or false), or forbidden.
    fn shares(&mut self, views: &[View], index: u32, way: Way, head: Option<Lit>) -> Result<(), S::Error> {
        if let (&[a, b], Way::Up, Some(head)) = (views, way, head) {
            return self.pairs(a, b, index as usize, head);
        }
        let total = views.iter().map(|view| view.len).sum();
        let sum = if way == Way::Up { index as usize } else { index as usize - 1 };
        self.clause.clear();
        self.tuples(views, total, sum, way, head)
    }

    /// What [`Self::tuples`] does for two sequences, faster.
    fn pairs(&mut self, a: View, b: View, sum: usize, head: Lit) -> Result<(), S::Error> {
        if sum <= b.len {
            self.up(self.wires[b.at(sum as u32)], head)?;
        }
        for i in sum.saturating_sub(b.len).max(1)..=a.len.min(sum - 1) {
            let (first, second) = (self.wires[a.at(i as u32)], self.wires[b.at((sum - i) as u32)]);
            self.both_up(first, second, head)?;
        }
        if sum <= a.len {
            self.up(self.wires[a.at(sum as u32)], head)?;
        }
        Ok(())
    }

    fn tuples(
        &mut self,
        views: &[View],
        total: usize,
        sum: usize,
        way: Way,
        head: Option<Lit>,
    ) -> Result<(), S::Error> {
        let Some((&view, rest)) = views.split_first() else {
            return match head {
                Some(head) => {
                    self.clause.push(if way == Way::Up { head } else { !head });
                    let done = self.sink.define(&self.clause);
                    self.clause.pop();
                    done
                }
                None => self.sink.add_clause(&self.clause),
            };
        };
        let outer = total - view.len;
        for take in sum.saturating_sub(outer)..=sum.min(view.len) {
            let len = self.clause.len();
            if way == Way::Up && take > 0 {
                let wire = self.wires[view.at(take as u32)];
                self.push_negation(wire);
            } else if way == Way::Down && take < view.len {
                self.clause.push(self.wires[view.at(take as u32 + 1)].lit);
            }
            self.tuples(rest, outer, sum - take, way, head)?;
            self.clause.truncate(len);
        }
        Ok(())
    }
}

/// The sequences of a merge from those at hand.
fn pick(views: &[View; WAYS], pick: &[(u8, u32); WAYS], lens: [usize; WAYS]) -> [View; WAYS] {
    std::array::from_fn(|i| {
        let (which, drop) = pick[i];
        let view = views[usize::from(which)];
        View { start: view.start.wrapping_add(drop as usize * view.stride), stride: view.stride, len: lens[i] }
    })
}
