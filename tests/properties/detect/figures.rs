//! The gain by encoding anew what was found: conflicts and time before and after, for `benches/BASELINE.md`.
//!
//! Run with `cargo test --release -p cnfkit-properties --test detect figures -- --ignored --nocapture`.

use std::time::{Duration, Instant};

use cnfkit::rustsat::solvers::{GetInternalStats, LimitConflicts, SolverResult};
use cnfkit::rustsat::types::Cl;
use cnfkit::solvers::{DefaultSolver, Solve};
use cnfkit::{AmoEncoding, CardEncoding, ClauseSink, Cnf, Constrain, Formula, Lit};

use super::of_cnf;
use super::planted::{By, Random, shuffled};
use super::textbook;

fn textbook(form: &str) -> By {
    By::Textbook(*textbook::ALL.iter().find(|(_, name, _)| *name == form).expect("a form of the textbook"))
}

/// Pigeons, one more than holes.
fn pigeons(holes: usize, by: By) -> Cnf {
    let mut cnf = Cnf::new();
    let x: Vec<Vec<Lit>> = (0..=holes).map(|_| cnf.new_lits(holes)).collect();
    x.iter().for_each(|row| cnf.add_clause(row).unwrap());
    for hole in 0..holes {
        let column: Vec<Lit> = x.iter().map(|row| row[hole]).collect();
        by.write(&mut cnf, &column);
    }
    cnf
}

/// A Latin square with holes: rows, columns and cells have each value once. The square is a cyclic one, its rows,
/// columns and values shuffled.
fn latin(side: usize, holes: usize, by: By, random: &mut Random) -> Cnf {
    let mut cnf = Cnf::new();
    let x = cnf.new_lits(side * side * side);
    let var = |row: usize, column: usize, value: usize| x[(row * side + column) * side + value];
    for (a, b) in (0..side * side).map(|at| (at / side, at % side)) {
        for group in [|a, b, c| (a, b, c), |a, b, c| (a, c, b), |a, b, c| (c, a, b)] {
            let group: Vec<Lit> = (0..side).map(|c| group(a, b, c)).map(|(r, c, v)| var(r, c, v)).collect();
            by.write(&mut cnf, &group);
            cnf.add_clause(&group).unwrap();
        }
    }
    let mut perms: Vec<Vec<usize>> = (0..3).map(|_| (0..side).collect()).collect();
    perms.iter_mut().for_each(|perm| random.shuffle(perm));
    let mut cells: Vec<(usize, usize)> = (0..side * side).map(|at| (at / side, at % side)).collect();
    random.shuffle(&mut cells);
    for &(row, column) in &cells[holes..] {
        let value = perms[2][(perms[0][row] + perms[1][column]) % side];
        cnf.add_clause(&[var(row, column, value)]).unwrap();
    }
    cnf
}

/// Jobs of one to three hours on machines: each job has one start and one machine, no machine does two at once.
fn schedule(jobs: usize, machines: usize, hours: usize, by: By, random: &mut Random) -> Cnf {
    let mut cnf = Cnf::new();
    let mut busy: Vec<Vec<Lit>> = vec![Vec::new(); machines * hours];
    for _ in 0..jobs {
        let length = 1 + random.below(3);
        let mut starts = Vec::new();
        for machine in 0..machines {
            for start in 0..=hours - length {
                if random.below(3) == 0 {
                    continue; // not possible there
                }
                let lit = cnf.new_lit();
                starts.push(lit);
                (start..start + length).for_each(|hour| busy[machine * hours + hour].push(lit));
            }
        }
        by.write(&mut cnf, &starts);
        cnf.add_clause(&starts).unwrap();
    }
    busy.iter().filter(|lits| lits.len() > 1).for_each(|lits| by.write(&mut cnf, lits));
    cnf
}

fn conflicts(cnf: &Cnf) -> (u64, Duration) {
    let mut solver = DefaultSolver::default();
    let start = Instant::now();
    cnf.clauses().for_each(|clause| solver.add_clause_ref(Cl::new(clause)).unwrap());
    solver.solve().unwrap();
    let time = start.elapsed();
    (solver.conflicts() as u64, time)
}

