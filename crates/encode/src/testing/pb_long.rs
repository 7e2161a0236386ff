//! Sums of 17 to 40 weights, of which only some assignments are looked at: what encoders do with few literals and what
//! with many may differ, and the exhaustive tests see no more than eight.

use super::pb::{dice, record, terms};
use super::{Engine, Strength};
use crate::encode::Encoding;
use crate::relation::PbRelation;

/// Literals get values one after the other, by lot, until the sum is near the bound: at each step unit propagation on
/// *at most* and *at least* derives what `expected` says, no more and no less, and on *exactly* at least what both say;
/// at the end the assignment is allowed, or not, as addition says.
pub fn check_long(enc: &dyn Encoding, expected: Strength) {
    if expected == Strength::Weak {
        return; // assignments are searched for, and long
    }
    let mut next = dice(41);
    let (mut allowed, mut refused) = (0, 0);
    for (n, most) in [(17, 50), (20, 5), (26, 2), (33, 9), (40, 3)] {
        let weights: Vec<u64> = (0..n).map(|_| next(most)).collect();
        let total: u64 = weights.iter().sum();
        for bound in [total / 2, total / 4] {
            for relation in [PbRelation::AtMost(bound), PbRelation::AtLeast(total - bound), PbRelation::Exactly(bound)]
            {
                let Some(recorder) = record(enc, &weights, relation, false) else { continue };
                let mut engine = Engine::new(&recorder);
                for _ in 0..12 {
                    let mark = engine.mark();
                    let is_allowed = walk(&mut engine, &weights, relation, expected, &mut next);
                    engine.undo(mark);
                    *(if is_allowed { &mut allowed } else { &mut refused }) += 1;
                }
            }
        }
    }
    assert!(allowed > 30 && refused > 30, "{allowed} {refused}");
}

/// True if the assignment by lot is allowed.
fn walk(
    engine: &mut Engine,
    weights: &[u64],
    relation: PbRelation,
    expected: Strength,
    next: &mut dyn FnMut(u64) -> u64,
) -> bool {
    let lits = terms(weights);
    let mut order: Vec<usize> = (0..weights.len()).collect();
    (1..order.len()).for_each(|at| order.swap(at, next(at as u64 + 1) as usize - 1));
    // Three times in four as near to the bound as it goes, and else a little beyond.
    let near = if next(4) == 1 { next(5) } else { 0 };
    let target = if relation.most().is_some() { relation.bound() + near } else { relation.bound() - near };
    let one_sided = relation.least().is_none() || relation.most().is_none();
    let (mut sum, mut open) = (0, weights.iter().sum::<u64>());
    for (step, &at) in order.iter().enumerate() {
        let (lit, weight) = lits[at];
        open -= weight;
        let fits = sum + weight <= target && (next(3) > 1 || sum + open < target);
        sum += if fits { weight } else { 0 };
        let consistent = engine.assume(if fits { lit } else { !lit });
        let is_over = |sum: u64| relation.most().is_some_and(|most| sum > most);
        let is_under = |sum: u64| relation.least().is_some_and(|least| sum < least);
        let is_broken = is_over(sum) || is_under(sum + open);
        let what = format!("{relation} of {weights:?}, step {step} of {order:?}, {sum} and {open} open");
        let is_last = step + 1 == order.len();
        if is_last || is_broken && expected <= Strength::Consistent {
            assert_eq!(consistent && engine.satisfiable(), !is_broken, "{what}");
        } else if one_sided {
            assert!(consistent || is_broken, "{what}");
        }
        if !consistent {
            return false;
        }
        for &rest in order[step + 1..].iter().filter(|_| expected == Strength::Gac && !is_broken) {
            let (lit, weight) = lits[rest];
            let implied = match () {
                () if is_over(sum + weight) => Some(false),
                () if is_under(sum + open - weight) => Some(true),
                () => None,
            };
            let found = engine.value(lit);
            assert!(found == implied || !one_sided && implied.is_none(), "{what}: {lit} is {found:?}");
        }
    }
    relation.allows(sum)
}
