//! Adders, written column by column.
//!
//! For example 3x + 5y + 6z: column 1 has x and y, column 2 has x and z, column 4 has y and z, by the binary digits of
//! the weights. A half adder takes x and y; their carry joins x and z in column 2, where a full adder takes all three;
//! its carry joins y and z in column 4, and the carry of that is the bit of column 8. The sums of the columns are the
//! digits of the whole. *At most 8* then says of them: not the bit of 8 together with any lower one.
//!
//! A column begins with its bits of weights and the carries of the column before. Full adders take three bits and leave
//! their sum, until so few are left as the column's [`ColumnRole`] says. A literal that is itself the carry is
//! *passed*: it may then meet itself in the next column, where twice the literal is once the literal in the column
//! after that.

use rustsat::types::Lit;

use super::column::{ColumnRole, Last, Recipe};
use super::digits::{Bit, SumDigits};
use crate::card::AdderInputs;
use crate::pb::prepared::Script;
use crate::writer::{Full, Writer};

/// The comparison of the sum of the bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AdderComparison {
    /// The sum and `added` are together at most `bound`; the lowest digits of `bound` are 1 as far as `added` reaches.
    Most { bound: u128, added: u128 },
    /// The sum and `added` are together at least 2 to the power of `log`.
    Least { log: usize, added: u128 },
    /// The sum.
    Exact(u128),
}

/// Digits, and what they are to sum up to.
#[derive(Clone, Debug)]
pub(crate) struct AdderCircuit {
    pub(super) digits: SumDigits,
    /// Bits are taken negated.
    pub(super) negated: bool,
    pub(super) comparison: AdderComparison,
    /// Sums and carries are defined in both directions.
    pub(super) full: bool,
}

impl AdderComparison {
    /// True if *at most* has 1 in this column.
    pub(super) const fn has_digit(self, column: usize) -> bool {
        matches!(self, Self::Most { bound, .. } if bound >> column & 1 == 1)
    }

    /// The role of a column; `None` above the highest that is added up.
    pub(super) fn role(self, column: usize) -> Option<ColumnRole> {
        let bit = |number: u128| number >> column & 1 == 1;
        let columns = match self {
            Self::Most { bound, .. } | Self::Exact(bound) => (u128::BITS - bound.leading_zeros()) as usize,
            Self::Least { log, .. } => log,
        };
        let highest = column + 1 == columns;
        (column < columns).then(|| match self {
            Self::Most { bound, .. } if highest => {
                ColumnRole::Top { compared: bound.count_zeros() > bound.leading_zeros() }
            }
            Self::Most { bound, .. } if column >= bound.trailing_ones() as usize => ColumnRole::Digit,
            Self::Most { added, .. } | Self::Least { added, .. } => ColumnRole::Carry { constant: bit(added) },
            Self::Exact(_) if highest => ColumnRole::FixedTop,
            Self::Exact(bound) => ColumnRole::Fixed(bit(bound)),
        })
    }
}

impl AdderCircuit {
    /// Sums and carries are true where they should be.
    pub(super) const fn up(&self) -> bool {
        self.full || !matches!(self.comparison, AdderComparison::Least { .. })
    }

    /// Sums and carries are false where they should be.
    pub(super) const fn down(&self) -> bool {
        self.full || !matches!(self.comparison, AdderComparison::Most { .. })
    }
}

impl Script for AdderCircuit {
    fn run(&self, to: &mut Writer<'_>) -> Result<(), Full> {
        let (any, bits, next) = (Vec::new(), Vec::new(), Vec::new());
        let (said, carries) = (Vec::new(), Vec::new());
        CircuitColumns { circuit: self, to, any, bits, at: 0, next, said, carries, impossible: false, over: None }
            .write()
    }
}

/// A circuit that is being written.
struct CircuitColumns<'a, 'w> {
    circuit: &'a AdderCircuit,
    to: &'a mut Writer<'w>,
    /// The literals of disjunctions.
    any: Vec<Lit>,
    /// The bits of the column, those before `at` added up.
    bits: Vec<Lit>,
    at: usize,
    /// Carries.
    next: Vec<Lit>,
    /// Short clauses that enforce the bound, and definitions that these might repeat.
    said: Vec<[Lit; 3]>,
    /// Carries of short columns of *exactly*, and of what. They may stand beside literals that they are carries of,
    /// for a literal has as many columns as its weight has digits.
    carries: Vec<(Lit, AdderInputs)>,
    /// A digit that has no bits should be 1: that was said.
    impossible: bool,
    /// True when two bits of the highest column are; `None` where clauses say that it may not be.
    over: Option<Lit>,
}

