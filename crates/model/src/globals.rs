//! Every global constraint against its definition in a few lines of this file: posted, negated and reified, with each
//! encoding of integers, with the solver's theory and without, and as a formula where everything is written.

// Numbers by lot are small.
#![allow(clippy::cast_sign_loss, clippy::items_after_statements, clippy::too_many_lines)]

use std::collections::BTreeSet;

use super::*;
use crate::variables::ExprFactor;
use cnfkit_core::internals::Random;

/// A constraint on some variables, and what it says.
struct Case {
    name: String,
    domains: Vec<Domain>,
    make: Box<dyn Fn(&[Expr]) -> Constraint>,
    holds: Box<dyn Fn(&[i64]) -> bool>,
}

impl Case {
    fn new(
        name: impl Into<String>,
        domains: Vec<Domain>,
        make: impl Fn(&[Expr]) -> Constraint + 'static,
        holds: impl Fn(&[i64]) -> bool + 'static,
    ) -> Self {
        Self { name: name.into(), domains, make: Box::new(make), holds: Box::new(holds) }
    }

    /// A model with the variables and nothing else.
    fn model(&self, round: usize) -> (Model, Vec<IntVar>) {
        let mut model = Model::new();
        let int = [IntEncoding::Auto, IntEncoding::Binary, IntEncoding::Unary][round % 3];
        model.set_choice(Choice { int, ..Choice::default() });
        #[cfg(feature = "batsat")]
        if round % 2 == 1 {
            model.set_solver(|| cnfkit_core::solvers::Plain(cnfkit_core::solvers::BatSat::default()));
        }
        let vars = self.domains.iter().map(|domain| model.int(domain)).collect();
        (model, vars)
    }

    fn constraint(&self, vars: &[IntVar]) -> Constraint {
        (self.make)(&vars.iter().map(Expr::from).collect::<Vec<_>>())
    }

    /// A case that says the same about views of fewer variables: multiplied, negated, shifted, constant, some of the
    /// same variable.
    fn viewed(self, random: &mut Random) -> Self {
        let mut domains: Vec<Domain> = (0..random.below(3)).map(|_| domain(random)).collect();
        domains.push((1..=4).into());
        let mut view = || match random.below(6) {
            0 => (0, 0, random.below(3) as i64),
            _ => (random.below(domains.len()), [-1, 1, 1, 2][random.below(4)], random.below(4) as i64 - 1),
        };
        let views: Vec<(usize, i64, i64)> = self.domains.iter().map(|_| view()).collect();
        let (name, Self { make, holds, .. }) = (format!("{} of {views:?} of {domains:?}", self.name), self);
        let of = views.clone();
        Self::new(
            name,
            domains,
            move |x| make(&of.iter().map(|&(at, factor, offset)| factor * &x[at] + offset).collect::<Vec<_>>()),
            move |v| holds(&views.iter().map(|&(at, factor, offset)| factor * v[at] + offset).collect::<Vec<_>>()),
        )
    }

    fn assignments(&self) -> Vec<Vec<i64>> {
        self.domains.iter().fold(vec![Vec::new()], |all, domain| {
            let with =
                |start: &Vec<i64>| domain.iter().map(|value| [&start[..], &[value]].concat()).collect::<Vec<_>>();
            all.iter().flat_map(with).collect()
        })
    }

    fn check(&self, round: usize, random: &mut Random) -> usize {
        let all = self.assignments();
        let expected = all.iter().filter(|values| (self.holds)(values)).count();
        let name = &self.name;
        for negated in [false, true] {
            let (mut model, vars) = self.model(round);
            let constraint = self.constraint(&vars);
            model.post(if negated { !constraint } else { constraint });
            let expected = if negated { all.len() - expected } else { expected };
            assert_eq!(model.count(usize::MAX).unwrap(), expected, "round {round}: {name}, negated: {negated}");
        }
        let (mut model, vars) = self.model(round);
        let holds = model.reify(self.constraint(&vars));
        let mut seen = 0;
        for solution in model.solutions().unwrap() {
            let solution = solution.unwrap();
            let values = solution.values(&vars);
            assert_eq!(solution.is_true(holds), (self.holds)(&values), "round {round}: {name}: {values:?}");
            seen += 1;
        }
        assert_eq!(seen, all.len(), "round {round}: {name}, reified");
        for _ in 0..3 {
            let values = &all[random.below(all.len())];
            let (mut model, vars) = self.model(round);
            model.post(self.constraint(&vars));
            vars.iter().zip(values).for_each(|(var, &value)| model.post(var.eq(value)));
            let is_written = model.formula().unwrap().solve().unwrap().is_some();
            assert_eq!(is_written, (self.holds)(values), "round {round}: {name}, written: {values:?}");
        }
        expected
    }
}

