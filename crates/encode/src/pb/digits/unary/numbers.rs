//! Unary sums: numbers that are asked whether they are at least something.
//!
//! For example a = x₁ + x₂, b = x₃ + x₄ and their sum c. *Is c at least 3?* needs a ≥ 1 with b ≥ 2, and a ≥ 2 with
//! b ≥ 1, so these four are asked for. *a ≥ 1* is a literal that x₁ implies, and x₂; *a ≥ 2* one that both imply
//! together; those of b likewise; and *c ≥ 3* one that each of the two pairs implies. That makes five auxiliaries and
//! eight clauses. Nobody has asked whether c is at least 1, so there is no such literal; whoever asks for c ≥ 3 again
//! gets the same one.
//!
//! # Invariants
//!
//! * If the true literals of a number's inputs add up to d, unit propagation makes all its answers up to d true that
//!   have been asked for: each has a clause for every way in which its parts may come to it with as little as possible.
//! * Answers enforce nothing: when all of them are true, all clauses here are satisfied.
//! * A number is only made of numbers before it, so that asking ends.

use rustc_hash::{FxHashMap, FxHashSet};
use rustsat::types::{Lit, Var};

use crate::sort;
use crate::truth::Truth;
use crate::writer::{Full, Writer};

/// The place of a number in [`UnaryNumbers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NumberPlace(u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum NumberKind {
    /// A digit of a group of literals: the literals from one place to another in `digits`, ascending by digit.
    Leaf(usize, usize),
    /// A sum, asked in all ways in which two parts may come to it.
    Sum(NumberPlace, NumberPlace),
    /// A sum of two numbers a and b, split into ⌈a/2⌉ + ⌈b/2⌉ and ⌊a/2⌋ + ⌊b/2⌋, which differ by at most two.
    Halves(NumberPlace, Option<NumberPlace>),
    /// ⌊(number + offset) / by⌋.
    Share { of: NumberPlace, by: u64, offset: u64 },
}

#[derive(Clone, Copy, Debug)]
struct NumberNode {
    kind: NumberKind,
    /// The most that it can be, at least 1.
    most: u64,
    /// The place of its values in `values`, and of its answers: all from 1 to `most` if `None`.
    values: Option<(usize, usize)>,
    /// The place of its first answer.
    answers: usize,
}

/// Numbers, with the answers so far.
#[derive(Clone, Debug, Default)]
pub(super) struct UnaryNumbers {
    nodes: Vec<NumberNode>,
    known: FxHashMap<NumberKind, NumberPlace>,
    digits: Vec<(Lit, u64)>,
    values: Vec<u64>,
    /// [`NOT_ASKED`] where there is none yet.
    answers: Vec<Lit>,
    /// The premises of the answers under construction: pairs of literals, one literal twice where it is enough.
    pairs: Vec<[Lit; 2]>,
    /// Clauses that enforce something.
    said: FxHashSet<[Lit; 3]>,
    /// Clauses of sums by the number of elements on both sides.
    costs: FxHashMap<(u64, u64), u64>,
    /// Sums may be split into odd and even.
    splits: bool,
    /// Some were.
    has_split: bool,
    /// Numbers are asked for repeatedly: those that are known are looked up.
    again: bool,
    /// New variables for answers, to be linked: the number, the rank of the value, and the variable.
    links: Option<Vec<(u32, usize, Lit)>>,
}

/// In place of an answer that nobody has asked for: where a formula has this literal, hardly one variable is left.
const NOT_ASKED: Lit = Lit::negative(Var::MAX_IDX - 1);

/// A number all of whose values from 1 to the most are there, as who asks it sees it.
#[derive(Clone, Copy)]
struct Dense {
    /// The number that has the answers: value v of the one asked is value by·v − offset of this one.
    of: NumberPlace,
    by: u64,
    offset: u64,
    most: u64,
    /// The place of its first answer.
    answers: usize,
}

/// The most values of a sum that are listed; more are taken to be all.
const LISTED: usize = 128;

