//! Weights: literals that were given more than once, before an encoding sees them.
//!
//! A literal given three times weighs three. [`fold`] reduces such a constraint by rules that change nothing that it
//! says:
//!
//! * A literal without which the bound cannot be reached is true; one that exceeds it alone is false.
//! * A weight above what is needed counts as much as is needed: of *at least 2*, a weight of 5 is a 2.
//! * A common divisor of all weights is divided out; *exactly* with a bound that it does not divide cannot be.
//! * A sum that no choice of literals has cannot be reached *exactly*.
//! * If any j literals are enough and no j − 1 are, the weights mean no more than a count: *at least j*, for the
//!   encoding that the caller asked for.
//!
//! Weights that are left go to a decision diagram ([`Diagram`]), which takes weights as they are and propagates
//! everything that follows. Encodings of counts cannot take weights: given a literal twice, they would treat it as two
//! independent literals, and some would drop one of the two. The diagram grows with the product of literals and bound.
//! Where it would be too large, each further copy of a literal becomes a variable that the literal implies, or that
//! implies it, and the encoding that was asked for counts those: correct and small, but then a literal of weight two is
//! only known to be false once nothing at all may be added.

use rustsat::types::Lit;

use super::fold::{Folded, Rest};
use super::plan::Encoder;
use crate::encode::PbPlan;
use crate::pb::Diagram;
use crate::relation::Relation;
use crate::sink::{ClauseSink, Size};

/// Reduces literals of distinct variables, each with a weight of at least 1, whose weights sum up to no more than a
/// slice can hold.
pub(super) fn fold<'a>(terms: Vec<(Lit, u64)>, relation: Relation) -> Folded<'a> {
    let bound = relation.bound() as u64;
    match relation {
        Relation::AtLeast(_) => at_least(terms, bound, Side::Least),
        // At most k is at least the total less k of the negations.
        Relation::AtMost(_) => match total(&terms).checked_sub(bound) {
            None => Folded::units(Vec::new()),
            Some(need) => at_least(negated(&terms), need, Side::Most),
        },
        Relation::Exactly(_) => exactly(terms, bound),
    }
}

/// The original side of a constraint that is now *at least*.
#[derive(Clone, Copy)]
enum Side {
    Least,
    /// At most, of the negated literals.
    Most,
}

impl Side {
    fn literals<'a>(self, lits: Vec<Lit>, count: usize) -> Rest<'a> {
        match self {
            Self::Least => Rest::Literals(lits.into(), Relation::AtLeast(count)),
            Self::Most => {
                let most = lits.len() - count;
                Rest::Literals(lits.into_iter().map(|lit| !lit).collect(), Relation::AtMost(most))
            }
        }
    }

    fn weights<'a>(self, terms: Vec<(Lit, u64)>, need: u64) -> Rest<'a> {
        match self {
            Self::Least => Rest::Weights(terms, Relation::AtLeast(need as usize)),
            Self::Most => {
                let most = total(&terms) - need;
                Rest::Weights(negated(&terms), Relation::AtMost(most as usize))
            }
        }
    }
}

fn at_least<'a>(mut terms: Vec<(Lit, u64)>, mut need: u64, side: Side) -> Folded<'a> {
    if need == 0 {
        return Folded::units(Vec::new());
    }
    let Some(spare) = total(&terms).checked_sub(need) else { return Folded::never() };
    let mut units = Vec::new();
    terms.retain(|&(lit, weight)| {
        let is_needed = weight > spare;
        if is_needed {
            units.push(lit);
            need = need.saturating_sub(weight);
        }
        !is_needed
    });
    if need == 0 {
        return Folded::units(units);
    }
    terms.iter_mut().for_each(|(_, weight)| *weight = need.min(*weight));
    let divisor = divide(&mut terms);
    need = need.div_ceil(divisor);
    let rest = match count_for(&terms, need) {
        Some(count) => side.literals(terms.iter().map(|&(lit, _)| lit).collect(), count),
        None => side.weights(terms, need),
    };
    Folded { units, rest }
}

