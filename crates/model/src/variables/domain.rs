//! [`Domain`]: the finite set of integers that a variable may take.

use std::fmt;
use std::ops::{Range, RangeInclusive};

/// A finite set of integers: the values that an [`IntVar`](crate::IntVar) may take.
///
/// Made of a range, of a list of values, or of both together; values may be negative, and may be given in any order
/// and more than once. They are `i64`, and may be given as `usize`, `u32` or `i32`, which a number without a type is:
/// write `0..=10_000_000_000_i64`. A `usize` beyond [`i64::MAX`] is left out, as no variable can have it.
///
/// ```
/// use cnfkit::model::Domain;
/// let digits = Domain::from(1..=9);
/// let odd: Domain = digits.iter().filter(|value| value % 2 == 1).collect();
/// assert_eq!(odd, Domain::from([9, 7, 5, 3, 1]));
/// assert_eq!((odd.min(), odd.max(), odd.len()), (Some(1), Some(9), 5));
/// assert_eq!(Domain::from([-3, 0, 1, 2]).to_string(), "{-3, 0..=2}");
/// let names = ["Ann", "Bob", "Eve"];
/// assert_eq!(Domain::from(0..names.len()).max(), Some(2));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Domain {
    /// `min > max`: empty.
    min: i64,
    max: i64,
    /// Ranges of values between `min` and `max` that are missing: ascending, neither empty nor adjacent, and none
    /// touches an end.
    gaps: Vec<(i64, i64)>,
}

impl Domain {
    /// No value.
    pub(crate) const EMPTY: Self = Self { min: 0, max: -1, gaps: Vec::new() };

    pub(crate) const fn range(min: i64, max: i64) -> Self {
        if min > max { Self::EMPTY } else { Self { min, max, gaps: Vec::new() } }
    }

    fn of_sorted(values: &[i64]) -> Self {
        let (Some(&min), Some(&max)) = (values.first(), values.last()) else { return Self::EMPTY };
        let gap = |pair: &[i64]| (pair[1].abs_diff(pair[0]) > 1).then(|| (pair[0] + 1, pair[1] - 1));
        Self { min, max, gaps: values.windows(2).filter_map(gap).collect() }
    }

