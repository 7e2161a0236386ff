//! Options that commands share, `--names`, and rules that are parities and expressions.

use super::{cnfkit, outcome};

/// The answer alone with `-q`, and what was done on standard error with `-v`.
#[test]
fn quiet_and_verbose() {
    let rules = b"max: a + b\na + b <= 1\na\n";
    for (command, expected) in [
        ("solve", "s SATISFIABLE\nv a -b\n"),
        ("optimise", "o 1\ns OPTIMUM FOUND\nv a -b\n"),
        ("encode", "c the objective is negated, and to be minimised\n"),
    ] {
        let (text, message, _) = outcome(command, &["-q"], rules);
        let is_right = if command == "encode" { !text.contains("c read") } else { text == expected };
        assert!(is_right && message.is_empty(), "{command}: {text}{message}");
        let (text, message, _) = outcome(command, &["-v"], rules);
        assert!(text.contains("c ") && message.starts_with("reading: 0."), "{command}: {text}{message}");
        assert_eq!(outcome(command, &["-v", "-q"], rules).2, Some(2));
    }
    assert_eq!(
        outcome("sudoku", &["-q"], b"1.....3..4.....2").0,
        "1 3 | 2 4\n4 2 | 3 1\n----+----\n2 4 | 1 3\n3 1 | 4 2\n"
    );
    assert_eq!(outcome("gems", &["-q"], b"1, _\n").0, "1, T\n\n");
    // A row, as no board has that size.
    assert_eq!(outcome("gems", &["-q"], b"0 0\n").0, "0, 0\n\n");
    assert!(outcome("encodings", &["1000", "500"], b"").0.contains("2⁶⁴ and more"));
    assert!(outcome("encodings", &["1000", "500", "--json"], b"").0.contains("\"clauses\":null"));
}

/// Seeds and threads do not change what is true.
#[test]
fn seeds_and_threads() {
    let rules = b"max: 2 a + 3 b + 4 c\na + b + c <= 2\n~b | ~c\n";
    for args in [&["--seed=1"][..], &["--seed=7"], &["--threads=2"], &["--threads=3", "-q"]] {
        let (text, message, code) = outcome("optimise", args, rules);
        assert!(
            text.contains("o 6\n") && text.ends_with("s OPTIMUM FOUND\nv a -b c\n") && code == Some(30),
            "{args:?}: {text}{message}"
        );
        let (text, message, code) = outcome("solve", args, b"a + b = 1\na\n");
        assert!(text.ends_with("v a -b\n") && code == Some(10), "{args:?}: {text}{message}");
    }
}

/// Variables are named in comments; those that OPB numbers, too, where that is asked for.
#[test]
fn names_are_comments() {
    let names = |args: &[&str], text: &str| {
        let (text, ..) = outcome("encode", args, text.as_bytes());
        text.lines().filter_map(|line| line.strip_prefix("c name ")).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(names(&[], "anna + ben <= 1\n"), "1 anna, 2 ben");
    let opb = "+1 x1 +1 x3 >= 1 ;\n";
    assert_eq!([names(&[], opb), names(&["--names"], opb)], ["", "1 x1, 2 x2, 3 x3"]);
    assert_eq!(names(&["--names"], "+1 x1 +1 wine >= 1 ;\n"), "1 x1, 2 wine");
}

/// The word is coloured where that is asked for, and nowhere else where there is no terminal.
#[test]
fn errors_in_colour() {
    for (variables, expected) in [
        (&[][..], "error: "),
        (&[("CLICOLOR_FORCE", "1")], "\u{1b}[1m\u{1b}[31merror:\u{1b}[0m "),
        (&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], "error: "),
        (&[("CLICOLOR_FORCE", "0")], "error: "),
    ] {
        let mut command = cnfkit("solve", &["/none"]);
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").envs(variables.iter().copied());
        let message = String::from_utf8(command.output().unwrap().stderr).unwrap();
        assert!(message.starts_with(&format!("{expected}/none")), "{message:?}");
    }
}

/// Parities and expressions are named by their lines, and a mistake in one has a caret.
#[test]
fn parities_and_expressions() {
    let (text, message, code) =
        outcome("solve", &["--core"], b"a ^ b ^ c = 1\n(a & b) -> d\nd <-> (a | b)\nxor(a, b) = 0\n~c\na\n");
    assert_eq!((code, message.as_str()), (Some(20), ""), "{text}");
    let named =
        ["c core: line 1: a ^ b ^ c = 1", "c core: line 4: xor(a, b) = 0", "c core: line 5: ~c", "s UNSATISFIABLE"];
    assert_eq!(text.lines().collect::<Vec<_>>(), named);

    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("expressions");
    let name = file.to_str().unwrap();
    std::fs::write(&file, "a ^ b = 1\n(a & c) -> ~d\n").unwrap();
    let check = |model: &[u8]| outcome("check", &[name, "-"], model).0;
    assert_eq!(check(b"v a -b c -d"), "s VERIFIED\n");
    let wrong = "c violated: line 1: a ^ b = 1\nc violated: line 2: (a & c) -> ~d\ns NOT VERIFIED\n";
    assert_eq!(check(b"v a b c d"), wrong);
    std::fs::write(&file, "a | b\n(a & ) -> c\n").unwrap();
    let (_, message, code) = outcome("solve", &[name], b"");
    assert!(message.ends_with("\n  (a & ) -> c\n       ^\n") && code == Some(2), "{message}");
}

