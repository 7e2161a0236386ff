//! Levels: what the auxiliaries of networks count.
//!
//! The outputs of a sorter say *at least j of these inputs*, of the same inputs each: a sequence. Inside an odd-even
//! merge this is not so: what is made of the elements at odd places counts these elements, not inputs. So auxiliaries
//! have levels: those of level 1 count inputs, and those of a higher level count auxiliaries of lower levels.
//!
//! The counted ones are found by trying. Inputs become true one after the other, in some orders: an auxiliary counts
//! those below it if it becomes true with the same number of them each time. A wrong guess costs the derivation, not
//! its correctness: each clause is derived from lines that say what was guessed.
//!
//! An element may be a conjunction of auxiliaries, and the first output of a merge is an element of two sequences: such
//! elements are variables of the proof alone.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::batch::{Batch, BatchVar, negated, var};
use super::function::{Causes, causes_by_place};
use super::meaning::{Fingerprint, InputSum, MOST, Meaning};
use super::sequences::{Conjunction, Sequence, Sequences};
use crate::sort;

/// Orders in which inputs become true.
const ORDERS: usize = 64;

/// The highest level: an odd-even merge within a group within an odd-even merge has three.
const LEVELS: u8 = 6;

/// The members of a family that are asked whether they count more, at most.
const ASKED: usize = 32;

/// The most literals of a clause, and bounds of a count: sums of a choice of literals are tried for each bound.
const LONGEST: usize = 64;

/// The step after all inputs: never.
const NEVER: u32 = u32::MAX;

/// When variables become true, if inputs do so one after the other.
struct Times {
    /// By variable, of each order.
    of: Vec<[u32; ORDERS]>,
    /// By variable, the literal that becomes true; `None` where it may be either.
    rising: Vec<Option<u32>>,
}

impl Times {
    /// Those of inputs. Neighbours are sorted together: some of a block come before others, by chance, or all of them.
    fn new(batch: &Batch) -> Self {
        let (n, n_inputs) = (batch.n_vars(), batch.weights.len());
        let mut times = Self { of: vec![[NEVER; ORDERS]; n], rising: vec![None; n] };
        let sizes = n_inputs.max(2).ilog2() as usize;
        let mut inputs: Vec<BatchVar> = (0..n_inputs as BatchVar).collect();
        for order in 0..ORDERS {
            let (size, share) = (1 << (order % sizes), (order / sizes % 4) as u64);
            let random = |at: usize, of: usize| Fingerprint::of((at * 2 * ORDERS + of) as BatchVar).number() >> 12;
            sort::by_key(&mut inputs, |&input| {
                let block = (input as usize + order) / size;
                random(input as usize, 2 * order) * share + random(block, 2 * order + 1) * (4 - share)
            });
            inputs.iter().enumerate().for_each(|(at, &input)| times.of[input as usize][order] = at as u32);
        }
        (0..n_inputs).for_each(|input| times.rising[input] = Some(2 * input as u32));
        times
    }

    /// An auxiliary, by the premises that make it true, and false: either all of them rise, or none.
    fn add(&mut self, aux: BatchVar, causes: &[Causes; 2]) {
        let pick = |a: &[u32; ORDERS], b: &[u32; ORDERS], greatest: bool| {
            std::array::from_fn(|at| if greatest { a[at].max(b[at]) } else { a[at].min(b[at]) })
        };
        let mut rising = None;
        // The earliest of those that make it rise, and the latest of those that keep it from that.
        let (mut made, mut kept) = (None::<[u32; ORDERS]>, None::<[u32; ORDERS]>);
        for (sign, premises) in (0..).zip(causes).flat_map(|(sign, all)| all.iter().map(move |one| (sign, one))) {
            let rises = |&lit: &u32| self.rising[var(lit) as usize].map(|rising| rising == lit);
            let Some(up) = premises.first().and_then(rises) else { return };
            let own = 2 * aux + u32::from((sign == 0) != up);
            if premises.iter().any(|lit| rises(lit) != Some(up)) || *rising.get_or_insert(own) != own {
                return;
            }
            let mut times = premises.iter().map(|&lit| self.of[var(lit) as usize]);
            let Some(first) = times.next() else { return };
            let all = times.fold(first, |all, one| pick(&all, &one, up));
            let known = if up { &mut made } else { &mut kept };
            *known = Some(known.as_ref().map_or(all, |known| pick(known, &all, !up)));
        }
        if let Some(times) = made.or(kept) {
            self.of[aux as usize] = times;
            self.rising[aux as usize] = rising;
        }
    }

