//! [`Adder`]: binary numbers, added up and compared with k.

use rustsat::types::Lit;

use super::bits::AdderInputs;
use crate::encode::ByRelation;
use crate::relation::Relation;
use crate::size::Size;
use crate::writer::{Full, Writer};

/// A binary counter of full and half adders, column by column, compared with k.
///
/// With L the number of binary digits of k and cᵢ = ⌊n/2ⁱ⌋ the number of bits of weight 2ⁱ:
///
/// | | at most k | at least k | exactly k |
/// |---|---|---|---|
/// | full adders | Σ ⌊(cᵢ−1)/2⌋ for i < L | the same | the same |
/// | half adders | one for each even cᵢ, i < L | the same | the same |
/// | clauses a full adder, [`full`](Self::full) | 14 | 14 | 14 |
/// | clauses a half adder, `full` | 7 | 7 | 7 |
/// | clauses a full adder, one-sided | 7 | 7 | 14 |
/// | clauses a half adder, one-sided | 3 | 4 | 7 |
/// | auxiliaries | 2 an adder; all that is carried to 2ᴸ is one | 2 an adder | as at most k |
/// | enforcing clauses | at most L + 1 | at most L | at most L + 1 |
///
/// At most 14n clauses and 2n auxiliaries for any k. The price is strength: it is **not** arc consistent. By default
/// adders are defined in both directions: unit propagation then computes every sum of inputs that all have a value, and
/// so notices that a complete assignment is wrong, and no more.
///
/// With `full: false` adders are one-sided, at most 7n clauses, the smallest of all for large k. Unit propagation alone
/// then does not even notice that a complete assignment of the inputs is wrong, and solvers search for values of the
/// sums: two minutes of BatSat for 340 inputs that all had values, where the default takes 0.1 ms.
///
/// Both forms make solvers search much longer than any other encoding here. For at most and at least k the bound on the
/// false literals is taken where it is smaller.
///
/// Sources: L. Dadda, *Some schemes for parallel multipliers*, Alta Frequenza 34, 1965, pages 349–356; J. P. Warners,
/// *A linear-time transformation of linear inequalities into conjunctive normal form*, Information Processing Letters
/// 68, 1998, pages 63–69; the one-sided adders of C. Sinz, *Towards an optimal CNF encoding of Boolean cardinality
/// constraints*, CP 2005, LNCS 3709, pages 827–831, section 3, whose parallel counter is never smaller.
///
/// ```
/// use cnfkit::{Adder, AtMostK};
/// let size = Adder::default().full(false).amk_size(1000, 500);
/// assert!(size.vars <= 1_989 && size.clauses <= 6_947);
/// assert!(Adder::default().amk_size(1000, 500).clauses <= 14_000);
/// ```
#[doc(alias = "AdderEncoder")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Adder {
    /// Defines every sum and carry in both directions, so that they follow from the inputs: exactly one model per model
    /// of the inputs. True by default.
    pub full: bool,
}

crate::encode::options!(Adder { full: bool = true });

/// A counter and the bound that its digits are compared with.
#[derive(Clone, Copy)]
struct AdderPlan {
    relation: Relation,
    /// Adders are defined in both directions, not only in the one that the relation needs.
    full: bool,
}

impl AdderPlan {
    /// Sums and carries are true where they should be.
    const fn up(self) -> bool {
        self.relation.forbids_more() || self.full
    }

    /// Sums and carries are false where they should be.
    const fn down(self) -> bool {
        self.relation.forbids_fewer() || self.full
    }

    /// The number of binary digits of k.
    const fn digits(self) -> usize {
        (usize::BITS - self.relation.bound().leading_zeros()) as usize
    }

    /// Digit number `weight` of k.
    const fn digit(self, weight: usize) -> bool {
        self.relation.bound() >> weight & 1 == 1
    }

    /// Lower digits that the comparison never looks at.
    const fn ignored(self) -> usize {
        match self.relation {
            Relation::AtMost(k) => k.trailing_ones() as usize,
            Relation::AtLeast(k) => k.trailing_zeros() as usize,
            Relation::Exactly(_) => 0,
        }
    }

    const fn full_adder(self, sum: bool) -> Size {
        let (ways, sums) = (self.up() as u64 + self.down() as u64, sum as u64);
        Size { vars: 1 + sums, clauses: ways * (3 + 4 * sums), lits: ways * (9 + 16 * sums) }
    }

    const fn half_adder(self, sum: bool) -> Size {
        let (up, down, sums) = (self.up() as u64, self.down() as u64, sum as u64);
        Size {
            vars: 1 + sums,
            clauses: up * (1 + 2 * sums) + down * (2 + 2 * sums),
            lits: up * (3 + 6 * sums) + down * (4 + 6 * sums),
        }
    }
}

/// The destination of a carry.
#[derive(Clone, Copy)]
enum Carry {
    /// To the next digit.
    Next(Lit),
    /// Beyond the digits of k.
    Over(Lit),
    /// Beyond the digits of k, where none may be: one literal for all, which is only ever made true.
    Forbidden(Lit),
}

