//! The checks that every encoder goes through.

use std::collections::HashSet;
use std::convert::Infallible;

use rustsat::types::Lit;

use super::{Engine, Recorder, Strength, strength};
use crate::{AtMostK, AtMostOne, ClauseSink, Constrain, Constraint, Relation, Tally};

fn input(index: usize) -> Lit {
    Lit::positive(index as u32)
}

/// The positive literals of the first `n` variables.
#[must_use]
pub fn inputs(n: usize) -> Vec<Lit> {
    (0..n).map(input).collect()
}

/// Every relation with this bound.
pub(crate) const fn relations(k: usize) -> [Relation; 3] {
    [Relation::AtMost(k), Relation::AtLeast(k), Relation::Exactly(k)]
}

/// Every way to assign the first `n` variables, as literals.
fn assignments(n: usize) -> impl Iterator<Item = Vec<Lit>> {
    (0..1_u32 << n).map(move |bits| (0..n).map(|i| Lit::new(i as u32, bits >> i & 1 == 0)).collect())
}

/// The number of `lits` that an assignment, a literal of each variable, makes true.
#[must_use]
pub fn count_true(lits: &[Lit], assignment: &[Lit]) -> usize {
    lits.iter().filter(|lit| assignment[lit.vidx()] == **lit).count()
}

/// Compares the formula with `allowed` on every assignment of the first `n` variables.
pub fn check_models(recorder: &Recorder, n: usize, what: &str, allowed: impl Fn(&[Lit]) -> bool) {
    check_each_model(recorder, n, what, &allowed);
}

fn check_each_model(recorder: &Recorder, n: usize, what: &str, allowed: &dyn Fn(&[Lit]) -> bool) {
    let mut engine = Engine::new(recorder);
    for assignment in assignments(n) {
        let mark = engine.mark();
        let sat = assignment.iter().all(|&lit| engine.assume(lit)) && engine.satisfiable();
        engine.undo(mark);
        assert_eq!(sat, allowed(&assignment), "{what}: wrong on {assignment:?} in {:?}", recorder.clauses);
    }
}

/// No clause is a tautology, repeats a literal, has an unknown one, or comes twice.
pub(crate) fn check_clauses(recorder: &Recorder, what: &str) {
    let mut seen = HashSet::new();
    for sorted in check_each_clause(recorder, what) {
        assert!(!seen.contains(&sorted), "{what}: {sorted:?} comes twice");
        seen.insert(sorted);
    }
}

/// [`check_clauses`], for encodings that may say a clause twice. Returns the clauses with their literals in order.
pub(crate) fn check_each_clause(recorder: &Recorder, what: &str) -> Vec<Vec<Lit>> {
    let mut all = Vec::with_capacity(recorder.clauses.len());
    for clause in &recorder.clauses {
        let mut sorted = clause.clone();
        sorted.sort_unstable();
        assert!(sorted.windows(2).all(|pair| pair[0].var() < pair[1].var()), "{what}: {clause:?} repeats a variable");
        assert!(clause.iter().all(|lit| lit.var() < recorder.next_var()), "{what}: unknown variable in {clause:?}");
        all.push(sorted);
    }
    all
}

/// The size that was announced and the size of what came.
fn check_announced(recorder: &Recorder, n: usize, what: &str) {
    let emitted = recorder.size(n);
    assert!(
        recorder.announced == emitted || recorder.clauses == [vec![]],
        "{what}: announced {}, came {emitted}",
        recorder.announced
    );
}

/// Models, clauses and sizes for up to 8 inputs, every bound and relation.
pub fn check_every_assignment(enc: &dyn AtMostK) {
    for n in 0..=8 {
        for relation in (0..=n + 1).flat_map(relations) {
            let what = format!("{relation} of {n}");
            let lits = inputs(n);
            let mut recorder = Recorder::new(n);
            recorder.cardinality(&lits, relation, enc).unwrap();
            check_models(&recorder, n, &what, |assignment| relation.allows(count_true(&lits, assignment)));
            check_clauses(&recorder, &what);
            check_announced(&recorder, n, &what);
        }
    }
}

