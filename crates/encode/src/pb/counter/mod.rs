//! [`WeightedCounter`]: a sum of weighted literals whose bounds are chosen after encoding, by assumptions.
//!
//! `tree` is exact in what it propagates and may be large; `digits` is small and propagates less. The counter takes the
//! tree as long as that has at most [`WORTH`] times the clauses of the digits.

mod digits;
mod tree;

use rustsat::types::Lit;

use self::digits::{AssumedComparison, CounterDigits};
pub use self::tree::Side;
use self::tree::{CounterTree, Growth};
use crate::card::Bound;
use crate::erase::{AnySink, erase};
use crate::gcd::gcd;
use crate::grown::Grown;
use crate::sink::ClauseSink;
use crate::size::Size;
use crate::truth::Truth;
use crate::writer::{Full, measured};

/// The tree may be so many times as large as the sum in binary.
const WORTH: u64 = 4;
/// A tree of up to so many clauses is never too large.
const SMALL: u64 = 2_000;

/// Its clauses in words, for a sink that keeps constraints.
const WORDS: &str = "the bounds of a `WeightedCounter`";

/// A sum of weighted literals with bounds by assumption: each bound is a literal, defined when it is asked for.
///
/// Literals are added with [`extend`](Self::extend), bounds are asked for with [`at_most`](Self::at_most) and
/// [`at_least`](Self::at_least), in any order and as often as wanted. Clauses are only ever added, all of them
/// [definitions](ClauseSink::define), so a solver keeps what it has learnt. Nothing is written before a bound is asked
/// for, and a bound near one asked for before costs little.
///
/// The sum is kept in one of two structures. A *generalized totalizer*, of which only the outputs near the bounds asked
/// for are written, and only the clauses for the side, upper or lower, that they come from; under a bound of it, unit
/// propagation is generalised arc consistent where the literals have distinct variables. Where that is more than four
/// times as large as a sum in binary, as for many different weights, it is the latter, of which each binary digit is
/// counted in unary while it has few inputs; propagation is weaker then.
///
/// | | |
/// |---|---|
/// | a literal given twice | counts twice; x and ¬x both count |
/// | after [`extend`](Self::extend) | ask for bounds again: earlier bound literals refer to the sum before `extend` |
/// | an assumed bound | may be assumed, or added as a unit clause; its negation says nothing |
///
/// Weights that sum up beyond 64 bits are divided by what they have in common: equal ones are a count.
///
/// For literals of weight one, [`IncTotalizer`](crate::IncTotalizer) is the plain form.
///
/// Sources: S. Joshi, R. Martins, V. Manquinho, *Generalized Totalizer Encoding for Pseudo-Boolean Constraints*, CP
/// 2015, LNCS 9255, pages 200–209; R. Martins, S. Joshi, V. Manquinho, I. Lynce, *Incremental Cardinality Constraints
/// for `MaxSAT`*, CP 2014, LNCS 8656, pages 531–548.
///
/// ```
/// use cnfkit::{Bound, ClauseSink, Cnf, WeightedCounter};
/// # fn main() -> Result<(), cnfkit::CapacityError> {
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(3);
/// let mut sum = WeightedCounter::new();
/// sum.extend(&cnf, &[(x[0], 3), (x[1], 5), (x[2], 5)]);
/// assert_eq!((sum.total(), cnf.n_clauses()), (13, 0)); // nothing is written yet
/// assert_eq!(sum.at_most(&mut cnf, 13)?, Bound::Always);
/// assert_eq!(sum.at_least(&mut cnf, 14)?, Bound::Never);
/// let Bound::If(five) = sum.at_most(&mut cnf, 5)? else { panic!() };
/// assert_eq!(sum.at_most(&mut cnf, 7)?, Bound::If(five)); // no sum is 6 or 7
/// cnf.add_clause(&[five])?;
/// cnf.add_clause(&[x[0]])?;
/// assert!(cnf.solve().unwrap().is_some_and(|model| !model.is_true(x[1]) && !model.is_true(x[2])));
/// # Ok(())
/// # }
/// ```
#[doc(alias = "DynamicPolyWatchdog")]
#[derive(Clone, Debug, Default)]
pub struct WeightedCounter {
    terms: Vec<(Lit, u64)>,
    total: u128,
    /// The greatest common divisor of the weights, if they sum up beyond 64 bits; 1 before.
    unit: WeightDivisor,
    /// The terms in units.
    counted: Vec<(Lit, u64)>,
    tree: CounterTree,
    /// The clauses of the tree that are written.
    tree_clauses: u64,
    /// The sum in binary, from when it is used, and the number of terms that it has.
    digits: Option<(CounterDigits, usize)>,
    /// For upper and for lower bounds: the sum in binary against a number by assumption, and the number of terms then.
    compared: [Option<(AssumedComparison, usize)>; 2],
    /// The clauses that the tree may have, for a number of terms.
    budget: Option<(usize, u64)>,
    grown: Grown,
}

/// A divisor of weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct WeightDivisor(u64);

