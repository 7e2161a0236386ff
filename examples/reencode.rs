//! A formula from a file with its at-most-ones found and encoded anew: `reencode FILE` says what it found and how large
//! it is before and after, `--solve` solves it, `--to` writes it, `--cubes` splits it; `--lines` does so for many.
//!
//! The output has the form of competitions: comments start with `c` (`*` where OPB is written), the answer with
//! `s`, and the values of a model with `v`. The model is one of the file's formula, all of its variables included.

#[macro_use]
#[path = "common/say.rs"]
mod say;
#[macro_use]
#[path = "common/solving.rs"]
mod solving;
#[path = "common/lines.rs"]
mod lines;
#[path = "common/proof.rs"]
mod proof;
#[path = "common/shard.rs"]
mod shard;
#[allow(dead_code)] // lines are read
#[path = "common/text.rs"]
mod text;

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use clap::{Parser, ValueEnum};
use cnfkit::ask::Threads;
use cnfkit::{
    Assignment, CardEncoding, CertifyError, ClauseSink, Cubes, Detected, Formula, Lit, Order, PbEncoding, ReadError,
    Relation, SolveError, SolverSink,
};
use lines::{Answer, Lines};
use solving::Watch;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Clauses: DIMACS.
    Cnf,
    /// Clauses and cardinality constraints: DIMACS with lines `k BOUND literals 0`.
    Knf,
    /// Pseudo-Boolean constraints.
    Opb,
}

impl From<OrderBy> for Order {
    fn from(order: OrderBy) -> Self {
        match order {
            OrderBy::Given => Self::Given,
            OrderBy::Variable => Self::Variable,
            OrderBy::Formula => Self::Formula,
        }
    }
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
    #[arg(required_unless_present = "lines", conflicts_with = "lines")]
    file: Option<PathBuf>,
    /// The format of the formula; without it, its first line says so.
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Take clauses as they are.
    #[arg(long)]
    no_detect: bool,
    /// Solve the formula and print a model of the one in the file.
    #[arg(long, conflicts_with = "to")]
    solve: bool,
    /// Solve with clauses that leave one of many symmetric models.
    #[arg(long, requires = "solve")]
    symmetries: bool,
    /// Write a proof of the answer to this new folder, which VeriPB checks: with what is found in the clauses, unless
    /// it is encoded smallest or symmetries are broken. With --engine, which is to write one in DRAT, also of the
    /// answer by --cubes.
    #[arg(long, value_name = "DIR", requires = "solve")]
    proof: Option<PathBuf>,
    /// Write the formula in this format: KNF and OPB with constraints, CNF with their clauses. Variables keep their
    /// numbers.
    #[arg(long, value_enum, group = "written")]
    to: Option<Format>,
    /// Split the encoded formula into at most this number of parts that exclude each other, for as many solvers.
    /// Written to the new folder --output: all in `formula.icnf`, and each, `cube-1.cnf`, `cube-2.cnf` …; with --solve,
    /// solved one after the other.
    #[arg(long, value_name = "NUMBER", group = "written", conflicts_with = "to")]
    cubes: Option<usize>,
    /// Combine the answers in this folder, `cube-1.out` …, which solvers have printed for the parts that --cubes wrote.
    /// With --proof, its proofs in DRAT, `cube-1.drat` …; --engine is asked where there is none.
    #[arg(long, value_name = "DIR", requires_all = ["cubes", "solve"], conflicts_with = "threads")]
    answers: Option<PathBuf>,
    /// Solve in this number of threads: other orders and encodings of the formula, the first answer wins; or its cubes.
    #[arg(long, value_name = "NUMBER", requires = "solve", conflicts_with = "proof",
          value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Write to this file, or folder, instead of standard output.
    #[arg(short, long, value_name = "FILE", requires = "written", conflicts_with_all = ["lines", "solve"])]
    output: Option<PathBuf>,
    /// The order in which the literals of a constraint are encoded.
    #[arg(long, value_enum, default_value = "formula")]
    order: OrderBy,
    /// The goal for which encodings are chosen.
    #[arg(long, value_enum, default_value = "auto")]
    encoding: Encoding,
    #[command(flatten)]
    solving: solving::Solving,
    #[command(flatten)]
    lines: Lines,
}

