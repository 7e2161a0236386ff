//! Random trials of the front door, of counters and of the encoders behind rustsat's traits, against their definitions.
//!
//! Every trial is a constraint, or a sequence of calls, drawn at random, and all assignments of its inputs. The trials
//! that `cargo test` makes are the same every time. Those that are ignored run until their time is up, with a fresh
//! seed, which they print: `cargo test --release --lib differential -- --ignored --nocapture`, where
//! `CNFKIT_FUZZ_SECONDS` is the time of each and `CNFKIT_FUZZ_SEED` repeats a run.

mod counts;
mod front_door;
mod growing;
mod weights;
