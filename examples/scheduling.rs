//! Jobs on machines, with as little weight of delay as possible: an objective, progress on the way, and a limit.
//!
//! `cargo run --release --example scheduling -- FILE` reads `machines NUMBER`, and `NAME LENGTH DUE WEIGHT` for each
//! job, of `BUILT_IN` without a file: each hour after it is due, a job costs its weight.

use std::error::Error;
use std::io::{self, Write};
use std::time::Duration;

use cnfkit::{AmoEncoding, CardEncoding, ClauseSink, Constrain, Formula, Lit, Questions};

const BUILT_IN: &str = "machines 2\nbread 3 4 5\ncake 4 6 2\nrolls 1 3 8\npie 2 4 3\ntart 3 9 4\nbuns 2 5 6\nrye 4 8 1
fudge 1 9 2";
/// All of the time, in hours: more make the formula large, and are seldom of use.
const MOST: usize = 10_000;

struct Job<'a> {
    name: &'a str,
    length: usize,
    due: usize,
    weight: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1).map_or(Ok(BUILT_IN.to_owned()), std::fs::read_to_string)?;
    let (mut machines, mut jobs) = (1, Vec::new());
    for (line, number) in text.lines().zip(1..) {
        read(line, &mut machines, &mut jobs).ok_or_else(|| {
            format!("line {number}: allowed: `machines NUMBER`, `NAME LENGTH DUE WEIGHT`, numbers of 1 to {MOST}")
        })?;
    }
    // One job after the other on the machine that is free first.
    let longest = jobs.iter().map(|job| job.length).max().unwrap_or(0);
    let hours = jobs.iter().map(|job| job.length).sum::<usize>() / machines + longest;
    if hours > MOST {
        return Err(format!("{hours} hours; at most {MOST} are allowed").into());
    }

    let mut formula = Formula::new();
    let (mut running, mut delay, mut starts) = (vec![Vec::new(); hours], Vec::new(), Vec::new());
    for job in &jobs {
        let lits: Vec<Lit> = formula.new_lits(hours - job.length + 1);
        formula.exactly_one(&lits, AmoEncoding::Auto)?;
        for (start, &lit) in lits.iter().enumerate() {
            let end = start + job.length;
            running[start..end].iter_mut().for_each(|hour| hour.push(lit));
            delay.push((lit, (end.saturating_sub(job.due) * job.weight) as i64));
        }
        starts.push(lits);
    }
    running.iter().try_for_each(|lits| formula.at_most(lits, machines, CardEncoding::Auto))?;
    formula.set_objective(delay);

    let question = formula.ask().time_limit(Duration::from_secs(60)).on_progress(Duration::from_secs(1), |now| {
        let (least, most) = (now.lower_bound.unwrap_or(0), now.value.map_or("?".into(), |value| value.to_string()));
        eprintln!("{:.0?}: {least} to {most}, {} conflicts", now.elapsed, now.conflicts);
    });
    let best = question.minimum()?.ok_or("one job after the other is a schedule")?;
    let mut out = io::stdout();
    for (job, starts) in jobs.iter().zip(&starts) {
        let start = starts.iter().position(|&lit| best.model.is_true(lit)).ok_or("every job starts")?;
        writeln!(out, "{} from {start} to {}, due at {}", job.name, start + job.length, job.due)?;
    }
    Ok(writeln!(out, "delay: {}, at least {}", best.value, best.lower_bound)?)
}

/// Reads a line; `None` if it is wrong.
fn read<'a>(line: &'a str, machines: &mut usize, jobs: &mut Vec<Job<'a>>) -> Option<()> {
    let number = |word: &str| word.parse().ok().filter(|number| (1..=MOST).contains(number));
    match line.split_whitespace().collect::<Vec<_>>()[..] {
        [] => {}
        ["machines", count] => *machines = number(count)?,
        [name, length, due, weight] => {
            jobs.push(Job { name, length: number(length)?, due: number(due)?, weight: number(weight)? });
        }
        _ => return None,
    }
    Some(())
}
