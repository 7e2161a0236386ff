//! The literals of variables, made with the clauses that define them before any rule is written.

use rustsat::types::{Lit, Var};

use super::Truth;
use super::code::{DomainBits, VariableCode, VariableCodes};
use super::needs::{Kinds, Needs};
use super::output::{EncodingOutput, WriteResult};
use super::trace::WritingSource;
use crate::choice::Choice;
use crate::variables::{Bool, Domain, Domains, IntVar, Test};
use cnfkit_core::internals::{Random, sort};
use cnfkit_core::{CapacityError, ClauseSink, Cnf, Constrain, Size};

/// The literals that there are already, and how others are made.
#[derive(Debug)]
pub(crate) struct ReadyLiterals<'a> {
    /// The variables without literals of their own that are 1 where a truth value is true.
    pub(crate) aliases: &'a [(IntVar, Bool)],
    pub(crate) choice: Choice,
    /// 0: variables get literals in order; otherwise by lot.
    pub(crate) seed: u64,
    /// The literals of the first variables; none at first.
    pub(crate) codes: VariableCodes,
}

impl ReadyLiterals<'_> {
    /// Makes the literals that are needed and not there yet, with the clauses that define them. An alias, a variable
    /// that is 1 where a truth value is true, shares its literal.
    pub(crate) fn literals(
        self,
        domains: &Domains,
        needs: &Needs,
        output: &mut EncodingOutput,
    ) -> Result<VariableCodes, CapacityError> {
        let ReadyLiterals { aliases, choice, seed, codes } = self;
        let known = codes.len();
        if known == 0 {
            let size = needs.size(domains);
            Cnf::new().reserve(&size)?; // refused before literals are made
            output.formula.reserve(&Size { vars: size.vars, ..Size::ZERO })?;
        }
        let mut maker = LiteralMaker { codes, choice, output };
        maker.codes.grow(domains.len());
        let mut order: Vec<usize> = (0..domains.len()).collect();
        let aliased = |index: usize| aliases.binary_search_by_key(&index, |(var, _)| var.index as usize).ok();
        if seed != 0 {
            // Aliases come after what they are aliases of.
            Random::new(seed).shuffle(&mut order);
            sort::by_key(&mut order, |&index| aliased(index).map_or(0, |at| at as u64 + 1));
        }
        for index in order {
            maker.output.mark(WritingSource::Variable(index as u32));
            match aliased(index) {
                Some(at) if index >= known => {
                    let lit = match maker.codes.truth(domains, aliases[at].1) {
                        Truth::If(lit) if domains.all()[index].len() == 2 => Some(lit),
                        _ => None,
                    };
                    maker.codes.set(index, VariableCode { two: lit, ..VariableCode::default() });
                }
                Some(_) => {}
                None => maker.code(index, &domains.all()[index], needs)?,
            }
        }
        Ok(maker.codes)
    }
}

struct LiteralMaker<'a> {
    codes: VariableCodes,
    choice: Choice,
    output: &'a mut EncodingOutput,
}

