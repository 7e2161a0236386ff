//! Answers about Sudokus and Gem Hunter boards, held against the library or plain counting.

use std::collections::BTreeSet;

use cnfkit::sudoku::{Grade, Technique};
use cnfkit::{Cnf, GemHunterEncoder, GemMap, Grid, SudokuEncoder};
use serde_json::{Value, json};

use super::tools::ask;

fn rows(value: &Value) -> Vec<Vec<u16>> {
    serde_json::from_value(value.clone()).unwrap()
}

/// The grid of a sheet, by way of the text of another question.
async fn grid(sheet: &Value) -> Grid {
    ask("sudoku/write", json!({ "sheet": sheet, "format": "numbers" })).await["text"].as_str().unwrap().parse().unwrap()
}

#[tokio::test]
async fn every_mode_is_solved_and_its_solution_is_right() {
    let modes = ask("sudoku/modes", json!({})).await;
    let names: BTreeSet<&str> =
        modes["modes"].as_array().unwrap().iter().map(|mode| mode["name"].as_str().unwrap()).collect();
    for name in ["25", "jigsaw-9", "latin-9", "diagonals", "windows", "anti-knight", "anti-king"] {
        assert!(names.contains(name), "{name}");
    }
    assert!((3..=16).all(|side: usize| names.contains(&*side.to_string())), "{names:?}");
    for mode in modes["modes"].as_array().unwrap() {
        let name = &mode["name"];
        let mut sheet = json!({ "cells": mode["example"] });
        for field in ["n", "regions", "diagonals", "windows", "anti_knight", "anti_king"] {
            sheet[field] = mode[field].clone();
        }
        let solved = ask("sudoku/solve", json!({ "sheet": sheet })).await;
        assert_eq!(
            (&solved["unique"], &solved["count"]),
            (&json!(true), &json!({ "at_least": 1, "exact": true })),
            "{name}"
        );
        let puzzle = grid(&sheet).await;
        let solution = Grid::new(puzzle.layout().clone(), rows(&solved["solution"]).concat()).unwrap();
        assert!(solution.verify(&puzzle).is_empty(), "{name}");
        let mut full = sheet.clone();
        full["cells"] = solved["solution"].clone();
        assert_eq!(
            ask("sudoku/check", json!({ "sheet": full })).await,
            json!({ "problems": [], "complete": true }),
            "{name}"
        );
        // Exchanging two values in a row breaks rules.
        let mut wrong = rows(&solved["solution"]);
        wrong[0].swap(0, 1);
        full["cells"] = json!(wrong);
        let checked = ask("sudoku/check", json!({ "sheet": full })).await;
        assert!(!checked["problems"].as_array().unwrap().is_empty(), "{name}");
    }
    let seven = modes["modes"].as_array().unwrap().iter().find(|mode| mode["name"] == "7").unwrap();
    assert_eq!(seven["regions"][0], json!([0, 0, 0, 1, 1, 1, 1]));
    assert_eq!(seven["regions"][1][6], json!(2));
}

/// Whatever the side: no solver would find these in time.
#[tokio::test]
async fn empty_grids_have_different_solutions_at_once() {
    for (n, regions) in [(17, "none"), (25, "boxes:5x5"), (36, "boxes:4x9"), (100, "boxes:10x10")] {
        let sheet = json!({ "n": n, "regions": regions });
        let mut seen: Vec<Value> = Vec::new();
        for seed in [0, 0, 1] {
            let solved = ask("sudoku/solve", json!({ "sheet": sheet, "not": seen, "seed": seed })).await;
            assert_eq!(solved["count"]["exact"], false);
            assert!(solved["unique"] == false && !seen.contains(&solved["solution"]), "{n}");
            let full = json!({ "n": n, "regions": regions, "cells": solved["solution"] });
            assert_eq!(ask("sudoku/check", json!({ "sheet": full })).await["complete"], true);
            assert_eq!(ask("sudoku/check", json!({ "sheet": full })).await["problems"], json!([]), "{n}");
            seen.push(solved["solution"].clone());
        }
    }
}

