//! Every question takes limits, and any solver: two of the tests' own stand beside BatSat, one that can only be asked
//! again, and one that is interrupted from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use cnfkit::ask::{Ask, Problem, Stopped, Strategy};
use cnfkit::gem_hunter::{GemHunterEncoder, Strategy as GemStrategy};
use cnfkit::model::{Model, ModelError};
use cnfkit::rustsat::solvers::{GetInternalStats, Interrupt, InterruptSolver, LimitConflicts, PhaseLit};
use cnfkit::rustsat::types::{Cl, Clause, TernaryVal, Var};
use cnfkit::solvers::{Anew, BatSat, Plain, Solve, SolveIncremental, Solver, SolverResult};
use cnfkit::{
    CardEncoding, ClauseSink, Cnf, Constrain, Formula, GemError, Grid, Layout, Limits, Lit, Questions, SolveError,
    SolverSink, SudokuEncoder, SudokuError,
};

/// BatSat, which counts what it is asked.
#[derive(Debug)]
struct Counting {
    solver: BatSat,
    asked: Arc<AtomicUsize>,
}

impl Counting {
    fn new(asked: &Arc<AtomicUsize>) -> Self {
        Self { solver: BatSat::default(), asked: Arc::clone(asked) }
    }
}

impl Extend<Clause> for Counting {
    fn extend<T: IntoIterator<Item = Clause>>(&mut self, clauses: T) {
        self.solver.extend(clauses);
    }
}

impl<'a> Extend<&'a Clause> for Counting {
    fn extend<T: IntoIterator<Item = &'a Clause>>(&mut self, clauses: T) {
        self.solver.extend(clauses);
    }
}

impl Solve for Counting {
    fn signature(&self) -> &'static str {
        "counting"
    }

    fn reserve(&mut self, max_var: Var) -> anyhow::Result<()> {
        self.solver.reserve(max_var)
    }

    fn solve(&mut self) -> anyhow::Result<SolverResult> {
        self.solve_assumps(&[])
    }

    fn lit_val(&self, lit: Lit) -> anyhow::Result<TernaryVal> {
        self.solver.lit_val(lit)
    }

    fn add_clause_ref<C: AsRef<Cl> + ?Sized>(&mut self, clause: &C) -> anyhow::Result<()> {
        self.solver.add_clause_ref(clause)
    }
}

impl SolveIncremental for Counting {
    fn solve_assumps(&mut self, assumps: &[Lit]) -> anyhow::Result<SolverResult> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.solver.solve_assumps(assumps)
    }

    fn core(&mut self) -> anyhow::Result<Vec<Lit>> {
        self.solver.core()
    }
}

/// The interrupter of a [`Counting`], which is not BatSat's.
struct Interrupter(<BatSat as Interrupt>::Interrupter);

impl InterruptSolver for Interrupter {
    fn interrupt(&self) {
        self.0.interrupt();
    }
}

impl Interrupt for Counting {
    type Interrupter = Interrupter;

    fn interrupter(&mut self) -> Interrupter {
        Interrupter(self.solver.interrupter())
    }
}

impl LimitConflicts for Counting {
    fn limit_conflicts(&mut self, limit: Option<u32>) -> anyhow::Result<()> {
        self.solver.limit_conflicts(limit)
    }
}

impl PhaseLit for Counting {
    fn phase_lit(&mut self, lit: Lit) -> anyhow::Result<()> {
        self.solver.phase_lit(lit)
    }

    fn unphase_var(&mut self, var: Var) -> anyhow::Result<()> {
        self.solver.unphase_var(var)
    }
}

impl GetInternalStats for Counting {
    fn propagations(&self) -> usize {
        self.solver.propagations()
    }

    fn decisions(&self) -> usize {
        self.solver.decisions()
    }

    fn conflicts(&self) -> usize {
        self.solver.conflicts()
    }
}

