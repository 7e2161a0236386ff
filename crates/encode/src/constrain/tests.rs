//! Constraints that are offered to a sink, and their encoding where it declines.

use std::convert::Infallible;

use crate::random::Random;
use crate::testing::{Keeper, Recorder, check_models, count_true, inputs};
use crate::{AmoEncoding, AtMostK, CardEncoding, Constrain, PbEncoding, Size, Tally, Totalizer};
use crate::{ClauseSink, Constraint, Encoding, Goal, PbRelation, Relation, Terms};
use rustsat::types::{Lit, Var};

/// Variables that a trial may use, beside auxiliaries.
const VARS: usize = 7;

/// A constraint with everything that may go with it.
#[derive(Debug)]
struct Trial {
    cond: Vec<Lit>,
    iff: Option<Lit>,
    lits: Vec<Lit>,
    relation: Relation,
    nested: bool,
    in_order: bool,
}

impl Trial {
    fn random(random: &mut Random) -> Self {
        let lit = |random: &mut Random| Lit::new(random.below(VARS) as u32, random.below(2) == 0);
        let n = random.below(VARS + 2);
        let mut lits: Vec<Lit> = inputs(VARS).iter().map(|lit| lit.var().lit(random.below(2) == 0)).collect();
        random.shuffle(&mut lits);
        if random.below(3) == 0 {
            lits = (0..n).map(|_| lit(random)).collect();
        }
        lits.truncate(n);
        let k = random.below(lits.len() + 2);
        let relation = [Relation::AtMost(k), Relation::AtLeast(k), Relation::Exactly(k)][random.below(3)];
        Self {
            cond: (0..random.below(4)).map(|_| lit(random)).collect(),
            iff: (random.below(2) == 0).then(|| lit(random)),
            lits,
            relation,
            nested: random.below(2) == 0,
            in_order: random.below(4) == 0,
        }
    }

    fn post<S: ClauseSink<Error = Infallible>>(&self, sink: &mut S, enc: &dyn AtMostK) {
        let Ok(()) = match (self.in_order, self.nested) {
            (false, false) => self.send(&mut sink.when(&self.cond), enc),
            (true, false) => self.send(&mut sink.when(&self.cond).keep_order(), enc),
            (in_order, true) => {
                let (one, other) = self.cond.split_at(self.cond.len() / 2);
                let mut outer = sink.when(one);
                if in_order {
                    self.send(&mut outer.keep_order().when(other), enc)
                } else {
                    self.send(&mut outer.when(other), enc)
                }
            }
        };
    }

    fn send<S: ClauseSink>(&self, sink: &mut S, enc: &dyn AtMostK) -> Result<(), S::Error> {
        match (self.iff, self.relation) {
            (None, relation) => sink.cardinality(&self.lits, relation, enc),
            (Some(r), relation) => sink.post(&Constraint::count(&self.lits, relation).iff(r), enc),
        }
    }

    fn allows(&self, assignment: &[Lit]) -> bool {
        let is_true = |lit: &Lit| assignment[lit.vidx()] == *lit;
        let holds = self.relation.allows(count_true(&self.lits, assignment));
        !self.cond.iter().all(is_true) || self.iff.map_or(holds, |r| is_true(&r) == holds)
    }
}

