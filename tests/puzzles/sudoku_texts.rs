//! Sudokus as people have them: frames, lists, tables, other signs for empty cells.

use cnfkit::Grid;

const PUZZLE: &str = "530070000600195000098000060800060003400803001700020006060000280000419005000080079";
const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

fn puzzle() -> Grid {
    PUZZLE.parse().unwrap()
}

/// The rows of the puzzle, with a sign for empty cells.
fn rows(empty: &str) -> Vec<String> {
    let rows = puzzle();
    rows.cells().chunks(9).map(|row| row.iter().map(|&value| cell(value, empty)).collect()).collect()
}

fn cell(value: u16, empty: &str) -> String {
    if value == 0 { empty.to_owned() } else { value.to_string() }
}

/// The puzzle with all values in its cells joined.
fn joined(empty: &str, between: &str, [start, middle, end]: [&str; 3]) -> String {
    let rows: Vec<String> = puzzle()
        .cells()
        .chunks(9)
        .map(|row| row.iter().map(|&value| cell(value, empty)).collect::<Vec<_>>().join(between))
        .collect();
    format!("{start}{}{end}", rows.join(middle))
}

/// Files of other programs, in all ends of lines and after a byte order mark, and cut off by nothing.
#[test]
fn files_of_other_programs() {
    let texts = [
        ("blank", include_str!("texts/blank.txt")),
        ("cells", include_str!("texts/cells.csv")),
        ("dash", include_str!("texts/dash.txt")),
        ("double_lines", include_str!("texts/double_lines.txt")),
        ("kaggle", include_str!("texts/kaggle.csv")),
        ("letter_x", include_str!("texts/letter_x.txt")),
        ("note", include_str!("texts/note.txt")),
        ("print", include_str!("texts/print.txt")),
        ("python_list", include_str!("texts/python_list.txt")),
        ("question", include_str!("texts/question.txt")),
        ("quoted", include_str!("texts/quoted.txt")),
    ];
    for (name, text) in texts {
        for end in ["\n", "\r\n", "\r"] {
            for mark in ["", "\u{feff}"] {
                let text = format!("{mark}{}", text.replace('\n', end));
                let found = text.parse::<Grid>().unwrap_or_else(|error| panic!("{name} {end:?}: {error}"));
                assert_eq!(found, puzzle(), "{name} {end:?}");
            }
        }
        // A text that was cut off is no other puzzle of this size, unless nothing is a sign for an empty cell.
        if ["blank", "cells"].contains(&name) {
            continue;
        }
        for cut in (0..text.len()).filter(|&cut| text.is_char_boundary(cut)) {
            if let Ok(grid) = text[..cut].parse::<Grid>() {
                let is_part = grid == puzzle() || grid.side() != 9;
                assert!(is_part, "{name}: {:?}", &text[..cut]);
            }
        }
    }
}

/// One rule for all: signs of frames go, and one of the signs for empty cells is taken in the whole text.
#[test]
fn frames_lists_and_tables() {
    let mut texts = vec![
        joined("0", ", ", ["[[", "], [", "]]"]),
        joined("None", ", ", ["[\n  [", "],\n  [", "]\n]\n"]),
        joined("null", ",", ["{\"grid\": ", ",", "}"]).replace("\"grid\": ", ""),
        joined("0", ",\n    ", ["[\n  [\n    ", "\n  ],\n  [\n    ", "\n  ]\n]"]),
        joined("\"\"", ",", ["[[", "],\n[", "]]"]),
        joined("0", ", ", ["{{", "},\n {", "}};"]).replace("};", "}"),
        joined("", ";", ["", "\n", "\n"]),
        joined("", "\t", ["", "\n", "\n"]),
        joined("", ",", ["", "\n", ""]),
        joined(" ", " | ", ["| ", " |\n| ", " |\n"]),
        joined("", "|", ["|", "|\n|", "|\n"]).replacen("|\n", "|\n|---|---|---|---|---|---|---|---|---|\n", 1),
        joined("x", " ", ["", "\n", "\n"]),
        joined("?", ",", ["", "\n", "\n"]),
        joined("·", "", ["", "\n", "  # a note\n"]),
        joined("-", " ", ["Puzzle 7\n", "\n", "\n"]),
        format!("puzzle,solution\n\"{PUZZLE}\",\"{SOLUTION}\"\n"),
        format!("{};{SOLUTION}", PUZZLE.replace('0', ".")),
    ];
    for empty in [".", "-", "_", "?", "X", " "] {
        let bands: Vec<Vec<String>> = rows(empty)
            .chunks(3)
            .map(|band| band.iter().map(|row| [&row[..3], &row[3..6], &row[6..]].join("|")).collect())
            .collect();
        let bands: Vec<String> = bands.iter().map(|band| band.join("\n")).collect();
        texts.push(bands.join("\n---+---+---\n"));
        let lines = bands.iter().flat_map(|band| band.lines());
        let lines: Vec<String> = lines.map(|line| format!("|{line}|")).collect();
        texts.push(format!("+---+---+---+\n{}\n+---+---+---+", lines.join("\n")));
    }
    let spaced = |line: &str| line.split("").collect::<Vec<_>>().join(" ");
    let dotted: Vec<String> = rows(".").iter().map(|row| format!("|{} |", spaced(row).trim_end())).collect();
    texts.push(format!(".-------------------.\n{}\n'-------------------'", dotted.join("\n")));
    for text in texts {
        assert_eq!(text.parse::<Grid>().unwrap_or_else(|error| panic!("{error}\n{text}")), puzzle(), "{text}");
    }
}

/// A cell that is missing is none that is empty, and a wrong solution is no solution.
#[test]
fn what_is_missing_is_not_empty() {
    let dotted = rows(".").join("\n");
    for text in [
        dotted.replacen("3.\n", "3\n", 1).replacen("..3\n", ".3\n", 1),
        joined("0", ",", ["", "\n", ""]).replacen("0,0,", "0,,", 1),
        rows("").join("\n"),
        format!("{PUZZLE},{}", SOLUTION.replacen("91", "19", 1)),
        format!("{PUZZLE},{PUZZLE}"),
        rows("-").join("\n").replacen("---6", "--6", 1),
    ] {
        assert!(text.parse::<Grid>().is_err(), "{text}");
    }
    let error = format!("{PUZZLE},{PUZZLE}").parse::<Grid>().unwrap_err().to_string();
    assert_eq!(error, "line 1, column 83: this is no solution of the puzzle before it");
}

/// A wrong sign is named as it stands, with the signs that are right beside the others.
#[test]
fn a_wrong_sign_is_named() {
    let row = "1.3..6.8.9.B.D.F";
    let text: Vec<String> =
        (0..16).map(|at| if at == 3 { "G..............Z".into() } else { row.to_owned() }).collect();
    let grid: Grid = text.join("\n").parse().unwrap();
    let problems: Vec<String> = grid.check().iter().map(ToString::to_string).collect();
    assert_eq!(problems[0], "line 4, column 16 (row 4, column 16): `Z` is out of range; allowed are 1 to G");
    let grid: Grid = "12\n13".parse().unwrap();
    assert_eq!(
        grid.check()[0].to_string(),
        "line 2, column 2 (row 2, column 2): 3 is out of range; allowed are 1 to 2"
    );
}
