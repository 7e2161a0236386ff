//! Deduction one step at a time, each with the steps that it needs: what a person is told.
//!
//! [`Candidates`](super::Candidates) deduces the same and more quickly, but forgets why. A [`DeductionTrail`] remembers
//! for each value that a cell lost the step that took it, so that the steps behind a value or a contradiction can be
//! told from those that had nothing to do with it.

use std::collections::VecDeque;

use crate::deduce::bits::ValueSet;
use crate::grid::Tables;
use cnfkit_core::internals::sort;

/// A step; cells, groups and parts are those of the tables, values count from 1.
#[derive(Clone, Debug)]
pub(crate) enum DeductionStep {
    /// The cell has the value: it is given, or assumed.
    Given { cell: usize, value: usize },
    /// The cell has the value because the group has no other place for it, or, without one, the cell no other value.
    Single { cell: usize, value: usize, group: Option<usize> },
    /// All places of part `of` for the value are within a crossing, so `cells` in the rest of its other part lose it.
    Locked { value: usize, of: usize, crossing: u32, cells: Vec<u32> },
    /// The cell does not have the value, because singles would lead to a contradiction.
    Refuted { cell: usize, value: usize, by: Refutation },
}

/// Givens that contradict each other, and the singles, in order, that show it.
#[derive(Clone, Debug)]
pub(crate) struct Refutation {
    pub(crate) givens: Vec<DeductionStep>,
    pub(crate) singles: Vec<DeductionStep>,
    pub(crate) end: TrailDeadEnd,
}

/// A cell for which no value is left, or a group without a place for a value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TrailDeadEnd {
    Cell(usize),
    Group(usize, usize),
}

/// The step that took a value which no step has taken.
const NONE: u32 = u32::MAX;
/// Values that are tried before the shortest contradiction is taken, and at most if there was none.
const TRIALS: usize = 256;
const MOST_TRIALS: usize = 4096;

#[derive(Clone, Debug)]
pub(crate) struct DeductionTrail<'a, const W: usize> {
    tables: &'a Tables,
    masks: Vec<ValueSet<W>>,
    filled: Vec<bool>,
    /// By cell and value: the step that took the value from the cell.
    taken_by: Vec<u32>,
    steps: Vec<DeductionStep>,
    /// For each step, the earlier steps without which it could not be made.
    needs: Vec<Vec<u32>>,
    /// Cells with one value left and groups with one place left, in the order in which they came to be.
    ready: VecDeque<DeductionStep>,
    dead: Option<TrailDeadEnd>,
}

impl<'a, const W: usize> DeductionTrail<'a, W> {
    /// Of a grid with these values, 0 where there is none; none of them is out of range.
    pub(crate) fn new(tables: &'a Tables, cells: &[u16]) -> Self {
        let side = tables.side();
        let mut new = Self {
            tables,
            masks: vec![ValueSet::up_to(side); side * side],
            filled: vec![false; side * side],
            taken_by: vec![NONE; side.pow(3)],
            steps: Vec::new(),
            needs: Vec::new(),
            ready: VecDeque::new(),
            dead: None,
        };
        for (cell, &value) in cells.iter().enumerate().filter(|&(_, &value)| value != 0) {
            new.make(DeductionStep::Given { cell, value: value.into() });
        }
        new
    }

    /// The cells of a crossing that may still have a value.
    pub(crate) fn places(&self, crossing: u32, value: usize) -> impl Iterator<Item = u32> {
        let cells = self.tables.crossing(crossing).iter().copied();
        cells.filter(move |&cell| self.masks[cell as usize].has(value))
    }

    /// The step that took this value from this cell, if one did.
    fn taker(&self, cell: usize, value: usize) -> Option<u32> {
        Some(self.taken_by[cell * self.tables.side() + value - 1]).filter(|&by| by != NONE)
    }

    /// The steps that took a value from these cells.
    fn takers(&self, cells: impl Iterator<Item = u32>, value: usize) -> Vec<u32> {
        cells.filter_map(|cell| self.taker(cell as usize, value)).collect()
    }

    /// The steps that took all values but this one from a cell.
    fn others(&self, cell: usize, value: usize) -> Vec<u32> {
        let values = (1..=self.tables.side()).filter(|&other| other != value);
        values.filter_map(|other| self.taker(cell, other)).collect()
    }

