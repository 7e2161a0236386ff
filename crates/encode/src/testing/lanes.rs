//! Which assignments of the inputs a formula allows: 256 of them at a time, one to a bit.
//!
//! For each variable there are two rows of bits: where it is true, and where it is false. Unit propagation goes through
//! the clauses until nothing changes, for all assignments at once. Auxiliaries that it leaves open are first tried all
//! false, then all true, which satisfies what is defined in one direction only; where neither does, a solver is asked.

use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::{Lit, Var};
use rustsat_batsat::BasicSolver;

/// A bit for each assignment.
type AssignmentBits = [u64; 4];

const NONE: AssignmentBits = [0; 4];
const LANES: u32 = 256;

fn zip(a: AssignmentBits, b: AssignmentBits, with: impl Fn(u64, u64) -> u64) -> AssignmentBits {
    [with(a[0], b[0]), with(a[1], b[1]), with(a[2], b[2]), with(a[3], b[3])]
}

fn and(a: AssignmentBits, b: AssignmentBits) -> AssignmentBits {
    zip(a, b, |a, b| a & b)
}

fn or(a: AssignmentBits, b: AssignmentBits) -> AssignmentBits {
    zip(a, b, |a, b| a | b)
}

fn without(a: AssignmentBits, b: AssignmentBits) -> AssignmentBits {
    zip(a, b, |a, b| a & !b)
}

/// Where each literal is true, by literal.
#[derive(Clone)]
struct LiteralLanes(Vec<AssignmentBits>);

impl LiteralLanes {
    fn is_true(&self, lit: Lit) -> AssignmentBits {
        self.0[lit.lidx()]
    }

    fn is_open(&self, lit: Lit) -> AssignmentBits {
        without([u64::MAX; 4], or(self.is_true(lit), self.is_true(!lit)))
    }

    fn set(&mut self, lit: Lit, lanes: AssignmentBits) {
        self.0[lit.lidx()] = or(self.0[lit.lidx()], lanes);
    }
}

#[derive(Debug)]
pub struct Lanes {
    n_vars: usize,
    lits: Vec<Lit>,
    ends: Vec<usize>,
}

