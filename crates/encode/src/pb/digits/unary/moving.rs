//! A ladder whose tare is literals, so that the bound is chosen after encoding.

use rustsat::types::Lit;

use super::ladder::{PlaceDigits, UnaryLadder, sum, tare};
use super::numbers::{NumberPlace, UnaryNumbers};
use crate::truth::Truth;
use crate::writer::{Full, Writer};

/// A sum whose upper bound is assumed.
#[derive(Clone, Debug)]
pub(in crate::pb::digits) struct Moving {
    numbers: UnaryNumbers,
    places: Vec<PlaceDigits>,
    /// The tare's digit in each place but the highest, which are all binary.
    tares: Vec<Lit>,
    /// The number of the highest place.
    sum: Option<NumberPlace>,
    /// The greatest sum.
    total: u128,
}

impl Moving {
    pub(in crate::pb::digits) fn new(to: &mut Writer<'_>, ladder: &UnaryLadder) -> Self {
        let mut numbers = UnaryNumbers::new(ladder.splits(), false);
        let mut places = ladder.places(&mut numbers);
        let mut tares = Vec::new();
        for place in &mut places {
            // Tares are counted, so that a count may be asked for that the bound alone does not reach.
            place.cap = u64::MAX;
            if place.base.is_some() {
                let lit = to.lit();
                tares.push(lit);
                let last = place.leaves.last().map_or(0, |&(at, _)| at + 1);
                place.leaves.extend(numbers.leaf(std::iter::once((lit, 1))).map(|leaf| (last, leaf)));
            }
        }
        let sum = sum(&mut numbers, &mut places, 0, None);
        Self { numbers, places, tares, sum, total: ladder.total() }
    }

    /// Pushes the literals under which the sum is at most `bound`, after the clauses that this takes and that are not
    /// there yet.
    pub(in crate::pb::digits) fn at_most(
        &mut self,
        to: &mut Writer<'_>,
        bound: u64,
        assumed: &mut Vec<Lit>,
    ) -> Result<(), Full> {
        let Some(sum) = self.sum.filter(|_| u128::from(bound) < self.total) else { return Ok(()) };
        let (too_large, tare) = tare(&self.places, bound);
        let Truth::If(over) = self.numbers.at_least(to, sum, too_large)? else { return Ok(()) };
        let digits = self.tares.iter().enumerate();
        assumed.extend(digits.map(|(place, &lit)| if tare >> place & 1 == 1 { lit } else { !lit }));
        assumed.push(!over);
        Ok(())
    }
}
