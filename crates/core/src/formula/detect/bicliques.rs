//! Conflicts of each literal of one set with each of another, said by way of one new variable.
//!
//! If all of A conflict with all of B, then the clauses a → y for a in A and y → ¬b for b in B say so, |A| + |B| of
//! them instead of |A|·|B|. They propagate what those did. Clauses of two are replaced so where that takes fewer
//! clauses and no more variables + clauses; the new clauses are conflicts of y and ¬y, and take part in what comes
//! after.
//!
//! Searches do not become shorter by it, they only have fewer clauses to look at (a table in `benches/BASELINE.md`, by
//! `cargo test --release -p cnfkit-properties --test detect figures_of_bicliques -- --ignored --nocapture`), so
//! [`Formula::detect`] leaves them alone.
//!
//! The search begins with a literal that has most conflicts, A, and all of them, B. It adds to A the literal that keeps
//! most of B, as long as that saves more. Each step costs the conflicts of B at most.
//!
//! Sources: N. Manthey, M. Heule, A. Biere, *Automated Reencoding of Boolean Formulas*, HVC 2012, LNCS 7857, pages
//! 102–117, of which this is the case of two literals; B. Subercaseaux, *Asymptotically Smaller Encodings for Graph
//! Problems and Scheduling*, arXiv 2506.14042, 2025, for what bicliques save in graphs.

use std::collections::BinaryHeap;

use rustsat::types::Lit;

use super::conflicts::{Conflicts, NumberLists, distinct, not};
use crate::cnf::Cnf;
use crate::constrain::writing;
use crate::formula::Formula;
use crate::sink::ClauseSink;

impl Formula {
    /// This formula with fewer clauses: those of two literals that exclude each literal of one set A with each of
    /// another set B become |A| + |B| clauses by way of a new variable, which comes after all others. Where that is not
    /// smaller once all constraints are encoded, the formula stays as it is; so do conflicts of a search, mostly.
    /// After [`detect`](Self::detect) less is saved, since at-most-ones that overlap are encoded one by one. Detection
    /// comes first where cliques decide, as in colourings: double counting refutes what a search does not.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Formula};
    /// // Each of twenty with each of ten others.
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(30);
    /// for (one, other) in (0..20).flat_map(|one| (20..30).map(move |other| (one, other))) {
    ///     formula.add_clause(&[!x[one], !x[other]])?;
    /// }
    /// let joined = formula.join_bicliques();
    /// assert_eq!((formula.n_clauses(), joined.n_clauses(), joined.n_vars()), (200, 30, 31));
    /// # Ok::<(), cnfkit::CapacityError>(())
    /// ```
    #[must_use]
    pub fn join_bicliques(&self) -> Self {
        if self.counting {
            return self.clone(); // the variables of bicliques are implied, and no more
        }
        let conflicts = Conflicts::new(self.n_vars(), &self.clauses());
        let numbers = &conflicts.numbers;
        let first_new = 2 * numbers.len() as u32;
        let pairs = (0..first_new).flat_map(|a| conflicts.of.get(a).iter().map(move |&b| (a, b)));
        let pairs: Vec<(u32, u32)> = pairs.filter(|(a, b)| a < b).collect();
        let bicliques = Bicliques::new(first_new as usize, &pairs, Self::DETECT_WORK);
        let n_vars = self.n_vars() + bicliques.n_new_vars();
        if n_vars == self.n_vars() || n_vars as u64 > self.limit().vars {
            return self.clone();
        }
        let lit = |lit: u32| match lit.checked_sub(first_new) {
            Some(new) => Lit::new(self.n_vars() as u32 + new / 2, new % 2 == 1),
            None => numbers.lit(lit),
        };
        let mut buffer = Vec::new();
        let mut stays = |clause: &[Lit]| match distinct(numbers, clause, &mut buffer) {
            Some(&[a, b]) => bicliques.has(not(a), not(b)),
            _ => true,
        };
        let mut joined = self.with_clauses(Cnf::with_vars(self.n_vars()).with_limit(self.limit()));
        writing(&mut joined, &"", |joined| joined.new_lits(bicliques.n_new_vars()));
        let old = self.clauses().filter(|clause| stays(clause)).map(<[Lit]>::to_vec);
        let new = bicliques.new_conflicts().map(|(a, b)| vec![!lit(a), !lit(b)]);
        // There was room for more of them.
        old.chain(new).for_each(|clause| joined.add_clause(&clause).unwrap_or_else(|error| unreachable!("{error}")));
        let is_larger = || joined.size().cost() + bicliques.n_new_vars() as u64 > self.size().cost();
        if self.kept.len() > 0 && is_larger() { self.clone() } else { joined }
    }
}

/// A graph of conflicts in which bicliques are replaced; variables that are new come after all others.
#[derive(Debug)]
struct Bicliques {
    /// The conflicts of each literal: in any order while they are replaced, then sorted.
    of: Vec<Vec<u32>>,
    n_old: usize,
    work: u64,
}

/// The variables + clauses that a biclique saves.
const fn saved(ones: usize, others: usize) -> i64 {
    (ones * others) as i64 - (ones + others) as i64 - 1
}

