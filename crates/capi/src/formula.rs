//! Formulas as the functions of the border see them: literals are integers, errors have a number and words.

use std::ffi::c_int;
use std::fs::File;
use std::io::BufWriter;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use cnfkit::{
    Assignment, BoolExpr, CapacityError, ClauseSink, Constrain, Formula, Limits, Lit, PbEncoding, Questions, SolveError,
};

/// An argument is wrong: a literal that is 0, a pointer that is NULL, an unknown name.
pub const CNFKIT_ERROR_ARGUMENT: c_int = -1;
/// Something would be larger than its limit.
pub const CNFKIT_ERROR_CAPACITY: c_int = -2;
/// The time was over before there was an answer.
pub const CNFKIT_ERROR_INTERRUPTED: c_int = -3;
/// The solver failed.
pub const CNFKIT_ERROR_SOLVER: c_int = -4;
/// A file cannot be written.
pub const CNFKIT_ERROR_IO: c_int = -5;
/// The library has a bug.
pub const CNFKIT_ERROR_PANIC: c_int = -6;

/// The number that a function returns for an error, below 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ErrorStatus {
    Argument = CNFKIT_ERROR_ARGUMENT as isize,
    Capacity = CNFKIT_ERROR_CAPACITY as isize,
    Interrupted = CNFKIT_ERROR_INTERRUPTED as isize,
    Solver = CNFKIT_ERROR_SOLVER as isize,
    Io = CNFKIT_ERROR_IO as isize,
    Panic = CNFKIT_ERROR_PANIC as isize,
}

/// An error with its words.
#[derive(Debug)]
pub(crate) struct CError {
    pub(crate) status: ErrorStatus,
    pub(crate) text: String,
}

impl CError {
    pub(crate) const fn new(status: ErrorStatus, text: String) -> Self {
        Self { status, text }
    }

    pub(crate) const fn argument(text: String) -> Self {
        Self::new(ErrorStatus::Argument, text)
    }
}

impl From<CapacityError> for CError {
    fn from(error: CapacityError) -> Self {
        Self::new(ErrorStatus::Capacity, error.to_string())
    }
}

impl From<SolveError> for CError {
    fn from(error: SolveError) -> Self {
        let status = match error {
            SolveError::Interrupted(_) => ErrorStatus::Interrupted,
            SolveError::Capacity(_) => ErrorStatus::Capacity,
            _ => ErrorStatus::Solver,
        };
        Self::new(status, error.to_string())
    }
}

/// The literals of integers, up to the highest variable that is read.
pub(crate) fn known_lits(lits: &[i32]) -> Result<Vec<Lit>, CError> {
    let most = Formula::MOST_READ;
    let known = |(at, &lit): (usize, &i32)| match Lit::from_ipasir(lit) {
        Ok(known) if lit.unsigned_abs() <= most => Ok(known),
        _ => Err(CError::argument(format!("literal {at} is {lit}; allowed: 1 to {most}, and their negations"))),
    };
    lits.iter().enumerate().map(known).collect()
}

/// A formula, with what is said of the next constraint, and the last model.
#[derive(Debug, Default)]
#[allow(clippy::redundant_pub_crate)] // `border.rs` hands out pointers to it
pub struct CnfkitFormula {
    formula: Formula,
    cond: Vec<Lit>,
    iff: Option<Lit>,
    /// Variables that constraints took, ascending.
    auxiliaries: Vec<Range<usize>>,
    model: Option<Assignment>,
}

impl CnfkitFormula {
    /// The literals, whose variables are the formula's from now on.
    fn lits(&mut self, lits: &[i32]) -> Result<Vec<Lit>, CError> {
        let lits = known_lits(lits)?;
        self.know(&lits)?;
        Ok(lits)
    }

    /// Takes these variables as the caller's.
    fn know(&mut self, lits: &[Lit]) -> Result<(), CError> {
        for lit in lits {
            let after = self.auxiliaries.partition_point(|range| range.start <= lit.vidx());
            if after.checked_sub(1).is_some_and(|at| self.auxiliaries[at].contains(&lit.vidx())) {
                let text = format!(
                    "variable {} is an auxiliary of an earlier constraint; cnfkit_formula_new_var gives others",
                    lit.vidx() + 1
                );
                return Err(CError::argument(text));
            }
        }
        let n_vars = lits.iter().map(|lit| lit.vidx() + 1).max().unwrap_or(0);
        self.formula.new_lits(n_vars.saturating_sub(self.formula.n_vars()));
        Ok(())
    }