/// Words of bits that are enough for most sums whose values are listed.
const FEW_WORDS: usize = 64;

impl UnaryNumbers {
    /// Sums may be split; numbers are made `again`, and are then the same.
    pub(super) fn new(splits: bool, again: bool) -> Self {
        Self { splits, again, ..Self::default() }
    }

    /// From now on all answers are kept for [`link`](Self::link).
    pub(super) fn keep_links(&mut self) {
        self.links = Some(Vec::new());
    }

    /// Says of answers next to each other of the same number that the higher one implies the lower.
    pub(super) fn link(&mut self, to: &mut Writer<'_>) -> Result<(), Full> {
        let Some(mut links) = self.links.take() else { return Ok(()) };
        let key = |&(number, rank, lit): &(u32, usize, Lit)| {
            u128::from(number) << 96 | (rank as u128) << 32 | lit.lidx() as u128
        };
        sort::by_wide_key(&mut links, key);
        for pair in links.windows(2) {
            let [(number, _, lower), (same, _, higher)] = [pair[0], pair[1]];
            if number == same {
                to.define(&[!higher, lower])?;
            }
        }
        Ok(())
    }

    /// True if some sum was split into odd and even.
    pub(super) const fn has_split(&self) -> bool {
        self.has_split
    }

    /// The most that a number can be.
    pub(super) fn most(&self, number: NumberPlace) -> u64 {
        self.nodes[number.0 as usize].most
    }

    /// The number of its values.
    fn count(&self, number: NumberPlace) -> usize {
        let node = self.nodes[number.0 as usize];
        node.values.map_or(node.most as usize, |(start, end)| end - start)
    }

    fn push(&mut self, kind: NumberKind, most: u64, values: Option<(usize, usize)>) -> NumberPlace {
        let answers = self.answers.len();
        let count = match kind {
            NumberKind::Share { .. } => 0,
            _ => values.map_or(most as usize, |(start, end)| end - start),
        };
        self.answers.resize(answers + count, NOT_ASKED);
        self.nodes.push(NumberNode { kind, most, values, answers });
        NumberPlace(self.nodes.len() as u32 - 1)
    }

    /// One of at most one true literal with digits that are not 0.
    pub(super) fn leaf(&mut self, digits: impl Iterator<Item = (Lit, u64)>) -> Option<NumberPlace> {
        let start = self.digits.len();
        self.digits.extend(digits);
        sort::by_key(&mut self.digits[start..], |&(_, digit)| digit);
        let &(_, most) = self.digits[start..].last()?;
        let first = self.values.len();
        for at in start..self.digits.len() {
            let digit = self.digits[at].1;
            if self.values[first..].last() != Some(&digit) {
                self.values.push(digit);
            }
        }
        let all = (self.values.len() - first) as u64 == most;
        Some(self.push(NumberKind::Leaf(start, self.digits.len()), most, (!all).then_some((first, self.values.len()))))
    }

    /// ⌊(number + offset) / by⌋, if it can be more than 0; `offset` is below `by`.
    pub(super) fn share(&mut self, mut of: NumberPlace, mut by: u64, mut offset: u64) -> Option<NumberPlace> {
        // A share of a share is a share.
        if let NumberKind::Share { of: inner, by: inner_by, offset: inner_offset } = self.nodes[of.0 as usize].kind
            && let Some(product) = by.checked_mul(inner_by)
        {
            (of, by, offset) = (inner, product, inner_offset + inner_by * offset);
        }
        let most = self.most(of).saturating_add(offset) / by;
        if most == 0 {
            return None;
        }
        let kind = NumberKind::Share { of, by, offset };
        if let Some(known) = self.find(kind) {
            return Some(known);
        }
        let values = self.nodes[of.0 as usize].values.map(|(start, end)| {
            let first = self.values.len();
            for at in start..end {
                let value = (self.values[at] + offset) / by;
                if value > 0 && (self.values.len() == first || self.values.last() != Some(&value)) {
                    self.values.push(value);
                }
            }
            (first, self.values.len())
        });
        let share = self.push(kind, most, values);
        self.note(kind, share);
        Some(share)
    }