/// Models and clauses of literals of the first `n` variables, in the order in which they are given if it is kept.
fn check_posted(enc: &dyn AtMostK, n: usize, lits: &[Lit], relation: Relation, keep: bool) {
    let what = format!("{relation} of {lits:?}, order kept: {keep}");
    let mut recorder = Recorder::new(n);
    if keep {
        recorder.keep_order().cardinality(lits, relation, enc).unwrap();
    } else {
        recorder.cardinality(lits, relation, enc).unwrap();
    }
    check_models(&recorder, n, &what, |assignment| relation.allows(count_true(lits, assignment)));
    check_clauses(&recorder, &what);
}

/// Negated and mixed literals, in natural and in reverse order.
pub fn check_signs_and_order(enc: &dyn AtMostK) {
    for n in 1..=6 {
        for relation in (0..=n).flat_map(relations) {
            for signs in [0, u32::MAX, 0b01_0101, 0b10_0110] {
                let mut lits: Vec<Lit> = (0..n).map(|i| Lit::new(i as u32, signs >> i & 1 == 1)).collect();
                for keep in [false, true] {
                    if keep {
                        lits.reverse();
                    }
                    check_posted(enc, n, &lits, relation, keep);
                }
            }
        }
    }
}

/// Every sequence of up to 4 literals over 3 variables, and some longer ones over 4.
pub fn check_repeats_and_complements(enc: &dyn AtMostK) {
    let mut sequences: Vec<Vec<Lit>> = vec![vec![]];
    for length in 0..4 {
        let longer: Vec<_> = sequences.iter().filter(|lits| lits.len() == length).cloned().collect();
        for lits in longer {
            sequences.extend((0..6).map(|i| [&lits[..], &[Lit::new(i / 2, i % 2 == 1)]].concat()));
        }
    }
    for text in ["11223344", "1122334-4", "12121212", "1112234", "-1-1-123-4", "1-12-23-34", "4433221", "111122234"] {
        let mut negated = false;
        let mut lits = Vec::new();
        for sign in text.bytes() {
            match sign {
                b'-' => negated = true,
                digit => lits.push(Lit::new(u32::from(digit - b'1'), std::mem::take(&mut negated))),
            }
        }
        sequences.push(lits);
    }
    for lits in sequences {
        let n = if lits.iter().any(|lit| lit.vidx() == 3) { 4 } else { 3 };
        for relation in (0..=lits.len() + 1).flat_map(relations) {
            check_posted(enc, n, &lits, relation, false);
            check_posted(enc, n, &lits, relation, true);
        }
    }
}

/// Under conditions of one and two literals, some of which are inputs, nested, and reified.
pub fn check_conditions(enc: &dyn AtMostK) {
    for n in 0..=6 {
        let total = n + 2;
        let lits = inputs(n);
        let (p, q) = (input(n), input(n + 1));
        let mut conditions = vec![vec![p], vec![!p], vec![p, q], vec![q, p, q], vec![p, !p]];
        if n > 0 {
            conditions.extend([vec![lits[0]], vec![!lits[n - 1]], vec![p, lits[0], !lits[n - 1]]]);
        }
        for relation in (0..=n + 1).flat_map(relations) {
            for cond in &conditions {
                for nested in [false, true] {
                    let what = format!("when {cond:?}, {relation} of {n}, nested: {nested}");
                    let mut recorder = Recorder::new(total);
                    if nested {
                        let (first, rest) = cond.split_at(1);
                        recorder.when(first).when(rest).cardinality(&lits, relation, enc).unwrap();
                    } else {
                        recorder.when(cond).cardinality(&lits, relation, enc).unwrap();
                    }
                    check_models(&recorder, total, &what, |assignment| {
                        !cond.iter().all(|lit| assignment[lit.vidx()] == *lit)
                            || relation.allows(count_true(&lits, assignment))
                    });
                    check_clauses(&recorder, &what);
                }
            }
            let mut reifiers = vec![p, !p];
            reifiers.extend(lits.first());
            for r in reifiers {
                let what = format!("{r} iff {relation} of {n}");
                let mut recorder = Recorder::new(total);
                recorder.post(&Constraint::count(&lits, relation).iff(r), enc).unwrap();
                check_models(&recorder, total, &what, |assignment| {
                    (assignment[r.vidx()] == r) == relation.allows(count_true(&lits, assignment))
                });
                if enc.one_model() && lits.contains(&r) {
                    // What defines a literal of the sum may be what ties it to r.
                    check_each_clause(&recorder, &what);
                } else {
                    check_clauses(&recorder, &what);
                }
            }
        }
    }
}