    /// The number of these that are true, at least, when a variable becomes true, the same in all orders.
    fn count(&self, sorted: &[Vec<u32>], aux: BatchVar) -> Option<usize> {
        let (mut least, mut most) = (1, usize::MAX);
        for (all, &time) in sorted.iter().zip(&self.of[aux as usize]) {
            least = least.max(all.partition_point(|&one| one < time) + 1);
            most = most.min(all.partition_point(|&one| one <= time));
            if most < least {
                return None;
            }
        }
        Some(least)
    }

    /// When the elements of a set become true, in each order.
    fn sorted(&self, set: &[BatchVar]) -> Vec<Vec<u32>> {
        let of = |order: usize| {
            let mut times: Vec<u32> = set.iter().map(|&var| self.of[var as usize][order]).collect();
            times.sort_unstable();
            times
        };
        (0..ORDERS).map(of).collect()
    }
}

/// Sets of variables, each once.
#[derive(Default)]
struct Sets {
    all: Vec<Vec<BatchVar>>,
    known: FxHashMap<(usize, Fingerprint), u32>,
    unions: FxHashMap<(u32, u32), u32>,
}

impl Sets {
    fn id(&mut self, set: Vec<BatchVar>) -> u32 {
        let mut print = Fingerprint::default();
        set.iter().for_each(|&var| print.add(Fingerprint::of(var), 1));
        *self.known.entry((set.len(), print)).or_insert_with(|| {
            self.all.push(set);
            self.all.len() as u32 - 1
        })
    }

    fn of(&self, id: u32) -> &[BatchVar] {
        &self.all[id as usize]
    }

    fn union(&mut self, one: u32, other: u32) -> u32 {
        let key = (one.min(other), one.max(other));
        if one == other {
            return one;
        }
        if let Some(&known) = self.unions.get(&key) {
            return known;
        }
        let mut both = [self.of(one), self.of(other)].concat();
        both.sort_unstable();
        both.dedup();
        let id = self.id(both);
        self.unions.insert(key, id);
        id
    }
}

/// A level that is known: what the auxiliaries of it and of higher ones are made of.
struct KnownLevel {
    sets: Sets,
    below: Vec<u32>,
    /// Sequences by what they count, and by what is among it.
    by_set: FxHashMap<u32, u32>,
    by_element: FxHashMap<BatchVar, Vec<(u32, u32)>>,
}

impl KnownLevel {
    /// The sequences that may have an element that is made of these.
    fn sequences(&mut self, premises: &[u32], level: u8, levels: &[u8]) -> Vec<u32> {
        let Self { sets, below, by_set, by_element } = self;
        let mut all = None;
        for one in premises.iter().map(|&lit| var(lit)) {
            let own = if levels[one as usize] < level { sets.id(vec![one]) } else { below[one as usize] };
            all = Some(all.map_or(own, |all| sets.union(all, own)));
        }
        let Some(all) = all else { return Vec::new() };
        if let Some(&at) = by_set.get(&all) {
            return vec![at];
        }
        let near = sets.of(all).first().and_then(|var| by_element.get(var));
        let has_all = |set: u32| sets.of(all).iter().all(|var| sets.of(set).binary_search(var).is_ok());
        near.into_iter().flatten().filter(|&&(set, _)| has_all(set)).map(|&(_, at)| at).collect()
    }
}

/// Sets, each with the auxiliaries that count it.
#[derive(Default)]
struct Families {
    all: Vec<(u32, Vec<BatchVar>)>,
    /// By the elements of their sets.
    of: FxHashMap<BatchVar, Vec<u32>>,
    by_set: FxHashMap<u32, u32>,
    sorted: FxHashMap<u32, Vec<Vec<u32>>>,
}

