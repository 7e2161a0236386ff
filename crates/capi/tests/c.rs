//! The library from C, C++ and Python: the programs beside this file, compiled by gcc with its sanitizers and run.

#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// The folder in which cargo leaves the library.
fn libraries() -> PathBuf {
    std::env::current_exe().unwrap().parent().unwrap().to_owned()
}

/// The newest library of this kind, by the end of its name.
fn library(end: &str) -> PathBuf {
    let found = std::fs::read_dir(libraries()).unwrap().map(|file| file.unwrap().path());
    let is_ours = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        name.starts_with("libcnfkit_c") && name.ends_with(end)
    };
    let changed = |path: &PathBuf| std::fs::metadata(path).unwrap().modified().unwrap();
    found.filter(is_ours).max_by_key(changed).expect("cargo builds it")
}

fn text(output: Output) -> (String, String, bool) {
    let [out, error] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    (out, error, output.status.success())
}

/// Compiles a program, and runs it; `None` where it cannot be compiled for want of a library.
fn run(compiler: &str, file: &str, more: &[&str]) -> Option<(String, String, bool)> {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(file.replace('.', "-"));
    let mut command = Command::new(compiler);
    command.args(["-Wall", "-Wextra", "-Werror", "-g", "-fsanitize=address,undefined", "-I"]);
    command.arg(Path::new(HERE).join("include")).arg(Path::new(HERE).join("tests").join(file)).arg(library(".a"));
    let built = command.args(["-lpthread", "-lm", "-ldl"]).args(more).arg("-o").arg(&program).output().unwrap();
    let (_, error, is_built) = text(built);
    assert!(is_built || !more.is_empty(), "{error}");
    is_built.then(|| text(Command::new(program).output().unwrap()))
}

#[test]
fn a_program_in_c() {
    let (out, error, is_good) = run("gcc", "bands.c", &[]).unwrap();
    assert!(is_good && error.is_empty(), "{out}{error}");
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[1..3], ["30: 10 hundred fans: -1 2 3 4", "20"], "{out}");
    assert!(lines.contains(&"8 clauses; the next variable is 8"), "{out}");
    let last = lines.last().unwrap();
    assert!(last.starts_with("`ladder` is no encoding here; allowed: auto, smallest, combinatorial"), "{out}");
}

/// The header declares what is exported, with as many parameters: `cbindgen` was run after the last change.
#[test]
fn the_header_is_of_these_functions() {
    let read = |file: &str| std::fs::read_to_string(Path::new(HERE).join(file)).unwrap();
    let (code, header) = (read("src/border.rs"), read("include/cnfkit.h"));
    let parameters = |list: &str| list.split(',').filter(|text| !matches!(text.trim(), "" | "void")).count();
    let exported: Vec<(&str, usize)> = code
        .split("extern \"C\" fn cnfkit_")
        .skip(1)
        .map(|rest| rest.split_once(')').unwrap().0.split_once('(').unwrap())
        .map(|(name, list)| (name, parameters(list)))
        .collect();
    assert!(exported.len() > 15 && header.matches(");").count() == exported.len() + 1, "{exported:?}"); // a type, too
    for (name, n) in exported {
        let (_, rest) = header.split_once(&format!("cnfkit_{name}(")).unwrap_or_else(|| panic!("{name}"));
        assert_eq!(parameters(rest.split_once(')').unwrap().0), n, "{name}");
    }
}

/// The README shows this program, whole.
#[test]
fn the_readme_is_so() {
    let readme = std::fs::read_to_string(Path::new(HERE).join("README.md")).unwrap();
    let program = std::fs::read_to_string(Path::new(HERE).join("tests/bands.c")).unwrap();
    assert!(readme.contains(&format!("```c\n{program}```\n")));
}

/// CaDiCaL gets its clauses one literal after the other, where its library is installed, which `CNFKIT_CADICAL` says.
#[test]
fn a_program_in_cpp() {
    let header = Path::new(HERE).join("include/cnfkit.h");
    let mut command = Command::new("g++");
    let checked = command.args(["-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c++"]).arg(header);
    if let Ok(checked) = checked.output() {
        let (_, error, is_good) = text(checked);
        assert!(is_good, "{error}");
        match run("g++", "cadical.cpp", &["-lcadical"]) {
            Some((out, error, is_good)) => assert!(is_good && out == "7 of 20 are true\n", "{out}{error}"),
            None => assert!(std::env::var_os("CNFKIT_CADICAL").is_none(), "CaDiCaL's library is not installed"),
        }
    }
}

