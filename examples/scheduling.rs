//! Jobs on machines, with as little weight of delay as possible: an objective, progress on the way, and limits.
//!
//! ```text
//! cargo run --example scheduling -- --machines 2 FILE     # a line for each job: NAME LENGTH DUE WEIGHT
//! cargo run --release --example scheduling                # jobs of its own
//! ```

#[macro_use]
#[path = "common/say.rs"]
mod say;
#[macro_use]
#[path = "common/solving.rs"]
mod solving;
#[path = "common/text.rs"]
mod text;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use cnfkit::ask::Strategy;
use cnfkit::{AmoEncoding, CapacityError, CardEncoding, Constrain, Formula, Lit, Optimise};

const BUILT_IN: &str =
    "bread 3 4 5\ncake 4 6 2\nrolls 1 3 8\npie 2 4 3\ntart 3 9 4\nbuns 2 5 6\nrye 4 8 1\nfudge 1 9 2";
/// Steps of time in all; more make the formula larger, and are seldom of use.
const MOST_TIME: usize = 10_000;

/// Schedules jobs on machines that are alike; each hour after it is due, a job costs its weight.
#[derive(Parser)]
#[command(after_help = "Exit codes:\n  0  the best schedule\n  2  wrong input, or none that is known to be the best")]
struct Args {
    /// Jobs; `-` for standard input, jobs of its own without
    file: Option<PathBuf>,
    /// Machines
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    machines: u16,
    /// Give up after so many conflicts of the solver: the same result on every machine
    #[arg(long)]
    conflicts: Option<u64>,
    #[command(flatten)]
    solving: solving::Solving,
}

struct Job {
    name: String,
    length: usize,
    due: usize,
    weight: u32,
}

fn main() -> ExitCode {
    solving::end(run(&Args::parse()))
}

fn run(args: &Args) -> Result<ExitCode, String> {
    let watch = args.solving.watch()?;
    let built_in = || Ok(("the built-in jobs".to_owned(), BUILT_IN.to_owned()));
    let (name, text) = args.file.as_ref().map_or_else(built_in, |file| text::read(file, "list of jobs"))?;
    let jobs: Result<Vec<Job>, String> = (1..)
        .zip(text.lines())
        .map(|(at, line)| job(line).ok_or_else(|| format!("{name}: line {at}: allowed are `NAME LENGTH DUE WEIGHT`")))
        .collect();
    let (jobs, machines) = (jobs?, usize::from(args.machines));
    let hours = jobs.iter().map(|job| job.length).sum::<usize>() / machines
        + jobs.iter().map(|job| job.length).max().unwrap_or(0);
    if hours > MOST_TIME {
        return Err(format!("{name}: {hours} steps of time; at most {MOST_TIME} are allowed"));
    }
    let (formula, starts) =
        watch.run("writing", || formula(&jobs, machines, hours)).map_err(|error| error.to_string())?;
    let limits = watch.limits().memory(4 << 30);
    let limits = args.conflicts.map_or(limits.clone(), |most| limits.conflicts(most));
    let search = formula.search_minimum().limits(limits).on_progress(Duration::from_secs(1), |now| {
        let (least, most) = (now.lower_bound.unwrap_or(0), now.value.map_or("?".into(), |value| value.to_string()));
        let mib = now.memory.unwrap_or(0) >> 20;
        eprintln!("{:.0?}: {least} to {most}, {} conflicts, {mib} MiB", now.elapsed, now.conflicts);
    });
    // Programs have no cores.
    let by_values = args.solving.make().map_or(Strategy::Auto, |_| Strategy::SolutionImproving);
    let search = by!(args.solving, search.strategy(by_values));
    let found = watch.run("searching", || search.solve()).map_err(|error| watch.explain(error.to_string()))?;
    let best = found.ok_or("one job after the other is a schedule")?;
    for (job, starts) in jobs.iter().zip(&starts) {
        let start = starts.iter().position(|&lit| best.model.is_true(lit)).ok_or("every job starts")?;
        say!("{} from {start} to {}, due at {}", job.name, start + job.length, job.due);
    }
    say!("delay: {}, at least {}", best.value, best.lower_bound);
    Ok(if best.is_optimal() { ExitCode::SUCCESS } else { ExitCode::from(2) })
}

fn job(line: &str) -> Option<Job> {
    let [name, length, due, weight] = line.split_whitespace().collect::<Vec<_>>().try_into().ok()?;
    let length = length.parse().ok().filter(|length| (1..=MOST_TIME).contains(length))?;
    Some(Job { name: name.to_owned(), length, due: due.parse().ok()?, weight: weight.parse().ok()? })
}

/// The formula, and for each job a literal for each hour at which it may start.
fn formula(jobs: &[Job], machines: usize, hours: usize) -> Result<(Formula, Vec<Vec<Lit>>), CapacityError> {
    let mut formula = Formula::new();
    let (mut running, mut delay, mut starts) = (vec![Vec::new(); hours], Vec::new(), Vec::new());
    for job in jobs {
        let lits: Vec<Lit> = (0..=hours - job.length).map(|_| cnfkit::ClauseSink::new_lit(&mut formula)).collect();
        formula.exactly_one(&lits, AmoEncoding::Auto)?;
        for (start, &lit) in lits.iter().enumerate() {
            running[start..start + job.length].iter_mut().for_each(|hour| hour.push(lit));
            let late = (start + job.length).saturating_sub(job.due);
            delay.push((lit, late as i64 * i64::from(job.weight)));
        }
        starts.push(lits);
    }
    running.iter().try_for_each(|lits| formula.at_most(lits, machines, CardEncoding::Auto))?;
    formula.set_objective(delay);
    Ok((formula, starts))
}
