//! The order of variables as places, and the literals of all constraints put in that order.

use rustsat::types::Lit;

use super::effort::OrderEffort;
use super::hypergraph::Hypergraph;
use super::search::{Positions, positions, positions_within};
use crate::encode::Full;
use crate::formula::go_on::TryGoOn;
use crate::formula::merge::{Items, MergeItem};
use crate::formula::{Formula, Order};
use crate::relation::PbRelation;
use crate::sort;

/// The place of each variable in the order of encoding.
pub(in crate::formula) enum VariablePlaces {
    /// Literals stay as they are.
    Given,
    /// By number.
    Variable,
    /// The position of every variable.
    All(Vec<u32>),
    /// Some variables in order, and the position of each; the others, which no clause and no constraint has, come last.
    Some(Vec<u32>, Vec<u32>),
}

impl VariablePlaces {
    /// The order that a formula asks for.
    pub(in crate::formula) fn new(formula: &Formula, items: &Items, go_on: &mut TryGoOn<'_>) -> Result<Self, Full> {
        Ok(Self::by(positions, formula, items, go_on)?.0)
    }

    /// The order that a formula asks for, with positions of this kind; whether it goes by lines.
    fn by(
        positions: fn(usize, &Hypergraph, &mut dyn FnMut() -> bool) -> Positions,
        formula: &Formula,
        items: &Items,
        go_on: &mut TryGoOn<'_>,
    ) -> Result<(Self, bool), Full> {
        let mut is_by_lines = false;
        let kept = formula.kept.n_lits() + formula.kept.len();
        let lits = formula.clauses.n_lits() + kept;
        let places = match formula.order {
            Order::Given => Self::Given,
            Order::Formula if lits < Hypergraph::MOST => {
                let edges = formula.n_clauses() + items.all.len();
                let mut graph = Hypergraph::with_room(edges, lits);
                formula.clauses().for_each(|clause| graph.add(CLAUSE, clause.iter().copied()));
                for item in &items.all {
                    let all = items.cond(item).iter().copied().chain(items.sum_lits(item));
                    let label = if item.is_count() { label(items, item) } else { label_of_weights(items, item) };
                    graph.add(label, all.chain(items.reified(item)));
                }
                items.parities.edges().for_each(|(odd, lits)| graph.add(PARITY - u64::from(odd), lits));
                graph.is_counts = lits <= OrderEffort::FULL
                    && 10 * formula.clauses.n_lits() <= lits
                    && items.parities.edges().next().is_none()
                    && items.all.iter().all(MergeItem::is_count);
                // Where the time is over, any order will do: it is not used.
                let is_over = &mut || go_on().is_err();
                let vars = (formula.n_vars() / 2 > lits).then(|| graph.compact());
                let n_vars = vars.as_ref().map_or(formula.n_vars(), Vec::len);
                let positions = positions(n_vars, &graph, is_over);
                is_by_lines = positions.is_by_lines;
                match vars {
                    None => Self::All(positions.of),
                    Some(vars) => Self::Some(vars, positions.of),
                }
            }
            Order::Formula | Order::Variable => Self::Variable,
        };
        go_on()?;
        Ok((places, is_by_lines))
    }

    /// The place of a variable among all.
    fn of(&self, lit: Lit) -> u64 {
        match self {
            Self::Given | Self::Variable => lit.vidx() as u64,
            Self::All(positions) => positions[lit.vidx()].into(),
            Self::Some(vars, positions) => vars
                .binary_search(&lit.vidx32())
                .map_or((lit.vidx() + positions.len()) as u64, |at| positions[at].into()),
        }
    }

    pub(in crate::formula) fn sort(&self, lits: &mut [Lit]) {
        self.sort_by(lits, |&lit| lit);
    }

    /// Sorts by the place of the literal that `lit` gives.
    fn sort_by<T>(&self, all: &mut [T], lit: impl Fn(&T) -> Lit) {
        if !matches!(self, Self::Given) {
            sort::by_key(all, |one| self.of(lit(one)));
        }
    }
}

