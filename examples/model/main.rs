//! Puzzles and plans as models, each a page of this folder.

#[macro_use]
#[path = "../common/say.rs"]
mod say;

mod colouring;
mod futoshiki;
mod golfers;
mod job_shop;
mod kakuro;
mod ken_ken;
mod knapsack;
mod latin_square;
mod magic_square;
mod nonogram;
mod queens;
mod send_more;
mod slitherlink;
mod sudoku;
mod tsp;

use std::process::ExitCode;

use clap::Parser;
use clap::builder::PossibleValuesParser;
use cnfkit::model::ModelError;

/// Solves a puzzle or makes a plan, and prints it.
#[derive(Parser)]
#[command(after_help = EXIT_CODES)]
struct Args {
    /// The page to run.
    #[arg(value_parser = PossibleValuesParser::new(PAGES.map(|(name, _)| name)))]
    name: String,
    /// The side of a square, the number of queens or of weeks, where there is a choice.
    size: Option<usize>,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  there is an answer, which may be that there is no solution
  2  the solver or writing failed, or wrong arguments";

/// A name, and what it runs.
type Page = (&'static str, fn(Option<usize>) -> Result<String, ModelError>);

const PAGES: [Page; 15] = [
    ("colouring", colouring::run),
    ("futoshiki", futoshiki::run),
    ("golfers", golfers::run),
    ("job-shop", job_shop::run),
    ("kakuro", kakuro::run),
    ("ken-ken", ken_ken::run),
    ("knapsack", knapsack::run),
    ("latin-square", latin_square::run),
    ("magic-square", magic_square::run),
    ("nonogram", nonogram::run),
    ("queens", queens::run),
    ("send-more", send_more::run),
    ("slitherlink", slitherlink::run),
    ("sudoku", sudoku::run),
    ("tsp", tsp::run),
];

fn main() -> ExitCode {
    let args = Args::parse();
    let page = PAGES.iter().find(|(name, _)| *name == args.name);
    match page.map(|(_, run)| run(args.size)) {
        Some(Ok(answer)) => {
            say!("{answer}");
            ExitCode::SUCCESS
        }
        Some(Err(error)) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
        None => unreachable!("clap knows the pages"),
    }
}
