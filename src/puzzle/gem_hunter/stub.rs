//! Stand-in for the crate's encodings.

use rustsat::types::Lit;

use crate::{AtMostK, ClauseSink, Size};

/// At-most-k encodings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CardEncoding {
    /// The default.
    #[default]
    Auto,
    /// Every subset.
    Combinatorial,
}

/// Every subset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Combinatorial;

fn subsets<S: ClauseSink + ?Sized>(sink: &mut S, lits: &[Lit], size: usize, negate: bool) -> Result<(), S::Error> {
    let n = lits.len();
    let mut at: Vec<usize> = (0..size).collect();
    let mut clause: Vec<Lit> = Vec::new();
    loop {
        clause.clear();
        clause.extend(at.iter().map(|&i| if negate { !lits[i] } else { lits[i] }));
        sink.add_clause(&clause)?;
        let Some(i) = (0..size).rev().find(|&i| at[i] + size - i < n) else { return Ok(()) };
        at[i] += 1;
        for j in i + 1..size {
            at[j] = at[j - 1] + 1;
        }
    }
}

fn choose(n: usize, k: usize) -> u64 {
    (0..k).fold(1u64, |c, i| c.saturating_mul((n - i) as u64) / (i as u64 + 1))
}

impl AtMostK for Combinatorial {
    fn at_most<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit], k: usize) -> Result<(), S::Error> {
        subsets(sink, lits, k + 1, true)
    }

    fn at_least<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit], k: usize) -> Result<(), S::Error> {
        subsets(sink, lits, lits.len() - k + 1, false)
    }

    fn amk_size(&self, n: usize, k: usize) -> Size {
        Size::clauses(choose(n, k + 1), k + 1)
    }
}

impl AtMostK for CardEncoding {
    fn at_most<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit], k: usize) -> Result<(), S::Error> {
        Combinatorial.at_most(sink, lits, k)
    }

    fn at_least<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit], k: usize) -> Result<(), S::Error> {
        Combinatorial.at_least(sink, lits, k)
    }

    fn amk_size(&self, n: usize, k: usize) -> Size {
        Combinatorial.amk_size(n, k)
    }
}

impl std::fmt::Display for CardEncoding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("combinatorial")
    }
}

impl std::str::FromStr for CardEncoding {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "combinatorial" { Ok(Self::Combinatorial) } else { Err("unknown encoding".into()) }
    }
}
