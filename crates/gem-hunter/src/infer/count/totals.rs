//! The totals of traps that are possible, and the traps that a total leaves to each part: exact, by sets alone.

use rustc_hash::FxHashMap;

use super::parts::PartWays;
use super::reach::NaturalSet;
use super::sums::{PartSum, ProductTree, power};
use super::ways::Ways;

/// The totals of a board's answers.
#[derive(Clone, Debug)]
pub(crate) struct Totals {
    /// Traps that every answer has; sets count from there on.
    pub(crate) fewest: usize,
    /// The class of each part, then that of each free cell: an index into `sets`.
    classes: Vec<u32>,
    /// For each class of parts, that of its set.
    set_of: Vec<u32>,
    /// The sets, and how many parts have each.
    sets: Vec<NaturalSet>,
    counts: Vec<usize>,
    tree: ProductTree<NaturalSet>,
}

impl Totals {
    pub(crate) fn new<W: Ways>(parts: &PartWays<W>) -> Self {
        let set = |ways: &Vec<W>| NaturalSet::new(ways.len(), &|at| ways[at] != W::ZERO);
        let of_classes = parts.classes.iter().map(set).collect();
        Self::of(of_classes, &parts.counts, &parts.each, parts.free.len(), parts.fewest)
    }

    /// From the set and the number of parts of each class, the fewest traps and the class of each part, and the number
    /// of free cells.
    fn of(of_classes: Vec<NaturalSet>, of_class: &[usize], each: &[(u32, u32)], free: usize, fewest: usize) -> Self {
        let (mut sets, mut counts, mut set_of) = (Vec::new(), Vec::new(), Vec::new());
        let mut known: FxHashMap<NaturalSet, u32> = FxHashMap::default();
        for (set, &count) in of_classes.into_iter().zip(of_class) {
            let index = *known.entry(set).or_insert_with_key(|set| {
                sets.push(set.clone());
                counts.push(0);
                sets.len() as u32 - 1
            });
            counts[index as usize] += count;
            set_of.push(index);
        }
        // The set of free cells is the first, also when there is none: a power of at least one is needed.
        let zero = NaturalSet::new(1, &|_| true);
        let leaf = |(set, &count)| if count == 0 { zero.clone() } else { power(set, count) };
        let tree = ProductTree::new(sets.iter().zip(&counts).map(leaf).collect());
        let free = std::iter::repeat_n(0, free);
        let classes = each.iter().map(|&(_, class)| set_of[class as usize]).chain(free).collect();
        Self { fewest, classes, set_of, sets, counts, tree }
    }

    /// All possible totals, less [`fewest`](Self::fewest).
    pub(crate) fn all(&self) -> &NaturalSet {
        self.tree.root()
    }

    /// The total less what every answer has, if it is possible.
    pub(crate) fn left(&self, total: usize) -> Option<usize> {
        total.checked_sub(self.fewest).filter(|&left| self.all().contains(left))
    }

    /// For each class of parts, what a total leaves it; of the total this is [`left`](Self::left).
    pub(crate) fn allowed(&self, left: usize) -> Vec<NaturalSet> {
        let rests = self.tree.rests(NaturalSet::new(left + 1, &|at| at == left));
        let of_one = |((rest, set), &count): ((&NaturalSet, &NaturalSet), &usize)| {
            if count > 1 { rest.minus(&power(set, count - 1), set) } else { rest.clone() }
        };
        let allowed: Vec<NaturalSet> = rests.iter().zip(&self.sets).zip(&self.counts).map(of_one).collect();
        self.set_of.iter().map(|&set| allowed[set as usize].clone()).collect()
    }

    /// For each part and then each free cell, traps beyond the fewest, so that they make up `left`.
    pub(crate) fn share(&self, left: usize) -> Vec<usize> {
        let of_sets = self.tree.shares(left, share);
        let mut of_each: Vec<Vec<usize>> = Vec::new();
        for ((set, &count), amount) in self.sets.iter().zip(&self.counts).zip(of_sets) {
            let mut amounts = Vec::with_capacity(count);
            share_equally(set, count, amount, &mut FxHashMap::default(), &mut amounts);
            of_each.push(amounts);
        }
        self.classes.iter().map(|&class| of_each[class as usize].pop().unwrap_or(0)).collect()
    }
}

/// The share of the first of two in `amount`: about as large a part of it as its greatest element is of both.
fn share(first: &NaturalSet, second: &NaturalSet, amount: usize) -> usize {
    let all = (first.len() + second.len()).saturating_sub(2).max(1);
    let start = (amount as u128 * first.len() as u128 / all as u128) as usize;
    let fits = |at: &usize| first.contains(*at) && *at <= amount && second.contains(amount - at);
    let down = (0..=start).rev();
    let up = start + 1..=amount.max(start);
    // By turns, so that a share near the middle is found first.
    let found = down.map(Some).chain(std::iter::repeat(None)).zip(up.map(Some).chain(std::iter::repeat(None)));
    let mut found = found.take_while(|pair| *pair != (None, None)).flat_map(|(a, b)| [a, b]).flatten();
    let share = found.find(fits);
    debug_assert!(share.is_some(), "{amount} is no sum");
    share.unwrap_or(0)
}

/// Shares `amount` among `count` equal sets; `powers` remembers what many of them can have.
fn share_equally(
    set: &NaturalSet,
    count: usize,
    amount: usize,
    powers: &mut FxHashMap<usize, NaturalSet>,
    amounts: &mut Vec<usize>,
) {
    if count <= 1 {
        amounts.extend((count == 1).then_some(amount));
        return;
    }
    let (few, many) = (count / 2, count - count / 2);
    for half in [few, many] {
        powers.entry(half).or_insert_with(|| power(set, half));
    }
    let first = share(&powers[&few], &powers[&many], amount);
    share_equally(set, few, first, powers, amounts);
    share_equally(set, many, amount - first, powers, amounts);
}