/// More pigeons than holes, without the count that makes it easy.
fn pigeons<S: ClauseSink>(sink: &mut S, holes: usize) -> Result<Vec<Lit>, S::Error> {
    let rows: Vec<Vec<Lit>> = (0..=holes).map(|_| sink.new_lits(holes)).collect();
    rows.iter().try_for_each(|row| sink.add_clause(row))?;
    for hole in 0..holes {
        for (i, row) in rows.iter().enumerate() {
            rows[..i].iter().try_for_each(|other| sink.add_clause(&[!row[hole], !other[hole]]))?;
        }
    }
    Ok(rows.concat())
}

/// A pigeon that is not there yet is a part each.
struct Holes(usize);

impl Problem for Holes {
    type Solution = Vec<bool>;

    fn n_vars(&self) -> usize {
        self.0 * (self.0 + 1)
    }

    fn rules<S: ClauseSink>(&self, sink: &mut S) -> Result<(), S::Error> {
        for hole in 0..self.0 {
            let lit = |pigeon: usize| Lit::positive((pigeon * self.0 + hole) as u32);
            for i in 0..=self.0 {
                (0..i).try_for_each(|j| sink.add_clause(&[!lit(i), !lit(j)]))?;
            }
        }
        Ok(())
    }

    fn n_parts(&self) -> usize {
        self.0 + 1
    }

    fn part<S: ClauseSink>(&self, part: usize, sink: &mut S) -> Result<(), S::Error> {
        let row: Vec<Lit> = (part * self.0..(part + 1) * self.0).map(|var| Lit::positive(var as u32)).collect();
        sink.add_clause(&row)
    }

    fn decode(&self, is_true: impl Fn(Lit) -> bool) -> Vec<bool> {
        (0..self.n_vars()).map(|var| is_true(Lit::positive(var as u32))).collect()
    }
}

/// Different integers, said pair by pair.
fn different(n: usize, values: i64) -> Model {
    let mut model = Model::new();
    let x = model.ints(n, 0..=values - 1);
    for i in 0..n {
        for j in 0..i {
            model.group(&format!("{j} and {i}"), |model| model.post(x[i].ne(x[j])));
        }
    }
    model
}

/// A cover of the edges of a graph by chance, with weights.
fn cover(n: usize, edges: usize) -> Formula {
    let mut formula = Formula::new();
    let x = formula.new_lits(n);
    let mut state = 7_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    (0..edges).for_each(|_| formula.add_clause(&[x[random() % n], x[random() % n]]).unwrap());
    formula.set_objective(x.iter().map(|&lit| (lit, (random() % 7 + 3) as i64)));
    formula
}

/// The answers of all questions, as text, when `make` makes the solvers of every one; how many there are that ask one.
fn answers<S: Solver + 'static>(make: impl Fn() -> S + Clone + Send + Sync + 'static) -> Vec<String> {
    let mut said: Vec<String> = Vec::new();
    let mut say = |what: &dyn std::fmt::Debug| said.push(format!("{what:?}"));

    let mut formula = Formula::new();
    let x = formula.new_lits(6);
    formula.exactly(&x, 2, &CardEncoding::Auto).unwrap();
    formula.add_clause(&[!x[0]]).unwrap();
    let ask = Ask::new(&formula).solver(make.clone());
    say(&ask.count(100).unwrap());
    say(&ask.backbone().unwrap());
    let ask = Ask::new(Holes(3)).solver(make.clone());
    say(&ask.solve().unwrap());
    say(&ask.unsat_core().unwrap());
    say(&ask.smallest_unsat_core().unwrap());
    for strategy in [Strategy::Auto, Strategy::CoreGuided, Strategy::SolutionImproving] {
        let cover = cover(14, 30);
        let best = cover.ask().strategy(strategy).solver(make.clone()).minimum().unwrap().expect("a cover");
        say(&(best.value, best.lower_bound));
    }

    let mut sink = SolverSink::owned(make());
    let holes = pigeons(&mut sink, 3).unwrap();
    let extra = sink.new_lits(3);
    sink.add_clause(&[!extra[0], !extra[1]]).unwrap();
    say(&sink.solve(&Limits::none(), &[]).unwrap());
    say(&(sink.core().unwrap(), holes.len()));

    let mut model = different(4, 3);
    model.set_solver(make.clone());
    say(&model.solve().unwrap());
    say(&model.smallest_unsat_core().unwrap().map(|core| core.len()));
    let mut model = different(4, 5);
    model.set_solver(make.clone());
    say(&model.count(1000).unwrap());
    let x = model.ints(2, 0..=5);
    model.post((x[0] + x[1]).le(7));
    say(&model.backbone().unwrap().map(|backbone| backbone.value(x[0])));
    say(&model.maximum(x[0]).unwrap().map(|best| best.value));
    say(&model.maximum(x[0] * 2 + x[1]).unwrap().map(|best| (best.value, best.is_optimal)));

    let sudoku = SudokuEncoder::new(Grid::empty(Layout::boxes(2, 2))).solver(make.clone());
    say(&sudoku.count(1000).unwrap());
    let nine = SudokuEncoder::new(Grid::empty(Layout::boxes(3, 3))).solver(make.clone());
    say(&nine.solve().unwrap().map(|grid| SudokuEncoder::new(grid).is_unique().unwrap()));
    let map = "_, 2, _\n_, _, 1\n_, 2, _".parse().unwrap();
    let gems = GemHunterEncoder::new(map).strategy(GemStrategy::Whole).solver(make);
    say(&gems.count(1000).unwrap());
    say(&gems.deduce().unwrap().map(|deduction| deduction.get(0, 0)));
    said
}