    /// A number that was made before, if numbers are made again.
    fn find(&self, kind: NumberKind) -> Option<NumberPlace> {
        if self.again { self.known.get(&kind).copied() } else { None }
    }

    fn note(&mut self, kind: NumberKind, number: NumberPlace) {
        if self.again {
            self.known.insert(kind, number);
        }
    }

    /// A sum of two, of whose values every `step`-th will be asked for or so, and none above `cap`.
    pub(super) fn sum(
        &mut self,
        a: Option<NumberPlace>,
        b: Option<NumberPlace>,
        (step, cap): (u64, u64),
    ) -> Option<NumberPlace> {
        let (Some(a), Some(b)) = (a, b) else { return a.or(b) };
        let [p, q] = [a, b].map(|number| self.count(number) as u64);
        let direct = ((p + 1).saturating_mul(q + 1) + p + q) / step;
        // Who asks for a sum first decides how it is made.
        let kind = NumberKind::Sum(a, b);
        if let Some(known) = self.find(kind) {
            return Some(known);
        }
        let split = self.splits && may_split(p, q) && self.split_cost(p, q, step) < direct;
        let most = self.most(a).saturating_add(self.most(b)).min(cap);
        self.has_split |= split;
        let made = if split { self.halves(a, b) } else { kind };
        let values = self.sums(a, b, most);
        let sum = self.push(made, most, values);
        self.note(kind, sum);
        Some(sum)
    }

    fn halves(&mut self, a: NumberPlace, b: NumberPlace) -> NumberKind {
        let [upper, lower] = [1, 0].map(|offset| {
            let [a, b] = [a, b].map(|number| self.share(number, 2, offset));
            self.sum(a, b, (1, u64::MAX))
        });
        upper.map_or(NumberKind::Sum(a, b), |upper| NumberKind::Halves(upper, lower))
    }

    /// About what a balanced tree of so many literals costs whose every answer is asked for.
    pub(super) fn tree_cost(&mut self, leaves: u64) -> u64 {
        // At each level there are trees of two sizes: the smaller, how many of each there are.
        let (mut size, mut small, mut large, mut cost) = (leaves, 1, 0, 0_u64);
        while size > 0 {
            for (size, times) in [(size, small), (size + 1, large)] {
                let (p, q) = (size.div_ceil(2), size / 2);
                let own = if self.splits { self.cost(p, q) } else { (p + 1).saturating_mul(q + 1) + p + q };
                if times > 0 && q > 0 {
                    cost = cost.saturating_add(own.saturating_mul(times));
                }
            }
            // An even one has two halves of the same size.
            (small, large) = if size % 2 == 0 { (2 * small + large, large) } else { (small, small + 2 * large) };
            size /= 2;
        }
        cost
    }

    /// About what a sum costs whose every second answer is asked for.
    pub(super) fn sum_cost(&mut self, p: u64, q: u64) -> u64 {
        let direct = ((p + 1).saturating_mul(q + 1) + p + q) / 2;
        if self.splits && may_split(p, q) { direct.min(self.split_cost(p, q, 2)) } else { direct }
    }

    /// About what a sum costs whose every answer is asked for.
    fn cost(&mut self, p: u64, q: u64) -> u64 {
        if p == 0 || q == 0 {
            return 0;
        }
        let (p, q) = (p.max(q), p.min(q));
        let direct = (p + 1).saturating_mul(q + 1).saturating_add(p + q);
        if !may_split(p, q) {
            return direct;
        }
        if let Some(&known) = self.costs.get(&(p, q)) {
            return known;
        }
        let cost = direct.min(self.split_cost(p, q, 1));
        self.costs.insert((p, q), cost);
        cost
    }

    fn split_cost(&mut self, p: u64, q: u64, step: u64) -> u64 {
        self.cost(p.div_ceil(2), q.div_ceil(2)) + self.cost(p / 2, q / 2) + 5 * (p + q) / 2 / step
    }

