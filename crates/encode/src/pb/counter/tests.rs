use super::*;
use crate::random::Random;
use crate::testing::pb::{each_case, terms};
use crate::testing::{Engine, Lanes, Recorder};
use crate::{ClauseSink, Cnf, Tally};

/// The weight of the true literals.
fn weight(terms: &[(Lit, u64)], assignment: u64) -> u64 {
    let is_true = |lit: Lit| (assignment >> lit.vidx() & 1 == 1) == lit.is_pos();
    terms.iter().filter(|&&(lit, _)| is_true(lit)).map(|&(_, weight)| weight).sum()
}

/// Asserts what a bound allows, on every assignment of the inputs.
fn check_bound(recorder: &Recorder, terms: &[(Lit, u64)], side: Side, bound: u64, found: Bound) {
    let inputs = terms.iter().map(|(lit, _)| lit.vidx() + 1).max().unwrap_or(0);
    let mut lanes = Lanes::new(recorder.next_var().idx(), recorder.clauses.iter().map(Vec::as_slice));
    if let Bound::If(lit) = found {
        lanes.add(&[lit]);
    }
    lanes.each_assignment(inputs, |assignment, allowed| {
        let sum = weight(terms, assignment.into());
        let expected = if side == Side::Upper { sum <= bound } else { sum >= bound };
        assert_eq!(allowed && found != Bound::Never, expected, "{side:?} {bound} of {terms:?} on {assignment:b}");
    });
}

/// Asserts that unit propagation under a bound finds what follows, on every partial assignment.
fn check_strength(recorder: &Recorder, terms: &[(Lit, u64)], side: Side, bound: u64, lit: Lit) {
    let n = terms.len();
    let total: u64 = terms.iter().map(|&(_, weight)| weight).sum();
    let mut engine = Engine::new(recorder);
    assert!(engine.assume(lit));
    for code in 0..3_usize.pow(n as u32) {
        let digits: Vec<usize> = (0..n as u32).map(|i| code / 3_usize.pow(i) % 3).collect();
        let sum = |digit: usize| -> u64 {
            terms.iter().zip(&digits).filter(|(_, other)| **other == digit).map(|((_, weight), _)| weight).sum()
        };
        // What is used up, and what may be: true literals below an upper bound, false ones above a lower bound.
        let (used, most) = if side == Side::Upper { (sum(1), bound) } else { (sum(2), total - bound) };
        let mark = engine.mark();
        let fine = terms.iter().zip(&digits).all(|(&(lit, _), digit)| match digit {
            1 => engine.assume(lit),
            2 => engine.assume(!lit),
            _ => true,
        });
        assert_eq!(fine, used <= most, "{side:?} {bound} of {terms:?} at {digits:?}");
        if fine {
            for (&(lit, weight), _) in terms.iter().zip(&digits).filter(|(_, digit)| **digit == 0) {
                let forced = (used + weight > most).then_some(side == Side::Lower);
                assert_eq!(engine.value(lit), forced, "{side:?} {bound} of {terms:?} at {digits:?}: {lit}");
            }
        }
        engine.undo(mark);
    }
}

/// Bounds of a range, which assumptions choose from; literals that come between two ranges.
#[test]
fn ranges_of_bounds() {
    let mut random = Random::new(17);
    for in_digits in [false, true] {
        for _ in 0..200 {
            let n = 1 + random.below(6);
            let mut recorder = Recorder::new(n);
            let mut counter = WeightedCounter { digits: in_digits.then(Default::default), ..Default::default() };
            let mut terms = Vec::new();
            for _ in 0..=random.below(3) {
                let more: Vec<(Lit, u64)> = (0..=random.below(3))
                    .map(|_| (Lit::new(random.below(n) as u32, random.below(2) == 0), 1 + random.below(9) as u64))
                    .collect();
                counter.extend(&recorder, &more);
                terms.extend(more);
                let total: u64 = terms.iter().map(|&(_, weight)| weight).sum();
                for side in [Side::Upper, Side::Lower] {
                    let least = random.below(total as usize + 1) as u64;
                    let most = least + random.below(5) as u64;
                    let before = recorder.size(0);
                    recorder.announced = Size::ZERO;
                    let Ok(()) = counter.widen(&mut recorder, side, least, most);
                    assert_eq!(before + recorder.announced, recorder.size(0));
                    for bound in least..=most {
                        let is_trivial = if side == Side::Upper { bound >= total } else { bound == 0 || bound > total };
                        if is_trivial {
                            continue;
                        }
                        let assumptions = counter.assumptions(side, bound).expect("it is in the range");
                        let mut assumed = recorder.clone();
                        assumptions.iter().for_each(|&lit| assumed.add_clause(&[lit]).unwrap());
                        check_bound(&assumed, &terms, side, bound, Bound::Always);
                    }
                }
            }
        }
    }
}

