//! Cages, thermometers and arrows, held against all 288 Sudokus of side 4; and the format in which others have them.

use serde_json::{Value, json};

use super::tools::{ask, post, refusal};

type Cells = [[u16; 4]; 4];

/// All Sudokus of side 4.
fn sudokus() -> Vec<Cells> {
    fn fill(cells: &mut Cells, at: usize, found: &mut Vec<Cells>) {
        let (row, col) = (at / 4, at % 4);
        if at == 16 {
            found.push(*cells);
            return;
        }
        for value in 1..=4 {
            let seen = |r: usize, c: usize| r == row || c == col || (r / 2, c / 2) == (row / 2, col / 2);
            if (0..at).all(|other| !seen(other / 4, other % 4) || cells[other / 4][other % 4] != value) {
                cells[row][col] = value;
                fill(cells, at + 1, found);
                cells[row][col] = 0;
            }
        }
    }
    let mut found = Vec::new();
    fill(&mut [[0; 4]; 4], 0, &mut found);
    assert_eq!(found.len(), 288);
    found
}

/// Numbers by lot.
struct Lot(u64);

impl Lot {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

#[derive(Clone, Debug)]
struct Clue {
    kind: &'static str,
    cells: Vec<[usize; 2]>,
    sum: Option<usize>,
}

impl Clue {
    fn json(&self) -> Value {
        json!({ "kind": self.kind, "cells": self.cells, "sum": self.sum })
    }

    fn holds(&self, cells: &Cells) -> bool {
        let values: Vec<usize> = self.cells.iter().map(|&[row, col]| cells[row][col].into()).collect();
        match self.kind {
            "cage" => {
                let differ = (0..values.len()).all(|at| !values[..at].contains(&values[at]));
                differ && self.sum.is_none_or(|sum| values.iter().sum::<usize>() == sum)
            }
            "thermometer" => values.is_sorted_by(|a, b| a < b),
            _ => values[0] == values[1..].iter().sum::<usize>(),
        }
    }

