//! Families that were not there when encodings and orders were chosen: they show how far the choices carry.

use cnfkit::{Lit, Relation};
use itertools::Itertools;

use super::families::{Family, Instance, Random, Sample, family};

/// Events of which as many as there are rooms fit into a time slot; lecturers and groups of students are at one place
/// at a time, and some events shun some slots.
fn timetable((slots, rooms, lecturers): (usize, usize, usize), random: &mut Random) -> Instance {
    let mut instance = Instance::default();
    let events: Vec<Vec<Lit>> = (0..slots * rooms).map(|_| instance.vars(slots)).collect();
    for event in &events {
        instance.add(Relation::Exactly(1), event.iter().copied());
        for _ in 0..slots / 3 {
            instance.clauses.push(vec![!event[random.below(slots)]]);
        }
    }
    for slot in 0..slots {
        instance.add(Relation::AtMost(rooms), events.iter().map(|event| event[slot]));
    }
    let by: Vec<usize> = events.iter().map(|_| random.below(lecturers)).collect();
    for lecturer in 0..lecturers {
        for slot in 0..slots {
            let own = events.iter().zip(&by).filter(|&(_, &by)| by == lecturer).map(|(event, _)| event[slot]);
            instance.add(Relation::AtMost(1), own);
        }
    }
    for _ in 0..2 * slots {
        let (a, b) = (random.below(events.len()), random.below(events.len()));
        if a != b {
            instance.clauses.extend(events[a].iter().zip(&events[b]).map(|(&a, &b)| vec![!a, !b]));
        }
    }
    instance
}

/// Sums along the lines of a rectangle in its first directions: rows, columns, one diagonal, the other; some cells are
/// missing.
fn grid((rows, columns, directions, missing): (usize, usize, usize, usize), random: &mut Random) -> Instance {
    let mut instance = Instance::default();
    let mut cells = (0..rows).cartesian_product(0..columns).collect::<Vec<_>>();
    for _ in 0..missing {
        cells.remove(random.below(cells.len()));
    }
    let x = instance.vars(cells.len());
    let hidden: Vec<bool> = cells.iter().map(|_| random.one_in(2)).collect();
    let line: [fn(usize, usize, usize) -> usize; 4] = [
        |row, _, _| row,
        |_, column, _| column,
        |row, column, _| row + column,
        |row, column, rows| rows + column - row,
    ];
    for line in &line[..directions] {
        for number in 0..rows + columns {
            let on: Vec<usize> =
                (0..cells.len()).filter(|&at| line(cells[at].0, cells[at].1, rows) == number).collect();
            if !on.is_empty() {
                let k = on.iter().filter(|&&at| hidden[at]).count();
                instance.add(Relation::Exactly(k), on.iter().map(|&at| x[at]));
            }
        }
    }
    instance
}

/// Cars of several models on a line; of the cars in any few places that follow each other only some may have an option.
fn car_sequencing((cars, models, options): (usize, usize, usize), random: &mut Random) -> Instance {
    let mut instance = Instance::default();
    let line: Vec<Vec<Lit>> = (0..cars).map(|_| instance.vars(models)).collect();
    let mut demand = vec![0; models];
    (0..cars).for_each(|_| demand[random.below(models)] += 1);
    for place in &line {
        instance.add(Relation::Exactly(1), place.iter().copied());
    }
    for (model, &demand) in demand.iter().enumerate() {
        instance.add(Relation::Exactly(demand), line.iter().map(|place| place[model]));
    }
    for _ in 0..options {
        let with: Vec<usize> = (0..models).filter(|_| random.below(5) < 2).collect();
        let some: usize = with.iter().map(|&model| demand[model]).sum();
        // As tight as the demand allows.
        let window = 3 + random.below(4);
        let most = (some * window).div_ceil(cars).clamp(1, window - 1);
        for places in line.windows(window) {
            instance
                .add(Relation::AtMost(most), places.iter().flat_map(|place| with.iter().map(|&model| place[model])));
        }
    }
    instance
}

/// At most `open` of some places serve all others that are near them, each at most so many.
fn p_median((places, open, most): (usize, usize, usize), random: &mut Random) -> Instance {
    const SIDE: usize = 100;
    let mut instance = Instance::default();
    let at: Vec<(usize, usize)> = (0..places).map(|_| (random.below(SIDE), random.below(SIDE))).collect();
    let is_open = instance.vars(places);
    let mut served: Vec<Vec<Lit>> = vec![Vec::new(); places];
    for &(x, y) in &at {
        let near = (0..places).sorted_by_key(|&other| at[other].0.abs_diff(x).pow(2) + at[other].1.abs_diff(y).pow(2));
        let choices: Vec<Lit> = near
            .take(6)
            .map(|other| {
                let lit = instance.vars(1)[0];
                instance.clauses.push(vec![!lit, is_open[other]]);
                served[other].push(lit);
                lit
            })
            .collect();
        instance.add(Relation::Exactly(1), choices);
    }
    for clients in served {
        instance.add(Relation::AtMost(most), clients);
    }
    instance.add(Relation::AtMost(open), is_open);
    instance
}

/// At least so many words of `weight` ones in `n` bits, of which any two share at most `shared` ones; some words are
/// missing.
fn code((n, weight, shared, words): (usize, usize, usize, usize), random: &mut Random) -> Instance {
    let mut instance = Instance::default();
    let mut sets: Vec<Vec<usize>> = (0..n).combinations(weight).collect();
    sets.retain(|_| !random.one_in(6));
    let x = instance.vars(sets.len());
    for ((a, &first), (b, &second)) in sets.iter().zip(&x).tuple_combinations() {
        if a.iter().filter(|bit| b.contains(bit)).count() > shared {
            instance.clauses.push(vec![!first, !second]);
        }
    }
    instance.add(Relation::AtLeast(words), x);
    instance
}

