//! Many small constraints.

use cnfkit::model::Model;
use cpu_time::ThreadTime;

/// `n` variables of ten values, and as many `≠` between two of them by lot. Seconds are of CPU time.
pub fn run(n: usize) {
    let start = ThreadTime::now();
    let mut model = Model::new();
    let x = model.ints(n, 0..=9);
    let mut at = 1_usize;
    let mut next = || {
        at = at.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (at >> 33) % n.max(1)
    };
    for _ in 0..n {
        let (one, other) = (next(), next());
        if one != other {
            model.post(x[one].ne(x[other]));
        }
    }
    let posted = start.elapsed();
    let formula = model.formula().expect("small enough");
    let kept = start.elapsed();
    let cnf = formula.encode().expect("small enough");
    println!("| variables | posted, s | formula, s | encoded, s | variables | clauses |");
    println!("|---:|---:|---:|---:|---:|---:|");
    println!(
        "| {n} | {:.2} | {:.2} | {:.2} | {} | {} |",
        posted.as_secs_f64(),
        kept.as_secs_f64(),
        start.elapsed().as_secs_f64(),
        cnf.n_vars(),
        cnf.n_clauses()
    );
}
