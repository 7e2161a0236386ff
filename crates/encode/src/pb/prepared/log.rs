//! [`ClauseLog`]: the clauses that an encoder has sent once, to be sent again with variables of the sink's own.
//!
//! An encoder whose size is known only by running it is run once, while planning, and its clauses are kept: sending
//! them again takes a few nanoseconds a clause, running the encoder several times as many. A clause is its literals in
//! one vector, and its length in another.

use rustsat::types::{Lit, Var};

use crate::encode::{GoOn, ONCE_IN, Prepared};
use crate::sink::{ClauseSink, Layer, free_variable};
use crate::size::Size;
use crate::writer::{Full, Writer, Writing, in_chunks_of};

/// The budget is passed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OverBudget;

/// Clauses over inputs, which keep their variables, and auxiliaries above them. An encoder has no other variables.
#[derive(Clone, Debug)]
pub(crate) struct ClauseLog {
    /// The first variable that is not an input.
    free: u32,
    /// The number of auxiliaries.
    vars: u32,
    lits: Vec<Lit>,
    /// For each clause twice its length, plus one if it only defines.
    heads: Vec<u32>,
    /// The most auxiliaries and clauses together.
    budget: u64,
}

impl ClauseLog {
    /// No clauses yet, about inputs whose variables are below `free`. More auxiliaries and clauses together than
    /// `budget` are refused.
    pub(in crate::pb) fn new(free: u32, budget: u64) -> Self {
        let mut log = Self { free, vars: 0, lits: Vec::new(), heads: Vec::new(), budget };
        log.clear(budget);
        log
    }

    /// Forgets all clauses, and begins anew with another budget.
    pub(in crate::pb) fn clear(&mut self, budget: u64) {
        self.vars = 0;
        self.lits.clear();
        self.heads.clear();
        // There are not more variables than rustsat has.
        self.budget = budget.min(u64::from(Var::MAX_IDX - self.free));
    }

    /// Auxiliaries and clauses together.
    pub(in crate::pb) const fn cost(&self) -> u64 {
        self.vars as u64 + self.heads.len() as u64
    }

    /// Records what `write` writes while `go_on`, which is asked once in many clauses; `None` where it is false, and
    /// where that is over the budget.
    pub(in crate::pb) fn record(&mut self, go_on: &mut GoOn<'_>, write: &mut Writing<'_>) -> Option<()> {
        let budget = self.budget as usize;
        in_chunks_of(budget.saturating_add(1), &mut Recording { log: self, go_on, left: 0 }, write).ok()
    }

    #[inline]
    fn push(&mut self, clause: &[Lit], defines: bool) -> Result<(), OverBudget> {
        let known = self.free.saturating_add(self.vars);
        debug_assert!(free_variable(clause.iter().copied()) <= known, "{clause:?}: not below {known}");
        self.lits.extend_from_slice(clause);
        self.heads.push((clause.len() as u32) << 1 | u32::from(defines));
        if self.cost() > self.budget { Err(OverBudget) } else { Ok(()) }
    }
}

/// A log that is over its budget when `go_on` is false.
struct Recording<'a, 'g> {
    log: &'a mut ClauseLog,
    go_on: &'a mut GoOn<'g>,
    /// Clauses until it is asked again.
    left: usize,
}

impl Recording<'_, '_> {
    fn step(&mut self) -> Result<(), OverBudget> {
        if self.left == 0 {
            if !(self.go_on)() {
                return Err(OverBudget);
            }
            self.left = ONCE_IN;
        }
        self.left -= 1;
        Ok(())
    }
}

impl Layer for Recording<'_, '_> {
    type Inner = ClauseLog;

    fn inner(&self) -> &ClauseLog {
        self.log
    }

    fn inner_mut(&mut self) -> &mut ClauseLog {
        self.log
    }

    fn pass_clause(&mut self, clause: &[Lit]) -> Result<(), OverBudget> {
        self.step()?;
        self.log.add_clause(clause)
    }

    fn pass_definition(&mut self, clause: &[Lit]) -> Result<(), OverBudget> {
        self.step()?;
        self.log.define(clause)
    }
}

impl ClauseSink for ClauseLog {
    type Error = OverBudget;

    #[inline]
    fn add_clause(&mut self, clause: &[Lit]) -> Result<(), OverBudget> {
        self.push(clause, false)
    }

    #[inline]
    fn define(&mut self, clause: &[Lit]) -> Result<(), OverBudget> {
        self.push(clause, true)
    }

