//! The suite that every encoding of sums of weights joins with one line, [`pb_suite!`](super::pb_suite).
//!
//! It calls the encoding as the front door does, with every vector of weights from 1 to 4 on up to 4 literals, from 1
//! to 3 on 5, every set of them on 6, and a sample of heavier and longer ones, every bound in its range, and all three
//! relations, and checks against addition: every assignment; the strength of unit propagation on every partial
//! assignment; the predicted size; that a condition touches only what enforces; that no clause is a tautology, repeats
//! a literal, or comes twice.

use std::collections::HashSet;

use rustsat::types::Lit;

use super::{Engine, Recorder, Strength, inputs};
use crate::constraint::{Constraint, Terms};
use crate::encode::Encoding;
use crate::relation::PbRelation;
use crate::{ClauseSink, Constrain};

/// Calls `check` with all weights from 1 to `heaviest` for `n` literals.
pub(crate) fn each_weights(n: usize, heaviest: u64, check: &mut dyn FnMut(&[u64])) {
    let mut weights = vec![1; n];
    loop {
        check(&weights);
        let Some(at) = weights.iter().position(|&weight| weight < heaviest) else { return };
        weights[at] += 1;
        weights[..at].fill(1);
    }
}

/// All relations for these weights that folding leaves to an encoding: see [`Encoding`].
pub(crate) fn relations(weights: &[u64]) -> Vec<PbRelation> {
    let total: u64 = weights.iter().sum();
    let heaviest = weights.iter().copied().max().unwrap_or(0);
    let mut found = Vec::new();
    for bound in 1..total {
        let (may_be_true, may_be_false) = (heaviest <= bound, total - heaviest >= bound);
        if may_be_true {
            found.push(PbRelation::AtMost(bound));
        }
        if may_be_false {
            found.push(PbRelation::AtLeast(bound));
        }
        if may_be_true && may_be_false {
            found.push(PbRelation::Exactly(bound));
        }
    }
    found
}

/// Literals of mixed signs with these weights.
pub(crate) fn terms(weights: &[u64]) -> Vec<(Lit, u64)> {
    let signed = inputs(weights.len()).into_iter().map(|lit| lit.var().lit(lit.vidx() % 3 == 1));
    signed.zip(weights.iter().copied()).collect()
}

/// Weights to look at beside the small ones, which are all looked at.
const SAMPLES: [&[u64]; 12] = [
    &[1, 2, 4, 8, 16],
    &[3, 3, 5, 5, 7],
    &[1, 1, 1, 9, 9],
    &[10, 10, 10, 1, 1],
    &[6, 10, 15, 30],
    &[13, 17, 19, 23, 29],
    &[1, 2, 2, 3, 3, 3],
    &[1, 1, 2, 3, 5, 8],
    &[4, 4, 4, 4, 3, 2],
    &[7, 6, 5, 4, 3, 2],
    &[1, 1, 1, 1, 1, 2, 2],
    &[2, 3, 2, 3, 2, 3, 4],
];

/// True if suites take all of their cases: where `CNFKIT_EXHAUSTIVE` is set, as in `.ci/run`.
pub(crate) fn is_exhaustive() -> bool {
    std::env::var_os("CNFKIT_EXHAUSTIVE").is_some()
}

/// Calls `check` with the weights of the suite: up to 3 literals of weights to 4, 4 of weights to 3, a 16th of 5 of
/// weights to 3 and of 6 of weights to 4 that do not descend, and samples. Where `CNFKIT_EXHAUSTIVE` is set it is all
/// of these, and 4 literals of weights to 4.
pub(crate) fn each_case(check: &mut dyn FnMut(&[u64])) {
    let (most, step) = if is_exhaustive() { (4, 1) } else { (3, 16) };
    for (n, heaviest) in [(2, 4), (3, 4), (4, most)] {
        each_weights(n, heaviest, check);
    }
    let mut number = 0;
    for (n, heaviest) in [(5, 3), (6, 4)] {
        each_weights(n, heaviest, &mut |weights| {
            if n == 5 || weights.is_sorted() {
                number += 1;
                if number % step == 0 {
                    check(weights);
                }
            }
        });
    }
    SAMPLES.iter().for_each(|weights| check(weights));
}

