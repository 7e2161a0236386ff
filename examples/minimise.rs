//! The least number of true literals, found by one solver that never starts over: a smallest vertex cover or dominating
//! set of a graph.
//!
//! The totalizer is built once, as wide as the first answer; each better answer is asked for by an assumption.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read, Write};
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use cnfkit::rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use cnfkit::solvers::DefaultSolver;
use cnfkit::{Bound, CardEncoding, ClauseSink, Constrain, IncTotalizer, Lit, SolveError, SolverSink};

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Problem {
    /// Vertices that touch every edge.
    VertexCover,
    /// Vertices that every other vertex is next to.
    DominatingSet,
}

/// Finds a smallest vertex cover or dominating set of a graph.
#[derive(Parser)]
struct Args {
    #[arg(value_enum, default_value = "vertex-cover")]
    problem: Problem,
    /// An edge a line, two vertices each, numbered from 1; `-` is standard input. Without it, a 7 × 7 king's graph.
    graph: Option<String>,
}

/// Writes a line; a reader that has seen enough is no error.
fn say(line: &str) {
    let _ = writeln!(io::stdout(), "{line}");
}

type Edges = BTreeSet<(usize, usize)>;

/// Squares of a board, joined where a king can step.
fn kings(side: usize) -> Edges {
    let squares = || (0..side).flat_map(move |row| (0..side).map(move |column| (row, column)));
    squares()
        .flat_map(|a| squares().map(move |b| (a, b)))
        .filter(|(a, b)| a < b && a.0.abs_diff(b.0) <= 1 && a.1.abs_diff(b.1) <= 1)
        .map(|(a, b)| (a.0 * side + a.1, b.0 * side + b.1))
        .collect()
}

/// The words of a line, each with its column in characters, from 1.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let column = |word: &str| line[..word.as_ptr() as usize - line.as_ptr() as usize].chars().count() + 1;
    line.split_whitespace().map(move |word| (column(word), word))
}

/// The edge in a line, if there is one.
fn edge(line: &str) -> Result<Option<(usize, usize)>, (usize, String)> {
    const MOST: usize = 1_000_000;
    let mut words = words(line);
    let vertex = |words: &mut dyn Iterator<Item = (usize, &str)>| {
        let Some((column, word)) = words.next() else { return Ok(None) };
        match word.parse::<usize>() {
            Ok(n) if (1..=MOST).contains(&n) => Ok(Some((column, n - 1))),
            _ => Err((column, format!("`{}` is no vertex: allowed are 1 to {MOST}", word.escape_debug()))),
        }
    };
    let Some((_, a)) = vertex(&mut words)? else { return Ok(None) };
    let Some((column, b)) = vertex(&mut words)? else {
        return Err((line.trim_end().chars().count() + 1, "an edge needs a second vertex".into()));
    };
    match words.next() {
        Some((column, word)) => Err((column, format!("`{}` after an edge: two vertices a line", word.escape_debug()))),
        None if a == b => {
            Err((column, format!("an edge from {} to itself: allowed are two different vertices", a + 1)))
        }
        None => Ok(Some((a.min(b), a.max(b)))),
    }
}

fn parse(text: &str) -> Result<Edges, String> {
    let mut edges = Edges::new();
    for (number, line) in (1..).zip(text.lines()) {
        edges.extend(edge(line).map_err(|(column, message)| format!("line {number}, column {column}: {message}"))?);
    }
    if edges.is_empty() { Err("a graph without edges".into()) } else { Ok(edges) }
}

/// The literals that are true in the solver's model.
fn chosen(solver: &DefaultSolver, lits: &[Lit]) -> Result<Vec<usize>, Box<dyn std::error::Error>> {
    let mut chosen = Vec::new();
    for (index, &lit) in lits.iter().enumerate() {
        if solver.lit_val(lit)?.to_bool_with_def(false) {
            chosen.push(index);
        }
    }
    Ok(chosen)
}

fn minimise(problem: Problem, edges: &Edges) -> Result<Vec<usize>, Box<dyn std::error::Error>> {
    let n = edges.iter().map(|&(_, b)| b + 1).max().unwrap_or(0);
    let mut solver = DefaultSolver::default();
    let mut sink = SolverSink::new(&mut solver, 0);
    let x = sink.new_lits(n);
    match problem {
        Problem::VertexCover => edges.iter().try_for_each(|&(a, b)| sink.add_clause(&[x[a], x[b]]))?,
        Problem::DominatingSet => {
            let mut near: Vec<Vec<Lit>> = x.iter().map(|&lit| vec![lit]).collect();
            for &(a, b) in edges {
                near[a].push(x[b]);
                near[b].push(x[a]);
            }
            near.iter().try_for_each(|near| sink.at_least(near, 1, &CardEncoding::Auto))?;
        }
    }
    if solver.solve()? != SolverResult::Sat {
        return Err(SolveError::Interrupted.into());
    }
    let mut best = chosen(&solver, &x)?;
    say(&format!("{} of {n} vertices", best.len()));

    let mut sink = SolverSink::new(&mut solver, n);
    let mut count = IncTotalizer::new();
    count.extend(&mut sink, &x)?;
    count.widen(&mut sink, best.len())?;
    while let Some(Bound::If(fewer)) = best.len().checked_sub(1).and_then(|bound| count.at_most(bound)) {
        match solver.solve_assumps(&[fewer])? {
            SolverResult::Sat => best = chosen(&solver, &x)?,
            SolverResult::Unsat => break,
            SolverResult::Interrupted => return Err(SolveError::Interrupted.into()),
        }
        say(&format!("{} of {n} vertices", best.len()));
    }
    Ok(best)
}

fn read(graph: Option<&str>) -> Result<Edges, String> {
    let text = match graph {
        None => return Ok(kings(7)),
        Some("-") => {
            let mut text = String::new();
            io::stdin().read_to_string(&mut text).map(|_| text)
        }
        Some(path) => fs::read_to_string(path),
    };
    let name = graph.filter(|&path| path != "-").unwrap_or("standard input");
    text.map_err(|error| format!("{name}: {error}"))
        .and_then(|text| parse(&text).map_err(|error| format!("{name}: {error}")))
}

fn main() -> ExitCode {
    let args = Args::parse();
    let edges = match read(args.graph.as_deref()) {
        Ok(edges) => edges,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    match minimise(args.problem, &edges) {
        Ok(best) => {
            say(&format!(
                "the least: {} vertices: {}",
                best.len(),
                best.iter().map(|v| (v + 1).to_string()).collect::<Vec<_>>().join(" ")
            ));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
