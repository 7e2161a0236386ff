//! The sinks that clauses go to: the [`ClauseSink`] trait, [`Layer`] for a sink in front of another, and [`Tally`],
//! which only counts.

pub mod writer;

use std::any::Any;
use std::borrow::Cow;
use std::convert::Infallible;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use rustsat::types::{Clause, Lit, Var};

use self::writer::{Writing, in_chunks, measured};
use crate::constraint::{Constraint, Sum};
use crate::relation::Relation;
use crate::size::Size;

/// Literals as they are at hand: one, an array, a slice or a vector of them, or a reference to any of these. What all
/// methods of [`Constrain`](crate::Constrain) take.
///
/// ```
/// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula, Lits};
/// let mut formula = Formula::new();
/// let x = formula.new_lits(6);
/// assert_eq!(x[0].lits(), [x[0]].lits());
/// formula.when(x[0]).at_most(&x[1..], 2, &CardEncoding::Auto)?;
/// formula.when([x[1], !x[2]]).add_clause(&x[3..])?;
/// assert_eq!((formula.n_clauses(), formula.constraints().len()), (1, 1));
/// # Ok::<(), cnfkit::CapacityError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no list of literals",
    note = "a literal, a slice, an array and a `Vec` of `Lit` are; an iterator is collected first"
)]
pub trait Lits {
    /// The literals.
    fn lits(&self) -> &[Lit];

    /// Does nothing, for the sake of Clippy: `when(&[a])` is as good as `when([a])`.
    #[doc(hidden)]
    fn untouched(&mut self) {}
}

impl Lits for Lit {
    #[inline]
    fn lits(&self) -> &[Lit] {
        std::slice::from_ref(self)
    }
}

impl Lits for [Lit] {
    #[inline]
    fn lits(&self) -> &[Lit] {
        self
    }
}

impl<const N: usize> Lits for [Lit; N] {
    #[inline]
    fn lits(&self) -> &[Lit] {
        self
    }
}

impl Lits for Vec<Lit> {
    #[inline]
    fn lits(&self) -> &[Lit] {
        self
    }
}

impl Lits for Clause {
    #[inline]
    fn lits(&self) -> &[Lit] {
        self.as_ref()
    }
}

/// Whatever points to literals.
macro_rules! behind {
    ($($pointer:ty),*) => {$(
        impl<L: Lits + ?Sized> Lits for $pointer {
            #[inline]
            fn lits(&self) -> &[Lit] {
                (**self).lits()
            }
        }
    )*};
}
behind!(&L, &mut L, Box<L>, Rc<L>, Arc<L>);

impl Lits for Cow<'_, [Lit]> {
    #[inline]
    fn lits(&self) -> &[Lit] {
        self
    }
}

