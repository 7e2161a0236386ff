//! [`Formula`]: clauses and constraints kept as data until all are known, then ordered, encoded, or written.
//!
//! A [`Cnf`] or a solver gets the clauses of a constraint the moment it is given; what comes later cannot change
//! them. A `Formula` is a [`ClauseSink`] too, and keeps constraints as data (`keep`). Once all are known it
//!
//! 1. solves the parities that share variables as far as is cheap (`parities`), and takes literals that they or two
//!    clauses say are equal as one in counts and sums of weights (`substitute`);
//! 2. leaves out repeated constraints, and those that follow from another bound on the same literals (`merge`);
//! 3. tightens bounds by double counting, where two families partition the same literals (`double_counting`), and finds
//!    the at-most-one groups among the literals of each pseudo-Boolean constraint (`amo_groups`);
//! 4. orders the literals of each constraint by which variables occur together (`order`): of everything that a program
//!    can change without changing what its formula means, this saves solvers the most conflicts;
//! 5. plans the constraints that are left, which gives the total size before the first clause (`plan`), and writes the
//!    plans (`write`).
//!
//! The room uses the front door, the choosers and everything above them; no encoding knows of it.

// In the order in which the docs of `Formula` have their methods.
mod build;
mod names;

mod plan;
mod text;

mod certify;
mod counting;
mod detect;
mod symmetry;

mod amo_groups;
mod aside;
mod certified_way;
mod certify_error;
mod double_counting;
mod dry;
mod facts;
mod gaps;
mod go_on;
mod keep;
mod merge;
mod named_groups;
mod needless;
mod opb_line;
mod order;
mod parities;
mod said;
mod spelling;
mod substitute;
mod substitute_lines;
mod variants;
mod way;
mod write;

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use rustsat::types::{Lit, Var};

use self::aside::Aside;
pub(crate) use self::certify::{CertifiedSource, Certifier};
pub use self::certify_error::CertifyError;
pub use self::detect::Detected;
use self::keep::KeptConstraints;
use self::named_groups::NamedGroups;
#[doc(hidden)]
pub use self::needless::Needless;
pub(crate) use self::opb_line::{OpbLits, ProofLine};
use self::plan::FormulaPlan;
#[doc(hidden)]
pub use self::plan::{Origin, Origins};
use self::spelling::Spelling;
pub use self::symmetry::SymmetryBreaking;
#[doc(inline)]
pub use crate::cnf::Clauses;
use crate::cnf::{CapacityError, Cnf};
use crate::constrain::writing;
use crate::constraint::Constraint;
pub use crate::read::ReadError;
use crate::sink::ClauseSink;
use crate::sink::writer::{Writing, in_chunks};
use crate::size::Size;

/// The order in which a [`Formula`] encodes the literals of a constraint.
///
/// ```
/// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula, Order};
/// let mut formula = Formula::new().order(Order::Variable);
/// let x = formula.new_lits(4);
/// formula.at_most([x[3], x[1], x[0], x[2]], 2, CardEncoding::Combinatorial)?;
/// assert_eq!(formula.encode()?.clauses().next(), Some(&[!x[0], !x[1], !x[2]][..]));
/// # Ok::<(), cnfkit::CapacityError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Order {
    /// As they were given. To be set before constraints are added: otherwise they are kept sorted. A formula that was
    /// read from KNF has them as the text does, and may be set to this afterwards; OPB is read by variable.
    Given,
    /// By variable: the order in which a [`Cnf`] encodes them.
    Variable,
    /// By which variables occur together in clauses and constraints, whatever their numbers: the default.
    #[default]
    Formula,
}

