//! Families of instances made of cardinality constraints, generated from seeds.

use cnfkit::Lit;
use itertools::Itertools;

/// How many of the literals may be true.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Relation {
    AtMost,
    AtLeast,
    Exactly,
}

/// A cardinality constraint.
#[derive(Clone, Debug)]
pub(crate) struct Card {
    pub(crate) relation: Relation,
    pub(crate) lits: Vec<Lit>,
    pub(crate) k: usize,
}

/// A formula with cardinality constraints not yet encoded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Instance {
    pub(crate) n_vars: usize,
    pub(crate) clauses: Vec<Vec<Lit>>,
    pub(crate) cards: Vec<Card>,
}

impl Instance {
    fn vars(&mut self, n: usize) -> Vec<Lit> {
        let first = self.n_vars;
        self.n_vars += n;
        (first..self.n_vars).map(|var| Lit::positive(var as u32)).collect()
    }

    fn add(&mut self, relation: Relation, lits: impl IntoIterator<Item = Lit>, k: usize) {
        self.cards.push(Card { relation, lits: lits.into_iter().collect(), k });
    }

    /// The same instance with the literals of every constraint in an order of their own.
    pub(crate) fn shuffled(&self, seed: u64) -> Self {
        let mut random = Random(seed);
        let mut shuffled = self.clone();
        shuffled.cards.iter_mut().for_each(|card| random.shuffle(&mut card.lits));
        shuffled
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

    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// `holes` holes of `capacity`, and one pigeon too many. Unsatisfiable.
fn capacity_pigeonhole(holes: usize, capacity: usize) -> Instance {
    let mut instance = Instance::default();
    let pigeons: Vec<Vec<Lit>> = (0..=holes * capacity).map(|_| instance.vars(holes)).collect();
    for pigeon in &pigeons {
        instance.clauses.push(pigeon.clone());
    }
    for hole in 0..holes {
        instance.add(Relation::AtMost, pigeons.iter().map(|pigeon| pigeon[hole]), capacity);
    }
    instance
}

fn random_graph(n: usize, edges: usize, random: &mut Random) -> Vec<(usize, usize)> {
    let mut all: Vec<(usize, usize)> = (0..n).tuple_combinations().collect();
    random.shuffle(&mut all);
    all.truncate(edges);
    all
}

/// A cover of a random graph's edges by at most `k` vertices.
fn vertex_cover(n: usize, edges: usize, k: usize, seed: u64) -> Instance {
    let mut instance = Instance::default();
    let x = instance.vars(n);
    for (a, b) in random_graph(n, edges, &mut Random(seed)) {
        instance.clauses.push(vec![x[a], x[b]]);
    }
    instance.add(Relation::AtMost, x, k);
    instance
}

/// At most `k` queens that attack every square of a board.
fn dominating_set(side: usize, k: usize) -> Instance {
    let mut instance = Instance::default();
    let x = instance.vars(side * side);
    let attacks = |a: usize, b: usize| {
        let (rows, columns) = ((a / side).abs_diff(b / side), (a % side).abs_diff(b % side));
        rows == 0 || columns == 0 || rows == columns
    };
    for square in 0..side * side {
        instance.clauses.push((0..side * side).filter(|&other| attacks(square, other)).map(|other| x[other]).collect());
    }
    instance.add(Relation::AtMost, x, k);
    instance
}

/// Random sets of `size` variables of which exactly as many are true as in a hidden assignment.
fn exact_system(n: usize, rows: usize, size: usize, seed: u64) -> Instance {
    let mut random = Random(seed);
    let mut instance = Instance::default();
    let x = instance.vars(n);
    let hidden: Vec<bool> = (0..n).map(|_| random.below(2) == 0).collect();
    for _ in 0..rows {
        let mut order: Vec<usize> = (0..n).collect();
        random.shuffle(&mut order);
        order.truncate(size);
        order.sort_unstable();
        let k = order.iter().filter(|&&i| hidden[i]).count();
        instance.add(Relation::Exactly, order.iter().map(|&i| x[i]), k);
    }
    instance
}

/// A picture from the sums of its rows, columns and diagonals.
fn tomography(side: usize, seed: u64) -> Instance {
    let mut random = Random(seed);
    let mut instance = Instance::default();
    let x = instance.vars(side * side);
    let hidden: Vec<bool> = (0..side * side).map(|_| random.below(2) == 0).collect();
    let key: [fn(usize, usize, usize) -> usize; 4] =
        [|r, _, _| r, |_, c, _| c, |r, c, _| r + c, |r, c, side| r + side - 1 - c];
    for key in key {
        for line in 0..2 * side - 1 {
            let cells: Vec<usize> = (0..side * side).filter(|&i| key(i / side, i % side, side) == line).collect();
            if !cells.is_empty() {
                let k = cells.iter().filter(|&&i| hidden[i]).count();
                instance.add(Relation::Exactly, cells.iter().map(|&i| x[i]), k);
            }
        }
    }
    instance
}

/// A roster: every shift staffed, one shift a day, rest after the last shift, and each person's load within bounds.
fn rostering(people: usize, days: usize, demand: [usize; 3], load: (usize, usize), seed: u64) -> Instance {
    let mut random = Random(seed);
    let mut instance = Instance::default();
    let works: Vec<Vec<Vec<Lit>>> =
        (0..people).map(|_| (0..days).map(|_| instance.vars(demand.len())).collect()).collect();
    for day in 0..days {
        for (shift, &needed) in demand.iter().enumerate() {
            instance.add(Relation::AtLeast, works.iter().map(|person| person[day][shift]), needed);
        }
    }
    for person in &works {
        for day in person {
            instance.add(Relation::AtMost, day.iter().copied(), 1);
        }
        for (today, tomorrow) in person.iter().tuple_windows() {
            instance.clauses.push(vec![!today[demand.len() - 1], !tomorrow[0]]);
        }
        instance.add(Relation::AtMost, person.iter().flatten().copied(), load.1);
        instance.add(Relation::AtLeast, person.iter().flatten().copied(), load.0);
        for week in person.windows(7) {
            instance.add(Relation::AtMost, week.iter().flatten().copied(), 5);
        }
        // Days off that were asked for.
        for _ in 0..days / 4 {
            let day = random.below(days);
            instance.clauses.extend(person[day].iter().map(|&lit| vec![!lit]));
        }
    }
    instance
}

/// `groups` groups of `size` golfers for `weeks` weeks, no two of them together twice.
fn social_golfer(groups: usize, size: usize, weeks: usize) -> Instance {
    let mut instance = Instance::default();
    let players = groups * size;
    let x: Vec<Vec<Vec<Lit>>> = (0..weeks).map(|_| (0..players).map(|_| instance.vars(groups)).collect()).collect();
    for week in &x {
        for player in week {
            instance.add(Relation::Exactly, player.iter().copied(), 1);
        }
        for group in 0..groups {
            instance.add(Relation::Exactly, week.iter().map(|player| player[group]), size);
        }
    }
    for (p, q) in (0..players).tuple_combinations() {
        let mut together = Vec::new();
        for week in &x {
            for (&first, &second) in week[p].iter().zip(&week[q]) {
                let meet = instance.vars(1)[0];
                instance.clauses.push(vec![!first, !second, meet]);
                together.push(meet);
            }
        }
        instance.add(Relation::AtMost, together, 1);
    }
    instance
}

/// At most `blocks` sets of `k` of `v` points that cover every `t` of them.
fn covering_design(v: usize, k: usize, t: usize, blocks: usize) -> Instance {
    let mut instance = Instance::default();
    let sets: Vec<Vec<usize>> = (0..v).combinations(k).collect();
    let x = instance.vars(sets.len());
    for subset in (0..v).combinations(t) {
        let covers = sets.iter().zip(&x).filter(|(set, _)| subset.iter().all(|point| set.contains(point)));
        instance.clauses.push(covers.map(|(_, &lit)| lit).collect());
    }
    instance.add(Relation::AtMost, x, blocks);
    instance
}

/// `n` queens on an n × n board, or on a torus.
fn queens(n: usize, torus: bool) -> Instance {
    let mut instance = Instance::default();
    let x = instance.vars(n * n);
    for line in 0..n {
        instance.add(Relation::Exactly, (0..n).map(|i| x[line * n + i]), 1);
        instance.add(Relation::Exactly, (0..n).map(|i| x[i * n + line]), 1);
    }
    let lines = if torus { n } else { 2 * n - 1 };
    for line in 0..lines {
        let fold = |sum: usize| if torus { sum % n } else { sum };
        let on = |key: &dyn Fn(usize, usize) -> usize| {
            (0..n * n).filter(|&i| fold(key(i / n, i % n)) == line).map(|i| x[i]).collect_vec()
        };
        instance.add(Relation::AtMost, on(&|r, c| r + c), 1);
        instance.add(Relation::AtMost, on(&|r, c| if torus { r + n - c } else { r + n - 1 - c }), 1);
    }
    instance
}

/// Langford's problem: two of each number 1..=n in a row of 2n, the two i's i numbers apart.
fn langford(n: usize) -> Instance {
    let mut instance = Instance::default();
    let mut places: Vec<Vec<Lit>> = vec![Vec::new(); 2 * n];
    for number in 1..=n {
        let starts = instance.vars(2 * n - number - 1);
        for (start, &lit) in starts.iter().enumerate() {
            places[start].push(lit);
            places[start + number + 1].push(lit);
        }
        instance.add(Relation::Exactly, starts, 1);
    }
    for place in places {
        instance.add(Relation::Exactly, place, 1);
    }
    instance
}

/// A family: its name, and its instances.
pub(crate) type Family = (&'static str, Vec<Instance>);

/// All families, the same every time.
pub(crate) fn families() -> Vec<Family> {
    vec![
        ("pigeonhole", vec![capacity_pigeonhole(3, 3), capacity_pigeonhole(4, 2), capacity_pigeonhole(3, 4)]),
        ("vertex cover", (0..4).map(|seed| vertex_cover(50, 110, 26 + seed as usize % 2, seed)).collect()),
        ("domination", vec![dominating_set(6, 3), dominating_set(7, 4), dominating_set(8, 5), dominating_set(7, 3)]),
        ("exact system", (0..4).map(|seed| exact_system(44, 18, 16, seed)).collect()),
        ("tomography", (0..4).map(|seed| tomography(16, seed)).collect()),
        ("rostering", (0..4).map(|seed| rostering(12, 28, [3, 3, 2], (18, 19), seed)).collect()),
        (
            "social golfer",
            vec![social_golfer(3, 3, 4), social_golfer(4, 3, 4), social_golfer(5, 3, 4), social_golfer(4, 4, 3)],
        ),
        (
            "covering",
            vec![
                covering_design(6, 3, 2, 5),
                covering_design(6, 3, 2, 6),
                covering_design(7, 3, 2, 7),
                covering_design(8, 4, 3, 14),
            ],
        ),
        ("queens", vec![queens(32, false), queens(48, false), queens(8, true), queens(9, true)]),
        ("Langford", vec![langford(7), langford(8), langford(9), langford(12)]),
    ]
}
