//! Sums with too many terms to write, as clauses that answer for themselves.
//!
//! A sum is made of ladders: literals of which each implies the one before, each with the amount that the ladder comes
//! to from there on, as a number has by *it is at least so much*. It is at most a bound. What the true literals come to
//! leaves some slack; a literal that would take more is false. The reason is the literals that were true by then, each
//! lowered as far as the rest still takes too much (T. Feydy, P. J. Stuckey, *Lazy Clause Generation Reengineered*, CP
//! 2009, LNCS 5732, pages 352–366).
//!
//! A ladder of many sums is climbed once for all of them: what is the same `Arc` is one ladder.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use rustsat::types::Lit;

use super::{LazyClauses, RawLit, Refuted, Trail, to_raw};
use crate::sort;

/// Literals, ascending, each with what the ladder comes to where it is the last that is true; and a factor of it all.
pub type WeightLadder = (Arc<[(Lit, u64)]>, u64);

/// News for a watcher between two questions, and from it.
#[derive(Debug, Default)]
pub struct News {
    /// The sums so far, with those that are still to come.
    n_sums: usize,
    /// Sums to be watched from now on.
    sums: Vec<(Vec<WeightLadder>, u64)>,
    /// Bounds on sums, each with the literal that it holds under: steps of the last ladder.
    bounds: Vec<(usize, Lit, u64)>,
    /// Sums that need not be watched any more.
    dropped: Vec<usize>,
    /// By sum, the literals of its explanations.
    pub explained: Vec<u64>,
}

impl News {
    /// Says that a sum of ladders is at most its number; gives the sum's own number.
    pub fn add(&mut self, ladders: Vec<WeightLadder>, most: u64) -> usize {
        self.sums.push((ladders, most));
        self.n_sums += 1;
        self.n_sums - 1
    }

    /// Says that a sum is watched no more.
    pub fn drop(&mut self, sum: usize) {
        self.dropped.push(sum);
    }

    fn is_empty(&self) -> bool {
        self.sums.is_empty() && self.bounds.is_empty() && self.dropped.is_empty()
    }
}

/// News that both have.
pub type Told = Rc<RefCell<News>>;

/// Bounds on a sum that is watched, to be asked for.
#[derive(Clone, Debug)]
pub struct AskedBounds {
    told: Told,
    sum: usize,
}

impl AskedBounds {
    /// Asks for bounds on `terms`.
    #[must_use]
    pub fn new(told: &Told, terms: impl Iterator<Item = (Lit, u64)>) -> Self {
        let mut ladders: Vec<WeightLadder> = terms.map(|term| (Arc::from([term]), 1)).collect();
        let total = ladders.iter().map(|(steps, _)| steps[0].1).sum();
        ladders.push((Arc::from([]), 1)); // of the bounds
        let sum = told.borrow_mut().add(ladders, total);
        Self { told: Rc::clone(told), sum }
    }

    /// The sum is at most `bound` if `lit` is true; a lower bound's literal implies that of a higher one.
    pub fn at_most(&self, lit: Lit, bound: u64) {
        self.told.borrow_mut().bounds.push((self.sum, lit, bound));
    }
}

const NONE: u32 = u32::MAX;

#[derive(Debug)]
struct WatchedSum {
    most: u64,
    /// The sum over the true literals, as far as they were counted.
    spent: u64,
    /// The first of its terms, and the first beyond them.
    terms: (u32, u32),
    /// The greatest sum of a single ladder.
    widest: u64,
    is_open: bool,
}

/// A multiple of a ladder in a sum.
#[derive(Clone, Copy, Debug)]
struct LadderTerm {
    sum: u32,
    ladder: u32,
    factor: u64,
}

#[derive(Debug)]
struct WatchedLadder {
    steps: Arc<[(Lit, u64)]>,
    /// How many were true from which entry of the log on; the first is from the beginning.
    reached: Vec<(u32, u32)>,
    /// How many of them its sums have counted.
    counted: u32,
    /// The terms that it is the ladder of.
    terms: Vec<u32>,
}

