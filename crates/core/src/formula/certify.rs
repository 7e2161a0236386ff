//! Certificates: a formula in OPB, and a proof that its clauses follow from it, for a checker of somebody else's.
//!
//! Constraints are planned and written as always; a recorder between the plan and the [`Cnf`] hands the clauses of each
//! constraint to the room [`certify`](crate::certify), which derives them from the lines that say the constraint.

use std::cell::RefCell;
use std::io::{self, Write};
use std::path::PathBuf;

use rustsat::types::{Lit, Var};

use super::Formula;
use super::go_on::always;
use super::merge::{Item, Items};
use super::plan::FormulaPlan;
use crate::certify::{Batch, Id, Lines, Refused, derive};
#[cfg(feature = "batsat")]
use crate::choose::{CardEncoding, PbEncoding};
use crate::cnf::{CapacityError, Cnf};
#[cfg(feature = "batsat")]
use crate::constrain::Constrain;
use crate::constraint::{Constraint, EncodingName, Sum};
use crate::relation::PbRelation;
use crate::sink::ClauseSink;
use crate::size::Size;

/// The reason why a formula has no certificate.
///
/// ```
/// use cnfkit::{CertifyError, ClauseSink, Constrain, Formula, PbEncoding};
/// let mut formula = Formula::new();
/// let x = formula.new_lits(4);
/// formula.pb_at_most(&[(x[0], 2), (x[1], 1), (x[2], 1), (x[3], 1)], 3, &PbEncoding::DynamicPolyWatchdog)?;
/// let error = formula.certify(Vec::new(), Vec::new(), Vec::new()).unwrap_err();
/// assert!(matches!(error, CertifyError::NotCovered { constraint: 0, .. }));
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

/// A constraint by its number, in words.
fn place(constraint: usize) -> String {
    if constraint == usize::MAX { "a bound on the objective".into() } else { format!("constraint {constraint}") }
}

/// A clause, with variables as the formula's file names them.
fn text(clause: &[Lit]) -> String {
    let text = |lit: &Lit| format!("{}x{}", if lit.is_neg() { "~" } else { "" }, lit.vidx32() + 1);
    clause.iter().map(text).collect::<Vec<String>>().join(" ")
}

/// One line of OPB: the weights sum up to at least `least`, or a guard is true.
struct Side {
    terms: Vec<(u64, Lit)>,
    least: u128,
    guards: Vec<Lit>,
}

/// The lines that say a constraint; `few` is the literal by which a sum that is not exactly the bound is below it.
fn sides(constraint: &Constraint<'_>, few: Lit) -> Vec<Side> {
    let (terms, relation): (Vec<(u64, Lit)>, PbRelation) = match constraint.sum {
        Sum::Count { lits, relation } => (lits.iter().map(|&lit| (1, lit)).collect(), relation.into()),
        Sum::Weights { terms, relation } => {
            (terms.all().iter().map(|&(lit, weight)| (weight, lit)).collect(), relation)
        }
    };
    let all: u128 = terms.iter().map(|&(weight, _)| u128::from(weight)).sum();
    let mut sides = Vec::new();
    let mut side = |least: bool, bound: u128, when: &[Lit]| {
        let guards = constraint.cond.iter().chain(when).map(|&lit| !lit).collect();
        let terms = terms.iter().map(|&(weight, lit)| (weight, if least { lit } else { !lit })).collect();
        let least = if least { bound } else { all.saturating_sub(bound) };
        sides.push(Side { terms, least, guards });
    };
    let r: Vec<Lit> = constraint.iff.into_iter().collect();
    let most = relation.most().map(u128::from);
    let least = relation.least().map(u128::from);
    least.into_iter().for_each(|least| side(true, least, &r));
    most.into_iter().for_each(|most| side(false, most, &r));
    if let Some(r) = constraint.iff {
        let both = most.is_some() && least.is_some();
        let when = |few: Lit| if both { vec![!r, few] } else { vec![!r] };
        if let Some(least) = least.filter(|&least| least > 0) {
            side(false, least - 1, &when(few));
        }
        if let Some(most) = most {
            side(true, most + 1, &when(!few));
        }
    }
    sides
}

