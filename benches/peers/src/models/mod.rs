//! Models of integer variables: against the same problems written by hand as literals, against pindakaas' integers, and
//! at a million variables.

mod hand;
mod integers;
mod large;
mod problems;

use std::path::PathBuf;

use clap::Subcommand;

#[derive(Subcommand)]
pub enum Args {
    /// The formula of a model against one written by hand on `Constrain`: size, conflicts and time.
    Hand {
        /// Only families whose name contains this.
        #[arg(default_value = "")]
        only: String,
        /// Runs of each; the fastest counts.
        #[arg(long, default_value_t = 3)]
        runs: u32,
        /// So many puzzles of each list in the folder `$CNFKIT_DATA/sudoku`.
        #[arg(long, default_value_t = 40)]
        puzzles: usize,
    },
    /// Linear sums, comparisons and all-different on integers of a model, and on pindakaas' integers.
    Integers {
        /// Runs of each; the fastest counts.
        #[arg(long, default_value_t = 5)]
        runs: u32,
    },
    /// A million variables of ten values and a million `≠` between them.
    Large {
        /// Variables, and constraints.
        #[arg(default_value_t = 1_000_000)]
        n: usize,
    },
}

pub fn run(args: &Args) {
    match args {
        Args::Hand { only, runs, puzzles } => {
            let data = std::env::var_os("CNFKIT_DATA").map(PathBuf::from);
            hand::run(only, *runs, data.as_deref(), *puzzles);
        }
        Args::Integers { runs } => integers::run(*runs),
        Args::Large { n } => large::run(*n),
    }
}
