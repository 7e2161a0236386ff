//! The open cells of 9×9 boxes, as clauses that the solver reads only when it needs them.
//!
//! The clauses are those of the pairwise rules (a cell or a group has something for each value, two candidates exclude
//! each other) and of locked candidates, over the same literals: see [`LazyClauses`]. Boards of bits say what they
//! imply.

use crate::deduce::Nine;
use crate::deduce::nine::{BOXES, PEERS, PERMUTATIONS, ROWS};
use crate::residue::Residue;
use crate::rules::{ConstraintSet, RuleForm};
use cnfkit_core::AmoEncoding;
use cnfkit_core::internals::{LazyClauses, RawLit, Refuted, Session, Trail, raw};

/// Has the solver look up the clauses of 9×9 boxes, if it can and these are the ones; says whether it does.
pub(super) fn attach(residue: &Residue, session: &mut Session, form: RuleForm) -> bool {
    let (Some(nine), RuleForm { set: ConstraintSet::Extended, amo: AmoEncoding::Pairwise }) = (residue.nine(), form)
    else {
        return false;
    };
    let open = residue.open().map(|(cell, value)| (cell, value - 1));
    session.attach(Box::new(LazyNine::new(nine, open)))
}

/// Rows, columns, boxes: the cells of each, a word per band.
const fn groups() -> [[u32; 3]; 27] {
    let mut groups = [[0; 3]; 27];
    let mut i = 0;
    while i < 9 {
        groups[i][i / 3] = 511 << (9 * (i % 3));
        groups[9 + i] = [ROWS << i; 3];
        groups[18 + i][i / 3] = (7 * ROWS) << (3 * (i % 3));
        i += 1;
    }
    groups
}
static GROUPS: [[u32; 3]; 27] = groups();

/// The groups of a cell.
#[inline]
const fn groups_of(cell: usize) -> [usize; 3] {
    [cell / 9, 9 + cell % 9, 18 + cell / 27 * 3 + cell % 9 / 3]
}

/// The number of places of a digit in a group where it is true: so many that it never falls to the last one.
const SETTLED: u8 = 100;
/// No candidate's variable.
const NO_VAR: u32 = u32::MAX;

/// The clause that implied a literal.
#[derive(Clone, Copy)]
enum ReasonClause {
    /// The cell has nothing else left.
    Cell,
    /// The group has no other place for the digit left.
    Group(u8),
    /// A candidate of this variable holds.
    Clash(u16),
    /// The digit's places in group `from` are all within group `to`, too.
    Locked { from: u8, to: u8 },
}

/// The candidates that may still hold, after some decisions.
#[derive(Clone)]
struct CandidateState {
    digits: [[u32; 3]; 9],
    /// The digits that each cell may have, digit d as bit d.
    cells: [u16; 81],
    /// The number of places that a digit has left in a group; [`SETTLED`] and less once it is true in one.
    left: [[u8; 27]; 9],
    /// The cells of which some candidate is true.
    settled: [u32; 3],
    /// The digits to look at for locked candidates, as bits.
    changed: u16,
}

pub(crate) struct LazyNine {
    /// The candidates there were before the first decision.
    digits: [[u32; 3]; 9],
    now: CandidateState,
    before: Vec<CandidateState>,
    /// The variable of each digit in each cell.
    vars: Vec<[u16; 81]>,
    /// The cell and digit of each variable.
    candidates: Vec<(u8, u8)>,
    /// The reason why each variable is false, and why it is true.
    why_false: Vec<ReasonClause>,
    why_true: Vec<ReasonClause>,
    /// A clause, or why a literal holds.
    clause: Vec<RawLit>,
}

impl LazyNine {
    /// `open` gives the variables in order, from 0: the cell and the digit (from 0) of each. Of `nine` everything else
    /// must be settled, and all singles found.
    pub(crate) fn new(nine: &Nine, open: impl Iterator<Item = (usize, usize)>) -> Self {
        let mut lazy = Self::without_candidates(nine);
        for (cell, digit) in open {
            lazy.vars[digit][cell] = lazy.candidates.len() as u16;
            lazy.candidates.push((cell as u8, digit as u8));
        }
        lazy.why_false = vec![ReasonClause::Cell; lazy.candidates.len()];
        lazy.why_true = lazy.why_false.clone();
        lazy
    }

