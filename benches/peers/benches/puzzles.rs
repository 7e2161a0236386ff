//! The command `puzzles` as a bench: `cargo bench -p cnfkit-peers --bench puzzles -- --list side25 --seconds 5`.

#[path = "../src/puzzles.rs"]
mod puzzles;

use clap::Parser;

/// Sudokus by cnfkit and by other libraries, one thread.
#[derive(Parser)]
struct Bench {
    #[command(flatten)]
    args: puzzles::Args,
    /// The argument that cargo gives to every bench.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() {
    puzzles::run(&Bench::parse().args);
}
