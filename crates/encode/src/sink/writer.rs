//! [`Writer`]: the one type that encodings write to, whatever takes their clauses.
//!
//! As every `Display` writes to one `Formatter`, every encoding writes to a `Writer`: clauses in two flat vectors,
//! literals and ends, and the guards that [`when`](crate::Constrain::when) puts before clauses that enforce. A
//! [`Cnf`](crate::Cnf) lends the writer its own vectors, so that nothing is copied. Every other sink gets its clauses
//! in chunks of `CHUNK` literals, through [`in_chunks`], and gives each variable when the encoding takes it: so its
//! numbers may have gaps, and a streamed encoding takes no more memory than a chunk and its longest clause.
//!
//! An encoding is thereby compiled once, in this crate, and not for each sink in each crate that has one.

use std::cell::Cell;
use std::fmt;

use rustsat::types::{Lit, Var};

use crate::sink::ClauseSink;
use crate::size::Size;

/// Literals of a chunk: 64 KiB, which stay in a core's own cache until they are copied.
const CHUNK: usize = 1 << 14;

/// The bit of an end that marks a definition, in a chunk.
const DEFINITION: u32 = 1 << 31;

/// The sink takes no more; its own error says why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full(());

impl Full {
    /// That of a sink whose own error is kept elsewhere.
    #[doc(hidden)]
    #[must_use]
    pub const fn of_sink() -> Self {
        Self(())
    }
}

/// Something that writes clauses: what [`ClauseSink::write_by`] runs.
pub type Writing<'f> = dyn FnMut(&mut Writer<'_>) -> Result<(), Full> + 'f;

/// Takes the clauses of an encoding, and hands out its auxiliaries.
///
/// Clauses that enforce go to [`clause`](Self::clause), those that only say what auxiliaries mean to
/// [`define`](Self::define); [`lit`](Self::lit) is a fresh auxiliary. An encoding gives up when either fails.
///
/// ```
/// use cnfkit::{ClauseSink, Cnf, Lit};
/// let mut cnf = Cnf::new();
/// let x = cnf.new_lits(2);
/// // and ↔ x0 ∧ x1, and one of the two is false.
/// cnf.write_by(&mut |to| {
///     let and = to.lit();
///     to.define(&[!x[0], !x[1], and])?;
///     to.define(&[!and, x[0]])?;
///     to.define(&[!and, x[1]])?;
///     to.clause(&[!and])
/// })?;
/// assert_eq!((cnf.n_vars(), cnf.n_clauses()), (3, 4));
/// # Ok::<(), cnfkit::CapacityError>(())
/// ```
pub struct Writer<'w> {
    lits: Vec<Lit>,
    /// Where each clause ends in `lits`; in a chunk, definitions have the highest bit, too.
    ends: Vec<u32>,
    /// More literals, or clauses, than these go the long way.
    most_lits: usize,
    most_ends: usize,
    /// Literals with this index, or above, are of variables that are not known; the first that is free in a `Cnf`.
    unknown: u32,
    /// The mark of a definition.
    mark: u32,
    /// The negated condition, for clauses that enforce.
    guards: Vec<Lit>,
    /// The condition contradicts itself: nothing is enforced.
    is_void: bool,
    /// The size of what was written, in builds with debug assertions, without the first guards.
    written: Size,
    outer_guards: usize,
    behind: Behind<'w>,
}

/// The destination behind the vectors of a writer.
enum Behind<'w> {
    /// Nothing: they are those of a formula. What did not fit is kept for the error.
    Formula(Size),
    /// Clauses are counted, and forgotten.
    Count {
        vars: u32,
        size: Size,
    },
    Sink(&'w mut dyn Chunks),
}

/// A sink that takes chunks, without its error type.
trait Chunks {
    fn writes(&mut self, constraint: Option<&dyn fmt::Display>);
    fn take(&mut self, lits: &[Lit], ends: &[u32]) -> Result<(), Full>;
    fn new_lit(&mut self) -> Lit;
    fn next_var(&self) -> Var;
}

