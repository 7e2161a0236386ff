//! Sums that have to be hit exactly.

use cnfkit::{Lit, PbRelation, Relation};

use super::{Family, Instance, Random, Sample, family};

/// Numbers in so many parts of the same sum.
fn partition((n, parts, most): (usize, usize, u64), random: &mut Random) -> Instance {
    let mut numbers = random.weights(n, most / 10, most);
    let over = numbers.iter().sum::<u64>() % parts as u64;
    numbers[0] += (parts as u64 - over) % parts as u64;
    let share = numbers.iter().sum::<u64>() / parts as u64;
    let mut instance = Instance::default();
    let x: Vec<Vec<Lit>> = numbers.iter().map(|_| instance.vars(parts)).collect();
    for number in &x {
        instance.add(Relation::Exactly(1), number.iter().copied());
    }
    for part in 0..parts {
        let terms = x.iter().zip(&numbers).map(|(number, &weight)| (number[part], weight));
        instance.weigh(PbRelation::Exactly(share), terms);
    }
    instance
}

/// Half of every market to each of two companies (Cornuéjols and Dawande, *A Class of Hard Small 0-1 Programs*, IPCO
/// 1998): `rows` sums of which half is asked for, or what a hidden choice has.
fn market_split((n, rows, most): (usize, usize, u64), random: &mut Random) -> Instance {
    let hidden: Vec<bool> = (0..n).map(|_| random.one_in(2)).collect();
    let solvable = random.one_in(2);
    let mut instance = Instance::default();
    let x = instance.vars(n);
    for _ in 0..rows {
        let weights = random.weights(n, 1, most);
        let half = weights.iter().sum::<u64>() / 2;
        let known = weights.iter().zip(&hidden).filter(|(_, in_it)| **in_it).map(|(weight, _)| weight).sum();
        let sum = if solvable { known } else { half };
        instance.weigh(PbRelation::Exactly(sum), x.iter().copied().zip(weights));
    }
    instance
}

/// Random sets of variables of which each has the weight of a hidden choice; in every other instance, one sum is off by
/// one.
fn exact_weights((n, rows, size): (usize, usize, usize), random: &mut Random) -> Instance {
    let hidden: Vec<bool> = (0..n).map(|_| random.one_in(2)).collect();
    let off = random.one_in(2);
    let mut instance = Instance::default();
    let x = instance.vars(n);
    for row in 0..rows {
        let mut set = random.some((0..n).collect(), size);
        set.sort_unstable();
        let terms: Vec<(usize, u64)> = set.into_iter().map(|i| (i, random.weight(1, 6))).collect();
        let sum: u64 = terms.iter().filter(|(i, _)| hidden[*i]).map(|(_, weight)| weight).sum();
        let sum = sum + u64::from(off && row == 0);
        instance.weigh(PbRelation::Exactly(sum), terms.into_iter().map(|(i, weight)| (x[i], weight)));
    }
    instance
}

pub(super) fn families(sample: Sample) -> Vec<Family> {
    vec![
        family(
            "partition",
            sample,
            [[(14, 3, 20), (15, 3, 30), (14, 4, 20)], [(13, 4, 25), (16, 3, 20), (16, 3, 40)]],
            partition,
        ),
        family(
            "market split",
            sample,
            [[(16, 2, 60), (17, 2, 90), (18, 2, 40)], [(16, 2, 90), (17, 3, 40), (18, 2, 70)]],
            market_split,
        ),
        family(
            "exact weights",
            sample,
            [[(36, 10, 13), (40, 12, 13), (44, 12, 14)], [(38, 11, 13), (42, 12, 14), (46, 13, 14)]],
            exact_weights,
        ),
    ]
}
