//! Tasks in time, people on shifts, assets in a portfolio.

use cnfkit::{Lit, PbRelation, Relation};

use super::climb::{best, bound, weight_of};
use super::{Family, Instance, Random, Sample, family};

/// Tasks that last a while and need some of one resource all that time; a few come after others; the end is where the
/// resource would be used up but for so many percent.
fn schedule((tasks, capacity, percent): (usize, u64, u64), random: &mut Random) -> Instance {
    let lasts: Vec<usize> = (0..tasks).map(|_| 1 + random.below(4)).collect();
    let needs = random.weights(tasks, 1, capacity * 2 / 3);
    let work: u64 = lasts.iter().zip(&needs).map(|(&lasts, needs)| lasts as u64 * needs).sum();
    let end = usize::try_from((work * (100 + percent)).div_ceil(100 * capacity)).expect("soon").max(5);
    let mut instance = Instance::default();
    let starts: Vec<Vec<Lit>> = lasts.iter().map(|&lasts| instance.vars(end + 1 - lasts)).collect();
    for starts in &starts {
        instance.add(Relation::Exactly(1), starts.iter().copied());
    }
    for time in 0..end {
        let mut running = Vec::new();
        for (task, starts) in starts.iter().enumerate() {
            let now = (time + 1).saturating_sub(lasts[task])..=time.min(starts.len() - 1);
            running.extend(now.map(|start| (starts[start], needs[task])));
        }
        instance.weigh(PbRelation::AtMost(capacity), running);
    }
    for _ in 0..tasks / 3 {
        let (first, then) = (random.below(tasks), random.below(tasks));
        // Earlier ones first: no circle.
        if first < then {
            for (start, &lit) in starts[first].iter().enumerate() {
                let later = starts[then].iter().skip(start + lasts[first]);
                instance.clauses.push(std::iter::once(!lit).chain(later.copied()).collect());
            }
        }
    }
    instance
}

/// A week of shifts of different hours: everybody works about what the contract says, and every shift has people of
/// enough experience together.
fn hours((people, needed, contract): (usize, u64, (u64, u64)), random: &mut Random) -> Instance {
    const DAYS: usize = 7;
    const HOURS: [u64; 4] = [8, 10, 6, 4];
    let experience = random.weights(people, 1, 5);
    let mut instance = Instance::default();
    let works: Vec<Vec<Vec<Lit>>> =
        (0..people).map(|_| (0..DAYS).map(|_| instance.vars(HOURS.len())).collect()).collect();
    for (day, shift) in (0..DAYS).flat_map(|day| (0..HOURS.len()).map(move |shift| (day, shift))) {
        let at_work = works.iter().zip(&experience).map(|(person, &experience)| (person[day][shift], experience));
        let least = needed * experience.iter().sum::<u64>() / (10 * HOURS.len() as u64);
        instance.weigh(PbRelation::AtLeast(least.max(2)), at_work);
    }
    for person in &works {
        for day in person {
            instance.add(Relation::AtMost(1), day.iter().copied());
        }
        for days in person.windows(2) {
            instance.clauses.push(vec![!days[0][1], !days[1][0]]);
        }
        let week = || person.iter().flat_map(|day| day.iter().copied().zip(HOURS));
        instance.weigh(PbRelation::AtMost(contract.1), week());
        instance.weigh(PbRelation::AtLeast(contract.0), week());
        // A day off that was asked for.
        let day = random.below(DAYS);
        instance.clauses.extend(person[day].iter().map(|&lit| vec![!lit]));
    }
    instance
}

/// Assets of a price and a yield within a budget, limits by sector and a limit on risk, at most so many of them; they
/// yield as much as known to be possible, or one more.
fn portfolio((assets, sectors, most): (usize, usize, u64), random: &mut Random) -> Instance {
    let prices = random.weights(assets, 5, most);
    let yields: Vec<u64> = prices.iter().map(|price| price / 2 + random.weight(1, most / 3)).collect();
    let risks = random.weights(assets, 1, 20);
    let sector: Vec<usize> = (0..assets).map(|_| random.below(sectors)).collect();
    let budget = prices.iter().sum::<u64>() * 2 / 5;
    let limit = budget / sectors as u64 * 3 / 2;
    let risk = risks.iter().sum::<u64>() * 2 / 5;
    let count = assets / 2;
    let of = |choices: &[usize], group: usize| {
        (0..assets)
            .filter(|&asset| choices[asset] > 0 && sector[asset] == group)
            .map(|asset| prices[asset])
            .sum::<u64>()
    };
    let allowed = |choices: &[usize]| {
        weight_of(choices, &prices) <= budget
            && weight_of(choices, &risks) <= risk
            && choices.iter().sum::<usize>() <= count
            && (0..sectors).all(|group| of(choices, group) <= limit)
    };
    let known = best(assets, 2, random, |choices| allowed(choices).then(|| weight_of(choices, &yields) as i64));
    let mut instance = Instance::default();
    let x = instance.vars(assets);
    let all = |weights: &[u64]| -> Vec<(Lit, u64)> { x.iter().copied().zip(weights.iter().copied()).collect() };
    instance.weigh(PbRelation::AtMost(budget), all(&prices));
    instance.weigh(PbRelation::AtMost(risk), all(&risks));
    for group in 0..sectors {
        let terms = all(&prices).into_iter().zip(&sector).filter(|(_, sector)| **sector == group).map(|(term, _)| term);
        instance.weigh(PbRelation::AtMost(limit), terms);
    }
    instance.add(Relation::AtMost(count), x.iter().copied());
    let least = bound(known.expect("nothing is allowed")) + random.below(2) as u64;
    instance.weigh(PbRelation::AtLeast(least), all(&yields));
    instance
}

pub(super) fn families(sample: Sample) -> Vec<Family> {
    vec![
        family(
            "schedule",
            sample,
            [[(11, 6, 5), (12, 7, 6), (13, 8, 4)], [(11, 7, 4), (12, 6, 6), (14, 8, 5)]],
            schedule,
        ),
        family(
            "hours",
            sample,
            [
                [(8, 9, (31, 33)), (9, 9, (33, 35)), (10, 9, (29, 31))],
                [(8, 9, (33, 35)), (9, 9, (31, 33)), (11, 9, (33, 35))],
            ],
            hours,
        ),
        family(
            "portfolio",
            sample,
            [[(20, 3, 40), (22, 4, 50), (24, 4, 30)], [(21, 3, 60), (23, 4, 40), (26, 5, 30)]],
            portfolio,
        ),
    ]
}
