//! Functions of one or two values of large domains, by binary numbers: products are sums of products of bits, quotients
//! and remainders what a product leaves.

use super::weighted::WeightedCount;
use super::{Domains, Empty, Encoder, Needs};
use crate::constraint::Compare;
use crate::variables::{Bool, Test, View};
use cnfkit_core::CapacityError;

/// Which function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArithmeticFunction {
    Abs,
    Times,
    Div,
    Mod,
    Pow,
}

impl ArithmeticFunction {
    pub(super) fn of(self, args: &[i64]) -> Option<i64> {
        match self {
            Self::Abs => args[0].checked_abs(),
            Self::Times => args[0].checked_mul(args[1]),
            Self::Div => args[0].checked_div(args[1]),
            Self::Mod => args[0].checked_rem(args[1]),
            Self::Pow => power(args[0], args[1]),
        }
    }
}

fn power(base: i64, exponent: i64) -> Option<i64> {
    match (base, u32::try_from(exponent)) {
        (0, Err(_)) if exponent < 0 => None,
        (0 | 1, Err(_)) => Some(base),
        (-1, Err(_)) => Some(if exponent % 2 == 0 { 1 } else { -1 }),
        (_, Err(_)) => (exponent < 0).then_some(0),
        (_, Ok(exponent)) => base.checked_pow(exponent),
    }
}

/// Products of values stay below this, so that weights of bits fit 64 bits.
const LARGEST: u128 = 1 << 56;

/// The greatest absolute value.
fn magnitude(domains: &Domains, view: View) -> u128 {
    let (min, max) = domains.bounds(view);
    u128::from(min.unsigned_abs().max(max.unsigned_abs()))
}

/// The least absolute value; 0 where both signs are possible.
fn distance(domains: &Domains, view: View) -> u128 {
    let (min, max) = domains.bounds(view);
    u128::try_from(i128::from(min).max(-i128::from(max))).unwrap_or(0)
}

fn test(view: View, test: Test) -> Option<Bool> {
    // The sign of a view and whether it is 0 are tests of its variable.
    let &View { var, factor, offset } = &view;
    let (factor, offset) = (i128::from(factor), i128::from(offset));
    let (test, negated) = match test {
        Test::Is(value) => (Test::Is(view.to_value(value)?), false),
        Test::AtLeast(least) if factor > 0 => {
            (Test::AtLeast(i64::try_from(-((offset - i128::from(least)).div_euclid(factor))).ok()?), false)
        }
        Test::AtLeast(least) => {
            (Test::AtLeast(i64::try_from((offset - i128::from(least)).div_euclid(-factor) + 1).ok()?), true)
        }
    };
    Some(Bool { var, test, negated })
}

/// The literals that [`encode`] is going to use.
pub(super) fn needs(kind: ArithmeticFunction, views: &[View], domains: &Domains, needs: &mut Needs) {
    views.iter().for_each(|&view| needs.binary(view));
    let signs: &[(usize, Test)] = match kind {
        ArithmeticFunction::Abs => &[(0, Test::AtLeast(0))],
        ArithmeticFunction::Div | ArithmeticFunction::Mod => {
            &[(0, Test::AtLeast(0)), (1, Test::AtLeast(1)), (1, Test::Is(0))]
        }
        ArithmeticFunction::Times | ArithmeticFunction::Pow => &[],
    };
    for &(at, sign) in signs {
        let view = views[at];
        if !view.is_constant()
            && let Some(bool) = test(view, sign)
            && domains.truth(bool).is_none()
        {
            needs.test(bool);
        }
    }
}

fn magnitudes(views: &[View], domains: &Domains) -> Vec<u128> {
    views.iter().map(|&view| magnitude(domains, view)).collect()
}

/// The greatest absolute values of the quotient and the rest of a division.
fn division(domains: &Domains, x: View, y: View) -> (u128, u128) {
    let (of_x, of_y) = (magnitude(domains, x), magnitude(domains, y));
    (of_x / distance(domains, y).max(1), of_x.min(of_y.saturating_sub(1)))
}

/// True if the weights of bits would not fit.
pub(super) fn is_too_wide(kind: ArithmeticFunction, views: &[View], domains: &Domains) -> bool {
    let sizes = magnitudes(views, domains);
    let product = match kind {
        ArithmeticFunction::Abs => sizes[0],
        ArithmeticFunction::Times => sizes[0].saturating_mul(sizes[1]),
        ArithmeticFunction::Div | ArithmeticFunction::Mod => {
            let (quotient, rest) = division(domains, views[0], views[1]);
            quotient.saturating_mul(sizes[1]).saturating_add(rest).max(sizes[0])
        }
        ArithmeticFunction::Pow => u128::MAX,
    };
    product.max(sizes[sizes.len() - 1]) > LARGEST
}