    /// Makes a step: it follows from what is there.
    fn make(&mut self, step: DeductionStep) {
        let tables = self.tables;
        let needs = match step {
            DeductionStep::Given { .. } => Vec::new(),
            DeductionStep::Single { cell, value, group: None } => self.others(cell, value),
            DeductionStep::Single { cell, value, group: Some(group) } => {
                self.takers(tables.group(group).iter().copied().filter(|&other| other as usize != cell), value)
            }
            DeductionStep::Locked { value, of, crossing, .. } => {
                let others = tables.part(of).iter().filter(|&&other| other != crossing);
                self.takers(others.flat_map(|&other| tables.crossing(other).iter().copied()), value)
            }
            DeductionStep::Refuted { .. } => unreachable!("made by `refute`, which knows what it needs"),
        };
        self.push(step, needs);
    }

    fn push(&mut self, step: DeductionStep, needs: Vec<u32>) {
        let by = self.steps.len() as u32;
        self.steps.push(step.clone());
        self.needs.push(needs);
        match step {
            DeductionStep::Given { cell, value } | DeductionStep::Single { cell, value, .. } => {
                self.fill(cell, value, by);
            }
            DeductionStep::Locked { value, cells, .. } => {
                cells.into_iter().for_each(|cell| self.take(cell as usize, value, by));
            }
            DeductionStep::Refuted { cell, value, .. } => self.take(cell, value, by),
        }
    }

    fn fill(&mut self, cell: usize, value: usize, by: u32) {
        let tables = self.tables;
        self.filled[cell] = true;
        if !self.masks[cell].has(value) {
            // A given beside one of its value; the cell has lost it, and loses the others.
            self.dead.get_or_insert(TrailDeadEnd::Cell(cell));
        }
        for other in self.masks[cell].without(ValueSet::one(value)).iter() {
            self.take(cell, other, by);
        }
        for &group in tables.groups_of(cell) {
            for &peer in tables.group(group as usize).iter().filter(|&&peer| peer as usize != cell) {
                self.take(peer as usize, value, by);
            }
        }
        for &peer in tables.banned_of(cell) {
            self.take(peer as usize, value, by);
        }
    }

    /// Takes a value from a cell, and notes what that leaves ready.
    fn take(&mut self, cell: usize, value: usize, by: u32) {
        if !self.masks[cell].has(value) {
            return;
        }
        self.masks[cell] = self.masks[cell].without(ValueSet::one(value));
        self.taken_by[cell * self.tables.side() + value - 1] = by;
        let left = self.masks[cell];
        if left.is_empty() {
            self.dead.get_or_insert(TrailDeadEnd::Cell(cell));
        } else if left.at_most_one() && !self.filled[cell] {
            self.ready.push_back(DeductionStep::Single { cell, value: left.first(), group: None });
        }
        for &group in self.tables.groups_of(cell) {
            let group = group as usize;
            let mut places = self.tables.group(group).iter().filter(|&&cell| self.masks[cell as usize].has(value));
            match (places.next(), places.next()) {
                (None, _) => {
                    self.dead.get_or_insert(TrailDeadEnd::Group(group, value));
                }
                (Some(&cell), None) if !self.filled[cell as usize] => {
                    self.ready.push_back(DeductionStep::Single { cell: cell as usize, value, group: Some(group) });
                }
                _ => {}
            }
        }
    }

    /// The simplest single that is ready: naked ones by cell, then hidden ones by group.
    pub(crate) fn simplest_single(&self) -> Option<&DeductionStep> {
        let key = |step: &DeductionStep| match *step {
            DeductionStep::Single { cell, group, .. } if !self.filled[cell] => {
                Some((group.is_some(), group.unwrap_or(cell)))
            }
            _ => None,
        };
        self.ready.iter().filter(|step| key(step).is_some()).min_by_key(|step| key(step))
    }

    /// The earlier steps behind a single that is ready, oldest first, without givens.
    pub(crate) fn behind(&self, single: &DeductionStep) -> Vec<&DeductionStep> {
        let DeductionStep::Single { cell, value, group } = *single else { return Vec::new() };
        let needs = match group {
            None => self.others(cell, value),
            Some(group) => {
                self.takers(self.tables.group(group).iter().copied().filter(|&other| other as usize != cell), value)
            }
        };
        let behind = self.closure(needs).into_iter().map(|step| &self.steps[step as usize]);
        behind.filter(|step| !matches!(step, DeductionStep::Given { .. })).collect()
    }

