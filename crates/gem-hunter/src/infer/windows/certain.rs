//! The cells that are the same in every answer, found by changing one answer a little, again and again.
//!
//! One answer to the whole board is known. A cell is undecided when a window around it can be filled otherwise, with
//! that cell changed and everything outside left as it is: that is another answer. It is certain when changing it is a
//! contradiction even with everything outside open. Until one of the two is shown, the window grows, in the end to the
//! whole part.

use super::ball::Ball;
use super::local::LocalBoard;
use super::search::{WindowSearch, WindowSearchEnd, likely};
use crate::infer::deduce::{BoardState, CellKnowledge};
use cnfkit_core::SolveError;
use cnfkit_core::internals::Clock;

// `cargo bench --bench gem_hunter -- certain` shows the cost of a change of these constants, on the boards .35/.4
// above all.

/// Cells of the windows tried by searching with the rest left as it is: each about three times the one before, since
/// most cells are decided in the first.
const WINDOWS: [usize; 3] = [20, 60, 200];
/// Dead ends before a larger window, or a solver, takes over: fewer than in a first answer, because a larger window is
/// another chance.
const PATIENCE: usize = 60;
/// Cells of the window in which a contradiction is searched: that of the second of [`WINDOWS`].
const REFUTE: usize = 60;
/// Cells of the first window given to a solver; each further one has twice as many, so that the last costs as much as
/// all before it.
const SOLVER: usize = 150;

/// Decides cell by cell what is certain.
pub(crate) struct Certain<'a, 'b> {
    /// The cells known for sure; grows.
    base: BoardState<'a>,
    /// An answer; changes.
    model: BoardState<'a>,
    /// The cells seen as a gem (bit 0) and as a trap (bit 1) in some answer.
    seen: Vec<u8>,
    search: WindowSearch,
    ball: Ball,
    clock: &'b Clock,
}

const fn bit(trap: bool) -> u8 {
    1 << trap as u8
}

impl<'a, 'b> Certain<'a, 'b> {
    /// `base` is known for sure, and `model` an answer to the board.
    pub(crate) fn new(base: BoardState<'a>, model: BoardState<'a>, clock: &'b Clock) -> Self {
        let board = base.board;
        let seen = vec![0; board.map.cells().len()];
        let mut certain = Self { base, model, seen, search: WindowSearch::default(), ball: Ball::new(board), clock };
        (0..certain.seen.len() as u32).for_each(|cell| certain.see(cell));
        certain
    }

    fn see(&mut self, cell: u32) {
        match self.model.known(cell) {
            CellKnowledge::Nothing => {}
            known => self.seen[cell as usize] |= bit(known == CellKnowledge::Trap),
        }
    }

    /// The value of a cell in all answers; `None` if answers differ. It must be unknown, and not free.
    pub(crate) fn decide(&mut self, cell: u32) -> Result<Option<bool>, SolveError> {
        match self.base.known(cell) {
            CellKnowledge::Nothing if self.seen[cell as usize] == bit(true) | bit(false) => Ok(None),
            CellKnowledge::Nothing => self.decide_open(cell),
            known => Ok(Some(known == CellKnowledge::Trap)),
        }
    }

    fn decide_open(&mut self, cell: u32) -> Result<Option<bool>, SolveError> {
        let is = self.model.known(cell) == CellKnowledge::Trap;
        if self.probe(cell, is) {
            return Ok(Some(is));
        }
        for (round, window) in WINDOWS.into_iter().enumerate() {
            self.ball.grow(&self.base, &[cell], window, usize::MAX);
            match self.change(cell) {
                WindowSearchEnd::Yes => return Ok(None),
                WindowSearchEnd::No if self.ball.is_whole() => return Ok(Some(self.certain(cell, is))),
                _ => {}
            }
            if round == 0 && self.refute(cell, is) {
                return Ok(Some(is));
            }
        }
        self.ask_solver(cell, is)
    }

