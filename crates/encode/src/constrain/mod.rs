//! The front door: [`Constrain`] has a method for every constraint, on every sink.
//!
//! A constraint takes five steps, through which `door` leads: it is folded, once ([`fold()`]), which settles trivial
//! bounds; it is offered to the sink, which may keep it as it is; otherwise its clauses are planned; their size is
//! announced; and the plan is written, by the encoding that was asked for, if one is needed at all.
//! Every encoding, a third party's too, may rely on the result: distinct variables, and bounds that are not trivial.

mod checked;
mod counts;
mod door;
mod fold;
mod folded;
mod inputs;
mod narrow;
mod parities;
mod plan;
mod reduce;
mod reify;
mod signed;
mod sizing;
mod strength;
mod sums;
mod weights;
mod wide;

pub use self::fold::{fold, fold_pb};
pub use self::folded::{Folded, Rest};
pub use self::signed::{Weight, positive};
#[doc(hidden)]
pub use self::{
    checked::writing,
    fold::fold_distinct,
    plan::{FoldedPlan, planned},
    reify::IffPlan,
};

use std::ops::RangeInclusive;

use rustsat::types::Lit;

#[doc(inline)]
pub use crate::constraint::{Constraint, EncodingName, Goal, Sum, Terms};
use crate::encode::{AsEncoding, AtMostK, AtMostOne, Encoding, check_known};
use crate::erase::erase;
use crate::expr::BoolExpr;
#[doc(inline)]
pub use crate::guard::{Guarded, KeepOrder};
use crate::parity::ParityCut;
#[doc(inline)]
pub use crate::relation::{PbRelation, Relation};
use crate::sink::ClauseSink;
#[doc(inline)]
pub use crate::sink::{Layer, Lits, Tally};

/// Cardinality and pseudo-Boolean constraints and parities on every [`ClauseSink`].
///
/// `lits` is a multiset: a literal given twice counts twice, and x and ¬x together count exactly one.
/// Trivial cases (k = 0, k = n − 1, k ≥ n, no literals …) become units, one clause, or nothing, whatever the encoding;
/// a bound that cannot be met becomes the empty clause, or the negated condition under [`when`](Self::when). Literals
/// are sorted by variable before encoding unless [`keep_order`](Self::keep_order) says otherwise.
///
/// Literals are given by reference or as an [array](Lits), encodings by reference, those of the library also
/// [by value](AsEncoding).
///
/// ```
/// use cnfkit::{CardEncoding, Cnf, ClauseSink, Constrain, Pairwise};
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(5);
/// cnf.exactly_one(&x, &Pairwise).unwrap();
/// cnf.at_most([x[0], x[2], !x[4]], 2, CardEncoding::Totalizer).unwrap();
/// cnf.at_most(&x[1..], 2, &CardEncoding::Auto).unwrap();
/// cnf.when(&[x[0]]).at_least(&[!x[1], !x[2], !x[3]], 2, &CardEncoding::Auto).unwrap();
/// ```
///
/// # Errors
/// Every method fails only as the sink fails: a [`Cnf`](crate::Cnf) refuses what is larger than its limit.
///
/// # Panics
/// When a literal's variable is at or above [`next_var`](ClauseSink::next_var): a variable that the sink does not know
/// would later be handed out a second time as an auxiliary.
#[allow(clippy::missing_errors_doc)] // said once, above
pub trait Constrain: ClauseSink {
    /// At most one of `lits` is true.
    fn at_most_one<E: AsEncoding<Encoding: AtMostOne>>(&mut self, lits: impl Lits, enc: E) -> Result<(), Self::Error> {
        erase(self, &mut |sink| door::one(sink, lits.lits(), Relation::AtMost(1), enc.as_encoding()))
    }

    /// Exactly one of `lits` is true.
    fn exactly_one<E: AsEncoding<Encoding: AtMostOne>>(&mut self, lits: impl Lits, enc: E) -> Result<(), Self::Error> {
        erase(self, &mut |sink| door::one(sink, lits.lits(), Relation::Exactly(1), enc.as_encoding()))
    }