fn several<T: Clone>(n: usize, one: impl Into<T>) -> Vec<T> {
    vec![one.into(); n]
}

/// The variable that is the whole expression.
fn whole(of: &Expr) -> IntVar {
    let [(ExprFactor::Int(var), 1)] = of.terms[..] else { unreachable!() };
    var
}

/// The truth value *this is at least 1* of a variable.
fn truth(of: &Expr) -> Bool {
    whole(of).at_least(1)
}

fn domain(random: &mut Random) -> Domain {
    let domains: [Domain; 4] = [(-1..=1).into(), [-2, 0, 1].into(), (0..=1).into(), [0, 1, 3].into()];
    domains[random.below(4)].clone()
}

fn of_counts(random: &mut Random, kind: usize) -> Case {
    let n = 2 + random.below(2);
    let mut domains: Vec<Domain> = (0..n).map(|_| domain(random)).collect();
    let (a, b) = (random.below(4) as i64 - 1, random.below(4) as i64 - 1);
    let count = |values: &[i64], value: i64| values.iter().filter(|&&own| own == value).count() as i64;
    match kind {
        0 => {
            domains.extend([(-1..=1).into(), (0..=2).into()]);
            Case::new(
                "count_eq",
                domains,
                move |x| count_eq(x[..n].iter().map(|x| x + a), &x[n] + a, &x[n + 1]),
                move |v| count(&v[..n], v[n]) == v[n + 1],
            )
        }
        1 => {
            domains.push((0..=3).into());
            Case::new(
                format!("nvalue of {n}"),
                domains,
                move |x| nvalue(x[..n].iter().map(|x| 2 * x + b).chain([Expr::from(a)]), &x[n]),
                move |v| {
                    let all: BTreeSet<i64> = v[..n].iter().map(|v| 2 * v + b).chain([a]).collect();
                    all.len() as i64 == v[n]
                },
            )
        }
        2 => Case::new(
            format!("global_cardinality_low_up {a} {b}"),
            domains,
            move |x| global_cardinality_low_up(x.iter().map(whole), [(0, a, a + 1), (1, 0, b)]),
            move |v| (a..=a + 1).contains(&count(v, 0)) && (0..=b).contains(&count(v, 1)),
        ),
        3 => {
            domains.extend([(0..=2).into(), (-1..=2).into()]);
            let cover = if random.below(2) == 0 { vec![0, 1] } else { vec![-2, -1, 0, 1, 3] };
            let counted = cover.clone();
            Case::new(
                "global_cardinality",
                domains,
                move |x| {
                    let number = |&value: &i64| match value {
                        0 => (0, x[n].clone()),
                        1 => (1, x[n + 1].clone()),
                        value => (value, count_of(&x[..n], value)),
                    };
                    global_cardinality(x[..n].iter().map(whole), counted.iter().map(number).collect::<Vec<_>>())
                },
                move |v| count(&v[..n], 0) == v[n] && count(&v[..n], 1) == v[n + 1],
            )
        }
        4 => {
            let weights: Vec<i64> = (0..n).map(|_| random.below(4) as i64).collect();
            domains.push((1..=3).into());
            let own = weights.clone();
            let load = |v: &[i64], weights: &[i64], bin: i64| -> i64 {
                v.iter().zip(weights).filter(|(at, _)| **at == bin).map(|(_, weight)| weight).sum()
            };
            Case::new(
                format!("bin_packing of {weights:?}"),
                domains,
                move |x| bin_packing(&x[..n], own.iter().copied(), [x[n].clone(), Expr::from(a)]),
                move |v| {
                    v[..n].iter().all(|bin| (0..2).contains(bin))
                        && load(&v[..n], &weights, 0) <= v[n]
                        && load(&v[..n], &weights, 1) <= a
                },
            )
        }
        _ => {
            let weights: Vec<i64> = (0..n).map(|_| random.below(4) as i64).collect();
            domains.extend([(0..=3).into(), (0..=3).into()]);
            let own = weights.clone();
            Case::new(
                format!("bin_packing_load of {weights:?}"),
                domains,
                move |x| bin_packing_load(&x[..n], own.iter().copied(), &x[n..]),
                move |v| {
                    let load = |bin: i64| -> i64 { (0..n).filter(|&at| v[at] == bin).map(|at| weights[at]).sum() };
                    v[..n].iter().all(|bin| (0..2).contains(bin)) && load(0) == v[n] && load(1) == v[n + 1]
                },
            )
        }
    }
}

