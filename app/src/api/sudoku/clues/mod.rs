//! Killer cages, thermometers and arrows: rules over a few cells, beside those of the layout.
//!
//! The library's Sudokus have rules of one kind, groups of different values. So a board with clues is a model
//! ([`model`]): sums, orders and all-different constraints over its cells. Hints come from candidates that single clues
//! leave ([`deduce`]), and from the model where these are not enough. Questions that have no answer for boards with
//! clues refuse them: [`Sheet::grid`](super::sheet::Sheet::grid).

mod deduce;
mod draw;
mod model;

use std::fmt;

use cnfkit::Grid;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::At;
use crate::problem::Problem;

pub(crate) use self::deduce::{Lost, Next};
pub(crate) use self::draw::draw;
pub(crate) use self::model::rules;

/// The largest side of a board with clues.
pub(crate) const MOST_SIDE: usize = 16;
/// Clues of a board at most: each cell could be a cage, a bulb and a circle.
const MOST: usize = 3 * MOST_SIDE * MOST_SIDE;

/// The kind of a clue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// Its cells hold no value twice, and add up to its sum if it has one.
    Cage,
    /// Values increase from the first cell, the bulb, to the last.
    Thermometer,
    /// The value of the first cell, the circle, is the sum of the others, which may repeat where other rules let them.
    Arrow,
}

/// A rule over a few cells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Clue {
    pub(crate) kind: Kind,
    /// Its cells, in order, each once.
    pub(crate) cells: Vec<At>,
    /// The sum of a cage; null for a cage that only holds no value twice, and for the other kinds.
    #[serde(default)]
    pub(crate) sum: Option<u32>,
}

impl fmt::Display for Clue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [row, column] = self.cells[0];
        let (row, column) = (row + 1, column + 1);
        match (self.kind, self.sum) {
            (Kind::Cage, Some(sum)) => write!(f, "the cage with sum {sum} at row {row}, column {column}"),
            (Kind::Cage, None) => write!(f, "the cage at row {row}, column {column}"),
            (Kind::Thermometer, _) => write!(f, "the thermometer from row {row}, column {column}"),
            (Kind::Arrow, _) => write!(f, "the arrow from row {row}, column {column}"),
        }
    }
}

impl Clue {
    /// The name of its kind, which is that of the technique that uses it.
    pub(crate) const fn technique(&self) -> &'static str {
        match self.kind {
            Kind::Cage => "cage",
            Kind::Thermometer => "thermometer",
            Kind::Arrow => "arrow",
        }
    }

    /// Its mistake on a board of this side, in words.
    fn mistake(&self, side: usize) -> Option<String> {
        let (name, count) = (self.technique(), self.cells.len());
        let (least, most) = match self.kind {
            Kind::Cage => (1, side),
            Kind::Thermometer => (2, side),
            Kind::Arrow => (2, side + 1),
        };
        if !(least..=most).contains(&count) {
            return Some(format!("{count} cells; of side {side}, a {name} has {least} to {most} cells"));
        }
        if let Some([row, column]) = self.cells.iter().find(|cell| cell.iter().any(|&at| at >= side)) {
            return Some(format!("row {}, column {} is outside of the board", row + 1, column + 1));
        }
        let twice = self.cells.iter().enumerate().find(|(at, cell)| self.cells[..*at].contains(cell));
        if let Some((_, [row, column])) = twice {
            return Some(format!("row {}, column {} is in this {name} twice", row + 1, column + 1));
        }
        let (count, side) = (count as u32, side as u32);
        let (least, most) = (count * (count + 1) / 2, count * (2 * side + 1 - count) / 2);
        match (self.kind, self.sum) {
            (_, None) => None,
            (Kind::Cage, Some(sum)) if (least..=most).contains(&sum) => None,
            (Kind::Cage, Some(sum)) => {
                let cells = if count == 1 { "cell" } else { "cells" };
                Some(format!("a sum of {sum}; a cage of {count} {cells} has a sum from {least} to {most}"))
            }
            (_, Some(_)) => Some(format!("a {name} has no sum of its own")),
        }
    }
}

/// Nothing if all clues can be on a board of this side.
pub(crate) fn verify(clues: &[Clue], side: usize) -> Result<(), Problem> {
    let refused = |place: &str, error: String| Err(Problem::refused(place, error));
    if !clues.is_empty() && side > MOST_SIDE {
        let error = format!("a side of {side}; cages, thermometers and arrows are for sides up to {MOST_SIDE}");
        return refused("sheet.clues", error);
    }
    if clues.len() > MOST {
        return refused("sheet.clues", format!("{} clues; at most {MOST} are allowed", clues.len()));
    }
    let mut mistakes = clues.iter().enumerate().filter_map(|(at, clue)| Some((at, clue.mistake(side)?)));
    match mistakes.next() {
        None => Ok(()),
        Some((at, error)) => refused(&format!("sheet.clues[{at}]"), error),
    }
}

/// A clue that the values on the board contradict.
pub(crate) struct Broken<'a> {
    pub(crate) clue: &'a Clue,
    pub(crate) text: String,
    /// Its cells that have values.
    pub(crate) cells: Vec<At>,
}

/// The clues that their values contradict, whatever the cells without one will hold.
pub(crate) fn broken<'a>(grid: &Grid, clues: &'a [Clue]) -> Vec<Broken<'a>> {
    if clues.is_empty() {
        return Vec::new(); // the side may be larger than clues can have
    }
    let all = deduce::all(grid.side());
    let broken = |clue: &'a Clue| {
        let value = |&[row, column]: &At| grid.get(row, column);
        // Values that are out of range are another mistake.
        let mask = |cell: &At| value(cell).filter(|&value| value <= grid.side() as u16).map_or(all, deduce::bit);
        let masks: Vec<u32> = clue.cells.iter().map(mask).collect();
        if !deduce::filter(clue, &masks).contains(&0) {
            return None;
        }
        let cells: Vec<At> = clue.cells.iter().copied().filter(|cell| value(cell).is_some()).collect();
        let values: Vec<String> = cells.iter().filter_map(value).map(|value| value.to_string()).collect();
        Some(Broken { clue, text: format!("{clue} cannot hold {}", values.join(", ")), cells })
    };
    clues.iter().filter_map(broken).collect()
}

/// A board with clues.
#[derive(Clone, Debug)]
pub(crate) struct Clued {
    pub(crate) grid: Grid,
    pub(crate) clues: Vec<Clue>,
}
