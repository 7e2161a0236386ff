use super::*;
use crate::choose::{AmoEncoding, CardEncoding, PbEncoding};
use crate::constrain::Constrain;
use crate::formula::go_on::unlimited;
use crate::formula::parities::ParityRows;
use crate::formula::substitute::EqualLits;
use crate::relation::PbRelation;
use crate::sink::ClauseSink;

fn lits(of: &[i32]) -> Vec<Lit> {
    of.iter().map(|&lit| Lit::new(lit.unsigned_abs() - 1, lit < 0)).collect()
}

/// The facts about a formula that was given as it is, and the lines of the proof that derive them.
fn facts(formula: &Formula) -> (Facts<'_>, Vec<String>) {
    let (mut text, mut steps) = (Vec::new(), Vec::new());
    let mut lines = Lines::new(&mut text);
    let items = unlimited(|go_on| {
        let kept = (&formula.kept, ParityRows::as_given(&formula.kept));
        formula.items_by(Some(&mut steps), kept, EqualLits::default(), go_on)
    });
    let go_on: &mut TryGoOn<'_, CertifyError> = &mut || Ok(());
    let stage = ProofStage::given(formula, None, &mut lines, go_on).unwrap();
    let facts = stage.tighten(&items, &steps).unwrap().group(&items).unwrap();
    lines.finish().unwrap();
    let text = String::from_utf8(text).unwrap();
    (facts, text.lines().skip(2).map(str::to_owned).collect())
}

/// The facts about one item: the literals, the least number of true ones, and the line.
fn derived(facts: &Facts<'_>, from: u32) -> Vec<(Vec<Lit>, i64, Id)> {
    let of = facts.derived.get(&from).into_iter().flatten();
    of.map(|fact| (fact.lits.clone(), fact.least, fact.id)).collect()
}

/// Of all constraints that make an item the best line of each side is taken, also where the literals are negated.
#[test]
fn the_best_line_of_a_side_is_the_bound() {
    let mut formula = Formula::with_vars(6);
    let x = lits(&[1, 2, 3, 4, 5, 6]);
    let negated: Vec<Lit> = x.iter().map(|&lit| !lit).collect();
    formula.add_clause(&x[..2]).unwrap();
    formula.at_most(&x, 4, CardEncoding::Auto).unwrap(); // line 2
    formula.at_least(&negated, 4, CardEncoding::Auto).unwrap(); // line 3: at most 2
    formula.at_most(&x, 3, CardEncoding::Auto).unwrap(); // line 4
    formula.at_least(&x, 2, CardEncoding::Auto).unwrap(); // line 5
    let (facts, lines) = facts(&formula);
    assert!(lines.is_empty(), "{lines:?}");
    let bound = |is_clause, number, is_upper| {
        let fact = facts.items.said(Premise { is_clause, number, is_upper })?;
        Some((fact.lits, fact.least, fact.id))
    };
    assert_eq!(bound(false, 0, true), Some((negated, 4, 3)));
    assert_eq!(bound(false, 0, false), Some((x.clone(), 2, 5)));
    assert_eq!(bound(true, 0, false), Some((x[..2].to_vec(), 1, 1)));
    assert_eq!(bound(true, 0, true), None, "a clause has no upper bound");
}

/// Each bound of three pigeons in three holes is 1 of both sides after double counting: the slack is 0.
#[test]
fn tightened_bounds_are_sums_of_all_others() {
    let mut formula = Formula::with_vars(9);
    let x = |row: u32, column: u32| Lit::positive(3 * row + column);
    for row in 0..3 {
        let row: Vec<Lit> = (0..3).map(|column| x(row, column)).collect();
        formula.exactly_one(&row, AmoEncoding::Auto).unwrap(); // lines 1, 2; 3, 4; 5, 6
    }
    let columns = (0..3).map(|column| (0..3).map(|row| x(row, column)).collect());
    let columns: Vec<Vec<Lit>> = columns.collect();
    columns.iter().for_each(|column| formula.at_most_one(column, AmoEncoding::Auto).unwrap()); // lines 7, 8, 9
    let (facts, lines) = facts(&formula);
    // The halves that begin with the first column and with the other two share what they take from all rows.
    for (at, column) in columns.iter().enumerate() {
        let of = derived(&facts, 3 + at as u32);
        assert!(matches!(&of[..], [(lits, 1, id)] if lits == column && *id > 9), "{of:?} {lines:?}");
    }
    assert!((0..3).all(|row| derived(&facts, row).is_empty()), "rows were exact");
    assert_eq!(facts.last, 9 + lines.len() as Id);
    assert!(lines.iter().all(|line| line.starts_with("pol ")), "{lines:?}");
}

