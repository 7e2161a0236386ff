//! Unit propagation with undo, by two watched literals.
//!
//! # Invariant
//!
//! The first two literals of each clause of two or more are watched. Once `propagate` has returned true, a watched
//! literal that is false stands beside one that is true and was so no later. Undoing keeps that: it takes values off in
//! the reverse order. While `propagate` runs, only the literals of the trail behind `done` break it.
//!
//! Source: M. Moskewicz, C. Madigan, Y. Zhao, L. Zhang, S. Malik, *Chaff: engineering an efficient SAT solver*, DAC
//! 2001, pages 530–535.

use rustsat::types::Lit;

use crate::cnf::Cnf;

/// The clauses of a formula, and the values that follow from those that were assumed.
#[derive(Debug)]
pub(super) struct Propagator {
    lits: Vec<Lit>,
    /// Where each clause of two or more literals begins, and where the last one ends.
    starts: Vec<usize>,
    /// The clauses that watch a literal, by literal.
    watches: Vec<Vec<u32>>,
    value: Vec<Option<bool>>,
    trail: Vec<Lit>,
    /// The literals of the trail whose clauses were visited.
    done: usize,
}

impl Propagator {
    /// Propagates the clauses of one literal: none if that ends in a contradiction.
    pub(super) fn new(cnf: &Cnf) -> Option<Self> {
        let mut new = Self {
            lits: Vec::with_capacity(cnf.n_lits()),
            starts: vec![0],
            watches: vec![Vec::new(); 2 * cnf.n_vars()],
            value: vec![None; cnf.n_vars()],
            trail: Vec::new(),
            done: 0,
        };
        for clause in cnf.clauses() {
            match *clause {
                [] => return None,
                [lit] if new.value(lit) == Some(false) => return None,
                [lit] => new.set(lit),
                [first, second, ..] => {
                    let number = new.starts.len() as u32 - 1;
                    new.watches[first.lidx()].push(number);
                    new.watches[second.lidx()].push(number);
                    new.lits.extend_from_slice(clause);
                    new.starts.push(new.lits.len());
                }
            }
        }
        new.propagate().then_some(new)
    }

    /// The value of a literal.
    pub(super) fn value(&self, lit: Lit) -> Option<bool> {
        self.value[lit.vidx()].map(|value| value == lit.is_pos())
    }

    /// The number of variables that have values, for [`undo`](Self::undo).
    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes back all values that were assigned after the mark.
    pub(super) fn undo(&mut self, mark: usize) {
        for lit in self.trail.drain(mark..) {
            self.value[lit.vidx()] = None;
        }
        self.done = self.done.min(mark);
    }

    fn set(&mut self, lit: Lit) {
        if self.value(lit).is_none() {
            self.value[lit.vidx()] = Some(lit.is_pos());
            self.trail.push(lit);
        }
    }

    /// Assumes a literal and propagates: false on a contradiction, after which values are to be undone.
    pub(super) fn assume(&mut self, lit: Lit) -> bool {
        if self.value(lit) == Some(false) {
            return false;
        }
        self.set(lit);
        self.propagate()
    }

    fn propagate(&mut self) -> bool {
        while let Some(&lit) = self.trail.get(self.done) {
            self.done += 1;
            let mut watching = std::mem::take(&mut self.watches[(!lit).lidx()]);
            let mut at = 0;
            let mut holds = true;
            while at < watching.len() && holds {
                match self.visit(watching[at], !lit) {
                    Visit::Stays => at += 1,
                    Visit::Moved => _ = watching.swap_remove(at),
                    Visit::Fails => holds = false,
                }
            }
            // No clause has begun to watch this literal meanwhile: it is false.
            self.watches[(!lit).lidx()] = watching;
            if !holds {
                return false;
            }
        }
        true
    }

