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
    /// The clause that unit propagation derives from it, where that is meant.
    pub(super) clause: Vec<u32>,
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
    const fn new(inputs: Vec<u32>, carry: u32) -> Self {
        Self { inputs, carry, sum: None, is_at_top: false, lines: [0; 4] }
    }

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
            (Inequality { terms, degree }, Quotient { parts: parts.to_vec(), divisor, clause: Vec::new() })
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

/// The adders of a batch; `None` if there are none, or auxiliaries that are neither sum nor carry nor one of several,
/// or `go_on` says no.
pub(super) fn adders(batch: &Batch, go_on: &dyn Fn() -> bool) -> Option<AdderLines> {
    if !has_sums(batch) {
        return None;
    }
    let (heads, causes) = causes(batch);
    let mut circuit = FoundAdders::found(batch, &causes)?;
    let mut lines = circuit.define();
    circuit.find_tops();
    let (search, numbers) = lines.add_up(&circuit, go_on)?;
    let hints = batch.clauses().zip(heads).map(|((clause, _), head)| {
        let adder = head.and_then(|head| lines.by_head.get(&var(head))).map(|&at| &circuit.adders[at]);
        match adder.filter(|adder| adder.implies(clause)) {
            Some(adder) if head.map(var) == Some(var(adder.carry)) => adder.lines[..2].to_vec(),
            Some(adder) => adder.lines.to_vec(),
            None => Vec::new(),
        }
    });
    let hints = hints.collect();
    Some(AdderLines { hints, definitions: lines.definitions, quotients: lines.quotients, search, numbers })
}

/// When a literal's variable was made, for what is defined is nowhere before; 0 where it is of the proof alone.
fn made(batch: &Batch, lit: u32) -> u32 {
    if is_own(batch, lit) { 0 } else { batch.global(lit).vidx32() }
}

fn last_made(batch: &Batch, lits: &[u32]) -> u64 {
    lits.iter().map(|&lit| made(batch, lit)).max().map_or(0, |last| 1 + u64::from(last))
}

/// True of variables that are of the proof alone.
fn is_own(batch: &Batch, lit: u32) -> bool {
    var(lit) as usize >= batch.n_vars()
}

/// All adders, and what is true where one of several literals is.
struct FoundAdders<'b> {
    batch: &'b Batch,
    /// In the order in which the last of their inputs was made.
    adders: Vec<BitAdder>,
    /// Literals, each with those of which one is true where it is, in that order, too: carries that are no variables
    /// come last.
    any: Vec<(u32, Vec<u32>)>,
    /// The number of variables with those of the proof alone.
    n_vars: usize,
}

impl<'b> FoundAdders<'b> {
    /// Those that premises tell.
    fn found(batch: &'b Batch, causes: &[[Causes; 2]]) -> Option<Self> {
        let mut circuit = Self { batch, adders: Vec::new(), any: Vec::new(), n_vars: batch.n_vars() };
        let mut known: FxHashMap<Vec<BatchVar>, Vec<usize>> = FxHashMap::default();
        let mut sums = Vec::new();
        for &aux in &batch.auxiliaries {
            let both = &causes[aux as usize];
            match role(both) {
                Some(Role::Sum(inputs)) => sums.push((2 * aux, inputs)),
                Some(Role::Carry(groups)) => {
                    let is_one = groups.len() == 1;
                    let mut carries = Vec::new();
                    for inputs in groups {
                        let carry = if is_one { 2 * aux } else { circuit.new_lit() };
                        carries.push(carry);
                        known.entry(vars(&inputs)).or_default().push(circuit.adders.len());
                        circuit.adders.push(BitAdder { is_at_top: !is_one, ..BitAdder::new(inputs, carry) });
                    }
                    if !is_one {
                        circuit.any.push((2 * aux, carries));
                    }
                }
                None => {
                    let are_alone = |causes: &Causes| causes.iter().all(|premises| premises.len() == 1);
                    let sign = u32::from(both[0].is_empty() || !are_alone(&both[0]));
                    let any = Some(&both[sign as usize]).filter(|any| are_alone(any))?.concat();
                    if !any.is_empty() {
                        circuit.any.push((2 * aux + sign, any));
                    }
                }
            }
        }
        let made = |lit| made(batch, lit);
        for (sum, inputs) in sums {
            // Equal bits of several columns have a sum each, behind the carry.
            let adders = &mut circuit.adders;
            let alike = known.get(&vars(&inputs)).into_iter().flatten().filter(|&&at| adders[at].sum.is_none());
            match alike.max_by_key(|&&at| Some(made(adders[at].carry)).filter(|&carry| carry < made(sum))) {
                Some(&at) => {
                    let differ = inputs.iter().filter(|&&lit| !adders[at].inputs.contains(&lit)).count() as u32;
                    adders[at].sum = Some(sum ^ (differ & 1));
                }
                None => {
                    let carry = circuit.new_lit();
                    circuit.adders.push(BitAdder { sum: Some(sum), ..BitAdder::new(inputs, carry) });
                }
            }
        }
        sort::by_key(&mut circuit.adders, |adder| last_made(batch, &adder.inputs));
        sort::by_key(&mut circuit.any, |(_, any)| place(batch, any));
        (!circuit.adders.is_empty()).then_some(circuit)
    }

