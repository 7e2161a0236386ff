//! The chance of a trap in each cell, from ways in floating-point numbers.

use super::lattice::Limit;
use super::parts::PartWays;
use super::sums::{PartSum, power};
use super::total::CountedBoard;
use super::totals::Totals;
use super::ways::Ways;
use super::weights::{self, Weights};
use crate::board::GemBoard;
use crate::error::GemError;
use crate::infer::deduce::{CellKnowledge, Presolved};
use cnfkit_core::internals::Clock;

/// The chance of a trap in each cell that was unknown, and the logarithm of how many answers there are; `None` if there
/// is none. Without a total every answer counts.
pub(crate) fn chances(
    board: &GemBoard,
    total: Option<usize>,
    clock: &Clock,
    mut chance: impl FnMut(u32, f64),
) -> Result<Option<f64>, GemError> {
    clock.check()?;
    let Ok(presolved) = Presolved::new(board) else { return Ok(None) };
    let entangled = |limit: Limit| limit.error(board);
    let Some(parts) = PartWays::<f64>::new(&presolved, clock).map_err(entangled)? else { return Ok(None) };
    let totals = Totals::new(&parts);
    let mut left = 0;
    let tilted = match total {
        None => without_total(&parts),
        Some(total) => {
            let Some(of_total) = totals.left(total) else { return Ok(None) };
            left = of_total;
            with_total(&parts, left).ok_or(GemError::Imprecise)?
        }
    };
    for cell in board.unknown().map(|cell| cell as u32) {
        match presolved.base.known(cell) {
            CellKnowledge::Nothing => {}
            known => chance(cell, if known == CellKnowledge::Trap { 1.0 } else { 0.0 }),
        }
    }
    let free = &tilted.rests[0];
    parts.free.iter().for_each(|&cell| chance(cell, free[1] / (free[0] + free[1])));
    let counted = CountedBoard { presolved, parts, totals, left };
    let revisited = counted.revisit(clock, |_, lattice, (_, class)| {
        lattice.marginals(&tilted.rests[class as usize], |cells, weights| {
            let all: f64 = weights.iter().sum();
            let traps: f64 = weights.iter().enumerate().map(|(traps, weight)| traps as f64 * weight).sum();
            let of_each = traps / (all * cells.len() as f64);
            cells.iter().for_each(|&cell| chance(cell, of_each.min(1.0)));
        });
    });
    revisited.map_err(entangled)?;
    Ok(Some(tilted.ln_count))
}

/// The weights that a total leaves to the ways of each part.
#[derive(Clone, Debug)]
struct Tilted {
    /// For each class of parts, what a way weighs by its traps beyond the fewest; a factor in common aside.
    rests: Vec<Vec<f64>>,
    /// The logarithm of the number of answers.
    ln_count: f64,
}

/// The weights when every answer counts, whatever its total.
fn without_total(parts: &PartWays<f64>) -> Tilted {
    let ln_counts =
        parts.classes.iter().zip(&parts.counts).map(|(ways, &count)| count as f64 * ways.iter().sum::<f64>().ln());
    Tilted {
        rests: parts.classes.iter().map(|ways| vec![1.0; ways.len()]).collect(),
        ln_count: ln_counts.sum::<f64>() + parts.ln_scale,
    }
}

/// The weights when only those answers count in which the parts have `left` traps beyond the fewest; there must be one.
/// `None` when the total is so unlikely that it cannot be weighed.
fn with_total(parts: &PartWays<f64>, left: usize) -> Option<Tilted> {
    let (ln_count, ln_tilt, ones, tree) = weights::with_total(parts, left)?;
    let of_one = |((rest, one), &count): ((&Weights, &Weights), &usize)| {
        let rest = if count > 1 { rest.minus(&power(one, count - 1), one) } else { rest.clone() };
        // Tilted as the ways are: then the lattice may have them as they are.
        let ln_rests: Vec<f64> = (0..one.weights.len()).map(|at| rest.get(at).ln() + at as f64 * ln_tilt).collect();
        let most = ln_rests.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        ln_rests.into_iter().map(|ln_rest| (ln_rest - most).exp()).collect()
    };
    let rests = tree.rests(Weights { low: left, weights: vec![1.0] });
    Some(Tilted { rests: rests.iter().zip(&ones).zip(&parts.counts).map(of_one).collect(), ln_count })
}

/// Above this, all are divided by it. Its square is still a number.
const LARGE: f64 = 1e100;

impl Ways for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;

    #[inline]
    fn choose(n: u32, k: u32) -> Self {
        const TABLE: [[f64; 9]; 9] = table();
        if n < 9 {
            return TABLE[n as usize][k as usize];
        }
        (0..k.min(n - k)).fold(1.0, |ways, at| ways * f64::from(n - at) / f64::from(at + 1))
    }

    #[inline]
    fn add_product(&mut self, a: Self, b: Self) {
        *self += a * b;
    }

    fn bits(self) -> u128 {
        self.to_bits().into()
    }

    fn keep_in_range(all: &mut [Self]) -> f64 {
        if all.iter().all(|&ways| ways < LARGE) {
            return 0.0;
        }
        for ways in all.iter_mut().filter(|ways| **ways > 0.0) {
            *ways = (*ways / LARGE).max(Self::MIN_POSITIVE);
        }
        LARGE.ln()
    }
}

const fn table() -> [[f64; 9]; 9] {
    let mut table = [[0.0; 9]; 9];
    let mut n = 0;
    while n < 9 {
        table[n][0] = 1.0;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
}
