//! At most one and exactly one of literals that come in random steps, on literals that repeat and cancel out, under
//! conditions, with known values, and refused now and then: after every step, all assignments, and unit propagation on
//! every partial one.

use std::fmt::Debug;

use rustsat::types::{Lit, Var};

use super::front_door::Knowing;
use crate::random::Random;
use crate::testing::trials::{Until, any_lit, count_true, is_true, places, run};
use crate::testing::{Engine, Lanes, Recorder, check_clauses};
use crate::{ClauseSink, Constrain, IncAtMostOne, IncExactlyOne, Size};

/// A growing constraint, with everything that goes with it.
struct GrowingTrial {
    vars: usize,
    cond: Vec<Lit>,
    sink: Knowing,
    lits: Vec<Lit>,
    /// The steps that were done, for messages.
    steps: Vec<String>,
}

/// A sink that refuses everything.
struct FullSink<'a>(&'a Knowing);

impl ClauseSink for FullSink<'_> {
    type Error = Size;

    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), Size> {
        panic!("{clause:?} after a refusal")
    }

    fn new_lit(&mut self) -> Lit {
        panic!("a variable after a refusal")
    }

    fn next_var(&self) -> Var {
        self.0.next_var()
    }

    fn reserve(&mut self, size: &Size) -> Result<(), Size> {
        Err(*size)
    }

    fn fixed(&self, lit: Lit) -> Option<bool> {
        self.0.fixed(lit)
    }

    fn fixes_any(&self) -> bool {
        true
    }
}

impl GrowingTrial {
    fn random(random: &mut Random) -> Self {
        let vars = 1 + random.below(6);
        let cond = if random.below(3) == 0 { vec![any_lit(random, vars)] } else { Vec::new() };
        let units = if random.below(4) == 0 { vec![any_lit(random, vars)] } else { Vec::new() };
        let sink = Knowing { recorder: Recorder::new(vars), units };
        Self { vars, cond, sink, lits: Vec::new(), steps: Vec::new() }
    }

    /// A few literals: mostly new ones.
    fn more(&self, random: &mut Random) -> Vec<Lit> {
        let mut lits = if random.below(2) > 0 {
            places(random, self.vars)
        } else {
            let open = (0..self.vars as u32).filter(|&var| self.lits.iter().all(|lit| lit.vidx32() != var));
            let mut lits: Vec<Lit> = open.map(|var| Lit::new(var, random.below(2) == 0)).collect();
            random.shuffle(&mut lits);
            lits
        };
        lits.truncate(random.below(4));
        lits
    }

    /// A step: refused first, now and then, and announced exactly.
    fn step<T: Clone + Debug + PartialEq>(
        &mut self,
        what: String,
        value: &mut T,
        refuse: bool,
        say: &mut dyn GrowingStep<T>,
    ) {
        self.steps.push(what);
        if refuse {
            let before = value.clone();
            match say.refused(value, &mut FullSink(&self.sink), &self.cond) {
                Err(_) => assert_eq!(*value, before, "{:?}: a refusal has changed something", self.steps),
                // Nothing was to be said.
                Ok(()) => *value = before,
            }
        }
        self.sink.recorder.announced = Size::ZERO;
        let before = self.sink.recorder.size(self.vars);
        say.say(value, &mut self.sink, &self.cond);
        let (announced, after) = (self.sink.recorder.announced, self.sink.recorder.size(self.vars));
        let expected = Size {
            vars: before.vars + announced.vars,
            clauses: before.clauses + announced.clauses,
            lits: before.lits + announced.lits,
        };
        assert!(after.fits(&expected), "{:?}: announced {announced}", self.steps);
        assert!(!self.cond.is_empty() || after == expected, "{:?}: announced {announced}", self.steps);
    }

    /// Compares with the definition: all assignments, then what unit propagation derives from partial ones once the
    /// condition holds. `extra` are assumed.
    fn check(&self, extra: &[Lit], allows: impl Fn(usize) -> bool) -> u64 {
        let recorder = &self.sink.recorder;
        let mut lanes = Lanes::new(recorder.next_var().idx(), recorder.clauses.iter().map(Vec::as_slice));
        self.sink.units.iter().chain(extra).for_each(|&unit| lanes.add(&[unit]));
        let all = |assignment: u32, lits: &[Lit]| lits.iter().all(|&lit| is_true(assignment, lit));
        let mut models = Vec::new();
        lanes.each_assignment(self.vars, |assignment, allowed| {
            let holds = allows(count_true(assignment, &self.lits)) || !all(assignment, &self.cond);
            let expected = all(assignment, &self.sink.units) && holds;
            assert_eq!(allowed, expected, "{:?}, {:?}: wrong on {assignment:b}", self.steps, self.cond);
            if allowed && all(assignment, &self.cond) {
                models.push(assignment);
            }
        });
        let mut engine = Engine::new(recorder);
        let given: Vec<Lit> = self.sink.units.iter().chain(&self.cond).chain(extra).copied().collect();
        let consistent = !engine.broken && given.iter().all(|&lit| engine.assume(lit));
        self.complete(&mut engine, consistent, 0, &models);
        1 << self.vars
    }

    /// Every partial assignment of the variables from `var` on: `models` are those that are left.
    fn complete(&self, engine: &mut Engine, consistent: bool, var: usize, models: &[u32]) {
        let what = (&self.steps, &self.cond, &self.sink.units);
        assert_eq!(consistent, !models.is_empty(), "{what:?}: a contradiction is not seen, or seen wrongly");
        if !consistent {
            return;
        }
        if var == self.vars {
            for lit in (0..self.vars as u32).map(Lit::positive) {
                let implied = [true, false].into_iter().find(|&value| models.iter().all(|&m| is_true(m, lit) == value));
                assert_eq!(engine.value(lit), implied, "{what:?}: {lit}");
            }
            return;
        }
        self.complete(engine, true, var + 1, models);
        for lit in [Lit::positive(var as u32), Lit::negative(var as u32)] {
            let mark = engine.mark();
            let left: Vec<u32> = models.iter().copied().filter(|&model| is_true(model, lit)).collect();
            let consistent = engine.assume(lit);
            self.complete(engine, consistent, var + 1, &left);
            engine.undo(mark);
        }
    }
}

