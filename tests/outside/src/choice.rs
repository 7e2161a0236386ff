//! A choice at run time among encodings of this crate and of the library.

use std::str::FromStr;

use cnfkit::encode::own_name;
use cnfkit::{AtMostK, CardEncoding, Constraint, Encoding, EncodingName, Lit, Plan, UnknownCardEncoding};

use crate::{Registers, Tournament};

/// An encoding by its name.
///
/// ```
/// use cnfkit::CardEncoding;
/// use outside::Choice;
/// assert_eq!("own".parse(), Ok(Choice::Own));
/// assert_eq!("totalizer".parse(), Ok(Choice::Library(CardEncoding::Totalizer)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// [`Tournament`] for at most one, [`Registers`] for all else. A `Formula` keeps it by its name,
    /// because it is the default.
    #[default]
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

impl AtMostK for Choice {}

impl Encoding for Choice {
    fn plan(&self, constraint: &Constraint<'_>) -> Option<Plan<'_>> {
        match self {
            Self::Library(enc) => enc.plan(constraint),
            Self::Own => Tournament.plan(constraint).or_else(|| Registers.plan(constraint)),
        }
    }

    // What follows passes on what encodings of the library do beyond that.

    fn plan_iff(&self, r: Lit, constraint: &Constraint<'_>) -> Option<Plan<'_>> {
        if let Self::Library(enc) = self { enc.plan_iff(r, constraint) } else { None }
    }

    fn encoding_name(&self) -> Option<EncodingName> {
        match self {
            Self::Library(enc) => Encoding::encoding_name(enc),
            Self::Own => Some(own_name::<Self>("own")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    cnfkit::testing::card_suite!(own: Choice::Own, Gac);
    cnfkit::testing::card_suite!(totalizer: Choice::Library(CardEncoding::Totalizer), Gac);
}
