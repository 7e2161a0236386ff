//! [`Optimal`]: the smallest composition of the other encodings, planned by dynamic programming, then emitted.

use std::sync::OnceLock;

use rustsat::types::Lit;

use super::bitwise::BinaryCodes;
use super::{Product, nested, pairwise};
use crate::encode::Amo;
use crate::size::Size;
use crate::writer::{Full, Writer};

/// The smallest of all compositions, by dynamic programming: the least clauses + [`weight`](Self::weight) ·
/// auxiliaries.
///
/// | | |
/// |---|---|
/// | composed of | pairwise groups, trees ([`Nested`](crate::Nested)), rectangles ([`Product`]) |
/// | | and their generalisation below, codes ([`Bimander`](crate::Bimander)) |
/// | clauses | 2n + 2√(2n) + O(∛n) as n grows |
/// | with `weight` 0 | n = 5: 9, 9: 21, 16: 42, 25: 67, 64: 160, 100: 243, 400: 891, 1000: 2145 |
/// | strength | generalised arc consistent |
/// | direction | inputs → auxiliaries; an auxiliary may be true without an input |
/// | under a condition | what enforces is at the end of the recursion: 75 of 2145 clauses are guarded at n = 1000 |
///
/// The generalised rectangle: inputs are the edges of a complete graph of b parts of almost equal size, of which a
/// rectangle is the case of two. An input makes its two end points true, at most one point of each part is true, and at
/// most two parts have one. Two points in different parts have one edge, so that no second input is left. That takes
/// about √(2n·b/(b−1)) points, where a rectangle has 2√n rows and columns; up to n = 10,000 between 3 and 11 parts are
/// best. Krapivin, Przybocki and Subercaseaux (*Near-Optimal Encodings of Cardinality Constraints*, arXiv 2603.28954,
/// 2026) state 2n + 2√(2n) + O(∛n) as reachable, and 2n + √(n+1) − 2 as a lower bound; this construction, which has
/// that order of growth, was found apart from theirs and may differ from it.
///
/// Plans are made on first use, once a weight and process: within a millisecond for n < 512, within a few for n ≤
/// 10,240. Beyond, a plan takes less than a microsecond for each constraint. It makes the smallest formula, and the
/// least to load into a solver; [`AmoEncoding::Auto`](crate::AmoEncoding) is for the fastest solving.
///
/// ```
/// use cnfkit::{AtMostOne, Optimal};
/// assert_eq!(Optimal::default().weight(0).amo_size(1000).clauses, 2145);
/// assert_eq!(Optimal::default().amo_size(1000).cost(), 2220);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Optimal {
    /// The price of an auxiliary variable, in clauses: 0 for the fewest clauses, 1 (the default) for the fewest
    /// variables and clauses together.
    pub weight: u8,
}

crate::encode::options!(Optimal { weight: u8 = 1 });

impl Amo for Optimal {
    fn encode(&self, to: &mut Writer<'_>, lits: &[Lit]) -> Result<(), Full> {
        if lits.len() > MOST {
            return Product::default().encode(to, lits);
        }
        let plans = self.plans();
        match plans.best(lits.len(), false).plan {
            OptimalMethod::Tree { leaves } => nested::tree(to, lits, None, None, leaves as usize),
            plan => OptimalEmitter { plans, to, pool: lits.to_vec() }.emit(0, lits.len(), None, plan),
        }
    }

    fn size(&self, n: usize) -> Size {
        if n > MOST { Product::default().size(n) } else { self.plans().best(n, false).size }
    }
}

/// More literals than rustsat has variables, or than plans can be reckoned for in 32 bits.
const MOST: usize = if usize::BITS < 64 { 1 << 24 } else { u32::MAX as usize };

/// Plans for fewer literals are kept, with and without an output.
const KEPT: usize = 512;

/// Plans for fewer literals are kept, without an output.
const WIDE: usize = 10_241;

