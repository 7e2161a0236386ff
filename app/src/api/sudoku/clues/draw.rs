//! Clues on the library's picture of a board: cages dashed with their sums, thermometers and arrows as pale lines, so
//! that digits on them can be read. The page draws the same on its board (`sudoku-clues-draw.js`).

use std::fmt::Write;

use super::{Clue, Kind};
use crate::api::sudoku::At;

/// The side of a cell, and the room around the board, as the library draws them.
const CELL: usize = 40;
const MARGIN: usize = 2;
/// Room between a cage and the lines of its cells.
const INSET: usize = 4;

/// The picture with the clues, and with their names for screen readers.
pub(crate) fn draw(picture: &str, clues: &[Clue], dark: bool) -> String {
    let ink = if dark { "#e6e9ec" } else { "#1b1f24" };
    let mut marks = String::new();
    // Lines first: sums stand on them.
    for clue in clues.iter().filter(|clue| clue.kind != Kind::Cage) {
        line(&mut marks, clue, ink);
    }
    for clue in clues.iter().filter(|clue| clue.kind == Kind::Cage) {
        cage(&mut marks, clue, ink);
    }
    let names: Vec<String> = clues.iter().map(Clue::to_string).collect();
    let told = format!(" Clues: {}.</desc>", names.join("; "));
    picture.replacen("</desc>", &told, 1).replacen("</svg>", &format!("<g>{marks}</g>\n</svg>"), 1)
}

/// The middle of a cell: x and y.
fn middle([row, column]: At) -> (usize, usize) {
    (MARGIN + column * CELL + CELL / 2, MARGIN + row * CELL + CELL / 2)
}

/// A pale line through the cells, with a bulb, or a circle and a head.
fn line(marks: &mut String, clue: &Clue, ink: &str) {
    let points: Vec<(usize, usize)> = clue.cells.iter().map(|&cell| middle(cell)).collect();
    let path: Vec<String> = points.iter().map(|(x, y)| format!("{x},{y}")).collect();
    let path = path.join(" ");
    let (x, y) = points[0];
    // Writing to a string does not fail.
    let _ = if clue.kind == Kind::Thermometer {
        write!(
            marks,
            "<g opacity=\"0.3\" fill=\"none\" stroke=\"{ink}\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\
             <polyline points=\"{path}\" stroke-width=\"12\"/></g>\
             <circle cx=\"{x}\" cy=\"{y}\" r=\"15\" fill=\"{ink}\" opacity=\"0.3\"/>"
        )
    } else {
        let ((x1, y1), (x2, y2)) = (points[points.len() - 2], points[points.len() - 1]);
        let angle = (y2 as f64 - y1 as f64).atan2(x2 as f64 - x1 as f64).to_degrees();
        write!(
            marks,
            "<g opacity=\"0.45\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"2.5\" stroke-linejoin=\"round\">\
             <circle cx=\"{x}\" cy=\"{y}\" r=\"16\"/><polyline points=\"{path}\"/>\
             <polyline points=\"-8,-6 0,0 -8,6\" transform=\"translate({x2} {y2}) rotate({angle:.1})\"/></g>"
        )
    };
}

/// A dashed line along the sides that border on other cells, and the sum in the first of the topmost cells.
fn cage(marks: &mut String, clue: &Clue, ink: &str) {
    let has = |row: usize, column: usize| clue.cells.contains(&[row, column]);
    let has = |row: usize, column: usize, down: isize, right: isize| {
        let to = row.checked_add_signed(down).zip(column.checked_add_signed(right));
        to.is_some_and(|(row, column)| has(row, column))
    };
    let mut path = String::new();
    for &[row, column] in &clue.cells {
        let (left, top) = (MARGIN + column * CELL, MARGIN + row * CELL);
        let inset = |inside: bool| if inside { 0 } else { INSET };
        let (west, east) = (left + inset(has(row, column, 0, -1)), left + CELL - inset(has(row, column, 0, 1)));
        let (north, south) = (top + inset(has(row, column, -1, 0)), top + CELL - inset(has(row, column, 1, 0)));
        for (beside, from, to) in [
            (has(row, column, -1, 0), (west, north), (east, north)),
            (has(row, column, 1, 0), (west, south), (east, south)),
            (has(row, column, 0, -1), (west, north), (west, south)),
            (has(row, column, 0, 1), (east, north), (east, south)),
        ] {
            if !beside {
                let _ = write!(path, "M{} {}L{} {}", from.0, from.1, to.0, to.1);
            }
        }
    }
    let _ = write!(marks, "<path d=\"{path}\" fill=\"none\" stroke=\"{ink}\" stroke-dasharray=\"3 2\"/>");
    if let (Some(sum), Some([row, column])) = (clue.sum, clue.cells.iter().min()) {
        let (x, y) = (MARGIN + column * CELL + INSET + 1, MARGIN + row * CELL + INSET + 9);
        let _ = write!(
            marks,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"10\" font-family=\"sans-serif\" fill=\"{ink}\">{sum}</text>"
        );
    }
}
