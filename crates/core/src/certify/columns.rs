//! Columns of adders: the bits of an adder count as much as 2 to the power of its column, in the sum of the inputs.

use rustc_hash::FxHashMap;

use super::batch::{BatchVar, var};
use super::search::{Inequality, InequalityNumber};
use crate::sort;

/// The most columns that are tried.
const MOST: u32 = 96;

/// Two or three bits, their carry, and their sum where there is one.
pub(super) struct BitAdder {
    pub(super) inputs: Vec<u32>,
    pub(super) carry: u32,
    pub(super) sum: Option<u32>,
    /// The bits are of the highest column, in which two of them are too much.
    pub(super) is_at_top: bool,
    /// The numbers of the lines that say it: the definitions of the carry, and *no less* and *no more* than the sum.
    pub(super) lines: [InequalityNumber; 4],
}

/// The adders whose sums and carries are bits of others, in parts, each with its column above the lowest of the part.
pub(super) struct Columns {
    parts: Vec<Vec<(usize, u32)>>,
}

impl Columns {
    /// Of adders by what was made when: columns were made from the lowest to the highest.
    pub(super) fn of(all: &[BitAdder], n_vars: usize, made: impl Fn(&BitAdder) -> u64) -> Self {
        // Of a sum or a carry another one, and how many columns it is above that.
        let mut above: Vec<(BatchVar, i64)> = (0..n_vars as u32).map(|var| (var, 0)).collect();
        let mut is_output = vec![false; n_vars];
        let outputs = all.iter().flat_map(|adder| [Some(adder.carry), adder.sum]).flatten();
        outputs.for_each(|lit| is_output[var(lit) as usize] = true);
        let mut in_order: Vec<&BitAdder> = all.iter().collect();
        sort::by_key(&mut in_order, |adder| made(adder));
        let mut before = None;
        for &BitAdder { ref inputs, carry, sum, .. } in in_order {
            let bits = inputs.iter().filter(|&&lit| is_output[var(lit) as usize]);
            let bits: Vec<(BatchVar, i64)> = bits.map(|&lit| last(&mut above, var(lit))).collect();
            // A literal that is its own carry stands in two columns: the highest counts.
            let highest = |end| bits.iter().filter(|bit| bit.0 == end).map(|bit| bit.1).max();
            let least = before.map(|carry| last(&mut above, carry));
            let first = least.filter(|&(end, _)| highest(end).is_some()).or(bits.first().copied());
            let column = first.map(|(end, _)| {
                let least = least.filter(|least| least.0 == end).map(|(_, carry)| carry - 1);
                (end, highest(end).max(least).unwrap_or(0))
            });
            for &(end, _) in &bits {
                if let Some((first, column)) = column.filter(|&(first, _)| first != end) {
                    above[end as usize] = (first, column - highest(end).unwrap_or(0));
                }
            }
            before = if bits.is_empty() { before } else { Some(var(carry)) };
            let (end, column) = column.unwrap_or((var(carry), -1));
            let outputs = [Some((carry, column + 1)), sum.map(|sum| (sum, column))];
            for (lit, column) in outputs.into_iter().flatten().filter(|&(lit, _)| var(lit) != end) {
                above[var(lit) as usize] = (end, column);
            }
        }
        let mut parts: FxHashMap<BatchVar, Vec<(usize, i64)>> = FxHashMap::default();
        for (at, adder) in all.iter().enumerate() {
            let (part, column) = last(&mut above, var(adder.carry));
            parts.entry(part).or_default().push((at, column));
        }
        let from_lowest = |part: Vec<(usize, i64)>| {
            let lowest = part.iter().map(|&(_, column)| column).min().unwrap_or(0);
            part.into_iter().map(|(at, column)| (at, column.abs_diff(lowest) as u32)).collect()
        };
        let mut parts: Vec<Vec<(usize, u32)>> = parts.into_values().map(from_lowest).collect();
        sort::by_key(&mut parts, |part| part[0].0 as u64);
        Self { parts }
    }

