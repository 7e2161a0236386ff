use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::*;
use crate::{Question, Questions};
use cnfkit_core::internals::Random;
use cnfkit_core::{AmoEncoding, CardEncoding, ClauseSink, Constrain, Limits, PbEncoding, Stopped};

/// Kissat starts over with every question, and takes no limit on conflicts.
const ASKED_AGAIN: bool = cfg!(any(feature = "batsat", feature = "cadical", feature = "glucose", feature = "minisat"));

const STRATEGIES: [Strategy; 3] = [Strategy::Auto, Strategy::SolutionImproving, Strategy::CoreGuided];

/// A formula by lot and its objective.
fn random_formula(random: &mut Random) -> Formula {
    let n = 1 + random.below(9);
    let lit = |random: &mut Random| Lit::new(random.below(n) as u32, random.below(2) == 0);
    let mut formula = Formula::with_vars(n);
    for _ in 0..random.below(2 * n + 2) {
        let clause: Vec<Lit> = (0..=random.below(3)).map(|_| lit(random)).collect();
        formula.add_clause(&clause).unwrap();
    }
    for _ in 0..random.below(3) {
        let lits: Vec<Lit> = (0..random.below(n + 1)).map(|_| lit(random)).collect();
        let bound = random.below(lits.len() + 1);
        match random.below(2) {
            0 => formula.at_least(&lits, bound, &CardEncoding::Auto).unwrap(),
            _ => formula.at_most(&lits, bound, &CardEncoding::Auto).unwrap(),
        }
    }
    let most = [1, 3, 20, 1_000_000, i64::MAX as usize][random.below(5)];
    let terms: Vec<(Lit, i64)> = (0..random.below(2 * n + 1))
        .map(|_| {
            let weight = match random.below(4) {
                0 => 1_i64 << random.below(63),
                _ => (random.below(most) + 1) as i64,
            };
            (lit(random), if random.below(3) == 0 { -weight } else { weight })
        })
        .collect();
    formula.set_objective(terms);
    formula
}

fn value(formula: &Formula, is_true: impl Fn(Lit) -> bool) -> i128 {
    formula.objective().iter().filter(|(lit, _)| is_true(*lit)).map(|&(_, weight)| i128::from(weight)).sum()
}

fn satisfies(formula: &Formula, is_true: impl Fn(Lit) -> bool + Copy) -> bool {
    formula.clauses().all(|clause| clause.iter().any(|&lit| is_true(lit)))
        && formula.constraints().all(|constraint| constraint.holds(is_true))
}

/// The least value, by looking at every assignment.
fn by_force(formula: &Formula) -> Option<i128> {
    (0..1_u32 << formula.n_vars())
        .filter_map(|code| {
            let is_true = |lit: Lit| (code >> lit.vidx() & 1 == 1) == lit.is_pos();
            satisfies(formula, is_true).then(|| value(formula, is_true))
        })
        .min()
}

/// The greatest value, by looking at every assignment and by a search.
#[test]
fn greatest_values() {
    let mut random = Random::new(11);
    for _ in 0..150 {
        let formula = random_formula(&mut random);
        let mut negated = formula.clone();
        negated.set_objective(formula.objective().iter().map(|&(lit, weight)| (lit, -weight)));
        let expected = by_force(&negated).map(|least| -least);
        for strategy in STRATEGIES {
            let search = formula.ask().strategy(strategy).on_improvement(|better| {
                assert!(better.lower_bound == better.value && better.upper_bound >= better.value, "{formula:?}");
                assert_eq!(value(&formula, |lit| better.solution.is_true(lit)), better.value);
            });
            let found = search.maximum().unwrap();
            assert_eq!(found.as_ref().map(|best| best.value), expected, "{formula:?}");
            let Some(best) = found else { continue };
            assert!(best.is_optimal() && best.upper_bound == best.value && best.lower_bound == best.value);
            assert_eq!(value(&formula, |lit| best.model.is_true(lit)), best.value);
        }
    }
}