impl Default for WeightDivisor {
    fn default() -> Self {
        Self(1)
    }
}

impl WeightedCounter {
    /// A sum of nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The weighted literals, without those of weight 0.
    #[must_use]
    pub fn terms(&self) -> &[(Lit, u64)] {
        &self.terms
    }

    /// The sum of all weights, which may be beyond 2⁶⁴.
    #[must_use]
    pub const fn total(&self) -> u128 {
        self.total
    }

    /// Adds literals with their weights to the sum. `sink` is the one that bounds will be asked with; nothing is
    /// written.
    ///
    /// # Panics
    /// When a literal's variable is at or above [`next_var`](ClauseSink::next_var), and when the sink is another than
    /// before: it does not know all variables.
    pub fn extend<S: ClauseSink + ?Sized>(&mut self, sink: &S, terms: &[(Lit, u64)]) {
        let start = self.terms.len();
        let lits: Vec<Lit> = terms.iter().map(|&(lit, _)| lit).collect();
        self.grown.check(sink, &lits);
        self.grown = Grown::on(sink);
        for &(lit, weight) in terms {
            if weight > 0 {
                self.terms.push((lit, weight));
                self.total += u128::from(weight);
            }
        }
        let unit = if self.total < u128::from(u64::MAX) {
            WeightDivisor(1)
        } else {
            WeightDivisor(self.terms.iter().fold(0, |unit, &(_, weight)| gcd(unit, weight.into())) as u64)
        };
        let start = if unit == self.unit {
            start
        } else {
            // Nothing that is written counts in other units.
            let terms = std::mem::take(&mut self.terms);
            *self = Self { terms, total: self.total, unit, grown: self.grown, ..Self::default() };
            0
        };
        self.counted.extend(self.terms[start..].iter().map(|&(lit, weight)| (lit, weight / unit.0)));
        if self.sum() < u128::from(u64::MAX) {
            self.tree.plant(&self.counted[start..]);
        }
    }

    /// The sum of all weights in units.
    const fn sum(&self) -> u128 {
        self.total / self.unit.0 as u128
    }

    /// The number of units from which on the sum is at least so much.
    const fn units(&self, threshold: u128) -> u128 {
        threshold.div_ceil(self.unit.0 as u128)
    }

    /// The condition under which the true literals weigh at most `bound`. Defines it, if it was not asked for before.
    ///
    /// # Errors
    /// As the sink fails. It gets the exact size before the first clause: if it refuses that, nothing has changed, and
    /// other bounds can be asked for; if it fails later, the counter is of no more use.
    ///
    /// # Panics
    /// When the sink is another than that of [`extend`](Self::extend): it does not know all variables.
    pub fn at_most<S: ClauseSink + ?Sized>(&mut self, sink: &mut S, bound: u64) -> Result<Bound, S::Error> {
        self.bound(sink, Side::Upper, bound.into())
    }

    /// The condition under which the true literals weigh at least `bound`. Defines it, if it was not asked for before.
    ///
    /// # Errors
    /// As [`at_most`](Self::at_most).
    ///
    /// # Panics
    /// As [`at_most`](Self::at_most).
    pub fn at_least<S: ClauseSink + ?Sized>(&mut self, sink: &mut S, bound: u64) -> Result<Bound, S::Error> {
        self.bound(sink, Side::Lower, bound.into())
    }

    /// The condition for a bound from either side.
    #[doc(hidden)]
    pub fn bound<S>(&mut self, sink: &mut S, side: Side, bound: u128) -> Result<Bound, S::Error>
    where
        S: ClauseSink + ?Sized,
    {
        self.grown.check(sink, &[]);
        let threshold = bound.saturating_add(u128::from(side == Side::Upper));
        let mut reached = Truth::Known(false);
        erase(sink, &mut |sink| {
            reached = self.reached(sink, side, threshold)?;
            Ok(())
        })?;
        Ok(match if side == Side::Upper { !reached } else { reached } {
            Truth::If(lit) => Bound::If(lit),
            Truth::Known(true) => Bound::Always,
            Truth::Known(false) => Bound::Never,
        })
    }

    /// A literal that is true if the sum is at least `threshold` ([`Side::Upper`]), or only if it is
    /// ([`Side::Lower`]).
    fn reached(&mut self, sink: &mut AnySink<'_>, side: Side, threshold: u128) -> Result<Truth, Full> {
        if threshold == 0 || threshold > self.total {
            return Ok(Truth::Known(threshold == 0));
        }
        let threshold = self.units(threshold);
        if let (None, Ok(threshold), true) = (&self.digits, u64::try_from(threshold), self.fits_tree()) {
            if let Some(lit) = self.tree.output(side, threshold) {
                return Ok(Truth::If(lit));
            }
            let budget = self.budget().saturating_sub(self.tree_clauses);
            if let Some(growth) = self.tree.plan(side, threshold, threshold, budget) {
                self.grow(sink, &growth)?;
                return Ok(Truth::If(self.tree.output(side, threshold).expect("it was written")));
            }
        }
        self.in_digits(sink, threshold)
    }

