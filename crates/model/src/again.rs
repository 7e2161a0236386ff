//! Models that are asked again: with constraints added in between, under assumptions, with hints, in threads; and the
//! constraints that contradict each other, by what they say.

use super::tests::constraint;
use super::*;
use cnfkit_core::internals::Random;
use cnfkit_core::{CardEncoding, Constrain};

const DOMAINS: [&[i64]; 5] = [&[-1, 0, 1, 2], &[-2, 0, 3], &[0, 1], &[1, 2, 4, 5], &[0, 1, 2, 3, 4, 5]];

fn model_by_lot(round: usize) -> (Model, Vec<IntVar>) {
    let mut model = Model::new();
    let int = [IntEncoding::Auto, IntEncoding::Binary, IntEncoding::Unary][round / 7 % 3];
    model.set_choice(Choice { int, ..Choice::default() });
    let vars = (0..3).map(|at| model.int(DOMAINS[(at + round) % 5])).collect();
    (model, vars)
}

/// Truth values of all kinds.
fn truth(random: &mut Random, vars: &[IntVar]) -> Bool {
    let (var, value) = (vars[random.below(vars.len())], random.below(7) as i64 - 2);
    let bool = if random.below(2) == 0 { var.is(value) } else { var.at_least(value) };
    if random.below(2) == 0 { bool } else { !bool }
}

/// Whatever is added, and in whatever order: the answers are those of a model that is encoded anew.
#[test]
fn added_constraints_count_as_those_that_were_there() {
    let mut random = Random::new(8);
    let (mut over, mut refuted, mut counted) = (0, 0, 0);
    for round in 0..400 {
        let (mut model, mut vars) = model_by_lot(round);
        #[cfg(feature = "batsat")]
        if round % 5 == 4 {
            model.set_solver(|| cnfkit_core::solvers::Plain(cnfkit_core::solvers::BatSat::default()));
        }
        if round % 3 == 0 {
            model.post(constraint(&mut random, &vars, 1));
        }
        let mut copy = model.clone();
        copy.lineage = model.lineage.twin();
        let mut questions = model.incremental();
        let mut shown = 0;
        for step in 0..5 {
            // Both get what these lots say.
            let before = Random::new(random.next());
            let posting = |model: &mut Model, vars: &mut Vec<IntVar>| {
                let mut random = before.clone();
                match random.below(8) {
                    0 if vars.len() < 5 => vars.push(model.int(DOMAINS[random.below(5)])),
                    1 => {
                        let high: Vec<_> = vars.iter().map(|var| model.lit(var.at_least(1))).collect();
                        model.at_most(&high, vars.len() - 1, &CardEncoding::Auto).unwrap();
                    }
                    _ => {}
                }
                let int = [IntEncoding::Auto, IntEncoding::Binary, IntEncoding::Unary][random.below(3)];
                model.set_choice(Choice { int, ..Choice::default() });
                (0..random.below(2)).for_each(|_| model.post(constraint(&mut random, vars, 1)));
            };
            posting(&mut copy, &mut vars.clone());
            posting(questions.model(), &mut vars);
            copy.is_incremental = true; // makes variables for what it posts as the other does
            if copy.error.is_some() {
                break;
            }
            let assumed: Vec<Bool> = (0..random.below(3)).map(|_| truth(&mut random, &vars)).collect();
            let mut with = copy.clone();
            assumed.iter().for_each(|&bool| with.post(bool));
            let found = questions.solve_assuming(assumed.clone()).unwrap();
            assert_eq!(found.is_some(), with.solve().unwrap().is_some(), "round {round}, step {step}: {copy:?}");
            match found {
                Some(found) => assert!(assumed.iter().all(|&bool| found.is_true(bool))),
                None => {
                    let mut with = copy.clone();
                    questions.failed().iter().for_each(|&bool| with.post(bool));
                    assert!(with.solve().unwrap().is_none(), "round {round}, step {step}");
                    refuted += usize::from(!questions.failed().is_empty());
                }
            }
            // One solution is taken out on the way.
            if step == 1
                && let Some(first) = questions.next_solution().unwrap()
            {
                let differs = vars.iter().map(|&var| !var.is(first.value(var)));
                copy.post(any(differs));
                shown += 1;
            }
        }
        let size = copy.domains.iter().map(Domain::len).product::<u64>();
        if copy.error.is_some() || size > 30_000 || shown > 0 && copy.domains.len() != vars.len() {
            continue;
        }
        let mut rest = 0;
        while questions.next_solution().unwrap().is_some() {
            rest += 1;
        }
        assert_eq!(rest, copy.count(usize::MAX).unwrap(), "round {round}: {copy:?}");
        assert!(questions.solve().unwrap().is_none());
        counted += 1;
        over += usize::from(rest == 0);
    }
    assert!(over > 20 && refuted > 20 && counted > 150, "{over} {refuted} {counted}");
}

