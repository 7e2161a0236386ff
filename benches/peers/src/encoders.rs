//! Every encoder of every library behind one signature. A new one is one line in [`encoders`].

use std::any::Any;

use cnfkit::{AmoEncoding, CapacityError, CardEncoding, ClauseSink, Cnf, Constrain, Lit, Relation, Size};
use pindakaas::ClauseDatabase;
use pindakaas::constraint::cardinality::Cardinality;
use pindakaas::constraint::cardinality_one::CardinalityOne;
use pindakaas::constraint::linear::LimitComp;
use pindakaas::encoder::{
    bitwise::BitwiseEncoder,
    decision_diagram::DecisionDiagramEncoder,
    ladder::LadderEncoder,
    pairwise::PairwiseEncoder,
    product::ProductEncoder,
    sequential_counter::SequentialCounterEncoder,
    sorting_network::{SortingNetworkEncoder, SortingNetworkStrategy},
    totalizer::TotalizerEncoder,
};
use rustsat::encodings::{am1, card};
use rustsat::instances::BasicVarManager;
use rustsat::types::constraints::CardConstraint;

/// Encoders of it alone are those of at most one.
pub const AT_MOST_ONE: Relation = Relation::AtMost(1);

/// The outcome of an encoder.
pub struct Made {
    pub aux: usize,
    pub clauses: usize,
    /// The formula, so that freeing it is not timed.
    pub formula: Box<dyn Any>,
}

/// `None` when it is refused as too large.
type Encode = Box<dyn Fn(usize) -> Option<Made>>;

/// One encoder of one library, for one relation.
pub struct Encoder {
    pub library: &'static str,
    pub name: String,
    /// Encodes the relation over this many fresh literals, into a fresh formula of the library's own.
    pub encode: Encode,
}

type OurResult = Result<(), CapacityError>;

/// Refused where the formula would be larger than its limit.
fn ours(name: &str, constrain: impl Fn(&mut Cnf, &[Lit]) -> OurResult + 'static) -> Encoder {
    let encode = move |n| {
        let mut cnf = Cnf::new().with_limit(Size { clauses: 10_000_000, ..Cnf::DEFAULT_LIMIT });
        let lits = cnf.new_lits(n);
        constrain(&mut cnf, &lits).ok()?;
        Some(Made { aux: cnf.n_vars() - n, clauses: cnf.n_clauses(), formula: Box::new(cnf) })
    };
    Encoder { library: "cnfkit", name: name.to_string(), encode: Box::new(encode) }
}

fn our_amo(enc: AmoEncoding) -> Encoder {
    ours(&enc.to_string(), move |cnf, lits| cnf.at_most_one(lits, enc))
}

fn our_card(relation: Relation, enc: CardEncoding) -> Encoder {
    ours(&enc.to_string(), move |cnf, lits| cnf.cardinality(lits, relation, enc))
}

fn rustsats(
    name: &str,
    constrain: impl Fn(Vec<Lit>, &mut rustsat::instances::Cnf, &mut BasicVarManager) + 'static,
) -> Encoder {
    use rustsat::instances::ManageVars;
    let encode = move |n: usize| {
        let n = u32::try_from(n).expect("few inputs");
        let mut vars = BasicVarManager::from_next_free(cnfkit::Var::new(n));
        let mut cnf = rustsat::instances::Cnf::new();
        constrain((0..n).map(Lit::positive).collect(), &mut cnf, &mut vars);
        Some(Made { aux: (vars.n_used() - n) as usize, clauses: cnf.len(), formula: Box::new(cnf) })
    };
    Encoder { library: "rustsat", name: name.to_string(), encode: Box::new(encode) }
}

fn rustsat_amo<E: am1::Encode + From<Vec<Lit>> + 'static>(name: &str) -> Encoder {
    rustsats(name, |lits, cnf, vars| E::from(lits).encode(cnf, vars).expect("fits"))
}