impl Families {
    /// True if an auxiliary may count a set.
    fn fits(&mut self, times: &Times, set: u32, sets: &Sets, aux: BatchVar) -> bool {
        let all = self.sorted.entry(set).or_insert_with(|| times.sorted(sets.of(set)));
        times.count(all, aux).is_some()
    }
}

/// All that is known of the auxiliaries of a count.
struct Finder<'b> {
    n_inputs: usize,
    /// In the order of definitions.
    auxiliaries: &'b [BatchVar],
    /// The premises that make each of them true, and false.
    causes: &'b [[Causes; 2]],
    times: Times,
    levels: Vec<u8>,
    found: Vec<Option<Meaning>>,
    sequences: Vec<Sequence>,
    conjunctions: Vec<Conjunction>,
    by_literals: FxHashMap<Vec<u32>, BatchVar>,
    /// The terms of all sets.
    terms: usize,
}

/// The sums that the auxiliaries of a count stand for, and their sequences; `None` where they count too much, or
/// weights differ, or clauses are long, or `go_on` says no.
pub(super) fn levels(batch: &Batch, go_on: &dyn Fn() -> bool) -> Option<(Vec<Option<Meaning>>, Sequences)> {
    let is_long = |(clause, _): (&[u32], bool)| clause.len() > LONGEST;
    if batch.weights.iter().any(|&weight| weight != 1) || batch.bounds.len() > LONGEST || batch.clauses().any(is_long) {
        return None;
    }
    let (_, causes, places) = causes_by_place(batch);
    let mut auxiliaries = batch.auxiliaries.clone();
    sort::by_key(&mut auxiliaries, |&aux| places[aux as usize]);
    let (n, n_inputs) = (batch.n_vars(), batch.weights.len());
    let mut times = Times::new(batch);
    auxiliaries.iter().for_each(|&aux| times.add(aux, &causes[aux as usize]));
    let mut finder = Finder {
        n_inputs,
        auxiliaries: &auxiliaries,
        causes: &causes,
        times,
        levels: (0..n).map(|var| if var < n_inputs { 0 } else { LEVELS + 1 }).collect(),
        found: vec![None; n],
        sequences: Vec::new(),
        conjunctions: Vec::new(),
        by_literals: FxHashMap::default(),
        terms: 0,
    };
    let mut known: Vec<KnownLevel> = Vec::new();
    for level in 1..=LEVELS {
        if level > 1 {
            finder.conjoin(&mut known);
        }
        known.push(finder.level(level, go_on)?);
    }
    let Finder { levels, found, sequences, conjunctions, .. } = finder;
    let terms = found.iter().flatten().map(|meaning| meaning.sum.terms().count()).sum::<usize>();
    (terms <= MOST).then(|| (found, Sequences::new(levels, sequences, conjunctions)))
}

