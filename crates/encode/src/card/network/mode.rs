//! The purpose and the means of a plan: a [`NetworkQuestion`], a [`Policy`], and the [`Mode`] that follows from the
//! two.

use super::demand::{Demand, Span};
use crate::Relation;

/// The question that is asked of `n` inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NetworkQuestion {
    pub(super) n: u32,
    /// The outputs that the top forbids to be true (`up`) and to be false (`down`); or those that are wanted.
    pub(super) top: Demand,
    /// True when the outputs are wanted, and nothing is forbidden.
    pub(super) counts: bool,
}

impl NetworkQuestion {
    /// The bound of a relation; at least k is at most n − k of the negated inputs.
    pub(super) fn new(relation: Relation, n: u32) -> Self {
        match relation {
            Relation::AtMost(k) => Self::at_most(n, k as u32),
            Relation::AtLeast(k) => Self::at_most(n, n - k as u32),
            Relation::Exactly(k) => Self::exactly(n, k as u32),
        }
    }

    /// Output k + 1 must not be true.
    pub(super) fn at_most(n: u32, k: u32) -> Self {
        Self { n, top: Demand { up: Span::new(k + 1, k + 1), down: Span::EMPTY }, counts: false }
    }

    /// Output k + 1 must not be true, nor output k false.
    pub(super) fn exactly(n: u32, k: u32) -> Self {
        Self { n, top: Demand { up: Span::new(k + 1, k + 1), down: Span::new(k, k) }, counts: false }
    }

    /// Outputs 1 to `upto` are wanted.
    pub(super) fn count(n: u32, upto: u32) -> Self {
        Self::outputs(n, 1, upto)
    }

    /// Outputs `first` to `last` are wanted, as far as there are so many.
    pub(super) fn outputs(n: u32, first: u32, last: u32) -> Self {
        let all = Span::new(first, last.min(n));
        Self { n, top: Demand { up: all, down: all }, counts: true }
    }

    /// The outputs of a part of the inputs on which the bound depends.
    pub(super) fn demand(&self, part: u32) -> Demand {
        self.top.cone(part, self.n - part)
    }
}

/// The means of a plan, and the price that it minimises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Policy {
    /// The price of a variable, in clauses.
    pub(super) weight: u32,
    /// The most sequences that are merged at once, 2 or 4.
    pub(super) ways: u32,
    /// Direct merges and sorters beyond a single comparator.
    pub(super) direct: bool,
    pub(super) splits: Splits,
    pub(super) steps: Steps,
    pub(super) wires: Wires,
}

/// The ways to split inputs into parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Splits {
    /// Halves or quarters.
    Equal,
    /// Any that may be best.
    Free,
}

/// The ways to merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Steps {
    /// All there are.
    All,
    /// The steps that were found to be best somewhere: the limits in `plan`.
    Likely,
    /// Few of these, for bounds on so many inputs that planning would take longer than encoding.
    Brief,
}

/// The carrier of an element of a sorted sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Wires {
    /// A literal.
    Single,
    /// A literal, or a conjunction of literals where only true inputs matter.
    Conjoined,
    /// A literal, its variable defined in both directions.
    TwoSided,
}

/// The splits that are tried, as far as there is a choice.
///
/// `cargo test --lib limits_of_splits -- --ignored --nocapture` prints sizes and planning times for each limit raised
/// and lowered. Of eighteen bounds on 33 to 1,000 inputs, doubling any of [`USUAL`](Self::USUAL) makes the networks
/// smaller by at most 2 in 1,000 together, and halving one makes them larger by at most 3 in 1,000.
#[derive(Clone, Copy, Debug)]
pub(super) struct SplitLimits {
    /// Inputs: up to so many, every split in two is tried.
    pub(super) few: u32,
    /// Inputs outside a part, up to which a few of its inputs are also sorted apart.
    pub(super) left: u32,
    /// The most inputs that are sorted apart where there are more than `few`.
    pub(super) apart: u32,
    /// Parts are multiples of powers of two that are no smaller than the whole over this number.
    pub(super) fine: u32,
}

impl SplitLimits {
    pub(super) const USUAL: Self = Self { few: 24, left: 8, apart: 12, fine: 16 };
}