impl WatchedLadder {
    /// The amount that this many steps of the ladder come to.
    fn amount(&self, reached: u32) -> u64 {
        if reached == 0 { 0 } else { self.steps[reached as usize - 1].1 }
    }

    fn now(&self) -> u32 {
        self.reached.last().map_or(0, |&(_, reached)| reached)
    }

    /// The number of steps that were true when the log had so many entries.
    fn before(&self, log: u32) -> u32 {
        let at = self.reached.partition_point(|&(from, _)| from < log);
        at.checked_sub(1).map_or(0, |at| self.reached[at].1)
    }
}

#[derive(Clone, Copy, Debug)]
enum Entry {
    Reached(u32),
    True(u32),
}

/// Sums that are at most their bounds.
#[derive(Debug, Default)]
pub struct LazySums {
    all: Vec<WatchedSum>,
    terms: Vec<LadderTerm>,
    ladders: Vec<WatchedLadder>,
    /// Ladders whose sums have not counted what is true now.
    changed: Vec<u32>,
    /// By literal, where its places are; one more than there are literals.
    starts: Vec<u32>,
    /// Ladders, and the number of steps up to and with the literal.
    places: Vec<(u32, u32)>,
    /// By literal, whether it is true, as far as was read or implied.
    is_true: Vec<bool>,
    /// By literal, why it was implied: the term, the step that would take too much, the length of the log.
    why: Vec<(u32, u32, u32)>,
    log: Vec<Entry>,
    levels: Vec<u32>,
    open: Vec<u32>,
    reason: Vec<RawLit>,
    told: Told,
}

fn code(var: u32, value: bool) -> usize {
    2 * var as usize + usize::from(!value)
}

fn code_of(lit: Lit) -> usize {
    code(lit.vidx32(), lit.is_pos())
}

impl LazySums {
    /// Each sum of ladders is at most its number.
    #[must_use]
    pub fn new(sums: Vec<(Vec<WeightLadder>, u64)>) -> Self {
        let mut made = Self::default();
        let mut known: FxHashMap<*const (Lit, u64), u32> = FxHashMap::default();
        // Most ladders have one step: equal ones are the same.
        let mut single: FxHashMap<(Lit, u64), u32> = FxHashMap::default();
        for (ladders, most) in sums {
            let (first, sum) = (made.terms.len() as u32, made.all.len() as u32);
            let comes_to = |(steps, factor): &WeightLadder| steps.last().map_or(0, |&(_, amount)| amount * factor);
            let widest = ladders.iter().map(comes_to).max().unwrap_or(0);
            for (steps, factor) in ladders {
                let next = made.ladders.len() as u32;
                let ladder = match *steps {
                    [] => next,
                    [step] => *single.entry(step).or_insert(next),
                    _ => *known.entry(steps.as_ptr()).or_insert(next),
                };
                if ladder == next {
                    made.ladders.push(WatchedLadder { steps, reached: Vec::new(), counted: 0, terms: Vec::new() });
                }
                made.ladders[ladder as usize].terms.push(made.terms.len() as u32);
                made.terms.push(LadderTerm { sum, ladder, factor });
            }
            let terms = (first, made.terms.len() as u32);
            made.all.push(WatchedSum { most, spent: 0, terms, widest, is_open: true });
            made.open.push(sum);
        }
        let places = made.ladders.iter().zip(0..).flat_map(|(ladder, at)| {
            ladder.steps.iter().zip(1..).map(move |(&(lit, _), reached)| (code_of(lit), (at, reached)))
        });
        let mut places: Vec<(usize, (u32, u32))> = places.collect();
        places.sort_unstable();
        let literals = places.last().map_or(0, |&(code, _)| (code | 1) + 1);
        made.starts = vec![0; literals + 1];
        places.iter().for_each(|&(code, _)| made.starts[code + 1] += 1);
        (0..literals).for_each(|at| made.starts[at + 1] += made.starts[at]);
        made.places = places.into_iter().map(|(_, place)| place).collect();
        made.is_true = vec![false; literals];
        made.why = vec![(NONE, 0, 0); literals];
        made
    }

