//! Constraints drawn at random, kept by a `Formula` and encoded together: counts, sums of weights, conditions, reified
//! constraints, groups, bounds on the same literals, and each order of literals.

use cnfkit::{
    AmoEncoding, CapacityError, CardEncoding, ClauseSink, Constrain, Formula, Lit, Order, PbEncoding, PbRelation,
    Relation, Terms,
};

use super::{Golden, Random};

pub(super) fn formulas(golden: &mut Golden) {
    for (order, name) in [(Order::Formula, "formula"), (Order::Variable, "variable"), (Order::Given, "given")] {
        for kind in ["counts", "alike", "weights", "mixed"] {
            for seed in 1..=12 {
                let mut formula = Formula::new().order(order);
                Draw { random: Random(seed * 77 + kind.len() as u64), vars: formula.new_lits(24) }
                    .fill(&mut formula, kind)
                    .expect("small");
                golden.add(format!("formula/{kind}-{name}/{seed}"), &formula.encode().expect("small"));
            }
        }
    }
    golden.add("formula/events", &events());
    for seed in 1..=6 {
        let mut formula = Formula::new();
        Draw { random: Random(seed + 1000), vars: formula.new_lits(20) }.named(&mut formula).expect("small");
        golden.add(format!("formula/named/{seed}"), &formula.encode().expect("small"));
    }
}

/// Thirty events, each in one of six slots of at most five rooms: every room is full.
fn events() -> cnfkit::Cnf {
    let mut formula = Formula::new();
    let at: Vec<Vec<Lit>> = (0..30).map(|_| formula.new_lits(6)).collect();
    for event in &at {
        formula.exactly_one(event, &AmoEncoding::Auto).expect("small");
    }
    for slot in 0..6 {
        let all: Vec<Lit> = at.iter().map(|event| event[slot]).collect();
        formula.at_most(&all, 5, &CardEncoding::Auto).expect("small");
    }
    formula.encode().expect("small")
}

struct Draw {
    random: Random,
    vars: Vec<Lit>,
}

impl Draw {
    /// This number of literals of distinct variables, in any order.
    fn lits(&mut self, n: usize) -> Vec<Lit> {
        let mut lits = self.vars.clone();
        for i in (1..lits.len()).rev() {
            lits.swap(i, self.random.below(i + 1));
        }
        lits.truncate(n);
        lits.into_iter().map(|lit| if self.random.below(4) == 0 { !lit } else { lit }).collect()
    }

    fn cond(&mut self) -> Vec<Lit> {
        let n = self.random.below(6).saturating_sub(3);
        self.lits(n)
    }

    fn relation(&mut self, n: usize) -> Relation {
        let k = self.random.below(n + 1);
        [Relation::AtMost(k), Relation::AtLeast(k), Relation::Exactly(k)][self.random.below(3)]
    }

    fn fill(&mut self, formula: &mut Formula, kind: &str) -> Result<(), CapacityError> {
        for at in 0..10 {
            let clause = self.lits(2 + at % 2);
            formula.add_clause(&clause)?;
            match kind {
                "counts" => self.count(formula)?,
                "alike" => self.alike(formula)?,
                "weights" => self.sum(formula)?,
                _ => {
                    self.count(formula)?;
                    self.sum(formula)?;
                }
            }
        }
        Ok(())
    }

    fn count(&mut self, formula: &mut Formula) -> Result<(), CapacityError> {
        let n = 2 + self.random.below(12);
        let (lits, cond, relation) = (self.lits(n), self.cond(), self.relation(n));
        let enc = if self.random.below(5) == 0 { CardEncoding::Smallest } else { CardEncoding::Auto };
        let r = self.lits(1)[0];
        match self.random.below(6) {
            0 => formula.when(&cond).iff_at_most(r, &lits, relation.bound(), &enc),
            1 => formula.iff_exactly(r, &lits, relation.bound(), &enc),
            2 => formula.when(&cond).keep_order().cardinality(&lits, relation, &enc),
            3 => formula.when(&cond).cardinality(&lits, relation, &enc),
            4 => formula.exactly_one(&lits, &AmoEncoding::Auto),
            _ => formula.cardinality(&lits, relation, &enc),
        }
    }

