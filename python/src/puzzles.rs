//! `Sudoku` and `GemHunter`.

use cnfkit::gem_hunter::{self, Kind};
use cnfkit::sudoku::Sheet;
use cnfkit::{CardEncoding, Cell, GemHunterEncoder, GemMap, Grid, Layout, SudokuEncoder};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::ask::{Solutions, ask, ask_apart, counted, object};
use crate::clauses::Clauses;
use crate::convert::natural;
use crate::errors::{no_gems, no_grid, no_map, no_sudoku, value};

/// A Sudoku: a text, or rows of numbers with 0 for empty cells. `regions`, rows of letters, are those of a jigsaw; the
/// boxes are those of its side otherwise.
///
/// >>> puzzle = Sudoku("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
/// >>> puzzle.is_unique()
/// True
/// >>> puzzle.solve().rows()[0]
/// [5, 3, 4, 6, 7, 8, 9, 1, 2]
#[pyclass(module = "cnfkit", frozen)]
pub(crate) struct Sudoku(Grid);

impl Sudoku {
    fn encoder(&self) -> SudokuEncoder {
        SudokuEncoder::new(self.0.clone())
    }
}

#[pymethods]
impl Sudoku {
    #[new]
    #[pyo3(signature = (grid, *, regions=None))]
    fn new(grid: &Bound<'_, PyAny>, regions: Option<&str>) -> PyResult<Self> {
        let layout = regions.map(Layout::regions).transpose().map_err(value)?;
        if let Ok(text) = grid.cast::<PyString>() {
            let text = text.to_cow()?;
            let grid = match layout {
                Some(layout) => Grid::parse_as(layout, &text),
                None => text.parse(),
            };
            return grid.map(Self).map_err(no_grid);
        }
        let mut values = Vec::new();
        for row in grid.try_iter()? {
            for cell in row?.try_iter()? {
                let cell = natural(&cell?, "a cell's value")?;
                values.push(u16::try_from(cell).map_err(|_| PyValueError::new_err(format!("a cell of value {cell}")))?);
            }
        }
        let side = values.len().isqrt();
        if !(1..=255).contains(&side) {
            return Err(PyValueError::new_err(format!("{} cells: sides from 1 to 255 are allowed", values.len())));
        }
        Grid::new(layout.unwrap_or_else(|| Layout::for_side(side)), values).map(Self).map_err(no_grid)
    }

    /// A puzzle of this side with exactly one solution; with `minimal`, no given can be left out. A time that is over
    /// is a TimeoutError.
    #[staticmethod]
    #[pyo3(signature = (side=9, *, seed=0, minimal=false, time_limit=None))]
    fn generate(
        py: Python<'_>,
        side: usize,
        seed: u64,
        minimal: bool,
        time_limit: Option<f64>,
    ) -> PyResult<Option<Self>> {
        if !(1..=36).contains(&side) {
            return Err(PyValueError::new_err("sides from 1 to 36 are allowed"));
        }
        let layout = Layout::for_side(side);
        let made = ask(py, time_limit, |limits| {
            let empty = SudokuEncoder::new(Grid::empty(layout)).limits(limits);
            let make = if minimal { SudokuEncoder::random_minimal_puzzle } else { SudokuEncoder::random_puzzle };
            make(&empty, seed).map_err(no_sudoku)
        })?;
        Ok(made.map(Self))
    }

    /// The number of rows.
    #[getter]
    fn side(&self) -> usize {
        self.0.side()
    }

    /// The values row by row, 0 for an empty cell.
    fn rows(&self) -> Vec<Vec<u16>> {
        self.0.cells().chunks(self.0.side()).map(<[u16]>::to_vec).collect()
    }

    fn __getitem__(&self, place: (usize, usize)) -> PyResult<u16> {
        let (row, column) = place;
        if row.max(column) >= self.side() {
            return Err(PyIndexError::new_err(format!("row {row}, column {column} of {}", self.side())));
        }
        Ok(self.0.get(row, column).unwrap_or(0))
    }

    /// The solution, or None if there is provably none. A value that is too large is a ValueError, a time that
    /// is over is a TimeoutError.
    #[pyo3(signature = (*, time_limit=None))]
    fn solve(&self, py: Python<'_>, time_limit: Option<f64>) -> PyResult<Option<Self>> {
        ask(py, time_limit, |limits| Ok(self.encoder().limits(limits).solve().map_err(no_sudoku)?.map(Self)))
    }

