//! All answers, one after another, and how many there are.

use std::fmt;
use std::ops::ControlFlow;

use rustsat::types::Lit;

use super::count::{Lattice, Limit, Listing};
use super::deduce::{BoardState, CellKnowledge, Presolved, fill, put};
use super::windows::{LocalBoard, Outcome, WindowSearch, WindowSearchEnd, likely, sat};
use crate::board::GemBoard;
use crate::encode::{self, BoardPlan};
use crate::error::GemError;
use crate::map::{Cell, GemMap};
use crate::rules;
use crate::strategy::Strategy;
use cnfkit_ask::internals::block;
use cnfkit_core::SolveError;
use cnfkit_core::internals::{Clock, Session, sort};

/// The answers of a board, each once, in an order that is always the same; made by
/// [`GemHunterEncoder::solutions`](crate::GemHunterEncoder::solutions).
///
/// After an error there is nothing more.
///
/// ```
/// use cnfkit::GemHunterEncoder;
/// use cnfkit::gem_hunter::Solutions;
/// let encoder = GemHunterEncoder::new("_, 1, _".parse()?);
/// let solutions: Solutions = encoder.solutions();
/// assert_eq!(solutions.collect::<Result<Vec<_>, _>>()?.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Solutions {
    source: SolutionSource,
}

#[derive(Debug)]
enum SolutionSource {
    Start(Box<SolutionsStart>),
    Whole(Box<Whole>),
    Total(Box<Listing>),
    Parts(Box<PartProduct>),
    End,
}

#[derive(Debug)]
pub(super) struct SolutionsStart {
    pub(super) board: Result<GemBoard, GemError>,
    pub(super) plan: BoardPlan,
    pub(super) strategy: Strategy,
    pub(super) clock: Clock,
}

impl Solutions {
    pub(super) fn new(start: SolutionsStart) -> Self {
        Self { source: SolutionSource::Start(Box::new(start)) }
    }

    fn advance(&mut self) -> Result<Option<GemMap>, GemError> {
        if let SolutionSource::Start(_) = self.source
            && let SolutionSource::Start(start) = std::mem::replace(&mut self.source, SolutionSource::End)
        {
            self.source = start.source()?;
        }
        match &mut self.source {
            SolutionSource::Whole(whole) => whole.next(),
            SolutionSource::Total(listing) => listing.next(),
            SolutionSource::Parts(product) => Ok(product.next()?),
            SolutionSource::Start(_) | SolutionSource::End => Ok(None),
        }
    }
}

impl Iterator for Solutions {
    type Item = Result<GemMap, GemError>;

    fn next(&mut self) -> Option<Self::Item> {
        let item = self.advance().transpose();
        if !matches!(item, Some(Ok(_))) {
            self.source = SolutionSource::End;
        }
        item
    }
}

impl std::iter::FusedIterator for Solutions {}

impl SolutionsStart {
    fn source(self) -> Result<SolutionSource, GemError> {
        let Self { board, plan, strategy, clock } = self;
        let board = board?;
        if strategy == Strategy::Whole {
            let cells: Vec<Lit> = board.unknown().map(rules::trap).collect();
            let session = sat::load(&encode::cnf(&board, &plan)?, &clock)?;
            return Ok(SolutionSource::Whole(Box::new(Whole { map: board.map, cells, session, clock })));
        }
        if let Some(total) = plan.traps {
            let listing = Listing::new(board, total, &clock)?;
            return Ok(listing.map_or(SolutionSource::End, |listing| SolutionSource::Total(Box::new(listing))));
        }
        let product = PartProduct::new(&board, strategy, &clock)?;
        Ok(product.map_or(SolutionSource::End, |product| SolutionSource::Parts(Box::new(product))))
    }
}

/// By SAT alone: each answer is forbidden once it is found.
struct Whole {
    map: GemMap,
    cells: Vec<Lit>,
    session: Session,
    clock: Clock,
}

