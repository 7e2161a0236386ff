//! How CPU time grows with the work: the exponent of each public verb and each reader, over three decades.
//!
//! Work is what has to be touched whatever the way: the literals of the clauses that a verb writes, those of the
//! formula that it looks at, or the bytes of a text. The exponent is the slope of a straight line through logarithms.
//!
//! Rows of `detect` and `join_bicliques` have as many random binary clauses as variables: the threshold of 2-SAT, where
//! what a literal implies grows with the formula, and detection follows implications up to its bound on work. Of half
//! as many clauses its work is linear. A chain of `!=` is linear to encode; BatSat decides it anew after each restart.

use cnfkit::model::Model;
use cnfkit::rustsat::{solvers::Solve, types::Cl};
use cnfkit::solvers::BatSat;
use cnfkit::{AmoEncoding, CardEncoding, ClauseSink, Cnf, Constrain, Formula, Layout, Lit, PbEncoding};
use cnfkit::{Grid, SudokuEncoder};
use cpu_time::ThreadTime;

/// Rows above this exponent are marked.
const MOST: f64 = 1.15;
/// A row ends where a run takes so many seconds: ten times the size might take more than ten times as many.
const SECONDS: f64 = 0.4;
/// Runs below this are no points of the line: they are too short to be timed.
const LEAST_SECONDS: f64 = 2e-5;

/// A verb: for a size, what is to be timed, which says how much work that is.
type Verb = (&'static str, fn(usize) -> Box<dyn Fn() -> usize>);

/// Numbers that look random, the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }

    fn clause(&mut self, n: usize, of: usize) -> Vec<Lit> {
        let mut lits: Vec<Lit> = (0..n).map(|_| Lit::new(self.below(of) as u32, self.below(2) == 1)).collect();
        lits.sort_unstable();
        lits.dedup_by_key(|lit| lit.var());
        lits
    }
}

fn work(cnf: &Cnf) -> usize {
    cnf.clauses().map(<[Lit]>::len).sum::<usize>() + cnf.n_clauses()
}

/// One constraint on n literals, written to a formula of clauses.
fn written(n: usize, post: impl Fn(&mut Cnf, &[Lit]) + 'static) -> Box<dyn Fn() -> usize> {
    Box::new(move || {
        let mut cnf = Cnf::new();
        let lits = cnf.new_lits(n);
        post(&mut cnf, &lits);
        work(&cnf)
    })
}

fn weighted(lits: &[Lit]) -> Vec<(Lit, u64)> {
    let mut numbers = Numbers(7);
    lits.iter().map(|&lit| (lit, 1 + numbers.below(20) as u64)).collect()
}

/// A formula of n constraints on eight literals each, of as many variables, `from` which constraint i takes those.
fn constraints(n: usize, weights: bool, lits: impl Fn(usize, &mut Numbers) -> Vec<Lit>) -> Formula {
    let mut formula = Formula::with_vars(8 * n);
    let mut numbers = Numbers(1);
    for at in 0..n {
        let lits = lits(at, &mut numbers);
        if weights {
            formula.pb_at_most(weighted(&lits), 40, PbEncoding::Auto).expect("fits");
        } else {
            formula.at_most(&lits, 3, CardEncoding::Auto).expect("fits");
        }
    }
    formula
}

fn apart(at: usize, _: &mut Numbers) -> Vec<Lit> {
    (8 * at as u32..8 * at as u32 + 8).map(Lit::positive).collect()
}

fn chained(at: usize, _: &mut Numbers) -> Vec<Lit> {
    (4 * at as u32..4 * at as u32 + 8).map(Lit::positive).collect()
}

/// Random clauses of `len` literals, n in all.
fn clauses(n: usize, len: usize) -> Formula {
    let mut numbers = Numbers(3);
    let mut formula = Formula::with_vars(n);
    (0..n).for_each(|_| formula.add_clause(&numbers.clause(len, n)).expect("fits"));
    formula
}

fn encoded(formula: Formula) -> Box<dyn Fn() -> usize> {
    Box::new(move || work(&formula.clone().encode().expect("fits")))
}

fn read(text: Vec<u8>, read: fn(&[u8]) -> Formula) -> Box<dyn Fn() -> usize> {
    Box::new(move || {
        let formula = read(&text);
        assert!(formula.n_vars() > 0);
        text.len()
    })
}

