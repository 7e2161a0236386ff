//! `cnfkit optimise`: the lines and exit codes of competitions.

#[cfg(unix)]
use std::path::Path;

use super::run;
use super::stopped::lot;
#[cfg(target_os = "linux")]
use super::stopped::run_for;
#[cfg(unix)]
use super::{
    PROGRAM,
    stopped::{file, run_until},
};

/// Standard output without comments, and the exit code.
fn answer(args: &[&str], input: &str) -> (String, Option<i32>) {
    let output = run("optimise", args, input.as_bytes());
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    (text.lines().filter(|line| !line.starts_with('c')).collect::<Vec<_>>().join("\n"), output.status.code())
}

const STRATEGIES: [&str; 3] = ["auto", "solution-improving", "core-guided"];

#[test]
fn wcnf() {
    for strategy in STRATEGIES {
        // 1 and 2 exclude each other, the third needs one of them; a soft clause of two literals.
        let new = "h -1 -2 0\nh 1 2 -3 0\n4 1 0\n6 2 0\n5 3 0\n3 1 -3 0\n";
        let old = "p wcnf 3 6 19\n19 -1 -2 0\n19 1 2 -3 0\n4 1 0\n6 2 0\n5 3 0\n3 1 -3 0\n";
        for text in [new, old] {
            let (text, code) = answer(&["-", "--strategy", strategy], text);
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!(lines[lines.len() - 3..lines.len() - 1], ["o 6", "s OPTIMUM FOUND"], "{strategy}");
            assert!(lines[lines.len() - 1] == "v 101", "{text}");
            assert_eq!(code, Some(30));
        }
        assert_eq!(answer(&["-"], "h 1 0\nh -1 0\n"), ("s UNSATISFIABLE".into(), Some(20)));
    }
}

#[test]
fn opb() {
    let text = "* #variable= 3 #constraint= 1\nmin: 2 x1 +3 ~x2 -4 x3 ;\n1 x1 1 ~x2 1 ~x3 >= 2 ;\n";
    for strategy in STRATEGIES {
        let (text, code) = answer(&["-", "--strategy", strategy], text);
        assert!(text.ends_with("o 1\ns OPTIMUM FOUND\nv x1 -x2 x3"), "{strategy}: {text}");
        assert_eq!(code, Some(30));
    }
}

/// An objective without terms has an optimum, `max:` its own value, and weights may have 64 bits, with a proof, too.
#[test]
fn objectives_of_all_kinds() {
    let (wide, rest) = (i64::MAX, "+1 x1 +1 x2 +1 x3 >= 2 ;\n");
    for (text, expected) in [
        ("min: ;\n+1 x1 >= 1 ;\n".to_owned(), "o 0\ns OPTIMUM FOUND\nv x1"),
        ("max: ;\n+1 x1 >= 1 ;\n".to_owned(), "o 0\ns OPTIMUM FOUND\nv x1"),
        ("+1 x1 >= 1 ;\n".to_owned(), "s SATISFIABLE\nv x1"),
        ("max: +3 x1 +2 x2 ;\n+1 x1 +1 x2 <= 1 ;\n".to_owned(), "o 3\ns OPTIMUM FOUND\nv x1 -x2"),
        (
            "min: +9223372036854775808 x1 +1 x2 ;\n+1 x1 +1 x2 >= 2 ;\n".to_owned(),
            "o 9223372036854775809\ns OPTIMUM FOUND\nv x1 x2",
        ),
        (
            format!("min: +{wide} x1 +{wide} x2 +{wide} x3 ;\n{rest}-1 x1 >= 0 ;\n"),
            "o 18446744073709551614\ns OPTIMUM FOUND\nv -x1 x2 x3",
        ),
        (
            format!("min: +{wide} x1 +{wide} x2 +{} x3 ;\n{rest}", wide - 1),
            "o 18446744073709551613\ns OPTIMUM FOUND\nv ",
        ),
        ("soft: ;\n[3] +1 x1 >= 1 ;\n[4] -1 x1 >= 0 ;\n".to_owned(), "o 3\ns OPTIMUM FOUND\nv -x1"),
    ] {
        for strategy in STRATEGIES {
            let (found, _) = answer(&["-", "--strategy", strategy], &text);
            assert!(found.contains(expected), "{strategy}: {text}{found}");
        }
        let dir = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("objectives of all kinds");
        let _ = std::fs::remove_dir_all(&dir);
        let (found, _) = answer(&["-", "--proof", dir.to_str().unwrap()], &text);
        assert!(found.contains(expected), "{text}{found}");
    }
    let output = run("optimise", &["-"], b"max: +3 x1 ;\n");
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("c max: the greatest value is looked for\n"));
}

