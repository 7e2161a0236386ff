//! The program `fzn-cnfkit`: FlatZinc against brute force, what it says of wrong files, and MiniZinc itself where it is
//! installed.

// Numbers by lot are small, and texts are built in passing.
#![allow(clippy::cast_sign_loss, clippy::format_collect, clippy::range_plus_one, clippy::too_many_lines)]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use cnfkit::Limits;
use cnfkit_fzn::{AnswerText, Problem, Wanted, answer};

use super::{PROGRAM, cnfkit, outcome};

fn lines(text: &str, wanted: &Wanted) -> Vec<String> {
    let problem = Problem::read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut lines = Vec::new();
    answer(problem, wanted, None, Limits::none(), Instant::now(), &mut |what| said(&mut lines, what)).unwrap();
    lines
}

/// Lines that are said now.
fn said(lines: &mut Vec<String>, what: AnswerText<'_>) {
    if let AnswerText::Now(text) = what {
        lines.extend(text.lines().map(str::to_owned));
    }
}

/// A solution, none, and the greatest value, each with its proof, which `VeriPB` checks where `VERIPB` names it.
#[test]
fn proofs_are_written() {
    let dir = std::env::temp_dir().join(format!("cnfkit-fzn-proof-{}", std::process::id()));
    let model = "predicate cnfkit_all_different(array [int] of var int: x);
        var 1..3: x :: output_var; var 1..3: y :: output_var; var 1..MOST: z :: output_var;
        constraint cnfkit_all_different([x, y, z]);
        constraint int_lin_le([1, 1], [x, y], 3);";
    for (most, goal, printed, conclusion, verdict) in [
        ("3", "satisfy", "z = 3;", "SAT", "s VERIFIED SATISFIABLE"),
        ("2", "satisfy", "=====UNSATISFIABLE=====", "UNSAT", "s VERIFIED UNSATISFIABLE"),
        ("9", "maximize z", "z = 9;", "BOUNDS", "s VERIFIED BOUNDS"),
        ("9", "minimize z", "z = 3;", "BOUNDS", "s VERIFIED BOUNDS"),
    ] {
        let _ = std::fs::remove_dir_all(&dir);
        let text = format!("{} solve {goal};", model.replace("MOST", most));
        let (problem, wanted) = (Problem::read(&text).unwrap(), Wanted::default());
        let mut lines = Vec::new();
        answer(problem, &wanted, Some(&dir), Limits::none(), Instant::now(), &mut |what| said(&mut lines, what))
            .unwrap();
        assert!(lines.iter().any(|line| line == printed), "{lines:?}");
        let command = lines.last().unwrap().strip_prefix("% checked by: veripb ").unwrap();
        let proof = std::fs::read_to_string(dir.join("proof.pbp")).unwrap();
        assert!(proof.contains(&format!("conclusion {conclusion}")) && proof.ends_with("end pseudo-Boolean proof;\n"));
        if let Some(veripb) = std::env::var_os("VERIPB") {
            let out = Command::new(veripb).args(command.split(' ')).output().unwrap();
            assert!(String::from_utf8_lossy(&out.stdout).contains(verdict), "{out:?}");
        }
    }
    std::fs::remove_dir_all(&dir).unwrap();
}

fn all() -> Wanted {
    Wanted { all: true, ..Wanted::default() }
}

fn wrong(text: &str) -> String {
    Problem::read(text).expect_err(text).to_string()
}

#[test]
fn every_way_to_say_a_solution() {
    let text = "
        % parameters, names in arrays, and arrays of two dimensions
        predicate cnfkit_all_different(array [int] of var int: x);
        int: most = 3;
        array [1..2] of int: factors = [1, -1];
        set of int: low = 1..2;
        1..3: unused = 2;
        array [1..2] of set of int: sets = [1..2, {4, 7}];
        var 1..3: x :: output_var;
        var {1, 3}: y :: output_var :: is_introduced;
        var bool: b :: output_var = true;
        var 0..1: z :: is_defined_var;
        var bool: c :: output_var;
        array [1..4] of var int: grid :: output_array([0..1, 1..2]) = [x, y, 7, z];
        array [1..0] of int: nothing :: output_array([1..0]) = [];
        constraint int_lin_le(factors, [x, y], -1) :: domain;
        constraint set_in(x, low);
        constraint bool2int(c, z) :: defines_var(z);
        constraint int_eq_reif(grid[2], most, c);
        constraint cnfkit_all_different([x, y]);
        solve :: int_search([x, y], first_fail, indomain_min, complete) satisfy;";
    let one = ["x = 1;", "y = 3;", "b = true;", "c = true;", "grid = array2d(0..1, 1..2, [1, 3, 7, 1]);"];
    let two = ["x = 2;", "y = 3;", "b = true;", "c = true;", "grid = array2d(0..1, 1..2, [2, 3, 7, 1]);"];
    let mut found = lines(text, &all());
    let end = "nothing = array1d(1..0, []);";
    let solution =
        |lines: [&str; 5]| lines.iter().map(|s| (*s).to_owned()).chain([end.into(), "-".repeat(10)]).collect();
    let mut expected: Vec<Vec<String>> = vec![solution(one), solution(two)];
    assert_eq!(found.pop().as_deref(), Some("=========="));
    let mut found: Vec<Vec<String>> = found.chunks(7).map(<[String]>::to_vec).collect();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    assert_eq!(lines(text, &Wanted { number: Some(1), ..Wanted::default() }).len(), 7);
    assert_eq!(lines(text, &Wanted { number: Some(2), ..Wanted::default() }).len(), 14);
}

