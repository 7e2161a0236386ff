//! The parts of a board by number of traps, equal ones together.

use rustc_hash::FxHashMap;

use super::lattice::{Lattice, Limit};
use super::ways::Ways;
use crate::infer::deduce::Presolved;
use cnfkit_core::internals::Clock;

/// The number of ways of each part for each number of traps.
#[derive(Clone, Debug)]
pub(crate) struct PartWays<W> {
    /// For each part, its fewest traps, and its class.
    pub(crate) each: Vec<(u32, u32)>,
    /// Ways from the fewest traps on. The first class is that of a single free cell: gem or trap, one way each.
    pub(crate) classes: Vec<Vec<W>>,
    /// The number of parts in each class; in the first, the number of cells that no number touches.
    pub(crate) counts: Vec<usize>,
    /// The cells that no number touches.
    pub(crate) free: Vec<u32>,
    /// The traps that every answer has: those known, and the fewest of each part.
    pub(crate) fewest: usize,
    /// Logarithm of what all ways are to be multiplied by.
    pub(crate) ln_scale: f64,
}

impl<W: Ways> PartWays<W> {
    /// `None` when a part has no answer.
    pub(crate) fn new(presolved: &Presolved<'_>, clock: &Clock) -> Result<Option<Self>, Limit> {
        let Presolved { base, parts } = presolved;
        let board = base.board;
        let free: Vec<u32> =
            board.unknown().filter(|&cell| board.touching(cell).is_empty()).map(|cell| cell as u32).collect();
        let mut found = Self {
            each: Vec::new(),
            classes: vec![vec![W::ONE, W::ONE]],
            counts: vec![free.len()],
            free,
            fewest: base.traps(),
            ln_scale: 0.0,
        };
        let mut known: FxHashMap<Vec<u128>, u32> = FxHashMap::default();
        let mut lattice = Lattice::<W>::new(base);
        let mut key = Vec::new();
        for (index, (cells, numbers)) in parts.iter().enumerate() {
            if index % PARTS_A_LOOK == 0 {
                clock.check()?;
            }
            lattice.build(base, cells, numbers, clock)?;
            let (low, ways, ln_scale) = lattice.ways();
            if ways.is_empty() {
                return Ok(None);
            }
            found.fewest += low as usize;
            found.ln_scale += ln_scale;
            key.clear();
            key.extend(ways.iter().map(|ways| ways.bits()));
            let class = known.get(&key).copied().unwrap_or_else(|| {
                let class = found.classes.len() as u32;
                known.insert(key.clone(), class);
                found.classes.push(ways.to_vec());
                found.counts.push(0);
                class
            });
            found.counts[class as usize] += 1;
            found.each.push((low, class));
        }
        Ok(Some(found))
    }
}

/// Parts between two looks at the clock; most take about a microsecond.
pub(crate) const PARTS_A_LOOK: usize = 64;

impl PartWays<u128> {
    /// The parts with ways in floating-point numbers, for a rough count.
    pub(crate) fn rough(&self) -> PartWays<f64> {
        PartWays {
            each: Vec::new(),
            classes: self.classes.iter().map(|ways| ways.iter().map(|&ways| ways as f64).collect()).collect(),
            counts: self.counts.clone(),
            free: Vec::new(),
            fewest: self.fewest,
            ln_scale: self.ln_scale,
        }
    }
}
