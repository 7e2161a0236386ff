//! [`CardEncoding`]: cardinality encodings by name, and what `Auto` and `Smallest` take.

use std::cell::RefCell;
use std::fmt;
use std::hash::Hash;
use std::thread::LocalKey;

use rustc_hash::FxHashMap;
use rustsat::types::Lit;

use super::one::ChosenOne;
use super::policy::{self, CardChoice, with_small_bound};
use crate::card::{
    Adder, CardinalityNetwork, Combinatorial, DecisionDiagram, GeneralizedProduct, GridCompression, KModuloTotalizer,
    ModuloTotalizer, Network, SequentialCounter, Totalizer,
};
use crate::constraint::{EncodingName, Goal};
use crate::encode::{Amo, ByRelation};
use crate::relation::Relation;
use crate::size::Size;
use crate::writer::{Full, Writer};

macro_rules! encodings {
    ($($(#[$doc:meta])* $variant:ident, $name:literal, $enc:expr, $gac:literal;)*) => {
        /// The cardinality encodings by name, and two that choose among them.
        ///
        /// Each name stands for the struct of that name with its default options. [`Auto`](Self::Auto), the default, is
        /// for fast solving; [`Smallest`](Self::Smallest) has the fewest variables + clauses.
        ///
        /// ```
        /// use cnfkit::{AtMostK, CardEncoding};
        /// let sequential: CardEncoding = "sequential".parse().unwrap();
        /// assert_eq!(sequential.to_string(), "sequential");
        /// assert!(CardEncoding::Smallest.amk_size(20, 5).cost() <= sequential.amk_size(20, 5).cost());
        /// assert!("sequentiel".parse::<CardEncoding>().unwrap_err().to_string().contains("allowed: auto, smallest"));
        /// ```
        #[doc(alias = "EncType")]
        #[doc(alias = "CardEnc")]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum CardEncoding {
            /// For fast solving; never more than twice the variables + clauses of [`Smallest`](Self::Smallest).
            ///
            /// The first row that covers a bound decides. A bound k > n/2 on the true literals is one on the false
            /// literals: *at most m* stands for at most k and for at least n − k alike, with m ≤ n/2.
            ///
            #[doc = include_str!("auto_card.md")]
            ///
            /// The conflicts are those of BatSat and CaDiCaL on the families of `cargo run --release -p
            /// cnfkit-quality`; *size* means that the other choices would have more than twice the variables + clauses
            /// of [`Smallest`](Self::Smallest). `Auto` needs close to the fewest conflicts in most of the families, not
            /// in all.
            #[default]
            Auto,
            /// The fewest variables + clauses among all encodings that are generalised arc consistent and whose clauses
            /// have at most 256 literals on average, by their exact sizes. Of equally small ones, the one with the
            /// fewest variables.
            ///
            /// [`Network`] plans each shape once, which takes milliseconds for large n.
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

            /// True if unit propagation on this encoding derives every implied input and every contradiction:
            /// generalised arc consistency.
            #[must_use]
            pub const fn is_gac(self) -> bool {
                match self {
                    Self::Auto | Self::Smallest => true,
                    $(Self::$variant => $gac,)*
                }
            }

            /// The name of the fewest variables + clauses, of encodings that are not generalised arc consistent, too:
            /// [`Smallest`](Self::Smallest), unless one of those is smaller.
            ///
            /// ```
            /// use cnfkit::{AtMostK, CardEncoding, ClauseSink, Cnf, Constrain, Relation};
            /// let enc = CardEncoding::smallest_of_any_strength(Relation::AtMost(10), 1_000);
            /// assert_eq!(enc, CardEncoding::GridCompression);
            /// assert!(2 * enc.amk_size(1_000, 10).cost() < CardEncoding::Smallest.amk_size(1_000, 10).cost());
            /// let mut cnf = Cnf::new();
            /// let x = cnf.new_lits(1_000);
            /// cnf.at_most(&x, 10, &enc)?;
            /// # Ok::<(), cnfkit::CapacityError>(())
            /// ```
            #[must_use]
            pub fn smallest_of_any_strength(relation: Relation, n: usize) -> Self {
                let weaker = Self::ALL.iter().filter(|enc| !enc.is_gac());
                let cost = |enc: &Self| relation.size(enc, n).cost();
                weaker.fold(Self::Smallest, |best, enc| if cost(enc) < cost(&best) { *enc } else { best })
            }
        }

        crate::by_value!(CardEncoding);

        impl CardEncoding {
            /// The encoding of that name; `None` of the two that choose.
            fn named(self) -> Option<&'static dyn ByRelation> {
                match self {
                    Self::Auto | Self::Smallest => None,
                    $(Self::$variant => Some(&$enc),)*
                }
            }
        }
    };
}

