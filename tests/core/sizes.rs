//! The size that is predicted is the size that comes: every encoding by name, every relation, through the front door.
//! Up to 40 literals the suite of each encoder says so; here it is from there to 64, and 1,000 and 10,000.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt::Debug;

use cnfkit::{
    Adder, AmoEncoding, AtMostK, AtMostOne, BinaryAdder, Bitwise, CardEncoding, ClauseSink, Constrain, Encoding,
    GlobalWatchdog, IntervalDiagram, Lit, ParallelCounter, PbEncoding, PbRelation, Size, Tally, Terms, Var,
    WeightedCounter,
};

/// Counts, and keeps what was announced.
struct Announced(Tally, Size);

impl ClauseSink for Announced {
    type Error = Infallible;

    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), Infallible> {
        self.0.add_clause(clause)
    }

    fn new_lit(&mut self) -> Lit {
        self.0.new_lit()
    }

    fn next_var(&self) -> Var {
        self.0.next_var()
    }

    fn reserve(&mut self, size: &Size) -> Result<(), Infallible> {
        self.1 += *size;
        Ok(())
    }
}

fn check(n: usize, predicted: Size, what: &str, post: impl FnOnce(&mut Announced, &[Lit])) {
    let tally = Tally::new(n);
    let lits = tally.inputs();
    let mut sink = Announced(tally, Size::ZERO);
    post(&mut sink, &lits);
    assert_eq!((sink.1, sink.0.size()), (predicted, predicted), "{what}: announced, and what came; predicted");
}

/// Compares where at most `most` clauses are to come; returns how many constraints of each encoding were compared.
fn every_relation(shapes: &[(usize, usize)], most: u64) -> BTreeMap<String, usize> {
    let mut compared = BTreeMap::new();
    for &enc in CardEncoding::ALL {
        let count = compared.entry(enc.to_string()).or_default();
        for &(n, k) in shapes {
            let mut check = |predicted: Size, what: &str, post: fn(&mut Announced, &[Lit], usize, CardEncoding)| {
                if predicted.clauses <= most && predicted.lits <= 8 * most {
                    check(n, predicted, &format!("{enc}, {what} {k} of {n}"), |sink, x| post(sink, x, k, enc));
                    *count += 1;
                }
            };
            if k + 2 <= n {
                check(enc.amk_size(n, k), "at most", |sink, x, k, enc| sink.at_most(x, k, &enc).unwrap());
            }
            if k >= 2 {
                check(enc.alk_size(n, k), "at least", |sink, x, k, enc| sink.at_least(x, k, &enc).unwrap());
            }
            check(enc.exk_size(n, k), "exactly", |sink, x, k, enc| sink.exactly(x, k, &enc).unwrap());
        }
    }
    compared
}

/// Every n, and for each the bounds at both ends and some between them, others for the next n.
#[test]
fn cardinality_up_to_64() {
    let bounds = |n: usize| (1..n).filter(move |&k| k.min(n - k) <= 2 || (3 * n + k).is_multiple_of(16));
    let shapes: Vec<(usize, usize)> = (41..=64).flat_map(|n| bounds(n).map(move |k| (n, k))).collect();
    let all = 3 * shapes.len() - 2 * 24;
    for (enc, count) in every_relation(&shapes, 40_000) {
        assert!(if enc == "combinatorial" { count > 200 } else { count == all }, "{enc}: {count} of {all}");
    }
}

#[test]
fn cardinality_of_1_000_and_10_000() {
    let shapes = [(1_000, 1), (1_000, 10), (1_000, 500), (10_000, 1), (10_000, 10)];
    let shapes: Vec<(usize, usize)> = shapes.into_iter().flat_map(|(n, k)| [(n, k), (n, n - k)]).collect();
    for (enc, count) in every_relation(&shapes, 600_000) {
        assert!(if enc == "combinatorial" { count > 0 } else { count >= 16 }, "{enc}: {count}");
    }
}

