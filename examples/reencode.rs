//! A formula from a file with its at-most-ones found and encoded anew: `reencode FILE` says what it found and how large
//! it is before and after, `--solve` solves it, `--to` writes it.
//!
//! The output has the form of competitions: comments start with `c` (`*` where OPB is written), the answer with
//! `s`, and the values of a model with `v`. The model is one of the file's formula, all of its variables included.

#[macro_use]
#[path = "common/say.rs"]
mod say;
#[path = "common/engine.rs"]
mod engine;
#[path = "common/proof.rs"]
mod proof;
#[path = "common/watch.rs"]
#[allow(dead_code)] // the reason why nothing was found is not all that is printed
mod watch;

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Parser, ValueEnum};
use cnfkit::{
    Assignment, CapacityError, CardEncoding, CertifyError, ClauseSink, Constrain, Detected, Formula, Limits, Lit,
    Order, PbEncoding, ReadError, Relation, SolveError, SolverSink,
};
use watch::Watch;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Clauses: DIMACS.
    Cnf,
    /// Clauses and cardinality constraints: DIMACS with lines `k BOUND literals 0`.
    Knf,
    /// Pseudo-Boolean constraints.
    Opb,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OrderBy {
    /// As they stand in a KNF file; by number in OPB.
    Given,
    /// By number.
    Variable,
    /// By which variables occur together.
    Formula,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Encoding {
    /// The encodings that solvers do best with.
    Auto,
    /// The fewest variables + clauses.
    Smallest,
}

/// Finds the at-most-ones and exactly-ones of a formula, and encodes all constraints anew.
///
/// Without --solve or --to, says what was found and how large the formula is before and after.
#[derive(Parser)]
#[command(after_help = EXIT_CODES)]
struct Args {
    /// The formula; `-` is standard input.
    file: PathBuf,
    /// The format of the formula; without it, its first line says so.
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Take clauses as they are.
    #[arg(long)]
    no_detect: bool,
    /// Solve the formula and print a model of the one in the file.
    #[arg(long, conflicts_with = "to")]
    solve: bool,
    /// Write a proof of the answer to this new folder, which VeriPB checks: with what is found in the clauses, unless
    /// it is encoded smallest.
    #[arg(long, value_name = "DIR", requires = "solve", conflicts_with = "engine")]
    proof: Option<PathBuf>,
    /// Write the formula in this format: KNF and OPB with constraints, CNF with their clauses. Variables keep their
    /// numbers.
    #[arg(long, value_enum)]
    to: Option<Format>,
    /// Write to this file instead of standard output.
    #[arg(short, long, value_name = "FILE", requires = "to")]
    output: Option<PathBuf>,
    /// The order in which the literals of a constraint are encoded.
    #[arg(long, value_enum, default_value = "formula")]
    order: OrderBy,
    /// The goal for which encodings are chosen.
    #[arg(long, value_enum, default_value = "auto")]
    encoding: Encoding,
    /// Give up after this many seconds.
    #[arg(long, value_name = "SECONDS")]
    time_limit: Option<f64>,
    #[command(flatten)]
    engine: engine::Engine,
}

const EXIT_CODES: &str = "\
An objective is kept and written, but not minimised: with --solve, any model will do.

Exit codes:
  0   the formula was written or described, or there is no answer in time
  2   no formula, wrong arguments, a formula that is too large, stopped while reading or encoding, or the solver or
      writing failed
  10  satisfiable
  20  unsatisfiable";

/// The reason why there is nothing to print: bad input, or a failure on the way.
enum Failure {
    Input(String),
    Output(String),
}

/// The format that a text has, by the first bytes of it that are no comment: `p cnf`, `p knf`, or neither.
fn format_of(reader: &mut impl BufRead) -> io::Result<Format> {
    // Only what is in the buffer is looked at, so that nothing is taken from the reader. In a longer comment the letter
    // that it starts with decides.
    let start = reader.fill_buf()?;
    let mut format = Format::Cnf;
    for line in start.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii) {
        match line {
            [] => {}
            [b'c', ..] => format = Format::Knf, // read as DIMACS too
            [b'p', rest @ ..] => {
                return Ok(if rest.trim_ascii_start().starts_with(b"knf") { Format::Knf } else { Format::Cnf });
            }
            _ => return Ok(Format::Opb),
        }
    }
    Ok(format)
}

