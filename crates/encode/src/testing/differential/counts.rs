//! Counters of every kind, on literals that repeat and cancel out, and totalizers that grow in random steps.

use rustsat::types::Lit;

use crate::random::Random;
use crate::testing::trials::{Until, bound, count_true, places, run};
use crate::testing::{Lanes, Recorder};
use crate::{
    Bound, CardinalityNetwork, ClauseSink, Counter, IncTotalizer, Network, Relation, SequentialCounter, Totalizer,
};

/// Compares every bound with the definition.
fn check(recorder: &Recorder, vars: usize, lits: &[Lit], what: &str, bound: impl Fn(Relation) -> Option<Bound>) -> u64 {
    let mut lanes = Lanes::new(recorder.next_var().idx(), recorder.clauses.iter().map(Vec::as_slice));
    let clauses = lanes.len();
    let mut seen = 0;
    for relation in (0..=lits.len() + 1).flat_map(|k| [Relation::AtMost(k), Relation::AtLeast(k)]) {
        match bound(relation) {
            None => continue,
            Some(Bound::Always) => {}
            Some(Bound::Never) => lanes.add(&[]),
            Some(Bound::If(lit)) => lanes.add(&[lit]),
        }
        lanes.each_assignment(vars, |assignment, allowed| {
            let expected = relation.allows(count_true(assignment, lits));
            assert_eq!(allowed, expected, "{what}, {relation} of {lits:?}: wrong on {assignment:b}");
            seen += 1;
        });
        lanes.truncate(clauses);
    }
    seen
}

fn count<C: Counter + std::fmt::Debug>(counter: &C, random: &mut Random) -> u64 {
    let vars = 1 + random.below(6);
    let lits = places(random, vars);
    let upto = bound(random, lits.len());
    let mut recorder = Recorder::new(vars);
    let count = counter.count(&mut recorder, &lits, upto).unwrap();
    assert_eq!(recorder.size(vars), counter.count_size(lits.len(), upto), "{counter:?}, up to {upto} of {lits:?}");
    check(&recorder, vars, &lits, &format!("{counter:?}, up to {upto}"), |relation| match relation {
        Relation::AtMost(k) => count.at_most(k),
        Relation::AtLeast(k) | Relation::Exactly(k) => count.at_least(k),
    })
}

fn grow(random: &mut Random) -> u64 {
    let vars = 1 + random.below(6);
    let mut recorder = Recorder::new(vars);
    let mut count = IncTotalizer::new();
    let (mut lits, mut steps, mut seen) = (Vec::new(), Vec::new(), 0);
    for _ in 0..=random.below(5) {
        if random.below(2) == 0 && lits.len() < 16 {
            let mut more = places(random, vars);
            more.truncate(5);
            count.extend(&mut recorder, &more).unwrap();
            lits.extend_from_slice(&more);
            steps.push(format!("extend {more:?}"));
        } else {
            let upto = bound(random, lits.len()).min(40);
            count.widen(&mut recorder, upto).unwrap();
            steps.push(format!("widen {upto}"));
        }
        assert_eq!((count.n(), recorder.announced), (lits.len(), recorder.size(vars)), "{steps:?}");
        seen += check(&recorder, vars, &lits, &format!("{steps:?}"), |relation| match relation {
            Relation::AtMost(k) => count.at_most(k),
            Relation::AtLeast(k) | Relation::Exactly(k) => count.at_least(k),
        });
    }
    seen
}

fn trial(random: &mut Random) -> u64 {
    match random.below(6) {
        0 => count(&Totalizer::default(), random),
        1 => count(&Totalizer { order: true, full: true, ..Totalizer::default() }, random),
        2 => count(&SequentialCounter::default(), random),
        3 => count(&Network::default(), random),
        4 => count(&CardinalityNetwork::default(), random),
        _ => grow(random),
    }
}

#[test]
fn counters_count_what_they_are_given() {
    run("counters", &Until::Assignments(1_000_000), &mut trial);
}

#[test]
#[ignore = "runs until its time is up"]
fn counters_for_long() {
    run("counters", &Until::TimeIsUp, &mut trial);
}
