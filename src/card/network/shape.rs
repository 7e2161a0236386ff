//! What a merge is asked for, and how many clauses the ways of doing it take.

/// The most sorted sequences that one merge takes.
pub(super) const WAYS: usize = 4;

/// The lengths of the sequences of a merge; those that are not there are 0.
pub(super) type Lens = [u32; WAYS];

/// Indices of outputs, from 1; empty when `lo > hi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Span {
    pub(super) lo: u32,
    pub(super) hi: u32,
}

impl Span {
    pub(super) const EMPTY: Self = Self { lo: 1, hi: 0 };

    pub(super) const fn new(lo: u32, hi: u32) -> Self {
        if lo > hi { Self::EMPTY } else { Self { lo, hi } }
    }

    pub(super) const fn is_empty(self) -> bool {
        self.lo > self.hi
    }

    pub(super) const fn contains(self, index: u32) -> bool {
        self.lo <= index && index <= self.hi
    }

    pub(super) const fn len(self) -> u32 {
        if self.is_empty() { 0 } else { self.hi - self.lo + 1 }
    }

    fn hull(self, other: Self) -> Self {
        match (self.is_empty(), other.is_empty()) {
            (true, _) => other,
            (_, true) => self,
            _ => Self { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) },
        }
    }

    /// The part between `lo` and `hi`.
    pub(super) fn cut(self, lo: u32, hi: u32) -> Self {
        Self::new(self.lo.max(lo), self.hi.min(hi))
    }

    /// How many indices are as even or odd as `index`.
    pub(super) const fn alike(self, index: u32) -> u32 {
        if self.is_empty() { 0 } else { (self.hi - self.lo + 2 - (self.lo + index) % 2) / 2 }
    }

    const fn down_by(self, shift: u32) -> Self {
        if self.is_empty() { self } else { Self { lo: self.lo - shift, hi: self.hi - shift } }
    }

    /// The outputs of `inner` inputs that matter to `self` when `outer` others are merged with them.
    fn cone(self, inner: u32, outer: u32) -> Self {
        if self.is_empty() { self } else { Self::new(self.lo.saturating_sub(outer).max(1), self.hi.min(inner)) }
    }
}

/// The outputs that are needed: `up` those that must become true when so many inputs are, `down` those that must become
/// false when so many inputs are not true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Demand {
    pub(super) up: Span,
    pub(super) down: Span,
}

impl Demand {
    /// Every output that gets a wire.
    pub(super) fn hull(self) -> Span {
        self.up.hull(self.down)
    }

    /// The outputs of `inner` inputs that matter to a direct merge with `outer` others.
    pub(super) fn cone(self, inner: u32, outer: u32) -> Self {
        Self { up: self.up.cone(inner, outer), down: self.down.cone(inner, outer) }
    }

    /// Needs in both directions made the same: an odd-even merge may use an output in a direction in which a direct merge
    /// would not.
    pub(super) fn levelled(self) -> Self {
        if self.up.is_empty() || self.down.is_empty() { self } else { self.filled() }
    }

    /// Needs in both directions, whichever there are.
    pub(super) fn filled(self) -> Self {
        Self { up: self.hull(), down: self.hull() }
    }
}

/// A merge up to symmetry: lengths from the longest down, without elements that cannot matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Shape {
    pub(super) lens: Lens,
    pub(super) demand: Demand,
}

/// How to get from the sequences at hand to those of a [`Shape`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Settled {
    pub(super) shape: Shape,
    /// For each sequence of the shape: which one it is, and how many elements at its start are known to be true.
    pub(super) pick: [(u8, u32); WAYS],
    /// By how much outputs moved down.
    pub(super) shift: u32,
}

impl Shape {
    /// The shape of a merge of sequences in any order.
    #[inline]
    pub(super) fn new(mut lens: Lens, mut demand: Demand) -> Self {
        trim(&mut lens, &mut demand);
        EXCHANGES.iter().for_each(|&(i, j)| (lens[i], lens[j]) = (lens[i].max(lens[j]), lens[i].min(lens[j])));
        Self { lens, demand }
    }

    /// All there is to know in two numbers, where the lengths are small enough.
    #[inline]
    pub(super) fn packed(&self) -> Option<(u64, u64)> {
        let (lens, Demand { up, down }) = (self.lens, self.demand);
        let pack = |parts: [u32; WAYS]| parts.into_iter().fold(0, |packed, part| packed << 16 | u64::from(part));
        let highest = lens[0] | up.hi | down.hi | up.lo | down.lo;
        (highest < 1 << 16).then(|| (pack(lens), pack([up.lo, up.hi, down.lo, down.hi])))
    }

