//! Variables and clauses of every encoder on the same constraints.

use cnfkit::Relation;

use crate::baseline::markdown;
use crate::encoders::{AT_MOST_ONE as ONE, encoders};

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

/// Tables in Markdown of auxiliaries/clauses, in which n doubles from column to column.
pub fn by_n() -> Vec<String> {
    let powers = |from: u32, to: u32| (from..=to).map(|power| 1_usize << power);
    let one: Vec<_> = powers(2, 12).map(|n| (n, ONE)).collect();
    let half: Vec<_> = powers(2, 11).map(|n| (n, Relation::AtMost(n / 2))).collect();
    vec![columns_by_n("at most one of n", &one), columns_by_n("at most n/2 of n", &half)]
}

fn columns_by_n(title: &str, columns: &[(usize, Relation)]) -> String {
    let head = [title.to_owned(), "encoder".into()];
    let mut rows: Vec<Vec<String>> = vec![head.into_iter().chain(columns.iter().map(|(n, _)| n.to_string())).collect()];
    for (line, encoder) in encoders(columns[0].1).iter().enumerate() {
        let mut cells = vec![encoder.library.to_owned(), encoder.name.clone()];
        for &(n, relation) in columns {
            // An encoder knows its bound from the start.
            let made = (encoders(relation)[line].encode)(n);
            cells.push(made.map_or("–".to_owned(), |made| format!("{}/{}", made.aux, made.clauses)));
        }
        rows.push(cells);
    }
    markdown(2, &rows)
}

pub fn run() {
    let columns: Vec<_> = AT_MOST_ONE.iter().map(|&n| (n.to_string(), n, ONE)).collect();
    table("at most one of n", &columns);
    bounded("at most", Relation::AtMost);
    bounded("at least", Relation::AtLeast);
    bounded("exactly", Relation::Exactly);
}

fn bounded(name: &str, relation: impl Fn(usize) -> Relation) {
    let columns: Vec<_> = BOUNDS.iter().map(|&(n, k)| (format!("{n},{k}"), n, relation(k))).collect();
    table(&format!("{name} k of n (n,k)"), &columns);
}