/// Domains that have bits only at first get other literals, and all sums are heeded that are not written.
#[test]
fn large_domains_and_long_sums_grow() {
    let mut model = Model::new();
    let x = model.ints(3, 0..=5_000);
    model.post((x[0] + x[1] + x[2]).eq(9_000));
    let mut questions = model.incremental();
    assert!(questions.solve().unwrap().is_some());
    assert!(questions.solve_assuming([x[0].is(4_000), x[1].at_least(4_999)]).unwrap().is_some());
    assert!(questions.solve_assuming([x[0].is(4_000), x[1].at_least(5_000), x[2].at_least(1)]).unwrap().is_none());
    questions.model().post(maximum(&x, x[1]));
    questions.model().post(element([7, 4_900, 12], x[2], x[1]));
    let found = questions.solve().unwrap().unwrap();
    assert_eq!((found.values(&x[1..]), found.value(x[0])), (vec![4_900, 1], 4_099));
    let mut model = Model::new();
    let x = model.ints(40, 0..=20);
    let mut questions = model.incremental();
    for step in 0..6 {
        let weights = (0..).map(|at| 1 + (at * 7 + step * 3) % 11);
        let total = || sum(x.iter().zip(weights.clone()).map(|(&x, weight)| weight * x));
        questions.model().post(total().ge(1_500 + 100 * step));
        questions.model().post(total().le(2_500));
        let found = questions.solve().unwrap().expect("all tens, for one");
        assert!((1_500 + 100 * step..=2_500).contains(&found.value_of(total())), "{found:?}");
    }
}

#[test]
fn lazy_constraints_come_later() {
    let mut model = Model::new();
    let x = model.ints(3, 0..=2);
    let mut questions = model.incremental();
    assert!(questions.solve().unwrap().is_some());
    let of = x.clone();
    questions.model().lazy(&x, move |found| {
        if found.value_of(sum(&of)) == 3 {
            Vec::new()
        } else {
            vec![of.iter().map(|&x| !x.is(found.value(x))).collect()]
        }
    });
    let mut n = 0;
    while questions.next_solution().unwrap().is_some() {
        n += 1;
    }
    assert_eq!(n, 7);
}

#[test]
fn limits_end_a_question_and_not_all() {
    let mut model = Model::new();
    let x = model.ints(11, 0..=9);
    (0..11).for_each(|i| (0..i).for_each(|j| model.post(x[i].ne(x[j]).or(x[10].is(3)))));
    let mut questions = model.incremental();
    questions.model().set_limits(Limits::none().time(std::time::Duration::ZERO));
    assert!(matches!(questions.solve(), Err(ModelError::Interrupted(_))));
    questions.model().set_limits(Limits::none());
    assert!(questions.solve().unwrap().is_some());
}

