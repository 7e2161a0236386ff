//! Every encoder of sums of weights of every library behind one signature. A new one is one line in [`PEERS`]; ours are
//! those of [`PbEncoding::ALL`](cnfkit::PbEncoding::ALL).

use cnfkit::{ClauseSink, Cnf, Encoding, Lit, PbRelation, Size};
use pindakaas::ClauseDatabase;
use pindakaas::Encoder as _;
use pindakaas::constraint::cardinality_one::CardinalityOne;
use pindakaas::constraint::linear::{Comparator, LimitComp, LinExp, Linear, LinearEncoder};
use pindakaas::decision::integer::IntVar;
use pindakaas::encoder::{
    adder::AdderEncoder, decision_diagram::DecisionDiagramEncoder, mixed_radix::MixedRadixEncoder,
    pairwise::PairwiseEncoder, sequential_counter::SequentialCounterEncoder, totalizer::TotalizerEncoder,
    watchdog::WatchdogEncoder,
};
use rustsat::encodings::pb::{self, simulators};
use rustsat::instances::{BasicVarManager, ManageVars};
use rustsat::types::constraints::PbConstraint;

use super::shapes::{Kind, Shape};
use crate::encoders::Made;

/// An encoder of another library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    PindakaasAdder,
    PindakaasDiagram,
    PindakaasSequential,
    PindakaasTotalizer,
    PindakaasMixedRadix,
    PindakaasWatchdog,
    PindakaasLocalWatchdog,
    PindakaasSortingWatchdog,
    RustsatTotalizer,
    RustsatWatchdog,
    RustsatAdder,
}

/// All of them, with the library, their names, and whether that library calls them domain consistent.
pub const PEERS: &[(Peer, &str, &str, bool)] = &[
    (Peer::PindakaasAdder, "pindakaas", "adder", false),
    (Peer::PindakaasDiagram, "pindakaas", "diagram", true),
    (Peer::PindakaasSequential, "pindakaas", "sequential", true),
    (Peer::PindakaasTotalizer, "pindakaas", "totalizer", true),
    (Peer::PindakaasMixedRadix, "pindakaas", "mixed radix", false),
    (Peer::PindakaasWatchdog, "pindakaas", "watchdog", false),
    (Peer::PindakaasLocalWatchdog, "pindakaas", "local watchdog", true),
    (Peer::PindakaasSortingWatchdog, "pindakaas", "sorting watchdog", false),
    (Peer::RustsatTotalizer, "rustsat", "totalizer", true),
    (Peer::RustsatWatchdog, "rustsat", "dynamic watchdog", false),
    (Peer::RustsatAdder, "rustsat", "adder", false),
];

type DynamicWatchdog = simulators::Double<pb::DynamicPolyWatchdog, simulators::Inverted<pb::DynamicPolyWatchdog>>;

fn encode_linear(peer: Peer, cnf: &mut pindakaas::Cnf, linear: &Linear) -> Result<(), pindakaas::Unsatisfiable> {
    let mut watchdog = WatchdogEncoder::default();
    match peer {
        Peer::PindakaasAdder => LinearEncoder::<AdderEncoder>::default().encode(cnf, linear),
        Peer::PindakaasDiagram => LinearEncoder::<DecisionDiagramEncoder>::default().encode(cnf, linear),
        Peer::PindakaasSequential => LinearEncoder::<SequentialCounterEncoder>::default().encode(cnf, linear),
        Peer::PindakaasTotalizer => LinearEncoder::<TotalizerEncoder>::default().encode(cnf, linear),
        Peer::PindakaasMixedRadix => LinearEncoder::<MixedRadixEncoder>::default().encode(cnf, linear),
        Peer::PindakaasWatchdog => LinearEncoder::new(watchdog).encode(cnf, linear),
        Peer::PindakaasLocalWatchdog => {
            watchdog.with_local(true);
            LinearEncoder::new(watchdog).encode(cnf, linear)
        }
        Peer::PindakaasSortingWatchdog => {
            watchdog.with_sorting_networks(true);
            LinearEncoder::new(watchdog).encode(cnf, linear)
        }
        Peer::RustsatTotalizer | Peer::RustsatWatchdog | Peer::RustsatAdder => unreachable!("not pindakaas"),
    }
}

fn linear(expression: LinExp, relation: PbRelation) -> Linear {
    let comparator = match relation {
        PbRelation::AtMost(_) => Comparator::LessEq,
        PbRelation::AtLeast(_) => Comparator::GreaterEq,
        PbRelation::Exactly(_) => Comparator::Equal,
    };
    Linear::new(expression, comparator, signed(relation.bound()))
}

fn signed(weight: u64) -> i64 {
    i64::try_from(weight).expect("small weights")
}

