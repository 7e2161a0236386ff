//! The structure of [`IncAtMostOne`](super::IncAtMostOne): at most one of literals that come one at a time, in clauses
//! that are never taken back.
//!
//! The first 16 literals stand in a **chain** of pairwise groups. A group has three places; when the next literal
//! comes, a link is made that everything in the full group implies, and the link has the first place of the next group:
//! three clauses a literal.
//!
//! Everything after that stands in a **rectangle**, with the link of the whole chain in its first cell. A literal
//! implies its row and its column: two clauses a literal. Rows and columns are literals of which at most one is true,
//! and there are ever more of them: each side is such a structure again. The rectangle grows from an odd square to the
//! next, two columns first, then two rows, because a chain of an odd number of literals is the smallest.
//!
//! Which cell a literal has follows from how many came before it alone. So the clauses of n literals are always the
//! same, however they came, and their number is known in closed form.

use rustsat::types::Lit;

use crate::size::Size;
use crate::writer::{Full, Writer};

/// The number of literals in the chain. With 6 or more, n literals never take more than 3n clauses. A shorter chain
/// saves a few clauses around n = 100 and costs as many around n = 16.
const CHAIN: usize = 16;

/// At most one of literals that come one at a time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct GrowingAtMostOne {
    n: usize,
    chain: Vec<Lit>,
    /// The literals that the groups of the chain imply, but for the last group while the chain still grows.
    links: Vec<Lit>,
    sides: Option<Box<RectangleSides>>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct RectangleSides {
    rows: RectangleSide,
    columns: RectangleSide,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct RectangleSide {
    lits: Vec<Lit>,
    one: GrowingAtMostOne,
}

/// The part that a literal plays, which a formula [settles](settle) with a unit clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LiteralPart {
    Link(usize),
    Member(usize),
    Row(usize),
    Column(usize),
}

/// The group of a chain that a literal is in.
const fn group_of(index: usize) -> usize {
    if index < 3 { 0 } else { (index - 1) / 2 }
}

/// The literals of a group, where the chain has `n`.
fn group(number: usize, n: usize) -> std::ops::Range<usize> {
    let first = if number == 0 { 0 } else { 2 * number + 1 };
    first..n.min(2 * number + 3)
}

/// Row and column of cell number `index`.
const fn cell(index: usize) -> (usize, usize) {
    if index == 0 {
        return (0, 0);
    }
    let side = odd_root(index);
    let past = index - side * side;
    if past < 2 * side {
        (past % side, side + past / side)
    } else {
        let past = past - 2 * side;
        (side + past / (side + 2), past % (side + 2))
    }
}

/// How many rows and columns `cells` cells are in; at least one.
const fn shape(cells: usize) -> (usize, usize) {
    let side = odd_root(cells);
    let past = cells - side * side;
    if past <= 2 * side {
        (side, side + past.div_ceil(side))
    } else {
        (side + (past - 2 * side).div_ceil(side + 2), side + 2)
    }
}

/// The largest odd number whose square is at most `n`; at least 1.
const fn odd_root(n: usize) -> usize {
    let root = n.isqrt();
    if root % 2 == 1 { root } else { root.saturating_sub(1) }
}

/// The size of `n` literals.
pub(super) fn size(n: usize) -> Size {
    if n <= CHAIN {
        return chain_size(n);
    }
    let cells = n - CHAIN + 1;
    let (rows, columns) = shape(cells);
    chain_size(CHAIN)
        + Size::variables(1)
        + Size::clauses(places(CHAIN), 2)
        + Size::clauses((cells as u64).saturating_mul(2), 2)
        + Size::variables((rows + columns) as u64)
        + size(rows)
        + size(columns)
}

fn chain_size(n: usize) -> Size {
    // A full group and its link: three clauses for three places. The second place of a group costs one, the third two.
    match n {
        0 | 1 => Size::ZERO,
        2 => Size::clause(2),
        _ => {
            let n = n as u64;
            Size::variables((n - 2) / 2) + Size::clauses(3 * n - if n % 2 == 1 { 6 } else { 5 }, 2)
        }
    }
}

/// The places of a chain's last group that are taken.
fn places(n: usize) -> u64 {
    let last = group_of(n - 1);
    group(last, n).len() as u64 + u64::from(last > 0)
}

