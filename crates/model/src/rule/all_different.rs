//! *All different*: no two expressions have the same value.
//!
//! For each value, at most one expression has it; where there are as many values as expressions, exactly one has it.
//!
//! Before that, values that no solution has are found by matching (Régin, *A Filtering Algorithm for Constraints of
//! Difference in CSPs*, AAAI 1994, pp. 362–367): expressions and values are the two sides of a graph. A solution is a
//! matching that covers all expressions. With one in hand, a value that is not matched to an expression can be if and
//! only if the edge is on an alternating cycle, or on an alternating path from a value that is free. That finds every
//! Hall set: so many expressions that share so many values.

use std::cmp::Ordering;

use super::{Domains, Empty, Encoder, Linear, Needs, ViewRule};
use crate::choice::IntEncoding;
use crate::constraint::{Compare, Constraint, all, any};
use crate::variables::{Domain, Expr, IntVar, View};
use crate::writer::Truth;
use cnfkit_core::internals::sort;
use cnfkit_core::{CapacityError, Relation};

/// No two of the expressions have the same value: MiniZinc's `all_different`.
///
/// ```
/// use cnfkit::model::{Model, all_different};
/// let mut model = Model::new();
/// let queens = model.ints(8, 0..=7); // the row of the queen in each column
/// model.post(all_different(&queens));
/// model.post(all_different((0..).zip(&queens).map(|(column, &row)| row + column)));
/// model.post(all_different((0..).zip(&queens).map(|(column, &row)| row - column)));
/// assert_eq!(model.count(100)?, 92);
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
#[doc(alias = "alldifferent")]
pub fn all_different<E: Into<Expr>>(exprs: impl IntoIterator<Item = E>) -> Constraint {
    all_different_except(exprs, Domain::EMPTY)
}

/// No two of the expressions have the same value, unless it is one of the exceptions: MiniZinc's
/// `all_different_except`, and `all_different_except_0`.
///
/// ```
/// use cnfkit::model::{Model, all_different_except};
/// let mut model = Model::new();
/// let x = model.ints(3, 0..=2);
/// model.post(all_different_except(&x, [0]));
/// assert_eq!(model.count(100)?, 1 + 3 * 2 + 6); // none, one or two of 1 and 2
/// # Ok::<(), cnfkit::model::ModelError>(())
/// ```
#[doc(alias = "all_different_except_0")]
pub fn all_different_except<E: Into<Expr>>(
    exprs: impl IntoIterator<Item = E>,
    exceptions: impl Into<Domain>,
) -> Constraint {
    let exceptions = exceptions.into();
    Constraint::rule(exprs.into_iter().map(Into::into).collect(), move |views| AllDifferent { views, exceptions })
}

#[derive(Debug)]
struct AllDifferent {
    views: Vec<View>,
    exceptions: Domain,
}

/// Graphs with more edges than this are not matched: values that are taken are all that is ruled out there.
const MOST_EDGES: u64 = 200_000;
/// Beyond so many values of all expressions together, they are compared two at a time.
const MOST_VALUES: u64 = 1_000_000;

impl ViewRule for AllDifferent {
    fn text(&self) -> String {
        if self.exceptions.is_empty() {
            return super::call("all_different", &self.views);
        }
        format!("all_different_except({}, {})", super::list(&self.views), self.exceptions)
    }

    fn variables(&self, found: &mut Vec<IntVar>) {
        super::variables_of(&self.views, found);
    }

    fn shrink(&self, domains: &mut Domains) -> Result<(), Empty> {
        self.taken(domains)?;
        if !self.exceptions.is_empty() {
            return Ok(());
        }
        // No other expression has the value of one that is settled.
        let open: Vec<View> = self.views.iter().copied().filter(|&view| domains.value(view).is_none()).collect();
        let mut sizes: Vec<u64> = open.iter().map(|&view| domains.size(view)).collect();
        sizes.sort_unstable();
        if is_roomy(&sizes) || sizes.iter().copied().fold(0, u64::saturating_add) > MOST_EDGES {
            return Ok(());
        }
        let graph = ValueGraph::new(&open, domains);
        let Some(matching) = graph.matching() else { return Err(Empty) };
        let lost = graph.lost(&matching);
        for (at, value) in lost {
            domains.remove(open[at], value)?;
        }
        Ok(())
    }

