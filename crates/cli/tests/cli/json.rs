//! `--json`: one object for each answer, with the members that `json.md` has.

use std::collections::BTreeSet;
use std::path::Path;

use cnfkit::AmoEncoding;
use tinyjson::JsonValue;

use super::outcome;

/// The object that a command prints, with its exit code.
fn object(command: &str, args: &[&str], input: &str, code: i32) -> JsonValue {
    let args: Vec<&str> = args.iter().copied().chain(["--json"]).collect();
    let (text, message, ended) = outcome(command, &args, input.as_bytes());
    assert_eq!((ended, text.lines().count()), (Some(code), 1), "{command} {args:?}: {text}{message}");
    let value: JsonValue = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    let JsonValue::Object(members) = &value else { panic!("{text}") };
    assert_eq!(members["command"], JsonValue::String(command.to_owned()), "{text}");
    assert_eq!(members["exit"], JsonValue::Number(f64::from(code)), "{text}");
    assert!(matches!(members["seconds"], JsonValue::Number(seconds) if seconds >= 0.0), "{text}");
    let page = include_str!("../../json.md");
    for name in names(&value) {
        assert!(page.contains(&format!("`{name}`")) || page.contains(&format!("\"{name}\"")), "{name} of {command}");
    }
    value
}

/// The names of all members, at any depth.
fn names(value: &JsonValue) -> BTreeSet<String> {
    match value {
        JsonValue::Object(members) => {
            members.iter().flat_map(|(name, value)| names(value).into_iter().chain([name.clone()])).collect()
        }
        JsonValue::Array(values) => values.iter().flat_map(names).collect(),
        _ => BTreeSet::new(),
    }
}

/// A member of an object is what this text says.
fn is(object: &JsonValue, name: &str, expected: &str) {
    let JsonValue::Object(members) = object else { panic!("{object:?}") };
    let expected: JsonValue = expected.parse().unwrap();
    assert_eq!(members.get(name), Some(&expected), "{name} of {object:?}");
}

