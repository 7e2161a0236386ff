//! Questions about Sudokus.

mod clued;
mod clues;
mod construct;
mod difficulty;
mod explain;
mod formats;
mod fpuzzles;
mod links;
mod modes;
pub(crate) mod picture;
mod sheet;
mod solve;
mod sudokupad;

use super::Question;

/// A cell: row and column, both from 0.
pub(crate) type At = [usize; 2];

/// Its questions.
#[must_use]
pub fn questions() -> Vec<Question> {
    vec![
        Question::new(
            "sudoku/modes",
            "The kinds of Sudokus that the page offers, each with its regions and an example; formats and \
             difficulties.",
            "{}",
            modes::modes,
        ),
        Question::new(
            "sudoku/read",
            "A Sudoku from text in any format; errors have line and column.",
            r#"{"text": "1.....3..4.....2"}"#,
            formats::read,
        ),
        Question::new(
            "sudoku/write",
            "A Sudoku as text.",
            r#"{"sheet": {"n": 4, "cells": [[1,0,0,0],[0,0,3,0],[0,4,0,0],[0,0,0,2]]}, "format": "boxed"}"#,
            formats::write,
        ),
        Question::new(
            "sudoku/check",
            "Everything that is wrong with the values that are there; nothing is solved and nothing changed.",
            r#"{"sheet": {"n": 4, "cells": [[1,0,0,1],[0,0,5,0],[0,0,0,0],[0,0,0,0]]}}"#,
            explain::check,
        ),
        Question::new(
            "sudoku/solve",
            "A solution, another one than those seen before, and how many there are.",
            r#"{"sheet": {"n": 4, "cells": [[1,0,0,0],[0,0,3,0],[0,4,0,0],[0,0,0,2]], "regions": "boxes:2x2"}}"#,
            solve::solve,
        )
        .by_engines(),
        Question::new(
            "sudoku/candidates",
            "The values that each cell may have: those that no cell it sees has, or those it has in some solution.",
            r#"{"sheet": {"n": 4, "cells": [[1,0,0,0],[0,0,3,0],[0,4,0,0],[0,0,0,2]]}, "exact": true}"#,
            explain::candidates,
        ),
        Question::new(
            "sudoku/hint",
            "The next cell that is forced, and the simplest technique that shows it.",
            r#"{"sheet": {"n": 4, "cells": [[1,0,0,0],[0,0,3,0],[0,4,0,0],[0,0,0,2]]}}"#,
            clued::hint,
        ),
        Question::new(
            "sudoku/why",
            "Why there is no solution: a smallest set of values that contradict each other, and the rules they break.",
            r#"{"sheet": {"n": 4, "cells": [[1,2,3,0],[0,0,0,4],[0,0,0,0],[2,0,0,0]]}}"#,
            clued::why,
        ),
        Question::new(
            "sudoku/new",
            "A puzzle with exactly one solution, of a mode or a layout of one's own.",
            r#"{"mode": "9", "difficulty": "medium", "seed": 7}"#,
            difficulty::new,
        ),
        Question::new(
            "sudoku/regions",
            "Connected regions by lot, for a jigsaw of one's own.",
            r#"{"n": 9, "seed": 7}"#,
            difficulty::by_lot,
        ),
        Question::new(
            "sudoku/svg",
            "A picture: givens, what was entered and what was solved told apart.",
            r#"{"sheet": {"n": 4, "cells": [[1,0,0,0],[0,0,3,0],[0,4,0,0],[0,0,0,2]]}, "dark": true}"#,
            picture::svg,
        ),
        Question::new(
            "sudoku/dimacs",
            "The formula, in DIMACS format.",
            r#"{"sheet": {"n": 4, "cells": [[1,0,0,0],[0,0,3,0],[0,4,0,0],[0,0,0,2]]}}"#,
            picture::dimacs,
        ),
        Question::new(
            "sudoku/proof",
            "Certificates for the proof checker VeriPB 3.0: that there is a solution, and no other; or that there is \
             none. Up to side 16.",
            r#"{"sheet": {"n": 4, "cells": [[1,0,0,0],[0,0,3,0],[0,4,0,0],[0,0,0,2]]}}"#,
            picture::proof,
        ),
    ]
}
