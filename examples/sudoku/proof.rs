//! Proofs about the solutions of a Sudoku, in two parts: that there is one, and, the first one forbidden, that there is
//! no other.

use std::path::Path;
use std::process::ExitCode;

use cnfkit::{CertifyError, ClauseSink, Formula, Limits, Lit, SudokuEncoder};

use crate::Out;
use crate::watch::Watch;

/// Writes the rules and the givens as a formula, and folders with proofs about it; prints the commands that check
/// them.
pub(crate) fn write(encoder: &SudokuEncoder, dir: &Path, watch: &Watch) -> Result<ExitCode, String> {
    let mut out = Out(std::io::stdout());
    if let Some(problem) = encoder.check().first() {
        return Err(problem.to_string());
    }
    let wrong = |error: String| watch.explain(format!("{}: {error}", dir.display()));
    std::fs::create_dir(dir).map_err(|error| wrong(error.to_string()))?;
    let solve = |formula: &Formula, part: &str| {
        let limits = Limits::none().cancel(watch.flag());
        let answer = watch.run(format!("proving: {part}"), || formula.solve_certified(dir.join(part), &limits));
        answer.map_err(|error: CertifyError| wrong(error.to_string()))
    };
    let check = |out: &mut Out, part: &str| {
        let [opb, proof] = ["formula.opb", "proof.pbp"].map(|name| dir.join(part).join(name));
        out.line(format_args!("checked by: veripb {} {}", opb.display(), proof.display()))
    };

    let (mut grid, side) = (encoder.grid().clone(), encoder.grid().side());
    let mut formula = Formula::with_vars(side * side * side);
    let full = |error: cnfkit::CapacityError| error.to_string();
    encoder.encode_rules(&mut formula).map_err(full)?;
    let givens: Vec<(usize, usize, u16)> = grid.givens().collect();
    givens
        .iter()
        .try_for_each(|&(row, col, value)| formula.add_clause(&[encoder.var(row, col, value)]))
        .map_err(full)?;
    let Some(model) = solve(&formula, "solution")? else {
        out.line("There is no solution.")?;
        check(&mut out, "solution")?;
        return Ok(ExitCode::from(1));
    };
    let cells = (0..side).flat_map(|row| (0..side).map(move |col| (row, col)));
    let holds = |&(row, col, value): &(usize, usize, u16)| model.is_true(encoder.var(row, col, value));
    let values = cells.flat_map(|(row, col)| (1..=side as u16).map(move |value| (row, col, value)));
    let values: Vec<(usize, usize, u16)> = values.filter(holds).collect();
    values.iter().for_each(|&(row, col, value)| grid.set(row, col, value));
    out.line(format_args!("Solution:\n{grid:#}\n"))?;
    check(&mut out, "solution")?;
    let other: Vec<Lit> = values.iter().map(|&(row, col, value)| !encoder.var(row, col, value)).collect();
    formula.add_clause(&other).map_err(full)?;
    let is_unique = solve(&formula, "other")?.is_none();
    out.line(if is_unique { "There is no other solution." } else { "There is another solution." })?;
    check(&mut out, "other")?;
    Ok(ExitCode::SUCCESS)
}