    /// At most `k` of `lits` are true.
    #[doc(alias = "atmost")]
    fn at_most<E: AsEncoding<Encoding: AtMostK>>(
        &mut self,
        lits: impl Lits,
        k: usize,
        enc: E,
    ) -> Result<(), Self::Error> {
        self.cardinality(lits.lits(), Relation::AtMost(k), enc)
    }

    /// At least `k` of `lits` are true.
    #[doc(alias = "atleast")]
    fn at_least<E: AsEncoding<Encoding: AtMostK>>(
        &mut self,
        lits: impl Lits,
        k: usize,
        enc: E,
    ) -> Result<(), Self::Error> {
        self.cardinality(lits.lits(), Relation::AtLeast(k), enc)
    }

    /// Exactly `k` of `lits` are true.
    #[doc(alias = "equals")]
    fn exactly<E: AsEncoding<Encoding: AtMostK>>(
        &mut self,
        lits: impl Lits,
        k: usize,
        enc: E,
    ) -> Result<(), Self::Error> {
        self.cardinality(lits.lits(), Relation::Exactly(k), enc)
    }

    /// As many of `lits` are true as `relation` says: the method behind [`at_most`](Self::at_most),
    /// [`at_least`](Self::at_least) and [`exactly`](Self::exactly), for a relation that is data.
    fn cardinality<E: AsEncoding<Encoding: AtMostK>>(
        &mut self,
        lits: impl Lits,
        relation: Relation,
        enc: E,
    ) -> Result<(), Self::Error> {
        erase(self, &mut |sink| door::sum(sink, Sum::Count { lits: lits.lits(), relation }, enc.as_encoding()))
    }

    /// As many of `lits` are true as one of `bounds`, both ends included: one counter for both bounds, where that has
    /// fewer variables + clauses than one for each. A `Formula` keeps them as two constraints that it merges.
    ///
    /// ```
    /// use cnfkit::{CardEncoding, ClauseSink, Cnf, Constrain};
    /// let (mut one, mut two) = (Cnf::new(), Cnf::new());
    /// let x = one.new_lits(20);
    /// one.between(&x, 5..=7, CardEncoding::Totalizer)?;
    /// two.new_lits(20);
    /// two.at_most(&x, 7, CardEncoding::Totalizer)?;
    /// two.at_least(&x, 5, CardEncoding::Totalizer)?;
    /// assert!(one.n_vars() < two.n_vars() && one.n_clauses() <= two.n_clauses());
    /// # Ok::<(), cnfkit::CapacityError>(())
    /// ```
    fn between<E: AsEncoding<Encoding: AtMostK>>(
        &mut self,
        lits: impl Lits,
        bounds: RangeInclusive<usize>,
        enc: E,
    ) -> Result<(), Self::Error> {
        erase(self, &mut |sink| door::between(sink, lits.lits(), bounds.clone().into_inner(), enc.as_encoding()))
    }

