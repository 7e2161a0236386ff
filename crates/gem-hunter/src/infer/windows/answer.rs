//! An answer to the whole board, part by part and, in large parts, window by window.

use super::ball::Ball;
use super::local::LocalBoard;
use super::search::{WindowSearch, WindowSearchEnd, likely};
use crate::infer::deduce::{BoardState, CellKnowledge, ContradictingNumbers, Presolved};
use cnfkit_core::SolveError;
use cnfkit_core::internals::{Clock, sort};

/// The outcome of a search that came to its end.
pub(crate) enum Outcome<T> {
    /// There is an answer.
    Answer(T),
    /// There is none.
    Contradiction(ContradictingNumbers),
}

impl<'a> Presolved<'a> {
    /// An answer: what is known already, and a value for every other cell that a number touches.
    ///
    /// With `tiles`, large parts are answered tile by tile.
    pub(crate) fn answer(&self, tiles: bool, clock: &Clock) -> Result<Outcome<BoardState<'a>>, SolveError> {
        let Self { base, parts } = self;
        let mut solver = WindowSolver { model: base.clone(), base, search: WindowSearch::default(), ball: None, clock };
        for (index, (cells, numbers)) in parts.iter().enumerate() {
            if index % PARTS_A_LOOK == 0 {
                clock.check()?;
            }
            let outcome =
                if tiles && cells.len() > SMALL { solver.tiles(cells)? } else { solver.part(cells, numbers)? };
            if let Outcome::Contradiction(contradiction) = outcome {
                return Ok(Outcome::Contradiction(contradiction));
            }
        }
        Ok(Outcome::Answer(solver.model))
    }
}

// `cargo bench --bench gem_hunter -- solve` shows the cost of a change of these constants: boards .2/.5 have small
// parts, boards .35/.4 one that goes from end to end.

/// Parts between two looks at the clock: most are small and take microseconds, and large ones look at it themselves.
const PARTS_A_LOOK: usize = 64;
/// Cells up to which a part is searched at once. Larger ones are divided into tiles, of which a part of 400 cells has
/// about three.
const SMALL: usize = 400;
/// Side of a tile, in cells of the board: a search over some 100 unknown cells meets few dead ends.
const TILE: usize = 12;
/// The distance that a tile looks beyond its own cells, in steps from cell to number to cell. With one step, many tiles
/// are filled so that the next one does not fit.
const MARGIN: usize = 2;
/// Dead ends before a solver takes over: these take as long as loading one.
const PATIENCE: usize = 200;

struct WindowSolver<'a, 'b> {
    base: &'b BoardState<'a>,
    model: BoardState<'a>,
    search: WindowSearch,
    ball: Option<Ball>,
    clock: &'b Clock,
}

impl WindowSolver<'_, '_> {
    /// A part at once.
    fn part(&mut self, cells: &[u32], numbers: &[u32]) -> Result<Outcome<()>, SolveError> {
        match self.search.run(&mut self.model, cells, &likely, PATIENCE) {
            WindowSearchEnd::Yes => self.model.commit(),
            WindowSearchEnd::No => return Ok(Outcome::Contradiction(ContradictingNumbers::Among(numbers.to_vec()))),
            WindowSearchEnd::GaveUp => {
                let mut local = LocalBoard::new(&self.model, numbers, self.clock);
                if !local.solve(None)? {
                    return Ok(Outcome::Contradiction(ContradictingNumbers::Among(numbers.to_vec())));
                }
                let fits = self.take(local.read());
                debug_assert!(fits, "an answer to all numbers contradicts one");
            }
        }
        Ok(Outcome::Answer(()))
    }

    /// Makes cells known for good, with all that follows. If something else contradicts them, says so and takes them
    /// back.
    fn take(&mut self, mut values: impl Iterator<Item = (u32, bool)>) -> bool {
        let fits = values.all(|(cell, trap)| match self.model.known(cell) {
            CellKnowledge::Nothing => self.model.assume(cell, trap).is_ok(),
            known => known == CellKnowledge::of(trap),
        });
        if fits {
            self.model.commit();
        } else {
            self.model.back_to(0);
        }
        fits
    }

    /// Tile by tile, each with a look at what lies around it; where that fails, what was decided around is taken back.
    fn tiles(&mut self, cells: &[u32]) -> Result<Outcome<()>, SolveError> {
        let mut ball = self.ball.take().unwrap_or_else(|| Ball::new(self.base.board));
        let columns = self.base.board.map.columns();
        let tile =
            |cell: u32| ((cell as usize / columns / TILE) as u128) << 32 | (cell as usize % columns / TILE) as u128;
        let mut sorted: Vec<u32> = cells.to_vec();
        sort::by_wide_key(&mut sorted, |&cell| tile(cell) << 32 | u128::from(cell));
        let mut core: Vec<u32> = Vec::new();
        let mut values: Vec<(u32, bool)> = Vec::new();
        for group in sorted.chunk_by(|&a, &b| tile(a) == tile(b)) {
            self.clock.check()?;
            core.clear();
            core.extend(group.iter().copied().filter(|&cell| self.model.is_open(cell)));
            ball.grow(&self.model, &core, usize::MAX, MARGIN);
            if self.search.run(&mut self.model, ball.cells(), &likely, PATIENCE) == WindowSearchEnd::Yes {
                values.clear();
                values.extend(core.iter().map(|&cell| (cell, self.model.known(cell) == CellKnowledge::Trap)));
                self.model.back_to(0);
                let fits = self.take(values.iter().copied());
                debug_assert!(fits, "a part of what fits does not");
            } else if let Outcome::Contradiction(contradiction) = self.retake(&core, &mut ball)? {
                return Ok(Outcome::Contradiction(contradiction));
            }
        }
        self.ball = Some(ball);
        Ok(Outcome::Answer(()))
    }

    /// Decides `core` together with ever more of what was decided around it.
    fn retake(&mut self, core: &[u32], ball: &mut Ball) -> Result<Outcome<()>, SolveError> {
        let mut size = 2 * TILE * TILE;
        loop {
            ball.grow(self.base, core, size, usize::MAX);
            let before: Vec<(u32, CellKnowledge)> = ball
                .cells()
                .iter()
                .map(|&cell| (cell, self.model.known(cell)))
                .filter(|c| c.1 != CellKnowledge::Nothing)
                .collect();
            for &(cell, _) in &before {
                self.model.forget(cell);
            }
            let mut local = LocalBoard::new(&self.model, ball.numbers(), self.clock);
            let found = local.solve(None)?;
            if found {
                let mut keep: Vec<u32> = before.iter().map(|&(cell, _)| cell).chain(core.iter().copied()).collect();
                keep.sort_unstable();
                if self.take(local.read().filter(|(cell, _)| keep.binary_search(cell).is_ok())) {
                    return Ok(Outcome::Answer(()));
                }
            }
            if !found && !LocalBoard::new(self.base, ball.numbers(), self.clock).solve(None)? {
                return Ok(Outcome::Contradiction(ContradictingNumbers::Among(ball.numbers().to_vec())));
            }
            for (cell, known) in before {
                let fits = self.model.set(cell, known == CellKnowledge::Trap);
                debug_assert!(fits.is_ok(), "what was decided contradicts itself");
            }
            self.model.commit();
            size *= 2;
        }
    }
}
