//! How far the suites look.

/// The larger one where everything is to be looked at, which the environment variable `CNFKIT_EXHAUSTIVE` says.
pub(super) fn usual(usual: usize, exhaustive: usize) -> usize {
    if std::env::var_os("CNFKIT_EXHAUSTIVE").is_some() { exhaustive } else { usual }
}