/// Clauses, cardinality constraints and sums of weights as data, encoded when all are known.
///
/// Use it like a [`Cnf`], always unless the formula is to stream into a solver while it is made. Constraints are kept
/// with the encoding that was asked for, and encoded by it in the end; [`keep_order`](crate::Constrain::keep_order)
/// holds for them too. Only an encoding without a [name](crate::encode::own_name), such as one of the library with
/// other than its default options, writes its clauses at once.
///
/// Bounds are tightened by *double counting*, where two families of constraints partition the same literals: thirty
/// events, each in one of six slots of at most five rooms, fill every room, so that at most five becomes exactly five,
/// and solvers need a fraction of the conflicts. The solutions stay the same.
///
/// Pseudo-Boolean constraints are encoded together with at-most-one groups of their literals, PB(AMO): groups of an
/// at-most-one or exactly-one that the formula keeps, or of binary clauses. In [`Order::Formula`], the constraints that
/// conflict most with the others, typically the bound on the objective, are encoded last: their auxiliaries have the
/// highest indices, which solvers branch on first.
///
/// The order computed from the formula saves conflicts in most families of instances, up to nineteen times, and costs
/// some in others: where variables are numbered along the problem's own geometry, as in tomography,
/// [`Order::Variable`] needs fewer. The tables are in `benches/BASELINE.md`, *Orders of literals*.
///
/// | to | there are |
/// |---|---|
/// | build | [`new`](Self::new), `new_lit`, `add_clause` of [`ClauseSink`]; `at_most`, `pb_at_most`, `when`, … of [`Constrain`](crate::Constrain); [`new_named`](Self::new_named), [`group`](Self::group), [`set_objective`](Self::set_objective) |
/// | ask | [`solve`](Self::solve); `minimum`, `count`, `unsat_core`, and `ask()` with options, of `cnfkit::Questions` |
/// | read and write | [`read_opb`](Self::read_opb), [`write_dimacs`](Self::write_dimacs), …; [`encode`](Self::encode), [`size`](Self::size) |
/// | explain | [`clauses`](Self::clauses), [`constraints`](Self::constraints), [`detect`](Self::detect), [`symmetries`](Self::symmetries) |
/// | prove | `ask().proof(dir)`, [`certify`](Self::certify) |
///
/// ```
/// use cnfkit::{CardEncoding, ClauseSink, Cnf, Constrain, Formula};
/// # fn main() -> Result<(), cnfkit::CapacityError> {
/// let mut formula = Formula::new();
/// let x = formula.new_lits(40);
/// for pair in x.chunks(2) {
///     formula.add_clause(pair)?;
/// }
/// formula.at_most(&x, 22, &CardEncoding::Auto)?;
/// formula.at_most(&x, 25, &CardEncoding::Auto)?; // follows from the line before
/// assert_eq!((formula.n_clauses(), formula.constraints().len()), (20, 2));
///
/// let mut other = Cnf::with_vars(40);
/// other.at_most(&x, 22, &CardEncoding::Auto)?;
/// let cnf = formula.encode()?;
/// assert_eq!(cnf.n_clauses(), 20 + other.n_clauses());
/// assert_eq!(formula.size().clauses, cnf.n_clauses() as u64);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct Formula {
    clauses: Cnf,
    kept: KeptConstraints,
    order: Order,
    /// Counts are encoded in the order of the mean of their variables' numbers, not as they were given.
    by_mean: bool,
    /// Each solution has one model.
    counting: bool,
    names: BTreeMap<Var, String>,
    /// Variables that the OPB text that was read does not call by their numbers.
    spelled: BTreeMap<Var, Spelling>,
    groups: NamedGroups,
    objective: Vec<(Lit, i64)>,
    /// An objective was set, be it a constant: `true` where it is the negated sum of a text that said `max:`.
    maximised: Option<bool>,
    /// The number of variables made for soft clauses.
    relaxations: usize,
    /// The clauses that have these, by a hash of their other literals.
    soft: FxHashMap<u64, u32>,
    /// The constraints that were written as clauses at once.
    aside: Aside,
    /// The plan that [`size`](Self::size) has made, as long as nothing changes.
    plan: OnceLock<Box<FormulaPlan>>,
}

impl Formula {
    /// An objective without terms, in place of the one before; `maximised` where its terms are negated.
    fn begin_objective(&mut self, maximised: bool) {
        self.plan.take();
        self.objective.clear();
        self.maximised = Some(maximised);
    }

