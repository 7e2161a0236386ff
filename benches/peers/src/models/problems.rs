//! Problems as a model and as literals by hand, which say the same.

use cnfkit::model::{Choice, Model, sum};
use cnfkit::{AmoEncoding, ClauseSink, Constrain, Lit, PbEncoding, PbRelation, Terms};

/// A problem; squares have rows of cells, 0 for an empty one.
pub enum Problem {
    Queens(usize),
    /// The side, and the row of the queen in the first column.
    QueensWith(usize, usize),
    Latin(Vec<Vec<i64>>),
    /// The side, and the number in the first cell.
    Magic(usize, usize),
    /// The side, and the numbers in the first and the last cell.
    MagicEnds(usize, usize, usize),
    /// The side of a box, and the cells.
    Sudoku(usize, Vec<Vec<i64>>),
}

impl Problem {
    pub fn model(&self) -> Model {
        self.model_by(Choice::default())
    }

    /// A model whose constraints are encoded in a given way.
    pub fn model_by(&self, choice: Choice) -> Model {
        let mut model = Model::new();
        model.set_choice(choice);
        match self {
            Self::Queens(n) | Self::QueensWith(n, _) => {
                let rows = model.ints(*n, 0..*n as i64);
                model.all_different(&rows);
                model.all_different((0..).zip(&rows).map(|(column, &row)| row + column));
                model.all_different((0..).zip(&rows).map(|(column, &row)| row - column));
                if let Self::QueensWith(_, first) = self {
                    model.post(rows[0].eq(*first as i64));
                }
            }
            Self::Latin(cells) | Self::Sudoku(_, cells) => {
                let n = cells.len();
                let grid = model.int_grid(n, n, 1..=n as i64);
                for i in 0..n {
                    model.all_different(grid.row(i));
                    model.all_different(grid.column(i));
                    if let Self::Sudoku(side, _) = *self {
                        let (r, c) = (i / side * side, i % side * side);
                        model.all_different(grid.slice(r..r + side, c..c + side));
                    }
                }
                for (&var, &given) in grid.iter().zip(cells.iter().flatten()) {
                    if given > 0 {
                        model.post(var.eq(given));
                    }
                }
            }
            Self::Magic(n, first) | Self::MagicEnds(n, first, _) => {
                let numbers = (n * n) as i64;
                let total = *n as i64 * (numbers + 1) / 2;
                let grid = model.int_grid(*n, *n, 1..=numbers);
                model.all_different(&grid);
                for i in 0..*n {
                    model.post(sum(grid.row(i)).eq(total));
                    model.post(sum(grid.column(i)).eq(total));
                }
                model.post(sum((0..*n).map(|i| grid.at(i, i))).eq(total));
                model.post(sum((0..*n).map(|i| grid.at(i, n - 1 - i))).eq(total));
                model.post(grid.at(0, 0).eq(*first as i64));
                if let Self::MagicEnds(_, _, last) = self {
                    model.post(grid.at(n - 1, n - 1).eq(*last as i64));
                }
            }
        }
        model
    }

    /// By hand: a literal for each value of each cell.
    pub fn write<S: ClauseSink>(&self, sink: &mut S) -> Result<(), S::Error> {
        let one = AmoEncoding::Auto;
        match self {
            Self::Queens(n) | Self::QueensWith(n, _) => {
                let n = *n;
                let x = table(sink, n, n);
                if let Self::QueensWith(_, first) = self {
                    sink.add_clause(&[x[0][*first]])?;
                }
                for i in 0..n {
                    sink.exactly_one(&x[i], one)?;
                    sink.exactly_one(x.iter().map(|row| row[i]).collect::<Vec<_>>(), one)?;
                }
                for diagonal in 0..2 * n - 1 {
                    let up = |i: usize| diagonal.checked_sub(i).filter(|&j| j < n).map(|j| x[i][j]);
                    let down = |i: usize| diagonal.checked_sub(i).filter(|&j| j < n).map(|j| x[i][n - 1 - j]);
                    sink.at_most_one((0..n).filter_map(up).collect::<Vec<_>>(), one)?;
                    sink.at_most_one((0..n).filter_map(down).collect::<Vec<_>>(), one)?;
                }
                Ok(())
            }
            Self::Latin(cells) => square(sink, cells, None),
            Self::Sudoku(side, cells) => square(sink, cells, Some(*side)),
            Self::Magic(n, first) | Self::MagicEnds(n, first, _) => {
                let (n, numbers) = (*n, n * n);
                let x = table(sink, numbers, numbers);
                sink.add_clause(&[x[0][first - 1]])?;
                if let Self::MagicEnds(_, _, last) = self {
                    sink.add_clause(&[x[numbers - 1][last - 1]])?;
                }
                for i in 0..numbers {
                    sink.exactly_one(&x[i], one)?;
                    sink.exactly_one(x.iter().map(|cell| cell[i]).collect::<Vec<_>>(), one)?;
                }
                let mut line = |cells: Vec<usize>| {
                    let (mut terms, mut ends) = (Vec::new(), Vec::new());
                    for cell in cells {
                        terms.extend((1..).zip(&x[cell][1..]).map(|(weight, &lit)| (lit, weight)));
                        ends.push(terms.len());
                    }
                    let total = (n * (numbers + 1) / 2 - n) as u64;
                    sink.pb_grouped(&Terms::grouped(&terms, &ends), PbRelation::Exactly(total), PbEncoding::Auto)
                };
                for i in 0..n {
                    line((0..n).map(|j| i * n + j).collect())?;
                    line((0..n).map(|j| j * n + i).collect())?;
                }
                line((0..n).map(|i| i * n + i).collect())?;
                line((0..n).map(|i| i * n + n - 1 - i).collect())
            }
        }
    }
}

fn table<S: ClauseSink>(sink: &mut S, rows: usize, columns: usize) -> Vec<Vec<Lit>> {
    (0..rows).map(|_| sink.new_lits(columns)).collect()
}

/// A square with each value once in each row, column and, if there are any, box; cells that are given are clauses.
fn square<S: ClauseSink>(sink: &mut S, cells: &[Vec<i64>], side: Option<usize>) -> Result<(), S::Error> {
    let n = cells.len();
    let x = table(sink, n * n, n);
    for (cell, &given) in x.iter().zip(cells.iter().flatten()) {
        sink.exactly_one(cell, AmoEncoding::Auto)?;
        if let Ok(value @ 1..) = usize::try_from(given) {
            sink.add_clause(&[cell[value - 1]])?;
        }
    }
    for i in 0..n {
        #[allow(clippy::needless_range_loop)] // it is the second index of every row
        for value in 0..n {
            let mut once = |at: &dyn Fn(usize) -> usize| {
                let lits: Vec<Lit> = (0..n).map(|j| x[at(j)][value]).collect();
                sink.exactly_one(&lits, AmoEncoding::Auto)
            };
            once(&|j| i * n + j)?;
            once(&|j| j * n + i)?;
            if let Some(side) = side {
                once(&|j| (i / side * side + j / side) * n + i % side * side + j % side)?;
            }
        }
    }
    Ok(())
}
