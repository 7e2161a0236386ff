//! Wrong input: where it is and what is allowed, on standard error, with exit code 2; help, and what stops a program.

use std::process::Stdio;
use std::time::{Duration, Instant};

use super::{cnfkit, outcome};

/// Runs a command and compares all that it says.
fn refused(command: &str, args: &[&str], input: &[u8], expected: &str) {
    let (text, message, code) = outcome(command, args, input);
    assert_eq!(
        (text.as_str(), message.trim_end(), code),
        ("", &*format!("error: {expected}"), Some(2)),
        "{command} {args:?}"
    );
}

#[test]
fn a_board_that_is_no_text() {
    refused("gems", &["-"], b"1, _\n_, \xff\n", "standard input: line 2, byte 4: not UTF-8 text");
    refused("gems", &["-"], b"PK\x03\x04", "standard input: a zip archive; UTF-8 text is needed");
}

#[test]
fn time_limits_that_are_none() {
    for command in ["solve", "encode", "detect", "optimise", "sudoku", "gems", "encodings"] {
        for (text, found) in [("nan", "NaN"), ("-1", "-1")] {
            let message = format!("--time-limit: {found} seconds; allowed are 0 and more");
            refused(command, &[&format!("--time-limit={text}")], b"", &message);
        }
    }
    assert_eq!(outcome("sudoku", &["--time-limit", "1e300"], b"").2, Some(0));
}

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
#[cfg(unix)]
#[test]
fn what_is_too_large_for_a_puzzle() {
    for (command, noun) in [("sudoku", "puzzle"), ("gems", "board")] {
        let message = format!("/dev/zero: more than 64 MiB; no {noun} is that large");
        refused(command, &["/dev/zero"], b"", &message);
    }
}

/// The line of the file stands below what is wrong in it, with a caret at the place; of a long line a part.
#[test]
fn the_place_is_shown() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("wrong lines");
    let name = file.to_str().unwrap();
    std::fs::write(&file, "a + b <= 1\na + + c <= 2\n").unwrap();
    let message = "line 2, column 5: `+` found; allowed: a literal, which is a name, or `~` and a name (read as rules; \
                   --format says otherwise)";
    refused("solve", &[name], b"", &format!("{name}: {message}\n  a + + c <= 2\n      ^"));
    let long = format!("p cnf 3 1\n{}\tx 0\n", "1 ".repeat(100));
    std::fs::write(&file, long).unwrap();
    let (_, message, _) = outcome("encode", &[name], b"");
    let shown: Vec<&str> = message.lines().skip(1).collect();
    assert!(shown[0].ends_with("1 1  x 0") && shown[0].len() < 80, "{message}");
    assert_eq!(shown[0].as_bytes()[shown[1].len() - 1], b'x', "{message}");
}

/// Hostile texts are errors with a place, and never an answer.
#[test]
fn what_is_no_formula_is_refused() {
    for (args, input, message) in [
        (&[][..], &b""[..], "line 1, column 1: the text ends without a header"),
        (&["--format=opb"], b"", "line 1, column 1: the text ends with"),
        (&["--format=wcnf"], b"", "line 1, column 1: the text ends with"),
        (&["--format=rules"], b"", "line 1, column 1: the text ends without a rule"),
        (&[], b"p cnf 3 2\n1 2 0\n", "line 3, column 1: "),
        (&[], b"p cnf 3 1\n1 2", "line 2, column "),
        (&[], b"p cnf 3 1\n1 \0 0\n", "line 2, column 3: "),
        (&[], b"\xff\xfep\0 \0", "line 1, column 1: text in UTF-16"),
        (&[], b"p cnf 2147483648 1\n1 0\n", "line 1, column 7: variable 2147483648; the limit is "),
        (&[], b"1 x1 >= 340282366920938463463374607431768211456 ;\n", "line 1, column 9: "),
    ] {
        let (text, error, code) = outcome("solve", args, input);
        assert!(text.is_empty() && code == Some(2), "{input:?}: {text}{error}");
        assert!(error.starts_with(&format!("error: standard input: {message}")), "{input:?}: {error}");
    }
    let (_, error, code) = outcome("solve", &[env!("CARGO_TARGET_TMPDIR")], b"");
    assert!(code == Some(2) && error.contains("directory"), "{error}");
}

/// Output that cannot be written is an error: exit code 2 and a message. It once was a success, or a panic, or 1, which
/// is a proven no.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("full.rules");
    std::fs::write(&file, "a + b + c <= 1\na | b\n").unwrap();
    let file = file.to_str().unwrap();
    for (command, args) in [
        ("encodings", &["9", "3"][..]),
        ("encode", &[file]),
        ("encode", &["--size", file]),
        ("detect", &[file]),
        ("solve", &[file]),
        ("solve", &["--all", file]),
        ("optimise", &[file]),
        ("optimise", &["--json", file]),
        ("solve", &["--json", file]),
        ("encode", &["--size", "--json", file]),
        ("sudoku", &["--json"]),
        ("sudoku", &["-q"]),
        ("gems", &["--json"]),
        ("gems", &["-q"]),
        ("completions", &["bash"]),
        ("man", &[]),
        ("encode", &["-o", "/dev/full", file]),
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = cnfkit(command, args).stdout(full).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{command} {args:?}: {message}");
        assert!(message.starts_with("error: ") && !message.contains("panicked"), "{command}: {message}");
    }
}