const EXIT_CODES: &str = "\
Each line of --lines is a file, and its answer what is printed for it; --time-limit is for all of them together.

What --cubes wrote to formula.icnf is read back: with --solve it is solved cube by cube, and then outside of all cubes.

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

/// The bytes of a text by which its format is known: of a longer first line, the beginning decides.
const START: u64 = 1 << 16;

/// The first line of a text that is not blank, with what is before it, and the format that it says.
fn format_of(reader: &mut impl BufRead) -> io::Result<(Vec<u8>, Format)> {
    let mut start = Vec::new();
    let mut reader = reader.take(START);
    let is_blank = |text: &[u8]| text.trim_ascii().is_empty() || text == "\u{feff}".as_bytes();
    while is_blank(&start) && reader.read_until(b'\n', &mut start)? > 0 {}
    let line = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&start);
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let is_number = |word: &[u8]| std::str::from_utf8(word).is_ok_and(|word| word.parse::<i64>().is_ok());
    let format = match words.next() {
        Some([b'c' | b'p', ..]) => Format::Knf, // read as DIMACS too
        // Two numbers are no part of OPB.
        Some(first) if !is_number(first) || !words.next().is_none_or(is_number) => Format::Opb,
        _ => Format::Cnf,
    };
    Ok((start, format))
}

/// The content of a file.
enum Text {
    Formula(Box<Formula>, Format),
    /// Clauses and cubes, as `--cubes` writes them.
    Cubes(Cubes),
}

