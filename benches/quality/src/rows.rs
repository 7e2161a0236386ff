//! Encodings under one signature: ours, their variants, and rustsat's. A new one is one line.

use clap::ValueEnum;
use cnfkit::encode::{ByRelation, Full, Writer};
use cnfkit::rustsat::encodings::{am1, card};
use cnfkit::rustsat::instances::{BasicVarManager, Cnf as RustsatCnf};
use cnfkit::rustsat::types::constraints::CardConstraint;
use cnfkit::{
    AmoEncoding, AtMostK, AtMostOne, CardEncoding, CardinalityNetwork, ClauseSink, Cnf, Commander, Constrain,
    DecisionDiagram, Formula, Lit, Network, Optimal, PbEncoding, Product, Relation, SequentialCounter, SequentialForm,
    Size, Totalizer, Var,
};

use super::families::{Card, Instance, Sum};
use super::weighted_rows::{self, Terms};

/// Which constraints a row is about. The others are encoded by the default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Group {
    AtMostK,
    AtMostOne,
    Weights,
}

/// The order in which a row gets the literals of a constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Literals {
    /// As the row says: sorted by variable, or as they are given.
    Own,
    /// As a [`Formula`] orders them.
    Ordered,
    /// As they are given, through a [`Formula`] where the row is the default.
    Kept,
}

/// Nothing when the formula would be too large to solve at all.
type Encode = Box<dyn Fn(&Instance, Literals) -> Option<Cnf> + Send + Sync>;

const LIMIT: Size = Size { clauses: 150_000, ..Cnf::DEFAULT_LIMIT };

/// An encoding, and how it encodes an instance.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) group: Group,
    pub(crate) encode: Encode,
}

/// An encoding, and whether it gets literals in the order of the instance instead of sorted.
#[derive(Clone, Copy)]
pub(crate) struct Choice<E> {
    enc: E,
    keep_order: bool,
}

pub(crate) fn sorted<E>(enc: E) -> Choice<E> {
    Choice { enc, keep_order: false }
}

fn as_given<E>(enc: E) -> Choice<E> {
    Choice { enc, keep_order: true }
}

fn encode<A: AtMostOne, C: AtMostK>(
    instance: &Instance,
    literals: Literals,
    amo: &Choice<A>,
    card: &Choice<C>,
) -> Option<Cnf> {
    encode_all(instance, literals, amo, card, |cnf, sum, terms| weighted_rows::add(cnf, sum, terms, &PbEncoding::Auto))
}

/// An encoding of each kind of constraint; that of sums gets an order only where one was computed.
pub(crate) fn encode_all<A: AtMostOne, C: AtMostK>(
    instance: &Instance,
    literals: Literals,
    amo: &Choice<A>,
    card: &Choice<C>,
    add: impl Fn(&mut Cnf, &Sum, Terms) -> Option<()>,
) -> Option<Cnf> {
    let mut cnf = Cnf::with_vars(instance.n_vars).with_limit(LIMIT);
    instance.clauses.iter().try_for_each(|clause| cnf.add_clause(clause)).ok()?;
    let mut places = vec![0; instance.n_vars];
    if literals == Literals::Ordered {
        formula(instance)?.sequence().iter().zip(0..).for_each(|(var, place)| places[var.idx()] = place);
    }
    for constraint in &instance.cards {
        let ordered = (literals == Literals::Ordered).then(|| {
            let mut ordered = constraint.clone();
            ordered.lits.sort_by_key(|lit| places[lit.vidx()]);
            ordered
        });
        let is_row_kept = if constraint.is_one() { amo.keep_order } else { card.keep_order };
        let keep_order = literals == Literals::Kept || is_row_kept;
        let added = match &ordered {
            Some(ordered) => constrain(&mut cnf.keep_order(), ordered, &amo.enc, &card.enc),
            None if keep_order => constrain(&mut cnf.keep_order(), constraint, &amo.enc, &card.enc),
            None => constrain(&mut cnf, constraint, &amo.enc, &card.enc),
        };
        added.ok()?;
    }
    for sum in &instance.sums {
        if literals == Literals::Ordered {
            let mut ordered = sum.clone();
            ordered.terms.sort_by_key(|(lit, _)| places[lit.vidx()]);
            add(&mut cnf, &ordered, Terms::InOrder)?;
        } else {
            add(&mut cnf, sum, if literals == Literals::Kept { Terms::InOrder } else { Terms::Own })?;
        }
    }
    Some(cnf)
}

/// The instance as data, to be encoded by the default in the order that it computes.
pub(crate) fn formula(instance: &Instance) -> Option<Formula> {
    let mut formula = clauses(instance)?;
    add_all(&mut formula, instance)?;
    Some(formula)
}

