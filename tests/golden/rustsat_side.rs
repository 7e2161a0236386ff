//! Our encodings behind rustsat's traits, and rustsat's encoders on our formula.

use cnfkit::interop::{Am1, Collector, Counted, Selected, Target};
use cnfkit::rustsat::encodings::am1::Encode;
use cnfkit::rustsat::encodings::card::{BoundBoth, BoundLower, BoundUpper, BoundUpperIncremental, Totalizer};
use cnfkit::rustsat::instances::{BasicVarManager, Cnf as Clauses, ManageVars};
use cnfkit::{AmoEncoding, CardEncoding, Cnf, Constrain, IncTotalizer, Var};

use super::{Golden, hash, inputs};

const N: usize = 14;

/// The clauses collected and the first variable not in use.
fn record(golden: &mut Golden, name: &str, post: impl FnOnce(&mut Clauses, &mut BasicVarManager)) {
    let (mut clauses, mut vars) = (Clauses::new(), BasicVarManager::from_next_free(Var::new(N as u32)));
    post(&mut clauses, &mut vars);
    let lits: usize = clauses.iter().map(|clause| clause.len()).sum();
    let hash = hash(clauses.iter().map(|clause| clause.iter().map(|lit| lit.to_ipasir())));
    golden.line(format!("interop/{name}"), format!("{} {} {lits} {hash:016x}", vars.n_used(), clauses.len()));
}

pub(super) fn interop(golden: &mut Golden) {
    for &enc in AmoEncoding::ALL {
        record(golden, &format!("am1-{enc}"), |clauses, vars| {
            Am1::new(enc, inputs(N)).encode(clauses, vars).unwrap();
        });
    }
    for &enc in CardEncoding::ALL {
        record(golden, &format!("selected-{enc}"), |clauses, vars| {
            let mut selected = Selected::new(enc, inputs(N));
            selected.encode_ub(3..=5, clauses, vars).unwrap();
            selected.encode_lb(2..=2, clauses, vars).unwrap();
            selected.encode_both(7..=8, clauses, vars).unwrap();
        });
        record(golden, &format!("collector-{enc}"), |clauses, vars| {
            let mut sink = Collector::new(clauses, vars);
            sink.exactly(&inputs(N), 4, &enc).unwrap();
        });
    }
    record(golden, "counted-growing", |clauses, vars| {
        let mut counted = Counted::new(IncTotalizer::new(), inputs(N)[..5].iter().copied());
        counted.encode_ub(2..=3, clauses, vars).unwrap();
        counted.extend(inputs(N)[5..].iter().copied());
        counted.encode_ub_change(2..=6, clauses, vars).unwrap();
    });
    record(golden, "counted-totalizer", |clauses, vars| {
        Counted::new(cnfkit::Totalizer::default(), inputs(N)).encode_both(2..=5, clauses, vars).unwrap();
    });
    record(golden, "counted-network", |clauses, vars| {
        Counted::new(cnfkit::Network::default(), inputs(N)).encode_both(2..=5, clauses, vars).unwrap();
    });
    let mut cnf = Cnf::with_vars(N);
    let target = Target::new(&mut cnf);
    Totalizer::from(inputs(N)).encode_both(4..=4, &mut &target, &mut &target).unwrap();
    golden.add("interop/target-totalizer-of-rustsat", &cnf);
}
