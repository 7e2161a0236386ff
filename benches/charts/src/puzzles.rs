//! Pictures that the crate draws itself: solved puzzles and the structure of encodings.

use std::error::Error;

use cnfkit::render::{Blueprint, Look, Theme};
use cnfkit::sudoku::Sheet;
use cnfkit::{CardEncoding, Constrain, GemHunterEncoder, Layout, SudokuEncoder, gem_hunter};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn look(title: impl Into<String>) -> Look {
    Look::new(Theme::System).titled(title)
}

/// A puzzle in seven regions of seven cells, and its one solution.
pub(crate) fn sudoku() -> Result<String> {
    let puzzle = SudokuEncoder::generate(&Layout::for_side(7), 1)?.ok_or("the layout has solutions")?;
    let solution = SudokuEncoder::new(puzzle.clone()).solve()?.ok_or("the puzzle has a solution")?;
    let mut sheet = Sheet::new(puzzle);
    if !sheet.fill(&solution) {
        return Err("no solution of the puzzle".into());
    }
    Ok(sheet.to_svg_with(&look("A solved Sudoku, 7 × 7, with regions of seven cells")))
}

/// A board made by lot, and what is certain of it.
pub(crate) fn gem_hunter() -> Result<String> {
    let (map, _) = gem_hunter::plant(7, 12, 0.22, 0.4, 5);
    let deduction = GemHunterEncoder::new(map.clone()).deduce()?.ok_or("the board has an answer")?;
    Ok(deduction.to_svg_with(&map, &look("A Gem Hunter board, deduced")))
}

/// At most `k` of `n` through an encoding.
pub(crate) fn structure(n: usize, k: usize, encoding: CardEncoding) -> Result<String> {
    let mut blueprint = Blueprint::new(n);
    let x = blueprint.inputs();
    blueprint.at_most(&x, k, &encoding)?;
    Ok(blueprint.to_svg(&look(format!("At most {k} of {n}: {encoding}"))))
}
