//! Functions of one or two values: absolute value, product, quotient, remainder.
//!
//! For small domains: a clause for each combination of arguments, *these values of the arguments imply that value of
//! the result*. Where two of three values are known, unit propagation finds the third. For large ones: binary numbers
//! (`arithmetic`).

use super::arithmetic::{self, ArithmeticFunction};
use super::{Domains, Empty, Encoder, Linear, Needs, ViewRule};
use crate::choice::IntEncoding;
use crate::constraint::{Compare, Constraint, any};
use crate::variables::{Expr, IntVar, View};
use crate::writer::{Truth, WIDE};
use cnfkit_core::{CapacityError, ClauseSink, Size};

/// `result` is the absolute value of `x`: MiniZinc's `int_abs`.
///
/// ```
/// use cnfkit::model::{Model, abs};
/// let mut model = Model::new();
/// let x = model.ints(3, 0..=4);
/// model.post(abs(x[0] - x[1], 1) & !abs(x[1] - x[2], 1));
/// assert_eq!(model.count(100)?, 8 * 5 - 14);
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
pub fn abs(x: impl Into<Expr>, result: impl Into<Expr>) -> Constraint {
    let (x, result) = (x.into(), result.into());
    match result.known() {
        // Two comparisons need no variable that is the difference.
        Some(known @ 0..) if x.terms.len() == 2 => any([x.eq(known), x.eq(-known)]),
        _ => function(vec![x, result], ArithmeticFunction::Abs),
    }
}

/// `result` is `x · y`: MiniZinc's `int_times`. Products with a number are written `3 * x`.
///
/// ```
/// use cnfkit::model::{Model, times};
/// let mut model = Model::new();
/// let (x, y) = (model.int(2..=50), model.int(2..=50));
/// model.post(times(x, y, 221));
/// model.post(x.lt(y));
/// let solution = model.solve()?.expect("221 = 13 · 17");
/// assert_eq!((solution.value(x), solution.value(y)), (13, 17));
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
pub fn times(x: impl Into<Expr>, y: impl Into<Expr>, result: impl Into<Expr>) -> Constraint {
    function(vec![x.into(), y.into(), result.into()], ArithmeticFunction::Times)
}

/// `result` is `x / y`, rounded towards zero: MiniZinc's `int_div`. `y` is not 0 then.
///
/// ```
/// use cnfkit::model::{Model, div};
/// let mut model = Model::new();
/// let x = model.int(-9..=9);
/// model.post(div(x, 4, -1));
/// assert_eq!(model.count(100)?, 4); // -7 to -4
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
pub fn div(x: impl Into<Expr>, y: impl Into<Expr>, result: impl Into<Expr>) -> Constraint {
    function(vec![x.into(), y.into(), result.into()], ArithmeticFunction::Div)
}

/// `result` is the remainder of `x / y`, with the sign of `x`: MiniZinc's `int_mod`. `y` is not 0 then.
///
/// ```
/// use cnfkit::model::{Model, modulo};
/// let mut model = Model::new();
/// let x = model.int(-20..=20);
/// model.post(modulo(x, 7, 3));
/// model.post(modulo(x, 5, 2));
/// assert_eq!(model.backbone()?.expect("there is one").value(x), Some(17));
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
pub fn modulo(x: impl Into<Expr>, y: impl Into<Expr>, result: impl Into<Expr>) -> Constraint {
    function(vec![x.into(), y.into(), result.into()], ArithmeticFunction::Mod)
}

/// `result` is `x` to the power of `y`: MiniZinc's `int_pow`. Negative powers are quotients, `1 / xʸ` rounded towards
/// zero, so `x` is not 0 then.
///
/// ```
/// use cnfkit::model::{Model, pow};
/// let mut model = Model::new();
/// let (x, y) = (model.int(2..=9), model.int(2..=9));
/// model.post(pow(x, y, 64));
/// assert_eq!(model.count(10)?, 3); // 2⁶, 4³ and 8²
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
pub fn pow(x: impl Into<Expr>, y: impl Into<Expr>, result: impl Into<Expr>) -> Constraint {
    function(vec![x.into(), y.into(), result.into()], ArithmeticFunction::Pow)
}