/// Of twelve literals that are alike the first are true.
#[test]
fn symmetries() {
    let sum = |weight: &str| (1..=12).fold(String::new(), |sum, x| format!("{sum} {weight} x{x}"));
    let text = format!("min:{} ;\n{} >= 5 ;\n", sum("+1"), sum("+1"));
    for strategy in STRATEGIES {
        let (text, code) = answer(&["-", "--symmetries", "--strategy", strategy], &text);
        assert!(text.contains("o 5\ns OPTIMUM FOUND\nv x1 x2 x3 x4 x5 -x6"), "{strategy}: {text}");
        assert_eq!(code, Some(30));
    }
}

/// Variables are called as the text calls them, and auxiliaries of products are not shown.
#[test]
fn opb_by_names() {
    let text = "min: +2*wine +3*~beer -4*wine*beer;\n+1*wine +1*x2 < 2;\n+1*beer*x2 >= 1;\n";
    let (text, code) = answer(&["-"], text);
    assert_eq!((text.lines().last(), code), (Some("v -wine beer x2"), Some(30)), "{text}");
}

/// A limit ends the search with the best solution so far, or with none.
#[test]
fn limits() {
    let mut vertex = lot(400);
    let edges = (0..1500).map(|_| (vertex(), vertex())).filter(|(a, b)| a != b);
    let hard = edges.map(|(a, b)| format!("h {a} {b} 0"));
    let soft = (1..=400).map(|vertex| format!("{} -{vertex} 0", vertex * 7 % 31 + 1));
    let text = hard.chain(soft).collect::<Vec<_>>().join("\n") + "\n";
    let start = std::time::Instant::now();
    let (text, code) = answer(&["-", "--time-limit", "0.5"], &text);
    assert!(start.elapsed() < std::time::Duration::from_secs(5), "{:?}", start.elapsed());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines[lines.len() - 2], code), ("s SATISFIABLE", Some(10)));
    assert!(lines[lines.len() - 1].len() == 402 && lines.iter().any(|line| line.starts_with("o ")));
}

/// A search begins at the solution of another one, with what is left of a wrong one, and is not misled.
#[test]
fn a_known_solution_is_where_it_begins() {
    let text = "min: 3 a + 5 b + 4 c + 2 d\na + b >= 1\nb + c >= 1\na + d >= 1\n";
    for (known, first) in [
        ("s SATISFIABLE\nv a b -c -d\n", "o 8"),
        ("v b\nv d -a -c\n", "o 7"),
        ("v -a -b -c\n", "o "), // one of a and b is true
    ] {
        let path = super::stopped::file("known.txt", known);
        let (text, code) = answer(&["-", "--strategy=solution-improving", "--from", &path], text);
        assert!(text.starts_with(first), "{known}: {text}");
        assert!(text.contains("o 7\ns OPTIMUM FOUND"), "{text}");
        assert_eq!(code, Some(30));
    }
    for (known, message) in [
        ("v a e\n", "line 1: `e` is no literal of the formula"),
        ("s SATISFIABLE\n", "no line `v`, which has the values of a model"),
    ] {
        let path = super::stopped::file("unknown.txt", known);
        let (said, error, code) = super::outcome("optimise", &["-", "--from", &path], text.as_bytes());
        assert!(error.contains(message) && said.lines().all(|line| line.starts_with('c')), "{error}");
        assert_eq!(code, Some(2));
    }
}

#[test]
fn wrong_files() {
    for (args, input, message) in [
        (&["-"][..], "h 1 x 0\n", "error: standard input: line 1, column 5: `x` found; allowed: -67108864"),
        (
            &["-", "--format=opb"],
            "min: 1 x1",
            "error: standard input: line 1, column 10: the text ends within a constraint",
        ),
        (&["/nowhere/at all"], "", "error: /nowhere/at all: No such file"),
    ] {
        let output = run("optimise", args, input.as_bytes());
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.starts_with(message), "{error}");
        assert_eq!(output.status.code(), Some(2));
    }
}

