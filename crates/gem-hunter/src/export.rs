//! Boards as Minesweeper programs print them, in the signs of our own text.
//!
//! The meaning of a sign is decided by the whole text: a board whose cells are all known asks nothing, so that the one
//! sign that may be an unknown cell is one. Where two readings are left, both are said.

const HASH: &str = "`#` may be a hole or an unknown cell here: write `_` for unknown cells, and blanks between cells";
const DOT: &str = "`.` may be an unknown cell or a zero here: write `_` for unknown cells and 0 for zeros";
const NUMBERS: &str =
    "-1 and 9 may be an unknown cell and a trap here, or a trap and an unknown cell: write `_` and `T`";

/// The board in our own signs, and the number of traps that a first line `rows columns traps` says; none where the text
/// is no such board. An error is the sentence with two readings.
pub(super) fn board(text: &str) -> Result<Option<(String, Option<usize>)>, &'static str> {
    let is_list = text.contains('[');
    let plain = text.replace(['[', '"', '\''], " ").replace(']', "\n");
    let mut rows: Vec<Vec<String>> =
        plain.lines().map(|line| cells(line, is_list)).filter(|row| !row.is_empty()).collect();
    let numbers = |row: &[String]| row.iter().map(|cell| cell.parse().ok()).collect::<Option<Vec<usize>>>();
    let size = rows.first().and_then(|row| numbers(row)).unwrap_or_default();
    let traps = match (&size[..], rows.get(1)) {
        (&[n, columns, traps], Some(row)) if (n, columns) == (rows.len() - 1, row.len()) => Some(traps),
        _ => None,
    };
    rows.drain(..usize::from(traps.is_some()));
    let has = |sign: &str| rows.iter().flatten().any(|cell| cell == sign);
    let (hash, dot, others) = (has("#"), has("."), has("?") || has("-"));
    let is_unknown = |cell: &String| matches!(cell.as_str(), "_" | "?" | "-" | "." | "#" | "-1" | "9");
    if !rows.iter().flatten().any(is_unknown) {
        return Ok(None);
    }
    match () {
        () if hash && (dot || others) => return Err(HASH),
        () if dot && others => return Err(DOT),
        () if is_list && has("-1") && has("9") => return Err(NUMBERS),
        () => {}
    }
    let sign = |cell: &str| -> Option<String> {
        let sign = match cell {
            "F" | "*" | "T" => "T",
            "#" if has("_") => "#",
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

/// The cells of a line: between commas or semicolons, between blanks, or one a character.
fn cells(line: &str, is_list: bool) -> Vec<String> {
    let is_part = |sign: char| sign == ',' || sign == ';' || sign.is_whitespace();
    // Rows of a list have a comma between them.
    let line = if is_list { line.trim_start_matches(is_part) } else { line.trim_start() }.trim_end_matches(is_part);
    if line.contains([',', ';']) {
        return line.split([',', ';']).map(|cell| cell.trim().to_owned()).collect();
    }
    match line.split_whitespace().collect::<Vec<_>>()[..] {
        [word] => word.chars().map(String::from).collect(),
        ref words => words.iter().map(|&word| word.to_owned()).collect(),
    }
}