    fn without_candidates(nine: &Nine) -> Self {
        let digits: [[u32; 3]; 9] = std::array::from_fn(|digit| nine.places(digit));
        let left = digits.map(|places| {
            GROUPS
                .map(|group| places.iter().zip(group).map(|(places, group)| (places & group).count_ones() as u8).sum())
        });
        let cells = std::array::from_fn(|cell| {
            (0..9).fold(0, |all, digit| all | ((digits[digit][cell / 27] >> (cell % 27) & 1) as u16) << digit)
        });
        let mut settled = [0; 3];
        for (cell, here) in cells.iter().enumerate().filter(|(_, here)| here.is_power_of_two()) {
            debug_assert_ne!(*here, 0);
            settled[cell / 27] |= 1 << (cell % 27);
        }
        Self {
            digits,
            now: CandidateState { digits, cells, left, settled, changed: 0 },
            before: Vec::with_capacity(32),
            vars: vec![[u16::MAX; 81]; 9],
            candidates: Vec::with_capacity(256),
            why_false: Vec::new(),
            why_true: Vec::new(),
            clause: Vec::with_capacity(16),
        }
    }

    /// Writes down the candidates of a cell, as literals of this value, without that of one variable.
    fn of_cell(&mut self, cell: usize, without: u32, value: bool) {
        self.clause.clear();
        for (digit, places) in self.digits.iter().enumerate() {
            let var = u32::from(self.vars[digit][cell]);
            if places[cell / 27] >> (cell % 27) & 1 == 1 && var != without {
                self.clause.push(raw(var, value));
            }
        }
    }

    /// Writes down the places of a digit in `cells`, as literals of this value, without that of one variable.
    fn of_places(&mut self, digit: usize, cells: [u32; 3], without: u32, value: bool) {
        self.clause.clear();
        for (band, cells) in cells.into_iter().enumerate() {
            let mut places = self.digits[digit][band] & cells;
            while places != 0 {
                let var = u32::from(self.vars[digit][27 * band + places.trailing_zeros() as usize]);
                places &= places - 1;
                if var != without {
                    self.clause.push(raw(var, value));
                }
            }
        }
    }

    /// A candidate is true: whatever else its cell and its groups had goes.
    fn hold(&mut self, trail: &mut Trail, cell: usize, digit: usize) -> Result<(), Refuted> {
        let why = ReasonClause::Clash(self.vars[digit][cell]);
        self.now.settled[cell / 27] |= 1 << (cell % 27);
        self.now.changed |= 1 << digit;
        for group in groups_of(cell) {
            self.now.left[digit][group] = SETTLED;
        }
        let mut others = self.now.cells[cell] & !(1 << digit);
        while others != 0 {
            self.remove(trail, cell, others.trailing_zeros() as usize, why)?;
            others &= others - 1;
        }
        let mut peers = PEERS[cell].into_iter().enumerate();
        peers.try_for_each(|(band, peers)| self.remove_all(trail, digit, band, peers, why))
    }

    #[inline]
    fn remove_all(
        &mut self,
        trail: &mut Trail,
        digit: usize,
        band: usize,
        places: u32,
        why: ReasonClause,
    ) -> Result<(), Refuted> {
        let mut places = places & self.now.digits[digit][band];
        while places != 0 {
            self.remove(trail, 27 * band + places.trailing_zeros() as usize, digit, why)?;
            places &= places - 1;
        }
        Ok(())
    }

    #[inline]
    fn remove(&mut self, trail: &mut Trail, cell: usize, digit: usize, why: ReasonClause) -> Result<(), Refuted> {
        let var = self.vars[digit][cell];
        self.why_false[usize::from(var)] = why;
        trail.imply(raw(var.into(), false))?;
        self.miss(trail, cell, digit)
    }

