//! The questions, held against every assignment and every set of parts of small random problems.

use super::*;
use crate::backbone::seen_in_some;
use cnfkit_core::internals::{Random, minimal};
use cnfkit_core::{AmoEncoding, CardEncoding, Constrain, Formula, Limits, PbEncoding, Relation, Size, Totalizer};

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
        let question = formula.ask().assuming(&assumed);
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
    let _ = Formula::with_vars(2).ask().assuming(&[Lit::positive(2)]);
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
    assert!(matches!(ask.solve(), Err(SolveError::Interrupted(_))));
    assert!(matches!(ask.backbone(), Err(SolveError::Interrupted(_))));
    assert!(matches!(ask.unsat_core(), Err(SolveError::Interrupted(_))));
    assert!(matches!(ask.smallest_unsat_core(), Err(SolveError::Interrupted(_))));
    let mut solutions = ask.solutions();
    assert!(solutions.next().is_some_and(|first| first.is_err()) && solutions.next().is_none());
}

/// The meaning of a constraint, for an assignment.
type Said = Box<dyn Fn(&dyn Fn(Lit) -> bool) -> bool>;

/// Says a constraint by any method of the front door, with weights that pass 64 bits together, too.
fn say(formula: &mut Formula, x: &[Lit], random: &mut Random) -> Said {
    let mut lits = x.to_vec();
    random.shuffle(&mut lits);
    lits.iter_mut().for_each(|lit| *lit = if random.chance(0.4) { !*lit } else { *lit });
    let cond: Vec<Lit> = (0..random.below(3)).map(|_| lits[random.below(lits.len())]).collect();
    let r = lits.pop().expect("some literals");
    lits.truncate(2 + random.below(4));
    let unit = [1, i64::MAX / 4][random.below(2)];
    let mut weight = || unit * (random.below(8) as i64 - 3) + random.below(2) as i64;
    let terms: Vec<(Lit, i64)> = lits.iter().map(|&lit| (lit, weight())).collect();
    let bound = terms[0].1.saturating_add(terms[1].1.max(0));
    let k = random.below(lits.len() + 1);
    let (is_iff, is_count, at) = (random.chance(0.5), random.chance(0.5), random.below(3));
    let mut when = formula.when(&cond);
    let said = match (is_iff, is_count, at) {
        (false, true, 0) => when.at_most(&lits, k, Totalizer::default().order(true)), // has no name
        (false, true, 1) => when.at_least(&lits, k, CardEncoding::Auto),
        (false, true, _) => when.exactly(&lits, k, CardEncoding::Auto),
        (false, false, 0) => when.pb_at_most(&terms, bound, PbEncoding::Auto),
        (false, false, 1) => when.pb_at_least(&terms, bound, PbEncoding::Auto),
        (false, false, _) => when.pb_exactly(&terms, bound, PbEncoding::Auto),
        (true, true, 0) => when.iff_at_most(r, &lits, k, CardEncoding::Auto),
        (true, true, 1) => when.iff_at_least(r, &lits, k, CardEncoding::Auto),
        (true, true, _) => when.iff_exactly(r, &lits, k, CardEncoding::Auto),
        (true, false, 0) => when.pb_iff_at_most(r, &terms, bound, PbEncoding::Auto),
        (true, false, 1) => when.pb_iff_at_least(r, &terms, bound, PbEncoding::Auto),
        (true, false, _) => when.pb_iff_exactly(r, &terms, bound, PbEncoding::Auto),
    };
    said.expect("a small formula");
    Box::new(move |is_true| {
        let trues = terms.iter().filter(|(lit, _)| is_true(*lit));
        let (sum, bound): (i128, i128) = if is_count {
            (trues.count() as i128, k as i128)
        } else {
            (trues.map(|&(_, weight)| i128::from(weight)).sum(), bound.into())
        };
        let holds = [sum <= bound, sum >= bound, sum == bound][at];
        !cond.iter().all(|&lit| is_true(lit)) || if is_iff { holds == is_true(r) } else { holds }
    })
}