/// A way to say that at most one of n literals is true and, if there is an output, that any of them implies it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OptimalMethod {
    /// Pairwise groups that auxiliaries connect to a tree; one group is pairwise.
    Tree { leaves: u32 },
    /// The last `tail` literals imply a fresh one, which takes their place.
    Peel { tail: u32 },
    /// Literals are edges between `nodes` fresh points in `parts` parts of almost equal size.
    Edges { parts: u32, nodes: u32 },
    /// Groups with a binary code each.
    Groups { groups: u32 },
}

#[derive(Clone, Copy, Debug)]
struct OptimalPlan {
    size: Size,
    plan: OptimalMethod,
}

struct Plans {
    weight: u64,
    /// By number of literals below [`KEPT`], without and with an output.
    kept: [Vec<OptimalPlan>; 2],
    /// The rest below [`WIDE`], without an output.
    wide: OnceLock<Vec<OptimalPlan>>,
}

impl Optimal {
    fn plans(self) -> &'static Plans {
        static PLANS: [OnceLock<Plans>; 256] = [const { OnceLock::new() }; 256];
        PLANS[usize::from(self.weight)].get_or_init(|| Plans::new(u64::from(self.weight)))
    }
}

impl Plans {
    fn new(weight: u64) -> Self {
        let mut plans = Self { weight, kept: [Vec::new(), Vec::new()], wide: OnceLock::new() };
        for n in 0..KEPT {
            for out in [false, true] {
                let best = plans.search(n, out);
                plans.kept[usize::from(out)].push(best);
            }
        }
        plans
    }

    fn best(&self, n: usize, out: bool) -> OptimalPlan {
        if let Some(&best) = self.kept[usize::from(out)].get(n) {
            best
        } else if !out && n < WIDE {
            self.wide.get_or_init(|| (KEPT..WIDE).map(|n| self.search(n, false)).collect())[n - KEPT]
        } else {
            self.search(n, out)
        }
    }

    /// The best plan whose parts are all smaller: below [`KEPT`], or with an output, so that no table is asked for
    /// while it is made.
    fn search(&self, n: usize, out: bool) -> OptimalPlan {
        let total = n + usize::from(out);
        let mut best = OptimalPlan { size: pairwise::size(total), plan: OptimalMethod::Tree { leaves: 1 } };
        let mut offer = |size: Size, plan: OptimalMethod| {
            if self.rank(&size) < self.rank(&best.size) {
                best = OptimalPlan { size, plan };
            }
        };
        if n < 3 {
            return best;
        }
        // A leaf of g costs g(g−1)/2 + weight and holds g − 2 literals: best at g − 2 = √(2 + 2·weight).
        let ideal = (2 + 2 * self.weight).isqrt() as usize;
        for leaves in [ideal, ideal + 1].map(|held| (total - 2).div_ceil(held)) {
            offer(nested::tree_size(total, leaves), OptimalMethod::Tree { leaves: leaves as u32 });
        }
        if n < KEPT {
            for tail in 2..n.min(5) {
                let size = self.best(tail, true).size + self.best(n - tail + 1, out).size + Size::variables(1);
                offer(size, OptimalMethod::Peel { tail: tail as u32 });
            }
        }
        // As n grows, ⁶√n parts are best.
        let most = if n < 1 << 20 { 12 } else { n.isqrt().isqrt() / 2 };
        for parts in if n < KEPT { 2 } else { 4 }..=most {
            let nodes = EqualParts::least_nodes(parts, n);
            let size = self.edges_size(n, out, EqualParts::new(nodes, parts));
            offer(size, OptimalMethod::Edges { parts: parts as u32, nodes: nodes as u32 });
        }
        // Codes take 3n clauses and more: nothing unless variables are dear.
        let widest = if self.weight > 2 { n.ilog2() } else { 0 };
        for groups in (1..=widest).map(|bits| 1 << bits) {
            if n.div_ceil(groups) >= KEPT {
                continue;
            }
            let among = EqualParts::new(n, groups);
            let links = if out { Size::clauses(n as u64, 2) } else { Size::ZERO };
            let size = BinaryCodes::new(groups, true).size(n, |shared| among.start(shared)) + links;
            offer(
                size + among.sum(|group| self.best(group, false).size),
                OptimalMethod::Groups { groups: groups as u32 },
            );
        }
        best
    }

