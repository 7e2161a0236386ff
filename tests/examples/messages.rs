//! Wrong input: where it is and what is allowed, on standard error, with exit code 2.

use cnfkit::CardEncoding;

use super::run;

/// Runs the example and compares all that it says.
fn refused(name: &str, args: &[&str], input: &[u8], expected: &str) {
    let Some(output) = run(name, args, input) else { return };
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(2), &b""[..]), "{message}");
    assert_eq!(message.trim_end(), format!("error: {expected}"), "{name} {args:?}");
}

#[test]
fn encodings_that_do_not_fit_are_told_from_those_that_are_none() {
    let any = CardEncoding::ALL.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let one = "pairwise, bitwise, ladder, nested, product, commander, bimander";
    for (args, message) in [
        (&["9", "2", "-e", "foo"][..], format!("--encoding: `foo` is no encoding; allowed here: {any}")),
        (&["9", "1", "-e", "foo"], format!("--encoding: `foo` is no encoding; allowed here: {any}, {one}")),
        (
            &["9", "2", "-e", "ladder"],
            format!("--encoding: `ladder` encodes nothing but at most one and exactly one; allowed here: {any}"),
        ),
        (
            &["9", "1", "-r", "at-least", "-e", "ladder"],
            format!("--encoding: `ladder` encodes nothing but at most one and exactly one; allowed here: {any}"),
        ),
    ] {
        refused("encode", args, b"", &message);
    }
    let Some(output) = run("encode", &["4", "1", "-e", "ladder", "--size"], b"") else { return };
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "4 inputs, 3 auxiliaries, 8 clauses, 16 literals\n");
}

#[cfg(feature = "batsat")]
#[test]
fn graphs() {
    for (input, message) in [
        ("1 2\n  2 x\n", "line 2, column 5: `x` is no vertex: allowed are 1 to 1000000"),
        ("0 1", "line 1, column 1: `0` is no vertex: allowed are 1 to 1000000"),
        ("1  ", "line 1, column 2: an edge needs a second vertex"),
        ("1 2 3", "line 1, column 5: `3` after an edge: two vertices a line"),
        ("\n7 7", "line 2, column 3: an edge from 7 to itself: allowed are two different vertices"),
        ("\n", "a graph without edges"),
    ] {
        refused("minimise", &["vertex-cover", "-"], input.as_bytes(), &format!("standard input: {message}"));
    }
    let message = "standard input: line 2, byte 3: not UTF-8 text";
    refused("minimise", &["vertex-cover", "-"], b"1 2\n2 \xff3\n", message);
}

#[cfg(all(feature = "batsat", feature = "gem-hunter"))]
#[test]
fn a_board_that_is_no_text() {
    refused("gem_hunter", &["-"], b"1, _\n_, \xff\n", "standard input: line 2, byte 4: not UTF-8 text");
    for (start, what) in [(&b"\x1f\x8b"[..], "data compressed by gzip"), (b"PK\x03\x04", "a zip archive")] {
        refused("gem_hunter", &["-"], start, &format!("standard input: {what}; UTF-8 text is needed"));
    }
}

#[cfg(feature = "batsat")]
#[test]
fn time_limits_that_are_none() {
    for (text, found) in [("nan", "NaN"), ("=-1", "-1")] {
        let arg = format!("--time-limit{}{text}", if text.starts_with('=') { "" } else { "=" });
        refused("minimise", &[&arg], b"", &format!("--time-limit: {found} seconds; allowed are 0 and more"));
    }
    let Some(output) = run("minimise", &["--time-limit", "1e300"], b"") else { return };
    assert_eq!(output.status.code(), Some(0));
}

#[cfg(all(feature = "batsat", feature = "sudoku"))]
#[test]
fn sudokus() {
    let allowed = "allowed are 1 to 4, and . 0 * or _ for an empty cell";
    for (args, input, message) in [
        (&["-"][..], &b"1 2\n\xc3\xa4 \xff"[..], "line 2, byte 4: not UTF-8 text"),
        (&["-"], b"1 . . .\n. x . .\n. . . .\n. . . .", &format!("line 2, column 3: `x` is no value: {allowed}")),
        (
            &["-", "--layout", "latin 4"],
            "\u{feff}1 . . .\n. x . .\n. . . .\n. . . .".as_bytes(),
            &format!("line 2, column 3: `x` is no value: {allowed}"),
        ),
        (&["-", "--layout", "latin 4"], b"", "line 1, column 1: the text ends without a single cell"),
    ] {
        refused("sudoku", args, input, &format!("standard input: {message}"));
    }
}

#[cfg(all(feature = "batsat", feature = "sudoku"))]
#[test]
fn many_bad_cells_are_a_line_each_and_not_too_many() {
    let input = "9 9 9 9\n".repeat(4);
    let line = |cell| {
        let (row, col) = (cell / 4 + 1, cell % 4 + 1);
        let column = 2 * col - 1;
        format!("  line {row}, column {column} (row {row}, column {col}): 9 is out of range; allowed are 1 to 4")
    };
    let lines: Vec<String> = (0..10).map(line).collect();
    let message = format!("standard input:\n{}\n  and 6 more", lines.join("\n"));
    refused("sudoku", &["-"], input.as_bytes(), &message);
}

