//! Formulas that take minutes: by CaDiCaL whole and in cubes, and by the built-in solver in one thread and in two.
//!
//! `CNFKIT_FORMULAS=waerden:135,pigeons:10` chooses families and sizes; without it, those of `src/engines.md`.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use std::{env, fs};

use cnfkit::ask::Threads;
use cnfkit::solvers::External;
use cnfkit::{AmoEncoding, CardEncoding, ClauseSink, Constrain, Formula, Limits, Lit, PbEncoding};

use super::{path, pigeons};

/// The formulas that CaDiCaL is asked, and those that threads are.
const WHOLE: &str = "random:370,five:71,waerden:135,pigeons:10,halves:157,board:15,rooms:120,prime:44,even:21,\
                     matching:17";
const THREADS: &str = "random:310,pigeons:9,halves:110,rooms:90";
/// The ways to solve: the engine, none for the built-in solver; whole or in cubes; threads.
const WAYS: &str = "/whole/1,/whole/2,/cubes/1,/cubes/2";
/// The number of cubes.
const CUBES: usize = 16;

/// Numbers by lot: G. L. Steele, D. Lea, C. H. Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014.
struct Lot(u64);

impl Lot {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % n as u64) as usize
    }

    /// This number of different ones.
    fn some<T: Copy>(&mut self, of: &[T], n: usize) -> Vec<T> {
        let mut all = of.to_vec();
        (0..n).for_each(|at| all.swap(at, at + self.below(of.len() - at)));
        all.truncate(n);
        all
    }
}

/// A formula without a model, and its description.
pub(super) fn formula(family: &str, size: usize) -> (String, Formula) {
    let (mut lot, mut formula) = (Lot(7), Formula::new());
    let mut all = |n: usize| formula.new_lits(n);
    let name = match family {
        "random" | "five" => {
            let (width, n_clauses) = if family == "random" { (3, size * 46 / 10) } else { (5, size * 22) };
            let x = all(size);
            for _ in 0..n_clauses {
                let clause = lot.some(&x, width);
                let clause: Vec<Lit> =
                    clause.into_iter().map(|lit| if lot.below(2) == 0 { lit } else { !lit }).collect();
                formula.add_clause(&clause).unwrap();
            }
            format!("{n_clauses} random clauses of {width} of {size} variables")
        }
        "pigeons" => {
            formula = pigeons(size);
            format!("{} pigeons in {size} holes", size + 1)
        }
        // Van der Waerden numbers: of 3 and 11 it is 114, of 3 and 12 it is 135, of 3 and 13 it is 160.
        "waerden" => {
            let x = all(size);
            let most = 11 + usize::from(size > 114) + usize::from(size > 135);
            for (length, sign) in [(3, false), (most, true)] {
                for step in 1..size {
                    for start in 0..size.saturating_sub(step * (length - 1)) {
                        let clause =
                            (0..length).map(|at| if sign { !x[start + at * step] } else { x[start + at * step] });
                        formula.add_clause(&clause.collect::<Vec<_>>()).unwrap();
                    }
                }
            }
            format!("van der Waerden, 3 and {most}, up to {size}")
        }
        "board" => {
            let cells: Vec<(usize, usize)> = (0..size * size).map(|at| (at / size, at % size)).collect();
            let cells: Vec<_> = cells[1..cells.len() - 1].to_vec();
            let mut of: Vec<Vec<Lit>> = vec![Vec::new(); cells.len()];
            for (at, &(row, column)) in cells.iter().enumerate() {
                for next in [(row, column + 1), (row + 1, column)] {
                    if let Some(other) = cells.iter().position(|&cell| cell == next) {
                        let stone = formula.new_lit();
                        of[at].push(stone);
                        of[other].push(stone);
                    }
                }
            }
            of.iter().for_each(|stones| formula.exactly_one(stones, &AmoEncoding::Auto).unwrap());
            format!("dominoes on a board of {size}×{size} without two corners")
        }
        "halves" => {
            let x = all(size);
            (0..size * 9 / 10).for_each(|_| formula.exactly(lot.some(&x, 8), 4, &CardEncoding::Auto).unwrap());
            format!("halves of {} sets of 8 of {size}", size * 9 / 10)
        }
        "rooms" => {
            let x: Vec<Vec<Lit>> = (0..size).map(|_| all(5)).collect();
            for (at, row) in x.iter().enumerate() {
                formula.exactly_one(row, &AmoEncoding::Auto).unwrap();
                for other in (0..at).filter(|_| lot.below(size) < 14).collect::<Vec<_>>() {
                    (0..5).for_each(|room| formula.add_clause(&[!row[room], !x[other][room]]).unwrap());
                }
            }
            let most = size.div_ceil(5);
            for room in 0..5 {
                let column: Vec<Lit> = x.iter().map(|row| row[room]).collect();
                formula.at_most(&column, most, &CardEncoding::Auto).unwrap();
            }
            format!("{size} events in 5 rooms")
        }
        "parity" => return parity(size, &mut lot),
        // All edges together are three for each vertex, an odd number: no half of them.
        "even" => {
            let x = all(3 * size);
            for edges in edges_by_lot(&x, 6, &mut lot) {
                formula.exactly(edges, 3, &CardEncoding::Combinatorial).unwrap();
            }
            format!("half of the edges at each of {size} vertices with six each")
        }
        "matching" => {
            let mut of: Vec<Vec<Lit>> = vec![Vec::new(); size];
            for (a, b) in (0..size).flat_map(|b| (0..b).map(move |a| (a, b))) {
                let edge = formula.new_lit();
                of[a].push(edge);
                of[b].push(edge);
            }
            of.iter().for_each(|edges| formula.exactly_one(edges, &AmoEncoding::Pairwise).unwrap());
            format!("pairs of {size}")
        }
        "rectangles" => return rectangles(size),
        "prime" => return product(size),
        other => panic!("there is no family {other}"),
    };
    (name, formula)
}

