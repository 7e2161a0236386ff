//! Orders are permutations that depend on structure, not on numbers.

use rustsat::types::Lit;

use super::effort::OrderEffort;
use super::hypergraph::Hypergraph;
use super::members::PACE;
use super::search::{self, Positions};
use crate::random::Random;

fn positions(n_vars: usize, graph: &Hypergraph) -> Vec<u32> {
    search::positions(n_vars, graph, &mut || false).of
}

/// Wherever the search ends, each variable has a position.
#[test]
fn a_search_that_is_ended_leaves_a_permutation() {
    let mut random = Random::new(1);
    let n_vars = 3 * PACE;
    let edges: Vec<_> = (1..n_vars)
        .map(|var| (1, [0, var - random.below(var.min(5))].map(|var| Lit::positive(var as u32)).to_vec()))
        .collect();
    let graph = graph(&edges);
    let mut asked = 0;
    let whole = search::positions(n_vars, &graph, &mut || {
        asked += 1;
        false
    })
    .of;
    assert!(asked > 8, "{asked}");
    for end in 1..=asked {
        let mut left = end;
        let mut found = search::positions(n_vars, &graph, &mut || {
            left = usize::saturating_sub(left, 1);
            left == 0
        })
        .of;
        found.sort_unstable();
        assert!(found.into_iter().eq(0..n_vars as u32));
    }
    assert_eq!(whole, positions(n_vars, &graph));
}

/// A random graph in which few variables look alike.
fn random_graph(n_vars: usize, edges: usize, random: &mut Random) -> Vec<(u64, Vec<Lit>)> {
    let edge = |random: &mut Random| {
        let most = if random.below(8) == 0 { n_vars } else { n_vars.min(4) };
        let len = 1 + random.below(most);
        let mut vars: Vec<u32> = (0..n_vars as u32).collect();
        random.shuffle(&mut vars);
        let lits = vars[..len].iter().map(|&var| Lit::new(var, random.below(2) == 0)).collect();
        (1 + random.below(3) as u64, lits)
    };
    (0..edges).map(|_| edge(random)).collect()
}

fn graph(edges: &[(u64, Vec<Lit>)]) -> Hypergraph {
    let mut graph = Hypergraph::default();
    edges.iter().for_each(|(label, lits)| graph.add(*label, lits.iter().copied()));
    graph
}

#[test]
fn positions_are_a_permutation() {
    let mut random = Random::new(1);
    for n_vars in 1..40 {
        let mut found = positions(n_vars, &graph(&random_graph(n_vars, random.below(30), &mut random)));
        found.sort_unstable();
        assert!(found.into_iter().eq(0..n_vars as u32));
    }
    assert!(positions(0, &Hypergraph::default()).is_empty());
}

/// Other numbers, other orders of edges and of literals: the same sequence of variables, unless some have the same
/// colour.
#[test]
fn numbers_and_listing_do_not_matter() {
    let mut random = Random::new(2);
    let mut checked = 0;
    for _ in 0..300 {
        let n_vars = 2 + random.below(40);
        let edges = random_graph(n_vars, n_vars + random.below(40), &mut random);
        let given = graph(&edges);
        let mut colours = super::colour::colours(n_vars, &given, OrderEffort::of(0).rounds);
        colours.sort_unstable();
        if colours.windows(2).any(|pair| pair[0] == pair[1]) {
            continue;
        }
        checked += 1;
        let mut to: Vec<u32> = (0..n_vars as u32).collect();
        random.shuffle(&mut to);
        let mut others: Vec<(u64, Vec<Lit>)> = edges
            .iter()
            .map(|(label, lits)| (*label, lits.iter().map(|lit| Lit::new(to[lit.vidx()], lit.is_neg())).collect()))
            .collect();
        random.shuffle(&mut others);
        others.iter_mut().for_each(|(_, lits)| random.shuffle(lits));
        let (first, second) = (positions(n_vars, &given), positions(n_vars, &graph(&others)));
        let isolated =
            |var: usize| !edges.iter().any(|(_, lits)| lits.len() > 1 && lits.iter().any(|lit| lit.vidx() == var));
        for var in 0..n_vars {
            assert!(isolated(var) || first[var] == second[to[var] as usize]);
        }
    }
    assert!(checked > 100, "{checked}");
}

/// Clusters that hang together by few clauses are placed one after the other, whatever their numbers, beside a
/// constraint on all.
#[test]
fn clusters_stay_together() {
    const CLUSTERS: usize = 6;
    const SIZE: usize = 12;
    let mut random = Random::new(3);
    let mut to: Vec<u32> = (0..(CLUSTERS * SIZE) as u32).collect();
    random.shuffle(&mut to);
    let lit = |cluster: usize, member: usize| Lit::positive(to[cluster * SIZE + member]);
    let mut edges = Vec::new();
    for cluster in 0..CLUSTERS {
        for _ in 0..4 * SIZE {
            let (a, b) = (random.below(SIZE), random.below(SIZE - 1));
            edges.push((1, vec![lit(cluster, a), lit(cluster, if b < a { b } else { b + 1 })]));
        }
        edges.push((1, vec![lit(cluster, 0), lit((cluster + 1) % CLUSTERS, SIZE - 1)]));
    }
    edges.push((2, to.iter().map(|&var| Lit::positive(var)).collect()));
    random.shuffle(&mut edges);
    let places = positions(CLUSTERS * SIZE, &graph(&edges));
    for cluster in 0..CLUSTERS {
        let places: Vec<u32> = (0..SIZE).map(|member| places[lit(cluster, member).vidx()]).collect();
        let (first, last) = (places.iter().min().unwrap(), places.iter().max().unwrap());
        assert!((last - first) as usize <= SIZE + 1, "{places:?}");
    }
}

