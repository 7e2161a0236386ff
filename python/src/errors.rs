//! The library's errors as Python's.

use std::any::Any;

use cnfkit::ask::Stopped;
use cnfkit::gem_hunter::GemParseError;
use cnfkit::model::ModelError;
use cnfkit::sudoku::GridError;
use cnfkit::{CapacityError, CertifyError, GemError, SolveError, SudokuError};
use cnfkit_fzn::Wrong;
use pyo3::create_exception;
use pyo3::exceptions::{PyOverflowError, PyRuntimeError, PyTimeoutError, PyValueError};
use pyo3::prelude::*;

create_exception!(
    cnfkit,
    ReadError,
    PyValueError,
    "A text that is not in its format. `line` and `column` count from 1, and are None where there is no such place."
);

fn not_read(message: String, place: Option<(usize, usize)>) -> PyErr {
    Python::attach(|py| {
        let error = ReadError::new_err(message);
        let value = error.value(py);
        let said = value.setattr("line", place.map(|(line, _)| line));
        said.and_then(|()| value.setattr("column", place.map(|(_, column)| column)))
            .map_or_else(|error| error, |()| error)
    })
}

/// The error of a question that a limit ended: its time was over, unless a signal or a callback was first.
fn interrupted(why: Stopped) -> PyErr {
    PyTimeoutError::new_err(format!("{why} before there was an answer"))
}

pub(crate) fn too_large(error: CapacityError) -> PyErr {
    PyOverflowError::new_err(error.to_string())
}

pub(crate) fn value(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

pub(crate) fn unsolved(error: SolveError) -> PyErr {
    match error {
        SolveError::Interrupted(why) => interrupted(why),
        SolveError::Capacity(error) => too_large(error),
        other => PyRuntimeError::new_err(other.to_string()),
    }
}

pub(crate) fn unread(error: cnfkit::ReadError) -> PyErr {
    let place = match error {
        cnfkit::ReadError::Syntax { line, column, .. } | cnfkit::ReadError::Variable { line, column, .. } => {
            (line, column)
        }
        cnfkit::ReadError::Io(error) => return error.into(),
        cnfkit::ReadError::Capacity(error) => return too_large(error),
        _ => return not_read(error.to_string(), None),
    };
    not_read(error.to_string(), Some(place))
}

pub(crate) fn no_grid(error: GridError) -> PyErr {
    let place = match error {
        GridError::Syntax { line, column, .. } | GridError::Layout { line, column, .. } => Some((line, column)),
        _ => None,
    };
    not_read(error.to_string(), place)
}

pub(crate) fn no_map(error: GemParseError) -> PyErr {
    not_read(error.to_string(), Some(error.position()))
}

pub(crate) fn no_flatzinc(error: Wrong) -> PyErr {
    not_read(error.to_string(), Some((error.line, error.column)))
}

pub(crate) fn uncertified(error: CertifyError) -> PyErr {
    match error {
        CertifyError::Write(error) => error.into(),
        CertifyError::Folder { source, path, .. } => {
            std::io::Error::new(source.kind(), format!("{}: no new folder can be made: {source}", path.display()))
                .into()
        }
        CertifyError::Interrupted(why) => interrupted(why),
        CertifyError::Capacity(error) => too_large(error),
        other => value(other),
    }
}

pub(crate) fn no_model(error: ModelError) -> PyErr {
    match error {
        ModelError::Interrupted(why) => interrupted(why),
        ModelError::Capacity(error) => too_large(error),
        ModelError::TooLarge { .. } | ModelError::ObjectiveTooLarge | ModelError::TooWide { .. } => {
            PyOverflowError::new_err(error.to_string())
        }
        ModelError::Solver(error) => PyRuntimeError::new_err(error.to_string()),
        other => value(other),
    }
}

pub(crate) fn no_sudoku(error: SudokuError) -> PyErr {
    match error {
        SudokuError::Interrupted(why) => interrupted(why),
        SudokuError::Capacity(error) => too_large(error),
        SudokuError::Solver(error) => PyRuntimeError::new_err(error.to_string()),
        other => value(other),
    }
}

pub(crate) fn no_gems(error: GemError) -> PyErr {
    match error {
        GemError::Solve(error) => unsolved(error),
        GemError::Capacity(error) => too_large(error),
        other => value(other),
    }
}

/// A panic, which is a bug of the library's, as an exception.
pub(crate) fn panicked(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    PyRuntimeError::new_err(format!("cnfkit panicked: {}", text.unwrap_or("no message")))
}
