//! Solutions that need no search: those of empty grids of boxes, and of empty Latin squares.
//!
//! Row by row the values are shifted, so that each box has every value once: for boxes of r rows and c columns by c
//! from row to row within a box, and by one more from box to box. Values, rows within boxes, columns within boxes, and
//! whole rows and columns of boxes are then shuffled, which no rule notices. Not every solution can come up, but (n!)²
//! times as many as anybody will look at.

use cnfkit::Grid;

use crate::api::lot;

/// A solution of a grid without values that has no rules but rows, columns and boxes; `None` for any other grid.
pub(crate) fn solution(grid: &Grid, seed: u64) -> Option<Grid> {
    let (rows, columns) = boxes(grid)?;
    let side = grid.side();
    let values = order(side, lot::number(seed, 0));
    let lines = |size: usize, seed: u64| -> Vec<usize> {
        let groups = order(side / size, seed);
        let inside = |group: usize| order(size, lot::number(seed, group as u64)).into_iter();
        groups.into_iter().flat_map(|group| inside(group).map(move |line| group * size + line)).collect()
    };
    let (across, down) = (lines(rows, lot::number(seed, 1)), lines(columns, lot::number(seed, 2)));
    let value = |row: usize, column: usize| values[(row % rows * columns + row / rows + column) % side] as u16 + 1;
    let mut solution = grid.clone();
    for (row, from) in across.iter().enumerate() {
        down.iter().enumerate().for_each(|(column, by)| solution.set(row, column, value(*from, *by)));
    }
    Some(solution)
}

/// Rows and columns of a box, 1 and n for a Latin square; `None` where there are values or other rules.
fn boxes(grid: &Grid) -> Option<(usize, usize)> {
    if grid.givens().next().is_some() {
        return None;
    }
    match grid.layout().to_string().split_once(' ')? {
        ("latin", side) => Some((1, side.parse().ok()?)),
        ("boxes", size) => size.split_once('x').and_then(|(rows, columns)| rows.parse().ok().zip(columns.parse().ok())),
        _ => None,
    }
}

/// The numbers below n, shuffled (Fisher and Yates).
pub(crate) fn order(n: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    for last in (1..n).rev() {
        order.swap(last, (lot::number(seed, last as u64) % (last as u64 + 1)) as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use cnfkit::Layout;

    use super::*;

    #[test]
    fn every_side_has_a_solution_and_seeds_differ() {
        let layouts = (1..=40).chain([49, 64, 100]).map(Layout::for_side).chain([Layout::boxes(4, 2)]);
        for layout in layouts.filter(|layout| ![5, 7].contains(&layout.side())) {
            let empty = Grid::empty(layout.clone());
            let solutions: Vec<Grid> = (0..3).map(|seed| solution(&empty, seed).unwrap()).collect();
            assert!(
                solutions.iter().all(|solution| solution.is_full() && solution.verify(&empty).is_empty()),
                "{layout}"
            );
            assert!(layout.side() < 5 || solutions[0] != solutions[1] && solutions[1] != solutions[2], "{layout}");
        }
    }

    #[test]
    fn other_rules_and_values_are_not_for_it() {
        let mut begun = Grid::empty(Layout::boxes(2, 2));
        begun.set(0, 0, 1);
        let others = [Layout::for_side(5), Layout::boxes(3, 3).with_diagonals(), Layout::latin(4).with_anti_king()];
        for grid in others.map(Grid::empty).into_iter().chain([begun]) {
            assert_eq!(solution(&grid, 1), None, "{}", grid.layout());
        }
    }
}
