//! Meanings: for each auxiliary of a batch a sum of weights that it compares with a bound, found in the clauses that
//! define it.
//!
//! Encodings of counts and of sums are made of implications from sums that are reached to sums that are reached. So an
//! auxiliary p stands for *the sum S(p) is at least j(p)*, where
//!
//! * j(p) is the least sum of weights of true inputs that makes p true by unit propagation on the definitions: of all
//!   clauses that make p true, the least sum of what their premises need. It is the shortest path in a hypergraph;
//! * S(p) has for each input the most that it contributes to the premises of one of these clauses.
//!
//! Where true inputs make nothing true, false ones do, in encodings of lower bounds: the same with all inputs negated.
//! An auxiliary that true inputs make true, and others of them false, is no such sum: it has no meaning here.
//!
//! Source of the search: D. E. Knuth, *A generalization of Dijkstra's algorithm*, Information Processing Letters 6,
//! 1977, pages 1–5.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::batch::{Batch, BatchVar, negated, var};

/// Passes over all definitions, after which what is not found has no meaning.
const PASSES: usize = 8;

/// The most terms of all sums of a batch: the text of the definitions has each twice.
pub(super) const MOST: usize = 1 << 23;

/// The literal `rising` is true if and only if the sum is at least `degree`.
#[derive(Clone, Debug)]
pub(super) struct Meaning {
    pub(super) rising: u32,
    pub(super) sum: Rc<InputSum>,
    pub(super) degree: i128,
}

/// A number that sums of inputs share with equal ones, and with hardly any others: that of a sum of sums is the sum of
/// theirs. Sums that do not share it are not equal; that those are that do is for the checker to find.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Fingerprint(u64);

impl Fingerprint {
    pub(super) const fn add(&mut self, other: Self, factor: i128) {
        self.0 = self.0.wrapping_add(other.0.wrapping_mul(factor.cast_unsigned() as u64));
    }

    pub(super) const fn number(self) -> u64 {
        self.0
    }

