//! Clause learning on linear inequalities, for clauses that are no single sum: every learnt clause is a line of the
//! proof that unit propagation derives from the lines that its conflict analysis used.
//!
//! # Invariant
//!
//! The slack of an inequality is the sum of the weights of its literals less its degree, where those that were false
//! when propagation last came by count nothing: `propagate` subtracts weights as it goes along the trail, and
//! `back_to` adds those back that it has subtracted.
//!
//! Source: J. P. Marques-Silva, K. A. Sakallah, *GRASP: A search algorithm for propositional satisfiability*, IEEE
//! Transactions on Computers 48, 1999, pages 506–521.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::mem;

use super::batch::{BatchInequality, BatchVar, negated, var};
use super::meaning::Meaning;

/// The weights of true literals sum up to at least `degree`.
#[derive(Clone, Debug)]
pub(super) struct Inequality {
    pub(super) terms: Vec<(u32, i128)>,
    pub(super) degree: i128,
}

impl Inequality {
    /// Positive weights, instead of coefficients of variables.
    pub(super) fn new(coefficients: impl Iterator<Item = (BatchVar, i128)>, degree: i128, guards: &[u32]) -> Self {
        let mut terms: Vec<(u32, i128)> = coefficients
            .filter(|&(_, weight)| weight != 0)
            .map(|(var, weight)| (2 * var + u32::from(weight < 0), weight.abs()))
            .collect();
        let degree = degree + terms.iter().filter(|(lit, _)| lit & 1 == 1).map(|&(_, weight)| weight).sum::<i128>();
        terms.extend(guards.iter().filter(|_| degree > 0).map(|&guard| (guard, degree)));
        Self { terms, degree }
    }

    pub(super) fn clause(clause: &[u32]) -> Self {
        Self { terms: clause.iter().map(|&lit| (lit, 1)).collect(), degree: 1 }
    }
}

impl BatchInequality {
    pub(super) fn inequality(&self) -> Inequality {
        Inequality::new(self.coefficients.iter().copied(), self.degree, &self.guards)
    }
}

impl Meaning {
    /// True if the inequality does not hold whatever the inputs are.
    pub(super) fn is_line(&self, side: usize) -> bool {
        let [least, most] = self.sum.range;
        if side == 0 { least < self.degree } else { most >= self.degree }
    }

    /// The inequality that the literal says, or its negation, and the value that defines the literal so.
    pub(super) fn inequality(&self, side: usize) -> (Inequality, u32) {
        let sign = 1 - 2 * side as i128;
        let (head, degree) =
            if side == 0 { (negated(self.rising), self.degree) } else { (self.rising, 1 - self.degree) };
        (Inequality::new(self.sum.terms().map(|(var, weight)| (var, sign * weight)), degree, &[head]), head)
    }
}

/// The number of an inequality, in the order in which they were added.
pub(super) type InequalityNumber = u32;

/// Literals that a search looks at between two looks at the clock.
const WORK: usize = 1 << 16;

/// No reason: a decision.
const NONE: InequalityNumber = InequalityNumber::MAX;

/// A clause that follows, and the inequalities from which unit propagation derives it, in the order of propagation.
pub(super) type Lemma = (Vec<u32>, Vec<InequalityNumber>);

/// The effort that the derivation of a batch may take.
#[derive(Clone, Copy)]
pub(crate) struct DerivationEffort<'g> {
    /// The literals that its searches may still look at.
    left: usize,
    /// The literals with which the next attempt begins, if it does not share those that are left.
    each: Option<usize>,
    /// Auxiliaries are taken for sums of inputs or digits of sums alone, not for sums of others nor for functions.
    only_sums: bool,
    /// False once it is to be given up.
    go_on: &'g dyn Fn() -> bool,
}

impl<'g> DerivationEffort<'g> {
    /// The literals of an attempt at a batch that has no other encoding: two seconds of an optimised build. The slowest
    /// that is known to succeed looks at half as many: an equality of ten weights by a local watchdog, reified.
    const ATTEMPT: usize = 1 << 30;
    /// The literals of all attempts together where there is another encoding: a quarter of a second.
    const CHOICE: usize = 1 << 27;

    /// As much as there may be, while `go_on` says so.
    pub(crate) fn most(go_on: &'g dyn Fn() -> bool) -> Self {
        Self { left: Self::ATTEMPT, each: Some(Self::ATTEMPT), only_sums: false, go_on }
    }

    /// Little, for a batch that need not be derived.
    pub(crate) fn choice(go_on: &'g dyn Fn() -> bool) -> Self {
        Self { left: Self::CHOICE, each: None, only_sums: false, go_on }
    }

    /// Hardly any, for a count by `Auto`, which need not be derived: networks, which are functions, take seconds from
    /// 40 literals on, and of its other counts every clause is a sum.
    pub(crate) fn count(go_on: &'g dyn Fn() -> bool) -> Self {
        Self { left: Self::CHOICE >> 7, each: None, only_sums: true, go_on }
    }

