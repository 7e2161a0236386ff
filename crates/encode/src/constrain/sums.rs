//! Which sums choices have: subset sums, as far as few of them are to be looked at.
//!
//! Sums are bits of words where that is short enough, and each value moves all of them at once; or a list of them,
//! where there are few. Equal values of several choices are taken in bundles of 1, 2, 4 … of them.

/// Reachable sums, up to a limit.
pub(super) enum ReachableSums {
    /// Bit s: the sum s is reached.
    Bits(Vec<u64>, u64),
    /// Ascending.
    List(Vec<u128>),
}

/// Words that may be touched to find out that a sum is not reached.
const DENSE: u128 = 1 << 22;

/// Words that may be touched for each group where a bound is only moved.
const DENSE_EACH: u128 = 64;

/// Sums that may be on a list, to find out that a sum is not reached.
const SPARSE: usize = 1 << 12;

/// Sums that may be on a list where a bound is only moved: that takes microseconds.
const SPARSE_MOVED: usize = 1 << 7;

impl ReachableSums {
    /// True if one value of some of the groups each sums up to `wanted`; `None` where that is too much to find out.
    /// `total` is the greatest sum.
    pub(super) fn has(groups: Vec<Vec<u128>>, total: u128, wanted: u128) -> Option<bool> {
        let (groups, limit, wanted) = shorter(groups, total, wanted);
        Self::upto(groups, limit, DENSE, SPARSE).map(|sums| sums.contains(wanted))
    }

    /// The least sum from `need` on; `None` where that is too much to find out.
    pub(super) fn next_from(groups: Vec<Vec<u128>>, total: u128, need: u128) -> Option<u128> {
        let most = DENSE_EACH * groups.len() as u128;
        let above = groups.iter().filter_map(|values| values.iter().max()).max().copied().unwrap_or(0);
        if total - need < need + above {
            let mirrored = groups.iter().map(|values| mirrored(values)).collect();
            let sums = Self::upto(mirrored, total - need, most, SPARSE_MOVED)?;
            sums.greatest_upto(total - need).map(|sum| total - sum)
        } else {
            Self::upto(groups, need + above, most, SPARSE_MOVED)?.least_from(need)
        }
    }

    fn upto(groups: Vec<Vec<u128>>, limit: u128, most: u128, sparse: usize) -> Option<Self> {
        let steps = bundled(groups);
        let moves: usize = steps.iter().map(Vec::len).sum();
        let words = limit / 64 + 1;
        if let (Some(work), Ok(limit)) = (words.checked_mul(moves as u128), u64::try_from(limit))
            && work <= most
        {
            return Some(Self::bits(&steps, limit));
        }
        Self::list(&steps, limit, sparse)
    }

    fn bits(steps: &[Vec<u128>], limit: u64) -> Self {
        let mut sums = vec![0_u64; (limit / 64 + 1) as usize];
        sums[0] = 1;
        let mut before = Vec::new();
        for values in steps {
            before.clone_from(&sums);
            for &value in values.iter().filter(|&&value| value <= limit.into()) {
                add_moved(&mut sums, &before, value as u64);
            }
        }
        Self::Bits(sums, limit)
    }

    fn list(steps: &[Vec<u128>], limit: u128, most: usize) -> Option<Self> {
        let mut sums = vec![0_u128];
        for values in steps {
            let count = sums.len();
            for &value in values {
                for at in 0..count {
                    let sum = sums[at] + value;
                    if sum <= limit {
                        sums.push(sum);
                    }
                }
                if sums.len() > 16 * most {
                    return None;
                }
            }
            sums.sort_unstable();
            sums.dedup();
            if sums.len() > most {
                return None;
            }
        }
        Some(Self::List(sums))
    }

    fn contains(&self, sum: u128) -> bool {
        match self {
            Self::Bits(sums, limit) => sum <= (*limit).into() && sums[(sum / 64) as usize] >> (sum % 64) & 1 == 1,
            Self::List(sums) => sums.binary_search(&sum).is_ok(),
        }
    }

    fn least_from(&self, bound: u128) -> Option<u128> {
        match self {
            Self::Bits(_, limit) => (bound..=(*limit).into()).find(|&sum| self.contains(sum)),
            Self::List(sums) => sums.get(sums.partition_point(|&sum| sum < bound)).copied(),
        }
    }

    fn greatest_upto(&self, bound: u128) -> Option<u128> {
        match self {
            Self::Bits(_, limit) => (0..=bound.min((*limit).into())).rev().find(|&sum| self.contains(sum)),
            Self::List(sums) => sums.partition_point(|&sum| sum <= bound).checked_sub(1).map(|at| sums[at]),
        }
    }
}

/// Words of sums that [`next_sum`] looks at: [`ReachableSums::next_from`] looks at as many for each literal.
const WORDS: usize = DENSE_EACH as usize;

