//! Solving with a certificate by an engine that writes proofs in DRAT: the whole formula, or in parts.
//!
//! The parts are the leaves of a tree of decisions. A leaf whose decisions contradict each other by look-ahead is no
//! cube, and is asked about like one. Once all leaves are refuted, so are by unit propagation the inner nodes, the
//! deepest first: the clauses of two children resolve to that of their parent. The last one is the empty clause.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::Path;

use rustsat::types::{self, Lit};

use super::drat::Drat;
use super::frame::{begin, complete};
use crate::cubes::parts;
use crate::formula::{CertifiedSource, Certifier, CertifyError, Detected, Formula};
use crate::limits::{Limits, SolveError};
use crate::running::{Clock, Oracle};
use crate::sink::ClauseSink;
use crate::solve::{Assignment, SolverSink};
use crate::solvers::{External, Failure};
use crate::sort;

impl Formula {
    /// Solves the formula by a program that writes proofs in DRAT, in at most `n_parts` parts ([`cubes`](Self::cubes))
    /// one after the other, and writes a certificate of the answer to the new folder `dir`, as
    /// [`solve_certified`](Self::solve_certified) does: the checker follows the program, and the parts to the whole.
    ///
    /// The program is one of [`External::KNOWN_PROVERS`], or a command with `{proof}`, the file in which it is to write
    /// text. Nothing in it is believed: a wrong proof is one that the checker refuses.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use cnfkit::solvers::External;
    /// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula, Limits};
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(12);
    /// formula.at_least(&x[..9], 6, &CardEncoding::Auto)?;
    /// formula.at_most(&x[3..], 2, &CardEncoding::Auto)?;
    /// let dir = std::env::temp_dir().join(format!("cnfkit-solve-certified-by-{}", std::process::id()));
    /// match formula.solve_certified_by(&External::new("cadical"), 4, &dir, &Limits::none()) {
    ///     Ok(model) => assert_eq!(model, None), // the last line of dir/proof.pbp says so
    ///     Err(error) => assert!(error.to_string().contains("does not start"), "{error}"), // there is no CaDiCaL
    /// }
    /// std::fs::remove_dir_all(&dir)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`SolveError::Interrupted`] when a limit is reached; an [`ExternalError`](crate::solvers::ExternalError) when
    /// the program fails or writes no proof, a [`CertifyError`] where [`solve_certified`](Self::solve_certified) has
    /// one.
    pub fn solve_certified_by(
        &self,
        engine: &External,
        n_parts: usize,
        dir: impl AsRef<Path>,
        limits: &Limits,
    ) -> Result<Option<Assignment>, SolveError> {
        solve(CertifiedSource::of(self), engine, n_parts, dir.as_ref(), limits)
    }
}

impl Detected<'_> {
    /// Solves the formula with what was detected in its clauses by a program that writes proofs, and writes a
    /// certificate about the formula as it was given: see [`Formula::solve_certified_by`]. The model is one of that
    /// formula.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use cnfkit::solvers::External;
    /// use cnfkit::{ClauseSink, Formula, Limits};
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(2);
    /// formula.add_clause(&x)?;
    /// let dir = std::env::temp_dir().join(format!("cnfkit-detected-certified-by-{}", std::process::id()));
    /// match formula.detect().solve_certified_by(&External::new("kissat"), 1, &dir, &Limits::none()) {
    ///     Ok(model) => assert!(model.is_some_and(|model| x.iter().any(|&lit| model.is_true(lit)))),
    ///     Err(error) => assert!(error.to_string().contains("does not start"), "{error}"), // where there is no Kissat
    /// }
    /// std::fs::remove_dir_all(&dir)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Formula::solve_certified_by`].
    pub fn solve_certified_by(
        &self,
        engine: &External,
        n_parts: usize,
        dir: impl AsRef<Path>,
        limits: &Limits,
    ) -> Result<Option<Assignment>, SolveError> {
        solve(
            CertifiedSource { detected: Some(self), ..CertifiedSource::of(&self.formula()) },
            engine,
            n_parts,
            dir.as_ref(),
            limits,
        )
    }
}

/// A file that the engine writes, removed with this.
struct Written<'a>(&'a Path);

impl Drop for Written<'_> {
    fn drop(&mut self) {
        let _ = fs::remove_file(self.0);
    }
}

