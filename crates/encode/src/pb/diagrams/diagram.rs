//! [`IntervalDiagram`], the encoding, and [`Diagram`], a diagram that is planned and can be written.

use rustsat::types::Lit;

use super::intervals::{IntervalTable, Intervals, Runs};
use super::links::links;
use super::problem::{Child, DiagramNode, DiagramProblem};
use super::search::DiagramSearch;
use crate::constraint::{Constraint, Terms};
use crate::encode::{Encoding, GoOn, Prepared};
use crate::pb::prepared::ClauseTemplate;
use crate::pb::trees::{Budget, TreeInputs, chain, exactly, smaller};
use crate::relation::PbRelation;
use crate::sink::ClauseSink;
use crate::size::Size;
use crate::sort;
use crate::truth::Truth;
use crate::writer::{Full, Writer};

/// A decision diagram whose nodes stand for intervals of remainders, heavy literals first; generalised arc consistent.
///
/// An auxiliary says: *the literals from here on weigh at most so much*. Small where few remainders tell sets of
/// literals apart, as for few literals of any weights, or for many of few weights.
///
/// | | at most, at least | exactly |
/// |---|---|---|
/// | auxiliaries | one for each node but those on the path of false literals | both, or one diagram for both |
/// | clauses | at most two for each auxiliary, and n | both, or about four for each auxiliary |
/// | of 40 literals of weights 1 to 4, the bound half the sum | 562 + 1,092 | 562 + 2,183 |
/// | enforcing clauses | at most n | more in one diagram: every sum that cannot come out at the bound |
/// | auxiliaries are forced | false | both |
/// | [`linked`](Self::linked) | at most one clause more for each auxiliary | the same |
///
/// Generalised arc consistent; *exactly* is as strong as both sides, or stronger. The literals of a
/// [group](Terms::grouped) are one layer, whose nodes have a child for each of them; strength is then that of the sum
/// and the groups' *at most one* together.
///
/// Source: I. Abío, R. Nieuwenhuis, A. Oliveras, E. Rodríguez-Carbonell, V. Mayer-Eichberger, *A New Look at BDDs for
/// Pseudo-Boolean Constraints*, Journal of Artificial Intelligence Research 45, 2012, pages 443–480. Groups: M. Bofill,
/// J. Coll, J. Suy, M. Villaret, *An MDD-based SAT encoding for pseudo-Boolean constraints with at-most-one relations*,
/// Artificial Intelligence Review 53, 2020, pages 5157–5188.
///
/// ```
/// use cnfkit::{Constraint, Encoding, IntervalDiagram, Lit, PbRelation, Terms};
/// let terms: Vec<_> = (0..40).map(|var| (Lit::positive(var), u64::from(var % 4) + 1)).collect();
/// let sum = Constraint::weights(Terms::new(&terms), PbRelation::AtMost(50));
/// assert!(IntervalDiagram::default().plan(&sum).is_some());
/// assert!(IntervalDiagram::default().budget(10).plan(&sum).is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct IntervalDiagram {
    /// The number of remainders that may be looked at, which is at least the number of nodes: what needs more is not
    /// planned.
    pub budget: usize,
    /// Says of nodes next to each other in a layer that the one for a lower remainder implies the one for a higher.
    /// It costs up to one clause of two literals a node, and no unit propagation from the inputs depends on it, but
    /// solvers often need fewer conflicts. One diagram for both sides has such clauses anyway.
    pub linked: bool,
}

crate::encode::options!(IntervalDiagram { budget: usize = 1_000_000, linked: bool = false });

/// A relation as diagrams, or as clauses where there are groups or one diagram for both sides.
#[derive(Clone, Debug)]
pub(crate) enum DiagramPlan {
    /// At most one for each side.
    Sides(Option<Diagram>, Option<Diagram>),
    /// Clauses.
    Template(ClauseTemplate),
}

impl Prepared for DiagramPlan {
    fn size(&self) -> Size {
        match self {
            Self::Sides(most, least) => most.size() + least.size(),
            Self::Template(template) => template.size(),
        }
    }

    fn write(&self, to: &mut Writer<'_>) -> Result<(), Full> {
        match self {
            Self::Sides(most, least) => {
                most.write(to)?;
                least.write(to)
            }
            Self::Template(template) => template.write(to),
        }
    }
}

