//! Constraints on integer variables: the model's formula, and pindakaas' integers with each of its encoders.
//!
//! Everything that has to be written is counted on both sides: the variables' own clauses, too. Time is from nothing to
//! clauses; on our side with posting, shrinking of domains and the order of literals.

use cnfkit::Cnf;
use cnfkit::model::{IntVar, Model};
use cpu_time::ThreadTime;
use pindakaas::constraint::cardinality_one::CardinalityOne;
use pindakaas::constraint::linear::{Comparator, LimitComp, LinExp, Linear, LinearEncoder};
use pindakaas::decision::integer::IntVar as TheirVar;
use pindakaas::encoder::{
    adder::AdderEncoder, decision_diagram::DecisionDiagramEncoder, ladder::LadderEncoder,
    mixed_radix::MixedRadixEncoder, pairwise::PairwiseEncoder, product::ProductEncoder,
    sequential_counter::SequentialCounterEncoder, totalizer::TotalizerEncoder, watchdog::WatchdogEncoder,
};
use pindakaas::{BoolVal, Encoder, Unsatisfiable};

type Theirs = pindakaas::Cnf;

/// Variables of one domain, and sums of multiples of some of them that are compared with a number.
struct Sums {
    name: &'static str,
    n: usize,
    domain: (i64, i64),
    compared: Vec<(Vec<(usize, i64)>, Comparator, i64)>,
}

impl Sums {
    fn ours(&self) -> Cnf {
        let mut model = Model::new();
        let x = model.ints(self.n, self.domain.0..=self.domain.1);
        for (terms, comparator, bound) in &self.compared {
            let sum = cnfkit::model::sum(terms.iter().map(|&(at, factor)| factor * x[at]));
            model.post(match comparator {
                Comparator::LessEq => sum.le(*bound),
                Comparator::GreaterEq => sum.ge(*bound),
                Comparator::Equal => sum.eq(*bound),
            });
        }
        encoded(&model)
    }

    fn theirs<E>(&self, encoder: &E) -> Result<Theirs, Unsatisfiable>
    where
        E: Encoder<Theirs, Linear>,
    {
        let mut cnf = Theirs::default();
        let x: Vec<TheirVar> = (0..self.n).map(|_| TheirVar::new(self.domain.0..=self.domain.1)).collect();
        for (terms, comparator, bound) in &self.compared {
            let sum = terms.iter().fold(LinExp::default(), |sum, &(at, factor)| sum + x[at].clone() * factor);
            encoder.encode(&mut cnf, &Linear::new(sum, *comparator, *bound))?;
        }
        Ok(cnf)
    }
}

fn encoded(model: &Model) -> Cnf {
    model.formula().expect("small enough").encode().expect("small enough")
}

/// Sudokus of side n² without givens: rows, columns and boxes are all different; or, for one row, a permutation.
fn all_different(n: usize, lists: &[Vec<usize>], values: i64) -> Cnf {
    let mut model = Model::new();
    let x = model.ints(n, 1..=values);
    for list in lists {
        model.all_different(list.iter().map(|&at| x[at]).collect::<Vec<IntVar>>());
    }
    encoded(&model)
}

/// All different as each value at most once, or exactly once where variables are as many as values.
fn their_all_different<E>(n: usize, lists: &[Vec<usize>], values: i64, encoder: &E) -> Result<Theirs, Unsatisfiable>
where
    E: Encoder<Theirs, CardinalityOne>,
{
    let mut cnf = Theirs::default();
    let x: Vec<TheirVar> = (0..n).map(|_| TheirVar::new(1..=values)).collect();
    for list in lists {
        let limit = if list.len() as i64 == values { LimitComp::Equal } else { LimitComp::LessEq };
        for value in 1..=values {
            let mut lits = Vec::with_capacity(list.len());
            for &at in list {
                if let BoolVal::Lit(lit) = x[at].equals(&mut cnf, value)? {
                    lits.push(lit);
                }
            }
            encoder.encode(&mut cnf, &CardinalityOne::new(lits, limit))?;
        }
    }
    Ok(cnf)
}

/// Knuth's MMIX generator.
struct Random(u64);

impl Random {
    fn below(&mut self, n: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as i64 % n
    }
}

