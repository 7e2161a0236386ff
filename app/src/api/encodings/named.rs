//! An encoding by its family and name, `card:totalizer`, and a relation by its words.

use cnfkit::{AmoEncoding, CardEncoding, ClauseSink, Constrain, Lit, PbEncoding, PbRelation, Relation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::api::shown;
use crate::problem::Problem;

/// An encoding of one of the three families.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    /// At most one.
    Amo(AmoEncoding),
    /// At most, at least, exactly k.
    Card(CardEncoding),
    /// Sums of weights.
    Pb(PbEncoding),
}

impl Named {
    /// All of them; at most one through an encoding of cardinality is left to that one.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let amo = AmoEncoding::ALL.iter().copied().filter(|enc| !matches!(enc, AmoEncoding::Card(_)));
        let card = CardEncoding::ALL.iter().copied();
        amo.map(Self::Amo).chain(card.map(Self::Card)).chain(PbEncoding::ALL.iter().copied().map(Self::Pb))
    }

    /// The encoding with this name; `place` is where the name stands.
    pub(crate) fn of(name: &str, place: &str) -> Result<Self, Problem> {
        let wrong = |error: String| Problem::refused(place, error);
        match name.split_once(':') {
            Some(("amo", name)) => name.parse().map(Self::Amo).map_err(|error| wrong(error.to_string())),
            Some(("card", name)) => name.parse().map(Self::Card).map_err(|error| wrong(error.to_string())),
            Some(("pb", name)) => name.parse().map(Self::Pb).map_err(|error| wrong(error.to_string())),
            _ => Err(wrong(format!(
                "`{}` is no encoding; they are named as `amo:product`, `card:totalizer`, \
                                    `pb:interval-diagram`",
                shown(name)
            ))),
        }
    }

    /// The family: `amo`, `card` or `pb`.
    pub(crate) const fn family(self) -> &'static str {
        match self {
            Self::Amo(_) => "amo",
            Self::Card(_) => "card",
            Self::Pb(_) => "pb",
        }
    }

    /// The name within the family.
    pub(crate) fn short(self) -> String {
        match self {
            Self::Amo(enc) => enc.to_string(),
            Self::Card(enc) => enc.to_string(),
            Self::Pb(enc) => enc.to_string(),
        }
    }

    /// The strength of unit propagation, in words.
    pub(crate) const fn strength(self) -> &'static str {
        let gac = match self {
            Self::Amo(enc) => enc.is_gac(),
            Self::Card(enc) => enc.is_gac(),
            Self::Pb(enc) => enc.is_gac(),
        };
        if gac { "GAC" } else { "not GAC" }
    }

    /// The relations that it encodes.
    pub(crate) const fn relations(self) -> &'static [Words] {
        match self {
            Self::Amo(_) => &[Words::AtMost, Words::Exactly],
            Self::Card(_) | Self::Pb(_) => &[Words::AtMost, Words::AtLeast, Words::Exactly],
        }
    }

    /// Says through the front door of `sink` what the relation demands of the terms, each a literal and its weight.
    /// Outer `Err`: the encoding cannot say that.
    pub(crate) fn say<S: ClauseSink>(
        self,
        sink: &mut S,
        terms: &[(Lit, u64)],
        relation: PbRelation,
    ) -> Result<Result<(), S::Error>, String> {
        let lits: Vec<Lit> = terms.iter().map(|term| term.0).collect();
        let bound = |bound: u64| usize::try_from(bound).unwrap_or(usize::MAX);
        let relation_of_count = match relation {
            PbRelation::AtMost(k) => Relation::AtMost(bound(k)),
            PbRelation::AtLeast(k) => Relation::AtLeast(bound(k)),
            PbRelation::Exactly(k) => Relation::Exactly(bound(k)),
        };
        match (self, relation_of_count) {
            (Self::Amo(enc), Relation::AtMost(1)) => Ok(sink.at_most_one(&lits, &enc)),
            (Self::Amo(enc), Relation::Exactly(1)) => Ok(sink.exactly_one(&lits, &enc)),
            (Self::Amo(_), _) => Err("encodes at most one and exactly one, nothing else".into()),
            (Self::Card(enc), relation) => Ok(sink.cardinality(&lits, relation, &enc)),
            (Self::Pb(enc), _) => Ok(sink.pb(terms, relation, &enc)),
        }
    }
}

impl std::fmt::Display for Named {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.family(), self.short())
    }
}

/// The encoding with this name, if it takes such weights.
pub(crate) fn understood(name: &str, terms: &[(Lit, u64)]) -> Result<Named, Problem> {
    let named = Named::of(name, "encoding")?;
    if !matches!(named, Named::Pb(_)) && terms.iter().any(|term| term.1 != 1) {
        return Err(Problem::refused("encoding", format!("{named} {NO_WEIGHTS}")));
    }
    Ok(named)
}

/// Why an encoding of another family than `pb` is refused.
pub(crate) const NO_WEIGHTS: &str = "encodes numbers of literals; weights are for the family `pb`, such as `pb:auto`";

/// The sum of all weights: of at most 100,000, each below 2³², so that it does not overflow.
pub(crate) fn total(terms: &[(Lit, u64)]) -> u64 {
    terms.iter().map(|term| term.1).sum()
}

/// At most, at least or exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Words {
    AtMost,
    AtLeast,
    Exactly,
}

impl Words {
    /// The relation with a bound.
    pub(crate) const fn with<W: Copy>(self, bound: W) -> PbRelation<W> {
        match self {
            Self::AtMost => PbRelation::AtMost(bound),
            Self::AtLeast => PbRelation::AtLeast(bound),
            Self::Exactly => PbRelation::Exactly(bound),
        }
    }
}

/// A bound: a number, or a share of n such as `n/2`. Where there are weights, a share is one of their sum, and `sum/2`
/// says so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a bound is a number or a text such as `n/2`")]
pub(crate) enum Bound {
    /// A number of them.
    Number(u64),
    /// `7`, `n/2`, `n-1`, `sum/2`.
    Text(String),
}

impl Bound {
    /// The bound for this n.
    pub(crate) fn of(&self, n: u64) -> Result<u64, Problem> {
        match self {
            Self::Number(number) => Ok(*number),
            Self::Text(text) => {
                let plain = text.replace(' ', "");
                let rest = plain.strip_prefix("sum").or_else(|| plain.strip_prefix('n'));
                let number = |text: &str| text.parse::<u64>().ok();
                let bound = match rest {
                    None => number(&plain),
                    Some("") => Some(n),
                    Some(rest) => rest
                        .strip_prefix('/')
                        .and_then(number)
                        .and_then(|by| n.checked_div(by))
                        .or_else(|| rest.strip_prefix('-').and_then(number).map(|less| n.saturating_sub(less))),
                };
                let error = || {
                    format!(
                        "`{}` is no bound; allowed are numbers, shares such as `n/2` and `n-1`, and `sum/2` of weights",
                        shown(text)
                    )
                };
                bound.ok_or_else(|| Problem::refused("k", error()))
            }
        }
    }
}
