//! Weights that come from literals given more than once, on their way into clauses.
//!
//! They go to a decision diagram ([`Diagram`]), which takes weights as they are and propagates everything that follows.
//! Encodings of counts cannot take weights: given a literal twice, they would treat it as two independent literals, and
//! some would drop one of the two. The diagram grows with the product of literals and bound. Where it would be too
//! large, each further copy of a literal becomes a variable that the literal implies, or that implies it, and the
//! encoding that was asked for counts those: correct and small, but then a literal of weight two is only known to be
//! false once nothing at all may be added.

use rustsat::types::Lit;

use crate::encode::{ByRelation, Plan, Prepared};
use crate::pb::Diagram;
use crate::relation::{PbRelation, Relation};
use crate::size::Size;
use crate::writer::{Full, Writer};

fn total(terms: &[(Lit, u64)]) -> u64 {
    terms.iter().map(|&(_, weight)| weight).sum()
}

fn negated(terms: &[(Lit, u64)]) -> Vec<(Lit, u64)> {
    terms.iter().map(|&(lit, weight)| (!lit, weight)).collect()
}

/// Weights on their way into clauses.
#[derive(Debug)]
pub(super) enum WeightedInputs {
    /// One diagram, or for *exactly* one for each side.
    Diagrams(Diagram, Option<Diagram>),
    /// Each copy of a literal is a variable of its own, and they are counted.
    Copies(Vec<(Lit, u64)>, Relation),
}

impl WeightedInputs {
    /// The way that takes `terms`, as folding leaves them, and is not too large.
    pub(super) fn plan(terms: &[(Lit, u64)], relation: PbRelation) -> Self {
        /// Nodes of a diagram for each place. A count of 1,000 places has about 16 variables and clauses a place as a
        /// network (`cargo run --example sizes`), a node has up to three: with 16 nodes a place, a diagram is at most
        /// about three times as large as copies that are counted.
        const PER_PLACE: u64 = 16;
        /// Nodes that are never too many: less than 0.1 MiB, and planned within a millisecond.
        const ALWAYS: u64 = 1 << 10;
        /// Nodes that are always too many: 40 MiB, and a tenth of a second.
        const NEVER: u64 = 1 << 18;
        let budget = total(terms).saturating_mul(PER_PLACE).clamp(ALWAYS, NEVER);
        Self::plan_within(terms, relation, budget as usize)
    }

    fn plan_within(terms: &[(Lit, u64)], relation: PbRelation, budget: usize) -> Self {
        let at_most = |most: u64| Diagram::plan(terms, most, budget);
        let at_least = |least: u64| Diagram::plan(&negated(terms), total(terms) - least, budget);
        let diagrams = match relation {
            PbRelation::AtMost(k) => at_most(k).map(|diagram| (diagram, None)),
            PbRelation::AtLeast(k) => at_least(k).map(|diagram| (diagram, None)),
            PbRelation::Exactly(k) => at_most(k).zip(at_least(k)).map(|(most, least)| (most, Some(least))),
        };
        match diagrams {
            Some((one, other)) => Self::Diagrams(one, other),
            None => Self::Copies(terms.to_vec(), relation.counted()),
        }
    }

    /// The plan, where `enc` counts copies.
    pub(super) fn by(self, enc: &dyn ByRelation) -> Plan<'_> {
        Plan::new(self.size(enc), move |_, to| self.write(to, enc))
    }

    /// Exactly what [`write`](Self::write) adds.
    pub(super) fn size(&self, enc: &dyn ByRelation) -> Size {
        match self {
            Self::Diagrams(one, other) => one.size() + other.as_ref().map_or(Size::ZERO, Diagram::size),
            Self::Copies(terms, relation) => {
                let places = total(terms);
                let copies = places - terms.len() as u64;
                let links = if matches!(relation, Relation::Exactly(_)) { 2 * copies } else { copies };
                Size::variables(copies) + Size::clauses(links, 2) + relation.size_by(enc, places as usize)
            }
        }
    }

    pub(super) fn write(&self, to: &mut Writer<'_>, enc: &dyn ByRelation) -> Result<(), Full> {
        match self {
            Self::Diagrams(one, other) => {
                one.write(to)?;
                other.as_ref().map_or(Ok(()), |other| other.write(to))
            }
            Self::Copies(terms, relation) => {
                let lits = copies(to, terms, *relation)?;
                relation.encode(enc, to, &lits)
            }
        }
    }
}