fn sums(n: usize) -> Vec<u8> {
    let mut text = Vec::new();
    constraints(n / 8, true, |_, numbers| numbers.clause(8, n)).write_opb(&mut text).expect("memory holds it");
    text
}

fn counts(n: usize) -> Vec<u8> {
    let mut text = Vec::new();
    constraints(n / 8, false, |_, numbers| numbers.clause(8, n)).write_knf(&mut text).expect("memory holds it");
    text
}

fn dimacs(n: usize, soft: bool) -> Vec<u8> {
    let mut text = Vec::new();
    let formula = clauses(n, 3);
    if soft { formula.write_wcnf(&mut text) } else { formula.write_dimacs(&mut text) }.expect("memory holds it");
    text
}

/// A side of a Sudoku with about n clauses of its rules.
fn side(n: usize) -> usize {
    (2..100).map(|box_side| box_side * box_side).find(|side: &usize| side.pow(4) >= n).unwrap_or(4)
}

const VERBS: &[Verb] = &[
    ("Cnf: at_most_one", |n| written(n, |cnf, x| cnf.at_most_one(x, AmoEncoding::Auto).expect("fits"))),
    ("Cnf: exactly_one", |n| written(n, |cnf, x| cnf.exactly_one(x, AmoEncoding::Auto).expect("fits"))),
    ("Cnf: at_most 3", |n| written(n, |cnf, x| cnf.at_most(x, 3, CardEncoding::Auto).expect("fits"))),
    ("Cnf: at_most n/2", |n| written(n, |cnf, x| cnf.at_most(x, x.len() / 2, CardEncoding::Auto).expect("fits"))),
    ("Cnf: at_most n/2, smallest", |n| {
        written(n, |cnf, x| cnf.at_most(x, x.len() / 2, CardEncoding::Smallest).expect("fits"))
    }),
    ("Cnf: exactly n/2", |n| written(n, |cnf, x| cnf.exactly(x, x.len() / 2, CardEncoding::Auto).expect("fits"))),
    ("Cnf: pb_at_most of n terms", |n| {
        written(n, |cnf, x| cnf.pb_at_most(weighted(x), 5 * x.len() as u64, PbEncoding::Auto).expect("fits"))
    }),
    ("Cnf: pb_at_most of eight terms, n/8 times", |n| {
        written(n, |cnf, x| {
            x.chunks(8).for_each(|x| cnf.pb_at_most(weighted(x), 40, PbEncoding::Auto).expect("fits"));
        })
    }),
    ("Formula: at_most kept", |n| {
        Box::new(move || constraints(n / 8, false, apart).constraints().map(|one| one.lits().count()).sum())
    }),
    ("Formula: pb_at_most kept", |n| {
        Box::new(move || constraints(n / 8, true, apart).constraints().map(|one| one.lits().count()).sum())
    }),
    ("Formula: encode, counts apart", |n| encoded(constraints(n / 8, false, apart))),
    ("Formula: encode, counts in a chain", |n| encoded(constraints(n / 8, false, chained))),
    ("Formula: encode, counts anywhere", |n| {
        encoded(constraints(n / 8, false, move |_, numbers| numbers.clause(8, n / 4)))
    }),
    ("Formula: encode, sums in a chain", |n| encoded(constraints(n / 8, true, chained))),
    ("Formula: encode, sums anywhere", |n| {
        encoded(constraints(n / 8, true, move |_, numbers| numbers.clause(8, n / 4)))
    }),
    ("Formula: sequence", |n| {
        let formula = constraints(n / 8, false, move |_, numbers| numbers.clause(8, n / 4));
        Box::new(move || formula.sequence().len())
    }),
    ("Formula: detect, binary clauses", |n| {
        let formula = clauses(n, 2);
        Box::new(move || {
            assert!(formula.detect().formula().n_vars() > 0);
            n
        })
    }),
    ("Formula: join_bicliques, binary clauses", |n| {
        let formula = clauses(n, 2);
        Box::new(move || {
            assert!(formula.join_bicliques().n_vars() > 0);
            n
        })
    }),
    ("Formula: solve, an implication chain", |n| {
        let mut formula = Formula::with_vars(n);
        (1..n as u32).for_each(|x| formula.add_clause(&[Lit::negative(x - 1), Lit::positive(x)]).expect("fits"));
        Box::new(move || {
            assert!(formula.solve().expect("no limit").is_some());
            n
        })
    }),
    ("BatSat: clauses loaded", |n| {
        let clauses = clauses(n, 3).encode().expect("fits");
        Box::new(move || {
            let mut solver = BatSat::default();
            clauses.clauses().for_each(|clause| solver.add_clause_ref(Cl::new(clause)).expect("BatSat takes clauses"));
            work(&clauses)
        })
    }),
    ("Model: solve, x[i] != x[i + 1]", |n| {
        Box::new(move || {
            let mut model = Model::new();
            let x = model.ints(n / 8, 0..=9);
            x.windows(2).for_each(|pair| model.post(pair[0].ne(pair[1])));
            assert!(model.solve().expect("no limit").is_some());
            n
        })
    }),
    ("SudokuEncoder: encode", |n| {
        let encoder = SudokuEncoder::new(Grid::empty(Layout::for_side(side(n))));
        Box::new(move || work(&encoder.encode().expect("fits")))
    }),
    ("write_dimacs", |n| {
        let formula = clauses(n, 3);
        Box::new(move || {
            let mut text = Vec::new();
            formula.write_dimacs(&mut text).expect("memory holds it");
            text.len()
        })
    }),
    ("write_opb", |n| {
        let formula = constraints(n / 8, true, move |_, numbers| numbers.clause(8, n));
        Box::new(move || {
            let mut text = Vec::new();
            formula.write_opb(&mut text).expect("memory holds it");
            text.len()
        })
    }),
    ("read_dimacs", |n| read(dimacs(n, false), |text| Formula::read_dimacs(text).expect("as written"))),
    ("read_knf", |n| read(counts(n), |text| Formula::read_knf(text).expect("as written"))),
    ("read_wcnf", |n| read(dimacs(n, true), |text| Formula::read_wcnf(text).expect("as written"))),
    ("read_opb", |n| read(sums(n), |text| Formula::read_opb(text).expect("as written"))),
];

