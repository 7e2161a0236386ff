//! [`AmoEncoding`]: at-most-one encodings by name, and what `Auto` and `Smallest` take.

use std::fmt;

use rustsat::types::Lit;

use super::CardEncoding;
use super::one::ChosenOne;
use crate::amo::{Bimander, Bitwise, Commander, Ladder, Nested, Pairwise, Product};
use crate::constraint::{EncodingName, Goal};
use crate::encode::{Amo, ByRelation};
use crate::relation::Relation;
use crate::size::Size;
use crate::writer::{Full, Writer};

/// Declares [`AmoEncoding`]: a variant, its name and the encoder it stands for, a line each.
macro_rules! encodings {
    ($($(#[$doc:meta])* $variant:ident, $name:literal, $enc:expr;)*) => {
        /// The at-most-one encodings by name, and two that choose among them.
        ///
        /// Each name stands for the struct of that name with its default options. [`Auto`](Self::Auto), the default, is
        /// for fast solving; [`Smallest`](Self::Smallest) has the fewest variables + clauses. All are generalised arc
        /// consistent, [`Card`](Self::Card) if [its encoding is](CardEncoding::is_gac).
        ///
        /// ```
        /// use cnfkit::{AmoEncoding, AtMostOne};
        /// let ladder: AmoEncoding = "ladder".parse().unwrap();
        /// assert_eq!(ladder.to_string(), "ladder");
        /// assert!(AmoEncoding::Smallest.amo_size(100).cost() < ladder.amo_size(100).cost());
        /// assert!("leiter".parse::<AmoEncoding>().unwrap_err().to_string().contains("allowed: auto, smallest"));
        /// ```
        #[doc(alias = "EncType")]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum AmoEncoding {
            /// For fast solving; never more than twice the variables + clauses of [`Smallest`](Self::Smallest). It is
            /// within 1.3 times the fewest conflicts in some families of instances, and within 2.3 times where
            /// solutions are searched for and pairwise is best:
            ///
            #[doc = include_str!("auto_amo.md")]
            ///
            /// The conflicts are those of BatSat and CaDiCaL on the families of `cargo run --release -p
            /// cnfkit-quality`; *size* means that the other choices would have more than twice the variables + clauses
            /// of [`Smallest`](Self::Smallest).
            #[default]
            Auto,
            /// The fewest variables + clauses: [`Optimal`](crate::Optimal). Of equally small ones, the one with the
            /// fewest clauses.
            Smallest,
            $($(#[$doc])* $variant,)*
            /// An encoding of *at most k*, with k = 1; named `card:` and its name.
            Card(CardEncoding),
        }

        impl AmoEncoding {
            const OWN: &'static [Self] = &[Self::Auto, Self::Smallest, $(Self::$variant),*];

            /// The name, and that of the cardinality encoding behind it.
            const fn name(self) -> (&'static str, Option<CardEncoding>) {
                match self {
                    Self::Auto => ("auto", None),
                    Self::Smallest => ("smallest", None),
                    $(Self::$variant => ($name, None),)*
                    Self::Card(card) => ("card:", Some(card)),
                }
            }
        }

        impl AmoEncoding {
            /// The encoding of that name; the two choosers decide by the number of literals themselves.
            fn named(&self) -> &dyn Amo {
                match self {
                    Self::Auto => &ChosenOne(Goal::Solving),
                    Self::Smallest => &ChosenOne(Goal::Size),
                    $(Self::$variant => &$enc,)*
                    Self::Card(card) => card,
                }
            }
        }
    };
}

impl Amo for AmoEncoding {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit]) -> Result<(), Full> {
        self.named().encode(to, lits)
    }

    fn size(&self, n: usize) -> Size {
        if n < 2 { Size::ZERO } else { self.named().size(n) }
    }

    fn one_model(&self) -> bool {
        self.named().one_model()
    }

    fn encoding_name(&self) -> Option<EncodingName> {
        Some(match self {
            Self::Auto => EncodingName::Open(Goal::Solving),
            Self::Smallest => EncodingName::Open(Goal::Size),
            Self::Card(card) => return ByRelation::encoding_name(card),
            named => EncodingName::Named(named.name().0),
        })
    }
}

/// At most one, as at most k.
impl Amo for CardEncoding {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit]) -> Result<(), Full> {
        Relation::AtMost(1).encode(self, to, lits)
    }

    fn size(&self, n: usize) -> Size {
        Relation::AtMost(1).size_by(self, n)
    }

    fn one_model(&self) -> bool {
        ByRelation::one_model(self)
    }
}

