//! Colours for the vertices of a graph, such that neighbours differ, and as few as there can be: a DIMACS graph in, a
//! picture out.
//!
//! `cargo run --release --example coloring -- myciel4.col > picture.svg`; Grötzsch's graph without a file.

#[macro_use]
#[path = "common/say.rs"]
mod say;
#[macro_use]
#[path = "common/solving.rs"]
mod solving;
#[path = "common/text.rs"]
mod text;

use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use cnfkit::{AmoEncoding, ClauseSink, Constrain, Explain, Formula, Lit, SolveError};
use solving::Watch;

/// Grötzsch's graph has no triangle and needs four colours.
const BUILT_IN: &str = "p edge 11 20\ne 1 2\ne 2 3\ne 3 4\ne 4 5\ne 5 1\ne 6 2\ne 6 5\ne 7 1\ne 7 3\ne 8 2\ne 8 4
e 9 3\ne 9 5\ne 10 4\ne 10 1\ne 11 6\ne 11 7\ne 11 8\ne 11 9\ne 11 10";

/// Colours a graph with as few colours as there can be, and draws it.
#[derive(Parser)]
#[command(after_help = "Exit codes:\n  0  a picture\n  2  wrong input, no answer yet, or no room for the picture")]
struct Args {
    /// A graph in DIMACS; `-` for standard input, Grötzsch's without
    file: Option<PathBuf>,
    #[command(flatten)]
    solving: solving::Solving,
}

#[derive(Default)]
struct Graph {
    vertices: usize,
    edges: Vec<(usize, usize)>,
}

fn main() -> ExitCode {
    solving::end(run(&Args::parse()))
}

fn run(args: &Args) -> Result<ExitCode, String> {
    let watch = args.solving.watch()?;
    let built_in = || Ok(("the built-in graph".to_owned(), BUILT_IN.to_owned()));
    let (name, text) = args.file.as_ref().map_or_else(built_in, |file| text::read(file, "graph"))?;
    let graph = read(&text).map_err(|message| format!("{name}: {message}"))?;
    for most in 0..=graph.vertices {
        let found = watch.run(format!("trying {most} colours"), || color(&graph, most, args, &watch));
        if let Some(colors) = found.map_err(|error| watch.explain(error.to_string()))? {
            say!("{}", picture(&graph, &colors, most));
            return Ok(ExitCode::SUCCESS);
        }
    }
    Err("no colouring, though each vertex may have a colour of its own".into())
}

/// The colour of each vertex, or `None` if `most` do not do.
fn color(graph: &Graph, most: usize, args: &Args, watch: &Watch) -> Result<Option<Vec<usize>>, SolveError> {
    let mut formula = Formula::new();
    let is: Vec<Vec<Lit>> = (0..graph.vertices).map(|_| formula.new_lits(most)).collect();
    for (vertex, colors) in is.iter().enumerate() {
        formula.exactly_one(colors, AmoEncoding::Auto)?;
        // Names of colours do not matter: the first vertex has the first, the second one of the first two, …
        colors.iter().skip(vertex + 1).try_for_each(|&lit| formula.add_clause(&[!lit]))?;
    }
    for &(a, b) in &graph.edges {
        is[a].iter().zip(&is[b]).try_for_each(|(&a, &b)| formula.add_clause(&[!a, !b]))?;
    }
    let model = by!(args.solving, formula.assuming(&[]).limits(watch.limits())).solve()?;
    let color = |model: &cnfkit::Assignment, lits: &[Lit]| lits.iter().position(|&lit| model.is_true(lit)).unwrap_or(0);
    Ok(model.map(|model| is.iter().map(|lits| color(&model, lits)).collect()))
}

/// The vertices on a circle, in their colours.
fn picture(graph: &Graph, colors: &[usize], most: usize) -> String {
    let place = |vertex: usize| {
        let (sin, cos) = (std::f64::consts::TAU * vertex as f64 / graph.vertices as f64).sin_cos();
        (250.0 + 220.0 * sin, 250.0 - 220.0 * cos)
    };
    let mut svg = String::from("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 500 500\">\n");
    let _ = writeln!(svg, "<title>{most} colours, and no fewer</title>");
    for &(a, b) in &graph.edges {
        let ((x, y), (to_x, to_y)) = (place(a), place(b));
        let _ = writeln!(svg, r#"<path d="M{x:.1} {y:.1}L{to_x:.1} {to_y:.1}" stroke="gray"/>"#);
    }
    for (vertex, color) in colors.iter().enumerate() {
        let ((x, y), hue) = (place(vertex), color * 137 % 360);
        let _ = writeln!(svg, r#"<circle cx="{x:.1}" cy="{y:.1}" r="14" fill="hsl({hue} 70% 60%)"/>"#);
        let _ = writeln!(svg, r#"<text x="{x:.1}" y="{y:.1}" text-anchor="middle" dy=".35em">{}</text>"#, vertex + 1);
    }
    svg + "</svg>"
}

fn read(text: &str) -> Result<Graph, String> {
    let mut graph = Graph::default();
    for (line, number) in text.lines().zip(1..) {
        let wrong = |what: String| format!("line {number}: {what}");
        let end = |word: &str| match word.parse() {
            Ok(vertex) if (1..=graph.vertices).contains(&vertex) => Ok(vertex - 1),
            _ => Err(wrong(format!("`{word}` is no vertex: allowed are 1 to {}", graph.vertices))),
        };
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            [] | ["c", ..] => {}
            ["p", "edge" | "col", vertices, _] => match vertices.parse() {
                Ok(count) if count <= 10_000 => graph.vertices = count,
                _ => return Err(wrong(format!("`{vertices}` vertices: allowed are 0 to 10000"))),
            },
            ["e", a, b] if a != b => graph.edges.push((end(a)?, end(b)?)),
            _ => return Err(wrong("allowed are `p edge VERTICES EDGES` and `e VERTEX VERTEX`, two vertices".into())),
        }
    }
    Ok(graph)
}
