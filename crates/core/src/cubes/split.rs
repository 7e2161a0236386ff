//! The tree of decisions whose leaves are the cubes.
//!
//! The leaf with the fewest values is split next, on the variable whose two sides have the most values by unit
//! propagation: their numbers are multiplied, so that both are to be many, and a split is balanced. Tried are the
//! variables that occur most, in short clauses most of all, of the formula and among the auxiliaries apart: an
//! auxiliary that says "at least half" splits a count where no variable does.
//!
//! Source: M. Heule, O. Kullmann, S. Wieringa, A. Biere, *Cube and conquer: guiding CDCL SAT solvers by lookaheads*,
//! HVC 2011, LNCS 7261, pages 50–65.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustsat::types::Lit;

use super::propagate::Propagator;
use crate::cnf::Cnf;
use crate::limits::SolveError;
use crate::running::Clock;
use crate::sort;

/// The variables of each kind that are tried for a split. More cost time in proportion; the lists are in the order of
/// their weights, so that the last of them are seldom chosen.
const TRIED: usize = 24;

/// The variables that are split on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Among {
    #[cfg(test)]
    Variables,
    #[cfg(test)]
    Auxiliaries,
    All,
}

/// A part of the formula.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Leaf {
    /// The number of variables that have values.
    n_values: usize,
    /// The decisions, and the literals that look-ahead found to follow from them, in their order.
    path: Vec<(Lit, bool)>,
}

impl Leaf {
    /// The decisions alone.
    fn cube(&self) -> Vec<Lit> {
        self.path.iter().filter(|(_, is_decision)| *is_decision).map(|&(lit, _)| lit).collect()
    }
}

/// A split of a leaf: the variable, and the number of values on both sides.
enum LeafSplit {
    On(Lit, [usize; 2]),
    /// The leaf has no model.
    Refuted,
    /// Nothing is left to split on.
    Done,
}

/// At most `n` cubes: each assignment that satisfies the clauses satisfies exactly one of them.
pub(super) fn split(
    cnf: &Cnf,
    n_vars: usize,
    n: usize,
    among: Among,
    clock: &Clock,
) -> Result<Vec<Vec<Lit>>, SolveError> {
    clock.check()?;
    let Some(mut propagator) = Propagator::new(cnf) else { return Ok(Vec::new()) };
    let candidates = candidates(cnf, n_vars, among);
    let mut open = BinaryHeap::from([Reverse(Leaf { n_values: propagator.mark(), path: Vec::new() })]);
    let (root, mut cubes) = (propagator.mark(), Vec::new());
    while cubes.len() + open.len() < n
        && let Some(Reverse(mut leaf)) = open.pop()
    {
        clock.check()?;
        // What follows was found after the sides of the decision had been tried, and may contradict one.
        let is_open = leaf.path.iter().all(|&(lit, _)| propagator.assume(lit));
        match if is_open { choose(&mut propagator, &candidates, &mut leaf.path) } else { LeafSplit::Refuted } {
            LeafSplit::Refuted => {}
            LeafSplit::Done => cubes.push(leaf.cube()),
            LeafSplit::On(lit, n_values) => {
                for (lit, n_values) in [lit, !lit].into_iter().zip(n_values) {
                    let path = leaf.path.iter().copied().chain([(lit, true)]).collect();
                    open.push(Reverse(Leaf { n_values, path }));
                }
            }
        }
        propagator.undo(root);
    }
    cubes.extend(open.iter().map(|Reverse(leaf)| leaf.cube()));
    sort::by(&mut cubes, Ord::cmp);
    Ok(cubes)
}

/// Variables by their weight, the heaviest first: those of the formula, and auxiliaries.
fn candidates(cnf: &Cnf, n_vars: usize, among: Among) -> [Vec<Lit>; 2] {
    let mut weight = vec![0.0_f64; 2 * cnf.n_vars()];
    for clause in cnf.clauses() {
        let of_clause = 0.5_f64.powi(clause.len().min(60) as i32);
        clause.iter().for_each(|lit| weight[lit.lidx()] += of_clause);
    }
    let both = |lit: &Lit| weight[lit.lidx()] * weight[(!*lit).lidx()];
    let sorted = |range: std::ops::Range<usize>| {
        let mut lits: Vec<Lit> = range.map(|var| Lit::positive(var as u32)).filter(|lit| both(lit) > 0.0).collect();
        sort::by(&mut lits, |a, b| both(b).total_cmp(&both(a)));
        lits
    };
    match among {
        #[cfg(test)]
        Among::Variables => [sorted(0..n_vars), Vec::new()],
        #[cfg(test)]
        Among::Auxiliaries => [Vec::new(), sorted(n_vars..cnf.n_vars())],
        Among::All => [sorted(0..n_vars), sorted(n_vars..cnf.n_vars())],
    }
}

