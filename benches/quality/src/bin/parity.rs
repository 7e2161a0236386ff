//! Which cut of parities is best for the solver: conflicts of BatSat until solved, by family of instances, cut size and
//! shape.
//!
//! Instances are generated from fixed seeds, and conflicts are counted, not seconds: the same table every time.

use batsat::SolverInterface;
use clap::Parser;
use cnfkit::rustsat::solvers::{Solve, SolverResult};
use cnfkit::rustsat::types::Cl;
use cnfkit::{CardEncoding, ClauseSink, Cnf, Constrain, Constraint, Lit, ParityCut, Relation};

#[path = "../families.rs"]
#[allow(dead_code)]
mod families;

use families::Random;

/// Counts the conflicts that BatSat needs on parities, by cut size and shape.
///
/// A row a cut, a column a family: the geometric mean of conflicts over seeds, and how many failed (✗).
#[derive(Parser)]
struct Command {
    /// Instances of each family.
    #[arg(long, default_value_t = 20)]
    seeds: u64,
    /// Conflicts after which an instance counts as failed, and as twice that many.
    #[arg(long, default_value_t = 60_000)]
    limit: u64,
}

/// Parities, counts and clauses.
#[derive(Default)]
struct ParityInstance {
    vars: usize,
    parities: Vec<(Vec<Lit>, bool)>,
    counts: Vec<(Vec<Lit>, Relation)>,
    clauses: Vec<Vec<Lit>>,
}

impl ParityInstance {
    fn encode(&self, cut: ParityCut) -> Cnf {
        let mut cnf = Cnf::with_vars(self.vars);
        for clause in &self.clauses {
            cnf.add_clause(clause).expect("small");
        }
        for (lits, odd) in &self.parities {
            cnf.post(&Constraint::parity(lits, *odd), cut).expect("small");
        }
        for (lits, relation) in &self.counts {
            cnf.cardinality(lits, *relation, CardEncoding::Auto).expect("small");
        }
        cnf
    }
}

/// Each of `n` literals with a chance of one in `of`.
fn some(random: &mut Random, n: usize, of: usize) -> Vec<Lit> {
    (0..n as u32).filter(|_| random.one_in(of)).map(Lit::positive).collect()
}

fn is_odd(lits: &[Lit], values: &[bool]) -> bool {
    lits.iter().filter(|lit| values[lit.vidx()]).count() % 2 == 1
}

/// As many random sums of `k` variables as there are variables, with a solution or with any right sides.
fn systems(random: &mut Random, n: usize, k: usize, planted: bool) -> ParityInstance {
    let values: Vec<bool> = (0..n).map(|_| random.one_in(2)).collect();
    let mut all: Vec<Lit> = (0..n as u32).map(Lit::positive).collect();
    let parities = (0..n).map(|_| {
        random.shuffle(&mut all);
        let lits = all[..k].to_vec();
        let odd = if planted { is_odd(&lits, &values) } else { random.one_in(2) };
        (lits, odd)
    });
    ParityInstance { vars: n, parities: parities.collect(), ..ParityInstance::default() }
}

/// Minimal disagreement parity, as in DIMACS' par8 to par32: `n` secret bits, 2n sums of half of them, of which up to
/// an eighth are wrong.
fn disagreement(random: &mut Random, n: usize) -> ParityInstance {
    let secret: Vec<bool> = (0..n).map(|_| random.one_in(2)).collect();
    let (samples, wrong) = (2 * n, n / 4);
    let mut flips: Vec<usize> = (0..samples).collect();
    random.shuffle(&mut flips);
    let parities = (0..samples).map(|at| {
        let lits = some(random, n, 2);
        let odd = is_odd(&lits, &secret) ^ flips[..wrong].contains(&at);
        (lits.into_iter().chain([Lit::positive((n + at) as u32)]).collect(), odd)
    });
    let parities = parities.collect();
    let flips = (n..n + samples).map(|var| Lit::positive(var as u32)).collect();
    ParityInstance {
        vars: n + samples,
        parities,
        counts: vec![(flips, Relation::AtMost(wrong))],
        ..ParityInstance::default()
    }
}

