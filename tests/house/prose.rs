//! Lines fit a screen, docs begin with a subject, figures are those of the files that they count, and no text cites
//! what a reader cannot open.

use std::fs;
use std::path::{Path, PathBuf};

/// The longest line, in characters. Clippy and rustfmt do not look at comments.
const WIDTH: usize = 120;
/// Files with longer lines that are not mended yet: what is mended leaves this list. Tables in markdown that cannot
/// be broken are no exception to the width but to this test: rows that start with `|` are not measured there.
const TOO_WIDE: [&str; 0] = [];

/// The files that people write, by their endings.
const ENDINGS: [&str; 6] = ["rs", "md", "toml", "js", "css", "html"];

/// Every text of the repository that people write.
pub(crate) fn texts(root: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let folders = ["src", "crates", "tests", "examples", "benches", "app", ".ci"];
    let mut left: Vec<PathBuf> = folders.map(|dir| root.join(dir)).into();
    let top = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = top.filter(|path| path.is_file()).collect();
    while let Some(dir) = left.pop() {
        // The package does not have all of them.
        for entry in fs::read_dir(dir).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("node_modules") {
                left.push(path);
            } else if path.is_file() {
                files.push(path);
            }
        }
    }
    files.sort();
    for path in files {
        let is_text = path.extension().is_some_and(|end| ENDINGS.iter().any(|one| end == *one))
            || path.parent().is_some_and(|parent| parent.file_name().is_some_and(|name| name == ".ci"));
        if is_text {
            let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            found.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
    found
}

#[test]
fn lines_are_no_longer_than_a_screen() {
    let mut wrong = Vec::new();
    for (name, text) in texts(Path::new(env!("CARGO_MANIFEST_DIR"))) {
        let is_table = |line: &str| line.trim_start_matches(['/', '!', ' ']).starts_with("| ");
        let is_long = |line: &str| line.chars().count() > WIDTH && !is_table(line);
        let long: Vec<usize> = (1..).zip(text.lines()).filter(|(_, line)| is_long(line)).map(|(at, _)| at).collect();
        match (TOO_WIDE.contains(&name.as_str()), long.is_empty()) {
            (false, false) => wrong.push(format!("{name}: lines {long:?}")),
            (true, true) => wrong.push(format!("{name} is mended: take it off TOO_WIDE")),
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "more than {WIDTH} characters:\n{}", wrong.join("\n"));
}

/// A document is cited by author, title, venue and year, or by its file in the repository.
#[test]
fn nothing_is_cited_that_a_reader_cannot_open() {
    let mut wrong = Vec::new();
    for (name, text) in texts(Path::new(env!("CARGO_MANIFEST_DIR"))) {
        for (at, line) in (1..).zip(text.lines()) {
            let lower = line.to_lowercase();
            let numbered = ["document ", "issue "].iter().any(|word| {
                lower.match_indices(word).any(|(at, _)| {
                    let rest = &lower[at + word.len()..];
                    let digits = rest.chars().take_while(char::is_ascii_digit).count();
                    digits > 0 && !lower[..at].ends_with("rustsat ") && !lower[..at].ends_with("its ")
                })
            });
            let named = ["SEEDS", "PEERS"].iter().any(|word| {
                // The constant PEERS is the cells that see a cell.
                line.contains(&format!("{word}.md")) || line.contains(&format!("/{word}"))
            });
            if (numbered || named) && !name.starts_with("tests/house/") {
                wrong.push(format!("{name}:{at}: {}", line.trim()));
            }
        }
    }
    let wrong: Vec<String> =
        wrong.into_iter().filter(|line| !NOT_YET.iter().any(|file| line.starts_with(file))).collect();
    assert!(wrong.is_empty(), "cited, but not there:\n{}", wrong.join("\n"));
}

/// Files whose citations are not mended yet.
const NOT_YET: [&str; 0] = [];

/// Beginnings of docs that make a reader wait for the noun.
const NO_SUBJECT: [&str; 4] = ["So many ", "What ", "Whether ", "The same"];

/// The docs of Rust code that begin without a subject: line and beginning.
fn docs_without_subject(code: &str) -> Vec<(usize, &str)> {
    let doc = |line: &'_ str| line.starts_with("///") || line.starts_with("//!");
    let mut inside = false;
    let mut found = Vec::new();
    for (at, line) in (1..).zip(code.lines().map(str::trim)) {
        let begins = doc(line) && !inside;
        inside = doc(line);
        let words = line.trim_start_matches(['/', '!']).trim_start();
        if begins && NO_SUBJECT.iter().any(|start| words.starts_with(start)) {
            found.push((at, words));
        }
    }
    found
}

#[test]
fn docs_begin_with_a_subject() {
    let code = "//! So many words.\n\n    /// What it is.\n    fn a() {}\n/// It is\n/// what it is.\n/// Whatever.";
    assert_eq!(docs_without_subject(code), [(1, "So many words."), (3, "What it is.")]);
    let mut wrong = Vec::new();
    for (name, text) in texts(Path::new(env!("CARGO_MANIFEST_DIR"))) {
        if Path::new(&name).extension().is_some_and(|end| end == "rs") {
            wrong.extend(docs_without_subject(&text).iter().map(|(at, doc)| format!("{name}:{at}: {doc}")));
        }
    }
    assert!(wrong.is_empty(), "docs without a subject:\n{}", wrong.join("\n"));
}

/// The figure in a file's prose that stands before `after`, written in digits or as a word.
fn figure(root: &Path, file: &str, before: &str, after: &str) -> usize {
    const WORDS: [&str; 10] = [
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
    ];
    let text = fs::read_to_string(root.join(file)).unwrap();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = text.split(before).skip(1).find_map(|rest| {
        let (word, rest) = rest.split_once(' ')?;
        rest.starts_with(after).then_some(word)
    });
    let word = said.unwrap_or_else(|| panic!("{file} no longer says `{before}… {after}`"));
    let named = WORDS.iter().position(|&other| other == word).map(|at| at + 11);
    named.unwrap_or_else(|| word.replace(',', "").parse().expect("a number"))
}

/// Figures that a file of the repository knows are what it knows.
#[test]
fn figures_in_prose_are_counted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = fs::read_dir(root.join("examples/model")).unwrap();
    let pages = pages.filter(|entry| entry.as_ref().unwrap().file_name() != "main.rs").count();
    assert_eq!(figure(root, "README.md", "has ", "puzzles and plans"), pages, "files of examples/model");
}

/// The README and the front page of the documentation, which links the names, say the same of what to take.
#[test]
fn the_two_tables_of_what_to_take_are_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = |file: &str| -> Vec<String> {
        let text = fs::read_to_string(root.join(file)).unwrap().replace("//! ", "");
        let from = text.lines().skip_while(|line| *line != "| I have | I want | take |");
        from.take_while(|line| line.starts_with('|')).map(|line| line.replace(['[', ']'], "")).collect()
    };
    assert!(table("README.md").len() > 2);
    assert_eq!(table("README.md"), table("src/lib.rs"));
}
