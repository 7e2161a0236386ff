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
//!    nowhere else: in no kept constraint, not in the objective, without a name, and shown by no text. Those that share
//!    a clause are a *cluster*.
//! 2. Say that l and m conflict through a cluster if l implies that m is false by a chain of its clauses of two.
//!    *Theorem*: if no literal implies its own negation that way, and the auxiliaries have values that satisfy the
//!    clauses among themselves, then values of all other variables can be completed on the cluster if and only if no
//!    two true literals conflict through it. For then the auxiliary literals that true literals imply do not
//!    contradict each other, and clauses without any of them are satisfied by the values that satisfy all.
//! 3. [`cliques`] are searched among all conflicts, said or implied. Each is an at-most-one that the formula implies.
//! 4. A cluster vanishes if the cliques say everything that it says, but for a few pairs that are written out
//!    ([`settle`]). Cliques that rely on a cluster which does not vanish are given up.
//! 5. What vanishes nowhere is released, and the search for cliques goes on among all variables that are left.
//! 6. Cliques whose encoding would be larger than the clauses that they replace are given up ([`price`]).
//! 7. Among the clauses that are left, [`parities`] are looked for.
//!
//! So the new formula has the models of the old one, but for the variables that vanished, whatever the clauses were
//! meant to be, and [`complete`] finds their values. If the search ends early, less is found, and nothing is wrong.
//!
//! Sources: Biere, Le Berre, Lonca, Manthey, *Detecting Cardinality Constraints in CNF*, SAT 2014, who find
//! at-most-ones syntactically by cliques, nested and product encodings, and semantically by propagation; Fourdrinoy,
//! Grégoire, Mazure, Saïs, *Eliminating Redundant Clauses in SAT Instances*, CPAIOR 2007, for pairs that propagation
//! implies.

mod auxiliaries;
mod bicliques;
mod cliques;
mod complete;
mod conflicts;
mod parities;
mod price;
mod repair;
mod settle;

use rustsat::types::{Assignment, Lit, Var};

use self::auxiliaries::Auxiliaries;
pub(super) use self::auxiliaries::{find, unite};
use self::cliques::{CliqueSearch, Cliques};
use self::complete::Completion;
use self::conflicts::{Conflicts, distinct, not};
use self::price::{Fate, Fates, Price, Prices};
use self::settle::SettledClusters;
use super::Formula;
use super::keep::KeptConstraints;
use crate::cnf::Cnf;
use crate::constraint::{Constraint, EncodingName};
use crate::sink::ClauseSink;
use crate::size::Size;

/// So often cliques are searched: the last time without auxiliaries that vanish nowhere.
const ROUNDS: u64 = 6;

/// So often cliques that are not worth their clauses are given up before all of those with auxiliaries are.
const TURNS: u32 = 8;

