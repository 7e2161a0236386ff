//! A sum of words.

use cnfkit::model::{Expr, IntVar, Model};

use crate::api::model::Page;
use crate::api::model::answer::{Answer, Drawing, Goal, ask};
use crate::api::model::parameters::{Chosen, Parameter, wrong};
use crate::jobs::Work;
use crate::problem::Problem;

pub(super) const PAGE: Page = Page {
    name: "cryptarithm",
    title: "Sum of words",
    about: "Each letter stands for a digit, no word begins with 0, and the sum is right (H. E. Dudeney, Strand \
            Magazine, July 1924).",
    parameters: &[Parameter::text("sum", "Sum", "words of at most ten different letters", "SEND + MORE = MONEY")],
    file: include_str!("cryptarithm.rs"),
    run,
};

const MOST_LETTERS: usize = 12;

/// Each letter stands for a digit; words are lists of letters, and the last one is the sum of the others.
fn model(letters: usize, words: &[Vec<usize>]) -> (Model, Vec<IntVar>) {
    let mut model = Model::new();
    let digits = model.ints(letters, 0..=9);
    let number = |word: &Vec<usize>| word.iter().fold(Expr::from(0), |number, &at| 10 * number + digits[at]);
    model.all_different(&digits);
    for word in words {
        model.post(digits[word[0]].ge(1));
    }
    if let Some((sum, added)) = words.split_last() {
        let total = added.iter().map(number).fold(Expr::from(0), |total, number| total + number);
        model.post(total.eq(number(sum)));
    }
    (model, digits)
}

fn run(chosen: &Chosen<'_>, work: &Work) -> Result<Answer, Problem> {
    let text = chosen.text("sum")?;
    let (added, total) = text.split_once('=').ok_or_else(|| wrong("sum", "a sum has a `=`"))?;
    let mut letters: Vec<char> = Vec::new();
    let mut words = Vec::new();
    for word in added.split('+').chain([total]).map(str::trim) {
        if word.is_empty() || word.chars().count() > MOST_LETTERS || !word.chars().all(char::is_alphabetic) {
            return Err(wrong("sum", format!("`{}` is no word of 1 to {MOST_LETTERS} letters", word.escape_debug())));
        }
        let indices = word.chars().map(|letter| {
            letters.iter().position(|&other| other == letter).unwrap_or_else(|| {
                letters.push(letter);
                letters.len() - 1
            })
        });
        words.push(indices.collect::<Vec<usize>>());
    }
    if words.len() > 20 {
        return Err(wrong("sum", format!("{} words; at most 20 are allowed", words.len())));
    }
    let (model, digits) = model(letters.len(), &words);
    ask(model, Goal::Any, work, |solution, _| {
        let digits = solution.values(&digits);
        let text: String = text
            .chars()
            .map(|sign| {
                letters.iter().position(|&letter| letter == sign).map_or(sign.to_string(), |at| digits[at].to_string())
            })
            .collect();
        let cells = vec![letters.iter().map(char::to_string).collect(), digits.iter().map(i64::to_string).collect()];
        Drawing::Grid { cells, note: text.clone(), text }
    })
}
