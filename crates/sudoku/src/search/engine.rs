//! One solver for many grids of one layout: from a grid's givens to one solution after the other.
//!
//! An [`GridEngine`] is made for a layout and asked about one grid at a time: [`begin`](GridEngine::begin) takes the
//! grid, every [`next`](GridEngine::next) finds a solution, [`block`](GridEngine::block) forbids the one found last.
//! The caller starts the clock; it is heeded while deducing, counting, loading and searching.

use rustc_hash::FxHashSet;
use rustsat::types::Lit;

use crate::encode::Strategy;
use crate::grid::Layout;
use crate::residue::{Residue, Sink};
use crate::rules::{self, LitBuffer, RuleForm};
use crate::search::load::load;
use crate::search::settings::{Report, Settings};
use crate::search::turns::FirstAnswerSearch;
use crate::search::walk::SolutionWalk;
use cnfkit_core::internals::{Clock, Session};
use cnfkit_core::{CapacityError, ClauseSink, Size, SolveError};

/// The solver, and how givens get to it.
pub(crate) enum GridEngine {
    Pruned(Box<Pruned>),
    Base(Box<BaseSolver>),
}

impl GridEngine {
    pub(crate) fn new(layout: &Layout, settings: Settings, clock: &Clock) -> Result<Self, SolveError> {
        match settings.strategy {
            Strategy::Pruned => Ok(Self::Pruned(Box::new(Pruned { probes: true, ..Pruned::new(layout, settings) }))),
            Strategy::Base => Ok(Self::Base(Box::new(BaseSolver::new(layout, settings, clock)?))),
        }
    }

    /// Turns to another grid of the layout, all values in range. `false` when it is seen at once to have no solution.
    pub(crate) fn begin(&mut self, cells: &[u16], clock: &Clock) -> Result<bool, SolveError> {
        match self {
            Self::Pruned(engine) => engine.begin(cells, clock),
            Self::Base(engine) => engine.begin(cells, clock).map(|()| true),
        }
    }

    /// The report on what [`begin`](Self::begin) did with the grid.
    pub(crate) fn report(&self) -> Report {
        match self {
            Self::Pruned(engine) => engine.report(),
            Self::Base(engine) => engine.report(),
        }
    }

    /// Writes a solution into `cells`, one that [`block`](Self::block) did not forbid; `false` when there is none.
    pub(crate) fn next(&mut self, cells: &mut [u16]) -> Result<bool, SolveError> {
        match self {
            Self::Pruned(engine) => engine.next(cells),
            Self::Base(engine) => engine.next(cells),
        }
    }

    /// Forbids the solution found last, `cells`.
    pub(crate) fn block(&mut self, cells: &[u16]) -> Result<(), SolveError> {
        match self {
            Self::Pruned(engine) => engine.block(cells),
            Self::Base(engine) => engine.block(cells),
        }
    }
}

/// Propagates, and encodes what is left open.
pub(crate) struct Pruned {
    residue: Residue,
    session: Session,
    settings: Settings,
    /// Tries candidates before the solver is asked.
    probes: bool,
    /// Even an empty grid's formula is within the capacity.
    fits: bool,
    state: EngineState,
    /// Values that deduction left open.
    n_open: usize,
    clock: Clock,
    clause: Vec<Lit>,
    /// The solutions that were blocked, up to [`MANY`], of 9×9 boxes; then what finds all others.
    blocked: FxHashSet<Vec<u16>>,
    walk: Option<SolutionWalk>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum EngineState {
    /// There are no more solutions.
    Done,
    /// Propagation alone found the one solution.
    Solved,
    /// The rest is with the solver, which was not asked yet.
    Fresh,
    /// The rest is with the solver.
    Open,
}

impl Pruned {
    pub(crate) fn new(layout: &Layout, settings: Settings) -> Self {
        let session = Session::new(settings.choices);
        let fits = base_size(layout, settings.encoding).fits(&settings.capacity);
        Self {
            residue: Residue::new(layout),
            session,
            settings,
            probes: false,
            fits,
            state: EngineState::Done,
            n_open: 0,
            clock: Clock::default(),
            clause: Vec::new(),
            blocked: FxHashSet::default(),
            walk: None,
        }
    }

    pub(crate) fn begin(&mut self, cells: &[u16], clock: &Clock) -> Result<bool, SolveError> {
        clock.check()?;
        self.session.watch(clock);
        self.state = EngineState::Done;
        self.blocked.clear();
        self.walk = None;
        if !self.residue.load(cells, self.probes, clock)? {
            return Ok(false);
        }
        let n_vars = self.residue.n_vars();
        if n_vars == 0 {
            self.state = EngineState::Solved;
            return Ok(true);
        }
        if !self.fits {
            self.residue.size(self.settings.encoding, &self.settings.capacity, clock)?;
        }
        self.session.clear();
        self.session.new_vars(n_vars)?;
        load(&mut self.residue, &mut self.session, self.settings.encoding, self.settings.crossings)?;
        self.clock = clock.clone();
        self.n_open = n_vars;
        self.state = if n_vars < LONG_SEARCH { EngineState::Open } else { EngineState::Fresh };
        Ok(true)
    }

    pub(crate) fn report(&self) -> Report {
        if matches!(self.state, EngineState::Done | EngineState::Solved) {
            return Report::default();
        }
        let clauses = self.session.n_clauses();
        Report { open: self.n_open, clauses, looked_up: clauses == 0, ..Report::default() }
    }