fn read(args: &Args, path: &Path) -> Result<Text, String> {
    let (name, input): (String, Box<dyn io::Read>) = if path.as_os_str() == "-" {
        ("standard input".into(), Box::new(io::stdin()))
    } else {
        let name = path.display().to_string();
        let file = File::open(path).map_err(|error| format!("{name}: {error}"))?;
        (name, Box::new(file))
    };
    let mut reader = BufReader::with_capacity(1 << 18, input);
    let (start, found) = format_of(&mut reader).map_err(|error| format!("{name}: {error}"))?;
    let format = args.format.unwrap_or(found);
    let mut reader = start.as_slice().chain(reader);
    if args.format.is_none() && start.trim_ascii().starts_with(b"p inccnf") {
        return Cubes::read_icnf(&mut reader).map(Text::Cubes).map_err(|error| format!("{name}: {error}"));
    }
    let formula: Result<Formula, ReadError> = match format {
        Format::Cnf => Formula::read_dimacs(reader),
        Format::Knf => Formula::read_knf(reader),
        Format::Opb => Formula::read_opb(reader),
    };
    Ok(Text::Formula(Box::new(formula.map_err(|error| format!("{name}: {error}"))?), format))
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
fn values(model: &Assignment, formula: &Formula, format: Format, out: &mut dyn Write) -> io::Result<()> {
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
    // A model of clauses has all variables, whichever of them solutions are counted by.
    let all = (0..formula.n_vars() as u32).map(Lit::positive);
    let lits = if matches!(format, Format::Cnf | Format::Knf) { all.collect() } else { formula.lits() };
    for lit in lits {
        let sign = if model.is_true(lit) { "" } else { "-" };
        if format != Format::Opb {
            word(&format!("{sign}{}", lit.vidx32() + 1), out)?;
        } else if let Some(name) = formula.opb_name(lit.var()) {
            word(&format!("{sign}{name}"), out)?;
        }
    }
    word(if format == Format::Opb { "" } else { "0" }, out)
}

/// The solver's answer: a model of the formula, of all its variables, if there is one. An engine gets the clauses as
/// they are encoded, and nothing keeps them.
fn solve(
    args: &Args,
    new: &Formula,
    detected: Option<&Detected<'_>>,
    conflicts: &Arc<AtomicU64>,
    watch: &Watch,
) -> Result<Option<Assignment>, SolveError> {
    let limits = watch.limits().count_conflicts(Arc::clone(conflicts));
    let cubes = args.cubes.map(|n| watch.run("looking for cubes", || new.cubes(n, &limits))).transpose()?;
    let threads = || {
        let threads = Threads::new(args.threads.map_or(1, usize::from)).limits(limits.clone());
        by!(args.solving, threads)
    };
    let model = match (&cubes, &args.answers, args.solving.make()) {
        (Some(cubes), Some(answers), _) => watch.run("combining answers", || combine(cubes, answers))?,
        (Some(cubes), None, _) => watch.run("solving", || threads().solve_cubes(cubes))?,
        (None, ..) if args.threads.is_some() => watch.run("solving", || threads().solve(new))?,
        (None, _, None) => watch.run("solving", || new.solve_within(&limits))?,
        (None, _, Some(make)) => {
            let mut sink = SolverSink::owned(make());
            watch.run("encoding", || new.encode_into(&mut sink))?;
            watch.run("solving", || sink.solve(&limits, &[]))?.then(|| sink.model()).transpose()?
        }
    };
    Ok(model.map(|model| detected.map_or(model.clone(), |detected| detected.complete(&model))))
}

/// Nothing, if the parts in a folder are those of this formula.
fn check_parts(cubes: &Cubes, dir: &Path) -> Result<(), SolveError> {
    let path = dir.join("formula.icnf");
    let mut text = Vec::new();
    cubes.write_icnf(&mut text).map_err(|error| SolveError::Solver(error.into()))?;
    let failed =
        |path: &Path, error: &dyn std::fmt::Display| SolveError::Solver(format!("{}: {error}", path.display()).into());
    match fs::read(&path) {
        Err(error) => Err(failed(&path, &error)),
        Ok(found) if found == text => Ok(()),
        Ok(_) => Err(failed(&path, &"these are not the parts of this formula, with these options")),
    }
}

/// The answer to a formula from those to its parts.
fn combine(cubes: &Cubes, dir: &Path) -> Result<Option<Assignment>, SolveError> {
    check_parts(cubes, dir)?;
    let outputs = (1..=cubes.iter().len()).map(|number| {
        let file = File::open(dir.join(format!("cube-{number}.out")));
        file.map_or_else(|_| Box::new(io::empty()) as Box<dyn BufRead>, |file| Box::new(BufReader::new(file)))
    });
    cubes.combine(outputs)
}

/// Writes the parts of a formula to a new folder.
fn write_cubes(cubes: &Cubes, dir: &Path) -> Result<(), String> {
    let failed = |path: &Path, error: io::Error| format!("{}: {error}", path.display());
    fs::create_dir(dir).map_err(|error| failed(dir, error))?;
    let file = |path: &Path| File::create(path).map_err(|error| failed(path, error));
    let all = dir.join("formula.icnf");
    cubes.write_icnf(file(&all)?).map_err(|error| failed(&all, error))?;
    for number in 0..cubes.iter().len() {
        let path = dir.join(format!("cube-{}.cnf", number + 1));
        cubes.write_dimacs(number, file(&path)?).map_err(|error| failed(&path, error))?;
    }
    Ok(())
}

/// The answer of the solver or the engine, with a proof of it.
fn certified(
    args: &Args,
    formula: &Formula,
    detected: Option<&Detected<'_>>,
    dir: &Path,
    watch: &Watch,
) -> Result<Option<Assignment>, SolveError> {
    let limits = watch.limits();
    let uncertified = |error: CertifyError| match error {
        CertifyError::Interrupted(why) => SolveError::Interrupted(why),
        error => SolveError::Solver(error.into()),
    };
    if args.symmetries {
        return formula.break_symmetries()?.solve_certified(dir, &limits).map_err(uncertified);
    }
    if let Some(make) = args.solving.make() {
        let (engine, n) = (make(), args.cubes.unwrap_or(1));
        let engine = match &args.answers {
            Some(answers) => {
                check_parts(&watch.run("looking for cubes", || formula.cubes(n, &limits))?, answers)?;
                engine.proofs_in(answers)
            }
            None => engine,
        };
        return detected.map_or_else(
            || formula.solve_certified_by(&engine, n, dir, &limits),
            |detected| detected.solve_certified_by(&engine, n, dir, &limits),
        );
    }
    let solved = detected
        .map_or_else(|| formula.solve_certified(dir, &limits), |detected| detected.solve_certified(dir, &limits));
    solved.map_err(uncertified)
}

/// Does what is asked for a file, and says it.
/// The last lines of an answer but the values, a model and the exit code.
fn said(
    found: Result<Option<Assignment>, SolveError>,
    watch: &Watch,
) -> Result<(String, Option<Assignment>, u8), Failure> {
    match found {
        Ok(Some(model)) => Ok(("s SATISFIABLE".to_owned(), Some(model), 10)),
        Ok(None) => Ok(("s UNSATISFIABLE".to_owned(), None, 20)),
        Err(SolveError::Interrupted(why)) => {
            Ok((format!("c {}\ns UNKNOWN", watch.stopped().unwrap_or_else(|| why.to_string())), None, 0))
        }
        Err(SolveError::Capacity(error)) => Err(Failure::Input(error.to_string())),
        Err(error) => Err(Failure::Output(error.to_string())),
    }
}

/// Solves clauses under their cubes, one after the other or in threads, and then what is outside of all cubes.
fn under_cubes(args: &Args, cubes: &Cubes, watch: &Watch, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    if !args.solve || args.cubes.is_some() || args.proof.is_some() || args.symmetries {
        let text = "a formula with cubes is solved under them, with --solve; --threads and --engine go with it";
        return Err(Failure::Input(text.into()));
    }
    let threads = Threads::new(args.threads.map_or(1, usize::from)).limits(watch.limits());
    let threads = by!(args.solving, threads);
    let mut outside = Formula::with_vars(cubes.n_vars());
    let negated = |cube: &[Lit]| cube.iter().map(|&lit| !lit).collect::<Vec<Lit>>();
    let found = watch.run("solving", || match threads.solve_cubes(cubes)? {
        None => {
            cubes.cnf().clauses().try_for_each(|clause| outside.add_clause(clause))?;
            cubes.iter().try_for_each(|cube| outside.add_clause(&negated(cube)))?;
            threads.solve(&outside)
        }
        found => Ok(found),
    });
    let (text, model, code) = said(found, watch)?;
    let say = |out: &mut dyn Write| {
        writeln!(out, "c solved under {} cubes, and what they leave out", cubes.iter().len())?;
        writeln!(out, "{text}")?;
        model.as_ref().map_or(Ok(()), |model| values(model, &outside, Format::Cnf, out))?;
        out.flush()
    };
    match say(out) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::Output(error.to_string())),
        _ => Ok(ExitCode::from(code)),
    }
}