fn ask(counter: &mut WeightedCounter, recorder: &mut Recorder, side: Side, bound: u64) -> Bound {
    let inputs = recorder.size(0);
    recorder.announced = Size::ZERO;
    let Ok(found) = counter.bound(recorder, side, bound.into());
    let size = recorder.size(0);
    let added =
        Size { vars: size.vars - inputs.vars, clauses: size.clauses - inputs.clauses, lits: size.lits - inputs.lits };
    assert_eq!(recorder.announced, added);
    assert_eq!(recorder.defined, recorder.clauses.len(), "all are definitions");
    found
}

/// All bounds of all small weights, from one side or both, in an order by lot.
#[test]
fn bounds_in_any_order() {
    let mut random = Random::new(7);
    each_case(&mut |weights| {
        let terms = terms(weights);
        let total: u64 = weights.iter().sum();
        let mut recorder = Recorder::new(terms.len());
        let mut counter = WeightedCounter::new();
        counter.extend(&recorder, &terms);
        for _ in 0..4 {
            let bound = random.below(total as usize + 2) as u64;
            let side = if random.below(2) == 0 { Side::Upper } else { Side::Lower };
            let found = ask(&mut counter, &mut recorder, side, bound);
            check_bound(&recorder, &terms, side, bound, found);
            if let Bound::If(lit) = found {
                check_strength(&recorder, &terms, side, bound, lit);
            }
            let clauses = recorder.clauses.len();
            assert_eq!(ask(&mut counter, &mut recorder, side, bound), found);
            assert_eq!(recorder.clauses.len(), clauses, "asked for twice, written once");
        }
        assert!(counter.digits.is_none());
        let distinct: std::collections::HashSet<&Vec<Lit>> = recorder.clauses.iter().collect();
        assert_eq!(distinct.len(), recorder.clauses.len(), "no clause twice: {weights:?}");
    });
}

/// Literals that come later, repeats and complements among them, and bounds before and after.
#[test]
fn literals_in_steps() {
    let mut random = Random::new(11);
    for in_digits in [false, true] {
        for _ in 0..300 {
            let n = 1 + random.below(6);
            let mut recorder = Recorder::new(n);
            let mut counter = WeightedCounter::new();
            counter.digits = in_digits.then(Default::default);
            let heaviest = [3, 9, 40][random.below(3)];
            let mut terms = Vec::new();
            for _ in 0..=random.below(3) {
                let more: Vec<(Lit, u64)> = (0..random.below(4))
                    .map(|_| (Lit::new(random.below(n) as u32, random.below(2) == 0), random.below(heaviest) as u64))
                    .collect();
                counter.extend(&recorder, &more);
                terms.extend(more);
                let total: u64 = terms.iter().map(|&(_, weight)| weight).sum();
                assert_eq!(counter.total(), total.into());
                for _ in 0..random.below(4) {
                    let bound = random.below(total as usize + 2) as u64;
                    let side = if random.below(2) == 0 { Side::Upper } else { Side::Lower };
                    let found = ask(&mut counter, &mut recorder, side, bound);
                    check_bound(&recorder, &terms, side, bound, found);
                }
            }
        }
    }
}

