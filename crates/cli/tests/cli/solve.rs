//! `cnfkit solve`, `encode` and `detect`: what they find, what they write, and models of the formula that was given.

use std::collections::BTreeSet;
use std::io::Cursor;
use std::path::Path;

use cnfkit::{AmoEncoding, CardEncoding, ClauseSink, Cnf, Constrain, Formula, Lit, Relation};

/// Text, message and exit code.
fn solve(args: &[&str], input: &[u8]) -> (String, String, Option<i32>) {
    super::outcome("solve", args, input)
}

fn encode(args: &[&str], input: &[u8]) -> (String, String, Option<i32>) {
    super::outcome("encode", args, input)
}

fn detect(args: &[&str], input: &[u8]) -> (String, String, Option<i32>) {
    super::outcome("detect", args, input)
}

/// `pigeons` in `holes`: each in exactly one by one encoding, each hole with at most one by another.
pub(super) fn pigeons(pigeons: usize, holes: usize, rows: AmoEncoding, columns: AmoEncoding) -> Cnf {
    let mut cnf = Cnf::new();
    let x: Vec<Vec<Lit>> = (0..pigeons).map(|_| cnf.new_lits(holes)).collect();
    x.iter().for_each(|row| cnf.exactly_one(row, &rows).unwrap());
    for hole in 0..holes {
        let column: Vec<Lit> = x.iter().map(|row| row[hole]).collect();
        cnf.at_most_one(&column, &columns).unwrap();
    }
    cnf
}

/// The literals of lines `v`.
fn values(text: &str) -> BTreeSet<i64> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("v "));
    assert!(lines.clone().all(|line| line.len() < 79), "{text}");
    lines.flat_map(str::split_whitespace).map(|word| word.replace('x', "").parse().unwrap()).collect()
}

#[test]
fn models_are_of_the_formula_in_the_file() {
    for rows in [AmoEncoding::Product, AmoEncoding::Bitwise, AmoEncoding::Ladder] {
        for columns in [AmoEncoding::Commander, AmoEncoding::Pairwise, AmoEncoding::Nested] {
            let cnf = pigeons(9, 10, rows, columns);
            let text = format!("c pigeons\n{cnf}");
            for args in [&["-"][..], &["-", "--no-detect"], &["-", "--encoding=smallest"]] {
                let (text, message, code) = solve(args, text.as_bytes());
                assert_eq!((code, message.as_str()), (Some(10), ""), "{text}");
                assert!(text.contains("\ns SATISFIABLE\nv ") && text.ends_with(" 0\n"), "{text}");
                let values = values(&text);
                assert_eq!(values.len(), cnf.n_vars() + 1);
                let holds = |clause: &[Lit]| clause.iter().any(|lit| values.contains(&lit.to_ipasir().into()));
                assert!(cnf.clauses().all(holds), "{rows} {columns} {args:?}");
                let found = "c found: at most one: 10 of 90 literals; exactly one: 9 of 90 literals\n";
                assert_eq!(text.contains(found), !args.contains(&"--no-detect"), "{text}");
            }
            let text = pigeons(6, 5, rows, columns).to_string();
            let (text, _, code) = solve(&["-"], text.as_bytes());
            assert!(code == Some(20) && text.ends_with("\ns UNSATISFIABLE\n"), "{text}");
        }
    }
}

/// Eleven pigeons and ten holes are all alike: the first is in the first hole. A proof has that by dominance.
#[test]
fn symmetries() {
    for (more, code) in [(0, 10), (1, 20)] {
        let cnf = pigeons(10 + more, 10, AmoEncoding::Pairwise, AmoEncoding::Pairwise).to_string();
        let (text, message, exit) = solve(&["-", "--symmetries"], cnf.as_bytes());
        assert_eq!((exit, message.as_str()), (Some(code), ""), "{text}");
        assert!(more == 1 || values(&text).contains(&1), "{text}");
    }
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("symmetries");
    let _ = std::fs::remove_dir_all(&dir);
    let proven = ["-", "--symmetries", "--proof", dir.to_str().unwrap()];
    let cnf = pigeons(11, 10, AmoEncoding::Pairwise, AmoEncoding::Pairwise).to_string();
    let (text, _, exit) = solve(&proven, cnf.as_bytes());
    let proof = std::fs::read_to_string(dir.join("proof.pbp")).unwrap();
    assert!(exit == Some(20) && text.contains("checked by") && proof.contains("\ndom "), "{text}");
    std::fs::remove_dir_all(&dir).unwrap();
    let (_, message, exit) = solve(&[&proven[..], &["--engine", "cadical"]].concat(), b"p cnf 1 1\n1 0\n");
    assert!(exit == Some(2) && message.contains("--symmetries with --proof takes no --engine"), "{message}");
}

