//! Every encoding × relation × plain, conditional, reified × repeats, complements and constants.

use std::convert::Infallible;

use rustsat::types::{Lit, Var};

use crate::random::Random;
use crate::testing::trials::{Until, any_lit, bound, count_true, is_true, places, run};

use crate::encode::{ByRelation, Full, Writer};
use crate::testing::{Lanes, Recorder, check_clauses};
use crate::{
    AmoEncoding, AtMostK, AtMostOne, CardEncoding, ClauseSink, Constrain, Constraint, Encoding, Plan, Relation, Size,
};

/// A sink that knows the value of some variables.
pub(super) struct Knowing {
    pub(super) recorder: Recorder,
    pub(super) units: Vec<Lit>,
}

impl ClauseSink for Knowing {
    type Error = Infallible;

    fn fixed(&self, lit: Lit) -> Option<bool> {
        self.units.iter().find(|unit| unit.var() == lit.var()).map(|&unit| unit == lit)
    }

    fn fixes_any(&self) -> bool {
        true
    }

    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), Infallible> {
        self.recorder.add_clause(clause)
    }

    fn define(&mut self, clause: &[Lit]) -> Result<(), Infallible> {
        self.recorder.define(clause)
    }

    fn new_lit(&mut self) -> Lit {
        self.recorder.new_lit()
    }

    fn next_var(&self) -> Var {
        self.recorder.next_var()
    }

    fn reserve(&mut self, size: &Size) -> Result<(), Infallible> {
        self.recorder.reserve(size)
    }
}

/// An encoding that insists on what it was promised.
struct StrictEncoding<'e, E>(&'e E);

fn check_distinct(lits: &[Lit]) {
    let mut vars: Vec<Var> = lits.iter().map(|lit| lit.var()).collect();
    vars.sort_unstable();
    assert!(vars.windows(2).all(|pair| pair[0] < pair[1]), "{lits:?} repeats a variable");
}

fn check_range(relation: Relation, n: usize) {
    let promised = match relation {
        Relation::AtMost(k) => 1 <= k && k + 2 <= n,
        Relation::AtLeast(k) => 2 <= k && k < n,
        Relation::Exactly(k) => 1 <= k && k < n && n >= 3,
    };
    assert!(promised, "{relation} of {n}");
}

impl<E: ByRelation> ByRelation for StrictEncoding<'_, E> {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit], relation: Relation) -> Result<(), Full> {
        check_distinct(lits);
        check_range(relation, lits.len());
        self.0.encode(to, lits, relation)
    }

    fn size(&self, n: usize, relation: Relation) -> Size {
        check_range(relation, n);
        self.0.size(n, relation)
    }

    fn outputs(&self, to: &mut Writer<'_>, lits: &[Lit], first: usize, last: usize) -> Result<Vec<Lit>, Full> {
        check_distinct(lits);
        assert!(1 <= first && first <= last && last <= lits.len() && lits.len() >= 3, "{first} to {last} of {lits:?}");
        self.0.outputs(to, lits, first, last)
    }

    fn outputs_size(&self, n: usize, first: usize, last: usize) -> Option<Size> {
        self.0.outputs_size(n, first, last)
    }
}

/// At most one alone.
struct StrictOne<'e, E>(&'e E);

impl<E: AtMostOne> AtMostOne for StrictOne<'_, E> {}

impl<E: AtMostOne> Encoding for StrictOne<'_, E> {
    fn plan(&self, constraint: &Constraint<'_>) -> Option<Plan<'_>> {
        let (lits, _) = constraint.counted()?;
        check_distinct(lits);
        assert!(lits.len() >= 2, "{lits:?}");
        self.0.plan(constraint)
    }
}

/// A third party's: a count with one variable for each prefix and number, and the defaults for everything else. It
/// takes literals for variables of their own: it would count a copy only once.
struct ByVariable;