    /// The values of a sum, if they are few and not all.
    fn sums(&mut self, a: NumberPlace, b: NumberPlace, most: u64) -> Option<(usize, usize)> {
        let counts = [a, b].map(|number| self.count(number) + 1);
        let [a, b] = [a, b].map(|number| self.nodes[number.0 as usize]);
        if a.values.is_none() && b.values.is_none() || counts[0].saturating_mul(counts[1]) > 16 * LISTED {
            return None;
        }
        let start = self.values.len();
        let value = |values: &[u64], node: &NumberNode, at: usize| match (at.checked_sub(1), node.values) {
            (None, _) => 0,
            (Some(at), None) => at as u64 + 1,
            (Some(at), Some((start, _))) => values[start + at],
        };
        let sums = |values: &[u64], found: &mut dyn FnMut(u64)| {
            for i in 0..counts[0] {
                let one = value(values, &a, i);
                (0..counts[1]).for_each(|j| found((one + value(values, &b, j)).min(most)));
            }
        };
        // Without 0, which comes first, and each once.
        if most < 64 * FEW_WORDS as u64 {
            let mut bits = [0_u64; FEW_WORDS];
            sums(&self.values, &mut |sum| bits[sum as usize / 64] |= 1 << (sum % 64));
            bits[0] &= !1;
            for (at, mut word) in bits.into_iter().enumerate() {
                while word != 0 {
                    self.values.push(at as u64 * 64 + u64::from(word.trailing_zeros()));
                    word &= word - 1;
                }
            }
        } else {
            let mut all = Vec::with_capacity(counts[0] * counts[1]);
            sums(&self.values, &mut |sum| all.push(sum));
            all.sort_unstable();
            all.dedup();
            self.values.extend_from_slice(&all[1..]);
        }
        let end = self.values.len();
        if (end - start) as u64 == most || end - start > LISTED {
            self.values.truncate(start);
            return None;
        }
        Some((start, end))
    }

    /// The place of the first value that is at least `least`, counted from 0; `least` is from 1 to the most.
    fn rank(&self, node: &NumberNode, least: u64) -> usize {
        match node.values {
            None => least as usize - 1,
            Some((start, end)) => self.values[start..end].partition_point(|&value| value < least),
        }
    }

    fn value(&self, node: &NumberNode, rank: usize) -> u64 {
        node.values.map_or(rank as u64 + 1, |(start, _)| self.values[start + rank])
    }

    /// A literal that is true if a number is at least `least`.
    pub(super) fn at_least(
        &mut self,
        to: &mut Writer<'_>,
        mut number: NumberPlace,
        mut least: u64,
    ) -> Result<Truth, Full> {
        loop {
            let node = &self.nodes[number.0 as usize];
            if least == 0 {
                return Ok(Truth::Known(true));
            }
            if least > node.most {
                return Ok(Truth::Known(false));
            }
            if let NumberKind::Share { of, by, offset } = node.kind {
                (number, least) = (of, (by * least).saturating_sub(offset));
                continue;
            }
            let rank = self.rank(node, least);
            return match self.answers[node.answers + rank] {
                NOT_ASKED => self.answer(to, number, rank),
                lit => Ok(Truth::If(lit)),
            };
        }
    }

    /// The answer to a value that was not asked for before.
    fn answer(&mut self, to: &mut Writer<'_>, number: NumberPlace, rank: usize) -> Result<Truth, Full> {
        let node = self.nodes[number.0 as usize];
        let start = self.pairs.len();
        self.ways(to, &node, self.value(&node, rank))?;
        let lit = match self.pairs[start..] {
            [[a, b]] if a == b => a,
            _ => {
                let lit = to.lit();
                if let Some(links) = &mut self.links
                    && !matches!(node.kind, NumberKind::Leaf(..))
                {
                    links.push((number.0, rank, lit));
                }
                for &[a, b] in &self.pairs[start..] {
                    if a == b {
                        to.define(&[!a, lit])?;
                    } else {
                        to.define(&[!a, !b, lit])?;
                    }
                }
                lit
            }
        };
        self.pairs.truncate(start);
        self.answers[node.answers + rank] = lit;
        Ok(Truth::If(lit))
    }

