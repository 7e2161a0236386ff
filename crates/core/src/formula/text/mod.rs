//! The text formats of a formula: DIMACS, KNF, OPB and WCNF, read and written.
//!
//! A file for each format, DIMACS with KNF. Readers take `words` with the place where each starts, and keep no line;
//! writers fill pieces of `out`. Constraints that a format cannot express are encoded when it is written.

mod dimacs;
mod opb;
mod out;
mod wcnf;
mod words;
