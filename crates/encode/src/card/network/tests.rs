use rustsat::types::{Lit, Var};

use super::demand::{Demand, Span};
use super::mode::{Mode, NetworkQuestion, Policy, SplitLimits, Splits, Steps, Wires};
use super::odd_even::CombineOutput;
use super::plan::{MergeMethod, Planner};
use super::search::NetworkSearch;
use super::shape::MergeShape;
use super::{CardinalityNetwork, Network, compile, likely, program};
use crate::card::count::tests::{check_counter, check_shared, check_some_outputs};
use crate::random::Random;
use crate::testing::{Engine, Recorder, card_suite, guarded, inputs, relations};
use crate::{AtMostK, ClauseSink, Cnf, Constrain, Relation, Tally};

const FEWEST_CLAUSES: Network = Network { weight: 0, full: false };
const PURE: CardinalityNetwork = CardinalityNetwork { direct: false, four_way: false, weight: 5, full: false };
const PURE_FOUR_WAY: CardinalityNetwork = CardinalityNetwork { four_way: true, ..PURE };
const FOUR_WAY: CardinalityNetwork = CardinalityNetwork { direct: true, ..PURE_FOUR_WAY };

card_suite!(network: Network::default(), Gac);
card_suite!(network_of_fewest_clauses: FEWEST_CLAUSES, Gac);
card_suite!(network_of_few_variables: Network { weight: 5, full: false }, Gac);
card_suite!(full_network: Network { weight: 1, full: true }, Gac);
card_suite!(cardinality_network: CardinalityNetwork::default(), Gac);
card_suite!(pure_cardinality_network: PURE, Gac);
card_suite!(four_way: FOUR_WAY, Gac);
card_suite!(pure_four_way: PURE_FOUR_WAY, Gac);

/// On random orders of the inputs, unit propagation: contradicts nothing that is allowed, and fixes what is left when
/// the bound is met.
fn check_propagation(enc: &dyn AtMostK, n: usize, k: usize, random: &mut Random) {
    for relation in relations(k) {
        let lits = inputs(n);
        let mut recorder = Recorder::new(n);
        recorder.cardinality(&lits, relation, enc).unwrap();
        let mut engine = Engine::new(&recorder);
        for value in [true, false] {
            let enough = if value { k } else { n - k };
            let bounded = !matches!((relation, value), (Relation::AtMost(_), false) | (Relation::AtLeast(_), true));
            for _ in 0..3 {
                let mut order = lits.clone();
                random.shuffle(&mut order);
                let mark = engine.mark();
                for &lit in &order[..enough] {
                    assert!(engine.assume(if value { lit } else { !lit }), "{relation} of {n}: {enough} {value}");
                }
                for &lit in &order[enough..] {
                    assert_eq!(engine.value(lit), bounded.then_some(!value), "{relation} of {n}: the rest");
                }
                engine.undo(mark);
            }
        }
    }
}

#[test]
fn larger_ones_propagate() {
    let mut random = Random::new(1);
    for n in (9..=33).chain([40, 48, 64, 100]) {
        for k in 1..n {
            if n > 16 && k > 4 && k + 4 < n && random.below(n) > 10 {
                continue;
            }
            // Where there are many, every (n, k) for some of the encodings, in turn.
            let mut turn = n + k;
            let mut check = |enc: &dyn Fn(&mut Random)| {
                turn += 1;
                if n <= 14 || turn % 3 == 0 {
                    enc(&mut random);
                }
            };
            for weight in [0, 1, 5] {
                check(&|random| check_propagation(&Network { weight, full: weight == 5 }, n, k, random));
            }
            for enc in [CardinalityNetwork::default(), PURE, FOUR_WAY, PURE_FOUR_WAY] {
                check(&|random| check_propagation(&enc, n, k, random));
            }
        }
    }
}

/// Every assignment of `n` inputs.
fn check_all(enc: &dyn AtMostK, n: usize, k: usize) {
    for relation in relations(k) {
        let lits = inputs(n);
        let mut recorder = Recorder::new(n);
        recorder.cardinality(&lits, relation, enc).unwrap();
        let mut engine = Engine::new(&recorder);
        for bits in 0_u32..1 << n {
            let mark = engine.mark();
            let sat = lits.iter().all(|&lit| engine.assume(if bits >> lit.vidx() & 1 == 1 { lit } else { !lit }))
                && engine.satisfiable();
            engine.undo(mark);
            assert_eq!(sat, relation.allows(bits.count_ones() as usize), "{relation} of {n}: {bits:b}");
        }
    }
}

