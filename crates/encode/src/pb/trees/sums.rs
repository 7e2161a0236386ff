//! Sets of sums, as ascending lists, and the pairs of two such sets that just reach, or just miss, a number.

/// The numbers of steps after which planning gives up; see [`Work::step`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Work(u64);

impl Work {
    /// A budget of `steps` steps.
    pub(super) const fn new(steps: u64) -> Self {
        Self(steps)
    }

    /// Takes `steps`; `None` when so many are not left.
    pub(super) fn step(&mut self, steps: u64) -> Option<()> {
        self.0 = self.0.checked_sub(steps)?;
        Some(())
    }
}

/// All sums of one number of `a` and one of `b`, those above `most` as `most`. Both ascend, and begin with 0.
pub(super) fn sumset(a: &[u64], b: &[u64], most: u64, work: &mut Work) -> Option<Vec<u64>> {
    /// Words of a set of bits: 2 MiB.
    const MOST_WORDS: u64 = 1 << 18;
    let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let pairs = (few.len() as u64).saturating_mul(many.len() as u64);
    let greatest = few[few.len() - 1].saturating_add(many[many.len() - 1]).min(most);
    let words = greatest / 64 + 1;
    // A word of bits takes about as long as two pairs that are merged, or as one third of a pair that is sorted.
    if words < MOST_WORDS && few.len() > 2 && words.saturating_mul(few.len() as u64 + 8) < 2 * pairs {
        work.step(words * (few.len() as u64 + 8))?;
        return Some(sumset_of_bits(few, many, greatest, words as usize));
    }
    work.step(pairs.saturating_mul(if few.len() > 2 { 8 } else { 1 }))?;
    let sum = |s: u64, t: u64| s.saturating_add(t).min(most);
    if let &[none, weight] = few {
        debug_assert_eq!(none, 0);
        // Two ascending lists.
        let mut all = Vec::with_capacity(2 * many.len());
        let mut low = many.iter().copied().peekable();
        for high in many.iter().map(|&s| sum(s, weight)) {
            while let Some(next) = low.next_if(|&next| next <= high) {
                push_new(&mut all, next);
            }
            push_new(&mut all, high);
        }
        low.for_each(|next| push_new(&mut all, next));
        return Some(all);
    }
    let mut all: Vec<u64> = few.iter().flat_map(|&t| many.iter().map(move |&s| sum(s, t))).collect();
    all.sort_unstable();
    all.dedup();
    Some(all)
}

fn push_new(all: &mut Vec<u64>, next: u64) {
    if all.last() != Some(&next) {
        all.push(next);
    }
}

fn sumset_of_bits(few: &[u64], many: &[u64], most: u64, words: usize) -> Vec<u64> {
    let mut bits = vec![0_u64; words];
    let mut all = vec![0_u64; words];
    for &s in many.iter().filter(|&&s| s <= most) {
        bits[(s / 64) as usize] |= 1 << (s % 64);
    }
    for &t in few.iter().filter(|&&t| t <= most) {
        let (skip, shift) = ((t / 64) as usize, t % 64);
        let mut carry = 0;
        for (to, &from) in all[skip..].iter_mut().zip(&bits) {
            *to |= from << shift | carry;
            carry = if shift == 0 { 0 } else { from >> (64 - shift) };
        }
    }
    let mut sums = Vec::with_capacity(all.iter().map(|word| word.count_ones() as usize).sum::<usize>() + 1);
    for (at, mut word) in all.into_iter().enumerate() {
        while word != 0 {
            let sum = at as u64 * 64 + u64::from(word.trailing_zeros());
            if sum < most {
                sums.push(sum);
            }
            word &= word - 1;
        }
    }
    // Some pair reaches the most: that is how it was found.
    sums.push(most);
    sums
}

