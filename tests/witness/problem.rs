//! Random constraints as plain data, with their definition.

use cnfkit::{AmoEncoding, AtMostK, AtMostOne, CardEncoding, ClauseSink, Constrain, Encoding, Lit, Relation};
use itertools::Itertools;

/// Xorshift, so that a seed is all there is to a run.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            random.below(2);
        }
        random
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }

    pub(crate) fn shuffle<T>(&mut self, all: &mut [T]) {
        for at in (1..all.len()).rev() {
            all.swap(at, self.below(at + 1));
        }
    }

    fn lit(&mut self, n: usize) -> Lit {
        Lit::new(self.below(n) as u32, self.below(2) == 0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Few inputs, whose models are counted.
    Small,
    /// More inputs, and an objective.
    Large,
}

/// As many of `lits` are true as `relation` says: if all of `cond` are true, and if and only if `iff` is.
#[derive(Clone, Debug)]
pub(crate) struct Constraint {
    pub(crate) cond: Vec<Lit>,
    pub(crate) iff: Option<Lit>,
    pub(crate) lits: Vec<Lit>,
    pub(crate) relation: Relation,
}

#[derive(Clone, Debug)]
pub(crate) struct Problem {
    /// Inputs: the variables below this.
    pub(crate) n: usize,
    pub(crate) clauses: Vec<Vec<Lit>>,
    pub(crate) constraints: Vec<Constraint>,
    /// To be minimised.
    pub(crate) goal: Vec<(Lit, i64)>,
}

impl Constraint {
    fn random(random: &mut Random, n: usize, shape: Shape) -> Self {
        let mut lits: Vec<Lit> = (0..n as u32).map(|var| Lit::new(var, random.below(3) == 0)).collect();
        random.shuffle(&mut lits);
        lits.truncate(match shape {
            Shape::Small => 1 + random.below(n),
            Shape::Large => n / 2 + random.below(n / 2),
        });
        match random.below(6) {
            // Literals given more than once, and beside their negations.
            0 => (0..random.below(4)).for_each(|_| lits.push(random.lit(n))),
            // Weights: a literal counts as often as it is given.
            1 | 2 => lits = lits.iter().flat_map(|&lit| vec![lit; 1 + random.below(5)]).collect(),
            _ => {}
        }
        let k = match random.below(6) {
            0 | 1 => 1,
            2 if shape == Shape::Small => random.below(lits.len() + 2),
            _ => (lits.len() / 3 + random.below(lits.len() / 3 + 1)).max(2),
        };
        let relation = [Relation::AtMost(k), Relation::AtLeast(k), Relation::Exactly(k)][random.below(3)];
        let some = if random.below(3) == 0 { 1 + random.below(2) } else { 0 };
        let cond = (0..some).map(|_| random.lit(n)).collect();
        let iff = (random.below(4) == 0).then(|| random.lit(n));
        Self { cond, iff, lits, relation }
    }

    fn holds(&self, is_true: impl Fn(Lit) -> bool) -> bool {
        let holds = self.relation.allows(self.lits.iter().filter(|&&lit| is_true(lit)).count());
        !self.cond.iter().all(|&lit| is_true(lit)) || self.iff.map_or(holds, |r| is_true(r) == holds)
    }

    /// At most one or exactly one, and not reified: an encoding of at most one can say it.
    pub(crate) fn is_one(&self) -> bool {
        self.iff.is_none() && matches!(self.relation, Relation::AtMost(1) | Relation::Exactly(1))
    }

    /// Through the front door.
    pub(crate) fn post<S, A, C>(&self, sink: &mut S, amo: Option<&A>, card: &C) -> Result<(), S::Error>
    where
        S: ClauseSink + ?Sized,
        A: AtMostOne,
        C: AtMostK,
    {
        if self.cond.is_empty() { self.say(sink, amo, card) } else { self.say(&mut sink.when(&self.cond), amo, card) }
    }

    /// Each literal once, with its weight: how often it was given.
    fn terms(&self) -> Vec<(Lit, u64)> {
        let counts = self.lits.iter().counts();
        counts.into_iter().map(|(&lit, count)| (lit, count as u64)).sorted().collect()
    }

    /// Through the front door, as a sum of weights.
    pub(crate) fn post_sum<S: ClauseSink, E: Encoding>(&self, sink: &mut S, enc: &E) -> Result<(), S::Error> {
        let mut sink = sink.when(&self.cond);
        let (terms, bound) = (self.terms(), self.relation.bound() as u64);
        match (self.iff, self.relation) {
            (None, Relation::AtMost(_)) => sink.pb_at_most(&terms, bound, enc),
            (None, Relation::AtLeast(_)) => sink.pb_at_least(&terms, bound, enc),
            (None, Relation::Exactly(_)) => sink.pb_exactly(&terms, bound, enc),
            (Some(r), Relation::AtMost(_)) => sink.pb_iff_at_most(r, &terms, bound, enc),
            (Some(r), Relation::AtLeast(_)) => sink.pb_iff_at_least(r, &terms, bound, enc),
            (Some(r), Relation::Exactly(_)) => sink.pb_iff_exactly(r, &terms, bound, enc),
        }
    }

    fn say<S, A, C>(&self, sink: &mut S, amo: Option<&A>, card: &C) -> Result<(), S::Error>
    where
        S: ClauseSink + ?Sized,
        A: AtMostOne,
        C: AtMostK,
    {
        match (self.iff, self.relation, amo) {
            (None, Relation::AtMost(1), Some(amo)) => sink.at_most_one(&self.lits, amo),
            (None, Relation::Exactly(1), Some(amo)) => sink.exactly_one(&self.lits, amo),
            (None, relation, _) => sink.cardinality(&self.lits, relation, card),
            (Some(r), Relation::AtMost(k), _) => sink.iff_at_most(r, &self.lits, k, card),
            (Some(r), Relation::AtLeast(k), _) => sink.iff_at_least(r, &self.lits, k, card),
            (Some(r), Relation::Exactly(k), _) => sink.iff_exactly(r, &self.lits, k, card),
        }
    }
}

impl Problem {
    pub(crate) fn random(random: &mut Random, shape: Shape) -> Self {
        let (n, constraints, clauses) = match shape {
            Shape::Small => (2 + random.below(8), 1 + random.below(3), random.below(3)),
            Shape::Large => (12 + random.below(14), 3 + random.below(3), random.below(12)),
        };
        let constraints = (0..constraints).map(|_| Constraint::random(random, n, shape)).collect();
        let clauses =
            (0..clauses).map(|_| (0..1 + random.below(3) + n / 12).map(|_| random.lit(n)).collect()).collect();
        let mut goal: Vec<(Lit, i64)> =
            (0..n as u32).map(|var| (Lit::new(var, random.below(2) == 0), 1 + random.below(9) as i64)).collect();
        goal.truncate(if shape == Shape::Small { 0 } else { 12 });
        Self { n, clauses, constraints, goal }
    }

    /// Weighs the objective anew: alike, a little different, or far from each other, gains among the costs.
    pub(crate) fn weigh(&mut self, random: &mut Random) {
        let most = [1, 5, 100, 1_000_000][random.below(4)];
        let gains = random.below(2) == 0;
        for (_, weight) in &mut self.goal {
            *weight = 1 + random.below(most) as i64;
            if gains && random.below(3) == 0 {
                *weight = -*weight;
            }
        }
    }

    /// The answer of the constraints, by counting.
    pub(crate) fn holds(&self, is_true: impl Fn(Lit) -> bool) -> bool {
        self.clauses.iter().all(|clause| clause.iter().any(|&lit| is_true(lit)))
            && self.constraints.iter().all(|constraint| constraint.holds(&is_true))
    }

    /// Everything, each constraint by `post`.
    pub(crate) fn post_by<S: ClauseSink>(
        &self,
        sink: &mut S,
        mut post: impl FnMut(&mut S, &Constraint) -> Result<(), S::Error>,
    ) -> Result<(), S::Error> {
        self.clauses.iter().try_for_each(|clause| sink.add_clause(clause))?;
        self.constraints.iter().try_for_each(|constraint| post(sink, constraint))
    }

    /// Everything, encodings left to the library; the sink is large enough.
    pub(crate) fn post_by_default<S: ClauseSink>(&self, sink: &mut S) {
        let by_default = |sink: &mut S, constraint: &Constraint| {
            constraint.post(sink, Some(&AmoEncoding::Auto), &CardEncoding::Auto)
        };
        assert!(self.post_by(sink, by_default).is_ok(), "{self:?} is refused");
    }
}
