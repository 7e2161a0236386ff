//! At-most-ones among assumptions, found before the first core, and again where assumptions became clauses.
//!
//! Of assumptions that exclude each other all but one cost their weight. So the lightest weight among k of them is paid
//! k − 1 times without a conflict, and taken from each; where none of them holds it is paid once more, which a new
//! assumption says: some of them holds (A. Ignatiev, A. Morgado, J. Marques-Silva, *RC2: an Efficient `MaxSAT` Solver*,
//! Journal on Satisfiability, Boolean Modeling and Computation 11(1), 2019, pages 53–64, *intrinsic at-most-one
//! constraints*).
//!
//! Literals exclude each other by clauses of two literals, by chains of these, and by at-most-ones among constraints.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use rustsat::types::Lit;

use cnfkit_core::internals::{Clock, sort};
use cnfkit_core::{Formula, SolveError, Sum};

/// The steps through implications and sets that a search may take in all: half a second or less.
pub(super) const STEPS: usize = 4_000_000;

/// Takes so many steps, as far as there are some: false once they are used up. Asks the clock on the way.
fn take(steps: &mut usize, n: usize, clock: &Clock) -> Result<bool, SolveError> {
    let before = *steps;
    *steps = before.saturating_sub(n);
    if before >> 14 != *steps >> 14 {
        clock.check()?;
    }
    Ok(before >= n)
}

/// Implications by clauses of two literals, and at-most-ones.
#[derive(Default)]
struct Implications {
    /// By literal, the other literals of the clauses of two that it does not satisfy.
    implied: FxHashMap<Lit, Vec<Lit>>,
    /// Literals of which at most one is true.
    groups: Vec<Vec<Lit>>,
    /// By literal, the groups that it is in.
    member: FxHashMap<Lit, Vec<u32>>,
}

impl Implications {
    /// Of a formula, where the literals of `hard` are true.
    fn new(formula: &Formula, hard: &FxHashSet<Lit>) -> Self {
        let mut found = Self::default();
        for clause in formula.clauses() {
            let mut open = clause.iter().copied().filter(|&lit| !hard.contains(&!lit));
            if let (Some(a), Some(b), None) = (open.next(), open.next(), open.next()) {
                found.implied.entry(!a).or_default().push(b);
                found.implied.entry(!b).or_default().push(a);
            }
        }
        for constraint in formula.constraints() {
            if !constraint.cond.is_empty() || constraint.iff.is_some() {
                continue;
            }
            match constraint.sum {
                Sum::Count { lits, relation } => {
                    if relation.most() == Some(1) {
                        found.group(lits.to_vec());
                    }
                    if relation.least().is_some_and(|least| least + 1 == lits.len()) {
                        found.group(lits.iter().map(|&lit| !lit).collect());
                    }
                }
                Sum::Weights { terms, relation } => {
                    let terms = terms.all();
                    if let Some(most) = relation.most() {
                        found.heavy(terms, most);
                    }
                    let total = terms.iter().try_fold(0_u64, |total, &(_, weight)| total.checked_add(weight));
                    if let Some(room) = total.zip(relation.least()).and_then(|(total, least)| total.checked_sub(least))
                    {
                        let negated: Vec<_> = terms.iter().map(|&(lit, weight)| (!lit, weight)).collect();
                        found.heavy(&negated, room);
                    }
                }
                Sum::Parity { .. } => {}
            }
        }
        found
    }

    fn group(&mut self, lits: Vec<Lit>) {
        let at = self.groups.len() as u32;
        lits.iter().for_each(|&lit| self.member.entry(lit).or_default().push(at));
        self.groups.push(lits);
    }

    /// The heaviest terms of a sum, as far as any two of them are too much.
    fn heavy(&mut self, terms: &[(Lit, u64)], most: u64) {
        let mut terms = terms.to_vec();
        sort::by_key(&mut terms, |&(_, weight)| !weight);
        let pairs = terms.windows(2).take_while(|pair| pair[0].1.saturating_add(pair[1].1) > most).count();
        if pairs > 0 {
            self.group(terms[..=pairs].iter().map(|&(lit, _)| lit).collect());
        }
    }

