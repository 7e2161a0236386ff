//! The question whether to go on, asked now and then by what may take long.

use std::convert::Infallible;

/// Asks whether to go on, as [`ClauseSink::go_on`].
pub(super) type GoOn<'g, E> = dyn FnMut() -> Result<(), E> + 'g;

/// For what has no limit on its time.
#[allow(clippy::unnecessary_wraps)] // as those that have one
pub(super) const fn always() -> Result<(), Infallible> {
    Ok(())
}