fn function(exprs: Vec<Expr>, kind: ArithmeticFunction) -> Constraint {
    Constraint::rule(exprs, move |views| Function { views, kind, fails: false })
}

/// The last view is a function of the others, or is not.
#[derive(Debug)]
struct Function {
    views: Vec<View>,
    kind: ArithmeticFunction,
    fails: bool,
}

/// With more choices of arguments or values of the result than this, values are binary numbers, and only what is
/// outside of their bounds is ruled out beforehand: gaps would cost more.
const MOST_CHOICES: u64 = 10_000;
/// The limit for powers, which have no other encoding than value by value.
const MOST_POWERS: u64 = 1_000_000;

impl Function {
    /// The number of choices of arguments, as far as 64 bits say.
    fn choices(&self, domains: &Domains) -> u64 {
        let (_, args) = self.views.split_last().expect("a result");
        args.iter().fold(1, |product, &view| product.saturating_mul(domains.size(view)))
    }

    /// True if values are binary numbers.
    fn is_wide(&self, domains: &Domains, choice: IntEncoding) -> bool {
        match (self.kind, choice) {
            (ArithmeticFunction::Pow, _) | (_, IntEncoding::Unary) => false,
            (_, IntEncoding::Binary) => true,
            (_, IntEncoding::Auto) => {
                // A result that need not hold may have any number of values.
                let results = self.views.last().map_or(0, |&result| domains.size(result));
                self.choices(domains).max(results) > MOST_CHOICES
            }
        }
    }

    /// Calls `visit` for every choice of arguments.
    fn each(&self, domains: &Domains, visit: &mut dyn FnMut(&[i64])) {
        let (_, args) = self.views.split_last().expect("a result");
        let values: Vec<Vec<i64>> = args.iter().map(|&view| domains.values(view)).collect();
        match &values[..] {
            [one] => one.iter().for_each(|&x| visit(&[x])),
            [one, other] => one.iter().for_each(|&x| other.iter().for_each(|&y| visit(&[x, y]))),
            _ => unreachable!("one or two arguments"),
        }
    }
}

impl ViewRule for Function {
    fn text(&self) -> String {
        let (result, args) = self.views.split_last().expect("a result");
        let is = if self.fails { "!=" } else { "=" };
        let sign = match self.kind {
            ArithmeticFunction::Abs => return format!("abs({}) {is} {result}", args[0]),
            ArithmeticFunction::Times => "*",
            ArithmeticFunction::Div => "/",
            ArithmeticFunction::Mod => "%",
            ArithmeticFunction::Pow => "^",
        };
        format!("({}) {sign} ({}) {is} {result}", args[0], args[1])
    }

    fn variables(&self, found: &mut Vec<IntVar>) {
        super::variables_of(&self.views, found);
    }

    fn shrink(&self, domains: &mut Domains) -> Result<(), Empty> {
        if self.fails {
            return Ok(());
        }
        if self.choices(domains) > if self.kind == ArithmeticFunction::Pow { MOST_POWERS } else { MOST_CHOICES } {
            return arithmetic::shrink(self.kind, &self.views, domains);
        }
        let (&result, args) = self.views.split_last().expect("a result");
        let mut seen: Vec<Vec<i64>> = vec![Vec::new(); self.views.len()];
        self.each(domains, &mut |values| {
            if let Some(value) = self.kind.of(values).filter(|&value| domains.contains(result, value)) {
                seen.iter_mut().zip(values.iter().chain([&value])).for_each(|(seen, &value)| seen.push(value));
            }
        });
        args.iter().chain([&result]).zip(seen).try_for_each(|(&view, seen)| domains.keep_only(view, seen))
    }

