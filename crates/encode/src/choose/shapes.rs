//! Plans of small sums of weights that come again: many constraints of a model differ in their literals alone.
//!
//! A plan depends on the *shape* of a sum, its weights in their order, its groups and its bound, and not on which
//! literals have them. A shape that a thread has met before is planned once more for variables 0, 1, …, as a
//! [`ClauseTemplate`], and copied from then on. What is met once costs a look-up.

use std::cell::RefCell;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use rustsat::types::Lit;

use crate::constraint::{Constraint, Terms};
use crate::encode::{Plan, Prepared};
use crate::pb::ClauseTemplate;
use crate::relation::PbRelation;
use crate::sink::ClauseSink;
use crate::size::Size;
use crate::writer::{Full, Writer};

/// Sums of more terms are not kept: their shapes hardly come again, and their plans may be large.
const MOST_TERMS: usize = 16;

/// Shapes that a thread keeps before it forgets all of them, some megabytes at most.
const MOST_SHAPES: usize = 1 << 10;

thread_local! {
    /// The shapes that were met, and the plans of those that were met again.
    static SHAPES: RefCell<FxHashMap<Box<[u64]>, Option<Arc<ClauseTemplate>>>> = RefCell::default();
}

/// A plan with literals of its own.
struct ShapedPlan {
    template: Arc<ClauseTemplate>,
    inputs: Vec<Lit>,
}

impl Prepared for ShapedPlan {
    fn size(&self) -> Size {
        self.template.size()
    }

    fn write(&self, to: &mut Writer<'_>) -> Result<(), Full> {
        self.template.copy(&self.inputs, &mut Vec::new(), to)
    }
}

/// The plan of a sum, which `plan` makes for it, or for another of the same shape.
pub(super) fn planned_by_shape(
    constraint: &Constraint<'_>,
    plan: &mut dyn FnMut(&Constraint<'_>) -> Option<Plan<'static>>,
) -> Option<Plan<'static>> {
    let (terms, relation) = constraint.weighted()?;
    if terms.len() > MOST_TERMS {
        return plan(constraint);
    }
    let shape = shape(&terms, relation);
    let inputs = || terms.all().iter().map(|&(lit, _)| lit).collect();
    let known = SHAPES.with_borrow_mut(|shapes| {
        let known = shapes.get(&shape[..]).cloned();
        if known.is_none() {
            if shapes.len() >= MOST_SHAPES {
                shapes.clear();
            }
            shapes.insert(shape[..].into(), None);
        }
        known
    });
    let template = match known {
        None => return plan(constraint),
        Some(Some(template)) => template,
        Some(None) => {
            let own: Vec<(Lit, u64)> = (0..).map(Lit::positive).zip(terms.all().iter().map(|&(_, one)| one)).collect();
            let own = Constraint::weights(Terms::of(&own, terms.ends()), relation);
            let plan = plan(&own)?;
            let mut template = ClauseTemplate::new(own.lits());
            let Ok(()) = template.write_by(&mut |to| plan.write(&own, to));
            let template = Arc::new(template);
            SHAPES.with_borrow_mut(|shapes| shapes.insert(shape[..].into(), Some(Arc::clone(&template))));
            template
        }
    };
    Some(Plan::of_terms(ShapedPlan { template, inputs: inputs() }))
}

/// All that a plan depends on.
fn shape(terms: &Terms<'_>, relation: PbRelation) -> Vec<u64> {
    let kind = match relation {
        PbRelation::AtMost(_) => 0,
        PbRelation::AtLeast(_) => 1,
        PbRelation::Exactly(_) => 2,
    };
    let head = [kind, relation.bound(), terms.len() as u64];
    let weights = terms.all().iter().map(|&(_, weight)| weight);
    head.into_iter().chain(weights).chain(terms.ends().iter().map(|&end| end as u64)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PbEncoding;
    use crate::random::Random;
    use crate::testing::Recorder;

    /// The heaviest weight of each group.
    fn heaviest(weights: &[u64], ends: &[usize]) -> Vec<u64> {
        let start = |at: usize| if at == 0 { 0 } else { ends[at - 1] };
        (0..ends.len()).filter_map(|at| weights[start(at)..ends[at]].iter().copied().max()).collect()
    }

    /// The first, the second and the third sum of a shape have the same clauses, but for their literals.
    #[test]
    fn all_sums_of_a_shape_have_the_same_clauses() {
        let mut random = Random::new(1);
        let mut large = 0;
        for round in 0..300 {
            let n = 2 + random.below(12);
            let weights: Vec<u64> = (0..n).map(|_| 1 + random.below(9) as u64).collect();
            let ends: Vec<usize> = if round % 3 == 0 { (1..n).step_by(2).chain([n]).collect() } else { Vec::new() };
            // Any may be true, and any may be false.
            let groups: Vec<u64> = if ends.is_empty() { weights.clone() } else { heaviest(&weights, &ends) };
            let (most, total) = (groups.iter().copied().max().unwrap_or(0), groups.iter().sum::<u64>());
            if total < 2 * most {
                continue;
            }
            let bound = most + random.below((total - 2 * most) as usize + 1) as u64;
            let bounds = [PbRelation::AtMost(bound), PbRelation::AtLeast(bound), PbRelation::Exactly(bound)];
            let relation = bounds[random.below(3)];
            let mut found: Vec<Vec<Vec<Lit>>> = Vec::new();
            for _ in 0..4 {
                // Any literals, which are then named by their places.
                let mut vars: Vec<u32> = (0..n as u32).collect();
                random.shuffle(&mut vars);
                let lits: Vec<Lit> = vars.iter().map(|&var| Lit::new(var, random.below(2) == 0)).collect();
                let terms: Vec<(Lit, u64)> = lits.iter().copied().zip(weights.iter().copied()).collect();
                let terms = Terms::of(&terms, &ends);
                let mut recorder = Recorder::new(n);
                let plan = crate::Encoding::plan(&PbEncoding::Auto, &Constraint::weights(terms, relation)).unwrap();
                recorder.write_by(&mut |to| plan.write(&Constraint::weights(terms, relation), to)).unwrap();
                assert_eq!(recorder.size(n), plan.size());
                let place = |lit: &Lit| {
                    let at = vars.iter().position(|&var| var == lit.vidx32());
                    at.map_or(*lit, |at| Lit::new(at as u32, lit.is_neg() != lits[at].is_neg()))
                };
                found.push(recorder.clauses.iter().map(|clause| clause.iter().map(place).collect()).collect());
            }
            large += usize::from(found[0].len() > 20);
            assert!(found.iter().all(|other| *other == found[0]), "{relation} of {weights:?} in {ends:?}: {found:?}");
        }
        assert!(large > 50, "{large}");
    }
}
