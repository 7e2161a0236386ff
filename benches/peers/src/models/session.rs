//! The session by which models are solved, against plain BatSat on the same clauses.

use std::time::Duration;

use cnfkit::model::{Expr, Model};
use cnfkit::rustsat::solvers::GetInternalStats;
use cnfkit::rustsat::types::Cl;
use cnfkit::solvers::{BatSat, Solve};
use cnfkit::{ClauseSink, Cnf, Limits};
use cnfkit_core::internals::{Choices, Clock, Oracle, Session};
use cpu_time::ThreadTime;

use super::problems::Problem;
use super::{examples, hand, scale};

/// Families of models that are solved and not optimised, each made when it is its turn.
fn families() -> Vec<(String, Box<dyn Fn() -> Vec<Model>>)> {
    let mut all: Vec<(String, Box<dyn Fn() -> Vec<Model>>)> = Vec::new();
    for family in hand::families(None, 0) {
        all.push((family.name, Box::new(move || family.problems.iter().map(Problem::model).collect())));
    }
    for (name, page) in examples::PAGES {
        all.push((
            format!("example {name}"),
            Box::new(move || {
                let (model, least, _) = page(None);
                feasible(model, least.as_ref())
            }),
        ));
    }
    for (name, make) in scale::rows() {
        all.push((
            name,
            Box::new(move || {
                let (model, least) = make();
                feasible(model, least.as_ref())
            }),
        ));
    }
    all
}

fn feasible(model: Model, least: Option<&Expr>) -> Vec<Model> {
    if least.is_none() { vec![model] } else { Vec::new() }
}

/// Conflicts, and CPU seconds of loading and search; `None` where the limit came first.
type Answer = Option<(u64, f64)>;

fn plain(cnf: &Cnf) -> (u64, f64) {
    let start = ThreadTime::now();
    let mut solver = BatSat::default();
    cnf.clauses().for_each(|clause| solver.add_clause_ref(Cl::new(clause)).expect("BatSat takes clauses"));
    solver.solve().expect("BatSat answers");
    (solver.conflicts() as u64, start.elapsed().as_secs_f64())
}

fn by_session(cnf: &Cnf, clock: &Clock, true_first: bool) -> Answer {
    let start = ThreadTime::now();
    let mut session = Session::on(clock, Choices::default());
    if true_first { session.new_vars(cnf.n_vars()) } else { session.new_open_vars(cnf.n_vars()) }.ok()?;
    cnf.clauses().try_for_each(|clause| session.add_clause(clause)).ok()?;
    session.solve(&[]).ok()?;
    Some((session.n_conflicts(), start.elapsed().as_secs_f64()))
}

/// Conflicts are sums over a family, seconds too; what took longer than the limit counts as that.
pub fn run(only: &str, limit: u64) {
    let columns = ["models", "clauses", "plain: conflicts", "s", "true first: conflicts", "s", "× plain"];
    let more = ["as it was last: conflicts", "s", "× plain", "`solve`, s", "× plain"];
    println!("| {} | {} |", columns.join(" | "), more.join(" | "));
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    let limits = || Limits::none().time(Duration::from_secs(limit));
    for (name, make) in families().into_iter().filter(|(name, _)| name.contains(only)) {
        let mut models = make();
        if models.is_empty() {
            continue;
        }
        let (mut clauses, mut conflicts, mut seconds) = (0, [0; 3], [0.0; 4]);
        for model in &mut models {
            let Ok(Ok(cnf)) = model.formula().map(|formula| formula.encode()) else { continue };
            clauses += cnf.n_clauses();
            let answers = [
                Some(plain(&cnf)),
                by_session(&cnf, &limits().start(), true),
                by_session(&cnf, &limits().start(), false),
            ];
            for (at, answer) in answers.into_iter().enumerate() {
                let (found, time) = answer.unwrap_or((0, limit as f64));
                conflicts[at] += found;
                seconds[at] += time;
            }
            model.set_limits(limits());
            let start = ThreadTime::now();
            let _ = model.solve();
            seconds[3] += start.elapsed().as_secs_f64();
        }
        let times = |at: usize| seconds[at] / seconds[0];
        println!(
            "| {name} | {clauses} | {} | {:.3} | {} | {:.3} | {:.2} | {} | {:.3} | {:.2} | {:.3} | {:.2} |",
            conflicts[0],
            seconds[0],
            conflicts[1],
            seconds[1],
            times(1),
            conflicts[2],
            seconds[2],
            times(2),
            seconds[3],
            times(3),
        );
    }
}
