//! Models that are large in one way: sums, objectives, circuits, counts.

use cnfkit::Limits;
use cnfkit::model::{
    Bool, Expr, IntVar, Model, ModelError, circuit, count, cumulative, element, global_cardinality, single_cycle, sum,
    times,
};
use cpu_time::ThreadTime;
use std::time::Duration;

use super::{LAWRENCE, Random, job_shop, published};

/// A model and, where it is to be as small as possible, the expression.
pub(super) type Row = (String, Box<dyn Fn() -> (Model, Option<Expr>)>);

/// The instance la01, as a plain model has it: two steps on one machine, one before the other; up to the sum of all
/// durations.
fn la01() -> (Model, Option<Expr>) {
    let jobs = job_shop::read(LAWRENCE[0]);
    let mut model = Model::new();
    let horizon: i64 = jobs.iter().flatten().map(|step| step.1).sum();
    let starts = model.int_grid(10, 5, 0..=horizon);
    let end = model.int(0..=horizon);
    let mut on: Vec<Vec<(IntVar, i64)>> = vec![Vec::new(); 5];
    for (job, steps) in jobs.iter().enumerate() {
        for (step, &(machine, duration)) in steps.iter().enumerate() {
            let start = starts.at(job, step);
            let next = if step == 4 { end } else { starts.at(job, step + 1) };
            model.post((start + duration).le(next));
            for &(other, its) in &on[machine] {
                model.post((start + duration).le(other).or((other + its).le(start)));
            }
            on[machine].push((start, duration));
        }
    }
    (model, Some(end.into()))
}

fn round_trip(n: usize) -> (Model, Option<Expr>) {
    let mut model = Model::new();
    let next = model.ints(n, 0..n as i64);
    model.post(circuit(&next));
    (model, None)
}

/// Places by lot on a plane, Euclidean distances rounded down.
fn salesman(n: usize) -> (Model, Option<Expr>) {
    let mut random = Random::new(7);
    let places: Vec<[i64; 2]> = (0..n).map(|_| [random.below(100) as i64, random.below(100) as i64]).collect();
    let mut model = Model::new();
    let next = model.ints(n, 0..n as i64);
    model.post(circuit(&next));
    let costs = model.ints(n, 0..=142);
    for (from, &[a, b]) in places.iter().enumerate() {
        let distance = |&[c, d]: &[i64; 2]| ((a - c).pow(2) + (b - d).pow(2)).isqrt();
        model.post(element(places.iter().map(distance).collect::<Vec<i64>>(), next[from], costs[from]));
    }
    (model, Some(sum(&costs)))
}

/// 49 n ≤ Σ x ≤ 50 n, and 90 % of the variables differ from 0.
fn window(n: usize) -> (Model, Option<Expr>) {
    let mut model = Model::new();
    let x = model.ints(n, 0..=100);
    model.post(sum(&x).ge(49 * n as i64));
    model.post(sum(&x).le(50 * n as i64));
    (model, None)
}

/// Σ w·x is a number that some values have, with weights from 1 to 1000.
fn weighted(n: usize, most: i64) -> (Model, Option<Expr>) {
    let mut random = Random::new(n as u64);
    let mut model = Model::new();
    let x = model.ints(n, 0..=most);
    let weights: Vec<i64> = x.iter().map(|_| 1 + random.below(1_000) as i64).collect();
    let total: i64 = weights.iter().map(|w| w * random.below(most.unsigned_abs() as usize + 1) as i64).sum();
    model.post(sum(x.iter().zip(&weights).map(|(&x, &w)| x * w)).eq(total));
    (model, None)
}