/// Takes clauses and hands out variables.
///
/// Implemented by `Formula`, which keeps constraints as data, by the flat [`Cnf`](crate::Cnf), by
/// [`SolverSink`](crate::SolverSink) in front of any rustsat solver, by
/// `interop::Collector` in front of any rustsat collector, and by [`Tally`], which only
/// counts. To write your own, four items are enough: the error type, [`add_clause`](Self::add_clause),
/// [`new_lit`](Self::new_lit) and [`next_var`](Self::next_var). A sink in front of another sink is a [`Layer`].
///
/// ```
/// use cnfkit::{AmoEncoding, CardEncoding, ClauseSink, Constrain, Constraint, Lit, Size, Var};
///
/// /// Clauses as lines, for somebody who knows at-most-ones, and that the first variable is true.
/// #[derive(Default)]
/// struct Lines {
///     lines: Vec<String>,
///     vars: u32,
/// }
///
/// impl ClauseSink for Lines {
///     type Error = String;
///
///     fn add_clause(&mut self, clause: &[Lit]) -> Result<(), String> {
///         self.vars = clause.iter().map(|lit| lit.vidx32() + 1).fold(self.vars, u32::max);
///         self.lines.push(format!("clause {clause:?}"));
///         Ok(())
///     }
///
///     fn define(&mut self, clause: &[Lit]) -> Result<(), String> {
///         self.add_clause(clause)?; // where `when` leaves it without a condition
///         self.go_on()
///     }
///
///     fn new_lit(&mut self) -> Lit {
///         self.vars += 1;
///         Lit::positive(self.vars - 1)
///     }
///
///     fn next_var(&self) -> Var {
///         Var::new(self.vars)
///     }
///
///     fn reserve(&mut self, size: &Size) -> Result<(), String> {
///         if size.clauses < 1_000 { Ok(()) } else { Err(format!("too large: {size}")) }
///     }
///
///     fn go_on(&mut self) -> Result<(), String> {
///         if self.lines.len() < 9_999 { Ok(()) } else { Err("too slow".to_owned()) }
///     }
///
///     fn offer(&mut self, constraint: &Constraint<'_>) -> Result<bool, String> {
///         let is_known = constraint.cond.is_empty() && constraint.iff.is_none();
///         match constraint.counted() {
///             Some((lits, relation)) if is_known && relation.most() == Some(1) && relation.least().is_none() => {
///                 self.lines.push(format!("at most one of {}", lits.len()));
///                 Ok(true)
///             }
///             _ => Ok(false), // as clauses
///         }
///     }
///
///     fn fixed(&self, lit: Lit) -> Option<bool> {
///         (lit.vidx() == 0).then_some(lit.is_pos())
///     }
///
///     fn fixes_any(&self) -> bool {
///         true
///     }
///
///     fn sorts_inputs(&self) -> bool {
///         false
///     }
/// }
///
/// let mut sink = Lines::default();
/// let x = sink.new_lits(40);
/// sink.at_most_one(&x[1..], AmoEncoding::Auto)?;
/// sink.at_least([x[3], x[2], x[0]], 2, CardEncoding::Auto)?; // the first is true
/// assert_eq!(sink.lines, ["at most one of 39", &format!("clause {:?}", [x[3], x[2]])]);
/// let error = sink.at_most(&x, 20, CardEncoding::Combinatorial).unwrap_err();
/// assert!(error.starts_with("too large: 0 variables"));
/// # Ok::<(), String>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` takes no clauses",
    note = "`Cnf`, `Formula`, `Model` and `SolverSink::new(solver)` of any rustsat solver do"
)]
pub trait ClauseSink {
    /// The reason why a clause could not be taken. [`Infallible`] for a sink that takes everything.
    type Error;

