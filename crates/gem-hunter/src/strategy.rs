//! The ways to answer a board.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The way to answer a board. All strategies give the same answers to every question but `solve`, where each gives one
/// of its own, and the order of `solutions`.
///
/// With [`traps`](super::GemHunterEncoder::traps), [`Parts`](Self::Parts) and [`Windows`](Self::Windows) count each
/// part by number of traps, and do not differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Strategy {
    /// The formula of [`encode`](super::GemHunterEncoder::encode), to the SAT solver, and nothing else.
    Whole,
    /// Deduction from one or two numbers first, and then part by part, where parts do not touch.
    Parts,
    /// As `Parts`, and large parts by windows that overlap: the time grows with the board's area, not faster.
    #[default]
    Windows,
}

impl Strategy {
    /// Every strategy.
    pub const ALL: [Self; 3] = [Self::Whole, Self::Parts, Self::Windows];

    const fn name(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Parts => "parts",
            Self::Windows => "windows",
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is no [`Strategy`].
///
/// ```
/// use cnfkit::gem_hunter::{Strategy, UnknownStrategy};
/// assert_eq!("parts".parse(), Ok(Strategy::Parts));
/// let error: UnknownStrategy = "halves".parse::<Strategy>().unwrap_err();
/// assert!(error.to_string().ends_with("allowed are whole, parts and windows"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
#[error("no such strategy: allowed are whole, parts and windows")]
pub struct UnknownStrategy;

impl FromStr for Strategy {
    type Err = UnknownStrategy;

    fn from_str(name: &str) -> Result<Self, UnknownStrategy> {
        Self::ALL.into_iter().find(|strategy| strategy.name() == name).ok_or(UnknownStrategy)
    }
}