/// Parities of half of the variables, as counters by hashing use, on random clauses of three.
fn hashes(random: &mut Random, n: usize, count: usize) -> ParityInstance {
    let clauses = (0..3 * n).map(|_| (0..3).map(|_| Lit::new(random.below(n) as u32, random.one_in(2))).collect());
    let clauses = clauses.collect();
    let parities = (0..count).map(|_| (some(random, n, 2), random.one_in(2))).collect();
    ParityInstance { vars: n, parities, clauses, ..ParityInstance::default() }
}

/// The error of a random parity check code with a given syndrome, of weight `weight` at most.
fn decoding(random: &mut Random, n: usize, weight: usize) -> ParityInstance {
    let mut all: Vec<Lit> = (0..n as u32).map(Lit::positive).collect();
    random.shuffle(&mut all);
    let mut error = vec![false; n];
    all[..weight].iter().for_each(|lit| error[lit.vidx()] = true);
    let parities = (0..n / 2).map(|_| {
        random.shuffle(&mut all);
        let lits = all[..8].to_vec();
        let odd = is_odd(&lits, &error);
        (lits, odd)
    });
    let parities = parities.collect();
    all.sort_unstable();
    ParityInstance { vars: n, parities, counts: vec![(all, Relation::AtMost(weight))], ..ParityInstance::default() }
}

type Family = (&'static str, fn(&mut Random) -> ParityInstance);

const FAMILIES: [Family; 7] = [
    ("sums of 5, planted", |random| systems(random, 60, 5, true)),
    ("sums of 9, planted", |random| systems(random, 26, 9, true)),
    ("sums of 9", |random| systems(random, 22, 9, false)),
    ("disagreement 14", |random| disagreement(random, 14)),
    ("disagreement 18", |random| disagreement(random, 18)),
    ("hashes", |random| hashes(random, 60, 12)),
    ("decoding", |random| decoding(random, 60, 5)),
];

/// The conflicts of an instance; `None` beyond the limit.
fn conflicts(cnf: &Cnf, limit: u64) -> Option<u64> {
    let mut solver = rustsat_batsat::BasicSolver::default();
    for clause in cnf.clauses() {
        solver.add_clause_ref(Cl::new(clause)).expect("the solver takes clauses");
    }
    // batsat asks once a conflict and once a decision: a count of questions is the same every time.
    let steps = std::cell::Cell::new(0);
    solver.batsat_mut().cb_mut().set_stop(move || {
        steps.set(steps.get() + 1);
        steps.get() > 20 * limit
    });
    let result = solver.solve().expect("batsat solves");
    let conflicts = solver.batsat_ref().num_conflicts();
    (result != SolverResult::Interrupted && conflicts <= limit).then_some(conflicts)
}

fn main() {
    let Command { seeds, limit } = Command::parse();
    print!("| cut |");
    FAMILIES.iter().for_each(|(name, _)| print!(" {name} |"));
    println!(" all | clauses |\n|---|{}", "---:|".repeat(FAMILIES.len() + 2));
    for (cut, tree) in (3..=6).flat_map(|cut| [(cut, false), (cut, true)]) {
        let options = ParityCut::default().cut(cut).tree(tree);
        print!("| {cut}, {} |", if tree { "tree" } else { "chain" });
        let (mut all, mut clauses) = (0.0, 0);
        for (_, instance) in FAMILIES {
            let (mut sum, mut failed) = (0.0, 0);
            for seed in 0..seeds {
                let cnf = instance(&mut Random(seed + 1)).encode(options);
                clauses += cnf.n_clauses();
                let taken = conflicts(&cnf, limit);
                failed += usize::from(taken.is_none());
                sum += (taken.unwrap_or(2 * limit).max(1) as f64).ln();
            }
            all += sum;
            let mean = (sum / seeds as f64).exp();
            print!(" {mean:.0}{} |", if failed > 0 { format!(" {failed}✗") } else { String::new() });
        }
        let mean = (all / (seeds as usize * FAMILIES.len()) as f64).exp();
        println!(" {mean:.0} | {clauses} |");
    }
}
