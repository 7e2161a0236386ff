//! The clauses of a small constraint, to be looked at.

use cnfkit::Lit;
use cnfkit::render::{Auxiliary, Blueprint};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::named::{Bound, Words, total, understood};
use super::sizes::size;
use super::weights::Weights;
use crate::api::look;
use crate::api::sudoku::picture::Picture;
use crate::jobs::Work;
use crate::problem::Problem;

/// The most literals of a constraint whose clauses are listed, and clauses that are.
const MOST_SHOWN: usize = 64;
const MOST_LISTED: u64 = 20_000;

/// A small constraint.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Look {
    relation: Words,
    /// At most 64.
    n: usize,
    k: Bound,
    /// A name of `encodings/list`.
    encoding: String,
    /// Weights of the literals, for the family `pb`; all 1 if not given.
    #[serde(default)]
    weights: Weights,
}

/// Clauses over numbered variables.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Listing {
    /// Inputs first, then auxiliaries.
    variables: Vec<Variable>,
    /// Literals as in DIMACS: a number, negative where negated.
    clauses: Vec<Vec<i32>>,
    /// For each clause, true if it enforces the bound, false if it only defines auxiliaries.
    enforces: Vec<bool>,
    /// How auxiliaries are made of others; nothing without auxiliaries.
    structure: Vec<Made>,
}

/// A variable.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Variable {
    number: usize,
    /// `x3` for the third input, `a2` for the second auxiliary, which an encoding added.
    name: String,
    /// `input`, `input of weight 5`, or what an auxiliary means: `true as soon as at least 2 of x1 to x4 are true`;
    /// `made of x5, a2` where no count of its inputs says it.
    role: String,
}

/// The definition of an auxiliary.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Made {
    number: usize,
    /// The variables that its definition names.
    from: Vec<usize>,
    /// The inputs that it depends on, through others too.
    inputs: Vec<usize>,
    /// Steps from the inputs, by the longest way.
    depth: usize,
}

/// Answers `encodings/clauses`.
pub(crate) fn clauses(asked: &Look, _: &Work) -> Result<Listing, Problem> {
    let blueprint = blueprint(asked)?;
    let structure = blueprint.structure();
    let inputs = asked.weights.of(asked.n)?.into_iter().zip(1..).map(|(weight, number)| {
        let role = if asked.weights.are_given() { format!("input of weight {weight}") } else { "input".into() };
        Variable { number, name: format!("x{number}"), role }
    });
    let auxiliaries = structure.auxiliaries().iter().map(|auxiliary| Variable {
        number: auxiliary.var().idx() + 1,
        name: auxiliary.name().into(),
        role: auxiliary.role().into(),
    });
    let made = |auxiliary: &Auxiliary| Made {
        number: auxiliary.var().idx() + 1,
        from: auxiliary.from().iter().map(|var| var.idx() + 1).collect(),
        inputs: auxiliary.inputs().iter().map(|input| input + 1).collect(),
        depth: auxiliary.depth(),
    };
    Ok(Listing {
        variables: inputs.chain(auxiliaries).collect(),
        clauses: blueprint.clauses().map(|(clause, _)| clause.iter().map(|lit| lit.to_ipasir()).collect()).collect(),
        enforces: blueprint.clauses().map(|(_, enforces)| enforces).collect(),
        structure: structure.auxiliaries().iter().map(made).collect(),
    })
}

/// A small constraint to be drawn.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DrawClauses {
    constraint: Look,
    /// Colours for a dark page.
    #[serde(default)]
    dark: bool,
}

/// Answers `encodings/svg`.
pub(crate) fn svg(asked: &DrawClauses, _: &Work) -> Result<Picture, Problem> {
    Ok(Picture { svg: blueprint(&asked.constraint)?.to_svg(&look(asked.dark)) })
}

fn blueprint(asked: &Look) -> Result<Blueprint, Problem> {
    let n = asked.n;
    if n > MOST_SHOWN {
        return Err(Problem::refused("n", format!("{n} literals; the clauses of at most {MOST_SHOWN} are shown")));
    }
    let weights = asked.weights.of(n)?;
    let mut blueprint = Blueprint::weighted(&weights);
    let terms: Vec<(Lit, u64)> = blueprint.inputs().into_iter().zip(weights).collect();
    let named = understood(&asked.encoding, &terms)?;
    let relation = asked.relation.with(asked.k.of(total(&terms))?);
    let refused = |error: String| Problem::refused("relation", format!("{named} {error}"));
    let size = size(named, &terms, n, relation).map_err(refused)?;
    if size.clauses > MOST_LISTED || size.lits > 10 * MOST_LISTED {
        let error = format!("{} clauses; at most {MOST_LISTED} are listed", size.clauses);
        return Err(Problem::refused("n", error));
    }
    match named.say(&mut blueprint, &terms, relation).map_err(refused)? {
        Ok(()) => Ok(blueprint),
        Err(never) => match never {},
    }
}