/// Networks padded to a power of two were wrong for these in another library.
#[test]
fn nine_and_eleven_inputs_are_right() {
    for n in [9, 11] {
        for k in 1..n {
            check_all(&Network::default(), n, k);
            check_all(&CardinalityNetwork::default(), n, k);
            check_all(&PURE, n, k);
            check_all(&PURE_FOUR_WAY, n, k);
        }
    }
}

/// A four-way network of another library let three of seven be true.
#[test]
fn four_way_two_of_seven_is_right() {
    check_all(&PURE_FOUR_WAY, 7, 2);
    check_all(&FOUR_WAY, 7, 2);
    check_all(&Network::default(), 7, 2);
}

/// The weight is what is minimised.
#[test]
fn weight_trades_variables_for_clauses() {
    for (n, k) in [(20, 5), (33, 16), (64, 7), (100, 50)] {
        let (fewest, both) = (FEWEST_CLAUSES.amk_size(n, k), Network::default().amk_size(n, k));
        assert!(fewest.clauses < both.clauses && both.cost() < fewest.cost(), "{k} of {n}: {fewest}; {both}");
    }
}

/// As large as announced beyond the n ≤ 40 of the suite: for all n ≤ 64, every k near either end and every third
/// between.
#[test]
fn sizes_are_exact() {
    let check = |n: usize, k: usize| {
        let enc = Network::default();
        for (relation, size) in
            relations(k).into_iter().zip([enc.amk_size(n, k), enc.alk_size(n, k), enc.exk_size(n, k)])
        {
            let mut tally = Tally::new(n);
            tally.cardinality(&inputs(n), relation, &enc).unwrap();
            assert_eq!(size, tally.size(), "{relation} of {n}");
        }
    };
    for n in 41..=64 {
        (2..=n - 2).filter(|&k| k <= 5 || k + 5 >= n || (n + k) % 3 == 0).for_each(|k| check(n, k));
    }
    for k in [10, 500, 990] {
        check(1000, k);
    }
    check(10_000, 100);
}

/// (n, k), then variables and clauses of the best known: fewest clauses, and fewest of both together.
type Row = (usize, usize, (u64, u64), (u64, u64));

const AT_MOST: [Row; 8] = [
    (8, 3, (11, 30), (11, 30)),
    (20, 5, (47, 138), (38, 144)),
    (50, 10, (215, 557), (185, 573)),
    (100, 10, (476, 1238), (419, 1268)),
    (100, 50, (860, 1948), (661, 2069)),
    (200, 100, (2720, 5446), (2031, 5730)),
    (1000, 10, (5201, 13_500), (4619, 13_793)),
    (1000, 500, (22_809, 53_256), (22_809, 53_256)),
];

const AT_LEAST: [(usize, usize, (u64, u64)); 8] = [
    (8, 3, (15, 28)),
    (20, 5, (59, 124)),
    (50, 10, (197, 567)),
    (100, 10, (413, 1233)),
    (100, 50, (1197, 2534)),
    (200, 100, (3621, 6892)),
    (1000, 10, (4237, 13_157)),
    (1000, 500, (21_993, 57_548)),
];

const EXACTLY: [(usize, usize, (u64, u64)); 7] = [
    (8, 3, (12, 60)),
    (20, 5, (49, 270)),
    (50, 10, (208, 1100)),
    (100, 10, (457, 2420)),
    (100, 50, (774, 3984)),
    (200, 100, (2310, 11_084)),
    (1000, 500, (24_002, 104_712)),
];

#[test]
fn no_larger_than_the_best_known() {
    for (n, k, fewest, best) in AT_MOST {
        let (fewest_clauses, fewest_both) = (FEWEST_CLAUSES.amk_size(n, k), Network::default().amk_size(n, k));
        assert!(fewest_clauses.clauses <= fewest.1, "at most {k} of {n}: {fewest_clauses}");
        assert!(fewest_both.cost() <= best.0 + best.1, "at most {k} of {n}: {fewest_both}");
        assert!(fewest_both.clauses <= best.1, "at most {k} of {n}: {fewest_both}");
    }
    for (n, k, best) in AT_LEAST {
        let (fewest_clauses, size) = (FEWEST_CLAUSES.alk_size(n, k), Network::default().alk_size(n, k));
        assert!(size.vars < best.0 && size.clauses < best.1, "at least {k} of {n}: {size}");
        assert!(fewest_clauses.clauses <= size.clauses);
    }
    for (n, k, best) in EXACTLY {
        let size = Network::default().exk_size(n, k);
        assert!(size.vars <= best.0 && size.clauses <= best.1, "exactly {k} of {n}: {size}");
    }
}