/// Sums with many different weights on both sides: cores and bounds take turns.
#[test]
fn dense_weights() {
    let mut random = Random::new(23);
    for round in 0..if ASKED_AGAIN { 120 } else { 4 } {
        let n = 11;
        let mut formula = Formula::with_vars(n);
        if round % 2 == 0 {
            // Groups that the sums are encoded by: of three, at most one is false.
            let vars: Vec<Lit> = (0..9).map(Lit::negative).collect();
            vars.chunks(3).for_each(|group| formula.at_most_one(group, &AmoEncoding::Auto).unwrap());
        }
        let lits = |random: &mut Random| -> Vec<(Lit, u64)> {
            (0..n as u32).map(|var| (Lit::new(var, random.below(4) == 0), 1 + random.below(40) as u64)).collect()
        };
        for _ in 0..4 {
            let terms = lits(&mut random);
            let total: u64 = terms.iter().map(|&(_, weight)| weight).sum();
            formula.pb_at_least(&terms, total / 2 + random.below(30) as u64, &PbEncoding::Auto).unwrap();
        }
        formula.set_objective(lits(&mut random).into_iter().map(|(lit, weight)| (lit, weight as i64)));
        let expected = by_force(&formula);
        for strategy in STRATEGIES {
            check(&formula, expected, strategy, &|search| search.minimum().unwrap());
        }
    }
}

fn check(formula: &Formula, expected: Option<i128>, strategy: Strategy, solve: &dyn Fn(Question) -> Option<Optimum>) {
    let mut reports = Vec::new();
    let search = formula.ask().strategy(strategy).on_improvement(|better| {
        assert_eq!(value(formula, |lit| better.solution.is_true(lit)), better.value);
        reports.push((better.value, better.lower_bound));
    });
    let best = solve(search);
    assert_eq!(best.as_ref().map(|best| best.value), expected, "{strategy:?}: {formula:?}");
    // Each says something new: a better value, or a better bound.
    let is_better = |pair: &[(i128, i128)]| pair[0].0 >= pair[1].0 && pair[0].1 <= pair[1].1 && pair[0] != pair[1];
    assert!(reports.windows(2).all(is_better), "{reports:?}");
    assert!(reports.iter().all(|&(value, bound)| bound <= value), "{reports:?}");
    assert_eq!(reports.last().copied(), expected.map(|value| (value, value)), "the proven bound is reported");
    if let Some(best) = best {
        assert!(best.is_optimal());
        assert_eq!(best.lower_bound, best.value);
        assert_eq!(best.model.len(), formula.n_vars());
        assert!(satisfies(formula, |lit| best.model.is_true(lit)));
        assert_eq!(value(formula, |lit| best.model.is_true(lit)), best.value);
    }
}

#[test]
fn optimum_by_every_strategy() {
    let mut random = Random::new(5);
    let mut unsatisfiable = 0;
    let formulas = if ASKED_AGAIN { 1_500 } else { 90 };
    for _ in 0..formulas {
        let formula = random_formula(&mut random);
        let expected = by_force(&formula);
        unsatisfiable += usize::from(expected.is_none());
        for strategy in STRATEGIES {
            check(&formula, expected, strategy, &|search| search.minimum().unwrap());
            #[cfg(feature = "cadical")]
            check(&formula, expected, strategy, &|search| {
                search.solver(cnfkit_core::solvers::CaDiCaL::default).minimum().unwrap()
            });
        }
    }
    assert!((formulas / 30..formulas / 2).contains(&unsatisfiable), "{unsatisfiable}");
}

/// Literals of which at most one is true, by a constraint, by clauses, by chains of clauses and by heavy weights, are
/// seen before the first conflict: the lower bound needs none.
#[test]
fn exclusive_literals_need_no_conflicts() {
    if !ASKED_AGAIN {
        return;
    }
    let mut formula = Formula::new();
    let x = formula.new_lits(40);
    formula.at_most(&x[..10], 1, CardEncoding::Auto).unwrap();
    for (a, b) in (10..20).flat_map(|a| (10..a).map(move |b| (a, b))) {
        formula.add_clause(&[!x[a], !x[b]]).unwrap();
    }
    let links = formula.new_lits(9);
    for at in 0..9 {
        // Sequential: what is true makes the links from there on true.
        formula.add_clause(&[!x[20 + at], links[at]]).unwrap();
        formula.add_clause(&[!x[20 + at + 1], !links[at]]).unwrap();
        if at > 0 {
            formula.add_clause(&[!links[at - 1], links[at]]).unwrap();
        }
    }
    let heavy: Vec<(Lit, u64)> = x[30..].iter().zip(51..).map(|(&lit, weight)| (lit, weight)).collect();
    formula.pb_at_most(&heavy, 100, PbEncoding::Auto).unwrap();
    formula.set_objective(x.iter().zip(1..).map(|(&lit, at)| (lit, -(at * 7 % 41 + 3))));
    let best = formula.ask().strategy(Strategy::CoreGuided).minimum().unwrap().unwrap();
    let most = |range: std::ops::Range<i128>| range.map(|at| at * 7 % 41 + 3).max().unwrap();
    let expected = most(1..11) + most(11..21) + most(21..31) + most(31..41);
    assert_eq!((best.value, best.is_optimal()), (-expected, true));
    assert!(best.conflicts <= 3, "{}", best.conflicts);
}

