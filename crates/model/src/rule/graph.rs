//! Constraints on graphs whose nodes and edges are truth values: connected, a tree, a path, one cycle, and every node
//! reached from a root.
//!
//! All of them are degrees and one rule, [`Reach`]: every node of the graph is reached from one of them. Where a model
//! violates it, the nodes that are reached and one that is not are separated by nodes and edges that are not in the
//! graph; one of these has to be, or an end must not. Only those that both ends lead to are named, a minimal separator
//! (M. Fischetti, M. Leitner, I. Ljubić and others, *Thinning out Steiner trees*, Mathematical Programming Computation
//! 9, 2017, pp. 203–229). Where everything has to be written, each node but the root has a parent, and the states of a
//! [`Register`] along parents leave no cycle.

use super::register::Register;
use super::{Domains, Empty, Encoder, Needs, ViewRule};
use crate::constraint::{Constraint, all, any};
use crate::variables::{Expr, IntVar, View, sum};
use crate::writer::{Cuts, Truth, in_model, some_of};
use cnfkit_core::CapacityError;
use cnfkit_core::internals::sort;
use rustsat::types::Lit;

/// An edge of a graph between two nodes, which are numbered from 0: `(0, 1)` is there where its ends are, `(0, 1, b)`
/// where `b` is true or 1, and then its ends are, too.
#[derive(Clone, Debug)]
pub struct Edge {
    from: usize,
    to: usize,
    /// `None`: wherever the ends are.
    is: Option<Expr>,
}

impl From<(usize, usize)> for Edge {
    fn from((from, to): (usize, usize)) -> Self {
        Self { from, to, is: None }
    }
}

impl<E: Into<Expr>> From<(usize, usize, E)> for Edge {
    fn from((from, to, is): (usize, usize, E)) -> Self {
        Self { from, to, is: Some(is.into()) }
    }
}

/// The nodes and edges that are true make a connected graph: MiniZinc's `connected`, where there may be no node at all.
///
/// ```
/// use cnfkit::model::{Model, connected};
/// let mut model = Model::new();
/// let cells = model.bools(4); // in a row
/// model.post(connected(&cells, [(0, 1), (1, 2), (2, 3)]));
/// assert_eq!(model.count(100)?, 1 + 4 + 3 + 2 + 1);
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
///
/// # Panics
/// When an edge has an end that is no node.
#[doc(alias = "active_vertices_connected")]
pub fn connected<N: Into<Expr>, E: Into<Edge>>(
    nodes: impl IntoIterator<Item = N>,
    edges: impl IntoIterator<Item = E>,
) -> Constraint {
    GivenGraph::new(nodes, edges).reached(None, false)
}

/// The nodes and edges that are true are reached from `root`, which is one of the nodes: MiniZinc's `reachable`, with
/// edges in both directions.
///
/// ```
/// use cnfkit::model::{Edge, Model, reachable};
/// let mut model = Model::new();
/// let cells = model.bools(4); // in a row
/// let edges: [Edge; 3] = [(0, 1), (1, 2), (2, 3)].map(Edge::from);
/// model.post(reachable(0, &cells, edges));
/// assert_eq!(model.count(100)?, 4); // from the first on
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
///
/// # Panics
/// When an edge has an end that is no node.
pub fn reachable<N: Into<Expr>, E: Into<Edge>>(
    root: impl Into<Expr>,
    nodes: impl IntoIterator<Item = N>,
    edges: impl IntoIterator<Item = E>,
) -> Constraint {
    GivenGraph::new(nodes, edges).reached(Some(root.into()), false)
}

/// The nodes and edges that are true are reached from `root`, which is one of the nodes: MiniZinc's `dreachable`, with
/// edges from their first end to their second.
///
/// ```
/// use cnfkit::model::{Model, dreachable};
/// let mut model = Model::new();
/// let (node, edge) = (model.bools(3), model.bools(2));
/// model.post(dreachable(1, &node, [(0, 1, edge[0]), (1, 2, edge[1])]));
/// assert_eq!(model.count(100)?, 2); // with the second edge and the third node, or without both
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
///
/// # Panics
/// When an edge has an end that is no node.
pub fn dreachable<N: Into<Expr>, E: Into<Edge>>(
    root: impl Into<Expr>,
    nodes: impl IntoIterator<Item = N>,
    edges: impl IntoIterator<Item = E>,
) -> Constraint {
    GivenGraph::new(nodes, edges).reached(Some(root.into()), true)
}

