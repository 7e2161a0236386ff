//! Puzzles and plans as models, each a page of this folder.

#[path = "../common/engine.rs"]
mod engine;
#[path = "../common/lines.rs"]
mod lines;
#[macro_use]
#[path = "../common/say.rs"]
mod say;
#[path = "../common/shard.rs"]
mod shard;

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
use cnfkit::ask::Strategy;
use cnfkit::model::{Model, ModelError};
use lines::{Answer, Lines};

/// Solves a puzzle or makes a plan, and prints it.
#[derive(Parser)]
#[command(after_help = EXIT_CODES)]
struct Args {
    /// The page to run.
    #[arg(value_parser = PossibleValuesParser::new(PAGES.map(|(name, _)| name)), required_unless_present = "lines",
          conflicts_with = "lines")]
    name: Option<String>,
    /// The side of a square, the number of queens or of weeks, where there is a choice.
    size: Option<usize>,
    #[command(flatten)]
    engine: engine::Engine,
    #[command(flatten)]
    lines: Lines,
}

const EXIT_CODES: &str = "\
Each line of --lines is a page and, where there is a choice, a size: `queens 8`.

Exit codes:
  0  there is an answer, which may be that there is no solution
  2  the solver or writing failed, or wrong arguments";

/// A name, and what it runs.
type Page = (&'static str, fn(Option<usize>, &dyn Fn(&mut Model)) -> Result<String, ModelError>);

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

/// The answer of a page.
fn run(name: &str, size: Option<usize>, engine: &engine::Engine) -> Answer {
    let Some((_, run)) = PAGES.iter().find(|(known, _)| *known == name) else {
        return Answer::Error(format!("there is no page `{name}`"));
    };
    let set = |model: &mut Model| {
        if let Some(make) = engine.make() {
            model.set_solver(make);
            model.set_strategy(Strategy::SolutionImproving); // programs have no cores
        }
    };
    run(size, &set).map_or_else(|error| Answer::Failed(error.to_string()), Answer::Text)
}

/// The answer to a line.
fn line(text: &str, engine: &engine::Engine) -> Answer {
    let mut words = text.split_whitespace();
    let (name, size) = (words.next().unwrap_or_default(), words.next());
    match (size.map(str::parse).transpose(), words.next()) {
        (Ok(size), None) => run(name, size, engine),
        (_, Some(word)) => Answer::Error(format!("`{word}` after a page and its size")),
        (Err(_), None) => Answer::Error(format!("`{}` is no size", size.unwrap_or_default())),
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    let done = match (&args.lines.file, &args.name) {
        (Some(path), _) => args.lines.each(path, |text| line(text, &args.engine)),
        (None, name) => match run(name.as_deref().unwrap_or_default(), args.size, &args.engine) {
            Answer::Text(answer) => {
                say!("{answer}");
                Ok(true)
            }
            Answer::Error(error) | Answer::Failed(error) => Err(error),
            Answer::Stopped => Ok(false),
        },
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(2),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
