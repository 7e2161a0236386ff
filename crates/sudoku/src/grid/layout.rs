//! The shape of a grid: its rows, columns and regions, and the other cells that must differ.

use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, LazyLock, OnceLock};

use rustc_hash::FxHashMap;

use crate::grid::error::{LayoutError, MAX_CELLS, MAX_SIDE, shown};
use crate::grid::group::Group;
use crate::grid::tables::{Partition, Tables};
use cnfkit_core::internals::sort;

/// The shape of a Sudoku: its side n, its n regions of n cells each (or none), and extra rules.
///
/// Rows and columns always hold every value once, and so does every region. Regions need not be connected. "Side" is
/// the number of rows; a box of r rows and c columns gives side r·c (what some texts call *order*).
///
/// Printed and parsed as `boxes 3x3`, `latin 5`, `regions AAABB/AACBB/DCCCB/DDCEE/DDEEE`, `side 7`, each with `+
/// diagonals`, `+ windows`, `+ anti-knight`, `+ anti-king` behind it as needed. `jigsaw 9 7` is parsed, too: the
/// [regions by lot](Layout::jigsaw) of side 9 and seed 7.
///
/// ```
/// use cnfkit::Layout;
/// assert_eq!(Layout::boxes(2, 3).side(), 6);
/// let pentominoes = Layout::regions("AAABB/AACBB/DCCCB/DDCEE/DDEEE").unwrap();
/// assert_eq!(pentominoes, Layout::for_side(5));
/// assert_eq!("boxes 3x3 + diagonals".parse::<Layout>().unwrap(), Layout::boxes(3, 3).with_diagonals());
/// ```
#[derive(Clone)]
pub struct Layout(Arc<Inner>);

struct Inner {
    side: usize,
    shape: LayoutShape,
    extras: Extras,
    /// The region of each cell, row by row; nothing without regions.
    region_of: Vec<u16>,
    /// The groups, `side` cells each: rows, columns, regions, diagonals, windows.
    cells: Vec<u32>,
    /// The tables for deduction, made when they are first asked for.
    tables: OnceLock<Tables>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LayoutShape {
    Latin,
    Boxes(usize, usize),
    Regions,
}

// Four independent rules, each there or not.
#[allow(clippy::struct_excessive_bools)]
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Extras {
    diagonals: bool,
    windows: bool,
    anti_knight: bool,
    anti_king: bool,
}

/// Characters of a wrong text that its error shows, and of a region's label.
const TEXT_SHOWN: usize = 60;
const LABEL_SHOWN: usize = 20;

/// The usual regions of side 5, five pentominoes.
const PENTOMINOES: &str = "AAABB/AACBB/DCCCB/DDCEE/DDEEE";
/// The usual regions of side 7, seven heptominoes.
const HEPTOMINOES: &str = "AAABBBB/AAABBBC/DDAEECC/DDEEECC/DDEEFCC/DGGGFFF/GGGGFFF";

impl Layout {
    /// The largest side: n³ variables must be variables of rustsat.
    pub const MAX_SIDE: usize = MAX_SIDE;

    /// Boxes of `rows` rows and `cols` columns; the side is `rows · cols`. Boxes of one row or one column are no more
    /// than rows or columns: that layout is [`latin`](Self::latin).
    ///
    /// # Panics
    /// When the side is 0 or beyond [`MAX_SIDE`](Self::MAX_SIDE).
    #[must_use]
    pub fn boxes(rows: usize, cols: usize) -> Self {
        static NINE: LazyLock<Layout> = LazyLock::new(|| Layout::try_boxes(3, 3).expect("9 is a side"));
        if (rows, cols) == (3, 3) {
            return NINE.clone();
        }
        Self::try_boxes(rows, cols).unwrap_or_else(|error| panic!("{error}"))
    }

