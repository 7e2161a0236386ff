//! Variables and clauses of every encoder on the same constraints.

use crate::encoders::{Relation, encoders};

const AT_MOST_ONE: &[usize] = &[5, 9, 16, 25, 64, 100, 400, 1000, 10_000];
const BOUNDS: &[(usize, usize)] =
    &[(8, 3), (20, 5), (50, 10), (100, 10), (100, 50), (200, 100), (1000, 10), (1000, 500)];

/// One line an encoder, one column a constraint: auxiliaries/clauses.
fn table(title: &str, columns: &[(String, usize, Relation)]) {
    print!("{title}\n  {:<10} {:<18}", "library", "encoder");
    for (name, ..) in columns {
        print!(" {name:>14}");
    }
    println!();
    for line in 0..encoders(columns[0].2).len() {
        for (column, &(_, n, relation)) in columns.iter().enumerate() {
            let encoder = &encoders(relation)[line];
            if column == 0 {
                print!("  {:<10} {:<18}", encoder.library, encoder.name);
            }
            let made = (encoder.encode)(n).map(|made| format!("{}/{}", made.aux, made.clauses));
            print!(" {:>14}", made.as_deref().unwrap_or("too large"));
        }
        println!();
    }
}

pub fn run() {
    let columns: Vec<_> = AT_MOST_ONE.iter().map(|&n| (n.to_string(), n, Relation::AtMostOne)).collect();
    table("at most one of n", &columns);
    bounded("at most", Relation::AtMost);
    bounded("at least", Relation::AtLeast);
    bounded("exactly", Relation::Exactly);
}

fn bounded(name: &str, relation: impl Fn(usize) -> Relation) {
    let columns: Vec<_> = BOUNDS.iter().map(|&(n, k)| (format!("{n},{k}"), n, relation(k))).collect();
    table(&format!("{name} k of n (n,k)"), &columns);
}
