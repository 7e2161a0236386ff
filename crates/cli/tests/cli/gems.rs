//! `cnfkit gems`: output, errors and exit codes.

use std::process::Output;

fn run(args: &[&str], input: &[u8]) -> Output {
    super::run("gems", args, input)
}

#[test]
fn a_board_is_solved() {
    for (args, input) in [(&[][..], &b""[..]), (&["-"], b"3 4\r\n3 . 2 .\r\n. . 2 .\r\n. 3 1 .\r\n")] {
        let output = run(args, input);
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]));
        for part in [
            "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _\n",
            "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G\n",
            "Filled: 7\nGems: 3\nTraps: 4\n",
            "Encoding: combinatorial\nVariables: 7\nClauses: 27\n",
        ] {
            assert!(text.contains(part), "{text}");
        }
    }
}

#[test]
fn a_contradiction_is_named() {
    let output = run(&["-"], b"3,_\n_,1");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = "the 3 in row 1, column 1 asks for more traps than its neighbours can be: 2";
    assert!(text.contains(message), "{text}");
    for (args, input, message) in [
        (&["-"][..], "1, T\n_, T", "the 1 in row 1, column 1 asks for fewer traps than its neighbours are already: 2"),
        (
            &["-", "--traps", "1"],
            "_, 2, _",
            "no answer has a total of 1 trap; all have 2; the total contradicts the 2 in row 1, column 2",
        ),
        (&["-", "--traps", "4"], "_, 2, _", "no answer has a total of 4 traps; all have 2\n"),
        (
            &["-", "--traps", "1"],
            "1, _, 2, T",
            "no answer has a total of 1 trap; all have 2; the total contradicts the 1 in row 1, column 1",
        ),
    ] {
        let output = run(args, input.as_bytes());
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(text.contains(message), "{text}");
    }
    let output = run(&["-"], b"1 _ 0");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("the 1 in row 1, column 1; the 0 in row 1, column 3"), "{text}");
}

#[test]
fn what_is_no_board_writes_nothing() {
    for (input, position) in [
        (&b"3, _\n_, x\n"[..], "line 2, column 4"),
        (b"", "line 1, column 1"),
        (b"1, _\n_\n", "line 2, column 2"),
        (b"1, \xff\n", "line 1, byte 4: not UTF-8 text"),
        (b"1, 9", "line 1, column 4"),
    ] {
        let output = run(&["-"], input);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), &output.stdout[..]), (Some(2), &b""[..]), "{message}");
        assert!(message.starts_with("error: ") && message.contains(position), "{message}");
    }
    let output = run(&["no such file"], b"");
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(2), &b""[..]));
}

#[test]
fn help_says_how() {
    let output = run(&["--help"], b"");
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    for part in ["--certain", "--time-limit", "combinatorial, sequential", "Exit codes:\n  0  solved"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// The total is named, whatever numbers it contradicts.
#[test]
fn a_total_out_of_reach_is_named_with_the_nearest_ones() {
    let output = run(&["--traps", "3"], b"");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text.contains("No solution: no answer has a total of 3 traps; all have 4; the total contradicts"),
        "{text}"
    );
    let output = run(&["-", "--traps", "9"], b"_ 1 _ _ _ 0");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("no answer has a total of 9 traps; answers have 1 to 2\n"), "{text}");
}

#[test]
fn chances_and_counts_are_printed() {
    let output = run(&["-", "--chances", "--count", "10", "--traps", "1"], b"_ 1 _ _ 0");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0));
    for part in
        ["Answers: 2\n", "0.5000, 1, 0.5000, 0.0000, 0\n", "Best move: row 1, column 4, a trap with chance 0.0000"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// A count that ends with its time says what it reached, and a first line that is taken for a size is named.
#[test]
fn what_may_be_taken_for_something_else_is_said() {
    let rows: Vec<String> =
        (0..161).map(|row| if row % 2 == 1 { "_2".repeat(80) + "_" } else { "_".repeat(161) }).collect();
    let args = ["-", "--count", "1000000000000", "--time-limit", "1"];
    let output = run(&args, rows.join("\n").as_bytes());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("Answers: at least ") && output.status.code() == Some(2), "{text}");
    let output = run(&["-"], b"2 2\n_ _\n_ _\n");
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(message, "standard input: `2 2` is taken for the size; with a comma it is a row\n");
    let output = run(&["-"], b"2, 2\n_, _\n_, _\n");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn boards_are_made() {
    let output = run(&["--generate", "4", "5", "0.2", "1"], b"");
    let text = String::from_utf8(output.stdout).unwrap();
    let map: cnfkit::GemMap = text.parse().unwrap();
    assert_eq!((map.rows(), map.columns()), (4, 5));
}

/// Whatever is running, it ends soon after its time; a board that is being made has one answer by then, too.
#[test]
fn the_time_limit_ends_every_question() {
    let board = cnfkit::gem_hunter::plant(120, 120, 0.35, 0.4, 1).0.to_string();
    let entangled = ["-", "--strategy", "whole", "--traps", "4000", "--time-limit", "0.3"];
    let made = ["--generate", "400", "400", "0.2", "1", "--time-limit", "0.3"];
    for (args, input, code) in [(&entangled[..], board.as_bytes(), 2), (&made[..], b"", 0)] {
        let start = std::time::Instant::now();
        let output = run(args, input);
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{message}");
        if code == 0 {
            let map: cnfkit::GemMap = String::from_utf8(output.stdout).unwrap().parse().unwrap();
            assert!(cnfkit::GemHunterEncoder::new(map).is_unique().unwrap());
        }
        assert!(message.contains("time limit"), "{message}");
        // 0.2 seconds alone; more where other tests run beside it, and where a made board is checked.
        assert!(start.elapsed().as_secs_f64() < 10.0, "{:?}", start.elapsed());
    }
}

/// Output that cannot be written is an error; it once was a success.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said() {
    for args in [&["--certain"][..], &["--generate", "3", "3", "0.2", "1"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = super::cnfkit("gems", args).stdout(full).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.starts_with("error: standard output: "), "{message}");
    }
}

/// Proofs of an answer and of the certain cells, or that there is no answer.
#[test]
fn proofs_are_written() {
    let dir = std::env::temp_dir().join(format!("cnfkit-gem-proof-{}", std::process::id()));
    let of = dir.to_str().unwrap();
    for (board, code, said, conclusions) in [
        ("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _", 0, "Certain:\n3, T, 2, G", &["SAT", "UNSAT"][..]),
        ("_, 1, _", 0, "Certain:\n?, 1, ?", &["SAT"]),
        ("3, _", 1, "No solution\n", &["UNSAT"]),
    ] {
        let _ = std::fs::remove_dir_all(&dir);
        let out = run(&["-", "--proof", of], board.as_bytes());
        let text = String::from_utf8(out.stdout).unwrap();
        assert!(out.status.code() == Some(code) && text.contains(said), "{text}");
        assert_eq!(text.matches("checked by: veripb ").count(), conclusions.len(), "{text}");
        for (part, conclusion) in ["solution", "other"].iter().zip(conclusions) {
            let proof = std::fs::read_to_string(dir.join(part).join("proof.pbp")).unwrap();
            assert!(proof.contains(&format!("conclusion {conclusion} ")), "{part}: {conclusion}");
        }
    }
    let out = run(&["-", "--proof", of], b"3, _");
    let error = String::from_utf8(out.stderr).unwrap();
    assert!(error.contains("exists") && out.status.code() == Some(2), "{error}");
    std::fs::remove_dir_all(&dir).unwrap();
}
