//! From a board to its formula, without the clauses that neighbouring numbers repeat.
//!
//! A number with n unknown neighbours and k traps left says, in the combinatorial encoding, *not all of these* for
//! every k + 1 of them and *one of these* for every n − k + 1. Two numbers say the same clause, or one a part of the
//! other's, only if they share enough unknown neighbours. So each clause is held against the few numbers near by, as
//! bits over the number's own neighbours; no clause is stored twice or hashed.

use rustc_hash::FxHashSet;
use rustsat::types::{Lit, Var};

use super::board::GemBoard;
use super::overlap::Overlap;
use super::rules;
use cnfkit_core::internals::sort;
use cnfkit_core::{CapacityError, CardEncoding, ClauseSink, Cnf, Combinatorial, Constrain, Formula, Layer};

/// The treatment of clauses that others make superfluous.
///
/// ```
/// use cnfkit::gem_hunter::Redundancy;
/// use cnfkit::{GemHunterEncoder, GemMap};
/// let map: GemMap = "_, 2, _\n_, 3, _\n_, _, _".parse()?;
/// let encoder = GemHunterEncoder::new(map);
/// let clauses = |redundancy| encoder.clone().redundancy(redundancy).encode().map(|cnf| cnf.n_clauses());
/// let [all, once, least] = [Redundancy::Keep, Redundancy::NoDuplicates, Redundancy::NoSubsumed].map(clauses);
/// let (all, once, least) = (all?, once?, least?);
/// assert!(all >= once && once >= least && least > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Redundancy {
    /// Every number's clauses, as they come.
    Keep,
    /// Each clause once.
    #[default]
    NoDuplicates,
    /// Each clause once, and none that contains another number's clause. Only the combinatorial encoding knows what
    /// contains what; with any other this is [`NoDuplicates`](Self::NoDuplicates).
    NoSubsumed,
}

/// The choices by which [`cnf`] writes a board.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoardPlan {
    pub(super) encoding: CardEncoding,
    pub(super) redundancy: Redundancy,
    pub(super) traps: Option<usize>,
}

impl BoardPlan {
    /// Subsets of the whole board are too many: its total is counted by an encoding with auxiliaries.
    pub(super) fn total_encoding(&self) -> CardEncoding {
        if self.encoding == CardEncoding::Combinatorial { CardEncoding::Auto } else { self.encoding }
    }
}

/// The whole board as a formula.
pub(super) fn cnf(board: &GemBoard, plan: &BoardPlan) -> Result<Cnf, CapacityError> {
    let mut cnf = Cnf::with_vars(board.map.cells().len());
    numbers(board, plan, &mut cnf)?;
    if let Some(traps) = plan.traps {
        let cells = in_order(board, traps, &cnf)?;
        rules::total(board, traps, &cells, plan.total_encoding(), &mut cnf.keep_order())?;
    }
    Ok(cnf)
}

/// The unknown cells in the order that a [`Formula`] finds, for their total: cells that numbers connect stand together.
/// Row by row, solvers need 1.5 to 4 times the conflicts on boards from 30 × 30 on.
fn in_order(board: &GemBoard, traps: usize, numbers: &Cnf) -> Result<Vec<Lit>, CapacityError> {
    let mut formula = Formula::with_vars(numbers.n_vars());
    numbers.clauses().try_for_each(|clause| formula.add_clause(clause))?;
    let mut cells: Vec<Lit> = board.unknown().map(rules::trap).collect();
    rules::total(board, traps, &cells, CardEncoding::Auto, &mut formula)?;
    let mut place = vec![0; numbers.n_vars()];
    formula.sequence().iter().zip(0_u64..).for_each(|(var, at)| place[var.idx()] = at);
    sort::by_key(&mut cells, |lit| place[lit.vidx()]);
    Ok(cells)
}

/// All numbers. The default encoding is known at compile time, for speed.
fn numbers(board: &GemBoard, plan: &BoardPlan, cnf: &mut Cnf) -> Result<(), CapacityError> {
    let lits = &mut Vec::new();
    let redundancy = plan.redundancy;
    let is_combinatorial = plan.encoding == CardEncoding::Combinatorial;
    let mut all = 0..board.n_numbers();
    if redundancy == Redundancy::Keep {
        return if is_combinatorial {
            all.try_for_each(|number| rules::number(board, number, &Combinatorial, lits, cnf))
        } else {
            all.try_for_each(|number| rules::number(board, number, &plan.encoding, lits, cnf))
        };
    }
    if board.impossible().next().is_some() {
        cnf.add_clause(&[])?; // once, and it contains no other clause
        if redundancy == Redundancy::NoSubsumed {
            return Ok(());
        }
    }
    let mut possible = all.filter(|&number| !board.is_impossible(number));
    if is_combinatorial && (0..board.n_numbers()).all(|number| board.open(number).len() <= Overlap::MOST) {
        let mut filter = Nearby::new(board, redundancy, cnf);
        return possible.try_for_each(|number| {
            filter.look_around(number);
            rules::number(board, number, &Combinatorial, lits, &mut filter)
        });
    }
    let inputs = cnf.next_var();
    let mut filter = Hashed { cnf, inputs, seen: FxHashSet::default() };
    possible.try_for_each(|number| rules::number(board, number, &plan.encoding, lits, &mut filter))
}