/// A count as a value of its own: always right.
fn count_of(x: &[Expr], value: i64) -> Expr {
    count(x.iter().map(whole), value)
}

fn of_sequences(random: &mut Random, kind: usize) -> Case {
    let n = 2 + random.below(3);
    let domains: Vec<Domain> = (0..n).map(|_| domain(random)).collect();
    match kind {
        0 => Case::new("increasing", domains, |x| increasing(x), |v| v.windows(2).all(|p| p[0] <= p[1])),
        1 => Case::new("decreasing", domains, |x| decreasing(x), |v| v.windows(2).all(|p| p[0] >= p[1])),
        2 => Case::new("strictly", domains, |x| strictly_increasing(x), |v| v.windows(2).all(|p| p[0] < p[1])),
        3 => Case::new("strictly", domains, |x| strictly_decreasing(x), |v| v.windows(2).all(|p| p[0] > p[1])),
        4 => {
            let chain = [vec![0, 1], vec![1, 0, -1], vec![0, 0], vec![3, 5], vec![1]][random.below(5)].clone();
            let values = chain.clone();
            Case::new(
                format!("value_precede {chain:?}"),
                domains,
                move |x| value_precede(values.iter().copied(), x),
                move |v| {
                    let first = |value: i64| v.iter().position(|&own| own == value);
                    chain
                        .windows(2)
                        .all(|pair| first(pair[1]).is_none_or(|at| first(pair[0]).is_some_and(|before| before < at)))
                },
            )
        }
        _ => {
            // An automaton that is not deterministic: a subset of states is what a word leads to.
            let steps: Vec<(usize, i64, usize)> = (0..3 + random.below(8))
                .map(|_| (random.below(3), random.below(3) as i64 - 1, random.below(3)))
                .collect();
            let accepting: Vec<usize> = (0..3).filter(|_| random.below(2) == 0).collect();
            let automaton = Automaton::new(3, 0, accepting.clone(), steps.clone());
            Case::new(
                format!("regular {steps:?} {accepting:?}"),
                domains,
                move |x| regular(x, &automaton),
                move |v| {
                    let states = v.iter().fold(BTreeSet::from([0]), |states, &value| {
                        steps.iter().filter(|s| s.1 == value && states.contains(&s.0)).map(|s| s.2).collect()
                    });
                    states.iter().any(|state| accepting.contains(state))
                },
            )
        }
    }
}