/// However little time there is: what was found by then is given, with what it turned out to be.
#[tokio::test(flavor = "multi_thread")]
async fn large_puzzles_are_as_hard_as_the_time_allows() {
    for (n, least) in [(25, 200), (49, 200), (100, 100)] {
        let wish = json!({ "sheet": { "n": n }, "difficulty": "expert", "seed": 3, "limit_ms": 10_000 });
        let made = ask("sudoku/new", wish).await;
        let puzzle = grid(&made["sheet"]).await;
        assert!(n * n - puzzle.givens().count() > least, "{n}: {} givens", puzzle.givens().count());
        assert_eq!(json!(puzzle.givens().count()), made["givens"]);
        let graded = SudokuEncoder::new(puzzle).grade().unwrap().unwrap();
        let named =
            json!(["easy", "medium", "hard", "expert"][Grade::ALL.iter().position(|&one| one == graded).unwrap()]);
        assert_eq!(made["difficulty"], named, "{n}");
    }
}

#[tokio::test]
async fn jigsaws_have_other_regions_for_other_seeds() {
    let make = |seed: u64| ask("sudoku/new", json!({ "mode": "jigsaw-7", "difficulty": "easy", "seed": seed }));
    let (one, again, two) = (make(1).await, make(1).await, make(2).await);
    assert_eq!(one, again);
    assert_ne!(one["sheet"]["regions"], two["sheet"]["regions"]);
    for made in [one, two] {
        assert!(SudokuEncoder::new(grid(&made["sheet"]).await).is_unique().unwrap());
    }
}

#[tokio::test]
async fn each_solution_comes_once_and_then_none() {
    let sheet = json!({ "n": 4, "cells": [[1,2,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]] });
    for seeded in [false, true] {
        let mut seen: Vec<Value> = Vec::new();
        loop {
            let seed = if seeded { seen.len() + 1 } else { 0 };
            let solved = ask("sudoku/solve", json!({ "sheet": sheet, "not": seen, "seed": seed })).await;
            assert_eq!(solved["count"], json!({ "at_least": 24, "exact": true }));
            if solved["solution"].is_null() {
                break;
            }
            assert_eq!(solved["unique"], false);
            assert!(!seen.contains(&solved["solution"]));
            seen.push(solved["solution"].clone());
        }
        assert_eq!(seen.len(), 24);
    }
    let none = json!({ "n": 4, "cells": [[1,2,3,0],[0,0,0,4],[0,0,0,0],[0,0,0,0]] });
    let solved = ask("sudoku/solve", json!({ "sheet": none })).await;
    assert_eq!((&solved["solution"], &solved["unique"]), (&Value::Null, &json!(false)));
    assert_eq!(solved["count"], json!({ "at_least": 0, "exact": true }));
    let empty = ask("sudoku/solve", json!({ "sheet": { "n": 9 }, "count_ms": 50 })).await;
    assert_eq!((&empty["unique"], &empty["count"]["exact"]), (&json!(false), &json!(false)));
}

/// Regions that are no boxes.
const DRAWN: [[u8; 5]; 5] = [[0, 0, 1, 1, 1], [0, 0, 0, 1, 1], [2, 2, 2, 2, 2], [3, 3, 3, 4, 4], [3, 3, 4, 4, 4]];

#[tokio::test]
async fn every_format_reads_back() {
    let sheets = [
        json!({ "n": 9, "cells": rows_of(9, 7) }),
        json!({ "n": 16, "cells": rows_of(16, 23) }),
        json!({ "n": 16, "cells": letters_only(16) }),
        json!({ "n": 4, "regions": "none", "cells": rows_of(4, 3) }),
        json!({ "n": 5, "regions": DRAWN, "cells": rows_of(5, 3) }),
        json!({
            "n": 9, "regions": "boxes:3x3", "diagonals": true, "windows": true, "anti_knight": true,
            "cells": rows_of(9, 5),
        }),
    ];
    let formats = ask("sudoku/modes", json!({})).await["formats"].clone();
    for sheet in &sheets {
        for format in formats.as_array().unwrap().iter().map(|format| format["name"].as_str().unwrap()) {
            if format == "record" && sheet["diagonals"] == true {
                continue; // has no place for it: another test
            }
            if format == "f-puzzles" && (sheet["windows"] == true || sheet["regions"] == "none") {
                continue; // nor has this
            }
            let text = ask("sudoku/write", json!({ "sheet": sheet, "format": format })).await["text"].clone();
            let read = ask("sudoku/read", json!({ "text": text })).await;
            assert_eq!(read["sheet"]["cells"], sheet["cells"], "{format}: {text}");
            // Without boxes there are no lines between them.
            let format = if format == "boxed" && sheet.get("regions").is_some_and(|regions| *regions != "boxes:3x3") {
                "numbers"
            } else {
                format
            };
            assert_eq!(read["format"], *format, "{text}");
            for extra in ["diagonals", "windows", "anti_knight", "anti_king"] {
                assert_eq!(read["sheet"][extra], sheet.get(extra).cloned().unwrap_or(json!(false)), "{format}");
            }
            if let Some(regions) = sheet.get("regions") {
                assert_eq!(read["sheet"]["regions"], *regions, "{format}: {text}");
            }
        }
    }
    let like = json!({ "n": 4, "regions": "none" });
    let read = ask("sudoku/read", json!({ "text": "1234\n....\n....\n....", "like": like })).await;
    assert_eq!((&read["sheet"]["regions"], &read["sheet"]["cells"][0]), (&json!("none"), &json!([1, 2, 3, 4])));
}