/// The nodes and edges that are true make a tree of one node or more: MiniZinc's `tree`.
///
/// ```
/// use cnfkit::model::{Model, sum, tree};
/// let mut model = Model::new();
/// let (node, edge) = (model.bools(3), model.bools(3));
/// model.post(tree(&node, [(0, 1, edge[0]), (1, 2, edge[1]), (2, 0, edge[2])]));
/// assert_eq!(model.count(100)?, 3 + 3 + 3); // of one, two and three nodes
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
///
/// # Panics
/// When an edge has an end that is no node, or no truth value of its own.
pub fn tree<N: Into<Expr>, E: Into<Edge>>(
    nodes: impl IntoIterator<Item = N>,
    edges: impl IntoIterator<Item = E>,
) -> Constraint {
    let graph = GivenGraph::new(nodes, edges);
    let size = (sum(graph.truths()) + 1).eq(sum(&graph.nodes));
    graph.reached(None, false).and(size)
}

/// The nodes and edges that are true make a path from node `from` to node `to`, which may be the same: MiniZinc's
/// `path`.
///
/// ```
/// use cnfkit::model::{Model, path};
/// let mut model = Model::new();
/// let (node, edge) = (model.bools(4), model.bools(4));
/// let square = [(0, 1, edge[0]), (1, 2, edge[1]), (2, 3, edge[2]), (3, 0, edge[3])];
/// let end = model.int(0..=3);
/// model.post(path(0, end, &node, square));
/// assert_eq!(model.count(100)?, 1 + 3 * 2);
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
///
/// # Panics
/// When an edge has an end that is no node, or no truth value of its own.
pub fn path<N: Into<Expr>, E: Into<Edge>>(
    from: impl Into<Expr>,
    to: impl Into<Expr>,
    nodes: impl IntoIterator<Item = N>,
    edges: impl IntoIterator<Item = E>,
) -> Constraint {
    let (from, to) = (from.into(), to.into());
    let graph = GivenGraph::new(nodes, edges);
    Constraint::later(move |scope| {
        let ends = [from, to].map(|end| scope.view_of(end));
        let truths = graph.truths();
        let n = graph.nodes.len();
        // Two edges a node, less one at each end.
        let degree = |(at, node): (usize, &Expr)| {
            let incident = graph.edges.iter().zip(&truths).filter(|(edge, _)| edge.from == at || edge.to == at);
            let at = at as i64;
            let edges: Expr = incident.map(|(edge, truth)| truth * if edge.from == edge.to { 2 } else { 1 }).sum();
            (edges + ends[0].counts(at) + ends[1].counts(at)).eq(2 * node)
        };
        let degrees: Vec<Constraint> = graph.nodes.iter().enumerate().map(degree).collect();
        let inside = ends.iter().flat_map(|&end| [Expr::from(end).ge(0), Expr::from(end).lt(n)]);
        all(degrees.into_iter().chain(inside).chain([graph.reached(None, false)]))
    })
}

/// The edges that are true make one cycle, which passes no node twice, or there is none: the loop of puzzles such as
/// Slitherlink. Two edges between the same two nodes are a cycle.
///
/// ```
/// use cnfkit::model::{Model, single_cycle};
/// let mut model = Model::new();
/// let edge = model.bools(5); // a square with a diagonal
/// model.post(single_cycle([(0, 1, edge[0]), (1, 2, edge[1]), (2, 3, edge[2]), (3, 0, edge[3]), (0, 2, edge[4])]));
/// assert_eq!(model.count(100)?, 1 + 3);
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
///
/// # Panics
/// When an edge has no truth value of its own.
#[doc(alias = "active_edges_single_cycle")]
pub fn single_cycle<E: Into<Edge>>(edges: impl IntoIterator<Item = E>) -> Constraint {
    let edges: Vec<Edge> = edges.into_iter().map(Into::into).collect();
    let n = edges.iter().map(|edge| edge.from.max(edge.to) + 1).max().unwrap_or(0);
    let graph = GivenGraph { nodes: vec![Expr::default(); n], edges };
    let truths = graph.truths();
    let mut rules = Vec::new();
    let mut neighbours = Vec::new();
    for node in 0..n {
        let at: Vec<usize> =
            (0..truths.len()).filter(|&at| graph.edges[at].from == node || graph.edges[at].to == node).collect();
        rules.push(sum(at.iter().map(|&at| &truths[at])).le(2));
        for (place, &one) in at.iter().enumerate() {
            let others: Expr = at.iter().filter(|&&other| other != one).map(|&other| &truths[other]).sum();
            rules.push(truths[one].le(others));
            neighbours.extend(at[place + 1..].iter().map(|&other| (one, other)));
        }
    }
    // Edges are the nodes of a graph where those that meet are neighbours.
    all(rules).and(connected(truths, neighbours))
}

