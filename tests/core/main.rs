//! Encodings, sinks, formulas and solvers through the public names of the facade, one kind of promise a file.

#[cfg(feature = "batsat")]
mod between;
mod capacity;
#[cfg(feature = "batsat")]
mod counting;
mod formats;
mod formulas;
mod front_door;
#[cfg(feature = "batsat")]
mod own_variables;
#[cfg(feature = "batsat")]
mod peers_bugs;
#[cfg(feature = "batsat")]
mod peers_weights;
#[cfg(feature = "svg")]
mod pictures;
#[cfg(all(feature = "batsat", feature = "model", feature = "sudoku", feature = "gem-hunter"))]
mod questions;
mod refusals;
mod reified;
#[cfg(feature = "batsat")]
mod shared_counters;
#[cfg(feature = "batsat")]
mod shared_sums;
mod sinks;
mod sizes;
#[cfg(feature = "any-solver")]
mod solvers;
#[cfg(feature = "batsat")]
mod substitution;
mod texts;
#[cfg(feature = "batsat")]
mod unanswered;
#[cfg(feature = "batsat")]
mod weights;

/// True if all cases are taken: where `CNFKIT_EXHAUSTIVE` is set, as in `.ci/run`.
fn is_exhaustive() -> bool {
    std::env::var_os("CNFKIT_EXHAUSTIVE").is_some()
}

/// Numbers by lot, each below the one that is asked with.
fn lot(mut state: u64) -> impl FnMut(usize) -> usize {
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    }
}