/// The strength of what was posted under `cond`, once that is true.
fn strength_under(recorder: &Recorder, cond: Lit, lits: &[Lit], relation: Relation) -> Strength {
    let mut engine = Engine::new(recorder);
    engine.broken |= !engine.assume(cond);
    strength(&mut engine, lits, relation)
}

/// The constraint that holds where this one does not, if it is one of these.
fn negation(relation: Relation) -> Option<Relation> {
    match relation {
        Relation::AtMost(k) => Some(Relation::AtLeast(k + 1)),
        Relation::AtLeast(k) => k.checked_sub(1).map(Relation::AtMost),
        Relation::Exactly(_) => None,
    }
}

/// The claimed strength is the weakest that occurs: no encoder is weaker than it says, and none
/// stronger; and a condition, once it is true, costs no strength, nor does reification.
pub fn check_strength(enc: &dyn AtMostK, claimed: Strength) {
    let mut weakest = Strength::Gac;
    for n in 2..=9 {
        for relation in (0..=n).flat_map(relations) {
            let lits = inputs(n);
            let mut recorder = Recorder::new(n);
            recorder.cardinality(&lits, relation, enc).unwrap();
            let found = strength(&mut Engine::new(&recorder), &lits, relation);
            assert!(found <= claimed, "{relation} of {n}: only {found:?}");
            weakest = weakest.max(found);

            let mut recorder = Recorder::new(n + 1);
            recorder.when(&[input(n)]).cardinality(&lits, relation, enc).unwrap();
            let under = strength_under(&recorder, input(n), &lits, relation);
            assert_eq!(under, found, "{relation} of {n} under a condition");

            if n <= 6 {
                let mut recorder = Recorder::new(n + 1);
                recorder.post(&Constraint::count(&lits, relation).iff(input(n)), enc).unwrap();
                let under = strength_under(&recorder, input(n), &lits, relation);
                assert!(under <= claimed, "{relation} of {n} reified, true: only {under:?}");
                if let Some(other) = negation(relation) {
                    let under = strength_under(&recorder, !input(n), &lits, other);
                    assert!(under <= claimed, "{relation} of {n} reified, false: only {under:?}");
                }
            }
        }
    }
    assert_eq!(weakest, claimed, "stronger than claimed");
}

/// The predicted size against what is emitted, for all n ≤ 40 and some larger.
pub fn check_sizes(enc: &dyn AtMostK) {
    const MOST: u64 = 60_000;
    let large =
        [64, 65, 100, 127, 128, 129].iter().flat_map(|&n| [1, 2, 3, 7, n / 2, n - 3, n - 2, n - 1].map(|k| (n, k)));
    for (n, k) in (0..=40).flat_map(|n| (0..=n).map(move |k| (n, k))).chain(large) {
        for relation in relations(k) {
            // Bounds that the encoding is asked for.
            let asked = n >= 3 && relation.folded(n).is_none();
            let size = relation.size(enc, n);
            if !asked || size.clauses > MOST {
                continue;
            }
            let mut tally = Tally::new(n);
            let lits = tally.inputs();
            tally.cardinality(&lits, relation, enc).unwrap();
            assert_eq!(size, tally.size(), "{relation} of {n}: predicted, emitted");
        }
    }
}

