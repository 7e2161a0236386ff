//! The encoders behind rustsat's traits: random sequences of inputs, ranges of bounds, and bounds enforced.

use std::ops::Range;

use rustsat::encodings::card::{
    BoundBoth, BoundBothIncremental, BoundLower, BoundLowerIncremental, BoundUpper, BoundUpperIncremental,
};
use rustsat::encodings::{EnforceError, am1, pb};
use rustsat::instances::{BasicVarManager, Cnf, ManageVars};
use rustsat::types::{Lit, Var};

use super::{Am1, Counted, Selected, Summed};
use crate::random::Random;
use crate::testing::Lanes;
use crate::testing::trials::{Until, count_true, places, run};
use crate::{AmoEncoding, AtMostOne, CardEncoding, IncTotalizer, Network, Relation, SequentialCounter, Totalizer};

/// The constraints stated so far, on either side.
struct Sides {
    clauses: Cnf,
    vars: BasicVarManager,
    inputs: usize,
    given: Vec<Lit>,
    steps: Vec<String>,
}

impl Sides {
    fn new(random: &mut Random) -> Self {
        let inputs = 1 + random.below(6);
        let vars = BasicVarManager::from_next_free(Var::new(inputs as u32));
        Self { clauses: Cnf::new(), vars, inputs, given: Vec::new(), steps: Vec::new() }
    }

    fn more(&mut self, random: &mut Random, most: usize) -> Vec<Lit> {
        let mut more = places(random, self.inputs);
        more.truncate(most);
        self.given.extend_from_slice(&more);
        self.steps.push(format!("extend {more:?}"));
        more
    }

    fn range(&mut self, random: &mut Random, what: &str) -> Range<usize> {
        let start = random.below(self.given.len() + 2);
        let range = start..start + 1 + random.below(3);
        self.steps.push(format!("{what} {range:?}"));
        range
    }

    fn lanes(&self) -> Lanes {
        Lanes::new(self.vars.n_used() as usize, self.clauses.iter().map(AsRef::as_ref))
    }

    /// The clauses with these assumptions, or none at all, allow what the relation says.
    fn check(&self, lanes: &mut Lanes, relation: Option<Relation>, assumptions: &[Lit]) -> u64 {
        let clauses = lanes.len();
        assumptions.iter().for_each(|&lit| lanes.add(&[lit]));
        lanes.each_assignment(self.inputs, |assignment, allowed| {
            let expected = relation.is_none_or(|relation| relation.allows(count_true(assignment, &self.given)));
            assert_eq!(allowed, expected, "{relation:?} after {:?}: wrong on {assignment:b}", self.steps);
        });
        lanes.truncate(clauses);
        1 << self.inputs
    }

    /// Every bound that can be enforced.
    fn check_all<E: BoundBoth>(&self, enc: &E) -> u64 {
        let mut lanes = self.lanes();
        let mut seen = self.check(&mut lanes, None, &[]);
        assert_eq!(enc.n_lits(), self.given.len());
        for b in 0..=self.given.len() + 1 {
            if let Ok(assumptions) = enc.enforce_ub(b) {
                seen += self.check(&mut lanes, Some(Relation::AtMost(b)), &assumptions);
            }
            match enc.enforce_lb(b) {
                Ok(assumptions) => seen += self.check(&mut lanes, Some(Relation::AtLeast(b)), &assumptions),
                Err(EnforceError::Unsat) => assert!(b > self.given.len(), "{:?}", self.steps),
                Err(EnforceError::NotEncoded) => {}
            }
        }
        seen
    }
}

/// A bound that was asked for can be enforced.
fn is_encoded<E: BoundBoth>(enc: &E, range: Range<usize>, upper: bool, lower: bool) -> bool {
    range.into_iter().all(|b| {
        (!upper || enc.enforce_ub(b).is_ok()) && (!lower || enc.enforce_lb(b) != Err(EnforceError::NotEncoded))
    })
}

fn selected(random: &mut Random) -> u64 {
    let mut sides = Sides::new(random);
    let encodings = CardEncoding::ALL.iter().filter(|&&enc| enc != CardEncoding::Combinatorial);
    let enc = *encodings.clone().nth(random.below(encodings.count())).expect("one of them");
    let mut selected = Selected::new(enc, []);
    sides.steps.push(enc.to_string());
    let mut seen = 0;
    for _ in 0..=random.below(5) {
        let (clauses, upper, lower);
        match random.below(4) {
            0 => {
                selected.extend(sides.more(random, 16 - sides.given.len().min(16)));
                continue;
            }
            side => {
                (upper, lower) = (side != 2, side != 1);
                clauses = sides.range(random, ["", "upper", "lower", "both"][side]);
            }
        }
        let (to, vars) = (&mut sides.clauses, &mut sides.vars);
        match (upper, lower) {
            (true, false) => selected.encode_ub(clauses.clone(), to, vars),
            (false, _) => selected.encode_lb(clauses.clone(), to, vars),
            (true, true) => selected.encode_both(clauses.clone(), to, vars),
        }
        .unwrap();
        assert!(is_encoded(&selected, clauses, upper, lower), "{:?}", sides.steps);
        seen += sides.check_all(&selected);
    }
    seen
}