/// The splits that a search leaves out are never best: plans are no larger together than when everything is tried.
#[test]
fn nothing_is_missed() {
    let mut costs = [0; 3];
    for n in (32..=64).step_by(8) {
        for k in 2..n - 1 {
            let enc = Network::default();
            let sizes = [enc.amk_size(n, k), enc.alk_size(n, k), enc.exk_size(n, k)];
            costs.iter_mut().zip(sizes).for_each(|(cost, size)| *cost += size.cost());
        }
    }
    assert_eq!(costs, [152_939, 152_939, 286_250]);
}

#[test]
fn only_the_top_enforces() {
    for n in 3..=24 {
        for k in 1..n {
            let least = k.min(n - k);
            for relation in relations(k) {
                let most = if matches!(relation, Relation::Exactly(_)) { 2 * least + 2 } else { least + 2 };
                let most = if relation == Relation::AtLeast(1) { 1 } else { most };
                assert!(guarded(&Network::default(), relation, n) <= most, "{relation} of {n}");
                assert!(guarded(&FEWEST_CLAUSES, relation, n) <= most, "{relation} of {n}");
                assert!(guarded(&CardinalityNetwork::default(), relation, n) <= most, "{relation} of {n}");
                assert!(guarded(&PURE_FOUR_WAY, relation, n) <= most, "{relation} of {n}");
            }
        }
    }
}

/// The clauses that only define can be satisfied whatever the inputs.
#[test]
fn definitions_alone_say_nothing() {
    struct Definitions(Recorder);
    impl ClauseSink for Definitions {
        type Error = std::convert::Infallible;
        fn add_clause(&mut self, _: &[Lit]) -> Result<(), Self::Error> {
            Ok(())
        }
        fn define(&mut self, clause: &[Lit]) -> Result<(), Self::Error> {
            self.0.define(clause)
        }
        fn new_lit(&mut self) -> Lit {
            self.0.new_lit()
        }
        fn next_var(&self) -> Var {
            self.0.next_var()
        }
    }
    for n in 3..=10 {
        for k in 1..n {
            let lits = inputs(n);
            let mut sink = Definitions(Recorder::new(n));
            sink.exactly(&lits, k, &Network::default()).unwrap();
            sink.at_most(&lits, k, &Network::default()).unwrap();
            let mut engine = Engine::new(&sink.0);
            for bits in 0_u32..1 << n {
                let mark = engine.mark();
                let free = lits.iter().all(|&lit| engine.assume(if bits >> lit.vidx() & 1 == 1 { lit } else { !lit }));
                assert!(free && engine.satisfiable(), "{k} of {n}: {bits:b}");
                engine.undo(mark);
            }
        }
    }
}

#[test]
fn the_same_every_time() {
    let formula = || {
        let mut cnf = Cnf::new();
        let lits = cnf.new_lits(60);
        cnf.exactly(&lits, 20, &Network::default()).unwrap();
        cnf.at_least(&lits, 50, &FEWEST_CLAUSES).unwrap();
        cnf
    };
    let here = formula();
    assert!(here == formula() && here == std::thread::spawn(formula).join().unwrap());
}

#[test]
fn absurd_sizes_are_told_at_once() {
    for n in [1 << 30, u32::MAX as usize, usize::MAX] {
        assert!(Network::default().amk_size(n, n / 2).vars > u64::from(Var::MAX_IDX));
        assert!(Network::default().exk_size(n, n / 2).vars > u64::from(Var::MAX_IDX));
        assert!(PURE_FOUR_WAY.alk_size(n, n / 2).vars > u64::from(Var::MAX_IDX));
    }
}

#[test]
fn networks_count() {
    check_counter(&Network::default());
    check_counter(&CardinalityNetwork::default());
    check_counter(&PURE_FOUR_WAY);
    check_some_outputs(&Network::default());
    check_some_outputs(&PURE);
    check_some_outputs(&FOUR_WAY);
    check_some_outputs(&PURE_FOUR_WAY);
    assert!(check_shared(&Network::default()) > 0);
    assert!(check_shared(&CardinalityNetwork::default()) > 0);
}

/// One model per model of the inputs.
#[test]
fn full_networks_are_parsimonious() {
    for n in 3..=9_usize {
        for k in 1..n {
            for relation in relations(k) {
                let models = (0_u32..1 << n).filter(|bits| relation.allows(bits.count_ones() as usize)).count();
                let mut recorder = Recorder::new(n);
                recorder.cardinality(&inputs(n), relation, &Network { weight: 1, full: true }).unwrap();
                assert_eq!(Engine::new(&recorder).count(0), models, "{relation} of {n}");
                let mut recorder = Recorder::new(n);
                recorder.cardinality(&inputs(n), relation, &CardinalityNetwork { full: true, ..PURE }).unwrap();
                assert_eq!(Engine::new(&recorder).count(0), models, "{relation} of {n}, cardinality network");
            }
        }
    }
}

