//! *Parity*: an odd number of truth values hold, or an even one.

use std::borrow::Borrow;

use super::{Domains, Empty, Encoder, Needs, ViewRule};
use crate::constraint::Constraint;
use crate::variables::{Bool, Expr, IntVar, View};
use cnfkit_core::CapacityError;

/// An odd number of truth values hold, or an even number: MiniZinc's `array_bool_xor` where `odd` is true. Parities of
/// a model are solved as linear equations where they share truth values.
///
/// ```
/// use cnfkit::model::{Model, parity};
/// let mut model = Model::new();
/// let x = model.bools(5);
/// model.post(parity(&x, true));
/// model.post(!parity(&x[..4], true));
/// assert_eq!(model.count(100)?, 8);
/// assert!(model.solve()?.expect("there are solutions").is_true(x[4]));
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
#[doc(alias = "array_bool_xor")]
pub fn parity<B: Borrow<Bool>>(bools: impl IntoIterator<Item = B>, odd: bool) -> Constraint {
    let exprs = bools.into_iter().map(|bool| Expr::from(*bool.borrow())).collect();
    Constraint::rule(exprs, move |views| ParityRule { views, odd })
}

/// Views of 0 and 1.
#[derive(Debug)]
struct ParityRule {
    views: Vec<View>,
    odd: bool,
}

impl ViewRule for ParityRule {
    fn text(&self) -> String {
        format!("parity({}, {})", super::list(&self.views), if self.odd { "odd" } else { "even" })
    }

    fn variables(&self, found: &mut Vec<IntVar>) {
        super::variables_of(&self.views, found);
    }

    fn shrink(&self, domains: &mut Domains) -> Result<(), Empty> {
        let (mut odd, mut open) = (self.odd, None);
        for &view in &self.views {
            match (domains.value(view), open) {
                (Some(value), _) => odd ^= value == 1,
                (None, None) => open = Some(view),
                (None, Some(_)) => return Ok(()),
            }
        }
        match open {
            Some(view) => {
                domains.at_least(view, odd.into())?;
                domains.at_most(view, odd.into())
            }
            None if odd => Err(Empty),
            None => Ok(()),
        }
    }

    fn needs(&self, _: &Domains, needs: &mut Needs) {
        self.views.iter().for_each(|&view| needs.direct(view));
    }

    fn encode(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        let truths: Vec<_> = self.views.iter().map(|&view| encoder.is(view, 1)).collect();
        encoder.parity(truths, self.odd)
    }

    fn negated(&self) -> Constraint {
        let odd = !self.odd;
        Constraint::rule(self.views.iter().map(|&view| view.into()).collect(), move |views| Self { views, odd })
    }

    fn holds(&self, value: &dyn Fn(IntVar) -> i64) -> bool {
        (self.views.iter().filter(|view| view.of(value) == 1).count() % 2 == 1) == self.odd
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;

    /// Every number of truth values, some of which are known or stand twice, as it is, negated and reified.
    #[test]
    fn counts_of_solutions() -> Result<(), crate::ModelError> {
        for (n, odd) in (0..7).flat_map(|n| [(n, false), (n, true)]) {
            let all = 1 << n;
            let (half, none) = if n == 0 { (usize::from(!odd), usize::from(odd)) } else { (all / 2, all / 2) };
            let mut model = Model::new();
            let x = model.bools(n);
            let mut other = model.clone();
            model.post(parity(&x, odd));
            assert_eq!(model.count(1000)?, half, "{n} {odd}");
            other.post(!parity(&x, odd));
            assert_eq!(other.count(1000)?, none, "{n} {odd}");
            let mut reified = Model::new();
            let x = reified.bools(n);
            let r = reified.bool();
            reified.post(parity(x.iter().chain(x.first()), odd).iff(r));
            assert_eq!(reified.count(1000)?, all, "{n} {odd}");
            let mut known = Model::new();
            let x = known.bools(n);
            known.post(parity(&x, odd));
            x.iter().skip(1).for_each(|&bool| known.post(bool));
            assert_eq!(known.count(9)?, if n == 0 { half } else { 1 }, "{n} {odd}");
        }
        Ok(())
    }
}
