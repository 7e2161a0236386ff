//! A type's name says what it is without its path, so that a search for it finds nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::rooms::House;

/// Names that types of several files share, each with the reason. Each must still be shared.
const SHARED: [(&str, &str); 10] = [
    ("Constraint", "of literals at the root, of integers in the model's module"),
    ("Count", "the literals of a count at the root, the meaning of one in `render`"),
    ("Grid", "of a Sudoku at the root, of integers in the model's module"),
    ("Question", "the same builder, for a formula and for a model"),
    ("Optimum", "the same answer, for the objective of a formula and of a model"),
    ("Problem", "what `ask` asks about, what FlatZinc states, what is wrong with a Sudoku"),
    ("Prover", "BatSat, or CaDiCaL where there is no BatSat"),
    ("Sealed", "the usual name of a trait that only its own crate implements"),
    ("Solutions", "the iterator of each `solutions()`"),
    ("Strategy", "the choice that each `strategy()` takes"),
];

/// The types that a file declares outside of functions, traits and implementations.
fn types(code: &str) -> impl Iterator<Item = String> {
    let spaced = code.replace('{', " { ").replace('}', " } ");
    let is_inside = |sign: char| sign.is_alphanumeric() || "_{}".contains(sign);
    let mut found = Vec::new();
    // For each open brace, whether it is a module's.
    let mut open = Vec::new();
    let mut before = ["", ""];
    for word in spaced.split(|sign| !is_inside(sign)).filter(|word| !word.is_empty()) {
        match word {
            "{" => open.push(before[0] == "mod"),
            "}" => drop(open.pop()),
            _ if matches!(before[1], "struct" | "enum" | "union" | "trait" | "type") && !open.contains(&false) => {
                found.push(word.to_owned());
            }
            _ => {}
        }
        before = [before[1], word];
    }
    found.into_iter()
}

#[test]
fn types_are_found() {
    let code = "pub struct A<T>(T); mod b { pub(in crate::b) enum C { D { e: u8 } } trait F { type G; }\n\
                impl F for H { type G = I; } } fn j() { struct K; } pub unsafe trait L {} type M = N;";
    assert_eq!(types(code).collect::<Vec<_>>(), ["A", "C", "F", "L", "M"]);
}

/// The words that `CONTRIBUTING.md` rules out are in no public name of a function.
#[test]
fn one_word_for_one_thing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("CONTRIBUTING.md")).unwrap();
    let table = text.split_once("| word | means | not |").and_then(|(_, rest)| rest.split_once("\n\n")).unwrap().0;
    let last = table.lines().skip(2).filter_map(|row| row.trim_end_matches('|').rsplit('|').next());
    let words: Vec<&str> = last.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    assert!(words.len() > 12, "{words:?}");
    let house = House::read(&root.join("crates")).unwrap();
    let mut wrong = Vec::new();
    for (module, code) in house.code.iter().filter(|(module, _)| !house.is_for_tests(module)) {
        for rest in code.split("pub fn ").chain(code.split("pub const fn ")).skip(1) {
            let name = rest.split(|sign: char| !sign.is_alphanumeric() && sign != '_').next().unwrap_or_default();
            let is_ruled_out = |word: &str| {
                if word.contains('_') { name.starts_with(word) || name.ends_with(word) } else { name == word }
            };
            if let Some(word) = words.iter().find(|word| is_ruled_out(word)) {
                wrong.push(format!("{}: {name} ({word})", module.join("/")));
            }
        }
    }
    wrong.sort();
    wrong.dedup();
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn no_two_types_share_a_name() {
    let house = House::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("crates")).unwrap();
    let mut named: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (module, code) in house.code.iter().filter(|(module, _)| !house.is_for_tests(module)) {
        for name in types(code) {
            named.entry(name).or_default().insert(module.join("/"));
        }
    }
    assert!(named.len() > 500, "only {} types were found", named.len());
    let is_shared = |name: &str| named.get(name).is_some_and(|files| files.len() > 1);
    let excused: BTreeSet<&str> = SHARED.iter().map(|(name, _)| *name).collect();
    let mut wrong: Vec<String> = named
        .iter()
        .filter(|(name, files)| files.len() > 1 && !excused.contains(&***name))
        .map(|(name, files)| format!("{name}: {}", files.iter().cloned().collect::<Vec<_>>().join(", ")))
        .collect();
    let stale = excused.iter().filter(|name| !is_shared(name));
    wrong.extend(stale.map(|name| format!("{name} is no longer shared: take it off SHARED")));
    assert!(wrong.is_empty(), "types that share a name:\n{}", wrong.join("\n"));
}
