//! Variables and clauses of every encoder on the same sums of weights.

use cnfkit::{BinaryAdder, Cnf, PbEncoding};

use super::encoders::{PEERS, by_ours};
use super::shapes::{Shape, held_out_shapes, relations, shapes};
use crate::baseline::markdown;
use crate::encoders::Made;

/// One line an encoder, one column a shape: auxiliaries/clauses.
fn line(library: &str, name: &str, made: &[Option<Made>]) {
    print!("| {library} | {name} |");
    for made in made {
        let made = made.as_ref().map(|made| format!("{}/{}", made.aux, made.clauses));
        print!(" {} |", made.as_deref().unwrap_or("too large"));
    }
    println!();
}

/// The auxiliaries and clauses, fewest in sum, for every shape.
#[derive(Clone)]
struct Fewest(Vec<Option<[usize; 2]>>);

impl Fewest {
    fn none(shapes: &[Shape]) -> Self {
        Self(vec![None; shapes.len()])
    }

    fn of(&mut self, made: &[Option<Made>]) {
        for (fewest, made) in self.0.iter_mut().zip(made) {
            let made = made.as_ref().map(|made| [made.aux, made.clauses]);
            *fewest = [*fewest, made].into_iter().flatten().min_by_key(|[aux, clauses]| aux + clauses);
        }
    }

    /// Our fewest as a share of theirs.
    fn line(&self, theirs: &Self, name: &str) {
        print!("| | {name} |");
        for (ours, theirs) in self.0.iter().zip(&theirs.0) {
            match (ours, theirs) {
                (Some([aux, clauses]), Some(theirs)) => {
                    let (ours, theirs) = (aux + clauses, theirs[0] + theirs[1]);
                    print!(" {ours}:{theirs} = {:.2} |", ours as f64 / theirs as f64);
                }
                _ => print!(" |"),
            }
        }
        println!();
    }
}

fn table(title: &str, at: usize, shapes: &[Shape]) {
    let names: Vec<&str> = shapes.iter().map(|shape| shape.name.as_str()).collect();
    println!("| {title} | | {} |\n|---|---|{}", names.join(" | "), "---:|".repeat(names.len()));
    let (mut smallest, mut ours, mut theirs, mut adders) =
        (Fewest::none(shapes), Fewest::none(shapes), Fewest::none(shapes), Fewest::none(shapes));
    for &enc in PbEncoding::ALL {
        let made: Vec<_> =
            shapes.iter().map(|shape| by_ours(&enc, shape, relations(shape.bound)[at], Cnf::DEFAULT_LIMIT)).collect();
        line("cnfkit", &enc.to_string(), &made);
        match enc {
            PbEncoding::Auto => {}
            PbEncoding::Smallest => smallest.of(&made),
            _ => ours.of(&made),
        }
    }
    // As rustsat's adder of *at most*: sums and carries are defined in the one direction that the bound needs.
    let one_sided = BinaryAdder::default().full(false);
    let made: Vec<_> =
        shapes.iter().map(|shape| by_ours(&one_sided, shape, relations(shape.bound)[at], Cnf::DEFAULT_LIMIT)).collect();
    line("cnfkit", "binary-adder, one-sided", &made);
    ours.of(&made);
    for (peer, library, name, is_consistent) in PEERS {
        let made: Vec<_> = shapes.iter().map(|shape| Some(peer.encode(shape, relations(shape.bound)[at]))).collect();
        line(library, name, &made);
        if *is_consistent {
            theirs.of(&made);
        } else if name.contains("adder") {
            adders.of(&made);
        }
    }
    smallest.line(&theirs, "smallest : best of others that is domain consistent");
    ours.line(&adders, "smallest of all : best adder of others");
    println!();
}

pub fn run(only: &str, held_out: bool) {
    let shapes = if held_out { held_out_shapes() } else { shapes() };
    let shapes: Vec<Shape> = shapes.into_iter().filter(|shape| shape.name.contains(only)).collect();
    for (at, title) in ["at most", "at least", "exactly"].into_iter().enumerate() {
        table(title, at, &shapes);
    }
}

/// Tables in Markdown of auxiliaries/clauses: ours, and the best of other libraries.
pub fn short() -> Vec<String> {
    let shapes: Vec<Shape> = shapes().into_iter().filter(|shape| shape.name != "8 of 1..=8").take(8).collect();
    [("at most", 0), ("exactly", 2)].map(|(title, at)| short_table(title, at, &shapes)).to_vec()
}

fn short_table(title: &str, at: usize, shapes: &[Shape]) -> String {
    let row = |name: &str, cells: Vec<Option<[usize; 2]>>| {
        let cell = |cell: Option<[usize; 2]>| cell.map_or("–".into(), |[aux, clauses]| format!("{aux}/{clauses}"));
        [name.to_owned()].into_iter().chain(cells.into_iter().map(cell)).collect::<Vec<String>>()
    };
    let of_peers = |takes_part: fn(&str, bool) -> bool| {
        let mut fewest = Fewest::none(shapes);
        for (peer, _, name, is_consistent) in PEERS {
            if takes_part(name, *is_consistent) {
                let made = shapes.iter().map(|shape| Some(peer.encode(shape, relations(shape.bound)[at])));
                fewest.of(&made.collect::<Vec<_>>());
            }
        }
        fewest.0
    };
    let mut rows = vec![[title.to_owned()].into_iter().chain(shapes.iter().map(|shape| shape.name.clone())).collect()];
    rows.push(row("best consistent of others", of_peers(|_, is_consistent| is_consistent)));
    rows.push(row("adder of others", of_peers(|name, _| name.contains("adder"))));
    // `Auto` is one of the others.
    for &enc in PbEncoding::ALL.iter().filter(|&&enc| enc != PbEncoding::Auto) {
        let size = |shape| by_ours(&enc, shape, relations(shape.bound)[at], Cnf::DEFAULT_LIMIT);
        let made = shapes.iter().map(|shape| size(shape).map(|made| [made.aux, made.clauses]));
        rows.push(row(&enc.to_string(), made.collect()));
    }
    markdown(1, &rows)
}
