//! Parities under one condition as a system of linear equations over the field of two elements.
//!
//! Three steps take turns until the third finds nothing new:
//!
//! 1. *Substitution*. A sum of one variable is a constant, one of two says that these are equal or opposite; all rows
//!    are rewritten by what they stand for, in time linear in the rows that change, but for a logarithm. Of rows with
//!    more than [`SHORT`] literals, [`REWRITES`] times the system are rewritten at most.
//! 2. *Elimination* in each connected part, by bits. Rows that are sums of others go, a contradiction ends it all, and
//!    every constant and every pair of variables that are equal or opposite in all solutions is found. The reduced rows
//!    replace those that were given where they take fewer clauses. All of a formula's elimination together adds at most
//!    [`MOST_WORK`] words of 64 bits, and no part takes more than 128 MiB.
//! 3. *Peeling* of parts that are larger, in linear time. A variable that a single row has can always be chosen so that
//!    this row holds. The row is put aside, which may leave another variable to a single row. What is left is the core,
//!    which has all dependent rows and contradictions; its parts are eliminated in, if they are small enough.

use rustc_hash::FxHashMap;

use super::dense::{Row, eliminate, work};
use crate::encode::Full;
use crate::formula::go_on::TryGoOn;
use crate::parity::ParityCut;
use crate::sort;

/// Rows up to this length are rewritten whenever a variable stands for another.
const SHORT: usize = 8;

/// Longer rows are rewritten as long as they have had fewer literals than so many times those that were given.
const REWRITES: usize = 32;

/// Words that elimination adds in all systems of a formula together, which takes about a second.
pub(super) const MOST_WORK: u64 = 1 << 31;

/// Turns of the three steps.
const MOST_TURNS: usize = 8;

/// The constant that is true, as a variable.
pub(super) const TRUE: u32 = 0;

/// One row: variables in rising order.
#[derive(Clone, Debug)]
pub(super) struct SystemRow {
    pub(super) lits: Vec<u32>,
    pub(super) odd: bool,
    /// The row is not the one that was given.
    pub(super) is_changed: bool,
    /// Other rows or substitutions say it.
    pub(super) is_gone: bool,
}

/// A system of rows.
#[derive(Debug)]
pub(super) struct System {
    pub(super) rows: Vec<SystemRow>,
    pub(super) is_contradictory: bool,
    /// The rows that elimination has seen as they are.
    is_settled: Vec<bool>,
    is_queued: Vec<bool>,
    /// The variable that each stands for, and whether for its opposite; itself, if for no other.
    stands_for: Vec<(u32, bool)>,
    /// The rows that had each variable, or another that stands for it.
    of: Vec<Vec<u32>>,
    /// Rows that are to be rewritten: short ones, which come first, and long ones.
    queues: [Vec<u32>; 2],
    /// Literals of long rows that may still be rewritten.
    left: usize,
}

impl System {
    /// A system of variables from 1 to `vars`.
    pub(super) fn new(vars: usize, rows: impl Iterator<Item = Row>) -> Self {
        let new = |(lits, odd)| SystemRow { lits, odd, is_changed: false, is_gone: false };
        let rows: Vec<SystemRow> = rows.map(new).collect();
        let mut of = vec![Vec::new(); vars + 1];
        for (at, row) in (0..).zip(&rows) {
            row.lits.iter().for_each(|&var| of[var as usize].push(at));
        }
        let left = REWRITES * (rows.len() + rows.iter().map(|row| row.lits.len()).sum::<usize>());
        let stands_for = (0..=vars as u32).map(|var| (var, false)).collect();
        let none = vec![false; rows.len()];
        Self {
            rows,
            is_contradictory: false,
            is_settled: none.clone(),
            is_queued: none,
            stands_for,
            of,
            queues: Default::default(),
            left,
        }
    }

    /// The variable that this one stands for in the end, or for the opposite of it.
    pub(super) fn find(&mut self, var: u32) -> (u32, bool) {
        let (mut root, mut flip) = (var, false);
        while self.stands_for[root as usize].0 != root {
            let (next, opposite) = self.stands_for[root as usize];
            (root, flip) = (next, flip ^ opposite);
        }
        let (mut at, mut from_here) = (var, flip);
        while at != root {
            let (next, opposite) = std::mem::replace(&mut self.stands_for[at as usize], (root, from_here));
            (at, from_here) = (next, from_here ^ opposite);
        }
        (root, flip)
    }

    /// The value of a variable is known.
    pub(super) fn fix(&mut self, var: u32, value: bool) {
        self.join(var, TRUE, !value);
    }

    /// Both variables are equal, or opposite.
    fn join(&mut self, one: u32, other: u32, opposite: bool) {
        let ((one, flip), (other, other_flip)) = (self.find(one), self.find(other));
        let opposite = opposite ^ flip ^ other_flip;
        if one == other {
            self.is_contradictory |= opposite;
            return;
        }
        let is_less = self.of[one as usize].len() < self.of[other as usize].len();
        let (from, to) = if other == TRUE || (one != TRUE && is_less) { (one, other) } else { (other, one) };
        self.stands_for[from as usize] = (to, opposite);
        let moved = std::mem::take(&mut self.of[from as usize]);
        for &row in &moved {
            self.enqueue(row);
        }
        if to != TRUE {
            self.of[to as usize].extend(moved);
        }
    }

