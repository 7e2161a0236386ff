//! Quotes of CONTRIBUTING.md stand in the files that it names, and files that it or DESIGN.md names are there.

use std::fs;
use std::path::Path;

use crate::prose::texts;
use crate::source::without_tests;

/// The lines of a block, without what all of them are indented by.
fn dedented(lines: &[&str]) -> Vec<String> {
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let least = lines.iter().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    lines.iter().map(|line| line.get(least..).unwrap_or_default().trim_end().to_owned()).collect()
}

/// The blocks of code that begin by naming a file.
fn quotes(text: &str) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim() == "```rust" {
            let block: Vec<&str> = lines.by_ref().take_while(|line| line.trim() != "```").collect();
            let file = block[0].trim().strip_prefix("// ").expect("a block of code begins by naming its file");
            found.push((file.to_owned(), dedented(&block[1..])));
        }
    }
    found
}

#[test]
fn contributing_quotes_what_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if !root.join("tests/outside").exists() {
        return; // the package has no other packages in it
    }
    let text = fs::read_to_string(root.join("CONTRIBUTING.md")).unwrap();
    let quotes = quotes(&text);
    assert!(quotes.len() >= 8, "{quotes:?}");
    for (file, quote) in quotes {
        let code = fs::read_to_string(root.join(&file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        let lines: Vec<&str> = code.lines().collect();
        let stands = lines.windows(quote.len()).any(|window| dedented(window) == quote);
        assert!(stands, "{file} does not say\n{}", quote.join("\n"));
    }
}

/// Files that ask for Unix are in the list that says what is done elsewhere.
#[test]
fn places_of_unix_are_listed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let listed =
        |file: &str| fs::read_to_string(root.join("CONTRIBUTING.md")).unwrap().contains(&format!("| `{file}` |"));
    let is_of_unix = |file: &str, text: &str| {
        let code = without_tests(text);
        file.contains("src/")
            && !file.ends_with("tests.rs")
            && (code.contains("cfg(unix)") || code.contains("os::unix"))
    };
    let texts = texts(root);
    let places: Vec<&str> =
        texts.iter().filter(|(file, text)| is_of_unix(file, text)).map(|(file, _)| file.as_str()).collect();
    assert!(places.len() >= 3, "{places:?}");
    let missing: Vec<&&str> = places.iter().filter(|file| !listed(file)).collect();
    assert!(missing.is_empty(), "CONTRIBUTING.md does not list {missing:?}");
}

#[test]
fn contributing_names_files_that_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if !root.join("crates").exists() {
        return; // the package has no other packages in it
    }
    let text = fs::read_to_string(root.join("CONTRIBUTING.md")).unwrap();
    // Between backquotes.
    let names = text.split('`').skip(1).step_by(2).filter(|name| {
        let is_path = name.contains('/') && !name.contains([' ', '\n', '*']) && !name.contains("NAME");
        is_path && ["crates/", "tests/", "src/", ".ci/", "benches/"].iter().any(|start| name.starts_with(start))
    });
    let names: Vec<&str> = names.collect();
    assert!(names.len() > 20, "{names:?}");
    let missing: Vec<&&str> = names.iter().filter(|name| !root.join(name).exists()).collect();
    assert!(missing.is_empty(), "CONTRIBUTING.md names {missing:?}");
}

/// The ways of constraints through the library, in DESIGN.md: files of `crates/encode/src` and `crates/core/src`.
#[test]
fn ways_of_constraints_name_files_that_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if !root.join("crates").exists() {
        return; // the package has no other packages in it
    }
    let text = fs::read_to_string(root.join("DESIGN.md")).unwrap();
    let section = text.split("## What way does a constraint take?").nth(1).and_then(|rest| rest.split("\n## ").next());
    let names = section.expect("DESIGN.md has the section").split('`').skip(1).step_by(2);
    let is_file = |name: &&str| Path::new(name).extension().is_some_and(|end| end == "rs") || name.ends_with('/');
    let names: Vec<&str> = names.filter(is_file).collect();
    assert!(names.len() > 40, "{names:?}");
    let rooms = ["crates/encode/src", "crates/core/src"].map(|rooms| root.join(rooms));
    let is_there = |name: &str| rooms.iter().any(|rooms| rooms.join(name).exists());
    let missing: Vec<&&str> = names.iter().filter(|name| !is_there(name)).collect();
    assert!(missing.is_empty(), "DESIGN.md names {missing:?}");
}