/// Up to nine of each of n things, of most worth, that weigh at most half of all.
fn knapsack(n: usize) -> (Model, Option<Expr>) {
    let mut random = Random::new(n as u64);
    let mut model = Model::new();
    let x = model.ints(n, 0..=9);
    let mut numbers = || -> Vec<i64> { (0..n).map(|_| 10 + random.below(90) as i64).collect() };
    let (weights, worths) = (numbers(), numbers());
    let total = |of: &[i64]| sum(x.iter().zip(of).map(|(&x, &by)| x * by));
    model.post(total(&weights).le(weights.iter().sum::<i64>() * 9 / 2));
    let worth = total(&worths);
    (model, Some(-worth))
}

/// `n` sums of four digits each, of which neighbours share three: 0 everywhere is a solution.
fn small_sums(n: usize) -> (Model, Option<Expr>) {
    let mut model = Model::new();
    let x = model.ints(n + 3, 0..=9);
    x.windows(4).for_each(|x| model.post((x[0] + 2 * x[1] - 3 * x[2] + x[3]).le(7)));
    (model, None)
}

/// `n` digits of which no two neighbours are the same.
fn chain(n: usize) -> (Model, Option<Expr>) {
    let mut model = Model::new();
    let x = model.ints(n, 0..=9);
    x.windows(2).for_each(|x| model.post(x[0].ne(x[1])));
    (model, None)
}

fn counts(n: usize) -> (Model, Option<Expr>) {
    let mut model = Model::new();
    let x = model.ints(n, 0..=9);
    let each = (n / 10) as i64;
    model.post(global_cardinality(&x, (0..10).map(|value| (value, Expr::from(each)))));
    (model, None)
}

/// The numbers of zeros, ones and so on in the sequence itself.
fn magic(n: usize) -> (Model, Option<Expr>) {
    let mut model = Model::new();
    let x = model.ints(n, 0..n as i64);
    for (value, &at) in (0..).zip(&x) {
        model.post(count(&x, value).eq(at));
    }
    model.post(sum(&x).eq(n as i64));
    model.post(sum((0..).zip(&x).map(|(value, &at)| (value - 1) * at)).eq(0));
    (model, None)
}

/// The template design problem (L. Proll, B. Smith, *Integer Linear Programming and Constraint Programming Approaches
/// to a Template Design Problem*, INFORMS Journal on Computing 10, 1998): seven designs of cat food, nine slots, two
/// templates; the fewest sheets are 418.
fn templates() -> (Model, Option<Expr>) {
    let demands = [250, 255, 260, 500, 500, 800, 1_100];
    let mut model = Model::new();
    let runs = model.ints(2, 0..=1_100);
    let slots = model.int_grid(7, 2, 0..=9);
    let made = model.int_grid(7, 2, 0..=9_900);
    for template in 0..2 {
        model.post(sum(slots.column(template)).eq(9));
    }
    for (design, &demand) in demands.iter().enumerate() {
        for (template, &runs) in runs.iter().enumerate() {
            model.post(times(slots.at(design, template), runs, made.at(design, template)));
        }
        model.post(sum(made.row(design)).ge(demand));
    }
    model.post(runs[0].le(runs[1]));
    (model, Some(sum(&runs)))
}

/// Thirty numbers up to 10⁹, ascending, with a given sum.
fn ascending() -> (Model, Option<Expr>) {
    let mut model = Model::new();
    let x = model.ints(30, 0..=1_000_000_000);
    x.windows(2).for_each(|pair| model.post(pair[0].lt(pair[1])));
    model.post(sum(&x).eq(12_345_678_901_i64));
    (model, None)
}

/// x² + y² = 25, where nothing else bounds the numbers.
fn pythagoras() -> (Model, Option<Expr>) {
    let mut model = Model::new();
    let (x, y) = (model.int(-1_000_000..=1_000_000), model.int(-1_000_000..=1_000_000));
    let squares = model.ints(2, 0..=1_000_000_000_000_i64);
    model.post(times(x, x, squares[0]));
    model.post(times(y, y, squares[1]));
    model.post(sum(&squares).eq(25));
    (model, None)
}