#[test]
fn any_solver_answers_every_question() {
    let by_batsat = answers(BatSat::default);
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    assert_eq!(answers(move || Counting::new(&counter)), by_batsat);
    let n_asked = asked.swap(0, Ordering::Relaxed);
    assert!(n_asked > 5 * by_batsat.len(), "{n_asked} questions");
    let counter = Arc::clone(&asked);
    assert_eq!(answers(move || Plain(Counting::new(&counter))), by_batsat);
    let counter = Arc::clone(&asked);
    assert_eq!(
        answers(move || Anew::new({
            let counter = Arc::clone(&counter);
            move || Counting::new(&counter)
        })),
        by_batsat
    );
    assert!(asked.load(Ordering::Relaxed) > n_asked);
    #[cfg(feature = "cadical")]
    assert_eq!(answers(cnfkit::solvers::CaDiCaL::default), by_batsat);
    #[cfg(feature = "minisat")]
    assert_eq!(answers(cnfkit::solvers::MiniSat::default), by_batsat);
    #[cfg(feature = "glucose")]
    assert_eq!(answers(cnfkit::solvers::Glucose::default), by_batsat);
}

/// The limit that interrupted a question, none for an answer.
fn interrupted<T: std::fmt::Debug>(answer: Result<T, SolveError>) -> Option<Stopped> {
    match answer {
        Err(SolveError::Interrupted(why)) => Some(why),
        Ok(_) => None,
        Err(error) => panic!("{error}"),
    }
}

/// The questions that run out of `limits`, all of which would take hours, and say why; solvers are made by `make`.
fn runs_out<S: Solver + 'static>(
    make: impl Fn() -> S + Clone + Send + Sync + 'static,
    (limits, why): (&dyn Fn() -> Limits, Stopped),
) {
    let mut formula = Formula::new();
    let lits = pigeons(&mut formula, 14).unwrap();
    let ask = |limits: Limits| Ask::new(&formula).solver(make.clone()).limits(limits);
    assert_eq!(interrupted(ask(limits()).solve()), Some(why));
    assert_eq!(interrupted(ask(limits()).count(2)), Some(why));
    assert_eq!(interrupted(ask(limits()).backbone()), Some(why));
    let ask = Ask::new(Holes(14)).solver(make.clone());
    assert_eq!(interrupted(ask.clone_with(limits()).unsat_core()), Some(why));
    assert_eq!(interrupted(ask.clone_with(limits()).smallest_unsat_core()), Some(why));
    let mut sink = SolverSink::owned(make());
    formula.encode_into(&mut sink).unwrap();
    assert_eq!(interrupted(sink.solve(&limits(), &[lits[0]])), Some(why));
    assert_eq!(interrupted(formula.ask().limits(limits()).solver(make.clone()).minimum()), Some(why));
    let mut model = different(15, 14);
    model.set_solver(make);
    for question in [
        |model: &mut Model| model.solve().map(drop),
        |model: &mut Model| model.count(2).map(drop),
        |model: &mut Model| model.unsat_core().map(drop),
        |model: &mut Model| {
            let x = model.int(0..=3);
            model.minimum(x).map(drop)
        },
    ] {
        model.set_limits(limits());
        assert!(matches!(question(&mut model), Err(ModelError::Interrupted(found)) if found == why));
    }
}

