//! Puzzles and plans as models, each a page of this folder.

#[path = "../common/engine.rs"]
mod engine;
#[path = "../common/lines.rs"]
mod lines;
#[path = "../common/proof.rs"]
mod proof;
#[macro_use]
#[path = "../common/say.rs"]
mod say;
#[path = "../common/shard.rs"]
mod shard;
#[allow(dead_code)] // lines are read
#[path = "../common/text.rs"]
mod text;

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

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use clap::builder::PossibleValuesParser;
use cnfkit::ask::Strategy;
use cnfkit::model::{Expr, Model, Solution};
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
    /// Write a proof of the answer to this new folder, which VeriPB checks.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["lines", "engine"])]
    proof: Option<PathBuf>,
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

/// Makes a page: its model, the least of what is looked for if not any solution is good, and the text of a solution and
/// of that value.
type Page = fn(Option<usize>) -> (Model, Option<Expr>, Box<dyn Fn(&Solution, i64) -> String>);

const PAGES: [(&str, Page); 15] = [
    ("colouring", colouring::page),
    ("futoshiki", futoshiki::page),
    ("golfers", golfers::page),
    ("job-shop", job_shop::page),
    ("kakuro", kakuro::page),
    ("ken-ken", ken_ken::page),
    ("knapsack", knapsack::page),
    ("latin-square", latin_square::page),
    ("magic-square", magic_square::page),
    ("nonogram", nonogram::page),
    ("queens", queens::page),
    ("send-more", send_more::page),
    ("slitherlink", slitherlink::page),
    ("sudoku", sudoku::page),
    ("tsp", tsp::page),
];

/// The answer of a page.
fn run(name: &str, size: Option<usize>, engine: &engine::Engine, proof: Option<&Path>) -> Answer {
    let Some((_, page)) = PAGES.iter().find(|(known, _)| *known == name) else {
        return Answer::Error(format!("there is no page `{name}`"));
    };
    let (mut model, cost, show) = page(size);
    if let Some(make) = engine.make() {
        model.set_solver(make);
        model.set_strategy(Strategy::SolutionImproving); // programs have no cores
    }
    let found = match cost {
        None => proof.map_or_else(|| model.solve(), |dir| model.solve_certified(dir)).map(|found| Some((found?, 0))),
        Some(cost) => {
            let search = model.search_minimum(cost);
            let best = match proof {
                None => search.solve(),
                Some(dir) => search.solve_certified(dir),
            };
            best.map(|best| best.map(|best| (best.solution, best.value)))
        }
    };
    let answer = match found {
        Err(error) => return Answer::Failed(error.to_string()),
        Ok(found) => found.map_or("no solution".into(), |(solution, cost)| show(&solution, cost)),
    };
    Answer::Text(proof.map_or(answer.clone(), |dir| format!("{answer}\n{}", proof::check(dir))))
}

/// The answer to a line.
fn line(text: &str, engine: &engine::Engine) -> Answer {
    let mut words = text.split_whitespace();
    let (name, size) = (words.next().unwrap_or_default(), words.next());
    match (size.map(str::parse).transpose(), words.next()) {
        (Ok(size), None) => run(name, size, engine, None),
        (_, Some(word)) => Answer::Error(format!("`{word}` after a page and its size")),
        (Err(_), None) => Answer::Error(format!("`{}` is no size", size.unwrap_or_default())),
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    let done = match (&args.lines.file, &args.name) {
        (Some(path), _) => args.lines.each(path, |text| line(text, &args.engine)),
        (None, name) => {
            match run(name.as_deref().unwrap_or_default(), args.size, &args.engine, args.proof.as_deref()) {
                Answer::Text(answer) => {
                    say!("{answer}");
                    Ok(true)
                }
                Answer::Error(error) | Answer::Failed(error) => Err(error),
                Answer::Stopped => Ok(false),
            }
        }
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
