//! [`Ruler`]: numbers whose distances are all different, by the positions that they have together.
//!
//! Where x₀ < x₁ < … < xₙ₋₁ are given, and all xⱼ − xᵢ are different, it does not matter which of the numbers is where
//! (a Golomb ruler). A literal for each position says that a number is there, and two pairs of positions at the same
//! distance are not both taken. What is learnt then holds for all numbers alike. k distances one after the other are k
//! different ones, so that xᵢ₊ₖ − xᵢ ≥ k(k + 1) / 2.

use std::borrow::Cow;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Model;
use super::PostedConstraint;
use super::choice::IntEncoding;
use super::constraint::{Compare, Constraint};
use super::leaves::equation;
use super::node::ConstraintNode;
use super::rule::{Linear, ViewRule};
use super::variables::{Domains, IntVar, View};
use super::writer::{Encoder, Needs, Truth};
use cnfkit_core::CapacityError;

/// Pairs of positions at the same distance beyond which all differences stay variables.
const MOST_CLAUSES: usize = 1_000_000;

/// The differences of ascending numbers are all different.
#[derive(Debug)]
struct Ruler {
    /// Ascending.
    marks: Vec<View>,
    /// The rule that was posted: no two of the variables of the differences are equal.
    said: Arc<dyn ViewRule>,
}

impl Ruler {
    /// The least distances of marks that are not neighbours, and that marks ascend.
    fn gaps(&self) -> impl Iterator<Item = Linear> + '_ {
        let pairs = (0..self.marks.len()).flat_map(|from| (from + 1..self.marks.len()).map(move |to| (from, to)));
        pairs.map(|(from, to)| {
            let gaps = (to - from) as i64;
            Linear::of_views(&[(self.marks[from], 1), (self.marks[to], -1)], Compare::AtMost, -gaps * (gaps + 1) / 2)
        })
    }

    /// The positions that may be taken, ascending.
    fn positions(&self, domains: &Domains) -> Vec<i64> {
        let mut positions: Vec<i64> = self.marks.iter().flat_map(|&mark| domains.values(mark)).collect();
        positions.sort_unstable();
        positions.dedup();
        positions
    }

    /// True if few pairs of positions are at the same distance.
    fn is_small(&self, domains: &Domains) -> bool {
        // So many positions have more pairs at the same distance in any case.
        let sizes = self.marks.iter().map(|&mark| domains.size(mark));
        if sizes.fold(0, u64::saturating_add) > MOST_CLAUSES as u64 {
            return false;
        }
        let positions = self.positions(domains);
        if positions.len() > 1_000 {
            return false;
        }
        same_distance(&positions).values().map(|pairs| pairs.len() * (pairs.len() - 1) / 2).sum::<usize>()
            <= MOST_CLAUSES
    }
}

/// By distance, the pairs of positions that are so far from each other, by rank.
fn same_distance(positions: &[i64]) -> FxHashMap<u64, Vec<(usize, usize)>> {
    let mut found: FxHashMap<u64, Vec<(usize, usize)>> = FxHashMap::default();
    for (low, from) in positions.iter().enumerate() {
        for (high, to) in positions.iter().enumerate().skip(low + 1) {
            found.entry(from.abs_diff(*to)).or_default().push((low, high));
        }
    }
    found
}

impl ViewRule for Ruler {
    fn text(&self) -> String {
        self.said.text()
    }

    fn needs(&self, domains: &Domains, needs: &mut Needs) {
        self.gaps().for_each(|gap| gap.needs(domains, needs));
        self.marks.iter().for_each(|&mark| needs.direct(mark));
    }

    fn encode(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        encoder.output.way("no two pairs of positions at the same distance are taken");
        self.gaps().try_for_each(|gap| gap.encode(encoder))?;
        let positions = self.positions(encoder.domains());
        let mut holders: Vec<Vec<Truth>> = vec![Vec::new(); positions.len()];
        for &mark in &self.marks {
            encoder.each_value(mark, |value, has| {
                if let Ok(rank) = positions.binary_search(&value) {
                    holders[rank].push(has);
                }
            });
        }
        let mut is_taken = Vec::with_capacity(positions.len());
        for holders in holders {
            let taken = if let [one] = holders[..] { one } else { Truth::If(encoder.new_lit()) };
            if holders.len() > 1 {
                holders.iter().try_for_each(|&holder| encoder.clause([!holder, taken]))?;
                encoder.clause(holders.into_iter().chain([!taken]))?;
            }
            is_taken.push(taken);
        }
        let mut same: Vec<(u64, Vec<(usize, usize)>)> = same_distance(&positions).into_iter().collect();
        same.sort_unstable_by_key(|&(distance, _)| distance);
        for (_, pairs) in same {
            for (at, &(low, high)) in pairs.iter().enumerate() {
                for &(other, far) in &pairs[at + 1..] {
                    let [a, b, c, d] = [low, high, other, far].map(|rank| !is_taken[rank]);
                    // The end of one may be the beginning of the other.
                    if high == other { encoder.clause([a, b, d])? } else { encoder.clause([a, b, c, d])? }
                }
            }
        }
        Ok(())
    }

