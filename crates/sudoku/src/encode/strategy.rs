//! Givens before the rules, or among them.

/// The way in which givens get into the formula.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Strategy {
    /// Givens are propagated first (naked and hidden singles, locked candidates); only what is left open is encoded.
    #[default]
    Pruned,
    /// All rules are encoded, and the givens are added to them: the formula that depends on nothing but the layout.
    Base,
}