/// The unit clauses after which, of `n` literals only number `free` may be true, or none: each part with the value that
/// it gets. Unit propagation does the rest. A row or column may be true without a literal.
pub(super) fn settle(n: usize, free: Option<usize>) -> Vec<(LiteralPart, bool)> {
    let mut parts = Vec::new();
    let chain = n.min(CHAIN);
    let (group_number, keep) = match free {
        Some(index) if index >= CHAIN => {
            let (row, column) = cell(index - CHAIN + 1);
            return vec![(LiteralPart::Row(row), true), (LiteralPart::Column(column), true)];
        }
        Some(index) => (group_of(index), Some(index)),
        None if n > CHAIN => {
            // Only the chain has a literal in the first row and column.
            return vec![
                (LiteralPart::Row(0), true),
                (LiteralPart::Column(0), true),
                (LiteralPart::Link(group_of(CHAIN - 1)), false),
            ];
        }
        None if n == 0 => return parts,
        None => (group_of(chain - 1), None),
    };
    if group_number > 0 {
        parts.push((LiteralPart::Link(group_number - 1), false));
    }
    parts.extend(group(group_number, chain).filter(|&at| Some(at) != keep).map(|at| (LiteralPart::Member(at), false)));
    let closed = n > CHAIN || group_number < group_of(chain - 1);
    if closed {
        parts.push((LiteralPart::Link(group_number), true));
    }
    parts
}

impl GrowingAtMostOne {
    /// The number of literals.
    pub(super) const fn n(&self) -> usize {
        self.n
    }

    /// The literal that `part` speaks of.
    pub(super) fn part(&self, part: LiteralPart) -> Lit {
        let side = |side: fn(&RectangleSides) -> &RectangleSide, at: usize| {
            self.sides.as_deref().map_or_else(|| unreachable!("no rectangle"), |sides| side(sides).lits[at])
        };
        match part {
            LiteralPart::Link(at) => self.links[at],
            LiteralPart::Member(at) => self.chain[at],
            LiteralPart::Row(at) => side(|sides| &sides.rows, at),
            LiteralPart::Column(at) => side(|sides| &sides.columns, at),
        }
    }

    /// Takes one literal in.
    pub(super) fn add(&mut self, to: &mut Writer<'_>, lit: Lit) -> Result<(), Full> {
        let index = self.n;
        if index >= CHAIN {
            if index == CHAIN {
                self.link(to)?;
                let mut sides = RectangleSides::default();
                sides.add(to, 0, self.links[self.links.len() - 1])?;
                self.sides = Some(Box::new(sides));
            }
            self.n += 1;
            let sides = self.sides.get_or_insert_default();
            return sides.add(to, index - CHAIN + 1, lit);
        }
        if index > 0 && group_of(index) > group_of(index - 1) {
            self.link(to)?;
        }
        let number = group_of(index);
        if number > 0 {
            to.clause(&[!self.links[number - 1], !lit])?;
        }
        for at in group(number, index) {
            to.clause(&[!self.chain[at], !lit])?;
        }
        self.chain.push(lit);
        self.n += 1;
        Ok(())
    }

    /// Makes a literal that the last group of the chain implies.
    fn link(&mut self, to: &mut Writer<'_>) -> Result<(), Full> {
        let number = group_of(self.chain.len() - 1);
        let link = to.lit();
        if number > 0 {
            to.define(&[!self.links[number - 1], link])?;
        }
        for at in group(number, self.chain.len()) {
            to.define(&[!self.chain[at], link])?;
        }
        self.links.push(link);
        Ok(())
    }
}

