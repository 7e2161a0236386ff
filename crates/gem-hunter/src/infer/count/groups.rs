//! The cells of a part in groups, and an order of the groups in which few numbers are half done at a time.
//!
//! The order is found number by number: all groups of a number that are left are decided, and the number is done. Three
//! ways to choose the next number are tried, and the one with the least sum of estimated states is taken: the number
//! that brings in the fewest new ones (good for windy parts), column by column, and row by row (good for wide ones).

use crate::board::GemBoard;
use crate::infer::deduce::BoardState;
use cnfkit_core::internals::sort;

/// One group, and what deciding it does to a state.
///
/// A state is a word of fields, one a number of the frontier, that hold how many traps the number still needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroupTransition {
    /// The number of cells of the group.
    pub(crate) cells: u32,
    /// The end of its cells among all cells.
    cells_end: u32,
    /// The start and the end of the group's fields among all fields.
    fields: (u32, u32),
    /// The needs of the numbers that enter the frontier here, each in its field.
    enter: u128,
    /// 1 in the field of each number that touches the group.
    one: u128,
}

/// A number that touches the group.
#[derive(Clone, Copy, Debug)]
struct Field {
    shift: u32,
    /// The number of its cells that are in later groups.
    later: u32,
}

/// The groups of one part after another; keeps its memory.
#[derive(Clone, Debug)]
pub(crate) struct PartGroups {
    /// Cells, group by group in the order of the steps.
    cells: Vec<u32>,
    fields: Vec<Field>,
    steps: Vec<GroupTransition>,
    mask: u128,
    /// For a number of the board, its index in the part.
    index: Vec<u32>,
    part: BoardPart,
}

/// Numbers and groups of a part, each knowing the other.
#[derive(Clone, Debug, Default)]
struct BoardPart {
    /// Cells, group by group.
    cells: Vec<u32>,
    /// The end of each group in `cells`, and in `touching`.
    groups: Vec<(u32, u32)>,
    /// The numbers of each group.
    touching: Vec<u32>,
    /// The groups of each number, and where they end.
    open: Vec<u32>,
    open_ends: Vec<u32>,
    /// The number of traps that each number needs.
    needs: Vec<u32>,
}

/// Groups of a part up to which they are decided in the order in which a search meets their numbers: so few
/// groups have few states in any order, and finding a better order takes longer than it saves.
const FEW: usize = 8;

impl PartGroups {
    pub(crate) fn new(board: &GemBoard) -> Self {
        Self {
            cells: Vec::new(),
            fields: Vec::new(),
            steps: Vec::new(),
            mask: 0,
            index: vec![0; board.n_numbers()],
            part: BoardPart::default(),
        }
    }

    /// Groups and orders the cells of a part; false when no order keeps the frontier within one word.
    pub(crate) fn plan(&mut self, state: &BoardState<'_>, cells: &[u32], numbers: &[u32]) -> bool {
        self.part.group(state, cells, numbers, &mut self.index);
        let most = self.part.needs.iter().copied().max().unwrap_or(0);
        let bits = (u32::BITS - most.leading_zeros()).max(1);
        self.mask = (1 << bits) - 1;
        let slots = (u128::BITS / bits) as usize;
        let Some(order) = self.part.order(state.board, numbers, slots) else { return false };
        self.make_steps(&order, bits);
        true
    }

    pub(crate) fn steps(&self) -> &[GroupTransition] {
        &self.steps
    }

    /// The cells of a step's group.
    pub(crate) fn cells(&self, step: &GroupTransition) -> &[u32] {
        &self.cells[(step.cells_end - step.cells) as usize..step.cells_end as usize]
    }

    /// A state with the numbers in it that enter at this step, and the fewest and the most traps the group may have:
    /// more fewest than most if it is a dead end.
    #[inline]
    pub(crate) fn open(&self, step: &GroupTransition, key: u128) -> (u128, u32, u32) {
        let key = key + step.enter;
        let (mut fewest, mut most) = (0, step.cells);
        for field in &self.fields[step.fields.0 as usize..step.fields.1 as usize] {
            let need = (key >> field.shift & self.mask) as u32;
            fewest = fewest.max(need.saturating_sub(field.later));
            most = most.min(need);
        }
        (key, fewest, most)
    }