trait CloneWith {
    fn clone_with(&self, limits: Limits) -> Self;
}

impl<P: Clone + Problem> CloneWith for Ask<P> {
    fn clone_with(&self, limits: Limits) -> Self {
        self.clone().limits(limits)
    }
}

impl Clone for Holes {
    fn clone(&self) -> Self {
        Self(self.0)
    }
}

/// A flag that another thread raises soon.
fn soon() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(30));
        raised.store(true, Ordering::Relaxed);
    });
    flag
}

#[test]
fn limits_hold_within_every_search() {
    let start = Instant::now();
    let all: [(fn() -> Limits, Stopped); 4] = [
        (|| Limits::none().time(Duration::from_millis(30)), Stopped::Time),
        (|| Limits::none().conflicts(500), Stopped::Conflicts),
        (|| Limits::none().cancel(soon()), Stopped::Cancelled),
        (|| Limits::none().memory(1), Stopped::Memory),
    ];
    for (limits, why) in all {
        runs_out(BatSat::default, (&limits, why));
        let asked = Arc::new(AtomicUsize::new(0));
        runs_out(move || Counting::new(&asked), (&limits, why));
        let mut cnf = Cnf::new();
        pigeons(&mut cnf, 14).unwrap();
        assert_eq!(interrupted(cnf.solve_within(&limits())), Some(why));
        let mut formula = Formula::new();
        pigeons(&mut formula, 14).unwrap();
        assert_eq!(interrupted(formula.solve_within(&limits())), Some(why));
        assert_eq!(interrupted(formula.ask().limits(limits()).minimum()), Some(why));
    }
    assert!(start.elapsed() < Duration::from_secs(120), "{:?}", start.elapsed());
}

#[test]
fn puzzles_take_every_limit() {
    let raised = || Arc::new(AtomicBool::new(true));
    let all: [(&dyn Fn() -> Limits, Stopped); 4] = [
        (&|| Limits::none().time(Duration::ZERO), Stopped::Time),
        (&|| Limits::none().conflicts(0), Stopped::Conflicts),
        (&|| Limits::none().cancel(raised()), Stopped::Cancelled),
        (&|| Limits::none().memory(1), Stopped::Memory),
    ];
    let map = "_, 2, _\n_, _, 1\n_, 2, _".parse().unwrap();
    let gems = GemHunterEncoder::new(map).strategy(GemStrategy::Whole);
    let sudoku = SudokuEncoder::new(Grid::empty(Layout::boxes(3, 3)));
    for (limits, expected) in all {
        let counted = sudoku.clone().limits(limits()).count(2);
        assert!(matches!(counted, Err(SudokuError::Interrupted(why)) if why == expected), "{counted:?}");
        let counted = gems.clone().limits(limits()).count(2);
        assert!(
            matches!(counted, Err(GemError::Solve(SolveError::Interrupted(why))) if why == expected),
            "{counted:?}"
        );
    }
}

#[test]
fn conflicts_are_those_of_all_searches_of_a_question() {
    let mut sink = SolverSink::owned(BatSat::default());
    pigeons(&mut sink, 9).unwrap();
    for asked in 1..=3 {
        let stopped = interrupted(sink.solve(&Limits::none().conflicts(100), &[]));
        assert_eq!(stopped, Some(Stopped::Conflicts), "each question has its own");
        let conflicts = sink.solver().conflicts();
        assert!((90 * asked..=110 * asked).contains(&conflicts), "{conflicts}");
    }
    let cover = cover(120, 500);
    for solver in [true, false] {
        let search = cover.ask().limits(Limits::none().conflicts(400));
        let best = if solver { search.solver(BatSat::default) } else { search }.minimum();
        let best = best.unwrap().expect("a cover");
        assert_eq!(best.stopped, Some(Stopped::Conflicts));
        assert!((300..=410).contains(&best.conflicts), "{}", best.conflicts);
    }
}

