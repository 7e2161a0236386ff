//! Certificates: a formula in OPB, and a proof that its clauses follow from it, for a checker of somebody else's.
//!
//! Constraints are planned and written as always; a recorder between the plan and the [`Cnf`] hands the clauses of each
//! constraint to the room [`certify`](crate::certify), which derives them from the lines that say the constraint. Those
//! are the lines of the formula, and what [`facts`] has derived from several of them: bounds that double counting made
//! tighter, and groups.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use rustc_hash::FxHashMap;
use rustsat::types::{Lit, Var};

use super::Formula;
use super::aside::SaidExpr;
use super::certified_way::CertifiedWays;
use super::certify_error::CertifyError;
use super::detect::Detected;
use super::double_counting::CountingStep;
use super::dry::LOOKS;
use super::facts::{Facts, ProofStage};
use super::keep::half_bits;
use super::merge::{Items, MergeItem};
use super::opb_line::{OpbLits, ProofLine, sides};
use super::plan::FormulaPlan;
use super::said::numbered;
use super::substitute::EqualLits;
use super::substitute_lines::SubstitutedConstraints;
use super::symmetry::SymmetryBreaking;
use crate::certify::{Attempt, Batch, DerivationEffort, Id, Lines, Refused, derive, derive_parity};
use crate::choose::{CardEncoding, PbEncoding};
use crate::cnf::Cnf;
use crate::constrain::Constrain;
use crate::constraint::EncodingName;
use crate::encode::Full;
use crate::erase::{AnySink, erase};
use crate::sink::ClauseSink;
use crate::size::Size;

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
    /// another way if the library is free to choose: as a [`Totalizer`](crate::Totalizer), as an
    /// [`Adder`](crate::Adder) where this is too long, or, by weight, as an
    /// [`IntervalDiagram`](crate::IntervalDiagram) without groups. *Exactly* by weight, reified or not, is then taken
    /// as both of its sides, also by an encoding that was named. These are networks of many literals, for one, groups
    /// in which folding has changed weights, and some equalities of generalized totalizers.
    ///
    /// All encodings are covered, up to a size. Those whose auxiliaries stand for sums of
    /// inputs are while these have at most 2²³ terms together: [`AmoEncoding::ALL`](crate::AmoEncoding::ALL), the
    /// totalizer, the sequential counter, the decision diagrams, the generalized totalizer, the sequential weight
    /// counter and `Smallest`. Counts by adders are at any size, and so are sums of weights that are bounded from one
    /// side, all but a few reified ones. The clauses of all others, which are networks, the generalized product, grid
    /// compression, and sums by digits, are searched for, among at most 60,000 literals of definitions and clauses,
    /// with at most 2,000 lemmas for one of them, and for some seconds at most: a quarter of one where the library may
    /// take another encoding.
    ///
    /// Literals that are equal are one in counts and sums, as in [`encode`](Self::encode), where clauses of two
    /// literals or parities of two say that they are. A constraint stays as it is where elimination has found it, and
    /// where folding moves a bound to the next sum that there is, decides a literal by a divisor of all other weights,
    /// or meets a literal of the constraint's own condition.
    ///
    /// A parity of n ≤ 8 literals is the 2ⁿ⁻¹ clauses in the first file that say it. A longer one is a sum there: its
    /// literals make twice a number, whose bits are variables of their own, and one more if it is odd. Parities are
    /// encoded as they are given where elimination changes others than those of two literals.
    ///
    /// An expression with auxiliaries is read operation by operation: each is true if and only if a variable of its own
    /// is.
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
    /// When the encoding of a constraint is not covered or its sums are too long, when a constraint was written as
    /// clauses because the formula could not keep it, when the clauses are more than the [limit](Self::with_limit), and
    /// when writing fails. What was written by then is no proof: it lacks its last line.
    pub fn certify<O, P, C>(&self, opb: O, proof: P, clauses: C) -> Result<Cnf, CertifyError>
    where
        O: Write,
        P: Write,
        C: Write,
    {
        CertifiedSource::of(self).certify(opb, proof, clauses)
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
        CertifiedSource { detected: Some(self), ..CertifiedSource::of(&self.formula()) }.certify(opb, proof, clauses)
    }
}

/// A formula whose clauses are certified, and how it came from another one.
#[derive(Clone, Copy)]
pub(crate) struct CertifiedSource<'s, 'f> {
    pub(crate) formula: &'s Formula,
    pub(crate) detected: Option<&'s Detected<'f>>,
    pub(crate) broken: Option<&'s SymmetryBreaking<'f>>,
}

