//! Bounds of integers that are declared without any, from the constraints that define them.

use std::collections::HashMap;

use super::syntax::{Base, Posted, Syntax, What};

/// The least and the greatest value.
type Bounds = (i128, i128);

/// Bounds of all names, as far as constraints that must hold say them: sums, products, extremes and elements of what
/// is bounded.
pub(crate) fn bounds<'a>(syntax: &Syntax<'a>) -> HashMap<&'a str, (i64, i64)> {
    let mut known: HashMap<&str, Bounds> = HashMap::new();
    let mut arrays: HashMap<&str, &What<'_>> = HashMap::new();
    let mut open = Vec::new();
    for declaration in &syntax.declarations {
        if let (true, Some(value)) = (declaration.is_array, &declaration.value) {
            arrays.insert(declaration.name, &value.what);
        }
        if declaration.is_array || declaration.base == Base::Set {
            continue;
        }
        let ends = |ranges: &[(i64, i64)]| {
            Some((i128::from(ranges.iter().map(|r| r.0).min()?), i128::from(ranges.iter().map(|r| r.1).max()?)))
        };
        let value = declaration.value.as_ref().and_then(|term| match term.what {
            What::Int(value) => Some((value.into(), value.into())),
            _ => None,
        });
        let bounds = match (declaration.base, &declaration.domain) {
            (Base::Bool, _) => Some((0, 1)),
            (_, Some(ranges)) => ends(ranges),
            (_, None) => value,
        };
        match bounds {
            Some(bounds) => {
                known.insert(declaration.name, bounds);
            }
            None => open.push(declaration.name),
        }
    }
    let mut of_open: Vec<&Posted<'_>> = Vec::new();
    if !open.is_empty() {
        of_open.extend(syntax.constraints.iter().filter(|posted| {
            matches!(
                posted.name,
                "int_lin_eq"
                    | "int_eq"
                    | "int_plus"
                    | "int_times"
                    | "int_abs"
                    | "int_max"
                    | "int_min"
                    | "int_mod"
                    | "int_div"
                    | "array_int_element"
                    | "array_var_int_element"
                    | "array_int_maximum"
                    | "array_int_minimum"
            )
        }));
    }
    // Each round bounds one more, or it is the last.
    loop {
        let before = known.len();
        for posted in &of_open {
            let defined = Look { known: &known, arrays: &arrays }.defined(posted);
            if let Some((name, bounds)) = defined {
                known.entry(name).or_insert(bounds);
            }
        }
        if known.len() == before {
            break;
        }
    }
    let fits = |name: &'a str| {
        let &(min, max) = known.get(name)?;
        Some((name, (i64::try_from(min).ok()?, i64::try_from(max).ok()?)))
    };
    open.into_iter().filter_map(fits).collect()
}

struct Look<'k, 'a> {
    known: &'k HashMap<&'a str, Bounds>,
    arrays: &'k HashMap<&'a str, &'k What<'a>>,
}

impl<'a> Look<'_, 'a> {
    fn of(&self, what: &What<'_>) -> Option<Bounds> {
        match what {
            &What::Int(value) => Some((value.into(), value.into())),
            &What::Bool(value) => Some((value.into(), value.into())),
            What::Name(name) => self.known.get(name).copied(),
            What::Index(name, at) => self.array(&What::Name(name))?.get(usize::try_from(*at).ok()?.checked_sub(1)?)?.0,
            _ => None,
        }
    }

    /// The bounds of an array's elements, with their names where they have one.
    fn array(&self, what: &What<'a>) -> Option<Vec<(Option<Bounds>, Option<&'a str>)>> {
        let terms = match what {
            What::Array(terms) => terms,
            What::Name(name) => match self.arrays.get(name)? {
                What::Array(terms) => terms,
                _ => return None,
            },
            _ => return None,
        };
        let entry = |what: &What<'a>| match what {
            &What::Name(name) => Some(name),
            _ => None,
        };
        Some(terms.iter().map(|term| (self.of(&term.what), entry(&term.what))).collect())
    }

    /// Names that a constraint bounds.
    fn defined(&self, posted: &Posted<'a>) -> Option<(&'a str, Bounds)> {
        let arg = |at: usize| posted.args.get(at).map(|term| &term.what);
        let name = |at: usize| match arg(at) {
            Some(&What::Name(name)) if !self.known.contains_key(name) => Some(name),
            _ => None,
        };
        let ends = |all: &[i128]| Some((*all.iter().min()?, *all.iter().max()?));
        let bounds = |at: usize| arg(at).and_then(|what| self.of(what));
        let magnitude = |(min, max): Bounds| min.abs().max(max.abs());
        match posted.name {
            "int_lin_eq" => {
                let (factors, terms) = (self.array(arg(0)?)?, self.array(arg(1)?)?);
                let (mut min, mut max) = bounds(2)?;
                let mut open = None;
                for (&(factor, _), &(bounds, name)) in factors.iter().zip(&terms) {
                    let factor = factor?.0;
                    match bounds {
                        Some((one, other)) => {
                            let (one, other) = (factor.checked_mul(one)?, factor.checked_mul(other)?);
                            (min, max) = (min.checked_sub(one.max(other))?, max.checked_sub(one.min(other))?);
                        }
                        None if open.is_some() => return None,
                        None => open = Some((name?, factor)),
                    }
                }
                let (name, factor) = open.filter(|&(_, factor)| factor != 0)?;
                let (one, other) = (min / factor, max / factor);
                Some((name, (one.min(other) - 1, one.max(other) + 1)))
            }
            "int_eq" => name(0).zip(bounds(1)).or_else(|| name(1).zip(bounds(0))),
            "int_plus" => {
                let ((a, b), (c, d)) = (bounds(0)?, bounds(1)?);
                Some((name(2)?, (a.checked_add(c)?, b.checked_add(d)?)))
            }
            "int_times" => {
                let ((a, b), (c, d)) = (bounds(0)?, bounds(1)?);
                let products = [a.checked_mul(c)?, a.checked_mul(d)?, b.checked_mul(c)?, b.checked_mul(d)?];
                Some((name(2)?, ends(&products)?))
            }
            "int_abs" => Some((name(1)?, (0, magnitude(bounds(0)?)))),
            "int_div" => {
                let most = magnitude(bounds(0)?);
                Some((name(2)?, (-most, most)))
            }
            "int_mod" => {
                let most = magnitude(bounds(1)?).min(magnitude(bounds(0)?));
                Some((name(2)?, (-most, most)))
            }
            "int_max" | "int_min" => {
                let ((a, b), (c, d)) = (bounds(0)?, bounds(1)?);
                Some((name(2)?, (a.min(c), b.max(d))))
            }
            "array_int_maximum" | "array_int_minimum" => Some((name(0)?, self.hull(arg(1)?)?)),
            _ => Some((name(2)?, self.hull(arg(1)?)?)),
        }
    }

    fn hull(&self, what: &What<'a>) -> Option<Bounds> {
        let all: Option<Vec<Bounds>> = self.array(what)?.into_iter().map(|(bounds, _)| bounds).collect();
        let all = all?;
        Some((all.iter().map(|b| b.0).min()?, all.iter().map(|b| b.1).max()?))
    }
}