/// A written formula reads back, in all formats; the second time nothing is found any more.
#[test]
fn formulas_are_written_in_all_formats() {
    let cnf = pigeons(5, 6, AmoEncoding::Product, AmoEncoding::Ladder);
    let (knf, _, code) = detect(&["-", "--to", "knf"], cnf.to_string().as_bytes());
    assert_eq!(code, Some(0));
    let formula = Formula::read_knf(Cursor::new(&knf)).unwrap();
    assert_eq!((formula.n_vars(), formula.n_clauses()), (cnf.n_vars(), 5)); // one of each row
    assert!(formula.constraints().all(|found| matches!(found.counted(), Some((_, Relation::AtLeast(n))) if n > 3)));
    let (opb, ..) = detect(&["-", "--to", "opb"], cnf.to_string().as_bytes());
    assert!(opb.starts_with("* #variable= ") && opb.contains("\n* found: at most one: 6 of 30"), "{opb}");
    assert!(opb.contains("+1 x1 +1 x2 +1 x3 +1 x4 +1 x5 +1 x6 = 1 ;"), "{opb}");
    let formula = Formula::read_opb(Cursor::new(&opb)).unwrap();
    assert_eq!((formula.n_clauses(), formula.constraints().len()), (0, 11));
    let (text, _, code) = solve(&["-"], opb.as_bytes());
    assert!(code == Some(10) && text.contains("\nv ") && text.contains(" x"), "{text}");
    let model = values(&text);
    assert!(formula.constraints().all(|constraint| constraint.holds(|lit| model.contains(&lit.to_ipasir().into()))));
    let (dimacs, ..) = encode(&["-"], knf.as_bytes());
    // Sizes of clauses are planned where clauses are written.
    assert!(dimacs.contains("c encoded: ") && ![&knf, &opb].iter().any(|text| text.contains("encoded: ")), "{dimacs}");
    assert!(Cnf::from_dimacs(Cursor::new(&dimacs)).unwrap().n_vars() >= cnf.n_vars());
    let file = format!("{}/reencoded.knf", env!("CARGO_TARGET_TMPDIR"));
    let (text, ..) = detect(&["-", "--to=knf", "-o", &file], cnf.to_string().as_bytes());
    assert_eq!((text.as_str(), std::fs::read_to_string(&file).unwrap()), ("", knf));
}

/// Literals as they stand in the file, in that order in what is written as constraints and in what is encoded.
#[test]
fn literals_are_encoded_in_the_order_asked_for() {
    let line = "k 4 5 -2 7 1 6 -3 8 4 0\n";
    let text = format!("p knf 8 1\n{line}");
    let lits: Vec<Lit> = [5, -2, 7, 1, 6, -3, 8, 4].iter().map(|&lit| Lit::from_ipasir(lit).unwrap()).collect();
    let (knf, ..) = encode(&["-", "--to=knf"], text.as_bytes());
    assert!(knf.ends_with(line), "{knf}");
    for (encoding, enc) in [("auto", CardEncoding::Auto), ("smallest", CardEncoding::Smallest)] {
        let (mut given, mut by_variable) = (Cnf::with_vars(8), Cnf::with_vars(8));
        given.keep_order().at_least(&lits, 4, &enc).unwrap();
        by_variable.at_least(&lits, 4, &enc).unwrap();
        assert_ne!(given, by_variable);
        for (order, expected) in [("given", &given), ("variable", &by_variable)] {
            let args = ["-", "--to=cnf", "--order", order, "--encoding", encoding];
            let (dimacs, ..) = encode(&args, text.as_bytes());
            let found = Cnf::from_dimacs(Cursor::new(&dimacs)).unwrap();
            assert!(found.clauses().eq(expected.clauses()), "{order}, {encoding}: {dimacs}");
        }
    }
}