/// An objective that is defined as a variable and a constant, and that is nowhere else, is these, in its bounds.
#[test]
fn objectives_that_are_variables_and_constants() {
    let text = |domain: &str, more: &str| {
        let names = format!("var 0..9: x; var 0..9: y; var {domain}: cost :: output_var;");
        format!("{names} constraint int_lin_eq([1, -1], [x, cost], 4); {more} solve minimize cost;")
    };
    let best = |text: &str| lines(text, &Wanted::default())[0].clone();
    for (domain, more, least) in [
        ("int", "", -4),
        ("-1..20", "", -1),
        ("1..20", "", 1),
        ("{2, 4}", "", 2),
        ("1..20", "constraint int_ne(cost, 1);", 2),
        ("1..20", "array [1..1] of var int: all :: output_array([1..1]) = [cost];", 1),
    ] {
        assert_eq!(best(&text(domain, more)), format!("cost = {least};"), "{domain} {more}");
    }
    let defined = |by: &str| text("1..20", "").replace("[1, -1], [x, cost], 4", by);
    assert_eq!(best(&defined("[1, -1], [cost, x], -4")), "cost = 1;");
    assert_eq!(best(&defined("[3, -2], [x, cost], 0")), "cost = 3;");
    assert_eq!(best(&defined("[1, 1, -1], [x, y, cost], 4")), "cost = 1;");
    let greatest = text("1..3", "").replace("minimize", "maximize");
    assert_eq!(lines(&greatest, &all()).iter().filter(|line| *line == "cost = 3;").count(), 1);
    let literals = |more: &str| Problem::read(&text("-4..5", more)).unwrap().model.statistics().unwrap().total.vars;
    assert!(literals("") < literals("constraint int_le(cost, 4);"), "a variable of its own");
}

/// Integers without bounds: those that follow from all constraints are found first, and proven.
#[test]
fn bounds_follow_from_constraints() {
    let fixed = |constraints: &str, goal: &str| {
        let text = format!("var int: x :: output_var; var int: y :: output_var; {constraints} solve {goal};");
        lines(&text, &Wanted::default()).join(" ")
    };
    for (constraints, goal, expected) in [
        ("int_lin_eq([1, -1], [x, y], 2000000); int_le(0, y); int_le(y, 5)", "minimize x", "x = 2000000; y = 0;"),
        (
            "int_times(3, y, x); int_lin_le([-1, -1], [x, y], -6000000); int_lin_le([1, 1], [x, y], 6000003)",
            "maximize x",
            "x = 4500000; y = 1500000;",
        ),
        (
            "int_times(x, x, y); int_le(y, 9000000000000); int_le(3000000, x)",
            "satisfy",
            "x = 3000000; y = 9000000000000;",
        ),
        ("int_abs(x, y); int_le(y, 4000000); int_le(x, -4000000)", "satisfy", "x = -4000000; y = 4000000;"),
        ("int_div(x, 1000000, y); int_eq(y, 7)", "minimize x", "x = 7000000; y = 7;"),
        ("int_mod(x, 7, y); int_eq(x, 3000000)", "maximize y", "x = 3000000; y = 3;"),
        ("int_eq(x, y); int_lt(x, y); int_le(x, 9); int_le(0, y)", "satisfy", "=====UNSATISFIABLE====="),
        ("int_max(x, y, 5000000); int_min(x, y, 4000000); int_lt(x, y)", "satisfy", "x = 4000000; y = 5000000;"),
        (
            "int_plus(x, y, 3000000); int_minus(x, y, 1000000); int_le(0, x); int_le(0, y)",
            "satisfy",
            "x = 2000000; y = 1000000;",
        ),
        (
            "array_int_maximum(5000000, [x, y]); int_le(4999999, x); int_lt(x, y)",
            "satisfy",
            "x = 4999999; y = 5000000;",
        ),
        ("array_int_element(x, [7, 3000000], y)", "maximize y", "x = 2; y = 3000000;"),
        ("set_in(x, {2, 8000000}); int_eq(x, y)", "maximize x", "x = 8000000; y = 8000000;"),
        ("cnfkit_table([x, y], [1, 2000000, 3, 1])", "maximize y", "x = 1; y = 2000000;"),
        ("cnfkit_circuit([x, y], 1)", "satisfy", "x = 2; y = 1;"),
        ("cnfkit_inverse([x], [y], 1, 1)", "satisfy", "x = 1; y = 1;"),
        ("cnfkit_count([x, 3], 3, y); int_eq(x, 3)", "maximize y", "x = 3; y = 2;"),
        ("cnfkit_among([x, 3], 2..3, y); int_eq(x, 3)", "maximize y", "x = 3; y = 2;"),
        ("cnfkit_nvalue(y, [x, 3]); int_eq(x, 4)", "maximize y", "x = 4; y = 2;"),
        ("cnfkit_all_equal([x, y, 2000000])", "maximize y", "x = 2000000; y = 2000000;"),
        ("cnfkit_regular([x, y], 2, 2, [2, 0, 0, 1], 1, {1})", "maximize y", "x = 1; y = 2;"),
        ("int_le(5, x); int_le(x, 7); bool2int(true, y)", "maximize x", "x = 7; y = 1;"),
    ] {
        let posted: String = constraints.split("; ").map(|one| format!("constraint {one}; ")).collect();
        let end = match goal {
            _ if expected.starts_with('=') => "",
            "satisfy" => " ----------",
            _ => " ---------- ==========",
        };
        assert_eq!(fixed(&posted, goal), format!("{expected}{end}"), "{constraints}");
    }
}