impl<'s> CertifiedSource<'s, '_> {
    /// A formula as it was given.
    pub(crate) const fn of(formula: &'s Formula) -> Self {
        Self { formula, detected: None, broken: None }
    }

    /// The formula that is given to the checker.
    pub(crate) fn given(&self) -> &'s Formula {
        if let Some(broken) = self.broken {
            return broken.given();
        }
        self.detected.map_or(self.formula, Detected::given)
    }

    fn certify(self, opb: impl Write, proof: impl Write, clauses: impl Write) -> Result<Cnf, CertifyError> {
        let written = self.certified(opb, Lines::new(proof), false, false, &|| true)?;
        let Certifier { mut lines, cnf, ways, mut ids, .. } = written;
        let facts = ways.facts;
        let mut text = Lines::new(clauses);
        text.word(&format!("* #variable= {} #constraint= {}\n", cnf.n_vars().max(1), cnf.n_clauses()));
        cnf.clauses().try_for_each(|clause| text.clause(clause))?;
        text.finish()?;
        // Clauses that the formula has itself stay.
        ids.extend(facts.clauses().iter().copied().filter(|&id| id > facts.inputs()));
        ids.sort_unstable();
        ids.dedup();
        lines.list("core id", &ids)?;
        lines.list("del id", &facts.beside_clauses().collect::<Vec<Id>>())?;
        lines.word("output DERIVABLE FILE;\nconclusion NONE;\nend pseudo-Boolean proof;\n");
        lines.finish()?;
        Ok(cnf)
    }

    /// Writes the formula, with its objective or without, and a proof as far as the last clause; interrupted when
    /// `go_on` says no. Sums that are left to the library have no clauses if the solver `watches` them.
    pub(crate) fn certified<'w>(
        self,
        opb: impl Write,
        mut lines: Lines<'w>,
        objective: bool,
        watches: bool,
        go_on: &'s dyn Fn() -> bool,
    ) -> Result<Certifier<'s, 'w>, CertifyError> {
        let (formula, given) = (self.formula, self.given());
        if let Some(constraint) = given.aside.constraint() {
            return Err(CertifyError::Written { constraint: constraint.to_owned() });
        }
        let said = given.aside.said();
        if self.broken.is_some() && !said.is_empty() {
            return Err(CertifyError::Symmetries { reason: "the formula has an expression with auxiliaries" });
        }
        let mut steps = Vec::new();
        let ended = &mut || if go_on() { Ok(()) } else { Err(Full::of_sink()) };
        let substituted = SubstitutedConstraints::new(formula, ended).map_err(CertifyError::cancelled)?;
        let (equal, parities) = (substituted.0.map(Rc::new), substituted.1);
        let equal = equal.as_ref();
        let kept = equal.map_or(&formula.kept, |equal| &equal.kept);
        let items = formula.items_by(Some(&mut steps), (kept, parities), EqualLits::default(), ended);
        let items = items.map_err(CertifyError::cancelled)?;
        // The numbers of variables that expressions have in OPB follow from the plan.
        let facts = if said.is_empty() {
            self.facts(&items, (&steps, equal), None, &mut lines, go_on)?
        } else {
            self.facts(&items, (&steps, equal), None, &mut Lines::new(io::sink()), go_on)?
        };
        let mut ways = CertifiedWays { formula, facts, watches, go_on, attempts: FxHashMap::default() };
        let planned = FormulaPlan::of(formula, items, &mut |items, at, check| ways.way(items, at, check), ended);
        let planned = planned.map_err(CertifyError::cancelled)?;
        let mut cnf = Cnf::with_vars(formula.n_vars()).with_limit(formula.limit());
        cnf.reserve(&planned.size)?;
        cnf.append(&formula.clauses);

        // Literals that only OPB has come after all variables of the clauses.
        let few = OpbLits(formula.n_vars() as u32 + planned.size.vars as u32);
        let mut text = Lines::new(opb);
        let own = few.of(&formula.kept, formula.kept.len()).vidx32();
        if !said.is_empty() {
            ways.facts = self.facts(&planned.items, (&steps, equal), Some(own), &mut lines, go_on)?;
        }
        let n_vars = (own + said.iter().map(SaidExpr::n_own).sum::<u32>()) as usize;
        let n_lines = ways.facts.inputs();
        text.word(&format!("* #variable= {} #constraint= {n_lines}\n", n_vars.max(1)));
        if objective {
            text.word("min: ");
            given.objective().iter().for_each(|&(lit, weight)| text.term(weight.into(), lit));
            if given.objective().is_empty() {
                text.term(0, Lit::positive(0)); // a sum has at least one term
            }
            text.end(";\n")?;
        }
        let mut derived = said.iter().flat_map(|said| said.clauses.clone()).peekable();
        let is_input = |(at, _): &(usize, &[Lit])| derived.next_if_eq(at).is_none();
        given.clauses().enumerate().filter(is_input).try_for_each(|(_, clause)| text.clause(clause))?;
        for (at, constraint) in given.constraints().enumerate() {
            sides(&constraint, few.of(&given.kept, at)).iter().try_for_each(|side| side.write(&mut text))?;
        }
        for (said, own) in numbered(said, own) {
            said.lines(own).iter().try_for_each(|line| line.write(&mut text))?;
        }
        text.finish()?;

        let items = &planned.items;
        let watched = planned.watched().flat_map(|item| ways.facts.items.lines(item.from, few));
        let watched = watched.map(|(side, id)| side.line(id)).collect();
        let mut certifier = Certifier { lines, cnf, ways, few, ids: Vec::new(), watched, current: None, failure: None };
        let recorded = certifier.record(|recorder| {
            items.parities.write(recorder, &mut |recorder, from| recorder.0.borrow_mut().begin_parity(from))?;
            planned.write_items(recorder, &mut |recorder, item| recorder.0.borrow_mut().begin(item, items))
        });
        if let Err(error) = recorded {
            return Err(error.stops(certifier.lines, "NONE"));
        }
        // The literals that only OPB has have their numbers.
        certifier.cnf.new_lits(n_vars - few.0 as usize);
        Ok(certifier)
    }
}

