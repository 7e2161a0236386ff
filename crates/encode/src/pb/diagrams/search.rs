//! The remainders of a diagram, looked at depth first.

use rustsat::types::Lit;

use super::intervals::{Interval, Intervals};
use super::problem::{Child, DiagramNode, DiagramProblem};
use crate::encode::{GoOn, ONCE_IN};

/// A remainder of a layer that is looked at: the first literals of the layer are answered.
#[derive(Clone, Copy)]
struct Frame {
    layer: usize,
    left: u64,
    /// The place of the next literal of the layer.
    next: usize,
    /// The remainders that lead to the same children as far as they are known.
    low: u64,
    high: u64,
}

/// Nodes and intervals so far.
pub(super) struct DiagramSearch<'a, I> {
    problem: &'a DiagramProblem<'a>,
    /// The greatest weight of the layers from each number on; 0 after the last.
    rest: Vec<u64>,
    pub(super) intervals: I,
    /// Children come before their parents.
    pub(super) nodes: Vec<DiagramNode>,
    pub(super) choices: Vec<(Lit, Child)>,
}

impl<'a, I: Intervals> DiagramSearch<'a, I> {
    pub(super) const fn new(problem: &'a DiagramProblem<'a>, rest: Vec<u64>, intervals: I) -> Self {
        Self { problem, rest, intervals, nodes: Vec::new(), choices: Vec::new() }
    }

    fn frame(&self, layer: usize, left: u64) -> Frame {
        Frame { layer, left, next: self.problem.literals(layer).start, low: 0, high: u64::MAX }
    }

    /// The interval that a remainder is in, if it is known.
    #[inline]
    fn find(&self, layer: usize, left: u64) -> Option<Interval> {
        if left >= self.rest[layer] {
            return Some(Interval { low: self.rest[layer], high: u64::MAX, child: Child::Always, own: false });
        }
        self.intervals.find(layer, left)
    }

    /// Looks at all remainders that a bound leads to, which is at most the problem's, and returns the root; `None` when
    /// these are more than the budget, or `go_on` is false, which is asked once in many.
    pub(super) fn run(&mut self, bound: u64, go_on: &mut GoOn<'_>) -> Option<Child> {
        let &DiagramProblem { terms, ends, budget, .. } = self.problem;
        // Nodes and choices are numbered by 32 bits.
        let budget = budget.min(u32::MAX as usize);
        let mut looked_at = 0;
        // Remainders that are asked for, each on behalf of the one before it, with the choices so far.
        let mut open: Vec<Frame> = Vec::new();
        let mut chosen: Vec<(Lit, Child)> = Vec::new();
        // The interval of the one that was just answered.
        let mut answer = self.find(0, bound);
        if answer.is_none() {
            open.push(self.frame(0, bound));
        }
        'open: while let Some(frame) = open.last_mut() {
            let Frame { layer, left, .. } = *frame;
            while frame.next < ends[layer] {
                let (input, weight) = terms[frame.next];
                let child = match left.checked_sub(weight) {
                    // Below zero: all remainders up to there are the same.
                    None => {
                        frame.high = frame.high.min(weight - 1);
                        Child::Never
                    }
                    Some(left) => {
                        let Some(found) = answer.take().or_else(|| self.find(layer + 1, left)) else {
                            let frame = self.frame(layer + 1, left);
                            open.push(frame);
                            continue 'open;
                        };
                        frame.low = frame.low.max(found.low + weight);
                        frame.high = frame.high.min(found.high.saturating_add(weight));
                        found.child
                    }
                };
                chosen.push((input, child));
                frame.next += 1;
            }
            let Some(omitted) = answer.take().or_else(|| self.find(layer + 1, left)) else {
                let frame = self.frame(layer + 1, left);
                open.push(frame);
                continue;
            };
            let literals = self.problem.literals(layer).len();
            let asks = looked_at / ONCE_IN != (looked_at + literals) / ONCE_IN;
            looked_at += literals;
            if looked_at > budget || asks && !go_on() {
                return None;
            }
            let (low, high) = (frame.low.max(omitted.low), frame.high.min(omitted.high));
            let first = chosen.len() - literals;
            let child = self.node(&chosen[first..], omitted.child);
            chosen.truncate(first);
            let interval = Interval { low, high, child, own: child != omitted.child };
            self.intervals.insert(layer, interval);
            answer = Some(interval);
            open.pop();
        }
        answer.map(|answer| answer.child)
    }

    /// The node with these choices, and this child if all literals are false: an earlier child, a literal, or a node of
    /// its own.
    fn node(&mut self, chosen: &[(Lit, Child)], omitted: Child) -> Child {
        let own = self.choices.len();
        for &(input, child) in chosen {
            // What an implied literal says already, or no literal at all.
            let is_said = child == omitted
                || self.problem.chains && self.choices[own..].last().is_some_and(|&(_, last)| last == child);
            if !is_said {
                self.choices.push((input, child));
            }
        }
        match (&self.choices[own..], omitted) {
            (&[], omitted) => omitted,
            (&[(input, Child::Never)], Child::Always) => {
                self.choices.truncate(own);
                Child::If(!input)
            }
            (_, omitted) => {
                self.nodes.push(DiagramNode { choices: self.choices.len() as u32, omitted, holds: false });
                Child::Node(self.nodes.len() as u32 - 1)
            }
        }
    }
}