    fn needs(&self, domains: &Domains, needs: &mut Needs) {
        if self.is_wide(domains, needs.choice) {
            arithmetic::needs(self.kind, &self.views, domains, needs);
        } else {
            self.views.iter().for_each(|&view| needs.direct(view));
        }
    }

    fn encode(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        if self.is_wide(encoder.domains(), encoder.context().choice.int) {
            encoder.output.way("binary numbers: more than 10,000 choices of arguments, or values of the result");
            if arithmetic::is_too_wide(self.kind, &self.views, encoder.domains()) {
                encoder.output.too_wide = Some(self.text());
                return encoder.output.formula.reserve(&Size::clauses(u64::MAX, self.views.len()));
            }
            return arithmetic::encode(self.kind, &self.views, self.fails, encoder);
        }
        encoder.output.way("a clause for each choice of arguments");
        let (&result, args) = self.views.split_last().expect("a result");
        encoder.output.formula.reserve(&Size::clauses(self.choices(encoder.domains()), self.views.len()))?;
        let mut written = Ok(());
        self.each(encoder.domains(), &mut |values| {
            if written.is_err() {
                return;
            }
            let value = self.kind.of(values);
            let truth = value.map_or(Truth::Known(false), |value| encoder.is(result, value));
            let mut clause = [if self.fails { !truth } else { truth }; 3];
            for (at, (&view, &value)) in args.iter().zip(values).enumerate() {
                clause[at + 1] = !encoder.is(view, value);
            }
            written = encoder.clause(clause[..=args.len()].iter().copied());
        });
        written
    }

    fn negated(&self) -> Constraint {
        let (kind, fails) = (self.kind, !self.fails);
        let exprs = self.views.iter().map(|&view| view.into()).collect();
        Constraint::rule(exprs, move |views| Function { views, kind, fails })
    }

    /// The lines and planes that bound the function between the bounds of its arguments; of a product, its convex and
    /// its concave envelope (F. A. Al-Khayyal and J. E. Falk, *Jointly Constrained Biconvex Programming*, Mathematics
    /// of Operations Research 8, 1983, pp. 273–286).
    fn relaxed(&self, domains: &Domains) -> Vec<(Vec<(IntVar, i64)>, i64)> {
        let reach = |&view: &View| {
            let (min, max) = domains.bounds(view);
            min.unsigned_abs().max(max.unsigned_abs()).max(view.factor.unsigned_abs()).max(view.offset.unsigned_abs())
        };
        if self.fails || self.views.iter().any(|view| reach(view) >= 1 << 30) {
            return Vec::new();
        }
        let at_most = |terms: &[(View, i64)], bound| Linear::of_views(terms, Compare::AtMost, bound).rows();
        match (self.kind, &self.views[..]) {
            (ArithmeticFunction::Abs, &[x, result]) => {
                let (min, max) = domains.bounds(x);
                let secant = [(result, max - min), (x, min.abs() - max.abs())];
                let below = at_most(&secant, (max - min) * min.abs() + (min.abs() - max.abs()) * min);
                [at_most(&[(x, 1), (result, -1)], 0), at_most(&[(x, -1), (result, -1)], 0), below].concat()
            }
            (ArithmeticFunction::Times, &[x, y, result]) => {
                let ((a, b), (c, d)) = (domains.bounds(x), domains.bounds(y));
                let above = |x0: i64, y0: i64| at_most(&[(x, y0), (y, x0), (result, -1)], x0 * y0);
                let below = |x0: i64, y0: i64| at_most(&[(x, -y0), (y, -x0), (result, 1)], -x0 * y0);
                [above(a, c), above(b, d), below(a, d), below(b, c)].concat()
            }
            _ => Vec::new(),
        }
    }