#[test]
#[ignore = "prints figures; takes minutes"]
fn figures() {
    let product = || textbook("rows and columns pairwise");
    let bitwise = || textbook("bitwise");
    let pairwise = || By::Crate(AmoEncoding::Pairwise);
    println!("family, encoding: clauses, conflicts, time as given; clauses, conflicts, time encoded anew; detection");
    for (name, by) in [("pairwise", pairwise()), ("product", product()), ("bitwise", bitwise())] {
        for family in ["pigeons 8", "latin 24", "schedule"] {
            let mut sums = [(0_u64, 0_u64, Duration::ZERO); 2];
            let mut detection = Duration::ZERO;
            for seed in 0..7 {
                let mut random = Random(77 + seed);
                let cnf = match family {
                    "pigeons 8" => pigeons(8, by),
                    "latin 24" => latin(24, 270, by, &mut random),
                    _ => schedule(38, 4, 20, by, &mut random),
                };
                let (cnf, _) = shuffled(&cnf, Vec::new(), &mut random);
                let formula = of_cnf(&cnf);
                let start = Instant::now();
                let new: Formula = formula.detect().formula();
                detection += start.elapsed();
                let start = Instant::now();
                let new = new.encode().unwrap();
                let encoding = start.elapsed();
                for (sum, cnf, more) in [(0, &cnf, Duration::ZERO), (1, &new, encoding)] {
                    let (conflicts, time) = conflicts(cnf);
                    let sum = &mut sums[sum];
                    *sum = (sum.0 + cnf.n_clauses() as u64, sum.1 + conflicts, sum.2 + time + more);
                }
            }
            println!("{family}, {name}: {:?}; {:?}; {detection:?}", sums[0], sums[1]);
        }
    }
}

/// A graph by lot: each edge with so many hundredths.
fn graph(n: usize, hundredths: usize, random: &mut Random) -> Vec<(usize, usize)> {
    let all = (0..n).flat_map(|a| (0..a).map(move |b| (a, b)));
    all.filter(|_| random.below(100) < hundredths).collect()
}

/// Intervals by lot that overlap.
fn overlaps(n: usize, random: &mut Random) -> Vec<(usize, usize)> {
    let ends: Vec<(usize, usize)> = (0..n)
        .map(|_| {
            let start = random.below(4 * n);
            (start, start + 1 + random.below(n))
        })
        .collect();
    let all = (0..n).flat_map(|a| (0..a).map(move |b| (a, b)));
    all.filter(|&(a, b)| ends[a].0 < ends[b].1 && ends[b].0 < ends[a].1).collect()
}

/// Points by lot of a square that are closer than so many hundredths of its side.
fn close(n: usize, hundredths: usize, random: &mut Random) -> Vec<(usize, usize)> {
    let at: Vec<[usize; 2]> = (0..n).map(|_| [0; 2].map(|_| random.below(1000))).collect();
    let all = (0..n).flat_map(|a| (0..a).map(move |b| (a, b)));
    let is_close = |&(a, b): &(usize, usize)| {
        let [x, y] = [0, 1].map(|axis| at[a][axis].abs_diff(at[b][axis]));
        x * x + y * y < 100 * hundredths * hundredths
    };
    all.filter(is_close).collect()
}

/// One colour of some for each vertex, and another one for each of its neighbours.
fn colouring(n: usize, edges: &[(usize, usize)], colours: usize) -> Cnf {
    let mut cnf = Cnf::new();
    let x: Vec<Vec<Lit>> = (0..n).map(|_| cnf.new_lits(colours)).collect();
    x.iter().for_each(|of| cnf.add_clause(of).unwrap());
    for &(a, b) in edges {
        x[a].iter().zip(&x[b]).for_each(|(&a, &b)| cnf.add_clause(&[!a, !b]).unwrap());
    }
    cnf
}