    /// A variable of the proof alone.
    fn new_lit(&mut self) -> u32 {
        self.n_vars += 1;
        2 * (self.n_vars as u32 - 1)
    }

    /// The lines of all, each before what is defined by it.
    fn define(&mut self) -> FoundLines {
        let Self { batch, adders, any, .. } = self;
        let first = batch.bounds.len();
        let (mut definitions, mut any_lines) = (Vec::new(), Vec::new());
        let mut define_any = |until: u64, definitions: &mut Vec<(Inequality, u32)>| {
            for (head, any) in &any[any_lines.len()..] {
                if place(batch, any) > until {
                    break;
                }
                any_lines.push(first + definitions.len());
                define(*head, any, 1, definitions);
            }
        };
        for adder in &mut *adders {
            define_any(last_made(batch, &adder.inputs), &mut definitions);
            adder.define(&mut definitions, first);
        }
        define_any(u64::MAX, &mut definitions);

        let mut quotients = Vec::new();
        let end = first + definitions.len();
        let mut by_head: FxHashMap<BatchVar, usize> = FxHashMap::default();
        let mut sides = Vec::with_capacity(adders.len());
        for (at, adder) in adders.iter_mut().enumerate() {
            by_head.insert(var(adder.carry), at);
            let [up, down, ..] = adder.lines;
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
        FoundLines { first, definitions, any: any_lines, quotients, sides, by_head }
    }

    /// A pair of several bits of the highest column, too, has a name where there is but one of them.
    fn find_tops(&mut self) {
        let named: FxHashSet<&[u32]> = self.any.iter().map(|(_, any)| &any[..]).collect();
        for adder in &mut self.adders {
            adder.is_at_top |= named.contains(&adder.inputs[..]);
            adder.is_at_top &= adder.sum.is_none();
        }
    }
}

/// Behind all others are those of carries that are no variables.
fn place(batch: &Batch, any: &[u32]) -> u64 {
    if any.iter().any(|&lit| is_own(batch, lit)) { u64::MAX } else { last_made(batch, any) }
}

/// The lines of a circuit.
struct FoundLines {
    /// The number of the first definition: bounds are before it.
    first: usize,
    definitions: Vec<(Inequality, u32)>,
    /// The lines, two in a row, of what is true where one of several literals is.
    any: Vec<usize>,
    quotients: Vec<Quotient>,
    /// By adder: bounds of the sum from below and from above.
    sides: Vec<[Inequality; 2]>,
    /// The adder of each sum and carry.
    by_head: FxHashMap<BatchVar, usize>,
}

impl FoundLines {
    /// Adds up the lines of adders for each bound, to bounds of digits: a search knows these, and the numbers of its
    /// lines.
    fn add_up(
        &mut self,
        circuit: &FoundAdders<'_>,
        go_on: &dyn Fn() -> bool,
    ) -> Option<(DerivationSearch, Vec<InequalityNumber>)> {
        let Self { first, definitions, any: any_lines, quotients, sides, .. } = self;
        let FoundAdders { batch, adders: all, any: others, n_vars } = circuit;
        let end = *first + definitions.len();
        // Of the highest column: pairs of bits, and bits of which one is true, in order.
        let pairs =
            all.iter().enumerate().filter(|(_, adder)| adder.is_at_top).map(|(at, adder)| (&adder.inputs, Ok(at)));
        let any = others.iter().zip(&*any_lines).map(|((_, any), &line)| (any, Err(line)));
        let mut tops: Vec<(&Vec<u32>, Result<usize, usize>)> = pairs.chain(any).collect();
        sort::by_key(&mut tops, |(lits, _)| last_made(batch, lits));

        // For each of the inputs and each circuit that adds them up.
        let last = |adder: &BitAdder| made(batch, adder.carry).max(adder.sum.map_or(0, |sum| made(batch, sum)));
        let columns = Columns::of(all, *n_vars, |adder| last(adder).into());
        let (mut search, mut numbers) = (DerivationSearch::new(*n_vars), Vec::new());
        for (bound, at) in batch.bounds.iter().zip(0..) {
            search.add(bound.inequality());
            numbers.push(at);
            let left: FxHashMap<BatchVar, i128> = bound.coefficients.iter().copied().collect();
            let mut used = Vec::new();
            while let Some((side, factors)) = columns.factors(all, &left, &mut used) {
                if !go_on() {
                    return None;
                }
                let mut sum = LinesOfBits { parts: vec![(at, 1)], left: left.clone(), degree: bound.degree };
                let mut end_with = |sum: &mut LinesOfBits| {
                    search.add(sum.inequality(&bound.guards));
                    let number = (end + quotients.len()) as InequalityNumber;
                    numbers.push(number);
                    quotients.push(Quotient {
                        parts: std::mem::replace(&mut sum.parts, vec![(number, 1)]),
                        divisor: 1,
                        clause: Vec::new(),
                    });
                };
                let top =
                    all.iter().zip(&factors).filter(|(adder, _)| adder.is_at_top).map(|(_, &factor)| factor).max();
                let mut weights: FxHashMap<BatchVar, i128> = FxHashMap::default();
                for ((adder, sides), &factor) in
                    all.iter().zip(&*sides).zip(&factors).filter(|(_, factor)| **factor > 0)
                {
                    let weight = if adder.is_at_top { top.unwrap_or(factor) } else { factor };
                    weights.extend(adder.inputs.iter().map(|&lit| (var(lit), weight)));
                    if !adder.is_at_top {
                        sum.add(&sides[side], adder.lines[2 + side], factor);
                    }
                }
                // Two bits and a constant: where one of them is true, there is a bit of the next column.
                for (at, (head, any)) in others.iter().enumerate().rev().filter(|(_, (_, any))| any.len() <= 2) {
                    let Some(weight) = weights.get(&var(*head)).map(|weight| weight / any.len() as i128) else {
                        continue;
                    };
                    weights.extend(any.iter().map(|&lit| (var(lit), weight)));
                    let line = any_lines[at] + side;
                    sum.add(&definitions[line - *first].0, line as InequalityNumber, weight);
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
                        Err(any) => sum.add(&definitions[any - *first].0, any as InequalityNumber, weight),
                    }
                }
                end_with(&mut sum);
            }
        }
        let own = all.iter().filter(|adder| is_own(batch, adder.carry));
        let carries = own.flat_map(|adder| adder.lines[..2].iter().map(|&line| line as usize));
        for number in carries.chain(any_lines.iter().flat_map(|&line| [line, line + 1])) {
            search.add(definitions[number - *first].0.clone());
            numbers.push(number as InequalityNumber);
        }
        Some((search, numbers))
    }
}