impl Finder<'_> {
    /// Finds the auxiliaries of a level, all lower ones being known.
    fn level(&mut self, level: u8, go_on: &dyn Fn() -> bool) -> Option<KnownLevel> {
        let mut sets = Sets::default();
        let below = self.below(level, &mut sets)?;
        let families = self.join(level, &below, &mut sets, go_on)?;
        let (mut by_set, mut by_element) = (FxHashMap::default(), FxHashMap::default());
        let mut of = FxHashMap::default();
        for (at, sequence) in (0..).zip(&self.sequences) {
            of.extend(sequence.elements.iter().map(|&lit| (var(lit), at)));
        }
        for (set, members) in families {
            let at = self.sequences.len() as u32;
            let mut vars = sets.of(set).to_vec();
            self.say_again(&mut vars, &of);
            if self.add_sequence(level, &vars, &members) {
                by_set.insert(set, at);
                for var in vars.into_iter().filter(|_| level > 1) {
                    by_element.entry(var).or_insert_with(Vec::new).push((set, at));
                }
            }
        }
        Some(KnownLevel { sets, below, by_set, by_element })
    }

    /// The set that each auxiliary that has no level yet is made of.
    fn below(&mut self, level: u8, sets: &mut Sets) -> Option<Vec<u32>> {
        let none = sets.id(Vec::new());
        let mut below = vec![none; self.levels.len()];
        for &aux in self.auxiliaries.iter().filter(|&&aux| self.levels[aux as usize] > level) {
            let (mut direct, mut own) = (Vec::new(), none);
            for premises in self.causes[aux as usize].iter().flatten() {
                let mut rest = &premises[..];
                while let [first, others @ ..] = rest {
                    let mut whole = (2..=rest.len()).rev().filter(|_| level > 1);
                    let conjunction = whole.find_map(|n| Some((n, *self.by_literals.get(&rest[..n])?)));
                    let (n, premise) = conjunction.unwrap_or((1, var(*first)));
                    if self.levels[premise as usize] < level {
                        direct.push(premise);
                    } else {
                        own = sets.union(own, below[premise as usize]);
                    }
                    rest = &others[n - 1..];
                }
            }
            direct.sort_unstable();
            direct.dedup();
            let known = sets.all.len();
            let direct = sets.id(direct);
            below[aux as usize] = sets.union(own, direct);
            self.terms += sets.all[known..].iter().map(Vec::len).sum::<usize>();
            if self.terms > MOST {
                return None;
            }
        }
        Some(below)
    }

    /// Puts auxiliaries that count what is below them in families. Those of inputs are what the auxiliaries are made
    /// of; on higher levels the first outputs of a merge are not made of all that it merges, nor are the last ones.
    fn join(
        &self,
        level: u8,
        below: &[u32],
        sets: &mut Sets,
        go_on: &dyn Fn() -> bool,
    ) -> Option<Vec<(u32, Vec<BatchVar>)>> {
        let (mut families, times) = (Families::default(), &self.times);
        let is_open = |aux: BatchVar| self.levels[aux as usize] > level && times.rising[aux as usize].is_some();
        for &aux in self.auxiliaries.iter().filter(|&&aux| is_open(aux)) {
            if !go_on() {
                return None;
            }
            let own = below[aux as usize];
            if !families.fits(times, own, sets, aux) {
                continue;
            }
            let mut near: Vec<u32> = match families.by_set.get(&own) {
                Some(&at) => vec![at],
                None if level == 1 => Vec::new(),
                None => sets.of(own).iter().filter_map(|var| families.of.get(var)).flatten().copied().collect(),
            };
            near.sort_unstable();
            near.dedup();
            let joined = near.into_iter().find_map(|at| {
                let (set, members) = &families.all[at as usize];
                let (set, all) = (*set, sets.union(*set, own));
                let some = members.iter().step_by(members.len().div_ceil(ASKED)).chain(members.last()).copied();
                let some: Vec<BatchVar> = std::iter::once(aux).chain(some.filter(|_| all != set)).collect();
                some.into_iter().all(|aux| families.fits(times, all, sets, aux)).then_some((at, all))
            });
            let (at, set) = joined.unwrap_or((families.all.len() as u32, own));
            if joined.is_none() {
                families.all.push((own, Vec::new()));
            }
            families.by_set.insert(set, at);
            for &var in sets.of(own).iter().filter(|_| level > 1) {
                let of = families.of.entry(var).or_default();
                if !of.contains(&at) {
                    of.push(at);
                }
            }
            let (known, members) = &mut families.all[at as usize];
            *known = set;
            members.push(aux);
        }
        Some(families.all)
    }

    /// Conjunctions that are elements which sequences lack.
    fn conjoin(&mut self, known: &mut [KnownLevel]) {
        let premises = self.auxiliaries.iter().flat_map(|&aux| self.causes[aux as usize].iter().flatten());
        let parts = |all| {
            let all: &Vec<u32> = all;
            (0..all.len()).flat_map(move |from| (from + 2..=all.len()).map(move |to| &all[from..to]))
        };
        let mut parts: Vec<&[u32]> =
            premises.flat_map(parts).filter(|&part| !self.by_literals.contains_key(part)).collect();
        parts.sort_unstable();
        parts.dedup();
        for part in parts {
            for (level, one) in (1..).zip(&mut *known) {
                let near = one.sequences(part, level, &self.levels);
                if near.into_iter().any(|at| self.add_conjunction(part, at)) {
                    break;
                }
            }
        }
    }

    /// The first output of a merge is the first of its elements at odd places. It is an element of one sequence: what
    /// counts others of another one counts a variable of the proof that says the same.
    fn say_again(&mut self, vars: &mut [BatchVar], of: &FxHashMap<BatchVar, u32>) {
        let mut counts: FxHashMap<u32, usize> = FxHashMap::default();
        vars.iter().filter_map(|var| of.get(var)).for_each(|&at| *counts.entry(at).or_default() += 1);
        let mut others: Vec<u32> = counts.iter().filter(|&(_, &n)| n > 1).map(|(&at, _)| at).collect();
        others.sort_unstable();
        for one in vars {
            let is_alone = of.get(one).is_some_and(|at| counts[at] == 1);
            if is_alone && others.iter().any(|&at| self.add_conjunction(&[2 * *one], at)) {
                *one = self.levels.len() as BatchVar - 1;
            }
        }
    }

    /// Takes a conjunction as an element of a sequence that has none that says the same.
    fn add_conjunction(&mut self, literals: &[u32], at: u32) -> bool {
        let (own, times) = (self.levels.len() as BatchVar, &mut self.times);
        times.of.push([NEVER; ORDERS]);
        times.rising.push(None);
        times.add(own, &[vec![literals.to_vec()], Vec::new()]);
        let sequence = &mut self.sequences[at as usize];
        // Most are elements that are there, says the first order.
        let first = times.of[own as usize][0];
        let before = sequence.sum.terms().filter(|&(var, _)| times.of[var as usize][0] <= first).count();
        let rising = times.rising[own as usize].filter(|_| !sequence.has(before as i128));
        let all = || sequence.sum.terms().map(|(var, _)| var).collect::<Vec<BatchVar>>();
        let count = rising.and_then(|_| times.count(&times.sorted(&all()), own)).unwrap_or(0) as i128;
        let Some(rising) = rising.filter(|&rising| count > 0 && sequence.insert(count, rising)) else {
            times.of.pop();
            times.rising.pop();
            return false;
        };
        let (sum, degree) = (Rc::clone(&sequence.sum), count + sequence.sum.range[0]);
        self.levels.push(sequence.level);
        self.found.push(Some(Meaning { rising, sum, degree }));
        self.by_literals.insert(literals.to_vec(), own);
        self.conjunctions.push(Conjunction { lit: 2 * own, literals: literals.to_vec() });
        if let &[same] = literals {
            self.conjunctions.push(Conjunction { lit: 2 * own + 1, literals: vec![negated(same)] });
        }
        true
    }

    /// Takes a family as a sequence; false if it is none. The last of the elements at even places may say that all
    /// inputs are true, but is no element of what sorts them.
    fn add_sequence(&mut self, level: u8, set: &[BatchVar], members: &[BatchVar]) -> bool {
        let (times, n_inputs) = (&self.times, self.n_inputs as u32);
        let all = times.sorted(set);
        let mut members: Vec<(usize, BatchVar)> =
            members.iter().filter_map(|&aux| Some((times.count(&all, aux)?, aux))).collect();
        members.sort_unstable();
        let counts: FxHashSet<usize> = members.iter().map(|&(count, _)| count).collect();
        let any_inside = counts.iter().any(|&count| 1 < count && count < set.len());
        let is_of_inputs =
            |aux: BatchVar| self.causes[aux as usize].iter().flatten().flatten().all(|&lit| var(lit) < n_inputs);
        let has_next = |count: usize| counts.contains(&(count + 1)) || counts.contains(&(count - 1));
        members.retain(|&(count, aux)| any_inside || level > 1 || is_of_inputs(aux) || has_next(count));
        let is_negated = |var: BatchVar| times.rising[var as usize].is_some_and(|rising| rising & 1 == 1);
        let terms = set.iter().map(|&var| (var, if is_negated(var) { -1 } else { 1 })).collect();
        let sum = Rc::new(InputSum::new(terms));
        let mut sequence = Sequence::new(level, Rc::clone(&sum));
        for &(count, aux) in &members {
            let rising = 2 * aux + u32::from(is_negated(aux));
            let degree = count as i128 + sum.range[0];
            self.found[aux as usize] = Some(Meaning { rising, sum: Rc::clone(&sum), degree });
            self.levels[aux as usize] = level;
            sequence.insert(count as i128, rising);
        }
        self.sequences.extend((!members.is_empty()).then_some(sequence));
        !members.is_empty()
    }
}
