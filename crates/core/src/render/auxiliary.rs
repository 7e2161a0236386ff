//! An auxiliary of an encoding: what it depends on, and what it counts.

use rustsat::types::Var;

/// An auxiliary: its inputs and its meaning.
///
/// ```
/// use cnfkit::render::{Auxiliary, Blueprint, Structure};
/// use cnfkit::{CardEncoding, Constrain};
/// let mut blueprint = Blueprint::new(4);
/// let x = blueprint.inputs();
/// blueprint.at_most(&x, 2, &CardEncoding::Totalizer)?;
/// let structure: Structure = blueprint.structure();
/// let all: &[Auxiliary] = structure.auxiliaries();
/// assert!(all.iter().any(|auxiliary| auxiliary.depth() == 1 && auxiliary.inputs() == [0, 1]));
/// assert!(all.iter().any(Auxiliary::is_enforced) && structure.parts().len() > 1);
/// # Ok::<(), std::convert::Infallible>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Auxiliary {
    pub(super) var: Var,
    pub(super) from: Vec<Var>,
    pub(super) inputs: Vec<usize>,
    pub(super) depth: usize,
    pub(super) enforced: bool,
    pub(super) count: Option<Count>,
    pub(super) name: String,
    pub(super) role: String,
}

/// The meaning of an auxiliary as a bound on its inputs: the weights of those that are true, or false, sum up to at
/// least `least`. Where all weights are 1, so many of them are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The least sum.
    pub least: u64,
    /// The value that is counted.
    pub of: bool,
    /// The implication between the auxiliary and the bound.
    pub sense: Sense,
}

/// In which direction an auxiliary is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sense {
    /// It is true as soon as there are enough, and free otherwise.
    Enough,
    /// It is true only if there are enough, and free then.
    Needed,
    /// It is true exactly if there are enough.
    Exact,
}

impl Auxiliary {
    /// The variable.
    #[must_use]
    pub fn var(&self) -> Var {
        self.var
    }

    /// The variables that the clauses defining it name, in order.
    #[must_use]
    pub fn from(&self) -> &[Var] {
        &self.from
    }

    /// The inputs that it depends on, directly or through other auxiliaries, counted from 0, in order.
    #[must_use]
    pub fn inputs(&self) -> &[usize] {
        &self.inputs
    }

    /// The number of steps from the inputs, by the longest way: 1 if it depends on inputs alone.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// True if it is in a clause that enforces.
    #[must_use]
    pub fn is_enforced(&self) -> bool {
        self.enforced
    }

    pub(super) fn rank(&self) -> (usize, u64, Var) {
        (self.depth, self.count.map_or(0, |count| count.least), self.var)
    }

    /// The count that it stands for, if it does and if it depends on at most 8 inputs: more are not looked at.
    #[must_use]
    pub fn count(&self) -> Option<Count> {
        self.count
    }

    /// Its name in roles and pictures: `a1` is the first auxiliary, where `x1` is the first input.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its meaning in words: `true as soon as at least 2 of x1 to x4 are true`; what it is made of, if no count or sum
    /// of its inputs says when it is true.
    #[must_use]
    pub fn role(&self) -> &str {
        &self.role
    }
}

/// The meaning of an auxiliary as a bound on the sum of its inputs: how many are true, or the weights of those that
/// are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CountedInputs {
    /// It is at least so much.
    Least(Count),
    /// It is exactly one of these.
    Sums(Vec<u64>),
}
