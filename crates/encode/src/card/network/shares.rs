//! The number of clauses of a direct merge: one for every way to share an output among the sequences, counted in closed
//! form.

use super::demand::Span;

/// The number of ways to take a number of elements from the starts of up to four sequences of lengths `lens`, summed
/// over the numbers in `span` less `fewer`.
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

/// The number of ways to take at most `most`: inclusion and exclusion over the sequences that are asked for more than
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

/// The number of tuples of natural numbers with a sum of at most `most`, which is not negative.
fn simplex<const WAYS: usize>(most: i64) -> i64 {
    let pairs = (most + 1) * (most + 2) / 2;
    match WAYS {
        1 => most + 1,
        2 => pairs,
        3 => pairs * (most + 3) / 3,
        _ => pairs * (most + 3) / 3 * (most + 4) / 4,
    }
}
