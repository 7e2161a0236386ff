//! Conflicts until solved, as the example `quality` counts them, with pindakaas' encodings beside ours and rustsat's.

#[path = "../../../benches/quality/src/families.rs"]
mod families;
#[path = "../../../benches/quality/src/measure.rs"]
mod measure;
#[path = "../../../benches/quality/src/more_families.rs"]
mod more_families;
#[path = "../../../benches/quality/src/rows.rs"]
mod rows;
#[path = "../../../benches/quality/src/table.rs"]
mod table;
#[path = "../../../benches/quality/src/weighted_rows.rs"]
mod weighted_rows;
#[path = "../../../benches/quality/src/weights/mod.rs"]
mod weights;

use std::num::NonZeroI32;

use cnfkit::{Lit, Relation};
use pindakaas::ClauseDatabase;
use pindakaas::constraint::cardinality::Cardinality;
use pindakaas::constraint::cardinality_one::CardinalityOne;
use pindakaas::constraint::linear::LimitComp;
use pindakaas::encoder::{
    adder::AdderEncoder,
    bitwise::BitwiseEncoder,
    decision_diagram::DecisionDiagramEncoder,
    ladder::LadderEncoder,
    pairwise::PairwiseEncoder,
    product::ProductEncoder,
    sequential_counter::SequentialCounterEncoder,
    sorting_network::{SortingNetworkEncoder, SortingNetworkStrategy},
    totalizer::TotalizerEncoder,
};

use crate::weights::{PEERS, peers_clauses};
use rows::{Row, foreign_amo, foreign_card};
pub(crate) use table::Args;

/// The clauses of a constraint over the first `n` variables.
fn clauses<C>(
    enc: &impl pindakaas::Encoder<pindakaas::Cnf, C>,
    n: usize,
    constraint: impl FnOnce(Vec<pindakaas::Lit>) -> C,
) -> Vec<Vec<Lit>> {
    let mut cnf = pindakaas::Cnf::default();
    let lits = cnf.new_var_range(n).iter_lits().collect();
    enc.encode(&mut cnf, &constraint(lits)).expect("satisfiable");
    let ours = |&lit: &pindakaas::Lit| Lit::from_ipasir(NonZeroI32::from(lit).get()).expect("a literal");
    cnf.iter().map(|clause| clause.iter().map(ours).collect()).collect()
}

fn card<E: pindakaas::Encoder<pindakaas::Cnf, Cardinality> + Send + Sync + 'static>(name: &str, enc: E) -> Row {
    let limit = |k: usize| k.try_into().expect("small bound");
    foreign_card(&format!("pindakaas {name}"), move |relation, n| {
        clauses(&enc, n, |lits| match relation {
            Relation::AtMost(k) => Cardinality::new(lits, LimitComp::LessEq, limit(k)),
            Relation::AtLeast(k) => {
                let negated = lits.into_iter().map(|lit| !lit).collect();
                Cardinality::new(negated, LimitComp::LessEq, limit(n - k))
            }
            Relation::Exactly(k) => Cardinality::new(lits, LimitComp::Equal, limit(k)),
        })
    })
}

fn amo<E: pindakaas::Encoder<pindakaas::Cnf, CardinalityOne> + Send + Sync + 'static>(name: &str, enc: E) -> Row {
    foreign_amo(&format!("pindakaas {name}"), move |_, n| {
        clauses(&enc, n, |lits| CardinalityOne::new(lits, LimitComp::LessEq))
    })
}

fn network(strategy: SortingNetworkStrategy, consistency: bool) -> SortingNetworkEncoder {
    let mut enc = SortingNetworkEncoder::default();
    enc.with_strategy(strategy).with_consistency(consistency);
    enc
}

pub(crate) fn run(args: &Args) {
    let mut rows = rows::rows();
    rows.extend([
        card("totalizer", TotalizerEncoder::default()),
        card("sequential", SequentialCounterEncoder::default()),
        card("diagram", DecisionDiagramEncoder::default()),
        card("network", SortingNetworkEncoder::default()),
        card("network consistent", network(SortingNetworkStrategy::Mixed(10), true)),
        card("network odd-even", network(SortingNetworkStrategy::Recursive, false)),
        card("network direct", network(SortingNetworkStrategy::Direct, false)),
        card("adder", AdderEncoder::default()),
        amo("pairwise", PairwiseEncoder::default()),
        amo("ladder", LadderEncoder::default()),
        amo("bitwise", BitwiseEncoder::default()),
        amo("product", ProductEncoder::default()),
    ]);
    rows.extend(PEERS.iter().map(|&(peer, library, name, _)| {
        weighted_rows::foreign(&format!("{library} {name}"), move |relation, weights| {
            Some(peers_clauses(peer, relation, weights))
        })
    }));
    table::run(args, &rows);
}