    /// Looks at a clause of which a watched literal has become false.
    fn visit(&mut self, number: u32, falsified: Lit) -> Visit {
        let range = self.starts[number as usize]..self.starts[number as usize + 1];
        let clause = &mut self.lits[range];
        let value = |lit: Lit| self.value[lit.vidx()].map(|value| value == lit.is_pos());
        if clause[0] == falsified {
            clause.swap(0, 1);
        }
        let other = clause[0];
        if value(other) == Some(true) {
            return Visit::Stays;
        }
        if let Some(at) = (2..clause.len()).find(|&at| value(clause[at]) != Some(false)) {
            clause.swap(1, at);
            let watched = clause[1];
            self.watches[watched.lidx()].push(number);
            return Visit::Moved;
        }
        if value(other) == Some(false) {
            return Visit::Fails;
        }
        self.set(other);
        Visit::Stays
    }
}

enum Visit {
    Stays,
    Moved,
    Fails,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::sink::ClauseSink;

    /// Values that follow from one clause and what is known, until nothing changes.
    fn closure(cnf: &Cnf, assumed: &[Lit]) -> Option<Vec<Option<bool>>> {
        let mut values = vec![None; cnf.n_vars()];
        let value = |values: &[Option<bool>], lit: Lit| values[lit.vidx()].map(|value| value == lit.is_pos());
        for &lit in assumed {
            if value(&values, lit) == Some(false) {
                return None;
            }
            values[lit.vidx()] = Some(lit.is_pos());
        }
        loop {
            let before = values.clone();
            for clause in cnf.clauses().filter(|clause| !clause.iter().any(|&lit| value(&before, lit) == Some(true))) {
                let open: Vec<Lit> = clause.iter().copied().filter(|lit| values[lit.vidx()].is_none()).collect();
                match open[..] {
                    [] if !clause.iter().any(|&lit| value(&values, lit) == Some(true)) => return None,
                    [lit] if !clause.iter().any(|&lit| value(&values, lit) == Some(true)) => {
                        values[lit.vidx()] = Some(lit.is_pos());
                    }
                    _ => {}
                }
            }
            if before == values {
                return Some(values);
            }
        }
    }

    /// Values are those of the closure, along walks of assumptions that are taken back and made anew.
    #[test]
    fn values_are_those_that_follow() {
        let mut lot = Random::new(7);
        let (mut contradictions, mut walks) = (0, 0);
        for _ in 0..300 {
            let n = 3 + lot.below(8);
            let mut cnf = Cnf::with_vars(n);
            for _ in 0..lot.below(4 * n) {
                let mut clause: Vec<Lit> =
                    (0..=lot.below(4)).map(|_| Lit::new(lot.below(n) as u32, lot.below(2) == 0)).collect();
                clause.sort_unstable();
                clause.dedup();
                // Three of four clauses of one literal are left out.
                if clause.len() > 1 || lot.below(4) == 0 {
                    cnf.add_clause(&clause).unwrap();
                }
            }
            let Some(mut propagator) = Propagator::new(&cnf) else {
                assert_eq!(closure(&cnf, &[]), None);
                continue;
            };
            let (mut assumed, mut marks): (Vec<Lit>, Vec<usize>) = (Vec::new(), Vec::new());
            for _ in 0..30 {
                walks += 1;
                if lot.below(3) == 0
                    && let Some(mark) = marks.pop()
                {
                    assumed.pop();
                    propagator.undo(mark);
                } else {
                    let lit = Lit::new(lot.below(n) as u32, lot.below(2) == 0);
                    marks.push(propagator.mark());
                    assumed.push(lit);
                    if !propagator.assume(lit) {
                        contradictions += 1;
                        assert_eq!(closure(&cnf, &assumed), None, "{assumed:?} {cnf}");
                        assumed.pop();
                        propagator.undo(marks.pop().unwrap());
                    }
                }
                assert_eq!(closure(&cnf, &assumed).as_ref(), Some(&propagator.value), "{assumed:?} {cnf}");
            }
        }
        assert!(contradictions > 500 && walks > 5_000, "{contradictions} of {walks}");
    }
}
