//! Things of most worth that are light enough to carry.

use cnfkit::model::{Bool, Expr, Model, Solution, sum};

const THINGS: [(&str, i64, i64); 8] = [
    ("tent", 25, 60),
    ("stove", 12, 35),
    ("water", 20, 70),
    ("camera", 9, 30),
    ("book", 6, 12),
    ("rope", 14, 38),
    ("map", 1, 15),
    ("chair", 18, 20),
];
const MOST: i64 = 60;

/// Which things to take, and what they are worth together. A thing has a name, a weight and a worth.
pub(crate) fn model(things: &[(&str, i64, i64)], most: i64) -> (Model, Vec<Bool>, Expr) {
    let mut model = Model::new();
    let taken = model.bools(things.len());
    let total = |of: fn(&(&str, i64, i64)) -> i64| {
        sum(taken.iter().zip(things).map(|(taken, thing)| taken.as_int() * of(thing)))
    };
    model.post(total(|thing| thing.1).le(most));
    let worth = total(|thing| thing.2);
    (model, taken, worth) // maximise(worth)
}

pub(crate) fn page(_: Option<usize>) -> (Model, Option<Expr>, Box<dyn Fn(&Solution, i64) -> String>) {
    let (model, taken, worth) = model(&THINGS, MOST);
    let show = move |solution: &Solution, cost: i64| {
        let things = taken.iter().zip(&THINGS).filter(|&(&taken, _)| solution.is_true(taken));
        let names: Vec<&str> = things.map(|(_, thing)| thing.0).collect();
        format!("{} (worth {})", names.join(", "), -cost)
    };
    (model, Some(-worth), Box::new(show))
}
