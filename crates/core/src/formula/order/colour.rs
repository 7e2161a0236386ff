//! Colour refinement (Weisfeiler and Leman): a number for each variable that depends on the structure around it
//! alone.
//!
//! At first all variables have the same colour. In each round an edge gets a colour from its label and the colours
//! and signs of its literals, and a variable a new one from its own and those of the edges that it is in and how.
//! Colours are sums of hashes, so neither the order of edges nor that of literals matters. Variables that a symmetry
//! of the formula exchanges keep the same colour; after r rounds so do others that differ only further than r edges
//! away.

use super::hypergraph::Hypergraph;

/// Two steps of multiplication and shifting that spread every bit over the whole word (the finaliser of `SplitMix64`;
/// Steele, Lea, Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014).
pub(super) const fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// The colours of variables below `n_vars` after `rounds` rounds.
pub(super) fn colours(n_vars: usize, graph: &Hypergraph, rounds: usize) -> Vec<u64> {
    let mut colours = vec![1_u64; n_vars];
    let mut seen = vec![0_u64; 2 * n_vars];
    for _ in 0..rounds {
        // How a colour looks from an edge, by literal; and what the variable will be, edges aside.
        for (colour, seen) in colours.iter_mut().zip(seen.chunks_exact_mut(2)) {
            (seen[0], seen[1]) = (mix(*colour), mix(!*colour));
            *colour = seen[0].wrapping_mul(3);
        }
        for (label, lits) in graph.edges() {
            let sum = lits.iter().fold(label, |sum, lit| sum.wrapping_add(seen[lit.lidx()]));
            let edge = mix(sum);
            let sides = [edge, mix(edge)];
            for lit in lits {
                let colour = &mut colours[lit.vidx()];
                *colour = colour.wrapping_add(sides[usize::from(lit.is_neg())]);
            }
        }
    }
    colours
}