fn exactly<'a>(mut terms: Vec<(Lit, u64)>, mut bound: u64) -> Folded<'a> {
    let Some(mut spare) = total(&terms).checked_sub(bound) else { return Folded::never() };
    let mut units = Vec::new();
    // From the heaviest on: if that may be true and may be false, so may all others.
    let mut heaviest: Vec<(Lit, u64)> = terms.clone();
    heaviest.sort_by_key(|&(_, weight)| std::cmp::Reverse(weight));
    let mut decided = 0;
    for &(lit, weight) in &heaviest {
        match (weight > bound, weight > spare) {
            (true, true) => return Folded::never(),
            (true, false) => {
                units.push(!lit);
                spare -= weight;
            }
            (false, true) => {
                units.push(lit);
                bound -= weight;
            }
            (false, false) => break,
        }
        decided += 1;
    }
    // Of equal weights all were decided, or none.
    let left = heaviest.get(decided).map_or(0, |&(_, weight)| weight);
    terms.retain(|&(_, weight)| weight <= left);
    if terms.is_empty() {
        return Folded::units(units);
    }
    let divisor = divide(&mut terms);
    if !bound.is_multiple_of(divisor) || !is_reachable(&terms, bound / divisor) {
        return Folded::never();
    }
    bound /= divisor;
    let rest = match (count_for(&terms, bound), count_for(&terms, bound + 1)) {
        (Some(least), Some(above)) if least + 1 == above => {
            Rest::Literals(terms.iter().map(|&(lit, _)| lit).collect(), Relation::Exactly(least))
        }
        _ => Rest::Weights(terms, Relation::Exactly(bound as usize)),
    };
    Folded { units, rest }
}

fn total(terms: &[(Lit, u64)]) -> u64 {
    terms.iter().map(|&(_, weight)| weight).sum()
}

fn negated(terms: &[(Lit, u64)]) -> Vec<(Lit, u64)> {
    terms.iter().map(|&(lit, weight)| (!lit, weight)).collect()
}

/// Divides all weights by their greatest common divisor, which is returned; 1 where there are none.
fn divide(terms: &mut [(Lit, u64)]) -> u64 {
    let divisor = terms.iter().fold(0, |divisor, &(_, weight)| gcd(divisor, weight)).max(1);
    terms.iter_mut().for_each(|(_, weight)| *weight /= divisor);
    divisor
}

const fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The number of literals of which any weigh at least `need` together while no fewer do, if there is one.
fn count_for(terms: &[(Lit, u64)], need: u64) -> Option<usize> {
    let mut weights: Vec<u64> = terms.iter().map(|&(_, weight)| weight).collect();
    weights.sort_unstable();
    let (mut lightest, mut count) = (0, 0);
    while lightest < need {
        lightest += weights.get(count)?;
        count += 1;
    }
    let heaviest_of_fewer: u64 = weights.iter().rev().take(count.saturating_sub(1)).sum();
    (heaviest_of_fewer < need).then_some(count)
}

/// True if some of the weights sum up to `bound`.
///
/// Sums are bits. Equal weights are taken in bundles of 1, 2, 4 … of them, so that there are about as many bundles as
/// the square root of the total, and each moves all sums at once.
fn is_reachable(terms: &[(Lit, u64)], bound: u64) -> bool {
    let mut weights: Vec<u64> = terms.iter().map(|&(_, weight)| weight).collect();
    weights.sort_unstable();
    let mut sums = vec![0_u64; bound as usize / 64 + 1];
    sums[0] = 1;
    for equal in weights.chunk_by(|a, b| a == b) {
        let (mut left, mut bundle) = (equal.len() as u64, 1);
        while left > 0 {
            let taken = bundle.min(left);
            add_to_all(&mut sums, equal[0] * taken);
            left -= taken;
            bundle *= 2;
        }
    }
    sums[bound as usize / 64] >> (bound % 64) & 1 == 1
}

/// Every sum stays, and is there once more with `weight` added.
fn add_to_all(sums: &mut [u64], weight: u64) {
    let (words, bits) = ((weight / 64) as usize, weight % 64);
    for at in (words..sums.len()).rev() {
        let mut moved = sums[at - words] << bits;
        if bits > 0 && at > words {
            moved |= sums[at - words - 1] >> (64 - bits);
        }
        sums[at] |= moved;
    }
}

/// Weights on their way into clauses.
#[derive(Debug)]
pub(super) enum Weighted {
    /// One diagram, or for *exactly* one for each side.
    Diagrams(Diagram, Option<Diagram>),
    /// Each copy of a literal is a variable of its own, and they are counted.
    Copies(Vec<(Lit, u64)>, Relation),
}

impl Weighted {
    /// The way that takes `terms`, as [`fold`] leaves them, and is not too large.
    pub(super) fn plan(terms: &[(Lit, u64)], relation: Relation) -> Self {
        /// Nodes of a diagram for each place. A count of 1,000 places has about 16 variables and clauses a place as a
        /// network (`cargo run --example sizes 1000 500`), a node has up to three: with 16 nodes a place, a diagram is
        /// at most about three times as large as copies that are counted.
        const PER_PLACE: u64 = 16;
        /// Nodes that are never too many: less than 0.1 MiB, and planned within a millisecond.
        const ALWAYS: u64 = 1 << 10;
        /// Nodes that are always too many: 40 MiB, and a tenth of a second.
        const NEVER: u64 = 1 << 18;
        let budget = total(terms).saturating_mul(PER_PLACE).clamp(ALWAYS, NEVER);
        Self::plan_within(terms, relation, budget as usize)
    }