/// Some values.
fn rows_of(n: usize, step: usize) -> Vec<Vec<usize>> {
    (0..n)
        .map(|row| (0..n).map(|col| if (row + col) % 3 == 0 { (row * step + col) % n + 1 } else { 0 }).collect())
        .collect()
}

/// Values that are letters alone.
fn letters_only(n: usize) -> Vec<Vec<usize>> {
    (0..n).map(|row| (0..n).map(|col| if row == col { 10 + row % 7 } else { 0 }).collect()).collect()
}

#[tokio::test]
async fn hints_lead_to_the_solution() {
    let cells = "000260701680070090190004500820100040004602900050003028009300074040050036703018000";
    let mut sheet = ask("sudoku/read", json!({ "text": cells })).await["sheet"].clone();
    let solution = ask("sudoku/solve", json!({ "sheet": sheet })).await["solution"].clone();
    let mut techniques = BTreeSet::new();
    for _ in 0..81 {
        let answer = ask("sudoku/hint", json!({ "sheet": sheet })).await;
        let hint = &answer["hint"];
        if hint.is_null() {
            break;
        }
        let (row, column) = (hint["row"].as_u64().unwrap() as usize, hint["column"].as_u64().unwrap() as usize);
        assert_eq!(sheet["cells"][row][column], 0);
        assert_eq!(hint["value"], solution[row][column]);
        assert_eq!(hint["text"], answer["text"]);
        let technique = hint["technique"].as_str().unwrap().to_owned();
        assert!(!technique.contains("single") || !hint["cells"].as_array().unwrap().is_empty(), "{hint}");
        let eliminations = hint["eliminations"].as_array().unwrap();
        let plain = technique.contains("single") || technique == "search";
        assert_eq!(eliminations.is_empty(), plain, "{hint}");
        techniques.insert(technique);
        sheet["cells"][row][column] = hint["value"].clone();
    }
    assert_eq!(sheet["cells"], solution);
    assert!(techniques.contains("naked single"), "{techniques:?}");
    let full = ask("sudoku/hint", json!({ "sheet": sheet })).await;
    assert_eq!((&full["hint"], &full["text"]), (&Value::Null, &json!("every cell has its value")));
    let none =
        ask("sudoku/hint", json!({ "sheet": { "n": 4, "cells": [[1,2,3,0],[0,0,0,4],[0,0,0,0],[0,0,0,0]] } })).await;
    assert!(none["text"].as_str().unwrap().contains("no solution"));
}