    fn different(&self) -> Option<&[View]> {
        self.exceptions.is_empty().then_some(&self.views)
    }

    fn needs(&self, domains: &Domains, needs: &mut Needs) {
        if self.is_wide(domains, needs.choice) {
            return self.pairs().for_each(|pair| pair.needs(domains, needs));
        }
        self.views.iter().for_each(|&view| needs.direct(view));
    }

    fn encode(&self, encoder: &mut Encoder<'_>) -> Result<(), CapacityError> {
        if self.is_wide(encoder.domains(), encoder.context().choice.int) {
            encoder.output.way("compared two at a time: domains are large");
            return self.pairs().try_for_each(|pair| pair.encode(encoder));
        }
        encoder.output.way("each value once at most");
        let domains = encoder.domains();
        let room = self.views.iter().map(|&view| domains.size(view) as usize).sum();
        let mut holders: Vec<(i64, Truth)> = Vec::with_capacity(room);
        for &view in &self.views {
            encoder.each_value(view, |value, has| holders.push((value, has)));
        }
        if !self.exceptions.is_empty() {
            holders.retain(|&(value, _)| !self.exceptions.contains(value));
        }
        let holders = by_value(holders);
        let values = holders.chunk_by(|a, b| a.0 == b.0).count();
        let relation = match values.cmp(&self.views.len()) {
            _ if !self.exceptions.is_empty() => Relation::AtMost(1),
            Ordering::Less => return encoder.clause([]),
            Ordering::Equal => Relation::Exactly(1),
            Ordering::Greater => Relation::AtMost(1),
        };
        for group in holders.chunk_by(|a, b| a.0 == b.0) {
            encoder.cardinality(group.iter().map(|&(_, has)| has), relation)?;
        }
        Ok(())
    }

    fn negated(&self) -> Constraint {
        let pairs =
            self.views.iter().enumerate().flat_map(|(at, one)| {
                self.views[at + 1..].iter().map(move |other| (Expr::from(*one), Expr::from(*other)))
            });
        any(pairs.map(|(one, other)| {
            let outside = self
                .exceptions
                .ranges()
                .map(|(from, to)| if from == to { one.ne(from) } else { one.lt(from).or(one.gt(to)) });
            let outside: Vec<Constraint> = outside.collect();
            one.eq(other).and(all(outside))
        }))
    }

    fn holds(&self, value: &dyn Fn(IntVar) -> i64) -> bool {
        let mut values: Vec<i64> = self.views.iter().map(|view| view.of(value)).collect();
        values.sort_unstable();
        values.windows(2).all(|pair| pair[0] != pair[1] || self.exceptions.contains(pair[0]))
    }
}

impl AllDifferent {
    /// True if the expressions are compared as numbers, two at a time, and not value by value.
    fn is_wide(&self, domains: &Domains, choice: IntEncoding) -> bool {
        let sizes = self.views.iter().map(|&view| domains.size(view));
        self.exceptions.is_empty()
            && match choice {
                IntEncoding::Unary => false,
                IntEncoding::Binary => true,
                IntEncoding::Auto => sizes.fold(0, u64::saturating_add) > MOST_VALUES,
            }
    }

