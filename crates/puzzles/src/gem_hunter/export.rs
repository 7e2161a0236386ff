//! Boards as Minesweeper programs print them, in the signs of our own text.
//!
//! What a sign stands for is decided by the whole text: a board whose cells are all known asks nothing, so that the one
//! sign that may be an unknown cell is one. Where two readings are left, both are said.

/// A row without blanks is a cell a character.
const PARTS: [char; 4] = [',', ';', '\t', ' '];
const HASH: &str = "`#` may be a hole or an unknown cell here: write `_` for unknown cells, and blanks between cells";
const DOT: &str = "`.` may be an unknown cell or a zero here: write `_` for unknown cells and 0 for zeros";
const NUMBERS: &str =
    "-1 and 9 may be an unknown cell and a trap here, or a trap and an unknown cell: write `_` and `T`";

/// The board in our own signs, and the number of traps that a first line `rows columns traps` says; none where the text
/// is no such board. An error is the sentence with two readings.
pub(super) fn board(text: &str) -> Result<Option<(String, Option<usize>)>, &'static str> {
    let is_list = text.contains('[');
    let plain = text.replace(['[', '"', '\''], " ").replace(']', "\n");
    let mut rows: Vec<Vec<String>> = plain.lines().map(cells).filter(|row| !row.is_empty()).collect();
    let numbers = |row: &[String]| row.iter().map(|cell| cell.parse().ok()).collect::<Option<Vec<usize>>>();
    let traps = match rows.split_first().map(|(first, rows)| (numbers(first), rows)) {
        Some((Some(size), [row, ..])) if matches!(size[..], [n, columns, _] if n + 1 == rows.len() && columns == row.len()) => {
            Some(size[2])
        }
        _ => None,
    };
    rows.drain(..usize::from(traps.is_some()));
    let has = |sign: &str| rows.iter().flatten().any(|cell| cell == sign);
    let (hash, dot, others) = (has("#"), has("."), has("_") || has("?") || has("-"));
    match () {
        () if hash && (dot || others) => return Err(HASH),
        () if dot && others => return Err(DOT),
        () if is_list && has("-1") && has("9") => return Err(NUMBERS),
        () => {}
    }
    let sign = |cell: &str| -> Option<String> {
        let sign = match cell {
            "F" | "*" | "T" => "T",
            "_" | "?" | "-" | "." | "#" => "_",
            "-1" | "9" if is_list => "_",
            "G" => "G",
            number if number.parse::<u8>().is_ok() => number,
            _ => return None,
        };
        Some(sign.to_owned())
    };
    let row =
        |row: &Vec<String>| row.iter().map(|cell| sign(cell)).collect::<Option<Vec<_>>>().map(|row| row.join(", "));
    let rows: Option<Vec<String>> = rows.iter().map(row).collect();
    Ok(rows.map(|rows| (rows.join("\n"), traps)))
}

/// The cells of a line.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim_matches(|sign| PARTS.contains(&sign) || sign == '\r');
    if line.contains(PARTS) {
        return line.split(PARTS).filter(|cell| !cell.is_empty()).map(str::to_owned).collect();
    }
    line.chars().map(String::from).collect()
}
