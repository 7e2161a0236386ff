//! A second witness for every encoding: solvers that others wrote, which read the constraints themselves.
//!
//! Random constraints are written in OPB straight from their definition ([`opb`]), and encoded in every way there is
//! ([`ways`]): each encoding by name, through the front door, plain, under conditions and reified, weights by their own
//! encodings and as literals given more than once; a `Formula` in each of its orders, written out and read back in each
//! of its formats; and what grows, in random steps. Clasp and Sat4j get both and have to agree: on the number of models
//! of the inputs where these are few, and on the least value of a random objective where they are more. That value is
//! also what every [`Strategy`] of `Questions::minimum` has to find.
//!
//! These tests are ignored, because they need the Debian packages `clasp` and `sat4j`; without them they fail:
//! `cargo test --release --test witness -- --ignored --nocapture`. They run until their time is up, with a fresh seed,
//! which they print. `CNFKIT_FUZZ_SECONDS` is the time of each, `CNFKIT_FUZZ_SEED` repeats a run.

mod opb;
mod problem;
mod programs;
mod ways;

use std::collections::BTreeMap;
use std::collections::hash_map::RandomState;
use std::fmt::{self, Display};
use std::hash::BuildHasher;
use std::path::Path;
use std::time::{Duration, Instant};

use cnfkit::ask::Strategy;
use cnfkit::{ClauseSink, Cnf, Formula, Lit, Questions};
use itertools::Itertools;

use opb::{of_clauses, of_problem};
use problem::{Problem, Random, Shape};
use programs::{Answer, Clasp, Sat4j};
use ways::{Way, ways};

/// Tries problems until the time is up, all ways of each, and says how often each way was tried.
fn run<W: Display>(what: &str, ways: &[W], one: impl Fn(&mut Random, &mut dyn FnMut(&W))) {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().expect("a number"));
    let seed = number("CNFKIT_FUZZ_SEED").unwrap_or_else(|| RandomState::new().hash_one(0_u8));
    let time = Duration::from_secs(number("CNFKIT_FUZZ_SECONDS").unwrap_or(60));
    println!("{what}: CNFKIT_FUZZ_SEED={seed}");
    let start = Instant::now();
    let mut random = Random::new(seed);
    let (mut problems, mut tried) = (0, BTreeMap::new());
    while start.elapsed() < time {
        one(&mut random, &mut |way| *tried.entry(way.to_string()).or_insert(0) += 1);
        problems += 1;
    }
    let counts: Vec<usize> =
        ways.iter().map(|way| tried.get(&way.to_string()).copied().unwrap_or(0)).sorted().collect();
    let (least, sum) = (counts[0], counts.iter().sum::<usize>());
    println!("{what}: {problems} problems, {sum} formulas in {:?}, {least} and more of each way", start.elapsed());
    // What is too large to encode is left out: no way may be left out for good.
    assert!(least > 0 || sum < 50 * counts.len(), "a way was never tried: {tried:?}");
}

/// A formula's text in DIMACS, with the variables below `n` as those that are counted.
fn counted(cnf: &Cnf, n: usize) -> Vec<u8> {
    let mut text = Vec::new();
    cnf.write_dimacs(&mut text).unwrap();
    let end = text.iter().position(|&byte| byte == b'\n').expect("a header");
    let mut all = text[..=end].to_vec();
    all.extend(b"c project");
    (1..=n).for_each(|var| all.extend(format!(" {var}").bytes()));
    all.extend(b" 0\n");
    all.extend(&text[end + 1..]);
    all
}

/// Keeps what disagrees, and says where.
fn keep(said: &str, clauses: &str) -> String {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (one, other) = (place.join("disagrees-said"), place.join("disagrees-clauses"));
    std::fs::write(&one, said).and_then(|()| std::fs::write(&other, clauses)).unwrap();
    format!("{} and {}", one.display(), other.display())
}

