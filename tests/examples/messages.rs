//! Wrong input: where it is and what is allowed, on standard error, with exit code 2.

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
    let any = "auto, smallest, combinatorial, sequential, modulo, k-modulo, decision-diagram, parallel-counter, adder, \
               totalizer, cardinality-network, network, generalized-product";
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
}

#[cfg(all(feature = "any-solver", feature = "sudoku"))]
#[test]
fn sudokus() {
    let allowed = "allowed are 1 to 4, and . 0 * or _ for an empty cell";
    for (args, input, message) in [
        (&["-"][..], &b"1 2\n\xc3\xa4 \xff"[..], "line 2, column 4: not UTF-8 text"),
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

#[cfg(all(feature = "any-solver", feature = "sudoku"))]
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
#[cfg(all(feature = "any-solver", feature = "sudoku", unix))]
#[test]
fn what_is_too_large_for_a_puzzle() {
    refused("sudoku", &["/dev/zero"], b"", "/dev/zero: more than 64 MiB; no puzzle is that large");
}
