//! Sizes by a dry run: an encoder is run on a sink that only counts, once, before it is run on the real one.
//!
//! What a sum of weights costs depends on every weight, so that a closed form would be the encoder written twice. A
//! dry run allocates nothing for clauses. Encoders that take longer than their clauses take to copy keep them, in a
//! [`ClauseLog`](super::ClauseLog).

use crate::encode::Prepared;
use crate::size::Size;
use crate::writer::{Full, Writer, measured};

/// An encoder with all that it needs: each run sends the same clauses.
pub(crate) trait Script {
    /// Sends the clauses.
    ///
    /// # Errors
    /// As the sink fails.
    fn run(&self, to: &mut Writer<'_>) -> Result<(), Full>;
}

/// A script whose size is known.
#[derive(Clone, Debug)]
pub(crate) struct DryRun<T> {
    script: T,
    size: Size,
}

impl<T: Script> DryRun<T> {
    /// Runs a script once without a sink, whose inputs have variables below `free`.
    pub(in crate::pb) fn new(script: T, free: u32) -> Self {
        let size = measured(free, &mut |to| script.run(to));
        Self { script, size }
    }
}

impl<T: Script + Send + Sync> Prepared for DryRun<T> {
    fn size(&self) -> Size {
        self.size
    }

    fn write(&self, to: &mut Writer<'_>) -> Result<(), Full> {
        self.script.run(to)
    }
}