/// Python's `ctypes`, as every language that loads a shared library, sees the same; and what is wrong is an error.
#[test]
fn a_program_in_python() {
    let script = r#"
import ctypes, sys
c = ctypes.CDLL(sys.argv[1])
c.cnfkit_last_error.restype = ctypes.c_char_p
c.cnfkit_formula_new.restype = ctypes.c_void_p
formula = ctypes.c_void_p(c.cnfkit_formula_new())
lits = lambda *of: (ctypes.c_int32 * len(of))(*of)
i64, none, any = ctypes.c_int64, ctypes.c_int64(-2**63), ctypes.c_int64(2**63 - 1)
seconds = ctypes.c_double(10)
assert c.cnfkit_formula_iff(formula, 6) == 0
assert c.cnfkit_formula_count(formula, lits(1, 2, 3, 4, 5), 5, i64(3), any) == 0
for n in range(6):
    given = lits(*[i + 1 if i < n else -i - 1 for i in range(5)])
    assert c.cnfkit_formula_solve(formula, given, 5, seconds) == 10
    assert c.cnfkit_formula_value(formula, 6) == (6 if n >= 3 else -6), n
def wrong(code, words, status):
    assert code == status and words in c.cnfkit_last_error().decode(), (code, c.cnfkit_last_error())
wrong(c.cnfkit_formula_add_clause(formula, lits(1, 0), 2), "literal 1 is 0; allowed: 1 to 67108864", -1)
wrong(c.cnfkit_formula_add_clause(formula, None, 2), "lits is NULL", -1)
wrong(c.cnfkit_formula_add_clause(None, lits(1), 1), "formula is NULL", -1)
wrong(c.cnfkit_formula_count(formula, lits(2**31 - 1), 1, i64(0), i64(0)), "allowed: 1 to 67108864", -1)
weights = (ctypes.c_int64 * 2)(2**62, 2**62)
wrong(c.cnfkit_formula_sum(formula, lits(1, 2), weights, 2, i64(0), i64(5)), "more than 2^63 - 1", -2)
assert c.cnfkit_formula_iff(formula, 7) == 0
assert c.cnfkit_formula_count(formula, lits(1, 2, 3), 3, i64(2), i64(2)) == 0
assert c.cnfkit_formula_solve(formula, lits(1, -2, 3), 3, seconds) == 10 and c.cnfkit_formula_value(formula, 7) == 7
assert c.cnfkit_formula_iff(formula, 8) == 0 and c.cnfkit_formula_parity(formula, lits(1, 2, -3), 3, 1) == 0
assert c.cnfkit_formula_solve(formula, lits(1, 2, 3), 3, seconds) == 10 and c.cnfkit_formula_value(formula, 8) == -8
assert c.cnfkit_formula_iff(formula, 9) == 0
assert c.cnfkit_formula_count(formula, lits(1, 2, 3, 4, 5), 5, i64(2), i64(3)) == 0
wrong(c.cnfkit_formula_add_clause(formula, lits(1, 10), 2), "variable 10 is an auxiliary of an earlier constraint", -1)
own = c.cnfkit_formula_new_var(formula)
assert own == 12 and c.cnfkit_formula_iff(formula, own) == 0
wrong(c.cnfkit_formula_require(formula, b"x1 & "), "column 6", -1)
wrong(c.cnfkit_formula_require(formula, b"x1 & y"), "`y` is no known name", -1)
wrong(c.cnfkit_formula_require(formula, b"x1 & x0"), "`x0` is no known name", -1)
wrong(c.cnfkit_formula_require(formula, None), "text is NULL", -1)
assert c.cnfkit_formula_require(formula, b"x1 & (x2 | !x3 & x4)") == 0
for n in range(6):
    given = lits(*[i + 1 if i < n else -i - 1 for i in range(5)])
    assert c.cnfkit_formula_solve(formula, given, 5, seconds) == 10
    assert c.cnfkit_formula_value(formula, 9) == (9 if 2 <= n <= 3 else -9), n
    assert c.cnfkit_formula_value(formula, own) == (own if n >= 2 else -own), n
wrong(c.cnfkit_formula_solve(formula, None, 0, ctypes.c_double(float("nan"))), "seconds is no number", -1)
wrong(c.cnfkit_formula_write(formula, b"/nowhere/a", b"cnf"), "/nowhere/a: ", -5)
wrong(c.cnfkit_formula_write(formula, b"a", b"pdf"), "`pdf` is no format; allowed: cnf, knf, opb, wcnf", -1)
add_type = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int32)
added = []
add = add_type(lambda _, lit: added.append(lit))
next_var = ctypes.c_int32(61)
sixty = lits(*range(1, 61))
bound = ctypes.c_size_t(30)
code = c.cnfkit_encode_at_most(add, None, ctypes.byref(next_var), sixty, 60, bound, b"combinatorial")
wrong(code, "the limit is", -2)
assert not added and next_var.value == 61
assert c.cnfkit_encode_at_most(add, None, ctypes.byref(next_var), sixty, 60, bound, None) == 0
assert added[-1] == 0 and next_var.value == max(map(abs, added)) + 1
next_var.value = 60
wrong(c.cnfkit_encode_at_least(add, None, ctypes.byref(next_var), sixty, 60, bound, None), "at or above next_var", -1)
wrong(c.cnfkit_encode_at_least(None, None, ctypes.byref(next_var), sixty, 60, bound, None), "add is NULL", -1)
highest = c.cnfkit_formula_encode(formula, add, None)
assert highest >= own and added[-1] == 0
c.cnfkit_formula_free(formula)
c.cnfkit_formula_free(None)
print("good")
"#;
    let python = Command::new("python3").args(["-c", script]).arg(library(".so")).output();
    let Ok(python) = python else { return println!("there is no python3") };
    let (out, error, _) = text(python);
    assert_eq!(out, "good\n", "{error}");
}