impl RectangleSides {
    /// Puts a literal into cell number `index`, the next one.
    fn add(&mut self, to: &mut Writer<'_>, index: usize, lit: Lit) -> Result<(), Full> {
        let (row, column) = cell(index);
        for (side, at) in [(&mut self.rows, row), (&mut self.columns, column)] {
            if at == side.lits.len() {
                let new = to.lit();
                side.lits.push(new);
                side.one.add(to, new)?;
            }
            to.define(&[!lit, side.lits[at]])?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ClauseSink;
    use crate::testing::{Engine, Recorder, Strength, check_clauses, inputs, strength};
    use crate::{AmoEncoding, AtMostOne, Optimal, Relation, Tally};

    #[test]
    fn cells_are_a_rectangle_that_grows() {
        let mut seen = std::collections::HashSet::new();
        let (mut rows, mut columns) = (0, 0);
        for index in 0..3_000 {
            let (row, column) = cell(index);
            assert!(seen.insert((row, column)), "{index}");
            assert!(row <= rows && column <= columns, "{index}: a row or column is left out");
            (rows, columns) = (rows.max(row + 1), columns.max(column + 1));
            assert_eq!(shape(index + 1), (rows, columns), "{index}");
            assert!(rows.abs_diff(columns) <= 2);
        }
    }

    /// The size is known, at most 3 clauses a literal, and close to the smallest formula.
    #[test]
    fn sizes() {
        let mut tally = Tally::new(20_000);
        let lits = tally.inputs();
        let mut growing = GrowingAtMostOne::default();
        for (at, &lit) in lits.iter().enumerate() {
            assert_eq!(size(at), tally.size(), "{at}");
            assert!(tally.size().clauses <= 3 * at as u64, "{at}: {}", tally.size());
            tally.write_by(&mut |to| growing.add(to, lit)).unwrap();
        }
        for n in 2..2_000 {
            let least = Optimal { weight: 0 }.amo_size(n).clauses;
            assert!(20 * size(n).clauses <= 23 * least + 2, "{n}: {} over {least}", size(n).clauses);
            let cost = AmoEncoding::Smallest.amo_size(n).cost();
            assert!(5 * size(n).cost() <= 6 * cost + 4, "{n}: {} over {cost}", size(n).cost());
        }
        assert_eq!(size(6_649), Size { vars: 233, clauses: 13_749, lits: 27_498 });
        assert!(size(usize::MAX).clauses >= size(u32::MAX as usize).clauses);
    }

    #[test]
    fn complete_after_every_step() {
        let lits = inputs(300);
        let mut recorder = Recorder::new(300);
        let mut growing = GrowingAtMostOne::default();
        for n in 1..=300 {
            recorder.write_by(&mut |to| growing.add(to, lits[n - 1])).unwrap();
            let mut engine = Engine::new(&recorder);
            if n <= 9 {
                assert_eq!(strength(&mut engine, &lits[..n], Relation::AtMost(1)), Strength::Gac, "{n}");
            }
            for (at, &lit) in lits.iter().enumerate().take(n) {
                assert!(engine.assume(lit), "{at} of {n}");
                for (i, &other) in lits.iter().enumerate() {
                    assert_eq!(engine.value(other), (i < n).then_some(i == at), "{i} when {at} of {n}");
                }
                engine.undo(0);
            }
        }
        check_clauses(&recorder, "growing");
        let mut engine = Engine::new(&recorder);
        assert!(engine.assume(lits[299]) && engine.satisfiable());
    }

    /// Settling leaves one literal free, or none, whatever their number.
    #[test]
    fn settled_by_propagation() {
        let lits = inputs(120);
        let mut recorder = Recorder::new(120);
        let mut growing = GrowingAtMostOne::default();
        for n in 0..=120 {
            if n > 0 {
                recorder.write_by(&mut |to| growing.add(to, lits[n - 1])).unwrap();
            }
            for free in (0..n).map(Some).chain([None]) {
                let mut settled = recorder.clone();
                let units = settle(n, free);
                assert!(units.len() <= 4, "{units:?}");
                for (part, value) in units {
                    let lit = growing.part(part);
                    settled.add_clause(&[if value { lit } else { !lit }]).unwrap();
                }
                let mut engine = Engine::new(&settled);
                for (at, &lit) in lits[..n].iter().enumerate() {
                    let expected = if Some(at) == free { None } else { Some(false) };
                    assert_eq!(engine.value(lit), expected, "{at} of {n}, free: {free:?}");
                }
                for value in free.iter().flat_map(|&free| [lits[free], !lits[free]]) {
                    let mark = engine.mark();
                    assert!(engine.assume(value) && engine.satisfiable(), "{value} of {n}, free: {free:?}");
                    engine.undo(mark);
                }
                assert!(engine.satisfiable());
            }
        }
    }
}
