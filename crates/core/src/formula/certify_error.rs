//! [`CertifyError`]: the reason why a formula has no certificate.

use std::fs::{self, DirEntry, FileType};
use std::io;
use std::path::{Path, PathBuf};

use rustsat::types::Lit;

use crate::certify::Lines;
use crate::cnf::CapacityError;
use crate::constraint::EncodingName;
use crate::limits::Stopped;

/// The reason why a formula has no certificate.
///
/// ```
/// use cnfkit::{CertifyError, ClauseSink, Formula, Limits};
/// let mut formula = Formula::new();
/// let x = formula.new_lits(2);
/// formula.add_clause(&x)?;
/// // The folder is to be new, or empty.
/// let error = formula.solve_certified(std::env::temp_dir(), &Limits::none()).unwrap_err();
/// assert!(matches!(error, CertifyError::Folder { .. }));
/// # Ok::<(), cnfkit::CapacityError>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CertifyError {
    /// The auxiliaries of a constraint stand for sums of more than 2²³ inputs together: about n²·k/2 for a sequential
    /// counter of n literals, n·k·log₂ n for a totalizer.
    #[error(
        "no proof for {}, encoded by {encoding}: its auxiliaries stand for sums of more than 2^23 inputs together; a \
         totalizer has the shortest sums",
        place(*constraint)
    )]
    #[non_exhaustive]
    TooLong {
        /// The number of the constraint in the formula, from 0 on; `usize::MAX` for a bound on the objective.
        constraint: usize,
        /// Its encoding.
        encoding: EncodingName,
    },
    /// The formula or the proof could not be written.
    #[error("the certificate cannot be written: {0}")]
    Write(#[from] io::Error),
    /// The folder of the certificate could not be made: it is to be new, or to have nothing but named pipes, which take
    /// what is written into the files of their names.
    #[error("{}: no new folder can be made: {source}", path.display())]
    #[non_exhaustive]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A limit was reached, or the cancel flag was raised, and which: see [`Limits`](crate::Limits). Where the formula
    /// had been written by then, the proof ends as one that concludes nothing, or the bounds on the objective so far.
    #[error("interrupted before there was a proof: {0}")]
    Interrupted(Stopped),
    /// A constraint that the formula could not keep, because its numbers are beyond 64 bits, its encoding has no
    /// [name](crate::encode::own_name), or it grows, or an expression whose clauses were not derived: the formula has
    /// clauses instead, and a proof would take them for granted.
    #[error(
        "no proof: `{constraint}` was not kept but written as clauses, which a proof would take for granted; allowed \
         are sums below 2^64 that do not grow, encodings with a name, and expressions of some thousand parts"
    )]
    #[non_exhaustive]
    Written {
        /// The first such constraint, in words.
        constraint: String,
    },
    /// A constraint, which a proof in DRAT has no words for.
    #[error("no proof in DRAT: {} is no clause; clauses are allowed", place(*constraint))]
    #[non_exhaustive]
    NoClause {
        /// The number of the constraint in the formula, from 0 on.
        constraint: usize,
    },
    /// No proof that symmetric solutions may be ruled out.
    #[error("no proof for symmetries: {reason}")]
    #[non_exhaustive]
    Symmetries {
        /// The reason, in words.
        reason: &'static str,
    },
    /// The clauses are too many.
    #[error(transparent)]
    Capacity(#[from] CapacityError),
    /// The clauses of a constraint by this encoding are too many or too difficult, or do not follow.
    #[error(
        "no proof for {}, encoded by {encoding}: clause `{}` was not derived; allowed are the encodings and sizes that \
         `Formula::certify` lists",
        place(*constraint),
        text(clause)
    )]
    #[non_exhaustive]
    NotCovered {
        /// The number of the constraint in the formula, from 0 on; `usize::MAX` for a bound on the objective.
        constraint: usize,
        /// Its encoding.
        encoding: EncodingName,
        /// The first clause without a derivation.
        clause: Vec<Lit>,
    },
}

impl CertifyError {
    /// Whoever asked for it raised the flag, or knows better.
    pub(super) fn cancelled<E>(_: E) -> Self {
        Self::Interrupted(Stopped::Cancelled)
    }

    /// This error, which ends a proof: where a limit or the cancel flag did, its last lines conclude what it has shown.
    pub(crate) fn stops(self, lines: Lines<'_>, conclusion: &str) -> Self {
        let ended = if matches!(self, Self::Interrupted(_)) { lines.conclude(conclusion, None) } else { Ok(()) };
        ended.map_or_else(Self::from, |()| self)
    }

    /// Makes the folder of a certificate, unless there is one that has nothing but named pipes, or nothing at all.
    #[doc(hidden)]
    pub fn new_folder(dir: &Path) -> Result<(), Self> {
        fs::create_dir(dir).or_else(|source| {
            let is_pipe = |entry: io::Result<DirEntry>| {
                entry.and_then(|entry| fs::metadata(entry.path())).is_ok_and(|entry| is_pipe(entry.file_type()))
            };
            let has_nothing_else = fs::read_dir(dir).is_ok_and(|mut entries| entries.all(is_pipe));
            if has_nothing_else { Ok(()) } else { Err(Self::Folder { path: dir.into(), source }) }
        })
    }
}

#[cfg(unix)]
fn is_pipe(file: FileType) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&file)
}

#[cfg(not(unix))]
fn is_pipe(_: FileType) -> bool {
    false
}

/// A constraint by its number, in words.
fn place(constraint: usize) -> String {
    if constraint == usize::MAX { "a bound on the objective".into() } else { format!("constraint {constraint}") }
}

/// A clause, with variables as the formula's file names them.
fn text(clause: &[Lit]) -> String {
    let text = |lit: &Lit| format!("{}x{}", if lit.is_neg() { "~" } else { "" }, lit.vidx32() + 1);
    clause.iter().map(text).collect::<Vec<String>>().join(" ")
}