    /// The assumptions that are false where `lit` is true; nothing once the steps are used up.
    fn excluded(
        &self,
        lit: Lit,
        assumed: &BTreeMap<Lit, u128>,
        steps: &mut usize,
        clock: &Clock,
    ) -> Result<FxHashSet<Lit>, SolveError> {
        let (mut seen, mut open) = (FxHashSet::default(), vec![lit]);
        seen.insert(lit);
        while let Some(lit) = open.pop() {
            let implied = self.implied.get(&lit).into_iter().flatten().copied();
            let groups = self.member.get(&lit).into_iter().flatten();
            let others = groups.flat_map(|&at| &self.groups[at as usize]).filter(|&&other| other != lit);
            for next in implied.chain(others.map(|&other| !other)) {
                if !take(steps, 1, clock)? {
                    return Ok(FxHashSet::default());
                }
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        Ok(seen.into_iter().map(|lit| !lit).filter(|other| *other != lit && assumed.contains_key(other)).collect())
    }
}

/// Sets of assumptions that exclude each other where the literals of `hard` are true, each with the weight that is paid
/// for all of them but one. No assumption pays more than it weighs.
pub(super) fn exclusive(
    formula: &Formula,
    hard: &FxHashSet<Lit>,
    weights: &BTreeMap<Lit, u128>,
    steps: &mut usize,
    clock: &Clock,
) -> Result<Vec<(Vec<Lit>, u128)>, SolveError> {
    if *steps == 0 {
        return Ok(Vec::new());
    }
    let implications = Implications::new(formula, hard);
    let excluded = weights.keys().map(|&lit| Ok((lit, implications.excluded(lit, weights, steps, clock)?)));
    let excluded: FxHashMap<Lit, FxHashSet<Lit>> = excluded.collect::<Result<_, SolveError>>()?;
    let mut left = weights.clone();
    let mut heaviest: Vec<Lit> = weights.keys().copied().collect();
    sort::by_wide_key(&mut heaviest, |lit| !weights[lit]);
    let mut sets = Vec::new();
    for lit in heaviest {
        while left[&lit] > 0 {
            let mut others: Vec<Lit> = excluded[&lit].iter().copied().filter(|other| left[other] > 0).collect();
            others.sort_unstable();
            sort::by_wide_key(&mut others, |other| !left[other]);
            let mut set = vec![lit];
            for other in others {
                if !take(steps, set.len(), clock)? {
                    return Ok(sets);
                }
                if set.iter().all(|member| excluded[member].contains(&other)) {
                    set.push(other);
                }
            }
            if set.len() < 2 {
                break;
            }
            // The heaviest are left, and exclude each other still.
            while set.len() > 1 {
                if !take(steps, set.len(), clock)? {
                    return Ok(sets);
                }
                let paid = set.iter().map(|member| left[member]).min().unwrap_or(0);
                for member in &set {
                    left.entry(*member).and_modify(|weight| *weight -= paid);
                }
                sets.push((set.clone(), paid));
                set.retain(|member| left[member] > 0);
            }
        }
    }
    Ok(sets)
}

#[cfg(all(test, feature = "batsat"))]
mod tests {
    use super::*;
    use cnfkit_core::{ClauseSink, Limits};

    /// A chain of implications, each literal of which costs: the steps grow with the square of its length.
    #[test]
    fn limits_and_steps_end_the_search() {
        let mut formula = Formula::new();
        let x = formula.new_lits(1_000);
        x.windows(2).for_each(|pair| formula.add_clause(&[pair[0], !pair[1]]).unwrap());
        let weights: BTreeMap<Lit, u128> = x.iter().map(|&lit| (!lit, 1)).collect();
        let found = |limits: Limits, mut steps: usize| {
            exclusive(&formula, &FxHashSet::default(), &weights, &mut steps, &limits.start()).map(|sets| (sets, steps))
        };
        assert!(matches!(found(Limits::none().memory(1), STEPS), Err(SolveError::Interrupted(_))));
        assert_eq!(found(Limits::none(), STEPS).unwrap(), (Vec::new(), STEPS - 999 * 500));
        assert_eq!(found(Limits::none(), 9).unwrap(), (Vec::new(), 0));
    }
}
