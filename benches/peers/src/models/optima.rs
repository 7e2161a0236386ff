//! Least and greatest values by each strategy: job shops, knapsacks, round trips.

use cnfkit::Limits;
use cnfkit::ask::Strategy;
use cnfkit::model::{Expr, Model, circuit, element, sum};
use cpu_time::ThreadTime;
use std::time::Duration;

use super::{LAWRENCE, Random, job_shop};

/// A model and the expression that is to be as small as possible.
type Least = (Model, Expr);

const STRATEGIES: [(&str, Strategy); 3] = [
    ("auto", Strategy::Auto),
    ("solution-improving", Strategy::SolutionImproving),
    ("core-guided", Strategy::CoreGuided),
];

/// Things of most worth that weigh at most half of all.
fn knapsack(n: usize, seed: u64) -> Least {
    let mut random = Random::new(seed);
    let mut model = Model::new();
    let taken = model.bools(n);
    let mut total = |from: usize, to: usize| -> (Expr, i64) {
        let numbers: Vec<i64> = taken.iter().map(|_| (from + random.below(to - from + 1)) as i64).collect();
        (sum(taken.iter().zip(&numbers).map(|(taken, &number)| taken.as_int() * number)), numbers.iter().sum())
    };
    let (weight, all) = total(10, 60);
    let (worth, _) = total(10, 60);
    model.post(weight.le(all / 2));
    (model, -worth)
}

/// A shortest round trip through places by lot, by the distances along two axes.
fn trip(n: usize, seed: u64) -> Least {
    let mut random = Random::new(seed);
    let places: Vec<(i64, i64)> = (0..n).map(|_| (random.below(20) as i64, random.below(20) as i64)).collect();
    let mut model = Model::new();
    let next = model.ints(n, 0..n as i64);
    model.post(circuit(&next));
    let costs = model.ints(n, 0..=40);
    for (from, &(a, b)) in places.iter().enumerate() {
        let distances = places.iter().map(|&(c, d)| (a - c).abs() + (b - d).abs());
        model.post(element(distances.collect::<Vec<i64>>(), next[from], costs[from]));
    }
    (model, sum(&costs))
}

fn families() -> Vec<(String, Vec<Least>)> {
    let shop = |(name, jobs)| {
        let (model, _, end) = job_shop::plan(jobs);
        (format!("job shop {name}"), vec![(model, end.into())])
    };
    let names = ["ft06", "la01", "la02", "la03", "la04", "la05"];
    let mut all: Vec<(String, Vec<Least>)> =
        names.into_iter().zip([job_shop::FT06].into_iter().chain(LAWRENCE)).map(shop).collect();
    for n in [20, 30, 40] {
        all.push((format!("10 knapsacks of {n} things"), (0..10).map(|seed| knapsack(n, seed)).collect()));
    }
    for n in [8, 10, 12] {
        all.push((format!("10 trips through {n} places"), (0..10).map(|seed| trip(n, seed)).collect()));
    }
    all
}

/// Seconds are means of CPU time; what takes longer than `limit` seconds is not proven.
pub fn run(only: &str, limit: u64) {
    println!("| family | strategy | proven | sum of values | improvements | mean, s | longest, s |");
    println!("|---|---|---:|---:|---:|---:|---:|");
    for (name, mut problems) in families().into_iter().filter(|(name, _)| name.contains(only)) {
        for (way, strategy) in STRATEGIES {
            let (mut proven, mut values, mut improvements) = (0, 0, 0);
            let (mut all, mut longest) = (0.0, 0.0_f64);
            for (model, least) in &mut problems {
                model.set_strategy(strategy);
                model.set_limits(Limits::none().time(Duration::from_secs(limit)));
                let start = ThreadTime::now();
                let best =
                    model.ask().on_solution(|_, _| improvements += 1).minimum(&*least).expect("a model that is right");
                let seconds = start.elapsed().as_secs_f64();
                all += seconds;
                longest = longest.max(seconds);
                let Some(best) = best else { continue };
                proven += usize::from(best.is_optimal);
                values += best.value;
            }
            let n = problems.len();
            let mean = all / n as f64;
            println!("| {name} | {way} | {proven} of {n} | {values} | {improvements} | {mean:.3} | {longest:.3} |");
        }
    }
}
