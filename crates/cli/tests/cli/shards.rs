//! `cnfkit sudoku --lines` and `cnfkit solve --lines` in parts, and killed on their way.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use fs4::FileExt;

use super::PROGRAM;

/// A program with its arguments, and a new folder with a file `lines`.
struct Batch {
    args: &'static [&'static str],
    place: PathBuf,
}

impl Batch {
    fn new(args: &'static [&'static str], test: &str, text: &str) -> Self {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{} {test}", args[0]));
        let _ = fs::remove_dir_all(&place);
        fs::create_dir_all(&place).unwrap();
        fs::write(place.join("lines"), text).unwrap();
        Self { args, place }
    }

    /// Puzzles with their digits exchanged, one twice, one without a solution, one that is wrong, and comments; all
    /// that so many times.
    fn sudokus(test: &str, times: usize) -> Self {
        let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
        let mut text = format!("# comment\n\n{puzzle}\n11{}\n\"no\" puzzle\n{puzzle}\n", ".".repeat(79));
        for by in 1..60_u32 {
            let exchanged = puzzle.chars().map(|cell| match cell.to_digit(10) {
                Some(digit) if by < 9 => char::from_digit((digit + by) % 9 + 1, 10).unwrap(),
                Some(digit) => char::from_digit(digit * by.pow(2) % 10 % 9 + 1, 10).unwrap(),
                None => cell,
            });
            text.extend(exchanged.chain(['\n']));
        }
        Self::new(&["sudoku", "--lines", "lines"], test, &text.repeat(times))
    }

    /// Names of formulas, one twice, and one that is not there; all that so many times.
    fn formulas(test: &str, times: usize) -> Self {
        let names: Vec<String> = (0..12).map(|at| format!("{at}.cnf\n")).collect();
        let text = names.concat() + "# comment\n\n3.cnf\nnone.cnf\n";
        let batch = Self::new(&["solve", "--lines", "lines"], test, &text.repeat(times));
        for at in 0..12 {
            let last = [2, 3, -2, -3][at % 4];
            let text =
                if at == 5 { "p cnf 1 2\n1 0\n-1 0\n".into() } else { format!("p cnf 3 2\n1 2 0\n-1 {last} 0\n") };
            fs::write(batch.place.join(format!("{at}.cnf")), text).unwrap();
        }
        batch
    }

    fn run(&self, shard: &str, out: &str) -> Command {
        let mut command = Command::new(PROGRAM);
        command.current_dir(&self.place).args(self.args).args(["--shard", shard, "-o", out]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Waits for a run that is to end by itself: what it says on standard error.
    fn ends(&self, shard: &str, out: &str) -> String {
        let done = self.run(shard, out).stderr(Stdio::piped()).output().unwrap();
        assert!(done.status.code().is_some_and(|code| code < 3));
        String::from_utf8(done.stderr).unwrap()
    }
}

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

/// Lines end with LF, CRLF or CR, after a byte order mark or without one, and what is no text is named.
#[test]
fn ends_of_lines() {
    for batch in [Batch::sudokus("ends", 1), Batch::formulas("ends", 1)] {
        let path = batch.place.join("lines");
        let text = fs::read_to_string(&path).unwrap();
        let mut expected = None;
        for (at, end) in ["\n", "\r\n", "\r"].into_iter().enumerate() {
            for mark in ["", "\u{feff}"] {
                fs::write(&path, format!("{mark}{}", text.replace('\n', end))).unwrap();
                let out = format!("out {at} {}", mark.len());
                batch.ends("1/1", &out);
                let found = fs::read_to_string(batch.place.join(out)).unwrap();
                let expected = expected.get_or_insert_with(|| found.clone());
                assert_eq!(sorted(&found), sorted(expected), "{end:?} {mark:?}");
            }
        }
        fs::write(&path, b"PK\x03\x04").unwrap();
        let said = batch.ends("1/1", "none");
        assert!(said.contains("a zip archive; UTF-8 text is needed"), "{said}");
    }
}

#[test]
fn any_number_of_shards_has_the_same_answers() {
    for (batch, expected) in [(Batch::sudokus("shards", 1), 63), (Batch::formulas("shards", 1), 14)] {
        let all = [1, 3, 7].map(|n| {
            let parts: Vec<String> = (1..=n)
                .map(|i| {
                    let out = format!("{i}-{n}");
                    batch.ends(&format!("{i}/{n}"), &out);
                    fs::read_to_string(batch.place.join(out)).unwrap()
                })
                .collect();
            assert!(n == 1 || parts.iter().filter(|part| !part.is_empty()).count() > 1);
            parts.concat()
        });
        assert_eq!(sorted(&all[0]).len(), expected, "{}", all[0]);
        assert!(all[0].contains("\"answer\":") && all[0].contains("\"error\":\""), "{}", all[0]);
        assert_eq!(sorted(&all[0]), sorted(&all[1]));
        assert_eq!(sorted(&all[0]), sorted(&all[2]));
    }
}

#[test]
fn answers_are_what_a_program_prints() {
    let batch = Batch::formulas("printed", 1);
    batch.ends("1/1", "out");
    let text = fs::read_to_string(batch.place.join("out")).unwrap();
    assert!(text.contains("\\u000as SATISFIABLE\\u000av ") && !text.contains("solved in"), "{text}");
}

/// Answers to one question are none to another.
#[test]
fn another_question_is_asked_anew() {
    let batch = Batch::formulas("question", 1);
    batch.ends("1/1", "out");
    let lines = || fs::read_to_string(batch.place.join("out")).unwrap().lines().count();
    let before = lines();
    batch.ends("1/1", "out");
    assert_eq!(lines(), before);
    assert!(batch.run("1/1", "out").arg("--count").status().unwrap().code().is_some());
    assert_eq!(lines(), 2 * before);
}

/// Kills runs 200 times, each after a number of answers by lot, none among them, and in a third of all cases as if
/// within a line. Then a run ends by itself; where one does before, another begins with nothing. So there are 200 kills
/// on a machine of any speed, and no more.
fn killed(batch: &Batch) {
    batch.ends("1/1", "whole");
    let [whole, out] = ["whole", "out"].map(|name| batch.place.join(name));
    let expected = fs::read_to_string(&whole).unwrap();
    let len = || fs::metadata(&out).map_or(0, |data| data.len());
    let (mut kills, mut cut, mut rounds) = (0_u64, 0, 0);
    while kills < 200 {
        rounds += 1;
        let _ = fs::remove_file(&out);
        loop {
            let mut child = batch.run("1/1", "out").spawn().unwrap();
            let enough = len() + kills * 7_919 % 2_000;
            std::thread::sleep(Duration::from_micros(kills * 137 % 5_000)); // while it starts, too
            while (kills == 200 || len() < enough) && child.try_wait().unwrap().is_none() {
                std::thread::sleep(Duration::from_micros(100));
            }
            child.kill().unwrap();
            if child.wait().unwrap().code().is_some() {
                break;
            }
            kills += 1;
            let text = fs::read(&out).unwrap_or_default();
            if kills % 3 == 0 && !text.is_empty() {
                cut += 1;
                fs::write(&out, &text[..text.len().saturating_sub(kills as usize % 20)]).unwrap();
            }
        }
        assert_eq!(sorted(&expected), sorted(&fs::read_to_string(&out).unwrap()));
    }
    println!("{kills} kills in {rounds} rounds, {cut} of them within a line");
    assert!(kills == 200 && cut > 20, "{kills} kills, {cut} of them within a line");
    // A restart of what is done does nothing.
    batch.ends("1/1", "out");
    assert_eq!(len(), expected.len() as u64);
}

#[test]
fn a_shard_that_is_killed_200_times_goes_on_where_it_was() {
    for batch in [Batch::sudokus("killed", 60), Batch::formulas("killed", 40)] {
        killed(&batch);
    }
}

/// An engine that is killed answers nothing: its line is asked again.
#[test]
#[cfg(unix)]
fn a_line_whose_engine_was_killed_is_asked_again() {
    // The first three are killed, or fewer where several are asked at once. Puzzles are to need an engine.
    let killed = ["--engine", "sh -c 'echo >>asked; [ $(wc -l <asked) -gt 3 ] || kill -KILL $$; echo s UNSATISFIABLE'"];
    let [formulas, sudokus] = [Batch::formulas("engine", 1), Batch::sudokus("engine", 1)];
    for (batch, more, lines) in [(formulas, &[][..], 14), (sudokus, &["--strategy=base"], 63)] {
        let done = batch.run("1/1", "out").args(more).args(killed).stderr(Stdio::piped()).output().unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        let n_killed = said.matches("died (signal: 9 (SIGKILL))").count();
        assert!(done.status.code() == Some(2) && (1..=3).contains(&n_killed), "{said}");
        let n_lines = || fs::read_to_string(batch.place.join("out")).unwrap().lines().count();
        assert_eq!(n_lines(), lines - n_killed, "{said}");
        batch.ends("1/1", "out");
        assert_eq!(n_lines(), lines);
    }
}

/// A full disk, and two that write to the same file.
#[test]
#[cfg(target_os = "linux")]
fn answers_that_cannot_be_written_are_an_error() {
    for batch in [Batch::sudokus("full", 1), Batch::formulas("full", 1)] {
        let said = batch.ends("1/1", "/dev/full");
        assert!(said.contains("error: /dev/full: No space left on device"), "{said}");
        let out = fs::File::create(batch.place.join("out")).unwrap();
        FileExt::lock(&out).unwrap();
        let said = batch.ends("1/1", "out");
        assert!(said.contains("error: out: another program is writing to it: each part needs its own"), "{said}");
        // Closing it would not do while another test's process begins, which has the file until then, too.
        FileExt::unlock(&out).unwrap();
        let said = batch.ends("1/1", "out");
        assert!(!said.contains("another program"), "{said}");
        assert!(fs::metadata(batch.place.join("out")).unwrap().len() > 0);
    }
}