    /// A candidate is false: what has one candidate left gets it.
    #[inline]
    fn miss(&mut self, trail: &mut Trail, cell: usize, digit: usize) -> Result<(), Refuted> {
        self.now.digits[digit][cell / 27] &= !(1 << (cell % 27));
        self.now.cells[cell] &= !(1 << digit);
        self.now.changed |= 1 << digit;
        let here = self.now.cells[cell];
        if here & here.wrapping_sub(1) == 0 {
            self.last_digit(trail, cell)?;
        }
        for group in groups_of(cell) {
            let left = &mut self.now.left[digit][group];
            *left -= 1;
            if *left <= 1 {
                self.last_place(trail, digit, group)?;
            }
        }
        Ok(())
    }

    /// At most one digit is left for a cell.
    fn last_digit(&mut self, trail: &mut Trail, cell: usize) -> Result<(), Refuted> {
        let here = self.now.cells[cell];
        if here == 0 {
            self.of_cell(cell, NO_VAR, true);
            return Err(trail.refute(&self.clause));
        }
        self.imply(trail, cell, here.trailing_zeros() as usize, ReasonClause::Cell)
    }

    /// At most one place is left for a digit in a group.
    fn last_place(&mut self, trail: &mut Trail, digit: usize, group: usize) -> Result<(), Refuted> {
        let places = |band: usize| self.now.digits[digit][band] & GROUPS[group][band];
        let Some(band) = (0..3).find(|&band| places(band) != 0) else {
            self.of_places(digit, GROUPS[group], NO_VAR, true);
            return Err(trail.refute(&self.clause));
        };
        let cell = 27 * band + places(band).trailing_zeros() as usize;
        self.imply(trail, cell, digit, ReasonClause::Group(group as u8))
    }

    fn imply(&mut self, trail: &mut Trail, cell: usize, digit: usize, why: ReasonClause) -> Result<(), Refuted> {
        let settled = &mut self.now.settled[cell / 27];
        if *settled >> (cell % 27) & 1 == 1 {
            return Ok(());
        }
        *settled |= 1 << (cell % 27);
        let var = self.vars[digit][cell];
        self.why_true[usize::from(var)] = why;
        trail.imply(raw(var.into(), true))
    }

    /// Locked candidates of a digit.
    fn locked(&mut self, trail: &mut Trail, digit: usize) -> Result<(), Refuted> {
        for band in 0..3 {
            let places = self.now.digits[digit][band];
            let rows = [places & 511, places >> 9 & 511, places >> 18];
            let pattern = rows.iter().rev().fold(0, |all, &row| all << 3 | usize::from(BOXES[row as usize]));
            self.crossing(trail, digit, pattern, [3 * band, 3 * band + 1, 3 * band + 2], |side| 18 + 3 * band + side)?;
        }
        let columns = self.now.digits[digit].map(|places| (places | places >> 9 | places >> 18) & 511);
        for stack in 0..3 {
            let pattern = columns.iter().rev().fold(0, |all, &band| all << 3 | (band >> (3 * stack) & 7) as usize);
            self.crossing(trail, digit, pattern, [18 + stack, 21 + stack, 24 + stack], |side| 9 + 3 * stack + side)?;
        }
        Ok(())
    }

    /// Deduces where three groups cross three others: `pattern` says in bit 3·i + j whether the i-th of the one side
    /// meets the j-th of the other side in some place.
    #[inline]
    fn crossing(
        &mut self,
        trail: &mut Trail,
        digit: usize,
        pattern: usize,
        ones: [usize; 3],
        other: impl Fn(usize) -> usize,
    ) -> Result<(), Refuted> {
        if usize::from(PERMUTATIONS[pattern]) == pattern {
            return Ok(());
        }
        for (i, one) in ones.into_iter().enumerate() {
            let met = pattern >> (3 * i) & 7;
            if met.is_power_of_two() {
                self.confine(trail, digit, one, other(met.trailing_zeros() as usize))?;
            }
        }
        for j in 0..3 {
            let met = pattern >> j & 0o111;
            if met.is_power_of_two() {
                self.confine(trail, digit, other(j), ones[met.trailing_zeros() as usize / 3])?;
            }
        }
        Ok(())
    }

