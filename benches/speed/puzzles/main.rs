//! The puzzles, one thread.
//!
//! ```text
//! cargo bench --bench puzzles                           # all; a name selects: -- certain/200
//! CNFKIT_DATA=data cargo bench --bench puzzles          # with the lists and boards of a data folder
//! cargo run --release -p cnfkit-peers -- puzzles        # beside other libraries
//! ```

mod gem_hunter;
mod sudoku;

use criterion::{criterion_group, criterion_main};

criterion_group!(on_sudoku, sudoku::speed);
criterion_group!(
    on_gem_hunter,
    gem_hunter::encode,
    gem_hunter::solve,
    gem_hunter::certain,
    gem_hunter::course,
    gem_hunter::data
);
criterion_main!(on_sudoku, on_gem_hunter);