/// A merge of 3 and 2 for outputs `lo` to `hi`, up.
fn three_and_two(lo: u32, hi: u32) -> MergeShape {
    MergeShape::new([3, 2, 0, 0], Demand { up: Span::new(lo, hi), down: Span::EMPTY })
}

/// The figures and clauses of the worked example in the module's documentation.
#[test]
fn three_and_two_as_on_the_page() {
    let merge = three_and_two(1, 5);
    assert_eq!(merge.direct_clauses(), 11);
    assert_eq!(three_and_two(3, 4).direct_clauses(), 5);
    let trimmed = MergeShape::settle([3, 2, 0, 0], Demand { up: Span::new(4, 5), down: Span::EMPTY });
    assert_eq!((trimmed.shape.lens, trimmed.shape.demand.hull(), trimmed.shift), ([2, 2, 0, 0], Span::new(3, 4), 1));
    assert_eq!((trimmed.pick[0], trimmed.pick[1]), ((0, 1), (1, 0)));

    // Pairs (i, j) stand for d_i and e_j; 0 for neither.
    let last = merge.combine();
    let causes: Vec<Vec<(u32, u32)>> = (1..=5).map(|index| last.up(index).collect()).collect();
    assert_eq!(causes, [vec![(1, 0)], vec![(0, 1), (2, 0)], vec![(2, 1)], vec![(0, 2), (3, 0)], vec![(3, 2)]]);
    let tight: Vec<u32> = (1..=5).filter(|&index| matches!(last.output(index), CombineOutput::Both(..))).collect();
    assert_eq!((last.output(1), tight), (CombineOutput::Odd(1), vec![3, 5]));

    // Odd-even with direct merges of odd and of even places.
    let [odd, even] = merge.halves(Mode::Plain).map(|half| half.map(|(lens, demand)| MergeShape::new(lens, demand)));
    let inside = [odd, even].map(|half| half.expect("both are needed"));
    assert_eq!(inside.map(|shape| shape.lens), [[2, 1, 0, 0], [1, 1, 0, 0]]);
    let last_step: usize = causes[1..].iter().map(Vec::len).sum();
    assert_eq!(inside[0].direct_clauses() + inside[1].direct_clauses() + last_step as u64, 14);
    assert_eq!(inside[0].demand.hull().len() + inside[1].demand.hull().len() + 4, 9);

    // Direct is cheaper.
    let policy =
        Policy { weight: 1, ways: 2, direct: true, splits: Splits::Free, steps: Steps::All, wires: Wires::Single };
    let mut planner = Planner::new(policy, Mode::Plain);
    let choices = planner.choices(&merge);
    assert_eq!((choices.steps[0], choices.costs[0].vars()), (MergeMethod::Direct { wide: false }, 5));
}

/// The policy of [`Network`].
fn policy(weight: u32, steps: Steps) -> Policy {
    Policy { weight, ways: 4, direct: true, splits: Splits::Free, steps, wires: Wires::Conjoined }
}

/// At most k and exactly k of `n`, for all k that are not trivial.
fn bounds(n: u32) -> impl Iterator<Item = NetworkQuestion> {
    (2..n - 1).flat_map(move |k| [NetworkQuestion::at_most(n, k), NetworkQuestion::exactly(n, k)])
}

/// The ways to merge that are not likely are in no plan; and how far each way goes, for the limits in `plan`.
#[test]
#[ignore = "a minute; prints what the limits in `plan` rest on"]
fn limits_of_merges() {
    for weight in [0, 1, 5] {
        let (mut direct, mut grouped, mut paired) = (0, 0, 0);
        for bound in (4..=64).chain([80, 96, 128]).flat_map(bounds) {
            let [all, likely] = [Steps::All, Steps::Likely].map(|steps| compile::program(policy(weight, steps), bound));
            assert_eq!(
                (all.size.vars, all.size.clauses),
                (likely.size.vars, likely.size.clauses),
                "{weight} {bound:?}"
            );
            for merge in &all.merges {
                let outputs = merge.demand.hull().len();
                match merge.kind {
                    program::MergeKind::Direct { .. } if merge.ways > 2 => direct = direct.max(outputs),
                    program::MergeKind::Group { mask: 6, .. } => paired = paired.max(outputs),
                    program::MergeKind::Group { .. } => grouped = grouped.max(outputs),
                    _ => {}
                }
            }
        }
        println!("weight {weight}: outputs at most {direct} direct, {grouped} in groups, {paired} with 2 and 3 first");
    }
}