    /// Adds a term to the objective, in parts where the weight has more than 64 bits: a variable in it is no auxiliary.
    fn add_cost(&mut self, lit: Lit, weight: i128) {
        self.plan.take();
        self.maximised.get_or_insert(false);
        let mut left = weight;
        loop {
            let part = left.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
            self.objective.push((lit, part));
            left -= i128::from(part);
            if left == 0 {
                break;
            }
        }
    }

    /// The variables of constraints that are kept and of the objective, those with names, and those that a text shows
    /// or that models are counted by; some of them twice.
    fn vars_beside_clauses(&self) -> impl Iterator<Item = Var> {
        let constraints = self.constraints().flat_map(|constraint| constraint.all_lits().map(Lit::var));
        let others = self.objective().iter().map(|(lit, _)| lit.var()).chain(self.names().map(|(var, _)| var));
        let shown = if self.aside.shows || self.counting { self.lits() } else { Vec::new() };
        constraints.chain(others).chain(shown.into_iter().map(Lit::var))
    }

    /// This formula with other clauses, without a plan, without groups, and without a place for clauses that are soft.
    fn with_clauses(&self, clauses: Cnf) -> Self {
        Self {
            clauses,
            kept: self.kept.clone(),
            order: self.order,
            by_mean: self.by_mean,
            counting: self.counting,
            names: self.names.clone(),
            spelled: self.spelled.clone(),
            groups: NamedGroups::default(),
            objective: self.objective.clone(),
            maximised: self.maximised,
            relaxations: self.relaxations,
            soft: FxHashMap::default(),
            aside: self.aside.clone(),
            plan: OnceLock::new(),
        }
    }

    /// Takes note of a literal's variable.
    fn know(&mut self, lit: Lit) -> Result<(), CapacityError> {
        self.plan.take();
        self.clauses.know(lit)
    }

    /// Takes note of all variables of a constraint that is offered; the front door's are all known.
    fn know_all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Result<(), CapacityError> {
        lits.into_iter().max().map_or(Ok(()), |highest| self.know(highest))
    }
}

/// A clone has no plan yet.
impl Clone for Formula {
    fn clone(&self) -> Self {
        Self { groups: self.groups.clone(), soft: self.soft.clone(), ..self.with_clauses(self.clauses.clone()) }
    }
}

impl ClauseSink for Formula {
    type Error = CapacityError;

    #[inline]
    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), CapacityError> {
        self.plan.take();
        self.clauses.add_clause(clause)
    }

    #[inline]
    fn new_lit(&mut self) -> Lit {
        self.plan.take();
        self.clauses.new_lit()
    }

    #[inline]
    fn next_var(&self) -> Var {
        self.clauses.next_var()
    }

    fn reserve(&mut self, size: &Size) -> Result<(), CapacityError> {
        self.clauses.reserve(size)
    }

    /// Every constraint is kept whose encoding has a name by which it is found again.
    fn offer(&mut self, constraint: &Constraint<'_>) -> Result<bool, CapacityError> {
        self.plan.take();
        if constraint.beside != Size::ZERO {
            self.clauses.reserve(&constraint.beside)?;
        }
        if constraint.parity_of().is_some() && constraint.iff.is_some() {
            return Ok(false); // folding makes one parity of it
        }
        let Some(asked) = self.kept.asked_for(constraint)? else { return Ok(false) };
        let asked = if self.counting { asked.for_counting() } else { asked };
        self.know_all(constraint.all_lits())?;
        self.kept.push(constraint, asked);
        Ok(true)
    }

    fn writes(&mut self, constraint: Option<&dyn fmt::Display>) {
        self.aside.note(constraint, self.n_vars() as u32, self.n_clauses());
    }

    fn says(&mut self, what: &dyn Any, cond: &[Lit], is_literal: bool) {
        self.aside.say(what, cond, is_literal, self.counting);
    }

    /// Variables that the writer hands out are auxiliaries, whoever writes.
    fn write_by(&mut self, write: &mut Writing<'_>) -> Result<(), CapacityError> {
        writing(self, &"", |formula| in_chunks(formula, write))
    }

    fn sorts_inputs(&self) -> bool {
        self.order != Order::Given
    }

    fn counts_models(&self) -> bool {
        self.counting
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod weights_tests;
