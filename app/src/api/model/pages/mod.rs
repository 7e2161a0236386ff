//! The models, one a file: a function `model`, which the page shows, and what it takes from and gives to the page. Five
//! of the functions are those of `examples/model`.

mod cryptarithm;
mod knapsack;
mod magic_square;
mod map;
mod nonogram;
mod queens;
mod sudoku;

use super::Page;

/// All of them.
pub(super) static ALL: [Page; 7] =
    [queens::PAGE, map::PAGE, nonogram::PAGE, magic_square::PAGE, sudoku::PAGE, cryptarithm::PAGE, knapsack::PAGE];
