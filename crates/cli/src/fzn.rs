//! `cnfkit fzn`, and `fzn-cnfkit`, which is the same: FlatZinc, which MiniZinc compiles a model to, answered as
//! MiniZinc expects. With the library in `share/minizinc` of the crate `cnfkit-fzn`, `minizinc --solver cnfkit` uses
//! it.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use cnfkit_fzn::{AnswerText, Problem, UNKNOWN, Wanted, answer};

use crate::solving::EngineArgument;
use crate::watch::Watch;
use crate::{CommandFailure, bytes, input, say};

/// Solves a FlatZinc file.
#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
#[allow(clippy::struct_excessive_bools)] // options
pub(crate) struct FznArgs {
    /// The file; `-` is standard input.
    file: PathBuf,
    /// All solutions; of an optimum every better solution on the way.
    #[arg(short, long = "all-solutions")]
    all: bool,
    /// Every better solution on the way to an optimum.
    #[arg(short, long)]
    intermediate: bool,
    /// The greatest number of solutions; not for optima.
    #[arg(short, long = "num-solutions", value_name = "N")]
    number: Option<usize>,
    /// Statistics at the end.
    #[arg(short, long)]
    statistics: bool,
    #[command(flatten)]
    engine: EngineArgument,
    /// Writes a proof of the answer to this new folder, which `VeriPB` checks: a solution, that there is none, or that
    /// none is better.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["engine", "all", "intermediate", "number"])]
    proof: Option<PathBuf>,
    /// The time limit for everything together, in milliseconds.
    #[arg(short, long = "time-limit", value_name = "MS")]
    time: Option<u64>,
    /// The number of threads.
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    parallel: usize,
    /// Numbers variables by lot, unless this is 0.
    #[arg(short, long = "random-seed", value_name = "SEED", default_value_t = 0, allow_hyphen_values = true)]
    random: i64,
    /// Says on standard error which parts of the model are large, and why.
    #[arg(short, long)]
    verbose: bool,
    /// Searches freely. There is no other search here: of annotations `warm_start` alone is heeded, in any case.
    #[arg(short, long)]
    free: bool,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  there is an answer, which may be that there is no solution or that none is known
  2  the file or writing failed, or wrong arguments";

pub(crate) fn main(args: &FznArgs) -> Result<ExitCode, CommandFailure> {
    run(args).map(|()| ExitCode::SUCCESS).map_err(CommandFailure::Output)
}

fn run(args: &FznArgs) -> Result<(), String> {
    let start = Instant::now();
    let watch = Watch::new(args.time.map(|time| time as f64 / 1e3), false)?;
    let print = |text: &str| {
        let mut out = io::stdout().lock();
        say::written(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
    };
    // What is known and not said yet.
    let unsaid = watch.known(format!("{UNKNOWN}\n"), move |text, _| {
        print(text);
        0
    });
    let mut out = |what: AnswerText<'_>| {
        unsaid.update(|unsaid| match what {
            AnswerText::Now(text) => {
                unsaid.clear();
                print(text);
            }
            AnswerText::IfStopped(text) => unsaid.replace_range(.., text),
        });
    };
    let name = args.file.display();
    let answered = watch.run("solving", || {
        let (_, mut reader) = input::open(&args.file).map_err(|error| {
            error.strip_prefix(&format!("{}: ", args.file.display())).map_or_else(|| error.clone(), str::to_owned)
        })?;
        let mut content = Vec::new();
        reader.read_to_end(&mut content).map_err(|error| error.to_string())?;
        let mut problem = Problem::read(&bytes::decoded(content)?).map_err(|error| error.to_string())?;
        if let Some(make) = args.engine.make() {
            problem.model.set_program(&make());
        }
        problem.model.set_threads(args.parallel);
        problem.model.set_seed(args.random.cast_unsigned());
        let limits = watch.limits();
        if args.verbose {
            problem.model.set_limits(limits.clone());
            match problem.model.statistics() {
                Ok(statistics) => eprint!("{statistics}"),
                Err(error) => eprintln!("{error}"),
            }
        }
        let FznArgs { all, intermediate, number, statistics, .. } = *args;
        let wanted = Wanted { all, intermediate, number, statistics };
        answer(problem, &wanted, args.proof.as_deref(), limits, start, &mut out).map_err(|error| error.to_string())
    });
    unsaid.conclude(|_| answered).map_err(|error| format!("{name}: {error}"))
}