    fn plan_within(terms: &[(Lit, u64)], relation: Relation, budget: usize) -> Self {
        let at_most = |most: usize| Diagram::plan(terms, most as u64, budget);
        let at_least = |least: usize| Diagram::plan(&negated(terms), total(terms) - least as u64, budget);
        let diagrams = match relation {
            Relation::AtMost(k) => at_most(k).map(|diagram| (diagram, None)),
            Relation::AtLeast(k) => at_least(k).map(|diagram| (diagram, None)),
            Relation::Exactly(k) => at_most(k).zip(at_least(k)).map(|(most, least)| (most, Some(least))),
        };
        match diagrams {
            Some((one, other)) => Self::Diagrams(one, other),
            None => Self::Copies(terms.to_vec(), relation),
        }
    }

    /// Exactly what [`write`](Self::write) adds.
    pub(super) fn size<E: Encoder>(&self, enc: &E) -> Size {
        match self {
            Self::Diagrams(one, other) => one.size() + other.as_ref().map_or(Size::ZERO, Diagram::size),
            Self::Copies(terms, relation) => {
                let places = total(terms);
                let copies = places - terms.len() as u64;
                let links = if matches!(relation, Relation::Exactly(_)) { 2 * copies } else { copies };
                Size::variables(copies) + Size::clauses(links, 2) + enc.size(*relation, places as usize)
            }
        }
    }

    pub(super) fn write<S: ClauseSink + ?Sized, E: Encoder>(&self, sink: &mut S, enc: &E) -> Result<(), S::Error> {
        match self {
            Self::Diagrams(one, other) => {
                one.write(sink)?;
                other.as_ref().map_or(Ok(()), |other| other.write(sink))
            }
            Self::Copies(terms, relation) => {
                let lits = copies(sink, terms, *relation)?;
                enc.encode(*relation, sink, &lits)
            }
        }
    }
}