    #[inline]
    fn new_lit(&mut self) -> Lit {
        let lit = self.next_var().pos_lit();
        self.vars += 1;
        lit
    }

    /// More than rustsat has are as good as one: the next clause is refused.
    #[inline]
    fn next_var(&self) -> Var {
        Var::new(self.free.saturating_add(self.vars).min(Var::MAX_IDX - 1))
    }

    /// In chunks as large as the budget, so that what is over it ends soon.
    fn write_by(&mut self, write: &mut Writing<'_>) -> Result<(), OverBudget> {
        in_chunks_of(self.budget as usize + 1, self, write)
    }
}

impl Prepared for ClauseLog {
    fn size(&self) -> Size {
        Size { vars: u64::from(self.vars), clauses: self.heads.len() as u64, lits: self.lits.len() as u64 }
    }

    fn write(&self, to: &mut Writer<'_>) -> Result<(), Full> {
        let fresh = to.lits(self.vars as usize);
        let here = |lit: Lit| match lit.vidx32().checked_sub(self.free) {
            Some(at) => {
                if lit.is_neg() {
                    !fresh[at as usize]
                } else {
                    fresh[at as usize]
                }
            }
            None => lit,
        };
        let mut long = Vec::new();
        let mut rest = &self.lits[..];
        for &head in &self.heads {
            let (clause, after) = rest.split_at((head >> 1) as usize);
            rest = after;
            send(to, head, clause, here, &mut long)?;
        }
        Ok(())
    }
}

/// Sends a clause, whose literals `lit` knows: as a definition if its `head` is odd. `long` is room for long ones.
#[inline]
pub(super) fn send<T: Copy>(
    to: &mut Writer<'_>,
    head: u32,
    clause: &[T],
    lit: impl Fn(T) -> Lit,
    long: &mut Vec<Lit>,
) -> Result<(), Full> {
    let mut send = |clause: &[Lit]| if head & 1 == 1 { to.define(clause) } else { to.clause(clause) };
    // Short clauses, which most are, have a length that the compiler knows.
    match *clause {
        [a, b] => send(&[lit(a), lit(b)]),
        [a, b, c] => send(&[lit(a), lit(b), lit(c)]),
        _ => {
            long.clear();
            long.extend(clause.iter().map(|&of| lit(of)));
            send(long)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Recorder, inputs};

    /// Inputs keep their variables, auxiliaries come after those of the sink, and what defines, defines.
    #[test]
    fn auxiliaries_move_and_inputs_stay() {
        let lits = inputs(4);
        let mut log = ClauseLog::new(3, 100);
        let aux = [log.new_lit(), log.new_lit()];
        assert_eq!(aux, [Lit::positive(3), Lit::positive(4)]);
        log.define(&[!lits[0], aux[0]]).unwrap();
        log.define(&[!aux[0], lits[2], !lits[1], aux[1]]).unwrap();
        log.add_clause(&[!aux[1], lits[1], lits[2]]).unwrap();
        log.add_clause(&[]).unwrap();
        assert_eq!(log.size(), Size { vars: 2, clauses: 4, lits: 9 });
        let mut recorder = Recorder::new(7);
        let Ok(()) = recorder.write_by(&mut |to| log.write(to));
        let [a, b] = [Lit::positive(7), Lit::positive(8)];
        let expected = [vec![!lits[0], a], vec![!a, lits[2], !lits[1], b], vec![!b, lits[1], lits[2]], vec![]];
        assert_eq!((&recorder.clauses[..], recorder.defined), (&expected[..], 2));
        assert_eq!(recorder.next_var(), Var::new(9));
    }

    /// Auxiliaries and clauses count, and a log that begins anew has the new budget.
    #[test]
    fn what_is_over_the_budget_is_refused() {
        let mut log = ClauseLog::new(2, 3);
        let aux = log.new_lit();
        assert!(log.define(&[aux]).is_ok());
        assert!(log.define(&[aux]).is_ok());
        assert!(log.define(&[aux]).is_err());
        log.clear(0);
        assert_eq!(log.size(), Size::ZERO);
        assert!(log.add_clause(&[]).is_err());
    }

    /// No clause has a variable that was not taken, as every other sink takes note of.
    #[test]
    #[should_panic(expected = "not below 3")]
    #[cfg(debug_assertions)]
    fn unknown_variables_are_a_bug() {
        let _ = ClauseLog::new(3, 9).define(&[Lit::positive(0), Lit::negative(3)]);
    }
}
