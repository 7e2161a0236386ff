//! Examples in the documentation: every public name stands in one that asserts something, and so does every public
//! method. Methods that belong together, a constructor and what it makes, share one.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::prose::texts;
use crate::source::without_tests;

/// Parts of names: of suites of tests, which fail by themselves, and of the methods of layers, each of which is one of
/// `ClauseSink`'s; and the names that a macro writes with an example each.
const WITHOUT: [&str; 5] = ["check_", "_suite", "pb_groups", "pass_", "Unknown"];

fn ends(file: &str, extension: &str) -> bool {
    Path::new(file).extension().is_some_and(|end| end == extension)
}

/// The words of all examples that assert.
fn words_of_examples(texts: &[(String, String)]) -> BTreeSet<String> {
    let in_docs = texts.iter().filter(|(file, _)| file.starts_with("crates/") || file.starts_with("src/"));
    let programs = in_docs.flat_map(|(file, text)| {
        // Whole pages are documentation, too.
        if ends(file, "md") { vec![text.clone()] } else { examples(text) }
    });
    let asserting = programs.filter(|program| program.contains("assert"));
    asserting.flat_map(|program| words(&program).map(str::to_owned).collect::<Vec<_>>()).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// The names that a file passes on to users; those for our own crates are none.
fn passed_on(text: &str) -> Vec<String> {
    let text = text.split_once("pub mod internals").map_or(text, |(users, _)| users);
    let mut found = Vec::new();
    for (at, _) in text.match_indices("pub use ") {
        let attributes = text[..at].trim_end().rsplit("\n\n").next().unwrap_or_default();
        let is_hidden = attributes
            .lines()
            .rev()
            .take_while(|line| line.starts_with('#'))
            .any(|line| line.contains("doc(hidden)") || line.contains("internals"));
        let list = text[at + 8..].split_once(';').map_or("", |(list, _)| list);
        if !is_hidden && !list.starts_with("rustsat") {
            let list =
                list.rsplit_once("::{").map_or_else(|| list.rsplit("::").next().unwrap_or(list), |(_, list)| list);
            found.extend(words(list).map(str::to_owned));
        }
    }
    found
}

/// The public methods of `names` in a file, each with its type.
fn methods<'a>(code: &'a str, names: &BTreeSet<String>) -> Vec<(&'a str, &'a str)> {
    let mut found = Vec::new();
    let mut of = None;
    let mut attributes = String::new();
    for line in code.lines() {
        let name = |rest: &'a str| words(rest).next().unwrap_or_default();
        if let Some(rest) = line.strip_prefix("impl") {
            // `impl<'a, S: Sink> Type<'a, S> {`, and no trait's.
            let rest = if rest.starts_with('<') { rest.split_once("> ").map_or(rest, |(_, rest)| rest) } else { rest };
            of = (!rest.contains(" for ")).then(|| (name(rest), "    pub "));
        } else if let Some(rest) = line.strip_prefix("pub trait ") {
            of = Some((name(rest), "    "));
        } else if line == "}" {
            of = None;
        }
        if let Some((of, start)) = of
            && names.contains(of)
            && let Some(rest) = line.strip_prefix(start)
            && let Some(rest) = rest.strip_prefix("const ").unwrap_or(rest).strip_prefix("fn ")
            && !attributes.contains("doc(hidden)")
        {
            found.push((of, name(rest)));
        }
        if line.trim_start().starts_with('#') {
            attributes.push_str(line);
        } else {
            attributes.clear();
        }
    }
    found
}

