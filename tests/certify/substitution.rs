//! Certificates of counts and sums in which equal literals are one.

use cnfkit::{
    BoolExpr, CardEncoding, CertifyError, ClauseSink, Constrain, Formula, Lit, PbEncoding, PbRelation, Relation,
};

use super::{Certificate, is_exhaustive, lot};

/// A formula by lot: literals that clauses or parities make equal or opposite, and counts and sums that are plain,
/// under a condition, and reified.
fn drawn(below: &mut impl FnMut(usize) -> usize) -> Formula {
    let n = 6 + below(5);
    let mut formula = Formula::with_vars(n + 4);
    let lit = |var: usize, is_neg: bool| Lit::new(var as u32, is_neg);
    for _ in 0..2 + below(5) {
        let (one, other) = (lit(below(n), false), lit(below(n), below(2) == 0));
        match below(16) {
            _ if one.var() == other.var() => {}
            0 | 1 => formula.parity([one, other.var().pos_lit()], other.is_neg()).unwrap(),
            2 => formula.parity([one, other, lit(n, false)], false).unwrap(),
            3 => formula.require(BoolExpr::from(one).iff(other)).unwrap(),
            4..8 => formula.add_clause(&[!one, other]).and_then(|()| formula.add_clause(&[one, !other])).unwrap(),
            _ => {}
        }
        let own: Vec<usize> = (0..n).filter(|_| below(4) > 0).collect();
        let x: Vec<Lit> = own.into_iter().map(|var| lit(var, below(3) == 0)).collect();
        if x.len() < 3 {
            continue;
        }
        let terms: Vec<(Lit, u64)> = x.iter().map(|&lit| (lit, 1 + below(5) as u64)).collect();
        let k = 1 + below(x.len() - 1);
        let sum = 1 + below(terms.iter().map(|&(_, weight)| weight as usize).sum::<usize>() - 1) as u64;
        let relation = [Relation::AtMost(k), Relation::AtLeast(k), Relation::Exactly(k)][below(3)];
        let weighted = [PbRelation::AtMost(sum), PbRelation::AtLeast(sum), PbRelation::Exactly(sum)][below(3)];
        let count = if below(2) == 0 { CardEncoding::Auto } else { CardEncoding::Totalizer };
        // Literals of the sum are conditions, too, and say it.
        let [c, r] = [below(n + 2), 4 + below(n)].map(|var| lit(var, below(2) == 0));
        match below(6) {
            0 => formula.cardinality(&x, relation, count),
            1 => formula.when([c]).cardinality(&x, relation, count),
            2 => match relation {
                Relation::AtMost(k) => formula.iff_at_most(r, &x, k, count),
                Relation::AtLeast(k) => formula.when([c]).iff_at_least(r, &x, k, count),
                Relation::Exactly(k) => formula.iff_exactly(r, &x, k, count),
            },
            3 => formula.pb(&terms, weighted, PbEncoding::Auto),
            4 => formula.when([c]).pb(&terms, weighted, PbEncoding::Auto),
            _ => match weighted {
                PbRelation::AtMost(k) => formula.pb_iff_at_most(r, &terms, k, PbEncoding::Auto),
                PbRelation::AtLeast(k) => formula.pb_iff_at_least(r, &terms, k, PbEncoding::Auto),
                PbRelation::Exactly(k) => formula.when([c]).pb_iff_exactly(r, &terms, k, PbEncoding::Auto),
            },
        }
        .unwrap();
    }
    formula
}

fn check_drawn(formulas: usize, checker: impl Fn(&Certificate) -> Result<(), String>) {
    let mut below = lot(11);
    let (mut encoded, mut refused) = (0, 0);
    for _ in 0..formulas {
        let formula = drawn(&mut below);
        let certificate = match Certificate::new(&formula) {
            Err(CertifyError::NotCovered { .. }) => {
                refused += 1;
                continue;
            }
            other => other.unwrap(),
        };
        encoded += usize::from(certificate.is_encoded);
        for certificate in [certificate, Certificate::detected(&formula).unwrap()] {
            checker(&certificate).unwrap_or_else(|error| panic!("{error}\n{}\n{}", certificate.opb, certificate.proof));
        }
    }
    println!("{encoded} of {formulas} as encoded, {refused} refused");
    assert!(3 * encoded > 2 * formulas && 100 * refused < formulas, "{encoded} of {formulas}, {refused} refused");
}