fn check_models(clasp: &Clasp, random: &mut Random, tried: &mut dyn FnMut(&Way)) {
    let problem = Problem::random(random, Shape::Small);
    let said = of_problem(&problem).text(Some(problem.n));
    let expected = clasp.models("opb", said.as_bytes());
    assert!(expected <= 1 << problem.n);
    for way in ways() {
        let Some(cnf) = way.encode(&problem, random) else { continue };
        let clauses = counted(&cnf, problem.n);
        let found = clasp.models("cnf", &clauses);
        assert_eq!(found, expected, "{way}: {problem:?}, {}", keep(&said, &String::from_utf8_lossy(&clauses)));
        tried(&way);
    }
    // What a `Formula` writes in OPB itself.
    let mut formula = Formula::with_vars(problem.n);
    problem.post_by_default(&mut formula);
    let mut text = Vec::new();
    formula.write_opb(&mut text).unwrap();
    assert_eq!(clasp.models("opb", for_clasp(&text, problem.n).as_bytes()), expected, "write_opb: {problem:?}");
}

/// This OPB for clasp, with the variables below `n` as those that are counted.
///
/// Version 3.3.5 finds `+2 x1 +2 x2 = 3` satisfiable: it divides an equation by what its weights have in common, and
/// rounds. So equations become two inequalities.
fn for_clasp(text: &[u8], n: usize) -> String {
    let text = std::str::from_utf8(text).expect("text");
    let (header, constraints) = text.split_once('\n').expect("a header");
    let constraints = constraints.lines().map(|line| match line.split_once(" = ") {
        Some((sum, bound)) => {
            let negated: String = sum.chars().map(|c| if c == '+' { '-' } else { c }).collect();
            format!("{sum} >= {bound}\n{negated} >= -{bound}\n")
        }
        None => format!("{line}\n"),
    });
    format!("{header}\n{}{}", opb::projection(n), constraints.collect::<String>())
}

/// An equation that has no solution, as clasp is given it.
#[test]
#[ignore = "asks clasp"]
fn equations() {
    let text = for_clasp(b"* #variable= 3 #constraint= 2\n+2 x1 +2 x2 = 3 ;\n+1 x3 >= 1 ;\n", 3);
    assert!(text.contains("\n-2 x1 -2 x2 >= -3 ;\n") && text.ends_with("\n+1 x3 >= 1 ;\n"), "{text}");
    assert_eq!(Clasp::find().models("opb", text.as_bytes()), 0);
}

#[test]
#[ignore = "asks clasp"]
fn as_many_models() {
    let clasp = Clasp::find();
    run("models", &ways(), |random, tried| check_models(&clasp, random, tried));
}

fn check_least(solver: &dyn Fn(&[u8]) -> Answer, few: bool, random: &mut Random, tried: &mut dyn FnMut(&Way)) {
    let problem = Problem::random(random, Shape::Large);
    let said = of_problem(&problem).text(None);
    let expected = solver(said.as_bytes());
    let mut ways = ways();
    if few {
        random.shuffle(&mut ways);
        ways.truncate(4);
    }
    for way in ways {
        let Some(cnf) = way.encode(&problem, random) else { continue };
        let clauses = of_clauses(&cnf, &problem.goal).text(None);
        let found = solver(clauses.as_bytes());
        assert_eq!(found, expected, "{way}: {problem:?}, {}", keep(&said, &clauses));
        tried(&way);
    }
}

#[test]
#[ignore = "asks clasp"]
fn the_same_least_value() {
    let clasp = Clasp::find();
    run("least value, clasp", &ways(), |random, tried| check_least(&|text| clasp.least(text), false, random, tried));
}

#[test]
#[ignore = "asks sat4j"]
fn the_same_least_value_by_sat4j() {
    let sat4j = Sat4j::find();
    run("least value, sat4j", &ways(), |random, tried| check_least(&|text| sat4j.least(text), true, random, tried));
}

/// A way to search for the least value, of a formula that was posted, or read from the witness's OPB.
struct Search {
    strategy: Strategy,
    read: bool,
}

impl Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} of a formula that was {}", self.strategy, if self.read { "read" } else { "posted" })
    }
}

