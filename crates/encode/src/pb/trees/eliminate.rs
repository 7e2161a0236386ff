//! Auxiliaries that cost more than they save are eliminated from a [`ClauseTemplate`].
//!
//! An auxiliary that occurs in p clauses without and in q clauses with a negation is replaced by the resolvents of the
//! former with the latter, where those are fewer than p + q + 1, so that variables + clauses decrease. Unit propagation
//! on all other literals stays as strong as it was: what it derives by way of the auxiliary, a resolvent derives in one
//! step. A resolvent of two clauses that define defines, and any other enforces: with the auxiliary gone, the inputs
//! still leave a choice of the others that satisfies all definitions.
//!
//! Source: N. Eén, A. Biere, *Effective preprocessing in SAT through variable and clause elimination*, SAT 2005, LNCS
//! 3569, pages 61–75.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustsat::types::Lit;

use crate::pb::prepared::ClauseTemplate;

/// Literals: a resolvent may have so many. Clauses of groups grow otherwise to the length of the group.
const LONGEST: usize = 32;

/// Pairs of clauses: where an auxiliary has more, it saves something.
const MOST_PAIRS: usize = 64;

#[derive(Clone, Copy)]
struct Clause {
    start: u32,
    len: u32,
    defines: bool,
    dead: bool,
    /// A bit for each literal, several literals a bit.
    bits: u64,
}

/// Clauses of a template, and the room that one template after another needs.

#[derive(Default)]
pub(super) struct Eliminator {
    inputs: usize,
    /// Indices of literals, ascending in each clause.
    lits: Vec<u32>,
    clauses: Vec<Clause>,
    /// For each literal its clauses, and some that are dead.
    found: Vec<Vec<u32>>,
    /// For each literal the clauses of which it is the last.
    last: Vec<Vec<u32>>,
    gone: Vec<bool>,
    queue: BinaryHeap<Reverse<(i64, u32)>>,
    changed: Vec<u32>,
    /// Steps of the work so far.
    pub(super) steps: u64,
    /// Resolvents that are considered: ends in `made`, and whether they define.
    made: Vec<u32>,
    ends: Vec<(u32, bool)>,
}

const fn bit(lit: u32) -> u64 {
    1 << (lit.wrapping_mul(0x9E37_79B1) >> 26)
}

impl Eliminator {
    fn load(&mut self, template: &ClauseTemplate) {
        let vars = template.n_vars();
        self.inputs = template.n_inputs();
        self.lits.clear();
        self.clauses.clear();
        for lists in [&mut self.found, &mut self.last] {
            lists.iter_mut().for_each(Vec::clear);
            lists.resize_with(2 * vars, Vec::new);
        }
        self.gone.clear();
        self.gone.resize(vars, false);
        let mut sorted = Vec::new();
        template.each(|clause, defines| {
            sorted.clear();
            sorted.extend_from_slice(clause);
            sorted.sort_unstable();
            self.add(&sorted, defines);
        });
    }

    /// Variables + clauses that are left.
    pub(super) fn cost(&self) -> u64 {
        let vars = self.gone[self.inputs..].iter().filter(|&&gone| !gone).count();
        (vars + self.clauses.iter().filter(|clause| !clause.dead).count()) as u64
    }

    fn lits(&self, clause: u32) -> &[u32] {
        let Clause { start, len, .. } = self.clauses[clause as usize];
        &self.lits[start as usize..(start + len) as usize]
    }

    fn add(&mut self, clause: &[u32], defines: bool) {
        let id = self.clauses.len() as u32;
        let bits = clause.iter().fold(0, |bits, &lit| bits | bit(lit));
        let start = self.lits.len() as u32;
        self.lits.extend_from_slice(clause);
        self.clauses.push(Clause { start, len: clause.len() as u32, defines, dead: false, bits });
        clause.iter().for_each(|&lit| self.found[lit as usize].push(id));
        clause.last().into_iter().for_each(|&lit| self.last[lit as usize].push(id));
        self.steps += 4 + clause.len() as u64;
    }

    fn alive(&mut self, lit: u32) {
        let clauses = &self.clauses;
        self.found[lit as usize].retain(|&clause| !clauses[clause as usize].dead);
    }

    /// The number of pairs less the number of clauses: low ones first.
    fn price(&mut self, var: u32) -> i64 {
        self.alive(2 * var);
        self.alive(2 * var + 1);
        let [p, q] = [2 * var, 2 * var + 1].map(|lit| self.found[lit as usize].len() as i64);
        p * q - p - q
    }

