//! `cnfkit optimise`: the least or greatest value of an objective, in the lines of competitions: `o` and the value of
//! each better solution, `s` and what is known in the end, `v` and the best solution.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::ValueEnum;
use cnfkit::ask::Strategy;
use cnfkit::formula::SymmetryBreaking;
use cnfkit::solvers::External;
use cnfkit::{Assignment, CertifyError, Formula, Questions, SolveError};

use crate::formula::{answered, values};
use crate::input::{SourceArgs, TextFormat};
use crate::solving::Solving;
use crate::watch::Watch;
use crate::{CommandFailure, proof, say};

#[derive(Clone, Copy, Debug, ValueEnum)]
enum StrategyArgument {
    /// Core-guided search after a first solution
    Auto,
    /// A better solution, again and again, until there is none
    SolutionImproving,
    /// Each unsatisfiable core raises the lower bound, until there is a solution at it
    CoreGuided,
}

/// Finds the least or greatest value of an objective: of OPB, WCNF, or rules with `min:` or `max:`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct OptimiseArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// The way to search
    #[arg(long, value_enum, default_value = "auto")]
    strategy: StrategyArgument,
    /// Search with clauses that leave one of many symmetric solutions
    #[arg(long)]
    symmetries: bool,
    /// Write a proof of the best value to this new folder: VeriPB checks it
    #[arg(long, value_name = "DIR", conflicts_with = "engine")]
    proof: Option<PathBuf>,
    #[command(flatten)]
    solving: Solving,
}

const EXIT_CODES: &str = "\
What stops it, --time-limit, Ctrl-C or SIGTERM, has it print the best solution so far.

Exit codes, as in competitions:
  30  the optimum was found
  20  there is no solution
  10  stopped with a solution that may not be the best, or a solution of a formula without an objective
  0   stopped before there was a solution
  2   no formula, wrong arguments, or the solver or writing failed";

/// The values of the file's variables: a bit each in WCNF, literals otherwise.
fn write_values(model: &Assignment, formula: &Formula, format: TextFormat) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    if format == TextFormat::Wcnf {
        let bits: String =
            answered(formula, format).iter().map(|&lit| if model.is_true(lit) { '1' } else { '0' }).collect();
        writeln!(out, "v {bits}")?;
    } else {
        values(model, formula, &answered(formula, format), format, &mut out)?;
    }
    out.flush()
}

/// The best solution so far, of this formula.
type Best = Option<(Assignment, Arc<Formula>)>;

/// Says the last lines with the best solution, and gives the exit code.
fn say_end(end: &str, best: &Best, format: TextFormat) -> u8 {
    say!("s {end}");
    if let Some((model, formula)) = best {
        say::written(write_values(model, formula, format));
    }
    match end {
        "SATISFIABLE" => 10,
        "UNSATISFIABLE" => 20,
        "OPTIMUM FOUND" => 30,
        _ => 0,
    }
}

/// The end of a search that was stopped.
fn say_stopped(reason: &str, best: &Best, format: TextFormat) -> u8 {
    say!("c {reason}");
    say_end(if best.is_some() { "SATISFIABLE" } else { "UNKNOWN" }, best, format)
}