impl ByRelation for ByVariable {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit], relation: Relation) -> Result<(), Full> {
        let Relation::AtMost(k) = relation else { return relation.by_at_most(self, to, lits) };
        let mut sorted = lits.to_vec();
        sorted.sort_unstable();
        sorted.dedup_by_key(|lit| lit.var());
        let mut row: Vec<Lit> = to.lits(k);
        to.define(&[!sorted[0], row[0]])?;
        for &lit in &sorted[1..] {
            to.clause(&[!lit, !row[k - 1]])?;
            let next = to.lits(k);
            to.define(&[!lit, next[0]])?;
            for j in 0..k {
                to.define(&[!row[j], next[j]])?;
                if j > 0 {
                    to.define(&[!lit, !row[j - 1], next[j]])?;
                }
            }
            row = next;
        }
        Ok(())
    }

    fn size(&self, n: usize, relation: Relation) -> Size {
        let Relation::AtMost(k) = relation else { return relation.size_by_at_most(self, n) };
        let (n, k) = (n as u64, k as u64);
        Size::variables(n * k) + Size::clauses((n - 1) * (k + 1) + n, 2) + Size::clauses((n - 1) * (k - 1), 3)
    }
}

/// A constraint with everything that may go with it.
#[derive(Debug)]
struct FrontDoorTrial {
    vars: usize,
    units: Vec<Lit>,
    cond: Vec<Lit>,
    nested: bool,
    keep_order: bool,
    iff: Option<Lit>,
    lits: Vec<Lit>,
    relation: Relation,
}

impl FrontDoorTrial {
    fn random(random: &mut Random) -> Self {
        let inputs = if random.below(16) == 0 { 10 } else { 1 + random.below(8) };
        let lits = places(random, inputs);
        let k = bound(random, lits.len());
        let relation = [Relation::AtMost(k), Relation::AtLeast(k), Relation::Exactly(k)][random.below(3)];
        // Conditions and reifying literals: mostly others.
        let vars = inputs + random.below(3);
        let outside = |random: &mut Random| {
            if vars > inputs && random.below(3) > 0 {
                Lit::new((inputs + random.below(vars - inputs)) as u32, random.below(2) == 0)
            } else {
                any_lit(random, vars)
            }
        };
        let form = random.below(8);
        let conditions = if form < 4 { 0 } else { 1 + random.below(3) };
        let cond = (0..conditions).map(|_| outside(random)).collect();
        let iff = (form % 2 == 1).then(|| outside(random));
        let units = if random.below(4) == 0 { vec![any_lit(random, vars)] } else { Vec::new() };
        Self { vars, units, cond, nested: random.below(2) == 0, keep_order: random.below(4) == 0, iff, lits, relation }
    }

    fn allows(&self, assignment: u32) -> bool {
        let holds = self.relation.allows(count_true(assignment, &self.lits));
        let reified = self.iff.map_or(holds, |r| is_true(assignment, r) == holds);
        let all = |lits: &[Lit]| lits.iter().all(|&lit| is_true(assignment, lit));
        all(&self.units) && (reified || !all(&self.cond))
    }

    fn post<S: ClauseSink<Error = Infallible> + ?Sized>(&self, sink: &mut S, enc: &dyn Post) {
        let (first, rest) = self.cond.split_at(self.cond.len() / 2);
        match (self.keep_order, self.nested) {
            _ if self.cond.is_empty() && !self.keep_order => enc.post(&mut &mut *sink, self),
            (false, false) => enc.post(&mut sink.when(&self.cond), self),
            (true, false) => enc.post(&mut sink.when(&self.cond).keep_order(), self),
            (false, true) => enc.post(&mut sink.when(first).when(rest), self),
            (true, true) => enc.post(&mut sink.when(first).keep_order().when(rest), self),
        }
    }

    /// Encodes, and compares with the definition; returns the number of assignments.
    fn check(&self, name: &str, enc: &dyn Post) -> u64 {
        let mut sink = Knowing { recorder: Recorder::new(self.vars), units: self.units.clone() };
        self.post(&mut sink, enc);
        let recorder = &sink.recorder;
        let (announced, size) = (recorder.announced, recorder.size(self.vars));
        assert!(size.fits(&announced), "{name}, {self:?}: announced {announced}, came {size}");
        // Units are announced twice where the constraint is offered to the sink first.
        let exact = self.cond.is_empty() && self.iff.is_none() && !enc.is_open();
        assert!(!exact || announced == size, "{name}, {self:?}: announced {announced}, came {size}");
        check_clauses(recorder, &format!("{name}, {self:?}"));
        let mut lanes = Lanes::new(recorder.next_var().idx(), recorder.clauses.iter().map(Vec::as_slice));
        self.units.iter().for_each(|&unit| lanes.add(&[unit]));
        lanes.each_assignment(self.vars, |assignment, allowed| {
            assert_eq!(allowed, self.allows(assignment), "{name}, {self:?}: wrong on {assignment:b}");
        });
        1 << self.vars
    }
}

