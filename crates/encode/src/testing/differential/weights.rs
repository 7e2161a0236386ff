//! Sums of weights through the front door: every encoding × relation × plain, conditional, reified × groups, repeats,
//! complements and constants × weights of 0, of few bits and of 64. Groups hold under the condition of their sum, and
//! nowhere else.

use std::convert::Infallible;

use rustsat::types::{Lit, Var};

use super::front_door::Knowing;
use crate::constraint::Constraint;
use crate::random::Random;
use crate::testing::trials::{Until, any_lit, is_true, run};
use crate::testing::{Lanes, Recorder, check_each_clause};
use crate::{ClauseSink, Constrain, Encoding, PbEncoding, PbRelation, Plan, Terms};

/// An encoding that insists on what it was promised.
struct StrictWeights<'s, E>(&'s E);

impl<E: Encoding> Encoding for StrictWeights<'_, E> {
    fn plan(&self, constraint: &Constraint<'_>) -> Option<Plan<'_>> {
        if constraint.counted().is_some() {
            return self.0.plan(constraint);
        }
        let (ref terms, relation) = constraint.weighted()?;
        let mut vars: Vec<Var> = terms.all().iter().map(|(lit, _)| lit.var()).collect();
        vars.sort_unstable();
        assert!(vars.windows(2).all(|pair| pair[0] < pair[1]), "{terms:?} repeats a variable");
        let weights = || terms.all().iter().map(|&(_, weight)| weight);
        assert!(weights().all(|weight| weight > 0), "{terms:?} has a weight of 0");
        let is_mixed = weights().any(|weight| Some(weight) != weights().next());
        assert!(is_mixed || terms.is_grouped(), "{terms:?} is a count");
        assert!(terms.groups().count() >= 2, "{terms:?} is one choice");
        let bound = relation.bound();
        let heaviest = |group: &[(Lit, u64)]| group.iter().map(|&(_, weight)| weight).max().unwrap_or(0);
        let total: u128 = terms.groups().map(|group| u128::from(heaviest(group))).sum();
        assert!(weights().map(u128::from).sum::<u128>() < 1 << 64 && total == terms.total().into(), "{terms:?}");
        assert!(1 <= bound && u128::from(bound) < total, "{relation} of {terms:?}");
        if let Some(most) = relation.most() {
            assert!(weights().all(|weight| weight <= most), "{relation} of {terms:?}");
        }
        if let Some(least) = relation.least() {
            let reaches = |group| terms.total() - heaviest(group) >= least;
            assert!(terms.groups().all(reaches), "{relation} of {terms:?}");
        }
        self.0.plan(constraint)
    }
}

/// An encoding that gives up.
struct GivesUp;

impl Encoding for GivesUp {
    fn plan(&self, _: &Constraint<'_>) -> Option<Plan<'_>> {
        None
    }
}

/// A constraint with everything that may go with it.
#[derive(Debug)]
struct WeightsTrial {
    vars: usize,
    units: Vec<Lit>,
    cond: Vec<Lit>,
    keep_order: bool,
    iff: Option<Lit>,
    terms: Vec<(Lit, u64)>,
    ends: Vec<usize>,
    relation: PbRelation,
}

/// A weight of one of several kinds.
fn weight(random: &mut Random, kind: usize) -> u64 {
    match kind {
        0 => random.below(4) as u64,
        1 | 2 => random.below(10) as u64,
        3 => 6 * (1 + random.below(4) as u64) + u64::from(random.below(6) == 0),
        4 => 1 << random.below(6),
        5 => u64::MAX - random.below(3) as u64,
        6 => u64::MAX >> random.below(4),
        _ => 1 + random.below(2) as u64 * 99 + random.below(3) as u64,
    }
}

impl WeightsTrial {
    fn random(random: &mut Random) -> Self {
        let inputs = 1 + random.below(7);
        let kind = random.below(8);
        let n = random.below(9);
        let mut vars: Vec<u32> = (0..inputs as u32).collect();
        random.shuffle(&mut vars);
        let distinct = random.below(3) > 0;
        let mut terms: Vec<(Lit, u64)> = (0..n.min(if distinct { inputs } else { 9 }))
            .map(|at| {
                let lit = if distinct { Lit::new(vars[at], random.below(2) == 0) } else { any_lit(random, inputs) };
                (lit, weight(random, kind))
            })
            .collect();
        if random.below(16) == 0 {
            terms.iter_mut().for_each(|(_, weight)| *weight = 3);
        }
        let ends = if random.below(3) == 0 && !terms.is_empty() {
            let mut ends: Vec<usize> = (1..terms.len()).filter(|_| random.below(2) == 0).collect();
            ends.push(terms.len());
            ends
        } else {
            Vec::new()
        };
        let total = terms.iter().map(|&(_, weight)| u128::from(weight)).sum::<u128>();
        let near = u64::try_from(total).unwrap_or(u64::MAX);
        let bound = match random.below(10) {
            0 => near.saturating_sub(random.below(3) as u64),
            1 => near.saturating_add(random.below(2) as u64),
            2 => random.below(3) as u64,
            3 => u64::MAX - random.below(2) as u64,
            4 | 5 => {
                // A sum that is reached.
                let set = random.next();
                let chosen = terms.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1);
                chosen.fold(0_u64, |sum, (_, &(_, weight))| sum.saturating_add(weight))
            }
            _ => ((u128::from(random.next()) * u128::from(near)) >> 64) as u64,
        };
        let relation =
            [PbRelation::AtMost(bound), PbRelation::AtLeast(bound), PbRelation::Exactly(bound)][random.below(3)];
        let vars = inputs + random.below(3);
        let form = random.below(8);
        let conditions = if form < 5 { 0 } else { 1 + random.below(2) };
        let cond = (0..conditions).map(|_| any_lit(random, vars)).collect();
        let iff = (form % 2 == 1).then(|| any_lit(random, vars));
        let units = if random.below(4) == 0 { vec![any_lit(random, vars)] } else { Vec::new() };
        Self { vars, units, cond, keep_order: random.below(4) == 0, iff, terms, ends, relation }
    }