    /// Cells by lot; mostly a rule that a certain Sudoku fulfils.
    fn by_lot(lot: &mut Lot, right: &Cells) -> Self {
        loop {
            let kind = ["cage", "thermometer", "arrow"][lot.below(3)];
            let mut cells = Vec::new();
            for _ in 0..2 + lot.below(3) {
                let cell = [lot.below(4), lot.below(4)];
                if !cells.contains(&cell) {
                    cells.push(cell);
                }
            }
            let count = cells.len();
            if count < 2 {
                continue;
            }
            let (least, most) = (count * (count + 1) / 2, count * (9 - count) / 2);
            let sum = match lot.below(4) {
                _ if kind != "cage" => None,
                0 => None,
                1 => Some(least + lot.below(most - least + 1)),
                _ => Some(cells.iter().map(|&[row, col]| usize::from(right[row][col])).sum()),
            };
            let sum = sum.filter(|sum| (least..=most).contains(sum));
            let clue = Self { kind, cells, sum };
            if clue.holds(right) || lot.below(40) == 0 {
                return clue;
            }
        }
    }
}

fn rows(value: &Value) -> Cells {
    serde_json::from_value(value.clone()).unwrap()
}

#[tokio::test]
async fn all_questions_agree_with_all_sudokus_of_side_4() {
    let all = sudokus();
    let mut lot = Lot(23);
    let (mut unsolvable, mut unique, mut many, mut by_clues) = (0, 0, 0, 0);
    for _ in 0..150 {
        let right = all[lot.below(all.len())];
        let clues: Vec<Clue> = (0..=lot.below(5)).map(|_| Clue::by_lot(&mut lot, &right)).collect();
        let mut cells = [[0; 4]; 4];
        for _ in 0..lot.below(5) {
            let (row, col) = (lot.below(4), lot.below(4));
            cells[row][col] = if lot.below(12) == 0 { 1 + lot.below(4) as u16 } else { right[row][col] };
        }
        let fits = |full: &&Cells| {
            let given = |(value, full): (&u16, &u16)| *value == 0 || value == full;
            clues.iter().all(|clue| clue.holds(full)) && cells.as_flattened().iter().zip(full.as_flattened()).all(given)
        };
        let expected: Vec<Cells> = all.iter().filter(fits).copied().collect();
        let clue_values: Vec<Value> = clues.iter().map(Clue::json).collect();
        let sheet = json!({ "n": 4, "cells": cells, "clues": clue_values });
        let told = sheet.to_string();

        let solved = ask("sudoku/solve", json!({ "sheet": sheet, "count_ms": 10_000 })).await;
        assert_eq!(solved["count"], json!({ "at_least": expected.len(), "exact": true }), "{told}");
        assert_eq!(solved["unique"], expected.len() == 1, "{told}");
        let exact = ask("sudoku/candidates", json!({ "sheet": sheet, "exact": true })).await["candidates"].clone();
        let marks = ask("sudoku/candidates", json!({ "sheet": sheet })).await["candidates"].clone();
        for (row, col) in (0..16).map(|at| (at / 4, at % 4)) {
            let of = |list: &Value| -> Vec<u16> { serde_json::from_value(list[row][col].clone()).unwrap() };
            let mut values: Vec<u16> = expected.iter().map(|full| full[row][col]).collect();
            values.sort_unstable();
            values.dedup();
            assert_eq!(of(&exact), values, "row {row}, column {col} of {told}");
            assert!(values.iter().all(|value| of(&marks).contains(value)), "row {row}, column {col} of {told}");
        }
        let why = ask("sudoku/why", json!({ "sheet": sheet })).await;
        assert_eq!(why["solvable"], !expected.is_empty(), "{told}");
        let hint = ask("sudoku/hint", json!({ "sheet": sheet })).await["hint"].clone();
        if expected.is_empty() {
            unsolvable += 1;
            assert_eq!((&solved["solution"], &hint), (&Value::Null, &Value::Null), "{told}");
            // The values that it names are enough, and the rules that it names.
            let givens: Vec<[usize; 2]> = serde_json::from_value(why["givens"].clone()).unwrap();
            let enough = |full: &&Cells| {
                clues.iter().all(|clue| clue.holds(full))
                    && givens.iter().all(|&[row, col]| full[row][col] == cells[row][col])
            };
            assert!(!all.iter().any(|full| enough(&full)) && !why["rules"].as_array().unwrap().is_empty(), "{told}");
            continue;
        }
        assert!(expected.contains(&rows(&solved["solution"])), "{told}");
        *(if expected.len() == 1 { &mut unique } else { &mut many }) += 1;
        let open = |row: usize, col: usize| cells[row][col] == 0;
        let same = |row: usize, col: usize| expected.iter().all(|full| full[row][col] == expected[0][row][col]);
        let forced = (0..16).map(|at| (at / 4, at % 4)).any(|(row, col)| open(row, col) && same(row, col));
        assert_eq!(hint.is_object(), forced, "{told}");
        if forced {
            let at = |name: &str| hint[name].as_u64().unwrap() as usize;
            let (row, col) = (at("row"), at("column"));
            assert!(open(row, col) && same(row, col) && at("value") == usize::from(expected[0][row][col]), "{told}");
            for loss in hint["eliminations"].as_array().unwrap() {
                by_clues += 1;
                let losers: Vec<[usize; 2]> = serde_json::from_value(loss["cells"].clone()).unwrap();
                let has = |full: &Cells| losers.iter().any(|&[row, col]| json!(full[row][col]) == loss["value"]);
                assert!(!expected.iter().any(has), "{loss} of {told}");
            }
        }
        // Each full board is right or wrong as it is.
        for full in [&all[lot.below(all.len())], &expected[0]] {
            let sheet = json!({ "n": 4, "cells": full, "clues": clue_values });
            let problems = ask("sudoku/check", json!({ "sheet": sheet })).await["problems"].as_array().unwrap().len();
            assert_eq!(problems, clues.iter().filter(|clue| !clue.holds(full)).count(), "{sheet}");
        }
    }
    assert!(unsolvable > 10 && unique > 20 && many > 20 && by_clues > 20, "{unsolvable} {unique} {many} {by_clues}");
}

#[tokio::test]
async fn other_solutions_come_until_all_were_seen() {
    let sheet = json!({ "n": 4, "clues": [
        { "kind": "cage", "cells": [[0, 0], [0, 1], [1, 0]], "sum": 6 },
        { "kind": "thermometer", "cells": [[3, 0], [2, 1]] },
    ] });
    let mut seen: Vec<Value> = Vec::new();
    loop {
        let solved = ask("sudoku/solve", json!({ "sheet": sheet, "not": seen })).await;
        if solved["solution"].is_null() {
            assert_eq!(solved["count"], json!({ "at_least": seen.len(), "exact": true }));
            break;
        }
        assert!(!seen.contains(&solved["solution"]));
        seen.push(solved["solution"].clone());
    }
    assert!(seen.len() > 1);
}

/// Nothing but cages on the board.
#[tokio::test]
async fn a_killer_is_solved_hint_by_hint() {
    let full = [[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]];
    let cages = [
        vec![[0, 0], [0, 1]],
        vec![[0, 2], [1, 2]],
        vec![[0, 3], [1, 3], [2, 3]],
        vec![[1, 0], [2, 0]],
        vec![[1, 1], [2, 1], [2, 2]],
        vec![[3, 0]],
        vec![[3, 1], [3, 2], [3, 3]],
    ];
    let cage = |cells: &Vec<[usize; 2]>| {
        let sum: u16 = cells.iter().map(|&[row, col]| full[row][col]).sum();
        json!({ "kind": "cage", "cells": cells, "sum": sum })
    };
    let mut sheet = json!({ "n": 4, "clues": cages.iter().filter(|cells| {
        let mut values: Vec<u16> = cells.iter().map(|&[row, col]| full[row][col]).collect();
        values.sort_unstable();
        values.dedup();
        values.len() == cells.len()
    }).map(cage).collect::<Vec<_>>() });
    let solved = ask("sudoku/solve", json!({ "sheet": sheet })).await;
    let mut cells: Vec<Vec<u16>> = vec![vec![0, 0, 0, 0]; 4];
    for _ in 0..16 {
        sheet["cells"] = json!(cells);
        let hint = ask("sudoku/hint", json!({ "sheet": sheet })).await["hint"].clone();
        if solved["unique"] == false && hint.is_null() {
            return;
        }
        let at = |name: &str| hint[name].as_u64().unwrap() as usize;
        assert!(hint["text"].as_str().unwrap().starts_with("row "), "{hint}");
        cells[at("row")][at("column")] = at("value") as u16;
    }
    assert_eq!(json!(cells), solved["solution"]);
}

#[tokio::test]
async fn reasons_and_checks_name_the_clue() {
    let cage = json!({ "kind": "cage", "cells": [[0, 0], [0, 1]], "sum": 3 });
    let sheet = json!({ "n": 4, "cells": [[3, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]], "clues": [cage] });
    let checked = ask("sudoku/check", json!({ "sheet": sheet })).await;
    let name = "the cage with sum 3 at row 1, column 1";
    assert_eq!(checked["problems"][0]["rule"], name);
    assert_eq!(checked["problems"][0]["text"], format!("{name} cannot hold 3"));
    assert_eq!(checked["problems"][0]["cells"], json!([[0, 0]]));
    let why = ask("sudoku/why", json!({ "sheet": sheet })).await;
    assert_eq!((&why["givens"], &why["rules"]), (&json!([[0, 0]]), &json!([name])));
    // Two rules that no values fulfil: the top of a row is 4 at both ends of it.
    let two = json!({ "n": 4, "clues": [
        { "kind": "thermometer", "cells": [[0, 0], [0, 1], [0, 2], [0, 3]] },
        { "kind": "arrow", "cells": [[0, 0], [1, 0], [1, 1]] },
    ] });
    let why = ask("sudoku/why", json!({ "sheet": two })).await;
    let text = why["text"].as_str().unwrap();
    assert!(why["solvable"] == false && text.contains("no values fulfil these rules together"), "{why}");
    assert!(text.contains("the thermometer from row 1, column 1") && text.contains("the arrow from"), "{text}");
    let svg = ask("sudoku/svg", json!({ "sheet": two })).await["svg"].as_str().unwrap().to_owned();
    assert!(
        svg.contains("Clues: the thermometer from row 1, column 1; the arrow") && svg.matches("<polyline").count() == 3
    );
}

#[tokio::test]
async fn clues_that_cannot_be_are_refused_in_words() {
    let clue = |clue: Value| json!({ "sheet": { "n": 4, "clues": [clue] } });
    let cells = |count: usize| -> Vec<[usize; 2]> { (0..count).map(|at| [at / 4, at % 4]).collect() };
    for (wrong, words) in [
        (json!({ "kind": "cage", "cells": cells(2), "sum": 8 }), "a cage of 2 cells has a sum from 3 to 7"),
        (json!({ "kind": "cage", "cells": [] }), "0 cells"),
        (json!({ "kind": "thermometer", "cells": cells(5) }), "a thermometer has 2 to 4 cells"),
        (json!({ "kind": "thermometer", "cells": cells(2), "sum": 3 }), "has no sum"),
        (json!({ "kind": "arrow", "cells": [[0, 0], [0, 4]] }), "row 1, column 5 is outside"),
        (json!({ "kind": "arrow", "cells": [[0, 0], [0, 0]] }), "twice"),
        (json!({ "kind": "snake", "cells": cells(2) }), "snake"),
        (json!({ "kind": "cage", "cells": cells(2), "colour": 1 }), "colour"),
    ] {
        for question in ["sudoku/solve", "sudoku/check", "sudoku/hint", "sudoku/svg"] {
            let reply = post(question, clue(wrong.clone()).to_string()).await;
            let problem = reply.problem();
            assert_eq!(problem.0, 422, "{wrong}");
            assert!(problem.1.is_some_and(|place| place.starts_with("sheet.clues")), "{wrong}: {}", reply.text());
            assert!(reply.text().contains(words), "{wrong}: {}", reply.text());
        }
    }
    let right = json!({ "n": 4, "clues": [{ "kind": "arrow", "cells": cells(3) }] });
    for (question, body) in [
        ("sudoku/dimacs", json!({ "sheet": right })),
        ("sudoku/proof", json!({ "sheet": right })),
        ("sudoku/new", json!({ "sheet": right, "difficulty": "easy" })),
    ] {
        assert_eq!(refusal(question, body).await, (422, Some("sheet.clues".into())), "{question}");
    }
    let lines = json!({ "sheet": right, "format": "line" });
    assert_eq!(refusal("sudoku/write", lines).await, (422, Some("format".into())));
    let large = json!({ "sheet": { "n": 25, "clues": [{ "kind": "cage", "cells": cells(2) }] } });
    assert_eq!(refusal("sudoku/solve", large).await, (422, Some("sheet.clues".into())));
    let mut cells = [[0; 4]; 4];
    cells[0][0] = 9;
    let out = json!({ "sheet": { "n": 4, "cells": cells, "clues": right["clues"] } });
    assert_eq!(refusal("sudoku/hint", out).await, (422, Some("sheet.cells[0][0]".into())));
}

#[tokio::test]
async fn puzzles_of_f_puzzles_are_written_and_read_again() {
    let sheets = [
        json!({ "n": 4, "cells": [[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2]], "regions": "boxes:2x2",
            "diagonals": true, "windows": false, "anti_knight": true, "anti_king": false, "clues": [
            { "kind": "cage", "cells": [[0, 1], [0, 2]], "sum": 5 }, { "kind": "cage", "cells": [[2, 2]], "sum": null },
            { "kind": "thermometer", "cells": [[1, 1], [2, 1]], "sum": null },
            { "kind": "arrow", "cells": [[3, 0], [3, 1], [3, 2]], "sum": null },
        ] }),
        json!({ "n": 5, "cells": vec![[0; 5]; 5], "regions": [[0, 0, 0, 1, 1], [0, 0, 2, 1, 1], [3, 2, 2, 2, 1],
            [3, 3, 2, 4, 4], [3, 3, 4, 4, 4]], "diagonals": false, "windows": false, "anti_knight": false,
            "anti_king": true, "clues": [] }),
    ];
    for sheet in sheets {
        let written = ask("sudoku/write", json!({ "sheet": sheet, "format": "f-puzzles" })).await;
        let text = written["text"].as_str().unwrap();
        assert!(text.starts_with("https://www.f-puzzles.com/?load=N4Ig") && !text.contains('+'), "{text}");
        for line in text.lines().chain([text]) {
            let read = ask("sudoku/read", json!({ "text": line })).await;
            assert_eq!((&read["sheet"], &read["format"]), (&sheet, &json!("f-puzzles")), "{line}");
        }
    }
}

/// As f-puzzles itself writes it: values as texts, entries beside givens, remarks and colours.
#[tokio::test]
async fn json_of_f_puzzles_is_read_with_what_is_known() {
    let cell = json!({});
    let mut puzzle = json!({
        "size": 4, "title": "A test", "author": "nobody", "ruleset": "As usual.", "disjointgroups": false,
        "highlightConflicts": true, "negative": [], "line": [{ "lines": [["R1C1", "R2C2"]], "outlineC": "#CFCFCF" }],
        "grid": [
            [{ "value": 3, "given": true, "c": "#FFFFFF" }, { "value": 1 }, cell, cell],
            [cell, cell, cell, cell], [cell, cell, cell, cell],
            [cell, cell, cell, { "centerPencilMarks": [1, 2] }],
        ],
        "killercage": [{ "cells": ["R1C2", "R2C2"], "value": "6" }, { "cells": ["R4C4"], "value": "" }],
        "thermometer": [{ "lines": [["R4C1", "R3C2"], ["R4C1", "R4C2"]] }],
        "arrow": [{ "cells": ["R3C4"], "lines": [["R3C4", "R2C3", "R1C4"]] }],
    });
    let found = ask("sudoku/read", json!({ "text": puzzle.to_string() })).await;
    let (read, said) = (found["sheet"].clone(), found["said"].clone());
    assert_eq!(read["cells"], json!([[3, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]));
    assert_eq!(read["regions"], "boxes:2x2");
    assert_eq!(said, "“A test” by nobody: As usual. (Drawings that are not on the board: 1 × line.)");
    assert_eq!(read["clues"][0], json!({ "kind": "cage", "cells": [[0, 1], [1, 1]], "sum": 6 }));
    assert_eq!(read["clues"][1]["sum"], Value::Null);
    assert_eq!(read["clues"].as_array().unwrap().len(), 5);
    assert_eq!(read["clues"][4], json!({ "kind": "arrow", "cells": [[2, 3], [1, 2], [0, 3]], "sum": null }));
    let refused = async |puzzle: &Value| {
        let reply = post("sudoku/read", json!({ "text": puzzle.to_string() }).to_string()).await;
        assert_eq!(reply.problem(), (422, Some("text".into())), "{puzzle}");
        reply.text()
    };
    for (name, value, words) in [
        ("sandwichsum", json!([{ "cell": "R0C1", "value": "5" }]), "rules that are not known here: sandwichsum"),
        ("nonconsecutive", json!(true), "nonconsecutive"),
        ("diagonal+", json!(true), "one diagonal"),
        ("line", json!([{ "lines": [["R1C1", "R2C2"]], "fromConstraint": "Renban" }]), "not known here: Renban"),
        ("arrow", json!([{ "cells": ["R3C4", "R3C3"], "lines": [["R2C3"]] }]), "several cells"),
        ("killercage", json!([{ "cells": ["R9C2"], "value": "3" }]), "row 9, column 2 is outside"),
        ("killercage", json!([{ "cells": ["A1"], "value": "3" }]), "R1C1"),
        ("killercage", json!([{ "cells": ["R1C2"], "value": "three" }]), "no sum"),
        ("size", json!(17), "17"),
        ("grid", json!(vec![vec![json!({ "givenPencilMarks": [1, 2] }); 4]; 4]), "which values some cells may have"),
        ("grid", json!(vec![vec![json!({ "region": null }); 4]; 4]), "in no region"),
        ("grid", json!([]), "needs 4 rows"),
    ] {
        let before = puzzle[name].clone();
        puzzle[name] = value;
        assert!(refused(&puzzle).await.contains(words), "{words}");
        puzzle[name] = before;
    }
    for (text, words) in [
        ("{ no json", "JSON has a mistake"),
        ("https://sudokupad.app/abcdef", "https://sudokupad.app/api/puzzle/abcdef shows what it holds"),
        ("sudokupad.app/somebody/a-puzzle?setting-nogrid=1", "api/puzzle/somebody/a-puzzle shows"),
        ("https://app.crackingthecryptic.com/sudoku/BnM3LqfRBT", "no puzzle in it, only the name"),
        ("https://www.f-puzzles.com/?id=yd5lq9x3", "take the long address"),
        ("https://tinyurl.com/yd5lq9x3", "take the long address"),
        ("https://www.f-puzzles.com/?load=N4IgAAAA", "cannot be unpacked"),
        ("https://sudokupad.app/scfooo", "needs 81 cells"),
        ("https://sudokupad.app/fpuzzlesN4IgN4Ig", "is it all there"),
    ] {
        let reply = post("sudoku/read", json!({ "text": text }).to_string()).await;
        assert!(reply.status == 422 && reply.text().contains(words), "{text}: {}", reply.text());
    }
    // One that grows when it is unpacked, and one that is too long to try.
    let bomb = lz_str::compress_to_base64("a".repeat(500_000).as_str());
    let reply = post("sudoku/read", json!({ "text": bomb }).to_string()).await;
    assert_eq!(reply.problem(), (422, Some("text".into())), "{} characters", bomb.len());
    let long = format!("N4Ig{}", "A".repeat(20_000));
    let reply = post("sudoku/read", json!({ "text": long }).to_string()).await;
    assert!(reply.text().contains("at most 12288"), "{}", reply.text());
}

/// The addresses that lead to a puzzle, as both sites and their tools write them.
fn addresses(prefix: &str, packed: &str) -> Vec<String> {
    let coded = packed.replace('+', "%2B").replace('/', "%2F").replace('=', "%3D");
    let mut all: Vec<String> = [packed, packed.trim_end_matches('='), &coded]
        .iter()
        .flat_map(|packed| {
            let word = format!("{prefix}{packed}");
            [
                format!("https://sudokupad.app/{word}"),
                format!("https://sudokupad.app/{word}?setting-nogrid=1&setting-largepuzzle=1"),
                format!("https://sudokupad.app/sudoku/{word}"),
                format!("https://beta.sudokupad.app/{word}"),
                format!("https://app.crackingthecryptic.com/sudoku/?puzzleid={word}"),
                format!("https://app.crackingthecryptic.com/sudoku.html?puzzleid={word}"),
                format!("sudokupad://puzzle/{word}"),
                format!("sudokupad.app/{word}"),
                word,
            ]
        })
        .collect();
    // A server on the way made one slash of two.
    all.push(format!("https://sudokupad.app/{prefix}{}", packed.replace("//", "/")));
    all
}

/// The compressed text, with a title by which two slashes follow each other in it: twelve ones, as its sign has.
fn with_slashes(json: impl Fn(&str) -> String) -> String {
    let mut texts = (0..1000).map(|number| lz_str::compress_to_base64(&json(&format!("A test {number} \u{fffd}"))));
    texts.find(|packed| packed.matches("//").count() == 1).unwrap()
}

#[tokio::test]
async fn addresses_are_read_as_the_sites_write_them() {
    let packed = with_slashes(|title| {
        format!(
            r##"{{"size":4,"title":"{title}","author":"nobody","ruleset":"Digits of a cage\ndo not repeat.","grid":[[
            {{"value":3,"given":true}},{{"value":1}},{{}},{{}}],[{{}},{{}},{{}},{{}}],[{{}},{{}},{{}},{{}}],[{{}},{{}},
            {{}},{{"c":"#FFFFFF"}}]],"killercage":[{{"cells":["R1C2","R2C2"],"value":"6"}}]}}"##
        )
    });
    let own = with_slashes(|title| {
        format!(
            "{{id:'ctc1',cs:50,ce:[[{{v:3}},,,],[,,,],[,,,],[,,,]],re:[[[0,0],[0,1],[1,0],[1,1]],[[0,2],[0,3],[1,2],\
             [1,3]],[[2,0],[2,1],[3,0],[3,1]],[[2,2],[2,3],[3,2],[3,3]]],ca:[{{v:'title: {title}'}},{{v:'author: \
             nobody'}},{{v:'rules: Digits of a cage\\ndo not repeat.'}},{{unique:t,ce:[[0,1],[1,1]],v:6,sum:6}}]}}"
        )
    });
    let f_puzzles = ["https://www.f-puzzles.com/?load=", "http://f-puzzles.com/?load=", "f-puzzles.com/?load=", ""];
    let mut all: Vec<String> = f_puzzles.iter().map(|before| format!("{before}{packed}")).collect();
    for (prefix, packed) in [("fpuzzles", &packed), ("fpuz", &packed), ("scl", &own), ("ctc", &own)] {
        all.extend(addresses(prefix, packed));
    }
    for text in all {
        let reply = post("sudoku/read", json!({ "text": text }).to_string()).await;
        assert_eq!(reply.status, 200, "{text}: {}", reply.text());
        let read: Value = serde_json::from_str(&reply.text()).unwrap();
        assert_eq!(read["sheet"]["cells"][0], json!([3, 0, 0, 0]), "{text}");
        assert_eq!(read["sheet"]["regions"], "boxes:2x2", "{text}");
        let cage = json!([{ "kind": "cage", "cells": [[0, 1], [1, 1]], "sum": 6 }]);
        assert_eq!(read["sheet"]["clues"], cage, "{text}");
        let said = read["said"].as_str().unwrap();
        assert!(
            said.starts_with("“A test ") && said.ends_with("” by nobody: Digits of a cage do not repeat."),
            "{said}"
        );
    }
}

