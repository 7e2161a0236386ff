//! [`SumSizes`]: how many clauses sums and comparisons take, by the encoding of their variables; and which one they
//! get.
//!
//! A bound from above costs next to nothing, and settles most models. Beyond it, every sum is written by order and by
//! bits into a formula of its own, which plans it: the sizes are exact, but for conditions of several literals, and for
//! sums that a whole model implies to be the same. Sums of one shape are written once.

use rustc_hash::FxHashMap;

use super::choice::{Choice, IntEncoding};
use super::constraint::Compare;
use super::rule::{Linear, ViewRule};
use super::variables::{Domain, Domains, IntVar};
use super::writer::{Encoder, EncodingContext, EncodingOutput, Needs, ReadyLiterals, VariableCodes};
use super::{ModelError, PostedConstraint};
use cnfkit_core::internals::Clock;
use cnfkit_core::{CapacityError, ClauseSink};

/// The clauses that sums take.
#[derive(Clone, Copy, Debug, Default)]
struct SumSizes {
    /// Equations, and sums of three and more: by order literals, by bits.
    sums: [u64; 2],
    /// Comparisons of two: by order literals, by bits.
    pairs: [u64; 2],
}

impl SumSizes {
    fn add(mut self, other: Self) -> Self {
        for (own, more) in self.sums.iter_mut().zip(other.sums).chain(self.pairs.iter_mut().zip(other.pairs)) {
            *own = own.saturating_add(more);
        }
        self
    }

    fn all(self) -> [u64; 2] {
        [0, 1].map(|by| self.sums[by].saturating_add(self.pairs[by]))
    }

    /// True for sums, and for comparisons of two, where they take many clauses by order.
    const fn are_many(self) -> [bool; 2] {
        [self.sums[0] > MOST_SUMS, self.pairs[0] > MOST_PAIRS]
    }
}

/// Up to so many clauses of all sums by order literals, nothing else is looked for: `cargo run --release -p
/// cnfkit-peers -- models hand "magic squares"` has both encodings of squares of 4 to 7, to 650,000 clauses by order,
/// which takes less time than bits at every size, a tenth at 6.
const MOST_SUMS: u64 = if cfg!(test) { 20 } else { 1_000_000 }; // brute force sees both ways
/// As many of all comparisons of two: beyond, `… -- models scale "job shop"` watches them.
const MOST_PAIRS: u64 = if cfg!(test) { 20 } else { 50_000 }; // brute force sees both ways
/// Bits are taken where order literals take more than so many times the clauses, and those are many: with three times
/// order is faster (the command of [`MOST_SUMS`]).
const MARGIN: u64 = if cfg!(test) { 2 } else { 4 }; // brute force sees both ways

/// A sum as the domains of its variables, each from 0, with factors, and the number that it is compared with.
#[derive(PartialEq, Eq, Hash)]
struct SumShape {
    terms: Vec<(Domain, i64)>,
    compare: Compare,
    bound: i64,
    /// True if it is written under a condition.
    has_condition: bool,
}

impl SumShape {
    fn of(linear: &Linear, has_condition: bool, domains: &Domains) -> Self {
        let mut bound = linear.bound;
        let from_zero = |&(var, factor): &(IntVar, i64)| {
            let domain = domains.of(var);
            let (min, _) = domain.bounds();
            bound -= factor * min; // no sum is beyond 2⁶¹
            (domain.less(min), factor)
        };
        let terms = linear.terms.iter().map(from_zero).collect();
        Self { terms, compare: linear.compare, bound, has_condition }
    }

    /// The clauses of the sum, without those of its variables.
    fn clauses(&self, choice: Choice, has_theory: bool, is_costly: bool) -> Result<u64, CapacityError> {
        let vars = (0..).map(|index| IntVar { model: 0, index });
        let terms = vars.zip(&self.terms).map(|(var, &(_, factor))| (var, factor)).collect();
        let linear = Linear { terms, compare: self.compare, bound: self.bound };
        let domains = Domains::new(self.terms.iter().map(|(domain, _)| domain.clone()).collect());
        let mut needs = Needs::new(domains.len());
        (needs.has_theory, needs.is_costly, needs.costly) = (has_theory, is_costly, vec![is_costly]);
        linear.needs(&domains, &mut needs);
        needs.settle(&domains);
        let mut output = EncodingOutput::default();
        let start = ReadyLiterals { aliases: &[], choice, seed: 0, codes: VariableCodes::default() };
        let codes = start.literals(&domains, &needs, &mut output)?;
        let own = output.formula.size().clauses;
        let context = EncodingContext::of(0, choice, &needs, false);
        let condition = output.formula.new_lit();
        let mut encoder = Encoder::new(&domains, &codes, context, &mut output);
        if self.has_condition {
            encoder.under(condition, |encoder| linear.encode(encoder))?;
        } else {
            linear.encode(&mut encoder)?;
        }
        // Fewer where it fixes literals that the variables' clauses have.
        Ok(output.formula.size().clauses.saturating_sub(own))
    }
}

/// The clauses of sums, planned exactly, once for each shape.
struct PlannedSums<'a> {
    domains: &'a Domains,
    has_theory: bool,
    clock: &'a Clock,
    /// The choice of the constraints whose shapes are known.
    choice: Choice,
    known: FxHashMap<SumShape, [u64; 2]>,
}