crate::encode::amo!(AmoEncoding);

encodings! {
    /// [`Pairwise`](struct@Pairwise).
    Pairwise, "pairwise", Pairwise;
    /// [`Bitwise`](struct@Bitwise).
    Bitwise, "bitwise", Bitwise::DEFAULT;
    /// [`Ladder`](struct@Ladder).
    Ladder, "ladder", Ladder;
    /// [`Nested`](struct@Nested).
    Nested, "nested", Nested;
    /// [`Product`](struct@Product).
    Product, "product", Product::DEFAULT;
    /// [`Commander`](struct@Commander).
    Commander, "commander", Commander::DEFAULT;
    /// [`Bimander`](struct@Bimander).
    Bimander, "bimander", Bimander::DEFAULT;
}

impl AmoEncoding {
    /// All of them, the two choosers first, then each by its name, then [`Card`](Self::Card) with each of
    /// [`CardEncoding::ALL`].
    pub const ALL: &'static [Self] = &{
        let mut all = [Self::Auto; Self::OWN.len() + CardEncoding::ALL.len()];
        let mut at = 0;
        while at < all.len() {
            let own = Self::OWN.len();
            all[at] = if at < own { Self::OWN[at] } else { Self::Card(CardEncoding::ALL[at - own]) };
            at += 1;
        }
        all
    };

    /// True if unit propagation derives every implied input and every contradiction: generalised arc consistency.
    ///
    /// ```
    /// use cnfkit::{AmoEncoding, CardEncoding};
    /// assert!(AmoEncoding::Product.is_gac() && !AmoEncoding::Card(CardEncoding::Adder).is_gac());
    /// ```
    #[must_use]
    pub const fn is_gac(self) -> bool {
        match self {
            Self::Card(card) => card.is_gac(),
            _ => true,
        }
    }
}

