//! The examples that show one thing each, in at most 80 lines, on the library alone.

use std::fs;
use std::path::{Path, PathBuf};

use super::{file, outcome};

#[test]
fn each_is_short_and_on_the_library_alone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let files = |dir: &Path| fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<PathBuf>>();
    let all = files(&root).into_iter().chain(files(&root.join("model")));
    let short: Vec<(PathBuf, String)> =
        all.filter(|path| path.is_file()).map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect();
    let lines: Vec<usize> = short.iter().map(|(_, text)| text.lines().count()).collect();
    assert!(lines.len() > 20 && lines.iter().sum::<usize>() <= 1_500, "{lines:?}");
    for ((path, text), lines) in short.iter().zip(lines) {
        assert!(lines <= 80, "{}: {lines} lines", path.display());
        let mut others = text.lines().filter(|line| line.starts_with("use ") || line.starts_with("#[path"));
        let is_ported = path.ends_with("port_from_rustsat.rs");
        let known = |line: &str| {
            ["use std::", "use cnfkit::"].iter().any(|start| line.starts_with(start))
                || is_ported && line.starts_with("use rustsat::")
        };
        assert!(others.all(known), "{}", path.display());
    }
}

/// The output of an example that succeeds on a file with this text.
fn of_file(name: &str, text: &str) -> Option<String> {
    let file = file(&format!("{name} {:?}", std::thread::current().id()), text);
    let (text, message, code) = outcome(name, &[&file], b"")?;
    assert_eq!((message.as_str(), code), ("", Some(0)), "{name}");
    Some(text)
}

/// Steane's code, the code of four qubits, one without an encoded qubit, the surface code of five by five fields, and
/// what is no code.
#[test]
fn distances_of_codes() {
    let Some((text, ..)) = outcome("code_distance", &[], b"") else { return };
    assert_eq!(text, "[[7, 1, 3]]\n");
    let side = 5;
    let at = |row: usize, column: usize| row * side + column;
    let row = |ones: &[usize]| (0..side * side).map(|bit| if ones.contains(&bit) { '1' } else { '0' }).collect();
    // Faces in two colours, and half faces on two sides each.
    let (mut x, mut z): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for (r, c) in (0..side - 1).flat_map(|r| (0..side - 1).map(move |c| (r, c))) {
        let face = row(&[at(r, c), at(r, c + 1), at(r + 1, c), at(r + 1, c + 1)]);
        if (r + c) % 2 == 0 { x.push(face) } else { z.push(face) }
    }
    for even in (0..side - 1).step_by(2) {
        z.push(row(&[at(0, even), at(0, even + 1)]));
        z.push(row(&[at(side - 1, even + 1), at(side - 1, even + 2)]));
        x.push(row(&[at(even + 1, 0), at(even + 2, 0)]));
        x.push(row(&[at(even, side - 1), at(even + 1, side - 1)]));
    }
    let surface = [x.join("\n"), z.join("\n")];
    let codes = [["1111", "1111"], ["11", "11"], [&surface[0], &surface[1]]];
    for (number, (checks, expected)) in codes.iter().zip(["[[4, 2, 2]]", "[[2, 0]]", "[[25, 1, 5]]"]).enumerate() {
        let files = [0, 1].map(|kind| file(&format!("code {number} {kind}"), checks[kind]));
        let (text, message, code) = outcome("code_distance", &[&files[0], &files[1]], b"").unwrap();
        assert_eq!((text.trim_end(), message.as_str(), code), (expected, "", Some(0)));
    }
    let files = ["10", "10", "1x"].map(|text| file(&format!("no code {text}"), text));
    for (other, part) in [(&files[1], "an even number in common"), (&files[2], "`x` is not a bit")] {
        let (_, message, code) = outcome("code_distance", &[&files[0], other], b"").unwrap();
        assert!(message.contains(part) && code == Some(1), "{message}");
    }
}

/// Every rule of the built-in roster holds in what is printed.
#[test]
fn a_roster() {
    let Some((text, ..)) = outcome("roster", &[], b"") else { return };
    let shifts: Vec<(&str, &str)> = text.lines().map(|line| line.split_once(": ").unwrap()).collect();
    let days = ["mon", "tue", "wed", "thu", "fri"];
    let expected = days.iter().flat_map(|day| ["early", "late", "night"].map(|shift| format!("{day} {shift}")));
    assert!(expected.eq(shifts.iter().map(|(shift, _)| (*shift).to_owned())), "{text}");
    let all: Vec<&str> = shifts.iter().map(|&(_, nurse)| nurse).collect();
    for day in all.chunks(3) {
        assert!(day[0] != day[1] && day[0] != day[2] && day[1] != day[2], "one shift a day: {text}");
    }
    let of = |name: &str| all.iter().filter(|&&nurse| nurse == name).count();
    let each = ["anna", "ben", "cleo", "dora"].map(of);
    assert!(each.iter().sum::<usize>() == 15 && each.iter().all(|&shifts| shifts <= 4), "{text}");
    for (nurse, day) in [("anna", 0), ("ben", 4), ("cleo", 1), ("cleo", 2)] {
        assert!(!all[3 * day..3 * day + 3].contains(&nurse), "{nurse} is off: {text}");
    }
}

