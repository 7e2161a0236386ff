//! Rust text as far as imports go: no comments, no strings, nothing that only tests compile; and what each `use` names.

/// The text without comments, literals and items under `#[cfg(test)]`.
pub(crate) fn without_tests(text: &str) -> String {
    let mut code = code_only(text);
    while let Some(start) = code.find("#[cfg(test)]").or_else(|| code.find("#[cfg(all(test")) {
        let end = start + item_length(&code[start..]);
        code.replace_range(start..end, "");
    }
    code
}

/// From an attribute to the end of the item behind it: its `;`, or the end of its braces.
fn item_length(code: &str) -> usize {
    let (mut brackets, mut braces) = (0_i32, 0_i32);
    for (at, sign) in code.char_indices() {
        match sign {
            '(' | '[' => brackets += 1,
            ')' | ']' => brackets -= 1,
            '{' => braces += 1,
            '}' => {
                braces -= 1;
                if braces == 0 && brackets == 0 {
                    // `use a::{b};` goes on behind its braces.
                    let rest = code[at + 1..].trim_start();
                    return if rest.starts_with(';') { code.len() - rest.len() + 1 } else { at + 1 };
                }
            }
            ';' if brackets == 0 && braces == 0 => return at + 1,
            _ => {}
        }
    }
    code.len()
}

/// The text without comments, and with nothing inside of string and character literals.
pub(crate) fn code_only(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(length) = string_length(rest) {
            code.push_str("\"\"");
            length
        } else if let Some(length) = character_length(rest) {
            code.push_str("' '");
            length
        } else {
            code.push(sign);
            sign.len_utf8()
        };
        rest = &rest[skipped..];
    }
    code
}

/// The length of a string literal that starts here, raw or not.
fn string_length(text: &str) -> Option<usize> {
    if let Some(raw) = text.strip_prefix('r').filter(|raw| raw.starts_with(['"', '#'])) {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let body = raw[hashes..].strip_prefix('"')?;
        let end = format!("\"{}", "#".repeat(hashes));
        return body.find(&end).map(|at| 1 + hashes + 1 + at + end.len());
    }
    let mut signs = text.strip_prefix('"')?.char_indices();
    while let Some((at, sign)) = signs.next() {
        match sign {
            '\\' => drop(signs.next()),
            '"' => return Some(at + 2),
            _ => {}
        }
    }
    None
}

/// The length of a character literal that starts here; a lifetime is none.
fn character_length(text: &str) -> Option<usize> {
    let body = text.strip_prefix('\'')?;
    if let Some(escaped) = body.strip_prefix('\\') {
        return escaped.char_indices().skip(1).find(|&(_, sign)| sign == '\'').map(|(at, _)| at + 3);
    }
    let sign = body.chars().next()?;
    body[sign.len_utf8()..].starts_with('\'').then_some(sign.len_utf8() + 2)
}

/// The names that one `use` gives: the name, and the path behind it.
pub(crate) type Import = (String, Vec<String>);

/// The imports of a file, `use` by `use`; `*` where everything of a module is imported.
pub(crate) fn imports(code: &str) -> Vec<Import> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("use ") {
        let before = code[..at].trim_end();
        if before.is_empty() || before.ends_with([';', '}', '{', ')', ']']) || before.ends_with("pub") {
            let tree = &code[at + 4..];
            let end = tree.find(';').unwrap_or(tree.len());
            tree_of(&tree[..end], &[], &mut found);
        }
    }
    found
}

fn tree_of(tree: &str, before: &[String], found: &mut Vec<Import>) {
    let tree = tree.trim();
    let (head, group) = tree.split_once('{').map_or((tree, None), |(head, group)| (head, group.rsplit_once('}')));
    let (head, alias) = head.split_once(" as ").map_or((head, None), |(head, alias)| (head, Some(alias.trim())));
    let parts = head.split("::").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned);
    let path: Vec<String> = before.iter().cloned().chain(parts).collect();
    let Some((group, _)) = group else {
        match (path.split_last(), alias) {
            (Some((last, rest)), None) if last == "self" => {
                found.push((rest.last().cloned().unwrap_or_default(), rest.to_vec()));
            }
            (Some((last, _)), _) => found.push((alias.unwrap_or(last).to_owned(), path)),
            (None, _) => {}
        }
        return;
    };
    let (mut depth, mut start) = (0, 0);
    for (at, sign) in group.char_indices().chain([(group.len(), ',')]) {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                if !group[start..at].trim().is_empty() {
                    tree_of(&group[start..at], &path, found);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
}

/// The text without each `use`, or only without those that pass names on (`pub use`, `pub(crate) use`, ...).
pub(crate) fn without_uses(code: &str, only_passed_on: bool) -> String {
    let mut left = String::with_capacity(code.len());
    for item in code.split_inclusive(';') {
        let start = item.rfind("use ").filter(|&at| {
            let before = item[..at].trim_end();
            let line = before.rsplit('\n').next().unwrap_or_default().trim_start();
            let passes_on = line.starts_with("pub") && (line == "pub" || line.ends_with(')'));
            passes_on || !only_passed_on && (line.is_empty() || line.ends_with(['{', '}', ']']))
        });
        left.push_str(start.map_or(item, |at| &item[..at]));
    }
    left
}

/// Paths that start with `crate`, `super` or a crate of ours, wherever they stand; those of `use` groups as far as the
/// group.
pub(crate) fn paths(code: &str) -> Vec<Vec<String>> {
    let is_word = |sign: char| sign.is_alphanumeric() || sign == '_';
    let mut found = Vec::new();
    for start in ["crate::", "super::", "cnfkit_core::", "cnfkit_ask::"] {
        for (at, _) in code.match_indices(start) {
            if code[..at].ends_with(is_word) || code[..at].ends_with("::") {
                continue;
            }
            let rest = &code[at..];
            let end = rest.find(|sign: char| !is_word(sign) && sign != ':').unwrap_or(rest.len());
            let parts = rest[..end].split("::").filter(|part| !part.is_empty()).map(str::to_owned);
            found.push(parts.collect());
        }
    }
    found
}

#[test]
fn imports_are_read() {
    let code = without_tests(
        "//! use crate::nothing;\n#[cfg(test)]\nuse crate::tests::{a, b};\n\
         use crate::{One, two::{self, Three as Third}};\n\
         pub(crate) use super::four::*;\nfn f() -> &'static str { let _ = '\"'; \"use crate::five;\" }\n\
         #[cfg(test)]\nmod tests { use crate::six::Six; }\n#[cfg(test)]\ncrate::seven!(x: Y);\n\
         fn g() { crate::eight::nine(); }",
    );
    let path = |text: &str| text.split("::").map(str::to_owned).collect::<Vec<_>>();
    let expected =
        [("One", "crate::One"), ("two", "crate::two"), ("Third", "crate::two::Three"), ("*", "super::four::*")];
    assert_eq!(imports(&code), expected.map(|(name, text)| (name.to_owned(), path(text))));
    assert!(paths(&code).contains(&path("crate::eight::nine")));
    assert!(!code.contains("five") && !code.contains("seven"), "{code}");
    let left = without_uses(&code, true);
    assert!(!left.contains("four") && left.contains("two::{self") && left.contains("eight"), "{left}");
    let left = without_uses(&code, false);
    assert!(!left.contains("four") && !left.contains("two::{self") && left.contains("eight"), "{left}");
}
