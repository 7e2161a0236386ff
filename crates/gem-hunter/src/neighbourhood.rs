//! The cells that a number counts.

use thiserror::Error;

/// The cells that a number counts: the 8 around it, or others.
///
/// A cell is never its own neighbour and is counted once, also where a small torus meets it twice.
///
/// ```
/// use cnfkit::{GemHunterEncoder, GemMap, Neighbourhood};
/// let map: GemMap = "_, 2, _\n_, 1, _\n_, _, _".parse()?;
/// let four = GemHunterEncoder::new(map.clone()).neighbourhood(Neighbourhood::four());
/// assert_eq!(four.count(100)?, 12);
/// let torus = GemHunterEncoder::new(map).neighbourhood(Neighbourhood::four().torus());
/// assert_eq!(torus.count(100)?, 16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbourhood {
    shape: NeighbourhoodShape,
    torus: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum NeighbourhoodShape {
    /// (row, column) offsets in even rows and in odd rows.
    Offsets([Vec<(i32, i32)>; 2]),
    Graph(Vec<[(usize, usize); 2]>),
}

/// A neighbourhood that does not fit its board.
///
/// ```
/// use cnfkit::gem_hunter::NeighbourhoodError;
/// use cnfkit::{GemError, GemHunterEncoder, GemMap, Neighbourhood};
/// let outside = Neighbourhood::graph([[(0, 0), (0, 1)], [(0, 1), (5, 5)]]);
/// let error = GemHunterEncoder::new(GemMap::new(2, 2)).neighbourhood(outside).encode().unwrap_err();
/// let GemError::Neighbourhood(error) = error else { panic!("{error}") };
/// assert!(matches!(error, NeighbourhoodError::NoSuchCell { edge: 1, cell: (5, 5), .. }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NeighbourhoodError {
    /// An edge to a cell that is not there.
    #[error(
        "edge {edge} names the cell ({}, {}); the board has {rows} rows and {columns} columns, counted from 0",
        .cell.0, .cell.1
    )]
    #[non_exhaustive]
    NoSuchCell {
        /// The index of the edge, from 0.
        edge: usize,
        /// Row and column, from 0.
        cell: (usize, usize),
        /// Rows of the board.
        rows: usize,
        /// Columns of the board.
        columns: usize,
    },
    /// A hexagonal torus of an odd number of rows would not close.
    #[error("a torus whose odd rows are shifted needs an even number of rows; the board has {rows}")]
    #[non_exhaustive]
    OddTorus {
        /// Rows of the board.
        rows: usize,
    },
}

impl Default for Neighbourhood {
    fn default() -> Self {
        Self::eight()
    }
}

impl Neighbourhood {
    /// The 8 cells around: the rules of the game.
    ///
    /// ```
    /// use cnfkit::{GemHunterEncoder, GemMap, Neighbourhood};
    /// let map: GemMap = "_, _, _\n_, 1, _\n_, _, _".parse()?;
    /// let two_above = Neighbourhood::offsets([(-1, 0), (-1, -1)]);
    /// let all = [(Neighbourhood::eight(), 8), (Neighbourhood::hexagonal(), 6), (two_above, 2)];
    /// for (neighbourhood, neighbours) in all {
    ///     let encoder = GemHunterEncoder::new(map.clone()).neighbourhood(neighbourhood);
    ///     assert_eq!(encoder.count(1 << 9)?, neighbours << (8 - neighbours)); // one of them, and any of the others
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn eight() -> Self {
        Self::offsets([(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)])
    }

    /// The cells above, below, left and right.
    #[must_use]
    pub fn four() -> Self {
        Self::offsets([(-1, 0), (0, -1), (0, 1), (1, 0)])
    }

