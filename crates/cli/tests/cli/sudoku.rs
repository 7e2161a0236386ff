//! `cnfkit sudoku`.

use std::time::{Duration, Instant};

use super::{cnfkit, outcome};

const ONE: &str = "1.....3..4.....2";

#[test]
fn help_lists_encodings_and_exit_codes() {
    let (text, _, code) = outcome("sudoku", &["--help"], b"");
    assert_eq!(code, Some(0));
    for part in ["pairwise, ", "bimander", "Exit codes:\n  0  ", "  1  ", "  2  ", "--time-limit"] {
        assert!(text.contains(part), "without {part}: {text}");
    }
}

/// The times and sizes printed are those of what was solved; once they were those of a formula that nobody solved.
#[test]
fn what_happened_is_printed() {
    let (text, ..) = outcome("sudoku", &[], b"");
    assert!(text.contains("none: deduction alone has the answer") && !text.contains("clauses"), "{text}");
    let (text, ..) = outcome("sudoku", &["--strategy", "base"], b"");
    assert!(text.contains("variables  729") && text.contains(" loaded"), "{text}");
    let hard = b"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
    let (text, ..) = outcome("sudoku", &["-"], hard);
    assert!(text.contains("values left open") && text.contains("search  "), "{text}");
}

#[test]
fn puzzles_with_their_number_of_solutions_are_read() {
    let line = format!("{ONE}:1:1324423124133142\n");
    let (text, _, code) = outcome("sudoku", &["-", "--count", "2"], line.as_bytes());
    assert!(code == Some(0) && text.contains("solutions  1\n"), "{text}");
    let (text, _, code) = outcome("sudoku", &["--lines", "-", "-p"], line.as_bytes());
    assert_eq!((text.as_str(), code), ("1324423124133142\n", Some(0)));
}

/// A hint is no solution; steps are taken one after the other, to the end.
#[test]
fn hints_do_not_show_the_solution() {
    let (text, _, code) = outcome("sudoku", &["--hint"], b"");
    assert_eq!((text.matches("hint  ").count(), text.contains("Solution"), code), (1, false, Some(0)), "{text}");
    let (text, _, code) = outcome("sudoku", &["--hint=100", "-"], ONE.as_bytes());
    assert_eq!((text.matches("hint  ").count(), code), (12, Some(0)), "{text}");
    assert!(text.ends_with("every cell is filled\n"), "{text}");
    let (text, _, code) = outcome("sudoku", &["--hint", "-"], ".".repeat(81).as_bytes());
    assert!(text.ends_with("no cell is forced\n") && code == Some(0), "{text}");
    let (text, _, code) = outcome("sudoku", &["--hint", "-"], b"12..............");
    assert!(!text.contains("no solution") && code == Some(0), "{text}");
    let wrong = "1.....2..3....4.";
    let (text, _, code) = outcome("sudoku", &["--hint", "-"], wrong.as_bytes());
    let (solved, _, expected) = outcome("sudoku", &["-"], wrong.as_bytes());
    assert_eq!(
        (text.contains("There is no solution"), code),
        (solved.contains("There is no solution"), expected),
        "{text}"
    );
}

/// New puzzles are as hard as asked for, have one solution, and are the same for the same seed.
#[test]
fn puzzles_are_made() {
    for (difficulty, grade) in [("easy", "naked singles"), ("medium", "hidden singles")] {
        let args = ["--generate", "3", "--difficulty", difficulty, "--layout", "boxes 2x3", "--seed", "4"];
        let (text, message, code) = outcome("sudoku", &args, b"");
        assert_eq!((message.as_str(), code), ("", Some(0)));
        let puzzles: Vec<&str> =
            text.split("Puzzle ").skip(1).map(|puzzle| puzzle.split_once(":\n").unwrap().1).collect();
        assert_eq!((puzzles.len(), text.matches(grade).count()), (3, 3), "{text}");
        assert_ne!(puzzles[0], puzzles[1]);
        for puzzle in puzzles {
            let (solved, _, code) = outcome("sudoku", &["-", "--count", "2"], puzzle.as_bytes());
            assert!(code == Some(0) && solved.contains("solutions  1\n") && !solved.contains("another"), "{solved}");
        }
        assert_eq!(outcome("sudoku", &args, b"").0, text);
    }
}

#[test]
fn puzzles_are_drawn_on_a_page_to_print() {
    let folder = format!("{}/page", env!("CARGO_TARGET_TMPDIR"));
    let _ = std::fs::remove_dir_all(&folder);
    let args = ["--generate", "10", "--difficulty", "easy", "--svg", &folder];
    let (_, message, code) = outcome("sudoku", &args, b"");
    assert_eq!((message.as_str(), code), ("", Some(0)));
    let page = std::fs::read_to_string(format!("{folder}/page.html")).unwrap();
    let (puzzles, solutions) = page.split_once("</main>").unwrap();
    let texts = |file: &str| std::fs::read_to_string(format!("{folder}/{file}")).unwrap().matches("<text").count();
    for number in 1..=10 {
        let [puzzle, solution] = ["puzzle", "solution"].map(|name| format!("{name}-{number}.svg"));
        assert!(puzzles.contains(&puzzle) && !puzzles.contains(&solution) && solutions.contains(&solution));
        assert!((17..81).contains(&texts(&puzzle)) && texts(&solution) == 81, "{}", texts(&puzzle));
    }
    assert!(!page.contains("puzzle-11") && page.ends_with("</html>\n"));
}

#[test]
fn a_second_solution_is_mentioned() {
    let (text, _, code) = outcome("sudoku", &["-"], b"1.....3..4......");
    assert!(code == Some(0) && text.contains("another    solution has "), "{text}");
    let (text, ..) = outcome("sudoku", &["-"], ONE.as_bytes());
    assert!(!text.contains("another"), "{text}");
}

