//! Every solver that is on passes the same tests.

use cnfkit::encode::{ByRelation, Full, Writer};
use cnfkit::{ClauseSink, Cnf, Constrain, Lit, Pairwise, Relation, Size, SolveError, SolverSink, Var, solvers};
use rustsat::solvers::{Solve, SolveIncremental, SolveStats, SolverResult};
use rustsat::types::TernaryVal;

/// Sinz's counter, to have auxiliaries: `some[j]` of a position is true when more than j literals up to it are.
#[derive(Debug)]
struct Counter;

impl ByRelation for Counter {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit], relation: Relation) -> Result<(), Full> {
        let Relation::AtMost(k) = relation else { return relation.by_at_most(self, to, lits) };
        let mut before: Vec<Lit> = Vec::new();
        for &lit in lits {
            if before.len() == k {
                to.clause(&[!lit, !before[k - 1]])?;
            }
            let after = to.lits((before.len() + 1).min(k));
            for (j, &some) in after.iter().enumerate() {
                if j < before.len() {
                    to.define(&[!before[j], some])?;
                }
                if j == 0 {
                    to.define(&[!lit, some])?;
                } else {
                    to.define(&[!lit, !before[j - 1], some])?;
                }
            }
            before = after;
        }
        Ok(())
    }

    fn size(&self, n: usize, relation: Relation) -> Size {
        let Relation::AtMost(k) = relation else { return relation.size_by_at_most(self, n) };
        let mut size = Size::ZERO;
        for before in (0..n).map(|i| i.min(k)) {
            let after = (before + 1).min(k);
            let full = usize::from(before == k);
            size += Size::variables(after as u64) + Size::clauses((before + 1 + full) as u64, 2);
            size += Size::clauses(after as u64 - 1, 3);
        }
        size
    }
}

type Build<S> = for<'a> fn(&mut SolverSink<S, &'a mut S>, &[Lit], usize) -> Result<(), SolveError>;

/// A solver without constraint accepts exactly the assignments in which `holds`.
fn against_brute_force<S: Solve + Default>(what: &str, build: Build<S>, holds: fn(usize, usize) -> bool) {
    for n in 1..=5usize {
        for k in 0..=n + 1 {
            for set in 0..1u32 << n {
                let mut solver = S::default();
                let mut sink = SolverSink::new(&mut solver, 0);
                let x = sink.new_lits(n);
                build(&mut sink, &x, k).unwrap();
                let values = |i: usize| set >> i & 1 == 1;
                for (i, &lit) in x.iter().enumerate() {
                    sink.add_clause(&[if values(i) { lit } else { !lit }]).unwrap();
                }
                let found = solver.solve().unwrap();
                let want = if holds(set.count_ones() as usize, k) { SolverResult::Sat } else { SolverResult::Unsat };
                assert_eq!(found, want, "{what}, n = {n}, k = {k}, assignment {set:b}");
                if found == SolverResult::Sat {
                    let model = solver.solution(x[n - 1].var()).unwrap();
                    assert!(
                        (0..n).all(|i| (model.lit_value(x[i]) == TernaryVal::True) == values(i)),
                        "{what}: {model}"
                    );
                }
            }
        }
    }
}

fn relations<S: Solve + Default>() {
    against_brute_force::<S>("exactly one", |sink, x, _| sink.exactly_one(x, &Pairwise), |count, _| count == 1);
    against_brute_force::<S>("at most one", |sink, x, _| sink.at_most_one(x, &Counter), |count, _| count <= 1);
    against_brute_force::<S>("at most", |sink, x, k| sink.at_most(x, k, &Counter), |count, k| count <= k);
    against_brute_force::<S>("at least", |sink, x, k| sink.at_least(x, k, &Counter), |count, k| count >= k);
    against_brute_force::<S>("exactly", |sink, x, k| sink.exactly(x, k, &Counter), |count, k| count == k);
}

/// Finds a model that satisfies every clause, or agrees that there is none.
fn solve_with<S: Solve + Default>() {
    for (n, k) in [(4, 2), (9, 4), (40, 13)] {
        let mut cnf = Cnf::new();
        let x = cnf.new_lits(n);
        cnf.exactly(&x, k, &Counter).unwrap();
        let model = cnf.solve_with(S::default()).unwrap().expect("k of n");
        let holds = |lit: &Lit| model.lit_value(*lit) == TernaryVal::True;
        assert_eq!(x.iter().filter(|lit| holds(lit)).count(), k);
        assert!(cnf.clauses().all(|clause| clause.iter().any(holds)));
        cnf.at_least(&x[..n / 2], n / 2, &Counter).unwrap();
        cnf.at_least(&x[n / 2..], k, &Counter).unwrap();
        assert!(cnf.solve_with(S::default()).unwrap().is_none(), "more than k of n = {n}");
    }
}