fn rustsat_totalizer(relation: Relation) -> Encoder {
    rustsats("totalizer", move |lits, cnf, vars| {
        let constraint = match relation {
            Relation::AtMost(k) => CardConstraint::new_ub(lits, k),
            Relation::AtLeast(k) => CardConstraint::new_lb(lits, k),
            Relation::Exactly(k) => CardConstraint::new_eq(lits, k),
        };
        card::encode_cardinality_constraint::<card::Totalizer, _>(constraint, cnf, vars).expect("fits");
    })
}

fn pindakaas<C: 'static, E: pindakaas::Encoder<pindakaas::Cnf, C> + 'static>(
    name: &str,
    enc: E,
    constraint: impl Fn(Vec<pindakaas::Lit>) -> C + 'static,
) -> Encoder {
    let encode = move |n| {
        let mut cnf = pindakaas::Cnf::default();
        let lits = cnf.new_var_range(n).iter_lits().collect();
        enc.encode(&mut cnf, &constraint(lits)).expect("satisfiable");
        Some(Made { aux: cnf.num_vars() - n, clauses: cnf.num_clauses(), formula: Box::new(cnf) })
    };
    Encoder { library: "pindakaas", name: name.to_string(), encode: Box::new(encode) }
}

fn pindakaas_amo<E: pindakaas::Encoder<pindakaas::Cnf, CardinalityOne> + 'static>(name: &str, enc: E) -> Encoder {
    pindakaas(name, enc, |lits| CardinalityOne::new(lits, LimitComp::LessEq))
}

fn pindakaas_card<E: pindakaas::Encoder<pindakaas::Cnf, Cardinality> + 'static>(
    name: &str,
    relation: Relation,
    enc: E,
) -> Encoder {
    let limit = |k: usize| k.try_into().expect("small bound");
    pindakaas(name, enc, move |lits| match relation {
        Relation::AtMost(k) => Cardinality::new(lits, LimitComp::LessEq, limit(k)),
        Relation::AtLeast(k) => {
            let most = limit(lits.len() - k);
            Cardinality::new(lits.into_iter().map(|lit| !lit).collect(), LimitComp::LessEq, most)
        }
        Relation::Exactly(k) => Cardinality::new(lits, LimitComp::Equal, limit(k)),
    })
}

/// Every encoder that does `relation`; ours first. Each of ours is here as soon as it is in its enum's `ALL`.
pub fn encoders(relation: Relation) -> Vec<Encoder> {
    if relation == AT_MOST_ONE {
        let own = AmoEncoding::ALL.iter().filter(|enc| !matches!(enc, AmoEncoding::Card(_)));
        let mut encoders: Vec<Encoder> = own.map(|&enc| our_amo(enc)).collect();
        encoders.extend([
            rustsat_amo::<am1::Pairwise>("pairwise"),
            rustsat_amo::<am1::Ladder>("ladder"),
            rustsat_amo::<am1::Bitwise>("bitwise"),
            rustsat_amo::<am1::TwoProduct>("product"),
            rustsat_amo::<am1::Commander>("commander"),
            rustsat_amo::<am1::Bimander>("bimander"),
            pindakaas_amo("pairwise", PairwiseEncoder::default()),
            pindakaas_amo("ladder", LadderEncoder::default()),
            pindakaas_amo("bitwise", BitwiseEncoder::default()),
            pindakaas_amo("product", ProductEncoder::default()),
        ]);
        return encoders;
    }
    let mut odd_even = SortingNetworkEncoder::default();
    odd_even.with_strategy(SortingNetworkStrategy::Recursive);
    let mut encoders: Vec<Encoder> = CardEncoding::ALL.iter().map(|&enc| our_card(relation, enc)).collect();
    encoders.extend([
        rustsat_totalizer(relation),
        pindakaas_card("totalizer", relation, TotalizerEncoder::default()),
        pindakaas_card("sequential", relation, SequentialCounterEncoder::default()),
        pindakaas_card("network", relation, SortingNetworkEncoder::default()),
        pindakaas_card("odd-even", relation, odd_even),
        pindakaas_card("decision-diagram", relation, DecisionDiagramEncoder::default()),
    ]);
    encoders
}
