//! What is open in 9×9 boxes, as clauses that the solver reads only when it needs them.
//!
//! The clauses are those of the pairwise rules (a cell or a group has something for each value, two candidates exclude
//! each other) and of locked candidates, over the same literals: see [`LazyClauses`]. Boards of bits say what they imply.

use rustsat::types::Lit;

use crate::puzzle::sudoku::nine::{BOXES, Nine, PEERS, PERMUTATIONS, ROWS};
use crate::session::{LazyClauses, Refuted, Trail};

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

/// Which clause implied a literal.
#[derive(Clone, Copy)]
enum Why {
    /// The cell has nothing else left.
    Cell,
    /// The group has no other place for the digit left.
    Group(u8),
    /// A candidate of this variable holds.
    Clash(u16),
    /// The digit's places in group `from` are all within group `to`, too.
    Locked { from: u8, to: u8 },
}

/// What may still hold, after some decisions.
#[derive(Clone)]
struct State {
    digits: [[u32; 3]; 9],
    /// The same by cell, digit d as bit d.
    cells: [u16; 81],
    /// How many places a digit has left in a group.
    left: [[u8; 27]; 9],
    /// The cells of which some candidate is true.
    settled: [u32; 3],
    /// The digits to look at for locked candidates, as bits.
    changed: u16,
}

pub(super) struct LazyNine {
    /// The candidates there were before the first decision.
    digits: [[u32; 3]; 9],
    now: State,
    before: Vec<State>,
    /// The variable of each digit in each cell.
    vars: Vec<[u16; 81]>,
    /// The cell and digit of each variable.
    candidates: Vec<(u8, u8)>,
    /// Why each variable is false, and why it is true.
    why_false: Vec<Why>,
    why_true: Vec<Why>,
    clause: Vec<Lit>,
}

impl LazyNine {
    /// `open` gives the variables in order, from 0: the cell and the digit (from 0) of each. Of `nine` everything else must
    /// be settled, and all singles found.
    pub(super) fn new(nine: &Nine, open: impl Iterator<Item = (usize, usize)>) -> Self {
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
        let mut vars = vec![[u16::MAX; 81]; 9];
        let mut candidates = Vec::with_capacity(256);
        for (cell, digit) in open {
            vars[digit][cell] = candidates.len() as u16;
            candidates.push((cell as u8, digit as u8));
        }
        let why = vec![Why::Cell; candidates.len()];
        Self {
            digits,
            now: State { digits, cells, left, settled, changed: 0 },
            before: Vec::with_capacity(32),
            vars,
            candidates,
            why_false: why.clone(),
            why_true: why,
            clause: Vec::with_capacity(16),
        }
    }

    fn lit(&self, cell: usize, digit: usize) -> Lit {
        Lit::positive(self.vars[digit][cell].into())
    }

    /// All candidates of a cell.
    fn cell_clause(&self, cell: usize, clause: &mut Vec<Lit>) {
        let digits = (0..9).filter(|&digit| self.digits[digit][cell / 27] >> (cell % 27) & 1 == 1);
        clause.extend(digits.map(|digit| self.lit(cell, digit)));
    }

    /// All places of a digit in one group, without those in another.
    fn group_clause(&self, digit: usize, group: usize, without: Option<usize>, clause: &mut Vec<Lit>) {
        for band in 0..3 {
            let mut places = self.digits[digit][band] & GROUPS[group][band];
            if let Some(without) = without {
                places &= !GROUPS[without][band];
            }
            while places != 0 {
                clause.push(self.lit(27 * band + places.trailing_zeros() as usize, digit));
                places &= places - 1;
            }
        }
    }

