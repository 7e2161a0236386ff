//! Sums of weights by every encoding: plain, under conditions, reified, and with groups.

use cnfkit::{
    BinaryAdder, Constrain, Encoding, GlobalWatchdog, IntervalDiagram, Lit, PbEncoding, PbRelation, Terms,
    WeightedCounter,
};

use super::{Golden, Random, inputs};

/// Literals with weights from 1 to `most`, and a bound of about half of them.
fn terms(n: usize, most: usize) -> (Vec<(Lit, u64)>, u64) {
    let mut random = Random((n * most) as u64);
    let terms: Vec<(Lit, u64)> = inputs(n).into_iter().map(|lit| (lit, 1 + random.below(most) as u64)).collect();
    let bound = terms.iter().step_by(2).map(|&(_, weight)| weight).sum();
    (terms, bound)
}

pub(super) fn sums(golden: &mut Golden) {
    for enc in PbEncoding::ALL {
        sum(golden, &format!("pb/{enc}"), enc);
    }
    sum(golden, "pb/interval-diagram-linked", &IntervalDiagram::default().linked(true));
    sum(golden, "pb/global-watchdog-linked", &GlobalWatchdog::default().linked(true));
    sum(golden, "pb/binary-adder-one-sided", &BinaryAdder::default().full(false));
}

fn sum<E: Encoding>(golden: &mut Golden, name: &str, enc: &E) {
    for (n, most) in [(5, 9), (9, 30), (16, 6), (20, 1_000), (24, 2)] {
        let (terms, bound) = terms(n, most);
        let ends: Vec<usize> = (1..=n).filter(|end| end % 3 == 1 || *end == n).collect();
        let r = Lit::positive(n as u32);
        for (relation, what) in [
            (PbRelation::AtMost(bound), "at-most"),
            (PbRelation::AtLeast(bound), "at-least"),
            (PbRelation::Exactly(bound), "exactly"),
        ] {
            golden.post(format!("{name}/{what}/{n},{most}"), n, |cnf| cnf.pb(&terms, relation, enc));
            golden
                .post(format!("{name}/when-{what}/{n},{most}"), n + 1, |cnf| cnf.when(&[r]).pb(&terms, relation, enc));
            golden.post(format!("{name}/groups-{what}/{n},{most}"), n, |cnf| {
                cnf.pb_grouped(&Terms::grouped(&terms, &ends), relation.with_bound(bound / 2), enc)
            });
        }
        golden.post(format!("{name}/iff-at-most/{n},{most}"), n + 1, |cnf| cnf.pb_iff_at_most(r, &terms, bound, enc));
    }
}

/// Bounds that move, and sums beyond 64 bits.
pub(super) fn counters(golden: &mut Golden) {
    for (n, most) in [(9, 30), (40, 3), (60, 100_000)] {
        let (terms, bound) = terms(n, most);
        golden.post(format!("pb/counter/{n},{most}"), n, |cnf| {
            let mut sum = WeightedCounter::new();
            let (first, rest) = terms.split_at(n / 2);
            for part in [first, rest] {
                sum.extend(cnf, part);
                let total = sum.total() as u64;
                for bound in [total / 2, total / 3, bound.min(total - 1)] {
                    sum.at_most(cnf, bound)?;
                    sum.at_least(cnf, bound)?;
                }
            }
            Ok(())
        });
    }
    let wide: Vec<(Lit, u64)> =
        (1..).map(|at| u64::MAX / at).zip(inputs(6)).map(|(weight, lit)| (lit, weight)).collect();
    for relation in [PbRelation::AtMost(u64::MAX - 7), PbRelation::AtLeast(u64::MAX - 7)] {
        let name = format!("pb/wide/{relation}").replace(' ', "-");
        golden.post(name, 6, |cnf| cnf.pb(&wide, relation, &PbEncoding::Auto));
    }
}
