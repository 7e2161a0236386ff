//! Groups of literals of which at most one is true, beside the suite of sums of weights: [`pb_groups!`].
//!
//! Whatever an encoding makes of groups, assignments that respect them are allowed as addition says, and under a
//! condition that is false all are, whether they respect them or not. One that uses groups says how strong unit
//! propagation is together with the pairwise *at most one* of every group: as strong as on the sum and the groups taken
//! as one constraint. *Exactly* is as strong as *at most* and *at least*, each by itself.
//!
//! [`pb_groups!`]: super::pb_groups

use rustsat::types::Lit;

use super::pb::each_weights;
use super::{Engine, Recorder, inputs};
use crate::constraint::{Constraint, Terms};
use crate::encode::Encoding;
use crate::relation::PbRelation;
use crate::{ClauseSink, Constrain};

/// Weights of literals, group by group.
#[derive(Debug)]
struct WeightGroups {
    terms: Vec<(Lit, u64)>,
    ends: Vec<usize>,
}

impl WeightGroups {
    fn new(lens: &[usize], weights: &[u64]) -> Self {
        let ends = lens.iter().scan(0, |end, len| {
            *end += len;
            Some(*end)
        });
        let ends: Vec<usize> = ends.collect();
        let lits = inputs(weights.len()).into_iter().map(|lit| lit.var().lit(lit.vidx() % 3 == 1));
        Self { terms: lits.zip(weights.iter().copied()).collect(), ends }
    }

    fn terms(&self) -> Terms<'_> {
        Terms::grouped(&self.terms, &self.ends)
    }

    /// The relations that folding leaves to an encoding.
    fn relations(&self) -> Vec<PbRelation> {
        let total = self.terms().total();
        let heaviest = self.terms.iter().map(|&(_, weight)| weight).max().unwrap_or(0);
        let bounds = (1..total).flat_map(|bound| {
            let (most, least) = (heaviest <= bound, total - heaviest >= bound);
            [
                most.then_some(PbRelation::AtMost(bound)),
                least.then_some(PbRelation::AtLeast(bound)),
                (most && least).then_some(PbRelation::Exactly(bound)),
            ]
        });
        bounds.flatten().collect()
    }

    /// Sets of literals that respect the groups, with their sums.
    fn sets(&self) -> Vec<(u32, u64)> {
        let mut sets = vec![(0, 0)];
        let mut start = 0;
        for &end in &self.ends {
            let more: Vec<(u32, u64)> = sets
                .iter()
                .flat_map(|&(set, sum)| (start..end).map(move |at| (set | 1 << at, sum + self.terms[at].1)))
                .collect();
            sets.extend(more);
            start = end;
        }
        sets
    }
}

/// The clauses of a plan, under the condition that the variable after the inputs is true.
fn record(enc: &dyn Encoding, groups: &WeightGroups, relation: PbRelation, condition: bool) -> Option<Recorder> {
    let n = groups.terms.len();
    let constraint = Constraint::weights(groups.terms(), relation);
    let plan = enc.plan(&constraint)?;
    let mut recorder = Recorder::new(n + usize::from(condition));
    if condition {
        let Ok(()) = recorder.when(&[Lit::positive(n as u32)]).write_by(&mut |to| plan.write(&constraint, to));
    } else {
        let Ok(()) = recorder.write_by(&mut |to| plan.write(&constraint, to));
        assert_eq!(recorder.size(n), plan.size(), "{relation} of {groups:?}: size");
    }
    Some(recorder)
}

/// Calls `check` with the groups of the tests.
fn each_groups(check: &mut dyn FnMut(&WeightGroups)) {
    for (lens, heaviest) in
        [(&[2, 1][..], 4), (&[2, 2], 3), (&[3, 1], 3), (&[2, 1, 1], 3), (&[3, 2], 2), (&[2, 2, 1], 2)]
    {
        each_weights(lens.iter().sum(), heaviest, &mut |weights| check(&WeightGroups::new(lens, weights)));
    }
    for (lens, weights) in [
        (&[3, 3][..], &[1, 2, 4, 2, 3, 7][..]),
        (&[2, 3], &[5, 3, 2, 7, 4]),
        (&[4, 2], &[1, 2, 3, 4, 2, 4]),
        (&[2, 2, 2], &[1, 5, 3, 4, 2, 2]),
        (&[3, 2, 1], &[9, 5, 1, 6, 6, 4]),
        (&[1, 4, 1], &[3, 2, 5, 5, 8, 1]),
    ] {
        check(&WeightGroups::new(lens, weights));
    }
}

