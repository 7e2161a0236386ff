//! Checks that each solution has one model: auxiliaries follow from the inputs, where a condition is false, too.

use rustsat::types::Lit;

use super::pb::{self, each_weights};
use super::suite::{inputs, relations};
use super::{Engine, Recorder};
use crate::constrain::Guarded;
use crate::constraint::{Constraint, Terms};
use crate::encode::Encoding;
use crate::relation::Relation;
use crate::sink::ClauseSink;

/// Checks that an encoding which says that it has [one model](Encoding::one_model) for each solution does: with counts
/// of up to 6 literals, *at most one* and *exactly one* of up to 11, and sums of up to 4 weights, also reified, always
/// under a condition that may be false.
pub fn check_one_model(enc: &dyn Encoding) {
    if enc.one_model() {
        assert_eq!(one_model_fault(enc), None);
    }
}

/// A constraint that has another number of models than of solutions by this encoding, in words; `None` if there is
/// none.
pub(crate) fn one_model_fault(enc: &dyn Encoding) -> Option<String> {
    let counts = (3..=6).flat_map(|n| (1..n).flat_map(relations).map(move |relation| (n, relation)));
    let ones = (7..=11).flat_map(|n| [Relation::AtMost(1), Relation::Exactly(1)].map(|relation| (n, relation)));
    for (n, relation) in counts.chain(ones).filter(|(n, relation)| relation.simple(*n).is_none()) {
        let lits: Vec<Lit> = inputs(n).iter().map(|lit| lit.var().lit(lit.vidx() % 3 == 1)).collect();
        let fault = fault(enc, &Constraint::count(&lits, relation), n);
        if fault.is_some() {
            return fault;
        }
    }
    let mut found = None;
    let mut look = |weights: &[u64]| {
        if found.is_some() || weights.iter().all(|weight| weight == &weights[0]) {
            return;
        }
        let terms = pb::terms(weights);
        let sum = |relation| Constraint::weights(Terms::new(&terms), relation);
        found = pb::relations(weights).into_iter().find_map(|relation| fault(enc, &sum(relation), weights.len()));
    };
    [(2, 3), (3, 3), (4, 4)].into_iter().for_each(|(n, heaviest)| each_weights(n, heaviest, &mut look));
    [&[1, 2, 2, 3, 3, 3][..], &[3, 3, 5, 5, 7, 9]].into_iter().for_each(look);
    found
}

/// The constraint under a condition, plain and reified.
fn fault(enc: &dyn Encoding, constraint: &Constraint<'_>, n: usize) -> Option<String> {
    let (cond, r) = (Lit::positive(n as u32), Lit::positive(n as u32 + 1));
    let plans = [(None, enc.plan(constraint)), (Some(r), enc.plan_iff(r, constraint))];
    for (iff, plan) in plans.into_iter().filter_map(|(iff, plan)| Some((iff, plan?))) {
        let mut recorder = Recorder::new(n + 2);
        let Ok(()) = Guarded::new(&mut recorder, &[cond]).write_by(&mut |to| plan.write(constraint, to));
        let mut engine = Engine::new(&recorder);
        let whole = Constraint { iff, ..constraint.when(std::slice::from_ref(&cond)) };
        for assignment in 0..1_u32 << (n + 2) {
            let is_true = |lit: Lit| (assignment >> lit.vidx32() & 1 == 1) == lit.is_pos();
            let mark = engine.mark();
            let can =
                (0..n as u32 + 2).map(Lit::positive).all(|lit| engine.assume(if is_true(lit) { lit } else { !lit }));
            let models = if can { extensions(&mut engine, n + 2, recorder.next_var().idx()) } else { 0 };
            engine.undo(mark);
            if models != usize::from(whole.holds(is_true)) {
                return Some(format!("{models} models for {assignment:b} of {whole:?}"));
            }
        }
    }
    None
}

/// The number of models, counted up to 2.
fn extensions(engine: &mut Engine, first: usize, n_vars: usize) -> usize {
    let Some(open) = (first..n_vars).find(|&var| engine.value(Lit::positive(var as u32)).is_none()) else {
        return usize::from(engine.satisfiable());
    };
    let mut count = 0;
    for lit in [Lit::positive(open as u32), Lit::negative(open as u32)] {
        let mark = engine.mark();
        if engine.assume(lit) {
            count += extensions(engine, open + 1, n_vars);
        }
        engine.undo(mark);
        if count > 1 {
            break;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AmoEncoding, CardEncoding, OneModel, PbEncoding};

    crate::testing::card_suite!(counts: OneModel, Gac);
    crate::testing::amo_suite!(ones: OneModel, Gac);

    /// Long sums of weights without structure are added in binary, which is not arc consistent.
    #[test]
    fn sums() {
        pb::check_assignments(&OneModel);
        pb::check_conditions(&OneModel);
        pb::check_strength(&OneModel, crate::testing::Strength::Gac);
        pb::check_sizes(&OneModel);
        crate::testing::groups::check_groups(&OneModel);
        check_one_model(&OneModel);
    }

    /// Encodings of the library say that they have one model if and only if they do.
    #[test]
    fn names_say_what_they_have() {
        let mut all: Vec<(String, &dyn Encoding)> = Vec::new();
        all.extend(AmoEncoding::ALL.iter().map(|enc| (enc.to_string(), enc as &dyn Encoding)));
        all.extend(CardEncoding::ALL.iter().map(|enc| (enc.to_string(), enc as &dyn Encoding)));
        all.extend(PbEncoding::ALL.iter().map(|enc| (enc.to_string(), enc as &dyn Encoding)));
        for (name, enc) in &all {
            let fault = one_model_fault(*enc);
            assert_eq!(enc.one_model(), fault.is_none(), "{name}: {fault:?}");
        }
        let have: Vec<&str> = all.iter().filter(|(_, enc)| enc.one_model()).map(|(name, _)| name.as_str()).collect();
        assert_eq!(have, ["pairwise", "card:combinatorial", "combinatorial"]);
    }
}
