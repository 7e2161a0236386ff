//! *Circuit*: each node has a successor, and following them is one cycle through all nodes; *subcircuit*: through
//! some of them, while the others are their own successors.
//!
//! Successors are all different. Cycles that miss the first node are excluded by giving every node a state of a
//! [`Register`], which changes with every step and comes back after more steps than a cycle that misses a node can
//! have: b bits a node and 2b + 2 clauses an arc.
//!
//! A question to a solver does without: see `Tours`.

use super::all_different::all_different;
use super::register::Register;
use super::{Domains, Empty, Encoder, Needs, ViewRule};
use crate::constraint::{Constraint, any};
use crate::variables::{Expr, IntVar, View};
use crate::writer::{Cuts, Truth, in_model, some_of};
use cnfkit_core::CapacityError;
use rustsat::types::Lit;

/// The expressions are the successors of nodes from 0 on, and make one cycle through all nodes: MiniZinc's `circuit`.
/// A single node is its own successor.
///
/// ```
/// use cnfkit::model::{Model, circuit};
/// let mut model = Model::new();
/// let next = model.ints(5, 0..=4);
/// model.post(circuit(&next));
/// assert_eq!(model.count(100)?, 4 * 3 * 2);
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
pub fn circuit<E: Into<Expr>>(successors: impl IntoIterator<Item = E>) -> Constraint {
    cycle_of(successors.into_iter().map(Into::into).collect(), true)
}

/// The expressions are the successors of nodes from 0 on; those that are not their own successors make one cycle:
/// MiniZinc's `subcircuit`. There may be no cycle at all.
///
/// ```
/// use cnfkit::model::{Model, subcircuit};
/// let mut model = Model::new();
/// let next = model.ints(4, 0..=3);
/// model.post(subcircuit(&next));
/// assert_eq!(model.count(100)?, 1 + 6 + 4 * 2 + 6); // through none, two, three and four nodes
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
pub fn subcircuit<E: Into<Expr>>(successors: impl IntoIterator<Item = E>) -> Constraint {
    cycle_of(successors.into_iter().map(Into::into).collect(), false)
}

fn cycle_of(exprs: Vec<Expr>, all: bool) -> Constraint {
    let range = Some((0, exprs.len() as i64 - 1));
    let within = exprs.iter().map(|expr| (expr.clone(), range)).collect();
    all_different(exprs).and(Constraint::rule_within(within, move |next| Circuit { next, all }))
}

/// One cycle, for successors that are all different.
#[derive(Clone, Debug)]
struct Circuit {
    next: Vec<View>,
    /// Through all nodes; otherwise through those that are not their own successors.
    all: bool,
}

impl Circuit {
    /// All that is written where cycles are excluded as they come up: no node is its own successor, and no two are each
    /// other's.
    fn write_lazily(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        let n = self.next.len();
        let arc = |encoder: &Encoder<'_>, from: usize, to: usize| encoder.is(self.next[from], to as i64);
        for node in (0..n).filter(|_| self.all) {
            let itself = arc(encoder, node, node);
            encoder.clause([!itself])?;
            if n > 2 {
                for other in 0..node {
                    let both = [!arc(encoder, node, other), !arc(encoder, other, node)];
                    encoder.clause(both)?;
                }
            }
        }
        let arcs = (0..n).map(|from| (0..n).map(|to| arc(encoder, from, to)).collect()).collect();
        encoder.answer_lazily(Tours { arcs, all: self.all });
        Ok(())
    }

    /// The first node that is not its own successor, as a truth value of each node.
    fn starts(&self, encoder: &mut Encoder<'_>) -> Result<Vec<Truth>, CapacityError> {
        let mut none_before = Truth::Known(true);
        let mut starts = Vec::with_capacity(self.next.len());
        for (node, &view) in (0..).zip(&self.next) {
            let off = encoder.is(view, node);
            let start = Truth::If(encoder.new_lit());
            let none = Truth::If(encoder.new_lit());
            encoder.define([!start, none_before])?;
            encoder.define([!start, !off])?;
            encoder.define([start, !none_before, off])?;
            encoder.define([!none, none_before])?;
            encoder.define([!none, off])?;
            encoder.define([none, !none_before, !off])?;
            starts.push(start);
            none_before = none;
        }
        Ok(starts)
    }
}