/// Nodes and edges as they were given.
#[derive(Clone, Debug)]
struct GivenGraph {
    nodes: Vec<Expr>,
    edges: Vec<Edge>,
}

impl GivenGraph {
    fn new<N: Into<Expr>, E: Into<Edge>>(
        nodes: impl IntoIterator<Item = N>,
        edges: impl IntoIterator<Item = E>,
    ) -> Self {
        let nodes: Vec<Expr> = nodes.into_iter().map(Into::into).collect();
        let edges: Vec<Edge> = edges.into_iter().map(Into::into).collect();
        for edge in &edges {
            let last = edge.from.max(edge.to);
            assert!(last < nodes.len(), "an edge to node {last}: there are {}, numbered from 0", nodes.len());
        }
        Self { nodes, edges }
    }

    /// The truth values of edges.
    fn truths(&self) -> Vec<Expr> {
        self.edges.iter().map(|edge| edge.is.clone().expect("each edge has a truth value of its own")).collect()
    }

    /// Edges have their ends, and everything is reached from the root, or from any node.
    fn reached(self, root: Option<Expr>, directed: bool) -> Constraint {
        let ends = self.edges.iter().flat_map(|edge| {
            let of = |is: &Expr| [is.le(&self.nodes[edge.from]), is.le(&self.nodes[edge.to])];
            edge.is.as_ref().map_or_else(Vec::new, |is| of(is).into())
        });
        let ends: Vec<Constraint> = ends.collect();
        let n = self.nodes.len();
        let mut exprs = self.nodes;
        let mut arcs = Vec::with_capacity(self.edges.len());
        for edge in self.edges {
            arcs.push((edge.from, edge.to));
            exprs.push(edge.is.unwrap_or_else(|| 1.into()));
        }
        exprs.extend(root);
        all(ends.into_iter().chain([Constraint::rule(exprs, move |views| Reach::of(&views, n, arcs, directed))]))
    }
}

/// Every node of a graph is reached from the root, which is one of them; or from any one of them.
#[derive(Clone, Debug)]
struct Reach {
    nodes: Vec<View>,
    edges: Vec<(usize, usize, View)>,
    /// `None`: any node, and there may be none.
    root: Option<View>,
    /// From the first end to the second only.
    directed: bool,
}

impl Reach {
    /// The first `n` views are the nodes, then come the edges, and the root if there is one.
    fn of(views: &[View], n: usize, ends: Vec<(usize, usize)>, directed: bool) -> Self {
        let (nodes, rest) = views.split_at(n);
        let edges: Vec<_> = ends.into_iter().zip(rest).map(|((from, to), &view)| (from, to, view)).collect();
        let root = rest.get(edges.len()).copied();
        Self { nodes: nodes.to_vec(), edges, root, directed }
    }

    fn exprs(&self) -> Vec<Expr> {
        let edges = self.edges.iter().map(|&(.., view)| view);
        self.nodes.iter().copied().chain(edges).chain(self.root).map(Expr::from).collect()
    }

