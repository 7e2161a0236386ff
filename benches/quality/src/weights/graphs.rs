//! Covers, cuts and warehouses.

use cnfkit::{Lit, PbRelation, Relation};
use itertools::Itertools;

use super::climb::{best, bound, weight_of};
use super::{Family, Instance, Random, Sample, family};

/// A cover of a random graph's edges by vertices of a weight as small as the best known, or one less.
fn vertex_cover((n, edges, most): (usize, usize, u64), random: &mut Random) -> Instance {
    let weights = random.weights(n, 1, most);
    let edges = random.some((0..n).tuple_combinations().collect::<Vec<(usize, usize)>>(), edges);
    let covers = |choices: &[usize]| edges.iter().all(|&(a, b)| choices[a] + choices[b] > 0);
    let known = best(n, 2, random, |choices| covers(choices).then(|| -(weight_of(choices, &weights) as i64)));
    let mut instance = Instance::default();
    let x = instance.vars(n);
    for &(a, b) in &edges {
        instance.clauses.push(vec![x[a], x[b]]);
    }
    let most = bound(known.expect("all vertices cover")) - random.below(2) as u64;
    instance.weigh(PbRelation::AtMost(most), x.into_iter().zip(weights));
    instance
}

/// A cover of points by random sets, as cheap as the best known, or cheaper by one.
fn set_cover((points, sets, size): (usize, usize, usize), random: &mut Random) -> Instance {
    let members: Vec<Vec<usize>> = (0..sets).map(|_| random.some((0..points).collect(), size)).collect();
    let costs: Vec<u64> = (0..sets).map(|_| random.weight(5, 30)).collect();
    let covered = |point: usize| (0..sets).filter(|&set| members[set].contains(&point)).collect::<Vec<_>>();
    let covers: Vec<Vec<usize>> = (0..points).map(covered).filter(|covers| !covers.is_empty()).collect();
    let all = |choices: &[usize]| covers.iter().all(|covers| covers.iter().any(|&set| choices[set] > 0));
    let known = best(sets, 2, random, |choices| all(choices).then(|| -(weight_of(choices, &costs) as i64)));
    let mut instance = Instance::default();
    let x = instance.vars(sets);
    for covers in &covers {
        instance.clauses.push(covers.iter().map(|&set| x[set]).collect());
    }
    let most = bound(known.expect("all sets cover")) - random.below(2) as u64;
    instance.weigh(PbRelation::AtMost(most), x.into_iter().zip(costs));
    instance
}

/// Two sides of a graph whose edges between them weigh as much as known to be possible, or one more.
fn max_cut((n, edges, most): (usize, usize, u64), random: &mut Random) -> Instance {
    let edges = random.some((0..n).tuple_combinations().collect::<Vec<(usize, usize)>>(), edges);
    let weights = random.weights(edges.len(), 1, most);
    let cut = |choices: &[usize]| {
        let across = edges.iter().zip(&weights).filter(|((a, b), _)| choices[*a] != choices[*b]);
        Some(across.map(|(_, &weight)| weight as i64).sum())
    };
    let known = best(n, 2, random, cut);
    let mut instance = Instance::default();
    let side = instance.vars(n);
    let crossing = instance.vars(edges.len());
    for (&(a, b), &crosses) in edges.iter().zip(&crossing) {
        instance.clauses.push(vec![!crosses, side[a], side[b]]);
        instance.clauses.push(vec![!crosses, !side[a], !side[b]]);
    }
    instance.clauses.push(vec![side[0]]);
    let least = bound(known.expect("every cut counts")) + random.below(2) as u64;
    instance.weigh(PbRelation::AtLeast(least), crossing.into_iter().zip(weights));
    instance
}

/// Warehouses to open, and one for each shop, where distances are in metres: all for as much as the best known plan, or
/// a little less.
fn warehouses((shops, places, most): (usize, usize, u64), random: &mut Random) -> Instance {
    let opening = random.weights(places, most, 2 * most);
    let distances: Vec<Vec<u64>> = (0..shops).map(|_| random.weights(places, most / 10, most)).collect();
    let cost = |choices: &[usize]| {
        let opened: u64 = (0..places).filter(|place| choices.contains(place)).map(|place| opening[place]).sum();
        let ways: u64 = choices.iter().zip(&distances).map(|(&place, distances)| distances[place]).sum();
        Some(-((opened + ways) as i64))
    };
    let known = best(shops, places, random, cost);
    let mut instance = Instance::default();
    let open = instance.vars(places);
    let serves: Vec<Vec<Lit>> = (0..shops).map(|_| instance.vars(places)).collect();
    let mut terms: Vec<(Lit, u64)> = open.iter().copied().zip(opening.iter().copied()).collect();
    for (serves, distances) in serves.iter().zip(&distances) {
        instance.add(Relation::Exactly(1), serves.iter().copied());
        for (&serves, &open) in serves.iter().zip(&open) {
            instance.clauses.push(vec![!serves, open]);
        }
        terms.extend(serves.iter().copied().zip(distances.iter().copied()));
    }
    let most = bound(known.expect("every plan costs something")) - random.below(2) as u64;
    instance.weigh(PbRelation::AtMost(most), terms);
    instance
}

pub(super) fn families(sample: Sample) -> Vec<Family> {
    vec![
        family(
            "weighted cover",
            sample,
            [[(44, 100, 20), (48, 110, 12), (50, 115, 30)], [(46, 105, 16), (49, 112, 25), (52, 120, 10)]],
            vertex_cover,
        ),
        family(
            "set cover",
            sample,
            [[(55, 36, 7), (60, 38, 7), (60, 40, 8)], [(55, 38, 7), (60, 40, 7), (65, 42, 7)]],
            set_cover,
        ),
        family(
            "weighted cut",
            sample,
            [[(16, 44, 20), (17, 46, 10), (18, 48, 30)], [(16, 48, 15), (17, 44, 25), (19, 50, 20)]],
            max_cut,
        ),
        family(
            "warehouses",
            sample,
            [[(11, 5, 200), (12, 5, 300), (11, 6, 150)], [(12, 6, 200), (13, 5, 250), (12, 5, 400)]],
            warehouses,
        ),
    ]
}