impl fmt::Display for AmoEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            (name, None) => f.pad(name),
            (prefix, Some(card)) => f.pad(&format!("{prefix}{card}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::testing::{Engine, Recorder, inputs};
    use crate::{AtMostOne, Constrain, Optimal, Tally};

    crate::testing::amo_suite!(auto: AmoEncoding::Auto, Gac);
    crate::testing::amo_suite!(smallest: AmoEncoding::Smallest, Gac);

    #[test]
    fn names_are_read_back() {
        for &enc in AmoEncoding::ALL {
            assert_eq!(enc.to_string().parse(), Ok(enc));
            assert_eq!(format!(" {enc} ").to_uppercase().parse(), Ok(enc));
        }
        assert_eq!(AmoEncoding::default(), AmoEncoding::Auto);
        assert_eq!("card:sequential".parse(), Ok(AmoEncoding::Card(CardEncoding::Sequential)));
        assert_eq!(AmoEncoding::ALL.iter().collect::<HashSet<_>>().len(), AmoEncoding::ALL.len());
    }

    #[test]
    fn choosers() {
        for n in (2..3000).chain([10_000, 1_000_000]) {
            let smallest = AmoEncoding::Smallest.amo_size(n).cost();
            for enc in AmoEncoding::ALL {
                assert!(smallest <= enc.amo_size(n).cost(), "{enc} is smaller at {n}");
            }
            assert!(AmoEncoding::Auto.amo_size(n).cost() <= 2 * smallest, "Auto at {n}");
        }
    }

    #[test]
    fn sizes_of_large_groups() {
        for enc in AmoEncoding::ALL {
            for n in [10_000, 100_001, 1 << 20] {
                if enc.amo_size(n).clauses > 2_200_000 {
                    continue;
                }
                let mut tally = Tally::new(n);
                let lits = tally.inputs();
                tally.at_most_one(&lits, enc).unwrap();
                assert_eq!(enc.amo_size(n), tally.size(), "{enc} at {n}");
            }
        }
        for enc in AmoEncoding::OWN {
            assert!(enc.amo_size(usize::MAX).clauses > 1 << 62, "{enc} saturates");
        }
    }

    /// One true input falsifies all others, and two under a condition falsify the condition: for n beyond the reach of
    /// the suite that tries every assignment.
    fn check_strength_of_large(enc: &dyn AtMostOne, n: usize, what: &str) {
        let lits = inputs(n);
        let mut recorder = Recorder::new(n + 1);
        let cond = Lit::positive(n as u32);
        recorder.when(&[cond]).at_most_one(&lits, enc).unwrap();
        let mut engine = Engine::new(&recorder);
        for (i, &first) in lits.iter().enumerate() {
            assert!(engine.assume(first), "{what} at {n}: {first} alone is refused");
            assert!(lits[..i].iter().all(|&second| engine.value(second).is_none()), "{what} at {n}: no condition yet");
            for &second in &lits[i + 1..] {
                let mark = engine.mark();
                assert!(engine.assume(second), "{what} at {n}: {first} and {second} are refused without the condition");
                assert_eq!(engine.value(cond), Some(false), "{what} at {n}: {first} and {second}");
                engine.undo(mark);
            }
            assert!(engine.assume(cond), "{what} at {n}: {first} is refused");
            let others = lits.iter().filter(|&&lit| lit != first);
            assert!(others.clone().all(|&lit| engine.value(lit) == Some(false)), "{what} at {n}: {first}");
            assert!(engine.satisfiable(), "{what} at {n}: {first} has no model");
            engine.undo(0);
        }
        assert!(engine.assume(cond) && lits.iter().all(|&lit| engine.assume(!lit)) && engine.satisfiable());
    }

    /// The number of clauses that a condition is added to.
    #[test]
    fn guarded() {
        for (enc, n, expected) in [
            (AmoEncoding::Pairwise, 10, 45),
            (AmoEncoding::Ladder, 10, 9),
            (AmoEncoding::Bitwise, 8, 12),
            (AmoEncoding::Bitwise, 10, 15),
            (AmoEncoding::Bimander, 10, 5 + 10),
            (AmoEncoding::Commander, 9, 3 * 3 + 3),
            (AmoEncoding::Nested, 10, 4 * 3 + 3),
            (AmoEncoding::Product, 100, 2 * 15),
            (AmoEncoding::Product, 10_000, 4 * 15),
            (AmoEncoding::Smallest, 1000, 5 * (4 * 3 + 1) + 10),
        ] {
            let mut recorder = Recorder::new(n);
            recorder.at_most_one(&inputs(n), &enc).unwrap();
            assert_eq!(recorder.clauses.len() - recorder.defined, expected, "{enc} at {n}");
        }
    }

    #[test]
    fn strength_of_large_groups() {
        assert!(AmoEncoding::OWN.iter().all(|enc| enc.is_gac()));
        for enc in AmoEncoding::ALL.iter().filter(|enc| enc.is_gac()) {
            for n in (10..40).chain([64, 100, 129]) {
                check_strength_of_large(enc, n, &enc.to_string());
            }
        }
        for weight in [0, 2, 5, 20, u8::MAX] {
            for n in (10..40).chain([64, 100, 129]) {
                check_strength_of_large(&Optimal { weight }, n, &format!("weight {weight}"));
            }
        }
        check_strength_of_large(&Optimal::default(), 600, "smallest");
    }
}
