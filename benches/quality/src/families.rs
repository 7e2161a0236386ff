//! Instances made of cardinality constraints and weighted sums, and families of the former, generated from seeds.

use clap::ValueEnum;
use cnfkit::{Lit, PbRelation, Relation};
use itertools::Itertools;

/// A cardinality constraint.
#[derive(Clone, Debug)]
pub(crate) struct Card {
    pub(crate) relation: Relation,
    pub(crate) lits: Vec<Lit>,
}

impl Card {
    /// At most or exactly one.
    pub(crate) fn is_one(&self) -> bool {
        matches!(self.relation, Relation::AtMost(1) | Relation::Exactly(1))
    }
}

/// A constraint on a sum of weights.
#[derive(Clone, Debug)]
pub(crate) struct Sum {
    pub(crate) relation: PbRelation,
    pub(crate) terms: Vec<(Lit, u64)>,
}

/// A formula with constraints not yet encoded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Instance {
    pub(crate) n_vars: usize,
    pub(crate) clauses: Vec<Vec<Lit>>,
    pub(crate) cards: Vec<Card>,
    pub(crate) sums: Vec<Sum>,
}

impl Instance {
    pub(crate) fn vars(&mut self, n: usize) -> Vec<Lit> {
        let first = self.n_vars;
        self.n_vars += n;
        (first..self.n_vars).map(|var| Lit::positive(u32::try_from(var).expect("few variables"))).collect()
    }

    pub(crate) fn add(&mut self, relation: Relation, lits: impl IntoIterator<Item = Lit>) {
        self.cards.push(Card { relation, lits: lits.into_iter().collect() });
    }

    /// A constraint by weight.
    pub(crate) fn weigh(&mut self, relation: PbRelation, terms: impl IntoIterator<Item = (Lit, u64)>) {
        self.sums.push(Sum { relation, terms: terms.into_iter().collect() });
    }

    /// This instance with the literals of every constraint in an order of their own.
    pub(crate) fn shuffled(&self, seed: u64) -> Self {
        let mut random = Random(seed);
        let mut shuffled = self.clone();
        shuffled.cards.iter_mut().for_each(|card| random.shuffle(&mut card.lits));
        shuffled.sums.iter_mut().for_each(|sum| random.shuffle(&mut sum.terms));
        shuffled
    }
}

impl Instance {
    /// This instance with other numbers for its variables, and everything listed in another order.
    pub(crate) fn renumbered(&self, seed: u64) -> Self {
        let mut random = Random(seed);
        let mut to: Vec<Lit> = Self::default().vars(self.n_vars);
        random.shuffle(&mut to);
        let mut renumbered = self.clone();
        let number = |lit: &mut Lit| *lit = to[lit.vidx()].var().lit(lit.is_neg());
        let lits = renumbered.clauses.iter_mut().chain(renumbered.cards.iter_mut().map(|card| &mut card.lits));
        for lits in lits {
            lits.iter_mut().for_each(number);
            random.shuffle(lits);
        }
        for sum in &mut renumbered.sums {
            sum.terms.iter_mut().for_each(|(lit, _)| number(lit));
            random.shuffle(&mut sum.terms);
        }
        random.shuffle(&mut renumbered.clauses);
        random.shuffle(&mut renumbered.cards);
        random.shuffle(&mut renumbered.sums);
        renumbered
    }
}

/// `SplitMix64` (Steele, Lea and Flood 2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        usize::try_from((u128::from(self.next()) * n as u128) >> 64).expect("below n")
    }

    /// True once in `n` times.
    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }

    pub(crate) fn some<T>(&mut self, mut items: Vec<T>, n: usize) -> Vec<T> {
        self.shuffle(&mut items);
        items.truncate(n);
        items
    }
}

/// Holes with `places` places together, at least `least` each, and one pigeon too many; some pigeons shun a hole.
/// Unsatisfiable.
fn pigeonhole((holes, places, least): (usize, usize, usize), random: &mut Random) -> Instance {
    let mut capacity = vec![least; holes];
    (0..places - least * holes).for_each(|_| capacity[random.below(holes)] += 1);
    let mut instance = Instance::default();
    let pigeons: Vec<Vec<Lit>> = (0..=places).map(|_| instance.vars(holes)).collect();
    for pigeon in &pigeons {
        instance.clauses.push(pigeon.clone());
        if random.one_in(4) {
            instance.clauses.push(vec![!pigeon[random.below(holes)]]);
        }
    }
    for (hole, capacity) in capacity.into_iter().enumerate() {
        instance.add(Relation::AtMost(capacity), pigeons.iter().map(|pigeon| pigeon[hole]));
    }
    instance
}

