//! Which encoding is best for the solver: conflicts until solved, by family of instances and encoding.
//!
//! Instances are generated from fixed seeds, and conflicts are counted, not seconds: the same table every time.

mod families;
mod measure;
mod rows;
mod table;

use clap::Parser;

fn main() {
    table::run(&table::Args::parse(), &rows::rows());
}
