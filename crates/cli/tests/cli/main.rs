//! The program `cnfkit`: what it prints where, and its exit codes.

mod fzn;
#[cfg(unix)]
mod fzn_stopped;
mod gems;
mod hostile;
mod json;
mod messages;
mod optimise;
mod options;
mod packed;
mod shards;
mod solve;
#[allow(dead_code)] // not everywhere is there all that it needs
mod stopped;
mod sudoku;
#[cfg(unix)]
mod transcript;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const PROGRAM: &str = env!("CARGO_BIN_EXE_cnfkit");

/// A command of the program.
fn cnfkit(command: &str, args: &[&str]) -> Command {
    let mut program = Command::new(Path::new(PROGRAM));
    program.arg(command).args(args);
    program
}

fn run(command: &str, args: &[&str], input: &[u8]) -> Output {
    let mut command = cnfkit(command, args);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A program that stops before reading is no failure of the test.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// The output of a command, its complaints, and its exit code.
fn outcome(command: &str, args: &[&str], input: &[u8]) -> (String, String, Option<i32>) {
    let output = run(command, args, input);
    let [text, message] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (text, message, output.status.code())
}

/// The README shows what is printed, `…` aside.
#[test]
fn the_readme_is_so() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let block = |start: &str| readme.split_once(start).unwrap().1.split_once("```").unwrap().0;
    let (rules, shown) = (block("```text\n"), block("$ cnfkit optimise bands\n"));
    let (text, message, code) = outcome("optimise", &["-"], rules.as_bytes());
    assert_eq!((message.as_str(), code), ("", Some(30)));
    for part in shown.split("…\n") {
        assert!(text.contains(part), "{part}: {text}");
    }
    let (asked, shown) = block("$ printf '").split_once("' | cnfkit solve --core\n").unwrap();
    let (text, ..) = outcome("solve", &["--core"], asked.replace("\\n", "\n").as_bytes());
    assert!(shown.starts_with(&text), "{text}");

    let (before, after) = readme.split_once("' | cnfkit encode --counting\n").unwrap();
    let asked = before.rsplit_once("$ printf '").unwrap().1.replace("\\n", "\n");
    let (text, ..) = outcome("encode", &["--counting"], asked.as_bytes());
    for part in after.split_once("```").unwrap().0.split("…\n") {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Counted with the comments, which project, and without them.
    let clauses: String = text.split_inclusive('\n').filter(|line| !line.starts_with('c')).collect();
    let [projected, all] = [&text, &clauses].map(|text| outcome("solve", &["--count"], text.as_bytes()).0);
    assert!(projected == all && all.contains("c 50 models"), "{projected} {all}");
}
