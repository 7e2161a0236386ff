//! The questions to a problem, and the answers as MiniZinc reads them.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use cnfkit::model::{ModelError, Solution};
use cnfkit::{Limits, Size};

use crate::{FAR, Objective, Problem};

/// Which answers are wanted.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// All solutions; of an optimum every better solution on the way.
    pub all: bool,
    /// Every better solution on the way to an optimum.
    pub intermediate: bool,
    /// The greatest number of solutions; not for optima.
    pub number: Option<usize>,
    /// Statistics at the end.
    pub statistics: bool,
}

/// Where nothing is known.
pub const UNKNOWN: &str = "=====UNKNOWN=====";

/// Text in whole lines, to be said now, or instead of it where the program is stopped before there is more.
#[derive(Clone, Copy, Debug)]
pub enum AnswerText<'a> {
    /// Said now.
    Now(&'a str),
    /// Said where the program is stopped before there is more.
    IfStopped(&'a str),
}

/// Answers, line by line, what is `wanted` of a problem that was read at `start`. Of several solutions each differs in
/// what it prints. With a folder, a proof of the answer is written to it.
///
/// # Errors
/// As those of the model, but that limits are reached: then the answer says what is known.
pub fn answer(
    mut problem: Problem,
    wanted: &Wanted,
    dir: Option<&Path>,
    limits: Limits,
    start: Instant,
    out: &mut dyn FnMut(AnswerText<'_>),
) -> Result<(), ModelError> {
    for name in &problem.unbounded {
        eprintln!("warning: nothing bounds `{name}`: looking no farther than {FAR} from 0 or from its only bound");
    }
    let failures = Arc::new(AtomicU64::new(0));
    problem.model.set_limits(limits.count_conflicts(Arc::clone(&failures)));
    let read = start.elapsed();
    let (mut solutions, mut objective) = (0, None);
    let mut show = |problem: &Problem, solution: &Solution, now: bool| {
        let text = text(problem, solution);
        solutions += usize::from(now);
        out(if now { AnswerText::Now(&text) } else { AnswerText::IfStopped(&text) });
    };
    // What no solution has within bounds that were assumed may have one beyond.
    let is_whole = problem.unbounded.is_empty();
    let end = match std::mem::replace(&mut problem.objective, Objective::Satisfy) {
        Objective::Satisfy => satisfy(&problem, wanted, dir, &mut |problem, solution| show(problem, solution, true))?,
        asked => {
            let all = wanted.all || wanted.intermediate;
            let model = std::mem::take(&mut problem.model);
            let better = |solution: &Solution, _: i64| show(&problem, solution, all);
            let found = match (asked, dir) {
                (Objective::Maximise(expr), None) => model.ask().on_solution(better).maximum(expr),
                (Objective::Minimise(expr), None) => model.ask().on_solution(better).minimum(expr),
                (Objective::Maximise(expr), Some(dir)) => model.ask().proof(dir).maximum(expr),
                (Objective::Minimise(expr), Some(dir)) => model.ask().proof(dir).minimum(expr),
                (Objective::Satisfy, _) => unreachable!("that is no optimum"),
            };
            problem.model = model;
            match found {
                Ok(None) => End::None,
                Ok(Some(best)) => {
                    objective = Some((best.value, best.bound));
                    if !all {
                        show(&problem, &best.solution, true);
                    }
                    if best.is_optimal { End::Whole } else { End::Some }
                }
                Err(ModelError::Interrupted(_)) => End::Open,
                Err(error) => return Err(error),
            }
        }
    };
    let is_known = !matches!(end, End::Open);
    let end = match end {
        End::None if is_whole => Some("=====UNSATISFIABLE====="),
        End::None | End::Open => Some(UNKNOWN),
        End::Whole if is_whole => Some("=========="),
        End::Whole | End::Some => None,
    };
    let mut lines = String::new();
    end.iter().for_each(|end| line(&mut lines, end));
    if let Some(dir) = dir.filter(|_| is_known) {
        let [formula, proof] = ["formula.opb", "proof.pbp"].map(|name| dir.join(name));
        line(&mut lines, &format!("% checked by: veripb {} {}", formula.display(), proof.display()));
    }
    out(AnswerText::Now(&lines));
    if wanted.statistics {
        let [bools, ints, constraints] = problem.counts;
        let (init, all) = (read.as_secs_f64(), start.elapsed().as_secs_f64());
        let mut stats = vec![
            ("nSolutions", solutions.to_string()),
            ("failures", failures.load(Ordering::Relaxed).to_string()),
            ("boolVariables", bools.to_string()),
            ("intVariables", ints.to_string()),
            ("constraints", constraints.to_string()),
            ("initTime", format!("{init:.3}")),
            ("solveTime", format!("{:.3}", all - init)),
        ];
        if let Some((value, bound)) = objective {
            stats.extend([("objective", value.to_string()), ("objectiveBound", bound.to_string())]);
        }
        out(AnswerText::Now(&block(stats)));
        // This takes longer, and is no more than for those who look into it.
        if let Ok(formula) = problem.model.statistics() {
            let Size { vars, clauses, .. } = formula.total;
            out(AnswerText::Now(&block([("satVariables", vars.to_string()), ("clauses", clauses.to_string())])));
        }
    }
    Ok(())
}

/// Statistics as MiniZinc reads them.
fn block(of: impl IntoIterator<Item = (&'static str, String)>) -> String {
    let mut lines = String::new();
    of.into_iter().for_each(|(name, value)| line(&mut lines, &format!("%%%mzn-stat: {name}={value}")));
    line(&mut lines, "%%%mzn-stat-end");
    lines
}

/// Appends a line.
fn line(lines: &mut String, line: &str) {
    lines.push_str(line);
    lines.push('\n');
}

/// A solution.
fn text(problem: &Problem, solution: &Solution) -> String {
    let mut lines = String::new();
    problem.lines(solution).iter().for_each(|of| line(&mut lines, of));
    line(&mut lines, "----------");
    lines
}

/// How an enumeration or a search ended.
enum End {
    /// There is no solution.
    None,
    /// Nothing is known.
    Open,
    /// Some solutions, and there may be more or better ones.
    Some,
    /// All, or the best.
    Whole,
}

fn satisfy(
    problem: &Problem,
    wanted: &Wanted,
    dir: Option<&Path>,
    show: &mut dyn FnMut(&Problem, &Solution),
) -> Result<End, ModelError> {
    let most = wanted.number.unwrap_or(if wanted.all { usize::MAX } else { 1 });
    let mut found = 0;
    if most == 0 {
        return Ok(End::Some);
    }
    if most == 1 {
        return match dir.map_or_else(|| problem.model.solve(), |dir| problem.model.solve_certified(dir)) {
            Ok(Some(solution)) => {
                show(problem, &solution);
                Ok(End::Some)
            }
            Ok(None) => Ok(End::None),
            Err(ModelError::Interrupted(_)) => Ok(End::Open),
            Err(error) => Err(error),
        };
    }
    let solutions = match problem.model.solutions_by(problem.shown()) {
        Err(ModelError::Interrupted(_)) => return Ok(End::Open),
        solutions => solutions?,
    };
    for solution in solutions {
        match solution {
            Ok(solution) => show(problem, &solution),
            Err(ModelError::Interrupted(_)) => return Ok(if found == 0 { End::Open } else { End::Some }),
            Err(error) => return Err(error),
        }
        found += 1;
        if found == most {
            return Ok(End::Some);
        }
    }
    Ok(if found == 0 { End::None } else { End::Whole })
}