#[test]
fn what_is_wrong_is_said() {
    for (args, input, message) in [
        (
            &["-"][..],
            "p cnf 2 1\n1 3 0\n",
            "standard input: line 2, column 3: `3` found; allowed: -2 to 2, and 0 at the end",
        ),
        (&["-", "--format", "cnf"], "k 1 2 0\n", "standard input: line 1, column 1: `k` found; allowed: a header"),
        (&["/nowhere"], "", "/nowhere: "),
        (&["-", "--time-limit=-1"], "", "--time-limit: -1 seconds; allowed are 0 and more"),
    ] {
        let (text, found, code) = solve(args, input.as_bytes());
        assert!(matches!(code, Some(1 | 2)) && text.is_empty(), "{args:?}: {text}");
        assert!(found.starts_with(&format!("error: {message}")), "{args:?}: {found}");
    }
    let (text, found, code) = encode(&["-", "--to=knf", "-o", "/nowhere/a"], b"p cnf 0 0\n");
    assert!(found.starts_with("error: /nowhere/a: ") && (text.as_str(), code) == ("", Some(2)), "{found}");
    // Pigeons that no solver of this kind settles in time: no answer, no error.
    let hard = pigeons(40, 39, AmoEncoding::Pairwise, AmoEncoding::Pairwise).to_string();
    let (text, _, code) = solve(&["-", "--no-detect", "--time-limit", "0.5"], hard.as_bytes());
    assert!(code == Some(0) && text.ends_with("\ns UNKNOWN\n") || code == Some(2), "{code:?} {text}");
}

/// The format is that of the first line, in whatever pieces it comes, after blank lines and a byte order mark.
#[test]
fn formats_are_told_by_whole_lines() {
    use std::process::Stdio;

    let read = "c read: 2 variables, 1 clauses, 0 constraints";
    for (text, expected) in [
        ("c a comment\np knf 2 1\nk 1 1 2 0\n", read),
        ("\u{feff}\n\np cnf 2 1\r\n1 2 0\r\n", read),
        ("* a comment\n+1 x1 +1 x2 >= 1 ;\n", read),
        ("+1 x1 +1 x2 >= 1 ;\r", read),
        ("1 -2 0\n2 3 0\n", "error: standard input: line 1, column 1: `1` found; allowed: a header `p cnf"),
        ("", "error: standard input: line 1, column 1: the text ends without a header"),
        ("h 1 2 0\n", read),
    ] {
        let mut command = super::cnfkit("solve", &["-"]);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        for byte in text.bytes() {
            let _ = std::io::Write::write_all(&mut input, &[byte]);
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        drop(input);
        let output = child.wait_with_output().unwrap();
        let found = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
        assert!(found.starts_with(expected), "{text:?}: {found}");
    }
}

/// Parts are written, solved by whom one likes, and combined; in threads, and by engines, the answer is the same.
#[test]
fn cubes_have_the_answer_of_the_whole() {
    let place = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("cubes");
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).unwrap();
    let text = |path: &std::path::Path| path.to_str().unwrap().to_owned();
    for (pigeons, holes, code) in [(7, 8, 10), (6, 5, 20)] {
        let cnf = self::pigeons(pigeons, holes, AmoEncoding::Product, AmoEncoding::Ladder);
        let (file, dir) = (text(&place.join(format!("{holes}.cnf"))), place.join(format!("{holes}")));
        std::fs::write(&file, cnf.to_string()).unwrap();
        let (said, message, ended) = encode(&[&file, "--cubes=9", "-o", &text(&dir)], b"");
        assert_eq!((message.as_str(), ended), ("", Some(0)));
        let n: usize = said.lines().last().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        assert!((2..=9).contains(&n) && !dir.join(format!("cube-{}.cnf", n + 1)).exists(), "{said}");
        let combined = ["--cubes=9", "--answers", &text(&dir)];
        let combine = || solve(&[&[file.as_str()], &combined[..]].concat(), b"");
        let (_, message, ended) = combine();
        assert!(ended == Some(2) && message.contains("`cube 1` printed no line `s`"), "{message}");
        for number in 1..=n {
            let (said, _, _) = solve(&[&text(&dir.join(format!("cube-{number}.cnf")))], b"");
            std::fs::write(dir.join(format!("cube-{number}.out")), said).unwrap();
        }
        let mut all = vec![combine()];
        for options in [&["--threads=2"][..], &["--cubes=9"], &["--cubes=9", "--threads=3"], &["--threads=4"]] {
            all.push(solve(&[&[file.as_str()], options].concat(), b""));
        }
        let icnf = text(&dir.join("formula.icnf"));
        for options in [&[][..], &["--threads=2"]] {
            all.push(solve(&[&[icnf.as_str()], options].concat(), b""));
        }
        for (said, message, ended) in all {
            assert_eq!((message.as_str(), ended), ("", Some(code)), "{said}");
            if code == 10 {
                let values = values(&said);
                assert!(cnf.clauses().all(|clause| clause.iter().any(|lit| values.contains(&lit.to_ipasir().into()))));
            }
        }
        let other = [&[file.as_str(), "--cubes=3"], &combined[1..]].concat();
        let (_, message, ended) = solve(&other, b"");
        assert!(ended == Some(2) && message.contains("these are not the parts of this formula"), "{message}");
    }
    let (_, message, ended) = encode(&["-", "--cubes=3"], b"p cnf 1 1\n1 0\n");
    assert!(ended == Some(2) && message.contains("--output <FILE>"), "{message}");
    // A model that no cube has is one, too.
    let icnf = b"p inccnf\n1 2 3 0\na -1 -2 -3 0\n";
    let (said, _, ended) = solve(&["-"], icnf);
    assert!(ended == Some(10) && said.contains("c solved under 1 cubes"), "{said}");
    let (_, message, ended) = encode(&["-"], icnf);
    assert!(ended == Some(2) && message.contains("solved under them: `cnfkit solve` does it"), "{message}");
}