    fn negated(&self) -> Constraint {
        self.said.negated()
    }

    fn holds(&self, value: &dyn Fn(IntVar) -> i64) -> bool {
        self.said.holds(value)
    }
}

/// A number whose distances are looked at: a variable, or 0.
type MarkIndex = Option<u32>;

impl Model {
    /// The constraints, with [`Ruler`]s in place of differences of ascending numbers that are all different.
    pub(super) fn with_rulers(&self, domains: &Domains) -> Cow<'_, [PostedConstraint]> {
        let mut posted = Cow::Borrowed(&self.posted[..]);
        let mut known: Option<Known> = None;
        for (at, one) in self.posted.iter().enumerate() {
            let ConstraintNode::Rule(rule) = &one.node else { continue };
            let is_of_pairs = |n: usize| (4..=n).any(|marks| marks * (marks - 1) / 2 == n);
            if let Some(views) = rule.different().filter(|views| is_of_pairs(views.len()))
                && one.choice.int == IntEncoding::Auto
            {
                let known = known.get_or_insert_with(|| Known::of(&self.posted, domains));
                if let Some(marks) = known.marks(views, domains)
                    && let ruler = (Ruler { marks, said: Arc::clone(rule) })
                    && ruler.is_small(domains)
                {
                    posted.to_mut()[at].node = ConstraintNode::Rule(Arc::new(ruler));
                }
            }
        }
        posted
    }
}

/// Equations and comparisons of variables.
#[derive(Default)]
struct Known {
    /// By variable, its equations with two others: *it is the second less the first*, if it is.
    differences: FxHashMap<u32, Vec<(Option<IntVar>, Option<IntVar>)>>,
    /// The first is not greater than the second.
    ascending: FxHashSet<(u32, u32)>,
}

impl Known {
    fn of(posted: &[PostedConstraint], domains: &Domains) -> Self {
        let mut known = Self::default();
        for PostedConstraint { node, .. } in posted {
            if let Some((terms, 0)) = equation(node)
                && terms.len() == 3
                && terms.iter().all(|(_, factor)| factor.abs() == 1)
            {
                for &(var, own) in &terms {
                    let rest = || terms.iter().filter(|(other, _)| other.index != var.index);
                    let of_sign = |sign: i64| rest().find(|&&(_, factor)| factor == sign).map(|&(other, _)| other);
                    known.differences.entry(var.index).or_default().push((of_sign(own), of_sign(-own)));
                }
            }
            for (terms, bound) in node.relaxed(domains) {
                if let [(low, 1), (high, -1)] | [(high, -1), (low, 1)] = terms[..]
                    && bound <= 0
                {
                    known.ascending.insert((low.index, high.index));
                }
            }
        }
        known
    }

