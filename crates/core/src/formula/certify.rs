//! Certificates: a formula in OPB, and a proof that its clauses follow.

use std::cell::RefCell;
use std::io::{self, Write};

use rustsat::types::{Lit, Var};

use super::Formula;
use super::go_on::always;
use super::merge::{Item, Items};
use super::plan::Planned;
use crate::certify::{Batch, Id, Lines, derive};
use crate::cnf::{CapacityError, Cnf};
use crate::constraint::{Constraint, EncodingName, Sum};
use crate::relation::PbRelation;
use crate::sink::ClauseSink;
use crate::size::Size;

/// The reason why a formula has no certificate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CertifyError {
    /// The formula or the proof could not be written.
    #[error("the certificate cannot be written: {0}")]
    Write(#[from] io::Error),
    /// The clauses are too many.
    #[error(transparent)]
    Capacity(#[from] CapacityError),
    /// The clauses of a constraint by this encoding are not covered.
    #[error("no proof for constraint {constraint} ({encoding:?}): clause {clause:?} is not a sum of meanings")]
    #[non_exhaustive]
    NotCovered {
        /// The number of the constraint in the formula, from 0 on.
        constraint: usize,
        /// Its encoding.
        encoding: EncodingName,
        /// The first clause without a derivation.
        clause: Vec<Lit>,
    },
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
        if let Some(least) = least.filter(|&least| least > 0 ) {
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
    /// Writes the formula as OPB, and a proof that the clauses of the result follow from it.
    ///
    /// # Errors
    /// When a constraint's encoding is not covered, or when writing fails.
    pub fn certify<O: Write, P: Write>(&self, opb: O, proof: P) -> Result<Cnf, CertifyError> {
        let Ok(planned) = Planned::certified(self, &mut always);
        let mut opb = Lines::new(opb);
        let fews = self.n_vars() as u32 + planned.size.vars as u32;
        let few = |at: usize| Lit::positive(fews + at as u32);
        let all: Vec<Vec<Side>> =
            self.constraints().enumerate().map(|(at, constraint)| sides(&constraint, few(at))).collect();
        let n_lines = self.n_clauses() + all.iter().map(Vec::len).sum::<usize>();
        opb.word(&format!("* #variable= {} #constraint= {n_lines}\n", fews as usize + all.len()));
        for clause in self.clauses() {
            opb.sum(clause.iter().map(|&lit| (1, lit)), 1);
            opb.end(" ;\n")?;
        }
        let mut first = Vec::with_capacity(all.len());
        let mut id = self.n_clauses() as Id;
        for sides in &all {
            first.push(id);
            id += sides.len() as Id;
            sides.iter().try_for_each(|side| side.write(&mut opb))?;
        }
        opb.finish()?;

        let mut lines = Lines::new(proof);
        lines.header(id)?;
        let mut cnf = Cnf::with_vars(self.n_vars()).with_limit(self.clauses.limit());
        cnf.reserve(&planned.size)?;
        cnf.append(&self.clauses);
        let current = None;
        let certifier = RefCell::new(Certifier { lines, cnf, current, failure: None, items: &planned.items });
        planned.write(&mut Recorder(&certifier), &mut |item| certifier.borrow_mut().begin(item, &all, &first, few))?;
        let mut certifier = certifier.into_inner();
        certifier.flush()?;
        certifier.failure.map_or(Ok(()), Err)?;
        certifier.lines.word("output NONE;\nconclusion NONE;\nend pseudo-Boolean proof;\n");
        certifier.lines.finish()?;
        Ok(certifier.cnf)
    }
}

/// Derives the clauses of each constraint once all of them are there.
struct Certifier<'p, W> {
    lines: Lines<W>,
    cnf: Cnf,
    current: Option<(usize, EncodingName, Batch)>,
    failure: Option<CertifyError>,
    items: &'p Items,
}

impl<W: Write> Certifier<'_, W> {
    fn begin(&mut self, item: &Item, all: &[Vec<Side>], first: &[Id], few: impl Fn(usize) -> Lit) {
        if let Err(error) = self.flush() {
            self.failure.get_or_insert(error);
        }
        let terms = self.items.terms(item).all().iter().copied();
        let mut batch = Batch::new(self.items.lits(item).iter().map(|&lit| (lit, 1)).chain(terms));
        let merged = self.items.merged.iter().filter(|&&(to, _)| to == item.from).map(|&(_, from)| from);
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
        derive(&batch, &mut self.lines, |_| {})?
            .map_err(|clause| CertifyError::NotCovered { constraint, encoding, clause })
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
struct Recorder<'c, 'p, W>(&'c RefCell<Certifier<'p, W>>);

impl<W: Write> ClauseSink for Recorder<'_, '_, W> {
    type Error = CertifyError;

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