/// The least sum of some of the weights from `need` on, as [`ReachableSums::next_from`] has it, without memory: none
/// where that is too much to find out. `total` is the sum of all.
pub(super) fn next_sum(weights: &[u64], total: u64, need: u64) -> Option<u64> {
    // As all but what is not chosen: the greatest sum up to the rest.
    let most = total - need;
    let last = usize::try_from(most / 64).ok().filter(|&last| last < WORDS)?;
    let mut few = [0; WORDS];
    let sums = &mut few[..=last];
    sums[0] = 1;
    for &weight in weights.iter().filter(|&&weight| weight <= most) {
        let (words, bits) = ((weight / 64) as usize, weight % 64);
        for at in (words..=last).rev() {
            let below = if bits > 0 && at > words { sums[at - words - 1] >> (64 - bits) } else { 0 };
            sums[at] |= sums[at - words] << bits | below;
        }
    }
    sums[last] &= u64::MAX >> (63 - most % 64);
    let (at, word) = sums.iter().enumerate().rev().find(|&(_, &word)| word > 0)?;
    Some(total - (at as u64 * 64 + u64::from(word.ilog2())))
}

/// The question turned to what is not chosen, where that is shorter: groups, the greatest sum to look at, and the sum.
fn shorter(groups: Vec<Vec<u128>>, total: u128, wanted: u128) -> (Vec<Vec<u128>>, u128, u128) {
    if wanted <= total - wanted {
        (groups, wanted, wanted)
    } else {
        (groups.iter().map(|values| mirrored(values)).collect(), total - wanted, total - wanted)
    }
}

/// The differences of each value of a group, and of nothing, from the greatest.
fn mirrored(values: &[u128]) -> Vec<u128> {
    let greatest = values.iter().copied().max().unwrap_or(0);
    let lacking = values.iter().map(|&value| greatest - value).filter(|&lacking| lacking > 0);
    lacking.chain((greatest > 0).then_some(greatest)).collect()
}

/// Groups of one value that are equal, in bundles; and the others as they are.
fn bundled(groups: Vec<Vec<u128>>) -> Vec<Vec<u128>> {
    let mut alone: Vec<u128> = groups.iter().filter(|values| values.len() == 1).map(|values| values[0]).collect();
    alone.sort_unstable();
    let mut steps: Vec<Vec<u128>> = groups.into_iter().filter(|values| values.len() > 1).collect();
    for equal in alone.chunk_by(|a, b| a == b) {
        let (mut left, mut bundle) = (equal.len() as u128, 1);
        while left > 0 {
            let taken = bundle.min(left);
            steps.push(vec![equal[0] * taken]);
            left -= taken;
            bundle *= 2;
        }
    }
    steps
}

/// Every sum of `from` is in `sums` once more with `value` added.
fn add_moved(sums: &mut [u64], from: &[u64], value: u64) {
    let (words, bits) = ((value / 64) as usize, value % 64);
    for at in words..sums.len() {
        let mut moved = from[at - words] << bits;
        if bits > 0 && at > words {
            moved |= from[at - words - 1] >> (64 - bits);
        }
        sums[at] |= moved;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All sums of some choices.
    fn all(groups: &[Vec<u128>]) -> Vec<u128> {
        let mut sums = vec![0];
        for values in groups {
            sums = sums.iter().flat_map(|sum| values.iter().chain([&0]).map(move |value| sum + value)).collect();
        }
        sums.sort_unstable();
        sums.dedup();
        sums
    }

    #[test]
    fn sums_are_found_by_either_way() {
        let mut random = crate::random::Random::new(1);
        let (mut found, mut given_up) = (0, 0);
        for at in 0..600 {
            let scale = [1, 1, 1 << 70, 3_000_000_007][at % 4];
            let most = [2, 6, 30][at % 3];
            let groups: Vec<Vec<u128>> = (0..=random.below(7))
                .map(|_| {
                    let several = if random.below(2) == 0 { 1 } else { 1 + random.below(3) };
                    (0..several).map(|_| scale * (1 + random.below(most) as u128)).collect()
                })
                .collect();
            let sums = all(&groups);
            let total = groups.iter().filter_map(|values| values.iter().max()).sum();
            assert_eq!(sums.last(), Some(&total));
            for bound in [0, 1, total / 2, total / 2 + 1, total / 3 * 2, total, sums[sums.len() / 2]] {
                let bound = bound.min(total);
                let has = ReachableSums::has(groups.clone(), total, bound);
                assert!(has.is_none_or(|has| has == sums.contains(&bound)), "{bound} of {groups:?}: {has:?}");
                let next = ReachableSums::next_from(groups.clone(), total, bound);
                let expected = sums.iter().copied().find(|&sum| sum >= bound);
                assert!(next.is_none() || next == expected, "{bound} of {groups:?}: {next:?}");
                found += usize::from(next.is_some());
                given_up += usize::from(next.is_none());
            }
        }
        assert!(found > 4_000 && given_up < 10, "{found} {given_up}");
        // Sums without structure are too many to look at.
        let many: Vec<Vec<u128>> = (0..60).map(|_| vec![1 + u128::from(random.next() >> 8)]).collect();
        let total: u128 = many.iter().flatten().sum();
        assert_eq!(ReachableSums::has(many.clone(), total, total / 2), None);
        assert_eq!(ReachableSums::next_from(many, total, total / 2), None);
    }

    #[test]
    fn equal_values_are_bundled() {
        let groups = vec![vec![7_u128]; 300].into_iter().chain(vec![vec![77]; 200]).collect::<Vec<_>>();
        let total = 300 * 7 + 200 * 77;
        let reached: Vec<u128> =
            (0..200).filter(|&bound| ReachableSums::has(groups.clone(), total, bound) == Some(true)).collect();
        assert_eq!(reached, (0..200).step_by(7).collect::<Vec<_>>());
        assert_eq!(ReachableSums::next_from(groups, total, 8), Some(14));
    }
}