    /// Takes one clause. The empty clause makes the formula unsatisfiable.
    ///
    /// Clauses may have variables that the sink has not handed out. It takes note of them: however a clause comes,
    /// by this method, by [`define`](Self::define), through a condition, or as a constraint that is
    /// [taken](Self::take), [`next_var`](Self::next_var) is above all of its variables from then on, and
    /// [`new_lit`](Self::new_lit) returns none of them. Every sink of this library does so, and every other should. One
    /// in front of a solver, which takes memory for all variables below, refuses those from 2²⁶ on, as
    /// readers do; a [`Cnf`](crate::Cnf) those beyond its limit.
    ///
    /// # Errors
    /// When the sink is full or its solver fails.
    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), Self::Error>;

    /// Takes a definitional clause, one that only defines auxiliary variables: the set of these is satisfiable by
    /// extension for every assignment of the inputs. [`Constrain::when`](crate::Constrain::when) leaves it without the
    /// condition. A clause that follows only because at most one literal of a [group](crate::Terms::grouped) is true is
    /// no definition: the group may hold under the same condition alone. By default the clause is sent to
    /// [`add_clause`](Self::add_clause).
    ///
    /// # Errors
    /// As [`add_clause`](Self::add_clause).
    #[inline]
    fn define(&mut self, clause: &[Lit]) -> Result<(), Self::Error> {
        self.add_clause(clause)
    }

    /// The positive literal of a variable that nothing uses yet.
    ///
    /// # Panics
    /// When rustsat's variables ([`Var::MAX_IDX`]) run out; [`reserve`](Self::reserve) refuses before that.
    fn new_lit(&mut self) -> Lit;

    /// The first variable index not in use: above every variable that was handed out or seen in a clause.
    /// [`new_lit`](Self::new_lit) returns it next.
    fn next_var(&self) -> Var;

    /// `n` fresh positive literals with consecutive variables.
    fn new_lits(&mut self, n: usize) -> Vec<Lit> {
        (0..n).map(|_| self.new_lit()).collect()
    }

    /// Announces the size of what is about to be added, before its first clause: a sink can allocate once, or refuse.
    ///
    /// The front door calls this with the exact size of what follows. It is an upper bound under a condition, as
    /// clauses that only define do not carry it, and nothing is enforced under one that contradicts itself; and for
    /// what is reified by a literal that is fixed, or among the inputs.
    ///
    /// # Errors
    /// When `size` would not fit.
    #[inline]
    fn reserve(&mut self, size: &Size) -> Result<(), Self::Error> {
        let _ = size;
        Ok(())
    }

    /// Asked now and then while nothing is sent, as while a `Formula` looks for an order of its
    /// variables or plans sums of weights: a sink with a limit on time ends that by an error. By default it may go on.
    ///
    /// # Errors
    /// When the time is over.
    #[inline]
    fn go_on(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    /// True if the sink would rather be [offered](Self::offer) the constraints of a `Formula` one by
    /// one than get the clauses of all of them: by default it would not.
    ///
    /// ```
    /// use cnfkit::{ClauseSink, Cnf};
    /// assert!(!Cnf::new().wants_constraints());
    /// ```
    #[inline]
    fn wants_constraints(&self) -> bool {
        false
    }

    /// Offers a constraint that is about to be encoded. `true`: the sink has the constraint as it is, and nothing is
    /// encoded. `false`: it is encoded into clauses.
    ///
    /// The front door asks after folding, before an encoding is planned or a size announced, about every constraint
    /// whose encoding has a name ([`Constraint::encoding`]); [`Constraint`] says what folding guarantees. A reified
    /// constraint that is declined as a whole is offered in two or three parts, under the condition r and under !r;
    /// each part that is not taken is encoded. A sink that may refuse a size looks at what comes
    /// [beside](Constraint::beside) the constraint before it takes it, and declines parts, because one that it took
    /// stays when the next part is refused.
    ///
    /// By default [`take`](Self::take) is asked about what it can express: counts, not reified, in any order, whose
    /// encoding is left to the library. Everything else is declined. Of a reified range, the literal may be of the next
    /// variable, which is made if the constraint is taken.
    ///
    /// # Errors
    /// When the sink is full or its solver fails.
    #[inline]
    fn offer(&mut self, constraint: &Constraint<'_>) -> Result<bool, Self::Error> {
        match *constraint {
            Constraint { cond, iff: None, sum: Sum::Count { lits, relation }, in_order: false, encoding, .. }
                if encoding.goal().is_some() =>
            {
                self.take(cond, lits, relation)
            }
            _ => Ok(false),
        }
    }

    /// The short form of [`offer`](Self::offer), for sinks that know counts: when all of `cond` are true, as many of
    /// `lits` are as `relation` says. `true`: the sink has it; `false`, the default: it is encoded.
    ///
    /// # Errors
    /// When the sink is full or its solver fails.
    #[inline]
    fn take(&mut self, cond: &[Lit], lits: &[Lit], relation: Relation) -> Result<bool, Self::Error> {
        let _ = (cond, lits, relation);
        Ok(false)
    }

    /// The value that `lit` has in every clause sent here, if it is known: under a condition, the condition's literals
    /// are true. The front door leaves such literals out of what it encodes. By default nothing is known.
    #[inline]
    fn fixed(&self, lit: Lit) -> Option<bool> {
        let _ = lit;
        None
    }

    /// True if [`fixed`](Self::fixed) can return a value at all. Where it cannot, the front door does not ask it about
    /// each literal.
    #[inline]
    fn fixes_any(&self) -> bool {
        false
    }

    /// True if the front door may sort literals by variable before it encodes them. That is the default, because no
    /// other choice changes solving time as much. Under [`Constrain::keep_order`](crate::Constrain::keep_order) it is
    /// false.
    #[inline]
    fn sorts_inputs(&self) -> bool {
        true
    }

    /// True if each solution of what comes shall have one model: then every encoding without
    /// [that](crate::Encoding::one_model) is exchanged for [`OneModel`](crate::OneModel). By default it is not.
    #[doc(hidden)]
    #[inline]
    fn counts_models(&self) -> bool {
        false
    }

    /// Says that what comes next are the clauses of a constraint that was not taken, which these words name, and at
    /// `None` that they have come: variables that are made in between are its auxiliaries. No words are for clauses
    /// that say no more than the caller did.
    #[doc(hidden)]
    #[inline]
    fn writes(&mut self, constraint: Option<&dyn fmt::Display>) {
        let _ = constraint;
    }

    /// Says that what is written next are the clauses of a `BoolExpr` that holds where all of `cond` are true, or that
    /// defines a literal. By default, nobody is told.
    #[doc(hidden)]
    #[inline]
    fn says(&mut self, expr: &dyn Any, cond: &[Lit], is_literal: bool) {
        let _ = (expr, cond, is_literal);
    }

    /// Runs `write` on a [`Writer`](crate::encode::Writer) whose clauses and variables go to this sink: how everything
    /// that encodes adds its clauses. By default they come in chunks, to [`add_clause`](Self::add_clause) and
    /// [`define`](Self::define).
    ///
    /// # Errors
    /// As the sink fails.
    fn write_by(&mut self, write: &mut Writing<'_>) -> Result<(), Self::Error> {
        in_chunks(self, write)
    }
}