    /// Makes the steps of an order of groups.
    fn make_steps(&mut self, order: &[u32], bits: u32) {
        let Self { cells, fields, steps, part, .. } = self;
        cells.clear();
        fields.clear();
        steps.clear();
        let mut left: Vec<u32> = (0..part.needs.len()).map(|number| part.open_cells(number)).collect();
        let mut shifts: Vec<Option<u32>> = vec![None; part.needs.len()];
        let mut free: Vec<u32> = (0..u128::BITS / bits).rev().map(|slot| slot * bits).collect();
        for &group in order {
            let group = group as usize;
            let of_group = part.cells_of(group);
            let size = of_group.len() as u32;
            cells.extend(of_group);
            let (mut enter, mut one) = (0, 0);
            let first_field = fields.len() as u32;
            for &number in part.touching(group) {
                let number = number as usize;
                let shift = *shifts[number].get_or_insert_with(|| {
                    let shift = free.pop().expect("the order keeps to the number of slots");
                    enter |= u128::from(part.needs[number]) << shift;
                    shift
                });
                left[number] -= size;
                one |= 1 << shift;
                fields.push(Field { shift, later: left[number] });
            }
            for &number in part.touching(group) {
                if left[number as usize] == 0 {
                    free.extend(shifts[number as usize]);
                }
            }
            let (cells_end, fields) = (cells.len() as u32, (first_field, fields.len() as u32));
            steps.push(GroupTransition { cells: size, cells_end, fields, enter, one });
        }
    }
}

impl GroupTransition {
    /// The state after the group got so many traps.
    #[inline]
    pub(crate) const fn take(&self, key: u128, traps: u32) -> u128 {
        key - self.one * traps as u128
    }
}

impl BoardPart {
    fn group(&mut self, state: &BoardState<'_>, cells: &[u32], numbers: &[u32], index: &mut [u32]) {
        let board = state.board;
        self.cells.clear();
        self.cells.extend(cells);
        self.cells.sort_unstable_by(|&a, &b| {
            let touching = |cell: u32| board.touching(cell as usize);
            touching(a).cmp(touching(b)).then(a.cmp(&b))
        });
        self.needs.clear();
        for (at, &number) in numbers.iter().enumerate() {
            index[number as usize] = at as u32;
            self.needs.push(state.left(number).need.unsigned_abs());
        }
        self.groups.clear();
        self.touching.clear();
        let mut end = 0;
        let same = |&a: &u32, &b: &u32| board.touching(a as usize) == board.touching(b as usize);
        for group in self.cells.chunk_by(same) {
            end += group.len() as u32;
            self.touching.extend(board.touching(group[0] as usize).iter().map(|&number| index[number as usize]));
            self.groups.push((end, self.touching.len() as u32));
        }
        self.open_ends.clear();
        self.open_ends.resize(numbers.len() + 1, 0);
        for &number in &self.touching {
            self.open_ends[number as usize + 1] += 1;
        }
        for at in 0..numbers.len() {
            self.open_ends[at + 1] += self.open_ends[at];
        }
        self.open.clear();
        self.open.resize(self.touching.len(), 0);
        let mut next = self.open_ends.clone();
        for group in 0..self.groups.len() {
            let (_, end) = self.groups[group];
            for &number in &self.touching[self.start(group).1 as usize..end as usize] {
                let at = &mut next[number as usize];
                self.open[*at as usize] = group as u32;
                *at += 1;
            }
        }
    }

    fn start(&self, group: usize) -> (u32, u32) {
        group.checked_sub(1).map_or((0, 0), |before| self.groups[before])
    }

    fn cells_of(&self, group: usize) -> &[u32] {
        &self.cells[self.start(group).0 as usize..self.groups[group].0 as usize]
    }

    fn touching(&self, group: usize) -> &[u32] {
        &self.touching[self.start(group).1 as usize..self.groups[group].1 as usize]
    }

    fn open(&self, number: usize) -> &[u32] {
        &self.open[self.open_ends[number] as usize..self.open_ends[number + 1] as usize]
    }

    fn open_cells(&self, number: usize) -> u32 {
        self.open(number).iter().map(|&group| self.cells_of(group as usize).len() as u32).sum()
    }

