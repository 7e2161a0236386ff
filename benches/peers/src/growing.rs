//! At most one of literals that come one by one: into memory, and into a solver that is asked on the way.

use std::time::{Duration, Instant};

use cnfkit::rustsat::solvers::GetInternalStats;
use cnfkit::solvers::{BatSat, SolveIncremental, SolverResult};
use cnfkit::{ClauseSink, Cnf, IncAtMostOne, Lit, Size, SolverSink};
use rustsat::encodings::CollectClauses;
use rustsat::encodings::card::{BoundUpper, BoundUpperIncremental, Totalizer};
use rustsat::instances::{BasicVarManager, ManageVars};

/// Takes one more literal in: those before it, and the sink.
type Add<'a, S> = Box<dyn FnMut(&[Lit], Lit, &mut S) + 'a>;

struct Way<S> {
    name: &'static str,
    /// Fresh, for one run.
    start: fn() -> Add<'static, S>,
}

fn add<S: ClauseSink>(sink: &mut S, clause: &[Lit]) {
    assert!(sink.add_clause(clause).is_ok(), "a clause does not fit");
}

fn ours<S: ClauseSink>() -> Add<'static, S> {
    let mut one = IncAtMostOne::new();
    Box::new(move |_, lit, sink| assert!(one.extend(sink, &[lit]).is_ok(), "it fits"))
}

fn pairwise<S: ClauseSink>() -> Add<'static, S> {
    Box::new(|before, lit, sink| before.iter().for_each(|&other| add(sink, &[!other, !lit])))
}

fn ladder<S: ClauseSink>() -> Add<'static, S> {
    let mut last: Option<Lit> = None;
    Box::new(move |_, lit, sink| {
        let rung = sink.new_lit();
        if let Some(last) = last {
            add(sink, &[!last, !lit]);
            add(sink, &[!last, rung]);
        }
        add(sink, &[!lit, rung]);
        last = Some(rung);
    })
}

/// A binary number a literal; a bit that is new is false for all that came before.
fn bitwise<S: ClauseSink>() -> Add<'static, S> {
    let mut bits: Vec<Lit> = Vec::new();
    Box::new(move |before, lit, sink| {
        if before.len() == 1 << bits.len() {
            let bit = sink.new_lit();
            for &other in before {
                add(sink, &[!other, !bit]);
            }
            bits.push(bit);
        }
        for (at, &bit) in bits.iter().enumerate() {
            add(sink, &[!lit, if before.len() >> at & 1 == 1 { bit } else { !bit }]);
        }
    })
}

/// A sink as rustsat's collector.
struct Into<'a, S>(&'a mut S);

impl<S: ClauseSink> CollectClauses for Into<'_, S> {
    fn n_clauses(&self) -> usize {
        0
    }

    fn extend_clauses<T>(&mut self, clauses: T) -> Result<(), rustsat::OutOfMemory>
    where
        T: IntoIterator<Item = rustsat::types::Clause>,
    {
        clauses.into_iter().for_each(|clause| add(self.0, &clause[..]));
        Ok(())
    }
}

/// rustsat has no *at most one* that grows: its totalizer does, with bound 1.
fn rustsats<S: ClauseSink>() -> Add<'static, S> {
    let mut totalizer = Totalizer::default();
    Box::new(move |_, lit, sink| {
        totalizer.extend([lit]);
        let mut vars = BasicVarManager::from_next_free(sink.next_var());
        let first = vars.n_used();
        totalizer.encode_ub_change(1..=1, &mut Into(sink), &mut vars).expect("fits");
        let _ = sink.new_lits((vars.n_used() - first) as usize);
        for unit in totalizer.enforce_ub(1).expect("encoded") {
            add(sink, &[unit]);
        }
    })
}

fn ways<S: ClauseSink>() -> Vec<Way<S>> {
    vec![
        Way { name: "cnfkit IncAtMostOne", start: ours },
        Way { name: "pairwise", start: pairwise },
        Way { name: "ladder", start: ladder },
        Way { name: "bitwise, bits added", start: bitwise },
        Way { name: "rustsat totalizer, extended", start: rustsats },
    ]
}

/// Adds `n` literals one by one.
fn grow<S: ClauseSink>(way: &Way<S>, n: usize, sink: &mut S, mut after: impl FnMut(&mut S, &[Lit])) {
    let mut add = (way.start)();
    let mut lits = Vec::with_capacity(n);
    for _ in 0..n {
        let lit = sink.new_lit();
        add(&lits, lit, sink);
        lits.push(lit);
        after(sink, &lits);
    }
}

pub fn run(n: usize, every: usize) {
    println!("at most one of {n} literals that come one by one; a solver is asked after every {every} of them");
    println!("| way | auxiliaries | clauses | a literal | ms into memory | ms into BatSat, asked | propagations |");
    println!("|---|---:|---:|---:|---:|---:|---:|");
    let limit = Size { clauses: u64::from(u32::MAX), ..Cnf::DEFAULT_LIMIT };
    for (at, memory) in ways::<Cnf>().iter().enumerate() {
        let (mut size, mut time) = (Size::ZERO, Duration::MAX);
        for _ in 0..3 {
            let mut cnf = Cnf::new().with_limit(limit);
            let start = Instant::now();
            grow(memory, n, &mut cnf, |_, _| {});
            time = time.min(start.elapsed());
            size = cnf.size();
        }
        let mut batsat = BatSat::default();
        let start = Instant::now();
        grow(&ways()[at], n, &mut SolverSink::new(&mut batsat, 0), |sink, lits| {
            if lits.len() % every == 0 {
                // The newest alone, then beside the oldest.
                let (first, last) = (lits[0], lits[lits.len() - 1]);
                let solver = sink.solver();
                assert_eq!(solver.solve_assumps(&[last]).expect("solves"), SolverResult::Sat);
                assert_eq!(solver.solve_assumps(&[last, first]).expect("solves"), SolverResult::Unsat);
            }
        });
        let asked = start.elapsed();
        println!(
            "| {} | {} | {} | {:.2} | {:.2} | {:.1} | {} |",
            memory.name,
            size.vars - n as u64,
            size.clauses,
            size.clauses as f64 / n as f64,
            time.as_secs_f64() * 1e3,
            asked.as_secs_f64() * 1e3,
            batsat.propagations(),
        );
    }
}