#[tokio::test]
async fn a_contradiction_is_minimal_and_names_its_rules() {
    // The report's seven by seven board: 1 to 6 in a row, and the 7 below in the column of the last cell.
    let mut cells = vec![vec![0; 7]; 7];
    cells[0] = vec![1, 2, 3, 4, 5, 6, 0];
    cells[1][6] = 7;
    cells[5][0] = 3;
    let why = ask("sudoku/why", json!({ "sheet": { "n": 7, "cells": cells } })).await;
    assert_eq!(why["solvable"], false);
    let givens: Vec<[usize; 2]> = serde_json::from_value(why["givens"].clone()).unwrap();
    assert!(givens.contains(&[1, 6]) && !givens.contains(&[5, 0]), "{why}");
    let rules: Vec<&str> = why["rules"].as_array().unwrap().iter().map(|rule| rule.as_str().unwrap()).collect();
    assert!((1..=4).contains(&rules.len()), "{why}");
    // Singles see it at once, and are told first.
    assert_eq!(why["singles"]["end"], json!([[0, 6]]), "{why}");
    assert!(why["text"].as_str().unwrap().starts_with("nothing fits row 1, column 7"), "{why}");
    // Without any one of them there is a solution.
    for left_out in &givens {
        let mut fewer = vec![vec![0; 7]; 7];
        givens.iter().filter(|given| *given != left_out).for_each(|&[row, col]| fewer[row][col] = cells[row][col]);
        let why = ask("sudoku/why", json!({ "sheet": { "n": 7, "cells": fewer } })).await;
        assert_eq!(why["solvable"], true, "{left_out:?}");
    }
    let king =
        json!({ "n": 4, "regions": "none", "anti_king": true, "cells": [[1,0,0,0],[0,1,0,0],[0,0,0,0],[0,0,0,0]] });
    assert_eq!(ask("sudoku/why", json!({ "sheet": king })).await["rules"], json!(["chess moves"]));
    assert_eq!(ask("sudoku/check", json!({ "sheet": king })).await["problems"][0]["rule"], "chess moves");
}

#[tokio::test]
async fn candidates_are_those_of_the_rules_or_of_the_solutions() {
    let sheet = json!({ "n": 4, "cells": [[1,0,0,0],[0,0,3,0],[0,4,0,0],[0,0,0,2]] });
    let simple = ask("sudoku/candidates", json!({ "sheet": sheet })).await["candidates"].clone();
    assert_eq!(simple[0], json!([[1], [2, 3], [2, 4], [4]]));
    let exact = ask("sudoku/candidates", json!({ "sheet": sheet, "exact": true })).await["candidates"].clone();
    let solution = ask("sudoku/solve", json!({ "sheet": sheet })).await["solution"].clone();
    for (row, col) in (0..4).flat_map(|row| (0..4).map(move |col| (row, col))) {
        assert_eq!(exact[row][col], json!([solution[row][col]]));
        assert!(simple[row][col].as_array().unwrap().contains(&solution[row][col]));
    }
}

/// The hardest technique of the hints that lead from a puzzle to its solution, from 0.
fn hardest(mut puzzle: cnfkit::Grid) -> usize {
    let mut hardest = 0;
    while let Some(hint) = cnfkit::SudokuEncoder::new(puzzle.clone()).hint().unwrap() {
        hardest = hardest.max(match hint.technique {
            Technique::NakedSingle => 0,
            Technique::HiddenSingle(_) => 1,
            Technique::LockedCandidate => 2,
            _ => 3,
        });
        puzzle.set(hint.row, hint.col, hint.value);
    }
    assert!(puzzle.is_full(), "hints lead to the end");
    hardest
}

/// Difficulty is what the hints need: over 50 seeds every puzzle is as hard as it was asked to be.
#[tokio::test]
async fn new_puzzles_are_as_hard_as_they_say() {
    for seed in 1..=50 {
        let mut sheets = Vec::new();
        for (at, difficulty) in ["easy", "medium", "hard", "expert"].into_iter().enumerate() {
            // On a crowded machine, half of the usual time can be too short for as many tries as it takes.
            let wish = json!({ "mode": "9", "difficulty": difficulty, "seed": seed, "limit_ms": 60_000 });
            let made = ask("sudoku/new", wish).await;
            assert_eq!(made["difficulty"], difficulty, "seed {seed}");
            assert_eq!(hardest(grid(&made["sheet"]).await), at, "{difficulty}, seed {seed}");
            sheets.push(made["sheet"].clone());
        }
        assert!((1..4).all(|at| !sheets[..at].contains(&sheets[at])), "two difficulties, one puzzle: seed {seed}");
    }
}