    fn rank(&self, size: &Size) -> (u64, u64, u64) {
        (size.clauses.saturating_add(size.vars.saturating_mul(self.weight)), size.clauses, size.lits)
    }

    fn edges_size(&self, n: usize, out: bool, parts: EqualParts) -> Size {
        let points = Size::variables(parts.n as u64) + Size::clauses(2 * n as u64, 2);
        if parts.count == 2 {
            return points + self.best(parts.size(0), out).size + self.best(parts.size(1), false).size;
        }
        let links = if out { Size::clauses(parts.count as u64 - 1, 2) } else { Size::ZERO };
        points
            + parts.sum(|part| self.best(part, true).size)
            + Size::variables(parts.count as u64)
            + self.two_size(parts.count)
            + links
    }

    fn two_size(&self, n: usize) -> Size {
        let (triples, counter) = (triples_size(n), counter_size(n));
        if self.rank(&triples) <= self.rank(&counter) { triples } else { counter }
    }
}

/// `n` things in `count` parts of almost equal size, the larger first.
#[derive(Clone, Copy, Debug)]
struct EqualParts {
    n: usize,
    count: usize,
}

impl EqualParts {
    const fn new(n: usize, count: usize) -> Self {
        Self { n, count }
    }

    const fn size(self, part: usize) -> usize {
        self.n / self.count + if part < self.n % self.count { 1 } else { 0 }
    }

    /// Things in the first `part` parts.
    fn start(self, part: usize) -> usize {
        part * (self.n / self.count) + part.min(self.n % self.count)
    }

    /// The sum of `cost` over the sizes of the parts.
    fn sum(self, cost: impl Fn(usize) -> Size) -> Size {
        let (least, larger) = (self.n / self.count, self.n % self.count);
        let rest = if larger == 0 { Size::ZERO } else { cost(least + 1) * larger as u64 };
        rest + cost(least) * (self.count - larger) as u64
    }

    /// Pairs of things in different parts.
    const fn edges(self) -> usize {
        let (least, larger) = (self.n / self.count, self.n % self.count);
        (self.n * self.n - larger * (least + 1) * (least + 1) - (self.count - larger) * least * least) / 2
    }

    /// The fewest nodes in `parts` parts that have `edges` edges.
    const fn least_nodes(parts: usize, edges: usize) -> usize {
        // With parts of equal size n nodes have n²(parts − 1)/(2·parts) edges; no other sizes have more.
        let mut nodes = (2 * edges * parts / (parts - 1)).isqrt();
        while Self::new(nodes, parts).edges() < edges {
            nodes += 1;
        }
        nodes
    }
}

struct OptimalEmitter<'a, 'w> {
    plans: &'a Plans,
    to: &'a mut Writer<'w>,
    /// The inputs, then whatever stands for them on the way down.
    pool: Vec<Lit>,
}

impl OptimalEmitter<'_, '_> {
    /// At most one of `pool[from..to]`; any of them implies `out`. Leaves what is above `to` as it was.
    fn any(&mut self, from: usize, to: usize, out: Option<Lit>) -> Result<(), Full> {
        let best = self.plans.best(to - from, out.is_some());
        self.emit(from, to, out, best.plan)
    }

