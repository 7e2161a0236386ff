//! Bounds of integers that are declared without any: those that all constraints that must hold leave of the 64-bit
//! integers, by bounds propagation to a fixed point.
//!
//! A value beyond 64 bits is no solution of FlatZinc, so that every bound found here holds. Where the least or the
//! greatest value is still [out of reach](REACH), the integer is looked for in a window around 0, or beside the bound
//! that it has, and the others follow from that.

use std::collections::HashMap;

use super::syntax::{BaseType, ConstraintItem, PlacedValue, Syntax, What};

/// The least and the greatest value.
type Bounds = (i128, i128);

/// The 64-bit integers.
const ALL: Bounds = (i64::MIN as i128, i64::MAX as i128);
/// Beyond this a bound says nothing: sums of such numbers are too large for a model.
const REACH: i128 = 1 << 50;
/// The most arguments that are looked at in all rounds together: bounds that converge slowly are good enough.
const MOST_LOOKED_AT: usize = 20_000_000;

/// The bounds of the integers that are declared without any.
#[derive(Debug, Default)]
pub(crate) struct FoundBounds<'a> {
    pub(crate) bounds: HashMap<&'a str, (i64, i64)>,
    /// Those of which the constraints leave too much, in the order of their declarations.
    pub(crate) unbounded: Vec<&'a str>,
    /// The bounds contradict each other: there is no solution.
    pub(crate) contradict: bool,
}

/// Bounds of all integers without a domain; what nothing bounds is at most `far` from 0 or from its only bound.
pub(crate) fn bounds<'a>(syntax: &'a Syntax<'_>, far: i64) -> FoundBounds<'a> {
    let mut look = IntegerPlaces::default();
    let mut open = Vec::new();
    for declaration in &syntax.declarations {
        match &declaration.value {
            Some(value) if declaration.is_array => {
                look.arrays.insert(declaration.name, value);
                continue;
            }
            Some(PlacedValue { what: What::Set(ranges), .. }) => {
                look.sets.insert(declaration.name, ranges);
                continue;
            }
            _ => {}
        }
        let place = match (&declaration.value, declaration.base, &declaration.domain) {
            (Some(value), ..) => look.of(value),
            (_, BaseType::Bool, _) => Some(look.place((0, 1))),
            (.., Some(ranges)) => Some(look.place(hull(ranges).unwrap_or(ALL))),
            (.., None) => {
                let place = look.place(ALL);
                open.push((declaration.name, place));
                Some(place)
            }
        };
        look.places.extend(place.map(|place| (declaration.name, place)));
    }
    if open.is_empty() {
        return FoundBounds::default();
    }
    let mut rules = Vec::new();
    syntax.constraints.iter().for_each(|posted| {
        look.rules(posted, &mut rules);
    });
    let mut left = MOST_LOOKED_AT;
    let is_possible = settle(&mut look.all, &rules, &mut left);
    let far = i128::from(far);
    let is_far = |&(min, max): &Bounds| min < -REACH || max > REACH;
    let mut unbounded = Vec::new();
    for &(name, place) in &open {
        let (min, max) = look.all[place];
        if is_far(&(min, max)) {
            // What has no solution has none in any window.
            unbounded.extend(is_possible.then_some(name));
            look.all[place] = match (min < -REACH, max > REACH) {
                (true, true) => (-far, far),
                (true, false) => (max.min(0) - far, max),
                _ => (min, min.max(0) + far),
            };
        }
    }
    if !unbounded.is_empty() {
        settle(&mut look.all, &rules, &mut left);
    }
    let end = |of: i128| of.clamp(ALL.0, ALL.1) as i64;
    let bounds = open.into_iter().map(|(name, place)| (name, look.all[place]));
    let bounds = bounds.map(|(name, (min, max))| (name, (end(min), end(max)))).collect();
    FoundBounds { bounds, unbounded, contradict: !is_possible }
}

fn hull(ranges: &[(i64, i64)]) -> Option<Bounds> {
    let real = || ranges.iter().filter(|(from, to)| from <= to);
    Some((real().map(|range| range.0).min()?.into(), real().map(|range| range.1).max()?.into()))
}

/// A part of a constraint that says something of the bounds of integers, by their places.
#[derive(Debug)]
enum BoundRule {
    /// The sum of the multiples is at most a number.
    AtMost(Vec<(i128, usize)>, i128),
    Times([usize; 3]),
    Div([usize; 3]),
    Mod([usize; 3]),
    Pow([usize; 3]),
    Abs([usize; 2]),
    /// The first is the greatest, or the least, of the others.
    Most(usize, Vec<usize>),
    Least(usize, Vec<usize>),
    /// The first is one of the others.
    Among(usize, Vec<usize>),
}

