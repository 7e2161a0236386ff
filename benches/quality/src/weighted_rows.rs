//! Encodings of sums of weights under one signature: ours, and by [`foreign`] any other library's.

use cnfkit::{AmoEncoding, CardEncoding, ClauseSink, Cnf, Constrain, Encoding, Lit, PbEncoding, PbRelation};

use super::families::Sum;
use super::rows::{AUTO, Group, Literals, Row, encode_all, formula, kept, sorted};

/// How a row gets the terms of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Terms {
    /// As the row says: sorted by variable, or as they are given.
    Own,
    /// In an order that is to be kept.
    InOrder,
}

/// Adds a sum by an encoding of ours; `None` where it would be too large.
pub(crate) fn add<E: Encoding>(cnf: &mut Cnf, sum: &Sum, terms: Terms, enc: &E) -> Option<()> {
    match terms {
        Terms::Own => cnf.pb(&sum.terms, sum.relation, enc).ok(),
        Terms::InOrder => cnf.keep_order().pb(&sum.terms, sum.relation, enc).ok(),
    }
}

fn row(name: &str, add: impl Fn(&mut Cnf, &Sum, Terms) -> Option<()> + Send + Sync + 'static) -> Row {
    let encode = move |instance: &_, literals| {
        encode_all(instance, literals, &sorted(AmoEncoding::Auto), &sorted(CardEncoding::Auto), &add)
    };
    Row { name: name.into(), group: Group::Weights, encode: Box::new(encode) }
}

/// The default; ordered, all of a formula.
fn auto_row() -> Row {
    let by_auto = row(AUTO, |cnf, sum, terms| add(cnf, sum, terms, &PbEncoding::Auto));
    let encode = move |instance: &_, literals| match literals {
        Literals::Own => (by_auto.encode)(instance, literals),
        Literals::Ordered => formula(instance)?.encode().ok(),
        Literals::Kept => kept(instance)?.encode().ok(),
    };
    Row { name: AUTO.into(), group: Group::Weights, encode: Box::new(encode) }
}

/// Ours.
pub(crate) fn weighted_rows() -> Vec<Row> {
    let named = PbEncoding::ALL.iter().filter(|enc| **enc != PbEncoding::Auto);
    let named = named.map(|&enc| row(&enc.to_string(), move |cnf, sum, terms| add(cnf, sum, terms, &enc)));
    std::iter::once(auto_row()).chain(named).collect()
}

/// A row for another library's encoder, which gets terms as they are given: the clauses of a relation on a sum of
/// weights, over variables 0 to n − 1, and from n on its own; `None` where they would be too many.
#[allow(dead_code)] // of the example, that has none
pub(crate) fn foreign<F>(name: &str, clauses: F) -> Row
where
    F: Fn(PbRelation, &[u64]) -> Option<Vec<Vec<Lit>>> + Send + Sync + 'static,
{
    row(name, move |cnf, sum, _| {
        let weights: Vec<u64> = sum.terms.iter().map(|&(_, weight)| weight).collect();
        let mut vars: Vec<Lit> = sum.terms.iter().map(|&(lit, _)| lit).collect();
        for clause in clauses(sum.relation, &weights)? {
            let clause = clause.into_iter().map(|lit| {
                while vars.len() <= lit.vidx() {
                    vars.push(cnf.new_lit());
                }
                if lit.is_neg() { !vars[lit.vidx()] } else { vars[lit.vidx()] }
            });
            let clause: Vec<Lit> = clause.collect();
            cnf.add_clause(&clause).ok()?;
        }
        Some(())
    })
}
