//! The clauses themselves: of a small constraint to be looked at, of any to be taken away.

use cnfkit::{Cnf, Lit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::named::{Bound, Named, Words};
use crate::api::shown;
use crate::api::sudoku::picture::{Dimacs, MOST_CLAUSES};
use crate::jobs::Work;
use crate::problem::Problem;

/// The most literals of a constraint whose clauses are listed, clauses that are, and literals of any constraint.
const MOST_SHOWN: usize = 64;
const MOST_LISTED: usize = 20_000;
const MOST_LITERALS: usize = 100_000;

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
pub(crate) struct Clauses {
    /// Inputs first, then auxiliaries.
    variables: Vec<Variable>,
    /// Literals as in DIMACS: a number, negative where negated.
    clauses: Vec<Vec<i32>>,
}

/// A variable.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Variable {
    number: usize,
    /// `x3` for the third input, `auxiliary 2: …` for what an encoding added.
    role: String,
}

/// Answers `encodings/clauses`.
pub(crate) fn clauses(asked: Look, _: &Work) -> Result<Clauses, Problem> {
    let n = asked.n;
    if n > MOST_SHOWN {
        return Err(Problem::refused("n", format!("{n} literals; the clauses of at most {MOST_SHOWN} are shown")));
    }
    let weights = asked.weights.iter().copied().cycle();
    let weights: Vec<u64> = if asked.weights.is_empty() { vec![1; n] } else { weights.take(n).collect() };
    let lits = (0..n as u32).map(Lit::positive);
    let cnf = encode(&asked.encoding, asked.relation, &asked.k, &lits.zip(weights).collect::<Vec<_>>(), n)?;
    if cnf.n_clauses() > MOST_LISTED {
        let error = format!("{} clauses; at most {MOST_LISTED} are listed", cnf.n_clauses());
        return Err(Problem::refused("n", error));
    }
    let role = |number: usize| if number <= n { format!("x{number}") } else { format!("auxiliary {}", number - n) };
    Ok(Clauses {
        variables: (1..=cnf.n_vars()).map(|number| Variable { number, role: role(number) }).collect(),
        clauses: cnf.iter().map(|clause| clause.iter().map(|lit| lit.to_ipasir()).collect()).collect(),
    })
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
pub(crate) fn dimacs(asked: Write, _: &Work) -> Result<Dimacs, Problem> {
    let terms = read(&asked.text)?;
    let vars = terms.iter().map(|(lit, _)| lit.vidx() + 1).max().unwrap_or(0);
    let cnf = encode(&asked.encoding, asked.relation, &asked.k, &terms, vars)?;
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
        let literal =
            literal.parse::<i32>().ok().filter(|literal| *literal != 0 && literal.unsigned_abs() <= 1_000_000);
        let literal = literal.and_then(|literal| Lit::from_ipasir(literal).ok());
        let weight = weight.filter(|&weight| weight <= u64::from(u32::MAX));
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

/// The constraint as clauses; refused when that would be too many.
fn encode(name: &str, relation: Words, k: &Bound, terms: &[(Lit, u64)], vars: usize) -> Result<Cnf, Problem> {
    let named = Named::of(name, "encoding")?;
    if !matches!(named, Named::Pb(_)) && terms.iter().any(|term| term.1 != 1) {
        return Err(Problem::refused("encoding", format!("{named} encodes numbers of literals, no weights")));
    }
    let bound = k.of(terms.iter().map(|term| term.1).sum())?;
    let most = MOST_CLAUSES as usize;
    let limit = cnfkit::Size { vars: 10 * MOST_CLAUSES, clauses: most as u64, lits: 20 * MOST_CLAUSES };
    let mut cnf = Cnf::with_vars(vars).with_limit(limit);
    let said = named.say(&mut cnf, terms, relation.with(bound));
    said.map_err(|error| Problem::refused("relation", format!("{named} {error}")))?.map_err(Problem::from)?;
    Ok(cnf)
}