/// The first variable index above all of `lits`; 0 if there are none.
#[inline]
pub fn free_variable(lits: impl IntoIterator<Item = Lit>) -> u32 {
    lits.into_iter().map(|lit| lit.vidx32() + 1).max().unwrap_or(0)
}

/// A sink in front of another sink, of which it changes something: each method passes on to [`inner`](Self::inner) what
/// it is given, and a layer overrides those that do otherwise. Every layer is a [`ClauseSink`]. Clauses come two ways:
/// a layer that looks at all of them overrides [`pass_clause`](Self::pass_clause) and
/// [`pass_definition`](Self::pass_definition).
///
/// ```
/// use cnfkit::{CapacityError, CardEncoding, ClauseSink, Cnf, Constrain, Layer, Lit};
///
/// /// Counts the clauses of two literals on their way.
/// struct Binary<'a>(&'a mut Cnf, usize);
///
/// impl Layer for Binary<'_> {
///     type Inner = Cnf;
///
///     fn inner(&self) -> &Cnf {
///         self.0
///     }
///
///     fn inner_mut(&mut self) -> &mut Cnf {
///         self.0
///     }
///
///     fn pass_clause(&mut self, clause: &[Lit]) -> Result<(), CapacityError> {
///         self.1 += usize::from(clause.len() == 2);
///         self.0.add_clause(clause)
///     }
///
///     fn pass_definition(&mut self, clause: &[Lit]) -> Result<(), CapacityError> {
///         self.1 += usize::from(clause.len() == 2);
///         self.0.define(clause)
///     }
/// }
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(5);
/// let mut binary = Binary(&mut cnf, 0);
/// binary.at_most(&x, 2, CardEncoding::Totalizer)?;
/// let counted = binary.1;
/// assert_eq!(counted, cnf.clauses().filter(|clause| clause.len() == 2).count());
/// # Ok::<(), CapacityError>(())
/// ```
///
/// # Errors
/// Every method fails only as the sink behind fails.
#[allow(clippy::missing_errors_doc)] // said once, above
pub trait Layer {
    /// The sink behind this one.
    type Inner: ClauseSink + ?Sized;

