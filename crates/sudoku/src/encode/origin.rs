//! The rule behind each clause of the formula, and clauses in words.

use std::ops::Range;

use rustsat::types::Lit;

use crate::encode::encoder::SudokuEncoder;
use crate::rules::Rule;

impl SudokuEncoder {
    /// The rules in the order of [`encode`](Self::encode), each with the indices of its clauses there.
    ///
    /// ```
    /// use cnfkit::{Grid, SudokuEncoder};
    /// let grid: Grid = "000260701680070090190004500820100040004602900050003028009300074040050036703018000".parse()?;
    /// let encoder = SudokuEncoder::new(grid);
    /// let cnf = encoder.encode()?;
    /// let (rule, clauses) = encoder.rules().nth(81 + 4).unwrap();
    /// assert_eq!(rule.to_string(), "row 1: 5 exactly once");
    /// assert_eq!(encoder.clause_text(cnf.clause(clauses.start + 1)), "¬X[1,1,5] ∨ ¬X[1,2,5]");
    /// let (rule, clauses) = encoder.rules().last().unwrap();
    /// assert_eq!((rule.to_string().as_str(), clauses.end), ("row 9, column 6: 8 is given", cnf.n_clauses()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rules(&self) -> impl Iterator<Item = (Rule, Range<usize>)> {
        let layout = self.grid.layout();
        let side = layout.side();
        let at = move |cell: usize| (cell / side, cell % side);
        let form = self.form();
        let (once_a_cell, once_a_group) =
            (form.cell_size(side).clauses as usize, form.group_size(side).clauses as usize);

        let cells = (0..side * side).map(at).map(move |(row, col)| (Rule::Cell { row, col }, once_a_cell));
        let groups = (0..layout.groups_cells().len()).flat_map(move |index| {
            let group = layout.group(index);
            (1..=side as u16).map(move |value| (Rule::Group { group, value }, once_a_group))
        });
        let bans = layout.bans().flat_map(move |(first, second)| {
            let (first, second) = (at(first as usize), at(second as usize));
            (1..=side as u16).map(move |value| (Rule::Ban { first, second, value }, 1))
        });
        let givens = self.grid.givens().map(|(row, col, value)| (Rule::Given { row, col, value }, 1));
        cells.chain(groups).chain(bans).chain(givens).scan(0, |end, (rule, clauses)| {
            let start = *end;
            *end += clauses;
            Some((rule, start..*end))
        })
    }

    /// A clause of [`encode`](Self::encode) in words: `X[r,c,v]` for *row r, column c holds v*, all
    /// from 1, and `y` with its DIMACS number for an auxiliary.
    #[must_use]
    pub fn clause_text(&self, clause: &[Lit]) -> String {
        let side = self.grid.side();
        let name = |lit: &Lit| {
            let (not, var) = (if lit.is_neg() { "¬" } else { "" }, lit.vidx());
            let (cell, value) = (var / side, var % side + 1);
            if cell < side * side {
                format!("{not}X[{},{},{value}]", cell / side + 1, cell % side + 1)
            } else {
                format!("{not}y{}", var + 1)
            }
        };
        if clause.is_empty() { "⊥".to_owned() } else { clause.iter().map(name).collect::<Vec<_>>().join(" ∨ ") }
    }
}
