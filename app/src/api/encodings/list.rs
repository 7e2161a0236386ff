//! Every encoding of the library: its name, how it works, who found it, how strong it is.

use schemars::JsonSchema;
use serde::Serialize;

use super::named::{Named, Words};
use crate::api::Nothing;
use crate::jobs::Work;
use crate::problem::Problem;

/// The encodings by family.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Families {
    /// Of at most one.
    amo: Vec<Entry>,
    /// Of at most, at least and exactly k.
    card: Vec<Entry>,
    /// Of sums of weights.
    pb: Vec<Entry>,
}

/// One encoding.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Entry {
    /// With its family, as other questions take it: `card:totalizer`.
    name: String,
    /// How it works, in a sentence.
    about: &'static str,
    /// Authors, title and year; empty for what is this library's own.
    paper: &'static str,
    /// `GAC` (generalised arc consistent) if unit propagation alone derives all that follows, otherwise `not GAC`.
    strength: &'static str,
    relations: Vec<Words>,
}

/// Answers `encodings/list`.
#[allow(clippy::unnecessary_wraps)] // as all answers
pub(crate) fn list(_: &Nothing, _: &Work) -> Result<Families, Problem> {
    let family = |family: &str| {
        Named::all()
            .filter(|named| named.family() == family)
            .map(|named| {
                let (about, paper) = words(named);
                Entry {
                    name: named.to_string(),
                    about,
                    paper,
                    strength: named.strength(),
                    relations: named.relations().to_vec(),
                }
            })
            .collect()
    };
    Ok(Families { amo: family("amo"), card: family("card"), pb: family("pb") })
}

const BATCHER: &str = "K. E. Batcher, Sorting networks and their applications, 1968; N. Eén, N. Sörensson, Translating \
                       pseudo-Boolean constraints into SAT, 2006; I. Abío and others, A parametric approach for \
                       smaller and better encodings of cardinality constraints, 2013";
const SINZ: &str = "C. Sinz, Towards an optimal CNF encoding of Boolean cardinality constraints, 2005";
const WATCHDOGS: &str =
    "O. Bailleux, Y. Boufkhad, O. Roussel, New encodings of pseudo-Boolean constraints into CNF, 2009";

