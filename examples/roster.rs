//! A nurse roster: who works which shift on which day, or the rules that contradict each other.
//! `cargo run --example roster -- FILE` reads rules like those of `BUILT_IN` below.

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

use clap::Parser;
use cnfkit::{AmoEncoding, CapacityError, CardEncoding, ClauseSink, Constrain, Explain, Formula, Lit, SolveError};

const BUILT_IN: &str = "\
nurses anna ben cleo dora\ndays mon tue wed thu fri\nshift early 1\nshift late 1\nshift night 1\nmost 4
off anna mon\noff ben fri\noff cleo tue\noff cleo wed";

/// Says who works which shift on which day.
#[derive(Parser)]
#[command(after_help = "Exit codes:\n  0  a roster\n  1  there is none\n  2  wrong input, or no answer yet")]
struct Args {
    /// Rules; `-` for standard input, some of its own without
    file: Option<PathBuf>,
    #[command(flatten)]
    solving: solving::Solving,
}

#[derive(Default)]
struct Rules<'a> {
    nurses: Vec<&'a str>,
    days: Vec<&'a str>,
    shifts: Vec<(&'a str, usize)>,
    most: Option<usize>,
    off: Vec<(usize, usize)>, // a nurse and a day, by number
}

fn main() -> ExitCode {
    solving::end(run(&Args::parse()))
}

fn run(args: &Args) -> Result<ExitCode, String> {
    let watch = args.solving.watch()?;
    let built_in = || Ok(("the built-in roster".to_owned(), BUILT_IN.to_owned()));
    let (name, text) = args.file.as_ref().map_or_else(built_in, |file| text::read(file, "roster"))?;
    let rules = read(&text).map_err(|message| format!("{name}: {message}"))?;
    let (formula, works) = formula(&rules).map_err(|error| error.to_string())?;
    let explain = |error: SolveError| watch.explain(error.to_string());
    let question = by!(args.solving, formula.assuming(&[]).limits(watch.limits()));
    if let Some(model) = watch.run("solving", || question.solve()).map_err(explain)? {
        for (day, shifts) in rules.days.iter().zip(&works) {
            let of_shift = |(lits, (shift, _)): (&Vec<Lit>, &(&str, usize))| {
                let on_duty = rules.nurses.iter().zip(lits).filter(|&(_, &lit)| model.is_true(lit));
                format!("{shift} {}", on_duty.map(|(&nurse, _)| nurse).collect::<Vec<_>>().join(" "))
            };
            say!("{day}: {}", shifts.iter().zip(&rules.shifts).map(of_shift).collect::<Vec<_>>().join(", "));
        }
        return Ok(ExitCode::SUCCESS);
    }
    let core = watch.run("explaining", || question.smallest_unsat_core()).map_err(explain)?.ok_or("a roster")?;
    say!("no roster: {} rules contradict each other", core.groups.len());
    core.groups.iter().for_each(|rule| say!("  {rule}"));
    Ok(ExitCode::FAILURE)
}

/// The formula, and for each day and shift a literal for each nurse: works then.
fn formula(rules: &Rules<'_>) -> Result<(Formula, Vec<Vec<Vec<Lit>>>), CapacityError> {
    let mut formula = Formula::new();
    let of_day = |_| rules.shifts.iter().map(|_| formula.new_lits(rules.nurses.len())).collect();
    let works: Vec<Vec<Vec<Lit>>> = rules.days.iter().map(of_day).collect();
    for (day, shifts) in rules.days.iter().zip(&works) {
        for ((shift, needed), lits) in rules.shifts.iter().zip(shifts) {
            let rule = format!("{needed} for {shift} on {day}");
            formula.group(&rule, |formula| formula.exactly(lits, *needed, CardEncoding::Auto))?;
        }
    }
    for (at, nurse) in rules.nurses.iter().enumerate() {
        let all: Vec<Vec<Lit>> = works.iter().map(|day| day.iter().map(|shift| shift[at]).collect()).collect();
        formula.group(&format!("one shift a day for {nurse}"), |formula| {
            all.iter().try_for_each(|day| formula.at_most_one(day, AmoEncoding::Auto))
        })?;
        if let Some(most) = rules.most {
            let rule = format!("at most {most} shifts for {nurse}");
            formula.group(&rule, |formula| formula.at_most(&all.concat(), most, CardEncoding::Auto))?;
        }
        for &(_, day) in rules.off.iter().filter(|&&(nurse, _)| nurse == at) {
            let rule = format!("{nurse} is off on {}", rules.days[day]);
            formula.group(&rule, |formula| all[day].iter().try_for_each(|&lit| formula.add_clause(&[!lit])))?;
        }
    }
    Ok((formula, works))
}

fn read(text: &str) -> Result<Rules<'_>, String> {
    const ALLOWED: &str = "allowed: `nurses NAMES`, `days NAMES`, `shift NAME NUMBER`, `most NUMBER`, `off NURSE DAY`";
    let mut rules = Rules::default();
    for (line, number) in text.lines().zip(1..) {
        let wrong = |what: String| format!("line {number}: {what}");
        let count = |word: &str| word.parse().map_err(|_| wrong(format!("`{word}` is no number")));
        let place = |names: &[&str], name: &str| {
            names.iter().position(|&other| other == name).ok_or_else(|| wrong(format!("`{name}` is none of {names:?}")))
        };
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            [] => {}
            ["nurses", ref names @ ..] => rules.nurses.extend(names),
            ["days", ref names @ ..] => rules.days.extend(names),
            ["shift", name, needed] => rules.shifts.push((name, count(needed)?)),
            ["most", most] => rules.most = Some(count(most)?),
            ["off", nurse, day] => rules.off.push((place(&rules.nurses, nurse)?, place(&rules.days, day)?)),
            _ => return Err(wrong(format!("`{}`; {ALLOWED}", line.trim().chars().take(40).collect::<String>()))),
        }
    }
    let is_whole = !(rules.nurses.is_empty() || rules.days.is_empty() || rules.shifts.is_empty());
    if is_whole { Ok(rules) } else { Err(format!("the text ends without nurses, days or shifts; {ALLOWED}")) }
}
