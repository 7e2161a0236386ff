//! The size that is predicted is the size that comes: every encoding by name, every relation, through the front door.
//! Up to 40 literals the suite of each encoder says so; here it is from there to 64, and 1,000 and 10,000.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt::Debug;

use cnfkit::{
    Adder, AmoEncoding, AtMostK, AtMostOne, Bitwise, CardEncoding, ClauseSink, Constrain, Lit, ParallelCounter, Size,
    Tally, Var,
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
    ] {
        let enc: CardEncoding = name.parse().unwrap();
        let large = if enc == CardEncoding::Combinatorial { &[][..] } else { &LARGE };
        check(&enc, large, before);
    }
    // The smallest form of adders is an option.
    check(&ParallelCounter { full: false }, &LARGE, [[5_141, 40], [5_159, 42], [9_014, 75]]);
    check(&Adder { full: false }, &LARGE, [[5_037, 30], [5_067, 32], [9_014, 75]]);
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
        let tight = Bitwise { tight: true }.amo_size(n);
        assert_eq!((tight.vars, tight.clauses), (bits, m * bits - ((1 << bits) - m)), "tight, {n}");
    }
}