/// The sum over literals of its own; the clauses about groups that come with the shape are made, and not counted.
fn expression(shape: &Shape, cnf: &mut pindakaas::Cnf) -> LinExp {
    let mut expression = LinExp::default();
    for group in &shape.weights {
        let weights = group.iter().map(|&weight| signed(weight));
        match shape.kind {
            Kind::Literals => {
                let lits: Vec<pindakaas::Lit> = cnf.new_var_range(group.len()).iter_lits().collect();
                expression += LinExp::from_slices(&weights.collect::<Vec<_>>(), &lits);
            }
            Kind::Groups => {
                let lits: Vec<pindakaas::Lit> = cnf.new_var_range(group.len()).iter_lits().collect();
                let one = CardinalityOne::new(lits.clone(), LimitComp::Equal);
                PairwiseEncoder::default().encode(cnf, &one).expect("satisfiable");
                let walk = weights.zip(lits.into_iter().map(pindakaas::BoolVal::Lit));
                expression = expression + IntVar::from_direct_walk(cnf, walk).expect("fresh literals");
            }
            Kind::Integers => expression = expression + IntVar::new(0..=signed(group[group.len() - 1])),
        }
    }
    expression
}

fn by_pindakaas(peer: Peer, shape: &Shape, relation: PbRelation) -> Made {
    let mut cnf = pindakaas::Cnf::default();
    let linear = linear(expression(shape, &mut cnf), relation);
    let before = (cnf.num_vars(), cnf.num_clauses());
    encode_linear(peer, &mut cnf, &linear).expect("satisfiable");
    Made { aux: cnf.num_vars() - before.0, clauses: cnf.num_clauses() - before.1, formula: Box::new(cnf) }
}

fn rustsat_constraint(weights: &[u64], relation: PbRelation) -> PbConstraint {
    let lits = weights
        .iter()
        .zip(0..)
        .map(|(&weight, var)| (Lit::positive(var), usize::try_from(weight).expect("small weights")));
    let bound = isize::try_from(relation.bound()).expect("small weights");
    match relation {
        PbRelation::AtMost(_) => PbConstraint::new_ub_unsigned(lits, bound),
        PbRelation::AtLeast(_) => PbConstraint::new_lb_unsigned(lits, bound),
        PbRelation::Exactly(_) => PbConstraint::new_eq_unsigned(lits, bound),
    }
}

fn by_rustsat(peer: Peer, weights: &[u64], relation: PbRelation) -> (u32, rustsat::instances::Cnf) {
    let n = u32::try_from(weights.len()).expect("few inputs");
    let mut vars = BasicVarManager::from_next_free(cnfkit::Var::new(n));
    let mut cnf = rustsat::instances::Cnf::new();
    let constraint = rustsat_constraint(weights, relation);
    match peer {
        Peer::RustsatTotalizer => {
            pb::encode_pb_constraint::<pb::DoubleGeneralizedTotalizer, _>(constraint, &mut cnf, &mut vars)
        }
        Peer::RustsatWatchdog => pb::encode_pb_constraint::<DynamicWatchdog, _>(constraint, &mut cnf, &mut vars),
        Peer::RustsatAdder => pb::encode_pb_constraint::<pb::BinaryAdder, _>(constraint, &mut cnf, &mut vars),
        _ => unreachable!("not rustsat"),
    }
    .expect("fits");
    (vars.n_used(), cnf)
}

impl Peer {
    const fn is_rustsats(self) -> bool {
        matches!(self, Self::RustsatTotalizer | Self::RustsatWatchdog | Self::RustsatAdder)
    }

    /// Encodes a shape; rustsat does not know of groups.
    pub fn encode(self, shape: &Shape, relation: PbRelation) -> Made {
        if !self.is_rustsats() {
            return by_pindakaas(self, shape, relation);
        }
        let weights = shape.all();
        let (used, cnf) = by_rustsat(self, &weights, relation);
        Made { aux: used as usize - weights.len(), clauses: cnf.len(), formula: Box::new(cnf) }
    }
}

/// The clauses of a relation over the first variables.
pub fn peers_clauses(peer: Peer, relation: PbRelation, weights: &[u64]) -> Vec<Vec<Lit>> {
    if peer.is_rustsats() {
        let (_, cnf) = by_rustsat(peer, weights, relation);
        return cnf.into_iter().map(|clause| clause.into_iter().collect()).collect();
    }
    let mut cnf = pindakaas::Cnf::default();
    let lits: Vec<pindakaas::Lit> = cnf.new_var_range(weights.len()).iter_lits().collect();
    let weights: Vec<i64> = weights.iter().map(|&weight| signed(weight)).collect();
    let linear = linear(LinExp::from_slices(&weights, &lits), relation);
    if encode_linear(peer, &mut cnf, &linear).is_err() {
        return vec![Vec::new()];
    }
    let ours = |&lit: &pindakaas::Lit| Lit::from_ipasir(std::num::NonZeroI32::from(lit).get()).expect("a literal");
    cnf.iter().map(|clause| clause.iter().map(ours).collect()).collect()
}

/// Encodes a shape with groups where it has them; `None` where that is refused, by the encoding or by the limit.
pub fn by_ours(enc: &dyn Encoding, shape: &Shape, relation: PbRelation, limit: Size) -> Option<Made> {
    let mut cnf = Cnf::with_vars(shape.weights.iter().map(Vec::len).sum()).with_limit(limit);
    let inputs = cnf.n_vars();
    shape.planned(enc, relation, |plan, constraint| {
        cnf.reserve(&plan.size()).ok()?;
        cnf.write_by(&mut |to| plan.write(constraint, to)).ok()?;
        Some(Made { aux: cnf.n_vars() - inputs, clauses: cnf.n_clauses(), formula: Box::new(cnf) })
    })?
}
