//! The committed pictures are what the command makes of the figures in `benches/BASELINE.md`, and those of sizes by n
//! are what the library has today.

use std::collections::BTreeSet;
use std::fs;

use cnfkit::{AmoEncoding, AtMostK, AtMostOne, CardEncoding, PbEncoding};
use cnfkit_charts::table::Table;

#[path = "../../peers/src/weights/shapes.rs"]
#[allow(dead_code, unreachable_pub)] // a file of the peers, who use all of it
mod shapes;

fn baseline() -> String {
    fs::read_to_string(cnfkit_charts::baseline()).unwrap()
}

#[test]
fn committed_pictures_are_what_the_command_makes() {
    const COMMAND: &str = "cargo run --release -p cnfkit-charts";
    let drawn = cnfkit_charts::draw(&baseline()).unwrap();
    for (name, picture) in &drawn {
        let committed = fs::read_to_string(cnfkit_charts::pictures().join(name)).unwrap_or_default();
        let differs = committed.lines().zip(picture.lines()).find(|(a, b)| a != b);
        assert!(committed == *picture, "docs/pictures/{name} is not what `{COMMAND}` makes: {differs:?}");
    }
    let names: BTreeSet<String> = drawn.iter().map(|(name, _)| (*name).to_owned()).collect();
    let there = fs::read_dir(cnfkit_charts::pictures()).unwrap();
    let there: BTreeSet<String> = there.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(there, names, "files in docs/pictures, and what `{COMMAND}` makes");
}

/// A changed figure changes its chart and no other.
#[test]
fn charts_draw_the_figures() {
    let text = baseline();
    let before = cnfkit_charts::draw(&text).unwrap();
    for (table, row, cell, other, picture) in [
        ("| constraint | encoder |", "| pairwise 1000 |", " | 499500: ", " | 499500: 9", "encode.svg"),
        ("| puzzles a second |", "| sudoku |", "| ", "| 9", "puzzles.svg"),
        ("| | BatSat, both |", "| timetable* |", "235 ✗1 / 203 / 28", "235 ✗1 / 203 / 280", "orders-batsat.svg"),
        ("| at most n/2 of n |", "| cnfkit | auto |", "39493/105389", "39493/205389", "sizes-at-most-half.svg"),
        ("| at most one of n |", "| cnfkit | smallest |", "156/8486", "156/9486", "sizes-at-most-one.svg"),
        ("| exactly | 10 of 1..=8 |", "| smallest |", "144/945", "144/1945", "sizes-weights.svg"),
    ] {
        let at = text.find(table).expect(table);
        let at = at + text[at..].find(row).expect(row) + row.len() - 2;
        let at = at + text[at..].find(cell).expect(cell);
        let changed = format!("{}{other}{}", &text[..at], &text[at + cell.len()..]);
        let after = cnfkit_charts::draw(&changed).unwrap();
        let differ: Vec<&str> =
            before.iter().zip(&after).filter(|(before, after)| before != after).map(|(before, _)| before.0).collect();
        assert_eq!(differ, [picture], "{table} {row}");
    }
}

/// A table that is not there stops the command, which says which picture misses what.
#[test]
fn missing_figures_are_named() {
    let without = baseline().replace("| puzzles a second |", "| puzzles |");
    let error = cnfkit_charts::draw(&without).unwrap_err().to_string();
    assert_eq!(error, "puzzles.svg: benches/BASELINE.md: no table after \"| puzzles a second |\"");
}

/// Sizes are the same everywhere, so the tables by n are held to the library.
#[test]
fn sizes_by_n_are_ours() {
    let text = baseline();
    let mut looked = 0;
    for (mark, is_one) in [("| at most one of n |", true), ("| at most n/2 of n |", false)] {
        let table = Table::behind(&text, mark).unwrap();
        for row in table.rows.iter().filter(|row| row[0] == "cnfkit") {
            for (cell, n) in row.iter().zip(&table.columns).skip(2).filter(|(cell, _)| *cell != "–") {
                let n: usize = n.parse().unwrap();
                let size = if is_one {
                    row[1].parse::<AmoEncoding>().unwrap().amo_size(n)
                } else {
                    row[1].parse::<CardEncoding>().unwrap().amk_size(n, n / 2)
                };
                assert_eq!(*cell, format!("{}/{}", size.vars, size.clauses), "{mark} {} {n}", row[1]);
                looked += 1;
            }
        }
    }
    assert!(looked > 150, "{looked} sizes");
}

/// The tables of sums of weights, too, on the shapes that the peers are measured on.
#[test]
fn sizes_of_sums_are_ours() {
    let text = baseline();
    let mut looked = 0;
    for (at, title) in [(0, "at most"), (2, "exactly")] {
        let table = Table::behind(&text, &format!("| {title} | 10 of 1..=8 |")).unwrap();
        for (name, column) in table.columns.iter().zip(0..).skip(1) {
            let shape = shapes::shapes().into_iter().find(|shape| shape.name == *name).expect(name);
            for row in table.rows.iter().filter(|row| !row[0].ends_with("of others")) {
                let enc: PbEncoding = row[0].parse().unwrap();
                let size = shape.planned(&enc, shapes::relations(shape.bound)[at], |plan, _| plan.size());
                let size = size.map_or("–".to_owned(), |size| format!("{}/{}", size.vars, size.clauses));
                assert_eq!(row[column], size, "{title} {enc}: {name}");
                looked += 1;
            }
        }
    }
    assert!(looked > 100, "{looked} sizes");
}