/// Weights with too many sums for a tree, up to the greatest there are: by lot, under assignments by lot.
#[test]
fn heavy_weights_in_binary() {
    let mut random = Random::new(3);
    for (n, bits) in [(40, 20), (70, 40), (30, 64), (9, 64), (100, 9)] {
        let mut recorder = Recorder::new(n);
        let mut weights: Vec<u64> = (0..n).map(|_| (random.below(usize::MAX) as u64) >> (64 - bits) | 1).collect();
        weights[0] = u64::MAX >> (64 - bits);
        let terms = terms(&weights);
        let mut counter = WeightedCounter::new();
        counter.extend(&recorder, &terms);
        let assignments: Vec<Vec<bool>> = (0..20).map(|_| (0..n).map(|_| random.below(2) == 0).collect()).collect();
        let sum = |values: &[bool]| -> u128 {
            terms.iter().filter(|(lit, _)| values[lit.vidx()] == lit.is_pos()).map(|&(_, w)| u128::from(w)).sum()
        };
        let mut bounds: Vec<u128> = assignments.iter().map(|values| sum(values)).collect();
        bounds.extend([0, 1, counter.total() / 2, counter.total() - 1, counter.total()]);
        let found: Vec<[Bound; 2]> = bounds
            .iter()
            .map(|&bound| {
                [Side::Upper, Side::Lower].map(|side| {
                    let Ok(found) = counter.bound(&mut recorder, side, bound);
                    found
                })
            })
            .collect();
        assert!(n < 10 || counter.digits.is_some(), "{n} weights of {bits} bits");
        let mut engine = Engine::new(&recorder);
        for values in &assignments {
            let mark = engine.mark();
            assert!((0..n).all(|var| engine.assume(Lit::new(var as u32, !values[var]))));
            for (&bound, &[most, least]) in bounds.iter().zip(&found) {
                let sum = sum(values);
                for (bound, expected) in [(most, sum <= bound), (least, sum >= bound)] {
                    let allowed = match bound {
                        Bound::Always => true,
                        Bound::Never => false,
                        Bound::If(lit) => {
                            let mark = engine.mark();
                            let allowed = engine.assume(lit);
                            engine.undo(mark);
                            allowed
                        }
                    };
                    assert_eq!(allowed, expected, "{sum} of {bits} bits");
                }
            }
            engine.undo(mark);
        }
    }
}

/// A refused bound leaves the counter as it was: other bounds can be asked for, in a sink with more room the same too.
#[test]
fn a_refusal_changes_nothing() {
    for weights in [vec![3, 5, 5, 7, 11, 13, 20, 30], (0..60).map(|i| (1 << 20) + 7_919 * i).collect::<Vec<u64>>()] {
        let n = weights.len();
        let limit = Size { clauses: 4, ..Cnf::DEFAULT_LIMIT };
        let mut cnf = Cnf::with_vars(n).with_limit(limit);
        let mut counter = WeightedCounter::new();
        counter.extend(&cnf, &terms(&weights));
        let before = cnf.clone();
        let middle = u64::try_from(counter.total()).unwrap() / 2;
        assert!(counter.at_most(&mut cnf, middle).is_err());
        assert!(counter.at_least(&mut cnf, middle).is_err());
        assert_eq!(cnf, before);
        assert_eq!(counter.at_most(&mut cnf, u64::MAX).unwrap(), Bound::Always);
        let mut other = WeightedCounter::new();
        other.extend(&cnf, &terms(&weights));
        let (mut here, mut there) = (Cnf::with_vars(n), Cnf::with_vars(n));
        assert_eq!(counter.at_most(&mut here, middle).unwrap(), other.at_most(&mut there, middle).unwrap());
        assert_eq!(here, there);
    }
}

#[test]
fn nothing_and_weights_of_zero() {
    let mut cnf = Cnf::with_vars(2);
    let mut counter = WeightedCounter::new();
    for _ in 0..2 {
        assert_eq!(counter.at_most(&mut cnf, 0).unwrap(), Bound::Always);
        assert_eq!(counter.at_least(&mut cnf, 0).unwrap(), Bound::Always);
        assert_eq!(counter.at_least(&mut cnf, 1).unwrap(), Bound::Never);
        counter.extend(&cnf, &[(Lit::positive(0), 0), (Lit::negative(1), 0)]);
    }
    counter.extend(&cnf, &[(Lit::positive(1), u64::MAX - 1)]);
    assert_eq!(counter.at_most(&mut cnf, u64::MAX - 1).unwrap(), Bound::Always);
    assert_eq!(counter.at_most(&mut cnf, u64::MAX - 2).unwrap(), Bound::If(Lit::negative(1)));
    counter.extend(&cnf, &[(Lit::positive(1), u64::MAX)]);
    assert_eq!(counter.total(), 2 * u128::from(u64::MAX) - 1);
    assert!(counter.at_least(&mut cnf, u64::MAX).unwrap().lit().is_some());
}

