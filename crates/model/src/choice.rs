//! The encodings of a model's constraints and variables.

use cnfkit_core::{AmoEncoding, CardEncoding, PbEncoding};

/// The encodings of a model's constraints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Choice {
    /// For at most one and exactly one.
    pub amo: AmoEncoding,
    /// For counts.
    pub card: CardEncoding,
    /// For sums of three variables and more.
    pub pb: PbEncoding,
    /// For integer variables in sums, products and the like.
    pub int: IntEncoding,
}

/// Integer encoding used by linear and arithmetic constraints; other encodings are channelled when needed.
///
/// ```
/// use cnfkit::model::{Choice, IntEncoding, Model};
/// let mut model = Model::new();
/// let mut choice = Choice::default();
/// choice.int = IntEncoding::Binary;
/// model.set_choice(choice);
/// let x = model.ints(3, 0..=200);
/// model.post((x[0] + x[1]).eq(x[2]));
/// assert!(model.statistics()?.total.vars < 100);
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum IntEncoding {
    /// Binary where domains are large, or where unary encodings of a whole model would take several times the clauses;
    /// otherwise unary.
    #[default]
    Auto,
    /// A literal for each value: *x is v*, or *x is at least v*. Stronger propagation.
    Unary,
    /// A literal for each bit. Fewer clauses.
    Binary,
}
