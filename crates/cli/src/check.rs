//! `cnfkit check`: a model against the formula that it is said to be of, constraint by constraint, and proofs.

use std::collections::HashMap;
use std::io::{self, BufRead, BufWriter};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use cnfkit::{ClauseSink, Formula, Lit, Questions, SolveError};

use crate::formula::{answered, named, said};
use crate::input::{self, FileText, SourceArgs, TextFormat};
use crate::json::Json;
use crate::printed::Printed;
use crate::solving::Running;
use crate::statements::Statements;
use crate::{CommandFailure, proof, say};

/// Checks a model, the lines `v` of a solver's output, against each clause and constraint of a formula; or a proof.
///
/// Variables that the model leaves out are false; those that the file does not show have values that fit. In place of
/// a file with a formula, a folder that --proof has written is checked by VeriPB: the program `veripb`, or the one that
/// VERIPB names.
#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    source: SourceArgs,
    /// The output of a solver with lines `v`; `-`, as without it, is standard input
    model: Option<PathBuf>,
    #[command(flatten)]
    running: Running,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  the model or the proof is right
  1  it is not
  2  no formula, no model, or wrong arguments";

pub(crate) fn main(args: &CheckArgs) -> Result<ExitCode, CommandFailure> {
    let watch = args.running.watch().map_err(CommandFailure::Input)?;
    let mut printed = Printed::new(BufWriter::new(io::stdout()), "check", args.running.printed);
    let path = args.source.path().unwrap_or_else(|| Path::new("-"));
    if path.is_dir() {
        return match &args.model {
            None => checked(path, &mut printed),
            Some(_) => Err(CommandFailure::Input("a folder with a proof is checked alone, without a model".to_owned())),
        };
    }
    let read = watch.run("reading", || args.source.read_with_text(path)).map_err(CommandFailure::Input)?;
    let (FileText::Formula(formula, format), text) = read else {
        return Err(CommandFailure::Input("a formula with cubes has no model to be checked".to_owned()));
    };
    let (values, claimed) = model(&formula, format, args.model.as_deref()).map_err(CommandFailure::Input)?;
    let failed = |error: SolveError| CommandFailure::Output(watch.explain(error.to_string()));
    let values = watch.run("checking", || completed(&formula, format, values)).map_err(failed)?;
    let is_true = |lit: Lit| values.get(lit.vidx()).is_some_and(|&value| value != lit.is_neg());
    let mut violated = watch.run("checking", || violated(&formula, format, &text, is_true)).map_err(failed)?;
    if violated.is_empty() && formula.has_objective() {
        let terms = formula.objective().iter().filter(|&&(lit, _)| is_true(lit));
        let value: i128 = terms.map(|&(_, weight)| i128::from(weight)).sum();
        let value = if formula.is_maximised() { -value } else { value };
        say::written(printed.line(format_args!("o {value}")));
        printed.member("objective", value);
        if let Some(claimed) = claimed.filter(|&claimed| claimed != value) {
            let words = format!("the value of the objective, which is said to be {claimed}");
            violated.push((words.clone(), Json::object([("text", words.into())])));
        }
    }
    let status = if violated.is_empty() { "VERIFIED" } else { "NOT VERIFIED" };
    for (words, _) in &violated {
        say::written(printed.line(format_args!("c violated: {words}")));
    }
    printed.member("violated", Json::list(violated.into_iter().map(|(_, value)| value)));
    Ok(end(&mut printed, status))
}

/// The last line, and the exit code.
fn end(printed: &mut Printed<'_>, status: &str) -> ExitCode {
    let code = u8::from(status != "VERIFIED");
    say::written(printed.line(format_args!("s {status}")).and_then(|()| printed.end(Some(status), code)));
    ExitCode::from(code)
}

/// The statements that do not hold, in words and in JSON.
fn violated(
    formula: &Formula,
    format: TextFormat,
    text: &str,
    is_true: impl Fn(Lit) -> bool + Copy,
) -> Result<Vec<(String, Json)>, SolveError> {
    let clauses = (1..).zip(formula.clauses()).filter(|(_, clause)| !clause.iter().any(|&lit| is_true(lit)));
    let mut clauses = clauses.peekable();
    let mut constraints =
        (1..).zip(formula.constraints()).filter(|(_, constraint)| !constraint.holds(is_true)).peekable();
    if clauses.peek().is_none() && constraints.peek().is_none() {
        return Ok(Vec::new());
    }
    let statements = Statements::of(formula, format, text);
    let valued = |words: String| (words.clone(), Json::object([("text", words.into())]));
    match (statements.violated(is_true)?, statements.costs_below()) {
        (Some(lines), _) if !lines.is_empty() => {
            return Ok(lines.into_iter().map(|line| (line.words(), line.value())).collect());
        }
        (Some(_), Some(top)) => return Ok(vec![valued(format!("the costs, which are to be below {top}"))]),
        _ => {}
    }
    let name = |lit: &Lit| named(formula, format, *lit).unwrap_or_else(|| lit.to_ipasir().to_string());
    let clauses = clauses.map(|(number, clause): (usize, _)| {
        format!("clause {number}: {}", clause.iter().map(name).collect::<Vec<_>>().join(" | "))
    });
    let constraints = constraints
        .map(|(number, constraint): (usize, _)| format!("constraint {number}: {}", said(formula, format, &constraint)));
    Ok(clauses.chain(constraints).map(valued).collect())
}