/// Every assignment that respects the groups is allowed, or not, as addition says. Under a condition that is false,
/// every assignment is allowed, one that does not respect them too: nothing else says that they hold there.
pub fn check_groups(enc: &dyn Encoding) {
    let mut checked = 0;
    each_groups(&mut |groups| {
        let n = groups.terms.len();
        let cond = Lit::positive(n as u32);
        for relation in groups.relations() {
            for condition in [false, true] {
                let Some(recorder) = record(enc, groups, relation, condition) else { continue };
                let mut engine = Engine::new(&recorder);
                let respectful = groups.sets().into_iter().map(|(set, sum)| (set, cond, relation.allows(sum)));
                let free = (0..u32::from(condition) << n).map(|set| (set, !cond, true));
                for (set, side, expected) in respectful.chain(free) {
                    let mark = engine.mark();
                    let lits = groups.terms.iter().enumerate();
                    let mut assignment = lits.map(|(at, &(lit, _))| if set >> at & 1 == 1 { lit } else { !lit });
                    let consistent = (!condition || engine.assume(side)) && assignment.all(|lit| engine.assume(lit));
                    let what = format!("{relation} of {groups:?}, set {set:b}, condition {condition} {side}");
                    assert_eq!(consistent && engine.satisfiable(), expected, "{what}");
                    engine.undo(mark);
                    checked += 1;
                }
            }
        }
    });
    assert!(checked > 20_000, "{checked}");
}

/// With *at most one* of every group, unit propagation derives all that follows from the sum and the groups together.
pub fn check_group_strength(enc: &dyn Encoding) {
    let mut checked = 0;
    each_groups(&mut |groups| {
        let n = groups.terms.len();
        for relation in groups.relations() {
            let Some(mut recorder) = record(enc, groups, relation, false) else { continue };
            let mut start = 0;
            for &end in &groups.ends {
                for one in start..end {
                    for other in one + 1..end {
                        let Ok(()) = recorder.add_clause(&[!groups.terms[one].0, !groups.terms[other].0]);
                    }
                }
                start = end;
            }
            let sides = [relation.most().map(PbRelation::AtMost), relation.least().map(PbRelation::AtLeast)];
            let allowed = sides.into_iter().flatten().map(|side| {
                let sets = groups.sets().into_iter().filter(move |&(_, sum)| side.allows(sum));
                sets.map(|(set, _)| set).collect::<Vec<u32>>()
            });
            let allowed: Vec<Vec<u32>> = allowed.collect();
            let mut engine = Engine::new(&recorder);
            for code in 0..3_usize.pow(n as u32) {
                let digit = |at: usize| code / 3_usize.pow(at as u32) % 3;
                let known = (0..n).filter(|&at| digit(at) > 0).fold(0, |known, at| known | 1 << at);
                let chosen = (0..n).filter(|&at| digit(at) == 1).fold(0, |chosen, at| chosen | 1 << at);
                let mark = engine.mark();
                let consistent = groups.terms.iter().enumerate().all(|(at, &(lit, _))| match digit(at) {
                    0 => true,
                    value => engine.assume(if value == 1 { lit } else { !lit }),
                });
                for allowed in &allowed {
                    let fits = allowed.iter().filter(|&&set| set & known == chosen);
                    let (some, all) = fits.fold((0, u32::MAX), |(some, all), &set| (some | set, all & set));
                    let what = format!("{relation} of {groups:?}, known {known:b}, true {chosen:b}");
                    if all == u32::MAX {
                        assert!(!consistent, "{what}: a contradiction is not found");
                    }
                    for at in (0..n).filter(|&at| consistent && digit(at) == 0) {
                        let implied = [(some >> at & 1 == 0, false), (all >> at & 1 == 1, true)];
                        for (_, value) in implied.into_iter().filter(|&(implied, _)| implied) {
                            assert_eq!(engine.value(groups.terms[at].0), Some(value), "{what}: input {at}");
                        }
                    }
                    checked += 1;
                }
                engine.undo(mark);
            }
        }
    });
    assert!(checked > 100_000, "{checked}");
}