impl CircuitColumns<'_, '_> {
    /// The most bits of a column whose carries are looked at: a clause said twice is no error, only needless.
    const SHORT: usize = 64;

    fn write(&mut self) -> Result<(), Full> {
        self.define_any()?;
        let circuit = self.circuit;
        let mut compared = Vec::new();
        let (mut passed, mut passing) = (Vec::new(), Vec::new());
        let mut beyond = Vec::new();
        for column in 0.. {
            let columns = &circuit.digits.columns;
            let role = circuit.comparison.role(column);
            if role.is_none() && column >= columns.len() && self.next.is_empty() && passed.is_empty() {
                break;
            }
            self.begin(columns.get(column).map_or(&[], Vec::as_slice));
            for lit in passed.drain(..) {
                self.meet(lit, &mut passing)?;
            }
            match role {
                Some(role) => compared.push(self.column(role, &mut passing)?),
                None => beyond.append(&mut self.bits),
            }
            std::mem::swap(&mut passed, &mut passing);
        }
        if let Some(over) = self.over {
            self.to.clause(&[!over])?;
        }
        beyond.sort_unstable();
        beyond.dedup();
        match circuit.comparison {
            AdderComparison::Least { .. } => self.any_of(&beyond),
            AdderComparison::Exact(_) => beyond.iter().try_for_each(|&lit| self.enforce(&[!lit])),
            AdderComparison::Most { bound, .. } => {
                beyond.iter().try_for_each(|&lit| self.enforce(&[!lit]))?;
                self.compare(bound, &compared)
            }
        }
    }

    /// A literal for each disjunction of literals, in the directions in which its bits are needed.
    fn define_any(&mut self) -> Result<(), Full> {
        let circuit = self.circuit;
        let [mut up, mut down] = [circuit.up(), circuit.down()];
        if circuit.negated {
            (up, down) = (down, up);
        }
        let mut clause = Vec::new();
        for at in 0..circuit.digits.ends.len() {
            let lits = circuit.digits.any(at);
            let any = self.to.lit();
            self.any.push(any);
            if up {
                lits.iter().try_for_each(|&lit| self.to.define(&[!lit, any]))?;
            }
            if down {
                clause.clear();
                clause.extend_from_slice(lits);
                clause.push(!any);
                self.to.define(&clause)?;
            }
        }
        Ok(())
    }

    /// The bits of the next column: of weights, and carries.
    fn begin(&mut self, bits: &[Bit]) {
        let (circuit, any) = (self.circuit, &self.any);
        let lits = bits.iter().map(|&bit| {
            let lit = match bit {
                Bit::Lit(lit) => lit,
                Bit::Any(at) => any[at as usize],
            };
            if circuit.negated { !lit } else { lit }
        });
        self.bits.clear();
        self.at = 0;
        self.bits.extend(lits);
        self.bits.append(&mut self.next);
    }

    /// Adds a literal that was passed. Twice the same is passed on; beside its negation it gets another name.
    fn meet(&mut self, lit: Lit, passing: &mut Vec<Lit>) -> Result<(), Full> {
        match self.bits.iter().position(|bit| bit.var() == lit.var()) {
            None => self.bits.push(lit),
            Some(at) if self.bits[at] == lit => {
                self.bits.remove(at);
                passing.push(lit);
            }
            Some(_) => {
                let same = self.to.lit();
                self.to.define(&[!lit, same])?;
                self.to.define(&[lit, !same])?;
                self.bits.push(same);
            }
        }
        Ok(())
    }

    fn pop(&mut self) -> Lit {
        self.at += 1;
        self.bits[self.at - 1]
    }