impl Writer<'_> {
    /// Takes one clause, which enforces something. The empty clause makes the formula unsatisfiable.
    ///
    /// # Errors
    /// When the sink takes no more.
    #[inline]
    pub fn clause(&mut self, clause: &[Lit]) -> Result<(), Full> {
        self.note(Size::clause(clause.len() + self.guards.len() - self.outer_guards));
        if self.guards.is_empty() && !self.is_void {
            return self.put(clause, 0);
        }
        // The rare paths get numbers, not the clause, so that a caller's array can stay in registers: memory that is
        // written as literals and read as pairs of them costs more than all else.
        match *clause {
            [a, b] => self.guard_two(a, b),
            [a, b, c] => self.guard_three(a, b, c),
            [a, b, c, d] => self.guard_four(a, b, c, d),
            _ => self.guard(clause),
        }
    }

    /// Takes a clause that only defines auxiliaries: see [`ClauseSink::define`].
    ///
    /// # Errors
    /// As [`clause`](Self::clause).
    #[inline]
    pub fn define(&mut self, clause: &[Lit]) -> Result<(), Full> {
        self.note(Size::clause(clause.len()));
        self.put(clause, self.mark)
    }

    /// The positive literal of a fresh variable.
    ///
    /// # Panics
    /// When rustsat's variables run out; the size that was announced is refused before that.
    #[inline]
    pub fn lit(&mut self) -> Lit {
        self.note(Size::variables(1));
        match &mut self.behind {
            Behind::Formula(_) => {
                // Unlike `Lit::positive`, this is inlined.
                let lit = Lit::positive_with_error(self.unknown / 2).expect("no more variables than rustsat has");
                self.unknown = self.unknown.saturating_add(2);
                lit
            }
            Behind::Count { vars, size } => {
                let lit = Lit::positive((*vars).min(Var::MAX_IDX - 1));
                *vars = vars.saturating_add(1);
                size.vars += 1;
                lit
            }
            Behind::Sink(sink) => sink.new_lit(),
        }
    }

    /// `n` fresh positive literals.
    pub fn lits(&mut self, n: usize) -> Vec<Lit> {
        (0..n).map(|_| self.lit()).collect()
    }

    #[inline]
    fn note(&mut self, size: Size) {
        if cfg!(debug_assertions) {
            self.written += size;
        }
    }

    /// The size of what `write` writes, the guards that it finds aside: in builds with debug assertions.
    pub(crate) fn counting(&mut self, write: impl FnOnce(&mut Self) -> Result<(), Full>) -> Result<Size, Full> {
        let before = (self.written, self.outer_guards);
        (self.written, self.outer_guards) = (Size::ZERO, self.guards.len());
        let written = write(self);
        let size = self.written;
        (self.written, self.outer_guards) = before;
        self.written += size;
        written.map(|()| size)
    }

    #[inline]
    fn put(&mut self, clause: &[Lit], mark: u32) -> Result<(), Full> {
        // Lengths that are known when this is compiled take no branch and no loop.
        match *clause {
            [a, b] => self.put_array([a, b], mark),
            [a, b, c] => self.put_array([a, b, c], mark),
            [a, b, c, d] => self.put_array([a, b, c, d], mark),
            _ => self.put_slice(clause, mark),
        }
    }

    #[inline]
    fn put_array<const N: usize>(&mut self, clause: [Lit; N], mark: u32) -> Result<(), Full> {
        let highest = clause.iter().fold(0, |highest, lit| lit.lidx().max(highest)) as u32;
        if self.is_rare(highest, N) {
            self.make_room(highest, N)?;
        }
        self.lits.extend_from_slice(&clause);
        self.ends.push(self.lits.len() as u32 | mark);
        Ok(())
    }

    fn put_slice(&mut self, clause: &[Lit], mark: u32) -> Result<(), Full> {
        let highest = clause.iter().fold(0, |highest, lit| lit.lidx().max(highest)) as u32;
        if self.is_rare(highest, clause.len()) {
            self.make_room(highest, clause.len())?;
        }
        self.lits.extend_from_slice(clause);
        self.ends.push(self.lits.len() as u32 | mark);
        Ok(())
    }

    #[inline]
    fn is_rare(&self, highest: u32, len: usize) -> bool {
        self.lits.len() + len > self.most_lits || self.ends.len() >= self.most_ends || highest >= self.unknown
    }

    /// Before a clause of `len` literals, of which `highest` is the index, that does not fit or has unknown variables.
    #[cold]
    fn make_room(&mut self, highest: u32, len: usize) -> Result<(), Full> {
        let least = if len == 0 { 0 } else { highest / 2 + 1 };
        match &mut self.behind {
            Behind::Formula(refused) => {
                let known = least.max(self.unknown / 2);
                let fits = self.lits.len() + len <= self.most_lits && self.ends.len() < self.most_ends;
                if !fits || known > Var::MAX_IDX {
                    *refused = Size { vars: (known - self.unknown / 2).into(), ..Size::clause(len) };
                    return Err(Full(()));
                }
                self.unknown = 2 * known;
                return Ok(());
            }
            Behind::Count { vars, size } => {
                let known = least.max(*vars);
                size.vars += u64::from(known - *vars);
                *vars = known;
                *size += Size::clause(len);
            }
            Behind::Sink(sink) => sink.take(&self.lits, &self.ends)?,
        }
        self.lits.clear();
        self.ends.clear();
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn guard_two(&mut self, a: Lit, b: Lit) -> Result<(), Full> {
        self.guard(&[a, b])
    }

    #[cold]
    #[inline(never)]
    fn guard_three(&mut self, a: Lit, b: Lit, c: Lit) -> Result<(), Full> {
        self.guard(&[a, b, c])
    }

    #[cold]
    #[inline(never)]
    fn guard_four(&mut self, a: Lit, b: Lit, c: Lit, d: Lit) -> Result<(), Full> {
        self.guard(&[a, b, c, d])
    }

    /// A clause that enforces, under the condition.
    fn guard(&mut self, clause: &[Lit]) -> Result<(), Full> {
        if self.is_void {
            return Ok(());
        }
        if clause.iter().any(|&lit| self.guards.contains(&!lit)) {
            return Ok(()); // the condition itself satisfies it
        }
        // The guards lie in front of it for as long as it takes.
        let guards = self.guards.len();
        let mut whole = std::mem::take(&mut self.guards);
        for &lit in clause {
            if !whole[..guards].contains(&lit) {
                whole.push(lit);
            }
        }
        let put = self.put(&whole, 0);
        whole.truncate(guards);
        self.guards = whole;
        put
    }

    /// Runs `write` with more guards before clauses that enforce.
    pub(crate) fn under(&mut self, guards: &[Lit], is_void: bool, write: &mut Writing<'_>) -> Result<(), Full> {
        let (before, was_void) = (self.guards.len(), self.is_void);
        self.guards.extend_from_slice(guards);
        self.is_void |= is_void;
        let written = write(self);
        self.guards.truncate(before);
        self.is_void = was_void;
        written
    }

    /// Tells the sink of the constraint whose clauses `write` writes: see [`ClauseSink::writes`].
    pub(crate) fn writing(&mut self, constraint: &dyn fmt::Display, write: &mut Writing<'_>) -> Result<(), Full> {
        self.tell(Some(constraint))?;
        let written = write(self);
        if written.is_err() && matches!(self.behind, Behind::Sink(_)) {
            // What the sink refused is not sent again.
            self.lits.clear();
            self.ends.clear();
        }
        written.and(self.tell(None))
    }

    fn tell(&mut self, constraint: Option<&dyn fmt::Display>) -> Result<(), Full> {
        if let Behind::Sink(sink) = &mut self.behind {
            let taken = sink.take(&self.lits, &self.ends);
            self.lits.clear();
            self.ends.clear();
            sink.writes(constraint);
            return taken;
        }
        Ok(())
    }

    /// The size of what was written so far, by a writer that counts.
    fn counted(&self) -> Size {
        match self.behind {
            Behind::Count { size, .. } => size,
            _ => Size::ZERO,
        }
    }
}

