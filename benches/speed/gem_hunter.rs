//! Gem Hunter: formulas, answers and certain cells of boards by chance; and on small boards, the ways the course
//! compares.
//!
//! Boards are named side, trap density, share of safe cells shown. Encoding and solving include making the board ready.
//!
//! ```text
//! cargo bench --bench gem_hunter                 # all; a name selects: -- certain/200
//! ```

use std::hint::black_box;
use std::time::Duration;

use cnfkit::gem_hunter::{Redundancy, Strategy as GemStrategy, plant};
use cnfkit::{CardEncoding, Cell, Cnf, GemHunterEncoder, GemMap};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main};

const BOARDS: [(usize, usize, f64, f64); 7] = [
    (16, 30, 0.2, 0.5),
    (100, 100, 0.2, 0.5),
    (300, 300, 0.2, 0.5),
    (1000, 1000, 0.2, 0.5),
    (2000, 2000, 0.2, 0.5),
    (200, 200, 0.35, 0.4),
    (1000, 1000, 0.35, 0.4),
];

fn board((rows, columns, density, shown): (usize, usize, f64, f64)) -> (String, GemHunterEncoder) {
    let name = format!("{rows}x{columns} .{:.0}/.{:.0}", density * 100.0, shown * 100.0);
    (name, GemHunterEncoder::new(plant(rows, columns, density, shown, 1).0))
}

fn group<'a>(criterion: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
    group
}

fn encode(criterion: &mut Criterion) {
    let mut group = group(criterion, "encode");
    for setup in BOARDS {
        let (name, encoder) = board(setup);
        for (how, redundancy) in
            [("keep", Redundancy::Keep), ("distinct", Redundancy::NoDuplicates), ("subsumed", Redundancy::NoSubsumed)]
        {
            let encoder = encoder.clone().redundancy(redundancy);
            let run = || -> Cnf { encoder.encode().expect("fits") };
            group.bench_function(format!("{name} {how}"), |bencher| bencher.iter_with_large_drop(run));
        }
    }
    for encoding in [CardEncoding::Sequential, CardEncoding::Totalizer] {
        let (name, encoder) = board(BOARDS[2]);
        let encoder = encoder.encoding(encoding);
        let run = || -> Cnf { encoder.encode().expect("fits") };
        group.bench_function(format!("{name} {encoding}"), |bencher| bencher.iter_with_large_drop(run));
    }
}

fn solve(criterion: &mut Criterion) {
    let mut group = group(criterion, "solve");
    for setup in BOARDS {
        let (name, encoder) = board(setup);
        group.bench_function(&name, |bencher| bencher.iter(|| black_box(encoder.solve().expect("no limit"))));
    }
    // The plain way: every clause of every number goes to the same solver.
    for setup in &BOARDS[..2] {
        let (name, encoder) = board(*setup);
        for strategy in [GemStrategy::Whole, GemStrategy::Parts] {
            let encoder = encoder.clone().strategy(strategy).redundancy(Redundancy::Keep);
            group.bench_function(format!("{name} {strategy}"), |bencher| {
                bencher.iter(|| black_box(encoder.solve().expect("no limit")));
            });
        }
    }
}

fn certain(criterion: &mut Criterion) {
    let mut group = group(criterion, "certain");
    for setup in BOARDS {
        let (name, encoder) = board(setup);
        group.bench_function(&name, |bencher| bencher.iter(|| black_box(encoder.deduce().expect("no limit"))));
    }
    let (name, encoder) = board(BOARDS[0]);
    for strategy in [GemStrategy::Whole, GemStrategy::Parts] {
        let encoder = encoder.clone().strategy(strategy);
        group.bench_function(format!("{name} {strategy}"), |bencher| {
            bencher.iter(|| black_box(encoder.deduce().expect("no limit")));
        });
    }
}

/// The ways the course compares, on boards they can still do.
fn course(criterion: &mut Criterion) {
    let mut group = group(criterion, "course");
    for (rows, columns) in [(3, 6), (4, 6), (5, 5), (8, 8)] {
        let map = plant(rows, columns, 0.2, 0.5, 1).0;
        let plain = Plain::new(&map);
        let expected = plain.backtrack(&mut vec![None; plain.unknown.len()], 0);
        assert!(expected, "a planted board has an answer");
        let encoder = GemHunterEncoder::new(map);
        let whole = encoder.clone().strategy(GemStrategy::Whole);
        let name = format!("{rows}x{columns}");
        group.bench_function(format!("{name} windows"), |bencher| bencher.iter(|| black_box(encoder.solve())));
        group.bench_function(format!("{name} sat"), |bencher| bencher.iter(|| black_box(whole.solve())));
        group.bench_function(format!("{name} backtracking"), |bencher| {
            bencher.iter(|| black_box(plain.backtrack(&mut vec![None; plain.unknown.len()], 0)));
        });
        if plain.unknown.len() < 20 {
            group.bench_function(format!("{name} brute force"), |bencher| {
                bencher.iter(|| black_box(plain.brute_force()));
            });
        }
    }
}

/// Unknown cells, and for each number those around it: enough for the textbook ways.
struct Plain {
    unknown: Vec<(usize, usize)>,
    numbers: Vec<(usize, Vec<usize>)>,
}

impl Plain {
    fn new(map: &GemMap) -> Self {
        let positions = || (0..map.rows()).flat_map(|row| (0..map.columns()).map(move |column| (row, column)));
        let unknown: Vec<_> = positions().filter(|&(row, column)| map.get(row, column) == Cell::Unknown).collect();
        let numbers = positions()
            .filter_map(|(row, column)| {
                let Cell::Number(number) = map.get(row, column) else { return None };
                let near = |&(r, c): &(usize, usize)| r.abs_diff(row) <= 1 && c.abs_diff(column) <= 1;
                Some((number.into(), (0..unknown.len()).filter(|&cell| near(&unknown[cell])).collect()))
            })
            .collect();
        Self { unknown, numbers }
    }

    /// Every assignment, each checked when it is complete.
    fn brute_force(&self) -> bool {
        (0..1_u32 << self.unknown.len()).any(|bits| {
            self.numbers
                .iter()
                .all(|(number, cells)| cells.iter().filter(|&&cell| bits >> cell & 1 == 1).count() == *number)
        })
    }

    /// Cell by cell, going back when a number is exceeded or cannot be reached.
    fn backtrack(&self, values: &mut Vec<Option<bool>>, next: usize) -> bool {
        next == values.len()
            || [false, true].into_iter().any(|trap| {
                values[next] = Some(trap);
                let fits = self.numbers.iter().all(|(number, cells)| {
                    let count = |wanted| cells.iter().filter(|&&cell| values[cell] == wanted).count();
                    let traps = count(Some(true));
                    traps <= *number && traps + count(None) >= *number
                });
                let found = fits && self.backtrack(values, next + 1);
                values[next] = None;
                found
            })
    }
}

criterion_group!(all, encode, solve, certain, course);
criterion_main!(all);
