//! Which encoding is best for the solver: conflicts until solved, by family of instances and encoding.
//!
//! Instances are generated from fixed seeds, and conflicts are counted, not seconds: the same table every time.

#[path = "../../../examples/common/watch.rs"]
#[allow(dead_code)] // a table is printed as it is measured: what is stopped just ends
mod watch;

mod families;
mod measure;
mod more_families;
mod rows;
mod table;
mod weighted_rows;
mod weights;

use std::process::ExitCode;

use clap::Parser;
use watch::Watch;

/// Counts the conflicts a solver needs on families of instances, for every encoding.
///
/// A row an encoding, a column a family: the geometric mean of conflicts in natural and in shuffled order, and how many
/// attempts failed (✗). All of it takes many minutes: choose with `--family`, `--only` and `--group`.
#[derive(Parser)]
#[command(after_help = "\
Exit codes:
  0  the tables were printed
  2  wrong arguments, the time limit, Ctrl-C, or output that cannot be written")]
struct Command {
    #[command(flatten)]
    table: table::Args,
    /// Give up after this many seconds; what was measured by then is printed.
    #[arg(long, value_name = "SECONDS")]
    time_limit: Option<f64>,
}

fn main() -> ExitCode {
    let args = Command::parse();
    let watch = match Watch::new(args.time_limit) {
        Ok(watch) => watch,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    watch.run("measuring every encoding on every family", || table::run(&args.table, &rows::rows()));
    ExitCode::SUCCESS
}