/// Sheets as teachers have them: with a title, with columns held apart by blanks, in letters or from 0.
#[test]
fn sheets_are_read_or_answered_with_what_to_change() {
    for sheet in [
        "Monday, easy\n1 . . .\n. . 3 .\n. 4 . .\n. . . 2",
        "1   .   .   .\n.   .   3   .\n\n.   4   .   .\n.   .   .   2",
        "values: A-D\nA...\n..C.\n.D..\n...B",
        "values: 0-3\n0...\n..2.\n.3..\n...1",
    ] {
        let (text, message, code) = outcome("sudoku", &["-"], sheet.as_bytes());
        assert_eq!((message.as_str(), code), ("", Some(0)), "{sheet}");
        let plain = outcome("sudoku", &["-"], ONE.as_bytes()).0;
        let solved = |text: &str| text.split_once("Solution:").unwrap().1.split("encoding").next().unwrap().to_owned();
        assert_eq!(solved(&text), solved(&plain), "{sheet}");
    }
    let gaps = "1            \n        3    \n    4        \n            2";
    let (_, message, code) = outcome("sudoku", &["-"], gaps.as_bytes());
    assert!(code == Some(2) && message.contains("an empty cell is `.` or 0"), "{message}");
}

#[test]
fn a_line_that_is_no_text_is_wrong_alone() {
    let lines = [ONE.as_bytes(), b"1...\xff..3..4.....2", ONE.as_bytes()].join(&b'\n');
    let (text, message, code) = outcome("sudoku", &["--lines", "-", "-p"], &lines);
    assert_eq!((text.as_str(), code), ("1324423124133142\n-\n1324423124133142\n", Some(2)));
    assert!(message.contains("line 2, byte 5: not UTF-8 text"), "{message}");
}

/// A line without end once took all memory.
#[cfg(unix)]
#[test]
fn a_line_without_end_is_given_up_on() {
    let (_, message, code) = outcome("sudoku", &["--lines", "/dev/zero"], b"");
    assert_eq!(code, Some(2));
    assert!(message.contains("error: /dev/zero: line 1 is longer than 32 MiB; no puzzle is that large"), "{message}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said() {
    let file = format!("{}/one.txt", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&file, ONE).unwrap();
    for args in [&[][..], &["-p", "--lines", &file]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = cnfkit("sudoku", args).stdout(full).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
        assert!(message.contains("error: standard output: ") && !message.contains("panicked"), "{args:?}: {message}");
    }
}

/// A text without regions has those that are said.
#[test]
fn regions_that_were_chosen_are_said() {
    for (side, layout) in [
        (5, "regions AAABB/AACBB/DCCCB/DDCEE/DDEEE"),
        (7, "regions AAABBBB/AAABBBC/DDAEECC/DDEEECC/DDEEFCC/DGGGFFF/GGGGFFF"),
        (11, "latin 11"),
    ] {
        let row = vec!["."; side].join(" ");
        let grid = format!("1{}\n{}", &row[1..], vec![row.as_str(); side - 1].join("\n"));
        let (text, message, code) = outcome("sudoku", &["-"], grid.as_bytes());
        let said = format!("the text names no regions; taken for side {side}: `{layout}`; --layout takes others");
        assert!(code == Some(0) && message.contains(&said), "{text}{message}");
    }
    let (_, message, _) = outcome("sudoku", &["-"], ".".repeat(81).as_bytes());
    assert!(!message.contains("regions"), "{message}");
}

/// Whatever is asked of a large grid ends with its time; what was found before stays printed.
#[test]
fn time_limits_are_kept() {
    let empty = format!("layout: side 81\n{}\n", ".".repeat(81 * 81));
    let small = ".".repeat(81);
    for (args, input, printed) in [
        (&["-"][..], &empty, ""),
        (&["-", "--strategy", "base"], &empty, ""),
        (&["-", "--count", "100000000"], &small, "solutions  at least "),
    ] {
        let start = Instant::now();
        let args: Vec<&str> = args.iter().copied().chain(["--time-limit", "0.3"]).collect();
        let (text, message, code) = outcome("sudoku", &args, input.as_bytes());
        assert_eq!(code, Some(2), "{text}{message}");
        assert!(text.contains(printed) && message.contains("the time limit of 300ms is over"), "{text}{message}");
        assert!(start.elapsed() < Duration::from_secs(20), "{args:?}: {:?}", start.elapsed());
    }
}

/// A proof in two parts: a solution, and that there is no other.
#[test]
fn proofs_of_uniqueness_are_written() {
    let dir = std::env::temp_dir().join(format!("cnfkit-sudoku-proof-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    let of = dir.to_str().unwrap();
    let (text, _, code) = outcome("sudoku", &["-", "--proof", of], ONE.as_bytes());
    assert!(text.contains("There is no other solution.") && code == Some(0), "{text}");
    assert_eq!(text.matches("checked by: veripb ").count(), 2);
    let last = |part: &str| {
        let proof = std::fs::read_to_string(dir.join(part).join("proof.pbp")).unwrap();
        proof.lines().rev().nth(1).unwrap().split(" :").next().unwrap().to_owned()
    };
    assert_eq!([last("solution"), last("other")], ["conclusion SAT", "conclusion UNSAT"]);
    let (_, error, code) = outcome("sudoku", &["-", "--proof", of], ONE.as_bytes());
    assert!(error.contains("exists") && code == Some(2), "{error}");
    std::fs::remove_dir_all(&dir).unwrap();
    let (text, _, code) = outcome("sudoku", &["-", "--proof", of], b"1..............1");
    assert!(text.contains("another solution") && code == Some(0), "{text}");
    std::fs::remove_dir_all(&dir).unwrap();
}