/// At least so many vertices, no two of them neighbours.
fn independent(n: usize, edges: &[(usize, usize)], least: usize) -> Cnf {
    let mut cnf = Cnf::new();
    let x = cnf.new_lits(n);
    edges.iter().for_each(|&(a, b)| cnf.add_clause(&[!x[a], !x[b]]).unwrap());
    cnf.at_least(&x, least, &CardEncoding::Smallest).unwrap();
    cnf
}

/// Queens on a board some of whose cells are closed, one in each row, at least one in each column.
fn queens(side: usize, random: &mut Random) -> Cnf {
    let mut cnf = Cnf::new();
    let x = cnf.new_lits(side * side);
    for (a, b) in (0..side * side).flat_map(|a| (0..a).map(move |b| (a, b))) {
        let ((r, c), (s, d)) = ((a / side, a % side), (b / side, b % side));
        if r == s || c == d || r.abs_diff(s) == c.abs_diff(d) {
            cnf.add_clause(&[!x[a], !x[b]]).unwrap();
        }
    }
    for row in 0..side {
        let open: Vec<Lit> = (0..side).filter(|_| random.below(3) > 0).map(|column| x[row * side + column]).collect();
        cnf.add_clause(&open).unwrap();
    }
    cnf
}

/// One image for each vertex of a graph, all different, such that those of neighbours are neighbours.
fn images(n: usize, m: usize, [dense, into]: [usize; 2], random: &mut Random) -> Cnf {
    let mut cnf = Cnf::new();
    let x: Vec<Vec<Lit>> = (0..n).map(|_| cnf.new_lits(m)).collect();
    x.iter().for_each(|of| cnf.add_clause(of).unwrap());
    let [edges, into] = [graph(n, dense, random), graph(m, into, random)];
    for (a, b) in (0..n).flat_map(|a| (0..a).map(move |b| (a, b))) {
        for (c, d) in (0..m).flat_map(|c| (0..m).map(move |d| (c, d))) {
            if c == d || edges.contains(&(a, b)) && !into.contains(&(c.max(d), c.min(d))) {
                cnf.add_clause(&[!x[a][c], !x[b][d]]).unwrap();
            }
        }
    }
    cnf
}

type Make = fn(&mut Random) -> Cnf;
/// Formulas whose clauses of two are the edges of graphs.
const FAMILIES: [(&str, Make); 11] = [
    ("40 vertices, 50 %, 8 colours", |r| colouring(40, &graph(40, 50, r), 8)),
    ("16 vertices, 80 %, 7 colours", |r| colouring(16, &graph(16, 80, r), 7)),
    ("30 intervals, 7 colours", |r| colouring(30, &overlaps(30, r), 7)),
    ("60 points closer than 22 %, 6 colours", |r| colouring(60, &close(60, 22, r), 6)),
    ("independent set, 17 of 60 such points", |r| independent(60, &close(60, 22, r), 17)),
    ("independent set, 10 of 50, 40 %", |r| independent(50, &graph(50, 40, r), 10)),
    ("independent set, 7 of 60, 70 %", |r| independent(60, &graph(60, 70, r), 7)),
    ("independent set, 17 of 60, 20 %", |r| independent(60, &graph(60, 20, r), 17)),
    ("independent set, 9 of 40 intervals", |r| independent(40, &overlaps(40, r), 9)),
    ("queens 20, a third closed", |r| queens(20, r)),
    ("subgraphs, 12 of 18 vertices", |r| images(12, 18, [60, 68], r)),
];

fn instance(make: Make, seed: u64) -> Cnf {
    let mut random = Random(seed);
    shuffled(&make(&mut random), Vec::new(), &mut random).0
}

