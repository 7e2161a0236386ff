//! [`Spelling`]: how a text calls a variable.

/// How an OPB text calls a variable, where that is not `x` with its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling {
    /// By its name.
    Name,
    /// Not at all: it was made for a product or for a sum of wide weights.
    Auxiliary,
}
