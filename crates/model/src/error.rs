//! [`ModelError`]: what can be wrong with a model, and why a question has no answer.

use std::sync::Arc;

use thiserror::Error;

use cnfkit_core::{CapacityError, CertifyError, SolveError, Stopped};

/// The reason why a question about a model has no answer. "There is no solution" is an answer.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A variable was made with an empty domain.
    #[error("variable {variable} (counted from 0) has no value: give it a domain that is not empty")]
    EmptyDomain {
        /// Its number, in the order in which variables were made.
        variable: usize,
    },
    /// A sum may be beyond 2⁶¹.
    #[error(
        "constraint {constraint} (counted from 0) has a sum that may be beyond 2⁶¹: use smaller factors or domains"
    )]
    TooLarge {
        /// Its number, in the order in which constraints were posted.
        constraint: usize,
    },
    /// An objective may be beyond 2⁶¹.
    #[error("the objective may be beyond 2⁶¹: use smaller factors or domains")]
    ObjectiveTooLarge,
    /// A product, quotient or remainder of numbers that may be beyond 2⁵⁶.
    #[error(
        "constraint {constraint} (counted from 0), `{text}`, may have numbers beyond 2⁵⁶: use smaller domains, or \
         bound the product by the domain of a variable of your own"
    )]
    #[non_exhaustive]
    TooWide {
        /// Its number, in the order in which constraints were posted.
        constraint: usize,
        /// It or the part of it, as people write it.
        text: String,
    },
    /// A [lazy constraint](crate::Model::lazy) answered with a clause that the solution does not violate.
    #[error("lazy constraint {constraint} (counted from 0) answered with a clause that the solution does not violate")]
    NotViolated {
        /// Its number, in the order in which lazy constraints were posted.
        constraint: usize,
    },
    /// A [lazy constraint](crate::Model::lazy) answered with a truth value that has no literal.
    #[error(
        "lazy constraint {constraint} (counted from 0) answered with a test of a variable that it is not over, or of \
         one value out of many that it is not over: name each"
    )]
    NotOver {
        /// Its number, in the order in which lazy constraints were posted.
        constraint: usize,
    },
    /// A [lazy constraint](crate::Model::lazy) cannot be written down.
    #[error("a model with lazy constraints cannot be written as a formula")]
    Lazy,
    /// A limit was reached, or the cancel flag was raised, and which.
    #[error("interrupted before there was an answer: {0}")]
    Interrupted(Stopped),
    /// The formula would be larger than its limit.
    #[error(transparent)]
    Capacity(#[from] CapacityError),
    /// The solver failed.
    #[error(transparent)]
    Solver(Arc<SolveError>),
    /// There is no certificate.
    #[error(transparent)]
    Certify(Arc<CertifyError>),
}

impl From<CertifyError> for ModelError {
    fn from(error: CertifyError) -> Self {
        match error {
            CertifyError::Interrupted(why) => Self::Interrupted(why),
            CertifyError::Capacity(error) => Self::Capacity(error),
            error => Self::Certify(Arc::new(error)),
        }
    }
}

impl From<SolveError> for ModelError {
    fn from(error: SolveError) -> Self {
        match error {
            SolveError::Interrupted(why) => Self::Interrupted(why),
            SolveError::Capacity(error) => Self::Capacity(error),
            SolveError::Solver(error) => match error.downcast::<Self>() {
                Ok(own) => *own,
                Err(error) => Self::Solver(Arc::new(SolveError::Solver(error))),
            },
            other => Self::Solver(Arc::new(other)),
        }
    }
}