/// Hints change no answer; a solution that is hinted at is the first that is shown, and the answer where time is over.
#[test]
fn hints_are_taken_and_not_trusted() {
    let mut random = Random::new(3);
    let (mut taken, mut all) = (0, 0);
    for round in 0..200 {
        let (mut model, vars) = model_by_lot(round);
        model.post(constraint(&mut random, &vars, 1));
        model.post(constraint(&mut random, &vars, 1));
        let mut plain = model.clone();
        for &var in &vars {
            if random.below(4) > 0 {
                model.set_hint(var, random.below(7) as i64 - 2);
            }
        }
        if round % 3 == 0 {
            model.set_hint(truth(&mut random, &vars), 1);
            model.set_hint(2 * vars[0] + vars[1], 4);
            plain = model.clone();
            plain.hints.clear();
        }
        if model.error.is_some() {
            continue;
        }
        assert_eq!(model.count(usize::MAX).unwrap(), plain.count(usize::MAX).unwrap(), "round {round}");
        let cost = vars[0] - 2 * vars[1];
        let best = |model: &mut Model| {
            let (mut seen, cost) = (Vec::new(), cost.clone());
            let found = model.ask().on_solution(|_, value| seen.push(value)).minimum(cost).unwrap();
            assert!(seen.is_sorted_by(|a, b| a > b) && seen.last() == found.as_ref().map(|best| &best.value));
            found.map(|best| (best.value, best.bound, best.is_optimal))
        };
        assert_eq!(best(&mut model), best(&mut plain), "round {round}");
        let most = |model: &mut Model| {
            let (mut seen, cost) = (Vec::new(), cost.clone());
            let found = model.ask().on_solution(|_, value| seen.push(value)).maximum(cost).unwrap();
            assert!(seen.is_sorted_by(|a, b| a < b) && seen.last() == found.as_ref().map(|best| &best.value));
            found.map(|best| (best.value, best.bound, best.is_optimal))
        };
        assert_eq!(most(&mut model), most(&mut plain), "round {round}");
        all += 1;
        taken += usize::from(model.hinted(&model.asking.start()).unwrap().is_some());
    }
    assert!(taken > 5 && taken < all, "{taken} of {all}");
    let mut model = Model::new();
    let x = model.ints(30, 0..=9);
    let total = |a: i64, b: i64| sum((1..).zip(&x).map(move |(at, &x)| (1 + at * a % b) * x));
    model.post(total(37, 101).ge(4_000));
    model.post(total(71, 89).ge(4_000));
    x.iter().for_each(|x| model.set_hint(x, 6));
    model.set_limits(Limits::none().conflicts(1));
    let mut seen = Vec::new();
    let expected = (1..=30).map(|at| (1 + at * 53 % 97) * 6).sum();
    let best = model.ask().on_solution(|_, value| seen.push(value)).minimum(total(53, 97));
    let most = model.maximum(total(53, 97)).unwrap().expect("all nines, or what is hinted at");
    assert!(expected <= most.value && most.value <= most.bound, "{most:?}");
    match best {
        Ok(Some(best)) => {
            assert!(best.value <= expected && best.bound <= best.value && seen[0] == expected, "{best:?}");
        }
        best if cfg!(feature = "batsat") => panic!("{best:?}"),
        _ => {}
    }
}

