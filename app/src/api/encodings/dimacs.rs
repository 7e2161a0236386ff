//! A constraint on somebody's own literals, as a formula in DIMACS format.

use cnfkit::{Cnf, PbRelation, Size};
use schemars::JsonSchema;
use serde::Deserialize;

use super::named::{Bound, Words, total, understood};
use super::terms::{self, Constraint};
use crate::api::sudoku::picture::{Dimacs, MOST_CLAUSES};
use crate::jobs::Work;
use crate::problem::Problem;

/// A constraint on literals.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Write {
    /// Literals as in DIMACS: numbers, negative where negated, parted by blanks, commas or line ends, each perhaps with
    /// a weight, `3*-7`. Or a sum of terms: `3 x1 + 2 ~x2 - x5`, where x5 is variable 5 and `~` (or `!`, `¬`) negates.
    /// After either perhaps `<= 4`, `>= 4` or `= 4`.
    text: String,
    /// The relation that the literals must be in; not needed if the text says it, and not asked then.
    #[serde(default)]
    relation: Option<Words>,
    /// The bound that goes with the relation.
    #[serde(default)]
    k: Option<Bound>,
    /// A name of `encodings/list`; if not given, `card:auto`, or `pb:auto` for weights.
    #[serde(default)]
    encoding: Option<String>,
}

/// Answers `encodings/dimacs`.
pub(crate) fn dimacs(asked: &Write, _: &Work) -> Result<Dimacs, Problem> {
    let Constraint { terms, said } = terms::read(&asked.text)?;
    let weighted = terms.iter().any(|term| term.1 != 1);
    let relation = match (said, asked.relation, &asked.k) {
        (Some(relation), ..) => relation,
        (None, Some(words), Some(bound)) => words.with(bound.of(total(&terms))?),
        (None, None, _) => return Err(missing("relation")),
        (None, _, None) => return Err(missing("k")),
    };
    let default = if weighted { "pb:auto" } else { "card:auto" };
    let named = understood(asked.encoding.as_deref().unwrap_or(default), &terms)?;
    let vars = terms.iter().map(|(lit, _)| lit.vidx() + 1).max().unwrap_or(0);
    let limit = Size { vars: 10 * MOST_CLAUSES, clauses: MOST_CLAUSES, lits: 20 * MOST_CLAUSES };
    let mut cnf = Cnf::with_vars(vars).with_limit(limit);
    let said = named.say(&mut cnf, &terms, relation);
    said.map_err(|error| Problem::refused("relation", format!("{named} {error}")))?.map_err(Problem::from)?;
    let what = match relation {
        // So that nobody reads a bound that no sum can reach as one that was meant.
        PbRelation::AtLeast(bound) if bound > total(&terms) => "more than is possible".to_owned(),
        _ => relation.to_string(),
    };
    let of = if weighted { "weights in" } else { "of" };
    Dimacs::of(&cnf, format!("c {what} {of} {} literals, {named}; auxiliaries from {}.\n", terms.len(), vars + 1))
}

fn missing(place: &str) -> Problem {
    Problem::refused(place, "neither the text nor this field says what is demanded; the text may end in `<= 4`")
}