/// Auxiliaries of what a formula cannot keep are among its variables, and none of the caller's.
#[test]
fn solutions_are_told_apart_by_the_callers_variables() {
    let mut random = Random::new(46);
    let mut with_auxiliaries = 0;
    for round in 0..600 {
        let mut formula = Formula::new();
        let mut x = formula.new_lits(4 + random.below(3));
        let mut said = vec![say(&mut formula, &x, &mut random)];
        x.extend(formula.new_lits(random.below(3)));
        said.push(say(&mut formula, &x, &mut random));
        assert_eq!(formula.lits(), x, "round {round}");
        with_auxiliaries += usize::from(formula.n_vars() > x.len());
        let is_true = |bits: u32, lit: Lit| {
            let at = x.iter().position(|x| x.var() == lit.var()).expect("a literal of the caller");
            (bits >> at & 1 == 1) == lit.is_pos()
        };
        let all = 0..1_u32 << x.len();
        let models: Vec<u32> = all.filter(|&bits| said.iter().all(|said| said(&|lit| is_true(bits, lit)))).collect();
        let ask = Ask::new(&formula);
        let mut found: Vec<u32> = (ask.solutions().map(Result::unwrap))
            .map(|model| (0..).zip(&x).map(|(at, &lit)| u32::from(model.is_true(lit)) << at).sum())
            .collect();
        found.sort_unstable();
        assert_eq!(found, models, "round {round}");
        let backbone = ask.backbone().unwrap();
        assert_eq!(backbone.is_some(), !models.is_empty());
        for (at, values) in x.iter().zip(backbone.iter().cycle()) {
            let first = is_true(models[0], *at);
            let same = models.iter().all(|&bits| is_true(bits, *at) == first);
            assert_eq!(values[at.vidx()], same.then_some(first), "round {round}");
        }
    }
    assert!(with_auxiliaries > 60, "{with_auxiliaries}");
}

/// Soft clauses, broken symmetries and bicliques have auxiliaries, too.
#[test]
fn auxiliaries_of_clauses_are_not_the_callers() {
    let mut formula = Formula::new();
    let x = formula.new_lits(4);
    formula.add_soft_clause(&x, 3).unwrap();
    assert_eq!((formula.lits(), Ask::new(&formula).count(100).unwrap()), (x, 16));
    let mut pigeons = Formula::new();
    let x: Vec<Vec<Lit>> = (0..7).map(|_| pigeons.new_lits(8)).collect();
    x.iter().for_each(|row| pigeons.at_least(row, 1, CardEncoding::Auto).unwrap());
    for hole in 0..8 {
        let column: Vec<Lit> = x.iter().map(|row| row[hole]).collect();
        pigeons.at_most(&column, 1, CardEncoding::Auto).unwrap();
    }
    let broken = pigeons.break_symmetries().unwrap().into_formula();
    assert!(broken.n_vars() > pigeons.n_vars() && broken.lits() == pigeons.lits());
    let mut graph = Formula::new();
    let x = graph.new_lits(6);
    for (one, other) in (0..3).flat_map(|one| (3..6).map(move |other| (one, other))) {
        graph.add_clause(&[!x[one], !x[other]]).unwrap();
    }
    let joined = graph.join_bicliques();
    assert_eq!((joined.n_vars(), joined.lits()), (7, x));
    assert_eq!(Ask::new(&joined).count(100).unwrap(), 15);
}

/// Auxiliaries that vanished are free in what was detected, and not the caller's: no new one has a number of theirs.
#[test]
fn what_was_detected_has_the_variables_of_the_original() {
    for n in [13, 20] {
        for encoding in [AmoEncoding::Ladder, AmoEncoding::Product, AmoEncoding::Bitwise, AmoEncoding::Commander] {
            let mut cnf = cnfkit_core::Cnf::new();
            let x = cnf.new_lits(n);
            cnf.exactly_one(&x, encoding).unwrap();
            let formula = Formula::read_dimacs(cnf.to_string().as_bytes()).unwrap();
            let detected = formula.detect();
            let new = detected.formula();
            assert!(detected.auxiliaries().len() > 2 && new.n_vars() == formula.n_vars(), "{encoding} of {n}");
            let free = |lit: Lit| [lit, !lit].map(|lit| new.ask().assuming(&[x[1], lit]).solve().unwrap().is_some());
            assert!(detected.auxiliaries().all(|var| free(var.pos_lit()) == [true; 2]), "{encoding} of {n}");
            assert_eq!(new.lits().len() + detected.auxiliaries().len(), formula.n_vars());
            assert_eq!(Ask::new(&new).count(usize::MAX).unwrap(), n, "{encoding} of {n}");
        }
    }
}