fn solve(
    source: CertifiedSource<'_, '_>,
    engine: &External,
    n_parts: usize,
    dir: &Path,
    limits: &Limits,
) -> Result<Option<Assignment>, SolveError> {
    let clock = limits.start();
    let certified = |error: CertifyError| match error {
        CertifyError::Capacity(error) => SolveError::Capacity(error),
        CertifyError::Interrupted(_) => clock.interrupted(),
        error => SolveError::solver(error),
    };
    let go_on = || !clock.is_over();
    let mut proof = begin(source, dir, false, false, &go_on).map_err(certified)?;
    let refuted = refute(&mut proof, source, engine, n_parts, &dir.join("engine.drat"), &clock);
    let ended = match &refuted {
        Ok(None) => {
            let conclusion = format!("UNSAT : {}", proof.lines.last());
            proof.lines.conclude(&conclusion, None)
        }
        Ok(Some((_, values))) => proof.lines.conclude("SAT :", Some(values)),
        Err(SolveError::Interrupted(_)) => proof.lines.conclude("NONE", None),
        Err(_) => Ok(()),
    };
    ended.map_err(|error| certified(error.into()))?;
    refuted.map(|found| found.map(|(model, _)| model.into()))
}

/// A model, and the values of all variables of the proof; or `None`, and the last line is a contradiction. `file` is
/// where the engine is to write.
fn refute(
    proof: &mut Certifier<'_, 'static>,
    source: CertifiedSource<'_, '_>,
    engine: &External,
    n_parts: usize,
    file: &Path,
    clock: &Clock,
) -> Result<Option<(types::Assignment, Vec<Lit>)>, SolveError> {
    let n_vars = proof.cnf.n_vars();
    let (cubes, (leaves, inner)) = if proof.cnf.clauses().any(<[Lit]>::is_empty) {
        (Vec::new(), (Vec::new(), vec![Vec::new()])) // nothing is left to prove, and engines write nothing
    } else {
        let cubes = parts(&proof.cnf, source.formula.n_vars(), n_parts, clock)?;
        let tree = tree(&cubes);
        (cubes, tree)
    };

    let mut sink = SolverSink::owned(engine.proving(file));
    sink.watch(clock);
    sink.new_lits(n_vars);
    proof.cnf.clauses().try_for_each(|clause| sink.add_clause(clause))?;
    let mut drat = Drat::new(n_vars as u32);
    for cube in leaves {
        let number = cubes.iter().position(|other| *other == cube);
        if let Some(text) = number.and_then(|number| engine.proof_of(number)) {
            match drat.translate(text, &cube, &mut proof.lines, clock) {
                Err(Failure::NoProof) => {} // what there is of it follows
                refuted => {
                    refuted.map_err(|failure| engine.failed(failure))?.ok_or_else(|| clock.interrupted())?;
                    continue;
                }
            }
        }
        let _written = Written(file);
        if sink.ask(&cube, u64::MAX)?.ok_or_else(|| clock.interrupted())? {
            return Ok(Some(complete(source, proof.few, n_vars, |lit| sink.is_true(lit))));
        }
        let text = match File::open(file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Failure::NoProof),
            file => file.map_err(Failure::File),
        };
        let refuted = text.and_then(|text| drat.translate(BufReader::new(text), &cube, &mut proof.lines, clock));
        refuted.map_err(|failure| engine.failed(failure))?.ok_or_else(|| clock.interrupted())?;
    }
    for mut node in inner {
        node.iter_mut().for_each(|lit| *lit = !*lit);
        proof.lines.rup(&node, &[]).map_err(SolveError::solver)?;
    }
    Ok(None)
}

/// The tree of these cubes: its leaves, also those that are no cubes, and its inner nodes, the deepest first.
fn tree(cubes: &[Vec<Lit>]) -> (Vec<Vec<Lit>>, Vec<Vec<Lit>>) {
    let (mut inner, mut leaves) = (Vec::new(), cubes.to_vec());
    for cube in cubes {
        inner.extend((0..cube.len()).map(|n| cube[..n].to_vec()));
    }
    distinct(&mut inner);
    for cube in cubes {
        let siblings = (0..cube.len()).map(|n| [&cube[..n], &[!cube[n]]].concat());
        leaves.extend(siblings.filter(|sibling| inner.binary_search(sibling).is_err()));
    }
    distinct(&mut leaves);
    if leaves.is_empty() {
        leaves.push(Vec::new()); // unit propagation refutes the whole
    }
    sort::by_key(&mut inner, |node| !(node.len() as u64));
    (leaves, inner)
}

/// Each of the nodes once, in order.
fn distinct(nodes: &mut Vec<Vec<Lit>>) {
    sort::by(nodes, Ord::cmp);
    nodes.dedup();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_has_the_leaves_that_are_no_cubes() {
        let cube = |lits: &[i32]| -> Vec<Lit> { lits.iter().map(|&lit| Lit::from_ipasir(lit).unwrap()).collect() };
        let (leaves, inner) = tree(&[cube(&[1, 2]), cube(&[-1, 3, -4])]);
        let expected = [&[1, 2][..], &[1, -2], &[-1, 3, 4], &[-1, 3, -4], &[-1, -3]];
        assert_eq!(leaves, expected.map(cube));
        assert_eq!(inner, [cube(&[-1, 3]), cube(&[1]), cube(&[-1]), vec![]]);
        for cubes in [&[][..], &[vec![]]] {
            assert_eq!(tree(cubes), (vec![vec![]], vec![]));
        }
    }
}
