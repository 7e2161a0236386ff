//! The arrangement of the cells, groups and crossings of a layout, as flat tables for deduction.
//!
//! A *crossing* is where a region meets a row or a column (three cells in 9×9 boxes); the crossings of one row, column
//! or region part it, so each of these is a *part*. A region appears twice: parted by rows, and parted by columns.
//! Windows part the grid as regions do, together with the cells that they leave of the lines they lie in: rows 2 to 4
//! hold every value three times, two windows hold it twice, so columns 1, 5 and 9 of these rows hold it once. A layout
//! makes its tables once, when they are first asked for.

use std::ops::Range;

/// The arrangement of cells, groups and their crossings, for one layout.
#[derive(Debug)]
pub(crate) struct Tables {
    side: usize,
    /// Cells of each group, `side` each.
    groups: Vec<u32>,
    /// Groups of each cell: those of cell c are `group_of[group_ends[c]..group_ends[c + 1]]`.
    group_of: Vec<u32>,
    group_ends: Vec<u32>,
    /// Cells that a banned chess move leads to, by cell, in the same way.
    banned: Vec<u32>,
    banned_ends: Vec<u32>,
    /// The crossings of a region or window with a row or a column. Cells of crossing s:
    /// `crossing_cells[crossing_ends[s]..crossing_ends[s+1]]`.
    crossings: Vec<Crossing>,
    crossing_cells: Vec<u32>,
    crossing_ends: Vec<u32>,
    /// The crossings that part one group: those of part p are `parts[part_ends[p]..part_ends[p + 1]]`.
    parts: Vec<u32>,
    part_ends: Vec<u32>,
    /// The group that each part is; none for the cells that windows leave.
    pub(crate) part_groups: Vec<Option<u32>>,
}

/// A division of the grid into as many regions as it has rows, each with every value once.
pub(crate) struct Partition {
    /// The region of each cell, row by row.
    pub(crate) region_of: Vec<u16>,
    /// The groups that the first of these regions are.
    pub(crate) groups: Range<usize>,
}

/// One crossing and the two parts (of its line, and of its region) that it belongs to.
#[derive(Clone, Copy, Debug)]
struct Crossing {
    line: u32,
    region: u32,
}

/// Rows of different lengths, one after the other.
fn flatten(rows: &[Vec<u32>]) -> (Vec<u32>, Vec<u32>) {
    let mut ends = Vec::with_capacity(rows.len() + 1);
    let mut flat = Vec::with_capacity(rows.iter().map(Vec::len).sum());
    ends.push(0);
    for row in rows {
        flat.extend_from_slice(row);
        ends.push(flat.len() as u32);
    }
    (flat, ends)
}

/// Pairs of a cell and something else, in rows by cell: what is said of cell c is `flat[ends[c]..ends[c + 1]]`, in the
/// order given.
fn by_cell<I: Iterator<Item = (u32, u32)>>(n_cells: usize, pairs: impl Fn() -> I) -> (Vec<u32>, Vec<u32>) {
    let mut ends = vec![0; n_cells + 1];
    pairs().for_each(|(cell, _)| ends[cell as usize + 1] += 1);
    (1..=n_cells).for_each(|cell| ends[cell] += ends[cell - 1]);
    let mut next = ends.clone();
    let mut flat = vec![0; ends[n_cells] as usize];
    for (cell, other) in pairs() {
        flat[next[cell as usize] as usize] = other;
        next[cell as usize] += 1;
    }
    (flat, ends)
}