/// The clauses of a plan, whose size is checked; under the condition that the variable after the inputs is true.
pub(super) fn record(enc: &dyn Encoding, weights: &[u64], relation: PbRelation, condition: bool) -> Option<Recorder> {
    let n = weights.len();
    let terms = terms(weights);
    let constraint = Constraint::weights(Terms::new(&terms), relation);
    let plan = enc.plan(&constraint)?;
    let mut recorder = Recorder::new(n + usize::from(condition));
    if condition {
        let cond = Lit::positive(n as u32);
        let Ok(()) = recorder.when(&[cond]).write_by(&mut |to| plan.write(&constraint, to));
    } else {
        let Ok(()) = recorder.write_by(&mut |to| plan.write(&constraint, to));
        assert_eq!(recorder.size(n), plan.size(), "{relation} of {weights:?}: size");
        let mut seen = HashSet::new();
        for clause in &recorder.clauses {
            let mut sorted = clause.clone();
            sorted.sort_unstable();
            assert!(
                sorted.windows(2).all(|pair| pair[0].var() < pair[1].var()),
                "{relation} of {weights:?}: {clause:?}"
            );
            assert!(seen.insert(sorted), "{relation} of {weights:?}: {clause:?} twice");
        }
    }
    Some(recorder)
}

/// Every assignment is allowed, or not, as addition says; under a condition too, where everything is allowed without.
pub fn check_assignments(enc: &dyn Encoding) {
    let mut checked = 0;
    each_case(&mut |weights| {
        let lits = terms(weights);
        for relation in relations(weights) {
            for condition in [false, true] {
                let Some(recorder) = record(enc, weights, relation, condition) else { continue };
                let mut engine = Engine::new(&recorder);
                let cond = Lit::positive(weights.len() as u32);
                let sides = if condition { &[cond, !cond][..] } else { &[cond][..] };
                for (set, &side) in
                    (0..1_u64 << weights.len()).flat_map(|set| sides.iter().map(move |side| (set, side)))
                {
                    let mark = engine.mark();
                    let sum: u64 = (0..weights.len()).filter(|at| set >> at & 1 == 1).map(|at| weights[at]).sum();
                    let mut assignment =
                        lits.iter().enumerate().map(|(at, &(lit, _))| if set >> at & 1 == 1 { lit } else { !lit });
                    let consistent = (!condition || engine.assume(side)) && assignment.all(|lit| engine.assume(lit));
                    let expected = relation.allows(sum) || condition && side == !cond;
                    let what = format!("{relation} of {weights:?}, set {set:b}, condition {condition} {side}");
                    assert_eq!(consistent && engine.satisfiable(), expected, "{what}");
                    engine.undo(mark);
                    checked += 1;
                }
            }
        }
    });
    assert!(checked > 100_000, "{checked}");
}

/// Unit propagation on *at most* and *at least* is as strong as `expected`, and no weaker for any weights. On *exactly*
/// it is as strong as on both together.
pub fn check_strength(enc: &dyn Encoding, expected: Strength) {
    let mut weakest = Strength::Gac;
    each_case(&mut |weights| {
        for relation in relations(weights) {
            let Some(recorder) = record(enc, weights, relation, false) else { continue };
            let found = strength(&recorder, weights, relation);
            assert!(found <= expected, "{relation} of {weights:?}: {found:?}");
            weakest = weakest.max(found);
        }
    });
    assert_eq!(weakest, expected, "stronger than claimed");
}

