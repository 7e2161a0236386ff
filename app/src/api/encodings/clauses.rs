//! The clauses themselves: of a small constraint to be looked at, of any to be taken away.

use cnfkit::render::{Auxiliary, Blueprint};
use cnfkit::{Cnf, Lit, PbRelation, Size};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::named::{Bound, Named, Words};
use super::sizes::size;
use crate::api::sudoku::picture::{Dimacs, MOST_CLAUSES, Picture};
use crate::api::{look, shown};
use crate::jobs::Work;
use crate::problem::Problem;

/// The most literals of a constraint whose clauses are listed, clauses that are, and literals of any constraint.
const MOST_SHOWN: usize = 64;
const MOST_LISTED: u64 = 20_000;
const MOST_LITERALS: usize = 100_000;
/// The largest number of a variable.
const MOST_NUMBER: i32 = 1_000_000;

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
    weights: Vec<u64>,
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
    /// `x3` for the third input; `auxiliary 2: at least 2 of x1 to x4 are true` for what an encoding added.
    role: String,
}

/// What an auxiliary is made of.
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
    let n = asked.n;
    let structure = blueprint.structure();
    let inputs = (1..=n).map(|number| Variable { number, role: format!("x{number}") });
    let auxiliaries = structure.auxiliaries().iter().map(|auxiliary| {
        let number = auxiliary.var().idx() + 1;
        Variable { number, role: role(auxiliary, n) }
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

/// What an auxiliary means, or what it is made of where it counts nothing.
fn role(auxiliary: &Auxiliary, n: usize) -> String {
    let name = format!("auxiliary {}", auxiliary.var().idx() + 1 - n);
    let list = |numbers: &[usize]| {
        let names: Vec<String> = numbers.iter().map(|number| format!("x{}", number + 1)).collect();
        match (&names[..], numbers) {
            ([first, .., last], [from, .., to]) if names.len() > 2 && to - from + 1 == names.len() => {
                format!("{first} to {last}")
            }
            (names, _) => names.join(", "),
        }
    };
    if let Some(count) = auxiliary.count() {
        let value = if count.of { "true" } else { "false" };
        return match (auxiliary.inputs(), count.least) {
            ([only], _) => format!("{name}: x{} is {value}", only + 1),
            (inputs, 1) => format!("{name}: one of {} is {value}", list(inputs)),
            (inputs, least) if least == inputs.len() => format!("{name}: {} are all {value}", list(inputs)),
            (inputs, least) => format!("{name}: at least {least} of {} are {value}", list(inputs)),
        };
    }
    let from = auxiliary.from().iter().map(|var| match var.idx() {
        input if input < n => format!("x{}", input + 1),
        auxiliary => format!("auxiliary {}", auxiliary + 1 - n),
    });
    format!("{name}: made of {}", from.collect::<Vec<_>>().join(", "))
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
    let weights = asked.weights.iter().copied().cycle();
    let weights: Vec<u64> = if asked.weights.is_empty() { vec![1; n] } else { weights.take(n).collect() };
    let mut blueprint = Blueprint::new(n);
    let terms: Vec<(Lit, u64)> = blueprint.inputs().into_iter().zip(weights).collect();
    let (named, relation) = understood(&asked.encoding, asked.relation, &asked.k, &terms)?;
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

/// A constraint on literals.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Write {
    /// Literals as in DIMACS: numbers, negative where negated, parted by blanks, commas or line ends; `weight*literal`
    /// for the family `pb`.
    text: String,
    relation: Words,
    k: Bound,
    /// A name of `encodings/list`.
    encoding: String,
}

/// Answers `encodings/dimacs`.
pub(crate) fn dimacs(asked: &Write, _: &Work) -> Result<Dimacs, Problem> {
    let terms = read(&asked.text)?;
    let vars = terms.iter().map(|(lit, _)| lit.vidx() + 1).max().unwrap_or(0);
    let cnf = encode(asked, &terms, vars)?;
    let relation = asked.relation.with(asked.k.of(terms.iter().map(|term| term.1).sum())?);
    let remark =
        format!("c {relation} of {} literals, {}; auxiliaries from {}.\n", terms.len(), asked.encoding, vars + 1);
    Dimacs::of(&cnf, remark)
}

fn read(text: &str) -> Result<Vec<(Lit, u64)>, Problem> {
    let mut words =
        text.split(|sign: char| sign.is_whitespace() || sign == ',').filter(|word| !word.is_empty()).peekable();
    let mut terms = Vec::new();
    while let Some(word) = words.next() {
        if word == "0" && words.peek().is_none() {
            break; // the end of a clause in DIMACS
        }
        let (weight, literal) = match word.split_once('*') {
            Some((weight, literal)) => (weight.parse().ok(), literal),
            None => (Some(1_u64), word),
        };
        // A number in the millions would make a formula with as many variables.
        let literal = literal
            .parse::<i32>()
            .ok()
            .filter(|literal| *literal != 0 && (-MOST_NUMBER..=MOST_NUMBER).contains(literal));
        let literal = literal.and_then(|literal| Lit::from_ipasir(literal).ok());
        let weight = weight.filter(|&weight| u32::try_from(weight).is_ok());
        let Some((literal, weight)) = literal.zip(weight) else {
            let error = format!(
                "`{}`, number {} of the text, is no literal; allowed are -1000000 to 1000000 but not 0, and before it \
                 perhaps a weight and `*`",
                shown(word),
                terms.len() + 1
            );
            return Err(Problem::refused("text", error));
        };
        terms.push((literal, weight));
        if terms.len() > MOST_LITERALS {
            return Err(Problem::refused("text", format!("more than {MOST_LITERALS} literals")));
        }
    }
    Ok(terms)
}

/// An encoding and a relation that it may be asked for.
fn understood(name: &str, relation: Words, k: &Bound, terms: &[(Lit, u64)]) -> Result<(Named, PbRelation), Problem> {
    let named = Named::of(name, "encoding")?;
    if !matches!(named, Named::Pb(_)) && terms.iter().any(|term| term.1 != 1) {
        return Err(Problem::refused("encoding", format!("{named} encodes numbers of literals, no weights")));
    }
    Ok((named, relation.with(k.of(terms.iter().map(|term| term.1).sum())?)))
}

/// The constraint as clauses; refused when that would be too many.
fn encode(asked: &Write, terms: &[(Lit, u64)], vars: usize) -> Result<Cnf, Problem> {
    let (named, relation) = understood(&asked.encoding, asked.relation, &asked.k, terms)?;
    let limit = Size { vars: 10 * MOST_CLAUSES, clauses: MOST_CLAUSES, lits: 20 * MOST_CLAUSES };
    let mut cnf = Cnf::with_vars(vars).with_limit(limit);
    let said = named.say(&mut cnf, terms, relation);
    said.map_err(|error| Problem::refused("relation", format!("{named} {error}")))?.map_err(Problem::from)?;
    Ok(cnf)
}
