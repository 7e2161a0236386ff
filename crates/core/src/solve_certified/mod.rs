//! Solving with a certificate: the solver's clauses are lines of the proof, and the answer is its last one.
//!
//! `batsat` and `cadical` have the solver that writes: BatSat, or CaDiCaL where BatSat is not on. `external` has
//! programs that write a proof of their own, which `drat` translates.

#[cfg(feature = "batsat")]
mod batsat;
#[cfg(all(feature = "cadical", not(feature = "batsat")))]
mod cadical;
mod clausal;
mod drat;
mod external;
mod frame;
mod minimum;
mod pen;
mod run;
mod two_parts;

use std::path::Path;

use self::frame::because;
use self::minimum::minimum;
use self::run::Run;
pub use self::two_parts::in_two_parts;
use crate::formula::{CertifiedSource, CertifyError, Detected, Formula, SymmetryBreaking};
use crate::limits::Limits;
use crate::running::Clock;
use crate::solve::{Assignment, Strategy};

impl Formula {
    /// Solves the formula with BatSat, or with CaDiCaL where that is the
    /// [default solver](crate::solvers::DefaultSolver), and writes a certificate of the answer to the new folder `dir`,
    /// for the proof checker [VeriPB](https://gitlab.com/MIAOresearch/software/VeriPB) 3.0:
    /// `veripb dir/formula.opb dir/proof.pbp` says `s VERIFIED SATISFIABLE` or `s VERIFIED UNSATISFIABLE`.
    /// The constraints are certified and encoded as by [`certify`](Self::certify). BatSat watches sums of more than
    /// five weights whose encoding the library chooses, and which have no groups, until their explanations are longer.
    ///
    /// # Errors
    /// As [`certify`](Self::certify), when the folder cannot be made, and when the limits run out.
    #[doc(hidden)]
    pub fn solve_certified(&self, dir: impl AsRef<Path>, limits: &Limits) -> Result<Option<Assignment>, CertifyError> {
        solve(CertifiedSource::of(self), dir.as_ref(), limits)
    }

    /// Finds the least value of the [objective](Self::objective), and writes a certificate to the new folder `dir`, as
    /// [`solve_certified`](Self::solve_certified) does: VeriPB says `s VERIFIED BOUNDS` with that value twice. `None`
    /// when there is no solution. Each better solution is a line of the proof, and so is each unsatisfiable core.
    ///
    /// Solution-improving search has BatSat watch each bound on the objective, or encodes it: with CaDiCaL at once,
    /// else when explanations are longer. [`Strategy::Auto`] takes turns between it and cores.
    ///
    /// # Errors
    /// As [`solve_certified`](Self::solve_certified).
    #[doc(hidden)]
    pub fn minimum_certified(
        &self,
        dir: impl AsRef<Path>,
        strategy: Strategy,
        limits: &Limits,
    ) -> Result<Option<(Assignment, i128)>, CertifyError> {
        self.minimum_certified_with(dir, strategy, limits, &mut |_, _| {})
    }

    /// [`minimum_certified`](Self::minimum_certified), which tells of each better solution with its value, and of the
    /// best, if there is one, where a limit ends the search; with each a lower bound on all values.
    #[doc(hidden)]
    pub fn minimum_certified_with(
        &self,
        dir: impl AsRef<Path>,
        strategy: Strategy,
        limits: &Limits,
        told: &mut dyn FnMut(Option<(&Assignment, i128)>, i128),
    ) -> Result<Option<(Assignment, i128)>, CertifyError> {
        minimum(CertifiedSource::of(self), dir.as_ref(), strategy, limits, told)
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
        solve(CertifiedSource { detected: Some(self), ..CertifiedSource::of(&self.formula()) }, dir.as_ref(), limits)
    }
}