impl<'s> CertifiedSource<'s, '_> {
    /// The lines that say the constraints as they are encoded; `own` is the first variable of expressions, if their
    /// clauses are to be derived.
    fn facts(
        self,
        items: &Items,
        (steps, substituted): (&[CountingStep], Option<&Rc<SubstitutedConstraints>>),
        own: Option<u32>,
        lines: &mut Lines<'_>,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Facts<'s>, CertifyError> {
        let check = &mut || if go_on() { Ok(()) } else { Err(CertifyError::cancelled(())) };
        let mut said = ProofStage::given(self.given(), own.map(|own| (own, go_on)), lines, check)?;
        if let Some(detected) = self.detected {
            said = said.detect(self.formula, detected)?;
        }
        if let Some(broken) = self.broken {
            said = said.break_symmetries(broken)?;
        }
        if let Some(substituted) = substituted {
            said = said.substitute(substituted)?;
        }
        said.tighten(items, steps)?.group(items)
    }
}

/// A proof that is not finished: it derives the clauses of each constraint once all of them are there.
pub(crate) struct Certifier<'f, 'w> {
    pub(crate) lines: Lines<'w>,
    pub(crate) cnf: Cnf,
    ways: CertifiedWays<'f>,
    pub(crate) few: OpbLits,
    /// The numbers of the clauses of constraints.
    ids: Vec<Id>,
    /// The lines that have no clauses.
    pub(crate) watched: Vec<ProofLine>,
    current: Option<Current>,
    failure: Option<CertifyError>,
}

/// The constraint whose clauses are on their way.
struct Current {
    constraint: usize,
    encoding: EncodingName,
    batch: Batch,
    attempt: Option<Attempt>,
    /// It is a parity that is a sum in OPB.
    is_long: bool,
}

impl Certifier<'_, '_> {
    /// Derives what is sent to the recorder.
    fn record(
        &mut self,
        send: impl FnOnce(&mut CertifyingSink<'_, '_, '_, '_>) -> Result<(), CertifyError>,
    ) -> Result<(), CertifyError> {
        let this = RefCell::new(self);
        send(&mut CertifyingSink(&this))?;
        let this = this.into_inner();
        this.flush()?;
        this.failure.take().map_or(Ok(()), Err)
    }

    /// Adds a clause that unit propagation derives from the constraints `hints`.
    pub(crate) fn lemma(&mut self, clause: &[Lit], hints: &[Id]) -> Result<(), CertifyError> {
        self.cnf.add_clause(clause)?;
        self.ids.push(self.lines.rup(clause, hints)?);
        Ok(())
    }

    /// Adds clauses that say the line `id` of the proof: the terms sum up to at most `most` where all of `cond` are
    /// true.
    pub(crate) fn at_most(
        &mut self,
        terms: &[(Lit, u64)],
        most: u64,
        cond: &[Lit],
        id: Id,
    ) -> Result<(), CertifyError> {
        let all: u128 = terms.iter().map(|&(_, weight)| u128::from(weight)).sum();
        let mut batch = Batch::new(terms.iter().copied());
        let guards: Vec<Lit> = cond.iter().map(|&lit| !lit).collect();
        batch.bound(terms.iter().map(|&(lit, weight)| (weight, !lit)), all - u128::from(most), &guards, id);
        let lits: Vec<Lit> = terms.iter().map(|&(lit, _)| lit).collect();
        let is_count = terms.iter().all(|&(_, weight)| weight == 1);
        self.write(batch, if is_count { "totalizer" } else { "interval-diagram" }, &mut |sink| {
            let mut sink = sink.when(cond);
            match usize::try_from(most) {
                Ok(most) if is_count => sink.at_most(&lits, most, &CardEncoding::Totalizer),
                _ => sink.pb_at_most(terms, most, &PbEncoding::IntervalDiagram),
            }
        })
    }

