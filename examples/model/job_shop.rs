//! Job shop: each job runs on its machines in its order, a machine runs one job at a time, and all is done as early as
//! possible. The instance ft06 of Fisher and Thompson (1963): six jobs, six machines, 55 units of time.

use cnfkit::model::{Model, ModelError, disjunctive, maximum};

/// For each job, machines with durations, in order.
const FT06: [[(usize, i64); 6]; 6] = [
    [(2, 1), (0, 3), (1, 6), (3, 7), (5, 3), (4, 6)],
    [(1, 8), (2, 5), (4, 10), (5, 10), (0, 10), (3, 4)],
    [(2, 5), (3, 4), (5, 8), (0, 9), (1, 1), (4, 7)],
    [(1, 5), (0, 5), (2, 5), (3, 3), (4, 8), (5, 9)],
    [(2, 9), (1, 3), (4, 5), (5, 4), (0, 3), (3, 1)],
    [(1, 3), (3, 3), (5, 9), (0, 10), (4, 4), (2, 1)],
];

pub(crate) fn run(_: Option<usize>) -> Result<String, ModelError> {
    let horizon = 100;
    let mut model = Model::new();
    let starts = model.int_grid(FT06.len(), 6, 0..=horizon);
    for (job, steps) in FT06.iter().enumerate() {
        for (step, &(_, duration)) in steps.iter().enumerate().take(5) {
            model.post((starts.at(job, step) + duration).le(starts.at(job, step + 1)));
        }
    }
    for machine in 0..6 {
        let tasks = FT06.iter().enumerate().flat_map(|(job, steps)| {
            let found = steps.iter().enumerate().filter(|(_, of)| of.0 == machine);
            found.map(move |(step, of)| (job, step, of.1))
        });
        let (of, durations): (Vec<_>, Vec<_>) = tasks.map(|(job, step, time)| (starts.at(job, step), time)).unzip();
        model.post(disjunctive(of, durations));
    }
    let end = model.int(0..=horizon);
    model.post(maximum(FT06.iter().enumerate().map(|(job, steps)| starts.at(job, 5) + steps[5].1), end));
    let Some(best) = model.minimise(end, |_, _| {})? else { return Ok("no solution".into()) };
    Ok(format!("{}\ndone at {}", best.solution.grid(&starts), best.value))
}
