//! Sums with too many terms to write, as clauses that answer for themselves.
//!
//! A sum is made of ladders: literals of which each implies the one before, each with the amount that the ladder comes
//! to from there on, as a number has by *it is at least so much*. It is at most a bound. What the true literals come to
//! leaves some slack; a literal that would take more is false. The reason is the literals that were true by then, each
//! lowered as far as the rest still takes too much (T. Feydy, P. J. Stuckey, *Lazy Clause Generation Reengineered*, CP
//! 2009, LNCS 5732, pages 352–366).

use std::cell::RefCell;
use std::rc::Rc;

use rustsat::types::Lit;

use super::lazy::{LazyClauses, RawLit, Refuted, Trail, raw};

/// A ladder: literals, ascending, each with what the ladder comes to where it is the last that is true.
pub(super) type Ladder = Vec<(Lit, u64)>;

/// News for a watcher between two questions, and from it.
#[derive(Debug, Default)]
pub(super) struct News {
    /// The sums so far, with those that are still to come.
    n_sums: usize,
    /// Sums to be watched from now on.
    sums: Vec<(Vec<Ladder>, u64)>,
    /// Bounds on sums, each with the literal that it holds under: steps of the last ladder.
    bounds: Vec<(usize, Lit, u64)>,
    /// Sums that need not be watched any more.
    dropped: Vec<usize>,
    /// By sum, the literals of its explanations.
    pub(super) explained: Vec<u64>,
}

impl News {
    /// Says that a sum of ladders is at most its number; gives the sum's own number.
    pub(super) fn add(&mut self, ladders: Vec<Ladder>, most: u64) -> usize {
        self.sums.push((ladders, most));
        self.n_sums += 1;
        self.n_sums - 1
    }

    /// Says that a sum is watched no more.
    pub(super) fn drop(&mut self, sum: usize) {
        self.dropped.push(sum);
    }

    fn is_empty(&self) -> bool {
        self.sums.is_empty() && self.bounds.is_empty() && self.dropped.is_empty()
    }
}

pub(super) type Told = Rc<RefCell<News>>;

/// Bounds on a sum that is watched, to be asked for.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    told: Told,
    sum: usize,
}

impl Asked {
    /// Asks for bounds on `terms`.
    pub(super) fn new(told: &Told, terms: impl Iterator<Item = (Lit, u64)>) -> Self {
        let mut ladders: Vec<_> = terms.map(|term| vec![term]).collect();
        let total = ladders.iter().map(|ladder| ladder[0].1).sum();
        ladders.push(Vec::new()); // of the bounds
        let sum = told.borrow_mut().add(ladders, total);
        Self { told: Rc::clone(told), sum }
    }

    /// The sum is at most `bound` if `lit` is true; a lower bound's literal implies that of a higher one.
    pub(crate) fn at_most(&self, lit: Lit, bound: u64) {
        self.told.borrow_mut().bounds.push((self.sum, lit, bound));
    }
}

const NONE: u32 = u32::MAX;

#[derive(Debug)]
struct Sum {
    most: u64,
    /// The sum over the true literals.
    spent: u64,
    /// The first of its ladders, and the first beyond them.
    ladders: (u32, u32),
    /// The greatest sum of a single ladder.
    widest: u64,
    is_open: bool,
}

#[derive(Debug)]
struct Watched {
    sum: u32,
    ladder: Ladder,
    /// How many were true from which entry of the log on; the first is from the beginning.
    reached: Vec<(u32, u32)>,
}