    fn terms(&self) -> Terms<'_> {
        Terms::of(&self.terms, &self.ends)
    }

    /// Pairs of literals of which at most one is true where the condition is: nothing says so elsewhere.
    fn pairs(&self) -> Vec<[Lit; 2]> {
        let mut pairs = Vec::new();
        for group in self.terms().groups() {
            for (at, &(one, _)) in group.iter().enumerate() {
                let others = group[..at].iter().filter(|(other, _)| other.var() != one.var());
                pairs.extend(others.map(|&(other, _)| [!one, !other]));
            }
        }
        pairs
    }

    fn allows(&self, assignment: u32) -> bool {
        let chosen = self.terms.iter().filter(|&&(lit, _)| is_true(assignment, lit));
        let sum: u128 = chosen.map(|&(_, weight)| u128::from(weight)).sum();
        let bound = u128::from(self.relation.bound());
        let holds = match self.relation {
            PbRelation::AtMost(_) => sum <= bound,
            PbRelation::AtLeast(_) => sum >= bound,
            PbRelation::Exactly(_) => sum == bound,
        };
        let reified = self.iff.map_or(holds, |r| is_true(assignment, r) == holds);
        let all = |lits: &[Lit]| lits.iter().all(|&lit| is_true(assignment, lit));
        let groups = self.pairs().iter().all(|pair| pair.iter().any(|&lit| is_true(assignment, lit)));
        all(&self.units) && (groups && reified || !all(&self.cond))
    }

    fn post<S: ClauseSink<Error = Infallible> + ?Sized>(&self, sink: &mut S, enc: &dyn Encoding) {
        let Ok(()) = match (self.keep_order, self.cond.is_empty()) {
            (false, true) => self.say(sink, enc),
            (true, true) => self.say(&mut sink.keep_order(), enc),
            (false, false) => self.say(&mut sink.when(&self.cond), enc),
            (true, false) => {
                let (one, other) = self.cond.split_at(self.cond.len() / 2);
                self.say(&mut sink.when(one).keep_order().when(other), enc)
            }
        };
    }

    fn say<S: ClauseSink + ?Sized>(&self, sink: &mut S, enc: &dyn Encoding) -> Result<(), S::Error> {
        let (terms, grouped) = (&self.terms[..], !self.ends.is_empty());
        match (self.iff, self.relation) {
            (None, relation) if grouped => sink.pb_grouped(&self.terms(), relation, enc),
            (Some(r), relation) if grouped => sink.pb_iff_grouped(r, &self.terms(), relation, enc),
            (None, PbRelation::AtMost(bound)) => sink.pb_at_most(terms, bound, enc),
            (None, PbRelation::AtLeast(bound)) => sink.pb_at_least(terms, bound, enc),
            (None, PbRelation::Exactly(bound)) => sink.pb_exactly(terms, bound, enc),
            (Some(r), PbRelation::AtMost(bound)) => sink.pb_iff_at_most(r, terms, bound, enc),
            (Some(r), PbRelation::AtLeast(bound)) => sink.pb_iff_at_least(r, terms, bound, enc),
            (Some(r), PbRelation::Exactly(bound)) => sink.pb_iff_exactly(r, terms, bound, enc),
        }
    }

    /// The constraint through `enc` says what addition says, and is as large as announced.
    fn check(&self, name: &str, enc: &dyn Encoding) -> u64 {
        let mut sink = Knowing { recorder: Recorder::new(self.vars), units: self.units.clone() };
        self.post(&mut sink, enc);
        let recorder = &sink.recorder;
        let (announced, size) = (recorder.announced, recorder.size(self.vars));
        assert!(size.fits(&announced), "{name}, {self:?}: announced {announced}, came {size}");
        let exact =
            self.cond.is_empty() && self.iff.is_none() && enc.encoding_name().is_none_or(|name| name.goal().is_none());
        assert!(!exact || announced == size, "{name}, {self:?}: announced {announced}, came {size}");
        // A sum in binary may say a short clause twice, where a column has many digits: needless, but right.
        check_each_clause(recorder, &format!("{name}, {self:?}"));
        let mut lanes = Lanes::new(recorder.next_var().idx(), recorder.clauses.iter().map(Vec::as_slice));
        self.units.iter().for_each(|&unit| lanes.add(&[unit]));
        let guards = || self.cond.iter().map(|&lit| !lit);
        self.pairs().iter().for_each(|pair| lanes.add(&guards().chain(*pair).collect::<Vec<Lit>>()));
        lanes.each_assignment(self.vars, |assignment, allowed| {
            assert_eq!(allowed, self.allows(assignment), "{name}, {self:?}: wrong on {assignment:b}");
        });
        1 << self.vars
    }

    /// [`check`](Self::check), by any encoding.
    fn check_any(&self, random: &mut Random) -> u64 {
        match PbEncoding::ALL.get(random.below(PbEncoding::ALL.len() + 1)) {
            Some(enc) => self.check(&enc.to_string(), &StrictWeights(enc)),
            None => self.check("one that gives up", &StrictWeights(&GivesUp)),
        }
    }
}

