//! `cnfkit solve`: an answer to a formula, in the lines of competitions: comments start with `c`, the answer with `s`,
//! and the values of a model with `v`. The model is one of the file's formula, all of its variables included.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use cnfkit::ask::{Ask, Questions, Threads};
use cnfkit::{
    Assignment, CapacityError, CertifyError, ClauseSink, Constrain, Cubes, Detected, Formula, Lit, PbEncoding,
    SolveError, SolverSink,
};

use crate::CommandFailure;
use crate::formula::{self, EncodedArgs, answered, comments, describe, said, values};
use crate::input::{FileText, SourceArgs, TextFormat};
use crate::lines::{LineAnswer, LinesArgs};
use crate::proof;
use crate::solving::Solving;
use crate::watch::Watch;

/// Solves a formula: DIMACS, KNF, OPB, WCNF or rules, a constraint a line.
///
/// At-most-ones and exactly-ones are found in the clauses and encoded anew. An objective is not minimised, any model
/// will do: `cnfkit optimise` minimises.
#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
#[allow(clippy::struct_excessive_bools)] // options
pub(crate) struct SolveArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// Take clauses as they are
    #[arg(long)]
    no_detect: bool,
    /// Say which clauses and constraints contradict each other, none of which can be left out
    #[arg(long, group = "question")]
    core: bool,
    /// Say which literals are true in all models: lines `b`
    #[arg(long, group = "question")]
    backbone: bool,
    /// Print all models, a `v` line each
    #[arg(long, group = "question")]
    all: bool,
    /// Count the models, up to this many
    #[arg(long, value_name = "LIMIT", num_args = 0..=1, require_equals = true, default_missing_value = MOST,
          group = "question")]
    count: Option<NonZero<usize>>,
    /// Solve with clauses that leave one of many symmetric models
    #[arg(long, conflicts_with = "question")]
    symmetries: bool,
    /// Write a proof of the answer to this new folder, which VeriPB checks: with what is found in the clauses, unless
    /// it is encoded smallest or symmetries are broken. With --engine, which is to write one in DRAT, also of the
    /// answer by --cubes
    #[arg(long, value_name = "DIR", conflicts_with = "question")]
    proof: Option<PathBuf>,
    /// Split the encoded formula into at most this number of parts that exclude each other, and solve these
    #[arg(long, value_name = "NUMBER", conflicts_with = "question")]
    cubes: Option<NonZero<usize>>,
    /// Combine the answers in this folder, `cube-1.out` …, which solvers have printed for the parts that `encode
    /// --cubes` wrote. With --proof, its proofs in DRAT, `cube-1.drat` …; --engine is asked where there is none
    #[arg(long, value_name = "DIR", requires = "cubes", conflicts_with = "threads")]
    answers: Option<PathBuf>,
    /// Solve in this number of threads: other orders and encodings of the formula, the first answer wins; or its cubes
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["proof", "question"],
          value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    #[command(flatten)]
    encoded: EncodedArgs,
    #[command(flatten)]
    solving: Solving,
    #[command(flatten)]
    lines: LinesArgs,
}

const MOST: &str = "18446744073709551615";

const EXIT_CODES: &str = "\
Each line of --lines is a file, and its answer what is printed for it; --time-limit is for all of them together.

What `encode --cubes` wrote to formula.icnf is solved cube by cube, and then outside of all cubes.

Exit codes:
  0   there is no answer in time
  2   no formula, wrong arguments, a formula that is too large, stopped while reading or encoding, or the solver or
      writing failed
  10  satisfiable
  20  unsatisfiable";

