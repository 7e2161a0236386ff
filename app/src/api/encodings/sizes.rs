//! How large each encoding is, known without encoding, and how long encoding takes.

use std::convert::Infallible;
use std::time::{Duration, Instant};

use cnfkit::rustsat::types::Var;
use cnfkit::{ClauseSink, Cnf, Lit, PbRelation, Size, Tally};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::named::{Bound, NO_WEIGHTS, Named, Words};
use super::weights::Weights;
use crate::jobs::Work;
use crate::problem::Problem;

/// The most literals of a constraint, sizes in one question, and clauses that are encoded to see how long it takes.
const MOST_LITERALS: usize = 100_000;
const MOST_ROWS: usize = 2000;
const MOST_CLAUSES: u64 = 10_000_000;
/// An encoding whose plan takes more than this part of the question's time is not planned for more literals: some plans
/// of weights take four times as long for twice as many, and nobody would get an answer.
const PATIENCE: u32 = 30;

/// Constraints whose sizes are wanted: every n with every encoding.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sizes {
    relation: Words,
    /// The bound, one for each n; where there are weights, a share is one of their sum.
    k: Bound,
    /// Numbers of literals, each at most 100,000.
    n: Vec<usize>,
    /// Names of `encodings/list`.
    encodings: Vec<String>,
    /// True to encode, too, and tell how long that takes.
    #[serde(default)]
    time: bool,
    /// The weights of the literals, for the family `pb`. All 1 if not given; the bound is then one on a number of
    /// literals.
    #[serde(default)]
    weights: Weights,
}

/// The sizes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Sized {
    /// In the order of n, and then of encodings.
    rows: Vec<Row>,
}

/// One constraint with one encoding.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Row {
    encoding: String,
    n: usize,
    k: u64,
    /// The sum of all weights: n, if none are given.
    sum: u64,
    /// Auxiliary variables; null if refused.
    variables: Option<u64>,
    clauses: Option<u64>,
    /// Literals in all clauses together.
    literals: Option<u64>,
    /// `GAC` or `not GAC`.
    strength: &'static str,
    /// The time to encode in microseconds, if it was asked for: the best of some tries.
    micros: Option<f64>,
    /// Why there is no size, or no time.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
}

/// Answers `encodings/sizes`.
pub(crate) fn sizes(asked: &Sizes, work: &Work) -> Result<Sized, Problem> {
    let named = asked.encodings.iter().enumerate();
    let named = named.map(|(index, name)| Named::of(name, &format!("encodings[{index}]")));
    let named: Vec<Named> = named.collect::<Result<_, _>>()?;
    if let Some(index) = asked.n.iter().position(|&n| n > MOST_LITERALS) {
        let error = format!("{} literals; at most {MOST_LITERALS} are allowed", asked.n[index]);
        return Err(Problem::refused(format!("n[{index}]"), error));
    }
    let most = asked.n.len().saturating_mul(named.len());
    if most > MOST_ROWS {
        return Err(Problem::refused(
            "n",
            format!("{most} sizes are asked for; at most {MOST_ROWS} are given at once"),
        ));
    }
    let mut rows = Vec::with_capacity(most);
    let patience = work.left() / PATIENCE;
    let mut slow: Vec<Option<usize>> = vec![None; named.len()];
    for &n in &asked.n {
        let weights = asked.weights.of(n)?;
        let k = asked.k.of(weights.iter().sum())?;
        for (&named, slow) in named.iter().zip(&mut slow) {
            work.check()?;
            work.say(&format!("{named}, n = {n}"), rows.len() as u64, Some(most as u64));
            let start = Instant::now();
            rows.push(match *slow {
                Some(before) if before < n => {
                    let why = format!("not planned: {before} literals took too long for this question to plan more");
                    Row { refused: Some(why), ..empty(named, &weights, k) }
                }
                _ => row(named, &weights, asked.relation.with(k), k, asked.time),
            });
            if start.elapsed() > patience {
                *slow = Some(slow.map_or(n, |before| before.min(n)));
            }
        }
    }
    Ok(Sized { rows })
}

/// A row without sizes.
fn empty(named: Named, weights: &[u64], k: u64) -> Row {
    Row {
        encoding: named.to_string(),
        n: weights.len(),
        k,
        sum: weights.iter().sum(),
        variables: None,
        clauses: None,
        literals: None,
        strength: named.strength(),
        micros: None,
        refused: None,
    }
}

fn row(named: Named, weights: &[u64], relation: PbRelation, k: u64, time: bool) -> Row {
    let terms = |lits: Vec<Lit>| lits.into_iter().zip(weights.iter().copied()).collect::<Vec<_>>();
    let mut row = empty(named, weights, k);
    if !matches!(named, Named::Pb(_)) && weights.iter().any(|&weight| weight != 1) {
        row.refused = Some(NO_WEIGHTS.into());
        return row;
    }
    let inputs = (0..weights.len() as u32).map(Lit::positive).collect();
    let size = match size(named, &terms(inputs), weights.len(), relation) {
        Ok(size) => size,
        Err(refused) => {
            row.refused = Some(refused);
            return row;
        }
    };
    (row.variables, row.clauses, row.literals) = (Some(size.vars), Some(size.clauses), Some(size.lits));
    if time {
        if size.clauses > MOST_CLAUSES || size.lits > 8 * MOST_CLAUSES {
            row.refused = Some(format!("more than {MOST_CLAUSES} clauses are not encoded"));
        } else {
            row.micros = Some(micros(named, weights.len(), &terms, relation));
        }
    }
    row
}

/// The size of a constraint over `n` variables, without encoding it; or why the encoding cannot say it.
pub(crate) fn size(named: Named, terms: &[(Lit, u64)], n: usize, relation: PbRelation) -> Result<Size, String> {
    let mut sink = Announced(Tally::new(n));
    Ok(match named.say(&mut sink, terms, relation)? {
        Ok(()) => sink.0.size(),
        Err(size) => size,
    })
}

/// The best of tries that take 5 ms together, or of one.
fn micros(named: Named, n: usize, terms: &dyn Fn(Vec<Lit>) -> Vec<(Lit, u64)>, relation: PbRelation) -> f64 {
    let (begin, mut best) = (Instant::now(), f64::INFINITY);
    while best.is_infinite() || begin.elapsed() < Duration::from_millis(5) {
        let mut cnf = Cnf::with_vars(n);
        let terms = terms((0..n as u32).map(Lit::positive).collect());
        let start = Instant::now();
        // The size is below the limit of a formula, so that it does not fail.
        let _ = named.say(&mut cnf, &terms, relation);
        best = best.min(start.elapsed().as_secs_f64() * 1e6);
    }
    best
}

/// A sink that takes the size of a constraint, which is announced before its first clause, for an error: nothing is
/// encoded.
struct Announced(Tally);

impl ClauseSink for Announced {
    type Error = Size;

    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), Size> {
        self.0.add_clause(clause).map_err(|never: Infallible| match never {})
    }

    fn new_lit(&mut self) -> Lit {
        self.0.new_lit()
    }

    fn next_var(&self) -> Var {
        self.0.next_var()
    }

    fn reserve(&mut self, size: &Size) -> Result<(), Size> {
        if size.vars == 0 && size.clauses <= 1 { Ok(()) } else { Err(*size) }
    }
}