    /// The sink behind this one.
    fn inner(&self) -> &Self::Inner;

    /// The sink behind this one.
    fn inner_mut(&mut self) -> &mut Self::Inner;

    /// [`ClauseSink::add_clause`].
    #[inline]
    fn pass_clause(&mut self, clause: &[Lit]) -> Result<(), <Self::Inner as ClauseSink>::Error> {
        self.inner_mut().add_clause(clause)
    }

    /// [`ClauseSink::define`].
    #[inline]
    fn pass_definition(&mut self, clause: &[Lit]) -> Result<(), <Self::Inner as ClauseSink>::Error> {
        self.inner_mut().define(clause)
    }

    /// [`ClauseSink::new_lit`].
    #[inline]
    fn pass_new_lit(&mut self) -> Lit {
        self.inner_mut().new_lit()
    }

    /// [`ClauseSink::reserve`].
    #[inline]
    fn pass_size(&mut self, size: &Size) -> Result<(), <Self::Inner as ClauseSink>::Error> {
        self.inner_mut().reserve(size)
    }

    /// [`ClauseSink::go_on`].
    #[inline]
    fn pass_go_on(&mut self) -> Result<(), <Self::Inner as ClauseSink>::Error> {
        self.inner_mut().go_on()
    }

    /// [`ClauseSink::offer`].
    #[inline]
    fn pass_offer(&mut self, constraint: &Constraint<'_>) -> Result<bool, <Self::Inner as ClauseSink>::Error> {
        self.inner_mut().offer(constraint)
    }

    /// [`ClauseSink::fixed`].
    #[inline]
    fn pass_fixed(&self, lit: Lit) -> Option<bool> {
        self.inner().fixed(lit)
    }

    /// [`ClauseSink::fixes_any`].
    #[inline]
    fn pass_fixes_any(&self) -> bool {
        self.inner().fixes_any()
    }

    /// [`ClauseSink::sorts_inputs`].
    #[inline]
    fn pass_sorts_inputs(&self) -> bool {
        self.inner().sorts_inputs()
    }

    /// [`ClauseSink::says`]: overridden by a layer that leaves clauses as they are.
    #[doc(hidden)]
    fn pass_says(&mut self, expr: &dyn Any, cond: &[Lit], is_literal: bool) {
        let _ = (expr, cond, is_literal);
    }

    /// [`ClauseSink::write_by`]: overridden by a layer that leaves clauses as they are.
    #[doc(hidden)]
    fn pass_write(&mut self, write: &mut Writing<'_>) -> Result<(), <Self::Inner as ClauseSink>::Error> {
        in_chunks(self, write)
    }
}

#[diagnostic::do_not_recommend]
impl<L: Layer + ?Sized> ClauseSink for L {
    type Error = <L::Inner as ClauseSink>::Error;

