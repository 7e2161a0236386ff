//! Questions about all models of a formula: what contradicts each other, what they share, all of them, their number.

use std::num::NonZero;
use std::process::ExitCode;

use cnfkit::ask::{Ask, Questions};
use cnfkit::{CapacityError, ClauseSink, Constrain, Formula, Lit, PbEncoding, SolveError};

use super::args::SolveArgs;
use super::ended::{concluded, known, written};
use crate::CommandFailure;
use crate::formula::{self, model_value, said, values};
use crate::input::TextFormat;
use crate::json::Json;
use crate::printed::Printed;
use crate::statements::{Statement, Statements};
use crate::watch::Watch;

/// Answers the question that was asked.
pub(super) fn answer(
    args: &SolveArgs,
    formula: &Formula,
    format: TextFormat,
    text: &str,
    watch: &Watch,
    printed: &mut Printed<'_>,
) -> Result<ExitCode, CommandFailure> {
    if args.core {
        let core = || core(args, formula, format, text, watch);
        let unknown = known(args, watch, printed);
        let core = watch.run("looking for what contradicts each other", core);
        return concluded(unknown, || match core {
            Ok(None) => end(printed, "SATISFIABLE", 10),
            Ok(Some(core)) => {
                written(core.iter().try_for_each(|(words, _)| printed.line(format_args!("c core: {words}"))))?;
                printed.member("core", Json::list(core.into_iter().map(|(_, value)| value)));
                end(printed, "UNSATISFIABLE", 20)
            }
            Err(error) => undecided(&error, watch, printed),
        });
    }
    let new = args.encoded.of(formula.clone()).map_err(CommandFailure::Input)?;
    let ask = by!(args.solving, Ask::new(&new).limits(watch.limits()));
    let lits = formula.lits();
    if args.backbone {
        let unknown = known(args, watch, printed);
        let backbone = watch.run("looking for what all models share", || ask.backbone());
        return concluded(unknown, || match backbone {
            Ok(None) => end(printed, "UNSATISFIABLE", 20),
            Ok(Some(values)) => {
                let fixed = |lit: &Lit| Some(if (*values.get(lit.vidx())?)? { *lit } else { !*lit });
                let fixed: Vec<Lit> = lits.iter().filter_map(fixed).collect();
                let names = fixed.iter().filter_map(|&lit| formula::named(formula, format, lit));
                written(names.chain(["0".to_owned()]).try_for_each(|lit| printed.line(format_args!("b {lit}"))))?;
                let fixed = fixed.iter().filter_map(|&lit| formula::lit_value(formula, format, lit));
                printed.member("backbone", Json::list(fixed));
                end(printed, "SATISFIABLE", 10)
            }
            Err(error) => undecided(&error, watch, printed),
        });
    }
    let most = args.count.map_or(usize::MAX, NonZero::get);
    let (mut count, mut models) = (0_usize, Vec::new());
    let ended = watch.run("looking for all models", || {
        ask.solutions().take(most).try_for_each(|model| {
            let model = model?;
            count += 1;
            if args.all && printed.is_json() {
                models.push(model_value(&model, formula, &lits, format));
            } else if args.all {
                values(&model, formula, &lits, format, usize::MAX, printed.lines())
                    .map_err(|error| SolveError::Solver(error.into()))?;
            }
            Ok(())
        })
    });
    if args.all {
        printed.member("models", Json::list(models));
    }
    printed.member("count", count);
    printed.member("complete", ended.is_ok() && count < most);
    match ended {
        Ok(()) => {
            let more = if count == most { " or more" } else { "" };
            written(printed.line(format_args!("c {count}{more} models")))?;
            if count == 0 { end(printed, "UNSATISFIABLE", 20) } else { end(printed, "SATISFIABLE", 10) }
        }
        Err(error) => {
            let why = match error {
                SolveError::Interrupted(why) => watch.stopped().unwrap_or_else(|| why.to_string()),
                error => error.to_string(),
            };
            written(printed.line(format_args!("c at least {count} models: {why}")))?;
            printed.member("reason", why);
            if count == 0 { end(printed, "UNKNOWN", 0) } else { end(printed, "SATISFIABLE", 10) }
        }
    }
}

/// The end of a question that failed, or was stopped.
fn undecided(error: &SolveError, watch: &Watch, printed: &mut Printed<'_>) -> Result<ExitCode, CommandFailure> {
    let SolveError::Interrupted(why) = error else { return Err(CommandFailure::Output(error.to_string())) };
    let why = watch.stopped().unwrap_or_else(|| why.to_string());
    written(printed.comment(&why))?;
    printed.member("reason", why);
    end(printed, "UNKNOWN", 0)
}

fn end(printed: &mut Printed<'_>, answer: &str, code: u8) -> Result<ExitCode, CommandFailure> {
    written(printed.line(format_args!("s {answer}")).and_then(|()| printed.end(Some(answer), code)))?;
    Ok(ExitCode::from(code))
}

/// The statements that contradict each other, in words and in JSON; `None` where there is a model.
fn core(
    args: &SolveArgs,
    formula: &Formula,
    format: TextFormat,
    text: &str,
    watch: &Watch,
) -> Result<Option<Vec<(String, Json)>>, SolveError> {
    let statements = Statements::of(formula, format, text);
    let parts = statements.grouped()?;
    let is_by_line = parts.is_some();
    let parts = args.encoded.ordered(parts.map_or_else(|| grouped(formula, format), Ok)?);
    let question = by!(args.solving, parts.ask().limits(watch.limits()));
    let Some(core) = question.unsat_core()? else { return Ok(None) };
    let named = |name: &str| {
        let statement = name.parse().ok().filter(|_| is_by_line).and_then(|at: usize| statements.get(at));
        statement.map_or_else(
            || (name.to_owned(), Json::object([("text", name.into())])),
            |statement: &Statement| (statement.words(), statement.value()),
        )
    };
    Ok(Some(core.groups.iter().map(|&name| named(name)).collect()))
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
