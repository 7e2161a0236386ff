//! Certificates: a formula in OPB, and a proof that its clauses follow from it, for a checker of somebody else's.
//!
//! Constraints are planned and written as always; a recorder between the plan and the [`Cnf`] hands the clauses of each
//! constraint to the room [`certify`](crate::certify), which derives them from the lines that say the constraint. Those
//! are the lines of the formula, and what [`facts`] has derived from several of them: bounds that double counting made
//! tighter, and groups.

use std::cell::RefCell;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rustsat::types::{Lit, Var};

use super::Formula;
use super::detect::Detected;
use super::facts::{Facts, sides};
use super::merge::{Item, Items};
use super::plan::FormulaPlan;
use crate::certify::{Attempt, Batch, Effort, Id, Lines, Refused, derive};
#[cfg(any(feature = "batsat", feature = "cadical"))]
use crate::choose::{CardEncoding, PbEncoding};
use crate::cnf::{CapacityError, Cnf};
#[cfg(any(feature = "batsat", feature = "cadical"))]
use crate::constrain::Constrain;
use crate::constraint::EncodingName;
#[cfg(any(feature = "batsat", feature = "cadical"))]
use crate::constraint::{Constraint, Sum};
#[cfg(any(feature = "batsat", feature = "cadical"))]
use crate::erase::erase;
use crate::sink::ClauseSink;
use crate::size::Size;

/// The reason why a formula has no certificate.
///
/// ```
/// use cnfkit::{CertifyError, ClauseSink, Formula, Limits};
/// let mut formula = Formula::new();
/// let x = formula.new_lits(2);
/// formula.add_clause(&x)?;
/// // The folder is to be new.
/// let error = formula.solve_certified(std::env::temp_dir(), &Limits::none()).unwrap_err();
/// assert!(matches!(error, CertifyError::Folder { .. }));
/// # Ok::<(), cnfkit::CapacityError>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CertifyError {
    /// The auxiliaries of a constraint stand for sums of more than 2²³ inputs together: about n²·k/2 for a sequential
    /// counter of n literals, n·k·log₂ n for a totalizer.
    #[error(
        "no proof for {}, encoded by {encoding}: its auxiliaries stand for sums of more than 2^23 inputs together; a \
         totalizer has the shortest sums",
        place(*constraint)
    )]
    #[non_exhaustive]
    TooLong {
        /// The number of the constraint in the formula, from 0 on; `usize::MAX` for a bound on the objective.
        constraint: usize,
        /// Its encoding.
        encoding: EncodingName,
    },
    /// The formula or the proof could not be written.
    #[error("the certificate cannot be written: {0}")]
    Write(#[from] io::Error),
    /// The folder of the certificate could not be made: it is to be new.
    #[error("{}: no new folder can be made: {source}", path.display())]
    #[non_exhaustive]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A limit was reached, or the cancel flag was raised: see [`Limits`](crate::Limits). The proof lacks its last
    /// line.
    #[error("interrupted before there was a proof")]
    Interrupted,
    /// The weights of the objective sum up to 2⁶⁴ or more.
    #[error("the weights of the objective sum up to {total}; allowed are sums below 2^64")]
    #[non_exhaustive]
    Objective {
        /// The sum.
        total: u128,
    },
    /// The clauses are too many.
    #[error(transparent)]
    Capacity(#[from] CapacityError),
    /// The clauses of a constraint by this encoding are too many or too difficult, or do not follow.
    #[error(
        "no proof for {}, encoded by {encoding}: clause `{}` was not derived; allowed are the encodings and sizes that \
         `Formula::certify` lists",
        place(*constraint),
        text(clause)
    )]
    #[non_exhaustive]
    NotCovered {
        /// The number of the constraint in the formula, from 0 on; `usize::MAX` for a bound on the objective.
        constraint: usize,
        /// Its encoding.
        encoding: EncodingName,
        /// The first clause without a derivation.
        clause: Vec<Lit>,
    },
}

impl CertifyError {
    /// Makes the folder of a certificate.
    #[doc(hidden)]
    pub fn new_folder(dir: &Path) -> Result<(), Self> {
        fs::create_dir(dir).map_err(|source| Self::Folder { path: dir.into(), source })
    }
}

/// A constraint by its number, in words.
fn place(constraint: usize) -> String {
    if constraint == usize::MAX { "a bound on the objective".into() } else { format!("constraint {constraint}") }
}

/// A clause, with variables as the formula's file names them.
fn text(clause: &[Lit]) -> String {
    let text = |lit: &Lit| format!("{}x{}", if lit.is_neg() { "~" } else { "" }, lit.vidx32() + 1);
    clause.iter().map(text).collect::<Vec<String>>().join(" ")
}