/// The places of numbers in `a` and `b` that together are at least `least`, and would not be with a smaller one.
pub(super) fn minimal_pairs(a: &[u64], b: &[u64], least: u64, found: &mut Vec<(u32, u32)>) {
    found.clear();
    if a.len() < b.len() {
        minimal(b, a, least, |i, k| found.push((k, i)));
    } else {
        minimal(a, b, least, |i, k| found.push((i, k)));
    }
}

/// Walks through the few, and searches among the many.
fn minimal(many: &[u64], few: &[u64], least: u64, mut found: impl FnMut(u32, u32)) {
    let mut last = many.len();
    for (k, &t) in few.iter().enumerate() {
        let i = first_from(&many[..last], least.saturating_sub(t), 16 * few.len() >= many.len());
        if i < last {
            found(i as u32, k as u32);
            last = i;
        }
        if i == 0 {
            break;
        }
    }
}

/// [`minimal_pairs`] for one number after another, each greater than the one before.
#[derive(Default)]
pub(super) struct MinimalPairs {
    /// For each number of the shorter list the first of the longer one that may be enough.
    from: Vec<usize>,
    /// Places are walked up to; otherwise they are searched for.
    walks: bool,
}

impl MinimalPairs {
    /// Begins with two lists, for so many numbers.
    pub(super) fn begin(&mut self, a: &[u64], b: &[u64], times: usize) {
        let (few, many) = (a.len().min(b.len()), a.len().max(b.len()));
        self.walks = times.saturating_mul(4) > many;
        self.from.clear();
        if self.walks {
            self.from.resize(few, 0);
        }
    }

    /// Pushes the pairs of the next number.
    #[inline]
    pub(super) fn push(&mut self, a: &[u64], b: &[u64], least: u64, found: &mut Vec<(u32, u32)>) {
        match (a.len() < b.len(), self.walks) {
            (true, true) => self.walk(b, a, least, |i, k| found.push((k, i))),
            (false, true) => self.walk(a, b, least, |i, k| found.push((i, k))),
            (true, false) => minimal(b, a, least, |i, k| found.push((k, i))),
            (false, false) => minimal(a, b, least, |i, k| found.push((i, k))),
        }
    }

    #[inline]
    fn walk(&mut self, many: &[u64], few: &[u64], least: u64, mut found: impl FnMut(u32, u32)) {
        let mut last = many.len();
        for ((k, &t), from) in few.iter().enumerate().zip(&mut self.from) {
            let rest = least.saturating_sub(t);
            let mut at = *from;
            while at < last && many[at] < rest {
                at += 1;
            }
            *from = at;
            if at < last {
                found(at as u32, k as u32);
                last = at;
            }
            if at == 0 {
                break;
            }
        }
    }
}

/// The places of numbers in `a` and `b` that together are below `below`, and would not be with a greater one.
pub(super) fn maximal_pairs(a: &[u64], b: &[u64], below: u64, found: &mut Vec<(u32, u32)>) {
    found.clear();
    if a.len() < b.len() {
        maximal(b, a, below, |i, k| found.push((k, i)));
    } else {
        maximal(a, b, below, |i, k| found.push((i, k)));
    }
}

fn maximal(many: &[u64], few: &[u64], below: u64, mut found: impl FnMut(u32, u32)) {
    // So many of the many belong to a pair already: with the next of the few, more do.
    let mut taken = 0;
    for (k, &t) in few.iter().enumerate().rev() {
        let Some(rest) = below.checked_sub(t).filter(|&rest| rest > 0) else { continue };
        let count = taken + many[taken..].partition_point(|&s| s < rest);
        if count > taken {
            found(count as u32 - 1, k as u32);
            taken = count;
        }
        if count == many.len() {
            break;
        }
    }
}

