//! The names that programs outside this repository compile against, used as they would use them.

#![cfg(feature = "any-solver")]

use std::error::Error;

use cnfkit::rustsat::types::{Lit, Var};
use cnfkit::solvers::DefaultSolver;
use cnfkit::{
    AmoEncoding, AtMostK, AtMostOne, Bimander, Bitwise, Bound, CapacityError, CardEncoding, ClauseSink, Cnf,
    Combinatorial, Commander, Constrain, Count, Counter, Guarded, IncAtMostOne, IncExactlyOne, IncTotalizer, Ladder,
    Pairwise, Product, SequentialCounter, Size, Tally, Totalizer,
};

/// A sink of somebody else's, with the four methods it needs.
#[derive(Default)]
struct Mine {
    clauses: Vec<Vec<Lit>>,
    next: u32,
}

impl ClauseSink for Mine {
    type Error = std::convert::Infallible;

    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), Self::Error> {
        self.next = clause.iter().map(|lit| lit.vidx32() + 1).fold(self.next, u32::max);
        self.clauses.push(clause.to_vec());
        Ok(())
    }

    fn new_lit(&mut self) -> Lit {
        self.next += 1;
        Lit::positive(self.next - 1)
    }

    fn next_var(&self) -> Var {
        Var::new(self.next)
    }
}

fn generic<S: ClauseSink + ?Sized, E: AtMostK>(sink: &mut S, lits: &[Lit], enc: &E) -> Result<Size, S::Error> {
    sink.reserve(&enc.amk_size(lits.len(), 2))?;
    enc.at_most(sink, lits, 2)?;
    enc.at_least(sink, lits, 2)?;
    enc.exactly(sink, lits, 2)?;
    enc.at_most_one(sink, lits)?;
    sink.define(&[!lits[0], lits[1]])?;
    Ok(enc.amk_size(lits.len(), 2)
        + enc.alk_size(lits.len(), 2)
        + enc.exk_size(lits.len(), 2)
        + enc.amo_size(lits.len()))
}

#[test]
fn sinks_and_front_door() -> Result<(), Box<dyn Error>> {
    let mut mine = Mine::default();
    let lits = mine.new_lits(6);
    generic(&mut mine, &lits, &Totalizer::default())?;
    generic(&mut mine, &lits, &SequentialCounter::default())?;
    generic(&mut mine, &lits, &Combinatorial)?;
    mine.at_most_one(&lits, &Pairwise)?;
    mine.exactly_one(&lits, &Product::default())?;
    mine.exactly_one(&lits, &Commander::default())?;
    mine.exactly_one(&lits, &Bimander::default())?;
    mine.exactly_one(&lits, &Bitwise::default())?;
    mine.exactly_one(&lits, &Ladder)?;
    mine.at_most(&lits, 2, &CardEncoding::Auto)?;
    mine.at_least(&lits, 2, &CardEncoding::Smallest)?;
    mine.exactly(&lits, 2, &CardEncoding::Totalizer)?;
    mine.iff_at_most(lits[0], &lits[1..], 2, &CardEncoding::Network)?;
    mine.iff_at_least(lits[0], &lits[1..], 2, &CardEncoding::Modulo)?;
    mine.iff_exactly(lits[0], &lits[1..], 2, &CardEncoding::Adder)?;
    let mut guarded: Guarded<'_, Mine> = mine.when(&[lits[0]]);
    guarded.at_most_one(&lits[1..], &AmoEncoding::Card(CardEncoding::Sequential))?;
    assert!(!mine.clauses.is_empty());

    let mut tally = Tally::default();
    let lits = tally.new_lits(4);
    tally.at_most_one(&lits, &AmoEncoding::default())?;

    let mut dynamic: Box<dyn ClauseSink<Error = CapacityError>> = Box::new(Cnf::new());
    let lits = dynamic.new_lits(4);
    dynamic.at_most(&lits, 2, &CardEncoding::default())?;
    Ok(())
}

