//! The program as it is used: its help, and its end at the time limit.

use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn run(argument: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cnfkit-quality"))
        .arg(argument)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Nobody reads what is written at a time limit: that is waited for no longer than the limit either.
    let unread = if argument == "--help" { None } else { child.stdout.take() };
    let output = child.wait_with_output().unwrap();
    drop(unread);
    output
}

#[test]
fn a_time_limit_ends_it() {
    let start = Instant::now();
    let output = run("--time-limit=0.3");
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.starts_with("error: the time limit of 300ms is over"), "{message}");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn help_lists_families_and_exit_codes() {
    let help = String::from_utf8(run("--help").stdout).unwrap();
    assert!(help.contains("--family") && help.contains("Exit codes:\n  0  "), "{help}");
}