impl fmt::Debug for Whole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Whole").field("map", &self.map).finish_non_exhaustive()
    }
}

impl Whole {
    fn next(&mut self) -> Result<Option<GemMap>, GemError> {
        if !sat::solve(&mut self.session, &[], &self.clock)? {
            return Ok(None);
        }
        let answer = rules::answer(&self.map, |lit| self.session.is_true(lit));
        block(&mut self.session, self.cells.iter().copied())?;
        Ok(Some(answer))
    }
}

/// Every way to fill each part, with every way to fill the others: like the digits of a number.
#[derive(Debug)]
struct PartProduct {
    /// The certain cells, and the present filling of all parts.
    map: GemMap,
    /// Changes fastest first.
    digits: Vec<ProductDigit>,
    is_first: bool,
}

#[derive(Debug)]
enum ProductDigit {
    /// A cell that no number touches.
    Free(u32),
    Part {
        local: Box<LocalBoard>,
        /// The ways found so far.
        ways: Vec<Vec<bool>>,
        /// There are no others.
        is_done: bool,
        /// The present one.
        at: usize,
    },
}

impl PartProduct {
    fn new(board: &GemBoard, strategy: Strategy, clock: &Clock) -> Result<Option<Self>, SolveError> {
        let Ok(presolved) = Presolved::new(board) else { return Ok(None) };
        let Outcome::Answer(model) = presolved.answer(strategy == Strategy::Windows, clock)? else { return Ok(None) };
        let mut map = board.map.clone();
        fill(&mut map, &model);
        let mut parts: Vec<_> = presolved.parts.iter().collect();
        sort::by_key(&mut parts, |(cells, _)| cells.len() as u64);
        let mut digits = Vec::new();
        for (_, numbers) in parts {
            let local = LocalBoard::new(&presolved.base, numbers, clock);
            let way = local.cells().iter().map(|&cell| model.known(cell) == CellKnowledge::Trap).collect();
            digits.push(ProductDigit::Part { local: Box::new(local), ways: vec![way], is_done: false, at: 0 });
        }
        digits.extend(
            board.unknown().filter(|&cell| board.touching(cell).is_empty()).map(|cell| ProductDigit::Free(cell as u32)),
        );
        Ok(Some(Self { map, digits, is_first: true }))
    }

    fn next(&mut self) -> Result<Option<GemMap>, SolveError> {
        if std::mem::take(&mut self.is_first) {
            return Ok(Some(self.map.clone()));
        }
        for digit in &mut self.digits {
            if digit.advance(&mut self.map)? {
                return Ok(Some(self.map.clone()));
            }
        }
        Ok(None)
    }
}

impl ProductDigit {
    /// Goes to the next way, or back to the first and says so.
    fn advance(&mut self, map: &mut GemMap) -> Result<bool, SolveError> {
        match self {
            Self::Free(cell) => {
                let cell = &mut map.cells_mut()[*cell as usize];
                *cell = if *cell == Cell::Gem { Cell::Trap } else { Cell::Gem };
                Ok(*cell == Cell::Trap)
            }
            Self::Part { local, ways, is_done, at } => {
                *at += 1;
                if *at == ways.len() && !*is_done {
                    local.block(&ways[*at - 1])?;
                    if local.solve(None)? {
                        ways.push(local.read().map(|(_, trap)| trap).collect());
                    } else {
                        *is_done = true;
                    }
                }
                *at %= ways.len();
                put(map, local.cells().iter().copied().zip(ways[*at].iter().copied()));
                Ok(*at > 0)
            }
        }
    }
}