impl IntervalDiagram {
    pub(crate) fn prepared(&self, constraint: &Constraint<'_>, go_on: &mut GoOn<'_>) -> Option<DiagramPlan> {
        let (ref terms, relation) = constraint.weighted()?;
        let sides =
            if terms.is_grouped() { self.grouped(terms, relation, go_on) } else { self.sides(terms, relation, go_on) };
        let PbRelation::Exactly(bound) = relation else { return sides };
        let mut shared = empty(terms);
        let mut light_first = TreeInputs::most(terms, bound).heavy_first();
        light_first.reverse();
        let planned = exactly(&mut shared, terms, bound, &chain(&light_first), &mut Budget::new(self.budget));
        smaller(sides, planned.map(|()| DiagramPlan::Template(shared)))
    }
}

impl Encoding for IntervalDiagram {
    crate::encode::by_terms!();

    crate::encode::named!("interval-diagram");
}

impl IntervalDiagram {
    /// A diagram for each side.
    fn sides(self, terms: &Terms<'_>, relation: PbRelation, go_on: &mut GoOn<'_>) -> Option<DiagramPlan> {
        let most = match relation.most() {
            None => None,
            Some(most) => Some(Diagram::sorted(terms.all(), &[most], self, go_on)?),
        };
        let least = match relation.least() {
            None => None,
            Some(least) => {
                let negated: Vec<(Lit, u64)> = terms.all().iter().map(|&(lit, weight)| (!lit, weight)).collect();
                let total: u64 = negated.iter().map(|&(_, weight)| weight).sum();
                Some(Diagram::sorted(&negated, &[total - least], self, go_on)?)
            }
        };
        Some(DiagramPlan::Sides(most, least))
    }

    /// A diagram for each side, whose layers are groups.
    fn grouped(self, terms: &Terms<'_>, relation: PbRelation, go_on: &mut GoOn<'_>) -> Option<DiagramPlan> {
        let mut template = empty(terms);
        let most = relation.most().map(|most| TreeInputs::most(terms, most));
        let least = relation.least().map(|least| TreeInputs::least(terms, least));
        for side in [most, least].into_iter().flatten() {
            let mut choices = Vec::new();
            let mut ends = Vec::new();
            for group in side.heavy_first() {
                side.choices(group as usize, &mut template, &mut choices);
                ends.push(choices.len());
            }
            let diagram = Diagram::layered(&choices, &ends, &[side.bound], self, false, go_on)?;
            let Ok(()) = template.write_by(&mut |to| diagram.write(to));
        }
        Some(DiagramPlan::Template(template))
    }
}

fn empty(terms: &Terms<'_>) -> ClauseTemplate {
    ClauseTemplate::new(terms.all().iter().map(|&(lit, _)| lit))
}

/// A planned diagram: its size is known, and it can be written.
#[derive(Clone, Debug)]
pub struct Diagram {
    /// Children come before their parents.
    nodes: Vec<DiagramNode>,
    /// The choices of all nodes.
    choices: Vec<(Lit, Child)>,
    /// Nodes, or literals, of which the one implies the other.
    links: Vec<(Child, Child)>,
    /// One for each bound.
    roots: Vec<Child>,
}

impl Diagram {
    /// Plans that the true literals of `terms` weigh at most `bound`; `None` when more than `budget` remainders would
    /// have to be looked at. There are at least as many remainders as nodes.
    ///
    /// The variables are distinct, the weights are at least 1, and their sum is below 2⁶⁴.
    pub(crate) fn plan(terms: &[(Lit, u64)], bound: u64, budget: usize) -> Option<Self> {
        Self::sorted(terms, &[bound], IntervalDiagram { budget, ..IntervalDiagram::default() }, &mut || true)
    }

    /// Plans for each of several bounds, whose nodes are shared, that the true literals weigh at most that.
    pub(in crate::pb) fn sorted(
        terms: &[(Lit, u64)],
        bounds: &[u64],
        options: IntervalDiagram,
        go_on: &mut GoOn<'_>,
    ) -> Option<Self> {
        let mut terms = terms.to_vec();
        // Heavy ones first: what is left of the bound has few values near the root.
        sort::by_key(&mut terms, |&(_, weight)| !weight);
        let ends: Vec<usize> = (1..=terms.len()).collect();
        Self::layered(&terms, &ends, bounds, options, false, go_on)
    }