    /// The side by which adders bound a sum with these coefficients, and the factor of each: those of the parts that
    /// were not `used` before by which the least is left of the coefficients. `None` where no part takes any away.
    /// Bounds may have circuits of their own.
    pub(super) fn factors(
        &self,
        all: &[BitAdder],
        of: &FxHashMap<BatchVar, i128>,
        used: &mut Vec<usize>,
    ) -> Option<(usize, Vec<i128>)> {
        let columns = MOST.min(130 - size(of).leading_zeros());
        let mut sides = [0, 1].map(|side| {
            let (mut left, mut factors, mut own) = (of.clone(), vec![0; all.len()], Vec::new());
            for (number, part) in self.parts.iter().enumerate().filter(|(number, _)| !used.contains(number)) {
                let bits = part.iter().flat_map(|&(at, column)| all[at].inputs.iter().map(move |&lit| (lit, column)));
                let bits: Vec<(u32, u32)> = bits.filter(|(lit, _)| of.contains_key(&var(*lit))).collect();
                let highest = part.iter().map(|&(_, column)| column).max().unwrap_or(0);
                let now: FxHashMap<BatchVar, i128> =
                    bits.iter().map(|(lit, _)| (var(*lit), left[&var(*lit)])).collect();
                let mut best = (size(&now), None);
                for lowest in 0..columns.saturating_sub(highest) {
                    let mut rest = now.clone();
                    for &(lit, column) in &bits {
                        let sign = if (lit & 1 == 1) == (side == 0) { -1 } else { 1 };
                        *rest.entry(var(lit)).or_default() += sign * (1 << (lowest + column));
                    }
                    if size(&rest) < best.0 {
                        best = (size(&rest), Some((lowest, rest)));
                    }
                }
                if let Some((lowest, rest)) = best.1 {
                    left.extend(rest);
                    part.iter().for_each(|&(at, column)| factors[at] = 1 << (lowest + column));
                    own.push(number);
                }
            }
            (size(&left), factors, own)
        });
        let side = usize::from(sides[1].0 < sides[0].0);
        let (_, factors, own) = &mut sides[side];
        used.extend_from_slice(own);
        (!own.is_empty()).then(|| (side, std::mem::take(factors)))
    }
}

fn size(coefficients: &FxHashMap<BatchVar, i128>) -> i128 {
    coefficients.values().map(|coefficient| coefficient.abs()).sum()
}

/// The last of those that a variable is above, and by how many columns.
fn last(above: &mut [(BatchVar, i64)], var: BatchVar) -> (BatchVar, i64) {
    let (mut end, mut columns) = (var, 0);
    while above[end as usize].0 != end {
        columns += above[end as usize].1;
        end = above[end as usize].0;
    }
    // The way is shorter next time.
    let (mut at, mut left) = (var, columns);
    while at != end {
        let (next, step) = std::mem::replace(&mut above[at as usize], (end, left));
        (at, left) = (next, left - step);
    }
    (end, columns)
}

/// A sum of lines, with the inequality that it is.
#[derive(Clone)]
pub(super) struct LinesOfBits {
    pub(super) parts: Vec<(InequalityNumber, i128)>,
    pub(super) left: FxHashMap<BatchVar, i128>,
    pub(super) degree: i128,
}

impl LinesOfBits {
    /// Adds a multiple of a line.
    pub(super) fn add(&mut self, line: &Inequality, number: InequalityNumber, factor: i128) {
        self.parts.push((number, factor));
        self.degree += factor * line.degree;
        for &(lit, weight) in &line.terms {
            let sign = if lit & 1 == 1 { -1 } else { 1 };
            *self.left.entry(var(lit)).or_default() += sign * factor * weight;
            self.degree -= factor * weight * i128::from(lit & 1);
        }
    }

    /// The weight that each of these bits has on the other side; none where it is not the same, or none.
    pub(super) fn weight(&self, lits: &[u32]) -> Option<i128> {
        let of = |&lit: &u32| self.left.get(&var(lit)).map_or(0, |&left| if lit & 1 == 1 { left } else { -left });
        let weight = lits.first().map(of)?;
        (weight > 0 && lits.iter().all(|lit| of(lit) == weight)).then_some(weight)
    }

    pub(super) fn inequality(&self, guards: &[u32]) -> Inequality {
        let mut left: Vec<(BatchVar, i128)> = self.left.iter().map(|(&var, &weight)| (var, weight)).collect();
        left.retain(|&(_, weight)| weight != 0);
        left.sort_unstable();
        Inequality::new(left.into_iter(), self.degree, guards)
    }
}