/// Adders under construction.
struct AdderBuilder<'a, 'w> {
    plan: AdderPlan,
    to: &'a mut Writer<'w>,
    /// Carries beyond the digits of k: one variable where it only must not happen, one for each adder
    /// otherwise.
    over: Vec<Lit>,
}

impl AdderBuilder<'_, '_> {
    /// The carry of an adder in `column`; beyond the digits of k one that all share, if none may be true.
    fn carry(&mut self, column: usize) -> Carry {
        if column + 1 < self.plan.digits() {
            return Carry::Next(self.to.lit());
        }
        let forbidden = self.plan.relation.forbids_more();
        if let Some(&over) = self.over.first().filter(|_| forbidden) {
            return Carry::Forbidden(over);
        }
        let over = self.to.lit();
        self.over.push(over);
        if forbidden { Carry::Forbidden(over) } else { Carry::Over(over) }
    }

    /// Adds bits of one column: the sum, if wanted, and what is carried to a next digit.
    fn add(&mut self, bits: AdderInputs, column: usize, sum: bool) -> Result<(Option<Lit>, Option<Lit>), Full> {
        let carry = self.carry(column);
        let sum = sum.then(|| self.to.lit());
        let to = &mut *self.to;
        let (Carry::Next(carried) | Carry::Over(carried) | Carry::Forbidden(carried)) = carry;
        if self.plan.up() {
            bits.carry_rises(to, carried)?;
            sum.map_or(Ok(()), |sum| bits.sum_rises(to, sum))?;
        }
        if self.plan.down() {
            if !matches!(carry, Carry::Forbidden(_)) {
                bits.carry_falls(to, carried)?;
            }
            sum.map_or(Ok(()), |sum| bits.sum_falls(to, sum))?;
        }
        Ok((sum, matches!(carry, Carry::Next(_)).then_some(carried)))
    }

    /// The digits of the number of true literals, column by column; none for those that are ignored.
    fn columns(&mut self, lits: &[Lit]) -> Result<Vec<Option<Lit>>, Full> {
        let mut column = lits.to_vec();
        let mut next = Vec::new();
        let mut digits = Vec::new();
        for weight in 0..self.plan.digits() {
            let mut at = 0;
            let mut digit = None;
            while let Some(&a) = column.get(at) {
                let Some(&b) = column.get(at + 1) else {
                    digit = Some(a);
                    break;
                };
                let third = column.get(at + 2).copied();
                at += 2 + usize::from(third.is_some());
                let wanted = weight >= self.plan.ignored() || at < column.len();
                let (sum, carry) = self.add(AdderInputs { a, b, third }, weight, wanted)?;
                column.extend(sum);
                next.extend(carry);
            }
            digits.push(digit);
            std::mem::swap(&mut column, &mut next);
            next.clear();
        }
        Ok(digits)
    }

    /// Forbids what is carried beyond the digits of k, or else says by one literal that there is something.
    fn settle_over(&mut self) -> Result<Option<Lit>, Full> {
        let Some(&first) = self.over.first() else { return Ok(None) };
        if self.plan.relation.forbids_more() {
            self.to.clause(&[!first])?;
            return Ok(Some(first));
        }
        if self.over.len() == 1 {
            return Ok(Some(first));
        }
        let any = self.to.lit();
        if self.plan.full {
            self.over.iter().try_for_each(|&over| self.to.define(&[!over, any]))?;
        }
        self.over.push(!any);
        self.to.define(&self.over)?;
        Ok(Some(any))
    }

    /// Compares the digits with k: from the highest down, the first that differs decides, so that a digit of k that is
    /// 1 may be 0, and one that is 0 may be 1, only where a higher digit differs in the direction that is allowed.
    fn compare(&mut self, digits: &[Option<Lit>]) -> Result<(), Full> {
        let plan = self.plan;
        let more = self.settle_over()?;
        let mut clause = Vec::with_capacity(digits.len() + 1);
        for weight in 0..digits.len() {
            let set = plan.digit(weight);
            let compared = if set { plan.relation.forbids_fewer() } else { plan.relation.forbids_more() };
            let Some(digit) = digits[weight].filter(|_| compared) else { continue };
            let sign = |lit: Lit| if set { lit } else { !lit };
            clause.clear();
            clause.push(sign(digit));
            if !matches!(plan.relation, Relation::Exactly(_)) {
                let higher = (weight..digits.len()).filter(|&higher| plan.digit(higher) != set);
                clause.extend(higher.filter_map(|higher| digits[higher]).map(sign));
                clause.extend(more.filter(|_| plan.relation.forbids_fewer()));
            }
            self.to.clause(&clause)?;
        }
        Ok(())
    }
}

impl AdderPlan {
    fn encode(self, to: &mut Writer<'_>, lits: &[Lit]) -> Result<(), Full> {
        let mut circuit = AdderBuilder { plan: self, to, over: Vec::new() };
        let digits = circuit.columns(lits)?;
        circuit.compare(&digits)
    }