    fn enqueue(&mut self, row: u32) {
        let SystemRow { lits, is_gone, .. } = &self.rows[row as usize];
        if !is_gone && !std::mem::replace(&mut self.is_queued[row as usize], true) {
            self.queues[usize::from(lits.len() > SHORT)].push(row);
        }
    }

    /// Solves the system as far as is cheap, with `left` words to be added in elimination; an error of `go_on`, which
    /// is asked now and then, ends that.
    pub(super) fn reduce(&mut self, left: &mut u64, go_on: &mut TryGoOn<'_>) -> Result<(), Full> {
        for row in 0..self.rows.len() as u32 {
            if self.rows[row as usize].lits.len() <= 2 {
                self.enqueue(row);
            }
        }
        self.substitute();
        self.leave_out_repeated();
        for _ in 0..MOST_TURNS {
            go_on()?;
            let rows: Vec<u32> = (0..self.rows.len() as u32).filter(|&at| !self.rows[at as usize].is_gone).collect();
            let (mut large, mut is_new) = (Vec::new(), false);
            for part in self.parts(&rows) {
                match self.eliminate(&part, left, go_on)? {
                    Some(new) => is_new |= new,
                    None => large.extend(part),
                }
            }
            large.sort_unstable();
            for part in self.parts(&self.core(&large)) {
                is_new |= self.eliminate(&part, left, go_on)? == Some(true);
            }
            self.substitute();
            if !is_new || self.is_contradictory {
                break;
            }
        }
        Ok(())
    }

    /// Rewrites the rows that wait for it, and takes what they say then about one or two variables.
    fn substitute(&mut self) {
        while let Some(at) = self.queues[0].pop().or_else(|| self.queues[1].pop()) {
            let row = &mut self.rows[at as usize];
            self.is_queued[at as usize] = false;
            let long = if row.lits.len() > SHORT { row.lits.len() } else { 0 };
            if row.is_gone || self.left < long {
                continue;
            }
            self.left -= long;
            let (before, mut odd) = (std::mem::take(&mut row.lits), row.odd);
            let mut lits = Vec::with_capacity(before.len());
            for &var in &before {
                let (root, flip) = self.find(var);
                // The constant is true where it is not flipped.
                odd ^= if root == TRUE { !flip } else { flip };
                lits.extend(Some(root).filter(|&root| root != TRUE));
            }
            lits.sort_unstable();
            sort::cancel_pairs(&mut lits);
            match *lits {
                [] => self.is_contradictory |= odd,
                [one] => self.join(one, TRUE, !odd),
                [one, other] => self.join(one, other, odd),
                _ => {}
            }
            let row = &mut self.rows[at as usize];
            if lits != before {
                row.is_changed = true;
                self.is_settled[at as usize] = false;
            }
            row.is_gone = lits.len() <= 2;
            (row.lits, row.odd) = (lits, odd);
        }
    }

    /// Leaves out rows whose literals another has; they contradict it, or say the same.
    fn leave_out_repeated(&mut self) {
        let mut seen: FxHashMap<Vec<u32>, bool> = FxHashMap::default();
        for row in self.rows.iter_mut().filter(|row| !row.is_gone) {
            match seen.get(&row.lits) {
                Some(odd) => {
                    self.is_contradictory |= *odd != row.odd;
                    row.is_gone = true;
                }
                None => drop(seen.insert(row.lits.clone(), row.odd)),
            }
        }
    }

    /// The core of these rows.
    fn core(&self, all: &[u32]) -> Vec<u32> {
        if all.is_empty() {
            return Vec::new();
        }
        // The number of rows that have a variable, and their numbers together: of one row, its own.
        let mut having = vec![(0_u32, 0_u32); self.of.len()];
        let mut is_in = vec![false; self.rows.len()];
        for &at in all {
            is_in[at as usize] = true;
            for &var in &self.rows[at as usize].lits {
                let (count, sum) = &mut having[var as usize];
                (*count, *sum) = (*count + 1, *sum ^ at);
            }
        }
        let mut single: Vec<u32> = (0..having.len() as u32).filter(|&var| having[var as usize].0 == 1).collect();
        while let Some(var) = single.pop() {
            let (1, at) = having[var as usize] else { continue };
            is_in[at as usize] = false;
            for &var in &self.rows[at as usize].lits {
                let (count, sum) = &mut having[var as usize];
                (*count, *sum) = (*count - 1, *sum ^ at);
                if *count == 1 {
                    single.push(var);
                }
            }
        }
        all.iter().copied().filter(|&at| is_in[at as usize]).collect()
    }

    /// Rows in the parts in which they are connected by variables, each with the shortest first.
    fn parts(&self, rows: &[u32]) -> Vec<Vec<u32>> {
        let mut parts = connected(rows.iter().map(|&row| &*self.rows[row as usize].lits), self.of.len());
        for part in &mut parts {
            part.iter_mut().for_each(|at| *at = rows[*at as usize]);
            sort::by_key(part, |&row| self.rows[row as usize].lits.len() as u64);
        }
        parts
    }

