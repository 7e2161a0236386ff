//! Variables that are functions of others, with the bounds that follow from theirs.

use super::node::ConstraintNode;
use super::rule;
use super::variables::{Expr, IntVar};
use super::{Constraint, Model, ModelError};

impl Model {
    /// A variable that is the absolute value of `x`: posts [`abs`](crate::abs).
    pub fn abs(&mut self, x: impl Into<Expr>) -> IntVar {
        let x = x.into();
        let (min, max) = self.bounds_of(&x);
        let least = if min > 0 { min } else { (-max).max(0) };
        self.defined(least, max.max(-min), |result| rule::abs(x, result))
    }

    /// A variable that is `x · y`: posts [`times`](crate::times).
    ///
    /// ```
    /// use cnfkit::model::Model;
    /// let mut model = Model::new();
    /// let (x, y) = (model.int(-3..=4), model.int(2..=5));
    /// let product = model.product(x, y);
    /// let distance = model.abs(x - y);
    /// assert_eq!(model.domain(product).min(), Some(-15));
    /// assert_eq!(model.domain(product).max(), Some(20));
    /// model.post(product.eq(6) & distance.le(1));
    /// assert_eq!(model.count(10)?, 2); // 2 · 3 and 3 · 2
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    pub fn product(&mut self, x: impl Into<Expr>, y: impl Into<Expr>) -> IntVar {
        let (x, y) = (x.into(), y.into());
        let ((a, b), (c, d)) = (self.bounds_of(&x), self.bounds_of(&y));
        let ends = [(a, c), (a, d), (b, c), (b, d)].map(|(one, other)| one.saturating_mul(other));
        let (min, max) = (ends.into_iter().min().unwrap_or(0), ends.into_iter().max().unwrap_or(0));
        self.defined(min, max, |result| rule::times(x, y, result))
    }

    /// A variable that is `x / y`, rounded towards zero: posts [`div`](crate::div). `y` is not 0 then.
    ///
    /// ```
    /// use cnfkit::model::Model;
    /// let mut model = Model::new();
    /// let x = model.int(10..=19);
    /// let (fours, ones) = (model.div(x, 4), model.modulo(x, 4));
    /// model.post(fours.eq(ones));
    /// assert_eq!(model.count(100)?, 2); // 2 · 4 + 2 and 3 · 4 + 3
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    pub fn div(&mut self, x: impl Into<Expr>, y: impl Into<Expr>) -> IntVar {
        let (x, y) = (x.into(), y.into());
        let (min, max) = self.bounds_of(&x);
        let (c, d) = self.bounds_of(&y);
        let most = max.max(-min);
        // A quotient has the sign of `x` where `y` is above 0.
        let (least, most) = if c >= 0 {
            (min.min(0), max.max(0))
        } else if d <= 0 {
            ((-max).min(0), (-min).max(0))
        } else {
            (-most, most)
        };
        self.defined(least, most, |result| rule::div(x, y, result))
    }

    /// A variable that is the remainder of `x / y`, with the sign of `x`: posts [`modulo`](crate::modulo). `y` is not 0
    /// then.
    pub fn modulo(&mut self, x: impl Into<Expr>, y: impl Into<Expr>) -> IntVar {
        let (x, y) = (x.into(), y.into());
        let ((min, max), (c, d)) = (self.bounds_of(&x), self.bounds_of(&y));
        let most = (d.max(-c) - 1).max(0);
        self.defined(min.clamp(-most, 0), max.clamp(0, most), |result| rule::modulo(x, y, result))
    }

    /// A variable that is the greatest of the expressions: posts [`maximum`](crate::maximum). Without any there is no
    /// solution.
    pub fn max<E: Into<Expr>>(&mut self, exprs: impl IntoIterator<Item = E>) -> IntVar {
        let exprs: Vec<Expr> = exprs.into_iter().map(Into::into).collect();
        let bounds: Vec<(i128, i128)> = exprs.iter().map(|expr| self.bounds_of(expr)).collect();
        let least = bounds.iter().map(|&(min, _)| min).max().unwrap_or(0);
        let most = bounds.iter().map(|&(_, max)| max).max().unwrap_or(0);
        self.defined(least, most, |result| rule::maximum(exprs, result))
    }

    /// A variable that is the least of the expressions: posts [`minimum`](crate::minimum). Without any there is no
    /// solution.
    ///
    /// ```
    /// use cnfkit::model::Model;
    /// let mut model = Model::new();
    /// let x = model.ints(3, 2..=7);
    /// let (least, most) = (model.min(&x), model.max(x.iter().map(|x| 2 * x)));
    /// let third = model.element([5, 7, 9], x[0] - 2); // x[0] is 2, 3 or 4
    /// assert_eq!(model.domain(most).max(), Some(14));
    /// assert_eq!(model.domain(third).min(), Some(5));
    /// model.post(most.le(2 * least));
    /// assert_eq!(model.count(10)?, 3);
    /// # Ok::<(), cnfkit::model::ModelError>(())
    /// ```
    pub fn min<E: Into<Expr>>(&mut self, exprs: impl IntoIterator<Item = E>) -> IntVar {
        let exprs: Vec<Expr> = exprs.into_iter().map(Into::into).collect();
        let bounds: Vec<(i128, i128)> = exprs.iter().map(|expr| self.bounds_of(expr)).collect();
        let least = bounds.iter().map(|&(min, _)| min).min().unwrap_or(0);
        let most = bounds.iter().map(|&(_, max)| max).min().unwrap_or(0);
        self.defined(least, most, |result| rule::minimum(exprs, result))
    }

    /// A variable that is the expression at `index`, from 0: posts [`element`](crate::element). Without any there is no
    /// solution.
    pub fn element<E: Into<Expr>>(&mut self, array: impl IntoIterator<Item = E>, index: impl Into<Expr>) -> IntVar {
        let exprs: Vec<Expr> = array.into_iter().map(Into::into).collect();
        let bounds: Vec<(i128, i128)> = exprs.iter().map(|expr| self.bounds_of(expr)).collect();
        let least = bounds.iter().map(|&(min, _)| min).min().unwrap_or(0);
        let most = bounds.iter().map(|&(_, max)| max).max().unwrap_or(0);
        let index = index.into();
        self.defined(least, most, |result| rule::element(exprs, index, result))
    }

    /// The least and the greatest value of a sum, by the domains of its variables.
    fn bounds_of(&self, expr: &Expr) -> (i128, i128) {
        let constant = expr.constant;
        expr.terms.iter().fold((constant, constant), |(min, max), &(unit, factor)| {
            let (low, high) = unit.bounds(|var| self.domain(var).bounds());
            let (one, other) = (i128::from(factor) * low, i128::from(factor) * high);
            (min.saturating_add(one.min(other)), max.saturating_add(one.max(other)))
        })
    }

    /// A variable between these bounds for which the constraint is posted; bounds beyond 64 bits are an error that
    /// every question reports, and that names the constraint.
    fn defined(&mut self, least: i128, most: i128, make: impl FnOnce(IntVar) -> Constraint) -> IntVar {
        let fits = i64::try_from(least).ok().zip(i64::try_from(most).ok());
        let (least, most) = fits.unwrap_or_default();
        let result = self.int(least..=most.max(least));
        let node = ConstraintNode::of(make(result), true, self);
        if fits.is_none() {
            self.fail(ModelError::TooWide { constraint: self.posted.len(), text: node.text(self) });
        }
        self.push(node, false);
        result
    }
}
