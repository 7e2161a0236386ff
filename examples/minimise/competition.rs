//! Formulas in OPB and WCNF, with the output of competitions: `o` and the value of each better solution, `s` and what
//! is known in the end, `v` and the best solution.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::process::ExitCode;

use cnfkit::ask::{Optimum, Strategy};
use cnfkit::formula::ReadError;
use cnfkit::{Formula, Limits, Lit, Optimise, SolveError};

use crate::watch::Watch;
use crate::{Args, Problem, Way};

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
fn values(best: &Optimum, n_vars: usize, problem: Problem) -> String {
    let lits = (0..n_vars as u32).map(Lit::positive);
    match problem {
        Problem::Opb => {
            let word = |lit: Lit| format!(" {}x{}", if best.model.is_true(lit) { "" } else { "-" }, lit.vidx32() + 1);
            lits.map(word).collect()
        }
        _ => std::iter::once(' ').chain(lits.map(|lit| if best.model.is_true(lit) { '1' } else { '0' })).collect(),
    }
}

pub(crate) fn main(args: &Args) -> ExitCode {
    let start = || -> Result<_, String> { Ok((Watch::new(args.time_limit)?, read(args)?)) };
    let (watch, formula) = match start() {
        Ok(start) => start,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    let strategy = match args.strategy {
        Way::Auto => Strategy::Auto,
        Way::SolutionImproving => Strategy::SolutionImproving,
        Way::CoreGuided => Strategy::CoreGuided,
    };
    let search = formula.search_minimum().strategy(strategy).limits(Limits::none().cancel(watch.flag()));
    let found = search
        .on_improvement(|better| {
            say!("c at least {}, {} conflicts", better.lower_bound, better.conflicts);
            say!("o {}", better.value);
        })
        .solve();
    match found {
        Ok(None) => {
            say!("s UNSATISFIABLE");
            ExitCode::from(20)
        }
        Ok(Some(best)) => {
            say!("c at least {}, {} conflicts", best.lower_bound, best.conflicts);
            say!("s {}", if best.is_optimal() { "OPTIMUM FOUND" } else { "SATISFIABLE" });
            say!("v{}", values(&best, formula.n_vars() - formula.n_relaxations(), args.problem));
            ExitCode::from(if best.is_optimal() { 30 } else { 10 })
        }
        Err(SolveError::Interrupted) => {
            say!("s UNKNOWN");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