impl<'w> Writer<'w> {
    fn new(lits: Vec<Lit>, ends: Vec<u32>, behind: Behind<'w>) -> Self {
        Self {
            lits,
            ends,
            most_lits: CHUNK,
            most_ends: CHUNK,
            unknown: u32::MAX,
            mark: DEFINITION,
            guards: Vec::new(),
            is_void: false,
            written: Size::ZERO,
            outer_guards: 0,
            behind,
        }
    }
}

impl ClauseSink for Writer<'_> {
    type Error = Full;

    #[inline]
    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), Full> {
        self.clause(clause)
    }

    #[inline]
    fn define(&mut self, clause: &[Lit]) -> Result<(), Full> {
        Writer::define(self, clause)
    }

    #[inline]
    fn new_lit(&mut self) -> Lit {
        self.lit()
    }

    fn next_var(&self) -> Var {
        match &self.behind {
            Behind::Formula(_) => Var::new(self.unknown / 2),
            Behind::Count { vars, .. } => Var::new((*vars).min(Var::MAX_IDX)),
            Behind::Sink(sink) => sink.next_var(),
        }
    }

    fn write_by(&mut self, write: &mut Writing<'_>) -> Result<(), Full> {
        write(self)
    }
}

impl fmt::Debug for Writer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer")
            .field("clauses", &self.ends.len())
            .field("guards", &self.guards)
            .finish_non_exhaustive()
    }
}

