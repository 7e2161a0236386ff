//! Expressions of constraints as sums: each variable once, no factor 0, nothing beyond 64 bits.

use super::constraint::Compare;
use super::rule::Linear;
use super::variables::{Domain, Expr, ExprFactor, IntVar, Test, View, few_sums};
use super::{Model, ModelError};
use cnfkit_core::internals::{gcd, sort};

/// Adds up the factors of each variable.
pub(super) fn merge(terms: &mut Vec<(IntVar, i128)>) {
    sort::by_key(terms, |&(var, _)| var.index.into());
    terms.dedup_by(|(var, factor), (last, sum)| {
        let same = last.index == var.index;
        *sum += if same { *factor } else { 0 };
        same
    });
}

impl Model {
    /// A sum with each variable once.
    pub(super) fn collect(&mut self, expr: Expr) -> Option<(Vec<(IntVar, i64)>, i64)> {
        let (terms, constant, reach) = self.merged(expr)?;
        if reach.saturating_add(constant.unsigned_abs()) > Self::LARGEST {
            self.fail(ModelError::TooLarge { constraint: self.posted.len() });
            return None;
        }
        Some((terms, constant as i64))
    }

    /// A sum with each variable once, a constant, and the greatest distance of the sum alone from 0.
    fn merged(&mut self, expr: Expr) -> Option<(Vec<(IntVar, i64)>, i128, u128)> {
        let mut constant = expr.constant;
        let mut terms: Vec<(IntVar, i128)> = Vec::with_capacity(expr.terms.len());
        for (unit, factor) in expr.terms {
            let factor = i128::from(factor);
            match unit {
                ExprFactor::Int(var) => {
                    self.check(var);
                    terms.push((var, factor));
                }
                ExprFactor::Bool(bool) => {
                    self.check(bool.var);
                    let is_own = bool.test == Test::AtLeast(1) && self.domain(bool.var).bounds() == (0, 1);
                    let var = if is_own { bool.var } else { self.integer(bool) };
                    constant = constant.saturating_add(if bool.negated { factor } else { 0 });
                    terms.push((var, if bool.negated { -factor } else { factor }));
                }
            }
        }
        merge(&mut terms);
        terms.retain(|&(_, factor)| factor != 0);
        // Every sum of some of the terms fits.
        let reach: u128 = terms.iter().map(|&(var, factor)| self.reach(var, factor)).sum();
        if expr.overflows || reach > Self::LARGEST {
            self.fail(ModelError::TooLarge { constraint: self.posted.len() });
            return None;
        }
        Some((terms.into_iter().map(|(var, factor)| (var, factor as i64)).collect(), constant, reach))
    }

    /// The greatest distance from 0 of a multiple of a variable.
    fn reach(&self, var: IntVar, factor: i128) -> u128 {
        let (min, max) = self.domains[var.index as usize].bounds();
        factor.unsigned_abs() * u128::from(min.unsigned_abs().max(max.unsigned_abs()))
    }

    /// The greatest sum: differences of two fit 64 bits, with a duration, too.
    const LARGEST: u128 = (1 << 61) - 1;

    pub(super) fn linear(&mut self, expr: Expr, compare: Compare) -> Linear {
        let known = |bound: i64| Linear { terms: Vec::new(), compare, bound };
        let Some((mut terms, constant, reach)) = self.merged(expr) else { return known(0) };
        if reach.saturating_add(constant.unsigned_abs()) > Self::LARGEST {
            if constant.unsigned_abs() <= reach {
                self.fail(ModelError::TooLarge { constraint: self.posted.len() });
            }
            return known(-constant.signum() as i64); // beyond all that the sum reaches
        }
        let mut bound = -constant as i64;
        let is_one = terms.iter().any(|&(_, factor)| factor.unsigned_abs() == 1);
        let all = terms.iter().filter(|_| !is_one).map(|&(_, factor)| u128::from(factor.unsigned_abs()));
        let divisor = all.fold(0, gcd);
        if divisor > 1
            && let Ok(by) = i64::try_from(divisor)
        {
            if compare != Compare::AtMost && bound % by != 0 {
                return known(1); // never equal: a sum of nothing that should be 1
            }
            terms.iter_mut().for_each(|(_, factor)| *factor /= by);
            bound = bound.div_euclid(by);
        }
        Linear { terms, compare, bound }
    }

    /// The view that stands for an expression; sums get a variable of their own.
    pub(super) fn view(&mut self, expr: Expr) -> View {
        let zero = View { var: self.makers().var(0), factor: 0, offset: 0 };
        if let [(ExprFactor::Int(var), factor @ 1..)] = expr.terms[..]
            && !expr.overflows
        {
            self.check(var);
            if self.reach(var, factor.into()) + expr.constant.unsigned_abs() <= Self::LARGEST {
                return View { var, factor, offset: expr.constant as i64 };
            }
        }
        let Some((terms, offset)) = self.collect(expr) else { return zero };
        match terms[..] {
            [] => View { offset, ..zero },
            [(var, factor)] => View { var, factor, offset },
            _ => {
                let sum = self.int(self.sums(&terms, offset));
                let terms = terms.into_iter().map(|(var, factor)| (ExprFactor::Int(var), factor)).collect();
                self.define_by(Expr { terms, constant: offset.into(), overflows: false }.eq(sum));
                View::whole(sum)
            }
        }
    }

    /// The values of a sum: each of them where they are few, otherwise all between the least and the greatest.
    fn sums(&self, terms: &[(IntVar, i64)], offset: i64) -> Domain {
        let domain = |var: IntVar| &self.domains[var.index as usize];
        if let Some(sums) = few_sums(terms.iter().map(|&(var, factor)| (domain(var), factor.into())), offset.into()) {
            return sums.into_iter().map(|sum| sum as i64).collect();
        }
        let ends = terms.iter().map(|&(var, factor)| View { var, factor, offset: 0 }.bounds(domain(var)));
        let (min, max) = ends.fold((offset, offset), |(min, max), (least, most)| (min + least, max + most));
        (min..=max).into()
    }
}
