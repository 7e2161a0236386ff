//! Puzzles and plans as models of integer variables, each a page of this folder.
//!
//! `cargo run --features model --example model -- queens 20` answers a page, of a size where there is a choice: the
//! side of a square, the number of queens or of weeks.

mod colouring;
mod futoshiki;
mod golfers;
pub(crate) mod job_shop;
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

use std::error::Error;
use std::io::{self, Write};

use cnfkit::model::{Expr, Model, Solution};

/// Makes a page: its model, the least of what is looked for if not any solution is good, and the text of a solution and
/// of that value.
pub(crate) type Page = fn(Option<usize>) -> (Model, Option<Expr>, Box<dyn Fn(&Solution, i64) -> String>);

pub(crate) const PAGES: [(&str, Page); 15] = [
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

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let name = args.next().unwrap_or_default();
    let allowed = || format!("`{name}` is no page; allowed: {}", PAGES.map(|(name, _)| name).join(", "));
    let (_, page) = PAGES.iter().find(|(page, _)| *page == name).ok_or_else(allowed)?;
    let size = args.next().map(|word| match word.parse() {
        Ok(size @ 1..=100) => Ok(size),
        _ => Err(format!("`{word}` is no size; allowed: 1 to 100")),
    });
    let (model, cost, show) = page(size.transpose()?);
    let answer = match cost {
        None => model.solve()?.map(|solution| show(&solution, 0)),
        Some(cost) => model.ask().minimum(cost)?.map(|best| show(&best.solution, best.value)),
    };
    Ok(writeln!(io::stdout(), "{}", answer.as_deref().unwrap_or("no solution"))?)
}
