//! The questions, held against every assignment and every set of parts of small random problems.

use super::*;
use crate::backbone::seen_in_some;
use cnfkit_core::internals::{Random, minimal};
use cnfkit_core::{CardEncoding, Constrain, Formula, Limits, Relation};

/// Random clauses as rules, random bounds as parts, on a few variables.
#[derive(Debug)]
struct Small {
    n: usize,
    rules: Vec<Vec<Lit>>,
    parts: Vec<(Vec<Lit>, Relation)>,
}

impl Small {
    fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let n = 1 + random.below(6);
        let mut lits = |most: usize| -> Vec<Lit> {
            (0..=random.below(most)).map(|_| Lit::new(random.below(n) as u32, random.chance(0.5))).collect()
        };
        let rules = (0..2).map(|_| lits(3)).collect();
        let n_parts = 1 + seed as usize % 5;
        let parts: Vec<Vec<Lit>> = (0..n_parts).map(|_| lits(6)).collect();
        let relation = |lits: Vec<Lit>| {
            let k = random.below(lits.len() + 2);
            let relation = match random.below(3) {
                0 => Relation::AtMost(k),
                1 => Relation::AtLeast(k),
                _ => Relation::Exactly(k),
            };
            (lits, relation)
        };
        Self { n, rules, parts: parts.into_iter().map(relation).collect() }
    }

    fn allows(&self, bits: u32, parts: u32) -> bool {
        let holds = |lit: &Lit| (bits >> lit.vidx() & 1 == 1) == lit.is_pos();
        self.rules.iter().all(|clause| clause.iter().any(holds))
            && self.parts.iter().enumerate().filter(|(part, _)| parts >> part & 1 == 1).all(|(_, (lits, relation))| {
                let count = lits.iter().filter(|lit| holds(lit)).count();
                match *relation {
                    Relation::AtMost(k) => count <= k,
                    Relation::AtLeast(k) => count >= k,
                    Relation::Exactly(k) => count == k,
                }
            })
    }

    fn models(&self, parts: u32) -> Vec<u32> {
        (0..1 << self.n).filter(|&bits| self.allows(bits, parts)).collect()
    }
}

impl Problem for Small {
    type Solution = u32;

    fn n_vars(&self) -> usize {
        self.n
    }

    fn rules<S: ClauseSink>(&self, sink: &mut S) -> Result<(), S::Error> {
        self.rules.iter().try_for_each(|clause| sink.add_clause(clause))
    }

    fn n_parts(&self) -> usize {
        self.parts.len()
    }

    fn part<S: ClauseSink>(&self, part: usize, sink: &mut S) -> Result<(), S::Error> {
        let (lits, relation) = &self.parts[part];
        sink.cardinality(lits, *relation, &CardEncoding::Totalizer)
    }

    fn decode(&self, is_true: impl Fn(Lit) -> bool) -> u32 {
        (0..self.n as u32).filter(|&var| is_true(Lit::positive(var))).map(|var| 1 << var).sum()
    }
}

#[test]
fn every_answer_is_that_of_all_assignments() {
    let mut unsolvable = 0;
    for seed in 0..400 {
        let problem = Small::new(seed);
        let all = (1 << problem.parts.len()) - 1;
        let models = problem.models(all);
        let ask = Ask::new(&problem);
        let mut found: Vec<u32> = ask.solutions().map(Result::unwrap).collect();
        found.sort_unstable();
        assert_eq!(found, models, "{problem:?}");
        assert_eq!(ask.count(2).unwrap(), models.len().min(2));
        assert_eq!(ask.is_unique().unwrap(), models.len() == 1);
        assert_eq!(ask.solve().unwrap().is_some(), !models.is_empty());
        let common = (!models.is_empty()).then(|| {
            let value = |var: usize| models[0] >> var & 1 == 1;
            let same = |var: usize| models.iter().all(|bits| (bits >> var & 1 == 1) == value(var));
            (0..problem.n).map(|var| same(var).then(|| value(var))).collect::<Vec<_>>()
        });
        assert_eq!(ask.backbone().unwrap(), common, "{problem:?}");

        let (minimal, smallest) = (ask.unsat_core().unwrap(), ask.smallest_unsat_core().unwrap());
        assert_eq!(minimal.is_some(), models.is_empty(), "{problem:?}");
        assert_eq!(smallest.is_some(), models.is_empty(), "{problem:?}");
        let (Some(minimal), Some(smallest)) = (minimal, smallest) else { continue };
        unsolvable += 1;
        let bits = |parts: &[usize]| parts.iter().map(|part| 1 << part).sum::<u32>();
        assert!(problem.models(bits(&minimal)).is_empty(), "{problem:?}: {minimal:?}");
        for part in &minimal {
            assert!(!problem.models(bits(&minimal) & !(1 << part)).is_empty(), "{problem:?}: {part} of {minimal:?}");
        }
        assert!(problem.models(bits(&smallest)).is_empty(), "{problem:?}: {smallest:?}");
        let fewest = (0..=all).filter(|&parts| problem.models(parts).is_empty()).map(u32::count_ones).min();
        assert_eq!(Some(smallest.len() as u32), fewest, "{problem:?}: {smallest:?}");
    }
    assert!((150..350).contains(&unsolvable), "{unsolvable} of 400 have no solution");
}

