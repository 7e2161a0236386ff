//! Unit propagation on linear inequalities, for the few clauses that are no single sum.

use super::batch::{Bound, Local, negated, var};
use super::meaning::Meaning;

/// The weights of true literals sum up to at least `degree`.
#[derive(Clone, Debug)]
pub(super) struct Inequality {
    pub(super) terms: Vec<(u32, i128)>,
    degree: i128,
}

impl Inequality {
    /// Positive weights, instead of coefficients of variables.
    fn new(coefficients: impl Iterator<Item = (Local, i128)>, degree: i128, guards: &[u32]) -> Self {
        let mut terms: Vec<(u32, i128)> =
            coefficients.map(|(var, weight)| (2 * var + u32::from(weight < 0), weight.abs())).collect();
        let degree = degree + terms.iter().filter(|(lit, _)| lit & 1 == 1).map(|&(_, weight)| weight).sum::<i128>();
        terms.extend(guards.iter().map(|&guard| (guard, degree.max(0))));
        Self { terms, degree }
    }

    pub(super) fn clause(clause: &[u32]) -> Self {
        Self { terms: clause.iter().map(|&lit| (lit, 1)).collect(), degree: 1 }
    }
}

impl Bound {
    pub(super) fn inequality(&self) -> Inequality {
        Inequality::new(self.coefficients.iter().copied(), self.degree, &self.guards)
    }
}

impl Meaning {
    /// The inequality that the literal says, or its negation.
    pub(super) fn inequality(&self, side: usize) -> Inequality {
        let all = self.coefficients.iter();
        if side == 0 {
            Inequality::new(all.copied(), self.degree, &[negated(self.rising)])
        } else {
            Inequality::new(all.map(|&(var, weight)| (var, -weight)), 1 - self.degree, &[self.rising])
        }
    }
}

/// The inequalities that make unit propagation fail where all literals of `clause` are false, in the order in which
/// they propagate; `None` where it does not fail.
pub(super) fn conflict(n_vars: usize, known: &[Inequality], clause: &[u32]) -> Option<Vec<usize>> {
    let mut values = vec![0_i8; n_vars];
    let mut reasons: Vec<Option<usize>> = vec![None; n_vars];
    let mut trail = Vec::new();
    let set = |lit: u32, values: &mut Vec<i8>| values[var(lit) as usize] = if lit & 1 == 1 { -1 } else { 1 };
    clause.iter().for_each(|&lit| set(lit ^ 1, &mut values));
    let is_false = |lit: u32, values: &[i8]| values[var(lit) as usize] == if lit & 1 == 1 { 1 } else { -1 };
    let failed = 'search: loop {
        let before = trail.len();
        for (at, Inequality { terms, degree }) in known.iter().enumerate() {
            let reach: i128 =
                terms.iter().filter(|&&(lit, _)| !is_false(lit, &values)).map(|&(_, weight)| weight).sum();
            if reach < *degree {
                break 'search at;
            }
            for &(lit, weight) in terms {
                if values[var(lit) as usize] == 0 && reach - weight < *degree {
                    set(lit, &mut values);
                    reasons[var(lit) as usize] = Some(at);
                    trail.push(var(lit));
                }
            }
        }
        if trail.len() == before {
            return None;
        }
    };
    // Those that the contradiction needs, from the end.
    let mut is_needed = vec![false; n_vars];
    let mut used = vec![failed];
    let mark = |at: usize, is_needed: &mut Vec<bool>| {
        known[at].terms.iter().for_each(|&(lit, _)| is_needed[var(lit) as usize] = true);
    };
    mark(failed, &mut is_needed);
    for &var in trail.iter().rev() {
        if let Some(reason) = reasons[var as usize].filter(|_| is_needed[var as usize]) {
            mark(reason, &mut is_needed);
            if !used.contains(&reason) {
                used.push(reason);
            }
        }
    }
    used.reverse();
    Some(used)
}