#[test]
fn rules_that_contradict_each_other() {
    let rules = "nurses a b c\ndays mon tue\nshift early 1\nshift late 1\nmost 5\noff a mon\noff b mon\noff c tue\n";
    let Some(text) = of_file("roster", rules) else { return };
    let (start, core) = text.trim_end().split_once(": ").unwrap();
    let mut core: Vec<&str> = core.split(", ").collect();
    core.sort_unstable();
    assert_eq!(start, "no roster; these rules contradict each other");
    let expected = ["1 for early on mon", "1 for late on mon", "a is off on mon", "b is off on mon"];
    let expected = expected.into_iter().chain(["one shift a day for c"]).map(|rule| format!("{rule:?}"));
    assert!(expected.eq(core), "{text}");
}

/// rustsat checks the model itself, so an answer is a right one; nothing is lost on the way.
#[test]
fn a_port_from_rustsat() {
    let Some((text, message, code)) = outcome("port_from_rustsat", &[], b"") else { return };
    assert_eq!((message.as_str(), code), ("", Some(0)));
    let end = "and back: 9 clauses, 15 counts, 1 sums of weights\nsatisfiable: 12 variables are true\n";
    assert!(text.ends_with(end), "{text}");
}

#[test]
fn packages_that_fit_each_other() {
    let packages = "web@1 http@1\nweb@2 http@2-3 log\nhttp@1\nhttp@2\nhttp@3 log@2\nlog@1\nlog@2\n\n";
    for (wishes, expected) in [
        ("want web", "log 2\nweb 2\nhttp 3\n"),
        ("want web\nwant log@1", "log 1\nhttp 2\nweb 2\n"),
        ("want web@1", "http 1\nweb 1\n"),
        ("want log\nwant web@2\nwant http@3\nwant log@1", "wishes contradict each other: want http@3, want log@1\n"),
        ("want cache log", "wishes contradict each other: want cache log\n"),
    ] {
        let Some(text) = of_file("resolver", &(packages.to_owned() + wishes)) else { return };
        assert_eq!(text, expected, "{wishes}");
    }
}

/// The schedule that is printed is one, and costs as much as is said.
#[test]
fn jobs_on_machines() {
    let Some(text) = of_file("scheduling", "a 2 2 3\nb 2 2 5\nmachines 1\nc 2 4 1\nd 1 1 4\n") else { return };
    // The best order by hand: d, b, a, c. They are late by 0, 1, 3 and 3.
    let expected = "a from 3 to 5, due at 2\nb from 1 to 3, due at 2\nc from 5 to 7, due at 4\n\
                    d from 0 to 1, due at 1\ndelay: 17, at least 17\n";
    assert_eq!(text, expected);
    let (text, _, code) = outcome("scheduling", &[], b"").unwrap();
    assert!(code == Some(0) && text.lines().count() == 9 && text.ends_with("delay: 5, at least 5\n"), "{text}");
}

#[test]
fn an_own_encoding_beside_those_of_the_library() {
    let Some((text, message, code)) = outcome("own_encoding", &[], b"") else { return };
    let (n, k) = (20, 4);
    let clauses = 2 * (n - 1) + (n - 2) * (2 * k - 1);
    let own = format!("row: {} auxiliaries, {clauses} clauses\n", (n - 1) * k);
    assert!(text.starts_with(&own) && text.lines().count() == 3, "{text}");
    assert_eq!((message.as_str(), code), ("", Some(0)));
}

/// Every edge has two colours, and there are as few as a graph needs: odd cycles three, Grötzsch's graph four.
#[test]
fn colours_of_graphs() {
    let cycle = "c five in a ring\np edge 5 5\ne 1 2\ne 2 3\ne 3 4\ne 4 5\ne 5 1\n";
    for (graph, vertices, most) in [(cycle, 5, 3), ("p col 2 0", 2, 1)] {
        let Some(text) = of_file("coloring", graph) else { return };
        let (start, colors) = text.trim_end().split_once(": ").unwrap();
        let colors: Vec<usize> =
            colors.trim_matches(['[', ']']).split(", ").map(|color| color.parse().unwrap()).collect();
        assert_eq!((start, colors.len()), (&*format!("{most} colours, and no fewer"), vertices));
        assert!(colors.iter().all(|&color| color < most), "{text}");
        assert!((0..vertices).all(|at| vertices == 2 || colors[at] != colors[(at + 1) % vertices]), "{text}");
    }
    let (text, ..) = outcome("coloring", &[], b"").unwrap();
    assert!(text.starts_with("4 colours, and no fewer: "), "{text}");
}

