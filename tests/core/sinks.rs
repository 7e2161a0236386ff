//! One rule for every sink and every layer in front of one: a variable that the sink has seen, in a clause or in a
//! constraint that it keeps, is never handed out. Whoever numbers variables himself would get wrong answers otherwise.

use std::fmt::Debug;

use cnfkit::interop::Collector;
use cnfkit::rustsat::instances::{BasicVarManager, Cnf as RustsatCnf, ManageVars};
use cnfkit::rustsat::types::{Lit, Var};
use cnfkit::{CardEncoding, ClauseSink, Cnf, Constrain, Constraint, Formula, PbRelation, Relation, Size, Tally, Terms};

/// Variables that are passed over before the first of a clause.
const GAP: u32 = 3;

/// Sends what has unknown variables, beside two literals that are known; true if the sink has it.
type Way<S> = fn(&mut S, Lit, Lit, &[Lit]) -> Result<bool, <S as ClauseSink>::Error>;

fn clauses<S: ClauseSink>() -> [(&'static str, Way<S>); 13] {
    [
        ("add_clause", |sink, _, _, lits| sink.add_clause(lits).map(|()| true)),
        ("define", |sink, _, _, lits| sink.define(lits).map(|()| true)),
        ("by reference", |mut sink, _, _, lits| ClauseSink::add_clause(&mut sink, lits).map(|()| true)),
        ("defined by reference", |mut sink, _, _, lits| ClauseSink::define(&mut sink, lits).map(|()| true)),
        ("in order", |sink, _, _, lits| sink.keep_order().add_clause(lits).map(|()| true)),
        ("defined in order", |sink, _, _, lits| sink.keep_order().define(lits).map(|()| true)),
        ("under a condition", |sink, c, _, lits| sink.when(&[c]).add_clause(lits).map(|()| true)),
        ("defined under one", |sink, c, _, lits| sink.when(&[c]).define(lits).map(|()| true)),
        ("under two", |sink, c, d, lits| sink.when(&[c]).when(&[!d]).add_clause(lits).map(|()| true)),
        ("under a contradiction", |sink, c, _, lits| sink.when(&[c, !c]).add_clause(lits).map(|()| true)),
        ("defined under one", |sink, c, _, lits| sink.when(&[c, !c]).define(lits).map(|()| true)),
        ("satisfied by the condition", |sink, c, _, lits| {
            sink.when(&[c]).add_clause(&[lits, &[c]].concat()).map(|()| true)
        }),
        ("satisfied by the outer condition", |sink, c, d, lits| {
            sink.when(&[c]).when(&[d]).add_clause(&[&[c], lits].concat()).map(|()| true)
        }),
    ]
}

fn constraints<S: ClauseSink>() -> [(&'static str, Way<S>); 8] {
    [
        ("take", |sink, _, _, lits| sink.take(&[], lits, Relation::AtMost(1))),
        ("take under a condition", |sink, c, d, lits| sink.when(&[c]).take(&[d], lits, Relation::AtLeast(2))),
        ("take in order", |sink, _, d, lits| sink.keep_order().take(&[d], lits, Relation::AtLeast(2))),
        ("offer", |sink, _, _, lits| sink.offer(&Constraint::count(lits, Relation::AtMost(1)))),
        ("offer, the condition unknown", |sink, c, d, lits| {
            let counted = [c, d, !lits[1]];
            sink.offer(&Constraint::count(&counted, Relation::AtMost(1)).when(&lits[..1]))
        }),
        ("offer, reified", |sink, c, d, lits| {
            let counted = [c, d, !lits[1]];
            sink.offer(&Constraint::count(&counted, Relation::AtMost(1)).iff(lits[0]))
        }),
        ("offer of weights", |sink, c, d, lits| {
            let terms = [(lits[1], 2), (lits[2], 3), (d, 4)];
            let constraint = Constraint::weights(Terms::new(&terms), PbRelation::AtMost(5)).iff(lits[0]);
            sink.when(&[c]).offer(&constraint)
        }),
        ("offer of weights in order", |sink, c, d, lits| {
            let terms = [(lits[0], 2), (lits[1], 3), (d, 4)];
            let cond = [c, lits[2]];
            let constraint = Constraint::weights(Terms::new(&terms), PbRelation::AtMost(5)).when(&cond);
            sink.keep_order().offer(&constraint)
        }),
    ]
}

/// Whichever way unknown variables come, `next_var` is above them all afterwards, and `new_lit` returns it. The number
/// of constraints that the sink has kept.
fn takes_note<S: ClauseSink<Error: Debug>>(name: &str, sink: &mut S) -> usize {
    let known = sink.new_lits(2);
    let (c, d) = (known[0], known[1]);
    let mut kept = 0;
    let ways = clauses().into_iter().map(|way| (way, true));
    for ((way, send), is_clause) in ways.chain(constraints().into_iter().map(|way| (way, false))) {
        let before = sink.next_var();
        let first = before.idx32() + GAP;
        let lits = [Lit::negative(first + 2), Lit::positive(first), Lit::positive(first + 1)];
        let sent = send(sink, c, d, &lits).unwrap();
        assert!(sent || !is_clause, "{name}, {way}");
        let expected = if sent { lits[0].var() + 1 } else { before };
        assert_eq!(sink.next_var(), expected, "{name}, {way}");
        assert_eq!(sink.new_lit().var(), expected, "{name}, {way}");
        kept += usize::from(sent && !is_clause);
    }
    // Clauses whose variables are known change nothing.
    let next = sink.next_var();
    sink.add_clause(&[c, !d]).unwrap();
    sink.add_clause(&[]).unwrap();
    assert_eq!(sink.next_var(), next, "{name}");
    kept
}

/// The largest variable there is: no other comes after it.
const LAST: Lit = Lit::positive(Var::MAX_IDX - 1);

#[test]
fn formulas_take_note() {
    let mut cnf = Cnf::new();
    assert_eq!(takes_note("Cnf", &mut cnf), 0);
    cnf.add_clause(&[LAST]).unwrap();
    assert_eq!(cnf.next_var().idx32(), Var::MAX_IDX);
    let mut formula = Formula::new();
    assert_eq!(takes_note("Formula", &mut formula), constraints::<Formula>().len() - 1, "all but by take itself");
    let mut limited = Formula::new().with_limit(Size { vars: 9, ..Cnf::DEFAULT_LIMIT });
    assert!(limited.offer(&Constraint::count(&[LAST; 3], Relation::AtMost(1))).is_err());
    assert_eq!((limited.next_var().idx(), limited.constraints().len()), (0, 0));
    // What was kept can be encoded: every literal is below the number of variables.
    let all = formula.encode().unwrap();
    assert!(all.clauses().flatten().all(|lit| lit.vidx() < all.n_vars()));
    #[cfg(feature = "model")]
    {
        use cnfkit::model::Model;
        assert_eq!(takes_note("Model", &mut Model::new()), constraints::<Model>().len(), "take too: it is a layer");
    }
}

/// The variables that a clause brings count beside those that were handed out.
/// A tally goes on where variables run out, with the size that there would be.
#[test]
fn a_tally_counts_beyond_all_variables() {
    let far = Var::MAX_IDX as usize - 1;
    for enc in CardEncoding::ALL {
        let sizes = [6, far].map(|known| {
            let mut tally = Tally::new(known);
            let lits: Vec<Lit> = (1..=5).map(|back| Lit::positive((known - back) as u32)).collect();
            tally.at_most(&lits, 2, enc).unwrap();
            tally.new_lits(3);
            tally.size()
        });
        assert_eq!(sizes[0], sizes[1], "{enc}");
    }
}

#[test]
fn tallies_take_note() {
    takes_note("Tally", &mut Tally::new(7));
    let mut tally = Tally::new(2);
    tally.add_clause(&[Lit::positive(1), Lit::negative(5)]).unwrap();
    assert_eq!(tally.new_lit(), Lit::positive(6));
    assert_eq!((tally.size(), tally.inputs().len()), (Size { vars: 5, clauses: 1, lits: 2 }, 2));
}

#[test]
fn collectors_take_note() {
    let (mut clauses, mut vars) = (RustsatCnf::new(), BasicVarManager::default());
    takes_note("Collector", &mut Collector::new(&mut clauses, &mut vars));
    let highest = clauses.iter().flat_map(|clause| clause.iter()).map(|lit| lit.var()).max();
    assert!(vars.max_var() >= highest, "the manager knows");
}

#[cfg(feature = "svg")]
#[test]
fn blueprints_take_note() {
    takes_note("Blueprint", &mut cnfkit::render::Blueprint::new(3));
}

/// A formula of clauses whose variables the caller numbers, then one of the sink's: with that variable once more, the
/// formula would have no model.
#[cfg(feature = "batsat")]
mod solvers {
    use std::cell::Cell;

    use cnfkit::ask::{Ask, Problem};
    use cnfkit::rustsat::solvers::{Solve, SolverResult};
    use cnfkit::rustsat::types::TernaryVal;
    use cnfkit::{SolverSink, solvers};

    use super::*;

    fn solver_takes_note<S: Solve + Default>() {
        let mut solver = S::default();
        takes_note("SolverSink", &mut SolverSink::new(&mut solver, 0));
        let mut solver = S::default();
        let mut sink = SolverSink::new(&mut solver, 0);
        let x: Vec<Lit> = (0..2).map(Lit::positive).collect();
        sink.add_clause(&[x[0]]).unwrap();
        sink.define(&[!x[0], x[1]]).unwrap();
        let y = sink.new_lit();
        sink.add_clause(&[!y]).unwrap();
        assert_eq!(sink.solver().solve().unwrap(), SolverResult::Sat);
        let model = sink.solver().solution(y.var()).unwrap();
        assert!([x[0], x[1], !y].iter().all(|&lit| model.lit_value(lit) == TernaryVal::True), "{model}");
    }

    #[test]
    fn all_solvers_take_note() {
        #[cfg(feature = "batsat")]
        solver_takes_note::<solvers::BatSat>();
        #[cfg(feature = "minisat")]
        solver_takes_note::<solvers::MiniSat>();
        #[cfg(feature = "glucose")]
        solver_takes_note::<solvers::Glucose>();
        #[cfg(feature = "cadical")]
        solver_takes_note::<solvers::CaDiCaL>();
        #[cfg(all(feature = "kissat", not(feature = "cadical")))]
        solver_takes_note::<solvers::Kissat>();
        solver_takes_note::<solvers::DefaultSolver>();
    }

    /// One variable, and clauses with others of the problem's own numbering.
    #[derive(Default)]
    struct Numbered {
        encoded: Cell<usize>,
    }

    impl Problem for Numbered {
        type Solution = bool;

        fn n_vars(&self) -> usize {
            1
        }

        fn rules<S: ClauseSink>(&self, sink: &mut S) -> Result<(), S::Error> {
            let lits: Vec<Lit> = (0..9).map(Lit::positive).collect();
            sink.add_clause(&[lits[0], lits[5], lits[8]])?;
            sink.when(&lits[..1]).add_clause(&[!lits[8]])?;
            sink.add_clause(&[!lits[5]])?;
            assert_eq!(sink.next_var().idx(), 9);
            let own = sink.new_lit();
            self.encoded.set(self.encoded.get() + 1);
            sink.add_clause(&[!own])
        }

        fn n_parts(&self) -> usize {
            2
        }

        fn part<S: ClauseSink>(&self, part: usize, sink: &mut S) -> Result<(), S::Error> {
            let far = sink.next_var().idx32() + GAP + part as u32;
            sink.add_clause(&[Lit::negative(0), Lit::positive(far)])?;
            assert_eq!(sink.next_var().idx32(), far + 1);
            sink.add_clause(&[if part == 0 { Lit::positive(0) } else { Lit::negative(far) }])
        }

        fn decode(&self, is_true: impl Fn(Lit) -> bool) -> bool {
            is_true(Lit::positive(0))
        }
    }

    #[test]
    fn problems_take_note() {
        let ask = Ask::new(Numbered::default());
        assert!(ask.solve().unwrap().is_none());
        assert_eq!(ask.unsat_core().unwrap(), Some(vec![0, 1]));
        assert_eq!(ask.backbone().unwrap(), None);
        assert_eq!(ask.problem().encoded.get(), 3);
    }
}