fn counted<E>(random: &mut Random, mut enc: E) -> u64
where
    E: BoundBothIncremental + BoundUpperIncremental + BoundLowerIncremental + Extend<Lit>,
{
    let mut sides = Sides::new(random);
    let mut seen = 0;
    for _ in 0..=random.below(6) {
        let what = random.below(8);
        if what < 2 {
            enc.extend(sides.more(random, 10 - sides.given.len().min(10)));
            continue;
        }
        let names = ["upper", "lower", "both", "change upper", "change lower", "change both"];
        let range = sides.range(random, names[what - 2]);
        let (to, vars, bounds) = (&mut sides.clauses, &mut sides.vars, range.clone());
        match what - 2 {
            0 => enc.encode_ub(bounds, to, vars),
            1 => enc.encode_lb(bounds, to, vars),
            2 => enc.encode_both(bounds, to, vars),
            3 => enc.encode_ub_change(bounds, to, vars),
            4 => enc.encode_lb_change(bounds, to, vars),
            _ => enc.encode_both_change(bounds, to, vars),
        }
        .unwrap();
        let side = (what - 2) % 3;
        assert!(is_encoded(&enc, range, side != 1, side != 0), "{:?}", sides.steps);
        seen += sides.check_all(&enc);
    }
    seen
}

/// Weights are repeats: each literal is given as often as it weighs.
fn summed<E>(random: &mut Random, mut enc: E) -> u64
where
    E: pb::BoundBothIncremental + Extend<(Lit, usize)>,
{
    let mut sides = Sides::new(random);
    let mut seen = 0;
    if random.below(4) == 0 {
        enc.reserve(&mut sides.vars);
    }
    for _ in 0..=random.below(6) {
        let what = random.below(8);
        if what < 2 {
            for lit in sides.more(random, 4) {
                let weight = random.below(5);
                sides.given.extend(std::iter::repeat_n(lit, weight));
                sides.steps.push(format!("of weight {}", weight + 1));
                enc.extend([(lit, weight + 1)]);
            }
            continue;
        }
        let names = ["upper", "lower", "both", "change upper", "change lower", "change both"];
        let range = sides.range(random, names[what - 2]);
        let (to, vars, bounds) = (&mut sides.clauses, &mut sides.vars, range.clone());
        match what - 2 {
            0 => enc.encode_ub(bounds, to, vars),
            1 => enc.encode_lb(bounds, to, vars),
            2 => enc.encode_both(bounds, to, vars),
            3 => enc.encode_ub_change(bounds, to, vars),
            4 => enc.encode_lb_change(bounds, to, vars),
            _ => enc.encode_both_change(bounds, to, vars),
        }
        .unwrap();
        let total = sides.given.len();
        assert_eq!(enc.weight_sum(), total, "{:?}", sides.steps);
        let mut lanes = sides.lanes();
        seen += sides.check(&mut lanes, None, &[]);
        for b in 0..=total + 1 {
            let asked = range.contains(&b);
            match enc.enforce_ub(b) {
                Ok(assumptions) => seen += sides.check(&mut lanes, Some(Relation::AtMost(b)), &assumptions),
                Err(_) => assert!(!(asked && (what - 2) % 3 != 1), "{:?}: {b}", sides.steps),
            }
            match enc.enforce_lb(b) {
                Ok(assumptions) => seen += sides.check(&mut lanes, Some(Relation::AtLeast(b)), &assumptions),
                Err(EnforceError::Unsat) => assert!(b > total, "{:?}", sides.steps),
                Err(EnforceError::NotEncoded) => {
                    assert!(!asked || (what - 2).is_multiple_of(3), "{:?}: {b}", sides.steps);
                }
            }
        }
    }
    seen
}

fn at_most_one<E: AtMostOne + Copy>(random: &mut Random, enc: E) -> u64 {
    let mut sides = Sides::new(random);
    let mut one = Am1::new(enc, []);
    let mut seen = 0;
    for _ in 0..=random.below(3) {
        one.extend(sides.more(random, 8));
        sides.clauses = Cnf::new();
        am1::Encode::encode(&mut one, &mut sides.clauses, &mut sides.vars).unwrap();
        seen += sides.check(&mut sides.lanes(), Some(Relation::AtMost(1)), &[]);
    }
    seen
}

fn trial(random: &mut Random) -> u64 {
    match random.below(12) {
        10 | 11 => summed(random, Summed::default()),
        0 => counted(random, Counted::<IncTotalizer>::default()),
        1 => counted(random, Counted::<Totalizer>::default()),
        2 => counted(random, Counted::<SequentialCounter>::default()),
        3 => counted(random, Counted::<Network>::default()),
        4 => {
            let enc = AmoEncoding::ALL[random.below(AmoEncoding::ALL.len())];
            at_most_one(random, enc)
        }
        _ => selected(random),
    }
}

#[test]
fn rustsats_traits_say_what_they_should() {
    run("rustsat's traits", &Until::Assignments(2_000_000), &mut trial);
}

#[test]
#[ignore = "runs until its time is up"]
fn rustsats_traits_for_long() {
    run("rustsat's traits", &Until::TimeIsUp, &mut trial);
}
