//! The parameters of a page: what they may be, and what somebody chose.

use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::api::shown;
use crate::problem::Problem;

/// The most characters of a text.
const MOST_TEXT: usize = 4000;

/// A number or a text that a page may be given.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// Its meaning.
    pub(crate) about: &'static str,
    #[serde(flatten)]
    pub(crate) kind: Kind,
}

/// The values that a parameter may have.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(crate) enum Kind {
    /// A whole number.
    Integer { least: i64, most: i64, default: i64 },
    /// Some lines.
    Text { default: &'static str },
}

impl Parameter {
    pub(crate) const fn integer(
        name: &'static str,
        title: &'static str,
        about: &'static str,
        [least, default, most]: [i64; 3],
    ) -> Self {
        Self { name, title, about, kind: Kind::Integer { least, most, default } }
    }

    pub(crate) const fn text(
        name: &'static str,
        title: &'static str,
        about: &'static str,
        default: &'static str,
    ) -> Self {
        Self { name, title, about, kind: Kind::Text { default } }
    }
}

/// The parameters that somebody chose; all others have their defaults.
#[derive(Debug)]
pub(crate) struct Chosen<'a> {
    parameters: &'a [Parameter],
    values: &'a Map<String, Value>,
}

impl<'a> Chosen<'a> {
    /// Checks that there are no others.
    pub(crate) fn new(parameters: &'a [Parameter], values: &'a Map<String, Value>) -> Result<Self, Problem> {
        match values.keys().find(|name| parameters.iter().all(|parameter| parameter.name != *name)) {
            None => Ok(Self { parameters, values }),
            Some(name) => {
                let names: Vec<_> = parameters.iter().map(|parameter| parameter.name).collect();
                let error = format!("there is no parameter `{}`; there are: {}", shown(name), names.join(", "));
                Err(Problem::refused(format!("parameters.{}", shown(name)), error))
            }
        }
    }

    fn named(&self, name: &str) -> Result<(&'a Parameter, Option<&'a Value>), Problem> {
        let parameter = self.parameters.iter().find(|parameter| parameter.name == name);
        let parameter = parameter.ok_or_else(|| Problem::bug(format!("no parameter {name}")))?;
        Ok((parameter, self.values.get(name).filter(|value| !value.is_null())))
    }

    /// A number.
    pub(crate) fn integer(&self, name: &str) -> Result<i64, Problem> {
        let (parameter, value) = self.named(name)?;
        let Kind::Integer { least, most, default } = parameter.kind else {
            return Err(Problem::bug(format!("{name} is no number")));
        };
        let Some(value) = value else { return Ok(default) };
        let range: RangeInclusive<i64> = least..=most;
        value.as_i64().filter(|value| range.contains(value)).ok_or_else(|| {
            let error = format!(
                "{} is {}; allowed are whole numbers from {least} to {most}",
                parameter.title,
                shown(&value.to_string())
            );
            Problem::refused(format!("parameters.{name}"), error)
        })
    }

    /// A text.
    pub(crate) fn text(&self, name: &str) -> Result<&'a str, Problem> {
        let (parameter, value) = self.named(name)?;
        let Kind::Text { default } = parameter.kind else {
            return Err(Problem::bug(format!("{name} is no text")));
        };
        let Some(value) = value else { return Ok(default) };
        value.as_str().filter(|text| text.chars().count() <= MOST_TEXT).ok_or_else(|| {
            let error = format!("{} is a text of at most {MOST_TEXT} characters", parameter.title);
            Problem::refused(format!("parameters.{name}"), error)
        })
    }

    /// The lines of a text that are not blank, at most so many.
    pub(crate) fn lines(&self, name: &str, most: usize) -> Result<Vec<&'a str>, Problem> {
        let lines: Vec<&str> = self.text(name)?.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        if lines.len() > most {
            return Err(wrong(name, format!("{} lines; at most {most} are allowed", lines.len())));
        }
        Ok(lines)
    }
}

/// A parameter that is wrong.
pub(crate) fn wrong(name: &str, error: impl Into<String>) -> Problem {
    Problem::refused(format!("parameters.{name}"), error)
}
