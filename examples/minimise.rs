//! The least value of an objective, found by one solver that never starts over: that of an OPB or WCNF file, or the
//! least number of true literals, for a smallest vertex cover or dominating set of a graph.
//!
//! For a graph the totalizer is built once, as wide as the first answer; each better answer is asked for by an
//! assumption. For a file, `Formula::search_minimum` does it all, and the answer is printed as competitions want it.

#[macro_use]
#[path = "common/say.rs"]
mod say;
#[path = "common/engine.rs"]
mod engine;
#[path = "common/proof.rs"]
mod proof;
#[path = "common/text.rs"]
mod text;
#[path = "common/watch.rs"]
mod watch;
// After the macro that it uses.
#[path = "minimise/competition.rs"]
mod competition;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use cnfkit::solvers::DefaultSolver;
use cnfkit::{Bound, CardEncoding, ClauseSink, Constrain, IncTotalizer, Lit, SolveError, SolverSink};
use watch::Watch;

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Problem {
    /// Vertices that touch every edge.
    VertexCover,
    /// Vertices such that every other vertex is next to one of them.
    DominatingSet,
    /// The objective of a pseudo-Boolean formula in OPB format.
    Opb,
    /// The weight of unsatisfied soft clauses of a formula in WCNF format, of 2022 or with a header.
    Wcnf,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Way {
    /// Core-guided search after a first solution.
    Auto,
    /// A better solution, again and again, until there is none.
    SolutionImproving,
    /// Each unsatisfiable core raises the lower bound, until there is a solution at it.
    CoreGuided,
}

/// Finds a smallest vertex cover or dominating set of a graph, or the least value of an OPB or WCNF file.
///
/// Prints the size of each better answer as it is found, then the least with its vertices; for a file the lines `o`,
/// `s` and `v` of pseudo-Boolean and `MaxSAT` competitions.
#[derive(Parser)]
#[command(after_help = EXIT_CODES)]
struct Args {
    /// The set to look for, or the format of the file.
    #[arg(value_enum, default_value = "vertex-cover")]
    problem: Problem,
    /// A file with an edge a line: two vertices, numbered from 1; `-` is standard input. Without it, a 7 × 7 king's
    /// graph. For `opb` and `wcnf` the file with the formula.
    graph: Option<PathBuf>,
    /// The way to search, for files.
    #[arg(long, value_enum, default_value = "auto")]
    strategy: Way,
    /// Search with clauses that leave one of many symmetric solutions, for files.
    #[arg(long)]
    symmetries: bool,
    /// Write a proof of the least value to this new folder, for files: VeriPB checks it.
    #[arg(long, value_name = "DIR", conflicts_with = "engine")]
    proof: Option<PathBuf>,
    /// Give up after this many seconds: the best answer so far is printed, as for Ctrl-C and SIGTERM.
    #[arg(long, value_name = "SECONDS")]
    time_limit: Option<f64>,
    #[command(flatten)]
    engine: engine::Engine,
}

const EXIT_CODES: &str = "\
The encoding is the incremental totalizer, built once; `at least one` of a dominating set is a clause.

Exit codes:
  0  the least was found
  2  no graph, wrong arguments, stopped by the time limit, Ctrl-C or SIGTERM, or the solver or writing failed

Exit codes for opb and wcnf, as in competitions:
  30  the optimum was found
  20  there is no solution
  10  stopped with a solution that may not be the best, or a solution of an OPB file without an objective
  0   stopped before there was a solution
  2   no formula, wrong arguments, or the solver or writing failed";

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

/// The literals of `lits` that are true in the model found last.
fn chosen(sink: &SolverSink<DefaultSolver>, lits: &[Lit]) -> Result<Vec<usize>, SolveError> {
    let model = sink.model()?;
    Ok((0..lits.len()).filter(|&index| model.is_true(lits[index])).collect())
}

/// Says the best set of vertices that is found, and gives the exit code.
fn minimise(problem: Problem, edges: &Edges, watch: &Watch) -> Result<u8, Box<dyn std::error::Error>> {
    let n = edges.iter().map(|&(_, b)| b + 1).max().unwrap_or(0);
    let limits = watch.limits();
    let mut sink = SolverSink::owned(DefaultSolver::default());
    let x = sink.new_lits(n);
    match problem {
        Problem::VertexCover => edges.iter().try_for_each(|&(a, b)| sink.add_clause(&[x[a], x[b]]))?,
        Problem::DominatingSet => {
            let mut near: Vec<Vec<Lit>> = x.iter().map(|&lit| vec![lit]).collect();
            for &(a, b) in edges {
                near[a].push(x[b]);
                near[b].push(x[a]);
            }
            near.iter().try_for_each(|near| sink.at_least(near, 1, CardEncoding::Auto))?;
        }
        Problem::Opb | Problem::Wcnf => unreachable!("formulas have a way of their own"),
    }
    assert!(watch.run("looking for an answer", || sink.solve(&limits, &[]))?, "all vertices are an answer");
    let mut best = chosen(&sink, &x)?;
    say!("{} of {n} vertices", best.len());
    let known = watch.known(best.clone(), |best, reason| conclude(best, Some(reason)));

    let mut count = IncTotalizer::new();
    watch.run(format!("counting up to {} of {n}", best.len()), || {
        count.extend(&mut sink, &x)?;
        count.widen(&mut sink, best.len())
    })?;
    while let Some(Bound::If(fewer)) = best.len().checked_sub(1).and_then(|bound| count.at_most(bound)) {
        let task = format!("looking for fewer than {}", best.len());
        match watch.run(task, || sink.solve(&limits, &[fewer])) {
            Ok(true) => best = chosen(&sink, &x)?,
            Ok(false) => break,
            Err(error) => {
                let SolveError::Interrupted(why) = error else { return Err(error.into()) };
                let reason = watch.stopped().unwrap_or_else(|| why.to_string());
                return Ok(known.conclude(|best| conclude(best, Some(&reason))));
            }
        }
        known.update(|known| {
            say!("{} of {n} vertices", best.len());
            known.clone_from(&best);
        });
    }
    Ok(known.conclude(|best| conclude(best, None)))
}

/// Says what was found, and gives the exit code: the least, unless the search was `stopped`.
fn conclude(best: &[usize], stopped: Option<&str>) -> u8 {
    let vertices: Vec<String> = best.iter().map(|vertex| (vertex + 1).to_string()).collect();
    let what = if stopped.is_none() { "the least" } else { "the best so far" };
    say!("{what}: {} vertices: {}", best.len(), vertices.join(" "));
    let Some(reason) = stopped else { return 0 };
    eprintln!("error: {reason}: there may be a smaller answer");
    2
}

fn read(graph: Option<&Path>) -> Result<Edges, String> {
    let Some(file) = graph else { return Ok(kings(7)) };
    let (name, text) = text::read(file, "graph")?;
    parse(&text).map_err(|error| format!("{name}: {error}"))
}

fn main() -> ExitCode {
    let args = Args::parse();
    if let Problem::Opb | Problem::Wcnf = args.problem {
        return competition::main(&args);
    }
    if args.proof.is_some() || args.symmetries || args.engine.make().is_some() {
        eprintln!("error: --proof, --symmetries and --engine: not for graphs; allowed with `opb` and `wcnf`");
        return ExitCode::from(2);
    }
    let start = || -> Result<_, String> { Ok((Watch::new(args.time_limit)?, read(args.graph.as_deref())?)) };
    let (watch, edges) = match start() {
        Ok(start) => start,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    match minimise(args.problem, &edges, &watch) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("error: {}", watch.explain(error.to_string()));
            ExitCode::from(2)
        }
    }
}
