//! [`VariableCodes`]: the literals of each variable, and what they say of its value. The room's page has the encodings.

use cnfkit_core::internals::Truth;
use rustc_hash::FxHashMap;
use rustsat::types::{Lit, Var};

use crate::variables::{Bool, Domain, Domains, IntVar, Test};

/// Where a variable's literals are: the first variable of each block.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct VariableCode {
    pub(crate) direct: Option<Var>,
    pub(crate) order: Option<Var>,
    /// The lowest bit.
    pub(crate) bits: Option<Var>,
    /// The literal of *x is the greater value*, of a variable with two values.
    pub(crate) two: Option<Lit>,
}

/// The binary number of a domain: how far a value is above the least.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DomainBits {
    /// The number of bits.
    pub(crate) count: usize,
}

impl DomainBits {
    pub(crate) const fn of(domain: &Domain) -> Self {
        let (min, max) = domain.bounds();
        Self { count: 64 - max.abs_diff(min).leading_zeros() as usize }
    }
}

fn block(first: Option<Var>, count: usize) -> impl Iterator<Item = Lit> {
    first.into_iter().flat_map(move |first| (0..count as u32).map(move |at| (first + at).pos_lit()))
}

impl VariableCode {
    /// The literal of *x is the value of this rank*, out of so many values.
    pub(crate) fn is(self, rank: usize, values: usize) -> Truth {
        let at = |first: Var, offset: usize| (first + offset as u32).pos_lit();
        match (self.order, self.direct) {
            _ if values == 1 => Truth::Known(true),
            _ if values == 2 => self.greater(rank == 1),
            (Some(order), _) if rank == 0 => Truth::If(!at(order, 0)),
            (Some(order), _) if rank + 1 == values => Truth::If(at(order, rank - 1)),
            (Some(_), Some(direct)) => Truth::If(at(direct, rank - 1)),
            (None, Some(direct)) => Truth::If(at(direct, rank)),
            (_, None) => unreachable!("no direct encoding was asked for"),
        }
    }

    /// The literal of *x is at least the value of this rank*.
    pub(crate) fn at_least(self, rank: usize, values: usize) -> Truth {
        match self.order {
            _ if rank == 0 => Truth::Known(true),
            _ if rank >= values => Truth::Known(false),
            _ if values == 2 => self.greater(true),
            Some(order) => Truth::If((order + (rank as u32 - 1)).pos_lit()),
            None => unreachable!("no order encoding was asked for"),
        }
    }

    /// *x is the greater of its two values*, or not.
    fn greater(self, is: bool) -> Truth {
        let lit = self.two.expect("no encoding was asked for");
        Truth::If(if is { lit } else { !lit })
    }

    /// True if single tests have literals, and values have none.
    pub(crate) const fn is_binary(self) -> bool {
        self.bits.is_some() && self.direct.is_none() && self.order.is_none()
    }

    /// The bits, from the lowest.
    pub(crate) fn bit_literals(self, domain: &Domain) -> impl Iterator<Item = Lit> {
        block(self.bits, DomainBits::of(domain).count)
    }

    /// Clauses that say that the bits are at most this number: a bit that it lacks is off, or a greater one of it is.
    pub(crate) fn at_most(self, domain: &Domain, most: u64) -> impl Iterator<Item = Vec<Lit>> {
        let bits: Vec<Lit> = self.bit_literals(domain).collect();
        let lacking = (0..bits.len()).filter(move |&at| most >> at & 1 == 0);
        lacking.map(move |at| {
            let above = (at + 1..bits.len()).filter(|&above| most >> above & 1 == 1);
            above.chain([at]).map(|at| !bits[at]).collect()
        })
    }

