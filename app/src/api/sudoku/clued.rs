//! Hints and reasons for boards with cages, thermometers and arrows; boards without go to [`explain`].

use super::At;
use super::clues::{Clued, Lost, Next, broken};
use super::explain::{self, About, Hinted, Loss, Step, Why, ats, because, place};
use crate::jobs::Work;
use crate::problem::Problem;

/// Answers `sudoku/hint`.
pub(crate) fn hint(asked: &About, work: &Work) -> Result<Hinted, Problem> {
    let Some(board) = asked.sheet.clued()? else { return explain::hint(asked, work) };
    let none = |text: &str| Ok(Hinted { hint: None, text: text.into() });
    work.say("looking for a solution", 0, None);
    if board.solve(work)?.is_none() {
        return none("there is no solution: something that is there contradicts the rest");
    }
    if board.grid.is_full() {
        return none("every cell has its value");
    }
    if let Some(next) = board.next() {
        return Ok(hinted(step(&board, &next)));
    }
    work.say("looking for a cell that all solutions agree on", 0, None);
    let side = board.grid.side();
    let candidates = board.candidates(work)?.unwrap_or_default();
    let open = candidates.iter().enumerate().map(|(at, values)| ([at / side, at % side], values));
    let mut forced =
        open.filter(|([row, column], values)| board.grid.get(*row, *column).is_none() && values.len() == 1);
    let Some(([row, column], values)) = forced.next() else {
        return none("there is more than one solution, and no empty cell is the same in all of them");
    };
    let (value, look) = (values[0], place([row, column]));
    let text = format!("{look} is {value}: any other value leaves no solution");
    let technique = "search".into();
    Ok(hinted(Step { row, column, value, technique, text, look, cells: Vec::new(), eliminations: Vec::new() }))
}

fn hinted(step: Step) -> Hinted {
    Hinted { text: step.text.clone(), hint: Some(step) }
}

fn step(board: &Clued, next: &Next<'_>) -> Step {
    let (row, column, value) = (next.row, next.column, next.value);
    let cell = place([row, column]);
    let (look, cells, text) = match &next.group {
        Some((group, cells)) => {
            (group.to_string(), cells.clone(), format!("{cell} is {value}: {group} has no other place for it"))
        }
        None => {
            let seen = board.seen(row, column).into_iter();
            let filled = seen.filter(|&(row, column)| board.grid.get(row, column).is_some());
            (cell.clone(), filled.collect(), format!("{cell} is {value}: nothing else is left for it"))
        }
    };
    let technique = match (next.lost.last(), &next.group) {
        (Some(last), _) => last.clue.technique(),
        (None, Some(_)) => "hidden single",
        (None, None) => "naked single",
    };
    let eliminations = next.lost.iter().map(loss).collect();
    Step { row, column, value, technique: technique.into(), text, look, cells: ats(cells), eliminations }
}

fn loss(lost: &Lost<'_>) -> Loss {
    let cells: Vec<At> = ats(lost.cells.iter().copied());
    let places: Vec<String> = cells.iter().copied().map(place).collect();
    Loss {
        value: lost.value,
        shown: lost.clue.cells.clone(),
        technique: lost.clue.technique(),
        text: format!("{} leaves no {} for {}", lost.clue, lost.value, places.join("; ")),
        look: lost.clue.to_string(),
        chain: Vec::new(),
        cells,
    }
}

/// Answers `sudoku/why`.
pub(crate) fn why(asked: &About, work: &Work) -> Result<Why, Problem> {
    let Some(board) = asked.sheet.clued()? else { return explain::why(asked, work) };
    if let Some(why) = explain::at_sight(&board.grid) {
        return Ok(why);
    }
    if let Some(broken) = broken(&board.grid, &board.clues).into_iter().next() {
        let rules = vec![broken.clue.to_string()];
        return Ok(Why { solvable: false, givens: broken.cells, rules, text: broken.text, singles: None });
    }
    work.say("looking for a contradiction", 0, None);
    match board.unsat_core(work)? {
        None => Ok(explain::solvable()),
        Some(givens) => because(&board.grid, &board.clues, &givens, None, work),
    }
}
