//! [`Encoder`]: integer variables as literals, for the rules that write clauses.
//!
//! A variable with the values v₀ < v₁ < … < vₘ₋₁ has up to two encodings:
//!
//! * **Direct**: a literal *x is vₖ* for each value, exactly one of which is true.
//! * **Order**: a literal *x is at least vₖ* for each value but the first, each of which implies the one before.
//!
//! Rules say which they need. Where both are needed, they are channelled: *x is vₖ* if and only if x is at least vₖ and
//! not at least vₖ₊₁; the first and the last value need no literal of their own then. A variable of two values has one
//! literal, whatever is needed; one of a single value has none.

use rustsat::types::{Lit, Var};

use super::Choice;
use super::domain::Domain;
use super::domains::Domains;
use super::expr::{Bool, IntVar, Test};
use super::view::View;
use crate::cnf::{CapacityError, Cnf};
use crate::constrain::Constrain;
use crate::encode::{PbPlan, Terms};
use crate::formula::Formula;
use crate::pb::Diagram;
use crate::relation::{PbRelation, Relation};
use crate::sink::{ClauseSink, Size};

/// Which literals of each variable are needed.
#[derive(Clone, Debug)]
pub(super) struct Needs(Vec<u8>);

impl Needs {
    const DIRECT: u8 = 1;
    const ORDER: u8 = 2;
    const EITHER: u8 = 4;

    pub(super) fn new(variables: usize) -> Self {
        Self(vec![0; variables])
    }

    pub(super) fn direct(&mut self, view: View) {
        if !view.is_constant() {
            self.0[view.var.index as usize] |= Self::DIRECT;
        }
    }

    pub(super) fn order(&mut self, view: View) {
        if !view.is_constant() {
            self.0[view.var.index as usize] |= Self::ORDER;
        }
    }

    /// Direct or order, whichever is needed by others; order where none is.
    pub(super) fn either(&mut self, var: IntVar) {
        self.0[var.index as usize] |= Self::EITHER;
    }

    /// Settles what was left open.
    pub(super) fn settle(&mut self) {
        self.0.iter_mut().filter(|needs| **needs == Self::EITHER).for_each(|needs| *needs = Self::ORDER);
    }

    pub(super) fn test(&mut self, bool: Bool) {
        match bool.test {
            Test::Is(_) => self.direct(View::whole(bool.var)),
            Test::AtLeast(_) => self.order(View::whole(bool.var)),
        }
    }

    /// Direct for a variable that has no encoding yet: its values are told apart.
    pub(super) fn any(&mut self, var: IntVar) {
        let needs = &mut self.0[var.index as usize];
        if *needs == 0 {
            *needs = Self::DIRECT;
        }
    }

    /// Direct for all that have no encoding yet: every variable is told from the others.
    pub(super) fn all(&mut self) {
        self.0.iter_mut().filter(|needs| **needs == 0).for_each(|needs| *needs = Self::DIRECT);
    }
}

/// A truth value, or the literal that has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Truth {
    Known(bool),
    If(Lit),
}

impl std::ops::Not for Truth {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Known(value) => Self::Known(!value),
            Self::If(lit) => Self::If(!lit),
        }
    }
}

/// Where a variable's literals are: the first variable of each block.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Code {
    direct: Option<Var>,
    order: Option<Var>,
    /// The literal of *x is the greater value*, of a variable with two values.
    two: Option<Lit>,
}