    /// All solutions, each once, as an iterator; `time_limit` is for all of them together.
    #[pyo3(signature = (*, time_limit=None))]
    fn solutions(&self, time_limit: Option<f64>) -> PyResult<Solutions> {
        let encoder = self.encoder();
        Solutions::new(time_limit, move |limits, found| {
            for grid in encoder.limits(limits).solutions() {
                if !found(grid.map_err(no_sudoku).map(Self).map(object)) {
                    return;
                }
            }
        })
    }

    /// The number of solutions, counted up to `limit`.
    #[pyo3(signature = (limit=None, *, time_limit=None))]
    fn count(&self, py: Python<'_>, limit: Option<&Bound<'_, PyAny>>, time_limit: Option<f64>) -> PyResult<usize> {
        counted(limit, |most| {
            ask(py, time_limit, |limits| self.encoder().limits(limits).count(most).map_err(no_sudoku))
        })
    }

    /// True if there is exactly one solution.
    #[pyo3(signature = (*, time_limit=None))]
    fn is_unique(&self, py: Python<'_>, time_limit: Option<f64>) -> PyResult<bool> {
        ask(py, time_limit, |limits| self.encoder().limits(limits).is_unique().map_err(no_sudoku))
    }

    /// A cell that is forced, with its value and why; None if there is no empty cell.
    ///
    /// >>> Sudoku("1...\n..3.\n...4\n....").hint()
    /// 'row 1, column 4 is 2: the cells it sees hold every other value'
    fn hint(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let hint = ask(py, None, |limits| self.encoder().limits(limits).hint().map_err(no_sudoku))?;
        Ok(hint.map(|hint| hint.to_string()))
    }

    /// The clauses: the cell in row r and column c has value v if and only if variable n²r + nc + v is true, for r and
    /// c from 0 on.
    fn encode(&self, py: Python<'_>) -> PyResult<Clauses> {
        let encoder = self.encoder();
        ask_apart(py, None, move || encoder.encode().map(Clauses).map_err(no_sudoku))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Sudoku({:?})", self.0.to_string())
    }

    fn __getnewargs__(&self) -> (String,) {
        (self.0.to_string(),)
    }

    fn _repr_svg_(&self) -> String {
        Sheet::new(self.0.clone()).to_svg()
    }
}

/// A board of Gem Hunter: a text, rows of cells with commas, or rows of numbers and "_" (unknown), "T" (trap) and "G"
/// (gem), or "#" (hole). A number counts the traps around it. `traps` is their total, if it is known.
///
/// >>> print(GemHunter("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _").solve())
/// 3, T, 2, G
/// T, T, 2, G
/// T, 3, 1, G
#[pyclass(module = "cnfkit", frozen)]
pub(crate) struct GemHunter {
    map: GemMap,
    traps: Option<usize>,
}

impl GemHunter {
    fn encoder(&self) -> GemHunterEncoder {
        let encoder = GemHunterEncoder::new(self.map.clone());
        self.traps.map_or_else(|| encoder.clone(), |traps| encoder.clone().traps(traps))
    }
}

fn text(map: &GemMap) -> String {
    map.to_string()
}