/// The last view is the function of the others, or is not where it `fails`. It is not [too wide](is_too_wide).
pub(super) fn encode(
    kind: ArithmeticFunction,
    views: &[View],
    fails: bool,
    encoder: &mut Encoder<'_>,
) -> Result<(), CapacityError> {
    let (&result, args) = views.split_last().expect("a result");
    let compare = if fails { Compare::Unequal } else { Compare::Equal };
    let (x, value) = (WeightedCount::of(encoder, args[0]), WeightedCount::of(encoder, result));
    let Some(&divisor) = args.get(1) else {
        let is_positive = encoder.at_least(args[0], 0);
        encoder.given(is_positive, |encoder| value.clone().plus(&x, -1).post(encoder, compare, 0))?;
        return encoder.given(!is_positive, |encoder| value.plus(&x, 1).post(encoder, compare, 0));
    };
    let y = WeightedCount::of(encoder, divisor);
    if kind == ArithmeticFunction::Times {
        return x.times(&y, encoder)?.plus(&value, -1).post(encoder, compare, 0);
    }
    let is_zero = encoder.is(divisor, 0);
    if !fails {
        encoder.clause([!is_zero])?;
    }
    let (most_quotient, most_rest) = division(encoder.domains(), args[0], divisor);
    let is_wider = magnitude(encoder.domains(), result) > most_quotient;
    encoder.given(!is_zero, |encoder| {
        // x = y · quotient + rest; what is not the result gets bits of its own.
        let fresh = |encoder: &mut Encoder<'_>, most: u128| {
            let most = i64::try_from(most).unwrap_or(i64::MAX);
            WeightedCount::fresh(encoder, -most, most)
        };
        let own_rest = fails || kind == ArithmeticFunction::Div;
        let own_quotient = fails || kind == ArithmeticFunction::Mod || is_wider;
        let rest = if own_rest { fresh(encoder, most_rest) } else { value.clone() };
        let quotient = if own_quotient { fresh(encoder, most_quotient) } else { value.clone() };
        y.times(&quotient, encoder)?.plus(&rest, 1).plus(&x, -1).post(encoder, Compare::Equal, 0)?;
        // The rest is less than the divisor, and has the sign of x.
        let above = encoder.at_least(divisor, 1);
        for (case, sign) in [(above, -1), (!above, 1)] {
            encoder.given(case, |encoder| {
                rest.clone().plus(&y, sign).post(encoder, Compare::AtMost, -1)?;
                WeightedCount::default().plus(&rest, -1).plus(&y, sign).post(encoder, Compare::AtMost, -1)
            })?;
        }
        let is_positive = encoder.at_least(args[0], 0);
        encoder
            .given(is_positive, |encoder| WeightedCount::default().plus(&rest, -1).post(encoder, Compare::AtMost, 0))?;
        encoder.given(!is_positive, |encoder| rest.post(encoder, Compare::AtMost, 0))?;
        let is_div = kind == ArithmeticFunction::Div;
        if fails || is_div && own_quotient {
            let of = if is_div { quotient } else { rest };
            return of.plus(&value, -1).post(encoder, compare, 0);
        }
        Ok(())
    })
}

/// Takes away values beyond the bounds of what the function can be.
pub(super) fn shrink(kind: ArithmeticFunction, views: &[View], domains: &mut Domains) -> Result<(), Empty> {
    let (&result, args) = views.split_last().expect("a result");
    let clamp = |value: i128| value.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
    let within = |domains: &mut Domains, view: View, most: u128| {
        let most = clamp(i128::try_from(most).unwrap_or(i128::MAX));
        domains.at_least(view, most.saturating_neg())?;
        domains.at_most(view, most)
    };
    match (kind, args) {
        (ArithmeticFunction::Abs, &[x]) => {
            domains.at_least(result, 0)?;
            let most = magnitude(domains, x);
            within(domains, result, most)?;
            let most = magnitude(domains, result);
            within(domains, x, most)
        }
        (ArithmeticFunction::Times, &[x, y]) => {
            let ((a, b), (c, d)) = (domains.bounds(x), domains.bounds(y));
            let products = [(a, c), (a, d), (b, c), (b, d)].map(|(one, other)| i128::from(one) * i128::from(other));
            domains.at_least(result, clamp(products.into_iter().min().unwrap_or(0)))?;
            domains.at_most(result, clamp(products.into_iter().max().unwrap_or(0)))?;
            let most = magnitude(domains, result);
            for (one, other) in [(x, y), (y, x)] {
                if let Some(most) = most.checked_div(distance(domains, other)) {
                    within(domains, one, most)?;
                }
            }
            Ok(())
        }
        (ArithmeticFunction::Div | ArithmeticFunction::Mod, &[x, y]) => {
            domains.remove(y, 0)?;
            let ((a, b), (c, _)) = (domains.bounds(x), domains.bounds(y));
            let least = distance(domains, y).max(1);
            let is_div = kind == ArithmeticFunction::Div;
            let sizes = (magnitude(domains, x), magnitude(domains, y));
            within(domains, result, if is_div { sizes.0 / least } else { sizes.0.min(sizes.1.saturating_sub(1)) })?;
            let sign = if is_div { c > 0 } else { true };
            if sign && a >= 0 {
                domains.at_least(result, 0)?;
            }
            if sign && b <= 0 {
                domains.at_most(result, 0)?;
            }
            Ok(())
        }
        _ => Ok(()),
    }
}
