//! Questions about a grid, all of them methods of [`SudokuEncoder`].
//!
//! `encoder` is the builder with the first questions: the formula, a solution. The other files each add one kind of
//! question: all solutions, why there is none, the next step, new puzzles, how hard one is, where clauses come from,
//! what is left open as a formula, many grids in a row, certificates.

#[cfg(any(feature = "batsat", feature = "cadical"))]
mod certify;
mod encoder;
#[cfg(feature = "any-solver")]
mod explain;
#[cfg(feature = "any-solver")]
mod generate;
#[cfg(feature = "any-solver")]
mod grade;
#[cfg(feature = "any-solver")]
mod hint;
mod origin;
mod prune;
#[cfg(feature = "any-solver")]
mod solutions;
#[cfg(feature = "any-solver")]
mod stream;

pub use encoder::{SudokuEncoder, SudokuError};
#[cfg(feature = "any-solver")]
pub use explain::Given;
#[cfg(feature = "any-solver")]
pub use grade::Grade;
#[cfg(feature = "any-solver")]
pub use hint::{Contradiction, DeadEnd, Elimination, Hint, Reason, Single, Technique};
pub use prune::PrunedCnf;
#[cfg(feature = "any-solver")]
pub use solutions::Solutions;
#[cfg(all(feature = "any-solver", feature = "rayon"))]
pub use stream::par_solve;
#[cfg(feature = "any-solver")]
pub use stream::{Answer, StreamError, SudokuSolver, SudokuStream};