fn searches() -> Vec<Search> {
    let strategies = [Strategy::Auto, Strategy::SolutionImproving, Strategy::CoreGuided];
    strategies.into_iter().cartesian_product([false, true]).map(|(strategy, read)| Search { strategy, read }).collect()
}

fn check_optimum(clasp: &Clasp, random: &mut Random, tried: &mut dyn FnMut(&Search)) {
    let mut problem = Problem::random(random, Shape::Large);
    problem.weigh(random);
    let said = of_problem(&problem).text(None);
    let expected = clasp.least(said.as_bytes());
    // In the text, a negated literal is one less its variable, without the one.
    let constant: i64 = problem.goal.iter().filter(|(lit, _)| lit.is_neg()).map(|&(_, weight)| weight).sum();
    for search in searches() {
        let (formula, constant) = if search.read {
            (Formula::read_opb(said.as_bytes()).unwrap(), 0)
        } else {
            let mut formula = Formula::with_vars(problem.n);
            problem.post_by_default(&mut formula);
            formula.set_objective(problem.goal.iter().copied());
            (formula, constant)
        };
        let found = formula.ask().strategy(search.strategy).minimum().unwrap();
        let answer = found.map_or(Answer::Unsatisfiable, |best| {
            assert!(best.is_optimal() && best.lower_bound == best.value, "{search}: {problem:?}");
            assert!(problem.holds(|lit| best.model.is_true(lit)), "{search}: {problem:?}");
            Answer::Least(i64::try_from(best.value).unwrap() - constant)
        });
        assert_eq!(answer, expected, "{search}: {problem:?}, {}", keep(&said, ""));
        tried(&search);
    }
}

#[test]
#[ignore = "asks clasp"]
fn the_same_optimum_by_every_strategy() {
    let clasp = Clasp::find();
    run("optimum", &searches(), |random, tried| check_optimum(&clasp, random, tried));
}

/// A witness that never disagrees is none: a formula that lacks a clause, or has one too many, is found out.
#[test]
#[ignore = "asks clasp"]
fn wrong_formulas_are_found_out() {
    let clasp = Clasp::find();
    let (mut random, mut wrong, mut found) = (Random::new(1), 0, 0);
    while wrong < 300 {
        let problem = Problem::random(&mut random, Shape::Small);
        let expected = clasp.models("opb", of_problem(&problem).text(Some(problem.n)).as_bytes());
        let all = ways();
        let Some(cnf) = all[random.below(all.len())].encode(&problem, &mut random) else { continue };
        if cnf.n_clauses() == 0 || expected == 0 {
            continue;
        }
        let mut broken = Cnf::with_vars(cnf.n_vars());
        let out = random.below(cnf.n_clauses());
        for (at, clause) in cnf.clauses().enumerate() {
            if at != out {
                broken.add_clause(clause).unwrap();
            } else if random.below(2) == 0 && clause.len() > 1 {
                // Without its last literal.
                broken.add_clause(&clause[..clause.len() - 1]).unwrap();
            }
        }
        wrong += 1;
        found += usize::from(clasp.models("cnf", &counted(&broken, problem.n)) != expected);
    }
    println!("{found} of {wrong} formulas with a clause less or a shorter one were found out");
    // Some clauses say again what others say.
    assert!(2 * found > wrong, "{found} of {wrong}");
}

/// The OPB of the tests is itself what the constraints say: without any solver.
#[test]
fn the_witness_says_what_is_asked() {
    let mut random = Random::new(1);
    for _ in 0..2_000 {
        let problem = Problem::random(&mut random, Shape::Small);
        let text = of_problem(&problem);
        for assignment in 0..1_u32 << problem.n {
            let is_true = |lit: Lit| (assignment >> lit.vidx() & 1 == 1) == lit.is_pos();
            // Whatever its own variables are.
            let own = text.n_vars - problem.n;
            let said = (0..1_u32 << own).any(|rest| text.holds(assignment | rest << problem.n));
            assert_eq!(said, problem.holds(is_true), "{problem:?} on {assignment:b}");
        }
    }
}