    /// No regions: rows and columns only.
    ///
    /// # Panics
    /// When `side` is 0 or beyond [`MAX_SIDE`](Self::MAX_SIDE).
    #[must_use]
    pub fn latin(side: usize) -> Self {
        Self::try_boxes(1, side).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The usual layout of a side.
    ///
    /// | side | layout |
    /// |---|---|
    /// | 5 | pentominoes, `AAABB/AACBB/DCCCB/DDCEE/DDEEE` |
    /// | 7 | heptominoes, `AAABBBB/AAABBBC/DDAEECC/DDEEECC/DDEEFCC/DGGGFFF/GGGGFFF` |
    /// | 1, 2, 3 and other primes | Latin square |
    /// | any other | boxes r×c, r ≤ c, as square as can be: 6 = 2×3, 9 = 3×3, 10 = 2×5, 12 = 3×4, 100 = 10×10 |
    ///
    /// # Panics
    /// When `side` is 0 or beyond [`MAX_SIDE`](Self::MAX_SIDE).
    #[must_use]
    pub fn for_side(side: usize) -> Self {
        if side == 9 {
            return Self::boxes(3, 3);
        }
        Self::try_for_side(side).unwrap_or_else(|error| panic!("{error}"))
    }

    pub(crate) fn try_for_side(side: usize) -> Result<Self, LayoutError> {
        match side {
            5 => Self::regions(PENTOMINOES),
            7 => Self::regions(HEPTOMINOES),
            // Before divisors of a number of any size are looked for.
            _ if side == 0 || side > MAX_SIDE => Err(LayoutError::Side { side }),
            _ => {
                let rows = (1..=side.isqrt()).rev().find(|rows| side.is_multiple_of(*rows)).unwrap_or(1);
                Self::try_boxes(rows, side / rows)
            }
        }
    }

    pub(crate) fn try_boxes(rows: usize, cols: usize) -> Result<Self, LayoutError> {
        let side = rows.saturating_mul(cols);
        if side == 0 || side > Self::MAX_SIDE {
            return Err(LayoutError::Side { side });
        }
        if rows == 1 || cols == 1 {
            return Ok(Self::build(side, LayoutShape::Latin, Extras::default(), Vec::new()));
        }
        let cells = (0..side * side).map(|cell| (cell / side, cell % side));
        let region_of = cells.map(|(row, col)| (row / rows * rows + col / cols) as u16).collect();
        Ok(Self::build(side, LayoutShape::Boxes(rows, cols), Extras::default(), region_of))
    }

    /// Regions of any shape, drawn: rows of one letter (or any other sign) per cell, parted by blanks, line ends or
    /// `/`; or all n² letters in one word; or n² labels of any length parted by blanks or commas.
    ///
    /// # Errors
    /// When the regions do not part a square into n regions of n cells; the error names a cell that is wrong.
    pub fn regions(text: &str) -> Result<Self, LayoutError> {
        let parts = |c: char| c.is_whitespace() || c == '/' || c == ',';
        let rows = || text.split(parts).filter(|row| !row.is_empty());
        let n_rows = rows().count();
        let signs = if n_rows == 1 { text.chars().count() } else { n_rows };
        if signs > MAX_CELLS {
            return Err(LayoutError::Side { side: signs.isqrt() + 1 });
        }
        let rows: Vec<&str> = rows().collect();
        let width = rows.first().map_or(0, |row| row.chars().count());
        if rows.len() > 1 && width > 1 && rows.iter().any(|row| row.starts_with(|c: char| !c.is_ascii_digit())) {
            if let Some((row, cells)) = rows.iter().map(|row| row.chars().count()).enumerate().find(|x| x.1 != width) {
                return Err(LayoutError::Ragged { row, cells, side: width });
            }
            if rows.len() != width {
                return Err(LayoutError::NotSquare { cells: rows.len() * width });
            }
        }
        let drawn = rows.iter().all(|row| row.chars().count() == rows.len());
        if drawn || rows.len() == 1 {
            let labels: Vec<&str> = rows.iter().flat_map(|row| row.split("")).filter(|sign| !sign.is_empty()).collect();
            return Self::from_labels(&labels);
        }
        Self::from_labels(&rows)
    }

    /// Regions as lists of (row, column), counted from 0: one list per region.
    ///
    /// ```
    /// use cnfkit::sudoku::LayoutError;
    /// use cnfkit::Layout;
    /// let twice = Layout::groups(2, &[[(0, 0), (0, 1)], [(0, 1), (1, 1)]]).unwrap_err();
    /// assert_eq!(twice.to_string(), "row 1, column 2 is in region 1 and again in region 2");
    /// ```
    ///
    /// # Errors
    /// When the lists do not part the grid into `side` regions of `side` cells; the error names a cell that is wrong.
    pub fn groups<G: AsRef<[(usize, usize)]>>(side: usize, groups: &[G]) -> Result<Self, LayoutError> {
        const NONE: usize = usize::MAX;
        if side == 0 || side > Self::MAX_SIDE {
            return Err(LayoutError::Side { side });
        }
        let mut region_of = vec![NONE; side * side];
        for (region, group) in groups.iter().enumerate() {
            for &(row, col) in group.as_ref() {
                if row >= side || col >= side {
                    return Err(LayoutError::Outside { row, col, region, side });
                }
                match region_of[row * side + col] {
                    NONE => region_of[row * side + col] = region,
                    first => return Err(LayoutError::Repeated { row, col, first, second: region }),
                }
            }
        }
        if let Some(cell) = region_of.iter().position(|&region| region == NONE) {
            return Err(LayoutError::Missing { row: cell / side, col: cell % side });
        }
        Self::from_numbers(&region_of)
    }

    /// Regions by the number of each cell's, from 0.
    pub(super) fn from_numbers(region_of: &[usize]) -> Result<Self, LayoutError> {
        let names: Vec<String> = region_of.iter().map(|region| (region + 1).to_string()).collect();
        Self::from_labels(&names.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Regions by one label per cell, row by row.
    pub(crate) fn from_labels(labels: &[&str]) -> Result<Self, LayoutError> {
        let side = labels.len().isqrt();
        if side * side != labels.len() {
            return Err(LayoutError::NotSquare { cells: labels.len() });
        }
        if side == 0 || side > Self::MAX_SIDE {
            return Err(LayoutError::Side { side });
        }
        let mut numbers: FxHashMap<&str, u16> = FxHashMap::default();
        let mut sizes: Vec<usize> = Vec::new();
        let mut region_of: Vec<u16> = Vec::with_capacity(labels.len());
        let at = |cell: usize| (cell / side, cell % side);
        for (cell, label) in labels.iter().enumerate() {
            let region = *numbers.entry(label).or_insert(sizes.len() as u16);
            if usize::from(region) == sizes.len() {
                if sizes.len() == side {
                    let found = labels.iter().map(|&label| (label, 0)).collect::<FxHashMap<&str, u16>>().len();
                    let (row, col) = at(cell);
                    return Err(LayoutError::RegionCount { found, side, row, col });
                }
                sizes.push(0);
            }
            let size = &mut sizes[usize::from(region)];
            *size += 1;
            if *size > side {
                let (cells, (row, col)) = (labels.iter().filter(|&other| other == label).count(), at(cell));
                let region = shown(label, LABEL_SHOWN);
                return Err(LayoutError::RegionSize { region, cells, side, row, col });
            }
            region_of.push(region);
        }
        // n² cells in regions of at most n cells each, at most n of them: the partition is complete.
        Ok(Self::build(side, LayoutShape::Regions, Extras::default(), region_of))
    }

    /// This layout with both diagonals as groups too (Sudoku X).
    #[must_use]
    pub fn with_diagonals(self) -> Self {
        self.with(|extras| extras.diagonals = true)
    }

    /// This layout with an extra box inside every four boxes (Windoku): (r − 1)² of them for boxes r×r.
    ///
    /// # Errors
    /// When the layout has no square boxes.
    pub fn with_windows(self) -> Result<Self, LayoutError> {
        match self.0.shape {
            LayoutShape::Boxes(rows, cols) if rows == cols => Ok(self.with(|extras| extras.windows = true)),
            _ => Err(LayoutError::NoWindows { layout: self.shown() }),
        }
    }

    /// This layout where cells a chess knight's move apart differ.
    ///
    /// ```
    /// use cnfkit::{Grid, Layout, SudokuEncoder};
    /// let count = |layout: Layout| SudokuEncoder::new(Grid::empty(layout)).count(1_000);
    /// assert_eq!(count(Layout::latin(4))?, 576);
    /// assert!(count(Layout::latin(4).with_anti_knight())? < 576 && count(Layout::latin(4).with_anti_king())? < 576);
    /// assert!(Layout::boxes(3, 3).with_windows().is_ok() && Layout::boxes(2, 3).with_windows().is_err());
    /// # Ok::<(), cnfkit::SudokuError>(())
    /// ```
    #[must_use]
    pub fn with_anti_knight(self) -> Self {
        self.with(|extras| extras.anti_knight = true)
    }

    /// This layout where cells that touch at a corner differ.
    #[must_use]
    pub fn with_anti_king(self) -> Self {
        self.with(|extras| extras.anti_king = true)
    }

    /// The beginning of its text, for a message: regions of side 1290 would take megabytes.
    pub(crate) fn shown(&self) -> String {
        shown(&self.to_string(), TEXT_SHOWN)
    }

    fn with(self, change: impl FnOnce(&mut Extras)) -> Self {
        let Inner { side, shape, mut extras, ref region_of, .. } = *self.0;
        change(&mut extras);
        Self::build(side, shape, extras, region_of.clone())
    }

    fn build(side: usize, shape: LayoutShape, extras: Extras, region_of: Vec<u16>) -> Self {
        let square = side * side;
        let mut cells: Vec<u32> = Vec::with_capacity(3 * square);
        cells.extend(0..square as u32);
        cells.extend((0..square).map(|i| (i % side * side + i / side) as u32));
        if !region_of.is_empty() {
            let mut order: Vec<u32> = (0..square as u32).collect();
            sort::by_key(&mut order, |&cell| region_of[cell as usize].into());
            cells.extend(order);
        }
        if extras.diagonals {
            cells.extend((0..side).map(|i| (i * side + i) as u32));
            cells.extend((0..side).map(|i| (i * side + side - 1 - i) as u32));
        }
        if let (true, LayoutShape::Boxes(rows, _)) = (extras.windows, shape) {
            let starts = || (0..rows - 1).map(|i| 1 + i * (rows + 1));
            for (top, left) in starts().flat_map(|top| starts().map(move |left| (top, left))) {
                cells.extend((0..side).map(|i| ((top + i / rows) * side + left + i % rows) as u32));
            }
        }
        Self(Arc::new(Inner { side, shape, extras, region_of, cells, tables: OnceLock::new() }))
    }

    /// The number of rows, of columns, and of values.
    #[must_use]
    pub fn side(&self) -> usize {
        self.0.side
    }

    /// The region of a cell, counted from 0 in the order of their first cells; `None` for a Latin square.
    ///
    /// # Panics
    /// When the cell is outside the grid.
    #[must_use]
    pub fn region(&self, row: usize, col: usize) -> Option<usize> {
        assert!(row < self.side() && col < self.side(), "row {row}, column {col} is outside the grid");
        self.0.region_of.get(row * self.side() + col).map(|&region| usize::from(region))
    }

    /// Rows and columns of a box, when regions are boxes.
    pub(crate) fn box_size(&self) -> Option<(usize, usize)> {
        match self.0.shape {
            LayoutShape::Boxes(rows, cols) => Some((rows, cols)),
            _ => None,
        }
    }

    pub(crate) fn tables(&self) -> &Tables {
        let Inner { side, ref cells, .. } = *self.0;
        self.0.tables.get_or_init(|| Tables::new(side, cells, &self.partitions(), &self.bans()))
    }

    /// The regions, and the windows with the cells that they leave.
    fn partitions(&self) -> Vec<Partition> {
        let Inner { side, ref cells, ref region_of, shape, extras, .. } = *self.0;
        let mut partitions = Vec::new();
        if !region_of.is_empty() {
            partitions.push(Partition { region_of: region_of.clone(), groups: 2 * side..3 * side });
        }
        if let (true, LayoutShape::Boxes(size, _)) = (extras.windows, shape) {
            let (along, groups) = (size - 1, cells.len() / side);
            // The window of a line, counted from 0; the lines between windows have none.
            let window =
                |line: usize| line.checked_sub(1).filter(|at| at % (size + 1) < size).map(|at| at / (size + 1));
            let region = |cell: usize| match (window(cell / side), window(cell % side)) {
                (Some(row), Some(col)) => row * along + col,
                (Some(row), None) => along * along + row,
                (None, Some(col)) => along * along + along + col,
                (None, None) => side - 1,
            };
            let region_of = (0..side * side).map(|cell| region(cell) as u16).collect();
            partitions.push(Partition { region_of, groups: groups - along * along..groups });
        }
        partitions
    }

    /// True if there is nothing beyond rows, columns and regions.
    pub(crate) fn is_plain(&self) -> bool {
        self.0.extras == Extras::default()
    }

    /// Cells, numbered row by row, of each group: rows, then columns, regions, diagonals, windows.
    pub(crate) fn groups_cells(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        self.0.cells.chunks_exact(self.0.side)
    }

    /// The kind and number of group `index` of [`groups_cells`](Self::groups_cells).
    pub(crate) fn group(&self, index: usize) -> Group {
        let side = self.side();
        let regions = if self.0.region_of.is_empty() { 0 } else { side };
        let diagonals = if self.0.extras.diagonals { 2 } else { 0 };
        match index {
            _ if index < side => Group::Row(index),
            _ if index < 2 * side => Group::Column(index - side),
            _ if index < 2 * side + regions => Group::Region(index - 2 * side),
            _ if index < 2 * side + regions + diagonals => Group::Diagonal(index - 2 * side - regions),
            _ => Group::Window(index - 2 * side - regions - diagonals),
        }
    }

    /// Pairs of cells, the lower number first, that must differ because of a chess move.
    pub(crate) fn bans(&self) -> Bans {
        let side = self.side();
        let knight: &'static [(usize, isize)] =
            if self.0.extras.anti_knight { &[(1, -2), (1, 2), (2, -1), (2, 1)] } else { &[] };
        let king: &'static [(usize, isize)] = if self.0.extras.anti_king { &[(1, -1), (1, 1)] } else { &[] };
        let cells = if knight.is_empty() && king.is_empty() { 0 } else { side * side };
        Bans { side, cells: 0..cells, moves: [king, knight], next: 0 }
    }
}

/// See [`Layout::bans`].
#[derive(Clone, Debug)]
pub(crate) struct Bans {
    side: usize,
    /// The cells of which not all moves have been tried.
    cells: std::ops::Range<usize>,
    moves: [&'static [(usize, isize)]; 2],
    /// The move that the first of them makes next, of both lists together.
    next: usize,
}

impl Iterator for Bans {
    type Item = (u32, u32);

    fn next(&mut self) -> Option<(u32, u32)> {
        let [king, knight] = self.moves;
        while !self.cells.is_empty() {
            let (cell, side) = (self.cells.start, self.side);
            let Some(&(down, right)) = king.get(self.next).or_else(|| knight.get(self.next - king.len())) else {
                self.next = 0;
                self.cells.start += 1;
                continue;
            };
            self.next += 1;
            let (row, col) = (cell / side + down, (cell % side).checked_add_signed(right));
            if let Some(col) = col.filter(|&col| row < side && col < side) {
                return Some((cell as u32, (row * side + col) as u32));
            }
        }
        None
    }
}

impl PartialEq for Layout {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (&*self.0, &*other.0);
        Arc::ptr_eq(&self.0, &other.0) || (a.side == b.side && a.extras == b.extras && a.region_of == b.region_of)
    }
}

impl Eq for Layout {}

impl fmt::Debug for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Layout({self})")
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        let side = self.side();
        match self.0.shape {
            LayoutShape::Latin => write!(f, "latin {side}")?,
            LayoutShape::Boxes(rows, cols) => write!(f, "boxes {rows}x{cols}")?,
            LayoutShape::Regions if side <= LETTERS.len() => {
                for (i, row) in self.0.region_of.chunks(side).enumerate() {
                    f.write_str(if i == 0 { "regions " } else { "/" })?;
                    row.iter().try_for_each(|&region| write!(f, "{}", char::from(LETTERS[usize::from(region)])))?;
                }
            }
            LayoutShape::Regions => {
                f.write_str("regions ")?;
                for (i, region) in self.0.region_of.iter().enumerate() {
                    write!(f, "{}{}", if i == 0 { "" } else { "," }, region + 1)?;
                }
            }
        }
        let Extras { diagonals, windows, anti_knight, anti_king } = self.0.extras;
        let names =
            [(diagonals, "diagonals"), (windows, "windows"), (anti_knight, "anti-knight"), (anti_king, "anti-king")];
        names.iter().filter(|(on, _)| *on).try_for_each(|(_, name)| write!(f, " + {name}"))
    }
}

impl FromStr for Layout {
    type Err = LayoutError;