impl Code {
    /// The literal of *x is the value of this rank*, out of so many values.
    fn is(self, rank: usize, values: usize) -> Truth {
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
    pub(super) fn at_least(self, rank: usize, values: usize) -> Truth {
        match (self.order, self.direct) {
            _ if rank == 0 => Truth::Known(true),
            _ if rank >= values => Truth::Known(false),
            _ if values == 2 => self.greater(true),
            (Some(order), _) => Truth::If((order + (rank as u32 - 1)).pos_lit()),
            _ => unreachable!("no order encoding was asked for"),
        }
    }

    /// *x is the greater of its two values*, or not.
    fn greater(self, is: bool) -> Truth {
        let lit = self.two.expect("no encoding was asked for");
        Truth::If(if is { lit } else { !lit })
    }

    const fn is_there(self) -> bool {
        self.direct.is_some() || self.order.is_some() || self.two.is_some()
    }

    /// The rank of the value in a model; the least value where the variable has no literals.
    pub(super) fn rank(self, values: usize, is_true: impl Fn(Lit) -> bool) -> usize {
        let holds = |truth| match truth {
            Truth::Known(value) => value,
            Truth::If(lit) => is_true(lit),
        };
        if values == 1 || !self.is_there() {
            0
        } else if self.order.is_some() || values == 2 {
            (1..values).take_while(|&rank| holds(self.at_least(rank, values))).count()
        } else {
            (0..values).find(|&rank| holds(self.is(rank, values))).unwrap_or(0)
        }
    }

    /// The rank of the value if these literals decide it.
    pub(super) fn certain_rank(self, values: usize, known: impl Fn(Lit) -> Option<bool>) -> Option<usize> {
        let value = |truth| match truth {
            Truth::Known(value) => Some(value),
            Truth::If(lit) => known(lit),
        };
        if values == 1 || !self.is_there() {
            return (values == 1).then_some(0);
        }
        if self.order.is_some() || values == 2 {
            let least = (1..values).take_while(|&rank| value(self.at_least(rank, values)) == Some(true)).count();
            let above = value(self.at_least(least + 1, values));
            return (above == Some(false)).then_some(least);
        }
        (0..values).find(|&rank| value(self.is(rank, values)) == Some(true))
    }

    /// The literals that tell the values apart.
    pub(super) fn literals(self, values: usize) -> impl Iterator<Item = Lit> {
        let block = match (self.order, self.direct) {
            (Some(order), _) => Some((order, values - 1)),
            (None, Some(direct)) => Some((direct, values)),
            (None, None) => None,
        };
        let block =
            block.into_iter().flat_map(|(first, count)| (0..count as u32).map(move |at| (first + at).pos_lit()));
        self.two.into_iter().chain(block)
    }
}

/// A literal that is true or false as `bool` says, unless the domain decides it.
pub(super) fn literal_of(bool: Bool, codes: &[Code], domains: &Domains) -> Option<Lit> {
    let domain = domains.of(bool.var);
    let (code, values) = (codes[bool.var.index as usize], domain.len() as usize);
    let truth = match bool.test {
        Test::Is(value) if domain.contains(value) => code.is(domain.rank(value), values),
        Test::Is(_) => Truth::Known(false),
        Test::AtLeast(least) => code.at_least(domain.rank(least), values),
    };
    match truth {
        Truth::If(lit) => Some(lit),
        Truth::Known(_) => None,
    }
}

/// Writes rules into a formula, under a condition.
#[derive(Debug)]
pub(super) struct Encoder<'a> {
    pub(super) formula: &'a mut Formula,
    domains: &'a Domains,
    codes: Vec<Code>,
    pub(super) choice: Choice,
    /// The literals that must be true for what is written now to hold.
    condition: Vec<Lit>,
    buffer: Vec<Lit>,
}

impl<'a> Encoder<'a> {
    /// Makes the literals that are needed, with the clauses that define them. An alias, a variable that is 1 where a
    /// truth value is true, shares its literal.
    pub(super) fn new(
        formula: &'a mut Formula,
        domains: &'a Domains,
        needs: &Needs,
        aliases: &[(IntVar, Bool)],
        choice: Choice,
    ) -> Result<Self, CapacityError> {
        let (mut size, mut all) = (Size::ZERO, Size::ZERO);
        for (domain, &needs) in domains.all().iter().zip(&needs.0) {
            let values = domain.len();
            let (direct, order) = (needs & Needs::DIRECT > 0, needs & Needs::ORDER > 0);
            let (vars, clauses, lits) = match (values, direct, order) {
                (1, ..) | (_, false, false) => (0, 0, 0),
                (2, ..) => (1, 0, 0),
                (_, true, true) => ((values - 1).saturating_add(values - 2), values.saturating_mul(4), 9),
                (_, false, true) => (values - 1, values - 2, 2),
                (_, true, false) => (values, values, 3), // at least
            };
            size.vars = size.vars.saturating_add(vars);
            all += Size { vars, clauses, lits: values.saturating_mul(lits) };
        }
        Cnf::new().reserve(&all)?; // refused before literals are made
        formula.reserve(&size)?;
        let mut encoder =
            Self { formula, domains, codes: Vec::new(), choice, condition: Vec::new(), buffer: Vec::new() };
        encoder.codes.reserve(domains.len());
        let mut left = aliases;
        for (index, (domain, &needs)) in domains.all().iter().zip(&needs.0).enumerate() {
            // In the order of variables, and made after what they are aliases of.
            let alias = left.split_first().filter(|((var, _), _)| var.index as usize == index);
            let mut code = Code::default();
            match alias {
                Some((&(_, bool), rest)) => {
                    left = rest;
                    if let Truth::If(lit) = encoder.known(bool) {
                        code.two = Some(lit);
                    }
                }
                None => code = encoder.code(domain, needs)?,
            }
            encoder.codes.push(code);
        }
        Ok(encoder)
    }

    fn block(&mut self, count: usize) -> Var {
        let first = self.formula.next_var();
        for _ in 0..count {
            self.formula.new_lit();
        }
        first
    }