#[tokio::test]
async fn new_puzzles_have_one_solution_and_are_the_same_for_a_seed() {
    for difficulty in ["easy", "medium", "hard", "expert"] {
        let question = json!({ "mode": "9", "difficulty": difficulty, "seed": 5 });
        let made = ask("sudoku/new", question.clone()).await;
        assert_eq!(made, ask("sudoku/new", question).await);
        let puzzle = grid(&made["sheet"]).await;
        assert!(cnfkit::SudokuEncoder::new(puzzle.clone()).is_unique().unwrap());
        if difficulty == "expert" {
            for (row, col, value) in puzzle.givens() {
                let mut fewer = puzzle.clone();
                fewer.set(row, col, 0);
                assert!(!cnfkit::SudokuEncoder::new(fewer).is_unique().unwrap(), "{value} could be left out");
            }
        }
    }
    // Without regions nothing is locked: the hardest that there is comes instead, and says so.
    let latin = ask("sudoku/new", json!({ "mode": "latin-5", "difficulty": "hard", "seed": 1 })).await;
    assert_eq!(latin["difficulty"], "medium");
    let own = json!({ "n": 6, "regions": "boxes:3x2", "diagonals": true });
    let made = ask("sudoku/new", json!({ "sheet": own, "difficulty": "medium", "seed": 2 })).await;
    assert_eq!((&made["sheet"]["regions"], &made["sheet"]["diagonals"]), (&json!("boxes:3x2"), &json!(true)));
}

#[tokio::test]
async fn pictures_and_formulas_are_of_the_puzzle() {
    let sheet = json!({ "n": 4, "cells": [[1,0,0,0],[0,0,3,0],[0,4,0,0],[0,0,0,2]] });
    let solution = ask("sudoku/solve", json!({ "sheet": sheet })).await["solution"].clone();
    let svg = |question: Value| async { ask("sudoku/svg", question).await["svg"].as_str().unwrap().to_owned() };
    let plain = svg(json!({ "sheet": sheet })).await;
    let solved = svg(json!({ "sheet": sheet, "solution": solution })).await;
    assert!(plain.starts_with("<svg") && plain.matches("<text").count() == 4 && solved.matches("<text").count() == 16);
    let dark = svg(json!({ "sheet": sheet, "solution": solution, "dark": true })).await;
    assert!(dark != solved && dark.matches("<text").count() == 16);
    let entered = svg(json!({ "sheet": sheet, "entered": [[0,2,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]] })).await;
    assert_eq!(entered.matches("<text").count(), 5);

    let dimacs = ask("sudoku/dimacs", json!({ "sheet": sheet })).await;
    let cnf = Cnf::from_dimacs(dimacs["text"].as_str().unwrap().as_bytes()).unwrap();
    assert_eq!((cnf.n_vars(), cnf.n_clauses()), (64, dimacs["clauses"].as_u64().unwrap() as usize));
    let model = cnf.solve().unwrap().unwrap();
    let value = solution[3][0].as_u64().unwrap() as u32;
    assert!(model.is_true(cnfkit::Lit::positive(3 * 16 + value - 1)));
}

/// All answers of a small board, by trying.
fn answers(map: &GemMap, total: Option<usize>) -> Vec<GemMap> {
    let unknown: Vec<usize> = (0..map.cells().len()).filter(|&at| map.cells()[at] == cnfkit::Cell::Unknown).collect();
    let encoder = GemHunterEncoder::new(map.clone());
    let encoder = match total {
        Some(total) => encoder.traps(total),
        None => encoder,
    };
    (0..1_u32 << unknown.len())
        .map(|bits| {
            let mut answer = map.clone();
            for (at, &cell) in unknown.iter().enumerate() {
                let kind = if bits >> at & 1 == 1 { cnfkit::Cell::Trap } else { cnfkit::Cell::Gem };
                answer.set(cell / map.columns(), cell % map.columns(), kind);
            }
            answer
        })
        .filter(|answer| encoder.verify(answer).unwrap().is_empty())
        .collect()
}