impl Watched {
    /// The part of the sum that this many steps of the ladder contribute.
    fn amount(&self, reached: u32) -> u64 {
        if reached == 0 { 0 } else { self.ladder[reached as usize - 1].1 }
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
pub struct Sums {
    all: Vec<Sum>,
    ladders: Vec<Watched>,
    /// By literal, where its places are; one more than there are literals.
    starts: Vec<u32>,
    /// Ladders, and the number of steps up to and with the literal.
    places: Vec<(u32, u32)>,
    /// By literal, whether it is true, as far as was read or implied.
    is_true: Vec<bool>,
    /// By literal, why it was implied: the ladder, the step that would take too much, the length of the log.
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

fn to_raw(lit: Lit) -> RawLit {
    raw(lit.vidx32(), lit.is_pos())
}

impl Sums {
    /// Each sum of ladders is at most its number.
    #[must_use]
    pub fn new(sums: Vec<(Vec<Ladder>, u64)>) -> Self {
        let mut made = Self::default();
        for (ladders, most) in sums {
            let first = made.ladders.len() as u32;
            let sum = made.all.len() as u32;
            let widest = ladders.iter().filter_map(|ladder| ladder.last()).map(|&(_, amount)| amount).max();
            made.ladders.extend(ladders.into_iter().map(|steps| Watched { sum, ladder: steps, reached: Vec::new() }));
            let ladders = (first, made.ladders.len() as u32);
            made.all.push(Sum { most, spent: 0, ladders, widest: widest.unwrap_or(0), is_open: true });
            made.open.push(sum);
        }
        let places = made.ladders.iter().zip(0..).flat_map(|(ladder, at)| {
            ladder.ladder.iter().zip(1..).map(move |(&(lit, _), reached)| (code_of(lit), (at, reached)))
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
    pub(super) fn told(told: &Told) -> Self {
        Self { told: Rc::clone(told), ..Self::default() }
    }

    /// Watches what it was told, from the beginning.
    fn take_news(&mut self) {
        let sums = self.all.iter().map(|sum| {
            let ladders = &mut self.ladders[sum.ladders.0 as usize..sum.ladders.1 as usize];
            (ladders.iter_mut().map(|watched| std::mem::take(&mut watched.ladder)).collect::<Vec<_>>(), sum.most)
        });
        let mut sums: Vec<_> = sums.collect();
        {
            let mut news = self.told.borrow_mut();
            sums.append(&mut news.sums);
            for (sum, lit, bound) in news.bounds.drain(..) {
                let (ladders, most) = &mut sums[sum];
                let steps = ladders.last_mut().expect("a sum that is bounded has a ladder of bounds");
                steps.push((lit, *most - bound));
                steps.sort_unstable_by_key(|&(_, amount)| amount);
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
            let before = own.now();
            if reached > before {
                let sum = &mut self.all[own.sum as usize];
                // All ladders together fit 64 bits.
                sum.spent += own.amount(reached) - own.amount(before);
                own.reached.push((self.log.len() as u32, reached));
                self.log.push(Entry::Reached(ladder));
                if !std::mem::replace(&mut sum.is_open, true) {
                    self.open.push(own.sum);
                }
            }
        }
    }

    /// Literals that were true when the log had so many entries, and with which `but` at `least` takes more than there
    /// is.
    fn explain_with(&mut self, sum: usize, but: u32, least: u64, log: u32) {
        self.reason.clear();
        let Sum { most, ladders: (from, to), .. } = self.all[sum];
        let ladders = &self.ladders[from as usize..to as usize];
        let others = || (from..).zip(ladders).filter(|&(at, _)| at != but).map(|(_, ladder)| ladder);
        let all: u64 = others().map(|ladder| ladder.amount(ladder.before(log))).sum();
        let mut excess = (all + least).saturating_sub(most + 1);
        for ladder in others() {
            let reached = ladder.before(log);
            let amount = ladder.amount(reached);
            let enough = amount.saturating_sub(excess);
            // The lowest step that comes to enough.
            let kept = if enough == 0 { 0 } else { ladder.ladder.partition_point(|&(_, amount)| amount < enough) + 1 };
            excess -= amount - ladder.amount(kept as u32);
            if kept > 0 {
                self.reason.push(to_raw(ladder.ladder[kept - 1].0));
            }
        }
    }

    /// Says what a sum implies.
    fn check(&mut self, at: u32, trail: &mut Trail<'_, '_>) -> Result<(), Refuted> {
        let sum = &mut self.all[at as usize];
        sum.is_open = false;
        let (most, spent, widest, (from, to)) = (sum.most, sum.spent, sum.widest, sum.ladders);
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
        for ladder in from..to {
            let own = &self.ladders[ladder as usize];
            let reached = own.now();
            let room = own.amount(reached) + (most - spent);
            let step = reached as usize + own.ladder[reached as usize..].partition_point(|&(_, amount)| amount <= room);
            let Some(&(lit, _)) = own.ladder.get(step) else { continue };
            let not = code_of(!lit);
            if !self.is_true[not] {
                self.why[not] = (ladder, step as u32, self.log.len() as u32);
                self.set(not);
                trail.imply(to_raw(!lit))?;
            }
        }
        Ok(())
    }
}

impl LazyClauses for Sums {
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
        // What is implied is read the next time: only then are the lower steps of its ladder true for the solver, too.
        while let Some(sum) = self.open.pop() {
            self.check(sum, trail)?;
        }
        Ok(())
    }

    fn explain(&mut self, lit: RawLit) -> &[RawLit] {
        let (ladder, step, log) = self.why[code(lit.var().idx(), lit.sign())];
        let own = &self.ladders[ladder as usize];
        let least = own.amount(step + 1);
        let sum = own.sum as usize;
        self.explain_with(sum, ladder, least, log);
        self.count(sum);
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
                    let after = own.amount(own.now());
                    own.reached.pop();
                    self.all[own.sum as usize].spent -= after - own.amount(own.now());
                }
            }
        }
        // What was not looked at is looked at once something is reached again: what was true before, was.
        while let Some(sum) = self.open.pop() {
            self.all[sum as usize].is_open = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Choices, Session};
    use cnfkit_core::ClauseSink;
    use cnfkit_core::internals::Random;

    /// Numbers by their ladders, and sums of multiples of them by lot: all solutions are those that there are.
    #[test]
    fn sums_by_lot_against_brute_force() {
        let mut random = Random::new(11);
        let mut some = 0;
        for round in 0..300 {
            let (n, most) = (2 + random.below(3), 1 + random.below(3) as u64);
            let mut session = Session::new(Choices::default());
            session.new_vars(n * most as usize).unwrap();
            let lit = |at: usize, step: u64| Lit::positive((at as u64 * most + step) as u32);
            for at in 0..n {
                (1..most).for_each(|step| session.add_clause(&[!lit(at, step), lit(at, step - 1)]).unwrap());
            }
            let sums: Vec<(Vec<i64>, i64)> = (0..=random.below(3))
                .map(|_| ((0..n).map(|_| random.below(9) as i64 - 4).collect(), random.below(20) as i64 - 5))
                .collect();
            let holds = |values: &[i64]| {
                sums.iter().all(|(by, most)| by.iter().zip(values).map(|(a, b)| a * b).sum::<i64>() <= *most)
            };
            let mut expected = 0;
            for at in 0..(most + 1).pow(n as u32) {
                let values: Vec<i64> =
                    (0..n as u32).map(|place| (at / (most + 1).pow(place) % (most + 1)) as i64).collect();
                expected += usize::from(holds(&values));
            }
            let mut lazy = Vec::new();
            for (by, bound) in &sums {
                let mut room = *bound;
                let mut ladders = Vec::new();
                for (at, &by) in by.iter().enumerate().filter(|&(_, &by)| by != 0) {
                    let amount = |step: u64| by.unsigned_abs() * (step + 1);
                    if by > 0 {
                        ladders.push((0..most).map(|step| (lit(at, step), amount(step))).collect());
                    } else {
                        room -= by * most as i64;
                        ladders.push((0..most).map(|step| (!lit(at, most - 1 - step), amount(step))).collect());
                    }
                }
                match u64::try_from(room) {
                    Ok(room) => lazy.push((ladders, room)),
                    Err(_) => session.add_clause(&[]).unwrap(),
                }
            }
            assert!(session.attach(Box::new(Sums::new(lazy))));
            let mut found = 0;
            while session.solve(&[]).unwrap() {
                found += 1;
                let value = |at: usize| (0..most).filter(|&step| session.is_true(lit(at, step))).count() as i64;
                let values: Vec<i64> = (0..n).map(value).collect();
                assert!(holds(&values), "round {round}: {values:?} in {sums:?}");
                let all = (0..n * most as usize).map(|var| Lit::positive(var as u32));
                let differs: Vec<Lit> = all.map(|lit| if session.is_true(lit) { !lit } else { lit }).collect();
                session.add_clause(&differs).unwrap();
            }
            assert_eq!(found, expected, "round {round}: {sums:?}");
            some += usize::from(found > 0);
        }
        assert!((100..300).contains(&some), "{some}");
    }
}
