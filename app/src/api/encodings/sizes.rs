//! How large each encoding is, known without encoding, and how long encoding takes.

use std::convert::Infallible;
use std::time::{Duration, Instant};

use cnfkit::rustsat::types::Var;
use cnfkit::{ClauseSink, Cnf, Lit, PbRelation, Size, Tally};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::named::{Bound, Named, Words};
use crate::jobs::Work;
use crate::problem::Problem;

/// The most literals of a constraint, sizes in one question, and clauses that are encoded to see how long it takes.
const MOST_LITERALS: usize = 100_000;
const MOST_ROWS: usize = 2000;
const MOST_CLAUSES: u64 = 10_000_000;

/// Constraints whose sizes are wanted: every n with every encoding.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sizes {
    relation: Words,
    /// The bound; a share of n such as `n/2` is one of the sum of all weights where there are weights.
    k: Bound,
    /// Numbers of literals, each at most 100,000.
    n: Vec<usize>,
    /// Names of `encodings/list`.
    encodings: Vec<String>,
    /// True to encode, too, and tell how long that takes.
    #[serde(default)]
    time: bool,
    /// The weights of the literals, for the family `pb`: repeated as often as needed. All 1 if not given; the bound is
    /// then one on a number of literals.
    #[serde(default)]
    weights: Vec<u64>,
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
    if let Some(index) = asked.weights.iter().position(|&weight| weight > u64::from(u32::MAX)) {
        return Err(Problem::refused(format!("weights[{index}]"), format!("weights are at most {}", u32::MAX)));
    }
    let mut rows = Vec::with_capacity(most);
    for &n in &asked.n {
        let weights = asked.weights.iter().copied().cycle();
        let weights: Vec<u64> = if asked.weights.is_empty() { vec![1; n] } else { weights.take(n).collect() };
        let k = asked.k.of(weights.iter().sum())?;
        for &named in &named {
            work.check()?;
            work.say(&format!("{named}, n = {n}"), rows.len() as u64, Some(most as u64));
            rows.push(row(named, &weights, asked.relation.with(k), k, asked.time));
        }
    }
    Ok(Sized { rows })
}

fn row(named: Named, weights: &[u64], relation: PbRelation, k: u64, time: bool) -> Row {
    let terms = |lits: Vec<Lit>| lits.into_iter().zip(weights.iter().copied()).collect::<Vec<_>>();
    let mut row = Row {
        encoding: named.to_string(),
        n: weights.len(),
        k,
        variables: None,
        clauses: None,
        literals: None,
        strength: named.strength(),
        micros: None,
        refused: None,
    };
    if !matches!(named, Named::Pb(_)) && weights.iter().any(|&weight| weight != 1) {
        row.refused = Some("encodes numbers of literals, no weights".into());
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