    /// The numbers, ascending, whose differences these variables are; `None` if they are not that.
    fn marks(&self, views: &[View], domains: &Domains) -> Option<Vec<View>> {
        let mark = |var: IntVar| (domains.of(var).value() != Some(0)).then_some(var.index);
        let mut rank: FxHashMap<MarkIndex, usize> = FxHashMap::default();
        let mut vars: FxHashMap<MarkIndex, IntVar> = FxHashMap::default();
        let mut pairs: FxHashSet<(MarkIndex, MarkIndex)> = FxHashSet::default();
        for &View { var, factor, offset } in views {
            if (factor, offset) != (1, 0) {
                return None;
            }
            // A number that is in several equations is its own difference to 0.
            let (low, high) = match self.differences.get(&var.index).map(Vec::as_slice) {
                Some(&[(Some(low), Some(high))]) => {
                    vars.insert(mark(low), low);
                    (mark(low), high)
                }
                _ => (None, var),
            };
            vars.insert(mark(high), high);
            let high = mark(high);
            if low == high || pairs.contains(&(high, low)) || !pairs.insert((low, high)) {
                return None;
            }
            *rank.entry(high).or_default() += 1;
            rank.entry(low).or_default();
        }
        let mut marks: Vec<(usize, MarkIndex)> = rank.iter().map(|(&mark, &rank)| (rank, mark)).collect();
        let n = marks.len();
        marks.sort_unstable();
        // Every two of them have a difference, and of those the same one is first.
        if n * (n - 1) / 2 != views.len() || marks.iter().enumerate().any(|(at, &(rank, _))| at != rank) {
            return None;
        }
        let views: Vec<View> = marks
            .iter()
            .map(|(_, mark)| mark.map_or(View { var: views[0].var, factor: 0, offset: 0 }, |_| View::whole(vars[mark])))
            .collect();
        let is_below = |low: usize, high: usize| {
            let is_said = marks[low].1.zip(marks[high].1).is_some_and(|pair| self.ascending.contains(&pair));
            is_said || domains.bounds(views[low]).1 <= domains.bounds(views[high]).0
        };
        // No two are equal: they would have the same difference to a third.
        if (1..n).all(|high| is_below(high - 1, high)) {
            return Some(views);
        }
        (1..n).all(|high| is_below(high, high - 1)).then(|| views.into_iter().rev().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Expr, all_different};
    use cnfkit_core::internals::{Clock, Random};

    /// Numbers that ascend, with differences that are variables or not, with bounds or not, told something or not: the
    /// least sum is that of all solutions, and most of them are rulers.
    #[test]
    fn optima_of_rulers_are_those_of_all_solutions() {
        let mut random = Random::new(11);
        let (mut rulers, mut without) = (0, 0);
        for round in 0..200 {
            let mut model = Model::new();
            let n = 4 + random.below(2);
            let most = [8, 12][n - 4];
            let marks = model.ints(n, 0..=most);
            // The first is 0, by a constraint or by the name of the difference, or any.
            let first = round % 3;
            if first > 0 {
                model.post(marks[0].eq(0));
            }
            let is_ordered = random.below(8) > 0;
            (1..n).filter(|&at| is_ordered || at > 1).for_each(|at| model.post(marks[at - 1].le(marks[at])));
            let (is_named, is_reversed, is_told) = (random.below(2) == 0, random.below(4) == 0, random.below(4) == 0);
            let mut differences: Vec<Expr> = Vec::new();
            for high in 0..n {
                for low in 0..high {
                    let (from, to) = if is_reversed { (high, low) } else { (low, high) };
                    if is_named && first == 2 && low == 0 && !is_reversed && random.below(3) > 0 {
                        differences.push(marks[high].into());
                    } else if is_named {
                        let own = model.int(if random.below(2) == 0 { -most..=most - 1 } else { -7..=7 });
                        model.post(Expr::from(own).eq(marks[to] - marks[from]));
                        differences.push(own.into());
                    } else {
                        differences.push(marks[to] - marks[from]);
                    }
                }
            }
            if is_told {
                let told = differences[random.below(differences.len())].clone();
                model.post(told.ne(random.below(5) as i64));
            }
            model.post(all_different(differences));
            let goal = marks.iter().map(|&mark| mark * (random.below(5) as i64 - 1)).fold(Expr::from(0), |a, b| a + b);
            let all: Vec<i64> = model.solutions().unwrap().map(|found| found.unwrap().value_of(goal.clone())).collect();
            let best = model.minimum(goal).unwrap().map(|best| best.value);
            assert_eq!(best, all.iter().min().copied(), "round {round}");
            assert_eq!(model.solve().unwrap().is_some(), best.is_some(), "round {round}");
            without += usize::from(best.is_none());
            if let Ok(domains) =
                Domains::new(model.domains.clone()).shrink(model.posted.iter(), &Clock::default()).unwrap()
            {
                let is_one = matches!(model.with_rulers(&domains), Cow::Owned(_));
                rulers += usize::from(is_one);
                assert!(is_ordered || first > 0 || !is_one, "round {round}");
            }
        }
        assert!(rulers > 190 && without > 10, "{rulers} {without}");
    }

    /// Differences of other pairs than all, or of one pair turned, and sums.
    #[test]
    fn other_differences_are_left_as_they_are() {
        let mut model = Model::new();
        let x = model.ints(5, 0..=20);
        (1..5).for_each(|at| model.post(x[at - 1].lt(x[at])));
        let pairs = |skip: usize| (1..5).flat_map(|high| (0..high).map(move |low| (low, high))).skip(skip);
        let one_lacks: Vec<Expr> = pairs(1).map(|(low, high)| x[high] - x[low]).collect();
        let one_is_turned: Vec<Expr> = pairs(1).map(|(low, high)| x[high] - x[low]).chain([x[0] - x[1]]).collect();
        let one_is_more: Vec<Expr> = pairs(0).map(|(low, high)| x[high] - x[low]).chain([2 * x[0] - x[1]]).collect();
        let sums: Vec<Expr> = pairs(0).map(|(low, high)| x[high] + x[low]).collect();
        for other in [one_lacks, one_is_turned, one_is_more, sums] {
            let mut model = model.clone();
            model.post(all_different(other));
            let domains = Domains::new(model.domains.clone()).shrink(model.posted.iter(), &Clock::default());
            assert!(matches!(model.with_rulers(&domains.unwrap().unwrap()), Cow::Borrowed(_)));
        }
    }
}
