//! The sizes of our encodings of sums of weights, beside the best of pindakaas 0.6.1.

use cnfkit::{Constraint, Encoding, Lit, PbEncoding, PbRelation, Plan, Size, Terms};

use crate::watch::Watch;

/// Weights and a bound; the literals of a group are at most one.
struct Shape {
    name: &'static str,
    groups: Vec<Vec<u64>>,
    bound: u64,
    /// Variables and clauses of the best peer that is generalised arc consistent, and of the best adder: at most,
    /// exactly.
    best: [Option<(u64, u64)>; 2],
    adder: [Option<(u64, u64)>; 2],
}

impl Shape {
    fn size(&self, enc: PbEncoding, relation: PbRelation) -> Option<Size> {
        let weights: Vec<u64> = self.groups.concat();
        let terms: Vec<(Lit, u64)> = (0..).map(Lit::positive).zip(weights).collect();
        let ends = self.groups.iter().scan(0, |end, group| {
            *end += group.len();
            Some(*end)
        });
        enc.plan(&Constraint::weights(Terms::grouped(&terms, &ends.collect::<Vec<usize>>()), relation))
            .map(|plan| plan.size())
    }
}

/// `n` weights from 1 to `most`, as the benches of pindakaas make them.
fn weights(n: usize, most: u64, seed: u64) -> Vec<u64> {
    let mut state = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    let next = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most + 1
    };
    (0..n).map(next).collect()
}

/// The first `n` that differ.
fn distinct(n: usize, most: u64, seed: u64) -> Vec<u64> {
    let mut distinct = Vec::new();
    for weight in weights(16 * n, most, seed) {
        if distinct.len() < n && !distinct.contains(&weight) {
            distinct.push(weight);
        }
    }
    distinct
}

fn shapes() -> Vec<Shape> {
    let literals = |name, weights: Vec<u64>, best, adder| {
        let bound = weights.iter().step_by(2).sum();
        let groups = weights.into_iter().map(|weight| vec![weight]).collect();
        Shape { name, groups, bound, best, adder }
    };
    let groups: Vec<Vec<u64>> = (0..6).map(|group| distinct(4, 12, 10 + group)).collect();
    let middle: u64 = groups.iter().map(|group| group[2]).sum();
    // Exactly one literal of a group is true, so that the least weight of a group is in every sum.
    let least = |group: &Vec<u64>| group.iter().copied().min().unwrap_or(0);
    let middle = middle - groups.iter().map(least).sum::<u64>();
    let above = |group: Vec<u64>| {
        let least = least(&group);
        group.into_iter().map(|weight| weight - least).filter(|&weight| weight > 0).collect()
    };
    let groups = groups.into_iter().map(above).collect();
    vec![
        literals(
            "10 of 1..=8",
            weights(10, 8, 1),
            [Some((29, 89)), Some((31, 143))],
            [Some((23, 153)), Some((18, 135))],
        ),
        literals(
            "10 of 1..=512",
            weights(10, 512, 1),
            [Some((29, 86)), Some((14, 61))],
            [Some((65, 435)), Some((55, 399))],
        ),
        literals("primes 3..=23", vec![3, 5, 7, 11, 13, 17, 19, 23], [Some((21, 66)), None], [Some((37, 238)), None]),
        literals(
            "40 of 1..=4",
            weights(40, 4, 2),
            [Some((269, 1202)), Some((581, 2599))],
            [Some((92, 635)), Some((87, 621))],
        ),
        Shape {
            name: "6 groups of 4",
            groups,
            bound: middle,
            best: [Some((44, 177)), Some((42, 308))],
            adder: [Some((78, 536)), Some((72, 515))],
        },
        Shape {
            name: "6 of 0..=40",
            groups: vec![(1..=40).collect(); 6],
            bound: 120,
            best: [Some((428, 6000)), None],
            adder: [Some((92, 413)), None],
        },
        literals("16 of 1..=8", weights(16, 8, 3), [Some((100, 303)), None], [Some((42, 285)), None]),
        literals("32 of 1..=8", weights(32, 8, 3), [Some((712, 2130)), None], [Some((96, 649)), None]),
    ]
}

/// The sum of a pair, beside it.
fn shown(pair: Option<(u64, u64)>) -> String {
    pair.map_or_else(|| "–".into(), |(vars, clauses)| format!("{vars}/{clauses}={}", vars + clauses))
}

/// Prints a row of the table.
fn row(name: &str, cells: impl Iterator<Item = String>) {
    let cells: Vec<String> = cells.map(|cell| format!("{cell:>16}")).collect();
    say!("{name:<28} {}", cells.join(" "));
}

/// Prints variables/clauses of every encoding, for each relation a table.
pub(crate) fn tables(watch: &Watch) {
    let shapes = shapes();
    for title in ["at most", "at least", "exactly"] {
        say!("");
        row(title, shapes.iter().map(|shape| shape.name.to_owned()));
        let theirs = |pairs: &[Option<(u64, u64)>; 2]| match title {
            "at most" => pairs[0],
            "exactly" => pairs[1],
            _ => None,
        };
        row("best consistent of others", shapes.iter().map(|shape| shown(theirs(&shape.best))));
        row("adder of others", shapes.iter().map(|shape| shown(theirs(&shape.adder))));
        for &enc in PbEncoding::ALL {
            let cells = shapes.iter().map(|shape| {
                let relation = match title {
                    "at most" => PbRelation::AtMost(shape.bound),
                    "at least" => PbRelation::AtLeast(shape.bound),
                    _ => PbRelation::Exactly(shape.bound),
                };
                let size =
                    watch.run(format!("planning `{enc}`, {title}, {}", shape.name), || shape.size(enc, relation));
                shown(size.map(|size| (size.vars, size.clauses)))
            });
            row(&enc.to_string(), cells);
        }
    }
}