/// Plain Sudokus of `SudokuPad`: each sign is a value and the number of empty cells after it.
#[tokio::test]
async fn plain_sudokus_of_sudokupad_are_read() {
    let sheet = ask("sudoku/read", json!({ "text": format!("https://sudokupad.app/scf{}K", "o".repeat(13)) })).await;
    assert_eq!(sheet["sheet"]["cells"], json!(vec![[0; 9]; 9]));
    // 5, 3 and two empty cells, 7 and five empty cells, …
    let sheet = ask("sudoku/read", json!({ "text": format!("https://sudokupad.app/scf5Nv{}e", "o".repeat(11)) })).await;
    assert_eq!(sheet["sheet"]["cells"][0], json!([5, 3, 0, 0, 7, 0, 0, 0, 0]), "{sheet}");
}

#[tokio::test]
async fn json_of_sudokupad_is_read_with_what_is_known() {
    let boxes = [[0, 0], [0, 2], [2, 0], [2, 2]]
        .map(|[row, column]| [[row, column], [row, column + 1], [row + 1, column], [row + 1, column + 1]]);
    let puzzle = json!({
        "id": "x", "cellSize": 50, "cells": [[{ "value": "3" }, {}, {}, {}], [{}, {}, {}, {}], [{}, {}, {}, {}],
        [{}, {}, {}, { "centremarks": [1] }]], "regions": boxes, "lines": [], "arrows": [], "overlays": [],
        "cages": [{ "cells": [[0, 1], [0, 2]], "value": "" , "unique": true, "style": "extraregion" },
            { "cells": [[3, 3]], "unique": false, "hidden": true }],
        "metadata": { "title": "It's \"one\"", "antiknight": true, "rules": "" },
    });
    let read = ask("sudoku/read", json!({ "text": puzzle.to_string() })).await;
    let cage = json!([{ "kind": "cage", "cells": [[0, 1], [0, 2]], "sum": null }]);
    assert_eq!((&read["sheet"]["clues"], &read["sheet"]["anti_knight"]), (&cage, &json!(true)));
    assert_eq!((&read["sheet"]["cells"][0][0], &read["said"]), (&json!(3), &json!("“It's \"one\"”")));
    for (name, value, words) in [
        ("lines", json!([{ "wayPoints": [[0, 0], [1, 1]], "color": "#000000" }]), "has drawings (lines: 1)"),
        ("cages", json!([{ "cells": [[0, 1]], "value": "big" }]), "cages without a sum: 1"),
        ("cages", json!([{ "cells": [[0, 4]], "value": 3 }]), "row 1, column 5 is outside"),
        ("global", json!(["nonconsecutive"]), "not known here: nonconsecutive"),
        ("triggereffect", json!([{}]), "not known here: triggereffect"),
        ("metadata", json!({ "norowcol": true }), "not known here: norowcol"),
        ("regions", json!([[[0, 0]]]), "in no region"),
        ("regions", json!([[[0, 4]]]), "outside of the board"),
        ("cells", json!([[{ "value": "A" }]]), "no value of a cell"),
        ("cells", json!(3), "no puzzle of SudokuPad"),
        ("cells", json!(vec![json!([]); 100_000]), "a side of 100000"),
    ] {
        let mut puzzle = puzzle.clone();
        puzzle[name] = value;
        let reply = post("sudoku/read", json!({ "text": puzzle.to_string() }).to_string()).await;
        assert_eq!(reply.problem(), (422, Some("text".into())), "{puzzle}");
        assert!(reply.text().contains(words), "{words}: {}", reply.text());
    }
}
