//! What it prints where, and its exit codes.

use std::process::Output;

fn run(args: &[&str], input: &[u8]) -> Option<Output> {
    super::run("gem_hunter", args, input)
}

#[test]
fn a_board_is_solved() {
    for (args, input) in [(&[][..], &b""[..]), (&["-"], b"3 4\r\n3 . 2 .\r\n. . 2 .\r\n. 3 1 .\r\n")] {
        let Some(output) = run(args, input) else { return };
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
    let Some(output) = run(&["-"], b"3,_\n_,1") else { return };
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = "the 3 in row 1, column 1 asks for more traps than its neighbours can be: 2";
    assert!(text.contains(message), "{text}");
    for (args, input, message) in [
        (&["-"][..], "1, T\n_, T", "the 1 in row 1, column 1 asks for fewer traps than its neighbours are already: 2"),
        (&["-", "--traps", "1"], "_, 2, _", "the 2 in row 1, column 2 contradicts the total number of traps"),
        (&["-", "--traps", "4"], "_, 2, _", "the total number of traps is impossible"),
    ] {
        let Some(output) = run(args, input.as_bytes()) else { return };
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(text.contains(message), "{text}");
    }
    let Some(output) = run(&["-"], b"1 _ 0") else { return };
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
        (b"1, \xff\n", "line 1, column 4"),
        (b"1, 9", "line 1, column 4"),
    ] {
        let Some(output) = run(&["-"], input) else { return };
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), &output.stdout[..]), (Some(2), &b""[..]), "{message}");
        assert!(message.starts_with("error: ") && message.contains(position), "{message}");
    }
    let Some(output) = run(&["no such file"], b"") else { return };
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(2), &b""[..]));
}

#[test]
fn help_says_how() {
    let Some(output) = run(&["--help"], b"") else { return };
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8(output.stdout).unwrap().contains("--certain"));
}
