//! `cnfkit optimise`: the least or greatest value of an objective, in the lines of competitions: `o` and the value of
//! each better solution, `s` and what is known in the end, `v` and the best solution.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use clap::ValueEnum;
use cnfkit::ask::{Optimum, Strategy, Threads};
use cnfkit::formula::SymmetryBreaking;
use cnfkit::{Assignment, CertifyError, Formula, Lit, Questions, SolveError};

use crate::formula::{SCREEN, answered, model_value, values};
use crate::input::{SourceArgs, TextFormat};
use crate::printed::Printed;
use crate::solving::Solving;
use crate::watch::Watch;
use crate::{CommandFailure, check, proof, say};

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
    /// Write a proof of the best value to this new folder, or of both bounds where the search is stopped: VeriPB checks
    /// it
    #[arg(long, value_name = "DIR", conflicts_with = "engine")]
    proof: Option<PathBuf>,
    /// Search in this number of threads, each with another strategy, order or encodings
    #[arg(long, value_name = "NUMBER", conflicts_with = "proof", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// A file with lines `v` of a solver's output: the search begins at this solution, or at what is left of it without
    /// the values that contradict the formula
    #[arg(long, value_name = "FILE", conflicts_with_all = ["proof", "threads"])]
    from: Option<PathBuf>,
    /// Seed of the choices of the solver that is built in
    #[arg(long, conflicts_with_all = ["proof", "threads", "engine"])]
    seed: Option<u64>,
    #[command(flatten)]
    solving: Solving,
}

const EXIT_CODES: &str = "\
Beside a program (--engine) that answers decisions the built-in search goes on, and the first answer counts; with a
--strategy the program is asked alone.

What stops it, --time-limit, Ctrl-C, SIGTERM, or a program that fails, has it print the best solution so far.

Exit codes, as in competitions:
  30  the optimum was found
  20  there is no solution
  10  stopped with a solution that may not be the best, or a solution of a formula without an objective
  0   stopped before there was a solution
  2   no formula, wrong arguments, or the solver failed before there was a solution, or writing failed";

impl OptimiseArgs {
    fn strategy(&self) -> Strategy {
        match self.strategy {
            StrategyArgument::Auto => Strategy::Auto,
            StrategyArgument::SolutionImproving => Strategy::SolutionImproving,
            StrategyArgument::CoreGuided => Strategy::CoreGuided,
        }
    }

    /// The literals of a solution that is known.
    fn known(&self, formula: &Formula, format: TextFormat) -> Result<Vec<Lit>, String> {
        let Some(path) = &self.from else { return Ok(Vec::new()) };
        let (values, _) = check::model(formula, format, Some(path))?;
        Ok((0..).zip(values).filter_map(|(var, value)| Some(Lit::new(var, !value?))).collect())
    }
}

/// The best solution so far, a bound on all, and the output that they go to.
struct Best {
    printed: Printed<'static>,
    format: TextFormat,
    solution: Option<(Assignment, Arc<Formula>)>,
    /// The value of the solution and a bound on all values, of the objective in the file.
    value: Option<i128>,
    bound: Option<i128>,
    conflicts: u64,
}

impl Best {
    fn new(args: &OptimiseArgs, format: TextFormat, start: Instant) -> Self {
        let mut printed = Printed::new(io::stdout(), "optimise", args.solving.printed());
        printed.start = Some(start);
        Self { printed, format, solution: None, value: None, bound: None, conflicts: 0 }
    }

    /// Keeps a bound, and says it with the gap to `value`, in per cent of it, as mixed-integer solvers give it.
    fn bound(&mut self, word: &str, [bound, value]: [i128; 2], conflicts: u64) -> io::Result<()> {
        (self.bound, self.conflicts) = (Some(bound), conflicts);
        let gap = 100.0 * bound.abs_diff(value) as f64 / value.unsigned_abs().max(1) as f64;
        let seconds = self.printed.start.map_or(0.0, |start| start.elapsed().as_secs_f64()).max(0.001);
        let rate = conflicts as f64 / seconds;
        self.printed.comment(format_args!("{word} {bound}, gap {gap:.2} %, {conflicts} conflicts, {rate:.0} a second"))
    }