/// Cliques whose edges are soft clauses, each so heavy that the first solution makes it a clause: once that is seen,
/// their vertices exclude each other, and the lower bound needs few conflicts.
#[test]
fn exclusive_literals_of_hardened_clauses() {
    if !ASKED_AGAIN {
        return;
    }
    let (cliques, size) = (12, 9);
    let mut formula = Formula::new();
    let x = formula.new_lits(cliques * size);
    let mut objective: Vec<(Lit, i64)> = x.iter().map(|&lit| (!lit, 1)).collect();
    for clique in x.chunks(size) {
        for (a, b) in (0..size).flat_map(|a| (0..a).map(move |b| (a, b))) {
            let broken = formula.new_lit();
            formula.add_clause(&[!clique[a], !clique[b], broken]).unwrap();
            objective.push((broken, 1_000));
        }
    }
    formula.set_objective(objective);
    let best = formula.ask().strategy(Strategy::CoreGuided).minimum().unwrap().unwrap();
    assert_eq!((best.value, best.is_optimal()), ((cliques * (size - 1)) as i128, true));
    assert!(best.conflicts <= 100, "{}", best.conflicts);
}

/// One vertex of every clique, no two of an edge, where such a choice is planted: that cliques exclude their vertices
/// is the bound, and the linear relaxation is far from it. So the cores go on without it.
#[cfg(all(feature = "relaxation", feature = "batsat"))]
#[test]
fn cores_that_beat_the_relaxation() {
    let (cliques, size, edges) = (30, 15, 16_500);
    let mut random = Random::new(3);
    let mut formula = Formula::new();
    let x = formula.new_lits(cliques * size);
    for clique in x.chunks(size) {
        for (a, b) in (0..size).flat_map(|a| (0..a).map(move |b| (a, b))) {
            formula.add_clause(&[!clique[a], !clique[b]]).unwrap();
        }
    }
    let planted: Vec<usize> = (0..cliques).map(|clique| clique * size + random.below(size)).collect();
    for _ in 0..edges {
        let [a, b] = [0; 2].map(|_| random.below(cliques * size));
        if a / size != b / size && !(planted.contains(&a) && planted.contains(&b)) {
            formula.add_clause(&[!x[a], !x[b]]).unwrap();
        }
    }
    formula.set_objective(x.iter().map(|&lit| (lit, 1)));
    let limit = Limits::none().conflicts(20_000);
    let best = formula.ask().limits(limit).maximum().unwrap().unwrap();
    assert_eq!((best.value, best.is_optimal()), (cliques as i128, true));
}

/// Where a count is the bound of the objective, no strategy has to search for that.
#[test]
fn a_count_that_is_the_bound_is_no_search() {
    let mut formula = Formula::new();
    let x = formula.new_lits(1_000);
    formula.at_most(&x, 3, &CardEncoding::Auto).unwrap();
    formula.set_objective(x.iter().map(|&lit| (lit, 1)));
    for strategy in STRATEGIES {
        let conflicts = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
        let limits = Limits::none().conflicts(10_000).count_conflicts(std::sync::Arc::clone(&conflicts));
        let best = formula.ask().strategy(strategy).limits(limits).maximum().unwrap().unwrap();
        assert_eq!((best.value, best.is_optimal()), (3, true), "{strategy:?}");
        let conflicts = conflicts.load(std::sync::atomic::Ordering::Relaxed);
        assert!(conflicts < 100, "{strategy:?}: {conflicts}");
    }
}