/// Five pigeons in four holes.
fn unsatisfiable<S: Solve + Default>() {
    let mut cnf = Cnf::new();
    let x: Vec<Vec<Lit>> = (0..5).map(|_| cnf.new_lits(4)).collect();
    for pigeon in &x {
        cnf.exactly_one(pigeon, &Pairwise).unwrap();
    }
    for hole in 0..4 {
        let lits: Vec<Lit> = x.iter().map(|pigeon| pigeon[hole]).collect();
        cnf.at_most_one(&lits, &Counter).unwrap();
    }
    assert!(cnf.solve_with(S::default()).unwrap().is_none());
}

fn without_variables<S: Solve + Default>() {
    let model = Cnf::new().solve_with(S::default()).unwrap().expect("nothing is asked");
    assert_eq!(model.len(), 0);
}

fn empty_clause<S: Solve + Default>() {
    let mut cnf = Cnf::new();
    cnf.add_clause(&[]).unwrap();
    assert!(cnf.solve_with(S::default()).unwrap().is_none(), "no variables");
    let mut cnf = Cnf::new();
    let x = cnf.new_lits(3);
    cnf.add_clause(&[x[0], x[1]]).unwrap();
    cnf.add_clause(&[]).unwrap();
    cnf.add_clause(&[x[2]]).unwrap();
    assert!(cnf.solve_with(S::default()).unwrap().is_none(), "among others");
    let mut solver = S::default();
    let mut sink = SolverSink::new(&mut solver, 3);
    sink.at_least(&x, 4, &Counter).unwrap();
    assert_eq!(solver.solve().unwrap(), SolverResult::Unsat);
}

/// Variables that no clause mentions have a place in the model all the same.
fn unused_variables<S: Solve + Default>() {
    let mut cnf = Cnf::with_vars(20);
    let x = Lit::positive(0);
    cnf.add_clause(&[!x]).unwrap();
    let model = cnf.solve_with(S::default()).unwrap().expect("one negative unit");
    assert_eq!((model.len(), model.lit_value(x)), (20, TernaryVal::False));
    let model = Cnf::with_vars(20).solve_with(S::default()).unwrap().expect("nothing is asked");
    assert_eq!(model.len(), 20);

    let mut solver = S::default();
    let mut sink = SolverSink::new(&mut solver, 0);
    let x = sink.new_lits(20);
    sink.add_clause(&[!x[0]]).unwrap();
    assert_eq!(solver.solve().unwrap(), SolverResult::Sat);
    let model = solver.solution(Var::new(19)).unwrap();
    assert_eq!((model.len(), model.lit_value(x[0])), (20, TernaryVal::False));
}

/// Repeated and complementary literals within a clause.
fn odd_clauses<S: Solve + Default>() {
    let mut cnf = Cnf::new();
    let x = cnf.new_lits(3);
    cnf.add_clause(&[x[0], !x[0]]).unwrap();
    cnf.add_clause(&[x[1], x[1], x[1]]).unwrap();
    cnf.add_clause(&[!x[1], x[2], x[2]]).unwrap();
    let model = cnf.solve_with(S::default()).unwrap().expect("satisfiable");
    assert_eq!((model.lit_value(x[1]), model.lit_value(x[2])), (TernaryVal::True, TernaryVal::True));
    cnf.add_clause(&[!x[2], !x[2]]).unwrap();
    assert!(cnf.solve_with(S::default()).unwrap().is_none());
}

macro_rules! same_tests {
    ($($(#[$on:meta])* $name:ident: $solver:ty),* $(,)?) => { $($(#[$on])* mod $name {
        use super::*;
        type S = $solver;
        #[test]
        fn relations() { super::relations::<S>() }
        #[test]
        fn solve_with() { super::solve_with::<S>() }
        #[test]
        fn unsatisfiable() { super::unsatisfiable::<S>() }
        #[test]
        fn without_variables() { super::without_variables::<S>() }
        #[test]
        fn empty_clause() { super::empty_clause::<S>() }
        #[test]
        fn unused_variables() { super::unused_variables::<S>() }
        #[test]
        fn odd_clauses() { super::odd_clauses::<S>() }
    })* };
}

same_tests! {
    #[cfg(feature = "batsat")]
    batsat: solvers::BatSat,
    #[cfg(feature = "minisat")]
    minisat: solvers::MiniSat,
    #[cfg(feature = "glucose")]
    glucose: solvers::Glucose,
    #[cfg(feature = "cadical")]
    cadical: solvers::CaDiCaL<'static, 'static>,
    #[cfg(all(feature = "kissat", not(feature = "cadical")))]
    kissat: solvers::Kissat<'static>,
    default_solver: solvers::DefaultSolver,
}