/// A proof about the file's own clauses, with what was detected in them and without.
#[test]
fn proofs_are_about_the_formula_in_the_file() {
    let dir = std::env::temp_dir().join(format!("cnfkit-reencode-proof-{}", std::process::id()));
    let of = dir.to_str().unwrap();
    let text = pigeons(9, 8, AmoEncoding::Pairwise, AmoEncoding::Pairwise).to_string();
    for more in [&[][..], &["--no-detect"], &["--encoding", "smallest"]] {
        let _ = std::fs::remove_dir_all(&dir);
        let args = [&["-", "--proof", of], more].concat();
        let (out, error, code) = solve(&args, text.as_bytes());
        assert_eq!(code, Some(20), "{out}{error}");
        assert_eq!(out.contains("c found: "), more.is_empty(), "{out}");
        assert!(out.contains(&format!("c checked by: veripb {of}")), "{out}");
        let formula = std::fs::read_to_string(dir.join("formula.opb")).unwrap();
        assert_eq!(formula.lines().count(), 1 + text.lines().filter(|line| line.ends_with(" 0")).count());
        let proof = std::fs::read_to_string(dir.join("proof.pbp")).unwrap();
        assert!(proof.contains("conclusion UNSAT"));
        // Of what is detected, sums leave nothing to search for.
        assert!(!more.is_empty() || proof.lines().count() < 2_000, "{}", proof.lines().count());
    }
    std::fs::remove_dir_all(&dir).unwrap();
}