/// Each literal as often as it weighs: itself, then variables that are true if it is (for a bound from above) and only
/// if it is (for one from below).
fn copies(to: &mut Writer<'_>, terms: &[(Lit, u64)], relation: Relation) -> Result<Vec<Lit>, Full> {
    let mut lits = Vec::with_capacity(total(terms) as usize);
    for &(lit, weight) in terms {
        lits.push(lit);
        for _ in 1..weight {
            let copy = to.lit();
            if relation.most().is_some() {
                to.define(&[!lit, copy])?;
            }
            if relation.least().is_some() {
                to.define(&[lit, !copy])?;
            }
            lits.push(copy);
        }
    }
    Ok(lits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ClauseSink;
    use crate::constrain::folded::{Folded, Rest};
    use crate::constrain::reduce::reduce;
    use crate::constrain::wide::{WideRelation, WideTerms};
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

    fn fold(terms: &[(Lit, u64)], relation: Relation) -> Folded<'static> {
        let terms = terms.iter().map(|&(lit, weight)| (lit, weight.into())).collect();
        reduce(WideTerms { terms, ends: Vec::new() }, WideRelation::from(relation))
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
                    let folded = fold(terms, relation);
                    let allows = |assignment| relation.allows(weight(terms, assignment) as usize);
                    match &folded.rest {
                        Rest::Literals(lits, relation) => {
                            assert!(relation.bound() >= 1 && relation.bound() < lits.len(), "{what}: {folded:?}");
                            counted += 1;
                        }
                        Rest::Weights { terms, relation, .. } => {
                            assert!(terms.iter().any(|&(_, weight)| weight > 1), "{what}: {folded:?}");
                            let fits = |&(_, weight): &(Lit, u64)| {
                                let rest = total(terms) - weight;
                                let k = relation.bound();
                                relation.most().is_none_or(|_| weight <= k)
                                    && relation.least().is_none_or(|_| rest >= k)
                            };
                            assert!(terms.iter().all(fits), "{what}: {folded:?}");
                            weighted += 1;
                        }
                        Rest::Nothing | Rest::Never => {}
                        Rest::Parity(..) => unreachable!(),
                    }
                    for budget in [usize::MAX, 0] {
                        let mut recorder = Recorder::new(n);
                        folded.units.iter().for_each(|&unit| recorder.add_clause(&[unit]).unwrap());
                        match &folded.rest {
                            Rest::Nothing | Rest::Parity(..) => {}
                            Rest::Never => recorder.add_clause(&[]).unwrap(),
                            Rest::Literals(lits, relation) => {
                                recorder.cardinality(lits, *relation, &CardEncoding::Totalizer).unwrap();
                            }
                            Rest::Weights { terms, relation, .. } => {
                                let before = recorder.size(n);
                                let plan = WeightedInputs::plan_within(terms, *relation, budget);
                                let enc = CardEncoding::Totalizer;
                                recorder.write_by(&mut |to| plan.write(to, &enc)).unwrap();
                                assert_eq!(recorder.size(n), before + plan.size(&enc), "{what}: {plan:?}");
                                assert_eq!(matches!(plan, WeightedInputs::Copies(..)), budget == 0);
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
                    let Folded { rest: Rest::Weights { terms: left, relation: left_relation, .. }, units, .. } =
                        fold(terms, relation)
                    else {
                        continue;
                    };
                    for budget in [usize::MAX, 0] {
                        let mut recorder = Recorder::new(5);
                        let cond = Lit::positive(4);
                        let mut when = recorder.when(&[cond]);
                        units.iter().for_each(|&unit| when.add_clause(&[unit]).unwrap());
                        let enc = CardEncoding::Totalizer;
                        when.write_by(&mut |to| {
                            WeightedInputs::plan_within(&left, left_relation, budget).write(to, &enc)
                        })
                        .unwrap();
                        check(&recorder, 5, &format!("{relation} of {terms:?}"), |assignment| {
                            assignment >> 4 == 0 || relation.allows(weight(terms, assignment) as usize)
                        });
                    }
                }
            }
        });
    }

    /// With so many places a diagram would be large: copies take its place, and the size stays near that of a count.
    #[test]
    fn many_places_are_counted_by_copies() {
        let mut terms: Vec<(Lit, u64)> = inputs(1000).into_iter().map(|lit| (lit, 1)).collect();
        terms[3].1 = 2;
        let plan = WeightedInputs::plan(&terms, PbRelation::AtMost(500));
        assert!(matches!(plan, WeightedInputs::Copies(..)));
        let size = plan.size(&CardEncoding::Smallest);
        let plain = Relation::AtMost(500).size(&CardEncoding::Smallest, 1001);
        assert_eq!((size.vars, size.clauses), (plain.vars + 1, plain.clauses + 1));
        assert!(matches!(WeightedInputs::plan(&terms, PbRelation::AtMost(5)), WeightedInputs::Diagrams(..)));
    }
}
