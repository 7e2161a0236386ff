//! Which encoding is best for the solver: conflicts until solved, by family of instances and encoding.
//!
//! Instances are generated from fixed seeds, and conflicts are counted, not seconds: the same table every time.

mod families;

use std::fmt::Display;

use batsat::SolverInterface;
use clap::{Parser, ValueEnum};
use cnfkit::rustsat::solvers::{Solve, SolverResult};
use cnfkit::{AmoEncoding, AtMostK, AtMostOne, CardEncoding, ClauseSink, Cnf, Constrain, Size};
use families::{Instance, Relation, families};
use rustsat::types::Cl;

#[derive(Clone, Copy, ValueEnum)]
enum SolverName {
    Batsat,
    #[cfg(feature = "cadical")]
    Cadical,
}

/// Counts the conflicts a solver needs on families of cardinality instances, for every encoding.
#[derive(Parser)]
struct Args {
    /// The solver whose conflicts are counted (CaDiCaL with the feature `cadical`).
    #[arg(long, value_enum, default_value = "batsat")]
    solver: SolverName,
    /// Steps after which an attempt counts as failed, and as twice that many conflicts.
    #[arg(long, default_value_t = 100_000)]
    limit: u64,
    /// Only families whose name contains this.
    #[arg(long, default_value = "")]
    family: String,
    /// Only encodings whose name contains this.
    #[arg(long, default_value = "")]
    encoding: String,
}

/// What an attempt cost, and what was found if it ended.
#[derive(Clone, Copy)]
struct Outcome {
    conflicts: u64,
    satisfiable: Option<bool>,
}

/// The formula, or nothing when it would be too large to solve at all.
fn encode<A: AtMostOne, C: AtMostK>(instance: &Instance, amo: &A, card: &C) -> Option<Cnf> {
    let limit = Size { clauses: 1_000_000, ..Cnf::DEFAULT_LIMIT };
    let mut cnf = Cnf::with_vars(instance.n_vars).with_limit(limit);
    let add = |cnf: &mut Cnf| {
        for clause in &instance.clauses {
            cnf.add_clause(clause)?;
        }
        for constraint in &instance.cards {
            let (lits, k) = (&constraint.lits, constraint.k);
            match (constraint.relation, k) {
                (Relation::AtMost, 1) => cnf.at_most_one(lits, amo)?,
                (Relation::Exactly, 1) => cnf.exactly_one(lits, amo)?,
                (Relation::AtMost, _) => cnf.at_most(lits, k, card)?,
                (Relation::AtLeast, _) => cnf.at_least(lits, k, card)?,
                (Relation::Exactly, _) => cnf.exactly(lits, k, card)?,
            }
        }
        Ok::<_, cnfkit::CapacityError>(())
    };
    add(&mut cnf).ok().map(|()| cnf)
}

fn load<S: Solve>(cnf: &Cnf, solver: &mut S) {
    for clause in cnf.clauses() {
        solver.add_clause_ref(Cl::new(clause)).expect("the solver takes clauses");
    }
}

fn outcome(result: SolverResult, conflicts: u64, limit: u64) -> Outcome {
    match result {
        SolverResult::Sat => Outcome { conflicts, satisfiable: Some(true) },
        SolverResult::Unsat => Outcome { conflicts, satisfiable: Some(false) },
        SolverResult::Interrupted => Outcome { conflicts: 2 * limit, satisfiable: None },
    }
}

fn attempt(cnf: &Cnf, solver: SolverName, limit: u64) -> Outcome {
    match solver {
        SolverName::Batsat => {
            let mut solver = cnfkit::solvers::BatSat::default();
            load(cnf, &mut solver);
            // batsat asks once a conflict and once a decision: a count of questions is the same every time.
            let steps = std::cell::Cell::new(0);
            solver.batsat_mut().cb_mut().set_stop(move || {
                steps.set(steps.get() + 1);
                steps.get() > 8 * limit
            });
            let result = solver.solve().expect("batsat solves");
            outcome(result, solver.batsat_ref().num_conflicts(), limit)
        }
        #[cfg(feature = "cadical")]
        SolverName::Cadical => {
            use cnfkit::rustsat::solvers::{GetInternalStats, LimitConflicts};
            let mut solver = cnfkit::solvers::CaDiCaL::default();
            load(cnf, &mut solver);
            solver.limit_conflicts(Some(limit as u32)).expect("CaDiCaL takes a limit");
            let result = solver.solve().expect("CaDiCaL solves");
            outcome(result, GetInternalStats::conflicts(&solver) as u64, limit)
        }
    }
}

/// A row: conflicts of each family, in natural and in shuffled order.
fn row(name: &dyn Display, args: &Args, mut encode: impl FnMut(&Instance) -> Option<Cnf>) -> Vec<[u64; 2]> {
    let mut sums = Vec::new();
    print!("{name:<24}");
    for (family, instances) in families() {
        if !family.contains(&args.family) {
            continue;
        }
        let mut sum = [0, 0];
        let mut failed = [0, 0];
        for (seed, instance) in instances.iter().enumerate() {
            for (order, instance) in [instance.clone(), instance.shuffled(seed as u64)].iter().enumerate() {
                let failed_at_once = Outcome { conflicts: 2 * args.limit, satisfiable: None };
                let outcome = encode(instance).map_or(failed_at_once, |cnf| attempt(&cnf, args.solver, args.limit));
                sum[order] += outcome.conflicts;
                failed[order] += usize::from(outcome.satisfiable.is_none());
            }
        }
        let shown = |order: usize| format!("{}{}", sum[order], "!".repeat(failed[order]));
        print!(" {:>16}", format!("{}/{}", shown(0), shown(1)));
        sums.push(sum);
    }
    println!();
    sums
}

fn main() {
    let args = Args::parse();
    print!("{:<24}", "natural/shuffled");
    for (family, _) in families().iter().filter(|(family, _)| family.contains(&args.family)) {
        print!(" {family:>16}");
    }
    println!();
    println!("at most k by each encoding; at most one by the default");
    let mut rows = Vec::new();
    for &encoding in CardEncoding::ALL {
        if encoding.to_string().contains(&args.encoding) {
            rows.push((
                encoding.to_string(),
                row(&encoding, &args, |instance| encode(instance, &AmoEncoding::Auto, &encoding)),
            ));
        }
    }
    println!("at most one by each encoding; at most k by the default");
    for &encoding in AmoEncoding::ALL {
        if encoding.to_string().contains(&args.encoding) {
            let name = format!("amo {encoding}");
            let sums = row(&name, &args, |instance| encode(instance, &encoding, &CardEncoding::Auto));
            rows.push((name, sums));
        }
    }
    println!("the default against the best of each family (1.00 is the best)");
    let Some((_, auto)) = rows.iter().find(|(name, _)| *name == CardEncoding::Auto.to_string()) else { return };
    print!("{:<24}", "auto / best");
    for (family, sums) in auto.iter().enumerate() {
        let best = |order: usize| rows.iter().map(|(_, sums)| sums[family][order]).min().unwrap_or(0).max(1);
        let ratio = |order: usize| sums[order].max(1) as f64 / best(order) as f64;
        print!(" {:>16}", format!("{:.2}/{:.2}", ratio(0), ratio(1)));
    }
    println!();
}
