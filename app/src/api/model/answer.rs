//! The answer to a model: its solution, as the page draws it, and what that took.

use std::time::Instant;

use cnfkit::ask::Strategy;
use cnfkit::model::{Expr, Model, Solution};
use schemars::JsonSchema;
use serde::Serialize;

use crate::jobs::Work;
use crate::problem::Problem;

/// A solution, and what it took.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Answer {
    /// Null when there is provably none.
    pub(crate) solution: Option<Drawing>,
    pub(crate) statistics: Statistics,
}

/// Sizes and times.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub(crate) struct Statistics {
    /// Variables of the formula.
    variables: usize,
    clauses: usize,
    /// The time from the model to all clauses, in milliseconds.
    encode_ms: f64,
    /// The time from the model to the solution, in milliseconds, encoding included.
    solve_ms: f64,
}

/// A solution to be drawn, by its kind, and as text.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Drawing {
    /// A board of n × n and, for each row from the top, the column of its queen, from 0.
    Queens { n: usize, columns: Vec<i64>, text: String },
    /// Regions with their colours, from 0, and which of them touch, by index.
    Map { regions: Vec<Region>, borders: Vec<[usize; 2]>, text: String },
    /// The runs of rows and columns, and which cells are filled.
    Nonogram { rows: Vec<Vec<usize>>, columns: Vec<Vec<usize>>, cells: Vec<Vec<bool>>, text: String },
    /// A table.
    Grid { cells: Vec<Vec<String>>, note: String, text: String },
}

/// A region of a map.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Region {
    pub(crate) name: String,
    pub(crate) colour: i64,
    /// Where it is, from 0 to 1 from the left; null where that is not known.
    pub(crate) x: Option<f64>,
    /// From 0 to 1 from the top.
    pub(crate) y: Option<f64>,
}

/// A question to a model.
pub(crate) enum Goal {
    /// Any solution.
    Any,
    /// As large as possible.
    Most(Expr),
}

/// Asks the model within the time of the question, and draws its solution; `draw` is told whether it is provably best.
pub(crate) fn ask(
    mut model: Model,
    goal: Goal,
    work: &Work,
    draw: impl FnOnce(&Solution, bool) -> Drawing,
) -> Result<Answer, Problem> {
    work.say("encoding", 0, None);
    model.set_limits(work.limits());
    let start = Instant::now();
    let cnf = model.formula()?.encode()?;
    let encode_ms = milliseconds(start);
    work.say(&format!("solving {} clauses", cnf.n_clauses()), 0, None);
    model.set_limits(work.limits());
    if let Some(make) = work.engine()? {
        model.set_solver(make);
        model.set_strategy(Strategy::SolutionImproving); // engines have no cores
    }
    let start = Instant::now();
    let found = match goal {
        Goal::Any => model.solve()?.map(|solution| (solution, true)),
        Goal::Most(expr) => {
            let mut better = 0;
            let question = model.ask().on_solution(|_, value| {
                better += 1;
                work.say(&format!("the best so far is {value}"), better, None);
            });
            question.maximum(expr)?.map(|best| (best.solution, best.is_optimal))
        }
    };
    let solve_ms = milliseconds(start);
    let statistics = Statistics { variables: cnf.n_vars(), clauses: cnf.n_clauses(), encode_ms, solve_ms };
    Ok(Answer { solution: found.map(|(solution, is_best)| draw(&solution, is_best)), statistics })
}

fn milliseconds(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}
