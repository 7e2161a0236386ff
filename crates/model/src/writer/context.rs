//! [`EncodingContext`]: what holds for the part of a model that is written.

use rustsat::types::Lit;

use super::needs::Needs;
use crate::choice::Choice;

/// The condition, the encodings and the freedom that hold for the part of a model that is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EncodingContext<'a> {
    /// The literals that must be true for what is written to hold.
    pub(super) condition: &'a [Lit],
    pub(crate) choice: Choice,
    /// True if the constraint gets bits, because of [what it costs](crate::cost).
    pub(crate) is_costly: bool,
    pub(super) unwritten: Unwritten,
}

/// A permission to leave out what is looked at while the solver searches, with all permissions before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unwritten {
    Nothing,
    /// Rules that answer for themselves.
    Rules,
    /// Sums, for which the solver's theory answers.
    Sums,
    /// Comparisons of two, which are many.
    Pairs,
}

impl EncodingContext<'_> {
    /// The context of a constraint, in its place among those that were asked for what they need.
    pub(crate) fn of(at: usize, choice: Choice, needs: &Needs, all_written: bool) -> Self {
        let unwritten = match (all_written, needs.has_theory, needs.watches_pairs) {
            (true, ..) => Unwritten::Nothing,
            (_, false, _) => Unwritten::Rules,
            (.., false) => Unwritten::Sums,
            (.., true) => Unwritten::Pairs,
        };
        Self { condition: &[], choice, is_costly: needs.costly.get(at) == Some(&true), unwritten }
    }

    /// True if a rule may answer for itself.
    pub(crate) fn allows_cuts(&self) -> bool {
        self.unwritten >= Unwritten::Rules
    }

    /// True if sums need not be written.
    pub(crate) fn has_theory(&self) -> bool {
        self.unwritten >= Unwritten::Sums
    }

    /// True if sums need not be written under the condition.
    pub(crate) fn allows_sums(&self) -> bool {
        self.has_theory() && self.condition.len() <= 1
    }

    /// True if comparisons of two need not be written under the condition, and are many.
    pub(crate) fn watches_pairs(&self) -> bool {
        self.allows_sums() && self.unwritten == Unwritten::Pairs
    }

    /// A context in which sums are written although they need not be.
    pub(crate) fn with_sums_written(self) -> Self {
        Self { unwritten: self.unwritten.min(Unwritten::Rules), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustsat::lit;

    fn context(all_written: bool, has_theory: bool, watches_pairs: bool) -> EncodingContext<'static> {
        let mut needs = Needs::new(0);
        (needs.has_theory, needs.watches_pairs) = (has_theory, watches_pairs);
        EncodingContext::of(0, Choice::default(), &needs, all_written)
    }

    #[test]
    fn each_permission_has_those_before_it() {
        let of = |context: EncodingContext<'_>| {
            [context.allows_cuts(), context.has_theory(), context.allows_sums(), context.watches_pairs()]
        };
        assert_eq!(of(context(true, true, true)), [false; 4]);
        assert_eq!(of(context(false, false, true)), [true, false, false, false]);
        assert_eq!(of(context(false, true, false)), [true, true, true, false]);
        assert_eq!(of(context(false, true, true)), [true; 4]);
        assert_eq!(of(context(false, true, true).with_sums_written()), [true, false, false, false]);
        assert_eq!(of(context(true, true, true).with_sums_written()), [false; 4]);
    }

    #[test]
    fn sums_are_left_out_under_one_condition_at_most() {
        let under = |condition: &[Lit]| {
            let context = EncodingContext { condition, ..context(false, true, true) };
            [context.has_theory(), context.allows_sums(), context.watches_pairs()]
        };
        assert_eq!(under(&[lit![0]]), [true; 3]);
        assert_eq!(under(&[lit![0], lit![1]]), [true, false, false]);
    }

    #[test]
    fn what_a_constraint_costs_is_that_of_its_place() {
        let mut needs = Needs::new(0);
        needs.costly = vec![false, true];
        let is_costly = |at: usize| EncodingContext::of(at, Choice::default(), &needs, false).is_costly;
        assert_eq!([0, 1, 2].map(is_costly), [false, true, false]);
    }
}