/// The fastest of some runs, in seconds, and the work that it did.
fn fastest(run: &dyn Fn() -> usize) -> (f64, usize) {
    let (mut best, mut done, mut spent) = (f64::INFINITY, 0, 0.0);
    for _ in 0..20 {
        let start = ThreadTime::now();
        done = run();
        let seconds = start.elapsed().as_secs_f64();
        (best, spent) = (best.min(seconds), spent + seconds);
        if spent > 0.5 {
            break;
        }
    }
    (best, done)
}

/// The slope of the line through the logarithms of these points with the least squares.
fn exponent(points: &[(f64, f64)]) -> f64 {
    let logs = || points.iter().map(|&(work, seconds)| (work.ln(), seconds.ln()));
    let n = points.len() as f64;
    let (x, y) = logs().fold((0.0, 0.0), |(x, y), (work, seconds)| (x + work / n, y + seconds / n));
    let (above, below) = logs().fold((0.0, 0.0), |(above, below), (work, seconds)| {
        (above + (work - x) * (seconds - y), below + (work - x) * (work - x))
    });
    above / below
}

/// Prints the table of the verbs whose name contains `only`, and how many are above the limit.
pub fn run(only: &str, largest: usize) {
    println!("| verb | exponent | ns for each of the work, by size | largest |\n|---|---:|---|---:|");
    let mut above = Vec::new();
    for &(name, prepare) in VERBS.iter().filter(|(name, _)| name.contains(only)) {
        let (mut points, mut each) = (Vec::new(), Vec::new());
        let (mut n, mut last) = (1_000, 0);
        while n <= largest {
            let (seconds, done) = fastest(&*prepare(n));
            if seconds > LEAST_SECONDS {
                points.push((done as f64, seconds));
            }
            last = n;
            each.push(format!("{:.1}", seconds * 1e9 / done.max(1) as f64));
            if seconds > SECONDS {
                break;
            }
            n *= 10;
        }
        let exponent = if points.len() > 1 { exponent(&points) } else { f64::NAN };
        let mark = if exponent > MOST { " ✗" } else { "" };
        println!("| {name} | {exponent:.2}{mark} | {} | {last} |", each.join(", "));
        if exponent > MOST {
            above.push(name);
        }
    }
    println!("\n{} above {MOST}: {}", above.len(), if above.is_empty() { "none".into() } else { above.join("; ") });
}