/// The extent to which outputs may be left undefined. It decides which outputs a merge defines, and what it means that
/// a sequence is *loose*.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Mode {
    /// Every output is a literal, defined in the directions asked for. No sequence is loose.
    Plain,
    /// Only true inputs matter. A loose sequence may have *wide* wires: conjunctions without a variable of their own.
    Wide,
    /// Both directions matter, each for outputs of its own. A loose sequence is defined in each direction for only the
    /// outputs that a direct merge uses; an odd-even merge cannot take it.
    Lean,
    /// Every output has both directions, whatever is asked for. No sequence is loose.
    Full,
}

impl Mode {
    pub(super) fn new(policy: Policy, bound: NetworkQuestion) -> Self {
        let both = !bound.top.up.is_empty() && !bound.top.down.is_empty();
        match policy.wires {
            Wires::TwoSided => Self::Full,
            _ if bound.counts => Self::Full,
            _ if both => Self::Lean,
            Wires::Conjoined => Self::Wide,
            Wires::Single => Self::Plain,
        }
    }

    /// The sequences that may be loose, to plan for one by one.
    pub(super) const fn cases(self) -> &'static [Loose] {
        match self {
            Self::Wide => &[Loose::NONE, Loose::OUTPUTS, Loose::INPUTS, Loose::BOTH],
            Self::Lean => &[Loose::NONE, Loose::INPUTS],
            Self::Plain | Self::Full => &[Loose::NONE],
        }
    }

    /// The [`cases`](Self::cases) in which a merge need not be direct.
    pub(super) const fn indirect_cases(self) -> &'static [Loose] {
        match self {
            Self::Lean => &[Loose::NONE],
            _ => self.cases(),
        }
    }

    /// False, and true where sorters may give loose sequences.
    pub(super) const fn sorted(self) -> &'static [bool] {
        if self.loosens() { &[false, true] } else { &[false] }
    }

    pub(super) const fn loosens(self) -> bool {
        matches!(self, Self::Wide | Self::Lean)
    }

    /// The results of merges inside a merge that may be loose: those that may be conjunctions.
    pub(super) const fn inner(self) -> &'static [bool] {
        if matches!(self, Self::Wide) { &[false, true] } else { &[false] }
    }

    /// The outputs to define of a sorter that are needed as `demand`.
    pub(super) fn sorted_demand(self, demand: Demand, loose: bool) -> Demand {
        match self {
            Self::Full => demand.filled(),
            _ if loose => demand,
            _ => demand.levelled(),
        }
    }

    /// The outputs to define of a merge of odd or even places that are needed as `demand`.
    pub(super) fn merged(self, demand: Demand) -> Demand {
        if self == Self::Full { demand.filled() } else { demand }
    }
}

/// The sequences of a merge that may be loose; [`Mode`] says what that means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Loose {
    pub(super) inputs: bool,
    pub(super) outputs: bool,
}

impl Loose {
    pub(super) const NONE: Self = Self { inputs: false, outputs: false };
    pub(super) const INPUTS: Self = Self { inputs: true, ..Self::NONE };
    pub(super) const OUTPUTS: Self = Self { outputs: true, ..Self::NONE };
    pub(super) const BOTH: Self = Self { inputs: true, outputs: true };

    /// The number of cases.
    pub(super) const CASES: usize = 4;

    pub(super) const fn index(self) -> usize {
        2 * self.inputs as usize + self.outputs as usize
    }

    /// The case of a sorter's merge. In [`Mode::Lean`] the demand says what is loose about its outputs, and nothing
    /// else does.
    pub(super) fn of_sorter(mode: Mode, inputs: bool, outputs: bool) -> Self {
        Self { inputs, outputs: outputs && mode == Mode::Wide }
    }

    /// The case of a merge inside, which takes the same inputs.
    pub(super) const fn with_outputs(self, outputs: bool) -> Self {
        Self { outputs, ..self }
    }

    /// The case of a merge of results that may be loose, as inputs may be.
    pub(super) const fn after(self, results: bool) -> Self {
        Self { inputs: self.inputs || results, ..self }
    }
}