#[test]
fn at_most_one_up_to_64_and_of_1_000_and_10_000() {
    let mut too_many: Vec<String> = Vec::new();
    for (&enc, n) in AmoEncoding::ALL.iter().flat_map(|enc| (2..=64).chain([1_000, 10_000]).map(move |n| (enc, n))) {
        let size = enc.amo_size(n);
        if size.clauses > 600_000 {
            too_many.push(format!("{enc} of {n}"));
            continue;
        }
        check(n, size, &format!("{enc}, at most one of {n}"), |sink, x| sink.at_most_one(x, &enc).unwrap());
        let exactly = size + Size::clause(n);
        check(n, exactly, &format!("{enc}, exactly one of {n}"), |sink, x| sink.exactly_one(x, &enc).unwrap());
    }
    assert_eq!(too_many, ["pairwise of 10000", "card:combinatorial of 10000", "card:modulo of 10000"]);
}

/// Variables + clauses, and how many of the clauses enforce: a condition adds a literal to each of those.
fn cost(n: usize, post: impl Fn(&mut dyn ClauseSink<Error = Infallible>, &[Lit])) -> [u64; 2] {
    let lits: Vec<Lit> = Tally::new(n).inputs();
    let (mut plain, mut guarded) = (Tally::new(n + 1), Tally::new(n + 1));
    post(&mut plain, &lits);
    post(&mut guarded.when(&[Lit::positive(n as u32)]), &lits);
    [plain.size().cost(), guarded.size().lits - plain.size().lits]
}

fn sum(costs: impl Iterator<Item = [u64; 2]>) -> [u64; 2] {
    costs.fold([0; 2], |sum, cost| [sum[0] + cost[0], sum[1] + cost[1]])
}

/// Summed up over some shapes, nothing is larger than before: what an encoder predicts and emits alike, but needlessly,
/// shows here.
#[test]
fn no_cardinality_encoding_has_grown() {
    const SMALL: [(usize, usize); 3] = [(9, 2), (9, 4), (9, 7)];
    const LARGE: [(usize, usize); 13] = [
        (20, 3),
        (20, 7),
        (20, 8),
        (20, 15),
        (20, 16),
        (33, 16),
        (33, 17),
        (50, 7),
        (50, 24),
        (50, 45),
        (100, 10),
        (100, 63),
        (100, 64),
    ];
    fn check<E: AtMostK + Debug>(enc: &E, large: &[(usize, usize)], before: [[u64; 2]; 3]) {
        let shapes = || SMALL.iter().chain(large).copied();
        let now = [
            sum(shapes().map(|(n, k)| cost(n, |sink, x| sink.at_most(x, k, enc).unwrap()))),
            sum(shapes().map(|(n, k)| cost(n, |sink, x| sink.at_least(x, k, enc).unwrap()))),
            sum(shapes().map(|(n, k)| cost(n, |sink, x| sink.exactly(x, k, enc).unwrap()))),
        ];
        let grown = now.iter().zip(&before).any(|(now, before)| now[0] > before[0] || now[1] > before[1]);
        assert!(!grown, "{enc:?}: {now:?}");
    }
    // At most, at least, exactly.
    for (name, before) in [
        ("smallest", [[9_387, 47], [9_292, 48], [17_377, 90]]),
        ("combinatorial", [[219, 219], [177, 177], [396, 396]]),
        ("sequential", [[22_925, 351], [22_871, 324], [38_174, 675]]),
        ("modulo", [[12_064, 29], [12_298, 26], [21_665, 55]]),
        ("k-modulo", [[8_351, 25], [8_430, 26], [14_249, 53]]),
        ("decision-diagram", [[23_627, 16], [23_519, 16], [39_508, 32]]),
        ("parallel-counter", [[9_039, 31], [9_088, 34], [9_014, 75]]),
        ("adder", [[8_858, 27], [8_928, 29], [9_014, 75]]),
        ("totalizer", [[13_029, 195], [12_971, 193], [23_335, 388]]),
        ("cardinality-network", [[12_068, 202], [11_807, 199], [21_487, 401]]),
        ("network", [[9_391, 40], [9_296, 41], [17_377, 90]]),
        ("generalized-product", [[9_393, 47], [9_298, 48], [17_377, 90]]),
        ("grid-compression", [[4_722, 85], [4_678, 56], [17_377, 90]]),
    ] {
        let enc: CardEncoding = name.parse().unwrap();
        let large = if enc == CardEncoding::Combinatorial { &[][..] } else { &LARGE };
        check(&enc, large, before);
    }
    // The smallest form of adders is an option.
    check(&ParallelCounter::default().full(false), &LARGE, [[5_141, 40], [5_159, 42], [9_014, 75]]);
    check(&Adder::default().full(false), &LARGE, [[5_037, 30], [5_067, 32], [9_014, 75]]);
}

