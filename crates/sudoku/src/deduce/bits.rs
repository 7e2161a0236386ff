//! Sets of values as bits: value v is bit v − 1.

/// A set of up to 64·`W` values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ValueSet<const W: usize>([u64; W]);

impl<const W: usize> ValueSet<W> {
    pub(crate) const EMPTY: Self = Self([0; W]);

    /// The values 1 to `n`.
    pub(crate) fn up_to(n: usize) -> Self {
        let mut bits = Self::EMPTY;
        for word in 0..W {
            let left = n.saturating_sub(64 * word);
            bits.0[word] = if left < 64 { (1 << left) - 1 } else { u64::MAX };
        }
        bits
    }

    #[inline]
    pub(crate) fn one(value: usize) -> Self {
        let mut bits = Self::EMPTY;
        bits.0[(value - 1) / 64] = 1 << ((value - 1) % 64);
        bits
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        let mut all = 0;
        for word in self.0 {
            all |= word;
        }
        all == 0
    }

    /// True if there is at most one value.
    #[inline]
    pub(crate) fn at_most_one(&self) -> bool {
        if W == 1 { self.0[0] & self.0[0].wrapping_sub(1) == 0 } else { self.count() <= 1 }
    }

    #[inline]
    pub(crate) fn count(&self) -> usize {
        let mut count = 0;
        for word in self.0 {
            count += word.count_ones() as usize;
        }
        count
    }

    /// The least value; 0 when there is none.
    #[inline]
    pub(crate) fn first(&self) -> usize {
        self.iter().next().unwrap_or(0)
    }

    #[inline]
    pub(crate) fn has(&self, value: usize) -> bool {
        self.0[(value - 1) / 64] >> ((value - 1) % 64) & 1 == 1
    }

    #[inline]
    pub(crate) fn and(mut self, other: Self) -> Self {
        for word in 0..W {
            self.0[word] &= other.0[word];
        }
        self
    }

    #[inline]
    pub(crate) fn or(mut self, other: Self) -> Self {
        for word in 0..W {
            self.0[word] |= other.0[word];
        }
        self
    }

    #[inline]
    pub(crate) fn without(mut self, other: Self) -> Self {
        for word in 0..W {
            self.0[word] &= !other.0[word];
        }
        self
    }

    /// The values, least first.
    #[inline]
    pub(crate) fn iter(self) -> SetValues<W> {
        SetValues { left: self.0, word: 0 }
    }
}

/// The values of a set, least first. Written out because it is compiled once for each width, and adapters of iterators
/// would be a hundred functions each time.
#[derive(Clone, Debug)]
pub(crate) struct SetValues<const W: usize> {
    left: [u64; W],
    word: usize,
}

impl<const W: usize> Iterator for SetValues<W> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while let Some(bits) = self.left.get_mut(self.word) {
            if *bits != 0 {
                let bit = bits.trailing_zeros() as usize;
                *bits &= *bits - 1;
                return Some(64 * self.word + bit + 1);
            }
            self.word += 1;
        }
        None
    }
}

/// The values that are in some of several sets, and those that are in two or more.
#[derive(Clone, Copy)]
pub(crate) struct Tallied<const W: usize> {
    pub(crate) once: ValueSet<W>,
    pub(crate) twice: ValueSet<W>,
}

impl<const W: usize> Tallied<W> {
    pub(crate) const NONE: Self = Self { once: ValueSet::EMPTY, twice: ValueSet::EMPTY };

    #[inline]
    pub(crate) fn add(&mut self, bits: ValueSet<W>) {
        self.twice = self.twice.or(self.once.and(bits));
        self.once = self.once.or(bits);
    }

    /// The values that are in exactly one.
    #[inline]
    pub(crate) fn only(&self) -> ValueSet<W> {
        self.once.without(self.twice)
    }
}

/// Runs `$body` with `$width` the number of words that sets of `$side` values need.
macro_rules! with_width {
    ($side:expr, $width:ident => $body:expr) => {
        match $side {
            0..=64 => {
                const $width: usize = 1;
                $body
            }
            65..=128 => {
                const $width: usize = 2;
                $body
            }
            129..=256 => {
                const $width: usize = 4;
                $body
            }
            257..=448 => {
                const $width: usize = 7;
                $body
            }
            _ => {
                const $width: usize = 21;
                $body
            }
        }
    };
}
pub(crate) use with_width;
