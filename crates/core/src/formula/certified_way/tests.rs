use rustsat::types::Lit;

use super::*;
use crate::certify::Lines;
use crate::constrain::Constrain;
use crate::constraint::{Constraint, Terms};
use crate::encode::Encoding;
use crate::formula::facts::ProofStage;
use crate::formula::go_on::unlimited;
use crate::relation::Relation;

/// The ways of the items of a formula, with the encodings after it.
fn ways<T>(formula: &Formula, watches: bool, then: impl FnOnce(&mut CertifiedWays<'_>, &mut Items) -> T) -> T {
    let (mut lines, go_on) = (Lines::new(Vec::new()), &mut || Ok(()));
    let mut items = unlimited(|go_on| formula.items(go_on));
    let stage = ProofStage::given(formula, None, &mut lines, go_on).unwrap();
    let facts = stage.tighten(&items, &[]).unwrap().group(&items).unwrap();
    let mut ways = CertifiedWays { formula, facts, watches, go_on: &|| true, attempts: FxHashMap::default() };
    then(&mut ways, &mut items)
}

/// A formula that keeps one constraint.
fn formula_of(constraint: &Constraint<'_>, enc: &dyn Encoding) -> Formula {
    let mut formula = Formula::with_vars(300_000);
    formula.post(constraint, enc).unwrap();
    assert_eq!(formula.constraints().len(), 1, "{constraint:?} {:?}", enc.encoding_name());
    formula
}

fn terms(n: u32) -> Vec<(Lit, u64)> {
    (0..n).map(|var| (Lit::positive(var), u64::from(var % 5) + 3)).collect()
}

/// No effort where there is no other encoding; some where the library is free, or another is the last resort.
#[test]
fn efforts() {
    let terms = terms(8);
    let lits: Vec<Lit> = terms.iter().map(|&(lit, _)| lit).collect();
    let (count, plain) = (Constraint::count(&lits, Relation::Exactly(3)), Terms::new(&terms));
    let grouped = Terms::grouped(&terms, &[2, 4, 6, 8]);
    let sum = |terms, relation| Constraint::weights(terms, relation);
    let (auto, named): (&dyn Encoding, &dyn Encoding) = (&PbEncoding::Auto, &PbEncoding::IntervalDiagram);
    for (constraint, enc, expected) in [
        (count, &CardEncoding::Auto as &dyn Encoding, true),
        (count, &CardEncoding::Totalizer, false),
        (sum(plain, PbRelation::AtMost(11)), auto, true),
        (sum(plain, PbRelation::AtMost(11)), named, false),
        (sum(plain, PbRelation::Exactly(11)), named, true),
        (sum(grouped, PbRelation::AtMost(11)), named, true),
    ] {
        let effort =
            ways(&formula_of(&constraint, enc), false, |ways, items| ways.effort(items, &items.all[0]).is_some());
        assert_eq!(effort, expected, "{constraint:?}");
    }
}

/// A count that has a derivation keeps its encoding, and the attempt is known; one that is too large for any is not
/// even written: this would take gigabytes.
#[test]
fn what_is_too_large_is_not_attempted() {
    for (n, is_attempted) in [(40, true), (300_000, false)] {
        let lits: Vec<Lit> = (0..n).map(Lit::positive).collect();
        let constraint = Constraint::count(&lits, Relation::AtMost(n as usize / 2));
        ways(&formula_of(&constraint, &CardEncoding::Auto), false, |ways, items| {
            if !is_attempted {
                ways.go_on = &|| panic!("its clauses are written");
            }
            let way = ways.way(items, 0, &mut || true);
            let totalizer = Way::new(items, &items.all[0], &mut || true).planned_size();
            assert_eq!(way.planned_size(), totalizer);
            assert_eq!(matches!(items.all[0].asked, AskedEncoding::Open(_)), is_attempted);
            assert_eq!(ways.attempts.contains_key(&0), is_attempted);
        });
    }
}

/// A solver watches long sums that are the library's, without groups, and no counts.
#[test]
fn what_is_watched() {
    let terms = terms(8);
    let lits: Vec<Lit> = terms.iter().map(|&(lit, _)| lit).collect();
    let sum = |terms| Constraint::weights(terms, PbRelation::AtMost(11));
    for (watches, constraint, enc, expected) in [
        (true, sum(Terms::new(&terms)), &PbEncoding::Auto, true),
        (false, sum(Terms::new(&terms)), &PbEncoding::Auto, false),
        (true, sum(Terms::new(&terms)), &PbEncoding::IntervalDiagram, false),
        (true, sum(Terms::new(&terms[..5])), &PbEncoding::Auto, false),
        (true, sum(Terms::grouped(&terms, &[2, 4, 6, 8])), &PbEncoding::Auto, false),
        (true, Constraint::count(&lits, Relation::AtMost(3)), &PbEncoding::Auto, false),
    ] {
        ways(&formula_of(&constraint, enc), watches, |ways, items| {
            let way = ways.way(items, 0, &mut || true);
            assert_eq!(matches!(way, Way::Watched), expected, "{constraint:?}");
        });
    }
}

/// A count whose clauses are not derived as they were planned is a totalizer, or an adder where the sums that its
/// auxiliaries stand for would be too long. Neither takes a search.
#[test]
fn other_encodings_of_counts() {
    for (n, expected) in [(100, CardEncoding::Totalizer), (3_000, CardEncoding::Adder)] {
        let lits: Vec<Lit> = (0..n).map(Lit::positive).collect();
        let constraint = Constraint::count(&lits, Relation::AtLeast(n as usize / 2));
        ways(&formula_of(&constraint, &CardEncoding::Auto), false, |ways, items| {
            let size = ways.way(items, 0, &mut || true).planned_size();
            assert_eq!(size, expected.plan(&constraint).map(|plan| plan.size()), "{expected}");
            assert!(ways.attempts.is_empty());
        });
    }
}
