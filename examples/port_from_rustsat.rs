//! A program on rustsat, ported: its instance keeps the constraints on the way, and takes fewer clauses.
//!
//! `cargo run --example port_from_rustsat` seats twelve guests at three tables.

use std::error::Error;
use std::io::{self, Write};

use cnfkit::{Formula, Lit};
use rustsat::instances::{BasicVarManager, ManageVars, SatInstance};
use rustsat::types::constraints::{CardConstraint, PbConstraint};
use rustsat::types::{Assignment, TernaryVal};

fn main() -> Result<(), Box<dyn Error>> {
    let instance = guests();
    let mut out = io::stdout();

    // Before: every constraint is encoded as it comes.
    let (cnf, vars) = instance.clone().into_cnf();
    writeln!(out, "by rustsat: {} clauses over {} variables", cnf.len(), vars.n_used())?;

    // After: constraints stay data until all are known.
    let formula = Formula::try_from(instance.clone())?;
    let size = formula.size();
    writeln!(out, "by cnfkit: {} clauses over {} variables", size.clauses, formula.n_vars() as u64 + size.vars)?;
    let back: SatInstance = SatInstance::try_from(&formula)?;
    let (counts, sums) = (back.n_cards(), back.n_pbs());
    writeln!(out, "and back: {} clauses, {counts} counts, {sums} sums of weights", back.n_clauses())?;

    // rustsat checks the model of its own instance.
    let model: Assignment = formula.solve()?.ok_or("unsatisfiable")?.into();
    assert_eq!(instance.evaluate(&model), TernaryVal::True);
    writeln!(out, "satisfiable: {} variables are true", model.iter().filter(|lit| lit.is_pos()).count())?;
    Ok(())
}

/// Twelve guests at three tables of at most four; guest 0 shares a table with at most one of three others; the seats
/// at the first table are worth 20 at most.
fn guests() -> SatInstance<BasicVarManager> {
    let mut instance: SatInstance = SatInstance::new();
    let sits: Vec<Vec<Lit>> = (0..12).map(|_| (0..3).map(|_| instance.new_lit()).collect()).collect();
    for guest in &sits {
        instance.add_card_constr(CardConstraint::new_eq(guest.iter().copied(), 1));
    }
    for table in 0..3 {
        instance.add_card_constr(CardConstraint::new_ub(sits.iter().map(|guest| guest[table]), 4));
        for (a, b) in [(1, 2), (1, 3), (2, 3)] {
            instance.add_cube_impl_clause(&[sits[0][table], sits[a][table]], &[!sits[b][table]]);
        }
    }
    let weights = sits.iter().zip(1_isize..).map(|(guest, weight)| (guest[0], weight));
    instance.add_pb_constr(PbConstraint::new_ub(weights, 20));
    instance
}