/// The solver's answer: a model of the formula, of all its variables, if there is one. An engine gets the clauses as
/// they are encoded, and nothing keeps them.
fn solve(
    args: &SolveArgs,
    new: &Formula,
    detected: Option<&Detected<'_>>,
    conflicts: &Arc<AtomicU64>,
    watch: &Watch,
) -> Result<Option<Assignment>, SolveError> {
    let limits = watch.limits().count_conflicts(Arc::clone(conflicts));
    let cubes = args.cubes.map(|n| watch.run("looking for cubes", || new.cubes(n.get(), &limits))).transpose()?;
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

/// The answer of the solver or the engine, with a proof of it.
fn certified(
    args: &SolveArgs,
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
        let (engine, n) = (make(), args.cubes.map_or(1, NonZero::get));
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

/// The last lines of an answer but the values, a model and the exit code.
fn ended(
    found: Result<Option<Assignment>, SolveError>,
    watch: &Watch,
) -> Result<(String, Option<Assignment>, u8), CommandFailure> {
    match found {
        Ok(Some(model)) => Ok(("s SATISFIABLE".to_owned(), Some(model), 10)),
        Ok(None) => Ok(("s UNSATISFIABLE".to_owned(), None, 20)),
        Err(SolveError::Interrupted(why)) => {
            Ok((format!("c {}\ns UNKNOWN", watch.stopped().unwrap_or_else(|| why.to_string())), None, 0))
        }
        Err(SolveError::Capacity(error)) => Err(CommandFailure::Input(error.to_string())),
        Err(error) => Err(CommandFailure::Output(error.to_string())),
    }
}

/// Solves clauses under their cubes, one after the other or in threads, and then what is outside of all cubes.
fn under_cubes(
    args: &SolveArgs,
    cubes: &Cubes,
    watch: &Watch,
    out: &mut dyn Write,
) -> Result<ExitCode, CommandFailure> {
    let is_asked_more = args.core || args.backbone || args.all || args.count.is_some();
    if is_asked_more || args.cubes.is_some() || args.proof.is_some() || args.symmetries {
        let text = "a formula with cubes is solved under them; of the options --threads and --engine go with it";
        return Err(CommandFailure::Input(text.into()));
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
    let (text, model, code) = ended(found, watch)?;
    let say = |out: &mut dyn Write| {
        writeln!(out, "c solved under {} cubes, and what they leave out", cubes.iter().len())?;
        writeln!(out, "{text}")?;
        model.as_ref().map_or(Ok(()), |model| {
            values(model, &outside, &answered(&outside, TextFormat::Cnf), TextFormat::Cnf, out)
        })?;
        out.flush()
    };
    match say(out) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(CommandFailure::Output(error.to_string())),
        _ => Ok(ExitCode::from(code)),
    }
}

/// A model, with the question that it answers.
fn solved(
    args: &SolveArgs,
    formula: &Formula,
    format: TextFormat,
    watch: &Watch,
    out: &mut dyn Write,
) -> Result<ExitCode, CommandFailure> {
    // `encode --cubes` takes clauses as they are.
    let takes_clauses = args.no_detect
        || args.answers.is_some()
        || args.proof.is_some() && (args.symmetries || args.encoded.is_smallest());
    let detected = (!takes_clauses).then(|| watch.run("looking for constraints", || formula.detect()));
    let new = detected.as_ref().map_or_else(|| formula.clone(), Detected::formula);
    let new = args.encoded.of(new).map_err(CommandFailure::Input)?;
    let lines = watch.run("planning", || describe(formula, detected.as_ref(), &new));
    written(comments(&lines, 'c', out).and_then(|()| out.flush()))?;
    let new = if args.symmetries && args.proof.is_none() {
        let broken = watch.run("looking for symmetries", || new.break_symmetries());
        broken.map_err(|error| CommandFailure::Input(error.to_string()))?.into_formula()
    } else {
        new
    };
    let is_one = args.lines.file.is_none();
    let answer = is_one.then(|| watch.known((), |(), reason| unknown(reason)));
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
    let (text, model, code) = ended(found, watch)?;
    let mut say = || {
        if is_one {
            writeln!(out, "{time}")?; // another one each time
        }
        if let Some(dir) = args.proof.as_ref().filter(|_| code > 0) {
            writeln!(out, "c {}", proof::check(dir))?;
        }
        writeln!(out, "{text}")?;
        let lits = answered(formula, format);
        model.as_ref().map_or(Ok(()), |model| values(model, formula, &lits, format, out))?;
        out.flush()
    };
    written(match answer {
        Some(answer) => answer.conclude(|()| say()),
        None => say(),
    })?;
    Ok(ExitCode::from(code))
}

/// The last words of a question without an answer.
fn unknown(reason: &str) -> u8 {
    say!("c {reason}\ns UNKNOWN");
    0
}

/// All models, their number, what they have in common, or what contradicts each other.
fn more(
    args: &SolveArgs,
    formula: &Formula,
    format: TextFormat,
    watch: &Watch,
    out: &mut dyn Write,
) -> Result<ExitCode, CommandFailure> {
    let new = args.encoded.of(formula.clone()).map_err(CommandFailure::Input)?;
    let ask = by!(args.solving, Ask::new(&new).limits(watch.limits()));
    let lits = formula.lits();
    let told = |error: SolveError| match error {
        SolveError::Interrupted(why) => watch.stopped().unwrap_or_else(|| why.to_string()),
        error => error.to_string(),
    };
    if args.core {
        let core = watch.run("looking for what contradicts each other", || core(args, formula, format, watch));
        return match core {
            Ok(None) => end(out, "SATISFIABLE", 10),
            Ok(Some(lines)) => {
                written(lines.iter().try_for_each(|line| writeln!(out, "c core: {line}")))?;
                end(out, "UNSATISFIABLE", 20)
            }
            Err(error) => undecided(&error, watch, out),
        };
    }
    if args.backbone {
        return match watch.run("looking for what all models share", || ask.backbone()) {
            Ok(None) => end(out, "UNSATISFIABLE", 20),
            Ok(Some(values)) => {
                let fixed = lits.iter().filter_map(|lit| {
                    let is_true = (*values.get(lit.vidx())?)?;
                    formula::named(formula, format, if is_true { *lit } else { !*lit })
                });
                written(fixed.chain(["0".to_owned()]).try_for_each(|lit| writeln!(out, "b {lit}")))?;
                end(out, "SATISFIABLE", 10)
            }
            Err(error) => undecided(&error, watch, out),
        };
    }
    let most = args.count.map_or(usize::MAX, NonZero::get);
    let mut count = 0_usize;
    let ended = watch.run("looking for all models", || {
        ask.solutions().take(most).try_for_each(|model| {
            let model = model?;
            count += 1;
            let shown = if args.all { values(&model, formula, &lits, format, out) } else { Ok(()) };
            shown.map_err(|error| SolveError::Solver(error.into()))
        })
    });
    match ended {
        Ok(()) => {
            let more = if count == most { " or more" } else { "" };
            written(writeln!(out, "c {count}{more} models"))?;
            if count == 0 { end(out, "UNSATISFIABLE", 20) } else { end(out, "SATISFIABLE", 10) }
        }
        Err(error) => {
            written(writeln!(out, "c at least {count} models: {}", told(error)))?;
            if count == 0 { end(out, "UNKNOWN", 0) } else { end(out, "SATISFIABLE", 10) }
        }
    }
}

/// The end of a question that failed, or was stopped.
fn undecided(error: &SolveError, watch: &Watch, out: &mut dyn Write) -> Result<ExitCode, CommandFailure> {
    let SolveError::Interrupted(why) = error else { return Err(CommandFailure::Output(error.to_string())) };
    written(writeln!(out, "c {}", watch.stopped().unwrap_or_else(|| why.to_string())))?;
    end(out, "UNKNOWN", 0)
}

fn end(out: &mut dyn Write, answer: &str, code: u8) -> Result<ExitCode, CommandFailure> {
    written(writeln!(out, "s {answer}").and_then(|()| out.flush()))?;
    Ok(ExitCode::from(code))
}

/// The clauses and constraints that contradict each other, in words; `None` where there is a model.
fn core(
    args: &SolveArgs,
    formula: &Formula,
    format: TextFormat,
    watch: &Watch,
) -> Result<Option<Vec<String>>, SolveError> {
    // Rules are groups already, by the lines of the file.
    let parts = if formula.groups().len() > 0 { formula.clone() } else { grouped(formula, format)? };
    let question = by!(args.solving, parts.ask().limits(watch.limits()));
    Ok(question.unsat_core()?.map(|core| core.groups.iter().map(|&group| group.to_owned()).collect()))
}

/// A formula whose clauses and constraints are groups, each called by its number and its words.
fn grouped(formula: &Formula, format: TextFormat) -> Result<Formula, CapacityError> {
    let mut parts = Formula::with_vars(formula.n_vars());
    let name = |lit: &Lit| formula::named(formula, format, *lit).unwrap_or_else(|| lit.to_ipasir().to_string());
    for (number, clause) in (1..).zip(formula.clauses()) {
        let words = clause.iter().map(name).collect::<Vec<_>>().join(" | ");
        parts.group(&format!("clause {number}: {words}"), |parts| parts.add_clause(clause))?;
    }
    for (number, constraint) in (1..).zip(formula.constraints()) {
        let words = format!("constraint {number}: {}", said(formula, format, &constraint));
        parts.group(&words, |parts| parts.post(&constraint, PbEncoding::Auto))?;
    }
    Ok(parts)
}

/// Nothing, if output was written, or nobody reads it any more.
fn written(result: io::Result<()>) -> Result<(), CommandFailure> {
    match result {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(CommandFailure::Output(format!("standard output: {error}")))
        }
        _ => Ok(()),
    }
}

fn run(args: &SolveArgs, path: &Path, watch: &Watch, out: &mut dyn Write) -> Result<ExitCode, CommandFailure> {
    let (formula, format) =
        match watch.run("reading", || args.source.read(path, args.core)).map_err(CommandFailure::Input)? {
            FileText::Formula(formula, format) => (*formula, format),
            FileText::Cubes(cubes) => return under_cubes(args, &cubes, watch, out),
        };
    let formula = args.encoded.ordered(formula);
    if args.core || args.backbone || args.all || args.count.is_some() {
        return more(args, &formula, format, watch, out);
    }
    solved(args, &formula, format, watch, out)
}

/// The text that is printed for a file, as the answer to a line.
fn line(args: &SolveArgs, path: &str, watch: &Watch) -> LineAnswer {
    let mut text = Vec::new();
    match run(args, Path::new(path), watch, &mut text) {
        _ if watch.stopped().is_some() => LineAnswer::Stopped,
        Ok(_) => LineAnswer::Text(String::from_utf8_lossy(&text).into_owned()),
        Err(CommandFailure::Input(error)) => LineAnswer::Error(error),
        Err(CommandFailure::Output(error)) => LineAnswer::Failed(error),
    }
}

/// The options on which answers depend: nothing where all are left out.
fn question(args: &SolveArgs) -> String {
    let options = [
        (args.core, "core"),
        (args.backbone, "backbone"),
        (args.all, "all"),
        (args.no_detect, "no-detect"),
        (args.symmetries, "symmetries"),
    ];
    let mut words: Vec<String> =
        options.iter().filter(|(is_on, _)| *is_on).map(|(_, word)| (*word).to_owned()).collect();
    words.extend(args.count.map(|count| format!("count={count}")));
    words.join(" ")
}

/// Solves, and gives the exit code.
pub(crate) fn main(args: &SolveArgs) -> Result<ExitCode, CommandFailure> {
    let missing = match args {
        SolveArgs { cubes: Some(_), proof: Some(_), solving, .. } if solving.make().is_none() => {
            Some("--cubes with --proof takes --engine")
        }
        SolveArgs { symmetries: true, proof: Some(_), solving, .. } if solving.make().is_some() => {
            Some("--symmetries with --proof takes no --engine")
        }
        SolveArgs { answers: Some(_), proof: None, solving, .. } if solving.make().is_some() => {
            Some("--answers with --engine takes --proof")
        }
        SolveArgs { source, lines, .. } if source.path().is_some() && lines.file.is_some() => {
            Some("--lines takes no other file")
        }
        _ => None,
    };
    if let Some(text) = missing {
        return Err(CommandFailure::Input(text.to_owned()));
    }
    let watch = args.solving.watch().map_err(CommandFailure::Input)?;
    if let Some(list) = &args.lines.file {
        let is_complete =
            args.lines.each(list, &question(args), |path| line(args, path, &watch)).map_err(CommandFailure::Output)?;
        return Ok(if is_complete { ExitCode::SUCCESS } else { ExitCode::from(2) });
    }
    let path = args.source.path().unwrap_or_else(|| Path::new("-"));
    run(args, path, &watch, &mut BufWriter::new(io::stdout()))
}