    /// The 6 cells around, on a board of hexagons whose odd rows (row 1, 3, …) are shifted half a cell to the right.
    #[must_use]
    pub fn hexagonal() -> Self {
        let even = vec![(-1, -1), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 0)];
        let odd = vec![(-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0), (1, 1)];
        Self { shape: NeighbourhoodShape::Offsets([even, odd]), torus: false }
    }

    /// The cells at these distances, (rows down, columns right). Numbers may be larger than 8 then: see
    /// [`GemParser::largest_number`](super::GemParser::largest_number).
    #[must_use]
    pub fn offsets(offsets: impl IntoIterator<Item = (i32, i32)>) -> Self {
        let offsets: Vec<_> = offsets.into_iter().collect();
        Self { shape: NeighbourhoodShape::Offsets([offsets.clone(), offsets]), torus: false }
    }

    /// Any graph: each edge makes its two cells, (row, column) from 0, neighbours of each other.
    #[must_use]
    pub fn graph(edges: impl IntoIterator<Item = [(usize, usize); 2]>) -> Self {
        Self { shape: NeighbourhoodShape::Graph(edges.into_iter().collect()), torus: false }
    }

    /// This neighbourhood on a board whose opposite sides meet. A graph stays as it is.
    #[must_use]
    pub const fn torus(mut self) -> Self {
        self.torus = true;
        self
    }

    /// The neighbourhood on a board of this size.
    pub(super) fn on(&self, rows: usize, columns: usize) -> Result<Neighbours<'_>, NeighbourhoodError> {
        let shape = match &self.shape {
            NeighbourhoodShape::Offsets([even, odd]) if self.torus && even != odd && rows % 2 == 1 => {
                return Err(NeighbourhoodError::OddTorus { rows });
            }
            NeighbourhoodShape::Offsets(offsets) => On::Offsets(offsets),
            NeighbourhoodShape::Graph(edges) => {
                let mut lists = vec![Vec::new(); rows * columns];
                for (edge, &[a, b]) in edges.iter().enumerate() {
                    if let Some(&cell) = [a, b].iter().find(|cell| cell.0 >= rows || cell.1 >= columns) {
                        return Err(NeighbourhoodError::NoSuchCell { edge, cell, rows, columns });
                    }
                    let (a, b) = (a.0 * columns + a.1, b.0 * columns + b.1);
                    lists[a].push(b);
                    lists[b].push(a);
                }
                On::Graph(lists)
            }
        };
        Ok(Neighbours { shape, torus: self.torus, rows, columns })
    }
}

/// A [`Neighbourhood`] on a board of one size.
pub(super) struct Neighbours<'a> {
    shape: On<'a>,
    torus: bool,
    rows: usize,
    columns: usize,
}

enum On<'a> {
    Offsets(&'a [Vec<(i32, i32)>; 2]),
    Graph(Vec<Vec<usize>>),
}

impl Neighbours<'_> {
    /// Puts the neighbours of a cell into `to`, each once, in ascending order.
    pub(super) fn of(&self, cell: usize, to: &mut Vec<usize>) {
        to.clear();
        let increasing = match &self.shape {
            On::Graph(lists) => {
                to.extend(&lists[cell]);
                false
            }
            On::Offsets(offsets) => {
                let (row, column) = (cell / self.columns, cell % self.columns);
                let along = |at: usize, by: i32, len: usize| {
                    if self.torus {
                        let turn = i64::from(by).rem_euclid(i64::from(len as u32)); // boards are smaller than that
                        Some((at + turn.unsigned_abs() as usize) % len)
                    } else {
                        at.checked_add_signed(by as isize).filter(|&to| to < len)
                    }
                };
                to.extend(offsets[row % 2].iter().filter_map(|&(down, right)| {
                    Some(along(row, down, self.rows)? * self.columns + along(column, right, self.columns)?)
                }));
                to.windows(2).all(|pair| pair[0] < pair[1])
            }
        };
        if !increasing {
            to.sort_unstable();
            to.dedup();
        }
        to.retain(|&other| other != cell);
    }
}