/// Sets are ranges, however many values these have; extremes are reified as the library declares them.
#[test]
fn wide_sets_and_reified_extremes() {
    let count = |text: &str| {
        lines(&format!("{text} solve satisfy;"), &all()).iter().filter(|line| *line == "----------").count()
    };
    let two = "var 1..50: x :: output_var; var {1..1000000000, 3000000000..4000000000}: y :: output_var;";
    assert_eq!(count(&format!("{two} constraint set_in(x, 1..1000000000); constraint int_eq(y, 7);")), 50);
    let values = ["[x, 7], 40..1000000000, 1", "[x, 7], 2..1000000000, 1", "[x, y], {3..1000000000, 1..2}, 1"];
    for (among, expected) in values.into_iter().zip([11, 1, 50]) {
        let model = format!("{two} constraint cnfkit_among({among}); constraint int_le(3999999999, y);");
        assert_eq!(count(&model), 2 * expected, "{among}");
    }
    let model =
        format!("{two} constraint cnfkit_all_different_except([x, y], 5..1000000000); constraint int_le(y, 5);");
    assert_eq!(count(&model), 5 * 50 - 4);
    let model =
        "var 0..2: x :: output_var; var 0..2: y :: output_var; var 0..2: m :: output_var; var bool: b :: output_var;";
    assert_eq!(count(&format!("{model} constraint array_int_maximum_reif(m, [x, y], b);")), 27);
    assert_eq!(count(&format!("{model} constraint array_int_minimum_reif(m, [x, y], true);")), 18);
    assert_eq!(count(&format!("{model} constraint array_int_minimum_imp(m, [x, y], b);")), 27 + 9);
    let library =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../fzn").join("share/minizinc/cnfkit/redefinitions-2.0.mzn");
    let library = std::fs::read_to_string(library).unwrap();
    let kinds = ["maximum", "minimum"]
        .into_iter()
        .flat_map(|of| ["", "_reif", "_imp"].map(|end| format!("array_int_{of}{end}(")));
    kinds.for_each(|kind| assert!(library.contains(&kind), "{kind}"));
}

/// A sum of many terms is as good an objective by name.
#[test]
fn named_sums_are_minimised() {
    let vars: String = (0..8).map(|at| format!("var 0..40: x{at};")).collect();
    for (kind, total) in [("int_lin_eq", "0..100000: total"), ("int_lin_le", "int: total")] {
        let text = format!(
            "{vars} var {total} :: output_var;
            constraint {kind}([31,17,23,41,13,29,37,19,-1],[x0,x1,x2,x3,x4,x5,x6,x7,total],0);
            constraint int_lin_le([-3,-2,-2,-5,-1,-3,-4,-2],[x0,x1,x2,x3,x4,x5,x6,x7],-100);
            constraint int_lin_le([-1,-1],[x0,x7],-7);
            constraint int_lin_le([-1,-1],[x2,x5],-5);
            constraint int_lin_le([-1,-1],[x1,x4],-9);
            constraint int_le(total, 100000);
            solve minimize total;"
        );
        assert_eq!(lines(&text, &Wanted::default()), ["total = 868;", "----------", "=========="], "{kind}");
    }
}

#[test]
fn optima_and_ends() {
    let text = "var 0..9: x :: output_var; var 0..9: y; var int: cost :: output_var;
        constraint int_lin_eq([3, 2, -1], [x, y, cost], 4);
        constraint int_lin_le([-1, -1], [x, y], -5);";
    let best = |goal: &str| lines(&format!("{text} solve {goal};"), &Wanted::default());
    assert_eq!(best("minimize cost"), ["x = 0;", "cost = 6;", "----------", "=========="]);
    assert_eq!(best("maximize cost"), ["x = 9;", "cost = 41;", "----------", "=========="]);
    // If the search was stopped, the best solution so far would be said.
    let problem = Problem::read(&format!("{text} solve maximize cost;")).unwrap();
    let mut unsaid = String::new();
    let mut note = |what: AnswerText<'_>| match what {
        AnswerText::IfStopped(text) => text.clone_into(&mut unsaid),
        AnswerText::Now(_) => {}
    };
    answer(problem, &Wanted::default(), None, Limits::none(), Instant::now(), &mut note).unwrap();
    assert_eq!(unsaid, "x = 9;\ncost = 41;\n----------\n");
    let every = lines(&format!("{text} solve maximize cost;"), &all());
    let costs: Vec<i64> =
        every.iter().filter_map(|line| line.strip_prefix("cost = ")?.strip_suffix(";")?.parse().ok()).collect();
    assert!(costs.is_sorted() && costs.last() == Some(&41), "{every:?}");
    assert_eq!(lines("var 1..3: x; constraint int_le(4, x); solve satisfy;", &all()), ["=====UNSATISFIABLE====="]);
    // Nothing bounds x, so that what is not found within bounds may be beyond them.
    let open = "var int: x :: output_var; var int: y; constraint int_lin_eq([1, -1], [x, y], 3000000);";
    assert_eq!(lines(&format!("{open} solve satisfy;"), &all()), ["=====UNKNOWN====="]);
    let open = "var int: x :: output_var; constraint int_lt(2000000, x); solve minimize x;";
    assert_eq!(lines(open, &Wanted::default()), ["x = 2000001;", "----------"]);
    let problem = Problem::read("var 1..3: x; solve satisfy;").unwrap();
    let mut found = Vec::new();
    let limits = Limits::none().time(Duration::ZERO);
    answer(problem, &all(), None, limits, Instant::now(), &mut |what| said(&mut found, what)).unwrap();
    assert_eq!(found, ["=====UNKNOWN====="]);
    let statistics = lines("var 1..3: x; solve satisfy;", &Wanted { statistics: true, ..Wanted::default() });
    assert!(statistics.contains(&"%%%mzn-stat: intVariables=1".to_owned()), "{statistics:?}");
    assert_eq!(statistics.last().map(String::as_str), Some("%%%mzn-stat-end"));
}

/// The values of `warm_start` come first, wherever it stands.
#[test]
fn warm_starts_are_heeded() {
    let vars = "var 0..9: x :: output_var; var 0..9: y :: output_var; var bool: b :: output_var; var bool: c;
        constraint int_le(x, y); constraint int_eq_reif(x, 3, c);";
    for search in [
        "warm_start([x, y, 7], [3, 8, 7]) :: warm_start([b], [true])",
        "warm_start_array([warm_start_int([y, x], [8, 3]), warm_start_bool([b, c], [true, true])])",
        "seq_search([int_search([x], input_order, indomain_min), warm_start_bool([c, b], [true, true]),
            warm_start([y], [8])])",
    ] {
        let found = lines(&format!("{vars} solve :: {search} satisfy;"), &Wanted::default());
        assert_eq!(found, ["x = 3;", "y = 8;", "b = true;", "----------"], "{search}");
        let best = lines(&format!("{vars} solve :: {search} minimize y;"), &all());
        assert_eq!((best[1].as_str(), best.last().map(String::as_str)), ("y = 8;", Some("==========")), "{search}");
    }
    let error = wrong("var 0..9: x; solve :: warm_start([x]) satisfy;");
    assert_eq!(error, "line 1, column 23: `warm_start` has two arrays");
}

