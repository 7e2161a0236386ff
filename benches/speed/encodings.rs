//! Encoding speed in clauses a second: one group a job, in each ours, rustsat's and a plain loop that writes the same
//! literals into two flat vectors. Allocations of one run are printed once a job.
//!
//! ```text
//! cargo bench --bench encodings                  # all; a name selects: -- pairwise
//! cargo run --release -p cnfkit-peers -- encode  # the same beside more libraries, as a table of ratios
//! ```

use std::hint::black_box;
use std::time::Duration;

use cnfkit::{
    AtMostK, AtMostOne, CardEncoding, ClauseSink, Cnf, Combinatorial, Constrain, Ladder, Lit, Pairwise, Product,
    SequentialCounter, Totalizer, Var,
};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use rustsat::encodings::{am1, card};
use rustsat::instances::BasicVarManager;
use rustsat::types::constraints::CardConstraint;

/// A formula of rustsat's and its variables, with `n` inputs.
fn theirs(n: usize) -> (Vec<Lit>, rustsat::instances::Cnf, BasicVarManager) {
    let n = u32::try_from(n).expect("few inputs");
    ((0..n).map(Lit::positive).collect(), rustsat::instances::Cnf::new(), BasicVarManager::from_next_free(Var::new(n)))
}

type Run<'a> = Box<dyn Fn() -> Formula + 'a>;

/// The outcome of a run: dropped after the clock has stopped.
enum Formula {
    Ours(Cnf),
    Theirs(rustsat::instances::Cnf),
    Flat((Vec<Lit>, Vec<u32>)),
}

impl Formula {
    fn n_clauses(&self) -> usize {
        match self {
            Self::Ours(cnf) => cnf.n_clauses(),
            Self::Theirs(cnf) => cnf.len(),
            Self::Flat((_, ends)) => ends.len(),
        }
    }
}

fn ours<'a>(n: usize, constrain: impl Fn(&mut Cnf, &[Lit]) + 'a) -> Run<'a> {
    Box::new(move || {
        let mut cnf = Cnf::new();
        let lits = cnf.new_lits(n);
        constrain(&mut cnf, &lits);
        Formula::Ours(cnf)
    })
}

fn our_amo<'a, E: AtMostOne + 'a>(n: usize, enc: E) -> Run<'a> {
    ours(n, move |cnf, lits| cnf.at_most_one(lits, &enc).expect("fits"))
}

fn our_card<'a, E: AtMostK + 'a>(n: usize, k: usize, enc: E) -> Run<'a> {
    ours(n, move |cnf, lits| cnf.at_most(lits, k, &enc).expect("fits"))
}

fn rustsat_amo<'a, E: am1::Encode + From<Vec<Lit>> + 'a>(n: usize) -> Run<'a> {
    Box::new(move || {
        let (lits, mut cnf, mut vars) = theirs(n);
        E::from(lits).encode(&mut cnf, &mut vars).expect("fits");
        Formula::Theirs(cnf)
    })
}

fn rustsat_totalizer<'a>(n: usize, k: usize) -> Run<'a> {
    Box::new(move || {
        let (lits, mut cnf, mut vars) = theirs(n);
        let at_most = CardConstraint::new_ub(lits, k);
        card::encode_cardinality_constraint::<card::Totalizer, _>(at_most, &mut cnf, &mut vars).expect("fits");
        Formula::Theirs(cnf)
    })
}

/// The clauses of `run` once more, clause by clause.
fn plain_copy<'a>(run: &Run<'a>) -> Run<'a> {
    let Formula::Ours(cnf) = run() else { unreachable!("copies ours") };
    Box::new(move || {
        let cnf = black_box(&cnf);
        let (mut lits, mut ends) = (Vec::with_capacity(cnf.n_lits()), Vec::with_capacity(cnf.n_clauses()));
        for clause in cnf.clauses() {
            lits.extend_from_slice(clause);
            ends.push(u32::try_from(lits.len()).expect("small"));
        }
        Formula::Flat((lits, ends))
    })
}

/// Pairwise as one would write it by hand.
fn plain_pairwise<'a>(n: usize) -> Run<'a> {
    Box::new(move || {
        let (x, ..) = theirs(n);
        let x = black_box(x);
        let (mut lits, mut ends) = (Vec::with_capacity(n * (n - 1)), Vec::with_capacity(n * (n - 1) / 2));
        for i in 0..n {
            for j in i + 1..n {
                lits.extend_from_slice(&[!x[i], !x[j]]);
                ends.push(u32::try_from(lits.len()).expect("small"));
            }
        }
        Formula::Flat((lits, ends))
    })
}

/// One criterion group: every run is measured by its own number of clauses.
fn job(c: &mut Criterion, name: &str, runs: &[(&str, Run<'_>)]) {
    let mut group = c.benchmark_group(name);
    for (name, run) in runs {
        let mut clauses = 0;
        let allocations = allocation_counter::measure(|| clauses = run().n_clauses()).count_total;
        println!("{name}: {clauses} clauses, {allocations} allocations");
        group.throughput(Throughput::Elements(clauses as u64));
        group.bench_function(*name, |b| b.iter_batched(|| (), |()| run(), BatchSize::LargeInput));
    }
    group.finish();
}

fn at_most_one(c: &mut Criterion) {
    for n in [10, 100, 1000] {
        let runs = [
            ("plain loop", plain_pairwise(n)),
            ("cnfkit", our_amo(n, Pairwise)),
            ("rustsat", rustsat_amo::<am1::Pairwise>(n)),
        ];
        job(c, &format!("pairwise {n}"), &runs);
    }
    let n = 100_000;
    let ladder = our_amo(n, Ladder);
    let runs = [("plain copy", plain_copy(&ladder)), ("cnfkit", ladder), ("rustsat", rustsat_amo::<am1::Ladder>(n))];
    job(c, &format!("ladder {n}"), &runs);
    let product = our_amo(n, Product::default());
    let theirs = rustsat_amo::<am1::TwoProduct>(n);
    job(c, &format!("product {n}"), &[("plain copy", plain_copy(&product)), ("cnfkit", product), ("rustsat", theirs)]);
}

fn at_most_k(c: &mut Criterion) {
    for (n, k) in [(8, 3), (12, 6), (24, 4)] {
        let ours = our_card(n, k, Combinatorial);
        let runs = [("plain copy", plain_copy(&ours)), ("cnfkit", ours)];
        job(c, &format!("combinatorial {k} of {n}"), &runs);
    }
    for (n, k) in [(20, 5), (100, 10), (1000, 500), (10_000, 100)] {
        let ours = our_card(n, k, SequentialCounter::default());
        let runs = [("plain copy", plain_copy(&ours)), ("cnfkit", ours)];
        job(c, &format!("sequential {k} of {n}"), &runs);
        let ours = our_card(n, k, Totalizer::default());
        let runs = [("plain copy", plain_copy(&ours)), ("cnfkit", ours), ("rustsat", rustsat_totalizer(n, k))];
        job(c, &format!("totalizer {k} of {n}"), &runs);
        // With the cost of choosing.
        let ours = our_card(n, k, CardEncoding::Smallest);
        let runs = [("plain copy", plain_copy(&ours)), ("cnfkit", ours)];
        job(c, &format!("smallest {k} of {n}"), &runs);
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = at_most_one, at_most_k
}
criterion_main!(benches);