    /// An odd number of `lits` are true, or an even number: their exclusive or is `odd`.
    ///
    /// A pair x, x leaves the parity as it is; x and ¬x flip it. The clauses are those of [`ParityCut`], with one
    /// solution for each assignment of `lits`. Where `lits` is empty, an odd parity is the empty clause, or the negated
    /// condition under [`when`](Self::when).
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Cnf, Constrain};
    /// let mut cnf = Cnf::new();
    /// let x = cnf.new_lits(3);
    /// cnf.parity(&x, true)?;
    /// assert_eq!(cnf.to_string(), "p cnf 3 4\n1 2 3 0\n-1 2 -3 0\n1 -2 -3 0\n-1 -2 3 0\n");
    /// # Ok::<(), cnfkit::CapacityError>(())
    /// ```
    #[doc(alias = "xor")]
    fn parity(&mut self, lits: impl Lits, odd: bool) -> Result<(), Self::Error> {
        erase(self, &mut |sink| door::sum(sink, Sum::Parity { lits: lits.lits(), odd }, &ParityCut::DEFAULT))
    }

    /// `r` is true if and only if an odd number of `lits` are true, or an even number: a parity of one literal more.
    /// One direction alone is a parity [`when`](Self::when) `r`, or `!r`.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Constrain, Formula};
    /// let mut formula = Formula::new();
    /// let (x, r) = (formula.new_lits(5), formula.new_lit());
    /// formula.iff_parity(r, &x, true)?;
    /// formula.when([x[0], !r]).parity(&x[1..], true)?; // follows
    /// for lit in [x[0], !x[1], x[2], x[3], !x[4]] {
    ///     formula.add_clause(&[lit])?;
    /// }
    /// let model = formula.solve()?.expect("a model");
    /// assert!(model.is_true(r));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn iff_parity(&mut self, r: Lit, lits: impl Lits, odd: bool) -> Result<(), Self::Error> {
        erase(self, &mut |sink| door::iff_parity(sink, r, lits.lits(), odd))
    }

    /// The expression is true.
    ///
    /// Conjunctions are taken apart, and a disjunction is a clause; parts of it that are no literals get an auxiliary
    /// each, one for all parts that are alike, with clauses in the direction in which it is used.
    ///
    /// ```
    /// use cnfkit::{BoolExpr, ClauseSink, Cnf, Constrain};
    /// let mut cnf = Cnf::new();
    /// let [a, b, c] = [(); 3].map(|()| cnf.new_lit());
    /// cnf.require((BoolExpr::from(a) & b).implies(c))?;
    /// cnf.require(BoolExpr::from(a) | (BoolExpr::from(b) & c))?;
    /// assert_eq!(cnf.to_string(), "p cnf 4 4\n-1 -2 3 0\n-4 2 0\n-4 3 0\n1 4 0\n");
    /// # Ok::<(), cnfkit::CapacityError>(())
    /// ```
    #[doc(alias = "tseitin")]
    fn require(&mut self, expr: impl Into<BoolExpr>) -> Result<(), Self::Error> {
        let expr = expr.into();
        erase(self, &mut |sink| door::require(sink, &expr))
    }

    /// A literal that is true if and only if the expression is: an auxiliary, defined in both directions, unless the
    /// expression is a literal.
    ///
    /// ```
    /// use cnfkit::{BoolExpr, CardEncoding, ClauseSink, Constrain, Formula};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(6);
    /// let pairs = x.chunks(2).map(|pair| BoolExpr::from(pair[0]).iff(pair[1]));
    /// let alike = pairs.map(|pair| formula.literal(pair)).collect::<Result<Vec<_>, _>>()?;
    /// formula.exactly(&alike, 1, CardEncoding::Auto)?;
    /// let model = formula.solve()?.expect("a model");
    /// assert_eq!(x.chunks(2).filter(|pair| model.is_true(pair[0]) == model.is_true(pair[1])).count(), 1);
    /// # Ok(())
    /// # }
    /// ```
    fn literal(&mut self, expr: impl Into<BoolExpr>) -> Result<Lit, Self::Error> {
        let (expr, mut lit) = (expr.into(), None);
        erase(self, &mut |sink| {
            lit = Some(door::literal(sink, &expr)?);
            Ok(())
        })?;
        Ok(lit.expect("what is written without an error has a literal"))
    }

    /// `r` is true if and only if at most `k` of `lits` are.
    ///
    /// One structure defined in both directions, where the encoding counts and that takes no more
    /// variables + clauses than two halves under conditions; otherwise the halves. [`iff_at_least`](Self::iff_at_least)
    /// and [`iff_exactly`](Self::iff_exactly) choose in the same way.
    ///
    /// ```
    /// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut formula = Formula::new();
    /// let (x, r) = (formula.new_lits(5), formula.new_lits(3));
    /// formula.iff_at_most(r[0], &x, 2, CardEncoding::Auto)?;
    /// formula.iff_at_least(r[1], &x, 2, CardEncoding::Auto)?;
    /// formula.iff_exactly(r[2], &x, 2, CardEncoding::Auto)?;
    /// formula.add_clause(&[r[0]])?;
    /// formula.add_clause(&[r[1]])?;
    /// formula.add_clause(&[!r[2]])?;
    /// assert!(formula.solve()?.is_none()); // at most 2 and at least 2 are exactly 2
    /// # Ok(())
    /// # }
    /// ```
    fn iff_at_most<E: AsEncoding<Encoding: AtMostK>>(
        &mut self,
        r: Lit,
        lits: impl Lits,
        k: usize,
        enc: E,
    ) -> Result<(), Self::Error> {
        erase(self, &mut |sink| {
            door::iff(sink, r, Sum::Count { lits: lits.lits(), relation: Relation::AtMost(k) }, enc.as_encoding())
        })
    }

    /// `r` is true if and only if at least `k` of `lits` are.
    fn iff_at_least<E: AsEncoding<Encoding: AtMostK>>(
        &mut self,
        r: Lit,
        lits: impl Lits,
        k: usize,
        enc: E,
    ) -> Result<(), Self::Error> {
        erase(self, &mut |sink| {
            door::iff(sink, r, Sum::Count { lits: lits.lits(), relation: Relation::AtLeast(k) }, enc.as_encoding())
        })
    }

    /// `r` is true if and only if exactly `k` of `lits` are.
    fn iff_exactly<E: AsEncoding<Encoding: AtMostK>>(
        &mut self,
        r: Lit,
        lits: impl Lits,
        k: usize,
        enc: E,
    ) -> Result<(), Self::Error> {
        erase(self, &mut |sink| {
            door::iff(sink, r, Sum::Count { lits: lits.lits(), relation: Relation::Exactly(k) }, enc.as_encoding())
        })
    }

    /// `r` is true if and only if as many of `lits` are true as one of `bounds`, both ends included: one counter for
    /// both bounds. A `Formula` keeps them as two constraints, with an auxiliary each, that share a counter.
    ///
    /// ```
    /// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula};
    /// let mut formula = Formula::new();
    /// let (x, r) = (formula.new_lits(6), formula.new_lit());
    /// formula.iff_between(r, &x, 2..=4, CardEncoding::Auto)?;
    /// assert_eq!(formula.constraints().len(), 2);
    /// # Ok::<(), cnfkit::CapacityError>(())
    /// ```
    fn iff_between<E: AsEncoding<Encoding: AtMostK>>(
        &mut self,
        r: Lit,
        lits: impl Lits,
        bounds: RangeInclusive<usize>,
        enc: E,
    ) -> Result<(), Self::Error> {
        let ends = bounds.into_inner();
        erase(self, &mut |sink| door::iff_between(sink, r, lits.lits(), ends, enc.as_encoding()))
    }

    /// The weights of the true literals of `terms` sum up to at most `bound`.
    ///
    /// Terms may be any: weights of a repeated literal are added, x and ¬x together contribute the lighter weight plus
    /// the difference on the heavier, a [weight](Weight) may be 0 or negative, and the sum of all may exceed its type.
    /// What weights and bound have in common is divided out, and weights that say no more than a count become one,
    /// which is encoded by [`CardEncoding`](crate::CardEncoding) or [`AmoEncoding`](crate::AmoEncoding), `Smallest` for
    /// [`PbEncoding::Smallest`](crate::PbEncoding::Smallest) and `Auto` otherwise. What is over the encoding's budget,
    /// or sums up beyond `u64`, or is no count though the encoding is one of counts, as
    /// [`AmoEncoding::Ladder`](crate::AmoEncoding::Ladder) is, is written as a sum in binary: small for any weights,
    /// but not GAC.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Cnf, Constrain, PbEncoding};
    /// let mut cnf = Cnf::new();
    /// let x = cnf.new_lits(4);
    /// cnf.pb_at_most(&[(x[0], 5), (x[1], 4), (x[2], 3), (x[3], 9)], 8, &PbEncoding::Auto)?;
    /// // 9 is too heavy, and so is 5 with 4.
    /// assert!(cnf.clauses().any(|clause| clause == [!x[3]]));
    /// # Ok::<(), cnfkit::CapacityError>(())
    /// ```
    #[doc(alias = "knapsack")]
    fn pb_at_most<W: Weight, E: AsEncoding<Encoding: Encoding>>(
        &mut self,
        terms: impl AsRef<[(Lit, W)]>,
        bound: W,
        enc: E,
    ) -> Result<(), Self::Error> {
        self.pb(terms.as_ref(), PbRelation::AtMost(bound), enc)
    }

    /// The weights of the true literals of `terms` sum up to at least `bound`.
    fn pb_at_least<W: Weight, E: AsEncoding<Encoding: Encoding>>(
        &mut self,
        terms: impl AsRef<[(Lit, W)]>,
        bound: W,
        enc: E,
    ) -> Result<(), Self::Error> {
        self.pb(terms.as_ref(), PbRelation::AtLeast(bound), enc)
    }

    /// The weights of the true literals of `terms` sum up to exactly `bound`.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Constrain, Formula, PbEncoding};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(4);
    /// let coins: Vec<_> = x.iter().copied().zip([50, 20, 20, 5]).collect();
    /// formula.pb_exactly(&coins, 45, PbEncoding::Auto)?;
    /// let model = formula.solve()?.expect("two ways to pay");
    /// assert!(!model.is_true(x[0]) && model.is_true(x[3]));
    /// # Ok(())
    /// # }
    /// ```
    fn pb_exactly<W: Weight, E: AsEncoding<Encoding: Encoding>>(
        &mut self,
        terms: impl AsRef<[(Lit, W)]>,
        bound: W,
        enc: E,
    ) -> Result<(), Self::Error> {
        self.pb(terms.as_ref(), PbRelation::Exactly(bound), enc)
    }

    /// The weights of the true literals of `terms` sum up to one of `bounds`, both ends included.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Constrain, Formula, PbEncoding};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(3);
    /// formula.pb_between(&[(x[0], 5), (x[1], -4), (x[2], 9)], 6..=8, PbEncoding::Auto)?;
    /// assert!(formula.solve()?.is_none()); // 5 and 9 are sums, and none between
    /// # Ok(())
    /// # }
    /// ```
    fn pb_between<W: Weight, E: AsEncoding<Encoding: Encoding>>(
        &mut self,
        terms: impl AsRef<[(Lit, W)]>,
        bounds: RangeInclusive<W>,
        enc: E,
    ) -> Result<(), Self::Error> {
        let bounds = (*bounds.start(), *bounds.end());
        erase(self, &mut |sink| door::signed_between(sink, terms.as_ref(), bounds, enc.as_encoding()))
    }

    /// `r` is true if and only if the weights of the true literals of `terms` sum up to one of `bounds`, both ends
    /// included. A `Formula` keeps this as two constraints by `enc`, with an auxiliary each; at other sinks sums that
    /// are no counts are defined as [`OneModel`](crate::OneModel) does it.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Constrain, Formula, PbEncoding};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut formula = Formula::new();
    /// let (x, r) = (formula.new_lits(3), formula.new_lit());
    /// formula.pb_iff_between(r, &[(x[0], 5), (x[1], -4), (x[2], 9)], 6..=8, PbEncoding::Auto)?;
    /// formula.add_clause(&[r])?;
    /// assert!(formula.solve()?.is_none()); // 5 and 9 are sums, and none between
    /// # Ok(())
    /// # }
    /// ```
    fn pb_iff_between<W: Weight, E: AsEncoding<Encoding: Encoding>>(
        &mut self,
        r: Lit,
        terms: impl AsRef<[(Lit, W)]>,
        bounds: RangeInclusive<W>,
        enc: E,
    ) -> Result<(), Self::Error> {
        let bounds = (*bounds.start(), *bounds.end());
        erase(self, &mut |sink| door::iff_signed_between(sink, r, terms.as_ref(), bounds, enc.as_encoding()))
    }

    /// The weights of the true literals of `terms` sum up to what `relation` says: the method behind
    /// [`pb_at_most`](Self::pb_at_most), [`pb_at_least`](Self::pb_at_least) and [`pb_exactly`](Self::pb_exactly), for a
    /// relation that is data.
    fn pb<W: Weight, E: AsEncoding<Encoding: Encoding>>(
        &mut self,
        terms: impl AsRef<[(Lit, W)]>,
        relation: PbRelation<W>,
        enc: E,
    ) -> Result<(), Self::Error> {
        erase(self, &mut |sink| door::signed(sink, terms.as_ref(), relation, enc.as_encoding()))
    }

    /// The weights of the true literals of `terms` sum up to what `relation` says, where at most one literal of each
    /// group of `terms` is true.
    ///
    /// That they are is not encoded again: it is said elsewhere, by clauses of yours or an
    /// [`at_most_one`](Self::at_most_one). Where it does not hold, the formula has other models than the sum, or none.
    /// Encodings that make use of groups get far smaller with them.
    ///
    /// ```
    /// use cnfkit::{AmoEncoding, ClauseSink, Cnf, Constrain, PbEncoding, PbRelation, Terms};
    /// let mut cnf = Cnf::new();
    /// let x = cnf.new_lits(4);
    /// cnf.at_most_one(&x[..2], &AmoEncoding::Auto)?;
    /// cnf.at_most_one(&x[2..], &AmoEncoding::Auto)?;
    /// // Two groups, which end before the second and the fourth place: of 7, 5, 4 and 2 there is no sum above 11.
    /// let terms = [(x[0], 7), (x[1], 5), (x[2], 4), (x[3], 2)];
    /// let terms = Terms::grouped(&terms, &[2, 4]);
    /// cnf.pb_grouped(&terms, PbRelation::AtMost(11), &PbEncoding::Auto)?;
    /// assert_eq!(cnf.n_clauses(), 2);
    /// # Ok::<(), cnfkit::CapacityError>(())
    /// ```
    ///
    /// Source: M. Bofill, J. Coll, P. Nightingale, J. Suy, F. Ulrich-Oltean, M. Villaret, *SAT encodings for
    /// Pseudo-Boolean constraints together with at-most-one constraints*, Artificial Intelligence 302, 2022.
    fn pb_grouped<E: AsEncoding<Encoding: Encoding>>(
        &mut self,
        terms: &Terms<'_>,
        relation: PbRelation,
        enc: E,
    ) -> Result<(), Self::Error> {
        erase(self, &mut |sink| door::sum(sink, Sum::Weights { terms: *terms, relation }, enc.as_encoding()))
    }

    /// `r` is true if and only if the weights of the true literals of `terms` sum up to at most `bound`.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Constrain, Formula, PbEncoding, PbRelation, Terms};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut formula = Formula::new();
    /// let (x, r) = (formula.new_lits(3), formula.new_lits(4));
    /// let terms: Vec<_> = x.iter().copied().zip([5_u64, 3, 2]).collect();
    /// formula.pb_iff_at_most(r[0], &terms, 5, PbEncoding::Auto)?;
    /// formula.pb_iff_at_least(r[1], &terms, 5, PbEncoding::Auto)?;
    /// formula.pb_iff_exactly(r[2], &terms, 5, PbEncoding::Auto)?;
    /// formula.pb_iff_grouped(r[3], &Terms::new(&terms), PbRelation::Exactly(7), PbEncoding::Auto)?;
    /// formula.add_clause(&[r[3]])?; // 5 + 2
    /// let model = formula.solve()?.expect("a model");
    /// assert_eq!(r.iter().map(|&r| model.is_true(r)).collect::<Vec<_>>(), [false, true, false, true]);
    /// # Ok(())
    /// # }
    /// ```
    fn pb_iff_at_most<W: Weight, E: AsEncoding<Encoding: Encoding>>(
        &mut self,
        r: Lit,
        terms: impl AsRef<[(Lit, W)]>,
        bound: W,
        enc: E,
    ) -> Result<(), Self::Error> {
        erase(self, &mut |sink| door::iff_signed(sink, r, terms.as_ref(), PbRelation::AtMost(bound), enc.as_encoding()))
    }

    /// `r` is true if and only if the weights of the true literals of `terms` sum up to at least `bound`.
    fn pb_iff_at_least<W: Weight, E: AsEncoding<Encoding: Encoding>>(
        &mut self,
        r: Lit,
        terms: impl AsRef<[(Lit, W)]>,
        bound: W,
        enc: E,
    ) -> Result<(), Self::Error> {
        erase(self, &mut |sink| {
            door::iff_signed(sink, r, terms.as_ref(), PbRelation::AtLeast(bound), enc.as_encoding())
        })
    }

    /// `r` is true if and only if the weights of the true literals of `terms` sum up to exactly `bound`.
    fn pb_iff_exactly<W: Weight, E: AsEncoding<Encoding: Encoding>>(
        &mut self,
        r: Lit,
        terms: impl AsRef<[(Lit, W)]>,
        bound: W,
        enc: E,
    ) -> Result<(), Self::Error> {
        erase(self, &mut |sink| {
            door::iff_signed(sink, r, terms.as_ref(), PbRelation::Exactly(bound), enc.as_encoding())
        })
    }

    /// `r` is true if and only if the weights of the true literals of `terms` sum up to what `relation` says, where at
    /// most one literal of each group of `terms` is true, whatever r is: see [`pb_grouped`](Self::pb_grouped).
    fn pb_iff_grouped<E: AsEncoding<Encoding: Encoding>>(
        &mut self,
        r: Lit,
        terms: &Terms<'_>,
        relation: PbRelation,
        enc: E,
    ) -> Result<(), Self::Error> {
        erase(self, &mut |sink| door::iff(sink, r, Sum::Weights { terms: *terms, relation }, enc.as_encoding()))
    }

    /// The constraint, whatever it is: with its condition, its reifying literal, and in its order. The method behind
    /// all others, for a constraint that is data.
    ///
    /// What `enc` does not encode, a count by an encoding of sums of weights, say, goes to one that does:
    /// [`Encoding::plan`]. The constraint's own [encoding](Constraint::encoding) is not looked
    /// at.
    fn post<E: AsEncoding<Encoding: Encoding>>(
        &mut self,
        constraint: &Constraint<'_>,
        enc: E,
    ) -> Result<(), Self::Error> {
        let Constraint { cond, in_order, .. } = *constraint;
        let enc = enc.as_encoding();
        erase(self, &mut |sink| match (cond.is_empty(), in_order) {
            (true, false) => door::post(sink, constraint, enc),
            (true, true) => door::post(&mut sink.keep_order(), constraint, enc),
            (false, false) => door::post(&mut sink.when(cond), constraint, enc),
            (false, true) => door::post(&mut sink.when(cond).keep_order(), constraint, enc),
        })
    }

    /// Everything sent through the result holds when all of `cond` are true.
    ///
    /// Only clauses that enforce something get the negated condition; those that define auxiliaries stay as they are.
    ///
    /// # Panics
    /// When a literal of `cond` is at or above [`next_var`](ClauseSink::next_var).
    fn when<L: Lits>(&mut self, cond: L) -> Guarded<'_, Self> {
        check_known(self, cond.lits());
        Guarded::new(self, cond.lits())
    }

    /// Everything sent through the result is encoded in the order in which its literals are given.
    fn keep_order(&mut self) -> KeepOrder<'_, Self> {
        KeepOrder::new(self)
    }
}

impl<S: ClauseSink + ?Sized> Constrain for S {}

#[cfg(test)]
mod tests;