/// Constraints whose other tests are elsewhere.
fn of_values(random: &mut Random, kind: usize) -> Case {
    type Make = fn(&[Expr]) -> Constraint;
    type Holds = fn(&[i64]) -> bool;
    /// The successors of one round from the first that leaves its place.
    fn round(v: &[i64]) -> Option<usize> {
        let next = |at: usize| usize::try_from(v[at]).ok().filter(|&next| next < v.len());
        let start = (0..v.len()).find(|&at| next(at) != Some(at)).unwrap_or(0);
        let (mut at, mut length) = (next(start)?, 1);
        while at != start && length <= v.len() {
            (at, length) = (next(at)?, length + 1);
        }
        let stay = (0..v.len()).filter(|&at| next(at) == Some(at)).count();
        (at == start && (length + stay == v.len() || stay == v.len())).then_some(length)
    }
    const ROWS: [[i64; 3]; 5] = [[0, 1, 1], [1, 0, -1], [0, 0, 3], [2, -1, 0], [1, 1, 1]];
    let kinds: [(&str, Make, Holds); 19] = [
        ("all_different", |x| all_different(x), |v| v[0] != v[1] && v[0] != v[2] && v[1] != v[2]),
        (
            "all_different_except",
            |x| all_different_except(x, [0, 3]),
            |v| [(0, 1), (0, 2), (1, 2)].iter().all(|&(a, b)| v[a] != v[b] || v[a] == 0 || v[a] == 3),
        ),
        ("all_equal", |x| all_equal(x), |v| v[0] == v[1] && v[1] == v[2]),
        ("abs", |x| abs(&x[0], &x[1]), |v| v[0].abs() == v[1]),
        ("times", |x| times(&x[0], &x[1], &x[2]), |v| v[0] * v[1] == v[2]),
        ("div", |x| div(&x[0], &x[1], &x[2]), |v| v[1] != 0 && v[0] / v[1] == v[2]),
        ("modulo", |x| modulo(&x[0], &x[1], &x[2]), |v| v[1] != 0 && v[0] % v[1] == v[2]),
        (
            "pow",
            |x| pow(&x[0], &x[1], &x[2]),
            |v| match v[1] {
                0.. => v[0].pow(v[1] as u32) == v[2],
                _ => v[0] != 0 && 1 / v[0].pow(-v[1] as u32) == v[2],
            },
        ),
        ("maximum", |x| maximum(&x[..2], &x[2]), |v| v[0].max(v[1]) == v[2]),
        ("minimum", |x| minimum(&x[..2], &x[2]), |v| v[0].min(v[1]) == v[2]),
        (
            "element",
            |x| element(&x[..2], &x[2], &x[3]),
            |v| usize::try_from(v[2]).is_ok_and(|at| at < 2 && v[at] == v[3]),
        ),
        ("lex_less", |x| lex_less(&x[..2], &x[2..4]), |v| v[..2] < v[2..4]),
        ("lex_lesseq", |x| lex_lesseq(&x[..2], &x[2..4]), |v| v[..2] <= v[2..4]),
        (
            "inverse",
            |x| inverse(&x[..2], &x[2..4]),
            |v| {
                let undone = |a: i64, b: i64| {
                    (0..2).all(|i| (0..2).contains(&v[(a + i) as usize]) && v[(b + v[(a + i) as usize]) as usize] == i)
                };
                undone(0, 2) && undone(2, 0)
            },
        ),
        ("circuit", |x| circuit(&x[..3]), |v| round(&v[..3]) == Some(3)),
        ("subcircuit", |x| subcircuit(&x[..3]), |v| round(&v[..3]).is_some()),
        ("table", |x| table(&x[..3], ROWS), |v| ROWS.iter().any(|row| row == &v[..3])),
        ("negative_table", |x| negative_table(&x[..3], ROWS), |v| ROWS.iter().all(|row| row != &v[..3])),
        ("sum", |x| (&x[0] - 2 * &x[1] + &x[2]).ne(&x[3] + 1), |v| v[0] - 2 * v[1] + v[2] != v[3] + 1),
    ];
    let (name, make, holds) = kinds[kind];
    let domains: Vec<Domain> = (0..if kind < 10 { 3 } else { 4 }).map(|_| domain(random)).collect();
    Case::new(name, domains, make, holds)
}