/// The instance as data, its constraints to be encoded in the order of their literals.
pub(crate) fn kept(instance: &Instance) -> Option<Formula> {
    let mut formula = clauses(instance)?;
    add_all(&mut formula.keep_order(), instance)?;
    Some(formula)
}

fn clauses(instance: &Instance) -> Option<Formula> {
    let mut formula = Formula::with_vars(instance.n_vars).with_limit(LIMIT);
    instance.clauses.iter().try_for_each(|clause| formula.add_clause(clause)).ok()?;
    Some(formula)
}

fn add_all<S: ClauseSink>(sink: &mut S, instance: &Instance) -> Option<()> {
    let (amo, card) = (AmoEncoding::Auto, CardEncoding::Auto);
    instance.cards.iter().try_for_each(|constraint| constrain(sink, constraint, &amo, &card)).ok()?;
    instance.sums.iter().try_for_each(|sum| sink.pb(&sum.terms, sum.relation, PbEncoding::Auto)).ok()
}

fn constrain<S, A, C>(sink: &mut S, constraint: &Card, amo: &A, card: &C) -> Result<(), S::Error>
where
    S: ClauseSink,
    A: AtMostOne,
    C: AtMostK,
{
    match constraint.relation {
        Relation::AtMost(1) => sink.at_most_one(&constraint.lits, amo),
        Relation::Exactly(1) => sink.exactly_one(&constraint.lits, amo),
        relation => sink.cardinality(&constraint.lits, relation, card),
    }
}

/// The default on either side; ordered, all of a [`Formula`].
fn auto_row(group: Group) -> Row {
    let encode = move |instance: &Instance, literals| match literals {
        Literals::Own => encode(instance, literals, &sorted(AmoEncoding::Auto), &sorted(CardEncoding::Auto)),
        Literals::Ordered => formula(instance)?.encode().ok(),
        Literals::Kept => kept(instance)?.encode().ok(),
    };
    Row { name: AUTO.into(), group, encode: Box::new(encode) }
}

fn card_row<E: AtMostK + Send + Sync + 'static>(name: &str, card: Choice<E>) -> Row {
    let encode = move |instance: &Instance, literals| encode(instance, literals, &sorted(AmoEncoding::Auto), &card);
    Row { name: name.into(), group: Group::AtMostK, encode: Box::new(encode) }
}

fn amo_row<E: AtMostOne + Send + Sync + 'static>(name: &str, amo: Choice<E>) -> Row {
    let encode = move |instance: &Instance, literals| encode(instance, literals, &amo, &sorted(CardEncoding::Auto));
    Row { name: name.into(), group: Group::AtMostOne, encode: Box::new(encode) }
}

/// The name of the rows of the default.
pub(crate) const AUTO: &str = "auto";

/// Ours, and rustsat's.
pub(crate) fn rows() -> Vec<Row> {
    // The generalized product of so few literals is the network.
    let ours = CardEncoding::ALL
        .iter()
        .filter(|enc| ![CardEncoding::GeneralizedProduct, CardEncoding::Auto].contains(enc))
        .map(|enc| card_row(&enc.to_string(), sorted(*enc)));
    let mut rows: Vec<Row> = std::iter::once(auto_row(Group::AtMostK)).chain(ours).collect();
    rows.push(card_row("auto, order kept", as_given(CardEncoding::Auto)));
    rows.extend(card_variants());
    rows.push(foreign_card("rustsat totalizer", rustsat_totalizer));
    rows.push(auto_row(Group::AtMostOne));
    let own = AmoEncoding::ALL.iter().filter(|enc| !matches!(enc, AmoEncoding::Auto | AmoEncoding::Card(_)));
    rows.extend(own.map(|enc| amo_row(&enc.to_string(), sorted(*enc))));
    rows.push(amo_row("auto, order kept", as_given(AmoEncoding::Auto)));
    rows.extend(amo_variants());
    rows.extend([
        foreign_amo("rustsat pairwise", rustsat_amo::<am1::Pairwise>),
        foreign_amo("rustsat ladder", rustsat_amo::<am1::Ladder>),
        foreign_amo("rustsat bitwise", rustsat_amo::<am1::Bitwise>),
        foreign_amo("rustsat product", rustsat_amo::<am1::TwoProduct>),
        foreign_amo("rustsat commander", rustsat_amo::<am1::Commander>),
        foreign_amo("rustsat bimander", rustsat_amo::<am1::Bimander>),
    ]);
    rows.extend(weighted_rows::weighted_rows());
    rows
}