/// Clauses, and the geometric mean of BatSat's conflicts: as given, of what is detected without and with bicliques, and
/// of bicliques alone.
#[test]
#[ignore = "takes minutes; prints a table"]
fn figures_of_bicliques() {
    const MOST: u32 = 20_000;
    println!("| family | clauses | detected | then joined | joined | conflicts | detected | then joined | joined |");
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (name, make) in FAMILIES {
        let (mut clauses, mut logs) = ([0; 4], [0.0; 4]);
        for seed in 0..15 {
            let cnf = instance(make, 81_000 + seed);
            let given = of_cnf(&cnf);
            let detected = given.detect().formula();
            let [new, both, joined] = [&detected, &detected.join_bicliques(), &given.join_bicliques()]
                .map(|formula| formula.encode().unwrap());
            for (at, cnf) in [cnf, new, both, joined].iter().enumerate() {
                let mut solver = DefaultSolver::default();
                cnf.clauses().for_each(|clause| solver.add_clause_ref(Cl::new(clause)).unwrap());
                solver.limit_conflicts(Some(MOST)).unwrap();
                let is_over = solver.solve().unwrap() == SolverResult::Interrupted;
                let conflicts = if is_over { 2 * MOST as usize } else { solver.conflicts() };
                clauses[at] += cnf.n_clauses();
                logs[at] += (conflicts as f64 + 10.0).ln();
            }
        }
        let means = logs.map(|log: f64| format!("{:.0}", (log / 15.0).exp() - 10.0));
        println!("| {name} | {} | {} |", clauses.map(|n| n.to_string()).join(" | "), means.join(" | "));
    }
}

/// Clauses and milliseconds, of all formulas together: bicliques joined, after detection and alone, and CaDiCaL's
/// bounded variable addition, all its other techniques being off. Times are the least of five, which other programs
/// disturb least.
#[cfg(feature = "cadical")]
#[test]
#[ignore = "prints a table"]
fn bicliques_beside_factor() {
    use cnfkit::solvers::CaDiCaL;

    /// The clauses that are left, and milliseconds.
    fn least<F: Fn() -> (usize, Duration)>(what: F) -> [f64; 2] {
        let all = [(); 5].map(|()| what());
        let time = all.iter().map(|(_, time)| time.as_secs_f64()).fold(f64::MAX, f64::min);
        [all[0].0 as f64, 1000.0 * time]
    }
    fn simplified(cnf: &Cnf, factor: i32) -> (usize, Duration) {
        let mut solver = CaDiCaL::default();
        let off = ["congruence", "backbone", "sweep", "fastelim", "luckyearly", "luckylate", "factorcheck"];
        let options = off.map(|name| (name, 0)).into_iter();
        let options = options.chain([("factor", factor), ("factordelay", 12), ("factorthresh", 0)]);
        options.for_each(|(name, value)| solver.set_option(name, value).unwrap());
        cnf.clauses().for_each(|clause| solver.add_clause_ref(Cl::new(clause)).unwrap());
        let start = Instant::now();
        solver.simplify(0).unwrap();
        let time = start.elapsed();
        (solver.get_irredundant().try_into().expect("a number of clauses"), time)
    }
    println!("| family | clauses | detected, joined | ms | joined | ms | `factor` | ms |\n|---|{}", "---:|".repeat(7));
    for (name, make) in FAMILIES {
        let (mut sums, mut given) = ([[0.0; 2]; 4], 0);
        for seed in 0..15 {
            let cnf = instance(make, 83_000 + seed);
            let formula = of_cnf(&cnf);
            let timed = |joined: &dyn Fn() -> Formula| {
                let start = Instant::now();
                let joined = joined();
                let time = start.elapsed();
                (joined.encode().unwrap().n_clauses(), time)
            };
            let each = [
                least(|| timed(&|| formula.detect().formula().join_bicliques())),
                least(|| timed(&|| formula.join_bicliques())),
                least(|| simplified(&cnf, 1)),
                least(|| simplified(&cnf, 0)),
            ];
            given += cnf.n_clauses();
            sums.iter_mut().zip(each).for_each(|(sum, one)| (0..2).for_each(|at| sum[at] += one[at]));
        }
        // CaDiCaL's figures are what this technique changes: units may have gone before.
        let [both, joined, with, without] = sums;
        let factor = [given as f64 - (without[0] - with[0]), with[1] - without[1]];
        let shown = [both, joined, factor].map(|[clauses, time]| format!("{clauses} | {time:.1}"));
        println!("| {name} | {given} | {} |", shown.join(" | "));
    }
}
