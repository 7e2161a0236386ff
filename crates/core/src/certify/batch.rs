//! [`Batch`]: the clauses of one constraint, over variables numbered anew: its inputs, then its auxiliaries.

use rustc_hash::FxHashMap;
use rustsat::types::{Lit, Var};

use super::lines::Id;

/// A variable of a batch: inputs come first.
pub(super) type BatchVar = u32;

/// A literal of a batch: twice its variable, plus one if it is negated. An input is positive as its constraint has it.
pub(super) const fn negated(lit: u32) -> u32 {
    lit ^ 1
}

/// The variable of a literal.
pub(super) const fn var(lit: u32) -> BatchVar {
    lit >> 1
}

/// A linear inequality over variables of a batch: the sum is at least `degree` where all of `guards` are false.
#[derive(Clone, Debug)]
pub(super) struct BatchInequality {
    pub(super) coefficients: Vec<(BatchVar, i128)>,
    pub(super) degree: i128,
    pub(super) guards: Vec<u32>,
    pub(super) id: Id,
}

/// The clauses of one constraint.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// The literal of the formula that a variable stands for.
    vars: Vec<Lit>,
    local: FxHashMap<u32, u32>,
    /// The number of inputs, and their weights.
    pub(super) weights: Vec<i128>,
    /// Variables that clauses brought in.
    pub(super) auxiliaries: Vec<BatchVar>,
    pub(super) bounds: Vec<BatchInequality>,
    /// The literals by which a sum that is not exactly a bound is below it, one for each reified *exactly*.
    pub(super) few: Vec<u32>,
    lits: Vec<u32>,
    /// The end of each clause, and true if it only defines.
    ends: Vec<(usize, bool)>,
}

impl Batch {
    /// No clauses yet about a sum of these literals.
    pub(crate) fn new(terms: impl IntoIterator<Item = (Lit, u64)>) -> Self {
        let mut batch = Self::default();
        for (lit, weight) in terms {
            batch.local(lit);
            batch.weights.push(weight.into());
        }
        batch
    }

    /// A line of the proof, or of what it is about: the weights of literals sum up to at least `least`, or one of
    /// `guards` is true.
    pub(crate) fn bound(&mut self, terms: impl IntoIterator<Item = (u64, Lit)>, least: u128, guards: &[Lit], id: Id) {
        let mut degree = least as i128;
        let mut coefficients = Vec::new();
        for (weight, lit) in terms {
            let (lit, weight) = (self.local(lit), i128::from(weight));
            degree -= if lit & 1 == 1 { weight } else { 0 };
            coefficients.push((var(lit), if lit & 1 == 1 { -weight } else { weight }));
        }
        let guards = guards.iter().map(|&lit| self.local(lit)).collect();
        self.bounds.push(BatchInequality { coefficients, degree, guards, id });
    }

    /// A line of the proof: at least so many of these literals are true, or fewer than none.
    pub(crate) fn fact(&mut self, lits: &[Lit], least: i64, id: Id) {
        self.bound(lits.iter().map(|&lit| (1, lit)), 0, &[], id);
        if let Some(bound) = self.bounds.last_mut() {
            bound.degree += i128::from(least);
        }
    }

    /// Says that this guard of some bounds tells on which side of a bound a sum is.
    pub(crate) fn few(&mut self, few: Lit) {
        let few = self.local(few);
        if !self.few.contains(&few) {
            self.few.push(few);
        }
    }

    fn local(&mut self, lit: Lit) -> u32 {
        let vars = &mut self.vars;
        let positive = *self.local.entry(lit.vidx32()).or_insert_with(|| {
            vars.push(lit);
            2 * (vars.len() as u32 - 1)
        });
        positive ^ u32::from(self.vars[var(positive) as usize] != lit)
    }

    /// Takes note of a clause; the number of clauses so far.
    pub(crate) fn clause(&mut self, clause: &[Lit], defines: bool) -> usize {
        for &lit in clause {
            let known = self.vars.len();
            let positive = self.local(lit.var().pos_lit());
            self.lits.push(positive ^ u32::from(lit.is_neg()));
            if self.vars.len() > known {
                self.auxiliaries.push(var(positive));
            }
        }
        self.ends.push((self.lits.len(), defines));
        self.ends.len()
    }

    /// The literal of the formula. Variables beyond those of the batch are numbered from rustsat's last ones down: they
    /// are nowhere but in the proof.
    pub(super) fn global(&self, lit: u32) -> Lit {
        let own = || Lit::positive(Var::MAX_IDX - 1 - (var(lit) - self.vars.len() as u32));
        let positive = self.vars.get(var(lit) as usize).copied().unwrap_or_else(own);
        if lit & 1 == 1 { !positive } else { positive }
    }

    pub(super) fn n_vars(&self) -> usize {
        self.vars.len()
    }

    /// True if these are the clauses.
    pub(crate) fn has<'c>(&self, clauses: impl Iterator<Item = &'c [Lit]>) -> bool {
        let own = self.clauses().map(|(clause, _)| clause.iter().map(|&lit| self.global(lit)).collect::<Vec<Lit>>());
        own.eq(clauses)
    }

    /// Each clause, with true if it only defines.
    pub(super) fn clauses(&self) -> impl Iterator<Item = (&[u32], bool)> {
        let mut start = 0;
        self.ends.iter().map(move |&(end, defines)| {
            let clause = &self.lits[start..end];
            start = end;
            (clause, defines)
        })
    }
}