    /// No sums so far: those that it is told.
    #[must_use]
    pub fn told(told: &Told) -> Self {
        Self { told: Rc::clone(told), ..Self::default() }
    }

    /// Watches what it was told, from the beginning.
    fn take_news(&mut self) {
        let sums = self.all.iter().map(|sum| {
            let terms = self.terms[sum.terms.0 as usize..sum.terms.1 as usize].iter();
            let ladder = |term: &LadderTerm| (Arc::clone(&self.ladders[term.ladder as usize].steps), term.factor);
            (terms.map(ladder).collect::<Vec<_>>(), sum.most)
        });
        let mut sums: Vec<_> = sums.collect();
        {
            let mut news = self.told.borrow_mut();
            sums.append(&mut news.sums);
            for (sum, lit, bound) in news.bounds.drain(..) {
                let (ladders, most) = &mut sums[sum];
                let (own, _) = ladders.last_mut().expect("a sum that is bounded has a ladder of bounds");
                let mut steps = own.to_vec();
                steps.push((lit, *most - bound));
                sort::by_key(&mut steps, |&(_, amount)| amount);
                *own = steps.into();
            }
            news.dropped.drain(..).for_each(|sum| sums[sum].0.clear());
            news.explained.resize(sums.len(), 0);
        }
        *self = Self { told: Rc::clone(&self.told), ..Self::new(sums) };
    }

    /// Counts what the sum's last explanation has cost.
    fn count(&self, sum: usize) {
        if let Some(explained) = self.told.borrow_mut().explained.get_mut(sum) {
            *explained += self.reason.len() as u64 + 1;
        }
    }

    fn set(&mut self, code: usize) {
        if !std::mem::replace(&mut self.is_true[code], true) {
            self.log.push(Entry::True(code as u32));
        }
    }

    /// Takes note of a literal that is true.
    fn reach(&mut self, code: usize) {
        for at in self.starts[code]..self.starts[code + 1] {
            let (ladder, reached) = self.places[at as usize];
            let own = &mut self.ladders[ladder as usize];
            if reached > own.now() {
                if own.now() == own.counted {
                    self.changed.push(ladder);
                }
                own.reached.push((self.log.len() as u32, reached));
                self.log.push(Entry::Reached(ladder));
            }
        }
    }

    /// Lets all sums count what changed.
    fn count_changes(&mut self) {
        while let Some(ladder) = self.changed.pop() {
            let own = &mut self.ladders[ladder as usize];
            let reached = own.now();
            let (now, before) = (own.amount(reached), own.amount(own.counted));
            own.counted = reached;
            for &term in &self.ladders[ladder as usize].terms {
                let LadderTerm { sum: at, factor, .. } = self.terms[term as usize];
                let sum = &mut self.all[at as usize];
                // All ladders together fit 64 bits.
                sum.spent = sum.spent + now * factor - before * factor;
                if now > before && !std::mem::replace(&mut sum.is_open, true) {
                    self.open.push(at);
                }
            }
        }
    }

    /// Literals that were true when the log had so many entries, and with which the term `but` at `least` takes more
    /// than there is.
    fn explain_with(&mut self, sum: usize, but: u32, least: u64, log: u32) {
        self.reason.clear();
        let WatchedSum { most, terms: (from, to), .. } = self.all[sum];
        let others = || (from..to).filter(|&at| at != but).map(|at| self.terms[at as usize]);
        let ladder = |term: LadderTerm| &self.ladders[term.ladder as usize];
        let all: u64 = others().map(|term| ladder(term).amount(ladder(term).before(log)) * term.factor).sum();
        let mut excess = (all + least).saturating_sub(most + 1);
        for term in others() {
            let (ladder, factor) = (ladder(term), term.factor);
            let reached = ladder.before(log);
            let amount = ladder.amount(reached) * factor;
            let enough = amount.saturating_sub(excess).div_ceil(factor);
            // The lowest step that comes to enough.
            let kept = if enough == 0 { 0 } else { ladder.steps.partition_point(|&(_, amount)| amount < enough) + 1 };
            excess -= amount - ladder.amount(kept as u32) * factor;
            if kept > 0 {
                self.reason.push(to_raw(ladder.steps[kept - 1].0));
            }
        }
    }