/// The weakest answer over all partial assignments. *Exactly* is judged as *at most* and *at least*, each by itself:
/// what follows from both together is a question of subset sums.
fn strength(recorder: &Recorder, weights: &[u64], relation: PbRelation) -> Strength {
    let lits = terms(weights);
    let mut engine = Engine::new(recorder);
    let total: u64 = weights.iter().sum();
    let mut weakest = Strength::Gac;
    for code in 0..3_usize.pow(weights.len() as u32) {
        let digit = |at: usize| code / 3_usize.pow(at as u32) % 3;
        let sum = |value| (0..weights.len()).filter(|&at| digit(at) == value).map(|at| weights[at]).sum::<u64>();
        let (least, most) = (sum(1), total - sum(2));
        let mark = engine.mark();
        let consistent = lits.iter().enumerate().fold(true, |ok, (at, &(lit, _))| match digit(at) {
            0 => ok,
            value => ok && engine.assume(if value == 1 { lit } else { !lit }),
        });
        let too_much = relation.most().is_some_and(|bound| least > bound);
        let too_little = relation.least().is_some_and(|bound| most < bound);
        let found = if too_much || too_little {
            match (consistent, least == most) {
                (false, _) => Strength::Gac,
                (true, false) => Strength::Checks,
                (true, true) => Strength::Weak,
            }
        } else if !consistent {
            // Two halves together may find out that no sum is left.
            assert!(matches!(relation, PbRelation::Exactly(_)), "{relation} of {weights:?}: contradiction at {code}");
            Strength::Gac
        } else {
            let complete = (0..weights.len()).filter(|&at| digit(at) == 0).all(|at| {
                let heavy = relation.most().is_some_and(|bound| least + weights[at] > bound);
                let needed = relation.least().is_some_and(|bound| most - weights[at] < bound);
                let value = engine.value(lits[at].0);
                (!heavy || value == Some(false)) && (!needed || value == Some(true))
            });
            if complete { Strength::Gac } else { Strength::Consistent }
        };
        weakest = weakest.max(found);
        engine.undo(mark);
    }
    weakest
}

/// The predicted size is what comes, for lists of 2 to 40 weights that no other test has.
pub fn check_sizes(enc: &dyn Encoding) {
    let mut next = dice(1);
    let mut planned = 0;
    for n in 2..=40 {
        for most in [2, 9, 100] {
            let weights: Vec<u64> = (0..n).map(|_| next(most)).collect();
            let all = relations(&weights);
            for at in [0, all.len() / 3, all.len() / 2, all.len().saturating_sub(1)] {
                let Some(&relation) = all.get(at) else { continue };
                planned += usize::from(record(enc, &weights, relation, false).is_some());
            }
        }
    }
    assert!(planned > 300, "{planned}");
}

/// Under a condition no variable and no clause is added, and only clauses that enforce have the condition.
pub fn check_conditions(enc: &dyn Encoding) {
    each_case(&mut |weights| {
        for relation in relations(weights) {
            let (Some(plain), Some(under)) =
                (record(enc, weights, relation, false), record(enc, weights, relation, true))
            else {
                continue;
            };
            let enforcing = (plain.clauses.len() - plain.defined) as u64;
            let mut expected = plain.size(weights.len());
            expected.lits += enforcing;
            assert_eq!(under.size(weights.len() + 1), expected, "{relation} of {weights:?}");
        }
    });
}

/// Numbers by lot, from 1 to what is asked for, as the benchmark of pindakaas draws them.
pub(crate) fn dice(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    move |most| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most + 1
    }
}

#[cfg(test)]
/// `n` weights up to `most`, and the sum of every second as a bound: the lists of the benchmark of pindakaas.
pub(crate) fn drawn(n: usize, most: u64, seed: u64) -> (Vec<u64>, u64) {
    let mut next = dice(seed);
    let weights: Vec<u64> = (0..n).map(|_| next(most)).collect();
    let bound = weights.iter().step_by(2).sum();
    (weights, bound)
}

/// Every assignment for lists of up to 8 heavier weights by lot, all relations, some bounds; and for up to 6 that unit
/// propagation is at least as strong as `expected`.
pub fn check_drawn(enc: &dyn Encoding, expected: Strength) {
    let mut next = dice(99);
    let mut checked = 0;
    for case in 0..60 {
        let n = next(6) as usize + 2;
        let most = [5, 12, 40, 1_000][case % 4];
        let weights: Vec<u64> = (0..n).map(|_| next(most)).collect();
        let all = relations(&weights);
        for _ in 0..6.min(all.len()) {
            let relation = all[next(all.len() as u64) as usize - 1];
            let Some(recorder) = record(enc, &weights, relation, false) else { continue };
            let mut engine = Engine::new(&recorder);
            let lits = terms(&weights);
            for set in 0..1_u64 << n {
                let mark = engine.mark();
                let sum: u64 = (0..n).filter(|at| set >> at & 1 == 1).map(|at| weights[at]).sum();
                let value = |at: usize| if set >> at & 1 == 1 { lits[at].0 } else { !lits[at].0 };
                let assigned = (0..n).all(|at| engine.assume(value(at)));
                let what = format!("{relation} of {weights:?}, set {set:b}");
                assert_eq!(assigned && engine.satisfiable(), relation.allows(sum), "{what}");
                engine.undo(mark);
                checked += 1;
            }
            if n <= 6 {
                let found = strength(&recorder, &weights, relation);
                assert!(found <= expected, "{relation} of {weights:?}: {found:?}");
            }
        }
    }
    assert!(checked > 5_000, "{checked}");
}