/// Whatever `cnfkit.msc` tells MiniZinc to pass is an option, and statistics are lines that MiniZinc reads.
#[test]
fn options_are_those_of_the_configuration() {
    let program = env!("CARGO_BIN_EXE_fzn-cnfkit");
    let root = &Path::new(env!("CARGO_MANIFEST_DIR")).join("../fzn");
    let configuration = std::fs::read_to_string(root.join("share/minizinc/solvers/cnfkit.msc")).unwrap();
    // MiniZinc finds it wherever it is installed.
    assert!(configuration.contains("\"executable\": \"fzn-cnfkit\""), "{configuration}");
    let flags = configuration.split_once("\"stdFlags\": [").unwrap().1.split_once(']').unwrap().0;
    let help = Command::new(program).arg("-h").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    for flag in flags.split(", ").map(|flag| flag.trim_matches('"')) {
        assert!(help.contains(&format!("  {flag}, ")), "{flag}");
    }
    let path = std::env::temp_dir().join(format!("cnfkit-options-{}.fzn", std::process::id()));
    let model = "predicate cnfkit_all_different(array [int] of var int: x); var 1..3: x; var 1..3: y;
        var 2..6: z :: output_var; constraint cnfkit_all_different([x, y]);
        constraint int_lin_eq([1, 1, -1], [x, y, z], 0); solve minimize z;";
    std::fs::write(&path, model).unwrap();
    let args = ["-p", "2", "-r", "-7", "-s", "-v", "-f", "-i", "-t", "60000", path.to_str().unwrap()];
    let out = Command::new(program).args(args).output().unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(out.status.success(), "{out:?}");
    let (text, words) = (String::from_utf8(out.stdout).unwrap(), String::from_utf8(out.stderr).unwrap());
    let (answer, statistics) = text.split_once("==========\n").unwrap();
    assert!(answer.ends_with("z = 3;\n----------\n"), "{text}");
    for line in statistics.lines() {
        let is_number = |text: &str| text.parse::<f64>().is_ok();
        let stat = line.strip_prefix("%%%mzn-stat: ").and_then(|stat| stat.split_once('='));
        assert!(line == "%%%mzn-stat-end" || stat.is_some_and(|(_, value)| is_number(value)), "{line}");
    }
    for stat in ["objective=3\n", "objectiveBound=3\n", "nSolutions=", "failures=", "solveTime=", "clauses="] {
        assert!(statistics.contains(&format!("%%%mzn-stat: {stat}")), "{statistics}");
    }
    assert!(words.contains("all_different(x0, x1)"), "{words}");
}

/// A byte order mark says nothing; what is no text is named, and a variable that is looked for in a window only.
#[test]
fn what_is_said_of_a_file() {
    let text = "\u{feff}var 1..3: x :: output_var; solve satisfy;";
    assert_eq!(lines(text, &all()).len(), 7);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("what is said of a file");
    for (bytes, expected) in [
        (text.as_bytes(), "x = "),
        (b"PK\x03\x04", ": a zip archive; UTF-8 text is needed"),
        (b"\xff\xfev\0", ": text in UTF-16; UTF-8 text is needed"),
        (b"var 1..3: x;\n\xff", ": line 2, byte 1: not UTF-8 text"),
        (b"var int: x; constraint int_le(1, x); solve satisfy;", "warning: nothing bounds `x`: looking no farther"),
    ] {
        std::fs::write(&path, bytes).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_fzn-cnfkit")).arg(&path).output().unwrap();
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(said.contains(expected), "{expected}: {said}");
    }
}

/// A power bounds the integers that nothing else does; bounds that contradict each other are an answer.
#[test]
fn bounds_of_powers() {
    let cube = "var -4..-1: x :: output_var; var int: y :: output_var; constraint int_pow(x, 3, y);";
    let best = lines(&format!("{cube} solve maximize y;"), &Wanted::default());
    assert_eq!(best, ["x = -1;", "y = -1;", "----------", "=========="]);
    let root = "var 2..3: n; var int: x :: output_var; constraint int_pow(x, n, 27); solve satisfy;";
    assert_eq!(lines(root, &all()), ["x = 3;", "----------", "=========="]);
    let far = "var -1..0: x; var int: y; var int: z; constraint int_lin_le([2, -3], [x, y], -6000000000);";
    let none = format!("{far} constraint int_minus(x, x, y); constraint int_times(y, y, z); solve minimize z;");
    assert_eq!(lines(&none, &all()), ["=====UNSATISFIABLE====="]);
}