    /// Emits what [`any`](Self::any) says, by `plan`.
    fn emit(&mut self, from: usize, mut to: usize, out: Option<Lit>, mut plan: OptimalMethod) -> Result<(), Full> {
        loop {
            match plan {
                OptimalMethod::Tree { leaves } => {
                    return nested::tree(self.to, &self.pool[from..to], None, out, leaves as usize);
                }
                OptimalMethod::Peel { tail } => {
                    let rest = to - tail as usize;
                    let link = self.to.lit();
                    self.any(rest, to, Some(link))?;
                    self.pool[rest] = link;
                    to = rest + 1;
                    plan = self.plans.best(to - from, out.is_some()).plan;
                }
                OptimalMethod::Edges { parts, nodes } => {
                    return self.edges(from, to, out, EqualParts::new(nodes as usize, parts as usize));
                }
                OptimalMethod::Groups { groups } => return self.groups(from, to, out, groups as usize),
            }
        }
    }

    /// Fresh literals on top of the pool; the place of the first.
    fn push(&mut self, n: usize) -> usize {
        let base = self.pool.len();
        for _ in 0..n {
            self.pool.push(self.to.lit());
        }
        base
    }

    fn edges(&mut self, from: usize, to: usize, out: Option<Lit>, parts: EqualParts) -> Result<(), Full> {
        let base = self.push(parts.n);
        let (inputs, nodes) = self.pool.split_at(base);
        let mut inputs = &inputs[from..to];
        for part in 0..parts.count {
            let later = &nodes[parts.start(part + 1)..];
            for &near in &nodes[parts.start(part)..parts.start(part + 1)] {
                let here;
                (here, inputs) = inputs.split_at(inputs.len().min(later.len()));
                for (&lit, &far) in here.iter().zip(later) {
                    self.to.define(&[!lit, near])?;
                    self.to.define(&[!lit, far])?;
                }
            }
        }
        if parts.count == 2 {
            self.any(base, base + parts.start(1), out)?;
            self.any(base + parts.start(1), base + parts.n, None)?;
        } else {
            let flags = self.push(parts.count);
            for part in 0..parts.count {
                let flag = self.pool[flags + part];
                self.any(base + parts.start(part), base + parts.start(part + 1), Some(flag))?;
            }
            let flags = &self.pool[flags..flags + parts.count];
            if self.plans.two_size(parts.count).vars == 0 {
                triples(self.to, flags)?;
            } else {
                counter(self.to, flags)?;
            }
            if let Some(out) = out {
                // An edge has points in two parts: one part may stay out.
                flags[1..].iter().try_for_each(|&flag| self.to.define(&[!flag, out]))?;
            }
        }
        Ok(())
    }

    fn groups(&mut self, from: usize, to: usize, out: Option<Lit>, groups: usize) -> Result<(), Full> {
        let parts = EqualParts::new(to - from, groups);
        let codes = BinaryCodes::new(groups, true);
        let bits = codes.bits(self.to);
        for group in 0..groups {
            let (start, end) = (from + parts.start(group), from + parts.start(group + 1));
            for &lit in &self.pool[start..end] {
                codes.send(self.to, &bits, lit, group)?;
                out.map_or(Ok(()), |out| self.to.define(&[!lit, out]))?;
            }
            self.any(start, end, None)?;
        }
        Ok(())
    }
}

/// At most two of `lits`: every three forbidden.
fn triples(to: &mut Writer<'_>, lits: &[Lit]) -> Result<(), Full> {
    for (i, &first) in lits.iter().enumerate() {
        for (j, &second) in lits.iter().enumerate().skip(i + 1) {
            lits[j + 1..].iter().try_for_each(|&third| to.clause(&[!first, !second, !third]))?;
        }
    }
    Ok(())
}

const fn triples_size(n: usize) -> Size {
    Size::clauses((n * (n - 1) * (n - 2) / 6) as u64, 3)
}