fn card_variants() -> Vec<Row> {
    let totalizer = |order, full| sorted(Totalizer::default().order(order).full(full));
    let two_sided = |order| sorted(Totalizer::default().order(order).two_sided(true));
    let sequential = |form| sorted(SequentialCounter::default().form(form));
    let regular = CardinalityNetwork::default();
    vec![
        card_row("totalizer order", totalizer(true, false)),
        card_row("totalizer full", totalizer(false, true)),
        card_row("totalizer order full", totalizer(true, true)),
        card_row("totalizer two-sided", two_sided(false)),
        card_row("totalizer order two-sided", two_sided(true)),
        card_row("sequential sinz", sequential(SequentialForm::Sinz)),
        card_row("sequential full", sequential(SequentialForm::Full)),
        card_row("decision-diagram full", sorted(DecisionDiagram::default().full(true))),
        card_row("cardinality-network pure", sorted(regular.direct(false))),
        card_row("cardinality-network four-way", sorted(regular.four_way(true))),
        card_row("cardinality-network full", sorted(regular.full(true))),
        card_row("network full", sorted(Network::default().full(true))),
        card_row("network w 5", sorted(Network::default().weight(5).full(false))),
        card_row("network w 0", sorted(Network::default().weight(0).full(false))),
    ]
}

fn amo_variants() -> Vec<Row> {
    vec![
        amo_row("commander 2", sorted(Commander::default().group(2))),
        amo_row("commander 4", sorted(Commander::default().group(4))),
        amo_row("commander 5", sorted(Commander::default().group(5))),
        amo_row("commander 8", sorted(Commander::default().group(8))),
        amo_row("product leaf 4", sorted(Product::default().leaf(4))),
        amo_row("optimal weight 5", sorted(Optimal::default().weight(5))),
        amo_row("sequential", sorted(CardEncoding::Sequential)),
        amo_row("totalizer", sorted(CardEncoding::Totalizer)),
        amo_row("network", sorted(CardEncoding::Network)),
    ]
}

/// An encoder of another library: the clauses of a relation over variables 0 to n − 1, and from n on its
/// own.
pub(crate) struct Foreign<F>(F);

impl<F: Fn(Relation, usize) -> Vec<Vec<Lit>> + Send + Sync> ByRelation for Foreign<F> {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit], relation: Relation) -> Result<(), Full> {
        let mut vars = lits.to_vec();
        for clause in self.0(relation, lits.len()) {
            let clause = clause.into_iter().map(|lit| {
                while vars.len() <= lit.vidx() {
                    vars.push(to.lit());
                }
                if lit.is_neg() { !vars[lit.vidx()] } else { vars[lit.vidx()] }
            });
            let clause: Vec<Lit> = clause.collect();
            to.clause(&clause)?;
        }
        Ok(())
    }

    fn size(&self, n: usize, relation: Relation) -> Size {
        let clauses = self.0(relation, n);
        let vars = clauses.iter().flatten().map(|lit| lit.vidx() + 1).max().unwrap_or(0);
        let clauses: Size = clauses.iter().map(|clause| Size::clause(clause.len())).sum();
        clauses + Size::variables(vars.saturating_sub(n) as u64)
    }
}

/// A row about at most k for another library's encoder, which gets literals as they are given.
pub(crate) fn foreign_card<F>(name: &str, clauses: F) -> Row
where
    F: Fn(Relation, usize) -> Vec<Vec<Lit>> + Send + Sync + 'static,
{
    card_row(name, as_given(Foreign(clauses)))
}

/// A row about at most one for another library's encoder, which gets literals as they are given.
pub(crate) fn foreign_amo<F>(name: &str, clauses: F) -> Row
where
    F: Fn(Relation, usize) -> Vec<Vec<Lit>> + Send + Sync + 'static,
{
    amo_row(name, as_given(Foreign(clauses)))
}

fn rustsats(n: usize, encode: impl Fn(Vec<Lit>, &mut RustsatCnf, &mut BasicVarManager)) -> Vec<Vec<Lit>> {
    let n = u32::try_from(n).expect("few inputs");
    let mut vars = BasicVarManager::from_next_free(Var::new(n));
    let mut cnf = RustsatCnf::new();
    encode((0..n).map(Lit::positive).collect(), &mut cnf, &mut vars);
    cnf.into_iter().map(|clause| clause.into_iter().collect()).collect()
}

fn rustsat_totalizer(relation: Relation, n: usize) -> Vec<Vec<Lit>> {
    rustsats(n, |lits, cnf, vars| {
        let constraint = match relation {
            Relation::AtMost(k) => CardConstraint::new_ub(lits, k),
            Relation::AtLeast(k) => CardConstraint::new_lb(lits, k),
            Relation::Exactly(k) => CardConstraint::new_eq(lits, k),
        };
        card::encode_cardinality_constraint::<card::Totalizer, _>(constraint, cnf, vars).expect("fits");
    })
}

fn rustsat_amo<E: am1::Encode + From<Vec<Lit>>>(_: Relation, n: usize) -> Vec<Vec<Lit>> {
    rustsats(n, |lits, cnf, vars| E::from(lits).encode(cnf, vars).expect("fits"))
}
