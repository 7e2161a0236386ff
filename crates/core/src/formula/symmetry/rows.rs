//! A formula as rows: each clause, each constraint and the objective is a label, what is said, and literals with roles,
//! how they count in it. Two rows say the same if and only if they are equal.

use rustc_hash::{FxHashMap, FxHashSet};
use rustsat::types::Lit;

use crate::constraint::{Constraint, Sum};
use crate::formula::Formula;
use crate::relation::{PbRelation, Relation};

/// Clauses and constraints in one form: a label that says what is said of the literals, and the role of each.
#[derive(Debug, Default)]
pub(super) struct SymmetryRows {
    pub(super) n_lits: usize,
    pub(super) labels: Vec<u32>,
    /// Where each row ends.
    ends: Vec<usize>,
    /// The role of each literal, and the literal, sorted in each row.
    pub(super) items: Vec<(u32, u32)>,
    /// The rows of each literal.
    pub(super) of: Vec<Vec<u32>>,
    all: FxHashSet<(u32, Vec<(u32, u32)>)>,
    /// Rows that ask for one true literal or more.
    pub(super) positive: Vec<u32>,
}

/// A label or a role: all that two rows have to agree in beside their literals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum RowWord {
    Clause,
    Count(Relation),
    Sum(PbRelation),
    Parity(bool),
    Objective,
    Counted,
    Weight(i128),
    Condition,
    Reified,
}

#[derive(Debug, Default)]
struct Words(FxHashMap<RowWord, u32>);

impl Words {
    fn number(&mut self, word: RowWord) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(word).or_insert(next)
    }
}

pub(super) fn number_of(lit: Lit) -> u32 {
    2 * lit.vidx32() + u32::from(lit.is_neg())
}

pub(super) fn lit_of(number: u32) -> Lit {
    Lit::new(number / 2, number % 2 == 1)
}

impl SymmetryRows {
    pub(super) fn new(formula: &Formula) -> Self {
        // There would be room for all variables below that of a clause, whoever handed it out.
        if formula.n_vars() > Formula::MOST_READ as usize {
            return Self::default();
        }
        let mut words = Words::default();
        let mut rows = Self { n_lits: 2 * formula.n_vars(), ..Self::default() };
        for clause in formula.clauses() {
            let label = words.number(RowWord::Clause);
            let role = words.number(RowWord::Counted);
            rows.positive.push(rows.ends.len() as u32);
            rows.push(label, clause.iter().map(|&lit| (role, lit)));
        }
        for constraint in formula.constraints() {
            rows.push_constraint(&constraint, &mut words);
        }
        if !formula.objective().is_empty() {
            let label = words.number(RowWord::Objective);
            let terms = formula.objective().iter();
            rows.push(label, terms.map(|&(lit, weight)| (words.number(RowWord::Weight(weight.into())), lit)));
        }
        rows.of = vec![Vec::new(); rows.n_lits];
        for row in 0..rows.ends.len() {
            for at in rows.range(row) {
                rows.of[rows.items[at].1 as usize].push(row as u32);
            }
            rows.all.insert((rows.labels[row], rows.items[rows.range(row)].to_vec()));
        }
        rows
    }

    fn push_constraint(&mut self, constraint: &Constraint<'_>, words: &mut Words) {
        let mut items = Vec::new();
        let label = match constraint.sum {
            Sum::Count { lits, relation } => {
                if constraint.cond.is_empty() && constraint.iff.is_none() && !matches!(relation, Relation::AtMost(_)) {
                    self.positive.push(self.ends.len() as u32);
                }
                items.extend(lits.iter().map(|&lit| (words.number(RowWord::Counted), lit)));
                RowWord::Count(relation)
            }
            Sum::Weights { terms, relation } => {
                // Groups of terms are said elsewhere, too.
                let weights = terms.all().iter();
                items.extend(weights.map(|&(lit, weight)| (words.number(RowWord::Weight(weight.into())), lit)));
                RowWord::Sum(relation)
            }
            Sum::Parity { lits, odd } => {
                items.extend(lits.iter().map(|&lit| (words.number(RowWord::Counted), lit)));
                RowWord::Parity(odd)
            }
        };
        items.extend(constraint.cond.iter().map(|&lit| (words.number(RowWord::Condition), lit)));
        items.extend(constraint.iff.map(|lit| (words.number(RowWord::Reified), lit)));
        let label = words.number(label);
        self.push(label, items.into_iter());
    }

    fn push(&mut self, label: u32, items: impl Iterator<Item = (u32, Lit)>) {
        let start = self.items.len();
        self.items.extend(items.map(|(role, lit)| (role, number_of(lit))));
        self.items[start..].sort_unstable();
        self.labels.push(label);
        self.ends.push(self.items.len());
    }

    pub(super) fn range(&self, row: usize) -> std::ops::Range<usize> {
        row.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[row]
    }

    /// True if the images of all rows are rows; `image` has the image of every literal.
    pub(super) fn are_kept_by(&self, image: &[u32], moved: &[u32]) -> bool {
        let mut rows: Vec<u32> = moved.iter().flat_map(|&lit| self.of[lit as usize].iter().copied()).collect();
        rows.sort_unstable();
        rows.dedup();
        rows.into_iter().all(|row| {
            let of = &self.items[self.range(row as usize)];
            let mut items: Vec<(u32, u32)> = of.iter().map(|&(role, lit)| (role, image[lit as usize])).collect();
            items.sort_unstable();
            self.all.contains(&(self.labels[row as usize], items))
        })
    }
}
