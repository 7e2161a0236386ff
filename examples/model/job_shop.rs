//! Job shop: each job runs on its machines in its order, a machine runs one job at a time, and all is done as early as
//! possible. Without a number the instance ft06 of Fisher and Thompson (1963): six jobs, six machines, 55 units of
//! time. With a number from 1 to 5 one of la01 to la05 of Lawrence (*Resource constrained project scheduling*, Carnegie
//! Mellon University, 1984): ten jobs, five machines, 666, 655, 597, 590 and 593 units.

use cnfkit::model::{Expr, IntGrid, IntVar, Model, Solution, disjunctive, maximum};

/// For each job, machines with durations, in order.
const FT06: &str = "
    2 1  0 3  1 6  3 7  5 3  4 6 / 1 8  2 5  4 10  5 10  0 10  3 4 / 2 5  3 4  5 8  0 9  1 1  4 7
    1 5  0 5  2 5  3 3  4 8  5 9 / 2 9  1 3  4 5  5 4  0 3  3 1 / 1 3  3 3  5 9  0 10  4 4  2 1";
const LAWRENCE: [&str; 5] = [
    "1 21  0 53  4 95  3 55  2 34 / 0 21  3 52  4 16  2 26  1 71 / 3 39  4 98  1 42  2 31  0 12
    1 77  0 55  4 79  2 66  3 77 / 0 83  3 34  2 64  1 19  4 37 / 1 54  2 43  4 79  0 92  3 62
    3 69  4 77  1 87  2 87  0 93 / 2 38  0 60  1 41  3 24  4 83 / 3 17  1 49  4 25  0 44  2 98
    4 77  3 79  2 43  1 75  0 96",
    "0 20  3 87  1 31  4 76  2 17 / 4 25  2 32  0 24  1 18  3 81 / 1 72  2 23  4 28  0 58  3 99
    2 86  1 76  4 97  0 45  3 90 / 4 27  0 42  3 48  2 17  1 46 / 1 67  0 98  4 48  3 27  2 62
    4 28  1 12  3 19  0 80  2 50 / 1 63  0 94  2 98  3 50  4 80 / 4 14  0 75  2 50  1 41  3 55
    4 72  2 18  1 37  3 79  0 61",
    "1 23  2 45  0 82  4 84  3 38 / 2 21  1 29  0 18  4 41  3 50 / 2 38  3 54  4 16  0 52  1 52
    4 37  0 54  2 74  1 62  3 57 / 4 57  0 81  1 61  3 68  2 30 / 4 81  0 79  1 89  2 89  3 11
    3 33  2 20  0 91  4 20  1 66 / 4 24  1 84  0 32  2 55  3 8 / 4 56  0 7  3 54  2 64  1 39
    4 40  1 83  0 19  2 8  3 7",
    "0 12  2 94  3 92  4 91  1 7 / 1 19  3 11  4 66  2 21  0 87 / 1 14  0 75  3 13  4 16  2 20
    2 95  4 66  0 7  3 7  1 77 / 1 45  3 6  4 89  0 15  2 34 / 3 77  2 20  0 76  4 88  1 53
    2 74  1 88  0 52  3 27  4 9 / 1 88  3 69  0 62  4 98  2 52 / 2 61  4 9  0 62  1 52  3 90
    2 54  4 5  3 59  1 15  0 88",
    "1 72  0 87  4 95  2 66  3 60 / 4 5  3 35  0 48  2 39  1 54 / 1 46  3 20  2 21  0 97  4 55
    0 59  3 19  4 46  1 34  2 37 / 4 23  2 73  3 25  1 24  0 28 / 3 28  0 45  4 5  1 78  2 83
    0 53  3 71  1 37  4 29  2 12 / 4 12  2 87  3 33  1 55  0 38 / 2 49  3 83  1 40  0 48  4 7
    2 65  3 17  0 90  4 27  1 23",
];

type Job = Vec<(usize, i64)>;

fn read(text: &str) -> Vec<Job> {
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

/// A model, when each job's steps start, and when all is done; `None` if there is no such instance.
pub(crate) fn plan(instance: Option<usize>) -> Option<(Model, IntGrid, IntVar)> {
    let text = match instance {
        None => FT06,
        Some(number) => LAWRENCE.get(number.checked_sub(1)?)?,
    };
    let jobs = read(text);
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
    Some((model, starts, end))
}

pub(crate) fn page(instance: Option<usize>) -> (Model, Option<Expr>, Box<dyn Fn(&Solution, i64) -> String>) {
    let Some((model, starts, end)) = plan(instance) else {
        return (Model::new(), None, Box::new(move |_, _| format!("there is no la0{}: 1 to 5", instance.unwrap_or(0))));
    };
    let show = move |solution: &Solution, end| format!("{}\ndone at {end}", solution.grid(&starts));
    (model, Some(end.into()), Box::new(show))
}