/// A cover of a random graph's edges by at most `k` vertices.
fn vertex_cover((n, edges, k): (usize, usize, usize), random: &mut Random) -> Instance {
    let mut instance = Instance::default();
    let x = instance.vars(n);
    for (a, b) in random.some((0..n).tuple_combinations().collect(), edges) {
        instance.clauses.push(vec![x[a], x[b]]);
    }
    instance.add(Relation::AtMost(k), x);
    instance
}

/// At most `k` queens that attack every square of a board, of which some squares are missing.
fn domination((rows, columns, k): (usize, usize, usize), random: &mut Random) -> Instance {
    let mut instance = Instance::default();
    let mut squares: Vec<(usize, usize)> = (0..rows).cartesian_product(0..columns).collect();
    squares.retain(|_| !random.one_in(12));
    let x = instance.vars(squares.len());
    for &(r, c) in &squares {
        let attacks =
            |&(row, column): &(usize, usize)| r == row || c == column || r.abs_diff(row) == c.abs_diff(column);
        instance
            .clauses
            .push(squares.iter().zip(&x).filter(|(square, _)| attacks(square)).map(|(_, &lit)| lit).collect());
    }
    instance.add(Relation::AtMost(k), x);
    instance
}

/// Random sets of `size` variables of which exactly as many are true as in a hidden assignment; or, when `wrong`, one
/// more in one set and one less in another.
fn exact_system((n, rows, size, wrong): (usize, usize, usize, bool), random: &mut Random) -> Instance {
    let mut instance = Instance::default();
    let x = instance.vars(n);
    let hidden: Vec<bool> = (0..n).map(|_| random.one_in(2)).collect();
    for _ in 0..rows {
        let mut set = random.some((0..n).collect(), size);
        set.sort_unstable();
        let k = set.iter().filter(|&&i| hidden[i]).count();
        instance.add(Relation::Exactly(k), set.iter().map(|&i| x[i]));
    }
    if wrong {
        spoil(&mut instance);
    }
    instance
}

/// Makes the last sum that has room for it larger, and the one before smaller.
fn spoil(instance: &mut Instance) {
    let mut roomy =
        instance.cards.iter_mut().rev().filter(|card| (1..card.lits.len()).contains(&card.relation.bound()));
    if let (Some(last), Some(before)) = (roomy.next(), roomy.next()) {
        last.relation = last.relation.with_bound(last.relation.bound() + 1);
        before.relation = before.relation.with_bound(before.relation.bound() - 1);
    }
}

/// A picture from the sums of its rows, columns and diagonals.
fn tomography(side: usize, random: &mut Random) -> Instance {
    let mut instance = Instance::default();
    let x = instance.vars(side * side);
    let hidden: Vec<bool> = (0..side * side).map(|_| random.one_in(2)).collect();
    let key: [fn(usize, usize, usize) -> usize; 4] =
        [|r, _, _| r, |_, c, _| c, |r, c, _| r + c, |r, c, side| r + side - 1 - c];
    for key in key {
        for line in 0..2 * side - 1 {
            let cells: Vec<usize> = (0..side * side).filter(|&i| key(i / side, i % side, side) == line).collect();
            if !cells.is_empty() {
                let k = cells.iter().filter(|&&i| hidden[i]).count();
                instance.add(Relation::Exactly(k), cells.iter().map(|&i| x[i]));
            }
        }
    }
    instance
}