#[tokio::test]
async fn boards_are_deduced_as_by_trying() {
    let boards = [
        "_, 1, _, _\n_, 2, 2, _\n_, _, _, _",
        "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _",
        "1, _, _, #\n_, T, G, _\n_, _, 2, _",
    ];
    for (text, total) in boards.iter().flat_map(|text| [(text, None), (text, Some(3)), (text, Some(5))]) {
        let map: GemMap = text.parse().unwrap();
        let all = answers(&map, total);
        let question = json!({ "board": { "text": text }, "total": total, "probabilities": true });
        let deduced = ask("gem/deduce", question.clone()).await;
        assert_eq!(deduced["solutions"], all.len().to_string(), "{text} {total:?}");
        let solved = ask("gem/solve", json!({ "board": { "text": text }, "total": total })).await;
        if all.is_empty() {
            assert!(deduced["cells"].is_null() && solved["cells"].is_null());
            let why = ask("gem/explain", json!({ "board": { "text": text }, "total": total })).await;
            assert_eq!(why["solvable"], false);
            continue;
        }
        let found = solved["cells"].as_array().unwrap().iter();
        let found: Vec<String> = found
            .map(|row| row.as_array().unwrap().iter().map(|cell| cell.as_str().unwrap()).collect::<Vec<_>>().join(", "))
            .collect();
        assert!(all.contains(&found.join("\n").parse().unwrap()), "{found:?}");
        for (row, column) in (0..map.rows()).flat_map(|row| (0..map.columns()).map(move |column| (row, column))) {
            let traps = all.iter().filter(|answer| answer.get(row, column) == cnfkit::Cell::Trap).count();
            let kind = deduced["cells"][row][column].as_str().unwrap();
            let chance = &deduced["probabilities"][row][column];
            match map.get(row, column) {
                cnfkit::Cell::Number(_) | cnfkit::Cell::Hole => assert!(kind == "number" && chance.is_null()),
                _ => {
                    let right = match traps {
                        0 => kind == "gem",
                        traps if traps == all.len() => kind == "trap",
                        _ => kind == "undecided" || kind == "free",
                    };
                    assert!(right, "{text} {total:?} ({row}, {column}): {kind}");
                    let off = chance.as_f64().unwrap() - traps as f64 / all.len() as f64;
                    assert!(off.abs() < 1e-9, "{text} {total:?} ({row}, {column})");
                }
            }
            let why =
                ask("gem/why", json!({ "board": { "text": text }, "total": total, "row": row, "column": column }))
                    .await;
            assert_eq!(why["state"], kind, "{text} {total:?} ({row}, {column}): {why}");
        }
    }
}

#[tokio::test]
async fn boards_say_what_is_wrong() {
    let checked = ask("gem/check", json!({ "board": { "rows": [["1","T","_"],["T","_","4"]] } })).await;
    let cells: Vec<&Value> = checked["problems"].as_array().unwrap().iter().map(|problem| &problem["cells"]).collect();
    assert_eq!(cells, [&json!([[0, 0]]), &json!([[1, 2]])]);
    assert_eq!(
        checked["problems"][0]["text"],
        "row 1, column 1: the 1 cannot be met: 2 traps are around it, and 1 cells are open"
    );
    let checked = ask("gem/check", json!({ "board": { "text": "1, T" }, "total": 2 })).await;
    assert_eq!((&checked["problems"][0]["cells"], &checked["complete"]), (&json!([]), &json!(true)));
    let explained = ask("gem/explain", json!({ "board": { "text": "3, _\n_, 1" } })).await;
    assert_eq!(explained["numbers"], json!([[0, 0]]));
    let solvable = ask("gem/explain", json!({ "board": { "text": "2, _\n_, 1" } })).await;
    assert_eq!(solvable["solvable"], false);
    assert_eq!(ask("gem/explain", json!({ "board": { "text": "1, _\n_, 1" } })).await["solvable"], true);
}

#[tokio::test]
async fn new_boards_fit_their_answer() {
    for shown in [json!(null), json!(0.5)] {
        let question = json!({ "rows": 9, "columns": 7, "density": 0.25, "shown": shown, "seed": 3 });
        let made = ask("gem/new", question.clone()).await;
        assert_eq!(made, ask("gem/new", question).await);
        let text = ask("gem/write", json!({ "board": made["board"] })).await["text"].as_str().unwrap().to_owned();
        let map: GemMap = text.parse().unwrap();
        assert_eq!((map.rows(), map.columns()), (9, 7));
        let hidden =
            ask("gem/write", json!({ "board": { "rows": made["hidden"] } })).await["text"].as_str().unwrap().to_owned();
        let hidden: GemMap = hidden.parse().unwrap();
        assert!(GemHunterEncoder::new(map.clone()).verify(&hidden).unwrap().is_empty());
        assert_eq!(made["total"], hidden.count(cnfkit::Cell::Trap));
        if shown.is_null() {
            assert!(GemHunterEncoder::new(map).is_unique().unwrap());
        }
    }
    let made =
        ask("gem/new", json!({ "rows": 200, "columns": 200, "density": 0.2, "shown": 0.5, "limit_ms": 60_000 })).await;
    let deduced = ask("gem/deduce", json!({ "board": made["board"], "limit_ms": 60_000 })).await;
    assert_eq!((&deduced["complete"], deduced["cells"].as_array().unwrap().len()), (&json!(true), 200));
}

