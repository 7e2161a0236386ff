//! Sums of weights in a formula: what they mean, merged and in groups, and the order in which they are written.

use crate::formula::{Formula, Order};
use crate::random::Random;
use crate::relation::PbRelation;
use crate::testing::{Recorder, check_models, inputs};
use crate::{AmoEncoding, CardEncoding, ClauseSink, Constrain, Constraint, PbEncoding, Size, Terms};
use rustsat::types::Lit;

const VARS: usize = 7;

/// Something said to a formula: a sum, or what makes groups.
#[derive(Debug)]
enum Said {
    Sum {
        cond: Vec<Lit>,
        iff: Option<Lit>,
        terms: Vec<(Lit, u64)>,
        relation: PbRelation,
        in_order: bool,
        smallest: bool,
    },
    One(Vec<Lit>, bool),
    AllButOne(Vec<Lit>),
    Clause(Vec<Lit>),
}

impl Said {
    fn random(random: &mut Random, before: &[Self]) -> Self {
        let mut lits: Vec<Lit> = inputs(VARS).iter().map(|lit| lit.var().lit(random.below(4) == 0)).collect();
        random.shuffle(&mut lits);
        lits.truncate(2 + random.below(VARS - 1));
        let lit = |random: &mut Random| Lit::new(random.below(VARS) as u32, random.below(2) == 0);
        match random.below(8) {
            0 => Self::One(lits, random.below(3) == 0),
            1 => Self::AllButOne(lits),
            2 | 3 => Self::Clause(lits[..2].to_vec()),
            4 => {
                // A sum on the same terms as one before, or on their negations.
                let Some(Self::Sum { cond, terms, in_order, .. }) =
                    before.iter().find(|said| matches!(said, Self::Sum { .. }))
                else {
                    return Self::Clause(lits);
                };
                let negated = random.below(2) == 0;
                let terms: Vec<(Lit, u64)> =
                    terms.iter().map(|&(lit, weight)| (if negated { !lit } else { lit }, weight)).collect();
                let relation = any_relation(random, &terms);
                let (cond, in_order) = (cond.clone(), *in_order);
                Self::Sum { cond, iff: None, terms, relation, in_order, smallest: false }
            }
            _ => {
                let terms: Vec<(Lit, u64)> = lits.iter().map(|&lit| (lit, 1 + random.below(6) as u64)).collect();
                Self::Sum {
                    cond: (0..random.below(5).saturating_sub(2)).map(|_| lit(random)).collect(),
                    iff: (random.below(4) == 0).then(|| lit(random)),
                    relation: any_relation(random, &terms),
                    terms,
                    in_order: random.below(4) == 0,
                    smallest: random.below(3) == 0,
                }
            }
        }
    }

    fn say<S: ClauseSink>(&self, sink: &mut S) -> Result<(), S::Error> {
        match self {
            Self::One(lits, true) => sink.exactly_one(lits, &AmoEncoding::Auto),
            Self::One(lits, false) => sink.at_most_one(lits, &AmoEncoding::Auto),
            Self::AllButOne(lits) => sink.at_least(lits, lits.len() - 1, &CardEncoding::Auto),
            Self::Clause(lits) => sink.add_clause(lits),
            Self::Sum { cond, iff, terms, relation, in_order, smallest } => {
                let enc = if *smallest { PbEncoding::Smallest } else { PbEncoding::Auto };
                let mut sink = sink.when(cond);
                if *in_order {
                    sum(&mut sink.keep_order(), *iff, terms, *relation, enc)
                } else {
                    sum(&mut sink, *iff, terms, *relation, enc)
                }
            }
        }
    }

    fn allows(&self, assignment: &[Lit]) -> bool {
        let is_true = |lit: &Lit| assignment[lit.vidx()] == *lit;
        let count = |lits: &[Lit]| lits.iter().filter(|lit| is_true(lit)).count();
        match self {
            Self::One(lits, exactly) => count(lits) == 1 || !exactly && count(lits) == 0,
            Self::AllButOne(lits) => count(lits) + 1 >= lits.len(),
            Self::Clause(lits) => count(lits) > 0,
            Self::Sum { cond, iff, terms, relation, .. } => {
                let sum: u64 = terms.iter().filter(|(lit, _)| is_true(lit)).map(|&(_, weight)| weight).sum();
                let holds = relation.allows(sum);
                !cond.iter().all(is_true) || iff.map_or(holds, |r| is_true(&r) == holds)
            }
        }
    }
}

fn any_relation(random: &mut Random, terms: &[(Lit, u64)]) -> PbRelation {
    let total: u64 = terms.iter().map(|&(_, weight)| weight).sum();
    let bound = random.below(total as usize + 2) as u64;
    [PbRelation::AtMost, PbRelation::AtLeast, PbRelation::Exactly][random.below(3)](bound)
}

fn sum<S: ClauseSink>(
    sink: &mut S,
    iff: Option<Lit>,
    terms: &[(Lit, u64)],
    relation: PbRelation,
    enc: PbEncoding,
) -> Result<(), S::Error> {
    match (iff, relation) {
        (None, relation) => sink.pb(terms, relation, &enc),
        (Some(r), relation) => sink.post(&Constraint::weights(Terms::new(terms), relation).iff(r), &enc),
    }
}