/// The first is at most the second.
fn at_most(one: usize, other: usize) -> BoundRule {
    BoundRule::AtMost(vec![(1, one), (-1, other)], 0)
}

fn equal(one: usize, other: usize) -> [BoundRule; 2] {
    [at_most(one, other), at_most(other, one)]
}

/// Applies the rules until nothing changes, or until nothing is left of what may be looked at; false if they contradict
/// each other.
fn settle(all: &mut [Bounds], rules: &[BoundRule], left: &mut usize) -> bool {
    let (mut changed, mut is_possible) = (true, true);
    while std::mem::take(&mut changed) {
        for rule in rules {
            let Some(rest) = left.checked_sub(rule.size()) else { return is_possible };
            *left = rest;
            for (place, (min, max)) in rule.bounds(all) {
                let (least, most) = all[place];
                let now = (least.max(min), most.min(max));
                is_possible &= now.0 <= now.1;
                if now != (least, most) && now.0 <= now.1 {
                    all[place] = now;
                    changed = true;
                }
            }
        }
    }
    is_possible
}

impl BoundRule {
    fn size(&self) -> usize {
        match self {
            Self::AtMost(terms, _) => terms.len(),
            Self::Most(_, of) | Self::Least(_, of) | Self::Among(_, of) => of.len() + 1,
            Self::Times(_) | Self::Div(_) | Self::Mod(_) | Self::Pow(_) | Self::Abs(_) => 3,
        }
    }

    /// Bounds of some of its integers that follow from those of the others.
    fn bounds(&self, all: &[Bounds]) -> Vec<(usize, Bounds)> {
        const NONE: Bounds = (i128::MIN, i128::MAX);
        let magnitude = |place: usize| all[place].0.abs().max(all[place].1.abs());
        let within = |place: usize, most: i128| (place, (-most, most));
        let least = |of: &[usize]| of.iter().map(|&place| all[place].0).min().unwrap_or(NONE.0);
        let most = |of: &[usize]| of.iter().map(|&place| all[place].1).max().unwrap_or(NONE.1);
        match *self {
            Self::AtMost(ref terms, bound) => linear(terms, bound, all).unwrap_or_default(),
            Self::Times([x, y, z]) => {
                let ((a, b), (c, d)) = (all[x], all[y]);
                let ends = [a * c, a * d, b * c, b * d]; // of 64 bits each
                let mut found = vec![(z, (ends.into_iter().min().unwrap_or(0), ends.into_iter().max().unwrap_or(0)))];
                // A factor is as far from 0 as the product at most, divided by the other where neither is 0.
                let distance = |place: usize| all[place].0.max(-all[place].1).max(0);
                for (one, other) in [(x, y), (y, x)] {
                    let by = distance(other).max(distance(z).min(1));
                    found.extend((by > 0).then(|| within(one, magnitude(z) / by)));
                }
                found
            }
            Self::Div([x, y, z]) => {
                let numerator = (magnitude(z) + 1) * magnitude(y);
                vec![within(z, magnitude(x)), within(x, numerator)]
            }
            Self::Mod([x, y, z]) => vec![within(z, magnitude(x).min(magnitude(y) - 1))],
            Self::Pow([x, y, z]) => {
                // Powers of −1, 0 and 1 are no farther from 0, and those below 0 are −1, 0 or 1.
                let exponent = u32::try_from(all[y].1.max(0)).unwrap_or(u32::MAX);
                let farthest = magnitude(x).max(1).checked_pow(exponent).unwrap_or(i128::MAX);
                let least = if all[x].0 >= 0 { 0 } else { -farthest };
                let mut found = vec![(z, (least, farthest))];
                found.extend((all[y].0 > 0).then(|| within(x, magnitude(z))));
                found
            }
            Self::Abs([x, z]) => vec![(z, (0, magnitude(x))), within(x, magnitude(z))],
            Self::Most(result, ref of) => {
                let least = of.iter().map(|&place| all[place].0).max().unwrap_or(NONE.0);
                let each = of.iter().map(|&place| (place, (NONE.0, all[result].1)));
                each.chain([(result, (least, most(of)))]).collect()
            }
            Self::Least(result, ref of) => {
                let most = of.iter().map(|&place| all[place].1).min().unwrap_or(NONE.1);
                let each = of.iter().map(|&place| (place, (all[result].0, NONE.1)));
                each.chain([(result, (least(of), most))]).collect()
            }
            Self::Among(result, ref of) => vec![(result, (least(of), most(of)))],
        }
    }
}

