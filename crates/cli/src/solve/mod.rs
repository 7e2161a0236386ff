//! `cnfkit solve`: an answer to a formula, in the lines of competitions: comments start with `c`, the answer with `s`,
//! and the values of a model with `v`. The model is one of the file's formula, all of its variables included.

mod args;
mod ended;
mod questions;

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter};
use std::num::NonZero;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use cnfkit::ask::{Questions, Threads};
use cnfkit::{Assignment, CertifyError, ClauseSink, Cubes, Detected, Formula, Lit, SolveError, SolverSink};

use self::args::ProofFormat;
pub(crate) use self::args::SolveArgs;
use self::ended::{concluded, known, written};
use crate::formula::{SCREEN, Sizes, answered, model_value, values};
use crate::input::{FileText, TextFormat};
use crate::json::Json;
use crate::lines::LineAnswer;
use crate::printed::Printed;
use crate::watch::Watch;
use crate::{CommandFailure, proof};

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
        (None, _, None) => watch.run("solving", || {
            let question = new.ask().limits(limits.clone());
            let question = if let Some(seed) = args.seed { question.seed(seed) } else { question };
            question.solve()
        })?,
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
    if args.proof_format == ProofFormat::Drat {
        return formula.solve_drat(dir, &limits).map_err(uncertified);
    }
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

/// The answer in lines or in JSON, and its exit code. `what` is said before it.
fn put(
    found: Result<Option<Assignment>, SolveError>,
    (formula, format): (&Formula, TextFormat),
    watch: &Watch,
    printed: &mut Printed<'_>,
    what: impl FnOnce(u8, &mut Printed<'_>) -> io::Result<()>,
) -> Result<ExitCode, CommandFailure> {
    let (status, model, code, why) = match found {
        Ok(Some(model)) => ("SATISFIABLE", Some(model), 10, None),
        Ok(None) => ("UNSATISFIABLE", None, 20, None),
        Err(SolveError::Interrupted(why)) => {
            ("UNKNOWN", None, 0, Some(watch.stopped().unwrap_or_else(|| why.to_string())))
        }
        // No proof, or no folder for it, which is no failure of the solver.
        Err(SolveError::Solver(error)) if error.is::<CertifyError>() => {
            return Err(CommandFailure::Output(error.to_string()));
        }
        Err(SolveError::Capacity(error)) => return Err(CommandFailure::Input(error.to_string())),
        Err(error) => return Err(CommandFailure::Output(error.to_string())),
    };
    let say = || {
        what(code, printed)?;
        if let Some(why) = why {
            printed.comment(&why)?;
            printed.member("reason", why);
        }
        printed.line(format_args!("s {status}"))?;
        if let Some(model) = &model {
            let lits = answered(formula, format);
            if printed.is_json() {
                printed.member("model", model_value(model, formula, &lits, format));
            } else {
                values(model, formula, &lits, format, SCREEN, printed.lines())?;
            }
        }
        printed.end(Some(status), code)
    };
    written(say())?;
    Ok(ExitCode::from(code))
}

/// Solves clauses under their cubes, one after the other or in threads, and then what is outside of all cubes.
fn under_cubes(
    args: &SolveArgs,
    cubes: &Cubes,
    watch: &Watch,
    printed: &mut Printed<'_>,
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
    put(found, (&outside, TextFormat::Cnf), watch, printed, |_, printed| {
        printed.member("cubes", cubes.iter().len());
        printed.comment(format_args!("solved under {} cubes, and what they leave out", cubes.iter().len()))
    })
}

/// A model, with the question that it answers.
fn solved(
    args: &SolveArgs,
    formula: &Formula,
    format: TextFormat,
    watch: &Watch,
    printed: &mut Printed<'_>,
) -> Result<ExitCode, CommandFailure> {
    // `encode --cubes` takes clauses as they are.
    let takes_clauses = args.no_detect
        || args.answers.is_some()
        || args.proof_format == ProofFormat::Drat
        || args.proof.is_some() && (args.symmetries || !args.encoded.is_auto());
    let detected = (!takes_clauses).then(|| watch.run("looking for constraints", || formula.detect()));
    let new = detected.as_ref().map_or_else(|| formula.clone(), Detected::formula);
    let new = args.encoded.of(new).map_err(CommandFailure::Input)?;
    let sizes = watch.run("planning", || Sizes::of(formula, detected.as_ref(), Some(&new)));
    sizes.members(printed);
    written(sizes.lines().iter().try_for_each(|line| printed.comment(line)).and_then(|()| printed.flush()))?;
    let new = if args.symmetries && args.proof.is_none() {
        let broken = watch.run("looking for symmetries", || new.break_symmetries());
        broken.map_err(|error| CommandFailure::Input(error.to_string()))?.into_formula()
    } else {
        new
    };
    let answer = known(args, watch, printed);
    let (start, conflicts) = (Instant::now(), Arc::new(AtomicU64::new(0)));
    let found = match &args.proof {
        Some(dir) => watch.prove("solving", || certified(args, &new, detected.as_ref(), dir, watch)),
        None => solve(args, &new, detected.as_ref(), &conflicts, watch),
    };
    let conflicts = conflicts.load(Ordering::Relaxed);
    let time = start.elapsed().as_secs_f64();
    let done = |code: u8, printed: &mut Printed<'_>| {
        if args.lines.file.is_none() {
            // Another one each time.
            let conflicts = if conflicts == 0 { String::new() } else { format!(", {conflicts} conflicts") };
            printed.comment(format_args!("solved in {time:.2} s{conflicts}"))?;
        }
        printed.member("conflicts", conflicts);
        let Some(dir) = args.proof.as_ref().filter(|_| code > 0) else { return Ok(()) };
        printed.member("proof", dir.display().to_string());
        match args.proof_format {
            ProofFormat::Veripb => printed.comment(proof::check(dir)),
            ProofFormat::Drat if code == 20 => printed.comment(proof::check_drat(dir)),
            ProofFormat::Drat => Ok(()),
        }
    };
    let say = || put(found, (formula, format), watch, printed, done);
    concluded(answer, say)
}