/// Passes on the clauses of one number that no number near by says already.
struct Nearby<'a> {
    board: &'a GemBoard,
    redundancy: Redundancy,
    cnf: &'a mut Cnf,
    overlap: Overlap,
    /// For each number, the lengths of its clauses.
    sizes: Vec<[u32; 2]>,
    /// For *not all of these* and for *one of these*: any `size` of the cells of `shared` are said elsewhere.
    said: [Vec<SharedCells>; 2],
}

struct SharedCells {
    shared: u64,
    size: u32,
}

impl<'a> Nearby<'a> {
    fn new(board: &'a GemBoard, redundancy: Redundancy, cnf: &'a mut Cnf) -> Self {
        let sizes = (0..board.n_numbers()).map(|number| sizes(board, number)).collect();
        Self { board, redundancy, cnf, overlap: Overlap::new(board), sizes, said: [Vec::new(), Vec::new()] }
    }

    /// Prepares for the clauses of `number`, which is possible.
    fn look_around(&mut self, number: usize) {
        let Self { board, redundancy, overlap, sizes, said, .. } = self;
        overlap.look_around(board, board.open(number).iter().copied());
        said.iter_mut().for_each(Vec::clear);
        let mine = sizes[number];
        let shorter_too = *redundancy == Redundancy::NoSubsumed;
        for &(other, shared) in overlap.near() {
            let other = other as usize;
            for ((said, &size), mine) in said.iter_mut().zip(&sizes[other]).zip(mine) {
                let is_said = (size == mine && other < number) || (size < mine && shorter_too);
                if is_said && size <= shared.count_ones() {
                    said.push(SharedCells { shared, size });
                }
            }
        }
    }
}

/// The lengths of a number's clauses: *not all of these*, *one of these*. Longer than it has neighbours: none.
fn sizes(board: &GemBoard, number: usize) -> [u32; 2] {
    if board.is_impossible(number) {
        return [u32::MAX; 2];
    }
    let (n, need) = (board.open(number).len() as u32, board.need(number).cast_unsigned());
    [need + 1, n - need + 1]
}

impl Layer for Nearby<'_> {
    type Inner = Cnf;

    fn inner(&self) -> &Cnf {
        self.cnf
    }

    fn inner_mut(&mut self) -> &mut Cnf {
        self.cnf
    }

    #[inline]
    fn pass_clause(&mut self, clause: &[Lit]) -> Result<(), CapacityError> {
        if let Some(first) = clause.first() {
            let said = &self.said[usize::from(first.is_pos())];
            if !said.is_empty() {
                let mask = clause.iter().fold(0, |mask, lit| mask | self.overlap.bit(lit.vidx()));
                if said.iter().any(|said| (mask & said.shared).count_ones() >= said.size) {
                    return Ok(());
                }
            }
        }
        self.cnf.add_clause(clause)
    }

    fn pass_definition(&mut self, clause: &[Lit]) -> Result<(), CapacityError> {
        self.pass_clause(clause)
    }
}

/// Passes on each clause over cells once, whatever the encoding.
struct Hashed<'a> {
    cnf: &'a mut Cnf,
    inputs: Var,
    seen: FxHashSet<Box<[Lit]>>,
}

impl Layer for Hashed<'_> {
    type Inner = Cnf;

    fn inner(&self) -> &Cnf {
        self.cnf
    }

    fn inner_mut(&mut self) -> &mut Cnf {
        self.cnf
    }

    fn pass_clause(&mut self, clause: &[Lit]) -> Result<(), CapacityError> {
        if clause.iter().all(|lit| lit.var() < self.inputs) {
            let mut sorted: Box<[Lit]> = clause.into();
            sorted.sort_unstable();
            if !self.seen.insert(sorted) {
                return Ok(());
            }
        }
        self.cnf.add_clause(clause)
    }

    fn pass_definition(&mut self, clause: &[Lit]) -> Result<(), CapacityError> {
        self.pass_clause(clause)
    }
}
