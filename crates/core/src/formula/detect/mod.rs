//! [`Formula::detect`]: the at-most-ones and exactly-ones that hide in clauses, found and kept as constraints.
//!
//! # What is found, and why it is right
//!
//! An at-most-one says of every two of its literals that they *conflict*: not both are true. Written in clauses, a
//! conflict is a clause of two literals, or it follows through auxiliaries. Auxiliaries of all usual encodings
//! (product, ladder, commander, bitwise, bimander, nested, and whatever is made of them) have clauses of two literals
//! only, but for clauses that define them in the other direction, which are *blocked* on them ([`auxiliaries`]) and
//! say nothing about anything else. So no encoding is recognised by its pattern here. Instead:
//!
//! 1. Variables that may vanish are those in clauses of two literals, with either sign, and in blocked clauses, and
//!    nowhere else: in no kept constraint, not in the objective, and without a name. Those that share a clause are a
//!    *cluster*.
//! 2. Say that l and m conflict through a cluster if l implies that m is false by a chain of its clauses of two.
//!    *Theorem*: if no literal implies its own negation that way, and the auxiliaries have values that satisfy the
//!    clauses among themselves, then values of all other variables can be completed on the cluster if and only if no
//!    two true literals conflict through it. For then the auxiliary literals that true literals imply do not
//!    contradict each other, and clauses without any of them are satisfied by the values that satisfy all.
//! 3. [`cliques`] are searched among all conflicts, said or implied. Each is an at-most-one that the formula implies.
//! 4. A cluster vanishes if the cliques say everything that it says, but for a few pairs that are written out
//!    ([`settle`]). Cliques that rely on a cluster which does not vanish are given up.
//! 5. What vanishes nowhere is released, and the search for cliques goes on among all variables that are left.
//!
//! So the new formula has the models of the old one, but for the variables that vanished, whatever the clauses were
//! meant to be, and [`complete`] finds their values. If the search ends early, less is found, and nothing is wrong.
//!
//! Sources: Biere, Le Berre, Lonca, Manthey, *Detecting Cardinality Constraints in CNF*, SAT 2014, who find
//! at-most-ones syntactically by cliques, nested and product encodings, and semantically by propagation; Fourdrinoy,
//! Grégoire, Mazure, Saïs, *Eliminating Redundant Clauses in SAT Instances*, CPAIOR 2007, for pairs that propagation
//! implies.

mod auxiliaries;
mod cliques;
mod complete;
mod conflicts;
mod repair;
mod settle;

use rustc_hash::FxHashMap;
use rustsat::types::{Assignment, Lit, Var};

use self::auxiliaries::{Auxiliaries, NONE};
use self::cliques::{Cliques, Search};
use self::complete::Completion;
use self::conflicts::{Conflicts, distinct, not};
use self::settle::Settled;
use super::Formula;
use super::kept::Kept;
use crate::cnf::Cnf;
use crate::offer::{Aim, Offer};
use crate::relation::Relation;
use crate::sink::ClauseSink;

/// So often cliques are searched: the last time without auxiliaries that vanish nowhere.
const ROUNDS: u64 = 6;

/// At-most-ones and exactly-ones that [`Formula::detect`] found among the clauses of a formula.
///
/// [`formula`](Self::formula) is the formula with these as constraints instead of the clauses. It has the same models,
/// but for the auxiliaries that vanished; [`complete`](Self::complete) gives these their values.
#[derive(Clone, Debug)]
pub struct Detected<'a> {
    of: &'a Formula,
    found: Kept,
    /// Positions of clauses, sorted.
    replaced: Vec<u32>,
    added: Vec<[Lit; 2]>,
    completion: Completion,
    work: u64,
    is_complete: bool,
}

impl Formula {
    /// The most that [`detect`](Self::detect) does, in steps of some nanoseconds: literals that are looked at.
    pub const DETECT_WORK: u64 = 1 << 30;

