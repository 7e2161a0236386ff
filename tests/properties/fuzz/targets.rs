//! A target for each format that is read: a function of any bytes, which panics where a property does not hold.
//!
//! Nothing panics. An error names a place within the text. What is written of what was read is read as the same. A
//! formula of at most ten variables has the solutions that its constraints allow, assignment by assignment.

use std::fmt::Display;
use std::time::Duration;

use cnfkit::{
    BoolExpr, Cell, Cnf, Formula, GemHunterEncoder, GemMap, Grid, Limits, Lit, Questions, ReadError, SudokuEncoder,
};
use cnfkit_fzn::{AnswerText, Problem, Wanted, answer};

use crate::{formulas, rules, seeds};

/// A function of any bytes, its name, and inputs to begin with.
#[derive(Debug)]
pub struct Target {
    /// The name.
    pub name: &'static str,
    /// Panics where a property does not hold.
    pub run: fn(&[u8]),
    /// Small inputs, among them those that found a fault.
    pub seeds: &'static [&'static [u8]],
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target { name: "dimacs", run: dimacs, seeds: seeds::DIMACS },
    Target { name: "parities", run: parities, seeds: seeds::PARITIES },
    Target { name: "knf", run: knf, seeds: seeds::KNF },
    Target { name: "opb", run: opb, seeds: seeds::OPB },
    Target { name: "wcnf", run: wcnf, seeds: seeds::WCNF },
    Target { name: "rules", run: rules, seeds: seeds::RULES },
    Target { name: "expression", run: expression, seeds: seeds::EXPRESSIONS },
    Target { name: "flatzinc", run: flatzinc, seeds: seeds::FLATZINC },
    Target { name: "sudoku", run: sudoku, seeds: seeds::SUDOKU },
    Target { name: "gems", run: gems, seeds: seeds::GEMS },
    Target { name: "formula", run: formulas::run, seeds: seeds::FORMULAS },
];

/// The most variables of which all assignments are tried.
pub(crate) const MOST: usize = 10;

/// An error's message begins with a line and a column, or a column, within the text or just behind it.
fn is_placed(error: impl Display, text: &[u8]) {
    let message = error.to_string();
    let number = |word: &str| {
        let digits = message.strip_prefix(word).or_else(|| Some(message.split_once(&format!(", {word}"))?.1))?;
        digits[..digits.find(|c: char| !c.is_ascii_digit())?].parse::<usize>().ok()
    };
    let column = number("column ").unwrap_or_else(|| panic!("no column: {message}"));
    // An expression is one line; boards and grids have a CR beside LF within a line.
    let whole = text.len();
    let text = String::from_utf8_lossy(text).replace("\r\n", "\n");
    let ends: [&[char]; 2] = [&['\n', '\r'], &['\n']];
    let is_within = |ends: &[char]| match number("line ") {
        // Where lines are missing, the place is the first that is.
        Some(line) if line == text.split(ends).count() + 1 => column == 1,
        Some(line) => text.split(ends).nth(line - 1).is_some_and(|line| (1..=line.len() + 1).contains(&column)),
        None => (1..=whole + 1).contains(&column),
    };
    assert!(ends.into_iter().any(is_within), "no such place: {message}");
}

/// True if an assignment, whose bits are the variables, satisfies the formula.
fn satisfies(formula: &Formula, code: usize) -> bool {
    let is_true = |lit: Lit| (code >> lit.vidx() & 1 == 1) == lit.is_pos();
    formula.clauses().all(|clause| clause.iter().any(|&lit| is_true(lit)))
        && formula.constraints().all(|constraint| constraint.holds(is_true))
}

/// The value of the objective.
fn cost(formula: &Formula, is_true: impl Fn(Lit) -> bool) -> i128 {
    formula.objective().iter().filter(|&&(lit, _)| is_true(lit)).map(|&(_, weight)| i128::from(weight)).sum()
}