/// Whatever is said, in whatever order and groups it is encoded: its models, and its size.
#[test]
fn sums_in_formulas_mean_what_was_said() {
    let mut random = Random::new(3);
    let (mut kept, mut grouped) = (0, 0);
    for at in 0..1_500 {
        let mut said: Vec<Said> = Vec::new();
        for _ in 0..=random.below(5) {
            let next = Said::random(&mut random, &said);
            said.push(next);
        }
        let order = [Order::Given, Order::Variable, Order::Formula][at % 3];
        let mut formula = Formula::with_vars(VARS).order(order);
        said.iter().for_each(|said| said.say(&mut formula).unwrap());
        kept += formula.constraints().filter(|constraint| constraint.weighted().is_some()).count();
        let items = crate::formula::go_on::unlimited(|go_on| formula.items(go_on));
        grouped += items.all.iter().filter(|item| items.terms(item).is_grouped()).count();
        let mut written = Recorder::new(VARS);
        formula.encode_into(&mut written).unwrap();
        let what = format!("{order:?} {said:?}");
        let size = Size::variables((formula.n_vars() - VARS) as u64) + formula.size();
        assert_eq!((written.announced, written.size(VARS)), (size, size), "{what}");
        check_models(&written, VARS, &what, |assignment| said.iter().all(|said| said.allows(assignment)));
        // Under a condition, what makes groups holds where the condition does, and nowhere else.
        let mut under = Recorder::new(formula.n_vars() + 1);
        let cond = Lit::positive(formula.n_vars() as u32);
        formula.encode_into(&mut under.when(&[cond])).unwrap();
        assert!(under.size(formula.n_vars() + 1).fits(&under.announced), "{what} under a condition");
        for side in [cond, !cond] {
            let mut under = under.clone();
            under.add_clause(&[side]).unwrap();
            check_models(&under, VARS, &format!("{what} where {side}"), |assignment| {
                side != cond || said.iter().all(|said| said.allows(assignment))
            });
        }
    }
    assert!(kept > 500 && grouped > 100, "{kept} {grouped}");
}

/// The literals of the constraint that each clause comes from, in the order of writing, each constraint once.
fn written_order(formula: &Formula, clauses: u64) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    let origins = formula.origins();
    for clause in 0..clauses {
        if let Some(crate::formula::Origin::Constraints(from)) = origins.of(clause)
            && order.last() != from.first()
        {
            order.extend(from.first());
        }
    }
    order
}

/// The value of knapsacks comes after their capacities, wherever it was given, said from above or from below, and after
/// the sum that is to be small; in other orders all stay in place.
#[test]
fn what_opposes_the_others_is_written_last() {
    let x = inputs(6);
    let terms = |weights: [u64; 6]| -> Vec<(Lit, u64)> { x.iter().copied().zip(weights).collect() };
    let auto = PbEncoding::Auto;
    let capacity = |formula: &mut Formula, weights, enc: &PbEncoding| {
        formula.pb_at_most(&terms(weights), 11, enc).unwrap();
    };
    let value = |formula: &mut Formula, from_above: bool| {
        let mut value = terms([5, 4, 6, 3, 2, 5]);
        if from_above {
            value.iter_mut().for_each(|(lit, _)| *lit = !*lit);
            formula.pb_at_most(&value, 25 - 13, &auto).unwrap();
        } else {
            formula.pb_at_least(&value, 13, &auto).unwrap();
        }
    };
    for from_above in [false, true] {
        for order in [Order::Given, Order::Variable, Order::Formula] {
            let mut formula = Formula::with_vars(6).order(order);
            value(&mut formula, from_above);
            capacity(&mut formula, [2, 3, 4, 5, 6, 7], &auto);
            capacity(&mut formula, [7, 2, 5, 3, 6, 4], &PbEncoding::Smallest);
            capacity(&mut formula, [3, 7, 2, 6, 4, 5], &auto);
            let expected: &[usize] = if order == Order::Formula { &[2, 1, 3, 0] } else { &[0, 1, 2, 3] };
            assert_eq!(written_order(&formula, formula.size().clauses), expected, "{order:?} {from_above}");
        }
    }
}

/// Of sums that oppose as much as others, longer ones come last, and equal ones stay in place.
#[test]
fn longer_sums_are_written_last() {
    let x = inputs(6);
    let mut formula = Formula::with_vars(6);
    let weights = [2, 3, 4, 5, 6, 7];
    let mut say = |lits: &[Lit], bound| {
        let terms: Vec<(Lit, u64)> = lits.iter().copied().zip(weights).collect();
        formula.pb_at_most(&terms, bound, &PbEncoding::Auto).unwrap();
    };
    say(&x, 13);
    say(&x[..4], 8);
    say(&x[2..], 9);
    assert_eq!(written_order(&formula, formula.size().clauses), [1, 2, 0]);
}