/// At-most-ones, exactly-ones and parities that [`Formula::detect`] found among the clauses of a formula.
///
/// [`formula`](Self::formula) is the formula with these as constraints instead of the clauses. It has the same models,
/// but for the auxiliaries that vanished; [`complete`](Self::complete) gives these their values.
///
/// ```
/// use cnfkit::{ClauseSink, Constrain, Detected, Formula, Pairwise};
/// let mut formula = Formula::new();
/// let x = formula.new_lits(8);
/// for (at, &lit) in x.iter().enumerate() {
///     x[..at].iter().try_for_each(|&other| formula.add_clause(&[!lit, !other]))?;
/// }
/// let detected: Detected<'_> = formula.detect();
/// assert_eq!((detected.constraints().len(), detected.replaced().len()), (1, 28));
/// # Ok::<(), cnfkit::CapacityError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Detected<'a> {
    of: &'a Formula,
    found: KeptConstraints,
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

    /// Finds parities among the clauses, and at-most-ones and exactly-ones: written out for each pair, or with
    /// auxiliaries, as product, ladder, commander, bitwise and other encodings do.
    ///
    /// Auxiliaries are found where they occur nowhere else: not in other clauses of three and more literals, not in
    /// constraints that are [kept](Self::constraints), not in the objective, and without a name. Where a text shows
    /// variables (`c p show`), or the formula is [for counting](Self::for_counting), its [own](Self::lits) stay. An
    /// at-most-one is an exactly-one where a clause says that one of its literals is true. Parities of three to six
    /// literals are found where all of their clauses are there.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Cnf, Constrain, Formula, Product, Relation};
    /// let mut cnf = Cnf::new();
    /// let x = cnf.new_lits(30);
    /// cnf.exactly_one(&x, &Product::default())?;
    /// let formula = Formula::read_dimacs(cnf.to_string().as_bytes())?;
    /// let detected = formula.detect();
    /// let found = detected.constraints().next().unwrap();
    /// assert_eq!(found.counted(), Some((&x[..], Relation::Exactly(1))));
    /// assert_eq!(detected.auxiliaries().len(), formula.n_vars() - 30);
    /// let formula = detected.formula();
    /// assert_eq!((formula.n_clauses(), formula.constraints().len()), (0, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Whatever is found follows from the clauses, and nothing that they say is lost. Not everything is found: an
    /// at-most-one whose auxiliaries occur elsewhere is not, and of overlapping at-most-ones a larger one may hide
    /// smaller ones. Clauses stay as they are where no encoding of what they say has at most as many, and at most as
    /// many variables + clauses: the formula never grows. A variable that occurs in two at-most-ones with different
    /// signs and nowhere else is an auxiliary that joins them to one. Time is linear but for the pairs of literals in
    /// what is found, and [bounded](Self::DETECT_WORK).
    #[must_use]
    pub fn detect(&self) -> Detected<'_> {
        self.detect_within(Self::DETECT_WORK)
    }

    /// [`detect`](Self::detect) with another bound on the work. The search ends there with what it has:
    /// [`Detected::is_complete`] says so.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Cnf, Constrain, Formula, Product};
    /// let mut cnf = Cnf::new();
    /// let x = cnf.new_lits(30);
    /// cnf.at_most_one(&x, Product::default())?;
    /// let formula = Formula::read_dimacs(cnf.to_string().as_bytes())?;
    /// assert!(formula.detect_within(1 << 20).is_complete() && !formula.detect_within(10).is_complete());
    /// assert_eq!(formula.detect().added().len(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn detect_within(&self, work: u64) -> Detected<'_> {
        let conflicts = Conflicts::new(self.n_vars(), &self.clauses());
        let mut steps = 0;
        let mut auxiliaries = Auxiliaries::new(&conflicts, &self.staying(&conflicts), &mut steps);
        repair::repair(&mut auxiliaries, &mut steps, work / 4);

        // What vanishes nowhere is released. Clusters that had bad luck with others get another chance before that.
        let mut cliques = Cliques::new(conflicts.of.len());
        let mut is_complete = true;
        let mut settled = SettledClusters::default();
        for round in 1..=ROUNDS {
            // Some of the work is kept back to settle what was found.
            let mut search = CliqueSearch::new(&auxiliaries, steps, work / 2 + work / (2 * ROUNDS) * round);
            search.run(&mut cliques);
            is_complete = !search.is_over();
            let limit = if round == ROUNDS { u64::MAX } else { work };
            settled = SettledClusters::new(&auxiliaries, &mut search, &mut cliques, limit);
            steps = search.work;
            let released = settled.release(&mut auxiliaries, round + 1 == ROUNDS);
            if !released {
                break;
            }
        }
        // Units are paid for one by one. What other constraints say of the same literals may make an at-most-one exact,
        // and sums of weights depend on all that there is: if the whole grows by that, units have to leave room for
        // it, and if that does not help, nothing is found.
        let mut search = CliqueSearch::new(&auxiliaries, steps, u64::MAX);
        let given = self.size();
        let asked = price::asked(&conflicts, &cliques);
        let (mut room, mut turns) = (false, 0);
        loop {
            let fates = Fates::new(&conflicts, &auxiliaries, &cliques, &settled);
            let prices = Prices::new(&fates, self.clauses(), &asked, room, &mut search.work);
            if prices.given_up.is_empty() {
                let mut detected = self.gather(&fates, &prices);
                (detected.work, detected.is_complete) = (search.work, is_complete);
                let parities = detected.parities();
                if !parities.is_empty() {
                    let more = detected.clone().with_parities(&parities);
                    if more.is_small(&given) {
                        return more;
                    }
                }
                if detected.is_small(&given) {
                    return detected;
                }
                if std::mem::replace(&mut room, true) {
                    cliques.is_alive.fill(false);
                }
            }
            turns += 1;
            let mut given_up = prices.given_up;
            if turns >= TURNS {
                given_up.extend(cliques.alive().filter(|&clique| !cliques.clusters.get(clique).is_empty()));
            }
            given_up.into_iter().for_each(|clique| cliques.is_alive[clique as usize] = false);
            settled = SettledClusters::new(&auxiliaries, &mut search, &mut cliques, u64::MAX);
        }
    }

    /// Which variables occur elsewhere than in clauses of two and more literals.
    fn staying(&self, conflicts: &Conflicts) -> Vec<bool> {
        let mut stays = conflicts.decided.clone();
        for number in self.vars_beside_clauses().filter_map(|var| conflicts.numbers.of(var)) {
            stays[number as usize] = true;
        }
        stays
    }

    /// The result with these cliques, as they are priced.
    fn gather(&self, fates: &Fates<'_>, prices: &Prices) -> Detected<'_> {
        let Fates { conflicts, auxiliaries, cliques, settled, .. } = *fates;
        let numbers = &conflicts.numbers;
        let mut replaced = Vec::new();
        let mut completion = Completion::default();
        let mut buffer = Vec::new();
        for (position, clause) in (0_u32..).zip(self.clauses()) {
            let is_replaced = match fates.of(clause, &mut buffer) {
                Fate::Stays => false,
                Fate::Vanishes(_) => {
                    if let Some(&[a, b]) = distinct(numbers, clause, &mut buffer)
                        && auxiliaries.conflicts.get(not(a)).binary_search(&not(b)).is_ok()
                    {
                        completion.pairs.push(position);
                    }
                    true
                }
                Fate::Pair(a, b) => cliques.cover(a, b),
                Fate::OneOf(_) => true,
            };
            if is_replaced {
                replaced.push(position);
            }
        }
        let vanishes = |&lit: &u32| fates.vanishing(lit).is_some();
        for (clause, &on) in auxiliaries.blocked.iter().zip(&auxiliaries.on).filter(|(_, on)| vanishes(on)) {
            let others = clause.iter().copied().filter(|&lit| lit != on);
            completion.blocked.push([on].into_iter().chain(others).map(|lit| numbers.lit(lit)).collect());
        }
        for var in (0..numbers.len() as u32).filter(|&var| vanishes(&(2 * var))) {
            let value = settled.values[var as usize].unwrap_or(false);
            completion.values.push(numbers.lit(2 * var + u32::from(!value)));
        }
        let mut found = KeptConstraints::default();
        for clique in cliques.alive() {
            let mut lits: Vec<Lit> = cliques.lits.get(clique).iter().map(|&lit| numbers.lit(lit)).collect();
            lits.sort_unstable();
            let Price { relation, goal, .. } = prices.of[clique as usize];
            found.push_again(&Constraint::count(&lits, relation).by(EncodingName::Open(goal)));
        }
        let mut pairs = settled.pairs_of.concat();
        pairs.sort_unstable();
        pairs.dedup();
        let added = pairs.into_iter().map(|(a, b)| [!numbers.lit(a), !numbers.lit(b)]).collect();
        Detected { of: self, found, replaced, added, completion, work: 0, is_complete: true }
    }
}

