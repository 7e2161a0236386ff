//! [`ClauseEstimate`]: about how many clauses a constraint takes, by the encoding of its variables; and which one it
//! gets.

use super::PostedConstraint;
use super::choice::IntEncoding;
use super::variables::Domains;
use super::writer::Needs;

/// About how many clauses sums take.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ClauseEstimate {
    /// Sums of three and more: by order literals, by bits.
    pub(super) sums: [u64; 2],
    /// Comparisons of two: by order literals, by bits.
    pub(super) pairs: [u64; 2],
}

impl std::ops::Add for ClauseEstimate {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let both = |one: [u64; 2], other: [u64; 2]| [0, 1].map(|by| one[by].saturating_add(other[by]));
        Self { sums: both(self.sums, other.sums), pairs: both(self.pairs, other.pairs) }
    }
}

/// Up to so many clauses of all sums by order literals, which propagate more, nothing else is looked for.
const MOST_SUMS: u64 = if cfg!(test) { 20 } else { 300_000 }; // brute force sees both ways
/// As many of all comparisons of two.
const MOST_PAIRS: u64 = if cfg!(test) { 20 } else { 50_000 }; // brute force sees both ways
/// Bits are taken where order literals take more than so many times the clauses.
const MARGIN: u64 = if cfg!(test) { 2 } else { 4 }; // brute force sees both ways

/// Adds what constraints need, each by the encoding that it gets. With few clauses in all, that is order; otherwise
/// sums that take several times as many clauses by order as by bits get bits, and so do comparisons, which a solver
/// with a theory watches instead. Where bits beside order cost more than they save, all is as it was.
pub(super) fn add_needs(posted: &[PostedConstraint], first: u32, domains: &Domains, needs: &mut Needs) {
    let costs: Vec<ClauseEstimate> = posted
        .iter()
        .map(|posted| match posted.choice.int {
            IntEncoding::Auto => posted.node.cost(domains, needs.has_theory),
            IntEncoding::Unary | IntEncoding::Binary => ClauseEstimate::default(),
        })
        .collect();
    let all = costs.iter().fold(ClauseEstimate::default(), |all, &cost| all + cost);
    let (many_sums, many_pairs) = (all.sums[0] > MOST_SUMS, all.pairs[0] > MOST_PAIRS);
    needs.watches_pairs = many_pairs;
    let is_costly = |cost: &ClauseEstimate| {
        let is = |is_many: bool, [order, bits]: [u64; 2]| is_many && order > MARGIN.saturating_mul(bits);
        is(many_sums, cost.sums) || is(many_pairs && !needs.has_theory, cost.pairs)
    };
    let costly: Vec<bool> = costs.iter().map(is_costly).collect();
    if costly.contains(&true) {
        let chosen = costs.iter().zip(&costly).filter(|&(_, &is)| is).map(|(&cost, _)| cost);
        let ClauseEstimate { sums, pairs } = chosen.fold(ClauseEstimate::default(), |all, cost| all + cost);
        let mut asked = needs.clone();
        asked.costly = costly;
        ask(posted, first, domains, &mut asked);
        let [order, bits] = [0, 1].map(|by| sums[by].saturating_add(pairs[by]));
        if order > (MARGIN / 2).saturating_mul(bits.saturating_add(asked.channels(domains))) {
            *needs = asked;
            return;
        }
    }
    ask(posted, first, domains, needs);
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
