//! *Inverse*: two arrays are permutations that undo each other.

use super::{Domains, Empty, Encoder, Needs, ViewRule};
use crate::constraint::{Constraint, any};
use crate::variables::{Expr, IntVar, View};
use crate::writer::Truth;
use cnfkit_core::CapacityError;

/// `first[i]` is j if and only if `second[j]` is i, indices from 0: MiniZinc's `inverse`.
///
/// ```
/// use cnfkit::model::{Model, inverse};
/// let mut model = Model::new();
/// let (place_of, player_at) = (model.ints(3, 0..=2), model.ints(3, 0..=2));
/// model.post(inverse(&place_of, &player_at));
/// model.post(player_at[0].eq(2));
/// assert_eq!(model.backbone()?.expect("there are solutions").value(place_of[2]), Some(0));
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
///
/// # Panics
/// When the arrays differ in length.
pub fn inverse<A: Into<Expr>, B: Into<Expr>>(
    first: impl IntoIterator<Item = A>,
    second: impl IntoIterator<Item = B>,
) -> Constraint {
    let mut exprs: Vec<Expr> = first.into_iter().map(Into::into).collect();
    let n = exprs.len();
    exprs.extend(second.into_iter().map(Into::into));
    assert!(exprs.len() == 2 * n, "arrays of {n} and {}", exprs.len() - n);
    let range = Some((0, n as i64 - 1));
    Constraint::rule_within(exprs.into_iter().map(|expr| (expr, range)).collect(), Inverse)
}

/// The first half, then the second.
#[derive(Debug)]
struct Inverse(Vec<View>);

impl Inverse {
    fn parts(&self) -> (&[View], &[View]) {
        self.0.split_at(self.0.len() / 2)
    }
}

impl ViewRule for Inverse {
    fn text(&self) -> String {
        let (first, second) = self.parts();
        format!("inverse({}, {})", super::list(first), super::list(second))
    }

    fn variables(&self, found: &mut Vec<IntVar>) {
        super::variables_of(&self.0, found);
    }

    fn shrink(&self, domains: &mut Domains) -> Result<(), Empty> {
        let (first, second) = self.parts();
        for (one, other) in [(first, second), (second, first)] {
            for (at, &view) in (0..).zip(one) {
                domains.within(view, other.len())?;
                domains.retain_with(view, |value, domains| {
                    let back = usize::try_from(value).ok().and_then(|value| other.get(value));
                    back.is_some_and(|&back| domains.contains(back, at))
                })?;
            }
        }
        Ok(())
    }

    fn needs(&self, _: &Domains, needs: &mut Needs) {
        self.0.iter().for_each(|&view| needs.direct(view));
    }

    fn encode(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        let (first, second) = self.parts();
        for (one, other) in [(first, second), (second, first)] {
            for (at, &view) in (0..).zip(one) {
                for value in encoder.domains().values(view) {
                    let back = usize::try_from(value).ok().and_then(|value| other.get(value));
                    let truth = back.map_or(Truth::Known(false), |&back| encoder.is(back, at));
                    let is = encoder.is(view, value);
                    encoder.clause([!is, truth])?;
                }
            }
        }
        Ok(())
    }

    fn negated(&self) -> Constraint {
        let (first, second) = self.parts();
        let n = first.len() as i64;
        let expr = |view: &View| Expr::from(*view);
        let outside = self.0.iter().flat_map(|view| [expr(view).lt(0), expr(view).ge(n)]);
        let wrong = (0..)
            .zip(first)
            .flat_map(|(i, one)| (0..).zip(second).map(move |(j, other)| expr(one).eq(j).and(expr(other).ne(i))));
        any(outside.chain(wrong))
    }

    fn holds(&self, value: &dyn Fn(IntVar) -> i64) -> bool {
        let (first, second) = self.parts();
        let undone = |one: &[View], other: &[View]| {
            (0..).zip(one).all(|(at, view)| {
                let back = usize::try_from(view.of(value)).ok().and_then(|to| other.get(to));
                back.is_some_and(|back| back.of(value) == at)
            })
        };
        undone(first, second) && undone(second, first)
    }
}