impl Detected<'_> {
    /// True if the new formula is not beyond that size, where auxiliaries that vanish pay for new ones.
    fn is_small(&self, given: &Size) -> bool {
        let mut size = self.formula().size();
        size.vars = size.vars.saturating_sub(self.auxiliaries().len() as u64);
        self.found.len() == 0 || !size.is_beyond(given)
    }

    /// The constraints that were found, at most one, exactly one or parities, with literals sorted by variable.
    #[must_use]
    pub fn constraints(&self) -> impl ExactSizeIterator<Item = Constraint<'_>> {
        self.found.iter()
    }

    /// The formula in which they were found.
    pub(super) const fn given(&self) -> &Formula {
        self.of
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

    /// The formula with the constraints that were found instead of clauses: after those that it had, each with
    /// [`Auto`](crate::CardEncoding::Auto), or with [`Smallest`](crate::CardEncoding::Smallest) where that would have
    /// been larger than the clauses. Variables keep their numbers, order, limit, names and objective stay, and new
    /// auxiliaries come above all of them. Its [own](Formula::lits) variables are those of the formula before, without
    /// those that vanished, which are free here. Encoded, it has at most as many clauses as before, and clauses +
    /// variables that occur.
    #[must_use]
    pub fn formula(&self) -> Formula {
        let all = &self.of.clauses;
        let clauses = Cnf::with_vars(all.n_vars()).with_limit(all.limit());
        let mut formula = self.of.with_clauses(clauses);
        formula.aside = self.of.aside.with(self.auxiliaries().map(Var::idx32));
        let mut replaced = self.replaced.iter().copied().peekable();
        let clauses = (0_u32..).zip(self.of.clauses()).filter(|(position, _)| replaced.next_if_eq(position).is_none());
        // There was room for all of them, and those that are added are fewer than those that go.
        let clauses = clauses.map(|(_, clause)| clause).chain(self.added());
        clauses.for_each(|clause| formula.add_clause(clause).unwrap_or_else(|error| unreachable!("{error}")));
        for constraint in self.constraints() {
            formula.kept.push_again(&constraint);
        }
        formula
    }

    /// Gives the auxiliaries that vanished values that go with those of all other variables.
    pub(crate) fn complete_values(&self, values: &mut Assignment) {
        self.completion.complete(&self.of.clauses, values);
    }
}
