//! Solving with a certificate: the solver's clauses are lines of the proof, and the answer is its last one.
//!
//! `batsat` and `cadical` have the solver that writes: BatSat, or CaDiCaL where BatSat is not on. `external` has
//! programs that write a proof of their own, which `drat` translates.

#[cfg(feature = "batsat")]
mod batsat;
#[cfg(all(feature = "cadical", not(feature = "batsat")))]
mod cadical;
mod drat;
mod external;
mod pen;

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Write};
use std::mem;
use std::path::Path;
use std::rc::Rc;

use rustsat::types::{self, Lit};

#[cfg(feature = "batsat")]
use self::batsat::Prover;
#[cfg(all(feature = "cadical", not(feature = "batsat")))]
use self::cadical::Prover;
use self::pen::Pen;
use crate::certify::Lines;
use crate::formula::{Certifier, CertifyError, Detected, Formula, Source};
use crate::gcd::gcd;
use crate::limits::Limits;
use crate::normal::NormalSum;
use crate::solve::Assignment;

impl Formula {
    /// Solves the formula with BatSat, or with CaDiCaL where that is the
    /// [default solver](crate::solvers::DefaultSolver), and writes a certificate of the answer to the new folder `dir`,
    /// for the proof checker [VeriPB](https://gitlab.com/MIAOresearch/software/VeriPB) 3.0:
    /// `veripb dir/formula.opb dir/proof.pbp` says `s VERIFIED SATISFIABLE` or `s VERIFIED UNSATISFIABLE`, and trusts
    /// nothing of this library or the solver.
    /// The constraints are certified and encoded as by [`certify`](Self::certify).
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula, Limits};
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(12);
    /// formula.at_least(&x[..9], 6, &CardEncoding::Auto)?;
    /// formula.at_most(&x[3..], 2, &CardEncoding::Auto)?;
    /// let dir = std::env::temp_dir().join(format!("cnfkit-solve-certified-{}", std::process::id()));
    /// assert_eq!(formula.solve_certified(&dir, &Limits::none())?, None); // the last line of dir/proof.pbp says so
    /// std::fs::remove_dir_all(&dir)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`certify`](Self::certify), when the folder cannot be made, and when the limits run out.
    pub fn solve_certified(&self, dir: impl AsRef<Path>, limits: &Limits) -> Result<Option<Assignment>, CertifyError> {
        let best = search(Source { formula: self, detected: None }, dir.as_ref(), limits, false)?;
        Ok(best.map(|(model, _)| model))
    }

    /// Finds the least value of the [objective](Self::objective), of each solution to a better one, and writes a
    /// certificate to the new folder `dir`, as [`solve_certified`](Self::solve_certified) does: VeriPB says
    /// `s VERIFIED BOUNDS` with that value twice. `None` when there is no solution.
    ///
    /// Each bound on the objective is encoded anew, as a [`Totalizer`](crate::Totalizer) or an
    /// [`IntervalDiagram`](crate::IntervalDiagram): objectives of many different weights may be too large for that.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula, Limits};
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(6);
    /// formula.at_least(&x, 3, &CardEncoding::Auto)?;
    /// formula.set_objective((1..).zip(&x).map(|(weight, &lit)| (lit, weight * weight)));
    /// let dir = std::env::temp_dir().join(format!("cnfkit-minimum-certified-{}", std::process::id()));
    /// let (model, value) = formula.minimum_certified(&dir, &Limits::none())?.expect("there are solutions");
    /// assert_eq!((value, model.is_true(x[0])), (1 + 4 + 9, true));
    /// std::fs::remove_dir_all(&dir)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`solve_certified`](Self::solve_certified), and when the weights of the objective sum up to 2⁶⁴ or more.
    pub fn minimum_certified(
        &self,
        dir: impl AsRef<Path>,
        limits: &Limits,
    ) -> Result<Option<(Assignment, i128)>, CertifyError> {
        search(Source { formula: self, detected: None }, dir.as_ref(), limits, true)
    }
}

impl Detected<'_> {
    /// Solves the formula with what was detected in its clauses, and writes a certificate about the formula as it was
    /// given: see [`Formula::solve_certified`]. The model is one of that formula.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use cnfkit::{ClauseSink, Formula, Limits};
    /// // Sixteen pigeons, fifteen holes.
    /// let mut formula = Formula::new();
    /// let pigeons: Vec<_> = (0..16).map(|_| formula.new_lits(15)).collect();
    /// for (at, one) in pigeons.iter().enumerate() {
    ///     formula.add_clause(one)?;
    ///     let pairs = pigeons[..at].iter().flat_map(|other| other.iter().zip(one));
    ///     pairs.into_iter().try_for_each(|(&a, &b)| formula.add_clause(&[!a, !b]))?;
    /// }
    /// let dir = std::env::temp_dir().join(format!("cnfkit-detected-certified-{}", std::process::id()));
    /// assert_eq!(formula.detect().solve_certified(&dir, &Limits::none())?, None);
    /// std::fs::remove_dir_all(&dir)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Formula::solve_certified`].
    pub fn solve_certified(&self, dir: impl AsRef<Path>, limits: &Limits) -> Result<Option<Assignment>, CertifyError> {
        let source = Source { formula: &self.formula(), detected: Some(self) };
        let best = search(source, dir.as_ref(), limits, false)?;
        Ok(best.map(|(model, _)| model))
    }
}

