//! The last step of an odd-even merge: from the two counts, of true elements at odd and at even places, to the outputs.

use super::demand::{Demand, Span};

/// The last step of an odd-even merge of `ways` sequences: `odd` counts the true elements at odd places and `even`
/// those at even places, and odd − even is between 0 and `ways`.
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

/// An output of a [`Combine`], by its causes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CombineOutput {
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
    pub(super) fn output(&self, index: u32) -> CombineOutput {
        self.output_and_causes(index).0
    }

    /// Output `index`, the number of ways in which it becomes true, and in which the next one becomes false.
    #[inline]
    pub(super) fn output_and_causes(&self, index: u32) -> (CombineOutput, u32) {
        let (least, most) = self.differences(index);
        let (i, j) = (u32::midpoint(index, most), (index - most) / 2);
        let output = match most {
            _ if least != most => CombineOutput::Many,
            0 => CombineOutput::Even(j),
            _ if most == self.ways || j == 0 => CombineOutput::Odd(i),
            _ => CombineOutput::Both(i, j),
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

    /// The demands of the last step on odd and on even.
    pub(super) fn demands(&self, demand: Demand) -> (Demand, Demand) {
        let mut odd = Demand::NONE;
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