    /// Several bounds on the same literals, or on their negations.
    fn alike(&mut self, formula: &mut Formula) -> Result<(), CapacityError> {
        let n = 4 + self.random.below(8);
        let lits = self.lits(n);
        let negated: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        let cond = self.cond();
        for _ in 0..2 {
            let relation = self.relation(n);
            formula.when(&cond).cardinality(&lits, relation, &CardEncoding::Auto)?;
            let relation = self.relation(n);
            formula.cardinality(&negated, relation, &CardEncoding::Auto)?;
        }
        Ok(())
    }

    fn sum(&mut self, formula: &mut Formula) -> Result<(), CapacityError> {
        let n = 3 + self.random.below(9);
        let lits = self.lits(n);
        let heaviest = [3, 12, 1000][self.random.below(3)];
        let terms: Vec<(Lit, u64)> = lits.iter().map(|&lit| (lit, 1 + self.random.below(heaviest) as u64)).collect();
        let total: u64 = terms.iter().map(|&(_, weight)| weight).sum();
        let bound = self.random.below(total as usize + 1) as u64;
        let relation =
            [PbRelation::AtMost(bound), PbRelation::AtLeast(bound), PbRelation::Exactly(bound)][self.random.below(3)];
        let enc = if self.random.below(6) == 0 { PbEncoding::Smallest } else { PbEncoding::Auto };
        let (cond, r) = (self.cond(), self.lits(1)[0]);
        match self.random.below(7) {
            0 => formula.when(&cond).pb_iff_at_most(r, &terms, bound, &enc),
            1 => formula.pb_iff_exactly(r, &terms, bound, &enc),
            2 => {
                for group in lits.chunks(3) {
                    formula.at_most_one(group, &AmoEncoding::Auto)?;
                }
                let ends: Vec<usize> = (1..=n).filter(|end| end % 3 == 0 || *end == n).collect();
                formula.pb_grouped(&Terms::grouped(&terms, &ends), relation, &enc)
            }
            3 => {
                formula.at_most_one(&lits[..n / 2], &AmoEncoding::Auto)?;
                formula.pb(&terms, relation, &enc)
            }
            4 => {
                let negated: Vec<(Lit, u64)> = terms.iter().map(|&(lit, weight)| (!lit, weight)).collect();
                formula.pb_at_least(&negated, bound / 2, &enc)?;
                formula.pb_at_most(&terms, total - bound / 3, &enc)
            }
            5 => formula.when(&cond).pb(&terms, relation, &enc),
            _ => formula.keep_order().pb(&terms, relation, &enc),
        }
    }

    /// Constraints whose encoding is named.
    fn named(&mut self, formula: &mut Formula) -> Result<(), CapacityError> {
        for at in 0..8 {
            let n = 4 + self.random.below(9);
            let (lits, relation, cond) = (self.lits(n), self.relation(n), self.cond());
            let card = CardEncoding::ALL[self.random.below(CardEncoding::ALL.len())];
            let one = AmoEncoding::ALL[self.random.below(AmoEncoding::ALL.len())];
            let sum = PbEncoding::ALL[self.random.below(PbEncoding::ALL.len())];
            match at % 4 {
                0 => formula.when(&cond).cardinality(&lits, relation, &card)?,
                1 => formula.exactly_one(&lits, &one)?,
                2 => {
                    let terms: Vec<(Lit, u64)> =
                        lits.iter().map(|&lit| (lit, 1 + self.random.below(9) as u64)).collect();
                    formula.pb_at_most(&terms, 2 * n as u64, &sum)?;
                }
                _ => formula.iff_at_least(!self.vars[at], &lits, relation.bound(), &card)?,
            }
        }
        Ok(())
    }
}
