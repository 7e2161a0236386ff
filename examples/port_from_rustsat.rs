//! A program on rustsat, ported: an instance keeps its constraints on the way, and takes fewer clauses.
//!
//! ```text
//! cargo run --example port_from_rustsat                   # an instance of its own: twelve guests at three tables
//! cargo run --example port_from_rustsat -- FILE.opb       # one in OPB
//! ```

#[macro_use]
#[path = "common/say.rs"]
mod say;
#[macro_use]
#[path = "common/solving.rs"]
mod solving;

use std::error::Error;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use cnfkit::{Explain, Formula, Lit};
use rustsat::instances::{BasicVarManager, ManageVars, SatInstance};
use rustsat::types::constraints::{CardConstraint, PbConstraint};
use rustsat::types::{Assignment, TernaryVal};

/// Takes an instance of rustsat's, compares its size as clauses by either library, and solves it.
#[derive(Parser)]
#[command(after_help = "Exit codes:\n  0  satisfiable\n  1  unsatisfiable\n  2  wrong input, or no answer yet")]
struct Args {
    /// An instance in OPB; an objective is not minimised
    file: Option<PathBuf>,
    #[command(flatten)]
    solving: solving::Solving,
}

fn main() -> ExitCode {
    solving::end(run(&Args::parse()))
}

fn run(args: &Args) -> Result<ExitCode, String> {
    let watch = args.solving.watch()?;
    let instance = match &args.file {
        None => guests(),
        Some(file) => read(file).map_err(|error| format!("{}: {error}", file.display()))?,
    };
    let (clauses, cards, pbs) = (instance.n_clauses(), instance.n_cards(), instance.n_pbs());
    say!("{} variables, {clauses} clauses, {cards} counts, {pbs} sums of weights", instance.n_vars());

    // Before: every constraint is encoded as it comes.
    let (cnf, vars) = instance.clone().into_cnf();
    say!("by rustsat: {} clauses over {} variables", cnf.len(), vars.n_used());

    // After: constraints stay data until all are known.
    let formula = Formula::try_from(instance.clone()).map_err(|error| error.to_string())?;
    let size = formula.size();
    say!("by cnfkit: {} clauses over {} variables", size.clauses, formula.n_vars() as u64 + size.vars);
    let back: SatInstance = SatInstance::try_from(&formula).map_err(|error| error.to_string())?;
    say!("and back: {} clauses, {} counts, {} sums of weights", back.n_clauses(), back.n_cards(), back.n_pbs());

    let question = by!(args.solving, formula.assuming(&[]).limits(watch.limits()));
    let found = watch.run("solving", || question.solve()).map_err(|error| watch.explain(error.to_string()))?;
    let Some(model) = found else {
        say!("unsatisfiable");
        return Ok(ExitCode::FAILURE);
    };
    // rustsat checks the model of its own instance.
    let model: Assignment = model.into();
    if instance.evaluate(&model) != TernaryVal::True {
        return Err("the model is wrong".into());
    }
    say!("satisfiable: {} variables are true", model.iter().filter(|lit| lit.is_pos()).count());
    Ok(ExitCode::SUCCESS)
}

/// An instance of rustsat's from a file: rustsat's own reader takes `foo bar` for an instance without constraints.
fn read(file: &Path) -> Result<SatInstance, Box<dyn Error>> {
    let formula = Formula::read_opb(BufReader::new(File::open(file)?))?;
    Ok(SatInstance::try_from(&formula)?)
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
