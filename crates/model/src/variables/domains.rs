//! The domains of all variables while they shrink: values that no solution has are taken away before anything is
//! encoded.
//!
//! Every rule takes away what it alone can rule out; whatever changes wakes the rules about that variable, until
//! nothing changes any more or a domain is empty.

use super::domain::Domain;
use super::expr::{Bool, IntVar, Test};
use super::view::View;

/// Some variable has no value left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Empty;

/// A domain for each variable, and which of them changed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Domains {
    all: Vec<Domain>,
    changed: Vec<u32>,
    is_changed: Vec<bool>,
}

impl Domains {
    pub(crate) fn new(all: Vec<Domain>) -> Self {
        let is_changed = vec![false; all.len()];
        Self { all, changed: Vec::new(), is_changed }
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    pub(crate) fn of(&self, var: IntVar) -> &Domain {
        &self.all[var.index as usize]
    }

    pub(crate) fn all(&self) -> &[Domain] {
        &self.all
    }

    /// A variable that changed since it was last asked for.
    pub(crate) fn next_changed(&mut self) -> Option<u32> {
        let index = self.changed.pop()?;
        self.is_changed[index as usize] = false;
        Some(index)
    }

    fn change(&mut self, var: IntVar, change: impl FnOnce(&mut Domain) -> bool) -> Result<(), Empty> {
        let index = var.index as usize;
        let domain = &mut self.all[index];
        if change(domain) {
            if domain.is_empty() {
                return Err(Empty);
            }
            if !std::mem::replace(&mut self.is_changed[index], true) {
                self.changed.push(var.index);
            }
        }
        Ok(())
    }

    pub(crate) fn bounds(&self, view: View) -> (i64, i64) {
        if view.is_constant() { (view.offset, view.offset) } else { view.bounds(self.of(view.var)) }
    }

    pub(crate) fn value(&self, view: View) -> Option<i64> {
        if view.is_constant() { Some(view.offset) } else { self.of(view.var).value().map(|value| view.of_value(value)) }
    }

    pub(crate) fn contains(&self, view: View, value: i64) -> bool {
        if view.is_constant() {
            return value == view.offset;
        }
        view.to_value(value).is_some_and(|value| self.of(view.var).contains(value))
    }

    /// The values of a view, ascending for a positive factor.
    pub(crate) fn values(&self, view: View) -> Vec<i64> {
        if view.is_constant() {
            return vec![view.offset];
        }
        self.of(view.var).iter().map(|value| view.of_value(value)).collect()
    }

    pub(crate) fn size(&self, view: View) -> u64 {
        if view.is_constant() { 1 } else { self.of(view.var).len() }
    }

    pub(crate) fn remove(&mut self, view: View, value: i64) -> Result<(), Empty> {
        if view.is_constant() {
            return if value == view.offset { Err(Empty) } else { Ok(()) };
        }
        match view.to_value(value) {
            None => Ok(()),
            Some(value) => self.change(view.var, |domain| domain.remove(value)),
        }
    }

    pub(crate) fn fix(&mut self, view: View, value: i64) -> Result<(), Empty> {
        if !self.contains(view, value) {
            return Err(Empty);
        }
        match view.to_value(value) {
            None => Ok(()),
            Some(value) => self.change(view.var, |domain| domain.keep_from(value) | domain.keep_to(value)),
        }
    }

    pub(crate) fn at_least(&mut self, view: View, least: i64) -> Result<(), Empty> {
        if view.is_constant() {
            return if view.offset >= least { Ok(()) } else { Err(Empty) };
        }
        let over = i128::from(least) - i128::from(view.offset);
        let factor = i128::from(view.factor);
        if factor > 0 {
            self.keep_from(view.var, -((-over).div_euclid(factor)))
        } else {
            self.keep_to(view.var, (-over).div_euclid(-factor))
        }
    }

    pub(crate) fn at_most(&mut self, view: View, most: i64) -> Result<(), Empty> {
        if view.is_constant() {
            return if view.offset <= most { Ok(()) } else { Err(Empty) };
        }
        let over = i128::from(most) - i128::from(view.offset);
        let factor = i128::from(view.factor);
        if factor > 0 {
            self.keep_to(view.var, over.div_euclid(factor))
        } else {
            self.keep_from(view.var, -(over.div_euclid(-factor)))
        }
    }

    /// The variable is at least this, which may be beyond any value.
    pub(crate) fn keep_from(&mut self, var: IntVar, least: i128) -> Result<(), Empty> {
        match i64::try_from(least) {
            Ok(least) => self.change(var, |domain| domain.keep_from(least)),
            Err(_) if least > 0 => Err(Empty),
            Err(_) => Ok(()),
        }
    }

    /// The variable is at most this, which may be beyond any value.
    pub(crate) fn keep_to(&mut self, var: IntVar, most: i128) -> Result<(), Empty> {
        match i64::try_from(most) {
            Ok(most) => self.change(var, |domain| domain.keep_to(most)),
            Err(_) if most < 0 => Err(Empty),
            Err(_) => Ok(()),
        }
    }

    pub(crate) fn retain(&mut self, view: View, mut keep: impl FnMut(i64) -> bool) -> Result<(), Empty> {
        if view.is_constant() {
            return if keep(view.offset) { Ok(()) } else { Err(Empty) };
        }
        self.change(view.var, |domain| domain.retain(|value| keep(view.of_value(value))))
    }

    /// Keeps what is among these values, in any order.
    pub(crate) fn keep_only(&mut self, view: View, values: impl IntoIterator<Item = i64>) -> Result<(), Empty> {
        if view.is_constant() {
            return if values.into_iter().any(|value| value == view.offset) { Ok(()) } else { Err(Empty) };
        }
        let mut kept: Vec<i64> = values.into_iter().filter_map(|value| view.to_value(value)).collect();
        kept.sort_unstable();
        kept.dedup();
        self.change(view.var, |domain| domain.keep_only(&kept))
    }

    /// The view is at least 0 and below `n`.
    pub(crate) fn within(&mut self, view: View, n: usize) -> Result<(), Empty> {
        self.at_least(view, 0)?;
        self.at_most(view, n as i64 - 1)
    }

    /// False if two views have no value in common; where both have many values, only their ends are looked at.
    pub(crate) fn may_meet(&self, one: View, other: View) -> bool {
        let (few, many) = if self.size(one) <= self.size(other) { (one, other) } else { (other, one) };
        if self.size(few) > Self::MANY {
            let (a, b) = (self.bounds(one), self.bounds(other));
            return a.0 <= b.1 && b.0 <= a.1;
        }
        self.values(few).into_iter().any(|value| self.contains(many, value))
    }

    /// Values that are looked at one by one.
    pub(crate) const MANY: u64 = 100_000;

    /// [`retain`](Self::retain) with a look at all domains.
    pub(crate) fn retain_with(&mut self, view: View, keep: impl Fn(i64, &Self) -> bool) -> Result<(), Empty> {
        let mut kept = self.values(view);
        let before = kept.len();
        kept.retain(|&value| keep(value, self));
        if kept.len() == before {
            return Ok(());
        }
        kept.sort_unstable();
        self.retain(view, |value| kept.binary_search(&value).is_ok())
    }

    /// The truth value of a test, where the domain decides it.
    pub(crate) fn truth(&self, bool: Bool) -> Option<bool> {
        let domain = self.of(bool.var);
        let (min, max) = domain.bounds();
        let value = match bool.test {
            Test::Is(value) if !domain.contains(value) => Some(false),
            Test::Is(_) => (min == max).then_some(true),
            Test::AtLeast(least) if least <= min => Some(true),
            Test::AtLeast(least) => (least > max).then_some(false),
        };
        value.map(|value| value != bool.negated)
    }

    pub(crate) fn assert(&mut self, bool: Bool) -> Result<(), Empty> {
        let view = View::whole(bool.var);
        match (bool.test, bool.negated) {
            (Test::Is(value), false) => self.fix(view, value),
            (Test::Is(value), true) => self.remove(view, value),
            (Test::AtLeast(least), false) => self.at_least(view, least),
            (Test::AtLeast(above), true) => self.keep_to(bool.var, i128::from(above) - 1),
        }
    }
}
