//! The flat formula: all literals in one vector, all clause ends in another.

use std::fmt;

use rustsat::types::{Lit, Var};

use crate::sink::ClauseSink;
pub use crate::size::CapacityError;
use crate::size::Size;
use crate::writer::{Flat, Writing, in_place};

/// A formula in conjunctive normal form, flat in memory: no allocation per clause, 4 bytes per literal and per clause.
///
/// It refuses to grow past its limit ([`Cnf::DEFAULT_LIMIT`] unless set) with a [`CapacityError`], and does so
/// before the first clause of a constraint that would not fit.
///
/// ```
/// use cnfkit::{ClauseSink, Cnf, Constrain, Pairwise};
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(3);
/// cnf.exactly_one(&x, &Pairwise).unwrap();
/// assert_eq!((cnf.n_vars(), cnf.n_clauses(), cnf.n_lits()), (3, 4, 9));
/// assert_eq!(cnf.to_string(), "p cnf 3 4\n1 2 3 0\n-1 -2 0\n-1 -3 0\n-2 -3 0\n");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Cnf {
    lits: Vec<Lit>,
    /// `ends[i]` is where clause `i` ends in `lits`.
    ends: Vec<u32>,
    n_vars: u32,
    limit: Size,
}

impl Default for Cnf {
    fn default() -> Self {
        Self::new()
    }
}

impl Cnf {
    /// 2³⁰ clauses and 2³⁰ literals (4 GiB each), and as many variables as rustsat has.
    pub const DEFAULT_LIMIT: Size = Size { vars: Var::MAX_IDX as u64, clauses: 1 << 30, lits: 1 << 30 };

    /// A formula without variables or clauses.
    #[must_use]
    pub const fn new() -> Self {
        Self { lits: Vec::new(), ends: Vec::new(), n_vars: 0, limit: Self::DEFAULT_LIMIT }
    }

    /// A formula without clauses over variables `0..n_vars` (DIMACS `1..=n_vars`).
    ///
    /// # Panics
    /// When `n_vars` is beyond [`Var::MAX_IDX`].
    #[must_use]
    pub fn with_vars(n_vars: usize) -> Self {
        let n_vars = u32::try_from(n_vars).ok().filter(|&n| n <= Var::MAX_IDX);
        Self { n_vars: n_vars.expect("more variables than rustsat has"), ..Self::new() }
    }

    /// This formula with another limit on its size. At most 2³² − 1 clauses and literals each can be held; a higher
    /// limit means that. Variables count when a constraint or clause needs them; [`new_lit`](ClauseSink::new_lit)
    /// itself cannot refuse.
    ///
    /// ```
    /// use cnfkit::{Cnf, Constrain, Lit, Pairwise, Size};
    /// let mut cnf = Cnf::with_vars(9).with_limit(Size { vars: 9, clauses: 30, lits: 60 });
    /// let x: Vec<Lit> = (0..9).map(Lit::positive).collect();
    /// let error = cnf.at_most_one(&x, Pairwise).unwrap_err();
    /// assert!(error.to_string().starts_with("the formula would need 9 variables, 36 clauses, 72 literals"));
    /// ```
    #[must_use]
    pub fn with_limit(mut self, limit: Size) -> Self {
        let most = u64::from(u32::MAX);
        self.limit = Size {
            vars: limit.vars.min(u64::from(Var::MAX_IDX)),
            clauses: limit.clauses.min(most),
            lits: limit.lits.min(most),
        };
        self
    }

    /// Takes note of a literal's variable, as if some clause had it.
    ///
    /// # Errors
    /// When it is beyond the limit.
    pub fn know(&mut self, lit: Lit) -> Result<(), CapacityError> {
        if lit.vidx() < self.n_vars() { Ok(()) } else { self.learn_of(lit.lidx(), 0) }
    }

    /// The limit on the size of the formula.
    #[must_use]
    pub const fn limit(&self) -> Size {
        self.limit
    }

    /// The number of variables: every literal of every clause is below it.
    #[must_use]
    pub const fn n_vars(&self) -> usize {
        self.n_vars as usize
    }

    /// The number of clauses.
    #[must_use]
    pub const fn n_clauses(&self) -> usize {
        self.ends.len()
    }

    /// The number of literals in all clauses together.
    #[must_use]
    pub const fn n_lits(&self) -> usize {
        self.lits.len()
    }

    /// Variables, clauses and literals of the whole formula; inputs count as variables here.
    #[must_use]
    pub const fn size(&self) -> Size {
        Size { vars: self.n_vars as u64, clauses: self.ends.len() as u64, lits: self.lits.len() as u64 }
    }