/// A roster: every shift staffed, one shift a day, rest after the last shift, and each person's load within bounds.
fn rostering((people, demand, load): (usize, [usize; 3], (usize, usize)), random: &mut Random) -> Instance {
    const DAYS: usize = 14;
    let mut instance = Instance::default();
    let works: Vec<Vec<Vec<Lit>>> =
        (0..people).map(|_| (0..DAYS).map(|_| instance.vars(demand.len())).collect()).collect();
    for day in 0..DAYS {
        for (shift, &needed) in demand.iter().enumerate() {
            instance.add(Relation::AtLeast(needed), works.iter().map(|person| person[day][shift]));
        }
    }
    for person in &works {
        for day in person {
            instance.add(Relation::AtMost(1), day.iter().copied());
        }
        for (today, tomorrow) in person.iter().tuple_windows() {
            instance.clauses.push(vec![!today[demand.len() - 1], !tomorrow[0]]);
        }
        instance.add(Relation::AtMost(load.1), person.iter().flatten().copied());
        instance.add(Relation::AtLeast(load.0), person.iter().flatten().copied());
        for week in person.windows(7) {
            instance.add(Relation::AtMost(5), week.iter().flatten().copied());
        }
        // Days off that were asked for.
        for _ in 0..DAYS / 4 {
            instance.clauses.extend(person[random.below(DAYS)].iter().map(|&lit| vec![!lit]));
        }
    }
    instance
}

/// `groups` groups of `size` golfers for `weeks` weeks, no two of them together twice, some never.
fn social_golfer((groups, size, weeks): (usize, usize, usize), random: &mut Random) -> Instance {
    let mut instance = Instance::default();
    let players = groups * size;
    let x: Vec<Vec<Vec<Lit>>> = (0..weeks).map(|_| (0..players).map(|_| instance.vars(groups)).collect()).collect();
    for week in &x {
        for player in week {
            instance.add(Relation::Exactly(1), player.iter().copied());
        }
        for group in 0..groups {
            instance.add(Relation::Exactly(size), week.iter().map(|player| player[group]));
        }
    }
    for (p, q) in (0..players).tuple_combinations() {
        let never = random.one_in(8);
        let mut together = Vec::new();
        for week in &x {
            for (&first, &second) in week[p].iter().zip(&week[q]) {
                if never {
                    instance.clauses.push(vec![!first, !second]);
                    continue;
                }
                let meet = instance.vars(1)[0];
                instance.clauses.push(vec![!first, !second, meet]);
                together.push(meet);
            }
        }
        if !never {
            instance.add(Relation::AtMost(1), together);
        }
    }
    instance
}

/// At most `blocks` sets of `k` of `v` points that cover most of their sets of `t`.
fn covering_design((v, k, t, blocks): (usize, usize, usize, usize), random: &mut Random) -> Instance {
    let mut instance = Instance::default();
    let sets: Vec<Vec<usize>> = (0..v).combinations(k).collect();
    let x = instance.vars(sets.len());
    for subset in (0..v).combinations(t) {
        if random.one_in(10) {
            continue;
        }
        let covers = sets.iter().zip(&x).filter(|(set, _)| subset.iter().all(|point| set.contains(point)));
        instance.clauses.push(covers.map(|(_, &lit)| lit).collect());
    }
    instance.add(Relation::AtMost(blocks), x);
    instance
}

/// `n` queens on an n × n board or on a torus, of which some squares are missing.
fn queens((n, torus, percent): (usize, bool, usize), random: &mut Random) -> Instance {
    let mut instance = Instance::default();
    let x = instance.vars(n * n);
    instance.clauses.extend(x.iter().filter(|_| random.below(100) < percent).map(|&lit| vec![!lit]));
    for line in 0..n {
        instance.add(Relation::Exactly(1), (0..n).map(|i| x[line * n + i]));
        instance.add(Relation::Exactly(1), (0..n).map(|i| x[i * n + line]));
    }
    let lines = if torus { n } else { 2 * n - 1 };
    for line in 0..lines {
        let fold = |sum: usize| if torus { sum % n } else { sum };
        let on = |key: &dyn Fn(usize, usize) -> usize| {
            (0..n * n).filter(|&i| fold(key(i / n, i % n)) == line).map(|i| x[i]).collect_vec()
        };
        instance.add(Relation::AtMost(1), on(&|r, c| r + c));
        instance.add(Relation::AtMost(1), on(&|r, c| if torus { r + n - c } else { r + n - 1 - c }));
    }
    instance
}

/// Langford's problem: two of each number 1..=n in a row of 2n, the two i's i numbers apart; some starts are
/// forbidden.
fn langford((n, percent): (usize, usize), random: &mut Random) -> Instance {
    let mut instance = Instance::default();
    let mut places: Vec<Vec<Lit>> = vec![Vec::new(); 2 * n];
    for number in 1..=n {
        let starts = instance.vars(2 * n - number - 1);
        for (start, &lit) in starts.iter().enumerate() {
            places[start].push(lit);
            places[start + number + 1].push(lit);
            if random.below(100) < percent {
                instance.clauses.push(vec![!lit]);
            }
        }
        instance.add(Relation::Exactly(1), starts);
    }
    for place in places {
        instance.add(Relation::Exactly(1), place);
    }
    instance
}