/// Counts, reified or under a condition, of literals of which some are equal or opposite: all are as encoded.
fn check_counts(checker: impl Fn(&Certificate) -> Result<(), String>) {
    for (k, how) in (1..6).flat_map(|k| (0..8).map(move |how| (k, how))) {
        let mut formula = Formula::with_vars(9);
        let x: Vec<Lit> = (0..9).map(|var| Lit::new(var, var % 4 == 1)).collect();
        for (one, other) in [(x[0], x[3]), (x[1], !x[5]), (x[3], x[6])] {
            if how % 2 == 0 {
                formula.parity([one.var().pos_lit(), other.var().pos_lit()], one.is_neg() != other.is_neg()).unwrap();
            } else {
                formula.add_clause(&[!one, other]).and_then(|()| formula.add_clause(&[!other, one])).unwrap();
            }
        }
        match how / 2 {
            0 => formula.at_most(&x[..7], k, CardEncoding::Auto),
            1 => formula.when([x[7]]).at_least(&x[..7], k, CardEncoding::Totalizer),
            2 => formula.iff_at_most(x[7], &x[..7], k, CardEncoding::Auto),
            _ => formula.when([x[8]]).iff_exactly(!x[7], &x[..7], k, CardEncoding::Auto),
        }
        .unwrap();
        let certificate = Certificate::new(&formula).unwrap();
        assert!(certificate.is_encoded, "{k} {how}");
        checker(&certificate).unwrap_or_else(|error| panic!("{k} {how}: {error}\n{}", certificate.proof));
    }
}

/// Without either of the clauses by which two literals are equal, the proof is refused.
fn check_wrong(checker: impl Fn(&Certificate) -> Result<(), String>) {
    let mut formula = Formula::with_vars(8);
    let x: Vec<Lit> = (0..8).map(Lit::positive).collect();
    formula.add_clause(&[!x[0], x[1]]).and_then(|()| formula.add_clause(&[x[0], !x[1]])).unwrap();
    formula.exactly(&x[..7], 3, CardEncoding::Totalizer).unwrap();
    let certificate = Certificate::new(&formula).unwrap();
    assert!(certificate.is_encoded);
    checker(&certificate).unwrap();
    for clause in ["+1 ~x1 +1 x2 >= 1", "+1 x1 +1 ~x2 >= 1"] {
        let [opb, clauses] =
            [&certificate.opb, &certificate.clauses].map(|text| text.replacen(clause, "+1 x8 >= 1", 1));
        assert!(opb != certificate.opb && clauses != certificate.clauses);
        let proof = certificate.proof.clone();
        assert!(checker(&Certificate { opb, proof, clauses, is_encoded: true }).is_err(), "{clause}");
    }
}

/// Answers about formulas by lot, each with the verdict on its proof.
#[cfg(any(feature = "batsat", feature = "cadical"))]
fn check_answers(checker: impl Fn(&crate::Folder, &str)) {
    let mut below = lot(12);
    for _ in 0..100 {
        let dir = crate::Folder::new("substitution");
        let answer = match drawn(&mut below).solve_certified(&dir.0, &cnfkit::Limits::none()) {
            Err(CertifyError::NotCovered { .. }) => continue,
            other => other.unwrap(),
        };
        checker(&dir, if answer.is_some() { "s VERIFIED SATISFIABLE" } else { "s VERIFIED UNSATISFIABLE" });
    }
}

#[cfg(any(feature = "batsat", feature = "cadical"))]
#[test]
fn answers_after_substitution_replay() {
    check_answers(|dir, _| {
        let [opb, proof] = dir.files().map(|file| std::fs::read_to_string(file).unwrap());
        crate::replay::replay(&opb, &proof).unwrap();
    });
}

#[cfg(any(feature = "batsat", feature = "cadical"))]
#[test]
#[ignore = "needs VeriPB, named by the environment variable VERIPB"]
fn veripb_accepts_answers_after_substitution() {
    check_answers(|dir, verdict| {
        let said = crate::veripb(&dir.files());
        assert!(said.contains(verdict), "{verdict}: {said}");
    });
}

#[test]
fn substitutions_replay() {
    check_drawn(if is_exhaustive() { 1_000 } else { 250 }, Certificate::replay);
    check_counts(Certificate::replay);
    check_wrong(Certificate::replay);
}

#[test]
#[ignore = "needs VeriPB, named by the environment variable VERIPB"]
fn veripb_accepts_substitutions() {
    check_drawn(300, Certificate::check);
    check_counts(Certificate::check);
    check_wrong(Certificate::check);
}