/// Looks ahead from where the propagator stands. A side that fails makes the other one follow, and joins the path.
fn choose(propagator: &mut Propagator, candidates: &[Vec<Lit>; 2], path: &mut Vec<(Lit, bool)>) -> LeafSplit {
    let mut best: Option<(usize, Lit, [usize; 2])> = None;
    for kind in candidates {
        let mut tried = 0;
        for &lit in kind {
            if tried == TRIED {
                break;
            }
            if propagator.value(lit).is_some() {
                continue;
            }
            tried += 1;
            let mark = propagator.mark();
            let mut side = |lit: Lit| {
                let n_values = propagator.assume(lit).then(|| propagator.mark());
                propagator.undo(mark);
                n_values
            };
            let follows = match [side(lit), side(!lit)] {
                [None, None] => return LeafSplit::Refuted,
                [None, Some(_)] => !lit,
                [Some(_), None] => lit,
                [Some(a), Some(b)] => {
                    let product = (a - mark).saturating_mul(b - mark);
                    if best.is_none_or(|(most, ..)| product > most) {
                        best = Some((product, lit, [a, b]));
                    }
                    continue;
                }
            };
            // No contradiction: this side was tried.
            propagator.assume(follows);
            path.push((follows, false));
            // The best may have got a value by that.
            best = best.filter(|&(_, lit, _)| propagator.value(lit).is_none());
        }
    }
    best.map_or(LeafSplit::Done, |(_, lit, n_values)| LeafSplit::On(lit, n_values))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choose::CardEncoding;
    use crate::constrain::Constrain;
    use crate::formula::Formula;
    use crate::random::Random;
    use crate::sink::ClauseSink;

    /// Clauses and counts by lot, with few auxiliaries.
    fn small(lot: &mut Random) -> Formula {
        let n = 4 + lot.below(4);
        let mut formula = Formula::with_vars(n);
        let lits = |lot: &mut Random, most: usize| -> Vec<Lit> {
            let mut vars: Vec<u32> = (0..n as u32).collect();
            lot.shuffle(&mut vars);
            (0..=lot.below(most)).map(|at| Lit::new(vars[at], lot.below(2) == 0)).collect()
        };
        for _ in 0..lot.below(3 * n) {
            let clause = lits(lot, 3);
            if clause.len() > 1 || lot.below(6) == 0 {
                formula.add_clause(&clause).unwrap();
            }
        }
        for _ in 0..lot.below(3) {
            let (lits, k) = (lits(lot, n), 1 + lot.below(3));
            formula.at_most(lits, k, &CardEncoding::Sequential).unwrap();
        }
        formula
    }

    /// Each model of the clauses is in exactly one cube, cubes exclude each other, and are no more than asked for.
    #[test]
    fn each_model_is_in_one_cube() {
        let mut lot = Random::new(3);
        let (mut models, mut several, mut refuted, mut fewer) = (0, 0, 0, 0);
        for _ in 0..400 {
            let formula = small(&mut lot);
            let cnf = formula.encode().unwrap();
            if cnf.n_vars() > 14 {
                continue;
            }
            let n = 1 + lot.below(9);
            let among = [Among::Variables, Among::Auxiliaries, Among::All][lot.below(3)];
            let cubes = split(&cnf, formula.n_vars(), n, among, &Clock::default()).unwrap();
            assert!(cubes.len() <= n, "{n}: {cubes:?}");
            for (at, cube) in cubes.iter().enumerate() {
                let excludes = |other: &Vec<Lit>| cube.iter().any(|&lit| other.contains(&!lit));
                assert!(cubes[..at].iter().all(excludes), "{cubes:?}");
            }
            let before = models;
            for bits in 0..1_u32 << cnf.n_vars() {
                let is_true = |lit: &Lit| (bits >> lit.vidx() & 1 == 1) == lit.is_pos();
                if cnf.clauses().all(|clause| clause.iter().any(is_true)) {
                    models += 1;
                    assert_eq!(cubes.iter().filter(|cube| cube.iter().all(is_true)).count(), 1, "{cubes:?} {cnf}");
                }
            }
            several += usize::from(cubes.len() > 1);
            refuted += usize::from(before == models && cubes.is_empty());
            fewer += usize::from(cubes.len() > 1 && cubes.len() < n);
        }
        assert!(models > 2_000 && several > 150 && refuted > 5 && fewer > 10, "{models} {several} {refuted} {fewer}");
    }

    #[test]
    fn a_clock_that_is_over_ends_it() {
        let limits = crate::Limits::none().time(std::time::Duration::ZERO);
        let formula = Formula::with_vars(3);
        assert!(matches!(formula.cubes(4, &limits), Err(SolveError::Interrupted(_))));
        assert_eq!(formula.cubes(0, &crate::Limits::none()).unwrap().iter().len(), 1);
    }

    /// Formulas that take thousands of conflicts, by name.
    #[cfg(feature = "batsat")]
    fn hard() -> Vec<(&'static str, Formula)> {
        let mut lot = Random::new(11);
        let mut all = Vec::new();

        let mut cover = Formula::new();
        let x = cover.new_lits(120);
        for at in 0..120 {
            (0..at).filter(|_| lot.below(10) == 0).for_each(|other| cover.add_clause(&[x[at], x[other]]).unwrap());
        }
        cover.at_most(&x, 82, &CardEncoding::Auto).unwrap();
        all.push(("cover of 120 vertices, at most 82", cover));

        let mut market = Formula::new();
        let x = market.new_lits(20);
        for _ in 0..3 {
            let terms: Vec<(Lit, u64)> = x.iter().map(|&lit| (lit, lot.below(60) as u64)).collect();
            let half = terms.iter().map(|term| term.1).sum::<u64>() / 2;
            market.pb_exactly(&terms, half, &crate::PbEncoding::Auto).unwrap();
        }
        all.push(("market split of 20 in 3 sums", market));

        let mut queens = Formula::new();
        let x: Vec<Vec<Lit>> = (0..9).map(|_| queens.new_lits(9)).collect();
        for (r, c) in (0..81).map(|at| (at / 9, at % 9)) {
            let near = (0..81).map(|at| (at / 9, at % 9)).filter(|&(row, column): &(usize, usize)| {
                row == r || column == c || row.abs_diff(r) == column.abs_diff(c)
            });
            queens.add_clause(&near.map(|(row, column)| x[row][column]).collect::<Vec<_>>()).unwrap();
        }
        queens.at_most(x.concat(), 4, &CardEncoding::Auto).unwrap();
        all.push(("queens that dominate, at most 4 of 81", queens));

        let mut halves = Formula::new();
        let x = halves.new_lits(64);
        for _ in 0..58 {
            let mut some = x.clone();
            lot.shuffle(&mut some);
            halves.exactly(&some[..8], 4, &CardEncoding::Auto).unwrap();
        }
        all.push(("halves of 58 sets of 8", halves));

        let mut rooms = Formula::new();
        let x: Vec<Vec<Lit>> = (0..44).map(|_| rooms.new_lits(5)).collect();
        for (at, row) in x.iter().enumerate() {
            rooms.exactly_one(row, &crate::AmoEncoding::Auto).unwrap();
            for other in (0..at).filter(|_| lot.below(4) == 0) {
                (0..5).for_each(|room| rooms.add_clause(&[!row[room], !x[other][room]]).unwrap());
            }
        }
        for room in 0..5 {
            let column: Vec<Lit> = x.iter().map(|row| row[room]).collect();
            rooms.at_most(&column, 9, &CardEncoding::Auto).unwrap();
        }
        all.push(("44 events in 5 rooms", rooms));
        all
    }

    /// Conflicts of 16 cubes together and of the slowest one, where splits are on variables of the formula, on
    /// auxiliaries, and on both; in `CNFKIT_FORMULAS` the formulas are left as KNF.
    #[cfg(feature = "batsat")]
    #[test]
    #[ignore = "measures"]
    fn kinds_of_splits_measured() {
        use std::sync::Arc;
        use std::sync::atomic::{AtomicU64, Ordering};
        let conflicts = |cnf: &Cnf, cube: &[Lit]| {
            let total = Arc::new(AtomicU64::new(0));
            let mut part = cnf.clone();
            cube.iter().for_each(|&lit| part.add_clause(&[lit]).unwrap());
            let limits = crate::Limits::none().count_conflicts(Arc::clone(&total)).conflicts(3_000_000);
            let found = part.solve_within(&limits).map(|model| model.is_some());
            (found.ok(), total.load(Ordering::Relaxed))
        };
        for (at, (name, formula)) in hard().into_iter().enumerate() {
            if let Ok(place) = std::env::var("CNFKIT_FORMULAS") {
                formula.write_knf(std::fs::File::create(format!("{place}/{at}.knf")).unwrap()).unwrap();
            }
            let cnf = formula.encode().unwrap();
            let (found, whole) = conflicts(&cnf, &[]);
            println!("{name}: {} of {} variables, {found:?}, {whole} conflicts", formula.n_vars(), cnf.n_vars());
            for among in [Among::Variables, Among::Auxiliaries, Among::All] {
                let cubes = split(&cnf, formula.n_vars(), 16, among, &Clock::default()).unwrap();
                let each: Vec<_> = cubes.iter().map(|cube| conflicts(&cnf, cube)).collect();
                let (sum, most) = each.iter().fold((0, 0), |(sum, most), &(_, n)| (sum + n, n.max(most)));
                assert!(found.is_none() || each.iter().any(|&(found, _)| found == Some(true)) == (found == Some(true)));
                println!("  {among:?}: {} cubes, {sum} conflicts, {most} of the slowest", cubes.len());
            }
        }
    }
}
