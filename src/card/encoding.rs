use std::cell::RefCell;
use std::fmt;
use std::hash::Hash;
use std::str::FromStr;
use std::thread::LocalKey;

use rustc_hash::FxHashMap;
use rustsat::types::Lit;
use thiserror::Error;

use super::{
    Adder, AtMostK, CardinalityNetwork, Combinatorial, DecisionDiagram, GeneralizedProduct, KModuloTotalizer,
    ModuloTotalizer, Network, ParallelCounter, SequentialCounter, Totalizer, countable,
};
use crate::amo::{AmoEncoding, AtMostOne};
use crate::constrain::Relation;
use crate::offer::Aim;
use crate::sink::{ClauseSink, Size};

/// Does something with the encoder of a [`Choice`].
macro_rules! chosen {
    ($choice:expr, |$enc:ident| $with:expr) => {
        match $choice {
            Choice::Combinatorial($enc) => $with,
            Choice::Totalizer($enc) => $with,
            Choice::Network($enc) => $with,
            Choice::Product($enc) => $with,
        }
    };
}

/// Declares [`CardEncoding`]: a variant, its name, the encoder it stands for, and whether that is generalised arc
/// consistent, a line each.
macro_rules! encodings {
    ($($(#[$doc:meta])* $variant:ident, $name:literal, $enc:expr, $gac:literal;)*) => {
        /// The cardinality encodings by name, and two that choose among them.
        ///
        /// Each name stands for the struct of that name with its default options. [`Auto`](Self::Auto), the default, is what
        /// solvers do well with; [`Smallest`](Self::Smallest) has the fewest variables + clauses.
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
            /// What solvers do well with; never more than twice the variables + clauses of [`Smallest`](Self::Smallest).
            ///
            /// With m = min(k, n − k):
            ///
            /// | where | encoding |
            /// |---|---|
            /// | at most one or exactly one true, or false | [`AmoEncoding::Auto`](crate::AmoEncoding) |
            /// | exactly k for n ≤ 5 | [`Network`] |
            /// | at most or at least k for n ≤ 8, [`Totalizer`] more than twice as large, or at least 2 true or 2 false | [`Combinatorial`] |
            /// | at least 2 true or 2 false | [`GeneralizedProduct`] |
            /// | at most m true or m false, 8m ≤ n ≤ 64 | [`Network`], `full` |
            /// | at most m true or m false, m ≤ 3, for n > 1000 (n > 100,000) | [`Network`] ([`GeneralizedProduct`]) |
            /// | at most m true or m false, m ≤ 9 and 3m < n | [`Totalizer`], `two_sided` |
            /// | m ≤ 32 otherwise | [`Totalizer`] |
            /// | m > 32 | [`Network`] |
            ///
            /// By the conflicts that BatSat and CaDiCaL need on families of instances, which the example `quality` prints: near the best
            /// in most of them, not in all.
            #[default]
            Auto,
            /// The fewest variables + clauses among all encodings that are generalised arc consistent and whose clauses
            /// have at most 256 literals on average, by their exact sizes. Of equally small ones, the one with the fewest
            /// variables.
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

            /// Whether unit propagation on this encoding derives every implied input and every contradiction:
            /// generalised arc consistency.
            #[must_use]
            pub const fn is_gac(self) -> bool {
                match self {
                    Self::Auto | Self::Smallest => true,
                    $(Self::$variant => $gac,)*
                }
            }

            const fn chooses(self) -> bool {
                matches!(self, Self::Auto | Self::Smallest)
            }

            fn size(self, relation: Relation, n: usize) -> Size {
                if let Some(folded) = relation.folded(n) {
                    return folded;
                }
                if let Some(one) = self.one(relation, n) {
                    return one.size(n);
                }
                match self {
                    Self::Auto => chosen!(auto(relation, n), |enc| relation.size(&enc, n)),
                    Self::Smallest => smallest(relation, n).1,
                    $(Self::$variant => relation.size(&$enc, n),)*
                }
            }

            fn count_size(self, n: usize, first: usize, last: usize) -> Option<Size> {
                match self {
                    _ if !countable(n, first, last) => None,
                    Self::Auto => chosen!(auto(Relation::Exactly(first), n), |enc| enc.outputs_size(n, first, last)),
                    Self::Smallest => counting(n, first, last)?.count_size(n, first, last),
                    $(Self::$variant => AtMostK::outputs_size(&$enc, n, first, last),)*
                }
            }

            fn count<S>(self, sink: &mut S, lits: &[Lit], first: usize, last: usize) -> Result<Option<Vec<Lit>>, S::Error>
            where
                S: ClauseSink + ?Sized,
            {
                match self {
                    Self::Auto => {
                        chosen!(auto(Relation::Exactly(first), lits.len()), |enc| enc.outputs(sink, lits, first, last))
                    }
                    Self::Smallest => match counting(lits.len(), first, last) {
                        Some(named) => named.count(sink, lits, first, last),
                        None => Ok(None),
                    },
                    $(Self::$variant => AtMostK::outputs(&$enc, sink, lits, first, last),)*
                }
            }

            fn encode<S>(self, relation: Relation, sink: &mut S, lits: &[Lit]) -> Result<(), S::Error>
            where
                S: ClauseSink + ?Sized,
            {
                if let Some(one) = self.one(relation, lits.len()) {
                    return one.encode(sink, lits);
                }
                match self {
                    Self::Auto => chosen!(auto(relation, lits.len()), |enc| relation.encode(&enc, sink, lits)),
                    Self::Smallest => smallest(relation, lits.len()).0.encode(relation, sink, lits),
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
    Modulo, "modulo", ModuloTotalizer::default(), false;
    /// [`KModuloTotalizer`]: not arc consistent.
    KModulo, "k-modulo", KModuloTotalizer::default(), false;
    /// [`DecisionDiagram`].
    DecisionDiagram, "decision-diagram", DecisionDiagram::default(), true;
    /// [`ParallelCounter`]: not arc consistent.
    ParallelCounter, "parallel-counter", ParallelCounter::default(), false;
    /// [`Adder`]: not arc consistent.
    Adder, "adder", Adder::default(), false;
    /// [`Totalizer`].
    Totalizer, "totalizer", Totalizer::default(), true;
    /// [`CardinalityNetwork`].
    CardinalityNetwork, "cardinality-network", CardinalityNetwork::default(), true;
    /// [`Network`].
    Network, "network", Network::default(), true;
    /// [`GeneralizedProduct`].
    GeneralizedProduct, "generalized-product", GeneralizedProduct, true;
}

/// One true literal, or one false one: what choosers leave to the encodings of at most one.
#[derive(Clone, Copy)]
struct One {
    enc: AmoEncoding,
    /// The literals are negated: all but one are true.
    negated: bool,
    exactly: bool,
}

impl CardEncoding {
    fn one(self, relation: Relation, n: usize) -> Option<One> {
        let enc = match self {
            Self::Auto => AmoEncoding::Auto,
            Self::Smallest => AmoEncoding::Smallest,
            _ => return None,
        };
        let (negated, exactly) = match relation {
            Relation::AtMost(1) => (false, false),
            Relation::AtLeast(k) if k + 1 == n => (true, false),
            Relation::Exactly(1) => (false, true),
            Relation::Exactly(k) if k + 1 == n => (true, true),
            _ => return None,
        };
        Some(One { enc, negated, exactly })
    }
}

impl One {
    fn size(self, n: usize) -> Size {
        self.enc.amo_size(n) + if self.exactly { Size::clause(n) } else { Size::ZERO }
    }

    fn encode<S: ClauseSink + ?Sized>(self, sink: &mut S, lits: &[Lit]) -> Result<(), S::Error> {
        let negated: Vec<Lit>;
        let lits = if self.negated {
            negated = lits.iter().map(|&lit| !lit).collect();
            &negated
        } else {
            lits
        };
        if self.exactly {
            sink.add_clause(lits)?;
        }
        self.enc.at_most_one(sink, lits)
    }
}

/// The most literals a clause should have on average.
const LONGEST: u64 = 256;

/// What was chosen already.
type Known<K, V> = RefCell<FxHashMap<K, V>>;

thread_local! {
    static SMALLEST: Known<(Relation, usize), (CardEncoding, Size)> = RefCell::default();
    static COUNTING: Known<(usize, usize, usize), Option<CardEncoding>> = RefCell::default();
}

/// What `known` has for `key`, or else what `choose` says.
fn remembered<K, V>(known: &'static LocalKey<Known<K, V>>, key: K, choose: impl FnOnce() -> V) -> V
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

/// The encoding with the fewest variables + clauses, and its size.
fn smallest(relation: Relation, n: usize) -> (CardEncoding, Size) {
    remembered(&SMALLEST, (relation, n), || {
        let candidates = CardEncoding::ALL.iter().filter(|enc| !enc.chooses() && enc.is_gac());
        let sizes = candidates.map(|&enc| (enc, enc.size(relation, n)));
        let short = sizes.filter(|(_, size)| size.lits <= size.clauses.saturating_mul(LONGEST));
        let best = short.min_by_key(|(_, size)| (size.cost(), size.vars));
        best.unwrap_or_else(|| (CardEncoding::Network, CardEncoding::Network.size(relation, n)))
    })
}

/// Of those that count, the encoding with the fewest variables + clauses for outputs `first` to `last`.
fn counting(n: usize, first: usize, last: usize) -> Option<CardEncoding> {
    remembered(&COUNTING, (n, first, last), || {
        let candidates = CardEncoding::ALL.iter().filter(|enc| !enc.chooses() && enc.is_gac());
        let sizes = candidates.filter_map(|&enc| Some((enc, enc.count_size(n, first, last)?)));
        sizes.min_by_key(|(_, size)| (size.cost(), size.vars)).map(|(enc, _)| enc)
    })
}

/// What [`CardEncoding::Auto`] chooses from.
#[derive(Clone, Copy)]
enum Choice {
    Combinatorial(Combinatorial),
    Totalizer(Totalizer),
    Network(Network),
    Product(GeneralizedProduct),
}

/// What solvers do well with. The limits keep it within twice the smallest.
///
/// The example `quality` counts conflicts of BatSat and CaDiCaL. Over its families the totalizer needs the fewest or close to
/// it, with auxiliaries defined in both directions where there is room for that, but for a few of many (dominating sets),
/// where networks do. Exactly k of 4 and 5 without auxiliaries cost BatSat 1.4 times as many conflicts on tomography as networks.
fn auto(relation: Relation, n: usize) -> Choice {
    const TINY: usize = 5;
    const SMALL: usize = 8;
    const FEW: usize = 8;
    const MANY: usize = 64;
    const TWO_SIDED: usize = 9;
    const TOTALIZED: usize = 32;
    /// For so few of so many the two-sided totalizer is more than twice as large as the smallest; of even more, the network is.
    const FEWEST: usize = 3;
    const LARGE: usize = 1_000;
    const HUGE: usize = 100_000;
    let (k, counts) = match relation {
        Relation::AtMost(k) => (k, k <= n / 2),
        Relation::AtLeast(k) => (k, k > n / 2),
        Relation::Exactly(k) => (k, true),
    };
    let bounded = counts && !matches!(relation, Relation::Exactly(_));
    match k.min(n - k) {
        _ if n <= TINY && matches!(relation, Relation::Exactly(_)) => Choice::Network(Network::default()),
        1.. if n <= SMALL && is_wasteful(relation, n) => Choice::Combinatorial(Combinatorial),
        2 if !counts && n <= SMALL => Choice::Combinatorial(Combinatorial),
        2 if !counts => Choice::Product(GeneralizedProduct),
        m if bounded && m * FEW <= n && n <= MANY => Choice::Network(Network { full: true, ..Network::default() }),
        m if bounded && m <= FEWEST && n > HUGE => Choice::Product(GeneralizedProduct),
        m if bounded && m <= FEWEST && n > LARGE => Choice::Network(Network::default()),
        m if m <= TOTALIZED => {
            let two_sided = bounded && m <= TWO_SIDED && 3 * m < n;
            Choice::Totalizer(Totalizer { two_sided, ..Totalizer::default() })
        }
        _ => Choice::Network(Network::default()),
    }
}

/// Whether the totalizer is more than twice as large as no auxiliaries at all.
fn is_wasteful(relation: Relation, n: usize) -> bool {
    CardEncoding::Totalizer.size(relation, n).cost() > 2 * CardEncoding::Combinatorial.size(relation, n).cost()
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

    fn outputs<S: ClauseSink + ?Sized>(
        &self,
        sink: &mut S,
        lits: &[Lit],
        first: usize,
        last: usize,
    ) -> Result<Option<Vec<Lit>>, S::Error> {
        self.count(sink, lits, first, last)
    }

    fn outputs_size(&self, n: usize, first: usize, last: usize) -> Option<Size> {
        self.count_size(n, first, last)
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

    fn aim(&self) -> Option<Aim> {
        match self {
            Self::Auto => Some(Aim::Solving),
            Self::Smallest => Some(Aim::Size),
            _ => None,
        }
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
                let smallest = CardEncoding::Smallest.size(relation, n).cost();
                for enc in CardEncoding::ALL.iter().filter(|enc| enc.is_gac() && !enc.chooses()) {
                    let size = enc.size(relation, n);
                    assert!(size.cost() >= smallest || size.lits > LONGEST * size.clauses, "{relation:?} {n}");
                }
                let auto = CardEncoding::Auto.size(relation, n).cost();
                assert!(auto <= 2 * smallest, "{relation:?} of {n}: {auto} for {smallest}");
            }
        }
    }

    /// What the table at [`CardEncoding::Auto`] says, by sizes; and all that choosers leave to at most one.
    #[test]
    fn auto_chooses_as_documented() {
        use Relation::{AtLeast, AtMost, Exactly};
        for n in (3..=12_usize).chain([16, 24, 64, 65, 67, 256, 257, 1_000, 1_001, 100_000, 100_001]) {
            let bounds = (1..n).filter(|&k| n <= 12 || [1, 2, 3, 4, 8, 9, 32, 33].contains(&k.min(n - k)));
            for relation in bounds.flat_map(|k| [AtMost(k), AtLeast(k), Exactly(k)]) {
                let (k, two) = match relation {
                    AtMost(k) if k + 1 == n => continue,
                    AtLeast(1) => continue,
                    AtMost(k) => (k, k + 2 == n),
                    AtLeast(k) => (k, k == 2),
                    Exactly(k) => (k, false),
                };
                let (one, clause) = match relation {
                    AtMost(1) => (true, Size::ZERO),
                    AtLeast(k) => (k + 1 == n, Size::ZERO),
                    Exactly(k) => (k == 1 || k + 1 == n, Size::clause(n)),
                    AtMost(_) => (false, Size::ZERO),
                };
                // At most so many are true, or false.
                let most = match relation {
                    AtMost(k) => Some(k).filter(|&k| k <= n / 2),
                    AtLeast(k) => Some(n - k).filter(|_| k > n / 2),
                    Exactly(_) => None,
                };
                let named = |enc: CardEncoding| enc.size(relation, n);
                let wasteful = || named(CardEncoding::Totalizer).cost() > 2 * named(CardEncoding::Combinatorial).cost();
                let expected = match k.min(n - k) {
                    _ if one => AmoEncoding::Auto.amo_size(n) + clause,
                    _ if n <= 5 && matches!(relation, Exactly(_)) => CardEncoding::Network.size(relation, n),
                    _ if n <= 8 && (two || wasteful()) => CardEncoding::Combinatorial.size(relation, n),
                    _ if two => relation.size(&GeneralizedProduct, n),
                    _ if n <= 64 && most.is_some_and(|m| 8 * m <= n) => {
                        relation.size(&Network { full: true, ..Network::default() }, n)
                    }
                    m if m <= 3 && most.is_some() && n > 1000 => {
                        if n > 100_000 {
                            relation.size(&GeneralizedProduct, n)
                        } else {
                            CardEncoding::Network.size(relation, n)
                        }
                    }
                    m if m <= 9 && most.is_some() && 3 * m < n => {
                        relation.size(&Totalizer { two_sided: true, ..Totalizer::default() }, n)
                    }
                    m if m <= 32 => CardEncoding::Totalizer.size(relation, n),
                    _ => CardEncoding::Network.size(relation, n),
                };
                assert_eq!(CardEncoding::Auto.size(relation, n), expected, "{relation:?} of {n}");
                if one {
                    let smallest = AmoEncoding::Smallest.amo_size(n) + clause;
                    assert_eq!(CardEncoding::Smallest.size(relation, n), smallest, "{relation:?} of {n}");
                }
            }
        }
    }

    /// At least 2 of 5000 is no 5000 clauses of 4999 literals.
    #[test]
    fn smallest_has_no_endless_clauses() {
        let size = CardEncoding::Smallest.alk_size(5_000, 2);
        assert!(size.lits <= LONGEST * size.clauses && size.clauses < 5_200);
    }
}