/// The edges of each vertex: so many of these by lot, each twice.
fn edges_by_lot(all: &[Lit], each: usize, lot: &mut Lot) -> impl Iterator<Item = Vec<Lit>> {
    let n_vertices = 2 * all.len() / each;
    let ends: Vec<usize> = (0..2 * all.len()).map(|end| end / each).collect();
    let ends = lot.some(&ends, ends.len());
    (0..n_vertices).map(move |vertex| {
        let at = ends.iter().enumerate().filter(|&(_, &end)| end == vertex);
        at.map(|(at, _)| all[at / 2]).collect()
    })
}

/// Each vertex has four edges, and an odd number of them is chosen at the first one only (Tseitin).
fn parity(size: usize, lot: &mut Lot) -> (String, Formula) {
    let mut formula = Formula::new();
    let x = formula.new_lits(2 * size);
    for (vertex, edges) in edges_by_lot(&x, 4, lot).enumerate() {
        for signs in (0..16_u32).filter(|signs| signs.count_ones() % 2 == u32::from(vertex > 0)) {
            let clause = edges.iter().enumerate().map(|(at, &lit)| if signs >> at & 1 == 1 { !lit } else { lit });
            formula.add_clause(&clause.collect::<Vec<_>>()).unwrap();
        }
    }
    (format!("parities of {size} vertices with four edges each"), formula)
}

/// Zarankiewicz's problem: 77 for 7 rows of 7, and so on; one more than the most.
fn rectangles(size: usize) -> (String, Formula) {
    let mut formula = Formula::new();
    let (n_rows, least) = (size / 10, [(77, 22), (78, 23), (88, 25)].iter().find(|(of, _)| *of == size));
    let rows: Vec<Vec<Lit>> = (0..n_rows).map(|_| formula.new_lits(size % 10)).collect();
    for (a, b) in (0..n_rows).flat_map(|b| (0..b).map(move |a| (a, b))) {
        for (c, d) in (0..size % 10).flat_map(|d| (0..d).map(move |c| (c, d))) {
            formula.add_clause(&[!rows[a][c], !rows[a][d], !rows[b][c], !rows[b][d]]).unwrap();
        }
    }
    let (_, least) = *least.expect("the most are known");
    formula.at_least(&rows.concat(), least, &CardEncoding::Auto).unwrap();
    (format!("{least} ones in {n_rows} rows of {} without a rectangle", size % 10), formula)
}

/// A prime, as a product of numbers that have as many bits together.
fn product(size: usize) -> (String, Formula) {
    let mut formula = Formula::new();
    let is_prime = |n: &u64| (2..=n.isqrt()).all(|d| !n.is_multiple_of(d));
    let prime = (0..1_u64 << (size - 1)).rev().find(is_prime).unwrap();
    let (a, b) = (formula.new_lits(size.div_ceil(2)), formula.new_lits(size / 2));
    let mut sum = Vec::new();
    for (i, &a) in a.iter().enumerate() {
        for (j, &b) in b.iter().enumerate() {
            let both = formula.new_lit();
            [vec![!both, a], vec![!both, b], vec![both, !a, !b]].iter().for_each(|it| formula.add_clause(it).unwrap());
            sum.push((both, 1 << (i + j)));
        }
    }
    formula.pb_exactly(&sum, prime as i64, &PbEncoding::BinaryAdder).unwrap();
    (format!("{prime} as a product of numbers of {} and {} bits", a.len(), b.len()), formula)
}

