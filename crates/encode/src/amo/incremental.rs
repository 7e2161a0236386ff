//! [`IncAtMostOne`]: at most one of literals that come in while a solver runs.

use rustc_hash::FxHashMap;
use rustsat::types::{Lit, Var};

use super::growing::{GrowingAtMostOne, LiteralPart, settle, size};
use crate::erase::{AnySink, erase};
use crate::grown::Grown;
use crate::sink::ClauseSink;
use crate::size::Size;
use crate::writer::{Full, Writer};

/// At most one of literals that come in while a solver runs: it grows, and takes no clause back.
///
/// A package resolver learns of the candidates of a package one by one, a planner of the actions of a step, column
/// generation of columns. Each [`extend`](Self::extend) adds what is missing, so a solver keeps what it has learnt.
///
/// | n literals of distinct variables | |
/// |---|---|
/// | clauses | at most 3n, of two literals each; 2n + 4√n + O(⁴√n) as n grows, 2203 at n = 1000 |
/// | auxiliaries | 2√n + O(⁴√n), ⌊n/2⌋ − 1 up to n = 16 |
/// | strength | generalised arc consistent after every step |
/// | direction | inputs → auxiliaries; an auxiliary may be true without an input |
/// | under a condition | 47 of 261 clauses are guarded at n = 100, 86 of 2203 at n = 1000 |
///
/// One step of n literals, n steps of one, and anything in between make the same clauses. Literals are taken in the
/// order given: those that belong together should come together.
///
/// The literals of all steps together are a multiset, as at the front door: one given twice is false, and one beside
/// its negation makes all others false. A literal whose value the sink [knows](ClauseSink::fixed) counts as that value.
/// Such cases add at most one clause a literal, and four once.
///
/// The first 16 literals are a chain of pairwise groups, the others are in a rectangle that grows: each implies a row
/// and a column, and those are at most one in the same way. Chen (*A New SAT Encoding of the At-Most-One Constraint*,
/// Modelling and Reformulating Constraint Satisfaction Problems, 2010) has the rectangle of a fixed number.
///
/// # Conditions, and taking it back
///
/// Under a [condition](crate::Constrain::when), only what enforces carries it. Give every step the same condition. If
/// it is a literal of its own, that is a selector: assume it where the constraint is to hold, and add its negation as a
/// clause where it is never to hold again.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use cnfkit::solvers::{DefaultSolver, SolveIncremental, SolverResult};
/// use cnfkit::{ClauseSink, Constrain, IncAtMostOne, SolverSink};
///
/// let mut solver = DefaultSolver::default();
/// let mut sink = SolverSink::new(&mut solver, 0);
/// let on = sink.new_lit();
/// let mut one = IncAtMostOne::new();
/// let x = sink.new_lits(30);
/// one.extend(&mut sink.when(&[on]), &x)?;
/// assert_eq!(sink.solver().solve_assumps(&[on, x[3]])?, SolverResult::Sat);
///
/// let y = sink.new_lits(1); // another candidate turns up
/// one.extend(&mut sink.when(&[on]), &y)?;
/// assert_eq!(sink.solver().solve_assumps(&[on, x[3], y[0]])?, SolverResult::Unsat);
/// assert_eq!(sink.solver().solve_assumps(&[x[3], y[0]])?, SolverResult::Sat);
///
/// sink.add_clause(&[!on])?; // for good
/// # Ok(())
/// # }
/// ```
#[doc(alias = "AtMostOnceTracker")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IncAtMostOne {
    members: GrowingAtMostOne,
    seen: FxHashMap<Var, Seen>,
    /// Literals that are true in any case: fixed ones, and one for each complementary pair. Two are too many.
    taken: u8,
    n: usize,
    grown: Grown,
}

/// A variable of which a literal was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen {
    /// How much more often the positive literal was given than the negative one.
    excess: i64,
    /// The place among the members.
    member: Option<usize>,
    /// A unit clause says that the literal is false, because it was given twice.
    denied: bool,
}

