//! Adders: auxiliaries that are sum and carry of two or three bits, in closed form.
//!
//! Each adder is four definitions and two lines, *x + y + z is sum + 2·carry* from either side. A bound on the inputs
//! and multiples of these lines, by the [columns](super::columns) of adders, are a bound on the digits of the whole:
//! one line, from which the few clauses follow that compare digits. All others follow from the lines of their adder.

use rustc_hash::{FxHashMap, FxHashSet};

use super::batch::{Batch, BatchVar, negated, var};
use super::columns::{BitAdder, Columns, LinesOfBits};
use super::function::{Causes, causes, define};
use super::search::{DerivationSearch, Inequality, InequalityNumber};
use crate::sort;

/// A multiple of lines, divided by a number and rounded up.
pub(super) struct Quotient {
    pub(super) parts: Vec<(InequalityNumber, i128)>,
    pub(super) divisor: u128,
}

/// All adders of a batch, and what is known of them.
pub(super) struct AdderLines {
    pub(super) definitions: Vec<(Inequality, u32)>,
    pub(super) quotients: Vec<Quotient>,
    /// For each clause the lines that it follows from, none where it compares digits.
    pub(super) hints: Vec<Vec<InequalityNumber>>,
    /// Knows what compared digits follow from, and the numbers of these lines.
    pub(super) search: DerivationSearch,
    pub(super) numbers: Vec<InequalityNumber>,
}

/// The part of an auxiliary, by the clauses that make it true, or false.
enum Role {
    /// The sum of these.
    Sum(Vec<u32>),
    /// True where one of these has a carry.
    Carry(Vec<Vec<u32>>),
}

/// The role of an auxiliary by the premises that make it true, or by those that make it false.
fn role([up, down]: &[Causes; 2]) -> Option<Role> {
    let is_up = !up.is_empty();
    let all = if is_up { up } else { down };
    let first = all.first()?;
    let same = |other: &Vec<u32>| first.iter().zip(other).all(|(&one, &other)| var(one) == var(other));
    let sign = u32::from(!is_up);
    match (first.len(), all.len()) {
        (3, 4) if all.iter().all(|one| one.len() == 3 && same(one)) => {
            Some(Role::Sum(first.iter().map(|&lit| lit ^ sign).collect()))
        }
        (2, 2) if same(&all[1]) => Some(Role::Sum(vec![first[0] ^ sign, first[1] ^ 1])),
        (1, 2) if !is_up && all[1].len() == 1 => Some(Role::Carry(vec![vec![negated(first[0]), negated(all[1][0])]])),
        (2, _) => {
            let mut groups = Vec::new();
            let mut at = 0;
            while let Some([a, b]) = all.get(at).map(Vec::as_slice) {
                let third = match all.get(at + 1..at + 3) {
                    Some([one, other]) if one.len() == 2 && one[0] == *a && other[..] == [*b, one[1]] => Some(one[1]),
                    _ => None,
                };
                at += if third.is_some() { 3 } else { 1 };
                groups.push([*a, *b].into_iter().chain(third).map(|lit| lit ^ sign).collect());
            }
            (at == all.len() && (is_up || groups.len() == 1)).then_some(Role::Carry(groups))
        }
        _ => None,
    }
}

/// The variables of literals, in order.
fn vars(lits: &[u32]) -> Vec<BatchVar> {
    let mut vars: Vec<BatchVar> = lits.iter().map(|&lit| var(lit)).collect();
    vars.sort_unstable();
    vars
}

