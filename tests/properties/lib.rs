//! Tests of cnfkit on random inputs, shrunk by proptest: a package of their own, so that nobody who runs an example has
//! to build proptest. `cargo test` at the root runs them with everything else.
//!
//! `fuzz/` has what is done with any bytes, for libFuzzer (`.ci/fuzz`) and for `cargo test`.

#[cfg(feature = "model")]
#[path = "../../crates/cli/src/bytes.rs"]
#[allow(dead_code)] // the program's readers, of which this needs one function
mod bytes;
#[cfg(feature = "model")]
#[path = "fuzz/formulas.rs"]
mod formulas;
#[cfg(feature = "model")]
#[path = "../../crates/cli/src/rules.rs"]
#[allow(dead_code)] // reasons that only the program shows
mod rules;
#[cfg(feature = "model")]
#[path = "fuzz/seeds.rs"]
mod seeds;
#[cfg(feature = "model")]
#[path = "fuzz/targets.rs"]
pub mod targets;

/// The number of cases: `all` of them where `CNFKIT_EXHAUSTIVE` is set, as in `.ci/run`.
#[must_use]
pub fn cases(usual: u32, all: u32) -> u32 {
    if std::env::var_os("CNFKIT_EXHAUSTIVE").is_some() { all } else { usual }
}