/// The Petersen graph: outer cycle, spokes, and the inner star.
#[test]
fn petersen_graph() {
    let edges = (0..5).flat_map(|i| [(i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5)]);
    let mut formula = Formula::new();
    let x = formula.new_lits(10);
    for (a, b) in edges {
        formula.add_clause(&[x[a], x[b]]).unwrap();
    }
    formula.set_objective(x.iter().map(|&lit| (lit, 1)));
    for strategy in STRATEGIES {
        check(&formula, Some(6), strategy, &|search| search.minimum().unwrap()); // the largest independent set has 4
    }
}

/// A minimum vertex cover of a graph by lot, too hard to finish soon.
fn hard(n: usize) -> Formula {
    let mut random = Random::new(9);
    let mut formula = Formula::new();
    let x = formula.new_lits(n);
    for _ in 0..6 * n {
        let (a, b) = (random.below(n), random.below(n));
        if a != b {
            formula.add_clause(&[x[a], x[b]]).unwrap();
        }
    }
    let weights: Vec<i64> = (0..n).map(|_| 100 + random.below(900) as i64).collect();
    formula.set_objective(x.iter().copied().zip(weights));
    formula
}

#[test]
fn limits_end_with_the_best_so_far() {
    if !ASKED_AGAIN {
        return;
    }
    let formula = hard(400);
    for strategy in STRATEGIES {
        let start = Instant::now();
        let limits = Limits::none().time(Duration::from_millis(400));
        let found = formula.ask().strategy(strategy).limits(limits).minimum().unwrap().unwrap();
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
        assert_eq!((found.stopped, found.is_optimal()), (Some(Stopped::Time), false));
        assert!(0 < found.value && found.lower_bound < found.value);
        assert!(satisfies(&formula, |lit| found.model.is_true(lit)));

        let found = formula.ask().strategy(strategy).limits(Limits::none().conflicts(300)).minimum().unwrap().unwrap();
        assert_eq!(found.stopped, Some(Stopped::Conflicts));
        // Glucose looks at the limit when it restarts, which may be some hundred conflicts later.
        let is_glucose = cfg!(all(feature = "glucose", not(any(feature = "batsat", feature = "cadical"))));
        let most = if is_glucose { 1_500 } else { 400 };
        assert!((200..=most).contains(&found.conflicts), "{}", found.conflicts);

        let flag = Arc::new(AtomicBool::new(false));
        let raise = Arc::clone(&flag);
        let search = formula.ask().strategy(strategy).limits(Limits::none().cancel(flag));
        let found = search.on_improvement(move |_| raise.store(true, Ordering::Relaxed)).minimum().unwrap().unwrap();
        assert_eq!(found.stopped, Some(Stopped::Cancelled));
    }
}

#[test]
fn limits_before_any_solution_are_errors() {
    let formula = hard(50);
    let limits = Limits::none().cancel(Arc::new(AtomicBool::new(true)));
    assert!(matches!(formula.ask().limits(limits).minimum(), Err(SolveError::Interrupted(_))));
    assert!(matches!(formula.ask().limits(Limits::none().conflicts(0)).minimum(), Err(SolveError::Interrupted(_))));
}

#[test]
fn no_objective_and_no_variables() {
    for strategy in STRATEGIES {
        let best = Formula::new().ask().strategy(strategy).minimum().unwrap().unwrap();
        assert_eq!((best.value, best.lower_bound, best.model.len(), best.is_optimal()), (0, 0, 0, true));
    }
    let mut formula = Formula::with_vars(1);
    formula.add_clause(&[]).unwrap();
    assert_eq!(formula.minimum().unwrap(), None);
}