/// Sinks that take all, all but reified ones as a whole, parts, or nothing, say in sum what was asked of them; and
/// what is offered keeps its promises ([`Keeper`] checks).
#[test]
fn what_is_taken_and_what_is_encoded_say_the_whole_constraint() {
    let wants: [fn(&Constraint<'_>) -> bool; 6] = [
        |_| true,
        |offer| offer.iff.is_none(),
        |offer| offer.iff.is_none() && matches!(offer.counted(), Some((_, Relation::AtMost(_)))),
        |offer| {
            offer.iff.is_none() && matches!(offer.counted(), Some((_, Relation::AtLeast(_) | Relation::Exactly(_))))
        },
        |offer| !offer.in_order && offer.cond.len() < 2,
        |_| false,
    ];
    let mut random = Random::new(1);
    let mut kept = [0; 6];
    for at in 0..3_000 {
        let trial = Trial::random(&mut random);
        let which = at % wants.len();
        let mut keeper = Keeper::new(VARS, wants[which]);
        if random.below(4) == 0 {
            keeper.units.push(Lit::new(random.below(VARS) as u32, random.below(2) == 0));
        }
        trial.post(&mut keeper, &CardEncoding::ALL[random.below(2)]);
        kept[which] += keeper.kept.len();
        let units = keeper.units.clone();
        check_models(&keeper.all_written(), VARS, &format!("{trial:?}, {which}"), |assignment| {
            units.iter().all(|unit| assignment[unit.vidx()] == *unit) && trial.allows(assignment)
        });
    }
    assert!(kept[..5].iter().all(|&kept| kept > 20) && kept[5] == 0, "{kept:?}");
}

/// A sink that declines gets what a sink gets that is not asked; and no encoding that was named is up for choice.
#[test]
fn who_declines_gets_the_same_clauses() {
    let mut random = Random::new(2);
    for _ in 0..2_000 {
        let trial = Trial::random(&mut random);
        let (mut declines, mut plain) = (Keeper::new(VARS, |_| false), Recorder::new(VARS));
        trial.post(&mut declines, &CardEncoding::Auto);
        trial.post(&mut plain, &CardEncoding::Auto);
        assert_eq!(declines.written.clauses, plain.clauses, "{trial:?}");
        let mut never = Keeper::new(VARS, |_| true);
        trial.post(&mut never, &Totalizer::default());
        trial.post(&mut never, &CardEncoding::Totalizer);
        assert_eq!(never.offers, 0, "{trial:?}");
    }
}

#[test]
fn at_most_one_and_exactly_one_are_relations() {
    let lits = inputs(5);
    let mut keeper = Keeper::new(6, |_| true);
    keeper.at_most_one(&lits, &AmoEncoding::Auto).unwrap();
    keeper.exactly_one(&lits[..3], &AmoEncoding::Smallest).unwrap();
    keeper
        .when(&[Lit::negative(5)])
        .keep_order()
        .at_most_one(&[lits[2], lits[0], lits[1]], &AmoEncoding::Auto)
        .unwrap();
    keeper.at_most_one(&lits[..3], &AmoEncoding::Card(CardEncoding::Auto)).unwrap();
    keeper.exactly_one(&lits[..3], &CardEncoding::Smallest).unwrap();
    let found: Vec<_> = keeper.kept.iter().map(|kept| (kept.relation, kept.lits.len(), kept.goal)).collect();
    let (one, exactly) = (Relation::AtMost(1), Relation::Exactly(1));
    let (solving, size) = (Goal::Solving, Goal::Size);
    assert_eq!(
        found,
        [(one, 5, solving), (exactly, 3, size), (one, 3, solving), (one, 3, solving), (exactly, 3, size)]
    );
    let ordered = &keeper.kept[2];
    assert_eq!((&ordered.cond[..], ordered.in_order), (&[Lit::negative(5)][..], true));
    assert_eq!(ordered.lits, [lits[2], lits[0], lits[1]]);
    assert!(keeper.written.clauses.is_empty() && keeper.written.announced == Size::ZERO);

    // A constraint of one or two clauses is not offered, and an encoding that was named is used.
    let offers = keeper.offers;
    keeper.at_most_one(&lits[..2], &AmoEncoding::Auto).unwrap();
    keeper.exactly_one(&lits[..2], &AmoEncoding::Auto).unwrap();
    keeper.exactly_one(&lits[..1], &AmoEncoding::Auto).unwrap();
    keeper.at_most_one(&lits, &AmoEncoding::Pairwise).unwrap();
    assert_eq!(keeper.offers, offers);
    // The literal given twice is false; the rest is taken.
    keeper.at_most_one(&[lits[0], lits[0], lits[1], lits[2], lits[3]], &AmoEncoding::Auto).unwrap();
    assert_eq!(keeper.kept.last().map(|kept| &kept.lits[..]), Some(&lits[1..4]));
    assert_eq!(keeper.written.clauses.last(), Some(&vec![!lits[0]]));
}

/// Lets planning go on as often as `left` says.
struct Impatient {
    left: usize,
    asked: usize,
    tally: Tally,
}

impl ClauseSink for Impatient {
    type Error = ();

    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), ()> {
        let Ok(()) = self.tally.add_clause(clause);
        Ok(())
    }

    fn go_on(&mut self) -> Result<(), ()> {
        self.asked += 1;
        if self.asked > self.left { Err(()) } else { Ok(()) }
    }

    fn new_lit(&mut self) -> Lit {
        self.tally.new_lit()
    }

    fn next_var(&self) -> Var {
        self.tally.next_var()
    }
}

/// The search for the smallest encoding asks the sink again and again, and ends, without a clause, when it is told to.
#[test]
fn the_search_for_the_smallest_ends_with_the_time() {
    let terms: Vec<(Lit, u64)> = (0..12).map(Lit::positive).zip([31, 29, 23, 19, 17, 13, 11, 7, 5, 3, 2, 37]).collect();
    let r = Lit::positive(12);
    for is_iff in [false, true] {
        let post = |left: usize| {
            let mut sink = Impatient { left, asked: 0, tally: Tally::new(13) };
            let posted = if is_iff {
                sink.pb_iff_at_most(r, &terms, 90_u64, PbEncoding::Smallest)
            } else {
                sink.pb_at_most(&terms, 90_u64, PbEncoding::Smallest)
            };
            (posted, sink)
        };
        let (posted, whole) = post(usize::MAX);
        assert!(posted == Ok(()) && whole.asked > 8, "{}", whole.asked);
        for left in [0, 1, 3, whole.asked - 1] {
            let (posted, sink) = post(left);
            assert_eq!((posted, sink.tally.size()), (Err(()), Size::ZERO), "{left} of {}", whole.asked);
        }
    }
}

/// A plan that takes long asks within, whichever encoding it is of, and ends when it may not go on.
#[test]
fn long_plans_end_with_the_time() {
    let weight = |at: u64| 1 + at.wrapping_mul(0x9E37_79B9_7F4A_7C15) % 1_000;
    let terms: Vec<(Lit, u64)> = (0..600).map(|at| (Lit::positive(at), weight(at.into()))).collect();
    let half = terms.iter().map(|&(_, weight)| weight).sum::<u64>() / 2;
    let sum = Constraint::weights(Terms::new(&terms), PbRelation::Exactly(half));
    for enc in [
        PbEncoding::IntervalDiagram,
        PbEncoding::LocalWatchdog,
        PbEncoding::GlobalWatchdog,
        PbEncoding::DynamicPolyWatchdog,
        PbEncoding::MixedRadixSorter,
    ] {
        let asked = |most: usize| {
            let mut asked = 0;
            let plan = enc.plan_while(&sum, &mut || {
                asked += 1;
                asked < most
            });
            (plan.is_some(), asked)
        };
        let (_, all) = asked(usize::MAX);
        assert!(all > 2, "{enc}: {all}");
        // Mixed radix sorters have other bases to try.
        let (is_some, until) = asked(2);
        assert!(!is_some && until < 10, "{enc}: {until} of {all}");
    }
}