    /// Takes a template, and eliminates what costs more than it saves.
    pub(super) fn run(&mut self, template: &ClauseTemplate) {
        self.load(template);
        let mut queue = std::mem::take(&mut self.queue);
        let mut changed = std::mem::take(&mut self.changed);
        queue.clear();
        for var in self.inputs as u32..self.gone.len() as u32 {
            queue.push(Reverse((self.price(var), var)));
        }
        while let Some(Reverse((price, var))) = queue.pop() {
            // With another price it is in the queue again.
            if self.gone[var as usize] || self.price(var) != price || !self.resolve(var) {
                continue;
            }
            self.replace(var, &mut changed);
            for &var in &changed {
                if !self.gone[var as usize] {
                    queue.push(Reverse((self.price(var), var)));
                }
            }
        }
        self.queue = queue;
        self.changed = changed;
    }

    /// Makes all resolvents; true if they are few.
    fn resolve(&mut self, var: u32) -> bool {
        let [p, q] = [2 * var, 2 * var + 1].map(|lit| self.found[lit as usize].len());
        if p * q > MOST_PAIRS {
            return p.min(q) == 1 && self.resolvents(var, p + q);
        }
        self.resolvents(var, p + q)
    }

    fn resolvents(&mut self, var: u32, most: usize) -> bool {
        let mut made = std::mem::take(&mut self.made);
        let mut ends = std::mem::take(&mut self.ends);
        made.clear();
        ends.clear();
        let mut few = true;
        'all: for p in 0..self.found[2 * var as usize].len() {
            for q in 0..self.found[2 * var as usize + 1].len() {
                let [one, other] = [self.found[2 * var as usize][p], self.found[2 * var as usize + 1][q]];
                let start = made.len();
                self.steps += 8;
                if !merge(self.lits(one), self.lits(other), var, &mut made) {
                    made.truncate(start);
                    continue;
                }
                let defines = self.clauses[one as usize].defines && self.clauses[other as usize].defines;
                if self.is_subsumed(&made[start..], defines, var) {
                    made.truncate(start);
                    continue;
                }
                ends.push((made.len() as u32, defines));
                if ends.len() > most || made.len() - start > LONGEST {
                    few = false;
                    break 'all;
                }
            }
        }
        self.made = made;
        self.ends = ends;
        few
    }

    /// True if some clause without `var` says at least as much.
    fn is_subsumed(&self, clause: &[u32], defines: bool, var: u32) -> bool {
        let bits = clause.iter().fold(0, |bits, &lit| bits | bit(lit));
        clause.iter().any(|&lit| {
            self.last[lit as usize].iter().any(|&other| {
                let Clause { len, defines: by_definition, dead, bits: others, .. } = self.clauses[other as usize];
                !dead
                    && len as usize <= clause.len()
                    && others & !bits == 0
                    && (by_definition || !defines)
                    && self.lits(other).iter().all(|lit| lit / 2 != var && clause.binary_search(lit).is_ok())
            })
        })
    }

    /// Puts the resolvents in place of the clauses of `var`.
    fn replace(&mut self, var: u32, changed: &mut Vec<u32>) {
        changed.clear();
        self.gone[var as usize] = true;
        for lit in [2 * var, 2 * var + 1] {
            for clause in std::mem::take(&mut self.found[lit as usize]) {
                self.clauses[clause as usize].dead = true;
                changed.extend(self.lits(clause).iter().map(|lit| lit / 2));
            }
        }
        let made = std::mem::take(&mut self.made);
        let ends = std::mem::take(&mut self.ends);
        let mut start = 0;
        for &(end, defines) in &ends {
            let clause = &made[start..end as usize];
            start = end as usize;
            // One of the resolvents may be part of another.
            if self.is_subsumed(clause, defines, var) {
                continue;
            }
            self.subsume(clause, defines, changed);
            self.add(clause, defines);
        }
        self.made = made;
        self.ends = ends;
        changed.sort_unstable();
        changed.dedup();
        let inputs = self.inputs as u32;
        changed.retain(|&var| var >= inputs);
    }

    /// Removes clauses that a new one makes superfluous.
    fn subsume(&mut self, clause: &[u32], defines: bool, changed: &mut Vec<u32>) {
        let bits = clause.iter().fold(0, |bits, &lit| bits | bit(lit));
        let rarest = clause.iter().min_by_key(|&&lit| self.found[lit as usize].len());
        let Some(&rarest) = rarest else { return };
        for at in 0..self.found[rarest as usize].len() {
            let other = self.found[rarest as usize][at];
            let Clause { len, defines: by_definition, dead, bits: others, .. } = self.clauses[other as usize];
            if dead || (len as usize) < clause.len() || bits & !others != 0 || by_definition && !defines {
                continue;
            }
            let lits = self.lits(other);
            if clause.iter().all(|lit| lits.binary_search(lit).is_ok()) {
                changed.extend(lits.iter().map(|lit| lit / 2));
                self.clauses[other as usize].dead = true;
            }
        }
    }

    /// The remaining clauses, their auxiliaries renumbered.
    pub(super) fn template(&self, before: &ClauseTemplate) -> ClauseTemplate {
        let mut after = before.emptied();
        let mut named = vec![None; self.gone.len()];
        let mut clause = Vec::new();
        for (at, kept) in self.clauses.iter().enumerate().filter(|(_, clause)| !clause.dead) {
            clause.clear();
            for &lit in self.lits(at as u32) {
                let var = (lit / 2) as usize;
                let positive = if var < self.inputs {
                    Lit::positive(lit / 2)
                } else {
                    *named[var].get_or_insert_with(|| crate::sink::ClauseSink::new_lit(&mut after))
                };
                clause.push(if lit % 2 == 1 { !positive } else { positive });
            }
            after.push(&clause, kept.defines);
        }
        after
    }
}