/// The best answer found is said in the end, however the program is stopped and whatever it is doing then.
#[cfg(unix)]
#[test]
fn signals_do_not_lose_the_best_answer() {
    const N: usize = 200_000;
    let mut var = lot(N as u64);
    let hard: Vec<[usize; 3]> = (0..N).map(|_| [var() as usize, var() as usize, var() as usize]).collect();
    let weights: Vec<u64> = (0..N).map(|_| var() % 100 + 1).collect();
    let mut text = String::new();
    text.extend(hard.iter().map(|[a, b, c]| format!("h {a} {b} {c} 0\n")));
    text.extend(weights.iter().zip(1..).map(|(weight, var)| format!("{weight} -{var} 0\n")));
    let path = file("stopped.wcnf", &text);
    for (signal, strategy) in
        [("INT", "auto"), ("TERM", "auto"), ("HUP", "auto"), ("INT", "solution-improving"), ("TERM", "core-guided")]
    {
        let args = ["optimise", &path, "--strategy", strategy];
        let (text, code) = run_until(Path::new(PROGRAM), &args, signal, |line| line.starts_with("o "));
        let of = |start: &str| text.lines().rfind(|line| line.starts_with(start)).map(|line| &line[2..]);
        assert_eq!((of("s "), code), (Some("SATISFIABLE"), Some(10)), "{signal}, {strategy}");
        let values = of("v ").unwrap().as_bytes();
        let is_true = |var: usize| values[var - 1] == b'1';
        assert!(values.len() == N && hard.iter().all(|clause| clause.iter().any(|&var| is_true(var))));
        let cost: u64 = weights.iter().zip(1..).filter(|&(_, var)| is_true(var)).map(|(weight, _)| weight).sum();
        assert_eq!(of("o ").unwrap(), cost.to_string(), "{signal}, {strategy}");
        assert!(text.lines().all(|line| ["c ", "o ", "s ", "v "].contains(&&line[..2])), "{signal}, {strategy}");
    }
}

/// Without an objective there is nothing to be the best of.
#[test]
fn opb_without_an_objective_is_a_decision() {
    for strategy in STRATEGIES {
        let found = answer(&["-", "--strategy", strategy], "1 x1 1 x2 >= 2 ;\n1 x2 1 x3 <= 1 ;\n");
        assert_eq!(found, ("s SATISFIABLE\nv x1 x2 -x3".into(), Some(10)));
        let found = answer(&["-", "--strategy", strategy], "1 x1 1 x2 >= 2 ;\n1 x1 <= 0 ;\n");
        assert_eq!(found, ("s UNSATISFIABLE".into(), Some(20)));
    }
    // In WCNF, nothing that is soft is nothing to pay.
    assert_eq!(answer(&["-"], "h 1 0\n"), ("o 0\ns OPTIMUM FOUND\nv 1".into(), Some(30)));
}

/// A variable's number alone costs nothing: it is refused, or there is an answer.
#[test]
fn numbers_of_variables_have_a_limit() {
    for (text, place) in [
        ("min: 1 x1000000000 ; 1 x1000000000 >= 1 ;", "column 8: variable 1000000000"),
        ("h 1 -2147483647 0\n", "column 5: variable 2147483647"),
    ] {
        let output = run("optimise", &["-"], text.as_bytes());
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(error, format!("error: standard input: line 1, {place}; the limit is 67108864\n"));
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    }
}

/// Knapsacks of the same items in OPB, each of which takes half of the weight of all.
#[cfg(target_os = "linux")]
pub(super) fn knapsacks(knapsacks: usize, items: usize) -> String {
    let mut weight = lot(1000);
    let mut text = String::new();
    let mut terms = |text: &mut String, sign: &str| {
        let weights: Vec<u64> = (0..items).map(|_| weight()).collect();
        text.extend(weights.iter().zip(1..).map(|(weight, item)| format!("{sign}{weight} x{item} ")));
        weights.iter().sum::<u64>() / 2
    };
    text += "min: ";
    terms(&mut text, "-");
    for _ in 0..knapsacks {
        text += ";\n";
        let half = terms(&mut text, "+");
        text.extend(["<= ", &half.to_string(), " "]);
    }
    text + ";\n"
}

/// Knapsacks with weights that take seconds to plan: the limit holds while that is done.
#[cfg(target_os = "linux")]
#[test]
fn the_time_limit_holds_while_sums_are_planned() {
    let path = file("knapsacks.opb", &knapsacks(30, 3000));
    let (text, seconds) = run_for(Path::new(PROGRAM), &["optimise", &path, "--time-limit", "1"]);
    assert!(text.ends_with("s UNKNOWN") || text.contains("s SATISFIABLE"), "{}", &text[text.len() - 80..]);
    assert!(seconds < 2.0, "{seconds} s of CPU");
}

/// A program that fails takes nothing away of what was found before, and its failure is said.
#[test]
#[cfg(unix)]
fn programs_that_fail_leave_the_best_solution() {
    let asked = file("asked-once", "");
    std::fs::remove_file(&asked).unwrap();
    let fails = format!("sh -c '[ -e {asked} ] && exit 1; echo >{asked}; echo s SATISFIABLE; echo v 1 2 3 -4 0'");
    let args = ["-", "--format=opb", "--strategy=solution-improving", "--engine", &fails];
    let text = b"min: +1 x1 +1 x2 +1 x3 +1 x4 ;\n+1 x1 +1 x2 +1 x3 +3 x4 >= 3 ;\n";
    let output = run("optimise", &args, text);
    let [text, message] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(text.contains("\no 3\n") && text.ends_with("s SATISFIABLE\nv x1 x2 x3 -x4\n"), "{text}{message}");
    assert!(message.contains("error: the solver failed") && output.status.code() == Some(10), "{message}");
}
