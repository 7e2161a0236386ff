//! Programs that are stopped, by a signal or a time limit, and texts for them to read.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The output of a program until it ends, when it gets signals, with blanks between them, after the first line that
/// `is_time`; with the exit code.
pub(crate) fn run_until(
    program: &Path,
    args: &[&str],
    signals: &str,
    is_time: impl Fn(&str) -> bool,
) -> (String, Option<i32>) {
    let mut command = Command::new(program);
    let mut child = command.args(args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    loop {
        let start = text.len();
        assert!(out.read_line(&mut text).unwrap() > 0, "it ended: {text}");
        if is_time(text[start..].trim_end()) {
            break;
        }
    }
    for signal in signals.split(' ') {
        let sent = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }
    let start = Instant::now();
    out.read_to_string(&mut text).unwrap();
    let code = child.wait().unwrap().code();
    // Far less on a machine with nothing else to do.
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    (text, code)
}

/// The output of a program, and the seconds of processor time that it took.
pub(crate) fn run_for(program: &Path, args: &[&str]) -> (String, f64) {
    // Times of a shell's ended children are the 14th and 15th field after its name, in hundredths of a second.
    let script = r#""$@"; read -r line < "/proc/$$/stat"; echo; echo "${line##*)}""#;
    let mut command = Command::new("sh");
    let output = command.args(["-c", script, "sh"]).arg(program).args(args).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let (text, times) = text.trim_end().rsplit_once('\n').unwrap();
    let ticks: f64 = times.split_whitespace().skip(13).take(2).map(|ticks| ticks.parse::<f64>().unwrap()).sum();
    (text.trim_end().to_owned(), ticks / 100.0)
}

/// A file with this text, for a program to read.
pub(crate) fn file(name: &str, text: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Numbers by lot, from 1 to `most`.
pub(crate) fn lot(most: u64) -> impl FnMut() -> u64 {
    let mut state = 1_u64;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most + 1
    }
}