impl Formula {
    /// Writes a certificate that the clauses of the result follow from this formula, for the proof checker
    /// [VeriPB](https://gitlab.com/MIAOresearch/software/VeriPB) 3.0: the formula in OPB, a proof, and the clauses in
    /// OPB. `veripb formula.opb proof.pbp clauses.opb` then trusts the first file and the checker, and nothing of this
    /// library.
    ///
    /// The first file has the clauses and constraints as the formula keeps them, one line for each side. An
    /// *exactly k* if and only if r has a variable of its own there that says on which side of k the sum is.
    ///
    /// The result is that of [`encode`](Self::encode), clause by clause: what is merged, tightened by double counting
    /// and encoded in groups is part of the proof. A constraint for whose encoding there is no proof is encoded in
    /// another way if the library is free to choose: as a [`Totalizer`](crate::Totalizer), or, by weight, as an
    /// [`IntervalDiagram`](crate::IntervalDiagram) without groups. *Exactly* by weight, reified or not, is then taken
    /// as both of its sides, also by an encoding that was named. These are networks of many literals, for one, groups
    /// in which folding has changed weights, and some equalities of generalized totalizers.
    ///
    /// All encodings are covered, up to a size. Those whose auxiliaries stand for sums of
    /// inputs are while these have at most 2²³ terms together: [`AmoEncoding::ALL`](crate::AmoEncoding::ALL), the
    /// totalizer, the sequential counter, the decision diagrams, the generalized totalizer, the sequential weight
    /// counter and `Smallest`. The clauses of all others, which are networks, the generalized product, adders, and sums
    /// by digits, are searched for, among at most 60,000 literals of definitions and clauses, with at most 2,000 lemmas
    /// for one of them, and for some seconds at most: a quarter of one where the library may take another encoding.
    ///
    /// ```
    /// use cnfkit::{CardEncoding, ClauseSink, Constrain, Formula};
    /// # fn main() -> Result<(), cnfkit::CertifyError> {
    /// let mut formula = Formula::new();
    /// let x = formula.new_lits(9);
    /// formula.at_most(&x, 3, &CardEncoding::Totalizer)?;
    /// let (mut opb, mut proof, mut clauses) = (Vec::new(), Vec::new(), Vec::new());
    /// let cnf = formula.certify(&mut opb, &mut proof, &mut clauses)?;
    /// assert!(proof.starts_with(b"pseudo-Boolean proof version 3.0\n"));
    /// assert_eq!(clauses.split(|&byte| byte == b'\n').count(), cnf.n_clauses() + 2);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When the encoding of a constraint is not covered or its sums are too long, when the clauses are more than the
    /// [limit](Self::with_limit), and when writing fails. What was written by then is no proof: it lacks its last line.
    pub fn certify<O, P, C>(&self, opb: O, proof: P, clauses: C) -> Result<Cnf, CertifyError>
    where
        O: Write,
        P: Write,
        C: Write,
    {
        Source { formula: self, detected: None }.certify(opb, proof, clauses)
    }

    /// The literals, true or false, that say on which side of its bound each reified equality is.
    #[cfg(any(feature = "batsat", feature = "cadical"))]
    pub(crate) fn sides_of_equalities(&self, is_true: impl Fn(Lit) -> bool, free: usize) -> Vec<Lit> {
        let few = |(at, constraint): (usize, Constraint<'_>)| {
            let (sum, bound) = match constraint.sum {
                Sum::Count { lits, relation } => {
                    (lits.iter().filter(|&&lit| is_true(lit)).count() as u128, relation.bound() as u128)
                }
                Sum::Weights { terms, relation } => {
                    let weights = terms.all().iter().filter(|&&(lit, _)| is_true(lit)).map(|&(_, weight)| weight);
                    (weights.map(u128::from).sum(), relation.most().or(relation.least()).unwrap_or(0).into())
                }
            };
            Lit::new((free + at) as u32, sum >= bound)
        };
        self.constraints().enumerate().map(few).collect()
    }
}

impl Detected<'_> {
    /// Writes a certificate that the clauses of [`formula`](Self::formula)'s encoding follow from the formula in which
    /// constraints were detected: see [`Formula::certify`]. Each constraint that was found is a line of the proof: two
    /// of its literals exclude each other by unit propagation, and sums of such pairs make an at-most-one.
    ///
    /// ```
    /// use cnfkit::{CardEncoding, ClauseSink, Formula, Product, Constrain, Cnf};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut cnf = Cnf::new();
    /// let x = cnf.new_lits(30);
    /// cnf.exactly_one(&x, &Product::default())?;
    /// let formula = Formula::read_dimacs(cnf.to_string().as_bytes())?;
    /// let detected = formula.detect();
    /// let mut proof = Vec::new();
    /// let certified = detected.certify(Vec::new(), &mut proof, Vec::new())?;
    /// assert!(certified.clauses().eq(detected.formula().encode()?.clauses()));
    /// assert!(proof.ends_with(b"end pseudo-Boolean proof;\n"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Formula::certify`].
    pub fn certify<O, P, C>(&self, opb: O, proof: P, clauses: C) -> Result<Cnf, CertifyError>
    where
        O: Write,
        P: Write,
        C: Write,
    {
        Source { formula: &self.formula(), detected: Some(self) }.certify(opb, proof, clauses)
    }
}

