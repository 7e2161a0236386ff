//! The tables of `benches/BASELINE.md` that are made here.

use std::fs;

use cnfkit::Relation;

use crate::{choose, encode, sizes, weights};

/// A table in Markdown: its head, and rows as long; the first `names` columns are text, the others figures.
pub fn markdown(names: usize, rows: &[Vec<String>]) -> String {
    let line = |row: &Vec<String>| format!("| {} |\n", row.join(" | "));
    let rule = format!("|{}{}\n", "---|".repeat(names), "---:|".repeat(rows[0].len() - names));
    let lines: String = rows[1..].iter().map(line).collect();
    line(&rows[0]) + &rule + &lines
}

/// `text` with the rows of `table` below its head, which names the table.
fn rewritten(text: &str, table: &str) -> String {
    let head = format!("\n{}\n", table.lines().next().expect("a head"));
    let (before, rest) = text.split_once(&head).unwrap_or_else(|| panic!("benches/BASELINE.md has no table{head}"));
    let after: String = rest.split_inclusive('\n').skip_while(|line| line.starts_with('|')).collect();
    format!("{before}\n{table}{after}")
}

/// Rewrites the tables of sizes, and with `times` those of writing and choosing, as the fastest of so many runs.
pub fn run(times: Option<u32>) {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../BASELINE.md");
    let mut tables = sizes::by_n();
    tables.extend(weights::short_sizes());
    if let Some(runs) = times {
        tables.extend([encode::short(runs), choose::table(runs, |relation| matches!(relation, Relation::AtMost(_)))]);
    }
    let text = fs::read_to_string(file).expect("a file of this repository");
    let text = tables.iter().fold(text, |text, table| rewritten(&text, table));
    fs::write(file, text).expect("writable");
    println!("{} tables of benches/BASELINE.md are written", tables.len());
}
