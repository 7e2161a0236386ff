//! Clauses and sums that are not loaded, in a session.

use std::sync::Arc;

use rustsat::types::Lit;

use super::{Choices, Session};
use crate::ClauseSink;
use crate::lazy::{LazyClauses, LazySums, RawLit, Refuted, Trail, raw};
use crate::random::Random;

/// At most one of the variables of each column of a table, row by row.
struct Columns {
    width: u32,
    /// By column, the variable that is true.
    taken: Vec<Option<u32>>,
    before: Vec<Vec<Option<u32>>>,
    why: Vec<RawLit>,
}

impl LazyClauses for Columns {
    fn propagate(&mut self, trail: &mut Trail) -> Result<(), Refuted> {
        while let Some((var, value)) = trail.read() {
            let column = (var % self.width) as usize;
            match self.taken[column] {
                Some(other) if value => return Err(trail.refute(&[raw(var, false), raw(other, false)])),
                None if value => self.taken[column] = Some(var),
                _ => {}
            }
            if value {
                let rows = self.why.capacity() as u32;
                let others = (0..rows).map(|row| row * self.width + column as u32).filter(|&other| other != var);
                others.into_iter().try_for_each(|other| trail.imply(raw(other, false)))?;
            }
        }
        Ok(())
    }

    fn explain(&mut self, lit: RawLit) -> &[RawLit] {
        assert!(!lit.sign());
        self.why.clear();
        self.why.extend(self.taken[(lit.var().idx() % self.width) as usize].map(|var| raw(var, true)));
        &self.why
    }

    fn push(&mut self) {
        self.before.push(self.taken.clone());
    }

    fn pop(&mut self, decisions: usize) {
        let left = self.before.len() - decisions;
        self.taken = self.before.drain(left..).next().expect("as many as were pushed");
    }
}

/// `rows` pigeons, one hole each of `columns`: that a hole is for one is lazy.
fn pigeons(rows: usize, columns: usize) -> Session {
    let mut session = Session::new(Choices::default());
    session.new_vars(rows * columns).unwrap();
    for row in 0..rows {
        let clause: Vec<Lit> = (0..columns).map(|column| Lit::positive((row * columns + column) as u32)).collect();
        session.add_clause(&clause).unwrap();
        for i in 0..columns {
            (0..i).for_each(|j| session.add_clause(&[!clause[i], !clause[j]]).unwrap());
        }
    }
    let (taken, why) = (vec![None; columns], Vec::with_capacity(rows));
    assert!(session.attach(Box::new(Columns { width: columns as u32, taken, before: Vec::new(), why })));
    session
}

#[test]
fn lazy_clauses_count_as_loaded_ones() {
    let mut session = pigeons(4, 4);
    let mut found = 0;
    while session.solve(&[]).unwrap() {
        found += 1;
        let model = (0..16).map(Lit::positive).filter(|&lit| session.is_true(lit));
        let blocked: Vec<Lit> = model.map(|lit| !lit).collect();
        assert_eq!(blocked.len(), 4);
        session.add_clause(&blocked).unwrap();
    }
    assert_eq!(found, 24);
    assert!(!pigeons(6, 5).solve(&[]).unwrap());
}

#[test]
fn assumptions_fail_on_lazy_clauses_and_are_named() {
    let mut session = pigeons(3, 3);
    let lit = |row: u32, column: u32| Lit::positive(3 * row + column);
    assert!(session.solve(&[lit(0, 0), lit(1, 2)]).unwrap() && session.is_true(lit(2, 1)));
    assert!(!session.solve(&[lit(2, 2), lit(0, 0), lit(1, 0)]).unwrap());
    let core = session.core().unwrap();
    assert!(core.contains(&lit(0, 0)) && core.contains(&lit(1, 0)), "{core:?}");
    assert!(!core.contains(&lit(2, 2)), "{core:?}");
    session.clear();
    session.new_vars(2).unwrap();
    assert!(session.solve(&[Lit::positive(0), Lit::positive(1)]).unwrap(), "all is forgotten");
}

/// Numbers by their ladders, and sums of multiples of them by lot: all solutions are those that there are.
#[test]
fn sums_by_lot_against_brute_force() {
    let mut random = Random::new(11);
    let mut some = 0;
    for round in 0..300 {
        let (n, most) = (2 + random.below(3), 1 + random.below(3) as u64);
        let mut session = Session::new(Choices::default());
        session.new_vars(n * most as usize).unwrap();
        let lit = |at: usize, step: u64| Lit::positive((at as u64 * most + step) as u32);
        for at in 0..n {
            (1..most).for_each(|step| session.add_clause(&[!lit(at, step), lit(at, step - 1)]).unwrap());
        }
        let sums: Vec<(Vec<i64>, i64)> = (0..=random.below(3))
            .map(|_| ((0..n).map(|_| random.below(9) as i64 - 4).collect(), random.below(20) as i64 - 5))
            .collect();
        let holds = |values: &[i64]| {
            sums.iter().all(|(by, most)| by.iter().zip(values).map(|(a, b)| a * b).sum::<i64>() <= *most)
        };
        let mut expected = 0;
        for at in 0..(most + 1).pow(n as u32) {
            let values: Vec<i64> =
                (0..n as u32).map(|place| (at / (most + 1).pow(place) % (most + 1)) as i64).collect();
            expected += usize::from(holds(&values));
        }
        let steps: Vec<[Arc<[(Lit, u64)]>; 2]> = (0..n)
            .map(|at| {
                let up = (0..most).map(|step| (lit(at, step), step + 1)).collect();
                [up, (0..most).map(|step| (!lit(at, most - 1 - step), step + 1)).collect()]
            })
            .collect();
        let mut lazy = Vec::new();
        for (by, bound) in &sums {
            let mut room = *bound;
            let mut ladders = Vec::new();
            for (at, &by) in by.iter().enumerate().filter(|&(_, &by)| by != 0) {
                // All sums share the steps.
                ladders.push((Arc::clone(&steps[at][usize::from(by < 0)]), by.unsigned_abs()));
                if by < 0 {
                    room -= by * most as i64;
                }
            }
            match u64::try_from(room) {
                Ok(room) => lazy.push((ladders, room)),
                Err(_) => session.add_clause(&[]).unwrap(),
            }
        }
        assert!(session.attach(Box::new(LazySums::new(lazy))));
        let mut found = 0;
        while session.solve(&[]).unwrap() {
            found += 1;
            let value = |at: usize| (0..most).filter(|&step| session.is_true(lit(at, step))).count() as i64;
            let values: Vec<i64> = (0..n).map(value).collect();
            assert!(holds(&values), "round {round}: {values:?} in {sums:?}");
            let all = (0..n * most as usize).map(|var| Lit::positive(var as u32));
            let differs: Vec<Lit> = all.map(|lit| if session.is_true(lit) { !lit } else { lit }).collect();
            session.add_clause(&differs).unwrap();
        }
        assert_eq!(found, expected, "round {round}: {sums:?}");
        some += usize::from(found > 0);
    }
    assert!((100..300).contains(&some), "{some}");
}
