//! Things of most worth.

#[path = "../../../../../examples/model/knapsack.rs"]
#[expect(dead_code, reason = "its `page` is for the terminal")]
mod example;

use crate::api::model::Page;
use crate::api::model::answer::{Answer, Drawing, Goal, ask};
use crate::api::model::parameters::{Chosen, Parameter, wrong};
use crate::jobs::Work;
use crate::problem::Problem;

pub(super) const PAGE: Page = Page {
    name: "knapsack",
    title: "Knapsack",
    about: "Things of most worth that are light enough to carry: the best choice, and the proof that none is better.",
    parameters: &[
        Parameter::integer("most", "Weight", "how much can be carried", [0, 60, 1_000_000]),
        Parameter::text(
            "things",
            "Things",
            "a thing a line: name, weight, worth",
            "tent 25 60\nstove 12 35\nwater 20 70\ncamera 9 30\nbook 6 12\nrope 14 38\nmap 1 15\nchair 18 20",
        ),
    ],
    file: include_str!("../../../../../examples/model/knapsack.rs"),
    run,
};

const MOST_THINGS: usize = 60;
const MOST_WORTH: i64 = 100_000;

fn run(chosen: &Chosen<'_>, work: &Work) -> Result<Answer, Problem> {
    let things = chosen.lines("things", MOST_THINGS)?.into_iter().enumerate().map(|(number, line)| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let whole = |word: &str| word.parse::<i64>().ok().filter(|number| (0..=MOST_WORTH).contains(number));
        match words[..] {
            [name, weight, worth] => whole(weight).zip(whole(worth)).map(|(weight, worth)| (name, weight, worth)),
            _ => None,
        }
        .ok_or_else(|| {
            let error = format!("line {}: a thing is a name and two numbers from 0 to {MOST_WORTH}", number + 1);
            wrong("things", error)
        })
    });
    let things: Vec<(&str, i64, i64)> = things.collect::<Result<_, _>>()?;
    let (model, taken, worth) = example::model(&things, chosen.integer("most")?);
    ask(model, Goal::Most(worth), work, |solution, is_best| {
        let taken: Vec<_> =
            things.iter().zip(&taken).filter(|(_, taken)| solution.is_true(**taken)).map(|(thing, _)| thing).collect();
        let (weight, worth) = taken.iter().fold((0, 0), |sum, thing| (sum.0 + thing.1, sum.1 + thing.2));
        let end = if is_best { "nothing is worth more" } else { "the best that was found in time" };
        let note = format!("weight {weight}, worth {worth}: {end}");
        let cells =
            taken.iter().map(|(name, weight, worth)| vec![(*name).to_owned(), weight.to_string(), worth.to_string()]);
        let names: Vec<&str> = taken.iter().map(|thing| thing.0).collect();
        Drawing::Grid { cells: cells.collect(), text: format!("{} ({note})", names.join(", ")), note }
    })
}
