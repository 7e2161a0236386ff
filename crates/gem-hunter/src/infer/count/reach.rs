//! Sets of totals, exactly.

use super::sums::PartSum;

/// A set of natural numbers up to some millions, as bits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct NaturalSet {
    words: Vec<u64>,
    /// The number of bits: the last one is set.
    len: usize,
}

impl NaturalSet {
    /// The set of the positions of `0..len` for which `elements` is true.
    pub(crate) fn new(len: usize, elements: &dyn Fn(usize) -> bool) -> Self {
        let len = (0..len).rev().find(|&at| elements(at)).map_or(0, |last| last + 1);
        let mut reach = Self { words: vec![0; len.div_ceil(64)], len };
        for at in (0..len).filter(|&at| elements(at)) {
            reach.words[at / 64] |= 1 << (at % 64);
        }
        reach
    }

    /// One more than the greatest element.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn contains(&self, at: usize) -> bool {
        at < self.len && self.words[at / 64] >> (at % 64) & 1 == 1
    }

    /// The greatest element up to `at`.
    pub(crate) fn up_to(&self, at: usize) -> Option<usize> {
        let at = at.min(self.len.checked_sub(1)?);
        let first = self.words[at / 64] & (u64::MAX >> (63 - at % 64));
        let words = self.words[..at / 64].iter().rev().copied();
        let (word, bits) = std::iter::once(first).chain(words).enumerate().find(|&(_, bits)| bits != 0)?;
        Some((at / 64 - word) * 64 + 63 - bits.leading_zeros() as usize)
    }

    /// The least element from `at` on.
    pub(crate) fn from(&self, at: usize) -> Option<usize> {
        if at >= self.len {
            return None;
        }
        let first = self.words[at / 64] & (u64::MAX << (at % 64));
        let words = self.words[at / 64 + 1..].iter().copied();
        let (word, bits) = std::iter::once(first).chain(words).enumerate().find(|&(_, bits)| bits != 0)?;
        Some((at / 64 + word) * 64 + bits.trailing_zeros() as usize)
    }

    /// The runs of elements without a gap, ascending: first and last.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let mut at = 0;
        std::iter::from_fn(move || {
            let first = self.from(at)?;
            at = self.gap(first);
            Some((first, at - 1))
        })
    }

    /// The least position from `at` on that is no element.
    fn gap(&self, at: usize) -> usize {
        let first = !self.words[at / 64] & (u64::MAX << (at % 64));
        let words = self.words[at / 64 + 1..].iter().map(|word| !word);
        let found = std::iter::once(first).chain(words).enumerate().find(|&(_, bits)| bits != 0);
        found.map_or(self.len, |(word, bits)| (at / 64 + word) * 64 + bits.trailing_zeros() as usize).min(self.len)
    }

    /// All sums of an element and one of `0..width`.
    fn spread(mut self, width: usize) -> Self {
        let mut done = 1;
        self.words.resize((self.len + width - 1).div_ceil(64), 0);
        while done < width {
            let by = done.min(width - done);
            // From the top: what is read is not yet changed.
            let (words, bits) = (by / 64, by % 64);
            for at in (words..self.words.len()).rev() {
                let low = self.words[at - words] << bits;
                let carried = if bits > 0 && at > words { self.words[at - words - 1] >> (64 - bits) } else { 0 };
                self.words[at] |= low | carried;
            }
            done += by;
        }
        self.len += width - 1;
        self
    }

    fn or_into(&self, words: &mut [u64], shift: usize) {
        let (by, bits) = (shift / 64, shift % 64);
        for (at, &word) in self.words.iter().enumerate().filter(|&(_, &word)| word != 0) {
            words[at + by] |= word << bits;
            if bits > 0
                && let carried @ 1.. = word >> (64 - bits)
            {
                words[at + by + 1] |= carried;
            }
        }
    }
}

impl PartSum for NaturalSet {
    /// All sums of an element of this and one of the other.
    fn plus(&self, other: &Self) -> Self {
        if self.len == 0 || other.len == 0 {
            return Self::default();
        }
        let (few, many) = if self.runs().count() <= other.runs().count() { (self, other) } else { (other, self) };
        let len = self.len + other.len - 1;
        let mut sums = Self { words: vec![0; len.div_ceil(64)], len };
        for (first, last) in few.runs() {
            many.clone().spread(last - first + 1).or_into(&mut sums.words, first);
        }
        sums
    }

    /// The elements of `of` that, with some element of `other` added, are in this set.
    fn minus(&self, other: &Self, of: &Self) -> Self {
        let Some(most) = other.len.checked_sub(1) else { return Self::default() };
        let mirrored = Self::new(other.len, &|at| other.contains(most - at));
        let sums = self.plus(&mirrored);
        Self::new(of.len, &|at| of.contains(at) && sums.contains(at + most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cnfkit_core::internals::Random;

    fn elements(reach: &NaturalSet) -> Vec<usize> {
        (0..reach.len()).filter(|&at| reach.contains(at)).collect()
    }

    #[test]
    fn sets_of_totals_are_as_defined() {
        let mut random = Random::new(7);
        for round in 0..2000 {
            let mut any = || {
                let (len, every) = (1 + random.below(if round % 3 == 0 { 400 } else { 20 }), 1 + random.below(4));
                let bits: Vec<bool> = (0..len).map(|_| random.below(every) == 0).collect();
                NaturalSet::new(len, &|at| bits[at])
            };
            let (a, b, of) = (any(), any(), any());
            let listed = elements(&a);
            for at in 0..a.len() + 70 {
                assert_eq!(a.up_to(at), listed.iter().copied().rfind(|&other| other <= at));
                assert_eq!(a.from(at), listed.iter().copied().find(|&other| other >= at));
            }
            let runs: Vec<usize> = a.runs().flat_map(|(first, last)| first..=last).collect();
            assert_eq!(runs, listed);
            assert!(a.runs().zip(a.runs().skip(1)).all(|(one, next)| one.1 + 1 < next.0));
            let mut sums: Vec<usize> =
                listed.iter().flat_map(|x| elements(&b).into_iter().map(move |y| x + y)).collect();
            sums.sort_unstable();
            sums.dedup();
            assert_eq!(elements(&a.plus(&b)), sums);
            let rest: Vec<usize> =
                elements(&of).into_iter().filter(|x| elements(&b).iter().any(|y| a.contains(x + y))).collect();
            assert_eq!(elements(&a.minus(&b, &of)), rest);
        }
    }
}
