//! Questions about models: a few pages of Rust with numbers to be changed, and models that somebody writes.

mod answer;
mod flatzinc;
mod pages;
mod parameters;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use self::answer::Answer;
use self::parameters::{Chosen, Parameter};
use super::{Nothing, Question, shown};
use crate::jobs::Work;
use crate::problem::Problem;

/// A model with parameters.
pub(crate) struct Page {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    parameters: &'static [Parameter],
    /// The file with its function `model`: the page's own, or one of `examples/model`.
    file: &'static str,
    run: fn(&Chosen<'_>, &Work) -> Result<Answer, Problem>,
}

/// The models that there are.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Models {
    models: Vec<Entry>,
    /// Texts of `model/flatzinc` to begin with.
    texts: Vec<flatzinc::Example>,
}

/// One model.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Entry {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    parameters: Vec<Parameter>,
    /// The Rust function that makes the model.
    source: String,
}

/// A model to be solved.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Run {
    /// A name of `model/list`.
    name: String,
    /// Numbers and texts by name; the default for what is not there.
    #[serde(default)]
    parameters: Map<String, Value>,
}

/// The function `model` of a file, with its docs.
fn source(file: &str) -> String {
    let begin = ["\nfn model(", "\npub(crate) fn model("].iter().find_map(|head| file.find(head));
    let begin = begin.map_or(0, |at| at + 1);
    let docs = file[..begin].lines().rev().take_while(|line| line.starts_with("///")).map(|line| line.len() + 1);
    let begin = begin - docs.sum::<usize>();
    let end = file[begin..].find("\n}").map_or(file.len(), |at| begin + at + 2);
    file[begin..end].replacen("pub(crate) fn", "fn", 1)
}

#[allow(clippy::unnecessary_wraps)] // as all answers
fn list(_: &Nothing, _: &Work) -> Result<Models, Problem> {
    let entry = |page: &Page| Entry {
        name: page.name,
        title: page.title,
        about: page.about,
        parameters: page.parameters.to_vec(),
        source: source(page.file),
    };
    Ok(Models { models: pages::ALL.iter().map(entry).collect(), texts: flatzinc::EXAMPLES.to_vec() })
}

fn solve(asked: &Run, work: &Work) -> Result<Answer, Problem> {
    let page = pages::ALL.iter().find(|page| page.name == asked.name).ok_or_else(|| {
        let names: Vec<_> = pages::ALL.iter().map(|page| page.name).collect();
        Problem::refused("name", format!("`{}` is no model; allowed are {}", shown(&asked.name), names.join(", ")))
    })?;
    (page.run)(&Chosen::new(page.parameters, &asked.parameters)?, work)
}

/// Its questions.
#[must_use]
pub fn questions() -> Vec<Question> {
    vec![
        Question::new("model/list", "The models, their parameters, and the Rust that makes them.", "{}", list),
        Question::new(
            "model/solve",
            "A solution of a model with these parameters, and what it took.",
            r#"{"name": "queens", "parameters": {"n": 8}}"#,
            solve,
        )
        .by_engines(),
        Question::new(
            "model/flatzinc",
            "Solutions of a model in FlatZinc: one, several, all, or the best. A mistake has its line and column.",
            r#"{"text": "var 1..9: x :: output_var; constraint int_times(x, x, 49); solve satisfy;"}"#,
            flatzinc::solve,
        ),
    ]
}