/// Each literal as often as it weighs: itself, then variables that are true if it is (for a bound from above) and only
/// if it is (for one from below).
fn copies<S: ClauseSink + ?Sized>(
    sink: &mut S,
    terms: &[(Lit, u64)],
    relation: Relation,
) -> Result<Vec<Lit>, S::Error> {
    let mut lits = Vec::with_capacity(total(terms) as usize);
    for &(lit, weight) in terms {
        lits.push(lit);
        for _ in 1..weight {
            let copy = sink.new_lit();
            if relation.most().is_some() {
                sink.define(&[!lit, copy])?;
            }
            if relation.least().is_some() {
                sink.define(&[lit, !copy])?;
            }
            lits.push(copy);
        }
    }
    Ok(lits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constrain::plan::Any;
    use crate::testing::{Lanes, Recorder, check_clauses, inputs};
    use crate::{CardEncoding, Constrain};

    fn each_weights(n: usize, heaviest: u64, check: &mut dyn FnMut(&[(Lit, u64)])) {
        let mut terms: Vec<(Lit, u64)> = inputs(n).iter().map(|lit| (lit.var().lit(lit.vidx() % 3 == 1), 1)).collect();
        loop {
            check(&terms);
            let Some(at) = terms.iter().position(|&(_, weight)| weight < heaviest) else { return };
            terms[at].1 += 1;
            terms[..at].iter_mut().for_each(|(_, weight)| *weight = 1);
        }
    }

    fn weight(terms: &[(Lit, u64)], assignment: u32) -> u64 {
        let is_true = |lit: Lit| (assignment >> lit.vidx32() & 1 == 1) == lit.is_pos();
        terms.iter().filter(|&&(lit, _)| is_true(lit)).map(|&(_, weight)| weight).sum()
    }

    fn check(recorder: &Recorder, n: usize, what: &str, allows: impl Fn(u32) -> bool) {
        check_clauses(recorder, what);
        let lanes = Lanes::new(n + recorder.size(n).vars as usize, recorder.clauses.iter().map(Vec::as_slice));
        lanes.each_assignment(n, |assignment, allowed| {
            assert_eq!(allowed, allows(assignment), "{what}: {assignment:b}");
        });
    }

    /// Folding changes no meaning and leaves nothing decided; diagrams and copies mean the same, and are as large as
    /// planned.
    #[test]
    fn folded_and_encoded_weights_say_what_they_said() {
        let (mut counted, mut weighted) = (0, 0);
        for (n, heaviest) in [(1, 5), (2, 6), (3, 5), (4, 3), (5, 2)] {
            each_weights(n, heaviest, &mut |terms| {
                let most = total(terms) as usize + 1;
                let bounds = (0..=most).flat_map(|k| [Relation::AtMost(k), Relation::AtLeast(k), Relation::Exactly(k)]);
                for relation in bounds {
                    let what = format!("{relation} of {terms:?}");
                    let folded = fold(terms.to_vec(), relation);
                    let allows = |assignment| relation.allows(weight(terms, assignment) as usize);
                    match &folded.rest {
                        Rest::Literals(lits, relation) => {
                            assert!(relation.bound() >= 1 && relation.bound() < lits.len(), "{what}: {folded:?}");
                            counted += 1;
                        }
                        Rest::Weights(terms, relation) => {
                            assert!(terms.iter().any(|&(_, weight)| weight > 1), "{what}: {folded:?}");
                            let fits = |&(_, weight): &(Lit, u64)| {
                                let rest = total(terms) - weight;
                                let (k, weight, rest) = (relation.bound(), weight as usize, rest as usize);
                                relation.most().is_none_or(|_| weight <= k)
                                    && relation.least().is_none_or(|_| rest >= k)
                            };
                            assert!(terms.iter().all(fits), "{what}: {folded:?}");
                            weighted += 1;
                        }
                        Rest::Nothing | Rest::Never => {}
                    }
                    for budget in [usize::MAX, 0] {
                        let mut recorder = Recorder::new(n);
                        folded.units.iter().for_each(|&unit| recorder.add_clause(&[unit]).unwrap());
                        match &folded.rest {
                            Rest::Nothing => {}
                            Rest::Never => recorder.add_clause(&[]).unwrap(),
                            Rest::Literals(lits, relation) => {
                                recorder.cardinality(lits, *relation, &CardEncoding::Totalizer).unwrap();
                            }
                            Rest::Weights(terms, relation) => {
                                let before = recorder.size(n);
                                let plan = Weighted::plan_within(terms, *relation, budget);
                                let enc = Any(&CardEncoding::Totalizer);
                                plan.write(&mut recorder, &enc).unwrap();
                                assert_eq!(recorder.size(n), before + plan.size(&enc), "{what}: {plan:?}");
                                assert_eq!(matches!(plan, Weighted::Copies(..)), budget == 0);
                            }
                        }
                        check(&recorder, n, &what, allows);
                    }
                }
            });
        }
        assert!(counted > 200 && weighted > 1000, "{counted} {weighted}");
    }

    /// Under a condition both ways enforce nothing without it.
    #[test]
    fn weights_under_a_condition() {
        each_weights(4, 3, &mut |terms| {
            for k in 1..total(terms) as usize {
                for relation in [Relation::AtMost(k), Relation::AtLeast(k), Relation::Exactly(k)] {
                    let Folded { rest: Rest::Weights(left, left_relation), units } = fold(terms.to_vec(), relation)
                    else {
                        continue;
                    };
                    for budget in [usize::MAX, 0] {
                        let mut recorder = Recorder::new(5);
                        let cond = Lit::positive(4);
                        let mut when = recorder.when(&[cond]);
                        units.iter().for_each(|&unit| when.add_clause(&[unit]).unwrap());
                        let enc = Any(&CardEncoding::Totalizer);
                        Weighted::plan_within(&left, left_relation, budget).write(&mut when, &enc).unwrap();
                        check(&recorder, 5, &format!("{relation} of {terms:?}"), |assignment| {
                            assignment >> 4 == 0 || relation.allows(weight(terms, assignment) as usize)
                        });
                    }
                }
            }
        });
    }

    #[test]
    fn sums_that_are_reached() {
        each_weights(4, 6, &mut |terms| {
            for bound in 0..=total(terms) {
                let expected = (0..16).any(|set| weight(terms, set) == bound);
                assert_eq!(is_reachable(terms, bound), expected, "{bound} of {terms:?}");
            }
        });
        let many: Vec<(Lit, u64)> =
            inputs(500).into_iter().map(|lit| (lit, 7 + 70 * u64::from(lit.vidx32() % 2))).collect();
        let sums: Vec<u64> = (0..200).filter(|&bound| is_reachable(&many, bound)).collect();
        assert_eq!(sums, (0..200).step_by(7).collect::<Vec<_>>());
    }

    /// With so many places a diagram would be large: copies take its place, and the size stays near that of a count.
    #[test]
    fn many_places_are_counted_by_copies() {
        let mut terms: Vec<(Lit, u64)> = inputs(1000).into_iter().map(|lit| (lit, 1)).collect();
        terms[3].1 = 2;
        let plan = Weighted::plan(&terms, Relation::AtMost(500));
        assert!(matches!(plan, Weighted::Copies(..)));
        let size = plan.size(&Any(&CardEncoding::Smallest));
        let plain = Relation::AtMost(500).size(&CardEncoding::Smallest, 1001);
        assert_eq!((size.vars, size.clauses), (plain.vars + 1, plain.clauses + 1));
        assert!(matches!(Weighted::plan(&terms, Relation::AtMost(5)), Weighted::Diagrams(..)));
    }
}