/// The first place of a number that is at least `least`; the length where there is none.
#[inline]
fn first_from(numbers: &[u64], least: u64, near_the_end: bool) -> usize {
    if near_the_end {
        let mut at = numbers.len();
        while at > 0 && numbers[at - 1] >= least {
            at -= 1;
        }
        return at;
    }
    numbers.partition_point(|&number| number < least)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All lists of numbers up to 7 that begin with 0, and some of greater numbers.
    fn sets() -> Vec<Vec<u64>> {
        let small = (0..128_u64).map(|bits| (0..8).filter(|&at| at == 0 || bits >> (at - 1) & 1 == 1).collect());
        let large = [vec![0, 100, 200, 1 << 40], (0..300).collect(), (0..90).map(|i| 3 * i).collect(), vec![0, 63, 64]];
        small.chain(large).collect()
    }

    #[test]
    fn sums_are_all_sums() {
        for a in sets() {
            for b in sets().into_iter().step_by(5) {
                for most in [1, 5, 9, 63, 64, 65, 128, 500, u64::MAX] {
                    let clip = |set: &[u64]| {
                        let mut set: Vec<u64> = set.iter().map(|&s| s.min(most)).collect();
                        set.dedup();
                        set
                    };
                    let (a, b) = (clip(&a), clip(&b));
                    let expected: std::collections::BTreeSet<u64> =
                        a.iter().flat_map(|&s| b.iter().map(move |&t| s.saturating_add(t).min(most))).collect();
                    let found = sumset(&a, &b, most, &mut Work::new(u64::MAX)).unwrap();
                    assert!(found.iter().eq(&expected), "{a:?} + {b:?} up to {most}: {found:?}");
                }
            }
        }
        assert_eq!(sumset(&[0, 1], &[0, 1], 9, &mut Work::new(3)), None);
    }

    #[test]
    fn pairs_are_those_that_just_reach_or_just_miss() {
        for a in sets() {
            for b in sets().into_iter().step_by(3).filter(|b| a.len() * b.len() < 2000) {
                for bound in (0..17).chain([99, 127, 250, 1 << 40]) {
                    let sum = |i: usize, k: usize| a[i] + b[k];
                    let all: Vec<(usize, usize)> =
                        (0..a.len()).flat_map(|i| (0..b.len()).map(move |k| (i, k))).collect();
                    let mut found = Vec::new();
                    let check = |found: &mut Vec<(u32, u32)>, keep: &dyn Fn(usize, usize) -> bool| {
                        let mut found: Vec<(usize, usize)> =
                            found.drain(..).map(|(i, k)| (i as usize, k as usize)).collect();
                        found.sort_unstable();
                        let expected: Vec<_> = all.iter().copied().filter(|&(i, k)| keep(i, k)).collect();
                        assert_eq!(found, expected, "{a:?} {b:?} {bound}");
                    };
                    minimal_pairs(&a, &b, bound, &mut found);
                    check(&mut found, &|i, k| {
                        sum(i, k) >= bound && (i == 0 || sum(i - 1, k) < bound) && (k == 0 || sum(i, k - 1) < bound)
                    });
                    maximal_pairs(&a, &b, bound, &mut found);
                    check(&mut found, &|i, k| {
                        sum(i, k) < bound
                            && (i + 1 == a.len() || sum(i + 1, k) >= bound)
                            && (k + 1 == b.len() || sum(i, k + 1) >= bound)
                    });
                }
            }
        }
    }
    /// Walking and searching find the same pairs, in the same order.
    #[test]
    fn pairs_of_rising_numbers_are_those_of_each() {
        let mut pairs = MinimalPairs::default();
        for a in sets() {
            for b in sets().into_iter().step_by(7).filter(|b| a.len() * b.len() < 2000) {
                for times in [0, 1000] {
                    pairs.begin(&a, &b, times);
                    for least in (1..17).chain([99, 127, 250, 1 << 40]) {
                        let (mut found, mut expected) = (Vec::new(), Vec::new());
                        pairs.push(&a, &b, least, &mut found);
                        minimal_pairs(&a, &b, least, &mut expected);
                        assert_eq!(found, expected, "{a:?} {b:?} {least} {times}");
                    }
                }
            }
        }
    }
}