/// At least 4 of 20, then one bound after the other, on a solver that is asked in between. A second sink once handed
/// out the auxiliaries of the first again, and 4 to 5 of 20 was unsatisfiable.
fn between<S: Solve>(solver: &mut S, x: &[Lit], most: usize) {
    assert_eq!(solver.solve().unwrap(), SolverResult::Sat, "4 to {most} of 20");
    let chosen = x.iter().filter(|&&lit| solver.lit_val(lit).unwrap() == TernaryVal::True).count();
    assert!((4..=most).contains(&chosen), "{chosen}");
}

fn the_sink_lends_its_solver<S: SolveIncremental + Default>() {
    let mut solver = S::default();
    let mut sink = SolverSink::new(&mut solver, 0);
    let x = sink.new_lits(20);
    sink.at_least(&x, 4, &Counter).unwrap();
    for most in [12, 7, 5, 4] {
        sink.at_most(&x, most, &Counter).unwrap();
        between(sink.solver(), &x, most);
    }
    sink.at_most(&x, 3, &Counter).unwrap();
    assert_eq!(solver.solve().unwrap(), SolverResult::Unsat);
}

fn the_next_variable_is_given_back<S: SolveIncremental + Default>() {
    let mut solver = S::default();
    let mut sink = SolverSink::new(&mut solver, 0);
    let x = sink.new_lits(20);
    sink.at_least(&x, 4, &Counter).unwrap();
    let mut next = sink.into_next_var();
    for most in [12, 5] {
        let mut sink = SolverSink::new(&mut solver, next.idx());
        sink.at_most(&x, most, &Counter).unwrap();
        next = sink.into_next_var();
        between(&mut solver, &x, most);
    }
}

fn a_second_sink_resumes<S: SolveIncremental + SolveStats + Default>() {
    let mut solver = S::default();
    let x: Vec<Lit> = (0..20).map(Lit::positive).collect();
    SolverSink::resume(&mut solver, 20).at_least(&x, 4, &Counter).unwrap();
    for most in [12, 5] {
        SolverSink::resume(&mut solver, 20).at_most(&x, most, &Counter).unwrap();
        between(&mut solver, &x, most);
    }
    // Also a variable that is in no clause is not handed out again.
    let lone = SolverSink::resume(&mut solver, 0).new_lit();
    assert!(SolverSink::resume(&mut solver, 20).next_var() > lone.var());
    assert_eq!(SolverSink::resume(&mut solver, 999_999).next_var(), Var::new(999_999));
}

macro_rules! again {
    ($($(#[$on:meta])* $name:ident: $solver:ty),* $(,)?) => { $($(#[$on])* mod $name {
        type S = $solver;
        #[test]
        fn the_sink_lends_its_solver() { super::the_sink_lends_its_solver::<S>() }
        #[test]
        fn the_next_variable_is_given_back() { super::the_next_variable_is_given_back::<S>() }
        #[test]
        fn a_second_sink_resumes() { super::a_second_sink_resumes::<S>() }
    })* };
}

again! {
    #[cfg(feature = "batsat")]
    batsat_again: super::solvers::BatSat,
    #[cfg(feature = "minisat")]
    minisat_again: super::solvers::MiniSat,
    #[cfg(feature = "glucose")]
    glucose_again: super::solvers::Glucose,
    #[cfg(feature = "cadical")]
    cadical_again: super::solvers::CaDiCaL<'static, 'static>,
}

/// Two megabytes, and then no memory: the solver was given 10⁸ variables for one clause.
#[test]
fn a_header_that_announces_much_costs_the_model_only() {
    let cnf = Cnf::from_dimacs(&b"p cnf 100000000 2\n-7 99999999 0 7 0\n"[..]).unwrap();
    let lit = |number| Lit::from_ipasir(number).unwrap();
    let mut model = None;
    let memory = allocation_counter::measure(|| model = cnf.solve().unwrap()).bytes_max;
    let model = model.expect("satisfiable");
    assert!(memory < 110_000_000, "{memory} bytes");
    assert_eq!(model.len(), 100_000_000);
    assert!([7, 99_999_999, -1, -100_000_000].map(lit).into_iter().all(|lit| model.is_true(lit)));
    assert_eq!(model.value(lit(100_000_001)), None);

    let none = Cnf::from_dimacs(&b"p cnf 100000000 2\n-7 0 7 0\n"[..]).unwrap();
    assert!(none.solve().unwrap().is_none());
    let refused = Cnf::from_dimacs(&b"p cnf 2147483647 1\n7 0\n"[..]).unwrap().solve().unwrap_err();
    let SolveError::Capacity(refused) = refused else { panic!("{refused}") };
    assert_eq!((refused.needed.vars, refused.limit.vars), (2_147_483_647, 1 << 28));
}

