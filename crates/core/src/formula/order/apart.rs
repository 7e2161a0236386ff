//! Edges that share no variable with any other: no search is needed for these.
//!
//! Within such an edge all attract each other alike, so that a sweep places them one after the other by their ranks,
//! which are those of colours and numbers in the first sweep, and turned around in every other; and no move brings them
//! closer. Nor do they make a difference to the others: what is connected is placed without a break, and moving past
//! what does not attract gains nothing. The exception is an edge that [`proximity`](super::proximity) leaves out.

use rustsat::types::Lit;

use super::colour::mix;
use super::effort::OrderEffort;
use super::hypergraph::Hypergraph;
use super::proximity::FEW;

/// A graph without the edges that are apart.
pub(super) struct SplitGraph {
    pub(super) rest: Hypergraph,
    /// The variables in edges of several literals of the whole graph.
    pub(super) members: usize,
}

/// The bit of a variable that is in an edge of several literals; those below count its edges, up to two.
const CONNECTED: u8 = 4;

/// Takes out the edges that are apart, and gives each of their variables its place within its edge; `None` where there
/// are none, or where they cannot be taken out.
pub(super) fn split(graph: &Hypergraph, effort: OrderEffort, positions: &mut [u32]) -> Option<SplitGraph> {
    let mut times = vec![0_u8; positions.len()];
    let (mut members, mut longest) = (0, 0);
    for (_, lits) in graph.edges() {
        let connected = if lits.len() > 1 { CONNECTED } else { 0 };
        longest = longest.max(lits.len());
        for lit in lits {
            let of = &mut times[lit.vidx()];
            members += usize::from(*of & CONNECTED < connected);
            *of = (*of & CONNECTED | connected) + (*of % CONNECTED + 1).min(2);
        }
    }
    let is_apart = |lits: &[Lit]| lits.len() <= FEW && lits.iter().all(|lit| times[lit.vidx()] % CONNECTED == 1);
    let apart = graph.edges().filter(|(_, lits)| is_apart(lits));
    let (edges, lits) = apart.fold((0, 0), |(edges, all), (_, lits)| (edges + 1, all + lits.len()));
    if edges == 0 || longest > FEW && 2 * longest > members {
        return None;
    }
    let mut rest = Hypergraph::with_room(graph.len() - edges, graph.lits.len() - lits);
    rest.is_counts = graph.is_counts;
    let mut keys: Vec<u64> = Vec::new();
    for (label, lits) in graph.edges() {
        if !is_apart(lits) {
            rest.add(label, lits.iter().copied());
            continue;
        }
        let colours = colours(label, lits, effort.rounds);
        let later = usize::from(colours[1] >= colours[0]);
        keys.clear();
        keys.extend(lits.iter().map(|lit| {
            let is_later = colours[0] != colours[1] && usize::from(lit.is_neg()) == later;
            u64::from(is_later) << 32 | u64::from(lit.vidx32())
        }));
        keys.sort_unstable();
        if effort.sweeps.is_multiple_of(2) {
            keys.reverse();
        }
        keys.iter().zip(0..).for_each(|(&key, place)| positions[key as u32 as usize] = place);
    }
    Some(SplitGraph { rest, members })
}

/// The colours of the positive and of the negative literals of an edge that is apart: see
/// [`colour`](super::colour::colours).
fn colours(label: u64, lits: &[Lit], rounds: usize) -> [u64; 2] {
    let negative = lits.iter().filter(|lit| lit.is_neg()).count() as u64;
    let positive = lits.len() as u64 - negative;
    let mut colours = [1_u64; 2];
    for _ in 0..rounds {
        let seen = [mix(colours[0]), mix(!colours[1])];
        let sum = label.wrapping_add(positive.wrapping_mul(seen[0])).wrapping_add(negative.wrapping_mul(seen[1]));
        let edge = mix(sum);
        colours = [seen[0].wrapping_mul(3).wrapping_add(edge), mix(colours[1]).wrapping_mul(3).wrapping_add(mix(edge))];
    }
    colours
}
