//! *Element*: a value is the one at an index of an array.

use super::{Domains, Empty, Encoder, Linear, Needs, ViewRule};
use crate::choice::IntEncoding;
use crate::constraint::{Compare, Constraint, any};
use crate::variables::{Expr, IntVar, View};
use crate::writer::{Truth, WIDE};
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
    let mut exprs = vec![(index.into(), None), (value.into(), None)];
    exprs.extend(array.into_iter().map(|entry| (entry.into(), None)));
    exprs[0].1 = Some((0, exprs.len() as i64 - 3));
    Constraint::rule_within(exprs, Element)
}

/// Beyond so many values of entries that are variables they are compared as numbers.
const MOST_VALUES: u64 = if cfg!(test) { 8 } else { 1_000 }; // brute force sees both ways
/// As many where they are constants.
const MOST_CONSTANTS: u64 = 100_000;
/// The value is bounded by as many entries that are left, and by no more: a clause for each has all before it.
const MOST_BOUNDED: usize = 256;

/// The index, the value, and the array.
#[derive(Debug)]
struct Element(Vec<View>);

impl Element {
    fn parts(&self) -> (View, View, &[View]) {
        (self.0[0], self.0[1], &self.0[2..])
    }

    /// True if the entries are compared with the value as numbers, and not value by value.
    fn is_wide(&self, domains: &Domains, choice: IntEncoding) -> bool {
        let (value, entries) = (domains.size(self.0[1]), self.0[2..].iter().map(|&view| domains.size(view)));
        let [fixed, open] = entries.fold([0_u64; 2], |[fixed, open], size| match size {
            1 => [fixed + 1, open],
            _ => [fixed, open.saturating_add(size)],
        });
        match choice {
            IntEncoding::Unary => false,
            IntEncoding::Binary => true,
            IntEncoding::Auto => open > MOST_VALUES || fixed.saturating_add(value) > MOST_CONSTANTS,
        }
    }

    /// True if the value is also bounded by the entries that are left, where these are compared as numbers.
    fn bounds_value(&self, domains: &Domains, choice: IntEncoding) -> bool {
        choice == IntEncoding::Auto && domains.size(self.0[1]) <= WIDE && self.0.len() <= MOST_BOUNDED
    }

    /// The value is at least what all entries are that are left, as far as domains say, and at most that: where it is
    /// less, an entry is chosen that may be less.
    fn encode_bounds(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        let (index, value, array) = self.parts();
        let domains = encoder.domains();
        for sign in [1, -1] {
            let least = |at: i64| {
                let (min, max) = domains.bounds(*array.get(usize::try_from(at).ok()?)?);
                Some((if sign > 0 { min } else { -max }, at))
            };
            let mut entries: Vec<(i64, i64)> = domains.values(index).into_iter().filter_map(least).collect();
            entries.sort_unstable();
            for split in 1..entries.len() {
                let (less, least) = (&entries[..split], entries[split].0);
                if least > less[split - 1].0 {
                    let follows =
                        if sign > 0 { encoder.at_least(value, least) } else { !encoder.at_least(value, 1 - least) };
                    let clause: Vec<Truth> =
                        less.iter().map(|&(_, at)| encoder.is(index, at)).chain([follows]).collect();
                    encoder.clause(clause)?;
                }
            }
        }
        Ok(())
    }

    /// Each index of an entry with what makes that the value. The index may have any number of others.
    fn entries(&self, domains: &Domains) -> Vec<(i64, Linear)> {
        let (index, value, array) = self.parts();
        let own = (0..).zip(array).filter(|&(at, _)| domains.contains(index, at));
        own.map(|(at, &entry)| (at, Linear::of_views(&[(entry, 1), (value, -1)], Compare::Equal, 0))).collect()
    }
}

impl ViewRule for Element {
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
            if self.bounds_value(domains, needs.choice) {
                needs.order(self.0[1]);
            }
            self.entries(domains).iter().for_each(|(_, same)| same.needs(domains, needs));
            return;
        }
        self.0.iter().for_each(|&view| needs.direct(view));
    }

    fn encode(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        let (index, value, array) = self.parts();
        if self.is_wide(encoder.domains(), encoder.context().choice.int) {
            encoder.output.way("comparisons as numbers: entries have many values");
            for (at, same) in self.entries(encoder.domains()) {
                let chosen = encoder.is(index, at);
                encoder.given(chosen, |encoder| same.encode(encoder))?;
            }
            for at in encoder.domains().values(index) {
                if !(0..array.len() as i64).contains(&at) {
                    let chosen = encoder.is(index, at);
                    encoder.clause([!chosen])?;
                }
            }
            if self.bounds_value(encoder.domains(), encoder.context().choice.int) {
                self.encode_bounds(encoder)?;
            }
            return Ok(());
        }
        encoder.output.way("clauses for each value of each entry");
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