    /// Adds up a column: its digit, if it has one.
    fn column(&mut self, role: ColumnRole, passing: &mut Vec<Lit>) -> Result<Option<Lit>, Full> {
        let Recipe { left, adders, last } = role.recipe(self.bits.len());
        let at_top = matches!(role, ColumnRole::Top { .. } | ColumnRole::FixedTop);
        if at_top && 3 * adders + left > 3 {
            self.over = Some(self.to.lit());
        }
        for _ in 0..adders {
            let bits = AdderInputs { a: self.pop(), b: self.pop(), third: Some(self.pop()) };
            let sum = if at_top { self.one_or_none(bits)? } else { self.add(bits)? };
            self.bits.push(sum);
        }
        match (last, left) {
            (Last::Nothing, _) | (Last::Digit, 0) => {}
            (Last::Digit, _) => return Ok(Some(self.pop())),
            (Last::Pass, _) => passing.push(self.bits[self.at]),
            (Last::HalfAdder, _) => {
                let bits = AdderInputs { a: self.pop(), b: self.pop(), third: None };
                return if at_top { self.one_or_none(bits) } else { self.add(bits) }.map(Some);
            }
            (Last::Both | Last::Either, _) => {
                let bits = AdderInputs { a: self.pop(), b: self.pop(), third: (left == 3).then(|| self.pop()) };
                self.carry(bits, last == Last::Either)?;
            }
            (Last::Equals(value), _) => self.equals(value, passing)?,
            (Last::AtMostOne, _) => self.forbid_pairs(self.at)?,
            (Last::One, _) => {
                self.forbid_pairs(self.at)?;
                let (mut clause, len) = ([Lit::positive(0); 3], self.bits.len() - self.at);
                clause[..len].copy_from_slice(&self.bits[self.at..]);
                self.enforce(&clause[..len])?;
            }
        }
        Ok(None)
    }

    /// The sum of two or three bits; their carry goes to the next column.
    #[inline]
    fn add(&mut self, bits: AdderInputs) -> Result<Lit, Full> {
        let [carry, sum] = [self.to.lit(), self.to.lit()];
        let (up, down) = (self.circuit.up(), self.circuit.down());
        let to = &mut *self.to;
        if up {
            bits.carry_rises(to, carry)?;
            bits.sum_rises(to, sum)?;
        }
        if down {
            bits.carry_falls(to, carry)?;
            bits.sum_falls(to, sum)?;
        }
        self.next.push(carry);
        self.know_carry(bits, carry, down);
        if matches!(self.circuit.comparison, AdderComparison::Exact(_)) && self.bits.len() <= Self::SHORT {
            self.carries.push((carry, bits));
        }
        Ok(sum)
    }

    /// The carry of two or three bits whose sum nobody looks at; with a constant 1, of two.
    fn carry(&mut self, bits: AdderInputs, constant: bool) -> Result<(), Full> {
        let carry = self.to.lit();
        let (up, down) = (self.circuit.up(), self.circuit.down());
        let to = &mut *self.to;
        // With a constant 1 it is a disjunction, which is a conjunction with all signs changed.
        self.next.push(carry);
        let (bits, carry, up, down) = if constant {
            (AdderInputs { a: !bits.a, b: !bits.b, third: None }, !carry, down, up)
        } else {
            (bits, carry, up, down)
        };
        if up {
            bits.carry_rises(to, carry)?;
        }
        if down {
            bits.carry_falls(to, carry)?;
        }
        self.know_carry(bits, carry, down);
        Ok(())
    }

    /// Notes that the carry of two bits implies both, where that is defined: a column may say it once more when a bit
    /// stands beside the negation of another.
    fn know_carry(&mut self, bits: AdderInputs, carry: Lit, down: bool) {
        if down && bits.third.is_none() {
            self.know([bits.a, !carry, !carry]);
            self.know([bits.b, !carry, !carry]);
        }
    }

    /// Sends a clause that enforces the bound. Columns with the same last bits may say the same short clauses: once is
    /// enough.
    fn enforce(&mut self, clause: &[Lit]) -> Result<(), Full> {
        if clause.is_empty() && std::mem::replace(&mut self.impossible, true) {
            return Ok(());
        }
        if (1..=3).contains(&clause.len()) {
            let mut said = [clause[0]; 3];
            said[..clause.len()].copy_from_slice(clause);
            if !self.know(said) {
                return Ok(());
            }
        }
        self.to.clause(clause)
    }

    /// Notes a clause of up to three literals, one of them repeated to make three; false if it was known.
    fn know(&mut self, mut clause: [Lit; 3]) -> bool {
        clause.sort_unstable();
        let [a, mut b, c] = clause;
        if b == c {
            b = a;
        }
        let new = !self.said.contains(&[a, b, c]);
        if new {
            self.said.push([a, b, c]);
        }
        new
    }