impl Side {
    fn write<W: Write>(&self, lines: &mut Lines<W>) -> io::Result<()> {
        let guards = self.guards.iter().map(|&guard| (self.least, guard));
        let terms = self.terms.iter().map(|&(weight, lit)| (weight.into(), lit));
        lines.sum(guards.chain(terms), self.least);
        lines.end(" ;\n")
    }
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
    /// The result is not that of [`encode`](Self::encode): constraints are merged and ordered as there, but bounds are
    /// not tightened by double counting, sums of weights are encoded without groups, *exactly* by weight as both of its
    /// sides, and where the encoding is left to the library it is [`Totalizer`](crate::Totalizer),
    /// [`IntervalDiagram`](crate::IntervalDiagram), or that of `Auto` for at most one.
    ///
    /// All encodings but `dynamic-poly-watchdog` are covered, up to a size. Those whose auxiliaries stand for sums of
    /// inputs are while these have at most 2²³ terms together: [`AmoEncoding::ALL`](crate::AmoEncoding::ALL), the
    /// totalizer, the sequential counter, the decision diagrams, the generalized totalizer, the sequential weight
    /// counter and `Smallest`. The clauses of all others, which are networks, the generalized product, adders, and sums
    /// by digits, are searched for, among at most 60,000 literals of definitions and clauses and with at most 2,000
    /// lemmas for one of them.
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
        let Certifier { mut lines, cnf, inputs, mut ids, .. } = self.certified(opb, proof, false)?;
        let mut text = Lines::new(clauses);
        text.word(&format!("* #variable= {} #constraint= {}\n", cnf.n_vars().max(1), cnf.n_clauses()));
        cnf.clauses().try_for_each(|clause| text.clause(clause))?;
        text.finish()?;
        // Clauses that the formula has itself stay.
        ids.sort_unstable();
        ids.dedup();
        lines.list("core id", &ids)?;
        let kept = self.n_clauses() as Id;
        lines.list("del id", &(kept + 1..=inputs).collect::<Vec<Id>>())?;
        lines.word("output DERIVABLE FILE;\nconclusion NONE;\nend pseudo-Boolean proof;\n");
        lines.finish()?;
        Ok(cnf)
    }

    /// Writes the formula, with its objective or without, and a proof as far as the last clause.
    pub(crate) fn certified<O, P>(&self, opb: O, proof: P, objective: bool) -> Result<Certifier<P>, CertifyError>
    where
        O: Write,
        P: Write,
    {
        let Ok(planned) = FormulaPlan::certified(self, &mut always);
        let mut cnf = Cnf::with_vars(self.n_vars()).with_limit(self.clauses.limit());
        cnf.reserve(&planned.size)?;
        cnf.append(&self.clauses);

        // Literals for the sides of reified equalities come after all variables of the clauses.
        let free = self.n_vars() + planned.size.vars as usize;
        let few = |at: usize| Lit::positive((free + at) as u32);
        let all: Vec<Vec<Side>> =
            self.constraints().enumerate().map(|(at, constraint)| sides(&constraint, few(at))).collect();
        let n_lines = self.n_clauses() + all.iter().map(Vec::len).sum::<usize>();
        let mut text = Lines::new(opb);
        text.word(&format!("* #variable= {} #constraint= {n_lines}\n", (free + all.len()).max(1)));
        if objective {
            text.word("min: ");
            self.objective().iter().for_each(|&(lit, weight)| text.term(weight.into(), lit));
            text.end(";\n")?;
        }
        self.clauses().try_for_each(|clause| text.clause(clause))?;
        let mut first = Vec::with_capacity(all.len());
        let mut inputs = self.n_clauses() as Id;
        for sides in &all {
            first.push(inputs);
            inputs += sides.len() as Id;
            sides.iter().try_for_each(|side| side.write(&mut text))?;
        }
        text.finish()?;

        let mut lines = Lines::new(proof);
        lines.header(inputs)?;
        let mut certifier = Certifier { lines, cnf, free, inputs, ids: Vec::new(), current: None, failure: None };
        let items = &planned.items;
        certifier.record(|recorder| {
            planned.write(recorder, &mut |recorder, item| {
                recorder.0.borrow_mut().begin(item, items, &all, &first, few);
            })
        })?;
        // The literals of sides have their numbers.
        certifier.cnf.new_lits(all.len());
        Ok(certifier)
    }

    /// The literals, true or false, that say on which side of its bound each reified equality is.
    #[cfg(feature = "batsat")]
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

