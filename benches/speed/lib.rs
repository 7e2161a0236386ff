//! Benches of cnfkit: a package of their own, so that nobody who runs an example has to build criterion. At the root,
//! `cargo bench` runs `encodings` and `sudoku`; `--bench gem_hunter`, `growth`, `formats` and `order` run by name.

use std::time::Instant;

#[cfg(feature = "sudoku")]
use cnfkit::{Grid, Layout};

/// Seconds of CPU time that this process has taken, in hundredths, where the system tells (Linux); seconds by the clock
/// otherwise.
#[must_use]
pub fn seconds(start: Instant) -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program, in brackets, may hold spaces; user and system time are the 12th and 13th fields after
    // it.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks: Vec<f64> = fields.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse().ok()).collect();
    if ticks.len() == 2 { (ticks[0] + ticks[1]) / 100.0 } else { start.elapsed().as_secs_f64() }
}

/// A grid with a solution, four cells of ten empty.
///
/// # Panics
/// When `side` is not the side of a [`Layout`].
#[cfg(feature = "sudoku")]
#[must_use]
pub fn mostly_filled(side: usize) -> Grid {
    let step = side.isqrt();
    let mut state = 1_u64;
    let cells: Vec<u16> = (0..side * side)
        .map(|cell| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (row, col) = (cell / side, cell % side);
            let value = (row % step * step + row / step + col) % side + 1;
            if (state >> 33) % 10 < 4 { 0 } else { value as u16 }
        })
        .collect();
    Grid::new(Layout::for_side(side), cells).expect("side² cells")
}
