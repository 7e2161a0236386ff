//! Rows over the field of two elements, as bits: Gauss-Jordan elimination.

use crate::encode::Full;
use crate::formula::go_on::TryGoOn;

/// A sum of variables, by number, and whether it is odd.
pub(super) type Row = (Vec<u32>, bool);

/// The findings of elimination in a system.
#[derive(Debug, Default)]
pub(super) struct Eliminated {
    /// The system has no solution; nothing else is said then.
    pub(super) is_contradictory: bool,
    /// The rows, by place, that are sums of others.
    pub(super) dependent: Vec<usize>,
    /// As many rows as are left, which say the same; the first variable of each is in no other.
    pub(super) reduced: Vec<Row>,
}

/// Words of 64 bits that elimination holds at most: 128 MiB.
const MOST_WORDS: u64 = 1 << 24;

/// The words of 64 bits that elimination adds in a system at most; `None` where it would hold too many.
pub(super) fn work(rows: usize, vars: usize) -> Option<u64> {
    let words = rows as u64 * words(vars) as u64;
    Some(words.saturating_mul(2 * rows.min(vars) as u64)).filter(|_| words <= MOST_WORDS)
}

const fn words(vars: usize) -> usize {
    vars.div_ceil(64)
}

/// Eliminates in a system of `vars` variables. Of dependent rows, those that come first are left.
pub(super) fn eliminate(rows: &[Row], vars: usize, go_on: &mut TryGoOn<'_>) -> Result<Eliminated, Full> {
    let words = words(vars);
    let mut found = Eliminated::default();
    // Pivot rows, one after the other: bits, the parity and the pivot of each.
    let (mut bits, mut odds, mut pivots): (Vec<u64>, Vec<bool>, Vec<u32>) = Default::default();
    // The pivot row of a variable, from 1 on.
    let mut row_of = vec![0_u32; vars];
    let mut row = vec![0; words];
    for (at, (lits, odd)) in rows.iter().enumerate() {
        go_on()?;
        row.fill(0);
        let mut odd = *odd;
        for &var in lits {
            row[var as usize / 64] ^= 1 << (var % 64);
            if let Some(pivot) = (row_of[var as usize] as usize).checked_sub(1) {
                add(&mut row, &bits[pivot * words..][..words]);
                odd ^= odds[pivot];
            }
        }
        let Some(word) = row.iter().position(|&word| word != 0) else {
            if odd {
                return Ok(Eliminated { is_contradictory: true, ..found });
            }
            found.dependent.push(at);
            continue;
        };
        let bit = row[word].trailing_zeros();
        for (pivot_row, pivot_odd) in bits.chunks_exact_mut(words).zip(&mut odds) {
            if pivot_row[word] >> bit & 1 == 1 {
                add(pivot_row, &row);
                *pivot_odd ^= odd;
            }
        }
        bits.extend_from_slice(&row);
        odds.push(odd);
        let pivot = word as u32 * 64 + bit;
        pivots.push(pivot);
        row_of[pivot as usize] = pivots.len() as u32;
    }
    let sums = bits.chunks_exact(words.max(1)).zip(&odds).zip(&pivots);
    found.reduced = sums
        .map(|((row, &odd), &pivot)| {
            let mut lits = vec![pivot];
            lits.extend(ones(row).filter(|&var| var != pivot));
            (lits, odd)
        })
        .collect();
    Ok(found)
}

fn add(to: &mut [u64], row: &[u64]) {
    to.iter_mut().zip(row).for_each(|(to, word)| *to ^= word);
}

/// The places of all bits that are set.
fn ones(row: &[u64]) -> impl Iterator<Item = u32> {
    (0..).zip(row).flat_map(|(at, &word)| {
        let rest = |&word: &u64| Some(word & (word - 1)).filter(|&rest| rest != 0);
        std::iter::successors(Some(word).filter(|&word| word != 0), rest)
            .map(move |word| at * 64 + word.trailing_zeros())
    })
}
