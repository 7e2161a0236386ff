//! Other libraries on the same work as cnfkit, in one run: only the ratios mean anything on a shared machine.
//!
//! ```text
//! cargo run --release -p cnfkit-peers -- baseline  # rewrites tables of benches/BASELINE.md
//! cargo run --release -p cnfkit-peers -- encode    # nanoseconds a clause, against a plain loop
//! cargo run --release -p cnfkit-peers -- choose    # choosing and planning, against encoding
//! cargo run --release -p cnfkit-peers -- sizes     # variables and clauses of every encoder
//! cargo run --release -p cnfkit-peers -- weights sizes    # the same of sums of weights; also speed and choose
//! cargo run --release -p cnfkit-peers -- quality   # conflicts until solved, with `--features cadical` CaDiCaL's too
//! cargo run --release -p cnfkit-peers -- growth    # how time grows with the work, for each verb and reader
//! cargo run --release -p cnfkit-peers -- growing   # at most one of literals that come one by one
//! cargo run --release -p cnfkit-peers -- totals    # Gem Hunter: totals of traps, and chances
//! CNFKIT_DATA=... cargo run --release -p cnfkit-peers -- models hand    # also integers, large, scale, published
//! CNFKIT_DATA=... cargo run --release -p cnfkit-peers -- puzzles    # a second; --list side25 --seconds 5 and so on
//! ```

mod baseline;
mod choose;
mod encode;
mod encoders;
mod growing;
mod growth;
mod models;
mod puzzles;
mod quality;
mod sizes;
mod totals;
mod weights;

use clap::Parser;

/// Other libraries on the same work as cnfkit.
#[derive(Parser)]
enum Command {
    /// Rewrites the tables of sizes in benches/BASELINE.md.
    Baseline {
        /// Also those of times: of writing and of choosing, as the fastest of this many runs.
        #[arg(long, value_name = "RUNS")]
        times: Option<u32>,
    },
    /// Encoding speed: nanoseconds a clause, allocations, and the ratio to a plain loop that writes the same literals.
    Encode {
        /// Runs of each; the fastest counts.
        #[arg(long, default_value_t = 7)]
        runs: u32,
        /// Only jobs whose name contains this.
        #[arg(default_value = "")]
        only: String,
    },
    /// The cost of choosing an encoding and planning it, against encoding.
    Choose {
        /// Runs of each; the fastest counts.
        #[arg(long, default_value_t = 7)]
        runs: u32,
    },
    /// At most one of literals that come one by one.
    Growing {
        /// Literals.
        #[arg(default_value_t = 6_649)]
        n: usize,
        /// A solver is asked after so many of them.
        #[arg(long, default_value_t = 50)]
        every: usize,
    },
    /// How CPU time grows with the work, as exponents over three decades, for each public verb and each reader.
    Growth {
        /// Only verbs whose name contains this.
        #[arg(default_value = "")]
        only: String,
        /// The largest size.
        #[arg(long, default_value_t = 1_000_000)]
        largest: usize,
    },
    /// Variables and clauses of every encoder on the same constraints.
    Sizes,
    /// Sums of weights: sizes, speed and choosing.
    #[command(subcommand)]
    Weights(weights::Args),
    /// Conflicts until solved, by family of instances and encoding.
    Quality(quality::Args),
    /// Models: against literals by hand, against pindakaas' integers, and large.
    #[command(subcommand)]
    Models(models::Args),
    /// Gem Hunter: questions with a total of traps, and chances.
    Totals(totals::Args),
    /// Sudoku: puzzles a second on lists of 9x9, beside other libraries; milliseconds a puzzle on larger sides.
    Puzzles(puzzles::Args),
}

fn main() {
    match Command::parse() {
        Command::Baseline { times } => baseline::run(times),
        Command::Encode { runs, only } => print!("{}", encode::table(runs, &only)),
        Command::Choose { runs } => print!("{}", choose::table(runs, |_| true)),
        Command::Growing { n, every } => growing::run(n, every),
        Command::Growth { only, largest } => growth::run(&only, largest),
        Command::Sizes => sizes::run(),
        Command::Weights(args) => weights::run(&args),
        Command::Quality(args) => quality::run(&args),
        Command::Models(args) => models::run(&args),
        Command::Totals(args) => totals::run(&args),
        Command::Puzzles(args) => puzzles::run(&args),
    }
}