impl Items {
    /// Puts literals in the order that the formula asks for, but for those of constraints whose order is to be kept:
    /// of sums of weights, groups by their first literal, and the literals of each.
    pub(in crate::formula) fn arrange(&mut self, formula: &Formula, go_on: &mut TryGoOn<'_>) -> Result<(), Full> {
        if self.all.iter().all(|item| item.in_order) && !self.parities.can_be_arranged() {
            return Ok(());
        }
        let (places, is_by_lines) = VariablePlaces::by(positions_within, formula, self, go_on)?;
        self.parities.arrange(&|lits| places.sort(lits));
        for at in 0..self.all.len() {
            let item = self.all[at];
            if item.in_order {
                continue;
            }
            if item.is_count() {
                places.sort(self.lits_mut(&item));
                continue;
            }
            let terms = self.terms(&item);
            if !terms.is_grouped() {
                let mut terms = terms.all().to_vec();
                places.sort_by(&mut terms, |&(lit, _)| lit);
                self.set_terms(at, &terms, &[]);
                continue;
            }
            let mut groups: Vec<Vec<(Lit, u64)>> = terms.groups().map(<[_]>::to_vec).collect();
            groups.iter_mut().for_each(|group| places.sort_by(group, |&(lit, _)| lit));
            places.sort_by(&mut groups, |group| group[0].0);
            let ends = groups.iter().scan(0, |end, group| {
                *end += group.len();
                Some(*end)
            });
            let ends: Vec<usize> = ends.collect();
            self.set_terms(at, &groups.concat(), &ends);
        }
        if is_by_lines {
            let mut counts = std::mem::take(&mut self.all);
            let first = |item: &MergeItem| self.lits(item).iter().map(|&lit| places.of(lit)).min();
            sort::by_key(&mut counts, |item| first(item).unwrap_or(0));
            self.all = counts;
        }
        Ok(())
    }
}

/// The label of clauses in the hypergraph; those of constraints are others.
const CLAUSE: u64 = 1;

/// The label of even parities; that of odd ones is one less.
const PARITY: u64 = u64::MAX;

/// The label of a count: equal for two if they say the same of their literals.
fn label(items: &Items, item: &MergeItem) -> u64 {
    let never = [Some(PbRelation::AtMost(0)), Some(PbRelation::AtLeast(1))];
    let relations = if item.is_impossible() { never } else { item.relations() };
    let kind = relations.map(|relation| match relation {
        None => 0,
        Some(PbRelation::AtMost(k)) => 1 + 3 * k,
        Some(PbRelation::AtLeast(k)) => 2 + 3 * k,
        Some(PbRelation::Exactly(k)) => 3 + 3 * k,
    });
    let iff = u64::from(item.is_reified());
    let ranges = items.ranges(item).iter().fold(0, |sum, range| mix(sum, (range.least + item.n() * range.most) as u64));
    CLAUSE + 1 + iff + 2 * ((ranges >> 16) + kind[0].wrapping_add(kind[1].wrapping_mul(0x9E37_79B9)))
}

const fn mix(sum: u64, x: u64) -> u64 {
    (sum ^ x).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
}

/// The label of a sum of weights: equal for two if their bounds and weights are the same.
fn label_of_weights(items: &Items, item: &MergeItem) -> u64 {
    let mut weights: Vec<u64> = items.terms(item).all().iter().map(|&(_, weight)| weight).collect();
    weights.sort_unstable();
    let members = items.members(item).iter().flat_map(MergeItem::relations);
    let relations = item.relations().into_iter().chain(members).flatten();
    let bounds = relations.fold(u64::from(item.is_reified()), |sum, relation| {
        let kind = match relation {
            PbRelation::AtMost(_) => 1,
            PbRelation::AtLeast(_) => 2,
            PbRelation::Exactly(_) => 3,
        };
        mix(mix(sum, kind), relation.bound())
    });
    weights.into_iter().fold(bounds, mix)
}