    /// The arcs: edge, from, to.
    fn arcs(&self) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        let forth = self.edges.iter().enumerate().map(|(at, &(from, to, _))| (at, from, to));
        let back = self.edges.iter().enumerate().map(|(at, &(from, to, _))| (at, to, from));
        forth.chain(back.filter(|_| !self.directed)).filter(|(_, from, to)| from != to)
    }

    /// The nodes that are reached from some by arcs that `leads` lets through, with these.
    fn closure(&self, from: impl IntoIterator<Item = usize>, leads: impl Fn(usize, usize) -> bool) -> Vec<bool> {
        let mut next: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.nodes.len()];
        self.arcs().for_each(|(edge, from, to)| next[from].push((edge, to)));
        let mut reached = vec![false; self.nodes.len()];
        let mut stack: Vec<usize> = from.into_iter().collect();
        stack.iter().for_each(|&node| reached[node] = true);
        while let Some(node) = stack.pop() {
            for &(edge, to) in &next[node] {
                if !reached[to] && leads(edge, to) {
                    reached[to] = true;
                    stack.push(to);
                }
            }
        }
        reached
    }

    /// The nodes in a view's range that it names.
    fn named(&self, root: i64) -> Option<usize> {
        usize::try_from(root).ok().filter(|&root| root < self.nodes.len())
    }

    /// The literals that the rule speaks of.
    fn truths(&self, encoder: &Encoder<'_>) -> Truths {
        let n = self.nodes.len();
        Truths {
            nodes: self.nodes.iter().map(|&view| encoder.at_least(view, 1)).collect(),
            edges: self.edges.iter().map(|&(.., view)| encoder.at_least(view, 1)).collect(),
            root: self.root.map(|root| (0..n).map(|node| encoder.is(root, node as i64)).collect()),
        }
    }

    /// The root is a node of the graph.
    fn root_is_inside(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        let Some(root) = self.root else { return Ok(()) };
        for value in encoder.domains().values(root) {
            let inside = self.named(value).map_or(Truth::Known(false), |node| encoder.at_least(self.nodes[node], 1));
            let is = encoder.is(root, value);
            encoder.clause([!is, inside])?;
        }
        Ok(())
    }

    /// Each node has a parent but the root, and none is above itself.
    fn write(&self, truths: &Truths, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        let n = self.nodes.len();
        let roots: Vec<Truth> = match &truths.root {
            Some(roots) => roots.clone(),
            None => (0..n).map(|_| Truth::If(encoder.new_lit())).collect(),
        };
        if truths.root.is_none() {
            encoder.cardinality(roots.iter().copied(), cnfkit_core::Relation::AtMost(1))?;
        }
        let register = Register::of(n);
        let states: Vec<Vec<Truth>> =
            (0..n).map(|_| register.state(encoder, false)).collect::<Result<_, CapacityError>>()?;
        let mut parents: Vec<Vec<Truth>> = roots.into_iter().map(|root| vec![root]).collect();
        for (edge, from, to) in self.arcs() {
            let parent = Truth::If(encoder.new_lit());
            encoder.clause([!parent, truths.edges[edge]])?;
            encoder.clause([!parent, truths.nodes[from]])?;
            register.step(encoder, [!parent, Truth::Known(false)], &states[from], &states[to])?;
            parents[to].push(parent);
        }
        for (parents, &node) in parents.into_iter().zip(&truths.nodes) {
            encoder.clause(parents.into_iter().chain([!node]))?;
        }
        Ok(())
    }
}

impl ViewRule for Reach {
    fn text(&self) -> String {
        let edge = |&(from, to, view): &(usize, usize, View)| format!("{from} to {to}: {view}");
        let edges: Vec<String> = self.edges.iter().map(edge).collect();
        let (nodes, edges) = (super::list(&self.nodes), super::list(&edges));
        match (self.root, self.directed) {
            (None, _) => format!("connected({nodes}, {edges})"),
            (Some(root), false) => format!("reachable({root}, {nodes}, {edges})"),
            (Some(root), true) => format!("dreachable({root}, {nodes}, {edges})"),
        }
    }

    fn variables(&self, found: &mut Vec<IntVar>) {
        let edges = self.edges.iter().map(|&(.., view)| view);
        let views: Vec<View> = self.nodes.iter().copied().chain(edges).chain(self.root).collect();
        super::variables_of(&views, found);
    }

    /// Nodes that nothing can connect with one that is in the graph are not.
    fn shrink(&self, domains: &mut Domains) -> Result<(), Empty> {
        if let Some(root) = self.root {
            domains.within(root, self.nodes.len())?;
        }
        let sure = |domains: &Domains, view: View| domains.bounds(view).0 >= 1;
        let may = |domains: &Domains, view: View| domains.bounds(view).1 >= 1;
        let start = match self.root {
            Some(root) => domains.value(root).and_then(|root| self.named(root)),
            // Edges lead both ways: whatever is sure is as good as any other.
            None => (0..self.nodes.len()).find(|&node| sure(domains, self.nodes[node])),
        };
        let Some(start) = start else { return Ok(()) };
        let leads = |edge: usize, to: usize| may(domains, self.edges[edge].2) && may(domains, self.nodes[to]);
        let reached = self.closure([start], leads);
        for (&view, _) in self.nodes.iter().zip(reached).filter(|(_, reached)| !reached) {
            domains.at_most(view, 0)?;
        }
        Ok(())
    }

