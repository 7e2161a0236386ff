//! Inputs among the auxiliaries: variables that have clauses of two only, and join what does not belong together.
//!
//! A variable in two at-most-ones, with different signs and nowhere else, looks like an auxiliary that joins them to
//! one. If they have another literal in common, that is false by the cluster alone, and the cluster cannot vanish.
//! Here such literals are looked for, and variables are released by which they imply their own negation.

use super::auxiliaries::{Auxiliaries, NONE};
use super::conflicts::not;

/// Literals that are sampled to decide which variable is best released.
const SAMPLE: usize = 32;

/// Variables of a cluster that are released at most, before all of them are.
const MOST: usize = 32;

struct Repair<'a> {
    auxiliaries: &'a mut Auxiliaries,
    /// The literal that each one was reached from, or [`NONE`].
    from: Vec<u32>,
    reached: Vec<u32>,
    /// Variables that clauses are blocked on.
    is_defined: Vec<bool>,
}

impl Repair<'_> {
    /// True if `lit` implies its own negation through auxiliaries, without `banned`. The last literal before that
    /// stays the last of those reached.
    fn is_false(&mut self, lit: u32, banned: u32, work: &mut u64) -> bool {
        for &other in &self.reached {
            self.from[other as usize] = NONE;
        }
        self.reached.clear();
        let mut at = lit;
        let mut next = 0;
        loop {
            let others = self.auxiliaries.conflicts.get(at);
            *work += others.len() as u64 + 1;
            for &other in others {
                if other == lit {
                    self.reached.push(at); // once more, as the end of the way
                    return true;
                }
                let implied = not(other);
                if self.auxiliaries.is_aux(other) && other / 2 != banned && self.from[implied as usize] == NONE {
                    self.from[implied as usize] = at;
                    self.reached.push(implied);
                }
            }
            let Some(&implied) = self.reached.get(next) else { return false };
            at = implied;
            next += 1;
        }
    }

    /// The variables on the way from `lit` to its negation.
    fn way(&mut self, lit: u32, work: &mut u64) -> Vec<u32> {
        let mut way = Vec::new();
        if self.is_false(lit, NONE, work) {
            let mut at = self.reached.last().copied().unwrap_or(lit);
            while at != lit {
                way.push(at / 2);
                at = self.from[at as usize];
            }
        }
        way
    }

    /// Releases variables until no literal around the cluster is false by it; false if that does not come about.
    fn mend(&mut self, boundary: &[u32], work: &mut u64) -> bool {
        let mut wrong: Vec<u32> = boundary.to_vec();
        for _ in 0..MOST {
            wrong.retain(|&lit| self.is_false(lit, NONE, work));
            let Some(&first) = wrong.first() else { return true };
            let sample = &wrong[..wrong.len().min(SAMPLE)];
            let mut best = None;
            for var in self.way(first, work) {
                if self.is_defined[var as usize] {
                    continue;
                }
                let left = sample.iter().filter(|&&lit| self.is_false(lit, var, work)).count();
                // An auxiliary has inputs around; an input in encodings has auxiliaries.
                let conflicts = &self.auxiliaries.conflicts;
                let others = [2 * var, 2 * var + 1].into_iter().flat_map(|lit| conflicts.get(lit));
                let inputs = others.filter(|&&other| !self.auxiliaries.is_aux(other)).count();
                best = best.min(Some((left, inputs, var))).or(Some((left, inputs, var)));
            }
            match best {
                Some((left, _, var)) if left < sample.len() => self.auxiliaries.cluster_of[var as usize] = NONE,
                _ => return false,
            }
        }
        false
    }
}

/// Releases variables from clusters by which a literal is false, or all of the cluster where that does not help.
pub(super) fn repair(auxiliaries: &mut Auxiliaries, work: &mut u64, limit: u64) {
    let n = auxiliaries.cluster_of.len();
    let mut is_defined = vec![false; n];
    auxiliaries.on.iter().for_each(|&on| is_defined[on as usize / 2] = true);
    let mut repair = Repair { auxiliaries, from: vec![NONE; 2 * n], reached: Vec::new(), is_defined };
    let mut is_changed = false;
    for cluster in 0..repair.auxiliaries.clusters.len() as u32 {
        let vars = repair.auxiliaries.clusters.get(cluster);
        let others = vars.iter().flat_map(|&var| [2 * var, 2 * var + 1]);
        let others = others.flat_map(|lit| repair.auxiliaries.conflicts.get(lit)).copied();
        let mut boundary: Vec<u32> = others.filter(|&other| !repair.auxiliaries.is_aux(other)).collect();
        boundary.sort_unstable();
        boundary.dedup();
        *work += boundary.len() as u64;
        if *work >= limit {
            break;
        }
        boundary.retain(|&lit| repair.is_false(lit, NONE, work));
        if !boundary.is_empty() {
            is_changed = true;
            if !repair.mend(&boundary, work) {
                repair.auxiliaries.release(cluster);
            }
        }
    }
    if is_changed {
        repair.auxiliaries.regroup();
    }
}
