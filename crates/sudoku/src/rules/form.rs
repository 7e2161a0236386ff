//! The form of the rules: how much of them becomes clauses, and by which encoding of *at most one*.

use rustsat::types::Lit;

use cnfkit_core::{AmoEncoding, AtMostOne, ClauseSink, Constrain, Pairwise, Size};

/// The share of the rules that is written out. The answers do not depend on it: with n cells in a row that each hold a
/// value, and n values that are each in the row at most once, nothing is left to say.
///
/// ```
/// use cnfkit::sudoku::ConstraintSet;
/// use cnfkit::{Grid, Layout, SudokuEncoder};
/// let encoder = SudokuEncoder::new(Grid::empty(Layout::boxes(3, 3)));
/// let clauses = |set| encoder.clone().constraints(set).encode().map(|cnf| cnf.n_clauses());
/// assert_eq!((clauses(ConstraintSet::Minimal)?, clauses(ConstraintSet::Extended)?), (8_829, 11_988));
/// # Ok::<(), cnfkit::SudokuError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ConstraintSet {
    /// The *minimal encoding* (I. Lynce, J. Ouaknine, *Sudoku as a SAT problem*, International Symposium on Artificial
    /// Intelligence and Mathematics, 2006): every cell holds at least one value, every group holds every value at most
    /// once. 8,829 pairwise clauses for 9×9. Unit propagation finds less: no hidden singles.
    Minimal,
    /// The *extended encoding* (the same paper): every cell holds exactly one value,
    /// every group holds every value exactly once. 11,988 pairwise clauses for 9×9.
    #[default]
    Extended,
}

/// The way in which the rules become clauses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RuleForm {
    pub(crate) set: ConstraintSet,
    pub(crate) amo: AmoEncoding,
}

/// Exactly one of `lits`, by an encoding chosen at run time; the default one, for speed, known at compile time.
pub(super) fn exactly_one<S: ClauseSink + ?Sized>(
    sink: &mut S,
    lits: &[Lit],
    amo: AmoEncoding,
) -> Result<(), S::Error> {
    match amo {
        AmoEncoding::Pairwise => sink.exactly_one(lits, &Pairwise),
        _ => sink.exactly_one(lits, &amo),
    }
}

impl RuleForm {
    /// Sends what holds for a cell with these values open; nothing when it is settled.
    pub(crate) fn cell<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit]) -> Result<(), S::Error> {
        match (self.set, lits) {
            (_, []) => Ok(()),
            (ConstraintSet::Minimal, _) => sink.add_clause(lits),
            (ConstraintSet::Extended, _) => exactly_one(sink, lits, self.amo),
        }
    }

    /// Sends what holds for a value with these cells of a group open; nothing when it is settled.
    pub(crate) fn group<S: ClauseSink + ?Sized>(&self, sink: &mut S, lits: &[Lit]) -> Result<(), S::Error> {
        match (self.set, lits) {
            (_, []) => Ok(()),
            (ConstraintSet::Minimal, _) if self.amo == AmoEncoding::Pairwise => sink.at_most_one(lits, &Pairwise),
            (ConstraintSet::Minimal, _) => sink.at_most_one(lits, &self.amo),
            (ConstraintSet::Extended, _) => exactly_one(sink, lits, self.amo),
        }
    }

    /// Exactly what a cell takes that has `n` values open.
    pub(crate) fn cell_size(&self, n: usize) -> Size {
        match (self.set, n) {
            (_, 0) => Size::ZERO,
            (ConstraintSet::Minimal, _) => Size::clause(n),
            (ConstraintSet::Extended, _) => Size::clause(n) + self.at_most_one_size(n),
        }
    }

    /// Exactly what a value takes that has `n` cells of a group open.
    pub(crate) fn group_size(&self, n: usize) -> Size {
        match (self.set, n) {
            (_, 0) => Size::ZERO,
            (ConstraintSet::Minimal, _) => self.at_most_one_size(n),
            (ConstraintSet::Extended, _) => Size::clause(n) + self.at_most_one_size(n),
        }
    }

    /// Exactly what at most one of `n` literals takes.
    fn at_most_one_size(&self, n: usize) -> Size {
        if n < 2 { Size::ZERO } else { self.amo.amo_size(n) }
    }
}