/// How it works, and the paper.
fn words(named: Named) -> (&'static str, &'static str) {
    match (named.family(), named.short().as_str()) {
        (_, "auto") => ("Chosen for solving, by the conflicts that solvers needed.", ""),
        ("amo", "smallest") => ("The composition of the others with the fewest variables and clauses.", ""),
        ("amo", "pairwise") => ("A clause for every pair of literals.", ""),
        ("amo", "bitwise") => (
            "Each literal says its number in binary; two of them would contradict each other.",
            "A. M. Frisch and others, Solving non-Boolean satisfiability problems with stochastic local search, 2005",
        ),
        ("amo", "ladder") => (
            "Auxiliaries say that one of the first j literals is true; the next may not be, too.",
            "I. P. Gent, P. Nightingale, A new encoding of AllDifferent into SAT, 2004",
        ),
        ("amo", "nested") => ("Halves that an auxiliary connects, and their halves, down to pairs.", ""),
        ("amo", "product") => (
            "Literals in a rectangle: at most one row, and at most one column.",
            "J. Chen, A new SAT encoding of the at-most-one constraint, 2010",
        ),
        ("amo", "commander") => (
            "Small groups with a commander each, who is true if one of the group is; at most one commander.",
            "W. Klieber, G. Kwon, Efficient CNF encoding for selecting 1 from N objects, 2007",
        ),
        ("amo", "bimander") => (
            "Small groups, each with a number in binary that its literals say.",
            "S. Hölldobler, V. H. Nguyen, An efficient encoding of the at-most-one constraint, 2013",
        ),
        ("card", "smallest") => ("Of those that are GAC, the one with the fewest variables and clauses.", ""),
        ("card", "combinatorial") => ("A clause for every set of literals that is too large, without auxiliaries.", ""),
        ("card", "sequential") => ("Counts along the literals, each step in unary.", SINZ),
        ("card", "modulo") => (
            "A totalizer of numbers with two digits: multiples of p, and the rest.",
            "T. Ogawa and others, Modulo based CNF encoding of cardinality constraints, 2013",
        ),
        ("card", "k-modulo") => (
            "The modulo totalizer cut to the bound.",
            "A. Morgado, A. Ignatiev, J. Marques-Silva, MSCG: robust core-guided MaxSAT solving, 2014",
        ),
        ("card", "decision-diagram") => (
            "A decision diagram: a node for each number of true literals so far.",
            "N. Eén, N. Sörensson, Translating pseudo-Boolean constraints into SAT, 2006",
        ),
        ("card", "adder") => (
            "Adds up in binary, three bits at a time, and compares with k.",
            "J. P. Warners, A linear-time transformation of linear inequalities into CNF, 1998",
        ),
        ("card", "totalizer") => (
            "A balanced tree whose nodes count the true literals below them in unary.",
            "O. Bailleux, Y. Boufkhad, Efficient CNF encoding of Boolean cardinality constraints, 2003",
        ),
        ("card", "cardinality-network") => (
            "A sorting network cut to the first k + 1 outputs, as published.",
            "R. Asín and others, Cardinality networks: a theoretical and empirical study, 2011",
        ),
        ("card", "network") => ("The smallest composition of sorters, merges and direct clauses.", BATCHER),
        ("card", "generalized-product") => (
            "Literals in a grid of two or three dimensions: few lines in each.",
            "A. M. Frisch, P. A. Giannaros, SAT encodings of the at-most-k constraint, 2010",
        ),
        ("card", "grid-compression") => (
            "Rows of literals move to a few buckets, or are added up in pairs, and again; the rest goes to a network.",
            "A. Krapivin, B. Przybocki, B. Subercaseaux, Near-optimal encodings of cardinality constraints, 2026",
        ),
        ("pb", "smallest") => ("Of those that are GAC and trees of any shape, the fewest variables and clauses.", ""),
        ("pb", "interval-diagram") => (
            "A decision diagram whose nodes stand for intervals of bounds.",
            "I. Abío and others, A new look at BDDs for pseudo-Boolean constraints, 2012",
        ),
        ("pb", "generalized-totalizer") => (
            "A balanced tree whose nodes say which sums there are below them.",
            "S. Joshi, R. Martins, V. Manquinho, Generalized totalizer encoding for pseudo-Boolean constraints, 2015",
        ),
        ("pb", "sequential-weight-counter") => (
            "Adds up literal by literal, the sum in unary.",
            "S. Hölldobler, N. Manthey, P. Steinke, A compact encoding of pseudo-Boolean constraints into SAT, 2012",
        ),
        ("pb", "binary-adder") => (
            "Adds up the digits of the weights in binary, and compares the sum with the bound.",
            "J. P. Warners, A linear-time transformation of linear inequalities into CNF, 1998",
        ),
        ("pb", "global-watchdog") => ("Weights in binary, bits added up in unary; one output is forbidden.", WATCHDOGS),
        ("pb", "local-watchdog") => ("A watchdog a literal tells that the others leave no room for it.", WATCHDOGS),
        ("pb", "dynamic-poly-watchdog") => (
            "A global watchdog whose bound can be chosen after encoding.",
            "T. Paxian, S. Reimer, B. Becker, Dynamic polynomial watchdog encoding for solving weighted MaxSAT, 2018",
        ),
        ("pb", "mixed-radix-sorter") => (
            "Weights in a mixed radix that suits them, each digit sorted.",
            "N. Eén, N. Sörensson, Translating pseudo-Boolean constraints into SAT, 2006; M. Codish and others, \
             Optimal base encodings for pseudo-Boolean constraints, 2011",
        ),
        _ => ("", ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_is_described() {
        for named in Named::all() {
            assert!(!words(named).0.is_empty(), "{named} has no sentence");
            assert_eq!(Named::of(&named.to_string(), "").ok(), Some(named));
        }
    }
}
