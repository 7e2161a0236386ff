//! Benches of cnfkit: a package of their own, so that nobody who runs an example has to build criterion. At the root:
//! `cargo bench --bench puzzles`, `--bench growth`.
