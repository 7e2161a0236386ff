//! A choice at run time among encodings of this crate and of the library.

use std::str::FromStr;

use cnfkit::encode::{ByRelation, Decision};
use cnfkit::{AtMostK, AtMostOne, CardEncoding, ClauseSink, EncodingName, Lit, Relation, Size, UnknownCardEncoding};

use crate::{Registers, Tournament};

/// An encoding by its name.
///
/// ```
/// use cnfkit::CardEncoding;
/// use outside::Choice;
/// assert_eq!("own".parse(), Ok(Choice::Own));
/// assert_eq!("totalizer".parse(), Ok(Choice::Library(CardEncoding::Totalizer)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// [`Tournament`] for at most one and exactly one, [`Registers`] for all else.
    Own,
    /// An encoding of the library, which a `Formula` keeps.
    Library(CardEncoding),
}

impl FromStr for Choice {
    type Err = UnknownCardEncoding;

    fn from_str(name: &str) -> Result<Self, UnknownCardEncoding> {
        if name == "own" { Ok(Self::Own) } else { name.parse().map(Self::Library) }
    }
}

impl ByRelation for Choice {
    fn encode<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit], relation: Relation) -> Result<(), S::Error> {
        match (self, relation) {
            (Self::Library(enc), _) => relation.encode(enc, sink, lits),
            (Self::Own, Relation::AtMost(1)) => Tournament.at_most_one(sink, lits),
            (Self::Own, Relation::Exactly(1)) => {
                sink.add_clause(lits)?;
                Tournament.at_most_one(sink, lits)
            }
            (Self::Own, _) => relation.encode(&Registers, sink, lits),
        }
    }

    fn size(&self, n: usize, relation: Relation) -> Size {
        match (self, relation) {
            (Self::Library(enc), _) => relation.size(enc, n),
            (Self::Own, Relation::AtMost(1)) => Tournament.amo_size(n),
            (Self::Own, Relation::Exactly(1)) => Size::clause(n) + Tournament.amo_size(n),
            (Self::Own, _) => relation.size(&Registers, n),
        }
    }

    // What follows passes on what encodings of the library do beyond that.

    fn outputs<S: ClauseSink + ?Sized>(
        &self,
        sink: &mut S,
        lits: &[Lit],
        first: usize,
        last: usize,
    ) -> Result<Option<Vec<Lit>>, S::Error> {
        match self {
            Self::Library(enc) => AtMostK::outputs(enc, sink, lits, first, last),
            Self::Own => Ok(None),
        }
    }

    fn outputs_size(&self, n: usize, first: usize, last: usize) -> Option<Size> {
        match self {
            Self::Library(enc) => AtMostK::outputs_size(enc, n, first, last),
            Self::Own => None,
        }
    }

    fn encoding_name(&self) -> Option<EncodingName> {
        match self {
            Self::Library(enc) => AtMostK::encoding_name(enc),
            Self::Own => None,
        }
    }

    fn decide(&self, relation: Relation, n: usize) -> (Decision, Size) {
        match self {
            Self::Library(enc) => AtMostK::decide(enc, relation, n),
            Self::Own => (Decision::default(), self.size(n, relation)),
        }
    }

    fn write<S: ClauseSink + ?Sized>(
        &self,
        decision: Decision,
        relation: Relation,
        sink: &mut S,
        lits: &[Lit],
    ) -> Result<(), S::Error> {
        match self {
            Self::Library(enc) => AtMostK::write(enc, decision, relation, sink, lits),
            Self::Own => self.encode(sink, lits, relation),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    cnfkit::testing::card_suite!(own: Choice::Own, Gac);
    cnfkit::testing::card_suite!(totalizer: Choice::Library(CardEncoding::Totalizer), Gac);
}