impl CardEncoding {
    /// The encoding of a bound on `n` literals, and its size.
    fn taken(self, n: usize, relation: Relation) -> (&'static dyn ByRelation, Size) {
        let of = |enc: &'static dyn ByRelation| (enc, relation.size_by(enc, n));
        match (self, self.named()) {
            (_, Some(named)) => of(named),
            (Self::Auto, None) => {
                of(encoding(policy::cardinality(relation, n)).unwrap_or(&ChosenAtMostOne(Goal::Solving)))
            }
            _ => smallest(relation, n),
        }
    }

    /// The encoding that has one counter for both bounds.
    fn sharing(self, n: usize, least: usize, most: usize) -> Option<&'static dyn ByRelation> {
        match (self, self.named()) {
            (_, Some(named)) => Some(named),
            (Self::Auto, None) => Some(&Totalizer::DEFAULT),
            _ => {
                let sizes = candidates().filter_map(|enc| Some((enc, enc.between_size(n, least, most)?)));
                sizes.min_by_key(|(_, size)| (size.cost(), size.vars)).map(|(enc, _)| enc)
            }
        }
    }

    /// The encoding that makes literals for *at least `first`* to *at least `last`*, if any does.
    fn counting(self, n: usize, first: usize, last: usize) -> Option<&'static dyn ByRelation> {
        match (self, self.named()) {
            (_, Some(named)) => Some(named),
            (Self::Auto, None) => encoding(policy::counting(first, n)),
            _ => counting(n, first, last),
        }
    }
}

impl ByRelation for CardEncoding {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit], relation: Relation) -> Result<(), Full> {
        relation.encode(self.taken(lits.len(), relation).0, to, lits)
    }

    fn size(&self, n: usize, relation: Relation) -> Size {
        self.taken(n, relation).1
    }

    fn chosen(&self, n: usize, relation: Relation) -> Option<(&dyn ByRelation, Size)> {
        Some(self.taken(n, relation))
    }

    fn outputs(&self, to: &mut Writer<'_>, lits: &[Lit], first: usize, last: usize) -> Result<Vec<Lit>, Full> {
        match self.counting(lits.len(), first, last) {
            Some(enc) => enc.outputs(to, lits, first, last),
            None => unreachable!("{self} does not count"),
        }
    }

    fn outputs_size(&self, n: usize, first: usize, last: usize) -> Option<Size> {
        self.counting(n, first, last)?.outputs_size(n, first, last)
    }

    fn between(&self, to: &mut Writer<'_>, lits: &[Lit], least: usize, most: usize) -> Result<(), Full> {
        match self.sharing(lits.len(), least, most) {
            Some(enc) => enc.between(to, lits, least, most),
            None => unreachable!("{self} does not count"),
        }
    }

    fn between_size(&self, n: usize, least: usize, most: usize) -> Option<Size> {
        self.sharing(n, least, most)?.between_size(n, least, most)
    }

    fn one_model(&self) -> bool {
        self.named().is_some_and(ByRelation::one_model)
    }

    fn encoding_name(&self) -> Option<EncodingName> {
        Some(match self {
            Self::Auto => EncodingName::Open(Goal::Solving),
            Self::Smallest => EncodingName::Open(Goal::Size),
            named => EncodingName::Named(named.name()),
        })
    }
}

/// The encoding that a row of the policy names; `None` is at most one, which is chosen by itself.
fn encoding(choice: CardChoice) -> Option<&'static dyn ByRelation> {
    const TWO_SIDED: Totalizer = Totalizer::DEFAULT.two_sided(true);
    const FULL: Network = Network::DEFAULT.full(true);
    Some(match choice {
        CardChoice::One => return None,
        CardChoice::Combinatorial => &Combinatorial,
        CardChoice::Totalizer { two_sided: false } => &Totalizer::DEFAULT,
        CardChoice::Totalizer { two_sided: true } => &TWO_SIDED,
        CardChoice::Network { full: false } => &Network::DEFAULT,
        CardChoice::Network { full: true } => &FULL,
        CardChoice::GeneralizedProduct => &GeneralizedProduct,
    })
}