    fn certain(&mut self, cell: u32, is: bool) -> bool {
        if self.base.is_open(cell) {
            let fits = self.base.assume(cell, is);
            debug_assert!(fits.is_ok(), "what is certain contradicts itself");
            self.base.commit();
        }
        is
    }

    /// True if the other value contradicts some number at once.
    fn probe(&mut self, cell: u32, is: bool) -> bool {
        let refuted = self.base.assume(cell, !is).is_err();
        self.base.back_to(0);
        refuted && {
            self.certain(cell, is);
            true
        }
    }

    /// True if the other value is a contradiction whatever is elsewhere, as far as a short search sees.
    fn refute(&mut self, cell: u32, is: bool) -> bool {
        self.ball.grow(&self.base, &[cell], REFUTE, usize::MAX);
        let start = self.base.assume(cell, !is);
        let found = match start {
            Ok(()) => self.search.run(&mut self.base, self.ball.cells(), &likely, PATIENCE),
            Err(_) => WindowSearchEnd::No,
        };
        self.base.back_to(0);
        found == WindowSearchEnd::No && {
            self.certain(cell, is);
            true
        }
    }

    /// Tries to change the cell within the window, the rest of the answer left as it is.
    fn change(&mut self, cell: u32) -> WindowSearchEnd {
        let Self { model, ball, search, seen, .. } = self;
        let before: Vec<(u32, bool)> =
            ball.cells().iter().map(|&cell| (cell, model.known(cell) == CellKnowledge::Trap)).collect();
        let is = before[0].1;
        for &(cell, _) in &before {
            model.forget(cell);
        }
        // A value not seen yet, else what numbers make likely.
        let prefer = |cell: u32, state: &BoardState<'_>| match seen[cell as usize] {
            1 => true,
            2 => false,
            _ => likely(cell, state),
        };
        let found = match model.assume(cell, !is) {
            Ok(()) => search.run(model, ball.cells(), &prefer, PATIENCE),
            Err(_) => WindowSearchEnd::No,
        };
        if found == WindowSearchEnd::Yes {
            model.commit();
            for &(cell, _) in &before {
                seen[cell as usize] |= bit(model.known(cell) == CellKnowledge::Trap);
            }
        } else {
            model.back_to(0);
            self.restore(&before);
        }
        found
    }

    fn restore(&mut self, before: &[(u32, bool)]) {
        for &(cell, trap) in before {
            let fits = self.model.set(cell, trap);
            debug_assert!(fits.is_ok(), "an answer contradicts itself");
        }
        self.model.commit();
    }

    /// Asks a solver, about ever larger windows, what the searches ask: can the cell change with the outside left as it
    /// is, and is a change a contradiction with the outside open?
    fn ask_solver(&mut self, cell: u32, is: bool) -> Result<Option<bool>, SolveError> {
        let mut size = SOLVER;
        loop {
            self.clock.check()?;
            self.ball.grow(&self.base, &[cell], size, usize::MAX);
            let before: Vec<(u32, bool)> =
                self.ball.cells().iter().map(|&cell| (cell, self.model.known(cell) == CellKnowledge::Trap)).collect();
            for &(cell, _) in &before {
                self.model.forget(cell);
            }
            let mut local = LocalBoard::new(&self.model, self.ball.numbers(), self.clock);
            let found = local.solve(Some((cell, !is)));
            if let Ok(true) = found {
                let found: Vec<(u32, bool)> = local.read().collect();
                self.restore(&found);
                for (cell, _) in found {
                    self.see(cell);
                }
                return Ok(None);
            }
            self.restore(&before);
            found?;
            let mut elsewhere_open = LocalBoard::new(&self.base, self.ball.numbers(), self.clock);
            if self.ball.is_whole() || !elsewhere_open.solve(Some((cell, !is)))? {
                return Ok(Some(self.certain(cell, is)));
            }
            size *= 2;
        }
    }
}