    /// True if functions, and sums of other auxiliaries, are worth an attempt.
    pub(super) const fn has_functions(&self) -> bool {
        !self.only_sums
    }

    /// That of the next attempt; false when it is to be given up.
    pub(super) fn renew(&mut self) -> bool {
        self.left = self.each.unwrap_or(self.left);
        self.goes_on()
    }

    /// True until it is to be given up.
    pub(crate) fn goes_on(&self) -> bool {
        (self.go_on)()
    }

    /// Takes note of literals that were looked at; false when these were too many, or it is to be given up.
    pub(super) fn spend(&mut self, literals: usize) -> bool {
        self.left = self.left.saturating_sub(literals);
        self.left > 0 && self.goes_on()
    }
}

/// Inequalities, and values that propagation gives to literals.
#[derive(Debug, Default)]
pub(super) struct DerivationSearch {
    inequalities: Vec<Inequality>,
    slack: Vec<i128>,
    /// By literal: the inequalities that have it.
    occurrences: Vec<Vec<(InequalityNumber, i128)>>,
    /// By variable: 1, -1 for false, 0 for none.
    values: Vec<i8>,
    /// By variable: place on the trail, decisions before it, reason, last conflict that it was part of.
    places: Vec<(usize, usize, InequalityNumber)>,
    bumped: Vec<usize>,
    /// Variables by that conflict, the lowest first, and the conflict that each is there by, plus one. All that are
    /// free are there.
    free: BinaryHeap<(usize, Reverse<usize>)>,
    queued: Vec<usize>,
    trail: Vec<u32>,
    /// Literals of the trail that were propagated.
    done: usize,
    /// The length of the trail at each decision.
    decisions: Vec<usize>,
    conflicts: usize,
    size: usize,
    /// The literals that were looked at since that was last counted.
    work: usize,
    /// An inequality that is false whatever else is true.
    failed: Option<InequalityNumber>,
}

impl DerivationSearch {
    pub(super) fn new(n_vars: usize) -> Self {
        Self {
            occurrences: vec![Vec::new(); 2 * n_vars],
            values: vec![0; n_vars],
            places: vec![(0, 0, NONE); n_vars],
            bumped: vec![0; n_vars],
            free: (0..n_vars).map(|var| (0, Reverse(var))).collect(),
            queued: vec![1; n_vars],
            ..Self::default()
        }
    }

    /// The literals of all inequalities.
    pub(super) const fn size(&self) -> usize {
        self.size
    }

    /// Adds an inequality for good.
    pub(super) fn add(&mut self, inequality: Inequality) {
        self.back_to(0);
        let number = self.push(inequality);
        if self.slack[number as usize] < 0 {
            self.failed.get_or_insert(number);
        }
        self.imply(number);
        let failed = self.propagate();
        self.failed = self.failed.or(failed);
    }

    fn push(&mut self, inequality: Inequality) -> InequalityNumber {
        let number = self.inequalities.len() as InequalityNumber;
        let mut slack = -inequality.degree;
        for &(lit, weight) in &inequality.terms {
            let is_counted = !self.is_false(lit) || self.places[var(lit) as usize].0 >= self.done;
            slack += if is_counted { weight } else { 0 };
            self.occurrences[lit as usize].push((number, weight));
        }
        self.size += inequality.terms.len();
        self.slack.push(slack);
        self.inequalities.push(inequality);
        number
    }

    fn is_false(&self, lit: u32) -> bool {
        self.values[var(lit) as usize] == if lit & 1 == 1 { 1 } else { -1 }
    }

    fn set(&mut self, lit: u32, reason: InequalityNumber) {
        self.values[var(lit) as usize] = if lit & 1 == 1 { -1 } else { 1 };
        self.places[var(lit) as usize] = (self.trail.len(), self.decisions.len(), reason);
        self.trail.push(lit);
    }

    fn decide(&mut self, lit: u32) {
        self.decisions.push(self.trail.len());
        self.set(lit, NONE);
    }

    fn back_to(&mut self, level: usize) {
        let Some(&len) = self.decisions.get(level) else { return };
        self.decisions.truncate(level);
        while self.trail.len() > len {
            let Some(lit) = self.trail.pop() else { return };
            if self.trail.len() < self.done {
                for &(number, weight) in &self.occurrences[negated(lit) as usize] {
                    self.slack[number as usize] += weight;
                }
            }
            let var = var(lit) as usize;
            self.values[var] = 0;
            if self.queued[var] != self.bumped[var] + 1 {
                self.queued[var] = self.bumped[var] + 1;
                self.free.push((self.bumped[var], Reverse(var)));
            }
        }
        self.done = self.done.min(len);
    }

    /// The free variable that was part of the last conflict, the lowest of several.
    fn next_free(&mut self) -> Option<usize> {
        while let Some((conflict, Reverse(var))) = self.free.pop() {
            if self.queued[var] == conflict + 1 {
                self.queued[var] = 0;
                if self.values[var] == 0 {
                    return Some(var);
                }
            }
        }
        None
    }

