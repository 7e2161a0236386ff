//! Formulas in OPB and WCNF, with the output of competitions: `o` and the value of each better solution, `s` and what
//! is known in the end, `v` and the best solution.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::process::ExitCode;
use std::sync::Arc;

use cnfkit::ask::Strategy;
use cnfkit::formula::{ReadError, SymmetryBreaking};
use cnfkit::solvers::External;
use cnfkit::{Assignment, CertifyError, Formula, Optimise, SolveError};

use crate::watch::Watch;
use crate::{Args, Problem, Way, proof, say};

/// The formula of the file, and the name of where it is from.
fn read(args: &Args) -> Result<Formula, String> {
    let Some(file) = &args.graph else { return Err("no file with a formula; `-` is standard input".into()) };
    let parse = |reader: &mut dyn BufRead| -> Result<Formula, ReadError> {
        match args.problem {
            Problem::Opb => Formula::read_opb(reader),
            _ => Formula::read_wcnf(reader),
        }
    };
    let (name, formula) = if file.as_os_str() == "-" {
        ("standard input".to_owned(), parse(&mut io::stdin().lock()))
    } else {
        let name = file.display().to_string();
        let reader = File::open(file).map_err(|error| format!("{name}: {error}"))?;
        (name, parse(&mut BufReader::with_capacity(1 << 16, reader)))
    };
    formula.map_err(|error| format!("{name}: {error}"))
}

/// The values of the file's variables: in OPB `x1 -x2`, in WCNF `10`.
fn write_values(model: &Assignment, formula: &Formula, problem: Problem) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    out.write_all(if matches!(problem, Problem::Opb) { b"v" } else { b"v " })?;
    for lit in formula.lits() {
        match (problem, model.is_true(lit)) {
            (Problem::Opb, is_true) => {
                let Some(name) = formula.opb_name(lit.var()) else { continue };
                write!(out, " {}{name}", if is_true { "" } else { "-" })
            }
            (_, is_true) => out.write_all(if is_true { b"1" } else { b"0" }),
        }?;
    }
    out.write_all(b"\n")?;
    out.flush()
}

/// The best solution so far, of this formula.
type Best = Option<(Assignment, Arc<Formula>)>;

/// Says the last lines with the best solution, and gives the exit code.
fn say_end(end: &str, best: &Best, problem: Problem) -> u8 {
    say!("s {end}");
    if let Some((model, formula)) = best {
        say::written(write_values(model, formula, problem));
    }
    match end {
        "SATISFIABLE" => 10,
        "UNSATISFIABLE" => 20,
        "OPTIMUM FOUND" => 30,
        _ => 0,
    }
}

/// The end of a search that was stopped.
fn say_stopped(reason: &str, best: &Best, problem: Problem) -> u8 {
    say!("c {reason}");
    say_end(if best.is_some() { "SATISFIABLE" } else { "UNKNOWN" }, best, problem)
}

fn search(args: &Args, watch: &Watch) -> Result<u8, String> {
    let problem = args.problem;
    let best = watch.known(None, move |best: &mut Best, reason| say_stopped(reason, best, problem));
    let formula = Arc::new(watch.run("reading", || read(args))?);
    // In OPB, without an objective, there is nothing but to find a solution.
    let is_decision = matches!(problem, Problem::Opb) && !formula.has_objective();
    // Values are those of the sum in the file, whose negation is minimised where it says `max:`.
    let (sign, bound) = if formula.is_maximised() { (-1, "at most") } else { (1, "at least") };
    if formula.is_maximised() {
        say!("c max: the greatest value is looked for");
    }
    let limits = watch.limits();
    let engine = args.engine.make();
    let strategy = match args.strategy {
        // Such an engine forgets what it learnt from one question to the next.
        Way::Auto if engine.is_some() => Strategy::SolutionImproving,
        Way::Auto => Strategy::Auto,
        Way::SolutionImproving => Strategy::SolutionImproving,
        Way::CoreGuided => Strategy::CoreGuided,
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
                    return Ok(say_stopped(&watch.stopped().unwrap_or_else(|| why.to_string()), best, problem));
                }
                Err(error) => return Err(error.to_string()),
            };
            say!("c {}", proof::check(dir));
            Ok(say_end(end, best, problem))
        });
    }
    if let Some(engine) = engine.as_ref().map(|make| make()).filter(External::is_optimiser) {
        let found = watch.run("searching", || searched.minimum_by(&engine, &limits));
        return best.conclude(|best| match found {
            Ok(None) => Ok(say_end("UNSATISFIABLE", best, problem)),
            Ok(Some((model, value, is_optimal))) => {
                if !is_decision {
                    say!("o {}", sign * value);
                }
                *best = Some((model, Arc::clone(&formula)));
                Ok(say_end(if is_optimal { "OPTIMUM FOUND" } else { "SATISFIABLE" }, best, problem))
            }
            Err(SolveError::Interrupted(why)) => {
                Ok(say_stopped(&watch.stopped().unwrap_or_else(|| why.to_string()), best, problem))
            }
            Err(error) => Err(error.to_string()),
        });
    }
    let search = searched.search_minimum().strategy(strategy).limits(limits);
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
    let found = watch.run("searching", || search.solve());
    best.conclude(|best| match found {
        Ok(None) => Ok(say_end("UNSATISFIABLE", best, problem)),
        Ok(Some(found)) => {
            say!("c {bound} {}, {} conflicts", sign * found.lower_bound, found.conflicts);
            let is_optimal = found.is_optimal() && !is_decision;
            Ok(say_end(if is_optimal { "OPTIMUM FOUND" } else { "SATISFIABLE" }, best, problem))
        }
        Err(SolveError::Interrupted(why)) => {
            Ok(say_stopped(&watch.stopped().unwrap_or_else(|| why.to_string()), best, problem))
        }
        Err(error) => Err(error.to_string()),
    })
}

pub(crate) fn main(args: &Args) -> ExitCode {
    let code = Watch::new(args.time_limit).and_then(|watch| search(args, &watch));
    code.map_or_else(
        |error| {
            eprintln!("error: {error}");
            ExitCode::from(2)
        },
        ExitCode::from,
    )
}