/// A text without end is given up on.
#[cfg(all(feature = "batsat", feature = "sudoku", feature = "gem-hunter", unix))]
#[test]
fn what_is_too_large_for_a_puzzle() {
    for (name, args, noun) in [
        ("sudoku", &["/dev/zero"][..], "puzzle"),
        ("gem_hunter", &["/dev/zero"], "board"),
        ("minimise", &["vertex-cover", "/dev/zero"], "graph"),
    ] {
        refused(name, args, b"", &format!("/dev/zero: more than 64 MiB; no {noun} is that large"));
    }
}

/// Output that cannot be written is an error: exit code 2 and a message, as of all examples with exit codes of their
/// own. It once was a success, or a panic, or 1, which is a proven no.
#[cfg(all(feature = "batsat", target_os = "linux"))]
#[test]
fn a_full_disk_is_said() {
    for (name, args) in [
        ("quickstart", &[][..]),
        ("sizes", &["9", "3"]),
        ("sizes", &["--help"]),
        ("minimise", &[]),
        ("encode", &["9", "3"]),
        ("encode", &["9", "3", "--size"]),
        #[cfg(feature = "gem-hunter")]
        ("gem_totals", &["--plant", "3", "3", ".2", ".5", "1"]),
    ] {
        let Some(program) = super::program(name) else { return };
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = std::process::Command::new(program).args(args).stdout(full).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        if args != ["--help"] {
            // The ten lines of `quickstart` have no exit codes: they return the error.
            let expected = if name == "quickstart" { 1 } else { 2 };
            assert_eq!(output.status.code(), Some(expected), "{name} {args:?}: {message}");
            assert!(
                message.to_lowercase().starts_with("error: ") && !message.contains("panicked"),
                "{name}: {message}"
            );
        }
    }
}

/// A reader that has seen enough, such as `head`, is no error.
#[cfg(all(feature = "batsat", unix))]
#[test]
fn a_closed_pipe_is_no_error() {
    use std::process::{Command, Stdio};
    for (name, args) in [("sizes", &[][..]), ("minimise", &[]), ("encode", &["9999", "3"])] {
        let Some(program) = super::program(name) else { return };
        let mut command = Command::new(program);
        let mut child = command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), message.as_str()), (Some(0), ""), "{name}");
    }
}

/// A limit ends what would take long, with a message and exit code 2; `minimise` says what it has.
#[cfg(feature = "batsat")]
#[test]
fn a_time_limit_is_kept() {
    // A random graph of 250 vertices and 900 edges: a smallest cover takes far longer than a second.
    let mut state = 1_u64;
    let mut vertex = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % 250 + 1
    };
    let edges = (0..900).map(|_| (vertex(), vertex())).filter(|(a, b)| a != b);
    let graph = edges.map(|(a, b)| format!("{a} {b}")).collect::<Vec<_>>().join("\n");
    let start = std::time::Instant::now();
    let Some(output) = run("minimise", &["vertex-cover", "-", "--time-limit", "0.5"], graph.as_bytes()) else {
        return;
    };
    let (text, message) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(2), "{text}{message}");
    assert!(message.starts_with("error: the time limit of 500ms is over: there may be a smaller answer"), "{message}");
    assert!(text.contains("the best so far: "), "{text}");
    assert!(start.elapsed() < std::time::Duration::from_secs(5), "{:?}", start.elapsed());

    // Nobody reads what is written: that is waited for no longer than the limit either.
    for (name, args, why) in [
        ("encode", &["30000", "9000", "--time-limit=0.3"][..], "the time limit of 300ms is over"),
        ("sizes", &["9", "3", "--time-limit=-1"], "--time-limit: "),
        ("encode", &["9", "3", "--time-limit=NaN"], "--time-limit: "),
    ] {
        let Some(program) = super::program(name) else { return };
        let start = std::time::Instant::now();
        let mut command = std::process::Command::new(program);
        let command = command.args(args).stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        let mut child = command.spawn().unwrap();
        let unread = child.stdout.take();
        let output = child.wait_with_output().unwrap();
        drop(unread);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}: {message}");
        assert!(message.starts_with("error: ") && message.contains(why), "{name}: {message}");
        assert!(start.elapsed() < std::time::Duration::from_secs(5), "{name}: {:?}", start.elapsed());
    }
}

#[test]
fn help_lists_encodings_columns_and_exit_codes() {
    for (name, parts) in [
        ("encode", &["Encodings:", "generalized-product", "bimander", "Exit codes:\n  0  "][..]),
        ("sizes", &["Columns", "best library", "programme", "Exit codes:\n  0  "]),
        #[cfg(feature = "batsat")]
        ("minimise", &["incremental totalizer", "Exit codes:\n  0  "]),
        #[cfg(all(feature = "batsat", feature = "gem-hunter"))]
        ("gem_totals", &["--plant", "--time-limit", "Exit codes:\n  0  "]),
    ] {
        let Some(output) = run(name, &["--help"], b"") else { return };
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(parts.iter().all(|part| text.contains(part)), "{name}: {text}");
    }
}