#[test]
fn threads_and_seeds_change_no_answer() {
    let mut random = Random::new(4);
    for round in 0..60 {
        let (mut model, vars) = model_by_lot(round);
        model.post(constraint(&mut random, &vars, 1));
        model.post(constraint(&mut random, &vars, 1));
        if model.error.is_some() {
            continue;
        }
        let cost = 3 * vars[0] - vars[1] + vars[2];
        let expected = (model.count(usize::MAX).unwrap(), model.minimum(cost.clone()).unwrap().map(|best| best.value));
        model.set_seed(round as u64);
        model.set_threads(1 + round % 4);
        let mut shown = None;
        let least = model.ask().on_solution(|_, value| shown = Some(value)).minimum(cost).unwrap();
        assert!(least.as_ref().is_none_or(|best| best.is_optimal && best.bound == best.value));
        assert_eq!((model.count(usize::MAX).unwrap(), shown), expected, "round {round}");
        assert_eq!(model.solve().unwrap().is_some(), expected.0 > 0, "round {round}");
        let most = model.maximum(2 * vars[0] - vars[1]).unwrap().map(|best| (best.value, best.is_optimal));
        model.set_threads(1);
        assert_eq!(model.maximum(2 * vars[0] - vars[1]).unwrap().map(|best| (best.value, true)), most);
    }
    let mut model = Model::new();
    let x = model.ints(60, 0..=9);
    let total = |a: i64, b: i64| sum((1..).zip(&x).map(move |(at, &x)| (1 + at * a % b) * x));
    (0..8).for_each(|row| model.post(total(37 + row, 101).le(9_000)));
    model.set_threads(3);
    model.set_limits(Limits::none().time(std::time::Duration::from_millis(300)));
    let start = std::time::Instant::now();
    let _ = model.maximum(total(53, 97));
    assert!(start.elapsed().as_secs() < 20);
}

/// Constraints of a core contradict each other, and none can be left out.
#[test]
fn constraints_are_their_own_groups_where_there_are_none() {
    let mut random = Random::new(6);
    let mut cores = 0;
    for round in 0..150 {
        let (mut model, vars) = model_by_lot(round);
        let blank = model.clone();
        let seeds: Vec<u64> = (0..4).map(|_| random.next()).collect();
        let of = |seed: u64| constraint(&mut Random::new(seed), &vars, 1);
        let mut numbers = Vec::new();
        for &seed in &seeds {
            model.post(of(seed));
            numbers.push(model.posted.len() - 1);
        }
        if model.error.is_some() {
            continue;
        }
        let with = |kept: &[usize]| {
            let mut model = blank.clone();
            kept.iter().for_each(|&at| model.post(of(seeds[at])));
            model.solve().unwrap().is_some()
        };
        let Some(core) = model.unsat_core().unwrap() else {
            assert!(with(&[0, 1, 2, 3]), "round {round}");
            continue;
        };
        let number = |name: &str| {
            let number = name.strip_prefix("constraint ").and_then(|rest| rest.split(':').next()).unwrap();
            numbers.iter().position(|&at| at == number.parse::<usize>().unwrap()).unwrap()
        };
        let kept: Vec<usize> = core.iter().map(|name| number(name)).collect();
        assert!(!with(&kept), "round {round}: {core:?}");
        for left_out in 0..kept.len() {
            let rest: Vec<usize> = kept.iter().copied().filter(|&at| at != kept[left_out]).collect();
            assert!(with(&rest), "round {round}: {core:?} without {left_out}");
        }
        cores += 1;
    }
    assert!(cores > 10, "{cores}");
}

