//! An encoding of one's own, at most one and at most k on one type, beside those of the library.
//!
//! ```text
//! cargo run --example own_encoding -- 20 4                # sizes of at most 4 of 20
//! ```
//!
//! At most one is a clause for each pair; at most k counts from left to right, in a row of registers (Sinz, CP 2005).
//! `CONTRIBUTING.md` has the rules that an encoding keeps to, and the feature `testing` the tests of all of them.

#[macro_use]
#[path = "common/say.rs"]
mod say;

use std::process::ExitCode;

use clap::Parser;
use cnfkit::encode::{ByRelation, Full, Writer};
use cnfkit::{CapacityError, CardEncoding, ClauseSink, Cnf, Constrain, Lit, Relation, Size};

/// Prints the size of at most K of N by an encoding of its own and by those of the library.
#[derive(Parser)]
#[command(after_help = "Exit codes:\n  0  done\n  2  wrong arguments, or a formula that is too large")]
struct Args {
    /// The number of literals
    #[arg(value_parser = clap::value_parser!(u32).range(1..=10_000))]
    n: u32,
    /// The bound
    #[arg(value_parser = clap::value_parser!(u32).range(0..=10_000))]
    k: u32,
}

/// At most, at least and exactly k, and at most one in a way of its own.
#[derive(Clone, Copy, Debug, Default)]
struct Row;

impl ByRelation for Row {
    fn encode(&self, to: &mut Writer<'_>, x: &[Lit], relation: Relation) -> Result<(), Full> {
        let Relation::AtMost(k) = relation else { return relation.by_at_most(self, to, x) };
        let n = x.len();
        if k == 1 {
            return (0..n).try_for_each(|i| (0..i).try_for_each(|j| to.clause(&[!x[i], !x[j]])));
        }
        // s[i * k + j]: more than j of the first i + 1 literals are true.
        let s = to.lits((n - 1) * k);
        for i in 0..n - 1 {
            to.define(&[!x[i], s[i * k]])?;
            for j in 0..if i == 0 { 0 } else { k } {
                to.define(&[!s[(i - 1) * k + j], s[i * k + j]])?;
                if j > 0 {
                    to.define(&[!x[i], !s[(i - 1) * k + j - 1], s[i * k + j]])?;
                }
            }
            to.clause(&[!x[i + 1], !s[i * k + k - 1]])?;
        }
        Ok(())
    }

    /// Exact: builds with debug assertions compare it with what comes.
    fn size(&self, n: usize, relation: Relation) -> Size {
        let Relation::AtMost(k) = relation else { return relation.size_by_at_most(self, n) };
        let (n, k) = (n as u64, k as u64);
        if k == 1 {
            return Size::clauses(n * (n - 1) / 2, 2);
        }
        let pairs = Size::clauses(2 * (n - 1) + (n - 2) * k, 2);
        Size::variables((n - 1) * k) + pairs + Size::clauses((n - 2) * (k - 1), 3)
    }
}

fn main() -> ExitCode {
    let Args { n, k } = Args::parse();
    match table(n as usize, k as usize) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn table(n: usize, k: usize) -> Result<(), CapacityError> {
    let mut own = Cnf::new();
    let x = own.new_lits(n);
    own.at_most(&x, k, &Row)?; // one call, as for those of the library
    say!("{:>20} {:>11} {:>9}", "", "auxiliaries", "clauses");
    say!("{:>20} {:>11} {:>9}", "row", own.n_vars() - n, own.n_clauses());
    for enc in CardEncoding::ALL {
        let mut cnf = Cnf::new();
        let x = cnf.new_lits(n);
        match cnf.at_most(&x, k, enc) {
            Ok(()) => say!("{:>20} {:>11} {:>9}", enc.to_string(), cnf.n_vars() - n, cnf.n_clauses()),
            Err(_) => say!("{:>20} {:>11} {:>9}", enc.to_string(), "-", "too large"),
        }
    }
    Ok(())
}