impl Bicliques {
    /// Replaces bicliques of `conflicts`, pairs of literals below `n_lits`, each once, until the work is used up.
    fn new(n_lits: usize, conflicts: &[(u32, u32)], limit: u64) -> Self {
        let both = conflicts.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
        let of = NumberLists::of_pairs(n_lits, both).iter().map(<[u32]>::to_vec).collect();
        let mut bicliques = Self { of, n_old: n_lits, work: conflicts.len() as u64 };
        bicliques.replace_all(limit);
        bicliques.of.iter_mut().for_each(|list| list.sort_unstable());
        bicliques
    }

    fn n_new_vars(&self) -> usize {
        (self.of.len() - self.n_old) / 2
    }

    /// True if this conflict is still there.
    fn has(&self, a: u32, b: u32) -> bool {
        self.of[a as usize].binary_search(&b).is_ok()
    }

    /// The conflicts of new variables, each once.
    fn new_conflicts(&self) -> impl Iterator<Item = (u32, u32)> {
        let lists = self.of.iter().enumerate().skip(self.n_old);
        lists.flat_map(|(lit, list)| {
            list.iter().filter(move |&&other| (other as usize) < lit).map(move |&o| (lit as u32, o))
        })
    }

    fn replace_all(&mut self, limit: u64) {
        let mut counts = vec![0_u32; self.of.len()];
        let entry = |of: &[Vec<u32>], lit: u32| (of[lit as usize].len(), std::cmp::Reverse(lit));
        // None with fewer conflicts has a biclique that saves anything.
        let all = (0..self.of.len() as u32).filter(|&lit| self.of[lit as usize].len() >= 3);
        let mut queue: BinaryHeap<_> = all.map(|lit| entry(&self.of, lit)).collect();
        while let Some((degree, std::cmp::Reverse(lit))) = queue.pop() {
            let now = self.of[lit as usize].len();
            if degree < 3 || self.work >= limit {
                break;
            }
            if now != degree {
                queue.push(entry(&self.of, lit));
                continue;
            }
            let Some((ones, others)) = self.find(lit, &mut counts, limit) else { continue };
            let new = self.replace(&ones, &others);
            counts.resize(self.of.len(), 0);
            queue.extend(ones.into_iter().chain(new).map(|lit| entry(&self.of, lit)));
        }
    }

    /// The biclique that grows from a literal, if it takes no more variables + clauses.
    fn find(&mut self, first: u32, counts: &mut [u32], limit: u64) -> Option<(Vec<u32>, Vec<u32>)> {
        let mut others = self.of[first as usize].clone();
        let mut ones = vec![first];
        // How many of `others` each literal conflicts with.
        let mut candidates = Vec::new();
        for &other in &others {
            self.work += self.of[other as usize].len() as u64;
            for &lit in &self.of[other as usize] {
                if counts[lit as usize] == 0 {
                    candidates.push(lit);
                }
                counts[lit as usize] += 1;
            }
        }
        candidates.retain(|&lit| {
            lit != first && counts[lit as usize] > 1 || {
                counts[lit as usize] = 0;
                false
            }
        });
        while self.work < limit {
            self.work += candidates.len() as u64;
            let best = candidates.iter().copied().max_by_key(|&lit| (counts[lit as usize], std::cmp::Reverse(lit)));
            let Some(best) = best
                .filter(|&lit| saved(ones.len() + 1, counts[lit as usize] as usize) > saved(ones.len(), others.len()))
            else {
                break;
            };
            let mut kept = self.of[best as usize].clone();
            kept.sort_unstable();
            self.work += kept.len() as u64 + others.len() as u64;
            let is_kept = |other: &u32| kept.binary_search(other).is_ok();
            for &gone in others.iter().filter(|other| !is_kept(other)) {
                self.work += self.of[gone as usize].len() as u64;
                for &lit in &self.of[gone as usize] {
                    counts[lit as usize] = counts[lit as usize].saturating_sub(1);
                }
            }
            others.retain(is_kept);
            ones.push(best);
            counts[best as usize] = 0;
            candidates.retain(|&lit| {
                counts[lit as usize] > 1 || {
                    counts[lit as usize] = 0;
                    false
                }
            });
        }
        candidates.into_iter().for_each(|lit| counts[lit as usize] = 0);
        (saved(ones.len(), others.len()) >= 0).then_some((ones, others))
    }

    /// Puts a new variable in place of the conflicts between two sets; its literals.
    fn replace(&mut self, ones: &[u32], others: &[u32]) -> [u32; 2] {
        let new = self.of.len() as u32;
        for (set, opposite, lit) in [(ones, others, not(new)), (others, ones, new)] {
            let mut opposite = opposite.to_vec();
            opposite.sort_unstable();
            for &one in set {
                let list = &mut self.of[one as usize];
                self.work += list.len() as u64;
                list.retain(|other| opposite.binary_search(other).is_err());
                list.push(lit);
            }
        }
        self.of.push(others.to_vec());
        self.of.push(ones.to_vec());
        [new, not(new)]
    }
}