impl BitAdder {
    /// Notes the definitions.
    fn define(&mut self, lines: &mut Vec<(Inequality, u32)>, first: usize) {
        let Self { inputs, carry, sum, .. } = self;
        let three = i128::from(inputs.len() == 3);
        let mut line = |sign: u32, more: &[(u32, i128)], degree: i128, witness: u32| {
            let terms = inputs.iter().map(|&lit| (lit ^ sign, 1)).chain(more.iter().copied()).collect();
            lines.push((Inequality { terms, degree }, witness));
            (first + lines.len() - 1) as InequalityNumber
        };
        let up = line(0, &[(negated(*carry), 2)], 2, negated(*carry));
        let down = line(1, &[(*carry, 2)], 1 + three, *carry);
        self.lines = [up, down, up, down];
        if let Some(sum) = *sum {
            self.lines[2] = line(0, &[(negated(*carry), 2), (negated(sum), 3)], 3, negated(sum));
            self.lines[3] = line(1, &[(*carry, 2), (sum, 2 + three)], 2 + three, sum);
        }
    }

    /// Lines that bound the sum from below and from above, as sums of definitions.
    fn sides(&self) -> [(Inequality, Quotient); 2] {
        let three = i128::from(self.inputs.len() == 3);
        let [up, down, least, most] = self.lines;
        let side = |sign: u32, degree: i128, parts: [(InequalityNumber, i128); 2], divisor: u128| {
            let digits = [(self.carry ^ sign ^ 1, 2)].into_iter().chain(self.sum.map(|sum| (sum ^ sign ^ 1, 1)));
            let terms = self.inputs.iter().map(|&lit| (lit ^ sign, 1)).chain(digits).collect();
            (Inequality { terms, degree }, Quotient { parts: parts.to_vec(), divisor })
        };
        [
            side(0, 3, [(least, 1), (up, 2)], 3),
            side(1, 2 + three, [(most, 1), (down, 1 + three)], 2 + three.cast_unsigned()),
        ]
    }

    /// True if a clause holds whatever the inputs are.
    fn implies(&self, clause: &[u32]) -> bool {
        (0..1_u32 << self.inputs.len()).all(|choice| {
            let value = |lit: u32| {
                let of = |own: u32, value: bool| (var(own) == var(lit)).then_some(value == (own == lit));
                let inputs = self.inputs.iter().zip(0..).find_map(|(&own, at)| of(own, choice >> at & 1 == 1));
                let count = choice.count_ones();
                inputs
                    .or_else(|| of(self.carry, count > 1))
                    .or_else(|| self.sum.and_then(|sum| of(sum, count & 1 == 1)))
            };
            clause.iter().any(|&lit| value(lit) == Some(true))
        })
    }
}

/// True if two clauses in a row differ in the signs of two literals, as those of sums do.
fn has_sums(batch: &Batch) -> bool {
    let mut last: &[u32] = &[];
    batch.clauses().any(|(clause, defines)| {
        let pairs = || last.iter().zip(clause);
        let is_like = last.len() == clause.len() && pairs().all(|(&one, &other)| var(one) == var(other));
        let found = defines && clause.len() > 2 && is_like && pairs().filter(|(one, other)| one != other).count() == 2;
        last = clause;
        found
    })
}