/// An encoding that a trial is encoded with.
trait Post {
    /// The sink is asked whether it takes the constraint as it is.
    fn is_open(&self) -> bool;

    fn post(&self, sink: &mut dyn ClauseSink<Error = Infallible>, trial: &FrontDoorTrial);
}

/// A bound of any size.
struct TrialBound<E>(E);

impl<E: AtMostK> Post for TrialBound<E> {
    fn is_open(&self) -> bool {
        self.0.encoding_name().is_some_and(|name| name.goal().is_some())
    }

    fn post(&self, sink: &mut dyn ClauseSink<Error = Infallible>, trial: &FrontDoorTrial) {
        let (lits, enc) = (&trial.lits[..], &self.0);
        let Ok(()) = match (trial.iff, trial.relation) {
            (None, relation) => sink.cardinality(lits, relation, enc),
            (Some(r), relation) => sink.post(&Constraint::count(lits, relation).iff(r), enc),
        };
    }
}

/// At most one and exactly one.
struct OneOf<E>(E);

impl<E: AtMostOne> Post for OneOf<E> {
    fn is_open(&self) -> bool {
        self.0.encoding_name().is_some_and(|name| name.goal().is_some())
    }

    fn post(&self, sink: &mut dyn ClauseSink<Error = Infallible>, trial: &FrontDoorTrial) {
        let Ok(()) = match trial.relation.least() {
            None => sink.at_most_one(&trial.lits, &self.0),
            Some(_) => sink.exactly_one(&trial.lits, &self.0),
        };
    }
}

/// The most clauses of a trial: encodings without auxiliaries have far too many in the middle.
const MOST_CLAUSES: u64 = 2_000;

fn trial(random: &mut Random) -> u64 {
    let mut trial = FrontDoorTrial::random(random);
    let which = random.below(CardEncoding::ALL.len() + 4);
    if let Some(enc) = CardEncoding::ALL.get(which) {
        let k = trial.relation.bound().min(trial.lits.len());
        if enc.exk_size(trial.lits.len(), k).clauses > MOST_CLAUSES {
            return 0;
        }
        // The encoding as it is, since choosers are asked in other places too; and behind a check of what the front
        // door promises.
        return if random.below(2) == 0 {
            trial.check(&enc.to_string(), &TrialBound(*enc))
        } else {
            trial.check(&enc.to_string(), &TrialBound(StrictEncoding(enc)))
        };
    }
    if which.is_multiple_of(2) {
        return trial.check("a third party's", &TrialBound(StrictEncoding(&ByVariable)));
    }
    trial.iff = None;
    trial.relation = [Relation::AtMost(1), Relation::Exactly(1)][random.below(2)];
    let enc = &AmoEncoding::ALL[random.below(AmoEncoding::ALL.len())];
    trial.check(&enc.to_string(), &OneOf(StrictOne(enc)))
}

#[test]
fn the_front_door_says_what_it_should() {
    run("front door", &Until::Assignments(10_000_000), &mut trial);
}

#[test]
#[ignore = "runs until its time is up"]
fn the_front_door_for_long() {
    run("front door", &Until::TimeIsUp, &mut trial);
}

/// At least 2 of 9 places, one literal given twice: once wrong, because one encoding dropped a literal's copies with
/// it.
#[test]
fn a_literal_given_twice_is_enough_for_two() {
    let x: Vec<Lit> = (0..8).map(Lit::positive).collect();
    for (negated, relation) in [(false, Relation::AtLeast(2)), (true, Relation::AtMost(7))] {
        for iff in [None, Some(Lit::positive(8))] {
            let mut lits: Vec<Lit> = [&x[..1], &x[..]].concat();
            lits.iter_mut().for_each(|lit| *lit = if negated { !*lit } else { *lit });
            let trial = FrontDoorTrial {
                vars: 9,
                units: vec![],
                cond: vec![],
                nested: false,
                keep_order: false,
                iff,
                lits,
                relation,
            };
            for enc in [CardEncoding::Auto, CardEncoding::GeneralizedProduct] {
                trial.check(&enc.to_string(), &TrialBound(enc));
            }
        }
    }
}