#[test]
fn encodings_have_names() {
    for name in CardEncoding::ALL.iter().map(ToString::to_string) {
        assert_eq!(name.parse::<CardEncoding>().unwrap().to_string(), name);
        assert!(name.parse::<AmoEncoding>().is_ok() || format!("card:{name}").parse::<AmoEncoding>().is_ok());
    }
    for name in AmoEncoding::ALL.iter().map(ToString::to_string) {
        assert_eq!(name.parse::<AmoEncoding>().unwrap().to_string(), name);
    }
    assert_eq!((AmoEncoding::default(), CardEncoding::default()), (AmoEncoding::Auto, CardEncoding::Auto));
    assert!(AmoEncoding::ALL.contains(&AmoEncoding::Smallest) && AmoEncoding::ALL.contains(&AmoEncoding::Pairwise));
    assert!("no such".parse::<AmoEncoding>().is_err() && "no such".parse::<CardEncoding>().is_err());
}

#[test]
fn formulas() -> Result<(), Box<dyn Error>> {
    let mut cnf = Cnf::new();
    let lits = cnf.new_lits(3);
    cnf.exactly_one(&lits, &Pairwise)?;
    let clauses: Vec<&[Lit]> = cnf.clauses().collect();
    assert_eq!((cnf.n_vars(), cnf.n_clauses(), cnf.n_lits(), clauses.len()), (3, 4, 9, 4));
    let mut text = Vec::new();
    cnf.write_dimacs(&mut text)?;
    assert_eq!(Cnf::from_dimacs(&text[..])?, cnf);
    assert!(cnf.solve()?.is_some());
    assert!(cnf.solve_with(DefaultSolver::default())?.is_some());
    let error: CapacityError = cnf
        .at_most(&lits, 1, &Combinatorial)
        .map(|()| cnf.with_limit(Size::ZERO))
        .unwrap()
        .add_clause(&lits)
        .unwrap_err();
    let CapacityError { needed, limit, .. } = error;
    assert!(!needed.fits(&limit));
    Ok(())
}

fn bounds<C: Counter>(counter: &C) -> Result<(), Box<dyn Error>> {
    let mut cnf = Cnf::new();
    let lits = cnf.new_lits(5);
    let count: Count = counter.count(&mut cnf, &lits, 5)?;
    match count.at_most(2) {
        Some(Bound::If(lit)) => cnf.add_clause(&[lit])?,
        other => panic!("{other:?}"),
    }
    assert!(matches!(count.at_least(0), Some(Bound::Always)) && matches!(count.at_least(6), Some(Bound::Never)));
    Ok(())
}

#[test]
fn counters() -> Result<(), Box<dyn Error>> {
    bounds(&Totalizer::default())?;
    bounds(&SequentialCounter::default())?;
    let mut cnf = Cnf::new();
    let lits = cnf.new_lits(4);
    let mut totalizer = IncTotalizer::new();
    totalizer.extend(&mut cnf, &lits)?;
    totalizer.widen(&mut cnf, 2)?;
    let mut one = IncAtMostOne::new();
    one.extend(&mut cnf, &lits)?;
    one.extend(&mut cnf.when(&lits[..1]), &lits[1..])?;
    let mut one = IncExactlyOne::new();
    one.extend(&mut cnf, &lits)?;
    let _: Option<Lit> = one.later();
    one.close(&mut cnf)?;
    Ok(())
}

#[cfg(feature = "sudoku")]
const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

#[cfg(feature = "sudoku")]
#[test]
fn sudoku() -> Result<(), Box<dyn Error>> {
    use std::time::Duration;

    use cnfkit::sudoku::{Problem, Strategy};
    use cnfkit::{Grid, Layout, SudokuEncoder, SudokuError};

    let grid: Grid = PUZZLE.parse()?;
    let solved: Option<Grid> = SudokuEncoder::new(grid.clone()).solve()?;
    let solved = solved.expect("a solution");
    assert_eq!((solved.side(), solved.get(0, 0), solved.get(0, 2)), (9, Some(5), Some(4)));
    let encoder = SudokuEncoder::new(grid.clone())
        .encoding(AmoEncoding::Pairwise)
        .strategy(Strategy::Base)
        .seed(1)
        .time_limit(Duration::from_secs(60));
    let problems: Vec<Problem> = encoder.check();
    assert!(problems.is_empty());
    let cnf: Cnf = encoder.encode()?;
    assert!(cnf.n_vars() >= 729 && cnf.n_clauses() >= 10_530);
    let lit: Lit = encoder.var(0, 0, 5);
    assert_eq!(lit.to_ipasir(), 5);
    assert_eq!(encoder.count(10)?, 1);
    assert!(encoder.is_unique()?);
    assert_eq!(encoder.random_solution(7)?, Some(solved.clone()));
    for solution in encoder.solutions() {
        let solution: Result<Grid, SudokuError> = solution;
        assert_eq!(solution?, solved);
    }
    assert_eq!(SudokuEncoder::new(grid).strategy(Strategy::Pruned).solve_with(DefaultSolver::default())?, Some(solved));

    let mut small = Grid::from([[1_u8, 0, 0, 0], [0; 4], [0; 4], [0; 4]]);
    small.set(0, 1, Some(2));
    assert_eq!(small.layout(), &Layout::boxes(2, 2));
    let _: [Layout; 2] = [Layout::latin(5), Layout::for_side(16)];
    let jigsaw = Layout::regions("AAB\nACB\nCCB")?;
    assert_eq!(jigsaw.side(), 3);
    let again: Grid = small.to_string().parse()?;
    assert_eq!(again, small);
    assert!(format!("{small:#}").contains('|'));
    Ok(())
}