    /// Says what a sum implies.
    fn check(&mut self, at: u32, trail: &mut Trail<'_, '_>) -> Result<(), Refuted> {
        let sum = &mut self.all[at as usize];
        sum.is_open = false;
        let (most, spent, widest, (from, to)) = (sum.most, sum.spent, sum.widest, sum.terms);
        let log = self.log.len() as u32;
        if spent > most {
            self.explain_with(at as usize, NONE, 0, log);
            self.count(at as usize);
            let clause: Vec<RawLit> = self.reason.iter().map(|&lit| !lit).collect();
            return Err(trail.refute(&clause));
        }
        if most - spent >= widest {
            return Ok(());
        }
        for term in from..to {
            let LadderTerm { ladder, factor, .. } = self.terms[term as usize];
            let own = &self.ladders[ladder as usize];
            let reached = own.now();
            let room = own.amount(reached) + (most - spent) / factor;
            let step = reached as usize + own.steps[reached as usize..].partition_point(|&(_, amount)| amount <= room);
            let Some(&(lit, _)) = own.steps.get(step) else { continue };
            let not = code_of(!lit);
            if !self.is_true[not] {
                self.why[not] = (term, step as u32, self.log.len() as u32);
                self.set(not);
                trail.imply(to_raw(!lit))?;
            }
        }
        Ok(())
    }
}

impl LazyClauses for LazySums {
    fn has_news(&self) -> bool {
        self.levels.is_empty() && !self.told.borrow().is_empty()
    }

    fn propagate(&mut self, trail: &mut Trail<'_, '_>) -> Result<(), Refuted> {
        if self.has_news() {
            self.take_news();
            trail.read_again();
        }
        while let Some((var, value)) = trail.read() {
            let code = code(var, value);
            if code < self.is_true.len() {
                self.set(code);
                self.reach(code);
            }
        }
        self.count_changes();
        // What is implied is read the next time: only then are the lower steps of its ladder true for the solver, too.
        while let Some(sum) = self.open.pop() {
            self.check(sum, trail)?;
        }
        Ok(())
    }

    fn explain(&mut self, lit: RawLit) -> &[RawLit] {
        let (term, step, log) = self.why[code(lit.var().idx(), lit.sign())];
        let LadderTerm { sum, ladder, factor } = self.terms[term as usize];
        let least = self.ladders[ladder as usize].amount(step + 1) * factor;
        self.explain_with(sum as usize, term, least, log);
        self.count(sum as usize);
        &self.reason
    }

    fn push(&mut self) {
        self.levels.push(self.log.len() as u32);
    }

    fn pop(&mut self, decisions: usize) {
        let left = self.levels.len() - decisions;
        let Some(log) = self.levels.drain(left..).next() else { return };
        while self.log.len() > log as usize {
            match self.log.pop().expect("it is longer") {
                Entry::True(code) => self.is_true[code as usize] = false,
                Entry::Reached(ladder) => {
                    let own = &mut self.ladders[ladder as usize];
                    if own.now() == own.counted {
                        self.changed.push(ladder);
                    }
                    own.reached.pop();
                }
            }
        }
        self.count_changes();
        // What was not looked at is looked at once something is reached again: what was true before, was.
        while let Some(sum) = self.open.pop() {
            self.all[sum as usize].is_open = false;
        }
    }
}

/// Terms that are at most `most` where all of `cond` are true, as ladders of one step: each of `cond` takes so much
/// that all of them leave `most`. None where that does not fit 64 bits.
#[must_use]
pub fn unless(cond: &[Lit], terms: &[(Lit, u64)], most: u64, total: u64) -> Option<(Vec<WeightLadder>, u64)> {
    let excess = total.saturating_sub(most);
    let all = excess.checked_mul(cond.len() as u64)?;
    all.checked_add(total)?;
    let ladders = terms.iter().copied().chain(cond.iter().map(|&lit| (lit, excess))).map(|term| (Arc::from([term]), 1));
    Some((ladders.collect(), most.checked_add(all)?))
}