    fn needs(&self, _: &Domains, needs: &mut Needs) {
        self.nodes.iter().for_each(|&view| needs.order(view));
        self.edges.iter().for_each(|&(.., view)| needs.order(view));
        if let Some(root) = self.root {
            needs.direct(root);
        }
    }

    fn encode(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        self.root_is_inside(encoder)?;
        let truths = self.truths(encoder);
        if encoder.context().allows_cuts() {
            encoder.answer_lazily(Separators { rule: self.clone(), truths });
            return Ok(());
        }
        self.write(&truths, encoder)
    }

    fn negated(&self) -> Constraint {
        let (n, directed) = (self.nodes.len(), self.directed);
        let ends: Vec<(usize, usize)> = self.edges.iter().map(|&(from, to, _)| (from, to)).collect();
        let apart = Constraint::rule(self.exprs(), move |views| Apart(Reach::of(&views, n, ends, directed)));
        let Some(root) = self.root else { return apart };
        // Or the root is no node of the graph.
        let is_root = |node: usize| Constraint::is(root, node as i64);
        let outside = (0..n).map(|node| is_root(node).and(Expr::from(self.nodes[node]).le(0)));
        any([apart, Expr::from(root).lt(0), Expr::from(root).ge(n)].into_iter().chain(outside))
    }

    fn holds(&self, value: &dyn Fn(IntVar) -> i64) -> bool {
        let inside: Vec<bool> = self.nodes.iter().map(|view| view.of(value) >= 1).collect();
        let start = match self.root {
            Some(root) => match self.named(root.of(value)).filter(|&root| inside[root]) {
                Some(root) => root,
                None => return false,
            },
            None => match inside.iter().position(|&inside| inside) {
                Some(first) => first,
                None => return true,
            },
        };
        let reached = self.closure([start], |edge, to| inside[to] && self.edges[edge].2.of(value) >= 1);
        inside.iter().zip(reached).all(|(inside, reached)| reached || !inside)
    }
}

/// The literals of nodes, of edges, and of *this is the root*.
#[derive(Debug)]
struct Truths {
    nodes: Vec<Truth>,
    edges: Vec<Truth>,
    root: Option<Vec<Truth>>,
}

/// Nodes that are not reached are answered with separators.
#[derive(Debug)]
struct Separators {
    rule: Reach,
    truths: Truths,
}

impl Separators {
    /// The gaps that keep `to` from being reached from `from`, as close to those that are `reached` as may be: nodes
    /// and edges that are not in the graph, on arcs out of what is reached. Only those that lead on to `to` are needed.
    fn out_of(&self, reached: &[bool], to: usize, is_in: impl Fn(Truth) -> bool) -> Vec<Truth> {
        let Truths { nodes, edges, .. } = &self.truths;
        // An end that is not in the graph stands for all edges to it.
        let gap = |edge: usize, end: usize| if is_in(nodes[end]) { (edges[edge], false) } else { (nodes[end], true) };
        let may = |truth: Truth| truth != Truth::Known(false);
        let out: Vec<(usize, usize)> = self
            .rule
            .arcs()
            .filter(|&(edge, from, end)| reached[from] && !reached[end] && may(edges[edge]) && may(nodes[end]))
            .map(|(edge, _, end)| (edge, end))
            .collect();
        let mut is_gap = vec![false; nodes.len()];
        out.iter().filter(|&&(edge, end)| gap(edge, end).1).for_each(|&(_, end)| is_gap[end] = true);
        // Backwards from `to`: what leads to it without what separates.
        let mut before: Vec<Vec<(usize, usize)>> = vec![Vec::new(); nodes.len()];
        self.rule.arcs().for_each(|(edge, from, end)| before[end].push((edge, from)));
        let mut leads = vec![false; nodes.len()];
        leads[to] = true;
        let mut stack = vec![to];
        while let Some(node) = stack.pop() {
            if is_gap[node] {
                continue; // it leads on, but nothing leads through it
            }
            for &(edge, from) in &before[node] {
                if !leads[from] && !reached[from] && may(edges[edge]) && may(nodes[from]) {
                    leads[from] = true;
                    stack.push(from);
                }
            }
        }
        out.into_iter().filter(|&(_, end)| leads[end]).map(|(edge, end)| gap(edge, end).0).collect()
    }
}

