//! The examples as programs: what they print where, and their exit codes.

#[cfg(all(feature = "batsat", feature = "sudoku", feature = "gem-hunter"))]
#[cfg(feature = "make")]
mod rules;
mod short;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The program of an example, beside the test's own; `None` where it needs a feature that is off.
///
/// `cargo test` builds examples, but not where targets are selected. So a program that is missing, or older than what
/// it is made of, fails the test: otherwise what was built some time ago would be tested.
fn program(name: &str) -> Option<PathBuf> {
    let batsat = cfg!(feature = "batsat");
    let is_built = match name {
        "code_distance" | "coloring" | "gem_hunter_rules" | "port_from_rustsat" | "quickstart" | "resolver"
        | "roster" | "scheduling" | "sudoku_rules" => batsat,
        "sudoku" => batsat && cfg!(feature = "sudoku"),
        "model" => batsat && cfg!(feature = "model"),
        _ => true,
    };
    if !is_built {
        return None;
    }
    let profile = std::env::current_exe().unwrap().ancestors().nth(2).expect("a folder").to_path_buf();
    let path = profile.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if let Err(why) = check_fresh(&path) {
        panic!("{why}: run `cargo build --examples` first, with the same features and profile, or all of `cargo test`");
    }
    Some(path)
}

/// Checks that a program is no older than the sources that cargo lists beside it.
fn check_fresh(program: &Path) -> Result<(), String> {
    let changed = |path: &Path| std::fs::metadata(path).and_then(|data| data.modified());
    let built = changed(program).map_err(|_| format!("{} is not built", program.display()))?;
    let list = program.with_extension("d");
    let text = std::fs::read_to_string(&list).map_err(|error| format!("{}: {error}", list.display()))?;
    // `program: source source …`, spaces in names after a backslash.
    let (_, sources) = text.split_once(": ").ok_or_else(|| format!("{} lists no sources", list.display()))?;
    let sources = sources.replace("\\ ", "\0");
    for source in sources.split_whitespace().map(|source| source.replace('\0', " ")) {
        let is_newer = changed(Path::new(&source)).map_or(true, |changed| changed > built);
        if is_newer {
            return Err(format!("{} is older than {source}", program.display()));
        }
    }
    Ok(())
}

/// A program is found out that is older than its source, or that was never built.
#[test]
fn stale_programs_are_found_out() {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stale programs");
    std::fs::create_dir_all(&place).unwrap();
    let (program, source) = (place.join("program"), place.join("source.rs"));
    let list = format!("{}: {}\n", program.display(), source.display().to_string().replace(' ', "\\ "));
    std::fs::write(program.with_extension("d"), list).unwrap();
    let write = |path: &Path, seconds: u64| {
        let file = std::fs::File::create(path).unwrap();
        file.set_modified(std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(seconds)).unwrap();
    };
    write(&source, 1_000);
    write(&program, 2_000);
    assert_eq!(check_fresh(&program), Ok(()));
    write(&source, 3_000);
    assert!(check_fresh(&program).unwrap_err().contains("is older than"));
    std::fs::remove_file(&source).unwrap();
    assert!(check_fresh(&program).is_err());
    std::fs::remove_file(&program).unwrap();
    assert!(check_fresh(&program).unwrap_err().contains("is not built"));
}

fn run(name: &str, args: &[&str], input: &[u8]) -> Option<Output> {
    let mut command = Command::new(program(name)?);
    let command = command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A program that stops before reading is no failure of the test.
    let _ = child.stdin.take().unwrap().write_all(input);
    Some(child.wait_with_output().unwrap())
}

/// The output of a program, its complaints, and its exit code.
fn outcome(name: &str, args: &[&str], input: &[u8]) -> Option<(String, String, Option<i32>)> {
    let output = run(name, args, input)?;
    let [text, message] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    Some((text, message, output.status.code()))
}

/// A file with this text, for a program to read.
fn file(name: &str, text: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}
