//! A layout for programs that show or explain it: the cells of its groups, and whom a cell sees.

use crate::grid::group::Group;
use crate::grid::layout::Layout;

impl Layout {
    /// Every group with its cells as (row, column) from 0: rows, columns, regions, diagonals, windows; not the cells
    /// [beside windows](crate::Group::BesideWindows), which no rule names.
    ///
    /// ```
    /// use cnfkit::Layout;
    /// use cnfkit::sudoku::Group;
    /// let layout = Layout::boxes(2, 2).with_diagonals();
    /// let groups: Vec<_> = layout.each_group().collect();
    /// assert_eq!(groups.len(), 3 * 4 + 2);
    /// assert_eq!(groups[9], (Group::Region(1), vec![(0, 2), (0, 3), (1, 2), (1, 3)]));
    /// ```
    pub fn each_group(&self) -> impl Iterator<Item = (Group, Vec<(usize, usize)>)> {
        let side = self.side();
        let at = move |&cell: &u32| (cell as usize / side, cell as usize % side);
        self.groups_cells().enumerate().map(move |(index, cells)| (self.group(index), cells.iter().map(at).collect()))
    }

    /// The cells that may not have the value of this one, as (row, column) from 0, row by row: those of its groups, and
    /// those a banned chess move away.
    ///
    /// ```
    /// use cnfkit::Layout;
    /// assert_eq!(Layout::boxes(3, 3).peers(4, 4).len(), 20);
    /// assert_eq!(Layout::latin(3).peers(0, 0), [(0, 1), (0, 2), (1, 0), (2, 0)]);
    /// ```
    ///
    /// # Panics
    /// When the cell is outside the grid.
    #[must_use]
    pub fn peers(&self, row: usize, col: usize) -> Vec<(usize, usize)> {
        let side = self.side();
        assert!(row < side && col < side, "row {row}, column {col} is outside the grid");
        let (tables, cell) = (self.tables(), row * side + col);
        let mut peers = tables.banned_of(cell).to_vec();
        tables.groups_of(cell).iter().for_each(|&group| peers.extend(tables.group(group as usize)));
        peers.sort_unstable();
        peers.dedup();
        let peers = peers.into_iter().map(|peer| peer as usize).filter(|&peer| peer != cell);
        peers.map(|peer| (peer / side, peer % side)).collect()
    }
}