    /// True if there is no value.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.min > self.max
    }

    /// The least value.
    #[must_use]
    pub const fn min(&self) -> Option<i64> {
        if self.is_empty() { None } else { Some(self.min) }
    }

    /// The greatest value.
    #[must_use]
    pub const fn max(&self) -> Option<i64> {
        if self.is_empty() { None } else { Some(self.max) }
    }

    /// The least and the greatest value of a domain that is not empty.
    pub(crate) const fn bounds(&self) -> (i64, i64) {
        (self.min, self.max)
    }

    /// The number of values; [`u64::MAX`] for the domain of all integers, which has one more.
    #[must_use]
    pub fn len(&self) -> u64 {
        if self.is_empty() {
            return 0;
        }
        let missing: u64 = self.gaps.iter().map(|&(from, to)| to.abs_diff(from) + 1).sum();
        (self.max.abs_diff(self.min) - missing).saturating_add(1)
    }

    /// The only value, if there is only one.
    #[must_use]
    pub const fn value(&self) -> Option<i64> {
        if self.min == self.max { Some(self.min) } else { None }
    }

    /// True if `value` is one of them.
    #[must_use]
    pub fn contains(&self, value: i64) -> bool {
        self.min <= value && value <= self.max && self.gap(value).is_none()
    }

    /// The missing range that `value` is in.
    fn gap(&self, value: i64) -> Option<(i64, i64)> {
        let after = self.gaps.partition_point(|&(from, _)| from <= value);
        self.gaps[..after].last().copied().filter(|&(_, to)| value <= to)
    }

    /// All values, ascending.
    pub fn iter(&self) -> impl Iterator<Item = i64> + '_ {
        self.ranges().flat_map(|(from, to)| from..=to)
    }

    /// The values as ranges, ascending.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = (i64, i64)> + '_ {
        let starts = std::iter::once(self.min).chain(self.gaps.iter().map(|&(_, to)| to + 1));
        let ends = self.gaps.iter().map(|&(from, _)| from - 1).chain([self.max]);
        starts.zip(ends).filter(|(from, to)| from <= to)
    }

    /// The differences of all values and `of`.
    pub(crate) fn less(&self, of: i64) -> Self {
        let gaps = self.gaps.iter().map(|&(from, to)| (from.wrapping_sub(of), to.wrapping_sub(of))).collect();
        Self { min: self.min.wrapping_sub(of), max: self.max.wrapping_sub(of), gaps }
    }

    /// The least value that is at least `value`.
    pub(crate) fn next(&self, value: i64) -> Option<i64> {
        if self.is_empty() || value > self.max {
            return None;
        }
        let value = value.max(self.min);
        Some(self.gap(value).map_or(value, |(_, to)| to + 1))
    }

    /// The greatest value that is at most `value`.
    pub(crate) fn previous(&self, value: i64) -> Option<i64> {
        if self.is_empty() || value < self.min {
            return None;
        }
        let value = value.min(self.max);
        Some(self.gap(value).map_or(value, |(from, _)| from - 1))
    }

    /// The value above so many others.
    pub(crate) fn nth(&self, rank: usize) -> Option<i64> {
        let mut left = rank as u64;
        self.ranges().find_map(|(from, to)| {
            let here = to.abs_diff(from).saturating_add(1);
            if left < here {
                return Some(from.wrapping_add_unsigned(left));
            }
            left -= here;
            None
        })
    }

    /// The number of values below `value`.
    pub(crate) fn rank(&self, value: i64) -> usize {
        if self.is_empty() || value <= self.min {
            return 0;
        }
        let value = value.min(self.max.saturating_add(1));
        let below = self.gaps.iter().take_while(|&&(from, _)| from < value);
        let missing: u64 = below.map(|&(from, to)| to.min(value - 1).abs_diff(from) + 1).sum();
        (value.abs_diff(self.min) - missing) as usize
    }

    /// Takes away all values below `least`; true if there were some.
    pub(crate) fn keep_from(&mut self, least: i64) -> bool {
        if self.is_empty() || least <= self.min {
            return false;
        }
        match self.next(least) {
            None => *self = Self::EMPTY,
            Some(min) => {
                self.min = min;
                self.gaps.retain(|&(from, _)| from > min);
            }
        }
        true
    }

    /// Takes away all values above `most`; true if there were some.
    pub(crate) fn keep_to(&mut self, most: i64) -> bool {
        if self.is_empty() || most >= self.max {
            return false;
        }
        match self.previous(most) {
            None => *self = Self::EMPTY,
            Some(max) => {
                self.max = max;
                self.gaps.retain(|&(_, to)| to < max);
            }
        }
        true
    }

    /// Takes away one value; true if it was there.
    pub(crate) fn remove(&mut self, value: i64) -> bool {
        if !self.contains(value) {
            return false;
        }
        if value == self.min {
            return if value == self.max {
                *self = Self::EMPTY;
                true
            } else {
                self.keep_from(value + 1)
            };
        }
        if value == self.max {
            return self.keep_to(value - 1);
        }
        let at = self.gaps.partition_point(|&(from, _)| from < value);
        let joins_before = at > 0 && self.gaps[at - 1].1 + 1 == value;
        let joins_after = at < self.gaps.len() && value + 1 == self.gaps[at].0;
        match (joins_before, joins_after) {
            (true, true) => {
                self.gaps[at - 1].1 = self.gaps[at].1;
                self.gaps.remove(at);
            }
            (true, false) => self.gaps[at - 1].1 = value,
            (false, true) => self.gaps[at].0 = value,
            (false, false) => self.gaps.insert(at, (value, value)),
        }
        true
    }

    /// Keeps what is among these ascending values; true if some are gone. Takes no longer for a larger domain.
    pub(crate) fn keep_only(&mut self, values: &[i64]) -> bool {
        let kept: Vec<i64> = values.iter().copied().filter(|&value| self.contains(value)).collect();
        if kept.len() as u64 == self.len() {
            return false;
        }
        *self = Self::of_sorted(&kept);
        true
    }

    /// Keeps the values that `keep` is true for; true if some are gone.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(i64) -> bool) -> bool {
        let len = self.len();
        let kept: Vec<i64> = self.iter().filter(|&value| keep(value)).collect();
        if kept.len() as u64 == len {
            return false;
        }
        *self = Self::of_sorted(&kept);
        true
    }
}