    /// A candidate is true: whatever else its cell and its groups had goes.
    fn hold(&mut self, trail: &mut Trail, cell: usize, digit: usize) -> Result<(), Refuted> {
        let why = Why::Clash(self.vars[digit][cell]);
        self.now.settled[cell / 27] |= 1 << (cell % 27);
        self.now.changed |= 1 << digit;
        let mut others = self.now.cells[cell] & !(1 << digit);
        while others != 0 {
            self.remove(trail, cell, others.trailing_zeros() as usize, why)?;
            others &= others - 1;
        }
        for band in 0..3 {
            self.remove_all(trail, digit, band, PEERS[cell][band], why)?;
        }
        Ok(())
    }

    #[inline]
    fn remove_all(
        &mut self,
        trail: &mut Trail,
        digit: usize,
        band: usize,
        places: u32,
        why: Why,
    ) -> Result<(), Refuted> {
        let mut places = places & self.now.digits[digit][band];
        while places != 0 {
            self.remove(trail, 27 * band + places.trailing_zeros() as usize, digit, why)?;
            places &= places - 1;
        }
        Ok(())
    }

    #[inline]
    fn remove(&mut self, trail: &mut Trail, cell: usize, digit: usize, why: Why) -> Result<(), Refuted> {
        let var = self.vars[digit][cell];
        self.why_false[usize::from(var)] = why;
        trail.imply(Lit::negative(var.into()))?;
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
            let mut clause = std::mem::take(&mut self.clause);
            clause.clear();
            self.cell_clause(cell, &mut clause);
            self.clause = clause;
            return Err(trail.refute(&self.clause));
        }
        self.imply(trail, cell, here.trailing_zeros() as usize, Why::Cell)
    }

    /// At most one place is left for a digit in a group.
    fn last_place(&mut self, trail: &mut Trail, digit: usize, group: usize) -> Result<(), Refuted> {
        let places = |band: usize| self.now.digits[digit][band] & GROUPS[group][band];
        let Some(band) = (0..3).find(|&band| places(band) != 0) else {
            let mut clause = std::mem::take(&mut self.clause);
            clause.clear();
            self.group_clause(digit, group, None, &mut clause);
            self.clause = clause;
            return Err(trail.refute(&self.clause));
        };
        let cell = 27 * band + places(band).trailing_zeros() as usize;
        self.imply(trail, cell, digit, Why::Group(group as u8))
    }

    fn imply(&mut self, trail: &mut Trail, cell: usize, digit: usize, why: Why) -> Result<(), Refuted> {
        let settled = &mut self.now.settled[cell / 27];
        if *settled >> (cell % 27) & 1 == 1 {
            return Ok(());
        }
        *settled |= 1 << (cell % 27);
        let var = self.vars[digit][cell];
        self.why_true[usize::from(var)] = why;
        trail.imply(Lit::positive(var.into()))
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

    /// Where three groups cross three others: `pattern` says in bit 3·i + j whether the i-th of the one side meets the j-th
    /// of the other side in some place.
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
        let why = Why::Locked { from: from as u8, to: to as u8 };
        (0..3).try_for_each(|band| self.remove_all(trail, digit, band, GROUPS[to][band] & !GROUPS[from][band], why))
    }
}

impl LazyClauses for LazyNine {
    fn propagate(&mut self, trail: &mut Trail) -> Result<(), Refuted> {
        loop {
            while let Some(lit) = trail.next() {
                let Some(&(cell, digit)) = self.candidates.get(lit.vidx()) else { continue };
                let (cell, digit) = (usize::from(cell), usize::from(digit));
                if lit.is_pos() {
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

    fn explain(&mut self, lit: Lit, others: &mut Vec<Lit>) {
        let (cell, digit) = self.candidates[lit.vidx()];
        let (cell, digit) = (usize::from(cell), usize::from(digit));
        match if lit.is_pos() { self.why_true[lit.vidx()] } else { self.why_false[lit.vidx()] } {
            Why::Cell => self.cell_clause(cell, others),
            Why::Group(group) => self.group_clause(digit, group.into(), None, others),
            Why::Clash(var) => others.push(Lit::negative(var.into())),
            Why::Locked { from, to } => self.group_clause(digit, from.into(), Some(to.into()), others),
        }
        others.retain(|&other| other != lit);
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