/// The adders of a batch; `None` if there are none, or auxiliaries that are neither sum nor carry nor one of several.
#[allow(clippy::too_many_lines)]
pub(super) fn adders(batch: &Batch) -> Option<AdderLines> {
    if !has_sums(batch) {
        return None;
    }
    let (heads, causes) = causes(batch);
    let mut n_vars = batch.n_vars();
    let mut own = || {
        n_vars += 1;
        2 * (n_vars as u32 - 1)
    };
    let mut all: Vec<BitAdder> = Vec::new();
    let mut known: FxHashMap<Vec<BatchVar>, Vec<usize>> = FxHashMap::default();
    let (mut sums, mut others) = (Vec::new(), Vec::new());
    for &aux in &batch.auxiliaries {
        let both = &causes[aux as usize];
        match role(both) {
            Some(Role::Sum(inputs)) => sums.push((2 * aux, inputs)),
            Some(Role::Carry(groups)) => {
                let is_one = groups.len() == 1;
                let mut carries = Vec::new();
                for inputs in groups {
                    let carry = if is_one { 2 * aux } else { own() };
                    carries.push(carry);
                    known.entry(vars(&inputs)).or_default().push(all.len());
                    all.push(BitAdder { inputs, carry, sum: None, is_at_top: !is_one, lines: [0; 4] });
                }
                if !is_one {
                    others.push((2 * aux, carries));
                }
            }
            None => {
                let are_alone = |causes: &Causes| causes.iter().all(|premises| premises.len() == 1);
                let sign = u32::from(both[0].is_empty() || !are_alone(&both[0]));
                let any = Some(&both[sign as usize]).filter(|any| are_alone(any))?.concat();
                if !any.is_empty() {
                    others.push((2 * aux + sign, any));
                }
            }
        }
    }
    // In the order in which variables were made: what is defined is nowhere before.
    let made = |lit: u32| if (var(lit) as usize) < batch.n_vars() { batch.global(lit).vidx32() } else { 0 };
    for (sum, inputs) in sums {
        // Equal bits of several columns have a sum each, behind the carry.
        let alike = known.get(&vars(&inputs)).into_iter().flatten().filter(|&&at| all[at].sum.is_none());
        match alike.max_by_key(|&&at| Some(made(all[at].carry)).filter(|&carry| carry < made(sum))) {
            Some(&at) => {
                let differ = inputs.iter().filter(|&&lit| !all[at].inputs.contains(&lit)).count() as u32;
                all[at].sum = Some(sum ^ (differ & 1));
            }
            None => all.push(BitAdder { inputs, carry: own(), sum: Some(sum), is_at_top: false, lines: [0; 4] }),
        }
    }
    if all.is_empty() {
        return None;
    }

    let last_made = |lits: &[u32]| lits.iter().map(|&lit| made(lit)).max().map_or(0, |last| 1 + u64::from(last));
    sort::by_key(&mut all, |adder| last_made(&adder.inputs));
    // Behind all others are those of carries that are no variables.
    let is_own = |lit: &u32| var(*lit) as usize >= batch.n_vars();
    let place = |any: &[u32]| if any.iter().any(is_own) { u64::MAX } else { last_made(any) };
    sort::by_key(&mut others, |(_, any)| place(any));
    let (first, mut definitions, mut any_lines) = (batch.bounds.len(), Vec::new(), Vec::new());
    let mut define_any = |until: u64, definitions: &mut Vec<(Inequality, u32)>| {
        for (head, any) in &others[any_lines.len()..] {
            if place(any) > until {
                break;
            }
            any_lines.push(first + definitions.len());
            define(*head, any, 1, definitions);
        }
    };
    for adder in &mut all {
        define_any(last_made(&adder.inputs), &mut definitions);
        adder.define(&mut definitions, first);
    }
    define_any(u64::MAX, &mut definitions);

    let mut quotients = Vec::new();
    let end = first + definitions.len();
    let mut by_head: FxHashMap<BatchVar, usize> = FxHashMap::default();
    let mut sides = Vec::with_capacity(all.len());
    for (at, adder) in all.iter_mut().enumerate() {
        by_head.insert(var(adder.carry), at);
        let [up, down] = adder.lines[..2] else { return None };
        sides.push(match adder.sum {
            None => [up, down].map(|line| definitions[line as usize - first].0.clone()),
            Some(sum) => {
                by_head.insert(var(sum), at);
                let both = adder.sides();
                let mut side = 2;
                both.map(|(inequality, quotient)| {
                    quotients.push(quotient);
                    adder.lines[side] = (end + quotients.len() - 1) as InequalityNumber;
                    side += 1;
                    inequality
                })
            }
        });
    }

    // A pair of several bits of the highest column, too, has a name where there is but one of them.
    let named: FxHashSet<&[u32]> = others.iter().map(|(_, any)| &any[..]).collect();
    for adder in &mut all {
        adder.is_at_top |= named.contains(&adder.inputs[..]);
        adder.is_at_top &= adder.sum.is_none();
    }
    // Of the highest column: pairs of bits, and bits of which one is true, in order.
    let pairs = all.iter().enumerate().filter(|(_, adder)| adder.is_at_top).map(|(at, adder)| (&adder.inputs, Ok(at)));
    let any = others.iter().zip(&any_lines).map(|((_, any), &line)| (any, Err(line)));
    let mut tops: Vec<(&Vec<u32>, Result<usize, usize>)> = pairs.chain(any).collect();
    sort::by_key(&mut tops, |(lits, _)| last_made(lits));

    // Bounds of digits, for each of the inputs and each circuit that adds them up.
    let columns = Columns::of(&all, n_vars, |adder| made(adder.carry).max(adder.sum.map_or(0, made)).into());
    let (mut search, mut numbers) = (DerivationSearch::new(n_vars), Vec::new());
    for (bound, at) in batch.bounds.iter().zip(0..) {
        search.add(bound.inequality());
        numbers.push(at);
        let left: FxHashMap<BatchVar, i128> = bound.coefficients.iter().copied().collect();
        let mut used = Vec::new();
        while let Some((side, factors)) = columns.factors(&all, &left, &mut used) {
            let mut sum = LinesOfBits { parts: vec![(at, 1)], left: left.clone(), degree: bound.degree };
            let mut end_with = |sum: &mut LinesOfBits| {
                search.add(sum.inequality(&bound.guards));
                let number = (end + quotients.len()) as InequalityNumber;
                numbers.push(number);
                quotients.push(Quotient { parts: std::mem::replace(&mut sum.parts, vec![(number, 1)]), divisor: 1 });
            };
            let top = all.iter().zip(&factors).filter(|(adder, _)| adder.is_at_top).map(|(_, &factor)| factor).max();
            let mut weights: FxHashMap<BatchVar, i128> = FxHashMap::default();
            for ((adder, sides), &factor) in all.iter().zip(&sides).zip(&factors).filter(|(_, factor)| **factor > 0) {
                let weight = if adder.is_at_top { top.unwrap_or(factor) } else { factor };
                weights.extend(adder.inputs.iter().map(|&lit| (var(lit), weight)));
                if !adder.is_at_top {
                    sum.add(&sides[side], adder.lines[2 + side], factor);
                }
            }
            // Two bits and a constant: where one of them is true, there is a bit of the next column.
            for (at, (head, any)) in others.iter().enumerate().rev().filter(|(_, (_, any))| any.len() <= 2) {
                let Some(weight) = weights.get(&var(*head)).map(|weight| weight / any.len() as i128) else { continue };
                weights.extend(any.iter().map(|&lit| (var(lit), weight)));
                let line = any_lines[at] + side;
                sum.add(&definitions[line - first].0, line as InequalityNumber, weight);
            }
            sum.left.retain(|_, left| *left != 0);
            for &(lits, line) in &tops {
                let Some(weight) = sum.weight(lits) else { continue };
                if sum.parts.len() > 1 {
                    end_with(&mut sum);
                }
                match line {
                    Ok(pair) => {
                        let mut own = sum.clone();
                        own.add(&sides[pair][0], all[pair].lines[0], weight);
                        end_with(&mut own);
                    }
                    Err(any) => sum.add(&definitions[any - first].0, any as InequalityNumber, weight),
                }
            }
            end_with(&mut sum);
        }
    }
    let mut know = |number: usize| {
        search.add(definitions[number - first].0.clone());
        numbers.push(number as InequalityNumber);
    };
    for adder in all.iter().filter(|adder| var(adder.carry) as usize >= batch.n_vars()) {
        adder.lines[..2].iter().for_each(|&line| know(line as usize));
    }
    any_lines.iter().flat_map(|&line| [line, line + 1]).for_each(know);

    let hints = batch.clauses().zip(heads).map(|((clause, _), head)| {
        let adder = head.and_then(|head| by_head.get(&var(head))).map(|&at| &all[at]);
        match adder.filter(|adder| adder.implies(clause)) {
            Some(adder) if head.map(var) == Some(var(adder.carry)) => adder.lines[..2].to_vec(),
            Some(adder) => adder.lines.to_vec(),
            None => Vec::new(),
        }
    });
    Some(AdderLines { hints: hints.collect(), definitions, quotients, search, numbers })
}