    /// Keeps the value of a solution, and says it.
    fn value(&mut self, value: i128) -> io::Result<()> {
        self.value = Some(value);
        self.printed.line(format_args!("o {value}"))?;
        self.printed.flush()
    }

    /// Says the last lines with the best solution, and gives the exit code.
    fn end(&mut self, status: &str) -> u8 {
        let code = match status {
            "SATISFIABLE" => 10,
            "UNSATISFIABLE" => 20,
            "OPTIMUM FOUND" => 30,
            _ => 0,
        };
        say::written(self.say_end(status, code));
        code
    }

    fn say_end(&mut self, status: &str, code: u8) -> io::Result<()> {
        let Self { printed, format, solution, value, bound, conflicts } = self;
        let bound = if status == "OPTIMUM FOUND" { *value } else { *bound };
        printed.line(format_args!("s {status}"))?;
        if status != "UNSATISFIABLE" {
            printed.member("objective", *value);
            printed.member("bound", bound);
            printed.member("gap", value.zip(bound).map(|(value, bound)| value.abs_diff(bound)));
        }
        printed.member("conflicts", *conflicts);
        if let Some((model, formula)) = solution {
            let lits = answered(formula, *format);
            if printed.is_json() {
                printed.member("model", model_value(model, formula, &lits, *format));
            } else if *format == TextFormat::Wcnf {
                let bits: String = lits.iter().map(|&lit| if model.is_true(lit) { '1' } else { '0' }).collect();
                printed.line(format_args!("v {bits}"))?;
            } else {
                values(model, formula, &lits, *format, SCREEN, printed.lines())?;
            }
        }
        printed.end(Some(status), code)
    }

    /// The end of a search that was stopped.
    fn end_stopped(&mut self, reason: &str) -> u8 {
        say::written(self.printed.comment(reason));
        self.printed.member("reason", reason);
        self.end(if self.solution.is_some() { "SATISFIABLE" } else { "UNKNOWN" })
    }

    /// The end of a search with a proof; `found` says its solution.
    fn end_proven(
        &mut self,
        proven: Result<Option<(Assignment, i128)>, CertifyError>,
        dir: &Path,
        watch: &Watch,
        found: impl FnOnce(&mut Self, Assignment, i128, bool) -> u8,
    ) -> Result<u8, String> {
        // Before there is a bound, the formula may not be in its file yet.
        if proven.is_ok() || self.bound.is_some() {
            self.printed.member("proof", dir.display().to_string());
            say::written(self.printed.comment(proof::check(dir)));
        }
        match proven {
            Ok(None) => Ok(self.end("UNSATISFIABLE")),
            Ok(Some((model, value))) => Ok(found(self, model, value, true)),
            Err(CertifyError::Interrupted(why)) => self.end_failed(SolveError::Interrupted(why), watch),
            Err(error) => Err(error.to_string()),
        }
    }

    /// The end of a search that failed.
    fn end_failed(&mut self, error: SolveError, watch: &Watch) -> Result<u8, String> {
        match error {
            SolveError::Interrupted(why) => Ok(self.end_stopped(&watch.stopped().unwrap_or_else(|| why.to_string()))),
            // What was found is not lost.
            error if self.solution.is_some() => {
                say::error(&error.to_string());
                Ok(self.end_stopped(&error.to_string()))
            }
            error => Err(error.to_string()),
        }
    }
}