impl SymmetryBreaking<'_> {
    /// Solves the formula with the clauses that break symmetries, and writes a certificate about the formula as it was
    /// given: see [`Formula::solve_certified`]. The model is one of that formula.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula, Limits};
    /// // Eleven pigeons, ten holes.
    /// let mut formula = Formula::new();
    /// let x: Vec<_> = (0..11).map(|_| formula.new_lits(10)).collect();
    /// x.iter().try_for_each(|pigeon| formula.add_clause(pigeon))?;
    /// for hole in 0..10 {
    ///     let pairs = (0..11).flat_map(|one| (0..one).map(move |other| (one, other)));
    ///     pairs.into_iter().try_for_each(|(one, other)| formula.add_clause(&[!x[one][hole], !x[other][hole]]))?;
    /// }
    /// let dir = std::env::temp_dir().join(format!("cnfkit-broken-certified-{}", std::process::id()));
    /// assert_eq!(formula.break_symmetries()?.solve_certified(&dir, &Limits::none())?, None);
    /// std::fs::remove_dir_all(&dir)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Formula::solve_certified`], and [`CertifyError::Symmetries`] where more than 4,096 variables are compared,
    /// or the formula has an *exactly* that is reified.
    pub fn solve_certified(&self, dir: impl AsRef<Path>, limits: &Limits) -> Result<Option<Assignment>, CertifyError> {
        solve(CertifiedSource { broken: Some(self), ..CertifiedSource::of(self.formula()) }, dir.as_ref(), limits)
    }

    /// Finds the least value of the objective with the clauses that break symmetries, and writes a certificate about
    /// the formula as it was given: see [`Formula::minimum_certified`].
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use cnfkit::ask::Strategy;
    /// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula, Limits};
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(9);
    /// formula.at_least(&x, 4, &CardEncoding::Auto)?;
    /// formula.set_objective(x.iter().map(|&lit| (lit, 3)));
    /// let dir = std::env::temp_dir().join(format!("cnfkit-broken-minimum-{}", std::process::id()));
    /// let broken = formula.break_symmetries()?;
    /// let best = broken.minimum_certified(&dir, Strategy::Auto, &Limits::none())?;
    /// assert_eq!(best.map(|(_, value)| value), Some(12));
    /// std::fs::remove_dir_all(&dir)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`solve_certified`](Self::solve_certified) and [`Formula::minimum_certified`].
    pub fn minimum_certified(
        &self,
        dir: impl AsRef<Path>,
        strategy: Strategy,
        limits: &Limits,
    ) -> Result<Option<(Assignment, i128)>, CertifyError> {
        self.minimum_certified_with(dir, strategy, limits, &mut |_, _| {})
    }

    /// [`minimum_certified`](Self::minimum_certified), as [`Formula::minimum_certified_with`].
    #[doc(hidden)]
    pub fn minimum_certified_with(
        &self,
        dir: impl AsRef<Path>,
        strategy: Strategy,
        limits: &Limits,
        told: &mut dyn FnMut(Option<(&Assignment, i128)>, i128),
    ) -> Result<Option<(Assignment, i128)>, CertifyError> {
        let source = CertifiedSource { broken: Some(self), ..CertifiedSource::of(self.formula()) };
        minimum(source, dir.as_ref(), strategy, limits, told)
    }
}

fn solve(source: CertifiedSource<'_, '_>, dir: &Path, limits: &Limits) -> Result<Option<Assignment>, CertifyError> {
    let clock = limits.start();
    solve_on(source, dir, &clock).map_err(|error| because(error, &clock))
}

fn solve_on(source: CertifiedSource<'_, '_>, dir: &Path, clock: &Clock) -> Result<Option<Assignment>, CertifyError> {
    let go_on = || !clock.is_over();
    let mut run = Run::new(source, dir, false, clock, &go_on)?;
    let answer = run.solve(&[], u64::MAX);
    match answer.and_then(|answer| answer.ok_or_else(|| CertifyError::Interrupted(clock.why()))) {
        Ok(true) => {
            let (model, values) = run.model();
            run.proof.lines.conclude("SAT :", Some(&values))?;
            Ok(Some(model.into()))
        }
        Ok(false) => {
            let contradiction = run.proof.lines.rup(&[], &[])?;
            run.proof.lines.conclude(&format!("UNSAT : {contradiction}"), None)?;
            Ok(None)
        }
        Err(error) => Err(error.stops(run.proof.lines, "NONE")),
    }
}
