//! FlatZinc, for `cnfkit.minizinc`.

use std::path::PathBuf;
use std::time::Instant;

use cnfkit_fzn::{AnswerText, Problem, Wanted, answer};
use pyo3::prelude::*;

use crate::ask::{Callback, limits, wait};
use crate::errors::{no_flatzinc, no_model};

/// Answers a FlatZinc text as MiniZinc reads it: `write` is called with whole lines, the last ones after Ctrl-C or the
/// time limit, too.
///
/// Without `all_solutions`, `num_solutions` solutions are shown, 1 if that is None; of an optimum the best one, with
/// `intermediate` each that is better than those before. `time_limit` is in seconds. A wrong text is a ReadError.
///
/// >>> lines = []
/// >>> flatzinc("var 1..9: x :: output_var; constraint int_lt(x, 5); solve maximize x;", lines.append)
/// >>> print(*lines, sep="", end="")
/// x = 4;
/// ----------
/// ==========
#[pyfunction]
#[pyo3(signature = (text, write, *, all_solutions=false, intermediate=false, num_solutions=None, statistics=false,
    threads=1, seed=0, time_limit=None))]
#[allow(clippy::too_many_arguments, clippy::fn_params_excessive_bools)] // options of MiniZinc's
pub(crate) fn flatzinc(
    py: Python<'_>,
    text: &str,
    write: Py<PyAny>,
    all_solutions: bool,
    intermediate: bool,
    num_solutions: Option<usize>,
    statistics: bool,
    threads: usize,
    seed: i64,
    time_limit: Option<f64>,
) -> PyResult<()> {
    let start = Instant::now();
    let wanted = Wanted { all: all_solutions, intermediate, number: num_solutions, statistics };
    let (limits, flag) = limits(time_limit)?;
    let mut write = Callback::new(Some(write), flag.clone());
    let quiet = || Ok(());
    let answered = wait(py, &flag, quiet, || {
        let mut problem = Problem::read(text).map_err(no_flatzinc)?;
        problem.model.set_threads(threads);
        problem.model.set_seed(seed.cast_unsigned());
        let mut say = |what: AnswerText<'_>| {
            // What is known when the question is stopped is said at its end: nothing ends this thread before.
            if let AnswerText::Now(text) = what {
                write.call(|py| (text,).into_pyobject(py));
            }
        };
        answer(problem, &wanted, None, limits, start, &mut say).map_err(no_model)
    });
    write.end(answered)
}

/// Writes what MiniZinc needs to know of this solver to `folder`, or to the user's folder of MiniZinc, and returns the
/// path of its configuration. MiniZinc calls `executable`.
#[pyfunction]
pub(crate) fn install_minizinc(folder: Option<PathBuf>, executable: &str) -> PyResult<PathBuf> {
    Ok(cnfkit_fzn::install(folder.as_deref(), executable)?)
}
