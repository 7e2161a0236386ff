//! Counts as literals: every counter, and the totalizer that grows.

use cnfkit::{
    CardinalityNetwork, ClauseSink, Constrain, Counter, IncAtMostOne, IncExactlyOne, IncTotalizer, Network,
    SequentialCounter, SequentialForm, Totalizer,
};

use super::{Golden, inputs};

pub(super) fn counts(golden: &mut Golden) {
    count(golden, "totalizer", &Totalizer::default());
    count(golden, "totalizer-order", &Totalizer::default().order(true));
    count(golden, "sequential", &SequentialCounter::default());
    count(golden, "sequential-sinz", &SequentialCounter::default().form(SequentialForm::Sinz));
    count(golden, "network", &Network::default());
    count(golden, "odd-even", &CardinalityNetwork::default());
    for steps in [&[5, 0, 0][..], &[3, 4, 8], &[1, 1, 1, 1, 1, 1], &[17, 16]] {
        for upto in [&[1, 2, 3][..], &[4], &[9, 2, 30]] {
            let name = format!("counts/growing/{steps:?}-{upto:?}").replace(' ', "");
            golden.post(name, 40, |cnf| {
                let (lits, mut at, mut growing) = (inputs(40), 0, IncTotalizer::new());
                for (i, more) in steps.iter().enumerate() {
                    growing.extend(cnf, &lits[at..at + more])?;
                    at += more;
                    growing.widen(cnf, upto[i % upto.len()])?;
                }
                // The outputs too, one clause.
                cnf.add_clause(growing.outputs())
            });
        }
    }
}

/// At most one and exactly one of literals that come in steps.
pub(super) fn growing(golden: &mut Golden) {
    for steps in [&[1, 1, 1, 1, 1][..], &[16], &[17], &[3, 20, 60], &[300]] {
        let name = |what: &str| format!("growing/{what}/{steps:?}").replace(' ', "");
        let ends = || steps.iter().scan(0, |end, more| Some(std::mem::replace(end, *end + more))).zip(steps);
        golden.post(name("at-most-one"), 301, |cnf| {
            let (lits, mut one) = (inputs(301), IncAtMostOne::new());
            ends().try_for_each(|(at, more)| one.extend(&mut cnf.when(&lits[300..]), &lits[at..at + more]))?;
            one.extend(cnf, &[!lits[0]])
        });
        golden.post(name("exactly-one"), 301, |cnf| {
            let (lits, mut one) = (inputs(301), IncExactlyOne::new());
            ends().try_for_each(|(at, more)| one.extend(cnf, &lits[at..at + more]))?;
            one.close(&mut cnf.when(&lits[300..]))
        });
    }
}

fn count<C: Counter>(golden: &mut Golden, name: &str, counter: &C) {
    for (n, upto) in [(0, 3), (1, 1), (2, 2), (3, 1), (5, 3), (9, 9), (16, 5), (40, 12), (100, 100)] {
        golden.post(format!("counts/{name}/{n},{upto}"), n, |cnf| {
            let count = counter.count(cnf, &inputs(n), upto)?;
            cnf.add_clause(count.outputs())
        });
    }
}