fn run(args: &SolveArgs, path: &Path, watch: &Watch, printed: &mut Printed<'_>) -> Result<ExitCode, CommandFailure> {
    let read = || {
        if args.core { args.source.read_with_text(path) } else { Ok((args.source.read(path)?, String::new())) }
    };
    let (formula, format, text) = match watch.run("reading", read).map_err(CommandFailure::Input)? {
        (FileText::Formula(formula, format), text) => (*formula, format, text),
        (FileText::Cubes(cubes), _) => return under_cubes(args, &cubes, watch, printed),
    };
    let formula = args.encoded.ordered(formula);
    if args.core || args.backbone || args.all || args.count.is_some() {
        return questions::answer(args, &formula, format, &text, watch, printed);
    }
    solved(args, &formula, format, watch, printed)
}

/// The text or the object that is printed for a file, as the answer to a line.
fn line(args: &SolveArgs, path: &str, watch: &Watch) -> LineAnswer {
    let mut text = Vec::new();
    let mut printed = Printed::new(&mut text, "solve", args.solving.printed());
    printed.start = None;
    let done = run(args, Path::new(path), watch, &mut printed);
    drop(printed);
    let text = String::from_utf8_lossy(&text);
    match done {
        _ if watch.stopped().is_some() => LineAnswer::Stopped,
        Ok(_) if args.solving.printed().json => LineAnswer::Found(Json::raw(text.trim_end())),
        Ok(_) => LineAnswer::Found(Json::from(&*text)),
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
        (args.solving.printed().json, "json"),
        (args.solving.printed().quiet, "quiet"),
    ];
    let mut words: Vec<String> =
        options.iter().filter(|(is_on, _)| *is_on).map(|(_, word)| (*word).to_owned()).collect();
    words.extend(args.count.map(|count| format!("count={count}")));
    words.extend(args.seed.map(|seed| format!("seed={seed}")));
    words.extend(args.source.format().map(|format| format!("format={format:?}")));
    if !args.encoded.is_default() {
        words.push(format!("{:?}", args.encoded));
    }
    words.join(" ")
}

/// Solves, and gives the exit code.
pub(crate) fn main(args: &SolveArgs) -> Result<ExitCode, CommandFailure> {
    let missing = match args {
        SolveArgs { cubes: Some(_), proof: Some(_), solving, .. } if solving.make().is_none() => {
            Some("--cubes with --proof takes --engine")
        }
        SolveArgs { proof_format: ProofFormat::Drat, symmetries, cubes, solving, .. }
            if *symmetries || cubes.is_some() || solving.make().is_some() =>
        {
            Some("--proof-format drat takes no --symmetries, --cubes and --engine")
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
        SolveArgs { proof: Some(_), lines, .. } if lines.file.is_some() => Some("--lines takes no --proof"),
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
    let out = BufWriter::with_capacity(1 << 16, io::stdout());
    run(args, path, &watch, &mut Printed::new(out, "solve", args.solving.printed()))
}
