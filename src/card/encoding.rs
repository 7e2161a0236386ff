use std::fmt;
use std::str::FromStr;

use rustsat::types::Lit;
use thiserror::Error;

use super::{
    Adder, AtMostK, Combinatorial, DecisionDiagram, KModuloTotalizer, ModuloTotalizer, ParallelCounter,
    SequentialCounter, Totalizer,
};
use crate::constrain::Relation;
use crate::sink::{ClauseSink, Size};

/// Declares [`CardEncoding`]: a variant, its name, the encoder it stands for, and whether that is generalised arc
/// consistent, a line each.
macro_rules! encodings {
    ($($(#[$doc:meta])* $variant:ident, $name:literal, $enc:expr, $gac:literal;)*) => {
        /// The cardinality encodings by name, and two that choose among them.
        ///
        /// Each name stands for the struct of that name with its default options. [`Auto`](Self::Auto), the default, is what
        /// solvers do best with; [`Smallest`](Self::Smallest) has the fewest variables + clauses.
        ///
        /// ```
        /// use cnfkit::{AtMostK, CardEncoding};
        /// let sequential: CardEncoding = "sequential".parse().unwrap();
        /// assert_eq!(sequential.to_string(), "sequential");
        /// assert!(CardEncoding::Smallest.amk_size(20, 5).cost() <= sequential.amk_size(20, 5).cost());
        /// assert!("sequentiel".parse::<CardEncoding>().unwrap_err().to_string().contains("allowed: auto, smallest"));
        /// ```
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum CardEncoding {
            /// What solvers do best with.
            #[default]
            Auto,
            /// The fewest variables + clauses among all encodings that are generalised arc consistent, by their exact
            /// sizes. Of equally small ones, the one with the fewest variables.
            Smallest,
            $($(#[$doc])* $variant,)*
        }

        impl CardEncoding {
            /// All of them, the two choosers first.
            pub const ALL: &'static [Self] = &[Self::Auto, Self::Smallest, $(Self::$variant),*];

            const fn name(self) -> &'static str {
                match self {
                    Self::Auto => "auto",
                    Self::Smallest => "smallest",
                    $(Self::$variant => $name,)*
                }
            }

            /// Whether unit propagation on this encoding derives every implied input and every contradiction:
            /// generalised arc consistency.
            #[must_use]
            pub const fn is_gac(self) -> bool {
                match self {
                    Self::Auto | Self::Smallest => true,
                    $(Self::$variant => $gac,)*
                }
            }

            fn size(self, relation: Relation, n: usize) -> Size {
                match self {
                    Self::Auto => auto(relation, n).size(relation, n),
                    Self::Smallest => smallest(relation, n).size(relation, n),
                    $(Self::$variant => relation.size(&$enc, n),)*
                }
            }

            fn encode<S>(self, relation: Relation, sink: &mut S, lits: &[Lit]) -> Result<(), S::Error>
            where
                S: ClauseSink + ?Sized,
            {
                match self {
                    Self::Auto => auto(relation, lits.len()).encode(relation, sink, lits),
                    Self::Smallest => smallest(relation, lits.len()).encode(relation, sink, lits),
                    $(Self::$variant => relation.encode(&$enc, sink, lits),)*
                }
            }
        }
    };
}

encodings! {
    /// [`Combinatorial`].
    Combinatorial, "combinatorial", Combinatorial, true;
    /// [`SequentialCounter`].
    Sequential, "sequential", SequentialCounter::default(), true;
    /// [`ModuloTotalizer`]: not arc consistent.
    ModuloTotalizer, "modulo", ModuloTotalizer::default(), false;
    /// [`KModuloTotalizer`]: not arc consistent.
    KModuloTotalizer, "k-modulo", KModuloTotalizer::default(), false;
    /// [`DecisionDiagram`].
    DecisionDiagram, "decision-diagram", DecisionDiagram::default(), true;
    /// [`ParallelCounter`]: not arc consistent.
    ParallelCounter, "parallel-counter", ParallelCounter::default(), false;
    /// [`Adder`]: not arc consistent.
    Adder, "adder", Adder::default(), false;
    /// [`Totalizer`].
    Totalizer, "totalizer", Totalizer::default(), true;
}

/// The encoding with the fewest variables + clauses.
fn smallest(relation: Relation, n: usize) -> CardEncoding {
    let key = |enc: &CardEncoding| {
        let size = enc.size(relation, n);
        (size.cost(), size.vars)
    };
    let candidates = CardEncoding::ALL[2..].iter().copied().filter(|enc| enc.is_gac());
    candidates.min_by_key(key).unwrap_or(CardEncoding::Sequential)
}

fn auto(relation: Relation, n: usize) -> CardEncoding {
    smallest(relation, n)
}

impl AtMostK for CardEncoding {
    fn at_most<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit], k: usize) -> Result<(), S::Error> {
        self.encode(Relation::AtMost(k), sink, lits)
    }

    fn at_least<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit], k: usize) -> Result<(), S::Error> {
        self.encode(Relation::AtLeast(k), sink, lits)
    }

    fn exactly<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit], k: usize) -> Result<(), S::Error> {
        self.encode(Relation::Exactly(k), sink, lits)
    }

    fn amk_size(&self, n: usize, k: usize) -> Size {
        self.size(Relation::AtMost(k), n)
    }

    fn alk_size(&self, n: usize, k: usize) -> Size {
        self.size(Relation::AtLeast(k), n)
    }

    fn exk_size(&self, n: usize, k: usize) -> Size {
        self.size(Relation::Exactly(k), n)
    }
}

impl fmt::Display for CardEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is no [`CardEncoding`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{name}` is no cardinality encoding; allowed: {}", allowed())]
pub struct UnknownCardEncoding {
    name: String,
}

impl UnknownCardEncoding {
    /// The name that was given.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

fn allowed() -> String {
    CardEncoding::ALL.iter().map(|enc| enc.name()).collect::<Vec<_>>().join(", ")
}

impl FromStr for CardEncoding {
    type Err = UnknownCardEncoding;

    /// Reads a name as [`Display`](fmt::Display) writes it, in capitals or not.
    fn from_str(text: &str) -> Result<Self, UnknownCardEncoding> {
        let found = Self::ALL.iter().copied().find(|enc| enc.name().eq_ignore_ascii_case(text.trim()));
        found.ok_or_else(|| UnknownCardEncoding { name: text.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::card_suite;

    card_suite!(auto: CardEncoding::Auto, Gac);
    card_suite!(smallest: CardEncoding::Smallest, Gac);

    #[test]
    fn names_parse_back() {
        for &enc in CardEncoding::ALL {
            assert_eq!(enc.to_string().parse(), Ok(enc));
            assert_eq!(enc.to_string().to_uppercase().parse(), Ok(enc));
        }
        let error = "nothing".parse::<CardEncoding>().unwrap_err();
        assert_eq!(error.name(), "nothing");
        assert!(CardEncoding::ALL.iter().all(|enc| error.to_string().contains(enc.name())));
    }

    #[test]
    fn smallest_is_smallest() {
        let relations = |k| [Relation::AtMost(k), Relation::AtLeast(k), Relation::Exactly(k)];
        for n in 3..=64 {
            for relation in (1..n).flat_map(relations) {
                let smallest = CardEncoding::Smallest.size(relation, n).cost();
                let gac = CardEncoding::ALL.iter().filter(|enc| enc.is_gac());
                assert!(gac.map(|enc| enc.size(relation, n).cost()).all(|cost| cost >= smallest));
                assert!(CardEncoding::Auto.size(relation, n).cost() <= 2 * smallest);
            }
        }
    }
}
