//! The size of a constraint that nobody writes.

use rustsat::types::{Lit, Var};

use super::Constrain;
use crate::choose::{AmoEncoding, CardEncoding, PbEncoding};
use crate::constraint::{Constraint, Terms};
use crate::encode::{AsEncoding, AtMostOne, Encoding};
use crate::relation::{PbRelation, Relation};
use crate::sink::{ClauseSink, free_variable};
use crate::size::Size;

/// A sink that refuses everything once it knows the size.
struct Sizing {
    next: u32,
    size: Size,
}

impl ClauseSink for Sizing {
    type Error = ();

    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), ()> {
        self.size += Size::clause(clause.len());
        Ok(())
    }

    fn new_lit(&mut self) -> Lit {
        self.next += 1;
        Lit::positive(self.next - 1)
    }

    fn next_var(&self) -> Var {
        Var::new(self.next)
    }

    fn reserve(&mut self, size: &Size) -> Result<(), ()> {
        self.size += *size;
        Err(())
    }
}

impl Constraint<'_> {
    /// Exactly what [`Constrain::post`] adds to a sink that does not take the constraint as it is, any condition and
    /// reification included: known without writing it.
    ///
    /// ```
    /// use cnfkit::{CardEncoding, ClauseSink, Cnf, Constrain, Constraint, Relation};
    /// let mut cnf = Cnf::new();
    /// let x = cnf.new_lits(12);
    /// let constraint = Constraint::count(&x[2..], Relation::AtLeast(4)).when(&x[..1]).iff(x[1]);
    /// let size = constraint.size(CardEncoding::Auto);
    /// let before = (cnf.n_vars(), cnf.n_clauses());
    /// cnf.post(&constraint, CardEncoding::Auto)?;
    /// assert_eq!((size.vars, size.clauses), ((cnf.n_vars() - before.0) as u64, (cnf.n_clauses() - before.1) as u64));
    /// # Ok::<(), cnfkit::CapacityError>(())
    /// ```
    #[must_use]
    pub fn size<E: AsEncoding<Encoding: Encoding>>(&self, enc: E) -> Size {
        let mut sink = Sizing { next: free_variable(self.all_lits()), size: Size::ZERO };
        let _ = sink.post(self, enc); // refused once the size is known
        sink.size
    }
}

impl AmoEncoding {
    /// The exact size of *at most one* of `n` distinct literals. *Exactly one* has one clause more, of all literals.
    ///
    /// ```
    /// use cnfkit::AmoEncoding;
    /// assert_eq!(AmoEncoding::Pairwise.size(100).clauses, 100 * 99 / 2);
    /// assert!(AmoEncoding::Smallest.size(100).cost() < 300);
    /// ```
    #[must_use]
    pub fn size(self, n: usize) -> Size {
        self.amo_size(n)
    }
}

impl CardEncoding {
    /// The exact size of a bound on the number of true ones of `n` distinct literals.
    ///
    /// ```
    /// use cnfkit::{CardEncoding, Relation};
    /// let size = CardEncoding::Totalizer.size(20, Relation::AtMost(5));
    /// assert!(CardEncoding::Smallest.size(20, Relation::AtMost(5)).cost() <= size.cost());
    /// ```
    #[must_use]
    pub fn size(self, n: usize, relation: Relation) -> Size {
        relation.size(&self, n)
    }
}

impl PbEncoding {
    /// The exact size of a bound on a sum of weights; literals may repeat, as everywhere.
    ///
    /// ```
    /// use cnfkit::{Lit, PbEncoding, PbRelation};
    /// let terms: Vec<(Lit, u64)> = (0..10).map(|at| (Lit::positive(at), u64::from(at) + 1)).collect();
    /// let size = PbEncoding::BinaryAdder.size(&terms, PbRelation::AtMost(27));
    /// assert!(size.vars > 0 && PbEncoding::Smallest.size(&terms, PbRelation::AtMost(27)).clauses > 0);
    /// ```
    #[must_use]
    pub fn size(self, terms: &[(Lit, u64)], relation: PbRelation) -> Size {
        Constraint::weights(Terms::new(terms), relation).size(self)
    }
}