/// The objective, its weights divided by what they have in common, and that divisor.
fn objective(formula: &Formula) -> Result<(NormalSum, Vec<(Lit, u64)>, u64), CertifyError> {
    let sum = NormalSum::new(formula.objective().iter().map(|&(lit, weight)| (lit, weight.into())));
    let total: u128 = sum.terms.iter().map(|&(_, weight)| weight).sum();
    if total > u128::from(u64::MAX) {
        return Err(CertifyError::Objective { total });
    }
    let divisor = sum.terms.iter().fold(0, |all, &(_, weight)| gcd(all, weight)).max(1);
    let divided = sum.terms.iter().map(|&(lit, weight)| (lit, (weight / divisor) as u64)).collect();
    Ok((sum, divided, divisor as u64))
}

/// Makes the folder, and writes the formula, with its objective or without, and a proof as far as the last clause.
fn begin<'s>(
    source: Source<'s, '_>,
    dir: &Path,
    objective: bool,
    go_on: &'s dyn Fn() -> bool,
) -> Result<Certifier<'s, Box<dyn Write>>, CertifyError> {
    CertifyError::new_folder(dir)?;
    let [opb, text] = ["formula.opb", "proof.pbp"].map(|name| File::create(dir.join(name)));
    let text: Box<dyn Write> = Box::new(text?);
    source.certified(opb?, text, objective, go_on)
}

/// A model of the clauses as one of the formula, and the values of all variables of the proof.
fn complete(
    source: Source<'_, '_>,
    free: usize,
    n_vars: usize,
    is_true: impl Fn(Lit) -> bool,
) -> (types::Assignment, Vec<Lit>) {
    let formula = source.formula;
    let all = (0..n_vars as u32).map(Lit::positive);
    let mut values: Vec<Lit> = all.map(|lit| if is_true(lit) { lit } else { !lit }).collect();
    let sides = formula.sides_of_equalities(is_true, free);
    values[free..free + sides.len()].copy_from_slice(&sides);
    let mut model: types::Assignment = values[..formula.n_vars()].iter().copied().collect();
    if let Some(detected) = source.detected {
        detected.complete_values(&mut model);
        let all = (0..).map(Lit::positive).zip(&mut values[..formula.n_vars()]);
        all.for_each(|(lit, value)| *value = if model.lit_value(lit) == types::TernaryVal::True { lit } else { !lit });
    }
    (model, values)
}

/// Writes the last lines of a proof: a conclusion, with these literals as its model.
fn end<W: Write>(mut lines: Lines<W>, conclusion: &str, model: &[Lit]) -> io::Result<()> {
    lines.word("output NONE;\nconclusion ");
    lines.word(conclusion);
    lines.values(model);
    lines.word(";\nend pseudo-Boolean proof;\n");
    lines.finish().map(drop)
}

/// Solves the formula, or finds the least value of its objective.
fn search(
    source: Source<'_, '_>,
    dir: &Path,
    limits: &Limits,
    minimise: bool,
) -> Result<Option<(Assignment, i128)>, CertifyError> {
    let formula = source.formula;
    let clock = limits.start();
    let (objective, terms, divisor) = objective(formula)?;
    let go_on = || !clock.is_over();
    let mut proof = begin(source, dir, minimise, &go_on)?;
    let free = proof.facts.free() as usize;
    let pen: Pen = Rc::new(RefCell::new(Lines::new(Box::new(io::sink()))));
    let mut solver = Prover::new(&pen, clock.clone());
    let (mut loaded, mut best) = (0, None);
    let contradiction = loop {
        // The solver has the lines.
        mem::swap(&mut proof.lines, &mut pen.borrow_mut());
        let answer = if load(&mut solver, &proof, &mut loaded)? { solver.solve()? } else { Some(false) };
        mem::swap(&mut proof.lines, &mut pen.borrow_mut());
        match answer {
            None => return Err(CertifyError::Interrupted),
            Some(false) => break Some(proof.lines.rup(&[], &[])?),
            Some(true) => {}
        }
        let (model, values) = complete(source, free, proof.cnf.n_vars(), |lit| solver.is_true(lit));
        let cost = objective.cost(|lit| values[lit.vidx()] == lit);
        let value = objective.value(cost);
        best = Some((Assignment::from(model), value, values));
        let Some((_, _, values)) = best.as_ref().filter(|_| minimise) else { break None };
        let mut better = proof.lines.better(values)?;
        let Some(most) = (cost as u64 / divisor).checked_sub(1) else {
            break Some(proof.lines.rup(&[], &[])?);
        };
        if divisor > 1 {
            better = proof.lines.divide(better, divisor)?;
        }
        proof.at_most(&terms, most, better)?;
    };
    drop(solver);
    let (conclusion, model) = match (&best, contradiction, minimise) {
        // The proof has the solution already.
        (Some((_, value, _)), Some(id), _) => (format!("BOUNDS {value} : {id} {value}"), &[][..]),
        (Some((_, _, values)), None, _) => ("SAT :".to_owned(), values.as_slice()),
        (None, id, true) => (format!("BOUNDS INF : {} INF", id.unwrap_or(0)), &[][..]),
        (None, id, false) => (format!("UNSAT : {}", id.unwrap_or(0)), &[][..]),
    };
    end(proof.lines, &conclusion, model)?;
    Ok(best.map(|(model, value, _)| (model, value)))
}

/// Hands the clauses that it does not have yet to the solver; false if they contradict each other.
fn load<W: Write>(solver: &mut Prover, proof: &Certifier<'_, W>, loaded: &mut usize) -> io::Result<bool> {
    solver.new_vars(proof.cnf.n_vars())?;
    let mut is_open = true;
    for (clause, line) in proof.cnf.clauses().zip(proof.lines_of_clauses()).skip(*loaded) {
        is_open &= solver.add(clause, line)?;
    }
    *loaded = proof.cnf.n_clauses();
    Ok(is_open)
}