impl Cuts for Separators {
    fn violated(&self, is_true: &dyn Fn(Lit) -> bool) -> Vec<Vec<Lit>> {
        let Truths { nodes, edges, root } = &self.truths;
        let is_in = |truth: Truth| in_model(truth, is_true);
        let inside: Vec<bool> = nodes.iter().map(|&node| is_in(node)).collect();
        let leads = |edge: usize, to: usize| inside[to] && is_in(edges[edge]);
        let mut clauses = Vec::new();
        match root {
            Some(roots) => {
                let Some(root) = roots.iter().position(|&root| is_in(root)) else { return clauses };
                let reached = self.rule.closure([root], leads);
                let mut seen = reached.clone();
                for node in 0..nodes.len() {
                    if inside[node] && !seen[node] {
                        let gaps = self.out_of(&reached, node, is_in);
                        clauses.push(some_of(gaps.into_iter().chain([!roots[root], !nodes[node]])));
                        let with = self.rule.closure([node], leads);
                        seen.iter_mut().zip(with).for_each(|(seen, with)| *seen |= with);
                    }
                }
            }
            None => {
                // A part of the graph and a node of another part are separated around the smaller one.
                let mut parts: Vec<(usize, Vec<bool>)> = Vec::new();
                let mut seen = vec![false; nodes.len()];
                for node in 0..nodes.len() {
                    if inside[node] && !seen[node] {
                        let part = self.rule.closure([node], leads);
                        seen.iter_mut().zip(&part).for_each(|(seen, &with)| *seen |= with);
                        parts.push((node, part));
                    }
                }
                if parts.len() < 2 {
                    return clauses;
                }
                // One that is known to be in the graph makes for shorter clauses.
                let known = |part: &(usize, Vec<bool>)| {
                    (0..nodes.len()).find(|&at| part.1[at] && nodes[at] == Truth::Known(true)).unwrap_or(part.0)
                };
                sort::by_key(&mut parts, |part| part.1.iter().filter(|&&inside| inside).count() as u64);
                let largest = parts.pop().map_or(0, |part| known(&part));
                for part in &parts {
                    let gaps = self.out_of(&part.1, largest, is_in);
                    clauses.push(some_of(gaps.into_iter().chain([!nodes[known(part)], !nodes[largest]])));
                }
            }
        }
        clauses
    }
}

/// Some node of the graph is not reached: there are two sides, no arc of the graph leads from the first to the second,
/// and there are nodes of the graph on both; the root, if there is one, is on the first.
#[derive(Debug)]
struct Apart(Reach);

impl ViewRule for Apart {
    fn text(&self) -> String {
        format!("!{}", self.0.text())
    }

    fn needs(&self, domains: &Domains, needs: &mut Needs) {
        self.0.needs(domains, needs);
    }

    fn encode(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        let truths = self.0.truths(encoder);
        let sides: Vec<Truth> = truths.nodes.iter().map(|_| Truth::If(encoder.new_lit())).collect();
        for (edge, from, to) in self.0.arcs() {
            let (edge, ends) = (truths.edges[edge], [truths.nodes[from], truths.nodes[to]]);
            encoder.clause([!edge, !ends[0], !ends[1], !sides[from], sides[to]])?;
        }
        let some = |side: bool, encoder: &mut Encoder<'_>| {
            let mut cases = Vec::with_capacity(sides.len());
            for (&own, &node) in sides.iter().zip(&truths.nodes) {
                let case = Truth::If(encoder.new_lit());
                encoder.clause([!case, node])?;
                encoder.clause([!case, if side { own } else { !own }])?;
                cases.push(case);
            }
            encoder.clause(cases)
        };
        some(false, encoder)?;
        match &truths.root {
            None => some(true, encoder),
            Some(roots) => roots.iter().zip(&sides).try_for_each(|(&root, &side)| encoder.clause([!root, side])),
        }
    }

    fn negated(&self) -> Constraint {
        let (n, directed) = (self.0.nodes.len(), self.0.directed);
        let ends: Vec<(usize, usize)> = self.0.edges.iter().map(|&(from, to, _)| (from, to)).collect();
        Constraint::rule(self.0.exprs(), move |views| Reach::of(&views, n, ends, directed))
    }

    fn holds(&self, value: &dyn Fn(IntVar) -> i64) -> bool {
        !self.0.holds(value)
    }
}