/// A formula whose clauses are certified, and how it came from another one.
#[derive(Clone, Copy)]
pub(crate) struct Source<'s, 'f> {
    pub(crate) formula: &'s Formula,
    pub(crate) detected: Option<&'s Detected<'f>>,
}

impl<'s> Source<'s, '_> {
    /// The formula that is given to the checker.
    pub(crate) fn given(&self) -> &'s Formula {
        self.detected.map_or(self.formula, Detected::given)
    }

    fn certify<O, P, C>(self, opb: O, proof: P, clauses: C) -> Result<Cnf, CertifyError>
    where
        O: Write,
        P: Write,
        C: Write,
    {
        let Certifier { mut lines, cnf, facts, mut ids, .. } = self.certified(opb, proof, false, &|| true)?;
        let mut text = Lines::new(clauses);
        text.word(&format!("* #variable= {} #constraint= {}\n", cnf.n_vars().max(1), cnf.n_clauses()));
        cnf.clauses().try_for_each(|clause| text.clause(clause))?;
        text.finish()?;
        // Clauses that the formula has itself stay.
        let own = (0..self.formula.n_clauses()).map(|clause| facts.clause(clause));
        ids.extend(own.filter(|&id| id > facts.inputs()));
        ids.sort_unstable();
        ids.dedup();
        lines.list("core id", &ids)?;
        lines.list("del id", &facts.beside_clauses().collect::<Vec<Id>>())?;
        lines.word("output DERIVABLE FILE;\nconclusion NONE;\nend pseudo-Boolean proof;\n");
        lines.finish()?;
        Ok(cnf)
    }

    /// Writes the formula, with its objective or without, and a proof as far as the last clause; interrupted when
    /// `go_on` says no.
    pub(crate) fn certified<O, P>(
        self,
        opb: O,
        proof: P,
        objective: bool,
        go_on: &'s dyn Fn() -> bool,
    ) -> Result<Certifier<'s, P>, CertifyError>
    where
        O: Write,
        P: Write,
    {
        let (formula, given) = (self.formula, self.given());
        let check = &mut || if go_on() { Ok(()) } else { Err(CertifyError::Interrupted) };
        let mut lines = Lines::new(proof);
        let mut facts = Facts::new(formula, given);
        lines.header(facts.inputs())?;
        if let Some(detected) = self.detected {
            facts.detect(detected, &mut lines, check)?;
        }
        let mut steps = Vec::new();
        let items = formula.items_by(Some(&mut steps), check)?;
        facts.merge(&items);
        facts.tighten(&steps, &mut lines, check)?;
        facts.group(&items, &mut lines, check)?;
        let planned = FormulaPlan::of(formula, items, &mut |items, at| facts.way(items, at, go_on), check)?;
        let mut cnf = Cnf::with_vars(formula.n_vars()).with_limit(formula.limit());
        cnf.reserve(&planned.size)?;
        cnf.append(&formula.clauses);

        // Literals for the sides of reified equalities come after all variables of the clauses.
        facts.set_free(formula.n_vars() as u32 + planned.size.vars as u32);
        let mut text = Lines::new(opb);
        let n_vars = facts.few(formula.constraints().len()).vidx();
        let n_lines = facts.inputs();
        text.word(&format!("* #variable= {} #constraint= {n_lines}\n", n_vars.max(1)));
        if objective {
            text.word("min: ");
            given.objective().iter().for_each(|&(lit, weight)| text.term(weight.into(), lit));
            text.end(";\n")?;
        }
        given.clauses().try_for_each(|clause| text.clause(clause))?;
        for (at, constraint) in given.constraints().enumerate() {
            sides(&constraint, facts.few(at)).iter().try_for_each(|side| side.write(&mut text))?;
        }
        text.finish()?;

        let mut certifier = Certifier { lines, cnf, facts, ids: Vec::new(), current: None, failure: None, go_on };
        let items = &planned.items;
        certifier.record(|recorder| {
            planned.write(recorder, &mut |recorder, item| recorder.0.borrow_mut().begin(item, items))
        })?;
        // The literals of sides have their numbers.
        certifier.cnf.new_lits(formula.constraints().len());
        Ok(certifier)
    }
}

/// Clauses between two questions whether to go on, half a millisecond apart at most.
const LOOKS: usize = 1 << 12;