#[test]
fn a_proven_bound_is_told_while_the_search_runs() {
    let cover = cover(120, 500);
    let mut told: Vec<(i128, i128)> = Vec::new();
    let search = cover.ask().limits(Limits::none().conflicts(20_000));
    let search = search.on_improvement(|found| told.push((found.lower_bound, found.value)));
    let best = search.minimum().unwrap().expect("a cover");
    assert_eq!(told.last(), Some(&(best.lower_bound, best.value)));
    let early = told.iter().position(|&(least, value)| 0 < least && least < value);
    assert!(early.is_some_and(|at| at + 1 < told.len()), "{told:?}");
    assert!(told.windows(2).all(|pair| pair[0].0 <= pair[1].0 && pair[0].1 >= pair[1].1));

    let mut model = different(7, 9);
    let x = model.ints(7, 0..=9);
    model.all_different(&x);
    let sum = cnfkit::model::sum(x.iter().zip([3, 1, 4, 1, 5, 9, 2]).map(|(&x, weight)| x * weight));
    let mut told = Vec::new();
    let search = model.ask().on_improvement(|found| told.push((found.value, found.upper_bound)));
    let best = search.maximum(sum + 100).unwrap().expect("there are solutions");
    let most = 100 + 9 * 9 + 5 * 8 + 4 * 7 + 3 * 6 + 2 * 5 + 4 + 3;
    assert_eq!((best.value, best.bound, told.last()), (most, most, Some(&(most.into(), most.into()))));
    assert!(told.iter().all(|&(value, bound)| value <= bound && bound >= most.into()));
}

#[test]
fn a_core_needs_a_question_that_was_refuted() {
    let mut sink = SolverSink::owned(BatSat::default());
    let x = sink.new_lits(2);
    let has_none = |core: Result<Vec<Lit>, SolveError>| matches!(core, Err(SolveError::NoCore));
    assert!(has_none(sink.core()), "nothing was asked");
    assert!(sink.solve(&Limits::none(), &[]).unwrap() && has_none(sink.core()));
    assert!(sink.solve(&Limits::none(), &x).unwrap() && has_none(sink.core()));
    assert!(has_none(sink.smallest_core(&Limits::none())), "they agree");
    assert!(sink.solve(&Limits::none().conflicts(0), &x).is_err() && has_none(sink.core()));
    sink.add_clause(&[!x[0], !x[1]]).unwrap();
    assert!(!sink.solve(&Limits::none(), &x).unwrap());
    assert_eq!(sink.core().unwrap(), x);
    sink.add_clause(&[]).unwrap();
    assert!(!sink.solve(&Limits::none(), &[]).unwrap());
    assert_eq!(sink.core().unwrap(), []);
}

#[test]
fn progress_comes_at_a_rate() {
    let cover = cover(400, 2_000);
    let mut reports = Vec::new();
    let search = cover.ask().limits(Limits::none().time(Duration::from_millis(900)));
    let best = search.on_progress(Duration::from_millis(100), |now| reports.push(*now)).minimum().unwrap().unwrap();
    assert_eq!(best.stopped, Some(Stopped::Time));
    assert!((2..=9).contains(&reports.len()), "{}", reports.len());
    for pair in reports.windows(2) {
        assert!(pair[1].elapsed >= pair[0].elapsed + Duration::from_millis(99));
        assert!(pair[1].conflicts >= pair[0].conflicts && pair[1].lower_bound >= pair[0].lower_bound);
    }
    let last = reports.last().unwrap();
    assert!(last.lower_bound > Some(0) && last.lower_bound <= Some(best.lower_bound) && last.value >= Some(best.value));
    if cfg!(target_os = "linux") {
        assert!(reports.iter().all(|now| now.memory > Some(1 << 20)));
    }
}
