//! A FlatZinc solver: reads what MiniZinc compiles a model to, and answers as MiniZinc expects.
//!
//! With the library in `share/minizinc`, `minizinc --solver cnfkit` uses it: see the README of cnfkit.

#[allow(unused_macros)] // lines are written whole, and flushed
#[path = "../../../examples/common/say.rs"]
mod say;

mod answer;
mod bounds;
mod constraints;
mod names;
mod problem;
mod syntax;

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;
use cnfkit::Limits;

use crate::problem::Problem;

/// Solves a FlatZinc file.
#[derive(Debug, Parser)]
#[command(after_help = EXIT_CODES)]
struct Args {
    /// The file; `-` is standard input.
    file: PathBuf,
    #[command(flatten)]
    wanted: answer::Wanted,
    /// The time limit for everything together, in milliseconds.
    #[arg(short, long = "time-limit", value_name = "MS")]
    time: Option<u64>,
    /// Searches freely; there is no other search here.
    #[arg(short, long)]
    free: bool,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  there is an answer, which may be that there is no solution or that none is known
  2  the file or writing failed, or wrong arguments";

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &Args) -> Result<(), String> {
    let start = Instant::now();
    let name = args.file.display();
    let mut text = String::new();
    let read = if args.file.as_os_str() == "-" {
        io::stdin().lock().read_to_string(&mut text)
    } else {
        std::fs::File::open(&args.file).and_then(|mut file| file.read_to_string(&mut text))
    };
    read.map_err(|error| format!("{name}: {error}"))?;
    let problem = Problem::read(&text).map_err(|error| format!("{name}: {error}"))?;
    let cancel = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&cancel);
    // Where Ctrl-C cannot be caught it ends the program by itself.
    let _ = ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed));
    let mut limits = Limits::none().cancel(cancel);
    if let Some(time) = args.time {
        limits = limits.time(Duration::from_millis(time).saturating_sub(start.elapsed()));
    }
    let mut out = |line: &str| {
        let mut out = io::stdout().lock();
        say::written(writeln!(out, "{line}").and_then(|()| out.flush()));
    };
    answer::answer(problem, &args.wanted, limits, start, &mut out).map_err(|error| format!("{name}: {error}"))
}