/// A batch that is ready to be written.
#[derive(Debug, Default)]
pub(super) struct ReadyBatch {
    /// Literals that become members.
    pub(super) fresh: Vec<Lit>,
    units: Vec<Lit>,
    settled: Vec<(LiteralPart, bool)>,
    /// The first literal that is true in any case is in this batch, or the second.
    taken: u8,
    /// The state of each variable before, in order.
    before: Vec<(Var, Option<Seen>)>,
    size: Size,
    n: usize,
}

impl ReadyBatch {
    /// One literal is true in any case.
    pub(super) const fn is_taken(&self) -> bool {
        self.taken > 0
    }
}

impl IncAtMostOne {
    /// At most one of no literals.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of literals that were given.
    #[must_use]
    pub const fn n(&self) -> usize {
        self.n
    }

    /// The size of what [`extend`](Self::extend) adds for `n` literals of variables that are new to it, without a
    /// condition.
    ///
    /// ```
    /// use cnfkit::{IncAtMostOne, Size};
    /// let size = IncAtMostOne::new().extend_size(6649);
    /// assert_eq!(size, Size { vars: 233, clauses: 13_749, lits: 27_498 });
    /// ```
    #[must_use]
    pub fn extend_size(&self, n: usize) -> Size {
        match self.taken {
            0 => difference(size(self.members.n().saturating_add(n)), size(self.members.n())),
            1 => Size::clauses(n as u64, 1),
            _ => Size::ZERO,
        }
    }

    /// Takes `lits` in: of all literals given so far, at most one is true.
    ///
    /// The exact size is announced before the first clause.
    ///
    /// # Errors
    /// As the sink fails. If the sink refused the announced size, nothing has changed; if it failed later, the value is
    /// of no more use.
    ///
    /// # Panics
    /// When a literal's variable is at or above [`next_var`](ClauseSink::next_var), and when the sink is another than
    /// before: it does not know all variables.
    pub fn extend<S: ClauseSink + ?Sized>(&mut self, sink: &mut S, lits: &[Lit]) -> Result<(), S::Error> {
        erase(sink, &mut |sink| {
            let step = self.plan(sink, lits);
            self.write(sink, step, Size::ZERO, &mut |_, _| Ok(()))
        })
    }

    /// One literal is true in any case.
    pub(super) const fn is_taken(&self) -> bool {
        self.taken > 0
    }

    /// Counts literals that were dealt with elsewhere.
    pub(super) const fn add_given(&mut self, n: usize) {
        self.n += n;
    }

    /// Panics when the sink does not know `lits`, or is another than before.
    pub(super) fn check(&self, sink: &AnySink<'_>, lits: &[Lit]) {
        self.grown.check(sink, lits);
    }

    /// Folds a batch into what is there. The step is to be [written](Self::write).
    pub(super) fn plan(&mut self, sink: &AnySink<'_>, lits: &[Lit]) -> ReadyBatch {
        self.check(sink, lits);
        let members = self.members.n();
        let mut step = ReadyBatch { taken: self.taken, n: lits.len(), ..ReadyBatch::default() };
        let mut free = None;
        for &lit in lits {
            match sink.fixed(lit) {
                Some(false) => continue,
                Some(true) => {
                    step.taken = (step.taken + 1).min(2);
                    continue;
                }
                None => {}
            }
            step.before.push((lit.var(), self.seen.get(&lit.var()).copied()));
            let seen = self.seen.entry(lit.var()).or_insert(Seen { excess: 0, member: None, denied: false });
            let before = seen.excess.unsigned_abs();
            seen.excess += if lit.is_pos() { 1 } else { -1 };
            match (before, seen.excess.unsigned_abs()) {
                // Beside its negation: one of both is true.
                (before, now) if now < before => {
                    if step.taken == 0 {
                        free = seen.member;
                    }
                    step.taken = (step.taken + 1).min(2);
                }
                (0, _) if step.taken == 0 => {
                    seen.member = Some(members + step.fresh.len());
                    step.fresh.push(lit);
                }
                (0, _) => step.units.push(!lit),
                (1, _) if step.taken == 0 => {
                    seen.denied = true;
                    step.units.push(!lit);
                }
                // Given more often, or while another is true: it is false already.
                _ => {}
            }
        }
        if step.taken == 2 {
            // No literals are left to speak of: what cannot hold is said once.
            (step.fresh, step.units) = (Vec::new(), Vec::new());
            step.size = if self.taken < 2 { Size::clause(0) } else { Size::ZERO };
            return step;
        }
        if step.taken > self.taken {
            step.settled = settle(members + step.fresh.len(), free);
            step.settled.retain(|&(part, _)| !self.is_denied(&step.fresh, part));
        }
        step.size = difference(size(members + step.fresh.len()), size(members))
            + Size::clauses((step.units.len() + step.settled.len()) as u64, 1);
        step
    }

