//! A package resolver: versions that fit each other, or a smallest set of wishes that contradict each other.
//! `cargo run --example resolver -- FILE` reads what there is and what is wanted, `-` from standard input:
//! ```text
//! package web 2 needs http 2-3 log   # version 2 of web; any version of http from 2 to 3, any of log
//! want web                           # any version
//! ```

#[macro_use]
#[path = "common/say.rs"]
mod say;
#[path = "common/text.rs"]
mod text;
#[path = "common/watch.rs"]
#[allow(dead_code)] // not all of it is of use here
mod watch;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use cnfkit::solvers::DefaultSolver;
use cnfkit::{AmoEncoding, ClauseSink, Constrain, Lit, SolveError, SolverSink};
use watch::Watch;

/// Chooses versions of packages that fit each other.
#[derive(Parser)]
#[command(after_help = "Exit codes:\n  0  versions that fit\n  1  there are none\n  2  wrong input, or no answer yet")]
struct Args {
    /// Packages and wishes; `-` for standard input
    file: PathBuf,
    /// Give up after this many seconds
    #[arg(long, value_name = "SECONDS")]
    time_limit: Option<f64>,
}

/// Wishes are assumptions.
struct Resolver {
    sink: SolverSink<DefaultSolver>,
    versions: Vec<(u32, String, Lit)>,
    wishes: Vec<(Lit, String)>,
    /// Under the condition of the literal: a package, and its least and greatest version.
    needs: Vec<(Lit, String, (u32, u32))>,
}

fn main() -> ExitCode {
    run(&Args::parse()).unwrap_or_else(|message| {
        eprintln!("error: {message}");
        ExitCode::from(2)
    })
}

fn run(args: &Args) -> Result<ExitCode, String> {
    let watch = Watch::new(args.time_limit)?;
    let (name, text) = text::read(&args.file, "list of packages")?;
    let sink = SolverSink::owned(DefaultSolver::default());
    let mut resolver = Resolver { sink, versions: Vec::new(), wishes: Vec::new(), needs: Vec::new() };
    for (at, line) in (1..).zip(text.lines()) {
        resolver.read(line.split('#').next().unwrap_or_default().trim()).ok_or_else(|| {
            format!("{name}: line {at}: `package NAME VERSION [needs NAME [FROM-TO] …]` or `want NAME [FROM-TO] …`")
        })?;
    }
    resolver.resolve(&watch).map_err(|error| watch.explain(error.to_string()))
}

/// `2` or `2-3`.
fn range(word: &str) -> Option<(u32, u32)> {
    let (least, most) = word.split_once('-').unwrap_or((word, word));
    Some((least.parse().ok()?, most.parse().ok()?))
}

impl Resolver {
    fn read(&mut self, line: &str) -> Option<()> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let lit = self.sink.new_lit();
        match words[..] {
            ["package", name, version] | ["package", name, version, "needs", ..] => {
                self.versions.push((version.parse().ok()?, name.to_owned(), lit));
            }
            ["want", _, ..] => self.wishes.push((lit, line.to_owned())),
            _ => return line.is_empty().then_some(()),
        }
        let needed = &words[if words[0] == "want" { 1 } else { words.len().min(4) }..];
        for (at, name) in needed.iter().enumerate().filter(|(_, word)| range(word).is_none()) {
            let versions = needed.get(at + 1).and_then(|next| range(next)).unwrap_or((0, u32::MAX));
            self.needs.push((lit, (*name).to_owned(), versions));
        }
        Some(())
    }

    fn resolve(&mut self, watch: &Watch) -> Result<ExitCode, SolveError> {
        self.versions.sort_unstable();
        for (owner, needed, (least, most)) in &self.needs {
            let fits = |version: &u32, name| name == needed && (least..=most).contains(&version);
            let fitting = self.versions.iter().filter(|(version, name, _)| fits(version, name)).map(|&(.., lit)| lit);
            self.sink.add_clause(&[!*owner].into_iter().chain(fitting).collect::<Vec<_>>())?;
        }
        for (_, of, _) in &self.versions {
            let one: Vec<Lit> = self.versions.iter().filter(|(_, name, _)| name == of).map(|&(.., lit)| lit).collect();
            self.sink.at_most_one(&one, AmoEncoding::Auto)?;
        }
        let limits = watch.limits().memory(4 << 30);
        let mut assumed: Vec<Lit> = self.wishes.iter().map(|&(wish, _)| wish).collect();
        if !watch.run("resolving", || self.sink.solve(&limits, &assumed))? {
            let core = watch.run("explaining", || self.sink.smallest_core(&limits))?;
            say!("{} wishes contradict each other", core.len());
            self.wishes.iter().filter(|(wish, _)| core.contains(wish)).for_each(|(_, line)| say!("  {line}"));
            return Ok(ExitCode::FAILURE);
        }
        // Versions are left out, the oldest first, where the wishes can do without.
        for (version, name, lit) in &self.versions {
            assumed.push(!*lit);
            if !watch.run("choosing", || self.sink.solve(&limits, &assumed))? {
                assumed.pop();
                say!("{name} {version}");
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