fn trial(random: &mut Random) -> u64 {
    WeightsTrial::random(random).check_any(random)
}

#[test]
fn sums_of_weights_are_what_they_should_be() {
    run("weights", &Until::Assignments(2_000_000), &mut trial);
}

/// Groups that hold only where a condition does, with weights so small that most bounds can be reached.
#[test]
fn groups_under_conditions_are_what_they_should_be() {
    run("groups", &Until::Assignments(500_000), &mut |random| {
        loop {
            let mut drawn = WeightsTrial::random(random);
            if !drawn.cond.is_empty() && !drawn.pairs().is_empty() {
                drawn.terms.iter_mut().for_each(|(_, weight)| *weight = 1 + random.below(3) as u64);
                drawn.relation = drawn.relation.with_bound(1 + random.below(drawn.terms.len()) as u64);
                return drawn.check_any(random);
            }
        }
    });
}

#[test]
#[ignore = "runs until its time is up"]
fn sums_of_weights_for_long() {
    run("weights", &Until::TimeIsUp, &mut trial);
}

/// All weights up to 4 of up to 3 literals, all bounds and relations, alone and reified, by every encoding.
#[test]
fn every_small_sum() {
    for n in 0..=3 {
        for code in 0..5_u64.pow(n) {
            let weight = |at: u32| code / 5_u64.pow(at) % 5;
            let terms: Vec<(Lit, u64)> = (0..n).map(|at| (Lit::new(at, at % 2 == 1), weight(at))).collect();
            let total: u64 = terms.iter().map(|&(_, weight)| weight).sum();
            for bound in 0..=total + 1 {
                for relation in [PbRelation::AtMost(bound), PbRelation::AtLeast(bound), PbRelation::Exactly(bound)] {
                    for iff in [None, Some(Lit::positive(n))] {
                        let (units, cond, terms) = (Vec::new(), Vec::new(), terms.clone());
                        let vars = n as usize + 1;
                        let trial = WeightsTrial {
                            vars,
                            units,
                            cond,
                            keep_order: false,
                            iff,
                            terms,
                            ends: Vec::new(),
                            relation,
                        };
                        for enc in PbEncoding::ALL {
                            trial.check(&enc.to_string(), &StrictWeights(enc));
                        }
                    }
                }
            }
        }
    }
}

/// Seven literals with weights up to 9: a sample of bounds, by every encoding.
#[test]
fn seven_weights_up_to_nine() {
    let mut random = Random::new(7);
    for _ in 0..60 {
        let terms: Vec<(Lit, u64)> =
            (0..7).map(|at| (Lit::new(at, random.below(2) == 0), 1 + random.below(9) as u64)).collect();
        let total: u64 = terms.iter().map(|&(_, weight)| weight).sum();
        let bound = random.below(total as usize + 1) as u64;
        for relation in [PbRelation::AtMost(bound), PbRelation::AtLeast(bound), PbRelation::Exactly(bound)] {
            let (units, cond, terms) = (Vec::new(), Vec::new(), terms.clone());
            let trial =
                WeightsTrial { vars: 7, units, cond, keep_order: false, iff: None, terms, ends: Vec::new(), relation };
            for enc in PbEncoding::ALL {
                trial.check(&enc.to_string(), &StrictWeights(enc));
            }
        }
    }
}
