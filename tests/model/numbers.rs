//! Numbers of large domains, least sums, and job shops.

use cnfkit::model::{Choice, IntEncoding, Model, div, element, maximum, modulo, sum, times};

use crate::lawrence::LAWRENCE;

pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

fn choice(int: IntEncoding) -> Choice {
    let mut choice = Choice::default();
    choice.int = int;
    choice
}

/// Sums, products and comparisons of numbers that no literal each could count.
#[test]
fn large_domains() {
    let mut model = Model::new();
    let (x, y, z) = (model.int(0..=1_000_000), model.int(0..=1_000_000), model.int(-2_000_000..=2_000_000));
    model.post((x + y).eq(z));
    model.post((3 * x - 2 * y).eq(999_983));
    model.post(x.le(400_000));
    model.post(z.is(550_001 + 100_003).or(z.lt(40)));
    assert!(model.statistics().unwrap().total.vars < 2_000, "{:?}", model.statistics().unwrap().total);
    let solution = model.solve().unwrap();
    let expected = (0..=400_000_i64)
        .map(|x| (x, 3 * x - 999_983))
        .filter(|(x, twice)| twice % 2 == 0 && *twice >= 0 && (x + twice / 2 == 650_004 || x + twice / 2 < 40));
    assert_eq!(solution.map(|found| found.values([x, y])), expected.map(|(x, twice)| vec![x, twice / 2]).next());
    let mut model = Model::new();
    let (x, y) = (model.int(2..=30_000), model.int(-30_000..=30_000));
    model.post(times(x, y, 1_009 * 20_011));
    model.post(x.lt(y));
    assert_eq!(
        model.solutions().unwrap().map(|found| found.unwrap().values([x, y])).collect::<Vec<_>>(),
        [[1_009, 20_011]]
    );
    let mut model = Model::new();
    let (x, y) = (model.int(-1_000_000..=1_000_000), model.int(-9_000..=9_000));
    let (quotient, rest) = (model.int(-1_000_000..=1_000_000), model.int(-9_000..=9_000));
    model.post(div(x, y, quotient));
    model.post(modulo(x, y, rest));
    model.post(x.eq(-765_432).and(y.eq(-8_765)).or(x.eq(765_432).and(y.eq(-765))));
    let mut found: Vec<Vec<i64>> =
        model.solutions().unwrap().map(|found| found.unwrap().values([x, y, quotient, rest])).collect();
    found.sort();
    let expected = |x: i64, y: i64| vec![x, y, x / y, x % y];
    assert_eq!(found, [expected(-765_432, -8_765), expected(765_432, -765)]);
    let mut model = Model::new();
    let x = model.ints(3, 0..=1_000_000_000);
    let most = model.int(0..=2_000_000_000);
    model.post(maximum(&x, most));
    model.all_different(&x);
    model.post(element([x[0], x[1], x[2]], 1, 77));
    model.post((x[0] + x[2]).ge(1_234_567_890));
    let best = model.minimum(most).unwrap().unwrap();
    assert_eq!((best.value, best.is_optimal), (617_283_946, true));
}

/// Sums are as small as brute force finds them, whatever their variables are encoded as.
#[test]
fn least_sums_by_lot() {
    let mut random = Random(11);
    for round in 0..300 {
        let mut model = Model::new();
        let int = [IntEncoding::Auto, IntEncoding::Binary, IntEncoding::Unary][round % 3];
        model.set_choice(choice(int));
        let vars = [model.int(-2..=3), model.int([0, 2, 7]), model.int(1..=2), model.int(0..=4)];
        for _ in 0..2 {
            let factors: Vec<i64> = (0..4).map(|_| random.below(7) as i64 - 3).collect();
            let total = sum(vars.iter().zip(&factors).map(|(&var, &factor)| factor * var));
            model.post(if round % 2 == 0 { total.le(2) } else { total.ne(1).or(vars[1].is(2)) });
        }
        let factors: Vec<i64> = (0..4).map(|_| random.below(9) as i64 - 4).collect();
        let cost = sum(vars.iter().zip(&factors).map(|(&var, &factor)| factor * var)) + 5 * vars[1].is(2) - 3;
        let values: Vec<i64> = model.solutions().unwrap().map(|found| found.unwrap().value_of(&cost)).collect();
        let least = model.minimum(&cost).unwrap();
        assert_eq!(least.as_ref().map(|best| best.value), values.iter().copied().min(), "round {round}");
        assert!(least.is_none_or(|best| best.is_optimal && best.solution.value_of(&cost) == best.value));
        let mut seen = Vec::new();
        let most = model
            .ask()
            .on_solution(|solution, value| seen.push((solution.value_of(&cost), value)))
            .maximum(&cost)
            .unwrap();
        assert_eq!(most.map(|best| best.value), values.into_iter().max(), "round {round}");
        assert!(seen.iter().all(|(one, other)| one == other) && seen.is_sorted_by(|a, b| a.1 < b.1));
    }
}

/// Every clause comes from what was said, and clauses of what was left out are gone.
#[test]
fn clauses_are_explained() {
    let said = |with: &[usize]| {
        let mut model = Model::new();
        let x = model.ints(4, 0..=5);
        let y = model.int(0..=10_000);
        let lit = model.lit(x[0].is(3));
        cnfkit::ClauseSink::add_clause(&mut model, &[lit]).unwrap();
        for &constraint in with {
            let name = ["all", "sum", "both", "again"][constraint];
            model.group(name, |model| match constraint {
                0 => model.all_different(&x),
                2 => model.post((x[1] + x[2] + x[3]).eq(y).and(x[3].lt(x[2]))),
                _ => model.post((3 * x[0] + 2 * x[1] - x[2]).le(9)),
            });
        }
        let clauses = model.formula().unwrap().encode().unwrap().n_clauses();
        let explanations = model.explanations().unwrap();
        assert!(explanations.clause(clauses).is_none() && model.explain_clause(clauses).unwrap().is_none());
        let said: Vec<String> = (0..clauses).map(|at| explanations.clause(at).unwrap().to_string()).collect();
        let last = model.explain_clause(clauses - 1).unwrap().unwrap();
        assert_eq!(said.last(), Some(&last.to_string()));
        said
    };
    let all = said(&[0, 1, 2, 3]);
    for expected in
        ["constraint 0 (\"all\")", "constraint 2 (\"both\"), part 0", "constraint 2 (\"both\"), part 1", "variable 1"]
    {
        assert!(all.iter().any(|said| said == expected), "{expected}: {all:?}");
    }
    // What is said twice is encoded once.
    assert!(all.iter().any(|said| said.contains("constraint 1 (\"sum\"); constraint 3 (\"again\")")), "{all:?}");
    let one = said(&[1]);
    assert!(
        one.iter().all(|said| !said.contains("both") && !said.contains("all")) && one.iter().any(|s| s.contains("sum"))
    );
    assert!(said(&[]).iter().all(|said| said.starts_with("variable") || said.starts_with('a')));
}

/// The published optima: `cargo test --release --test model numbers -- --ignored --nocapture`.
#[test]
#[ignore = "a minute in a release build"]
fn job_shops_of_lawrence() {
    for ((jobs, expected), number) in LAWRENCE.into_iter().zip([666, 655, 597, 590, 593]).zip(1..) {
        let start = std::time::Instant::now();
        let (model, _, end) = crate::pages::job_shop::plan(jobs);
        let best = model.ask().minimum(end).unwrap().expect("there are solutions");
        println!("la0{number}: {:.1} s", start.elapsed().as_secs_f64());
        assert!(best.is_optimal && best.value == expected, "la0{number}: {}", best.value);
    }
}