    /// Eliminates in a connected part; true if there are new constants or new pairs, `None` if it is too large.
    fn eliminate(&mut self, part: &[u32], left: &mut u64, go_on: &mut TryGoOn<'_>) -> Result<Option<bool>, Full> {
        if self.is_contradictory || part.iter().all(|&row| self.is_settled[row as usize]) {
            return Ok(Some(false));
        }
        let mut counts: FxHashMap<u32, u32> = FxHashMap::default();
        let all = part.iter().flat_map(|&row| &self.rows[row as usize].lits);
        all.for_each(|&var| *counts.entry(var).or_default() += 1);
        match work(part.len(), counts.len()).and_then(|work| left.checked_sub(work)) {
            Some(rest) => *left = rest,
            None => return Ok(None),
        }
        // Rare variables become pivots.
        let mut vars: Vec<u32> = counts.keys().copied().collect();
        sort::by_key(&mut vars, |var| u64::from(counts[var]) << 32 | u64::from(*var));
        let numbers: FxHashMap<u32, u32> = vars.iter().copied().zip(0..).collect();
        let row = |&row: &u32| {
            let SystemRow { lits, odd, .. } = &self.rows[row as usize];
            (lits.iter().map(|var| numbers[var]).collect(), *odd)
        };
        let rows: Vec<Row> = part.iter().map(row).collect();
        let found = eliminate(&rows, vars.len(), go_on)?;
        if found.is_contradictory {
            self.is_contradictory = true;
            return Ok(Some(true));
        }
        found.dependent.iter().for_each(|&at| self.rows[part[at] as usize].is_gone = true);
        let kept: Vec<u32> = part.iter().copied().filter(|&row| !self.rows[row as usize].is_gone).collect();
        kept.iter().for_each(|&row| self.is_settled[row as usize] = true);
        let is_new = self.take_pairs(&found.reduced, &vars);
        self.replace(&kept, found.reduced, &vars);
        Ok(Some(is_new))
    }

    /// Takes what reduced rows say about one or two variables, be it that the sum of two of them does.
    fn take_pairs(&mut self, reduced: &[Row], vars: &[u32]) -> bool {
        let mut is_new = false;
        let mut seen: FxHashMap<&[u32], (u32, bool)> = FxHashMap::default();
        for (lits, odd) in reduced {
            let (pivot, rest) = (vars[lits[0] as usize], &lits[1..]);
            let (other, opposite) = match *rest {
                [] => (TRUE, !odd),
                [other] => (vars[other as usize], *odd),
                _ => match seen.get(rest) {
                    Some(&(other, other_odd)) => (other, odd ^ other_odd),
                    None => {
                        seen.insert(rest, (pivot, *odd));
                        continue;
                    }
                },
            };
            is_new = true;
            self.join(pivot, other, opposite);
        }
        is_new
    }

    /// Puts reduced rows in the place of as many others, if they take fewer clauses.
    fn replace(&mut self, rows: &[u32], reduced: Vec<Row>, vars: &[u32]) {
        let cost = |len: usize| ParityCut::default().size(len).cost();
        let before: u64 = rows.iter().map(|&row| cost(self.rows[row as usize].lits.len())).sum();
        if reduced.iter().map(|(lits, _)| cost(lits.len())).sum::<u64>() >= before {
            return;
        }
        for (&at, (lits, odd)) in rows.iter().zip(reduced) {
            let mut lits: Vec<u32> = lits.into_iter().map(|var| vars[var as usize]).collect();
            lits.sort_unstable();
            lits.iter().for_each(|&var| self.of[var as usize].push(at));
            let row = &mut self.rows[at as usize];
            (row.lits, row.odd, row.is_changed) = (lits, odd, true);
            self.enqueue(at);
        }
    }
}

/// The places of lists of numbers below `end`, in the parts in which they are connected by numbers, in rising order.
pub(super) fn connected<'l>(lists: impl Iterator<Item = &'l [u32]>, end: usize) -> Vec<Vec<u32>> {
    let mut up: Vec<u32> = (0..end as u32).collect();
    let root = |up: &mut Vec<u32>, mut at: u32| {
        while up[at as usize] != at {
            up[at as usize] = up[up[at as usize] as usize];
            at = up[at as usize];
        }
        at
    };
    let lists: Vec<&[u32]> = lists.collect();
    for list in &lists {
        for pair in list.windows(2) {
            let (one, other) = (root(&mut up, pair[0]), root(&mut up, pair[1]));
            up[one.max(other) as usize] = one.min(other);
        }
    }
    let mut part_of: FxHashMap<u32, usize> = FxHashMap::default();
    let mut parts: Vec<Vec<u32>> = Vec::new();
    for (at, list) in (0..).zip(&lists) {
        let Some(&first) = list.first() else { continue };
        let part = *part_of.entry(root(&mut up, first)).or_insert(parts.len());
        if part == parts.len() {
            parts.push(Vec::new());
        }
        parts[part].push(at);
    }
    parts
}
