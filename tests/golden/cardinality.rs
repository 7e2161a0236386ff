//! Every encoding, by name and with options, times relation, times plain, conditional and reified.

use cnfkit::{
    Adder, AmoEncoding, AtMostK, AtMostOne, Bimander, Bitwise, CardEncoding, CardinalityNetwork, Cnf, Commander,
    Constrain, DecisionDiagram, KModuloTotalizer, Lit, ModuloTotalizer, Network, Optimal, Product, SequentialCounter,
    SequentialForm, Totalizer,
};

use super::{Golden, inputs, shuffled};

pub(super) fn at_most_one(golden: &mut Golden) {
    for enc in AmoEncoding::ALL {
        one(golden, &format!("amo/{enc}"), enc, &[2, 3, 4, 5, 6, 7, 11, 14, 30, 50, 100, 400, 1000]);
    }
    let few = &[3, 7, 12, 60, 300];
    for leaf in [4, 10] {
        one(golden, &format!("amo/product-leaf-{leaf}"), &Product::default().leaf(leaf), few);
    }
    for group in [2, 3, 4, 7] {
        one(golden, &format!("amo/commander-{group}"), &Commander::default().group(group), few);
        for tight in [false, true] {
            one(
                golden,
                &format!("amo/bimander-{group}-tight-{tight}"),
                &Bimander::default().group(group).tight(tight),
                few,
            );
        }
    }
    for tight in [false, true] {
        one(golden, &format!("amo/bitwise-tight-{tight}"), &Bitwise::default().tight(tight), few);
    }
    for weight in [0, 1, 5] {
        one(golden, &format!("amo/optimal-{weight}"), &Optimal::default().weight(weight), few);
    }
}

fn one<E: AtMostOne>(golden: &mut Golden, name: &str, enc: &E, sizes: &[usize]) {
    for &n in sizes {
        golden.post(format!("{name}/at-most-one/{n}"), n, |cnf| cnf.at_most_one(&inputs(n), enc));
    }
    for n in [7, 40] {
        golden.post(format!("{name}/exactly-one/{n}"), n, |cnf| cnf.exactly_one(&inputs(n), enc));
    }
    let n = 17;
    golden.post(format!("{name}/shuffled/{n}"), n, |cnf| cnf.at_most_one(&shuffled(n), enc));
    golden.post(format!("{name}/keep-order/{n}"), n, |cnf| cnf.keep_order().at_most_one(&shuffled(n), enc));
    golden.post(format!("{name}/when/{n}"), n + 2, |cnf| cnf.when(&conditions(n)).exactly_one(&inputs(n), enc));
    golden.post(format!("{name}/when-input/{n}"), n, |cnf| cnf.when(&inputs(n)[2..3]).at_most_one(&inputs(n), enc));
}

/// Two conditions on the variables after `n` inputs.
fn conditions(n: usize) -> [Lit; 2] {
    [Lit::positive(n as u32), Lit::negative(n as u32 + 1)]
}

pub(super) fn at_most_k(golden: &mut Golden) {
    let many = [(4, 2), (5, 2), (9, 7), (10, 5), (17, 3), (40, 2), (60, 57), (100, 9), (150, 75)];
    for enc in CardEncoding::ALL {
        some(golden, &format!("card/{enc}"), enc, &many);
    }
    let large = [(1000, 500), (1000, 2), (5000, 2), (3000, 3), (300, 297), (400, 40)];
    for enc in [CardEncoding::Auto, CardEncoding::Smallest] {
        some(golden, &format!("card-large/{enc}"), &enc, &large);
    }
    let few = &[(5, 2), (12, 9), (50, 20)];
    for form in [SequentialForm::Sinz, SequentialForm::Full] {
        let name = format!("card/sequential-{form:?}").to_lowercase();
        some(golden, &name, &SequentialCounter::default().form(form), few);
    }
    let totalizers =
        [(false, false, true), (false, true, false), (true, false, false), (true, true, false), (true, false, true)];
    for (order, full, two_sided) in totalizers {
        let name = format!("card/totalizer-order-{order}-full-{full}-two-sided-{two_sided}");
        some(golden, &name, &Totalizer::default().order(order).full(full).two_sided(two_sided), few);
    }
    for full in [false, true] {
        for modulus in [Some(2), Some(5), None] {
            let name = format!("{}-full-{full}", modulus.map_or_else(|| String::from("none"), |m| m.to_string()));
            some(golden, &format!("card/modulo-{name}"), &ModuloTotalizer::default().modulus(modulus).full(full), few);
            some(
                golden,
                &format!("card/k-modulo-{name}"),
                &KModuloTotalizer::default().modulus(modulus).full(full),
                few,
            );
        }
        some(golden, &format!("card/diagram-full-{full}"), &DecisionDiagram::default().full(full), few);
        some(golden, &format!("card/adder-full-{full}"), &Adder::default().full(full), few);
        for weight in [0, 1, 4] {
            some(
                golden,
                &format!("card/network-{weight}-full-{full}"),
                &Network::default().weight(weight).full(full),
                few,
            );
        }
        for (direct, four_way, weight) in [(false, false, 5), (false, true, 5), (true, true, 5), (true, false, 1)] {
            let name = format!("card/odd-even-direct-{direct}-four-way-{four_way}-{weight}-full-{full}");
            some(
                golden,
                &name,
                &CardinalityNetwork::default().direct(direct).four_way(four_way).weight(weight).full(full),
                few,
            );
        }
    }
}

fn some<E: AtMostK>(golden: &mut Golden, name: &str, enc: &E, sizes: &[(usize, usize)]) {
    for &(n, k) in sizes {
        for relation in RELATIONS {
            let (plain, [a, b]) = (inputs(n), conditions(n));
            golden.post(format!("{name}/{relation}/{n},{k}"), n, |cnf| say(cnf, relation, &plain, k, enc));
            golden.post(format!("{name}/when-{relation}/{n},{k}"), n + 2, |cnf| {
                let mut when = cnf.when(&[a, b]);
                match relation {
                    "at-most" => when.at_most(&plain, k, enc),
                    "at-least" => when.at_least(&plain, k, enc),
                    _ => when.exactly(&plain, k, enc),
                }
            });
            golden.post(format!("{name}/iff-{relation}/{n},{k}"), n + 1, |cnf| match relation {
                "at-most" => cnf.iff_at_most(a, &plain, k, enc),
                "at-least" => cnf.iff_at_least(a, &plain, k, enc),
                _ => cnf.iff_exactly(a, &plain, k, enc),
            });
        }
    }
    let (n, k) = (11, 4);
    for relation in RELATIONS {
        let lits = shuffled(n);
        golden.post(format!("{name}/shuffled-{relation}/{n},{k}"), n, |cnf| say(cnf, relation, &lits, k, enc));
        golden.post(format!("{name}/keep-order-{relation}/{n},{k}"), n, |cnf| {
            let mut kept = cnf.keep_order();
            match relation {
                "at-most" => kept.at_most(&lits, k, enc),
                "at-least" => kept.at_least(&lits, k, enc),
                _ => kept.exactly(&lits, k, enc),
            }
        });
    }
}

const RELATIONS: [&str; 3] = ["at-most", "at-least", "exactly"];

fn say<E: AtMostK>(
    cnf: &mut Cnf,
    relation: &str,
    lits: &[Lit],
    k: usize,
    enc: &E,
) -> Result<(), cnfkit::CapacityError> {
    match relation {
        "at-most" => cnf.at_most(lits, k, enc),
        "at-least" => cnf.at_least(lits, k, enc),
        _ => cnf.exactly(lits, k, enc),
    }
}