impl LiteralMaker<'_> {
    fn block(&mut self, count: usize) -> Result<Var, CapacityError> {
        self.output.formula.reserve(&Size { vars: count as u64, ..Size::ZERO })?;
        let first = self.output.formula.next_var();
        for _ in 0..count {
            self.output.formula.new_lit();
        }
        Ok(first)
    }

    /// Makes those literals of a variable that are needed and not there yet.
    fn code(&mut self, index: usize, domain: &Domain, needs: &Needs) -> WriteResult {
        let values = domain.len() as usize;
        let Kinds { direct, order, binary } = needs.of(index);
        let before = self.codes.of(index);
        let mut code = before;
        if values < 2 || !(direct || order || binary) {
            return Ok(());
        }
        if values == 2 {
            code.two = Some(before.two.unwrap_or_else(|| self.output.formula.new_lit()));
            self.codes.set(index, code);
            return Ok(());
        }
        if order && before.order.is_none() {
            code.order = Some(self.block(values - 1)?);
            let mut steps = code.literals(domain);
            if let Some(mut before) = steps.next() {
                for step in steps {
                    self.output.formula.add_clause(&[!step, before])?;
                    before = step;
                }
            }
            if let Some(first) = before.direct {
                self.order_beside(&mut code, first, values)?;
            }
        }
        if direct && before.direct.is_none() {
            if code.order.is_some() {
                code.direct = Some(self.block(values - 2)?);
                self.inner_values(code, values)?;
            } else {
                code.direct = Some(self.block(values)?);
                let literals: Vec<Lit> = code.literals(domain).collect();
                self.output.formula.exactly_one(&literals, &self.choice.amo)?;
            }
        }
        if binary && before.bits.is_none() {
            code.bits = Some(self.block(DomainBits::of(domain).count)?);
        }
        let is_unary = |code: VariableCode| code.direct.is_some() || code.order.is_some();
        if code.bits.is_some() && is_unary(code) && !(before.bits.is_some() && is_unary(before)) {
            self.channel(code, domain)?;
        }
        self.codes.set(index, code);
        if code.is_binary() {
            if before.bits.is_none() {
                let (min, max) = domain.bounds();
                self.bits_at_most(domain, code, Truth::Known(false), max.abs_diff(min))?;
            }
            let mut before = None;
            for test in needs.spots(index, domain) {
                let is_new = self.codes.spot(index, test).is_none();
                let spot = self.spot(index, domain, test)?;
                if let Test::AtLeast(_) = test
                    && let Some((lower, was_new)) = before.replace((spot, is_new))
                    && (is_new || was_new)
                {
                    self.output.clause(&[], [!spot, lower])?;
                }
            }
        }
        Ok(())
    }

    /// The values between the least and the greatest are those of the order encoding.
    fn inner_values(&mut self, code: VariableCode, values: usize) -> WriteResult {
        for rank in 1..values - 1 {
            let (is, from) = (code.is(rank, values), code.at_least(rank, values));
            let above = code.at_least(rank + 1, values);
            self.output.clause(&[], [!is, from])?;
            self.output.clause(&[], [!is, !above])?;
            self.output.clause(&[], [is, !from, above])?;
        }
        Ok(())
    }

    /// Puts the order encoding beside a direct one that was there alone, from `first` on: the literals of the least and
    /// the greatest value are now those of the order.
    fn order_beside(&mut self, code: &mut VariableCode, first: Var, values: usize) -> WriteResult {
        code.direct = Some(first + 1);
        let (least, greatest) = (first.pos_lit(), (first + (values as u32 - 1)).pos_lit());
        for (own, rank) in [(least, 0), (greatest, values - 1)] {
            let (own, is) = (Truth::If(own), code.is(rank, values));
            self.output.clause(&[], [!own, is])?;
            self.output.clause(&[], [own, !is])?;
        }
        self.inner_values(*code, values)
    }

    /// Each value has its bits.
    fn channel(&mut self, code: VariableCode, domain: &Domain) -> WriteResult {
        let values = domain.len() as usize;
        let (min, _) = domain.bounds();
        for (rank, value) in domain.iter().enumerate() {
            let other = match (code.order, code.direct) {
                // The literal of the value is two of the order.
                (Some(_), None) => [!code.at_least(rank, values), code.at_least(rank + 1, values)],
                _ => [!code.is(rank, values), Truth::Known(false)],
            };
            for (at, bit) in code.bit_literals(domain).enumerate() {
                let bit = if value.abs_diff(min) >> at & 1 == 1 { bit } else { !bit };
                self.output.clause(&[], [other[0], other[1], Truth::If(bit)])?;
            }
        }
        Ok(())
    }

    /// `unless` is true, or the bits are at least this number, which is not 0.
    fn bits_at_least(&mut self, domain: &Domain, code: VariableCode, unless: Truth, least: u64) -> WriteResult {
        let mut clauses = code.more(domain, least - 1);
        clauses.try_for_each(|clause| self.output.clause(&[], clause.into_iter().map(Truth::If).chain([unless])))
    }

    /// `unless` is true, or the bits are at most this number.
    fn bits_at_most(&mut self, domain: &Domain, code: VariableCode, unless: Truth, most: u64) -> WriteResult {
        let mut clauses = code.at_most(domain, most);
        clauses.try_for_each(|clause| self.output.clause(&[], clause.into_iter().map(Truth::If).chain([unless])))
    }

    /// A literal for one test of a variable that has bits only.
    fn spot(&mut self, index: usize, domain: &Domain, test: Test) -> Result<Truth, CapacityError> {
        if let Some(known) = self.codes.spot(index, test) {
            return Ok(Truth::If(known));
        }
        let code = self.codes.of(index);
        let (min, _) = domain.bounds();
        let spot = self.output.formula.new_lit();
        self.codes.set_spot(index, test, spot);
        let spot = Truth::If(spot);
        match test {
            Test::Is(value) => {
                let number = value.abs_diff(min);
                let same = |(at, bit): (usize, Lit)| Truth::If(if number >> at & 1 == 1 { bit } else { !bit });
                let bits: Vec<Truth> = code.bit_literals(domain).enumerate().map(same).collect();
                bits.iter().try_for_each(|&bit| self.output.clause(&[], [!spot, bit]))?;
                self.output.clause(&[], bits.into_iter().map(|bit| !bit).chain([spot]))?;
            }
            Test::AtLeast(least) => {
                self.bits_at_least(domain, code, !spot, least.abs_diff(min))?;
                let below = domain.previous(least - 1).unwrap_or(min);
                self.bits_at_most(domain, code, spot, below.abs_diff(min))?;
            }
        }
        Ok(spot)
    }
}