#[cfg(feature = "gem-hunter")]
#[test]
fn gem_hunter() -> Result<(), Box<dyn Error>> {
    use cnfkit::gem_hunter::{Cell, Deduction, Kind};
    use cnfkit::{GemError, GemHunterEncoder, GemMap};
    let map: GemMap = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _".parse()?;
    assert_eq!((map.rows(), map.columns(), map.get(0, 0), map.get(0, 1)), (3, 4, Cell::Number(3), Cell::Unknown));
    let encoder = GemHunterEncoder::new(map.clone()).encoding(CardEncoding::Combinatorial);
    let solved: Result<Option<GemMap>, GemError> = encoder.solve();
    assert_eq!(solved?.expect("a solution").to_string().trim_end(), "3, T, 2, G\nT, T, 2, G\nT, 3, 1, G");
    assert_eq!(encoder.encode()?.n_clauses(), 27);
    assert_eq!((encoder.var(0, 1).map(Lit::to_ipasir), encoder.var(0, 0)), (Some(2), None));
    assert!(encoder.count(10)? >= 1);
    assert!(encoder.solutions().next().is_some());
    let deduction: Deduction = encoder.deduce()?.expect("solvable");
    assert_eq!((deduction.get(0, 0), deduction.get(0, 1)), (Kind::Number, Kind::Trap));
    let _: [Kind; 3] = [Kind::Gem, Kind::Undecided, Kind::Free];
    assert_eq!(encoder.explain()?, None);
    assert!(GemHunterEncoder::new(map.clone()).traps(3).solve()?.is_none());
    assert!(GemHunterEncoder::new(map).solve_with(DefaultSolver::default())?.is_some());
    let explained: Option<Vec<(usize, usize)>> = GemHunterEncoder::new("3, _\n_, 1".parse()?).explain()?;
    assert!(explained.is_some_and(|cells| !cells.is_empty()));
    Ok(())
}

/// Programs have functions for any solver, and ask rustsat's way for values.
#[test]
fn solvers_and_models() -> Result<(), Box<dyn Error>> {
    use cnfkit::rustsat::solvers::{Solve, SolverResult};
    use cnfkit::rustsat::types::TernaryVal;
    use cnfkit::{SolveError, SolverSink};

    fn feed<S: Solve>(solver: &mut S, n: usize) -> Result<Vec<Lit>, SolveError> {
        let mut sink = SolverSink::new(solver, 0);
        let lits = sink.new_lits(n);
        sink.exactly_one(&lits, &Pairwise)?;
        Ok(lits)
    }

    let mut solver = DefaultSolver::default();
    feed(&mut solver, 5)?;
    assert_eq!(solver.solve()?, SolverResult::Sat);

    let mut cnf = Cnf::new();
    let lits = cnf.new_lits(5);
    cnf.exactly_one(&lits, &Pairwise)?;
    let model = cnf.solve()?.expect("one of five");
    let chosen: Vec<&Lit> = lits.iter().filter(|lit| model.lit_value(**lit).to_bool_with_def(false)).collect();
    assert_eq!((chosen.len(), model.var_value(chosen[0].var())), (1, TernaryVal::True));
    assert!(model.is_true(*chosen[0]) && lits.iter().filter(|&&lit| model.is_true(lit)).count() == 1);
    Ok(())
}