    /// Finds at-most-ones and exactly-ones among the clauses: written out for each pair, or with auxiliaries, as
    /// product, ladder, commander, bitwise and other encodings do.
    ///
    /// Auxiliaries are found where they occur nowhere else: not in other clauses of three and more literals, not in
    /// constraints that are [kept](Self::constraints), not in the objective, and without a name. An at-most-one is an
    /// exactly-one where a clause says that one of its literals is true.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Constrain, Formula, Product, Relation};
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(30);
    /// formula.exactly_one(&x, &Product::default())?; // an encoding by name: written out
    /// let detected = formula.detect();
    /// let found = detected.constraints().next().unwrap();
    /// assert_eq!((found.lits, found.relation), (&x[..], Relation::Exactly(1)));
    /// assert_eq!(detected.auxiliaries().len(), formula.n_vars() - 30);
    /// let formula = detected.formula();
    /// assert_eq!((formula.n_clauses(), formula.constraints().len()), (0, 1));
    /// # Ok::<(), cnfkit::CapacityError>(())
    /// ```
    ///
    /// Whatever is found follows from the clauses, and nothing that they say is lost. Not everything is found: an
    /// at-most-one whose auxiliaries occur elsewhere is not, and of overlapping at-most-ones a larger one may hide
    /// smaller ones. A variable that occurs in two at-most-ones with different signs and nowhere else is an auxiliary
    /// that joins them to one. Time is linear but for the pairs of literals in what is found, and
    /// [bounded](Self::DETECT_WORK).
    #[must_use]
    pub fn detect(&self) -> Detected<'_> {
        self.detect_within(Self::DETECT_WORK)
    }

    /// [`detect`](Self::detect) with another bound on the work. The search ends there with what it has:
    /// [`Detected::is_complete`] says so.
    #[must_use]
    pub fn detect_within(&self, work: u64) -> Detected<'_> {
        let conflicts = Conflicts::new(self.n_vars(), &self.clauses());
        let mut steps = 0;
        let mut auxiliaries = Auxiliaries::new(&conflicts, &self.staying(&conflicts), &mut steps);
        repair::repair(&mut auxiliaries, &mut steps, work / 4);

        // What vanishes nowhere is released. Clusters that had bad luck with others get another chance before that.
        let mut cliques = Cliques::new(conflicts.of.len());
        let mut is_complete = true;
        let mut settled = Settled::default();
        for round in 1..=ROUNDS {
            // Some of the work is kept back to settle what was found.
            let mut search = Search::new(&auxiliaries, steps, work / 2 + work / (2 * ROUNDS) * round);
            search.run(&mut cliques);
            is_complete = !search.is_over();
            let limit = if round == ROUNDS { u64::MAX } else { work };
            settled = Settled::new(&auxiliaries, &mut search, &mut cliques, limit);
            steps = search.work;
            let released = settled.release(&mut auxiliaries, round + 1 == ROUNDS);
            if !released {
                break;
            }
        }
        let mut detected = self.gather(&conflicts, &auxiliaries, &cliques, &settled);
        (detected.work, detected.is_complete) = (steps, is_complete);
        detected
    }

    /// Which variables occur elsewhere than in clauses of two and more literals.
    fn staying(&self, conflicts: &Conflicts) -> Vec<bool> {
        let mut stays = conflicts.decided.clone();
        let constraints = self.constraints().flat_map(|constraint| {
            constraint.cond.iter().chain(constraint.lits).copied().chain(constraint.iff).map(Lit::var)
        });
        let sums = self.pb_constraints().flat_map(|sum| {
            let lits = sum.terms.iter().map(|(lit, _)| lit);
            sum.cond.iter().chain(lits).copied().chain(sum.iff).map(Lit::var)
        });
        let others = self.objective().iter().map(|(lit, _)| lit.var()).chain(self.names().map(|(var, _)| var));
        for number in constraints.chain(sums).chain(others).filter_map(|var| conflicts.numbers.of(var)) {
            stays[number as usize] = true;
        }
        stays
    }

    fn gather(
        &self,
        conflicts: &Conflicts,
        auxiliaries: &Auxiliaries,
        cliques: &Cliques,
        settled: &Settled,
    ) -> Detected<'_> {
        let numbers = &conflicts.numbers;
        let vanishes = |&lit: &u32| {
            let cluster = auxiliaries.cluster_of[lit as usize / 2];
            cluster != NONE && settled.vanishes[cluster as usize]
        };
        let mut by_lits: FxHashMap<Vec<u32>, (u32, Relation)> = FxHashMap::default();
        for (clique, lits) in (0..).zip(cliques.lits.iter()).filter(|&(clique, _)| cliques.is_alive[clique as usize]) {
            let mut lits = lits.to_vec();
            lits.sort_unstable();
            by_lits.insert(lits, (clique, Relation::AtMost(1)));
        }
        let mut replaced = Vec::new();
        let mut completion = Completion::default();
        let mut buffer = Vec::new();
        for (position, clause) in (0_u32..).zip(self.clauses()) {
            let lits = distinct(numbers, clause, &mut buffer);
            let is_replaced = match lits {
                None => clause.iter().any(|&lit| vanishes(&numbers.of_lit(lit))),
                Some(lits) if lits.iter().any(vanishes) => {
                    if let &[a, b] = lits
                        && auxiliaries.conflicts.get(not(a)).binary_search(&not(b)).is_ok()
                    {
                        completion.pairs.push(position);
                    }
                    true
                }
                Some(&[a, b]) => cliques.cover(not(a), not(b)),
                Some(lits) => by_lits.get_mut(lits).is_some_and(|(_, relation)| {
                    *relation = Relation::Exactly(1);
                    true
                }),
            };
            if is_replaced {
                replaced.push(position);
            }
        }
        for (clause, &on) in auxiliaries.blocked.iter().zip(&auxiliaries.on).filter(|(_, on)| vanishes(on)) {
            let others = clause.iter().copied().filter(|&lit| lit != on);
            completion.blocked.push([on].into_iter().chain(others).map(|lit| numbers.lit(lit)).collect());
        }
        for var in (0..numbers.len() as u32).filter(|&var| vanishes(&(2 * var))) {
            let value = settled.values[var as usize].unwrap_or(false);
            completion.values.push(numbers.lit(2 * var + u32::from(!value)));
        }
        let mut found = Kept::default();
        let mut in_order: Vec<(u32, Relation, Vec<u32>)> =
            by_lits.into_iter().map(|(lits, (clique, relation))| (clique, relation, lits)).collect();
        in_order.sort_unstable_by_key(|&(clique, ..)| clique);
        for (_, relation, lits) in in_order {
            let lits: Vec<Lit> = lits.into_iter().map(|lit| numbers.lit(lit)).collect();
            found.push(&Offer::new(&lits, relation, Aim::Solving));
        }
        let added = settled.pairs.iter().map(|&(a, b)| [!numbers.lit(a), !numbers.lit(b)]).collect();
        Detected { of: self, found, replaced, added, completion, work: 0, is_complete: true }
    }
}