/// All literals of two ascending clauses but those of `var`; false if they contradict each other.
fn merge(one: &[u32], other: &[u32], var: u32, made: &mut Vec<u32>) -> bool {
    let mut one = one.iter().copied().filter(|lit| lit / 2 != var).peekable();
    let mut other = other.iter().copied().filter(|lit| lit / 2 != var).peekable();
    loop {
        let next = match (one.peek(), other.peek()) {
            (None, None) => return true,
            (Some(&a), Some(&b)) if a ^ 1 == b => return false,
            (Some(&a), Some(&b)) if a == b => {
                one.next();
                other.next()
            }
            (Some(&a), Some(&b)) if a < b => one.next(),
            (Some(_), None) => one.next(),
            (_, Some(_)) => other.next(),
        };
        made.extend(next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::Prepared;
    use crate::pb::trees::leaf::{define, enforce};
    use crate::sink::ClauseSink;

    /// Four inputs, and a chain of auxiliaries, each of which one clause makes true.
    #[test]
    fn a_chain_becomes_one_clause() {
        let inputs: Vec<Lit> = (0..4).map(Lit::positive).collect();
        let mut template = ClauseTemplate::new(inputs.iter().copied());
        let first = template.new_lit();
        define(&mut template, &[!inputs[0], !inputs[1], first]);
        let second = template.new_lit();
        define(&mut template, &[!first, !inputs[2], second]);
        enforce(&mut template, &[!second, !inputs[3]]);
        let mut eliminator = Eliminator::default();
        eliminator.run(&template);
        let after = eliminator.template(&template);
        assert_eq!((eliminator.cost(), after.size().cost()), (1, 1));
        let mut clauses = Vec::new();
        after.each(|clause, defines| clauses.push((clause.to_vec(), defines)));
        assert_eq!(clauses, [(vec![1, 3, 5, 7], false)]);
    }

    /// Three ways in and three out: six clauses and a variable are fewer than nine clauses. What subsumes is kept.
    #[test]
    fn what_saves_stays_and_what_is_said_twice_goes() {
        let inputs: Vec<Lit> = (0..7).map(Lit::positive).collect();
        let mut template = ClauseTemplate::new(inputs.iter().copied());
        let hub = template.new_lit();
        inputs[..3].iter().for_each(|&lit| define(&mut template, &[!lit, hub]));
        inputs[3..6].iter().for_each(|&lit| define(&mut template, &[!hub, lit]));
        let mut eliminator = Eliminator::default();
        eliminator.run(&template);
        assert_eq!(eliminator.cost(), 7);
        // Of two ways in and three out there are six resolvents. One is said already; another makes a clause
        // superfluous.
        let two_and_three = || {
            let mut template = ClauseTemplate::new(inputs.iter().copied());
            let hub = template.new_lit();
            inputs[..2].iter().for_each(|&lit| define(&mut template, &[!lit, hub]));
            inputs[3..6].iter().for_each(|&lit| define(&mut template, &[!hub, lit]));
            enforce(&mut template, &[!inputs[1], inputs[5], inputs[6]]);
            template
        };
        let mut template = two_and_three();
        define(&mut template, &[!inputs[0], inputs[3]]);
        eliminator.run(&template);
        assert_eq!(eliminator.template(&template).size(), crate::Size { vars: 0, clauses: 6, lits: 12 });
        // Under a condition a clause that enforces does not say what one that defines says.
        let mut template = two_and_three();
        enforce(&mut template, &[!inputs[0], inputs[3]]);
        eliminator.run(&template);
        assert_eq!(eliminator.template(&template).size(), crate::Size { vars: 1, clauses: 7, lits: 15 });
        // An auxiliary that nothing uses goes with its clauses.
        let mut template = ClauseTemplate::new(inputs.iter().copied());
        let unused = template.new_lit();
        inputs.iter().for_each(|&lit| define(&mut template, &[!lit, unused]));
        eliminator.run(&template);
        assert_eq!(eliminator.cost(), 0);
    }
}