impl ViewRule for Circuit {
    fn text(&self) -> String {
        super::call(if self.all { "circuit" } else { "subcircuit" }, &self.next)
    }

    fn variables(&self, found: &mut Vec<IntVar>) {
        super::variables_of(&self.next, found);
    }

    fn shrink(&self, domains: &mut Domains) -> Result<(), Empty> {
        let n = self.next.len();
        self.next.iter().try_for_each(|&view| domains.within(view, n))?;
        if n < 2 || !self.all {
            return Ok(());
        }
        for (at, &view) in (0..).zip(&self.next) {
            domains.remove(view, at)?;
        }
        // The end of a known path does not lead back to its start before all nodes are on it.
        let next: Vec<Option<usize>> =
            self.next.iter().map(|&view| domains.value(view).and_then(|to| usize::try_from(to).ok())).collect();
        let mut is_inside = vec![false; n];
        next.iter().flatten().for_each(|&to| is_inside[to] = true);
        for start in (0..n).filter(|&node| !is_inside[node]) {
            let (mut end, mut length) = (start, 1);
            while let Some(to) = next[end] {
                (end, length) = (to, length + 1);
                if length > n {
                    return Err(Empty);
                }
            }
            if length > 1 && length < n {
                domains.remove(self.next[end], start as i64)?;
            }
        }
        // A cycle of known successors has no start.
        let mut seen = vec![false; n];
        for start in 0..n {
            let (mut node, mut length) = (start, 0);
            while let Some(to) = next[node].filter(|_| !seen[node]) {
                seen[node] = true;
                (node, length) = (to, length + 1);
                if node == start && length < n {
                    return Err(Empty);
                }
            }
        }
        Ok(())
    }

    fn needs(&self, _: &Domains, needs: &mut Needs) {
        self.next.iter().for_each(|&view| needs.direct(view));
    }

    fn encode(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        let n = self.next.len();
        for &view in &self.next {
            for value in encoder.domains().values(view) {
                if value < 0 || value >= n as i64 {
                    let outside = encoder.is(view, value);
                    encoder.clause([!outside])?;
                }
            }
        }
        if n < 2 {
            return Ok(());
        }
        if encoder.context().allows_cuts() {
            return self.write_lazily(encoder);
        }
        let register = Register::of(n);
        let starts = if self.all { Vec::new() } else { self.starts(encoder)? };
        // The first node's state, if that is known, is a one and zeros.
        let state: Vec<Vec<Truth>> =
            (0..n).map(|node| register.state(encoder, self.all && node == 0)).collect::<Result<_, _>>()?;
        for (from, &view) in self.next.iter().enumerate() {
            for to in (usize::from(self.all)..n).filter(|&to| to != from) {
                let not_here = !encoder.is(view, to as i64);
                let skip = starts.get(to).copied().unwrap_or(Truth::Known(false));
                register.step(encoder, [not_here, skip], &state[from], &state[to])?;
            }
            if self.all {
                let itself = encoder.is(view, from as i64);
                encoder.clause([!itself])?;
            }
        }
        Ok(())
    }

    fn negated(&self) -> Constraint {
        let exprs: Vec<Expr> = self.next.iter().map(|&view| view.into()).collect();
        let (n, all) = (exprs.len() as i64, self.all);
        let outside: Vec<Constraint> = exprs.iter().flat_map(|expr| [expr.clone().lt(0), expr.clone().ge(n)]).collect();
        any(outside.into_iter().chain([Constraint::rule(exprs, move |next| Trap(Circuit { next, all }))]))
    }

    fn holds(&self, value: &dyn Fn(IntVar) -> i64) -> bool {
        let next: Vec<i64> = self.next.iter().map(|view| view.of(value)).collect();
        let n = next.len();
        if !next.iter().all(|&to| 0 <= to && to < n as i64) {
            return false;
        }
        let on: Vec<usize> = (0..n).filter(|&node| self.all || next[node] != node as i64).collect();
        on.iter().all(|&start| cycle(&next, start) == Some(on.len()))
    }
}

/// Cycles are excluded as they come up: the nodes of each must have an arc to another node (G. Dantzig, R. Fulkerson,
/// S. Johnson, *Solution of a Large-Scale Traveling-Salesman Problem*, Journal of the Operations Research Society of
/// America 2(4), 1954, pp. 393–410).
#[derive(Debug)]
struct Tours {
    /// *This is the successor of that*, by both.
    arcs: Vec<Vec<Truth>>,
    all: bool,
}