impl Detected<'_> {
    /// The constraints that were found, at most one or exactly one, with literals sorted by variable.
    #[must_use]
    pub fn constraints(&self) -> impl ExactSizeIterator<Item = Offer<'_>> {
        self.found.iter()
    }

    /// The positions of the clauses that the constraints replace, in rising order.
    #[must_use]
    pub fn replaced(&self) -> impl ExactSizeIterator<Item = usize> {
        self.replaced.iter().map(|&position| position as usize)
    }

    /// The auxiliaries that vanish, in rising order: no clause and no constraint of the new formula has them.
    #[must_use]
    pub fn auxiliaries(&self) -> impl ExactSizeIterator<Item = Var> {
        self.completion.values.iter().map(|lit| lit.var())
    }

    /// Clauses that say what vanished auxiliaries said and no constraint does: mostly none.
    #[must_use]
    pub fn added(&self) -> impl ExactSizeIterator<Item = &[Lit]> {
        self.added.iter().map(|clause| &clause[..])
    }

    /// False if the search ended where its work was bounded; there may be more then.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The work that was done, as [`Formula::DETECT_WORK`] counts it.
    #[must_use]
    pub const fn work(&self) -> u64 {
        self.work
    }

    /// The formula with the constraints that were found instead of clauses: after those that it had, with
    /// [`Auto`](crate::CardEncoding::Auto). Variables keep their numbers; order, limit, names and objective stay.
    #[must_use]
    pub fn formula(&self) -> Formula {
        let Formula { ref clauses, ref kept, ref pb, order, ref names, ref objective, relaxations, by_mean } = *self.of;
        let clauses = Cnf::with_vars(clauses.n_vars()).with_limit(clauses.limit());
        let (kept, pb, names, objective) = (kept.clone(), pb.clone(), names.clone(), objective.clone());
        let mut formula = Formula { clauses, kept, pb, order, by_mean, names, objective, relaxations };
        let mut replaced = self.replaced.iter().copied().peekable();
        let clauses = (0_u32..).zip(self.of.clauses()).filter(|(position, _)| replaced.next_if_eq(position).is_none());
        // There was room for all of them, and those that are added are fewer than those that go.
        let clauses = clauses.map(|(_, clause)| clause).chain(self.added());
        clauses.for_each(|clause| formula.add_clause(clause).unwrap_or_else(|error| unreachable!("{error}")));
        for constraint in self.constraints() {
            formula.kept.push(&constraint);
        }
        formula
    }

    /// Gives the auxiliaries that vanished values that go with those of all other variables.
    pub(crate) fn complete_values(&self, values: &mut Assignment) {
        self.completion.complete(&self.of.clauses, values);
    }
}
