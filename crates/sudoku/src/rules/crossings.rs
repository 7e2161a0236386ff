//! The rules stated through crossings: a second form of the same constraints.
//!
//! A region meets a row or column in a *crossing* (three cells in 9×9, a "triad"). A variable says that a crossing
//! holds a value; a row, column or region then holds a value in exactly one of its crossings, a crossing in one of its
//! cells. Unit propagation sees locked candidates in that, which it does not in the rules as they stand, and the
//! formula is no larger.

use rustsat::types::Lit;

use super::form::exactly_one;
use crate::grid::Tables;
use cnfkit_core::{AmoEncoding, ClauseSink};

/// Room for the literals of crossings. Reused from puzzle to puzzle.
#[derive(Debug, Default)]
pub(crate) struct Crossings {
    /// By crossing and value: the literal that says the crossing holds the value; none when that is settled.
    holds: Vec<Option<Lit>>,
    /// By value: literals of one crossing, cell or part.
    values: Vec<Vec<Lit>>,
    clause: Vec<Lit>,
}

impl Crossings {
    /// Sends the rules of what is open, for a layout of rows, columns and regions alone. `open` as for
    /// [`rules`](super::rules); locked candidates must have been propagated.
    pub(crate) fn encode<S, I>(
        &mut self,
        sink: &mut S,
        tables: &Tables,
        amo: AmoEncoding,
        open: impl Fn(usize) -> I,
    ) -> Result<(), S::Error>
    where
        S: ClauseSink + ?Sized,
        I: Iterator<Item = (usize, Lit)>,
    {
        let side = tables.side();
        self.values.resize_with(side, Vec::new);
        for cell in 0..side * side {
            self.clause.clear();
            self.clause.extend(open(cell).map(|(_, lit)| lit));
            if !self.clause.is_empty() {
                exactly_one(sink, &self.clause, amo)?;
            }
        }
        self.holds.clear();
        for cells in tables.crossings() {
            self.values.iter_mut().for_each(Vec::clear);
            for &cell in cells {
                open(cell as usize).for_each(|(value, lit)| self.values[value - 1].push(lit));
            }
            for lits in &self.values {
                let holds = match lits[..] {
                    [] => None,
                    [lit] => Some(lit),
                    _ => {
                        let holds = sink.new_lit();
                        self.clause.clear();
                        self.clause.push(!holds);
                        self.clause.extend_from_slice(lits);
                        sink.add_clause(&self.clause)?;
                        lits.iter().try_for_each(|&lit| sink.add_clause(&[holds, !lit]))?;
                        // At most one of them follows, by unit propagation too: two cells of a crossing with a row are
                        // in different columns, and the region holds the value in one column only; and the other way
                        // round.
                        Some(holds)
                    }
                };
                self.holds.push(holds);
            }
        }
        for crossings in tables.parts() {
            for value in 0..side {
                self.clause.clear();
                self.clause
                    .extend(crossings.iter().filter_map(|&crossing| self.holds[crossing as usize * side + value]));
                if !self.clause.is_empty() {
                    exactly_one(sink, &self.clause, amo)?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Layout;
    use crate::rules::form::{ConstraintSet, RuleForm};
    use crate::rules::{self, LitBuffer};
    use cnfkit_core::AmoEncoding;
    use cnfkit_encode::testing::{Engine, Recorder};

    const SETS: [ConstraintSet; 2] = [ConstraintSet::Minimal, ConstraintSet::Extended];

    fn layouts() -> [Layout; 4] {
        [Layout::boxes(2, 2), Layout::boxes(3, 3), Layout::boxes(2, 3), Layout::for_side(7)]
    }

    /// Unit propagation over the rules of an empty grid, said through crossings.
    fn by_crossings(layout: &Layout) -> Engine {
        let side = layout.side();
        let mut recorder = Recorder::new(side * side * side);
        let Ok(()) =
            Crossings::default().encode(&mut recorder, layout.tables(), AmoEncoding::Pairwise, rules::all_open(side));
        Engine::new(&recorder)
    }

    /// Unit propagation over the rules of an empty grid as they stand.
    fn by_rules(layout: &Layout, set: ConstraintSet) -> Engine {
        let side = layout.side();
        let mut recorder = Recorder::new(side * side * side);
        let form = RuleForm { set, amo: AmoEncoding::Pairwise };
        let Ok(()) = rules::rules(&mut recorder, layout, &form, &mut LitBuffer::default(), rules::all_open(side));
        Engine::new(&recorder)
    }

    /// True if assuming `known` makes unit propagation find all of `wanted`.
    fn finds(engine: &mut Engine, known: &[Lit], wanted: &[Lit]) -> bool {
        let mark = engine.mark();
        let found = known.iter().all(|&lit| engine.value(lit) == Some(true) || engine.assume(lit))
            && wanted.iter().all(|&lit| engine.value(lit) == Some(true));
        engine.undo(mark);
        found
    }

    /// Every locked candidate of an empty grid: what is known, and what follows; crossings of one cell left out.
    fn locked(layout: &Layout) -> Vec<(Vec<Lit>, Vec<Lit>)> {
        let (side, tables) = (layout.side(), layout.tables());
        let crossings: Vec<&[u32]> = tables.crossings().collect();
        let parts: Vec<&[u32]> = tables.parts().collect();
        let mut found = Vec::new();
        for (index, here) in crossings.iter().enumerate().filter(|(_, here)| here.len() > 1) {
            let both: Vec<_> = parts.iter().filter(|part| part.contains(&(index as u32))).collect();
            let [line, region] = both[..] else { panic!("a crossing is in two parts, not {}", both.len()) };
            for value in 1..=side {
                let nowhere_else = |part: &[u32]| -> Vec<Lit> {
                    let others = part.iter().flat_map(|&other| crossings[other as usize]);
                    let others = others.filter(|cell| !here.contains(cell));
                    others.map(|&cell| !rules::lit(side, cell as usize, value)).collect()
                };
                found.push((nowhere_else(line), nowhere_else(region)));
                found.push((nowhere_else(region), nowhere_else(line)));
            }
        }
        found.retain(|(_, wanted)| !wanted.is_empty());
        found
    }

    #[test]
    fn locked_candidates_are_found_through_crossings_alone() {
        for layout in layouts() {
            let locked = locked(&layout);
            assert!(locked.len() >= 4 * layout.side(), "{layout}: {}", locked.len());
            let mut crossings = by_crossings(&layout);
            let mut rules = SETS.map(|set| by_rules(&layout, set));
            for (known, wanted) in locked {
                assert!(finds(&mut crossings, &known, &wanted), "{layout}: {known:?} without {wanted:?}");
                assert!(rules.iter_mut().all(|rules| !finds(rules, &known, &wanted)), "{layout}: {known:?}");
            }
        }
    }

    /// Whatever the form: a value excludes its peers and the cell's other values, a cell's last value is there. What
    /// only the minimal set misses: a group's last place for a value.
    #[test]
    fn singles_are_found() {
        for layout in layouts() {
            let side = layout.side();
            let lit = |cell: u32, value: usize| rules::lit(side, cell as usize, value);
            let mut engines = [by_crossings(&layout), by_rules(&layout, SETS[1]), by_rules(&layout, SETS[0])];
            let extended = 2;
            for (group, value) in layout.groups_cells().flat_map(|group| (1..=side).map(move |value| (group, value))) {
                for &cell in group {
                    let others = || group.iter().filter(|&&other| other != cell);
                    let here = [lit(cell, value)];
                    let peers: Vec<Lit> = others().map(|&other| !lit(other, value)).collect();
                    let values: Vec<Lit> = (1..=side).filter(|&v| v != value).map(|v| !lit(cell, v)).collect();
                    for (index, engine) in engines.iter_mut().enumerate() {
                        assert!(finds(engine, &here, &peers), "{layout}, {index}: peers of {here:?}");
                        assert!(finds(engine, &values, &here), "{layout}, {index}: naked single {here:?}");
                        let all = index < extended;
                        assert_eq!(finds(engine, &here, &values), all, "{layout}, {index}: cell of {here:?}");
                        assert_eq!(finds(engine, &peers, &here), all, "{layout}, {index}: hidden single {here:?}");
                    }
                }
            }
        }
    }
}