macro_rules! integers {
    ($($type:ty),*) => { $(
        #[allow(clippy::useless_conversion)] // of `i64` it is none
        impl From<RangeInclusive<$type>> for Domain {
            fn from(range: RangeInclusive<$type>) -> Self {
                let (first, last) = (i64::try_from(*range.start()), i64::try_from(*range.end()));
                first.map_or(Self::EMPTY, |first| Self::range(first, last.unwrap_or(i64::MAX)))
            }
        }

        impl From<Range<$type>> for Domain {
            fn from(range: Range<$type>) -> Self {
                if range.is_empty() { Self::EMPTY } else { Self::from(range.start..=range.end - 1) }
            }
        }

        impl From<&[$type]> for Domain {
            fn from(values: &[$type]) -> Self {
                values.iter().copied().collect()
            }
        }

        impl<const N: usize> From<[$type; N]> for Domain {
            fn from(values: [$type; N]) -> Self {
                values.into_iter().collect()
            }
        }

        impl From<Vec<$type>> for Domain {
            fn from(values: Vec<$type>) -> Self {
                values.into_iter().collect()
            }
        }

        #[allow(clippy::useless_conversion)] // of `i64` it is none
        impl FromIterator<$type> for Domain {
            fn from_iter<I: IntoIterator<Item = $type>>(values: I) -> Self {
                let mut values: Vec<i64> = values.into_iter().filter_map(|value| i64::try_from(value).ok()).collect();
                values.sort_unstable();
                values.dedup();
                Self::of_sorted(&values)
            }
        }
    )* };
}
integers!(i32, i64, u32, usize);

impl FromIterator<RangeInclusive<i64>> for Domain {
    /// The values of all ranges together.
    fn from_iter<I: IntoIterator<Item = RangeInclusive<i64>>>(ranges: I) -> Self {
        let ranges = ranges.into_iter().map(RangeInclusive::into_inner);
        let mut ranges: Vec<(i64, i64)> = ranges.filter(|(from, to)| from <= to).collect();
        ranges.sort_unstable();
        let Some(&(min, mut max)) = ranges.first() else { return Self::EMPTY };
        let mut gaps = Vec::new();
        for (from, to) in ranges {
            if from > max && from.abs_diff(max) > 1 {
                gaps.push((max + 1, from - 1));
            }
            max = max.max(to);
        }
        Self { min, max, gaps }
    }
}

impl From<&Self> for Domain {
    fn from(domain: &Self) -> Self {
        domain.clone()
    }
}

/// As ranges and values: `{-3, 0..=2}`.
impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (at, (from, to)) in self.ranges().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            match to.abs_diff(from) {
                0 => write!(f, "{comma}{from}")?,
                1 => write!(f, "{comma}{from}, {to}")?,
                _ => write!(f, "{comma}{from}..={to}")?,
            }
        }
        f.write_str("}")
    }
}

