//! Formulas of constraints drawn at random mean what was said, in every order, and are as large as they say.

use super::*;
use crate::random::Random;
use crate::testing::{Recorder, check_models, count_true, inputs};
use crate::{CardEncoding, Constrain, Constraint, PbEncoding, Relation};

/// Variables that clauses and constraints are made of, beside auxiliaries.
const VARS: usize = 7;

/// Anything that may be said to a formula.
#[derive(Clone, Debug)]
struct Said {
    cond: Vec<Lit>,
    iff: Option<Lit>,
    lits: Vec<Lit>,
    /// A clause otherwise.
    relation: Option<Relation>,
    in_order: bool,
    enc: CardEncoding,
}

impl Said {
    fn random(random: &mut Random) -> Self {
        let mut lits: Vec<Lit> = inputs(VARS).iter().map(|lit| lit.var().lit(random.below(2) == 0)).collect();
        random.shuffle(&mut lits);
        lits.truncate(random.below(VARS + 1));
        let k = random.below(lits.len() + 2);
        let relation = [Relation::AtMost(k), Relation::AtLeast(k), Relation::Exactly(k)][random.below(3)];
        let lit = |random: &mut Random| Lit::new(random.below(VARS) as u32, random.below(2) == 0);
        Self {
            cond: (0..random.below(3)).map(|_| lit(random)).collect(),
            iff: (random.below(3) == 0).then(|| lit(random)),
            lits,
            relation: (random.below(3) > 0).then_some(relation),
            in_order: random.below(3) == 0,
            enc: [CardEncoding::Auto, CardEncoding::Smallest, CardEncoding::Sequential][random.below(3)],
        }
    }

    fn say<S: ClauseSink>(&self, sink: &mut S) -> Result<(), S::Error> {
        let Some(relation) = self.relation else { return sink.add_clause(&self.lits) };
        let mut sink = sink.when(&self.cond);
        if self.in_order {
            self.constrain(&mut sink.keep_order(), relation)
        } else {
            self.constrain(&mut sink, relation)
        }
    }

    fn constrain<S: ClauseSink>(&self, sink: &mut S, relation: Relation) -> Result<(), S::Error> {
        match (self.iff, relation) {
            (None, relation) => sink.cardinality(&self.lits, relation, &self.enc),
            (Some(r), relation) => sink.post(&Constraint::count(&self.lits, relation).iff(r), &self.enc),
        }
    }

    fn allows(&self, assignment: &[Lit]) -> bool {
        let is_true = |lit: &Lit| assignment[lit.vidx()] == *lit;
        let Some(relation) = self.relation else { return self.lits.iter().any(is_true) };
        let holds = relation.allows(count_true(&self.lits, assignment));
        !self.cond.iter().all(is_true) || self.iff.map_or(holds, |r| is_true(&r) == holds)
    }
}

/// Whatever is said, in whatever order it is encoded: its models, and its size.
#[test]
fn formulas_mean_what_was_said() {
    let mut random = Random::new(1);
    for at in 0..600 {
        let said: Vec<Said> = (0..=random.below(5)).map(|_| Said::random(&mut random)).collect();
        let order = [Order::Given, Order::Variable, Order::Formula][at % 3];
        let mut formula = Formula::with_vars(VARS).order(order);
        said.iter().for_each(|said| said.say(&mut formula).unwrap());
        let mut written = Recorder::new(VARS);
        formula.encode_into(&mut written).unwrap();
        let what = format!("{order:?} {said:?}");
        let size = Size::variables((formula.n_vars() - VARS) as u64) + formula.size();
        assert_eq!((written.announced, written.size(VARS)), (size, size), "{what}");
        check_models(&written, VARS, &what, |assignment| said.iter().all(|said| said.allows(assignment)));
    }
}

/// Counts over the same variables with other signs are no repetitions, and are not compared one by one: as points and
/// radii of codes.
#[test]
fn signs_tell_counts_apart() {
    let mut formula = Formula::new();
    let x = formula.new_lits(40);
    let signed = |number: u64| -> Vec<Lit> {
        let signs = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 24;
        (0..40).map(|at| if signs >> at & 1 == 1 { x[at] } else { !x[at] }).collect()
    };
    let n = 12_000;
    for number in 0..n {
        let (lits, negated) = (signed(number), signed(number).iter().map(|&lit| !lit).collect::<Vec<Lit>>());
        formula.at_least(&lits, 8, &CardEncoding::Auto).unwrap();
        formula.at_least(&negated, 3, &CardEncoding::Auto).unwrap();
        let weights: Vec<(Lit, u64)> = (1..).zip(&lits[..6]).map(|(weight, &lit)| (lit, weight)).collect();
        formula.pb_at_most(&weights, 17, &PbEncoding::Auto).unwrap();
    }
    let begun = std::time::Instant::now();
    let items = super::go_on::unlimited(|go_on| formula.items(go_on));
    assert!(begun.elapsed() < std::time::Duration::from_secs(5), "{:?}", begun.elapsed());
    let counts = items.all.iter().filter(|item| item.is_count()).count();
    let sums = items.all.len() - counts;
    assert_eq!(counts as u64, n); // each merged with that of its negations
    assert!((2..=64).contains(&sums), "{sums}"); // of six literals there are no more signs
}
