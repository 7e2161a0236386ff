//! A sum in binary: polynomial whatever the weights are, for those that have too many different sums.
//!
//! Each binary place has a bucket: the literals whose weight has that bit, and carries from below. Small buckets are
//! counted in unary by a totalizer, whose odd and even outputs give the bit and whose even outputs are the carries
//! (Bailleux, Boufkhad, Roussel, *New Encodings of Pseudo-Boolean Constraints into CNF*, SAT 2009, pages 181–194);
//! large ones go through full adders (Warners, *A Linear-Time Transformation of Linear Inequalities into Conjunctive
//! Normal Form*, Information Processing Letters 68(2), 1998, pages 63–69). A bound is a chain of gates from the lowest
//! place up, made when it is asked for; bounds that agree in their low places share gates.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use rustsat::types::Lit;

use crate::card::{AdderInputs, Counter, Totalizer};
use crate::truth::Truth;
use crate::writer::{Full, Writer};

/// Buckets of up to so many are counted in unary: up to here the totalizer has no more than about 50 clauses for each
/// literal, and propagates more than adders do.
const UNARY: usize = 32;

/// The bits of a sum, and the gates of its bounds.
#[derive(Clone, Debug, Default)]
pub(super) struct CounterDigits {
    /// From the lowest place up; none where the bit is 0 for certain.
    bits: Vec<Option<Lit>>,
    /// By number of places and threshold: the low places are at least the threshold.
    gates: FxHashMap<(usize, u128), Lit>,
}

impl CounterDigits {
    /// Adds weighted literals to the sum. Bounds made before speak of the sum without them.
    pub(super) fn add(&mut self, to: &mut Writer<'_>, terms: &[(Lit, u64)]) -> Result<(), Full> {
        if terms.is_empty() {
            return Ok(());
        }
        self.gates.clear();
        let old = std::mem::take(&mut self.bits);
        let mut carries: Vec<Lit> = Vec::new();
        let highest = terms.iter().map(|&(_, weight)| 64 - weight.leading_zeros() as usize).max().unwrap_or(0);
        let mut place = 0;
        while place < highest || place < old.len() || !carries.is_empty() {
            let mut bucket: VecDeque<Lit> = std::mem::take(&mut carries).into();
            bucket.extend(old.get(place).copied().flatten());
            let has_bit = |weight: u64| place < 64 && weight >> place & 1 == 1;
            bucket.extend(terms.iter().filter(|&&(_, weight)| has_bit(weight)).map(|&(lit, _)| lit));
            self.bits.push(reduce(to, &mut bucket, &mut carries)?);
            place += 1;
        }
        Ok(())
    }

    /// A literal that is true if and only if the sum is at least `threshold`.
    pub(super) fn at_least(&mut self, to: &mut Writer<'_>, threshold: u128) -> Result<Truth, Full> {
        if threshold.checked_shr(self.bits.len() as u32).unwrap_or(0) > 0 {
            return Ok(Truth::Known(false));
        }
        let mut low = Truth::Known(true);
        for place in 0..self.bits.len() {
            let rest = threshold & (u128::MAX >> (127 - place as u32));
            let wanted = threshold >> place & 1 == 1;
            low = match (self.bits[place], wanted, low) {
                (None, true, _) | (_, true, Truth::Known(false)) => Truth::Known(false),
                (None, false, _) | (_, false, Truth::Known(true)) => low,
                (Some(bit), true, Truth::Known(true)) | (Some(bit), false, Truth::Known(false)) => Truth::If(bit),
                (Some(bit), _, Truth::If(low)) => match self.gates.get(&(place, rest)) {
                    Some(&gate) => Truth::If(gate),
                    None => {
                        let gate = to.lit();
                        // The gate is the conjunction of both, or their disjunction: the same with all signs changed.
                        let sign = |lit: Lit| if wanted { lit } else { !lit };
                        to.define(&[!sign(gate), sign(bit)])?;
                        to.define(&[!sign(gate), sign(low)])?;
                        to.define(&[!sign(bit), !sign(low), sign(gate)])?;
                        self.gates.insert((place, rest), gate);
                        Truth::If(gate)
                    }
                },
            };
        }
        Ok(low)
    }
}

