//! Sums of weights as the benches of pindakaas 0.6.1 make them.

use cnfkit::{Constraint, Encoding, Lit, PbRelation, Plan, Terms};

/// The kinds of literals that a sum has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Free.
    Literals,
    /// In groups of which exactly one literal is true.
    Groups,
    /// In groups of which at most one literal is true: the values from 1 on of an integer.
    Integers,
}

/// A sum of weights and a bound.
#[derive(Clone, Debug)]
pub struct Shape {
    pub name: String,
    pub kind: Kind,
    /// One group, unless the kind has several.
    pub weights: Vec<Vec<u64>>,
    pub bound: u64,
}

impl Shape {
    fn literals(name: impl Into<String>, weights: Vec<u64>) -> Self {
        let bound = weights.iter().step_by(2).sum();
        Self { name: name.into(), kind: Kind::Literals, weights: vec![weights], bound }
    }

    /// The terms over the literals from the first variable on, where each group ends, and what is in every sum: of
    /// exactly one literal of a group, the least weight.
    pub fn terms(&self) -> (Vec<(Lit, u64)>, Vec<usize>, u64) {
        let (mut terms, mut ends, mut always) = (Vec::new(), Vec::new(), 0);
        let mut vars = 0..;
        for group in &self.weights {
            let least = if self.kind == Kind::Groups { group.iter().copied().min().unwrap_or(0) } else { 0 };
            always += least;
            let lits = group.iter().zip(vars.by_ref()).map(|(&weight, var)| (Lit::positive(var), weight - least));
            terms.extend(lits.filter(|&(_, weight)| weight > 0));
            ends.push(terms.len());
        }
        (terms, ends, always)
    }

    /// The plan of a relation to the bound by our encoding, and what it plans; `None` where the encoding refuses.
    pub fn planned<T>(
        &self,
        enc: &dyn Encoding,
        relation: PbRelation,
        with: impl FnOnce(&Plan<'_>, &Constraint<'_>) -> T,
    ) -> Option<T> {
        let (terms, ends, always) = self.terms();
        let relation = relation.with_bound(relation.bound() - always);
        let is_grouped = self.kind != Kind::Literals;
        let terms = if is_grouped { Terms::grouped(&terms, &ends) } else { Terms::new(&terms) };
        let constraint = Constraint::weights(terms, relation);
        Some(with(&enc.plan(&constraint)?, &constraint))
    }

    /// All weights.
    pub fn all(&self) -> Vec<u64> {
        self.weights.concat()
    }
}

/// `n` weights from 1 to `most`.
pub fn weights(n: usize, most: u64, seed: u64) -> Vec<u64> {
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

/// The relations of a bound.
pub fn relations(bound: u64) -> [PbRelation; 3] {
    [PbRelation::AtMost(bound), PbRelation::AtLeast(bound), PbRelation::Exactly(bound)]
}

pub fn shapes() -> Vec<Shape> {
    let groups: Vec<Vec<u64>> = (0..6).map(|group| distinct(4, 12, 10 + group)).collect();
    let middle = groups.iter().map(|group| group[2]).sum();
    let mut shapes = vec![
        Shape::literals("10 of 1..=8", weights(10, 8, 1)),
        Shape::literals("10 of 1..=512", weights(10, 512, 1)),
        Shape::literals("primes 3..=23", vec![3, 5, 7, 11, 13, 17, 19, 23]),
        Shape::literals("40 of 1..=4", weights(40, 4, 2)),
        Shape { name: "6 groups of 4".into(), kind: Kind::Groups, weights: groups, bound: middle },
        Shape {
            name: "6 integers 0..=40".into(),
            kind: Kind::Integers,
            weights: vec![(1..=40).collect(); 6],
            bound: 120,
        },
    ];
    shapes.extend([8, 16, 32, 64].map(|n| Shape::literals(format!("{n} of 1..=8"), weights(n, 8, 3))));
    shapes.extend([8, 64, 512, 4096].map(|most| Shape::literals(format!("8 of 1..={most}"), weights(8, most, 4))));
    shapes
}

/// Shapes that nothing was tuned on.
pub fn held_out_shapes() -> Vec<Shape> {
    let groups: Vec<Vec<u64>> = (0..5).map(|group| distinct(5, 30, 40 + group)).collect();
    let middle = groups.iter().map(|group| group[2]).sum();
    let mut shapes = vec![
        Shape::literals("squares 1..=144", (1..=12).map(|side| side * side).collect()),
        Shape::literals("triangular 1..=105", (1..=14).map(|side| side * (side + 1) / 2).collect()),
        Shape { name: "5 groups of 5".into(), kind: Kind::Groups, weights: groups, bound: middle },
        Shape {
            name: "4 integers 0..=25".into(),
            kind: Kind::Integers,
            weights: vec![(1..=25).collect(); 4],
            bound: 40,
        },
    ];
    let drawn = [(9, 50), (12, 20), (14, 100), (20, 1_000), (24, 16), (36, 10), (48, 6), (72, 3)];
    shapes.extend(drawn.map(|(n, most)| Shape::literals(format!("{n} of 1..={most}"), weights(n, most, 90 + most))));
    shapes
}
