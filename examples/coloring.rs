//! The least number of colours for the vertices of a graph, such that neighbours differ: a formula for each number.
//!
//! `cargo run --release --example coloring -- myciel4.col` reads a graph in DIMACS; without a file it takes
//! Grötzsch's, which has no triangle and needs four.

use std::error::Error;
use std::io::{self, Write};

use cnfkit::{AmoEncoding, ClauseSink, Constrain, Formula, Lit, SolveError};

const BUILT_IN: &str = "p edge 11 20\ne 1 2\ne 2 3\ne 3 4\ne 4 5\ne 5 1\ne 6 2\ne 6 5\ne 7 1\ne 7 3\ne 8 2\ne 8 4
e 9 3\ne 9 5\ne 10 4\ne 10 1\ne 11 6\ne 11 7\ne 11 8\ne 11 9\ne 11 10";
const ALLOWED: &str = "`p edge VERTICES EDGES`, of at most 10000 vertices, then `e VERTEX VERTEX`, two that differ";

#[derive(Default)]
struct Graph {
    vertices: usize,
    edges: Vec<(usize, usize)>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1).map_or(Ok(BUILT_IN.to_owned()), std::fs::read_to_string)?;
    let mut graph = Graph::default();
    for (line, number) in text.lines().zip(1..) {
        graph.read(line).ok_or_else(|| format!("line {number}: allowed: {ALLOWED}"))?;
    }
    for most in 0.. {
        if let Some(colors) = graph.color(most)? {
            writeln!(io::stdout(), "{most} colours, and no fewer: {colors:?}")?;
            break;
        }
    }
    Ok(())
}

impl Graph {
    /// The colour of each vertex, or `None` if `most` do not do.
    fn color(&self, most: usize) -> Result<Option<Vec<usize>>, SolveError> {
        let mut formula = Formula::new();
        let is: Vec<Vec<Lit>> = (0..self.vertices).map(|_| formula.new_lits(most)).collect();
        for (vertex, colors) in is.iter().enumerate() {
            formula.exactly_one(colors, AmoEncoding::Auto)?;
            // Names of colours do not matter: the first vertex has the first, the second one of the first two, …
            colors.iter().skip(vertex + 1).try_for_each(|&lit| formula.add_clause(&[!lit]))?;
        }
        for &(a, b) in &self.edges {
            is[a - 1].iter().zip(&is[b - 1]).try_for_each(|(&a, &b)| formula.add_clause(&[!a, !b]))?;
        }
        let Some(model) = formula.solve()? else { return Ok(None) };
        let color = |lits: &Vec<Lit>| lits.iter().position(|&lit| model.is_true(lit));
        Ok(is.iter().map(color).collect())
    }

    /// Reads a line; `None` if it is wrong.
    fn read(&mut self, line: &str) -> Option<()> {
        let vertex = |word: &str| word.parse().ok().filter(|vertex| (1..=self.vertices).contains(vertex));
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            [] | ["c", ..] => {}
            ["p", "edge" | "col", count, _] if self.edges.is_empty() => {
                self.vertices = count.parse().ok().filter(|&count| count <= 10_000)?;
            }
            ["e", a, b] => self.edges.push(vertex(a).zip(vertex(b)).filter(|(a, b)| a != b)?),
            _ => return None,
        }
        Some(())
    }
}
