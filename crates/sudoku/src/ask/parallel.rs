//! Many puzzles over several threads.

use std::ops::ControlFlow;

use rayon::prelude::*;

use super::stream::{Answer, SudokuSolver, answer, is_puzzle};
use crate::encode::SudokuEncoder;

/// Lines read before threads are given their shares: enough that starting and ending together costs nothing, few enough
/// that answers come soon (`cnfkit sudoku --lines LIST`).
const CHUNK: usize = 1 << 14;

/// [`SudokuStream`](super::SudokuStream) over all threads, one solver each: `each` gets the answers in the order of the
/// lines, as many at a time as keep the threads busy. It stops early when `each` says [`Break`](ControlFlow::Break).
///
/// ```
/// use std::ops::ControlFlow;
///
/// use cnfkit::sudoku::par_solve;
/// use cnfkit::{Grid, Layout, SudokuEncoder};
/// let like = SudokuEncoder::new(Grid::empty(Layout::boxes(2, 2)));
/// let mut solved = 0;
/// let _ = par_solve(["1.....3..4.....2"; 5], &like, |answer| {
///     solved += usize::from(matches!(answer.result, Ok(Some(_))));
///     ControlFlow::<()>::Continue(())
/// });
/// assert_eq!(solved, 5);
/// ```
pub fn par_solve<L, B>(
    lines: impl IntoIterator<Item = L>,
    like: &SudokuEncoder,
    mut each: impl FnMut(Answer) -> ControlFlow<B>,
) -> ControlFlow<B>
where
    L: AsRef<[u8]> + Send + Sync,
{
    let mut lines = (1..).zip(lines).filter(|(_, line)| is_puzzle(line.as_ref()));
    loop {
        let chunk: Vec<(usize, L)> = lines.by_ref().take(CHUNK).collect();
        if chunk.is_empty() {
            return ControlFlow::Continue(());
        }
        let parts = chunk.len().div_ceil(4 * rayon::current_num_threads());
        let answers: Vec<Vec<Answer>> = chunk
            .par_chunks(parts)
            .map(|lines| {
                let mut solver = SudokuSolver::new(like);
                lines.iter().map(|(number, line)| answer(&mut solver, *number, line.as_ref())).collect()
            })
            .collect();
        for answer in answers.into_iter().flatten() {
            each(answer)?;
        }
    }
}
