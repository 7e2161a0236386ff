//! No formula grows by what is found in it: it has at most as many clauses as before, and clauses + variables that
//! occur.

use cnfkit::rustsat::types::Lit;
use cnfkit::{AmoEncoding, CardEncoding, ClauseSink, Cnf, Constrain, Formula, Order, PbEncoding};

use super::of_cnf;
use super::planted::{self, By, Random, Recipe, shuffled};

/// Checks the formula as it is encoded, without the variables that vanished, and that its size is announced; the
/// constraints found.
fn check(formula: &Formula, what: &str) -> usize {
    let detected = formula.detect();
    let new = detected.formula();
    let [before, after] = [formula, &new].map(|formula| {
        let cnf = formula.encode().unwrap();
        assert_eq!(cnf.n_clauses() as u64, formula.size().clauses, "{what}");
        assert_eq!((cnf.n_vars() - formula.n_vars()) as u64, formula.size().vars, "{what}");
        (cnf.n_clauses(), cnf.n_vars() + cnf.n_clauses())
    });
    let paid = before.1 + detected.auxiliaries().len();
    assert!(after.0 <= before.0 && after.1 <= paid, "{what}: {before:?} -> {after:?}");
    detected.constraints().len()
}

/// A clause for every two of these literals.
fn exclude(cnf: &mut Cnf, lits: &[Lit]) {
    cnf.at_most_one(lits, &AmoEncoding::Pairwise).unwrap();
}

/// Model RB: `n` variables of as many values, each of which excludes a share of the pairs of values of another one in
/// each of some constraints. Xu, Li, *Exact Phase Transitions in Random Constraint Satisfaction Problems*, Journal of
/// Artificial Intelligence Research 12, 2000.
fn model_rb(n: usize, values: usize, constraints: usize, hundredths: usize, random: &mut Random) -> Cnf {
    let mut cnf = Cnf::new();
    let x: Vec<Vec<Lit>> = (0..n).map(|_| cnf.new_lits(values)).collect();
    for row in &x {
        cnf.add_clause(row).unwrap();
        exclude(&mut cnf, row);
    }
    let mut pairs: Vec<(usize, usize)> = (0..values * values).map(|at| (at / values, at % values)).collect();
    for _ in 0..constraints {
        let one = random.below(n);
        let other = (one + 1 + random.below(n - 1)) % n;
        random.shuffle(&mut pairs);
        for &(a, b) in &pairs[..values * values * hundredths / 100] {
            cnf.add_clause(&[!x[one][a], !x[other][b]]).unwrap();
        }
    }
    cnf
}

/// Cliques of these sizes by lot among `n` literals, and other conflicts by lot.
fn cliques(n: usize, count: usize, sizes: (usize, usize), others: usize, random: &mut Random) -> Cnf {
    let mut cnf = Cnf::new();
    let x = cnf.new_lits(n);
    for _ in 0..count {
        let size = sizes.0 + random.below(sizes.1 - sizes.0 + 1);
        let lits = random.lits(&x, size);
        exclude(&mut cnf, &lits);
        if random.below(4) == 0 {
            cnf.add_clause(&lits).unwrap();
        }
    }
    (0..others).for_each(|_| cnf.add_clause(&random.lits(&x, 2)).unwrap());
    cnf
}

#[test]
fn model_rb_does_not_grow() {
    let mut random = Random(20);
    let mut found = 0;
    for (n, values) in [(4, 3), (6, 4), (8, 5), (10, 6), (12, 8), (16, 10), (20, 12), (30, 15)] {
        for (constraints, hundredths) in [(n, 25), (2 * n, 25), (4 * n, 10), (n, 60)] {
            let cnf = model_rb(n, values, constraints, hundredths, &mut random);
            let (cnf, _) = shuffled(&cnf, Vec::new(), &mut random);
            found += check(&of_cnf(&cnf), &format!("{n} variables, {constraints} constraints of {hundredths} %"));
        }
    }
    assert!(found > 200, "{found}"); // most of the variables
}

#[test]
fn cliques_that_overlap_do_not_grow() {
    let mut random = Random(21);
    let mut found = 0;
    for round in 0..200 {
        let n = 10 + random.below(60);
        let sizes = [(3, 8), (3, 4), (5, 5), (6, 10), (8, 8), (3, 10)][round % 6];
        let (count, others) = (1 + random.below(n), random.below(4 * n));
        let cnf = cliques(n, count, sizes, others, &mut random);
        found += check(&of_cnf(&cnf), &format!("round {round}: {count} cliques of {sizes:?} among {n}"));
    }
    assert!(found > 1_000, "{found}");
}

/// Alone, so that the formula is the group: nothing but the best of all encodings can be in the clauses' place.
#[test]
fn one_at_most_one_by_each_encoding_does_not_grow() {
    let ours = AmoEncoding::ALL.iter().map(|&enc| By::Crate(enc));
    let by: Vec<By> = By::all().into_iter().chain(ours.filter(|by| by.family().starts_with("card:"))).collect();
    for by in by {
        let mut found = 0;
        for n in (2..26).chain([31, 32, 40, 64, 65, 100]) {
            for exactly in [false, true] {
                let mut cnf = Cnf::new();
                let lits = cnf.new_lits(n);
                by.write(&mut cnf, &lits);
                if exactly {
                    cnf.add_clause(&lits).unwrap();
                }
                found += check(&of_cnf(&cnf), &format!("{} of {n}", by.family()));
            }
        }
        assert!(found > 20 || by.family().starts_with("card:"), "{}: {found}", by.family());
    }
}