/// Schedules that are tried first change no answer, and solve what a search does not.
#[test]
fn likely_schedules_change_no_answer() {
    let mut random = Random::new(12);
    let mut likely = 0;
    for round in 0..150 {
        let (mut model, vars) = model_by_lot(round);
        let mut by_lot = |most: usize| -> Vec<i64> { vars.iter().map(|_| random.below(most) as i64).collect() };
        let (durations, demands) = (by_lot(5), by_lot(4));
        model.post(cumulative(&vars, durations, demands, 3 + round as i64 % 2));
        if round % 3 > 0 {
            model.post(constraint(&mut random, &vars, 1));
        }
        if model.error.is_some() {
            continue;
        }
        let cost = vars[0] - 2 * vars[1] + vars[2];
        let values: Vec<i64> =
            model.solutions().unwrap().map(|solution| solution.unwrap().value_of(cost.clone())).collect();
        assert_eq!(model.solve().unwrap().is_some(), !values.is_empty(), "round {round}");
        let best = |found: Option<Optimum>| found.map(|best| (best.value, best.is_optimal));
        let [least, most] = [values.iter().min(), values.iter().max()].map(|value| value.map(|&value| (value, true)));
        assert_eq!(best(model.minimum(cost.clone()).unwrap()), least, "round {round}");
        assert_eq!(best(model.maximum(cost).unwrap()), most, "round {round}");
        likely += usize::from(model.as_likely(&model.asking.start()).unwrap().is_some());
    }
    assert!(likely > 50, "{likely}");
    let mut model = Model::new();
    if !model.has_theory() {
        return; // what runs at each of 600 times is written then, which takes longer than the search
    }
    let (starts, end) = (model.ints(150, 0..=600), model.int(0..=600));
    let mut by_lot = |most: usize| -> Vec<i64> { starts.iter().map(|_| 1 + random.below(most) as i64).collect() };
    let (durations, demands) = (by_lot(20), by_lot(5));
    starts.iter().zip(&durations).for_each(|(&start, &duration)| model.post((start + duration).le(end)));
    let work: i64 = durations.iter().zip(&demands).map(|(duration, demand)| duration * demand).sum();
    model.post(cumulative(&starts, durations, demands, 10));
    model.set_limits(Limits::none().time(std::time::Duration::from_secs(20)));
    assert!(model.solve().unwrap().is_some());
    model.set_limits(Limits::none().time(std::time::Duration::from_secs(8)));
    let best = model.minimum(end).unwrap().unwrap();
    assert!(10 * best.value < work * 6 / 5, "{} for {work}", best.value);
}

#[test]
fn constraints_in_words() {
    let mut model = Model::new();
    let x = model.ints(4, 0..=3);
    let b = model.bool();
    for constraint in [
        (2 * x[0] - x[1] + 1).le(4),
        x[0].ne(x[1]),
        x[2].is(3).or(!b),
        Constraint::from(x[2].at_least(2)).and(!x[3].at_least(2)),
        all_different([x[0] + 1, 2 * x[1], 7.into()]),
        all_different_except(&x[..2], [0]),
        circuit(&x[..2]),
        element(&x[..2], x[2], x[3] - 1),
        times(x[0], x[1], x[2]),
        maximum(&x[..2], x[2]),
        lex_less(&x[..2], &x[2..]),
        inverse(&x[..2], &x[2..]),
        table(&x[..2], [[0, 1], [1, 2]]),
        connected(&x[..2], [(0, 1)]),
        cumulative(&x[..2], [2, 1], [1, 1], 3),
        all(None::<Bool>),
    ] {
        model.post(constraint);
    }
    let texts: Vec<&str> = model.texts().iter().filter_map(|text| Some(text.split_once(": ")?.1)).collect();
    let expected = [
        "2 * x0 - x1 <= 3",
        "x0 - x1 != 0",
        "(x2 = 3) | (!x4)",
        "(x2 >= 2) & (x3 < 2)",
        "all_different(x0 + 1, 2 * x1, 7)",
        "all_different_except([x0, x1], {0})",
        "(all_different(x0, x1)) & (circuit(x0, x1))",
        "element([x0, x1], x2, x3 - 1)",
        "(x0) * (x1) = x2",
        "maximum(x0, x1) = x2",
        "lex_less([x0, x1], [x2, x3])",
        "inverse([x0, x1], [x2, x3])",
        "table([x0, x1], 2 rows)",
        "connected([x0, x1], [0 to 1: 1])",
        "cumulative([x0 to x0 + 2 needs 1, x1 to x1 + 1 needs 1], 3)",
        "true",
    ];
    assert_eq!(texts, expected);
    let long = model.ints(30, 0..=1);
    model.all_different(&long);
    assert!(model.texts().last().unwrap().ends_with("x24, …, 30 in all)"), "{:?}", model.texts().last());
}