#[test]
#[should_panic(expected = "not known to the sink")]
fn unknown_literals_are_refused() {
    WeightedCounter::new().extend(&Cnf::with_vars(2), &[(Lit::positive(2), 1)]);
}

/// Clauses of equal weights are those of a plain count; a bound that moves down costs a clause or few a step.
#[test]
fn sizes() {
    let n = 40;
    let equal: Vec<u64> = vec![7; n];
    let size = |weights: &[u64], bounds: &[u64]| {
        let mut tally = Tally::new(n);
        let mut counter = WeightedCounter::new();
        counter.extend(&tally, &terms(weights));
        bounds.iter().for_each(|&bound| {
            counter.at_most(&mut tally, bound).unwrap();
        });
        (tally.size().vars, tally.size().clauses)
    };
    assert_eq!(size(&equal, &[70]), size(&vec![1; n], &[10]));
    let one = size(&equal, &[70]);
    let steps = size(&equal, &[70, 63, 56]);
    assert!(steps.1 - one.1 < 60, "{one:?} {steps:?}");
}

/// Weights beyond 64 bits count in what they have in common, whatever comes later.
#[cfg(feature = "batsat")]
#[test]
fn equal_weights_of_any_size_are_a_count() {
    let mut cnf = Cnf::with_vars(4);
    let x: Vec<Lit> = (0..4).map(Lit::positive).collect();
    let mut sum = WeightedCounter::new();
    sum.extend(&cnf, &x.iter().map(|&lit| (lit, u64::MAX)).collect::<Vec<_>>());
    let one = sum.at_most(&mut cnf, u64::MAX).unwrap();
    assert_eq!(sum.at_most(&mut cnf, u64::MAX - 1).unwrap().lit().is_some(), one.lit().is_some());
    assert!(cnf.n_clauses() < 20, "{}", cnf.n_clauses());
    // Weights by lot with a common divisor, in two parts, of which the second may have another one.
    let mut random = Random::new(10);
    for round in 0..12 {
        let unit = [u64::MAX / 15, 1 << 60][round % 2];
        let mut cnf = Cnf::with_vars(6);
        let mut sum = WeightedCounter::new();
        let mut terms: Vec<(Lit, u64)> = Vec::new();
        for part in 0..2 {
            let other = if part == 1 && round % 3 == 0 { unit / 3 } else { unit };
            let more: Vec<(Lit, u64)> =
                (0..3).map(|at| (Lit::positive(3 * part + at), other * (1 + random.below(5) as u64))).collect();
            sum.extend(&cnf, &more);
            terms.extend(more);
            let total = |bits: u32| -> u128 {
                let trues = terms.iter().filter(|(lit, _)| bits >> lit.vidx() & 1 == 1);
                trues.map(|&(_, weight)| u128::from(weight)).sum()
            };
            for bound in [0, 1, unit - 1, unit, unit + 1, unit * 2, unit * 3 - 1, unit * 4, unit * 7] {
                let [most, least] = [sum.at_most(&mut cnf, bound), sum.at_least(&mut cnf, bound)].map(Result::unwrap);
                for bits in 0..1 << terms.len() {
                    for (condition, holds) in
                        [(most, total(bits) <= bound.into()), (least, total(bits) >= bound.into())]
                    {
                        let can = match condition {
                            Bound::Always => true,
                            Bound::Never => false,
                            Bound::If(lit) => {
                                let mut asked = cnf.clone();
                                asked.add_clause(&[lit]).unwrap();
                                for &(lit, _) in &terms {
                                    let is_true = bits >> lit.vidx() & 1 == 1;
                                    asked.add_clause(&[if is_true { lit } else { !lit }]).unwrap();
                                }
                                asked.solve().unwrap().is_some()
                            }
                        };
                        assert_eq!(can, holds, "round {round}: {terms:?} {bound} {bits:b}");
                    }
                }
            }
        }
    }
}