    pub(crate) fn next(&mut self, cells: &mut [u16]) -> Result<bool, SolveError> {
        if let Some(walk) = &mut self.walk {
            return walk.next(cells, &self.clock);
        }
        let found = match self.state {
            EngineState::Done => false,
            EngineState::Solved => true,
            EngineState::Fresh => {
                self.state = EngineState::Open;
                FirstAnswerSearch::new(&mut self.residue, &self.settings, &self.clock).run(&mut self.session)?
            }
            EngineState::Open => {
                // A session that is asked for one easy solution after the other may never look at the clock itself.
                self.clock.check()?;
                self.session.solve(&[])?
            }
        };
        if found {
            let session = &self.session;
            self.residue.decode(cells, &|lit| session.is_true(lit));
        } else {
            self.state = EngineState::Done;
        }
        Ok(found)
    }

    pub(crate) fn block(&mut self, cells: &[u16]) -> Result<(), SolveError> {
        if matches!(self.state, EngineState::Open | EngineState::Fresh) {
            self.state = EngineState::Open;
            if self.walk.is_some() {
                return Ok(());
            }
            if let Some(nine) = self.residue.nine() {
                self.blocked.insert(cells.to_vec());
                if self.blocked.len() == MANY {
                    self.walk = Some(SolutionWalk::new(nine.clone(), std::mem::take(&mut self.blocked)));
                    return Ok(());
                }
            }
            self.clause.clear();
            self.residue.chosen(cells, &mut self.clause);
            self.clause.iter_mut().for_each(|lit| *lit = !*lit);
            self.session.add_clause(&self.clause)
        } else {
            self.state = EngineState::Done;
            Ok(())
        }
    }

    /// The values that propagation left open, and the solver that has them; after [`GridEngine::begin`].
    pub(crate) fn parts(&mut self) -> (&Residue, &mut Session) {
        (&self.residue, &mut self.session)
    }
}

/// Values left open from which on a search may be long, so that solvers take turns. Above the 729
/// that an empty 9×9 has (`cargo run --release -p cnfkit-peers -- puzzles --list side16`).
const LONG_SEARCH: usize = 1000;

/// Solutions of 9×9 boxes that the solver finds; where there are more, all others are found by trying digits.
const MANY: usize = 64;

/// All of an empty grid's formula.
fn base_size(layout: &Layout, enc: RuleForm) -> Size {
    rules::rules_size(layout, &enc) + Size::variables(layout.side().pow(3) as u64)
}

/// Has all rules in the solver, once; givens are assumptions.
pub(crate) struct BaseSolver {
    side: usize,
    session: Session,
    clock: Clock,
    assumptions: Vec<Lit>,
    clause: Vec<Lit>,
    /// While this is assumed, blocked solutions are blocked.
    blocking: Option<Lit>,
}

impl BaseSolver {
    pub(crate) fn new(layout: &Layout, settings: Settings, clock: &Clock) -> Result<Self, SolveError> {
        let side = layout.side();
        let needed = base_size(layout, settings.encoding);
        if !needed.fits(&settings.capacity) {
            return Err(CapacityError::new(needed, settings.capacity).into());
        }
        clock.check()?;
        let mut session = Session::on(clock, settings.choices);
        session.new_vars(side * side * side)?;
        let sink: &mut Sink<'_> = &mut session;
        rules::rules(sink, layout, &settings.encoding, &mut LitBuffer::default(), rules::all_open(side))?;
        let (assumptions, clause) = (Vec::new(), Vec::new());
        Ok(Self { side, session, clock: clock.clone(), assumptions, clause, blocking: None })
    }

    pub(crate) fn begin(&mut self, cells: &[u16], clock: &Clock) -> Result<(), SolveError> {
        clock.check()?;
        self.session.watch(clock);
        self.clock = clock.clone();
        if let Some(blocking) = self.blocking.take() {
            self.session.add_clause(&[!blocking])?;
        }
        self.assumptions.clear();
        let side = self.side;
        let givens = cells.iter().enumerate().filter(|&(_, &value)| value != 0);
        self.assumptions.extend(givens.map(|(cell, &value)| rules::lit(side, cell, value.into())));
        Ok(())
    }

    /// The givens as assumptions, and the solver that has the rules.
    pub(crate) fn parts(&mut self) -> (&[Lit], &mut Session) {
        (&self.assumptions, &mut self.session)
    }

    fn report(&self) -> Report {
        Report { open: self.side.pow(3), clauses: self.session.n_clauses(), ..Report::default() }
    }

    fn next(&mut self, cells: &mut [u16]) -> Result<bool, SolveError> {
        self.clock.check()?;
        let found = self.session.solve(&self.assumptions)?;
        if found {
            rules::decode(self.side, cells, |lit| self.session.is_true(lit));
        }
        Ok(found)
    }

    fn block(&mut self, cells: &[u16]) -> Result<(), SolveError> {
        let blocking = match self.blocking {
            Some(blocking) => blocking,
            None => {
                let blocking = self.session.new_lit();
                self.assumptions.push(blocking);
                *self.blocking.insert(blocking)
            }
        };
        let side = self.side;
        self.clause.clear();
        self.clause.push(!blocking);
        self.clause.extend(cells.iter().enumerate().map(|(cell, &value)| !rules::lit(side, cell, value.into())));
        self.session.add_clause(&self.clause)
    }
}
