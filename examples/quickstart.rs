//! The ten lines of the front page and of the README.

use std::io::Write;

use cnfkit::{AmoEncoding, CardEncoding, ClauseSink, Constrain, Formula};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut formula = Formula::new();
    let x = formula.new_lits(20);
    formula.exactly_one(&x[..10], AmoEncoding::Auto)?;
    formula.at_most(&x, 5, CardEncoding::Auto)?;
    formula.when(x[0]).at_least(&x[10..], 3, CardEncoding::Auto)?; // only if x[0] is true
    let model = formula.solve()?.expect("a model");
    let chosen: Vec<_> = x.iter().filter(|&&lit| model.is_true(lit)).map(|lit| lit.to_ipasir()).collect();
    writeln!(std::io::stdout(), "{} of 20 are true, with {} added: {chosen:?}", chosen.len(), formula.size())?;
    Ok(())
}
