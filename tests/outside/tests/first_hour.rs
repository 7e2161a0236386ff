//! Eight programs of somebody's first hour, written from the README, the guide and the docs alone: the names that they
//! need, and the words that they say them with.

use std::error::Error;
use std::time::Duration;

use cnfkit::model::{Model, sum};
use cnfkit::prelude::*;
use cnfkit::solvers::BatSat;
use cnfkit::{GemHunterEncoder, GemMap, Grid, SudokuEncoder, WeightedCounter};

type Done = Result<(), Box<dyn Error>>;

/// A roster, and the rules that contradict each other.
#[test]
fn roster() -> Done {
    let mut formula = Formula::new();
    let works: Vec<Vec<Lit>> = (0..3).map(|_| formula.new_lits(4)).collect();
    for day in 0..4 {
        let all: Vec<Lit> = works.iter().map(|nurse| nurse[day]).collect();
        formula.group(&format!("one on day {day}"), |formula| formula.exactly_one(all, AmoEncoding::Auto))?;
    }
    for (nurse, days) in works.iter().enumerate() {
        formula
            .group(&format!("at most one day for {nurse}"), |formula| formula.at_most(days, 1, CardEncoding::Auto))?;
    }
    assert!(formula.solve()?.is_none());
    let core = formula.smallest_unsat_core()?.expect("three nurses, four days");
    assert_eq!(core.groups.len(), 7);
    Ok(())
}

/// The best load, within a time.
#[test]
fn knapsack() -> Done {
    let mut formula = Formula::new();
    let items = formula.new_lits(6);
    let weights: Vec<(Lit, u32)> = items.iter().copied().zip([70, 45, 80, 30, 55, 25]).collect();
    formula.pb_at_most(&weights, 150, PbEncoding::Auto)?;
    formula.at_most_one(&items[..3], AmoEncoding::Auto)?;
    formula.set_objective(items.iter().copied().zip([9, 5, 10, 4, 8, 3]));
    let best = formula.ask().time_limit(Duration::from_secs(20)).maximum()?.expect("nothing is packed");
    assert_eq!((best.value, best.is_optimal()), (20, true));
    Ok(())
}

/// How many ways there are, what they share, and with an assumption.
#[test]
fn ways() -> Done {
    let mut formula = Formula::new();
    let x = formula.new_lits(5);
    formula.exactly(&x, 2, CardEncoding::Auto)?;
    formula.add_clause(&[x[0]])?;
    assert_eq!((formula.count(100)?, formula.is_unique()?), (4, false));
    assert_eq!(formula.solutions().collect::<Result<Vec<Assignment>, SolveError>>()?.len(), 4);
    assert_eq!(formula.backbone()?.expect("there are some")[..2], [Some(true), None]);
    let question = formula.ask().assuming(&[x[3]]).solver(BatSat::default).limits(Limits::none().conflicts(1_000));
    assert!(question.is_unique()? && question.solve()?.expect("one").is_true(!x[1]));
    assert_eq!(formula.ask().assuming(&[x[3], x[4]]).unsat_core()?.expect("too many").assumptions, [x[3], x[4]]);
    Ok(())
}

/// A bound that moves, in a solver of one's own.
#[test]
fn falling_bound() -> Done {
    let mut sink = SolverSink::owned(BatSat::default());
    let x = sink.new_lits(9);
    x.chunks(3).try_for_each(|three| sink.add_clause(three))?;
    let mut count = WeightedCounter::new();
    count.extend(&sink, &x.iter().map(|&lit| (lit, 1)).collect::<Vec<_>>());
    let mut least = 9;
    while let Bound::If(lit) = count.at_most(&mut sink, least - 1)? {
        if !sink.solve(&Limits::none(), &[lit])? {
            break;
        }
        let model = sink.model()?;
        least = x.iter().filter(|&&lit| model.is_true(lit)).count() as u64;
    }
    assert_eq!(least, 3);
    Ok(())
}

/// Sizes before anything is written.
#[test]
fn sizes() -> Done {
    let at_most = Relation::AtMost(5);
    let mut all: Vec<(u64, CardEncoding)> =
        CardEncoding::ALL.iter().map(|&enc| (enc.size(40, at_most).cost(), enc)).collect();
    all.sort_by_key(|&(cost, _)| cost);
    let mut cnf = Cnf::with_vars(40);
    let x: Vec<Lit> = (0..40).map(Lit::positive).collect();
    cnf.at_most(&x, 5, all[0].1)?;
    assert_eq!(all[0].0, (cnf.n_clauses() + cnf.n_vars() - 40) as u64);
    assert!(AmoEncoding::Smallest.size(40).clauses < AmoEncoding::Pairwise.size(40).clauses);
    let terms: Vec<(Lit, u64)> = x.iter().copied().zip(1..).collect();
    assert!(PbEncoding::Auto.size(&terms, PbRelation::AtMost(100)).vars > 0);
    Ok(())
}

/// A file, and the clauses of it.
#[test]
fn files() -> Done {
    let opb = "min: 3 x1 +2 x2 +4 x3 ;\n+2 x1 +3 x2 +4 x3 >= 5 ;\n+1 x1 +1 x2 +1 x3 <= 2 ;\n";
    let formula = Formula::read_opb(opb.as_bytes())?;
    assert_eq!(formula.minimum()?.expect("a solution").value, 5);
    let mut text = Vec::new();
    formula.write_dimacs(&mut text)?;
    let clauses = Formula::read_dimacs(&text[..])?;
    assert_eq!(clauses.ask().count(10)?, formula.count(10)?);
    let error = Formula::read_opb("+2 x1 >= ;".as_bytes()).unwrap_err().to_string();
    assert!(error.contains("line 1"), "{error}");
    Ok(())
}

/// A proof of an answer.
#[test]
fn proof() -> Done {
    let mut formula = Formula::new();
    let x = formula.new_lits(8);
    formula.at_least(&x[..5], 4, CardEncoding::Auto)?;
    formula.at_most(&x[1..], 1, CardEncoding::Auto)?;
    let dir = std::env::temp_dir().join(format!("cnfkit-first-hour-{}", std::process::id()));
    assert!(formula.ask().proof(&dir).solve()?.is_none());
    assert!(std::fs::read_to_string(dir.join("proof.pbp"))?.contains("conclusion UNSAT"));
    Ok(std::fs::remove_dir_all(dir)?)
}

/// The two puzzles, and integers.
#[test]
fn puzzles() -> Done {
    let grid: Grid = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
    let sudoku = SudokuEncoder::new(grid).time_limit(Duration::from_secs(20));
    assert!(sudoku.is_unique()? && sudoku.solve()?.is_some_and(|grid| grid.get(0, 2) == Some(4)));
    let map: GemMap = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _".parse()?;
    assert!(GemHunterEncoder::new(map).time_limit(Duration::from_secs(20)).solve()?.is_some());
    let mut model = Model::new();
    let x = model.ints(4, 1..=6);
    model.all_different(&x);
    model.post((x[0] + x[1]).eq(x[2] * 2 + 1));
    let best = model.ask().threads(2).time_limit(Duration::from_secs(20)).maximum(sum(&x))?.expect("a solution");
    assert!(best.is_optimal && best.solution.value_of(sum(&x)) == best.value);
    Ok(())
}