/// A hundred tasks by lot on a resource of ten.
fn tasks() -> (Model, Option<Expr>) {
    let mut random = Random::new(3);
    let mut model = Model::new();
    let starts = model.ints(100, 0..=400);
    let durations: Vec<i64> = starts.iter().map(|_| 1 + random.below(20) as i64).collect();
    let demands: Vec<i64> = starts.iter().map(|_| 1 + random.below(5) as i64).collect();
    model.post(cumulative(&starts, durations, demands, 10));
    (model, None)
}

/// Tasks by lot on a resource of ten, to be done as soon as may be.
fn packed(n: usize) -> (Model, Option<Expr>) {
    let mut random = Random::new(n as u64);
    let mut model = Model::new();
    let durations: Vec<i64> = (0..n).map(|_| 1 + random.below(20) as i64).collect();
    let demands: Vec<i64> = (0..n).map(|_| 1 + random.below(5) as i64).collect();
    let work: i64 = durations.iter().zip(&demands).map(|(duration, demand)| duration * demand).sum();
    let horizon = work * 3 / 20 + 20;
    let (starts, end) = (model.ints(n, 0..=horizon), model.int(0..=horizon));
    starts.iter().zip(&durations).for_each(|(start, &duration)| model.post((start + duration).le(end)));
    model.post(cumulative(&starts, durations, demands, 10));
    (model, Some(end.into()))
}

/// The marks of the eight cells around one, in order.
fn ring(marked: &[Vec<bool>], row: usize, column: usize) -> [bool; 8] {
    let around = [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)];
    around.map(|(down, right)| {
        let cell = row.checked_add_signed(down).zip(column.checked_add_signed(right));
        cell.and_then(|(row, column)| marked.get(row)?.get(column).copied()).unwrap_or(false)
    })
}

/// A Slitherlink: how many sides of a cell are on the loop is known for six cells of ten. The loop is around cells that
/// are added one by one, where they touch those before along one run.
fn slitherlink(n: usize) -> (Model, Option<Expr>) {
    let mut random = Random::new(n as u64);
    let mut inside = vec![vec![false; n]; n];
    inside[n / 2][n / 2] = true;
    for _ in 0..40 * n * n {
        let (row, column) = (random.below(n), random.below(n));
        let ring = ring(&inside, row, column);
        let changes = (0..8).filter(|&at| ring[at] != ring[(at + 1) % 8]).count();
        inside[row][column] |= changes == 2 && [1, 3, 5, 7].iter().any(|&at| ring[at]);
    }
    let mut model = Model::new();
    let (flat, upright) = (model.bool_grid(n + 1, n), model.bool_grid(n, n + 1));
    let corner = |row: usize, column: usize| row * (n + 1) + column;
    let mut edges: Vec<(usize, usize, Bool)> = Vec::new();
    for one in 0..=n {
        for other in 0..n {
            edges.push((corner(one, other), corner(one, other + 1), flat[(one, other)]));
            edges.push((corner(other, one), corner(other + 1, one), upright[(other, one)]));
        }
    }
    model.post(single_cycle(edges));
    for row in 0..n {
        for column in 0..n {
            let ring = ring(&inside, row, column);
            let sides = [1, 3, 5, 7].iter().filter(|&&at| ring[at] != inside[row][column]).count();
            if random.below(10) < 6 {
                let around = [flat[(row, column)], flat[(row + 1, column)], upright[(row, column)]];
                model.post((sum(around) + upright[(row, column + 1)]).eq(sides));
            }
        }
    }
    (model, None)
}

