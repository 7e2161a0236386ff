//! The gain by encoding anew what was found: conflicts and time before and after, for `benches/BASELINE.md`.
//!
//! Run with `cargo test --release -p cnfkit-properties --test detect figures -- --ignored --nocapture`.

use std::time::{Duration, Instant};

use cnfkit::rustsat::solvers::GetInternalStats;
use cnfkit::rustsat::types::Cl;
use cnfkit::solvers::{DefaultSolver, Solve};
use cnfkit::{AmoEncoding, ClauseSink, Cnf, Formula, Lit};

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
