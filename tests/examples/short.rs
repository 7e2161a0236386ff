//! The examples that show one thing each, in fewer than 120 lines.

use super::outcome;

/// The sources that are to be short.
const SHORT: [(&str, &str); 6] = [
    ("coloring", include_str!("../../examples/coloring.rs")),
    ("own_encoding", include_str!("../../examples/own_encoding.rs")),
    ("port_from_rustsat", include_str!("../../examples/port_from_rustsat.rs")),
    ("resolver", include_str!("../../examples/resolver.rs")),
    ("roster", include_str!("../../examples/roster.rs")),
    ("scheduling", include_str!("../../examples/scheduling.rs")),
];

#[test]
fn each_is_short() {
    for (name, source) in SHORT {
        let lines = source.lines().count();
        assert!(lines < 120, "{name}: {lines} lines");
    }
}

/// Every rule of the built-in roster holds in what is printed.
#[test]
fn a_roster() {
    let Some((text, message, code)) = outcome("roster", &[], b"") else { return };
    assert_eq!((message.as_str(), code), ("", Some(0)));
    let days: Vec<Vec<Vec<&str>>> = text
        .lines()
        .map(|line| line.split_once(": ").unwrap().1.split(", ").map(|shift| shift.split(' ').collect()).collect())
        .collect();
    assert_eq!(days.len(), 5, "{text}");
    for day in &days {
        let shifts: Vec<&str> = day.iter().map(|shift| shift[0]).collect();
        let mut nurses: Vec<&str> = day.iter().flat_map(|shift| &shift[1..]).copied().collect();
        assert_eq!((shifts, nurses.len()), (vec!["early", "late", "night"], 3), "{text}");
        nurses.sort_unstable();
        nurses.dedup();
        assert_eq!(nurses.len(), 3, "one shift a day: {text}");
    }
    for nurse in ["anna", "ben", "cleo", "dora"] {
        let shifts = days.iter().flatten().filter(|shift| shift.contains(&nurse)).count();
        assert!(shifts <= 4, "{nurse}: {text}");
    }
    for (nurse, day) in [("anna", 0), ("ben", 4), ("cleo", 1), ("cleo", 2)] {
        assert!(!days[day].iter().any(|shift| shift.contains(&nurse)), "{nurse} is off: {text}");
    }
}

#[test]
fn rules_that_contradict_each_other() {
    let rules = b"nurses a b c\ndays mon tue\nshift early 1\nshift late 1\nmost 5\noff a mon\noff b mon\noff c tue\n";
    let Some((text, message, code)) = outcome("roster", &["-"], rules) else { return };
    let expected = "no roster: 5 rules contradict each other\n  1 for early on mon\n  1 for late on mon\n  a is off on \
                    mon\n  b is off on mon\n  one shift a day for c\n";
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    assert_eq!((sorted(&text), message.as_str(), code), (sorted(expected), "", Some(1)));
}

/// rustsat checks the model itself, so an answer is a right one; nothing is lost on the way.
#[test]
fn a_port_from_rustsat() {
    let Some((text, message, code)) = outcome("port_from_rustsat", &[], b"") else { return };
    assert_eq!((message.as_str(), code), ("", Some(0)));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "36 variables, 9 clauses, 15 counts, 1 sums of weights");
    assert_eq!(lines[3], "and back: 9 clauses, 15 counts, 1 sums of weights");
    assert_eq!(lines[4], "satisfiable: 12 variables are true");
}

/// Text that says no roster and no instance has no answer.
#[test]
fn text_that_says_nothing() {
    for (name, input, message) in [
        ("roster", &b""[..], "the text ends without nurses, days or shifts"),
        ("roster", b"nurses a\rdays mon\r", "the text ends without nurses, days or shifts"),
        ("port_from_rustsat", b"foo bar\n", "line 1, column 1: `foo` found; allowed: a weight"),
        ("port_from_rustsat", b"", "line 1, column 1: the text ends without a constraint"),
    ] {
        let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("text that says nothing");
        std::fs::write(&file, input).unwrap();
        let Some((text, found, code)) = outcome(name, &[file.to_str().unwrap()], b"") else { return };
        assert!(code == Some(2) && text.is_empty() && found.contains(message), "{name}: {text}{found}");
    }
}

/// The program is asked, and nobody else when it fails; its time is over when that of the example is.
#[test]
#[cfg(unix)]
fn a_program_in_place_of_the_solver() {
    for name in ["coloring", "port_from_rustsat", "roster", "scheduling"] {
        let over = "the time limit of 500ms is over";
        for (script, limit, expected) in [("exit 3", "60", "died (exit status: 3)"), ("sleep 30", "0.5", over)] {
            let engine = format!("sh -c '{script}' sh {{file}}");
            let args = ["--engine", &engine, "--time-limit", limit];
            let Some((_, message, code)) = outcome(name, &args, b"") else { return };
            assert!(code == Some(2) && message.contains(expected), "{name}: {message}");
        }
    }
}

const PACKAGES: &str = "package web 1 needs http 1\npackage web 2 needs http 2-3 log\npackage http 1\n\
                        package http 2\npackage http 3 needs log 2\npackage log 1\npackage log 2\n\n";

#[test]
fn packages_that_fit_each_other() {
    for (wishes, expected, code) in [
        ("want web", "log 2\nweb 2\nhttp 3\n", 0),
        ("want web\nwant log 1", "log 1\nhttp 2\nweb 2\n", 0),
        ("want web 1", "http 1\nweb 1\n", 0),
        (
            "want log\nwant web 2 # new\nwant http 3\nwant log 1",
            "2 wishes contradict each other\n  want http 3\n  want log 1\n",
            1,
        ),
        ("want cache", "1 wishes contradict each other\n  want cache\n", 1),
    ] {
        let Some((text, message, found)) = outcome("resolver", &["-"], (PACKAGES.to_owned() + wishes).as_bytes())
        else {
            return;
        };
        assert_eq!((text.as_str(), message.as_str(), found), (expected, "", Some(code)), "{wishes}");
    }
}