    fn code(&mut self, domain: &Domain, needs: u8) -> Result<Code, CapacityError> {
        let values = domain.len() as usize;
        let (direct, order) = (needs & Needs::DIRECT > 0, needs & Needs::ORDER > 0);
        let mut code = Code::default();
        if values == 1 || !(direct || order) {
            return Ok(code);
        }
        if values == 2 {
            code.two = Some(self.formula.new_lit());
        } else if order {
            code.order = Some(self.block(values - 1));
            for rank in 2..values {
                self.clause([!code.at_least(rank, values), code.at_least(rank - 1, values)])?;
            }
            if direct {
                code.direct = Some(self.block(values - 2));
                for rank in 1..values - 1 {
                    let (is, from) = (code.is(rank, values), code.at_least(rank, values));
                    let above = code.at_least(rank + 1, values);
                    self.clause([!is, from])?;
                    self.clause([!is, !above])?;
                    self.clause([is, !from, above])?;
                }
            }
        } else {
            code.direct = Some(self.block(values));
            let lits: Vec<Lit> = code.literals(values).collect();
            self.formula.exactly_one(&lits, &self.choice.amo)?;
        }
        Ok(code)
    }

    pub(super) fn into_codes(self) -> Vec<Code> {
        self.codes
    }

    pub(super) const fn domains(&self) -> &'a Domains {
        self.domains
    }

    fn parts(&self, var: IntVar) -> (Code, &'a Domain, usize) {
        let domain = self.domains.of(var);
        (self.codes[var.index as usize], domain, domain.len() as usize)
    }

    /// *The view has this value.*
    pub(super) fn is(&self, view: View, value: i64) -> Truth {
        if view.is_constant() {
            return Truth::Known(view.offset == value);
        }
        let (code, domain, values) = self.parts(view.var);
        match view.to_value(value).filter(|&value| domain.contains(value)) {
            None => Truth::Known(false),
            Some(value) => code.is(domain.rank(value), values),
        }
    }

    /// *The variable has this value or a greater one*, which may be beyond any.
    pub(super) fn from(&self, var: IntVar, least: i128) -> Truth {
        let (code, domain, values) = self.parts(var);
        let (min, max) = domain.bounds();
        match least {
            _ if least <= i128::from(min) => Truth::Known(true),
            _ if least > i128::from(max) => Truth::Known(false),
            _ => code.at_least(domain.rank(least as i64), values),
        }
    }

    /// *The view has this value or a greater one.*
    pub(super) fn at_least(&self, view: View, least: i64) -> Truth {
        if view.is_constant() {
            return Truth::Known(view.offset >= least);
        }
        let (factor, over) = (i128::from(view.factor), i128::from(least) - i128::from(view.offset));
        if factor > 0 {
            self.from(view.var, -((-over).div_euclid(factor)))
        } else {
            !self.from(view.var, (-over).div_euclid(-factor) + 1)
        }
    }

    /// A test of the model as a truth value.
    pub(super) fn truth(&self, bool: Bool) -> Truth {
        let truth = match bool.test {
            Test::Is(value) => self.is(View::whole(bool.var), value),
            Test::AtLeast(least) => self.from(bool.var, i128::from(least)),
        };
        if bool.negated { !truth } else { truth }
    }

    /// The same, where domains may decide it and then no literals are there.
    pub(super) fn known(&self, bool: Bool) -> Truth {
        self.domains.truth(bool).map_or_else(|| self.truth(bool), Truth::Known)
    }

    /// Says that one of these is true, under the condition.
    pub(super) fn clause(&mut self, clause: impl IntoIterator<Item = Truth>) -> Result<(), CapacityError> {
        self.buffer.clear();
        self.buffer.extend(self.condition.iter().map(|&lit| !lit));
        for truth in clause {
            match truth {
                Truth::Known(true) => return Ok(()),
                Truth::Known(false) => {}
                Truth::If(lit) if self.buffer.contains(&!lit) => return Ok(()),
                Truth::If(lit) if self.buffer.contains(&lit) => {}
                Truth::If(lit) => self.buffer.push(lit),
            }
        }
        self.formula.add_clause(&self.buffer)
    }

    /// So many of these are true, under the condition.
    pub(super) fn cardinality(
        &mut self,
        all: impl IntoIterator<Item = Truth>,
        relation: Relation,
    ) -> Result<(), CapacityError> {
        let mut known = 0;
        let mut lits = Vec::new();
        for truth in all {
            match truth {
                Truth::Known(value) => known += usize::from(value),
                Truth::If(lit) => lits.push(lit),
            }
        }
        let rest = relation.bound().checked_sub(known);
        let relation = match (relation, rest) {
            (_, Some(rest)) => relation.with_bound(rest),
            (Relation::AtLeast(_), None) => return Ok(()),
            (_, None) => return self.clause([]),
        };
        let Choice { amo, card, .. } = self.choice;
        let sink = &mut self.formula.when(&self.condition);
        match relation {
            Relation::AtMost(1) => sink.at_most_one(&lits, &amo),
            Relation::Exactly(1) => sink.exactly_one(&lits, &amo),
            _ => sink.cardinality(&lits, relation, &card),
        }
    }

    /// These literals weigh at most so much together, under the condition.
    pub(super) fn weighted_at_most(&mut self, terms: &[(Lit, u64)], most: u64) -> Result<(), CapacityError> {
        self.weights(&Terms::new(terms), PbRelation::AtMost(most))
    }

    /// These literals, of each group of which at most one is true, weigh as much as the relation says, under the
    /// condition.
    pub(super) fn weights(&mut self, terms: &Terms<'_>, relation: PbRelation) -> Result<(), CapacityError> {
        let pb = self.choice.pb;
        self.formula.when(&self.condition).pb_grouped(terms, relation, &pb)
    }

    /// The amounts by which a multiple of a variable is above its least, by literal. Those of a direct encoding are a
    /// group of which one is true at most; those of an order encoding are steps that add up.
    pub(super) fn amounts(&self, var: IntVar, factor: i64) -> (Vec<(Lit, u64)>, bool) {
        let (code, domain, values) = self.parts(var);
        let steps = code.order.is_some() || code.two.is_some();
        let weight = |one: i64, other: i64| factor.unsigned_abs().saturating_mul(one.abs_diff(other));
        let (min, max) = domain.bounds();
        let mut amounts = Vec::new();
        let mut before = min;
        for (rank, value) in domain.iter().enumerate() {
            let (truth, weight) = match (steps, factor > 0) {
                (false, true) => (code.is(rank, values), weight(value, min)),
                (false, false) => (code.is(rank, values), weight(value, max)),
                (true, true) => (code.at_least(rank, values), weight(value, before)),
                (true, false) => (!code.at_least(rank, values), weight(value, before)),
            };
            if let (Truth::If(lit), 1..) = (truth, weight) {
                amounts.push((lit, weight));
            }
            before = value;
        }
        (amounts, !steps)
    }

    /// The amounts by which a multiple of a variable is above its least, by literals of which each implies the one
    /// before: *it is at least so much*. `None` where the variable has no such literals.
    pub(super) fn chain(&self, var: IntVar, factor: i64) -> Option<Vec<(Lit, u64)>> {
        let (code, domain, values) = self.parts(var);
        if values > 1 && code.order.is_none() && code.two.is_none() {
            return None;
        }
        let (min, max) = domain.bounds();
        let weight = |one: i64, other: i64| factor.unsigned_abs().saturating_mul(one.abs_diff(other));
        let mut before = min;
        let steps = domain.iter().enumerate().skip(1).map(|(rank, value)| {
            let before = std::mem::replace(&mut before, value);
            let truth = code.at_least(rank, values);
            if factor > 0 { (truth, weight(value, min)) } else { (!truth, weight(before, max)) }
        });
        let mut chain: Vec<(Lit, u64)> = steps
            .filter_map(|(truth, weight)| if let Truth::If(lit) = truth { Some((lit, weight)) } else { None })
            .collect();
        if factor < 0 {
            chain.reverse();
        }
        Some(chain)
    }

    /// The greatest amounts of [chains](Self::chain) are at most so much together, under the condition; false if that
    /// takes more than `budget` steps, and nothing was written then.
    pub(super) fn chains_at_most(
        &mut self,
        mut chains: Vec<Vec<(Lit, u64)>>,
        most: u64,
        budget: usize,
    ) -> Result<bool, CapacityError> {
        let Some(diagram) = Diagram::of_chains(&mut chains, most, budget) else { return Ok(false) };
        let mut sink = self.formula.when(&self.condition);
        sink.reserve(&diagram.size())?;
        diagram.write(&mut sink)?;
        Ok(true)
    }

    /// What `write` writes holds where `lit` is true, too.
    pub(super) fn under(
        &mut self,
        lit: Lit,
        write: impl FnOnce(&mut Self) -> Result<(), CapacityError>,
    ) -> Result<(), CapacityError> {
        self.condition.push(lit);
        let written = write(self);
        self.condition.pop();
        written
    }

    /// What `write` writes defines auxiliaries, whatever the condition is.
    pub(super) fn always(
        &mut self,
        write: impl FnOnce(&mut Self) -> Result<(), CapacityError>,
    ) -> Result<(), CapacityError> {
        let condition = std::mem::take(&mut self.condition);
        let written = write(self);
        self.condition = condition;
        written
    }

    pub(super) fn new_lit(&mut self) -> Lit {
        self.formula.new_lit()
    }
}