/// Terms in groups by lot: every assignment with at most one true literal in each group is allowed, or not, as addition
/// says. For *at most*, unit propagation is at least as strong as `expected` where some groups are decided.
pub fn check_grouped(enc: &dyn Encoding, expected: Strength) {
    let mut next = dice(7);
    let mut checked = 0;
    for case in 0..200 {
        let most = [3, 7, 20][case % 3];
        let sizes: Vec<usize> = (0..=next(3)).map(|_| next(4) as usize).collect();
        let groups: Vec<Vec<u64>> = sizes.iter().map(|&len| (0..len).map(|_| next(most)).collect()).collect();
        let weights = groups.concat();
        let heavy: Vec<u64> = groups.iter().map(|group| *group.iter().max().unwrap()).collect();
        let ends: Vec<usize> = sizes
            .iter()
            .scan(0, |end, &len| {
                *end += len;
                Some(*end)
            })
            .collect();
        let all = relations(&heavy);
        let lits = terms(&weights);
        for _ in 0..5.min(all.len()) {
            let relation = all[next(all.len() as u64) as usize - 1];
            let constraint = Constraint::weights(Terms::grouped(&lits, &ends), relation);
            let Some(plan) = enc.plan(&constraint) else { continue };
            let mut recorder = Recorder::new(weights.len());
            let Ok(()) = recorder.write_by(&mut |to| plan.write(&constraint, to));
            assert_eq!(recorder.size(weights.len()), plan.size(), "{relation} of {groups:?}: size");
            let mut engine = Engine::new(&recorder);
            let choices: usize = sizes.iter().map(|len| len + 1).product();
            for choice in 0..choices {
                let mut rest = choice;
                let chosen: Vec<Option<usize>> = sizes
                    .iter()
                    .map(|len| {
                        let one = rest % (len + 1);
                        rest /= len + 1;
                        one.checked_sub(1)
                    })
                    .collect();
                let sum: u64 = groups.iter().zip(&chosen).filter_map(|(group, &one)| Some(group[one?])).sum();
                let mark = engine.mark();
                let assigned = (0..weights.len()).all(|at| {
                    let group = ends.partition_point(|&end| end <= at);
                    let true_one = chosen[group] == Some(at - (ends[group] - sizes[group]));
                    engine.assume(if true_one { lits[at].0 } else { !lits[at].0 })
                });
                let what = format!("{relation} of {groups:?}, {chosen:?}");
                assert_eq!(assigned && engine.satisfiable(), relation.allows(sum), "{what}");
                engine.undo(mark);
                checked += 1;
                let PbRelation::AtMost(bound) = relation else { continue };
                if expected > Strength::Consistent {
                    continue;
                }
                // Groups without a true literal are open.
                let consistent = (0..weights.len()).all(|at| match chosen[ends.partition_point(|&end| end <= at)] {
                    None => true,
                    Some(one) => {
                        let group = ends.partition_point(|&end| end <= at);
                        let this = at - (ends[group] - sizes[group]) == one;
                        engine.assume(if this { lits[at].0 } else { !lits[at].0 })
                    }
                });
                assert_eq!(consistent, sum <= bound, "{what}: open groups");
                for at in (0..weights.len()).filter(|_| consistent && expected == Strength::Gac) {
                    let open = chosen[ends.partition_point(|&end| end <= at)].is_none();
                    let value = engine.value(lits[at].0);
                    let heavy = open && sum + weights[at] > bound;
                    assert!(!open || value == if heavy { Some(false) } else { None }, "{what}: {at}");
                }
                engine.undo(mark);
            }
        }
    }
    assert!(checked > 10_000, "{checked}");
}