    /// The same, and how to get there.
    pub(super) fn settle(mut lens: Lens, mut demand: Demand) -> Settled {
        let (drops, shift) = trim(&mut lens, &mut demand);
        let mut pick: [(u8, u32); WAYS] = std::array::from_fn(|i| (i as u8, drops[i]));
        pick.sort_by_key(|&(i, _)| std::cmp::Reverse(lens[usize::from(i)]));
        let lens = pick.map(|(i, _)| lens[usize::from(i)]);
        Settled { shape: Self { lens, demand }, pick, shift }
    }

    pub(super) fn ways(&self) -> usize {
        self.lens.iter().filter(|&&len| len > 0).count()
    }

    pub(super) fn combine(&self) -> Combine {
        Combine {
            ways: self.ways() as u32,
            odd: self.lens.iter().map(|len| len.div_ceil(2)).sum(),
            even: self.lens.iter().map(|len| len / 2).sum(),
        }
    }

    /// Clauses of the direct merge: each output from every way to share it among the sequences.
    pub(super) fn direct_clauses(&self) -> u64 {
        const MOST: u32 = 100;
        if self.ways() > 2 && self.demand.hull().hi > MOST {
            return u64::MAX; // out of the question, and out of range
        }
        let lens = &self.lens[..self.ways()];
        shares(lens, self.demand.up, 0) + shares(lens, self.demand.down, 1)
    }
}

/// Sorts four.
const EXCHANGES: [(usize, usize); 5] = [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)];

/// Drops elements past the highest output, and at the start those that count as true because outputs below the lowest
/// are not asked for. Tells how many at the start of each, and by how much outputs move down.
#[inline]
fn trim(lens: &mut Lens, demand: &mut Demand) -> (Lens, u32) {
    if shorten(lens, *demand) { (Lens::default(), 0) } else { drop_true_ones(lens, demand) }
}

/// Drops elements past the highest output; tells whether that is all there is to drop.
#[inline]
fn shorten(lens: &mut Lens, demand: Demand) -> bool {
    let Span { lo, hi } = demand.hull();
    *lens = lens.map(|len| len.min(hi));
    let total: u32 = lens.iter().sum();
    // The longest sequence loses most.
    let longest = lens[0].max(lens[1]).max(lens[2].max(lens[3]));
    lo + longest <= total + 1
}

#[cold]
fn drop_true_ones(lens: &mut Lens, demand: &mut Demand) -> (Lens, u32) {
    let mut drops = [0; WAYS];
    let mut shift = 0;
    while !shorten(lens, *demand) {
        let total: u32 = lens.iter().sum();
        let mut dropped = 0;
        for (len, drop) in lens.iter_mut().zip(&mut drops) {
            let true_ones = (demand.hull().lo - 1).saturating_sub(total - *len);
            *len -= true_ones;
            *drop += true_ones;
            dropped += true_ones;
        }
        shift += dropped;
        *demand = Demand { up: demand.up.down_by(dropped), down: demand.down.down_by(dropped) };
    }
    (drops, shift)
}

/// How many ways there are to take a number of elements, in `span` less `fewer`, from sequences of lengths `lens`.
pub(super) fn shares(lens: &[u32], span: Span, fewer: u32) -> u64 {
    if span.is_empty() {
        return 0;
    }
    let [lo, hi] = [span.lo, span.hi].map(|end| i64::from(end) - i64::from(fewer));
    let count = match *lens {
        [a] => upto([a], hi) - upto([a], lo - 1),
        [a, b] => upto([a, b], hi) - upto([a, b], lo - 1),
        [a, b, c] => upto([a, b, c], hi) - upto([a, b, c], lo - 1),
        [a, b, c, d] => upto([a, b, c, d], hi) - upto([a, b, c, d], lo - 1),
        _ => i64::from(lo <= 0 && hi >= 0),
    };
    count.cast_unsigned()
}

/// How many ways there are to take at most `most`: inclusion and exclusion over the sequences that are asked for more than
/// they have.
fn upto<const WAYS: usize>(lens: [u32; WAYS], most: i64) -> i64 {
    if most <= 0 {
        return i64::from(most == 0);
    }
    let mut count = 0;
    for asked in 0_usize..1 << WAYS {
        let left =
            (0..WAYS).fold(most, |left, i| if asked >> i & 1 == 1 { left - i64::from(lens[i]) - 1 } else { left });
        if left >= 0 {
            let ways = simplex::<WAYS>(left);
            count += if asked.count_ones() % 2 == 0 { ways } else { -ways };
        }
    }
    count
}

/// How many tuples of natural numbers have a sum of at most `most`, which is not negative.
fn simplex<const WAYS: usize>(most: i64) -> i64 {
    let pairs = (most + 1) * (most + 2) / 2;
    match WAYS {
        1 => most + 1,
        2 => pairs,
        3 => pairs * (most + 3) / 3,
        _ => pairs * (most + 3) / 3 * (most + 4) / 4,
    }
}

