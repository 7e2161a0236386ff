//! Candidates of boards with clues, and the next single that they show.
//!
//! The candidates of a cell are a mask: bit v − 1 for the value v. A clue leaves those that some choice of the
//! candidates of its cells has ([`filter`]), whatever other rules say about these cells.

use std::collections::HashSet;

use cnfkit::sudoku::Group;

use super::{Clue, Clued, Kind};

/// The mask of one value.
pub(super) const fn bit(value: u16) -> u32 {
    1 << (value - 1)
}

/// The mask of all values of a side.
pub(super) const fn all(side: usize) -> u32 {
    (1 << side) - 1
}

/// The values of a mask.
fn values(mask: u32) -> impl Iterator<Item = u16> {
    (1..=32).filter(move |&value| mask & bit(value) != 0)
}

fn bits(mask: u32) -> impl Iterator<Item = u32> {
    values(mask).map(bit)
}

/// The candidates of a clue's cells, in order, that it leaves of these: each of them has a choice of the others with
/// which the clue holds. Nothing is left for some cell exactly where there is no such choice.
pub(super) fn filter(clue: &Clue, masks: &[u32]) -> Vec<u32> {
    match clue.kind {
        Kind::Cage => cage(clue.sum, masks),
        Kind::Thermometer => thermometer(masks),
        Kind::Arrow => arrow(masks),
    }
}

fn cage(sum: Option<u32>, masks: &[u32]) -> Vec<u32> {
    let total = |set: u32| values(set).map(u32::from).sum::<u32>();
    // The sets of values that the first cells can hold, for each number of them.
    let mut held = vec![HashSet::from([0])];
    for &mask in masks {
        let sets = held[held.len() - 1].iter().flat_map(|&set| bits(mask & !set).map(move |value| set | value));
        let sets: HashSet<u32> = sets.collect();
        held.push(sets);
    }
    // Those from which the other cells can be filled, too.
    let whole = held.pop().unwrap_or_default();
    let mut good: HashSet<u32> = whole.into_iter().filter(|&set| sum.is_none_or(|sum| total(set) == sum)).collect();
    let mut left = vec![0; masks.len()];
    for ((sets, &mask), left) in held.iter().zip(masks).zip(&mut left).rev() {
        let mut before = HashSet::new();
        for &set in sets {
            for value in bits(mask & !set).filter(|value| good.contains(&(set | value))) {
                *left |= value;
                before.insert(set);
            }
        }
        good = before;
    }
    left
}

fn thermometer(masks: &[u32]) -> Vec<u32> {
    let mut left = masks.to_vec();
    let mut below = 0;
    for mask in &mut left {
        // Only values above the lowest of the cell before, which all below it are.
        *mask &= !below;
        below = mask.checked_sub(1).map_or(u32::MAX, |less| *mask ^ less);
    }
    let mut above = 0;
    for mask in left.iter_mut().rev() {
        *mask &= !above;
        above = mask.checked_ilog2().map_or(u32::MAX, |highest| u32::MAX << highest);
    }
    left
}

fn arrow(masks: &[u32]) -> Vec<u32> {
    let Some((&circle, shaft)) = masks.split_first() else { return Vec::new() };
    // Bit s of a set of sums says that s is one of them; a circle holds at most 16.
    let plus = |sums: u32, mask: u32| values(mask).fold(0, |all, value| all | (sums << value)) & ((1 << 17) - 1);
    let mut before = vec![1];
    shaft.iter().for_each(|&mask| before.push(plus(before[before.len() - 1], mask)));
    let sums = before[shaft.len()] & (circle << 1);
    let mut left = vec![sums >> 1];
    let mut wanted = sums;
    let mut back: Vec<u32> = Vec::new();
    for (&mask, &before) in shaft.iter().zip(&before).rev() {
        back.push(values(mask).filter(|&value| (before << value) & wanted != 0).map(bit).sum());
        wanted = values(mask).fold(0, |all, value| all | (wanted >> value)) & before;
    }
    left.extend(back.into_iter().rev());
    left
}