/// Triples of `v` points such that any two points are in exactly one; some triples are missing.
fn steiner((v, percent): (usize, usize), random: &mut Random) -> Instance {
    let mut instance = Instance::default();
    let mut triples: Vec<Vec<usize>> = (0..v).combinations(3).collect();
    triples.retain(|_| random.below(100) >= percent);
    let x = instance.vars(triples.len());
    for (a, b) in (0..v).tuple_combinations() {
        let with = triples.iter().zip(&x).filter(|(triple, _)| triple.contains(&a) && triple.contains(&b));
        instance.add(Relation::Exactly(1), with.map(|(_, &lit)| lit));
    }
    instance
}

/// Items of several kinds in bins that they fill: at most two of a kind in a bin, and some pairs apart.
fn bins((bins, room, kinds): (usize, usize, usize), random: &mut Random) -> Instance {
    let mut instance = Instance::default();
    let items: Vec<Vec<Lit>> = (0..bins * room).map(|_| instance.vars(bins)).collect();
    let kind: Vec<usize> = items.iter().map(|_| random.below(kinds)).collect();
    for item in &items {
        instance.add(Relation::Exactly(1), item.iter().copied());
    }
    for bin in 0..bins {
        instance.add(Relation::AtMost(room), items.iter().map(|item| item[bin]));
        for of in 0..kinds {
            let alike = items.iter().zip(&kind).filter(|&(_, &kind)| kind == of).map(|(item, _)| item[bin]);
            instance.add(Relation::AtMost(2), alike);
        }
    }
    for (a, b) in (0..items.len()).tuple_combinations() {
        if random.one_in(3) {
            instance.clauses.extend(items[a].iter().zip(&items[b]).map(|(&a, &b)| vec![!a, !b]));
        }
    }
    instance
}

/// The vertices of a random graph in a row, neighbours at most `width` places apart.
fn bandwidth((n, edges, width): (usize, usize, usize), random: &mut Random) -> Instance {
    let mut instance = Instance::default();
    let place: Vec<Vec<Lit>> = (0..n).map(|_| instance.vars(n)).collect();
    for i in 0..n {
        instance.add(Relation::Exactly(1), place[i].iter().copied());
        instance.add(Relation::Exactly(1), place.iter().map(|vertex| vertex[i]));
    }
    for (a, b) in random.some((0..n).tuple_combinations().collect(), edges) {
        for (one, other) in [(a, b), (b, a)] {
            for at in 0..n {
                let near = (0..n).filter(|&to| to.abs_diff(at) <= width).map(|to| place[other][to]);
                instance.clauses.push(std::iter::once(!place[one][at]).chain(near).collect());
            }
        }
    }
    instance
}

/// Half of the vertices of a random graph, such that at most `cut` edges lead out.
fn bisection((n, edges, cut): (usize, usize, usize), random: &mut Random) -> Instance {
    let mut instance = Instance::default();
    let side = instance.vars(n);
    let mut crossing = Vec::new();
    // Most edges are between neighbours in a ring, so that there is something to find.
    for _ in 0..edges {
        let a = random.below(n);
        let b = if random.one_in(5) { random.below(n) } else { (a + 1 + random.below(4)) % n };
        if a != b {
            let lit = instance.vars(1)[0];
            instance.clauses.push(vec![!side[a], side[b], lit]);
            instance.clauses.push(vec![side[a], !side[b], lit]);
            crossing.push(lit);
        }
    }
    instance.add(Relation::Exactly(n / 2), side);
    instance.add(Relation::AtMost(cut), crossing);
    instance
}

/// All of them, the same every time.
pub(crate) fn more_families(sample: Sample) -> Vec<Family> {
    vec![
        family(
            "timetable",
            sample,
            [[(8, 3, 5), (9, 4, 7), (10, 4, 8)], [(8, 4, 7), (9, 3, 6), (11, 4, 9)]],
            timetable,
        ),
        family(
            "cars",
            sample,
            [[(18, 5, 5), (22, 6, 5), (24, 6, 6)], [(20, 5, 5), (21, 6, 6), (25, 7, 5)]],
            car_sequencing,
        ),
        family(
            "p-median",
            sample,
            [[(20, 5, 4), (24, 6, 4), (28, 7, 4)], [(25, 5, 5), (30, 6, 5), (32, 8, 4)]],
            p_median,
        ),
        family(
            "code",
            sample,
            [[(8, 4, 2, 12), (7, 3, 1, 7), (9, 3, 1, 11)], [(8, 3, 1, 8), (9, 4, 2, 14), (10, 3, 1, 12)]],
            code,
        ),
        family(
            "grid",
            sample,
            [[(10, 24, 4, 0), (15, 15, 3, 0), (15, 15, 4, 30)], [(14, 18, 4, 0), (12, 20, 3, 0), (14, 16, 4, 20)]],
            grid,
        ),
        family("Steiner", sample, [[(13, 40), (15, 40), (15, 50)], [(13, 45), (15, 45), (19, 50)]], steiner),
        family("bins", sample, [[(5, 5, 9), (6, 5, 10), (6, 6, 12)], [(5, 6, 10), (7, 5, 12), (6, 7, 14)]], bins),
        family(
            "bandwidth",
            sample,
            [[(11, 18, 3), (12, 20, 3), (13, 21, 3)], [(11, 19, 3), (12, 19, 3), (14, 22, 3)]],
            bandwidth,
        ),
        family(
            "bisection",
            sample,
            [[(24, 60, 7), (28, 66, 8), (30, 72, 8)], [(26, 64, 7), (30, 70, 8), (32, 76, 9)]],
            bisection,
        ),
    ]
}
