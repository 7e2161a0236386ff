//! Pictures of puzzles as SVG text.

#[cfg(feature = "gem-hunter")]
mod gem_hunter;
#[cfg(feature = "sudoku")]
mod sudoku;

use svg::Document;
use svg::node::element::{Group, Line, Rectangle, Text};

/// The side of a cell, in user units.
const CELL: usize = 40;
/// Room around the cells.
const MARGIN: usize = 2;

/// A document of `rows` × `columns` cells on white.
fn document(rows: usize, columns: usize) -> Document {
    let (width, height) = (columns * CELL + 2 * MARGIN, rows * CELL + 2 * MARGIN);
    let paper = Rectangle::new().set("width", width).set("height", height).set("fill", "white");
    Document::new().set("viewBox", (0, 0, width, height)).set("width", width).set("height", height).add(paper)
}

/// The start of a row or column.
const fn start(index: usize) -> usize {
    MARGIN + index * CELL
}

/// The ground of a cell.
fn ground(row: usize, column: usize, colour: &str) -> Rectangle {
    Rectangle::new()
        .set("x", start(column))
        .set("y", start(row))
        .set("width", CELL)
        .set("height", CELL)
        .set("fill", colour)
}

/// Text in the middle of a cell.
fn label(row: usize, column: usize, text: String) -> Text {
    // Three characters fit at this size; what is longer is made smaller.
    let size = (CELL * 3 / 5).min(CELL * 5 / 3 / text.len().max(1));
    Text::new(text)
        .set("x", start(column) + CELL / 2)
        .set("y", start(row) + CELL / 2)
        .set("font-size", size)
        .set("text-anchor", "middle")
        .set("dominant-baseline", "central")
        .set("font-family", "sans-serif")
}

/// Lines between cells: `thick(a, b)` of the cells left and right, or above and below; the border is thick.
fn lines(rows: usize, columns: usize, thick: impl Fn((usize, usize), (usize, usize)) -> bool) -> Group {
    let mut thin = Vec::new();
    let mut strong = Vec::new();
    for row in 0..=rows {
        for column in 0..=columns {
            if row < rows {
                let inside = column > 0 && column < columns;
                let to = if inside && !thick((row, column - 1), (row, column)) { &mut thin } else { &mut strong };
                to.push(line((column, row), (column, row + 1)));
            }
            if column < columns {
                let inside = row > 0 && row < rows;
                let to = if inside && !thick((row - 1, column), (row, column)) { &mut thin } else { &mut strong };
                to.push(line((column, row), (column + 1, row)));
            }
        }
    }
    let add = |group: Group, lines: Vec<Line>| lines.into_iter().fold(group, Group::add);
    let thin = add(Group::new().set("stroke-width", 0.5), thin);
    let strong = add(Group::new().set("stroke-width", 2.5), strong);
    Group::new().set("stroke", "black").set("stroke-linecap", "square").add(thin).add(strong)
}

fn line(from: (usize, usize), to: (usize, usize)) -> Line {
    Line::new().set("x1", start(from.0)).set("y1", start(from.1)).set("x2", start(to.0)).set("y2", start(to.1))
}