fn of_tasks(random: &mut Random, kind: usize) -> Case {
    let n = 2 + random.below(2);
    let starts = several::<Domain>(n, 0..=2);
    match kind {
        0 => {
            let mut domains = starts;
            domains.extend(several::<Domain>(n, [-1, 0, 2]));
            Case::new(
                "disjunctive",
                domains,
                move |x| disjunctive(&x[..n], &x[n..]),
                move |v| {
                    let (s, d) = v.split_at(n);
                    let apart = |i: usize, j: usize| s[i] + d[i] <= s[j] || s[j] + d[j] <= s[i] || d[i] * d[j] == 0;
                    d.iter().all(|&d| d >= 0) && (0..n).all(|i| (0..i).all(|j| apart(i, j)))
                },
            )
        }
        1 => {
            let durations: Vec<i64> = (0..n).map(|_| random.below(4) as i64 - 1).collect();
            let mut domains = starts;
            domains.extend(several::<Domain>(n, 0..=1));
            let own = durations.clone();
            Case::new(
                format!("no_overlap {durations:?}"),
                domains,
                move |x| no_overlap(&x[..n], own.iter().copied(), &x[n..]),
                move |v| {
                    let (s, b) = v.split_at(n);
                    let d = &durations;
                    let apart = |i: usize, j: usize| s[i] + d[i] <= s[j] || s[j] + d[j] <= s[i] || d[i] * d[j] == 0;
                    (0..n).all(|i| d[i] >= 0 || b[i] == 0)
                        && (0..n).all(|i| (0..i).all(|j| apart(i, j) || b[i] * b[j] == 0))
                },
            )
        }
        2 => {
            let height = random.below(4) as i64 - 1;
            let mut domains = several::<Domain>(4, 0..=2);
            domains.push((-1..=2).into());
            Case::new(
                format!("diffn {height}"),
                domains,
                move |x| diffn(&x[..2], &x[2..4], [x[4].clone(), Expr::from(1)], [1, height]),
                move |v| {
                    let [a, b, c, d, w] = v[..] else { unreachable!() };
                    w >= 0 && height >= 0 && (a + w <= b || b < a || c < d || d + height <= c)
                },
            )
        }
        3 => Case::new(
            "all_different_tuples",
            several::<Domain>(6, 0..=1),
            |x| all_different_tuples(x.chunks(2)),
            |v| v[..2] != v[2..4] && v[2..4] != v[4..] && v[..2] != v[4..],
        ),
        4 => {
            // Two tasks of which everything varies.
            let domains = vec![(0..=2).into(), [1, 2].into(), (1..=2).into(), (0..=1).into()];
            Case::new(
                "cumulative of two",
                domains,
                |x| cumulative(&x[..2], &x[2..], [1, 1], 1),
                |v| v[2].min(v[3]) >= 0 && (v[0] + v[2] <= v[1] || v[1] + v[3] <= v[0] || v[2] * v[3] == 0),
            )
        }
        _ => {
            // Two tasks with a variable each for what varies, and a third one that is known.
            let (with_duration, with_demand) = (random.below(2) == 0, random.below(2) == 0);
            let numbers: Vec<i64> = (0..6).map(|_| random.below(3) as i64).collect();
            let capacity: Domain =
                if random.below(2) == 0 { [1 + random.below(3) as i64].into() } else { [-1, 1, 2].into() };
            let domains = vec![(0..=2).into(), (-1..=2).into(), (0..=2).into(), [-1, 0, 2].into(), capacity];
            let own = numbers.clone();
            Case::new(
                format!("cumulative {with_duration} {with_demand} {numbers:?}"),
                domains,
                move |x| {
                    let known = |at: usize| Expr::from(own[at]);
                    let duration = if with_duration { x[3].clone() } else { known(0) };
                    let demand = if with_demand { x[3].clone() } else { known(1) };
                    cumulative(&x[..3], [duration, known(2), known(4)], [known(3), demand, known(5)], &x[4])
                },
                move |v| {
                    let duration = [if with_duration { v[3] } else { numbers[0] }, numbers[2], numbers[4]];
                    let demand = [numbers[3], if with_demand { v[3] } else { numbers[1] }, numbers[5]];
                    let load = |now: i64| -> i64 {
                        (0..3).filter(|&at| v[at] <= now && now < v[at] + duration[at]).map(|at| demand[at]).sum()
                    };
                    duration.iter().chain(&demand).all(|&number| number >= 0)
                        && v[4] >= 0
                        && (-9..20).all(|now| load(now) <= v[4])
                },
            )
        }
    }
}