#[pymethods]
impl GemHunter {
    #[new]
    #[pyo3(signature = (board, *, traps=None))]
    fn new(board: &Bound<'_, PyAny>, traps: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let traps = traps.map(|traps| natural(traps, "the number of traps")).transpose()?.map(|traps| traps as usize);
        let text = if let Ok(text) = board.cast::<PyString>() {
            text.to_cow()?.into_owned()
        } else {
            let row = |row: PyResult<Bound<'_, PyAny>>| {
                let cells: PyResult<Vec<String>> =
                    row?.try_iter()?.map(|cell| Ok(cell?.str()?.to_cow()?.into_owned())).collect();
                Ok(cells?.join(", "))
            };
            board.try_iter()?.map(row).collect::<PyResult<Vec<String>>>()?.join("\n")
        };
        Ok(Self { map: text.parse().map_err(no_map)?, traps })
    }

    /// A board that can be solved without guessing, at best, of numbers and unknown cells; when the time is over, one
    /// that shows more numbers.
    #[staticmethod]
    #[pyo3(signature = (rows, columns, *, density=0.2, seed=0, time_limit=None))]
    fn generate(
        py: Python<'_>,
        rows: usize,
        columns: usize,
        density: f64,
        seed: u64,
        time_limit: Option<f64>,
    ) -> PyResult<Self> {
        if !(1..=1000).contains(&rows) || !(1..=1000).contains(&columns) || !(0.0..=1.0).contains(&density) {
            return Err(PyValueError::new_err(
                "rows and columns from 1 to 1000, and a density from 0 to 1 are allowed",
            ));
        }
        let map = ask(py, time_limit, |limits| Ok(gem_hunter::generate_within(rows, columns, density, seed, &limits)))?;
        Ok(Self { map, traps: None })
    }

    /// The cells row by row: a number, "_", "T", "G", or "#" for a hole.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Vec<Vec<Bound<'py, PyAny>>>> {
        let cell = |cell: &Cell| -> PyResult<Bound<'py, PyAny>> {
            Ok(match cell {
                Cell::Number(number) => number.into_pyobject(py)?.into_any(),
                other => other.to_string().into_pyobject(py)?.into_any(),
            })
        };
        let rows = self.map.cells().chunks(self.map.columns().max(1));
        rows.map(|row| row.iter().map(cell).collect()).collect()
    }

    /// A solution, or None if there is provably none. A time that is over is a TimeoutError.
    #[pyo3(signature = (*, time_limit=None))]
    fn solve(&self, py: Python<'_>, time_limit: Option<f64>) -> PyResult<Option<Self>> {
        let map = ask(py, time_limit, |limits| self.encoder().limits(limits).solve().map_err(no_gems))?;
        Ok(map.map(|map| Self { map, traps: self.traps }))
    }

    /// The number of solutions, counted up to `limit`; without one, 2⁶⁴ − 1 and more are an OverflowError.
    #[pyo3(signature = (limit=None, *, time_limit=None))]
    fn count(&self, py: Python<'_>, limit: Option<&Bound<'_, PyAny>>, time_limit: Option<f64>) -> PyResult<usize> {
        counted(limit, |most| ask(py, time_limit, |limits| self.encoder().limits(limits).count(most).map_err(no_gems)))
    }

    /// The kind of each cell in all solutions, row by row: "number", "trap", "gem", "undecided", or "free" if no number
    /// touches it; None if there is no solution.
    #[pyo3(signature = (*, time_limit=None))]
    fn deduce(&self, py: Python<'_>, time_limit: Option<f64>) -> PyResult<Option<Vec<Vec<&'static str>>>> {
        let kinds = ask(py, time_limit, |limits| self.encoder().limits(limits).deduce().map_err(no_gems))?;
        let word = |kind| match kind {
            Kind::Number => "number",
            Kind::Trap => "trap",
            Kind::Gem => "gem",
            Kind::Undecided => "undecided",
            Kind::Free => "free",
        };
        let (rows, columns) = (self.map.rows(), self.map.columns());
        Ok(kinds.map(|kinds| {
            (0..rows).map(|row| (0..columns).map(|column| word(kinds.get(row, column))).collect()).collect()
        }))
    }

    /// Cells of numbers, row and column from 0, that contradict each other, none of which can be left out; None if
    /// there is a solution.
    #[pyo3(signature = (*, time_limit=None))]
    fn explain(&self, py: Python<'_>, time_limit: Option<f64>) -> PyResult<Option<Vec<(usize, usize)>>> {
        ask(py, time_limit, |limits| self.encoder().limits(limits).explain().map_err(no_gems))
    }

    /// The clauses: the cell in row r and column c is a trap if and only if variable r·columns + c + 1 is true.
    #[pyo3(signature = (*, encoding="auto"))]
    fn encode(&self, py: Python<'_>, encoding: &str) -> PyResult<Clauses> {
        let encoding: CardEncoding = encoding.parse().map_err(value)?;
        let encoder = self.encoder().encoding(encoding);
        ask_apart(py, None, move || encoder.encode().map(Clauses).map_err(no_gems))
    }

    fn __eq__(&self, other: &Self) -> bool {
        (&self.map, self.traps) == (&other.map, other.traps)
    }

    fn __str__(&self) -> String {
        text(&self.map).trim_end().to_owned()
    }

    fn __repr__(&self) -> String {
        let traps = self.traps.map_or_else(String::new, |traps| format!(", traps={traps}"));
        format!("GemHunter({:?}{traps})", self.__str__())
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((String,), Bound<'py, pyo3::types::PyDict>)> {
        let keywords = pyo3::types::PyDict::new(py);
        keywords.set_item("traps", self.traps)?;
        Ok(((text(&self.map),), keywords))
    }

    fn _repr_svg_(&self) -> String {
        self.map.to_svg()
    }
}