    /// Makes literals true without which an inequality cannot hold.
    fn imply(&mut self, number: InequalityNumber) {
        let slack = self.slack[number as usize];
        self.work += self.inequalities[number as usize].terms.len();
        for at in 0..self.inequalities[number as usize].terms.len() {
            let (lit, weight) = self.inequalities[number as usize].terms[at];
            if weight > slack && self.values[var(lit) as usize] == 0 {
                self.set(lit, number);
            }
        }
    }

    /// Propagates; an inequality that cannot hold.
    fn propagate(&mut self) -> Option<InequalityNumber> {
        while let Some(&lit) = self.trail.get(self.done) {
            self.done += 1;
            let mut failed = None;
            for &(number, weight) in &self.occurrences[negated(lit) as usize] {
                let slack = &mut self.slack[number as usize];
                *slack -= weight;
                failed = failed.or((*slack < 0).then_some(number));
            }
            if failed.is_some() {
                return failed;
            }
            for at in 0..self.occurrences[negated(lit) as usize].len() {
                self.imply(self.occurrences[negated(lit) as usize][at].0);
            }
        }
        None
    }

    /// The inequalities that make a failed one fail, after the last decision down to a single literal; down to
    /// decisions with `whole`. Learns that literal and those of earlier decisions: the clause, its literal first.
    fn analyse(&mut self, failed: InequalityNumber, implied: Option<u32>, whole: bool) -> Lemma {
        self.conflicts += 1;
        let mut is_seen = vec![false; self.values.len()];
        let mut used = if failed == NONE { Vec::new() } else { vec![failed] };
        let mut clause = Vec::new();
        let mut open = 0;
        let level = self.decisions.len();
        let (mut reason, mut before) = (failed, self.trail.len());
        is_seen.iter_mut().zip(0..).filter(|&(_, at)| implied.is_some_and(|lit| var(lit) == at)).for_each(
            |(seen, _)| {
                *seen = true;
            },
        );
        for place in (0..=self.trail.len()).rev() {
            if place < self.trail.len() {
                let lit = self.trail[place];
                if !is_seen[var(lit) as usize] {
                    continue;
                }
                let (_, own, why) = self.places[var(lit) as usize];
                let is_last = !whole && own == level && open == 1;
                if own > 0 && own == level && !whole {
                    open -= 1;
                }
                if is_last || (own > 0 && (own < level && !whole || why == NONE)) {
                    clause.push(negated(lit));
                    continue;
                }
                (reason, before) = (why, place);
                used.push(reason);
            } else if failed == NONE {
                continue;
            }
            for &(lit, _) in &self.inequalities[reason as usize].terms {
                let var = var(lit) as usize;
                if self.is_false(lit) && self.places[var].0 < before && !is_seen[var] {
                    is_seen[var] = true;
                    self.bumped[var] = self.conflicts;
                    open += usize::from(self.places[var].1 == level && level > 0);
                }
            }
        }
        used.reverse();
        (clause, used)
    }

    /// The lemmas from which a clause follows, the clause itself last; `None` where it does not follow, or takes more
    /// than `most` of them, or more effort than there is. All of them are added.
    pub(super) fn derive(
        &mut self,
        clause: &[u32],
        most: usize,
        effort: &mut DerivationEffort<'_>,
    ) -> Option<Vec<Lemma>> {
        self.back_to(0);
        let mut lemmas = Vec::new();
        let hints = loop {
            let failed = self.failed.or_else(|| self.propagate());
            if let Some(failed) = failed {
                if self.decisions.len() <= clause.len() {
                    break self.analyse(failed, None, true).1;
                }
                if lemmas.len() == most || !effort.spend(mem::take(&mut self.work)) {
                    return None;
                }
                let (learnt, used) = self.analyse(failed, None, false);
                let levels = learnt[1..].iter().map(|&lit| self.places[var(lit) as usize].1);
                self.back_to(levels.max().unwrap_or(0));
                let number = self.push(Inequality::clause(&learnt));
                self.set(learnt[0], number);
                lemmas.push((learnt, used));
                continue;
            }
            if let Some(&lit) = clause.get(self.decisions.len()) {
                match self.values[var(lit) as usize] {
                    0 => self.decide(negated(lit)),
                    _ if self.is_false(lit) => {
                        // A decision that is made already.
                        self.decisions.push(self.trail.len());
                    }
                    _ => break self.analyse(NONE, Some(lit), true).1,
                }
                continue;
            }
            self.work += 1;
            if self.work > WORK && !effort.spend(mem::take(&mut self.work)) {
                return None;
            }
            let next = self.next_free()?;
            self.decide(2 * next as u32 + 1);
        };
        self.add(Inequality::clause(clause));
        lemmas.push((clause.to_vec(), hints));
        Some(lemmas)
    }
}
