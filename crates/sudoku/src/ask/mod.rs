//! Questions about a grid that a solver of ours answers, all of them methods of [`SudokuEncoder`].
//!
//! `solve` finds a solution. The other files each add one kind of question: all solutions, why there is none, many
//! grids in a row, and where the features are on, the next step (`hints`), new puzzles and how hard one is (`make`),
//! and certificates (`proofs`).
//!
//! [`SudokuEncoder`]: crate::SudokuEncoder

#[cfg(all(feature = "proofs", any(feature = "batsat", feature = "cadical")))]
mod certify;
mod explain;
#[cfg(feature = "hints")]
mod hint;
#[cfg(feature = "make")]
mod make;
#[cfg(feature = "rayon")]
mod parallel;
mod solutions;
mod solve;
mod stream;

pub use crate::search::Report;
pub use explain::Given;
#[cfg(feature = "hints")]
pub use hint::{Contradiction, DeadEnd, Elimination, Hint, Reason, Single, Technique};
#[cfg(feature = "make")]
pub use make::Grade;
#[cfg(feature = "rayon")]
pub use parallel::par_solve;
pub use solutions::Solutions;
pub use stream::{Answer, StreamError, SudokuSolver, SudokuStream};