/// A proof that is not finished: it derives the clauses of each constraint once all of them are there.
pub(crate) struct Certifier<'f, W> {
    pub(crate) lines: Lines<W>,
    pub(crate) cnf: Cnf,
    pub(crate) facts: Facts<'f>,
    /// The numbers of the clauses of constraints.
    ids: Vec<Id>,
    current: Option<Current>,
    failure: Option<CertifyError>,
    go_on: &'f dyn Fn() -> bool,
}

/// The constraint whose clauses are on their way.
struct Current {
    constraint: usize,
    encoding: EncodingName,
    batch: Batch,
    attempt: Option<Attempt>,
}

impl<W: Write> Certifier<'_, W> {
    /// Derives what is sent to the recorder.
    fn record(
        &mut self,
        send: impl FnOnce(&mut Recorder<'_, '_, '_, W>) -> Result<(), CertifyError>,
    ) -> Result<(), CertifyError> {
        let this = RefCell::new(self);
        send(&mut Recorder(&this))?;
        let this = this.into_inner();
        this.flush()?;
        this.failure.take().map_or(Ok(()), Err)
    }

    /// Adds clauses that the weights of true literals sum up to at most `most`, which the line `id` of the proof says.
    #[cfg(any(feature = "batsat", feature = "cadical"))]
    pub(crate) fn at_most(&mut self, terms: &[(Lit, u64)], most: u64, id: Id) -> Result<(), CertifyError> {
        let all: u128 = terms.iter().map(|&(_, weight)| u128::from(weight)).sum();
        let mut batch = Batch::new(terms.iter().copied());
        batch.bound(terms.iter().map(|&(lit, weight)| (weight, !lit)), all - u128::from(most), &[], id);
        let lits: Vec<Lit> = terms.iter().map(|&(lit, _)| lit).collect();
        let is_count = terms.iter().all(|&(_, weight)| weight == 1);
        let asked = EncodingName::Named(if is_count { "totalizer" } else { "interval-diagram" });
        self.current = Some(Current { constraint: usize::MAX, encoding: asked, batch, attempt: None });
        self.record(|recorder| {
            erase(recorder, |sink| match usize::try_from(most) {
                Ok(most) if is_count => sink.at_most(&lits, most, &CardEncoding::Totalizer),
                _ => sink.pb_at_most(terms, most, &PbEncoding::IntervalDiagram),
            })
        })
    }

    /// The line of each clause.
    #[cfg(any(feature = "batsat", feature = "cadical"))]
    pub(crate) fn lines_of_clauses(&self) -> impl Iterator<Item = Id> {
        (0..self.facts.n_clauses()).map(|clause| self.facts.clause(clause)).chain(self.ids.iter().copied())
    }

    fn begin(&mut self, item: &Item, items: &Items) {
        if let Err(error) = self.flush() {
            self.failure.get_or_insert(error);
        }
        self.current = Some(Current {
            constraint: item.from as usize,
            encoding: item.asked.encoding_name(),
            batch: self.facts.batch(items, item),
            attempt: self.facts.attempt(item),
        });
    }

    fn flush(&mut self) -> Result<(), CertifyError> {
        let Some(Current { constraint, encoding, batch, attempt }) = self.current.take() else { return Ok(()) };
        let effort = Effort::most(self.go_on);
        let derived = derive(&batch, attempt, effort, &mut self.lines, |id| self.ids.push(id))?;
        derived.map_err(|refused| match refused {
            Refused::Sums => CertifyError::TooLong { constraint, encoding },
            Refused::Clause(clause) => CertifyError::NotCovered { constraint, encoding, clause },
            Refused::Interrupted => CertifyError::Interrupted,
        })
    }

    fn clause(&mut self, clause: &[Lit], defines: bool) -> Result<(), CertifyError> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        self.cnf.add_clause(clause)?;
        if self.cnf.n_clauses().is_multiple_of(LOOKS) && !(self.go_on)() {
            return Err(CertifyError::Interrupted);
        }
        if let Some(Current { batch, .. }) = &mut self.current {
            batch.clause(clause, defines);
        }
        Ok(())
    }
}

/// The sink in front of a certifier.
struct Recorder<'c, 'p, 'f, W>(&'c RefCell<&'p mut Certifier<'f, W>>);

impl<W: Write> ClauseSink for Recorder<'_, '_, '_, W> {
    type Error = CertifyError;

    #[inline]
    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), CertifyError> {
        self.0.borrow_mut().clause(clause, false)
    }

    fn define(&mut self, clause: &[Lit]) -> Result<(), CertifyError> {
        self.0.borrow_mut().clause(clause, true)
    }

    fn new_lit(&mut self) -> Lit {
        self.0.borrow_mut().cnf.new_lit()
    }

    fn next_var(&self) -> Var {
        self.0.borrow().cnf.next_var()
    }

    fn reserve(&mut self, _: &Size) -> Result<(), CertifyError> {
        Ok(())
    }
}