/// A variable that nobody handed out is taken note of, or refused with an error: at no door it aborts or panics.
#[test]
fn far_variables_are_refused_by_what_would_make_room_for_all_below() {
    for far in [1 << 30, rustsat::types::Var::MAX_IDX - 1] {
        let clause = [Lit::positive(far), Lit::negative(3)];
        let mut formula = Formula::new();
        formula.add_clause(&clause).unwrap();
        assert_eq!(formula.n_vars(), far as usize + 1);
        let refused = |answer: Result<bool, SolveError>| matches!(answer, Err(SolveError::Capacity(_)));
        assert!(refused(formula.solve().map(|model| model.is_some())));
        assert!(refused(Ask::new(&formula).solve().map(|model| model.is_some())));
        assert!(formula.reserve(&Size::variables(1 << 31)).is_err());
        assert!(formula.symmetries().is_empty());
        assert!(refused(formula.cubes(4, &Limits::none()).map(|_| true)));
        assert_eq!(formula.break_symmetries().unwrap().formula().n_vars(), far as usize + 1);
        #[cfg(feature = "batsat")]
        {
            let nowhere = std::env::temp_dir().join("cnfkit-far-variables");
            let proof = formula.solve_certified(&nowhere, &Limits::none());
            assert!(matches!(proof, Err(cnfkit_core::CertifyError::Capacity(_))) && !nowhere.exists());
        }
        let mut session = Session::new(Choices::default());
        assert!(refused(session.add_clause(&clause).map(|()| true)));
        let near = [Lit::positive(7), Lit::negative(3)];
        session.add_clause(&near).unwrap();
        assert!(session.next_var().idx() == 8 && session.solve(&[]).unwrap());
    }
}

/// A count whose clauses would take gigabytes is watched by BatSat, and refused by other default solvers.
#[test]
fn what_is_too_large_to_be_written_is_watched() {
    let mut formula = Formula::new();
    let x = formula.new_lits(500_000);
    formula.at_most(&x, 250_000, CardEncoding::Auto).unwrap();
    assert!(formula.size().clauses > 1 << 26, "{}", formula.size());
    formula.set_objective(x[..9].iter().map(|&lit| (!lit, 1)));
    let limits = Limits::none().memory(2 << 30);
    let solved = [formula.solve_within(&limits), Ask::new(&formula).limits(limits.clone()).solve()];
    let best = formula.ask().limits(limits.clone()).minimum();
    if cfg!(feature = "batsat") {
        for model in solved {
            let model = model.unwrap().expect("there are solutions");
            assert!(formula.constraints().all(|constraint| constraint.holds(|lit| model.is_true(lit))));
        }
        assert_eq!(best.unwrap().expect("there are solutions").value, 0);
    } else {
        assert!(solved.into_iter().all(|solved| matches!(solved, Err(SolveError::Capacity(_)))));
        assert!(matches!(best, Err(SolveError::Capacity(_))), "{best:?}");
    }
    assert!(matches!(formula.cubes(4, &limits), Err(SolveError::Capacity(_))));
    // An encoding that was asked for by name is not watched.
    let mut named = Formula::new();
    let x = named.new_lits(500_000);
    named.at_most(&x, 250_000, CardEncoding::CardinalityNetwork).unwrap();
    assert!(matches!(named.solve(), Err(SolveError::Capacity(_))), "{}", named.size());
    assert!(matches!(Ask::new(&named).solve(), Err(SolveError::Capacity(_))));
}