/// The answers of the pages are tested in `tests/model`.
#[test]
fn pages_of_models() {
    for (args, expected) in [
        (&["send-more"][..], "9567 + 1085 = 10652\n"),
        (&["queens", "3"], "no solution\n"),
        (&["knapsack"], "stove, water, camera, rope, map (worth 188)\n"),
    ] {
        let Some((text, message, code)) = outcome("model", args, b"") else { return };
        assert_eq!((text.as_str(), message.as_str(), code), (expected, "", Some(0)), "{args:?}");
    }
    for (args, why) in [
        (&[][..], "`` is no page; allowed: colouring, "),
        (&["chess"], "`chess` is no page; allowed: colouring, "),
        (&["queens", "eight"], "`eight` is no size; allowed: 1 to 100"),
        (&["queens", "0"], "`0` is no size; allowed: 1 to 100"),
    ] {
        let (text, message, code) = outcome("model", args, b"").unwrap();
        assert_eq!((text.as_str(), code), ("", Some(1)), "{args:?}");
        assert!(message.starts_with(&format!("Error: \"{why}")), "{message}");
    }
}

#[test]
fn what_is_wrong_is_said() {
    for (name, input, why) in [
        ("roster", "nurses a\nfoo\n", "line 2: allowed: `nurses NAMES`"),
        ("roster", "nurses a\ndays mon\noff b mon", "line 3: allowed: "),
        ("roster", "most many", "line 1: allowed: "),
        ("roster", "", "the text ends without days or shifts: "),
        ("coloring", "p edge 3 1\ne 1 4", "line 2: allowed: `p edge VERTICES EDGES`"),
        ("coloring", "p edge 3 1\ne 1 01", "line 2: allowed: "),
        ("coloring", "p edge 99999 1", "line 1: allowed: "),
        ("coloring", "p edge 3 1\ne 1 3\np edge 2 0", "line 3: allowed: "),
        ("resolver", "web@two", "line 1: allowed: `NAME@VERSION NEEDS`"),
        ("resolver", "web 2", "line 1: allowed: "),
        ("scheduling", "a 1 1 1\nb 0 1 1", "line 2: allowed: `machines NUMBER`"),
        ("scheduling", "machines 0", "line 1: allowed: "),
        ("scheduling", "a 10000 1 1\nb 1 1 1", "20001 hours; at most 10000 are allowed"),
    ] {
        let file = file("wrong input", input);
        let Some((text, message, code)) = outcome(name, &[&file], b"") else { continue };
        assert_eq!((text.as_str(), code), ("", Some(1)), "{name}: {input}");
        assert!(message.starts_with(&format!("Error: \"{why}")), "{name}: {message}");
    }
    let Some((_, message, code)) = outcome("coloring", &["no such file"], b"") else { return };
    assert!(code == Some(1) && message.starts_with("Error: Os {"), "{message}");
}

/// A solution is printed, wherever the puzzle is from; what is no puzzle is an error.
#[cfg(feature = "sudoku")]
#[test]
fn a_sudoku() {
    let Some((text, message, code)) = outcome("sudoku", &[], b"") else { return };
    assert!(text.contains("Puzzle, boxes 3x3, 36 givens:\n. . . | 2 6 . | 7 . 1\n") && code == Some(0), "{message}");
    assert!(text.contains("Solution:\n4 3 5 | 2 6 9 | 7 8 1\n"), "{text}");
    let four = "1.....3..4.....2";
    let solution: cnfkit::Grid = "1324423124133142".parse().unwrap();
    let expected = format!("Solution:\n{solution:#}\n");
    for text in [of_file("sudoku", four).unwrap(), outcome("sudoku", &["-"], four.as_bytes()).unwrap().0] {
        assert!(text.contains(&expected), "{text}");
    }
    assert!(of_file("sudoku", "1..............1").is_some_and(|text| text.contains("Solution")));
    assert!(of_file("sudoku", "12.............2").is_some());
    let (text, message, code) = outcome("sudoku", &["-"], b"1....").unwrap();
    assert!(text.is_empty() && message.starts_with("Error: ") && code == Some(1), "{message}");
}

/// Output that cannot be written is an error, and no panic.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said() {
    for name in ["quickstart", "sizes", "sudoku"] {
        let Some(program) = super::program(name) else { continue };
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = std::process::Command::new(program).stdout(full).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.starts_with("Error: ") && output.status.code() == Some(1), "{name}: {message}");
    }
}
