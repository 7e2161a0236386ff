//! The questions: what each is called, what it takes and gives, and who answers it.
//!
//! A question is a function from one struct to another, both of which say by their docs what their fields mean; the
//! `OpenAPI` file, the list at `/api` and the tests come from the same entries.

pub mod encodings;
pub mod gem;
pub mod listing;
mod lot;
pub mod model;
pub mod openapi;
mod proof;
pub mod sudoku;

use cnfkit::render::{Look, Theme};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::jobs::Work;
use crate::problem::Problem;

type Run = Box<dyn Fn(Value, &Work) -> Result<String, Problem> + Send + Sync>;

/// One question.
pub struct Question {
    /// Its path below `/api/`.
    pub name: &'static str,
    /// Its description, in a sentence or a few.
    pub about: &'static str,
    /// A question that has an answer, as JSON.
    pub example: &'static str,
    /// True if an engine may answer it: the server then takes the field `engine` of the question.
    pub takes_engine: bool,
    run: Run,
    schemas: fn(&mut SchemaGenerator) -> (Schema, Schema),
}

impl std::fmt::Debug for Question {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Question").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Question {
    /// A question that `run` answers.
    pub fn new<Asked, Given>(
        name: &'static str,
        about: &'static str,
        example: &'static str,
        run: fn(&Asked, &Work) -> Result<Given, Problem>,
    ) -> Self
    where
        Asked: DeserializeOwned + JsonSchema + 'static,
        Given: Serialize + JsonSchema + 'static,
    {
        let run: Run = Box::new(move |asked, work| {
            let asked: Asked = serde_path_to_error::deserialize(asked).map_err(|error| {
                let place = error.path().to_string();
                Problem::refused(if place == "." { "the question".into() } else { place }, error.inner().to_string())
            })?;
            let given = run(&asked, work)?;
            serde_json::to_string(&given).map_err(|error| Problem::bug(error.to_string()))
        });
        let schemas =
            |schemas: &mut SchemaGenerator| (schemas.subschema_for::<Asked>(), schemas.subschema_for::<Given>());
        Self { name, about, example, takes_engine: false, run, schemas }
    }

    /// This question, which [engines](crate::engines) may answer.
    #[must_use]
    pub fn by_engines(self) -> Self {
        Self { takes_engine: true, ..self }
    }

    /// The answer, as JSON.
    ///
    /// # Errors
    /// When the question is not understood, not allowed, or not answered in time.
    pub fn answer(&self, asked: Value, work: &Work) -> Result<String, Problem> {
        (self.run)(asked, work)
    }

    /// The schemas of its request and of its answer.
    pub fn schemas(&self, generator: &mut SchemaGenerator) -> (Schema, Schema) {
        (self.schemas)(generator)
    }
}

/// All questions there are.
#[derive(Debug)]
pub struct Questions(Vec<Question>);

impl Questions {
    /// Those of the program.
    #[must_use]
    pub fn all() -> Self {
        Self(
            [sudoku::questions(), gem::questions(), encodings::questions(), model::questions()]
                .into_iter()
                .flatten()
                .collect(),
        )
    }

    /// These ones.
    #[must_use]
    pub fn of(questions: Vec<Question>) -> Self {
        Self(questions)
    }

    /// The question with this index in [`iter`](Self::iter).
    pub(crate) fn at(&self, index: usize) -> &Question {
        &self.0[index]
    }

    /// Each of them.
    pub fn iter(&self) -> std::slice::Iter<'_, Question> {
        self.0.iter()
    }
}

impl<'a> IntoIterator for &'a Questions {
    type Item = &'a Question;
    type IntoIter = std::slice::Iter<'a, Question>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// A question without fields.
#[derive(Clone, Copy, Debug, Default, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// How a picture looks on a page that is dark or light.
pub(crate) fn look(dark: bool) -> Look {
    Look::new(if dark { Theme::Dark } else { Theme::Light })
}

/// The beginning of somebody else's text, for a message.
pub(crate) fn shown(text: &str) -> String {
    text.chars().take(40).flat_map(char::escape_debug).collect()
}
