//! `sudoku_batch` in parts, and killed on its way.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::program;

/// A new folder with lines: puzzles with their digits exchanged, one twice, one without a solution, one that is wrong,
/// and comments; all that so many times.
fn lines(name: &str, times: usize) -> Option<(PathBuf, PathBuf)> {
    let program = program("sudoku_batch")?;
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).unwrap();
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
    fs::write(place.join("lines"), text.repeat(times)).unwrap();
    Some((program, place))
}

fn run(program: &Path, place: &Path, shard: &str, out: &str) -> Command {
    let mut command = Command::new(program);
    command.current_dir(place).args(["lines", "--shard", shard, "--json", out]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

#[test]
fn any_number_of_shards_has_the_same_answers() {
    let Some((program, place)) = lines("shards", 1) else { return };
    let all = [1, 3, 7].map(|n| {
        for i in 1..=n {
            assert!(
                run(&program, &place, &format!("{i}/{n}"), &format!("{i}-{n}"))
                    .status()
                    .unwrap()
                    .code()
                    .is_some_and(|code| code < 3)
            );
        }
        let parts: Vec<_> = (1..=n).map(|i| fs::read_to_string(place.join(format!("{i}-{n}"))).unwrap()).collect();
        assert!(n == 1 || parts.iter().filter(|part| !part.is_empty()).count() > 1);
        parts.concat()
    });
    assert_eq!(sorted(&all[0]).len(), 63);
    assert!(all[0].contains("\"answer\":null") && all[0].contains("\"error\":\"") && all[0].contains("\\\""));
    assert_eq!(sorted(&all[0]), sorted(&all[1]));
    assert_eq!(sorted(&all[0]), sorted(&all[2]));
}

#[test]
fn a_shard_that_is_killed_goes_on_where_it_was() {
    let Some((program, place)) = lines("killed shards", 60) else { return };
    assert!(run(&program, &place, "1/1", "whole").status().is_ok());
    let out = place.join("out");
    let len = || fs::metadata(&out).map_or(0, |data| data.len());
    let (mut kills, mut cut) = (0, 0);
    loop {
        let before = len();
        let mut child = run(&program, &place, "1/1", "out").spawn().unwrap();
        while len() <= before && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        child.kill().unwrap();
        if child.wait().unwrap().code().is_some() {
            break;
        }
        kills += 1;
        // As if it had been killed within a line.
        if kills % 3 == 0 {
            cut += 1;
            let text = fs::read(&out).unwrap();
            fs::write(&out, &text[..text.len() - kills % 20]).unwrap();
        }
        assert!(kills < 10_000);
    }
    assert!(kills > 5 && cut > 1, "{kills} kills");
    let [whole, out] = [&place.join("whole"), &out].map(|path| fs::read_to_string(path).unwrap());
    assert_eq!(sorted(&whole), sorted(&out));
    // A restart of what is done does nothing.
    assert!(run(&program, &place, "1/1", "out").status().unwrap().success());
    assert_eq!(len(), whole.len() as u64);
}
