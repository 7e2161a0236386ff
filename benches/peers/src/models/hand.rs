//! Size, conflicts and time of a model's formula, and of the same problem written by hand: into a [`Cnf`], and into a
//! [`Formula`], which orders literals as a model's does.

use std::path::Path;

use cnfkit::model::{Choice, IntEncoding, Model};
use cnfkit::rustsat::solvers::GetInternalStats;
use cnfkit::rustsat::types::Cl;
use cnfkit::solvers::{BatSat, Solve};
use cnfkit::{Cnf, Formula, Order};
use cpu_time::ThreadTime;

use super::Random;
use super::problems::Problem;

pub(super) struct Family {
    pub(super) name: String,
    pub(super) problems: Vec<Problem>,
}

/// A cyclic Latin square with rows, columns and values shuffled, and 42 of 100 cells emptied: about where such squares
/// are hardest to complete (Gomes and Shmoys, *Completing Quasigroups or Latin Squares*, 2002).
fn latin(n: usize, seed: usize) -> Problem {
    let mut random = Random::new((1000 * n + seed) as u64);
    let mut orders: [Vec<usize>; 3] = std::array::from_fn(|_| (0..n).collect());
    orders.iter_mut().for_each(|order| random.shuffle(order));
    let [rows, columns, values] = &orders;
    let cell = |row: usize, column: usize| values[(rows[row] + columns[column]) % n] as i64 + 1;
    let mut cells: Vec<Vec<i64>> = (0..n).map(|row| (0..n).map(|column| cell(row, column)).collect()).collect();
    let mut places: Vec<usize> = (0..n * n).collect();
    random.shuffle(&mut places);
    places[..n * n * 42 / 100].iter().for_each(|&place| cells[place / n][place % n] = 0);
    Problem::Latin(cells)
}

/// Squares, one a line: a sign for each of 81 cells, or `name|side|rows|columns of a box|cells|…` with numbers, without
/// boxes where they have no rows.
fn squares(path: &Path, most: usize) -> Vec<Problem> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).take(most);
    let square = |line: &str| {
        let fields: Vec<&str> = line.split('|').collect();
        let (side, cells): (usize, Vec<i64>) = match fields[..] {
            [_, _, rows, _, cells, ..] => {
                let cells = cells.split(',').map(|cell| cell.parse().expect("a number"));
                (rows.parse().expect("a number"), cells.collect())
            }
            _ => (3, line.trim().chars().map(|sign| sign.to_digit(10).map_or(0, i64::from)).collect()),
        };
        let n = cells.len().isqrt();
        let rows = cells.chunks(n).map(<[i64]>::to_vec).collect();
        if side == 0 { Problem::Latin(rows) } else { Problem::Sudoku(side, rows) }
    };
    lines.map(square).collect()
}

pub(super) fn families(data: Option<&Path>, puzzles: usize) -> Vec<Family> {
    let mut families = Vec::new();
    for n in [8, 16, 32, 64] {
        families.push(Family { name: format!("queens {n}"), problems: vec![Problem::Queens(n)] });
    }
    let all = (8..64).step_by(4).map(Problem::Queens).collect();
    families.push(Family { name: "queens 8, 12, … 60".into(), problems: all });
    // Sizes that nothing was chosen by.
    for n in [10, 14, 22, 27, 38, 51, 64, 70] {
        let problems = (0..n).step_by((n / 16).max(1)).map(|first| Problem::QueensWith(n, first)).collect();
        families.push(Family { name: format!("queens {n} by the first queen"), problems });
    }
    for n in [10, 20, 26, 30, 33] {
        let problems = (0..10).map(|seed| latin(n, seed)).collect();
        families.push(Family { name: format!("Latin squares of {n} with holes"), problems });
    }
    for (n, most) in [(3, 9), (4, 16), (5, 10), (6, 10), (7, 5)] {
        let problems = (1..=most).map(|first| Problem::Magic(n, first)).collect();
        families.push(Family { name: format!("magic squares of {n} by first number"), problems });
    }
    for n in [4, 5, 6] {
        let pairs =
            (2..=21).map(|at| (at * 7 % (n * n) + 1, at * 11 % (n * n) + 1)).filter(|(one, other)| one != other);
        let problems = pairs.map(|(first, last)| Problem::MagicEnds(n, first, last)).collect();
        families.push(Family { name: format!("magic squares of {n} by first and last number"), problems });
    }
    for list in ["quasigroup", "17clue_2000", "hardest_1000", "side16", "side25"] {
        if let Some(data) = data {
            let problems = squares(&data.join("sudoku").join(list).with_extension("txt"), puzzles);
            families.push(Family { name: format!("list {list}"), problems });
        }
    }
    families
}