    /// Says a constraint, and takes note of the variables that it takes.
    fn say(
        &mut self,
        say: impl FnOnce(&mut Formula, &[Lit], Option<Lit>) -> Result<(), CapacityError>,
    ) -> Result<(), CError> {
        let (cond, iff) = (std::mem::take(&mut self.cond), self.iff.take());
        let n_vars = self.formula.n_vars();
        let said = say(&mut self.formula, &cond, iff);
        if self.formula.n_vars() > n_vars {
            self.auxiliaries.push(n_vars..self.formula.n_vars());
        }
        Ok(said?)
    }

    pub(crate) fn new_var(&mut self) -> Result<i32, CError> {
        let next = self.formula.n_vars() as i32 + 1;
        let most = Formula::MOST_READ;
        if next.unsigned_abs() > most {
            return Err(CError::argument(format!("there are {most} variables; no more are allowed")));
        }
        self.lits(&[next])?;
        Ok(next)
    }

    pub(crate) fn when(&mut self, cond: &[i32]) -> Result<(), CError> {
        self.cond = self.lits(cond)?;
        Ok(())
    }

    pub(crate) fn iff(&mut self, r: i32) -> Result<(), CError> {
        self.iff = Some(self.lits(&[r])?[0]);
        Ok(())
    }

    pub(crate) fn add_clause(&mut self, clause: &[i32]) -> Result<(), CError> {
        if self.iff.is_some() {
            return self.sum(clause, &vec![1; clause.len()], 1, i64::MAX);
        }
        let clause = self.lits(clause)?;
        let cond = std::mem::take(&mut self.cond);
        Ok(self.formula.when(&cond).add_clause(&clause)?)
    }

    /// `lo ≤ sum ≤ hi`, where the ends of 64 bits are no bounds.
    pub(crate) fn sum(&mut self, lits: &[i32], weights: &[i64], lo: i64, hi: i64) -> Result<(), CError> {
        // What 64 bits do not hold is written at once, with auxiliaries among the caller's variables.
        let total = weights.iter().try_fold(0_i64, |sum, weight| sum.checked_add(weight.checked_abs()?));
        if total.is_none() {
            let text = "the weights sum up to more than 2^63 - 1, negative ones by their absolute value";
            return Err(CError::new(ErrorStatus::Capacity, text.to_owned()));
        }
        let lits = self.lits(lits)?;
        let terms: Vec<(Lit, i64)> = lits.into_iter().zip(weights.iter().copied()).collect();
        let (least, most) = ((lo > i64::MIN).then_some(lo), (hi < i64::MAX).then_some(hi));
        self.say(|formula, cond, iff| {
            let (mut sink, enc) = (formula.when(cond), PbEncoding::Auto);
            match (iff, least, most) {
                (None, Some(least), Some(most)) => sink.pb_between(&terms, least..=most, enc),
                (None, Some(least), None) => sink.pb_at_least(&terms, least, enc),
                (None, None, most) => sink.pb_at_most(&terms, most.unwrap_or(i64::MAX), enc),
                (Some(r), Some(least), Some(most)) => sink.pb_iff_between(r, &terms, least..=most, enc),
                (Some(r), Some(least), None) => sink.pb_iff_at_least(r, &terms, least, enc),
                (Some(r), None, most) => sink.pb_iff_at_most(r, &terms, most.unwrap_or(i64::MAX), enc),
            }
        })
    }

    /// An odd or an even number of literals are true.
    pub(crate) fn parity(&mut self, lits: &[i32], odd: bool) -> Result<(), CError> {
        let lits = self.lits(lits)?;
        self.say(|formula, cond, iff| match iff {
            Some(r) => formula.when(cond).iff_parity(r, &lits, odd),
            None => formula.when(cond).parity(&lits, odd),
        })
    }

    /// An expression of variables `x1`, `x2`, …
    pub(crate) fn require(&mut self, text: &str) -> Result<(), CError> {
        let lit = |name: &str| known_lits(&[name.strip_prefix('x')?.parse().ok()?]).ok()?.pop();
        let expr = BoolExpr::parse(text, lit).map_err(|error| CError::argument(error.to_string()))?;
        self.know(&expr.lits())?;
        self.say(|formula, cond, iff| formula.when(cond).require(if let Some(r) = iff { expr.iff(r) } else { expr }))
    }