impl Tables {
    /// Of a layout with `groups` (`side` cells each; rows, then columns, then whatever else), its partitions into
    /// regions, and pairs of cells that must differ beside that.
    pub(crate) fn new(
        side: usize,
        groups: &[u32],
        partitions: &[Partition],
        bans: &(impl Iterator<Item = (u32, u32)> + Clone),
    ) -> Self {
        let (group_of, group_ends) =
            by_cell(side * side, || groups.iter().enumerate().map(|(index, &cell)| (cell, (index / side) as u32)));
        let (banned, banned_ends) =
            by_cell(side * side, || bans.clone().flat_map(|(first, second)| [(first, second), (second, first)]));

        // Parts, for each partition: rows, columns, regions by rows, regions by columns.
        let mut crossings: Vec<Crossing> = Vec::new();
        let mut crossing_cells: Vec<Vec<u32>> = Vec::new();
        let mut parts = vec![Vec::new(); 4 * side * partitions.len()];
        let mut part_groups = Vec::with_capacity(parts.len());
        for (number, partition) in partitions.iter().enumerate() {
            let start = 4 * side * number;
            // The last crossing that each region has.
            let mut latest = vec![usize::MAX; side];
            for line in 0..2 * side {
                let first = crossings.len();
                for &cell in &groups[line * side..(line + 1) * side] {
                    let region = usize::from(partition.region_of[cell as usize]);
                    if latest[region] == usize::MAX || latest[region] < first {
                        latest[region] = crossings.len();
                        let region = start + region + if line < side { 2 * side } else { 3 * side };
                        parts[start + line].push(crossings.len() as u32);
                        parts[region].push(crossings.len() as u32);
                        crossings.push(Crossing { line: (start + line) as u32, region: region as u32 });
                        crossing_cells.push(Vec::new());
                    }
                    crossing_cells[latest[region]].push(cell);
                }
            }
            let regions = || (0..side).map(|region| partition.groups.clone().nth(region));
            let groups = (0..2 * side).map(Some).chain(regions()).chain(regions());
            part_groups.extend(groups.map(|group| group.map(|group| group as u32)));
        }
        let (crossing_cells, crossing_ends) = flatten(&crossing_cells);
        let (parts, part_ends) = flatten(&parts);
        let groups = groups.to_vec();
        Self {
            side,
            groups,
            group_of,
            group_ends,
            banned,
            banned_ends,
            crossings,
            crossing_cells,
            crossing_ends,
            parts,
            part_ends,
            part_groups,
        }
    }

    pub(crate) fn side(&self) -> usize {
        self.side
    }

    /// The cells of each crossing.
    pub(crate) fn crossings(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.crossing_ends.windows(2).map(|ends| &self.crossing_cells[ends[0] as usize..ends[1] as usize])
    }

    /// The cells of a crossing.
    #[inline]
    pub(crate) fn crossing(&self, index: u32) -> &[u32] {
        let ends = &self.crossing_ends[index as usize..index as usize + 2];
        &self.crossing_cells[ends[0] as usize..ends[1] as usize]
    }

    /// The crossings that part each row, column and region (by rows, then by columns), for each partition.
    pub(crate) fn parts(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..self.part_groups.len()).map(|part| self.part(part))
    }

    /// The crossings of one part.
    #[inline]
    pub(crate) fn part(&self, part: usize) -> &[u32] {
        &self.parts[self.part_ends[part] as usize..self.part_ends[part + 1] as usize]
    }

    /// The other part that a crossing of `part` belongs to.
    #[inline]
    pub(crate) fn other_part(&self, crossing: u32, part: usize) -> usize {
        let Crossing { line, region } = self.crossings[crossing as usize];
        if part % (4 * self.side) < 2 * self.side { region as usize } else { line as usize }
    }

    /// Of a crossing seen from `part`, one of its line's or its region's: the crossings of the other.
    #[inline]
    pub(crate) fn across(&self, crossing: u32, part: usize) -> &[u32] {
        self.part(self.other_part(crossing, part))
    }

    #[inline]
    pub(crate) fn group(&self, index: usize) -> &[u32] {
        &self.groups[index * self.side..(index + 1) * self.side]
    }

    #[inline]
    pub(crate) fn groups_of(&self, cell: usize) -> &[u32] {
        &self.group_of[self.group_ends[cell] as usize..self.group_ends[cell + 1] as usize]
    }

    #[inline]
    pub(crate) fn banned_of(&self, cell: usize) -> &[u32] {
        &self.banned[self.banned_ends[cell] as usize..self.banned_ends[cell + 1] as usize]
    }

    pub(crate) fn n_groups(&self) -> usize {
        self.groups.len() / self.side
    }
}
