//! [`ReadError`]: what readers of all text formats say, of a [`Cnf`](crate::Cnf) and of a
//! `Formula`.

use std::{fmt, io};

use thiserror::Error;

use crate::cnf::CapacityError;

/// The reason why a text is no formula, and where.
///
/// ```
/// use cnfkit::{Cnf, ReadError};
/// let error = Cnf::from_dimacs("p cnf 2 1\n1 x 0\n".as_bytes()).unwrap_err();
/// assert!(matches!(error, ReadError::Syntax { line: 2, column: 3, .. }));
/// ```
#[doc(alias = "DimacsError")]
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// Reading failed.
    #[error("reading failed: {0}")]
    Io(#[from] io::Error),
    /// The text is not in the format. Lines and columns count from 1.
    #[error("line {line}, column {column}: {message}")]
    #[non_exhaustive]
    Syntax {
        /// The line, from 1.
        line: usize,
        /// The column in bytes, from 1.
        column: usize,
        /// The words that were found and those that are allowed.
        message: String,
    },
    /// A variable, or a number of variables, beyond `Formula::MOST_READ`, or of a
    /// [`Cnf`](crate::Cnf) beyond what rustsat has.
    #[error("line {line}, column {column}: variable {variable}; the limit is {limit}")]
    #[non_exhaustive]
    Variable {
        /// The line, from 1.
        line: usize,
        /// The column in bytes, from 1.
        column: usize,
        /// The number in the text.
        variable: u64,
        /// The highest that is allowed.
        limit: u32,
    },
    /// The formula is larger than its limit.
    #[error(transparent)]
    Capacity(#[from] CapacityError),
}

/// The highest variable, counted from 1, that a text or a clause to a solver may have beside those that were handed
/// out:
/// what takes memory for all variables below takes 64 MiB for a byte of each.
pub const MOST_READ: u32 = 1 << 26;

/// Bytes of a wrong word that a message shows.
const SHOWN: usize = 20;

/// Writes a word of `len` bytes, of which the `first` are known, for a message: shortened, control characters escaped,
/// bytes that are no UTF-8 in hexadecimal.
pub(crate) fn show(first: &[u8], len: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let cut = len > SHOWN;
    let mut chunks = first[..len.min(SHOWN)].utf8_chunks().peekable();
    while let Some(chunk) = chunks.next() {
        write!(f, "{}", chunk.valid().escape_debug())?;
        // A character that is cut off at the end is not shown.
        if chunks.peek().is_some() || !cut {
            write!(f, "{}", chunk.invalid().escape_ascii())?;
        }
    }
    f.write_str(if cut { "…" } else { "" })
}