    /// All places of group `from` are in group `to`, which loses the others.
    fn confine(&mut self, trail: &mut Trail, digit: usize, from: usize, to: usize) -> Result<(), Refuted> {
        let why = ReasonClause::Locked { from: from as u8, to: to as u8 };
        (0..3).try_for_each(|band| self.remove_all(trail, digit, band, GROUPS[to][band] & !GROUPS[from][band], why))
    }
}

impl LazyClauses for LazyNine {
    fn propagate(&mut self, trail: &mut Trail) -> Result<(), Refuted> {
        loop {
            while let Some((var, value)) = trail.read() {
                let Some(&(cell, digit)) = self.candidates.get(var as usize) else { continue };
                let (cell, digit) = (usize::from(cell), usize::from(digit));
                if value {
                    self.hold(trail, cell, digit)?;
                } else if self.now.digits[digit][cell / 27] >> (cell % 27) & 1 == 1 {
                    self.miss(trail, cell, digit)?;
                }
            }
            if self.now.changed == 0 {
                return Ok(());
            }
            let digit = self.now.changed.trailing_zeros() as usize;
            self.now.changed &= self.now.changed - 1;
            self.locked(trail, digit)?;
        }
    }

    fn explain(&mut self, lit: RawLit) -> &[RawLit] {
        let var = lit.var().idx();
        let (cell, digit) = self.candidates[var as usize];
        let (cell, digit) = (usize::from(cell), usize::from(digit));
        let why = if lit.sign() { &self.why_true } else { &self.why_false };
        match why[var as usize] {
            ReasonClause::Cell => self.of_cell(cell, var, false),
            ReasonClause::Group(group) => self.of_places(digit, GROUPS[usize::from(group)], var, false),
            ReasonClause::Clash(other) => {
                self.clause.clear();
                self.clause.push(raw(other.into(), true));
            }
            ReasonClause::Locked { from, to } => {
                let (from, to) = (GROUPS[usize::from(from)], GROUPS[usize::from(to)]);
                self.of_places(digit, std::array::from_fn(|band| from[band] & !to[band]), var, false);
            }
        }
        &self.clause
    }

    fn push(&mut self) {
        self.before.push(self.now.clone());
    }