fn read(args: &Args) -> Result<(Formula, Format), String> {
    let (name, input): (String, Box<dyn io::Read>) = if args.file.as_os_str() == "-" {
        ("standard input".into(), Box::new(io::stdin()))
    } else {
        let name = args.file.display().to_string();
        let file = File::open(&args.file).map_err(|error| format!("{name}: {error}"))?;
        (name, Box::new(file))
    };
    let mut reader = BufReader::with_capacity(1 << 18, input);
    let format = match args.format {
        Some(format) => Ok(format),
        None => format_of(&mut reader),
    };
    let format = format.map_err(|error| format!("{name}: {error}"))?;
    let formula: Result<Formula, ReadError> = match format {
        Format::Cnf => Formula::read_dimacs(reader),
        Format::Knf => Formula::read_knf(reader),
        Format::Opb => Formula::read_opb(reader),
    };
    Ok((formula.map_err(|error| format!("{name}: {error}"))?, format))
}

/// This formula with all constraints to be encoded as small as possible.
fn smallest(formula: &Formula) -> Result<Formula, CapacityError> {
    let mut new = Formula::with_vars(formula.n_vars()).order(Order::Given); // literals as they are there
    formula.clauses().try_for_each(|clause| new.add_clause(clause))?;
    for constraint in formula.constraints() {
        match constraint.counted() {
            Some(_) => new.post(&constraint, CardEncoding::Smallest)?,
            None => new.post(&constraint, PbEncoding::Smallest)?,
        }
    }
    new.set_objective(formula.objective().iter().copied());
    for (var, name) in formula.names() {
        new.set_name(var, name);
    }
    Ok(new)
}

/// How many there are of each kind, and what that takes: lines without the sign of a comment.
fn describe(formula: &Formula, detected: Option<&Detected<'_>>, new: &Formula) -> Vec<String> {
    let kept = formula.constraints().len();
    let mut lines =
        vec![format!("read: {} variables, {} clauses, {kept} constraints", formula.n_vars(), formula.n_clauses())];
    if let Some(detected) = detected {
        let exactly = |one: bool| {
            let found = detected.constraints().filter_map(|found| found.counted());
            let sizes = found.filter(|&(_, relation)| (relation == Relation::Exactly(1)) == one);
            let (count, sum) = sizes.fold((0_usize, 0), |(count, sum), (lits, _)| (count + 1, sum + lits.len()));
            format!("{count} of {sum} literals")
        };
        lines.push(format!("found: at most one: {}; exactly one: {}", exactly(false), exactly(true)));
        lines.push(format!(
            "gone: {} clauses, {} auxiliary variables",
            detected.replaced().len() - detected.added().len(),
            detected.auxiliaries().len()
        ));
        if !detected.is_complete() {
            lines.push("the search for constraints was given up; there may be more".into());
        }
    }
    let (clauses, size) = (formula.size().clauses, new.size());
    lines.push(format!("encoded: {clauses} clauses before, {} after, with {} more variables", size.clauses, size.vars));
    lines
}

fn comments(lines: &[String], sign: char, out: &mut dyn Write) -> io::Result<()> {
    lines.iter().try_for_each(|line| writeln!(out, "{sign} {line}"))
}

fn write(formula: &Formula, format: Format, lines: &[String], out: &mut dyn Write) -> io::Result<()> {
    if format == Format::Opb {
        return formula.write_opb(Inserting { lines: Some(lines), out });
    }
    comments(lines, 'c', out)?;
    match format {
        Format::Cnf => formula.write_dimacs(&mut *out),
        _ => formula.write_knf(&mut *out),
    }?;
    out.flush()
}

/// Inserts comments after the first line, which in OPB is the header.
struct Inserting<'a> {
    lines: Option<&'a [String]>,
    out: &'a mut dyn Write,
}

impl Write for Inserting<'_> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        let end = text.iter().position(|&byte| byte == b'\n');
        if let Some(end) = end
            && let Some(lines) = self.lines.take()
        {
            self.out.write_all(&text[..=end])?;
            comments(lines, '*', self.out)?;
            return Ok(end + 1);
        }
        self.out.write(text)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Lines `v`, as long as a screen is wide; DIMACS ends with a 0, OPB names variables.
fn values(model: &Assignment, n_vars: usize, format: Format, out: &mut dyn Write) -> io::Result<()> {
    let mut line = String::from("v");
    let mut word = |word: &str, out: &mut dyn Write| {
        if line.len() + 1 + word.len() > 78 {
            writeln!(out, "{line}")?;
            line = String::from("v");
        }
        line.push(' ');
        line.push_str(word);
        if word == "0" || word.is_empty() { writeln!(out, "{}", line.trim_end()) } else { Ok(()) }
    };
    for var in 1..=n_vars {
        let sign = if model.is_true(Lit::positive(var as u32 - 1)) { "" } else { "-" };
        let name = if format == Format::Opb { "x" } else { "" };
        word(&format!("{sign}{name}{var}"), out)?;
    }
    word(if format == Format::Opb { "" } else { "0" }, out)
}

