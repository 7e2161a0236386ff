//! Why a question has no answer: a sentence for a person, and where to look.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use cnfkit::model::ModelError;
use cnfkit::solvers::{ExternalError, Failure};
use cnfkit::{CapacityError, GemError, SolveError, SudokuError};
use schemars::JsonSchema;
use serde::Serialize;

/// A refusal. Its text is a sentence that a person understands; `where` is the field, or the cell, that it is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema, thiserror::Error)]
#[error("{error}")]
pub struct Problem {
    /// The mistake, and what is allowed.
    pub error: String,
    /// The field (`sheet.cells[0][3]`) or the cell that is meant; null when no place in the question is.
    #[serde(rename = "where")]
    pub place: Option<String>,
    /// The status of the answer over HTTP.
    #[serde(skip)]
    pub status: u16,
}

impl Problem {
    /// A problem of this status that has no place.
    pub fn new(status: StatusCode, error: impl Into<String>) -> Self {
        Self { error: error.into(), place: None, status: status.as_u16() }
    }

    /// 422: the field was understood and is not allowed.
    pub fn refused(place: impl Into<String>, error: impl Into<String>) -> Self {
        Self { place: Some(place.into()), ..Self::new(StatusCode::UNPROCESSABLE_ENTITY, error) }
    }

    /// 504: the time of the question is over.
    #[must_use]
    pub fn out_of_time() -> Self {
        let text = "the time limit passed before there was an answer; ask with a larger `limit_ms` (at most 120000), \
                    or for less";
        Self { place: Some("limit_ms".into()), ..Self::new(StatusCode::GATEWAY_TIMEOUT, text) }
    }

    /// 400: an address that is no UTF-8 once its `%` are read.
    #[must_use]
    pub fn unreadable_path() -> Self {
        Self::new(StatusCode::BAD_REQUEST, "the address is no UTF-8 text; the questions are listed at `/api`")
    }

    /// 408: a question that did not arrive in time.
    #[must_use]
    pub fn late(time: std::time::Duration) -> Self {
        let text = format!("the question did not arrive within {} seconds: send it again", time.as_secs());
        Self::new(StatusCode::REQUEST_TIMEOUT, text)
    }

    /// 413: it would take more memory than all questions together may have.
    #[must_use]
    pub fn too_much_memory(mib: usize, most: usize) -> Self {
        let text = format!(
            "this question may need {mib} MiB of memory, and all questions together have {most} MiB: ask for less, or \
             start the server with a larger `--memory`"
        );
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, text)
    }

    /// 503: other questions have the memory that it would take.
    #[must_use]
    pub fn no_memory(most: usize) -> Self {
        let text = format!(
            "the questions that are being worked on need the {most} MiB of memory that there are for all of them: ask \
             again in a few seconds, or for less"
        );
        Self::new(StatusCode::SERVICE_UNAVAILABLE, text)
    }

    /// 502: an engine gave no answer that can be relied on.
    #[must_use]
    pub fn of_engine(error: &ExternalError) -> Self {
        let why = match &error.failure {
            // The shell's exit codes for a program that is not there, or is none.
            Failure::Died(status) if matches!(status.code(), Some(126 | 127)) => "cannot be started any more".into(),
            Failure::Died(_) => "broke off, perhaps because it needs more memory than an engine has".into(),
            Failure::Start(_) => "cannot be started".into(),
            Failure::File(error) => format!("cannot be given the formula: {error}"),
            Failure::WrongModel(_) | Failure::WrongValue { .. } => "gave an answer that breaks the rules".into(),
            Failure::NoAnswer | Failure::NoModel | Failure::Unknown => "ended without an answer".into(),
            _ => "gave an answer that cannot be understood".into(),
        };
        let said = error.output.last().map(|line| format!("; the last that it said is `{line}`"));
        let text =
            format!("the engine {why}{}; choose another engine, or the built-in solver", said.unwrap_or_default());
        Self::new(StatusCode::BAD_GATEWAY, text).at("engine")
    }

    /// The failure of a solver: of an engine, or a bug.
    fn of_solver(error: &(dyn std::error::Error + 'static)) -> Self {
        error.downcast_ref().map_or_else(|| Self::bug(error.to_string()), Self::of_engine)
    }

    /// 500: a bug of ours.
    pub fn bug(error: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, error)
    }

    /// This problem, found elsewhere.
    #[must_use]
    pub fn at(self, place: impl Into<String>) -> Self {
        Self { place: Some(place.into()), ..self }
    }

    /// True if the time of the question was over, or nobody waited any more.
    #[must_use]
    pub fn is_interruption(&self) -> bool {
        self.status == StatusCode::GATEWAY_TIMEOUT.as_u16()
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, axum::Json(&self)).into_response();
        let again = match status {
            StatusCode::TOO_MANY_REQUESTS => Some("1"),
            StatusCode::SERVICE_UNAVAILABLE => Some("5"),
            _ => None,
        };
        if let Some(seconds) = again {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static(seconds));
        }
        response
    }
}

/// 422: it would be larger than this program lets it become.
fn too_large(error: &dyn std::fmt::Display) -> Problem {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string())
}

impl From<CapacityError> for Problem {
    fn from(error: CapacityError) -> Self {
        too_large(&error)
    }
}

impl From<SolveError> for Problem {
    fn from(error: SolveError) -> Self {
        match error {
            SolveError::Interrupted(_) => Self::out_of_time(),
            SolveError::Capacity(error) => too_large(&error),
            SolveError::Solver(error) => Self::of_solver(&*error),
            other => Self::bug(other.to_string()),
        }
    }
}

impl From<SudokuError> for Problem {
    fn from(error: SudokuError) -> Self {
        match error {
            SudokuError::Interrupted(_) => Self::out_of_time(),
            SudokuError::Capacity(error) => too_large(&error),
            SudokuError::Certify(error) => too_large(&error),
            SudokuError::Solver(error) => Self::of_solver(&*error),
            SudokuError::Invalid { ref problems, .. } => {
                let first = problems.first().map(|first| format!("sheet.cells[{}][{}]", first.row, first.col));
                Self::refused(first.unwrap_or_else(|| "sheet.cells".into()), error.to_string())
            }
            other => Self::bug(other.to_string()),
        }
    }
}

impl From<GemError> for Problem {
    fn from(error: GemError) -> Self {
        match error {
            GemError::Solve(error) => error.into(),
            GemError::Certify(error) => too_large(&error),
            GemError::Entangled { .. } | GemError::Imprecise => too_large(&error),
            GemError::NoSuchCell { .. } => Self::refused("row", error.to_string()),
            other => Self::refused("board", other.to_string()),
        }
    }
}

impl From<ModelError> for Problem {
    fn from(error: ModelError) -> Self {
        match error {
            ModelError::Interrupted(_) => Self::out_of_time(),
            ModelError::Capacity(error) => too_large(&error),
            ModelError::Solver(error) => match &*error {
                SolveError::Solver(error) => Self::of_solver(&**error),
                other => Self::bug(other.to_string()),
            },
            other => Self::refused("parameters", other.to_string()),
        }
    }
}
