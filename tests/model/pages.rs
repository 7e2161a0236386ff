//! The pages of the example `model`, whose answers are checked, and numbers of solutions that are published.

#[path = "../../examples/model/colouring.rs"]
mod colouring;
#[path = "../../examples/model/futoshiki.rs"]
mod futoshiki;
#[path = "../../examples/model/golfers.rs"]
mod golfers;
#[path = "../../examples/model/job_shop.rs"]
pub(crate) mod job_shop;
#[path = "../../examples/model/kakuro.rs"]
mod kakuro;
#[path = "../../examples/model/ken_ken.rs"]
mod ken_ken;
#[path = "../../examples/model/knapsack.rs"]
mod knapsack;
#[path = "../../examples/model/latin_square.rs"]
mod latin_square;
#[path = "../../examples/model/magic_square.rs"]
mod magic_square;
#[path = "../../examples/model/nonogram.rs"]
mod nonogram;
#[path = "../../examples/model/queens.rs"]
mod queens;
#[path = "../../examples/model/send_more.rs"]
mod send_more;
#[path = "../../examples/model/slitherlink.rs"]
mod slitherlink;
#[path = "../../examples/model/sudoku.rs"]
mod sudoku;
#[path = "../../examples/model/tsp.rs"]
mod tsp;

use std::collections::BTreeSet;

use cnfkit::ask::Strategy;
use cnfkit::model::{Expr, IntVar, Model, Solution, sum};

/// A page's answer: a solution, or the best one, as the example prints it.
pub(crate) fn answer(
    page: impl Fn(Option<usize>) -> (Model, Option<Expr>, Box<dyn Fn(&Solution, i64) -> String>),
    size: Option<usize>,
) -> String {
    let (model, cost, show) = page(size);
    let found = match cost {
        None => model.solve().unwrap().map(|found| show(&found, 0)),
        Some(cost) => model.ask().minimum(cost).unwrap().map(|best| show(&best.solution, best.value)),
    };
    found.unwrap_or_else(|| "no solution".into())
}

fn numbers(answer: &str) -> Vec<Vec<i64>> {
    answer.lines().map(|line| line.split_whitespace().map(|word| word.parse().unwrap()).collect()).collect()
}

fn is_latin(square: &[Vec<i64>]) -> bool {
    let n = square.len();
    let all: BTreeSet<i64> = (1..=n as i64).collect();
    let columns = (0..n).map(|at| square.iter().map(|row| row[at]).collect::<BTreeSet<i64>>());
    square.iter().map(|row| row.iter().copied().collect()).chain(columns).all(|line: BTreeSet<i64>| line == all)
}

#[test]
fn the_sudoku_of_a_puzzle_with_26_givens() {
    let expected = "178325694543619827692748351265481739481973265937256148759832416314567982826194573";
    assert_eq!(answer(sudoku::page, None).replace([' ', '\n'], ""), expected);
}

#[test]
fn squares() {
    for n in 3..=5 {
        let square = numbers(&answer(magic_square::page, Some(n)));
        let total = (n * (n * n + 1) / 2) as i64;
        assert_eq!(square.iter().flatten().collect::<BTreeSet<_>>().len(), n * n);
        for i in 0..n {
            assert_eq!(square[i].iter().sum::<i64>(), total);
            assert_eq!(square.iter().map(|row| row[i]).sum::<i64>(), total);
        }
        assert_eq!((0..n).map(|i| square[i][i]).sum::<i64>(), total);
        assert_eq!((0..n).map(|i| square[i][n - 1 - i]).sum::<i64>(), total);
    }
    assert_eq!(answer(magic_square::page, Some(2)), "no solution");
    assert!(is_latin(&numbers(&answer(latin_square::page, Some(9)))));
    assert!(is_latin(&numbers(&answer(ken_ken::page, None))));
    let square = numbers(&answer(futoshiki::page, None));
    assert!(is_latin(&square) && square[0][3] == 4 && square[0][1] < square[0][0]);
    assert_eq!(answer(send_more::page, None), "9567 + 1085 = 10652");
}

#[test]
fn queens_and_colours() {
    for n in [1, 4, 12, 20] {
        let answer = crate::pages::answer(queens::page, Some(n));
        let columns: Vec<usize> = answer.lines().map(|line| line.replace(' ', "").find('Q').unwrap()).collect();
        for (row, &column) in columns.iter().enumerate() {
            for (other, &at) in columns.iter().enumerate().skip(row + 1) {
                assert!(column != at && column.abs_diff(at) != other - row, "{answer}");
            }
        }
    }
    assert_eq!(answer(queens::page, Some(3)), "no solution");
    // Known numbers of colours of queens' graphs.
    for (n, colours) in [(3, 5), (4, 5), (5, 5)] {
        assert!(answer(colouring::page, Some(n)).ends_with(&format!("{colours} colours")));
    }
}

