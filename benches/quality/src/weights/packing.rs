//! Items in knapsacks, jobs at agents, items in bins.

use cnfkit::{Lit, PbRelation, Relation};

use super::climb::{best, bound, weight_of};
use super::{Family, Instance, Random, Sample, family};

/// Items of `rows` weights each, half of which fit, worth as much as the best known choice, or one more.
fn knapsacks((n, rows, most): (usize, usize, u64), random: &mut Random) -> Instance {
    let weights: Vec<Vec<u64>> = (0..rows).map(|_| random.weights(n, 1, most)).collect();
    let values: Vec<u64> = (0..n)
        .map(|item| weights.iter().map(|row| row[item]).sum::<u64>() / rows as u64 + random.weight(1, most / 2))
        .collect();
    let capacities: Vec<u64> = weights.iter().map(|row| row.iter().sum::<u64>() / 2).collect();
    let fits =
        |choices: &[usize]| weights.iter().zip(&capacities).all(|(row, &capacity)| weight_of(choices, row) <= capacity);
    let known = best(n, 2, random, |choices| fits(choices).then(|| weight_of(choices, &values) as i64));
    let mut instance = Instance::default();
    let x = instance.vars(n);
    for (row, &capacity) in weights.iter().zip(&capacities) {
        instance.weigh(PbRelation::AtMost(capacity), x.iter().copied().zip(row.iter().copied()));
    }
    let target = bound(known.expect("nothing always fits")) + random.below(2) as u64;
    instance.weigh(PbRelation::AtLeast(target), x.into_iter().zip(values));
    instance
}

/// Knapsacks of which each item may be taken up to seven times: numbers of three bits.
fn many_of_each((n, rows, most): (usize, usize, u64), random: &mut Random) -> Instance {
    const MOST: usize = 8;
    let weights: Vec<Vec<u64>> = (0..rows).map(|_| random.weights(n, most / 4, most)).collect();
    let values: Vec<u64> = (0..n)
        .map(|item| weights.iter().map(|row| row[item]).sum::<u64>() / rows as u64 + random.weight(1, most / 8))
        .collect();
    let capacities: Vec<u64> = weights.iter().map(|row| row.iter().sum::<u64>() * 5 / 2 + 1).collect();
    let of = |choices: &[usize], row: &[u64]| choices.iter().zip(row).map(|(&c, w)| c as u64 * w).sum::<u64>();
    let fits = |choices: &[usize]| weights.iter().zip(&capacities).all(|(row, &capacity)| of(choices, row) <= capacity);
    let known = best(n, MOST, random, |choices| fits(choices).then(|| of(choices, &values) as i64));
    let mut instance = Instance::default();
    let bits: Vec<Vec<Lit>> = (0..n).map(|_| instance.vars(3)).collect();
    let terms = |row: &[u64]| -> Vec<(Lit, u64)> {
        bits.iter()
            .zip(row)
            .flat_map(|(bits, &weight)| bits.iter().zip(0..).map(move |(&lit, bit)| (lit, weight << bit)))
            .collect()
    };
    for (row, &capacity) in weights.iter().zip(&capacities) {
        instance.weigh(PbRelation::AtMost(capacity), terms(row));
    }
    let target = bound(known.expect("nothing always fits")) + random.below(2) as u64;
    instance.weigh(PbRelation::AtLeast(target), terms(&values));
    instance
}

/// Generalised assignment: each job to one agent, whose time for it is its own; agents have so many percent of the
/// time that all jobs would take if shared evenly, and the whole may cost as much as the best known, or one less.
fn assignment((jobs, agents, percent): (usize, usize, u64), random: &mut Random) -> Instance {
    let times: Vec<Vec<u64>> = (0..agents).map(|_| random.weights(jobs, 5, 25)).collect();
    let costs: Vec<Vec<u64>> = (0..agents).map(|_| random.weights(jobs, 10, 50)).collect();
    let capacity: Vec<u64> =
        times.iter().map(|times| times.iter().sum::<u64>() * percent / 100 / agents as u64).collect();
    let score = |choices: &[usize]| {
        let load = |agent: usize| (0..jobs).filter(|&job| choices[job] == agent).map(|job| times[agent][job]).sum();
        let fits = (0..agents).all(|agent| {
            let load: u64 = load(agent);
            load <= capacity[agent]
        });
        let cost: u64 = choices.iter().enumerate().map(|(job, &agent)| costs[agent][job]).sum();
        fits.then_some(-(cost as i64))
    };
    let known = best(jobs, agents, random, score).unwrap_or(-(15 * jobs as i64));
    let mut instance = Instance::default();
    let x: Vec<Vec<Lit>> = (0..jobs).map(|_| instance.vars(agents)).collect();
    for job in &x {
        instance.add(Relation::Exactly(1), job.iter().copied());
    }
    for agent in 0..agents {
        let load = x.iter().zip(&times[agent]).map(|(job, &time)| (job[agent], time));
        instance.weigh(PbRelation::AtMost(capacity[agent]), load);
    }
    let all =
        x.iter().enumerate().flat_map(|(job, lits)| lits.iter().zip(0..).map(move |(&lit, agent)| (job, lit, agent)));
    let cost: Vec<(Lit, u64)> = all.map(|(job, lit, agent): (usize, Lit, usize)| (lit, costs[agent][job])).collect();
    instance.weigh(PbRelation::AtMost(bound(known) - random.below(2) as u64), cost);
    instance
}

/// Items in bins that all together have just so much room to spare.
fn bins((items, bins, spare): (usize, usize, u64), random: &mut Random) -> Instance {
    let sizes = random.weights(items, 20, 60);
    let capacity = (sizes.iter().sum::<u64>() + spare).div_ceil(bins as u64);
    let mut instance = Instance::default();
    let x: Vec<Vec<Lit>> = (0..items).map(|_| instance.vars(bins)).collect();
    for item in &x {
        instance.add(Relation::Exactly(1), item.iter().copied());
    }
    for bin in 0..bins {
        instance.weigh(PbRelation::AtMost(capacity), x.iter().zip(&sizes).map(|(item, &size)| (item[bin], size)));
    }
    instance
}

pub(super) fn families(sample: Sample) -> Vec<Family> {
    vec![
        family(
            "knapsacks",
            sample,
            [[(18, 3, 20), (20, 4, 30), (22, 3, 15)], [(19, 4, 25), (21, 3, 20), (20, 5, 20)]],
            knapsacks,
        ),
        family(
            "many of each",
            sample,
            [[(8, 2, 50), (9, 2, 40), (8, 3, 60)], [(8, 3, 40), (9, 2, 60), (10, 2, 40)]],
            many_of_each,
        ),
        family(
            "assignment",
            sample,
            [[(11, 3, 90), (12, 3, 85), (11, 4, 90)], [(10, 4, 85), (13, 3, 90), (12, 4, 85)]],
            assignment,
        ),
        family(
            "bins by size",
            sample,
            [[(12, 3, 2), (13, 3, 1), (12, 4, 6)], [(11, 4, 5), (14, 3, 1), (13, 4, 4)]],
            bins,
        ),
    ]
}