/// The last step of an odd-even merge of `ways` sequences: `odd` counts the true elements at odd places and `even` those at
/// even places, and odd − even is between 0 and `ways`.
///
/// Output l is true when odd ≥ i and even ≥ j for some i + j = l with 0 ≤ i − j ≤ `ways`. At either end of that range
/// one of the two implies the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Combine {
    pub(super) ways: u32,
    /// The lengths of the two sorted sequences.
    pub(super) odd: u32,
    pub(super) even: u32,
}

/// What an output of a [`Combine`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Output {
    Odd(u32),
    Even(u32),
    /// Both of these, and nothing else makes it true.
    Both(u32, u32),
    /// Several things make it true.
    Many,
}

impl Combine {
    /// The lowest and the highest difference i − j for `sum` = i + j; all of the same parity.
    #[inline]
    pub(super) fn differences(&self, sum: u32) -> (u32, u32) {
        let least = sum.saturating_sub(2 * self.even);
        let most = self.ways.min(sum).min(2 * self.odd - sum);
        (least + (least + sum) % 2, most - (most + sum) % 2)
    }

    /// The part of `span` in which only the parity of an output matters.
    pub(super) fn middle(&self, span: Span) -> Span {
        span.cut(self.ways + 1, (2 * self.even).min((2 * self.odd).saturating_sub(self.ways)))
    }

    #[inline]
    pub(super) fn output(&self, index: u32) -> Output {
        self.output_and_causes(index).0
    }

    /// What output `index` is, and in how many ways it becomes true, the next one false.
    #[inline]
    pub(super) fn output_and_causes(&self, index: u32) -> (Output, u32) {
        let (least, most) = self.differences(index);
        let (i, j) = (u32::midpoint(index, most), (index - most) / 2);
        let output = match most {
            _ if least != most => Output::Many,
            0 => Output::Even(j),
            _ if most == self.ways || j == 0 => Output::Odd(i),
            _ => Output::Both(i, j),
        };
        (output, (most - least) / 2 + 1)
    }

    /// The clauses that make output `index` true: which of odd and even must be true together; 0 for none.
    #[inline]
    pub(super) fn up(&self, index: u32) -> impl Iterator<Item = (u32, u32)> + use<> {
        let (least, most) = self.differences(index);
        let ways = self.ways;
        (least / 2..=most / 2).map(move |half| {
            let difference = 2 * half + least % 2;
            let (i, j) = (u32::midpoint(index, difference), (index - difference) / 2);
            (if difference == 0 { 0 } else { i }, if difference == ways { 0 } else { j })
        })
    }

    /// The clauses that make output `index` false: which of odd and even must be false together; 0 for none.
    #[inline]
    pub(super) fn down(&self, index: u32) -> impl Iterator<Item = (u32, u32)> + use<> {
        let (least, most) = self.differences(index - 1);
        let Self { ways, odd, even } = *self;
        (least / 2..=most / 2).map(move |half| {
            let difference = 2 * half + least % 2;
            let (i, j) = (u32::midpoint(index - 1, difference) + 1, (index - 1 - difference) / 2 + 1);
            (if difference == ways || i > odd { 0 } else { i }, if difference == 0 || j > even { 0 } else { j })
        })
    }

    /// What the last step needs of odd and of even.
    pub(super) fn demands(&self, demand: Demand) -> (Demand, Demand) {
        let mut odd = Demand { up: Span::EMPTY, down: Span::EMPTY };
        let mut even = odd;
        for index in ends(demand.up) {
            // At either end of the differences one side goes without saying: [`Self::up`].
            let (least, most) = self.differences(index);
            let (first, last) = (if least == 0 { 2 } else { least }, if most == self.ways { most - 2 } else { most });
            odd.up = odd.up.hull(Span::new(u32::midpoint(index, first), u32::midpoint(index, most)));
            even.up = even.up.hull(Span::new(((index - last) / 2).max(1), (index - least) / 2));
        }
        for index in ends(demand.down) {
            // [`Self::down`].
            let (least, most) = self.differences(index - 1);
            let (first, last) = (if least == 0 { 2 } else { least }, if most == self.ways { most - 2 } else { most });
            let most_odd = (u32::midpoint(index - 1, last) + 1).min(self.odd);
            odd.down = odd.down.hull(Span::new(u32::midpoint(index - 1, least) + 1, most_odd));
            if first <= most {
                let most_even = ((index - 1 - first) / 2 + 1).min(self.even);
                even.down = even.down.hull(Span::new((index - 1 - most) / 2 + 1, most_even));
            }
        }
        (odd, even)
    }
}

/// The first two indices and the last two: the extremes of what they need are the extremes of what all need.
fn ends(Span { lo, hi }: Span) -> impl Iterator<Item = u32> {
    let ends = if lo > hi { [0; 4] } else { [lo, hi, (lo + 1).min(hi), (hi - 1).max(lo)] };
    ends.into_iter().take(if lo > hi { 0 } else { 4.min((hi - lo + 1) as usize) })
}
