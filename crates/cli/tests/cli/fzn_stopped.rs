//! The program `fzn-cnfkit` when it is stopped: by a signal, and by its time limit.

use std::fmt::Write;
use std::path::Path;

#[cfg(target_os = "linux")]
use super::stopped::run_for;
use super::stopped::{file, lot, run_until};

const PROGRAM: &str = env!("CARGO_BIN_EXE_fzn-cnfkit");

/// Knapsacks of the same items, each of which takes half of the weight of all, with the number of items to maximise.
fn knapsacks(knapsacks: usize, items: usize) -> String {
    let mut weight = lot(1000);
    let mut text = String::new();
    (1..=items).for_each(|item| writeln!(text, "var 0..1: x{item};").unwrap());
    writeln!(text, "var 0..{items}: value :: output_var;").unwrap();
    let all: Vec<String> = (1..=items).map(|item| format!("x{item}")).collect();
    let all = all.join(",");
    for _ in 0..knapsacks {
        let weights: Vec<u64> = (0..items).map(|_| weight()).collect();
        writeln!(text, "constraint int_lin_le({weights:?},[{all}],{});", weights.iter().sum::<u64>() / 2).unwrap();
    }
    let ones = "1,".repeat(items);
    text + &format!("constraint int_lin_eq([{ones}-1],[{all},value],0);\nsolve maximize value;\n")
}

/// Solutions are whole, and none of them is said to be the best.
fn check_solutions(text: &str) {
    let lines: Vec<&str> = text.lines().collect();
    let is_solution = |lines: &[&str]| matches!(lines, [value, "----------"] if value.starts_with("value = "));
    assert!(!lines.is_empty() && lines.chunks(2).all(is_solution), "{text}");
}

/// Stopped by a signal, or by the same passed on, it has said the best solution so far, or says it.
#[test]
fn signals_do_not_lose_the_best_solution() {
    let path = file("stopped.fzn", &knapsacks(6, 120));
    for signal in ["INT", "TERM", "INT TERM", "TERM TERM TERM"] {
        let (text, code) = run_until(Path::new(PROGRAM), &["-i", &path], signal, |line| line == "----------");
        check_solutions(&text);
        assert_eq!(code, Some(0));
    }
}

/// The limit holds while a file is read, encoded and loaded, and the best solution by then is the answer.
#[cfg(target_os = "linux")]
#[test]
fn the_time_limit_holds_on_all_the_way() {
    let path = file("limit.fzn", &knapsacks(6, 120));
    let (text, seconds) = run_for(Path::new(PROGRAM), &["-t", "2000", &path]);
    check_solutions(&text);
    assert_eq!(text.lines().count(), 2);
    assert!(seconds < 3.0, "{seconds} s of CPU");
    let path = file("large.fzn", &knapsacks(40, 3000));
    let (text, seconds) = run_for(Path::new(PROGRAM), &["-t", "500", "-s", &path]);
    assert!(text.starts_with("=====UNKNOWN=====") || text.starts_with("value = "), "{text}");
    assert!(seconds < 1.5, "{seconds} s of CPU");
}