/// Values that a clue takes from cells.
#[derive(Clone, Debug)]
pub(crate) struct Lost<'a> {
    pub(crate) clue: &'a Clue,
    pub(crate) value: u16,
    /// The cells, as (row, column) from 0.
    pub(crate) cells: Vec<(usize, usize)>,
}

/// A cell with one value left, or a group with one place left for it, and what has to be ruled out before, in order.
#[derive(Clone, Debug)]
pub(crate) struct Next<'a> {
    pub(crate) row: usize,
    pub(crate) column: usize,
    pub(crate) value: u16,
    /// The group and its cells; `None` where it is the cell.
    pub(crate) group: Option<(Group, Vec<(usize, usize)>)>,
    pub(crate) lost: Vec<Lost<'a>>,
}

impl Clued {
    /// The values that no cell which a cell sees has; those in a cage see each other.
    pub(crate) fn pencil(&self) -> Vec<u32> {
        let (grid, side) = (&self.grid, self.grid.side());
        let cell = |at: usize| {
            let (row, column) = (at / side, at % side);
            if let Some(value) = grid.get(row, column) {
                return bit(value);
            }
            let taken = self.seen(row, column).into_iter().filter_map(|(row, column)| grid.get(row, column));
            taken.fold(all(side), |left, value| left & !bit(value))
        };
        (0..side * side).map(cell).collect()
    }

    /// The cells that cannot have the value of this one.
    pub(crate) fn seen(&self, row: usize, column: usize) -> Vec<(usize, usize)> {
        let mut seen = self.grid.layout().peers(row, column);
        let cages = self.clues.iter().filter(|clue| clue.kind == Kind::Cage && clue.cells.contains(&[row, column]));
        seen.extend(cages.flat_map(|cage| &cage.cells).map(|&[row, column]| (row, column)));
        seen.sort_unstable();
        seen.dedup();
        seen.retain(|&cell| cell != (row, column));
        seen
    }

    /// The pencil marks that clues leave, each by itself: as lists, row by row.
    pub(crate) fn marks(&self) -> Vec<Vec<u16>> {
        let mut masks = self.pencil();
        self.clues.iter().for_each(|clue| drop(self.take(clue, &mut masks)));
        masks.into_iter().map(|mask| values(mask).collect()).collect()
    }

    /// The next single, if candidates show one after as few eliminations by clues as it takes.
    pub(crate) fn next(&self) -> Option<Next<'_>> {
        let groups: Vec<_> = self.grid.layout().each_group().collect();
        let mut masks = self.pencil();
        let mut lost: Vec<Lost<'_>> = Vec::new();
        if let Some(next) = self.single(&groups, &masks) {
            return Some(next);
        }
        loop {
            let before = lost.len();
            for clue in &self.clues {
                lost.extend(self.take(clue, &mut masks));
                if lost.len() > before
                    && let Some(next) = self.single(&groups, &masks)
                {
                    return Some(Next { lost: needed(&next, lost), ..next });
                }
            }
            if lost.len() == before {
                return None;
            }
        }
    }

    /// Takes from the candidates those that a clue does not leave.
    fn take<'a>(&self, clue: &'a Clue, masks: &mut [u32]) -> Vec<Lost<'a>> {
        let side = self.grid.side();
        let at = |&[row, column]: &[usize; 2]| row * side + column;
        let before: Vec<u32> = clue.cells.iter().map(|cell| masks[at(cell)]).collect();
        let left = filter(clue, &before);
        let gone: Vec<u32> = before.iter().zip(&left).map(|(before, left)| before & !left).collect();
        clue.cells.iter().zip(left).for_each(|(cell, left)| masks[at(cell)] = left);
        let losers = |value: u16| -> Vec<(usize, usize)> {
            let cells = clue.cells.iter().zip(&gone).filter(move |(_, gone)| **gone & bit(value) != 0);
            cells.map(|(&[row, column], _)| (row, column)).collect()
        };
        let taken = values(gone.iter().fold(0, |all, gone| all | gone));
        taken.map(|value| Lost { clue, value, cells: losers(value) }).collect()
    }

    fn single(&self, groups: &[(Group, Vec<(usize, usize)>)], masks: &[u32]) -> Option<Next<'static>> {
        let (grid, side) = (&self.grid, self.grid.side());
        let found = |row, column, value, group| Next { row, column, value, group, lost: Vec::new() };
        let open = |row: usize, column: usize| grid.get(row, column).is_none();
        let mask = |row: usize, column: usize| masks[row * side + column];
        let mut cells = (0..side * side).map(|at| (at / side, at % side));
        let naked = cells.find(|&(row, column)| open(row, column) && mask(row, column).is_power_of_two());
        if let Some((row, column)) = naked {
            return values(mask(row, column)).next().map(|value| found(row, column, value, None));
        }
        // A group that holds every value has a place for each.
        for (group, cells) in groups.iter().filter(|(_, cells)| cells.len() == side) {
            for value in 1..=side as u16 {
                let mut places = cells.iter().filter(|(row, column)| mask(*row, *column) & bit(value) != 0);
                if let (Some(&(row, column)), None) = (places.next(), places.next())
                    && open(row, column)
                {
                    return Some(found(row, column, value, Some((*group, cells.clone()))));
                }
            }
        }
        None
    }
}