/// Once nothing that costs as much as the best solution is looked for any more, cores may cost more than it does.
#[test]
fn no_bound_is_above_the_optimum() {
    let lits = |numbers: &[i32]| numbers.iter().map(|&number| Lit::from_ipasir(number).unwrap()).collect::<Vec<_>>();
    let mut formula = Formula::with_vars(24);
    for clause in [
        &[9, -18, 12, -2, 11][..],
        &[-7, -10, 10],
        &[1, 17, -13, -19],
        &[-7, 2, 6, -4],
        &[-5, -13, -18, 7, 6],
        &[-4, -16, 2, 14, 21],
    ] {
        formula.add_clause(&lits(clause)).unwrap();
    }
    let one = lits(&[1, 2, 4, 5, -3, -18, -12, 9, 14, 21, 13, -19, 16, -22, 7]);
    formula.at_most(&one, 1, &CardEncoding::Auto).unwrap();
    let seven = lits(&[-2, 18, -11, 19, 17, -3, -5, -10, 22, 15, 4, -21, 12, 14, 24]);
    formula.when(&lits(&[4])).at_most(&seven, 7, &CardEncoding::Auto).unwrap();
    let some = lits(&[-8, 2, 15, -24, -19, 4, -9, 10, 12, 21, 6, 5, 18, -7, 23, -17, -22, 13, -14, 16, 3]);
    formula.at_least(&some, 7, &CardEncoding::Auto).unwrap();
    let goal = lits(&[1, -2, 3, -4, -5, -6, -7, -8, -9, 10, -11, 12]);
    formula.set_objective(goal.into_iter().zip([5, 3, 3, 4, 2, 2, 3, 4, 3, 2, 1, 4]));
    for strategy in STRATEGIES {
        let best = formula.ask().strategy(strategy).minimum().unwrap().unwrap();
        assert!(best.is_optimal() && best.lower_bound == best.value, "{strategy:?}: {best:?}");
    }
}

/// A time limit of what two sums of weights take to plan ends the question long before all are planned: it holds but
/// for the sum that is being planned when it is over. Processor time, as other tests run beside this one, and a ratio,
/// as machines and builds differ.
#[cfg(target_os = "linux")]
#[test]
fn a_time_limit_holds_while_sums_are_planned() {
    const SUMS: usize = 30;
    let sums_of = |sums: usize| {
        let mut random = Random::new(1);
        let mut formula = Formula::new();
        let x = formula.new_lits(3000);
        for _ in 0..sums {
            let terms: Vec<(Lit, u64)> = x.iter().map(|&lit| (lit, 1 + random.below(1000) as u64)).collect();
            let half = terms.iter().map(|&(_, weight)| weight).sum::<u64>() / 2;
            formula.pb_at_most(&terms, half, &PbEncoding::Auto).unwrap();
        }
        formula.set_objective(x.iter().map(|&lit| (lit, -1)));
        formula
    };
    // Hundredths of a second of this thread: the 12th and 13th field after its name.
    let ticks = || -> u64 {
        let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        let (_, fields) = stat.rsplit_once(')').unwrap();
        fields.split_whitespace().skip(11).take(2).map(|ticks| ticks.parse::<u64>().unwrap()).sum()
    };
    let (all, few) = (sums_of(SUMS), sums_of(2));
    let before = ticks();
    assert!(few.size().clauses > 0);
    let planned = ticks() - before;
    let before = ticks();
    // Cores alone: with the relaxation, sums are not planned at first.
    let search = all.ask().strategy(Strategy::CoreGuided);
    let found = search.limits(Limits::none().time(Duration::from_millis(10 * planned))).minimum();
    let spent = ticks() - before;
    assert!(matches!(found, Err(SolveError::Interrupted(_))), "{found:?}");
    assert!(spent < planned * SUMS as u64 / 6, "{spent} hundredths of a second; two sums: {planned}");
}

/// Where most variables occur nowhere, the best solution is one of all variables, and takes a byte for each.
#[test]
fn gaps_cost_a_byte_a_variable() {
    const APART: u32 = 1 << 20;
    let vertices = |apart: u32| {
        let mut formula = Formula::with_vars(7 * apart as usize + 1);
        let x: Vec<Lit> = (0..8).map(|var| Lit::positive(var * apart)).collect();
        x.windows(2).for_each(|edge| formula.add_clause(edge).unwrap());
        formula.at_least(&[x[0], x[2], x[4]], 2, &CardEncoding::Auto).unwrap();
        formula.set_objective(x.iter().zip([3, 2, 4, 1, 5, 6, 2, 7]).map(|(&lit, weight)| (lit, weight)));
        (formula, x)
    };
    let (dense, _) = vertices(1);
    let expected = by_force(&dense);
    let (formula, x) = vertices(APART);
    let (mut lengths, mut best) = (Vec::new(), None);
    let memory = allocation_counter::measure(|| {
        let search = formula.ask().on_improvement(|found| lengths.push(found.solution.len()));
        best = search.minimum().unwrap();
    });
    let best = best.expect("a solution");
    assert_eq!((Some(best.value), best.is_optimal()), (expected, true));
    assert!(satisfies(&formula, |lit| best.model.is_true(lit)));
    assert_eq!(value(&formula, |lit| best.model.is_true(lit)), best.value);
    assert_eq!(
        best.model.iter().filter(|lit| lit.is_pos()).count(),
        x.iter().filter(|&&lit| best.model.is_true(lit)).count()
    );
    assert!(!lengths.is_empty() && lengths.iter().all(|&len| len == formula.n_vars()), "{lengths:?}");
    assert!(memory.bytes_max < 4 * formula.n_vars() as u64, "{}", memory.bytes_max);
}