/// The schedule that is printed is one, and costs as much as is said.
#[test]
fn jobs_on_machines() {
    let jobs = "a 2 2 3\nb 2 2 5\nc 2 4 1\nd 1 1 4\n";
    let run = |args: &[&str]| outcome("scheduling", args, jobs.as_bytes());
    let Some((text, message, code)) = run(&["--machines", "1", "-"]) else { return };
    // The best order by hand: d, b, a, c. They are late by 0, 1, 3 and 3.
    assert_eq!((message.as_str(), code), ("", Some(0)));
    let (expected, last) = ("a from 3 to 5, due at 2\nb from 1 to 3, due at 2\n", "delay: 17, at least 17");
    assert!(text.starts_with(expected) && text.ends_with(&format!("{last}\n")), "{text}");
    let (text, message, code) = run(&["--conflicts", "0", "-"]).unwrap();
    assert_eq!((text.as_str(), code), ("", Some(2)));
    assert!(message.starts_with("error: interrupted"), "{message}");
    let (text, _, code) = outcome("scheduling", &[], b"").unwrap();
    assert_eq!((text.lines().count(), code), (9, Some(0)), "{text}");
}

#[test]
fn an_own_encoding_beside_those_of_the_library() {
    for (n, k) in [(20_u64, 4_u64), (9, 1), (3, 0)] {
        let Some((text, message, code)) = outcome("own_encoding", &[&n.to_string(), &k.to_string()], b"") else {
            return;
        };
        assert_eq!((message.as_str(), code), ("", Some(0)));
        let row: Vec<&str> = text.lines().nth(1).unwrap().split_whitespace().collect();
        let clauses = match k {
            0 => n,
            1 => n * (n - 1) / 2,
            _ => 2 * (n - 1) + (n - 2) * (2 * k - 1),
        };
        assert_eq!((row[0], row[2]), ("row", &*clauses.to_string()), "{text}");
        assert_eq!(text.lines().count(), 2 + cnfkit::CardEncoding::ALL.len());
    }
}

/// Every edge has two colours, and there are as few as a graph needs: odd cycles three, Grötzsch's graph four.
#[test]
fn pictures_of_colours() {
    let cycle = "c five in a ring\np edge 5 5\ne 1 2\ne 2 3\ne 3 4\ne 4 5\ne 5 1\n";
    for (args, input, vertices, colors) in [(&[][..], "", 11, 4), (&["-"], cycle, 5, 3), (&["-"], "p col 2 0", 2, 1)] {
        let Some((text, message, code)) = outcome("coloring", args, input.as_bytes()) else { return };
        assert_eq!((message.as_str(), code), ("", Some(0)));
        assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"), "{text}");
        assert!(text.contains(&format!("<title>{colors} colours, and no fewer</title>")), "{text}");
        let of_circle = |line: &str| {
            let attribute = |name: &str| line.split_once(name).unwrap().1.split('"').next().unwrap().to_owned();
            (attribute("cx=\"") + " " + &attribute("cy=\""), attribute("fill=\""))
        };
        let fills: std::collections::HashMap<String, String> =
            text.lines().filter(|line| line.starts_with("<circle")).map(of_circle).collect();
        let mut used: Vec<&String> = fills.values().collect();
        used.sort_unstable();
        used.dedup();
        assert_eq!((fills.len(), used.len()), (vertices, colors), "{text}");
        for line in text.lines().filter(|line| line.starts_with("<path")) {
            let (from, to) = line["<path d=\"M".len()..].split('"').next().unwrap().split_once('L').unwrap();
            assert_ne!(fills[from], fills[to], "{line}");
        }
    }
}

#[test]
fn what_is_wrong_is_said() {
    for (name, args, input, why) in [
        ("roster", &["-"][..], "nurses a\nfoo\n", "standard input: line 2: `foo`; allowed: `nurses NAMES`"),
        ("roster", &["-"], "nurses a\ndays mon\noff b mon", "standard input: line 3: `b` is none of [\"a\"]"),
        ("roster", &["-"], "most many", "standard input: line 1: `many` is no number"),
        ("roster", &["no such file"], "", "no such file: "),
        ("port_from_rustsat", &["no such file"], "", "no such file: "),
        ("coloring", &["-"], "p edge 3 1\ne 1 4", "standard input: line 2: `4` is no vertex: allowed are 1 to 3"),
        ("coloring", &["-"], "p edge 3 1\ne 1 1", "standard input: line 2: allowed are `p edge VERTICES EDGES`"),
        ("coloring", &["-"], "p edge 99999 1", "standard input: line 1: `99999` vertices: allowed are 0 to 10000"),
        ("own_encoding", &["4", "x"], "", "invalid value"),
        ("resolver", &["-"], "package web two", "standard input: line 1: `package NAME VERSION [needs"),
        ("scheduling", &["-"], "a 1 1 1\nb 0 1 1", "standard input: line 2: allowed are `NAME LENGTH DUE WEIGHT`"),
    ] {
        let Some((text, message, code)) = outcome(name, args, input.as_bytes()) else { continue };
        assert_eq!((text.as_str(), code), ("", Some(2)), "{name} {args:?}");
        assert!(message.starts_with(&format!("error: {why}")), "{name}: {message}");
    }
}