    fn from_str(text: &str) -> Result<Self, LayoutError> {
        let wrong = || LayoutError::Syntax { text: shown(text, TEXT_SHOWN) };
        let mut parts = text.split('+').map(str::trim);
        let shape = parts.next().unwrap_or_default();
        let (word, rest) = shape.split_once(char::is_whitespace).ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
        let is = |name: &str| word.eq_ignore_ascii_case(name);
        let layout = if is("boxes") {
            let (rows, cols) = rest.split_once(['x', 'X', '×']).ok_or_else(wrong)?;
            Self::try_boxes(number(rows)?, number(cols)?)?
        } else if is("latin") {
            Self::try_boxes(1, number(rest)?)?
        } else if is("side") {
            Self::try_for_side(number(rest)?)?
        } else if is("jigsaw") {
            let (side, seed) = rest.trim().split_once(char::is_whitespace).ok_or_else(wrong)?;
            Self::jigsaw(number(side)?, seed.trim().parse().map_err(|_| wrong())?)?
        } else if is("regions") {
            Self::regions(rest)?
        } else {
            return Err(wrong());
        };
        // However often a rule is named, the layout is built again once.
        let mut extras = Extras::default();
        for extra in parts {
            let named = [
                ("diagonals", &mut extras.diagonals),
                ("windows", &mut extras.windows),
                ("anti-knight", &mut extras.anti_knight),
                ("anti-king", &mut extras.anti_king),
            ];
            let (_, on) = named.into_iter().find(|(name, _)| extra.eq_ignore_ascii_case(name)).ok_or_else(wrong)?;
            *on = true;
        }
        let layout = if extras.windows { layout.with_windows()? } else { layout };
        Ok(if extras == layout.0.extras { layout } else { layout.with(|all| *all = extras) })
    }
}