    /// Makes every bound in `least..=most` from one side one that [`assumptions`](Self::assumptions) knows.
    #[doc(hidden)]
    pub fn widen<S>(&mut self, sink: &mut S, side: Side, least: u64, most: u64) -> Result<(), S::Error>
    where
        S: ClauseSink + ?Sized,
    {
        self.grown.check(sink, &[]);
        erase(sink, &mut |sink| self.widen_on(sink, side, least, most))
    }

    fn widen_on(&mut self, sink: &mut AnySink<'_>, side: Side, least: u64, most: u64) -> Result<(), Full> {
        let above = u64::from(side == Side::Upper);
        let limit = u64::try_from(self.total).unwrap_or(u64::MAX);
        let (least, most) = (least.saturating_add(above).max(1), most.saturating_add(above).min(limit));
        let [least, most] = [least, most].map(|threshold| self.units(threshold.into()) as u64);
        if least > most {
            return Ok(());
        }
        if self.digits.is_none() && self.fits_tree() {
            let budget = self.budget().saturating_sub(self.tree_clauses);
            if let Some(growth) = self.tree.plan(side, least, most, budget) {
                return self.grow(sink, &growth);
            }
        }
        let (mut digits, counted) = self.digits.clone().unwrap_or_default();
        let is_compared = self.compared[side as usize].as_ref().is_some_and(|&(_, terms)| terms == self.terms.len());
        let size = measured(sink.next_var().idx32(), &mut |to| {
            digits.add(to, &self.counted[counted..])?;
            if is_compared { Ok(()) } else { digits.compare(to, side == Side::Upper).map(drop) }
        });
        let n = self.terms.len();
        self.grown = Grown::write(sink, WORDS, &size, &mut |to| {
            let (digits, counted) = self.digits.get_or_insert_default();
            digits.add(to, &self.counted[*counted..])?;
            *counted = n;
            if !is_compared {
                self.compared[side as usize] = Some((digits.compare(to, side == Side::Upper)?, n));
            }
            Ok(())
        })?;
        Ok(())
    }

    /// Announces and writes nodes of the tree.
    fn grow(&mut self, sink: &mut AnySink<'_>, growth: &Growth) -> Result<(), Full> {
        self.grown = Grown::write(sink, WORDS, &growth.size, &mut |to| {
            self.tree_clauses += growth.size.clauses;
            self.tree.grow(to, growth)
        })?;
        Ok(())
    }

    /// The assumptions for a bound that is not trivial, if [`widen`](Self::widen) has made it known.
    #[must_use]
    #[doc(hidden)]
    pub fn assumptions(&self, side: Side, bound: u64) -> Option<Vec<Lit>> {
        if self.digits.is_some() {
            let compared = self.compared[side as usize].as_ref();
            let (comparison, _) = compared.filter(|&&(_, terms)| terms == self.terms.len())?;
            let bound = match side {
                Side::Upper => bound / self.unit.0,
                Side::Lower => bound.div_ceil(self.unit.0),
            };
            return Some(comparison.assumptions(bound.into()));
        }
        match side {
            Side::Upper => Some(vec![!self.tree.output(side, self.units(u128::from(bound) + 1).try_into().ok()?)?]),
            Side::Lower => Some(vec![self.tree.output(side, self.units(bound.into()) as u64)?]),
        }
    }

    /// The sum in binary, from now on.
    fn in_digits(&mut self, sink: &mut AnySink<'_>, threshold: u128) -> Result<Truth, Full> {
        let (mut digits, counted) = self.digits.clone().unwrap_or_default();
        let size = measured(sink.next_var().idx32(), &mut |to| {
            digits.add(to, &self.counted[counted..])?;
            digits.at_least(to, threshold).map(drop)
        });
        let mut reached = Truth::Known(false);
        self.grown = Grown::write(sink, WORDS, &size, &mut |to| {
            let (digits, counted) = self.digits.get_or_insert_default();
            digits.add(to, &self.counted[*counted..])?;
            *counted = self.terms.len();
            reached = digits.at_least(to, threshold)?;
            Ok(())
        })?;
        Ok(reached)
    }

    fn fits_tree(&self) -> bool {
        self.sum() < u128::from(u64::MAX) && u128::from(self.tree.total()) == self.sum()
    }

    /// The clauses that the tree may have.
    fn budget(&mut self) -> u64 {
        match self.budget {
            Some((terms, budget)) if terms == self.terms.len() => budget,
            _ => {
                let highest = self.terms.iter().map(|(lit, _)| lit.vidx() + 1).max().unwrap_or(0);
                let Size { clauses, .. } =
                    measured(highest as u32, &mut |to| CounterDigits::default().add(to, &self.counted));
                let budget = SMALL.max(clauses.saturating_mul(WORTH));
                self.budget = Some((self.terms.len(), budget));
                budget
            }
        }
    }
}

#[cfg(test)]
mod tests;