    /// An adder in `column`. One that carries to what may not be has no carry of its own.
    fn adder_size(self, three: bool, sum: bool, column: usize) -> Size {
        let size = if three { self.full_adder(sum) } else { self.half_adder(sum) };
        if !self.relation.forbids_more() || column + 1 < self.digits() {
            return size;
        }
        let (clauses, lits) = match (self.down(), three) {
            (false, _) => (0, 0),
            (true, true) => (3, 9),
            (true, false) => (2, 4),
        };
        Size { vars: size.vars - 1, clauses: size.clauses - clauses, lits: size.lits - lits }
    }

    /// The size of all adders of columns over `n` literals, and the number of those that carry beyond the digits of k.
    fn columns_size(self, n: usize) -> (Size, u64) {
        let column_size = |weight: usize| {
            let bits = n >> weight;
            let last = self.adder_size(bits % 2 == 1, weight >= self.ignored(), weight);
            match bits / 2 {
                0 => Size::ZERO,
                adders => self.adder_size(true, true, weight) * (adders as u64 - 1) + last,
            }
        };
        let size = (0..self.digits()).map(column_size).sum();
        (size, (n >> self.digits()) as u64)
    }

    fn size(self, n: usize) -> Size {
        let (mut size, over) = self.columns_size(n);
        let mut more = u64::from(over > 0);
        if self.relation.forbids_more() {
            size += Size { vars: more, clauses: more, lits: more };
            more = 0;
        } else if over > 1 {
            let back = if self.full { Size::clauses(over, 2) } else { Size::ZERO };
            size += Size { vars: 1, clauses: 1, lits: over + 1 } + back;
        }
        let digits = self.digits();
        size + (0..digits).map(|weight| self.digit_size(weight, digits, more)).sum()
    }

    /// The clause that compares a digit of k; `more` literals stand for what is carried beyond its digits.
    fn digit_size(self, weight: usize, digits: usize, more: u64) -> Size {
        let ones = u64::from((self.relation.bound() >> weight >> 1).count_ones());
        let zeros = (digits - 1 - weight) as u64 - ones;
        match (self.relation, self.digit(weight)) {
            (Relation::Exactly(_), _) => Size::clause(1),
            (Relation::AtMost(_), false) => Size { vars: 0, clauses: 1, lits: 1 + ones },
            (Relation::AtLeast(_), true) => Size { vars: 0, clauses: 1, lits: 1 + zeros + more },
            _ => Size::ZERO,
        }
    }

    /// This plan as one about the false ones of `n` literals.
    const fn negated(self, n: usize) -> Self {
        Self { relation: self.relation.mirrored(n), ..self }
    }

    fn negates(self, n: usize) -> bool {
        self.negated(n).size(n).cost() < self.size(n).cost()
    }

    fn smaller_size(self, n: usize) -> Size {
        if self.negates(n) { self.negated(n).size(n) } else { self.size(n) }
    }

    fn encode_smaller(self, to: &mut Writer<'_>, lits: &[Lit]) -> Result<(), Full> {
        if !self.negates(lits.len()) {
            return self.encode(to, lits);
        }
        let negated: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        self.negated(lits.len()).encode(to, &negated)
    }
}

impl ByRelation for Adder {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit], relation: Relation) -> Result<(), Full> {
        AdderPlan { relation, full: self.full }.encode_smaller(to, lits)
    }

    fn size(&self, n: usize, relation: Relation) -> Size {
        AdderPlan { relation, full: self.full }.smaller_size(n)
    }

    crate::encode::named!("adder");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AtMostK;
    use crate::card::tests::{check_one_model_each, check_sizes_and_large};
    use crate::testing::{card_suite, guarded, relations};

    const ONE_SIDED: Adder = Adder { full: false };

    // The default computes its sums by unit propagation: that is why it is the default.
    card_suite!(plain: Adder::default(), Checks);
    card_suite!(one_sided: ONE_SIDED, Weak);

    #[test]
    fn sizes_up_to_64_and_large() {
        check_sizes_and_large(&Adder::default());
        check_sizes_and_large(&ONE_SIDED);
    }

    #[test]
    fn full_has_one_model_per_model_of_the_inputs() {
        check_one_model_each(&Adder::default());
    }

    /// The smallest that peers or prototypes have.
    #[test]
    fn no_larger_than_the_smallest_known() {
        for (n, k, vars, clauses) in [
            (20, 5, 37, 118),
            (50, 10, 95, 322),
            (100, 10, 195, 669),
            (100, 50, 195, 668),
            (200, 100, 395, 1_365),
            (1_000, 10, 1_989, 6_951),
            (1_000, 500, 1_989, 6_947),
        ] {
            let size = ONE_SIDED.amk_size(n, k);
            assert!(size.vars <= vars && size.clauses <= clauses, "{k} of {n}: {size}");
        }
    }

    #[test]
    fn a_condition_touches_only_the_comparison() {
        for (n, k) in (3..40_usize).flat_map(|n| (1..n).map(move |k| (n, k))) {
            let digits = n.ilog2() as usize + 1;
            let most = |enc: &Adder| relations(k).iter().map(|&relation| guarded(enc, relation, n)).max();
            assert!(most(&Adder::default()) <= Some(digits + 1) && most(&ONE_SIDED) <= Some(digits + 1));
        }
    }
}
