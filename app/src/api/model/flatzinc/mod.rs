//! Models that somebody writes: FlatZinc, read as `fzn-cnfkit` does.

use std::time::Instant;

use cnfkit::model::{Expr, ModelError};
use cnfkit_fzn::{FAR, Objective, Problem as Flat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::jobs::Work;
use crate::problem::Problem;

/// A text to begin with.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub(crate) struct Example {
    name: &'static str,
    title: &'static str,
    text: &'static str,
}

pub(crate) const EXAMPLES: [Example; 4] = [
    Example { name: "map", title: "Map colouring", text: include_str!("map.fzn") },
    Example { name: "coins", title: "Coins, the fewest", text: include_str!("coins.fzn") },
    Example { name: "square", title: "Magic square", text: include_str!("square.fzn") },
    Example { name: "money", title: "SEND + MORE = MONEY", text: include_str!("money.fzn") },
];

/// A model as text.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Written {
    /// FlatZinc: variables, constraints, and what is asked. What is printed is annotated `output_var` or
    /// `output_array`.
    text: String,
    /// The most solutions, from 1 to 1000, which differ in what they print; 1 if not given. Of an optimum there is one.
    #[serde(default)]
    most: Option<usize>,
}

/// The knowledge of the solutions in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    /// There is none.
    None,
    /// These, and there may be others, or better ones.
    Some,
    /// These, and no others.
    All,
    /// It, and none is better.
    Best,
    /// Nothing: there is none within bounds that were assumed.
    Unknown,
}

/// Solutions of a text.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Read {
    /// Each as FlatZinc prints it, line by line.
    solutions: Vec<String>,
    state: State,
    /// The value that was to be as small or as large as possible, if there was one.
    objective: Option<i64>,
    /// The answer in words.
    text: String,
    /// Variables that nothing bounds, which are looked for between −1,000,000 and 1,000,000 only.
    unbounded: Vec<String>,
    /// The number of Boolean variables in the text.
    booleans: usize,
    /// Of integer variables.
    integers: usize,
    /// Of constraints.
    constraints: usize,
    /// The time from the text to the answer, in milliseconds.
    solve_ms: f64,
}

/// Solutions that are given at most.
const MOST: usize = 1000;

/// Answers `model/flatzinc`.
pub(crate) fn solve(asked: &Written, work: &Work) -> Result<Read, Problem> {
    let most = asked.most.unwrap_or(1);
    if !(1..=MOST).contains(&most) {
        return Err(Problem::refused("most", format!("{most} solutions; allowed are 1 to {MOST}")));
    }
    let start = Instant::now();
    work.say("reading", 0, None);
    let mut flat = Flat::read(&asked.text).map_err(|wrong| {
        let place = format!("line {}, column {}", wrong.line, wrong.column);
        Problem::refused(place, wrong.kind.to_string())
    })?;
    flat.model.set_limits(work.limits());
    work.say("solving", 0, None);
    let (solutions, state, objective) = match std::mem::replace(&mut flat.objective, Objective::Satisfy) {
        Objective::Satisfy => {
            let (solutions, state) = satisfy(&flat, most, work)?;
            (solutions, state, None)
        }
        Objective::Minimise(goal) => best(&mut flat, goal, false, work)?,
        Objective::Maximise(goal) => best(&mut flat, goal, true, work)?,
    };
    // What no solution has within bounds that were assumed may have one beyond.
    let state = match state {
        State::None if !flat.unbounded.is_empty() => State::Unknown,
        State::All | State::Best if !flat.unbounded.is_empty() => State::Some,
        state => state,
    };
    let [booleans, integers, constraints] = flat.counts;
    Ok(Read {
        text: words(solutions.len(), state, objective),
        solutions,
        state,
        objective,
        unbounded: flat.unbounded,
        booleans,
        integers,
        constraints,
        solve_ms: start.elapsed().as_secs_f64() * 1e3,
    })
}

fn words(count: usize, state: State, objective: Option<i64>) -> String {
    match (state, objective) {
        (State::None, _) => "there is no solution, and that is proved".into(),
        (State::Unknown, _) => format!("there is no solution with numbers up to {FAR} from 0 or from their bounds"),
        (State::Best, Some(value)) => format!("the best solution: {value}, and that is proved"),
        (_, Some(value)) => format!("the best so far: {value}; whether there is a better one was not found out"),
        (State::All | State::Best, None) if count == 1 => "the only solution".into(),
        (State::All | State::Best, None) => format!("all {count} solutions"),
        (State::Some, None) if count == 1 => "a solution; there may be others".into(),
        (State::Some, None) => format!("{count} solutions; there may be others"),
    }
}

fn shown(flat: &Flat, solution: &cnfkit::model::Solution) -> String {
    flat.lines(solution).join("\n")
}

fn satisfy(flat: &Flat, most: usize, work: &Work) -> Result<(Vec<String>, State), Problem> {
    if most == 1 {
        return Ok(match flat.model.solve()? {
            None => (Vec::new(), State::None),
            Some(solution) => (vec![shown(flat, &solution)], State::Some),
        });
    }
    let mut solutions = Vec::new();
    for solution in flat.model.solutions_by(flat.shown())? {
        match solution {
            Ok(solution) => solutions.push(shown(flat, &solution)),
            Err(ModelError::Interrupted(_)) if !solutions.is_empty() => return Ok((solutions, State::Some)),
            Err(error) => return Err(error.into()),
        }
        work.say("solutions", solutions.len() as u64, None);
        if solutions.len() == most {
            return Ok((solutions, State::Some));
        }
    }
    let state = if solutions.is_empty() { State::None } else { State::All };
    Ok((solutions, state))
}

fn best(flat: &mut Flat, goal: Expr, largest: bool, work: &Work) -> Result<(Vec<String>, State, Option<i64>), Problem> {
    let mut better = 0;
    let question = flat.model.ask().on_solution(|_, value| {
        better += 1;
        work.say(&format!("the best so far is {value}"), better, None);
    });
    let found = if largest { question.maximum(goal)? } else { question.minimum(goal)? };
    Ok(match found {
        None => (Vec::new(), State::None, None),
        Some(found) => {
            let state = if found.is_optimal { State::Best } else { State::Some };
            (vec![shown(flat, &found.solution)], state, Some(found.value))
        }
    })
}