/// A step on either sink.
trait GrowingStep<T> {
    fn say(&mut self, value: &mut T, sink: &mut Knowing, cond: &[Lit]);

    fn refused(&mut self, value: &mut T, sink: &mut FullSink<'_>, cond: &[Lit]) -> Result<(), Size>;
}

/// Literals, or the end.
enum Act {
    Extend(Vec<Lit>),
    Close,
}

impl Act {
    fn at_most<S: ClauseSink>(&self, one: &mut IncAtMostOne, sink: &mut S, cond: &[Lit]) -> Result<(), S::Error> {
        match self {
            Self::Extend(lits) if cond.is_empty() => one.extend(sink, lits),
            Self::Extend(lits) => one.extend(&mut sink.when(cond), lits),
            Self::Close => Ok(()),
        }
    }

    fn exactly<S: ClauseSink>(&self, one: &mut IncExactlyOne, sink: &mut S, cond: &[Lit]) -> Result<(), S::Error> {
        match self {
            Self::Extend(lits) if cond.is_empty() => one.extend(sink, lits),
            Self::Extend(lits) => one.extend(&mut sink.when(cond), lits),
            Self::Close if cond.is_empty() => one.close(sink),
            Self::Close => one.close(&mut sink.when(cond)),
        }
    }
}

impl GrowingStep<IncAtMostOne> for Act {
    fn say(&mut self, value: &mut IncAtMostOne, sink: &mut Knowing, cond: &[Lit]) {
        self.at_most(value, sink, cond).unwrap();
    }

    fn refused(&mut self, value: &mut IncAtMostOne, sink: &mut FullSink<'_>, cond: &[Lit]) -> Result<(), Size> {
        self.at_most(value, sink, cond)
    }
}

impl GrowingStep<IncExactlyOne> for Act {
    fn say(&mut self, value: &mut IncExactlyOne, sink: &mut Knowing, cond: &[Lit]) {
        self.exactly(value, sink, cond).unwrap();
    }

    fn refused(&mut self, value: &mut IncExactlyOne, sink: &mut FullSink<'_>, cond: &[Lit]) -> Result<(), Size> {
        self.exactly(value, sink, cond)
    }
}

fn at_most(random: &mut Random) -> u64 {
    let mut trial = GrowingTrial::random(random);
    let mut one = IncAtMostOne::new();
    let mut seen = 0;
    for _ in 0..=random.below(5) {
        let lits = trial.more(random);
        trial.lits.extend_from_slice(&lits);
        trial.step(format!("{lits:?}"), &mut one, random.below(4) == 0, &mut Act::Extend(lits));
        assert_eq!(one.n(), trial.lits.len());
        seen += trial.check(&[], |count| count <= 1);
    }
    if trial.cond.is_empty() {
        check_clauses(&trial.sink.recorder, &format!("{:?}", trial.steps));
    }
    seen
}

fn exactly(random: &mut Random) -> u64 {
    let mut trial = GrowingTrial::random(random);
    let mut one = IncExactlyOne::new();
    let mut seen = 0;
    for _ in 0..=random.below(5) {
        let lits = trial.more(random);
        trial.lits.extend_from_slice(&lits);
        trial.step(format!("{lits:?}"), &mut one, random.below(4) == 0, &mut Act::Extend(lits));
        assert_eq!(one.n(), trial.lits.len());
        seen += trial.check(&[], |count| count <= 1);
        let none_later: Vec<Lit> = one.later().map(|later| !later).into_iter().collect();
        // Under a condition that does not hold, a later literal may still be assumed to be false.
        seen += trial.check(&none_later, |count| count == 1);
    }
    trial.step("close".into(), &mut one, random.below(4) == 0, &mut Act::Close);
    assert_eq!(one.later(), None);
    seen += trial.check(&[], |count| count == 1);
    let (closed, lits) = (trial.lits.clone(), trial.more(random));
    trial.lits.extend_from_slice(&lits);
    trial.step(format!("late {lits:?}"), &mut one, random.below(4) == 0, &mut Act::Extend(lits.clone()));
    if !closed.is_empty() || !lits.is_empty() {
        let recorder = &trial.sink.recorder;
        let lanes = Lanes::new(recorder.next_var().idx(), recorder.clauses.iter().map(Vec::as_slice));
        lanes.each_assignment(trial.vars, |assignment, allowed| {
            let all = |lits: &[Lit]| lits.iter().all(|&lit| is_true(assignment, lit));
            if !all(&trial.sink.units) {
                return;
            }
            let exactly = (count_true(assignment, &closed), count_true(assignment, &lits)) == (1, 0);
            assert_eq!(allowed, exactly || !all(&trial.cond), "{:?}, {:?}", trial.steps, trial.cond);
        });
    }
    seen
}

fn trial(random: &mut Random) -> u64 {
    if random.below(2) == 0 { at_most(random) } else { exactly(random) }
}

#[test]
fn one_of_what_comes_in() {
    run("growing", &Until::Assignments(500_000), &mut trial);
}

#[test]
#[ignore = "runs until its time is up"]
fn one_of_what_comes_in_for_long() {
    run("growing", &Until::TimeIsUp, &mut trial);
}