fn search(args: &OptimiseArgs, watch: &Watch) -> Result<u8, String> {
    // Until the formula is read nothing is known of it.
    let _ = watch.known((), |(), reason| say_stopped(reason, &None, TextFormat::Cnf));
    let (formula, format) = watch.run("reading", || args.source.formula())?;
    let formula = Arc::new(formula);
    let best = watch.known(None, move |best: &mut Best, reason| say_stopped(reason, best, format));
    // Without an objective there is nothing but to find a solution.
    let is_decision = format != TextFormat::Wcnf && !formula.has_objective();
    // Values are those of the sum in the file, whose negation is minimised where it says `max:`.
    let (sign, bound) = if formula.is_maximised() { (-1, "at most") } else { (1, "at least") };
    if formula.is_maximised() {
        say!("c max: the greatest value is looked for");
    }
    let limits = watch.limits();
    let engine = args.solving.make();
    let strategy = match args.strategy {
        // Such an engine forgets what it learnt from one question to the next.
        StrategyArgument::Auto if engine.is_some() => Strategy::SolutionImproving,
        StrategyArgument::Auto => Strategy::Auto,
        StrategyArgument::SolutionImproving => Strategy::SolutionImproving,
        StrategyArgument::CoreGuided => Strategy::CoreGuided,
    };
    let broken = if args.symmetries {
        let broken = watch.run("looking for symmetries", || formula.break_symmetries());
        Some(broken.map_err(|error| error.to_string())?)
    } else {
        None
    };
    let searched = broken.as_ref().map_or(&*formula, SymmetryBreaking::formula);
    if let Some(dir) = &args.proof {
        let found = watch.run("searching", || match &broken {
            Some(broken) if is_decision => Ok(broken.solve_certified(dir, &limits)?.map(|model| (model, 0))),
            Some(broken) => broken.minimum_certified(dir, strategy, &limits),
            None if is_decision => Ok(formula.solve_certified(dir, &limits)?.map(|model| (model, 0))),
            None => formula.minimum_certified(dir, strategy, &limits),
        });
        return best.conclude(|best| {
            let end = match found {
                Ok(None) => "UNSATISFIABLE",
                Ok(Some((model, value))) => {
                    if !is_decision {
                        say!("o {}", sign * value);
                    }
                    *best = Some((model, Arc::clone(&formula)));
                    if is_decision { "SATISFIABLE" } else { "OPTIMUM FOUND" }
                }
                Err(CertifyError::Interrupted(why)) => {
                    return Ok(say_stopped(&watch.stopped().unwrap_or_else(|| why.to_string()), best, format));
                }
                Err(error) => return Err(error.to_string()),
            };
            say!("c {}", proof::check(dir));
            Ok(say_end(end, best, format))
        });
    }
    if let Some(engine) = engine.as_ref().map(|make| make()).filter(External::is_optimiser) {
        let found = watch.run("searching", || searched.minimum_by(&engine, &limits));
        return best.conclude(|best| match found {
            Ok(None) => Ok(say_end("UNSATISFIABLE", best, format)),
            Ok(Some((model, value, is_optimal))) => {
                if !is_decision {
                    say!("o {}", sign * value);
                }
                *best = Some((model, Arc::clone(&formula)));
                Ok(say_end(if is_optimal { "OPTIMUM FOUND" } else { "SATISFIABLE" }, best, format))
            }
            Err(SolveError::Interrupted(why)) => {
                Ok(say_stopped(&watch.stopped().unwrap_or_else(|| why.to_string()), best, format))
            }
            Err(error) => Err(error.to_string()),
        });
    }
    let search = searched.ask().strategy(strategy).limits(limits);
    let mut said = None;
    let search = search.on_improvement(|better| {
        if said.replace(better.value) == Some(better.value) {
            return; // the bound of the end, which is said below
        }
        best.update(|best| {
            *best = Some((better.solution.clone(), Arc::clone(&formula)));
            if !is_decision {
                say!("c {bound} {}, {} conflicts", sign * better.lower_bound, better.conflicts);
                say!("o {}", sign * better.value);
            }
        });
    });
    let search = match engine {
        Some(make) => search.solver(make),
        None => search,
    };
    let found = watch.run("searching", || search.minimum());
    best.conclude(|best| match found {
        Ok(None) => Ok(say_end("UNSATISFIABLE", best, format)),
        Ok(Some(found)) => {
            say!("c {bound} {}, {} conflicts", sign * found.lower_bound, found.conflicts);
            let is_optimal = found.is_optimal() && !is_decision;
            Ok(say_end(if is_optimal { "OPTIMUM FOUND" } else { "SATISFIABLE" }, best, format))
        }
        Err(SolveError::Interrupted(why)) => {
            Ok(say_stopped(&watch.stopped().unwrap_or_else(|| why.to_string()), best, format))
        }
        Err(error) => Err(error.to_string()),
    })
}

/// Searches, and gives the exit code.
pub(crate) fn main(args: &OptimiseArgs) -> Result<ExitCode, CommandFailure> {
    let watch = args.solving.watch().map_err(CommandFailure::Input)?;
    search(args, &watch).map(ExitCode::from).map_err(CommandFailure::Output)
}
