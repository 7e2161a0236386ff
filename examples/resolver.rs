//! A package resolver on one solver that is asked again and again, with wishes as assumptions: the newest versions that
//! fit each other, or the wishes that contradict each other.
//!
//! `cargo run --example resolver -- FILE` reads packages and wishes like those of `BUILT_IN`, which it takes without a
//! file: `web@2 http@2-3 log` is version 2 of web, which needs a version of http from 2 to 3, and any of log.

use std::error::Error;
use std::io::{self, Write};

use cnfkit::solvers::DefaultSolver;
use cnfkit::{AmoEncoding, ClauseSink, Constrain, Limits, Lit, SolverSink};

const BUILT_IN: &str = "web@1 http@1\nweb@2 http@2-3 log\nhttp@2\nhttp@3 log@2\nlog@1\nlog@2\nwant web log";
const ALLOWED: &str = "`NAME@VERSION NEEDS` and `want NEEDS`; a need is `NAME`, `NAME@VERSION` or `NAME@FROM-TO`";

/// For each version of a package, and each wish, a literal.
struct Resolver<'a> {
    sink: SolverSink<DefaultSolver>,
    versions: Vec<(u32, &'a str, Lit)>,
    wishes: Vec<(Lit, &'a str)>,
    /// Under the condition of the literal: a package, and its least and greatest version.
    needs: Vec<(Lit, &'a str, (u32, u32))>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1).map_or(Ok(BUILT_IN.to_owned()), std::fs::read_to_string)?;
    let sink = SolverSink::owned(DefaultSolver::default());
    let mut resolver = Resolver { sink, versions: Vec::new(), wishes: Vec::new(), needs: Vec::new() };
    for (line, number) in text.lines().zip(1..) {
        resolver.read(line).ok_or_else(|| format!("line {number}: allowed: {ALLOWED}"))?;
    }
    let Resolver { mut sink, mut versions, wishes, needs } = resolver;
    versions.sort_unstable();
    for (owner, needed, (least, most)) in needs {
        let fits = |(version, name, _): &&(u32, &str, Lit)| *name == needed && (least..=most).contains(version);
        let fitting = versions.iter().filter(fits).map(|&(.., lit)| lit);
        sink.add_clause(&[!owner].into_iter().chain(fitting).collect::<Vec<_>>())?;
    }
    for (_, of, _) in &versions {
        let one: Vec<Lit> = versions.iter().filter(|(_, name, _)| name == of).map(|&(.., lit)| lit).collect();
        sink.at_most_one(&one, AmoEncoding::Auto)?;
    }

    let (mut out, limits) = (io::stdout(), Limits::none());
    let mut assumed: Vec<Lit> = wishes.iter().map(|&(wish, _)| wish).collect();
    if !sink.solve(&limits, &assumed)? {
        let core = sink.smallest_core(&limits)?;
        let of_core = wishes.iter().filter(|(wish, _)| core.contains(wish)).map(|&(_, line)| line);
        return Ok(writeln!(out, "wishes contradict each other: {}", of_core.collect::<Vec<_>>().join(", "))?);
    }
    // Versions are left out, the oldest first, where the wishes can do without.
    for (version, name, lit) in versions {
        assumed.push(!lit);
        if !sink.solve(&limits, &assumed)? {
            assumed.pop();
            writeln!(out, "{name} {version}")?;
        }
    }
    Ok(())
}

impl<'a> Resolver<'a> {
    /// Reads a line; `None` if it is wrong.
    fn read(&mut self, line: &'a str) -> Option<()> {
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else { return Some(()) };
        let lit = self.sink.new_lit();
        match first.split_once('@') {
            Some((name, version)) => self.versions.push((version.parse().ok()?, name, lit)),
            None if first == "want" => self.wishes.push((lit, line)),
            None => return None,
        }
        for need in words {
            let (name, range) = need.split_once('@').unwrap_or((need, "0-4294967295"));
            let (least, most) = range.split_once('-').unwrap_or((range, range));
            self.needs.push((lit, name, (least.parse().ok()?, most.parse().ok()?)));
        }
        Some(())
    }
}