/// The solver's answer: a model of the formula, of all its variables, if there is one. An engine gets the clauses as
/// they are encoded, and nothing keeps them.
fn solve(
    new: &Formula,
    detected: Option<&Detected<'_>>,
    engine: &engine::Engine,
    watch: &Watch,
) -> Result<Option<Assignment>, SolveError> {
    let limits = Limits::none().cancel(watch.flag());
    let model = match engine.make() {
        None => {
            let cnf = watch.run("encoding", || new.encode())?;
            watch.run("solving", || cnf.solve_within(&limits))?
        }
        Some(make) => {
            let mut sink = SolverSink::owned(make());
            watch.run("encoding", || new.encode_into(&mut sink))?;
            watch.run("solving", || sink.solve(&limits, &[]))?.then(|| sink.model()).transpose()?
        }
    };
    Ok(model.map(|model| detected.map_or(model.clone(), |detected| detected.complete(&model))))
}

/// The answer of the solver, with a proof of it.
fn certified(
    formula: &Formula,
    detected: Option<&Detected<'_>>,
    dir: &Path,
    watch: &Watch,
) -> Result<Option<Assignment>, SolveError> {
    let limits = Limits::none().cancel(watch.flag());
    let solved = detected
        .map_or_else(|| formula.solve_certified(dir, &limits), |detected| detected.solve_certified(dir, &limits));
    solved.map_err(|error| match error {
        CertifyError::Interrupted => SolveError::Interrupted,
        error => SolveError::Solver(error.into()),
    })
}

fn run(args: &Args) -> Result<ExitCode, Failure> {
    let watch = Watch::new(args.time_limit).map_err(Failure::Input)?;
    let (formula, format) = watch.run("reading", || read(args)).map_err(Failure::Input)?;
    let order = match args.order {
        OrderBy::Given => Order::Given,
        OrderBy::Variable => Order::Variable,
        OrderBy::Formula => Order::Formula,
    };
    let formula = formula.order(order);
    let takes_clauses = args.no_detect || (args.proof.is_some() && args.encoding == Encoding::Smallest);
    let detected = (!takes_clauses).then(|| watch.run("looking for constraints", || formula.detect()));
    let new = detected.as_ref().map_or_else(|| formula.clone(), Detected::formula);
    let new = match args.encoding {
        Encoding::Auto => new,
        Encoding::Smallest => smallest(&new).map_err(|error| Failure::Input(error.to_string()))?,
    };
    let new = new.order(order);
    let lines = watch.run("planning", || describe(&formula, detected.as_ref(), &new));
    let name = args.output.as_deref().map_or("standard output".into(), |path: &Path| path.display().to_string());
    let failed = |error: io::Error| Failure::Output(format!("{name}: {error}"));
    let written = |result: io::Result<()>| match result {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(failed(error)),
        _ => Ok(()),
    };
    let mut out: Box<dyn Write> = match &args.output {
        Some(path) => Box::new(BufWriter::new(File::create(path).map_err(failed)?)),
        None => Box::new(BufWriter::new(io::stdout())),
    };
    if let Some(to) = args.to {
        written(watch.run("writing", || write(&new, to, &lines, &mut out)))?;
        return Ok(ExitCode::SUCCESS);
    }
    written(comments(&lines, 'c', &mut out).and_then(|()| out.flush()))?;
    if !args.solve {
        return Ok(ExitCode::SUCCESS);
    }
    let answer = watch.known((), |(), reason| {
        say!("c {reason}\ns UNKNOWN");
        0
    });
    let start = Instant::now();
    let found = match &args.proof {
        Some(dir) => watch.run("solving", || certified(&new, detected.as_ref(), dir, &watch)),
        None => solve(&new, detected.as_ref(), &args.engine, &watch),
    };
    let time = format!("c solved in {:.2} s", start.elapsed().as_secs_f64());
    let (text, model, code) = match found {
        Ok(Some(model)) => ("SATISFIABLE", Some(model), 10),
        Ok(None) => ("UNSATISFIABLE", None, 20),
        Err(SolveError::Interrupted) => ("UNKNOWN", None, 0),
        Err(SolveError::Capacity(error)) => return Err(Failure::Input(error.to_string())),
        Err(error) => return Err(Failure::Output(error.to_string())),
    };
    let n_vars = formula.n_vars();
    written(answer.conclude(|()| {
        writeln!(out, "{time}")?;
        if let Some(dir) = args.proof.as_ref().filter(|_| code > 0) {
            writeln!(out, "c {}", proof::check(dir))?;
        }
        writeln!(out, "s {text}")?;
        model.map_or(Ok(()), |model| values(&model, n_vars, format, &mut out))?;
        out.flush()
    }))?;
    Ok(ExitCode::from(code))
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(code) => code,
        Err(Failure::Input(error) | Failure::Output(error)) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
