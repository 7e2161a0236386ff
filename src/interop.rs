//! Both ways between this crate and rustsat's own encoding traits.
//!
//! | have | want | take |
//! |---|---|---|
//! | code written for `rustsat::encodings::am1::Encode` | our at-most-one encodings | [`Am1`] |
//! | code written for `card::BoundUpper`, `BoundLower`, `BoundBoth` | our cardinality encodings | [`Selected`] |
//! | the same, and `BoundUpperIncremental` and so on: bounds that move, inputs that come later | our counters | [`Counted`] |
//! | a rustsat collector and variable manager | a [`ClauseSink`] | [`Collector`] |
//! | a `Cnf` | a rustsat collector and variable manager | [`Target`] |
//!
//! What holds for all of them and not for rustsat's own encoders:
//!
//! * `EncodeStats` counts what was emitted, not by how much the collector grew: a solver that simplifies what it is given
//!   changes nothing.
//! * Inputs are marked as used before a variable is taken, so that auxiliaries never collide with them, also where the
//!   variable manager was not told of the inputs. A manager that hands out a variable it said was in use is refused with
//!   a panic.
//! * Repeated and complementary literals count as often as they are given.
//! * What would be larger than [`Cnf::DEFAULT_LIMIT`](crate::Cnf::DEFAULT_LIMIT) is refused before its first clause:
//!   [`OutOfMemory::TryReserve`].
//!
//! ```
//! use cnfkit::interop::Am1;
//! use cnfkit::Pairwise;
//! use cnfkit::rustsat::encodings::{EncodeStats, am1::Encode};
//! use cnfkit::rustsat::instances::{BasicVarManager, Cnf};
//! use cnfkit::rustsat::{lit, types::Lit};
//!
//! // was: rustsat::encodings::am1::Pairwise::from(...)
//! let mut enc = Am1::<Pairwise>::from(vec![lit![0], lit![1], lit![2]]);
//! let (mut cnf, mut vars) = (Cnf::new(), BasicVarManager::default());
//! enc.encode(&mut cnf, &mut vars).unwrap();
//! assert_eq!((enc.n_clauses(), enc.n_vars()), (3, 0));
//! ```

mod am1;
mod bounds;
mod counted;
mod selected;
mod target;

pub use am1::Am1;
pub use counted::{Counted, Growing};
pub use selected::Selected;
pub use target::Target;

use std::fmt;
use std::ops::Range;

use rustsat::OutOfMemory;
use rustsat::encodings::CollectClauses;
use rustsat::instances::ManageVars;
use rustsat::types::{Clause, Lit, Var};

use crate::cnf::Cnf;
use crate::sink::{ClauseSink, Size};

/// A rustsat collector and variable manager as a [`ClauseSink`].
///
/// The collector may be a rustsat formula, or any rustsat solver (for which [`SolverSink`](crate::SolverSink) is faster:
/// a collector takes owned clauses, one allocation each). The manager says what is in use; literals from elsewhere must
/// be [marked](Self::mark_used) first, or the front door panics.
///
/// ```
/// use cnfkit::interop::Collector;
/// use cnfkit::{ClauseSink, Constrain, Pairwise, Size};
/// use cnfkit::rustsat::instances::{BasicVarManager, Cnf};
/// let (mut cnf, mut vars) = (Cnf::new(), BasicVarManager::default());
/// let mut sink = Collector::new(&mut cnf, &mut vars);
/// let x = sink.new_lits(4);
/// sink.exactly_one(&x, &Pairwise).unwrap();
/// assert_eq!(sink.size(), Size { vars: 4, clauses: 7, lits: 16 });
/// assert_eq!(cnf.len(), 7);
/// ```
pub struct Collector<'a, C> {
    clauses: &'a mut C,
    vars: &'a mut dyn ManageVars,
    size: Size,
    limit: Size,
    /// Variables reserved earlier: handed out first.
    pool: Range<u32>,
    /// From the first variable handed out by the manager to the last.
    fresh: Range<u32>,
}

impl<'a, C: CollectClauses> Collector<'a, C> {
    /// A sink that sends clauses to `clauses` and takes variables from `vars`.
    pub fn new(clauses: &'a mut C, vars: &'a mut dyn ManageVars) -> Self {
        Self { clauses, vars, size: Size::ZERO, limit: Cnf::DEFAULT_LIMIT, pool: 0..0, fresh: 0..0 }
    }