    fn pairs(&self) -> impl Iterator<Item = Linear> + '_ {
        self.views.iter().enumerate().flat_map(|(at, &one)| {
            let others = self.views[at + 1..].iter();
            others.map(move |&other| Linear::of_views(&[(one, 1), (other, -1)], Compare::Unequal, 0))
        })
    }

    /// Takes values that some expression has from all others.
    fn taken(&self, domains: &mut Domains) -> Result<(), Empty> {
        let mut fixed: Vec<usize> =
            (0..self.views.len()).filter(|&at| domains.value(self.views[at]).is_some()).collect();
        let mut done = vec![false; self.views.len()];
        while let Some(at) = fixed.pop() {
            if std::mem::replace(&mut done[at], true) {
                continue;
            }
            let Some(value) = domains.value(self.views[at]) else { continue };
            if self.exceptions.contains(value) {
                continue;
            }
            for (other, &view) in self.views.iter().enumerate().filter(|&(other, _)| other != at) {
                domains.remove(view, value)?;
                if !done[other] && domains.value(view).is_some() {
                    fixed.push(other);
                }
            }
        }
        Ok(())
    }
}

/// Sorts by value, stably: by counting where values are dense.
fn by_value(mut holders: Vec<(i64, Truth)>) -> Vec<(i64, Truth)> {
    let (Some(min), Some(max)) = (holders.iter().map(|one| one.0).min(), holders.iter().map(|one| one.0).max()) else {
        return holders;
    };
    if max.abs_diff(min) > 2 * holders.len() as u64 {
        sort::by(&mut holders, |one, other| one.0.cmp(&other.0));
        return holders;
    }
    let place = |value: i64| value.abs_diff(min) as usize;
    let mut ends = vec![0; place(max) + 1];
    holders.iter().for_each(|&(value, _)| ends[place(value)] += 1);
    let mut end = 0;
    for own in &mut ends {
        end += *own;
        *own = end;
    }
    let mut sorted = vec![(0, Truth::Known(false)); holders.len()];
    for &(value, has) in holders.iter().rev() {
        let end: &mut usize = &mut ends[place(value)];
        *end -= 1;
        sorted[*end] = (value, has);
    }
    sorted
}

/// True if every value is in some matching because there are so many of them, by the sorted numbers of values of the
/// expressions: one has any value of its own, and then each of the others, the one with the fewest first, still has a
/// value that was not taken.
fn is_roomy(sizes: &[u64]) -> bool {
    let others = sizes.len().saturating_sub(1);
    sizes[..others].iter().zip(2..).all(|(&size, least)| size >= least)
}

/// Expressions and the values that they may have.
struct ValueGraph {
    /// All values, ascending.
    values: Vec<i64>,
    /// The values of each expression, by position.
    edges: Vec<Vec<u32>>,
}

impl ValueGraph {
    fn new(views: &[View], domains: &Domains) -> Self {
        let of_each: Vec<Vec<i64>> = views.iter().map(|&view| domains.values(view)).collect();
        let mut values: Vec<i64> = of_each.iter().flatten().copied().collect();
        values.sort_unstable();
        values.dedup();
        let position = |value: i64| values.partition_point(|&other| other < value) as u32;
        let edges = of_each.iter().map(|own| own.iter().map(|&value| position(value)).collect()).collect();
        Self { values, edges }
    }

    /// A value for each expression, all different; `None` if there is no such choice.
    fn matching(&self) -> Option<Vec<u32>> {
        let mut of_value: Vec<Option<u32>> = vec![None; self.values.len()];
        let mut of_expr: Vec<Option<u32>> = vec![None; self.edges.len()];
        // The expression that a value was reached from, in the search that is numbered so.
        let mut reached: Vec<(u32, u32)> = vec![(u32::MAX, 0); self.values.len()];
        for start in 0..self.edges.len() as u32 {
            let mut queue = vec![start];
            let mut at = 0;
            let mut free = None;
            while let Some(&expr) = queue.get(at).filter(|_| free.is_none()) {
                at += 1;
                for &value in &self.edges[expr as usize] {
                    if reached[value as usize].0 == start {
                        continue;
                    }
                    reached[value as usize] = (start, expr);
                    match of_value[value as usize] {
                        None => {
                            free = Some(value);
                            break;
                        }
                        Some(holder) => queue.push(holder),
                    }
                }
            }
            let mut value = free?;
            loop {
                let expr = reached[value as usize].1;
                of_value[value as usize] = Some(expr);
                match of_expr[expr as usize].replace(value) {
                    None => break,
                    Some(before) => value = before,
                }
            }
        }
        of_expr.into_iter().collect()
    }