    /// Clauses that say that the bits are more than this number: a bit of the next number is on, or a greater one that
    /// that lacks is.
    pub(crate) fn more(self, domain: &Domain, than: u64) -> impl Iterator<Item = Vec<Lit>> {
        let bits: Vec<Lit> = self.bit_literals(domain).collect();
        let least = than + 1;
        let needed = (0..bits.len()).filter(move |&at| least >> at & 1 == 1);
        needed.map(move |at| {
            let above = (at + 1..bits.len()).filter(|&above| least >> above & 1 == 0);
            above.chain([at]).map(|at| bits[at]).collect()
        })
    }

    /// The literals that tell the values apart.
    pub(crate) fn literals(self, domain: &Domain) -> impl Iterator<Item = Lit> {
        let values = domain.len() as usize;
        let (first, count) = match (self.order, self.direct, self.bits) {
            (Some(order), ..) => (Some(order), values - 1),
            (None, Some(direct), _) => (Some(direct), values),
            (None, None, bits) => (bits, DomainBits::of(domain).count),
        };
        self.two.into_iter().chain(block(first, count))
    }
}

/// A multiple of a variable as a sum: the base and the weights of literals that are true.
#[derive(Clone, Debug)]
pub(crate) struct Amounts {
    pub(crate) base: i128,
    pub(crate) lits: Vec<(Lit, u64)>,
    /// At most one of the literals is true.
    pub(crate) is_group: bool,
    /// Each literal implies the one before it, in the order of variables, or against it where all are negative.
    pub(crate) is_ladder: bool,
}

/// The literals of all variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct VariableCodes {
    all: Vec<VariableCode>,
    /// Single tests of variables that have bits only: *is* a value, *at least* a value that there is.
    spots: FxHashMap<(u32, Test), Lit>,
}

