//! [`ExternalError`]: the reason why a program has no answer, and the last lines that it printed.

use std::io;
use std::process::ExitStatus;

use rustsat::types::Lit;
use thiserror::Error;

/// An engine that gave no answer which can be relied on. It is the source of a
/// [`SolveError::Solver`](crate::SolveError::Solver).
///
/// ```
/// use cnfkit::solvers::{External, ExternalError, Failure};
/// use cnfkit::{ClauseSink, Formula, SolveError};
/// let mut formula = Formula::new();
/// let x = formula.new_lits(2);
/// formula.add_clause(&x)?;
/// let error = formula.solve_with(External::new("no-such-program {file}")).unwrap_err();
/// let SolveError::Solver(source) = &error else { panic!("{error}") };
/// let error: &ExternalError = source.downcast_ref().expect("of the program");
/// assert!(matches!(error.failure, Failure::Start(_)));
/// # Ok::<(), cnfkit::CapacityError>(())
/// ```
#[derive(Debug, Error)]
#[error("`{command}` {failure}{}", shown(.output))]
#[non_exhaustive]
pub struct ExternalError {
    /// The command.
    pub command: String,
    /// The reason.
    pub failure: Failure,
    /// The last lines of its standard output and standard error, at most eight.
    pub output: Vec<String>,
}

/// The way in which an engine failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Failure {
    /// The command is no command.
    #[error("is no command: {0}")]
    Command(&'static str),
    /// The program is not there, or is no program.
    #[error("does not start: {0}")]
    Start(#[source] io::Error),
    /// The file for the formula cannot be written or read.
    #[error("cannot be given the formula: {0}")]
    File(#[source] io::Error),
    /// It ended by a signal, or with an exit code other than 0, 10, 20 and 30.
    #[error("died ({0})")]
    Died(ExitStatus),
    /// It ended without a line `s`.
    #[error("printed no line `s`")]
    NoAnswer,
    /// It says `s UNKNOWN`, and was not stopped.
    #[error("gave up")]
    Unknown,
    /// Its exit code, 10, 20 or 30, is not that of its line `s`.
    #[error("ended with exit code {0}, which contradicts its line `s`")]
    ExitCode(i32),
    /// A word that its format does not have.
    #[error("printed `{0}`, which is nothing that its format has there")]
    Nonsense(String),
    /// It says that there is a model, and prints none, or a part of one: lines `v` end with 0.
    #[error("printed no complete model")]
    NoModel,
    /// It says that there is no model, and its proof does not end with the empty clause.
    #[error("wrote no complete proof")]
    NoProof,
    /// Its model violates the clause or the constraint of these literals, or an assumption.
    #[error("printed a model that violates what is asked of {:?}", numbers(.0))]
    WrongModel(Vec<Lit>),
    /// Its last line `o` is not the value of its model.
    #[error("printed a model of value {model}, but `o {said}`")]
    WrongValue {
        /// The value of the model.
        model: i128,
        /// The value in the last line `o`, with the constant that the format cannot say.
        said: i128,
    },
}

/// The literals as in DIMACS.
fn numbers(lits: &[Lit]) -> Vec<i32> {
    lits.iter().map(|lit| lit.to_ipasir()).collect()
}

fn shown(output: &[String]) -> String {
    output.iter().fold(String::new(), |text, line| text + "\n  | " + line)
}
