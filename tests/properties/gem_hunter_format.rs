//! Gem Hunter: text to board and back, and everything that is no board.
#![cfg(feature = "gem-hunter")]

use cnfkit::gem_hunter::{GemParseError, GemParser};
use cnfkit::{Cell, GemMap};
use proptest::prelude::*;

fn parse(text: &str) -> GemMap {
    text.parse().unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

#[test]
fn every_tolerated_spelling_is_the_same_board() {
    let expected = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n";
    for text in [
        expected,
        "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _",
        "3,_,2,_\n_,_,2,_\n_,3,1,_\n",
        "3 _ 2 _\n_ _ 2 _\n_ 3 1 _\n",
        "3\t_\t2\t_\n  _   _ , 2 ,_\n_ ,3 ,1 ,_\n",
        "3, _, 2, _\r\n_, _, 2, _\r\n_, 3, 1, _\r\n",
        "\n\n3, _, 2, _, \n\n_, _, 2, _,\n_, 3, 1, _   \n\n\n",
        "3 4\n3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n",
        "3 4\n3 . 2 .\n. . 2 .\n. 3 1 .",
        "\u{feff}3, ., 2, .\n., ., 2, .\n., 3, 1, .\n , \n",
    ] {
        assert_eq!(parse(text).to_string(), expected, "{text:?}");
    }
}

#[test]
fn cells_are_read_as_what_they_are() {
    let map = parse("0, 8, T\nG, _, 3");
    let cells = [Cell::Number(0), Cell::Number(8), Cell::Trap, Cell::Gem, Cell::Unknown, Cell::Number(3)];
    assert_eq!((map.rows(), map.columns(), map.cells()), (2, 3, &cells[..]));
}

#[test]
fn a_first_line_of_two_numbers_is_a_header_only_if_the_board_agrees() {
    assert_eq!(parse("1 2\n_ _").rows(), 1);
    assert_eq!(parse("1 2\n_ _\n_ _").rows(), 3, "no board of 1 row: the line is a row");
    assert_eq!(parse("2, 2\n_, _\n_, _\n").rows(), 3, "a header has no comma");
    assert_eq!(parse("3 4").columns(), 2, "nothing follows: a row");
    let wrong: GemParseError = "3 4\n_ _ _\n_ _ _\n".parse::<GemMap>().unwrap_err();
    assert_eq!(wrong.to_string(), "line 1, column 1: the header says 3 rows of 4 cells; the board has 2 rows of 3");
    assert!(matches!("20 20\n_ _\n".parse::<GemMap>(), Err(GemParseError::Header { .. })));
}

#[test]
fn what_is_no_board_is_refused_with_line_and_column() {
    for (text, message) in [
        ("", "line 1, column 1: the text ends without a cell"),
        (" \n\r\n,\n", "line 4, column 1: the text ends without a cell"),
        ("1, _\n_\n", "line 2, column 2: the row has 1 cells; the first row has 2"),
        ("1, _\n_, _, 3\n", "line 2, column 7: the row has 3 cells; the first row has 2"),
        ("1, 9\n", "line 1, column 4: the number 9 is out of range: allowed are 0 to 8"),
        ("1, 10", "line 1, column 4: the number 10 is out of range: allowed are 0 to 8"),
        ("_ -1 _", "line 1, column 3: the number -1 is out of range: allowed are 0 to 8"),
        ("_ +1 _", "line 1, column 3: the number +1 is out of range: allowed are 0 to 8"),
        (
            "_, 99999999999999999999999",
            "line 1, column 4: the number 99999999999999999999… is out of range: allowed are 0 to 8",
        ),
        ("_, é, x\n", "line 1, column 4: `é` is no cell: allowed are 0 to 8, `_` or `.`, `T`, `G` and `#`"),
        ("é, _", "line 1, column 1: `é` is no cell: allowed are 0 to 8, `_` or `.`, `T`, `G` and `#`"),
        ("TX\n", "line 1, column 1: `TX` is no cell: allowed are 0 to 8, `_` or `.`, `T`, `G` and `#`"),
        ("1,, _\n", "line 1, column 3: a cell is missing before this comma"),
        (", 1\n", "line 1, column 1: a cell is missing before this comma"),
        ("p cnf 3 4\n", "line 1, column 1: `p` is no cell: allowed are 0 to 8, `_` or `.`, `T`, `G` and `#`"),
        ("\0", "line 1, column 1: `\\0` is no cell: allowed are 0 to 8, `_` or `.`, `T`, `G` and `#`"),
    ] {
        let error = text.parse::<GemMap>().expect_err(text);
        assert_eq!(error.to_string(), message, "{text:?}");
        let (line, column) = error.position();
        assert!(message.starts_with(&format!("line {line}, column {column}: ")), "{text:?}");
    }
}

/// Boards of Minesweeper programs, in all ends of lines.
#[test]
fn exports_are_read() {
    let expected = "1, _, 2, T\n_, _, 1, _\n0, 1, _, _\n";
    let rows = |unknown: &str, trap: &str| "1u2t\nuu1u\n01uu\n".replace('u', unknown).replace('t', trap);
    let list = |unknown: &str, trap: &str| {
        let row = |row: &str| {
            let cell = |cell: char| match cell {
                'u' => unknown.to_owned(),
                't' => trap.to_owned(),
                cell => cell.to_string(),
            };
            format!("[{}]", row.chars().map(cell).collect::<Vec<_>>().join(", "))
        };
        format!("[{}]", ["1u2t", "uu1u", "01uu"].map(row).join(",\n "))
    };
    let mut texts =
        vec![list("-1", "\"F\""), list("9", "\"*\""), list("\"?\"", "\"F\""), list("-1", "\"F\"").replace('\n', "")];
    for unknown in ["?", "-", ".", "_", "#"] {
        texts.extend(["F", "*", "T"].map(|trap| rows(unknown, trap)));
        texts.push(rows(&format!("{unknown},"), "F").replace('1', "1,").replace('2', "2,").replace('0', "0,"));
    }
    for text in texts {
        for end in ["\n", "\r\n", "\r"] {
            assert_eq!(parse(&text.replace('\n', end)).to_string(), expected, "{text:?}");
        }
        let (map, traps) = GemParser::new().parse_with_traps(&format!("3 4 5\n{text}")).unwrap();
        assert_eq!((map.to_string().as_str(), traps), (expected, Some(5)), "{text:?}");
    }
    for text in ["1#.\n#..\n", "1.?\n...\n", "[[1, -1], [9, 0]]"] {
        let error = text.parse::<GemMap>().unwrap_err();
        assert!(matches!(error, GemParseError::Ambiguous { .. }) && error.to_string().contains(" may be "), "{error}");
    }
    assert!(matches!("1 2 1\n1?".parse::<GemMap>(), Err(GemParseError::Traps { traps: 1, .. })));
    // A line of three numbers is a row, unless the board behind it has that size.
    let own = |text: &str| GemParser::new().parse_with_traps(text).map(|(map, traps)| (map.rows(), traps));
    assert_eq!(own("3 3 2\n_ 2 _\n_ _ _\n_ _ _"), Ok((3, Some(2))));
    assert_eq!(own("3 3 2\n_ 2 _\n_ _ _\n_ _ _\n_ _ _"), Ok((5, None)));
    assert_eq!(own("3, 3, 2\n_ 2 _\n_ _ _\n_ _ _"), Ok((4, None)));
    assert_eq!(own("\n2 4 1\n_ 2 _ T\n_ _ _ 1\n"), Ok((2, Some(1))));
    assert!(matches!("3 3 2\n_ 2 _\n_ _ _\n_ _ _".parse::<GemMap>(), Err(GemParseError::Traps { traps: 2, .. })));
}

#[test]
fn strict_takes_the_format_of_display_and_nothing_else() {
    let strict = GemParser::new().strict(true);
    for text in ["3, _\nT, G\n", "3, _\nT, G", "0\n"] {
        assert_eq!(strict.parse(text).as_ref(), Ok(&parse(text)));
    }
    for (text, position) in [
        ("3,_\n", (1, 2)),
        ("3 _\n", (1, 2)),
        ("3,  _\n", (1, 4)),
        ("3, _ \n", (1, 5)),
        ("3, _, \n", (1, 6)),
        ("3, _,\n", (1, 5)),
        ("3, _\r\n", (1, 5)),
        ("3, .\n", (1, 4)),
        ("\n3, _\n", (1, 1)),
        ("3, _\n\n", (2, 1)),
        ("1 2\n3, _\n", (1, 2)),
        ("03, _\n", (1, 1)),
        ("\u{feff}3, _\n", (1, 1)),
        ("", (1, 1)),
        ("3, _\n_\n", (2, 2)),
    ] {
        assert_eq!(strict.parse(text).expect_err(text).position(), position, "{text:?}");
    }
}

#[test]
fn larger_numbers_are_read_on_request() {
    let map = GemParser::new().largest_number(24).parse("24, _, 9").unwrap();
    assert_eq!((map.get(0, 0), map.get(0, 2)), (Cell::Number(24), Cell::Number(9)));
    assert!(GemParser::new().largest_number(24).parse("25").is_err());
    assert!(GemParser::new().largest_number(4).parse("5").is_err());
}

prop_compose! {
    fn any_map()(rows in 1usize..6, columns in 1usize..6)
        (
            cells in prop::collection::vec(0u8..13, rows * columns),
            columns in Just(columns),
            rows in Just(rows),
        ) -> GemMap {
        let mut map = GemMap::new(rows, columns);
        for (index, &cell) in cells.iter().enumerate() {
            let cell = match cell {
                9 => Cell::Trap,
                10 => Cell::Gem,
                11 => Cell::Unknown,
                12 => Cell::Hole,
                number => Cell::Number(number),
            };
            map.set(index / columns, index % columns, cell);
        }
        map
    }
}

proptest! {
    #[test]
    fn what_is_written_reads_back(map in any_map()) {
        let text = map.to_string();
        prop_assert_eq!(&text.parse::<GemMap>().unwrap(), &map);
        prop_assert_eq!(&GemParser::new().strict(true).parse(&text).unwrap(), &map);
    }

    #[test]
    fn no_text_panics(text in "[0-9TG_., \r\n\t+-]{0,40}|\\PC{0,20}") {
        let _ = text.parse::<GemMap>();
        let _ = GemParser::new().strict(true).parse(&text);
    }
}