/// A vertex cover by lot, with weights, and edges that are not in it.
fn vertex_cover(random: &mut Random) -> (Formula, Vec<[Lit; 2]>) {
    let n = 12;
    let mut formula = Formula::new();
    let x = formula.new_lits(n);
    let mut edge = || [0, 1 + random.below(n - 1)].map(|step| step + random.below(n)).map(|at| x[at % n]);
    for _ in 0..30 {
        formula.add_clause(&edge()).unwrap();
    }
    let others = (0..10).map(|_| edge()).collect();
    formula.set_objective(x.iter().map(|&lit| (lit, 10 + random.below(20) as i64)));
    (formula, others)
}

/// Conflicts are those of all solvers that took part: they never fall.
#[test]
fn conflicts_are_counted_on() {
    let mut random = Random::new(3);
    for _ in 0..20 {
        let (formula, _) = vertex_cover(&mut random);
        let mut told = Vec::new();
        let best = formula.ask().on_improvement(|found| told.push(found.conflicts)).minimum();
        told.push(best.unwrap().unwrap().conflicts);
        assert!(told.is_sorted(), "{told:?}");
    }
}

/// No solver is left whose clauses the lazy constraint counts on.
#[test]
fn a_lazy_clause_is_asked_for_once() {
    let mut random = Random::new(4);
    for _ in 0..20 {
        let (formula, others) = vertex_cover(&mut random);
        let mut asked = Vec::new();
        let violated = |is_true: &dyn Fn(Lit) -> bool| {
            let clauses = others.iter().filter(|clause| !clause.iter().any(|&lit| is_true(lit)));
            let clauses: Vec<Vec<Lit>> = clauses.map(|clause| clause.to_vec()).collect();
            assert!(clauses.iter().all(|clause| !asked.contains(clause)), "{asked:?}");
            asked.extend_from_slice(&clauses);
            Ok(clauses)
        };
        assert!(formula.ask().lazy(violated).minimum().unwrap().unwrap().is_optimal());
    }
}

/// A literal of a soft clause is true only where the clause is violated, in each solution that is told.
#[test]
fn solutions_cost_what_they_violate() {
    let mut random = Random::new(11);
    for strategy in [Strategy::Auto, Strategy::CoreGuided, Strategy::SolutionImproving] {
        let mut formula = Formula::new();
        let x = formula.new_lits(40);
        let some = |random: &mut Random| {
            let lit = x[random.below(x.len())];
            if random.below(2) == 0 { lit } else { !lit }
        };
        let soft: Vec<[Lit; 3]> = (0..150).map(|_| std::array::from_fn(|_| some(&mut random))).collect();
        let violated = formula.new_lits(soft.len());
        for (clause, &own) in soft.iter().zip(&violated) {
            formula.add_clause(&[clause[0], clause[1], clause[2], own]).unwrap();
        }
        formula.set_objective((1..).zip(&violated).map(|(weight, &lit)| (lit, weight % 7 + 1)));
        let mut n_told = 0;
        let told = |found: &Improvement<'_>| {
            n_told += 1;
            let is_violated = |clause: &[Lit; 3]| !clause.iter().any(|&lit| found.solution.is_true(lit));
            let costs = (1..).zip(&soft).filter(|(_, clause)| is_violated(clause)).map(|(weight, _)| weight % 7 + 1);
            assert_eq!(found.value, costs.sum::<i128>());
        };
        // It says that all are violated, as one that says nothing of them may.
        formula.ask().strategy(strategy).hint(&violated).on_improvement(told).minimum().unwrap().unwrap();
        assert!(n_told > 0);
    }
}