#[test]
fn wrong_files_say_where() {
    let of =
        |constraint: &str| wrong(&format!("var 1..3: x;\nvar bool: b;\n  constraint {constraint};\nsolve satisfy;"));
    assert_eq!(of("float_le(x, x)"), "line 3, column 14: the constraint `float_le` is not supported");
    assert_eq!(of("set_union(x, x)"), "line 3, column 14: the constraint `set_union` is not supported");
    assert_eq!(of("int_le(x, yy)"), "line 3, column 24: no `yy` is declared before");
    assert_eq!(of("int_le(x)"), "line 3, column 14: `int_le` has 1 arguments, expected 2");
    assert_eq!(of("int_le_reif(x, b)"), "line 3, column 14: `int_le_reif` has 2 arguments, expected 3");
    assert_eq!(of("bool_or(x, b, b)"), "line 3, column 22: found an integer, expected a Boolean");
    assert_eq!(
        of("int_lin_le([x], [x], 3)"),
        "line 3, column 25: found an array with variables, expected an array of known integers"
    );
    assert_eq!(
        of("int_lin_le([1, 2], [x], 3)"),
        "line 3, column 14: the arrays of `int_lin_le` have [2, 1] elements, expected as many"
    );
    assert_eq!(of("cnfkit_table([x, x], [1, 2, 3])"), "line 3, column 14: a table of 3 numbers for 2 columns");
    assert_eq!(of("int_le(x, 99999999999999999999)"), "line 3, column 24: 99999999999999999999 is beyond 64 bits");
    assert_eq!(of("int_le(x, 1.5)"), "line 3, column 24: floats are not supported");
    assert_eq!(of("int_le x"), "line 3, column 21: found `x`, expected (");
    assert_eq!(wrong("var float: x; solve satisfy;"), "line 1, column 5: floats are not supported");
    assert_eq!(
        wrong("var set of 1..3: x; solve satisfy;"),
        "line 1, column 5: variables that are sets are not supported"
    );
    for end in ["\n", "\r\n", "\r"] {
        let text = "% twice\nvar 1..2: x;\nvar 1..3: x; solve satisfy;".replace('\n', end);
        assert_eq!(wrong(&text), "line 3, column 11: `x` is declared twice");
    }
    assert_eq!(wrong("var 1..2: ä; solve satisfy;"), "line 1, column 11: found 'ä', expected FlatZinc");
    assert_eq!(wrong("var 1..2: x;"), "line 1, column 13: found the end of the file, expected `solve` before the end");
    assert_eq!(
        wrong("array [1..2] of var int: x; solve satisfy;"),
        "line 1, column 27: found `;`, expected `=` and a value"
    );
    assert_eq!(wrong("int: x = true; solve satisfy;"), "line 1, column 10: found a Boolean, expected an integer");
    let deep = format!("int: x = {}; solve satisfy;", "[".repeat(100_000));
    assert!(wrong(&deep).contains("expected less nesting"));
    let nested = |depth: usize| wrong(&format!("int: x = {}1{}; solve satisfy;", "[".repeat(depth), "]".repeat(depth)));
    assert!(!nested(64).contains("nesting") && nested(65).contains("expected less nesting"));
    for accepting in ["1..3", "0..1", "3..4"] {
        let error = of(&format!("cnfkit_regular([x, x], 2, 2, [2, 1, 0, 1], 1, {accepting})"));
        assert!(error.ends_with("states are 1..2"), "{error}");
    }
    // A long chain of definitions is no deep recursion.
    let names: String = (0..50_000).map(|at| format!("var bool: b{at};")).collect();
    let chain: String = (1..50_000).map(|at| format!("constraint bool_not(b{}, b{});", at, at - 1)).collect();
    assert!(Problem::read(&format!("{names}{chain} solve satisfy;")).is_ok());
}

/// Any text ends in an answer or an error.
#[test]
fn broken_texts_are_errors() {
    let text = "array [1..2] of var int: a :: output_array([1..2]) = [x, 3]; var -1..{2,3}: x = [1.5e3, \"s\"];
        constraint int_lin_eq_reif(a, [0x1F, -7], b[2]); solve minimize x;";
    let mut random = Random(3);
    for _ in 0..3_000 {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..1 + random.below(4) {
            if bytes.is_empty() {
                break;
            }
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => drop(bytes.remove(at)),
                1 => bytes[at] = text.as_bytes()[random.below(text.len())],
                _ => bytes.truncate(at.max(1)),
            }
        }
        let _ = Problem::read(&String::from_utf8(bytes).unwrap());
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }

    fn int(&mut self, from: i64, to: i64) -> i64 {
        from + self.below((to - from + 1) as usize) as i64
    }
}

/// A constraint as text, and whether it holds.
type Said = (String, Box<dyn Fn(&[i64]) -> bool>);

/// Integers are variables 0 to 2, Booleans 3 to 5; a number may stand for either.
fn argument(random: &mut Random, is_bool: bool) -> (String, Box<dyn Fn(&[i64]) -> i64>) {
    if random.below(5) == 0 {
        let value = random.int(0, if is_bool { 1 } else { 3 });
        let text = if is_bool { (value == 1).to_string() } else { value.to_string() };
        return (text, Box::new(move |_| value));
    }
    let at = random.below(3) + if is_bool { 3 } else { 0 };
    (["x", "y", "z", "a", "b", "c"][at].to_owned(), Box::new(move |values| values[at]))
}