/// Sizes and planning times with each of the limits in `search` raised and lowered.
#[test]
#[ignore = "a minute; prints what the limits in `search` rest on"]
fn limits_of_splits() {
    let usual = SplitLimits::USUAL;
    let changed = [
        ("usual", usual),
        ("few 12", SplitLimits { few: 12, ..usual }),
        ("few 48", SplitLimits { few: 48, ..usual }),
        ("left 4", SplitLimits { left: 4, ..usual }),
        ("left 16", SplitLimits { left: 16, ..usual }),
        ("apart 6", SplitLimits { apart: 6, ..usual }),
        ("apart 24", SplitLimits { apart: 24, ..usual }),
        ("fine 8", SplitLimits { fine: 8, ..usual }),
        ("fine 32", SplitLimits { fine: 32, ..usual }),
    ];
    let shapes = [(33, 16), (50, 10), (64, 20), (100, 10), (100, 50), (200, 40), (333, 100), (1000, 10), (1000, 500)];
    let bounds =
        shapes.map(|(n, k)| [NetworkQuestion::at_most(n, k), NetworkQuestion::exactly(n, k)]).into_iter().flatten();
    for (what, limits) in changed {
        let start = std::time::Instant::now();
        let costs: Vec<u64> = bounds
            .clone()
            .map(|bound| {
                let policy = policy(1, Steps::Likely);
                let mut planner = Planner::new(policy, Mode::new(policy, bound));
                let cost = NetworkSearch::within(&mut planner, bound, limits).top().0;
                cost.vars() + cost.clauses(1)
            })
            .collect();
        println!("{what:9} {:>8} in {:>6.1?}: {costs:?}", costs.iter().sum::<u64>(), start.elapsed());
    }
}

/// Brief plans beside those of a search: their sizes and the merges planned for them, in thousandths of the latter's.
fn brief_beside_searched(bounds: impl Iterator<Item = NetworkQuestion>) -> Vec<(u64, u64)> {
    let usual = policy(1, Steps::Likely);
    let plan = |policy: Policy, bound: NetworkQuestion| {
        let mut planner = Planner::new(policy, Mode::new(policy, bound));
        let cost = NetworkSearch::within(&mut planner, bound, SplitLimits::USUAL).top().0;
        (cost.vars() + cost.clauses(1), planner.merges.len() as u64)
    };
    bounds
        .map(|bound| {
            let (brief, searched) = (plan(likely::policy(usual, bound), bound), plan(usual, bound));
            (brief.0 * 1000 / searched.0, brief.1 * 1000 / searched.1)
        })
        .collect()
}

#[test]
fn brief_plans_are_nearly_the_best() {
    let ns = [129, 147, 200, 256, 333, 400];
    let bounds = ns.into_iter().flat_map(|n| [3, n / 10, n / 3, n / 2, n - n / 4].map(|k| (n, k)));
    let found = brief_beside_searched(
        bounds.flat_map(|(n, k)| [NetworkQuestion::at_most(n, k), NetworkQuestion::exactly(n, k)]),
    );
    assert!(found.iter().all(|(size, merges)| (1000..1010).contains(size) && *merges < 750), "{found:?}");
    assert!(found.iter().map(|(_, merges)| merges).sum::<u64>() < 250 * found.len() as u64, "{found:?}");
}

#[test]
#[ignore = "prints, for 360 bounds"]
fn likely_splits() {
    let ns = [131, 139, 150, 163, 180, 195, 210, 235, 260, 290, 320, 400, 512, 700, 1000];
    let share = |n: u32| [3, 8, 14, 20, n / 10, n / 6, n / 5, n / 4, n / 3, n / 2, n - n / 4, n - 10].map(|k| (n, k));
    let bounds = ns
        .into_iter()
        .flat_map(share)
        .flat_map(|(n, k)| [NetworkQuestion::at_most(n, k), NetworkQuestion::exactly(n, k)]);
    let found = brief_beside_searched(bounds);
    let average = |of: fn(&(u64, u64)) -> u64| found.iter().map(of).sum::<u64>() / found.len() as u64;
    let most = found.iter().max();
    println!("{} bounds, in thousandths: sizes {} on average, {most:?} at most", found.len(), average(|found| found.0));
    println!("merges planned: {} on average", average(|found| found.1));
}