/// Bounds of each term by those of the others; `None` where numbers are too large.
fn linear(terms: &[(i128, usize)], bound: i128, all: &[Bounds]) -> Option<Vec<(usize, Bounds)>> {
    let least = |&(factor, place): &(i128, usize)| {
        let (min, max) = all[place];
        factor.checked_mul(if factor > 0 { min } else { max })
    };
    let mut sum = 0_i128;
    for term in terms {
        sum = sum.checked_add(least(term)?)?;
    }
    let of_term = |term: &(i128, usize)| {
        let (factor, place) = *term;
        let room = bound.checked_sub(sum)?.checked_add(least(term)?)?;
        Some(match factor {
            0 => (place, (i128::MIN, i128::MAX)),
            1.. => (place, (i128::MIN, room.div_euclid(factor))),
            _ => (place, (-(room.div_euclid(-factor)), i128::MAX)),
        })
    };
    terms.iter().map(of_term).collect()
}

/// The places of all integers, and what arrays and sets stand for.
#[derive(Debug, Default)]
struct IntegerPlaces<'a> {
    all: Vec<Bounds>,
    places: HashMap<&'a str, usize>,
    arrays: HashMap<&'a str, &'a PlacedValue<'a>>,
    sets: HashMap<&'a str, &'a [(i64, i64)]>,
}

