//! Tests of cnfkit on random inputs, shrunk by proptest: a package of their own, so that nobody who runs an example has
//! to build proptest. `cargo test` at the root runs them with everything else.