/// A Hitori: numbers of a Latin square, but for those at some cells, which others in their row or column have, too.
fn hitori(n: usize) -> (Model, Option<Expr>) {
    let mut random = Random::new(n as u64);
    let mut black = vec![vec![false; n]; n];
    for _ in 0..n * n {
        // Never where it touches the side or two others: the rest stays connected.
        let (row, column) = (1 + random.below(n - 2), 1 + random.below(n - 2));
        let ring = ring(&black, row, column);
        let touches = [0, 2, 4, 6].iter().filter(|&&at| ring[at]).count();
        black[row][column] |= [1, 3, 5, 7].iter().all(|&at| !ring[at]) && touches < 2;
    }
    let (mut rows, mut columns): (Vec<usize>, Vec<usize>) = ((0..n).collect(), (0..n).collect());
    random.shuffle(&mut rows);
    random.shuffle(&mut columns);
    let number = |row: usize, column: usize| (rows[row] + columns[column]) % n;
    let mut given = Vec::with_capacity(n * n);
    for (row, column) in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
        let other = random.below(n);
        let like = if random.below(2) == 0 { (row, other) } else { (other, column) };
        let from = if black[row][column] { like } else { (row, column) };
        given.push(number(from.0, from.1));
    }
    (published::hitori(n, n, &given), None)
}

pub(super) fn rows() -> Vec<Row> {
    let row = |name: &str, make: fn() -> (Model, Option<Expr>)| -> Row { (name.into(), Box::new(make)) };
    let mut rows = vec![row("job shop la01", la01)];
    let mut sized = |name: &str, sizes: &[usize], make: fn(usize) -> (Model, Option<Expr>)| {
        rows.extend(sizes.iter().map(|&n| -> Row { (format!("{name} {n}"), Box::new(move || make(n))) }));
    };
    sized("circuit of", &[25, 60, 100], round_trip);
    sized("TSP of", &[10, 15, 20], salesman);
    sized("49n <= sum <= 50n, n =", &[10, 100, 1_000], window);
    sized("sum of w x = c, x in 0..9, n =", &[30, 1_000], |n| weighted(n, 9));
    sized("sum of w x = c, x in 0..1, n =", &[100, 1_000], |n| weighted(n, 1));
    sized("knapsack of integers,", &[15, 20], knapsack);
    sized("a + 2b - 3c + d <= 7, sums", &[300, 400, 1_000, 10_000], small_sums);
    sized("chain of !=, variables", &[1_000, 10_000, 100_000], chain);
    sized("gcc on 10 values,", &[1_000], counts);
    sized("magic sequence", &[20, 100], magic);
    sized("Slitherlink, cells a side", &[14, 30], slitherlink);
    sized("Hitori, cells a side", &[17, 30], hitori);
    sized("cumulative, least end of", &[20, 40, 80], packed);
    rows.push(row("template design catfood_2", templates));
    rows.push(row("30 numbers to 10^9", ascending));
    rows.push(row("x^2 + y^2 = 25", pythagoras));
    rows.push(row("cumulative of 100 tasks", tasks));
    rows
}

/// Each row of the table with so many seconds at most: clauses, CPU seconds from the model to the answer, the answer.
pub fn run(only: &str, limit: u64) {
    println!("| model | clauses | CPU, s | answer |");
    println!("|---|---:|---:|---|");
    for (name, make) in rows().into_iter().filter(|(name, _)| name.contains(only)) {
        let start = ThreadTime::now();
        let (mut model, least) = make();
        model.set_limits(Limits::none().time(Duration::from_secs(limit)));
        let answer = match least {
            None => model.solve().map(|found| if found.is_some() { "a solution".to_string() } else { "none".into() }),
            Some(least) => model.minimum(least).map(|best| match best {
                Some(best) if best.is_optimal => format!("{}, optimal", best.value),
                Some(best) => format!("{}, not proven", best.value),
                None => "none".into(),
            }),
        };
        let answer = match answer {
            Ok(answer) => answer,
            Err(ModelError::Interrupted(_)) => format!("not in {limit} s"),
            Err(error) => error.to_string(),
        };
        let seconds = start.elapsed().as_secs_f64();
        model.set_limits(Limits::none().time(Duration::from_secs(limit)));
        let clauses = model.statistics().map_or_else(|_| "?".into(), |sizes| sizes.total.clauses.to_string());
        println!("| {name} | {clauses} | {seconds:.3} | {answer} |");
    }
}