    /// Makes all singles that are ready, until there are none or a contradiction is found.
    pub(crate) fn singles(&mut self) -> Option<Refutation> {
        while self.dead.is_none() {
            let step = self.ready.pop_front()?;
            if matches!(step, DeductionStep::Single { cell, .. } if !self.filled[cell]) {
                self.make(step);
            }
        }
        let end = self.dead?;
        let behind = self.closure(self.reasons(end)).into_iter().map(|step| self.steps[step as usize].clone());
        let (givens, others): (Vec<DeductionStep>, _) =
            behind.partition(|step| matches!(step, DeductionStep::Given { .. }));
        let singles = others.into_iter().filter(|step| matches!(step, DeductionStep::Single { .. })).collect();
        Some(Refutation { givens, singles, end })
    }

    /// The steps that took all that is missing at a dead end.
    fn reasons(&self, end: TrailDeadEnd) -> Vec<u32> {
        match end {
            TrailDeadEnd::Cell(cell) => (1..=self.tables.side()).filter_map(|value| self.taker(cell, value)).collect(),
            TrailDeadEnd::Group(group, value) => self.takers(self.tables.group(group).iter().copied(), value),
        }
    }

    /// These steps and all that they need, oldest first.
    fn closure(&self, steps: Vec<u32>) -> Vec<u32> {
        let mut found = vec![false; self.steps.len()];
        let mut open = steps;
        while let Some(step) = open.pop() {
            if !std::mem::replace(&mut found[step as usize], true) {
                open.extend_from_slice(&self.needs[step as usize]);
            }
        }
        (0..found.len() as u32).filter(|&step| found[step as usize]).collect()
    }

    /// Makes one step by which values that a part has only within another leave the rest of that one; `false` if there
    /// is none.
    pub(crate) fn lock(&mut self) -> bool {
        let step = self.locked();
        step.map(|step| self.make(step)).is_some()
    }

    fn locked(&self) -> Option<DeductionStep> {
        let tables = self.tables;
        let having = |crossing, value| self.places(crossing, value);
        for (of, crossings) in tables.parts().enumerate() {
            for value in 1..=tables.side() {
                let mut held = crossings.iter().filter(|&&crossing| having(crossing, value).next().is_some());
                let (Some(&crossing), None) = (held.next(), held.next()) else { continue };
                let others = tables.across(crossing, of).iter().filter(|&&other| other != crossing);
                let cells: Vec<u32> = others.flat_map(|&other| having(other, value)).collect();
                if !cells.is_empty() {
                    return Some(DeductionStep::Locked { value, of, crossing, cells });
                }
            }
        }
        None
    }

    /// Takes a value away that singles refute: of a cell with two values if there is one, by few singles. `over` tells
    /// that there is no time.
    pub(crate) fn refute(&mut self, over: impl Fn() -> bool) -> bool {
        let mut open: Vec<usize> = (0..self.filled.len()).filter(|&cell| !self.filled[cell]).collect();
        sort::by_key(&mut open, |&cell| self.masks[cell].count() as u64);
        let tries = open.iter().flat_map(|&cell| self.masks[cell].iter().map(move |value| (cell, value)));
        let mut best: Option<(bool, DeductionStep, Vec<u32>)> = None;
        for (number, (cell, value)) in tries.take(MOST_TRIALS).enumerate() {
            if over() || number >= TRIALS && best.is_some() {
                break;
            }
            let mut trial = self.clone();
            trial.ready.clear();
            trial.make(DeductionStep::Given { cell, value });
            let Some(by) = trial.singles() else { continue };
            let more = self.masks[cell].count() > 2;
            let shorter = best.as_ref().is_none_or(|(other, step, _)| match step {
                DeductionStep::Refuted { by: found, .. } => (more, by.singles.len()) < (*other, found.singles.len()),
                _ => false,
            });
            if shorter {
                let needs = trial.closure(trial.reasons(by.end));
                let needs = needs.into_iter().filter(|&step| (step as usize) < self.steps.len()).collect();
                best = Some((more, DeductionStep::Refuted { cell, value, by }, needs));
            }
        }
        best.map(|(_, step, needs)| self.push(step, needs)).is_some()
    }
}