/// With `--counting`, expressions have one model for each solution, with projection and without.
#[test]
fn expressions_are_counted() {
    let rules = b"a ^ b ^ c ^ d ^ e = 1\n(a & b) | c -> d\na | (d & e) => b + c + e >= 2\nmin_ <=> a & ~b\n";
    let (text, ..) = outcome("encode", &["--counting"], rules);
    let clauses: String = text.split_inclusive('\n').filter(|line| !line.starts_with('c')).collect();
    let counted = |text: &[u8]| outcome("solve", &["--count"], text).0;
    let expected = counted(rules);
    assert!(expected.ends_with(" models\ns SATISFIABLE\n"), "{expected}");
    assert_eq!([counted(text.as_bytes()), counted(clauses.as_bytes())], [expected.clone(), expected], "{text}");
}

/// Constraints of OPB are named by line, whatever folding makes of them: one that is always true, a clause, one that
/// is said twice, products, a wide one.
#[test]
fn constraints_of_opb_are_named_by_line() {
    let text = "* #variable= 4 #constraint= 6\n\
                +1 x1 >= 0 ;\n\
                +3 x1 +3 x2\n  >= 2 ;\n\
                +1 x1 +1 x2 >= 1 ;\n\
                +1 x3*x4 >= 1 ; +1 ~x1 >= 1 ;\n\
                +1 x2 -340282366920938463463374607431768211454 x3 >= 0 ;\n";
    let (core, message, code) = outcome("solve", &["--core"], text.as_bytes());
    assert_eq!(code, Some(20), "{core}{message}");
    let lines: Vec<&str> = core.lines().collect();
    let of_products = ["c core: line 6: +1 x3*x4 >= 1 ;"];
    let of_x2 = ["c core: line 3: +3 x1 +3 x2 >= 2 ;", "c core: line 5: +1 x1 +1 x2 >= 1 ;"];
    assert!(of_products.iter().all(|line| lines.contains(line)), "{core}");
    assert!(lines.iter().all(|line| !line.contains("line 2:")), "{core}");

    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("named.opb");
    std::fs::write(&file, text).unwrap();
    let (said, ..) = outcome("check", &[file.to_str().unwrap(), "-"], b"v -x1 -x2 -x3 x4");
    let violated: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("c violated: ")).collect();
    let (first, second) = (of_x2[0].trim_start_matches("c core: "), of_x2[1].trim_start_matches("c core: "));
    assert_eq!(violated, [first, second, "line 6: +1 x3*x4 >= 1 ;"], "{said}");
}

/// A text that is cut off in its first word is no rule, nor is an objective alone.
#[test]
fn starts_of_other_formats_are_no_rules() {
    for text in ["p", "h", "min", "ma"] {
        let (said, message, code) = outcome("solve", &[], text.as_bytes());
        assert!(said.is_empty() && code == Some(2), "{text}: {said}{message}");
        assert!(message.starts_with(&format!("error: standard input: the text ends after `{text}`")), "{message}");
    }
    assert_eq!(outcome("solve", &["--format=rules"], b"p").2, Some(10));
    let (said, message, code) = outcome("optimise", &[], b"min: +1 x");
    assert!(said.is_empty() && code == Some(2) && message.contains("line 1, column 10: the text ends without a rule"));
}

/// Options that would be passed over are refused, and a question with other options is another one.
#[test]
fn options_that_say_nothing_are_refused() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("refused");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir(&folder).unwrap();
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let (out, list, answers) = (at("out"), at("list"), at("answers"));
    for (command, args, message) in [
        ("encode", &["--cubes=2", "--to=opb", "-o", &out][..], "--cubes takes no --to: its files are DIMACS"),
        ("encode", &["--size", "-o", &out], "cannot be used with"),
        ("solve", &["--lines", &list, "--proof", &out], "--lines takes no --proof"),
        ("gems", &["--generate", "5", "5", "30", "1"], "density 30; allowed are 0 to 1, the share of traps"),
        ("gems", &["--generate", "5", "5", "nan", "1"], "density NaN; allowed are 0 to 1, the share of traps"),
        ("gems", &["--generate", "0", "5", "0.3", "1"], "a board has a row and a column"),
    ] {
        let (_, error, code) = outcome(command, args, b"a | b\n");
        assert!(error.contains(message) && code == Some(2), "{command} {args:?}: {error}");
        assert!(!std::path::Path::new(&out).exists(), "{command} {args:?}");
    }
    std::fs::write(at("one"), "1 x1 1 x2 >= 1\n;\n").unwrap();
    std::fs::write(&list, at("one")).unwrap();
    for (format, status) in [("rules", "error"), ("opb", "SATISFIABLE")] {
        outcome("solve", &["--lines", &list, "-o", &answers, "--format", format], b"");
        assert!(std::fs::read_to_string(&answers).unwrap().contains(status), "{format}");
    }
}

/// Encodings that are named are those of a proof, too.
#[test]
fn proofs_are_by_the_encodings_that_are_named() {
    let rules = b"a + b + c + d + e + f + g + h = 4\na | b\n";
    let proofs = ["adder", "sequential"].map(|encoding| {
        let dir = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("proof by {encoding}"));
        let _ = std::fs::remove_dir_all(&dir);
        outcome("solve", &["--encoding", encoding, "--proof", dir.to_str().unwrap()], rules);
        std::fs::read_to_string(dir.join("proof.pbp")).unwrap()
    });
    assert_ne!(proofs[0], proofs[1]);
    let (text, ..) = outcome("encode", &["--explain"], b"r <=> a + b + c + d >= 2\n");
    assert!(text.contains("~r if and only if at most 1 of 4"), "{text}");
}
