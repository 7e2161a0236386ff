//! The clauses of a formula as the search sees them: which literals conflict, and the clauses of three and more.
//!
//! Two literals conflict if a clause of two says that not both are true. A clause (!l ∨ !m) is an edge between l and m
//! of this graph, and read from one end an implication: l makes m false. Literals that stand twice in a clause count
//! once, and tautologies are left out.
//!
//! Variables that occur in no clause have no number here, so that memory is that of the clauses, whatever a header
//! announced. A literal is a `u32`: twice its variable's number, plus one if it is negated.

use rustsat::types::{Lit, Var};

use crate::cnf::Clauses;

/// The negation of a literal.
pub(super) const fn not(lit: u32) -> u32 {
    lit ^ 1
}

/// Lists of numbers, one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct NumberLists {
    items: Vec<u32>,
    /// Where each list starts, and where the last ends.
    starts: Vec<u32>,
}

impl NumberLists {
    pub(super) fn new() -> Self {
        Self { items: Vec::new(), starts: vec![0] }
    }

    /// `n` lists of the items of `pairs`, which are (list, item), each list in the order of the pairs.
    pub(super) fn of_pairs(n: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut starts = vec![0_u32; n + 2];
        pairs.clone().for_each(|(list, _)| starts[list as usize + 2] += 1);
        for list in 2..starts.len() {
            starts[list] += starts[list - 1];
        }
        let mut items = vec![0; starts[n + 1] as usize];
        for (list, item) in pairs {
            let free = &mut starts[list as usize + 1];
            items[*free as usize] = item;
            *free += 1;
        }
        starts.pop();
        Self { items, starts }
    }

    pub(super) fn push(&mut self, list: impl IntoIterator<Item = u32>) {
        self.items.extend(list);
        self.starts.push(self.items.len() as u32);
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn get(&self, list: u32) -> &[u32] {
        &self.items[self.starts[list as usize] as usize..self.starts[list as usize + 1] as usize]
    }

    /// The place of an item of a sorted list among the items of all lists.
    pub(super) fn find(&self, list: u32, item: u32) -> Option<usize> {
        self.get(list).binary_search(&item).ok().map(|at| self.starts[list as usize] as usize + at)
    }

    pub(super) fn n_items(&self) -> usize {
        self.items.len()
    }

    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..self.len() as u32).map(|list| self.get(list))
    }

    /// Each list sorted, and every item of it once.
    fn sorted(mut self) -> Self {
        let mut kept = 0;
        for list in 0..self.len() {
            let (start, end) = (self.starts[list] as usize, self.starts[list + 1] as usize);
            self.items[start..end].sort_unstable();
            self.starts[list] = kept as u32;
            for at in start..end {
                if at == start || self.items[at] != self.items[at - 1] {
                    // Behind what was read, so the comparison above sees items that are still in place.
                    self.items[kept] = self.items[at];
                    kept += 1;
                }
            }
        }
        if let Some(end) = self.starts.last_mut() {
            *end = kept as u32;
        }
        self.items.truncate(kept);
        self
    }
}

/// Numbers of the variables that occur in clauses, from 0 on, in the order of the formula's.
#[derive(Clone, Debug)]
pub(super) struct VariableNumbers {
    vars: Vec<u32>,
    /// The number of each variable of the formula; empty where too few of them occur for that.
    table: Vec<u32>,
}

impl VariableNumbers {
    fn new(n_vars: usize, clauses: Clauses<'_>) -> Self {
        let is_dense = |n: usize| n_vars / 8 <= n;
        let mut table = Vec::new();
        let vars: Vec<u32> = if is_dense(clauses.clone().map(<[Lit]>::len).sum()) {
            table.resize(n_vars, u32::MAX);
            clauses.flatten().for_each(|lit| table[lit.vidx()] = 0);
            (0..n_vars as u32).filter(|&var| table[var as usize] == 0).collect()
        } else {
            let mut vars: Vec<u32> = clauses.flatten().map(|lit| lit.vidx32()).collect();
            vars.sort_unstable();
            vars.dedup();
            vars
        };
        if is_dense(vars.len()) {
            (0..).zip(&vars).for_each(|(number, &var): (u32, &u32)| table[var as usize] = number);
        } else {
            table = Vec::new();
        }
        Self { vars, table }
    }

    pub(super) const fn len(&self) -> usize {
        self.vars.len()
    }

    pub(super) fn of(&self, var: Var) -> Option<u32> {
        if self.table.is_empty() {
            self.vars.binary_search(&var.idx32()).ok().map(|number| number as u32)
        } else {
            self.table.get(var.idx()).copied().filter(|&number| number != u32::MAX)
        }
    }

    /// A literal of a clause.
    pub(super) fn of_lit(&self, lit: Lit) -> u32 {
        2 * self.of(lit.var()).expect("a variable of a clause") + u32::from(lit.is_neg())
    }

    pub(super) fn lit(&self, lit: u32) -> Lit {
        Lit::new(self.vars[lit as usize / 2], lit % 2 == 1)
    }
}

/// The clauses of a formula.
#[derive(Debug)]
pub(super) struct Conflicts {
    pub(super) numbers: VariableNumbers,
    /// For each literal those that conflict with it, sorted.
    pub(super) of: NumberLists,
    /// Clauses of three and more literals, sorted.
    pub(super) long: NumberLists,
    /// The variables of unit clauses.
    pub(super) decided: Vec<bool>,
}

/// The distinct literals of a clause, sorted; none for a tautology.
pub(super) fn distinct<'a>(numbers: &VariableNumbers, clause: &[Lit], into: &'a mut Vec<u32>) -> Option<&'a [u32]> {
    into.clear();
    into.extend(clause.iter().map(|&lit| numbers.of_lit(lit)));
    into.sort_unstable();
    into.dedup();
    let is_tautology = into.windows(2).any(|pair| pair[0] == not(pair[1]));
    (!is_tautology).then_some(into)
}

impl Conflicts {
    pub(super) fn new(n_vars: usize, clauses: &Clauses<'_>) -> Self {
        let numbers = VariableNumbers::new(n_vars, clauses.clone());
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        let mut long = NumberLists::new();
        let mut decided = vec![false; numbers.len()];
        let mut buffer = Vec::new();
        for clause in clauses.clone() {
            match distinct(&numbers, clause, &mut buffer) {
                None | Some([]) => {}
                Some(&[lit]) => decided[lit as usize / 2] = true,
                Some(&[a, b]) => pairs.push((not(a), not(b))),
                Some(lits) => long.push(lits.iter().copied()),
            }
        }
        let both = pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
        let of = NumberLists::of_pairs(2 * numbers.len(), both).sorted();
        Self { numbers, of, long, decided }
    }
}
