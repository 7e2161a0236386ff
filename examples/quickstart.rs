//! The ten lines of the README.

use std::io::Write;

use cnfkit::{AmoEncoding, CardEncoding, ClauseSink, Cnf, Constrain};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut cnf = Cnf::new();
    let x = cnf.new_lits(20);
    cnf.exactly_one(&x[..10], &AmoEncoding::Auto)?;
    cnf.at_most(&x, 5, &CardEncoding::Auto)?;
    cnf.when(&[x[0]]).at_least(&x[10..], 3, &CardEncoding::Auto)?;
    let model = cnf.solve()?.expect("a model");
    let chosen: Vec<_> = x.iter().filter(|&&lit| model.is_true(lit)).collect();
    writeln!(std::io::stdout(), "{} of 20 are true, in {}: {chosen:?}", chosen.len(), cnf.size())?;
    Ok(())
}
