//! Boards with clues as models.

use cnfkit::model::{Backbone, Constraint, IntGrid, IntVar, Model, Solution, all_different, strictly_increasing, sum};
use cnfkit::{Grid, Layout, Limits};

use super::{Clue, Clued, Kind};
use crate::jobs::Work;
use crate::problem::Problem;

/// The rules of a board, each by its name.
pub(crate) fn rules(layout: &Layout, clues: &[Clue], cells: &IntGrid) -> Vec<(String, Vec<Constraint>)> {
    let side = layout.side();
    let different = |members: Vec<(usize, usize)>| all_different(members.into_iter().map(|(r, c)| cells.at(r, c)));
    let groups = layout.each_group().map(|(group, members)| (group.to_string(), vec![different(members)]));
    let mut rules: Vec<(String, Vec<Constraint>)> = groups.collect();
    if layout.to_string().contains("anti-") {
        let mut moves = Vec::new();
        for (row, col) in (0..side).flat_map(|row| (0..side).map(move |col| (row, col))) {
            for (r, c) in layout.peers(row, col).into_iter().filter(|&peer| peer > (row, col)) {
                if r != row
                    && c != col
                    && layout.region(row, col).is_none_or(|region| layout.region(r, c) != Some(region))
                {
                    moves.push(cells.at(row, col).ne(cells.at(r, c)));
                }
            }
        }
        rules.push(("chess moves".into(), moves));
    }
    rules.extend(clues.iter().map(|clue| (clue.to_string(), constraints(clue, cells))));
    rules
}

fn constraints(clue: &Clue, cells: &IntGrid) -> Vec<Constraint> {
    let members: Vec<IntVar> = clue.cells.iter().map(|&[row, col]| cells.at(row, col)).collect();
    match clue.kind {
        Kind::Cage => {
            let total = clue.sum.map(|total| sum(&members).eq(i64::from(total)));
            total.into_iter().chain([all_different(&members)]).collect()
        }
        Kind::Thermometer => vec![strictly_increasing(&members)],
        Kind::Arrow => vec![sum(&members[1..]).eq(members[0])],
    }
}

impl Clued {
    /// The board with its rules, without its values.
    fn empty(&self, limits: Limits) -> (Model, IntGrid) {
        let side = self.grid.side();
        let mut model = Model::new();
        model.set_limits(limits);
        let cells = model.int_grid(side, side, 1..=side as i64);
        let rules = rules(self.grid.layout(), &self.clues, &cells);
        rules.into_iter().flat_map(|(_, rule)| rule).for_each(|rule| model.post(rule));
        (model, cells)
    }

    /// The board.
    fn model(&self, limits: Limits) -> (Model, IntGrid) {
        let (mut model, cells) = self.empty(limits);
        for (row, col, value) in self.grid.givens() {
            model.post(cells.at(row, col).eq(i64::from(value)));
        }
        (model, cells)
    }

    /// A solution, if there is one.
    pub(crate) fn solve(&self, work: &Work) -> Result<Option<Grid>, Problem> {
        let (mut model, cells) = self.model(work.limits());
        if let Some(make) = work.engine()? {
            model.set_solver(make);
        }
        Ok(model.solve()?.map(|solution| self.filled(&solution, &cells)))
    }

    /// Shows solutions one by one, all of them or until `show` says false, within these limits.
    pub(crate) fn each_solution(
        &self,
        limits: Limits,
        mut show: impl FnMut(Result<Grid, Problem>) -> Result<bool, Problem>,
    ) -> Result<(), Problem> {
        let (model, cells) = self.model(limits);
        let solutions = match model.solutions() {
            Ok(solutions) => solutions,
            Err(error) => return show(Err(error.into())).map(drop),
        };
        for solution in solutions {
            let solution = solution.map(|solution| self.filled(&solution, &cells)).map_err(Problem::from);
            if !show(solution)? {
                break;
            }
        }
        Ok(())
    }

    fn filled(&self, solution: &Solution, cells: &IntGrid) -> Grid {
        let mut grid = self.grid.clone();
        for (row, values) in solution.grid(cells).rows().enumerate() {
            values.iter().enumerate().for_each(|(col, &value)| grid.set(row, col, value.unsigned_abs() as u16));
        }
        grid
    }

    /// The values that each cell has in some solution, row by row; `None` when there is no solution.
    pub(crate) fn candidates(&self, work: &Work) -> Result<Option<Vec<Vec<u16>>>, Problem> {
        let (mut model, cells) = self.model(work.limits());
        // A value that no solution has in a cell is a truth value that is false in all of them.
        let values = 1..=self.grid.side() as u16;
        let mut holds = |cell: IntVar, value: u16| {
            let holds = model.int(0..=1);
            let is = model.reify(cell.eq(i64::from(value)));
            model.post(is.as_int().eq(holds));
            holds
        };
        let holds: Vec<Vec<(u16, IntVar)>> =
            cells.iter().map(|&cell| values.clone().map(|value| (value, holds(cell, value))).collect()).collect();
        let backbone: Option<Backbone> = model.backbone()?;
        Ok(backbone.map(|backbone| {
            let open = |of: &[(u16, IntVar)]| -> Vec<u16> {
                of.iter().filter(|(_, holds)| backbone.value(*holds) != Some(0)).map(|(value, _)| *value).collect()
            };
            holds.iter().map(|of| open(of)).collect()
        }))
    }

    /// Values none of which can be left out if there is to be no solution; `None` when there is one.
    pub(crate) fn unsat_core(&self, work: &Work) -> Result<Option<Vec<(usize, usize, u16)>>, Problem> {
        let (mut model, cells) = self.empty(work.limits());
        let givens: Vec<_> = self.grid.givens().collect();
        for (at, &(row, col, value)) in givens.iter().enumerate() {
            model.group(&at.to_string(), |model| model.post(cells.at(row, col).eq(i64::from(value))));
        }
        let core = model.unsat_core()?;
        Ok(core.map(|core| core.into_iter().filter_map(|at| givens.get(at.parse::<usize>().ok()?).copied()).collect()))
    }
}