/// Groups are derived from a constraint whose other literals are left out, from clauses of two literals, and where
/// neither says so there is no line.
#[test]
fn groups_are_derived_from_what_says_so() {
    let sum = |formula: &mut Formula, ends: &[usize]| {
        let terms: Vec<(Lit, u64)> = (0..4).map(|var| (Lit::positive(var), u64::from(var) + 2)).collect();
        let constraint = Constraint::weights(crate::constraint::Terms::grouped(&terms, ends), PbRelation::AtMost(6));
        formula.post(&constraint, &PbEncoding::Auto).unwrap();
    };
    let group = || vec![(lits(&[-1, -2, -3]), 2)];
    let of = |formula: &Formula, from| {
        let (facts, lines) = facts(formula);
        let of: Vec<_> = derived(&facts, from).into_iter().map(|(lits, least, _)| (lits, least)).collect();
        (of, lines)
    };

    let mut formula = Formula::with_vars(9);
    formula.at_most_one(&lits(&[1, 2, 3, 7]), AmoEncoding::Auto).unwrap(); // line 1
    sum(&mut formula, &[3, 4]);
    assert_eq!(of(&formula, 1), (group(), vec!["pol 1 x7 w;".to_owned()]));

    let mut formula = Formula::with_vars(9);
    for pair in [[-1, -2], [-2, -3], [4, 5], [-3, -1]] {
        formula.add_clause(&lits(&pair)).unwrap(); // lines 1, 2 and 4
    }
    sum(&mut formula, &[3, 4]);
    assert_eq!(of(&formula, 0), (group(), vec!["pol 1 1 * 4 + 2 + 2 d;".to_owned()]));

    let mut formula = Formula::with_vars(9);
    formula.add_clause(&lits(&[-1, -2])).unwrap();
    formula.add_clause(&lits(&[-2, -3])).unwrap();
    sum(&mut formula, &[3, 4]);
    assert_eq!(of(&formula, 0), (Vec::new(), Vec::new()), "nothing says that not both 1 and 3 are true");
}

/// A clause that detection replaced is no clause of the formula; a constraint that it found is a line behind all.
#[test]
fn lines_of_what_was_detected() {
    let mut given = Formula::with_vars(8);
    given.add_clause(&lits(&[7, 8])).unwrap();
    let x = lits(&[1, 2, 3, 4, 5, 6]);
    for (at, &one) in x.iter().enumerate() {
        x[..at].iter().for_each(|&other| given.add_clause(&[!one, !other]).unwrap());
    }
    given.add_clause(&lits(&[-7, -8, 1])).unwrap();
    let detected = given.detect();
    let formula = detected.formula();
    assert_eq!((formula.n_clauses(), formula.constraints().len()), (2, 1));
    let (mut lines, go_on) = (Lines::new(Vec::new()), &mut || Ok(()));
    let stage = ProofStage::given(&given, None, &mut lines, go_on).unwrap().detect(&formula, &detected).unwrap();
    assert_eq!((stage.known.inputs, &stage.known.clauses[..], &stage.known.before[..]), (17, &[1, 17][..], &[17][..]));
    let items = unlimited(|go_on| formula.items(go_on));
    let facts = stage.tighten(&items, &[]).unwrap().group(&items).unwrap();
    assert!(facts.beside_clauses().eq((2..17).chain([18])), "the pairs, and the sum of them");
    let said = facts.items.said(Premise { is_clause: false, number: 0, is_upper: true }).unwrap();
    assert_eq!((said.least, said.id), (5, 18));
}

/// An error ends each stage.
#[test]
fn stages_end_when_asked() {
    let mut formula = Formula::with_vars(4);
    formula.exactly_one(&lits(&[1, 2]), AmoEncoding::Auto).unwrap();
    let steps = [CountingStep { from: Vec::new(), of: Vec::new() }];
    let items = unlimited(|go_on| formula.items(go_on));
    let (mut lines, go_on) = (Lines::new(Vec::new()), &mut || Err(CertifyError::cancelled(())));
    let stage = ProofStage::given(&formula, None, &mut lines, go_on).unwrap();
    assert!(matches!(stage.tighten(&items, &steps), Err(CertifyError::Interrupted(_))));
}