    /// Pushes what makes a number at least `least`, which is one of its values.
    fn ways(&mut self, to: &mut Writer<'_>, node: &NumberNode, least: u64) -> Result<(), Full> {
        let start = self.pairs.len();
        match node.kind {
            NumberKind::Share { of, by, offset } => {
                let of = self.nodes[of.0 as usize];
                let least = (by * least).saturating_sub(offset);
                let least = self.value(&of, self.rank(&of, least));
                self.ways(to, &of, least)?;
            }
            NumberKind::Leaf(first, end) => self.leaf_ways(node, (first, end), least),
            NumberKind::Sum(a, b) => self.sum_ways(to, a, b, least)?,
            NumberKind::Halves(upper, lower) => self.odd_even_ways(to, upper, lower, least)?,
        }
        // Literals that are passed on may meet themselves in the next digit.
        if self.pairs.len() - start <= 4 {
            self.tidy(start);
        }
        Ok(())
    }

    /// Each literal with such a digit; those with more at once, if there is an answer for them.
    fn leaf_ways(&mut self, node: &NumberNode, (first, end): (usize, usize), least: u64) {
        let next = node.answers + self.rank(node, least) + 1;
        let more = (least < node.most).then(|| self.answers[next]).filter(|&lit| lit != NOT_ASKED);
        for at in first..end {
            let (lit, digit) = self.digits[at];
            if digit == least || digit > least && more.is_none() {
                self.pairs.push([lit, lit]);
            }
        }
        self.pairs.extend(more.map(|lit| [lit, lit]));
    }

    /// Every way to share, none with more on one side than it takes.
    fn sum_ways(&mut self, to: &mut Writer<'_>, a: NumberPlace, b: NumberPlace, least: u64) -> Result<(), Full> {
        if let (Some(left), Some(right)) = (self.dense(a), self.dense(b)) {
            for given in least.saturating_sub(right.most)..=least.min(left.most) {
                let answers = [self.ask(to, &left, given)?, self.ask(to, &right, least - given)?];
                self.push_pair(answers);
            }
            return Ok(());
        }
        let [left, right] = [a, b].map(|number| self.nodes[number.0 as usize]);
        let mut before = None;
        // Of the left as much as the right leaves, and up.
        let mut given = least.saturating_sub(right.most);
        if given > 0 {
            given = self.rounded(&left, given);
        }
        loop {
            let rest = least.saturating_sub(given);
            let rest = if rest == 0 { 0 } else { self.rounded(&right, rest) };
            if before != Some(rest) {
                before = Some(rest);
                let answers = [self.at_least(to, a, given)?, self.at_least(to, b, rest)?];
                self.push_pair(answers);
            }
            if rest == 0 || given >= left.most {
                return Ok(());
            }
            given = self.rounded(&left, given + 1);
        }
    }

    /// The number, if it may have all values.
    fn dense(&self, number: NumberPlace) -> Option<Dense> {
        let node = &self.nodes[number.0 as usize];
        if node.values.is_some() {
            return None;
        }
        let NumberKind::Share { of, by, offset } = node.kind else {
            return Some(Dense { of: number, by: 1, offset: 0, most: node.most, answers: node.answers });
        };
        let whole = &self.nodes[of.0 as usize];
        let dense = Dense { of, by, offset, most: node.most, answers: whole.answers };
        (whole.values.is_none() && !matches!(whole.kind, NumberKind::Share { .. })).then_some(dense)
    }

    /// [`at_least`](Self::at_least) of a number with all values, up to the most.
    #[inline]
    fn ask(&mut self, to: &mut Writer<'_>, number: &Dense, least: u64) -> Result<Truth, Full> {
        let Some(rank) = (number.by * least).saturating_sub(number.offset).checked_sub(1) else {
            return Ok(Truth::Known(true));
        };
        match self.answers[number.answers + rank as usize] {
            NOT_ASKED => self.answer(to, number.of, rank as usize),
            lit => Ok(Truth::If(lit)),
        }
    }

