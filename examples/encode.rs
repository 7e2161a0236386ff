//! One constraint as DIMACS on standard output: `encode 20 5 --relation at-most --encoding totalizer`.

#[path = "common/watch.rs"]
#[allow(dead_code)] // no question of the library is asked here
mod watch;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use cnfkit::{AmoEncoding, AtMostK, AtMostOne, CardEncoding, ClauseSink, Cnf, Constrain};
use watch::Watch;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Relation {
    AtMost,
    AtLeast,
    Exactly,
}

/// Writes the CNF of "at most k", "at least k" or "exactly k" of n variables in DIMACS format.
///
/// The inputs are the variables 1 to n; auxiliary variables follow.
#[derive(Parser)]
#[command(after_help = format!(
    "Encodings:\n  any k:      {}\n  only k = 1: {}\n\n{EXIT_CODES}",
    list(CardEncoding::ALL),
    list(&only_one())
))]
struct Args {
    /// The number of variables that are constrained.
    #[arg(value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100_000_000))]
    n: u32,
    /// The bound.
    #[arg(value_name = "K")]
    k: usize,
    /// The relation between the number of true variables and the bound.
    #[arg(short, long, value_enum, default_value = "at-most")]
    relation: Relation,
    /// The encoding; see the list below.
    #[arg(short, long, default_value = "auto")]
    encoding: String,
    /// Print the size instead of the formula.
    #[arg(long)]
    size: bool,
    /// Give up after this many seconds.
    #[arg(long, value_name = "SECONDS")]
    time_limit: Option<f64>,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  the formula was written
  2  wrong arguments, a formula that is too large, the time limit, Ctrl-C, or output that cannot be written";

fn list(names: &[impl ToString]) -> String {
    names.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// The encodings of at most one that are no encodings of at most k.
fn only_one() -> Vec<AmoEncoding> {
    let all = AmoEncoding::ALL.iter().copied();
    all.filter(|enc| !matches!(enc, AmoEncoding::Card(_)) && enc.to_string().parse::<CardEncoding>().is_err()).collect()
}

fn encode(args: &Args) -> Result<Cnf, Box<dyn std::error::Error>> {
    let mut cnf = Cnf::new();
    let lits = cnf.new_lits(args.n as usize);
    let one = args.k == 1 && args.relation != Relation::AtLeast;
    match (args.encoding.parse::<CardEncoding>(), args.encoding.parse::<AmoEncoding>()) {
        (Ok(enc), _) => add(&mut cnf, &lits, args, &enc)?,
        (Err(_), Ok(enc)) if one => add_one(&mut cnf, &lits, args.relation, &enc)?,
        (Err(_), named) => {
            let why = match named {
                Ok(enc) => format!("`{enc}` encodes nothing but at most one and exactly one"),
                Err(_) => format!("`{}` is no encoding", args.encoding.escape_debug()),
            };
            let only_one = if one { format!(", {}", list(&only_one())) } else { String::new() };
            return Err(format!("--encoding: {why}; allowed here: {}{only_one}", list(CardEncoding::ALL)).into());
        }
    }
    Ok(cnf)
}

fn add_one(
    cnf: &mut Cnf,
    lits: &[cnfkit::Lit],
    relation: Relation,
    enc: &impl AtMostOne,
) -> Result<(), cnfkit::CapacityError> {
    match relation {
        Relation::Exactly => cnf.exactly_one(lits, enc),
        _ => cnf.at_most_one(lits, enc),
    }
}

fn add(cnf: &mut Cnf, lits: &[cnfkit::Lit], args: &Args, enc: &impl AtMostK) -> Result<(), cnfkit::CapacityError> {
    match args.relation {
        Relation::AtMost => cnf.at_most(lits, args.k, enc),
        Relation::AtLeast => cnf.at_least(lits, args.k, enc),
        Relation::Exactly => cnf.exactly(lits, args.k, enc),
    }
}

/// Writes the formula, or its size.
fn write(cnf: &Cnf, args: &Args) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if !args.size {
        return cnf.write_dimacs(&mut out);
    }
    let auxiliaries = cnf.n_vars() - args.n as usize;
    let (clauses, lits) = (cnf.n_clauses(), cnf.n_lits());
    writeln!(out, "{} inputs, {auxiliaries} auxiliaries, {clauses} clauses, {lits} literals", args.n)
}

fn main() -> ExitCode {
    let args = Args::parse();
    let start = || -> Result<(Watch, Cnf), Box<dyn std::error::Error>> {
        let watch = Watch::new(args.time_limit)?;
        let cnf = watch.run(format!("encoding {} of {}", args.k, args.n), || encode(&args))?;
        Ok((watch, cnf))
    };
    let (watch, cnf) = match start() {
        Ok(encoded) => encoded,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    match watch.run("writing", || write(&cnf, &args)) {
        // A reader that has seen enough, such as `head`, is no error.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            eprintln!("error: standard output: {error}");
            ExitCode::from(2)
        }
        _ => ExitCode::SUCCESS,
    }
}