#[test]
fn no_encoding_of_at_most_one_has_grown() {
    for (name, before) in [
        ("smallest", [4_949, 698]),
        ("pairwise", [515_110, 515_110]),
        ("bitwise", [15_100, 7_036]),
        ("ladder", [7_471, 1_878]),
        ("nested", [6_400, 2_866]),
        ("product", [5_174, 563]),
        ("commander", [6_419, 2_862]),
        ("bimander", [14_090, 7_036]),
    ] {
        let enc: AmoEncoding = name.parse().unwrap();
        let shapes = (2..=40).chain([100, 1_000]);
        let now = sum(shapes.map(|n| cost(n, |sink, x| sink.at_most_one(x, &enc).unwrap())));
        assert!(now[0] <= before[0] && now[1] <= before[1], "{name}: {now:?}");
    }
}

/// `n` weights from 1 to `most`.
fn weights(n: usize, most: u64) -> Vec<u64> {
    let mut state = most;
    let next = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        1 + (state >> 33) % most
    };
    (0..n).map(next).collect()
}

/// Of literals by themselves, and of groups of three, for each of the three relations.
type Costs = [[[u64; 2]; 3]; 2];

/// Sums of weights: the three relations of literals by themselves, and of groups of three.
#[test]
fn no_encoding_of_weights_has_grown() {
    fn costs<E: Encoding>(enc: &E) -> Costs {
        const SHAPES: [(usize, u64); 6] = [(6, 5), (8, 100), (9, 9), (12, 20), (16, 3), (18, 40)];
        let of = |relation: fn(u64) -> PbRelation, group: usize| {
            sum(SHAPES.into_iter().map(|(n, most)| {
                let weights = weights(n, most);
                let bound = weights.iter().step_by(2).sum::<u64>() / if group == 1 { 1 } else { 2 };
                let ends: Vec<usize> = (1..=n).filter(|end| end % group == 0 || *end == n).collect();
                cost(n, |sink, x| {
                    let terms: Vec<(Lit, u64)> = x.iter().copied().zip(weights.iter().copied()).collect();
                    sink.pb_grouped(&Terms::grouped(&terms, &ends), relation(bound), enc).unwrap();
                })
            }))
        };
        [1, 3].map(|group| [PbRelation::AtMost, PbRelation::AtLeast, PbRelation::Exactly].map(|r| of(r, group)))
    }
    let mut grown = Vec::new();
    let mut check = |name: &str, now: Costs, before: Costs| {
        let mut pairs = now.iter().flatten().flatten().zip(before.iter().flatten().flatten());
        if pairs.any(|(now, before)| now > before) {
            grown.push(format!("{name}: {now:?}"));
        }
    };
    for (name, before) in [
        ("smallest", [[[677, 215], [652, 226], [1_316, 428]], [[268, 104], [218, 78], [478, 177]]]),
        ("interval-diagram", [[[1_541, 23], [1_525, 25], [2_404, 221]], [[367, 33], [465, 30], [615, 139]]]),
        ("generalized-totalizer", [[[1_436, 96], [1_423, 96], [2_220, 297]], [[469, 40], [464, 41], [682, 148]]]),
        ("sequential-weight-counter", [[[2_540, 37], [2_543, 39], [3_912, 224]], [[435, 30], [423, 29], [641, 140]]]),
        ("binary-adder", [[[1_500, 14], [1_461, 15], [1_253, 106]], [[1_033, 25], [929, 14], [815, 87]]]),
        ("global-watchdog", [[[1_469, 19], [1_496, 23], [2_965, 42]], [[742, 18], [1_313, 17], [2_043, 35]]]),
        ("local-watchdog", [[[7_226, 119], [7_342, 116], [14_568, 235]], [[2_257, 95], [6_200, 106], [8_445, 201]]]),
        ("dynamic-poly-watchdog", [[[1_851, 27], [1_857, 27], [3_708, 54]], [[1_001, 27], [1_713, 26], [2_695, 53]]]),
        ("mixed-radix-sorter", [[[1_143, 23], [1_166, 25], [2_309, 48]], [[623, 21], [1_110, 14], [1_725, 35]]]),
        ("binary-merger", [[[7_226, 119], [7_342, 116], [14_568, 235]], [[2_257, 95], [6_200, 106], [8_445, 201]]]),
    ] {
        check(name, costs(&name.parse::<PbEncoding>().unwrap()), before);
    }
    check(
        "binary-adder, one-sided",
        costs(&BinaryAdder::default().full(false)),
        [[[857, 14], [840, 15], [1_253, 106]], [[632, 25], [520, 14], [815, 87]]],
    );
    check(
        "interval-diagram, linked",
        costs(&IntervalDiagram::default().linked(true)),
        [[[2_029, 23], [2_013, 25], [2_404, 221]], [[431, 33], [530, 30], [615, 139]]],
    );
    check(
        "global-watchdog, linked",
        costs(&GlobalWatchdog::default().linked(true)),
        [[[1_770, 19], [1_801, 23], [3_571, 42]], [[863, 18], [1_586, 17], [2_436, 35]]],
    );
    assert!(grown.is_empty(), "{}", grown.join("\n"));
}

