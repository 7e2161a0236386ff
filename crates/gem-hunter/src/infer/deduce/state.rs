//! The cells known so far, and deduction from one number at a time.

use crate::board::GemBoard;
use crate::map::Cell;

/// The knowledge of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum CellKnowledge {
    Nothing,
    Gem,
    Trap,
}

impl CellKnowledge {
    pub(crate) const fn of(trap: bool) -> Self {
        if trap { Self::Trap } else { Self::Gem }
    }
}

/// The number that cannot be met any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Conflict(pub(crate) u32);

/// The cells known so far and, for each number, what they leave it. Known cells can be taken back.
#[derive(Clone, Debug)]
pub(crate) struct BoardState<'a> {
    pub(crate) board: &'a GemBoard,
    known: Vec<CellKnowledge>,
    left: Vec<NumberRest>,
    /// Known cells in the order in which they became known; those from `done` on are not followed up yet.
    trail: Vec<u32>,
    done: usize,
}

/// The rest of a number: unknown cells and traps among them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NumberRest {
    pub(crate) open: i32,
    pub(crate) need: i32,
}

impl NumberRest {
    /// Nothing that is left can meet the number.
    const fn is_wrong(self) -> bool {
        self.need < 0 || self.need > self.open
    }

    /// The value that all its open cells must have, if that is settled.
    const fn settled(self) -> Option<bool> {
        if self.need == 0 {
            Some(false)
        } else if self.need == self.open {
            Some(true)
        } else {
            None
        }
    }
}

impl<'a> BoardState<'a> {
    pub(crate) fn new(board: &'a GemBoard) -> Self {
        let left = (0..board.n_numbers())
            .map(|number| NumberRest {
                open: (board.open(number).len() as u32).cast_signed(),
                need: board.need(number),
            })
            .collect();
        Self { board, known: vec![CellKnowledge::Nothing; board.map.cells().len()], left, trail: Vec::new(), done: 0 }
    }

    #[inline]
    pub(crate) fn known(&self, cell: u32) -> CellKnowledge {
        self.known[cell as usize]
    }

    #[inline]
    pub(crate) fn is_open(&self, cell: u32) -> bool {
        self.known[cell as usize] == CellKnowledge::Nothing
    }

    #[inline]
    pub(crate) fn left(&self, number: u32) -> NumberRest {
        self.left[number as usize]
    }

    pub(crate) fn trail(&self) -> &[u32] {
        &self.trail
    }

    /// The traps on the board, given or known.
    pub(crate) fn traps(&self) -> usize {
        let known = self.known.iter().filter(|&&known| known == CellKnowledge::Trap).count();
        self.board.map.count(Cell::Trap) + known
    }

    /// The cells around a number that are still open.
    pub(crate) fn open(&self, number: u32) -> impl Iterator<Item = u32> + '_ {
        self.board.open(number as usize).iter().copied().filter(|&cell| self.is_open(cell))
    }

    /// Makes an open cell known, and nothing else.
    #[inline]
    pub(crate) fn set(&mut self, cell: u32, trap: bool) -> Result<(), Conflict> {
        self.known[cell as usize] = CellKnowledge::of(trap);
        self.trail.push(cell);
        let mut wrong = None;
        for &number in self.board.touching(cell as usize) {
            let left = &mut self.left[number as usize];
            left.open -= 1;
            left.need -= i32::from(trap);
            if left.is_wrong() {
                wrong = Some(Conflict(number));
            }
        }
        wrong.map_or(Ok(()), Err)
    }

    /// Follows up number by number, to the end or a conflict.
    #[inline]
    pub(crate) fn propagate(&mut self) -> Result<(), Conflict> {
        while let Some(&cell) = self.trail.get(self.done) {
            self.done += 1;
            for &number in self.board.touching(cell as usize) {
                self.settle(number)?;
            }
        }
        Ok(())
    }

    /// Makes all open cells of a number known if what is left of it says what they are.
    #[inline]
    pub(crate) fn settle(&mut self, number: u32) -> Result<(), Conflict> {
        let left = self.left(number);
        if left.open == 0 {
            return Ok(());
        }
        if let Some(trap) = left.settled() {
            let board = self.board;
            for &cell in board.open(number as usize) {
                if self.is_open(cell) {
                    self.set(cell, trap)?;
                }
            }
        }
        Ok(())
    }

    /// Starts: every number once, then what follows.
    pub(crate) fn start(&mut self) -> Result<(), Conflict> {
        if let Some(number) = self.left.iter().position(|left| left.is_wrong()) {
            return Err(Conflict(number as u32));
        }
        (0..self.left.len() as u32).try_for_each(|number| self.settle(number))?;
        self.propagate()
    }

    /// Makes an open cell known and deduces what follows.
    #[inline]
    pub(crate) fn assume(&mut self, cell: u32, trap: bool) -> Result<(), Conflict> {
        self.set(cell, trap)?;
        self.propagate()
    }

    /// Keeps what is known for good: [`back_to`](Self::back_to) cannot go behind this.
    pub(crate) fn commit(&mut self) {
        self.trail.clear();
        self.done = 0;
    }

    /// Forgets a cell that was known for good.
    pub(crate) fn forget(&mut self, cell: u32) {
        let trap = std::mem::replace(&mut self.known[cell as usize], CellKnowledge::Nothing) == CellKnowledge::Trap;
        for &number in self.board.touching(cell as usize) {
            let left = &mut self.left[number as usize];
            left.open += 1;
            left.need += i32::from(trap);
        }
    }

    /// Goes back to when so many cells were known.
    pub(crate) fn back_to(&mut self, len: usize) {
        while self.trail.len() > len
            && let Some(cell) = self.trail.pop()
        {
            self.forget(cell);
        }
        self.done = self.done.min(len);
    }
}