    /// The groups in the best order found, or `None` if the frontier is wider than `slots` in all of them.
    fn order(&self, board: &GemBoard, numbers: &[u32], slots: usize) -> Option<Vec<u32>> {
        let count = numbers.len() as u32;
        if self.groups.len() <= FEW && numbers.len() <= slots {
            return GroupOrder::new(self, slots).close_all(0..count);
        }
        let cell = |number: u32| board.cell(numbers[number as usize] as usize);
        let mut by_row: Vec<u32> = (0..count).collect();
        sort::by_key(&mut by_row, |&number| cell(number) as u64);
        let mut by_column = by_row.clone();
        sort::by_key(&mut by_column, |&number| (cell(number) % board.map.columns()) as u64);
        let last = *by_column.first()?;
        let mut best: Option<(f64, Vec<u32>)> = None;
        for way in 0..4 {
            let mut order = GroupOrder::new(self, slots);
            let done = match way {
                0 => order.close_greedily(last),
                1 => order.close_greedily(count - 1),
                2 => order.close_each(by_column.iter().copied()),
                _ => order.close_each(by_row.iter().copied()),
            };
            if done && best.as_ref().is_none_or(|(states, _)| order.states < *states) {
                best = Some((order.states, order.groups));
            }
        }
        best.map(|(_, groups)| groups)
    }
}

/// An order of groups that grows number by number.
struct GroupOrder<'a> {
    part: &'a BoardPart,
    slots: usize,
    groups: Vec<u32>,
    group_done: Vec<bool>,
    place: Vec<GroupPlace>,
    /// The numbers of the frontier, longest there first.
    frontier: Vec<u32>,
    /// Estimated states of all layers so far.
    states: f64,
    /// Numbers seen in one look ahead.
    seen: Vec<u32>,
    look: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GroupPlace {
    Before,
    Frontier,
    Done,
}

impl<'a> GroupOrder<'a> {
    fn new(part: &'a BoardPart, slots: usize) -> Self {
        let numbers = part.needs.len();
        Self {
            part,
            slots,
            groups: Vec::with_capacity(part.groups.len()),
            group_done: vec![false; part.groups.len()],
            place: vec![GroupPlace::Before; numbers],
            frontier: Vec::new(),
            states: 0.0,
            seen: vec![0; numbers],
            look: 0,
        }
    }

    fn close_all(mut self, numbers: impl Iterator<Item = u32>) -> Option<Vec<u32>> {
        self.close_each(numbers).then_some(self.groups)
    }

    fn close_each(&mut self, mut numbers: impl Iterator<Item = u32>) -> bool {
        numbers.all(|number| self.close(number))
    }

    /// Always the number of the frontier that brings in the fewest; of these, the one that is there longest.
    fn close_greedily(&mut self, first: u32) -> bool {
        if !self.close(first) {
            return false;
        }
        while !self.frontier.is_empty() {
            let frontier = self.frontier.clone();
            let next = frontier.into_iter().min_by_key(|&number| self.brings_in(number));
            if !next.is_none_or(|number| self.close(number)) {
                return false;
            }
        }
        self.groups.len() == self.part.groups.len()
    }

    /// The number of numbers that would enter the frontier if this one was done.
    fn brings_in(&mut self, number: u32) -> usize {
        self.look += 1;
        let mut count = 0;
        for &group in self.part.open(number as usize) {
            if self.group_done[group as usize] {
                continue;
            }
            for &other in self.part.touching(group as usize) {
                let seen = std::mem::replace(&mut self.seen[other as usize], self.look) == self.look;
                count += usize::from(!seen && self.place[other as usize] == GroupPlace::Before);
            }
        }
        count
    }

    /// Decides all groups of a number that are left; false when the frontier gets too wide.
    fn close(&mut self, number: u32) -> bool {
        for &group in self.part.open(number as usize) {
            if std::mem::replace(&mut self.group_done[group as usize], true) {
                continue;
            }
            self.groups.push(group);
            for &other in self.part.touching(group as usize) {
                if self.place[other as usize] == GroupPlace::Before {
                    self.place[other as usize] = GroupPlace::Frontier;
                    self.frontier.push(other);
                }
            }
            // Numbers leave the frontier below, after all groups of this one: the slots must do until then.
            if self.frontier.len() > self.slots {
                return false;
            }
            self.states += self.estimate();
        }
        let Self { frontier, place, part, group_done, .. } = self;
        frontier.retain(|&number| {
            let left = part.open(number as usize).iter().any(|&group| !group_done[group as usize]);
            if !left {
                place[number as usize] = GroupPlace::Done;
            }
            left
        });
        true
    }

    /// About how many states the frontier allows: all combinations of what its numbers may need.
    fn estimate(&self) -> f64 {
        self.frontier.iter().map(|&number| f64::from(self.part.needs[number as usize] + 1)).product()
    }
}