fn search(args: &OptimiseArgs, watch: &Watch) -> Result<u8, String> {
    // Until the formula is read nothing is known of it.
    let start = Instant::now();
    let _ = watch.known(Best::new(args, TextFormat::Cnf, start), Best::end_stopped);
    let (formula, format) = watch.run("reading", || args.source.formula())?;
    let formula = Arc::new(formula);
    let hint = watch.run("reading", || args.known(&formula, format))?;
    let best = watch.known(Best::new(args, format, start), Best::end_stopped);
    // Without an objective there is nothing but to find a solution.
    let is_decision = format != TextFormat::Wcnf && !formula.has_objective();
    // Values are those of the sum in the file, whose negation is minimised where it says `max:`.
    let (sign, bound) = if formula.is_maximised() { (-1, "at most") } else { (1, "at least") };
    best.update(|best| {
        let sense = (!is_decision).then_some(if formula.is_maximised() { "max" } else { "min" });
        best.printed.member("sense", sense);
        if formula.is_maximised() {
            say::written(best.printed.comment("max: the greatest value is looked for"));
        }
    });
    let limits = watch.limits();
    let strategy = args.strategy();
    let broken = if args.symmetries {
        let broken = watch.run("looking for symmetries", || formula.break_symmetries());
        Some(broken.map_err(|error| error.to_string())?)
    } else {
        None
    };
    let searched = broken.as_ref().map_or(&*formula, SymmetryBreaking::formula);
    // The end of a search whose solutions were not said while it went on.
    let found = |best: &mut Best, model: Assignment, value: i128, is_optimal: bool| {
        if !is_decision && best.value != Some(sign * value) {
            say::written(best.value(sign * value));
        }
        best.solution = Some((model, Arc::clone(&formula)));
        best.end(if is_optimal && !is_decision { "OPTIMUM FOUND" } else { "SATISFIABLE" })
    };
    if let Some(dir) = &args.proof {
        let told = &mut |found: Option<(&Assignment, i128)>, lower: i128| {
            best.update(|best| {
                best.bound = Some(sign * lower);
                say::written(best.printed.comment(format_args!("{bound} {}", sign * lower)));
                let Some((model, value)) = found else { return };
                best.solution = Some((model.clone(), Arc::clone(&formula)));
                if best.value != Some(sign * value) {
                    say::written(best.value(sign * value));
                }
            });
        };
        let proven = watch.prove("searching", || match &broken {
            Some(broken) if is_decision => Ok(broken.solve_certified(dir, &limits)?.map(|model| (model, 0))),
            Some(broken) => broken.minimum_certified_with(dir, strategy, &limits, told),
            None if is_decision => Ok(formula.solve_certified(dir, &limits)?.map(|model| (model, 0))),
            None => formula.minimum_certified_with(dir, strategy, &limits, told),
        });
        return best.conclude(|best| best.end_proven(proven, dir, watch, found));
    }
    if let Some(threads) = args.threads {
        let threads = by!(args.solving, Threads::new(threads.into()).limits(limits));
        let answer = watch.run("searching", || threads.minimum(searched));
        return best.conclude(|best| match answer {
            Ok(None) => Ok(best.end("UNSATISFIABLE")),
            Ok(Some(Optimum { model, value, lower_bound, conflicts, .. })) => {
                say::written(best.bound(bound, [lower_bound, value].map(|value| sign * value), conflicts));
                Ok(found(best, model, value, lower_bound >= value))
            }
            Err(error) => best.end_failed(error, watch),
        });
    }
    let search = searched.ask().strategy(strategy).limits(limits);
    let search = if let Some(seed) = args.seed { search.seed(seed) } else { search };
    let search = search.hint(&hint);
    let mut said = None;
    let search = search.on_improvement(|better| {
        if said.replace(better.value) == Some(better.value) {
            return; // the bound of the end, which is said below
        }
        best.update(|best| {
            best.solution = Some((better.solution.clone(), Arc::clone(&formula)));
            if !is_decision {
                say::written(best.bound(bound, [sign * better.lower_bound, sign * better.value], better.conflicts));
                say::written(best.value(sign * better.value));
            }
        });
    });
    let answer = watch.run("searching", || match args.solving.make() {
        Some(make) => search.minimum_by(&make()),
        None => search.minimum(),
    });
    best.conclude(|best| match answer {
        Ok(None) => Ok(best.end("UNSATISFIABLE")),
        Ok(Some(optimum)) => {
            if !is_decision {
                say::written(best.bound(bound, [sign * optimum.lower_bound, sign * optimum.value], optimum.conflicts));
            }
            let is_optimal = optimum.is_optimal();
            Ok(found(best, optimum.model, optimum.value, is_optimal))
        }
        Err(error) => best.end_failed(error, watch),
    })
}

/// Searches, and gives the exit code.
pub(crate) fn main(args: &OptimiseArgs) -> Result<ExitCode, CommandFailure> {
    let watch = args.solving.watch().map_err(CommandFailure::Input)?;
    search(args, &watch).map(ExitCode::from).map_err(CommandFailure::Output)
}
