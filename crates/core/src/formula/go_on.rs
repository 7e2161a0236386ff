//! The question whether to go on, asked now and then by what may take long.

use crate::encode::Full;

/// Asks whether to go on, as [`ClauseSink::go_on`](crate::ClauseSink::go_on).
pub(super) type TryGoOn<'g, E = Full> = dyn FnMut() -> Result<(), E> + 'g;

/// The result of a stage that has no limit on its time.
pub(super) fn unlimited<T>(stage: impl FnOnce(&mut TryGoOn<'_>) -> Result<T, Full>) -> T {
    stage(&mut || Ok(())).expect("nothing ends it")
}
