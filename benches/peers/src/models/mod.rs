//! Models of integer variables: against the same problems written by hand as literals, against pindakaas' integers, and
//! at a million variables.

#[path = "../../../../examples/model/main.rs"]
#[allow(dead_code, clippy::many_single_char_names)] // what prints answers; letters that are digits
mod examples;
mod hand;
mod integers;
mod large;
#[path = "../../../../tests/model/lawrence.rs"]
mod lawrence;
mod optima;
mod problems;
mod published;
mod scale;
mod session;

use std::path::PathBuf;

use clap::Subcommand;
use examples::job_shop;
use lawrence::LAWRENCE;

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
        /// The number of puzzles of each list in the folder `$CNFKIT_DATA/sudoku`.
        #[arg(long, default_value_t = 40)]
        puzzles: usize,
    },
    /// Linear sums, comparisons and all-different on integers of a model, and on pindakaas' integers.
    Integers {
        /// Only constraints whose name contains this.
        #[arg(default_value = "")]
        only: String,
        /// Runs of each; the fastest counts.
        #[arg(long, default_value_t = 5)]
        runs: u32,
    },
    /// Optima by each strategy: job shops, knapsacks, round trips.
    Optima {
        /// Only families whose name contains this.
        #[arg(default_value = "")]
        only: String,
        /// Seconds for each problem.
        #[arg(long, default_value_t = 60)]
        limit: u64,
    },
    /// Models that are large in one way: sums, objectives, circuits, counts.
    Scale {
        /// Only models whose name contains this.
        #[arg(default_value = "")]
        only: String,
        /// Seconds for each model.
        #[arg(long, default_value_t = 20)]
        limit: u64,
    },
    /// The model's own session against plain BatSat, on the same clauses: conflicts and time.
    Session {
        /// Only models whose name contains this.
        #[arg(default_value = "")]
        only: String,
        /// Seconds for each answer.
        #[arg(long, default_value_t = 20)]
        limit: u64,
    },
    /// Hitori or Slitherlink from a file of the repository SmilingWayne/puzzlekit-dataset: is the solution unique?
    Published {
        /// Such as `assets/data/Hitori/Hitori_dataset.json`.
        file: PathBuf,
        /// Only puzzles whose name contains this, such as 17x17.
        #[arg(default_value = "")]
        only: String,
        /// Seconds for each puzzle.
        #[arg(long, default_value_t = 15)]
        limit: u64,
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
        Args::Integers { only, runs } => integers::run(only, *runs),
        Args::Optima { only, limit } => optima::run(only, *limit),
        Args::Scale { only, limit } => scale::run(only, *limit),
        Args::Session { only, limit } => session::run(only, *limit),
        Args::Published { file, only, limit } => published::run(file, only, *limit),
        Args::Large { n } => large::run(*n),
    }
}

/// `SplitMix64` (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((u128::from(mixed ^ (mixed >> 31)) * n as u128) >> 64).expect("below n")
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