/// Sums along the rows, columns and diagonals of a scrambled grid: rows or columns stay together, one beside the next.
/// With clauses on as many literals, the order is another one.
#[test]
fn grids_go_by_their_lines() {
    const SIDE: usize = 12;
    let mut random = Random::new(6);
    let mut to: Vec<u32> = (0..(SIDE * SIDE) as u32).collect();
    random.shuffle(&mut to);
    let cells = || (0..SIDE * SIDE).map(|cell| (cell / SIDE, cell % SIDE));
    let lines: [fn(usize, usize) -> usize; 4] =
        [|row, _| row, |_, column| column, |row, column| row + column, |row, column| row + SIDE - column];
    let mut edges = Vec::new();
    for line in lines {
        for number in 0..2 * SIDE {
            let on = cells().filter(|&(row, column)| line(row, column) == number);
            let lits: Vec<Lit> = on.map(|(row, column)| Lit::positive(to[row * SIDE + column])).collect();
            edges.extend((!lits.is_empty()).then(|| (2 + lits.len() as u64, lits)));
        }
    }
    random.shuffle(&mut edges);
    let mut graph = graph(&edges);
    for is_counts in [true, false] {
        graph.is_counts = is_counts;
        let found = search::positions(SIDE * SIDE, &graph, &mut || false);
        assert_eq!(found.is_by_lines, is_counts);
        let span = |lits: &[Lit]| {
            let places = || lits.iter().map(|lit| found.of[lit.vidx()]);
            places().max().unwrap() - places().min().unwrap()
        };
        let near = edges.iter().filter(|(_, lits)| lits.len() == SIDE && span(lits) < 14).count();
        assert_eq!(near >= SIDE, is_counts, "{near}");
    }
}

/// Long edges are no matter of quadratic time; the orders of the cheaper efforts are permutations too.
#[test]
fn large_graphs() {
    let mut random = Random::new(4);
    let n_vars = 100_000;
    let mut large = Hypergraph::default();
    large.add(2, (0..n_vars as u32).map(Lit::positive));
    large.add(3, (0..n_vars as u32 / 3).map(Lit::negative));
    while large.lits.len() < OrderEffort::FULL + 200_000 {
        let at = random.below(n_vars - 50);
        large.add(1, (0..3).map(|_| Lit::positive((at + random.below(50)) as u32)));
    }
    let mut found = positions(n_vars, &large);
    found.sort_unstable();
    assert!(found.into_iter().eq(0..n_vars as u32));
}

/// Edges that are apart are put in the same order without a search, and so are all others.
#[test]
fn edges_that_are_apart_need_no_search() {
    let mut random = Random::new(5);
    let (mut taken_out, mut by_lines) = (0, 0);
    for round in 0..600 {
        let most = [20, 60, 200][round % 3];
        let mut vars: Vec<u32> = (0..most as u32).collect();
        random.shuffle(&mut vars);
        let mut edges: Vec<(u64, Vec<Lit>)> = Vec::new();
        let mut at = 0;
        while at < most {
            // One after the other, some of them with a variable of those before.
            let end = (at + 1 + random.below(if round % 5 == 0 { most } else { 8 })).min(most);
            let mut edge = vars[at..end].to_vec();
            edge.extend((at > 0 && random.below(3) == 0).then(|| vars[random.below(at)]));
            let lits = edge.iter().map(|&var| Lit::new(var, random.below(2) == 0)).collect();
            edges.push((1 + random.below(3) as u64, lits));
            at = end;
        }
        let mut graph = graph(&edges);
        graph.is_counts = round % 2 == 0;
        let Positions { of: whole, is_by_lines } = search::positions(most, &graph, &mut || false);
        let within = search::positions_within(most, &graph, &mut || false);
        assert!(most < 100 || within.is_by_lines == is_by_lines, "{edges:?}");
        by_lines += usize::from(is_by_lines);
        let within = within.of;
        taken_out += usize::from(whole != within);
        for (_, lits) in &edges {
            let sorted = |positions: &[u32]| {
                let mut lits = lits.clone();
                lits.sort_by_key(|lit| positions[lit.vidx()]);
                lits
            };
            assert_eq!(sorted(&within), sorted(&whole), "{edges:?}");
        }
    }
    assert!(taken_out > 300 && by_lines > 30, "{taken_out} {by_lines}");
}