/// The rules in no group, each part in a group of its own; of two parts with an even number, in one another.
fn grouped(problem: &Small) -> Formula {
    let mut formula = Formula::with_vars(problem.n);
    let say = |formula: &mut Formula, part: usize| {
        let (lits, relation) = &problem.parts[part];
        formula.cardinality(lits, *relation, &CardEncoding::Auto).unwrap();
    };
    for part in (0..problem.parts.len()).rev().step_by(2) {
        formula.group(&part.to_string(), |formula| {
            formula.group("empty", |_| ());
            if let Some(next) = part.checked_sub(1) {
                formula.group(&next.to_string(), |formula| say(formula, next));
            }
            say(formula, part);
        });
        formula.add_clause(&problem.rules[0]).unwrap();
    }
    problem.rules.iter().for_each(|rule| formula.add_clause(rule).unwrap());
    formula
}

#[test]
fn cores_of_formulas_by_name() {
    let mut unsolvable = 0;
    for seed in 0..400 {
        let problem = Small::new(seed);
        let formula = grouped(&problem);
        assert_eq!(formula.groups().len(), problem.parts.len() + 1);
        let assumed: Vec<Lit> =
            (0..seed % 3).map(|at| Lit::new((at * 7 + seed) as u32 % problem.n as u32, at > 0)).collect();
        let question = formula.assuming(&assumed);
        let holds = |lit: &Lit, bits: u32| (bits >> lit.vidx() & 1 == 1) == lit.is_pos();
        let models = |parts: &[usize], assumed: &[Lit]| -> usize {
            let parts = parts.iter().map(|part| 1 << part).sum();
            problem.models(parts).iter().filter(|&&bits| assumed.iter().all(|lit| holds(lit, bits))).count()
        };
        let all: Vec<usize> = (0..problem.parts.len()).collect();
        let model = question.solve().unwrap();
        assert_eq!(model.is_some(), models(&all, &assumed) > 0, "{problem:?}");
        if let Some(model) = &model {
            assert_eq!(model.len(), problem.n);
            let bits = problem.decode(|lit| model.is_true(lit));
            assert!(problem.allows(bits, u32::MAX) && assumed.iter().all(|lit| holds(lit, bits)), "{problem:?}");
        }
        let cores = [question.unsat_core().unwrap(), question.smallest_unsat_core().unwrap()];
        let sizes = cores.map(|core| {
            assert_eq!(core.is_some(), model.is_none(), "{problem:?}");
            let core = core?;
            let parts: Vec<usize> = core.groups.iter().map(|name| name.parse().unwrap()).collect();
            assert_eq!(models(&parts, &core.assumptions), 0, "{problem:?}: {core}");
            for at in 0..parts.len() {
                let without = [&parts[..at], &parts[at + 1..]].concat();
                assert!(models(&without, &core.assumptions) > 0, "{problem:?}: {core} without {at}");
            }
            for at in 0..core.assumptions.len() {
                let without = [&core.assumptions[..at], &core.assumptions[at + 1..]].concat();
                assert!(models(&parts, &without) > 0, "{problem:?}: {core} without {:?}", core.assumptions[at]);
            }
            Some(parts.len() + core.assumptions.len())
        });
        assert!(sizes[1] <= sizes[0], "{problem:?}: {sizes:?}");
        unsolvable += u32::from(model.is_none());
    }
    assert!((150..370).contains(&unsolvable), "{unsolvable} of 400 have no solution");
}

#[test]
#[should_panic(expected = "is assumed, but the formula has 2 variables")]
fn assumptions_are_of_the_formula() {
    let _ = Formula::with_vars(2).assuming(&[Lit::positive(2)]);
}

#[test]
fn literals_that_some_model_makes_true() {
    for seed in 0..200 {
        let problem = Small::new(seed);
        let models = problem.models(u32::MAX);
        let clock = Limits::none().start();
        let own: Vec<Lit> = (0..problem.n).map(|var| Lit::positive(var as u32)).collect();
        let unseen = seen_in_some(&mut whole(&problem, &clock, Choices::default()).unwrap(), &own, &clock).unwrap();
        let never = |lit: &Lit| models.iter().all(|bits| bits >> lit.vidx() & 1 == 0);
        let expected = (!models.is_empty()).then(|| own.iter().copied().filter(never).collect::<Vec<_>>());
        assert_eq!(unseen, expected, "{problem:?}");
    }
}

#[test]
fn minimal_sets_whatever_the_step() {
    // Contradictory: any set with 3 and 7, or with 5 and 6 and 11.
    let contradicts = |items: &[u32]| {
        let has = |item: u32| items.contains(&item);
        has(3) && has(7) || has(5) && has(6) && has(11)
    };
    for step in [1, 2, 5, 16, 100] {
        let mut asked = 0;
        let found = minimal((0..16).collect(), step, |items| {
            asked += 1;
            Ok::<_, SolveError>(contradicts(items).then(|| items.to_vec()))
        });
        let found = found.unwrap();
        assert!(found == [3, 7] || found == [5, 6, 11], "{found:?} by {step}");
        assert!(asked <= 40, "{asked} questions by {step}");
    }
    assert!(minimal(Vec::<u32>::new(), 3, |_| Ok::<_, SolveError>(None)).unwrap().is_empty());
}

#[test]
fn limits_are_heeded() {
    let problem = Small::new(1);
    let flag = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let ask = Ask::new(&problem).limits(Limits::none().cancel(flag));
    assert!(matches!(ask.solve(), Err(SolveError::Interrupted)));
    assert!(matches!(ask.backbone(), Err(SolveError::Interrupted)));
    assert!(matches!(ask.unsat_core(), Err(SolveError::Interrupted)));
    assert!(matches!(ask.smallest_unsat_core(), Err(SolveError::Interrupted)));
    let mut solutions = ask.solutions();
    assert!(solutions.next().is_some_and(|first| first.is_err()) && solutions.next().is_none());
}
