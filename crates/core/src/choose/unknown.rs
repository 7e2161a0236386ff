//! Encodings read by name, and names that stand for none.

use std::fmt::{self, Display};
use std::str::FromStr;

use thiserror::Error;

use super::{AmoEncoding, CardEncoding, PbEncoding};

/// Makes encodings readable by name: for each enum the error of a name that is none of its own.
macro_rules! read_by_name {
    ($($enc:ident, $unknown:ident, $message:literal;)*) => {$(
        #[doc = concat!("A name that is no [`", stringify!($enc), "`].")]
        #[derive(Clone, Debug, PartialEq, Eq, Error)]
        #[error($message, Shown(name), list($enc::ALL))]
        pub struct $unknown {
            name: String,
        }

        impl $unknown {
            /// The name that was given.
            #[must_use]
            pub fn name(&self) -> &str {
                &self.name
            }
        }

        impl FromStr for $enc {
            type Err = $unknown;

            /// Reads a name as [`Display`](fmt::Display) writes it, in capitals or not.
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let found = Self::ALL.iter().copied().find(|enc| enc.to_string().eq_ignore_ascii_case(text.trim()));
                found.ok_or_else(|| $unknown { name: text.into() })
            }
        }
    )*};
}

read_by_name! {
    AmoEncoding, UnknownAmoEncoding, "`{}` is no at-most-one encoding; allowed: {}";
    CardEncoding, UnknownCardEncoding, "`{}` is no cardinality encoding; allowed: {}";
    PbEncoding, UnknownPbEncoding, "`{}` is no encoding of sums of weights; allowed: {}";
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