/// A comparison of a sum with a number that is said by assumptions.
#[derive(Clone, Debug)]
pub(super) struct AssumedComparison {
    /// The bits of the number, from the lowest place up.
    number: Vec<Lit>,
    /// True if the sum is beyond the number, above or below.
    beyond: Option<Lit>,
}

impl AssumedComparison {
    /// The assumptions that keep the sum within `bound`, which has no more bits than the sum.
    pub(super) fn assumptions(&self, bound: u128) -> Vec<Lit> {
        let bits = self.number.iter().enumerate();
        let number = bits.map(|(place, &bit)| if bound >> place & 1 == 1 { bit } else { !bit });
        number.chain(self.beyond.map(|beyond| !beyond)).collect()
    }
}

impl CounterDigits {
    /// Compares the sum from one side with a number that is not known yet. `above`: the sum is greater.
    pub(super) fn compare(&self, to: &mut Writer<'_>, above: bool) -> Result<AssumedComparison, Full> {
        let mut comparison = AssumedComparison { number: Vec::with_capacity(self.bits.len()), beyond: None };
        for &bit in &self.bits {
            let (number, beyond) = (to.lit(), to.lit());
            // From above, the sum's bit is 1 and the number's 0, or the places below decide; from below the opposite.
            let (bit, other) = if above { (bit, number) } else { (bit.map(|bit| !bit), !number) };
            match bit {
                Some(bit) => to.define(&[!bit, other, beyond])?,
                // The sum's bit is 0 for certain: from below that is like a true literal.
                None if !above => to.define(&[other, beyond])?,
                None => {}
            }
            if let Some(low) = comparison.beyond {
                match bit {
                    Some(bit) => to.define(&[!low, !bit, beyond])?,
                    None if !above => to.define(&[!low, beyond])?,
                    None => {}
                }
                to.define(&[!low, other, beyond])?;
            }
            comparison.number.push(number);
            comparison.beyond = Some(beyond);
        }
        Ok(comparison)
    }
}

/// Adds up literals of one place: the bit that is left, and what is carried to the next place.
fn reduce(to: &mut Writer<'_>, bucket: &mut VecDeque<Lit>, carries: &mut Vec<Lit>) -> Result<Option<Lit>, Full> {
    if (2..=UNARY).contains(&bucket.len()) {
        let lits = bucket.make_contiguous();
        let count = Totalizer::default().count(to, lits, lits.len())?;
        let outputs = count.outputs();
        carries.extend(outputs.iter().skip(1).step_by(2));
        return parity(to, outputs).map(Some);
    }
    while bucket.len() > 2 {
        let [a, b, c] =
            [bucket.pop_front(), bucket.pop_front(), bucket.pop_front()].map(|lit| lit.expect("three are left"));
        let (sum, carry) = AdderInputs { a, b, third: Some(c) }.add(to)?;
        bucket.push_back(sum);
        carries.push(carry);
    }
    if let (Some(&a), Some(&b)) = (bucket.front(), bucket.get(1)) {
        let count = Totalizer::default().count(to, &[a, b], 2)?;
        carries.push(count.outputs()[1]);
        return parity(to, count.outputs()).map(Some);
    }
    Ok(bucket.pop_front())
}

/// A literal that is true if and only if an odd number of unary outputs is.
fn parity(to: &mut Writer<'_>, outputs: &[Lit]) -> Result<Lit, Full> {
    let bit = to.lit();
    for count in 0..=outputs.len() {
        let head = if count % 2 == 1 { bit } else { !bit };
        match (count.checked_sub(1).map(|at| outputs[at]), outputs.get(count)) {
            (Some(reached), Some(&more)) => to.define(&[!reached, more, head])?,
            (Some(reached), None) => to.define(&[!reached, head])?,
            (None, Some(&more)) => to.define(&[more, head])?,
            (None, None) => to.define(&[head])?,
        }
    }
    Ok(bit)
}