/// Every bound of a sum asked for, from the middle outwards, and then of a longer one.
#[test]
fn no_counter_of_weights_has_grown() {
    let mut now = Vec::new();
    for (n, most) in [(9, 30), (40, 3), (30, 100_000)] {
        let weights = weights(n, most);
        let mut seen = Tally::new(n);
        let terms: Vec<(Lit, u64)> = seen.inputs().into_iter().zip(weights).collect();
        let mut counter = WeightedCounter::new();
        for part in [&terms[..n / 2], &terms[n / 2..]] {
            counter.extend(&seen, part);
            let total = counter.total() as u64;
            for step in 1..10 {
                counter.at_most(&mut seen, total / 2 + step * total / 40).unwrap();
                counter.at_least(&mut seen, total / 2 - step * total / 40).unwrap();
            }
        }
        now.push(seen.size().cost());
    }
    assert!(now.iter().zip([594, 2_979, 15_877]).all(|(&now, before)| now <= before), "{now:?}");
}

/// The formulas of the README.
#[test]
fn closed_forms_of_at_most_one() {
    let size = |enc: AmoEncoding, n: usize| (enc.amo_size(n).vars, enc.amo_size(n).clauses);
    for n in 4..=300_usize {
        let m = n as u64;
        let bits = u64::from((n - 1).ilog2() + 1);
        assert_eq!(size(AmoEncoding::Pairwise, n), (0, m * (m - 1) / 2));
        assert_eq!(size(AmoEncoding::Bitwise, n), (bits, m * bits));
        assert_eq!(size(AmoEncoding::Ladder, n), (m - 1, 3 * m - 4));
        assert_eq!(size(AmoEncoding::Nested, n), (m.div_ceil(2) - 2, 3 * m - 6));
        // Codes of full length for as few literals as there must be.
        let tight = Bitwise::default().tight(true).amo_size(n);
        assert_eq!((tight.vars, tight.clauses), (bits, m * bits - ((1 << bits) - m)), "tight, {n}");
    }
}