/// At most one and exactly one: everything above, for encodings of nothing else.
pub fn check_amo(enc: &dyn AtMostOne, claimed: Strength) {
    let mut weakest = Strength::Gac;
    for n in 0..=9 {
        for relation in [Relation::AtMost(1), Relation::Exactly(1)] {
            let what = format!("{relation} of {n}");
            let post = |sink: &mut dyn ClauseSink<Error = Infallible>, lits: &[Lit]| match relation {
                Relation::AtMost(_) => sink.at_most_one(lits, enc),
                _ => sink.exactly_one(lits, enc),
            };
            let allowed = |lits: &[Lit], assignment: &[Lit]| relation.allows(count_true(lits, assignment));

            let lits = inputs(n);
            let mut recorder = Recorder::new(n);
            post(&mut recorder, &lits).unwrap();
            check_models(&recorder, n, &what, |assignment| allowed(&lits, assignment));
            check_clauses(&recorder, &what);
            check_announced(&recorder, n, &what);
            let found = strength(&mut Engine::new(&recorder), &lits, relation);
            assert!(found <= claimed, "{what}: only {found:?}");
            weakest = weakest.max(found);
            let mut recorder = Recorder::new(n + 1);
            post(&mut recorder.when(&[input(n)]), &lits).unwrap();
            assert_eq!(strength_under(&recorder, input(n), &lits, relation), found, "{what} under a condition");

            // Negated, backwards, with a repetition, with a complement, under a condition on an input and not.
            let mixed: Vec<Lit> = lits.iter().rev().map(|lit| lit.var().lit(lit.vidx() % 3 == 0)).collect();
            let doubled = [&mixed[..], &mixed[..n.min(1)]].concat();
            let cancelled: Vec<Lit> = mixed.iter().copied().chain(mixed.first().map(|&lit| !lit)).collect();
            for lits in [mixed, doubled, cancelled] {
                let mut recorder = Recorder::new(n);
                post(&mut recorder, &lits).unwrap();
                check_models(&recorder, n, &what, |assignment| allowed(&lits, assignment));
                check_clauses(&recorder, &what);
                let mut recorder = Recorder::new(n);
                post(&mut recorder.keep_order(), &lits).unwrap();
                check_models(&recorder, n, &what, |assignment| allowed(&lits, assignment));
            }
            for cond in [vec![input(n)], vec![!input(n), input(n + 1)], vec![input(0)]] {
                let mut recorder = Recorder::new(n + 2);
                post(&mut recorder.when(&cond), &lits).unwrap();
                check_models(&recorder, n + 2, &what, |assignment| {
                    !cond.iter().all(|lit| assignment[lit.vidx()] == *lit) || allowed(&lits, assignment)
                });
                check_clauses(&recorder, &what);
            }
        }
    }
    assert_eq!(weakest, claimed, "stronger than claimed");
    for n in (2..=300).chain([1000, 1023, 1024, 1025, 2000]) {
        let mut tally = Tally::new(n);
        let lits = tally.inputs();
        tally.at_most_one(&lits, enc).unwrap();
        assert_eq!(enc.amo_size(n), tally.size(), "at most one of {n}: predicted, emitted");
    }
}

/// The clauses that a condition is added to.
#[cfg(test)]
pub(crate) fn guarded(enc: &dyn AtMostK, relation: Relation, n: usize) -> usize {
    let mut recorder = Recorder::new(n);
    recorder.cardinality(&inputs(n), relation, enc).unwrap();
    recorder.clauses.len() - recorder.defined
}