/// A board of 800 rows takes longer than its limit to have few numbers: it has one answer, and more numbers.
#[tokio::test]
async fn large_new_boards_are_answered_in_time() {
    let made = ask("gem/new", json!({ "rows": 800, "columns": 800, "density": 0.2, "limit_ms": 6_000 })).await;
    let row =
        |row: &Value| row.as_array().unwrap().iter().map(|cell| cell.as_str().unwrap()).collect::<Vec<_>>().join(", ");
    let text = made["board"]["rows"].as_array().unwrap().iter().map(row).collect::<Vec<_>>().join("\n");
    assert!(GemHunterEncoder::new(text.parse().unwrap()).is_unique().unwrap());
}

/// The last word of each proof, and the commands that check them.
fn verdicts(proof: &Value) -> Vec<String> {
    let files = proof["files"].as_array().unwrap();
    for pair in files.chunks(2) {
        let (formula, proof_of) = (pair[0]["name"].as_str().unwrap(), pair[1]["name"].as_str().unwrap());
        let command = format!("veripb {formula} {proof_of}");
        assert!(proof["text"].as_str().unwrap().contains(&command), "{command}: {}", proof["text"]);
        assert!(pair[0]["text"].as_str().unwrap().starts_with("* #variable= "));
    }
    let word = |file: &Value| {
        let text = file["text"].as_str().unwrap();
        assert!(text.ends_with("end pseudo-Boolean proof;\n"));
        text.lines().find_map(|line| line.strip_prefix("conclusion ")).unwrap().split([' ', ';']).next().unwrap().into()
    };
    files.iter().skip(1).step_by(2).map(word).collect()
}

#[tokio::test]
async fn proofs_are_sent() {
    for (cells, expected) in [
        (json!([[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]]), &["SAT", "UNSAT"][..]),
        (json!([[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2]]), &["SAT", "SAT"]),
        (json!([[1, 2, 3, 0], [0, 0, 0, 4], [0, 0, 0, 0], [0, 0, 0, 0]]), &["UNSAT"]),
    ] {
        let proof = ask("sudoku/proof", json!({ "sheet": { "n": 4, "cells": cells } })).await;
        assert_eq!(verdicts(&proof), expected);
    }
    for (text, total, expected) in [
        ("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _", None, &["SAT", "UNSAT"][..]),
        ("1, _, _", Some(3), &["UNSAT"]),
        ("_, 1, _", None, &["SAT"]),
    ] {
        let proof = ask("gem/proof", json!({ "board": { "text": text }, "total": total })).await;
        assert_eq!(verdicts(&proof), expected, "{text}");
    }
}

#[tokio::test]
async fn boards_are_read_drawn_and_written() {
    let read = ask("gem/read", json!({ "text": "2 3\n1 . G\n_ T #\n" })).await;
    assert_eq!(read["board"], json!({ "rows": [["1", "_", "G"], ["_", "T", "#"]] }));
    let light = ask("gem/svg", json!({ "board": read["board"] })).await["svg"].as_str().unwrap().to_owned();
    let dark =
        ask("gem/svg", json!({ "board": read["board"], "dark": true })).await["svg"].as_str().unwrap().to_owned();
    assert!(light.starts_with("<svg") && light != dark);
    let dimacs = ask("gem/dimacs", json!({ "board": { "text": "1, _, _" } })).await;
    let cnf = Cnf::from_dimacs(dimacs["text"].as_str().unwrap().as_bytes()).unwrap();
    assert!(cnf.solve().unwrap().unwrap().is_true(cnfkit::Lit::positive(1)));
}
