//! An encoding of one's own beside those of the library: at most k by a row of registers.
//!
//! `cargo run --example own_encoding`. `CONTRIBUTING.md` has the rules that an encoding keeps to, and the feature
//! `testing` the tests that all of them pass.

use std::error::Error;
use std::io::{self, Write};

use cnfkit::encode::{ByRelation, Full, Writer};
use cnfkit::{AtMostK, CardEncoding, ClauseSink, Cnf, Constrain, Lit, Relation, Size};

/// Counts from left to right (C. Sinz, *Towards an optimal CNF encoding of Boolean cardinality constraints*, CP 2005).
#[derive(Clone, Copy, Debug)]
struct Row;

impl ByRelation for Row {
    fn encode(&self, to: &mut Writer<'_>, x: &[Lit], relation: Relation) -> Result<(), Full> {
        // At least k is at most n − k of the negations, exactly k is both.
        let Relation::AtMost(k) = relation else { return relation.by_at_most(self, to, x) };
        // more[i * k + j]: more than j of the first i + 1 literals are true.
        let more = to.lits((x.len() - 1) * k);
        for i in 0..x.len() - 1 {
            to.define(&[!x[i], more[i * k]])?;
            for j in 0..if i == 0 { 0 } else { k } {
                let before = (i - 1) * k + j;
                to.define(&[!more[before], more[i * k + j]])?;
                if j > 0 {
                    to.define(&[!x[i], !more[before - 1], more[i * k + j]])?;
                }
            }
            to.clause(&[!x[i + 1], !more[i * k + k - 1]])?;
        }
        Ok(())
    }

    /// Exact: builds with debug assertions compare it with the clauses.
    fn size(&self, n: usize, relation: Relation) -> Size {
        let Relation::AtMost(k) = relation else { return relation.size_by_at_most(self, n) };
        let (n, k) = (n as u64, k as u64);
        let pairs = Size::clauses(2 * (n - 1) + (n - 2) * k, 2);
        Size::variables((n - 1) * k) + pairs + Size::clauses((n - 2) * (k - 1), 3)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut cnf = Cnf::new();
    let x = cnf.new_lits(20);
    cnf.at_most(&x, 4, &Row)?; // as an encoding of the library
    writeln!(io::stdout(), "row: {} auxiliaries, {} clauses", cnf.n_vars() - 20, cnf.n_clauses())?;
    for enc in [CardEncoding::Sequential, CardEncoding::Smallest] {
        let size = enc.amk_size(20, 4);
        writeln!(io::stdout(), "{enc}: {} auxiliaries, {} clauses", size.vars, size.clauses)?;
    }
    Ok(())
}