fn formulas(standard: &str) -> Vec<(String, Formula)> {
    let chosen = env::var("CNFKIT_FORMULAS").unwrap_or_else(|_| standard.to_owned());
    let one = |text: &str| {
        let (family, size) = text.split_once(':').expect("a family and its size");
        formula(family, size.parse().expect("a number"))
    };
    chosen.split(',').map(one).collect()
}

/// Conflicts and seconds of processor time of Debian's CaDiCaL, which is to find no model; none in an hour.
fn cadical(file: &std::path::Path) -> Option<(f64, f64)> {
    let output = Command::new("cadical").args(["-n", "-t", "3600"]).arg(file).output().expect("cadical is installed");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains("\ns SATISFIABLE"), "{text}");
    text.contains("\ns UNSATISFIABLE").then_some(())?;
    let number = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix("c ")?.strip_prefix(name));
        line.and_then(|rest| rest.split_whitespace().next()?.parse::<f64>().ok()).expect(name)
    };
    Some((number("conflicts:"), number("total process time since initialization:")))
}

#[test]
#[ignore = "takes most of an hour, and Debian's cadical"]
fn cubes_of_formulas_that_take_minutes() {
    println!("| formula | whole | look-ahead | {CUBES} cubes together | slowest cube |\n|---|---|---|---|---|");
    let file = path("minutes");
    let shown = |(conflicts, seconds): (f64, f64)| format!("{conflicts}, {seconds:.1} s");
    for (name, formula) in formulas(WHOLE) {
        let cnf = formula.encode().unwrap();
        cnf.write_dimacs(fs::File::create(&file).unwrap()).unwrap();
        let Some(whole) = cadical(&file) else {
            println!("| {name} | more than an hour |");
            continue;
        };
        print!("| {name} | {} ", shown(whole));
        let start = Instant::now();
        let cubes = formula.cubes(CUBES, &Limits::none()).unwrap();
        print!("| {:.1} s ", start.elapsed().as_secs_f64());
        let each = (0..cubes.iter().len()).map(|number| {
            cubes.write_dimacs(number, fs::File::create(&file).unwrap()).unwrap();
            cadical(&file).expect("a part takes no longer than the whole")
        });
        let (sum, slowest) = each.fold(((0.0, 0.0), (0.0, 0.0)), |(sum, slowest), one| {
            ((sum.0 + one.0, sum.1 + one.1), if one.1 > slowest.1 { one } else { slowest })
        });
        println!("| {} | {} |", shown(sum), shown(slowest));
    }
    fs::remove_file(file).unwrap();
}

/// Seconds of processor time so far: of all threads of this process, and of the programs that it waited for.
fn processor_time() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    let after_name = stat.rsplit(')').next().unwrap();
    let ticks = after_name.split_whitespace().skip(11).take(4).map(|ticks| ticks.parse::<f64>().unwrap());
    ticks.sum::<f64>() / 100.0
}

/// `CNFKIT_WAYS=cadical/whole/1,cadical/cubes/2` chooses others: an engine, whole or in cubes, and the threads here.
#[test]
#[ignore = "measures processor time of the process"]
fn threads_on_formulas_that_take_minutes() {
    let ways = env::var("CNFKIT_WAYS").unwrap_or_else(|_| WAYS.to_owned());
    let ways: Vec<&str> = ways.split(',').collect();
    println!("| formula | {} |\n|---|{}", ways.join(" | "), "---|".repeat(ways.len()));
    for (name, formula) in formulas(THREADS) {
        let cubes = formula.cubes(CUBES, &Limits::none()).unwrap();
        let ask = |way: &str| {
            let [engine, what, n] = way.split('/').collect::<Vec<_>>().try_into().expect("three words");
            let (start, conflicts) = (processor_time(), Arc::new(AtomicU64::new(0)));
            let threads = Threads::new(n.parse().expect("a number"));
            let mut threads = threads.limits(Limits::none().count_conflicts(Arc::clone(&conflicts)));
            if !engine.is_empty() {
                let engine = engine.to_owned();
                threads = threads.solver(move || External::new(engine.clone()));
            }
            let found = if what == "cubes" { threads.solve_cubes(&cubes) } else { threads.solve(&formula) };
            assert!(found.unwrap().is_none());
            (processor_time() - start, conflicts.load(Ordering::Relaxed))
        };
        // In turns, so that a time in which the machine is busy is one of all; the median of three.
        let rounds = [(); 3].map(|()| ways.iter().map(|way| ask(way)).collect::<Vec<_>>());
        print!("| {name} ");
        (0..ways.len()).for_each(|way| {
            let mut times = [0, 1, 2].map(|round| rounds[round][way]);
            times.sort_by(|a, b| a.0.total_cmp(&b.0));
            let conflicts = if times[1].1 > 0 { format!("{}, ", times[1].1) } else { String::new() };
            print!("| {conflicts}{:.1} s ", times[1].0);
        });
        println!("|");
    }
}
