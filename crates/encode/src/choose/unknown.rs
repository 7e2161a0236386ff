//! Encodings read by name, and names that stand for none.

use std::fmt::{self, Display};
use std::str::FromStr;

use thiserror::Error;

use super::{AmoEncoding, CardEncoding, PbEncoding};

/// Makes encodings readable by name: for each enum the error of a name that is none of its own.
macro_rules! read_by_name {
    ($($enc:ident, $unknown:ident, $message:literal;)*) => {$(
        #[doc = concat!("A name that is no [`", stringify!($enc), "`].")]
        ///
        /// ```
        #[doc = concat!("use cnfkit::{", stringify!($enc), ", ", stringify!($unknown), "};")]
        #[doc = concat!("let error: ", stringify!($unknown))]
        #[doc = concat!("    = \"smalest\".parse::<", stringify!($enc), ">().unwrap_err();")]
        /// assert_eq!(error.name(), "smalest");
        #[doc = concat!("assert_eq!(error.nearest(), Some(", stringify!($enc), "::Smallest));")]
        /// ```
        #[derive(Clone, Debug, PartialEq, Eq, Error)]
        #[error($message, ShownName(name), Meant(self.nearest()), list($enc::ALL))]
        pub struct $unknown {
            name: String,
        }

        impl $unknown {
            /// The name that was given.
            #[must_use]
            pub fn name(&self) -> &str {
                &self.name
            }

            /// The encoding whose name, here or in PySAT, rustsat or pindakaas, is nearest to the one that was given;
            /// `None` if there is no near one.
            #[must_use]
            pub fn nearest(&self) -> Option<$enc> {
                nearest(&self.name, $enc::ALL)
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
    AmoEncoding, UnknownAmoEncoding, "`{}` is no at-most-one encoding; {}allowed: {}";
    CardEncoding, UnknownCardEncoding, "`{}` is no cardinality encoding; {}allowed: {}";
    PbEncoding, UnknownPbEncoding, "`{}` is no encoding of sums of weights; {}allowed: {}";
}

/// Names of others, in small letters without signs, and ours: see [`names`](super::names).
const OF_OTHERS: [(&str, &str); 24] = [
    // PySAT
    ("seqcounter", "sequential"),
    ("seqcounter", "sequential-weight-counter"),
    ("sortnetwrk", "network"),
    ("sortnetwrk", "mixed-radix-sorter"),
    ("cardnetwrk", "cardinality-network"),
    ("mtotalizer", "modulo"),
    ("kmtotalizer", "k-modulo"),
    ("bdd", "interval-diagram"),
    ("bdd", "decision-diagram"),
    ("binmerge", "local-watchdog"),
    ("adder", "binary-adder"),
    ("best", "auto"),
    // rustsat and pindakaas
    ("twoproduct", "product"),
    ("totalizer", "generalized-totalizer"),
    ("gte", "generalized-totalizer"),
    ("dpw", "dynamic-poly-watchdog"),
    ("watchdog", "global-watchdog"),
    ("mixedradix", "mixed-radix-sorter"),
    ("sortingnetwork", "network"),
    ("sequentialcounter", "sequential"),
    ("modulototalizer", "modulo"),
    ("kmodulototalizer", "k-modulo"),
    ("binomial", "combinatorial"),
    ("pairwise", "combinatorial"),
];

/// The encoding of a name that is nearly right, or another library's.
fn nearest<E: Copy + Display>(name: &str, all: &[E]) -> Option<E> {
    // The longest name has 24 characters.
    let bare = |name: &str| -> String {
        name.chars().filter(char::is_ascii_alphanumeric).map(|sign| sign.to_ascii_lowercase()).take(40).collect()
    };
    let given = bare(name.trim().rsplit(['.', ':']).next().unwrap_or_default());
    let given = given.strip_suffix("encoder").or(given.strip_suffix("encoding")).unwrap_or(&given);
    let known = OF_OTHERS.iter().filter(|(theirs, _)| *theirs == given).map(|&(_, ours)| ours);
    let mut translated = known.filter_map(|ours| all.iter().find(|enc| enc.to_string() == ours));
    let distance = |enc: &&E| strsim::damerau_levenshtein(given, &bare(&enc.to_string()));
    let near = || all.iter().min_by_key(distance).filter(|enc| distance(enc) <= given.len() / 3);
    all.iter().find(|enc| bare(&enc.to_string()) == given).or_else(|| translated.next()).or_else(near).copied()
}

/// The encoding that was meant, in a message.
struct Meant<E>(Option<E>);

impl<E: Display> Display for Meant<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_ref().map_or(Ok(()), |enc| write!(f, "did you mean `{enc}`? "))
    }
}

fn list(all: &[impl Display]) -> String {
    all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// A name in a message: shortened, control characters escaped.
struct ShownName<'a>(&'a str);

impl Display for ShownName<'_> {
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
    fn names_that_were_meant() {
        for (name, meant) in [
            ("totaliser", "totalizer"),
            ("Totalizer ", "totalizer"),
            ("decision_diagram", "decision-diagram"),
            ("EncType.seqcounter", "sequential"),
            ("EncType.kmtotalizer", "k-modulo"),
            ("SortingNetworkEncoder", "network"),
            ("card::CardinalityNetwork", "cardinality-network"),
            ("pairwise", "combinatorial"),
        ] {
            if let Err(error) = name.parse::<CardEncoding>() {
                let said = error.to_string();
                assert!(
                    said.contains(&format!("no cardinality encoding; did you mean `{meant}`? allowed: ")),
                    "{said}"
                );
            } else {
                assert_eq!(name.parse::<CardEncoding>().unwrap().to_string(), meant);
            }
        }
        let one = |name: &str| name.parse::<AmoEncoding>().unwrap_err().nearest();
        assert_eq!(one("TwoProduct"), Some(AmoEncoding::Product));
        assert_eq!(one("comander"), Some(AmoEncoding::Commander));
        let weights = |name: &str| name.parse::<PbEncoding>().unwrap_err().nearest().map(|enc| enc.to_string());
        assert_eq!(weights("DynamicPolyWatchDog").as_deref(), Some("dynamic-poly-watchdog"));
        for (theirs, ours) in OF_OTHERS {
            let is_known = |all: &[String]| all.iter().any(|name| name == ours);
            let names = |all: &[&dyn Display]| all.iter().map(ToString::to_string).collect::<Vec<_>>();
            let one: Vec<&dyn Display> = AmoEncoding::ALL.iter().map(|enc| enc as _).collect();
            let any: Vec<&dyn Display> = CardEncoding::ALL.iter().map(|enc| enc as _).collect();
            let sums: Vec<&dyn Display> = PbEncoding::ALL.iter().map(|enc| enc as _).collect();
            assert!([one, any, sums].iter().any(|all| is_known(&names(all))), "{theirs}: {ours}");
        }
        for name in ["", "x", "no such", "😀"] {
            assert_eq!(name.parse::<CardEncoding>().unwrap_err().nearest(), None, "{name}");
        }
    }

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