/// A proof that is not finished: it derives the clauses of each constraint once all of them are there.
pub(crate) struct Certifier<W> {
    pub(crate) lines: Lines<W>,
    pub(crate) cnf: Cnf,
    /// The first variable that no clause of the formula has.
    #[cfg_attr(not(feature = "batsat"), allow(dead_code))]
    pub(crate) free: usize,
    /// The number of lines of the formula.
    inputs: Id,
    /// The numbers of the clauses of constraints.
    ids: Vec<Id>,
    current: Option<(usize, EncodingName, Batch)>,
    failure: Option<CertifyError>,
}

impl<W: Write> Certifier<W> {
    /// Derives what is sent to the recorder.
    fn record(
        &mut self,
        send: impl FnOnce(&mut Recorder<'_, '_, W>) -> Result<(), CertifyError>,
    ) -> Result<(), CertifyError> {
        let this = RefCell::new(self);
        send(&mut Recorder(&this))?;
        let this = this.into_inner();
        this.flush()?;
        this.failure.take().map_or(Ok(()), Err)
    }

    /// Adds clauses that the weights of true literals sum up to at most `most`, which the line `id` of the proof says.
    #[cfg(feature = "batsat")]
    pub(crate) fn at_most(&mut self, terms: &[(Lit, u64)], most: u64, id: Id) -> Result<(), CertifyError> {
        let all: u128 = terms.iter().map(|&(_, weight)| u128::from(weight)).sum();
        let mut batch = Batch::new(terms.iter().copied());
        batch.bound(terms.iter().map(|&(lit, weight)| (weight, !lit)), all - u128::from(most), &[], id);
        let lits: Vec<Lit> = terms.iter().map(|&(lit, _)| lit).collect();
        let is_count = terms.iter().all(|&(_, weight)| weight == 1);
        let asked = EncodingName::Named(if is_count { "totalizer" } else { "interval-diagram" });
        self.current = Some((usize::MAX, asked, batch));
        self.record(|recorder| match usize::try_from(most) {
            Ok(most) if is_count => recorder.at_most(&lits, most, &CardEncoding::Totalizer),
            _ => recorder.pb_at_most(terms, most, &PbEncoding::IntervalDiagram),
        })
    }

    fn begin(&mut self, item: &Item, items: &Items, all: &[Vec<Side>], first: &[Id], few: impl Fn(usize) -> Lit) {
        if let Err(error) = self.flush() {
            self.failure.get_or_insert(error);
        }
        let terms = items.terms(item).all().iter().copied();
        let mut batch = Batch::new(items.lits(item).iter().map(|&lit| (lit, 1)).chain(terms));
        let merged = items.merged.iter().filter(|&&(to, _)| to == item.from).map(|&(_, from)| from);
        for number in std::iter::once(item.from).chain(merged) {
            for (id, side) in (first[number as usize] + 1..).zip(&all[number as usize]) {
                batch.bound(side.terms.iter().copied(), side.least, &side.guards, id);
            }
        }
        if let Some((_, PbRelation::Exactly(_))) = item.iff {
            batch.few(few(item.from as usize));
        }
        self.current = Some((item.from as usize, item.asked.encoding_name(), batch));
    }

    fn flush(&mut self) -> Result<(), CertifyError> {
        let Some((constraint, encoding, batch)) = self.current.take() else { return Ok(()) };
        let derived = derive(&batch, &mut self.lines, |id| self.ids.push(id))?;
        derived.map_err(|refused| match refused {
            Refused::Sums => CertifyError::TooLong { constraint, encoding },
            Refused::Clause(clause) => CertifyError::NotCovered { constraint, encoding, clause },
        })
    }

    fn clause(&mut self, clause: &[Lit], defines: bool) -> Result<(), CertifyError> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        self.cnf.add_clause(clause)?;
        if let Some((_, _, batch)) = &mut self.current {
            batch.clause(clause, defines);
        }
        Ok(())
    }
}

/// The sink in front of a certifier.
struct Recorder<'c, 'p, W>(&'c RefCell<&'p mut Certifier<W>>);

impl<W: Write> ClauseSink for Recorder<'_, '_, W> {
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