fn sums() -> Vec<Sums> {
    let mut random = Random(1);
    // Factors by lot, and about a third of what the sum may be; small multiples, so that equations have solutions.
    let mut sum = |name, n: usize, most: i64, factor: i64, count: usize, comparator| {
        let sums = (0..count).map(|_| {
            let terms: Vec<(usize, i64)> = (0..n).map(|at| (at, 1 + random.below(factor))).collect();
            let all: i64 = terms.iter().map(|&(_, factor)| factor * most).sum();
            (terms, comparator, all / 3)
        });
        Sums { name, n, domain: (0, most), compared: sums.collect() }
    };
    let mut all = vec![
        sum("4 variables to 20, factors to 9, ≤", 4, 20, 9, 1, Comparator::LessEq),
        sum("10 variables to 10, factors to 9, ≤", 10, 10, 9, 1, Comparator::LessEq),
        sum("10 variables to 10, factors to 9, =", 10, 10, 9, 1, Comparator::Equal),
        sum("30 variables to 4, factors 1, ≤", 30, 4, 1, 1, Comparator::LessEq),
        sum("30 variables to 4, factors 1, =", 30, 4, 1, 1, Comparator::Equal),
        sum("100 variables to 9, factors to 5, ≤", 100, 9, 5, 1, Comparator::LessEq),
        sum("6 variables to 100, factors to 100, ≤", 6, 100, 100, 1, Comparator::LessEq),
        sum("8 variables to 5, 20 sums, factors to 5, ≤", 8, 5, 5, 20, Comparator::LessEq),
    ];
    let mut random = Random(2);
    let mut pairs = |name, n: usize, most: i64, comparator, factor: i64| {
        let pair = |random: &mut Random| {
            let mut below = |most: usize| random.below(most as i64).unsigned_abs() as usize;
            let (one, other) = (below(n - 1), 1 + below(n - 1));
            let (one, other) = if one < other { (one, other) } else { (one, one + 1) };
            // Later variables are larger: there is a solution.
            let terms = vec![(one, factor), (other, -factor)];
            (terms, comparator, if comparator == Comparator::Equal { 0 } else { -factor * random.below(2) })
        };
        Sums { name, n, domain: (0, most), compared: (0..2 * n).map(|_| pair(&mut random)).collect() }
    };
    all.push(pairs("100 variables to 200, x + 0 or 1 ≤ y", 100, 200, Comparator::LessEq, 1));
    all.push(pairs("300 variables to 400, x + 0 or 1 ≤ y", 300, 400, Comparator::LessEq, 1));
    all
}

#[derive(Clone, Copy)]
struct Made {
    vars: usize,
    clauses: usize,
    micros: f64,
}

/// The fastest of some runs; what takes longer than a second runs once.
fn best<T>(runs: u32, make: impl Fn() -> T, size: impl Fn(&T) -> (usize, usize)) -> Made {
    let mut best: Option<Made> = None;
    for _ in 0..runs.max(1) {
        let start = ThreadTime::now();
        let made = make();
        let micros = start.elapsed().as_secs_f64() * 1e6;
        let (vars, clauses) = size(&made);
        let found = best.get_or_insert(Made { vars, clauses, micros });
        found.micros = found.micros.min(micros);
        if micros > 1e6 {
            break;
        }
    }
    best.expect("one run")
}

fn their_size(cnf: &Result<Theirs, Unsatisfiable>) -> (usize, usize) {
    cnf.as_ref().map_or((0, 0), |cnf| (cnf.num_vars(), cnf.num_clauses()))
}

fn print(name: &str, ours: Made, theirs: &[(&str, Made)]) {
    let row = |who: &str, made: Made| {
        println!(
            "| {name} | {who} | {} | {} | {:.0} | {:.2} | {:.1} |",
            made.vars,
            made.clauses,
            made.micros,
            made.clauses as f64 / ours.clauses.max(1) as f64,
            made.micros / ours.micros,
        );
    };
    row("model", ours);
    theirs.iter().for_each(|&(who, made)| row(&format!("pindakaas, {who}"), made));
}

pub fn run(only: &str, runs: u32) {
    println!("| constraint | encoder | variables | clauses | µs | clauses, × model | time, × model |");
    println!("|---|---|---:|---:|---:|---:|---:|");
    for problem in sums().into_iter().filter(|problem| problem.name.contains(only)) {
        let ours = best(runs, || problem.ours(), |cnf| (cnf.n_vars(), cnf.n_clauses()));
        let mut theirs = Vec::new();
        macro_rules! peers {
            ($($name:literal: $encoder:ty),*) => { $(
                let encoder = LinearEncoder::<$encoder>::default();
                if problem.theirs(&encoder).is_ok() {
                    theirs.push(($name, best(runs, || problem.theirs(&encoder), their_size)));
                }
            )* };
        }
        peers!("totalizer": TotalizerEncoder, "diagram": DecisionDiagramEncoder, "sequential": SequentialCounterEncoder,
            "adder": AdderEncoder, "mixed radix": MixedRadixEncoder, "watchdog": WatchdogEncoder);
        print(problem.name, ours, &theirs);
    }
    for (name, n, lists, values) in lists().into_iter().filter(|(name, ..)| name.contains(only)) {
        let ours = best(runs, || all_different(n, &lists, values), |cnf| (cnf.n_vars(), cnf.n_clauses()));
        let (pairwise, ladder, product) =
            (PairwiseEncoder::default(), LadderEncoder::default(), ProductEncoder::default());
        let theirs = [
            ("pairwise", best(runs, || their_all_different(n, &lists, values, &pairwise), their_size)),
            ("ladder", best(runs, || their_all_different(n, &lists, values, &ladder), their_size)),
            ("product", best(runs, || their_all_different(n, &lists, values, &product), their_size)),
        ];
        print(&name, ours, &theirs);
    }
}

/// Lists of variables that are all different: name, variables, lists, values.
fn lists() -> Vec<(String, usize, Vec<Vec<usize>>, i64)> {
    let mut all = Vec::new();
    for n in [8, 30, 100] {
        all.push((format!("all different, {n} of {n}"), n, vec![(0..n).collect()], n as i64));
    }
    all.push(("all different, 30 of 60".into(), 30, vec![(0..30).collect()], 60));
    for n in [9, 25] {
        let rows = (0..n).map(|i| (0..n).map(|j| i * n + j).collect());
        let columns = (0..n).map(|i| (0..n).map(|j| j * n + i).collect());
        all.push((format!("all different, Latin square of {n}"), n * n, rows.chain(columns).collect(), n as i64));
    }
    all
}
