//! *Lexicographic order*: an array comes before another in the order of dictionaries.
//!
//! Up to the first place at which the arrays differ they are the same, and there the first has less. So at each place
//! that is reached the first has no more than the second, and has less or the next place is reached: an auxiliary for
//! each place but the first (Frisch, Hnich, Kiziltan, Miguel, Walsh, *Global Constraints for Lexicographic Orderings*,
//! CP 2002, pp. 93–108, on what follows; the auxiliaries are their α read from the left).

use super::{Domains, Empty, Encoder, Linear, Needs, ViewRule};
use crate::constraint::{Compare, Constraint};
use crate::variables::{Expr, IntVar, View};
use crate::writer::Truth;
use cnfkit_core::CapacityError;

/// The first array comes before the second in the order of dictionaries: MiniZinc's `lex_less`. A beginning of the
/// second comes before it.
///
/// ```
/// use cnfkit::model::{Model, lex_less};
/// let mut model = Model::new();
/// let grid = model.int_grid(2, 2, 0..=1);
/// model.post(lex_less(grid.row(0), grid.row(1)));
/// assert_eq!(model.count(100)?, 4 * 3 / 2);
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
pub fn lex_less<A: Into<Expr>, B: Into<Expr>>(
    first: impl IntoIterator<Item = A>,
    second: impl IntoIterator<Item = B>,
) -> Constraint {
    lex(first.into_iter().map(Into::into).collect(), second.into_iter().map(Into::into).collect(), true)
}

/// The first array comes before the second in the order of dictionaries, or is the same: MiniZinc's `lex_lesseq`.
///
/// ```
/// use cnfkit::model::{Model, lex_lesseq};
/// let mut model = Model::new();
/// let grid = model.int_grid(2, 2, 0..=1);
/// model.post(lex_lesseq(grid.row(0), grid.row(1)));
/// assert_eq!(model.count(100)?, 4 * 5 / 2);
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
pub fn lex_lesseq<A: Into<Expr>, B: Into<Expr>>(
    first: impl IntoIterator<Item = A>,
    second: impl IntoIterator<Item = B>,
) -> Constraint {
    lex(first.into_iter().map(Into::into).collect(), second.into_iter().map(Into::into).collect(), false)
}

fn lex(mut first: Vec<Expr>, mut second: Vec<Expr>, strict: bool) -> Constraint {
    let same = first.len() < second.len() || first.len() == second.len() && !strict;
    let n = first.len().min(second.len());
    first.truncate(n);
    second.truncate(n);
    first.append(&mut second);
    Constraint::rule(first, move |views| Lex { views, same })
}

/// The first half of the views comes before the second half.
#[derive(Debug)]
struct Lex {
    views: Vec<View>,
    /// They may also be the same.
    same: bool,
}

impl Lex {
    fn pairs(&self) -> impl ExactSizeIterator<Item = (View, View)> + '_ {
        let (first, second) = self.views.split_at(self.views.len() / 2);
        first.iter().copied().zip(second.iter().copied())
    }
}

impl ViewRule for Lex {
    fn text(&self) -> String {
        let (first, second) = self.views.split_at(self.views.len() / 2);
        let name = if self.same { "lex_lesseq" } else { "lex_less" };
        format!("{name}({}, {})", super::list(first), super::list(second))
    }

    fn variables(&self, found: &mut Vec<IntVar>) {
        super::variables_of(&self.views, found);
    }

    fn shrink(&self, domains: &mut Domains) -> Result<(), Empty> {
        let pairs = self.pairs();
        let last = pairs.len().wrapping_sub(1);
        for (at, (one, other)) in pairs.enumerate() {
            let less = i64::from(at == last && !self.same);
            domains.at_most(one, domains.bounds(other).1 - less)?;
            domains.at_least(other, domains.bounds(one).0 + less)?;
            match (domains.value(one), domains.value(other)) {
                (Some(one), Some(other)) if one == other => {}
                _ => return Ok(()),
            }
        }
        if self.same { Ok(()) } else { Err(Empty) }
    }

    fn needs(&self, domains: &Domains, needs: &mut Needs) {
        for (one, other) in self.pairs() {
            Linear::of_views(&[(one, 1), (other, -1)], Compare::AtMost, 0).needs(domains, needs);
        }
    }

    fn encode(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        let pairs = self.pairs();
        let n = pairs.len();
        if n == 0 {
            return encoder.clause([Truth::Known(self.same)]);
        }
        let mut reached = None;
        for (at, (one, other)) in pairs.enumerate() {
            let before = |less: i64| Linear::of_views(&[(one, 1), (other, -1)], Compare::AtMost, -less);
            let is_last = at + 1 == n;
            let next = if is_last { None } else { Some(encoder.new_lit()) };
            let write = |encoder: &mut Encoder<'_>| {
                before(i64::from(is_last && !self.same)).encode(encoder)?;
                next.map_or(Ok(()), |next| encoder.under(!next, |encoder| before(1).encode(encoder)))
            };
            match reached {
                None => write(encoder)?,
                Some(here) => encoder.implied_by(here, write)?,
            }
            reached = next;
        }
        Ok(())
    }

    fn negated(&self) -> Constraint {
        let (first, second) = self.views.split_at(self.views.len() / 2);
        let same = !self.same;
        let exprs = second.iter().chain(first).map(|&view| view.into()).collect();
        Constraint::rule(exprs, move |views| Lex { views, same })
    }

    fn holds(&self, value: &dyn Fn(IntVar) -> i64) -> bool {
        let different = self.pairs().map(|(one, other)| (one.of(value), other.of(value))).find(|(a, b)| a != b);
        different.map_or(self.same, |(one, other)| one < other)
    }
}