    /// Plans that the heaviest true literals of all layers weigh at most `bound`, where each literal of a layer implies
    /// the one before, and weighs more: *x is at least v* for the values v of an integer x.
    ///
    /// Source: I. Abío, P. J. Stuckey, *Encoding Linear Constraints into SAT*, CP 2014, pages 75–91.
    pub fn of_chains(chains: &mut [Vec<(Lit, u64)>], bound: u64, budget: usize) -> Option<Self> {
        sort::by_key(chains, |chain| !chain.last().map_or(0, |&(_, weight)| weight));
        let mut ends = Vec::with_capacity(chains.len());
        let mut end = 0;
        ends.extend(chains.iter().map(|chain| {
            end += chain.len();
            end
        }));
        let options = IntervalDiagram { budget, ..IntervalDiagram::default() };
        Self::layered(&chains.concat(), &ends, &[bound], options, true, &mut || true)
    }

    /// Plans that the heaviest true literals of all layers weigh at most each of `bounds`. The first ends before the
    /// first of `ends`, and so on. In `chains` each literal of a layer implies the one before.
    fn layered(
        terms: &[(Lit, u64)],
        ends: &[usize],
        bounds: &[u64],
        options: IntervalDiagram,
        chains: bool,
        go_on: &mut GoOn<'_>,
    ) -> Option<Self> {
        let bound = bounds.iter().copied().max().unwrap_or(0);
        let problem = DiagramProblem { terms, ends, bound, budget: options.budget, chains };
        let mut rest = vec![0; ends.len() + 1];
        for layer in (0..ends.len()).rev() {
            let heaviest = terms[problem.literals(layer)].iter().map(|&(_, weight)| weight).max();
            rest[layer] = rest[layer + 1] + heaviest.unwrap_or(0);
        }
        match IntervalTable::of(&problem, &rest) {
            Some(table) => Self::built(&problem, bounds, rest, table, options.linked, go_on),
            None => Self::built(&problem, bounds, rest, Runs::of(ends.len()), options.linked, go_on),
        }
    }

    fn built<I: Intervals>(
        problem: &DiagramProblem<'_>,
        bounds: &[u64],
        rest: Vec<u64>,
        intervals: I,
        linked: bool,
        go_on: &mut GoOn<'_>,
    ) -> Option<Self> {
        let mut search = DiagramSearch::new(problem, rest, intervals);
        let roots = bounds.iter().map(|&bound| search.run(bound, go_on)).collect::<Option<Vec<Child>>>()?;
        let DiagramSearch { mut nodes, choices, intervals, .. } = search;
        for &root in &roots {
            let mut on_path = root;
            while let Child::Node(index) = on_path {
                nodes[index as usize].holds = true;
                on_path = nodes[index as usize].omitted;
            }
        }
        let links = if linked { links(&intervals, &nodes, &choices) } else { Vec::new() };
        Some(Self { nodes, choices, links, roots })
    }

    /// Defines all nodes, each an if-then-else, and returns for each bound what says that it is kept: `sides` has
    /// whether that is false where the bound is exceeded, and whether it is true where it is kept. In both directions
    /// it follows from the inputs. Each layer is one literal.
    pub(in crate::pb) fn define(&self, sides: &[[bool; 2]], to: &mut Writer<'_>) -> Result<Vec<Truth>, Full> {
        let mut needed = vec![[false; 2]; self.nodes.len()];
        let need = |needed: &mut [[bool; 2]], child, [falls, rises]: [bool; 2]| {
            if let Child::Node(index) = child {
                let [fell, rose] = needed[index as usize];
                needed[index as usize] = [fell || falls, rose || rises];
            }
        };
        self.roots.iter().zip(sides).for_each(|(&root, &sides)| need(&mut needed, root, sides));
        for (at, (node, choices)) in self.each().enumerate().rev() {
            let sides = needed[at];
            need(&mut needed, node.omitted, sides);
            choices.iter().for_each(|&(_, chosen)| need(&mut needed, chosen, sides));
        }
        let mut written: Vec<Lit> = Vec::with_capacity(self.nodes.len());
        let meaning = |child, written: &[Lit]| match child {
            Child::Always => Truth::Known(true),
            Child::Never => Truth::Known(false),
            Child::If(lit) => Truth::If(lit),
            Child::Node(index) => Truth::If(written[index as usize]),
        };
        for ((node, choices), [falls, rises]) in self.each().zip(needed) {
            let own = to.lit();
            let omitted = meaning(node.omitted, &written);
            for &(input, chosen) in choices {
                // The child behind the literal says more than the other.
                let chosen = meaning(chosen, &written);
                if falls {
                    implies(to, &[!own, !input], chosen)?;
                }
                if rises {
                    implies(to, &[own], !chosen)?;
                    implies(to, &[own, input], !omitted)?;
                }
            }
            if falls {
                implies(to, &[!own], omitted)?;
            }
            written.push(own);
        }
        Ok(self.roots.iter().map(|&root| meaning(root, &written)).collect())
    }