impl PlannedSums<'_> {
    /// The clauses by order, and by bits. What is too large to be planned takes more than can be counted.
    fn sizes(&mut self, linear: &Linear, has_condition: bool, choice: Choice) -> Result<[u64; 2], ModelError> {
        if self.choice != choice {
            (self.choice, self.known) = (choice, FxHashMap::default());
        }
        let shape = SumShape::of(linear, has_condition, self.domains);
        if let Some(&known) = self.known.get(&shape) {
            return Ok(known);
        }
        self.clock.check()?;
        let by = |is_costly: bool| shape.clauses(choice, self.has_theory, is_costly).unwrap_or(u64::MAX);
        // Where they need not be written, comparisons of two never are by bits.
        let sizes = [by(false), if self.has_theory && linear.is_comparison() { 0 } else { by(true) }];
        self.known.insert(shape, sizes);
        Ok(sizes)
    }
}

/// The clauses of the sums of each constraint together, by `sizes` of each; none where the encoding was chosen.
fn sizes_of(
    posted: &[PostedConstraint],
    domains: &Domains,
    has_theory: bool,
    mut sizes: impl FnMut(&Linear, bool, Choice) -> Result<[u64; 2], ModelError>,
) -> Result<Vec<SumSizes>, ModelError> {
    let of = |posted: &PostedConstraint| {
        let mut all = SumSizes::default();
        if posted.choice.int == IntEncoding::Auto {
            posted.node.each_sum(domains, has_theory, &mut |linear, has_condition| {
                let sizes = sizes(linear, has_condition, posted.choice)?;
                let (sums, pairs) = if linear.is_comparison() { ([0; 2], sizes) } else { (sizes, [0; 2]) };
                all = all.add(SumSizes { sums, pairs });
                Ok(())
            })?;
        }
        Ok(all)
    };
    posted.iter().map(of).collect()
}

/// Adds what constraints need, each by the encoding that it gets. With few clauses in all, that is order; otherwise
/// sums that take several times as many clauses by order as by bits get bits, and so do comparisons, which a solver
/// with a theory watches instead. Where bits beside order cost more than they save, all is as it was.
///
/// # Errors
/// When the clock runs out.
pub(super) fn add_needs(
    posted: &[PostedConstraint],
    first: u32,
    domains: &Domains,
    needs: &mut Needs,
    clock: &Clock,
) -> Result<(), ModelError> {
    let has_theory = needs.has_theory;
    let together = |all: &[SumSizes]| all.iter().copied().fold(SumSizes::default(), SumSizes::add);
    let most = sizes_of(posted, domains, has_theory, |linear, _, _| Ok([linear.most_clauses(domains, has_theory), 0]))?;
    if together(&most).are_many() != [false; 2] {
        let (choice, known) = (Choice::default(), FxHashMap::default());
        let mut planned = PlannedSums { domains, has_theory, clock, choice, known };
        let sizes = sizes_of(posted, domains, has_theory, |linear, has_condition, choice| {
            planned.sizes(linear, has_condition, choice)
        })?;
        let [many_sums, many_pairs] = together(&sizes).are_many();
        needs.watches_pairs = many_pairs;
        let is_costly = |size: &SumSizes| {
            let is = |is_many: bool, [order, bits]: [u64; 2]| is_many && order > MARGIN.saturating_mul(bits);
            is(many_sums, size.sums) || is(many_pairs && !has_theory, size.pairs)
        };
        let costly: Vec<bool> = sizes.iter().map(is_costly).collect();
        if costly.contains(&true) {
            let chosen: Vec<SumSizes> = sizes.into_iter().filter(is_costly).collect();
            let [order, bits] = together(&chosen).all();
            let mut asked = needs.clone();
            asked.costly = costly;
            ask(posted, first, domains, &mut asked);
            if order > (MARGIN / 2).saturating_mul(bits.saturating_add(asked.channels(domains))) {
                *needs = asked;
                return Ok(());
            }
        }
    }
    ask(posted, first, domains, needs);
    Ok(())
}

fn ask(posted: &[PostedConstraint], first: u32, domains: &Domains, needs: &mut Needs) {
    for (at, posted) in posted.iter().enumerate() {
        needs.choice = posted.choice.int;
        needs.is_costly = needs.costly.get(at) == Some(&true);
        needs.asker = Some(first + at as u32);
        posted.node.needs(domains, needs);
    }
    (needs.asker, needs.is_costly) = (None, false);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sum that fixes literals of its variables takes clauses away; in debug builds that was a panic, in others more
    /// clauses than there can be.
    #[test]
    fn sums_that_fix_literals_take_no_clauses() {
        let domains = [Domain::from(0..=4), Domain::from(0..=1)];
        for (factor, compare) in [(-1, Compare::Equal), (1, Compare::Equal), (1, Compare::AtMost)] {
            for (has_condition, has_theory) in [(false, false), (false, true), (true, false), (true, true)] {
                let terms = domains.iter().cloned().zip([1, factor]).collect();
                let shape = SumShape { terms, compare, bound: 1, has_condition };
                for is_costly in [false, true] {
                    let clauses = shape.clauses(Choice::default(), has_theory, is_costly).unwrap();
                    assert!(clauses < 30, "{factor} {compare:?} {has_condition} {has_theory} {is_costly}: {clauses}");
                }
            }
        }
    }
}