impl Cuts for Tours {
    fn violated(&self, is_true: &dyn Fn(Lit) -> bool) -> Vec<Vec<Lit>> {
        let n = self.arcs.len();
        let next = |node: usize| self.arcs[node].iter().position(|&arc| in_model(arc, is_true)).unwrap_or(node);
        let next: Vec<usize> = (0..n).map(next).collect();
        let mut seen = vec![usize::MAX; n];
        let mut cycles: Vec<Vec<usize>> = Vec::new();
        for start in 0..n {
            let mut node = start;
            while seen[node] == usize::MAX {
                seen[node] = start;
                node = next[node];
            }
            if seen[node] == start && (self.all || next[node] != node) {
                let mut cycle = vec![node];
                let mut at = next[node];
                while at != node {
                    cycle.push(at);
                    at = next[at];
                }
                cycles.push(cycle);
            }
        }
        if cycles.len() < 2 && !(self.all && cycles.iter().any(|cycle| cycle.len() < n)) {
            return Vec::new();
        }
        let leaves = |cycle: &[usize]| {
            let mut inside = vec![false; n];
            cycle.iter().for_each(|&node| inside[node] = true);
            let outside: Vec<usize> = (0..n).filter(|&node| !inside[node]).collect();
            let arcs = cycle.iter().flat_map(|&from| outside.iter().map(move |&to| (from, to)));
            arcs.map(|(from, to)| self.arcs[from][to]).collect::<Vec<Truth>>()
        };
        let with_others = |(at, cycle): (usize, &Vec<usize>)| {
            let mut truths = leaves(cycle);
            if !self.all {
                // Unless one of its nodes, or one of another cycle, is on none.
                let (own, other) = (cycle[0], cycles[(at + 1) % cycles.len()][0]);
                truths.extend([self.arcs[own][own], self.arcs[other][other]]);
            }
            some_of(truths)
        };
        cycles.iter().enumerate().map(with_others).collect()
    }
}

/// The number of steps after which successors come back to a node; `None` if they do not.
fn cycle(next: &[i64], start: usize) -> Option<usize> {
    let mut node = start;
    (1..=next.len()).find(|_| {
        node = usize::try_from(next[node]).expect("a node");
        node == start
    })
}

/// Some nodes that no successor leads out of, while there are others; of a subcircuit, nodes that are their own
/// successors do not count.
#[derive(Debug)]
struct Trap(Circuit);

impl ViewRule for Trap {
    fn text(&self) -> String {
        format!("!{}", self.0.text())
    }

    fn needs(&self, domains: &Domains, needs: &mut Needs) {
        self.0.needs(domains, needs);
    }

    fn encode(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        let next = &self.0.next;
        let inside: Vec<Truth> = next.iter().map(|_| Truth::If(encoder.new_lit())).collect();
        for is_inside in [true, false] {
            let mut some = Vec::with_capacity(next.len());
            for (node, (&view, &inside)) in (0..).zip(next.iter().zip(&inside)) {
                let here = if is_inside { inside } else { !inside };
                if self.0.all {
                    some.push(here);
                    continue;
                }
                let witness = Truth::If(encoder.new_lit());
                let off = encoder.is(view, node);
                encoder.define([!witness, here])?;
                encoder.define([!witness, !off])?;
                some.push(witness);
            }
            encoder.clause(some)?;
        }
        for (from, &view) in next.iter().enumerate() {
            for (to, &target) in inside.iter().enumerate() {
                let arc = encoder.is(view, to as i64);
                encoder.clause([!inside[from], !arc, target])?;
            }
        }
        Ok(())
    }

    fn negated(&self) -> Constraint {
        let all = self.0.all;
        Constraint::rule(self.0.next.iter().map(|&view| view.into()).collect(), move |next| Circuit { next, all })
    }

    fn holds(&self, value: &dyn Fn(IntVar) -> i64) -> bool {
        let next: Vec<i64> = self.0.next.iter().map(|view| view.of(value)).collect();
        let inside = next.iter().all(|&to| 0 <= to && to < next.len() as i64);
        !inside || !self.0.holds(value)
    }
}