fn run(args: &Args, path: &Path, watch: &Watch, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let (formula, format) = match watch.run("reading", || read(args, path)).map_err(Failure::Input)? {
        Text::Formula(formula, format) => (*formula, format),
        Text::Cubes(cubes) => return under_cubes(args, &cubes, watch, out),
    };
    let order = args.order.into();
    let formula = formula.order(order);
    let takes_clauses =
        args.no_detect || (args.proof.is_some() && (args.symmetries || args.encoding == Encoding::Smallest));
    let detected = (!takes_clauses).then(|| watch.run("looking for constraints", || formula.detect()));
    let new = detected.as_ref().map_or_else(|| formula.clone(), Detected::formula);
    let new = match args.encoding {
        Encoding::Auto => new,
        Encoding::Smallest => new
            .with_encodings(CardEncoding::Smallest, PbEncoding::Smallest)
            .map_err(|error| Failure::Input(error.to_string()))?,
    };
    let new = new.order(order);
    let lines = watch.run("planning", || describe(&formula, detected.as_ref(), &new));
    let written = |result: io::Result<()>| match result {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let name = args.output.as_deref().filter(|_| args.to.is_some());
            let name = name.map_or("standard output".into(), |path| path.display().to_string());
            Err(Failure::Output(format!("{name}: {error}")))
        }
        _ => Ok(()),
    };
    if let Some(to) = args.to {
        let file = args.output.as_deref().map(|path| File::create(path).map(BufWriter::new)).transpose();
        written(file.and_then(|file| {
            watch.run("writing", || match file {
                Some(mut file) => write(&new, to, &lines, &mut file),
                None => write(&new, to, &lines, out),
            })
        }))?;
        return Ok(ExitCode::SUCCESS);
    }
    written(comments(&lines, 'c', out).and_then(|()| out.flush()))?;
    if !args.solve {
        if let (Some(n), Some(dir)) = (args.cubes, &args.output) {
            let limits = watch.limits();
            let cubes = watch.run("looking for cubes", || new.cubes(n, &limits));
            let cubes = cubes.map_err(|error| Failure::Output(error.to_string()))?;
            watch.run("writing", || write_cubes(&cubes, dir)).map_err(Failure::Output)?;
            written(writeln!(out, "c {} cubes", cubes.iter().len()).and_then(|()| out.flush()))?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let new = if args.symmetries && args.proof.is_none() {
        let broken = watch.run("looking for symmetries", || new.break_symmetries());
        broken.map_err(|error| Failure::Input(error.to_string()))?.into_formula()
    } else {
        new
    };
    let is_one = args.lines.file.is_none();
    let answer = is_one.then(|| {
        watch.known((), |(), reason| {
            say!("c {reason}\ns UNKNOWN");
            0
        })
    });
    let (start, conflicts) = (Instant::now(), Arc::new(AtomicU64::new(0)));
    let found = match &args.proof {
        Some(dir) => watch.run("solving", || certified(args, &new, detected.as_ref(), dir, watch)),
        None => solve(args, &new, detected.as_ref(), &conflicts, watch),
    };
    let conflicts = match conflicts.load(Ordering::Relaxed) {
        0 => String::new(),
        conflicts => format!(", {conflicts} conflicts"),
    };
    let time = format!("c solved in {:.2} s{conflicts}", start.elapsed().as_secs_f64());
    let (text, model, code) = said(found, watch)?;
    let mut say = || {
        if is_one {
            writeln!(out, "{time}")?; // another one each time
        }
        if let Some(dir) = args.proof.as_ref().filter(|_| code > 0) {
            writeln!(out, "c {}", proof::check(dir))?;
        }
        writeln!(out, "{text}")?;
        model.as_ref().map_or(Ok(()), |model| values(model, &formula, format, out))?;
        out.flush()
    };
    written(match answer {
        Some(answer) => answer.conclude(|()| say()),
        None => say(),
    })?;
    Ok(ExitCode::from(code))
}

/// The text that is printed for a file, as the answer to a line.
fn line(args: &Args, path: &str, watch: &Watch) -> Answer {
    let mut text = Vec::new();
    match run(args, Path::new(path), watch, &mut text) {
        _ if watch.stopped().is_some() => Answer::Stopped,
        Ok(_) => Answer::Text(String::from_utf8_lossy(&text).into_owned()),
        Err(Failure::Input(error)) => Answer::Error(error),
        Err(Failure::Output(error)) => Answer::Failed(error),
    }
}

fn start(args: &Args) -> Result<ExitCode, Failure> {
    let watch = args.solving.watch().map_err(Failure::Input)?;
    if let Some(list) = &args.lines.file {
        let is_complete = args.lines.each(list, |path| line(args, path, &watch)).map_err(Failure::Output)?;
        return Ok(if is_complete { ExitCode::SUCCESS } else { ExitCode::from(2) });
    }
    let path = args.file.as_deref().unwrap_or_else(|| Path::new("-"));
    run(args, path, &watch, &mut BufWriter::new(io::stdout()))
}

fn main() -> ExitCode {
    let args = Args::parse();
    let missing = match &args {
        Args { cubes: Some(_), solve: false, output: None, .. } => Some("--cubes takes --output DIR, or --solve"),
        Args { cubes: Some(_), proof: Some(_), solving, .. } if solving.make().is_none() => {
            Some("--cubes with --proof takes --engine")
        }
        Args { symmetries: true, proof: Some(_), solving, .. } if solving.make().is_some() => {
            Some("--symmetries with --proof takes no --engine")
        }
        Args { answers: Some(_), proof: None, solving, .. } if solving.make().is_some() => {
            Some("--answers with --engine takes --proof")
        }
        _ => None,
    };
    if let Some(text) = missing {
        clap::Command::new("reencode").error(clap::error::ErrorKind::MissingRequiredArgument, text).exit();
    }
    match start(&args) {
        Ok(code) => code,
        Err(Failure::Input(error) | Failure::Output(error)) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
