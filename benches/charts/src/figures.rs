//! The charts: which figures of which table, in which words.

use std::error::Error;

use crate::chart::{Axis, Series, Words, lines, rows};
use crate::look::{BLUE, GREEN, INK, Mark, ORANGE, PURPLE, RED, Shape, TEAL};
use crate::table::{Table, before_a_bracket, clauses, conflicts, nanoseconds, number, sum};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const OURS: Mark = (Shape::Disc, BLUE);

/// A library has one mark in all charts.
const LIBRARIES: [(&str, Mark); 3] =
    [("cnfkit", OURS), ("rustsat", (Shape::Triangle, ORANGE)), ("pindakaas", (Shape::Square, GREEN))];

fn words(title: &str, subtitle: &str, description: &str) -> Words {
    Words { title: title.into(), subtitle: subtitle.into(), description: description.into() }
}

fn log(value: f64) -> f64 {
    value.log10()
}

fn plain(value: f64) -> f64 {
    value
}

/// Where figures are means of conflicts + 10, less 10: a logarithm that knows 0.
fn log_of_ten_more(value: f64) -> f64 {
    (value + 10.0).log10()
}

/// A line a row of a table whose columns from the third on are numbers n.
fn by_n(table: &Table, chosen: &[(&str, &str, &str, Mark)], figure: fn(f64, f64) -> f64) -> Result<Vec<Series>> {
    let mut series = Vec::new();
    for &(library, encoder, name, mark) in chosen {
        let row = table.row(&[library, encoder])?;
        let mut points = Vec::new();
        for (column, n) in table.columns.iter().enumerate().skip(2) {
            let n = number(n).ok_or("a column of a table by n is a number")?;
            points.push((n, figure(n, table.figure(row, column, clauses)?)));
        }
        series.push(Series { name: name.into(), mark, points });
    }
    Ok(series)
}

pub(crate) fn at_most_half(baseline: &str) -> Result<String> {
    let table = Table::behind(baseline, "| at most n/2 of n |")?;
    let series = by_n(
        &table,
        &[
            ("pindakaas", "sequential", "pindakaas sequential", (Shape::Square, GREEN)),
            ("rustsat", "totalizer", "rustsat totalizer", (Shape::Triangle, ORANGE)),
            ("pindakaas", "network", "pindakaas network", (Shape::Diamond, TEAL)),
            ("pindakaas", "odd-even", "pindakaas odd-even", (Shape::Plus, PURPLE)),
            ("cnfkit", "auto", "cnfkit auto", (Shape::Disc, BLUE)),
            ("cnfkit", "k-modulo", "cnfkit k-modulo, not GAC", (Shape::Cross, RED)),
            ("cnfkit", "adder", "cnfkit adder, not GAC", (Shape::Ring, INK)),
        ],
        |_, clauses| clauses,
    )?;
    let ticks: Vec<f64> = table.columns.iter().skip(2).filter_map(|n| number(n)).collect();
    lines(
        &words(
            "At most n/2 of n: clauses",
            "Both axes logarithmic. GAC: unit propagation finds everything that follows.",
            "Clauses of each encoding as n doubles.",
        ),
        &Axis::new("n, literals", &ticks, log),
        &Axis::new("clauses", &[1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6, 1e7], log),
        &series,
    )
}

pub(crate) fn at_most_one(baseline: &str) -> Result<String> {
    let table = Table::behind(baseline, "| at most one of n |")?;
    let series = by_n(
        &table,
        &[
            ("pindakaas", "ladder", "pindakaas ladder", (Shape::Square, GREEN)),
            ("rustsat", "ladder", "rustsat ladder", (Shape::Triangle, ORANGE)),
            ("cnfkit", "auto", "cnfkit auto", (Shape::Cross, RED)),
            ("pindakaas", "product", "pindakaas product", (Shape::Diamond, TEAL)),
            ("cnfkit", "smallest", "cnfkit smallest", (Shape::Disc, BLUE)),
        ],
        |n, clauses| clauses / n,
    )?;
    let ticks: Vec<f64> = table.columns.iter().skip(2).filter_map(|n| number(n)).collect();
    lines(
        &words(
            "At most one of n: clauses a literal",
            "Pairwise and bitwise grow without bound and are left out.",
            "Clauses divided by n of each encoding as n doubles.",
        ),
        &Axis::new("n, literals (logarithmic)", &ticks, log),
        &Axis::new("clauses ÷ n", &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], plain),
        &series,
    )
}

pub(crate) fn encode(baseline: &str) -> Result<String> {
    // Constraint and encoder in the table, and what the chart calls them.
    const JOBS: [(&str, &str, &str); 10] = [
        ("pairwise 1000", "pairwise", "pairwise, 1 of 1000"),
        ("ladder 100000", "ladder", "ladder, 1 of 100,000"),
        ("product 100000", "product", "product, 1 of 100,000"),
        ("bitwise 100000", "bitwise", "bitwise, 1 of 100,000"),
        ("at most 500 of 1000", "totalizer", "totalizer, 500 of 1000"),
        ("at most 500 of 1000", "sequential", "sequential, 500 of 1000"),
        ("at most 500 of 1000", "network", "network, 500 of 1000"),
        ("at most 100 of 10000", "totalizer", "totalizer, 100 of 10,000"),
        ("at most 100 of 10000", "sequential", "sequential, 100 of 10,000"),
        ("at most 100 of 10000", "decision-diagram", "diagram, 100 of 10,000"),
    ];
    let mut series: Vec<Series> =
        LIBRARIES.iter().map(|&(name, mark)| Series { name: name.into(), mark, points: Vec::new() }).collect();
    let table = Table::behind(baseline, "| constraint | encoder | plain, ns |")?;
    for (at, (constraint, encoder, _)) in JOBS.iter().enumerate() {
        let row = table.row(&[constraint, encoder])?;
        let plain = table.figure(row, table.column("plain, ns")?, number)?;
        for ((library, _), series) in LIBRARIES.iter().zip(&mut series) {
            let column = table.column(library)?;
            // Not every library has every encoder.
            if row[column] != "–" {
                series.points.push((table.figure(row, column, nanoseconds)? / plain, at as f64));
            }
        }
    }
    rows(
        &words(
            "Time to encode a clause, against a plain loop",
            "At most k of n. The loop writes or copies the clauses into two flat vectors; lower is faster.",
            "How many times as long as the plain loop each library takes for a clause.",
        ),
        &Axis::new("× plain loop (logarithmic)", &[0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0], log),
        &JOBS.map(|(.., name)| name.to_owned()),
        &series,
        190,
    )
}