    /// Clause number `index`, in the order in which clauses were added.
    ///
    /// # Panics
    /// When there are not that many.
    #[must_use]
    pub fn clause(&self, index: usize) -> &[Lit] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.lits[start as usize..self.ends[index] as usize]
    }

    /// All literals, and where the clauses end among them.
    #[doc(hidden)]
    #[must_use]
    pub fn flat(&self) -> (&[Lit], &[u32]) {
        (&self.lits, &self.ends)
    }

    /// The clauses in the order in which they were added.
    #[must_use]
    pub fn clauses(&self) -> Clauses<'_> {
        Clauses { lits: &self.lits, ends: self.ends.iter(), start: 0 }
    }

    /// The clauses, as [`clauses`](Self::clauses) gives them.
    #[must_use]
    pub fn iter(&self) -> Clauses<'_> {
        self.clauses()
    }

    /// Appends a literal to a clause that [`close_clause`](Self::close_clause) ends. Its variable must be in use, and
    /// nothing else may be added before. It is for readers, which do not know a clause's length in advance.
    #[inline]
    pub(crate) fn push_literal(&mut self, lit: Lit) -> Result<(), CapacityError> {
        debug_assert!(lit.vidx() < self.n_vars());
        if self.lits.len() as u64 >= self.limit.lits || (self.lits.len() == self.lits.capacity() && !self.lits_grow()) {
            return Err(self.refuse(Size::clause(1)));
        }
        self.lits.push(lit);
        Ok(())
    }

    /// Ends the clause whose literals were [pushed](Self::push_literal).
    #[inline]
    pub(crate) fn close_clause(&mut self) -> Result<(), CapacityError> {
        if self.ends.len() as u64 >= self.limit.clauses || self.ends.try_reserve(1).is_err() {
            return Err(self.refuse(Size::clause(0)));
        }
        self.ends.push(self.lits.len() as u32);
        Ok(())
    }

    /// Adds all clauses of another formula, whose variables are all in use here. Room for them was reserved.
    #[doc(hidden)]
    pub fn append(&mut self, other: &Self) {
        debug_assert!(other.n_vars <= self.n_vars);
        let before = self.lits.len() as u32;
        self.lits.extend_from_slice(&other.lits);
        self.ends.extend(other.ends.iter().map(|end| before + end));
    }

    #[cold]
    fn lits_grow(&mut self) -> bool {
        self.lits.try_reserve(1).is_ok()
    }

    /// Takes note of variables that were never handed out, in a clause of `len` literals.
    #[cold]
    fn learn_of(&mut self, highest: usize, len: usize) -> Result<(), CapacityError> {
        let known = highest as u32 / 2 + 1;
        if u64::from(known) > self.limit.vars {
            let vars = u64::from(known - self.n_vars);
            return Err(self.refuse(Size { vars, ..Size::clause(len) }));
        }
        self.n_vars = known;
        Ok(())
    }

    #[cold]
    fn refuse(&self, more: Size) -> CapacityError {
        CapacityError::new(self.size() + more, self.limit)
    }
}

impl ClauseSink for Cnf {
    type Error = CapacityError;

    #[inline]
    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), CapacityError> {
        let end = self.lits.len() + clause.len();
        if end as u64 > self.limit.lits || self.ends.len() as u64 >= self.limit.clauses {
            return Err(self.refuse(Size::clause(clause.len())));
        }
        // The rare path gets numbers, not the clause, so that a caller's array can stay in registers.
        let highest = clause.iter().fold(0, |highest, lit| lit.lidx().max(highest));
        if highest >= 2 * self.n_vars as usize && !clause.is_empty() {
            self.learn_of(highest, clause.len())?;
        }
        self.lits.extend_from_slice(clause);
        self.ends.push(end as u32);
        Ok(())
    }

    #[inline]
    fn new_lit(&mut self) -> Lit {
        // Unlike `Lit::positive`, this is inlined.
        let lit = Lit::positive_with_error(self.n_vars).expect("no more variables than rustsat has");
        self.n_vars += 1;
        lit
    }

    #[inline]
    fn next_var(&self) -> Var {
        Var::new(self.n_vars)
    }

    fn reserve(&mut self, size: &Size) -> Result<(), CapacityError> {
        let fits = (self.size() + *size).fits(&self.limit)
            && self.lits.try_reserve(size.lits as usize).is_ok()
            && self.ends.try_reserve(size.clauses as usize).is_ok();
        if fits { Ok(()) } else { Err(self.refuse(*size)) }
    }

    /// The clauses are written where they stay.
    fn write_by(&mut self, write: &mut Writing<'_>) -> Result<(), CapacityError> {
        let (lits, ends, n_vars) = (&mut self.lits, &mut self.ends, &mut self.n_vars);
        in_place(&mut Flat { lits, ends, n_vars, limit: self.limit }, write).map_err(|more| self.refuse(more))
    }
}

impl fmt::Debug for Cnf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cnf").field("size", &self.size()).field("limit", &self.limit).finish_non_exhaustive()
    }
}

impl<'a> IntoIterator for &'a Cnf {
    type Item = &'a [Lit];
    type IntoIter = Clauses<'a>;

    fn into_iter(self) -> Clauses<'a> {
        self.clauses()
    }
}

/// The clauses of a [`Cnf`]; made by [`Cnf::clauses`].
///
/// ```
/// use cnfkit::{ClauseSink, Clauses, Cnf};
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(2);
/// cnf.add_clause(&x)?;
/// cnf.add_clause(&[!x[0]])?;
/// let clauses: Clauses<'_> = cnf.clauses();
/// assert_eq!(clauses.map(<[_]>::len).collect::<Vec<_>>(), [2, 1]);
/// # Ok::<(), cnfkit::CapacityError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Clauses<'a> {
    lits: &'a [Lit],
    ends: std::slice::Iter<'a, u32>,
    start: u32,
}

impl<'a> Iterator for Clauses<'a> {
    type Item = &'a [Lit];

    #[inline]
    fn next(&mut self) -> Option<&'a [Lit]> {
        let &end = self.ends.next()?;
        let clause = &self.lits[self.start as usize..end as usize];
        self.start = end;
        Some(clause)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.ends.size_hint()
    }
}

impl ExactSizeIterator for Clauses<'_> {}