impl VariableCodes {
    /// Makes room for so many variables, without literals so far.
    pub(crate) fn grow(&mut self, variables: usize) {
        self.all.resize(variables, VariableCode::default());
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    pub(crate) fn set(&mut self, index: usize, code: VariableCode) {
        self.all[index] = code;
    }

    pub(crate) fn of(&self, index: usize) -> VariableCode {
        self.all[index]
    }

    /// The literal of a test of a variable that has bits only, if it has one.
    pub(crate) fn spot(&self, index: usize, test: Test) -> Option<Lit> {
        self.spots.get(&(index as u32, test)).copied()
    }

    pub(crate) fn set_spot(&mut self, index: usize, test: Test, lit: Lit) {
        self.spots.insert((index as u32, test), lit);
    }

    fn spotted(&self, var: IntVar, test: Test) -> Truth {
        Truth::If(*self.spots.get(&(var.index, test)).expect("a test that was asked for"))
    }

    /// *The variable has this value.*
    pub(crate) fn is(&self, domains: &Domains, var: IntVar, value: i64) -> Truth {
        let (code, domain) = (self.of(var.index as usize), domains.of(var));
        match () {
            () if !domain.contains(value) => Truth::Known(false),
            () if code.is_binary() => self.spotted(var, Test::Is(value)),
            () => code.is(domain.rank(value), domain.len() as usize),
        }
    }

    /// *The variable has this value or a greater one*, which may be beyond any.
    pub(crate) fn from(&self, domains: &Domains, var: IntVar, least: i128) -> Truth {
        let (code, domain) = (self.of(var.index as usize), domains.of(var));
        let (min, max) = domain.bounds();
        match domain.next(least.clamp(min.into(), max.into()) as i64) {
            _ if least <= i128::from(min) => Truth::Known(true),
            _ if least > i128::from(max) => Truth::Known(false),
            Some(least) if code.is_binary() => self.spotted(var, Test::AtLeast(least)),
            next => code.at_least(next.map_or(0, |next| domain.rank(next)), domain.len() as usize),
        }
    }

    /// Literals of which one is true if and only if the truth value is, as far as there are some: none where it is
    /// known to be false, `None` where it is known to be true or would need more than a clause.
    pub(crate) fn some_of(&self, domains: &Domains, bool: Bool) -> Option<Vec<Lit>> {
        match domains.truth(bool) {
            Some(true) => return None,
            Some(false) => return Some(Vec::new()),
            None => {}
        }
        let (code, domain) = (self.of(bool.var.index as usize), domains.of(bool.var));
        let lit = |truth| if let Truth::If(lit) = truth { Some(lit) } else { None };
        if let Some(&spot) = self.spots.get(&(bool.var.index, bool.test)) {
            return Some(vec![if bool.negated { !spot } else { spot }]);
        }
        if code.is_binary() {
            let Test::Is(value) = bool.test else { return None };
            let number = value.abs_diff(domain.bounds().0);
            let differs = |(at, bit): (usize, Lit)| if number >> at & 1 == 1 { !bit } else { bit };
            return bool.negated.then(|| code.bit_literals(domain).enumerate().map(differs).collect());
        }
        let values = domain.len() as usize;
        let has_order = code.order.is_some() || code.two.is_some();
        match bool.test {
            Test::AtLeast(least) if !has_order => {
                code.direct?;
                let kept = domain.iter().enumerate().filter(|&(_, value)| (value >= least) != bool.negated);
                kept.map(|(rank, _)| lit(code.is(rank, values))).collect()
            }
            Test::Is(_) if code.direct.is_none() && !has_order => None,
            Test::Is(value) if code.direct.is_none() && code.two.is_none() => {
                let rank = domain.rank(value);
                let ends = [!code.at_least(rank, values), code.at_least(rank + 1, values)];
                bool.negated.then(|| ends.into_iter().filter_map(lit).collect())
            }
            _ => lit(self.truth(domains, bool)).map(|lit| vec![lit]),
        }
    }

    /// A truth value, by its literal where the domain does not decide it.
    pub(crate) fn truth(&self, domains: &Domains, bool: Bool) -> Truth {
        if let Some(known) = domains.truth(bool) {
            return Truth::Known(known);
        }
        let truth = match bool.test {
            Test::Is(value) => self.is(domains, bool.var, value),
            Test::AtLeast(least) => self.from(domains, bool.var, i128::from(least)),
        };
        if bool.negated { !truth } else { truth }
    }

    /// A multiple of a variable as a sum of literals. Those of a direct encoding are a group of which one is true at
    /// most; those of an order encoding are steps that add up, as bits do.
    pub(crate) fn amounts(&self, domains: &Domains, var: IntVar, factor: i64, of_bits: bool) -> Amounts {
        let (code, domain) = (self.of(var.index as usize), domains.of(var));
        let values = domain.len() as usize;
        let (min, max) = domain.bounds();
        let of = |value: i64| i128::from(factor) * i128::from(value);
        let mut lits = Vec::new();
        if code.is_binary() || of_bits && code.bits.is_some() {
            let mut base = of(min);
            for (at, bit) in code.bit_literals(domain).enumerate() {
                let weight = factor.unsigned_abs() << at;
                if factor > 0 {
                    lits.push((bit, weight));
                } else {
                    // What is counted is that the bit is off.
                    lits.push((!bit, weight));
                    base -= i128::from(weight);
                }
            }
            return Amounts { base, lits, is_group: false, is_ladder: false };
        }
        let steps = code.order.is_some() || code.two.is_some();
        let weight = |one: i64, other: i64| factor.unsigned_abs().saturating_mul(one.abs_diff(other));
        let mut before = min;
        for (rank, value) in domain.iter().enumerate() {
            let (truth, weight) = match (steps, factor > 0) {
                _ if values == 1 => break,
                (false, true) => (code.is(rank, values), weight(value, min)),
                (false, false) => (code.is(rank, values), weight(value, max)),
                (true, true) => (code.at_least(rank, values), weight(value, before)),
                (true, false) => (!code.at_least(rank, values), weight(value, before)),
            };
            if let (Truth::If(lit), 1..) = (truth, weight) {
                lits.push((lit, weight));
            }
            before = value;
        }
        Amounts { base: of(if factor > 0 { min } else { max }), lits, is_group: !steps, is_ladder: steps }
    }

    /// True if the truth value has a literal, or needs none.
    pub(crate) fn has_truth(&self, domains: &Domains, bool: Bool) -> bool {
        let (code, domain) = (self.of(bool.var.index as usize), domains.of(bool.var));
        let test = match bool.test {
            _ if domains.truth(bool).is_some() => return true,
            Test::AtLeast(least) => domain.next(least).map_or(bool.test, Test::AtLeast),
            Test::Is(_) => bool.test,
        };
        match test {
            _ if domain.len() == 2 => code.two.is_some(),
            _ if code.is_binary() => self.spots.contains_key(&(bool.var.index, test)),
            Test::Is(_) => code.direct.is_some(),
            Test::AtLeast(_) => code.order.is_some(),
        }
    }

    /// Literals of which one is true if and only if the variable does not have this value; `None` where it cannot.
    pub(crate) fn differs(&self, domains: &Domains, index: usize, value: i64) -> Option<Vec<Lit>> {
        let (code, domain) = (self.of(index), &domains.all()[index]);
        if !domain.contains(value) {
            return None;
        }
        let (rank, values) = (domain.rank(value), domain.len() as usize);
        let truths = match (code.two, code.order, code.direct) {
            (None, None, None) => {
                let number = value.abs_diff(domain.bounds().0);
                let other = |(at, bit): (usize, Lit)| if number >> at & 1 == 1 { !bit } else { bit };
                return Some(code.bit_literals(domain).enumerate().map(other).collect());
            }
            (None, Some(_), _) => vec![!code.at_least(rank, values), code.at_least(rank + 1, values)],
            _ => vec![!code.is(rank, values)],
        };
        Some(truths.into_iter().filter_map(|truth| if let Truth::If(lit) = truth { Some(lit) } else { None }).collect())
    }

    /// The literals that tell the values of a variable apart.
    pub(crate) fn literals(&self, domains: &Domains, index: usize) -> impl Iterator<Item = Lit> {
        self.of(index).literals(&domains.all()[index])
    }

    /// The value in a model; the least one where the variable has no literals.
    pub(crate) fn value(&self, domains: &Domains, index: usize, is_true: impl Fn(Lit) -> bool) -> i64 {
        let (code, domain) = (self.of(index), &domains.all()[index]);
        let least = domain.bounds().0;
        if code.is_binary() {
            let bits = code.bit_literals(domain).enumerate().filter(|&(_, bit)| is_true(bit));
            return least.wrapping_add_unsigned(bits.map(|(at, _)| 1_u64 << at).sum());
        }
        if code.two.is_some() || code.order.is_some() {
            let rank = code.literals(domain).take_while(|&lit| is_true(lit)).count();
            return domain.nth(rank).expect("a rank below the number of values");
        }
        let rank = code.literals(domain).position(is_true).unwrap_or(0);
        domain.nth(rank).expect("a rank below the number of values")
    }

    /// The value if these literals decide it.
    pub(crate) fn certain(&self, domains: &Domains, index: usize, known: impl Fn(Lit) -> Option<bool>) -> Option<i64> {
        let (code, domain) = (self.of(index), &domains.all()[index]);
        let mut lits = code.literals(domain);
        if let Some(value) = domain.value() {
            return Some(value);
        }
        if code.direct.is_some() && code.order.is_none() {
            return lits.position(|lit| known(lit) == Some(true)).and_then(|rank| domain.nth(rank));
        }
        let known: Option<Vec<bool>> = lits.map(known).collect();
        let known = known.filter(|known| !known.is_empty())?;
        if code.is_binary() {
            let number: u64 = known.iter().enumerate().map(|(at, &bit)| u64::from(bit) << at).sum();
            return Some(domain.bounds().0.wrapping_add_unsigned(number));
        }
        domain.nth(known.iter().filter(|&&reached| reached).count())
    }
}
