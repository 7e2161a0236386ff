//! The page `transcript.md`: each command prints what stands below it.

use std::path::Path;
use std::process::Command;

use super::PROGRAM;

/// True if a text is what a page shows, where `…` stands for anything.
fn is_shown(text: &str, shown: &str) -> bool {
    let shown = shown.replace("…\n", "…");
    let mut parts = shown.split('…');
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&str> = parts.collect();
    for part in &parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.is_empty() || parts.last().is_some_and(|part| part.is_empty() || text.ends_with(part))
}

/// True if there is such a program.
fn has(program: &str) -> bool {
    Command::new("sh").args(["-c", &format!("command -v {program}")]).output().is_ok_and(|found| found.status.success())
}

#[test]
fn the_transcript_is_so() {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("transcript");
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).unwrap();
    let path = format!("{}:{}", Path::new(PROGRAM).parent().unwrap().display(), std::env::var("PATH").unwrap());
    let page = include_str!("../../transcript.md");
    for block in page.split("```console\n").skip(1) {
        let block = block.split_once("```").unwrap().0;
        for said in block.split("$ ").skip(1) {
            // A text of a file goes up to the line END.
            let end = said.find("<<'END'").map_or(0, |_| said.find("\nEND\n").unwrap() + 1);
            let end = end + said[end..].find('\n').unwrap() + 1;
            let (command, shown) = said.split_at(end);
            let needs = [("xz ", "xz"), ("gzip", "gzip"), ("check proof", "veripb")];
            if needs.iter().any(|(word, program)| command.contains(word) && !has(program)) {
                if command.contains("check proof") {
                    continue;
                }
                return;
            }
            let output =
                Command::new("sh").args(["-c", command]).env("PATH", &path).current_dir(&place).output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
            assert!(is_shown(&text, shown), "{command}{text}\nshown:\n{shown}");
        }
    }
}