    fn holds(&self, value: &dyn Fn(IntVar) -> i64) -> bool {
        let values: Vec<i64> = self.views.iter().map(|view| view.of(value)).collect();
        let (&result, args) = values.split_last().expect("a result");
        (self.kind.of(args) == Some(result)) != self.fails
    }
}

/// `result` is the greatest of the expressions: MiniZinc's `maximum`. False if there are no expressions.
///
/// ```
/// use cnfkit::model::{Model, maximum, minimum};
/// let mut model = Model::new();
/// let x = model.ints(3, 0..=9);
/// let (least, most) = (model.int(0..=9), model.int(0..=9));
/// model.post(minimum(&x, least));
/// model.post(maximum(&x, most));
/// model.post((most - least).eq(1));
/// assert_eq!(model.count(1000)?, 9 * 6); // of three neighbours to choose from two, not all the same
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
pub fn maximum<E: Into<Expr>>(exprs: impl IntoIterator<Item = E>, result: impl Into<Expr>) -> Constraint {
    let mut exprs: Vec<Expr> = exprs.into_iter().map(Into::into).collect();
    exprs.push(result.into());
    Constraint::rule(exprs, Maximum)
}

/// `result` is the least of the expressions: MiniZinc's `minimum`. False if there are no expressions.
pub fn minimum<E: Into<Expr>>(exprs: impl IntoIterator<Item = E>, result: impl Into<Expr>) -> Constraint {
    maximum(exprs.into_iter().map(|expr| -expr.into()), -result.into())
}

/// The last view is the greatest of the others.
#[derive(Debug)]
struct Maximum(Vec<View>);

impl Maximum {
    /// True if the expressions are compared as numbers, and not value by value.
    fn is_wide(&self, domains: &Domains, choice: IntEncoding) -> bool {
        match choice {
            IntEncoding::Unary => false,
            IntEncoding::Binary => true,
            IntEncoding::Auto => self.0.iter().any(|&view| domains.size(view) > WIDE),
        }
    }

    /// For each expression that it is at most the result, and that it is at least that.
    fn bounds(&self) -> impl Iterator<Item = [Linear; 2]> + '_ {
        let (&result, views) = self.0.split_last().expect("a result");
        views.iter().map(move |&view| {
            [(view, result), (result, view)]
                .map(|(less, more)| Linear::of_views(&[(less, 1), (more, -1)], Compare::AtMost, 0))
        })
    }
}

impl ViewRule for Maximum {
    fn text(&self) -> String {
        let (result, views) = self.0.split_last().expect("a result");
        format!("{} = {result}", super::call("maximum", views))
    }

    fn variables(&self, found: &mut Vec<IntVar>) {
        super::variables_of(&self.0, found);
    }

    fn shrink(&self, domains: &mut Domains) -> Result<(), Empty> {
        let (&result, views) = self.0.split_last().expect("a result");
        let (_, most) = domains.bounds(result);
        views.iter().try_for_each(|&view| domains.at_most(view, most))?;
        let bounds = || views.iter().map(|&view| domains.bounds(view));
        let (Some(least), Some(most)) = (bounds().map(|(min, _)| min).max(), bounds().map(|(_, max)| max).max()) else {
            return Err(Empty);
        };
        domains.at_least(result, least)?;
        domains.at_most(result, most)?;
        let (least, _) = domains.bounds(result);
        let mut reaching = views.iter().filter(|&&view| domains.bounds(view).1 >= least);
        match (reaching.next(), reaching.next()) {
            (None, _) => Err(Empty),
            (Some(&only), None) => domains.at_least(only, least),
            _ => Ok(()),
        }
    }

    fn needs(&self, domains: &Domains, needs: &mut Needs) {
        if self.is_wide(domains, needs.choice) {
            return self.bounds().flatten().for_each(|bound| bound.needs(domains, needs));
        }
        self.0.iter().for_each(|&view| needs.order(view));
    }

