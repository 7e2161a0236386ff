//! The size that is predicted is the size that comes: every encoding by name, every relation, through the front door.
//! Up to 40 literals the suite of each encoder says so; here it is from there to 64, and 1,000 and 10,000.

use std::collections::BTreeMap;
use std::convert::Infallible;

use cnfkit::{AmoEncoding, AtMostK, AtMostOne, Bitwise, CardEncoding, ClauseSink, Constrain, Lit, Size, Tally, Var};

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