fn by_lot(random: &mut Random) -> Said {
    type Of = (&'static str, &'static str, fn(&[i64]) -> bool);
    // i: an integer, b: a Boolean; I and B: arrays of three.
    const KINDS: [Of; 33] = [
        ("int_eq", "ii", |v| v[0] == v[1]),
        ("int_ne", "ii", |v| v[0] != v[1]),
        ("int_le", "ii", |v| v[0] <= v[1]),
        ("int_lt", "ii", |v| v[0] < v[1]),
        ("int_abs", "ii", |v| v[0].abs() == v[1]),
        ("int_plus", "iii", |v| v[0] + v[1] == v[2]),
        ("int_times", "iii", |v| v[0] * v[1] == v[2]),
        ("int_div", "iii", |v| v[1] != 0 && v[0] / v[1] == v[2]),
        ("int_mod", "iii", |v| v[1] != 0 && v[0] % v[1] == v[2]),
        ("int_pow", "iii", |v| match (v[0], v[1]) {
            (0, ..0) => false,
            (base, exponent @ 0..) => base.pow(exponent as u32) == v[2],
            (base, exponent) => 1 / base.pow(exponent.unsigned_abs() as u32) == v[2],
        }),
        ("int_min", "iii", |v| v[0].min(v[1]) == v[2]),
        ("int_max", "iii", |v| v[0].max(v[1]) == v[2]),
        ("bool2int", "bi", |v| v[0] == v[1]),
        ("bool_eq", "bb", |v| v[0] == v[1]),
        ("bool_not", "bb", |v| v[0] != v[1]),
        ("bool_le", "bb", |v| v[0] <= v[1]),
        ("bool_lt", "bb", |v| v[0] < v[1]),
        ("bool_and", "bbb", |v| v[0] & v[1] == v[2]),
        ("bool_or", "bbb", |v| v[0] | v[1] == v[2]),
        ("bool_xor", "bbb", |v| v[0] ^ v[1] == v[2]),
        ("array_bool_and", "Bb", |v| v[0] & v[1] & v[2] == v[3]),
        ("array_bool_or", "Bb", |v| v[0] | v[1] | v[2] == v[3]),
        ("array_bool_xor", "B", |v| v[0] ^ v[1] ^ v[2] == 1),
        ("bool_clause", "BB", |v| v[..3].contains(&1) || v[3..].contains(&0)),
        ("array_var_int_element", "iIi", |v| (1..=3).contains(&v[0]) && v[v[0] as usize] == v[4]),
        ("array_var_bool_element", "iBb", |v| (1..=3).contains(&v[0]) && v[v[0] as usize] == v[4]),
        ("array_int_maximum", "iI", |v| v[1..].iter().max() == Some(&v[0])),
        ("array_int_minimum", "iI", |v| v[1..].iter().min() == Some(&v[0])),
        ("cnfkit_all_different", "I", |v| v[0] != v[1] && v[1] != v[2] && v[0] != v[2]),
        ("cnfkit_all_equal", "I", |v| v[0] == v[1] && v[1] == v[2]),
        ("cnfkit_lex_less", "II", |v| v[..3] < v[3..]),
        ("cnfkit_lex_lesseq", "II", |v| v[..3] <= v[3..]),
        ("bool_ne", "bb", |v| v[0] != v[1]),
    ];
    let kind = random.below(KINDS.len() + 5);
    let (name, shape, holds): (String, &str, Box<dyn Fn(&[i64]) -> bool>) = match kind.checked_sub(KINDS.len()) {
        None => (KINDS[kind].0.into(), KINDS[kind].1, Box::new(KINDS[kind].2)),
        Some(linear @ 0..3) => {
            let factors: Vec<i64> = (0..3).map(|_| random.int(-3, 3)).collect();
            let name = ["int_lin_eq", "int_lin_ne", "int_lin_le"][linear];
            let args = format!("{name}({factors:?}, ");
            let holds = move |v: &[i64]| {
                let sum: i64 = factors.iter().zip(v).map(|(factor, value)| factor * value).sum();
                match linear {
                    0 => sum == v[3],
                    1 => sum != v[3],
                    _ => sum <= v[3],
                }
            };
            (args, "Ii", Box::new(holds))
        }
        Some(3) => {
            let (from, to, other) = (random.int(-2, 1), random.int(0, 2), random.int(2, 4));
            let set = if other == 4 { format!("{from}..{to}") } else { format!("{{{from}, {to}, {other}}}") };
            let holds = move |v: &[i64]| match other {
                4 => from <= v[0] && v[0] <= to,
                _ => [from, to, other].contains(&v[0]),
            };
            (format!("set_in|, {set}"), "i", Box::new(holds))
        }
        Some(_) => {
            let value = random.int(0, 2);
            let holds = move |v: &[i64]| v[..3].iter().filter(|&&own| own == value).count() as i64 == v[3];
            (format!("cnfkit_count|I, {value}, i"), "Ii", Box::new(holds))
        }
    };
    let mut texts = Vec::new();
    let mut values: Vec<Box<dyn Fn(&[i64]) -> i64>> = Vec::new();
    for part in shape.chars() {
        let n = if part.is_uppercase() { 3 } else { 1 };
        let args: Vec<_> = (0..n).map(|_| argument(random, part.eq_ignore_ascii_case(&'b'))).collect();
        let text: Vec<String> = args.iter().map(|arg| arg.0.clone()).collect();
        texts.push(if n == 3 { format!("[{}]", text.join(", ")) } else { text.concat() });
        values.extend(args.into_iter().map(|arg| arg.1));
    }
    let mut text = match name.split_once('|') {
        Some((name, rest)) if name == "set_in" => format!("{name}({}{rest}", texts[0]),
        Some((name, rest)) => {
            let value = rest.split(", ").nth(1).unwrap();
            format!("{name}({}, {value}, {}", texts[0], texts[1])
        }
        None if name.ends_with(", ") => format!("{name}{}", texts.join(", ")),
        None => format!("{name}({}", texts.join(", ")),
    };
    let plain = move |assigned: &[i64]| {
        let values: Vec<i64> = values.iter().map(|value| value(assigned)).collect();
        holds(&values)
    };
    match random.below(3) {
        0 => (text + ")", Box::new(plain)),
        how => {
            let (bool, truth) = argument(random, true);
            let at = text.find('(').unwrap();
            text.insert_str(at, if how == 1 { "_reif" } else { "_imp" });
            let holds = move |assigned: &[i64]| match (how, truth(assigned) == 1) {
                (1, expected) => plain(assigned) == expected,
                (_, condition) => !condition || plain(assigned),
            };
            (format!("{text}, {bool})"), Box::new(holds))
        }
    }
}

