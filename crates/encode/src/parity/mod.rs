//! Encodings of parities: the exclusive or of literals is true, or false.
//!
//! A parity of k literals alone takes 2ᵏ⁻¹ clauses, so a long one is cut in pieces that are linked by auxiliaries: each
//! piece but the last says that its auxiliary is the parity of the others, in both directions. Its clauses define, and
//! those of the last piece enforce. Every assignment of the literals therefore has exactly one of the auxiliaries.

use std::collections::VecDeque;

use rustsat::types::Lit;

use crate::constraint::{Constraint, EncodingName, Goal};
use crate::encode::{Encoding, Plan, options};
use crate::size::Size;
use crate::writer::{Full, Writer};

/// Parities cut in pieces of at most [`cut`](Self::cut) literals, which follow each other in a chain or in a
/// [tree](Self::tree).
///
/// A parity of n literals takes ⌈(n − cut) / (cut − 2)⌉ auxiliaries, and pieces whose lengths differ by at most one.
/// [`Constrain::parity`](crate::Constrain::parity) takes the default; others go through
/// [`Constrain::post`](crate::Constrain::post):
///
/// ```
/// use cnfkit::{ClauseSink, Cnf, Constrain, Constraint, ParityCut, Size};
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(12);
/// cnf.post(&Constraint::parity(&x, true), &ParityCut::default().cut(6).tree(true))?;
/// assert_eq!((cnf.n_vars(), cnf.n_clauses()), (14, 2 * 16 + 32));
/// assert_eq!(ParityCut::default().size(12), Size { vars: 9, clauses: 40, lits: 120 });
/// # Ok::<(), cnfkit::CapacityError>(())
/// ```
///
/// BatSat's conflicts until solved, by cut and shape: the geometric mean over 20 instances of systems with a solution
/// or with any right sides, of minimal disagreement parity, of parities of half the variables on random clauses, and
/// of decoding; ✗ are those beyond 60,000, which count twice. Cuts of 3 and 4 have the same number of clauses, the
/// latter with half as many auxiliaries; cuts of 5 and 6 have a fifth and a half more clauses.
/// `cargo run --release -p cnfkit-quality --bin parity` prints it.
///
/// | cut | sums of 5 | of 9 | of 9, any | disagreement 14 | of 18 bits | hashes | decoding | all |
/// |---|---:|---:|---:|---:|---:|---:|---:|---:|
/// | 3, chain | 4711 | 3106 | 1109 | 714 | 13067 1✗ | 44 | 1391 | 1373 |
/// | 3, tree | 3459 | 2485 | 1724 | 710 | 22278 5✗ | 118 | 969 | 1599 |
/// | 4, chain | 3644 | 2238 | 2204 | 1071 | 22511 2✗ | 140 | 1033 | 1806 |
/// | 4, tree | 3644 | 2441 | 1654 | 712 | 18204 2✗ | 137 | 1363 | 1665 |
/// | 5, chain | 8898 | 3323 | 1471 | 777 | 16561 3✗ | 188 | 1003 | 1945 |
/// | 5, tree | 8898 | 2424 | 2070 | 887 | 11883 1✗ | 143 | 1003 | 1826 |
/// | 6, chain | 8898 | 3435 | 1963 | 1007 | 14594 2✗ | 180 | 1003 | 2063 |
/// | 6, tree | 8898 | 2388 | 1526 | 877 | 14909 1✗ | 170 | 1003 | 1844 |
///
/// Source: M. Soos, K. Nohl, C. Castelluccia, *Extending SAT Solvers to Cryptographic Problems*, SAT 2009.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParityCut {
    /// The literals of a piece, auxiliaries included: 3 to 32; what is outside counts as the nearest of these. A parity
    /// of four literals is one piece in any case: to cut it saves no clause.
    pub cut: usize,
    /// Pieces in a tree, of depth log n, in place of a chain.
    pub tree: bool,
}

options!(ParityCut { cut: usize = 3, tree: bool = false });