    /// The same sink with another limit on what may be sent through it.
    #[must_use]
    pub const fn with_limit(mut self, limit: Size) -> Self {
        self.limit = limit;
        self
    }

    /// Tells the variable manager that the variables of `lits` are in use.
    pub fn mark_used(&mut self, lits: &[Lit]) {
        if let Some(highest) = lits.iter().map(|lit| lit.var()).max() {
            self.vars.mark_used(highest);
        }
    }

    /// What was sent through this sink and taken from its variable manager so far.
    #[must_use]
    pub const fn size(&self) -> Size {
        self.size
    }
}

impl<C> fmt::Debug for Collector<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Collector").field("size", &self.size).field("limit", &self.limit).finish_non_exhaustive()
    }
}

impl<C: CollectClauses> ClauseSink for Collector<'_, C> {
    type Error = OutOfMemory;

    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), OutOfMemory> {
        self.clauses.add_clause(Clause::from(clause))?;
        self.size += Size::clause(clause.len());
        Ok(())
    }

    /// # Panics
    /// When the variable manager hands out a variable that it said was in use.
    fn new_lit(&mut self) -> Lit {
        self.size += Size::variables(1);
        if let Some(reserved) = self.pool.next() {
            return Lit::positive(reserved);
        }
        let next = self.next_var();
        let var = self.vars.new_var();
        assert!(var >= next, "the variable manager handed out {var}, but {next} is the first variable not in use");
        let start = if self.fresh.is_empty() { var.idx32() } else { self.fresh.start };
        self.fresh = start..var.idx32() + 1;
        var.pos_lit()
    }

    fn new_lits(&mut self, n: usize) -> Vec<Lit> {
        if self.pool.len() < n {
            self.pool = 0..0; // consecutive ones are asked for
        }
        (0..n).map(|_| self.new_lit()).collect()
    }

    fn next_var(&self) -> Var {
        self.vars.max_var().map_or(Var::new(0), |var| var + 1)
    }

    /// Refuses more variables than rustsat has, and more clauses or literals than the limit.
    fn reserve(&mut self, size: &Size) -> Result<(), OutOfMemory> {
        let vars = u64::from(self.next_var().idx32()).saturating_add(size.vars);
        let fits = (self.size + *size).fits(&self.limit) && vars <= u64::from(Var::MAX_IDX);
        if fits { Ok(()) } else { Err(too_large()) }
    }
}

/// What rustsat says when something does not fit.
fn too_large() -> OutOfMemory {
    match Vec::<u8>::new().try_reserve(usize::MAX) {
        Err(overflow) => overflow.into(),
        Ok(()) => OutOfMemory::ExternalApi,
    }
}

/// What every encoder behind rustsat's traits shares: inputs, constructors and statistics. For a struct with the fields
/// `lits`, `enc`, `size` and those named, which start at their default.
macro_rules! encoder {
    ($name:ident $(: $bound:ident)? { $($field:ident),* }) => {
        impl<E $(: $bound)?> $name<E> {
            /// The encoding `enc` over `lits`; for encodings with parameters other than the default.
            pub fn new(enc: E, lits: impl IntoIterator<Item = Lit>) -> Self {
                let lits = lits.into_iter().collect();
                Self { lits, enc, size: $crate::Size::ZERO, $($field: Default::default()),* }
            }
        }

        impl<E: Default $(+ $bound)?> From<Vec<Lit>> for $name<E> {
            fn from(lits: Vec<Lit>) -> Self {
                Self::new(E::default(), lits)
            }
        }

        impl<E: Default $(+ $bound)?> FromIterator<Lit> for $name<E> {
            fn from_iter<T: IntoIterator<Item = Lit>>(lits: T) -> Self {
                Self::new(E::default(), lits)
            }
        }

        impl<E $(: $bound)?> ::rustsat::encodings::IterInputs for $name<E> {
            type Iter<'a>
                = ::std::iter::Copied<::std::slice::Iter<'a, Lit>>
            where
                E: 'a;

            fn iter(&self) -> Self::Iter<'_> {
                self.lits.iter().copied()
            }
        }

        /// What was emitted, saturating; never what the collector made of it.
        impl<E $(: $bound)?> ::rustsat::encodings::EncodeStats for $name<E> {
            fn n_clauses(&self) -> usize {
                usize::try_from(self.size.clauses).unwrap_or(usize::MAX)
            }

            fn n_vars(&self) -> u32 {
                u32::try_from(self.size.vars).unwrap_or(u32::MAX)
            }
        }
    };
}
use encoder;