    /// Expressions and values of theirs that are in no matching.
    fn lost(&self, matching: &[u32]) -> Vec<(usize, i64)> {
        let mut holder: Vec<Option<u32>> = vec![None; self.values.len()];
        for (expr, &value) in matching.iter().enumerate() {
            holder[value as usize] = Some(expr as u32);
        }
        let exprs_of = self.exprs_of_values();
        // From free values along alternating paths: value, expression that may have it, value that this one has.
        let mut is_loose = vec![false; self.values.len()];
        let mut stack: Vec<u32> =
            (0..self.values.len() as u32).filter(|&value| holder[value as usize].is_none()).collect();
        stack.iter().for_each(|&value| is_loose[value as usize] = true);
        while let Some(value) = stack.pop() {
            for &expr in &exprs_of[value as usize] {
                let held = matching[expr as usize];
                if !std::mem::replace(&mut is_loose[held as usize], true) {
                    stack.push(held);
                }
            }
        }
        let component = self.components(matching, &holder);
        let mut lost = Vec::new();
        for (expr, values) in self.edges.iter().enumerate() {
            let held = matching[expr];
            for &value in values {
                let possible =
                    value == held || is_loose[value as usize] || component[value as usize] == component[held as usize];
                if !possible {
                    lost.push((expr, self.values[value as usize]));
                }
            }
        }
        lost
    }

    fn exprs_of_values(&self) -> Vec<Vec<u32>> {
        let mut found = vec![Vec::new(); self.values.len()];
        for (expr, values) in self.edges.iter().enumerate() {
            values.iter().for_each(|&value| found[value as usize].push(expr as u32));
        }
        found
    }

    /// The strongly connected components of values, where one leads to another that its holder may have: Tarjan's
    /// algorithm without recursion. Values that nobody holds are components of their own.
    fn components(&self, matching: &[u32], holder: &[Option<u32>]) -> Vec<u32> {
        const NEW: u32 = u32::MAX;
        let n = self.values.len();
        let (mut index, mut low, mut component) = (vec![NEW; n], vec![0; n], vec![NEW; n]);
        let (mut counter, mut components) = (0, 0);
        let mut open: Vec<u32> = Vec::new();
        let mut path: Vec<(u32, usize)> = Vec::new();
        let next =
            |value: u32, at: usize| -> Option<u32> { self.edges[holder[value as usize]? as usize].get(at).copied() };
        for &root in matching {
            if index[root as usize] != NEW {
                continue;
            }
            path.push((root, 0));
            while let Some(&mut (value, ref mut at)) = path.last_mut() {
                let here = value as usize;
                if *at == 0 {
                    index[here] = counter;
                    low[here] = counter;
                    counter += 1;
                    open.push(value);
                }
                let to = next(value, *at);
                *at += 1;
                match to {
                    Some(to) if index[to as usize] == NEW => path.push((to, 0)),
                    Some(to) if component[to as usize] == NEW => low[here] = low[here].min(index[to as usize]),
                    Some(_) => {}
                    None => {
                        path.pop();
                        if let Some(&(before, _)) = path.last() {
                            low[before as usize] = low[before as usize].min(low[here]);
                        }
                        if low[here] == index[here] {
                            while let Some(member) = open.pop() {
                                component[member as usize] = components;
                                if member == value {
                                    break;
                                }
                            }
                            components += 1;
                        }
                    }
                }
            }
        }
        for own in component.iter_mut().filter(|own| **own == NEW) {
            *own = components;
            components += 1;
        }
        component
    }
}