impl fmt::Debug for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The values of a number and a multiple of a value of each of these domains together, ascending; `None` where there
/// are more than a thousand choices.
pub(crate) fn few_sums<'d>(parts: impl Iterator<Item = (&'d Domain, i128)> + Clone, offset: i128) -> Option<Vec<i128>> {
    const FEW: u64 = 1_000;
    if parts.clone().map(|(domain, _)| domain.len()).fold(1, u64::saturating_mul) > FEW {
        return None;
    }
    let mut sums = vec![offset];
    for (domain, factor) in parts {
        let more = |&sum: &i128| domain.iter().map(move |value| sum + factor * i128::from(value));
        sums = sums.iter().flat_map(more).collect();
        sums.sort_unstable();
        sums.dedup();
    }
    Some(sums)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Every change against a set of numbers, by lot.
    #[test]
    fn changes_are_those_of_a_set() {
        let mut random = 7_u64;
        let mut next = |below: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % below
        };
        for _ in 0..20_000 {
            let values: Vec<i64> = (0..next(12)).map(|_| next(24) as i64 - 12).collect();
            let mut set: BTreeSet<i64> = values.iter().copied().collect();
            let mut domain = Domain::from(values);
            for _ in 0..4 {
                let value = next(30) as i64 - 15;
                let before = set.clone();
                let changed = match next(5) {
                    4 => {
                        let few: Vec<i64> = (-16..16).filter(|other| (other + value) % 3 != 0).collect();
                        set.retain(|other| few.binary_search(other).is_ok());
                        domain.keep_only(&few)
                    }
                    0 => {
                        set.retain(|&other| other >= value);
                        domain.keep_from(value)
                    }
                    1 => {
                        set.retain(|&other| other <= value);
                        domain.keep_to(value)
                    }
                    2 => {
                        set.remove(&value);
                        domain.remove(value)
                    }
                    _ => {
                        set.retain(|&other| other % 3 != 0);
                        domain.retain(|other| other % 3 != 0)
                    }
                };
                assert_eq!(changed, set != before, "{before:?} {set:?}");
                assert_eq!(domain, set.iter().copied().collect(), "{before:?}");
                assert_eq!(domain.iter().collect::<Vec<_>>(), set.iter().copied().collect::<Vec<_>>());
                assert_eq!(domain.len(), set.len() as u64);
                for value in -16..16 {
                    assert_eq!(domain.contains(value), set.contains(&value));
                    assert_eq!(domain.next(value), set.range(value..).next().copied());
                    assert_eq!(domain.previous(value), set.range(..=value).next_back().copied());
                    assert_eq!(domain.rank(value), set.range(..value).count());
                    assert_eq!(domain.nth(domain.rank(value)), domain.next(value));
                }
            }
        }
    }

    #[test]
    fn ranges_are_joined() {
        let of = |ranges: &[(i64, i64)]| ranges.iter().map(|&(from, to)| from..=to).collect::<Domain>();
        assert_eq!(of(&[(5, 7), (1, 2), (3, 1), (6, 9), (3, 3)]), [1, 2, 3, 5, 6, 7, 8, 9].into());
        assert_eq!(of(&[(i64::MAX, i64::MAX), (i64::MIN, 0)]).len(), (1 << 63) + 2);
        assert_eq!(of(&[]), Domain::EMPTY);
    }

    #[test]
    fn the_ends_of_the_numbers() {
        let all = Domain::from(i64::MIN..=i64::MAX);
        assert_eq!(all.len(), u64::MAX);
        assert!(all.contains(i64::MIN) && all.contains(i64::MAX));
        let mut two = Domain::from([i64::MIN, i64::MAX]);
        assert_eq!(two.len(), 2);
        assert!(two.remove(i64::MAX) && two.value() == Some(i64::MIN));
        assert!(two.remove(i64::MIN) && two.is_empty() && !two.remove(0));
        assert_eq!(Domain::from(3..3), Domain::EMPTY);
        assert_eq!(Domain::EMPTY.to_string(), "{}");
        assert_eq!(Domain::from(7..usize::MAX), Domain::from(7..=i64::MAX));
        assert_eq!(Domain::from([usize::MAX, 3]), Domain::from([3]));
        assert_eq!(Domain::from(usize::MAX..=usize::MAX), Domain::EMPTY);
    }
}