    /// The least value that is at least so much.
    fn rounded(&self, node: &NumberNode, least: u64) -> u64 {
        self.value(node, self.rank(node, least))
    }

    fn odd_even_ways(
        &mut self,
        to: &mut Writer<'_>,
        upper: NumberPlace,
        lower: Option<NumberPlace>,
        least: u64,
    ) -> Result<(), Full> {
        let lower = match lower {
            Some(lower) => self.at_least(to, lower, least / 2)?,
            None if least < 2 => Truth::Known(true),
            None => Truth::Known(false),
        };
        let answers = [self.at_least(to, upper, least / 2 + 1)?, lower];
        if least % 2 == 1 {
            self.push_pair(answers);
        } else {
            answers.into_iter().for_each(|answer| self.push_pair([answer, Truth::Known(true)]));
        }
        Ok(())
    }

    fn push_pair(&mut self, answers: [Truth; 2]) {
        match answers {
            [Truth::If(a), Truth::If(b)] => self.pairs.push([a.min(b), a.max(b)]),
            [Truth::If(a), Truth::Known(true)] | [Truth::Known(true), Truth::If(a)] => self.pairs.push([a, a]),
            // Least ways: not both are known to be true.
            _ => {}
        }
    }

    /// Leaves out what is there twice, or more than needed.
    fn tidy(&mut self, start: usize) {
        if self.pairs.len() - start < 2 {
            return;
        }
        for at in (start..self.pairs.len()).rev() {
            let [a, b] = self.pairs[at];
            let weaker = |&(other, &[c, d]): &(usize, &[Lit; 2])| {
                other != at - start
                    && (c == d && (c == a || c == b) && a != b || [c, d] == [a, b] && other < at - start)
            };
            if self.pairs[start..].iter().enumerate().any(|pair| weaker(&pair)) {
                self.pairs.remove(at);
            }
        }
    }

    /// Sends a clause of up to three literals, some repeated to make three; once.
    fn enforce(&mut self, to: &mut Writer<'_>, mut clause: [Lit; 3]) -> Result<(), Full> {
        clause.sort_unstable();
        let [a, b, c] = clause;
        match (a == b, b == c) {
            (true, true) if self.said.insert([a, a, a]) => to.clause(&[a]),
            (true, false) | (false, true) if self.said.insert([a, a, c]) => to.clause(&[a, c]),
            (false, false) if self.said.insert(clause) => to.clause(&clause),
            _ => Ok(()),
        }
    }

    /// Forbids that a number is at least `least`, which is more than 0; under `guard` only where that is true.
    pub(super) fn forbid(
        &mut self,
        to: &mut Writer<'_>,
        number: NumberPlace,
        least: u64,
        guard: Option<Lit>,
    ) -> Result<(), Full> {
        let node = self.nodes[number.0 as usize];
        if least > node.most {
            return Ok(());
        }
        let start = self.pairs.len();
        self.ways(to, &node, self.rounded(&node, least))?;
        if guard.is_some() && self.pairs.len() - start > FEW {
            self.pairs.truncate(start);
            if let (Truth::If(lit), Some(guard)) = (self.at_least(to, number, least)?, guard) {
                self.enforce(to, [!lit, !guard, !guard])?;
            }
            return Ok(());
        }
        for at in start..self.pairs.len() {
            let [a, b] = self.pairs[at];
            self.enforce(to, [!a, !b, guard.map_or(!a, |guard| !guard)])?;
        }
        self.pairs.truncate(start);
        Ok(())
    }
}

/// Up to so many ways are forbidden as they are; more get a variable, so that a condition touches one clause.
const FEW: usize = 3;

/// False where a sum costs less unsplit, whatever it is asked for.
const fn may_split(p: u64, q: u64) -> bool {
    p > 5 && q > 5 && p + q > 16
}
