//! An answer with a given total where a part is too entangled to be counted: from one answer to the next, window by
//! window.
//!
//! Any answer is a start. A window of it is forgotten, all ways to fill it with the outside left as it is are counted
//! by number of traps, and the one that brings the total nearest to the one wanted is taken. That goes over the board
//! again and again until the total is reached, or a whole round brings it no nearer. Totals near the middle are found
//! so; that a total is impossible cannot.

use super::lattice::{Lattice, Limit};
use crate::board::GemBoard;
use crate::infer::deduce::{BoardState, CellKnowledge, Presolved, fill};
use crate::infer::windows::{Ball, Outcome};
use crate::map::{Cell, GemMap};
use cnfkit_core::internals::Clock;

/// Cells of a window: narrow enough for any lattice, and wide enough to trade a trap or two.
///
/// `cargo run --release -p cnfkit-peers -- totals --plant 100 100 .35 .4 1` shows how long it takes.
const WINDOW: usize = 48;

/// An answer with this total, as far as windows lead to one; the error `limit` if they do not.
pub(crate) fn solve(board: &GemBoard, total: usize, limit: Limit, clock: &Clock) -> Result<Option<GemMap>, Limit> {
    let Ok(presolved) = Presolved::new(board) else { return Ok(None) };
    let Outcome::Answer(mut model) = presolved.answer(true, clock)? else { return Ok(None) };
    let free: Vec<usize> = board.unknown().filter(|&cell| board.touching(cell).is_empty()).collect();
    // Free cells are gems in the model: it may have up to so many traps less than wanted.
    let most_missing = free.len();
    let mut traps = model.traps();
    let off = |traps: usize| traps.saturating_sub(total) + total.saturating_sub(traps.saturating_add(most_missing));
    let mut ball = Ball::new(board);
    let mut lattice = Lattice::<bool>::new(&model);
    let seeds: Vec<u32> = presolved.parts.iter().flat_map(|(cells, _)| cells).copied().collect();
    let mut before = usize::MAX;
    // Windows overlap: each reaches over about four of the cells that windows are grown around.
    while off(traps) > 0 && off(traps) < before {
        before = off(traps);
        for &seed in seeds.iter().step_by(WINDOW / 4) {
            clock.check()?;
            ball.grow(&presolved.base, &[seed], WINDOW, usize::MAX);
            traps = refill(&mut model, &ball, &mut lattice, traps, off, clock)?;
            if off(traps) == 0 {
                break;
            }
        }
    }
    if off(traps) > 0 {
        return Err(limit);
    }
    let mut answer = board.map.clone();
    fill(&mut answer, &model);
    for &cell in free.iter().take(total - traps) {
        answer.cells_mut()[cell] = Cell::Trap;
    }
    Ok(Some(answer))
}

/// Fills a window anew so that the total is nearest to the one wanted; gives the total then.
fn refill(
    model: &mut BoardState<'_>,
    ball: &Ball,
    lattice: &mut Lattice<bool>,
    traps: usize,
    off: impl Fn(usize) -> usize,
    clock: &Clock,
) -> Result<usize, Limit> {
    let before: Vec<(u32, bool)> =
        ball.cells().iter().map(|&cell| (cell, model.known(cell) == CellKnowledge::Trap)).collect();
    before.iter().for_each(|&(cell, _)| model.forget(cell));
    let outside = traps - before.iter().filter(|&&(_, trap)| trap).count();
    let (mut filled, mut now) = (before, traps);
    match lattice.build(model, ball.cells(), ball.numbers(), clock) {
        Ok(()) => {
            let (low, ways, _) = lattice.ways();
            let possible = ways.iter().enumerate().filter(|&(_, &some)| some).map(|(at, _)| low as usize + at);
            let best = possible.min_by_key(|&in_window| off(outside + in_window));
            if let Some(in_window) = best.filter(|in_window| off(outside + in_window) < off(traps)) {
                filled.clear();
                lattice.pick(in_window as u32, |cell, trap| filled.push((cell, trap)));
                now = outside + in_window;
            }
        }
        Err(Limit::Solve(error)) => return Err(error.into()),
        Err(_) => {}
    }
    for (cell, trap) in filled {
        let fits = model.set(cell, trap);
        debug_assert!(fits.is_ok(), "a way to fill a window contradicts a number");
    }
    model.commit();
    Ok(now)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoder::GemHunterEncoder;
    use crate::infer::count::total;
    use crate::infer::generate::plant;
    use crate::neighbourhood::Neighbourhood;

    /// No order keeps the numbers of a board so wide in one word.
    #[test]
    fn wide_boards_are_entangled() {
        let board =
            GemBoard::new(plant(160, 160, 0.35, 0.4, 1).0, &Neighbourhood::default(), &Clock::default()).unwrap();
        let counted = total::count(&board, 1_000, 2, &Clock::default());
        assert!(matches!(counted, Err(Limit::Entangled { .. })));
    }

    /// A part from end to end cannot be counted, and has answers with totals near that of the one it was made from.
    #[test]
    fn totals_of_entangled_boards() {
        let (map, answer) = plant(45, 45, 0.35, 0.4, 1);
        let board = GemBoard::new(map.clone(), &Neighbourhood::default(), &Clock::default()).unwrap();
        let clock = Clock::default();
        let planted = answer.count(Cell::Trap);
        assert!(matches!(total::count(&board, planted, 2, &clock), Err(Limit::Entangled { .. })));
        for wanted in [planted - 9, planted + 9] {
            let found = total::solve(&board, wanted, &clock).ok().flatten().expect("an answer");
            assert_eq!(found.count(Cell::Trap), wanted);
            assert_eq!(GemHunterEncoder::new(map.clone()).verify(&found).unwrap(), []);
        }
    }
}