#[test]
fn constraints_by_lot_against_brute_force() {
    let mut random = Random(1);
    let (mut some, mut none) = (0, 0);
    for round in 0..1_500 {
        let said: Vec<Said> = (0..1 + random.below(3)).map(|_| by_lot(&mut random)).collect();
        let posted: String = said.iter().map(|(text, _)| format!("constraint {text};\n")).collect();
        // With domains, or with bounds that constraints say.
        let (ints, bounds) = if round % 2 == 0 {
            (["-2..3", "{0, 1, 3}", "0..1"], "")
        } else {
            let bounds = "constraint int_le(-2, x); constraint int_lt(x, 4); constraint set_in(y, {0, 1, 3});
                constraint int_lin_le([-1], [z], 0); constraint int_le(z, 1);";
            (["int"; 3], bounds)
        };
        let ints: String =
            ints.iter().zip(["x", "y", "z"]).map(|(of, name)| format!("var {of}: {name} :: output_var; ")).collect();
        let text = format!(
            "{ints}var bool: a :: output_var; var bool: b :: output_var; var bool: c :: output_var;
            {posted}{bounds}solve satisfy;"
        );
        let mut expected = BTreeSet::new();
        for x in -2..=3 {
            for y in [0, 1, 3] {
                for bits in 0..16 {
                    let bit = |at: i64| bits >> at & 1;
                    let values = [x, y, bit(0), bit(1), bit(2), bit(3)];
                    if said.iter().all(|(_, holds)| holds(&values)) {
                        expected.insert(values);
                    }
                }
            }
        }
        let found = lines(&text, &all());
        let value = |line: &String| match line.split_once(" = ").map(|(_, value)| value.trim_end_matches(';')) {
            Some("true") => 1,
            Some("false") => 0,
            Some(number) => number.parse::<i64>().unwrap(),
            None => panic!("{line}"),
        };
        let ends = found.last().unwrap();
        assert_eq!(ends == "=====UNSATISFIABLE=====", expected.is_empty(), "round {round}\n{text}");
        let solutions: Vec<Vec<i64>> =
            found[..found.len() - 1].chunks(7).map(|lines| lines[..6].iter().map(value).collect()).collect();
        let set: BTreeSet<[i64; 6]> = solutions.iter().map(|values| values[..].try_into().unwrap()).collect();
        assert_eq!(set.len(), solutions.len(), "round {round}\n{text}");
        let differ: Vec<_> = set.symmetric_difference(&expected).take(3).collect();
        assert!(differ.is_empty(), "round {round}: {differ:?}\n{text}");
        some += usize::from(!expected.is_empty());
        none += usize::from(expected.is_empty());
    }
    assert!(some > 500 && none > 100, "{some} {none}");
}

/// A definition may name what is declared after it, by another name that stands for a third.
#[test]
fn other_names_for_later_variables() {
    for constraint in ["bool2int(q, i)", "int_ne_reif(k, 0, d)", "bool_not(q, d)"] {
        let text = format!(
            "var 0..1: i :: output_var; var bool: d :: output_var; var bool: c :: output_var; var 0..1: j :: output_var;
            var bool: p = c; var bool: q = p; var 0..1: k = j; constraint {constraint}; solve satisfy;"
        );
        assert_eq!(lines(&text, &all()).iter().filter(|line| *line == "----------").count(), 8, "{constraint}");
    }
}

/// Constraints of the library that the test by lot does not have.
#[test]
fn constraints_of_the_library() {
    let count = |vars: &str, constraint: &str| {
        let names: Vec<&str> = vars.split(' ').collect();
        let of: String = names.iter().map(|name| format!("var 0..3: {name} :: output_var;")).collect();
        let count = |text: &str| lines(text, &all()).iter().filter(|line| *line == "----------").count();
        let plain = count(&format!("{of} constraint {constraint}; solve satisfy;"));
        let (name, args) = constraint.rsplit_once(')').unwrap().0.split_once('(').unwrap();
        let not = count(&format!("{of} constraint {name}_reif({args}, false); solve satisfy;"));
        assert_eq!(plain + not, 4_usize.pow(names.len() as u32), "{constraint}");
        plain
    };
    assert_eq!(count("x y z", "cnfkit_circuit([x, y, z], 1)"), 2);
    assert_eq!(count("x y z", "cnfkit_subcircuit([x, y, z], 1)"), 6);
    assert_eq!(count("x y z", "cnfkit_all_different_except([x, y, z], {0})"), 1 + 9 + 18 + 6);
    assert_eq!(count("x y", "cnfkit_table([x, y], [0, 1, 2, 3, 0, 1])"), 2);
    assert_eq!(count("x y z", "cnfkit_among([x, y, z], 1..2, 2)"), 3 * 4 * 2);
    assert_eq!(count("x y z w", "cnfkit_inverse([x, y], [z, w], 1, 2)"), 2);
    assert_eq!(count("x y", "cnfkit_disjunctive([x, y], [2, 1])"), 16 - 4 - 3);
    assert_eq!(count("x y", "cnfkit_cumulative([x, y], [2, 1], [2, 2], 3)"), 16 - 4 - 3);
    // Durations, demands and a capacity that are variables.
    assert_eq!(count("x y d", "cnfkit_disjunctive([x, y], [d, 1])"), 16 + 12 + 9 + 7);
    assert_eq!(
        count("x d r b", "cnfkit_cumulative([x, 1], [d, 1], [r, 1], b)"),
        by_force(|[x, d, r, b]| {
            (0..4).all(|now| i64::from(x <= now && now < x + d) * r + i64::from(now == 1) <= b)
        })
    );
    assert_eq!(count("x y n", "cnfkit_nvalue(n, [x, y])"), 16);
    assert_eq!(count("x y c", "cnfkit_count([x, y, 2], y, c)"), 16);
    assert_eq!(count("x y", "cnfkit_diffn([x, 1], [y, 1], [2, 1], [2, 1])"), 16 - 4);
    assert_eq!(
        count("x y z", "cnfkit_value_precede([1, 2], [x, y, z])"),
        by_force(|[x, y, z, w]| { w == 0 && (x != 2) && (y != 2 || x == 1) && (z != 2 || x == 1 || y == 1) })
    );
    assert_eq!(count("x y", "cnfkit_value_precede([1, 1], [x, y])"), 9);
    // A one in the last place but one, from states where it might be any.
    let steps = "[1, 0, 1, 1, 1, 1, 1, 1, 2, 2, 0, 3, 2, 1, 3]";
    assert_eq!(
        count("x y z", &format!("cnfkit_regular_nfa([x, y, z], 3, {steps}, 1, {{3}})")),
        by_force(|[x, y, z, w]| w == 0 && x < 2 && y == 1 && z < 2)
    );
    // More states than memory could hold, most of which nothing leads to.
    assert_eq!(count("x y", "cnfkit_regular_nfa([x, y], 9223372036854775807, [1, 1, 9, 9, 2, 9], 1, 2..99)"), 1);
    // Words of 1 and 2 without two ones in a row.
    assert_eq!(count("x y z", "cnfkit_regular([x, y, z], 2, 2, [2, 1, 0, 1], 1, 1..2)"), 5);
}