/// Every piece of a parity has this many literals, or one more.
#[derive(Clone, Copy, Debug)]
struct ParityPieces {
    /// The number of pieces, at least 1.
    count: usize,
    /// The number of those that have one literal more.
    longer: usize,
    least: usize,
}

impl ParityPieces {
    fn lens(self) -> impl Iterator<Item = usize> {
        (0..self.count).map(move |at| self.least + usize::from(at < self.longer))
    }
}

impl ParityCut {
    fn pieces(&self, n: usize) -> ParityPieces {
        let cut = if n == 4 { 4.max(self.cut) } else { self.cut.max(3) }.min(32);
        let links = n.saturating_sub(cut).div_ceil(cut - 2);
        let (slots, count) = (n + 2 * links, links + 1);
        ParityPieces { count, longer: slots % count, least: slots / count }
    }

    /// The exact size of a parity of `n` literals, n ≥ 1.
    #[must_use]
    pub fn size(&self, n: usize) -> Size {
        let ParityPieces { count, longer, least } = self.pieces(n);
        let of = |count: usize, len: usize| Size::clauses(1 << (len - 1), len) * count as u64;
        Size::variables(count as u64 - 1) + of(count - longer, least) + of(longer, least + 1)
    }

    /// The clauses of a parity of `n` literals, n ≥ 1, that enforce: those of its last piece.
    #[doc(hidden)]
    #[must_use]
    pub fn enforcing(&self, n: usize) -> u64 {
        1 << (self.pieces(n).least - 1)
    }

    /// The plan of a parity.
    pub(crate) fn planned(&self, constraint: &Constraint<'_>) -> Plan<'_> {
        let size = constraint.parity_of().map_or(Size::ZERO, |(lits, _)| self.size(lits.len()));
        Plan::new(size, |constraint, to| match constraint.parity_of() {
            Some((lits, odd)) => self.write(to, lits, odd),
            None => Ok(()),
        })
    }

    fn write(&self, to: &mut Writer<'_>, lits: &[Lit], odd: bool) -> Result<(), Full> {
        let pieces = self.pieces(lits.len());
        let mut left: VecDeque<Lit> = lits.iter().copied().collect();
        let mut piece = Vec::new();
        for len in pieces.lens().take(pieces.count - 1) {
            piece.clear();
            piece.extend(left.drain(..len - 1));
            let link = to.lit();
            piece.push(link);
            whole(&piece, false, &mut |clause| to.define(clause))?;
            if self.tree { left.push_back(link) } else { left.push_front(link) }
        }
        whole(left.make_contiguous(), odd, &mut |clause| to.clause(clause))
    }
}

/// All clauses of a parity of 1 to 32 literals; each excludes one assignment, which makes its negations true.
fn whole(lits: &[Lit], odd: bool, say: &mut dyn FnMut(&[Lit]) -> Result<(), Full>) -> Result<(), Full> {
    let mut clause = lits.to_vec();
    let last = lits.len() - 1;
    (0..1_u64 << last).try_for_each(|negations| {
        let is_last = (negations.count_ones() % 2 == 1) == odd;
        let negations = negations | u64::from(is_last) << last;
        for (at, (negated, &lit)) in clause.iter_mut().zip(lits).enumerate() {
            *negated = if negations >> at & 1 == 1 { !lit } else { lit };
        }
        say(&clause)
    })
}

impl Encoding for ParityCut {
    fn plan(&self, constraint: &Constraint<'_>) -> Option<Plan<'_>> {
        constraint.parity_of().map(|_| self.planned(constraint))
    }

    /// That of the choice which is left to the library, for the default options.
    fn encoding_name(&self) -> Option<EncodingName> {
        (*self == Self::DEFAULT).then_some(EncodingName::Open(Goal::Solving))
    }

    fn one_model(&self) -> bool {
        true
    }
}

crate::by_value!(ParityCut);

#[cfg(test)]
mod tests;