    /// Adds clauses that `r` is true if and only if at least `k` literals are, which two lines of the proof say.
    pub(crate) fn iff_at_least(
        &mut self,
        r: Lit,
        lits: &[Lit],
        k: usize,
        [if_r, if_not]: [Id; 2],
    ) -> Result<(), CertifyError> {
        let mut batch = Batch::new(lits.iter().map(|&lit| (lit, 1)));
        batch.bound(lits.iter().map(|&lit| (1, lit)), k as u128, &[!r], if_r);
        batch.bound(lits.iter().map(|&lit| (1, !lit)), (lits.len() + 1 - k) as u128, &[r], if_not);
        self.write(batch, "totalizer", &mut |sink| sink.iff_at_least(r, lits, k, &CardEncoding::Totalizer))
    }

    /// Adds the clauses of a batch.
    fn write(
        &mut self,
        batch: Batch,
        encoding: &'static str,
        send: &mut dyn FnMut(&mut AnySink<'_>) -> Result<(), Full>,
    ) -> Result<(), CertifyError> {
        self.current = Some(Current {
            constraint: usize::MAX,
            encoding: EncodingName::Named(encoding),
            batch,
            attempt: None,
            is_long: false,
        });
        self.record(|recorder| erase(recorder, send))
    }

    /// The line of a clause.
    pub(crate) fn line_of(&self, clause: usize) -> Id {
        let own = self.ways.facts.clauses();
        own.get(clause).copied().unwrap_or_else(|| self.ids[clause - own.len()])
    }

    /// Begins a parity that comes from those of these numbers; of several, unit propagation derives it.
    fn begin_parity(&mut self, from: &[u32]) {
        let &[constraint] = from else { return self.go_on_to(None) };
        let number = self.ways.facts.number(constraint);
        let parity = self.ways.facts.kept().get(number as usize);
        let mut batch = Batch::new(parity.lits().map(|lit| (lit, 1)));
        for (clause, id) in self.ways.facts.items.lines(number, self.few) {
            batch.bound(clause.terms.iter().copied(), clause.least, &clause.guards, id);
        }
        let (encoding, constraint) = (parity.encoding, constraint as usize);
        let is_long = parity.parity_of().is_some_and(|(lits, odd)| half_bits(lits.len(), odd) > 0);
        self.go_on_to(Some(Current { constraint, encoding, batch, attempt: None, is_long }));
    }

    fn go_on_to(&mut self, next: Option<Current>) {
        if let Err(error) = self.flush() {
            self.failure.get_or_insert(error);
        }
        self.current = next;
    }

    fn begin(&mut self, item: &MergeItem, items: &Items) {
        self.go_on_to(Some(Current {
            constraint: self.ways.facts.given_number(item.from),
            encoding: item.asked.encoding_name(),
            batch: self.ways.facts.batch(items, item, self.few),
            attempt: self.ways.attempts.get(&item.from).copied(),
            is_long: false,
        }));
    }

    fn flush(&mut self) -> Result<(), CertifyError> {
        let Some(Current { constraint, encoding, batch, attempt, is_long }) = self.current.take() else {
            return Ok(());
        };
        let effort = DerivationEffort::most(self.ways.go_on);
        let derived = |id| self.ids.push(id);
        let derived = if is_long {
            derive_parity(&batch, self.ways.go_on, &mut self.lines, derived)?
        } else {
            derive(&batch, attempt, effort, &mut self.lines, derived)?
        };
        derived.map_err(|refused| match refused {
            Refused::Sums => CertifyError::TooLong { constraint, encoding },
            Refused::Clause(clause) => CertifyError::NotCovered { constraint, encoding, clause },
            Refused::Interrupted => CertifyError::cancelled(()),
        })
    }

    fn clause(&mut self, clause: &[Lit], defines: bool) -> Result<(), CertifyError> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        self.cnf.add_clause(clause)?;
        if self.cnf.n_clauses().is_multiple_of(LOOKS) && !(self.ways.go_on)() {
            return Err(CertifyError::cancelled(()));
        }
        if let Some(Current { batch, .. }) = &mut self.current {
            batch.clause(clause, defines);
        } else {
            self.ids.push(self.lines.rup(clause, &[])?);
        }
        Ok(())
    }
}

/// The sink in front of a certifier.
struct CertifyingSink<'c, 'p, 'f, 'w>(&'c RefCell<&'p mut Certifier<'f, 'w>>);

impl ClauseSink for CertifyingSink<'_, '_, '_, '_> {
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