    fn encode(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        let (&result, views) = self.0.split_last().expect("a result");
        if views.is_empty() {
            return encoder.clause([]);
        }
        if self.is_wide(encoder.domains(), encoder.context().choice.int) {
            encoder.output.way("comparisons as numbers: domains are large");
            let mut reached = Vec::with_capacity(views.len());
            for [at_most, at_least] in self.bounds() {
                at_most.encode(encoder)?;
                let reaches = encoder.new_lit();
                encoder.implied_by(reaches, |encoder| at_least.encode(encoder))?;
                reached.push(Truth::If(reaches));
            }
            return encoder.clause(reached);
        }
        encoder.output.way("clauses for each value");
        // At each value that some of them has, one reaches it if and only if the result does.
        let mut values: Vec<i64> = self.0.iter().flat_map(|&view| encoder.domains().values(view)).collect();
        values.sort_unstable();
        values.dedup();
        for value in values {
            let reached = encoder.at_least(result, value);
            for &view in views {
                let truth = encoder.at_least(view, value);
                encoder.clause([!truth, reached])?;
            }
            let mut clause: Vec<Truth> = views.iter().map(|&view| encoder.at_least(view, value)).collect();
            clause.push(!reached);
            encoder.clause(clause)?;
        }
        Ok(())
    }

    fn relaxed(&self, _domains: &Domains) -> Vec<(Vec<(IntVar, i64)>, i64)> {
        self.bounds().flat_map(|[at_most, _]| at_most.rows()).collect()
    }

    fn negated(&self) -> Constraint {
        let (&result, views) = self.0.split_last().expect("a result");
        let above = views.iter().map(|&view| Expr::from(view).gt(result));
        let none = crate::all(views.iter().map(|&view| Expr::from(view).lt(result)));
        any(above.chain([none]))
    }

    fn holds(&self, value: &dyn Fn(IntVar) -> i64) -> bool {
        let (result, views) = self.0.split_last().expect("a result");
        views.iter().map(|view| view.of(value)).max() == Some(result.of(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cnfkit_core::internals::Random;

    /// Sums that are said of a function hold wherever the function does.
    #[test]
    fn functions_satisfy_their_relaxations() {
        let mut random = Random::new(8);
        let mut held = 0;
        for round in 0..400 {
            let mut model = crate::Model::new();
            let mut bound = |span: usize| random.below(span) as i64;
            let ranges: Vec<(i64, i64)> =
                (0..2).map(|_| (bound(7) - 4, bound(5))).map(|(min, by)| (min, min + by)).collect();
            let x: Vec<IntVar> = ranges.iter().map(|&(min, max)| model.int(min..=max)).collect();
            let result = model.int(-70..=70);
            let view = |var: IntVar, by: usize| (2 - by as i64 % 4) * var + by as i64;
            let args = [view(x[0], random.below(4)), view(x[1], random.below(4))];
            model.post(match round % 3 {
                0 => abs(args[0].clone(), 70 - result),
                1 => times(args[0].clone(), args[1].clone(), 2 * result + 1),
                _ => maximum(args, result + 3),
            });
            let (node, domains) = (&model.posted[0].node, Domains::new(model.domains.clone()));
            let rows = node.relaxed(&domains);
            for (a, b, c) in (ranges[0].0..=ranges[0].1)
                .flat_map(|a| (ranges[1].0..=ranges[1].1).flat_map(move |b| (-70..=70).map(move |c| (a, b, c))))
            {
                let value = |var: IntVar| [a, b, c][var.index as usize];
                if node.holds(&value) {
                    held += 1;
                    for (terms, most) in &rows {
                        let sum: i64 = terms.iter().map(|&(var, factor)| factor * value(var)).sum();
                        assert!(sum <= *most, "{} {a} {b} {c}: {terms:?} {most}", node.text(&model));
                    }
                }
            }
        }
        assert!(held > 1_000, "{held}");
    }
}
