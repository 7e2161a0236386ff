//! Sums of weights: variables and clauses, speed, and choosing, of every library in one run.

mod encoders;
mod shapes;
mod sizes;
mod times;

/// The encoders of other libraries, for conflicts too.
pub use encoders::{PEERS, peers_clauses};
pub use sizes::short as short_sizes;

/// The measurements.
#[derive(clap::Subcommand)]
pub enum Args {
    /// Variables and clauses of every encoder on the same shapes.
    Sizes {
        /// Only shapes whose name contains this.
        #[arg(default_value = "")]
        only: String,
        /// Shapes that nothing was tuned on.
        #[arg(long)]
        held_out: bool,
    },
    /// Encoding speed: nanoseconds a clause, allocations, and the ratio to a plain loop that writes the same literals.
    Encode {
        /// Runs of each; the fastest counts.
        #[arg(long, default_value_t = 7)]
        runs: u32,
        /// Only sums whose name contains this.
        #[arg(default_value = "")]
        only: String,
    },
    /// The cost of choosing an encoding, against encoding.
    Choose {
        /// Runs of each; the fastest counts.
        #[arg(long, default_value_t = 7)]
        runs: u32,
    },
    /// Time and heap of every encoding of ours for one long sum of great weights.
    Many {
        /// The number of terms.
        #[arg(default_value_t = 100_000)]
        terms: usize,
        /// The largest weight.
        #[arg(default_value_t = 1_000_000_000)]
        heaviest: u64,
    },
}

pub fn run(args: &Args) {
    match args {
        Args::Sizes { only, held_out } => sizes::run(only, *held_out),
        Args::Encode { runs, only } => print!("{}", times::table(*runs, only)),
        Args::Choose { runs } => times::choose(*runs),
        Args::Many { terms, heaviest } => times::many(*terms, *heaviest),
    }
}