    /// Each node with its choices.
    fn each(&self) -> impl DoubleEndedIterator<Item = (&DiagramNode, &[(Lit, Child)])> + ExactSizeIterator {
        self.nodes.iter().enumerate().map(|(at, node)| {
            let start = at.checked_sub(1).map_or(0, |before| self.nodes[before].choices);
            (node, &self.choices[start as usize..node.choices as usize])
        })
    }
}

impl Prepared for Diagram {
    fn size(&self) -> Size {
        let clause = |child, own: usize| match child {
            Child::Always => Size::ZERO,
            Child::Node(index) if self.nodes[index as usize].holds => Size::ZERO,
            Child::Never => Size::clause(own),
            Child::If(_) | Child::Node(_) => Size::clause(own + 1),
        };
        let node = |(node, choices): (&DiagramNode, &[(Lit, Child)])| {
            let own = usize::from(!node.holds);
            let chosen: Size = choices.iter().map(|&(_, child)| clause(child, own + 1)).sum();
            Size::variables(own as u64) + chosen + clause(node.omitted, own)
        };
        let links: Size = self.links.iter().map(|_| Size::clause(2)).sum();
        self.each().map(node).sum::<Size>() + links + self.roots.iter().map(|&root| clause(root, 0)).sum::<Size>()
    }

    fn write(&self, to: &mut Writer<'_>) -> Result<(), Full> {
        // Each node as it was written: a variable, or true.
        let mut written: Vec<Child> = Vec::with_capacity(self.nodes.len());
        let meaning = |child, written: &[Child]| match child {
            Child::Node(index) => written[index as usize],
            other => other,
        };
        for (node, choices) in self.each() {
            let omitted = meaning(node.omitted, &written);
            if node.holds {
                for &(input, chosen) in choices {
                    input_implies(to, input, meaning(chosen, &written))?;
                }
                must(to, omitted)?;
                written.push(Child::Always);
            } else {
                let own = to.lit();
                for &(input, chosen) in choices {
                    node_and_input_imply(to, own, input, meaning(chosen, &written))?;
                }
                node_implies(to, own, omitted)?;
                written.push(Child::If(own));
            }
        }
        for &(lower, higher) in &self.links {
            if let Child::If(lower) = meaning(lower, &written) {
                node_implies(to, lower, meaning(higher, &written))?;
            }
        }
        self.roots.iter().try_for_each(|&root| must(to, meaning(root, &written)))
    }
}

/// Defines that one of `others` is true, or else what is said.
fn implies(to: &mut Writer<'_>, others: &[Lit], said: Truth) -> Result<(), Full> {
    match said {
        Truth::Known(true) => Ok(()),
        Truth::Known(false) => to.define(others),
        Truth::If(lit) => to.define(&[others, &[lit]].concat()),
    }
}

fn must(to: &mut Writer<'_>, child: Child) -> Result<(), Full> {
    match child {
        Child::If(lit) => to.clause(&[lit]),
        Child::Never => to.clause(&[]),
        Child::Always | Child::Node(_) => Ok(()),
    }
}

fn input_implies(to: &mut Writer<'_>, input: Lit, child: Child) -> Result<(), Full> {
    match child {
        Child::If(lit) => to.clause(&[!input, lit]),
        Child::Never => to.clause(&[!input]),
        Child::Always | Child::Node(_) => Ok(()),
    }
}

fn node_and_input_imply(to: &mut Writer<'_>, own: Lit, input: Lit, child: Child) -> Result<(), Full> {
    match child {
        Child::If(lit) => to.define(&[!own, !input, lit]),
        Child::Never => to.define(&[!own, !input]),
        Child::Always | Child::Node(_) => Ok(()),
    }
}