encodings! {
    /// [`Combinatorial`].
    Combinatorial, "combinatorial", Combinatorial, true;
    /// [`SequentialCounter`].
    Sequential, "sequential", SequentialCounter::DEFAULT, true;
    /// [`ModuloTotalizer`]: not arc consistent.
    Modulo, "modulo", ModuloTotalizer::DEFAULT, false;
    /// [`KModuloTotalizer`]: not arc consistent.
    KModulo, "k-modulo", KModuloTotalizer::DEFAULT, false;
    /// [`DecisionDiagram`].
    DecisionDiagram, "decision-diagram", DecisionDiagram::DEFAULT, true;
    /// [`Adder`]: not arc consistent.
    Adder, "adder", Adder::DEFAULT, false;
    /// [`Totalizer`].
    Totalizer, "totalizer", Totalizer::DEFAULT, true;
    /// [`CardinalityNetwork`].
    CardinalityNetwork, "cardinality-network", CardinalityNetwork::DEFAULT, true;
    /// [`Network`].
    Network, "network", Network::DEFAULT, true;
    /// [`GeneralizedProduct`].
    GeneralizedProduct, "generalized-product", GeneralizedProduct, true;
    /// [`GridCompression`]: not arc consistent.
    GridCompression, "grid-compression", GridCompression, false;
}

/// At most one or exactly one true literal, or false one: what choosers leave to the encodings of at most one.
pub(super) struct ChosenAtMostOne(pub(super) Goal);

impl ChosenAtMostOne {
    pub(super) fn covers(relation: Relation, n: usize) -> bool {
        matches!(with_small_bound(relation, n), Relation::AtMost(1) | Relation::Exactly(1))
    }
}

impl ByRelation for ChosenAtMostOne {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit], relation: Relation) -> Result<(), Full> {
        let negated: Vec<Lit>;
        let lits = if with_small_bound(relation, lits.len()) == relation {
            lits
        } else {
            negated = lits.iter().map(|&lit| !lit).collect();
            &negated
        };
        if matches!(relation, Relation::Exactly(_)) {
            to.clause(lits)?;
        }
        ChosenOne(self.0).encode(to, lits)
    }

    fn size(&self, n: usize, relation: Relation) -> Size {
        let clause = if matches!(relation, Relation::Exactly(_)) { Size::clause(n) } else { Size::ZERO };
        Amo::size(&ChosenOne(self.0), n) + clause
    }

    fn one_model(&self) -> bool {
        ChosenOne(self.0).one_model()
    }
}

/// The most literals a clause should have on average.
pub(super) const LONGEST: u64 = 256;

/// The choices made already.
type KnownChoices<K, V> = RefCell<FxHashMap<K, V>>;

thread_local! {
    static SMALLEST: KnownChoices<(Relation, usize), (&'static dyn ByRelation, Size)> = RefCell::default();
    static COUNTING: KnownChoices<(usize, usize, usize), Option<&'static dyn ByRelation>> = RefCell::default();
}

/// The choice that `known` has for `key`, or else that of `choose`.
fn remembered<K, V>(known: &'static LocalKey<KnownChoices<K, V>>, key: K, choose: impl FnOnce() -> V) -> V
where
    K: Eq + Hash,
    V: Copy,
{
    const MOST: usize = 4096;
    if let Some(chosen) = known.with_borrow(|known| known.get(&key).copied()) {
        return chosen;
    }
    let chosen = choose();
    known.with_borrow_mut(|known| {
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(key, chosen);
    });
    chosen
}

/// The encodings that the search for the smallest looks at.
fn candidates() -> impl Iterator<Item = &'static dyn ByRelation> {
    CardEncoding::ALL.iter().filter(|enc| enc.is_gac()).filter_map(|enc| enc.named())
}

/// The encoding with the fewest variables + clauses, and its size.
fn smallest(relation: Relation, n: usize) -> (&'static dyn ByRelation, Size) {
    if ChosenAtMostOne::covers(relation, n) {
        return (&ChosenAtMostOne(Goal::Size), relation.size_by(&ChosenAtMostOne(Goal::Size), n));
    }
    remembered(&SMALLEST, (relation, n), || {
        let sizes = candidates().map(|enc| (enc, relation.size_by(enc, n)));
        let short = sizes.filter(|(_, size)| size.lits <= size.clauses.saturating_mul(LONGEST));
        let best = short.min_by_key(|(_, size)| (size.cost(), size.vars));
        best.unwrap_or_else(|| (&Network::DEFAULT, relation.size_by(&Network::DEFAULT, n)))
    })
}

/// Of those that count, the encoding with the fewest variables + clauses for outputs `first` to `last`.
pub(super) fn counting(n: usize, first: usize, last: usize) -> Option<&'static dyn ByRelation> {
    remembered(&COUNTING, (n, first, last), || {
        let sizes = candidates().filter_map(|enc| Some((enc, enc.outputs_size(n, first, last)?)));
        sizes.min_by_key(|(_, size)| (size.cost(), size.vars)).map(|(enc, _)| enc)
    })
}