/// The number of choices of four numbers from 0 to 3.
fn by_force(holds: impl Fn([i64; 4]) -> bool) -> usize {
    let digit = |number: i64, at: u32| number / 4_i64.pow(at) % 4;
    (0..256).filter(|&number| holds([0, 1, 2, 3].map(|at| digit(number, at)))).count()
}

/// A triangle 3, 4, 5 with its edges: the graphs that each constraint allows.
#[test]
fn graphs_of_the_library() {
    let names = ["a", "b", "c", "ab", "bc", "ca"];
    let of: String = names.iter().map(|name| format!("var bool: {name} :: output_var;")).collect();
    let count = |constraint: &str| {
        let text = format!("{of} var 2..5: r :: output_var; constraint {constraint}; solve satisfy;");
        lines(&text, &all()).iter().filter(|line| *line == "----------").count()
    };
    let with = |name: &str, roots: &str, more: &str| {
        format!("{name}([3, 4, 5], [4, 5, 3], {roots}[a, b, c], [ab, bc, ca], 3{more})")
    };
    // None, one, two with their edge, three with two edges or all; r is anything.
    assert_eq!(count(&with("cnfkit_connected", "", "")), (1 + 3 + 3 + 4) * 4);
    assert_eq!(count(&with("cnfkit_connected_reif", "", ", false")), (64 - 11) * 4);
    // From a root that is one of them.
    assert_eq!(count(&with("cnfkit_reachable", "r, ", "")), 3 + 3 * 2 + 4 * 3);
    assert_eq!(count(&with("cnfkit_dreachable", "r, ", "")), 3 + 3 + 3 + 3);
    assert_eq!(count(&with("cnfkit_path", "3, r, ", "")), 1 + 2 * 2);
    let error = wrong(&format!("{of} constraint cnfkit_connected([3], [2], [a, b], [ab], 3); solve satisfy;"));
    assert!(error.ends_with("an edge to node 2: nodes are 3..4"), "{error}");
}

/// All that MiniZinc needs is in a folder, the configuration calls the program that was built beside this one, and its
/// path of the library is right.
#[test]
fn what_minizinc_needs_is_installed() {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("a home of MiniZinc, übung");
    let _ = std::fs::remove_dir_all(&home);
    std::fs::create_dir(&home).unwrap();
    let named = home.join("named");
    for (args, folder) in [(vec![], home.join(".minizinc")), (vec![named.to_str().unwrap()], named.clone())] {
        let (args, folder) =
            if cfg!(windows) { (vec![named.to_str().unwrap()], named.clone()) } else { (args, folder) };
        let out = cnfkit("minizinc-install", &args).env("HOME", &home).output().unwrap();
        let configuration = folder.join("solvers").join("cnfkit.msc");
        let said = (String::from_utf8(out.stdout).unwrap(), out.status.code());
        assert_eq!(said, (format!("{}\n", configuration.display()), Some(0)));
        let text = std::fs::read_to_string(configuration).unwrap();
        let program = Path::new(PROGRAM).with_file_name(format!("fzn-cnfkit{}", std::env::consts::EXE_SUFFIX));
        assert!(text.contains(&format!("\"executable\": {:?}", program.to_str().unwrap())), "{text}");
        assert!(text.contains("\"mznlib\": \"../cnfkit\""), "{text}");
        let share = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fzn/share/minizinc/cnfkit");
        for file in std::fs::read_dir(share).unwrap().map(|entry| entry.unwrap()).filter(|file| file.path().is_file()) {
            let [given, installed] =
                [file.path(), folder.join("cnfkit").join(file.file_name())].map(|path| std::fs::read(path).unwrap());
            assert!(given == installed, "{:?}", file.file_name());
        }
    }
    let (text, message, code) = outcome("minizinc-install", &[PROGRAM], b"");
    assert_eq!((text.as_str(), code), ("", Some(2)));
    assert!(message.starts_with("error: ") && message.contains(PROGRAM), "{message}");
}

/// Models through MiniZinc itself, with what is installed for it:
/// `cargo test --release -p cnfkit-cli --test cli -- --ignored minizinc`.
#[test]
#[ignore = "needs MiniZinc"]
fn minizinc() {
    let root = &Path::new(env!("CARGO_MANIFEST_DIR")).join("../fzn");
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("home");
    let installed = cnfkit("minizinc-install", &[]).env("HOME", &home).output().unwrap();
    assert!(installed.status.success(), "{installed:?}");
    let run_with = |options: &[&str], name: &str| {
        let out = Command::new("minizinc")
            .env("HOME", &home)
            .args(["--solver", "cnfkit"])
            .args(options)
            .arg(root.join("tests/minizinc").join(name))
            .output()
            .expect("MiniZinc is installed");
        assert!(out.status.success(), "{name}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).unwrap()
    };
    let run = |name: &str| run_with(&["-a"], name);
    let count = |name: &str| run(name).matches("----------").count();
    // As many as Gecode finds with MiniZinc's own library; `circuit` is said there by its two solutions.
    assert_eq!(count("globals_together.mzn"), 4_080);
    assert_eq!(count("reified.mzn"), 115);
    let best = |name: &str| run(name).lines().rev().nth(2).unwrap().to_owned();
    assert_eq!(best("tasks_of_open_length.mzn"), "17");
    assert!(best("stocked_knapsack.mzn").contains("total=41"));
    assert_eq!(best("side_by_side.mzn"), "5");
    let flat = run_with(&["-c", "--no-output-ozn", "--output-fzn-to-stdout"], "side_by_side.mzn");
    assert_eq!(flat.matches("constraint cnfkit_cumulative(").count(), 1, "along the axis of known places: {flat}");
}
