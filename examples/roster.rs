//! A nurse roster of rules with names: who works which shift on which day, or the rules that contradict each other.
//!
//! `cargo run --example roster -- FILE` reads rules like those of `BUILT_IN`, which it takes without a file.

use std::error::Error;
use std::io::{self, Write};

use cnfkit::{AmoEncoding, CardEncoding, ClauseSink, Constrain, Formula, Lit, Questions};

const BUILT_IN: &str = "nurses anna ben cleo dora\ndays mon tue wed thu fri\nshift early 1\nshift late 1\nshift night 1
most 4\noff anna mon\noff ben fri\noff cleo tue\noff cleo wed";
const ALLOWED: &str = "`nurses NAMES`, `days NAMES`, `shift NAME NUMBER`, `most NUMBER`, then `off NURSE DAY`";

#[derive(Default)]
struct Rules<'a> {
    nurses: Vec<&'a str>,
    days: Vec<&'a str>,
    shifts: Vec<(&'a str, usize)>,
    most: usize,
    off: Vec<(usize, usize)>, // a nurse and a day, by number
}

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1).map_or(Ok(BUILT_IN.to_owned()), std::fs::read_to_string)?;
    let mut rules = Rules { most: usize::MAX, ..Rules::default() };
    for (line, number) in text.lines().zip(1..) {
        rules.read(line).ok_or_else(|| format!("line {number}: allowed: {ALLOWED}"))?;
    }
    let Rules { nurses, days, shifts, most, off } = rules;
    days.first().and(shifts.first()).ok_or_else(|| format!("the text ends without days or shifts: {ALLOWED}"))?;
    let mut formula = Formula::new();
    // For each day and shift a literal for each nurse: works then.
    let of_day = |_| shifts.iter().map(|_| formula.new_lits(nurses.len())).collect();
    let works: Vec<Vec<Vec<Lit>>> = days.iter().map(of_day).collect();
    for (day, lits) in days.iter().zip(&works) {
        for (&(shift, needed), lits) in shifts.iter().zip(lits) {
            let rule = format!("{needed} for {shift} on {day}");
            formula.group(&rule, |formula| formula.exactly(lits, needed, CardEncoding::Auto))?;
        }
    }
    for (at, nurse) in nurses.iter().enumerate() {
        let all: Vec<Vec<Lit>> = works.iter().map(|day| day.iter().map(|shift| shift[at]).collect()).collect();
        let rule = format!("one shift a day for {nurse}");
        formula.group(&rule, |formula| all.iter().try_for_each(|day| formula.at_most_one(day, AmoEncoding::Auto)))?;
        let rule = format!("at most {most} shifts for {nurse}");
        formula.group(&rule, |formula| formula.at_most(&all.concat(), most, CardEncoding::Auto))?;
    }
    for (nurse, day) in off {
        let rule = format!("{} is off on {}", nurses[nurse], days[day]);
        formula.group(&rule, |formula| works[day].iter().try_for_each(|shift| formula.add_clause(&[!shift[nurse]])))?;
    }
    let Some(model) = formula.solve()? else {
        let core = formula.smallest_unsat_core()?.ok_or("the solver contradicts itself")?;
        return Ok(writeln!(io::stdout(), "no roster; these rules contradict each other: {core}")?);
    };
    for (day, lits) in days.iter().zip(&works) {
        for ((shift, _), lits) in shifts.iter().zip(lits) {
            let on_duty = nurses.iter().zip(lits).filter(|&(_, &lit)| model.is_true(lit)).map(|(&nurse, _)| nurse);
            writeln!(io::stdout(), "{day} {shift}: {}", on_duty.collect::<Vec<_>>().join(" "))?;
        }
    }
    Ok(())
}

impl<'a> Rules<'a> {
    /// Reads a line; `None` if it is no rule.
    fn read(&mut self, line: &'a str) -> Option<()> {
        let place = |names: &[&str], name: &str| names.iter().position(|&other| other == name);
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            [] => {}
            ["nurses", ref names @ ..] => self.nurses.extend(names),
            ["days", ref names @ ..] => self.days.extend(names),
            ["shift", name, needed] => self.shifts.push((name, needed.parse().ok()?)),
            ["most", most] => self.most = most.parse().ok()?,
            ["off", nurse, day] => self.off.push((place(&self.nurses, nurse)?, place(&self.days, day)?)),
            _ => return None,
        }
        Some(())
    }
}