pub(crate) fn puzzles(baseline: &str) -> Result<String> {
    const LISTS: [(&str, &str); 3] =
        [("easy_1000", "1,000 easy"), ("17clue_2000", "1,000 of 17 givens"), ("hardest_1000", "1,000 hardest")];
    const PROGRAMS: [(&str, Mark); 5] = [
        ("cnfkit, one solver for all", OURS),
        ("cnfkit, whole rules", (Shape::Ring, BLUE)),
        ("CNF from scratch, BatSat", (Shape::Cross, RED)),
        ("sudoku", (Shape::Diamond, PURPLE)),
        ("rustoku", (Shape::Triangle, ORANGE)),
    ];
    let mut series: Vec<Series> =
        PROGRAMS.iter().map(|&(name, mark)| Series { name: name.into(), mark, points: Vec::new() }).collect();
    let mut unsolved = Vec::new();
    let table = Table::behind(baseline, "| puzzles a second |")?;
    for (row, (list, shown)) in LISTS.iter().enumerate() {
        let column = table.column(list)?;
        for ((program, _), series) in PROGRAMS.iter().zip(&mut series) {
            let cells = table.row(&[program])?;
            series.points.push((table.figure(cells, column, before_a_bracket)?, row as f64));
            if let Some((_, solved)) = cells[column].split_once(" (") {
                unsolved.push(format!("{program} solves {} of {shown}", solved.trim_end_matches(" solved)")));
            }
        }
    }
    rows(
        &words(
            "Sudoku 9 × 9: puzzles a second",
            &format!("One thread; more is better. sudoku and rustoku use no SAT solver. {}.", unsolved.join(", ")),
            "Puzzles a second of each program for three lists.",
        ),
        &Axis::new("puzzles a second (logarithmic)", &[100.0, 1e3, 1e4, 1e5, 1e6], log),
        &LISTS.map(|(_, name)| name.to_owned()),
        &series,
        150,
    )
}

pub(crate) fn orders(baseline: &str, solver: &str) -> Result<String> {
    let table = Table::behind(baseline, "| | BatSat, both | best natural |")?;
    let column = table.column(&format!("{solver}, both"))?;
    let mut series = [
        ("natural", (Shape::Ring, INK)),
        ("renumbered at random", (Shape::Cross, RED)),
        ("ordered by a Formula", OURS),
    ]
    .map(|(name, mark)| Series { name: name.into(), mark, points: Vec::new() });
    let mut names = Vec::new();
    for (at, row) in table.rows.iter().enumerate() {
        names.push(row[0].clone());
        for (series, read) in series.iter_mut().zip([conflicts::<0>, conflicts::<1>, conflicts::<2>]) {
            series.points.push((table.figure(row, column, read)?, at as f64));
        }
    }
    rows(
        &words(
            &format!("Conflicts of {solver} by the order of literals"),
            "48 attempts a mark, fewer is better; families with a star were not looked at while orders were chosen.",
            "Conflicts of each family in three orders.",
        ),
        &Axis::new(
            "conflicts, geometric mean (logarithmic in conflicts + 10)",
            &[0.0, 10.0, 30.0, 100.0, 300.0, 1e3, 3e3],
            log_of_ten_more,
        ),
        &names,
        &series,
        130,
    )
}

pub(crate) fn weights(baseline: &str) -> Result<String> {
    const SERIES: [(&str, &str, Mark); 3] = [
        ("smallest", "cnfkit smallest", OURS),
        ("best consistent of others", "best consistent of others", (Shape::Triangle, ORANGE)),
        ("adder of others", "adder of others (propagates less)", (Shape::Cross, RED)),
    ];
    let mut series = SERIES.map(|(_, name, mark)| Series { name: name.into(), mark, points: Vec::new() });
    let mut names = Vec::new();
    for (relation, mark) in [("at most", "| at most | 10 of 1..=8 |"), ("exactly", "| exactly | 10 of 1..=8 |")] {
        let table = Table::behind(baseline, mark)?;
        for (column, shape) in table.columns.iter().enumerate().skip(1) {
            for ((name, ..), series) in SERIES.iter().zip(&mut series) {
                series.points.push((table.figure(table.row(&[name])?, column, sum)?, names.len() as f64));
            }
            names.push(format!("{relation}, {shape}"));
        }
    }
    rows(
        &words(
            "Sums of weights: variables + clauses",
            "The shapes of pindakaas' benches, bounded by the sum of every second weight; fewer is better.",
            "Size of each constraint.",
        ),
        &Axis::new("variables + clauses (logarithmic)", &[10.0, 30.0, 100.0, 300.0, 1e3, 3e3, 1e4, 3e4], log),
        &names,
        &series,
        180,
    )
}