/// The nodes that are reached from one.
fn reached(edges: &[(usize, usize)], inside: &[bool], from: usize, directed: bool) -> Vec<bool> {
    let mut reached = vec![false; inside.len()];
    reached[from] = inside[from];
    for _ in 0..inside.len() {
        for &(a, b) in edges {
            if inside[a] && inside[b] {
                reached[b] |= reached[a];
                reached[a] |= !directed && reached[b];
            }
        }
    }
    reached
}

fn of_graphs(random: &mut Random, kind: usize) -> Case {
    let n = 3 + random.below(2);
    let all: Vec<(usize, usize)> = (0..2 + random.below(3)).map(|_| (random.below(n), random.below(n))).collect();
    let m = all.len();
    let edges = all.clone();
    let truths = |x: &[Expr]| x.iter().map(truth).collect::<Vec<Bool>>();
    let with = move |x: &[Expr]| -> Vec<(usize, usize, Expr)> {
        edges.iter().zip(&x[n..]).map(|(&(a, b), is)| (a, b, is.clone())).collect()
    };
    /// The edges that are true, if their ends are.
    fn own(all: &[(usize, usize)], v: &[i64], n: usize) -> Option<(Vec<(usize, usize)>, Vec<bool>)> {
        let inside: Vec<bool> = v[..n].iter().map(|&node| node == 1).collect();
        let own: Vec<_> = all.iter().zip(&v[n..]).filter(|(_, is)| **is == 1).map(|(&edge, _)| edge).collect();
        own.iter().all(|&(a, b)| inside[a] && inside[b]).then_some((own, inside))
    }
    /// True if everything is reached from a node.
    fn whole(edges: &[(usize, usize)], inside: &[bool], from: usize, directed: bool) -> bool {
        reached(edges, inside, from, directed).iter().zip(inside).all(|(reached, inside)| reached == inside)
    }
    let first = |inside: &[bool]| inside.iter().position(|&inside| inside);
    let degree = |edges: &[(usize, usize)], node: usize| {
        edges.iter().map(|e| usize::from(e.0 == node) + usize::from(e.1 == node)).sum::<usize>()
    };
    let mut domains = several::<Domain>(n + m, 0..=1);
    let name = |what: &str| format!("{what} of {n} nodes, {all:?}");
    match kind {
        0 => {
            let own_edges = all.clone();
            let edges = all.clone();
            Case::new(
                name("connected induced"),
                several::<Domain>(n, 0..=1),
                move |x| connected(truths(x), own_edges.iter().copied()),
                move |v| {
                    let inside: Vec<bool> = v.iter().map(|&node| node == 1).collect();
                    first(&inside).is_none_or(|first| whole(&edges, &inside, first, false))
                },
            )
        }
        1 => Case::new(
            name("connected"),
            domains,
            move |x| connected(&x[..n], with(x)),
            move |v| {
                own(&all, v, n).is_some_and(|(edges, inside)| {
                    first(&inside).is_none_or(|first| whole(&edges, &inside, first, false))
                })
            },
        ),
        2 | 3 => {
            let directed = kind == 3;
            domains.push([-1, 0, 1, 2, 5].into());
            Case::new(
                name(if directed { "dreachable" } else { "reachable" }),
                domains,
                move |x| {
                    let (edges, nodes, root) = (with(x), &x[..n], &x[n + m]);
                    if directed { dreachable(root, nodes, edges) } else { reachable(root, nodes, edges) }
                },
                move |v| {
                    own(&all, &v[..n + m], n).is_some_and(|(edges, inside)| {
                        let root = v[n + m];
                        (0..n as i64).contains(&root)
                            && inside[root as usize]
                            && whole(&edges, &inside, root as usize, directed)
                    })
                },
            )
        }
        4 => Case::new(
            name("tree"),
            domains,
            move |x| tree(&x[..n], with(x)),
            move |v| {
                own(&all, v, n).is_some_and(|(edges, inside)| {
                    first(&inside).is_some_and(|first| whole(&edges, &inside, first, false))
                        && edges.len() + 1 == inside.iter().filter(|&&inside| inside).count()
                })
            },
        ),
        5 => {
            domains.push([-1, 0, 2].into());
            Case::new(
                name("path"),
                domains,
                move |x| path(&x[n + m] + 1, 1, &x[..n], with(x)),
                move |v| {
                    own(&all, &v[..n + m], n).is_some_and(|(edges, inside)| {
                        let from = v[n + m] + 1;
                        let ends = |node: usize| usize::from(node as i64 == from) + usize::from(node == 1);
                        (0..n as i64).contains(&from)
                            && (0..n).all(|node| degree(&edges, node) + ends(node) == 2 * usize::from(inside[node]))
                            && whole(&edges, &inside, 1, false)
                    })
                },
            )
        }
        _ => {
            // No edge from a node to itself, which has no other.
            let edges: Vec<(usize, usize)> = all.into_iter().filter(|(a, b)| a != b).collect();
            let (m, own_edges) = (edges.len(), edges.clone());
            Case::new(
                format!("single_cycle {edges:?}"),
                several::<Domain>(m, 0..=1),
                move |x| single_cycle(own_edges.iter().zip(x).map(|(&(a, b), is)| (a, b, is.clone()))),
                move |v| {
                    let own: Vec<_> = edges.iter().zip(v).filter(|(_, is)| **is == 1).map(|(&edge, _)| edge).collect();
                    let inside: Vec<bool> = (0..n).map(|node| degree(&own, node) > 0).collect();
                    (0..n).all(|node| matches!(degree(&own, node), 0 | 2))
                        && first(&inside).is_none_or(|first| whole(&own, &inside, first, false))
                },
            )
        }
    }
}

