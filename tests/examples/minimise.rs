//! The example `minimise` on files: the lines and exit codes of competitions.

use super::run;

/// Standard output without comments, and the exit code; none where the example is not built.
fn answer(args: &[&str], input: &str) -> Option<(String, Option<i32>)> {
    let output = run("minimise", args, input.as_bytes())?;
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    Some((text.lines().filter(|line| !line.starts_with('c')).collect::<Vec<_>>().join("\n"), output.status.code()))
}

const STRATEGIES: [&str; 3] = ["auto", "solution-improving", "core-guided"];

#[test]
fn wcnf() {
    for strategy in STRATEGIES {
        // 1 and 2 exclude each other, the third needs one of them; a soft clause of two literals.
        let new = "h -1 -2 0\nh 1 2 -3 0\n4 1 0\n6 2 0\n5 3 0\n3 1 -3 0\n";
        let old = "p wcnf 3 6 19\n19 -1 -2 0\n19 1 2 -3 0\n4 1 0\n6 2 0\n5 3 0\n3 1 -3 0\n";
        for text in [new, old] {
            let Some((text, code)) = answer(&["wcnf", "-", "--strategy", strategy], text) else { return };
            let lines: Vec<&str> = text.lines().collect();
            assert_eq!(lines[lines.len() - 3..lines.len() - 1], ["o 6", "s OPTIMUM FOUND"], "{strategy}");
            assert!(lines[lines.len() - 1] == "v 101", "{text}");
            assert_eq!(code, Some(30));
        }
        assert_eq!(answer(&["wcnf", "-"], "h 1 0\nh -1 0\n").unwrap(), ("s UNSATISFIABLE".into(), Some(20)));
    }
}

#[test]
fn opb() {
    let text = "* #variable= 3 #constraint= 1\nmin: 2 x1 +3 ~x2 -4 x3 ;\n1 x1 1 ~x2 1 ~x3 >= 2 ;\n";
    for strategy in STRATEGIES {
        let Some((text, code)) = answer(&["opb", "-", "--strategy", strategy], text) else { return };
        assert!(text.ends_with("o 1\ns OPTIMUM FOUND\nv x1 -x2 x3"), "{strategy}: {text}");
        assert_eq!(code, Some(30));
    }
}

/// A limit ends the search with the best solution so far, or with none.
#[test]
fn limits() {
    let mut state = 1_u64;
    let mut vertex = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % 400 + 1
    };
    let edges = (0..1500).map(|_| (vertex(), vertex())).filter(|(a, b)| a != b);
    let hard = edges.map(|(a, b)| format!("h {a} {b} 0"));
    let soft = (1..=400).map(|vertex| format!("{} -{vertex} 0", vertex * 7 % 31 + 1));
    let text = hard.chain(soft).collect::<Vec<_>>().join("\n") + "\n";
    let start = std::time::Instant::now();
    let Some((text, code)) = answer(&["wcnf", "-", "--time-limit", "0.5"], &text) else { return };
    assert!(start.elapsed() < std::time::Duration::from_secs(5), "{:?}", start.elapsed());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines[lines.len() - 2], code), ("s SATISFIABLE", Some(10)));
    assert!(lines[lines.len() - 1].len() == 402 && lines.iter().any(|line| line.starts_with("o ")));
}

#[test]
fn wrong_files() {
    for (args, input, message) in [
        (&["wcnf", "-"][..], "h 1 x 0\n", "error: standard input: line 1, column 5: `x` found; allowed: -2147483647"),
        (&["opb", "-"], "min: 1 x1", "error: standard input: line 1, column 10: the text ends within a constraint"),
        (&["wcnf", "/nowhere/at all"], "", "error: /nowhere/at all: No such file"),
        (&["opb"], "", "error: no file with a formula"),
    ] {
        let Some(output) = run("minimise", args, input.as_bytes()) else { return };
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.starts_with(message), "{error}");
        assert_eq!(output.status.code(), Some(2));
    }
}