/// The vectors of a formula while they are lent to a writer.
pub(crate) struct Flat<'c> {
    pub(crate) lits: &'c mut Vec<Lit>,
    pub(crate) ends: &'c mut Vec<u32>,
    pub(crate) n_vars: &'c mut u32,
    /// Literals and clauses that fit.
    pub(crate) limit: Size,
}

/// Writes to the vectors of a formula.
///
/// # Errors
/// The size of a clause that does not fit.
pub(crate) fn in_place(formula: &mut Flat<'_>, write: &mut Writing<'_>) -> Result<(), Size> {
    let behind = Behind::Formula(Size::ZERO);
    let mut writer = Writer::new(std::mem::take(formula.lits), std::mem::take(formula.ends), behind);
    writer.most_lits = formula.limit.lits as usize;
    writer.most_ends = formula.limit.clauses as usize;
    writer.unknown = 2 * *formula.n_vars;
    writer.mark = 0;
    let written = write(&mut writer);
    (*formula.lits, *formula.ends, *formula.n_vars) = (writer.lits, writer.ends, writer.unknown / 2);
    match (written, writer.behind) {
        (Err(_), Behind::Formula(refused)) => Err(refused),
        _ => Ok(()),
    }
}

/// The size of what is written beside `n_vars` variables, which are known.
pub(crate) fn measured(n_vars: u32, write: &mut Writing<'_>) -> Size {
    let mut writer = Writer::new(Vec::new(), Vec::new(), Behind::Count { vars: n_vars, size: Size::ZERO });
    // Every clause goes the long way, where it is counted.
    writer.most_ends = 0;
    match write(&mut writer) {
        Ok(()) | Err(_) => writer.counted(),
    }
}

thread_local! {
    /// The vectors of the last chunk: most constraints are small, and need no allocation of their own.
    static VECTORS: Cell<(Vec<Lit>, Vec<u32>)> = const { Cell::new((Vec::new(), Vec::new())) };
}

/// Writes to any sink, in chunks.
///
/// # Errors
/// As the sink fails: then it has taken what came before, and what came after is lost.
pub fn in_chunks<S: ClauseSink + ?Sized>(sink: &mut S, write: &mut Writing<'_>) -> Result<(), S::Error> {
    in_chunks_of(CHUNK, sink, write)
}

/// [`in_chunks`] of at most so many clauses.
pub(crate) fn in_chunks_of<S: ClauseSink + ?Sized>(
    most: usize,
    sink: &mut S,
    write: &mut Writing<'_>,
) -> Result<(), S::Error> {
    let mut into = Into { sink, error: None };
    let written = through(most, &mut into, write);
    match (written, into.error) {
        (Err(_), Some(error)) => Err(error),
        // Nothing else makes a `Full`.
        _ => Ok(()),
    }
}

/// The part of [`in_chunks`] that is the same for all sinks.
fn through(most: usize, sink: &mut dyn Chunks, write: &mut Writing<'_>) -> Result<(), Full> {
    let (lits, ends) = VECTORS.take();
    let mut writer = Writer::new(lits, ends, Behind::Sink(sink));
    writer.most_ends = most.min(CHUNK);
    let mut written = write(&mut writer);
    let Writer { mut lits, mut ends, behind, .. } = writer;
    if let (Ok(()), Behind::Sink(sink)) = (written, behind) {
        written = sink.take(&lits, &ends);
    }
    lits.clear();
    ends.clear();
    VECTORS.set((lits, ends));
    written
}

/// A sink, and the error that it failed with.
struct Into<'s, S: ClauseSink + ?Sized> {
    sink: &'s mut S,
    error: Option<S::Error>,
}

impl<S: ClauseSink + ?Sized> Chunks for Into<'_, S> {
    fn writes(&mut self, constraint: Option<&dyn fmt::Display>) {
        self.sink.writes(constraint);
    }

    fn take(&mut self, lits: &[Lit], ends: &[u32]) -> Result<(), Full> {
        let mut start = 0;
        for &end in ends {
            let to = (end & !DEFINITION) as usize;
            let clause = &lits[start..to];
            let sent = if end >= DEFINITION { self.sink.define(clause) } else { self.sink.add_clause(clause) };
            if let Err(error) = sent {
                self.error = Some(error);
                return Err(Full(()));
            }
            start = to;
        }
        Ok(())
    }

    fn new_lit(&mut self) -> Lit {
        self.sink.new_lit()
    }

    fn next_var(&self) -> Var {
        self.sink.next_var()
    }
}