    fn pop(&mut self, decisions: usize) {
        let left = self.before.len() - decisions;
        if let Some(state) = self.before.drain(left..).next() {
            self.now = state;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rustsat::types::Lit;

    use super::*;
    use crate::deduce::samples;
    use crate::grid::Layout;
    use crate::rules::{self, LitBuffer};
    use cnfkit_core::ClauseSink;
    use cnfkit_core::internals::Choices;

    const MOST: usize = 150;

    type Places = Vec<(usize, usize)>;

    /// Asserts that no clause of the rules is left with one literal, and that every reason it gives holds in all
    /// solutions.
    struct Checked {
        clauses: LazyNine,
        /// The variables that are true in each.
        solutions: BTreeSet<Vec<u32>>,
    }

    impl LazyClauses for Checked {
        fn propagate(&mut self, trail: &mut Trail) -> Result<(), Refuted> {
            self.clauses.propagate(trail)?;
            let CandidateState { digits, cells, left, settled, .. } = &self.clauses.now;
            for (digit, places) in digits.iter().enumerate() {
                for (group, all) in GROUPS.iter().enumerate() {
                    let here: [u32; 3] = std::array::from_fn(|band| places[band] & all[band]);
                    let count: u32 = here.iter().map(|bits| bits.count_ones()).sum();
                    let done = here.iter().zip(settled).any(|(here, settled)| here & settled != 0);
                    assert!(count > 1 || count == 1 && done, "digit {digit} group {group}");
                    assert!(done || count == u32::from(left[digit][group]), "digit {digit} group {group}");
                }
            }
            for (cell, here) in cells.iter().enumerate() {
                let count = here.count_ones();
                assert!(count > 1 || count == 1 && settled[cell / 27] >> (cell % 27) & 1 == 1, "cell {cell}");
            }
            Ok(())
        }

        fn explain(&mut self, lit: RawLit) -> &[RawLit] {
            let reasons = self.clauses.explain(lit);
            for solution in &self.solutions {
                let holds = |lit: RawLit| solution.contains(&lit.var().idx()) == lit.sign();
                assert!(holds(lit) || !reasons.iter().all(|&reason| holds(reason)), "{lit:?} because of {reasons:?}");
            }
            reasons
        }

        fn push(&mut self) {
            self.clauses.push();
        }

        fn pop(&mut self, decisions: usize) {
            self.clauses.pop(decisions);
        }
    }

    fn open_places(nine: &Nine) -> Places {
        let all = (0..81).flat_map(|cell| (0..9).map(move |digit| (cell, digit)));
        all.filter(|&(cell, digit)| nine.is_open(digit, cell / 27, 1 << (cell % 27))).collect()
    }

    /// The solutions that a solver finds, each as its true variables.
    fn solutions(session: &mut Session, n_vars: usize) -> BTreeSet<Vec<u32>> {
        let mut found = BTreeSet::new();
        while found.len() < MOST && session.solve(&[]).unwrap() {
            let model: Vec<u32> = (0..n_vars as u32).filter(|&var| session.is_true(Lit::positive(var))).collect();
            let blocked: Vec<Lit> = model.iter().map(|&var| Lit::negative(var)).collect();
            session.add_clause(&blocked).unwrap();
            assert!(found.insert(model), "found twice");
        }
        found
    }

    fn loaded(open: &Places) -> BTreeSet<Vec<u32>> {
        let mut session = Session::new(Choices::default());
        session.new_vars(open.len()).unwrap();
        let form = RuleForm { set: ConstraintSet::Extended, amo: AmoEncoding::Pairwise };
        let here = |cell: usize| {
            let lits = open.iter().zip(0..).filter(move |((at, _), _)| *at == cell);
            lits.map(|(&(_, digit), var)| (digit + 1, Lit::positive(var)))
        };
        rules::rules(&mut session, &Layout::boxes(3, 3), &form, &mut LitBuffer::default(), here).unwrap();
        solutions(&mut session, open.len())
    }

    /// The solutions are those with all clauses loaded, whether there are none, one or many.
    #[test]
    fn has_the_solutions_of_the_rules() {
        for seed in 0..96 {
            let cells = samples::nine(seed, 30..60, 3);
            let mut nine = Nine::new();
            if nine.load(&cells).is_err() || nine.is_solved() {
                continue;
            }
            let open = open_places(&nine);
            let expected = loaded(&open);
            let mut session = Session::new(Choices::default());
            session.new_vars(open.len()).unwrap();
            let clauses = LazyNine::new(&nine, open.iter().copied());
            assert!(session.attach(Box::new(Checked { clauses, solutions: expected.clone() })));
            let found = solutions(&mut session, open.len());
            if expected.len() < MOST {
                assert_eq!(found, expected, "seed {seed}");
            } else {
                assert_eq!(found.len(), MOST, "seed {seed}");
            }
        }
    }

    /// Each needs search, and has one solution.
    #[test]
    fn proves_that_hard_puzzles_have_one_solution() {
        for text in [
            "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
            "...........732...15.9.7...28.....9......5..34.1......51.8.47..9.9...6.4.62.......",
            "..8..4.....3..........5.691.7..9.234.3..........47......1.....8..7..1.5..56..24.7",
        ] {
            let cells = std::array::from_fn(|cell| match text.as_bytes()[cell] {
                b'.' => 0,
                digit => (digit - b'0').into(),
            });
            let mut nine = Nine::new();
            nine.load(&cells).unwrap();
            let open = open_places(&nine);
            let mut session = Session::new(Choices::default());
            session.new_vars(open.len()).unwrap();
            assert!(session.attach(Box::new(LazyNine::new(&nine, open.iter().copied()))));
            assert_eq!(solutions(&mut session, open.len()).len(), 1, "{text}");
        }
    }
}