/// Counts answers up to `limit`: a product over the parts. Where it ends early, `count` is what was reached.
pub(super) fn count(
    board: &GemBoard,
    strategy: Strategy,
    limit: usize,
    count: &mut usize,
    clock: &Clock,
) -> Result<(), SolveError> {
    if limit == 0 {
        return Ok(());
    }
    let Ok(presolved) = Presolved::new(board) else { return Ok(()) };
    let Outcome::Answer(_) = presolved.answer(strategy == Strategy::Windows, clock)? else { return Ok(()) };
    let free = board.unknown().filter(|&cell| board.touching(cell).is_empty()).count();
    // Each part has a way.
    let most = |product: usize| product.min(limit);
    let mut product = 1_usize.checked_shl(free as u32).unwrap_or(usize::MAX);
    *count = most(product);
    let mut parts: Vec<_> = presolved.parts.iter().collect();
    sort::by_key(&mut parts, |(cells, _)| cells.len() as u64);
    let mut state = presolved.base.clone();
    let mut lattice = Lattice::<u128>::new(&presolved.base);
    for (cells, numbers) in parts {
        if product >= limit {
            break;
        }
        clock.check()?;
        let ways = match lattice.build(&presolved.base, cells, numbers, clock) {
            Ok(()) => lattice.ways().1.iter().fold(0, |sum: u128, &ways| sum.saturating_add(ways)),
            Err(Limit::Solve(error)) => return Err(error),
            Err(_) => {
                let mut reached = 0;
                let ended = one_by_one(&mut state, cells, numbers, limit.div_ceil(product), &mut reached, clock);
                *count = most(product.saturating_mul(reached.max(1)));
                ended?;
                reached as u128
            }
        };
        product = product.saturating_mul(usize::try_from(ways).unwrap_or(usize::MAX));
        *count = most(product);
    }
    Ok(())
}

/// Dead ends in a row before ways are counted by the solver: a search that meets more than that has left the
/// neighbourhood of the last way it found, and a solver, which learns from dead ends, takes a few milliseconds a way.
const PATIENCE: usize = 2000;
/// Ways between two looks at the clock.
const WAYS_A_LOOK: usize = 1024;

/// Counts the ways to fill a part that is too entangled for a [`Lattice`] up to `limit`; `count` is what was reached.
fn one_by_one(
    state: &mut BoardState<'_>,
    cells: &[u32],
    numbers: &[u32],
    limit: usize,
    count: &mut usize,
    clock: &Clock,
) -> Result<(), SolveError> {
    let mut is_over = false;
    let found = WindowSearch::default().visit(state, cells, &likely, PATIENCE, |_| {
        *count += 1;
        is_over = count.is_multiple_of(WAYS_A_LOOK) && clock.is_over();
        if *count == limit || is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    state.back_to(0);
    if is_over {
        return Err(clock.interrupted());
    }
    if found != WindowSearchEnd::GaveUp {
        return Ok(());
    }
    let mut local = LocalBoard::new(state, numbers, clock);
    let mut counted = 0;
    while counted < limit && local.solve(None)? {
        counted += 1;
        *count = counted.max(*count);
        let way: Vec<bool> = local.read().map(|(_, trap)| trap).collect();
        local.block(&way)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::encoder::GemHunterEncoder;
    use cnfkit_core::Stopped;

    /// A part from end to end is counted one by one, and what was counted is said.
    #[test]
    fn an_interrupted_count_says_what_was_reached() {
        let rows: Vec<String> =
            (0..161).map(|row| if row % 2 == 1 { "_2".repeat(80) + "_" } else { "_".repeat(161) }).collect();
        let map = rows.join("\n").parse().unwrap();
        let encoder = GemHunterEncoder::new(map).time_limit(Duration::from_secs(1));
        let (count, stopped) = encoder.count_so_far(usize::MAX).unwrap();
        assert!(count > 100 && stopped == Some(Stopped::Time), "{count}, {stopped:?}");
        let ended = encoder.count(usize::MAX);
        assert!(matches!(ended, Err(GemError::Solve(SolveError::Interrupted(Stopped::Time)))), "{ended:?}");
    }
}
