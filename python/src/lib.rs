//! The Python module `cnfkit._cnfkit`: the library's types as Python classes. Arguments are checked here, so that what
//! the library says of a caller's bug, a panic, is an exception of Python's own kind.

// The docs are Python's docstrings.
#![allow(clippy::doc_markdown, clippy::doc_link_with_quotes)]
// Python's methods have a `self`, and errors are turned into exceptions.
#![allow(clippy::unused_self, clippy::needless_pass_by_value)]
#![allow(clippy::redundant_closure_for_method_calls, clippy::struct_field_names)]

mod ask;
mod clauses;
mod convert;
mod engine;
mod errors;
mod expr;
mod flatzinc;
mod formula;
mod globals;
mod model;
mod puzzles;
mod solver;

/// Cardinality and pseudo-Boolean constraints into CNF, formulas, models and two puzzles. Use it as `cnfkit`.
#[pyo3::pymodule]
mod _cnfkit {
    #[pymodule_export]
    #[allow(non_upper_case_globals)] // Python's name
    const __version__: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    use crate::ask::Solutions;
    #[pymodule_export]
    use crate::clauses::{Clauses, Counter, card_clauses, encode, encode_many, encodings};
    #[pymodule_export]
    use crate::errors::ReadError;
    #[pymodule_export]
    use crate::expr::{Constraint, IntExpr, weighted_sum};
    #[pymodule_export]
    use crate::flatzinc::{flatzinc, install_minizinc};
    #[pymodule_export]
    use crate::formula::{Formula, Group, restore};
    #[pymodule_export]
    use crate::globals::{
        all_different, all_equal, all_of, any_of, automaton, circuit, count, cumulative, disjunctive, element,
        function, global_cardinality, inverse, lex, table,
    };
    #[pymodule_export]
    use crate::model::{Model, Solution};
    #[pymodule_export]
    use crate::puzzles::{GemHunter, Sudoku};
    #[pymodule_export]
    use crate::solver::{Solver, SolverModels};
}
