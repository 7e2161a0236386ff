//! [`BinaryAdder`]: the digits of the weights, added up column by column, and the digits of the sum, compared with the
//! bound. It never declines, so that the front door falls back to it.
//!
//! `digits` takes the weights apart, `column` says which adders a column needs, `form` chooses what is added up and
//! `circuit` writes it. `wide` is the same for sums beyond 64 bits.

mod circuit;
mod column;
mod digits;
mod form;
mod wide;

use self::circuit::AdderCircuit;
pub(crate) use self::wide::WideAdder;
use crate::constraint::Constraint;
use crate::encode::{Encoding, GoOn};
use crate::pb::prepared::DryRun;
use crate::sink::free_variable;

/// The digits of the weights, added up by full and half adders, and compared with the bound.
///
/// A weight w is a literal in each column 2ⁱ that is a digit of w; where that has fewer digits, w is written with
/// digits −1 too (7 = 8 − 1), and a digit −1 is the negated literal. Each column is added up to one digit and carries
/// for the next. With p the number of all digits and L the number of digits of the bound, there are fewer than p full
/// adders and at most L half adders.
///
/// | | [`full`](Self::full) | one-sided |
/// |---|---|---|
/// | auxiliaries | 2 an adder | 2 an adder |
/// | clauses a full adder | 14 | 7 |
/// | clauses a half adder | 7 | 3 or 4 |
/// | enforcing clauses of at most and at least | at most L + 3 | at most L + 3 |
/// | enforcing clauses of exactly | at most 4L + 3 | at most 4L + 3 |
///
/// What costs less is chosen: the sum, or its complement to the greatest sum; and a constant beside the sum that makes
/// the lowest digits of the bound such that they need not be compared, and so not be computed. Bits of the highest
/// column are not added up: more than one of them is too much. The digits of *exactly* are no variables: what they must
/// be is said about the last bits of each column.
///
/// Of a group of which at most one is true, each digit is the disjunction of the literals whose weights have it; digits
/// of the same literals share it. So a group costs one number, not one for each literal.
///
/// It is **not** arc consistent. By default unit propagation computes the sum of inputs that all have a value, and so
/// notices that a complete assignment is wrong, and no more; one-sided it does not even notice that, and solvers search
/// for values of the sums. In return it is small for any weights: a few clauses for each digit.
///
/// Use it where nothing else fits: many weights, large and without structure.
///
/// Sources: J. P. Warners, *A linear-time transformation of linear inequalities into conjunctive normal form*,
/// Information Processing Letters 68, 1998, pages 63–69; N. Eén, N. Sörensson, *Translating pseudo-Boolean constraints
/// into SAT*, Journal on Satisfiability, Boolean Modeling and Computation 2, 2006, pages 1–26, section 5.2.
///
/// ```
/// use cnfkit::{BinaryAdder, ClauseSink, Cnf, Constraint, Encoding, PbRelation, Terms};
/// let mut cnf = Cnf::new();
/// let x: Vec<_> = cnf.new_lits(4).into_iter().zip([3, 5, 6, 1_000_000_007]).collect();
/// let constraint = Constraint::weights(Terms::new(&x), PbRelation::AtMost(1_000_000_012));
/// let adder = BinaryAdder::default();
/// let plan = adder.plan(&constraint).unwrap();
/// assert!(plan.size().clauses < 150);
/// cnf.write_by(&mut |to| plan.write(&constraint, to)).unwrap();
/// assert_eq!(cnf.n_clauses() as u64, plan.size().clauses);
/// ```
#[doc(alias = "AdderEncoding")]
#[doc(alias = "DynamicAdder")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct BinaryAdder {
    /// Defines every sum and carry in both directions, so that they follow from the inputs. True by default. *Exactly*
    /// needs both directions anyway.
    pub full: bool,
}

crate::encode::options!(BinaryAdder { full: bool = true });

impl BinaryAdder {
    /// Never `None`.
    pub(crate) fn prepared(&self, constraint: &Constraint<'_>, _: &mut GoOn<'_>) -> Option<DryRun<AdderCircuit>> {
        let (ref terms, relation) = constraint.weighted()?;
        let free = free_variable(terms.all().iter().map(|&(lit, _)| lit));
        Some(DryRun::new(form::circuit(terms, relation, self.full), free))
    }
}

impl Encoding for BinaryAdder {
    crate::encode::by_terms!();

    crate::encode::named!("binary-adder");
}

#[cfg(test)]
mod tests;