/// Two sets of instances that differ in every size and every seed, and new seeds of all those sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Set {
    /// By which the default was chosen.
    Tuning,
    /// Looked at only after that; by now the default was changed by these too.
    HeldOut,
    /// All of them: twice as many, so that luck makes less of a difference.
    Both,
    /// Looked at only after the last change.
    Fresh,
}

/// How many instances of a set, at most 1,000; of [`Set::Both`] and [`Set::Fresh`] twice as many.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    pub(crate) set: Set,
    pub(crate) instances: usize,
}

/// Instances of one kind.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    pub(crate) instances: Vec<Instance>,
}

/// Instances of each size from each of some seeds.
pub(crate) fn family<P: Copy, const N: usize>(
    name: &'static str,
    sample: Sample,
    [tuning, held_out]: [[P; N]; 2],
    generate: impl Fn(P, &mut Random) -> Instance,
) -> Family {
    let some = |sizes: [P; N], first: u64| (first..).zip(sizes.into_iter().cycle()).take(sample.instances);
    let (parts, first): (&[[P; N]], u64) = match sample.set {
        Set::Tuning => (&[tuning], 0),
        Set::HeldOut => (&[held_out], 1_000),
        Set::Both => (&[tuning, held_out], 0),
        Set::Fresh => (&[tuning, held_out], 2_000),
    };
    let instances = parts.iter().zip((first..).step_by(1_000)).flat_map(|(&sizes, first)| some(sizes, first));
    Family { name, instances: instances.map(|(seed, size)| generate(size, &mut Random(seed))).collect() }
}

/// All families of a set, the same every time.
pub(crate) fn families(sample: Sample) -> Vec<Family> {
    vec![
        family(
            "pigeonhole",
            sample,
            [[(3, 9, 2), (4, 8, 2), (3, 10, 2)], [(3, 8, 2), (4, 9, 2), (3, 11, 2)]],
            pigeonhole,
        ),
        family(
            "vertex cover",
            sample,
            [[(40, 90, 21), (44, 96, 23), (48, 104, 25)], [(42, 94, 22), (46, 102, 24), (50, 108, 26)]],
            vertex_cover,
        ),
        family(
            "domination",
            sample,
            [[(6, 6, 3), (6, 7, 3), (7, 7, 4)], [(5, 7, 2), (6, 8, 4), (7, 8, 4)]],
            domination,
        ),
        family(
            "exact system",
            sample,
            [
                [(36, 15, 14, false), (30, 14, 12, true), (40, 17, 14, false)],
                [(38, 16, 14, false), (31, 15, 12, true), (42, 18, 16, false)],
            ],
            exact_system,
        ),
        family("tomography", sample, [[14, 15, 17], [13, 16, 18]], tomography),
        family(
            "rostering",
            sample,
            [
                [(12, [3, 3, 2], (9, 10)), (10, [3, 2, 2], (9, 10)), (13, [3, 3, 3], (9, 10))],
                [(11, [3, 2, 2], (8, 9)), (9, [2, 2, 2], (9, 10)), (14, [4, 3, 2], (9, 9))],
            ],
            rostering,
        ),
        family(
            "social golfer",
            sample,
            [[(4, 3, 4), (5, 3, 4), (4, 4, 3)], [(3, 3, 3), (5, 3, 5), (5, 4, 3)]],
            social_golfer,
        ),
        family(
            "covering",
            sample,
            [[(6, 3, 2, 5), (7, 3, 2, 7), (7, 4, 2, 4)], [(6, 4, 3, 5), (8, 4, 3, 16), (7, 3, 2, 6)]],
            covering_design,
        ),
        family("pigeons", sample, [[(5, 6, 1), (6, 6, 1), (7, 7, 1)], [(6, 7, 1), (8, 8, 1), (5, 5, 1)]], pigeonhole),
        family(
            "queens",
            sample,
            [[(9, true, 5), (18, false, 65), (20, false, 50)], [(8, true, 5), (16, false, 60), (22, false, 50)]],
            queens,
        ),
        family("Langford", sample, [[(9, 20), (11, 45), (13, 55)], [(10, 30), (12, 55), (14, 55)]], langford),
    ]
}