/// Graphs by lot have bicliques: fewer clauses, beside sums that groups of literals make smaller, too.
#[test]
fn dense_graphs_become_smaller() {
    let mut random = Random(25);
    for round in 0..40 {
        let (n, dense) = (20 + random.below(40), 30 + random.below(60));
        let mut formula = Formula::new();
        let x = formula.new_lits(n);
        for (a, b) in (0..n).flat_map(|a| (0..a).map(move |b| (a, b))) {
            if random.below(100) < dense {
                formula.add_clause(&[!x[a], !x[b]]).unwrap();
            }
        }
        if round % 2 == 1 {
            let terms: Vec<(Lit, u64)> = x.iter().map(|&lit| (lit, 1 + random.next() % 9)).collect();
            formula.pb_at_most(&terms, 3 * n as u64, &PbEncoding::Auto).unwrap();
        }
        let [before, after] = [&formula, &formula.join_bicliques()].map(|formula| {
            let cnf = formula.encode().unwrap();
            cnf.n_vars() + cnf.n_clauses()
        });
        assert!(
            after <= before && (n < 30 || round % 2 == 1 || after < before),
            "{n} literals, {dense} %: {before} -> {after}"
        );
    }
}

#[test]
fn at_most_ones_among_other_clauses_do_not_grow() {
    let mut random = Random(22);
    for round in 0..60 {
        let most = [5, 8, 12, 30][round % 4];
        let amos = 1 + random.below(20);
        let recipe = Recipe { inputs: 40 + random.below(80), amos, most, twos: random.below(150), threes: 200 };
        let (cnf, _) = planted::formula(recipe, &By::all(), &mut random);
        check(&of_cnf(&cnf), &format!("round {round}"));
    }
}

/// Bounds on the same literals make at-most-ones exact, which takes a clause more; so do constraints that are kept.
#[test]
fn what_becomes_exact_does_not_grow() {
    for n in 3..12 {
        for by in [AmoEncoding::Pairwise, AmoEncoding::Smallest, AmoEncoding::Product] {
            let mut cnf = Cnf::new();
            let x: Vec<Vec<Lit>> = (0..n).map(|_| cnf.new_lits(n)).collect();
            x.iter().for_each(|row| cnf.add_clause(row).unwrap());
            for column in 0..n {
                let column: Vec<Lit> = x.iter().map(|row| row[column]).collect();
                cnf.at_most_one(&column, &by).unwrap();
            }
            assert!(check(&of_cnf(&cnf), &format!("{n} pigeons, {by}")) <= n);
        }
        // Rows exactly one in clauses, and columns of at most two, kept: 2n events fill them.
        let mut cnf = Cnf::new();
        let x: Vec<Vec<Lit>> = (0..2 * n).map(|_| cnf.new_lits(n)).collect();
        x.iter().for_each(|row| cnf.exactly_one(row, &AmoEncoding::Pairwise).unwrap());
        let mut formula = of_cnf(&cnf);
        for column in 0..n {
            let column: Vec<Lit> = x.iter().map(|row| row[column]).collect();
            formula.at_most(&column, 2, &CardEncoding::Auto).unwrap();
        }
        check(&formula, &format!("{} events", 2 * n));
    }
}

#[test]
fn sums_of_weights_do_not_grow() {
    let mut random = Random(23);
    let mut found = 0;
    for round in 0..60 {
        let (n, order) = (12 + random.below(20), [Order::Variable, Order::Formula][round % 2]);
        let cnf = cliques(n, 1 + random.below(6), (3, 7), random.below(20), &mut random);
        let mut formula = of_cnf(&cnf).order(order);
        let all: Vec<Lit> = (0..n as u32).map(Lit::positive).collect();
        for _ in 0..=random.below(3) {
            let terms: Vec<(Lit, u64)> =
                random.lits(&all, 10).into_iter().map(|lit| (lit, 1 + random.next() % 30)).collect();
            let sum: u64 = terms.iter().map(|(_, weight)| weight).sum();
            formula.pb_at_most(&terms, sum * (1 + random.next() % 6) / 8, &PbEncoding::Auto).unwrap();
        }
        found += check(&formula, &format!("round {round}"));
    }
    assert!(found > 60, "{found}");
}

/// Savings of one group do not pay for another: beside a large group the same is found as without it.
#[test]
fn groups_are_paid_for_one_by_one() {
    let mut random = Random(24);
    for round in 0..40 {
        let cnf = cliques(24, 12, (3, 8), random.below(40), &mut random);
        let own = of_cnf(&cnf);
        let mut both = cnf.clone();
        let others = both.new_lits(40);
        exclude(&mut both, &others);
        let both = of_cnf(&both);
        let (own, both) = (own.detect(), both.detect());
        let found = |detected: &cnfkit::Detected<'_>| {
            let small = detected.constraints().filter(|found| found.lits().count() < 40);
            small.map(|found| format!("{found:?}")).collect::<Vec<_>>()
        };
        assert_eq!(both.constraints().len(), own.constraints().len() + 1, "round {round}");
        assert_eq!(found(&own), found(&both), "round {round}");
    }
}

/// Bicliques that take fewer clauses by way of a variable, and no more of both together.
#[test]
fn bicliques_from_two_by_three_on_are_joined() {
    for (ones, others, clauses) in [(1, 9, 9), (2, 2, 4), (2, 3, 5), (2, 4, 6), (3, 3, 6)] {
        let mut formula = Formula::new();
        let x = formula.new_lits(ones + others);
        for (one, other) in (0..ones).flat_map(|one| (ones..ones + others).map(move |other| (one, other))) {
            formula.add_clause(&[!x[one], !x[other]]).unwrap();
        }
        let joined = formula.join_bicliques();
        let n_vars = ones + others + usize::from(clauses < ones * others);
        assert_eq!((joined.n_clauses(), joined.n_vars()), (clauses, n_vars), "{ones} by {others}");
    }
}