impl fmt::Display for CardEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AtMostK;
    use crate::testing::card_suite;

    card_suite!(auto: CardEncoding::Auto, Gac);
    card_suite!(smallest: CardEncoding::Smallest, Gac);

    #[test]
    fn names_parse_back() {
        for &enc in CardEncoding::ALL {
            assert_eq!(enc.to_string().parse(), Ok(enc));
            assert_eq!(enc.to_string().to_uppercase().parse(), Ok(enc));
        }
    }

    /// Every n up to 32, and some large ones.
    #[test]
    fn smallest_is_smallest_and_auto_within_twice_of_it() {
        let relations = |k| [Relation::AtMost(k), Relation::AtLeast(k), Relation::Exactly(k)];
        let small = (3..=32).flat_map(|n| (1..n).map(move |k| (n, k)));
        let large = [64, 100, 280, 1_000, 10_000, 100_000].into_iter().flat_map(|n| {
            [1, 2, 3, 5, 8, 9, 32, 33].into_iter().filter(move |&m| 2 * m <= n).flat_map(move |m| [(n, m), (n, n - m)])
        });
        for (n, k) in small.chain(large) {
            for relation in relations(k) {
                let smallest = relation.size(&CardEncoding::Smallest, n).cost();
                for enc in CardEncoding::ALL.iter().filter(|enc| enc.is_gac() && enc.named().is_some()) {
                    let size = relation.size(enc, n);
                    assert!(size.cost() >= smallest || size.lits > LONGEST * size.clauses, "{relation:?} {n}");
                }
                let auto = relation.size(&CardEncoding::Auto, n).cost();
                assert!(auto <= 2 * smallest, "{relation:?} of {n}: {auto} for {smallest}");
            }
        }
    }

    #[test]
    fn nothing_is_smaller_than_the_smallest_of_any_strength() {
        let mut taken = Vec::new();
        for (n, k) in [(5, 2), (9, 9), (20, 5), (100, 1), (100, 3), (200, 100), (1_000, 990)] {
            for relation in [Relation::AtMost(k), Relation::AtLeast(k), Relation::Exactly(k)] {
                let best = CardEncoding::smallest_of_any_strength(relation, n);
                let cost = |enc: &CardEncoding| relation.size(enc, n).cost();
                let weak = CardEncoding::ALL.iter().filter(|enc| !enc.is_gac()).map(cost).min().unwrap();
                assert_eq!(cost(&best), weak.min(cost(&CardEncoding::Smallest)), "{relation:?} of {n}");
                // Of equally small ones, one that propagates.
                assert!(best == CardEncoding::Smallest || weak < cost(&CardEncoding::Smallest), "{relation:?} of {n}");
                taken.push(best);
            }
        }
        let all = [CardEncoding::Smallest, CardEncoding::GridCompression, CardEncoding::Adder];
        assert!(all.iter().all(|enc| taken.contains(enc)), "{taken:?}");
    }

    /// At least 2 of 5000 is no 5000 clauses of 4999 literals.
    #[test]
    fn smallest_has_no_endless_clauses() {
        let size = CardEncoding::Smallest.alk_size(5_000, 2);
        assert!(size.lits <= LONGEST * size.clauses && size.clauses < 5_200);
    }
}