/// A proof in DRAT is about clauses alone.
#[test]
fn proofs_in_drat() {
    let dir = std::env::temp_dir().join(format!("cnfkit-drat-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    let args = ["-", "--proof-format", "drat", "--proof", dir.to_str().unwrap()];
    let text = pigeons(6, 5, AmoEncoding::Pairwise, AmoEncoding::Pairwise).to_string();
    let (out, error, code) = solve(&args, text.as_bytes());
    assert!(code == Some(20) && out.contains("c checked by: drat-trim "), "{out}{error}");
    assert_eq!(std::fs::read_to_string(dir.join("formula.cnf")).unwrap(), text);
    assert!(std::fs::read_to_string(dir.join("proof.drat")).unwrap().ends_with("\n0\n"));
    let (_, error, code) = solve(&args, b"p knf 3 1\nk 2 1 2 3 0\n");
    assert!(code == Some(2) && error.contains("constraint 0 is no clause"), "{error}");
    let (_, error, code) = solve(&[&args[..], &["--symmetries"]].concat(), text.as_bytes());
    assert!(code == Some(2) && error.contains("--proof-format drat takes no --symmetries"), "{error}");
    std::fs::remove_dir_all(&dir).unwrap();
}

/// The proof of an engine is a part of ours, whole or by cubes; VeriPB would say that this engine proves nothing.
#[test]
#[cfg(unix)]
fn proofs_of_engines_are_linked() {
    let dir = std::env::temp_dir().join(format!("cnfkit-reencode-engine-proof-{}", std::process::id()));
    let of = dir.to_str().unwrap();
    let text = pigeons(6, 5, AmoEncoding::Pairwise, AmoEncoding::Pairwise).to_string();
    let engine = "sh -c 'echo 0 >$2; echo s UNSATISFIABLE' sh {file} {proof}";
    for (more, is_split) in [(&["--engine", engine][..], false), (&["--engine", engine, "--cubes=4"], true)] {
        let _ = std::fs::remove_dir_all(&dir);
        let args = [&["-", "--no-detect", "--proof", of], more].concat();
        let (out, error, code) = solve(&args, text.as_bytes());
        assert!(code == Some(20) && out.contains("c checked by: veripb"), "{out}{error}");
        let proof = std::fs::read_to_string(dir.join("proof.pbp")).unwrap();
        let end = proof.rfind("rup >= 1;\noutput NONE;\nconclusion UNSAT : ").expect("an end");
        assert_eq!(proof[..end].lines().last().unwrap().starts_with("rup +1 "), is_split, "{proof}");
    }
    std::fs::remove_dir_all(&dir).unwrap();
    let (_, error, code) = solve(&["-", "--proof", of, "--cubes=4"], text.as_bytes());
    assert!(code == Some(2) && error.contains("--cubes with --proof takes --engine"), "{error}");
}

/// Proofs that were written for the parts elsewhere are parts of ours, and the engine is asked where there is none.
#[test]
#[cfg(unix)]
fn proofs_of_job_arrays_are_joined() {
    let dir = std::env::temp_dir().join(format!("cnfkit-reencode-array-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    let of = |name: &str| dir.join(name).to_str().unwrap().to_owned();
    let text = pigeons(6, 5, AmoEncoding::Pairwise, AmoEncoding::Pairwise).to_string();
    let ask = |more: &[&str]| solve(&[&["-", "--cubes=4"], more].concat(), text.as_bytes());
    let parts = of("parts");
    let (said, error, code) = encode(&["-", "--cubes=4", "-o", &parts], text.as_bytes());
    assert!(code == Some(0) && said.ends_with("c 4 cubes\n"), "{said}{error}");
    for number in [1, 3, 4] {
        let proof = ["1 -2 0\n", "1 -2 0\n0\n"][usize::from(number != 3)];
        std::fs::write(dir.join(format!("parts/cube-{number}.drat")), proof).unwrap();
    }
    // The proof of the second part is missing, that of the third breaks off.
    let engine = format!("sh -c 'echo asked >>{}; echo 0 >$2; echo s UNSATISFIABLE' sh {{file}} {{proof}}", of("log"));
    let join = ["--answers", &parts, "--engine", &engine];
    let proof = of("proof");
    let (out, error, code) = ask(&[&join[..], &["--proof", &proof]].concat());
    assert!(code == Some(20) && out.contains("c checked by: veripb"), "{out}{error}");
    assert_eq!(std::fs::read_to_string(dir.join("log")).unwrap(), "asked\n".repeat(2));
    let proof = std::fs::read_to_string(dir.join("proof/proof.pbp")).unwrap();
    assert_eq!(proof.lines().filter(|line| line.starts_with("red +1 x1 +1 ~x2 ")).count(), 3, "{proof}");

    let (_, error, code) = ask(&join);
    assert!(code == Some(2) && error.contains("--answers with --engine takes --proof"), "{error}");
    let other = of("other");
    let other = [&["-"], &join[..], &["--cubes=3", "--proof", &other]].concat();
    let (_, error, code) = solve(&other, text.as_bytes());
    assert!(code == Some(2) && error.contains("these are not the parts of this formula"), "{error}");
    std::fs::remove_dir_all(&dir).unwrap();
}

/// All models, their number, what they share, and what contradicts each other; in names where the file has names.
#[test]
fn questions_about_all_models() {
    let text = b"a + b + c <= 2\na => b\n~c | d\n";
    let (text_of_all, _, code) = solve(&["--all"], text);
    assert!(code == Some(10) && text_of_all.ends_with("c 8 models\ns SATISFIABLE\n"), "{text_of_all}");
    let mut models: Vec<&str> = text_of_all.lines().filter(|line| line.starts_with('v')).collect();
    models.sort_unstable();
    models.dedup();
    assert_eq!((models.len(), models[0]), (8, "v -a -b -c -d"), "{text_of_all}");
    let wide = (1..=40).map(|var| format!("+1 x{var} ")).collect::<Vec<_>>().concat() + "= 40 ;\n";
    let all = solve(&["--all", "--format=opb"], wide.as_bytes()).0;
    assert_eq!(all.lines().filter(|line| line.starts_with("v ")).count(), 1, "a line each: {all}");
    for (option, expected) in [("--count", "c 8 models\n"), ("--count=3", "c 3 or more models\n")] {
        let (said, _, code) = solve(&[option], text);
        assert!(code == Some(10) && said.starts_with(expected), "{said}");
    }
    let (said, _, code) = solve(&["--backbone"], b"p cnf 4 4\n1 0\n-1 -2 0\n2 3 4 0\n");
    assert_eq!((said.as_str(), code), ("", Some(2)), "a clause is missing");
    let (said, _, code) = solve(&["--backbone"], b"p cnf 4 3\n1 0\n-1 -2 0\n2 3 4 0\n");
    assert_eq!((said.as_str(), code), ("b 1\nb -2\nb 0\ns SATISFIABLE\n", Some(10)));
    let (said, _, code) = solve(&["--core"], b"a + b + c >= 2\n~a | d\n~a\n~b & d => c\n~b\n");
    assert_eq!(code, Some(20), "{said}");
    let lines: Vec<&str> = said.lines().collect();
    let rules = ["c core: line 1: a + b + c >= 2", "c core: line 3: ~a", "c core: line 5: ~b", "s UNSATISFIABLE"];
    assert_eq!(lines, rules);
    let (said, ..) = solve(&["--core"], b"p knf 3 3\nk 2 1 2 3 0\n-1 0\n-2 0\n");
    assert!(said.contains("c core: line 2: k 2 1 2 3 0\nc core: line 3: -1 0\n"), "{said}");
    let hard = pigeons(40, 39, AmoEncoding::Pairwise, AmoEncoding::Pairwise).to_string();
    for option in ["--core", "--backbone", "--all", "--count"] {
        let (said, error, code) = solve(&[option, "--time-limit=0.5"], hard.as_bytes());
        assert!(code == Some(0) && said.ends_with("s UNKNOWN\n"), "{option}: {said}{error}");
    }
    for none in ["--count=0", "--cubes=0"] {
        let (_, error, code) = solve(&[none], text);
        assert!(code == Some(2) && error.contains("non-zero"), "{error}");
    }
    let (said, _, code) = solve(&["--core"], b"a\n");
    assert_eq!((said.as_str(), code), ("s SATISFIABLE\n", Some(10)));
}

/// A rule in every table of sizes and encodings; the encoding is the one that is named.
#[test]
fn sizes_and_choices_are_said() {
    let text = b"a + b + c + d + e <= 2\n2 a + 3 b + 4 c + 5 d <= 7\na + b + c = 1\n";
    let (sizes, _, code) = encode(&["--size"], text);
    assert_eq!(code, Some(0), "{sizes}");
    let of = |kind: &str, name: &str| {
        let row = sizes.lines().find(|line| line.starts_with(kind) && line[14..].starts_with(&format!("{name} ")));
        row.unwrap_or_else(|| panic!("{sizes}")).split_whitespace().rev().nth(1).unwrap().parse::<usize>().unwrap()
    };
    for (kind, name) in [("at most one", "ladder"), ("counts", "totalizer"), ("sums", "binary-adder")] {
        let (dimacs, ..) = encode(&["--encoding", name], text);
        assert_eq!(Cnf::from_dimacs(Cursor::new(&dimacs)).unwrap().n_clauses(), of(kind, name), "{name}: {sizes}");
    }
    let (sizes, ..) = encode(&["--size"], b"p cnf 3 2\n1 2 3 0\n-1 -2 0\n");
    assert_eq!(sizes.lines().last().unwrap().split_whitespace().collect::<Vec<_>>(), ["all", "auto", "0", "2", "5"]);
    let (said, ..) = encode(&["--explain", "--encoding", "totalizer"], text);
    let row = said.lines().find(|line| line.contains("at most 2 of 5")).unwrap();
    assert!(row.trim_start().starts_with('1') && row.ends_with("totalizer"), "{said}");
    let (_, error, code) = encode(&["--encoding", "nothing"], text);
    assert!(code == Some(2) && error.contains("of at most one: auto, smallest, pairwise"), "{error}");
}

/// A model is held to every line of the file, whatever the format, and what it violates is named.
#[test]
fn models_are_checked() {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("checked");
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).unwrap();
    let check = |text: &str, model: &str| {
        let file = place.join("formula");
        std::fs::write(&file, text).unwrap();
        let (said, error, code) = super::outcome("check", &[file.to_str().unwrap(), "-"], model.as_bytes());
        (said + &error, code)
    };
    for (text, model, expected, code) in [
        ("p cnf 3 2\n1 2 0\n-3 0\n", "c so\ns SATISFIABLE\nv 1 -2\nv -3 0\n", "s VERIFIED\n", 0),
        ("p cnf 3 2\n1 2 0\n-3 0\n", "v 3 0", "c violated: line 2: 1 2 0\nc violated: line 3: -3 0\n", 1),
        ("max: 3 a + 2 b\na + b + c <= 1\n", "v a -b -c", "o 3\ns VERIFIED\n", 0),
        ("max: 3 a + 2 b\na + b + c <= 1\n", "v a b", "c violated: line 2: a + b + c <= 1\n", 1),
        ("min: 1 x1 2 x2 ;\n1 x1 1 x2 >= 1 ;\n", "v -x1 x2", "o 2\ns VERIFIED\n", 0),
        ("min: 1 x1*x2 ;\n1 x1 1 x2 >= 1 ;\n", "v x1 x2", "o 1\ns VERIFIED\n", 0),
        ("h 1 2 0\n3 -1 0\n4 -1 -2 0\n", "v 11", "o 7\ns VERIFIED\n", 0),
        ("h 1 2 0\n3 -1 0\n4 -1 -2 0\n", "v -1 2 0", "o 0\ns VERIFIED\n", 0),
        ("max: 3 a + 2 b\na + b <= 1\n", "o 2\no 3\nv a -b", "o 3\ns VERIFIED\n", 0),
        ("max: 3 a + 2 b\na + b <= 1\n", "o 4\nv a -b", "o 3\nc violated: the value of the objective", 1),
    ] {
        let (said, ended) = check(text, model);
        assert!(said.starts_with(expected) && ended == Some(code), "{text}{model}: {said}");
    }
    for (model, message) in [
        ("s SATISFIABLE\n", "error: standard input: no line `v`, which has the values of a model"),
        ("s UNSATISFIABLE\nv 1 0\n", "error: standard input: line 1: `s UNSATISFIABLE` says that there is no model"),
        ("v 1 4 0\n", "error: standard input: line 1: `4` is no literal of the formula"),
        ("v 1\nv -1 0\n", "error: standard input: line 2: `-1` was said to be false before"),
    ] {
        let (said, ended) = check("p cnf 3 1\n1 2 0\n", model);
        assert!(said.starts_with(message) && ended == Some(2), "{said}");
    }
}

/// Of soft constraints with a bound on all costs, no part of the text says the bound: the core has it all the same.
#[test]
fn cores_have_the_bound_on_costs() {
    let text = b"soft: 1 ;\n[1] +1 x1 >= 1 ;\n+1 ~x1 >= 1 ;\n";
    let (answer, _, code) = solve(&["--core", "--format=opb"], text);
    assert_eq!(code, Some(20), "{answer}");
    assert!(answer.contains("s UNSATISFIABLE"), "{answer}");
    assert!(answer.contains("c core: line 1: soft: 1 ;") && answer.contains("c core: line 3: +1 ~x1"), "{answer}");
    let (answer, ..) = solve(&["--core", "--format=opb"], b"soft: 2 ;\n[1] +1 x1 >= 1 ;\n+1 ~x1 >= 1 ;\n");
    assert!(answer.contains("s SATISFIABLE"), "{answer}");
    let (answer, ..) = solve(&["--core", "--format=opb"], b"soft: ;\n[1] +1 x1 >= 1 ;\n+1 x1 >= 1 ;\n+1 ~x1 >= 1 ;\n");
    assert!(answer.contains("c core: line 3: +1 x1 >= 1 ;"), "{answer}");

    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("costs.opb");
    std::fs::write(&file, "soft: 3 ;\n[2] +1 x1 >= 1 ;\n[2] +1 x2 >= 1 ;\n").unwrap();
    let check = |model: &[u8]| super::outcome("check", &[file.to_str().unwrap(), "-"], model).0;
    assert_eq!(check(b"v -x1 -x2"), "c violated: the costs, which are to be below 3\ns NOT VERIFIED\n");
    assert_eq!(check(b"v x1 -x2"), "o 2\ns VERIFIED\n");
}

/// Variables that a text does not show are variables all the same: of cores, of models of others, and of violations.
#[test]
fn variables_that_are_not_shown_are_the_files() {
    let core = solve(&["--core", "--format=opb"], b"* show x1\n+1 x2 >= 1 ;\n+1 ~x2 >= 1 ;\n").0;
    assert!(core.contains("c core: line 2: +1 x2 >= 1 ;") && core.contains("s UNSATISFIABLE"), "{core}");
    let encoded = super::outcome("encode", &["--to=opb", "--format=rules", "-q"], b"a & ~b | c & d\n~a\n~c\n").0;
    assert!(encoded.contains("* show x1 x2 x3 x4"), "{encoded}");
    assert!(solve(&["--core", "--format=opb"], encoded.as_bytes()).0.contains("s UNSATISFIABLE"));

    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("shown.opb");
    std::fs::write(&file, "* show x1\n+1 x1 +1 x2 >= 1 ;\n+1 x3 >= 0 ;\n").unwrap();
    let check = |model: &[u8]| super::outcome("check", &[file.to_str().unwrap(), "-"], model);
    assert_eq!(check(b"v x1 -x2 x3").0, "s VERIFIED\n");
    assert_eq!(check(b"v -x1 -x2").0, "c violated: line 2: +1 x1 +1 x2 >= 1 ;\ns NOT VERIFIED\n");
    assert_eq!(check(b"v -x1").0, "s VERIFIED\n");
    assert!(check(b"v x4").1.contains("`x4` is no literal of the formula"));
    let file = file.with_extension("wcnf");
    std::fs::write(&file, "h 1 2 0\n5 -1 0\n").unwrap();
    let check = |model: &[u8]| super::outcome("check", &[file.to_str().unwrap(), "-"], model);
    assert_eq!(check(b"v 01").0, "o 0\ns VERIFIED\n");
    assert!(check(b"v 001").1.contains("`001` is no literal of the formula"));
    // Of the two variables beside that of the clause nothing else is said.
    let wcnf = super::outcome("encode", &["--to=wcnf", "-q"], b"p cnf 3 1\n2 0\n").0;
    assert!(solve(&["--count", "--format=wcnf"], wcnf.as_bytes()).0.contains("c 4 models"), "{wcnf}");
}

/// A formula with what was detected has as many models of the variables that the file shows.
#[test]
fn detected_formulas_show_what_the_file_shows() {
    let count = |text: &[u8], format: &str| {
        let (answer, message, code) = solve(&["--count", &format!("--format={format}"), "-q"], text);
        assert_eq!(code, Some(10), "{message}");
        answer.lines().next().unwrap_or_default().to_owned()
    };
    let shown = b"p cnf 4 2\nc p show 1 2 0\n1 2 0\n-1 -3 0\n".as_slice();
    let mut product = Cnf::new();
    let x = product.new_lits(12);
    product.at_most_one(&x, &AmoEncoding::Product).unwrap();
    let product = product.to_string();
    for (text, format, models) in
        [(shown, "cnf", "3"), (b"r <=> a + b = 1\na | b | r\n", "rules", "3"), (product.as_bytes(), "cnf", "13")]
    {
        for to in ["cnf", "knf", "opb"] {
            let (found, message, code) = detect(&["--to", to, &format!("--format={format}")], text);
            assert_eq!(code, Some(0), "{message}");
            assert_eq!(count(found.as_bytes(), to), format!("c {models} models"), "{text:?} {to}");
        }
    }
}