/// The eliminations that a single follows from: those of its cell, or of its value in its group, and what the clues of
/// those had used before.
fn needed<'a>(next: &Next<'_>, lost: Vec<Lost<'a>>) -> Vec<Lost<'a>> {
    let mut kept: Vec<Lost<'a>> = Vec::new();
    for lost in lost.into_iter().rev() {
        let shows = match &next.group {
            None => lost.cells.contains(&(next.row, next.column)),
            Some((_, cells)) => lost.value == next.value && lost.cells.iter().any(|cell| cells.contains(cell)),
        };
        let among = |clue: &Clue| lost.cells.iter().any(|&(row, column)| clue.cells.contains(&[row, column]));
        if shows || kept.iter().any(|later| among(later.clue)) {
            kept.push(lost);
        }
    }
    kept.reverse();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The candidates that are left, by a look at every choice of them.
    fn looked_at(clue: &Clue, masks: &[u32]) -> Vec<u32> {
        fn choose(clue: &Clue, masks: &[u32], at: usize, chosen: &mut [u16], left: &mut [u32]) {
            if at == masks.len() {
                let total: u16 = chosen.iter().sum();
                let holds = match clue.kind {
                    Kind::Cage => {
                        let twice = (0..at).any(|cell| chosen[..cell].contains(&chosen[cell]));
                        !twice && clue.sum.is_none_or(|sum| sum == u32::from(total))
                    }
                    Kind::Thermometer => chosen.is_sorted_by(|a, b| a < b),
                    Kind::Arrow => total == 2 * chosen[0],
                };
                if holds {
                    left.iter_mut().zip(chosen).for_each(|(left, value)| *left |= bit(*value));
                }
                return;
            }
            for value in values(masks[at]) {
                chosen[at] = value;
                choose(clue, masks, at + 1, chosen, left);
            }
        }
        let mut left = vec![0; masks.len()];
        choose(clue, masks, 0, &mut vec![0; masks.len()], &mut left);
        left
    }

    #[test]
    fn nothing_more_and_nothing_less_than_every_choice_says() {
        let mut seed = 0;
        let mut below = |n: u64| {
            seed += 1;
            crate::api::lot::number(23, seed) % n
        };
        let mut left_out = 0;
        for _ in 0..2000 {
            let side = [4, 9, 16][below(3) as usize];
            let count = 2 + below(3) as usize;
            let kind = [Kind::Cage, Kind::Thermometer, Kind::Arrow][below(3) as usize];
            let masks: Vec<u32> = (0..count).map(|_| below(1 << side) as u32 | bit(1 + below(side) as u16)).collect();
            let sum = (kind == Kind::Cage && below(4) > 0).then(|| below(side * count as u64) as u32);
            let clue = Clue { kind, cells: vec![[0, 0]; count], sum };
            let left = filter(&clue, &masks);
            let expected = looked_at(&clue, &masks);
            if expected.contains(&0) {
                assert!(left.contains(&0), "{clue:?} {masks:?}");
            } else {
                assert_eq!(left, expected, "{clue:?} {masks:?}");
                left_out += usize::from(left != masks);
            }
        }
        assert!(left_out > 200, "{left_out}");
    }
}