    /// Notes what is defined of these three, where one of them is the carry of the two others and of some third.
    fn know_carries(&mut self, [a, b, c]: [Lit; 3]) {
        for (carry, others) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
            let of_others = |bits: &AdderInputs| {
                others.iter().all(|&lit| [Some(bits.a), Some(bits.b), bits.third].contains(&Some(lit)))
            };
            if self.carries.iter().any(|(known, bits)| *known == carry && of_others(bits)) {
                self.know([!others[0], !others[1], carry]);
                self.know([others[0], others[1], !carry]);
            }
        }
    }

    /// Two of these, or more, are too much.
    fn exceed(&mut self, a: Lit, b: Lit) -> Result<(), Full> {
        match self.over {
            Some(over) => self.to.define(&[!a, !b, over]),
            None => self.enforce(&[!a, !b]),
        }
    }

    fn forbid_pairs(&mut self, from: usize) -> Result<(), Full> {
        for b in from + 1..self.bits.len() {
            for a in from..b {
                self.exceed(self.bits[a], self.bits[b])?;
            }
        }
        Ok(())
    }

    /// In the highest column: of these at most one is true, and their sum says whether one is.
    fn one_or_none(&mut self, bits: AdderInputs) -> Result<Lit, Full> {
        let AdderInputs { a, b, third } = bits;
        self.exceed(a, b)?;
        if let Some(c) = third {
            self.exceed(a, c)?;
            self.exceed(b, c)?;
        }
        let sum = self.to.lit();
        if self.circuit.up() {
            for lit in [a, b].into_iter().chain(third) {
                self.to.define(&[!lit, sum])?;
            }
        }
        if self.circuit.down() {
            match third {
                Some(c) => self.to.define(&[a, b, c, !sum])?,
                None => self.to.define(&[a, b, !sum])?,
            }
        }
        Ok(sum)
    }

    /// The last bits of a digit of *exactly*: what they sum up to is said, and what they then carry.
    fn equals(&mut self, value: bool, passing: &mut Vec<Lit>) -> Result<(), Full> {
        let sign = |lit: Lit| if value { lit } else { !lit };
        match self.bits[self.at..] {
            [] if value => self.enforce(&[]),
            [] => Ok(()),
            [a] => self.enforce(&[sign(a)]),
            [a, b] => {
                self.enforce(&[sign(a), b])?;
                self.enforce(&[!sign(a), !b])?;
                if !value {
                    passing.push(b);
                }
                Ok(())
            }
            [a, b, c, ..] => {
                self.know_carries([a, b, c]);
                for (b, c) in [(b, c), (!b, !c)] {
                    self.enforce(&[sign(a), b, c])?;
                    self.enforce(&[!sign(a), b, !c])?;
                }
                // Of none or two, some; of one or three, all.
                let carry = self.to.lit();
                self.next.push(carry);
                for lit in [a, b, c] {
                    self.to.define(&[sign(lit), !sign(carry)])?;
                    self.know([sign(lit), !sign(carry), sign(lit)]);
                }
                self.to.define(&[!sign(a), !sign(b), !sign(c), sign(carry)])
            }
        }
    }

    /// Some of these is true.
    fn any_of(&mut self, lits: &[Lit]) -> Result<(), Full> {
        // In order of variables, so that a literal stands beside its negation.
        if lits.windows(2).any(|pair| pair[0].var() == pair[1].var()) {
            return Ok(());
        }
        self.to.clause(lits)
    }

    /// Compares digits with the bound: from the highest down, the first that differs decides, so that a digit of the
    /// bound that is 0 may be 1 only where a higher one is 0 although the bound has 1.
    fn compare(&mut self, bound: u128, digits: &[Option<Lit>]) -> Result<(), Full> {
        let mut higher: Vec<Lit> = Vec::with_capacity(digits.len());
        for column in (bound.trailing_ones() as usize..digits.len()).rev() {
            let set = bound >> column & 1 == 1;
            match digits[column] {
                // The bound has 1, the digit is 0, or is so where clauses below would apply: the sum is less.
                None if set => break,
                None => {}
                Some(digit) if set && higher.contains(&digit) => break,
                Some(digit) if higher.contains(&digit) => {}
                // The digit is 1 wherever a clause would apply.
                Some(digit) if !set && higher.contains(&!digit) => {
                    self.enforce(&higher)?;
                    break;
                }
                Some(digit) if higher.contains(&!digit) => {}
                Some(digit) => {
                    higher.push(!digit);
                    if !set {
                        self.enforce(&higher)?;
                        higher.pop();
                    }
                }
            }
        }
        Ok(())
    }
}