/// At most two of four or more literals, by counting to two: Sinz (2005) for k = 2, without what is not needed.
fn counter(to: &mut Writer<'_>, lits: &[Lit]) -> Result<(), Full> {
    // One, or two, of the literals before the present one.
    let mut one = lits[0];
    let mut two = to.lit();
    to.define(&[!one, !lits[1], two])?;
    for at in 2..lits.len() {
        let (before, lit) = (lits[at - 1], lits[at]);
        to.clause(&[!two, !lit])?;
        if at + 1 == lits.len() {
            break;
        }
        let more = to.lit();
        to.define(&[!before, more])?;
        to.define(&[!one, more])?;
        one = more;
        let more = to.lit();
        to.define(&[!two, more])?;
        to.define(&[!one, !lit, more])?;
        two = more;
    }
    Ok(())
}

const fn counter_size(n: usize) -> Size {
    let steps = n.saturating_sub(3) as u64;
    Size { vars: 1 + 2 * steps, clauses: 2 + 5 * steps, lits: 5 + 11 * steps }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::AtMostOne;
    use crate::ClauseSink;
    use crate::testing::{Engine, Recorder, inputs};

    crate::testing::amo_suite!(fewest_clauses: Optimal { weight: 0 }, Gac);
    crate::testing::amo_suite!(smallest: Optimal::default(), Gac);
    crate::testing::amo_suite!(costly_auxiliaries: Optimal { weight: 20 }, Gac);
    crate::testing::amo_suite!(fewest_auxiliaries: Optimal { weight: u8::MAX }, Gac);

    /// The best of pairwise, splits and rectangles of any shape: (clauses, auxiliaries) by n.
    fn peers(weight: u64, most: usize) -> Vec<(u64, u64)> {
        let rank = |&(clauses, vars): &(u64, u64)| (clauses + weight * vars, clauses);
        let mut best = vec![(0, 0), (0, 0)];
        for n in 2..=most {
            let pairwise = [((n * (n - 1) / 2) as u64, 0)];
            let add = |a: (u64, u64), b: (u64, u64), clauses, vars| (a.0 + b.0 + clauses, a.1 + b.1 + vars);
            let splits = (2..n - 1).map(|i| add(best[i + 1], best[n - i + 1], 0, 1));
            let grids = (2..n).map(|rows| (rows, n.div_ceil(rows))).filter(|&(_, columns)| columns < n);
            let grids =
                grids.map(|(rows, columns)| add(best[rows], best[columns], 2 * n as u64, (rows + columns) as u64));
            let choice = pairwise.into_iter().chain(splits).chain(grids).min_by_key(rank).unwrap();
            best.push(choice);
        }
        best
    }

    #[test]
    fn never_above_splits_and_rectangles() {
        for weight in [0, 1, 2, 3, 5, 10, 20, 50, 255] {
            for (n, &(clauses, vars)) in peers(weight, 400).iter().enumerate().skip(2) {
                let size = Optimal { weight: weight as u8 }.amo_size(n);
                let cost = size.clauses + weight * size.vars;
                assert!(cost <= clauses + weight * vars, "weight {weight} at {n}: {size}, against {vars}/{clauses}");
            }
        }
    }

    #[test]
    fn clauses_of_record() {
        let clauses = |weight, n| Optimal { weight }.amo_size(n).clauses;
        // n, the best of splits and rectangles, ours.
        let rows = [
            (5, 9, 9),
            (9, 21, 21),
            (16, 42, 42),
            (25, 68, 67),
            (64, 164, 160),
            (100, 248, 243),
            (400, 908, 891),
            (1000, 2173, 2145),
            (10_000, 20_496, 20_444),
        ];
        let peers = peers(0, 1000);
        for (n, splits, ours) in rows {
            assert_eq!(clauses(0, n), ours, "at {n}");
            assert!(clauses(1, n) <= splits, "smallest at {n}");
            assert!(peers.get(n).is_none_or(|&(clauses, _)| clauses == splits), "{:?} at {n}", peers.get(n));
        }
        let dear = Optimal { weight: u8::MAX }.amo_size(1000);
        assert_eq!((dear.vars, dear.clauses), (8, 9464), "codes where auxiliaries are dear");
        for n in [6, 10, 16] {
            let plan = Optimal::default().plans().best(n, false).plan;
            assert_eq!(
                plan,
                OptimalMethod::Tree { leaves: n as u32 / 2 - 1 },
                "a balanced tree where that is smallest"
            );
        }
        for n in 7..20_000 {
            // No encoding has fewer than 2n + √(n+1) − 2 clauses.
            let above = clauses(0, n) + 2 - 2 * n as u64;
            assert!(above * above > n as u64, "below the bound at {n}");
            assert!(clauses(0, n) <= Product::default().amo_size(n).clauses, "above product at {n}");
        }
    }

    /// Every plan that could be chosen has its strength, with and without an output, and its inputs imply the output. A
    /// plan is as large wherever in the pool it starts, and leaves the rest of the pool alone.
    #[test]
    fn every_plan() {
        const BEFORE: usize = 3;
        let plans = Optimal::default().plans();
        for n in 5..=40 {
            let edges = (2..=12).map(|parts| (parts, EqualParts::least_nodes(parts, n)));
            let edges = edges.filter(|&(parts, nodes)| nodes >= parts && nodes < n);
            let choices = (1..n as u32 / 2).map(|leaves| OptimalMethod::Tree { leaves });
            let choices = choices.chain((2..5).map(|tail| OptimalMethod::Peel { tail }));
            let choices = choices.chain((2..=n as u32).map(|groups| OptimalMethod::Groups { groups }));
            let choices = choices
                .chain(edges.map(|(parts, nodes)| OptimalMethod::Edges { parts: parts as u32, nodes: nodes as u32 }));
            for (plan, with_out) in choices.flat_map(|plan| [(plan, false), (plan, true)]) {
                let pool = inputs(n + 2 * BEFORE);
                let emit = |from: usize| {
                    let mut recorder = Recorder::new(pool.len());
                    let out = with_out.then(|| recorder.new_lit());
                    let written = recorder.write_by(&mut |to| {
                        let mut emitter = OptimalEmitter { plans, to, pool: pool.clone() };
                        emitter.emit(from, from + n, out, plan)?;
                        assert_eq!(emitter.pool[from + n..pool.len()], pool[from + n..], "{plan:?} of {n}: above");
                        Ok(())
                    });
                    written.unwrap();
                    (recorder, out)
                };
                let (recorder, out) = emit(BEFORE);
                let elsewhere = emit(0).0.size(pool.len());
                assert_eq!(recorder.size(pool.len()), elsewhere, "{plan:?} of {n}, output: {with_out}");
                let mut engine = Engine::new(&recorder);
                let lits = &pool[BEFORE..BEFORE + n];
                for &lit in lits {
                    assert!(engine.assume(lit) && engine.satisfiable(), "{plan:?} of {n}: {lit} is refused");
                    let others = pool.iter().filter(|&&other| engine.value(other) == Some(false)).count();
                    assert_eq!(others, n - 1, "{plan:?} of {n}, output: {with_out}");
                    assert!(out.is_none_or(|out| engine.value(out) == Some(true)), "{plan:?} of {n}: no output");
                    engine.undo(0);
                }
                // Without an output nothing is implied, and the output does not have to be false.
                assert!(out.is_none_or(|out| engine.assume(out)) && engine.satisfiable());
                engine.undo(0);
                if let Some(out) = out {
                    assert!(engine.assume(!out) && engine.satisfiable(), "{plan:?} of {n}: an output without an input");
                    assert!(lits.iter().all(|&lit| engine.value(lit) == Some(false)), "{plan:?} of {n}: output false");
                }
            }
        }
    }

    /// On both sides of where tables end: with an output, a wider plan is needed from n = 1.5 million on.
    #[test]
    fn plans_at_the_ends_of_tables() {
        for (weight, with_out) in [0, 1, u8::MAX].into_iter().flat_map(|weight| [(weight, false), (weight, true)]) {
            let plans = Optimal { weight }.plans();
            for n in [KEPT - 1, KEPT, KEPT + 1, WIDE - 1, WIDE, WIDE + 1] {
                let what = format!("{n}, weight {weight}, output: {with_out}");
                let lits = inputs(n);
                let mut recorder = Recorder::new(n);
                let out = with_out.then(|| recorder.new_lit());
                let any = &mut |to: &mut Writer<'_>| OptimalEmitter { plans, to, pool: lits.clone() }.any(0, n, out);
                recorder.write_by(any).unwrap();
                assert_eq!(recorder.size(n + usize::from(with_out)), plans.best(n, with_out).size, "{what}");
                let mut engine = Engine::new(&recorder);
                for first in [0, n / 2, n - 1] {
                    assert!(engine.assume(lits[first]), "{first} of {what}");
                    assert!((0..n).all(|i| engine.value(lits[i]) == Some(i == first)), "{first} of {what}");
                    assert!(out.is_none_or(|out| engine.value(out) == Some(true)), "{first} of {what}");
                    engine.undo(0);
                }
            }
        }
    }

    /// 2n + 2√(2n) + O(∛n) clauses up to the most literals there can be, where a rectangle has 2n + 4√n.
    #[test]
    fn growth() {
        for n in (15..31).flat_map(|exponent| [1_usize << exponent, (1 << exponent) + 1, 3 << (exponent - 1)]) {
            let clauses = Optimal { weight: 0 }.amo_size(n).clauses;
            let twice = 2.0 * n as f64;
            assert!(clauses as f64 <= twice + 2.0 * twice.sqrt() + 8.0 * (n as f64).cbrt(), "{clauses} at {n}");
            assert!(clauses < Product::default().amo_size(n).clauses, "above product at {n}");
        }
    }

    #[test]
    fn at_most_two() {
        for n in 3..=9 {
            for (encode, predicted) in [
                (triples as fn(&mut Writer<'_>, &[Lit]) -> Result<(), Full>, triples_size(n)),
                (counter, counter_size(n)),
            ] {
                let lits = inputs(n);
                let mut recorder = Recorder::new(n);
                recorder.write_by(&mut |to| encode(to, &lits)).unwrap();
                let lits_emitted = recorder.clauses.iter().map(|clause| clause.len() as u64).sum();
                let vars = u64::from(recorder.next_var().idx32()) - n as u64;
                assert_eq!(predicted, Size { vars, clauses: recorder.clauses.len() as u64, lits: lits_emitted });
                let mut engine = Engine::new(&recorder);
                for (i, j) in (0..n).flat_map(|i| (0..i).map(move |j| (i, j))) {
                    assert!(engine.assume(lits[i]) && engine.assume(lits[j]) && engine.satisfiable());
                    let falsified = lits.iter().filter(|&&lit| engine.value(lit) == Some(false)).count();
                    assert_eq!(falsified, n - 2, "{i} and {j} of {n}");
                    engine.undo(0);
                }
            }
        }
    }

    #[test]
    fn edges() {
        for (parts, n) in (2..=12).flat_map(|parts| (1..500).map(move |n| (parts, n))) {
            let nodes = EqualParts::least_nodes(parts, n);
            assert!(EqualParts::new(nodes, parts).edges() >= n && EqualParts::new(nodes - 1, parts).edges() < n);
            let parts = EqualParts::new(nodes, parts);
            let pairs = (0..nodes).flat_map(|a| (0..a).map(move |b| (a, b)));
            let part = |node| (0..parts.count).find(|&part| node < parts.start(part + 1));
            assert_eq!(pairs.filter(|&(a, b)| part(a) != part(b)).count(), parts.edges());
        }
    }
}