fn node_implies(to: &mut Writer<'_>, own: Lit, child: Child) -> Result<(), Full> {
    match child {
        Child::If(lit) => to.define(&[!own, lit]),
        Child::Never => to.define(&[!own]),
        Child::Always | Child::Node(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::pb::each_weights;
    use crate::testing::{Engine, Recorder, inputs};
    use crate::{Constrain, Tally};

    crate::testing::pb_suite!(suite: IntervalDiagram::default(), Gac);
    crate::testing::pb_groups!(groups: IntervalDiagram::default());
    crate::testing::pb_suite!(linked: IntervalDiagram { linked: true, ..IntervalDiagram::default() }, Gac);
    crate::testing::pb_groups!(linked_groups: IntervalDiagram { linked: true, ..IntervalDiagram::default() });

    fn terms(lits: &[Lit], weights: &[u64]) -> Vec<(Lit, u64)> {
        lits.iter().copied().zip(weights.iter().copied()).collect()
    }

    /// Every partial assignment: a contradiction if and only if what is true is too heavy, and false is what would be.
    fn check_propagation(recorder: &Recorder, cond: Option<Lit>, lits: &[Lit], weights: &[u64], bound: u64) {
        let mut engine = Engine::new(recorder);
        assert!(cond.is_none_or(|cond| engine.assume(cond)), "{weights:?} {bound}");
        for code in 0..3_usize.pow(lits.len() as u32) {
            let digit = |i: usize| code / 3_usize.pow(i as u32) % 3;
            let mark = engine.mark();
            let weight: u64 = (0..lits.len()).filter(|&i| digit(i) == 1).map(|i| weights[i]).sum();
            let mut consistent = true;
            for (i, &lit) in lits.iter().enumerate().filter(|&(i, _)| digit(i) > 0) {
                consistent &= engine.assume(if digit(i) == 1 { lit } else { !lit });
            }
            assert_eq!(consistent, weight <= bound, "{weights:?} {bound} {code}");
            for i in (0..lits.len()).filter(|&i| consistent && digit(i) == 0) {
                let expected = if weight + weights[i] > bound { Some(false) } else { None };
                assert_eq!(engine.value(lits[i]), expected, "{weights:?} {bound} {code} {i}");
            }
            assert!(!consistent || engine.satisfiable(), "{weights:?} {bound} {code}");
            engine.undo(mark);
        }
    }

    #[test]
    fn propagates_everything_and_is_as_large_as_planned() {
        for (n, heaviest) in [(1, 5), (2, 5), (3, 4), (4, 4), (5, 2)] {
            let lits: Vec<Lit> = inputs(n).iter().map(|lit| lit.var().lit(lit.vidx() % 3 == 1)).collect();
            each_weights(n, heaviest, &mut |weights| {
                for bound in 0..weights.iter().sum::<u64>() + 2 {
                    let diagram = Diagram::plan(&terms(&lits, weights), bound, usize::MAX).unwrap();
                    let mut recorder = Recorder::new(n);
                    recorder.write_by(&mut |to| diagram.write(to)).unwrap();
                    assert_eq!(recorder.size(n), diagram.size(), "{weights:?} {bound}");
                    check_propagation(&recorder, None, &lits, weights, bound);
                    if n <= 3 {
                        let mut recorder = Recorder::new(n + 1);
                        let cond = Lit::negative(n as u32);
                        recorder.when(&[cond]).write_by(&mut |to| diagram.write(to)).unwrap();
                        check_propagation(&recorder, Some(cond), &lits, weights, bound);
                        assert!(Engine::new(&recorder).assume(!cond));
                        assert!(recorder.clauses.len() - recorder.defined <= n);
                    }
                }
            });
        }
    }

    /// Remainders that allow the same are one node: with weights that differ a little, and as in a sequential counter.
    #[test]
    fn equal_remainders_are_shared() {
        let lits = inputs(12);
        let nodes =
            |weights: &[u64], bound| Diagram::plan(&terms(&lits, weights), bound, usize::MAX).unwrap().nodes.len();
        let plain = nodes(&[1; 12], 4);
        assert_eq!(nodes(&[1_000_000_007; 12], 4_000_000_028), plain);
        assert_eq!(nodes(&(1_000..1_012).collect::<Vec<_>>(), 4_500), plain);
        assert!(plain <= 5 * 8, "{plain}");
        let mut seen = Tally::new(12);
        let diagram = Diagram::plan(&terms(&lits, &[1; 12]), 4, usize::MAX).unwrap();
        seen.write_by(&mut |to| diagram.write(to)).unwrap();
        assert_eq!(seen.size(), Size { vars: 31, clauses: 67, lits: 158 });
    }

    #[test]
    fn weights_without_structure_stop_at_the_budget() {
        let lits = inputs(64);
        let weights: Vec<u64> = (1..=64_u64).map(|i| i.pow(3).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20).collect();
        let bound = weights.iter().sum::<u64>() / 2;
        let start = std::time::Instant::now();
        assert!(Diagram::plan(&terms(&lits, &weights), bound, 100_000).is_none());
        assert!(start.elapsed().as_secs() < 20);
        // A long list: no stack overflows.
        let lits = inputs(200_000);
        let diagram = Diagram::plan(&terms(&lits, &vec![1; 200_000]), 1, usize::MAX).unwrap();
        assert!(diagram.size().cost() < 4 * 200_000);
    }
}