    #[inline]
    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), Self::Error> {
        self.pass_clause(clause)
    }

    #[inline]
    fn define(&mut self, clause: &[Lit]) -> Result<(), Self::Error> {
        self.pass_definition(clause)
    }

    #[inline]
    fn new_lit(&mut self) -> Lit {
        self.pass_new_lit()
    }

    #[inline]
    fn next_var(&self) -> Var {
        self.inner().next_var()
    }

    #[inline]
    fn reserve(&mut self, size: &Size) -> Result<(), Self::Error> {
        self.pass_size(size)
    }

    #[inline]
    fn go_on(&mut self) -> Result<(), Self::Error> {
        self.pass_go_on()
    }

    #[inline]
    fn wants_constraints(&self) -> bool {
        self.inner().wants_constraints()
    }

    #[inline]
    fn offer(&mut self, constraint: &Constraint<'_>) -> Result<bool, Self::Error> {
        self.pass_offer(constraint)
    }

    #[inline]
    fn take(&mut self, cond: &[Lit], lits: &[Lit], relation: Relation) -> Result<bool, Self::Error> {
        self.pass_offer(&Constraint::count(lits, relation).when(cond))
    }

    #[inline]
    fn fixed(&self, lit: Lit) -> Option<bool> {
        self.pass_fixed(lit)
    }

    #[inline]
    fn fixes_any(&self) -> bool {
        self.pass_fixes_any()
    }

    #[inline]
    fn sorts_inputs(&self) -> bool {
        self.pass_sorts_inputs()
    }

    fn counts_models(&self) -> bool {
        self.inner().counts_models()
    }

    fn writes(&mut self, constraint: Option<&dyn fmt::Display>) {
        self.inner_mut().writes(constraint);
    }

    fn says(&mut self, expr: &dyn Any, cond: &[Lit], is_literal: bool) {
        self.pass_says(expr, cond, is_literal);
    }

    fn write_by(&mut self, write: &mut Writing<'_>) -> Result<(), Self::Error> {
        self.pass_write(write)
    }
}

impl<S: ClauseSink + ?Sized> Layer for &mut S {
    type Inner = S;

    #[inline]
    fn inner(&self) -> &S {
        self
    }

    #[inline]
    fn inner_mut(&mut self) -> &mut S {
        self
    }

    fn pass_says(&mut self, expr: &dyn Any, cond: &[Lit], is_literal: bool) {
        (**self).says(expr, cond, is_literal);
    }

    fn pass_write(&mut self, write: &mut Writing<'_>) -> Result<(), S::Error> {
        (**self).write_by(write)
    }
}

/// A sink that stores nothing and counts everything. The tests hold every predicted [`Size`] against it.
///
/// ```
/// use cnfkit::{ClauseSink, Constrain, Pairwise, Size, Tally};
/// let mut tally = Tally::new(9);
/// let lits = tally.inputs();
/// tally.exactly_one(&lits, &Pairwise).unwrap();
/// assert_eq!(tally.size(), Size { vars: 0, clauses: 37, lits: 81 });
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    inputs: u32,
    size: Size,
}

impl Tally {
    /// A tally that knows `inputs` variables, with indices `0..inputs`.
    ///
    /// # Panics
    /// When `inputs` is [`Var::MAX_IDX`] or more.
    #[must_use]
    pub fn new(inputs: usize) -> Self {
        let inputs = u32::try_from(inputs).ok().filter(|&n| n < Var::MAX_IDX);
        Self { inputs: inputs.expect("more inputs than rustsat has variables"), size: Size::ZERO }
    }

    /// The positive literals of the inputs.
    #[must_use]
    pub fn inputs(&self) -> Vec<Lit> {
        (0..self.inputs).map(Lit::positive).collect()
    }

    /// The size of what was added so far; the inputs are not counted. A variable that a clause has and that was not
    /// handed out before counts as added.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }
}

impl ClauseSink for Tally {
    type Error = Infallible;

    #[inline]
    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), Infallible> {
        let known = u64::from(free_variable(clause.iter().copied()));
        self.size.vars = self.size.vars.max(known.saturating_sub(self.inputs.into()));
        self.size.clauses += 1;
        self.size.lits += clause.len() as u64;
        Ok(())
    }

    #[inline]
    fn new_lit(&mut self) -> Lit {
        let lit = Lit::positive(self.next_var().idx32().min(Var::MAX_IDX - 1));
        self.size.vars += 1;
        lit
    }

    fn write_by(&mut self, write: &mut Writing<'_>) -> Result<(), Infallible> {
        self.size += measured(self.next_var().idx32(), write);
        Ok(())
    }

    /// More variables than rustsat has are as good as one: nothing is stored.
    #[inline]
    fn next_var(&self) -> Var {
        let next = u64::from(self.inputs) + self.size.vars;
        Var::new(u32::try_from(next).map_or(Var::MAX_IDX, |next| next.min(Var::MAX_IDX)))
    }
}