#[test]
fn solve() {
    let found = object("solve", &[], "p cnf 3 2\n1 0\n-1 -2 0\n", 10);
    is(&found, "status", "\"SATISFIABLE\"");
    is(&found, "read", r#"{"variables":3,"clauses":2,"constraints":0}"#);
    let JsonValue::Array(model) = &found["model"] else { panic!() };
    assert!(model.len() == 3 && model[..2] == [JsonValue::Number(1.0), JsonValue::Number(-2.0)], "{model:?}");
    is(&object("solve", &["-q"], "a\nb | ~a\n", 10), "model", r#"["a","b"]"#);
    let none = object("solve", &[], "a\n~a\n", 20);
    is(&none, "status", "\"UNSATISFIABLE\"");
    assert!(!names(&none).contains("model"));

    let core = object("solve", &["--core"], "a + b + c >= 2\n~a | d\n~a\n~b\n", 20);
    let lines = r#"[{"line":1,"text":"a + b + c >= 2"},{"line":3,"text":"~a"},{"line":4,"text":"~b"}]"#;
    is(&core, "core", lines);
    is(&object("solve", &["--backbone"], "p cnf 3 2\n1 0\n-1 -2 0\n", 10), "backbone", "[1,-2]");
    let all = object("solve", &["--all"], "a | b\n", 10);
    is(&all, "count", "3");
    is(&all, "complete", "true");
    assert!(matches!(&all["models"], JsonValue::Array(models) if models.len() == 3));
    let some = object("solve", &["--count=2"], "a | b\n", 10);
    is(&some, "count", "2");
    is(&some, "complete", "false");

    let hard = super::solve::pigeons(40, 39, AmoEncoding::Pairwise, AmoEncoding::Pairwise).to_string();
    for args in
        [&["--no-detect", "--time-limit=0.3"][..], &["--core", "--time-limit=0.3"], &["--count", "--time-limit=0.3"]]
    {
        let unknown = object("solve", args, &hard, 0);
        is(&unknown, "status", "\"UNKNOWN\"");
        assert!(names(&unknown).contains("reason"), "{unknown:?}");
    }
}

#[test]
fn optimise() {
    let best = object("optimise", &[], "max: 4 a + 3 b - 2 c\na + b <= 1\na => c\n", 30);
    for (name, expected) in [("status", "\"OPTIMUM FOUND\""), ("sense", "\"max\""), ("objective", "3"), ("bound", "3")]
    {
        is(&best, name, expected);
    }
    is(&best, "gap", "0");
    is(&best, "model", r#"["-a","b","-c"]"#);
    let best = object("optimise", &["--threads=2"], "h 1 2 0\n3 -1 0\n4 -2 0\n", 30);
    is(&best, "objective", "3");
    is(&best, "model", "[1,-2]");
    is(&object("optimise", &[], "min: 1 x1 ;\n1 x1 >= 2 ;\n", 20), "status", "\"UNSATISFIABLE\"");
}

#[cfg(target_os = "linux")]
#[test]
fn a_search_that_is_stopped_has_a_gap() {
    let knapsacks = super::optimise::knapsacks(20, 100);
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("a proof of bounds");
    let _ = std::fs::remove_dir_all(&dir);
    for proof in [None, dir.to_str()] {
        let args: Vec<&str> =
            ["--time-limit=2"].into_iter().chain(proof.into_iter().flat_map(|dir| ["--proof", dir])).collect();
        let stopped = object("optimise", &args, &knapsacks, 10);
        is(&stopped, "status", "\"SATISFIABLE\"");
        assert!(matches!(stopped["gap"], JsonValue::Number(gap) if gap > 0.0), "{stopped:?}");
    }
    let proof = std::fs::read_to_string(dir.join("proof.pbp")).unwrap();
    assert!(proof.contains("conclusion BOUNDS ") && proof.ends_with("end pseudo-Boolean proof;\n"));
}

#[test]
fn check() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("checked in json");
    std::fs::write(&file, "* of four\nmin: 1 x1 ;\n+1 x1 +1 x2\n >= 1 ; 2 x1 >= 1 ;\n").unwrap();
    let check = |model: &str, code| object("check", &[file.to_str().unwrap(), "-"], model, code);
    let right = check("v x1", 0);
    is(&right, "status", "\"VERIFIED\"");
    is(&right, "objective", "1");
    let wrong = check("v -x1 -x2", 1);
    let violated = r#"[{"line":3,"text":"+1 x1 +1 x2 >= 1 ;"},{"line":4,"text":"2 x1 >= 1 ;"}]"#;
    is(&wrong, "violated", violated);
}

#[test]
fn encode_detect_and_encodings() {
    let sizes = object("encode", &["--size"], "a + b + c + d <= 2\n", 0);
    let JsonValue::Array(sizes) = &sizes["sizes"] else { panic!() };
    assert!(sizes.len() > 5 && names(&sizes[0]).contains("auxiliaries"), "{sizes:?}");
    let explained = object("encode", &["--explain"], "a + b + c + d <= 2\n", 0);
    is(&explained["constraints"][0], "constraint", "\"at most 2 of 4\"");
    let (text, message, code) = outcome("encode", &["--json"], b"a + b <= 1\n");
    assert!(text.is_empty() && code == Some(2) && message.contains("--output FILE"), "{message}");
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("encoded beside json");
    let written = object("encode", &["-o", file.to_str().unwrap()], "a + b <= 1\n", 0);
    is(&written, "encoded", r#"{"auxiliaries":0,"clauses":1,"literals":2}"#);
    assert!(std::fs::read_to_string(&file).unwrap().ends_with("-1 -2 0\n"));

    let found = object("detect", &[], "p cnf 3 4\n1 2 3 0\n-1 -2 0\n-1 -3 0\n-2 -3 0\n", 0);
    is(&found["found"], "exactly_one", r#"{"number":1,"literals":3}"#);
    let JsonValue::Array(all) = &object("encodings", &["9", "3"], "", 0)["encodings"] else { panic!() };
    let totalizer = all.iter().find(|row| row["encoding"] == JsonValue::String("totalizer".into())).unwrap();
    assert!(names(totalizer).contains("at_least") && totalizer["gac"] == JsonValue::Boolean(true));
}

#[test]
fn puzzles() {
    let solved = object("sudoku", &["--count=5"], "1...\n..2.\n.3..\n...4\n", 0);
    let (puzzle, solution) = (&solved["puzzle"][1], &solved["solution"][1]);
    assert!(*puzzle == "[0,0,2,0]".parse().unwrap() && solution[2] == JsonValue::Number(2.0), "{solved:?}");
    let several = object("sudoku", &[], "12..\n3.1.\n....\n4...\n", 0);
    is(&several, "status", "\"SATISFIABLE\"");
    let none = object("sudoku", &[], "12..\n..3.\n..4.\n....\n", 1);
    is(&none, "solution", "null");
    assert!(matches!(&none["core"], JsonValue::Array(core) if core.len() > 1), "{none:?}");
    assert!(names(&object("sudoku", &["--hint=2"], "1...\n..2.\n.3..\n...4\n", 0)).contains("cell"));
    let made = object("sudoku", &["--generate=2", "--layout=boxes 2x2"], "", 0);
    assert!(matches!(&made["puzzles"], JsonValue::Array(puzzles) if puzzles.len() == 2), "{made:?}");

    let board = object("gems", &["--certain", "--chances", "--count=9"], "1, _\n_, 1\n", 0);
    is(&board, "board", r#"[["1","_"],["_","1"]]"#);
    is(&board, "certain", r#"[["1","?"],["?","1"]]"#);
    is(&board, "count", "2");
    is(&board, "chances", "[[null,0.5],[0.5,null]]");
    is(&object("gems", &[], "2, _\n", 1), "status", "\"UNSATISFIABLE\"");
}

/// Answers to lines are objects, too.
#[test]
fn lines() {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lines in json");
    std::fs::create_dir_all(&place).unwrap();
    let (list, formula) = (place.join("list"), place.join("a.cnf"));
    std::fs::write(&formula, "p cnf 1 1\n1 0\n").unwrap();
    std::fs::write(&list, format!("{}\n", formula.display())).unwrap();
    let (text, ..) = outcome("solve", &["--lines", list.to_str().unwrap(), "--json"], b"");
    let line: JsonValue = text.parse().unwrap();
    is(&line["answer"], "model", "[1]");
    assert!(!names(&line).contains("seconds"), "{text}");
    let (text, ..) = outcome("sudoku", &["--lines=-", "--json"], &[b"1.......".repeat(10), b".\n".to_vec()].concat());
    assert!(text.starts_with("{\"hash\":\"") && text.ends_with("\"answer\":null}\n"), "{text}");
}
