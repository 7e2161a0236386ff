//! Which encoding is best for the solver: conflicts until solved, by family of instances and encoding.
//!
//! Instances are generated from fixed seeds, and conflicts are counted, not seconds: the same table every time.

mod families;
mod measure;
mod more_families;
mod rows;
mod table;
mod weighted_rows;
mod weights;

use clap::Parser;

/// Counts the conflicts a solver needs on families of instances, for every encoding.
///
/// A row an encoding, a column a family: the geometric mean of conflicts in natural and in shuffled order, and how many
/// attempts failed (✗). All of it takes many minutes: choose with `--family`, `--only` and `--group`.
#[derive(Parser)]
struct Command {
    #[command(flatten)]
    table: table::Args,
}

fn main() {
    table::run(&Command::parse().table, &rows::rows());
}
