//! *Element*: a value is the one at an index of an array.

use super::{Domains, Empty, Encoder, Linear, Needs, Rule};
use crate::choice::IntEncoding;
use crate::constraint::{Compare, Constraint, any};
use crate::variables::{Expr, IntVar, View};
use crate::writer::Truth;
use cnfkit_core::CapacityError;

/// `value` is `array[index]`, indices from 0: MiniZinc's `element`. The index is within the array then.
///
/// ```
/// use cnfkit::model::{Model, element};
/// let mut model = Model::new();
/// let (index, cost) = (model.int(0..=4), model.int(0..=100));
/// model.post(element([30, 7, 12, 7, 25], index, cost));
/// model.post(cost.lt(10));
/// assert_eq!(model.count(10)?, 2);
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
pub fn element<E: Into<Expr>>(
    array: impl IntoIterator<Item = E>,
    index: impl Into<Expr>,
    value: impl Into<Expr>,
) -> Constraint {
    let mut exprs: Vec<Expr> = vec![index.into(), value.into()];
    exprs.extend(array.into_iter().map(Into::into));
    Constraint::rule(exprs, Element)
}

/// Beyond so many values of entries they are compared as numbers.
const MOST_VALUES: u64 = 100_000;

/// The index, the value, and the array.
#[derive(Debug)]
struct Element(Vec<View>);

impl Element {
    fn parts(&self) -> (View, View, &[View]) {
        (self.0[0], self.0[1], &self.0[2..])
    }

    /// True if the entries are compared with the value as numbers, and not value by value.
    fn is_wide(&self, domains: &Domains, choice: IntEncoding) -> bool {
        let sizes = self.0[1..].iter().map(|&view| domains.size(view));
        match choice {
            IntEncoding::Unary => false,
            IntEncoding::Binary => true,
            IntEncoding::Auto => sizes.fold(0, u64::saturating_add) > MOST_VALUES,
        }
    }

    /// Each index with what makes its entry the value; `None` where there is no such entry.
    fn entries<'s>(&'s self, domains: &Domains) -> impl Iterator<Item = (i64, Option<Linear>)> + 's {
        let (index, value, array) = self.parts();
        domains.values(index).into_iter().map(move |at| {
            let entry = usize::try_from(at).ok().and_then(|at| array.get(at));
            (at, entry.map(|&entry| Linear::of_views(&[(entry, 1), (value, -1)], Compare::Equal, 0)))
        })
    }
}

impl Rule for Element {
    fn text(&self) -> String {
        let (index, value, array) = self.parts();
        format!("element({}, {index}, {value})", super::list(array))
    }

    fn variables(&self, found: &mut Vec<IntVar>) {
        super::variables_of(&self.0, found);
    }

    fn shrink(&self, domains: &mut Domains) -> Result<(), Empty> {
        let (index, value, array) = self.parts();
        domains.within(index, array.len())?;
        let entry = |at: i64| usize::try_from(at).ok().and_then(|at| array.get(at)).copied();
        let mut indices = domains.values(index);
        indices.retain(|&at| entry(at).is_some_and(|entry| domains.may_meet(entry, value)));
        domains.keep_only(index, indices.iter().copied())?;
        let entries: Vec<View> = indices.iter().filter_map(|&at| entry(at)).collect();
        if entries.iter().map(|&entry| domains.size(entry)).fold(0, u64::saturating_add) <= Domains::MANY {
            let possible: Vec<i64> = entries.iter().flat_map(|&entry| domains.values(entry)).collect();
            domains.keep_only(value, possible)?;
        } else {
            let bounds: Vec<(i64, i64)> = entries.iter().map(|&entry| domains.bounds(entry)).collect();
            domains.at_least(value, bounds.iter().map(|&(min, _)| min).min().unwrap_or(0))?;
            domains.at_most(value, bounds.iter().map(|&(_, max)| max).max().unwrap_or(0))?;
        }
        if let [only] = entries[..] {
            let (min, max) = domains.bounds(value);
            domains.at_least(only, min)?;
            domains.at_most(only, max)?;
            if domains.size(value) <= Domains::MANY {
                let values = domains.values(value);
                domains.keep_only(only, values)?;
            }
        }
        Ok(())
    }

    fn needs(&self, domains: &Domains, needs: &mut Needs) {
        if self.is_wide(domains, needs.choice) {
            needs.direct(self.0[0]);
            self.entries(domains).filter_map(|(_, same)| same).for_each(|same| same.needs(domains, needs));
            return;
        }
        self.0.iter().for_each(|&view| needs.direct(view));
    }

    fn encode(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        let (index, value, array) = self.parts();
        if self.is_wide(encoder.domains(), encoder.choice.int) {
            encoder.way("comparisons as numbers: entries have many values");
            for (at, same) in self.entries(encoder.domains()) {
                let chosen = encoder.is(index, at);
                match same {
                    None => encoder.clause([!chosen])?,
                    Some(same) => encoder.given(chosen, |encoder| same.encode(encoder))?,
                }
            }
            return Ok(());
        }
        encoder.way("clauses for each value of each entry");
        let mut sources: Vec<(i64, i64)> = Vec::new();
        for at in encoder.domains().values(index) {
            let chosen = encoder.is(index, at);
            let Some(&entry) = usize::try_from(at).ok().and_then(|at| array.get(at)) else {
                encoder.clause([!chosen])?;
                continue;
            };
            for own in encoder.domains().values(entry) {
                let (has, result) = (encoder.is(entry, own), encoder.is(value, own));
                encoder.clause([!chosen, !has, result])?;
                sources.push((own, at));
            }
        }
        // A value comes from some index.
        sources.sort_unstable();
        for own in encoder.domains().values(value) {
            let from = sources.partition_point(|source| source.0 < own);
            let to = sources.partition_point(|source| source.0 <= own);
            let mut clause: Vec<Truth> = sources[from..to].iter().map(|&(_, at)| encoder.is(index, at)).collect();
            clause.push(!encoder.is(value, own));
            encoder.clause(clause)?;
        }
        Ok(())
    }

    fn negated(&self) -> Constraint {
        let (index, value, array) = self.parts();
        let expr = Expr::from(index);
        let last = array.len() as i64 - 1;
        let outside = expr.clone().lt(0).or(expr.clone().gt(last));
        let other = (0..).zip(array).map(|(at, &entry)| expr.clone().eq(at).and(Expr::from(entry).ne(value)));
        any(other.chain([outside]))
    }

    fn holds(&self, value: &dyn Fn(IntVar) -> i64) -> bool {
        let (index, result, array) = self.parts();
        let entry = usize::try_from(index.of(value)).ok().and_then(|at| array.get(at));
        entry.is_some_and(|entry| entry.of(value) == result.of(value))
    }
}