    pub(crate) const fn formula(&self) -> &Formula {
        &self.formula
    }

    /// 10 with a model, 20 without.
    pub(crate) fn solve(&mut self, assumptions: &[i32], seconds: f64) -> Result<i32, CError> {
        let assumptions = self.lits(assumptions)?;
        self.model = self.formula.ask().assuming(&assumptions).limits(limits(seconds)?).solve()?;
        Ok(if self.model.is_some() { 10 } else { 20 })
    }

    /// 30 with the least value, 10 with a value that may not be the least, 20 without a model.
    pub(crate) fn minimise(
        &mut self,
        lits: &[i32],
        weights: &[i64],
        seconds: f64,
    ) -> Result<(i32, Option<i64>), CError> {
        let limits = limits(seconds)?;
        let all: u128 = weights.iter().map(|weight| u128::from(weight.unsigned_abs())).sum();
        if all > i64::MAX.cast_unsigned().into() {
            let why = format!("the absolute values of the weights are {all} together; allowed are less than 2^63");
            return Err(CError::new(ErrorStatus::Capacity, why));
        }
        let lits = self.lits(lits)?;
        let terms: Vec<(Lit, i64)> = lits.into_iter().zip(weights.iter().copied()).collect();
        self.formula.set_objective(&terms);
        let best = self.formula.ask().limits(limits).minimum()?;
        let Some(best) = best else {
            self.model = None;
            return Ok((20, None));
        };
        let value = i64::try_from(best.value);
        let value =
            value.map_err(|_| CError::new(ErrorStatus::Capacity, format!("the least value is {}", best.value)))?;
        let code = if best.is_optimal() { 30 } else { 10 };
        self.model = Some(best.model);
        Ok((code, Some(value)))
    }

    /// The literal, or its negation, whichever is true in the last model; 0 where there is none.
    pub(crate) fn value(&self, lit: i32) -> Result<i32, CError> {
        let known = known_lits(&[lit])?[0];
        let model = self.model.as_ref().filter(|_| known.vidx() < self.formula.n_vars());
        Ok(model.map_or(0, |model| if model.is_true(known) { lit } else { -lit }))
    }

    pub(crate) fn write(&self, path: &Path, format: &str) -> Result<(), CError> {
        let failed = |error: std::io::Error| CError::new(ErrorStatus::Io, format!("{}: {error}", path.display()));
        if !["cnf", "knf", "opb", "wcnf"].contains(&format) {
            return Err(CError::argument(format!("`{format}` is no format; allowed: cnf, knf, opb, wcnf")));
        }
        let file = BufWriter::new(File::create(path).map_err(failed)?);
        match format {
            "cnf" => self.formula.write_dimacs(file),
            "knf" => self.formula.write_knf(file),
            "opb" => self.formula.write_opb(file),
            _ => self.formula.write_wcnf(file),
        }
        .map_err(failed)
    }
}

/// Limits of so many seconds; 0 and less are none.
fn limits(seconds: f64) -> Result<Limits, CError> {
    if seconds.is_nan() {
        return Err(CError::argument("seconds is no number".to_owned()));
    }
    if seconds <= 0.0 {
        return Ok(Limits::none());
    }
    Ok(Limits::none().time(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An objective that is refused leaves the one that there was.
    #[test]
    fn objectives_below_63_bits() {
        let mut formula = CnfkitFormula::default();
        formula.add_clause(&[1, 2]).unwrap();
        assert_eq!(formula.minimise(&[1, 2], &[3, 4], 0.0).unwrap(), (30, Some(3)));
        let refused = formula.minimise(&[1, 2], &[i64::MIN, i64::MIN], 0.0).unwrap_err();
        assert!(refused.text.contains("18446744073709551616 together; allowed are less than 2^63"), "{refused:?}");
        assert_eq!(formula.formula.objective().iter().map(|&(_, weight)| weight).collect::<Vec<i64>>(), [3, 4]);
        assert_eq!(formula.minimise(&[1], &[-i64::MAX], 0.0).unwrap(), (30, Some(-i64::MAX)));
    }
}
