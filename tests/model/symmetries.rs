//! Models whose symmetries are broken, against all assignments.

use cnfkit::Limits;
use cnfkit::model::{Expr, IntVar, Model, count, global_cardinality, sum};

use crate::numbers::Random;

/// Variables that may be exchanged, but for one or two, and values that may be where only counts bound them: what
/// is satisfiable stays so, and the optimum is that of all assignments.
#[test]
fn optima_are_those_of_all_assignments() {
    const VARS: usize = 9;
    let mut random = Random(5);
    let (mut broken, mut none) = (0, 0);
    for round in 0..60 {
        let mut model = Model::new();
        let x = model.ints(VARS, 0..=2);
        let (least, most) = (random.below(9) as i64, 4 + random.below(9) as i64);
        if round % 2 == 0 {
            model.post(sum(&x).ge(least));
            model.post(sum(&x).le(most));
        }
        let few = [0, 1, 2].map(|_| 2 + random.below(3) as i64);
        (0..).zip(few).for_each(|(value, few)| model.post(count(&x, value).le(few)));
        let apart = random.below(3) == 0;
        if apart {
            model.post(x[0].ne(x[1]));
        }
        let factors: Vec<i64> = (0..VARS).map(|at| if at < 2 { random.below(4) as i64 } else { 1 }).collect();
        let value = |values: &[i64]| values.iter().zip(&factors).map(|(x, factor)| x * factor).sum::<i64>();
        let all = (0..3_usize.pow(VARS as u32))
            .map(|word| (0..VARS).map(|at| (word / 3_usize.pow(at as u32) % 3) as i64).collect::<Vec<i64>>());
        let best = all
            .filter(|values| {
                let total: i64 = values.iter().sum();
                let of = |value: i64| values.iter().filter(|&&x| x == value).count() as i64;
                (round % 2 == 1 || (least..=most).contains(&total))
                    && (0..).zip(few).all(|(value, few)| of(value) <= few)
                    && (!apart || values[0] != values[1])
            })
            .map(|values| value(&values))
            .min();
        model.break_symmetries();
        let formula = model.formula().unwrap();
        let symmetric = formula.break_symmetries().unwrap().into_formula();
        broken += usize::from(symmetric.n_clauses() > formula.n_clauses());
        none += usize::from(best.is_none());
        assert_eq!(model.solve().unwrap().is_some(), best.is_some(), "round {round}");
        let terms: Vec<_> = x.iter().zip(&factors).map(|(&x, &factor)| factor * x).collect();
        assert_eq!(model.minimum(sum(terms)).unwrap().map(|found| found.value), best, "round {round}");
    }
    assert!(broken > 20 && none > 3, "{broken} broken, {none} without solution");
}

/// Solutions are counted as without it.
#[test]
fn all_solutions_are_there() {
    let mut model = Model::new();
    let x = model.ints(7, 0..=6);
    model.all_different(&x);
    model.break_symmetries();
    assert_eq!(model.count(10_000).unwrap(), 5_040);
}

/// Golfers in groups of a size who meet at most once in so many weeks.
fn golfers(groups: usize, size: usize, weeks: usize) -> Model {
    let mut model = Model::new();
    let x: Vec<Vec<IntVar>> = (0..weeks).map(|_| model.ints(groups * size, 1..=groups as i64)).collect();
    for week in &x {
        let each: Vec<(i64, Expr)> = (1..=groups as i64).map(|group| (group, (size as i64).into())).collect();
        model.post(global_cardinality(week, each));
    }
    for one in 0..groups * size {
        for other in 0..one {
            let meet: Vec<_> = x.iter().map(|week| model.reify(week[one].eq(week[other])).as_int()).collect();
            model.post(sum(meet).le(1));
        }
    }
    model
}

/// The queens' graph of a board, in so many colours.
fn queens(side: usize, colours: i64) -> Model {
    let mut model = Model::new();
    let x = model.ints(side * side, 1..=colours);
    let place = |at: usize| (at / side, at % side);
    for (one, other) in (0..x.len()).flat_map(|one| (0..one).map(move |other| (one, other))) {
        let ((row, column), (to_row, to_column)) = (place(one), place(other));
        let (rows, columns) = (row.abs_diff(to_row), column.abs_diff(to_column));
        if rows == 0 || columns == 0 || rows == columns {
            model.post(x[one].ne(x[other]));
        }
    }
    model
}

/// The conflicts that are enough for an answer, a power of two.
#[test]
#[ignore = "figures"]
fn figures_of_symmetries() {
    let families = [
        ("golfers 2-4-2", golfers(2, 4, 2)),
        ("golfers 3-3-5", golfers(3, 3, 5)),
        ("golfers 4-3-4", golfers(4, 3, 4)),
        ("queens 5 in 4", queens(5, 4)),
        ("queens 6 in 6", queens(6, 6)),
        ("queens 6 in 7", queens(6, 7)),
    ];
    for (name, mut model) in families {
        let mut enough = [None; 2];
        for enough in &mut enough {
            *enough = (4..18).map(|log| 1 << log).find_map(|most| {
                model.set_limits(Limits::none().conflicts(most));
                model.solve().ok().map(|found| (most, found.is_some()))
            });
            model.break_symmetries();
        }
        println!("{name}: {:?}, without symmetries {:?}", enough[0], enough[1]);
    }
}