    /// True if `part` is a member that is said to be false already.
    fn is_denied(&self, fresh: &[Lit], part: LiteralPart) -> bool {
        let LiteralPart::Member(at) = part else { return false };
        let lit = if at < self.members.n() { self.members.part(part) } else { fresh[at - self.members.n()] };
        self.seen.get(&lit.var()).is_some_and(|seen| seen.denied)
    }

    /// Takes a step back that was not written.
    fn undo(&mut self, step: ReadyBatch) {
        for (var, seen) in step.before.into_iter().rev() {
            match seen {
                Some(seen) => self.seen.insert(var, seen),
                None => self.seen.remove(&var),
            };
        }
    }

    /// Announces a step and `more`, and writes both; what the sink refuses is undone.
    pub(super) fn write(
        &mut self,
        sink: &mut AnySink<'_>,
        step: ReadyBatch,
        more: Size,
        rest: &mut dyn FnMut(&mut Writer<'_>, &ReadyBatch) -> Result<(), Full>,
    ) -> Result<(), Full> {
        let written =
            Grown::write(sink, "literals that come in, of which at most one is true", &(step.size + more), &mut |to| {
                self.write_to(to, &step)?;
                rest(to, &step)
            });
        match written {
            Ok(grown) => self.grown = grown,
            Err(error) => {
                self.undo(step);
                return Err(error);
            }
        }
        Ok(())
    }

    fn write_to(&mut self, to: &mut Writer<'_>, step: &ReadyBatch) -> Result<(), Full> {
        self.n += step.n;
        let before = std::mem::replace(&mut self.taken, step.taken);
        if step.taken == 2 {
            return if before < 2 { to.clause(&[]) } else { Ok(()) };
        }
        step.fresh.iter().try_for_each(|&lit| self.members.add(to, lit))?;
        step.units.iter().try_for_each(|&unit| to.clause(&[unit]))?;
        step.settled.iter().try_for_each(|&(part, value)| {
            let lit = self.members.part(part);
            to.clause(&[if value { lit } else { !lit }])
        })
    }
}

/// The part of `more` that is not in `less`.
const fn difference(more: Size, less: Size) -> Size {
    Size {
        vars: more.vars.saturating_sub(less.vars),
        clauses: more.clauses.saturating_sub(less.clauses),
        lits: more.lits.saturating_sub(less.lits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Recorder, inputs};
    use crate::{Cnf, Constrain, Tally};

    /// The clauses of `steps`, one batch after the other.
    fn recorded(steps: &[usize]) -> Recorder {
        let n = steps.iter().sum();
        let (lits, mut at) = (inputs(n), 0);
        let mut recorder = Recorder::new(n);
        let mut one = IncAtMostOne::new();
        for &more in steps {
            let size = one.extend_size(more);
            recorder.announced = Size::ZERO;
            one.extend(&mut recorder, &lits[at..at + more]).unwrap();
            assert_eq!(recorder.announced, size, "{more} after {at}");
            at += more;
        }
        assert_eq!((one.n(), recorder.size(n)), (n, IncAtMostOne::new().extend_size(n)));
        recorder
    }

    #[test]
    fn batches_do_not_matter() {
        // Auxiliaries come between the inputs of later steps, so these are made first.
        let whole = recorded(&[200]);
        for steps in [&[1; 200][..], &[2; 100], &[15, 1, 1, 183], &[0, 199, 0, 1], &[16, 184], &[17, 83, 100]] {
            assert_eq!(recorded(steps).clauses, whole.clauses, "{steps:?}");
        }
    }

    /// Most clauses define: few carry the condition.
    #[test]
    fn few_are_guarded() {
        for (n, guarded) in [(16, 22), (100, 47), (1_000, 86)] {
            let recorder = recorded(&[n]);
            assert_eq!(recorder.clauses.len() - recorder.defined, guarded, "{n}");
        }
    }

    /// A literal beside its negation, and one whose value is known: a few clauses, whatever the number of members.
    #[test]
    fn what_is_true_in_any_case_costs_few_clauses() {
        for n in [1, 5, 16, 17, 100, 1_000] {
            for pair in [0, n / 2, n - 1] {
                let mut tally = Tally::new(n + 3);
                let lits = tally.inputs();
                let mut one = IncAtMostOne::new();
                one.extend(&mut tally, &lits[..n]).unwrap();
                let before = tally.size();
                one.extend(&mut tally, &[!lits[pair]]).unwrap();
                assert!(
                    tally.size().clauses <= before.clauses + 4 && tally.size().vars == before.vars,
                    "{pair} of {n}"
                );
                let before = tally.size();
                assert_eq!(one.extend_size(3), Size::clauses(3, 1));
                one.extend(&mut tally, &lits[n..]).unwrap();
                assert_eq!(tally.size(), before + Size::clauses(3, 1));
                // What cannot hold is said once.
                one.extend(&mut tally, &[!lits[n]]).unwrap();
                assert_eq!(
                    (tally.size(), one.extend_size(3)),
                    (before + Size::clauses(3, 1) + Size::clause(0), Size::ZERO)
                );
                one.extend(&mut tally, &lits).unwrap();
                assert_eq!(tally.size(), before + Size::clauses(3, 1) + Size::clause(0));
            }
            let mut tally = Tally::new(n + 1);
            let lits = tally.inputs();
            let mut one = IncAtMostOne::new();
            one.extend(&mut tally.when(&lits[n..]), &lits[..n]).unwrap();
            let before = tally.size();
            one.extend(&mut tally.when(&lits[n..]), &lits[n..]).unwrap();
            assert!(tally.size().clauses <= before.clauses + 3, "{n}");
            // What is false adds nothing.
            let (mut one, before) = (IncAtMostOne::new(), tally.size());
            one.extend(&mut tally.when(&lits[n..]), &[!lits[n], !lits[n]]).unwrap();
            assert_eq!(tally.size(), before);
        }
    }

    #[test]
    fn a_refusal_changes_nothing() {
        let full = recorded(&[50]).size(0);
        let mut cnf = Cnf::with_vars(100).with_limit(Size { vars: 200, lits: 1_000, ..full });
        let mut one = IncAtMostOne::new();
        let lits = inputs(100);
        one.extend(&mut cnf, &lits[..30]).unwrap();
        let before = (cnf.clone(), one.clone());
        for more in [&lits[30..], &[&lits[..], &[!lits[0]]].concat(), &[&lits[40..90], &lits[..50]].concat()] {
            let error = one.extend(&mut cnf, more).unwrap_err();
            assert!(!error.needed.fits(&error.limit) && (&cnf, &one) == (&before.0, &before.1));
        }
        one.extend(&mut cnf, &lits[30..50]).unwrap();
        assert_eq!(cnf.n_clauses() as u64, full.clauses);
    }

    #[test]
    #[should_panic(expected = "not known to the sink")]
    fn unknown_inputs_are_refused() {
        let _ = IncAtMostOne::new().extend(&mut Tally::new(2), &inputs(3));
    }
}