/// A file has its name once it is whole.
#[cfg(target_os = "linux")]
#[test]
fn no_half_written_file_has_the_name() {
    let place = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("half written");
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).unwrap();
    let [out, part] = ["out.cnf", "out.cnf.part"].map(|name| place.join(name));
    std::fs::write(&out, "before").unwrap();
    std::os::unix::fs::symlink("/dev/full", &part).unwrap();
    let (_, message, code) = outcome("encode", &["-o", out.to_str().unwrap()], b"a + b <= 1\n");
    assert!(code == Some(2) && message.contains("out.cnf: No space left"), "{message}");
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "before");
    let (_, message, code) = outcome("encode", &["-o", out.to_str().unwrap()], b"a + b <= 1\n");
    assert_eq!((message.as_str(), code, part.exists()), ("", Some(0), false));
    assert!(std::fs::read_to_string(&out).unwrap().ends_with("-1 -2 0\n"));
}

/// A file behind a link is written, and the link stays, as do permissions.
#[cfg(unix)]
#[test]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let place = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("links");
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).unwrap();
    let [file, link, private] = ["file", "link", "private"].map(|name| place.join(name));
    let encode = |to: &std::path::Path| outcome("encode", &["-o", to.to_str().unwrap()], b"a + b <= 1\n");
    std::fs::write(&file, "before").unwrap();
    symlink(&file, &link).unwrap();
    assert_eq!(encode(&link).2, Some(0));
    assert!(link.is_symlink() && std::fs::read_to_string(&file).unwrap().ends_with("-1 -2 0\n"));
    std::fs::write(&private, "before").unwrap();
    std::fs::set_permissions(&private, std::fs::Permissions::from_mode(0o600)).unwrap();
    assert_eq!(encode(&private).2, Some(0));
    let mode = std::fs::metadata(&private).unwrap().permissions().mode();
    assert!(mode & 0o777 == 0o600 && std::fs::read_to_string(&private).unwrap().contains("-1 -2 0"), "{mode:o}");
    assert!(outcome("encode", &["-o", "-"], b"a + b <= 1\n").0.ends_with("-1 -2 0\n"));
}

/// A puzzle that is piped in is solved; where nothing is, the built-in one.
#[test]
fn what_is_piped_in_is_read() {
    assert!(outcome("sudoku", &[], b"1.....3..4.....2").0.contains("Puzzle, boxes 2x2, 4 givens"));
    assert!(outcome("sudoku", &[], b"").0.contains("36 givens"));
    assert!(outcome("gems", &[], b"1, _\n").0.contains("Size: 1 x 2"));
    assert!(outcome("gems", &[], b"").0.contains("Size: 3 x 4"));
}

/// A reader that has seen enough, such as `head`, is no error.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    for (command, args) in [("encodings", &["9999", "3"][..]), ("sudoku", &[]), ("gems", &[]), ("man", &[])] {
        let mut command = cnfkit(command, args);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), message.as_str()), (Some(0), ""), "{args:?}");
    }
}

/// Nobody reads what is written: that is waited for no longer than the limit either.
#[test]
fn a_time_limit_is_kept_while_writing() {
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("long.knf");
    let lits: Vec<String> = (1..=30_000).map(|lit| lit.to_string()).collect();
    std::fs::write(&file, format!("p knf 30000 1\nk 21000 {} 0\n", lits.join(" "))).unwrap();
    let start = Instant::now();
    let mut command = cnfkit("encode", &[file.to_str().unwrap(), "--time-limit=0.3"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let unread = child.stdout.take();
    let output = child.wait_with_output().unwrap();
    drop(unread);
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("the time limit of 300ms is over") && output.status.code() == Some(2), "{message}");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn every_command_has_help_and_a_page_of_the_manual() {
    let (all, _, code) = outcome("--help", &[], b"");
    assert_eq!(code, Some(0));
    let commands =
        all.lines().skip_while(|line| *line != "Commands:").skip(1).map_while(|line| line.split_whitespace().next());
    let commands: Vec<&str> = commands.filter(|&command| command != "help").collect();
    assert!(commands.len() > 9, "{all}");
    for command in commands {
        let (help, _, code) = outcome(command, &["--help"], b"");
        let codes =
            ["completions", "man", "encodings", "minizinc-install"].contains(&command) || help.contains("Exit codes");
        assert!(code == Some(0) && codes, "{command}: {help}");
        let (page, _, code) = outcome("man", &[command], b"");
        assert!(code == Some(0) && page.contains(&format!("cnfkit-{command}")), "{command}: {page}");
    }
    for shell in ["bash", "zsh", "fish"] {
        assert!(outcome("completions", &[shell], b"").0.contains("optimise"), "{shell}");
    }
}
