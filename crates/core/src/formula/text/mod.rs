//! The text formats of a formula: DIMACS, KNF, OPB and WCNF, read and written.
//!
//! A file for each format, DIMACS with KNF. Readers take words with the place where each starts, and keep no line;
//! writers fill pieces of `out`. Constraints that a format cannot express are encoded when it is written.

mod dimacs;
mod opb;
mod out;
mod wcnf;

use crate::formula::Formula;

impl Formula {
    /// The highest variable that readers take, in every format: 2²⁶. A model takes a byte for each variable below the
    /// highest, whatever the length of the text.
    pub const MOST_READ: u32 = crate::read::MOST_READ;
}