/// About variables of their own, and in every other round about views of few, where a kind takes views.
fn rounds(n: usize, make: impl Fn(&mut Random, usize) -> Case, kinds: usize, has_views: impl Fn(usize) -> bool) {
    let mut random = Random::new(11);
    let (mut some, mut none) = (0, 0);
    for round in 0..n {
        let mut case = make(&mut random, round % kinds);
        if has_views(round % kinds) && round / kinds % 2 == 1 {
            case = case.viewed(&mut random);
        }
        let found = case.check(round / kinds + round, &mut random);
        some += usize::from(found > 0);
        none += usize::from(found < case.assignments().len());
    }
    assert!(some > n / 4 && none > n / 3, "{some} {none} of {n}");
}

#[test]
fn counts_are_as_defined() {
    rounds(144, of_counts, 6, |kind| !matches!(kind, 2 | 3));
}

#[test]
fn sequences_are_as_defined() {
    rounds(144, of_sequences, 6, |_| true);
}

#[test]
fn values_are_as_defined() {
    rounds(380, of_values, 19, |_| true);
}

#[test]
fn tasks_are_as_defined() {
    rounds(240, of_tasks, 6, |_| true);
}

/// Starts and durations of two tasks are constants and multiples of one variable, in all ways.
#[test]
fn tasks_of_one_variable_are_as_defined() {
    let views = |all: &[(i64, i64)]| -> Vec<[(i64, i64); 2]> {
        all.iter().flat_map(|&one| all.iter().map(move |&other| [one, other])).collect()
    };
    for starts in views(&[(0, 1), (1, 0), (-1, 0), (2, -1)]) {
        for durations in views(&[(0, 2), (1, 0), (2, 0)]) {
            let mut model = Model::new();
            let x = model.int(1..=5);
            let of = |views: [(i64, i64); 2]| views.map(|(factor, offset)| factor * x + offset);
            model.post(cumulative(of(starts), of(durations), [1, 1], 1));
            let expected = (1..=5).filter(|x| {
                let [[a, b], [c, d]] = [starts, durations].map(|of| of.map(|(factor, offset)| factor * x + offset));
                a + c <= b || b + d <= a
            });
            assert_eq!(model.count(10).unwrap(), expected.count(), "{starts:?} {durations:?}");
        }
    }
}

#[test]
fn graphs_are_as_defined() {
    rounds(84, of_graphs, 7, |_| false);
}