#[test]
fn public_names_and_methods_have_examples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let texts = texts(root);
    let shown = words_of_examples(&texts);
    let is_door = |file: &str| {
        let rooms = ["ask", "constrain", "encode", "formula", "infer", "interop", "render", "solvers", "testing"];
        let is_lib = file.ends_with("src/lib.rs");
        (is_lib || rooms.iter().any(|room| file.ends_with(&format!("src/{room}/mod.rs"))))
            && file.starts_with("crates/")
    };
    let names: BTreeSet<String> =
        texts.iter().filter(|(file, _)| is_door(file)).flat_map(|(_, text)| passed_on(text)).collect();
    assert!(names.len() > 200, "{names:?}");
    let is_missing = |name: &str| !shown.contains(name) && !WITHOUT.iter().any(|part| name.contains(part));
    let mut wrong: Vec<String> = names.iter().filter(|name| is_missing(name)).cloned().collect();
    let mut count = 0;
    for (file, text) in texts.iter().filter(|(file, _)| file.starts_with("crates/") && ends(file, "rs")) {
        let code = without_tests(text);
        for (of, method) in methods(&code, &names) {
            count += 1;
            if is_missing(method) {
                wrong.push(format!("{file}: {of}::{method}"));
            }
        }
    }
    assert!(count > 400, "{count} methods");
    assert!(wrong.is_empty(), "no example asserts anything with these:\n{}", wrong.join("\n"));
}

#[test]
fn methods_are_read() {
    let code = "impl A {\n    pub const fn b() {}\n    #[doc(hidden)]\n    pub fn c() {}\n}\n\
                impl D for A {\n    fn e() {}\n}\npub trait F<G> {\n    fn h();\n}\n\
                impl<'a, S: F<G>> A<'a> {\n    pub fn i() {}\n    fn j() {}\n}";
    let names = ["A", "F"].map(str::to_owned).into();
    assert_eq!(methods(code, &names), [("A", "b"), ("F", "h"), ("A", "i")]);
    let lib = "pub use a::{B, c};\n\n#[doc(hidden)]\npub use d::E;\npub use f::G;\n\
               pub mod internals { pub use h::I; }";
    assert_eq!(passed_on(lib), ["B", "c", "G"]);
}

/// Every name at the root of the library has an example that asserts: in its own documentation, or in the file that
/// defines it, where the example has its name.
#[test]
fn names_at_the_root_have_examples() {
    // Of rustsat, made by one macro for three, and names before.
    const ELSEWHERE: [&str; 7] =
        ["Lit", "Var", "UnknownAmoEncoding", "UnknownCardEncoding", "UnknownPbEncoding", "Explain", "Optimise"];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let texts = texts(root);
    let read = |file: &str| fs::read_to_string(root.join(file)).unwrap();
    let encodings = read("crates/encode/src/lib.rs");
    let (_, encodings) = encodings.split_once("pub mod encodings").expect("a list of encodings");
    let facade = read("src/lib.rs") + encodings;
    let is_name = |word: &&str| word.starts_with(char::is_uppercase);
    let words = |text: &'static str| text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let lists = facade.leak().split("pub use ").skip(1).filter_map(|item| item.split_once(';'));
    let mut names: Vec<&str> = lists.flat_map(|(list, _)| words(list)).filter(is_name).collect();
    names.sort_unstable();
    names.dedup();
    names.retain(|name| !ELSEWHERE.contains(name));
    assert!(names.len() > 80, "{names:?}");
    let mut wrong = Vec::new();
    for name in names {
        let defined = ["struct", "enum", "trait"].map(|kind| format!("pub {kind} {name}"));
        let is_defined = |text: &str| {
            defined.iter().any(|start| {
                text.match_indices(start).any(|(at, _)| !text[at + start.len()..].starts_with(char::is_alphanumeric))
            })
        };
        let has_example = texts.iter().any(|(file, text)| {
            file.starts_with("crates/")
                && is_defined(text)
                && examples(text).iter().any(|example| {
                    example.contains("assert") && example.split(|c: char| !c.is_alphanumeric()).any(|word| word == name)
                })
        });
        if !has_example {
            wrong.push(name);
        }
    }
    assert!(wrong.is_empty(), "no example asserts anything with these names: {wrong:?}");
}

/// The programs in the documentation of a file.
fn examples(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open: Option<String> = None;
    for line in text.lines() {
        let doc = line.trim_start();
        match (doc.strip_prefix("///").or_else(|| doc.strip_prefix("//!")), &mut open) {
            (None, _) => open = None,
            (Some(words), None) if words.trim_start().starts_with("```") => open = Some(String::new()),
            (Some(words), Some(_)) if words.trim_start().starts_with("```") => found.extend(open.take()),
            (Some(words), Some(program)) => program.extend([words, "\n"]),
            _ => {}
        }
    }
    found
}
