//! A shortest round trip through ten places.

use cnfkit::model::{Expr, Model, Solution, circuit, element, sum};

const PLACES: [(i64, i64); 10] =
    [(2, 9), (14, 3), (7, 16), (19, 12), (10, 10), (3, 2), (17, 18), (11, 1), (6, 6), (15, 8)];

pub(crate) fn page(_: Option<usize>) -> (Model, Option<Expr>, Box<dyn Fn(&Solution, i64) -> String>) {
    let n = PLACES.len();
    let distance = |(a, b): (i64, i64), (c, d): (i64, i64)| (a - c).abs() + (b - d).abs();
    let mut model = Model::new();
    let next = model.ints(n, 0..n as i64);
    model.post(circuit(&next));
    let costs = model.ints(n, 0..=40);
    for (from, &place) in PLACES.iter().enumerate() {
        model.post(element(PLACES.map(|other| distance(place, other)), next[from], costs[from]));
    }
    let show = move |solution: &Solution, length| {
        let trip = (0..n).scan(0, |at, _| {
            let here = *at;
            *at = usize::try_from(solution.value(next[here])).ok()?;
            Some(here.to_string())
        });
        format!("{}, length {length}", trip.collect::<Vec<_>>().join(" "))
    };
    (model, Some(sum(&costs)), Box::new(show))
}
