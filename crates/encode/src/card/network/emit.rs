//! Clauses from a [`Program`].
//!
//! Wires of sequences that are still in use lie in one list, used as a stack: a sorter or merge puts what it needs on
//! top, and when it is done, [`NetworkEmitter::close`] takes away all but its outputs. So its caller finds the outputs
//! last in the list, and everything below as it was.
//!
//! # Invariant
//!
//! Every clause but those of [`NetworkEmitter::forbid`] goes through [`ClauseSink::define`]: it has an output of its
//! own merge as its head, true for *up* clauses and false for *down* ones, so that some choice of the outputs always
//! satisfies it. The clauses of `forbid` have no head; they alone enforce the bound.

use rustsat::types::Lit;

use super::demand::{Demand, Span};
use super::odd_even::{Combine, CombineOutput};
use super::plan::DIRECT_MOST;
use super::program::{MergeCall, MergeKind, Program, SequenceMerge, Sorter, Sorting};
use super::shape::WAYS;
use super::tape::Tape;
use super::view::{NetworkOutputs, SequenceView, adjacent, pick};
use super::wire::{Conjunctions, Wire};
use crate::Cnf;
use crate::sink::ClauseSink;
use crate::writer::{Full, Writer};

/// The direction of a clause.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ClauseDirection {
    Up,
    Down,
}

struct NetworkEmitter<'a, 'w> {
    to: &'a mut Writer<'w>,
    program: &'a Program,
    wires: Vec<Wire>,
    conjunctions: Conjunctions,
    clause: Vec<Lit>,
    /// The literals that stand for the variables of a [`Tape`].
    stand_ins: Vec<Lit>,
    inputs: &'a [Lit],
    negated: bool,
}

/// Emits `program` for `inputs`, or for their negations; returns the outputs that are wanted, which are single
/// literals.
pub(super) fn emit(program: &Program, to: &mut Writer<'_>, inputs: &[Lit], negated: bool) -> Result<Vec<Lit>, Full> {
    NetworkEmitter::new(program, to, inputs, negated).run()
}

/// The clauses and outputs that `emit` makes of so many inputs.
fn record(
    program: &Program,
    inputs: u32,
    emit: impl Fn(&mut NetworkEmitter<'_, '_>) -> Result<NetworkOutputs, Full>,
) -> Tape {
    let mut clauses = Cnf::new();
    let inputs = clauses.new_lits(inputs as usize);
    let mut written = None;
    let fits = clauses.write_by(&mut |to| {
        let mut emitter = NetworkEmitter::new(program, to, &inputs, false);
        let outputs = emit(&mut emitter)?;
        written = Some((emitter.wires, emitter.conjunctions, outputs));
        Ok(())
    });
    let (wires, conjunctions, NetworkOutputs { start, lo }) = fits.ok().and(written).expect("few clauses fit");
    Tape::new(inputs.len(), clauses, &wires[start..], conjunctions, lo)
}

impl<'a, 'w> NetworkEmitter<'a, 'w> {
    fn new(program: &'a Program, to: &'a mut Writer<'w>, inputs: &'a [Lit], negated: bool) -> Self {
        let wires = Vec::with_capacity(2 * inputs.len());
        let (clause, stand_ins) = (Vec::new(), Vec::new());
        Self { to, program, wires, conjunctions: Conjunctions::default(), clause, stand_ins, inputs, negated }
    }

    fn run(mut self) -> Result<Vec<Lit>, Full> {
        let Program { bound, ref top, settled, .. } = *self.program;
        let Some(settled) = settled else {
            let mut views = vec![SequenceView::default(); bound.n as usize];
            self.take_inputs(&mut views);
            self.forbid(&views, bound.top)?;
            return Ok(Vec::new());
        };
        let mut parts = [SequenceView::default(); WAYS];
        for (part, &sorter) in parts.iter_mut().zip(top) {
            *part = self.sort(sorter)?.view();
        }
        if bound.counts {
            return Ok(self.wires.iter().map(|wire| wire.lit).collect());
        }
        let views = pick(&parts, &settled.pick, settled.shape.lens);
        self.forbid(&views[..settled.shape.ways()], settled.shape.demand)?;
        Ok(Vec::new())
    }