#[test]
fn models_say_what_is_true() {
    let mut cnf = Cnf::new();
    let x = cnf.new_lits(4);
    for (index, &lit) in x.iter().enumerate() {
        cnf.add_clause(&[if index % 2 == 0 { lit } else { !lit }]).unwrap();
    }
    let model = cnf.solve().unwrap().expect("units");
    let chosen: Vec<Lit> = x.iter().copied().filter(|&lit| model.is_true(lit)).collect();
    assert_eq!(chosen, [x[0], x[2]]);
    assert!(model.is_true(!x[1]) && !model.is_true(!x[0]));
    assert_eq!([x[0], !x[0], x[1]].map(|lit| model.value(lit)), [Some(true), Some(false), Some(false)]);
    let held = [x[0], !x[1], x[2], !x[3]];
    assert!((&model).into_iter().eq(held) && model.iter().eq(held) && model.clone().into_iter().eq(held));
    assert_eq!((model.to_string().as_str(), model.lit_value(x[1])), ("1010", TernaryVal::False));
    let same: rustsat::types::Assignment = model.clone().into();
    assert_eq!(cnfkit::Assignment::from(same), model);
}

#[test]
fn solve_takes_the_default_solver() {
    let mut cnf = Cnf::new();
    let x = cnf.new_lits(2);
    cnf.exactly_one(&x, &Pairwise).unwrap();
    let model = cnf.solve().unwrap().expect("one of two");
    assert_ne!(model.lit_value(x[0]), model.lit_value(x[1]));
    cnf.add_clause(&[]).unwrap();
    assert!(cnf.solve().unwrap().is_none());
}

/// A solver asked for a variable it does not know may answer anything: the C++ ones read past the end of their model.
#[cfg(feature = "batsat")]
#[test]
fn a_sink_makes_its_variables_known_to_the_solver() {
    use rustsat::solvers::SolveStats;
    let mut solver = solvers::BatSat::default();
    let mut sink = SolverSink::new(&mut solver, 2);
    let x = sink.new_lits(18);
    assert_eq!(sink.next_var(), Var::new(20));
    sink.add_clause(&[!x[0]]).unwrap();
    assert_eq!(solver.n_vars(), 20);
}

/// Answers of programs to the parts that cubes make.
#[test]
fn answers_are_combined() {
    use cnfkit::solvers::{ExternalError, Failure};
    use cnfkit::{CardEncoding, Formula, Limits};
    let mut formula = Formula::new();
    let x = formula.new_lits(6);
    formula.exactly(&x, 3, CardEncoding::Combinatorial).unwrap();
    let cubes = formula.cubes(4, &Limits::none()).unwrap();
    assert_eq!(cubes.iter().len(), 4);
    let combine = |outputs: &[&str]| cubes.combine(outputs.iter().map(|text| text.as_bytes()));
    let (unsat, model) = ("c none\ns UNSATISFIABLE\n", "s SATISFIABLE\nv 1 2 3\nv -4 -5 -6 0\n");
    assert_eq!(combine(&[unsat; 4]).unwrap(), None);
    // A model of the clauses is one, whatever the cube; other answers are not asked for then.
    for outputs in [&[unsat, unsat, model, unsat][..], &["", model], &[model]] {
        let found = combine(outputs).unwrap().expect("a model");
        assert!(x.iter().enumerate().all(|(at, &lit)| found.value(lit) == Some(at < 3)) && found.len() == 6);
    }
    let failure = |outputs: &[&str]| match combine(outputs) {
        Err(SolveError::Solver(error)) => *error.downcast::<ExternalError>().expect("an error of a cube"),
        other => panic!("{other:?}"),
    };
    let missing = failure(&[unsat; 3]);
    assert!(missing.command == "cube 4" && matches!(missing.failure, Failure::NoAnswer), "{missing}");
    let unknown = failure(&[unsat, "s UNKNOWN\n", unsat, unsat]);
    assert!(unknown.command == "cube 2" && matches!(unknown.failure, Failure::Unknown), "{unknown}");
    let wrong = failure(&[unsat, unsat, unsat, "s SATISFIABLE\nv 1 2 3 4 0\n"]);
    assert!(matches!(wrong.failure, Failure::WrongModel(_)), "{wrong}");
    let cut = failure(&["s SATISFIABLE\nv 1 2 3 -4", unsat, unsat, unsat]);
    assert!(matches!(cut.failure, Failure::NoModel), "{cut}");
    assert!(matches!(failure(&["s SATISFIABLE\nv 1 two 0\n"]).failure, Failure::Nonsense(_)));
}