    pub(super) const fn of(var: BatchVar) -> Self {
        let own = (var as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let own = (own ^ (own >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        Self(own ^ (own >> 32))
    }
}

/// A sum of multiples of variables, in their order.
#[derive(Debug, Default)]
pub(super) struct InputSum {
    vars: Vec<BatchVar>,
    /// One for each variable, or one for all, as counts have it.
    coefficients: Vec<i128>,
    pub(super) fingerprint: Fingerprint,
    /// Its value where all with negative coefficients are true, and where all others are.
    pub(super) range: [i128; 2],
}

impl InputSum {
    pub(super) fn new(mut terms: Vec<(BatchVar, i128)>) -> Self {
        if !terms.is_sorted() {
            terms.sort_unstable();
        }
        let (mut fingerprint, mut range) = (Fingerprint::default(), [0; 2]);
        for &(var, coefficient) in &terms {
            fingerprint.add(Fingerprint::of(var), coefficient);
            range[usize::from(coefficient > 0)] += coefficient;
        }
        let mut coefficients: Vec<i128> = terms.iter().map(|&(_, coefficient)| coefficient).collect();
        if coefficients.windows(2).all(|pair| pair[0] == pair[1]) {
            coefficients.truncate(1);
        }
        coefficients.shrink_to_fit();
        Self { vars: terms.into_iter().map(|(var, _)| var).collect(), coefficients, fingerprint, range }
    }

    fn at(&self, at: usize) -> i128 {
        self.coefficients[if self.coefficients.len() == 1 { 0 } else { at }]
    }

    pub(super) fn terms(&self) -> impl Iterator<Item = (BatchVar, i128)> {
        self.vars.iter().enumerate().map(|(at, &var)| (var, self.at(at)))
    }

    pub(super) fn coefficient(&self, var: BatchVar) -> i128 {
        self.vars.binary_search(&var).map_or(0, |at| self.at(at))
    }
}

/// The sums of inputs, all true or all false, that make literals true.
pub(super) struct Reached {
    /// The terms of all sums.
    terms: usize,
    least: Vec<Option<i128>>,
    sums: Vec<Rc<InputSum>>,
}

fn merge(one: &[(BatchVar, i128)], other: &InputSum, both: fn(i128, i128) -> i128) -> Vec<(BatchVar, i128)> {
    let mut merged = Vec::with_capacity(one.len().max(other.vars.len()));
    let mut at = 0;
    for (var, own) in other.terms() {
        let before = one[at..].iter().take_while(|&&(lower, _)| lower < var).count();
        merged.extend_from_slice(&one[at..at + before]);
        at += before;
        let same = one.get(at).filter(|&&(same, _)| same == var);
        merged.push((var, same.map_or(own, |&(_, coefficient)| both(coefficient, own))));
        at += usize::from(same.is_some());
    }
    merged.extend_from_slice(&one[at..]);
    merged
}

impl Reached {
    /// By inputs that are true, and by inputs that are false; `None` where the sums have too many terms. Unfinished
    /// when `go_on` says no.
    pub(super) fn both(batch: &Batch, go_on: &dyn Fn() -> bool) -> Option<[Self; 2]> {
        let mut is_auxiliary = vec![false; batch.n_vars()];
        batch.auxiliaries.iter().for_each(|&var| is_auxiliary[var as usize] = true);
        let by = |sign| Some(Self::by(batch, sign, &is_auxiliary, go_on)).filter(|reached| reached.terms <= MOST);
        Some([by(0)?, by(1)?])
    }

    /// By inputs that are true, or by inputs that are false.
    fn by(batch: &Batch, sign: u32, is_auxiliary: &[bool], go_on: &dyn Fn() -> bool) -> Self {
        let none = Rc::new(InputSum::default());
        let mut reached =
            Self { terms: 0, least: vec![None; 2 * batch.n_vars()], sums: vec![none; 2 * batch.n_vars()] };
        for (input, &weight) in batch.weights.iter().enumerate() {
            reached.least[(2 * input) ^ sign as usize] = Some(weight);
            reached.sums[(2 * input) ^ sign as usize] = Rc::new(InputSum::new(vec![(input as u32, weight)]));
        }
        for _ in 0..PASSES {
            if !go_on() || !reached.lower(batch, is_auxiliary) {
                break;
            }
        }
        let cycles = reached.cycles(batch, is_auxiliary);
        let mut known = FxHashMap::default();
        for _ in 0..PASSES {
            if !reached.widen(batch, is_auxiliary, &cycles, &mut known, go_on) {
                break;
            }
        }
        reached
    }

    /// For each literal a number that it shares with those that it makes true and that make it true.
    fn cycles(&self, batch: &Batch, is_auxiliary: &[bool]) -> Vec<u32> {
        let mut edges = [Vec::new(), Vec::new()];
        for (clause, _) in batch.clauses().filter(|&(_, defines)| defines) {
            for head in self.heads(clause, is_auxiliary) {
                for &lit in clause.iter().filter(|&&lit| lit != head && is_auxiliary[var(lit) as usize]) {
                    edges[0].push((negated(lit), head));
                    edges[1].push((head, negated(lit)));
                }
            }
        }
        edges.iter_mut().for_each(|edges| edges.sort_unstable());
        components(2 * batch.n_vars() as u32, &edges)
    }

    /// Each definition with a literal that it makes true, whose premises can be reached.
    fn heads<'b>(&self, clause: &'b [u32], is_auxiliary: &'b [bool]) -> impl Iterator<Item = u32> + use<'b> {
        let mut open = clause.iter().filter(|&&lit| self.least[negated(lit) as usize].is_none());
        let (first, second) = (open.next().copied(), open.next().is_some());
        let may = move |lit: u32| !second && first.is_none_or(|open| open == lit);
        clause.iter().copied().filter(move |&lit| may(lit) && is_auxiliary[var(lit) as usize])
    }

    fn lower(&mut self, batch: &Batch, is_auxiliary: &[bool]) -> bool {
        let mut changed = false;
        for (clause, _) in batch.clauses().filter(|&(_, defines)| defines) {
            let all: i128 = clause.iter().filter_map(|&lit| self.least[negated(lit) as usize]).sum();
            for head in self.heads(clause, is_auxiliary) {
                let own = all - self.least[negated(head) as usize].unwrap_or(0);
                let least = &mut self.least[head as usize];
                if least.is_none_or(|least| own < least) {
                    *least = Some(own);
                    changed = true;
                }
            }
        }
        changed
    }

    /// Sums that two fingerprints made are `known`.
    fn widen(
        &mut self,
        batch: &Batch,
        is_auxiliary: &[bool],
        cycles: &[u32],
        known: &mut FxHashMap<[Fingerprint; 2], Rc<InputSum>>,
        go_on: &dyn Fn() -> bool,
    ) -> bool {
        let mut changed = false;
        for (clause, _) in batch.clauses().filter(|&(_, defines)| defines) {
            for head in self.heads(clause, is_auxiliary) {
                // Neither sum would be a meaning, and adders have many of them.
                if self.least[negated(head) as usize].is_some() {
                    continue;
                }
                let premises = clause.iter().filter(|&&lit| lit != head).map(|&lit| negated(lit));
                // The other direction of a definition in both.
                let is_back = |premise: u32| {
                    cycles[premise as usize] == cycles[head as usize]
                        && self.least[premise as usize] > self.least[head as usize]
                };
                if premises.clone().any(is_back) {
                    continue;
                }
                if !go_on() {
                    return false;
                }
                let own = &self.sums[head as usize];
                let premises = premises.map(|lit| &self.sums[lit as usize]);
                let mut all = Fingerprint::default();
                premises.clone().for_each(|one| all.add(one.fingerprint, 1));
                if all == own.fingerprint {
                    continue;
                }
                let wider = known.entry([own.fingerprint, all]).or_insert_with(|| {
                    let sum = premises.fold(Vec::new(), |sum, one| merge(&sum, one, |a, b| a + b));
                    Rc::new(InputSum::new(merge(&sum, own, i128::max)))
                });
                if wider.fingerprint != own.fingerprint {
                    self.terms += wider.vars.len() - own.vars.len();
                    if self.terms > MOST {
                        return false;
                    }
                    self.sums[head as usize] = Rc::clone(wider);
                    changed = true;
                }
            }
        }
        changed
    }
}

/// The strongly connected components of a graph, given by its sorted edges in both directions (Kosaraju, Sharir).
fn components(n: u32, [forth, back]: &[Vec<(u32, u32)>; 2]) -> Vec<u32> {
    let of = |edges: &[(u32, u32)], from: u32| edges.partition_point(|&(other, _)| other < from);
    let mut seen = vec![false; n as usize];
    let mut order = Vec::new();
    for start in 0..n {
        let mut path = vec![(start, of(forth, start))];
        if std::mem::replace(&mut seen[start as usize], true) {
            continue;
        }
        while let Some((at, next)) = path.last_mut() {
            match forth.get(*next).filter(|&&(from, _)| from == *at) {
                Some(&(_, to)) => {
                    *next += 1;
                    if !std::mem::replace(&mut seen[to as usize], true) {
                        path.push((to, of(forth, to)));
                    }
                }
                None => {
                    order.push(*at);
                    path.pop();
                }
            }
        }
    }
    let mut component = vec![u32::MAX; n as usize];
    for &start in order.iter().rev() {
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            if component[at as usize] != u32::MAX {
                continue;
            }
            component[at as usize] = start;
            let own = back[of(back, at)..].iter().take_while(|&&(from, _)| from == at);
            open.extend(own.map(|&(_, to)| to).filter(|&to| component[to as usize] == u32::MAX));
        }
    }
    component
}

/// The meaning of each auxiliary that has one, by number of its variable. Where auxiliaries are defined in both
/// directions, `falling` takes the bounds from what false inputs make false.
pub(super) fn meanings(batch: &Batch, reached: &[Reached; 2], falling: bool) -> Vec<Option<Meaning>> {
    let mut both: Vec<(usize, &Reached)> = reached.iter().enumerate().collect();
    if falling {
        both.reverse();
    }
    let mut found = vec![None; batch.n_vars()];
    let mut falls: FxHashMap<Fingerprint, Rc<InputSum>> = FxHashMap::default();
    for &aux in &batch.auxiliaries {
        found[aux as usize] = both.iter().find_map(|&(sign, reached)| {
            let rising = match [2 * aux, 2 * aux + 1].map(|lit| reached.least[lit as usize]) {
                [Some(_), None] => 2 * aux,
                [None, Some(_)] => 2 * aux + 1,
                _ => return None,
            };
            let sum = &reached.sums[rising as usize];
            let least = reached.least[rising as usize]?;
            if sign == 0 {
                return Some(Meaning { rising, sum: Rc::clone(sum), degree: least });
            }
            // Of false inputs: the sum of all less that of the true ones.
            let own = || Rc::new(InputSum::new(sum.terms().map(|(var, weight)| (var, -weight)).collect()));
            let degree = least - sum.range[1];
            Some(Meaning { rising, sum: Rc::clone(falls.entry(sum.fingerprint).or_insert_with(own)), degree })
        });
    }
    found
}