    /// Takes the next inputs, each a sequence of its own.
    fn take_inputs(&mut self, views: &mut [SequenceView]) {
        for view in views {
            *view = SequenceView { start: self.wires.len(), stride: 1, len: 1 };
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
    fn forbid(&mut self, views: &[SequenceView], demand: Demand) -> Result<(), Full> {
        if !demand.up.is_empty() {
            self.shares(views, demand.up.lo, ClauseDirection::Up, None)?;
        }
        if !demand.down.is_empty() {
            self.shares(views, demand.down.lo, ClauseDirection::Down, None)?;
        }
        Ok(())
    }

    /// Sorts the next inputs; the outputs are the last wires.
    fn sort(&mut self, id: u32) -> Result<NetworkOutputs, Full> {
        let Sorter { part, kept, .. } = &self.program.sorters[id as usize];
        let Some(kept) = kept else { return self.sort_anew(id) };
        let program = self.program;
        let record = || record(program, *part, |emitter| emitter.sort_anew(id));
        let Some(tape) = kept.tape(record) else { return self.sort_anew(id) };
        self.stand_ins.clear();
        for _ in 0..*part {
            let input = self.next_input();
            self.stand_ins.extend([input, !input]);
        }
        self.play(tape)
    }

    /// Sorts without a tape.
    fn sort_anew(&mut self, id: u32) -> Result<NetworkOutputs, Full> {
        let mark = self.wires.len();
        let Sorter { part, ref kind, .. } = self.program.sorters[id as usize];
        let outputs = match kind {
            Sorting::Input => {
                self.take_inputs(&mut [SequenceView::default()]);
                return Ok(NetworkOutputs { start: mark, lo: 1 });
            }
            Sorting::Direct { demand } => {
                let views = &mut [SequenceView::default(); DIRECT_MOST as usize][..part as usize];
                self.take_inputs(views);
                self.direct(views, *demand, false)?
            }
            Sorting::Merge { parts, ways, call } => {
                let mut views = [SequenceView::default(); WAYS];
                for (view, &part) in views.iter_mut().zip(&parts[..*ways]) {
                    let outputs = self.sort(part)?;
                    *view = outputs.view();
                }
                self.call(call, &views)?
            }
        };
        Ok(self.close(mark, outputs))
    }

    /// Emits a tape; the outputs are the last wires.
    fn play(&mut self, tape: &Tape) -> Result<NetworkOutputs, Full> {
        let start = self.wires.len();
        tape.play(self.to, &mut self.stand_ins, &mut self.clause)?;
        tape.outputs(&self.stand_ins, &mut self.wires, &mut self.conjunctions);
        Ok(NetworkOutputs { start, lo: tape.lo })
    }

    /// Keeps of the wires from `mark` on only the outputs.
    fn close(&mut self, mark: usize, outputs: NetworkOutputs) -> NetworkOutputs {
        let len = self.wires.len() - outputs.start;
        self.wires.copy_within(outputs.start.., mark);
        self.wires.truncate(mark + len);
        NetworkOutputs { start: mark, lo: outputs.lo }
    }

    /// Merges what a merge takes of the sequences at hand; the outputs are the last wires.
    fn call(&mut self, call: &MergeCall, views: &[SequenceView; WAYS]) -> Result<NetworkOutputs, Full> {
        let views = pick(views, &call.pick, call.lens);
        let outputs = self.merge(call.merge, &views)?;
        Ok(NetworkOutputs { lo: outputs.lo + call.shift, ..outputs })
    }

    /// Merges; the outputs are the last wires.
    fn merge(&mut self, id: u32, views: &[SequenceView; WAYS]) -> Result<NetworkOutputs, Full> {
        let program = self.program;
        let SequenceMerge { lens, ways, kept, .. } = &program.merges[id as usize];
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
        let merge = |emitter: &mut NetworkEmitter<'_, '_>| {
            emitter.wires.extend(emitter.inputs.iter().map(|&input| Wire::from(input)));
            emitter.merge_anew(id, &adjacent(0, *lens))
        };
        match kept.tape(|| record(program, lens.iter().sum(), merge)) {
            Some(tape) => self.play(tape),
            None => self.merge_anew(id, views),
        }
    }

    /// Merges without a tape.
    fn merge_anew(&mut self, id: u32, views: &[SequenceView; WAYS]) -> Result<NetworkOutputs, Full> {
        let SequenceMerge { demand, ways, ref kind, .. } = self.program.merges[id as usize];
        let mark = self.wires.len();
        let outputs = match kind {
            MergeKind::Pass => {
                let Span { lo, hi } = demand.hull();
                for index in lo..=hi {
                    self.wires.push(self.wires[views[0].at(index)]);
                }
                return Ok(NetworkOutputs { start: mark, lo });
            }
            MergeKind::Direct { wide } => return self.direct(&views[..ways], demand, *wide),
            MergeKind::OddEven { combine, tight, odd, even } => {
                let odd = self.every_other(odd.as_ref(), views, 0)?;
                let even = self.every_other(even.as_ref(), views, 1)?;
                self.combine(combine, demand, *tight, [odd, even])?
            }
            MergeKind::Group { mask, first, second, top } => {
                let first = self.group(first, views, |i| mask >> i & 1 == 1)?;
                let second = self.group(second, views, |i| mask >> i & 1 == 0)?;
                let none = SequenceView::default();
                self.call(top, &[first.view(), second.view(), none, none])?
            }
        };
        Ok(self.close(mark, outputs))
    }

    /// The merge of odd places, or with `skip` 1 of even ones.
    fn every_other(
        &mut self,
        call: Option<&MergeCall>,
        views: &[SequenceView; WAYS],
        skip: usize,
    ) -> Result<NetworkOutputs, Full> {
        match call {
            Some(call) => self.call(call, &views.map(|view| view.every_other(skip))),
            None => Ok(NetworkOutputs { start: 0, lo: 0 }),
        }
    }

    /// The merge of some of the sequences.
    fn group(
        &mut self,
        call: &MergeCall,
        views: &[SequenceView; WAYS],
        inside: impl Fn(usize) -> bool,
    ) -> Result<NetworkOutputs, Full> {
        let side = std::array::from_fn(|i| if inside(i) { views[i] } else { SequenceView::default() });
        self.call(call, &side)
    }

    /// The last step of an odd-even merge.
    fn combine(
        &mut self,
        combine: &Combine,
        demand: Demand,
        tight: bool,
        [odd, even]: [NetworkOutputs; 2],
    ) -> Result<NetworkOutputs, Full> {
        let start = self.wires.len();
        let Span { lo, hi } = demand.hull();
        for index in lo..=hi {
            let output = match combine.output(index) {
                CombineOutput::Odd(i) => self.wires[odd.at(i)],
                CombineOutput::Even(j) => self.wires[even.at(j)],
                CombineOutput::Both(i, j) if tight => {
                    self.conjunctions.conjoin(self.wires[odd.at(i)], self.wires[even.at(j)])
                }
                _ => {
                    let head = self.to.lit();
                    if demand.up.contains(index) {
                        self.combine_up(combine, index, odd, even, head)?;
                    }
                    if demand.down.contains(index) {
                        self.combine_down(combine, index, odd, even, head)?;
                    }
                    head.into()
                }
            };
            self.wires.push(output);
        }
        Ok(NetworkOutputs { start, lo })
    }

    /// Enough elements at odd and at even places make output `index` true.
    #[inline]
    fn combine_up(
        &mut self,
        combine: &Combine,
        index: u32,
        odd: NetworkOutputs,
        even: NetworkOutputs,
        head: Lit,
    ) -> Result<(), Full> {
        for (i, j) in combine.up(index) {
            let at = if i == 0 { even.at(j) } else { odd.at(i) };
            if i == 0 || j == 0 {
                self.up(self.wires[at], head)?;
            } else {
                self.both_up(self.wires[at], self.wires[even.at(j)], head)?;
            }
        }
        Ok(())
    }

    /// Too few elements at odd and at even places make output `index` false.
    #[inline]
    fn combine_down(
        &mut self,
        combine: &Combine,
        index: u32,
        odd: NetworkOutputs,
        even: NetworkOutputs,
        head: Lit,
    ) -> Result<(), Full> {
        for (i, j) in combine.down(index) {
            match (i, j) {
                (0, 0) => self.to.define(&[!head])?,
                (0, j) => self.to.define(&[self.wires[even.at(j)].lit, !head])?,
                (i, 0) => self.to.define(&[self.wires[odd.at(i)].lit, !head])?,
                (i, j) => {
                    let (first, second) = (self.wires[odd.at(i)].lit, self.wires[even.at(j)].lit);
                    self.to.define(&[first, second, !head])?;
                }
            }
        }
        Ok(())
    }

    /// `wire` makes `head` true.
    #[inline]
    fn up(&mut self, wire: Wire, head: Lit) -> Result<(), Full> {
        if wire.is_single() { self.to.define(&[!wire.lit, head]) } else { self.wide_up(wire, head) }
    }

    /// `first` and `second` together make `head` true.
    #[inline]
    fn both_up(&mut self, first: Wire, second: Wire, head: Lit) -> Result<(), Full> {
        if first.is_single() && second.is_single() {
            self.to.define(&[!first.lit, !second.lit, head])
        } else {
            self.wide_both_up(first, second, head)
        }
    }

    /// [`Self::up`] from a conjunction; most are of two.
    #[inline(never)]
    fn wide_up(&mut self, first: Wire, head: Lit) -> Result<(), Full> {
        if let [a] = *self.conjunctions.tail(first) {
            return self.to.define(&[!first.lit, !a, head]);
        }
        self.clause.clear();
        self.conjunctions.negate(first, &mut self.clause);
        self.clause.push(head);
        self.to.define(&self.clause)
    }

    /// [`Self::both_up`] where one of the two or both are conjunctions.
    #[inline(never)]
    fn wide_both_up(&mut self, first: Wire, second: Wire, head: Lit) -> Result<(), Full> {
        match (self.conjunctions.tail(first), self.conjunctions.tail(second)) {
            (&[a], []) => self.to.define(&[!first.lit, !a, !second.lit, head]),
            ([], &[b]) => self.to.define(&[!first.lit, !second.lit, !b, head]),
            (&[a], &[b]) => self.to.define(&[!first.lit, !a, !second.lit, !b, head]),
            _ => {
                self.clause.clear();
                self.conjunctions.negate(first, &mut self.clause);
                self.conjunctions.negate(second, &mut self.clause);
                self.clause.push(head);
                self.to.define(&self.clause)
            }
        }
    }

    /// Every output from every way to share it among the sequences; `wide` makes the last a conjunction.
    fn direct(&mut self, views: &[SequenceView], demand: Demand, wide: bool) -> Result<NetworkOutputs, Full> {
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
            let head = self.to.lit();
            if demand.up.contains(index) {
                self.shares(views, index, ClauseDirection::Up, Some(head))?;
            }
            if demand.down.contains(index) {
                self.shares(views, index, ClauseDirection::Down, Some(head))?;
            }
            self.wires.push(head.into());
        }
        Ok(NetworkOutputs { start, lo })
    }

    /// A clause for every way to share output `index` among the sequences: the head becomes true (false); without a
    /// head it is forbidden.
    fn shares(
        &mut self,
        views: &[SequenceView],
        index: u32,
        way: ClauseDirection,
        head: Option<Lit>,
    ) -> Result<(), Full> {
        if let (&[a, b], ClauseDirection::Up, Some(head)) = (views, way, head) {
            return self.pairs(a, b, index as usize, head);
        }
        let total = views.iter().map(|view| view.len).sum();
        let sum = if way == ClauseDirection::Up { index as usize } else { index as usize - 1 };
        self.clause.clear();
        self.tuples(views, total, sum, way, head)
    }

    /// The *up* clauses of [`Self::tuples`] for two sequences and a head, without its recursion.
    fn pairs(&mut self, a: SequenceView, b: SequenceView, sum: usize, head: Lit) -> Result<(), Full> {
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

    /// A clause for every way to take `sum` elements from the sequences, which are `total` long together, after those
    /// that are in the clause already.
    fn tuples(
        &mut self,
        views: &[SequenceView],
        total: usize,
        sum: usize,
        way: ClauseDirection,
        head: Option<Lit>,
    ) -> Result<(), Full> {
        let Some((&view, rest)) = views.split_first() else {
            return match head {
                Some(head) => {
                    self.clause.push(if way == ClauseDirection::Up { head } else { !head });
                    let done = self.to.define(&self.clause);
                    self.clause.pop();
                    done
                }
                None => self.to.clause(&self.clause),
            };
        };
        let outer = total - view.len;
        for take in sum.saturating_sub(outer)..=sum.min(view.len) {
            let len = self.clause.len();
            if way == ClauseDirection::Up && take > 0 {
                self.conjunctions.negate(self.wires[view.at(take as u32)], &mut self.clause);
            } else if way == ClauseDirection::Down && take < view.len {
                self.clause.push(self.wires[view.at(take as u32 + 1)].lit);
            }
            self.tuples(rest, outer, sum - take, way, head)?;
            self.clause.truncate(len);
        }
        Ok(())
    }
}
