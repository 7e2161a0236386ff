//! Formulas of counts whose edges are the lines of a grid in several directions, as in discrete tomography.
//!
//! Shorter lines attract more, and a sweep goes along the diagonals: the squares of one colour of a chessboard first,
//! then the others. Where edges of any length attract alike, it goes line by line, in a direction that has a line
//! through every variable. Solvers need fewer conflicts then, if the counts are written in the order of their first
//! literals, too (`cargo run --release -p cnfkit-quality -- --set fresh --instances-each 48 --attempts 2 --listings
//! ordered --only =auto --family tomography`, BatSat: 541 to 373 conflicts; with `--features cadical`, `--solver
//! cadical`: 490 to 293).

use super::members::Members;

/// True if each id is in an edge of at most half of all whose members stand together, with few others between them.
pub(super) fn are_lines(members: &Members, sequence: &[u32]) -> bool {
    let mut places = vec![0_usize; sequence.len()];
    sequence.iter().zip(0..).for_each(|(&id, place)| places[id as usize] = place);
    let mut is_in_line = vec![false; sequence.len()];
    for edge in 0..members.n_edges() as u32 {
        let ids = members.ids(edge);
        let of = || ids.iter().map(|&id| places[id as usize]);
        let (Some(first), Some(last)) = (of().min(), of().max()) else { continue };
        if 4 * (last - first) < 5 * ids.len() && 2 * ids.len() <= members.all {
            of().for_each(|place| is_in_line[place] = true);
        }
    }
    !is_in_line.contains(&false)
}