#[test]
fn loops_and_pictures() {
    let picture = answer(nonogram::page, None);
    let filled: Vec<usize> = picture.lines().map(|line| line.matches('#').count()).collect();
    assert_eq!(filled, [2, 4, 5, 5, 7, 4, 3, 2, 7, 2]);
    assert_eq!(picture.lines().nth(4), Some(".#######."));
    let board = answer(slitherlink::page, None);
    // Every corner is on as many lines as a loop has there.
    let rows: Vec<Vec<char>> = board.lines().map(|line| format!("{line:<20}").chars().collect()).collect();
    let drawn = |row: usize, column: usize| rows.get(row).is_some_and(|row| "|-".contains(row[column]));
    for (row, column) in (0..6).flat_map(|row| (0..6).map(move |column| (2 * row, 3 * column))) {
        let lines = [
            row > 0 && drawn(row - 1, column),
            drawn(row + 1, column),
            column > 0 && drawn(row, column - 1),
            drawn(row, column + 1),
        ];
        assert!([0, 2].contains(&lines.iter().filter(|&&line| line).count()), "{row} {column}\n{board}");
    }
    assert_eq!(answer(kakuro::page, None).matches('#').count(), 3);
}

/// Published or certain optima.
#[test]
fn best_answers() {
    assert!(answer(job_shop::page, None).ends_with("done at 55"));
    assert!(answer(knapsack::page, None).ends_with("(worth 188)"));
    assert!(answer(tsp::page, None).ends_with("length 80"));
    let weeks = answer(golfers::page, Some(3));
    let mut met = BTreeSet::new();
    for group in weeks.lines().flat_map(|week| week.split('|')) {
        let players: Vec<u32> = group.split_whitespace().map(|player| player.parse().unwrap()).collect();
        for (at, one) in players.iter().enumerate() {
            assert!(players[at + 1..].iter().all(|other| met.insert((*one, *other))), "{weeks}");
        }
    }
}

/// The 880 magic squares of side 4 (Frénicle de Bessy, 1693), turned and mirrored.
#[test]
#[ignore = "takes minutes"]
fn all_magic_squares_of_side_4() {
    let mut model = Model::new();
    let grid = model.int_grid(4, 4, 1..=16);
    model.all_different(&grid);
    for i in 0..4 {
        model.post(sum(grid.row(i)).eq(34));
        model.post(sum(grid.column(i)).eq(34));
    }
    model.post(sum((0..4).map(|i| grid.at(i, i))).eq(34));
    model.post(sum((0..4).map(|i| grid.at(i, 3 - i))).eq(34));
    assert_eq!(model.count(10_000).unwrap(), 7040);
}

/// The number of Latin squares of side 5 (sequence A002860 of the On-Line Encyclopedia of Integer Sequences).
#[test]
#[ignore = "takes minutes"]
fn all_latin_squares_of_side_5() {
    let mut model = Model::new();
    let grid = model.int_grid(5, 5, 1..=5);
    for i in 0..5 {
        model.all_different(grid.row(i));
        model.all_different(grid.column(i));
    }
    assert_eq!(model.count(1_000_000).unwrap(), 161_280);
}

/// The values that a search for the least value is told of, one after the other, and the least value.
fn improvements(strategy: Strategy, model: impl Fn(&mut Model) -> Expr) -> (Vec<i64>, i64) {
    let mut asked = Model::new();
    let expr = model(&mut asked);
    asked.set_strategy(strategy);
    let mut values = Vec::new();
    let best =
        asked.ask().on_solution(|_, value| values.push(value)).minimum(expr).unwrap().expect("there are solutions");
    assert!(best.is_optimal && values.last() == Some(&best.value));
    (values, best.value)
}

#[test]
fn sums_are_minimised_in_the_way_that_is_set() {
    let cover = |seed: i64| {
        move |model: &mut Model| {
            let vars = model.ints(8, 0..=5);
            let weighted = |vars: &[IntVar], by: i64| {
                sum((1..).zip(vars).map(|(at, &var): (i64, _)| (1 + (at * at * by + 7 * at + seed * by) % 9) * var))
            };
            for by in 1..=4 {
                model.post(weighted(&vars, by).ge(90));
            }
            weighted(&vars, 5)
        }
    };
    let mut differ = 0;
    for seed in 1..=8 {
        let [improving, by_cores] =
            [Strategy::SolutionImproving, Strategy::CoreGuided].map(|way| improvements(way, cover(seed)));
        assert_eq!(improving.1, by_cores.1);
        differ += usize::from(improving.0 != by_cores.0);
    }
    assert!(differ >= 4, "{differ} of 8");
}