#[derive(Clone, Copy, Default)]
struct Measured {
    vars: usize,
    clauses: usize,
    /// Sum of the logarithms of conflicts and one.
    conflicts: f64,
    /// Microseconds until the clauses are there, and all in all, and the logarithm of the latter.
    encoded: f64,
    solved: f64,
    log: f64,
}

impl Measured {
    fn of(runs: u32, problem: &Problem, encode: impl Fn(&Problem) -> Cnf) -> Self {
        let mut best: Option<Self> = None;
        for _ in 0..runs.max(1) {
            let start = ThreadTime::now();
            let cnf = encode(problem);
            let encoded = micros(start);
            let mut solver = BatSat::default();
            cnf.clauses().for_each(|clause| solver.add_clause_ref(Cl::new(clause)).expect("BatSat takes clauses"));
            let _ = solver.solve().expect("BatSat answers");
            let solved = micros(start);
            let conflicts = (1.0 + solver.conflicts() as f64).ln();
            let (vars, clauses) = (cnf.n_vars(), cnf.n_clauses());
            let found = best.get_or_insert(Self { vars, clauses, conflicts, encoded, solved, log: 0.0 });
            (found.encoded, found.solved) = (found.encoded.min(encoded), found.solved.min(solved));
            found.log = found.solved.ln();
            if solved > 5e6 {
                break;
            }
        }
        best.unwrap_or_default()
    }

    fn add(&mut self, other: Self) {
        self.vars += other.vars;
        self.clauses += other.clauses;
        self.conflicts += other.conflicts;
        self.encoded += other.encoded;
        self.solved += other.solved;
        self.log += other.log;
    }
}

fn micros(start: ThreadTime) -> f64 {
    start.elapsed().as_secs_f64() * 1e6
}

type Way = (&'static str, fn(&Problem) -> Cnf);

const WAYS: [Way; 6] = [
    ("by hand, `Cnf`", |problem| {
        let mut cnf = Cnf::new();
        problem.write(&mut cnf).expect("small enough");
        cnf
    }),
    ("by hand, `Formula`", |problem| {
        let mut formula = Formula::new();
        problem.write(&mut formula).expect("small enough");
        formula.encode().expect("small enough")
    }),
    ("model", |problem| encoded(&problem.model())),
    ("model, `Order::Variable`", |problem| {
        let mut model = problem.model();
        model.set_order(Order::Variable);
        encoded(&model)
    }),
    ("model, `IntEncoding::Unary`", |problem| by(IntEncoding::Unary, problem)),
    ("model, `IntEncoding::Binary`", |problem| by(IntEncoding::Binary, problem)),
];

fn by(encoding: IntEncoding, problem: &Problem) -> Cnf {
    let mut choice = Choice::default();
    choice.int = encoding;
    encoded(&problem.model_by(choice))
}

fn encoded(model: &Model) -> Cnf {
    model.formula().expect("small enough").encode().expect("small enough")
}

pub fn run(only: &str, runs: u32, data: Option<&Path>, puzzles: usize) {
    println!(
        "| family | way | variables | clauses | conflicts | encoding, ms | all, ms | × by hand | × by hand, geometric |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|---:|");
    for family in families(data, puzzles).into_iter().filter(|family| family.name.contains(only)) {
        let n = family.problems.len().max(1);
        let mut by_hand = None;
        for (name, encode) in WAYS {
            let mut sum = Measured::default();
            family.problems.iter().for_each(|problem| sum.add(Measured::of(runs, problem, encode)));
            let first = *by_hand.get_or_insert(sum);
            println!(
                "| {} | {name} | {} | {} | {:.1} | {:.3} | {:.3} | {:.2} | {:.2} |",
                family.name,
                sum.vars / n,
                sum.clauses / n,
                (sum.conflicts / n as f64).exp() - 1.0,
                sum.encoded / 1e3 / n as f64,
                sum.solved / 1e3 / n as f64,
                sum.solved / first.solved,
                ((sum.log - first.log) / n as f64).exp(),
            );
        }
    }
}