/// Few variables have the solutions, and the least and greatest value, that the constraints allow. Gives the solutions.
fn answers_are_right(formula: &Formula) -> Option<Vec<usize>> {
    let n = formula.n_vars();
    if n > MOST || formula.constraints().any(|constraint| constraint.lits().count() > 3 * MOST) {
        return None;
    }
    let own = formula.lits();
    let seen = |code: usize| own.iter().fold(0, |seen, lit| seen | code & 1 << lit.vidx());
    let codes: Vec<usize> = (0..1 << n).filter(|&code| satisfies(formula, code)).collect();
    let mut solutions: Vec<usize> = codes.iter().map(|&code| seen(code)).collect();
    solutions.sort_unstable();
    solutions.dedup();
    let limit = 1 << MOST;
    if formula.objective().is_empty() {
        assert_eq!(formula.count(limit).expect("no limit"), solutions.len(), "{}", formula_text(formula));
        return Some(solutions);
    }
    let values = || {
        let value = |&code: &usize| cost(formula, |lit| (code >> lit.vidx() & 1 == 1) == lit.is_pos());
        codes.iter().map(value)
    };
    for (found, expected) in [(formula.minimum(), values().min()), (formula.maximum(), values().max())] {
        let found = found.expect("no limit");
        assert_eq!(found.as_ref().map(|best| best.value), expected, "{}", formula_text(formula));
        assert!(found.is_none_or(|best| cost(formula, |lit| best.model.is_true(lit)) == best.value));
    }
    Some(solutions)
}

/// A formula in words, for messages.
fn formula_text(formula: &Formula) -> String {
    let constraints: Vec<_> = formula.constraints().map(|one| format!("{one:?}")).collect();
    format!("{:?} {constraints:?} {:?}", formula.clauses().collect::<Vec<_>>(), formula.objective())
}

/// A text is refused with a place; or what is written of it says the same when it is read, written and read.
fn reads(
    text: &[u8],
    read: fn(&[u8]) -> Result<Formula, ReadError>,
    write: fn(&Formula, &mut Vec<u8>) -> std::io::Result<()>,
) -> Option<Formula> {
    let formula = match read(text) {
        Err(ReadError::Capacity(_)) => return None,
        Err(error) => {
            is_placed(error, text);
            return None;
        }
        Ok(formula) if formula.n_vars() > 1000 => return None,
        Ok(formula) => formula,
    };
    let written = |formula: &Formula| {
        let mut text = Vec::new();
        write(formula, &mut text).map(|()| text)
    };
    let Ok(once) = written(&formula) else { return Some(formula) };
    let again = |text: &[u8]| read(text).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(text)));
    let second = again(&once);
    // What is a clause is found to be one in some rounds.
    let next = |text: &Vec<u8>| Some(written(&again(text)).expect("it was written before"));
    let texts: Vec<Vec<u8>> = std::iter::successors(Some(once.clone()), next).take(6).collect();
    assert_eq!(String::from_utf8_lossy(&texts[5]), String::from_utf8_lossy(&texts[4]));
    let solutions = [&formula, &second].map(answers_are_right);
    // In WCNF without a header, variables that occur nowhere are not written; in OPB, what has none gets one.
    if formula.n_vars() == 0 {
        return Some(formula);
    }
    if once.starts_with(b"* ") || String::from_utf8_lossy(&once).contains("\np ") || once.starts_with(b"p ") {
        assert_eq!(second.lits(), formula.lits(), "{}", formula_text(&formula));
        if let [Some(first), Some(second)] = solutions {
            assert_eq!(first, second, "{}", formula_text(&formula));
        }
    }
    Some(formula)
}

fn dimacs(text: &[u8]) {
    let read = reads(text, |text| Formula::read_dimacs(text), |formula, to| formula.write_dimacs(to));
    match Cnf::from_dimacs(text) {
        Ok(cnf) => {
            assert!(Cnf::from_dimacs(cnf.to_string().as_bytes()).expect("it was written") == cnf);
            assert!(read.is_none_or(|formula| formula.clauses().eq(cnf.clauses())));
        }
        Err(ReadError::Capacity(_)) => {}
        Err(error) => {
            is_placed(error, text);
            // Lines of parities are for formulas alone.
            assert!(read.is_none() || text.contains(&b'x'));
        }
    }
}

fn parities(text: &[u8]) {
    reads(text, |text| Formula::read_dimacs(text), |formula, to| formula.write_xor_dimacs(to));
}

fn knf(text: &[u8]) {
    reads(text, |text| Formula::read_knf(text), |formula, to| formula.write_knf(to));
}

fn opb(text: &[u8]) {
    reads(text, |text| Formula::read_opb(text), |formula, to| formula.write_opb(to));
}

fn wcnf(text: &[u8]) {
    reads(text, |text| Formula::read_wcnf(text), |formula, to| formula.write_wcnf(to));
}

/// The program's format of constraints with names.
fn rules(text: &[u8]) {
    match rules::read(text, false) {
        Ok(formula) => drop(answers_are_right(&formula)),
        Err(rules::WrongRule::Syntax(line, column, message)) => {
            is_placed(format!("line {line}, column {column}: {message}"), text);
        }
        Err(rules::WrongRule::Capacity(_) | rules::WrongRule::Io(_)) => {}
    }
}

