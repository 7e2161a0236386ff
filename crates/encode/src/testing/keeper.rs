//! A sink that keeps constraints as they are, and one that is asked and declines.

use std::convert::Infallible;

use rustsat::types::{Lit, Var};

use super::Recorder;
use crate::{ClauseSink, Combinatorial, Constrain, Constraint, Goal, Relation, Size};

/// A count that was offered and taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeptCount {
    pub(crate) cond: Vec<Lit>,
    pub(crate) iff: Option<Lit>,
    pub(crate) lits: Vec<Lit>,
    pub(crate) relation: Relation,
    pub(crate) in_order: bool,
    pub(crate) goal: Goal,
}

impl KeptCount {
    /// The constraint as clauses, without auxiliaries where it is not reified.
    fn write(&self, sink: &mut Recorder) {
        let Self { cond, lits, relation, .. } = self;
        let Ok(()) = match (self.iff, *relation) {
            (None, relation) => sink.when(cond).cardinality(lits, relation, &Combinatorial),
            (Some(r), relation) => sink.when(cond).post(&Constraint::count(lits, relation).iff(r), &Combinatorial),
        };
    }
}

/// Takes the constraints that it is told to take, and checks what every offer promises.
#[derive(Debug)]
pub(crate) struct Keeper {
    pub(crate) written: Recorder,
    pub(crate) kept: Vec<KeptCount>,
    /// The number of offers it was asked about.
    pub(crate) offers: usize,
    wants: fn(&Constraint<'_>) -> bool,
    /// Units that a caller of [`ClauseSink::fixed`] is told.
    pub(crate) units: Vec<Lit>,
}

impl Keeper {
    pub(crate) fn new(inputs: usize, wants: fn(&Constraint<'_>) -> bool) -> Self {
        Self { written: Recorder::new(inputs), kept: Vec::new(), offers: 0, wants, units: Vec::new() }
    }

    /// Everything as clauses.
    pub(crate) fn all_written(&self) -> Recorder {
        let mut all = self.written.clone();
        self.units.iter().for_each(|&unit| all.add_clause(&[unit]).unwrap());
        self.kept.iter().for_each(|kept| kept.write(&mut all));
        all
    }

    fn check(&self, offer: &Constraint<'_>) {
        let &Constraint { cond, iff, in_order, .. } = offer;
        let (lits, relation) = offer.counted().expect("a count");
        let n = lits.len();
        let nontrivial = match relation {
            Relation::AtMost(k) => 1 <= k && k + 2 <= n,
            Relation::AtLeast(k) => 2 <= k && k < n,
            Relation::Exactly(k) => 1 <= k && k < n,
        };
        assert!(n >= 3 && nontrivial, "{offer:?} is trivial");
        let mut vars: Vec<Var> = lits.iter().map(|lit| lit.var()).collect();
        assert!(in_order || vars.is_sorted(), "{offer:?} is not sorted");
        vars.extend(iff.iter().map(|r| r.var()));
        let others = vars.len();
        assert!(vars.iter().all(|var| cond.iter().all(|lit| lit.var() != *var)), "{offer:?} overlaps its condition");
        vars.sort_unstable();
        vars.dedup();
        assert_eq!(vars.len(), others, "{offer:?} repeats a variable");
        assert!(lits.iter().chain(&iff).all(|&lit| self.fixed(lit).is_none()), "{offer:?} has constants");
        assert!(cond.iter().all(|&lit| self.fixed(lit) != Some(true)), "{offer:?} has a condition that is known");
        let mut conditions = cond.to_vec();
        conditions.sort_unstable();
        let contradict = conditions.windows(2).any(|pair| pair[0] == !pair[1]);
        let repeat = conditions.windows(2).any(|pair| pair[0] == pair[1]);
        assert!(contradict || !repeat, "{offer:?} repeats a condition");
    }
}

impl ClauseSink for Keeper {
    type Error = Infallible;

    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), Infallible> {
        self.written.add_clause(clause)
    }

    fn define(&mut self, clause: &[Lit]) -> Result<(), Infallible> {
        self.written.define(clause)
    }

    fn new_lit(&mut self) -> Lit {
        self.written.new_lit()
    }

    fn next_var(&self) -> Var {
        self.written.next_var()
    }

    fn reserve(&mut self, size: &Size) -> Result<(), Infallible> {
        self.written.reserve(size)
    }

    fn offer(&mut self, offer: &Constraint<'_>) -> Result<bool, Infallible> {
        if offer.counted().is_none() || offer.encoding.goal().is_none() {
            return Ok(false);
        }
        self.check(offer);
        self.offers += 1;
        let taken = (self.wants)(offer);
        if taken {
            let &Constraint { cond, iff, in_order, encoding, .. } = offer;
            let (lits, relation) = offer.counted().expect("a count");
            let goal = encoding.goal().expect("the choice is left open");
            self.kept.push(KeptCount { cond: cond.to_vec(), iff, lits: lits.to_vec(), relation, in_order, goal });
        }
        Ok(taken)
    }

    fn fixed(&self, lit: Lit) -> Option<bool> {
        self.units.iter().find(|unit| unit.var() == lit.var()).map(|unit| *unit == lit)
    }

    fn fixes_any(&self) -> bool {
        !self.units.is_empty()
    }
}