impl IntegerPlaces<'_> {
    fn place(&mut self, bounds: Bounds) -> usize {
        self.all.push(bounds);
        self.all.len() - 1
    }

    /// The place of an integer or a truth value.
    fn of(&mut self, term: &PlacedValue<'_>) -> Option<usize> {
        match term.what {
            What::Int(value) => Some(self.place((value.into(), value.into()))),
            What::Bool(value) => Some(self.place((value.into(), value.into()))),
            What::Name(name) => self.places.get(name).copied(),
            What::Index(name, at) => {
                let What::Array(terms) = &self.arrays.get(name)?.what else { return None };
                self.of(terms.get(usize::try_from(at).ok()?.checked_sub(1)?)?)
            }
            _ => None,
        }
    }

    fn array(&mut self, term: &PlacedValue<'_>) -> Option<Vec<usize>> {
        match &term.what {
            What::Name(name) => {
                let term = *self.arrays.get(name)?;
                if matches!(term.what, What::Name(_)) { None } else { self.array(term) }
            }
            What::Array(terms) => terms.iter().map(|term| self.of(term)).collect(),
            _ => None,
        }
    }

    /// The value of what is known.
    fn number(&mut self, term: &PlacedValue<'_>) -> Option<i128> {
        let place = self.of(term)?;
        let (min, max) = self.all[place];
        (min == max).then_some(min)
    }

    /// Adds the rules that a constraint is; `None` where it says nothing of bounds.
    fn rules(&mut self, posted: &ConstraintItem<'_>, rules: &mut Vec<BoundRule>) -> Option<()> {
        let args = &posted.args[..];
        let mut int = |at: usize| self.of(args.get(at)?);
        match posted.name {
            "int_eq" | "bool2int" => rules.extend(equal(int(0)?, int(1)?)),
            "int_le" => rules.push(at_most(int(0)?, int(1)?)),
            "int_ge" => rules.push(at_most(int(1)?, int(0)?)),
            "int_lt" => rules.push(BoundRule::AtMost(vec![(1, int(0)?), (-1, int(1)?)], -1)),
            "int_gt" => rules.push(BoundRule::AtMost(vec![(1, int(1)?), (-1, int(0)?)], -1)),
            "int_plus" => rules.extend(sum(vec![(1, int(0)?), (1, int(1)?), (-1, int(2)?)], 0)),
            "int_minus" => rules.extend(sum(vec![(1, int(0)?), (-1, int(1)?), (-1, int(2)?)], 0)),
            "int_times" => rules.push(BoundRule::Times([int(0)?, int(1)?, int(2)?])),
            "int_div" => rules.push(BoundRule::Div([int(0)?, int(1)?, int(2)?])),
            "int_mod" => rules.push(BoundRule::Mod([int(0)?, int(1)?, int(2)?])),
            "int_pow" => rules.push(BoundRule::Pow([int(0)?, int(1)?, int(2)?])),
            "int_abs" => rules.push(BoundRule::Abs([int(0)?, int(1)?])),
            "int_max" => rules.push(BoundRule::Most(int(2)?, vec![int(0)?, int(1)?])),
            "int_min" => rules.push(BoundRule::Least(int(2)?, vec![int(0)?, int(1)?])),
            "array_int_maximum" => rules.push(BoundRule::Most(self.of(args.first()?)?, self.array(args.get(1)?)?)),
            "array_int_minimum" => rules.push(BoundRule::Least(self.of(args.first()?)?, self.array(args.get(1)?)?)),
            "int_lin_eq" | "bool_lin_eq" | "int_lin_le" | "bool_lin_le" => {
                let terms = self.array(args.get(1)?)?;
                let factors = self.array(args.first()?)?;
                let known = |place| Some(self.all[place]).filter(|(min, max)| min == max).map(|(min, _)| min);
                let factors: Option<Vec<i128>> = factors.into_iter().map(known).collect();
                let mut terms: Vec<(i128, usize)> = factors?.into_iter().zip(terms).collect();
                terms.push((-1, self.of(args.get(2)?)?));
                if posted.name.ends_with("eq") {
                    rules.extend(sum(terms, 0));
                } else {
                    rules.push(BoundRule::AtMost(terms, 0));
                }
            }
            "array_int_element" | "array_var_int_element" | "array_bool_element" | "array_var_bool_element" => {
                let (index, array, value) = (int(0)?, self.array(args.get(1)?)?, self.of(args.get(2)?)?);
                self.among(index, (1, array.len() as i128), rules);
                rules.push(BoundRule::Among(value, array));
            }
            "set_in" => {
                let (value, set) = (int(0)?, args.get(1)?);
                let ranges = match &set.what {
                    What::Set(ranges) => Some(&ranges[..]),
                    What::Name(name) => self.sets.get(name).copied(),
                    _ => None,
                };
                self.among(value, hull(ranges?)?, rules);
            }
            "cnfkit_circuit" | "cnfkit_subcircuit" => self.indices(args.first()?, args.get(1)?, rules)?,
            "cnfkit_inverse" => {
                self.indices(args.first()?, args.get(3)?, rules)?;
                self.indices(args.get(1)?, args.get(2)?, rules)?;
            }
            "cnfkit_count" | "cnfkit_among" => {
                let most = self.array(args.first()?)?.len() as i128;
                let number = self.of(args.get(2)?)?;
                self.among(number, (0, most), rules);
            }
            "cnfkit_nvalue" => {
                let most = self.array(args.get(1)?)?.len() as i128;
                let number = self.of(args.first()?)?;
                self.among(number, (0, most), rules);
            }
            "cnfkit_all_equal" => {
                let all = self.array(args.first()?)?;
                rules.extend(all.windows(2).flat_map(|pair| equal(pair[0], pair[1])));
            }
            "cnfkit_regular" => {
                let most = self.number(args.get(2)?)?;
                for place in self.array(args.first()?)? {
                    self.among(place, (1, most), rules);
                }
            }
            "cnfkit_table" => {
                let (columns, cells) = (self.array(args.first()?)?, self.array(args.get(1)?)?);
                for (at, &place) in columns.iter().enumerate() {
                    let column = cells.iter().skip(at).step_by(columns.len()).copied().collect();
                    rules.push(BoundRule::Among(place, column));
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// The integer is within these bounds.
    fn among(&mut self, place: usize, (min, max): Bounds, rules: &mut Vec<BoundRule>) {
        let ends = vec![self.place((min, min)), self.place((max, max))];
        rules.push(BoundRule::Among(place, ends));
    }

    /// All elements of an array are indices of an array of as many that starts with this.
    fn indices(&mut self, array: &PlacedValue<'_>, first: &PlacedValue<'_>, rules: &mut Vec<BoundRule>) -> Option<()> {
        let (all, first) = (self.array(array)?, self.number(first)?);
        let last = first + all.len() as i128 - 1;
        all.into_iter().for_each(|place| self.among(place, (first, last), rules));
        Some(())
    }
}

/// The sum is this number.
fn sum(terms: Vec<(i128, usize)>, bound: i128) -> [BoundRule; 2] {
    let negated = terms.iter().map(|&(factor, place)| (-factor, place)).collect();
    [BoundRule::AtMost(terms, bound), BoundRule::AtMost(negated, -bound)]
}
