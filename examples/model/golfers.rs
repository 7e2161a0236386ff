//! Social golfers: in every week all play in groups, and no two meet twice.

use cnfkit::model::{Expr, Model, Solution, count};

const GROUPS: usize = 4;
const SIZE: usize = 3;

pub(crate) fn page(weeks: Option<usize>) -> (Model, Option<Expr>, Box<dyn Fn(&Solution, i64) -> String>) {
    let weeks = weeks.unwrap_or(3);
    let players = GROUPS * SIZE;
    let mut model = Model::new();
    let group = model.int_grid(weeks, players, 0..GROUPS as i64);
    for week in 0..weeks {
        for number in 0..GROUPS as i64 {
            model.post(count(group.row(week), number).eq(SIZE as i64));
        }
        model.post(group.at(week, 0).eq(0)); // groups have no order
    }
    for one in 0..players {
        for other in one + 1..players {
            let meetings: Vec<_> =
                (0..weeks).map(|week| model.reify(group.at(week, one).eq(group.at(week, other)))).collect();
            model.post(cnfkit::model::sum(&meetings).le(1));
        }
    }
    let week = move |row: &[i64]| {
        let members =
            |number: i64| (0..players).filter(move |&player| row[player] == number).map(|player| format!("{player:2}"));
        (0..GROUPS as i64).map(|number| members(number).collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join(" | ")
    };
    let show = move |solution: &Solution, _| solution.grid(&group).rows().map(week).collect::<Vec<_>>().join("\n");
    (model, None, Box::new(show))
}
