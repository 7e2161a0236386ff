//! Job shop: each job runs on its machines in its order, a machine runs one job at a time, and all is done as early as
//! possible: the instance ft06 of Fisher and Thompson (1963), of six jobs and six machines, in 55 units of time.

use cnfkit::model::{Expr, IntGrid, IntVar, Model, Solution, disjunctive, maximum};

/// For each job, machines with durations, in order.
pub(crate) const FT06: &str = "
    2 1  0 3  1 6  3 7  5 3  4 6 / 1 8  2 5  4 10  5 10  0 10  3 4 / 2 5  3 4  5 8  0 9  1 1  4 7
    1 5  0 5  2 5  3 3  4 8  5 9 / 2 9  1 3  4 5  5 4  0 3  3 1 / 1 3  3 3  5 9  0 10  4 4  2 1";

type Job = Vec<(usize, i64)>;

pub(crate) fn read(text: &str) -> Vec<Job> {
    let number = |word: &str| word.parse::<u16>().expect("a number");
    let job = |line: &str| {
        let numbers: Vec<u16> = line.split_whitespace().map(number).collect();
        numbers.chunks(2).map(|step| (step[0].into(), step[1].into())).collect()
    };
    text.split(['/', '\n']).filter(|line| !line.trim().is_empty()).map(job).collect()
}

/// The time that it takes if each job in turn does its next step as soon as it can.
fn in_turns(jobs: &[Job]) -> i64 {
    let (mut job_free, mut machine_free) = (vec![0; jobs.len()], vec![0; jobs[0].len()]);
    for step in 0..jobs[0].len() {
        for (job, steps) in jobs.iter().enumerate() {
            let (machine, duration) = steps[step];
            let end = job_free[job].max(machine_free[machine]) + duration;
            (job_free[job], machine_free[machine]) = (end, end);
        }
    }
    job_free.into_iter().max().unwrap_or(0)
}

/// A model, when each job's steps start, and when all is done. Jobs are written as those of `FT06`.
pub(crate) fn plan(jobs: &str) -> (Model, IntGrid, IntVar) {
    let jobs = read(jobs);
    let (n_steps, horizon) = (jobs[0].len(), in_turns(&jobs));
    let mut model = Model::new();
    let starts = model.int_grid(jobs.len(), n_steps, 0..=horizon);
    let end = model.int(0..=horizon);
    for (job, steps) in jobs.iter().enumerate() {
        for (step, &(_, duration)) in steps.iter().enumerate().take(n_steps - 1) {
            model.post((starts.at(job, step) + duration).le(starts.at(job, step + 1)));
        }
    }
    for machine in 0..n_steps {
        let mut tasks = Vec::new();
        // What comes before and after all of a machine's work, at least.
        let (mut head, mut tail) = (horizon, horizon);
        for (job, steps) in jobs.iter().enumerate() {
            let sum = |steps: &[(usize, i64)]| steps.iter().map(|&(_, duration)| duration).sum::<i64>();
            for step in (0..n_steps).filter(|&step| steps[step].0 == machine) {
                tasks.push((starts.at(job, step), steps[step].1));
                (head, tail) = (head.min(sum(&steps[..step])), tail.min(sum(&steps[step + 1..])));
            }
        }
        let (of, durations): (Vec<_>, Vec<_>) = tasks.into_iter().unzip();
        model.post(end.ge(head + tail + durations.iter().sum::<i64>()));
        model.post(disjunctive(of, durations));
    }
    let ends = jobs.iter().enumerate().map(|(job, steps)| starts.at(job, n_steps - 1) + steps[n_steps - 1].1);
    model.post(maximum(ends, end));
    (model, starts, end)
}

pub(crate) fn page(_: Option<usize>) -> (Model, Option<Expr>, Box<dyn Fn(&Solution, i64) -> String>) {
    let (model, starts, end) = plan(FT06);
    let show = move |solution: &Solution, end| format!("{}\ndone at {end}", solution.grid(&starts));
    (model, Some(end.into()), Box::new(show))
}