impl Lanes {
    pub fn new<'a>(n_vars: usize, clauses: impl IntoIterator<Item = &'a [Lit]>) -> Self {
        let mut lanes = Self { n_vars, lits: Vec::new(), ends: Vec::new() };
        clauses.into_iter().for_each(|clause| lanes.add(clause));
        lanes
    }

    pub fn add(&mut self, clause: &[Lit]) {
        self.lits.extend_from_slice(clause);
        self.ends.push(self.lits.len());
    }

    /// Takes back the clauses after the first `count`.
    pub fn truncate(&mut self, count: usize) {
        self.ends.truncate(count);
        self.lits.truncate(self.ends.last().copied().unwrap_or(0));
    }

    #[must_use]
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    fn clauses(&self) -> impl Iterator<Item = &[Lit]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| &self.lits[std::mem::replace(&mut start, end)..end])
    }

    /// Calls `check` with every assignment of the first `inputs` variables, a bit each, and whether the clauses allow
    /// it.
    pub fn each_assignment(&self, inputs: usize, mut check: impl FnMut(u32, bool)) {
        let mut solver = None;
        for first in (0..1_u32 << inputs).step_by(LANES as usize) {
            let count = LANES.min((1 << inputs) - first);
            let mut state = LiteralLanes(vec![NONE; 2 * self.n_vars]);
            let mut active = NONE;
            for lane in 0..count {
                let (word, bit) = (lane as usize / 64, 1 << (lane % 64));
                active[word] |= bit;
                for var in 0..inputs as u32 {
                    state.0[Lit::new(var, (first + lane) >> var & 1 == 0).lidx()][word] |= bit;
                }
            }
            let (allowed, open) = self.allowed(state, active);
            for lane in 0..count {
                let is_in = |row: AssignmentBits| row[lane as usize / 64] >> (lane % 64) & 1 == 1;
                let assignment = first + lane;
                let is_allowed = is_in(allowed)
                    || is_in(open) && is_satisfied(solver.get_or_insert_with(|| self.solver()), inputs, assignment);
                check(assignment, is_allowed);
            }
        }
    }

    fn solver(&self) -> BasicSolver {
        let mut solver = BasicSolver::default();
        solver.reserve(Var::new(self.n_vars as u32)).expect("no limit");
        self.clauses().for_each(|clause| solver.add_clause_ref(clause).expect("no limit"));
        solver
    }

    /// Of the lanes that are active, those in which the clauses can be satisfied, and those in which that is open.
    fn allowed(&self, mut state: LiteralLanes, active: AssignmentBits) -> (AssignmentBits, AssignmentBits) {
        let mut active = self.propagate(&mut state, active);
        let mut found = NONE;
        for value in [false, true] {
            let mut filled = state.clone();
            for var in 0..self.n_vars as u32 {
                let lit = Lit::new(var, !value);
                filled.set(lit, state.is_open(lit));
            }
            let mut satisfied = active;
            for clause in self.clauses() {
                satisfied = and(satisfied, clause.iter().fold(NONE, |row, &lit| or(row, filled.is_true(lit))));
            }
            found = or(found, satisfied);
            active = without(active, satisfied);
        }
        (found, active)
    }

    /// The lanes without a contradiction.
    fn propagate(&self, state: &mut LiteralLanes, mut active: AssignmentBits) -> AssignmentBits {
        loop {
            let mut changed = NONE;
            for clause in self.clauses() {
                let (mut satisfied, mut one, mut more) = (NONE, NONE, NONE);
                for &lit in clause {
                    let open = state.is_open(lit);
                    satisfied = or(satisfied, state.is_true(lit));
                    more = or(more, and(one, open));
                    one = or(one, open);
                }
                let at_most_one = without(active, or(satisfied, more));
                let unit = and(at_most_one, one);
                active = without(active, without(at_most_one, one));
                if unit != NONE {
                    changed = or(changed, unit);
                    for &lit in clause {
                        state.set(lit, and(unit, state.is_open(lit)));
                    }
                }
            }
            if changed == NONE {
                return active;
            }
        }
    }
}

/// True if the solver has a model with these values of the inputs.
fn is_satisfied(solver: &mut BasicSolver, inputs: usize, assignment: u32) -> bool {
    let lits: Vec<Lit> = (0..inputs as u32).map(|var| Lit::new(var, assignment >> var & 1 == 0)).collect();
    solver.solve_assumps(&lits).expect("no limit") == SolverResult::Sat
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ClauseSink;
    use crate::random::Random;
    use crate::testing::{Engine, Recorder};

    #[test]
    fn allows_what_a_search_allows() {
        let mut random = Random::new(1);
        for round in 0..300 {
            let (inputs, n_vars) = (1 + random.below(10), 14);
            let mut recorder = Recorder::new(n_vars);
            for _ in 0..5 + random.below(50) {
                let clause: Vec<Lit> = (0..=random.below(4))
                    .map(|_| Lit::new(random.below(n_vars) as u32, random.below(2) == 0))
                    .collect();
                recorder.add_clause(&clause).unwrap();
            }
            let lanes = Lanes::new(n_vars, recorder.clauses.iter().map(Vec::as_slice));
            let mut engine = Engine::new(&recorder);
            let mut seen = 0;
            lanes.each_assignment(inputs, |assignment, allowed| {
                let mark = engine.mark();
                let mut lits = (0..inputs as u32).map(|var| Lit::new(var, assignment >> var & 1 == 0));
                let expected = lits.all(|lit| engine.assume(lit)) && engine.satisfiable();
                engine.undo(mark);
                assert_eq!(allowed, expected, "round {round}, {assignment:b}");
                seen += 1;
            });
            assert_eq!(seen, 1 << inputs);
        }
    }
}