fn expression(text: &[u8]) {
    let Ok(text) = std::str::from_utf8(text) else { return };
    let lit = |name: &str| Some(Lit::positive(name.chars().next()? as u32 % 6));
    match BoolExpr::parse(text, lit) {
        Ok(expr) => {
            let mut formula = Formula::with_vars(6);
            cnfkit::Constrain::require(&mut formula, &expr).expect("it is small");
            let is_true = |code: usize| move |lit: Lit| (code >> lit.vidx() & 1 == 1) == lit.is_pos();
            let expected = (0..1 << 6).filter(|&code| expr.holds(is_true(code))).count();
            assert_eq!(formula.count(1 << 6).expect("no limit"), expected);
        }
        Err(error) => is_placed(error, text.as_bytes()),
    }
}

fn flatzinc(text: &[u8]) {
    let Ok(text) = std::str::from_utf8(text) else { return };
    match Problem::read(text) {
        Err(wrong) => is_placed(wrong, text.as_bytes()),
        Ok(problem) => {
            let limits = Limits::none().time(Duration::from_millis(300)).conflicts(100);
            let mut say = |_: AnswerText<'_>| {};
            let wanted = Wanted { number: Some(3), ..Wanted::default() };
            let _ = answer(problem, &wanted, None, limits, std::time::Instant::now(), &mut say);
        }
    }
}

fn sudoku(text: &[u8]) {
    let Ok(text) = std::str::from_utf8(text) else { return };
    let grid = match text.parse::<Grid>() {
        Ok(grid) => grid,
        Err(error) => return is_placed(error, text.as_bytes()),
    };
    // A single cell with a value of two digits looks like two cells.
    if grid.side() > 1 || grid.cells()[0] < 10 {
        assert_eq!(grid.to_string().parse().as_ref(), Ok(&grid), "{grid}");
    }
    if grid.side() <= 4 && grid.cells().iter().all(|&value| usize::from(value) <= grid.side()) {
        let mut cells = grid.clone();
        assert_eq!(SudokuEncoder::new(grid).count(1000).ok(), Some(fillings(&mut cells, 0).min(1000)));
    }
}

/// The ways to fill a grid from a cell on.
fn fillings(grid: &mut Grid, at: usize) -> usize {
    let side = grid.side();
    let (row, column) = (at / side, at % side);
    let fits =
        |grid: &Grid, value| grid.layout().peers(row, column).iter().all(|&(r, c)| grid.get(r, c) != Some(value));
    if row == side {
        return 1;
    }
    if let Some(value) = grid.get(row, column) {
        return if fits(grid, value) { fillings(grid, at + 1) } else { 0 };
    }
    let mut found = 0;
    for value in 1..=side as u16 {
        if fits(grid, value) {
            grid.set(row, column, value);
            found += fillings(grid, at + 1);
        }
    }
    grid.set(row, column, None);
    found
}

fn gems(text: &[u8]) {
    let Ok(text) = std::str::from_utf8(text) else { return };
    let map = match text.parse::<GemMap>() {
        Ok(map) => map,
        Err(error) => return is_placed(error, text.as_bytes()),
    };
    assert_eq!(map.to_string().parse().as_ref(), Ok(&map), "{map}");
    let cells: Vec<(usize, usize)> =
        (0..map.rows()).flat_map(|row| (0..map.columns()).map(move |column| (row, column))).collect();
    let unknown: Vec<_> =
        cells.iter().copied().filter(|&(row, column)| map.get(row, column) == Cell::Unknown).collect();
    if unknown.len() > MOST || cells.len() > 200 {
        return;
    }
    let is_answer = |code: &usize| {
        let is_trap = |at: &(usize, usize)| match unknown.iter().position(|cell| cell == at) {
            Some(place) => code >> place & 1 == 1,
            None => map.get(at.0, at.1) == Cell::Trap,
        };
        cells.iter().all(|&(row, column)| match map.get(row, column) {
            Cell::Number(number) => {
                let near = |&&(r, c): &&(usize, usize)| r.abs_diff(row).max(c.abs_diff(column)) == 1;
                cells.iter().filter(near).filter(|&at| is_trap(at)).count() == usize::from(number)
            }
            _ => true,
        })
    };
    let expected = (0..1 << unknown.len()).filter(is_answer).count();
    assert_eq!(GemHunterEncoder::new(map.clone()).count(usize::MAX).expect("no limit"), expected, "{map}");
}
