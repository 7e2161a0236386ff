//! Names that stand for no encoding.

use std::fmt::{self, Display};

use thiserror::Error;

use super::{AmoEncoding, CardEncoding, PbEncoding};

/// A name that is no [`AmoEncoding`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{}` is no at-most-one encoding; allowed: {}", Shown(name), list(AmoEncoding::ALL))]
pub struct UnknownAmoEncoding {
    name: String,
}

/// A name that is no [`CardEncoding`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{}` is no cardinality encoding; allowed: {}", Shown(name), list(CardEncoding::ALL))]
pub struct UnknownCardEncoding {
    name: String,
}

/// A name that is no [`PbEncoding`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{}` is no encoding of sums of weights; allowed: {}", Shown(name), list(PbEncoding::ALL))]
pub struct UnknownPbEncoding {
    name: String,
}

impl UnknownAmoEncoding {
    pub(super) fn new(name: &str) -> Self {
        Self { name: name.into() }
    }

    /// The name that was given.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl UnknownCardEncoding {
    pub(super) fn new(name: &str) -> Self {
        Self { name: name.into() }
    }

    /// The name that was given.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl UnknownPbEncoding {
    pub(super) fn new(name: &str) -> Self {
        Self { name: name.into() }
    }

    /// The name that was given.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

fn list(all: &[impl Display]) -> String {
    all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// A name in a message: shortened, control characters escaped.
struct Shown<'a>(&'a str);

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// The longest name of an encoding has 24 characters.
        const MOST: usize = 40;
        let mut chars = self.0.chars();
        chars.by_ref().take(MOST).try_for_each(|char| write!(f, "{}", char.escape_debug()))?;
        if chars.next().is_some() { f.write_str("…") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_printable_and_short() {
        let amo = "\u{1b}[31mred\nname".parse::<AmoEncoding>().unwrap_err();
        assert!(amo.to_string().starts_with("`\\u{1b}[31mred\\nname` is no at-most-one encoding; allowed: auto, "));
        assert_eq!(amo.name(), "\u{1b}[31mred\nname");
        let card = "x".repeat(10_000).parse::<CardEncoding>().unwrap_err();
        let message = card.to_string();
        assert!(message.starts_with(&format!("`{}…` is no cardinality", "x".repeat(40))), "{message}");
        for enc in CardEncoding::ALL {
            assert!(message.contains(&enc.to_string()));
        }
        let pb = "x".parse::<PbEncoding>().unwrap_err();
        for enc in PbEncoding::ALL {
            assert!(pb.to_string().contains(&enc.to_string()));
        }
        for enc in AmoEncoding::ALL {
            assert!(amo.to_string().contains(&enc.to_string()));
        }
    }
}