/// The values with those of the auxiliaries that reading made, of wide sums, products and soft clauses; what a model
/// leaves open is false.
fn completed(formula: &Formula, format: TextFormat, mut values: Vec<Option<bool>>) -> Result<Vec<bool>, SolveError> {
    for lit in formula.lits().into_iter().filter(|&lit| named(formula, format, lit).is_some()) {
        values[lit.vidx()].get_or_insert(false);
    }
    if values.contains(&None) {
        let mut fixed = formula.clone();
        for (lit, value) in (0..).map(Lit::positive).zip(&values) {
            value.iter().try_for_each(|&value| fixed.add_clause(&[if value { lit } else { !lit }]))?;
        }
        if let Some(best) = fixed.minimum()? {
            return Ok((0..values.len() as u32).map(|var| best.model.is_true(Lit::positive(var))).collect());
        }
    }
    Ok(values.into_iter().map(|value| value == Some(true)).collect())
}

/// Values of the formula's variables, from lines `v`; `None` where they say none; and the value of the objective, from
/// the last line `o`.
pub(crate) fn model(
    formula: &Formula,
    format: TextFormat,
    path: Option<&Path>,
) -> Result<(Vec<Option<bool>>, Option<i128>), String> {
    let (name, reader) = input::open(path.unwrap_or_else(|| Path::new("-")))?;
    let lits = answered(formula, format);
    let is_numbered = matches!(format, TextFormat::Cnf | TextFormat::Knf | TextFormat::Wcnf);
    let mut values = vec![None; formula.n_vars()];
    // Solvers that know nothing of `* show` say the values of all variables.
    let known: HashMap<String, Lit> = (0..if is_numbered { 0 } else { values.len() as u32 })
        .map(Lit::positive)
        .filter_map(|lit| Some((named(formula, format, lit)?, lit)))
        .collect();
    let lit_of = |word: &str| match word.as_bytes() {
        [b'1'..=b'9', ..] if is_numbered => {
            word.parse().ok().and_then(|number| Lit::from_ipasir(number).ok()).filter(|lit| lit.vidx() < lits.len())
        }
        _ => known.get(word).copied(),
    };
    let (mut is_said, mut claimed) = (false, None);
    for (number, line) in (1..).zip(reader.split(b'\n')) {
        let line = line.map_err(|error| format!("{name}: {error}"))?;
        let line = String::from_utf8_lossy(&line);
        if line.trim_end() == "s UNSATISFIABLE" {
            return Err(format!("{name}: line {number}: `s UNSATISFIABLE` says that there is no model"));
        }
        claimed = line.strip_prefix("o ").and_then(|value| value.trim().parse().ok()).or(claimed);
        let Some(words) =
            line.strip_prefix('v').filter(|words| words.is_empty() || words.starts_with([' ', '\t', '\r']))
        else {
            continue;
        };
        is_said = true;
        let words = words.trim();
        let wrong =
            |word: &str| format!("{name}: line {number}: `{}` is no literal of the formula", word.escape_debug());
        // MaxSAT solvers print a bit for each variable.
        if format == TextFormat::Wcnf
            && words.len() == lits.len()
            && words.bytes().all(|bit| matches!(bit, b'0' | b'1'))
        {
            for (lit, bit) in lits.iter().zip(words.bytes()) {
                values[lit.vidx()] = Some(bit == b'1');
            }
            continue;
        }
        for word in words.split_whitespace().filter(|&word| word != "0") {
            let lit = match word.strip_prefix(['-', '~']) {
                Some(of) => lit_of(of).map(|lit| !lit),
                None => lit_of(word),
            };
            let lit = lit.ok_or_else(|| wrong(word))?;
            let value = &mut values[lit.vidx()];
            if value.is_some_and(|value| value == lit.is_neg()) {
                return Err(format!("{name}: line {number}: `{}` was said to be false before", word.escape_debug()));
            }
            *value = Some(lit.is_pos());
        }
    }
    if is_said { Ok((values, claimed)) } else { Err(format!("{name}: no line `v`, which has the values of a model")) }
}

/// Has VeriPB check the proofs in a folder: one, or those of its folders.
fn checked(dir: &Path, printed: &mut Printed<'_>) -> Result<ExitCode, CommandFailure> {
    let program = std::env::var_os("VERIPB").unwrap_or_else(|| "veripb".into());
    let of = |dir: &Path| dir.join("proof.pbp").is_file().then(|| dir.to_owned());
    let entries =
        std::fs::read_dir(dir).map_err(|error| CommandFailure::Input(format!("{}: {error}", dir.display())))?;
    let mut dirs: Vec<PathBuf> =
        of(dir).into_iter().chain(entries.flatten().filter_map(|entry| of(&entry.path()))).collect();
    dirs.sort();
    if dirs.is_empty() {
        let is_drat = dir.join("proof.drat").is_file();
        let hint = if is_drat { "; `drat-trim formula.cnf proof.drat` checks what is there" } else { "" };
        return Err(CommandFailure::Input(format!("{}: no `proof.pbp` in this folder{hint}", dir.display())));
    }
    let (mut all, mut is_verified) = (Vec::new(), true);
    for dir in dirs {
        say::written(printed.comment(proof::check(&dir)).and_then(|()| printed.flush()));
        let mut veripb = Command::new(&program);
        veripb.args([dir.join("formula.opb"), dir.join("proof.pbp")]);
        if printed.is_json() {
            veripb.stdout(io::stderr());
        }
        let status = veripb.status().map_err(|error| {
            let hint = "`cargo install veripb` installs VeriPB, and VERIPB may say where it is";
            CommandFailure::Input(format!("{}: {error}; {hint}", program.to_string_lossy()))
        })?;
        is_verified &= status.success();
        let members = [("folder", dir.display().to_string().into()), ("verified", Json::from(status.success()))];
        all.push(Json::object(members));
        if !is_verified {
            break;
        }
    }
    printed.member("proofs", Json::list(all));
    let status = if is_verified { "VERIFIED" } else { "NOT VERIFIED" };
    Ok(end(printed, status))
}
