//! The features that several packages ask for in common: see `Cargo.toml`.
